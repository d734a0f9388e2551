"""Joins of dicts of dicts as they are."""

from dataclasses import replace
from typing import Any

import numpy as np

from ... import _core
from ...inputs.layouts import starts_of
from ..by_query import Qrels
from ..rows import Floats, Integers, as_array
from .joined import Joined, without_scores


def join_dicts(qrels: dict[Any, Any], run: dict[Any, Any], single: bool = False) -> Joined | None:
    """Join dicts of dicts as they are: as `join(Qrels(qrels), Run(run))`, without scores.

    None where ids are of several kinds, something is no number, or anything else is wrong: then the
    objects are needed, or say what it is. single: scores are compared in single precision.
    """
    kind, of_integers = kind_of(qrels), kind_of(next(filter(None, qrels.values()), {})) is int
    joined = _core.DictJoin(of_integers, single)
    queries: list[Any] = []
    for query, judged in qrels.items():
        if type(query) is not kind or type(judged) is not dict:
            return None
        documents = run.get(query)
        if type(documents) is not dict and query in run:
            return None
        if judged:
            queries.append(query)
            if not (joined.add(judged, documents) or add_converted(joined, judged, documents)):
                return None
    unjudged = [query for query in run if not qrels.get(query)]
    if not reads_others(joined, run, unjudged, kind):
        return None
    columns = joined.columns()
    judgments = as_array(columns[2], np.int64), as_array(columns[5], np.float64)
    return laid_out(tuple(queries), columns, starts_of(judgments[0]), judgments[1], unjudged)


def join_dict(qrels: Qrels, run: dict[Any, Any], single: bool = False) -> Joined | None:
    """Join a dict of dicts as it is: as `join(qrels, Run(run))`, without scores; None as above."""
    rows, prepared, kind = qrels._arrays, qrels.prepared, kind_of(run)
    of_integers = kind_of(next(filter(None, run.values()), {})) is int
    known = prepared.known.setdefault(of_integers, [None] * len(rows.queries))
    joined = _core.DictJoin(of_integers, single, rows.values)
    by_name = run if kind is str else {str(query): run[query] for query in run}
    firsts = rows.lists.tolist()
    for i, query in enumerate(rows.queries):
        documents = by_name.get(query)
        if type(documents) is not dict and query in by_name:
            return None
        ids = known[i]
        if ids is None and documents is not None:
            ids = known[i] = keys_of(qrels.documents(query), of_integers)
        if not joined.add_known(ids or [], firsts[i], documents):
            documents = converted(documents or {})
            if documents is None or not joined.add_known(ids or [], firsts[i], documents):
                return None
    unjudged = [query for query in run if str(query) not in qrels]
    if not reads_others(joined, run, unjudged, kind):
        return None
    columns = joined.columns()
    result = laid_out(rows.displayed, columns, rows.lists, prepared.descending, unjudged)
    return replace(result, prepared=prepared)


def kind_of(source: Any) -> type:
    """Whether ids are integers or strings, as the first one is; all are checked later."""
    first = next(iter(source), "") if type(source) is dict else ""
    return int if type(first) is int else str


def keys_of(documents: list[str], of_integers: bool) -> list[Any]:
    """Ids as the keys of a run; None for what no integer looks like."""
    if not of_integers:
        return documents
    return [int(text) if is_integer(text) else None for text in documents]


def is_integer(text: str) -> bool:
    """Whether an id is what an integer becomes as text."""
    digits = text.removeprefix("-")
    has_digits = digits.isascii() and digits.isdigit() and len(digits) < 400
    return has_digits and str(int(text)) == text


def converted(numbers: dict[Any, Any]) -> dict[Any, float] | None:
    """Numbers of another kind as floats; None where one is none."""
    try:
        return _core.plain_numbers(numbers)
    except (TypeError, ValueError, OverflowError):
        return None


def add_converted(joined: "_core.DictJoin", judged: dict[Any, Any], documents: Any) -> bool:
    """Take a query whose numbers are of another kind, such as NumPy's."""
    labels, scores = converted(judged), converted(documents or {})
    if labels is None or scores is None:
        return False
    return joined.add(labels, None if documents is None else scores)


def reads_others(joined: "_core.DictJoin", run: Any, unjudged: list[Any], kind: type) -> bool:
    """Whether all queries, and the documents of those without judgments, are as they should be."""
    if any(type(query) is not kind for query in run):
        return False
    for query in unjudged:
        documents = run[query]
        if type(documents) is not dict:
            return False
        if not joined.reads(documents):
            scores = converted(documents)
            if scores is None or not joined.reads(scores):
                return False
    return True


def laid_out(
    displayed: tuple[Any, ...],
    columns: list["_core.Memory"],
    judged_lists: Integers,
    judged: Floats,
    unjudged: list[Any],
) -> Joined:
    """Put what was counted query by query into arrays."""
    documents, hits = as_array(columns[0], np.int64), as_array(columns[1], np.int64)
    return without_scores(
        documents,
        queries=tuple(map(str, displayed)),
        displayed=displayed,
        indptr=starts_of(hits),
        indices=as_array(columns[3], np.int64),
        labels=as_array(columns[4], np.float64),
        judged=judged,
        judged_lists=judged_lists,
        unjudged=tuple(map(str, unjudged)),
    )
