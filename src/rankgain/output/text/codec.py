"""Stored JSON: values as JSON, and kinds of values, which check JSON and read it.

A kind takes a JSON value and returns the Python value that it represents, or raises `StoredError`.
"""

import json
import math
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn, TypeAlias, get_type_hints

import numpy as np

from ...convention.fields import SUMMATIONS
from ...convention.options import read_cutoff
from ...engine.means import MeanRule
from ...engine.setting_values import number_value, setting_value
from ...inputs.types import Path
from ...measures.measure import parse_measure

Kind: TypeAlias = Callable[[Any], Any]
MOST_CHARACTERS = 40  # of a wrong value in an error


class StoredError(ValueError):
    """A wrong value: what is wrong, and the keys that lead to it."""

    def __init__(self, what: str, *place: object) -> None:
        self.what, self.place = what, place
        super().__init__(": ".join((", ".join(str(key)[:MOST_CHARACTERS] for key in place), what)))


def encode(value: object) -> Any:
    """A value for strict JSON: nan is null, infinity "inf", a NamedTuple an object of its fields.

    Keys become text.
    """
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): encode(one) for key, one in value.items()}
    if isinstance(value, np.ndarray) and np.isfinite(value).all():
        return value.tolist()
    if isinstance(value, (np.ndarray, list, tuple)):
        return [encode(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def write(data: object) -> str:
    """The text of a file with this value."""
    return json.dumps(encode(data), indent=1, allow_nan=False) + "\n"


def load(path: Path) -> object:
    """The content of a JSON file, or None if it is not JSON."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError):  # no JSON, or no text
        return None


def refuse(words: str, value: object) -> NoReturn:
    """Raise an error with the kind of value that is wanted, and the value."""
    raise StoredError(f"{words} is wanted, not {repr(value)[:MOST_CHARACTERS]}")


def make_kind(words: str, holds: Callable[[Any], bool], make: Kind | None = None) -> Kind:
    """The values for which a condition holds; `make` returns what they represent."""

    def read(value: object) -> object:
        if not holds(value):
            refuse(words, value)
        return value if make is None else make(value)

    return read


def call_reader(read: Kind) -> Kind:
    """What a function reads that raises ValueError or TypeError."""

    def read_stored(value: object) -> object:
        try:
            return read(value)
        except StoredError:
            raise
        except (ValueError, TypeError) as error:
            raise StoredError(str(error)) from None

    return read_stored


def number_where(holds: Callable[[float], bool], words: str) -> Kind:
    """A number for which a condition holds."""
    return make_kind(words, lambda value: holds(number(value)), number)


def make_whole(low: int, high: int = 2**63 - 1) -> Kind:
    """A whole number from low to high."""
    words = f"a whole number of at least {low}"
    return make_kind(words, lambda value: type(value) is int and low <= value <= high)


def make_choice(words: Collection[Any], what: str = "") -> Kind:
    """One of some values; `what` says it in errors."""
    what = what or f"one of {', '.join(words)}"
    return make_kind(what, lambda value: type(value) in (str, int, type(None)) and value in words)


text = make_kind("text", lambda value: type(value) is str)
flag = make_kind("true or false", lambda value: type(value) is bool)
count = make_whole(0)


def number(value: Any) -> float:
    """A number; null is nan, and infinity is "inf" or "-inf"."""
    if value is None:
        return math.nan
    fits = type(value) in (int, float) and abs(value) <= sys.float_info.max
    if not fits and value not in ("inf", "-inf"):
        refuse("a number", value)
    return float(value)


def measure(value: object) -> str:
    """The name of a measure."""
    try:
        parse_measure(text(value))
    except ValueError:
        refuse("the name of a measure", value)
    return str(value)


def id_(value: object) -> object:
    """An id or a label: a text or a number."""
    if type(value) not in (str, int, float) or value != value or value in (math.inf, -math.inf):
        raise StoredError(f"ids must be text or numbers, not {repr(value)[:MOST_CHARACTERS]}")
    return value


def or_null(kind: Kind) -> Kind:
    """A kind, or null."""
    return lambda value: None if value is None else kind(value)


def make_list(kind: Kind, n: int | None = None, each: str = "queries") -> Kind:
    """A list, with n values if n is not None; `each` says in errors what the values belong to."""

    def read(value: object) -> list[Any]:
        if type(value) is not list:
            refuse("a list", value)
        if n is not None and len(value) != n:
            raise StoredError(f"{len(value)} values for {n} {each}")
        result: list[Any] = []
        try:
            result.extend(map(kind, value))  # on an error, its length is the position
        except StoredError as error:
            raise StoredError(error.what, len(result), *error.place) from None
        return result

    return read


def column(n: int) -> Kind:
    """A number for each of n queries, as an array."""
    listed = make_list(number, n)
    return lambda value: np.array(listed(value), np.float64)


def pairs(n: int) -> Kind:
    """Two numbers for each of n queries, as an array."""
    listed = make_list(make_list(number, 2, "ends"), n)
    return lambda value: np.array(listed(value), np.float64).reshape(n, 2)


def _inside(key: object, kind: Kind, value: object) -> Any:
    """The value under a key, read by a kind; errors name the key."""
    try:
        return kind(value)
    except StoredError as error:
        raise StoredError(error.what, key, *error.place) from None


def make_table(kind: Kind, keys: Kind = text, same: Collection[str] | None = None) -> Kind:
    """An object whose values are of one kind; same: the keys that it must have, and no others."""

    def read(value: object) -> dict[str, object]:
        if type(value) is not dict:
            refuse("an object", value)
        result = {_inside(key, keys, key): _inside(key, kind, one) for key, one in value.items()}
        if same is not None and result.keys() != set(same):
            raise StoredError(f"the keys must be {', '.join(same) or 'none'}"[:100])
        return result

    return read


def record(needed: Mapping[str, Kind], others: Mapping[str, Kind] | None = None) -> Kind:
    """An object with the keys that it must and may have; other keys are ignored."""

    def read(value: object) -> dict[str, object]:
        if type(value) is not dict:
            refuse("an object", value)
        lacking = [key for key in needed if key not in value]
        if lacking:
            raise StoredError(f"it lacks {lacking[0]!r}")
        kinds = {**needed, **{k: kind for k, kind in (others or {}).items() if k in value}}
        return {key: _inside(key, kind, value[key]) for key, kind in kinds.items()}

    return read


BY_TYPE = {str: text, int: count, float: number, bool: flag}


def make_fields(result: Any, **kinds: Kind) -> Kind:
    """A NamedTuple from the object of its fields, read by these kinds, others by annotation."""
    every = {
        name: kinds[name] if name in kinds else BY_TYPE[hint]
        for name, hint in get_type_hints(result).items()
    }
    may_lack = {name: every.pop(name) for name in result._field_defaults}
    read = record(every, may_lack)
    return lambda value: result(**read(value))


def _setting(value: object) -> object:
    """A setting as `encode` writes it: numbers in tables may be text, and null is nan."""
    if type(value) is dict:
        return setting_value({_read_number(key): _read_number(one) for key, one in value.items()})
    if type(value) is list:
        return [_read_number(one) for one in value]
    is_word = type(value) is str and value not in ("inf", "-inf")
    return value if is_word or type(value) is bool else _read_number(value)


def _read_number(value: object) -> object:
    """A number, also from its text."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = float(value) if type(value) is str else value
        return math.nan if number is None else number_value(number)
    except (TypeError, ValueError, OverflowError):
        refuse("a number", value)


_settings = make_table(_setting)


def _check_settings(value: object) -> dict[str, object]:
    result: dict[str, Any] = _settings(value)
    read_cutoff(result.get("k"))
    return result


settings = call_reader(_check_settings)


def mean_rule(value: object) -> MeanRule:
    """The rule of the means: summation and decimals."""
    if type(value) is not list or len(value) != len(MeanRule._fields):
        refuse("a list of two", value)
    return MeanRule(make_choice(SUMMATIONS)(value[0]), or_null(count)(value[1]))
