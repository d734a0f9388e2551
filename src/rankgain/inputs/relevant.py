"""Ids as they are given: lists in any container, the -1 that fills rows, labels, or a matrix."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AnySet
from itertools import chain, filterfalse
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import (
    Ragged,
    convert_array,
    integer_rows,
    is_nested_tensor,
    is_row,
    is_sparse,
    is_wide,
    pack,
    plain_array,
    read_numbers,
    refuse_sizes,
    sparse_words,
)
from .axes import is_series, refuse_other_order
from .joined import as_impressions, split_ids
from .lists import add_sizes
from .printable import describe, refuse_mixed_ids
from .ranks import RankedIds
from .sparse import Sparse, looks_sparse, read_sparse, refuse_repeated
from .tables.id_tables import is_frame, is_table, read_relevant_frame, read_retrieved_frame
from .tables.user_rows import JoinedIds
from .truth import Truth

if TYPE_CHECKING:
    from .types import Bools, Floats, Integers

OR_FIRST = ', or pass duplicates="first" or "in_place"'  # the end of errors
FILLING = -1  # what stands after the last id of a row of integers
BEFORE_IDS = "is -1, but ids follow; -1 may stand only at the end of a row"


class OutOfColumns(ValueError):
    """Integers that are no numbers of columns; ids of any type are matched by their hash."""


class IdLists(NamedTuple):
    """The ids of many lists in the form of the argument, and the users of the lists."""

    name: str  # of the argument
    rows: list[Any]  # lists and tuples; of relevant ids also sets, and dicts id -> label
    users: list[object] | None  # None: lists are paired by position
    single: bool  # the argument is one list
    note: str | None = None  # what to warn about


PLAIN_ROWS = {list, tuple, set, frozenset, dict, np.ndarray, int, str}
ONE_TIME: Any = (Iterator, MappingView)  # can be read once, or may change


def is_plain(value: object) -> bool:
    """Whether a value is an array, or a list of rows without labels that can be read again."""
    if isinstance(value, (list, tuple)):
        return set(map(type, value)) <= PLAIN_ROWS
    return value is None or type(value) is np.ndarray


def materialise_sides(**sides: object) -> list[Any]:
    """The arguments of a call as values that can be read again, in one order of their labels."""
    if not (is_series(sides["retrieved"]) and is_series(sides["relevant"])):  # paired by label
        not_tables = {name: value for name, value in sides.items() if not is_table(value)}
        refuse_other_order(**not_tables)
    return list(map(materialise, sides.values()))


def materialise(value: Any) -> Any:
    """Iterators and views of dicts as lists, also as rows, and frames of integers as arrays."""
    if hasattr(value, "to_numpy") and hasattr(value, "columns") and not cannot_be_columns(value):
        return value.to_numpy()
    if isinstance(value, memoryview):
        return np.asarray(value)
    if isinstance(value, Mapping) and is_sparse(value):  # scipy's in the DOK format
        return value.tocsr()  # type: ignore[attr-defined]
    if is_nested_tensor(value):
        return [row.tolist() for row in value.unbind()]
    if isinstance(value, ONE_TIME):
        value = list(value)
    if isinstance(value, dict):
        rows = list(value.values())
    elif type(value) in (list, tuple):
        rows = value
    else:
        return value
    if not any(issubclass(kind, ONE_TIME) for kind in set(map(type, rows))):
        return value
    result = list(rows)
    for index, row in enumerate(rows):
        if isinstance(row, ONE_TIME):
            result[index] = list(row)
    if isinstance(value, dict):
        return dict(zip(value, result, strict=True))
    return result


def cut_filling(rows: Sequence[list[Any]], names: Sequence[str]) -> list[list[Any]]:
    """The rows of some arguments without the -1 that fill their ends: the one rule for -1.

    -1 fills rows if all ids are integers and none is below it; else it is an id like others. In a
    set it may stand anywhere.
    """
    all_rows = list(chain.from_iterable(rows))
    first = next(chain.from_iterable(all_rows), None)
    if not isinstance(first, Integral):
        return list(rows)
    try:
        is_filled = min(chain.from_iterable(all_rows)) == FILLING
    except (TypeError, ValueError):  # ids of two types, which are refused later
        return list(rows)
    kinds = set(map(type, chain.from_iterable(all_rows)))
    if not is_filled or not all(issubclass(kind, Integral) for kind in kinds):
        return list(rows)
    result = []
    for side, name in zip(rows, names, strict=True):
        result.append([_cut_row(row, name, number) for number, row in enumerate(side)])
    return result


def _cut_row(row: Any, name: str, index: int) -> Any:
    """A row up to its last id."""
    if FILLING not in row:
        return row
    if isinstance(row, AnySet):
        return row - {FILLING}
    if isinstance(row, Mapping):
        raise ValueError(f"{name}: list {index} has a label for -1, which fills rows; remove it")
    end = len(row)
    while end and row[end - 1] == FILLING:
        end -= 1
    if FILLING in row[:end]:
        raise ValueError(f"{name}: list {index}, position {row.index(FILLING)} {BEFORE_IDS}")
    if type(row) is RankedIds:
        return RankedIds(row[:end], row.places[:end])
    return row[:end]


def is_id(value: object) -> bool:
    """Whether a value is text or an integer, as ids are."""
    is_flag = isinstance(value, (bool, np.bool_))
    return isinstance(value, (str, Integral)) and not is_flag


def refuse_scores(value: object, name: str) -> None:
    """Refuse scores as ids: a pair of scores and ids, as `torch.topk` returns, or sparse ones."""
    if is_sparse(value):
        raise TypeError(sparse_words(value, name))
    if not isinstance(value, tuple) or len(value) != 2:
        return
    scores, ids = value
    shape = tuple(getattr(scores, "shape", ()))
    if not shape or shape != tuple(getattr(ids, "shape", ())):
        return
    scores_type = str(getattr(scores, "dtype", ""))
    ids_type = str(getattr(ids, "dtype", ""))
    if "float" in scores_type and "int" in ids_type:
        ids_alone = f"{name}.indices" if hasattr(value, "indices") else f"{name}[1]"
        raise TypeError(
            f"{name} is a pair of scores and ids, as torch.topk returns; give the ids alone: "
            f"{ids_alone}"
        )


def refuse_label_matrix(value: object, name: str) -> None:
    """Refuse a matrix of labels 0 and 1, in which rows are no ids."""
    if isinstance(value, np.ndarray):
        if value.ndim != 2:
            return
    elif not isinstance(value, (list, tuple)):
        return
    if not len(value) or not is_row(value[0]):
        return
    width = len(value[0])
    # Ids stand once in a row, so three cells of 0 and 1 are no ids.
    if width < 3 or isinstance(next(iter(value[0])), str):
        return
    if not all(is_row(row) and len(row) == width for row in value):
        return
    try:
        array = np.asarray(value)
    except ValueError:
        return
    is_matrix = array.ndim == 2 and array.dtype.kind in "biuf"
    if is_matrix and bool(((array == 0) | (array == 1)).all()):
        raise _label_matrix_error(name)


def refuse_label_rows(ids: Ragged, name: str) -> None:
    """Refuse rows of one width that hold the labels 0 and 1, as `refuse_label_matrix` does."""
    width = int(ids.sizes.max(initial=0))
    is_matrix = width >= 3 and bool((ids.sizes == width).all())
    if is_matrix and ids.flat.max() <= 1 and ids.flat.min() >= 0:
        raise _label_matrix_error(name)


def _label_matrix_error(name: str) -> ValueError:
    return ValueError(
        f"{name} looks like a matrix of labels 0 and 1, with a column for each item, but must "
        f"hold the ids of relevant items; give scipy.sparse.csr_matrix({name}), or scores for "
        "the same matrix to evaluate_arrays"
    )


def read_ids(value: object, name: str, relevant: bool = False, has_labels: bool = True) -> IdLists:
    """Read lists of ids, one list, a mapping of users to lists, or a frame with a row for each.

    has_labels: whether relevant ids may have labels.
    """
    if is_table(value):
        if relevant:
            owners, lists = read_relevant_frame(value, name, has_labels)
            return IdLists(name, lists, owners, False)
        owners, ranked_lists, note = read_retrieved_frame(value, name)
        return IdLists(name, ranked_lists, owners, False, note)
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(
            f"{name} must hold lists of ids, not {type(value).__name__} ({describe(value)})"
        )
    if relevant and looks_sparse(value):
        raise TypeError(
            f"{name} is a sparse matrix, so its ids are numbers of columns from 0 on; give the "
            f"retrieved ids as such ints too, or {name} as lists of ids"
        )
    users = None
    if is_series(value):
        users = _labels_of_series(value)
    if isinstance(value, Mapping):
        rows = list(value.values())
        if relevant and rows:
            if all(isinstance(label, (Number, np.number)) for label in rows):  # of one list
                return IdLists(name, [dict(value)], None, True)
            if all(isinstance(row, str) for row in rows):
                rows = [[row] for row in rows]  # one id for each user
        users = list(value)
        refuse_mixed_ids(users, lambda index: f"{name}: the id of list {index}")
    else:
        if relevant and isinstance(value, AnySet):
            return IdLists(name, [value], None, True)
        rows = _as_list(value, name)
        if rows and users is None and not is_row(rows[0]):
            return IdLists(name, [rows], None, True)
        if relevant and rows and users is not None and all(map(is_id, rows)):
            rows = [[row] for row in rows]  # one id for each user
    return IdLists(name, rows, users, False)


def split_joined(relevant: IdLists, retrieved: IdLists) -> IdLists:
    """Relevant ids of a table, split where a text holds several ids that are joined by blanks.

    The whole text is an id if one of the retrieved ids has blanks, or if no part of a text is one
    of them.
    """
    if not isinstance(relevant.rows, JoinedIds):
        return relevant
    retrieved_lists = as_lists(retrieved.rows, retrieved.name, relevant=False)
    retrieved_ids = set(chain.from_iterable(retrieved_lists))
    texts = []
    parts: list[str] = []
    for [text] in relevant.rows:
        words = text.split() if isinstance(text, str) else []
        if len(words) > 1:
            texts.append(text)
            parts += words
    if not retrieved_ids.isdisjoint(texts) or retrieved_ids.isdisjoint(parts):
        return relevant._replace(rows=list(relevant.rows))
    name = relevant.name
    rows = [split_ids(text, f"{name}: list {i}") for i, [text] in enumerate(relevant.rows)]
    return relevant._replace(rows=as_impressions(rows) or rows)


def as_lists(rows: list[Any], name: str, relevant: bool = True) -> list[Any]:
    """Each row as a list of ids, or for relevant ids as a set or dict."""
    lists = list(rows)
    for index, row in enumerate(rows):
        if not isinstance(row, list):
            lists[index] = list_ids(row, name, index, relevant)
    return lists


def _labels_of_series(series: Any) -> list[object] | None:
    """The index of a Series, which holds its users; None if it is pandas' default, 0 .. n-1."""
    labels: list[object] = series.index.tolist()
    if labels == list(range(len(labels))):
        return None
    return labels


