"""Values of forms that few people give, beside those of the usual form."""

import datetime
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.inputs.files import expand_paths

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
scipy_sparse = pytest.importorskip("scipy.sparse")

FAR = 2**32  # nanoseconds
BIG = 2**63
LIST_TYPE = pandas.ArrowDtype(pyarrow.list_(pyarrow.int64()))
BOTH_SIDES = [{"query": "x", "ratings": ["a"], "results": ["b", "c"]}]
USERS = {"user_id": ["u", "v"], "items": [["a", "b"], ["b"]]}
TIES: dict[str, Any] = {"ties": "id"}


def scores_of(run: Any) -> dict[str, dict[str, float]]:
    return {query: dict(documents) for query, documents in rg.Run(run).items()}


def scores_of_chunks(run: Any, documents: Any) -> dict[str, dict[str, float]]:
    return scores_of(rg.Run(run, documents=documents))


def rr(*arguments: Any, **options: Any) -> list[float]:
    return rg.evaluate_arrays(*arguments, "RR", **options).per_query["RR"].tolist()


def rr_of_ids(*arguments: Any, **options: Any) -> list[float]:
    return rg.evaluate_ids(*arguments, "RR", **options).per_query["RR"].tolist()


def query_columns() -> Any:
    lists = [["a"], ["b"]]
    frame = {"qid": ["u", "v"], "query_id": ["x", "y"], "retrieved": lists, "relevant": lists}
    return rg.evaluate_ids(pandas.DataFrame(frame), measures="RR").queries


VALUES: dict[str, tuple[Callable[[], Any], Any]] = {
    # Arrays
    "a Series of lists": (
        lambda: rr(pandas.Series([[0, 1], [1]], [7, 3]), [[2, 1], [1]]), [0.5, 1.0]),
    "a Series of Arrow's lists": (
        lambda: rr(pandas.Series([[0, 1], [1]], [7, 3], LIST_TYPE), [[2, 1], [1]]), [0.5, 1.0]),
    "a Series of weights": (
        lambda: rg.evaluate_arrays(
            pandas.DataFrame([[1, 0], [0, 1]], ["u", "v"]), [[2, 1], [2, 1]], "RR",
            weight=pandas.Series({"v": 3.0, "u": 1.0})).means["RR"], (1.0 + 3.0 * 0.5) / 4),
    "a Series of weights by the rows of the scores": (
        lambda: rg.evaluate_arrays(
            np.array([[1, 0], [1, 0]]), pandas.DataFrame([[0.9, 0.1], [0.1, 0.9]], [1, 0]), "RR",
            weight=pandas.Series([1.0, 3.0], [0, 1])).means["RR"], 0.875),
    "times that are equal in 32 bits": (
        lambda: rr([0, 1, 1], [2, 1, 3], qid=np.array([0, 0, FAR], "M8[ns]")), [0.5, 1.0]),
    "times that are finer than Python's": (
        lambda: rg.evaluate_arrays(
            [1, 1], [1, 2], "P@1", qid=np.array([0, 1], "M8[ns]")).queries,
        (np.datetime64(0, "ns"), np.datetime64(1, "ns"))),
    "days": (
        lambda: rg.evaluate_arrays([1, 1], [1, 2], "P@1", qid=np.array([0, 1], "M8[D]")).queries,
        (datetime.date(1970, 1, 1), datetime.date(1970, 1, 2))),
    "ids beyond int64": (
        lambda: rr([0, 1, 0], [1, 1, 1], ids=[1, BIG, BIG + 1], **TIES), [0.5]),
    "no id of what is left out": (
        lambda: rr([-1, 0, 1, 1], [1, 1, 1, 1], ids=[None, "c", "a", "d"], qid=[1, 2, 1, 2],
            ignore=-1, **TIES), [1.0, 0.5]),
    "a Truth that leaves documents out": (
        lambda: repr(rg.Truth([[-1, 1, 0], [0, -1, 1]], ignore=-1)),
        "<Truth: 2 lists, 4 documents>"),
    "Truths that leave out others": (
        lambda: rg.Truth([[0, -1, 0]], ignore=-1) == rg.Truth([[0, 0, -1]], ignore=-1), False),
    "both zeros of a segment": (
        lambda: list(rg.evaluate_arrays([[1, 0]] * 2, [[2, 1]] * 2, "RR").by([-0.0, 0.0])),
        ["0.0"]),
    "unsigned beside signed scores": (
        lambda: rr([[0, 1], [1]], [np.array([BIG, BIG + 1], np.uint64), np.array([0])]),
        [1.0, 1.0]),
    # Ids
    "relevant ids as dict beside searches": (
        lambda: rr_of_ids([["a"], ["b", "c"]], {"c": 1, "b": 0}, calls="in_order"), [1 / 3]),
    "a query without searches": (
        lambda: rr_of_ids({"x": [["b"], ["a"]]}, {"y": ["c"], "x": ["a"]}, calls="in_order"),
        [0.0, 0.5]),
    "a query without groups": (
        lambda: rg.evaluate_ids([["a", "c"], ["b", "x"]], [[["a", "b"], ["c"]], []],
            "alpha_nDCG@2", empty=0.0).per_query["alpha_nDCG@2"].tolist(), [1.0, 0.0]),
    "an id with a blank beside its first word": (
        lambda: rr_of_ids({"u": ["new", "new york"]},
            pandas.DataFrame({"user_id": ["u"], "item_id": ["new york"]})), [0.5]),
    "two columns of 0 and 1": (
        lambda: rr_of_ids([[0, 5], [5, 0]], [[0, 1], [1, 0]]), [1.0, 0.5]),
    "the largest rank": (
        lambda: rr_of_ids(pandas.DataFrame({"user_id": ["u", "u"], "item_id": ["a", "b"],
            "rank": [1, 2**31 - 1]}), {"u": ["a"]}), [1.0]),
    "no ids beside excluded ones": (
        lambda: rr_of_ids({"x": [], "y": []}, {"x": ["b"], "y": ["b"]}, exclude={"x": ["a"]}),
        [0.0, 0.0]),
    "an answer without hits": (lambda: rr_of_ids({"hits": []}, ["a"]), [0.0]),
    "a gain for each id": (
        lambda: rg.evaluate_ids([[1], [3]], [1, 3], "DCG", gains=[2**24 + 1, 0.1]).per_query[
            "DCG"].tolist(), [2.0**24 + 1, 0.1]),
    "a Truth of one list": (lambda: rr_of_ids([0, 2], rg.Truth([0, 1, 1])), [0.5]),
    "frames whose rows are labelled": (
        lambda: rr_of_ids(pandas.DataFrame(USERS, ["x", "y"]),
            pandas.DataFrame({**USERS, "items": [["b"], ["b"]]}, ["y", "x"])), [0.5, 1.0]),
    "two columns of queries": (query_columns, ("x", "y")),
    # Qrels and runs
    "judgments beside results": (lambda: rg.Qrels(BOTH_SIDES).to_dict(), {"x": {"a": 1.0}}),
    "results beside judgments": (lambda: scores_of(BOTH_SIDES), {"x": {"b": 2.0, "c": 1.0}}),
    "answers with their query": (
        lambda: scores_of([{"query_id": "x", "hits": {"hits": [{"_id": "a", "_score": 2.0}]}},
            {"query_id": "y", "matches": []}]), {"x": {"a": 2.0}, "y": {}}),
    "equal scores of an engine": (
        lambda: scores_of({"x": [{"_id": "a", "_score": 1.0}, {"_id": "b", "_score": 1.0}]}),
        {"x": {"a": 1.0, "b": 1.0}}),
    "an engine that sorts by a field": (
        lambda: scores_of({"x": [{"_id": "a", "_score": 1.0}, {"_id": "b", "_score": 2.0}]}),
        {"x": {"a": 2.0, "b": 1.0}}),
    "an id that is None": (
        lambda: rg.Qrels({"queries": [{"query": None, "id": "x", "ratings": {"a": 1}}]}).to_dict(),
        {"x": {"a": 1.0}}),
    "separators in documents": (
        lambda: scores_of_chunks({"x": ["d#1#2", "d#1#3"]}, "#"), {"x": {"d#1": 2.0}}),
    "chunks that are integers": (
        lambda: rg.evaluate({"q": {"a": 1}}, {"q": {1: 2.0, 2: 1.0}}, "RR",
            documents={1: "b", 2: "a"}).means["RR"], 0.5),
    "labels that are None or empty": (
        lambda: rg.Qrels({"queries": [{"query": "x", "ratings": {"a": None, "b": 0, "c": ""}}]}
            ).to_dict(), {"x": {"b": 0.0}}),
}  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), VALUES.values(), ids=VALUES)
def test_values(call: Callable[[], Any], expected: Any) -> None:
    assert call() == expected


