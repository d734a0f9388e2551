"""The generated lists of an audit: the same in every run, short ones first."""

from __future__ import annotations

import inspect
import math
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..inputs.printable import count_of

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
        judged: dict[str, float] = {}
        for name, label in zip(self.ids, self.labels, strict=True):
            if label is not None:
                judged[name] = label
        for number, label in enumerate(self.missed, 1):
            judged[f"m{number}"] = label
        return judged

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
        ids: list[str] = []
        for name in self.ids:
            if name in ids:
                name = f"{name}, again"
            ids.append(name)
        return self._replace(ids=tuple(ids))

    def reversed(self, form: str) -> AuditList:
        """The list in reverse rank order."""
        if form == "ids":
            return self._replace(ids=self.ids[::-1], labels=self.labels[::-1])
        return self._replace(scores=tuple(1 - score for score in self.scores))


def make_audit_lists(form: str, graded: bool, k: int | None) -> list[AuditList]:
    """All lists of an audit, short ones first."""
    rng = random.Random(20)  # any seed, but always the same
    k = k or 10
    labels: tuple[int, ...] = (0, 1)
    if graded:
        labels = LABELS[form]
    lists = list(_make_untied(rng, form, labels, k))
    for n in (1, 2, 3, k + 2):
        lists.append(_make_list(rng, "empty", [0] * n, (), form))
    if form != "arrays":
        lists.append(AuditList("nothing", (), (), (), (1,)))
        lists.append(AuditList("nothing", (), (), (), (1, 1)))
    if form == "ids":
        lists += _make_repeated(rng)
    else:
        lists += _make_nan(rng)
        lists += _make_tied(rng, labels, k)
    if graded and form != "ids":
        lists.append(_make_list(rng, "fraction", (0.5, 2)))
        lists.append(_make_list(rng, "fraction", (1, 0.25, 1.5)))
    return sorted(lists, key=_size)


def _size(audit_list: AuditList) -> tuple[int, float]:
    """The number of documents of a list, then the sum of its labels."""
    documents = len(audit_list.ids) + len(audit_list.missed)
    return documents, sum(map(float, audit_list.pool))


def _make_nan(rng: random.Random) -> Iterator[AuditList]:
    """Lists with one relevant document, and nan as the first or last score or as a label."""
    nan = float("nan")
    two, three = _make_list(rng, "NaN", [1, 0]), _make_list(rng, "NaN", [1, 0, 0])
    for short_list in (two, three):
        yield short_list._replace(scores=(nan, *short_list.scores[1:]))
        yield short_list._replace(scores=(*short_list.scores[:-1], nan))
        labels = list(short_list.labels)
        labels[labels.index(1)] = nan
        yield short_list._replace(labels=tuple(labels))


def _make_tied(rng: random.Random, labels: Sequence[int], k: int) -> Iterator[AuditList]:
    """Lists with tied scores, also across the cutoff, and with scores that almost tie."""
    for ranked in (*product((0, 1), repeat=2), *product((0, 1), repeat=3)):
        if 0 < sum(ranked) < len(ranked):
            short_list = _make_list(rng, "tied", ranked)
            yield short_list._replace(scores=(0.5,) * len(ranked))
            # These differ in double precision but are all 1 in single precision.
            close_scores = tuple(1 + score * 1e-9 for score in short_list.scores)
            yield short_list._replace(kind="close", scores=close_scores)
    lists_per_crossing = 12 if k > LONG_CUTOFF else 3
    for number in range(24):
        crosses_cutoff = number % lists_per_crossing == 0
        n = k + 2
        if not crosses_cutoff:
            n = rng.randint(4, 6)
        labels_by_rank = [rng.choice(labels) for _ in range(n)]
        # The block starts at this index and holds a document with label 0 and one with the largest.
        start = max(k - 2, 0)
        if not crosses_cutoff:
            start = rng.randrange(n - 3)
        labels_by_rank[start : start + 2] = [0, max(labels)]
        short_list = _make_list(rng, "tied", labels_by_rank)
        stop = start + rng.choice((2, 3))
        block = sorted(short_list.scores, reverse=True)[start:stop]
        scores = list(short_list.scores)
        for index, score in enumerate(scores):
            if score in block:
                scores[index] = block[0]
        yield short_list._replace(scores=tuple(scores))


def _make_repeated(rng: random.Random) -> Iterator[AuditList]:
    """Lists of two or three documents, two of which are relevant and have the same id."""
    for ranked in ((1, 1), *product((0, 1), repeat=3)):
        for first, second in combinations(range(len(ranked)), 2):
            if not (ranked[first] and ranked[second]):
                continue
            for missed in ((), (1,)):
                short_list = _make_list(rng, "repeated", ranked, missed, "ids")
                names = list(short_list.ids)
                names[second] = names[first]
                yield short_list._replace(ids=tuple(names))


