"""Which judgments narrow the bounds of a difference most: beside the bounds themselves."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.trec.by_query import Run

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1, "e": 0}, "q3": {"f": 0}}

RUNS = {
    "x": {"q1": {"u": 5, "a": 4, "v": 3, "b": 2}, "q2": {"w": 2, "d": 1}, "q3": {"y": 1}},
    "y": {"q1": {"a": 5, "v": 4, "z": 3, "c": 2}, "q2": {"d": 2, "w": 1}},
}


def test_what_both_retrieve_alike_tells_nothing():
    runs = {name: {"q2": {"w": 2.0, "d": 1.0}} for name in "xy"}
    assert rg.judge_next(QRELS, runs, "P@2", 5) == []
    assert rg.judge_next(QRELS, runs["x"], "P@2", 5) == [("q2", "w")]
    assert rg.judge_next(QRELS, {"x": runs["x"]}, "nDCG@2", 5) == [("q2", "w")]


def test_what_is_refused():
    alone = next(iter(RUNS.values()))
    assert rg.judge_next(QRELS, rg.Run(alone), "P@5", 9) == rg.judge_next(QRELS, alone, "P@5", 9)
    for nothing in ({}, rg.Run({})):
        assert rg.judge_next(QRELS, nothing, "P@5", 1) == []


@pytest.mark.parametrize("measure", ["P@1", "nDCG@2"])
def test_runs_of_judge_next_may_be_lists(measure: str) -> None:
    qrels = {"q": {"a": 1}, "r": {"x": 1}}
    lists: Any = {"one": {"q": ["b", "a"], "r": ["y", "x"]}, "two": {"q": ("a", "c"), "r": ["x"]}}
    scores = {
        name: {q: {d: -at for at, d in enumerate(ids)} for q, ids in run.items()}
        for name, run in lists.items()
    }
    expected = rg.judge_next(qrels, scores, measure, 4)
    assert expected
    assert rg.judge_next(qrels, lists, measure, 4) == expected
    for name in lists:  # one run
        alone = rg.judge_next(qrels, scores[name], measure, 4)
        assert rg.judge_next(qrels, lists[name], measure, 4) == alone
        assert rg.judge_next(qrels, {"run": lists[name]}, measure, 4) == alone


MEASURES = ["nDCG", "nDCG@3", "AP", "RR", "ERR", "P@3"]

CONVENTIONS = ["trec", "rankgain", "sklearn", "pytrec_eval", "beir", "ranx"]


def drawn(seed: int) -> tuple[dict[str, dict[str, int]], Run]:
    """A list of few ids, so that some come two or three times, with ties between them."""
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "é", "a\0", "10", "9"]
    judged = {name: int(label) for name, label in zip(names, rng.integers(0, 3, 7), strict=True)}
    del judged["c"]
    size = int(rng.integers(2, 12))
    rows = zip(rng.choice(names, size), rng.integers(0, 4, size), strict=True)
    text = [{"query": "q", "document": str(one), "score": float(s)} for one, s in rows]
    return {"q": judged}, rg.Run(text, duplicates="in_place")


@pytest.mark.parametrize("seed", range(40))
def test_an_explanation_has_the_value_of_the_list(seed: int) -> None:
    qrels, run = drawn(seed)
    rows = run.documents("q")
    for convention in CONVENTIONS:
        for ties in ("id_descending", "id", "stable", "average", "worst"):
            options: Any = {"convention": convention, "ties": ties}
            values = rg.evaluate(qrels, run, MEASURES, **options).to_dict()["q"]
            for measure in ("nDCG", "nDCG@3", "AP", "RR"):
                family, _, k = measure.partition("@")
                cut = {"k": int(k)} if k else {}
                explanation: Any = rg.explain(
                    qrels, run, query="q", measure=family, **cut, **options
                )
                value = explanation.ndcg if family == "nDCG" else explanation.value
                assert value == pytest.approx(values[measure], abs=1e-7, nan_ok=True)
                assert sorted(explanation.documents) == sorted(rows) or k
                for rank, document in enumerate(explanation.documents, 1):
                    assert (rank in explanation.unjudged) == (document not in qrels["q"])


@pytest.mark.parametrize("seed", range(20))
def test_the_documents_to_judge_are_those_of_first_rows(seed: int) -> None:
    """The effect of one judgment is the range of the mean, by evaluation with either label."""
    qrels, run = drawn(seed)
    best = rg.judge_next(qrels, run, "nDCG@3", 5, convention="rankgain")
    top = max([1, *qrels["q"].values()])
    effects = {}
    for document in set(run.documents("q")) - set(qrels["q"]):
        values = [
            rg.evaluate({"q": labels}, run, "nDCG@3", convention="rankgain")["nDCG@3"]
            for labels in (qrels["q"], {**qrels["q"], document: top})
        ]
        effects[document] = abs(values[1] - values[0])
    assert {document for _, document in best} <= {one for one, effect in effects.items() if effect}


def test_names_of_documents_do_not_matter_where_a_convention_drops_that_of_the_query() -> None:
    qrels = {"q": {"a": 1, "b": 2}}
    rankings = {"x": ["0", "a", "1", "2"], "y": ["b", "1", "0", "-"]}
    letters = {"0": "k", "1": "l", "2": "m", "-": "j"}
    runs, renamed = {}, {}
    for name, documents in rankings.items():
        scores = range(len(documents), 0, -1)
        runs[name] = {"q": dict(zip(documents, scores, strict=True))}
        other_names = [letters.get(document, document) for document in documents]
        renamed[name] = {"q": dict(zip(other_names, scores, strict=True))}
    pairs = rg.judge_next(qrels, runs, "DCG@3", 9, convention="beir")
    expected = rg.judge_next(qrels, renamed, "DCG@3", 9, convention="beir")
    assert [(query, letters[document]) for query, document in pairs] == expected
