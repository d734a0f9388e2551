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
    with pytest.raises(KeyError, match="map was not evaluated, only ndcg@10"):
        evaluation["map"]


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


def test_columns_that_pair_other_rows_are_refused():
    pandas = pytest.importorskip("pandas")
    columns = {"x": pandas.Series([1, 2], ["a", "b"]), "y": pandas.Series([1, 2], ["b", "a"])}
    with pytest.raises(ValueError, match="same labels in another order"):
        rg.Evaluation.from_values(columns)


@pytest.mark.parametrize(("values", "options", "error", "words"), [
    ({"a": [1, "2"]}, {}, TypeError, r"values\['a'\]: value 1 must be a number, not '2'"),
    ({"a": [1], "b": [1, 2]}, {}, ValueError, r"values\['b'\] has 2 values, but values\['a'\]"),
    ({"a": [1]}, {"better": {"b": "lower"}}, ValueError, "better names 'b', which has no values"),
])  # fmt: skip
def test_bad_values_are_errors_that_name_the_column(values, options, error, words):
    with pytest.raises(error, match=words):
        rg.Evaluation.from_values(values, **options)


def test_evaluations_that_disagree_about_a_name_are_refused():
    up = rg.Evaluation.from_values({"x": [1, 2]})
    down = rg.Evaluation.from_values({"x": [1, 2]}, better="lower")
    for function in (rg.Evaluations, rg.compare):
        with pytest.raises(ValueError, match="higher values are better in 'a', lower ones in 'b'"):
            function({"a": up, "b": down})
    with pytest.raises(ValueError, match="which values are better"):
        rg.Evaluation.merge([up, down])
    total = rg.Accumulator()
    total.add(up)
    with pytest.raises(ValueError, match="which values are better"):
        total.add(down)


def test_a_given_name_is_not_joined_with_a_measure():
    measured = rg.evaluate_arrays([[0, 1], [1, 0]], None, "nDCG")
    given_values = rg.Evaluation.from_values({"nDCG": [1.0, 0.5]})
    with pytest.raises(ValueError, match="may not be the same measure"):
        rg.compare({"a": measured, "b": given_values})
    both = rg.Evaluation.from_values(measured.per_query, measured.queries)
    assert rg.compare({"a": both, "b": given_values}).rows[0].lists == 2


def test_odd_names_are_escaped_in_latex():
    latex = given(made(20, 2), ODD).compare(resamples=100).to_latex()
    assert r"exact match (5-shot), \% \& \textless{}b\textgreater{}\_x\_" in latex
