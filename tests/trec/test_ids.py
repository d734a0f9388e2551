"""Ids of queries come back as they went in: integers as integers, text as text."""

import json
import pickle
import uuid

import numpy as np
import pytest

import rankgain as rg

QRELS = {10: {1: 2, 2: 0}, 9: {3: 1}, -7: {1: 1}, 2**70: {4: 1}}
RUN = {9: {1: 0.5, 3: 0.25}, 10: {2: 0.9, 1: 0.5}, 2**70: {4: 1.0}}
NAMES = ["nDCG@10", "AP"]


def text(source):
    return {str(q): {str(d): v for d, v in docs.items()} for q, docs in source.items()}


def test_kinds_may_be_mixed():
    qrels = {1: {"a": 1}, "x": {"a": 1}, 2: {"a": 1}}
    run = {1: {"a": 1.0}, "x": {"a": 1.0}, 2: {"b": 1.0}}
    result = rg.evaluate(qrels, run, "AP")
    assert result.queries == (1, "x", 2)
    assert pytest.importorskip("polars") is not None
    assert result.to_polars()["query"].to_list() == ["1", "x", "2"]
    merged = rg.evaluate(qrels, run, ["AP", "RR(ties=average)", "P(judged_only=True)@1"])
    assert merged.queries == (1, "x", 2)


def test_weights_by_integer_or_by_its_text():
    weights = {10: 1.0, 9: 0.5, -7: 0.25, 2**70: 0.0}
    expected = rg.evaluate(text(QRELS), text(RUN), "AP", weight=dict(text_keys(weights)))
    for weight in (weights, dict(text_keys(weights))):
        assert rg.evaluate(QRELS, RUN, "AP", weight=weight).means == expected.means


def text_keys(weights):
    return ((str(query), one) for query, one in weights.items())


def test_json_and_pickles_keep_the_kinds(tmp_path):
    path = tmp_path / "found.json"
    for qrels in (QRELS, text(QRELS), {0: {"a": 1}, 1: {"a": 1}}, {"0": {"a": 1}, "1": {"a": 1}}):
        result = rg.evaluate(qrels, qrels, NAMES)
        result.to_json(path)
        assert json.loads(path.read_text())["queries"] == list(qrels)
        again = rg.Evaluation.read(path)
        assert list(again.queries) == list(qrels)
        assert again == result
        kept = pickle.loads(pickle.dumps(rg.Qrels(qrels)))
        assert rg.evaluate(kept, qrels, NAMES) == result


def test_reconcile_names_queries_as_they_went_in():
    result = rg.reconcile_runs(QRELS, RUN, "trec", "pytrec_eval", measure="AP")
    assert [query for query, *_ in result.lists] == [-7]
    assert [query for step in result.steps for query, _ in step.worst] == [-7]


def test_ids_of_frames_may_be_uuids():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    a, b = uuid.UUID(int=1), uuid.UUID(int=2)
    qrels = pandas.DataFrame({"query": [a, b], "doc": [b, b], "label": [1, 1]})
    run = pandas.DataFrame({"query": [a, a], "doc": [a, b], "score": [0.9, 0.5]})
    assert rg.evaluate(qrels, run, "RR").to_dict() == {a: {"RR": 0.5}, b: {"RR": 0.0}}


def test_queries_that_are_integers_on_one_side_are_judged():
    for qrels in (QRELS, text(QRELS), rg.Qrels(QRELS), rg.Qrels(text(QRELS))):
        for run in (RUN, text(RUN), rg.Run(RUN)):
            result = rg.evaluate(qrels, run, "AP")
            assert (result.counts["missing"], result.counts["unjudged"]) == (1, 0)
            assert result["AP"] == 0.5


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16])
def test_integers_of_numpy_become_those_of_python(kind):
    qrels, run = {kind(7): {"a": 1}, kind(9): {"b": 1}}, {kind(7): ["a"], kind(9): ["b"]}
    rows = [{"qid": kind(7), "doc": "a", "label": 1}, {"qid": kind(9), "doc": "b", "label": 1}]
    for judged in (qrels, rg.Qrels(qrels), rows, rg.Qrels(rows)):
        for ranked in (run, rg.Run(run)):
            queries = rg.evaluate(judged, ranked, "AP").queries
            assert queries == (7, 9)
            assert set(map(type, queries)) == {int}


@pytest.mark.parametrize("first_queries", ["q", "r", "qr"])
@pytest.mark.parametrize("kinds", [(int, str), (str, int)])
def test_judgments_serve_runs_of_integers_and_of_text_in_turn(kinds, first_queries):
    judged = rg.Qrels({"q": {"7": 1, "1": 2, "x": 1}, "r": {"2": 1}})
    rows = [("q", 2, 3.0), ("q", 7, 2.0), ("q", 1, 1.0), ("r", 1, 2.0), ("r", 2, 1.0)]
    first, second = {"q": {}, "r": {}}, {"q": {}, "r": {}}
    for run, kind in zip((first, second), kinds, strict=True):
        for query, document, score in rows:
            run[query][kind(document)] = score
    # The first run may have met some of the queries alone.
    rg.evaluate(judged, {query: first[query] for query in first_queries}, "RR")
    for run in (second, first, second):
        assert rg.evaluate(judged, run, ["RR", "NumRelRet"]).means == {"RR": 0.5, "NumRelRet": 3.0}
