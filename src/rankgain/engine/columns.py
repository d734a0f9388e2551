"""The values of all measures of a call: sorted into plans that share a ranking, and computed.

A call of a measure function such as `rg.ndcg` is one measure, from its arguments to its result.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .. import _core
from ..convention import UNSET, get_convention
from ..convention.options import read_cutoffs
from ..inputs.arrays import as_array, is_row
from ..inputs.ignored import IgnoreRule, leave_out
from ..inputs.lists import Lists, add_sizes, add_zeros, distinct_labels, runs_of_lists
from ..inputs.sparse import Sparse
from .devices import read_any_lists
from .notices import (
    takes_negative,
    warn_of_columns,
    warn_of_fractions,
    warn_of_labels,
    warn_of_padding,
    warn_of_swap,
)
from .parts import find_ideals, finish_parts, without_parts
from .plan import (
    COUNT_JUDGED,
    Cache,
    TableRequirements,
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
    refuse_judged_labels,
    refuse_labels,
    refuse_padding,
    refuse_unknown,
)

if TYPE_CHECKING:
    from ..inputs.types import Array, Bools, Floats, Integers, Labels, Scores


Result: TypeAlias = "float | np.ndarray[Any, np.dtype[np.float64]]"
OPTION_TYPES = (str, int, float, np.integer, type(None))  # of options that a cache key may have
ARRAYS = ("ids", "judged", "group", "qid", "lengths", "exclude", "ignore")
_DCG = Family("DCG", "dcg", (), row=Computation("dot", "value", "requested", "discount"))


@dataclass(slots=True, eq=False)
class ResolvedCall:
    """The measures of a call with their settings, checked and completed; equal calls share it."""

    measures: Sequence[tuple[Family, Settings]]
    request: Any = None  # measures, names and settings of an evaluation; none of a function
    plan: _core.Plan | None = None  # of one measure whose arrays the core takes unchanged


# Plans are cached in two places: in PLANS those of evaluations whose measures are all steady, in
# `ResolvedCall.plan` that of a function of one measure, for arrays that the core reads unchanged.
CALLS: Cache[object, ResolvedCall] = Cache(512)
# Keys: the resolved call and the longest list, on which alone a steady plan depends.
PLANS: Cache[tuple[ResolvedCall, int], list[tuple[_core.Plan, list[int]]]] = Cache(64)


def is_steady(family: Family, settings: Settings) -> bool:
    """Whether a measure has the same plan for all dense lists of one length, without checks.

    The plans of all others depend on labels or ids, or `_check_lists` may refuse their lists.
    """
    row = family.row
    return (
        settings.view == UNCHANGED
        and settings.labels == "any"
        and settings.largest_label is None
        and isinstance(settings.gain, str)
        and isinstance(settings.discount, str)
        and settings.ties not in ("id", "id_descending")
        and row.averages
        and not row.judged
    )


def fill_and_round(
    values: Floats, settings: Settings, name: str, undefined: Bools | None = None
) -> Bools:
    """Fill undefined values and round as the settings say; returns the mask of undefined values.

    undefined: a mask of False if no value is undefined; None: not known.
    """
    mask = undefined
    if mask is None:
        mask = np.isnan(values)
    if settings.empty == "raise" and mask.any():
        why = "nothing relevant is judged there"
        if settings.family.needs_pairs:
            why = "relevant or non-relevant documents are absent"
        raise ValueError(
            f"{name} is undefined for list {int(mask.argmax())} ({why}); "
            'pass empty= a number, nan or "skip"'
        )
    if undefined is None and not isinstance(settings.empty, str):
        values[mask] = settings.empty
    if settings.result_dtype == "float32":
        values[:] = values.astype(np.float32)
    if settings.round is not None:
        round_as_printed(values, settings.round)
    return mask


def round_as_printed(values: Array, decimals: int) -> None:
    """Round in place, with the results of `round` and printf, which round the exact value."""
    scale = 10.0**decimals
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = values * scale
        rounded = np.rint(scaled)
        # The product is itself rounded, so near a half it may be on the wrong side.
        distance_to_half = np.abs(np.abs(scaled - rounded) - 0.5)
        is_certain = (distance_to_half > 1e-6) & (np.abs(scaled) < 2.0**40)
    doubtful = ~is_certain
    exact = [round(value, decimals) for value in values[doubtful].tolist()]
    values[:] = rounded / scale
    values[doubtful] = exact


class PlanKey(NamedTuple):
    """What the measures of one plan have in common; the core ranks each list once for them."""

    view: ListsView
    ties: str
    seed: int
    # The gain that orders tied documents; None: their labels do. Equal gains are one object.
    tie_gain: _core.Gain | None


class PlanColumn(NamedTuple):
    """One column of a plan: a measure, or the divisors of its micro mean."""

    position: int  # of the measure; of divisors, that number plus the number of measures
    row: _core.PlanRow
    settings: Settings


class ColumnsPlan(NamedTuple):
    """A plan of the core, the positions of its columns, and the lists as its measures see them."""

    plan: _core.Plan
    positions: list[int]
    lists: Lists


class MeasureColumns:
    """All measures of a call, sorted into plans, and their values."""

    def __init__(
        self,
        measures: Sequence[tuple[Family, Settings]],
        lists: Lists,
        *,
        resolved: ResolvedCall | None = None,
        extremes: bool = False,
        extra_documents: int = 0,
        top_label: float | None = None,
    ) -> None:
        # resolved: the measures as a call that is kept, so that the plans are kept with it. Not
        # together with the three arguments below, which the keys of kept plans lack.
        # extremes: the worst and the best orders of tied documents, instead of the expectation.
        # extra_documents: how many more documents than `lists.longest` an ideal may have.
        # top_label: the label that unjudged documents may have.
        self.measures, self.lists = measures, lists
        self.extremes, self.extra_documents = extremes, extra_documents
        self.top_label = top_label
        # A mask of False, if no value is undefined; None: not known.
        self.undefined: Bools | None = None
        self.divisors: dict[int, Floats] = {}
        self.has_negative = False  # whether some dense label is, once there are values
        # Lists of dense labels and one length have the same plans, if no measure looks at values.
        key: tuple[ResolvedCall, int] | None = None
        is_dense = not isinstance(lists.labels, Sparse) and lists.judgments is None
        if resolved is not None and is_dense:
            key = resolved, lists.longest
        if key is not None:
            cached = PLANS.get(key)
            if cached is not None:
                self.plans = [ColumnsPlan(plan, positions, lists) for plan, positions in cached]
                return
        self.plans = list(self._make_plans())
        if key is not None and all(is_steady(*measure) for measure in measures):
            plans = [(plan, positions) for plan, positions, _ in self.plans]
            PLANS.keep(key, plans, sum(plan.nbytes for plan, _ in plans))

    def _make_plans(self) -> Iterator[ColumnsPlan]:
        """Make the plans: one for each group of measures that can share a ranking of the lists.

        Measures share a plan if they see the same lists (view), order ties by the same rule and
        seed, and, if gains order ties, by the same gain.

        The core takes the weights or gains of two measures as equal if they are one object, so each
        is made once. (If equal ones were two objects, only time would be lost.) Weights with a name
        come from a cache between calls. All others are kept in the tables of a view, as a gain
        table has the labels that occur in the lists of its view: names by their parameters, arrays
        by their content, mappings and callables by their id, which the settings keep alive.
        """
        views: dict[ListsView, tuple[Lists, TableRequirements, dict[object, object]]] = {}
        columns_by_plan: dict[PlanKey, list[PlanColumn]] = {}
        for position, (family, settings) in enumerate(self.measures):
            if family.row.reads != "labels" and self.lists.parts is None:
                raise without_parts(family)
            view = settings.view
            if view not in views:
                lists = self.lists
                if view != UNCHANGED:
                    lists = apply_view(lists, view)
                views[view] = lists, self._find_requirements(lists), {}
            lists, requirements, tables = views[view]
            settings = self._check_lists(family, settings, lists)
            row = core_row(family, settings, requirements, tables)
            lacks_zeros = lists.judgments is not None and lists.judgments.lacks_zeros
            if lacks_zeros and row.gain is not None and not row.gain.monotone:
                # In the ideal of this gain, zeros may stand above other labels. The other measures
                # of the view get these lists too: their ideals are the same with the zeros.
                lists = add_zeros(lists)
                views[view] = lists, requirements, tables
            if lists.padding and lists.judgments is not None:
                refuse_padding(lists, row, settings, family.name)
            tie_gain = None
            if self.extremes or settings.ties in ("best", "worst"):
                if row.shape in COUNT_JUDGED:
                    tie_gain = make_judged_gain(row, settings, requirements, tables)
                elif row.gain is not None and not row.gain.monotone:
                    tie_gain = row.gain
            key = PlanKey(view, settings.ties, settings.seed, tie_gain)
            columns = columns_by_plan.setdefault(key, [])
            columns.append(PlanColumn(position, row, settings))
            divisor = divisor_row(row, settings)
            if divisor is not None:
                columns.append(PlanColumn(position + len(self.measures), divisor, settings))
        for key, columns in columns_by_plan.items():
            lists, requirements, _ = views[key.view]
            rows = [column.row for column in columns]
            settings_of_rows = [column.settings for column in columns]
            plan = make_plan(rows, settings_of_rows, requirements, key.tie_gain, self.extremes)
            if plan.zero_counts and lists.sparse:
                reason, remedy = "a sparse matrix does not store zeros", ", or pass dense labels"
                if lists.on_device:
                    reason = "on a device only labels other than 0 are read"
                    remedy = ", or move y_score to the CPU"
                elif lists.pool:  # of qrels and a run
                    reason, remedy = "unjudged documents have no label", ""
                raise ValueError(
                    f"{reason}, but here label 0 counts: take rel above 0 and a gain of 0 for "
                    f"label 0{remedy}"
                )
            if key.ties == "id_descending" and lists.order is not None:
                lists = lists.replace(order=lists.order.max(initial=0) - lists.order)
            positions = [column.position for column in columns]
            yield ColumnsPlan(plan, positions, lists)

    def _find_requirements(self, lists: Lists) -> TableRequirements:
        """What the weight and gain tables of all measures must cover on these lists."""
        judgments = lists.judgments
        # Labels and judgments from two arguments may disagree, so the core compares them. Counted
        # hits need it even if their labels are marked as checked, as each was checked by itself.
        compares_judged = False
        if judgments is not None:
            compares_judged = not judgments.labels_checked
            if lists.counted and not judgments.from_labels:
                compares_judged = True
        longest = lists.longest + self.extra_documents
        # Weights are needed for the ranks up to the deepest cutoff. The size of their tables is
        # rounded up to a power of two, so that calls share tables.
        deepest = 0
        for family, settings in self.measures:
            if family.row.weights is not None:
                deepest = max(deepest, settings.k or longest)
        bits = (min(deepest, longest) - 1).bit_length()
        table_size = 1 << max(6, bits)
        labels = partial(self._labels, lists)
        covered = lists.parts and lists.parts.judged
        return TableRequirements(longest, labels, self._place, compares_judged, table_size, covered)

    def _labels(self, lists: Lists) -> Floats:
        """The sorted distinct labels that a document of the lists may have."""
        labels = distinct_labels(lists)
        if self.top_label is None:
            return labels
        return np.union1d(labels, [self.top_label])

    def _check_lists(self, family: Family, settings: Settings, lists: Lists) -> Settings:
        """Refuse lists for which the measure cannot be computed; return the settings for them.

        If the tie rule cannot be applied, but no documents tie, these have ties="stable". If ranks
        are counted and no order of ties changes the measure, they have ties="average".
        """
        row = family.row
        if family.compute is not None and lists.counted:
            remedy = "pass the lists themselves"
            if lists.on_device:
                remedy = "move y_score to the CPU"
            raise ValueError(
                f"{family.name} is computed by a function of rankings, but here only the ranks of "
                f"relevant documents are counted; {remedy}"
            )
        if family.compute is not None and settings.ties in ("best", "worst"):
            raise ValueError(
                f"{family.name}: the {settings.ties} order of tied documents is not known of a "
                'measure of your own; choose another ties=, such as "stable"'
            )
        if settings.labels != "any" or settings.largest_label is not None:
            refuse_labels(lists, settings, family.name)
        if lists.judgments is not None:
            refuse_judged_labels(lists, lists.judgments.runs, settings)
        if row.judged:
            refuse_unknown(lists, family)
        if row.counts_relevant and settings.drop is not None:
            refuse_dropped(lists, settings)
        if isinstance(lists.labels, Sparse) and lists.counted:
            if "ties" not in family.params:  # no order of ties changes it
                settings = settings._replace(ties="average")
            # Not `lists`: the view may have rounded their scores to float32.
            refuse_counted(self.lists, settings, row.averages, family.name)
        needs_ids = settings.ties in ("id", "id_descending") and lists.order is None
        can_order_ties = settings.ties != "average" or self.extremes or row.averages
        if not row.averages and row.reads != "labels":  # "best" for one part is not for another
            can_order_ties = settings.ties not in ("average", "best", "worst")
        if can_order_ties and not needs_ids:
            return settings
        tie = first_tie(lists)
        if tie is None:
            return settings._replace(ties="stable")
        index, *documents = tie
        number = lists.offset + index
        first, second = (lists.position(index, document) for document in documents)
        place = f"list {number}, documents {first} and {second} have equal scores"
        if can_order_ties:
            remedy = "needs ids, which there are not;"
            if lists.ids_by:
                remedy = f"needs {lists.ids_by}, or"
            raise ValueError(
                f'y_score: {place}, and ties="{settings.ties}" {remedy} choose another ties=, such '
                'as "average"'
            )
        reason = "its average over the orders of tied documents is not computed"
        if settings.ties != "average":
            reason = f"no order of tied documents is the {settings.ties} for all parts of the query"
        raise ValueError(
            f'{family.name} does not support ties="{settings.ties}", because {reason}, but '
            f'{place}; choose another ties=, such as "stable", or "id_descending" if there are ids'
        )

    def _place(self, label: float) -> str:
        """Where a label first occurs, for errors."""
        if label == self.top_label:
            return 'with bounds="unjudged", unjudged documents may have it'
        labels = self.lists.with_excluded_as_zero().labels
        if not isinstance(labels, np.ndarray):
            return self.lists.called
        cells = np.flatnonzero(labels.reshape(-1) == label)
        if cells.size == 0:
            return "judged"
        starts = self.lists.layout.starts
        row = int(np.searchsorted(starts, cells[0], side="right")) - 1
        document = self.lists.document(row, int(cells[0] - starts[row]))
        return f"{self.lists.called}: {self.lists.place(row)}, {document}"

    def values(self, threads: int) -> Floats:
        """An array with a row per list and a column per measure.

        Sets `divisors`, of micro means, `undefined` and `has_negative`.
        """
        parts = []
        for plan, _, lists in self.plans:
            parts.append(run(plan, lists, threads, measures=self.measures))
        flags = 0
        for _, plan_flags in parts:
            flags |= plan_flags
        if not flags & UNDEFINED:
            self.undefined = np.zeros(len(self.lists), bool)
        self.has_negative = bool(flags & NEGATIVE)
        judgments = self.lists.judgments
        if judgments is not None and judgments.labels_checked:
            # The core does not look again at dense labels that were checked before.
            is_dense = not isinstance(self.lists.labels, Sparse)
            self.has_negative |= is_dense and bool(judgments.runs.level.min(initial=0.0) < 0)
        out: Floats
        positions = [columns_plan.positions for columns_plan in self.plans]
        if positions == [list(range(len(self.measures)))]:  # one plan, with the measures in order
            [(out, _)] = parts
        else:
            out, self.divisors = self._spread([columns for columns, _ in parts])
        return self._complete(out, self.divisors, threads)

    def bounds(
        self, threads: int, holes: _core.Holes | None = None
    ) -> list[tuple[Floats, dict[int, Floats]]]:
        """Values and divisors, as in `values`, for each end.

        Over orders of ties: the worst and the best. Over all choices of unjudged documents with the
        top label (with `holes`): the lowest, the highest, and, in a third part, which values are
        undefined.
        """
        n_ends = 2 if holes is None else 3
        parts = []
        for plan, _, lists in self.plans:
            if holes is not None and lists.judgments is None:
                lists = lists.with_runs(runs_of_lists(lists))
            columns_of_ends, _ = run(plan, lists, threads, holes, measures=self.measures)
            parts.append(np.split(columns_of_ends, n_ends, axis=1))
        result = []
        for index, columns in enumerate(zip(*parts, strict=True)):
            out, divisors = self._spread(list(columns))
            if index < 2:  # the third part is a mask
                out = self._complete(out, divisors, threads)
            result.append((out, divisors))
        return result

    def _spread(self, parts: list[Floats]) -> tuple[Floats, dict[int, Floats]]:
        """Order the columns of the plans by measure; separate the divisors of micro means."""
        divisors: dict[int, Floats] = {}
        out = np.empty((len(self.lists), len(self.measures)), order="F")
        for columns_plan, values in zip(self.plans, parts, strict=True):
            for column, position in enumerate(columns_plan.positions):
                if position < len(self.measures):
                    out[:, position] = values[:, column]
                else:
                    # The core has no divisor for a list without documents.
                    divisors[position - len(self.measures)] = np.nan_to_num(values[:, column])
        return out, divisors

    def _complete(self, out: Floats, divisors: dict[int, Floats], threads: int) -> Floats:
        """Do for each measure what the core does not: change its column of `out`, and return `out`.

        A measure of one's own is computed in Python. Other columns are divided by what the core
        has no divisor for: ideals of judgments with parts, the divisors of items, and the ideals
        "ones" and "given". Then lists whose labels sum to 0 get NaN, if the convention says so, and
        numbers of rows replace numbers of places in ranks with gaps.
        """

        def evaluate(measures: Sequence[tuple[Family, Settings]], lists: Lists) -> Floats:
            return MeasureColumns(measures, lists).values(threads)

        ideals = {}
        if any(family.row.part_divisor == "ideal" for family, _ in self.measures):
            ideals = find_ideals(self.measures, self.lists, evaluate)
        changes = False
        for index, (family, settings) in enumerate(self.measures):
            column = out[:, index]  # a view, so that its values change in `out`
            if family.compute is not None:
                column[:] = self._measure_in_python(family, settings)
                changes = True
                continue
            if settings.family.row.part_divisor:
                changes = True
                ideal_values = ideals.get(index)
                column[:] = finish_parts(column, self.lists, settings, ideal_values, evaluate)
            if settings.ideal in ("ones", "given") or settings.undefined == "zero_sum" or divisors:
                changes = True
            if settings.per == "item":
                # A list without items gets 0, unless its value is undefined.
                without_divisor = np.where(np.isnan(column), np.nan, 0.0)
                column[:] = _ratio(column, divisors[index], without_divisor)
            if settings.family.has_ideal and settings.ideal in ("ones", "given"):
                ideal = self._ideal_of_convention(settings, threads)
                if settings.family.row.shape == "ideal":
                    column[:] = ideal
                else:
                    column[:] = _ratio(column, ideal, np.nan)
            if settings.undefined == "zero_sum":
                column[self._zero_sums] = np.nan
            if settings.family.counts_rows and self.lists.places is not None:
                column[:] = count_rows(self.lists, settings.k)
        if changes:
            self.undefined = None  # only the core's own columns were looked at
        return out

    def _ideal_of_convention(self, settings: Settings, threads: int) -> Any:
        """The DCG of an ideal other than the sorted labels, for each list or for all of them.

        "ones": k relevant documents. "given": the judged labels in the order given.
        """
        if settings.ideal == "given":
            dcg = _DCG, settings._replace(family=_DCG, ideal="list")
            given_order = MeasureColumns([dcg], in_given_order(self.lists))
            return given_order.values(threads)[:, 0]  # its only column
        if settings.k is None:
            raise ValueError(
                "the convention's ideal is k relevant documents in each list "
                '(ideal="ones"); give a k'
            )
        return np.add.accumulate(discount_weights(settings, settings.k))[-1]

    def _measure_in_python(self, family: Family, settings: Settings) -> Floats:
        """The values of a measure of one's own, on the lists as the convention views them."""
        assert family.compute is not None
        from .rankings import measure_rankings  # imported only when needed

        name = family.name
        if settings.k is not None:
            name = f"{name}@{settings.k}"
        lists = apply_view(self.lists, settings.view)
        return measure_rankings(family.compute, name, lists, settings)

    @cached_property
    def _zero_sums(self) -> list[int]:
        """The lists whose labels sum to 0, if some label is negative."""
        lists = self.lists.with_excluded_as_zero()
        labels = lists.labels
        values = labels.data if isinstance(labels, Sparse) else labels
        if values.dtype.kind in "bu" or not (values < 0).any():
            return []
        zero_sums = []
        for row in range(len(lists)):
            labels_of_row, _ = lists.row(row)
            # As of torchmetrics' tensors: a sum that rounds to 0 in float32 is one, too.
            if labels_of_row.astype(np.float32).sum() == 0:
                zero_sums.append(row)
        return zero_sums


