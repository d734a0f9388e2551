"""Values of measures under known errors, computed from a list and a set of rules."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, permutations, product
from typing import Any, NamedTuple

from ..evaluation.arrays import evaluate_arrays
from ..evaluation.runs import evaluate
from ..measures.measure import Measure
from ..trec.by_query import Qrels, Run
from .audit_lists import AuditList, as_dicts


class MetricRules(NamedTuple):
    """One complete set of rules; the defaults are no errors."""

    order: str = "score"
    cutoff: str = "applied"
    unjudged: str = "stay"
    gain: object = "linear"
    discount: str = "log2"
    ideal: str = "judged"
    divisor: str = ""
    repeated: str = "worth nothing"


class Change(NamedTuple):
    """A rule in place of the right one; a change that is no error is a choice of tools."""

    field: str
    value: str
    error: str  # several are parted by "; "
    of: str = ""  # the functions and the forms in which it may be; "": all
    needs_cutoff: bool = False

    @property
    def errors(self) -> list[str]:
        """The names of the errors."""
        if not self.error:
            return []
        return self.error.split("; ")


# All changes of the rules. Of two with as many errors that explain the same values, the first is
# reported.
CHANGES = (
    Change("cutoff", "ignored", "cutoff ignored", needs_cutoff=True),
    Change("cutoff", "ignored in the ranking", "cutoff ignored", needs_cutoff=True),
    Change("order", "set", "order lost", "ids"),
    Change("order", "set of the first k", "order lost", "ids", needs_cutoff=True),
    Change("order", "by id", "order lost", "ids"),
    Change("order", "input", "order lost", "arrays dicts"),
    Change("order", "ascending", "order reversed"),
    Change("order", "by id", "order lost", "dicts"),
    Change("unjudged", "dropped", "unjudged documents dropped", "dicts"),
    Change("gain", "linear", "labels used as gains", "ndcg dcg"),
    Change("gain", "exp2", "exp2 used as gains", "ndcg dcg"),
    Change("gain", "binary", "grades ignored", "ndcg dcg"),
    Change("discount", "next rank", "discount off by one", "ndcg dcg reciprocal_rank"),
    Change("discount", "rank before", "first two ranks undiscounted", "ndcg dcg"),
    Change("ideal", "retrieved", "ideal from the retrieved", "ndcg"),
    Change("ideal", "first k", "ideal from the retrieved", "ndcg", needs_cutoff=True),
    Change("ideal", "uncut", "cutoff not applied to the ideal", "ndcg", needs_cutoff=True),
    Change(
        "ideal",
        "retrieved, uncut",
        "ideal from the retrieved; cutoff not applied to the ideal",
        "ndcg",
        needs_cutoff=True,
    ),
    Change("ideal", "as many as retrieved", "ideal cut at the number retrieved", "ndcg"),
    Change("ideal", "ones", "ideal of k ones", "ndcg", needs_cutoff=True),
    Change("ideal", "as ordered", "ideal not sorted", "ndcg"),
    Change("divisor", "min", "", "average_precision recall", needs_cutoff=True),
    Change("divisor", "hits", "divided by the hits", "average_precision"),
    Change("divisor", "n", "divided by the number retrieved", "average_precision precision recall"),
    Change("divisor", "k", "divided by k", "average_precision recall", needs_cutoff=True),
    Change("discount", "next rank", "discount off by one", "average_precision"),
)


class Hypothesis(NamedTuple):
    """The right rules of a measure, and changes of them."""

    right: MetricRules
    changes: tuple[Change, ...] = ()

    @property
    def errors(self) -> list[str]:
        """The errors of all changes."""
        return [error for change in self.changes for error in change.errors]

    def rules(self, error: str | None = None) -> MetricRules:
        """The rules with all changes, or with one error and the choices that are no errors."""
        values: dict[str, str] = {}
        for change in self.changes:
            if not error or not change.error or error in change.errors:
                values[change.field] = change.value
        return self.right._replace(**values)


def hypotheses(measure: Measure, form: str, k: int | None) -> list[Hypothesis]:
    """All rules with at most two errors."""
    function = measure.definition.function
    divisor = str(measure.params.get("divisor", ""))
    # "min" means min(k, n) for precision, here "n", and min(R, k) elsewhere.
    if function == "precision" and divisor == "min":
        divisor = "n"
    right = MetricRules(gain=measure.params.get("gain", "linear"), divisor=divisor)
    changes = []
    for change in CHANGES:
        applies = not change.of or not {function, form}.isdisjoint(change.of.split())
        has_cutoff = k is not None or not change.needs_cutoff
        if applies and has_cutoff and change.value != getattr(right, change.field):
            changes.append(change)
    result = []
    for count in (0, 1, 2, 3):
        for selected in combinations(changes, count):
            hypothesis = Hypothesis(right, selected)
            fields = {change.field for change in selected}
            if len(fields) == count and len(hypothesis.errors) <= 2:
                result.append(hypothesis)
    return result


# ---- values of this package


@lru_cache(maxsize=8)  # each kind of list is evaluated under every convention
def _qrels_and_run(lists: tuple[AuditList, ...]) -> tuple[Qrels, Run]:
    qrels, run = as_dicts(lists)
    return Qrels(qrels), Run(run)


def evaluate_lists(
    lists: Sequence[AuditList], form: str, measure: Measure, convention: str = "rankgain"
) -> tuple[list[float], float]:
    """The value of each list by this package under a convention, and their mean."""
    if not lists:
        return [], math.nan
    if form == "dicts":
        result = evaluate(*_qrels_and_run(tuple(lists)), measure, convention=convention)
        names: Sequence[object] = [f"q{number}" for number in range(1, len(lists) + 1)]
    else:
        labels: list[float] = []
        scores: list[float] = []
        judged: list[list[float]] = []
        group: list[int] = []
        for audit_list in lists:
            labels.extend(audit_list.gains)
            scores.extend(audit_list.scores)
            judged.append(audit_list.pool)
            group.append(len(audit_list.ids))
        if form == "ids":  # in rank order, with all that is judged
            result = evaluate_arrays(
                labels, None, measure, group=group, judged=judged, convention=convention
            )
        else:
            result = evaluate_arrays(labels, scores, measure, group=group, convention=convention)
        names = range(len(lists))
    (column,) = result.per_query.values()
    (mean,) = result.means.values()
    # A convention may leave lists out, which then have no value.
    values = dict(zip(result.queries, column.tolist(), strict=True))
    return [values.get(name, math.nan) for name in names], mean


# ---- from a list to labels in an order


def rankings(audit_list: AuditList, order: str, ties: str = "stable") -> Iterator[list[int]]:
    """The orders that a ties rule allows, as positions; all are equally likely."""
    if order in ("input", "set", "set of the first k"):
        yield list(range(len(audit_list.ids)))
    elif order == "by id":
        yield sorted(range(len(audit_list.ids)), key=audit_list.ids.__getitem__)
    else:
        equal: dict[float, list[int]] = {}  # positions by score
        for position, score in enumerate(audit_list.scores):
            equal.setdefault(score, []).append(position)
        blocks = [equal[score] for score in sorted(equal, reverse=order != "ascending")]
        if ties in ("id", "id_descending"):
            for block in blocks:
                block.sort(key=audit_list.ids.__getitem__, reverse=ties == "id_descending")
        elif ties in ("best", "worst"):
            for block in blocks:
                block.sort(key=audit_list.gains.__getitem__, reverse=ties == "best")
        elif ties == "reverse":
            blocks = [block[::-1] for block in blocks]
        if ties != "average":
            yield list(chain(*blocks))
            return
        for ordered_blocks in product(*map(permutations, blocks)):
            yield list(chain(*ordered_blocks))


def compute_value(
    audit_list: AuditList, measure: Measure, k: int | None, rules: MetricRules, ties: str = "stable"
) -> float | None:
    """The value of a list, or None if it is undefined; averaged ties are means over all orders."""
    function = measure.definition.function
    last = None if rules.cutoff == "ignored" else k
    values = []
    for order in rankings(audit_list, rules.order, ties):
        if rules.order == "set of the first k":
            order = order[:k]
        if rules.order.startswith("set"):  # the iteration order of a Python set
            # From the end, so that the first position of a repeated id stays.
            position_of = {audit_list.ids[position]: position for position in reversed(order)}
            names = [audit_list.ids[position] for position in order]
            order = list(map(position_of.__getitem__, set(names)))
        if rules.unjudged == "dropped":
            order = [position for position in order if audit_list.labels[position] is not None]
        has_repeated = len(set(audit_list.ids)) < len(audit_list.ids)
        if has_repeated and rules.repeated == "removed after the cutoff":
            order = order[:k]
        ranked, seen = [], set()
        for position in order:
            name = audit_list.ids[position]
            label = audit_list.gains[position]
            if name not in seen or rules.repeated == "credited":
                ranked.append(label)
            elif rules.repeated == "worth nothing":
                ranked.append(0)
            seen.add(name)
        if function in FORMULAS and measure.params.keys() <= {"gain", "divisor", "empty"}:
            top = ranked if rules.cutoff == "ignored in the ranking" else ranked[:last]
            value = _formula(function, top, len(ranked), audit_list, last, rules)
            if value is None:
                return None
            values.append(value)
            continue
        cut = Measure(measure.family, k=last, **measure.params)
        if None in audit_list.labels:  # arrays cannot say that a document is not judged
            run = {audit_list.ids[position]: -float(rank) for rank, position in enumerate(order)}
            result = evaluate({"q": audit_list.judged}, {"q": run}, cut, convention="rankgain")
        else:
            result = evaluate_arrays([ranked], None, cut, judged=[audit_list.pool])
        (column,) = result.per_query.values()
        values.append(float(column[0]))
    return math.fsum(values) / len(values)


# ---- from labels in an order to values

FORMULAS = "dcg ndcg average_precision precision recall reciprocal_rank hit_rate".split()
DISCOUNTS: dict[str, Callable[[int], float]] = {
    "log2": lambda rank: 1 / math.log2(rank + 1),
    "next rank": lambda rank: 1 / math.log2(rank + 2),
    "rank before": lambda rank: 1 / math.log2(max(rank, 2)),
}


def _gain(label: float, gain: Any) -> float:
    if gain == "binary":
        return float(label > 0)
    if gain == "linear":
        return float(label)
    if gain == "exp2":
        return float(2.0**label - 1)
    if callable(gain):
        return float(gain(label))
    return float(gain[label])


def _dcg(labels: Sequence[float], k: int | None, rules: MetricRules) -> float:
    """The sum of gain(label) * weight(rank) over the first k labels."""
    weight = DISCOUNTS[rules.discount]
    terms = [_gain(label, rules.gain) * weight(rank) for rank, label in enumerate(labels[:k], 1)]
    return math.fsum(terms)


def _formula(
    function: str,
    top: list[float],
    n: int,
    audit_list: AuditList,
    k: int | None,
    rules: MetricRules,
) -> float | None:
    """The value of the first labels in rank order, of n; None if its divisor is 0."""
    if function == "dcg":
        return _dcg(top, None, rules)
    if function == "ndcg":
        idcg = _idcg(top, n, audit_list, k, rules)
        if idcg <= 0:
            return None
        return _dcg(top, None, rules) / idcg
    ranks = [rank for rank, label in enumerate(top, 1) if label > 0]
    hits = len(ranks)
    shift = 1 if rules.discount == "next rank" else 0  # added to each rank
    if function == "hit_rate":
        return float(hits > 0)
    if function == "reciprocal_rank":
        if not ranks:
            return 0.0
        return 1 / (ranks[0] + shift)
    numerator = float(hits)
    if function == "average_precision":
        # The sum of the precisions at the ranks of relevant documents.
        numerator = sum(count / (rank + shift) for count, rank in enumerate(ranks, 1))
    relevant = sum(label > 0 for label in audit_list.pool)
    cutoff = math.inf if k is None else k
    divisors: dict[str, float] = {
        "relevant": relevant,
        "min": min(relevant, cutoff),
        "hits": hits,
        "n": min(n, cutoff),
        "k": n if k is None else k,
    }
    usual = "k" if function == "precision" else "relevant"
    divisor = divisors[rules.divisor or usual]
    if not divisor:
        return None
    return numerator / divisor


def _idcg(
    top: list[float], n: int, audit_list: AuditList, k: int | None, rules: MetricRules
) -> float:
    """The DCG of the ideal that the rules name."""
    retrieved = sorted(audit_list.gains, reverse=True)
    pool = sorted(audit_list.pool, reverse=True)
    ideals: dict[str, tuple[Sequence[float], int | None]] = {
        "judged": (pool, k),
        "retrieved": (retrieved, k),
        "first k": (sorted(top, reverse=True), k),
        "uncut": (pool, None),
        "retrieved, uncut": (retrieved, None),
        "as many as retrieved": (pool[:n], k),
        "ones": ([1] * (k or 0), k),
        "as ordered": (audit_list.pool, k),
    }
    labels, cutoff = ideals[rules.ideal]
    return _dcg(labels, cutoff, rules)
