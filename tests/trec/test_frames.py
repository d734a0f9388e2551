"""Data frames, CSV and Parquet as qrels and runs."""

import copy
import doctest
import random

import numpy as np
import pytest

import rankgain as rg
from places import DOCS
from rankgain.inputs.tables.roles import DOCUMENTS, LABELS, QUERIES, SCORES

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


def pyarrow_table(data):
    return pytest.importorskip("pyarrow").table(data)


def pandas_objects(data):
    return pandas.DataFrame({name: pandas.Series(v, dtype=object) for name, v in data.items()})


ENGINES = {
    "pandas": pandas.DataFrame,
    "pandas objects": pandas_objects,
    "pandas categories": lambda data: pandas.DataFrame(data).astype({next(iter(data)): "category"}),
    "polars": polars.DataFrame,
    "polars lazy": polars.LazyFrame,
    "polars categories": lambda data: polars.DataFrame(data).with_columns(
        polars.col(next(iter(data))).cast(polars.Categorical)
    ),
    "pyarrow": pyarrow_table,
    "narwhals": lambda data: narwhals.from_native(polars.DataFrame(data)),
}
engines = pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)


@engines
def test_frames_are_what_dicts_are(make):
    qrels, run = make(columns(QRELS)), make(columns(RUN, number="score"))
    assert rg.Qrels(qrels) == rg.Qrels(QRELS)
    assert rg.Run(run) == rg.Run(RUN)
    assert rg.Run(run).queries == ("q1", "q2")
    expected = rg.evaluate(QRELS, RUN, NAMES)
    assert rg.evaluate(qrels, run, NAMES) == expected
    assert rg.evaluate_runs(qrels, {"ours": run}, NAMES)["ours"] == expected
    for ties in ("stable", "reverse", "id", "average"):
        assert rg.evaluate(qrels, run, NAMES, ties=ties) == rg.evaluate(
            QRELS, RUN, NAMES, ties=ties
        )


@engines
def test_rows_of_a_query_may_stand_apart(make):
    data = columns(RUN, number="score")
    order = [4, 0, 3, 2, 1]
    mixed = {name: [values[i] for i in order] for name, values in data.items()}
    run = rg.Run(make(mixed))
    assert run == rg.Run(RUN)
    assert run.queries == ("q2", "q1")


@engines
def test_integer_ids_are_those_of_text(make):
    data = {"user_id": [7, 7, 10, 10], "item_id": [1, 2, 10, 3], "score": [0.5, 0.25, 1.0, 2.0]}
    if make is ENGINES["pandas categories"] or make is ENGINES["polars categories"]:
        pytest.skip("categories of text alone")
    expected = {"7": {"1": 0.5, "2": 0.25}, "10": {"10": 1.0, "3": 2.0}}
    assert rg.Run(make(data)).to_dict() == rg.Run(expected).to_dict()
    qrels = rg.Qrels(make({"user_id": [7, 10], "item_id": [2, 3], "rating": [5, 1]}))
    assert qrels.to_dict() == {"7": {"2": 5.0}, "10": {"3": 1.0}}


@pytest.mark.parametrize(
    ("query", "document", "number"),
    [
        ("query_id", "doc_id", "relevance"),
        ("qid", "docno", "label"),
        ("q_id", "docid", "rel"),
        ("topic", "item", "Relevance"),
        ("Query-ID", "Corpus-ID", "score"),
    ],
)
def test_the_usual_spellings(query, document, number):
    frame = pandas.DataFrame(columns(QRELS, query, document, number))
    assert rg.Qrels(frame) == rg.Qrels(QRELS)
    run = polars.DataFrame(columns(RUN, query, document, "score"))
    assert rg.Run(run) == rg.Run(RUN)


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
    with pytest.raises(ValueError, match=r"no column 'nope' \(query=\); there are a, b, c"):
        rg.Qrels.from_frame(judged, query="nope", doc="b", label="c")
    with pytest.raises(ValueError, match=r"no column for query.*from_frame\(frame, query="):
        rg.Qrels(judged)


