"""audit: which known errors a metric function has."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

from ..convention import Convention, conventions
from ..measures.measure import Measure, parse_measure
from .audit_lists import FORMS, AuditList, Caller, Refused, make_audit_lists, make_pairs
from .audit_result import SENTENCES, UNEXPLAINED, Audit, AuditExample
from .audit_values import Hypothesis, MetricRules, compute_value, evaluate_lists, hypotheses

Answered: TypeAlias = dict[AuditList, float]  # lists with the values of the function

GRADED = ("cg", "dcg", "idcg", "ndcg", "err", "r_ndcg")
TIES = ("average", "stable", "reverse")
TIES_BY_ID = ("id_descending", "id")
UNFAIR_TIES = {"best": "ties for the system", "worst": "ties against the system"}
REPEATED = ("worth nothing", "removed", "removed after the cutoff")  # accepted rules
# Choices on which tools differ: no errors if a named convention has all values of the function.
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
    """Check a metric function for the known errors of ranking metrics.

    The function is called with about two hundred generated lists, the same in every run, and its
    values are compared with this package's. If they differ, they are compared with the values under
    each known error, and under two errors at once. The errors that explain all values are reported,
    each with the smallest list that shows it.

    Parameters
    ----------
    function : callable
        The metric. It may return a number, a value for each list, a dict query -> value, or a dict
        query -> {name: value}; None and nan mean no value. A list on which it raises is counted as
        refused, which is no error.
    form : "arrays", "ids" or "dicts"
        How to call it, with one list and, if it accepts them, with two:
        `function(y_true, y_score)` with NumPy arrays of labels and scores of one list (n,), else
        with Python lists, else with arrays of rows (lists, n);
        `function(retrieved, relevant)` with lists of ids, the best first, else with a set of
        relevant ids, else with a list of lists on both sides;
        `function(qrels, run)` with {query: {document: label}} and {query: {document: score}}.
    k : int, optional
        The cutoff; None: no cutoff. It is passed if the function has a parameter `k`, `top_k`,
        `topk`, `at_k` or `cutoff`, or a third one without a default. Otherwise both the cutoff and
        no cutoff are tried.
    measure : str or Measure
        What it should compute, such as "AP" or "nDCG(gain=exp2)"; a cutoff in the name is `k`.

    Returns
    -------
    Audit
        `.errors`, `.examples` (error -> the smallest list), `.convention`, `.choices`; print it.

    Raises
    ------
    ValueError
        If the function does not return a number for a list of three documents.

    Notes
    -----
    A choice on which tools differ is no error if a named convention, `.convention`, has all values
    of the function. Such choices are exponential gains, an order of ties, and 1 for a list with
    nothing relevant. If the measure's name states the gain, another gain is an error. Always errors
    are an ideal or a divisor without the missed documents, lists left out of the mean, and credit
    for repeated ids. So are ties that are broken for or against the system, unless the measure has
    gains, as nDCG, and a convention has its numbers.

    Examples
    --------
    >>> import rankgain as rg
    >>> def precision(retrieved, relevant, k):
    ...     return len(set(retrieved[:k]) & set(relevant)) / max(len(retrieved[:k]), 1)
    >>> print(rg.audit(precision, form="ids", k=5, measure="P").examples.popitem()[1])
    f(['d1'], ['d1'], k=5) is 1.0000, not 0.2000
    >>> assert not rg.audit(rg.ndcg).errors
    """
    parsed = parse_measure(measure)
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(map(repr, FORMS))}, not {form!r}")
    if not callable(function):
        raise TypeError(
            f"function must be your metric function, not data ({type(function).__name__}): audit "
            "calls it with lists of its own"
        )
    if parsed.definition.compute is not None or parsed.definition.row.reads != "labels":
        raise ValueError(
            f"measure: {parsed} cannot be audited; the generated lists have one label for each "
            "document, and are compared with measures that rankgain computes from these"
        )
    if parsed.k is not None:
        k = parsed.k
    Measure(parsed.family, k=k, **parsed.params)  # checks the cutoff
    return _Auditor(function, form, k, parsed).result()


def _find_tolerance(answers: Iterable[float | Refused]) -> float:
    """The rounding error of a function's values, which may be rounded or of single precision."""
    values = [value for value in answers if isinstance(value, float) and math.isfinite(value)]
    for decimals in (3, 4, 5):
        if all(round(value, decimals) == value for value in values):
            return 0.51 * 10.0**-decimals  # half a unit of the last decimal, and a little
    return 2e-6


