"""Settings: the arguments that are not arrays, checked and completed from the convention."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..convention import UNSET, Convention
from ..convention.domains import (
    BLOCK_MEASURES,
    DISCOUNTS,
    DIVISORS,
    EMPTY,
    EMPTY_WORDS,
    GAINS,
    NUMBERS,
    SEED,
    SKIPPED,
    TIES,
)
from ..inputs.arrays import plain_array

if TYPE_CHECKING:
    from ..inputs.types import Floats


class Settings(NamedTuple):
    """All arguments of one measure, except arrays."""

    function: str
    k: int | None
    gain: Any
    discount: Any
    log_base: float
    undiscounted_below_base: bool
    ties: str
    seed: int
    rel: float
    floor: float  # labels below it have the gain 0
    negative: str
    divisor: str
    beta: float
    p: float
    recall: float  # level of recall
    recall_rounding: float  # added to recall * R before truncation; -1: round up instead
    max_label: float
    empty: Any
    undefined: str  # when nDCG is undefined
    ideal: str
    per: str
    score_dtype: str | None
    drop: float | None
    truncate_labels: bool
    labels: str
    largest_label: float | None
    result_dtype: str
    round: int | None
    micro: bool  # the mean is a ratio of sums
    convention: str  # the name, for errors
    rank: str | None  # place of a tied document: optimistic, realistic or pessimistic
    share: float | None  # a fraction of the list, instead of a cutoff
    decay: float
    list_weight: str | None  # the weight of a list in the mean: its documents, or its positives

    @property
    def takes_blocks(self) -> bool:
        """Whether the value depends on tie blocks only, not on the order within them."""
        return self.rank is not None or self.function in BLOCK_MEASURES


def _integer(name: str, value: Any, words: str) -> int:
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be {words}, not {value!r}") from None


def cutoff(k: object, name: str = "k") -> int | None:
    """Check one cutoff; None is the whole list."""
    if k is None:
        return None
    result = _integer(name, k, "an int of at least 1 or None")
    if result < 1:
        raise ValueError(
            f"{name} must be at least 1, not {result}; leave it out for the whole list"
        )
    return result


def required_cutoff(k: object) -> int:
    """Check a cutoff that may not be left out."""
    result = _integer("k", k, "an int of at least 1")
    if result < 1:
        raise ValueError(f"k must be an int of at least 1, not {result}: k items count")
    return result


def cutoffs(k: object) -> list[int | None]:
    """Check a sequence of cutoffs."""
    if isinstance(k, (str, bytes)) or not isinstance(k, (Sequence, np.ndarray)):
        raise TypeError(f"k must be an int, None or a sequence of them, not {k!r}")
    if isinstance(k, np.ndarray) and k.ndim != 1:
        raise ValueError(f"k must be one-dimensional, not of shape {k.shape}")
    return [cutoff(one, f"k[{i}]") for i, one in enumerate(k)]


def _number(name: str, value: Any) -> float:
    words, holds = NUMBERS[name]
    if isinstance(value, (bool, np.bool_, str, bytes)) or np.ndim(value) != 0:
        raise TypeError(f"{name} must be {words}, not {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be {words}, not {value!r}") from None
    if not holds(number):
        raise ValueError(f"{name} must be {words}, not {value!r}")
    return number


def _word(name: str, value: object, words: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in words:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{name} must be one of {', '.join(words)}, not {value!r}")
    return str(value)  # the core takes no subclass, such as NumPy's


def tie_rule(value: object) -> str:
    """Check the argument ties."""
    return _word("ties", value, TIES)


def _seed(value: object) -> int:
    seed = _integer("seed", value, SEED.words)
    if not SEED.holds(seed):
        raise ValueError(f"seed must be {SEED.words}, not {value!r}")
    return seed


def _empty(value: object) -> Any:
    if isinstance(value, str):
        if value in EMPTY_WORDS:
            return str(value)
        raise ValueError(f"empty must be {EMPTY}, not {value!r}")
    return _number("empty", value)


def _discount(value: object) -> Any:
    if isinstance(value, str):
        return _word("discount", value, DISCOUNTS)
    if callable(value):
        return value
    weights = plain_array(value, "discount")
    if weights.ndim != 1 or weights.dtype.kind not in "biuf":
        raise TypeError(
            "discount must be log2, log, reciprocal, a 1-D array of weights or a callable, "
            f"not {value!r}"
        )
    return _checked_weights(weights.astype(np.float64))


def _checked_weights(weights: Floats) -> Any:
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


def called_discount(discount: Callable[[Any], Any], n: int) -> Any:
    """Evaluate a callable discount at ranks 1 .. n and check it."""
    weights = np.asarray(discount(np.arange(1.0, n + 1.0)))
    if weights.shape != (n,) or weights.dtype.kind not in "biuf":
        raise ValueError(
            f"discount: the callable returned shape {weights.shape} of {weights.dtype} for {n} "
            "ranks; it must return one weight per rank"
        )
    return _checked_weights(weights.astype(np.float64))


def _gain(value: object) -> Any:
    if isinstance(value, str):
        return _word("gain", value, GAINS)
    if callable(value) or isinstance(value, Mapping):
        return value
    table = plain_array(value, "gain")
    if table.ndim != 1 or table.dtype.kind not in "biuf":
        raise TypeError(
            "gain must be linear, exp2, binary, a mapping label -> gain, a 1-D array indexed by "
            f"label or a callable, not {value!r}"
        )
    return table


def _is_micro(kind: str, function: str) -> bool:
    if kind == "micro" and function not in ("precision", "recall"):
        raise ValueError(f'{function} has no micro mean, but the convention has mean="micro"')
    return kind == "micro"


_KEY_TYPES = (str, int, float, type(None), type(UNSET))


def key_of(options: Mapping[str, Any]) -> Any:
    """The options as a part of a cache key; None if a value is not of a simple type.

    Types are part of the key, because 1, 1.0 and True are equal but not equally valid.
    """
    if not all(type(value) in _KEY_TYPES for value in options.values()):
        return None
    return tuple((name, type(value), value) for name, value in options.items())


# Defaults of settings that conventions do not have.
_DEFAULTS = {"beta": 1.0, "p": 0.8, "recall": 0.0, "decay": 0.85}
_RANKS = {"ranking_loss": "pessimistic"} | dict.fromkeys(BLOCK_MEASURES[1:4], "realistic")


class _SettingsReader:
    """The options of one measure function, with the convention for those that are left out."""

    def __init__(self, function: str, options: Mapping[str, Any], convention: Convention) -> None:
        self.function, self.options, self.convention = function, options, convention
        self.cut = False  # whether there is a cutoff; a convention may have one value for each case

    def field(self, name: str) -> Any:
        return self.convention.for_family(name, self.function, cut=self.cut)

    def value(self, name: str, default: object = UNSET) -> Any:
        value = self.options.get(name, UNSET)
        if value is not UNSET:
            return value
        return self.field(name) if default is UNSET else default

    def has(self, name: str) -> bool:
        return self.options.get(name, UNSET) is not UNSET

    @property
    def is_default_gain(self) -> bool:
        """Whether the gain is the convention's, whose limits of labels then apply."""
        return not self.has("gain")

    def number(self, name: str) -> float:
        return _number(name, self.value(name, _DEFAULTS.get(name, UNSET)))

    def limits(self) -> tuple[float, float]:
        """The least relevant label, and the label below which the gain is 0."""
        floor = 0.0 if self.field("negative") == "zero" else -math.inf
        rel = self.number("rel")
        if self.convention.rel_strict and not self.has("rel"):
            rel = math.nextafter(rel, math.inf)
        if self.value("min_label") is not None:
            floor = self.number("min_label")
            rel = max(rel, floor)
        return rel, floor

    def negative(self) -> str:
        """How negative labels count; RBP with a gain option and PFound refuse them."""
        negative: str = self.field("negative")
        graded = self.function == "rbp" and not self.is_default_gain
        graded |= self.function == "pfound"
        return "raise" if graded and negative == "keep" else negative

    def divisor(self) -> str:
        """The divisor, or "" for a measure without a choice."""
        words = DIVISORS.get(self.function)
        return _word("divisor", self.value("divisor"), words) if words else ""

    def ties(self) -> str:
        """The tie rule; "average", which keeps blocks, for measures of whole blocks."""
        blocks = self.has("rank") or self.function in BLOCK_MEASURES
        return "average" if blocks else tie_rule(self.value("ties"))

    def gain(self) -> Any:
        """The gain. RBP is binary without a gain option, whatever the convention's gain is."""
        return _gain(self.value("gain", "binary" if self.function == "rbp" else UNSET))


