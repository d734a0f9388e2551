"""Data frames, CSV and Parquet as qrels and runs."""

import pytest

import rankgain as rg

narwhals = pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

QRELS = {"q1": {"a": 2.0, "b": 0.0, "日c": 1.0}, "q2": {"d": 1.0}}
RUN = {"q1": {"b": 0.9, "a": 0.8, "x": 0.8}, "q2": {"é": 1.0, "d": 0.5}}
NAMES = ["nDCG@10", "AP", "RR"]


def columns(data, query="query_id", document="doc_id", number="label"):
    """A dict of dicts as columns."""
    rows = [(q, d, value) for q, documents in data.items() for d, value in documents.items()]
    return dict(zip((query, document, number), map(list, zip(*rows, strict=True)), strict=True))


ENGINES = {
    "pandas": pandas.DataFrame,
    "pandas objects": lambda data: pandas.DataFrame(data, dtype=object),
    "pandas categories": lambda data: pandas.DataFrame(data).astype({next(iter(data)): "category"}),
    "polars": polars.DataFrame,
    "polars lazy": polars.LazyFrame,
    "polars categories": lambda data: polars.DataFrame(data).with_columns(
        polars.col(next(iter(data))).cast(polars.Categorical)
    ),
    "pyarrow": lambda data: pytest.importorskip("pyarrow").table(data),
    "narwhals": lambda data: narwhals.from_native(polars.DataFrame(data)),
}
engines = pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)


def test_other_columns_do_not_disturb_and_names_may_be_given():
    frame = pandas.DataFrame(columns(RUN, "qid", "docno", "score"))
    frame.insert(0, "query", "words of the query")
    frame.insert(0, "docid", range(len(frame)))
    frame["rank"], frame["label"] = 1, 0
    assert rg.Run(frame) == rg.Run(RUN)
    odd = frame.rename(columns={"qid": "t", "docno": "d", "score": "s"})
    assert rg.Run.from_frame(odd, query="t", doc="d", score="s") == rg.Run(RUN)
    judged = pandas.DataFrame(columns(QRELS, "a", "b", "c"))
    assert rg.Qrels.from_frame(judged, query="a", doc="b", label="c") == rg.Qrels(QRELS)


@pytest.mark.parametrize("ties", ["id_descending", "average"])
def test_one_frame_is_not_both_labels_and_scores(ties, tmp_path):
    frame = pandas.DataFrame(columns(RUN, number="score"))
    path = tmp_path / "run.csv"
    frame.to_csv(path, index=False)
    assert rg.evaluate(frame, frame.copy(), "AP", ties=ties).means["AP"] > 0


@engines
def test_ranks_stand_for_scores_by_name_only(make):
    ranks = {"q1": {"a": 2, "b": 1, "x": 10}, "q2": {"d": 2, "é": 0}}
    frame = make(columns(ranks, number="Rank"))
    with pytest.raises(ValueError, match=r"no score column .*_frame\(frame, score=.*rank='Rank'"):
        rg.Run(frame)
    run = rg.Run.from_frame(frame, rank="Rank")
    assert {query: list(run[query]) for query in run} == {"q1": ["b", "a", "x"], "q2": ["é", "d"]}
    assert run["q1"] == {"b": -1.0, "a": -2.0, "x": -10.0}
    assert str(run["q2"]["é"]) == "0.0"
    with pytest.raises(ValueError, match=r"score='Rank' and rank='Rank': give one"):
        rg.Run.from_frame(frame, score="Rank", rank="Rank")
    with pytest.raises(ValueError, match=r"no column 'place'"):
        rg.Run.from_frame(frame, rank="place")


def test_decimals_and_nullable_integers():
    scores = polars.Series([1, 2, 3, 4, 5]).cast(polars.Decimal(10, 2)) / 4
    run = rg.Run(polars.DataFrame(columns(RUN, number="score") | {"score": scores}))
    assert run["q2"] == {"d": 1.25, "é": 1.0}
    frame = pandas.DataFrame(columns(RUN, number="score") | {"score": [5, 4, 3, 2, 1]})
    assert rg.Run(frame.convert_dtypes())["q2"] == {"é": 2.0, "d": 1.0}


def test_frames_are_not_changed():
    frame = pandas.DataFrame(columns(RUN, number="score"))
    before = frame.copy(deep=True)
    rg.evaluate(QRELS, frame, NAMES)
    pandas.testing.assert_frame_equal(frame, before)


def test_without_narwhals_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "narwhals", None)
    with pytest.raises(ImportError, match=r"rankgain\[frames\]"):
        rg.Run(pandas.DataFrame(columns(RUN, number="score")))


@pytest.mark.parametrize("missing", [(), ("polars",), ("polars", "pyarrow")])
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet"])
def test_any_engine_reads_files(missing, suffix, tmp_path, hide):
    pytest.importorskip("pyarrow")
    import gzip

    path = tmp_path / f"run{suffix}"
    frame = pandas.DataFrame(columns(RUN, number="score"))
    if suffix == ".parquet":
        frame.to_parquet(path)
    else:
        text = frame.to_csv(index=False).encode()
        path.write_bytes(gzip.compress(text) if suffix == ".csv.gz" else text)
    hide(*missing)
    assert rg.Run(path) == rg.Run(RUN)
    if suffix == ".csv":
        for text, words in (("q1,,1.0", "doc_id has no value"), ("q1,a,x", "not a number: 'x'")):
            path.write_text(f"query_id,doc_id,score\nq1,b,2.0\n{text}\n")
            with pytest.raises(ValueError, match=f"row 2.*: .*{words}"):
                rg.Run(path)


