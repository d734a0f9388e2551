"""Evaluations stored: values by list as CSV, all of it as JSON, and read from JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ...convention.fields import SUMMATIONS
from ...engine.means import MeanRule
from ...engine.resampling import KINDS, Shares
from ...engine.setting_values import as_json, of_json
from ...inputs.printable import printable
from ...measures.all_lists import RecommendedLists
from ...text import separated
from . import schema
from .schema import column, list_of, number, record, table_of

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
    return separated(["query", *means], chain(rows, [last]), ",", safe)


def json_text(evaluation: Evaluation) -> str:
    """An evaluation as JSON."""
    import json  # imported late: it slows start-up, and few need it

    data: dict[str, Any] = {
        "rankgain": evaluation.versions["rankgain"],
        "convention": evaluation.convention,
        "convention_version": evaluation.versions["convention"],
        "counts": evaluation.counts,
        "means": evaluation.means,
        "queries": [_json_label(query) for query in evaluation.queries],
        "per_query": evaluation.per_query,
    }
    if not isinstance(evaluation.queries, range) and _only_counts(data["queries"]):
        data["numbered"] = False  # these ids are not the positions of the lists
    if evaluation.requested:
        data["asked"] = evaluation.requested
    if evaluation.weights is not None:
        data["weights"] = evaluation.weights
    if evaluation.segments is not None:
        data["segments"] = [_json_label(label) for label in evaluation.segments]
    if evaluation.mean_rule != MeanRule.named(evaluation.convention):
        data["mean_rule"] = evaluation.mean_rule
    if evaluation.settings:
        data["settings"] = as_json(evaluation.settings)
    if evaluation.marked:
        data["marked"] = {name: np.flatnonzero(one) for name, one in evaluation.marked.items()}
    if evaluation.shares:
        data["shares"] = {name: one._asdict() for name, one in evaluation.shares.items()}
    if evaluation.recommended is not None:
        lists = evaluation.recommended
        ids = [[_json_label(item) for item in row] for row in lists.to_lists()]
        data["recommended"] = {"catalogue": lists.n_items, "lists": ids}
    if evaluation.bounds:
        data |= {"bounds": evaluation.bounds, "bound_means": evaluation.bound_means}
    return json.dumps(strict(data), indent=1, allow_nan=False) + "\n"


def _only_counts(queries: list[Any]) -> bool:
    """Whether the ids are 0, 1, 2, ..."""
    return all(type(one) is int for one in queries) and queries == list(range(len(queries)))


def strict(value: object) -> Any:
    """Data for strict JSON: nan becomes None, infinity "inf"."""
    if isinstance(value, Mapping):
        return {key: strict(one) for key, one in value.items()}
    if isinstance(value, np.ndarray) and np.isfinite(value).all():
        return value.tolist()
    if isinstance(value, (np.ndarray, list, tuple)):
        return [strict(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def many_as_json(evaluations: Mapping[str, Evaluation]) -> str:
    """Evaluations by name, each as `json_text` writes it."""
    import json

    from ... import __version__

    result = {str(name): json.loads(json_text(one)) for name, one in evaluations.items()}
    data = {"rankgain": __version__, "evaluations": result}
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def read_json(path: Path) -> dict[str, Any]:
    """The arguments of an Evaluation, from a file with what `json_text` wrote."""
    return _parts(printable(str(path)), loaded(path))


def read_many(path: Path) -> dict[str, dict[str, Any]]:
    """The arguments of Evaluations by name, from a file with what `many_as_json` wrote."""
    name, data = printable(str(path)), loaded(path)
    result = data.get("evaluations") if isinstance(data, dict) else None
    if not isinstance(result, dict):
        raise ValueError(f"{name}: these are no evaluations that rankgain wrote")
    return {run: _parts(f"{name}, {printable(run)}", one) for run, one in result.items()}


def loaded(path: Path) -> Any:
    """The content of a JSON file, or None if it is not JSON."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError):  # no JSON, or no text
        return None


def _parts(name: str, data: object) -> dict[str, Any]:
    if isinstance(data, dict) and data.get("means") and "per_query" not in data:
        raise ValueError(
            f"{name}: it has means but no values of queries; write it with --per-query, or by "
            "Evaluation.to_json"
        )
    if isinstance(data, dict) and isinstance(data.get("evaluations"), dict):
        raise ValueError(f"{name}: it has several runs; read it by Evaluations.read")
    try:
        return evaluation_of(data)
    except schema.SchemaError as error:
        raise ValueError(
            f"{name}: this is not an evaluation that rankgain wrote: {error}"
        ) from None


