"""Evaluation.from_values: values of another program under free names, and where they may go."""

import json
import math
import pickle
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pytest

import rankgain as rg
from systems import made

TESTS = ["t", "randomisation", "bootstrap", "wilcoxon", "sign", "tukey", "randomised_tukey"]
ODD = "exact match (5-shot), % & <b>_x_</b>"


def given(table, name="score", **options):
    """The columns of a table as systems with given values."""
    return rg.Evaluations(
        {
            f"s{at}": rg.Evaluation.from_values({name: column}, **options)
            for at, column in enumerate(table.T)
        }
    )


def computed(table, name="AP"):
    """The same values under a name of rankgain."""
    return rg.Evaluations(
        {
            f"s{at}": rg.Evaluation(
                {name: math.fsum(column) / len(column)}, {name: column}, range(len(column))
            )
            for at, column in enumerate(table.T)
        }
    )


def test_names_are_kept_as_they_are_and_never_parsed():
    names = ["ndcg@10", " padded ", "P_5", ODD, "AP"]
    evaluation = rg.Evaluation.from_values({name: [at, 1] for at, name in enumerate(names)})
    assert list(evaluation) == names
    assert evaluation["ndcg@10"] == 0.5
    assert evaluation["P_5"] == 1.5
    assert "nDCG@10" not in evaluation
    assert "P@5" not in evaluation
    with pytest.raises(KeyError, match="map was not evaluated; there are ndcg@10"):
        evaluation["map"]


@pytest.mark.parametrize(
    "column",
    [
        [1, None, 0.5],
        (True, float("nan"), Decimal("0.5")),
        np.array([1.0, np.nan, 0.5], np.float32),
        np.array([1, None, 0.5], object),
    ],
    ids=["list", "tuple", "float32", "object"],
)
def test_missing_values_are_left_out_and_counted(column):
    evaluation = rg.Evaluation.from_values({"x": column, "y": [1, 2, 3]}, ["a", "b", "c"])
    assert evaluation["x"] == 0.75
    assert math.isnan(evaluation.per_query["x"][1])
    assert evaluation.counts["undefined"] == {"x": 1}
    assert evaluation.counts["undefined_as"] == {"x": "skip"}
    assert str(evaluation).endswith("3 queries (1 missing for x, skipped)")
    assert evaluation.by({"a": 1, "b": 2, "c": 2})["2"].counts["undefined"] == {"x": 1}


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


@pytest.mark.parametrize(
    ("values", "options", "error", "words"),
    [
        ([1, 2], {}, TypeError, "must be a mapping"),
        ({}, {}, ValueError, "values is empty"),
        ({"a": []}, {}, ValueError, r"values\['a'\] is empty"),
        ({" ": [1]}, {}, ValueError, "is not a name"),
        ({3: [1]}, {}, TypeError, "must be text, not 3"),
        ({"a": [1, "2"]}, {}, TypeError, r"values\['a'\]: value 1 must be a number, not '2'"),
        ({"a": [1, 2j]}, {}, TypeError, "value 1 must be a number"),
        ({"a": [1, -math.inf]}, {}, ValueError, "value 1 is -inf"),
        ({"a": np.array([np.inf])}, {}, ValueError, "value 0 is inf"),
        ({"a": [10**400]}, {}, ValueError, "too large for a float64"),
        ({"a": "12"}, {}, TypeError, "must be a sequence of numbers"),
        ({"a": {0: 1}}, {}, TypeError, "must be a sequence of numbers"),
        ({"a": {1, 2}}, {}, TypeError, "must be a sequence of numbers"),
        ({"a": np.ones((2, 2))}, {}, ValueError, "2 dimensions"),
        ({"a": [1], "b": [1, 2]}, {}, ValueError, r"values\['b'\] has 2 values, but values\['a'\]"),
        (
            {"a": [1, 2]},
            {"queries": ["q"]},
            ValueError,
            r"values\['a'\] has 2 values, but there are 1",
        ),
        ({"a": [1, 2]}, {"queries": ["q", "q"]}, ValueError, "'q' occurs twice"),
        ({"a": [1, 2]}, {"queries": ["q", None]}, ValueError, "queries: id 1 is None"),
        ({"a": [1, 2]}, {"queries": "qr"}, TypeError, "queries must be a sequence"),
        ({"a": [1]}, {"better": "up"}, ValueError, 'better must be "higher" or "lower"'),
        (
            {"a": [1]},
            {"better": {"b": "lower"}},
            ValueError,
            "better names 'b', which has no values",
        ),
        ({"a": [1]}, {"better": {"a": "less"}}, ValueError, r"better\['a'\] must be"),
        ({"a": [1]}, {"better": 1}, TypeError, "better must be"),
    ],
)
def test_bad_values_are_errors_that_name_the_column(values, options, error, words):
    with pytest.raises(error, match=words):
        rg.Evaluation.from_values(values, **options)


@pytest.mark.parametrize("test", TESTS)
def test_the_same_numbers_give_the_rows_of_a_measure(test):
    pytest.importorskip("scipy")
    table = made(45, 3)
    options = {"test": test, "resamples": 500, "margin": 0.05}
    rows = rg.compare(given(table), **options).rows
    expected = rg.compare(computed(table), **options).rows
    assert rows == tuple(row._replace(measure="score") for row in expected)


