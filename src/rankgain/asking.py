"""A measure function's call from its arguments to its result."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _core
from .batches import run
from .conventions import UNSET, Convention, get_convention
from .inputs import Lists, first_tie, raise_fault, read_lists
from .measures import Family
from .plans import MissingGain, Need, core_row, ideal_of_ones, items_row, make_plan
from .settings import Settings, cutoffs, resolve
from .views import View, refuse_labels, seen, view_of

Result: TypeAlias = float | NDArray[np.float64]

# Plans of calls that were made before: one list of plain arrays then goes straight to the core.
_seen: dict[Any, Any] = {}
_ARGUMENTS: dict[str, tuple[str, ...]] = {}


def arguments(family: Family) -> tuple[str, ...]:
    """Names of a family's arguments that are neither k, arrays, convention nor threads."""
    from . import metrics

    known = _ARGUMENTS.get(family.function)
    if known is None:
        names = getattr(metrics, family.function).__kwdefaults__
        other = (
            "k",
            "ids",
            "judged",
            "group",
            "qid",
            "lengths",
            "exclude",
            "convention",
            "threads",
        )
        known = tuple(name for name in names if name not in other)
        _ARGUMENTS[family.function] = known
    return known


def measure_arrays(
    family: Family,
    y_true: Any,
    y_score: Any,
    k: Any,
    values: tuple[Any, ...],
    arrays: tuple[Any, ...],
    convention: Any,
    threads: int | None,
) -> Result:
    """Evaluate one measure; `values` and `arrays` in the order of the function that asks."""
    key = (family.function, k, k.__class__, values, convention, threads)
    a, b, c, d, e, f = arrays  # compared one by one: == of an array is an array
    alone = a is b is c is d is e is f is None
    if alone and type(y_score) is np.ndarray and type(y_true) is np.ndarray:
        try:
            plan, empty = _seen[key]
        except (KeyError, TypeError, ValueError):
            pass
        else:
            value = _core.evaluate_one(plan, y_true, y_score, empty)
            if value is not None:
                return value
    return _measure(family, y_true, y_score, k, values, arrays, convention, threads, key)


def usable_threads(threads: Any) -> int:
    """Check `threads`; None is all usable cores."""
    if threads is None:
        import os

        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)):
        raise TypeError(f"threads must be an int of at least 1 or None, not {threads!r}")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return int(threads)


def _measure(
    family: Family,
    y_true: Any,
    y_score: Any,
    k: Any,
    values: tuple[Any, ...],
    arrays: tuple[Any, ...],
    convention: Any,
    threads: int | None,
    key: Any,
) -> Result:
    workers = usable_threads(threads)
    rules = get_convention("rankgain" if convention is UNSET else convention)
    given = dict(zip(arguments(family), values, strict=True))
    several = k is not UNSET and k is not None and np.ndim(k) > 0
    asked = cutoffs(k) if several else [k]
    settings = list(_resolved(family.function, asked, given, rules))
    group, qid, lengths, judged, exclude, ids = arrays
    lists = read_lists(
        y_true,
        y_score,
        group=group,
        qid=qid,
        lengths=lengths,
        judged=judged,
        exclude=exclude,
        ids=ids,
    )
    table = Columns([(family, one) for one in settings], lists)
    out: NDArray[np.float64] = table.values(workers)
    for column, one in enumerate(settings):
        finish(out[:, column], one, str(family.name))
    if lists.layout.single:
        if not several:
            _remember(key, table, settings[0])
            return float(out[0, 0])
        return out.reshape(-1)
    return out if several else out[:, 0]


def _resolved(
    function: str, asked: list[Any], given: dict[str, Any], rules: Convention
) -> Iterator[Settings]:
    """The settings of each cutoff; only whether there is one matters to the others."""
    known: dict[bool, Settings] = {}
    for k in asked:
        if (k is None) not in known:
            known[k is None] = resolve(function, {**given, "k": k}, rules)
            yield known[k is None]
        else:
            yield known[k is None]._replace(k=k)


