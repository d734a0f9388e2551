"""Whole messages of tables: of two faults the first one is named, with its row and its values."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")

NAN, INF, TOP = float("nan"), float("inf"), 2**53
LIBRARIES = {"pandas": pandas.DataFrame, "polars": polars.DataFrame}
COLUMNS = {"query": list("qqrr"), "doc": list("abcd"), "label": [1, 0, 1, 0], "score": [4, 3, 2, 1]}
TOO_WIDE = (
    "the float 1.152921504606847e+18: floats this large are equal for different ids; give ids as "
    "integers or text (pandas reads integers as floats where a value is missing)"
)
ROUNDED = "which cannot be represented exactly as a float64; rescale it"
LARGE = "which is too large for a float64; rescale it"
FEW = "give all rows of a list the same value"
WIDE = [1.5, 2.5, 2.0**60, 2.0**61]
ABSENT = "Columns: query, doc, label, score"
NOT_TEXT = (
    'names of columns must be text: set_axis(["query", "doc", ...], axis=1) of pandas gives some, '
    "or pass frame.to_numpy() if each row is a list"
)
MIXED = "so lists of several systems would be mixed"


def check(
    call: Callable[[], object], kind: type[Exception], message: str, table: str = "the DataFrame"
) -> None:
    """@3 stands for the third row of the table, @ for the table."""
    message = re.sub("^@([0-9]+)", rf"{table}, row \1 (counting from 1)", message)
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == re.sub("^@", table, message)


# What is changed in COLUMNS, the options of the call, and the error.
VALUES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"doc": ["a", None, None, "d"]}, {"doc": "doc"}, "@2: doc has no value"),
    ({"score": [1.0, 2, NAN, NAN]}, {}, "@3: score {nan}"),
    ({"query": ["q", "q", None, "r"], "label": [NAN, 1.0, 1, 0]}, {}, "@3: query has no value"),
    ({"label": [1.0, NAN, 1, 0], "score": [NAN, 1.0, 1, 0]}, {}, "@2: label {nan}"),
    ({"g": ["x", "x", None, None]}, {"segment": "g"}, "@3: g has no value"),
    ({"m": list("xyxy"), "label": [9, 1, 1, 9], "score": [1.0, 2, NAN, 1]},
     {"run": "m", "ignore": 9},
     "run 'x': the DataFrame, row 3 (counting from 1): score {nan}"),
    ({"label": [1.0, -INF, INF, 1]}, {}, "@2: label is -inf; it must be finite"),
    ({"w": [1.0, 1.0, -INF, INF]}, {"weight": "w"}, "@3: w is -inf; it must be finite"),
    ({"score": ["1", "1", "-1e400", "1e401"]}, {}, f"@3: score is '-1e400', {LARGE}"),
    ({"score": ["1", f"-{TOP + 1}", f"{TOP + 3}", "1"]}, {}, f"@2: score is -{TOP + 1}, {ROUNDED}"),
    ({"score": ["1", "1", f" +{TOP + 3}", "1"]}, {}, f"@3: score is {TOP + 3}, {ROUNDED}"),
    ({"query": WIDE}, {}, f"@3: query is {TOO_WIDE}"),
    ({"query": WIDE}, {"query": ["label", "query"]}, f"@3: query is {TOO_WIDE}"),
    ({"doc": WIDE}, {"doc": "doc"}, f"@3: doc is {TOO_WIDE}"),
    ({"doc": [2.0**60, *WIDE[1:]], "label": [9, 1, 0, 1]}, {"ignore": 9}, f"@3: doc is {TOO_WIDE}"),
    ({"query": "q", "g": WIDE}, {"segment": "g"}, f"@3: g is {TOO_WIDE}"),
    ({"g": WIDE}, {"run": "g"}, f"@3: g is {TOO_WIDE}"),
    ({"w": [1, 1, 5, 7]}, {"weight": "w"}, f"@4: w is 7, but 5 in the first row of 'r'; {FEW}"),
    ({"w": [1, 2, 5, 7]}, {"weight": "w"}, f"@2: w is 2, but 1 in the first row of 'q'; {FEW}"),
    ({"g": list("xxyz")}, {"segment": "g"},
     f"@4: g is 'z', but 'y' in the first row of 'r'; {FEW}"),
    ({"w": [1, 1, 5, 7], "g": list("xyyy")}, {"segment": "g", "weight": "w"},
     f"@4: w is 7, but 5 in the first row of 'r'; {FEW}"),
    ({}, {"weight": "w", "segment": "g"}, f"@: no column 'w' (weight=). {ABSENT}"),
    ({}, {"run": "U", "query": "Q"}, f"@: no column 'U' (run=). {ABSENT}"),
    ({}, {"query": "Q", "label": "L"}, f"@: no column 'Q' (query=). {ABSENT}"),
    ({}, {"query": ["query", "Q"], "label": "L"}, f"@: no column 'Q' (query[1]=). {ABSENT}"),
    ({}, {"label": "L", "score": "S"}, f"@: no column 'L' (label=). {ABSENT}"),
    ({}, {"score": ["score", "X", "Y"]}, f"@: no column 'X' (score[1]=). {ABSENT}"),
    ({}, {"score": "S", "doc": "D"}, f"@: no column 'S' (score=). {ABSENT}"),
    ({}, {"rank": "S", "doc": "D"}, f"@: no column 'S' (rank=). {ABSENT}"),
    ({}, {"doc": "D", "weight": "W"}, f"@: no column 'D' (doc=). {ABSENT}"),
    *(({}, {role: ""}, f"@: no column '' ({role}=). {ABSENT}")
      for role in ("run", "query", "label", "score", "rank", "doc", "weight", "segment")),
    ({"gain": 2, "rel": 3}, {"label": None},
     "@: 'label' and 'gain' and 'rel' both fit label=; pass label=..."),
    ({}, {"rank": "score", "score": "score"},
     "score and rank both say what orders the documents; give one of them"),
    ({}, {"rank": "score", "ignore": 0},
     "ignore= does not support rank=, which says where each document stands: remove the rows with "
     "these labels, and the other documents keep their ranks"),
    ({}, {"run": "doc", "score": ["score", "label"]},
     "run and several columns in score both name the systems; pass one of them"),
    ({}, {"score": ["score", "label", "score"]},
     "score has one system twice: ['score', 'label', 'score']; give each a name of its own"),
    ({}, {"score": {}}, 'score is empty; give columns, such as score={"a": "score_a"}'),
    ({"query": "q", "doc": list("abba")}, {"doc": "doc"},
     "@3: query 'q' has the document 'b' a second time, first in row 2; pass "
     'duplicates="first" to keep the first row'),
    ({"query": "q", "doc": list("abba")}, {},
     "@3: query 'q' has the document 'b' a second time, first in row 2; pass "
     'duplicates="first" to keep the first row, run= with the column of the systems if the table '
     "holds several, or doc=None if 'doc' does not identify documents"),
    ({}, {"doc": None, "duplicates": "best"},
     '@: duplicates="best" needs the ids of documents; pass doc=, the name of a column without '
     "missing values"),
    ({"query": "q", "doc": ["a1", "b1", "a2", "b2"], "label": [1, 0, 2, 3]},
     {"documents": lambda name: name[0]},
     "@3: the chunk 'a2' has the label 2, and an earlier chunk of its document another one; "
     "documents= needs one label for each document"),
    ({"model": list("xxyz")}, {},
     f"@: column 'model' has 2 values within query 'r', {MIXED}; pass run='model' if it names "
     "systems, or run=None if it does not"),
    ({"query": "q", "session_id": [None, "x", "x", "y"]}, {},
     "@4: query 'q' ('query') has the 'session_id' 'y', but 'x' in row 2; "
     "if each pair of 'query' and 'session_id' is one list, pass query=['query', 'session_id']; if "
     "'query' alone identifies the lists, pass query='query'"),
    ({"session_id": [1, 1, 2, 3]}, {},
     "@4: query 'r' ('query') has the 'session_id' 3, but 2 in its first row; "
     "if each pair of 'query' and 'session_id' is one list, pass query=['query', 'session_id']; if "
     "'query' alone identifies the lists, pass query='query'"),
]  # fmt: skip


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("changes", "options", "message"), VALUES)
def test_values(changes: Any, options: Any, message: str, library: str) -> None:
    columns = {**COLUMNS, **changes}
    for name, values in columns.items():
        if not isinstance(values, list):
            columns[name] = [values] * 4
    frame = LIBRARIES[library](columns)
    # To pandas, NaN is a missing value.
    message = message.replace("{nan}", "has no value" if library == "pandas" else "is NaN")
    kind = TypeError if "must be the name" in message else ValueError
    check(partial(rg.evaluate_frame, frame, "RR", **options), kind, message)


# ---- columns of Python objects, of types that are no numbers or no ids, and odd names


def objects(**changes: list[Any]) -> Any:
    columns = {name: pandas.Series(values, dtype=object) for name, values in changes.items()}
    return pandas.DataFrame({**COLUMNS, **columns})


def typed(**changes: list[Any] | None) -> Any:
    """A function that makes a frame of polars, whose threads would be lost in a later fork."""
    columns = {**COLUMNS, **changes}
    return partial(polars.DataFrame, {name: columns[name] for name in columns if columns[name]})


FRAMES: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (objects(score=[1, [2], {}, 1]), {}, TypeError, "@2: score must be a number, not [2]"),
    (objects(score=[1, "1_0", "x", 1]), {}, TypeError, "@2: score must be a number, not '1_0'"),
    (objects(score=[1, 2, 10**400, -(10**401)]), {}, ValueError,
     f"@3: score is 1{'0' * 96}..., {LARGE}"),
    (objects(score=[Decimal(1), Decimal(-TOP - 1), Decimal(TOP + 3), Decimal(0)]), {}, ValueError,
     f"@2: score is -{TOP + 1}, {ROUNDED}"),
    (typed(score=["1", "1_0", "2", "y"]), {}, TypeError, "@2: score is not a number: '1_0'"),
    (typed(score=["true", "1", f"{TOP + 1}", "1e400"]), {}, ValueError,
     f"@4: score is '1e400', {LARGE}"),
    (typed(score=[datetime.date(2020, 1, 2)] * 4), {}, TypeError,
     "@: column 'score' must hold numbers, not Date, such as datetime.date(2020, 1, 2)"),
    (objects(d=[{"a": 1}, {}, {}, {}]), {"doc": "d"}, TypeError,
     "column 'd' holds values of the type dict, which are not ids; make one column of text or "
     "integers of them"),
    (typed(query=[{"a": 1, "b": 2}, *[{"a": 1, "b": None}] * 3]), {}, ValueError,
     "@2: query.b has no value"),
    (typed(d=[["a"]] * 4), {"doc": "d"}, TypeError,
     "column 'd' holds lists, which are not ids; give one id in each row"),
    (typed(d=[{"a": 1}] * 4), {"doc": "d"}, TypeError,
     "column 'd' holds structs, which are not ids; select a field, as polars' unnest('d') does"),
    (objects(m=["x", 1, "1", "x"]), {"run": "m"}, ValueError,
     "@: two systems in 'm' are called '1' as text"),
    (objects(m=["x"] * 4)[:0], {"run": "m"}, ValueError,
     "@ has no rows, so 'm' names no system; leave run= out to evaluate it"),
    (typed(), {"label": 3}, TypeError, "label must be the name of a column, not 3"),
    (typed(), {"score": [["score"]]}, TypeError,
     "score must be the name of a column, not ['score']"),
    (typed(), {"score": {"a": "score", "b": None}}, TypeError,
     "score must hold names of columns, not None: {'a': 'score', 'b': None}"),
    (typed(), {"query": ["query", None]}, TypeError,
     "query must hold names of columns, not None: ['query', None]"),
    (typed(), {"query": []}, TypeError, "query must be the name of a column, not []"),
    (typed(label=None), {}, ValueError,
     "@: no label column found (looked for label, relevance, rel, ...). Columns: query, doc, "
     "score; pass label=..."),
    (typed(score=None, position=[4, 3, 2, 1]), {}, ValueError,
     "@: no score column found (looked for score, ...). Columns: query, doc, label, position; pass "
     "score=, or rank='position' if the smallest rank is the best"),
    (pandas.DataFrame([[1, 2]], columns=[3, 4]), {}, ValueError,
     f"@: no query column found (looked for query_id, qid, q_id, ...). Columns: 3, 4; {NOT_TEXT}"),
    (pandas.DataFrame([["q", 2]], columns=["query", 4]), {"label": 4}, TypeError,
     f"label must be the name of a column, not 4; {NOT_TEXT}"),
    (pandas.DataFrame([[1] * 4], columns=["query", "label", "score", "score"]), {}, ValueError,
     "@: two columns are called 'score'; rename one of them"),
    ([[1]], {}, TypeError,
     "the list is not a table; give a frame of pandas, polars or pyarrow, an object with "
     "__arrow_c_stream__, or paths of files"),
]  # fmt: skip


@pytest.mark.parametrize(("frame", "options", "kind", "message"), FRAMES)
def test_frames(frame: Any, options: Any, kind: type[Exception], message: str) -> None:
    if callable(frame):
        frame = frame()
    check(partial(rg.evaluate_frame, frame, "RR", **options), kind, message)


# ---- tables of ids

USERS, FOUR = ["u", "v"], {"user": list("uuvv"), "item": list("abcd")}
FOUND: list[tuple[dict[str, Any], type[Exception], str]] = [
    (FOUR, ValueError,
     "@: no rank or score column found (looked for rank, score, ...). Columns: user, item; pass "
     "rank= or score="),
    ({**FOUR, "3": list("abcd")}, ValueError,
     "@: no rank or score column found (looked for rank, score, ...). Columns: user, item, 3; pass "
     "rank= or score=; the first line was taken for the header: if it holds data, write the names "
     "of the columns above it"),
    ({**FOUR, 5: list("abcd")}, ValueError,
     "@: no rank or score column found (looked for rank, score, ...). Columns: user, item, 5; "
     + NOT_TEXT),
    ({**FOUR, "user": WIDE, "rank": [1, 1, 1, 1]}, ValueError, f"@3: user is {TOO_WIDE}"),
    ({"user": WIDE, "recs": ["a b"] * 4}, ValueError, f"@3: user is {TOO_WIDE}"),
    ({"user": list("uvvu"), "recs": ["a b", "c", "d", "e"]}, ValueError,
     "@3: 'v' has a second row with a list of ids; keep one row for each, or name the column of "
     "the systems with run="),
    ({"user": USERS, "recs": ["a-0 b-1", "c-1"]}, ValueError,
     "@: ids such as 'a-0' end in -0 or -1, as the labels of impressions do; they are the truth, "
     "and the ranking is missing"),
    ({"user": USERS, "recs": ["a b", "c"], "title": ["x y", "z"], "rec_1": USERS, "rec_2": USERS},
     ValueError,
     "@: ['rec_1', 'rec_2'] and 'recs' and 'title' may hold the ids of a user; pass doc= with the "
     "name of the column, or with the list of the columns in the order of their places"),
    ({"k": USERS, "recs": ["a b", "c"], "n": [1, 2]}, ValueError,
     "@: no query column found (looked for user_id, ...). Columns: k, recs, n; pass query=..."),
    ({"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], None]}, ValueError,
     "@2: scores is missing, but other rows have some; give each row a list, or remove the column "
     "if the ids are in order"),
    ({"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], 3]}, TypeError,
     "@2: scores is 3; give a list with a number for each id"),
    ({"user": list("uvw"), "item": [["a"], 7, 8]}, TypeError, "@2: item is 7; give a list of ids"),
    ({"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], [1.0, NAN]]}, ValueError,
     "@2: scores has a NaN; every number must be known"),
    ({"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], [1.0, 2, 3]]}, ValueError,
     "@2 has 2 ids, but 3 numbers in scores; give a number for each id"),
    ({"user": USERS, "item_1": USERS, "item_2": ["a", "b"], "item_3": ["x", "y"],
      "score_1": [0.9, 0.5], "score_2": [0.8, 0.7], "score_3": [0.1, 0.9]}, ValueError,
     "@2: score_2 is 0.7 and score_1 0.5, so 'score' orders the ids otherwise than their places; "
     "remove the columns 'score_1' to 'score_3' if the places order them, or give a row for each "
     "id"),
    ({"user": USERS, "item_1": USERS, "item_2": ["b", None], "item_3": ["x", "y"]}, ValueError,
     "@2: item_2 has no id, but a later place has; ids may be missing only at the end"),
    ({**FOUR, "rank": [1, 2, 1, 2], "model": list("xyxy")}, ValueError,
     f"@: column 'model' has 2 values within query 'u', {MIXED}; pass run='model' if it names "
     "systems, or run=None if it does not"),
]  # fmt: skip
TRUTHS: list[tuple[dict[str, Any], str]] = [
    ({"user": list("uvvv"), "item": list("acdd"), "label": [1, 1, 1, 1]},
     "@: 'v' has the id 'd' in two rows; keep one of them"),
    ({"user": list("uuv"), "item": list("aac"), "b": [1, 0, 1]},
     "@: no column of labels was found, and 'b' looks like one; pass label='b' if it holds labels, "
     "or label=None if each row is relevant"),
    ({"user": list("uu"), "item": list("ab"), "b": [None, False]},
     "@: no column of labels was found, and 'b' looks like one; pass label='b' if it holds labels, "
     "or label=None if each row is relevant"),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "kind", "message"), FOUND)
def test_retrieved_ids(columns: Any, kind: type[Exception], message: str) -> None:
    frame = pandas.DataFrame(columns)
    check(partial(rg.evaluate_ids, frame, {"u": ["a"]}, "RR"), kind, message, "retrieved")
    if "'model'" in message:  # this function has no argument run
        message = message.split(";")[0] + "; select the rows of one system, or remove the column"
    shown = partial(rg.evaluate_catalogue, frame, "Coverage@1", catalogue=9)
    check(shown, kind, message, "recommended")


@pytest.mark.parametrize(("columns", "message"), TRUTHS)
def test_relevant_ids(columns: Any, message: str) -> None:
    frame = pandas.DataFrame(columns)
    check(partial(rg.evaluate_ids, {"u": ["a"]}, frame, "RR"), ValueError, message, "relevant")


def test_other_tables_of_ids() -> None:
    plays = pandas.DataFrame({"item": list("abba"), "plays": [1, 2, 3, 4]})
    shown = partial(rg.evaluate_catalogue, [["a"]], "Popularity@1", popularity=plays)
    words = "@3: popularity has the item 'b' a second time; keep one row for each item"
    check(shown, ValueError, words, "popularity")
    found = pandas.DataFrame({**FOUR, "rank": [1, 2, 1, 2]})
    for role in ("query", "doc", "rank", "score"):
        words = f"@: no column '' ({role}=). Columns: user, item, rank"
        call = partial(rg.evaluate_ids, found, {"u": ["a"]}, "RR", **{role: ""})
        check(call, ValueError, words, "retrieved")


@pytest.mark.parametrize(("scores", "user"), [([1, 9, 3, 8], "u"), ([9, 1, 3, 8], "v")])
def test_the_first_user_whose_ranks_and_scores_disagree_is_named(scores: Any, user: str) -> None:
    frame = pandas.DataFrame({**FOUR, "rank": [1, 2, 1, 2], "score": scores})
    with pytest.warns(rg.RankgainWarning) as caught:
        rg.evaluate_ids(frame, {"u": ["a"], "v": ["c"]}, "RR")
    assert [str(warning.message) for warning in caught] == [
        f"retrieved has the columns 'rank' and 'score', whose orders disagree for '{user}': 'rank' "
        "was used; pass rank='rank' or score='score'"
    ]


# ---- files and streams

LINE = '{{"query": {}, "label": 1, "score": {}}}\n'
MIXED_LINES = LINE.format('"q"', 1) + LINE.format('"r"', 2) + LINE.format(7, 3) + LINE.format(8, 4)
HEADER = "query,doc,label,score\n"
ENDINGS = ".parquet, .csv, .tsv or .jsonl"
FILES: list[tuple[dict[str, str], type[Exception], str]] = [
    ({"a.csv": HEADER + "q,a,1,2\nq,b,x,1\nq,c,y,z\n"}, ValueError,
     "a.csv, row 2: label is not a number: 'x'"),
    ({"a.csv": HEADER + "q,a,1,2\nq,b,1\nq,c,1,1,1\nq,c,1,1,1,1\n"}, ValueError,
     "a.csv: cannot be read: line 4 has 5 fields, the header has 4: 'q,c,1,1,1'"),
    ({"a.csv": "query;doc;label,score\nq;a;1,2\nq;a;1,2,3\n"}, ValueError,
     "a.csv: cannot be read: line 3 has 3 fields, the header has 2: 'q;a;1,2,3'. The fields seem "
     "to be separated by ';': read the file yourself, such as with pandas.read_csv(path, sep=';', "
     "decimal=','), and pass the frame"),
    ({"a.csv": "query,doc,label,doc,score,score\nq,a,1,2,3,3\n"}, ValueError,
     "a.csv: cannot be read: two columns are called 'doc'; rename one of them"),
    ({"a.tsv": HEADER + "q,a\tb,1,2\n"}, ValueError,
     "a.tsv: its suffix is .tsv, but its content is that of .csv; rename it, with one of "
     + ENDINGS),
    ({"a.xls": HEADER}, ValueError,
     f"a.xls: unknown suffix; a table ends in {ENDINGS}, the last three also with .gz"),
    ({"a.csv": HEADER, "b.csv": HEADER, "c.jsonl": MIXED_LINES, "d.tsv": "a\tb"}, ValueError,
     "a.csv and c.jsonl are files of two kinds; give those of one, such as '*.csv'"),
    ({"query=q/a.csv": HEADER + "q,a,1,2\nr,a,1,2\ns,a,1,2\n"}, ValueError,
     "query=q/a.csv: the column 'query' holds 'r', but the file is in the folder 'query=q'; rename "
     "the column or the folder"),
    ({"a.jsonl": MIXED_LINES}, TypeError,
     "a.jsonl, line 3: query is 7, but other lines have text there; give all in one type"),
    ({"a.jsonl": MIXED_LINES[:-1].replace(LINE.format(7, 3), "")}, TypeError,
     "a.jsonl, line 3: query is 8, but other lines have text there; give all in one type"),
    ({"a.csv": HEADER + "q,a,1,2\nq,b,1,2\n", "b.csv": HEADER + "q,c,1,2\nq,b,1,1\nq,a,1,1\n"},
     ValueError,
     "b.csv, row 2: query 'q' has the document 'b' a second time, first in a.csv, row 2; pass "
     'duplicates="first" to keep the first row, run= with the column of the systems if the table '
     "holds several, or doc=None if 'doc' does not identify documents"),
]  # fmt: skip
ROLES: Any = {"query": "query", "label": "label", "score": "score"}


@pytest.mark.parametrize(("texts", "kind", "message"), FILES)
def test_files(
    texts: dict[str, str], kind: type[Exception], message: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in texts.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    paths = list(map(Path, texts))
    check(partial(rg.evaluate_frame, paths, "RR"), kind, message)
    if "but other lines" in message and texts[str(paths[0])].endswith("\n"):
        check(partial(rg.evaluate_batches, paths, "RR", **ROLES), kind, message)


def batch(**changes: list[Any]) -> Any:
    columns = {"query": ["q"], "label": [1], "score": [1.0], **changes}
    return pyarrow.record_batch({name: columns[name] for name in columns if columns[name]})


KINDS_OF_BATCHES = (
    "batches must be an iterator of Arrow record batches, a table, a data set, a path of Parquet "
    "or CSV, or a function that gives one of these, not "
)
STREAMS: list[tuple[Any, type[Exception], str]] = [
    ([batch(), 3, "x"], TypeError,
     "batches[1] must be an Arrow record batch or table (anything with __arrow_c_array__ or "
     "__arrow_c_stream__), not int"),
    ([batch(), batch(query=[1], score=[1]), batch(query=[None])], ValueError,
     "the stream, row 2: column 'query' is int64, but string in the rows before; give it one type"),
    ([batch(), batch(label=[], score=[])], ValueError,
     "the stream, row 2: no column 'label'; there are query"),
    (3, TypeError, KINDS_OF_BATCHES + "int"),
    (polars.LazyFrame({"query": ["q"]}), TypeError,
     KINDS_OF_BATCHES + "LazyFrame; give what its collect() returns"),
]  # fmt: skip


@pytest.mark.parametrize("order", ["sorted", "any"])
@pytest.mark.parametrize(("batches", "kind", "message"), STREAMS)
def test_streams(batches: Any, kind: type[Exception], message: str, order: Any) -> None:
    check(partial(rg.evaluate_batches, batches, "RR", order=order, **ROLES), kind, message)