def _as_list(value: object, name: str) -> list[Any]:
    if isinstance(value, AnySet):
        raise TypeError(f"{name} is a set, which has no order; give a list, best first")
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(value, method):
            value = getattr(value, method)()
            break
    if hasattr(value, "columns"):
        raise TypeError(
            f"{name}: the {type(value).__name__} has no column of users or queries, such as "
            "user_id or query_id; rename a column, or give lists of ids"
        )
    if not isinstance(value, Sequence):
        raise TypeError(f"{name} must hold lists of ids, not {type(value).__name__}")
    if type(value) is list:
        return value
    return list(value)


def list_ids(row: object, name: str, index: int, relevant: bool) -> Any:
    """Return the ids of one list; errors name it. relevant: sets and dicts are allowed."""
    place = f"{name}: list {index}"
    if isinstance(row, tuple):
        return row
    if isinstance(row, (AnySet, Mapping)):
        if relevant:
            return row
        kind = "a dict (evaluate takes scores by id)" if isinstance(row, Mapping) else "a set"
        raise TypeError(f"{place} is {kind}; give its ids as a list, best first")
    if not is_row(row):
        raise TypeError(f"{place} is {describe(row)}; give a list of ids, which may be empty")
    return _as_list(row, place)


def cannot_be_columns(value: object) -> bool:
    """Whether ids cannot be numbers of columns: text, objects, lists by user, or a frame.

    True: they certainly are not. False: they may be; `are_column_numbers` looks closer.
    """
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O":
            return value.size > 0 and cannot_be_columns(value.tolist())
        return value.dtype.kind in "UST"
    if isinstance(value, (Mapping, bytes)):
        return True
    if isinstance(value, AnySet):
        value = list(value)
    if is_frame(value):  # without names of columns it is a matrix: a row of ids for each user
        return is_table(value) or not hasattr(value, "to_numpy")
    if is_series(value) and _labels_of_series(value):
        return True
    if not isinstance(value, Sequence):
        for method in ("to_list", "to_pylist"):  # list columns; arrays have neither
            if hasattr(value, method):
                return cannot_be_columns(getattr(value, method)())
        return hasattr(value, "tolist") and cannot_be_columns(np.asarray(value))
    # The first id in a row, or the first that is not in one.
    first = next(chain.from_iterable(filter(is_row, value)), None)
    if first is None:
        first = next(filterfalse(is_row, value), None)
    return first is not None and not isinstance(first, (Number, np.number, np.bool_))


