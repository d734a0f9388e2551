"""The fields of a Convention, with their checks; values of fields and of settings that compare.

Those of fields are frozen, so that a convention is a key; those of settings are stored as JSON.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from ..inputs.arrays import EXACT, plain_array
from .options import KINDS, UNSET, Flag, Kind, Number, WholeNumber, Word

if TYPE_CHECKING:
    from collections.abc import Iterable


V = TypeVar("V")
SUMMATIONS = ("exact", "pairwise", "by_id")
LONGEST = 60  # characters of a value that an error shows


class Frozen(dict[Any, V]):
    """A dict that hashes, has its keys in order, and cannot change."""

    __slots__ = ()

    def __init__(self, items: Mapping[Any, V]) -> None:
        # Numbers (labels of a gain table) before texts (families).
        pairs = sorted(items.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        super().__init__({freeze(key): freeze(one) for key, one in pairs})

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a frozen mapping cannot be changed; change a dict(...) of it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Frozen, (dict(self),)


def freeze(value: object) -> Any:
    """Return a value in a hashable form; nan is one object, so that tuples of it compare equal."""
    if isinstance(value, Frozen):
        return value
    if isinstance(value, Mapping):
        return Frozen(value)
    if isinstance(value, np.ndarray) and value.ndim:
        return tuple(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return tuple(map(freeze, value))
    return math.nan if isinstance(value, float) and math.isnan(value) else value


def setting_value(value: Any) -> Any:
    """Turn a setting into a value that can be compared, printed and stored as JSON."""
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
    """A number as a setting: an int if it is whole, as 1 and 1.0 are one; nan is one object."""
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


def suggest(word: object, known: Iterable[str]) -> str:
    """Return an unknown word in quotes, with the most similar known words or all of them."""
    from difflib import get_close_matches  # the import takes a millisecond

    near = get_close_matches(str(word).lower(), list(known), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(known)}"
    return f"{word!r:.100}; {hint}"


Check = tuple[Callable[[Any], bool], str]  # of one value; the allowed values in words


def _of(kind: Kind, *others: str | None) -> Check:
    """The check of a kind of value, beside which some others are allowed."""
    words = ", ".join(
        [getattr(kind, "forms", kind.words).removeprefix("one of "), *map(str, others)]
    )
    return lambda value: value in others or kind.allows(value), words


_TEXT: Check = (lambda value: isinstance(value, str), "a string")
_FLAG, _LIMIT = _of(Flag()), _of(Number("a finite number"), None)
_DECIMALS = _of(WholeNumber("a whole number of at least 0", 0), None)

RULES: dict[str, Check] = {
    "gain": _of(KINDS["gain"]),
    "negative": _of(Word("zero", "keep", "raise")),
    "truncate_labels": _FLAG,
    "labels": _of(Word("any", "integer", "binary")),
    "largest_label": _LIMIT,
    "ignore_below": _LIMIT,
    "min_label": _LIMIT,
    "discount": _of(KINDS["discount"]),
    "log_base": _of(KINDS["log_base"]),
    "undiscounted_below_base": _FLAG,
    "k": _of(WholeNumber("a whole number of at least 1 and below 2**63", 1, 2**63), None),
    "ideal": _of(Word("judged", "list", "ones", "given", "returned")),
    "ties": _of(KINDS["ties"]),
    "score_dtype": _of(Word("float32", "float64"), None),
    "result_dtype": _of(Word("float32", "float64")),
    "round": _DECIMALS,
    "round_mean": _DECIMALS,
    "empty": _of(KINDS["empty"]),
    "empty_has_weight": _FLAG,
    "undefined": _of(Word("not_positive", "zero", "zero_sum", "never")),
    "weighted": _FLAG,
    "missing": _of(Word("skip", "zero", "raise")),
    "unjudged": _of(Word("keep", "drop")),
    "own_document": _of(Word("keep", "drop")),
    "drop_scores_at_most": _of(Number("a number", lambda v: not math.isnan(v)), None),
    "divisor": _of(KINDS["divisor"]),
    "summation": _of(Word(*SUMMATIONS)),
    "mean": _of(Word("macro", "micro", "geometric")),
    "rel": _of(KINDS["rel"]),
    "rel_strict": _FLAG,
    "recall_rounding": _of(Number("a number from 0 to below 1", lambda v: 0 <= v < 1), "up"),
    "max_label": _of(KINDS["max_label"]),
    "p": _of(KINDS["p"]),
    "names": (
        lambda v: isinstance(v, Frozen) and all(type(one) is str for one in (*v, *v.values())),
        "a mapping of spellings to names of measures",
    ),
    "version": _TEXT,
    "source": _TEXT,
    "reproduces": _TEXT,
    "leaves_out": _TEXT,
}

#: Fields that may hold a mapping from families of measures to values.
BY_FAMILY = frozenset(
    "negative labels k ties score_dtype empty missing empty_has_weight weighted round "
    "drop_scores_at_most divisor mean".split()
)
