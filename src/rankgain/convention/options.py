"""The table of arguments: their order, their help, and what each option of measures may be.

Docstrings and signatures have the order and the help. One kind of value checks the argument of a
call, the parameter of a name and the field of a convention.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf, isfinite, isnan, nan
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..inputs.arrays import plain_array

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats


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


def is_flag(value: object) -> bool:
    """Whether it is True or False, also NumPy's."""
    return isinstance(value, (bool, np.bool_))


def read_number(value: object) -> float:
    """A finite number, also from its text; a whole one becomes an int, so that 2 and 2.0 agree."""
    if is_flag(value) or (isinstance(value, str) and "_" in value):
        raise ValueError
    try:
        number = float(value)  # type: ignore[arg-type]  # a TypeError for objects without a float
    except (TypeError, OverflowError):
        raise ValueError from None
    if not isfinite(number):
        raise ValueError
    # Up to 2**53 a float64 is one whole number; above, it stands for several.
    if number.is_integer() and abs(number) <= 2**53:
        return int(number)
    return number


MAX_CUTOFF = 2**63 - 1
TOP_LABEL = 1023  # the greatest max_label; 2**1024 overflows a float64


def read_integer(name: str, value: Any, words: str) -> int:
    """Check an integer; booleans are rejected."""
    try:
        if is_flag(value):
            raise TypeError
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be {words}, not {value!r:.100}") from None


class Kind:
    """What an argument may be; `words` says it in errors."""

    words: str

    def read(self, name: str, value: object) -> Any:
        """Check the value of an argument, and convert it."""
        raise NotImplementedError

    def parse(self, value: object) -> Value:
        """The value of a parameter in a measure's name, from the value or its text."""
        raise NotImplementedError

    def allows(self, value: object) -> bool:
        """Whether a field of a convention, which holds plain Python values, may have this one."""
        try:
            self.read("", value)
        except (TypeError, ValueError):
            return False
        return isinstance(value, (int, float, str, tuple, Mapping)) or callable(value)

    def refusal(self, name: str, value: object, kind: type[Exception] | None = None) -> Exception:
        """The error for a value: a ValueError for a word, else a TypeError."""
        if kind is None:
            kind = ValueError if isinstance(value, str) else TypeError
        return kind(f"{name} must be {self.words}, not {value!r:.100}")


class Number(Kind):
    """A number for which a condition holds."""

    def __init__(self, words: str, holds: Callable[[float], bool] = isfinite) -> None:
        self.words, self.holds = words, holds

    def read(self, name: str, value: Any) -> float:
        if is_flag(value) or isinstance(value, (str, bytes)) or np.ndim(value) != 0:
            raise self.refusal(name, value, TypeError)
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise self.refusal(name, value, TypeError) from None
        if not self.holds(number):
            raise self.refusal(name, value, ValueError)
        return number

    def parse(self, value: object) -> Value:
        number = read_number(value)
        if not self.holds(number):
            raise ValueError
        return number


class Word(Kind):
    """One of a few words."""

    def __init__(self, *options: str) -> None:
        self.options, self.words = options, "one of " + ", ".join(options)

    def read(self, name: str, value: object) -> str:
        if not isinstance(value, str) or value not in self.options:
            raise self.refusal(name, value)
        return str(value)  # the core takes no subclass, such as NumPy's

    def parse(self, value: object) -> Value:
        if isinstance(value, str):
            value = value.lower()
        return self.read("", value)


