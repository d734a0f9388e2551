"""comparison.verdict(): each sentence says what the numbers say, and nothing more."""

import html
import math

import numpy as np
import pytest

import rankgain as rg


def systems(*shifts, n=60, seed=0, noise=0.05, **options):
    """Systems whose values are those of the first, shifted, with noise of their own."""
    rng = np.random.default_rng(seed)
    base = rng.random(n)
    queries = [f"q{at}" for at in range(n)]
    return {
        f"s{at}": rg.Evaluation.from_values(
            {"f1": base + shift + rng.normal(0, noise, n)}, queries, **options
        )
        for at, shift in enumerate(shifts)
    }


def test_equivalence_is_said_where_it_was_shown():
    pytest.importorskip("scipy")
    comparison = rg.compare(systems(0, 0), margin=0.05, resamples=500)
    assert "The difference was shown to be smaller than 0.05 (p " in comparison.verdict()
    assert "would have found" not in comparison.verdict()
    wide = rg.compare(systems(0, 0.0, noise=0.5), margin=0.01, resamples=500)
    assert "shown to be smaller" not in wide.verdict()


@pytest.mark.parametrize("baseline", ["s0", None])
@pytest.mark.parametrize("segments", [None, ["x", "y"] * 30])
def test_verdicts_of_several_systems_name_all_pairs_that_the_table_calls_equivalent(
    baseline: str | None, segments: list[str] | None
) -> None:
    pytest.importorskip("scipy")
    comparison = rg.compare(
        systems(0, 0, 0.2), baseline=baseline, by=segments, margin=0.05, resamples=500
    )
    equivalent = [row for row in comparison.rows if "equivalent" in comparison.outcome(row)]
    assert len(equivalent) == (1 if segments is None else 2)
    pairs = []
    for row in equivalent:
        pair = f"{row.a} to {row.b}"
        if segments is not None:
            pair += f" in {row.segment}"
        pairs.append(pair)
    verdict = comparison.verdict()
    if segments is None and baseline is not None:
        assert f"; equivalent within 0.05: {equivalent[0].a}." in verdict
        assert "no difference shown" not in verdict
    else:
        assert f" Equivalent within 0.05: {' and '.join(pairs)}." in verdict
    narrow = rg.compare(systems(0, 0, 0.2), baseline=baseline, by=segments, margin=0.001)
    assert "quivalent" not in narrow.verdict()


def test_the_verdict_of_a_pair_says_in_which_segments_it_is_equivalent():
    pytest.importorskip("scipy")
    segments = ["x"] * 30 + ["y"] * 30
    comparison = rg.compare(systems(0, 0), by=segments, margin=0.05, resamples=500)
    assert all(map(comparison.is_equivalent, comparison.rows))
    verdict = comparison.verdict()
    assert "by segment: equivalent within 0.05 in x and y." in verdict
    assert "no difference shown" not in verdict
    better = rg.compare(systems(0, 0.1), by=segments, margin=0.5, resamples=500)
    assert all(map(better.is_equivalent, better.rows))
    assert "worse, but equivalent within 0.5, in x and y." in better.verdict()


def test_systems_are_sorted_by_their_outcome_against_the_baseline():
    comparison = rg.compare(systems(0, 0.1, -0.1, 0), baseline="s0", resamples=2000)
    verdict = comparison.verdict()
    assert verdict.startswith("Against the baseline s0 in f1, better: s1 by +0.")
    assert "; worse: s2 by -0." in verdict
    assert "; no difference shown: s3." in verdict
    assert "corrected p" in verdict
    assert "Queries that changed most between s1 and s0: " in verdict


