"""The pages that are written from the stored figures alone.

These are the README's table, docs/reference/benchmarks.md with its pictures, and
results.md, which has every figure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import chart
from figures import PATHS, Figures, growth_of, most, outcomes_of
from markers import put_between_markers
from measuring import HERE, Goal, Outcome, Times, Unit, faster
from workloads import (
    ALL,
    ARRAYS,
    CLIFFS,
    COMPARISONS,
    CONVENTIONS,
    NUMPY,
    PROCESSES,
    SERIES,
    TREC,
    ProcessWorkload,
    Workload,
)

ROOT = HERE.parent
# What is required, beside what was measured


@dataclass(frozen=True)
class Cell:
    """What was measured for a goal on one path, and whether it is met."""

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


def rows(known: Figures, measured_only: bool = False) -> list[Row]:
    """All goals; or those of the workloads of which anything is known."""
    outcomes = ((workload, outcomes_of(known, workload.name)) for workload in ALL)
    return [
        row
        for workload, by_path in outcomes
        if not measured_only or any_known(by_path)
        for row in rows_of(workload, by_path)
    ]


def any_known(outcomes: Mapping[str, Outcome]) -> bool:
    return any(outcome.seconds or outcome.missing for outcome in outcomes.values())


def rows_of(workload: Workload | ProcessWorkload, outcomes: Mapping[str, Outcome]) -> list[Row]:
    if workload in CLIFFS:
        return [worst(workload.title, workload.goals, outcomes, workload.lists)]
    return [row(workload.title, goal, outcomes, workload.lists) for goal in workload.goals]


def row(title: str, goal: Goal, outcomes: Mapping[str, Outcome], lists: int) -> Row:
    cells = {path: cell(goal, path, outcome, lists) for path, outcome in outcomes.items()}
    return Row(title, subject(goal), bounds(goal, "required"), bounds(goal, "stretch"), cells)


def worst(title: str, goals: Sequence[Goal], outcomes: Mapping[str, Outcome], lists: int) -> Row:
    """One row for many cases with the same bound: on each path the case with the worst figure."""
    cells = {}
    for path, outcome in outcomes.items():
        figures = [
            (figure, goal)
            for goal in goals
            if (figure := goal.measured(outcome.seconds, lists)) is not None
        ]
        goal = max(figures, key=lambda one: one[0], default=(0.0, goals[0]))[1]
        this = cell(goal, path, outcome, lists)
        text = f"{this.measured} ({goal.ours[0]})" if figures else this.measured
        failed = any(side in outcome.missing for one in goals for side in one.ours)
        cells[path] = Cell(text, "failed" if failed else this.verdict)
    required, stretch = bounds(goals[0], "required"), bounds(goals[0], "stretch")
    return Row(title, f"random, worst of {len(goals)}", required, stretch, cells)


def cell(goal: Goal, path: str, outcome: Outcome, lists: int) -> Cell:
    figure = goal.measured(outcome.seconds, lists)
    if figure is None:
        failed = any(side in outcome.missing for side in goal.ours)
        this = Cell(*["failed" if failed else "not measured"] * 2)
    else:
        this = Cell(goal.unit.show(figure), verdict(goal, path, figure))
    if goal.or_else is None:
        return this
    other = cell(goal.or_else, path, outcome, lists)
    order = ("stretch", "met", "missed", "not required", "not measured", "failed")
    better = min(this.verdict, other.verdict, key=order.index)
    return Cell(f"{this.measured}, {other.measured}", better)


def verdict(goal: Goal, path: str, figure: float) -> str:
    if goal.path not in ("", path):
        return "not required"
    if not goal.met_by(figure):
        return "missed"
    return "stretch" if goal.stretched_by(figure) else "met"


def subject(goal: Goal) -> str:
    others = " or ".join(goal.against) or "absolute"
    if goal.unit is Unit.OF_THE_GAIN:
        others = f"gain of {goal.against[0]}"
    elif goal.ours != ("rankgain",):
        others = f"{' or '.join(goal.ours)} / {others}"
    return f"{others}, or {subject(goal.or_else)}" if goal.or_else else others


def bounds(goal: Goal, which: str) -> str:
    sign = "≥" if goal.unit.more_is_better else "≤"
    text = f"{sign} {goal.unit.show(getattr(goal, which))}"
    if goal.path:
        text = f"{text} ({PATHS[goal.path]})"
    return f"{text}, or {bounds(goal.or_else, which)}" if goal.or_else else text


# Text


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    out = [f"| {' | '.join(header)} |", f"| {' | '.join('---' for _ in header)} |"]
    out.extend(f"| {' | '.join(line)} |" for line in lines)
    return "\n".join(out)


def seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def goals_table(rows: Sequence[Row]) -> str:
    paths = rows[0].cells if rows else {}
    lines = (
        (
            *(row.workload, row.against, row.required, row.stretch),
            *(c.measured + " **(missed)**" * (c.verdict == "missed") for c in row.cells.values()),
        )
        for row in rows
    )
    head = ("workload", "against", "required", "stretch", *(PATHS[path] for path in paths))
    return table(head, lines)


def losses(rows: Sequence[Row]) -> str:
    lost = [(row, path, c) for row in rows for path, c in row.cells.items() if c.lost]
    if not lost:
        return "No benchmark is below target."
    lines = [
        f"- {PATHS[path]}: {row.workload}, against {row.against}: {c.measured}, "
        f"required {row.required}"
        for row, path, c in lost
    ]
    count = sum(
        c.verdict not in ("not required", "not measured")
        for row in rows
        for c in row.cells.values()
    )
    return "\n".join([f"Benchmarks below target ({len(lost)} of {count}):", "", *lines])


def times_table(title: str, outcomes: Mapping[str, Outcome], lists: int) -> str:
    """Each side's time for a call and for a list, on each path."""

    def entries(side: str, outcome: Outcome) -> tuple[str, str]:
        if side in outcome.seconds:
            return seconds(outcome.seconds[side]), seconds(outcome.seconds[side] / lists)
        return outcome.missing.get(side, "not measured"), ""

    sides = dict.fromkeys(
        side for outcome in outcomes.values() for side in (*outcome.seconds, *outcome.missing)
    )
    lines = [
        (side, *(text for outcome in outcomes.values() for text in entries(side, outcome)))
        for side in sides
    ]
    heads = (f"{PATHS[path]}: per {what}" for path in outcomes for what in ("call", "list"))
    return f"**{title}**\n\n" + table(("side", *heads), lines)


