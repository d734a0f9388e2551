"""The fields of a Convention with their checks, and comparable values of fields and settings.

Values of fields are frozen, so that a convention can be a key of a cache. Values of settings can be
stored as JSON.
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


Item = TypeVar("Item")
SUMMATIONS = ("exact", "pairwise", "by_id")
MAX_SHOWN_CHARACTERS = 60  # characters of a value that an error shows


class Frozen(dict[Any, Item]):
    """A dict that hashes, has its keys in order, and cannot change."""

    __slots__ = ()

    def __init__(self, items: Mapping[Any, Item]) -> None:
        # Numbers (labels of a gain table) come before texts (families), so that equal mappings
        # have their keys in one order.
        pairs = sorted(items.items(), key=_sort_key)
        super().__init__({freeze(key): freeze(item) for key, item in pairs})

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a frozen mapping cannot be changed; change a dict(...) of it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[object, ...]:
        return Frozen, (dict(self),)


def _sort_key(pair: tuple[object, object]) -> tuple[bool, object]:
    """The order of the pairs of a mapping: keys that are numbers first, then texts."""
    key = pair[0]
    return isinstance(key, str), key


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
    if isinstance(value, float) and math.isnan(value):
        return math.nan
    return value


def setting_value(value: Any) -> object:
    """Turn a setting into a value that can be compared, printed and stored as JSON."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # also of a subclass
    if isinstance(value, Mapping):
        pairs = [(setting_value(key), setting_value(item)) for key, item in value.items()]
        return dict(sorted(pairs, key=_sort_key))
    if callable(value):
        return _name_callable(value)
    if np.ndim(value):
        return [setting_value(item) for item in plain_array(value, "settings").tolist()]
    return number_value(value)


def setting_values(settings: Mapping[str, Any]) -> dict[str, object]:
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
        number = float(value)
    if math.isnan(number):
        return math.nan
    # Beyond EXACT neighbouring whole numbers are one float, so an int would claim too much.
    if number.is_integer() and abs(number) <= EXACT:
        return int(number)
    return number


def _name_callable(function: object) -> str:
    """The qualified name of a callable or of its class; for a partial also its arguments."""
    if isinstance(function, partial):
        arguments = list(map(repr, function.args))
        for keyword, argument in sorted(function.keywords.items()):
            arguments.append(f"{keyword}={argument!r}")
        return f"{_name_callable(function.func)}({', '.join(arguments)})"
    # An object without a name is named after its class.
    for candidate in (function, type(function)):
        name = getattr(candidate, "__qualname__", None) or getattr(candidate, "__name__", None)
        if name:
            break
    # Functions of NumPy have no module, but their class has.
    module = getattr(candidate, "__module__", None) or type(candidate).__module__
    return f"{module}.{name}"


def are_equal(first: object, second: object) -> bool:
    """Whether two setting values are equal; nan, which is one object here, equals itself."""
    # The elements of lists are compared by identity before they are compared by value.
    return [first] == [second]


def refuse_different(first: Mapping[str, Any], second: Mapping[str, Any], a: str, b: str) -> None:
    """Raise an error if the settings of two parts differ; a and b: the names of the parts."""
    for name in (*first, *second):
        first_value, second_value = first.get(name, UNSET), second.get(name, UNSET)
        if not are_equal(first_value, second_value):
            raise ValueError(
                f"{name} of {a} and {b} differ: {_display(first_value, second_value)}, and "
                f"{_display(second_value, first_value)}; "
                f"evaluate all parts with the same {name}="
            )


def _display(value: Any, compared_value: Any) -> str:
    """A value as text for an error; of a long table only the first entry that differs."""
    if value is UNSET:
        return "the convention's default"
    text = repr(value)
    if len(text) <= MAX_SHOWN_CHARACTERS:
        return text
    if type(value) is not type(compared_value) or isinstance(value, str):
        return f"{text[:MAX_SHOWN_CHARACTERS]}..."
    entries, compared_entries = _as_mapping(value), _as_mapping(compared_value)
    for key in (*entries, *compared_entries):
        if not are_equal(entries.get(key), compared_entries.get(key)):
            break
    return f"a table with {entries.get(key, 'nothing')} at {key}"


def _as_mapping(table: Mapping[Any, object] | Sequence[object]) -> Mapping[Any, object]:
    """A table of a setting by key: the keys of a mapping, the positions of a sequence."""
    if isinstance(table, Mapping):
        return table
    return dict(enumerate(table))