def test_the_best_of_all_pairs_is_named_with_those_that_it_beats():
    comparison = rg.compare(systems(0.1, 0.1, 0, -0.1), resamples=2000)
    best, second = sorted(comparison.names, key=lambda name: -comparison.evaluations[name]["f1"])[
        :2
    ]
    verdict = comparison.verdict()
    assert verdict.startswith(f"{best} has the best mean f1 of 4 systems, ")
    assert f"it is better than s2 and s3 and was not shown to be better than {second}." in verdict
    row = next(row for row in comparison.rows if {row.a, row.b} == {best, second})
    difference = row.difference if row.a == best else -row.difference
    assert f"Its difference from the second, {second}, is {difference:+.4f} (" in verdict
    assert verdict.count(f"Queries that changed most between {best} and {second}: ") == 1


def test_other_measures_are_not_hidden():
    rng = np.random.default_rng(1)
    base = rng.random(60)
    runs = {
        name: rg.Evaluation.from_values(
            {"x": base + shift + rng.normal(0, 0.02, 60), "y": base - shift, "z": rng.random(60)}
        )
        for name, shift in {"new": 0.1, "old": 0.0}.items()
    }
    comparison = rg.compare(runs, resamples=2000)
    assert "Other measures: old is better in y (+0.1000) and no difference shown in z." in (
        comparison.verdict()
    )
    assert comparison.verdict("y").startswith("old is better than new in y: ")


def test_few_queries_and_missing_values_make_no_claim():
    one = rg.compare(systems(0, 0.1, n=1))
    assert one.verdict().startswith("No difference in f1 between s0 and s1 was shown: ")
    assert "interval" not in one.verdict()
    assert "1 query)" in one.verdict()
    a = rg.Evaluation.from_values({"x": [1, None]})
    b = rg.Evaluation.from_values({"x": [None, 1]})
    nothing = rg.compare({"a": a, "b": b})
    assert math.isnan(nothing.rows[0].p)
    assert nothing.verdict() == "a and b have too few common values of x to compare them."


def test_control_characters_of_names_are_escaped():
    values = {"f\x1b[1": [1, 2, 3]}
    runs = {"a\x1b": rg.Evaluation.from_values(values), "b": rg.Evaluation.from_values(values)}
    assert rg.compare(runs).verdict().isprintable()


def test_the_page_has_the_same_text(tmp_path):
    pytest.importorskip("jinja2")
    pytest.importorskip("scipy")
    comparison = rg.compare(systems(0, 0.1), margin=0.2, resamples=500)
    path = tmp_path / "page.html"
    comparison.report(path)
    page = html.unescape(path.read_text())
    assert f'<p class="verdict">{comparison.verdict()}</p>' in page
    assert "worse, equivalent" in page
    assert "p equivalent" in page


def test_the_queries_that_moved_most_have_the_sign_of_the_sentence():
    comparison = rg.compare(systems(0, 0.1), resamples=500)
    changes = comparison.changes("f1", 3, a="s1", b="s0")
    parts = [f"{change.query} ({change.difference:+.4f})" for change in changes]
    expected = f"Queries that changed most: {parts[0]}, {parts[1]} and {parts[2]}."
    assert comparison.verdict().endswith(expected)


@pytest.mark.parametrize(("key", "noun"), [("query_id", "queries"), ("user_id", "users")])
def test_verdicts_call_users_users(key: str, noun: str) -> None:
    pytest.importorskip("narwhals")
    rows = {key: np.repeat(range(24), 2), "label": [1, 0] * 24, "x": [0, 2] * 24, "y": [2, 0] * 24}
    rows |= {"z": [0, 2] * 13 + [2, 0] * 11, "w": [2, 0] * 13 + [0, 2] * 11}
    frame = pytest.importorskip("pandas").DataFrame(rows)

    def compared(first: str, second: str, lists: int) -> rg.Comparison:
        part = frame[: 2 * lists]
        names = (first, second)
        return rg.compare({name: rg.evaluate_frame(part, "RR", score=name) for name in names})

    verdict = compared("x", "y", 24).verdict()
    assert f", 24 {noun}). {noun.capitalize()} that changed most: " in verdict
    assert f"With 2 {noun} this test cannot find" in compared("x", "y", 2).verdict()
    assert f"With 24 {noun} this test would have found" in str(compared("z", "w", 24))
