"""Rows and Markdown tables from what was measured."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from goals import Goal, Unit
from measuring import Outcome

START, END = "<!-- benchmarks:start -->", "<!-- benchmarks:end -->"


@dataclass(frozen=True)
class Row:
    """One goal of one workload, with what was measured."""

    name: str
    workload: str
    against: str
    required: str
    stretch: str
    measured: str
    verdict: str

    @property
    def lost(self) -> bool:
        return self.verdict not in ("met", "stretch", "not measured")


def bound(unit: Unit, figure: float) -> str:
    return f"{'≥' if unit.more_is_better else '≤'} {unit.show(figure)}"


def subject(goal: Goal) -> str:
    others = " or ".join(goal.against) or "absolute"
    return others if goal.ours == ("rankgain",) else f"{' or '.join(goal.ours)} / {others}"


def row(name: str, title: str, goal: Goal, outcome: Outcome, lists: int) -> Row:
    figure = goal.measured(outcome.seconds, lists)
    if figure is None:
        verdict = "failed" if any(side in outcome.missing for side in goal.ours) else "not measured"
        measured = verdict
    else:
        measured = goal.unit.show(figure)
        verdict = "missed"
        if goal.met_by(figure):
            verdict = "stretch" if goal.stretched_by(figure) else "met"
    this = Row(
        name,
        title,
        subject(goal),
        bound(goal.unit, goal.required),
        bound(goal.unit, goal.stretch),
        measured,
        verdict,
    )
    return (
        this
        if goal.or_else is None
        else either(this, row(name, title, goal.or_else, outcome, lists))
    )


def either(first: Row, second: Row) -> Row:
    """A goal that may be met in one of two ways."""
    order = ("stretch", "met", "missed", "not measured", "failed")
    return Row(
        first.name,
        first.workload,
        f"{first.against}, or {second.against}",
        f"{first.required}, or {second.required}",
        f"{first.stretch}, or {second.stretch}",
        f"{first.measured}, {second.measured}",
        min(first.verdict, second.verdict, key=order.index),
    )


def worst(rows: Sequence[Row], name: str, measured: Sequence[float]) -> Row:
    """One row for many cases that share one bound: the case that comes out worst."""
    at = max(range(len(rows)), key=measured.__getitem__)
    case = rows[at]
    return Row(name, case.workload, f"worst of {len(rows)}: {case.against}", *_figures(case))


def _figures(of: Row) -> tuple[str, str, str, str]:
    return of.required, of.stretch, of.measured, of.verdict


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    out = [f"| {' | '.join(header)} |", f"| {' | '.join('---' for _ in header)} |"]
    out.extend(f"| {' | '.join(line)} |" for line in lines)
    return "\n".join(out)


def goals_table(rows: Sequence[Row]) -> str:
    mark = {"missed": " **(missed)**"}
    return table(
        ("workload", "against", "required", "stretch", "measured"),
        (
            (r.workload, r.against, r.required, r.stretch, r.measured + mark.get(r.verdict, ""))
            for r in rows
        ),
    )


def losses(rows: Sequence[Row]) -> str:
    lost = [r for r in rows if r.lost]
    if not lost:
        return "No row misses its required figure."
    lines = [
        f"- {r.workload}, against {r.against}: {r.measured}, required {r.required}" for r in lost
    ]
    return "\n".join(
        [f"Rows that miss their required figure ({len(lost)} of {len(rows)}):", "", *lines]
    )


def seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def times_table(title: str, outcome: Outcome, lists: int) -> str:
    lines = [
        (name, seconds(value), seconds(value / lists)) for name, value in outcome.seconds.items()
    ]
    lines += [(name, reason, "") for name, reason in outcome.missing.items()]
    return f"**{title}**\n\n" + table(("side", "per call", "per list"), lines)


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
