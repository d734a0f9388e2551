"""Runs of chunks that stand for documents."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..inputs.copies import ORDERED
from ..inputs.lists import add_sizes
from .rows import Integers, RecordRows, gather, keep_one, move_up, sort_rows

if TYPE_CHECKING:
    from ..convention import Convention
    from ..inputs.chunks import DocumentOf


def rank_documents(
    rows: RecordRows,
    places: Integers | None,
    document_of: DocumentOf,
    rules: Convention | None = None,
    in_place: bool = False,
) -> RecordRows:
    """The rows of a run with documents in the place of chunks, each at the rank of its best chunk.

    Rows are in canonical order; places: their positions in the source, if they moved. rules: how
    chunks of equal scores are ordered, by their own ids. Numbers that only order then take the
    place of the scores, so that the ids of the documents order nothing; None: scores stay.
    in_place: later chunks of a document stay as further rows of it.
    """
    sizes = np.diff(rows.lists)
    if rules is not None and rows.scale is None and rules.ties in ORDERED:
        rows = gather(rows._replace(order=_order_of_chunks(rows, places, rules)))
        # In each list n, n - 1, ..., 1: the border after the list less the number of the row.
        falling = np.repeat(rows.lists[1:], sizes) - np.arange(len(rows.values))
        rows = rows._replace(values=falling.astype(np.float64), order=None)
    data, starts = rows.ids.tobytes(), rows.id_starts.tolist()
    documents: dict[bytes, bytes] = {}
    ids: list[bytes] = []
    for start, stop in pairwise(starts):
        chunk = data[start:stop]
        if chunk not in documents:
            document = document_of(chunk.decode("utf-8", "surrogateescape"))
            documents[chunk] = str(document).encode("utf-8", "surrogateescape")
        ids.append(documents[chunk])
    lengths = np.fromiter(map(len, ids), np.int64, len(ids))
    document_rows = rows._replace(
        ids=np.frombuffer(b"".join(ids), np.uint8), id_starts=add_sizes(lengths), order=None
    )
    if in_place:
        return document_rows
    return move_up(document_rows, keep_one(document_rows, "first"))


def _order_of_chunks(rows: RecordRows, places: Integers | None, rules: Convention) -> Integers:
    """The order of rows by score, and of equal scores as a convention orders documents."""
    order = np.arange(len(rows.values))
    if rules.score_dtype == "float32":
        single = rows.values.astype(np.float32).astype(np.float64)
        rows = sort_rows(rows._replace(values=single, order=None))
        if rows.order is not None:
            order = rows.order
    # Number the blocks of equal scores: one begins where the score or the list changes.
    values = rows.values[order]
    lists = np.repeat(np.arange(len(rows.lists) - 1), np.diff(rows.lists))
    begins = np.zeros(len(order), bool)
    begins[1:] = (np.diff(values) != 0) | (np.diff(lists) != 0)
    blocks = np.cumsum(begins)
    if rules.ties == "id":
        # Inside a block ids descend, so the reverse is by ascending id.
        return order[np.lexsort((-np.arange(len(order)), blocks))]
    if rules.ties in ("stable", "reverse"):
        positions = order if places is None else places[order]
        if rules.ties == "reverse":
            positions = -positions
        return order[np.lexsort((positions, blocks))]
    return order
