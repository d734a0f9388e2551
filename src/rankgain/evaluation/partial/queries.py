"""Ids of queries in arrays: read them, and find their lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ...inputs.arrays import packed, plain_array

if TYPE_CHECKING:
    from ...inputs.types import Array


def read_ids(value: object, name: str) -> Any:
    """Ids as int64, or as an array of texts."""
    if isinstance(value, (list, tuple)) and any(isinstance(one, str) for one in value):
        value = np.array(value, object)  # NumPy would turn an integer among texts to text
    ids = plain_array(value, name)
    if ids.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {ids.shape}")
    if ids.size == 0:
        return np.zeros(0, np.int64)
    if ids.dtype.kind in "iu":
        if ids.dtype.itemsize == 8 and ids.dtype.kind == "u" and ids.max() >= 2**63:
            raise ValueError(f"{name} holds the id {ids.max()}: too large")
        return packed(ids, np.int64)
    if ids.dtype.kind in "UT":
        return ids.astype(object)
    if ids.dtype.kind == "O":
        for at, one in enumerate(ids.tolist()):
            if not isinstance(one, str):
                raise TypeError(
                    f"{name}[{at}] is {one!r}; ids must all be integers, or all be text: drop what "
                    "has no id, and turn other ids to text"
                )
        return ids
    raise TypeError(f"{name} must hold integers or text, not {ids.dtype}")


def distinct(ids: Iterable[Any], name: str) -> list[Any]:
    """Each id once, in the order of its first place; integers and text do not mix."""
    result = list(dict.fromkeys(ids))
    if len({type(one) for one in result}) > 1:
        raise TypeError(f"{name} has integers and text as ids; turn all of them to text")
    return result


class Known:
    """The lists whose documents are counted, by the ids of their queries. Immutable."""

    def __init__(self, ids: Sequence[Any]) -> None:
        self.ids = ids
        self._by_number = bool(ids) and isinstance(ids[0], int)
        if self._by_number:
            self._places: Any = _core.Places(np.array(ids, np.int64))
        else:
            self._places = {one: at for at, one in enumerate(ids)}

    def __reduce__(self) -> tuple[Any, ...]:
        return Known, (self.ids,)

    def find(self, ids: Array, name: str) -> tuple[Any, int]:
        """The list of each id, -1 where there is none; and how many have none."""
        places = np.empty(len(ids), np.int64)
        if self.ids and len(ids) and (ids.dtype == np.int64) is not self._by_number:
            kinds = ("integers", "text") if self._by_number else ("text", "integers")
            raise TypeError(f"{name}: the lists have {kinds[0]} as ids, but these are {kinds[1]}")
        if self._by_number:
            return places, self._places.find(ids, places)
        get = self._places.get
        places[:] = [get(one, -1) for one in ids.tolist()]
        return places, int((places < 0).sum())
