"""The print of a comparison fits 88 columns for two systems with short names and one measure."""

import itertools

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.comparison import Comparison
from rankgain.text import wrap_notes


def compare(names: tuple[str, ...], measures: tuple[str, ...], **options: object) -> Comparison:
    """Systems on 60 queries, of which the second is better than the others."""
    random = np.random.default_rng(5)
    evaluations = {}
    for at, name in enumerate(names):
        columns = {
            measure: np.clip(random.random(60) * 0.4 + 0.3 * (at == 1), 0, 1)
            for measure in measures
        }
        means = {measure: float(values.mean()) for measure, values in columns.items()}
        evaluations[name] = rg.Evaluation(means, columns, range(60))
    return rg.compare(evaluations, resamples=2000, **options)


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "RR@100"])
@pytest.mark.parametrize("names", [("a", "b"), ("bm25", "dense"), ("base", "tuned")])
@pytest.mark.parametrize("baseline", [False, True])
def test_two_systems_and_one_measure(names: tuple[str, str], measure: str, baseline: bool) -> None:
    options = {"baseline": names[0]} if baseline else {}
    result = compare(names, (measure,), **options)
    lines = str(result).splitlines()
    assert max(map(len, lines)) <= 88
    heads, row = lines[:2]
    assert heads.split()[-2:] == ["p", "w/t/l"]
    assert heads[: heads.index(" p ") + 2].endswith(" p")
    [numbers] = result.rows
    assert row.split()[-3:] == [
        f"{numbers.p:.4f}",
        "*",
        f"{numbers.wins}/{numbers.ties}/{numbers.losses}",
    ]
    # The end of p stands below its head.
    end = heads.index(" p ") + 2
    assert row[:end].endswith(f"{numbers.p:.4f}")
    assert "*: p below 0.05; w/t/l: queries that a wins, ties, loses" in lines


def test_a_corrected_p_has_a_column_if_it_differs() -> None:
    result = compare(("a", "b", "c"), ("AP", "RR"))
    lines = str(result).splitlines()
    assert lines[0].split()[-3:] == ["p", "corrected", "w/t/l"]
    for line, row in zip(lines[1:], result.rows, strict=False):
        star = ["*"] if row.p_corrected < 0.05 else []
        cells = line.split()[-3 - len(star) : -1]
        assert cells == [f"{row.p:.4f}", f"{row.p_corrected:.4f}", *star]
    assert any(line.startswith("*: corrected p below 0.05") for line in lines)
    # p and its star stand before the columns that a narrow page may cut.
    assert max(line.rindex("*") for line in lines[1:7] if "*" in line) < 88
    plain = str(compare(("a", "b", "c"), ("AP", "RR"), correction=None))
    assert "corrected " not in plain.splitlines()[0]
    assert "*: p below 0.05" in plain


def test_footers_are_wrapped_between_words_and_lose_none() -> None:
    result = compare(("a", "b"), ("AP",))
    counts = {"undefined": {"AP": 3}, "undefined_as": {"AP": 0.0}, "missing": 2, "unjudged": 14}
    evaluations = {
        name: one._replace(counts=counts, convention="trec")
        for name, one in (result.evaluations or {}).items()
    }
    evaluations["b"] = evaluations["b"]._replace(counts={**counts, "missing": 4})
    lines = str(rg.compare(evaluations, test="bootstrap")).splitlines()
    assert max(map(len, lines)) <= 88
    assert lines[3:5] == [
        "a: 60 queries (2 without results, counted as 0; 3 undefined, counted as 0); 14 queries",
        "  without judgments skipped",
    ]


def test_wrapping_keeps_short_notes_and_long_words() -> None:
    long = "x" * 100
    assert wrap_notes(["short note", f"a {long} b"]) == ["short note", "a", f"  {long}", "  b"]
    words = [f"word{at}" for at in range(60)]
    for count in range(1, 60):
        lines = wrap_notes([" ".join(words[:count])])
        assert max(map(len, lines)) <= 88
        assert " ".join(lines).split() == words[:count]
        assert all(line.startswith("  w") for line in lines[1:])
    assert list(itertools.chain(wrap_notes([]))) == []
