"""DataFrames give the bits of arrays, whatever the way and the partitions."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import rankgain as rg

pytest.importorskip("pyspark")
pandas = pytest.importorskip("pandas")
from rankgain.integrations.spark import evaluate, evaluate_columns, evaluate_runs  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::UserWarning"),
]

MEASURES = ["nDCG@10", "AP", "RR", "AUC", "P@5", "HitRate(per=item)@3"]
WAYS = ["count", "shuffle", "auto"]
NAMES: Any = {"query": "query", "label": "label", "score": "score"}


def table(queries: int, n: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    query = np.where(
        rng.random(n) < 0.5, 0, rng.integers(0, queries, n)
    )  # one has half of all rows
    return pandas.DataFrame({
        "query": query,
        "doc": [f"d{i}" for i in range(n)],
        "score": rng.integers(-50, 50, n) / 8,
        "label": rng.choice([0.0, 0, 0, 0, 0, 0, 1, 2], n),
    })  # fmt: skip


def frame_of(spark: Any, rows: Any, partitions: int = 3) -> Any:
    return spark.createDataFrame(rows).repartition(partitions)


def read(values: Any, by: str = "query") -> Any:
    rows = [row.asDict() for row in values.collect()]
    return pandas.DataFrame(rows).set_index(by).sort_index()


def whole(rows: Any, measures: Any = tuple(MEASURES), **options: Any) -> Any:
    rows = rows.sort_values("query", kind="stable")
    return rg.evaluate_arrays(
        rows["label"].to_numpy(),
        rows["score"].to_numpy(),
        list(measures),
        qid=rows["query"].to_numpy(),
        **options,
    )


def same(result: Any, expected: Any) -> None:
    right = expected.to_pandas().sort_index()
    assert list(result.columns) == list(right.columns)
    assert result.index.tolist() == right.index.tolist()
    assert result.to_numpy().tobytes() == right.to_numpy().tobytes()


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("text", [False, True])
def test_long_tables(spark: Any, how: str, text: bool) -> None:
    rows = table(40, 3000)
    if text:
        rows["query"] = "q" + rows["query"].astype(str)
    frame = frame_of(spark, rows, 5 if how == "count" else 2)
    same(read(evaluate(frame, MEASURES, how=how, **NAMES)), whole(rows))
    total = evaluate(frame, MEASURES, means=True, how=how, **NAMES)
    assert total.means == dict(whole(rows).means)
    assert len(total.interval("AP")) == 2


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("text", [False, True])
def test_the_bootstrap_is_that_of_a_laptop(spark: Any, how: str, text: bool) -> None:
    """The same sums in every replicate, from any partitions, as from one stream and one call."""
    rows = table(40, 1500, 5)
    if text:
        rows["query"] = "q" + rows["query"].astype(str)
    drawn: dict[str, Any] = {"bootstrap": 30, "seed": 2**63 + 5}
    laptop = rg.Accumulator(**drawn)
    stream = pytest.importorskip("pyarrow").Table.from_pandas(rows.sort_values("query"))
    rg.evaluate_batches(stream, MEASURES, keep=laptop, **NAMES)
    for partitions in (1, 5):
        frame = frame_of(spark, rows, partitions)
        total = evaluate(frame, MEASURES, means=True, how=how, **NAMES, **drawn)
        assert total == laptop
        assert total.interval("AP") == laptop.interval("AP")
    one = rg.Accumulator(**drawn)
    one.add(whole(rows))
    assert one == laptop
    other = evaluate(frame, MEASURES, means=True, how=how, bootstrap=30, **NAMES)
    assert other.interval("AP") != laptop.interval("AP")  # of another seed


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("given", [{"gain": "exp2"}, {"gain": [0.0, 2, 3]}, {"empty": "skip"}])
def test_sums_know_the_settings_of_their_tasks(spark: Any, how: str, given: Any) -> None:
    rows = table(20, 600, 7)
    columns: Any = {**NAMES, "means": True, "how": how}
    if how == "count" and "empty" not in given and given["gain"] != "exp2":
        columns["how"] = "auto"  # a table of gains may be worth something at label 0
    total = evaluate(frame_of(spark, rows, 4), "nDCG@5", **columns, **given)
    assert total.settings == given
    laptop = rg.Accumulator()
    laptop.add(whole(rows, ["nDCG@5"], **given))
    assert total == laptop
    other = evaluate(frame_of(spark, rows, 2), "nDCG@5", **columns)
    assert other.settings == {}
    with pytest.raises(ValueError, match="of what was added before and the other accumulator"):
        total.merge(other)


@pytest.mark.parametrize("how", WAYS)
def test_the_bootstrap_of_runs_and_of_columns(spark: Any, how: str) -> None:
    rows = table(20, 600, 6)
    frames = [frame_of(spark, rows[["query", "doc", one]], 4) for one in ("label", "score")]
    given: dict[str, Any] = {"convention": "rankgain", "bootstrap": True, "seed": 9}
    total = evaluate_runs(*frames, "AP", means=True, how=how, **given)
    qrels, run = (
        {
            query: dict(zip(part["doc"], part[one], strict=True))
            for query, part in rows.groupby("query")
        }
        for one in ("label", "score")
    )
    joined = rg.Accumulator(bootstrap=True, seed=9)
    joined.add(rg.evaluate(qrels, run, "AP", convention="rankgain"))
    assert total == joined
    expected = rg.Accumulator(bootstrap=True, seed=9)
    expected.add(whole(rows, ["AP"]))
    assert total.means == expected.means
    lists = frame_of(spark, rows.groupby("query").agg(list).reset_index())
    columns = {"labels": "label", "scores": "score", "means": True, "bootstrap": True, "seed": 9}
    assert evaluate_columns(lists, "AP", query="query", **columns) == expected
    with pytest.raises(ValueError, match="draws by query id: give query="):
        evaluate_columns(lists, "AP", **columns)


def test_lists_in_columns(spark: Any) -> None:
    rows = table(25, 800, 2)
    lists = rows.groupby("query").agg(list).reset_index()
    frame = frame_of(spark, lists)
    result = evaluate_columns(frame, MEASURES, labels="label", scores="score", query="query")
    same(read(result), whole(rows))
    ordered = [
        {
            "query": int(q),
            "given": g["doc"].tolist()[:9],
            "wanted": g["doc"][g["label"] > 0].tolist(),
        }
        for q, g in rows.groupby("query")
    ]
    frame = frame_of(spark, pandas.DataFrame(ordered))
    columns = {"recommended": "given", "relevant": "wanted", "query": "query"}
    result = read(evaluate_columns(frame, ["RR", "P@5", "AP"], **columns))
    for one in ordered:
        gains = [float(doc in one["wanted"]) for doc in one["given"]]
        judged = [1.0] * max(len(one["wanted"]), 1) if one["wanted"] else [0.0]
        right = rg.evaluate_arrays(gains, None, ["RR", "P@5", "AP"], judged=judged)
        assert result.loc[one["query"]].tolist() == list(right.means.values())
    with pytest.raises(TypeError, match="pass the names of two columns"):
        evaluate_columns(frame, "AP", labels="label")


@pytest.mark.parametrize("how", ["count", "shuffle"])
def test_empty_partitions_and_no_rows(spark: Any, how: str) -> None:
    rows = table(3, 20, 3)
    same(read(evaluate(frame_of(spark, rows, 9), "RR", how=how, **NAMES)), whole(rows, ["RR"]))
    none = frame_of(spark, rows).where("query < 0")
    assert evaluate(none, "RR", how=how, **NAMES).collect() == []
    zeros = rows.assign(label=0.0)  # no list has a hit
    same(read(evaluate(frame_of(spark, zeros), "RR", how=how, **NAMES)), whole(zeros, ["RR"]))


@pytest.mark.parametrize("how", ["count", "shuffle"])
@pytest.mark.parametrize(("column", "value", "message"), [
    ("score", float("nan"), "column 'score' is nan in a row of query"),
    ("label", float("inf"), "column 'label' is inf in a row of query"),
    ("score", None, "column 'score' is null in a row of query"),
    ("label", None, "column 'label' is null in a row of query"),
    ("query", None, "column 'query' is null in 1 rows"),
])  # fmt: skip
def test_bad_rows(spark: Any, how: str, column: str, value: Any, message: str) -> None:
    kinds = "query long, score double, label double"
    good = [[i % 3, i / 2, float(i % 2)] for i in range(12)]
    good[5][["query", "score", "label"].index(column)] = value
    frame = spark.createDataFrame([tuple(row) for row in good], kinds)
    with pytest.raises(Exception, match=message):
        evaluate(frame, "AP", how=how, **NAMES).collect()


@pytest.mark.parametrize("how", ["count", "shuffle"])
def test_a_document_twice(spark: Any, how: str) -> None:
    truth = spark.createDataFrame([(1, "a", 1), (1, "b", 0)], "query long, doc string, label int")
    run = spark.createDataFrame(
        [(1, "a", 1.0), (1, "a", 0.5)], "query long, doc string, score double"
    )
    with pytest.raises(Exception, match="query 1 has the document 'a' twice; keep one of them"):
        evaluate_runs(truth, run, "AP", how=how).collect()


@pytest.mark.parametrize(("options", "kind", "words"), [
    ({"label": "label"}, TypeError, "label: the column 'label' is of type string"),
    ({"score": "points"}, ValueError, "score: there is no column 'points'; there are 'query'"),
    ({"query": "score"}, TypeError, "query: the column 'score' is of type double; ids must be"),
    ({"how": "sort"}, ValueError, 'how must be "auto", "shuffle" or "count"'),
    ({"ties": "stable"}, ValueError, 'ties="stable" needs the places of documents'),
    ({"group": [1]}, TypeError, "there is no argument 'group'"),
    ({"bootstrap": True}, ValueError, "bootstrap= makes intervals of means: give means=True"),
    ({"means": True, "seed": -1}, ValueError, "seed must be a whole number from 0"),
    ({"means": True, "bootstrap": "yes"}, TypeError, "bootstrap must be a bool or a number of rep"),
])  # fmt: skip
def test_what_is_refused_before_a_task_runs(
    spark: Any, options: Any, kind: Any, words: str
) -> None:
    frame = spark.createDataFrame([(1, 0.5, "x")], "query long, score double, label string")
    with pytest.raises(kind, match=words):
        evaluate(frame, "AP", **{"query": "query", "label": "score", "score": "score", **options})


def test_a_worker_without_the_package_says_what_to_ship() -> None:
    """Run as a worker would: the function is pickled by value, and finds no rankgain."""
    import subprocess
    import sys

    from pyspark import cloudpickle

    from rankgain.integrations.spark import tasks
    from rankgain.integrations.spark.frames import ship

    code = (
        "import pickle, sys; sys.modules['rankgain'] = None\n"
        "list(pickle.load(sys.stdin.buffer)(iter(())))"
    )
    held = cloudpickle.dumps(ship(tasks.answer, task="x"))
    result = subprocess.run([sys.executable, "-c", code], input=held, capture_output=True)
    assert b"install the wheel there" in result.stderr
    assert b"spark.archives" in result.stderr


def test_judged_queries_of_which_the_run_has_no_row(spark: Any) -> None:
    """More of them than one part of the counts holds."""
    from pyspark.sql import functions as F

    truth = spark.range(300_000).select(
        F.col("id").alias("query"), F.lit("d").alias("doc"), F.lit(1).alias("label")
    )
    run = spark.range(300).select(
        F.col("id").alias("query"), F.lit("d").alias("doc"), F.lit(0.5).alias("score")
    )
    for some in (run, run.where("query < 0")):
        result = [
            evaluate_runs(truth, some, "AP", means=True, how=how) for how in ("count", "shuffle")
        ]
        assert result[0] == result[1]
        assert result[0].count == 300_000


def test_ties_that_ask_for_places_are_an_error_where_there_are_any(spark: Any) -> None:
    rows = pandas.DataFrame({"query": [1, 1, 2], "label": [1.0, 0, 1], "score": [0.5, 0.25, 0.5]})
    tied = rows.assign(score=0.5)
    given = {"convention": "lightgbm"}
    for how in ("auto", "shuffle"):
        result = evaluate(frame_of(spark, rows), "nDCG@10", how=how, **NAMES, **given)
        assert len(read(result)) == 2
        words = "cannot order, because|query 1 has equal scores, and the ties of"
        with pytest.raises(Exception, match=words):
            evaluate(frame_of(spark, tied), "nDCG@10", how=how, **NAMES, **given).collect()
    with pytest.raises(ValueError, match='ties="stable" needs the places of documents'):
        evaluate(frame_of(spark, rows), "AP(ties=stable)", **NAMES)
    apart = pandas.DataFrame({"query": [1] * 3, "label": [1.0, 0, 0], "score": [0.5, 0.25, 0.25]})
    for convention in ("lightgbm", "trec"):  # no hit ties
        result = evaluate(frame_of(spark, apart), "nDCG@10", **NAMES, convention=convention)
        assert read(result)["nDCG@10"].tolist() == [1.0]
    lists = spark.createDataFrame([([1.0, 0.0], [0.5, 0.5])], "l array<double>, s array<double>")
    values = evaluate_columns(lists, "RR", labels="l", scores="s", ties="reverse").collect()
    assert values[0]["RR"] == 0.5


def test_auto_takes_the_way_that_can_be_taken(spark: Any) -> None:
    rows = table(10, 300, 4)
    frame = frame_of(spark, rows)
    for measures, given in (
        (["Judged@5"], {}),
        (["nDCG@5"], {"convention": "torchmetrics"}),
        (["P@5"], {"rel": 0}),
    ):
        same(read(evaluate(frame, measures, **NAMES, **given)), whole(rows, measures, **given))


def test_decimals_are_numbers(spark: Any) -> None:
    kinds = "query int, doc string, label decimal(3, 1), score decimal(30, 4)"
    rows = [(1, "a", 1, "0.25"), (1, "b", 0, "0.5"), (2, "c", 2, "-1"), (2, "d", 0, None)]
    decimals = [
        (query, doc, Decimal(label), score and Decimal(score)) for query, doc, label, score in rows
    ]
    frame = spark.createDataFrame(decimals[:3], kinds)
    for how in WAYS:
        result = evaluate(frame, "RR", query="query", label="label", score="score", how=how)
        assert {row["query"]: row["RR"] for row in result.collect()} == {1: 0.5, 2: 1.0}
    for how in ("count", "shuffle"):
        result = evaluate_runs(frame, frame, "RR", how=how)
        assert {row["query"]: row["RR"] for row in result.collect()} == {1: 0.5, 2: 1.0}
        with pytest.raises(Exception, match="'score' is null in a row of query 2"):
            evaluate(spark.createDataFrame(decimals, kinds), "RR", how=how, **NAMES).collect()
        large = spark.createDataFrame([(1, "a", Decimal(1), Decimal(2**53 + 1))], kinds)
        with pytest.raises(Exception, match=r"'score' has a decimal beyond 2\*\*53"):
            evaluate(large, "RR", how=how, **NAMES).collect()


def test_nulls_and_types_of_joined_frames(spark: Any) -> None:
    truth = spark.createDataFrame([(1, "a", 1)], "query int, doc string, label int")
    wrong = spark.createDataFrame(
        [(1, "a", None), (1, "x", 0.9)], "query int, doc string, score double"
    )
    for how in ("auto", "shuffle"):
        with pytest.raises(Exception, match="'score' is null in a row of query 1"):
            evaluate_runs(truth, wrong, "RR", how=how).collect()
    bools = spark.createDataFrame(
        [(1, True, 0.5), (1, False, 0.9)], "`q.x` int, l boolean, `a``b` double"
    )
    for how in WAYS:
        result = evaluate(bools, "RR", query="q.x", label="l", score="a`b", how=how)
        assert [row["RR"] for row in result.collect()] == [0.5]
    ids = spark.createDataFrame([([1, 2], [3_000_000_000, 2])], "r array<int>, w array<bigint>")
    assert evaluate_columns(ids, "RR", recommended="r", relevant="w").collect()[0]["RR"] == 0.5
    mixed = spark.createDataFrame([(["1"], [1])], "r array<string>, w array<int>")
    with pytest.raises(TypeError, match="'r' has ids of type string, 'w' of type integer"):
        evaluate_columns(mixed, "RR", recommended="r", relevant="w")
