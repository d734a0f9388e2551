"""Join dicts of dicts without converting them to Qrels and Run."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from .. import _core
from ..inputs.lists import add_sizes
from .by_query import Qrels
from .rows import Joined, spans_of

IDS = (dict, list, tuple, set, frozenset)


def join_dicts(
    qrels: dict[Any, Any] | Qrels,
    run: dict[Any, Any],
    float32: bool = False,
    ties: str = "id_descending",
) -> Joined | None:
    """The result of `join(Qrels(qrels), Run(run))`, without scores, from dicts of dicts or of ids.

    None if ids are of mixed types, a value is not a number, or anything else is wrong; Qrels and
    Run then convert the dicts or raise the error. float32: compare scores as float32; ties: the
    rule for the ranks, or "blocks" (tied documents share a rank) or "none" (no ties may occur).
    """
    known = qrels if isinstance(qrels, Qrels) else None
    source: Any = run if known is not None else qrels
    kind = int if type(next(iter(source), "")) is int else str  # of query ids
    some = next((one for one in source.values() if isinstance(one, IDS) and one), ("",))
    of_integers = type(next(iter(some))) is int
    if any(type(query) is not kind for query in run):
        return None
    labels = None if known is None else known._arrays.values
    core = _core.DictJoin(of_integers, float32, ties, labels)
    with suppress(TypeError, ValueError, OverflowError):  # no number, or too large for a double
        if known is None:
            queries = _add_dicts(core, source, run, kind)
        else:
            queries = _add_known(core, known, run, of_integers)
        if queries is not None:
            return _make_join(core, queries, run, known)
    return None


def _add_dicts(
    core: _core.DictJoin, qrels: dict[Any, Any], run: dict[Any, Any], kind: type
) -> list[Any] | None:
    """Add the judged queries of dicts; return them, or None if some are not handled here."""
    queries = []
    for query, labels in qrels.items():
        judged = labels if type(labels) is dict else _as_numbers(labels, True)
        documents = run.get(query)
        if type(documents) is not dict and query in run:
            documents = _as_numbers(documents, False)
        if type(query) is not kind:
            return None
        if judged:
            queries.append(query)
            if not core.add(judged, documents) and not core.add(
                _core.plain_numbers(judged), _plain(documents)
            ):
                return None
    return queries


def _add_known(
    core: _core.DictJoin, qrels: Qrels, run: dict[Any, Any], of_integers: bool
) -> list[Any] | None:
    """Add the queries of Qrels, which cache the keys of their documents; return as above."""
    rows = qrels._arrays
    cached = qrels.prepared.keys.setdefault(of_integers, [None] * len(rows.queries))
    by_name = {str(query): documents for query, documents in run.items()}
    for i, (query, first) in enumerate(zip(rows.queries, rows.lists.tolist(), strict=False)):
        documents = by_name.get(query)
        if type(documents) is not dict and query in by_name:
            documents = _as_numbers(documents, False)
        ids = cached[i]
        if ids is None and documents is not None:
            ids = qrels.documents(query)
            if of_integers:
                ids = [int(text) if _is_integer(text) else None for text in ids]
            cached[i] = ids
        if not core.add_known(ids or [], first, documents) and not core.add_known(
            ids or [], first, _plain(documents)
        ):
            return None
    return list(rows.displayed)


def _plain(numbers: dict[Any, Any] | None) -> dict[Any, float] | None:
    """The same as floats, of numbers of other types, such as NumPy's."""
    return None if numbers is None else _core.plain_numbers(numbers)


def _as_numbers(documents: Any, is_qrels: bool) -> dict[Any, Any]:
    """A list or set of ids as a dict; repeated ids and other types are a TypeError."""
    kind = type(documents)
    if not (kind in (list, tuple) or (is_qrels and kind in (set, frozenset))):
        raise TypeError
    if is_qrels:
        numbers = dict.fromkeys(documents, 1)
    else:
        numbers = dict(zip(documents, range(len(documents), 0, -1), strict=True))
    if len(numbers) < len(documents):
        raise TypeError
    return numbers


def _is_integer(text: str) -> bool:
    """Whether an id is the text of an integer."""
    digits = text.removeprefix("-")
    has_digits = digits.isascii() and digits.isdigit() and len(digits) < 400
    return has_digits and str(int(text)) == text


def _make_join(
    core: _core.DictJoin, queries: list[Any], run: dict[Any, Any], qrels: Qrels | None
) -> Joined | None:
    """Make the join from the columns of the core; None if what nobody judged has other types."""
    names = tuple(map(str, queries))
    judged = set(names)
    unjudged = {name: query for query in run if (name := str(query)) not in judged}
    for query in unjudged.values():
        documents = run[query]
        if type(documents) is not dict:
            documents = _as_numbers(documents, False)
        if not core.reads(documents) and not core.reads(_core.plain_numbers(documents)):
            return None
    columns = [np.asarray(column) for column in core.columns()]
    documents, hits, judgments, ranks, sizes = (columns[i].view(np.int64) for i in (0, 1, 2, 3, 6))
    labels, ordered = (columns[i].view(np.float64) for i in (4, 5))
    return Joined(
        names,
        tuple(queries),
        *spans_of(documents),
        indptr=add_sizes(hits),
        indices=ranks,
        labels=labels,
        judged=ordered if qrels is None else qrels.prepared.descending,
        judged_lists=add_sizes(judgments) if qrels is None else qrels._arrays.lists,
        unjudged=tuple(unjudged),
        sizes=sizes if sizes.max(initial=1) > 1 else None,
        prepared=None if qrels is None else qrels.prepared,
    )
