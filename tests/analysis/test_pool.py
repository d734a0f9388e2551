"""rg.pool: means of collections' means, and tests, intervals and ranks within each collection."""

import math
import pickle

import numpy as np
import pytest

import rankgain as rg
from systems import given

stats = pytest.importorskip("scipy.stats")


def tables(*sizes, systems=2, seed=0, gap=0.05):
    """A table of values for each collection, a column for each system."""
    rng = np.random.default_rng(seed)
    return {
        f"c{at}": rng.random((n, 1)) + rng.normal(0, 0.1 + 0.1 * at, (n, systems))
        + gap * np.arange(systems)
        for at, n in enumerate(sizes)
    }  # fmt: skip


def pooled(by_name, **options):
    return rg.pool({name: given(table, **options) for name, table in by_name.items()})


def welch(by_name, a=0, b=1):
    """The difference, its standard error and degrees of freedom, by the formulas."""
    differences = [table[:, a] - table[:, b] for table in by_name.values()]
    count = len(differences)
    parts = [d.var(ddof=1) / len(d) / count**2 for d in differences]
    freedom = sum(parts) ** 2 / sum(
        part**2 / (len(d) - 1) for part, d in zip(parts, differences, strict=True)
    )
    return np.mean([d.mean() for d in differences]), math.sqrt(sum(parts)), freedom


def test_t_is_that_of_welch():
    by_name = tables(12, 60, 35)
    center, error, freedom = welch(by_name)
    row = pooled(by_name).compare(test="t", margin=0.1).rows[0]
    assert row.difference == pytest.approx(center, rel=1e-12)
    assert row.p == pytest.approx(2 * stats.t.sf(abs(center) / error, freedom), rel=1e-9)
    half = stats.t.ppf(0.975, freedom) * error
    assert (row.low, row.high) == pytest.approx((center - half, center + half), rel=1e-9)
    above = stats.t.sf((0.1 + center) / error, freedom)
    below = stats.t.sf((0.1 - center) / error, freedom)
    assert row.p_equivalent == pytest.approx(max(above, below), rel=1e-9)
    assert row.lists == row.wins + row.ties + row.losses == 107


@pytest.mark.parametrize("test", ["t", "randomisation", "bootstrap"])
@pytest.mark.parametrize("seed", range(4))
def test_an_interval_excludes_0_exactly_if_p_is_below_the_level(test, seed):
    by_name = tables(42, 90, systems=4, seed=seed, gap=0.03)
    for row in pooled(by_name).compare(test=test, resamples=999).rows:
        assert (row.low > 0 or row.high < 0) == (row.p < 0.05)


def test_the_interval_of_a_system_is_that_of_a_mean_of_data_sets():
    by_name = tables(50, 80)
    result = pooled(by_name)["s0"]
    parts = rg.Evaluations({name: given(table)["s0"] for name, table in by_name.items()})
    assert result.interval("f1") == parts.interval("f1")
    assert result.interval("f1", method="t") == parts.interval("f1", method="t")
    assert result.intervals()["f1"] == result.interval("f1")


def test_missing_values_are_left_out_of_a_collections_mean():
    by_name = tables(20, 30)
    by_name["c1"][3, 0] = np.nan
    result = pooled(by_name)
    assert result["s0"]["f1"] == pytest.approx(
        np.mean([np.nanmean(table[:, 0]) for table in by_name.values()])
    )
    row = result.compare(test="t").rows[0]
    kept = {**by_name, "c1": np.delete(by_name["c1"], 3, axis=0)}
    center, error, freedom = welch(kept)
    assert row.difference == pytest.approx(center, rel=1e-12)
    assert row.p == pytest.approx(2 * stats.t.sf(abs(center) / error, freedom), rel=1e-9)


def test_measures_of_rankgain_and_lower_values_are_pooled():
    labels = np.random.default_rng(0).integers(0, 2, (20, 5))
    scores = {name: np.random.default_rng(at).random((20, 5)) for at, name in enumerate("ab")}
    runs = rg.evaluate_models(labels, scores, ["nDCG", "RR"])
    halves = {
        "x": rg.Evaluations({name: run.by([0] * 8 + [1] * 12)["0"] for name, run in runs.items()}),
        "y": rg.Evaluations({name: run.by([0] * 8 + [1] * 12)["1"] for name, run in runs.items()}),
    }
    result = rg.pool(halves)
    expected = (halves["x"]["a"]["nDCG"] + halves["y"]["a"]["nDCG"]) / 2
    assert result["a"]["nDCG"] == pytest.approx(expected, rel=1e-15)
    assert "run  nDCG x  nDCG y  nDCG mean    RR x    RR y  RR mean" in str(result)
    lower = pooled(tables(10, 12), better="lower")
    best = min(lower, key=lambda name: lower[name]["f1"])
    line = next(one for one in lower.to_markdown().splitlines() if one.startswith(f"| {best} "))
    assert line.endswith("** |")


def test_tables_have_a_column_for_each_collection_and_a_legend():
    result = pooled(tables(60, 70, gap=0.3))
    text = str(result).splitlines()
    assert text[0].split() == ["run", "c0", "c1", "mean"]
    assert "f1; each of 2 collections counts equally" in text
    assert "f1; each of 2 collections counts equally" in result.to_markdown()
    assert r"\multicolumn{4}{l}{\footnotesize f1; each of 2 collections" in result.to_latex()
    comparison = result.compare(baseline="s0", resamples=500)
    latex = comparison.to_latex()
    assert r"run & c0 & c1 & mean \\" in latex
    assert latex.count(r"$^{\dagger}$") == 1
    marked = next(line for line in latex.splitlines() if r"$^{\dagger}$ \\" in line)
    assert marked.startswith("s1 &")
    assert "each of 2 collections counts equally" in latex
    assert "each of 2 collections counts equally: p and intervals" in str(comparison)
    parts = result["s0"].by([label for label, _ in result["s0"].queries])
    assert "c0 " not in str(parts).splitlines()[0]
    assert parts["c1"]["f1"] == pytest.approx(tables(60, 70, gap=0.3)["c1"][:, 0].mean())


def test_pooled_evaluations_are_stored_and_pickled(tmp_path):
    result = pooled(tables(10, 12))
    path = tmp_path / "e.json"
    result.to_json(path)
    assert rg.Evaluations.read(path) == result
    assert pickle.loads(pickle.dumps(result)) == result
    comparison = result.compare()
    comparison.to_json(path)
    read = rg.Comparison.read(path)
    assert read == comparison
    assert str(read) == str(comparison)
    assert read.collections == ("c0", "c1")


def test_what_has_no_meaning_for_several_collections_is_refused():
    assert "would have found" not in str(pooled(tables(20, 20, gap=0)).compare())


def test_the_page_and_the_verdict_take_pooled_evaluations(tmp_path):
    pytest.importorskip("jinja2")
    comparison = pooled(tables(50, 60, gap=0.3)).compare(resamples=500)
    comparison.report(tmp_path / "page.html")
    assert comparison.verdict().startswith("s1 is better than s0 in f1: ")
