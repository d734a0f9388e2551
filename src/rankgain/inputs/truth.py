"""Read array-likes into Lists: with each call, or once, as a Truth that also holds the ideals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from .arrays import (
    Ragged,
    native_labels,
    read_rows,
    refuse_sizes,
)
from .axes import find_axes, refuse_other_order
from .document_ids import id_order
from .ignored import find_ignored, judged_without, leave_out, read_ignored, remove_documents
from .lists import (
    Judgments,
    Layout,
    Lists,
    check_rows,
    common_shape,
    flatten_judged,
    group_documents,
    raise_fault,
    runs_of_judged,
    runs_of_lists,
)
from .printable import count_of, describe
from .sparse import Sparse, looks_sparse, read_excluded, read_sparse

if TYPE_CHECKING:
    from .. import _core
    from .ignored import IgnoreRule
    from .types import (
        Array,
        Group,
        Ids,
        Ignored,
        Integers,
        Judged,
        JudgedLabels,
        Labels,
        LayoutArguments,
        Scores,
        Sizes,
    )


UNLABELLED = (np.ndarray, type(None))


class Truth:
    """Labels that were checked once and hold their ideals; accepted wherever y_true is.

    A loop over models or epochs then reads only scores. Immutable: labels are copied, so later
    changes of the arrays that it was made from have no effect. Labels that are all whole numbers
    from -128 to 127 are stored as one byte each.

    Parameters
    ----------
    y_true : array of shape (documents,) or (lists, documents), or scipy.sparse CSR
        Labels, as every function takes them.
    group, qid, lengths, judged
        As in every function; giving them again beside a Truth is a TypeError.
    ignore : label, or several, optional
        As in every function; what `ignore=` of a later call names is left out too.

    Examples
    --------
    >>> import rankgain as rg
    >>> truth = rg.Truth([[3, 0, 2], [0, 1, 0]])
    >>> rg.ndcg(truth, [[0.9, 0.5, 0.7], [0.3, 0.1, 0.2]], k=3).round(4).tolist()
    [1.0, 0.5]
    """

    __slots__ = (
        "_axes",
        "_ignored",
        "_judged_labels",
        "_padding",
        "labels",
        "layout",
        "runs",
        "shape",
    )

    labels: Array | Sparse  # a copy, in the form that the core reads
    layout: Layout
    _padding: str  # of `judged`, as `flatten_judged` says
    runs: _core.Runs
    shape: tuple[int, ...]
    _axes: dict[str, object]  # the labels of rows and columns; {} of plain arrays
    _ignored: Sparse | None  # positions of documents that are left out; their labels are 0
    _judged_labels: JudgedLabels | None

    def __init__(
        self,
        y_true: Labels,
        *,
        group: Group = None,
        qid: Group = None,
        lengths: Sizes | None = None,
        judged: Judged | None = None,
        ignore: Ignored = None,
    ) -> None:
        if isinstance(y_true, Truth):
            raise TypeError("y_true is a Truth already; give its labels to make another")
        layout_arguments: LayoutArguments = {"group": group, "qid": qid, "lengths": lengths}
        rule = None if ignore is None else read_ignored(ignore)
        _refuse_other_labels({"y_true": y_true, "judged": judged, **layout_arguments})
        read = _read_labels(y_true, None, layout_arguments, judged, rule)
        ignored = None if rule is None else find_ignored(read, rule)
        judged_labels = None
        if read.judged_labels is not None:
            flat, starts, stops = map(np.array, read.judged_labels)
            judged_labels = flat, starts, stops
        labels = read.labels
        if isinstance(labels, Sparse):
            labels = labels._replace(data=labels.data.copy(), indices=labels.indices.copy())
        else:
            native = native_labels(labels)
            if np.may_share_memory(native, labels):
                native = native.copy()
            labels = native
        if ignored is not None:
            zeroed = read.replace(labels=labels, exclude=ignored).with_excluded_as_zero()
            labels = zeroed.labels
        axes: dict[str, object] = {}
        for argument in (judged, lengths, group, qid, y_true):
            axes |= find_axes(argument)
        shape = common_shape(labels, None)
        state = labels, read.layout, judged_labels, shape
        self._fill(*state, axes, read.padding, ignored, read.runs)

    def _fill(
        self,
        labels: Array | Sparse,
        layout: Layout,
        judged_labels: JudgedLabels | None,
        shape: tuple[int, ...],
        axes: dict[str, object],
        padding: str,
        ignored: Sparse | None,
        judged_runs: _core.Runs | None = None,
    ) -> None:
        runs_of_labels = runs_of_lists(Lists(layout, labels, exclude=ignored))
        runs = runs_of_labels
        if judged_labels is not None:
            runs = judged_runs or runs_of_judged(judged_labels, layout)
            # The labels of a list are among its judged ones, so these have no fewer relevant ones.
            counts = _count_positive(runs_of_labels)
            judged_counts = _count_positive(runs)
            has_fewer = counts > judged_counts
            if has_fewer.any():
                row = int(has_fewer.argmax())
                raise_fault(("fewer_judged", row, int(counts[row]), float(judged_counts[row])))
        bytes_hold_all = np.isin(runs_of_labels.level, np.arange(-128, 128)).all()
        if not isinstance(labels, Sparse) and labels.itemsize > 1 and bytes_hold_all:
            with np.errstate(invalid="ignore"):  # cells beyond `lengths` may not be numbers
                labels = labels.astype(np.int8)
        values = axes, ignored, judged_labels, padding, labels, layout, runs, shape
        for slot, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Truth is immutable: {describe(name)} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Truth is immutable: {describe(name)} cannot be deleted")

    def __len__(self) -> int:
        return len(self.layout.starts)

    def __repr__(self) -> str:
        documents = int(self.layout.sizes.sum())
        if self._ignored is not None:
            documents -= int(self._ignored.indptr[-1])
        return f"<Truth: {count_of(len(self), 'list')}, {count_of(documents, 'document')}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Truth):
            return NotImplemented
        arrays, other_arrays = self._arrays(), other._arrays()
        if self.shape != other.shape or len(arrays) != len(other_arrays):
            return False
        return all(map(np.array_equal, arrays, other_arrays))

    def __hash__(self) -> int:
        return hash((self.shape, self.runs.level[:16].tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        axes = {name: np.asarray(labels).tolist() for name, labels in self._axes.items()}
        state = self.labels, self.layout, self._judged_labels, self.shape, axes
        return _from_pickle, (*state, self._padding, self._ignored)

    def _arrays(self) -> list[Array]:
        """What two equal Truths have in common."""
        layout = self.layout
        runs = self.runs
        arrays = [layout.starts, layout.stops, runs.first, runs.level, runs.count]
        if isinstance(self.labels, Sparse):
            arrays += self.labels[:3]
        else:
            arrays.append(self.labels)
        if self._ignored is not None and self.ignores:
            arrays += self._ignored.indices, self._ignored.indptr
        return arrays

    @property
    def ignores(self) -> bool:
        """Whether documents are left out by their label."""
        return self._ignored is not None and int(self._ignored.indptr[-1]) > 0

    @property
    def judged_labels(self) -> JudgedLabels | None:
        """Judged labels in their input order: flat, starts and stops; None without `judged`."""
        return self._judged_labels

    def refuse_again(self, **arguments: object) -> None:
        """Refuse arguments that belong to the constructor of the Truth."""
        for name, value in arguments.items():
            if value is not None:
                raise TypeError(f"{name} belongs to the Truth; it cannot be given again beside it")


def _count_positive(runs: _core.Runs) -> Integers:
    """How many labels above 0 each list has."""
    # The running count of labels above 0, whose differences between the first runs of two lists
    # are the counts of the lists.
    positive = (runs.level > 0) * runs.count
    counts_before = np.append(0, np.cumsum(positive))
    counts: Integers = np.diff(counts_before[runs.first])
    return counts


def _from_pickle(
    labels: Array | Sparse,
    layout: Layout,
    judged_labels: JudgedLabels | None,
    shape: tuple[int, ...],
    axes: dict[str, object],
    padding: str,
    ignored: Sparse | None,
) -> Truth:
    truth = Truth.__new__(Truth)
    truth._fill(labels, layout, judged_labels, shape, axes, padding, ignored)
    return truth


def read_lists(
    y_true: Labels,
    y_score: Scores | None,
    *,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    judged: Judged | None = None,
    exclude: object = None,
    ids: Ids | None = None,
    ignore: Ignored = None,
) -> Lists:
    """Check shapes and convert all arrays to Lists, without the documents that are ignored."""
    rule = None if ignore is None else read_ignored(ignore)
    layout_arguments: LayoutArguments = {"group": group, "qid": qid, "lengths": lengths}
    beside = {"judged": judged, "exclude": exclude, "ids": ids, **layout_arguments}
    _refuse_other_labels({"y_true": y_true, "y_score": y_score, **beside})
    ignored = None
    if isinstance(y_true, Truth):
        y_true.refuse_again(**layout_arguments, judged=judged)
        ignored = y_true._ignored
        lists = _read_truth(y_true, y_score, exclude is not None)
    else:
        lists = _read_labels(y_true, y_score, layout_arguments, judged, rule)
    layout, labels, scores = lists.layout, lists.labels, lists.scores
    if isinstance(labels, Sparse) and (exclude is not None or rule is not None):
        beyond = find_beyond(labels, layout)  # the core does not see labels that are removed
        if beyond is not None:
            row, index, _ = beyond
            raise_fault(("bad_index", row, 0, index))
    if exclude is not None:
        lists = lists.replace(exclude=read_exclusion(exclude, layout, scores, labels))
    removed = [] if ignored is None else [ignored]
    if rule is not None:
        removed.append(find_ignored(lists, rule))
    if ids is not None:
        documents = labels if scores is None else scores
        lists = lists.replace(order=id_order(ids, layout, documents, removed))
    if ignored is not None:
        lists = remove_documents(lists, ignored)
    if rule is None:
        return lists
    return leave_out(lists, rule)


def _refuse_other_labels(arrays: dict[str, object]) -> None:
    """Refuse arrays whose rows or columns are labelled otherwise than those of others."""
    labelled = {name: array for name, array in arrays.items() if type(array) not in UNLABELLED}
    if len(labelled) > 1:
        refuse_other_order(**labelled)


def _read_truth(truth: Truth, y_score: Scores | None, excludes: bool) -> Lists:
    """The labels of a Truth, beside scores, as Lists; excludes: whether documents are excluded."""
    layout, judged_labels = truth.layout, truth.judged_labels
    scores = None if y_score is None else read_rows(y_score, "y_score")
    if isinstance(scores, Ragged):
        refuse_sizes(scores.sizes, layout.sizes, "y_score", "the Truth")
        scores = scores.flat
    if scores is not None and scores.shape != truth.shape:
        raise ValueError(
            f"y_score has shape {scores.shape}, but the labels of the Truth have {truth.shape}"
        )
    if scores is not None and layout.order is not None:
        scores = scores[layout.order]
    pool = not isinstance(truth.labels, Sparse)
    if excludes and judged_labels is None:  # the ideal is that of the documents that remain
        return Lists(layout, truth.labels, scores, pool=pool)
    judgments = Judgments(
        truth.runs, labels_checked=not excludes, from_labels=judged_labels is None
    )
    return Lists(
        layout,
        truth.labels,
        scores,
        judgments,
        judged_labels=judged_labels,
        pool=pool and truth._padding in ("", "lists"),
        padding=truth._padding,
    )


def _read_labels(
    y_true: object,
    y_score: Scores | None,
    layout_arguments: LayoutArguments,
    judged: Judged | None,
    rule: IgnoreRule | None,
) -> Lists:
    """Labels and scores as Lists, beside judged labels without those that the rule ignores."""
    is_sparse = type(y_true) is not np.ndarray and looks_sparse(y_true)
    if is_sparse:
        labels = read_sparse(y_true, "y_true")
    else:
        labels = read_rows(y_true, "y_true")
    scores = None if y_score is None else read_rows(y_score, "y_score")
    layout, labels, scores = group_documents(labels, scores, layout_arguments)
    if judged is None:
        return Lists(layout, labels, scores, pool=not isinstance(labels, Sparse))
    judged_labels, padding = flatten_judged(judged, layout)
    if rule is not None:
        judged_labels = judged_without(judged_labels, rule)
    # Whether the documents that are judged not relevant are known.
    pool = not isinstance(labels, Sparse) and padding in ("", "lists")
    return Lists(
        layout,
        labels,
        scores,
        Judgments(runs_of_judged(judged_labels, layout)),
        judged_labels=judged_labels,
        pool=pool,
        padding=padding,
    )


def read_exclusion(
    exclude: object, layout: Layout, scores: Array | None, labels: Array | Sparse
) -> Sparse:
    """The positions of the documents that are excluded from each list."""
    shape = common_shape(labels, scores)
    sparse = read_excluded(exclude, layout, shape)
    check_rows(sparse, "exclude", layout, shape)
    beyond = find_beyond(sparse, layout)
    if beyond is not None:
        row, index, size = beyond
        raise ValueError(
            f"exclude: index {index} is out of range for list {row}, which has {size} documents"
        )
    return sparse


def find_beyond(sparse: Sparse, layout: Layout) -> tuple[int, int, int] | None:
    """The first index that lies beyond its list: list, index and size of the list; or None."""
    sizes = np.repeat(layout.sizes, np.diff(sparse.indptr))
    stored = sparse.indices[: sparse.indptr[-1]]
    beyond = np.flatnonzero(stored >= sizes)
    if not beyond.size:
        return None
    position = int(beyond[0])
    row = int(np.searchsorted(sparse.indptr, position, side="right")) - 1
    return row, int(stored[position]), int(sizes[position])