def _remember(key: Any, table: "Columns", settings: Settings) -> None:
    """Keep the plan of a call whose arguments are plain values."""
    plain = all(v is UNSET or isinstance(v, (str, int, float)) for v in (*key[3], key[4]))
    if not plain or isinstance(settings.empty, str) or table.lists.runs is not None:
        return
    if len(table.plans) != 1 or settings.ties in ("id", "id_descending"):
        return
    if not view_of(settings).plain or settings.ideal == "ones" or _rounds(settings):
        return
    if settings.labels != "any" or settings.largest_label is not None:
        return
    if any(isinstance(v, bool) for v in key[3]):
        return
    if len(_seen) >= 256:
        _seen.clear()
    _seen[key] = table.plans[0][0], float(settings.empty)


def fill_empty(values: Any, settings: Settings, name: str) -> Any:
    """Apply `empty` to one measure's values in place; returns which lists are undefined."""
    undefined = np.isnan(values)
    if settings.empty == "raise":
        if undefined.any():
            raise ValueError(
                f"{name} is undefined for list {int(undefined.argmax())} ({_why(settings)}); "
                'pass empty= a number, nan or "skip"'
            )
    elif settings.empty != "skip":
        values[undefined] = settings.empty
    return undefined


def _why(settings: Settings) -> str:
    if settings.function == "auc":
        return "relevant or non-relevant documents are absent"
    return "nothing relevant is judged there"


def _rounds(settings: Settings) -> bool:
    return settings.round is not None or settings.result_dtype != "float64"


def finish(values: Any, settings: Settings, name: str) -> Any:
    """Fill undefined values and bring all to the precision asked; returns which are undefined."""
    undefined = fill_empty(values, settings, name)
    if settings.result_dtype == "float32":
        values[:] = values.astype(np.float32)
    if settings.round is not None:
        # as printed: numpy's round multiplies first, which moves a last decimal now and then
        values[:] = [round(value, settings.round) for value in values.tolist()]
    return undefined


