"""Simulate level and coverage of ranks and of pooled tests, for the page of simulations.

    python benchmarks/decisions.py [--simulations 1000] [--write] [--agreement]

Ten systems and skewed values as measures have them: queries are easy or hard, and the noise of a
system grows with the difficulty. Level: the share of simulations in which some of ten equal systems
are told apart. Coverage: the share in which the intervals of ten different systems all hold the
true ranks. Pooled: two systems on three collections, the second with twice as many queries as the
first, the third with as many and twice the scatter; level of the tests, coverage of intervals.
Agreement (--agreement: this alone): ten documents a query, three labels, a model that is right more
often in some queries than in others; coverage of the interval of kappa.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rankgain as rg
from markers import put_between_markers
from rankgain.analysis.aligned import Pairs
from rankgain.analysis.system_ranks import find_distinct_pairs, rank_bounds

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
        rejected += bool(find_distinct_pairs([equal], pairs, 0.95, RESAMPLES, number).any())
        different = draw(rng, queries, SHIFTS)
        apart = find_distinct_pairs([different], pairs, 0.95, RESAMPLES, number)
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


def draw_judgments(rng: np.random.Generator, queries: int) -> list[np.ndarray]:
    """Labels of people and of a model for ten documents of each query."""
    people = rng.choice(3, (queries, 10), p=[0.6, 0.25, 0.15])
    guesses = rng.choice(3, (queries, 10), p=[0.4, 0.35, 0.25])
    is_right = rng.random((queries, 10)) < rng.beta(4, 2, (queries, 1))
    return [np.where(is_right, people, guesses), people]


def as_qrels(labels: np.ndarray) -> dict[str, dict[str, int]]:
    """A dict of judgments, with ids that are numbers."""
    return {
        f"q{query}": {f"d{document}": label for document, label in enumerate(row)}
        for query, row in enumerate(labels.tolist())
    }


def agreement_table(simulations: int) -> list[str]:
    """The rows of the page for the interval of kappa."""
    rows = ["| weights | queries | coverage |", "| --- | ---: | ---: |"]
    population = [as_qrels(labels) for labels in draw_judgments(np.random.default_rng(0), 20_000)]
    for weights in (None, "quadratic"):
        true_kappa = rg.agreement(*population, weights=weights, level=0.5).kappa
        for queries in QUERIES:
            covered = 0
            for number in range(simulations):
                sides = draw_judgments(np.random.default_rng((queries, number)), queries)
                result = rg.agreement(*map(as_qrels, sides), weights=weights)
                covered += result.low <= true_kappa <= result.high
            rows.append(f"| {weights} | {queries} | {covered / simulations:.1%} |")
            print(rows[-1], flush=True)
    return [*rows, "", f"{simulations:,} simulations."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    parser.add_argument("--agreement", action="store_true", help="simulate agreement alone")
    options = parser.parse_args()
    if options.agreement:
        text = "\n".join(agreement_table(options.simulations))
        if options.write:
            put_between_markers(PAGE, text, "agreement")
        return
    rows = [*table(options.simulations), "", *pooled_table(options.simulations)]
    if options.write:
        text = "\n".join(
            [*rows, "", f"{options.simulations:,} simulations, {RESAMPLES} resamples each."]
        )
        put_between_markers(PAGE, text, "ranks")


if __name__ == "__main__":
    main()
