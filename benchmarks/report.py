"""Measure the named workloads and print, or write, what came out.

    python benchmarks/report.py                     everything, some minutes
    python benchmarks/report.py --quick             fewer rounds
    python benchmarks/report.py --processor-time    for a machine that others use too
    python benchmarks/report.py --only dense topk   those workloads, or growth series
    python benchmarks/report.py --readme            everything; write README.md, docs and chart
                                                    (with --only: those rows, and no chart)

Only sides whose values agreed are timed. The exit status is 1 if one of our own sides failed or
disagreed; a missed figure is shown, and is no failure.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import chart
import growth
import machine
import processes
import tables
from measuring import FULL, QUICK, Clock, Effort, Outcome, measure
from workloads import ALL, CLIFFS, ProcessWorkload, Workload

ROOT = Path(__file__).parent.parent
CHART = ROOT / "docs" / "benchmarks.svg"


@dataclass
class Report:
    """Everything that one run measured, and how."""

    effort: Effort
    outcomes: list[tuple[Workload | ProcessWorkload, Outcome]] = field(default_factory=list)
    grown: dict[str, growth.Grown] = field(default_factory=dict)

    def rows(self) -> list[tables.Row]:
        return [row for workload, outcome in self.outcomes for row in rows_of(workload, outcome)]

    def failed(self) -> bool:
        return any(
            name.startswith("rankgain") for _, outcome in self.outcomes for name in outcome.missing
        ) or any(row.verdict == "failed" for row in self.rows())


def rows_of(workload: Workload | ProcessWorkload, outcome: Outcome) -> list[tables.Row]:
    rows = [
        tables.row(workload.name, workload.title, goal, outcome, workload.lists)
        for goal in workload.goals
    ]
    if workload not in CLIFFS or any(row.verdict in ("failed", "not measured") for row in rows):
        return rows
    figures = [goal.measured(outcome.seconds, workload.lists) or 0.0 for goal in workload.goals]
    return [tables.worst(rows, workload.name, figures)]


def options(effort: Effort) -> list[str]:
    """The options of this command that ask for an effort."""
    quick = effort.rounds == QUICK.rounds
    return ["--quick"] * quick + ["--processor-time"] * (effort.clock is Clock.PROCESSOR)


def run(workload: Workload | ProcessWorkload, effort: Effort, here: bool = False) -> Outcome:
    """Measure one workload; `here` is said by a process that was started for its environment."""
    try:
        if isinstance(workload, ProcessWorkload):
            return Outcome(workload.run(effort.clock))
        if workload.environment and not here:
            asked = options(effort)
            return Outcome(processes.elsewhere(workload.name, asked, workload.environment))
        if workload.wall:
            effort = replace(effort, clock=Clock.WALL)
        return measure(workload.prepare(), effort)
    except Exception as error:  # the other rows are worth having
        return Outcome(missing={"rankgain": f"failed: {type(error).__name__}: {error}"})


def selected(names: Sequence[str]) -> Iterator[Workload | ProcessWorkload]:
    return (w for w in ALL if not names or any(w.name.startswith(name) for name in names))


def measure_all(names: Sequence[str], effort: Effort) -> Report:
    report = Report(effort)
    for workload in selected(names):
        print(f"... {workload.name}", file=sys.stderr, flush=True)
        outcome = run(workload, effort)
        report.outcomes.append((workload, outcome))
        print("\n" + progress(workload, outcome), flush=True)
    for series in growth.SERIES:
        if not names or series.name in names:
            print(f"... growth by {series.name}", file=sys.stderr, flush=True)
            report.grown[series.name] = growth.grow(series, effort)
            print("\n" + tables.growth_table(series.title, report.grown[series.name]), flush=True)
    return report


def progress(workload: Workload | ProcessWorkload, outcome: Outcome) -> str:
    lines = [f"{workload.name}: {workload.title}"]
    if isinstance(workload, Workload):
        for name, seconds in outcome.seconds.items():
            each = tables.seconds(seconds / workload.lists)
            lines.append(f"  {name:28} {tables.seconds(seconds):>10} {each:>10} a list")
    lines += [f"  {name:28} {reason}" for name, reason in outcome.missing.items()]
    for row in rows_of(workload, outcome):
        lines.append(
            f"  {row.verdict:12} {row.measured:22} required {row.required} against {row.against}"
        )
    return "\n".join(lines)


def readme_text(report: Report) -> str:
    rows = report.rows()
    chart_line = "![Time per list against list length and against k](docs/benchmarks.svg)"
    parts = [tables.goals_table(rows), tables.losses(rows), machine.describe(report.effort)]
    if charted(report):
        parts.insert(2, chart_line)
    return "\n\n".join(parts)


def charted(report: Report) -> bool:
    """Whether the series of the chart were measured."""
    return {"length", "k"} <= report.grown.keys()


def docs_text(report: Report) -> str:
    parts = [machine.describe(report.effort), "## Required and measured"]
    parts += [tables.goals_table(report.rows()), tables.losses(report.rows())]
    if report.grown:
        parts.append("## Growth")
    if charted(report):
        parts.append("![Time per list against list length and against k](benchmarks.svg)")
    parts += [
        tables.growth_table(series.title, report.grown[series.name])
        for series in growth.SERIES
        if series.name in report.grown
    ]
    parts.append("## Every side of every workload")
    parts += [
        tables.times_table(workload.title, outcome, workload.lists)
        for workload, outcome in report.outcomes
        if isinstance(workload, Workload)
    ]
    return "\n\n".join(parts)


def chart_text(report: Report) -> str:
    sides = ("rankgain", "read limit", "NumPy")
    length, k = report.grown["length"], report.grown["k"]
    return chart.svg(
        [
            chart.Panel("Time per list, nDCG@10", "documents in the list", length, sides),
            chart.Panel("Time per list of 1,000, nDCG@k", "k", k, sides),
        ]
    )


def write(report: Report) -> None:
    tables.put_between_markers(ROOT / "README.md", readme_text(report))
    CHART.parent.mkdir(exist_ok=True)
    tables.put_between_markers(CHART.with_suffix(".md"), docs_text(report))
    if charted(report):
        CHART.write_text(chart_text(report), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the named workloads.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument(
        "--processor-time", action="store_true", help="not wall time, on a machine that is shared"
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="begin with NAME")
    parser.add_argument("--readme", action="store_true", help="write README, docs and chart")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--times", metavar="NAME", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    effort = replace(
        QUICK if chosen.quick else FULL,
        clock=Clock.PROCESSOR if chosen.processor_time else Clock.WALL,
    )
    if chosen.times:
        only = next(w for w in ALL if w.name == chosen.times)
        print(json.dumps(run(only, effort, here=True).seconds))
        return 0
    if chosen.list:
        print("\n".join([*(w.name for w in ALL), *(series.name for series in growth.SERIES)]))
        return 0
    for name in chosen.only:
        if not any(selected([name])) and name not in {series.name for series in growth.SERIES}:
            parser.error(f"--only {name}: no workload begins so; --list names them")
    print(machine.describe(effort))
    report = measure_all(chosen.only, effort)
    print("\n" + tables.goals_table(report.rows()) + "\n\n" + tables.losses(report.rows()))
    if chosen.readme:
        write(report)
    return int(report.failed())


if __name__ == "__main__":
    sys.exit(main())
