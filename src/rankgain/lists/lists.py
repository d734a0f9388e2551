"""Array-likes to lists that the core can run, and the words for faults that only the core sees."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import as_array, native_labels, refuse_foreign
from .layouts import Layout, lay_out
from .sparse import Sparse, looks_sparse, read_sparse


class Lists(NamedTuple):
    """Labels and scores of many lists. Values are checked by the core while it reads them."""

    layout: Layout
    labels: Any  # an ndarray shaped as the scores, or Sparse
    scores: Any  # an ndarray, or None: the order is given
    runs: Any  # judged labels, prepared, or None: the labels themselves
    checked: bool  # the labels were checked before
    exclude: Sparse | None
    order: Any  # place of each document's id among all ids, or None
    own_runs: bool = False  # runs are those of `labels`, not of more judged documents
    narrow: bool = False  # scores are compared in float32
    given: Any = None  # judged labels in the order given: flat, starts and stops
    pool: bool = False  # every judged document is known, those that are not relevant too

    def __len__(self) -> int:
        return len(self.layout.starts)

    def having(self, **changes: Any) -> "Lists":
        """Return these lists with some fields changed (_replace would count with len())."""
        return Lists(**(self._asdict() | changes))

    @property
    def longest(self) -> int:
        """The most documents of a list, or judged labels where that is more."""
        n = int((self.layout.stops - self.layout.starts).max(initial=0))
        return max(n, self.runs.longest) if self.runs is not None else n

    @property
    def sparse(self) -> bool:
        return isinstance(self.labels, Sparse)

    def row(self, i: int) -> tuple[Any, Any]:
        """The labels of list i and their positions in it, for errors."""
        labels = self.labels
        if isinstance(labels, Sparse):
            mine = slice(int(labels.indptr[i]), int(labels.indptr[i + 1]))
            return labels.data[mine], labels.indices[mine]
        values = labels.reshape(-1)[int(self.layout.starts[i]) : int(self.layout.stops[i])]
        return values, np.arange(len(values))

    def _valid_labels(self) -> Any:
        """Dense labels without the cells beyond `lengths`, which may hold anything."""
        sizes = self.layout.stops - self.layout.starts
        if self.labels.ndim != 2 or not (sizes < self.labels.shape[1]).any():
            return self.labels
        return self.labels[np.arange(self.labels.shape[1]) < sizes[:, None]]

    def distinct_labels(self) -> Any:
        """All labels that occur, ascending; 0 always."""
        labels = self.labels.data if isinstance(self.labels, Sparse) else self._valid_labels()
        found: list[Any] = [np.unique(labels).astype(np.float64), [0.0]]
        if self.runs is not None:
            found.append(np.unique(self.runs.level))
        found_labels = np.unique(np.concatenate(found))
        if not np.isfinite(found_labels).all():
            check_finite(self)
        return found_labels


def read_labels(y_true: Any, name: str = "y_true") -> Any:
    """Dense labels as an ndarray, or Sparse."""
    return read_sparse(y_true, name) if looks_sparse(y_true) else as_array(y_true, name)


def read_lists(
    y_true: Any,
    y_score: Any,
    *,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    judged: Any = None,
    exclude: Any = None,
    ids: Any = None,
) -> Lists:
    """Check shapes and bring everything into one form."""
    from .truth import Truth

    checked, runs, own_runs, given = False, None, False, None
    if isinstance(y_true, Truth):
        y_true.refuse_again(group=group, qid=qid, lengths=lengths, judged=judged)
        labels, layout, given = y_true.labels, y_true.layout, y_true.given
        if exclude is None or given is not None:
            runs, checked = y_true.runs, exclude is None
            own_runs = given is None
        scores = None if y_score is None else as_array(y_score, "y_score")
        if scores is not None and scores.shape != y_true.shape:
            raise ValueError(f"y_score has shape {scores.shape}, but the Truth {y_true.shape}")
    else:
        labels = read_labels(y_true)
        scores = None if y_score is None else as_array(y_score, "y_score")
        shape = _common_shape(labels, scores)
        layout = lay_out(shape, group, qid, lengths)
        if isinstance(labels, Sparse):
            _check_rows(labels, "y_true", layout, shape)
        if judged is not None:
            given = flat_judged(judged, layout)
            runs = runs_of_judged(given, layout)
    if exclude is not None:
        if isinstance(labels, Sparse):  # the core would check what is left alone
            beyond = first_beyond(labels, layout)
            if beyond is not None:
                raise_fault(("bad_index", beyond[0], 0, beyond[1]))
        exclude = read_exclusion(exclude, layout, scores, labels)
    order = None if ids is None else id_order(ids, layout, scores if scores is not None else labels)
    pool = not isinstance(labels, Sparse) and (runs is None or own_runs or not _padded(judged))
    return Lists(
        layout, labels, scores, runs, checked, exclude, order, own_runs, False, given, pool
    )


def _common_shape(labels: Any, scores: Any) -> tuple[int, ...]:
    if isinstance(labels, Sparse):
        rows = len(labels.indptr) - 1
        if scores is None:
            if labels.columns is None:
                raise ValueError("y_true: (data, indices, indptr) needs y_score beside it")
            return rows, labels.columns
        return tuple(scores.shape)
    if scores is not None and labels.shape != scores.shape:
        raise ValueError(
            f"y_true has shape {labels.shape}, but y_score has shape {scores.shape}; "
            "they must be the same"
        )
    return tuple(labels.shape)


def _check_rows(sparse: Sparse, name: str, layout: Layout, shape: tuple[int, ...]) -> None:
    rows = len(sparse.indptr) - 1
    if rows != len(layout.starts):
        raise ValueError(f"{name} has {rows} rows, but there are {len(layout.starts)} lists")
    if len(shape) == 2 and sparse.columns is not None and sparse.columns != shape[1]:
        raise ValueError(f"{name} has {sparse.columns} columns, but y_score has shape {shape}")


def read_exclusion(exclude: Any, layout: Layout, scores: Any, labels: Any) -> Sparse:
    """The items that are left out of each list."""
    if not looks_sparse(exclude):
        raise TypeError(
            "exclude must be a scipy.sparse CSR matrix (or its data, indices and indptr) with one "
            f"row per list, not {type(exclude).__name__}"
        )
    sparse = read_sparse(exclude, "exclude")
    shape = scores.shape if scores is not None else getattr(labels, "shape", ())
    _check_rows(sparse, "exclude", layout, tuple(shape))
    beyond = first_beyond(sparse, layout)
    if beyond is not None:
        row, index, size = beyond
        raise ValueError(f"exclude: list {row} has index {index}, but only {size} documents")
    return sparse


def first_beyond(sparse: Sparse, layout: Layout) -> tuple[int, int, int] | None:
    """List, index and size of the list of the first index beyond its list, if there is one."""
    sizes = np.repeat(layout.stops - layout.starts, np.diff(sparse.indptr))
    stored = sparse.indices[: sparse.indptr[-1]]
    beyond = np.flatnonzero(stored >= sizes)
    if not beyond.size:
        return None
    at = int(beyond[0])
    row = int(np.searchsorted(sparse.indptr, at, side="right")) - 1
    return row, int(stored[at]), int(sizes[at])


def id_order(ids: Any, layout: Layout, like: Any) -> Any:
    """The place of each id among all, compared as bytes of UTF-8; refuses an id twice in a list."""
    shape = tuple(getattr(like, "shape", ()))
    refuse_foreign(ids, "ids")
    try:
        array = np.asarray(ids)
    except ValueError as error:
        raise ValueError(f"ids does not convert to an array: {error}") from None
    if array.shape != shape:
        raise ValueError(f"ids has shape {array.shape}, but the documents have shape {shape}")
    if array.size and array.dtype.kind not in "iuUSO":
        raise TypeError(f"ids must hold strings or ints, not {array.dtype}")
    if array.dtype.kind == "S":
        text = array.ravel()
    else:
        text = np.array([_utf8(one) for one in array.ravel().tolist()], dtype=np.bytes_)
    order = np.unique(text, return_inverse=True)[1].astype(np.int64).ravel()
    for i, (a, b) in enumerate(zip(layout.starts.tolist(), layout.stops.tolist(), strict=True)):
        mine = order[a:b]
        if len(np.unique(mine)) < len(mine):
            first = np.unique(mine, return_index=True)[1]
            again = sorted(set(range(len(mine))) - set(first.tolist()))[0]
            raise ValueError(
                f"ids: list {i} has {array.ravel().tolist()[a + again]!r} twice "
                f"(document {again}); keep one of them"
            )
    return order


def _utf8(one: Any) -> bytes:
    return one if isinstance(one, bytes) else str(one).encode()


def runs_of_judged(given: tuple[Any, Any, Any], layout: Layout) -> Any:
    """The judged labels of every list, prepared."""
    flat, starts, stops = given
    n = len(layout.starts)
    if len(starts) != n:
        raise ValueError(f"judged has {len(starts)} lists, but y_true has {n}")
    return prepare(native_labels(flat), starts, stops, "judged")


def _padded(judged: Any) -> bool:
    """Whether labels of 0 may be no judgments: in rows that are filled up, and in sparse ones."""
    return judged is None or looks_sparse(judged) or getattr(judged, "ndim", 1) > 1


def flat_judged(judged: Any, layout: Layout) -> tuple[Any, Any, Any]:
    """Judged labels as one flat array, and where each list's start and stop."""
    if looks_sparse(judged):
        sparse = read_sparse(judged, "judged")
        return sparse.data, sparse.indptr[:-1], sparse.indptr[1:]
    if isinstance(judged, np.ndarray) and judged.dtype.kind == "O":
        judged = list(judged)
    ragged = isinstance(judged, Iterable) and not isinstance(judged, np.ndarray)
    if ragged and not layout.single and not hasattr(judged, "__array__"):
        parts = [as_array(one, f"judged (list {i})") for i, one in enumerate(judged)]
        for i, part in enumerate(parts):
            if part.ndim != 1:
                raise ValueError(f"judged (list {i}) has {part.ndim} dimensions; it must have 1")
        bounds = np.concatenate(([0], np.cumsum([len(part) for part in parts]))).astype(np.int64)
        flat = np.concatenate(parts) if parts else np.zeros(0)
        return flat, bounds[:-1], bounds[1:]
    array = as_array(judged, "judged")
    if array.ndim == 1:
        if not layout.single:
            raise ValueError(
                "judged is 1-D, but there are several lists; give a 2-D array padded with 0, CSR, "
                "or a sequence of 1-D arrays"
            )
        return array, np.zeros(1, np.int64), np.full(1, len(array), np.int64)
    starts = np.arange(array.shape[0], dtype=np.int64) * array.shape[1]
    return array.reshape(-1), starts, starts + array.shape[1]


