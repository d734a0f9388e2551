"""Chunks that stand for documents, and the searches of an agent: every door gives the same."""

import copy
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import part_values
import rankgain as rg
import reference
from chunks import documents_of, join_searches
from pairwise import Row, name_of, rows_of

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")


ORDERED = ("id", "id_descending", "stable", "reverse")


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
    in_one_call = rg.evaluate({"q": {"a": 1}}, made, [f"RR(ties={rule})" for rule in ORDERED])
    assert in_one_call[f"RR(ties={ties})"] == result["RR"]


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


def test_a_run_that_repeats_chunks_keeps_the_rows_of_its_documents() -> None:
    run = rg.Run({"q": ["a#1", "a#1", "a#2", "b#1"]}, duplicates="in_place")
    assert rg.evaluate({"q": ["b"]}, run, "RR", documents="#")["RR"] == 1 / 4
    result = rg.evaluate_runs({"q": ["b"]}, {"one": run}, "RR", documents="#")
    assert result["one"]["RR"] == 1 / 4


@pytest.mark.parametrize("documents", [lambda chunk: int(chunk[0]), {"7#1": 7, "8#1": 8}])
def test_documents_may_be_integers(documents: Any) -> None:
    run = {"q": ["8#1", "7#1"]}
    assert rg.Run(run, documents=documents).documents("q") == ["8", "7"]
    assert rg.evaluate({"q": [7]}, run, "RR", documents=documents)["RR"] == 0.5


def test_what_separates_documents_from_chunks() -> None:
    relevant = {"q": ["a::b", "plain"]}
    result = rg.evaluate_ids({"q": ["a::b::1", "plain"]}, relevant, "R@2", documents="::")
    assert result["R@2"] == 1


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
    chunks = {
        "q": {"b#1": 1.0, "a#1": 1.0, "a#2": 2.0, "c#9": 1.0},
        "r": {"other": 2.0, "c#9": 1.0},
    }
    judged = {"q": {"b": 1}, "r": {"c": 1}}
    run = rg.Run(chunks, documents=documents, duplicates=duplicates)
    for again in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run), rg.Run(run)):
        assert again == run
        for ties in ("id", "id_descending", "stable", "reverse", "average"):
            expected = rg.evaluate(judged, run, "RR", ties=ties)["RR"]
            assert rg.evaluate(judged, again, "RR", ties=ties)["RR"] == expected, ties


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


# ---- every pair of choices at every door, against the oracle


OF_IDS = ("ids", "ids in order", "ids of systems")
AXES: dict[str, list[Any]] = {
    "door": [*OF_IDS, "evaluate", "Run", "evaluate_runs", "truth", "command line"],
    "documents": ["none", "separator", "mapping", "function"],
    "duplicates": ["raise", "first", "best", "in_place"],
    "ids": ["once", "repeated"],
    "excludes": [False, True],
    "calls": [None, "in_order", "round_robin"],
    "judgments": ["labels", "parts"],
}
OF_LABELS = {
    "nDCG@3": lambda labels, pool: reference.ndcg(labels, judged=pool, k=3),
    "R@10": lambda labels, pool: reference.recall(labels, judged=pool, k=10),
    "P@5": lambda labels, pool: reference.precision(labels, judged=pool, k=5),
    "RR": lambda labels, pool: reference.reciprocal_rank(labels, judged=pool),
    "AP": lambda labels, pool: reference.average_precision(labels, judged=pool),
}
OF_PARTS = {
    "alpha_nDCG@4": ("alpha_nDCG", 4),
    "ERR_IA@5": ("ERR_IA", 5),
    "AP_IA": ("AP_IA", 10),
    "StRecall@3": ("StRecall", 3),
}
Rankings = dict[str, list[list[str]]]  # query -> the ids of each search
Judgments = dict[str, dict[str, Any]]  # query -> document -> label, or part -> label


