"""Comparisons as plain data and JSON; reading them from JSON."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from ...analysis.compare import TESTS
from ...analysis.comparison import ComparisonRow
from ...analysis.significance.corrections import CORRECTIONS
from ...inputs.printable import printable
from . import codec
from .codec import StoredError, count, list_of, number_where, one_of, record, table_of, text

if TYPE_CHECKING:
    from ...analysis.comparison import Comparison
    from ...inputs.types import Path

PROBABILITY = number_where(lambda p: p != p or 0 <= p <= 1, "a number from 0 to 1")
LEVEL = number_where(lambda level: 0 < level < 1, "a number inside (0, 1)")


def data_of(comparison: Comparison) -> dict[str, Any]:
    """All fields but the evaluations; rows as dicts."""
    data: dict[str, Any] = {}
    for one in fields(comparison):
        value = getattr(comparison, one.name)
        if one.name == "rows":
            value = [row._asdict() for row in value]
        elif isinstance(value, tuple):
            value = list(value)
        elif one.name in ("left_out", "versions"):
            value = dict(value)
        if one.name != "evaluations":
            data[one.name] = value
    return data


def json_of(comparison: Comparison) -> str:
    """The data as strict JSON."""
    version = comparison.versions.get("rankgain", "")
    return codec.write({"rankgain": version, "comparison": data_of(comparison)})


def read_json(path: Path) -> dict[str, Any]:
    """The fields of a Comparison, from what `json_of` wrote."""
    try:
        result = record({"comparison": _comparison})(codec.load(path))["comparison"]
    except StoredError as error:
        raise ValueError(
            f"{printable(str(path))}: this is not a comparison that rankgain wrote: {error}"
        ) from None
    return {key: tuple(one) if isinstance(one, list) else one for key, one in result.items()}


def _comparison(data: object) -> dict[str, Any]:
    """The fields of a Comparison; rows must match its systems, measures and segments."""
    texts = list_of(text)
    heads = {"names": texts, "measures": list_of(codec.measure), "segments": texts}
    names, measures, segments = record(heads)(data).values()
    name = one_of(names, "the name of a system")
    row = codec.fields_of(
        ComparisonRow,
        measure=one_of(measures, "one of the measures"),
        segment=one_of(segments or [None], "one of the segments"),
        a=name,
        b=name,
        p=PROBABILITY,
        p_corrected=PROBABILITY,
    )
    kinds = {
        "rows": list_of(row),
        **heads,
        "baseline": codec.or_null(name),
        "test": one_of(TESTS),
        "correction": codec.or_null(one_of(CORRECTIONS)),
        "resamples": codec.whole_from(1),
        "level": LEVEL,
        "seed": count,
        "queries": count,
        "left_out": table_of(count, name),
        "convention": text,
        "versions": table_of(text),
    }
    result: dict[str, Any] = record(kinds)(data)
    baseline = result["baseline"]
    others = [(one, baseline) for one in names if one != baseline]
    pairs = list(combinations(names, 2)) if baseline is None else others
    heads_of = product(segments or [None], measures, map(frozenset, pairs))
    rows = [(r.segment, r.measure, frozenset((r.a, r.b))) for r in result["rows"]]
    if len(rows) != len(set(rows)) or set(rows) != set(heads_of):
        raise StoredError("they must be those of every segment, measure and pair", "rows")
    for at, one in enumerate(result["rows"]):
        if one.wins + one.ties + one.losses != one.lists:
            raise StoredError("it must be the sum of wins, ties and losses", "rows", at, "lists")
    return result