def labels_of_row(row: Collection[object]) -> list[object]:
    """The labels of the relevant ids of a list: 1 for ids without labels."""
    if isinstance(row, Mapping):
        return list(row.values())
    return [1] * len(row)


def attach_gains(relevant: IdLists, gains: object) -> IdLists:
    """Relevant ids with the labels of `gains`, which has the same form."""
    rows = as_lists(relevant.rows, relevant.name)
    if relevant.users is not None or any(isinstance(row, Mapping) for row in rows):
        raise ValueError(
            "gains is for relevant ids in lists; here relevant must hold dicts id -> label"
        )
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    gains_of_lists = [gains] if relevant.single else gains
    labels = _flatten_gains(gains_of_lists, sizes, "gains").tolist()
    [cut] = cut_filling([rows], [relevant.name])
    starts = add_sizes(sizes)[:-1].tolist()
    labelled = []
    for index, (ids, start) in enumerate(zip(cut, starts, strict=True)):
        # The -1 that fill a row had gains, too, so its ids may be fewer than these.
        label_of_id = dict(zip(ids, labels[start : start + len(ids)], strict=True))
        if len(label_of_id) < len(ids):
            raise ValueError(f"relevant: list {index} has an id twice; give an id once")
        labelled.append(label_of_id)
    return relevant._replace(rows=labelled)


