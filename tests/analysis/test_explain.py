"""explain: its table, its numbers against the measures and against sums made here."""

import json

import numpy as np

import rankgain as rg
from rankgain.analysis.explain import explain_queries

LABELS = np.array([3, 0, 2, 1, 0, 2, 3, 0])
SCORES = np.array([0.9, 0.5, 0.5, 0.5, 0.4, 0.4, 0.2, 0.1])


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


def test_a_long_list_prints_its_top():
    explanation = rg.explain(np.arange(3000) % 3, -np.arange(3000.0))
    assert len(str(explanation).splitlines()) < 60
    assert "2950 more ranks" in str(explanation)
    assert len(explanation.rows()) == 3000


def test_a_parameter_in_the_name_comes_before_an_option() -> None:
    named = rg.explain([3, 1], [1, 2], "nDCG(gain=exp2)")
    assert rg.explain([3, 1], [1, 2], "nDCG(gain=exp2)", gain="linear").ndcg == named.ndcg
    assert rg.explain([3, 1], [1, 2], "nDCG", gain="linear").ndcg != named.ndcg


def test_extreme_orders_of_a_block_below_another_document() -> None:
    for ties, documents in (("best", [3, 2, 1, 0]), ("worst", [3, 0, 1, 2])):
        assert list(rg.explain([0, 1, 2, 0], [1, 1, 1, 9], ties=ties).ranking.document) == documents


QRELS = {"q": {"a": 2, "b": 0, "c": 1, "z": 3}, "r": {"a": 1}}
RUN = {"q": {"b": 3.0, "x": 2.0, "a": 2.0, "c": 1.0}}


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


JUDGED = {
    "q": {
        "a": {"price": 1, "range": 2},
        "b": {"price": 0},
        "c": {"price": 1},
        "d": {"warranty": 1},
    },
    "p": {"a": {"price": 1}},
}
RUN_OF_PARTS = {"q": ["a", "x", "c", "b", "d"], "p": ["x"]}


def test_each_rank_says_which_parts_it_adds() -> None:
    explained = rg.explain(JUDGED, RUN_OF_PARTS, query="q", measure="alpha_nDCG@10")
    assert explained.parts == (("price", "range"), (), ("price",), (), ("warranty",))
    assert explained.new_parts == (("price", "range"), (), (), (), ("warranty",))
    assert [row["new_parts"] for row in explained.rows()] == list(map(list, explained.new_parts))
    lines = str(explained).splitlines()
    assert lines[3].split() == ["rank", "document", "label", "term", "alpha_nDCG", "adds"]
    assert lines[4].endswith("price, range")
    assert lines[6].endswith("0.7810")
    with_rel = rg.explain(JUDGED, RUN_OF_PARTS, query="q", measure="StRecall(rel=2)@10")
    assert with_rel.parts == (("range",), (), (), (), ())


def test_ties_need_a_rule_that_orders() -> None:
    tied = {"q": {"a": 1.0, "d": 1.0}}
    explained = rg.explain(JUDGED, tied, query="q", measure="StRecall@1")
    assert explained.documents == ("d",)


def made(seed: int) -> tuple[rg.Qrels, rg.Run, list[str]]:
    """Lists with ties, unjudged and missing documents, an empty one and one without results."""
    random = np.random.default_rng(seed)
    qrels: dict[str, dict[str, float]] = {}
    run: dict[str, dict[str, float]] = {}
    for at in range(12):
        labels = random.integers(-1 if at == 3 else 0, 4, 8)
        qrels[f"q{at}"] = {f"d{i}": float(one) for i, one in enumerate(labels)}
        ranked = random.permutation(12)[: random.integers(1, 13)]
        scores = random.integers(0, 4, len(ranked))
        if at != 5:
            run[f"q{at}"] = {f"d{i}": float(s) for i, s in zip(ranked, scores, strict=True)}
    qrels["q7"] = dict.fromkeys(qrels["q7"], 0.0)
    return rg.Qrels(qrels), rg.Run(run), list(qrels)


def test_random_ties_of_many_queries_are_those_of_each() -> None:
    qrels, run, queries = made(4)
    rules, options = rg.conventions["trec"], {"ties": "random"}
    for query, explanation in zip(
        queries, explain_queries(qrels, run, queries, rules, "AP", options), strict=True
    ):
        alone = rg.explain(qrels, run, query=query, measure="AP", ties="random")
        assert explanation.to_dict() == alone.to_dict()
