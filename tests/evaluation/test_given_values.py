"""Evaluation.from_values: values of another program under free names, and where they may go."""

import pytest

import rankgain as rg
from systems import given, made

ODD = "exact match (5-shot), % & <b>_x_</b>"


def test_names_are_kept_as_they_are_and_never_parsed():
    names = ["ndcg@10", " padded ", "P_5", ODD, "AP"]
    evaluation = rg.Evaluation.from_values({name: [at, 1] for at, name in enumerate(names)})
    assert list(evaluation) == names
    assert evaluation["ndcg@10"] == 0.5
    assert evaluation["P_5"] == 1.5
    assert "nDCG@10" not in evaluation
    assert "P@5" not in evaluation


def test_columns_of_other_libraries_are_sequences_too():
    pandas, polars, arrow = map(pytest.importorskip, ["pandas", "polars", "pyarrow"])
    columns = [
        pandas.Series([1, pandas.NA, 0], dtype="Int64"),
        pandas.array([True, None, False], dtype="boolean"),
        polars.Series([1, None, 0]),
        arrow.array([1, None, 0]),
    ]
    for column in columns:
        evaluation = rg.Evaluation.from_values({"x": column})
        assert evaluation["x"] == 0.5
        assert evaluation.counts["undefined"] == {"x": 1}


def test_a_given_name_is_not_joined_with_a_measure():
    measured = rg.evaluate_arrays([[0, 1], [1, 0]], None, "nDCG")
    given_values = rg.Evaluation.from_values({"nDCG": [1.0, 0.5]})
    both = rg.Evaluation.from_values(measured.per_query, measured.queries)
    assert rg.compare({"a": both, "b": given_values}).rows[0].lists == 2


def test_odd_names_are_escaped_in_latex():
    latex = given(made(20, 2), ODD).compare(resamples=100).to_latex()
    assert r"exact match (5-shot), \% \& \textless{}b\textgreater{}\_x\_" in latex
