"""Topic-by-system matrices as evaluations, made here or read where real data is there."""

import os
from pathlib import Path

import numpy as np

import rankgain as rg


def evaluations(table, measure="AP", **more):
    """Columns of a table of values as evaluations s0, s1, ... of one measure, without a ranking."""
    names = [f"s{at}" for at in range(table.shape[1])]
    return rg.Evaluations({
        name: rg.Evaluation(
            {measure: float(column.mean())}, {measure: column}, range(len(column))
        )
        for name, column in zip(names, table.T, strict=True)
    })  # fmt: skip


def given(table, name="f1", **options):
    """Columns of a table as evaluations s0, s1, ... of values that were given, not measured."""
    return rg.Evaluations({
        f"s{at}": rg.Evaluation.from_values({name: column}, **options)
        for at, column in enumerate(table.T)
    })  # fmt: skip


def made(lists=50, systems=6, seed=0, rates=False):
    """Values as measures have them: lists that are hard or easy, systems that are good or bad."""
    rng = np.random.default_rng(seed)
    easy = rng.beta(1, 2, (lists, 1)) + rng.normal(0, 0.12, (lists, systems))
    easy += np.linspace(0, 0.08, systems)
    values = np.clip(easy, 0, 1)
    return np.round(values, 1) if rates else values


def matrices():
    """The real ones by name; none where there is no data."""
    folder = Path(os.environ.get("RANKGAIN_DATA", "none")) / "stats"
    return {
        path.stem: np.loadtxt(path, delimiter=",", skiprows=1)
        for path in sorted(folder.glob("*.csv"))
    }