def _make_list(
    rng: random.Random,
    kind: str,
    ranked: Sequence[float],
    missed: Sequence[int] = (),
    form: str = "",
) -> AuditList:
    """A list with these labels by rank; ids and, but in the form "ids", documents are shuffled."""
    n = len(ranked)
    names = [f"d{number}" for number in rng.sample(range(1, n + 1), n)]
    order = rng.sample(range(n), n)
    if form == "ids":
        order.sort()
    ids = []
    scores = []
    labels = []
    for index in order:  # ranks from 0
        ids.append(names[index])
        labels.append(ranked[index])
        # Descending by rank, inside (0, 1).
        scores.append(round((n - index) / (n + 1), 6))
    return AuditList(kind, tuple(ids), tuple(scores), tuple(labels), tuple(missed))


def _make_untied(
    rng: random.Random, form: str, labels: tuple[int, ...], k: int
) -> Iterator[AuditList]:
    """All lists of up to three documents with labels 0, 1 and the largest, then random lists with
    lengths around the cutoff, with few and with many relevant documents.
    """
    few_labels = sorted({0, 1, max(labels)})
    for n in (1, 2, 3):
        for ranked in product(few_labels, repeat=n):
            if any(ranked):
                yield _make_list(rng, "untied", ranked, (), form)
    if form != "arrays":
        for ranked in ((1,), (0,), (0, 1), (1, 0), (1, 1)):
            for missed in ((1,), (1, 1)):
                yield _make_list(rng, "untied", ranked, missed, form)
    is_deep = k > LONG_CUTOFF
    for number in range(RANDOM_LISTS):
        is_long = not is_deep or number % 12 == 0
        n = rng.randint(2, k + 6 if is_long else 16)
        share = rng.choice((0.15, 0.4, 0.8))
        positive_labels = labels[1:]
        labels_by_rank = [0] * n
        for index in range(n):
            if rng.random() < share:
                labels_by_rank[index] = rng.choice(positive_labels)
        labels_by_rank[rng.randrange(n)] = rng.choice(positive_labels)
        missed_labels: list[int] = []
        if form != "arrays":
            missed_count = rng.choice((0, 0, 1, 3, k + 1))
            missed_labels = [rng.choice(labels) for _ in range(missed_count)]
        if form == "ids":
            missed_labels = [1] * len(missed_labels)
        untied = _make_list(rng, "untied", labels_by_rank, missed_labels, form)
        if form == "dicts" and number % 3 == 0:
            # What is not relevant is not judged either, as in pools of few judgments.
            untied = untied._replace(labels=tuple(label or None for label in untied.labels))
        yield untied
    longest = k + 2 if is_deep else k + 6
    for n in range(k, longest):
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


