"""Group rows by a key; groups are in the order of their first rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from .types import Array


class Groups(NamedTuple):
    """The list of each row."""

    codes: Any  # the number of the list of each row
    first: Any  # the first row of each list
    sizes: Any
    adjacent: bool  # the rows of every list are adjacent already

    def together(self, values: Array) -> Any:
        """Reorder the values of rows list by list; inside a list the order stays."""
        if self.adjacent:
            return values
        if values.itemsize not in (1, 2, 4, 8):
            return values[np.argsort(self.codes, kind="stable")]
        bits = np.ascontiguousarray(values).view(f"u{values.itemsize}")
        out = np.empty_like(bits)
        starts = np.cumsum(self.sizes) - self.sizes
        _core.scatter_rows(bits, self.codes, starts, out)
        return out.view(values.dtype)

    def order(self) -> Any:
        """The numbers of the rows, list by list."""
        return self.together(np.arange(len(self.codes)))


def group_rows(keys: Array) -> Groups:
    """Group rows with equal keys; keys: a 1-D array of integers or other values."""
    if keys.dtype.kind in "SU":
        keys = np.unique(keys, return_inverse=True)[1]
    elif keys.dtype.kind == "f":
        keys = (keys + 0.0).astype(np.float64).view(np.int64)  # -0.0 is 0.0
    elif keys.dtype.kind not in "biu":
        known: dict[Any, int] = {}
        keys = np.array([known.setdefault(one, len(known)) for one in keys.tolist()], np.int64)
    if keys.dtype.itemsize < 8 and keys.dtype != np.uint32:
        keys = np.ascontiguousarray(keys, np.int32)
    elif keys.dtype.kind == "u" and keys.dtype.itemsize == 8:
        keys = np.ascontiguousarray(keys, np.uint64).view(np.int64)
    keys = np.ascontiguousarray(keys, np.int32 if keys.dtype == np.int32 else np.int64)
    codes = np.empty(len(keys), np.int32)
    lists, runs = _core.number_keys(keys, codes)
    first, sizes = np.empty(lists, np.int64), np.empty(lists, np.int64)
    _core.survey_codes(codes, first, sizes)
    return Groups(codes, first, sizes, lists == runs)