def evaluation_of(data: object) -> dict[str, Any]:
    """The arguments of an Evaluation, from its JSON data."""
    heads = {"means": table_of(number, schema.measure), "queries": list_of(schema.id_)}
    means, queries = record(heads)(data).values()
    n, measure = len(queries), schema.one_of(means, "a measure of means")
    columns = table_of(column(n), measure, same=means)
    needed = {
        **heads,
        "per_query": columns,
        "convention": schema.text,
        "counts": lambda value: _counts(value, measure),
        "rankgain": schema.text,
    }
    others = {
        "convention_version": schema.text,
        "numbered": schema.flag,
        "asked": table_of(measure),
        "weights": schema.or_null(column(n)),
        "segments": schema.or_null(list_of(schema.id_, n)),
        "settings": settings,
        "mean_rule": mean_rule,
        "marked": table_of(
            lambda value: _marks(value, n), schema.one_of([*means, "missing"], "a key")
        ),
        "shares": table_of(lambda value: _shares(value, n), measure),
        "recommended": lambda value: _recommended(value, n),
        "bounds": table_of(table_of(schema.pairs(n), measure, same=means)),
        "bound_means": table_of(table_of(list_of(number, 2, "ends"), measure, same=means)),
    }
    result: dict[str, Any] = record(needed, others)(data)
    if result.get("bounds", {}).keys() != result.get("bound_means", {}).keys():
        raise schema.SchemaError("the keys must be those of bounds", "bound_means")
    result["requested"] = result.pop("asked", {})
    version = result.pop("convention_version", "")
    result["versions"] = {"rankgain": result.pop("rankgain"), "convention": version}
    if result.pop("numbered", True) and _only_counts(queries):
        result["queries"] = range(n)
    return result


def _marks(value: object, n: int) -> Any:
    """Which of n lists have one of these positions."""
    marks = np.zeros(n, bool)
    marks[list_of(schema.one_of(range(n), "the position of a query"))(value)] = True
    return marks


def _counts(value: object, measure: schema.Kind) -> dict[str, Any]:
    """Counts by name; "undefined" and "undefined_as" are tables by measure."""
    kinds: dict[str, schema.Kind] = {}
    if isinstance(value, dict):
        kinds = dict.fromkeys(value, schema.count)
        undefined = value.get("undefined")
        same = list(undefined) if isinstance(undefined, dict) else []
        kinds["undefined"] = table_of(schema.count, measure)
        kinds["undefined_as"] = table_of(value_of_undefined, measure, same=same)
        if not {"undefined", "undefined_as"} & value.keys():
            kinds.pop("undefined"), kinds.pop("undefined_as")
    result: dict[str, Any] = record(kinds)(value)
    return result


def value_of_undefined(value: object) -> Any:
    """What undefined lists count: a number or a word."""
    return value if value in ("skip", "nan", "inf", "-inf") else number(value)


def settings(value: object) -> dict[str, Any]:
    """Settings as `as_json` writes them."""
    try:
        result = of_json(value)
    except (ValueError, TypeError) as error:
        raise schema.SchemaError(str(error)) from None
    k = result.get("k", 1)
    if type(k) is not int or k < 1:
        raise schema.SchemaError(f"k must be a whole number of at least 1, not {k!r}", "settings")
    return result


def mean_rule(value: object) -> MeanRule:
    """The rule of the means: summation and decimals."""
    if type(value) is not list or len(value) != len(MeanRule._fields):
        schema.refuse("a list of two", value)
    summation = schema.one_of(SUMMATIONS, f"one of {', '.join(SUMMATIONS)}")
    return MeanRule(summation(value[0]), schema.or_null(schema.count)(value[1]))


def _shares(value: object, n: int) -> Shares:
    kind = schema.one_of(KINDS, f"one of {', '.join(KINDS)}")
    others = {"divisors": schema.or_null(column(n))}
    result = record({"kind": kind, "numerators": column(n)}, others)(value)
    return Shares(result["kind"], result["numerators"], result.get("divisors"))


def _recommended(value: object, n: int) -> RecommendedLists:
    kinds = {"catalogue": schema.or_null(schema.count), "lists": list_of(list_of(schema.id_), n)}
    n_items, lists = record(kinds)(value).values()
    try:
        return RecommendedLists.of(lists, n_items)
    except (ValueError, TypeError) as error:
        raise schema.SchemaError(str(error)) from None


def _json_label(label: object) -> Any:
    """A query id or label for JSON; what is neither text nor a number, as a date, becomes text."""
    label = label.item() if isinstance(label, np.generic) else label
    return label if isinstance(label, (str, int, float)) else str(label)