def prepare(labels: Any, starts: Any, stops: Any, name: str, sparse: Sparse | None = None) -> Any:
    """Check labels and keep them as descending runs."""
    sizes = stops - starts
    room = int(sizes.sum()) if sparse is None else int(sparse.indptr[-1]) + len(starts)
    first = np.zeros(len(starts) + 1, np.int64)
    level, count = np.empty(room), np.empty(room, np.int64)
    parts: tuple[Any, ...] = (labels.reshape(-1),) if sparse is None else sparse[:3]
    fault = _core.prepare(_core.LabelArray(*parts), starts, stops, first, level, count)
    if fault is not None:
        raise_fault(fault, name)
    used = int(first[-1])
    longest = int(sizes.max(initial=0))
    return _core.Runs(first, level[:used].copy(), count[:used].copy(), longest)


def first_tie(lists: Lists) -> tuple[int, int, int] | None:
    """List and documents of the first two equal scores of a list."""
    from .chunks import batches

    parts = (
        (one.scores, one.starts[one.low : one.high], one.stops[one.low : one.high])
        for one in batches(lists, 0, len(lists))
    )
    if all(_core.list_with_tie(*part) < 0 for part in parts):
        return None
    starts, stops = lists.layout.starts, lists.layout.stops
    sizes = stops - starts
    rows = np.repeat(np.arange(len(starts)), sizes)
    cells = np.arange(len(rows)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    if lists.exclude is not None:
        left = np.repeat(starts, np.diff(lists.exclude.indptr)) + lists.exclude.indices
        keep = ~np.isin(cells, left)
        rows, cells = rows[keep], cells[keep]
    scores = lists.scores.reshape(-1)[cells]
    if lists.narrow:
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    order = np.lexsort((scores, rows))
    same = (np.diff(rows[order]) == 0) & (scores[order][1:] == scores[order][:-1])
    if not same.any():
        return None
    at = int(np.argmax(same))
    row = int(rows[order[at]])
    return row, int(cells[order[at]] - starts[row]), int(cells[order[at + 1]] - starts[row])


def overflowing(lists: Lists, row: int) -> tuple[str, int, int, float]:
    """The fault of gains that overflow, with the largest label of the list."""
    values, places = lists.row(row)
    sizes = np.abs(values.astype(np.float64))
    if lists.runs is not None:
        level = lists.runs.level[int(lists.runs.first[row]) : int(lists.runs.first[row + 1])]
        if np.abs(level).max(initial=0.0) > sizes.max(initial=0.0):
            return "judged_overflow", row, 0, 0.0
    at = int(np.argmax(sizes))
    return "gain_overflow", row, int(places[at]), float(values[at])


def check_finite(lists: Lists) -> None:
    """Raise for the first label that is not finite."""
    layout = lists.layout
    if isinstance(lists.labels, Sparse):
        prepare(None, layout.starts, layout.stops, "y_true", lists.labels)
    else:
        prepare(native_labels(lists.labels), layout.starts, layout.stops, "y_true")


_WORDS = {
    "nan_score": "y_score: list {at}, document {doc} is NaN; a score must be a number that orders "
    "it",
    "bad_label": "{name}: list {at}, document {doc} is {value}; labels must be finite numbers",
    "label_negative": "{name}: list {at}, document {doc} has the negative label {value:g}, which "
    "this measure does not take; dcg does",
    "label_above_max": "{name}: list {at}, document {doc} has label {value:g}, above max_label; "
    "raise max_label to the top of the scale",
    "judged_negative": "judged: list {at} has the negative label {value:g}, which this measure "
    "does not take; dcg does",
    "judged_above_max": "judged: list {at} has label {value:g}, above max_label; raise max_label "
    "to the top of the scale",
    "wide_integer": "{name}: list {at}, document {doc} is an integer beyond 2**53, which a double "
    "does not hold exactly; scale the labels",
    "gain_overflow": "gain: the gains of list {at} overflow a double (document {doc} has label "
    "{value:g}); use smaller labels or another gain",
    "judged_overflow": "gain: the gains of the judged labels of list {at} overflow a double; use "
    "smaller labels or another gain",
    "fewer_judged": "judged: list {at} has {doc} relevant documents, but only {value:g} are judged "
    "relevant; judged must hold all labels of the list",
    "bad_index": "{name}: list {at} has index {value:g}, which lies outside the list",
    "repeated_index": "{name}: list {at} has index {value:g} twice; keep one of them, and let no "
    "other thread change the arrays meanwhile",
}


def raise_fault(fault: tuple[str, int, int, float], name: str = "y_true") -> None:
    """Word what the core flagged."""
    code, at, doc, value = fault
    raise ValueError(_WORDS[code].format(name=name, at=at, doc=doc, value=value))