def list_choices(words: Iterable[str]) -> str:
    """Words as the choices of a question: "a, b or c"."""
    *first, last = words
    if not first:
        return last
    return f"{', '.join(first)} or {last}"


def suggest(word: object, known_words: Iterable[str]) -> str:
    """Return an unknown word in quotes, with the most similar known words or all of them."""
    from difflib import get_close_matches  # the import takes a millisecond

    typed = str(word).lower()
    matches = [known_word for known_word in known_words if typed and known_word.startswith(typed)]
    if not matches:
        matches = get_close_matches(typed, list(known_words), n=3, cutoff=0.5)
    if matches:
        hint = f"did you mean {list_choices(map(repr, matches))}?"
    else:
        hint = f"known: {', '.join(known_words)}"
    return f"{word!r:.100}; {hint}"


Check = tuple[Callable[[Any], bool], str]  # of one value; the allowed values in words


def check_kind(kind: Kind, *extra_values: str | None) -> Check:
    """The check of a field: a value of this kind, or one of the extra values."""
    words = [getattr(kind, "forms", kind.words)]
    if isinstance(kind, Word):
        words = list(kind.options)
    allowed = list_choices([*words, *map(str, extra_values)])
    return lambda value: value in extra_values or kind.allows(value), allowed


def _is_mapping_of_names(value: object) -> bool:
    """Whether it maps spellings to names of measures, both as plain text."""
    if not isinstance(value, Frozen):
        return False
    return all(type(text) is str for text in (*value, *value.values()))


IS_TEXT: Check = (lambda value: isinstance(value, str), "a string")
IS_FLAG = check_kind(Flag())
IS_LIMIT = check_kind(Number("a finite number"), None)
IS_DECIMALS = check_kind(WholeNumber("a whole number of at least 0", 0), None)

FIELD_CHECKS: dict[str, Check] = {
    "gain": check_kind(KINDS["gain"]),
    "negative": check_kind(Word("zero", "keep", "raise")),
    "truncate_labels": IS_FLAG,
    "labels": check_kind(Word("any", "integer", "binary")),
    "largest_label": IS_LIMIT,
    "ignore_below": IS_LIMIT,
    "min_label": IS_LIMIT,
    "discount": check_kind(KINDS["discount"]),
    "log_base": check_kind(KINDS["log_base"]),
    "undiscounted_below_base": IS_FLAG,
    "k": check_kind(WholeNumber("a whole number of at least 1 and below 2**63", 1, 2**63), None),
    "ideal": check_kind(Word("judged", "list", "ones", "given", "returned")),
    "ties": check_kind(KINDS["ties"]),
    "score_dtype": check_kind(Word("float32", "float64"), None),
    "result_dtype": check_kind(Word("float32", "float64")),
    "round": IS_DECIMALS,
    "round_mean": IS_DECIMALS,
    "empty": check_kind(KINDS["empty"]),
    "empty_has_weight": IS_FLAG,
    "undefined": check_kind(Word("not_positive", "zero", "zero_sum", "never")),
    "weighted": IS_FLAG,
    "missing": check_kind(Word("skip", "zero", "raise")),
    "unjudged": check_kind(Word("keep", "drop")),
    "own_document": check_kind(Word("keep", "drop")),
    "drop_scores_at_most": check_kind(Number("a number", lambda v: not math.isnan(v)), None),
    "divisor": check_kind(KINDS["divisor"]),
    "summation": check_kind(Word(*SUMMATIONS)),
    "mean": check_kind(Word("macro", "micro", "geometric")),
    "rel": check_kind(KINDS["rel"]),
    "rel_strict": IS_FLAG,
    "recall_rounding": check_kind(Number("a number from 0 to below 1", lambda v: 0 <= v < 1), "up"),
    "max_label": check_kind(KINDS["max_label"]),
    "p": check_kind(KINDS["p"]),
    "names": (_is_mapping_of_names, "a mapping of spellings to names of measures"),
    "version": IS_TEXT,
    "source": IS_TEXT,
    "reproduces": IS_TEXT,
    "leaves_out": IS_TEXT,
}

#: Fields that may hold a mapping from families of measures to values.
BY_FAMILY = frozenset(
    "negative labels k ties score_dtype empty missing empty_has_weight weighted round "
    "drop_scores_at_most divisor mean".split()
)
