"""Documents that come twice: equal judgments, subtopics, and repeats that keep their ranks."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")


def test_all_rows_of_an_excluded_document_go() -> None:
    run = rg.Run({"q": ["x", "x", "a", "x"], "r": ["b", "b"]}, duplicates="in_place")
    qrels = {"q": {"a": 1}, "r": {"b": 1}}
    assert rg.evaluate(qrels, run, "RR", exclude={"q": ["x"]}).means == {"RR": 1.0}


# Judgments


# Document a of q comes twice with label 1, which is no contradiction, and then with label 2.
ROWS = [("q", "a", 1), ("r", "b", 1), ("q", "a", 1), ("r", "a", 3), ("q", "b", 0), ("q", "a", 2),
        ("r", "b", 5)]  # fmt: skip


def as_file(rows: list[Any], kind: type, folder: Path) -> Path:
    form = "{} 0 {} {}\n" if kind is rg.Qrels else "{} Q0 {} 1 {} t\n"
    (folder / "file").write_text("".join(form.format(*row) for row in rows))
    return folder / "file"


def as_dicts(rows: list[Any], kind: type, _: Path) -> list[dict[str, Any]]:
    names = ("query", "doc", "label" if kind is rg.Qrels else "score")
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.mark.parametrize(("make", "name", "unit"), [
    (as_file, "{}/file", "line"), (as_dicts, "the list", "row"),
    (lambda *source: pandas.DataFrame(as_dicts(*source)), "the DataFrame", "row"),
])  # fmt: skip
def test_the_rows_of_a_document_that_comes_twice_are_named(
    make: Any, name: str, unit: str, tmp_path: Path
) -> None:
    at_end = {
        rg.Qrels: ', or duplicates="mean" for the mean label of several judges',
        rg.Run: ', or duplicates="in_place" to count later ones as not relevant',
    }
    for kind, remedy in at_end.items():
        line = ""
        if unit == "line":
            line = ": 'q 0 a 2'" if kind is rg.Qrels else ": 'q Q0 a 1 2 t'"
        words = (
            f"{name.format(tmp_path)}, {unit} 6: document 'a' comes twice in query 'q', first on "
            f"{unit} 1{line}; to keep one, pass "
            f'rankgain.{kind.__name__}(source, duplicates="first"), or duplicates="last" or '
            f'duplicates="best"{remedy}'
        )
        if unit != "line" and kind is rg.Run:
            words += ". If the table holds several systems, pass run= to evaluate_runs"
        with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
            kind(make(ROWS, kind, tmp_path))
    equal = rg.Qrels(make(ROWS[:5], rg.Qrels, tmp_path))
    assert equal.to_dict() == {"q": {"a": 1, "b": 0}, "r": {"b": 1, "a": 3}}
    numbers = {"first": (1, 1), "last": (2, 5), "best": (2, 5), "mean": (4 / 3, 3)}
    for policy, (of_a, of_b) in (*numbers.items(), ("in_place", (2, 5))):
        for kind in (rg.Qrels, rg.Run):
            if policy == {rg.Qrels: "in_place", rg.Run: "mean"}[kind]:
                continue
            kept = kind(make(ROWS, kind, tmp_path), duplicates=policy)
            assert kept.to_dict() == {"q": {"a": of_a, "b": 0}, "r": {"b": of_b, "a": 3}}


Rows = list[tuple[str, float]]  # documents and scores, in the order of the source

ORDERED = ("stable", "reverse", "id", "id_descending")


def keep(rows: Rows, query: str = "q") -> rg.Run:
    """A run of one query that keeps its copies."""
    records = [{"query": query, "document": name, "score": score} for name, score in rows]
    return rg.Run(records, duplicates="in_place")


@pytest.mark.parametrize("rule", [*ORDERED, "average", "best", "worst", "random"])
@pytest.mark.parametrize("convention", ["pytrec_eval", "trec_eval-9"])
def test_copies_may_tie_only_as_float32(rule: str, convention: str) -> None:
    for first, second in ((1.0, 1.0 + 1e-12), (1.0 + 1e-12, 1.0)):
        run = keep([("a", first), ("a", second), ("b", 0.5)])
        options: Any = {"ties": rule, "convention": convention}
        assert rg.evaluate({"q": {"a": 1}}, run, "RR", **options)["RR"] == 1.0
        assert rg.evaluate({"q": {"b": 1}}, run, "RR", **options)["RR"] == 1 / 3


def test_a_copy_of_a_judged_document_is_judged() -> None:
    run = keep([("n", 3.0), ("n", 2.0), ("x", 1.5), ("r", 1.0), ("r", 0.5)])
    qrels = {"q": {"n": 0, "r": 1}}
    condensed = rg.evaluate(qrels, run, ["RR", "NumRet", "P@3"], judged_only=True)
    assert condensed.means == {"RR": 1 / 3, "NumRet": 4.0, "P@3": 1 / 3}
    assert rg.evaluate(qrels, run, "Judged@5")["Judged@5"] == 4 / 5
    assert rg.evaluate(qrels, run, "NumRelRet")["NumRelRet"] == 1.0


def test_the_mean_label_is_that_of_the_document_in_whatever_row_it_stands() -> None:
    rows = [("q", "a", 1), ("r", "b", 3), ("q", "c", 0), ("r", "b", 0), ("q", "a", 2)]
    expected = {"q": {"a": 1.5, "c": 0.0}, "r": {"b": 1.5}}
    for ordered in (rows, sorted(rows)):
        text = "".join(f"{query} 0 {document} {label}\n" for query, document, label in ordered)
        assert rg.Qrels(io.StringIO(text), duplicates="mean").to_dict() == expected


@pytest.mark.parametrize("rule", ORDERED)
def test_chunks_that_tie_as_float32_stand_in_the_order_of_the_rule(rule: str) -> None:
    # As float32 all scores are 1; as doubles they order the chunks otherwise than any rule does.
    scores = {"b#1": 1.0 + 2e-12, "d#1": 1.0, "a#1": 1.0 + 3e-12, "c#1": 1.0 + 1e-12}
    in_order = {
        "stable": "bdac",
        "reverse": "cadb",
        "id": "abcd",
        "id_descending": "dcba",
    }
    run = rg.Run({"q": scores}, documents="#")
    rules = rg.conventions["trec"].replace(ties=rule, score_dtype="float32")
    for place, document in enumerate(in_order[rule], 1):
        values = rg.evaluate({"q": {document: 1}}, run, "RR", convention=rules)
        assert values["RR"] == 1 / place, document


@pytest.mark.parametrize("gap", [0.0, 1e-12, -1e-12])
def test_only_a_copy_that_ties_exactly_stands_below_its_score(gap: float) -> None:
    run = keep([("a", 1.0 + gap), ("a", 1.0), ("b", 1.0)])
    # The better copy of a counts. The other one is at the rank of b, or moved below it.
    expected = {0.0: (1 + 1 / 2) / 2, 1e-12: (1 / 2 + 1 / 3) / 2, -1e-12: (1 + 1 / 2) / 2}
    value = rg.evaluate({"q": {"a": 1, "b": 2}}, run, "RR(rel=2)", ties="average")["RR(rel=2)"]
    assert value == pytest.approx(expected[gap], rel=1e-15)
    frame = pandas.DataFrame(
        {"query": "q", "doc": ["a", "a", "b"], "label": [1, 1, 2], "score": [1.0 + gap, 1.0, 1.0]}
    )
    table = rg.evaluate_frame(frame, "RR(rel=2)", duplicates="in_place")
    assert table["RR(rel=2)"] == pytest.approx(expected[gap], rel=1e-15)


@pytest.mark.parametrize("score_dtype", ["float64", "float32"])
@pytest.mark.parametrize("rule", [*ORDERED, "average", "best", "worst", "random"])
def test_copies_do_not_change_what_is_dropped_by_its_score(rule: str, score_dtype: str) -> None:
    run = keep([("a", 5.0), ("a", 5.0), ("b", 5.0), ("c", 4.0), ("d", 3.0)])
    options = {"ties": rule, "score_dtype": score_dtype, "drop_scores_at_most": 3.0}
    rules = rg.conventions["trec"].replace(**options)
    judged = {"q": {"a": 1, "c": 1, "d": 1}}
    result = rg.evaluate(judged, run, ["NumRet", "NumRelRet"], convention=rules)
    assert result.means == {"NumRet": 5.0, "NumRelRet": 2.0}


def test_a_document_has_the_score_of_its_best_copy() -> None:
    run = keep([("a", 3.0), ("b", 2.0), ("a", 1.0)])
    assert run["q"] == {"a": 3.0, "b": 2.0}
    assert run.to_dict() == {"q": run["q"]}
