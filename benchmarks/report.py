"""Measure the named workloads and print, or write, what came out.

    python benchmarks/report.py                     everything, some minutes
    python benchmarks/report.py --quick             fewer rounds
    python benchmarks/report.py --processor-time    for a machine that others use too
    python benchmarks/report.py --only dense topk   those workloads, or growth series
    python benchmarks/report.py --readme            store the figures and write the pages
    python benchmarks/report.py --pages             write the pages from the stored figures

Only sides whose values agree are timed. The exit
status is 1 if one of our own sides failed or disagreed. A missed figure is printed, and is not a
failure.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import figures
import measuring
import pages
from figures import Measured
from measuring import FULL, QUICK, Clock, Effort, Outcome
from rankgain._core import SIMD
from workloads import ALL, SERIES, ProcessWorkload, Workload


def run(workload: Workload | ProcessWorkload, effort: Effort, in_child: bool = False) -> Outcome:
    """Measure one workload. A child process runs in the workload's environment already."""
    try:
        if isinstance(workload, ProcessWorkload):
            return Outcome(workload.run(effort.clock))
        if workload.environment and not in_child:
            options = ["--quick"] * (effort.rounds == QUICK.rounds)
            options += ["--processor-time"] * (effort.clock is Clock.PROCESSOR)
            environment = workload.environment
            return Outcome(measuring.in_environment(workload.name, options, environment))
        if workload.wall:
            effort = replace(effort, clock=Clock.WALL)
        return measuring.measure(workload.prepare(), effort)
    except Exception as error:  # the other rows are worth having
        return Outcome(missing={"rankgain": f"failed: {type(error).__name__}: {error}"})


def selected(names: Sequence[str]) -> Iterator[Workload | ProcessWorkload]:
    return (w for w in ALL if not names or any(w.name.startswith(name) for name in names))


def measure_all(names: Sequence[str], effort: Effort) -> Measured:
    measured = Measured(measuring.processor(), measuring.describe(effort))
    for workload in selected(names):
        print(f"... {workload.name}", file=sys.stderr, flush=True)
        outcome = measured.outcomes[workload.name] = run(workload, effort)
        print("\n" + progress(workload, outcome), flush=True)
    for series in SERIES:
        if not names or series.name in names:
            print(f"... growth by {series.name}", file=sys.stderr, flush=True)
            grown = measured.grown[series.name] = series.measure(effort)
            print("\n" + pages.growth_table(series.title, grown), flush=True)
    return measured


def progress(workload: Workload | ProcessWorkload, outcome: Outcome) -> str:
    lines = [f"{workload.name}: {workload.title}"]
    if isinstance(workload, Workload):
        for name, seconds in outcome.seconds.items():
            each = pages.seconds(seconds / workload.lists)
            lines.append(f"  {name:28} {pages.seconds(seconds):>10} {each:>10} a list")
    lines += [f"  {name:28} {reason}" for name, reason in outcome.missing.items()]
    for row in pages.rows_of(workload, {SIMD: outcome}):
        cell = row.cells[SIMD]
        lines.append(
            f"  {cell.verdict:12} {cell.measured:22} required {row.required} against {row.against}"
        )
    return "\n".join(lines)


def failed(measured: Measured) -> bool:
    """Whether one of our own sides failed or disagreed."""
    return any(
        name.startswith("rankgain")
        or any(name in goal.ours for workload in selected([known]) for goal in workload.goals)
        for known, outcome in measured.outcomes.items()
        for name in outcome.missing
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the named workloads.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument(
        "--processor-time", action="store_true", help="not wall time, on a machine that is shared"
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="begin with NAME")
    parser.add_argument("--readme", action="store_true", help="store, and write the pages")
    parser.add_argument("--pages", action="store_true", help="write the pages, measure nothing")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--times", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    effort = replace(
        QUICK if options.quick else FULL,
        clock=Clock.PROCESSOR if options.processor_time else Clock.WALL,
    )
    if options.times:
        workload = next(w for w in ALL if w.name == options.times)
        print(json.dumps(run(workload, effort, in_child=True).seconds))
        return 0
    series_names = [series.name for series in SERIES]
    if options.list:
        print("\n".join([*(w.name for w in ALL), *series_names]))
        return 0
    for name in options.only:
        if not any(selected([name])) and name not in series_names:
            parser.error(f"--only {name}: no workload begins so; --list names them")
    if options.pages:
        pages.write(figures.load())
        return 0
    print(f"{figures.PATHS[SIMD]}: {measuring.describe(effort)}")
    measured = measure_all(options.only, effort)
    rows = pages.rows({SIMD: [measured]}, measured_only=True)
    print("\n" + pages.goals_table(rows) + "\n\n" + pages.losses(rows), flush=True)
    if options.readme:
        figures.store(SIMD, measured)
        pages.write(figures.load())
    return int(failed(measured))


if __name__ == "__main__":
    sys.exit(main())
