"""Chunks that stand for documents, and the searches of an agent: every door gives the same."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")


def before_mark(chunk: str) -> str:
    return chunk.rpartition("#")[0]


@pytest.mark.parametrize(
    ("ties", "rank"), [("id", 1), ("id_descending", 3), ("stable", 2), ("reverse", 1)]
)
def test_ties_are_those_of_the_ids_of_chunks(ties: str, rank: int) -> None:
    run = {"q": {"z#1": 1.0, "a#1": 1.0, "b#1": 1.0, "a#3": 1.0}}
    result = rg.evaluate({"q": {"a": 1}}, run, "RR", documents="#", ties=ties)
    assert result["RR"] == pytest.approx(1 / rank)
    made = rg.Run(run, documents="#")
    assert rg.evaluate({"q": {"a": 1}}, made, "RR", ties=ties)["RR"] == result["RR"]


@pytest.mark.parametrize("score_dtype", ["float64", "float32"])
@pytest.mark.parametrize(("ties", "order"), [
    ("id", "xabyz"), ("id_descending", "xybaz"), ("stable", "xbyaz"), ("reverse", "xaybz"),
])  # fmt: skip
def test_only_chunks_of_one_score_and_query_are_ordered_by_a_rule(
    ties: str, order: str, score_dtype: str
) -> None:
    # Sorted by id or by place, chunks of all scores and queries would be in another order.
    of_q = {"z#1": 1.0, "b#1": 2.0, "y#1": 2.0, "a#1": 2.0, "x#1": 3.0}
    run = {"p": {"m#1": 4.0, "a#1": 0.5}, "q": of_q, "r": {"c#1": 9.0}}
    rules = rg.conventions["trec"].replace(ties=ties, score_dtype=score_dtype)
    for query, documents in (("p", "ma"), ("q", order), ("r", "c")):
        for rank, document in enumerate(documents, 1):
            options: Any = {"documents": "#", "convention": rules}
            assert rg.evaluate({query: [document]}, run, "RR", **options)["RR"] == 1 / rank


@pytest.mark.parametrize("documents", [lambda chunk: int(chunk[0]), {"7#1": 7, "8#1": 8}])
def test_documents_may_be_integers(documents: Any) -> None:
    run = {"q": ["8#1", "7#1"]}
    assert rg.Run(run, documents=documents).documents("q") == ["8", "7"]
    assert rg.evaluate({"q": [7]}, run, "RR", documents=documents)["RR"] == 0.5


@pytest.mark.parametrize("door", ["ids", "evaluate", "Run", "frame"])
def test_a_chunk_without_an_entry_is_named(door: str) -> None:
    mapping = {"a#1": "a"}
    run, qrels = {"q": ["a#1", "b#1"]}, {"q": {"a": 1}}
    rows = {"query": ["q"] * 2, "doc": run["q"], "label": [1, 0], "score": [2.0, 1.0]}
    calls = {
        "ids": lambda: rg.evaluate_ids(run, {"q": ["a"]}, "RR", documents=mapping),
        "evaluate": lambda: rg.evaluate(qrels, run, "RR", documents=mapping),
        "Run": lambda: rg.Run(run, documents=mapping),
        "frame": lambda: rg.evaluate_frame(pd.DataFrame(rows), "RR", documents=mapping),
    }
    with pytest.raises(ValueError, match="documents has no entry for the chunk 'b#1'"):
        calls[door]()


def test_what_separates_documents_from_chunks() -> None:
    relevant = {"q": ["a::b", "plain"]}
    result = rg.evaluate_ids({"q": ["a::b::1", "plain"]}, relevant, "R@2", documents="::")
    assert result["R@2"] == 1
    with pytest.raises(ValueError, match="the separator is empty"):
        rg.evaluate_ids({"q": ["a"]}, relevant, "R@2", documents="")
    with pytest.raises(TypeError, match="documents= gives None for the chunk 'a'"):
        rg.evaluate_ids({"q": ["a"]}, relevant, "R@2", documents=lambda _: None)
    with pytest.raises(TypeError, match="separates ids that are text, but a chunk is 3"):
        rg.evaluate_ids({"q": [3]}, {"q": [3]}, "R@2", documents="#")
    with pytest.raises(TypeError, match="documents must be a mapping"):
        rg.evaluate_ids({"q": ["a"]}, relevant, "R@2", documents=3)


def test_chunks_of_a_document_with_two_labels_are_an_error() -> None:
    frame = pd.DataFrame(
        {"query": ["q", "q"], "doc": ["a#1", "a#2"], "label": [1, 0], "score": [2.0, 1.0]}
    )
    with pytest.raises(ValueError, match="'a#2' has the label 0, and an earlier chunk"):
        rg.evaluate_frame(frame, "RR", documents="#")


@pytest.mark.parametrize(("retrieved", "relevant", "options"), [
    ({"q": [["a", "b"], ["c"]]}, {"q": ["a"]}, {}),
    ([[["a"], ["b"]]], [["a"]], {}),
    ({"q": ["ab", "c"]}, {"q": ["a"]}, {"calls": "in_order"}),
    ({"q": "ab"}, {"q": ["a"]}, {"calls": "in_order"}),
])  # fmt: skip
def test_lists_that_do_not_fit_name_calls(retrieved: Any, relevant: Any, options: Any) -> None:
    with pytest.raises(TypeError, match="calls="):
        rg.evaluate_ids(retrieved, relevant, "RR", **options)


def test_another_order_of_calls_is_refused() -> None:
    with pytest.raises(ValueError, match="calls must be one of"):
        rg.evaluate_ids({"q": [["a"]]}, {"q": ["a"]}, "RR", calls="mixed")  # type: ignore[call-overload]


def test_searches_of_systems_and_of_one_query() -> None:
    both = {"one": {"q": [["a"], ["c"]]}, "two": {"q": [["c"]]}}
    result = rg.evaluate_ids(both, {"q": ["c"]}, "RR", calls="in_order")
    assert {name: one["RR"] for name, one in result.items()} == {"one": 0.5, "two": 1.0}
    assert rg.evaluate_ids([["a", "b"], ["c"]], ["c"], "RR", calls="in_order")["RR"] == 1 / 3
    assert rg.evaluate_ids({"q": []}, {"q": ["c"]}, "RR", calls="in_order")["RR"] == 0


def test_searches_are_counted_in_the_order_of_the_judged_queries(tmp_path: Path) -> None:
    searches = {"b": [["x"], ["y"], ["z"]], "a": [["x"]]}
    judged = {"a": ["x"], "none": ["x"], "b": ["z"]}
    result = rg.evaluate_ids(searches, judged, "RR", calls="in_order")
    assert result.queries == ("a", "none", "b")
    assert result.counts["searches"] == [1, 0, 3]
    (tmp_path / "result.json").write_text(result.to_json(), encoding="utf-8")
    assert rg.Evaluation.read(tmp_path / "result.json").counts["searches"] == [1, 0, 3]


def test_a_stored_count_of_searches_is_one_for_each_query(tmp_path: Path) -> None:
    result = rg.evaluate_ids(
        {"a": [["x"]], "b": []}, {"a": ["x"], "b": ["y"]}, "RR", calls="in_order"
    )
    data = json.loads(result.to_json())
    assert data["counts"]["searches"] == [1, 0]
    for wrong in ([1], [1, 0, 0], [1, -1], [1, "0"], 3):
        data["counts"]["searches"] = wrong
        (tmp_path / "wrong.json").write_text(json.dumps(data), encoding="utf-8")
        with pytest.raises(ValueError, match="searches"):
            rg.Evaluation.read(tmp_path / "wrong.json")


def test_segments_merges_and_pools_keep_how_many_searches_there_were() -> None:
    searches = {"a": [["x"]], "b": [["x"], ["y"], ["z"]], "c": [["y"], ["z"]]}
    judged = {"a": ["x"], "none": ["x"], "b": ["z"], "c": ["z"]}
    whole = rg.evaluate_ids(searches, judged, "RR", calls="round_robin")
    assert whole.counts["searches"] == [1, 0, 3, 2]
    segments = whole.by(["even", "odd", "odd", "even"])
    assert segments["even"].counts["searches"] == [1, 2]
    assert segments["odd"].counts["searches"] == [0, 3]
    of_queries = [
        rg.evaluate_ids(searches, {query: judged[query] for query in part}, "RR", calls="in_order")
        for part in (["a", "none"], ["b"], ["c"])
    ]
    merged = rg.Evaluation.merge(of_queries)
    assert merged.counts["searches"] == [1, 0, 3, 2]
    of_parts = [part.counts["searches"] for part in merged.by(list("abac")).values()]
    assert of_parts == [[1, 3], [0], [2]]
    systems = [rg.evaluate_ids({"s": searches}, judged, "RR", calls="in_order") for _ in range(2)]
    pooled = rg.pool({"one": systems[0], "two": systems[1]})
    assert pooled["s"].counts["searches"] == [1, 0, 3, 2] * 2


def test_a_merge_counts_searches_only_if_all_parts_do() -> None:
    agent = rg.evaluate_ids({"a": [["x"], ["y"]]}, {"a": ["y"]}, "RR", calls="in_order")
    plain = rg.evaluate_ids({"b": ["y", "x"]}, {"b": ["x"]}, "RR")
    assert "searches" not in rg.Evaluation.merge([agent, plain]).counts
    assert "searches" not in rg.Evaluation.merge([plain, agent]).counts


@pytest.mark.parametrize("duplicates", ["raise", "in_place"])
@pytest.mark.parametrize("documents", [
    "#",
    {"b#1": "b", "a#1": "a", "a#2": "a", "c#9": "c", "other": "x"},
    before_mark,
    lambda chunk: chunk[0],
], ids=["separator", "mapping", "function", "lambda"])  # fmt: skip
def test_runs_from_pickles_keep_their_chunks(documents: Any, duplicates: Any) -> None:
    """Chunks of equal scores are ordered by their own ids, in the order of each convention."""
    chunks = {"q": {"b#1": 1.0, "a#1": 1.0, "a#2": 2.0, "c#9": 1.0}}
    judged = {"q": {"b": 1}}
    run = rg.Run(chunks, documents=documents, duplicates=duplicates)
    for again in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert again == run
        for ties in ("id", "id_descending", "stable", "reverse", "average"):
            expected = rg.evaluate(judged, run, "RR", ties=ties)["RR"]
            assert rg.evaluate(judged, again, "RR", ties=ties)["RR"] == expected, ties
        with pytest.raises(ValueError, match="given twice"):
            rg.evaluate(judged, again, "RR", documents="#")


@pytest.mark.parametrize("duplicates", ["raise", "first", "in_place"])
def test_chunks_keep_the_gaps_between_their_ranks(duplicates: Any) -> None:
    pytest.importorskip("narwhals")
    pandas = pytest.importorskip("pandas")
    rows = {"query": ["q", "q"], "doc": ["a#1", "b#1"], "rank": [2, 5]}
    for documents in ("#", {"a#1": "a", "b#1": "b"}, lambda chunk: chunk[0]):
        options: Any = {"documents": documents, "duplicates": duplicates}
        for document, rank in (("a", 2), ("b", 5)):
            truth = {"q": [document]}
            result = rg.evaluate_ids(pandas.DataFrame(rows), truth, "RR", **options)
            assert result["RR"] == 1 / rank
