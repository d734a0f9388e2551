"""Evaluations stored: values by list as CSV, all of it as JSON, and read from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.means import KINDS, MeanRule, Shares
from ...inputs.printable import printable
from ...measures.all_lists import RecommendedLists
from ...text import separate
from . import codec
from .codec import (
    StoredError,
    column,
    count,
    make_choice,
    make_list,
    make_table,
    number,
    or_null,
    record,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...evaluation.evaluation import Evaluation
    from ...inputs.types import Path


def name_of_means(queries: Iterable[object]) -> str:
    """The name of the row of means: "all", in parentheses if a query has that name."""
    taken = {str(query) for query in queries}
    name = "all"
    while name in taken:
        name = f"({name})"
    return name


def csv_text(evaluation: Evaluation, safe: bool) -> str:
    """CSV with a row for each query, then the means; safe: escape spreadsheet formulas."""
    columns = {name: values.tolist() for name, values in evaluation.per_query.items()}
    means = dict(evaluation.means)
    for kind, ends_by_measure in evaluation.bounds.items():
        for name, ends in ends_by_measure.items():
            for end, word in enumerate(("low", "high")):
                columns[f"{name} {kind} {word}"] = ends[:, end].tolist()
                means[f"{name} {kind} {word}"] = evaluation.bound_means[kind][name][end]
    rows = zip(map(str, evaluation.queries), *columns.values(), strict=True)
    last = name_of_means(evaluation.queries), *means.values()
    return separate(["query", *means], chain(rows, [last]), ",", safe)


def json_text(evaluation: Evaluation) -> str:
    """An evaluation as JSON."""
    return codec.write(make_data(evaluation))


def make_data(evaluation: Evaluation) -> dict[str, object]:
    """All of an evaluation, for `codec.encode`."""
    data: dict[str, Any] = {
        "rankgain": evaluation.versions["rankgain"],
        "convention": evaluation.convention,
        "convention_version": evaluation.versions["convention"],
        "counts": evaluation.counts,
        "means": evaluation.means,
        "queries": [_label(query) for query in evaluation.queries],
        "per_query": evaluation.per_query,
    }
    if not isinstance(evaluation.queries, range) and _only_counts(data["queries"]):
        data["numbered"] = False  # these ids are not the positions of the lists
    if evaluation.requested:
        data["asked"] = evaluation.requested
    if evaluation.weights is not None:
        data["weights"] = evaluation.weights
    if evaluation.segments is not None:
        data["segments"] = [_label(label) for label in evaluation.segments]
    if evaluation.mean_rule != MeanRule.named(evaluation.convention):
        data["mean_rule"] = list(evaluation.mean_rule)
    if evaluation.settings:
        data["settings"] = evaluation.settings
    if evaluation.marked:
        data["marked"] = {name: np.flatnonzero(one) for name, one in evaluation.marked.items()}
    if evaluation.shares:
        data["shares"] = evaluation.shares
    if evaluation.recommended is not None:
        lists = evaluation.recommended
        ids = [[_label(item) for item in row] for row in lists.to_lists()]
        data["recommended"] = {"catalogue": lists.n_items, "lists": ids}
    if evaluation.bounds:
        data |= {"bounds": evaluation.bounds, "bound_means": evaluation.bound_means}
    return data


def _label(label: object) -> object:
    """A query id or label for JSON; what is neither text nor a number, as a date, becomes text."""
    label = label.item() if isinstance(label, np.generic) else label
    return label if isinstance(label, (str, int, float)) else str(label)


def _only_counts(queries: list[Any]) -> bool:
    """Whether the ids are 0, 1, 2, ..."""
    return all(type(one) is int for one in queries) and queries == list(range(len(queries)))


def many_as_json(evaluations: Mapping[str, Evaluation]) -> str:
    """Evaluations by name, each as `json_text` writes it."""
    from ... import __version__

    result = {str(name): make_data(one) for name, one in evaluations.items()}
    return codec.write({"rankgain": __version__, "evaluations": result})


def read_json(path: Path) -> dict[str, Any]:
    """The arguments of an Evaluation, from a file with what `json_text` wrote."""
    return _parts(printable(str(path)), codec.load(path))


def read_many(path: Path) -> dict[str, dict[str, Any]]:
    """The arguments of Evaluations by name, from a file with what `many_as_json` wrote."""
    name, data = printable(str(path)), codec.load(path)
    result = data.get("evaluations") if isinstance(data, dict) else None
    if not isinstance(result, dict):
        raise ValueError(f"{name}: these are no evaluations that rankgain wrote")
    return {run: _parts(f"{name}, {printable(run)}", one) for run, one in result.items()}


def _parts(name: str, data: object) -> dict[str, object]:
    if isinstance(data, dict) and data.get("means") and "per_query" not in data:
        raise ValueError(
            f"{name}: it has means but no values of queries; write it with --per-query, or by "
            "Evaluation.to_json"
        )
    if isinstance(data, dict) and isinstance(data.get("evaluations"), dict):
        raise ValueError(f"{name}: it has several runs; read it by Evaluations.read")
    try:
        return read_evaluation(data)
    except StoredError as error:
        raise ValueError(
            f"{name}: this is not an evaluation that rankgain wrote: {error}"
        ) from None


def read_evaluation(data: object) -> dict[str, object]:
    """The arguments of an Evaluation, from its JSON data."""
    heads = {"means": make_table(number, codec.measure), "queries": make_list(codec.id_)}
    means, queries = record(heads)(data).values()
    n, measure = len(queries), make_choice(means, "a measure of means")
    shares = codec.make_fields(
        Shares, kind=make_choice(KINDS), numerators=column(n), divisors=or_null(column(n))
    )
    needed = {
        **heads,
        "per_query": make_table(column(n), measure, same=means),
        "convention": codec.text,
        "counts": lambda value: _counts(value, measure),
        "rankgain": codec.text,
    }
    others = {
        "convention_version": codec.text,
        "numbered": codec.flag,
        "asked": make_table(measure),
        "weights": or_null(column(n)),
        "segments": or_null(make_list(codec.id_, n)),
        "settings": codec.settings,
        "mean_rule": codec.mean_rule,
        "marked": make_table(
            lambda value: _marks(value, n), make_choice([*means, "missing"], "a key")
        ),
        "shares": make_table(shares, measure),
        "recommended": lambda value: _read_recommended(value, n),
        "bounds": make_table(make_table(codec.pairs(n), measure, same=means)),
        "bound_means": make_table(make_table(make_list(number, 2, "ends"), measure, same=means)),
    }
    result: dict[str, Any] = record(needed, others)(data)
    if result.get("bounds", {}).keys() != result.get("bound_means", {}).keys():
        raise StoredError("the keys must be those of bounds", "bound_means")
    result["requested"] = result.pop("asked", {})
    version = result.pop("convention_version", "")
    result["versions"] = {"rankgain": result.pop("rankgain"), "convention": version}
    if result.pop("numbered", True) and _only_counts(queries):
        result["queries"] = range(n)
    return result


def _marks(value: object, n: int) -> object:
    """Which of n lists have one of these positions."""
    marks = np.zeros(n, bool)
    marks[make_list(make_choice(range(n), "the position of a query"))(value)] = True
    return marks


def _counts(value: object, measure: codec.Kind) -> dict[str, object]:
    """Counts by name; "undefined" and "undefined_as" are tables by measure."""
    kinds: dict[str, codec.Kind] = {}
    if isinstance(value, dict):
        kinds = dict.fromkeys(value, count)
        if {"undefined", "undefined_as"} & value.keys():
            undefined = value.get("undefined")
            same = list(undefined) if isinstance(undefined, dict) else []
            kinds["undefined"] = make_table(count, measure)
            kinds["undefined_as"] = make_table(_read_empty, measure, same=same)
    return record(kinds)(value)  # type: ignore[no-any-return]


def _read_empty(value: object) -> object:
    """What undefined lists count: a number or a word."""
    return value if value in ("skip", "nan", "inf", "-inf") else number(value)


def _read_recommended(value: object, n: int) -> RecommendedLists:
    kinds = {"catalogue": or_null(count), "lists": make_list(make_list(codec.id_), n)}
    n_items, lists = record(kinds)(value).values()
    read = codec.call_reader(lambda rows: RecommendedLists.of(rows, n_items))
    return read(lists)  # type: ignore[no-any-return]
