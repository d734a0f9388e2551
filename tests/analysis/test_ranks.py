"""comparison.ranks beside a bootstrap by loops; ties, missing values, prints and errors."""

import itertools
import math
import pickle

import numpy as np
import pytest

import rankgain as rg
from systems import evaluations, given, made

BOOTSTRAPS = 2_000


def by_loops(table, level=0.95, seed=0, resamples=BOOTSTRAPS):
    """Ranks of the columns, greater values better, and their intervals, by plain loops."""
    n, systems = table.shape
    pairs = list(itertools.combinations(range(systems), 2))
    differences = {(a, b): table[:, a] - table[:, b] for a, b in pairs}
    rng = np.random.default_rng(seed)
    greatest = []
    for _ in range(resamples):
        drawn = rng.integers(0, n, n)
        statistics = []
        for d in differences.values():
            error = d[drawn].std(ddof=1) / math.sqrt(n)
            statistics.append(abs(d[drawn].mean() - d.mean()) / error if error else math.inf)
        greatest.append(max(statistics))
    critical = np.quantile(greatest, level)
    better = np.zeros(systems, int)
    worse = np.zeros(systems, int)
    for (a, b), d in differences.items():
        t = d.mean() / (d.std(ddof=1) / math.sqrt(n))
        if abs(t) > critical:
            winner, loser = (a, b) if t > 0 else (b, a)
            better[loser] += 1
            worse[winner] += 1
    means = table.mean(axis=0)
    ranks = [1 + int((means > mean).sum()) for mean in means]
    return {f"s{at}": (ranks[at], 1 + better[at], systems - worse[at]) for at in range(systems)}


@pytest.mark.parametrize(("lists", "systems", "seed"), [(20, 4, 0), (50, 6, 1), (300, 5, 2)])
def test_ranks_are_those_of_a_bootstrap_by_loops(lists, systems, seed):
    table = made(lists, systems, seed)
    table += np.linspace(0, 0.25, systems) ** 2  # some are told apart, some are not
    found = rg.compare(evaluations(table), resamples=5_000).ranks("AP")
    assert found == by_loops(table)
    assert any(high < systems or low > 1 for _, low, high in found.values())


def test_the_print_says_who_is_tied_for_best():
    base = made(60, 1)
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.05, (60, 3))
    table = base + noise + np.array([0.3, 0.3, 0])
    ranks = rg.compare(given(table)).ranks("f1")
    assert sorted(ranks.tied_for_best) == ["s0", "s1"]
    lines = str(ranks).splitlines()
    assert [line.endswith("tied for best") for line in lines[1:4]] == [True, True, False]
    single = str(rg.compare(given(table[:, 1:])).ranks("f1"))
    assert "tied" not in single
    assert single.splitlines()[1].endswith("  best")
    assert "60 queries" in single
    copy = pickle.loads(pickle.dumps(ranks))
    assert (copy, str(copy)) == (ranks, str(ranks))


def test_a_picture_has_a_line_for_each_system():
    pytest.importorskip("matplotlib").use("agg")
    from rankgain import plot

    table = made(60, 6, 2) + np.linspace(0, 0.3, 6)
    comparison = rg.compare(evaluations(table))
    ranks = comparison.ranks("AP", level=0.9)
    ax = plot.ranks(comparison, "AP", level=0.9)
    drawn = [
        segment[:, 0].tolist() for lines in ax.collections[:1] for segment in lines.get_segments()
    ]
    assert drawn == [[low, high] for _, low, high in ranks.values()]
    assert [text.get_text() for text in ax.get_yticklabels()] == list(ranks)
    assert "AP" in ax.get_xlabel()
    with pytest.raises(TypeError, match="Comparison"):
        plot.ranks(comparison.evaluations)
