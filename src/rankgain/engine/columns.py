"""The values of all measures of a call: sorted into plans that share a ranking, and computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..inputs.lists import Lists, distinct_labels, runs_of_lists
from ..inputs.sparse import Sparse
from .plan import (
    COUNT_JUDGED,
    Cache,
    MissingGain,
    Need,
    core_row,
    divisor_row,
    find_reach,
    ideal_of_ones,
    make_judged_gain,
    make_plan,
)
from .settings import UNCHANGED, WITH_IDEAL, Computation, Family, ListsView, Settings
from .threads import first_tie, run, run_bounds
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
    from .. import _core
    from ..inputs.types import Array, Bools, Floats


_DCG = Family("DCG", "dcg", (), row=Computation("dot", "value", "requested", "discount"))


@dataclass(slots=True, eq=False)
class Prepared:
    """The measures of a call with their settings, checked and completed."""

    requested: Sequence[tuple[Family, Settings]]
    request: Any = None  # measures, names and settings of an evaluation; none of a function
    plan: Any = None  # of one measure whose arrays the core takes unchanged


CALLS: Cache[Any, Prepared] = Cache(512)
# Keys: the prepared call and the longest list, on which alone a steady plan depends.
PLANS: Cache[tuple[Prepared, int], list[tuple[Any, list[int]]]] = Cache(64)


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


def is_value_of_core(settings: Settings) -> bool:
    """Whether the core's value is the result, apart from the number for undefined lists."""
    return (
        not isinstance(settings.empty, str)
        and settings.ideal not in ("ones", "given")
        and settings.undefined != "zero_sum"
        and settings.round is None
        and settings.result_dtype == "float64"
    )


def fill_empty(values: Array, settings: Settings, name: str) -> Any:
    """Replace the undefined values of a measure as `empty` says; returns the mask of them."""
    undefined = np.isnan(values)
    if settings.empty == "raise":
        if undefined.any():
            why = "nothing relevant is judged there"
            if settings.function in ("auc", "gauc", "ranking_loss"):
                why = "relevant or non-relevant documents are absent"
            raise ValueError(
                f"{name} is undefined for list {int(undefined.argmax())} ({why}); "
                'pass empty= a number, nan or "skip"'
            )
    elif settings.empty != "skip":
        values[undefined] = settings.empty
    return undefined