def growth_table(title: str, points: Mapping[int, Times]) -> str:
    sides = list(dict.fromkeys(side for times in points.values() for side in times))
    lines = [
        (f"{point:,}", *(seconds(times[side]) if side in times else "" for side in sides))
        for point, times in points.items()
    ]
    return f"**Time per list by {title}**\n\n" + table(("", *sides), lines)


def machines(known: Figures) -> str:
    """Which machine measured each column, and which rows another one measured."""
    lines = []
    for path, parts in known.items():
        lines.append(f"- **{PATHS[path]}**: {most(parts).machine}")
        for part in parts:
            if part is not most(parts):
                names = ", ".join([*part.outcomes, *part.grown])
                lines.append(f"- **{PATHS[path]}**, {names}: {part.machine}")
    return "\n".join(lines)


# The README

README_ROWS = (
    ("dense", "NumPy", NUMPY),
    ("dense", "PyTorch", ("torch",)),
    ("dense", "scikit-learn", ("scikit-learn",)),
    ("catalogue", "NumPy", ("NumPy", "NumPy count_nonzero", "NumPy argsort")),
    ("dicts-1", "pytrec_eval", ("pytrec_eval",)),
    ("loaded-1", "ranx", ("ranx",)),
)
"""Workload, the name of the tool, and its sides, of which the fastest counts."""


