"""Conventions: complete, named sets of the choices on which ranking tools differ."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from .fields import BY_FAMILY, FIELD_CHECKS, Frozen, freeze, suggest
from .options import KINDS, UNSET, Unset

__all__ = ["UNSET", "Convention", "Unset", "conventions", "get_convention"]


T = TypeVar("T")
ByFamily: TypeAlias = Mapping[str, T]
GainRule: TypeAlias = str | Mapping[float, float] | Sequence[float] | Callable[..., object]
DiscountRule: TypeAlias = str | Sequence[float] | Callable[..., object]

# The defaults of rankgain. The ideal and the chances of a reader are not defined for negative
# labels. Lists where AUC is undefined are skipped; other undefined measures are 0.
_REFUSE_NEGATIVE = ("ndcg", "r_ndcg", "err", "normalized_err", "normalized_gain", "ndcg_at_hits")
_NEGATIVE = Frozen({**dict.fromkeys(_REFUSE_NEGATIVE, "raise"), "*": "keep"})
_EMPTY: Frozen[float | str] = Frozen({"auc": "skip", "*": 0.0})
_DIVISOR = Frozen(
    {
        "precision": "k",
        "f1": "k",
        "recall": "relevant",
        "average_precision": "relevant",
        "judged": "min",
        "unjudged": "k",
    }
)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Convention:
    """One complete, named set of the choices on which ranking tools differ.

    Immutable, hashable and comparable. The defaults are those of "rankgain". A field marked "by
    family" may also be a mapping from names of measure functions ("ndcg", "average_precision", ...)
    to values, with "*" for all others; "family@k" is that family with a cutoff.

    Attributes
    ----------
    name
        Its name in `rankgain.conventions`.
    gain
        The gain of a label: "linear", "exp2", "binary" (label >= `rel`), a mapping
        label -> gain, a sequence indexed by label, or a callable on an array of labels.
    negative
        Negative labels: gain "zero", "keep" their gain, or "raise" an error.
        May differ between measures.
    truncate_labels
        Whether fractional labels are truncated, as by C's integer parsing.
    labels
        The labels that the tool accepts: "any", "integer", or "binary".
        May differ between measures.
    largest_label
        The largest label that the tool accepts, or None.
    ignore_below
        Documents with labels below it are padding: they are left out of their list before ranking,
        and are not judged. None: no document is.
    min_label
        Labels below it have gain 0 and are not relevant; None: no limit.
    discount
        The weight of a rank: "log2", "log" (with `log_base`), "reciprocal", a sequence of weights
        or a callable on an array of ranks from 1.
    log_base
        The base b of the discount "log", log(b) / log(rank + 1).
    undiscounted_below_base
        Jarvelin and Kekalainen's rule for "log": 1 before rank b, log(b) / log(rank) from there.
    k
        The default cutoff, or None for the whole list.
        May differ between measures.
    ideal
        The source of the ideal and of the number of relevant documents: "judged" (all judged
        labels), "list" (the labels of the list itself), "ones" (k documents of gain 1, whatever the
        judgments), "given" (the judged labels in the order given), "returned" (all judged labels,
        cut at the length of the list).
    ties
        Order of equal scores: "average", "stable", "reverse", "worst", "best", "random", "id",
        "id_descending".
        May differ between measures.
    score_dtype
        The precision in which scores are compared: "float32", "float64", or None for their own. By
        family.
    result_dtype
        The precision of the values of lists: "float32" or "float64".
    round
        Decimals to which the values of lists are rounded, or None.
        May differ between measures.
    round_mean
        Decimals to which means are rounded, or None.
    empty
        The value of an undefined measure: a float, nan, "skip" or "raise".
        May differ between measures.
    empty_has_weight
        Whether an undefined list counts with its weight. If not, it adds `empty` with weight 1 to
        the weighted sum, and its own weight to the sum of weights.
        May differ between measures.
    weighted
        Whether means use the weights of lists.
        May differ between measures.
    undefined
        When nDCG is undefined: if IDCG is "not_positive"; if it is "zero" (a negative IDCG, of
        negative labels alone, is a divisor); "zero_sum", also if the labels sum to 0; or "never"
        (an IDCG of 0 is replaced by 1).
    missing
        The value of a judged query without results: "skip", "zero" or "raise".
        May differ between measures.
    unjudged
        Retrieved documents without a judgment: "keep" (with gain 0) or "drop" (before ranking).
    own_document
        The document with the id of the query in a run: "keep" or "drop" (before ranking; where it
        is judged, its judgment stays).
    drop_scores_at_most
        Documents with at most this score count as not relevant; None: no limit.
        May differ between measures.
    divisor
        The divisor of precision: "k", "min" (min(k, n)) or "min_relevant" (min(k, R)); of f1,
        judged and unjudged: "k" or "min"; of recall: "relevant" or "min" (min(R, k)); of
        average_precision: "relevant", "min", "hits" or "k".
        May differ between measures.
    summation
        How means add the values of lists: "exact" (rounded once, so that neither the order nor a
        partition changes them), "pairwise" (as NumPy), or "by_id" (one after the other in the order
        of the query ids). It may change the fourth decimal of a mean.
    mean
        "macro", "micro" (ratio of sums) or "geometric".
        May differ between measures.
    rel
        The smallest relevant label, for binary measures and the gain "binary".
    rel_strict
        Whether a label must be above `rel` to be relevant.
    recall_rounding
        The number of documents for a level of recall is recall * R, rounded "up", or truncated
        after adding this number (trec_eval: 0.5, before version 10: 0.9).
    max_label
        The largest label of the scale of err.
    p
        The default of rbp's p, the probability that a reader continues to the next rank.
    names
        The tool's names of measures, such as "rbp", with the names of these measures here. A name
        that belongs to another measure here, as "accuracy" does, is an error that says what to
        write.
    version, source
        The tool's version, and the source of its rules.
    reproduces, leaves_out
        What is reproduced of the tool, and what is not.
    """

    name: str
    gain: GainRule = "linear"
    negative: str | ByFamily[str] = _NEGATIVE
    truncate_labels: bool = False
    labels: str | ByFamily[str] = "any"
    largest_label: float | None = None
    ignore_below: float | None = None
    min_label: float | None = None
    discount: DiscountRule = "log2"
    log_base: float = 2.0
    undiscounted_below_base: bool = False
    k: int | ByFamily[int | None] | None = None
    ideal: str = "judged"
    ties: Any = "average"
    score_dtype: str | ByFamily[str | None] | None = None
    result_dtype: str = "float64"
    round: int | ByFamily[int | None] | None = None
    round_mean: int | None = None
    empty: float | str | ByFamily[float | str] = _EMPTY
    empty_has_weight: bool | ByFamily[bool] = True
    undefined: str = "not_positive"
    weighted: bool | ByFamily[bool] = True
    missing: str | ByFamily[str] = "zero"
    unjudged: str = "keep"
    own_document: str = "keep"
    drop_scores_at_most: float | ByFamily[float | None] | None = None
    divisor: str | ByFamily[str] = _DIVISOR
    summation: str = "exact"
    mean: str | ByFamily[str] = "macro"
    rel: float = 1.0
    rel_strict: bool = False
    recall_rounding: float | str = "up"
    max_label: float = 4.0
    p: float = 0.8
    names: Mapping[str, str] = Frozen({})
    version: str = ""
    source: str = ""
    reproduces: str = ""
    leaves_out: str = ""

    # Written by hand: a generated __init__ for 30 fields would double the import time.
    def __init__(self, name: str, **values: object) -> None:
        if not name or type(name) is not str:
            raise TypeError(f"a convention's name must be a non-empty string, not {name!r:.100}")
        for field in values:
            if field not in FIELD_CHECKS:
                raise TypeError(f"a convention has no field {suggest(field, FIELD_CHECKS)}")
        object.__setattr__(self, "name", name)
        for field, (check, allowed) in FIELD_CHECKS.items():
            value = _DEFAULTS[field]
            if field in values:
                value = freeze(values[field])
            entries = [value]
            if field in BY_FAMILY and isinstance(value, Frozen):
                entries = list(value.values())
            for entry in entries:
                if not check(entry):
                    raise ValueError(
                        f"a convention's {field} must be {allowed}, not {entry!r:.100}"
                    )
            object.__setattr__(self, field, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Convention):
            return NotImplemented
        return self is other or self._values() == other._values()

    def __hash__(self) -> int:
        cached: int | None = self.__dict__.get("_hash")  # conventions are keys of resolved calls
        if cached is None:
            cached = hash(tuple(self._values().items()))
            object.__setattr__(self, "_hash", cached)
        return cached

    def replace(self, **changes: object) -> "Convention":
        """Return a copy with some values changed; without `name`, its name lists the changes."""
        new = Convention(**(self._values() | changes))
        if "name" not in changes:  # lightgbm(k=10) for lightgbm with another k
            base = new.name.partition("(")[0]
            standard = vars(conventions[base]) if base in conventions else _DEFAULTS
            parts = []
            for field, value in new._values().items():
                if field != "name" and value != standard[field]:
                    parts.append(f"{field}={_format_field(value)}")
            if parts:
                base += f"({', '.join(parts)})"
            object.__setattr__(new, "name", base)
        return new

    def _variant(self, field: str, word: str) -> "Convention":
        """The convention with another word in one field, made once."""
        cached: dict[tuple[str, str], Convention] = self.__dict__.setdefault("_variants", {})
        if (field, word) not in cached:
            cached[field, word] = self.replace(**{field: word})
        return cached[field, word]

    def for_family(self, field: str, family: str, *, cut: bool = False) -> Any:
        """Return a field's value for one family of measures; cut: whether there is a cutoff."""
        return self.of_family(family, cut)[field]

    def of_family(self, family: str, cut: bool = False) -> Mapping[str, Any]:
        """All fields with their values for one family of measures, numbers as floats.

        cut: whether the measure has a cutoff, which conventions may treat as another family.
        """
        cached: dict[tuple[str, bool], dict[str, Any]] = self.__dict__.setdefault("_families", {})
        if (family, cut) not in cached:
            keys = [family, "*"]
            if cut:
                keys.insert(0, f"{family}@k")
            values = self._values()
            for field in BY_FAMILY:
                values[field] = _find_value(values[field], _DEFAULTS[field], keys)
            for field, value in values.items():
                # Frozen values are converted once: integers to floats, tuples to arrays.
                if field in KINDS and isinstance(value, (int, tuple)):
                    values[field] = KINDS[field].read(field, value)
            cached[family, cut] = values
        return cached[family, cut]

    def _values(self) -> dict[str, Any]:
        return {field: getattr(self, field) for field in self.__dataclass_fields__}

    def __reduce__(self) -> tuple[object, ...]:
        # The constructor replaces nan by math.nan, so that tuples of it compare equal.
        return _build, (self._values(),)

    def __repr__(self) -> str:
        changes = []
        for field, value in self._values().items():
            if field == "name" or value != _DEFAULTS[field]:
                changes.append(f"{field}={value!r}")
        return f"Convention({', '.join(changes)})"

    def __str__(self) -> str:
        width = max(map(len, self.__dataclass_fields__))
        rows = []
        for name, value in self._values().items():
            row = f"{name:<{width}}  {_format_field(value)}"
            rows.append(row.rstrip())
        return "\n".join(rows)


