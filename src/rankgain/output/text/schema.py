"""Kinds of values in stored JSON: functions that check and read the data.

A kind takes a JSON value and returns the Python value that it represents, or raises `SchemaError`.
"""

import math
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn, TypeAlias

import numpy as np

from ...measures.measure import parse_measure

Kind: TypeAlias = Callable[[Any], Any]
MOST_CHARACTERS = 40  # of a wrong value in an error


class SchemaError(ValueError):
    """A wrong value: what is wrong, and the keys that lead to it."""

    def __init__(self, what: str, *place: object) -> None:
        self.what, self.place = what, place
        super().__init__(": ".join((", ".join(str(key)[:MOST_CHARACTERS] for key in place), what)))


def refuse(wanted: str, value: object) -> NoReturn:
    """Raise an error with the kind of value that is wanted, and the value."""
    raise SchemaError(f"{wanted} is wanted, not {repr(value)[:MOST_CHARACTERS]}")


def inside(key: object, kind: Kind, value: object) -> Any:
    """The value under a key, read by a kind; errors name the key."""
    try:
        return kind(value)
    except SchemaError as error:
        raise SchemaError(error.what, key, *error.place) from None


def text(value: object) -> str:
    """A text."""
    if type(value) is not str:
        refuse("text", value)
    return str(value)


def flag(value: object) -> bool:
    """True or False."""
    if type(value) is not bool:
        refuse("true or false", value)
    return bool(value)


def number(value: Any) -> float:
    """A number; null is nan, and infinity is "inf" or "-inf"."""
    if value is None:
        return math.nan
    fits = type(value) in (int, float) and abs(value) <= sys.float_info.max
    if not fits and value not in ("inf", "-inf"):
        refuse("a number", value)
    return float(value)


def number_where(holds: Callable[[float], bool], words: str) -> Kind:
    """A number for which a condition holds."""

    def read(value: object) -> float:
        result = number(value)
        if not holds(result):
            refuse(words, value)
        return result

    return read


def whole_from(low: int, high: int = 2**63 - 1) -> Kind:
    """A whole number from low to high."""

    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            refuse(f"a whole number of at least {low}", value)
        return int(value)

    return read


count = whole_from(0)


def id_(value: object) -> Any:
    """An id or a label: a text or a number."""
    if type(value) not in (str, int, float) or value != value or value in (math.inf, -math.inf):
        raise SchemaError(f"ids must be text or numbers, not {repr(value)[:MOST_CHARACTERS]}")
    return value


def measure(value: object) -> str:
    """The name of a measure."""
    try:
        parse_measure(text(value))
    except ValueError:
        refuse("the name of a measure", value)
    return str(value)


def one_of(words: Collection[Any], what: str) -> Kind:
    """One of some values."""

    def read(value: object) -> Any:
        if type(value) not in (str, int, type(None)) or value not in words:
            refuse(what, value)
        return value

    return read


def or_null(kind: Kind) -> Kind:
    """A kind, or null."""
    return lambda value: None if value is None else kind(value)


def list_of(kind: Kind, n: int | None = None, each: str = "queries") -> Kind:
    """A list, with n values if n is not None; `each` says in errors what the values belong to."""

    def read(value: object) -> list[Any]:
        if type(value) is not list:
            refuse("a list", value)
        if n is not None and len(value) != n:
            raise SchemaError(f"{len(value)} values for {n} {each}")
        result: list[Any] = []
        try:
            result.extend(map(kind, value))  # on an error, its length is the position
        except SchemaError as error:
            raise SchemaError(error.what, len(result), *error.place) from None
        return result

    return read


def column(n: int) -> Kind:
    """A number for each of n queries, as an array."""
    listed = list_of(number, n)
    return lambda value: np.array(listed(value), np.float64)


def pairs(n: int) -> Kind:
    """Two numbers for each of n queries, as an array."""
    listed = list_of(list_of(number, 2, "ends"), n)
    return lambda value: np.array(listed(value), np.float64).reshape(n, 2)


def table_of(kind: Kind, keys: Kind = text, same: Collection[str] | None = None) -> Kind:
    """An object whose values are of one kind; same: the keys that it must have, and no others."""

    def read(value: object) -> dict[str, Any]:
        if type(value) is not dict:
            refuse("an object", value)
        result = {inside(key, keys, key): inside(key, kind, one) for key, one in value.items()}
        if same is not None and result.keys() != set(same):
            raise SchemaError(f"the keys must be {', '.join(same) or 'none'}"[:100])
        return result

    return read


def record(needed: Mapping[str, Kind], others: Mapping[str, Kind] | None = None) -> Kind:
    """An object with the keys that it must and may have; other keys are ignored."""

    def read(value: object) -> dict[str, Any]:
        if type(value) is not dict:
            refuse("an object", value)
        lacking = [key for key in needed if key not in value]
        if lacking:
            raise SchemaError(f"it lacks {lacking[0]!r}")
        kinds = {**needed, **{k: kind for k, kind in (others or {}).items() if k in value}}
        return {key: inside(key, kind, value[key]) for key, kind in kinds.items()}

    return read
