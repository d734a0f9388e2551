"""Join dicts of dicts without converting them to Qrels and Run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ...inputs.lists import starts_of
from ..by_query import Qrels
from ..rows import Floats, Integers, as_array
from .joined import Joined, without_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


IDS = (dict, list, tuple, set, frozenset)


def join_dicts(
    qrels: dict[Any, Any], run: dict[Any, Any], float32: bool = False, ties: str = "id_descending"
) -> Joined | None:
    """The result of `join(Qrels(qrels), Run(run))`, without scores, from dicts of dicts or of ids.

    None if ids are of mixed types, a value is not a number, or anything else is wrong; Qrels and
    Run then convert the dicts or raise the error. float32: compare scores as float32; ties: the
    rule for the ranks, or "blocks" (tied documents share a rank) or "none" (no ties may occur).
    """
    kind, of_integers = kind_of(qrels), kind_of(first_ids(qrels)) is int
    joined = _core.DictJoin(of_integers, float32, ties)
    queries: list[Any] = []
    for query, labels in qrels.items():
        judged = as_numbers(labels, True)
        if type(query) is not kind or judged is None:
            return None
        documents = as_numbers(run.get(query), False)
        if documents is None and query in run:
            return None
        if judged:
            queries.append(query)
            if not joined.add(judged, documents):  # numbers of other types, such as NumPy's
                labels, scores = converted(judged), converted(documents or {})
                if labels is None or scores is None:
                    return None
                if not joined.add(labels, None if documents is None else scores):
                    return None
    unjudged = [query for query in run if not qrels.get(query)]
    if not are_readable(joined, run, unjudged, kind):
        return None
    columns = joined.columns()
    judgments = as_array(columns[2], np.int64), as_array(columns[5], np.float64)
    return laid_out(tuple(queries), columns, starts_of(judgments[0]), judgments[1], unjudged)


def join_dict(
    qrels: Qrels, run: dict[Any, Any], float32: bool = False, ties: str = "id_descending"
) -> Joined | None:
    """The result of `join(qrels, Run(run))`, without scores; None as in `join_dicts`."""
    rows, prepared, kind = qrels._arrays, qrels.prepared, kind_of(run)
    of_integers = kind_of(first_ids(run)) is int
    cached = prepared.keys.setdefault(of_integers, [None] * len(rows.queries))
    joined = _core.DictJoin(of_integers, float32, ties, rows.values)
    by_name = run if kind is str else {str(query): run[query] for query in run}
    firsts = rows.lists.tolist()
    for i, query in enumerate(rows.queries):
        documents = as_numbers(by_name.get(query), False)
        if documents is None and query in by_name:
            return None
        ids = cached[i]
        if ids is None and documents is not None:
            ids = qrels.documents(query)
            if of_integers:
                ids = [int(text) if is_integer(text) else None for text in ids]
            cached[i] = ids
        if not joined.add_known(ids or [], firsts[i], documents):
            documents = converted(documents or {})
            if documents is None or not joined.add_known(ids or [], firsts[i], documents):
                return None
    unjudged = [query for query in run if str(query) not in qrels]
    if not are_readable(joined, run, unjudged, kind):
        return None
    columns = joined.columns()
    result = laid_out(rows.displayed, columns, rows.lists, prepared.descending, unjudged)
    return replace(result, prepared=prepared)


def first_ids(source: dict[Any, Any]) -> Any:
    """The first value of a dict that is a dict or a list of ids, and not empty."""
    return next((one for one in source.values() if isinstance(one, IDS) and one), ())


def as_numbers(documents: Any, is_qrels: bool) -> dict[Any, Any] | None:
    """A dict, or a list or set of ids as a dict; None for repeated ids and other types."""
    kind = type(documents)
    if kind is dict:
        return documents  # type: ignore[no-any-return]
    if not (kind in (list, tuple) or (is_qrels and kind in (set, frozenset))):
        return None
    try:
        if is_qrels:
            numbers = dict.fromkeys(documents, 1)
        else:
            numbers = dict(zip(documents, range(len(documents), 0, -1), strict=True))
    except TypeError:  # an id without a hash
        return None
    return numbers if len(numbers) == len(documents) else None


def kind_of(source: Iterable[object]) -> type:
    """The type of the first id, int or str; the other ids are checked later."""
    first = next(iter(source), "") if isinstance(source, IDS) else ""
    return int if type(first) is int else str


def is_integer(text: str) -> bool:
    """Whether an id is the text of an integer."""
    digits = text.removeprefix("-")
    has_digits = digits.isascii() and digits.isdigit() and len(digits) < 400
    return has_digits and str(int(text)) == text


def converted(numbers: dict[Any, Any]) -> dict[Any, float] | None:
    """Convert values to floats; None if one is not a number."""
    try:
        return _core.plain_numbers(numbers)
    except (TypeError, ValueError, OverflowError):
        return None


def are_readable(
    joined: _core.DictJoin, run: Mapping[Any, Any], unjudged: list[Any], kind: type
) -> bool:
    """Whether all query ids, and the documents of queries without judgments, are valid."""
    if any(type(query) is not kind for query in run):
        return False
    for query in unjudged:
        documents = as_numbers(run[query], False)
        if documents is None:
            return False
        if not joined.reads(documents):
            scores = converted(documents)
            if scores is None or not joined.reads(scores):
                return False
    return True


def laid_out(
    displayed: tuple[Any, ...],
    columns: list[_core.Memory],
    judged_lists: Integers,
    judged: Floats,
    unjudged: list[Any],
) -> Joined:
    """Make the join from the columns of the core."""
    documents, hits = as_array(columns[0], np.int64), as_array(columns[1], np.int64)
    sizes = as_array(columns[6], np.int64)
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
        sizes=sizes if sizes.max(initial=1) > 1 else None,
    )
