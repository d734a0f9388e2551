"""Labelled objects: what is paired by position has the same labels, or one side has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from .grouping import factorize
from .printable import count_of, describe, is_missing, refuse_mixed_ids, to_python_str

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .types import Array, Integers


# Attributes of pandas, polars and pyarrow, and the axis whose labels they are.
LABELS = {"index": "index", "columns": "columns", "column_names": "columns"}
UNLABELLED = {list, tuple, np.ndarray, str, bytes}


def refuse_other_order(**arguments: object) -> None:
    """Refuse arguments, paired by position, whose labels are the same in another order, or agree
    only in part. Positions 0, 1, ... are no labels, and sides without a common one pair as they do.
    """
    labelled = []
    for name, value in arguments.items():
        axes = find_axes(value)
        if axes:
            labelled.append((name, axes))
    for (first_name, first_axes), (name, axes) in combinations(labelled, 2):
        for axis in filter(first_axes.__contains__, axes):
            labels, first_labels = axes[axis], first_axes[axis]
            if labels is first_labels or len(labels) != len(first_labels) or not len(labels):
                continue
            arrays = np.asarray(labels), np.asarray(first_labels)
            if np.array_equal(*arrays):
                continue
            if any(map(_are_positions, arrays)) and not _are_all_positions(arrays):
                continue
            listed = arrays[0].tolist()
            expected = arrays[1].tolist()
            if Counter(listed) != Counter(expected):
                if axis != "dims" and _are_same_things(name, first_name, axis, arguments):
                    refuse_partial(listed, expected, axis, name, first_name)
                continue
            index = _first_difference(*arrays)
            label, first_label = describe(listed[index]), describe(expected[index])
            raise ValueError(
                f"{name} and {first_name} have the same labels in another order, but are paired by "
                f"position: label {index} of the {axis} is {label} in {name} and {first_label} in "
                f"{first_name}; bring both into one order, or give NumPy arrays to pair them as "
                "they stand"
            )


def _first_difference(labels: Iterable[object], other_labels: Iterable[object]) -> int:
    """The first place with different labels; 0 if there is none, as for a NaN in two lists."""
    for index, (label, other_label) in enumerate(zip(labels, other_labels, strict=True)):
        if label != other_label:
            return index
    return 0


def _are_positions(labels: Array) -> bool:
    """Whether labels are 0, 1, ..., as those that a library makes."""
    is_flat = labels.ndim == 1 and labels.dtype.kind in "iu"
    return is_flat and bool((labels == np.arange(len(labels))).all())


def _are_all_positions(arrays: Sequence[Array]) -> bool:
    """Whether all labels are 0, 1, ... in some order."""
    for labels in arrays:
        if labels.dtype.kind not in "iu" or not _are_positions(np.sort(labels)):
            return False
    return True


def _are_same_things(
    name: str, other_name: str, axis: str, arguments: Mapping[str, object]
) -> bool:
    """Whether an axis of two arguments of one length must have the same things in it.

    `judged` has documents of its own, and `group` has lists where the others have documents.
    """
    names = {name, other_name}
    if "group" in names and names != {"group", "lengths"}:
        return False
    if "judged" not in names:
        return True
    if axis != "index":
        return False
    return all(getattr(arguments[argument], "ndim", 1) == 2 for argument in names)


def refuse_partial(
    listed: Sequence[object], expected: Sequence[object], axis: str, name: str, other_name: str
) -> None:
    """Refuse labels of two arguments of which some are common, but not all."""
    positions = list(range(len(listed)))
    if positions in (list(listed), list(expected)):
        return
    # Counts, since a label may stand several times; without a common label nothing is claimed.
    absent = Counter(listed) - Counter(expected)
    if not absent or sum(absent.values()) == len(listed):
        return
    absent_label = describe(next(iter(absent)))
    index = _first_difference(listed, expected)
    label, other_label = describe(listed[index]), describe(expected[index])
    raise ValueError(
        f"{name} and {other_name} are paired by position, but only some labels of the {axis} are "
        f"the same: {other_name} does not have {absent_label}, and label {index} is {label} in "
        f"{name} and {other_label} in {other_name}; give both the same rows and columns, or NumPy "
        "arrays to pair them as they are"
    )


def find_axes(value: Any) -> dict[str, Any]:
    """The labels of a value: of its rows, columns and dimensions, and of rows that have some."""
    if value is None or type(value) is np.ndarray:  # the usual cases
        return {}
    stored = getattr(value, "_axes", None)  # of a Truth
    if type(stored) is dict:
        return stored
    axes: dict[str, object] = {}
    if not isinstance(value, (list, tuple)):
        axes = _axes_of_array(value)
        if str(getattr(value, "dtype", "")) != "object":
            return axes
    rows = value.values if "index" in axes else value
    has_rows = len(rows) > 0 and hasattr(rows[0], "__len__")  # which may be Series
    if has_rows and not set(map(type, rows)) <= UNLABELLED:
        for number, row in enumerate(rows):
            axes_of_row = _axes_of_array(row)
            if "index" in axes_of_row:
                axes[f"index of list {number}"] = axes_of_row["index"]
    return axes


def _axes_of_array(value: object) -> dict[str, object]:
    """The labels of the rows and columns of an array, frame or Series."""
    found: dict[str, object] = {}
    if hasattr(value, "dims") and hasattr(value, "indexes"):  # xarray's
        labels = map(value.indexes.get, value.dims)
        found.update(zip(("index", "columns"), labels, strict=False))
        found["dims"] = value.dims
    else:
        for attribute, axis in LABELS.items():
            found[axis] = getattr(value, attribute, found.get(axis))
    # A method of the name, such as that of a list or a text, holds no labels.
    for axis, labels_of_axis in list(found.items()):
        if labels_of_axis is None or callable(labels_of_axis):
            del found[axis]
    return found


def is_series(value: object) -> bool:
    """Whether a value is a pandas Series, or has an index like one."""
    return hasattr(value, "index") and hasattr(value, "items") and hasattr(value, "tolist")


def as_mapping(value: Any, name: str, queries: Sequence[object]) -> Any:
    """Turn a Series with an index of queries into a dict query -> value; return others unchanged.

    An index 0 .. n-1 is pandas' default and counts rows, unless the queries are these integers.
    """
    if not is_series(value):
        return value
    labels = value.index.tolist()
    if labels == list(range(len(labels))):
        if list(queries) == labels or not set(queries) <= set(labels):
            return value
        if type(value.index).__name__ == "RangeIndex":
            raise ValueError(
                f"{name} is a Series whose index 0, 1, ... may be places or the queries, which are "
                f"such integers in another order; give a dict query -> value, or {name}.to_numpy()"
            )
    by_label = dict(zip(labels, value.tolist(), strict=True))
    remedy = (
        f"give a dict query -> value, or {name}.to_numpy() if it is in the order of the queries"
    )
    texts = set(map(str, labels))
    for query in queries:
        if str(query) in texts:
            continue
        raise ValueError(
            f"{name} is a Series whose index has no query {describe(query)}, but such as "
            f"{describe(labels[0])}; {remedy}"
        )
    if len(by_label) < len(labels):
        repeated = Counter(labels).most_common(1)[0][0]
        raise ValueError(f"{name} is a Series whose index has {describe(repeated)} twice; {remedy}")
    return by_label


def by_row(value: Any, name: str, *arrays: object) -> Any:
    """The values of a Series in the order of arrays whose rows have its labels, if one has."""
    if not is_series(value):
        return value
    rows = None
    for array in arrays:
        labels = find_axes(array).get("index")
        if labels is not None:
            rows = np.asarray(labels).tolist()
            break
    if rows is None:
        return value
    index = value.index.tolist()
    if set(rows) != set(index):
        if len(rows) == len(value):
            refuse_partial(index, rows, "index", name, "y_true")
        return value
    by_label = as_mapping(value, name, rows)
    if not isinstance(by_label, Mapping):
        return value
    return [by_label[row] for row in rows]


class CategoryLabels(tuple[object, ...]):
    """A label for each query, from a column whose categories have an order."""

    categories: tuple[object, ...] = ()

    @classmethod
    def of(cls, labels: Iterable[object], categories: Iterable[object]) -> CategoryLabels:
        """Labels with the order of their categories."""
        result = cls(labels)
        result.categories = tuple(categories)
        return result

    def select(self, places: Iterable[int]) -> CategoryLabels:
        """The labels at some places, with the same categories."""
        return CategoryLabels.of([self[place] for place in places], self.categories)


def find_categories(labels: object) -> list[object]:
    """The categories of labels in their order; [] if they have none.

    pandas' categoricals and polars' Enum have them; polars' Categorical has no order.
    """
    if isinstance(labels, CategoryLabels):
        return list(labels.categories)
    dtype = getattr(labels, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None or not hasattr(categories, "__len__"):
        return []
    return list(categories)


def label_codes(
    labels: Any, queries: Sequence[object], categories: Sequence[object] = ()
) -> tuple[list[str], Integers]:
    """Names of the groups, and the number of the group of each list.

    Groups have the order of the categories, given or of the labels, else that of first appearance.
    """
    categories = categories or find_categories(labels)
    labels = as_mapping(labels, "by", queries)
    if isinstance(labels, (set, frozenset)):
        raise TypeError("by is a set, which has no order; give a value for each query")
    if isinstance(labels, (str, bytes)):
        raise TypeError(
            f"by must hold a value for each query, not be the text {describe(labels)}; "
            '"segment" means the segments of the column that segment= named'
        )
    if isinstance(labels, Mapping):
        missing = [query for query in queries if query not in labels]
        if missing:
            raise ValueError(
                f"by has no value for query {describe(missing[0])}; give one for each query"
            )
        labels = [labels[query] for query in queries]
    if hasattr(labels, "tolist"):
        values = labels.tolist()
    elif hasattr(labels, "to_list"):
        values = labels.to_list()
    else:
        values = list(labels)
    if not isinstance(values, list):  # the number of an array without axes
        raise ValueError(f"by has one value, but there are {len(queries)} queries")
    if len(values) != len(queries):
        raise ValueError(
            f"by has {count_of(len(values), 'value')}, but there are {len(queries)} queries"
        )
    for index, label in enumerate(values):
        if is_missing(label):
            raise ValueError(
                f"by: query {describe(queries[index])} has no value ({label}); give it one"
            )
    refuse_mixed_ids(values, lambda index: f"by: the value of query {describe(queries[index])}")
    texts = []
    for value in values:
        if isinstance(value, float) and value == 0:  # -0.0 is 0.0
            texts.append("0.0")
        else:
            texts.append(str(to_python_str(value)))
    # Names that come first are numbered first, so the categories are put before the labels.
    present = set(texts)
    ordered = [name for name in map(str, categories) if name in present]
    codes, names = factorize([*ordered, *texts])
    return names, codes[len(ordered) :]