def test_the_same_numbers_give_the_intervals_and_tables_of_a_measure():
    table = np.round(made(60, 3), 3)
    ours, theirs = computed(table), given(table, "AP")
    assert theirs.intervals() == ours.intervals()
    assert theirs["s0"].interval("AP", method="t") == ours["s0"].interval("AP", method="t")
    convention = " (convention rankgain)"
    assert theirs.to_latex() == ours.to_latex().replace(convention, "")
    assert theirs.to_markdown() == ours.to_markdown().replace(convention, "")
    assert theirs.to_csv() == ours.to_csv()
    latex = theirs.compare(resamples=500).to_latex()
    assert latex == ours.compare(resamples=500).to_latex().replace(convention, "")


def test_lower_turns_what_is_better_and_no_sign():
    table = made(60, 2)
    higher, lower = (
        given(table, better=better).compare(resamples=500) for better in ("higher", "lower")
    )
    a, b = higher.rows[0], lower.rows[0]
    assert (b.wins, b.losses) == (a.losses, a.wins)
    assert b._replace(wins=a.wins, losses=a.losses) == a
    assert higher.is_better(a) != lower.is_better(b)
    assert list(given(table, better="lower").sort("score")) != list(given(table).sort("score"))
    best = f"**{min(table.mean(axis=0)):.4f}**"
    assert best in given(table, better="lower").to_markdown()


def test_directions_survive_files_pickles_segments_and_merging(tmp_path):
    table = made(50, 2)
    evaluations = given(table, ODD, better="lower")
    comparison = evaluations.compare(resamples=200)
    path, comparison_path = tmp_path / "e.json", tmp_path / "c.json"
    evaluations.to_json(path)
    comparison.to_json(comparison_path)
    assert rg.Evaluations.read(path) == evaluations
    code = (
        "import sys, rankgain as rg; e = rg.Evaluations.read(sys.argv[1]);"
        "c = rg.Comparison.read(sys.argv[2]);"
        "print(e.compare(resamples=200).is_better(e.compare(resamples=200).rows[0]),"
        "c.is_better(c.rows[0]))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code, path, comparison_path],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    expected = comparison.is_better(comparison.rows[0])
    assert printed.split() == [str(expected)] * 2
    assert pickle.loads(pickle.dumps(evaluations)) == evaluations
    one = evaluations["s0"]
    assert pickle.loads(pickle.dumps(one)).better == {ODD: "lower"}
    assert all(part.better == {ODD: "lower"} for part in one.by([0, 1] * 25).values())
    other = rg.Evaluation.from_values({ODD: [1.0, 2.0]}, ["x", "y"], better="lower")
    named = rg.Evaluation.from_values(
        {ODD: table[:, 0]}, [f"q{at}" for at in range(50)], better="lower"
    )
    merged = rg.Evaluation.merge([named, other])
    assert merged.better == {ODD: "lower"}
    assert merged[ODD] == pytest.approx(np.append(table[:, 0], [1.0, 2.0]).mean())
    total = rg.Accumulator()
    total.add(named)
    total.add(other)
    assert total.means[ODD] == merged[ODD]
    assert total.interval(ODD)
    assert rg.Accumulator.from_dict(json.loads(json.dumps(total.to_dict()))) == total
    assert "52 queries" in str(merged)
    assert "52" in str(total.result())


def test_evaluations_that_disagree_about_a_name_are_refused():
    up = rg.Evaluation.from_values({"x": [1, 2]})
    down = rg.Evaluation.from_values({"x": [1, 2]}, better="lower")
    for function in (rg.Evaluations, rg.compare):
        with pytest.raises(
            ValueError, match="'x': higher values are better in 'a', lower ones in 'b'"
        ):
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


def test_two_sets_of_given_values_compare_without_a_warning(recwarn):
    rg.compare(given(made(20, 2)))
    assert not recwarn.list


def test_pictures_and_the_page_take_given_values(tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    pytest.importorskip("jinja2")
    from rankgain import plot

    evaluations = given(made(40, 2), ODD, better="lower")
    comparison = evaluations.compare(resamples=200)
    ax = plot.differences(comparison)
    row = comparison.rows[0]
    assert f"{row.wins:,} better" in ax.get_xlabel()
    for draw in (plot.scatter, plot.distribution):
        draw(evaluations)
    plot.segments(evaluations)
    with pytest.raises(ValueError, match="free names"):
        plot.by_cutoff(evaluations)
    with pytest.raises(ValueError, match="no interpolated precision"):
        plot.precision_recall(evaluations)
    path = tmp_path / "page.html"
    comparison.report(path)
    page = path.read_text()
    assert "exact match (5-shot), % &amp; &lt;b&gt;_x_&lt;/b&gt;" in page
    assert "<b>_x_" not in page
    assert "lowest, and so the best," in page
    assert "convention</dt>" not in page


def test_odd_names_are_escaped_in_latex():
    latex = given(made(20, 2), ODD).compare(resamples=100).to_latex()
    assert r"exact match (5-shot), \% \& \textless{}b\textgreater{}\_x\_" in latex


def test_changes_take_given_values():
    evaluations = given(np.array([[1.0, 0.0], [0.5, 0.4], [0.2, 0.2]]), ODD)
    [first, second] = evaluations.compare().changes(ODD)
    assert (first.query, first.difference) == (0, 1.0)
    assert second.query == 1
    assert "corrected_mean" in dir(rg)
    mean, low, high = rg.corrected_mean(
        rg.Evaluation.from_values({ODD: np.linspace(0, 1, 60)}, range(60)),
        rg.Evaluation.from_values({ODD: np.linspace(0, 1, 60)[::2]}, range(0, 60, 2)),
        ODD,
    )
    assert low <= mean <= high