def _find_value(value: object, default: object, keys: Sequence[str]) -> object:
    """The value of a field for a measure, with `keys` from its family's name to "*".

    If the field maps families to values, it is the value of the first of these keys. A mapping
    without any of them falls back to the default of rankgain.
    """
    for table in (value, default):
        if not isinstance(table, Frozen):
            return table
        for key in keys:
            if key in table:
                return table[key]
    return None


def _build(values: dict[str, Any]) -> Convention:
    return Convention(**values)


_DEFAULTS = {name: field.default for name, field in Convention.__dataclass_fields__.items()}


def how_checked(convention: Convention) -> str:
    """What a test compares the convention with: the running tool, its source code, or a paper."""
    if convention.name == "rankgain":
        return "oracle"
    if convention.source.startswith("[read]"):
        return "source only"
    if convention.source.startswith("[paper]"):
        return "paper"
    return "run"


def _format_field(value: object) -> str:
    """Return a field's value as text, with long tables shortened."""
    if isinstance(value, Frozen):
        return ", ".join(f"{key}: {_format_field(entry)}" for key, entry in value.items())
    if isinstance(value, tuple) and len(value) > 6:
        return f"({', '.join(map(repr, value[:4]))}, ... {value[-1]!r})"
    if isinstance(value, str):
        return value
    return repr(value)


