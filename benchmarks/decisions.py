"""Simulate level and coverage of ranks and of pooled tests, for the page of simulations.

    python benchmarks/decisions.py [--simulations 1000] [--write]

Ten systems and skewed values as measures have them: queries are easy or hard, and the noise of a
system grows with the difficulty. Level: the share of simulations in which some of ten equal systems
are told apart. Coverage: the share in which the intervals of ten different systems all hold the
true ranks. Pooled: two systems on three collections, the second with twice as many queries as the
first, the third with as many and twice the scatter; level of the tests, coverage of intervals.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rankgain as rg
from markers import put_between_markers
from rankgain.analysis.aligned import Pairs
from rankgain.analysis.system_ranks import rank_bounds, tell_apart

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "simulations.md"
QUERIES = (20, 50, 200)
SYSTEMS = 10
RESAMPLES = 999
SHIFTS = np.linspace(0, 0.09, SYSTEMS)  # of the means of different systems


def draw(rng: np.random.Generator, queries: int, shifts: np.ndarray) -> np.ndarray:
    """Values of queries (rows) and systems (columns) with these differences of the true means."""
    easy = rng.beta(1.0, 2.0, (queries, 1))
    noise = rng.exponential(0.15, (queries, SYSTEMS)) - 0.15
    return easy + noise * (1.2 - easy) + shifts


def simulate(queries: int, simulations: int) -> tuple[float, float]:
    """Level and coverage."""
    pairs = Pairs.among(SYSTEMS, None)
    true_ranks = np.arange(SYSTEMS, 0, -1)
    rejected = covered = 0
    for number in range(simulations):
        rng = np.random.default_rng((queries, number))
        equal = draw(rng, queries, np.zeros(SYSTEMS))
        rejected += bool(tell_apart([equal], pairs, 0.95, RESAMPLES, number).any())
        different = draw(rng, queries, SHIFTS)
        apart = tell_apart([different], pairs, 0.95, RESAMPLES, number)
        low, high = rank_bounds(apart, pairs, SYSTEMS)
        covered += bool(((low <= true_ranks) & (true_ranks <= high)).all())
    return rejected / simulations, covered / simulations


def table(simulations: int) -> list[str]:
    """The rows of the page."""
    rows = ["| queries | level | coverage |", "| ---: | ---: | ---: |"]
    for queries in QUERIES:
        level, coverage = simulate(queries, simulations)
        rows.append(f"| {queries} | {level:.1%} | {coverage:.1%} |")
        print(rows[-1], flush=True)
    return rows


def draw_collections(rng: np.random.Generator, queries: int) -> dict[str, rg.Evaluations]:
    """Two equal systems on three collections."""
    collections = {}
    for number, (size, scatter) in enumerate(((queries, 1.0), (2 * queries, 1.0), (queries, 2.0))):
        table = scatter * draw(rng, size, np.zeros(SYSTEMS))[:, :2]
        collections[f"c{number}"] = rg.Evaluations(
            {f"s{at}": rg.Evaluation.from_values({"x": table[:, at]}) for at in range(2)}
        )
    return collections


def pooled_table(simulations: int) -> list[str]:
    """The rows of the page for pooled comparisons."""
    rows = ["| test | queries of the smallest | level | coverage |", "| --- | ---: | ---: | ---: |"]
    for test in ("randomisation", "t", "bootstrap"):
        for queries in QUERIES:
            rejected = covered = 0
            for number in range(simulations):
                pooled = rg.pool(
                    draw_collections(np.random.default_rng((queries, number)), queries)
                )
                [row] = pooled.compare(test=test, resamples=RESAMPLES, seed=number).rows
                rejected += row.p < 0.05
                covered += row.low <= 0 <= row.high
            level, coverage = rejected / simulations, covered / simulations
            rows.append(f'| `"{test}"` | {queries} | {level:.1%} | {coverage:.1%} |')
            print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    options = parser.parse_args()
    rows = [*table(options.simulations), "", *pooled_table(options.simulations)]
    if options.write:
        text = "\n".join(
            [*rows, "", f"{options.simulations:,} simulations, {RESAMPLES} resamples each."]
        )
        put_between_markers(PAGE, text, "ranks")


if __name__ == "__main__":
    main()
