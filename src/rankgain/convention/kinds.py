"""What an option of measures may be, as a kind: words for errors, and checks.

One kind checks the argument of a call, the parameter of a name and the field of a convention.
"""

from __future__ import annotations

import enum
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isnan, nan
from operator import index
from types import MappingProxyType
from typing import Any, Final, Protocol

import numpy as np

from ..inputs.arrays import plain_array


class Unset(enum.Enum):
    """The type of `UNSET`, the default of arguments: the value of the convention."""

    UNSET = "<convention>"

    def __repr__(self) -> str:
        return "<convention>"


UNSET: Final = Unset.UNSET
Value = bool | float | str | Mapping[float, float]

TIES = ("average", "stable", "reverse", "worst", "best", "random", "id", "id_descending")
GAINS = ("linear", "exp2", "binary")
DISCOUNTS = ("log2", "log", "reciprocal")
# For each rule, the fraction of the other tied documents that counts as above.
RANK_RULES = {"optimistic": 0.0, "realistic": 0.5, "pessimistic": 1.0}
# The divisors of each function that has a choice.
DIVISORS = {
    "precision": ("k", "min", "min_relevant"),
    "f1": ("k", "min"),
    "recall": ("relevant", "min"),
    "average_precision": ("relevant", "min", "hits", "k"),
    "judged": ("min", "k"),
    "unjudged": ("k", "min"),
}
DIVISOR_WORDS = tuple(dict.fromkeys(word for words in DIVISORS.values() for word in words))
# Measures of whole tie blocks: no order of tied documents changes them.
MEAN_RANKS = ("mean_rank", "adjusted_mean_rank", "adjusted_mean_rank_index")
BLOCK_MEASURES = ("pr_auc", *MEAN_RANKS, "ranking_loss", "coverage_error")
# Measures for which an undefined list is left out of means, as no number can replace its value.
SKIPPED = ("gauc", *MEAN_RANKS, "ranking_loss")


def is_flag(value: object) -> bool:
    """Whether it is True or False, also NumPy's."""
    return isinstance(value, (bool, np.bool_))


def is_real(value: object) -> bool:
    """Whether it is a Python number that a double holds; nan and infinity are."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return isinstance(value, float) or abs(value) <= sys.float_info.max


def read_number(value: object) -> float:
    """A finite number, also from its text; an integral one becomes an int, so 2 and 2.0 are one."""
    if is_flag(value) or (isinstance(value, str) and "_" in value):
        raise ValueError
    try:
        number = float(value)  # type: ignore[arg-type]  # a TypeError for objects without a float
    except (TypeError, OverflowError):
        raise ValueError from None
    if not isfinite(number):
        raise ValueError
    return int(number) if number.is_integer() and abs(number) <= 2**53 else number


MAX_CUTOFF = 2**63 - 1


def read_integer(name: str, value: Any, words: str) -> int:
    """Check an int; True is none."""
    try:
        if is_flag(value):
            raise TypeError
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be {words}, not {value!r}") from None


class Kind(Protocol):
    """What an argument may be; `words` says it in errors."""

    words: str

    def read(self, name: str, value: object) -> Any:
        """Check the value of an argument and convert it."""

    def parse(self, value: object) -> Value:
        """The value of a parameter in a measure's name, or of its text; else a ValueError."""

    def allows(self, value: object) -> bool:
        """Whether a convention's field may have the value."""


class Number:
    """A number for which a condition holds."""

    def __init__(self, words: str, holds: Callable[[float], bool] = isfinite) -> None:
        self.words, self.holds = words, holds

    def read(self, name: str, value: Any) -> float:
        if is_flag(value) or isinstance(value, (str, bytes)) or np.ndim(value) != 0:
            raise TypeError(f"{name} must be {self.words}, not {value!r}")
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"{name} must be {self.words}, not {value!r}") from None
        if not self.holds(number):
            raise ValueError(f"{name} must be {self.words}, not {value!r}")
        return number

    def parse(self, value: object) -> Value:
        number = read_number(value)
        if not self.holds(number):
            raise ValueError
        return number

    def allows(self, value: object) -> bool:
        return isinstance(value, (int, float)) and is_real(value) and self.holds(value)


class Word:
    """One of some words."""

    def __init__(self, *options: str) -> None:
        self.options, self.words = options, "one of " + ", ".join(options)

    def read(self, name: str, value: object) -> str:
        if not isinstance(value, str) or value not in self.options:
            kind = ValueError if isinstance(value, str) else TypeError
            raise kind(f"{name} must be {self.words}, not {value!r}")
        return str(value)  # the core takes no subclass, such as NumPy's

    def parse(self, value: object) -> Value:
        if not isinstance(value, str) or value.lower() not in self.options:
            raise ValueError
        return value.lower()

    def allows(self, value: object) -> bool:
        return isinstance(value, str) and value in self.options


class Flag:
    """True or False, a parameter in names alone."""

    words = "True or False"

    def read(self, name: str, value: object) -> Any:
        return value

    def parse(self, value: object) -> Value:
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if not isinstance(value, bool):
            raise ValueError
        return value

    def allows(self, value: object) -> bool:
        return isinstance(value, bool)


