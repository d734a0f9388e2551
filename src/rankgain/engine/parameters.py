"""The parameters that a measure's name may have in parentheses: checks, and values as text."""

import re
from collections.abc import Callable, Mapping
from math import isfinite, isnan, nan
from operator import index
from types import MappingProxyType

from ..convention.domains import (
    DISCOUNTS,
    DIVISOR_WORDS,
    EMPTY,
    EMPTY_WORDS,
    GAINS,
    LIST_WEIGHTS,
    NUMBERS,
    PER,
    RANK_RULES,
    SEED,
    TIES,
)

Value = bool | float | str | Mapping[float, float]


def is_flag(value: object) -> bool:
    """Whether it is True or False, also NumPy's."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def number(value: object) -> float:
    """`value` as a finite number; an integral float becomes an int, so 2 and 2.0 print alike."""
    if is_flag(value) or (isinstance(value, str) and "_" in value):
        raise ValueError
    try:
        read = float(value)  # type: ignore[arg-type]  # raises TypeError for objects without a float
    except (TypeError, OverflowError):
        raise ValueError from None
    if not isfinite(read):
        raise ValueError
    return int(read) if read.is_integer() and abs(read) <= 2**53 else read


def _word_of(*words: str) -> Callable[[object], Value]:
    def check(value: object) -> Value:
        if not isinstance(value, str) or value.lower() not in words:
            raise ValueError
        return value.lower()

    return check


def _flag(value: object) -> Value:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise ValueError
    return value


def _gain(value: object) -> Value:
    if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
        pairs = [pair.split(":") for pair in value[1:-1].split(",")]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError
        table = [(number(label), number(gain)) for label, gain in pairs]
    elif isinstance(value, Mapping):
        table = [(number(label), number(gain)) for label, gain in value.items()]
    else:
        return _word_of(*GAINS)(value)
    if not table or len(dict(table)) < len(table):
        raise ValueError
    return MappingProxyType(dict(sorted(table)))


def _empty(value: object) -> Value:
    if isinstance(value, str) and value.lower() in EMPTY_WORDS:
        return value.lower()
    if isinstance(value, str) and value.lower() in ("nan", "inf", "-inf"):
        value = float(value)
    if isinstance(value, float) and not isfinite(value):
        return nan if isnan(value) else value
    return number(value)


def _seed(value: object) -> Value:
    """An integer, possibly beyond 2**53."""
    if isinstance(value, str) and re.fullmatch("[0-9]+", value):
        value = int(value)
    if is_flag(value) or not hasattr(value, "__index__"):
        raise ValueError
    read = index(value)
    if not SEED.holds(read):
        raise ValueError
    return read


def _numbers(name: str) -> tuple[str, Callable[[object], Value]]:
    """A parameter of the table NUMBERS."""
    words, holds = NUMBERS[name]

    def checked(value: object) -> Value:
        read = number(value)
        if not holds(read):
            raise ValueError
        return read

    return words, checked


def _words(*words: str) -> tuple[str, Callable[[object], Value]]:
    return "one of " + ", ".join(words), _word_of(*words)


# By parameter: the allowed values in the words of errors, and the function that checks a value.
PARAMETERS: dict[str, tuple[str, Callable[[object], Value]]] = {
    "gain": ("linear, exp2, binary or a table such as {1:1,2:3} with each label once", _gain),
    "discount": ("log2, log or reciprocal", _word_of(*DISCOUNTS)),
    "log_base": _numbers("log_base"),
    "ties": _words(*TIES),
    "seed": (SEED.words, _seed),
    "rel": _numbers("rel"),
    "min_label": _numbers("min_label"),
    "max_label": _numbers("max_label"),
    "divisor": _words(*DIVISOR_WORDS),
    "beta": _numbers("beta"),
    "p": _numbers("p"),
    "recall": _numbers("recall"),
    "per": ("user or item", _word_of(*PER)),
    "rank": _words(*RANK_RULES),
    "share": _numbers("share"),
    "decay": _numbers("decay"),
    "weight": _words(*LIST_WEIGHTS),
    "judged_only": ("True or False", _flag),
    "empty": (EMPTY, _empty),
}


def check(name: str, value: object) -> Value:
    """Check a value and return its canonical form; the ValueError lists the allowed values."""
    wanted, checked = PARAMETERS[name]
    try:
        return checked(value)
    except ValueError:
        raise ValueError(f"{name} must be {wanted}, not {value!r}") from None


def show(value: Value) -> str:
    """The text of a checked value; parsing it gives the same value."""
    if isinstance(value, Mapping):
        pairs = ",".join(f"{label}:{gain}" for label, gain in value.items())
        return f"{{{pairs}}}"
    return str(value)
