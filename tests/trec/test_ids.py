"""Ids of queries come back as they went in: integers as integers, text as text."""

import datetime
import json
import pickle
import uuid
import warnings

import numpy as np
import pytest

import rankgain as rg

QRELS = {10: {1: 2, 2: 0}, 9: {3: 1}, -7: {1: 1}, 2**70: {4: 1}}
RUN = {9: {1: 0.5, 3: 0.25}, 10: {2: 0.9, 1: 0.5}, 2**70: {4: 1.0}}
NAMES = ["nDCG@10", "AP"]
AS_TEXT = {"ties": "average"}  # a way that loads the objects


def text(source):
    return {str(q): {str(d): v for d, v in docs.items()} for q, docs in source.items()}


@pytest.mark.parametrize("options", [{}, AS_TEXT, {"bounds": "ties"}, {"convention": "beir"}])
@pytest.mark.parametrize("ranked", [RUN, text(RUN)], ids=["integers", "text"])
@pytest.mark.parametrize("wrap", [lambda q: q, rg.Qrels, lambda q: rg.Qrels(rg.Qrels(q))])
def test_integers_of_dicts(options, ranked, wrap):
    result = rg.evaluate(wrap(QRELS), ranked, NAMES, **options)
    plain = rg.evaluate(text(QRELS), text(RUN), NAMES, **options)
    assert tuple(map(str, result.queries)) == plain.queries
    assert {type(query) for query in result.queries} == {int}
    assert {type(query) for query in plain.queries} == {str}
    assert result.to_dict() == {int(q): values for q, values in plain.to_dict().items()}
    for name in NAMES:
        assert result.means[name] == plain.means[name]
        assert result.per_query[name].tobytes() == plain.per_query[name].tobytes()
    assert rg.evaluate(text(QRELS), RUN, NAMES, **options) == plain


def test_kinds_may_be_mixed():
    qrels = {1: {"a": 1}, "x": {"a": 1}, 2: {"a": 1}}
    run = {1: {"a": 1.0}, "x": {"a": 1.0}, 2: {"b": 1.0}}
    result = rg.evaluate(qrels, run, "AP")
    assert result.queries == (1, "x", 2)
    assert pytest.importorskip("polars") is not None
    assert result.to_polars()["query"].to_list() == ["1", "x", "2"]
    merged = rg.evaluate(qrels, run, ["AP", "RR(ties=average)", "P(judged_only=True)@1"])
    assert merged.queries == (1, "x", 2)


def test_queries_left_out_take_their_ids_along():
    result = rg.evaluate(QRELS, RUN, "AP", convention="pytrec_eval")
    assert result.queries == (10, 9, 2**70)
    assert result.to_dict()[9] == {"AP": 0.5}


def test_weights_by_integer_or_by_its_text():
    weights = {10: 1.0, 9: 0.5, -7: 0.25, 2**70: 0.0}
    expected = rg.evaluate(text(QRELS), text(RUN), "AP", weight=dict(text_keys(weights)))
    for weight in (weights, dict(text_keys(weights))):
        assert rg.evaluate(QRELS, RUN, "AP", weight=weight).means == expected.means
    with pytest.raises(ValueError, match="weight has no entry for query '9'"):
        rg.evaluate(QRELS, RUN, "AP", weight={10: 1.0})


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


def test_results_look_up_what_they_are_about():
    judged, run = rg.Qrels(QRELS), rg.Run(RUN)
    assert judged.queries == tuple(map(str, QRELS))  # objects compare ids as text
    assert judged == rg.Qrels(text(QRELS))
    assert 9 in judged
    assert "9" in judged
    assert 8 not in run
    assert judged[9] == {"3": 1.0}
    assert run.documents(10) == ["2", "1"]


@pytest.mark.parametrize("engine", ["pandas", "polars", "objects", "categories", "nullable"])
def test_integers_of_frames(engine):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    rows = [(q, d, v) for q, docs in QRELS.items() if q < 2**60 for d, v in docs.items()]
    data = dict(zip(("qid", "docno", "label"), zip(*rows, strict=True), strict=True))
    frame = pandas.DataFrame(data)
    if engine == "polars":
        frame = pytest.importorskip("polars").DataFrame(data)
    elif engine == "objects":
        frame = frame.astype({"qid": object})
    elif engine == "categories":
        frame = frame.astype({"qid": "category"})
    elif engine == "nullable":
        frame = frame.convert_dtypes(dtype_backend="numpy_nullable")
    result = rg.evaluate(frame, RUN, "AP")
    assert result.queries == (10, 9, -7)
    assert {type(query) for query in result.queries} == {int}
    table = result.to_pandas()
    assert table.index.dtype.kind == "i"
    joined = pandas.DataFrame({"qid": [9, 10], "segment": ["a", "b"]}).join(table, on="qid")
    assert joined["AP"].tolist() == [0.5, 0.5]


