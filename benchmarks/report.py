"""Measure the named workloads and print, or write, what came out.

    python benchmarks/report.py                     everything, some minutes
    python benchmarks/report.py --quick             fewer rounds
    python benchmarks/report.py --processor-time    for a machine that others use too
    python benchmarks/report.py --only dense topk   those workloads, or growth series
    python benchmarks/report.py --readme            store the figures, write README, page and chart
    python benchmarks/report.py --pages             write those from the stored figures

With AVX-512 all of it is measured a second time on the path for AVX2, every tool held to AVX2 as
well; RANKGAIN_SIMD asks for one path alone. Only sides whose values agreed are timed. The exit
status is 1 if one of our own sides failed or disagreed; a missed figure is shown, and is no
failure.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import figures
import forced
import growth
import machine
import pages
import processes
import tables
from figures import Measured
from measuring import FULL, QUICK, Clock, Effort, Outcome, measure
from rankgain._core import SIMD
from workloads import ALL, ProcessWorkload, Workload


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


def measure_all(names: Sequence[str], effort: Effort) -> Measured:
    found = Measured(machine.processor(), machine.describe(effort))
    for workload in selected(names):
        print(f"... {workload.name}", file=sys.stderr, flush=True)
        outcome = found.outcomes[workload.name] = run(workload, effort)
        print("\n" + progress(workload, outcome), flush=True)
    for series in growth.SERIES:
        if not names or series.name in names:
            print(f"... growth by {series.name}", file=sys.stderr, flush=True)
            grown = found.grown[series.name] = growth.grow(series, effort)
            print("\n" + tables.growth_table(series.title, grown), flush=True)
    return found


def progress(workload: Workload | ProcessWorkload, outcome: Outcome) -> str:
    lines = [f"{workload.name}: {workload.title}"]
    if isinstance(workload, Workload):
        for name, seconds in outcome.seconds.items():
            each = tables.seconds(seconds / workload.lists)
            lines.append(f"  {name:28} {tables.seconds(seconds):>10} {each:>10} a list")
    lines += [f"  {name:28} {reason}" for name, reason in outcome.missing.items()]
    for row in pages.rows_of(workload, {SIMD: outcome}):
        cell = row.cells[SIMD]
        lines.append(
            f"  {cell.verdict:12} {cell.measured:22} required {row.required} against {row.against}"
        )
    return "\n".join(lines)


def failed(found: Measured) -> bool:
    """Whether one of our own sides failed or disagreed."""
    return any(
        name.startswith("rankgain")
        or any(name in goal.ours for workload in selected([known]) for goal in workload.goals)
        for known, outcome in found.outcomes.items()
        for name in outcome.missing
    )


def here(names: Sequence[str], effort: Effort, store: bool) -> bool:
    """Measure on the path of this process; whether one of our own sides failed."""
    print(f"{figures.PATHS[SIMD]}: {machine.describe(effort)}")
    found = measure_all(names, effort)
    rows = pages.rows({SIMD: [found]}, measured_only=True)
    print("\n" + tables.goals_table(rows) + "\n\n" + tables.losses(rows), flush=True)
    if store:
        figures.keep(SIMD, found)
    return failed(found)


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
    if chosen.pages:
        pages.write(figures.load())
        return 0
    worse = here(chosen.only, effort, chosen.readme)
    if SIMD == "avx512" and "RANKGAIN_SIMD" not in os.environ:
        worse |= processes.on_path(forced.avx2(), sys.argv[1:])
    elif chosen.readme:
        pages.write(figures.load())
    return int(worse)


if __name__ == "__main__":
    sys.exit(main())
