"""Forms in which people keep rankings and judgments: one small data set, written in each."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

# By hand: c is at rank 2 of x, and at rank 1 of y. Scores and order agree; x lists its hits from
# the worst to the best where a form has scores.
RANKED = {"x": {"b": 0.25, "c": 0.5, "a": 0.75}, "y": {"c": 0.9, "a": 0.1}}
ORDER = {"x": ["a", "c", "b"], "y": ["c", "a"]}
JUDGED = {"x": {"c": 2, "a": 0}, "y": {"c": 1}}
RIGHT = {"x": {"RR": 0.5}, "y": {"RR": 1.0}}


def engine_hit(name: str, score: float | None) -> dict[str, Any]:
    return {"_index": "docs", "_id": name, "_score": score, "_source": {"id": "other", "n": 1}}


def answer(query: str, scores: bool = True) -> dict[str, Any]:
    found = [engine_hit(name, RANKED[query][name] if scores else None) for name in ORDER[query]]
    body = {"total": {"value": 2}, "max_score": None, "hits": found}
    return {"took": 2, "timed_out": False, "_shards": {"total": 1, "failed": 0}, "hits": body}


def hits(query: str, *names: str) -> list[dict[str, Any]]:
    return [dict(zip(names, pair, strict=True)) for pair in RANKED[query].items()]


def by_query(form: Callable[[str], Any]) -> dict[str, Any]:
    return {query: form(query) for query in RANKED}


def rows(form: Callable[[str, str, int], Any], *queries: str) -> list[Any]:
    """What a form makes of each judgment: of a query, a document and its label."""
    return [
        form(query, name, label)
        for query in queries or JUDGED
        for name, label in JUDGED[query].items()
    ]


OF_RUNS: dict[str, Any] = {
    "answers": by_query(answer),
    "answers without scores": by_query(lambda query: answer(query, False)),
    "hits of an engine": by_query(lambda query: answer(query)["hits"]["hits"]),
    "Solr": by_query(
        lambda query: {"response": {"numFound": 2, "docs": hits(query, "id", "score")}}
    ),
    "Pinecone": by_query(lambda query: {"matches": hits(query, "id", "score"), "usage": {}}),
    "corpus_id": by_query(lambda query: hits(query, "corpus_id", "score")),
    "hits with a text": by_query(
        lambda query: [{**hit, "document": f"text of {hit}"} for hit in hits(query, "id", "score")]
    ),
    "ranks": by_query(
        lambda query: [{"docno": name, "rank": at} for at, name in enumerate(ORDER[query])][::-1]
    ),
    "pairs": by_query(lambda query: list(RANKED[query].items())),
    "pairs as lists": by_query(lambda query: [*map(list, RANKED[query].items())]),
    "dicts": RANKED,
    "scores as text": by_query(lambda query: {k: str(x) for k, x in RANKED[query].items()}),
    "rank_eval": {
        "metric_score": 0.4,
        "details": by_query(lambda query: {
            "metric_score": 0.1, "unrated_docs": [],
            "hits": [{"hit": hit, "rating": None} for hit in answer(query)["hits"]["hits"]],
        }),
    },
}  # fmt: skip
BY_SUBTOPIC = {
    "x": {"c": {"price": 2, "taste": 1}, "a": {"price": 0}},
    "y": {"c": {"price": 0, "taste": 1}},
}
OF_QRELS: dict[str, Any] = {
    "dicts": JUDGED,
    "labels as text": {"x": {"c": "2", "a": "0"}, "y": {"c": "1"}},
    "pairs": by_query(lambda query: list(JUDGED[query].items())),
    "rank_eval": {
        "requests": [
            {"id": query, "request": {"query": {"match": {"text": "words"}}},
             "ratings": rows(lambda _, name, label: {"_index": "docs", "_id": name,
                                                     "rating": label}, query)}
            for query in JUDGED
        ],
        "metric": {"precision": {"k": 3}},
    },
    "RRE": {
        "index": "docs", "corpora_file": "docs.bulk", "id_field": "id",
        "topics": [
            {"description": "one", "query_groups": [
                {"name": query,
                 "queries": [{"template": "t.json", "placeholders": {"$query": query}}],
                 "relevant_documents": {k: {"gain": x} for k, x in JUDGED[query].items()}}]}
            for query in JUDGED
        ],
    },
    "RRE, a list": {
        "query_groups": [
            {"name": query, "queries": [],
             "relevant_documents": rows(lambda _, name, label: {name: {"gain": label}}, query)}
            for query in JUDGED
        ]
    },
    "RRE, a text in two templates": {
        "query_groups": [
            {"name": query,
             "queries": [{"template": template, "placeholders": {"$query": query}}
                         for template in ("a.json", "b.json")],
             "relevant_documents": {k: {"gain": x} for k, x in JUDGED[query].items()}}
            for query in JUDGED
        ]
    },
    "Quepid for RRE": {
        "id_field": "id", "index": "docs", "template": "t.json",
        "queries": [
            {"placeholders": {"$query": "x"}, "relevant_documents": {"2": ["c"], "0": ["a"]}},
            {"placeholders": {"$query": "y"}, "relevant_documents": {"1": ["c"]}},
        ],
    },
    "Quepid's ratings": {
        "ratings": rows(lambda query, name, label: {"query_text": query, "doc_id": name,
                                                    "rating": label}),
    },
    "Quepid's case": {
        "case_name": "one",
        "queries": [{"query_text": "x", "ratings": {"c": "2", "a": "0"}},
                    {"query_text": "y", "ratings": {"c": "1"}}],
    },
    "Quepid's book": {
        "name": "book",
        "query_doc_pairs": rows(lambda query, name, label: {
            "query_text": query, "doc_id": name, "position": 1,
            "judgements": [{"rating": float(label), "unrateable": False, "user": "u"},
                           {"rating": None, "unrateable": True, "user": "v"}],
        }),
    },
    "OpenSearch": {
        "name": "imported", "type": "IMPORT_JUDGMENT",
        "judgmentRatings": by_query(lambda query: rows(
            lambda _, name, label: {"docId": name, "rating": f"{label:.3f}"}, query)),
    },
    "OpenSearch, a list": {
        "judgmentRatings": [
            {"query": query, "ratings": rows(
                lambda _, name, label: {"docId": name, "rating": str(label)}, query)}
            for query in JUDGED
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "qrels", [*OF_QRELS.values(), BY_SUBTOPIC], ids=[*OF_QRELS, "labels by subtopic"]
)
@pytest.mark.parametrize("run", OF_RUNS.values(), ids=OF_RUNS)
def test_all_forms_have_the_same_values(qrels: Any, run: Any) -> None:
    assert rg.evaluate(qrels, run, "RR").to_dict() == RIGHT


@pytest.mark.parametrize("form", OF_QRELS.values(), ids=OF_QRELS)
@pytest.mark.parametrize("door", ["dict", "json", "evaluate_ids"])
def test_judgments(form: Any, door: str, tmp_path: Path) -> None:
    if door == "evaluate_ids":
        assert rg.evaluate_ids(ORDER, form, "RR").to_dict() == RIGHT
        return
    path = tmp_path / "qrels.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    assert rg.Qrels(form if door == "dict" else path) == rg.Qrels(JUDGED)


@pytest.mark.parametrize("run", OF_RUNS.values(), ids=OF_RUNS)
def test_labels_by_subtopic_beside_all_forms_of_runs(run: Any, tmp_path: Path) -> None:
    """By hand: of x, c has both subtopics at rank 2; of y, c has the only one at rank 1."""
    path = tmp_path / "qrels.json"
    path.write_text(json.dumps(BY_SUBTOPIC), encoding="utf-8")
    with pytest.raises(ValueError, match="subtopics=True"):
        rg.Qrels(path)
    for qrels in (BY_SUBTOPIC, rg.Qrels(BY_SUBTOPIC), rg.Qrels(path, subtopics=True)):
        result = rg.evaluate(qrels, run, ["StRecall@1", "StRecall@2", "P_IA@2"])
        assert result.per_query["StRecall@1"].tolist() == [0.0, 1.0]
        assert result.per_query["StRecall@2"].tolist() == [1.0, 1.0]
        assert result.per_query["P_IA@2"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("form", [name for name in OF_RUNS if name != "rank_eval"])
def test_runs_in_evaluate_ids(form: str) -> None:
    run = OF_RUNS[form]
    assert rg.evaluate_ids(run, JUDGED, "RR").to_dict() == RIGHT
    lists, relevant = list(run.values()), list(JUDGED.values())
    by_place = {at: RIGHT[query] for at, query in enumerate(RIGHT)}
    assert rg.evaluate_ids(lists, relevant, "RR").to_dict() == by_place
    both = rg.evaluate_ids({"one": run, "two": ORDER}, JUDGED, "RR", systems=True)
    assert both["one"].to_dict() == both["two"].to_dict() == RIGHT
    shown = rg.evaluate_catalogue(run, "Coverage@1", catalogue=["a", "b", "c"])
    assert shown.means["Coverage@1"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("form", [name for name in OF_RUNS if name != "rank_eval"])
@pytest.mark.parametrize("n_before", [1, 3])
def test_the_first_lists_may_be_empty(form: str, n_before: int) -> None:
    run = OF_RUNS[form]
    before = {f"empty {number}": [] for number in range(n_before)}
    judged = {query: {"a": 1} for query in before} | JUDGED
    zeros = {query: {"RR": 0.0} for query in before}
    assert rg.evaluate_ids(before | run, judged, "RR").to_dict() == zeros | RIGHT
    lists = [*before.values(), *run.values()]
    relevant = list(judged.values())
    values = list(rg.evaluate_ids(lists, relevant, "RR").to_dict().values())
    assert values == [*zeros.values(), *RIGHT.values()]
    pairs = [[], *(list(labels.items()) for labels in JUDGED.values())]
    by_place = rg.evaluate_ids([["a"], *ORDER.values()], pairs, "RR").to_dict()
    assert list(by_place.values()) == [{"RR": 0.0}, *RIGHT.values()]


LINES: dict[str, Callable[[str], dict[str, Any]]] = {
    "an answer and a query": lambda query: {"query_id": query, **answer(query)},
    "a nested answer": lambda query: {"qid": query, "request": {"size": 3}, "body": answer(query)},
    "results": lambda query: {
        "query": {"id": query, "lang": "en"},
        "system": "bm25",
        "results": hits(query, "doc_id", "score"),
    },
    "ids": lambda query: {"id": query, "retrieved": ORDER[query], "relevant": ["z"]},
    "pairs": lambda query: {"topic": query, "ranking": [*map(list, RANKED[query].items())]},
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_json_lines_with_a_query_each(
    line: Callable[[str], dict[str, Any]], tmp_path: Path
) -> None:
    of_queries = [line(query) for query in RANKED]
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(map(json.dumps, of_queries)), encoding="utf-8")
    for source in (path, of_queries):
        run = rg.Run(source)
        assert {query: list(run[query]) for query in run} == ORDER


def test_an_answer_alone_is_one_list() -> None:
    assert rg.evaluate_ids(answer("x"), ["c"], "RR").means["RR"] == 0.5
    both = {"took": 3, "responses": [answer("x"), answer("y")]}
    assert rg.evaluate_ids(both, [["c"], ["c"]], "RR").means["RR"] == 0.75


def test_answers_of_a_client_are_its_json() -> None:
    class Response:
        """As the client of Elasticsearch returns: no mapping."""

        def __init__(self, body: dict[str, Any]) -> None:
            self.body = body

    Response.__module__ = "elastic_transport"
    answers = {query: Response(answer(query)) for query in RANKED}
    assert rg.evaluate(JUDGED, answers, "RR").to_dict() == RIGHT
    assert rg.evaluate_ids(answers, JUDGED, "RR").to_dict() == RIGHT
    assert rg.evaluate_ids(answers["x"], ["c"], "RR").means["RR"] == 0.5
    assert rg.evaluate(JUDGED, Response(OF_RUNS["rank_eval"]), "RR").to_dict() == RIGHT


def test_queries_may_be_called_as_fields_of_answers() -> None:
    run = {"docs": [], "results": ["a"], "hits": [{"id": "b"}], "matches": [{"id": "c"}]}
    assert list(rg.Run(run)) == list(run)


def test_tuples_may_be_ids() -> None:
    chunks = [("d", 1), ("d", 2)]
    assert rg.evaluate_ids({"x": chunks}, {"x": [("d", 2)]}, "RR").means["RR"] == 0.5
    assert rg.evaluate_ids([chunks], [{("d", 2)}], "RR").means["RR"] == 0.5


@pytest.mark.parametrize("ending", [".txt", ".tsv", ".dat.gz", ""])
def test_judgment_lines(ending: str, tmp_path: Path) -> None:
    text = "# qid:1: rambo\n#\n4\tqid:1 #\t7555\tRambo\n3 qid:1 # 9 two words\n\n0\tqid:2 #\t12\n"
    path = tmp_path / f"judgments{ending}"
    content = text.encode()
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    right = {"1": {"7555": 4.0, "9": 3.0}, "2": {"12": 0.0}}
    for source in (path, io.BytesIO(content), io.StringIO(text)):
        assert dict(rg.Qrels(source)) == right


def test_ids_of_judgment_lines_that_are_not_utf_8_are_kept() -> None:
    content = b"3 qid:q\xff # d\xfe\n1 qid:r # d\n"
    right = {"q\udcff": {"d\udcfe": 3.0}, "r": {"d": 1.0}}
    for source in (io.BytesIO(content), io.StringIO(content.decode("utf-8", "surrogateescape"))):
        assert dict(rg.Qrels(source)) == right


def test_many_empty_lines_are_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("\n" * 400 + " \n# x\n" * 20 + "q 0 a 1\n", encoding="utf-8")
    assert dict(rg.Qrels(path)) == {"q": {"a": 1.0}}
    path.write_text("\n \n# x\n" * 20 + "3 qid:1 # 7\n", encoding="utf-8")
    assert dict(rg.Qrels(path)) == {"1": {"7": 3.0}}


def test_texts_of_one_group_of_rre_have_the_same_judgments() -> None:
    queries = [{"placeholders": {"$query": text}} for text in ("red", "rouge", "rot")]
    group = {"name": "g", "queries": queries, "relevant_documents": {"3": ["d"], "1": ["e"]}}
    qrels = rg.Qrels({"topics": [{"query_groups": [group]}]}).to_dict()
    judged = {"d": 3.0, "e": 1.0}
    assert qrels == {"red": judged, "rouge": judged, "rot": judged}
