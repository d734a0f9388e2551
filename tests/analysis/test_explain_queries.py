"""Many queries explained together say what each says alone."""

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.explain import explain_queries


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


def test_qrels_and_a_run_need_a_query(tmp_path):
    pandas = pytest.importorskip("pandas")
    many = {f"q{at}": {"a": 1} for at in range(1000)}
    frame = pandas.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1]})
    for one in (many, "qrels.txt", tmp_path / "qrels.txt", frame, rg.Qrels(many)):
        for arguments in ((one, many), ([0, 1], one)):
            with pytest.raises(
                TypeError, match="give query=, the query that is explained"
            ) as result:
                rg.explain(*arguments)
            assert len(str(result.value)) < 200
    with pytest.raises(TypeError, match="must be a number") as result:
        rg.ndcg(many, many)
    assert len(str(result.value)) < 200
