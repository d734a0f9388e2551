"""The generated lists of an audit: the same in every run, short ones first."""

from __future__ import annotations

import inspect
import math
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Any, NamedTuple, TypeAlias

import numpy as np

FORMS = ("arrays", "ids", "dicts")
LABELS = {"arrays": (0, 1, 2, 3), "ids": (0, 1), "dicts": (0, 1, 2, 3)}
RANDOM_LISTS = 120
LONG_CUTOFF = 50  # above it few lists reach the cutoff, since each costs as much as a hundred


class AuditList(NamedTuple):
    """One list, with its documents in the order in which the function gets them.

    `kind` is "untied", "tied", "close" (scores that are equal in single precision), "fraction"
    (fractional labels), "empty" (nothing relevant), "nothing" (nothing retrieved), "repeated" (an
    id occurs twice), "NaN", "missing" (not in the run) or "unjudged". A label of None means that
    the document is not judged.
    """

    kind: str
    ids: tuple[str, ...]
    scores: tuple[float, ...]
    labels: tuple[float | None, ...]
    missed: tuple[float, ...] = ()  # labels of judged documents that were not retrieved

    @property
    def judged(self) -> dict[str, float]:
        """Label by id of all judged documents."""
        labels = zip(self.ids, self.labels, strict=True)
        judged = {name: label for name, label in labels if label is not None}
        return judged | {f"m{number}": label for number, label in enumerate(self.missed, 1)}

    @property
    def pool(self) -> list[float]:
        """The labels of all judged documents."""
        return list(self.judged.values())

    @property
    def relevant(self) -> list[str]:
        """The ids of the relevant documents, sorted: their order says nothing about ranks."""
        return sorted(name for name, label in self.judged.items() if label)

    @property
    def gains(self) -> list[float]:
        """The labels of the retrieved documents, 0 for unjudged ones."""
        return [label or 0 for label in self.labels]

    def renamed(self) -> AuditList:
        """The list with each repeated id renamed to a document of its own."""
        ids = [
            name if name not in self.ids[:index] else f"{name}, again"
            for index, name in enumerate(self.ids)
        ]
        return self._replace(ids=tuple(ids))

    def reversed(self, form: str) -> AuditList:
        """The list in reverse rank order."""
        if form == "ids":
            return self._replace(ids=self.ids[::-1], labels=self.labels[::-1])
        return self._replace(scores=tuple(1 - score for score in self.scores))


def make_audit_lists(form: str, graded: bool, k: int | None) -> list[AuditList]:
    """All lists of an audit, short ones first."""
    rng, labels, k = random.Random(20), LABELS[form] if graded else (0, 1), k or 10
    lists = [*_make_untied(rng, form, labels, k)]
    lists += [_make_list(rng, "empty", [0] * n, (), form) for n in (1, 2, 3, k + 2)]
    if form != "arrays":
        lists += [AuditList("nothing", (), (), (), missed) for missed in ((1,), (1, 1))]
    if form != "ids":
        nan = float("nan")
        for short_list in [_make_list(rng, "NaN", [1, *[0] * n]) for n in (1, 2)]:
            lists.append(short_list._replace(scores=(nan, *short_list.scores[1:])))
            lists.append(short_list._replace(scores=(*short_list.scores[:-1], nan)))
            lists.append(
                short_list._replace(labels=tuple(nan if x else x for x in short_list.labels))
            )
        # Ties, also across the cutoff, and scores that almost tie.
        for pair in [*product((0, 1), repeat=2), *product((0, 1), repeat=3)]:
            if 0 < sum(pair) < len(pair):
                short_list = _make_list(rng, "tied", pair)
                lists.append(short_list._replace(scores=(0.5,) * len(pair)))
                close_scores = tuple(1 + x * 1e-9 for x in short_list.scores)
                lists.append(short_list._replace(kind="close", scores=close_scores))
        for number in range(24):
            crosses = number % (12 if k > LONG_CUTOFF else 3) == 0
            n = k + 2 if crosses else rng.randint(4, 6)
            labels_by_rank = [rng.choice(labels) for _ in range(n)]
            start = rng.randrange(n - 3) if not crosses else k - 2 if k > 1 else 0
            labels_by_rank[start : start + 2] = [0, max(labels)]
            short_list = _make_list(rng, "tied", labels_by_rank)
            block = sorted(short_list.scores, reverse=True)[start : start + rng.choice((2, 3))]
            tied = tuple(block[0] if x in block else x for x in short_list.scores)
            lists.append(short_list._replace(scores=tied))
    else:  # an id occurs twice in two or three documents
        for ranked in [(1, 1), *product((0, 1), repeat=3)]:
            for (first, second), missed in product(combinations(range(len(ranked)), 2), ((), (1,))):
                if ranked[first] and ranked[second]:
                    short_list = _make_list(rng, "repeated", ranked, missed, "ids")
                    names = list(short_list.ids)
                    names[second] = names[first]
                    lists.append(short_list._replace(ids=tuple(names)))
    if graded and form != "ids":
        lists += [_make_list(rng, "fraction", ranked) for ranked in ((0.5, 2), (1, 0.25, 1.5))]
    return sorted(lists, key=lambda x: (len(x.ids) + len(x.missed), sum(map(float, x.pool))))