class Flag(Kind):
    """True or False."""

    words = "True or False"

    def read(self, name: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise self.refusal(name, value)
        return value

    def parse(self, value: object) -> Value:
        if isinstance(value, str):
            value = {"true": True, "false": False}.get(value.lower())
        return self.read("", value)


class WholeNumber(Kind):
    """A whole number, possibly beyond 2**53."""

    def __init__(self, words: str, low: int, stop: int = 2**64) -> None:
        self.words, self.low, self.stop = words, low, stop

    def read(self, name: str, value: object) -> int:
        number = read_integer(name, value, self.words)
        if not self.low <= number < self.stop:
            raise self.refusal(name, value, ValueError)
        return number

    def parse(self, value: object) -> Value:
        if isinstance(value, str) and re.fullmatch("[0-9]+", value):
            value = int(value)
        return self.read("", value)


class Empty(Kind):
    """The value of an undefined measure."""

    words = 'a number (float("nan") included), "skip" or "raise"'

    def read(self, name: str, value: object) -> object:
        if not isinstance(value, str):
            return Number(self.words, lambda _: True).read(name, value)
        if value not in ("skip", "raise"):
            raise self.refusal(name, value)
        return str(value)

    def parse(self, value: object) -> Value:
        if isinstance(value, str) and value.lower() in ("skip", "raise"):
            return value.lower()
        if isinstance(value, str) and value.lower() in ("nan", "inf", "-inf"):
            value = float(value)
        if isinstance(value, float) and isnan(value):
            return nan  # one object, so that tuples of it compare equal
        if isinstance(value, float) and not isfinite(value):
            return value
        return read_number(value)


class Table(Kind):
    """A word, an array, a function or, for gains, a mapping."""

    forms: str

    def read_array(self, name: str, value: object) -> Array:
        array: Array = plain_array(value, name)
        if array.ndim != 1 or array.dtype.kind not in "biuf":
            raise TypeError(f"{name} must be {self.forms}, not {value!r:.100}")
        return array

    def allows(self, value: object) -> bool:
        return isinstance(value, tuple) or super().allows(value)  # a call checks its entries


class Gain(Table):
    """The gain of labels."""

    words = "linear, exp2, binary or a table such as {1:1,2:3} with each label once"
    forms = (
        "linear, exp2, binary, a mapping label -> gain, a 1-D array indexed by label or a callable"
    )

    def read(self, name: str, value: object) -> object:
        if isinstance(value, str):
            return Word(*GAINS).read(name, value)
        if callable(value) or isinstance(value, Mapping):
            return value
        return self.read_array(name, value)

    def parse(self, value: object) -> Value:
        # In a name a table is written nDCG(gain={1:1,2:3}).
        if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
            words = value[1:-1].split(",")
            pairs: Collection[Collection[str]] = [word.split(":") for word in words]
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


class Discount(Table):
    """The weights of ranks."""

    words = "log2, log or reciprocal"
    forms = "log2, log, reciprocal, a 1-D array of weights or a callable"

    def read(self, name: str, value: object) -> object:
        if isinstance(value, str):
            return Word(*DISCOUNTS).read(name, value)
        if callable(value):
            return value
        return check_weights(self.read_array(name, value))

    def parse(self, value: object) -> Value:
        return Word(*DISCOUNTS).parse(value)


def check_weights(weights: Array) -> Floats:
    """The weights of ranks as doubles; they must be finite and must not increase."""
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
            f"{name} must be at least 1, got {result}. Omit {name} to use the whole list"
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
        raise TypeError(f"k must be an int, None or a sequence of them, not {k!r:.100}")
    if isinstance(k, np.ndarray) and k.ndim != 1:
        raise ValueError(f"k must be one-dimensional, not of shape {k.shape}")
    return [read_cutoff(cutoff, f"k[{i}]") for i, cutoff in enumerate(k)]


# The help of each argument, as docstrings have it.
TEXT = """\
y_true : array of shape (documents,) or (lists, documents), lists of different lengths,
    scipy.sparse CSR, or Truth
    Labels; any finite numbers, if the measure does not say otherwise.
y_score : array of the same shape, optional
    Scores, larger is better; without scores, documents are ranked in input order. Arrays of
    torch, CuPy or JAX may be on a device.
relevant : scipy.sparse CSR of shape (users, items), or a sequence of arrays of item ids
    What is relevant to each user. Stored values are labels; a stored 0 is not relevant.
measures : str, Measure, or a sequence of them
    Names in any known spelling, such as ["nDCG@10", "AP", "RR@10"]; cutoffs stand in them.
k : int, None, or a sequence of them
    Cutoff; later ranks do not count. None is the whole list. A sequence adds a last axis to
    the result.
gain : "linear", "exp2", "binary", mapping, array or callable
    The gain of a label: the label, 2**label - 1, or 1 for labels >= `rel`; or a mapping
    label -> gain, an array indexed by label, a callable on a float64 array of labels.
discount : "log2", "log", "reciprocal", array or callable
    The weight of rank i: 1 / log2(i + 1); log(b) / log(i + 1) with log_base b; 1 / i; or a
    non-increasing array of weights, a callable on a float64 array of ranks from 1.
log_base : float above 1
    Base of discount="log".
ties : "average", "stable", "reverse", "worst", "best", "random", "id", "id_descending"
    Order of documents with equal scores. "average" is the exact expectation over all orders;
    "stable" is input order and "reverse" its reverse; "best" and "worst" order by gain;
    "random" draws from `seed`, the list's index and the position; "id" needs ids.
seed : int from 0 to 2**64 - 1
    Used only with ties="random".
ids : array of str or int, shaped as the documents, optional
    Used only with ties="id" and "id_descending"; compared as bytes of UTF-8.
judged : labels of all judged documents of each list, those of y_true included, optional
    1-D for one list; else 2-D padded with 0, CSR, or a sequence of 1-D arrays. By default
    those of y_true.
rel : float
    Labels >= rel are relevant.
divisor : "k", "min", "min_relevant", "relevant" or "hits"
    The divisor. Allowed values are listed in each measure's help.
beta : float of at least 0
    Of F1: recall counts beta times as much as precision. Of NRBP and nNRBP, below 1: the
    probability that a reader continues to the next rank.
p : float above 0 and below 1
    Used only by RBP: the probability that a reader continues to the next rank.
max_label : float above 0
    Used only by ERR: the top of the label scale.
group : sizes of the lists, optional
    For flat arrays: the number of documents of each list.
qid : an id (int, str, date, UUID) for each document, optional
    For flat arrays: the list of each document, in any order; lists are in the order in which
    they first appear.
lengths : documents of each row, optional
    For padded rows; later cells are not read.
exclude : scipy.sparse CSR, or array of bool in the shape of the documents, optional
    Documents to leave out of each list, such as a recommender's training items.
ignore : label, or a sequence of labels, optional
    Documents with these labels are left out of their list, as padding is: they have no rank, are
    not counted, and their scores and ids are not read. Judged labels lose them too. NaN may be one.
empty : float, nan, "skip" or "raise"
    Value where the measure is undefined ("skip": nan for the list, left out of means).
weight : array, or mapping query -> weight, optional
    One finite weight >= 0 per list, for the means. A Series with an index of queries is a mapping.
convention : str or Convention
    Supplies the defaults of arguments; see `rankgain.conventions`. The signature shows those
    of the default convention.
threads : int of at least 1, -1 or None
    Threads to use; -1 and None for all usable cores. Values do not depend on it.
bounds : "ties", "unjudged", or a sequence of them
    Also find the lowest and highest value, for `Evaluation.bounds`: over all orders of equal
    scores, or over all choices of unjudged documents with the top label.
judged_only : bool
    Leave retrieved documents without a judgment out before ranking (condensed lists, Sakai
    2007).
"""
ARGUMENTS = {entry.partition(" : ")[0]: entry for entry in re.split(r"\n(?=\S)", TEXT.strip())}

# Option -> its kind, and its default where conventions have none.
OPTIONS = {
    "gain": (Gain(), UNSET),
    "discount": (Discount(), UNSET),
    "log_base": (Number("a finite number above 1", lambda v: 1 < v < inf), UNSET),
    "ties": (Word(*TIES), UNSET),
    "seed": (WholeNumber("a whole number from 0 to 2**64 - 1", 0), 0),
    "rel": (Number("a finite number"), UNSET),
    "min_label": (Number("a finite number"), UNSET),
    "max_label": (
        Number(f"a number above 0 and at most {TOP_LABEL}", lambda v: 0 < v <= TOP_LABEL),
        UNSET,
    ),
    "divisor": (Word(*DIVISOR_WORDS), UNSET),
    # Its square is used, too.
    "beta": (Number("a number of at least 0 and at most 1e150", lambda v: 0 <= v <= 1e150), 1.0),
    "p": (Number("a number above 0 and below 1", lambda v: 0 < v < 1), UNSET),
    "recall": (Number("a number from 0 to 1", lambda v: 0 <= v <= 1), 0.0),
    "per": (Word("user", "item"), "user"),
    "rank": (Word(*RANK_RULES), None),
    "share": (Number("a number above 0 and at most 1", lambda v: 0 < v <= 1), None),
    "decay": (Number("a number above 0 and below 1", lambda v: 0 < v < 1), 0.85),
    "weight": (Word("documents", "positives"), None),  # of a list, in a name
    "max_rel": (Number("a finite number"), None),  # the label that is worth 1 to C/W/L measures
    "min_rel": (Number("a number of at least 0", lambda v: 0 <= v < inf), 0.0),  # worth 0 there
    "T": (Number("a number above 0", lambda v: 0 < v < inf), 1.0),  # the gain that a reader wants
    "normalize": (Flag(), True),
    "multiple": (Number("a number above 0", lambda v: 0 < v < inf), 1.0),  # of R, as a cutoff
    "alpha": (Number("a number from 0 to 1", lambda v: 0 <= v <= 1), 0.5),
    "gamma": (Number("a number from 0 to 1", lambda v: 0 <= v <= 1), 0.5),
    "judged_only": (Flag(), False),
    "empty": (Empty(), UNSET),
}
KINDS = {name: kind for name, (kind, _) in OPTIONS.items()}
DEFAULTS = {name: value for name, (_, value) in OPTIONS.items() if value is not UNSET}
# Parameters that exist in names only.
NAME_ONLY = (
    *("min_label", "recall", "judged_only", "per", "rank", "share", "decay", "weight"),
    *("max_rel", "min_rel", "T", "normalize", "multiple"),
    *("alpha", "gamma"),
)
# The options of the `evaluate...` functions, in the order of their arguments.
SETTINGS = tuple(name for name in ARGUMENTS if name in KINDS and name not in NAME_ONLY)


def parse_option(name: str, value: object) -> Value:
    """Check a parameter of a name and return its canonical form."""
    kind = KINDS[name]
    try:
        return kind.parse(value)
    except (TypeError, ValueError):
        raise kind.refusal(name, value, ValueError) from None


def format_option(value: Value) -> str:
    """The text of a checked value; parsing it gives the same value."""
    if isinstance(value, Mapping):
        pairs = ",".join(f"{label}:{gain}" for label, gain in value.items())
        return f"{{{pairs}}}"
    return str(value)
