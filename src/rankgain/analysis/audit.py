"""audit: which of the field's standing errors a metric has."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ..convention import conventions
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure, parse_measure
from .audit_calls import Caller, Refused, tolerance_of
from .audit_lists import FORMS, Example, make_lists, make_pairs
from .audit_result import SENTENCES, Audit, AuditExample
from .audit_values import (
    Hypothesis,
    MetricRules,
    hypotheses,
    mean_of,
    value_under,
    values_of,
    with_one_error,
)

GRADED = ("cg", "dcg", "idcg", "ndcg", "err", "r_ndcg")
UNBOUNDED = ("cg", "dcg", "idcg")
TIES = ("average", "stable", "reverse")
TIES_BY_ID = ("id_descending", "id")
UNFAIR_TIES = {"best": "ties for the system", "worst": "ties against the system"}
REPEATED = ("worth nothing", "removed", "removed after the cutoff")  # none of them is an error
UNEXPLAINED = "differs, unexplained"
# What one tool may choose and another not: no error where a named convention has all the numbers.
CHOICES = {
    *("first two ranks undiscounted", "exp2 used as gains", "labels truncated"),
    *("ties for the system", "ties against the system", "ties in no known order"),
    *("empty lists count 1", "lists without results dropped", "queries without judgments counted"),
    UNEXPLAINED,
}


def audit(
    function: Callable[..., Any],
    *,
    form: Literal["arrays", "ids", "dicts"] = "arrays",
    k: int | None = 10,
    measure: str | Measure = "nDCG",
) -> Audit:
    """Say which of the field's standing errors a metric has.

    The function is called with some two hundred generated lists, the same in every run, and its
    values are compared with the right ones, which are this package's. Where they differ, they are
    compared with the values that a known error gives, and two at once: what explains every value is
    reported, each error with the smallest list that shows it.

    Parameters
    ----------
    function : callable
        The metric. What it returns may be a number, a value for each list, a dict query -> value,
        or one of query -> {name: value}; None and nan are no value. A list on which it raises is
        refused, which is no error.
    form : "arrays", "ids" or "dicts"
        How it is called, with one list at a time and, where it takes them, with two:
        `function(y_true, y_score)` with NumPy arrays of labels and scores, of one list (n,) or,
        where these are refused, with Python's lists, or with arrays of rows (lists, n);
        `function(retrieved, relevant)` with lists of ids, the best first, or, where these are
        refused, with a set of relevant ids, or with a list of lists on both sides;
        `function(qrels, run)` with {query: {document: label}} and {query: {document: score}}.
    k : int, optional
        The cutoff, None for the whole list. It is passed where the function has a parameter `k`,
        `top_k`, `topk`, `at_k` or `cutoff`, or a third one without a default. Else the function has
        it bound or has none, and both are tried.
    measure : str or Measure
        What it should compute, such as "AP" or "nDCG(gain=exp2)"; a cutoff in the name is `k`.

    Returns
    -------
    Audit
        `.errors`, `.examples` (error -> the smallest list), `.convention`, `.choices`; print it.

    A choice on which tools differ is no error where a named convention has all of the numbers:
    `.convention`. Such are exponential gains, an order of ties, and 1 for a list with nothing
    relevant. Under a name that says its gain, another gain is an error. What misleads is an error
    whoever does it: an ideal or a divisor that forgets what was missed, lists left out, repeated
    ids credited.

    Raises a ValueError where the function gives no number for a list of three documents.

    >>> import rankgain as rg
    >>> def precision(retrieved, relevant, k):
    ...     return len(set(retrieved[:k]) & set(relevant)) / max(len(retrieved[:k]), 1)
    >>> print(rg.audit(precision, form="ids", k=5, measure="P").examples.popitem()[1])
    f(['d1'], ['d1'], k=5) is 1.0000, not 0.2000
    >>> assert not rg.audit(rg.ndcg).errors
    """
    wanted = parse_measure(measure)
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(map(repr, FORMS))}, not {form!r}")
    if not callable(function):
        raise TypeError(f"function must be a function, not {type(function).__name__}")
    k = k if wanted.k is None else wanted.k
    Measure(wanted.family, k=k, **wanted.params)  # refuses a wrong cutoff
    return _Auditor(function, form, k, wanted).result()


class _Auditor:
    """One audit, step by step: what is seen is written to `examples` and `choices`."""

    def __init__(
        self, function: Callable[..., Any], form: str, k: int | None, measure: Measure
    ) -> None:
        self.form, self.measure, self.k = form, measure, k
        self.family = FAMILIES[measure.family.lower()].function
        self.caller = Caller(function, form, k)
        self.lists = make_lists(form, self.family in GRADED, k)
        self.answers = {one: self.caller.value(one) for one in self.lists}
        self.tolerance = tolerance_of(self.answers.values())
        self.examples: dict[str, AuditExample] = {}
        self.choices: dict[str, Any] = {}

    def result(self) -> Audit:
        best = self._explained()
        self._order(best)
        if best is not None and best.rules.order in ("score", "ascending"):
            self._ties(best.rules)
        if best is not None:
            self._repeated(best.rules)
            self._fractions(best.rules)
        self._undefined()
        self._several()
        self._facts()
        names = self._conventions()
        for error in list(self.examples):
            if names and (error in CHOICES or _is_left_out(error, names[0])):
                del self.examples[error]
        function = self.caller.function
        refused = [value for value in self.answers.values() if isinstance(value, Refused)]
        return Audit(
            errors=tuple(error for error in SENTENCES if error in self.examples),
            examples=self.examples,
            convention=names[0] if names else None,
            conventions=tuple(names),
            choices=self.choices,
            function=getattr(function, "__qualname__", None) or repr(function),
            form=self.form,
            measure=str(self._named),
            lists=len(self.lists),
            refused=len(refused),
            refusal=repr(refused[0].error) if refused else None,
        )

    @property
    def _named(self) -> Measure:
        """The measure with the cutoff that the function has."""
        return Measure(self.measure.family, k=self.k, **self.measure.params)

    def _answered(self, kind: str) -> dict[Example, float]:
        """The lists of a kind that the function did not refuse, with its values."""
        return {
            one: value
            for one, value in self.answers.items()
            if one.kind == kind and not isinstance(value, Refused)
        }

    def _is(self, value: float, expected: float | None) -> bool:
        """Whether a value is what was expected; undefined is any of the values that tools give."""
        if expected is None:
            return math.isnan(value) or value in (0.0, 1.0)
        if math.isnan(expected) or math.isnan(value):
            return math.isnan(expected) and math.isnan(value)
        return math.isclose(value, expected, rel_tol=self.tolerance, abs_tol=self.tolerance)

    def _fits(
        self, answered: Mapping[Example, float], rules: MetricRules, ties: str = "stable"
    ) -> bool:
        return all(
            self._is(value, self._value(one, rules, ties)) for one, value in answered.items()
        )

    def _right(self, lists: Sequence[Example], **options: Any) -> list[float]:
        return values_of(lists, self.form, self._named, **options)

    def _note(
        self, error: str, lists: Sequence[Example], value: float, right: float | None
    ) -> None:
        """Keep what shows an error, unless something smaller did."""
        if error not in self.examples:
            self.examples[error] = AuditExample(*self.caller.arguments(lists), value, right)

    # ---- lists without ties

    def _explained(self) -> Hypothesis | None:
        """The fewest errors that explain all values of lists in which nothing is special."""
        answered = self._answered("untied")
        bases = [self.k] if self.caller.takes_k or self.k is None else [self.k, None]
        best: Hypothesis | None = None
        for k in bases:
            before, self.k = self.k, k
            right = dict(zip(answered, self._right(list(answered)), strict=True))
            options = hypotheses(self.measure, self.form, k)
            for one in options:
                if best is not None and len(one.errors) >= len(best.errors):
                    break
                if one is options[0]:
                    fits = all(self._is(value, right[x]) for x, value in answered.items())
                else:
                    fits = self._fits(answered, one.rules)
                if fits:
                    best, before = one, k
                    break
            self.k = before
        return best

    def _order(self, best: Hypothesis | None) -> None:
        """Note the errors of the explanation, or that there is none."""
        answered = self._answered("untied")
        right = self._right(list(answered))
        differs = [
            (one, value, expected)
            for (one, value), expected in zip(answered.items(), right, strict=True)
            if not self._is(value, expected)
        ]
        if best is None:
            error = "order lost" if self._forgets_order(answered, right) else UNEXPLAINED
            self._note(error, [differs[0][0]], *differs[0][1:])
            return
        for error in best.errors:
            rules = with_one_error(best.rules, error)
            for one, value, expected in differs:
                with_it = self._value(one, rules)
                if with_it is None or not self._is(with_it, expected):
                    self._note(error, [one], value, expected)
        if best.rules.gain != "linear":
            self.choices["gain"] = best.rules.gain
        if best.rules.divisor and not best.errors:
            self.choices["divisor"] = best.rules.divisor

    def _forgets_order(self, answered: Mapping[Example, float], right: list[float]) -> bool:
        """Whether a list and its reverse always have one value, where the right ones differ."""
        turned = [self._turned(one) for one in answered]
        pairs = zip(answered.values(), turned, right, self._right(turned), strict=True)
        same = [
            not isinstance(again := self.caller.value(one), Refused) and self._is(value, again)
            for value, one, here, there in pairs
            if abs(here - there) > 0.01
        ]
        return len(same) >= 5 and all(same)

    def _turned(self, one: Example) -> Example:
        """The list ranked the other way round."""
        if self.form == "ids":
            return one._replace(ids=one.ids[::-1], labels=one.labels[::-1])
        return one._replace(scores=tuple(1 - score for score in one.scores))

    # ---- lists in which something is special

    def _ties(self, rules: MetricRules) -> None:
        tied, close = self._answered("tied"), self._answered("close")
        fair = TIES + TIES_BY_ID if self.form == "dicts" else TIES
        ties = next((x for x in (*fair, *UNFAIR_TIES) if self._fits(tied, rules, x)), None)
        if not tied:
            return
        if ties is None:
            self._bounded(tied, rules)
            return
        self.choices["ties"] = ties
        if ties in UNFAIR_TIES:
            self._differing(UNFAIR_TIES[ties], tied)
        if self._fits(close, rules):
            return
        equal = {one._replace(scores=(1.0,) * len(one.scores)): x for one, x in close.items()}
        if self._fits(equal, rules, ties):
            self.choices["score_dtype"] = "float32"
        else:
            self._differing(UNEXPLAINED, close)

    def _bounded(self, tied: Mapping[Example, float], rules: MetricRules) -> None:
        """Say whether the values lie between those of the worst and the best order."""
        inside = True
        for one, value in tied.items():
            ends = [self._value(one, rules, x) for x in UNFAIR_TIES]
            low, high = min(map(_real, ends)), max(map(_real, ends))
            inside &= low - self.tolerance <= value <= high + self.tolerance
        self._differing("ties in no known order" if inside else UNEXPLAINED, tied)

    def _differing(self, error: str, answered: Mapping[Example, float]) -> None:
        """Note an error at the first list whose value is not the right one."""
        for (one, value), right in zip(answered.items(), self._right(list(answered)), strict=True):
            if not self._is(value, right):
                self._note(error, [one], value, right)

    def _repeated(self, rules: MetricRules) -> None:
        """Whether an id that comes twice counts twice."""
        answered = self._answered("repeated")
        for repeated in REPEATED:
            if self._fits(answered, rules._replace(repeated=repeated)):
                if answered:
                    self.choices["repeated"] = repeated
                return
        others = {one.renamed(): value for one, value in answered.items()}
        credited = self._fits(answered, rules._replace(repeated="credited"))
        error = "duplicates credited" if credited or self._fits(others, rules) else UNEXPLAINED
        right = MetricRules(gain=rules.gain)
        for one, value in answered.items():
            values = [self._value(one, right._replace(repeated=x)) for x in REPEATED]
            if not any(self._is(value, x) for x in values):
                self._note(error, [one], value, values[0])

    def _value(self, one: Example, rules: MetricRules, ties: str = "stable") -> float | None:
        return value_under(one, self.measure, self.k, rules, ties)

    def _fractions(self, rules: MetricRules) -> None:
        answered = self._answered("fraction")
        if self._fits(answered, rules):
            return
        cut = {
            one._replace(labels=tuple(int(label) for label in one.labels)): value
            for one, value in answered.items()
        }
        self._differing("labels truncated" if self._fits(cut, rules) else UNEXPLAINED, answered)

    def _undefined(self) -> None:
        """Lists with nothing relevant and lists with nothing retrieved."""
        for kind, dropped in (
            ("empty", "empty lists dropped"),
            ("nothing", "lists without results dropped"),
        ):
            answered = self._answered(kind)
            for (one, value), right in zip(
                answered.items(), self._right(list(answered)), strict=True
            ):
                if kind == "empty":
                    self.choices["empty"] = value
                if self._is(value, right):
                    continue
                error = dropped if math.isnan(value) else UNEXPLAINED
                if kind == "empty" and self._is(value, 1.0):
                    error = "empty lists count 1"
                self._note(error, [one], value, right)

    def _several(self) -> None:
        """What lists without a value do to a mean."""
        for lists, error in make_pairs(self.form) if self.caller.several else ():
            value, first = self.caller.mean(lists), self.caller.value(lists[0])
            if isinstance(value, Refused) or isinstance(first, Refused):
                continue
            second = 0.0 if self.family != "auc" else first
            right = first if error.startswith("queries") else (first + second) / 2
            if self._is(value, right):
                continue
            if error.startswith("queries"):
                is_known = self._is(value, first / 2)
            else:
                is_known = self._is(value, first)
            if error == "empty lists dropped" and self._is(value, (first + 1) / 2):
                error, is_known = "empty lists count 1", True
            self._note(error if is_known else UNEXPLAINED, lists, value, right)

    def _facts(self) -> None:
        """What no reference is needed for."""
        for one, value in self._answered("NaN").items():
            if math.isfinite(value):
                self._note("NaN accepted", [one], value, None)
        if self.family in UNBOUNDED:
            return
        for one, answer in self.answers.items():
            if isinstance(answer, Refused) or not answer > 1 + self.tolerance or one.kind == "NaN":
                continue
            right = self._value(one, MetricRules(gain=self.measure.params.get("gain", "linear")))
            self._note("value beyond 1", [one], answer, right)

    # ---- conventions

    def _conventions(self) -> list[str]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [name for name in conventions if self._has_numbers_of(name)]

    def _has_numbers_of(self, name: str) -> bool:
        for kind in ("untied", "tied", "close", "fraction", "empty", "nothing"):
            lists = [one for one in self.lists if one.kind == kind]
            answered = self._answered(kind)
            if kind != "fraction":
                lists = list(answered)
            try:
                values = self._right(lists, convention=name)
            except (ValueError, TypeError):
                if answered:
                    return False
                continue
            if kind == "fraction" and len(answered) < len(lists):
                return False
            if not all(map(self._is, answered.values(), values)):
                return False
        pairs = make_pairs(self.form) if self.caller.several else ()
        return all(self._has_mean_of(name, lists) for lists, _ in pairs)

    def _has_mean_of(self, name: str, lists: list[Example]) -> bool:
        value = self.caller.mean(lists)
        if isinstance(value, Refused):
            return True
        try:
            return self._is(value, mean_of(lists, self.form, self._named, name))
        except ValueError:
            return False


def _is_left_out(error: str, name: str) -> bool:
    return error == "NaN accepted" and "NaN" in conventions[name].leaves_out


def _real(value: float | None) -> float:
    return 0.0 if value is None else value
