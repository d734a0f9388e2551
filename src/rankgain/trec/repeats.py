"""Runs that keep documents which a query lists several times."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import replace
from itertools import islice

import numpy as np

from .. import _core
from ..convention import Convention
from ..inputs.copies import ORDERED, demote_copies, find_counting, tied_copies
from ..inputs.grouping import first_repeat
from ..inputs.lists import add_sizes
from .rows import Integers, Joined, Mask, RecordRows, gather


def refuse_repeated(ids: Collection[Hashable], place: str) -> None:
    """Refuse a document twice in a ranking."""
    index = first_repeat(ids)
    if index is None:
        return
    document = next(islice(ids, index, None))
    raise ValueError(
        f"{place}: document {document!r} comes twice. To allow this, pass rankgain.Run(run, "
        'duplicates="first"), or duplicates="in_place"'
    )


def first_rows(rows: RecordRows) -> Integers | None:
    """For each row, the first row with its document in the list; None if all are different."""
    repeated = np.zeros(len(rows.values), np.uint8)
    if _core.index_lists(rows.ids, rows.id_starts, rows.lists, repeated=repeated) is None:
        return None
    result = np.arange(len(rows.values))
    data, starts = rows.ids.tobytes(), rows.id_starts.tolist()
    lists = np.searchsorted(rows.lists, np.flatnonzero(repeated), side="right") - 1
    for index in np.unique(lists).tolist():
        first: dict[bytes, int] = {}
        for row in range(int(rows.lists[index]), int(rows.lists[index + 1])):
            result[row] = first.setdefault(data[starts[row] : starts[row + 1]], row)
    return result


def average_copies(rows: RecordRows) -> RecordRows:
    """Keep the first row of each document in a list, with the mean value of all its rows."""
    ordered = gather(rows)
    first = first_rows(ordered)
    if first is None:
        return rows
    source = np.arange(len(first)) if rows.order is None else rows.order
    # The sum of the values at each first row, divided by how many rows there are.
    sums = np.bincount(first, weights=ordered.values, minlength=len(first))
    counts = np.bincount(first, minlength=len(first))
    kept = np.flatnonzero(counts)
    values = rows.values.copy()
    values[source[kept]] = sums[kept] / counts[kept]
    lists = np.searchsorted(kept, rows.lists).astype(np.int64)
    return rows._replace(values=values, order=source[kept], lists=lists)


def place_repeats(
    joined: Joined, first: Integers, rules: Convention, drops: bool, skips_copies: bool
) -> Joined:
    """The join in which the copy at the best rank of each judged document has its label.

    The other copies of a judged document keep their ranks, with the label 0, or without a label for
    measures that skip copies. Under a tie rule that leaves documents tied, a copy that does not
    count could stand before the one that does. So if the label is not 0, it follows all documents
    of its score. first: as in `first_rows`, of the run; drops: the convention drops documents by
    their scores, which must keep their values.
    """
    assert joined.scores is not None
    rule = rules.ties
    scores = joined.scores.copy()
    places = None if joined.places is None else joined.places.copy()
    # A negative label may mean that a document is not judged, and then no copy of it is.
    hides_negative = rules.unjudged == "drop" and rules.for_family("negative", "ndcg") == "zero"
    indices: list[Integers] = []
    labels: list[np.ndarray] = []
    numbers: list[np.ndarray] = []  # with parts, of the judged documents
    for query, (start, stop) in enumerate(zip(joined.starts, joined.stops, strict=True)):
        hits = slice(joined.indptr[query], joined.indptr[query + 1])
        of_hits, ranks = joined.labels[hits], joined.indices[hits]
        documents = first[start:stop] - start
        if np.array_equal(documents, np.arange(stop - start)):
            indices.append(ranks)
            labels.append(of_hits)
            if joined.documents is not None:
                numbers.append(joined.documents[hits])
            continue
        by_document = np.full(stop - start, np.nan)
        by_document[ranks] = of_hits
        label = by_document[documents]
        judged = ~np.isnan(label)
        tie_order = _order_of_ties(joined, rule, start, stop)
        counting = find_counting(scores[start:stop], documents, tie_order)
        if skips_copies:
            judged &= counting
        copy_labels = np.where(label < 0, label, 0.0) if hides_negative else 0.0
        label = np.where(counting, label, copy_labels)
        number = np.zeros(stop - start)
        if joined.documents is not None:
            number[ranks] = joined.documents[hits]
            number = np.where(counting, number[documents], 0.0)
        if rule not in ORDERED:
            relevant = judged & ((by_document[documents] != 0) | (number != 0))
            movable = relevant & tied_copies(scores[start:stop], documents, counting)
            order = _move_back(scores[start:stop], movable)
            values = scores[start:stop]
            if rules.score_dtype == "float32":
                values = values.astype(np.float32)
            scores[start:stop] = demote_copies(values, movable, drops)[order]
            if places is not None:
                places[start:stop] = places[start:stop][order]
            label, judged, number = label[order], judged[order], number[order]
        indices.append(np.flatnonzero(judged))
        labels.append(label[judged])
        numbers.append(number[judged])
    sizes = np.fromiter(map(len, indices), np.int64, len(indices))
    # An empty array at the end serves joins without a list, which have nothing to concatenate.
    all_indices = np.concatenate([*indices, np.empty(0, np.int64)]).astype(np.int64)
    all_labels = np.concatenate([*labels, np.empty(0)])
    documents_of_hits = None
    if joined.documents is not None:
        documents_of_hits = np.concatenate([*numbers, np.empty(0)])
    return replace(
        joined,
        scores=scores,
        places=places,
        indptr=add_sizes(sizes),
        indices=all_indices,
        labels=all_labels,
        documents=documents_of_hits,
    )


def _order_of_ties(joined: Joined, rule: str, start: int, stop: int) -> Integers | None:
    """What orders the rows of one score in a list under a rule; None: their own order."""
    if rule == "id":
        return -np.arange(stop - start)
    if rule not in ("stable", "reverse"):
        return None
    places = np.arange(stop - start) if joined.places is None else joined.places[start:stop]
    if rule == "reverse":
        return -places
    return places


def _move_back(scores: np.ndarray, movable: Mask) -> Integers:
    """The order of rows, whose scores descend, with movable rows after the others of a score."""
    blocks = np.cumsum(np.append(False, scores[1:] != scores[:-1]))
    order: Integers = np.lexsort((movable, blocks))
    return order