def test_scores_are_no_labels_where_other_columns_stand_beside_them():
    frame = pandas.DataFrame(columns(RUN, number="score"))
    assert rg.Qrels(frame) == rg.Qrels(RUN)  # as BEIR's qrels have them
    odd = frame.assign(mark=[1, 0, 2, 1, 0])
    table = polars.DataFrame(odd.to_dict("list"))
    for source in (odd, table, table.lazy()):
        with pytest.raises(
            ValueError, match=r"no column for label.*mark.*from_frame\(frame, label="
        ):
            rg.evaluate(source, source, "AP")
        with pytest.raises(ValueError, match="no column for label"):
            rg.evaluate(source, RUN, "AP")
    judged = rg.Qrels.from_frame(odd, label="mark")
    assert rg.evaluate(judged, odd, "AP").means == rg.evaluate(judged, RUN, "AP").means
    labelled = odd.rename(columns={"mark": "label"})
    assert rg.evaluate(labelled, labelled, "AP") == rg.evaluate(judged, RUN, "AP")


@pytest.mark.parametrize("ties", ["id_descending", "average"])
def test_one_frame_is_not_both_labels_and_scores(ties, tmp_path):
    frame = pandas.DataFrame(columns(RUN, number="score"))
    path = tmp_path / "run.csv"
    frame.to_csv(path, index=False)
    for one, other in ((frame, frame), (str(path), path)):
        with pytest.raises(ValueError, match=r"'score' would be both label and score.*label="):
            rg.evaluate(one, other, "AP", ties=ties)
        with pytest.raises(ValueError, match="would be both label and score"):
            rg.evaluate_runs(one, {"first": RUN, "second": other}, "AP")
        with pytest.raises(ValueError, match="would be both label and score"):
            rg.reconcile_runs(one, other, "trec", "sklearn", measure="AP")
    assert rg.evaluate(frame, frame.copy(), "AP", ties=ties).means["AP"] > 0


@engines
def test_ranks_stand_for_scores_by_name_only(make):
    ranks = {"q1": {"a": 2, "b": 1, "x": 10}, "q2": {"d": 2, "é": 0}}
    frame = make(columns(ranks, number="Rank"))
    with pytest.raises(
        ValueError, match=r"no column for score.*from_frame\(frame, score=.*rank='Rank'"
    ):
        rg.Run(frame)
    run = rg.Run.from_frame(frame, rank="Rank")
    assert {query: list(run[query]) for query in run} == {"q1": ["b", "a", "x"], "q2": ["é", "d"]}
    assert run["q1"] == {"b": -1.0, "a": -2.0, "x": -10.0}
    assert str(run["q2"]["é"]) == "0.0"
    with pytest.raises(ValueError, match=r"score='Rank' and rank='Rank': give one"):
        rg.Run.from_frame(frame, score="Rank", rank="Rank")
    with pytest.raises(ValueError, match=r"no column 'place' \(rank=\)"):
        rg.Run.from_frame(frame, rank="place")


@engines
@pytest.mark.parametrize("column", ["query_id", "doc_id", "score"])
def test_what_is_missing_is_named(make, column):
    data = columns(RUN, number="score")
    data[column][3] = None
    with pytest.raises(ValueError, match=f"row 4: {column}"):
        rg.Run(make(data))


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame])
def test_bad_frames(make):
    good = columns(RUN, number="score")
    with pytest.raises(ValueError, match=r"row 2: document 'b' comes twice.*first on row 1"):
        rg.Run(make(copy.deepcopy(good) | {"doc_id": ["b", "b", "x", "é", "d"]}))
    twice = make(good | {"doc_id": ["b", "b", "x", "é", "d"]})
    assert rg.Run.from_frame(twice, duplicates="last").to_dict()["q1"] == {"b": 0.8, "x": 0.8}
    with pytest.raises(ValueError, match="row 5: score"):
        rg.Run(make(good | {"score": [1.0, 2.0, 3.0, 4.0, float("nan")]}))
    with pytest.raises(ValueError, match=r"row 2: a label must be finite"):
        rg.Qrels(make(good | {"score": [1.0, float("inf"), 3.0, 4.0, 5.0]}))
    with pytest.raises(TypeError, match="ids must be strings or integers"):
        rg.Run(make(good | {"doc_id": [1.0, 2.0, 3.0, 4.0, 5.0]}))
    with pytest.raises(ValueError, match=r"9007199254740993, which cannot be represented exactly"):
        rg.Run(make(good | {"score": [1, 2, 3, 4, 2**53 + 1]}))
    with pytest.raises(ValueError, match="no rows"):
        rg.Run(make({"qid": [], "docno": [], "score": []}))
    with pytest.raises(ValueError, match="duplicates"):
        rg.Run.from_frame(make(good), duplicates="all")


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.uint8, bool])
def test_numbers_of_any_kind(kind):
    values = np.array([1, 0, 1, 1, 0], kind)
    frame = pandas.DataFrame(columns(RUN, number="score") | {"score": values})
    assert rg.Run(frame)["q1"] == {"b": 1.0, "a": 0.0, "x": 1.0}
    frame = polars.DataFrame(columns(RUN, number="score") | {"score": values})
    assert rg.Run(frame)["q2"] == {"é": 1.0, "d": 0.0}


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


