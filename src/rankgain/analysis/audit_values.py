"""Values of measures under known errors, computed from a list and a set of rules."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, permutations, product
from typing import Any, NamedTuple

from ..evaluation.arrays import evaluate_arrays
from ..evaluation.runs import evaluate
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure
from ..trec.by_query import Qrels, Run
from .audit_lists import AuditList, as_dicts


class MetricRules(NamedTuple):
    """One complete set of rules; the defaults are no errors."""

    order: str = "score"
    cutoff: str = "applied"
    unjudged: str = "stay"
    gain: Any = "linear"
    discount: str = "log2"
    ideal: str = "judged"
    divisor: str = ""
    repeated: str = "worth nothing"


# field -> value -> names of the errors; none: a choice on which tools differ.
ERRORS: dict[str, dict[Any, tuple[str, ...]]] = {
    "order": {
        "input": ("order lost",),
        "set": ("order lost",),
        "set of the first k": ("order lost",),
        "by id": ("order lost",),
        "ascending": ("order reversed",),
    },
    "cutoff": {
        "ignored": ("cutoff ignored",),
        "ignored in the ranking": ("cutoff ignored",),
    },
    "unjudged": {"dropped": ("unjudged documents dropped",)},
    "gain": {
        "linear": ("labels used as gains",),
        "exp2": ("exp2 used as gains",),
        "binary": ("grades ignored",),
    },
    "discount": {
        "next rank": ("discount off by one",),
        "rank before": ("first two ranks undiscounted",),
    },
    "ideal": {
        "retrieved": ("ideal from the retrieved",),
        "first k": ("ideal from the retrieved",),
        "uncut": ("cutoff not applied to the ideal",),
        "retrieved, uncut": ("ideal from the retrieved", "cutoff not applied to the ideal"),
        "as many as retrieved": ("ideal cut at the number retrieved",),
        "ones": ("ideal of k ones",),
        "as ordered": ("ideal not sorted",),
    },
    "divisor": {
        "min": (),
        "n": ("divided by the number retrieved",),
        "hits": ("divided by the hits",),
        "k": ("divided by k",),
    },
}
# Fields and values to try for a function, beside those for all functions.
CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    "ndcg": {
        "gain": ("linear", "exp2", "binary"),
        "discount": ("next rank", "rank before"),
        "ideal": tuple(ERRORS["ideal"]),
    },
    "dcg": {"gain": ("linear", "exp2", "binary"), "discount": ("next rank", "rank before")},
    "average_precision": {"divisor": ("min", "hits", "n", "k"), "discount": ("next rank",)},
    "reciprocal_rank": {"discount": ("next rank",)},
    "precision": {"divisor": ("n",)},
    "recall": {"divisor": ("min", "n", "k")},
}
NEED_CUTOFF = {"ignored", "ignored in the ranking", "uncut", "first k", "retrieved, uncut", "ones"}
NEED_CUTOFF |= {"k", "min", "set of the first k"}
ORDERS = {
    "arrays": ("input", "ascending"),
    "dicts": ("input", "ascending", "by id"),
    "ids": ("set", "set of the first k", "by id", "ascending"),
}


class Hypothesis(NamedTuple):
    """Rules, and the errors that they contain."""

    rules: MetricRules
    errors: tuple[str, ...]


def hypotheses(measure: Measure, form: str, k: int | None) -> list[Hypothesis]:
    """All rules with at most two errors, fewer errors first."""
    function = FAMILIES[measure.family.lower()].function
    gain = measure.params.get("gain", "linear")
    right = MetricRules(gain=gain, divisor=_divisor(measure, function))
    choices: dict[str, tuple[str, ...]] = {
        "cutoff": ("ignored", "ignored in the ranking"),
        "order": ORDERS[form],
    }
    if form == "dicts":
        choices["unjudged"] = ("dropped",)
    choices |= CHOICES.get(function, {})
    changes = [
        (field, value)
        for field, values in choices.items()
        for value in values
        if value != getattr(right, field) and (k is not None or value not in NEED_CUTOFF)
    ]
    result = [Hypothesis(right, ())]
    for count in (1, 2, 3):
        for some in combinations(changes, count):
            errors = tuple(error for field, value in some for error in ERRORS[field][value])
            if len({field for field, _ in some}) == count and len(errors) <= 2:
                result.append(Hypothesis(right._replace(**dict(some)), errors))
    return sorted(result, key=lambda one: len(one.errors))


def with_one_error(rules: MetricRules, error: str) -> MetricRules:
    """The rules with only one of their errors; choices that are no errors stay."""
    right = MetricRules()
    changes = {
        field: getattr(right, field)
        for field, errors in ERRORS.items()
        if errors.get(getattr(rules, field)) and error not in errors[getattr(rules, field)]
    }
    return rules._replace(**changes)


def _divisor(measure: Measure, function: str) -> str:
    """The right divisor: "min" means min(k, n) for precision, here "n", and min(R, k) elsewhere."""
    divisor = str(measure.params.get("divisor", ""))
    return "n" if (function, divisor) == ("precision", "min") else divisor


# ---- values of this package


@lru_cache(maxsize=8)  # each kind of list is evaluated under every convention
def _qrels_and_run(lists: tuple[AuditList, ...]) -> tuple[Qrels, Run]:
    qrels, run = as_dicts(lists)
    return Qrels(qrels), Run(run)


def compute_values(
    lists: Sequence[AuditList], form: str, measure: Measure, **options: Any
) -> list[float]:
    """The value of each list by this package, by default or under a convention."""
    if not lists:
        return []
    if form == "dicts":
        options.setdefault("convention", "rankgain")
        result = evaluate(*_qrels_and_run(tuple(lists)), measure, **options)
        (column,) = result.per_query.values()
        values = dict(zip(result.queries, column.tolist(), strict=True))
        return [values.get(f"q{at}", math.nan) for at in range(1, len(lists) + 1)]
    labels = [label for one in lists for label in one.worths]
    scores = None if form == "ids" else [score for one in lists for score in one.scores]
    if form == "ids":
        options["judged"] = [one.pool for one in lists]
    group = [len(one.ids) for one in lists]
    result = evaluate_arrays(labels, scores, measure, group=group, **options)
    in_order: list[float] = next(iter(result.per_query.values())).tolist()
    return in_order


def compute_mean(lists: Sequence[AuditList], form: str, measure: Measure, convention: str) -> float:
    """The mean of the lists under a convention."""
    if form == "dicts":
        qrels, run = as_dicts(lists)
        result = evaluate(qrels, run, measure, convention=convention)
    else:
        labels = [one.worths for one in lists]
        scores = None if form == "ids" else [one.scores for one in lists]
        result = evaluate_arrays(labels, scores, measure, convention=convention)
    return next(iter(result.means.values()))


# ---- from a list to labels in an order


def rankings(one: AuditList, order: str, ties: str = "stable") -> Iterator[list[int]]:
    """The orders that a ties rule allows, as positions; all are equally likely."""
    if order in ("input", "set", "set of the first k"):
        yield list(range(len(one.ids)))
    elif order == "by id":
        yield sorted(range(len(one.ids)), key=lambda at: one.ids[at])
    else:
        blocks = one.blocks[::-1] if order == "ascending" else one.blocks
        orders = [_orders(one, block, ties) for block in blocks]
        yield from ([*chain(*some)] for some in product(*orders))


def _orders(one: AuditList, block: list[int], ties: str) -> list[list[int]]:
    if ties == "average":
        return [list(some) for some in permutations(block)]
    if ties in ("id", "id_descending"):
        return [sorted(block, key=lambda at: one.ids[at], reverse=ties == "id_descending")]
    if ties in ("best", "worst"):
        block = sorted(block, key=one.worths.__getitem__, reverse=ties == "best")
    return [block[::-1] if ties == "reverse" else block]


def compute_value(
    one: AuditList, measure: Measure, k: int | None, rules: MetricRules, ties: str = "stable"
) -> float | None:
    """The value of a list, or None if it is undefined; averaged ties are means over all orders."""
    values = [
        _of_order(one, order, measure, k, rules) for order in rankings(one, rules.order, ties)
    ]
    if any(value is None for value in values):
        return None
    return math.fsum(values) / len(values)  # type: ignore[arg-type]


def _of_order(
    one: AuditList, order: list[int], measure: Measure, k: int | None, rules: MetricRules
) -> float | None:
    if rules.order == "set of the first k":
        order = order[:k]
    if rules.order.startswith("set"):  # the iteration order of a Python set
        names = [one.ids[position] for position in order]
        place = dict(zip(names[::-1], order[::-1], strict=True))
        order = [place[name] for name in set(names)]
    if rules.unjudged == "dropped":
        order = [position for position in order if one.labels[position] is not None]
    ranked = [*map(one.worths.__getitem__, order)]
    if len(set(one.ids)) < len(one.ids):
        ranked = _remove_repeated(one, order, k, rules.repeated)
    if rules.cutoff == "ignored":
        k = None
    function = FAMILIES[measure.family.lower()].function
    if function in FORMULAS and measure.params.keys() <= {"gain", "divisor", "empty"}:
        top = ranked if rules.cutoff == "ignored in the ranking" else ranked[:k]
        return _formula(function, top, len(ranked), one, k, rules)
    cut = Measure(measure.family, k=k, **measure.params)
    if one.labels.count(None):  # of documents that nobody judged arrays say nothing
        run = {one.ids[position]: -float(rank) for rank, position in enumerate(order)}
        result = evaluate({"q": one.judged}, {"q": run}, cut, convention="rankgain")
    else:
        result = evaluate_arrays([ranked], None, cut, judged=[one.pool])
    (values,) = result.per_query.values()
    return float(values[0])


def _remove_repeated(one: AuditList, order: list[int], k: int | None, rule: str) -> list[float]:
    """The labels in rank order after a rule for repeated ids."""
    worths = one.worths
    if rule == "credited":
        return [worths[position] for position in order]
    if rule == "removed after the cutoff":
        order = order[:k]
    names = [one.ids[position] for position in order]
    firsts = [name not in names[:rank] for rank, name in enumerate(names)]
    if rule == "worth nothing":
        return [worths[at] if is_first else 0 for at, is_first in zip(order, firsts, strict=True)]
    return [worths[at] for at, is_first in zip(order, firsts, strict=True) if is_first]


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
    if gain in ("linear", "exp2"):
        return 2.0**label - 1 if gain == "exp2" else float(label)
    return float(gain(label) if callable(gain) else gain[label])


def _discount(labels: Sequence[float], k: int | None, rules: MetricRules) -> float:
    weight = DISCOUNTS[rules.discount]
    gains = (_gain(label, rules.gain) for label in labels[:k])
    return math.fsum(gain * weight(rank) for rank, gain in enumerate(gains, 1))


def _formula(
    function: str, top: list[float], n: int, one: AuditList, k: int | None, rules: MetricRules
) -> float | None:
    """The value of the first labels in rank order, of n; None if its divisor is 0."""
    if function in ("dcg", "ndcg"):
        dcg = _discount(top, None, rules)
        ideal = 1.0 if function == "dcg" else _ideal(top, n, one, k, rules)
        return dcg / ideal if ideal > 0 else None
    ranks = [rank for rank, label in enumerate(top, 1) if label > 0]
    shift, hits = rules.discount == "next rank", len(ranks)
    if function == "hit_rate":
        return float(hits > 0)
    if function == "reciprocal_rank":
        return 1 / (ranks[0] + shift) if ranks else 0.0
    above = float(hits)
    if function == "average_precision":
        above = sum(at / (rank + shift) for at, rank in enumerate(ranks, 1))
    relevant = sum(label > 0 for label in one.pool)
    below = {
        "relevant": relevant,
        "min": relevant if k is None else min(relevant, k),
        "hits": hits,
        "n": n if k is None else min(n, k),
        "k": n if k is None else k,
    }[rules.divisor or ("k" if function == "precision" else "relevant")]
    return above / below if below else None


def _ideal(top: list[float], n: int, one: AuditList, k: int | None, rules: MetricRules) -> float:
    """The DCG of the ideal."""
    retrieved = sorted(one.worths, reverse=True)
    pool = sorted(one.pool, reverse=True)
    ideals: dict[str, tuple[Sequence[float], int | None]] = {
        "judged": (pool, k),
        "retrieved": (retrieved, k),
        "first k": (sorted(top, reverse=True), k),
        "uncut": (pool, None),
        "retrieved, uncut": (retrieved, None),
        "as many as retrieved": (pool, n if k is None else min(k, n)),
        "ones": ([1] * (k or 0), k),
        "as ordered": (one.pool, k),
    }
    return _discount(*ideals[rules.ideal], rules)
