"""The pages, written from the stored figures alone: the README's table, the page, its chart."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import chart
import figures
import growth
import tables
from figures import PATHS, Figures, Measured
from goals import faster
from measuring import Outcome
from workloads import ALL, CLIFFS, LONG_CLIFFS, NUMPY, ProcessWorkload, Workload

ROOT = Path(__file__).parent.parent
CHART = ROOT / "docs" / "benchmarks.svg"

README_ROWS = (
    ("dense", "NumPy", NUMPY),
    ("dense", "PyTorch", ("torch",)),
    ("dense", "scikit-learn", ("scikit-learn",)),
    ("catalogue", "NumPy", ("NumPy", "NumPy count_nonzero", "NumPy argsort")),
    ("dicts-1", "pytrec_eval", ("pytrec_eval",)),
    ("loaded-1", "ranx", ("ranx",)),
)
"""Workload, the name of the tool, and its sides, of which the fastest counts."""


def rows_of(
    workload: Workload | ProcessWorkload, outcomes: Mapping[str, Outcome]
) -> list[tables.Row]:
    if workload in (*CLIFFS, *LONG_CLIFFS):
        return [tables.worst(workload.title, workload.goals, outcomes, workload.lists)]
    return [tables.row(workload.title, goal, outcomes, workload.lists) for goal in workload.goals]


def any_known(outcomes: Mapping[str, Outcome]) -> bool:
    return any(outcome.seconds or outcome.missing for outcome in outcomes.values())


def rows(known: Figures, measured_only: bool = False) -> list[tables.Row]:
    """All goals; or those of the workloads that anything is known of."""
    found = ((workload, figures.outcomes(known, workload.name)) for workload in ALL)
    return [
        row
        for workload, outcomes in found
        if not measured_only or any_known(outcomes)
        for row in rows_of(workload, outcomes)
    ]


def readme_text(known: Figures) -> str:
    """Six rows, with the paths of which any of them is known."""
    names = [name for name, _, _ in README_ROWS]
    known = {
        path: parts
        for path, parts in known.items()
        if any(name in part.outcomes for part in parts for name in names)
    }
    named = {workload.name: workload for workload in ALL}
    lines = []
    for name, tool, sides in README_ROWS:
        goal = faster(1, 1, *sides)
        row = tables.row(named[name].title, goal, figures.outcomes(known, name), 1)
        lines.append((row.workload, tool, *(cell.measured for cell in row.cells.values())))
    where = " and ".join(f"{what} on {on}" for on, what in processors(known).items())
    return (
        tables.table(("", "beside", *(PATHS[path] for path in known)), lines)
        + f"\n\nMeasured with {where}: [how, and every row](docs/benchmarks.md)."
    )


def processors(known: Mapping[str, Sequence[Measured]]) -> dict[str, str]:
    """Which paths were measured on each processor, in words."""
    found: dict[str, list[str]] = {}
    for path, parts in known.items():
        found.setdefault(most(parts).processor, []).append(PATHS[path])
    return {on: " and ".join(paths) for on, paths in found.items()}


def most(parts: Sequence[Measured]) -> Measured:
    """The machine that measured most of a column."""
    return max(parts, key=lambda part: len(part.outcomes))


def machines(known: Figures) -> str:
    """Which machine measured each column; the rows of one that measured some of them only."""
    lines = []
    for path, parts in known.items():
        lines.append(f"- **{PATHS[path]}**: {most(parts).machine}")
        for part in parts:
            if part is not most(parts):
                names = ", ".join([*part.outcomes, *part.grown])
                lines.append(f"- **{PATHS[path]}**, {names}: {part.machine}")
    return "\n".join(lines)


def docs_text(known: Figures) -> str:
    found = rows(known)
    parts = [machines(known), "## Required and measured"]
    parts += [tables.goals_table(found), tables.losses(found)]
    parts += ["## Growth", "![Time per list against list length and against k](benchmarks.svg)"]
    for series in growth.SERIES:
        for path, measured in known.items():
            grown = figures.grown(measured, series.name)
            if grown is not None:
                parts.append(tables.growth_table(f"{series.title}, {PATHS[path]}", grown))
    parts.append("## Every side of every workload")
    for workload in ALL:
        outcomes = figures.outcomes(known, workload.name)
        if isinstance(workload, Workload) and any_known(outcomes):
            parts.append(tables.times_table(workload.title, outcomes, workload.lists))
    return "\n\n".join(parts)


def chart_text(known: Figures) -> str | None:
    """The growth on the widest path of which it is known."""
    sides = ("rankgain", "read limit", "NumPy")
    for path, measured in known.items():
        length, k = (figures.grown(measured, series) for series in ("length", "k"))
        if length and k:
            title = f"Time per list, nDCG@10, {PATHS[path]}"
            return chart.svg(
                [
                    chart.Panel(title, "documents in the list", length, sides),
                    chart.Panel("Time per list of 1,000, nDCG@k", "k", k, sides),
                ]
            )
    return None


def write(known: Figures) -> None:
    tables.put_between_markers(ROOT / "README.md", readme_text(known))
    tables.put_between_markers(CHART.with_suffix(".md"), docs_text(known))
    drawn = chart_text(known)
    if drawn is not None:
        CHART.write_text(drawn, encoding="utf-8")
    page = CHART.with_suffix(".md").read_text(encoding="utf-8")
    for theme in chart.INKS:
        speed = CHART.with_name(f"speed-{theme}.svg")
        speed.write_text(chart.speed(page, theme), encoding="utf-8")
