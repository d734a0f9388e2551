"""comparison.ranks beside a bootstrap by loops; ties, missing values, prints and errors."""

import itertools
import math
import pickle

import numpy as np
import pytest

import rankgain as rg
from systems import evaluations, made

BOOTSTRAPS = 2_000


def given(table, **options):
    return {
        f"s{at}": rg.Evaluation.from_values({"x": column}, **options)
        for at, column in enumerate(table.T)
    }


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


def test_lower_is_better_turns_the_ranks():
    table = made(40, 4, 3) + np.array([0, 0.1, 0.2, 0.3])
    higher = rg.compare(given(table)).ranks("x")
    lower = rg.compare(given(table, better="lower")).ranks("x")
    assert list(lower) == list(higher)[::-1]
    assert lower == {
        name: (5 - rank, 5 - high, 5 - low) for name, (rank, low, high) in higher.items()
    }
    assert lower == rg.compare(given(-table)).ranks("x")


def test_equal_means_share_the_smallest_rank():
    base = made(30, 1)
    table = np.hstack([base, base, base + 0.2, base - 0.1])
    ranks = rg.compare(given(table)).ranks("x")
    assert ranks == {"s2": (1, 1, 1), "s0": (2, 2, 3), "s1": (2, 2, 3), "s3": (4, 4, 4)}
    assert list(ranks) == ["s2", "s0", "s1", "s3"]


def test_a_constant_difference_is_told_apart_whatever_is_rounded():
    base = made(30, 1) * 1e6
    table = np.hstack([base, base + 1e-3])
    assert rg.compare(given(table)).ranks("x") == {"s1": (1, 1, 1), "s0": (2, 2, 2)}
    equal = np.hstack([base * 3 / 3, base])
    assert rg.compare(given(equal)).ranks("x")["s0"][1:] == (1, 2)


def test_the_rank_is_that_of_the_evaluated_mean():
    table = made(25, 6, 4)
    comparison = rg.compare(evaluations(table))
    ranks = comparison.ranks("AP")
    order = sorted(comparison.names, key=lambda name: -comparison.evaluations[name]["AP"])
    assert [ranks[name][0] for name in order] == [1, 2, 3, 4, 5, 6]
    assert all(low <= rank <= high for rank, low, high in ranks.values())


def test_a_higher_level_widens_the_intervals():
    comparison = rg.compare(evaluations(made(40, 8, 5) + np.linspace(0, 0.3, 8)))
    widths = []
    for level in (0.5, 0.9, 0.99):
        ranks = comparison.ranks("AP", level=level)
        widths.append(sum(high - low for _, low, high in ranks.values()))
    assert widths[0] < widths[1] < widths[2]


def test_all_systems_take_part_with_a_baseline_and_with_segments():
    runs = evaluations(made(40, 4, 6))
    expected = rg.compare(runs).ranks("AP")
    assert rg.compare(runs, baseline="s2").ranks("AP") == expected
    assert rg.compare(runs, by=["x", "y"] * 20).ranks("AP") == expected


def test_seeds_and_resamples_are_those_of_the_comparison():
    runs = evaluations(made(40, 5, 7))
    first, again = (rg.compare(runs, seed=3, resamples=300).ranks("AP") for _ in range(2))
    assert first == again
    assert first.queries == 40


def test_only_queries_where_all_have_a_value_count():
    table = made(40, 3, 8)
    with_gaps = table.copy()
    with_gaps[5, 0] = with_gaps[9, 2] = np.nan
    found = rg.compare(given(with_gaps)).ranks("x")
    assert found.queries == 38
    complete = np.delete(table, [5, 9], axis=0)
    assert found == rg.compare(given(complete)).ranks("x")
    assert found.means == pytest.approx(
        {f"s{at}": mean for at, mean in enumerate(complete.mean(axis=0))}
    )


def test_one_query_tells_nothing_apart():
    ranks = rg.compare(given(np.array([[0.9, 0.1, 0.5]]))).ranks("x")
    assert ranks == {"s0": (1, 1, 3), "s2": (2, 1, 3), "s1": (3, 1, 3)}


def test_weighted_and_micro_means_are_ranked_by_their_means():
    rng = np.random.default_rng(9)
    weights = rng.integers(1, 9, 60) / 2
    table = rng.random((60, 3)) + np.array([0, 0.3, 0.6])
    runs = {
        f"s{at}": rg.Evaluation(
            {"AP": float(np.average(column, weights=weights))},
            {"AP": column},
            range(60),
            weights=weights,
        )
        for at, column in enumerate(table.T)
    }
    assert rg.compare(runs).ranks("AP") == {"s2": (1, 1, 1), "s1": (2, 2, 2), "s0": (3, 3, 3)}


def test_the_print_says_who_is_tied_for_best():
    base = made(60, 1)
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.05, (60, 3))
    table = base + noise + np.array([0.3, 0.3, 0])
    ranks = rg.compare(given(table)).ranks("x")
    assert sorted(ranks.tied_for_best) == ["s0", "s1"]
    lines = str(ranks).splitlines()
    assert [line.endswith("tied for best") for line in lines[1:4]] == [True, True, False]
    single = str(rg.compare(given(table[:, 1:])).ranks("x"))
    assert "tied" not in single
    assert single.splitlines()[1].endswith("  best")
    assert "60 queries" in single
    copy = pickle.loads(pickle.dumps(ranks))
    assert (copy, str(copy)) == (ranks, str(ranks))


def test_wrong_arguments_are_errors(tmp_path):
    comparison = rg.compare(evaluations(made(10, 2)))
    with pytest.raises(ValueError, match="level must be"):
        comparison.ranks("AP", level=1)
    with pytest.raises(KeyError, match="nDCG was not evaluated"):
        comparison.ranks("nDCG")
    path = tmp_path / "c.json"
    comparison.to_json(path)
    with pytest.raises(ValueError, match="was read from a file"):
        rg.Comparison.read(path).ranks("AP")
    gaps = given(np.array([[1, np.nan], [np.nan, 1]]))
    with pytest.raises(ValueError, match="no query has a value of x for all systems"):
        rg.compare(gaps).ranks("x")


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