class Seed:
    """A whole number, possibly beyond 2**53."""

    words = "a whole number from 0 to 2**64 - 1"

    def read(self, name: str, value: object) -> int:
        seed = read_integer(name, value, self.words)
        if not 0 <= seed < 2**64:
            raise ValueError(f"{name} must be {self.words}, not {value!r}")
        return seed

    def parse(self, value: object) -> Value:
        if isinstance(value, str) and re.fullmatch("[0-9]+", value):
            value = int(value)
        try:
            return self.read("seed", value)
        except TypeError:
            raise ValueError from None

    def allows(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64


class Empty:
    """The value of an undefined measure."""

    words = 'a number, nan, "skip" or "raise"'

    def read(self, name: str, value: object) -> Any:
        if isinstance(value, str):
            if value in ("skip", "raise"):
                return str(value)
            raise ValueError(f"{name} must be {self.words}, not {value!r}")
        return Number(self.words, lambda _: True).read(name, value)

    def parse(self, value: object) -> Value:
        if isinstance(value, str) and value.lower() in ("skip", "raise"):
            return value.lower()
        if isinstance(value, str) and value.lower() in ("nan", "inf", "-inf"):
            value = float(value)
        if isinstance(value, float) and not isfinite(value):
            return nan if isnan(value) else value
        return read_number(value)

    def allows(self, value: object) -> bool:
        return value in ("skip", "raise") if isinstance(value, str) else is_real(value)


class Gain:
    """The gain of labels: a word, a table or a function."""

    words = "linear, exp2, binary or a table such as {1:1,2:3} with each label once"

    def read(self, name: str, value: object) -> Any:
        if isinstance(value, str):
            return Word(*GAINS).read(name, value)
        if callable(value) or isinstance(value, Mapping):
            return value
        table = plain_array(value, name)
        if table.ndim != 1 or table.dtype.kind not in "biuf":
            raise TypeError(
                f"{name} must be linear, exp2, binary, a mapping label -> gain, a 1-D array "
                f"indexed by label or a callable, not {value!r}"
            )
        return table

    def parse(self, value: object) -> Value:
        if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
            pairs: Any = [pair.split(":") for pair in value[1:-1].split(",")]
            if any(len(pair) != 2 for pair in pairs):
                raise ValueError
        elif isinstance(value, Mapping):
            pairs = value.items()
        else:
            return Word(*GAINS).parse(value)
        table = [(read_number(label), read_number(gain)) for label, gain in pairs]
        if not table or len(dict(table)) < len(table):
            raise ValueError
        return MappingProxyType(dict(sorted(table)))

    def allows(self, value: object) -> bool:
        if isinstance(value, str):
            return value in GAINS
        return isinstance(value, (tuple, Mapping)) or callable(value)


class Discount:
    """The weights of ranks: a word, an array or a function."""

    words = "log2, log or reciprocal"

    def read(self, name: str, value: object) -> Any:
        if isinstance(value, str):
            return Word(*DISCOUNTS).read(name, value)
        if callable(value):
            return value
        weights = plain_array(value, name)
        if weights.ndim != 1 or weights.dtype.kind not in "biuf":
            raise TypeError(
                f"{name} must be log2, log, reciprocal, a 1-D array of weights or a callable, "
                f"not {value!r}"
            )
        return check_weights(weights)

    def parse(self, value: object) -> Value:
        return Word(*DISCOUNTS).parse(value)

    def allows(self, value: object) -> bool:
        if isinstance(value, str):
            return value in DISCOUNTS
        return isinstance(value, tuple) or callable(value)


def check_weights(weights: Any) -> Any:
    """The weights of ranks as doubles, finite and not increasing."""
    weights = weights.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if bad.size:
        raise ValueError(
            f"discount: the weight of rank {bad[0] + 1} is {weights[bad[0]]}; "
            "weights must be finite and at least 0"
        )
    rising = np.flatnonzero(np.diff(weights) > 0)
    if rising.size:
        raise ValueError(
            f"discount: the weight of rank {rising[0] + 2} is larger than that of the rank before; "
            "weights must not increase"
        )
    return weights


def read_cutoff(k: object, name: str = "k") -> int | None:
    """Check one cutoff; None is the whole list."""
    if k is None:
        return None
    result = _read_size(name, k, "an int of at least 1 or None")
    if result < 1:
        raise ValueError(
            f"{name} must be at least 1, not {result}; leave it out for the whole list"
        )
    return result


def read_required_cutoff(k: object) -> int:
    """Check a cutoff that may not be left out."""
    result = _read_size("k", k, "an int of at least 1")
    if result < 1:
        raise ValueError(f"k must be an int of at least 1, not {result}: k items count")
    return result


def _read_size(name: str, k: object, words: str) -> int:
    result = read_integer(name, k, words)
    if result > MAX_CUTOFF:
        raise ValueError(f"{name} must be below 2**63; no list is longer")
    return result


def read_cutoffs(k: object) -> list[int | None]:
    """Check a sequence of cutoffs."""
    if isinstance(k, (str, bytes)) or not isinstance(k, (Sequence, np.ndarray)):
        raise TypeError(f"k must be an int, None or a sequence of them, not {k!r}")
    if isinstance(k, np.ndarray) and k.ndim != 1:
        raise ValueError(f"k must be one-dimensional, not of shape {k.shape}")
    return [read_cutoff(one, f"k[{i}]") for i, one in enumerate(k)]