class Columns:
    """The rows of all measures asked, sorted into plans, and their values."""

    def __init__(self, asked: list[tuple[Family, Settings]], lists: Lists) -> None:
        self.asked, self.lists = asked, lists
        self.plans = list(self._make_plans())

    def _make_plans(self) -> Any:
        kept: dict[Any, Any] = {}
        views: dict[View, Lists] = {}
        groups: dict[Any, list[tuple[int, Any, Settings]]] = {}
        for at, (family, settings) in enumerate(self.asked):
            view = view_of(settings)
            if view not in views:
                views[view] = seen(self.lists, view)
            lists = views[view]
            refuse(lists, settings)
            settings = _without_ids(lists, settings)
            need = Need(
                lists.longest, lists.distinct_labels, lists.runs is not None and not lists.checked
            )
            try:
                row = core_row(family, settings, need, kept)
            except MissingGain as missing:
                raise ValueError(f"{missing} ({self._place(missing.label)})") from None
            tie_gain = self._tie_gain(row, settings)
            same = groups.setdefault((view, settings.ties, settings.seed, tie_gain), [])
            same.append((at, row, settings))
            if settings.per == "item" or (settings.micro and settings.divisor != "k"):
                same.append((at + len(self.asked), items_row(settings), settings))
        for (view, _, _, tie_gain), members in groups.items():
            yield self._plan(views[view], members, tie_gain)

    def _plan(self, lists: Lists, members: Any, tie_gain: Any) -> Any:
        rows, settings_of = [m[1] for m in members], [m[2] for m in members]
        need = Need(lists.longest, None, lists.runs is not None and not lists.checked)
        plan = make_plan(rows, settings_of, need, tie_gain)
        if plan.zero_is_hit and lists.sparse:
            raise ValueError(
                "sparse labels cannot say that label 0 counts: rel must be above 0, and the "
                "gain of label 0 must be 0 (or give dense labels)"
            )
        if settings_of[0].ties == "id_descending":
            lists = lists.having(order=lists.order.max(initial=0) - lists.order)
        return plan, [m[0] for m in members], lists

    @staticmethod
    def _tie_gain(row: Any, settings: Settings) -> Any:
        """The gain that orders best and worst ties, where the label does not."""
        if settings.ties not in ("best", "worst") or row[2] is None or row[2].monotone:
            return None
        return row[2]

    def _place(self, label: float) -> str:
        labels = self.lists.labels
        if not isinstance(labels, np.ndarray):
            return "y_true"
        at = np.flatnonzero(labels.reshape(-1) == label)
        if at.size == 0:
            return "judged"
        row = int(np.searchsorted(self.lists.layout.starts, at[0], side="right")) - 1
        return f"y_true: list {row}, document {int(at[0] - self.lists.layout.starts[row])}"

    def values(self, threads: int) -> Any:
        """One row per list, one column per measure; divisors of micro means are in `items`."""
        self.items: dict[int, Any] = {}
        out = np.empty((len(self.lists), len(self.asked)))
        for plan, places, lists in self.plans:
            values = run(plan, lists, threads)
            if places == list(range(len(self.asked))):
                out = values
                continue
            for column, place in enumerate(places):
                if place < len(self.asked):
                    out[:, place] = values[:, column]
                else:
                    self.items[place - len(self.asked)] = values[:, column]
        for at, (_, settings) in enumerate(self.asked):
            if settings.per == "item":
                with np.errstate(divide="ignore", invalid="ignore"):
                    items = self.items[at]
                    out[:, at] = np.where(items > 0, out[:, at] / items, out[:, at] * 0.0)
            if settings.ideal == "ones" and settings.function in ("ndcg", "idcg"):
                ideal = ideal_of_ones(settings)
                out[:, at] = out[:, at] / ideal if settings.function == "ndcg" else ideal
        return out


def _without_ids(lists: Lists, settings: Settings) -> Settings:
    """Ties by id where no ids were given: nothing to decide, or an error."""
    if settings.ties not in ("id", "id_descending") or lists.order is not None:
        return settings
    tie = None if lists.scores is None else first_tie(lists)
    if tie is not None:
        raise ValueError(
            f"y_score: list {tie[0]}, documents {tie[1]} and {tie[2]} have equal scores, and "
            f'ties="{settings.ties}" needs ids=, the id of each document; or choose other ties='
        )
    return settings._replace(ties="stable")


def refuse(lists: Lists, settings: Settings) -> None:
    """What the core cannot see: faults of judged labels, and labels that a tool does not take."""
    if settings.labels != "any" or settings.largest_label is not None:
        refuse_labels(lists, settings)
    if lists.runs is None:
        return
    level = lists.runs.level
    if settings.negative == "raise" and (level < 0).any():
        raise_fault(_fault_of("negative", lists, level < 0))
    if settings.function == "err" and (level > settings.max_label).any():
        raise_fault(_fault_of("above_max", lists, level > settings.max_label))


def _fault_of(kind: str, lists: Lists, bad: Any) -> tuple[str, int, int, float]:
    """The fault of the first list with a flagged run: of one of its documents, or of judged."""
    at = int(np.flatnonzero(bad)[0])
    row = int(np.searchsorted(lists.runs.first, at, side="right")) - 1
    runs = slice(int(lists.runs.first[row]), int(lists.runs.first[row + 1]))
    values, places = lists.row(row)
    found = np.flatnonzero(np.isin(values, lists.runs.level[runs][bad[runs]]))
    if found.size == 0:
        return f"judged_{kind}", row, 0, float(lists.runs.level[at])
    return f"label_{kind}", row, int(places[found[0]]), float(values[found[0]])