def _flatten_gains(gains: object, sizes: Integers, name: str) -> Floats:
    """The gains of all relevant ids in one array; sizes: the number of ids of each list.

    name: the argument that holds them, for errors.
    """
    if not isinstance(gains, (Sequence, np.ndarray)) or isinstance(gains, (str, bytes)):
        raise TypeError(f"{name} must be a sequence of arrays, not {type(gains).__name__}")
    result = read_numbers(list(materialise(gains)), name)
    refuse_sizes(result.sizes, sizes, name, "relevant", "label")
    wide = is_wide(result.flat)
    wrong = np.flatnonzero(wide | ~np.isfinite(result.flat))
    if wrong.size:
        position = int(wrong[0])
        ends = np.cumsum(sizes)
        row = int(np.searchsorted(ends, position, side="right"))
        place = position - int(ends[row] - sizes[row])
        words = "gains must be finite" if name == "gains" else "labels must be finite"
        if wide.any():
            words = "it cannot be represented exactly as a float64; rescale it"
        raise ValueError(
            f"{name}: list {row}, position {place} is {result.flat[position]}; {words}"
        )
    flat: Floats = result.flat.astype(np.float64)
    return flat


def read_relevant(relevant: object, gains: object = None, name: str = "relevant") -> Sparse:
    """Relevant ids that are numbers of columns, with their labels, as a matrix."""
    name_of_gains = "gains"
    ids = relevant if isinstance(relevant, Ragged) else integer_rows(relevant)
    if ids is None and (looks_sparse(relevant) or isinstance(relevant, Truth)):
        if gains is not None:
            raise ValueError(f"gains: {name} already holds gains; remove gains=")
        if isinstance(relevant, Truth):
            result = _of_truth(relevant)
        else:
            result = read_sparse(relevant, name)
        # The arrays of a sparse matrix may have room after their last entry.
        end = int(result.indptr[-1])
        return Sparse(result.data[:end], result.indices[:end], result.indptr, result.columns)
    if ids is None:
        if isinstance(relevant, np.ma.MaskedArray):
            relevant = convert_array(relevant, name)
        lists = _as_list(relevant, name)
        if name == "relevant" and lists and all(map(is_id, lists)):
            lists = [[row] for row in lists]  # one id for each list
            if gains is not None:
                gains_of_lists = materialise(gains)
                if len(gains_of_lists) == len(lists):
                    gains = [row if is_row(row) else [row] for row in gains_of_lists]
        kinds = set(map(type, lists))
        if any(issubclass(kind, Mapping) for kind in kinds):
            if gains is not None:
                raise ValueError(f"gains: dicts of {name} ids already hold gains; remove gains=")
            if any(isinstance(row, (AnySet, Mapping)) and FILLING in row for row in lists):
                raise OutOfColumns(f"{name} has a label for -1, which fills rows; remove it")
            gains = list(map(labels_of_row, lists))
            name_of_gains = name
        if any(issubclass(kind, (Mapping, AnySet)) for kind in kinds):
            lists = list(map(_as_plain_list, lists))
        ids = integer_rows(lists)
    if ids is None:
        parts = [_integers(row, position, name) for position, row in enumerate(lists)]
        sizes = np.fromiter(map(len, parts), np.int64, len(parts))
        ids = Ragged(np.concatenate([np.zeros(0, np.int64), *parts]), sizes)
    flat, sizes = ids
    if gains is None:
        data = np.ones(len(flat))
    else:
        data = _flatten_gains(gains, sizes, name_of_gains)
    if flat.min(initial=0) < 0:
        filled = _find_filling(ids, name)
        row_of = np.repeat(np.arange(len(sizes)), sizes)
        sizes = sizes - np.bincount(row_of[filled], minlength=len(sizes))
        data = data[~filled]
        flat = flat[~filled]
    result = Sparse(data, flat, add_sizes(sizes), None)
    if len(flat) and not _core.check_indices(flat, result.indptr, np.iinfo(np.int64).max)[1]:
        refuse_repeated(result, name, OR_FIRST)
    return result


