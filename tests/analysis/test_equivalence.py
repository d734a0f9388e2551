"""compare(margin=): two one-sided tests, and the words better, worse, equivalent and undecided."""

import math
import pickle

import pytest

import rankgain as rg
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")


def test_p_is_that_of_statsmodels():
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    table = made(30, 2, seed=2)
    row = rg.compare(evaluations(table), margin=0.05).rows[0]
    expected = weightstats.ttost_paired(table[:, 0], table[:, 1], -0.05, 0.05)[0]
    assert row.p_equivalent == pytest.approx(expected, rel=1e-10)


def test_without_a_margin_there_is_no_p_and_no_column():
    comparison = rg.compare(evaluations(made(20, 2)))
    assert math.isnan(comparison.rows[0].p_equivalent)
    assert "equivalent" not in str(comparison)
    assert comparison.rows[0]._fields[-2:] == ("lists", "p_equivalent")
    assert pickle.loads(pickle.dumps(comparison)).rows == comparison.rows


def test_one_query_has_no_p():
    row = rg.compare(evaluations(made(1, 2)), margin=0.1).rows[0]
    assert math.isnan(row.p_equivalent)


def test_the_margin_is_stored_and_read(tmp_path):
    comparison = rg.compare(evaluations(made(20, 2)), margin=0.1)
    path = tmp_path / "c.json"
    comparison.to_json(path)
    read = rg.Comparison.read(path)
    assert read == comparison
    assert str(read) == str(comparison)
    assert read.to_pandas()["p_equivalent"].tolist() == [comparison.rows[0].p_equivalent]
