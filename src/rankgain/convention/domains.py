"""The allowed values of arguments, for names of measures, calls and conventions."""

from collections.abc import Callable
from math import inf, isfinite
from typing import NamedTuple

TIES = ("average", "stable", "reverse", "worst", "best", "random", "id", "id_descending")
GAINS = ("linear", "exp2", "binary")
DISCOUNTS = ("log2", "log", "reciprocal")
PER = ("user", "item")
# For each rule, the fraction of the other tied documents that counts as above.
RANK_RULES = {"optimistic": 0.0, "realistic": 0.5, "pessimistic": 1.0}
LIST_WEIGHTS = ("documents", "positives")
SUMMATIONS = ("exact", "pairwise", "by_id")

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

EMPTY = 'a number, nan, "skip" or "raise"'
EMPTY_WORDS = ("skip", "raise")


class Domain(NamedTuple):
    """The numbers that an argument may have: in words, and as a check."""

    words: str
    holds: Callable[[float], bool]


NUMBERS = {
    "rel": Domain("a finite number", isfinite),
    "min_label": Domain("a finite number", isfinite),
    "log_base": Domain("a finite number above 1", lambda v: 1 < v < inf),
    "beta": Domain("a finite number of at least 0", lambda v: 0 <= v < inf),
    "p": Domain("a number inside (0, 1)", lambda v: 0 < v < 1),
    "recall": Domain("a number in [0, 1]", lambda v: 0 <= v <= 1),
    "share": Domain("a number above 0 and at most 1", lambda v: 0 < v <= 1),
    "decay": Domain("a number inside (0, 1)", lambda v: 0 < v < 1),
    "max_label": Domain("a number above 0 and at most 1023", lambda v: 0 < v <= 1023),
    "empty": Domain(EMPTY, lambda _: True),
}
# Measures of whole tie blocks: no order of tied documents changes them.
BLOCK_MEASURES = (
    "pr_auc",
    "mean_rank",
    "adjusted_mean_rank",
    "adjusted_mean_rank_index",
    "ranking_loss",
    "coverage_error",
)
# Measures for which an undefined list is left out of means, as no number can replace its value.
SKIPPED = ("gauc", *BLOCK_MEASURES[1:5])
# An integer; the other arguments are floats.
SEED = Domain("a whole number from 0 to 2**64 - 1", lambda v: 0 <= v < 2**64)