def possible(row: Row) -> bool:
    of_ids = row["door"] in OF_IDS
    if row["calls"] is not None and not of_ids:
        return False
    if row["ids"] == "repeated" and row["duplicates"] == "raise" and row["calls"] is None:
        return False
    return not (
        (of_ids and row["duplicates"] == "best")
        or (row["door"] == "evaluate" and row["duplicates"] != "raise")
        or (row["door"] == "command line" and row["documents"] in ("mapping", "function"))
        or (row["door"] == "truth" and row["excludes"])
    )


def scene(draw: random.Random, row: Row) -> tuple[Rankings, Judgments]:
    """Searches, of which there is one for each query without calls=, and judgments."""
    documents = [f"d#{number}" for number in range(7)]
    ids = [f"{document}#{chunk}" for document in documents for chunk in range(3)]
    if row["documents"] == "none":
        ids = documents
    rankings: Rankings = {}
    judged: Judgments = {}
    for query in (f"q{number}" for number in range(6)):
        searches = 1 if row["calls"] is None else draw.randint(0, 3)
        longest = min(12, len(ids))
        sizes = [draw.randint(1, longest) for _ in range(searches)]
        if row["ids"] == "repeated":
            rankings[query] = [draw.choices(ids, k=size) for size in sizes]
        else:
            rankings[query] = [draw.sample(ids, size) for size in sizes]
        # A document that nobody retrieves remains, whatever is excluded.
        found = [*draw.sample(documents, 4), "missing"]
        if row["judgments"] == "parts":
            judged[query] = {
                document: {str(part): 1 for part in sorted(draw.sample(range(3), 2))}
                for document in found
            }
        else:
            judged[query] = {document: draw.choice((0, 1, 2)) for document in found}
            judged[query]["missing"] = 1
    return rankings, judged


def expected(
    rankings: Rankings, judged: Judgments, excluded: dict[str, list[str]] | None, row: Row
) -> dict[str, dict[str, float]]:
    """The values of the oracle, by query."""
    document_of = str if row["documents"] == "none" else before_mark
    result = {}
    for query, searches in rankings.items():
        left_out = [] if excluded is None else excluded[query]
        ids = join_searches(searches, row["calls"])
        ranked = documents_of(ids, document_of, row["duplicates"] == "in_place", left_out)
        kept = {name: labels for name, labels in judged[query].items() if name not in left_out}
        names = [name or f"repeat {rank}" for rank, name in enumerate(ranked)]
        if row["judgments"] == "parts":
            result[query] = {
                measure: float(part_values.value(name, names, kept, k=k))
                for measure, (name, k) in OF_PARTS.items()
            }
        else:
            labels, pool = [kept.get(name, 0) for name in names], list(kept.values())
            result[query] = {
                measure: float(value(labels, pool) or 0) for measure, value in OF_LABELS.items()
            }
    return result


def documents_argument(form: str, rankings: Rankings) -> Any:
    if form == "mapping":
        chunks = {chunk for searches in rankings.values() for ids in searches for chunk in ids}
        return {chunk: before_mark(chunk) for chunk in chunks}
    return {"none": None, "separator": "#", "function": before_mark}[form]


def by_ids(rankings: Rankings, judged: Judgments, excluded: Any, row: Row) -> Any:
    """The result of evaluate_ids."""
    retrieved: Any = rankings
    if row["calls"] is None:
        retrieved = {query: searches[0] for query, searches in rankings.items()}
    relevant: Any = judged
    if row["judgments"] == "parts":
        relevant = {
            query: [[name for name, parts in of_query.items() if part in parts] for part in "012"]
            for query, of_query in judged.items()
        }
    if row["door"] == "ids in order":
        retrieved, relevant = list(retrieved.values()), list(relevant.values())
        excluded = None if excluded is None else list(excluded.values())
    elif row["door"] == "ids of systems":
        retrieved = {"system": retrieved}
    options: Any = {"duplicates": row["duplicates"], "calls": row["calls"], "exclude": excluded}
    options["documents"] = documents_argument(row["documents"], rankings)
    result = rg.evaluate_ids(retrieved, relevant, measures_of(row), **options)
    result = result["system"] if row["door"] == "ids of systems" else result
    if row["calls"] is not None:
        assert result.counts["searches"] == [len(searches) for searches in rankings.values()]
    return result