def _make_list(
    rng: random.Random,
    kind: str,
    ranked: Sequence[float],
    missed: Sequence[int] = (),
    form: str = "",
) -> AuditList:
    """A list with these labels by rank; ids and, but in the form "ids", documents are shuffled."""
    n = len(ranked)
    names = [f"d{index}" for index in rng.sample(range(1, n + 1), n)]
    order = rng.sample(range(n), n)
    order = sorted(order) if form == "ids" else order
    return AuditList(
        kind,
        tuple(names[index] for index in order),
        tuple(round((n - index) / (n + 1), 6) for index in order),
        tuple(ranked[index] for index in order),
        tuple(missed),
    )


def _make_untied(
    rng: random.Random, form: str, labels: tuple[int, ...], k: int
) -> Iterator[AuditList]:
    """All lists of up to three documents with labels 0, 1 and the largest, then random lists with
    lengths around the cutoff, with few and with many relevant documents.
    """
    few_labels = sorted({0, 1, max(labels)})
    for ranked in chain.from_iterable(product(few_labels, repeat=n) for n in (1, 2, 3)):
        if any(ranked):
            yield _make_list(rng, "untied", ranked, (), form)
    if form != "arrays":
        for ranked, missed in product([(1,), (0,), (0, 1), (1, 0), (1, 1)], [(1,), (1, 1)]):
            yield _make_list(rng, "untied", ranked, missed, form)
    is_deep = k > LONG_CUTOFF
    for number in range(RANDOM_LISTS):
        n = rng.randint(2, k + 6 if not is_deep or number % 12 == 0 else 16)
        share = rng.choice((0.15, 0.4, 0.8))
        positive_labels = labels[1:]
        labels_by_rank = [
            rng.choice(positive_labels) if rng.random() < share else 0 for _ in range(n)
        ]
        labels_by_rank[rng.randrange(n)] = rng.choice(positive_labels)
        missed_labels: list[int] = []
        if form != "arrays":
            missed_labels = [rng.choice(labels) for _ in range(rng.choice((0, 0, 1, 3, k + 1)))]
        if form == "ids":
            missed_labels = [1] * len(missed_labels)
        untied = _make_list(rng, "untied", labels_by_rank, missed_labels, form)
        if form == "dicts" and number % 3 == 0:
            untied = untied._replace(labels=tuple(label or None for label in untied.labels))
        yield untied
    for n in range(k, k + (2 if is_deep else 6)):
        # Nothing is relevant within the cutoff, or more is than the cutoff.
        yield _make_list(rng, "untied", [0] * n + [1], (), form)
        yield _make_list(rng, "untied", [0, *[1] * n], (), form)


def make_pairs(form: str) -> list[tuple[list[AuditList], str]]:
    """Pairs of a list with a value and one without, each with the error of leaving that one out."""
    first = AuditList("untied", ("d1", "d2", "d3"), (0.6, 0.9, 0.3), (1, 0, 0))
    if form == "ids":
        first = first._replace(ids=("d2", "d1", "d3"), labels=(0, 1, 0))
    empty = AuditList("empty", ("d4", "d5", "d6"), (0.9, 0.6, 0.3), (0, 0, 0))
    pairs = [([first, empty], "empty lists dropped")]
    if form == "dicts":
        missing = AuditList("missing", (), (), (), (1,))
        unjudged = empty._replace(kind="unjudged", labels=(None,) * 3)
        pairs.append(([first, missing], "lists without results dropped"))
        pairs.append(([first, unjudged], "queries without judgments counted"))
    return pairs


