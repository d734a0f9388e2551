"""The start and stop of each list: in rows, padded rows, or flat arrays with sizes or ids."""

from __future__ import annotations

from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .arrays import integers, plain_array
from .grouping import group_rows
from .kinds import refuse_mixed
from .ragged import Ragged, flattened
from .sparse import Sparse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .types import Array, Group, Sizes


LONGEST = 2**31 - 1


class Layout(NamedTuple):
    """List i takes starts[i] .. stops[i]-1 of the flattened arrays."""

    starts: Any
    stops: Any
    single: bool  # the input is a single list: results are floats
    queries: Any  # the query ids, or None for 0 .. n-1
    order: Any = None  # input positions in this order, if the rows of a list were not adjacent

    @property
    def sizes(self) -> Any:
        """How many documents each list has."""
        return self.stops - self.starts


def starts_of(sizes: Sequence[int] | Array) -> Any:
    """The start of each list, followed by the end of the last list."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _flat(sizes: Sequence[int] | Array, queries: Sequence[object] | Array | None = None) -> Layout:
    """The layout of lists that follow each other."""
    bounds = starts_of(sizes)
    return Layout(bounds[:-1], bounds[1:], False, queries)


def _from_qid(qid: Group, n: int) -> Layout:
    """The layout of rows with an id of the list in each."""
    if isinstance(qid, (list, tuple)):
        refuse_mixed(qid, "qid[{}]".format)
    ids = plain_array(qid, "qid")
    if ids.ndim != 1:
        raise ValueError(f"qid must be one-dimensional, not of shape {ids.shape}")
    if len(ids) != n:
        raise ValueError(f"qid has {len(ids)} entries, but there are {n} documents")
    is_time = ids.dtype.kind in "mM"
    missing = np.isnat(ids) if is_time else np.isnan(ids) if ids.dtype.kind == "f" else None
    if missing is not None and missing.any():
        raise ValueError(
            f"qid[{int(missing.argmax())}] has no value (NaN); every document needs a query"
        )
    if ids.dtype.kind == "O":
        refuse_mixed(ids.tolist(), "qid[{}]".format)
    if ids.dtype.kind not in "biufSUmMO" or (ids.dtype.kind == "O" and not all(map(_is_id, ids))):
        raise TypeError(f"qid must hold ints, strings, dates or other ids, not {ids.dtype}")
    if n == 0:
        return _flat(np.zeros(0, np.int64), ids)
    keys = ids.astype(np.int64) if is_time else ids
    changes = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    starts = np.concatenate(([0], changes))
    # With so many changes the rows of a query are hardly adjacent, and a set would be slow.
    if 4 * len(starts) > n or len(set(keys[starts].tolist())) < len(starts):
        groups = group_rows(keys)
        order = None if groups.adjacent else groups.order()
        return _flat(groups.sizes, _named(ids[groups.first]))._replace(order=order)
    return _flat(np.diff(np.append(starts, n)), _named(ids[starts]))


def _is_id(one: object) -> bool:
    """Whether a value can name a list: it has a hash, and is no number that is not whole."""
    return type(one).__hash__ is not None and (
        not isinstance(one, (Number, np.number)) or isinstance(one, Integral)
    )


def _named(ids: Any) -> Any:
    """Ids of lists; times as objects, of Python where these hold them exactly."""
    if ids.dtype.kind not in "mM":
        return ids
    are_days = ids.dtype.kind == "M" and np.datetime_data(ids.dtype)[0] == "D"
    rounded = ids if are_days else ids.astype(f"{ids.dtype.kind}8[us]")
    result = np.empty(len(ids), object)
    result[:] = rounded.astype(object) if (rounded == ids).all() else list(ids)
    return result


def lay_out(shape: tuple[int, ...], group: Group, qid: Group, lengths: Sizes | None) -> Layout:
    """The layout of arrays of this shape."""
    named = [n for n, v in (("group", group), ("qid", qid), ("lengths", lengths)) if v is not None]
    if len(named) > 1:
        raise ValueError(f"{' and '.join(named)} both say where lists end; give one of them")
    if lengths is not None:
        if len(shape) != 2:
            raise ValueError("lengths belongs to 2-D arrays; for flat ones give group or qid")
        sizes = integers(lengths, "lengths")
        rows, columns = shape
        if len(sizes) != rows:
            raise ValueError(f"lengths has {len(sizes)} entries, but there are {rows} lists")
        too_long = np.flatnonzero(sizes > columns)
        if too_long.size:
            at = int(too_long[0])
            raise ValueError(f"lengths[{at}] is {sizes[at]}, but the rows have {columns} columns")
        starts = np.arange(rows, dtype=np.int64) * columns
        layout = Layout(starts, starts + sizes, False, None)
    elif named and len(shape) != 1:
        raise ValueError(f"{named[0]} belongs to flat 1-D arrays; for padded 2-D ones give lengths")
    elif group is not None:
        try:
            sizes, n = integers(group, "group"), shape[0]
        except TypeError as error:
            raise TypeError(f"{error}; did you mean qid=?") from None
        hint = "; did you mean qid=?" if len(sizes) == n else ""  # an id for each document
        too_long = np.flatnonzero(sizes > n)  # before the sum, which could overflow
        if too_long.size:
            at = int(too_long[0])
            raise ValueError(
                f"group[{at}] is {sizes[at]}, but there are {n} documents in all{hint}"
            )
        if len(sizes) > 0 and float(sizes.sum(dtype=np.float64)) > 2**62:
            raise ValueError(f"group: the sizes overflow; they must sum to {n}, the documents")
        total = int(sizes.sum())
        if total != n:
            raise ValueError(f"group: the sizes sum to {total}, but there are {n} documents{hint}")
        layout = _flat(sizes)
    elif qid is not None:
        layout = _from_qid(qid, shape[0])
    elif len(shape) == 1:
        layout = Layout(np.zeros(1, np.int64), np.full(1, shape[0], np.int64), True, None)
    else:
        starts = np.arange(shape[0], dtype=np.int64) * shape[1]
        layout = Layout(starts, starts + shape[1], False, None)
    longest = int(layout.sizes.max(initial=0))
    if longest > LONGEST:
        raise ValueError(f"a list of {longest} documents is too long; the most is {LONGEST}")
    return layout


def laid_out(
    labels: Any, scores: Array | Ragged | None, places: dict[str, Any]
) -> tuple[Layout, Any, Any]:
    """The layout, with labels and scores reordered so that the documents of a list are adjacent."""
    if isinstance(labels, Ragged) or isinstance(scores, Ragged):
        labels, scores, group = flattened(labels, scores, places)
        places = {**places, "group": group}
    shape = common_shape(labels, scores)
    layout = lay_out(shape, **places)
    if isinstance(labels, Sparse):
        check_rows(labels, "y_true", layout, shape)
    elif layout.order is not None:
        labels = labels[layout.order]
    if layout.order is not None and scores is not None:
        scores = scores[layout.order]
    return layout, labels, scores


def common_shape(labels: Any, scores: Any) -> tuple[int, ...]:
    """The shape of labels and scores."""
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


def check_rows(sparse: Sparse, name: str, layout: Layout, shape: tuple[int, ...]) -> None:
    """Refuse a sparse matrix whose shape is not that of the lists."""
    rows = len(sparse.indptr) - 1
    if rows != len(layout.starts):
        raise ValueError(f"{name} has {rows} rows, but there are {len(layout.starts)} lists")
    rectangular = len(shape) == 2 or layout.single
    if rectangular and sparse.columns is not None and sparse.columns != shape[-1]:
        raise ValueError(f"{name} has {sparse.columns} columns, but y_score has shape {shape}")
