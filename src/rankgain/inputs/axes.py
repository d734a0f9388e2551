"""Labelled objects: what is paired by position has the same labels, or one side has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from .grouping import factorize
from .printable import describe, is_missing, refuse_mixed_ids, to_python_str

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .types import Array


# Attributes of pandas, polars and pyarrow, and the axis whose labels they are.
LABELS = {"index": "index", "columns": "columns", "column_names": "columns"}
UNLABELLED = {list, tuple, np.ndarray, str, bytes}


def refuse_other_order(**arguments: object) -> None:
    """Refuse arguments, paired by position, whose labels are the same in another order, or agree
    only in part. Positions 0, 1, ... are no labels, and sides without a common one pair as they do.
    """
    labelled = [(name, axes) for name, value in arguments.items() if (axes := find_axes(value))]
    for (first_name, first_axes), (name, axes) in combinations(labelled, 2):
        for axis in filter(first_axes.__contains__, axes):
            labels, other_labels = axes[axis], first_axes[axis]
            if labels is other_labels or len(labels) != len(other_labels) or not len(labels):
                continue
            arrays = np.asarray(labels), np.asarray(other_labels)
            if np.array_equal(*arrays):
                continue
            if any(map(_are_positions, arrays)) and not _are_all_positions(arrays):
                continue
            listed, expected = (value.tolist() for value in arrays)
            if Counter(listed) != Counter(expected):
                if axis != "dims" and _are_same_things(name, first_name, axis, arguments):
                    refuse_partial(listed, expected, axis, name, first_name)
                continue
            index = next((i for i, (a, b) in enumerate(zip(*arrays, strict=True)) if a != b), 0)
            raise ValueError(
                f"{name} and {first_name} have the same labels in another order, but are paired by "
                f"position: place {index} of the {axis} is {describe(listed[index])} in {name} and "
                f"{describe(expected[index])} in {first_name}; bring both into one order, or give "
                "NumPy arrays to pair them as they stand"
            )


def _are_positions(labels: Array) -> bool:
    """Whether labels are 0, 1, ..., as those that a library makes."""
    is_flat = labels.ndim == 1 and labels.dtype.kind in "iu"
    return is_flat and bool((labels == np.arange(len(labels))).all())


def _are_all_positions(arrays: Sequence[Array]) -> bool:
    """Whether all labels are 0, 1, ... in some order."""
    return all(labels.dtype.kind in "iu" and _are_positions(np.sort(labels)) for labels in arrays)


def _are_same_things(name: str, other_name: str, axis: str, arguments: Mapping[str, Any]) -> bool:
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
    listed: Sequence[Any], expected: Sequence[Any], axis: str, name: str, other_name: str
) -> None:
    """Refuse labels of two arguments of which some are common, but not all."""
    positions = list(range(len(listed)))
    if positions in (list(listed), list(expected)):
        return
    absent = Counter(listed) - Counter(expected)
    if not absent or sum(absent.values()) == len(listed):
        return
    index = next(i for i, (a, b) in enumerate(zip(listed, expected, strict=True)) if a != b)
    label = next(iter(absent))
    raise ValueError(
        f"{name} and {other_name} are paired by position, but only some labels of the {axis} are "
        f"the same: {other_name} does not have {describe(label)}, and place {index} is "
        f"{describe(listed[index])} in {name} and {describe(expected[index])} in {other_name}; "
        "give both the same rows and columns, or NumPy arrays to pair them as they are"
    )


def find_axes(value: Any) -> dict[str, Any]:
    """The labels of a value: of its rows, columns and dimensions, and of rows that have some."""
    if value is None or type(value) is np.ndarray:  # the usual cases
        return {}
    stored = getattr(value, "_axes", None)  # of a Truth
    if type(stored) is dict:
        return stored
    is_list = isinstance(value, (list, tuple))
    axes = {} if is_list else _axes_of_array(value)
    if not is_list and str(getattr(value, "dtype", "")) != "object":
        return axes
    rows = value.values if "index" in axes else value
    has_rows = len(rows) > 0 and hasattr(rows[0], "__len__")  # which may be Series
    if has_rows and not set(map(type, rows)) <= UNLABELLED:
        inside = ((i, _axes_of_array(row)) for i, row in enumerate(rows))
        axes |= {f"index of list {i}": row["index"] for i, row in inside if "index" in row}
    return axes


def _axes_of_array(value: object) -> dict[str, object]:
    if hasattr(value, "dims") and hasattr(value, "indexes"):  # xarray's
        labels = map(value.indexes.get, value.dims)
        axes = {**dict(zip(("index", "columns"), labels, strict=False)), "dims": value.dims}
    else:
        axes = {}
        for attribute, axis in LABELS.items():
            axes[axis] = getattr(value, attribute, axes.get(axis))
    return {
        axis: labels for axis, labels in axes.items() if labels is not None and not callable(labels)
    }


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
        if str(query) not in texts:
            raise ValueError(
                f"{name} is a Series whose index has no query {describe(query)}, but such as "
                f"{describe(labels[0])}; {remedy}"
                if labels
                else f"{name} is an empty Series, but there is a query {describe(query)}"
            )
    if len(by_label) < len(labels):
        repeated = Counter(labels).most_common(1)[0][0]
        raise ValueError(f"{name} is a Series whose index has {describe(repeated)} twice; {remedy}")
    return by_label


def by_row(value: Any, name: str, *arrays: object) -> Any:
    """The values of a Series in the order of arrays whose rows have its labels, if one has."""
    labels = (find_axes(array).get("index") for array in arrays)
    rows = next((np.asarray(array).tolist() for array in labels if array is not None), None)
    if rows is None or not is_series(value):
        return value
    if set(rows) != set(value.index.tolist()):
        if len(rows) == len(value):
            refuse_partial(value.index.tolist(), rows, "index", name, "y_true")
        return value
    by_label = as_mapping(value, name, rows)
    return [by_label[row] for row in rows] if isinstance(by_label, Mapping) else value


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
    categories = getattr(getattr(labels, "dtype", None), "categories", None)
    return list(categories) if hasattr(categories, "__len__") else []  # type: ignore[arg-type]


def label_codes(
    labels: Any, queries: Sequence[object], categories: Sequence[object] = ()
) -> tuple[list[str], Any]:
    """Names of the groups, and the number of the group of each list.

    Groups have the order of the categories, given or of the labels, else that of first appearance.
    """
    categories = categories or find_categories(labels)
    labels = as_mapping(labels, "by", queries)
    if isinstance(labels, (set, frozenset)):
        raise TypeError("by is a set, which has no order; give a value for each query")
    if isinstance(labels, (str, bytes)):
        raise TypeError(f"by must hold a value for each query, not be the text {describe(labels)}")
    if isinstance(labels, Mapping):
        missing = [query for query in queries if query not in labels]
        if missing:
            raise ValueError(f"by has no value for query {describe(missing[0])}")
        labels = [labels[query] for query in queries]
    method = next((value for value in ("tolist", "to_list") if hasattr(labels, value)), None)
    values = list(labels) if method is None else getattr(labels, method)()
    if not isinstance(values, list) or len(values) != len(queries):
        count = len(values) if isinstance(values, list) else "one"
        raise ValueError(f"by has {count} values, but there are {len(queries)} queries")
    for index, label in enumerate(values):
        if is_missing(label):
            raise ValueError(
                f"by: query {describe(queries[index])} has no value ({label}); give it one"
            )
    refuse_mixed_ids(values, lambda index: f"by: the value of query {describe(queries[index])}")
    texts = []
    for value in values:
        is_zero = isinstance(value, float) and value == 0  # -0.0 is 0.0
        texts.append("0.0" if is_zero else str(to_python_str(value)))
    present = set(texts)
    ordered = [name for name in map(str, categories) if name in present]
    codes, names = factorize([*ordered, *texts])
    return names, codes[len(ordered) :]