class _Auditor:
    """One audit: its steps write to `examples` and `choices`."""

    def __init__(
        self, function: Callable[..., Any], form: str, k: int | None, measure: Measure
    ) -> None:
        self.form, self.measure, self.k = form, measure, k
        family = measure.definition
        self.caller = Caller(function, form, k)
        self.lists = make_audit_lists(form, family.function in GRADED, k)
        self.answers = {audit_list: self.caller.value(audit_list) for audit_list in self.lists}
        self.tolerance = _find_tolerance(self.answers.values())
        # The values of a geometric mean are logarithms, at most 0; the mean of one list is not.
        has_positive = any(value > 0 for value in self._accepted_lists("untied").values())
        self.of_logs = family.mean == "geometric" and has_positive
        self.examples: dict[str, AuditExample] = {}
        self.choices: dict[str, object] = {}

    def result(self) -> Audit:
        rules = self._check_untied()
        if rules is not None:
            if rules.order in ("score", "ascending"):
                self._check_ties(rules)
            self._check_labels(rules)
        self._check_undefined()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            names = [name for name in conventions if self._has_numbers(name)]
        first_name = None
        if names:
            first_name = names[0]
            self._remove_choices(conventions[first_name])
        function = self.caller.function
        refused = [value for value in self.answers.values() if isinstance(value, Refused)]
        refusal = None
        if refused:
            refusal = repr(refused[0].error)
        # Errors in the order of their sentences, not in that of their discovery.
        errors = [error for error in SENTENCES if error in self.examples]
        return Audit(
            errors=tuple(errors),
            examples=self.examples,
            convention=first_name,
            conventions=tuple(names),
            choices=self.choices,
            function=getattr(function, "__qualname__", None) or repr(function),
            form=self.form,
            measure=str(self._measure_at_k),
            lists=len(self.lists),
            refused=len(refused),
            refusal=refusal,
        )

    def _remove_choices(self, convention: Convention) -> None:
        """Remove the errors that are choices, since a convention has all values of the function."""
        is_graded = self.measure.definition.function in GRADED
        for error in list(self.examples):
            if error in UNFAIR_TIES.values() and not is_graded:
                # AP, RR and the like of documents have no such ties in any tool. A convention that
                # has them is made for link prediction, where lists hold a single right answer, or
                # for the objective of a training.
                continue
            drops_nan = error == "NaN accepted" and "NaN" in convention.leaves_out
            if error in CHOICES or drops_nan:
                del self.examples[error]

    @property
    def _measure_at_k(self) -> Measure:
        """The measure with the function's cutoff."""
        return Measure(self.measure.family, k=self.k, **self.measure.params)

    def _accepted_lists(self, kind: str) -> Answered:
        """The lists of a kind that the function accepted, with its values."""
        accepted: Answered = {}
        for audit_list, value in self.answers.items():
            if audit_list.kind == kind and not isinstance(value, Refused):
                accepted[audit_list] = value
        return accepted

    def _matches(self, value: float, expected: float | None) -> bool:
        """Whether a value is the expected one; if that is None (undefined), nan, 0 and 1 match."""
        if expected is None:
            return math.isnan(value) or value in (0.0, 1.0)
        if math.isnan(expected) or math.isnan(value):
            return math.isnan(expected) and math.isnan(value)
        return math.isclose(value, expected, rel_tol=self.tolerance, abs_tol=self.tolerance)

    def _value(
        self, audit_list: AuditList, rules: MetricRules, ties: str = "stable"
    ) -> float | None:
        value = compute_value(audit_list, self.measure, self.k, rules, ties)
        if self.of_logs and value is not None:
            return math.exp(value)
        return value

    def _fits(self, answered: Answered, rules: MetricRules, ties: str = "stable") -> bool:
        """Whether the function has the values of these rules on all lists."""
        for audit_list, value in answered.items():
            if not self._matches(value, self._value(audit_list, rules, ties)):
                return False
        return True

    def _right_values(
        self, lists: Iterable[AuditList], convention: str = "rankgain"
    ) -> list[float]:
        values, _ = evaluate_lists(list(lists), self.form, self._measure_at_k, convention)
        if self.of_logs:
            return list(map(math.exp, values))
        return values

    def _differences(self, answered: Answered) -> list[tuple[AuditList, float, float]]:
        """The lists whose value is not the right one, with their value and the right one."""
        differences = []
        right_values = self._right_values(answered)
        for audit_list, value, right in zip(answered, answered.values(), right_values, strict=True):
            if not self._matches(value, right):
                differences.append((audit_list, value, right))
        return differences

    def _note(
        self, error: str, lists: Sequence[AuditList], value: float, right: float | None
    ) -> None:
        """Record the example of an error, unless there is one: lists come smallest first."""
        if error not in self.examples:
            self.examples[error] = AuditExample(*self.caller.arguments(lists), value, right)

    def _note_first(self, error: str, answered: Answered) -> None:
        """Record an error with the first list whose value is wrong."""
        for audit_list, value, right in self._differences(answered)[:1]:
            self._note(error, [audit_list], value, right)

    # ---- lists without ties

    def _check_untied(self) -> MetricRules | None:
        """Find the fewest errors that explain the values of all "untied" lists, and the cutoff."""
        answered = self._accepted_lists("untied")
        best = self._find_hypothesis(answered)
        differences = self._differences(answered)
        if best is None:
            error = "order lost" if self._loses_order(answered) else UNEXPLAINED
            audit_list, value, expected = differences[0]
            self._note(error, [audit_list], value, expected)
            return None
        for error in best.errors:
            for audit_list, value, expected in differences:
                with_error = self._value(audit_list, best.rules(error))
                if with_error is None or not self._matches(with_error, expected):
                    self._note(error, [audit_list], value, expected)
        rules = best.rules()
        if rules.gain != "linear":
            self.choices["gain"] = rules.gain
        if rules.divisor and not best.errors:
            self.choices["divisor"] = rules.divisor
        return rules

    def _find_hypothesis(self, answered: Answered) -> Hypothesis | None:
        """The hypothesis with the fewest errors that has these values; `k` becomes its cutoff."""
        k = self.k
        cutoffs = [k]
        if k is not None and self.caller.cutoff is None:
            cutoffs.append(None)  # the function may also have no cutoff
        candidates = []
        for cutoff in cutoffs:
            for hypothesis in hypotheses(self.measure, self.form, cutoff):
                candidates.append((hypothesis, cutoff))
        # The sort is stable: of as many errors, the earlier hypothesis stays first.
        candidates.sort(key=lambda candidate: len(candidate[0].errors))
        for hypothesis, cutoff in candidates:
            self.k = cutoff
            if hypothesis.changes:
                fits = self._fits(answered, hypothesis.rules())
            else:
                fits = not self._differences(answered)
            if fits:
                return hypothesis
        self.k = k
        return None

    def _loses_order(self, answered: Answered) -> bool:
        """Whether reversing a list never changes the value, although it should."""
        reversed_lists = [audit_list.reversed(self.form) for audit_list in answered]
        right_values = self._right_values(answered)
        right_of_reversed = self._right_values(reversed_lists)
        compared = 0
        for value, reversed_list, right, reversed_right in zip(
            answered.values(), reversed_lists, right_values, right_of_reversed, strict=True
        ):
            if abs(right - reversed_right) > 0.01:
                reversed_value = self.caller.value(reversed_list)
                if isinstance(reversed_value, Refused):
                    return False
                if not self._matches(value, reversed_value):
                    return False
                compared += 1
        return compared >= 5

    # ---- lists in which something is special

    def _check_ties(self, rules: MetricRules) -> None:
        tied, close = self._accepted_lists("tied"), self._accepted_lists("close")
        if not tied:
            return
        orders = [*TIES, *UNFAIR_TIES]
        if self.form == "dicts":
            orders = [*TIES, *TIES_BY_ID, *UNFAIR_TIES]
        for ties in orders:
            if self._fits(tied, rules, ties):
                break
        else:
            # Values outside those of the worst and the best order have another error.
            is_within_ends = True
            for audit_list, value in tied.items():
                ends = [self._value(audit_list, rules, rule) or 0.0 for rule in UNFAIR_TIES]
                is_within_ends &= min(ends) - self.tolerance <= value <= max(ends) + self.tolerance
            error = "ties in no known order" if is_within_ends else UNEXPLAINED
            self._note_first(error, tied)
            return
        self.choices["ties"] = ties
        if ties in UNFAIR_TIES:
            self._note_first(UNFAIR_TIES[ties], tied)
        if self._fits(close, rules):
            return
        # In single precision the scores of these lists are equal.
        equal: Answered = {}
        for audit_list, value in close.items():
            equal[audit_list._replace(scores=(1.0,) * len(audit_list.scores))] = value
        if self._fits(equal, rules, ties):
            self.choices["score_dtype"] = "float32"
        else:
            self._note_first(UNEXPLAINED, close)

    def _check_labels(self, rules: MetricRules) -> None:
        """Check lists with fractional labels, and those of ids in which one is repeated."""
        answered = self._accepted_lists("fraction")
        if not self._fits(answered, rules):
            truncated: Answered = {}
            for audit_list, value in answered.items():
                labels = tuple(map(int, audit_list.gains))
                truncated[audit_list._replace(labels=labels)] = value
            error = "labels truncated" if self._fits(truncated, rules) else UNEXPLAINED
            self._note_first(error, answered)
        answered = self._accepted_lists("repeated")
        if not answered:
            return
        for repeated in REPEATED:
            if self._fits(answered, rules._replace(repeated=repeated)):
                self.choices["repeated"] = repeated
                return
        renamed = {audit_list.renamed(): value for audit_list, value in answered.items()}
        error = UNEXPLAINED
        if self._fits(answered, rules._replace(repeated="credited")) or self._fits(renamed, rules):
            error = "duplicates credited"
        right = MetricRules(gain=rules.gain)
        for audit_list, value in answered.items():
            allowed = [self._value(audit_list, right._replace(repeated=rule)) for rule in REPEATED]
            if not any(self._matches(value, expected) for expected in allowed):
                self._note(error, [audit_list], value, allowed[0])

    def _check_undefined(self) -> None:
        """Check lists with nothing relevant, with nothing retrieved and with NaN, the mean of a
        list with a value and one without, and that no value is greater than 1.
        """
        dropped = {"empty": "empty lists dropped", "nothing": "lists without results dropped"}
        for kind, error in dropped.items():
            answered = self._accepted_lists(kind)
            for audit_list, value, right in self._differences(answered):
                found = error if math.isnan(value) else UNEXPLAINED
                if kind == "empty" and self._matches(value, 1.0):
                    found = "empty lists count 1"
                self._note(found, [audit_list], value, right)
            if kind == "empty" and answered:
                self.choices["empty"] = list(answered.values())[-1]
        pairs = make_pairs(self.form) if self.caller.accepts_batches else []
        for lists, error in pairs:
            self._check_mean(lists, error)
        for audit_list, value in self._accepted_lists("NaN").items():
            if math.isfinite(value):
                self._note("NaN accepted", [audit_list], value, None)
        largest = 1 + self.tolerance
        if max(self._right_values(self._accepted_lists("untied")), default=0.0) > largest:
            return
        for audit_list, answer in self.answers.items():
            if not isinstance(answer, Refused) and answer > largest and audit_list.kind != "NaN":
                rules = MetricRules(gain=self.measure.params.get("gain", "linear"))
                expected = self._value(audit_list, rules)
                self._note("value beyond 1", [audit_list], answer, expected)

    def _check_mean(self, lists: list[AuditList], error: str) -> None:
        """Check the mean of a list with a value and one without; error: that of a known mistake."""
        mean = self.caller.mean(lists)
        first = self.caller.value(lists[0])
        if isinstance(mean, Refused) or isinstance(first, Refused):
            return
        second = self._right_values(lists)[1]
        right = first if math.isnan(second) else (first + second) / 2
        # The measure's own mean may be a sum or a geometric mean, and differ between conventions.
        rules = ["rankgain"]
        if self.form == "dicts":
            rules.append("trec")
        allowed = [right]
        for convention in rules:
            allowed.append(evaluate_lists(lists, self.form, self._measure_at_k, convention)[1])
        if any(self._matches(mean, expected) for expected in allowed):
            return
        # Without the second list the mean is the first value; with an unjudged one, half of it.
        with_error = first
        if error.startswith("queries"):
            with_error = first / 2
        if error == "empty lists dropped" and self._matches(mean, (first + 1) / 2):
            error = "empty lists count 1"
        elif not self._matches(mean, with_error):
            error = UNEXPLAINED
        self._note(error, lists, mean, right)

    # ---- conventions

    def _has_numbers(self, name: str) -> bool:
        """Whether a convention has all values of the function."""
        for kind in ("untied", "tied", "close", "fraction", "empty", "nothing"):
            answered = self._accepted_lists(kind)
            lists = list(answered)
            if kind == "fraction":
                # Fractions that the function refused are none that the convention may accept.
                lists = [
                    audit_list for audit_list in self.lists if audit_list.kind == kind
                ] or lists
            try:
                values = self._right_values(lists, name)
            except (ValueError, TypeError):
                if answered:
                    return False
                continue
            if len(answered) < len(lists) or not all(map(self._matches, answered.values(), values)):
                return False
        if not self.caller.accepts_batches:
            return True
        for lists, _ in make_pairs(self.form):
            value = self.caller.mean(lists)
            if isinstance(value, Refused):
                continue
            try:
                mean = evaluate_lists(lists, self.form, self._measure_at_k, name)[1]
            except ValueError:
                return False
            if not self._matches(value, mean):
                return False
        return True