def test_files_of_frames(tmp_path):
    qrels, run = columns(QRELS), columns(RUN, number="score")
    polars.DataFrame(qrels).write_parquet(tmp_path / "qrels.parquet")
    polars.DataFrame(run).write_parquet(tmp_path / "run.parquet")
    polars.DataFrame(qrels).write_csv(tmp_path / "qrels.csv")
    pandas.DataFrame(run).to_csv(tmp_path / "run.csv.gz", index=False)
    for first, second in (("qrels.parquet", "run.csv.gz"), ("qrels.csv", "run.parquet")):
        assert rg.Qrels.read(tmp_path / first) == rg.Qrels(QRELS)
        assert rg.Run.read(str(tmp_path / second)) == rg.Run(RUN)
        result = rg.evaluate(tmp_path / first, tmp_path / second, NAMES)
        assert result == rg.evaluate(QRELS, RUN, NAMES)


def test_ids_of_a_csv_file_are_text(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("qid,docno,score\n007,1e3,2\n007,NA,1\n")
    assert rg.Run.read(path).to_dict() == {"007": {"1e3": 2.0, "NA": 1.0}}


def test_damaged_files_of_frames(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(ValueError, match=r"a\.parquet: cannot be read"):
        rg.Run.read(tmp_path / "a.parquet")
    (tmp_path / "a.csv").write_text("qid,docno,score\n1,a,2\n1,b,much\n")
    with pytest.raises(ValueError, match=r"a\.csv, row 2: score is not a number: 'much'"):
        rg.Run.read(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("qid,docno,score\n1,a,2\n1,,1\n")
    with pytest.raises(ValueError, match=r"b\.csv, row 2: docno has no value"):
        rg.Run.read(tmp_path / "b.csv")
    (tmp_path / "c.csv").write_text("system,name\n1,t\n")
    with pytest.raises(ValueError, match=r"c\.csv: no column for query"):
        rg.Run.read(tmp_path / "c.csv")
    with pytest.raises(FileNotFoundError):
        rg.Run.read(tmp_path / "none.parquet")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(IsADirectoryError):
        rg.Run.read(tmp_path / "folder.csv")


def test_without_polars_pandas_reads_the_files(tmp_path, hide):
    polars.DataFrame(columns(RUN, number="score")).write_csv(tmp_path / "run.csv")
    (tmp_path / "b.csv").write_text("qid,docno,score\n007,NA,2\n1,,1\n")
    hide("polars", "pyarrow")
    assert rg.Run.read(tmp_path / "run.csv") == rg.Run(RUN)
    with pytest.raises(ValueError, match=r"b\.csv, row 2: docno has no value"):
        rg.Run.read(tmp_path / "b.csv")


def test_without_narwhals_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "narwhals", None)
    with pytest.raises(ImportError, match=r"rankgain\[frames\]"):
        rg.Run(pandas.DataFrame(columns(RUN, number="score")))


def test_large_frames_are_what_dicts_are():
    rng = random.Random(5)
    names = ["".join(rng.choices("abAé日-_", k=rng.randint(1, 20))) for _ in range(3000)]
    names = sorted(set(names))
    run = {f"q{i}": {d: rng.randrange(50) / 8 for d in rng.sample(names, 500)} for i in range(20)}
    qrels = {f"q{i}": {d: rng.randrange(4) for d in rng.sample(names, 200)} for i in range(3, 23)}
    expected = rg.evaluate(qrels, run, NAMES)
    for make in (pandas.DataFrame, polars.DataFrame, pyarrow_table):
        frames = make(columns(qrels)), make(columns(run, number="score"))
        assert rg.evaluate(*frames, NAMES) == expected


def test_evaluations_go_to_frames():
    result = rg.evaluate(QRELS, RUN, NAMES)
    frame = result.to_pandas()
    assert list(frame.index) == ["q1", "q2"]
    assert frame.index.name == "query"
    assert list(frame.columns) == NAMES
    assert frame["AP"].to_numpy().tobytes() == result.per_query["AP"].tobytes()
    table = result.to_polars()
    assert table.columns == ["query", *NAMES]
    assert table["query"].to_list() == ["q1", "q2"]
    assert table["RR"].to_numpy().tobytes() == result.per_query["RR"].tobytes()
    arrays = rg.evaluate_arrays([[1, 0], [0, 1]], [[0.5, 0.25], [0.5, 0.25]], NAMES)
    assert list(arrays.to_pandas().index) == [0, 1]
    assert arrays.to_polars()["query"].to_list() == [0, 1]


PAGE = (DOCS / "guides" / "forms.md").read_text(encoding="utf-8")


def test_the_page_on_frames():
    block = PAGE.split("```python\n")[1].split("```")[0]
    example = doctest.DocTestParser().get_doctest(block, {}, "forms.md", None, 0)
    assert len(example.examples) == 4
    assert doctest.DocTestRunner().run(example).failed == 0
    rows = (QUERIES, DOCUMENTS, LABELS, SCORES)
    for name, spellings in zip(("query", "doc", "label", "score"), rows, strict=True):
        assert f"| {name} | {', '.join(spellings.names)} | {', '.join(spellings.rarer)} |" in PAGE


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
            with pytest.raises(ValueError, match=f"row 2: .*{words}"):
                rg.Run(path)


def test_arrow_text_may_be_cut_and_in_pieces():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns(RUN, number="score"))
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
        cast = table.set_column(1, "doc_id", table["doc_id"].cast(kind))
        pieces = pyarrow.concat_tables([cast.slice(0, 2), cast.slice(2, 1), cast.slice(3)])
        assert rg.Run(pieces) == rg.Run(RUN)
        assert rg.Run(pieces.slice(1, 3)) == rg.Run({"q1": {"a": 0.8, "x": 0.8}, "q2": {"é": 1.0}})
    with pytest.raises(ValueError, match="no rows"):
        rg.Run(table.slice(0, 0))


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".CSV"])
def test_a_trec_file_that_is_called_csv_is_read_as_one(suffix, tmp_path):
    import gzip

    path = tmp_path / f"run{suffix}"
    text = b"# a run\n\nq1 Q0 b 1 0.9 bm25,k1=0.9\nq1\tQ0\ta\t2\t0.8\tt\nq1 Q0 x 3 0.8 t\n"
    path.write_bytes(gzip.compress(text) if suffix == ".csv.gz" else text)
    run = {"q1": RUN["q1"]}
    assert rg.Run(path) == rg.Run(run)
    assert rg.evaluate(QRELS, path, NAMES) == rg.evaluate(QRELS, run, NAMES)
    header = b"query id,doc id of the run,score of it\nq1,b,0.9\n"
    path.write_bytes(gzip.compress(header) if suffix == ".csv.gz" else header)
    with pytest.raises(ValueError, match="no column for doc="):
        rg.Run(path)


def test_what_is_no_id_and_no_number_is_named():
    good = {"query_id": ["a", "b"], "doc_id": ["x", "y"], "relevance": [1, 2]}
    with pytest.raises(TypeError, match=r"^the DataFrame: ids must be strings or integers, not 1"):
        rg.Qrels(pandas.DataFrame(good | {"doc_id": [1.5, "x"]}))
    dates = pandas.to_datetime(["2001-01-01"] * 2)
    words = "^the DataFrame: column 'relevance' must hold numbers, not Datetime"
    with pytest.raises(TypeError, match=words):
        rg.Qrels(pandas.DataFrame(good | {"relevance": dates}))


def test_an_arrow_table_without_chunks_has_no_rows():
    pyarrow = pytest.importorskip("pyarrow")
    kinds = {"query_id": pyarrow.string(), "doc_id": pyarrow.string(), "score": pyarrow.float64()}
    table = pyarrow.table({name: pyarrow.chunked_array([], kind) for name, kind in kinds.items()})
    with pytest.raises(ValueError, match=r"^the Table: no rows"):
        rg.Run(table)
