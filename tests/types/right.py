"""Calls that type checkers pass, with the types that they must find."""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import polars
from numpy.typing import NDArray

import rankgain as rg

Floats = NDArray[np.float64]
labels, scores = [3, 0, 2], [0.5, 0.9, 0.1]
assert_type(rg.ndcg(labels, scores), float)
assert_type(rg.ndcg(labels, scores, k=2, gain="exp2", ties="stable"), float)
assert_type(rg.ndcg(labels, scores, k=[1, 2]), Floats)
assert_type(rg.ndcg([labels, labels], [scores, scores], k=2), Floats)
assert_type(rg.ndcg(labels, scores, group=[1, 2]), Floats)
assert_type(rg.ndcg(labels, scores, k=np.arange(1, 3)), Floats)
assert_type(rg.r_precision(labels, scores, judged=[1, 1]), float)
assert_type(rg.f1([labels, labels], k=2, beta=2.0, divisor="min"), Floats)
assert_type(rg.err(labels, k=2, max_label=4), float)
assert_type(rg.rbp(labels, k=(1, 2), p=0.5), Floats)
assert_type(rg.auc([1, 0], [0.3, 0.1], empty=0.5), float)
one, many = np.zeros(3), np.zeros((2, 3))
assert_type(rg.ndcg(one, one), float)
assert_type(rg.ndcg(many, many), Floats)
assert_type(rg.precision(np.zeros(3), k=2, divisor="min"), float)


def of_any_shape(y_true: NDArray[np.int64], y_score: NDArray[np.float32]) -> Any:
    assert_type(rg.ndcg(y_true, y_score, k=10), Any)
    assert_type(rg.ndcg(y_true, y_score, k=[5, 10], gain="exp2"), Floats)
    truth = rg.Truth(y_true)
    assert_type(rg.average_precision(truth, y_score, threads=None), Any)
    return rg.ndcg(y_true, y_score).mean()


result = rg.evaluate_arrays([labels], [scores], ["nDCG@10", rg.parse_measure("AP")], gain="exp2")
assert_type(result, rg.Evaluation)
assert_type(result["AP"], float)
run = {"q": {"a": 1.0}}
assert_type(rg.evaluate({"q": {"a": 1}}, run, "nDCG@10", judged_only=True), rg.Evaluation)
assert_type(rg.explain(labels, scores), rg.Explanation)
assert_type(rg.explain(labels, scores, measure="AP"), rg.Contributions)
rg.Run(run).write("run.gz")

# What people hold, in each door.
frame = polars.DataFrame({"query_id": [1], "doc_id": ["a"], "label": [1], "score": [1.0]})
rg.evaluate_frame(frame, "RR")
rg.evaluate_frame(polars.LazyFrame({"user_id": [1]}), "RR")
rg.evaluate_frame("rows.parquet", "RR")
rg.evaluate_frame("rows.parquet", "RR", run="system").compare()
rg.evaluate_frame("rows.parquet", "RR", score={"a": "x", "b": "y"}, query="user").compare()
rg.evaluate_frame(Path("rows.csv"), "RR", query="query_id")
rg.evaluate(frame, Path("run.txt"), "AP")
rg.evaluate(rg.Qrels({"q": {"a": 1}}), rg.Run(run), "AP")
with open("run.txt", encoding="utf-8") as file:
    rg.evaluate({"q": ["a", "b"], "r": ["c"]}, file, "AP")
rg.evaluate_runs({"q": {"a"}}, {"a": run, "b": "b.txt"}, "AP")
rg.evaluate_ids(np.array([[1, 2]]), [[1]], "RR", exclude=[[2]])
rg.evaluate_ids([[1, 2]], [{1}], "RR")
rg.evaluate_ids({"u": ["a"]}, {"u": {"a": 2.0}}, "RR")
rg.evaluate_ids(np.array([[1, 2]]), rg.Truth([[0, 1, 0]]), "RR")
rg.evaluate_ids([["a"], ("b",)], [["a"], {"b"}], "RR", duplicates="first")
rg.evaluate_ids(frame, {1: ["a"]}, "RR").by()
rg.evaluate_ids(frame, {1: ["a"]}, "RR", run="model").compare()
rg.evaluate_ids({"a": [["x"]], "b": [["y"]]}, [["x"]], "RR").compare()
rg.evaluate_ids({"q": ["x"]}, {"q": ["x"]}, "RR").by()
rg.evaluate_ids("rag.jsonl", retrieved="chunks", measures="RR").by()
rg.evaluate_ids(Path("rag.jsonl"), measures="RR", run="model").compare()
rg.evaluate_models(many, {"a": many, "b": [[0.5, 0.1, 0.2]]}, ["RR"])
rg.explain({"q": {"a": 1}}, run, query="q")

# Judgments with parts, chunks of documents, and searches of an agent.
nuggets = {"q": {"a": {"price": 1, "taste": 2}, "b": {"taste": 0}}}
assert_type(rg.Qrels(nuggets), rg.Qrels)
assert_type(rg.Qrels("diversity.txt", subtopics=True).subtopics, dict[str, tuple[str, ...]])
assert_type(rg.evaluate(nuggets, run, ["alpha_nDCG@5", "nDCG@5"]), rg.Evaluation)
rg.evaluate_runs(rg.Qrels(nuggets), {"a": run, "b": "b.txt"}, "StRecall@5").compare()
rg.Qrels.from_frame(frame, subtopic="nugget", importance="weight")
rg.Qrels.from_frame(Path("rows.csv"), subtopic="nugget", importance={"q": {"price": 2.0}})
rg.Qrels.from_spans({"q": {"c1": ("doc", 0, 100)}}, {"q": [("doc", 20, 60)]}, min_overlap=0.5)
rg.evaluate_ids({"q": ["a", "b"]}, {"q": [["a"], {"b", "c"}]}, "StRecall@2").by()
rg.evaluate_ids([["a#1", "b#1"]], [["a"]], "R@2", documents="#", duplicates="in_place")
rg.evaluate_ids({"q": [["a"], ["b", "a"]]}, {"q": ["b"]}, "RR", calls="round_robin").by()
assert_type(rg.Run(run, documents={"a": "document"}, duplicates="in_place"), rg.Run)
rg.evaluate({"q": {"a": 1}}, run, "AP", documents=lambda chunk: chunk.partition("#")[0])
rg.explain(nuggets, run, query="q", measure="alpha_nDCG@5")