class _Conventions(Mapping[str, Convention]):
    """The named conventions, each built on its first use."""

    def __init__(self) -> None:
        self._built: dict[str, Convention] = {}

    def _entries(self) -> dict[str, dict[str, object]]:
        from .documented import ENTRIES  # imported at the first use

        return ENTRIES

    def __getitem__(self, name: str) -> Convention:
        if name not in self._built:
            if name not in list(self):
                raise KeyError(f"unknown convention {suggest(name, self)}")
            entry = _RANKGAIN if name == "rankgain" else self._entries()[name]
            self._built[name] = Convention(name, **entry)
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(("rankgain", *self._entries()))

    def __len__(self) -> int:
        return 1 + len(self._entries())

    def __repr__(self) -> str:
        return f"conventions({', '.join(self)})"

    def __reduce__(self) -> str:
        return "conventions"

    def __str__(self) -> str:
        width = max(map(len, self))
        rows = [f"{'name':<{width}}  checked      reproduces"]
        for name, convention in self.items():
            checked = how_checked(convention)
            rows.append(f"{name:<{width}}  {checked:<11}  {convention.reproduces}")
        return "\n".join(rows)


_RANKGAIN = {
    "version": "this package",
    "source": "the documentation of rankgain's functions",
    "reproduces": "the mathematical values, ties as exact expectations over all orders",
}
conventions: Final = _Conventions()


def get_convention(convention: str | Convention) -> Convention:
    """Return the convention of a name; a Convention is returned unchanged."""
    if isinstance(convention, Convention):
        return convention
    if not isinstance(convention, str):
        kind = type(convention).__name__
        raise TypeError(f"convention must be a name or a Convention, not {kind}")
    cached = conventions._built.get(convention)
    if cached is not None:
        return cached
    try:
        return conventions[convention.strip().lower()]
    except KeyError:
        raise ValueError(f"unknown convention {suggest(convention, conventions)}") from None
