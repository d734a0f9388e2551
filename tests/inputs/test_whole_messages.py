"""Errors compared word for word: the first of two faults, and each value in its own place."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from refusals import L, S, csr, put

pandas = pytest.importorskip("pandas")
scipy_sparse = pytest.importorskip("scipy.sparse")

WIDE = 2**53 + 1
EXACT = "which cannot be represented exactly as a float64; rescale it"
REPEATED = "position {} has the id {!r} a second time. Remove the repeat"
NEGATIVE = "which measures such as nDCG and ERR do not support; DCG does"
SMALLER = "use smaller labels or another gain"
SAME_FORM = "give both in the same form"
FIRST = ', or pass duplicates="first" or "in_place"'
RELEVANT = [["a"], ["b"]]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUV"
FIRST_ROW = "the DataFrame, row 1 (counting from 1)"
ROW = "the DataFrame, row 2 (counting from 1): "


def check_message(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert str(caught.value) == message


class NeedsGrad:
    shape, ndim, dtype, requires_grad = (), 0, np.dtype("float32"), True


def columns(**changes: Any) -> Any:
    return pandas.DataFrame(
        {"query": ["x", "y"], "retrieved": RELEVANT, "relevant": RELEVANT, **changes}
    )


def judged(documents: dict[str, Any]) -> Any:
    return {"queries": [{"query": "x", "ratings": {"c": 1}}, {"query": "y", "ratings": documents}]}


def beyond(value: int) -> Any:
    matrix = scipy_sparse.csr_matrix(L)
    matrix.indices[1:3] = value, value + 1
    return matrix


LABELLED = pandas.DataFrame(L, ["u", "v"], ["a", "b", "c"])
ARRAYS: dict[str, tuple[Callable[[], Any], str]] = {
    "objects": (lambda: rg.ndcg(put(L, None, 0, 2, dtype=object), S),
        "y_true[0, 2] is None; it must be a number"),
    "objects, 1-D": (lambda: rg.ndcg(np.array([1, "x", None], object), S[0]),
        "y_true[1] is 'x'; it must be a number"),
    "wide beside a fraction": (lambda: rg.dcg([0.5, -WIDE, WIDE + 2], S[0]),
        f"y_true[1] is {-WIDE}, {EXACT}"),
    "only a negative one is wide": (lambda: rg.dcg([[0.5, 1, -WIDE], [1, 2, 3]], S),
        f"y_true (list 0)[2] is {-WIDE}, {EXACT}"),
    "gradients in a row": (lambda: rg.ndcg([[1, 0], [1, NeedsGrad()]], S[:, :2]),
        "y_true[1][1] requires grad; pass y_true[1][1].detach()"),
    "common columns": (
        lambda: rg.ndcg(LABELLED, pandas.DataFrame(S, ["u", "v"], ["a", "d", "b"])),
        "y_score and y_true are paired by position, but only some labels of the columns are the "
        "same: y_true does not have 'd', and label 1 is 'd' in y_score and 'b' in y_true; give "
        "both the same rows and columns, or NumPy arrays to pair them as they are"),
    "columns in another order": (
        lambda: rg.ndcg(LABELLED, pandas.DataFrame(S, ["u", "v"], ["a", "c", "b"])),
        "y_score and y_true have the same labels in another order, but are paired by position: "
        "label 1 of the columns is 'c' in y_score and 'b' in y_true; bring both into one order, "
        "or give NumPy arrays to pair them as they stand"),
    "ids in a matrix": (
        lambda: rg.ndcg(L, S, ties="id", ids=np.array([["a", "b", "c"], ["a", 2, 1]], object)),
        "ids[1][1] is 2 (int), but ids[0][0] is 'a'; ids of different types never match; convert "
        "them to one type"),
    "an id twice": (lambda: rg.ndcg(L, S, ties="id", ids=[[4, 5, 6], [7, 8, 8]]),
        "ids: list 1 has 8 twice (document 2); keep one of them"),
    "too few of qid": (lambda: rg.dcg(L[0], S[0], qid=[1, 1]),
        "qid has 2 entries, but there are 3 documents"),
    "no lengths of ragged lists": (lambda: rg.dcg([[1], [1, 2]], [[1], [1, 2]], lengths=[]),
        "lengths: lists of different lengths need no lengths; remove it"),
    "rows of lengths": (lambda: rg.ndcg(L, S, lengths=[3, 4]),
        "lengths[1] is 4, but the rows have 3 columns"),
    "indptr": (lambda: rg.ndcg(csr([1.0, 1], [0, 1, 2], [0, 1, 5]), S),
        "y_true.indptr ends at 5, but there are 2 data and 3 indices"),
    "indices": (lambda: rg.ndcg(beyond(3), S),
        "y_true: index 3 is out of range for list 0; it must be in 0 .. 2"),
    "a fraction below 0": (lambda: rg.ndcg([[1, -0.5, -2]], S[:1]),
        f"y_true: list 0, document 1 has the negative label -0.5, {NEGATIVE}"),
    "padding": (lambda: rg.ndcg([[1, -1, -2]], S[:1]),
        f"y_true: list 0, document 1 has the negative label -1, {NEGATIVE}. If -1 is padding, pass "
        "ignore=-1"),
    "labels and scores swapped": (lambda: rg.ndcg(-S, L),
        f"y_true: list 0, document 0 has the negative label -0.3, {NEGATIVE}. Did you swap y_true "
        "and y_score?"),
    "gains that overflow": (lambda: rg.ndcg([[1, 2e3, 3e3]], S[:1], gain="exp2",
            judged=[[1, 2e3, 3e3]]),
        f"gain: the gains of list 0 overflow a float64 (document 2 has label 3000); {SMALLER}"),
    "judged gains that overflow": (
        lambda: rg.ndcg([[1, 2, 2]], S[:1], gain="exp2", judged=[[1, 2, 2, 2e3]]),
        f"gain: the gains of the judged labels of list 0 overflow a float64; {SMALLER}"),
    "a place after one that is left out": (
        lambda: rg.ndcg([[1, 0, -1], [0, -1, 1]], put(S, np.nan, 1, 2), ignore=-1),
        "y_score: list 1, document 2 is NaN; scores must not be NaN"),
    "a place after two that are left out": (
        lambda: rg.ndcg(rg.Truth([[1, 0, 3], [-1, 2, 1]], ignore=-1), put(S, np.nan, 1, 2),
            ignore=2),
        "y_score: list 1, document 2 is NaN; scores must not be NaN"),
    "columns of one list": (lambda: rg.ndcg(scipy_sparse.csr_matrix([[1, 0]]), S[0]),
        "y_true has 2 columns, but y_score has shape (3,)"),
    "shape of a Truth": (lambda: rg.ndcg(rg.Truth(L), S[:, :2]),
        "y_score has shape (2, 2), but the labels of the Truth have (2, 3)"),
}  # fmt: skip
IDS: dict[str, tuple[Callable[[], Any], str]] = {
    "a document without a label": (lambda: rg.Qrels(judged({"a": {"s": 2}, "b": {"note": "?"}})),
        "qrels: queries[1]: document 'a' has no gain or rating: {'s': 2}; "
        "rankgain.Qrels(source, subtopics=True) reads labels by subtopic"),
    "two fields of documents": (
        lambda: rg.Qrels([{"query": "x", "ratings": [{"id": "a"}], "labels": [{"id": "b"}]}]),
        "'ratings' and 'labels' both may hold the documents of a query; give a mapping of "
        "queries, as in {row['query']: row['ratings'] for row in rows}"),
    "pairs": (lambda: rg.evaluate_ids([[("a", 1)], [("a", 2), (1.5, 3)]], RELEVANT, "RR"),
        "retrieved: list 1, position 1 is (1.5, 3); a pair is (id, number), and an id is a "
        "string or an integer"),
    "pairs of a user": (lambda: rg.evaluate_ids({"x": [("a", 1), (1.5, 2)]}, {"x": ["a"]}, "RR"),
        "retrieved: the list of 'x', position 1 is (1.5, 2); a pair is (id, number), and an id "
        "is a string or an integer"),
    "relevant pairs of a user": (
        lambda: rg.evaluate_ids({"x": ["a"]}, {"x": [("a", 1), ("a", 2)]}, "RR"),
        "relevant: the list of 'x' has the id 'a' twice; give an id once"),
    "a text among hits": (lambda: rg.evaluate_ids([[{"id": "a"}, "b"], []], RELEVANT, "RR"),
        "retrieved: list 0, position 1 is 'b', but those before are objects with fields; give "
        "all in one form"),
    "a hit without an id": (
        lambda: rg.evaluate_ids([[{"id": "a"}, {"id": None}, {"id": 1.5}], []], RELEVANT, "RR"),
        "retrieved: list 0, position 1: id is None; an id is a string or an integer"),
    "labels of two types": (
        lambda: rg.evaluate_ids({"x": ["a"]}, {"x": {"a": "1", "b": 2}}, "RR"),
        "relevant: the list of 'x': a label is text in some places, such as '1', and 2 in "
        "others; give all as numbers"),
    "a wide label as text": (
        lambda: rg.evaluate_ids({"x": ["a"]}, {"x": {"a": f" -{WIDE} "}}, "DCG"),
        f"relevant: the list of 'x': a label is  -{WIDE} , {EXACT}"),
    "no users beside one list": (lambda: rg.evaluate_ids({}, ["a"], "RR"),
        f"retrieved is lists by query or user, but relevant is a single list; {SAME_FORM}"),
    "ids of two types": (lambda: rg.evaluate_ids(RELEVANT, [["a"], ["b", 3, 1.5]], "RR"),
        "relevant: list 1, position 1 is 3 (int), but retrieved holds ids such as 'a' (str); "
        "ids of different types never match; convert them to one type"),
    "ids that are NaN": (
        lambda: rg.evaluate_ids(put(L, np.nan, [0, 1], [2, 0]), [[1], [2]], "RR"),
        "retrieved: list 0, position 2 is NaN; every id must be known"),
    "an id twice": (lambda: rg.evaluate_ids([["a"], ["b", "c", "c", "b"]], RELEVANT, "RR"),
        f"retrieved: list 1, {REPEATED.format(2, 'c')}{FIRST}"),
    "a number twice": (lambda: rg.evaluate_ids([[5, 6], [8, 9, 9, 8]], [[5], [8]], "RR"),
        f"retrieved: list 1, {REPEATED.format(2, 9)}{FIRST}"),
    "no columns of exclude": (
        lambda: rg.evaluate_ids([[1, 2]], [[1]], "RR", exclude=scipy_sparse.csr_matrix((1, 0))),
        "exclude has 0 items, but retrieved has the id 2"),
    "columns of exclude": (
        lambda: rg.evaluate_ids([[1]], scipy_sparse.csr_matrix((1, 3)), "RR",
            exclude=scipy_sparse.csr_matrix((1, 2))),
        "exclude has 2 items, but relevant has 3"),
    "no lists beside groups": (lambda: rg.evaluate_ids([], [["a", "b"], ["c"]], "alpha_nDCG@5"),
        "retrieved has 0 lists, but relevant has 2"),
    "a negative label of ids": (
        lambda: rg.evaluate_ids({"x": ["a"], "y": ["a"]}, {"x": ["a"], "y": {"b": -1}}, "nDCG"),
        f"relevant: list 1 (id 'y') has the negative label -1, {NEGATIVE}"),
    "a query twice": (lambda: rg.evaluate_ids(columns(query="x"), measures="RR"),
        f"{ROW}the query 'x' comes a second time, first in {FIRST_ROW}; keep one, or pass run= "
        "with the field of the systems"),
    "a query of a system twice": (
        lambda: rg.evaluate_ids(columns(query="x", name="m"), measures="RR", run="name"),
        f"{ROW}the query 'x' of 'm' comes a second time, first in {FIRST_ROW}; keep one"),
    "a column of queries": (lambda: rg.evaluate_ids(columns(), measures="RR", query="z"),
        "the DataFrame: no field 'z' (query=); there are query, retrieved, relevant"),
    "a column of ids": (lambda: rg.evaluate_ids(columns(), measures="RR", retrieved="z"),
        "the DataFrame: no field 'z' (retrieved=); there are query, retrieved, relevant; pass "
        "retrieved="),
    "no scores": (lambda: rg.evaluate_ids(columns(scores=[[0.1], []]), measures="RR"),
        f"{ROW[:-2]} has 1 id, but 0 scores; give a score for each id"),
    "no nested field": (
        lambda: rg.evaluate_ids(columns(out=[{"ids": ["a"]}, {"a": 1}]), measures="RR",
            retrieved="out.ids"),
        f"{ROW}no field 'out.ids' (retrieved=); 'ids' is not in it, but {{'a': 1}}"),
    "many columns": (
        lambda: rg.evaluate_ids(pandas.DataFrame([range(22)], columns=list(LETTERS)), RELEVANT,
            "RR"),
        "retrieved: no rank or score column found (looked for rank, score, ...). Columns: "
        f"{', '.join(LETTERS[:20])} and 2 more; pass rank= or score="),
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "message"), [*ARRAYS.values(), *IDS.values()], ids=[*ARRAYS, *IDS]
)
def test_messages(call: Callable[[], Any], message: str) -> None:
    check_message(call, message)


def test_messages_about_files(tmp_path: Path) -> None:
    for number in "12":
        (tmp_path / f"{number}.csv").write_text("query,retrieved,relevant\nq,a,b\n")
    paths = [tmp_path / "1.csv", tmp_path / "2.csv"]
    unnamed = io.BytesIO(b"q Q0 a x y s\n")
    unnamed.name = 3  # type: ignore[attr-defined]  # as of a file opened by its descriptor
    target = tmp_path / "run.json.gz"
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: rg.evaluate_ids(paths, measures="RR"),
         f"{paths[0]} {paths[1]}: lists of ids are read from JSON lines, or from one Parquet or "
         "CSV file"),
        (lambda: rg.Run({"q": {"a": 1.0}}).write(target),
         f"{target}: what is written is TREC's form, and .json says another one; choose another "
         "suffix, such as .txt"),
        (lambda: rg.Run(unnamed),
         "3, line 1: the rank is 'x', which is not a whole number: the fields are query, Q0, "
         "document, rank, score and tag; separate the fields by tabs if an id holds blanks: "
         "'q Q0 a x y s'"),
    ]  # fmt: skip
    for call, message in calls:
        check_message(call, message)