def test_files_of_nested_folders_and_open_texts(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    path = tmp_path / "x" / "y" / "run.txt"
    path.write_bytes(b"q Q0 a\xff 1 1.0 s\n")
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        assert scores_of(file) == scores_of(path) == {"q": {"a\udcff": 1.0}}
    for pattern in ("**/run.txt", "**/**/run.txt", "**/*/**/run.txt", "x/**/**"):
        files = expand_paths([tmp_path / pattern])
        assert list(filter(os.path.isfile, files)) == [str(path)]


def test_no_argument_changes() -> None:
    labels, scores, out = np.ones((3, 3)), np.arange(9.0).reshape(3, 3), np.eye(3) > 0
    for convention in rg.conventions:
        options: dict[str, Any] = {"exclude": out, "convention": convention}
        for measure in ("nDCG@2", "AP", "RR"):
            rg.evaluate_arrays(labels, scores, measure, **options)
    assert labels.tolist() == np.ones((3, 3)).tolist()
    assert out.tolist() == (np.eye(3) > 0).tolist()


def test_sparse_labels_of_a_truth_that_change_later() -> None:
    matrix = scipy_sparse.csr_matrix([[1.0, 0, 2], [0, 3, 0]])
    truth = rg.Truth(matrix)
    expected = rg.ndcg(truth, [[1, 2, 3], [4, 5, 6]]).tolist()
    matrix.data[:] = 7
    matrix.indices[:] = 0
    assert rg.ndcg(truth, [[1, 2, 3], [4, 5, 6]]).tolist() == expected
