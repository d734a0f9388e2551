"""Lists of ids in every container that people have, filled with -1 where rows are integers."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

Rows = list[list[Any]]


class Tensor:
    """What a tensor of torch is to its readers: its items are tensors, equal by identity."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)
        self.ndim, self.shape, self.dtype = self.values.ndim, self.values.shape, self.values.dtype

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator["Tensor"]:
        return map(Tensor, self.values)

    def __getitem__(self, at: Any) -> "Tensor":
        return Tensor(self.values[at])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values

    def tolist(self) -> Any:
        return self.values.tolist()


def array_of(rows: Any) -> Any:
    """An array; of integers beyond 2**63 without a sign, of text with NumPy's strings."""
    if rows and rows[0] and isinstance(rows[0][0], str):
        return np.array(rows, np.dtypes.StringDType())
    flat = [one for row in rows for one in row]
    return np.array(rows, np.uint64 if max(flat, default=0) >= 2**63 else np.int64)


def arrays_of(rows: Rows) -> list[Any]:
    return [array_of([row])[0] for row in rows]


def objects_of(rows: Rows) -> Any:
    result = np.empty(len(rows), object)
    for at, one in enumerate(arrays_of(rows)):
        result[at] = one
    return result


def series_of(rows: Rows) -> Any:
    return pytest.importorskip("pandas").Series(arrays_of(rows))


def arrow_of(rows: Rows) -> Any:
    pa = pytest.importorskip("pyarrow")
    beyond = any(isinstance(one, int) and one >= 2**63 for row in rows for one in row)
    return pa.array(rows, pa.list_(pa.uint64()) if beyond else None)


FORMS: dict[str, Callable[[Rows], Any]] = {
    "lists": list,
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "an array": array_of,
    "arrays": arrays_of,
    "lists of NumPy's": lambda rows: [list(one) for one in arrays_of(rows)],
    "an array of arrays": objects_of,
    "a Series of arrays": series_of,
    "a tensor": lambda rows: Tensor(array_of(rows)),
    "tensors": lambda rows: [Tensor(one) for one in arrays_of(rows)],
    "a generator": lambda rows: (row for row in rows),
    "generators": lambda rows: [iter(row) for row in rows],
    "a map of iterators": lambda rows: map(iter, rows),
    "values": lambda rows: dict(enumerate(rows)).values(),
    "keys": lambda rows: [dict.fromkeys(row).keys() for row in rows],
    "polars": lambda rows: pytest.importorskip("polars").Series(rows),
    "pyarrow": arrow_of,
    "a frame": lambda rows: pytest.importorskip("pandas").DataFrame(array_of(rows)),
    "by user": lambda rows: dict(enumerate(rows)),
    "arrays by user": lambda rows: dict(enumerate(arrays_of(rows))),
}
BY_USER = ("by user", "arrays by user")
UNIQUE = ("keys",)  # these hold no id twice, and so no row that is filled twice

KINDS: dict[str, Callable[[int], Any]] = {
    "small": lambda i: i,
    "large": lambda i: i * 2**50,
    "beyond 2**63": lambda i: 2**63 + i,
    "negative": lambda i: 3 - i,
    "text": lambda i: f"item {i}",
}
CAN_BE_FILLED = ("small", "large")


def filled(rows: Rows, width: int) -> Rows:
    """Rows of one width, with -1 after their last ids."""
    return [row + [-1] * (width - len(row)) for row in rows]
