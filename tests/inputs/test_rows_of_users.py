"""Tables with a row for each user, and other tables as people hold them, in every library."""

import doctest
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

LIBRARIES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "lazy": polars.LazyFrame,
    "pyarrow": pyarrow.table,
}
# u1 has b at rank 2 of three, u2 has c at rank 1 of one.
RIGHT = {"u1": {"RR": 0.5}, "u2": {"RR": 1.0}}
TRUTH = {"u1": ["b"], "u2": ["c"]}
USERS = ["u1", "u2"]

# The columns of each form, of what was recommended and of what is right.
FORMS = json.loads(Path(__file__).with_name("tables_of_users.json").read_text(encoding="utf-8"))
RANKED, JUDGED = FORMS["ranked"], FORMS["judged"]


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
@pytest.mark.parametrize("form", RANKED.values(), ids=RANKED)
def test_rankings(form: dict[str, Any], make: Callable[[dict[str, Any]], Any]) -> None:
    assert rg.evaluate_ids(make(form), TRUTH, "RR").to_dict() == RIGHT
    shown = rg.evaluate_catalogue(make(form), "Coverage@1", catalogue=4)
    assert shown.means["Coverage@1"] == 0.5


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
@pytest.mark.parametrize("judged", JUDGED.values(), ids=JUDGED)
def test_truths(judged: dict[str, Any], make: Callable[[dict[str, Any]], Any]) -> None:
    for form in ("joined", "lists", "places"):
        result = rg.evaluate_ids(make(RANKED[form]), make(judged), "RR")
        assert result.to_dict() == RIGHT
    assert rg.evaluate_ids({"u1": ["a", "b"], "u2": ["c"]}, make(judged), "RR").to_dict() == RIGHT


@pytest.mark.parametrize("n_places", [9, 10, 12, 100])
@pytest.mark.parametrize("first", [0, 1])
def test_columns_of_places_are_in_the_order_of_their_numbers(n_places: int, first: int) -> None:
    ids = [f"d{place}" for place in range(n_places)]
    columns = {f"rec_{first + place}": [ids[place]] for place in range(n_places)}
    for names in (list(columns), sorted(columns), list(columns)[::-1]):
        frame = pandas.DataFrame({"user": ["u"], **{name: columns[name] for name in names}})
        result = rg.evaluate_ids(frame, {"u": [ids[-1]]}, "RR")
        assert result.to_dict() == {"u": {"RR": 1 / n_places}}


def test_examples_of_the_text_beside_this() -> None:
    result = doctest.testfile("tables_of_users.txt", globs=dict(globals()))
    assert result.failed == 0
    assert result.attempted > 20


def test_lists_of_numbers_by_name() -> None:
    lists = {"user": USERS, "items": [["d", "b", "a"], ["c"]], "w": [[0.1, 0.5, 0.9], [1.0]]}
    for name in ("w", "rank", "score", "positions"):
        frame = pandas.DataFrame(lists).rename(columns={"w": name})
        for role, best in (("score", "a"), ("rank", "d")):
            for named in ({}, {"doc": "items", "query": "user"}):
                call: dict[str, Any] = {role: name, **named}
                result = rg.evaluate_ids(frame, {"u1": [best], "u2": ["x"]}, "RR", **call)
                assert result.to_dict() == {"u1": {"RR": 1.0}, "u2": {"RR": 0.0}}


NESTED = [
    {
        "inputs": {"question_id": "q1"},
        "outputs": {"ids": ["a", "b"], "docs": [{"id": "a"}, {"id": "b"}], "scores": [0.9, 0.1]},
        "relevant": ["b"],
    },
    {"inputs": {"question_id": "q2"},
     "outputs": {"ids": ["c"], "docs": [{"id": "c"}], "scores": [0.5]}, "relevant": ["c"]},
]  # fmt: skip


@pytest.mark.parametrize("retrieved", ["outputs.ids", "outputs.docs", "outputs.docs.id"])
@pytest.mark.parametrize("make", ["lines", "pandas", "polars", "pyarrow"])
def test_nested_fields(retrieved: str, make: str, tmp_path: Path) -> None:
    source: Any = tmp_path / "traces.jsonl"
    source.write_text("\n".join(map(json.dumps, NESTED)), encoding="utf-8")
    if make != "lines":
        frame = polars.DataFrame(NESTED)
        source = {"pandas": pandas.DataFrame(NESTED), "pyarrow": frame.to_arrow()}.get(make, frame)
    call: Any = {"measures": "RR", "retrieved": retrieved, "query": "inputs.question_id"}
    assert rg.evaluate_ids(source, **call).to_dict() == {"q1": {"RR": 0.5}, "q2": {"RR": 1.0}}


def test_lists_in_cells_of_csv(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("query,retrieved,relevant\nq1,a b c,b\nq2,\"['c', 'a']\",['c']\n", "utf-8")
    assert rg.evaluate_ids(path, measures="RR").to_dict() == {"q1": {"RR": 0.5}, "q2": {"RR": 1.0}}


TABLE = {
    "user": ["u"] * 4,
    "session": [1, 1, 2, 2],
    "doc_id": ["a", "b", "a", "b"],
    "label": [0, 1, 1, 0],
    "score": [0.9, 0.8, 0.7, 0.6],
}


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_structs_are_keys_of_several_columns(library: str) -> None:
    frame = polars.DataFrame(TABLE)
    key = polars.struct("user", "session").alias("query_id")
    frame = frame.select(key, "doc_id", "label", "score")
    frame = frame if library == "polars" else frame.to_arrow()
    right = {("u", 1): {"RR": 0.5}, ("u", 2): {"RR": 1.0}}
    assert rg.evaluate_frame(frame, "RR").to_dict() == right
    assert rg.evaluate_ids(frame, frame, "RR").to_dict() == right
    qrels = rg.Qrels.from_frame(frame, label="label")
    assert rg.evaluate(qrels, rg.Run.from_frame(frame, score="score"), "RR").to_dict() == right


@pytest.mark.parametrize("start", ["# made by a tool\n", "# one, two\n#\n", "\ufeff# one\n"])
@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_comments_before_the_header(start: str, ending: str, tmp_path: Path) -> None:
    text = start + "query_id,doc_id,label,score\nq,a,1,.5\nq,b,0,.7\n"
    if ending == ".tsv":
        text = text.replace(",", "\t")
    path, other = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
    path.write_text(text, encoding="utf-8")
    other.write_text(text.replace("q", "r").replace("ruery", "query"), encoding="utf-8")
    assert dict(rg.Qrels(path)) == {"q": {"a": 1.0, "b": 0.0}}
    assert rg.evaluate_frame(path, "RR").to_dict() == {"q": {"RR": 0.5}}
    both = rg.evaluate_frame([path, other], "RR")
    assert both.to_dict() == {"q": {"RR": 0.5}, "r": {"RR": 0.5}}


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_label_none_says_that_each_row_is_relevant(make: Callable[[dict[str, Any]], Any]) -> None:
    ranked = make({"user": ["u", "u"], "item": ["a", "b"], "rank": [1, 2]})
    relevant = make({"user": ["u", "u"], "item": ["a", "b"], "label": [0, 1]})
    assert rg.evaluate_ids(ranked, relevant, "RR").means == {"RR": 0.5}
    assert rg.evaluate_ids(ranked, relevant, "RR", label=None).means == {"RR": 1.0}