def _find_cutoff(function: Callable[..., object]) -> str | None:
    """The name of the parameter that takes the cutoff; "": the third one by position; or None."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a function without a signature
        return None
    required = 0  # parameters without a default that may be passed by position
    for parameter in parameters:
        of_both = parameter.kind == parameter.POSITIONAL_OR_KEYWORD
        is_named = of_both or parameter.kind == parameter.KEYWORD_ONLY
        if is_named and parameter.name in CUTOFFS:
            return parameter.name
        is_positional = of_both or parameter.kind == parameter.POSITIONAL_ONLY
        if is_positional and parameter.default is parameter.empty:
            required += 1
    if required == 3:
        return ""
    return None


def _values_of_queries(answer: Mapping[Any, Any], lists: int) -> list[Any]:
    """The values of a dict query -> value or query -> {name: value}; [None] if it is empty."""
    values = list(answer.values())
    if not values:
        return [None]
    if all(isinstance(by_measure, Mapping) for by_measure in values):
        values_of_measure = []
        for by_measure in values:
            if len(by_measure) != 1:
                raise ValueError(f"{len(by_measure)} measures of a query, one is audited at a time")
            values_of_measure += by_measure.values()
        return values_of_measure
    if len(values) > lists:
        raise ValueError(f"{count_of(len(values), 'value')} for {count_of(lists, 'list')}")
    return values


class Refused:
    """A list that a function refused, with the error that it raised."""

    def __init__(self, error: Exception) -> None:
        self.error = error


class Caller:
    """A function with the way to call it that it accepts."""

    def __init__(self, function: Callable[..., Any], form: str, k: int | None) -> None:
        self.function = function
        self.form = form
        self.k = k
        self.cutoff = _find_cutoff(function)
        # The first way to call it that returns a number is the way that is kept.
        probe = AuditList("untied", ("d1", "d2", "d3"), (0.9, 0.6, 0.3), (1, 0, 1))
        answers = []
        for call_form in CALL_FORMS[form]:
            self.call_form = call_form
            answers.append(self._answer([probe]))
            if not isinstance(answers[-1], Refused) and math.isfinite(answers[-1][0]):
                break
        else:
            first_answer = answers[0]
            if isinstance(first_answer, Refused):
                why = repr(first_answer.error)
            else:
                why = f"it returned {first_answer[0]}"
            other_forms = " or ".join(f"form={other!r}" for other in FORMS if other != form)
            raise ValueError(
                f"function gives no number for a list of three documents: {why}. With "
                f"form={form!r} it is called as {CALLS[form]}, and with k if it takes one. Pass "
                f"{other_forms} if it takes other arguments"
            )
        self.accepts_batches = self._evaluates_two_lists()

    def _evaluates_two_lists(self) -> bool:
        """Whether one call evaluates several lists."""
        if self.call_form in CALL_FORMS["ids"][:-1]:
            return False
        second_rank = AuditList("untied", ("d1", "d2", "d3"), (0.9, 0.6, 0.3), (0, 1, 0))
        last_rank = AuditList("untied", ("d4", "d5", "d6"), (0.3, 0.6, 0.9), (1, 0, 0))
        first_value, second_value = self.value(second_rank), self.value(last_rank)
        mean = self.mean([second_rank, last_rank])
        if isinstance(first_value, Refused) or isinstance(second_value, Refused):
            return False
        if isinstance(mean, Refused):
            return False
        # The mean of both values shows that the call evaluated both lists.
        return math.isclose(first_value + second_value, 2 * mean, rel_tol=1e-6, abs_tol=2e-5)

    def arguments(self, lists: Sequence[AuditList]) -> tuple[tuple[object, ...], dict[str, object]]:
        """The positional and keyword arguments for some lists."""
        call_form = self.call_form
        if self.form == "arrays" and len(lists) > 1:
            call_form = CALL_FORMS["arrays"][-1]
        positional: tuple[object, ...] = call_form(lists)
        if self.cutoff is None:
            return positional, {}
        if self.cutoff == "":
            return (*positional, self.k), {}
        return positional, {self.cutoff: self.k}

    def value(self, audit_list: AuditList) -> float | Refused:
        """The value of one list; nan if there is none."""
        answer = self._answer([audit_list])
        if isinstance(answer, Refused):
            return answer
        return float(answer[0])

    def mean(self, lists: Sequence[AuditList]) -> float | Refused:
        """The mean over several lists, without lists that have no value."""
        answer = self._answer(lists)
        if isinstance(answer, Refused):
            return answer
        values = [value for value in answer if not math.isnan(value)]
        if not values:
            return math.nan
        return sum(values) / len(values)

    def _answer(self, lists: Sequence[AuditList]) -> list[float] | Refused:
        """The values of some lists, one each, or their mean; None is nan."""
        try:
            positional, keywords = self.arguments(lists)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = self.function(*positional, **keywords)
            if isinstance(answer, Mapping):
                values = _values_of_queries(answer, len(lists))
            elif answer is None or np.ndim(answer) == 0:
                values = [answer]
            else:
                values = np.asarray(answer).reshape(-1).tolist()
                if len(values) not in (1, len(lists)):
                    raise ValueError(
                        f"{count_of(len(values), 'value')} for {count_of(len(lists), 'list')}"
                    )
            return [math.nan if value is None else float(value) for value in values]
        except Exception as error:  # any exception counts as a refusal
            return Refused(error)


def as_dicts(
    lists: Sequence[AuditList],
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Qrels and a run with these lists; a list of the kind "missing" is in the qrels only."""
    qrels: dict[str, dict[str, float]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, audit_list in enumerate(lists, 1):
        query = f"q{number}"
        if audit_list.pool:
            qrels[query] = audit_list.judged
        if audit_list.kind != "missing":
            run[query] = dict(zip(audit_list.ids, audit_list.scores, strict=True))
    return qrels, run


def _as_arrays(lists: Sequence[AuditList]) -> Arguments:
    return np.array(lists[0].gains), np.array(lists[0].scores)


def _as_python_lists(lists: Sequence[AuditList]) -> Arguments:
    return lists[0].gains, list(lists[0].scores)


def _as_matrices(lists: Sequence[AuditList]) -> Arguments:
    gains = [audit_list.gains for audit_list in lists]
    scores = [audit_list.scores for audit_list in lists]
    return np.array(gains), np.array(scores)


def _as_ids(lists: Sequence[AuditList]) -> Arguments:
    return list(lists[0].ids), lists[0].relevant


def _as_ids_and_set(lists: Sequence[AuditList]) -> Arguments:
    return list(lists[0].ids), set(lists[0].relevant)


def _as_lists_of_ids(lists: Sequence[AuditList]) -> Arguments:
    retrieved = [list(audit_list.ids) for audit_list in lists]
    relevant = [audit_list.relevant for audit_list in lists]
    return retrieved, relevant


# Ways to call a function; but the last of each form, they take one list.
CALL_FORMS: dict[str, tuple[Callable[[Sequence[AuditList]], Arguments], ...]] = {
    "arrays": (_as_arrays, _as_python_lists, _as_matrices),
    "ids": (_as_ids, _as_ids_and_set, _as_lists_of_ids),
    "dicts": (as_dicts,),
}
