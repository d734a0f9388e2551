"""Comparisons as plain data and JSON; reading them from JSON."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from ...inputs.printable import printable
from . import schema
from .stored import loaded, strict

if TYPE_CHECKING:
    from ...analysis.comparison import Comparison, ComparisonRow
    from ...inputs.types import Path

PROBABILITY = schema.number_where(lambda p: p != p or 0 <= p <= 1, "a number from 0 to 1")
LEVEL = schema.number_where(lambda level: 0 < level < 1, "a number inside (0, 1)")
TESTS = ("t", "randomisation", "bootstrap", "wilcoxon", "sign", "tukey", "randomised_tukey")
CORRECTIONS = ("holm", "bonferroni", "bh", None)
NUMBERS = ("mean_a", "mean_b", "difference", "low", "high", "effect")
COUNTS = ("wins", "ties", "losses", "lists")


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
    import json

    data = {"rankgain": comparison.versions.get("rankgain", ""), "comparison": data_of(comparison)}
    return json.dumps(strict(data), indent=1, allow_nan=False) + "\n"


def read_json(path: Path, kind: type[ComparisonRow]) -> dict[str, Any]:
    """The fields of a Comparison with rows of a kind, from what `json_of` wrote."""
    try:
        result = schema.record({"comparison": _comparison})(loaded(path))["comparison"]
    except schema.SchemaError as error:
        raise ValueError(
            f"{printable(str(path))}: this is not a comparison that rankgain wrote: {error}"
        ) from None
    result["rows"] = tuple(kind(**row) for row in result["rows"])
    return {key: tuple(one) if isinstance(one, list) else one for key, one in result.items()}


def _comparison(data: object) -> dict[str, Any]:
    """The fields of a Comparison; rows must match its systems, measures and segments."""
    texts = schema.list_of(schema.text)
    heads = {"names": texts, "measures": schema.list_of(schema.measure), "segments": texts}
    names, measures, segments = schema.record(heads)(data).values()
    name = schema.one_of(names, "the name of a system")
    row = {
        "measure": schema.one_of(measures, "one of the measures"),
        "segment": schema.one_of(segments or [None], "one of the segments"),
        "a": name,
        "b": name,
        **dict.fromkeys(NUMBERS, schema.number),
        "p": PROBABILITY,
        "p_corrected": PROBABILITY,
        **dict.fromkeys(COUNTS, schema.count),
    }
    kinds = {
        "rows": schema.list_of(schema.record(row)),
        **heads,
        "baseline": schema.or_null(name),
        "test": schema.one_of(TESTS, f"one of {', '.join(TESTS)}"),
        "correction": schema.one_of(CORRECTIONS, "holm, bonferroni, bh or null"),
        "resamples": schema.whole_from(1),
        "level": LEVEL,
        "seed": schema.count,
        "queries": schema.count,
        "left_out": schema.table_of(schema.count, name),
        "convention": schema.text,
        "versions": schema.table_of(schema.text),
    }
    result: dict[str, Any] = schema.record(kinds)(data)
    baseline = result["baseline"]
    others = [(one, baseline) for one in names if one != baseline]
    pairs = list(combinations(names, 2)) if baseline is None else others
    heads_of = product(segments or [None], measures, map(frozenset, pairs))
    rows = [(r["segment"], r["measure"], frozenset((r["a"], r["b"]))) for r in result["rows"]]
    if len(rows) != len(set(rows)) or set(rows) != set(heads_of):
        raise schema.SchemaError("they must be those of every segment, measure and pair", "rows")
    for at, one in enumerate(result["rows"]):
        if one["wins"] + one["ties"] + one["losses"] != one["lists"]:
            raise schema.SchemaError(
                "it must be the sum of wins, ties and losses", "rows", at, "lists"
            )
    return result