def finish(values: Floats, settings: Settings, name: str, all_defined: Bools | None = None) -> Any:
    """Fill undefined values and round as the settings say; returns the mask of undefined values.

    all_defined: that mask, if it is known that no value is undefined.
    """
    undefined = fill_empty(values, settings, name) if all_defined is None else all_defined
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
        requested: Sequence[tuple[Family, Settings]],
        lists: Lists,
        *,
        prepared: Prepared | None = None,
        extremes: bool = False,
        more: int = 0,
    ) -> None:
        # extremes: not the expectation over tied documents, but their worst and best orders.
        self.requested, self.lists, self.extremes, self.more = requested, lists, extremes, more
        # The mask of undefined values, if it is known to be False everywhere.
        self.all_defined: Any = None
        # Lists of dense labels and one length have the same plans, if no measure looks at values.
        key: Any = None
        if prepared is not None and not isinstance(lists.labels, Sparse) and lists.runs is None:
            key = prepared, lists.longest
        cached = None if key is None else PLANS.get(key)
        if cached is not None:
            self.plans = [(plan, places, lists) for plan, places in cached]
            return
        self.plans = list(self._make_plans())
        if key is not None and all(is_steady(*one) for one in requested):
            sizes = [plan.nbytes for plan, _, _ in self.plans]
            PLANS.keep(key, [(plan, places) for plan, places, _ in self.plans], sum(sizes))

    def _make_plans(self) -> Iterator[tuple[Any, list[int], Lists]]:
        """Plans, the places of their columns, and the lists as they see them."""
        tables: dict[Any, Any] = {}
        views: dict[ListsView, tuple[Lists, Need]] = {}
        groups: dict[Any, list[tuple[int, _core.PlanRow, Settings]]] = {}
        for at, (family, settings) in enumerate(self.requested):
            if settings.view not in views:
                views[settings.view] = self._view_lists(settings.view)
            lists, need = views[settings.view]
            settings = self._refuse(family, settings, lists)
            try:
                row = core_row(family, settings, need, tables)
            except MissingGain as missing:
                raise ValueError(f"{missing} ({self._place(missing.label)})") from None
            if lists.padding and lists.runs is not None:
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
                same.append((at + len(self.requested), divisor, settings))
        for (view, ties, _, tie_gain), members in groups.items():
            lists, need = views[view]
            rows, same_settings = [m[1] for m in members], [m[2] for m in members]
            plan = make_plan(rows, same_settings, need, tie_gain, self.extremes)
            if plan.zero_is_hit and lists.sparse:
                raise ValueError(
                    "a sparse matrix does not store zeros, but here label 0 counts: take rel above "
                    "0 and a gain of 0 for label 0, or pass dense labels"
                )
            if ties == "id_descending" and lists.order is not None:
                lists = lists.having(order=lists.order.max(initial=0) - lists.order)
            yield plan, [m[0] for m in members], lists

    def _view_lists(self, view: ListsView) -> tuple[Lists, Need]:
        """The lists under a view, and what all their plans must cover."""
        lists = self.lists if view == UNCHANGED else apply_view(self.lists, view)
        judged = lists.runs is not None and (
            not lists.checked or (lists.counted and not lists.runs_from_labels)
        )
        longest = lists.longest + self.more
        reach = find_reach(self.requested, longest)
        return lists, Need(longest, partial(distinct_labels, lists), judged, reach)

    def _refuse(self, family: Family, settings: Settings, lists: Lists) -> Settings:
        """Refuse lists that the measure cannot take; the settings, if ties are settled."""
        row = family.row
        if lists.runs is not None or (settings.labels, settings.largest_label) != ("any", None):
            refuse_values(lists, settings, family.name)
        if row.judged:
            refuse_unknown(lists, family)
        if row.counts_relevant and settings.drop is not None:
            refuse_dropped(lists, settings)
        if isinstance(lists.labels, Sparse) and lists.counted:
            if "ties" not in family.params:  # no order of ties changes it
                settings = settings._replace(ties="average")
            refuse_counted(self.lists, settings, row.averages, family.name)
        if settings.ties in ("id", "id_descending") and lists.order is None:
            return _without_ids(lists, settings)
        if settings.ties == "average" and not (self.extremes or row.averages):
            return _without_ties(lists, settings, family)
        return settings

    def _place(self, label: float) -> str:
        labels = self.lists.with_excluded_as_zero().labels
        if not isinstance(labels, np.ndarray):
            return self.lists.called
        at = np.flatnonzero(labels.reshape(-1) == label)
        if at.size == 0:
            return "judged"
        row = int(np.searchsorted(self.lists.layout.starts, at[0], side="right")) - 1
        document = int(at[0] - self.lists.layout.starts[row])
        return f"{self.lists.called}: {self.lists.place(row)}, {self.lists.document(document)}"

    def values(self, threads: int) -> Any:
        """Compute an array with a row per list and a column per measure; set `divisors`.

        `divisors` holds what lists add to the divisors of micro means, by column.
        """
        parts = [run(plan, lists, threads) for plan, _, lists in self.plans]
        if not any(undefined for _, undefined in parts):
            self.all_defined = np.zeros(len(self.lists), bool)
        in_order = [places for _, places, _ in self.plans] == [list(range(len(self.requested)))]
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
            if holes is None:
                parts.append(np.split(run(plan, lists, threads)[0], 2, axis=1))
                continue
            if lists.runs is None:
                lists = lists.having(runs=runs_of_lists(lists))
            parts.append(run_bounds(plan, lists, threads, holes))
        result = []
        for row, ends in enumerate(zip(*parts, strict=True)):
            out, divisors = self._spread(list(ends))
            if row < 2:
                out = self._complete(out, divisors, threads)
            result.append((out, divisors))
        return result

    def _spread(self, parts: list[Any]) -> tuple[Any, dict[int, Any]]:
        """Order the columns of the plans by measure; separate the divisors of micro means."""
        divisors: dict[int, Any] = {}
        out = np.empty((len(self.lists), len(self.requested)), order="F")
        for (_, places, _), values in zip(self.plans, parts, strict=True):
            for column, place in enumerate(places):
                if place < len(self.requested):
                    out[:, place] = values[:, column]
                else:
                    # The core has no divisor for a list without documents.
                    divisors[place - len(self.requested)] = np.nan_to_num(values[:, column])
        return out, divisors

    def _complete(self, out: Floats, divisors: dict[int, Any], threads: int) -> Any:
        """Divide by micro totals, and by the ideals "ones" and "given"."""
        for at, (_, settings) in enumerate(self.requested):
            if settings.ideal in ("ones", "given") or settings.undefined == "zero_sum" or divisors:
                self.all_defined = None
            if settings.per == "item":
                without_divisor = np.where(np.isnan(out[:, at]), np.nan, 0.0)
                out[:, at] = _ratio(out[:, at], divisors[at], without_divisor)
            if settings.function in WITH_IDEAL and settings.ideal in ("ones", "given"):
                ideal = self._ideal(settings, threads)
                is_ideal = settings.function == "idcg"
                out[:, at] = ideal if is_ideal else _ratio(out[:, at], ideal, np.nan)
            if settings.undefined == "zero_sum":
                out[self._zero_sums, at] = np.nan
        return out

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

    def _ideal(self, settings: Settings, threads: int) -> Any:
        """The ideals "ones" (k labels of 1) and "given" (the judged labels in the order given)."""
        if settings.ideal == "ones":
            return np.full(len(self.lists), ideal_of_ones(settings))
        dcg = _DCG, settings._replace(function="dcg", ideal="list")
        return MeasureColumns([dcg], in_given_order(self.lists)).values(threads)[:, 0]


def _ratio(numerator: Floats, divisor: Floats, otherwise: float | Array) -> Any:
    """The ratio where the divisor is positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(divisor > 0, numerator / divisor, otherwise)


def _without_ids(lists: Lists, settings: Settings) -> Settings:
    """Settings without ties by id, for lists without ids; an error if there is a tie."""
    tie = first_tie(lists)
    if tie is not None:
        needs = f"needs {lists.ids_by}, or" if lists.ids_by else "needs ids, which there are not;"
        raise ValueError(
            f"y_score: list {tie[0]}, documents {tie[1]} and {tie[2]} have equal scores, and "
            f'ties="{settings.ties}" {needs} choose another ties=, such as "average"'
        )
    return settings._replace(ties="stable")


def _without_ties(lists: Lists, settings: Settings, family: Family) -> Settings:
    """Settings of a measure without a closed form for ties; an error if there is a tie."""
    tie = first_tie(lists)
    if tie is not None:
        raise ValueError(
            f"{family.name}: list {tie[0]}, documents {tie[1]} and {tie[2]} have equal scores, and "
            'there is no closed form of the average over their orders (ties="average"); choose '
            'another ties=, such as "stable", or "id_descending" where there are ids'
        )
    return settings._replace(ties="stable")
