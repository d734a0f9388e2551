"""Read array-likes into Lists: check shapes and convert."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Ragged, read_rows, refuse_foreign, refuse_sizes, split_rows, with_ends
from .kinds import refuse_mixed, whole_text
from .labelled import refuse_other_order
from .lists import (
    Layout,
    Lists,
    add_sizes,
    check_rows,
    common_shape,
    find_padding,
    flatten_judged,
    lay_out_arrays,
    raise_fault,
    runs_of_judged,
)
from .sparse import Sparse, read_excluded, read_labels
from .truth import Truth

if TYPE_CHECKING:
    from .types import Array, Group, Ids, Judged, Labels, Scores, Sizes


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
) -> Lists:
    """Check shapes and convert all arrays to Lists."""
    places = {"group": group, "qid": qid, "lengths": lengths}
    beside = {"judged": judged, "exclude": exclude, "ids": ids, **places}
    arrays = {"y_true": y_true, "y_score": y_score, **beside}
    beyond_numpy = {n: v for n, v in arrays.items() if v is not None and type(v) is not np.ndarray}
    plain = type(y_true) is np.ndarray
    if len(beyond_numpy) > 1:
        refuse_other_order(**beyond_numpy)
    checked, runs, runs_from_labels, judged_labels, padding = False, None, False, None, ""
    if isinstance(y_true, Truth):
        y_true.refuse_again(**places, judged=judged)
        labels, layout, judged_labels = y_true.labels, y_true.layout, y_true.judged_labels
        if exclude is None or judged_labels is not None:
            runs, checked = y_true.runs, exclude is None
            runs_from_labels, padding = judged_labels is None, y_true._padding
        scores = None if y_score is None else match_scores(y_true, y_score)
    else:
        labels = read_rows(y_true, "y_true") if plain else read_labels(y_true)
        scores = None if y_score is None else read_rows(y_score, "y_score")
        layout, labels, scores = lay_out_arrays(labels, scores, places)
        if judged is not None:
            judged_labels = flatten_judged(judged, layout)
            runs, padding = runs_of_judged(judged_labels, layout), find_padding(judged)
    if exclude is not None:
        if isinstance(labels, Sparse):  # the core does not see labels that are excluded
            beyond = find_beyond(labels, layout)
            if beyond is not None:
                raise_fault(("bad_index", beyond[0], 0, beyond[1]))
        exclude = read_exclusion(exclude, layout, scores, labels)
    order = None if ids is None else id_order(ids, layout, scores if scores is not None else labels)
    # Whether the documents that are judged not relevant are known.
    pool = not isinstance(labels, Sparse) and not padding
    known = runs_from_labels, judged_labels, pool, padding
    return Lists(layout, labels, scores, runs, checked, exclude, order, *known)


def match_scores(truth: Truth, y_score: Scores) -> Any:
    """Scores of the documents of a Truth, in its order."""
    scores, layout = read_rows(y_score, "y_score"), truth.layout
    if isinstance(scores, Ragged):
        refuse_sizes(scores.sizes, layout.sizes, "y_score", "the Truth")
        scores = scores.flat
    if scores.shape != truth.shape:
        raise ValueError(f"y_score has shape {scores.shape}, but the Truth {truth.shape}")
    return scores if layout.order is None else scores[layout.order]


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
    at = int(beyond[0])
    row = int(np.searchsorted(sparse.indptr, at, side="right")) - 1
    return row, int(stored[at]), int(sizes[at])


def id_order(ids: Ids | None, layout: Layout, like: object) -> Any:
    """The place of each id among all ids, sorted as UTF-8; an id twice in a list is an error."""
    shape = tuple(getattr(like, "shape", ()))
    refuse_foreign(ids, "ids")
    rows = split_rows(ids, "ids") if len(shape) == 1 else None
    if rows is not None:
        sizes = np.fromiter(map(len, rows), np.int64, len(rows))
        refuse_sizes(sizes, layout.sizes, "ids", "y_true")
        ids = list(chain.from_iterable(rows))
    first: Any = ids[0] if isinstance(ids, (list, tuple)) and ids else None
    nested = isinstance(first, (list, tuple))
    flat: Any = list(chain.from_iterable(ids)) if nested else ids  # type: ignore[arg-type]

    def where(at: int) -> str:
        """The position of an id, for errors."""
        return "ids[{}][{}]".format(*divmod(at, len(first))) if nested else f"ids[{at}]"

    if isinstance(flat, (list, tuple)):
        refuse_mixed(flat, where)
    try:
        array = np.asarray(ids)
    except ValueError as error:
        raise ValueError(f"ids does not convert to an array: {error}") from None
    if isinstance(flat, (list, tuple)) and len(flat) == array.size:
        array = with_ends(flat, array.ravel()).reshape(array.shape)
    if array.shape != shape:
        raise ValueError(f"ids has shape {array.shape}, but the documents have shape {shape}")
    if array.dtype.kind == "O":
        refuse_mixed(array.ravel().tolist(), where)
    if layout.order is not None:
        array = array[layout.order]
    if array.size and array.dtype.kind not in "iuUSO":
        raise TypeError(f"ids must hold strings or ints, not {array.dtype}")
    if array.dtype.kind == "S":
        text = array.ravel()
    else:
        texts = [_utf8(one) for one in array.ravel().tolist()]
        text = with_ends(texts, np.array(texts, np.bytes_))
    order = np.unique(text, return_inverse=True)[1].astype(np.int64).ravel()
    first = add_sizes(layout.sizes)
    rows = np.repeat(np.arange(len(first) - 1), layout.sizes)
    documents = np.arange(len(rows)) + np.repeat(layout.starts - first[:-1], layout.sizes)
    by = np.lexsort((order[documents], rows))  # equal ids of a list stay in their order
    same = (np.diff(rows[by]) == 0) & (np.diff(order[documents[by]]) == 0)
    if same.any():
        at = int(by[1:][same].min())
        raise ValueError(
            f"ids: list {rows[at]} has {array.ravel().tolist()[documents[at]]!r} twice "
            f"(document {at - first[rows[at]]}); keep one of them"
        )
    return order


def _utf8(one: object) -> bytes:
    one = whole_text(one)
    return one if isinstance(one, bytes) else str(one).encode()