def _as_plain_list(row: object) -> object:
    """The ids of a dict or a set as a list; other rows as they are."""
    if isinstance(row, Mapping):
        return list(row)
    if isinstance(row, AnySet):
        return list(row - {FILLING})
    return row


def _find_filling(ids: Ragged, name: str) -> Bools:
    """A mask of the -1 that fill the ends of rows; other negative numbers are refused."""
    flat, sizes = ids
    row_of = np.repeat(np.arange(len(sizes)), sizes)
    if flat.min() < FILLING:
        row = row_of[int(flat.argmin())]
        raise OutOfColumns(f"{name}: index {flat.min()} of list {row} is negative")
    filled: Bools = flat == FILLING
    before_id = filled[:-1] & ~filled[1:] & (row_of[:-1] == row_of[1:])
    if before_id.any():
        position = int(before_id.argmax())
        place = position - int(np.searchsorted(row_of, row_of[position]))
        raise ValueError(f"{name}: list {row_of[position]}, position {place} {BEFORE_IDS}")
    return filled


def _integers(row: object, index: int, name: str) -> Integers:
    """The integer ids of a list."""
    array = plain_array(row, f"{name} (list {index})")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.ndim == 1 and array.dtype.kind in "US":
        # NumPy has converted integers beside a text.
        values = array.tolist() if isinstance(row, np.ndarray) else list(row)  # type: ignore[call-overload]
        position = next(i for i, value in enumerate(values) if isinstance(value, (str, bytes)))
        raise TypeError(
            f"{name}: list {index}, position {position} is {describe(values[position])}, but "
            "retrieved holds integers; ids of different types never match; convert them to one type"
        )
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            f"{name} (list {index}) must be a 1-D array of int ids, not {array.dtype} of shape "
            f"{array.shape}"
        )
    if array.dtype.kind == "u" and array.max() >= 2**63:
        raise OutOfColumns(f"{name} (list {index}) holds the id {array.max()}: too large")
    result: Integers = array.astype(np.int64)
    return result


def _of_truth(truth: Truth) -> Sparse:
    """The labels of a Truth that are not 0, as a sparse matrix of users and items."""
    labels = truth.labels
    if truth.ignores:
        raise ValueError(
            "relevant: the Truth leaves out items by their labels (ignore=), which lists of ids "
            "cannot. Make it without ignore=, and remove these items from the lists"
        )
    if isinstance(labels, Sparse):
        return labels
    if truth.layout.single:
        labels = labels.reshape(1, -1)
    if labels.ndim != 2:
        raise ValueError("relevant: the Truth must be of labels of shape (users, items)")
    # Cells beyond the length of a row are no labels. np.nonzero goes row by row, so `users` ascend
    # and the first entry of each user can be searched.
    columns = np.arange(labels.shape[1])
    is_label = columns < truth.layout.sizes[:, None]
    users, items = np.nonzero((labels != 0) & is_label)
    indptr = np.searchsorted(users, np.arange(len(labels) + 1))
    items = pack(items, np.int64)
    return Sparse(labels[users, items], items, indptr.astype(np.int64), labels.shape[1])
