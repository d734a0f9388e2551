"""The values of all measures of a call: sorted into plans that share a ranking, and computed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..inputs.chunks import first_tie
from ..inputs.faults import raise_fault
from ..inputs.judged import distinct_labels, runs_of_lists
from ..inputs.lists import Lists
from ..inputs.sparse import Sparse
from .family import Computation, Family
from .plan import (
    COUNT_JUDGED,
    MissingGain,
    Need,
    core_row,
    deepest_cutoff,
    divisor_row,
    ideal_of_ones,
    judged_gain,
    make_plan,
    row_of,
)
from .prepared import PLANS, Prepared, keep_plans
from .settings import Settings
from .threads import run, run_bounds
from .views import (
    WITH_IDEAL,
    ListsView,
    apply_view,
    in_given_order,
    refuse_counted,
    refuse_dropped,
    refuse_labels,
    view_of,
)

if TYPE_CHECKING:
    from .. import _core
    from ..inputs.types import Array, Bools, Floats


_DCG = Family("DCG", "dcg", (), row=Computation("dot", "value", "requested", "discount"))


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


def need_of(lists: Lists, deepest: float, more: int = 0) -> Need:
    """What all plans of the lists must cover.

    more: how many unjudged documents of a list may become judged, for bounds.
    """
    is_checked = lists.checked and not (lists.counted and not lists.runs_from_labels)
    judged = lists.runs is not None and not is_checked
    return Need(lists.longest + more, partial(distinct_labels, lists), judged, deepest)


class MeasureColumns:
    """All measures of a call, sorted into plans, and their values."""

    def __init__(
        self,
        requested: Sequence[tuple[Family, Settings]],
        lists: Lists,
        *,
        prepared: Prepared | None = None,
        bounding: bool = False,
        more: int = 0,
    ) -> None:
        self.requested, self.lists, self.bounding, self.more = requested, lists, bounding, more
        # The mask of undefined values, if it is known to be False everywhere.
        self.all_defined: Any = None
        self.plans = self._find_plans(prepared)

    def _find_plans(self, prepared: Prepared | None) -> list[tuple[Any, list[int], Lists]]:
        lists = self.lists
        if prepared is None or lists.sparse or lists.runs is not None:
            return list(self._make_plans())
        cached = PLANS.get((prepared, lists.longest))
        if cached is not None:
            return [(plan, places, lists) for plan, places in cached]
        plans = list(self._make_plans())
        keep_plans(prepared, lists.longest, [(plan, places) for plan, places, _ in plans])
        return plans

    def _make_plans(self) -> Any:
        tables: dict[Any, Any] = {}
        views: dict[ListsView, Lists] = {}
        needs: dict[ListsView, Need] = {}
        groups: dict[Any, list[tuple[int, Any, Settings]]] = {}
        deepest = deepest_cutoff(self.requested)
        for at, (family, settings) in enumerate(self.requested):
            view = view_of(settings)
            if view not in views:
                views[view] = apply_view(self.lists, view)
                needs[view] = need_of(views[view], deepest, self.more)
            lists = views[view]
            refuse(lists, settings, family.name)
            refuse_unknown(lists, family)
            kind = row_of(family)
            if kind.counts_relevant:
                refuse_dropped(lists, settings)
            if lists.counted:
                refuse_counted(self.lists, settings, kind.averages, family.name)
            settings = _without_ids(lists, settings)
            if settings.ties == "average" and not (self.bounding or kind.averages):
                settings = _without_ties(lists, settings, family)
            try:
                row = core_row(family, settings, needs[view], tables)
            except MissingGain as missing:
                raise ValueError(f"{missing} ({self._place(missing.label)})") from None
            tie_gain = self._tie_gain(row, settings, needs[view], tables)
            same = groups.setdefault((view, settings.ties, settings.seed, tie_gain), [])
            same.append((at, row, settings))
            divisor = divisor_row(row, settings)
            if divisor is not None:
                same.append((at + len(self.requested), divisor, settings))
        for (view, _, _, tie_gain), members in groups.items():
            yield self._plan(views[view], needs[view], members, tie_gain)

    def _plan(
        self,
        lists: Lists,
        need: Need,
        members: list[tuple[int, _core.PlanRow, Settings]],
        tie_gain: _core.Gain | None,
    ) -> Any:
        rows, settings_of = [m[1] for m in members], [m[2] for m in members]
        plan = make_plan(rows, settings_of, need, tie_gain)
        if plan.zero_is_hit and lists.sparse:
            raise ValueError(
                "a sparse matrix does not store zeros, but here label 0 counts: take rel above 0 "
                "and a gain of 0 for label 0, or pass dense labels"
            )
        if settings_of[0].ties == "id_descending":
            lists = lists.having(order=lists.order.max(initial=0) - lists.order)
        return plan, [m[0] for m in members], lists

    def _tie_gain(
        self, row: _core.PlanRow, settings: Settings, need: Need, tables: dict[Any, Any]
    ) -> Any:
        """The gain that orders tied documents for "best" and "worst"; None: their labels do."""
        if not self.bounding and settings.ties not in ("best", "worst"):
            return None
        if row.shape in COUNT_JUDGED:
            return judged_gain(row, settings, need, tables)
        return None if row.gain is None or row.gain.monotone else row.gain

    def _place(self, label: float) -> str:
        labels = self.lists.labels
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
        out, self.divisors = self._spread([values for values, _ in parts])
        return self._completed(out, self.divisors, threads)

    def bounds(
        self, threads: int, holes: _core.Holes | None = None
    ) -> list[tuple[Any, dict[int, Any]]]:
        """Values and divisors, as in `values`, three times.

        Over orders of ties: the expectation, the worst and the best. Over labels of unjudged
        documents (with `holes`): the lowest, the highest, and which values are undefined.
        """
        parts = []
        for plan, _, lists in self.plans:
            if holes is not None and lists.runs is None:
                lists = lists.having(runs=runs_of_lists(lists))
            parts.append(run_bounds(plan, lists, threads, holes))
        result = []
        for row in range(3):
            out, divisors = self._spread([np.ascontiguousarray(part[:, row]) for part in parts])
            if holes is None or row < 2:
                out = self._completed(out, divisors, threads)
            result.append((out, divisors))
        return result

    def _spread(self, parts: list[Any]) -> tuple[Any, dict[int, Any]]:
        """Order the columns of the plans by measure; separate the divisors of micro means."""
        divisors: dict[int, Any] = {}
        if [places for _, places, _ in self.plans] == [list(range(len(self.requested)))]:
            return parts[0], divisors
        out = np.empty((len(self.lists), len(self.requested)), order="F")
        for (_, places, _), values in zip(self.plans, parts, strict=True):
            for column, place in enumerate(places):
                if place < len(self.requested):
                    out[:, place] = values[:, column]
                else:
                    # The core has no divisor for a list without documents.
                    divisors[place - len(self.requested)] = np.nan_to_num(values[:, column])
        return out, divisors

    def _completed(self, out: Floats, divisors: dict[int, Any], threads: int) -> Any:
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
        labels = self.lists.labels
        values = labels.data if isinstance(labels, Sparse) else labels
        if values.dtype.kind in "bu" or not (values < 0).any():
            return []
        sums = (self.lists.row(i)[0].astype(np.float32).sum() for i in range(len(self.lists)))
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
    if settings.ties not in ("id", "id_descending") or lists.order is not None:
        return settings
    tie = None if lists.scores is None else first_tie(lists)
    if tie is not None:
        needs = f"needs {lists.ids_by}, or" if lists.ids_by else "needs ids, which there are not;"
        raise ValueError(
            f"y_score: list {tie[0]}, documents {tie[1]} and {tie[2]} have equal scores, and "
            f'ties="{settings.ties}" {needs} choose another ties=, such as "average"'
        )
    return settings._replace(ties="stable")


def _without_ties(lists: Lists, settings: Settings, family: Family) -> Settings:
    """Settings of a measure without a closed form for ties; an error if there is a tie."""
    tie = None if lists.scores is None else first_tie(lists)
    if tie is not None:
        raise ValueError(
            f"{family.name}: list {tie[0]}, documents {tie[1]} and {tie[2]} have equal scores, and "
            'there is no closed form of the average over their orders (ties="average"); choose '
            'another ties=, such as "stable", or "id_descending" where there are ids'
        )
    return settings._replace(ties="stable")


def refuse_unknown(lists: Lists, family: Family) -> None:
    """Refuse a measure that needs judged nonrelevant documents, if the lists do not have them."""
    row = row_of(family)
    if row.judged and lists.sparse and not lists.pool:
        raise ValueError(
            f"{family.name} asks which documents were judged and found not relevant, which sparse "
            "labels and ids of relevant items do not say; give dense labels, or evaluate qrels and "
            "a run"
        )
    if row.shape == "bpref" and lists.sparse and lists.runs is None:
        raise ValueError(
            f"{family.name} counts all that was judged, but the convention's lists know nothing "
            "beyond their own documents; choose a convention whose ideal is not the list's"
        )
    if row.shape == "bpref" and not lists.pool:
        raise ValueError(
            f"judged: {family.name} counts the judged documents that are not relevant, and zeros "
            "that fill up rows cannot be told from them; give a sequence of 1-D arrays"
        )


def refuse(lists: Lists, settings: Settings, name: str) -> None:
    """Refuse labels that the convention or the measure does not accept; the core checks neither.

    name: of the measure, for errors.
    """
    if settings.labels != "any" or settings.largest_label is not None:
        refuse_labels(lists, settings, name)
    if lists.runs is None:
        return
    level = lists.runs.level
    if settings.negative == "raise" and (level < 0).any():
        raise_fault(_fault_of("negative", lists, level < 0), lists=lists)
    if settings.function in ("err", "pfound") and (level > settings.max_label).any():
        raise_fault(_fault_of("above_max", lists, level > settings.max_label), lists=lists)


def _fault_of(kind: str, lists: Lists, bad: Bools) -> tuple[str, int, int, float]:
    """The fault of the first flagged label run: at a document of its list, or at a judged label."""
    at = int(np.flatnonzero(bad)[0])
    row = int(np.searchsorted(lists.runs.first, at, side="right")) - 1
    runs = slice(int(lists.runs.first[row]), int(lists.runs.first[row + 1]))
    values, places = lists.row(row)
    result = np.flatnonzero(np.isin(values, lists.runs.level[runs][bad[runs]]))
    if result.size == 0:
        return f"judged_{kind}", row, 0, float(lists.runs.level[at])
    return f"label_{kind}", row, int(places[result[0]]), float(values[result[0]])