Arguments: TypeAlias = tuple[object, object]
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
    """A function with the way to call it that it accepts."""

    def __init__(self, function: Callable[..., Any], form: str, k: int | None) -> None:
        self.function, self.form, self.k = function, form, k
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):  # a function without a signature
            parameters = []
        anywhere = inspect.Parameter.POSITIONAL_OR_KEYWORD
        by_name, positional_only = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_ONLY
        cutoff_names = (
            parameter.name
            for parameter in parameters
            if parameter.name in CUTOFFS and parameter.kind in (anywhere, by_name)
        )
        required = [
            x for x in parameters if x.default is x.empty and x.kind in (anywhere, positional_only)
        ]
        # The name of the parameter that takes the cutoff; "": the third one by position; or None.
        self.cutoff = next(cutoff_names, "" if len(required) == 3 else None)
        probe = AuditList("untied", ("d1", "d2", "d3"), (0.9, 0.6, 0.3), (1, 0, 1))
        answers = []
        for call_form in CALL_FORMS[form]:
            self.call_form = call_form
            answers.append(self._answer([probe]))
            if not isinstance(answers[-1], Refused) and math.isfinite(answers[-1][0]):
                break
        else:
            first_answer = answers[0]
            why = (
                repr(first_answer.error)
                if isinstance(first_answer, Refused)
                else f"it returned {first_answer[0]}"
            )
            raise ValueError(
                f"function: no number for a list of three documents, {why}; with form={form!r} it "
                f"is called as {CALLS[form]}, and with k where it takes one"
            )
        self.accepts_batches = False  # whether it evaluates several lists in one call
        if self.call_form not in CALL_FORMS["ids"][:-1]:
            # A mean of both values shows that one call evaluated both lists.
            reversed_list = AuditList("untied", ("d1", "d2", "d3"), (0.9, 0.6, 0.3), (0, 1, 0))
            ordered_list = AuditList("untied", ("d4", "d5", "d6"), (0.3, 0.6, 0.9), (1, 0, 0))
            values = self.value(reversed_list), self.value(ordered_list)
            answer = self.mean([reversed_list, ordered_list])
            if not isinstance(answer, Refused):
                numbers = [value for value in values if isinstance(value, float)]
                self.accepts_batches = len(numbers) == 2 and math.isclose(
                    sum(numbers), 2 * answer, rel_tol=1e-6, abs_tol=2e-5
                )

    def arguments(self, lists: Sequence[AuditList]) -> tuple[tuple[object, ...], dict[str, object]]:
        """The positional and keyword arguments for some lists."""
        call_form = (
            CALL_FORMS["arrays"][-1] if self.form == "arrays" and len(lists) > 1 else self.call_form
        )
        positional: tuple[object, ...] = call_form(lists)
        if self.cutoff == "":
            positional = (*positional, self.k)
        return positional, {self.cutoff: self.k} if self.cutoff else {}

    def value(self, audit_list: AuditList) -> float | Refused:
        """The value of one list; nan if there is none."""
        answer = self._answer([audit_list])
        return answer if isinstance(answer, Refused) else float(answer[0])

    def mean(self, lists: Sequence[AuditList]) -> float | Refused:
        """The mean over several lists, without lists that have no value."""
        answer = self._answer(lists)
        if isinstance(answer, Refused):
            return answer
        values = [x for x in answer if not math.isnan(x)]
        return sum(values) / len(values) if values else math.nan

    def _answer(self, lists: Sequence[AuditList]) -> list[float] | Refused:
        """The values of some lists, one each, or their mean; None is nan."""
        try:
            positional, keywords = self.arguments(lists)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = self.function(*positional, **keywords)
            if isinstance(answer, Mapping):
                values = list(answer.values())
                if values and all(isinstance(by_measure, Mapping) for by_measure in values):
                    for by_measure in values:
                        if len(by_measure) != 1:
                            raise ValueError(
                                f"{len(by_measure)} measures of a query, one is audited at a time"
                            )
                    values = [value for by_measure in values for value in by_measure.values()]
                elif len(values) > len(lists):
                    raise ValueError(f"{len(values)} values for {len(lists)} lists")
                values = values or [None]
            elif answer is None or np.ndim(answer) == 0:
                values = [answer]
            else:
                values = np.asarray(answer).reshape(-1).tolist()
                if len(values) not in (1, len(lists)):
                    raise ValueError(f"{len(values)} values for {len(lists)} lists")
            return [math.nan if value is None else float(value) for value in values]
        except Exception as error:  # any exception counts as a refusal
            return Refused(error)


def as_dicts(
    lists: Sequence[AuditList],
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Qrels and a run with these lists; a list of the kind "missing" is in the qrels only."""
    by_query = {f"q{number}": audit_list for number, audit_list in enumerate(lists, 1)}
    qrels = {q: audit_list.judged for q, audit_list in by_query.items() if audit_list.pool}
    rows = {q: audit_list for q, audit_list in by_query.items() if audit_list.kind != "missing"}
    return qrels, {
        q: dict(zip(audit_list.ids, audit_list.scores, strict=True))
        for q, audit_list in rows.items()
    }


# Ways to call a function; but the last of each form, they take one list.
CALL_FORMS: dict[str, tuple[Callable[[Sequence[AuditList]], Arguments], ...]] = {
    "arrays": (
        lambda lists: (np.array(lists[0].gains), np.array(lists[0].scores)),
        lambda lists: (lists[0].gains, list(lists[0].scores)),
        lambda lists: (np.array([x.gains for x in lists]), np.array([x.scores for x in lists])),
    ),
    "ids": (
        lambda lists: (list(lists[0].ids), lists[0].relevant),
        lambda lists: (list(lists[0].ids), set(lists[0].relevant)),
        lambda lists: ([list(x.ids) for x in lists], [x.relevant for x in lists]),
    ),
    "dicts": (as_dicts,),
}
