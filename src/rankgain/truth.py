"""Labels checked once, with their ideals, for many rankings of the same lists."""

from typing import Any, NoReturn

import numpy as np

from .inputs import judged_runs, prepare, raise_fault, read_labels
from .layouts import Layout, lay_out
from .sparse import Sparse


class Truth:
    """Labels that were checked once and keep their ideals; accepted wherever y_true is.

    A loop over models or epochs then pays for scores only. Immutable: the arrays that it was made
    from must not change either. They are kept; beside them stands a byte for each label, if all are
    whole numbers from -128 to 127, and rankings read those bytes.

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

    __slots__ = ("_key", "kept", "labels", "layout", "runs", "shape")

    labels: Any  # as they were given
    kept: Any  # the same values in the form that is read
    layout: Layout
    runs: Any
    shape: tuple[int, ...]
    _key: tuple[Any, ...]  # what it was made from

    def __init__(
        self,
        y_true: Any,
        *,
        group: Any = None,
        qid: Any = None,
        lengths: Any = None,
        judged: Any = None,
    ) -> None:
        if isinstance(y_true, Truth):
            raise TypeError("y_true is a Truth already; give its labels to make another")
        labels = read_labels(y_true)
        if isinstance(labels, Sparse):
            if labels.columns is None:
                raise ValueError("y_true: a Truth needs the number of columns; give a CSR matrix")
            shape: tuple[int, ...] = (len(labels.indptr) - 1, labels.columns)
        else:
            shape = labels.shape
        layout = lay_out(shape, group, qid, lengths)
        if isinstance(labels, Sparse):
            own = prepare(None, layout.starts, layout.stops, "y_true", labels)
            kept: Any = labels
        else:
            from .arrays import native_labels

            native = native_labels(labels)
            own = prepare(native, layout.starts, layout.stops, "y_true")
            kept = labels if native.itemsize == 1 else _in_bytes(native, own.level, labels)
        runs = own if judged is None else judged_runs(judged, layout)
        if judged is not None:
            _refuse_fewer(own, runs)
        values = ((y_true, group, qid, lengths, judged), kept, labels, layout, runs, shape)
        for slot, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Truth is immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Truth is immutable: {name!r} cannot be deleted")

    def __len__(self) -> int:
        return len(self.layout.starts)

    def __repr__(self) -> str:
        documents = int((self.layout.stops - self.layout.starts).sum())
        return f"<Truth: {len(self)} lists, {documents} documents>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Truth):
            return NotImplemented
        mine, theirs = self._arrays(), other._arrays()
        return self.shape == other.shape and all(map(np.array_equal, mine, theirs))

    def __hash__(self) -> int:
        return hash((self.shape, self.runs.level[:16].tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        y_true, group, qid, lengths, judged = self._key
        return _build, (y_true, group, qid, lengths, judged)

    def _arrays(self) -> list[Any]:
        labels = self.labels[:3] if isinstance(self.labels, Sparse) else [self.labels]
        runs = self.runs
        return [*labels, self.layout.starts, self.layout.stops, runs.first, runs.level, runs.count]

    @property
    def has_judged(self) -> bool:
        """Whether more was judged than the lists hold."""
        return self._key[4] is not None

    @property
    def judged(self) -> Any:
        """The judged labels as they were given, or None."""
        return self._key[-1]

    def refuse_again(self, **given: Any) -> None:
        """Refuse arguments that the Truth was made with."""
        for name, value in given.items():
            if value is not None:
                raise TypeError(f"{name} belongs to the Truth; it cannot be given again beside it")


def _build(y_true: Any, group: Any, qid: Any, lengths: Any, judged: Any) -> Truth:
    return Truth(y_true, group=group, qid=qid, lengths=lengths, judged=judged)


def _in_bytes(native: Any, levels: Any, labels: Any) -> Any:
    """Labels as int8, where that holds all their levels; else as they were given."""
    if not np.isin(levels, np.arange(-128, 128)).all():
        return labels
    with np.errstate(invalid="ignore"):  # cells beyond `lengths` may hold anything
        return native.astype(np.int8)


def _refuse_fewer(own: Any, judged: Any) -> None:
    for i in range(len(own.first) - 1):
        mine, theirs = (_positive(runs, i) for runs in (own, judged))
        if mine > theirs:
            raise_fault(("fewer_judged", i, mine, float(theirs)))


def _positive(runs: Any, i: int) -> int:
    stretch = slice(int(runs.first[i]), int(runs.first[i + 1]))
    return int(runs.count[stretch][runs.level[stretch] > 0].sum())
