"""Recall of approximate nearest neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention.kinds import read_required_cutoff
from ..inputs.arrays import plain_array
from ..inputs.kinds import kind_of
from ..inputs.topk import count_common

if TYPE_CHECKING:
    from typing import TypeAlias

    from ..inputs.types import Array, RankedIds, Scores

    Rows: TypeAlias = Array | list[list[Any]]  # ids

NAMES = "found", "exact"


def neighbor_recall(
    found: RankedIds,
    exact: RankedIds,
    k: int = 10,
    *,
    found_distances: Scores | None = None,
    exact_distances: Scores | None = None,
    tolerance: float = 0.0,
) -> Any:
    """Recall@k of approximate nearest neighbours: the share of the k nearest that were found.

    Parameters
    ----------
    found : int array of shape (queries, neighbours), or lists of ids of any kind
        What the index returned, nearest first; its first k count. -1 fills the end of a row of
        integers.
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

    An id twice in the first k of a list, ids of two types, NaN among the distances, distances that
    do not ascend and shapes that differ are an error that names the list. For an interval of the
    mean make an Evaluation of the values, as below.

    >>> import rankgain as rg
    >>> values = rg.neighbor_recall([[3, 1, 7], [2, 5, 6]], [[1, 3, 4], [5, 2, 6]], k=3)
    >>> values.round(4).tolist()
    [0.6667, 1.0]
    >>> rg.neighbor_recall([[4]], [[3, 4, 9]], 1, exact_distances=[[0.5, 0.5, 0.7]]).tolist()
    [1.0]
    >>> rg.Evaluation({"R@3": values.mean()}, {"R@3": values}, range(2)).interval("R@3")[1] > 0.8
    True

    Aumüller, Bernhardsson and Faithfull 2020, Information Systems 87 (ann-benchmarks).
    """
    k = read_required_cutoff(k)
    if np.ndim(tolerance) or not 0 <= float(tolerance) < np.inf:
        raise ValueError(f"tolerance must be a finite number of at least 0, not {tolerance!r}")
    if found_distances is not None and exact_distances is None:
        raise ValueError("found_distances needs exact_distances: that of the k-th true neighbour")
    results, truth = _rows(found, "found"), _rows(exact, "exact")
    if len(results) != len(truth):
        raise ValueError(f"found has {len(results)} lists, but exact has {len(truth)}")
    sizes = np.minimum(_sizes(truth), k)
    near = None
    if exact_distances is not None:
        near = _Near(truth, exact_distances, sizes, float(tolerance))
    results = _first(results, k)
    if found_distances is not None and near is not None:
        _hits(results, _first(truth, k))  # refuses ids twice, and ids of two types
        hits = _nearer(found_distances, found, results, near.limits)
    else:
        hits = _hits(results, _first(truth, k) if near is None else near.tied(truth))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sizes > 0, np.minimum(hits, sizes) / sizes, np.nan)


def _rows(ids: object, name: str) -> Rows:
    """An integer matrix, or a list of lists; one list becomes a list of it."""
    if hasattr(ids, "dtype") or hasattr(ids, "__array__"):
        array = plain_array(ids, name)
        if array.dtype.kind in "iu" and array.ndim in (1, 2):
            return np.atleast_2d(array)
        ids = array.tolist()
    if isinstance(ids, (str, bytes)) or not isinstance(ids, Sequence):
        raise TypeError(f"{name} must hold lists of ids, not {type(ids).__name__}")
    rows = list(ids)
    if rows and (isinstance(rows[0], (str, bytes)) or not hasattr(rows[0], "__len__")):
        rows = [rows]
    rows = [one.tolist() if hasattr(one, "tolist") else list(one) for one in rows]
    width = len(rows[0]) if rows else 0
    kinds = {type(one) for row in rows for one in row}
    equal = bool(width) and all(len(one) == width for one in rows)
    return np.array(rows) if equal and kinds == {int} else rows


def _sizes(rows: Rows) -> Any:
    if isinstance(rows, np.ndarray):
        if rows.min(initial=0) >= 0:
            return np.full(len(rows), rows.shape[1])
        return (rows >= 0).sum(axis=1)
    return np.array([len(row) for row in rows], np.int64)


def _first(rows: Rows, k: int) -> Rows:
    return rows[:, :k] if isinstance(rows, np.ndarray) else [row[:k] for row in rows]


def _hits(results: Rows, truth: Rows) -> Any:
    """How many ids of each list are true neighbours; an id twice on either side is refused."""
    if isinstance(results, np.ndarray) and isinstance(truth, np.ndarray):
        return count_common(results, truth, NAMES)
    sides = []
    kinds: dict[Any, tuple[str, Any]] = {}
    for name, rows in zip(NAMES, (results, truth), strict=True):
        rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
        sets = [{one for one in row if type(one) is not int or one != -1} for row in rows]
        for at, row in enumerate(rows):
            if len(set(row)) < len(row) and len(sets[at]) < sum(one != -1 for one in row):
                twice = next(one for i, one in enumerate(row) if one != -1 and one in row[:i])
                raise ValueError(
                    f"{name}: list {at} has the id {twice!r} a second time; give an id once"
                )
            for one in sets[at]:
                kinds.setdefault(kind_of(one), (name, one))
        sides.append(sets)
    if len(kinds) > 1:
        (name, one), (other_name, other) = list(kinds.values())[:2]
        raise TypeError(
            f"{name} holds ids such as {one!r}, {other_name} such as {other!r}; ids of two types "
            "are never equal: give all in one"
        )
    return np.array([len(a & b) for a, b in zip(*sides, strict=True)], np.int64)


def _distances(values: Any, rows: Rows, name: str) -> list[Any]:
    """The distances of each list, as many as it has ids."""
    if getattr(values, "ndim", 0) == 1 or (len(values) and np.ndim(values[0]) == 0):
        values = [values]
    if len(values) != len(rows):
        raise ValueError(f"{name} has {len(values)} lists, but there are {len(rows)} queries")
    result = []
    for at, (one, row) in enumerate(zip(values, rows, strict=True)):
        distances = np.asarray(one, np.float64)
        if distances.shape != (len(row),):
            raise ValueError(
                f"{name}: list {at} has {distances.shape[0]} distances for {len(row)} ids"
            )
        result.append(distances)
    return result


class _Near:
    """The distances of the true neighbours: up to which one a neighbour counts."""

    def __init__(self, rows: Any, values: Any, sizes: Array, tolerance: float) -> None:
        n = _sizes(rows)
        same = isinstance(rows, np.ndarray) and getattr(values, "shape", None) == rows.shape
        if same and bool((n == rows.shape[1]).all()):
            self.distances: Any = np.asarray(values, np.float64)
            bad = np.isnan(self.distances).any(axis=1)
            bad |= (self.distances[:, 1:] < self.distances[:, :-1]).any(axis=1)
            last = self.distances[:, max(int(sizes.max(initial=0)) - 1, 0)] if rows.size else 0.0
            self.limits = np.broadcast_to(last, len(rows)) + tolerance
        else:
            padded = rows.tolist() if isinstance(rows, np.ndarray) else rows
            self.distances = [
                one[:m] for one, m in zip(_distances(values, padded, "exact_distances"), n.tolist(),
                                          strict=True)
            ]  # fmt: skip
            bad = np.array(
                [bool(np.isnan(one).any() or (np.diff(one) < 0).any()) for one in self.distances],
                bool,
            )
            self.limits = np.array(
                [
                    one[m - 1] + tolerance if m else -np.inf
                    for one, m in zip(self.distances, sizes.tolist(), strict=True)
                ]
            )
        if bad.any():
            raise ValueError(
                f"exact_distances: list {int(bad.argmax())} holds NaN or does not ascend; give the "
                "distances of true neighbours, nearest first"
            )

    def tied(self, rows: Rows) -> Rows:
        """The true neighbours that are as near as the k-th one."""
        if isinstance(self.distances, np.ndarray):
            within = self.distances <= self.limits[:, None]
            width = int(within.sum(axis=1).max(initial=0))
            return np.where(within, rows, -1)[:, :width]
        return [
            (row.tolist() if hasattr(row, "tolist") else row)[: int((one <= limit).sum())]
            for row, one, limit in zip(rows, self.distances, self.limits, strict=True)
        ]


def _nearer(values: Any, ids: object, results: Any, limits: Array) -> Any:
    """How many found neighbours are as near as the k-th true one."""
    rows = _rows(ids, "found")
    same = isinstance(rows, np.ndarray) and getattr(values, "shape", None) == rows.shape
    if same:
        distances = np.asarray(values, np.float64)[:, : results.shape[1]]
        filled = results >= 0
        nan = (np.isnan(distances) & filled).any(axis=1)
        hits = ((distances <= limits[:, None]) & filled).sum(axis=1)
    else:
        n = _sizes(results).tolist()
        lists = _distances(values, rows, "found_distances")
        parts = [one[:m] for one, m in zip(lists, n, strict=True)]
        nan = np.array([bool(np.isnan(one).any()) for one in parts], bool)
        hits = np.array(
            [int((one <= limit).sum()) for one, limit in zip(parts, limits, strict=True)], np.int64
        )
    if nan.any():
        raise ValueError(f"found_distances: list {int(nan.argmax())} holds NaN")
    return hits