def test_files_give_text(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("10 0 1 2\n9 0 3 1\n")
    assert rg.evaluate(path, RUN, "AP").queries == ("10", "9")
    assert rg.evaluate(QRELS, RUN, "AP").to_csv().startswith("query,AP\n10,0.5\n9,0.5\n")
    run = tmp_path / "run.txt"
    run.write_text("9 Q0 3 1 1 t\n10 Q0 1 1 1 t\n")
    assert rg.evaluate(QRELS, run, "AP").queries == tuple(QRELS)


def test_reconcile_names_queries_as_they_went_in():
    result = rg.reconcile_runs(QRELS, RUN, "trec", "pytrec_eval", measure="AP")
    assert [query for query, *_ in result.lists] == [-7]
    assert [query for step in result.steps for query, _ in step.worst] == [-7]


@pytest.mark.parametrize("queries", [("a", 1), (1, "a"), (1, 2), ("a", "b"), (1.5, "a")])
def test_ids_of_two_types_are_text_in_polars(queries):
    pytest.importorskip("polars")
    result = rg.Evaluation({"RR": 0.5}, {"RR": [1.0, 0.0]}, queries)
    mixed = len(set(map(type, queries))) > 1
    expected = list(map(str, queries)) if mixed else list(queries)
    assert result.to_polars()["query"].to_list() == expected


@pytest.mark.parametrize("form", ["dicts", "lists", "rows", "objects"])
@pytest.mark.parametrize(
    "ids",
    [
        [np.int64(3), np.int64(10), np.int64(2)],
        [np.uint8(3), np.int32(10), 2],
        [uuid.UUID(int=3), uuid.UUID(int=10), uuid.UUID(int=2)],
        [datetime.date(2024, 1, 3), datetime.date(2023, 1, 10), datetime.date(2022, 1, 2)],
        [datetime.datetime(2024, 1, 3, 7), datetime.datetime(2023, 1, 1), datetime.datetime.max],
    ],
    ids=["int64", "mixed integers", "UUID", "date", "datetime"],
)
def test_ids_that_evaluate_ids_takes_are_ids_of_qrels_and_runs(form, ids):
    a, b, c = ids
    if form == "rows":
        qrels = [{"query_id": q, "doc_id": d, "label": n} for q, d, n in ((a, b, 1), (c, a, 2))]
        run = [{"query_id": q, "doc_id": d, "score": n} for q, d, n in ((a, c, 9), (a, b, 8))]
    elif form == "lists":
        qrels, run = {a: [b], c: {a}}, {a: [c, b]}
    else:
        qrels, run = {a: {b: 1}, c: {a: 2}}, {a: {c: 0.9, b: 0.5}}
    if form == "objects":
        qrels, run = rg.Qrels(qrels), rg.Run(run)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = rg.evaluate(qrels, run, "RR")
        named = rg.evaluate_runs(qrels, {"one": run}, "RR", weight={a: 3, c: 1})["one"]
    assert values.to_dict() == {a: {"RR": 0.5}, c: {"RR": 0.0}}
    assert all(
        type(one) is (int if hasattr(two, "__index__") else type(two))
        for one, two in zip(values.queries, (a, c), strict=True)
    )
    assert named.means == {"RR": 0.375}
    expected = rg.evaluate_ids({a: [c, b], c: []}, {a: [b], c: [a]}, "RR")
    assert expected.to_dict() == values.to_dict()
    assert rg.Qrels({a: {b: 1}})[a] == {str(b): 1.0}
    assert {a, str(a)} == {one for one in (a, b, str(a)) if one in rg.Run({a: [b]})}
    back = pickle.loads(pickle.dumps(rg.Qrels({a: {b: 1}})))
    assert rg.evaluate(back, {a: [b]}, "RR").queries == (a,)


@pytest.mark.parametrize("wrong", [True, np.bool_(True), 1.0, np.float64(1), None, (1, 2, 3)])
def test_other_ids_are_refused(wrong):
    for source in ({wrong: {"a": 1}}, {"q": {wrong: 1}}, {"q": [wrong]}):
        with pytest.raises(TypeError, match=r"an? (document )?id must be a string or an integer"):
            rg.Qrels(source)


def test_ids_of_frames_may_be_uuids():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    a, b = uuid.UUID(int=1), uuid.UUID(int=2)
    qrels = pandas.DataFrame({"query": [a, b], "doc": [b, b], "label": [1, 1]})
    run = pandas.DataFrame({"query": [a, a], "doc": [a, b], "score": [0.9, 0.5]})
    assert rg.evaluate(qrels, run, "RR").to_dict() == {a: {"RR": 0.5}, b: {"RR": 0.0}}


def test_an_id_beside_its_text_is_refused():
    one = uuid.UUID(int=1)
    with pytest.raises(ValueError, match="would become one id"):
        rg.Qrels({one: ["a"], str(one): ["a"]})
