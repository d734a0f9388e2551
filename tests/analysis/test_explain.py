"""explain: its table, its numbers against the measures and against sums made here."""

import json

import numpy as np
import pytest

import rankgain as rg

LABELS = np.array([3, 0, 2, 1, 0, 2, 3, 0])
SCORES = np.array([0.9, 0.5, 0.5, 0.5, 0.4, 0.4, 0.2, 0.1])


def approx(values):
    return pytest.approx(values, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("name", rg.conventions)
@pytest.mark.parametrize("k", [3, 8, 12])
def test_the_table_adds_up_under_every_convention(name, k):
    scores = np.array([9, 8, 7, 6, 5, 4, 3, 2.5])  # distinct: some conventions ask for ids
    for judged in (None, [3, 3, 3, 2, 2, 1, 0, 0, 0]):
        call = {"k": k, "convention": name, "judged": judged}
        explanation = rg.explain(LABELS, scores, **call)
        assert explanation.ndcg == rg.ndcg(LABELS, scores, **call)
        for side, total in (
            (explanation.ranking, explanation.dcg),
            (explanation.ideal, explanation.idcg),
        ):
            assert side.running_dcg == approx(np.cumsum(side.term))
            assert side.running_dcg[-1] == pytest.approx(total, abs=1e-5)


def test_as_data():
    explanation = rg.explain(LABELS, SCORES, k=5, gain="exp2")
    rows = explanation.rows()
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[0] == {
        "rank": 1, "document": 0, "label": 3.0, "gain": 7.0, "expected_gain": 7.0, "discount": 1.0,
        "term": 7.0, "running_dcg": 7.0, "ideal_label": 3.0, "ideal_gain": 7.0,
        "ideal_discount": 1.0, "ideal_term": 7.0, "ideal_running_dcg": 7.0,
    }  # fmt: skip
    assert json.loads(json.dumps(explanation.to_dict()))["rows"] == rows
    assert explanation.to_dict()["ndcg"] == explanation.ndcg
    assert explanation.to_dict()["tied"] == [[2, 4], [5, 6]]
    with pytest.raises(ValueError, match="read-only"):
        explanation.ranking.term[0] = 5
    with pytest.raises(AttributeError):
        explanation.ndcg = 1.0
    assert "nDCG@5" in repr(explanation)
    assert "\n" not in repr(explanation)


def test_lists_worth_nothing():
    assert "undefined" in str(rg.explain([0, 0], [1, 2]))
    nothing = rg.explain([], [])
    assert nothing.ndcg == 0.0
    assert nothing.rows() == []
    assert "undefined" in str(nothing)
    assert rg.explain([], judged=[2, 1]).idcg == rg.idcg([], judged=[2, 1])
    assert rg.explain([0, 0], convention="lightgbm").ndcg == 1.0


def test_a_truth_is_taken_for_its_labels():
    judged = [3, 3, 3, 2, 2, 1, 0, 0, 0]
    explanation = rg.explain(rg.Truth(LABELS, judged=judged), SCORES, k=5)
    assert explanation.rows() == rg.explain(LABELS, SCORES, k=5, judged=judged).rows()
    with pytest.raises(TypeError, match="judged"):
        rg.explain(rg.Truth(LABELS), SCORES, judged=judged)


def test_a_long_list_prints_its_top():
    explanation = rg.explain(np.arange(3000) % 3, -np.arange(3000.0))
    assert len(str(explanation).splitlines()) < 60
    assert "2950 more ranks" in str(explanation)
    assert len(explanation.rows()) == 3000


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        (([[1, 0]], [[1, 2]]), {}, "one list"),
        (([1, 0], [1, 2]), {"k": [1, 2]}, "one cutoff"),
        (([1, -1], [1, 2]), {}, "y_true.*negative"),
        (([1, 0], [1, np.nan]), {}, "y_score.*NaN"),
        (([1, 0], [1, 1]), {"convention": "trec"}, "ties="),
        (([1, 0], [1, 2]), {"gain": "log"}, "gain"),
        (([1, 0], [1, 2]), {"k": 0}, "k"),
    ],
)
def test_refused(args, kwargs, words):
    with pytest.raises(ValueError, match=words):
        rg.explain(*args, **kwargs)
    with pytest.raises(TypeError):
        rg.explain(*args, rel=1, **kwargs)


QRELS = {"q": {"a": 2, "b": 0, "c": 1, "z": 3}, "r": {"a": 1}}
RUN = {"q": {"b": 3.0, "x": 2.0, "a": 2.0, "c": 1.0}}


