"""How often tests reject and intervals cover, simulated on real matrices: docs/guides/comparing.md.

Run with -s to print the figures.
"""

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.aligned import Draws, Pairs, Units
from rankgain.analysis.compare import FUNCTIONS
from rankgain.engine import intervals as methods
from rankgain.engine.intervals import FEW
from rankgain.engine.means import Shares
from systems import matrices

REAL = matrices()
SMOOTH = {name: table for name, table in REAL.items() if not name.endswith(("p10", "rr"))}
SYSTEMS = 12  # at a time
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not REAL, reason="needs RANKGAIN_DATA")]


def compared(values, test, seed):
    units = Units("mean", values, values, None, np.arange(len(values)))
    pairs = Pairs.among(values.shape[1], None)
    few = test == "bootstrap" and len(values) < FEW
    return pairs, *FUNCTIONS["randomisation" if few else test](units, pairs, Draws(999, seed), 0.95)


def figures(test, lists, repeats, tables=REAL):
    """Shares of nulls rejected, of differences covered, of pairs where interval and p disagree."""
    rng = np.random.default_rng(lists)
    rejected, covered, apart = [], [], []
    for table in tables.values():
        for at in range(repeats):
            some = table[:, rng.choice(table.shape[1], SYSTEMS, replace=False)]
            drawn = some[rng.integers(0, len(some), lists)]
            _, _, p = compared(rng.permuted(drawn, axis=1), test, at)
            rejected.append(np.mean(p < 1 - 0.95))
            pairs, ends, p = compared(drawn, test, at)
            truth = pairs.difference(some.mean(axis=0))
            covered.append(np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])))
            apart.append(np.mean(((ends[:, 0] > 0) | (ends[:, 1] < 0)) != (p < 1 - 0.95)))
    result = tuple(100 * float(np.mean(one)) for one in (rejected, covered, apart))
    level, coverage, differ = result
    print(f"{test} n={lists}: level {level:.1f}%, coverage {coverage:.1f}%, apart {differ:.2f}%")
    return result


@pytest.mark.parametrize("lists", [8, 20, 50])
@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_level_and_coverage(test, lists):
    level, coverage, apart = figures(test, lists, 120)
    assert level <= 6
    if lists < 20:  # where many lists tie, few patterns differ
        level = figures(test, lists, 120, SMOOTH)[0]
    assert level >= 4
    assert 93.5 <= coverage <= 96
    assert apart <= 0.5


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_the_level_of_very_few_lists_and_at_the_border(test):
    for lists in (2, 3, 4, 5, 6, methods.FEW):
        assert figures(test, lists, 60)[0] <= 6


@pytest.mark.parametrize("name", REAL)
def test_interval_and_p_agree_in_real_pairs(name):
    for lists in (6, 8, 20, len(REAL[name])):
        _, ends, p = compared(REAL[name][:lists], "randomisation", 0)
        excluded = (ends[:, 0] > 0) | (ends[:, 1] < 0)
        assert np.mean(excluded != (p < 1 - 0.95)) <= 0.005


def test_coverage_of_means():
    rng = np.random.default_rng(3)
    for lists, least in ((2, 75), (8, 88), (20, 90), (50, 92)):
        covered = []
        for table in REAL.values():
            for at in range(60):
                columns = table[:, rng.choice(table.shape[1], SYSTEMS, replace=False)]
                drawn = columns[rng.integers(0, len(columns), lists)]
                shares = {i: Shares("mean", one, None) for i, one in enumerate(drawn.T)}
                requested = methods.IntervalOptions(0.95, "bootstrap", 999, at)
                ends = methods.find_intervals(shares, requested, None)
                truth = columns.mean(axis=0)
                covered += [low <= truth[i] <= high for i, (low, high) in ends.items()]
        print(f"means n={lists}: coverage {100 * np.mean(covered):.1f}%")
        assert 100 * np.mean(covered) >= least


@pytest.mark.parametrize("tuned", [True, False])
def test_coverage_of_corrected_means(tuned):
    rng = np.random.default_rng(4)
    for people in (5, 10, 20, 50):
        covered, repeats = 0, 3_000
        for _ in range(repeats):
            truth = rng.beta(2, 3, people + 300)
            model = np.clip(truth + 0.1 + rng.normal(0, 0.08, people + 300), 0, 1)
            ends = [
                rg.Evaluation({"AP": one.mean()}, {"AP": one}, [f"q{i}" for i in range(len(one))])
                for one in (model, truth[:people])
            ]
            result = rg.corrected_mean(*ends, "AP", tuned=tuned)
            covered += result.low <= 0.4 <= result.high
        print(f"corrected, tuned={tuned}, n={people}: coverage {100 * covered / repeats:.1f}%")
        assert people < 10 or 93.5 <= 100 * covered / repeats <= 97.5
