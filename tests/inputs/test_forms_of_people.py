"""Forms in which people keep rankings and judgments: one small data set, written in each."""

import gzip
import io
import json
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
# Each form as its tool writes it: of a run, of judgments, and of a run with a line for each query.
FORMS = json.loads(Path(__file__).with_name("forms_of_people.json").read_text(encoding="utf-8"))
OF_RUNS, OF_QRELS, LINES = FORMS["runs"], FORMS["judgments"], FORMS["lines"]
BY_SUBTOPIC = FORMS["judgments by subtopic"]
OF_RUNS["pairs"] = {query: list(scores.items()) for query, scores in RANKED.items()}
OF_QRELS["pairs"] = {query: list(labels.items()) for query, labels in JUDGED.items()}
ANSWERS = OF_RUNS["answers"]


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


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_json_lines_with_a_query_each(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for source in (path, lines):
        run = rg.Run(source)
        assert {query: list(run[query]) for query in run} == ORDER


def test_an_answer_alone_is_one_list() -> None:
    assert rg.evaluate_ids(ANSWERS["x"], ["c"], "RR").means["RR"] == 0.5
    both = {"took": 3, "responses": [ANSWERS["x"], ANSWERS["y"]]}
    assert rg.evaluate_ids(both, [["c"], ["c"]], "RR").means["RR"] == 0.75


def test_answers_of_a_client_are_its_json() -> None:
    class Response:
        """As the client of Elasticsearch returns: no mapping."""

        def __init__(self, body: dict[str, Any]) -> None:
            self.body = body

    Response.__module__ = "elastic_transport"
    answers = {query: Response(ANSWERS[query]) for query in ANSWERS}
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