@pytest.mark.parametrize("measure", ["nDCG", "nDCG@3", "AP", "AP@3", "RR", "ERR", "ERR@2", "RR@1"])
@pytest.mark.parametrize("ties", ["id_descending", "id", "average", "stable", "worst", "best"])
@pytest.mark.parametrize("query", ["q", "r"])
def test_a_query_has_the_value_of_evaluate(measure, ties, query):
    result = rg.evaluate(QRELS, RUN, measure, ties=ties)
    expected = dict(zip(result.queries, result.per_query[measure], strict=True))[query]
    explanation = rg.explain(QRELS, RUN, query=query, measure=measure, ties=ties)
    assert (explanation.ndcg if measure.startswith("nDCG") else explanation.value) == pytest.approx(
        expected
    )
    assert f"{measure} {expected:.4f}" in str(explanation)
    if not measure.startswith("nDCG"):
        assert explanation.term.sum() == pytest.approx(expected, abs=1e-15)


def test_unjudged_documents_are_told_from_those_judged_0():
    explanation = rg.explain(QRELS, RUN, query="q")
    assert explanation.documents == ("b", "x", "a", "c")
    assert explanation.unjudged == (2,)
    assert explanation.ranking.label.tolist() == [0, 0, 2, 1]
    assert [line.split()[2] for line in str(explanation).splitlines()[5:7]] == ["0", "-"]
    assert "label -: unjudged, counted as 0" in str(explanation)
    assert json.loads(json.dumps(explanation.to_dict()))["unjudged"] == [2]


def test_the_documents_of_the_ideal_are_named():
    explanation = rg.explain(QRELS, RUN, query="q")
    assert explanation.ideal_documents[:3] == ("z", "a", "c")
    heads, first = (line.split("|") for line in str(explanation).splitlines()[4:6])
    assert [heads[0].split()[:2], heads[1].split()[:1]] == [["rank", "document"], ["document"]]
    assert [first[0].split()[:2], first[1].split()[:1]] == [["1", "b"], ["z"]]
    assert " doc " not in "|".join(heads)
    alone = rg.explain([0, 2, 1], [3, 2, 1])
    assert alone.ideal.document.tolist() == [1, 2, 0]


def test_what_each_rank_adds_to_ap_rr_and_err():
    ap = rg.explain([1, 0, 1], measure="AP")
    assert ap.term.tolist() == pytest.approx([1 / 2, 0, 1 / 3])
    assert rg.explain([0, 1, 1], measure="RR").term.tolist() == [0, 0.5, 0]
    err = rg.explain([4, 1], measure="ERR")
    assert err.term.tolist() == pytest.approx([15 / 16, 1 / 16 * 1 / 16 / 2])
    least = rg.explain([1, 0, 1, 1], measure="AP(divisor=min)@2")
    assert least.term.tolist() == pytest.approx([1 / 2, 0])
    assert rg.explain([0, 0], measure="AP").value == 0.0
    assert [row["rank"] for row in ap.rows()] == [1, 2, 3]
    assert json.loads(json.dumps(ap.to_dict()))["value"] == ap.value
    assert repr(ap) == "<Contributions AP = 0.8333; print it to see the table>"


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((QRELS, RUN), {"query": "none"}, ValueError, "'none' has no judgments; there are 'q'"),
        ((QRELS, RUN), {"query": "q", "judged": [1]}, TypeError, "the qrels say what is judged"),
        (([1, 0],), {"measure": "P@5"}, ValueError, "one of nDCG, AP, RR, ERR"),
        (([1, 0],), {"measure": "AP@2", "k": 2}, TypeError, "has its cutoff already"),
        (([1, 0],), {"measure": "AP", "gain": "exp2"}, TypeError, "gain is not taken by AP"),
        (([[1, 0]],), {"measure": "AP"}, ValueError, "takes one list"),
    ],
)
def test_what_cannot_be_explained(arguments, options, error, words):
    with pytest.raises(error, match=words):
        rg.explain(*arguments, **options)


# ---- one list of several, by its query

ROWS = ([1, 0, 1, 0, 2], [0.9, 0.2, 0.1, 0.5, 0.5])
QUERIES = [[6, 7, 7, 9, 9], np.array([6, 7, 7, 9, 9]), ["6", "7", "7", "9", "9"]]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        (ROWS, {"query": 7}, TypeError, "query= of arrays needs qid="),
        ((np.array(ROWS[0]), ROWS[1]), {"query": 7}, TypeError, "query= of arrays needs qid="),
        (ROWS, {"qid": QUERIES[0]}, TypeError, "give query="),
        ((rg.Truth(ROWS[0], qid=QUERIES[0]), ROWS[1]), {}, TypeError, "give query="),
        (ROWS, {"qid": QUERIES[0], "query": 8}, ValueError, "8 is no id of a list; there are 6, 7"),
        (ROWS, {"qid": [6, 7, 7], "query": 6}, ValueError, "qid"),
    ],
)
def test_which_list_is_to_be_said(arguments, options, error, words):
    with pytest.raises(error, match=words):
        rg.explain(*arguments, **options)
