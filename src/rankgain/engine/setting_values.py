"""Settings of an evaluation as values that can be compared, printed and stored as JSON."""

import math
from collections.abc import Mapping
from functools import partial
from operator import index
from typing import Any

import numpy as np

from ..convention import UNSET
from ..inputs.arrays import EXACT, plain_array

LONGEST = 60  # characters of a value that an error shows


def setting_value(value: Any) -> Any:
    """Turn a setting into a value that can be compared, printed and stored as JSON.

    An integral float becomes an int, so 1 and 1.0 are equal as text. nan becomes the object
    `math.nan`, which equals itself inside lists. A callable becomes its qualified name.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # also of a subclass
    if isinstance(value, Mapping):
        pairs = [(setting_value(key), setting_value(one)) for key, one in value.items()]
        return dict(sorted(pairs, key=lambda pair: (isinstance(pair[0], str), pair[0])))
    if callable(value):
        return _name_callable(value)
    if np.ndim(value):
        return [setting_value(one) for one in plain_array(value, "settings").tolist()]
    return number_value(value)


def setting_values(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Apply `setting_value` to all settings; a value that it cannot convert is a TypeError."""
    if not isinstance(settings, Mapping):
        raise TypeError(f"settings must be a mapping of argument -> value, not {settings!r:.40}")
    result = {}
    for name, value in settings.items():
        try:
            result[name] = setting_value(value)
        except (TypeError, ValueError):
            raise TypeError(
                f"settings[{name!r}] is {value!r:.40}; give a word, a number, a table of numbers "
                "or a callable"
            ) from None
    return result


def number_value(value: Any) -> int | float:
    """A number as a setting: integral ones are ints, and nan is one object."""
    try:
        return index(value)
    except TypeError:
        read = float(value)
    if math.isnan(read):
        return math.nan
    return int(read) if read.is_integer() and abs(read) <= EXACT else read


def _name_callable(function: object) -> str:
    """The qualified name of a callable or of its class; for a partial also its arguments."""
    if isinstance(function, partial):
        named = [f"{name}={one!r}" for name, one in sorted(function.keywords.items())]
        return f"{_name_callable(function.func)}({', '.join([*map(repr, function.args), *named])})"
    for one in (function, type(function)):
        name = getattr(one, "__qualname__", None) or getattr(one, "__name__", None)
        if name:
            break
    # Functions of NumPy have no module, but their class has.
    module = getattr(one, "__module__", None) or type(one).__module__
    return f"{module}.{name}"


def are_equal(one: object, other: object) -> bool:
    """Whether two setting values are equal; nan equals nan, as lists compare identity first."""
    return [one] == [other]


def refuse_different(first: Mapping[str, Any], second: Mapping[str, Any], a: str, b: str) -> None:
    """Raise an error if the settings of two parts differ; a and b: the names of the parts."""
    for name in (*first, *second):
        one, other = first.get(name, UNSET), second.get(name, UNSET)
        if not are_equal(one, other):
            raise ValueError(
                f"{name} of {a} and {b} differ: {_display(one, other)}, and "
                f"{_display(other, one)}; "
                f"evaluate all parts with the same {name}="
            )


def _display(value: Any, other: Any) -> str:
    """A value as text for an error; of a long table only the first entry that differs."""
    if value is UNSET:
        return "the convention's default"
    text = repr(value)
    if len(text) <= LONGEST:
        return text
    if type(value) is not type(other) or isinstance(value, str):
        return f"{text[:LONGEST]}..."
    first, second = (
        dict(one) if isinstance(one, Mapping) else dict(enumerate(one)) for one in (value, other)
    )
    at = next(key for key in (*first, *second) if not are_equal(first.get(key), second.get(key)))
    return f"a table with {first.get(at, 'nothing')} at {at}"