def by_run(rankings: Rankings, judged: Judgments, excluded: Any, row: Row) -> Any:
    """The result of a function that reads a run."""
    rows = [
        (query, name, -float(rank))
        for query, (ids,) in rankings.items()
        for rank, name in enumerate(ids)
    ]
    frame = pd.DataFrame(rows, columns=["query", "doc", "score"])
    documents, names = documents_argument(row["documents"], rankings), measures_of(row)
    options = {"documents": documents, "duplicates": row["duplicates"]}
    if row["door"] == "truth":
        return rg.evaluate_frame(frame, names, truth=judged, **options)
    if row["door"] == "evaluate":
        return rg.evaluate(judged, frame, names, documents=documents, exclude=excluded)
    ranked = {query: ids for query, (ids,) in rankings.items()}
    if row["door"] == "Run":
        return rg.evaluate(judged, rg.Run(ranked, **options), names, exclude=excluded)
    runs: dict[str, Any] = {"system": rg.Run(ranked, duplicates=row["duplicates"])}
    if row["duplicates"] == "in_place":  # chunks that are documents once are so for all systems
        runs["system"], documents = rg.Run(runs["system"], **options), None
    results = rg.evaluate_runs(judged, runs, names, documents=documents, exclude=excluded)
    return results["system"]


def by_command(
    rankings: Rankings, judged: Judgments, excluded: Any, row: Row, folder: Path
) -> dict[str, dict[str, float]]:
    """The values that the command line prints, by query."""
    lines = [
        f"{query} Q0 {name} 0 {-rank} run\n"
        for query, (ids,) in rankings.items()
        for rank, name in enumerate(ids)
    ]
    (folder / "run.txt").write_text("".join(lines), encoding="utf-8")
    rg.Qrels(judged).write(folder / "qrels.txt")
    command = [sys.executable, "-m", "rankgain", "evaluate", "qrels.txt", "run.txt"]
    command += [part for name in measures_of(row) for part in ("-m", name)]
    command += ["--duplicates", row["duplicates"], "--per-query", "--format", "json"]
    if row["documents"] == "separator":
        command += ["--documents", "#"]
    if row["judgments"] == "parts":
        command += ["--subtopics"]
    if excluded is not None:
        rg.Qrels(excluded).write(folder / "excluded.txt")
        command += ["--exclude", "excluded.txt"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)["runs"]["run.txt"]
    return {
        query: {name: column[index] for name, column in result["per_query"].items()}
        for index, query in enumerate(result["queries"])
    }


def measures_of(row: Row) -> list[str]:
    return list(OF_PARTS if row["judgments"] == "parts" else OF_LABELS)


@pytest.mark.parametrize("row", rows_of(AXES, possible), ids=name_of)
def test_every_pair_of_choices(row: Row, tmp_path: Path) -> None:
    draw = random.Random(str(row))
    rankings, judged = scene(draw, row)
    excluded = {query: ["d#0", "d#3"] for query in judged} if row["excludes"] else None
    if row["door"] == "command line":
        values = by_command(rankings, judged, excluded, row, tmp_path)
    else:
        evaluate = by_ids if row["door"] in OF_IDS else by_run
        result = evaluate(rankings, judged, excluded, row)
        values = dict(zip(judged, result.to_dict().values(), strict=True))
    wanted = expected(rankings, judged, excluded, row)
    assert values.keys() == wanted.keys()
    for query, of_query in wanted.items():
        assert values[query] == pytest.approx(of_query, abs=1e-12), query
