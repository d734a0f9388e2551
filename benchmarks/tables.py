"""Rows and Markdown tables from what was measured."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from figures import PATHS
from goals import Goal, Unit
from measuring import Outcome

START, END = "<!-- benchmarks:start -->", "<!-- benchmarks:end -->"


@dataclass(frozen=True)
class Cell:
    """What was measured of a goal on one path, and how it stands."""

    measured: str
    verdict: str

    @property
    def lost(self) -> bool:
        return self.verdict in ("missed", "failed")


@dataclass(frozen=True)
class Row:
    """One goal of one workload, with a cell for each path."""

    workload: str
    against: str
    required: str
    stretch: str
    cells: Mapping[str, Cell]


def bound(unit: Unit, figure: float) -> str:
    return f"{'≥' if unit.more_is_better else '≤'} {unit.show(figure)}"


def subject(goal: Goal) -> str:
    others = " or ".join(goal.against) or "absolute"
    if goal.unit is Unit.OF_THE_GAIN:
        others = f"gain of {goal.against[0]}"
    elif goal.ours != ("rankgain",):
        others = f"{' or '.join(goal.ours)} / {others}"
    return f"{others}, or {subject(goal.or_else)}" if goal.or_else else others


def bounds(goal: Goal, which: str) -> str:
    shown = bound(goal.unit, getattr(goal, which))
    if goal.path:
        shown = f"{shown} ({PATHS[goal.path]})"
    return f"{shown}, or {bounds(goal.or_else, which)}" if goal.or_else else shown


def row(title: str, goal: Goal, outcomes: Mapping[str, Outcome], lists: int) -> Row:
    cells = {path: cell(goal, path, outcome, lists) for path, outcome in outcomes.items()}
    return Row(title, subject(goal), bounds(goal, "required"), bounds(goal, "stretch"), cells)


def cell(goal: Goal, path: str, outcome: Outcome, lists: int) -> Cell:
    figure = goal.measured(outcome.seconds, lists)
    if figure is None:
        failed = any(side in outcome.missing for side in goal.ours)
        this = Cell(*["failed" if failed else "not measured"] * 2)
    else:
        this = Cell(goal.unit.show(figure), verdict(goal, path, figure))
    return either(this, cell(goal.or_else, path, outcome, lists)) if goal.or_else else this


def verdict(goal: Goal, path: str, figure: float) -> str:
    if goal.path not in ("", path):
        return "not asked"
    if not goal.met_by(figure):
        return "missed"
    return "stretch" if goal.stretched_by(figure) else "met"


def either(first: Cell, second: Cell) -> Cell:
    """A goal that may be met in one of two ways."""
    order = ("stretch", "met", "missed", "not asked", "not measured", "failed")
    best = min(first.verdict, second.verdict, key=order.index)
    return Cell(f"{first.measured}, {second.measured}", best)


def worst(title: str, goals: Sequence[Goal], outcomes: Mapping[str, Outcome], lists: int) -> Row:
    """One row for many cases that share one bound: on each path the case that comes out worst."""
    cells = {}
    for path, outcome in outcomes.items():
        known = [(goal.measured(outcome.seconds, lists), goal) for goal in goals]
        figures = [(figure, goal) for figure, goal in known if figure is not None]
        goal = max(figures, key=lambda one: one[0], default=(0.0, goals[0]))[1]
        shown = cell(goal, path, outcome, lists)
        named = f"{shown.measured} ({goal.ours[0]})" if figures else shown.measured
        failed = any(side in outcome.missing for one in goals for side in one.ours)
        cells[path] = Cell(named, "failed" if failed else shown.verdict)
    required, stretch = bounds(goals[0], "required"), bounds(goals[0], "stretch")
    return Row(title, f"random, worst of {len(goals)}", required, stretch, cells)


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    out = [f"| {' | '.join(header)} |", f"| {' | '.join('---' for _ in header)} |"]
    out.extend(f"| {' | '.join(line)} |" for line in lines)
    return "\n".join(out)


def goals_table(rows: Sequence[Row]) -> str:
    paths = rows[0].cells if rows else {}
    shown = (
        (
            *(row.workload, row.against, row.required, row.stretch),
            *(c.measured + " **(missed)**" * (c.verdict == "missed") for c in row.cells.values()),
        )
        for row in rows
    )
    head = ("workload", "against", "required", "stretch", *(PATHS[path] for path in paths))
    return table(head, shown)


def losses(rows: Sequence[Row]) -> str:
    lost = [(row, path, c) for row in rows for path, c in row.cells.items() if c.lost]
    if not lost:
        return "No row misses its required figure."
    lines = [
        f"- {PATHS[path]}: {row.workload}, against {row.against}: {c.measured}, "
        f"required {row.required}"
        for row, path, c in lost
    ]
    count = sum(
        c.verdict not in ("not asked", "not measured") for row in rows for c in row.cells.values()
    )
    return "\n".join([f"Figures that miss what is required ({len(lost)} of {count}):", "", *lines])


def seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def times_table(title: str, outcomes: Mapping[str, Outcome], lists: int) -> str:
    """Each side's time for a call and for a list, on each path."""
    sides = dict.fromkeys(
        side for outcome in outcomes.values() for side in (*outcome.seconds, *outcome.missing)
    )
    lines = [
        (side, *(entry for outcome in outcomes.values() for entry in times(side, outcome, lists)))
        for side in sides
    ]
    heads = (f"{PATHS[path]}: per {what}" for path in outcomes for what in ("call", "list"))
    return f"**{title}**\n\n" + table(("side", *heads), lines)


def times(side: str, outcome: Outcome, lists: int) -> tuple[str, str]:
    if side in outcome.seconds:
        return seconds(outcome.seconds[side]), seconds(outcome.seconds[side] / lists)
    return outcome.missing.get(side, "not measured"), ""


def growth_table(title: str, points: Mapping[int, Mapping[str, float]]) -> str:
    sides = list(dict.fromkeys(side for times in points.values() for side in times))
    lines = [
        (f"{point:,}", *(seconds(times[side]) if side in times else "" for side in sides))
        for point, times in points.items()
    ]
    return f"**Time per list by {title}**\n\n" + table(("", *sides), lines)


def put_between_markers(file: Path, text: str) -> None:
    old = file.read_text(encoding="utf-8") if file.exists() else ""
    if START not in old or END not in old:
        old = f"{old.rstrip()}\n\n{START}\n{END}\n".lstrip()
    before, _, rest = old.partition(START)
    after = rest.partition(END)[2]
    file.write_text(f"{before}{START}\n{text.strip()}\n{END}{after}", encoding="utf-8")


def write_sides(page: str, lead: str, times: Mapping[str, float]) -> None:
    """What each side took, in a page of docs/, beside the first of them."""
    first = next(iter(times.values()))
    lines = [(name, seconds(time), f"{time / first:.2f}") for name, time in times.items()]
    text = table(("side", "time", "beside the first"), lines)
    put_between_markers(Path(__file__).parents[1] / "docs" / page, f"{lead}\n\n{text}")