def test_arrow_text_may_be_cut_and_in_pieces():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns(RUN, number="score"))
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
        cast = table.set_column(1, "doc_id", table["doc_id"].cast(kind))
        pieces = pyarrow.concat_tables([cast.slice(0, 2), cast.slice(2, 1), cast.slice(3)])
        assert rg.Run(pieces) == rg.Run(RUN)
        assert rg.Run(pieces.slice(1, 3)) == rg.Run({"q1": {"a": 0.8, "x": 0.8}, "q2": {"é": 1.0}})


# ---- what two records are compared by


def with_entry(rows, row, column, value):
    """The rows with another entry in one place."""
    changed = [list(entries) for entries in rows]
    changed[row][column] = value
    return changed


JUDGED = [("q", "a", "x", 1, 2.0), ("q", "b", "y", 2, 1.0), ("r", "a", "x", 1, 1.0)]
RANKED = [("q", "a", 1), ("q", "b", 4), ("r", "a", 2)]


def judgments(rows, *parts):
    frame = pandas.DataFrame(rows, columns=["query", "doc", "part", "label", "weight"])
    return rg.Qrels.from_frame(frame, **dict(zip(("subtopic", "importance"), parts, strict=False)))


def ranking(rows, number):
    frame = pandas.DataFrame(rows, columns=["query", "doc", number])
    return rg.Run.from_frame(frame, **{number: number})


@pytest.mark.parametrize("row", range(3))
@pytest.mark.parametrize(("column", "value", "parts"), [
    (0, "s", []), (1, "c", []), (3, 3, []),
    (0, "s", ["part"]), (1, "c", ["part"]), (2, "z", ["part"]), (3, 3, ["part"]),
    (0, "s", ["part", "weight"]), (1, "c", ["part", "weight"]), (2, "z", ["part", "weight"]),
    (3, 3, ["part", "weight"]), (4, 5.0, ["part", "weight"]),
])  # fmt: skip
def test_judgments_that_differ_in_an_entry_are_not_equal(column, value, parts, row):
    first, second = judgments(JUDGED, *parts), judgments(JUDGED[::-1], *parts)
    assert first == second
    assert hash(first) == hash(second)
    other = judgments(with_entry(JUDGED, row, column, value), *parts)
    assert first != other
    assert other != first


@pytest.mark.parametrize("row", range(3))
@pytest.mark.parametrize(("column", "value"), [(0, "s"), (1, "c"), (2, 7)])
@pytest.mark.parametrize("number", ["score", "rank"])
def test_runs_that_differ_in_an_entry_are_not_equal(number, column, value, row):
    first, second = ranking(RANKED, number), ranking(RANKED[::-1], number)
    assert first == second
    assert hash(first) == hash(second)
    other = ranking(with_entry(RANKED, row, column, value), number)
    assert first != other
    assert other != first


# ---- tables in several files: errors name the file and the row there

FIRST_ROWS = "q,a,1,s\nq,b,2,s\n"
DOORS = {
    "qrels": ("label", rg.Qrels),
    "parts": ("label", lambda folder: rg.Qrels.from_frame(folder, subtopic="part")),
    "run": ("score", rg.Run),
    "runs": ("score", lambda folder: rg.evaluate_runs({"q": ["a"]}, folder, "AP", run="part")),
    "truth": (
        "score",
        lambda folder: rg.evaluate_frame(folder, "AP", truth={"q": ["a"]}, run="part"),
    ),
    "one system": (
        "score",
        lambda folder: rg.evaluate_frame(folder, "AP", truth={"q": ["a"]}, run=None),
    ),
}
FAULTS = {
    "r,d,x,s": "",
    "r,d,,s": "",
    "r,d,inf,s": "must be finite",
    "r,c,3,s": r"document 'c' (comes twice .*, first on row 1|has the labels 0 and 3)",
    "q,a,3,s": r"document 'a' (comes twice .*, first in .*a\.csv, row 1|has the labels 1 and 3)",
}


CASES = [
    (door, row)
    for door, (number, _) in DOORS.items()
    for row in FAULTS
    if number == "label" or "inf" not in row  # scores may be infinite
]


@pytest.mark.parametrize(("door", "row"), CASES)
def test_a_fault_in_the_second_of_two_files_is_named_there(door, row, tmp_path):
    number, read = DOORS[door]
    header = f"query,doc,{number},part\n"
    (tmp_path / "a.csv").write_text(header + FIRST_ROWS)
    (tmp_path / "b.csv").write_text(f"{header}r,c,0,s\n{row}\n")
    with pytest.raises(ValueError, match=rf"b\.csv, row 2: .*{FAULTS[row]}"):
        read(tmp_path)
