"""explain_queries: the nDCG of many queries of a run, as explain_query, but in a few calls."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .. import metrics
from ..convention import UNSET, Convention
from ..engine.plan import discount_weights
from ..engine.settings import Settings, resolve
from ..records.by_query import Run
from ..results.explanations.explanation import Steps
from .explain import explain_query

Judgments: TypeAlias = Mapping[Any, Mapping[str, float]]


class Explained(NamedTuple):
    """One query: its values, its ranking and the ideal rank by rank, the ids of the documents."""

    ndcg: float
    dcg: float
    idcg: float
    ranking: Steps
    ideal: Steps
    documents: list[str]


class Query(NamedTuple):
    """The documents down to the cutoff, their labels, and the labels of all judged documents."""

    documents: list[str]
    labels: list[float]
    judged: Any


def explain_queries(
    qrels: Judgments,
    run: Run,
    queries: Sequence[Any],
    convention: Convention,
    *,
    k: Any = UNSET,
    gain: Any = UNSET,
    discount: Any = UNSET,
    ties: Any = UNSET,
) -> list[Explained]:
    """What `explain_query` says of each query, in a few calls where runs keep the ranks."""
    parts = {"gain": gain, "discount": discount}
    settings = resolve("ndcg", {"k": k, **parts}, convention)
    rule = convention.for_family("ties", "ndcg") if ties is UNSET else ties
    if rule != "id_descending" or settings.ideal != "judged":
        return [_alone(qrels, run, one, convention, k=k, ties=ties, **parts) for one in queries]
    found = [_query(qrels, run, one, settings.k) for one in queries]
    return _together(found, settings, parts, convention) if found else []


def _alone(
    qrels: Judgments, run: Run, query: Any, convention: Convention, k: Any, **asked: Any
) -> Explained:
    given = {name: value for name, value in asked.items() if value is not UNSET}
    shown = explain_query(qrels, run, query, "nDCG", k, given, convention)
    return Explained(
        shown.ndcg, shown.dcg, shown.idcg, shown.ranking, shown.ideal, list(shown.documents)
    )


def _query(qrels: Judgments, run: Run, query: Any, k: int | None) -> Query:
    judged = qrels[query]
    documents = _first(run, str(query), k) if query in run else []
    others = [0.0] * sum(name not in judged for name in documents)
    return Query(
        documents,
        [judged.get(name, 0.0) for name in documents],
        np.array([*judged.values(), *others]),
    )


def _first(run: Run, query: str, k: int | None) -> list[str]:
    """The first k documents: a run keeps them in the order of their ranks."""
    rows, at = run._arrays, run._index[query]
    first, stop = int(rows.lists[at]), int(rows.lists[at + 1])
    ends = rows.id_starts[first : (stop if k is None else min(stop, first + k)) + 1].tolist()
    ids = rows.ids[ends[0] : ends[-1]].tobytes()
    places = [end - ends[0] for end in ends]
    return [ids[a:b].decode("utf-8", "surrogateescape") for a, b in pairwise(places)]


def _together(
    queries: list[Query], settings: Settings, parts: dict[str, Any], convention: Convention
) -> list[Explained]:
    lengths = np.array([len(one.labels) for one in queries])
    depth = max(int(lengths.max()), *(len(one.judged) for one in queries))
    depth = max(depth if settings.k is None else min(depth, settings.k), 1)
    labels = np.zeros((len(queries), depth))
    for row, one in zip(labels, queries, strict=True):
        row[: len(one.labels)] = one.labels
    asked = {**parts, "lengths": lengths, "judged": [one.judged for one in queries]}
    values: list[Any] = [
        measure(labels, k=settings.k, convention=convention, **asked)
        for measure in (metrics.ndcg, metrics.dcg, metrics.idcg)
    ]
    # Steps are shown as they are; only the three values are cast and rounded.
    asked["convention"] = exact = convention.replace(result_dtype="float64", round=None)
    ranks = np.arange(1, depth + 1)
    running: Any = metrics.dcg(labels, k=ranks, **asked)
    ideal: Any = metrics.idcg(labels, k=ranks, **asked)
    weights = discount_weights(settings, depth)
    gains = _gains(np.concatenate([one.judged for one in queries]), parts["gain"], exact)
    found = []
    for at, one in enumerate(queries):
        best = one.judged[np.lexsort((-one.judged, -gains(one.judged)))][:depth]
        mine = np.array(one.labels)
        sides = (
            _steps(np.arange(len(mine)), mine, gains(mine), running[at], weights),
            _steps(np.full(len(best), -1), best, gains(best), ideal[at], weights),
        )
        ndcg, dcg, idcg = (float(column[at]) for column in values)
        found.append(Explained(ndcg, dcg, idcg, *sides, one.documents))
    return found


def _gains(labels: Any, gain: Any, exact: Convention) -> Callable[[Any], Any]:
    """What each of these labels is worth: the CG of one document is its gain."""
    known = np.unique(labels)
    worth = np.asarray(metrics.cg(known[:, np.newaxis], k=None, gain=gain, convention=exact))
    return lambda some: worth[np.searchsorted(known, some)]


def _steps(document: Any, labels: Any, gains: Any, running: Any, weights: Any) -> Steps:
    n = len(labels)
    return Steps(document, labels, gains, gains, weights[:n], gains * weights[:n], running[:n])
