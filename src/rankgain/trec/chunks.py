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
        falling = np.repeat(rows.lists[1:], sizes) - np.arange(len(rows.values))
        rows = rows._replace(values=falling.astype(np.float64), order=None)
    data, starts = rows.ids.tobytes(), rows.id_starts.tolist()
    documents: dict[bytes, bytes] = {}
    for start, stop in pairwise(starts):
        chunk = data[start:stop]
        if chunk not in documents:
            document = document_of(chunk.decode("utf-8", "surrogateescape"))
            documents[chunk] = str(document).encode("utf-8", "surrogateescape")
    ids = [documents[data[start:stop]] for start, stop in pairwise(starts)]
    named = rows._replace(
        ids=np.frombuffer(b"".join(ids), np.uint8),
        id_starts=add_sizes(np.array([len(document) for document in ids], np.int64)),
        order=None,
    )
    return named if in_place else move_up(named, keep_one(named, "first"))


def _order_of_chunks(rows: RecordRows, places: Integers | None, rules: Convention) -> Integers:
    """The order of rows by score, and of equal scores as a convention orders documents."""
    order = np.arange(len(rows.values))
    if rules.score_dtype == "float32":
        single = rows.values.astype(np.float32).astype(np.float64)
        rows = sort_rows(rows._replace(values=single, order=None))
        order = order if rows.order is None else rows.order
    values = rows.values[order]
    lists = np.repeat(np.arange(len(rows.lists) - 1), np.diff(rows.lists))
    changes = (np.diff(values) != 0) | (np.diff(lists) != 0)
    blocks = np.cumsum(np.append(False, changes)) if len(values) else order
    if rules.ties == "id":
        return order[np.lexsort((-np.arange(len(order)), blocks))]
    if rules.ties in ("stable", "reverse"):
        positions = np.arange(len(order)) if places is None else places
        positions = positions[order] if rules.ties == "stable" else -positions[order]
        return order[np.lexsort((positions, blocks))]
    return order