def readme_text(known: Figures) -> str:
    """Six rows of the last path on which any of them was measured: that of most processors."""
    names = [name for name, _, _ in README_ROWS]
    *_, path = (
        path
        for path, parts in known.items()
        if any(name in part.outcomes for part in parts for name in names)
    )
    parts = known[path]
    titles = {workload.name: workload.title for workload in ALL}
    lines = []
    for name, tool, sides in README_ROWS:
        this = row(titles[name], faster(1, 1, *sides), outcomes_of({path: parts}, name), 1)
        lines.append((this.workload, tool, this.cells[path].measured))
    return (
        table(("", "compared with", "rankgain is"), lines)
        + f"\n\nMeasured on {most(parts).processor} with {PATHS[path]}. [Every workload, how it is "
        + "measured, and where other tools are faster](docs/reference/benchmarks.md)."
    )


# The page for users

OTHERS = (
    *("NumPy", "SciPy", "argsort alone", "fromiter", "a set per user", "polars"),
    *("torch", "scikit-learn", "CatBoost", "RecTools", "pytrec_eval", "ranx", "trec_eval"),
    *("pyndeval", "cwl-eval", "ir_eval_numba"),
)
"""How the names of the sides begin that are not ours."""
READING = "read limit"


def page_text(known: Figures) -> str:
    """Machines, one row for each workload, and where other tools are faster."""
    heads = [head for path in known for head in (f"{PATHS[path]}: rankgain takes", "others take")]
    lines = [
        (
            workload.title,
            *(text for outcome in by_path.values() for text in user_cells(workload, outcome)),
        )
        for workload in (*ARRAYS, *COMPARISONS, *TREC, *PROCESSES)
        for by_path in [outcomes_of(known, workload.name)]
    ]
    ahead = list(others_ahead(known))
    rules = [row for row in CONVENTIONS if row.name.startswith(("conventions", "tie-rules"))]
    parts = [
        "## Machines",
        "\n".join(f"- **{PATHS[path]}**: {most(parts).machine}" for path, parts in known.items()),
        "## Results",
        "`NumPy 10x` means that NumPy takes 10 times as long as rankgain.",
        table(("workload", *heads), lines),
        f"{at_most(known, CLIFFS, 'Difficult inputs', 'random ones')} "
        f"{at_most(known, rules, 'A convention or tie rule', 'the plain call')}",
        "\n".join(
            f"![Time per list against list length and against k](benchmarks-{theme}.svg)"
            f"{{.only-{theme} width=560px}}"
            for theme in chart.INKS
        ),
        "## Where other tools are faster",
        "\n".join(ahead) if ahead else "No other tool is faster in these workloads.",
        "[All figures](../../benchmarks/results.md) also lists the benchmarks below target.",
    ]
    return "\n\n".join(parts)


def user_cells(workload: Workload | ProcessWorkload, outcome: Outcome) -> tuple[str, str]:
    """Our time, and how many times as long each of the others takes, the fastest first."""
    if "rankgain" not in outcome.seconds:
        return "not measured", ""
    ours = outcome.seconds["rankgain"]
    ratios = {
        side: time / ours
        for side, time in outcome.seconds.items()
        if side.startswith((*OTHERS, READING))
    }
    ordered = sorted(ratios.items(), key=lambda one: one[1])
    megabytes = isinstance(workload, ProcessWorkload) and workload.megabytes
    return (
        Unit.MEGABYTES.show(ours) if megabytes else seconds(ours),
        "; ".join(f"{side} {Unit.SHARE.show(ratio)}" for side, ratio in ordered),
    )


