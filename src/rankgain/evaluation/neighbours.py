"""Recall of approximate nearest neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..convention.options import read_required_cutoff
from ..inputs.arrays import Ragged, integer_rows, plain_array, read_rows, refuse_sizes
from ..inputs.axes import refuse_other_order
from ..inputs.ids import number_ids
from ..inputs.printable import count_of
from ..inputs.relevant import OutOfColumns, as_lists, materialise, read_ids, refuse_scores
from ..inputs.tables.id_tables import is_table
from ..inputs.topk import count_common, pad_rows

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers, RankedIds, Scores

NAMES = "found", "exact"


def neighbor_recall(
    found: RankedIds,
    exact: RankedIds,
    k: int = 10,
    *,
    found_distances: Scores | None = None,
    exact_distances: Scores | None = None,
    tolerance: float = 0.0,
) -> Floats:
    """Recall@k of approximate nearest neighbours: the share of the k nearest that were found.

    Parameters
    ----------
    found : int array of shape (queries, neighbours), or lists of ids of any kind
        What the index returned, nearest first; its first k count. -1 fills the end of a row of
        integers, as in `evaluate_ids`.
    exact : array or lists of as many queries
        The true neighbours, nearest first. Beyond the first k, those of the same distance as the
        k-th are neighbours too, if `exact_distances` says so.
    k : int of at least 1
        How many neighbours count. Of a query with m < k true neighbours, m.
    found_distances : array or lists, shaped as `found`, optional
        Then ids are not matched: a neighbour counts if its distance is at most that of the k-th
        true neighbour, plus the tolerance. Needs `exact_distances`.
    exact_distances : array or lists, shaped as `exact`, ascending, optional
        Smaller is nearer; of similarities give the negative ones.
    tolerance : float of at least 0
        Added to the distance of the k-th true neighbour.

    Returns
    -------
    float64 array of shape (queries,)
        In [0, 1]; nan for a query without true neighbours.

    Raises
    ------
    ValueError or TypeError
        For an id twice in the first k of a list, ids of two types, NaN among the distances,
        distances that do not ascend, and shapes that differ. The message names the list.

    Notes
    -----
    For an interval of the mean make an Evaluation of the values, as below.

    Examples
    --------
    >>> import rankgain as rg
    >>> values = rg.neighbor_recall([[3, 1, 7], [2, 5, 6]], [[1, 3, 4], [5, 2, 6]], k=3)
    >>> values.round(4).tolist()
    [0.6667, 1.0]
    >>> rg.neighbor_recall([[4]], [[3, 4, 9]], 1, exact_distances=[[0.5, 0.5, 0.7]]).tolist()
    [1.0]
    >>> rg.Evaluation({"R@3": values.mean()}, {"R@3": values}, range(2)).interval("R@3")[1] > 0.8
    True

    References
    ----------
    Aumüller, Bernhardsson and Faithfull 2020, Information Systems 87 (ann-benchmarks).
    """
    k = read_required_cutoff(k)
    if np.ndim(tolerance) or not 0 <= float(tolerance) < np.inf:
        raise ValueError(f"tolerance must be a finite number of at least 0, not {tolerance!r}")
    if found_distances is not None and exact_distances is None:
        raise ValueError("found_distances needs exact_distances: that of the k-th true neighbour")
    refuse_other_order(
        found=found, exact=exact, found_distances=found_distances, exact_distances=exact_distances
    )
    refuse_scores(found, "found")
    refuse_scores(exact, "exact")
    found, exact = materialise(found), materialise(exact)
    distances = found_distances, exact_distances
    found_matrix, exact_matrix = _matrix(found, "found"), _matrix(exact, "exact")
    if found_matrix and exact_matrix:
        try:
            return _recall(found_matrix, exact_matrix, k, float(tolerance), distances)
        except OutOfColumns:
            pass  # these are matched as ids of any type
    rows = []
    for name, ids in zip(NAMES, (found, exact), strict=True):
        if is_table(ids):
            raise TypeError(
                f"{name} is a table with named columns; give a list of ids for each query, or a "
                "matrix such as frame.to_numpy()"
            )
        side = read_ids(ids, name)
        if side.users is not None:
            raise TypeError(
                f"{name} holds lists by query or user; give lists in the order of the queries"
            )
        rows.append(as_lists(side.rows, name, relevant=False))
    depth = None
    if exact_distances is None:
        depth = k
    codes, _ = number_ids(rows, NAMES, depth)
    numbered = []
    for name, row_codes, lists in zip(NAMES, codes, rows, strict=True):
        lengths = np.array(list(map(len, lists)), np.int64)
        numbered.append((pad_rows(row_codes, name), lengths))
    found_codes, exact_codes = numbered
    return _recall(found_codes, exact_codes, k, float(tolerance), distances)


# Rows of integers from 0 on, filled with -1, and how many places each has in the argument.
Ids: TypeAlias = "tuple[Array, Integers]"


def _matrix(ids: object, name: str) -> Ids | None:
    """Integers as they are; None for other ids."""
    if hasattr(ids, "dtype") or hasattr(ids, "__array__"):
        array = plain_array(ids, name)
        if array.dtype.kind in "iu" and array.ndim in (1, 2):
            array = np.atleast_2d(array)
            return array, np.full(len(array), array.shape[1])
    rows = integer_rows(ids)
    if rows is None or not len(rows.sizes):
        return None
    return pad_rows(rows, name), rows.sizes


def _recall(
    found: Ids, exact: Ids, k: int, tolerance: float, all_distances: tuple[object, object]
) -> Floats:
    """For each query the share of its min(k, m) nearest neighbours that were found.

    With distances, neighbours as near as the k-th are neighbours too: with those of `exact` they
    are matched by id, with those of `found` too their distances are compared and ids are not.
    """
    found_distances, exact_distances = all_distances
    found_ids, _ = found
    truth, _ = exact
    results = found_ids[:, :k]
    if len(results) != len(truth):
        raise ValueError(f"found has {count_of(len(results), 'list')}, but exact has {len(truth)}")
    # Below -1 there are ids that are no columns; -1 fills rows up.
    smallest = truth.min(initial=0)
    if smallest < -1:
        raise OutOfColumns(f"exact holds the id {smallest}")
    filled = truth >= 0
    sizes = np.full(len(truth), min(truth.shape[1], k))
    if smallest < 0:
        sizes = np.minimum(filled.sum(axis=1), k)
    near = truth[:, :k]
    if exact_distances is not None:
        distances = _distances(exact_distances, exact, "exact_distances")
        has_nan = (np.isnan(distances) & filled).any(axis=1)
        descends = ((distances[:, 1:] < distances[:, :-1]) & filled[:, 1:]).any(axis=1)
        is_bad = has_nan | descends
        if is_bad.any():
            raise ValueError(
                f"exact_distances: list {int(is_bad.argmax())} holds NaN or does not ascend; pass "
                "the distances of true neighbours, nearest first"
            )
        # A neighbour is as near as the k-th, or as the last if there are fewer.
        limits = np.full((len(truth), 1), -np.inf)
        if truth.size:
            last = np.maximum(sizes - 1, 0)[:, None]
            limits = np.take_along_axis(distances, last, axis=1) + tolerance
        if found_distances is None:
            # Distances ascend, so the neighbours within the limit are the first of a row.
            is_near = (distances <= limits) & filled
            width = int(is_near.sum(axis=1).max(initial=0))
            near = np.where(is_near, truth, -1)[:, :width]
    hits = count_common(results, near, NAMES)  # refuses ids twice
    if found_distances is not None:
        distances = _distances(found_distances, found, "found_distances")[:, :k]
        is_found = results >= 0
        has_nan = (np.isnan(distances) & is_found).any(axis=1)
        if has_nan.any():
            raise ValueError(f"found_distances: list {int(has_nan.argmax())} holds NaN")
        hits = ((distances <= limits) & is_found).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sizes > 0, np.minimum(hits, sizes) / sizes, np.nan)


def _distances(values: object, ids: Ids, name: str) -> Floats:
    """A distance for each id, in rows of one width."""
    if isinstance(values, Mapping):
        raise TypeError(f"{name} must hold lists of distances, not {type(values).__name__}")
    distances = read_rows(values, name)
    if not isinstance(distances, Ragged):
        matrix = distances
        if matrix.ndim == 1:  # one list, or none
            matrix = matrix[None][: len(matrix)]
        distances = Ragged(matrix.reshape(-1), np.full(len(matrix), matrix.shape[1]))
    flat, sizes = distances
    rows, lengths = ids
    refuse_sizes(sizes, lengths, name, name.partition("_")[0], "distance")
    if len(flat) == rows.size:
        return flat.reshape(rows.shape).astype(np.float64)
    # Lists of different lengths: cell by cell into rows of the width of the ids. The column of a
    # distance is its index less that of the first distance of its list.
    result: Floats = np.full(rows.shape, np.inf)
    starts = np.cumsum(sizes) - sizes
    row = np.repeat(np.arange(len(sizes)), sizes)
    column = np.arange(len(flat)) - np.repeat(starts, sizes)
    is_inside = column < result.shape[1]
    result[row[is_inside], column[is_inside]] = flat[is_inside]
    return result
