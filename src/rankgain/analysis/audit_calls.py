"""Calling a function in an audit, and reading what it returns."""

import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .audit_lists import AuditList

CUTOFFS = ("k", "top_k", "topk", "at_k", "cutoff")  # names of the parameter that takes the cutoff
CALLS = {
    "arrays": "function(y_true, y_score) of arrays with one list each, or with a row for each list",
    "ids": "function(retrieved, relevant) of two lists of ids, or of two lists of such lists",
    "dicts": "function(qrels, run), {query: {document: label}} and {query: {document: score}}",
}


class Refused:
    """A list that a function refused, with the error that it raised."""

    def __init__(self, error: Exception) -> None:
        self.error = error


class Caller:
    """A function with the way to call it that it accepts.

    `several` is whether it evaluates several lists in one call.
    """

    def __init__(self, function: Callable[..., Any], form: str, k: int | None) -> None:
        self.function, self.form, self.k = function, form, k
        self.cutoff = _cutoff(function)
        self.way: Callable[[Sequence[AuditList]], tuple[Any, ...]] = WAYS[form][0]
        self._choose_way()
        self.several = self._takes_several()

    @property
    def takes_k(self) -> bool:
        """Whether the function takes a cutoff."""
        return self.cutoff is not None

    def arguments(self, lists: Sequence[AuditList]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The positional and keyword arguments for some lists."""
        way = _rows if self.form == "arrays" and len(lists) > 1 else self.way
        values = way(lists)
        if self.cutoff is None:
            return values, {}
        return (*values, self.k) if self.cutoff == "" else values, (
            {self.cutoff: self.k} if self.cutoff else {}
        )

    def value(self, one: AuditList) -> float | Refused:
        """The value of one list; nan if there is none."""
        answer = self._answer([one])
        return answer if isinstance(answer, Refused) else float(answer[0])

    def mean(self, lists: Sequence[AuditList]) -> float | Refused:
        """The mean over several lists, without lists that have no value."""
        answer = self._answer(lists)
        if isinstance(answer, Refused):
            return answer
        values = [x for x in answer if not math.isnan(x)]
        return sum(values) / len(values) if values else math.nan

    def _answer(self, lists: Sequence[AuditList]) -> list[float] | Refused:
        try:
            positional, named = self.arguments(lists)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = self.function(*positional, **named)
            return numbers(answer, len(lists))
        except Exception as error:  # any exception counts as a refusal
            return Refused(error)

    def _choose_way(self) -> None:
        probe = AuditList("untied", ("d1", "d2", "d3"), (0.9, 0.6, 0.3), (1, 0, 1))
        answers = []
        for way in WAYS[self.form]:
            self.way = way
            answers.append(self._answer([probe]))
            if not isinstance(answers[-1], Refused) and math.isfinite(answers[-1][0]):
                return
        first = answers[0]
        why = repr(first.error) if isinstance(first, Refused) else f"it returned {first[0]}"
        raise ValueError(
            f"function: no number for a list of three documents, {why}; with form={self.form!r} it "
            f"is called as {CALLS[self.form]}, and with k where it takes one"
        )

    def _takes_several(self) -> bool:
        """Whether a call with two lists gives the mean of their values."""
        if self.way in (_lists, _sets):
            return False
        a = AuditList("untied", ("d1", "d2", "d3"), (0.9, 0.6, 0.3), (0, 1, 0))
        b = AuditList("untied", ("d4", "d5", "d6"), (0.3, 0.6, 0.9), (1, 0, 0))
        first, second, both = self.value(a), self.value(b), self.mean([a, b])
        if isinstance(first, Refused) or isinstance(second, Refused) or isinstance(both, Refused):
            return False
        return math.isclose(first + second, 2 * both, rel_tol=1e-6, abs_tol=2e-5)


def _cutoff(function: Callable[..., Any]) -> str | None:
    """The name of the parameter that takes the cutoff; "": the third one by position; or None."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a function without a signature
        return None
    for one in parameters:
        if one.name in CUTOFFS and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            return one.name
    needed = [
        one
        for one in parameters
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    return "" if len(needed) == 3 else None


def _single(lists: Sequence[AuditList]) -> tuple[Any, ...]:
    (one,) = lists
    return np.array(one.worths), np.array(one.scores)


def _python(lists: Sequence[AuditList]) -> tuple[Any, ...]:
    (one,) = lists
    return one.worths, list(one.scores)


def _rows(lists: Sequence[AuditList]) -> tuple[Any, ...]:
    return np.array([one.worths for one in lists]), np.array([one.scores for one in lists])


def relevant(one: AuditList) -> list[str]:
    """The ids of the relevant documents, sorted so that their order says nothing about ranks."""
    return sorted(name for name, label in one.judged.items() if label)


def _lists(lists: Sequence[AuditList]) -> tuple[Any, ...]:
    (one,) = lists
    return list(one.ids), relevant(one)


def _sets(lists: Sequence[AuditList]) -> tuple[Any, ...]:
    (one,) = lists
    return list(one.ids), set(relevant(one))


def _nested(lists: Sequence[AuditList]) -> tuple[Any, ...]:
    return [list(one.ids) for one in lists], [relevant(one) for one in lists]


def as_dicts(lists: Sequence[AuditList]) -> tuple[Any, ...]:
    """Qrels and a run with these lists; a list of the kind "missing" is in the qrels only."""
    names = [f"q{at}" for at in range(1, len(lists) + 1)]
    qrels = {q: one.judged for q, one in zip(names, lists, strict=True) if one.pool}
    run = {
        q: dict(zip(one.ids, one.scores, strict=True))
        for q, one in zip(names, lists, strict=True)
        if one.kind != "missing"
    }
    return qrels, run


WAYS: dict[str, tuple[Callable[..., tuple[Any, ...]], ...]] = {
    "arrays": (_single, _python, _rows),
    "ids": (_lists, _sets, _nested),
    "dicts": (as_dicts,),
}


def numbers(answer: Any, n: int) -> list[float]:
    """The values in what a function returned for n lists: one each, or their mean; None is nan."""
    if isinstance(answer, Mapping):
        values = list(answer.values())
        if values and all(isinstance(one, Mapping) for one in values):  # {query: {measure: value}}
            values = [x for one in values for x in _one_of(one)]
        elif len(values) > n:
            raise ValueError(f"{len(values)} values for {n} lists")
        return [math.nan] if not values else [_number(one) for one in values]
    if answer is None or np.ndim(answer) == 0:
        return [_number(answer)]
    values = np.asarray(answer).reshape(-1).tolist()
    if len(values) not in (1, n):
        raise ValueError(f"{len(values)} values for {n} lists")
    return [_number(one) for one in values]


def _one_of(values: Mapping[Any, Any]) -> list[Any]:
    if len(values) != 1:
        raise ValueError(f"{len(values)} measures of a query, one is audited at a time")
    return list(values.values())


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def tolerance_of(answers: Iterable[float | Refused]) -> float:
    """The tolerance for a function's values, which may be rounded or of single precision."""
    values = [x for x in answers if not isinstance(x, Refused) and math.isfinite(x)]
    for decimals in (3, 4, 5):
        if all(round(x, decimals) == x for x in values):
            return 0.51 * 10.0**-decimals
    return 2e-6