def at_most(known: Figures, workloads: Sequence[Workload], what: str, other: str) -> str:
    """The largest figure that any of these has on each path."""
    figures = []
    for path in known:
        outcomes = [(w, outcomes_of(known, w.name)[path]) for w in workloads]
        shares = [
            figure
            for workload, outcome in outcomes
            for goal in workload.goals
            if goal.unit is Unit.SHARE
            if (figure := goal.measured(outcome.seconds, workload.lists)) is not None
        ]
        if shares:
            figures.append(f"{Unit.SHARE.show(max(shares))} ({PATHS[path]})")
    return f"{what}: at most {' and '.join(figures)} of the time of {other}." if figures else ""


def others_ahead(known: Figures) -> Iterator[str]:
    for path, parts in known.items():
        for workload in (*ARRAYS, *COMPARISONS, *TREC):
            times = outcomes_of(known, workload.name)[path].seconds
            yield from ahead_in(times, f"{PATHS[path]}: {workload.title}")
        for series in SERIES:
            for point, times in (growth_of(parts, series.name) or {}).items():
                yield from ahead_in(
                    times, f"{PATHS[path]}: per list by {series.title}, at {point:,}"
                )


def ahead_in(times: Times, title: str) -> Iterator[str]:
    ours = times.get("rankgain", 0.0)
    for side, time in times.items():
        if side.startswith(OTHERS) and time < ours:
            yield f"- {title}: {side} takes {seconds(time)}, rankgain {seconds(ours)}"


# Every figure


def results_text(known: Figures) -> str:
    goals = rows(known)
    parts = [
        "# Results",
        "Every figure that is stored in `measured/`, written by `python benchmarks/report.py "
        "--pages`. [How it is measured](../docs/reference/benchmarks.md).",
        machines(known),
        "## Required and measured",
        goals_table(goals),
        losses(goals),
        "## Growth",
    ]
    for series in SERIES:
        for path, measured in known.items():
            grown = growth_of(measured, series.name)
            if grown is not None:
                parts.append(growth_table(f"{series.title}, {PATHS[path]}", grown))
    parts.append("## Every side of every workload")
    for workload in ALL:
        outcomes = outcomes_of(known, workload.name)
        if isinstance(workload, Workload) and any_known(outcomes):
            parts.append(times_table(workload.title, outcomes, workload.lists))
    return "\n\n".join(parts) + "\n"


# Pictures


def growth_picture(known: Figures, theme: str) -> str | None:
    """The growth on the widest path on which it was measured."""
    sides = ("rankgain", READING, "NumPy")
    for path, parts in known.items():
        length, k = (growth_of(parts, series) for series in ("length", "k"))
        if length and k:
            title = f"Time per list, nDCG@10, {PATHS[path]}"
            return chart.growth(
                [
                    chart.Panel(title, "documents in the list", length, sides),
                    chart.Panel("Time per list of 1,000, nDCG@k", "k", k, sides),
                ],
                theme,
            )
    return None


def speed_picture(known: Figures, theme: str) -> str:
    """The bars of the README, on the last path: that of most processors."""
    dense = ARRAYS[0]
    times = list(outcomes_of(known, dense.name).values())[-1].seconds
    sides = ("rankgain", "torch", "NumPy", "scikit-learn", "CatBoost")
    per_list = {side: times[side] / dense.lists for side in sides if side in times}
    title = "nDCG@10, time per list: one call on 10,000 lists of 1,000 documents"
    return chart.bars(title, per_list, theme)


def write(known: Figures) -> None:
    docs = ROOT / "docs"
    put_between_markers(ROOT / "README.md", readme_text(known))
    put_between_markers(docs / "reference" / "benchmarks.md", page_text(known))
    (HERE / "results.md").write_text(results_text(known), encoding="utf-8")
    for theme in chart.INKS:
        grown = growth_picture(known, theme)
        if grown is not None:
            path = docs / "reference" / f"benchmarks-{theme}.svg"
            path.write_text(grown, encoding="utf-8")
        picture = speed_picture(known, theme)
        (docs / f"speed-{theme}.svg").write_text(picture, encoding="utf-8")
