"""Labels checked once, with their ideals, for many rankings of the same lists."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from . import lists
from .arrays import native_labels
from .labelled import find_axes, is_labelled, refuse_other_order
from .lists import (
    Layout,
    common_shape,
    find_padding,
    flatten_judged,
    lay_out_arrays,
    prepare,
    raise_fault,
    runs_of_judged,
)
from .restored import raise_damaged, truth_state
from .sparse import Sparse, read_labels

if TYPE_CHECKING:
    from .. import _core
    from .types import Array, Group, Judged, JudgedLabels, Labels, Sizes

sys.modules.setdefault(
    f"{__package__}.layouts", lists
)  # where pickles of version 0.1.0 find Layout


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

    Examples
    --------
    >>> import rankgain as rg
    >>> truth = rg.Truth([[3, 0, 2], [0, 1, 0]])
    >>> rg.ndcg(truth, [[0.9, 0.5, 0.7], [0.3, 0.1, 0.2]], k=3).round(4).tolist()
    [1.0, 0.5]
    """

    __slots__ = ("_axes", "_judged_labels", "_padding", "labels", "layout", "runs", "shape")

    labels: Array | Sparse  # a copy, in the form that the core reads
    layout: Layout
    _padding: str  # of `judged`, as `find_padding` says
    runs: _core.Runs
    shape: tuple[int, ...]
    _axes: dict[str, Any]  # the labels of rows and columns; {} of plain arrays
    _judged_labels: JudgedLabels | None

    def __init__(
        self,
        y_true: Labels,
        *,
        group: Group = None,
        qid: Group = None,
        lengths: Sizes | None = None,
        judged: Judged | None = None,
    ) -> None:
        if isinstance(y_true, Truth):
            raise TypeError("y_true is a Truth already; give its labels to make another")
        places = {"group": group, "qid": qid, "lengths": lengths}
        refuse_other_order(y_true=y_true, judged=judged, **places)
        labels = read_labels(y_true)
        if isinstance(labels, Sparse) and labels.columns is None:
            raise ValueError("y_true: a Truth needs the number of columns; give a CSR matrix")
        layout, labels, _ = lay_out_arrays(labels, None, places)
        judged_labels = None
        if judged is not None:
            flat, starts, stops = map(np.array, flatten_judged(judged, layout))
            judged_labels = flat, starts, stops
        if isinstance(labels, Sparse):
            labels = labels._replace(data=labels.data.copy(), indices=labels.indices.copy())
        elif np.may_share_memory(native := native_labels(labels), labels):
            labels = native.copy()
        else:
            labels = native
        axes: dict[str, Any] = {}
        for one in (judged, lengths, group, qid, y_true):
            axes |= find_axes(one) if is_labelled(one) else {}
        shape = common_shape(labels, None)
        self._fill(labels, layout, judged_labels, shape, axes, find_padding(judged))

    def _fill(
        self,
        labels: Array | Sparse,
        layout: Layout,
        judged_labels: JudgedLabels | None,
        shape: tuple[int, ...],
        axes: dict[str, Any],
        padding: str,
    ) -> None:
        runs_of_labels = runs = prepare(labels, layout.starts, layout.stops, "y_true")
        if judged_labels is not None:
            runs = runs_of_judged(judged_labels, layout)
            counts, judged_counts = map(_relevant, (runs_of_labels, runs))
            if (counts > judged_counts).any():
                i = int((counts > judged_counts).argmax())
                raise_fault(("fewer_judged", i, int(counts[i]), float(judged_counts[i])))
        bytes_hold_all = np.isin(runs_of_labels.level, np.arange(-128, 128)).all()
        if not isinstance(labels, Sparse) and labels.itemsize > 1 and bytes_hold_all:
            with np.errstate(invalid="ignore"):  # cells beyond `lengths` may not be numbers
                labels = labels.astype(np.int8)
        values = axes, judged_labels, padding, labels, layout, runs, shape
        for slot, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Truth is immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Truth is immutable: {name!r} cannot be deleted")

    def __len__(self) -> int:
        return len(self.layout.starts)

    def __repr__(self) -> str:
        documents = int(self.layout.sizes.sum())
        return f"<Truth: {len(self)} lists, {documents} documents>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Truth):
            return NotImplemented
        arrays, other_arrays = self._arrays(), other._arrays()
        return self.shape == other.shape and all(map(np.array_equal, arrays, other_arrays))

    def __hash__(self) -> int:
        return hash((self.shape, self.runs.level[:16].tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        axes = {name: np.asarray(one).tolist() for name, one in self._axes.items()}
        state = self.labels, self.layout, self._judged_labels, self.shape, axes
        return _build, (*state, self._padding)

    def _arrays(self) -> list[Any]:
        labels = self.labels[:3] if isinstance(self.labels, Sparse) else [self.labels]
        runs = self.runs
        return [*labels, self.layout.starts, self.layout.stops, runs.first, runs.level, runs.count]

    @property
    def judged_labels(self) -> JudgedLabels | None:
        """Judged labels in their input order: flat, starts and stops; None without `judged`."""
        return self._judged_labels

    def refuse_again(self, **arguments: object) -> None:
        """Refuse arguments that belong to the constructor of the Truth."""
        for name, value in arguments.items():
            if value is not None:
                raise TypeError(f"{name} belongs to the Truth; it cannot be given again beside it")


def _build(
    labels: Array | Sparse,
    layout: Layout,
    judged_labels: object,
    shape: tuple[int, ...],
    axes: dict[str, list[object]] | None = None,  # absent from pickles of earlier versions
    padding: str | None = None,  # the same
) -> Truth:
    truth, axes = Truth.__new__(Truth), {} if axes is None else axes
    if padding is None:  # perhaps
        padding = "" if judged_labels is None else "rows"
    try:
        state = *truth_state(labels, layout, judged_labels, shape), axes, padding
    except (AttributeError, TypeError, ValueError) as error:
        raise_damaged("Truth", str(error))
    if type(axes) is not dict or not all(type(one) is list for one in axes.values()):
        raise_damaged("Truth", "the labels of its rows and columns are not lists")
    if padding not in ("", "rows", "sparse"):
        raise_damaged("Truth", "its padding is of no known kind")
    truth._fill(*state)
    return truth


def _relevant(runs: _core.Runs) -> Any:
    """The number of labels above 0 of each list."""
    sums = np.append(0, np.cumsum(np.where(runs.level > 0, runs.count, 0)))
    return sums[runs.first[1:]] - sums[runs.first[:-1]]