def resolve(
    function: str, options: Mapping[str, Any], convention: Convention, per: str = "user"
) -> Settings:
    """Complete the options from the convention, and check each value."""
    reader = _SettingsReader(function, options, convention)
    k = cutoff(reader.value("k"))
    reader.cut = k is not None
    rel, floor = reader.limits()
    rounding = convention.recall_rounding
    return Settings(
        function=function,
        k=k,
        gain=reader.gain(),
        discount=_discount(reader.value("discount")),
        log_base=reader.number("log_base"),
        undiscounted_below_base=convention.undiscounted_below_base,
        ties=reader.ties(),
        seed=_seed(reader.value("seed", 0)),
        rel=rel,
        floor=floor,
        negative=reader.negative(),
        divisor=reader.divisor(),
        beta=reader.number("beta"),
        p=reader.number("p"),
        recall=reader.number("recall"),
        recall_rounding=-1.0 if rounding == "up" else rounding,
        max_label=1.0 if function == "pfound" else reader.number("max_label"),
        empty=_empty(reader.value("empty", "skip" if function in SKIPPED else UNSET)),
        undefined=convention.undefined if function == "ndcg" else "not_positive",
        ideal=convention.ideal,
        per=per,
        score_dtype=reader.field("score_dtype"),
        drop=reader.field("drop_scores_at_most"),
        truncate_labels=convention.truncate_labels,
        labels=reader.field("labels") if reader.is_default_gain else "any",
        largest_label=convention.largest_label if reader.is_default_gain else None,
        result_dtype=convention.result_dtype,
        round=reader.field("round"),
        micro=_is_micro(reader.field("mean"), function),
        convention=convention.name,
        rank=reader.value("rank", _RANKS.get(function)),
        share=reader.number("share") if reader.has("share") else None,
        decay=reader.number("decay"),
        list_weight=reader.value("weight", None),
    )
