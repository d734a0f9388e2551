"""reconcile: why two conventions give different values, one choice after the other."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..convention import Convention, get_convention
from ..convention.fields import freeze
from ..convention.options import DIVISORS
from ..engine.columns import MeasureColumns, fill_and_round
from ..engine.means import MeanRule, average, read_averaging_rule, read_weights
from ..engine.settings import Family, Settings
from ..engine.threads import first_tie, usable_threads
from ..evaluation.notices import warn_of_unmatched
from ..evaluation.one_pass import complete_settings, refuse_judged_only
from ..evaluation.runs import JOIN_FIELDS, make_joined_lists, read_join_fields
from ..inputs.axes import by_row
from ..inputs.ignored import IgnoreRule, leave_out
from ..inputs.lists import Lists
from ..inputs.printable import printable
from ..inputs.truth import read_lists
from ..measures.measure import Measure, parse_measure, read_measures
from ..text import TextTable, align, preformat
from ..trec.join import join_by, read_pair
from .explain import BY_ID
from .explanation import Explanation
from .ranks import ExplainRequest, OneList, explain_lists

if TYPE_CHECKING:
    from ..inputs.types import (
        Bools,
        Excluded,
        Floats,
        Group,
        Ids,
        Ignored,
        Judged,
        Labels,
        Records,
        Scores,
        Sizes,
        Weight,
    )


# The choices on which conventions may differ, each with its fields. The labels that a tool refuses
# are not among them, as they change no value.
AXES = [
    tuple(axis.split())
    for axis in (
        "k, gain, negative, truncate_labels, ignore_below, min_label, rel rel_strict, "
        "discount log_base undiscounted_below_base, ideal, divisor, max_label, p, score_dtype, "
        "ties, drop_scores_at_most, own_document, unjudged, missing, empty empty_has_weight, "
        "undefined, weighted, mean, summation, recall_rounding, result_dtype, round, round_mean"
    ).split(", ")
]
# The functions to which a choice applies, if not all.
ONLY = {
    "divisor": DIVISORS,
    "p": ("rbp", "rbp_residual"),
    "undefined": ("ndcg",),
    "recall_rounding": ("interpolated_precision", "eleven_point_average"),
}
PRINTED_LISTS = 5


class Step(NamedTuple):
    """One choice that was changed: `fields` of Convention, their values, and the effect."""

    fields: tuple[str, ...]
    before: tuple[object, ...]
    after: tuple[object, ...]
    mean: float  # after this step
    change: float  # of the mean
    lists: int  # how many lists' values change
    worst: tuple[tuple[object, float], ...]  # the lists that change most, with their change


@dataclass(frozen=True, eq=False, repr=False)
class Reconciliation:
    """The steps from one convention's mean to another's; print it for the table.

    Attributes
    ----------
    measure : canonical name.
    conventions : names of a and b.
    names : the measure's name under a and under b, with the cutoff of each.
    means : the means under a and under b.
    steps : the choices that differ, in the order of the changes, which sum to `difference`.
    queries : number of lists under a.
    lists : (query, value under a, value under b) of all lists that differ, most affected first;
        lists with nothing relevant come last.
    explained : the `Explanation` of the most affected list under a and b, or None.
    """

    measure: str
    conventions: tuple[str, str]
    names: tuple[str, str]
    means: tuple[float, float]
    steps: tuple[Step, ...]
    queries: int
    lists: tuple[tuple[object, float, float], ...]
    explained: tuple[Explanation | None, ...]

    @property
    def difference(self) -> float:
        """b's mean minus a's; 0 where neither is defined."""
        return change(*self.means)

    def to_dict(self) -> dict[str, Any]:
        """All numbers as plain data."""
        return {
            "measure": self.measure,
            "conventions": list(self.conventions),
            "names": list(self.names),
            "means": list(self.means),
            "difference": self.difference,
            "steps": [step._asdict() for step in self.steps],
            "queries": self.queries,
            "lists": list(map(list, self.lists)),
        }

    def __repr__(self) -> str:
        a, b = self.conventions
        return (
            f"<Reconciliation of {self.measure}: {a} {self.means[0]:.6f}, {b} {self.means[1]:.6f}>"
        )

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        a, b = self.conventions
        rows = [(f"{self.names[0]} under {a}", "", f"{self.means[0]:.6f}", "")]
        without_effect: list[str] = []
        for step in self.steps:
            if step.change == 0 and not step.lists:
                without_effect.append(step.fields[0])
                continue
            before, after = _words(step, step.before), _words(step, step.after)
            words = f"{step.fields[0]}: {before} -> {after}"
            rows.append((words, _change(step.change), f"{step.mean:.6f}", f"{step.lists}"))
        last_head = f"{self.names[1]} under {b}"
        rows.append((last_head, _change(self.difference), f"{self.means[1]:.6f}", ""))
        lines = align(TextTable(("", "change", "mean", "lists"), rows, 1))
        if without_effect:
            lines.append(f"no effect here: {', '.join(without_effect)}")
        if not self.lists:
            return "\n".join([*lines, f"no list of {self.queries} differs"])
        lines += ["", f"{len(self.lists)} of {self.queries} lists differ; most affected:"]
        lists = []
        for query, value_under_a, value_under_b in self.lists[:PRINTED_LISTS]:
            lists.append((printable(f"{query}"), f"{value_under_a:.6f}", f"{value_under_b:.6f}"))
        lines += align(TextTable(("list", a, b), lists, 1))
        most_affected = lists[0][0]
        for name, explanation in zip(self.conventions, self.explained, strict=False):
            if explanation is not None:
                lines += ["", f"list {most_affected} under {name}:", str(explanation)]
        return "\n".join(lines)


def _change(change: float) -> str:
    """Six decimals, or one significant digit if all decimals would be 0."""
    if 0 < abs(change) < 5e-7:
        return f"{change:+.0e}"
    return f"{change:+.6f}"


def _words(step: Step, values: tuple[Any, ...]) -> str:
    """The value of a choice as text: its first field, and others where they matter."""
    if step.fields[0] == "rel":
        sign = ">" if values[1] else ">="
        return f"{sign} {values[0]:g}"
    if step.fields[0] == "empty" and len(set(step.before[1:] + step.after[1:])) > 1:
        word = "with" if values[1] else "without"
        return f"{values[0]} {word} its weight"
    text = str(values[0])
    if len(text) > 30:
        return f"{text[:27]}..."
    return text


def reconcile(
    y_true: Labels,
    y_score: Scores | None,
    a: str | Convention,
    b: str | Convention,
    *,
    measure: str | Measure,
    ids: Ids | None = None,
    judged: Judged | None = None,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: Excluded | None = None,
    ignore: Ignored = None,
    weight: Weight = None,
    threads: int | None = 1,
) -> Reconciliation:
    """Explain why a measure differs between two conventions.

    Convention a is changed to b one choice at a time. Each step takes the choice that brings the
    mean nearest to b's mean, or moves it most if none brings it nearer. The changes sum to the
    difference.

    Parameters
    ----------
    y_true, y_score, group, ...
        As in `evaluate_arrays`.
    a, b : str or Convention
        Such as "sklearn" and "lightgbm".
    measure : str or Measure
        Such as "nDCG@10".

    Examples
    --------
    >>> import rankgain as rg
    >>> result = rg.reconcile([[0, 2, 1, 3]], [[1.0, 1.0, 1.0, 1.0]], "sklearn", "catboost",
    ...                       measure="nDCG")
    >>> [(step.fields[0], round(step.change, 4)) for step in result.steps if step.change]
    [('ties', -0.1931)]
    """
    refuse_judged_only((parse_measure(measure),))
    lists = read_lists(
        y_true,
        y_score,
        ids=ids,
        judged=judged,
        group=group,
        qid=qid,
        lengths=lengths,
        exclude=exclude,
        ignore=ignore,
    )
    if weight is not None and qid is None:
        weight = by_row(weight, "weight", y_true, y_score)
    tie_rules: list[object] = []
    for rules in (get_convention(a), get_convention(b)):
        if isinstance(rules.ties, Mapping):  # by family
            tie_rules += rules.ties.values()
        else:
            tie_rules.append(rules.ties)
    # Without ties, input order gives the same ranks, and no step needs ids.
    without_ids = ids is None and any(rule in BY_ID for rule in tie_rules)
    if without_ids and lists.scores is not None and first_tie(lists.replace(float32=True)) is None:
        lists = lists.replace(order=np.arange(lists.scores.size))
    return _Path(lambda rules: (lists, None), a, b, measure, weight, threads).result()


def reconcile_runs(
    qrels: Records,
    run: Records,
    a: str | Convention,
    b: str | Convention,
    *,
    measure: str | Measure,
    weight: Weight = None,
    threads: int | None = 1,
) -> Reconciliation:
    """Explain why a measure of a run differs between two conventions, as `reconcile` does.

    >>> import rankgain as rg
    >>> qrels, run = {"q": {"a": 1, "b": 0}, "r": {"c": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    >>> result = rg.reconcile_runs(qrels, run, "trec", "pytrec_eval", measure="nDCG")
    >>> [(step.fields[0], round(step.change, 4)) for step in result.steps if step.change]
    [('missing', 0.3155)]
    """
    judged, results = read_pair(qrels, run)
    row = parse_measure(measure).definition.row
    read: dict[tuple[object, ...], tuple[Lists, str | None]] = {}
    warned: set[str] = set()

    def reader(rules: Convention) -> tuple[Lists, str | None]:
        key = tuple(getattr(rules, name) for name in (*JOIN_FIELDS, "truncate_labels"))
        if key not in read:
            joined = join_by(rules, judged, results, row.skips_copies)
            as_lists = make_joined_lists(joined, rules, of_parts=row.reads != "labels")
            read[key] = as_lists.lists, as_lists.ties
            warn_of_unmatched(joined, run, warned)
        return read[key]

    displayed = dict(zip(judged.queries, judged._arrays.displayed, strict=True))
    return _Path(reader, a, b, measure, weight, threads, displayed).result()


class _Path:
    """One call of reconcile: the points at both ends, and the values at all points so far."""

    def __init__(
        self,
        reader: Callable[[Convention], tuple[Lists, str | None]],
        a: str | Convention,
        b: str | Convention,
        measure: str | Measure,
        weight: Weight,
        threads: int | None,
        displayed: Mapping[str, Any] | None = None,  # query ids as the caller wrote them
    ) -> None:
        self.reader, self.weight, self.displayed = reader, weight, displayed or {}
        self.threads = usable_threads(threads)
        self.measure = parse_measure(measure)
        self.function = self.measure.definition.function
        self.axes = [axis for axis in AXES if self.function in ONLY.get(axis[0], (self.function,))]
        self.conventions_of_ends = get_convention(a), get_convention(b)
        self.raw: dict[Any, Any] = {}
        # Lists as read (which keeps their ids), and without what a convention leaves out.
        self.without_ignored: dict[object, tuple[Lists, Lists]] = {}
        names = ["labels", *chain.from_iterable(self.axes)]
        reduced = []  # with each field reduced to its value for the measure's family
        for rules in self.conventions_of_ends:
            cut = (self.measure.k or rules.for_family("k", self.function)) is not None
            fields = {name: rules.for_family(name, self.function, cut=cut) for name in names}
            fields["k"] = self.measure.k or fields["k"]
            fields |= read_join_fields(self.measure)
            reduced.append(rules.replace(name=rules.name, **fields))
        self.ends = self._points(reduced)

    def _settings(self, rules: Convention) -> tuple[Lists, Family, Settings]:
        lists, ties = self.reader(rules)
        if rules.ignore_below is not None:
            key = id(lists), rules.ignore_below
            if key not in self.without_ignored:
                rule = IgnoreRule(below=rules.ignore_below)
                self.without_ignored[key] = lists, leave_out(lists, rule)
            lists = self.without_ignored[key][1]
        return lists, *complete_settings(self.measure, {}, rules, ties)

    def _points(self, many: list[Convention]) -> list[Point]:
        """The measure under each convention; those with the same lists are computed together."""
        requested = []
        new: dict[int, tuple[Lists, dict[Any, Any]]] = {}
        for rules in many:
            lists, family, settings = self._settings(rules)
            # Values are cached by the lists, and the settings that are not applied afterwards.
            shared = settings._replace(
                gain=freeze(settings.gain),
                empty=0.0,
                result_dtype="",
                round=None,
                labels="",
                largest_label=None,
                score_dtype="float32" if settings.score_dtype == "float32" else None,
                negative="",
                convention="",
            )
            if self.function in ("cg", "dcg", "idcg", "ndcg") and settings.gain != "binary":
                shared = shared._replace(rel=1.0)
            if lists.runs is None and settings.ideal in ("judged", "list"):
                shared = shared._replace(ideal="list")
            key = id(lists), shared
            if key not in self.raw:
                _, settings_by_key = new.setdefault(id(lists), (lists, {}))
                settings_by_key.setdefault(key, (family, settings))
            requested.append((rules, lists, family, settings, key))
        for lists, group in new.values():
            table = MeasureColumns(list(group.values()), lists)
            out = table.values(self.threads)
            for column, key in enumerate(group):
                self.raw[key] = out[:, column], table.divisors.get(column)
        points = []
        for rules, lists, family, settings, key in requested:
            cached_values, items = self.raw[key]
            values = cached_values.copy()
            undefined = fill_and_round(values, settings, str(self.measure))
            names = lists.layout.queries
            displayed = None
            if names is not None:
                displayed = [self.displayed.get(name, name) for name in names]
            weights = read_weights(self.weight, len(lists), names, displayed)
            rule = MeanRule.of(rules)
            averaging = read_averaging_rule(rules, rule, settings, family.mean, rule.order(names))
            result, _ = average(values, weights, undefined, averaging, items)
            queries = range(len(lists)) if displayed is None else tuple(displayed)
            points.append(Point(rules, result, values, queries, undefined))
        return points

    def result(self) -> Reconciliation:
        """The steps, the lists that differ, and explanations of the most affected list."""
        current, goal = self.ends
        queries, before, after = moves(current, goal)
        lists = tuple(zip(queries, before.tolist(), after.tolist(), strict=True))
        explained = tuple(self._explain(point, queries[0]) for point in self.ends if queries)
        left: list[tuple[str, ...]] = []  # the choices in which the conventions still differ
        for axis in self.axes:
            source = _read_fields(current.rules, axis)
            target = _read_fields(goal.rules, axis)
            if any(map(operator.ne, source, target)):
                left.append(axis)
        steps: list[Step] = []
        while left:
            axis, reached = self._choose(current, goal, left)
            left.remove(axis)
            steps.append(_make_step(axis, current, reached))
            current = reached
        a, b = self.conventions_of_ends
        name_under_a = str(read_measures(self.measure, a).measures[0])
        name_under_b = str(read_measures(self.measure, b).measures[0])
        return Reconciliation(
            str(self.measure),
            (a.name, b.name),
            (name_under_a, name_under_b),
            (self.ends[0].mean, goal.mean),
            tuple(steps),
            len(self.ends[0].queries),
            lists,
            explained,
        )

    def _choose(
        self, current: Point, goal: Point, axes: Sequence[tuple[str, ...]]
    ) -> tuple[tuple[str, ...], Point]:
        """The choice that brings the mean nearest to the goal, and the point that it leads to."""
        candidates = []
        for axis in axes:
            changed = dict(zip(axis, _read_fields(goal.rules, axis), strict=True))
            # Both ends have accepted the labels, so a point between them need not check.
            changed |= {"labels": "any", "largest_label": None}
            candidates.append(current.rules.replace(name=current.rules.name, **changed))
        points = self._points(candidates)
        gains = [progress(current.mean, point.mean, goal.mean) for point in points]
        best = gains.index(max(gains))
        return axes[best], points[best]

    def _explain(self, point: Point, query: object) -> Explanation | None:
        """The explanation of a list's nDCG, or None if there is none under the convention."""
        if self.function not in ("ndcg", "dcg", "idcg") or query not in point.queries:
            return None
        settings = self._settings(point.rules)[2]
        lists = self.reader(point.rules)[0]  # explain_lists leaves out what the convention ignores
        audited = OneList.of(lists, point.queries.index(query))
        if settings.ties in BY_ID:
            return None  # explain takes no ids
        rules = point.rules.replace(name=point.rules.name, ties=settings.ties)
        if rules.ideal == "list":
            audited = audited._replace(judged=None)
        options = {"gain": settings.gain, "discount": settings.discount}
        try:
            (displayed,) = explain_lists([audited], ExplainRequest("nDCG", options, rules))
        except ValueError:  # explain has no table for some ideals, such as k ones
            return None
        assert isinstance(displayed, Explanation)  # of nDCG
        # The lists may be in the order of ids already; report the rule of the convention.
        ties = complete_settings(self.measure, {}, point.rules)[1].ties
        return replace(displayed, settings=displayed.settings | {"ties": ties})


def _read_fields(rules: Convention, axis: Sequence[str]) -> tuple[Any, ...]:
    """The values of the fields that make one choice."""
    return tuple(getattr(rules, name) for name in axis)


def _make_step(axis: tuple[str, ...], current: Point, reached: Point) -> Step:
    """The step from one point to another: the fields, and the lists whose values it changes."""
    before, after = _read_fields(current.rules, axis), _read_fields(reached.rules, axis)
    fields = list(zip(axis, before, after, strict=True))
    if axis[0] not in ("rel", "empty"):  # these are printed with all fields, in this order
        fields.sort(key=lambda field: field[1] == field[2])  # a field that changes names the step
    names, before, after = zip(*fields, strict=True)
    queries, old_values, new_values = moves(current, reached)
    changes = (new_values[:PRINTED_LISTS] - old_values[:PRINTED_LISTS]).tolist()
    lists = tuple(zip(queries, changes, strict=False))
    effect = change(current.mean, reached.mean)
    return Step(names, before, after, reached.mean, effect, len(queries), lists)


class Point(NamedTuple):
    """The values of the measure under one convention."""

    rules: Convention
    mean: float
    values: Floats
    queries: Sequence[object]
    undefined: Bools  # lists where nothing is relevant


def change(before: float, after: float) -> float:
    """after - before; 0 where neither mean is defined, nan where only one is."""
    if math.isnan(before) and math.isnan(after):
        return 0.0
    return after - before


def progress(current: float, candidate: float, goal: float) -> tuple[bool, float]:
    """Sort key of a choice: how much it reduces the distance to the goal, else how far it moves."""
    gained = _distance(current, goal) - _distance(candidate, goal)
    if gained > 0:
        return True, gained
    return False, _distance(current, candidate)


def _distance(a: float, b: float) -> float:
    """How far two means are apart: an undefined one is as far as can be from one that is not."""
    distance = abs(change(a, b))
    if math.isnan(distance):
        return math.inf
    return distance


def moves(a: Point, b: Point) -> tuple[list[object], Floats, Floats]:
    """The lists whose values differ between two points: queries, values before and after."""
    queries = a.queries
    if a.queries == b.queries:
        before, after = a.values, b.values
        undefined = a.undefined | b.undefined
        only_one_has = np.zeros(len(before), bool)
    else:
        queries = list(dict.fromkeys((*a.queries, *b.queries)))
        before, undefined_before, has_before = _spread(a, queries)
        after, undefined_after, has_after = _spread(b, queries)
        undefined = undefined_before | undefined_after
        only_one_has = has_before != has_after
    are_equal = (before == after) | (np.isnan(before) & np.isnan(after))
    differ = np.flatnonzero(only_one_has | ~are_equal)
    # The largest differences first; undefined lists last, because their value is a choice.
    sizes = np.abs(after[differ] - before[differ])
    differ = differ[np.lexsort((-sizes, undefined[differ]))]
    return [queries[index] for index in differ.tolist()], before[differ], after[differ]


def _spread(point: Point, queries: Sequence[object]) -> tuple[Floats, Bools, Bools]:
    """Values, undefined lists, and whether there is a list, for each of these queries."""
    positions = {query: index for index, query in enumerate(queries)}
    indices = [positions[query] for query in point.queries]
    values = np.full(len(queries), np.nan)
    undefined, has_list = np.zeros((2, len(queries)), bool)
    values[indices] = point.values
    undefined[indices] = point.undefined
    has_list[indices] = True
    return values, undefined, has_list