def count_rows(lists: Lists, k: int | None) -> Integers:
    """How many documents of each list are at its first k places, of ranks with gaps."""
    assert lists.places is not None
    if k is None:
        return lists.layout.sizes
    # Rows at the first k places, counted before each row of all lists: the difference between the
    # ends of a list is its number.
    rows_before: Integers = add_sizes(lists.places < k)
    return rows_before[lists.layout.stops] - rows_before[lists.layout.starts]


def _ratio(numerator: Floats, divisor: Floats, otherwise: float | Array) -> Floats:
    """The ratio where the divisor is positive, and `otherwise` where it is not."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(divisor > 0, numerator / divisor, otherwise)


def convert_lists(y_true: list[Any], y_score: list[Any]) -> tuple[Any, Any]:
    """Labels and scores of one list as arrays; lists of lists are returned unchanged."""
    if not y_true or not y_score or is_row(y_true[0]) or is_row(y_score[0]):
        return y_true, y_score
    return as_array(y_true, "y_true"), as_array(y_score, "y_score")


def evaluate_plain(
    resolved: ResolvedCall, y_true: Array, y_score: Array, threads: int | None
) -> Result | None:
    """Evaluate arrays in the core without further checks; None where the core cannot."""
    if resolved.plan is None:
        return None
    [(_, settings)] = resolved.measures  # only a call of one measure has a plan
    empty = settings.empty
    if y_score.ndim == 1:
        return _core.evaluate_plain(resolved.plan, y_true, y_score, empty)
    # A matrix of one column is probably a list that should be flat, which the general way warns of.
    if y_score.ndim == 2 and y_score.shape[1] > 1 and threads == 1:
        rows: Floats = np.empty(len(y_score))
        if _core.evaluate_plain(resolved.plan, y_true, y_score, empty, rows) is not None:
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

        name = unexpected[0]
        matches = get_close_matches(name, sorted(allowed), n=1)
        hint = ""
        if matches:
            hint = f"; did you mean {matches[0]}=?"
        raise TypeError(f"{family.function}() got an unexpected keyword argument {name!r}{hint}")
    values = {name: v for name, v in options.items() if name not in ARRAYS and v is not UNSET}
    arrays = {name: options.get(name) for name in ARRAYS}
    workers = usable_threads(values.get("threads", 1))
    k = values.get("k")
    has_several_cutoffs = isinstance(k, (list, tuple)) or (k is not None and np.ndim(k) > 0)
    key: tuple[object, ...] | None = None
    resolved = None
    if all(isinstance(option, OPTION_TYPES) for option in values.values()):
        key = (family.function, *values.items(), *map(type, values.values()))
        resolved = CALLS.get(key)
    if resolved is None:
        resolved = _resolve_call(family, has_several_cutoffs, values, key)
    rules = get_convention(values.get("convention", "rankgain"))
    lists = read_any_lists(y_true, y_score, **arrays)
    if rules.ignore_below is not None:
        lists = leave_out(lists, IgnoreRule(below=rules.ignore_below))
    table = MeasureColumns(resolved.measures, lists)
    out: Floats = table.values(workers)
    for column, (_, settings) in enumerate(resolved.measures):
        fill_and_round(out[:, column], settings, str(family.name), table.undefined)
    if warns:
        if isinstance(lists.labels, Sparse):
            warn_of_labels(lists, table.measures, set())
        if table.has_negative:
            warn_of_padding(lists, table.measures, set())
        if lists.longest == 1:
            warn_of_columns(lists)
    # A kept plan serves later arrays without a look at them.
    is_suspicious = warns and (
        warn_of_swap(lists, resolved.measures)
        or warn_of_fractions(lists, resolved.measures, out, set())
    )
    if rules.ignore_below is None and not is_suspicious:
        _keep_plan(key, resolved, table)
    if has_several_cutoffs:
        if lists.layout.single:
            return out.reshape(-1)
        return np.ascontiguousarray(out)
    if lists.layout.single:
        return float(out[0, 0])
    return out[:, 0]


def _resolve_call(
    family: Family, has_several_cutoffs: bool, values: dict[str, Any], key: Hashable
) -> ResolvedCall:
    """Check and complete the arguments; cache the result if they have a key."""
    rules = get_convention(values.get("convention", "rankgain"))
    options = {name: v for name, v in values.items() if name not in ("convention", "threads")}
    if has_several_cutoffs:
        # Settings of two cutoffs differ only in k; those without a cutoff may differ in more.
        cutoffs = read_cutoffs(options.pop("k"))
        by_kind: dict[bool, Settings] = {}
        for k in cutoffs:
            if (k is None) not in by_kind:
                by_kind[k is None] = resolve(family, {**options, "k": k}, rules)
        all_settings = [by_kind[k is None]._replace(k=k) for k in cutoffs]
    else:
        k = options.pop("k", UNSET)
        all_settings = [resolve(family, {**options, "k": k}, rules)]
    resolved = ResolvedCall([(family, settings) for settings in all_settings])
    if key is not None:
        CALLS.keep(key, resolved)
    return resolved


def _keep_plan(key: Hashable, resolved: ResolvedCall, table: MeasureColumns) -> None:
    """Cache the plan of one measure if it serves all dense lists that its table of weights covers.

    The core checks that before it uses the plan (`Plan.longest`).
    """
    if key is None or resolved.plan is not None or CALLS.get(key) is not resolved:
        return
    if table.lists.judgments is not None or table.lists.sparse or len(table.plans) != 1:
        return
    plan = table.plans[0].plan
    family, settings = resolved.measures[0]
    is_result = (
        not isinstance(settings.empty, str)
        and settings.ideal not in ("ones", "given")
        and settings.undefined != "zero_sum"
        and settings.round is None
        and settings.result_dtype == "float64"
        and plan.width == 1  # a micro mean has a second column, the divisors
    )
    if is_result and is_steady(family, settings):
        plan.notes_negative = not takes_negative(family, settings)
        resolved.plan = plan
        CALLS.keep(key, resolved, plan.nbytes)
