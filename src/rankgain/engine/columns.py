"""The values of all measures of a call: sorted into plans that share a ranking, and computed.

A call of a measure function such as `rg.ndcg` is one measure, from its arguments to its result.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import _core
from ..convention import UNSET, Convention, get_convention
from ..convention.options import read_cutoffs
from ..inputs.arrays import as_array, is_row
from ..inputs.ignored import IgnoreRule, leave_out
from ..inputs.lists import Lists, add_sizes, distinct_labels, runs_of_lists
from ..inputs.sparse import Sparse
from .devices import read_any_lists
from .notices import takes_negative, warn_of_columns, warn_of_labels, warn_of_padding
from .parts import find_ideals, finish_parts, without_parts
from .plan import (
    COUNT_JUDGED,
    Cache,
    Need,
    core_row,
    discount_weights,
    divisor_row,
    make_judged_gain,
    make_plan,
)
from .settings import UNCHANGED, Computation, Family, ListsView, Settings, resolve
from .threads import NEGATIVE, UNDEFINED, first_tie, run, usable_threads
from .views import (
    apply_view,
    in_given_order,
    refuse_counted,
    refuse_dropped,
    refuse_padding,
    refuse_unknown,
    refuse_values,
)

if TYPE_CHECKING:
    from ..inputs.types import Array, Bools, Floats, Labels, Scores


Result: TypeAlias = "float | np.ndarray[Any, np.dtype[np.float64]]"
OPTION_TYPES = (str, int, float, np.integer, type(None))  # of options that a cache key may have
ARRAYS = ("ids", "judged", "group", "qid", "lengths", "exclude", "ignore")
_DCG = Family("DCG", "dcg", (), row=Computation("dot", "value", "requested", "discount"))


@dataclass(slots=True, eq=False)
class Prepared:
    """The measures of a call with their settings, checked and completed."""

    measures: Sequence[tuple[Family, Settings]]
    request: Any = None  # measures, names and settings of an evaluation; none of a function
    plan: Any = None  # of one measure whose arrays the core takes unchanged


CALLS: Cache[Any, Prepared] = Cache(512)
# Keys: the prepared call and the longest list, on which alone a steady plan depends.
PLANS: Cache[tuple[Prepared, int], list[tuple[Any, list[int]]]] = Cache(64)


def ignore_by_rules(lists: Lists, rules: Convention) -> Lists:
    """The lists without the documents that the convention leaves out by their labels."""
    if rules.ignore_below is None:
        return lists
    return leave_out(lists, IgnoreRule(below=rules.ignore_below))


def has_checked_negative(lists: Lists) -> bool:
    """Whether a label is negative among dense ones that were checked before, which are runs."""
    judgments = lists.judgments
    if lists.sparse or judgments is None or not judgments.labels_checked:
        return False
    return bool(judgments.runs.level.min(initial=0.0) < 0)


def is_steady(family: Family, settings: Settings) -> bool:
    """Whether a measure has the same plan for all dense lists of one length, without checks."""
    row = family.row
    return (
        settings.view == UNCHANGED
        and (settings.labels, settings.largest_label) == ("any", None)
        and isinstance(settings.gain, str)
        and isinstance(settings.discount, str)
        and settings.ties not in ("id", "id_descending")
        and row.averages
        and not row.judged
        and row.shape != "bpref"
    )


def finish(values: Floats, settings: Settings, name: str, all_defined: Bools | None = None) -> Any:
    """Fill undefined values and round as the settings say; returns the mask of undefined values."""
    undefined = np.isnan(values) if all_defined is None else all_defined
    if settings.empty == "raise" and undefined.any():
        why = "nothing relevant is judged there"
        if settings.family.needs_pairs:
            why = "relevant or non-relevant documents are absent"
        raise ValueError(
            f"{name} is undefined for list {int(undefined.argmax())} ({why}); "
            'pass empty= a number, nan or "skip"'
        )
    if all_defined is None and not isinstance(settings.empty, str):
        values[undefined] = settings.empty
    if settings.result_dtype == "float32":
        values[:] = values.astype(np.float32)
    if settings.round is not None:
        round_as_printed(values, settings.round)
    return undefined


def round_as_printed(values: Array, decimals: int) -> None:
    """Round in place, with the results of `round` and printf, which round the exact value."""
    scale = 10.0**decimals
    with np.errstate(over="ignore", invalid="ignore"):
        moved = values * scale
        rounded = np.rint(moved)
        # The product is itself rounded: near a half it may be on the wrong side.
        doubtful = ~((np.abs(np.abs(moved - rounded) - 0.5) > 1e-6) & (np.abs(moved) < 2.0**40))
    exact = [round(value, decimals) for value in values[doubtful].tolist()]
    values[:] = rounded / scale
    values[doubtful] = exact


class MeasureColumns:
    """All measures of a call, sorted into plans, and their values."""

    def __init__(
        self,
        measures: Sequence[tuple[Family, Settings]],
        lists: Lists,
        *,
        prepared: Prepared | None = None,
        extremes: bool = False,
        more: int = 0,
    ) -> None:
        # extremes: not the expectation over tied documents, but their worst and best orders.
        self.measures, self.lists, self.extremes, self.more = measures, lists, extremes, more
        # The mask of undefined values, if it is known to be False everywhere.
        self.all_defined: Any = None
        self.has_negative = False  # whether some dense label is, once there are values
        # Lists of dense labels and one length have the same plans, if no measure looks at values.
        key: Any = None
        is_dense = not isinstance(lists.labels, Sparse) and lists.judgments is None
        if prepared is not None and is_dense:
            key = prepared, lists.longest
        cached = None if key is None else PLANS.get(key)
        if cached is not None:
            self.plans = [(plan, places, lists) for plan, places in cached]
            return
        self.plans = list(self._make_plans())
        if key is not None and all(is_steady(*one) for one in measures):
            sizes = [plan.nbytes for plan, _, _ in self.plans]
            PLANS.keep(key, [(plan, places) for plan, places, _ in self.plans], sum(sizes))

    def _make_plans(self) -> Iterator[tuple[Any, list[int], Lists]]:
        """Plans, the places of their columns, and the lists as they see them."""
        tables: dict[Any, Any] = {}
        views: dict[ListsView, tuple[Lists, Need]] = {}
        groups: dict[Any, list[tuple[int, _core.PlanRow, Settings]]] = {}
        for at, (family, settings) in enumerate(self.measures):
            if family.row.reads != "labels" and self.lists.parts is None:
                raise without_parts(family)
            if settings.view not in views:
                lists = self.lists
                lists = lists if settings.view == UNCHANGED else apply_view(lists, settings.view)
                judgments = lists.judgments
                judged = judgments is not None and (
                    not judgments.labels_checked or (lists.counted and not judgments.from_labels)
                )
                longest = lists.longest + self.more
                # Ranks that weight tables cover, rounded up so that calls share tables.
                weighted = [one for family, one in self.measures if family.row.weights is not None]
                deepest = max((one.k or longest for one in weighted), default=0)
                reach = 1 << max(6, (min(deepest, longest) - 1).bit_length())
                covers = lists.parts and lists.parts.judged
                distinct = partial(distinct_labels, lists)
                need = Need(longest, distinct, self._place, judged, reach, covers)
                views[settings.view] = lists, need
            lists, need = views[settings.view]
            settings = self._refuse(family, settings, lists)
            row = core_row(family, settings, need, tables)
            if lists.padding and lists.judgments is not None:
                refuse_padding(lists, row, settings, family.name)
            tie_gain = None  # the gain that orders tied documents; None: their labels do
            if self.extremes or settings.ties in ("best", "worst"):
                if row.shape in COUNT_JUDGED:
                    tie_gain = make_judged_gain(row, settings, need, tables)
                elif row.gain is not None and not row.gain.monotone:
                    tie_gain = row.gain
            same = groups.setdefault((settings.view, settings.ties, settings.seed, tie_gain), [])
            same.append((at, row, settings))
            divisor = divisor_row(row, settings)
            if divisor is not None:
                same.append((at + len(self.measures), divisor, settings))
        for (view, ties, _, tie_gain), members in groups.items():
            lists, need = views[view]
            rows, same_settings = [m[1] for m in members], [m[2] for m in members]
            plan = make_plan(rows, same_settings, need, tie_gain, self.extremes)
            if plan.zero_counts and lists.sparse:
                remedy = "pass dense labels"
                if lists.on_device:
                    remedy = "move y_score to the CPU"
                raise ValueError(
                    "only labels other than 0 are known, but here label 0 counts: take rel above "
                    f"0 and a gain of 0 for label 0, or {remedy}"
                )
            if ties == "id_descending" and lists.order is not None:
                lists = lists.replace(order=lists.order.max(initial=0) - lists.order)
            yield plan, [m[0] for m in members], lists

    def _refuse(self, family: Family, settings: Settings, lists: Lists) -> Settings:
        """Refuse lists that the measure cannot take; the settings, if ties are settled."""
        row = family.row
        if family.compute is not None and lists.counted:
            remedy = "move y_score to the CPU" if lists.on_device else "pass the lists themselves"
            raise ValueError(
                f"{family.name} is computed by a function of rankings, but here only the ranks of "
                f"relevant documents are counted; {remedy}"
            )
        if family.compute is not None and settings.ties in ("best", "worst"):
            raise ValueError(
                f"{family.name}: the {settings.ties} order of tied documents is not known of a "
                'measure of your own; choose another ties=, such as "stable"'
            )
        if lists.judgments is not None or (settings.labels, settings.largest_label) != (
            "any",
            None,
        ):
            refuse_values(lists, settings, family.name)
        if row.judged:
            refuse_unknown(lists, family)
        if row.counts_relevant and settings.drop is not None:
            refuse_dropped(lists, settings)
        if isinstance(lists.labels, Sparse) and lists.counted:
            if "ties" not in family.params:  # no order of ties changes it
                settings = settings._replace(ties="average")
            refuse_counted(self.lists, settings, row.averages, family.name)
        needs_ids = settings.ties in ("id", "id_descending") and lists.order is None
        has_average = settings.ties != "average" or self.extremes or row.averages
        if not row.averages and row.reads != "labels":  # "best" for one part is not for another
            has_average = settings.ties not in ("average", "best", "worst")
        if has_average and not needs_ids:
            return settings
        tie = first_tie(lists)
        if tie is None:  # the rule cannot order any
            return settings._replace(ties="stable")
        number = lists.offset + tie[0]
        first, second = (lists.position(tie[0], place) for place in tie[1:])
        where = f"list {number}, documents {first} and {second} have equal scores, and"
        if has_average:
            by = f"needs {lists.ids_by}, or" if lists.ids_by else "needs ids, which there are not;"
            raise ValueError(
                f'y_score: {where} ties="{settings.ties}" {by} choose another ties=, such as '
                '"average"'
            )
        why = f'there is no closed form of the average over their orders (ties="{settings.ties}")'
        if settings.ties != "average":
            why = f"no order of them is the {settings.ties} one for all parts of the query"
        raise ValueError(
            f'{family.name}: {where} {why}; choose another ties=, such as "stable", or '
            '"id_descending" where there are ids'
        )

    def _place(self, label: float) -> str:
        """Where a label first occurs, for errors."""
        labels = self.lists.with_excluded_as_zero().labels
        if not isinstance(labels, np.ndarray):
            return self.lists.called
        at = np.flatnonzero(labels.reshape(-1) == label)
        if at.size == 0:
            return "judged"
        row = int(np.searchsorted(self.lists.layout.starts, at[0], side="right")) - 1
        document = int(at[0] - self.lists.layout.starts[row])
        return f"{self.lists.called}: {self.lists.place(row)}, {self.lists.document(row, document)}"

    def values(self, threads: int) -> Any:
        """An array with a row per list and a column per measure; set `divisors`, of micro means."""
        parts = [run(plan, lists, threads) for plan, _, lists in self.plans]
        flags = 0
        for _, flag in parts:
            flags |= flag
        if not flags & UNDEFINED:
            self.all_defined = np.zeros(len(self.lists), bool)
        self.has_negative = bool(flags & NEGATIVE) or has_checked_negative(self.lists)
        in_order = [places for _, places, _ in self.plans] == [list(range(len(self.measures)))]
        out, self.divisors = (parts[0][0], {}) if in_order else self._spread([a for a, _ in parts])
        return self._complete(out, self.divisors, threads)

    def bounds(
        self, threads: int, holes: _core.Holes | None = None
    ) -> list[tuple[Any, dict[int, Any]]]:
        """Values and divisors, as in `values`, for each end.

        Over orders of ties: the worst and the best. Over labels of unjudged documents (with
        `holes`): the lowest, the highest, and, in a third part, which values are undefined.
        """
        parts = []
        for plan, _, lists in self.plans:
            if holes is not None and lists.judgments is None:
                lists = lists.with_runs(runs_of_lists(lists))
            ends = 2 if holes is None else 3
            parts.append(np.split(run(plan, lists, threads, holes)[0], ends, axis=1))
        result = []
        for row, columns in enumerate(zip(*parts, strict=True)):
            out, divisors = self._spread(list(columns))
            if row < 2:
                out = self._complete(out, divisors, threads)
            result.append((out, divisors))
        return result

    def _spread(self, parts: list[Any]) -> tuple[Any, dict[int, Any]]:
        """Order the columns of the plans by measure; separate the divisors of micro means."""
        divisors: dict[int, Any] = {}
        out = np.empty((len(self.lists), len(self.measures)), order="F")
        for (_, places, _), values in zip(self.plans, parts, strict=True):
            for column, place in enumerate(places):
                if place < len(self.measures):
                    out[:, place] = values[:, column]
                else:
                    # The core has no divisor for a list without documents.
                    divisors[place - len(self.measures)] = np.nan_to_num(values[:, column])
        return out, divisors

    def _complete(self, out: Floats, divisors: dict[int, Any], threads: int) -> Any:
        """Divide by micro totals, by the ideals "ones" and "given", and by those of parts."""

        def evaluate(measures: Sequence[tuple[Family, Settings]], lists: Lists) -> Any:
            return MeasureColumns(measures, lists).values(threads)

        over_ideals = any(family.row.part_divisor == "ideal" for family, _ in self.measures)
        ideals = find_ideals(self.measures, self.lists, evaluate) if over_ideals else {}
        for at, (family, settings) in enumerate(self.measures):
            if family.compute is not None:
                out[:, at] = self._measure_in_python(family, settings)
                self.all_defined = None
                continue
            if settings.family.row.part_divisor:
                self.all_defined = None
                of_ideal = ideals.get(at)
                out[:, at] = finish_parts(out[:, at], self.lists, settings, of_ideal, evaluate)
            if settings.ideal in ("ones", "given") or settings.undefined == "zero_sum" or divisors:
                self.all_defined = None
            if settings.per == "item":
                without_divisor = np.where(np.isnan(out[:, at]), np.nan, 0.0)
                out[:, at] = _ratio(out[:, at], divisors[at], without_divisor)
            if settings.family.has_ideal and settings.ideal in ("ones", "given"):
                if settings.ideal == "ones":
                    if settings.k is None:
                        raise ValueError(
                            "the convention's ideal is k relevant documents in each list "
                            '(ideal="ones"); give a k'
                        )
                    ideal: Any = np.add.accumulate(discount_weights(settings, settings.k))[-1]
                else:  # the judged labels in the order given
                    dcg = _DCG, settings._replace(family=_DCG, ideal="list")
                    given = MeasureColumns([dcg], in_given_order(self.lists))
                    ideal = given.values(threads)[:, 0]
                is_ideal = settings.family.row.shape == "ideal"
                out[:, at] = ideal if is_ideal else _ratio(out[:, at], ideal, np.nan)
            if settings.undefined == "zero_sum":
                out[self._zero_sums, at] = np.nan
            if settings.family.counts_rows and self.lists.places is not None:
                out[:, at] = count_rows(self.lists, settings.k)
        return out

    def _measure_in_python(self, family: Family, settings: Settings) -> Floats:
        """The values of a measure of one's own, on the lists as the convention views them."""
        assert family.compute is not None
        from .rankings import measure_rankings  # imported only when needed

        name = family.name if settings.k is None else f"{family.name}@{settings.k}"
        lists = apply_view(self.lists, settings.view)
        return measure_rankings(family.compute, name, lists, settings)

    @cached_property
    def _zero_sums(self) -> Any:
        """The lists whose labels sum to 0, if some label is negative."""
        lists = self.lists.with_excluded_as_zero()
        labels = lists.labels
        values = labels.data if isinstance(labels, Sparse) else labels
        if values.dtype.kind in "bu" or not (values < 0).any():
            return []
        sums = (lists.row(i)[0].astype(np.float32).sum() for i in range(len(lists)))
        return [i for i, total in enumerate(sums) if total == 0]


