"""Evaluations of other lists: parts that agree merged into one, and some of the lists of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...convention import Convention
from ...convention.fields import are_equal, refuse_different, setting_value
from ...engine.means import MeanRule, Shares, Terms, mean
from ...measures.all_lists import RecommendedLists, is_over_all_lists, value_and_column
from ...measures.measure import NO_FREE_NAMES
from ..counting import mean_kind
from ..fixed import Fixed

if TYPE_CHECKING:
    from ...inputs.types import Integers
    from ..evaluation import Evaluation

ONE_CONVENTION = "evaluate all parts under the same convention"
# What must be equal, and what errors call it.
EQUAL = {
    "convention": "convention",
    "version": "version of the convention",
    "measures": "measures",
    "mean_rule": "how means are made",
    "better": "which values are better",
}
# What all parts have, or none, and the error for a part that lacks it.
LACKING = {
    "weights": "has no weights, others have; evaluate all parts with weight=, or all without",
    "segments": "has no segments, others have; evaluate all parts with segment=, or all without",
    "recommended": "does not hold the lists, others do; evaluate it again",
}


def merge_evaluations(
    parts: Iterable[Evaluation], convention: Convention | None, kind: type[Evaluation]
) -> Evaluation:
    """Merge the parts into one evaluation, with lists in the order of the parts."""
    places = _read(parts, kind)
    result = list(places.values())
    first = result[0]
    if convention is not None and convention.name != first.convention:
        raise ValueError(
            f"convention is {convention.name!r}, but the parts have {first.convention!r}"
        )
    weights, labels, lists = (
        _all_or_none({at: getattr(one, field) for at, one in places.items()}, words)
        for field, words in LACKING.items()
    )
    marked = {}  # without what a part has only counted
    for name in dict.fromkeys(chain.from_iterable(one.marked for one in result)):
        columns = []
        for one in result:
            counted = one.counts if name == "missing" else one.counts.get("undefined", {})
            if name in one.marked or not counted.get(name):
                columns.append(one.marked.get(name, np.zeros(len(one), bool)))
        if len(columns) == len(result):
            marked[name] = np.concatenate(columns)
    shares = {}
    for name in dict.fromkeys(chain.from_iterable(one.shares for one in result)):
        words = f"has another kind of mean than others; {ONE_CONVENTION}"
        each: dict[int, Any] = {at: one.shares.get(name) for at, one in places.items()}
        some: list[Shares] = _all_or_none(each, words, f"{name}: ") or []
        each = {at: one.divisors for at, one in zip(places, some, strict=True)}
        words = f"has no divisors of {name}, others have; {ONE_CONVENTION}"
        divisors = _all_or_none(each, words)
        shares[name] = Shares(
            some[0].kind,
            np.concatenate([one.numerators for one in some]),
            None if divisors is None else np.concatenate(divisors),
        )
    return with_means(
        first._replace(
            means=dict.fromkeys(first.means, 0.0),
            per_query={
                name: np.concatenate([one.per_query[name] for one in result])
                for name in first.means
            },
            queries=_queries(places),
            counts=_counts(places),
            weights=None if weights is None else np.concatenate(weights),
            shares=shares,
            segments=None if labels is None else list(chain.from_iterable(labels)),
            mean_rule=first.mean_rule if convention is None else MeanRule.of(convention),
            recommended=lists and RecommendedLists.joined(dict(zip(places, lists, strict=True))),
            marked=marked,
            rules=None,
        )
    )


def make_addends(evaluation: Evaluation, name: str) -> Terms:
    """What the lists add to the sums of a measure, 0 for lists that do not count."""
    terms = evaluation._terms_of(name, mean_kind(name, evaluation.better))
    kind, values, factors, divisors, counts = terms
    if divisors is None or kind == "sum":  # for sums: the number of lists
        divisors = np.ones(len(values))
    if counts is None:
        counts = np.ones(len(values), bool)
    elif not counts.all():
        values, divisors = np.where(counts, values, 0.0), np.where(counts, divisors, 0.0)
    return Terms(kind, values, factors, divisors, counts)


def with_means(evaluation: Evaluation, names: Iterable[str] | None = None) -> Evaluation:
    """Set the means of these or all measures of a new evaluation, by its rule."""
    rule = evaluation.mean_rule
    order = rule.order(evaluation.queries)
    means, columns = dict(evaluation.means), dict(evaluation.per_query)
    for name in evaluation.means if names is None else names:
        if is_over_all_lists(name, evaluation.better):
            means[name], columns[name] = value_and_column(evaluation, name)
            columns[name].flags.writeable = False
        else:
            terms = evaluation._terms_of(name, mean_kind(name, evaluation.better))
            means[name] = mean(terms, rule, order)
    object.__setattr__(evaluation, "means", Fixed(means))
    object.__setattr__(evaluation, "per_query", Fixed(columns))
    return evaluation


def by_system(evaluation: Evaluation) -> dict[str, Evaluation]:
    """Split an evaluation whose query ids begin with the name of a system."""
    places: dict[str, list[int]] = {}
    for at, (system, *_) in enumerate(evaluation.queries):
        places.setdefault(str(system), []).append(at)
    queries = [one[1] if len(one) == 2 else one[1:] for one in evaluation.queries]
    named = evaluation._replace(queries=queries)
    return {name: segment(named, np.array(at)) for name, at in places.items()}


def select_lists(evaluation: Evaluation, at: Any, counts: Mapping[str, object]) -> Evaluation:
    """Select lists and make their means; `counts` are theirs, bounds are dropped."""
    places = at.tolist()
    return with_means(
        evaluation._replace(
            per_query={name: values[at] for name, values in evaluation.per_query.items()},
            queries=[evaluation.queries[i] for i in places],
            counts=counts,
            weights=None if evaluation.weights is None else evaluation.weights[at],
            shares={name: one.at(at) for name, one in evaluation.shares.items()},
            segments=evaluation.segments and [evaluation.segments[i] for i in places],
            recommended=None if evaluation.recommended is None else evaluation.recommended.at(at),
            marked={name: one[at] for name, one in evaluation.marked.items()},
            bounds={},
            bound_means={},
            rules=None,
        )
    )


def segment(evaluation: Evaluation, at: Integers) -> Evaluation:
    """The evaluation of some lists, without bounds."""
    counts: dict[str, Any] = {"queries": len(at)}
    if "missing" in evaluation.marked:
        counts["missing"] = int(evaluation.marked["missing"][at].sum())
    undefined = {}
    for name in evaluation.counts.get("undefined_as", {}):
        lists = evaluation.marked.get(name)
        if lists is not None and lists[at].any():
            undefined[name] = int(lists[at].sum())
    if undefined:
        counted_as = {name: evaluation.counts["undefined_as"][name] for name in undefined}
        counts |= {"undefined": undefined, "undefined_as": counted_as}
    return select_lists(evaluation, at, counts)


def _read(parts: Any, kind: type[Evaluation]) -> dict[int, Evaluation]:
    """Check the parts; parts without lists are dropped before their settings are compared."""
    if isinstance(parts, Mapping):
        raise TypeError(
            f"parts is {type(parts).__name__}, whose evaluations are of several systems; give a "
            "sequence of evaluations over different queries"
        )
    result = list(parts) if isinstance(parts, Iterable) else [parts]
    for at, one in enumerate(result):
        if isinstance(one, Mapping):
            raise TypeError(
                f"parts[{at}] is {type(one).__name__}, the evaluations of several systems; "
                "Evaluations.merge merges them"
            )
        if not isinstance(one, kind):
            raise TypeError(f"parts[{at}] must be an Evaluation, not {type(one).__name__}")
        if one.bounds:
            raise ValueError(
                f"parts[{at}] has bounds, whose means cannot be made of parts; evaluate all lists "
                "in one call, or the parts without bounds="
            )
    if not result:
        raise ValueError("there are no parts to merge; give one evaluation at least")
    full = [(at, one) for at, one in enumerate(result) if len(one)] or [(0, result[0])]
    base, first = full[0]
    for at, one in full[1:]:
        places = f"parts[{base}]", f"parts[{at}]"
        refuse_other_rules(CommonRules.of(first), CommonRules.of(one), EQUAL, *places)
    return dict(full)


def _queries(result: dict[int, Evaluation]) -> Any:
    """The query ids of all parts; parts without ids are numbered through."""
    numbered = [at for at, one in result.items() if isinstance(one.queries, range)]
    if len(numbered) == len(result):
        return range(sum(map(len, result.values())))
    if numbered:
        raise ValueError(
            f"the lists of parts[{numbered[0]}] are only numbered, those of others have "
            "query ids; give qid= to all"
        )
    queries = tuple(chain.from_iterable(one.queries for one in result.values()))
    if len(set(queries)) < len(queries):
        place: dict[Any, int] = {}
        for at, one in result.items():
            for query in one.queries:
                if place.setdefault(query, at) != at:
                    raise ValueError(
                        f"query {query!r} is in parts[{place[query]}] and in parts[{at}]; parts "
                        "must have different lists"
                    )
    return queries


def _all_or_none(columns: Mapping[int, Any], words: str, before: str = "") -> list[Any] | None:
    """What all parts have, or None if no part has it; words: the error for a part without it."""
    missing = [at for at, one in columns.items() if one is None]
    if missing and len(missing) < len(columns):
        raise ValueError(f"{before}parts[{missing[0]}] {words}")
    return None if missing else list(columns.values())


def _counts(result: dict[int, Evaluation]) -> dict[str, Any]:
    """Add up the counts of all parts."""
    counts: dict[str, Any] = {}
    undefined: dict[str, int] = {}
    counted_as: dict[str, tuple[Any, int]] = {}
    for at, one in result.items():
        for key, value in one.counts.items():
            if isinstance(value, int):
                counts[key] = counts.get(key, 0) + value
        for name, lists in one.counts.get("undefined", {}).items():
            undefined[name] = undefined.get(name, 0) + lists
            value = one.counts["undefined_as"][name]
            known, before = counted_as.setdefault(name, (value, at))
            if not are_equal(known, value):
                places = f"parts[{before}]", f"parts[{at}]"
                raise ValueError(describe_difference(name, known, places[0], value, places[1]))
    if undefined:
        names = [name for name in next(iter(result.values())).means if name in undefined]
        counts["undefined"] = {name: undefined[name] for name in names}
        counts["undefined_as"] = {name: counted_as[name][0] for name in names}
    return counts


class CommonRules(NamedTuple):
    """Convention, measures and settings of all evaluations in one accumulator."""

    convention: str
    version: str
    measures: tuple[str, ...]
    requested: tuple[tuple[str, str], ...]
    settings: Mapping[str, Any]
    weighted: bool | None  # None before the first list
    undefined_as: Mapping[str, Any]  # measure -> what its undefined lists count
    mean_rule: MeanRule
    better: Mapping[str, str] = NO_FREE_NAMES  # of measures with a free name

    @classmethod
    def of(cls, one: Evaluation) -> CommonRules:
        """The rules of an evaluation."""
        return cls(
            one.convention,
            one.versions["convention"],
            tuple(one.means),
            tuple(sorted(one.requested.items())),
            one.settings,
            one.weights is not None if len(one) else None,
            {
                # `Evaluation.counts` has inf and nan as text.
                name: value if value == "skip" else setting_value(float(value))
                for name, value in one.counts.get("undefined_as", {}).items()
            },
            one.mean_rule,
            one.better,
        )

    def joined(self, others: CommonRules, place: str) -> CommonRules:
        """Combine with the rules of a part; `place` names the part in errors."""
        before = "what was added before"
        fields = EQUAL | {"requested": "requested names of measures"}
        refuse_other_rules(self, others, fields, before, place)
        if None not in (self.weighted, others.weighted) and self.weighted != others.weighted:
            has, has_not = ("weights", "no weights") if self.weighted else ("no weights", "weights")
            raise ValueError(
                f"{before} has {has}, but {place} has {has_not}; evaluate all parts with weight=, "
                "or all without"
            )
        for name, added in others.undefined_as.items():
            known_value = self.undefined_as.get(name, added)
            if not are_equal(known_value, added):
                raise ValueError(describe_difference(name, known_value, before, added, place))
        both = {**self.undefined_as, **others.undefined_as}
        return self._replace(
            weighted=others.weighted if self.weighted is None else self.weighted,
            undefined_as={name: both[name] for name in self.measures if name in both},
        )


def refuse_other_rules(
    one: CommonRules, other: CommonRules, fields: Mapping[str, str], a: str, b: str
) -> None:
    """Refuse parts of two rules; fields: names in errors; a and b: names of the parts."""
    for field, words in fields.items():
        known, added = getattr(one, field), getattr(other, field)
        if known != added:
            raise ValueError(
                f"{words} of {a} and {b} differ: {display(known)}, and {display(added)}"
            )
    refuse_different(one.settings, other.settings, a, b)


def describe_difference(name: str, first: object, a: str, second: object, b: str) -> str:
    """The error for parts whose undefined lists count different values."""
    one, other = (
        "are left out" if value == "skip" else f"count {value}" for value in (first, second)
    )
    return (
        f"{name}: undefined lists {one} in {a} and {other} in {b}; evaluate all parts with the "
        "same empty="
    )


def display(value: object) -> str:
    """A value as text, for an error."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else repr(value)
