"""exclude=: documents that are left out of qrels and run, for every form of both."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

import rankgain as rg
from trec_files import write_trec

OWN = {"d1": {"d2": 1}}, {"d1": {"d1": 9.0, "d2": 5.0}}


def drawn(seed):
    """Qrels and a run of ids that may be those of queries, with distinct scores."""
    rng = np.random.default_rng(seed)
    ids = [str(i) for i in range(12)]
    qrels, run = {}, {}
    for query in ids[:8]:
        judged, ranked = rng.permutation(ids)[:6].tolist(), rng.permutation(ids)[:9].tolist()
        qrels[query] = dict(zip(judged, rng.integers(0, 3, 6).tolist(), strict=True))
        run[query] = dict(zip(ranked, (rng.permutation(9) / 8).tolist(), strict=True))
    del run["3"], qrels["5"]
    excluded = {q: rng.permutation(ids)[: rng.integers(0, 9)].tolist() for q in ids[1:]}
    excluded["1"] = list(qrels["1"])
    excluded["2"] = list(run["2"])
    return qrels, run, excluded


def test_beirs_rule():
    for query, own, other in ((1, "1", "2"), ("1", 1, 2)):  # integers on one side
        judged, ranked = {query: {other: 1}}, {query: {own: 9.0, other: 5.0}}
        for pair in ((judged, ranked), (rg.Qrels(judged), ranked), (judged, rg.Run(ranked))):
            assert rg.evaluate(*pair, "RR", convention="beir")["RR"] == 1.0
    qrels, run = OWN
    for options in ({"convention": "beir"}, {"exclude": "query"}, {"exclude": {"d1": ["d1"]}}):
        assert rg.evaluate(qrels, run, "nDCG@10", **options).means == {"nDCG@10": 1.0}
    assert rg.evaluate(qrels, run, "nDCG@10")["nDCG@10"] == pytest.approx(1 / np.log2(3))
    explained = rg.explain(qrels, run, measure="nDCG", query="d1", convention="beir")
    assert explained.ndcg == 1.0
    assert explained.documents == ("d2",)
    steps = rg.reconcile_runs(qrels, run, "trec", "beir", measure="nDCG@10").steps
    assert [step.fields for step in steps if step.change] == [("own_document",)]


@pytest.mark.parametrize(("qrels", "run"), [
    ({"q": {"a": 1}, "r": {"b": 1}}, {"r": ["b", "c"]}),
    ({"r": {"b": 1}}, {"q": ["a"], "r": ["b", "c"]}),
    ({"q": {"a": 1}, "r": {"b": 1}}, {"q": ["a"], "r": ["b", "c"]}),
])  # fmt: skip
@pytest.mark.parametrize("excluded", [["a"], ["z"]])
@pytest.mark.filterwarnings("error::rankgain.RankgainWarning")
def test_a_query_of_one_side_agrees_though_all_its_documents_go(excluded, qrels, run):
    exclude = {"q": excluded}
    for judged, ranked in ((qrels, run), (rg.Qrels(qrels), rg.Run(run))):
        result = rg.evaluate(judged, ranked, "AP", exclude=exclude)
        assert result.per_query["AP"][result.queries.index("r")] == 1.0


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_on_the_command_line(command, tmp_path):
    qrels, run, excluded = drawn(4)
    paths = list(write_trec(tmp_path, qrels, run))
    other = tmp_path / "other"
    other.write_text((tmp_path / "run").read_text().replace(" 1 ", " 2 ", 1))
    train = tmp_path / "train"
    train.write_text("".join(f"{q} 0 {d} 1\n" for q, docs in excluded.items() for d in docs))
    for word, exclude in (("query", "query"), (str(train), excluded)):
        line = [*paths, str(other), "-m", "AP", "--exclude", word, "--format", "json"]
        text = subprocess.run(
            [sys.executable, "-m", "rankgain", command, *line],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        mean = rg.evaluate(qrels, run, "AP", exclude=exclude).means["AP"]
        assert f"{mean!r}" in text


def test_an_id_that_is_left_out_must_not_repeat_either() -> None:
    result = rg.evaluate_ids([["a", "a", "b"]], [["b"]], "RR", exclude=[["a"]], duplicates="first")
    assert result["RR"] == 1.0


def test_an_excluded_item_beyond_all_others_is_of_its_own_user() -> None:
    for largest in (1, 5, 70_000, 2**33):
        lists = rg.evaluate_ids([[5, 6], [0, 1]], [[0], [0]], "RR", exclude=[[largest], []])
        assert lists.per_query["RR"].tolist() == [0.0, 1.0]


def test_models_have_ideals_in_the_given_order() -> None:
    rng = np.random.default_rng(5)
    scores, relevant = rng.random((4, 9)), [{1: 2, 4: 1, 7: 3}] * 4
    labels = np.zeros((4, 9))
    labels[:, [1, 4, 7]] = 2, 1, 3
    out = np.zeros((4, 9), bool)
    out[:, 0] = out[:, 4] = True
    for exclude, ties in itertools.product((None, out), ("stable", "average")):
        options = {"exclude": exclude, "ties": ties, "convention": "spark"}
        model = rg.evaluate_scores(
            lambda users: scores[users], relevant, "nDCG", batch=3, **options
        )
        arrays = rg.evaluate_arrays(labels, scores, "nDCG", **options)
        assert model.per_query["nDCG"].tobytes() == arrays.per_query["nDCG"].tobytes()


@pytest.mark.parametrize(("ties", "document"), [("stable", "a"), ("reverse", "b")])
def test_ties_of_what_is_left_stand_as_in_the_source(ties, document):
    run = {"q": {"a": 1.0, "c": 1.0, "b": 1.0}}
    for source in (run, rg.Run(run)):
        result = rg.evaluate({"q": {document: 1}}, source, "RR", exclude={"q": ["c"]}, ties=ties)
        assert result["RR"] == 1.0


def test_integers_stay_those_of_the_queries_that_are_left():
    qrels = {4: {"a": 1}, 5: {"b": 1}, 6: {"b": 1}}
    result = rg.evaluate(qrels, {query: ["a", "b"] for query in qrels}, "RR", exclude={4: ["a"]})
    assert result.queries == (5, 6)


def test_tied_documents_move_up_together():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    rows = pandas.DataFrame({"query": "q", "doc": ["b", "c"], "rank": [3, 3]})
    options = {"measures": "RR", "exclude": {"q": ["b"]}}
    assert rg.evaluate_ids(rows, {"q": ["c"]}, **options)["RR"] == 1 / 3
    run = rg.Run.from_frame(rows, rank="rank")
    assert rg.evaluate({"q": {"c": 1}}, run, **options)["RR"] == 1 / 3
