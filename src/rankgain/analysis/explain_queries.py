"""explain_queries: explain many queries of a run; for nDCG with a few calls for all queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ..convention import UNSET, Convention
from ..engine.plan import discount_weights
from ..engine.settings import Settings, resolve
from ..measures import functions as metrics
from ..measures.catalogue import FAMILIES
from ..measures.measure import parse_measure
from ..trec.by_query import Run
from ..trec.join import as_seen
from .contributions import Contributions
from .explain import explain_query, in_name, told_apart
from .explanation import Explanation, Steps
from .one_list import OF_GAINS

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers
    from ..measures.measure import Measure


Judgments: TypeAlias = Mapping[Any, Mapping[str, float]]


class ExplainedQuery(NamedTuple):
    """The nDCG of one query: values, ranking and ideal rank by rank, ids of the documents."""

    ndcg: float
    dcg: float
    idcg: float
    ranking: Steps
    ideal: Steps
    documents: list[str]


class RankedQuery(NamedTuple):
    """The documents down to the cutoff, their labels, and the labels of all judged documents."""

    documents: list[str]
    labels: list[float]
    judged: Any


def explain_queries(
    qrels: Judgments,
    run: Run,
    queries: Sequence[Any],
    convention: Convention,
    measure: str | Measure = "nDCG",
    options: Mapping[str, Any] | None = None,
) -> Iterator[ExplainedQuery | Contributions]:
    """The result of `rankgain.explain` for each query.

    nDCG in the order of the run's ranks is computed for all queries at once. options: arguments of
    the measure (gain, rel, ties, ...); they override the convention, and arguments in the measure's
    name override them.
    """
    parsed = parse_measure(measure)
    family = FAMILIES[parsed.family.lower()]
    rules, params = in_name(parsed, convention)
    arguments = {name: one for name, one in (options or {}).items() if name in family.params}
    k = UNSET if parsed.k is None else parsed.k
    arguments |= params
    settings = resolve(family.function, {"k": k, **arguments}, rules)
    ties = arguments.get(
        "ties", rules.for_family("ties", family.function, cut=settings.k is not None)
    )
    if (
        parsed.family == "nDCG"
        and (ties, settings.ideal, rules.unjudged) == ("id_descending", "judged", "keep")
        and settings.score_dtype != "float32"  # in which more scores may tie
    ):
        arguments.pop("ties", None)
        run = as_seen(rules, run)
        together = [_ranked_query(qrels, run, one, settings.k) for one in queries]
        yield from _together(together, settings, arguments, rules) if together else ()
        return
    for one in queries:
        result: Any = explain_query(qrels, run, one, parsed.family, k, arguments, rules)
        if isinstance(result, Explanation):
            values = result.ndcg, result.dcg, result.idcg
            result = ExplainedQuery(*values, result.ranking, result.ideal, list(result.documents))
        yield result


def _ranked_query(qrels: Judgments, run: Run, query: object, k: int | None) -> RankedQuery:
    judged = qrels[query]
    documents = run._first(query, k) if query in run else []  # a run is in rank order
    others = [0.0] * sum(name not in judged for name in documents)
    return RankedQuery(
        documents,
        [judged.get(name, 0.0) for name in told_apart(documents, judged)],
        np.array([*judged.values(), *others]),
    )


def _together(
    queries: list[RankedQuery], settings: Settings, parts: dict[str, Any], convention: Convention
) -> list[ExplainedQuery]:
    """Explain all queries; their labels are the rows of one matrix."""
    lengths = np.array([len(one.labels) for one in queries])
    depth = max(int(lengths.max()), *(len(one.judged) for one in queries))
    depth = max(depth if settings.k is None else min(depth, settings.k), 1)
    labels = np.zeros((len(queries), depth))
    for row, one in zip(labels, queries, strict=True):
        row[: len(one.labels)] = one.labels
    arguments = {**parts, "lengths": lengths, "judged": [one.judged for one in queries]}
    values: list[Any] = [
        measure(labels, k=settings.k, convention=convention, **arguments)
        for measure in (metrics.ndcg, metrics.dcg, metrics.idcg)
    ]
    # result_dtype and round apply to the three values, not to the steps.
    arguments["convention"] = exact = convention.replace(result_dtype="float64", round=None)
    ranks = np.arange(1, depth + 1)
    running: Any = metrics.dcg(labels, k=ranks, **arguments)
    ideal: Any = metrics.idcg(labels, k=ranks, **arguments)
    weights = discount_weights(settings, depth)
    gains = _gains(np.concatenate([one.judged for one in queries]), parts, exact)
    result = []
    for at, one in enumerate(queries):
        best = one.judged[np.lexsort((-one.judged, -gains(one.judged)))][:depth]
        listed = np.array(one.labels)
        sides = (
            _steps(np.arange(len(listed)), listed, gains(listed), running[at], weights),
            _steps(np.full(len(best), -1), best, gains(best), ideal[at], weights),
        )
        ndcg, dcg, idcg = (float(column[at]) for column in values)
        result.append(ExplainedQuery(ndcg, dcg, idcg, *sides, one.documents))
    return result


def _gains(labels: Array, parts: dict[str, Any], exact: Convention) -> Callable[[Any], Any]:
    """A function from labels to gains; the gain is the CG of a list with one document."""
    distinct = np.unique(labels)
    options = {name: parts[name] for name in OF_GAINS if name in parts}
    gains = np.asarray(metrics.cg(distinct[:, np.newaxis], k=None, convention=exact, **options))
    return lambda some: gains[np.searchsorted(distinct, some)]


def _steps(
    document: Integers, labels: Floats, gains: Floats, running: Floats, weights: Floats
) -> Steps:
    n = len(labels)
    return Steps(document, labels, gains, gains, weights[:n], gains * weights[:n], running[:n])
