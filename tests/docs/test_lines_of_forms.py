"""The lines for forms of other tools on the page "Your data: which call?" run as they stand."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pytest.importorskip("sklearn")

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "data.md"


def section_of(title: str) -> str:
    text = PAGE.read_text(encoding="utf-8").partition(f"## {title}\n")[2]
    return text.partition("\n## ")[0]


def rows_of(section: str) -> list[tuple[str, str]]:
    """The forms of a section's table, and their lines."""
    return re.findall(r"^\| (.+?) \| `(.+?)`.*\|$", section, re.MULTILINE)


SECTION, OF_PARTS = section_of("Forms of other tools"), section_of("Facts, chunks and searches")
ROWS, ROWS_OF_PARTS = rows_of(SECTION), rows_of(OF_PARTS)


class Model:
    """A model that has been trained."""

    def predict(self, features: Any) -> Any:
        return features.toarray()[:, 0]


def answer(*names: str) -> dict[str, Any]:
    found = [{"_index": "i", "_id": name, "_score": 2.0 - at} for at, name in enumerate(names)]
    return {"took": 1, "hits": {"total": {"value": 2}, "hits": found}}


def judgments() -> dict[str, Any]:
    ratings = [{"_index": "i", "_id": "d1", "rating": 1}]
    return {"requests": [{"id": "q1", "request": {}, "ratings": ratings}]}


FILES = {
    "quepid.json": json.dumps({"queries": [{"query_text": "q1", "ratings": {"d1": "1"}}]}),
    "judgments.txt": "3 qid:1 # d1 star wars\n",
    "letor.txt": "1 qid:1 1:0.5 2:0.1 # d1\n0 qid:1 1:0.9 2:0.3 # d2\n",
    "traces.jsonl": json.dumps(
        {"inputs": {"id": "q1"}, "outputs": {"ids": ["d2", "d1"]}, "relevant": ["d1"]}
    ),
    "lists.csv": "query,retrieved,relevant\nq1,d2 d1 d3,d1\n",
    "commented.csv": "# made by a tool\nquery_id,doc_id,label\nq1,d1,1\n",
    "nuggets.json": json.dumps({"q1": {"d1": {"price": 1, "size": 1}}}),
    "diversity.txt": "q1 price d1 1\nq1 size d1 1\n",
}


def names() -> dict[str, Any]:
    """What the lines read; the relevant document is at rank 2 in each."""
    from sklearn.datasets import load_svmlight_file

    answers = {"q1": answer("d2", "d1")}
    frame = pandas.DataFrame
    return {
        "rg": rg,
        "measures": ["RR"],
        "model": Model(),
        "load_svmlight_file": load_svmlight_file,
        "qrels": {"q1": {"d1": 1}},
        "answers": answers,
        "answer": answer("d2", "d1"),
        "query_ids": ["q1"],
        "msearch": {"took": 1, "responses": list(answers.values())},
        "rank_eval_requests": judgments(),
        "rank_eval_result": {
            "metric_score": 1.0,
            "details": {
                "q1": {"hits": [{"hit": hit, "rating": 1} for hit in answers["q1"]["hits"]["hits"]]}
            },
        },
        "found": [[{"corpus_id": 3, "score": 0.9}, {"corpus_id": 7, "score": 0.5}]],
        "relevant_numbers": [[7]],
        "scored": {"q1": [("d1", 0.1), ("d2", 0.9)]},
        "relevant": {"q1": ["d1"]},
        "retrieved": {"q1": ["d9", "d1"]},
        "submission": frame({"customer_id": ["q1"], "prediction": ["d2 d1"]}),
        "solution": frame({"customer_id": ["q1"], "prediction": ["d1"]}),
        "run": {"q1": ["d2", "d1"]},
        "nuggets": frame(
            {"query": ["q1"] * 2, "doc": ["d1"] * 2, "nugget": ["a", "b"], "label": [1, 1]}
        ),
        "places": frame({"user": ["q1"], "rec_1": ["d2"], "rec_2": ["d1"]}),
        "lists": frame({"user": ["q1"], "items": [["d2", "d1"]]}),
        "bought": frame({"user": ["q1"], "item": ["d1"]}),
        "impressions": frame({"impression_id": ["q1"], "impressions": ["d1-1 d2-0"]}),
        "ranked_news": frame({"impression_id": ["q1"], "impressions": ["d2 d1"]}),
        "labelled": ["N1-0 N2-1 N3-0"],
        "ranks": [[1, 2, 3]],
        "structs": polars.DataFrame(
            {"user": ["u", "u"], "label": [1, 0], "score": [0.1, 0.9]}
        ).select(polars.struct("user").alias("query_id"), "label", "score"),
    }


def test_the_tables_are_there() -> None:
    assert len(ROWS) == SECTION.count("\n| ") - 2
    assert len(ROWS_OF_PARTS) == OF_PARTS.count("\n| ") - 2


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the lines read, in the folder that they run in."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("files")
@pytest.mark.filterwarnings("ignore:the longest list")
@pytest.mark.parametrize(("form", "line"), ROWS, ids=[form for form, _ in ROWS])
def test_a_line_runs(form: str, line: str) -> None:
    *before, last = line.split("; ")
    known = names()
    for statement in before:
        exec(statement, known)
    result = eval(last, known)
    if isinstance(result, rg.Qrels):
        assert len(result) == 1
    else:
        right = 1.0 if '"d1": "0.5"' in line else 0.5
        assert list(result.means.values()) == [right]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("form", "line"), ROWS_OF_PARTS, ids=[form for form, _ in ROWS_OF_PARTS])
def test_a_line_of_parts_runs(form: str, line: str) -> None:
    """The relevant document has all parts, and is at rank 2."""
    result = eval(line, names())
    for name, mean in result.means.items():
        expected = 1 / math.log2(3) if "nDCG" in name else 1.0
        assert mean == pytest.approx(expected), name
