"""Judged labels, checked and stored as descending runs of equal labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .arrays import Ragged, native_labels, read_rows
from .lists import Layout, Lists, raise_fault, starts_of
from .sparse import Sparse, looks_sparse, read_sparse, remove_excluded

if TYPE_CHECKING:
    from .types import Array, Integers, Judged, JudgedLabels


def runs_of_judged(judged_labels: JudgedLabels, layout: Layout) -> _core.Runs:
    """The judged labels of every list, as runs."""
    flat, starts, stops = judged_labels
    n = len(layout.starts)
    if len(starts) != n:
        raise ValueError(f"judged has {len(starts)} lists, but y_true has {n}")
    return prepare(native_labels(flat), starts, stops, "judged")


def padding_of(judged: Judged | None) -> str:
    """How a label of 0 may be no judgment: "sparse", or in padded "rows"; "" for exact lists."""
    if looks_sparse(judged):
        return "sparse"
    return "rows" if isinstance(judged, np.ndarray) and judged.ndim > 1 else ""


def flat_judged(judged: Judged | None, layout: Layout) -> JudgedLabels:
    """Judged labels as one flat array, with the start and stop of each list."""
    if looks_sparse(judged):
        sparse = read_sparse(judged, "judged")
        return sparse.data, sparse.indptr[:-1], sparse.indptr[1:]
    array = read_rows(judged, "judged")
    if isinstance(array, Ragged):
        bounds = starts_of(array.sizes)
        return array.flat, bounds[:-1], bounds[1:]
    if array.ndim == 1:
        if not layout.single and (len(array) or len(layout.starts)):
            raise ValueError(
                "judged is 1-D, but there are several lists; give a 2-D array padded with 0, CSR, "
                "or a sequence of 1-D arrays"
            )
        n = len(layout.starts)
        return array, np.zeros(n, np.int64), np.full(n, len(array), np.int64)
    starts = np.arange(array.shape[0], dtype=np.int64) * array.shape[1]
    return array.reshape(-1), starts, starts + array.shape[1]


def prepare(labels: Array | Sparse, starts: Integers, stops: Integers, name: str) -> _core.Runs:
    """Check labels, dense or Sparse, and return them as descending runs."""
    sizes = stops - starts
    room = len(labels.values) + len(starts) if isinstance(labels, Sparse) else int(sizes.sum())
    first = np.zeros(len(starts) + 1, np.int64)
    level, count = np.empty(room), np.empty(room, np.int64)
    array = _core.LabelArray(*labels[:3] if isinstance(labels, Sparse) else (labels.reshape(-1),))
    fault = _core.prepare(array, starts, stops, first, level, count)
    if fault is not None:
        raise_fault(fault, name)
    used = int(first[-1])
    longest = int(sizes.max(initial=0))
    return _core.Runs(first, level[:used].copy(), count[:used].copy(), longest)


def runs_of_hits(hits: Sparse, layout: Layout, name: str) -> _core.Runs:
    """The labels of lists of counted hits, as runs.

    If a label is negative, label 0 is above it, so the documents that are not hits count too.
    """
    labels, indptr = hits.data, hits.indptr
    if not labels.min(initial=0) < 0:
        return prepare(labels, indptr[:-1], indptr[1:], name)
    places = np.arange(len(labels)) - np.repeat(indptr[:-1], np.diff(indptr))
    sparse = Sparse(labels, places, indptr, None)
    return prepare(sparse, layout.starts, layout.stops, name)


def runs_of_lists(lists: Lists) -> _core.Runs:
    """The labels of the lists themselves, without excluded documents, as runs."""
    labels = lists.labels
    if not isinstance(labels, Sparse):
        labels = native_labels(labels)
    starts, stops = lists.layout.starts, lists.layout.stops
    if lists.exclude is not None:
        # Errors name places in the input, so all others are checked before the removal.
        runs_of_lists(lists.with_excluded_as_zero().having(exclude=None))
        flat = labels if isinstance(labels, Sparse) else labels.reshape(-1)
        chunk = None, flat, starts, stops, None
        _, labels, starts, stops, _ = remove_excluded(chunk, lists.exclude)
    return prepare(labels, starts, stops, lists.called)


def distinct_labels(lists: Lists) -> Any:
    """All labels that occur, and 0, in ascending order."""
    lists = lists.with_excluded_as_zero()
    result: list[Any] = [np.unique(lists.valid_labels()).astype(np.float64), [0.0]]
    if lists.runs is not None:
        result.append(np.unique(lists.runs.level))
    distinct = np.unique(np.concatenate(result))
    if not np.isfinite(distinct).all():
        runs_of_lists(lists)  # raises for the first label that is not finite
    return distinct
