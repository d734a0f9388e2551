"""The fields of a Convention: frozen values, and the check of each field."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from .options import KINDS, Flag, Kind, Number, Whole, Word

if TYPE_CHECKING:
    from collections.abc import Iterable


V = TypeVar("V")
SUMMATIONS = ("exact", "pairwise", "by_id")


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
    """Return a value in a hashable form; nan becomes math.nan, the same object each time.

    Tuples with the same nan object compare equal.
    """
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


def suggest(word: object, known: Iterable[str]) -> str:
    """Return an unknown word in quotes, with the most similar known words or all of them."""
    from difflib import get_close_matches  # the import takes a millisecond

    near = get_close_matches(str(word).lower(), list(known), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(known)}"
    return f"{word!r}; {hint}"


Check = tuple[Callable[[Any], bool], str]  # of one value; the allowed values in words


def _of(kind: Kind, *others: str | None) -> Check:
    """The check of a kind of value, beside which some others are allowed."""
    words = ", ".join([kind.words.removeprefix("one of "), *map(str, others)])
    return lambda value: value in others or kind.allows(value), words


_TEXT: Check = (lambda value: isinstance(value, str), "a string")
_FLAG, _LIMIT = _of(Flag()), _of(Number("a finite number"), None)
_DECIMALS = _of(Whole("a whole number of at least 0", 0), None)

RULES: dict[str, Check] = {
    "gain": _of(KINDS["gain"]),
    "negative": _of(Word("zero", "keep", "raise")),
    "truncate_labels": _FLAG,
    "labels": _of(Word("any", "integer", "binary")),
    "largest_label": _LIMIT,
    "min_label": _LIMIT,
    "discount": _of(KINDS["discount"]),
    "log_base": _of(KINDS["log_base"]),
    "undiscounted_below_base": _FLAG,
    "k": _of(Whole("a whole number of at least 1 and below 2**63", 1, 2**63), None),
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