def count_rows(lists: Lists, k: int | None) -> Any:
    """How many documents of each list are at its first k places, of ranks with gaps."""
    assert lists.places is not None
    if k is None:
        return lists.layout.sizes
    above = add_sizes(lists.places < k)
    return above[lists.layout.stops] - above[lists.layout.starts]


def _ratio(numerator: Floats, divisor: Floats, otherwise: float | Array) -> Any:
    """The ratio where the divisor is positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(divisor > 0, numerator / divisor, otherwise)


def convert_lists(y_true: list[Any], y_score: list[Any]) -> tuple[Any, Any]:
    """Labels and scores of one list as arrays; lists of lists are returned unchanged."""
    if not y_true or not y_score or is_row(y_true[0]) or is_row(y_score[0]):
        return y_true, y_score
    return as_array(y_true, "y_true"), as_array(y_score, "y_score")


def evaluate_plain(
    prepared: Prepared, y_true: Array, y_score: Array, threads: int | None
) -> Result | None:
    """Evaluate arrays in the core without further checks; None where the core cannot."""
    if prepared.plan is None:
        return None
    empty = prepared.measures[0][1].empty
    if y_score.ndim == 1:
        return _core.evaluate_plain(prepared.plan, y_true, y_score, empty)
    if y_score.ndim == 2 and y_score.shape[1] > 1 and threads == 1:
        rows: Floats = np.empty(len(y_score))
        if _core.evaluate_plain(prepared.plan, y_true, y_score, empty, rows) is not None:
            return rows
    return None


def measure_arrays(
    family: Family,
    allowed: frozenset[str],
    y_true: Labels,
    y_score: Scores | None,
    options: Mapping[str, Any],
    *,
    warns: bool = True,
) -> Result:
    """Evaluate one measure; `allowed` are the arguments of its function."""
    unexpected = [name for name in options if name not in allowed]
    if unexpected:
        from difflib import get_close_matches  # imported only for the error

        near = get_close_matches(unexpected[0], sorted(allowed), n=1)
        hint = f"; did you mean {near[0]}=?" if near else ""
        raise TypeError(
            f"{family.function}() got an unexpected keyword argument {unexpected[0]!r}{hint}"
        )
    values = {name: v for name, v in options.items() if name not in ARRAYS and v is not UNSET}
    arrays = {name: options.get(name) for name in ARRAYS}
    workers = usable_threads(values.get("threads", 1))
    k = values.get("k")
    several = isinstance(k, (list, tuple)) or (k is not None and np.ndim(k) > 0)
    key: Any = None
    if all(isinstance(one, OPTION_TYPES) for one in values.values()):
        key = (family.function, *values.items(), *map(type, values.values()))
    prepared = key and CALLS.get(key)
    if prepared is None:
        prepared = _prepare(family, several, values, key)
    rules = get_convention(values.get("convention", "rankgain"))
    lists = ignore_by_rules(read_any_lists(y_true, y_score, **arrays), rules)
    table = MeasureColumns(prepared.measures, lists)
    out: Floats = table.values(workers)
    for column, (_, one) in enumerate(prepared.measures):
        finish(out[:, column], one, str(family.name), table.all_defined)
    if warns:
        if isinstance(lists.labels, Sparse):
            warn_of_labels(lists, table.measures, set())
        if table.has_negative:
            warn_of_padding(lists, table.measures, set())
        if lists.longest == 1:
            warn_of_columns(lists)
    if rules.ignore_below is None:
        _keep_plan(key, prepared, table)
    if lists.layout.single:
        return out.reshape(-1) if several else float(out[0, 0])
    return np.ascontiguousarray(out) if several else out[:, 0]


def _prepare(family: Family, several: bool, values: dict[str, Any], key: Hashable) -> Prepared:
    """Check and complete the arguments; cache the result if they have a key."""
    rules = get_convention(values.get("convention", "rankgain"))
    options = {name: v for name, v in values.items() if name not in ("convention", "threads")}
    ks = read_cutoffs(options.pop("k")) if several else [options.pop("k", UNSET)]
    # Settings of two cutoffs differ only in k; those without a cutoff may differ in more.
    settings_by_kind = {
        is_uncut: resolve(family, {**options, "k": k}, rules)
        for is_uncut, k in {k is None: k for k in ks}.items()
    }
    settings = list(settings_by_kind.values())
    if several:
        settings = [settings_by_kind[k is None]._replace(k=k) for k in ks]
    prepared = Prepared([(family, one) for one in settings])
    if key is not None:
        CALLS.keep(key, prepared)
    return prepared


def _keep_plan(key: Hashable, prepared: Prepared, table: MeasureColumns) -> None:
    """Cache the plan of one measure if it serves all dense lists that are no longer than these."""
    if key is None or prepared.plan is not None or CALLS.get(key) is not prepared:
        return
    if table.lists.judgments is not None or table.lists.sparse or len(table.plans) != 1:
        return
    plan, settings = table.plans[0][0], prepared.measures[0][1]
    is_result = (
        not isinstance(settings.empty, str)
        and settings.ideal not in ("ones", "given")
        and settings.undefined != "zero_sum"
        and settings.round is None
        and settings.result_dtype == "float64"
        and plan.width == 1  # a micro mean has a second column, the divisors
    )
    if is_result and is_steady(*prepared.measures[0]):
        plan.notes_negative = not takes_negative(*prepared.measures[0])
        prepared.plan = plan
        CALLS.keep(key, prepared, plan.nbytes)
