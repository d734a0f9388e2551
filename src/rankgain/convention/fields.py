"""The fields of a Convention: frozen values, and the check of each field."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from .kinds import Word, is_real
from .options import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable


V = TypeVar("V")
SUMMATIONS = ("exact", "pairwise", "by_id")


class Frozen(dict[Any, V]):
    """A dict that hashes, has its keys in order, and cannot change."""

    __slots__ = ()

    def __init__(self, items: Mapping[Any, V]) -> None:
        super().__init__(
            {freeze(key): freeze(one) for key, one in sorted(items.items(), key=_key_order)}
        )

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a frozen mapping cannot be changed; change a dict(...) of it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Frozen, (dict(self),)


def _key_order(item: tuple[Any, Any]) -> tuple[bool, Any]:
    """The sort key of an item: numbers (labels of a gain table) before texts (families)."""
    return isinstance(item[0], str), item[0]


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


def _is_finite(value: Any) -> bool:
    return is_real(value) and math.isfinite(value)


def _is_integer(value: object, low: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= low


def _choice(*words: str | None) -> tuple[Callable[[Any], bool], str]:
    """The check of a word."""

    def check(value: object) -> bool:
        return (value is None or isinstance(value, str)) and value in words

    return check, ", ".join(map(repr, words))


def _option(name: str) -> tuple[Callable[[Any], bool], str]:
    """The check of a field that is an option of measures too."""
    kind = KINDS[name]
    words = kind.options if isinstance(kind, Word) else ()
    return kind.allows, ", ".join(map(repr, words)) or kind.words


_FLAG = (lambda v: isinstance(v, bool), "True, False")
_TEXT = (lambda v: isinstance(v, str), "a string")
_LIMIT = (lambda v: v is None or _is_finite(v), "a finite number, None")
_DECIMALS = (lambda v: v is None or _is_integer(v, 0), "an int >= 0, None")

#: field -> (check of one value, allowed values in words)
RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "gain": (KINDS["gain"].allows, "'linear', 'exp2', 'binary', a mapping, a sequence, a callable"),
    "negative": _choice("zero", "keep", "raise"),
    "truncate_labels": _FLAG,
    "labels": _choice("any", "integer", "binary"),
    "largest_label": _LIMIT,
    "min_label": _LIMIT,
    "discount": (
        KINDS["discount"].allows,
        "'log2', 'log', 'reciprocal', a sequence, a callable",
    ),
    "log_base": _option("log_base"),
    "undiscounted_below_base": _FLAG,
    "k": (lambda v: v is None or _is_integer(v, 1), "an int >= 1, None"),
    "ideal": _choice("judged", "list", "ones", "given", "returned"),
    "ties": _option("ties"),
    "score_dtype": _choice("float32", "float64", None),
    "result_dtype": _choice("float32", "float64"),
    "round": _DECIMALS,
    "round_mean": _DECIMALS,
    "empty": _option("empty"),
    "empty_has_weight": _FLAG,
    "undefined": _choice("not_positive", "zero", "zero_sum", "never"),
    "weighted": _FLAG,
    "missing": _choice("skip", "zero", "raise"),
    "unjudged": _choice("keep", "drop"),
    "own_document": _choice("keep", "drop"),
    "drop_scores_at_most": (
        lambda v: v is None or (is_real(v) and not math.isnan(v)),
        "a number, None",
    ),
    "divisor": _option("divisor"),
    "summation": _choice(*SUMMATIONS),
    "mean": _choice("macro", "micro", "geometric"),
    "rel": _option("rel"),
    "rel_strict": _FLAG,
    "recall_rounding": (
        lambda v: v == "up" or (_is_finite(v) and 0 <= v < 1),
        "'up', a number from 0 to below 1",
    ),
    "max_label": _option("max_label"),
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
