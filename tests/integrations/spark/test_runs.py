"""Judgments and a run on Spark give the bits of rg.evaluate, by both ways, under any convention."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.records import drawn

pytest.importorskip("pyspark")
pytest.importorskip("pandas")
from rankgain.spark import evaluate, evaluate_columns, evaluate_runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::UserWarning"),
]

MEASURES = ["nDCG@5", "AP", "RR", "R@3", "Judged@5", "Bpref"]
# Conventions with their measures: by id in both ways, of one precision and of two, and by block.
CONVENTIONS = {
    "trec": MEASURES,
    "trec_eval-9": MEASURES,
    "trectools": ["nDCG@5", "AP", "RR"],
    "sentence_transformers": ["nDCG@5", "AP@5", "RR@5"],
    "ir_measures": ["nDCG@5", "RR", "RR@3", "Judged@5"],
    "beir": ["nDCG@5", "AP@3", "R@5"],
    "rankgain": [*MEASURES, "AUC"],
    "catboost": ["nDCG@5", "AP@5"],
    "torchmetrics": ["nDCG@5", "AP", "RR"],
}
COUNTED = {"trec", "trec_eval-9", "trectools", "sentence_transformers", "rankgain"}
SCHEMAS = "query bigint, doc string, label int", "query bigint, doc string, score double"


def frames(spark: Any, qrels: Any, run: Any) -> list[Any]:
    result = []
    for records, kind, column in ((qrels, "int", "label"), (run, "double", "score")):
        rows = [(query, doc, one) for query, docs in records.items() for doc, one in docs.items()]
        ids = "string" if isinstance(rows[0][0], str) else "bigint"
        schema = f"query {ids}, doc {ids}, {column} {kind}"
        result.append(spark.createDataFrame(rows, schema).repartition(3).cache())
    return result


def same(values: Any, expected: rg.Evaluation) -> None:
    rows = [row.asDict() for row in values.collect()]
    result = {row.pop("query"): row for row in rows}
    assert result.keys() == set(expected.queries)
    for name, column in expected.per_query.items():
        mine = np.array([result[query][name] for query in expected.queries])
        assert mine.tobytes() == column.tobytes(), name


@pytest.mark.parametrize("text", [False, True])
def test_all_conventions_give_the_bits_of_a_laptop(spark: Any, text: bool) -> None:
    qrels, run = drawn(text)
    truth, ranked = frames(spark, qrels, run)
    for convention, measures in CONVENTIONS.items():
        given: dict[str, Any] = {} if convention == "trec" else {"convention": convention}
        expected = rg.evaluate(qrels, run, measures, **given)
        ways = ["count", "shuffle"] if convention in COUNTED else ["auto"]
        for how in ways if text else ["auto"]:
            same(evaluate_runs(truth, ranked, measures, how=how, **given), expected)
    named = ["AP(ties=id)", "AP(ties=best)", "AP", "nDCG(judged_only=True)@5"]
    same(evaluate_runs(truth, ranked, named), rg.evaluate(qrels, run, named))


def test_bounds_exclude_and_judged_only(spark: Any) -> None:
    qrels, run = drawn(True, 1)
    truth, ranked = frames(spark, qrels, run)
    without = {"q0-0": ["d1", "d2"], "q1-0": ["d4"]}
    judged: dict[str, Any] = {"judged_only": True, "exclude": without}
    same(evaluate_runs(truth, ranked, "AP", **judged), rg.evaluate(qrels, run, "AP", **judged))
    expected = rg.evaluate(qrels, run, ["AP", "RR"], bounds=["ties", "unjudged"])
    values = evaluate_runs(truth, ranked, ["AP", "RR"], bounds=["ties", "unjudged"])
    same(values, expected)
    result = {row["query"]: row for row in values.collect()}
    for kind, by_name in expected.bounds.items():
        for name, ends in by_name.items():
            for at, end in enumerate(("low", "high")):
                mine = [result[query][f"{name} {kind} {end}"] for query in expected.queries]
                assert mine == ends[:, at].tolist()


def test_means_are_those_of_an_accumulator(spark: Any) -> None:
    qrels, run = drawn(False, 2, -1)
    pair = frames(spark, qrels, run)
    expected = rg.Accumulator(bootstrap=20, seed=3)
    expected.add(rg.evaluate(qrels, run, ["AP", "nDCG@5"]))
    for how in ("count", "shuffle"):
        given: dict[str, Any] = {"means": True, "bootstrap": 20, "seed": 3, "how": how}
        total = evaluate_runs(*pair, ["AP", "nDCG@5"], **given)
        assert total.means == expected.means
        assert total.interval("AP") == expected.interval("AP")


def test_several_systems_of_a_run(spark: Any) -> None:
    """A column names the system of each row; each is evaluated by itself."""
    qrels, run = drawn(True, 3)
    other = {query: {doc: -one for doc, one in docs.items()} for query, docs in run.items()}
    other.popitem()
    truth, first = frames(spark, qrels, run)
    second = frames(spark, qrels, other)[1]
    systems = {"bm25": run, "it's `dense`": other}
    both = first.selectExpr("'bm25' as `my run`", "*")
    both = both.union(second.selectExpr('"it\'s `dense`"', "*"))
    values = evaluate_runs(truth, both, "AP", system="my run")
    assert values.columns == ["run", "query", "AP"]
    totals = evaluate_runs(truth, both, "AP", system="my run", means=True)
    assert list(totals) == sorted(systems)
    for name, one in systems.items():
        expected = rg.evaluate(qrels, one, "AP")
        same(values.where(values.run == name).drop("run"), expected)
        total = rg.Accumulator()
        total.add(expected)
        assert totals[name].means == total.means


def test_several_systems_of_tables_and_arrays(spark: Any) -> None:
    rows = [(1, "x", 1.0, 0.5), (1, "x", 0.0, 0.7), (2, "x", 1.0, 0.7), (2, "x", 0.0, 0.5)]
    table = spark.createDataFrame(rows, "run bigint, query string, label double, score double")
    columns = {"query": "query", "label": "label", "score": "score", "run": "run"}
    result = evaluate(table, "RR", **columns)
    assert sorted(map(tuple, result.collect())) == [(1, "x", 0.5), (2, "x", 1.0)]
    lists = [("a", [1, 0], [0.5, 0.7]), ("b", [1, 0], [0.7, 0.5])]
    arrays = spark.createDataFrame(lists, "system string, y array<int>, s array<double>")
    result = evaluate_columns(arrays, "RR", labels="y", scores="s", run="system")
    assert sorted(map(tuple, result.collect())) == [("a", 0.5), ("b", 1.0)]
    wrong = table.selectExpr("nullif(run, 2) as run", "query", "label", "score")
    with pytest.raises(ValueError, match="'run' is null in some rows"):
        evaluate(wrong, "RR", **columns)
    with pytest.raises(ValueError, match="has no rows, and so names no system"):
        evaluate(table.where("run > 7"), "RR", **columns)
    with pytest.raises(ValueError, match="run: there is no column 'model'"):
        evaluate(table, "RR", **{**columns, "run": "model"})


def test_equal_judgments_are_one_and_two_labels_are_an_error(spark: Any) -> None:
    truth = spark.createDataFrame([(1, "a", 1), (1, "a", 1), (1, "b", 1)], SCHEMAS[0])
    run = spark.createDataFrame([(1, "c", 0.9), (1, "b", 0.5)], SCHEMAS[1])
    wrong = truth.union(spark.createDataFrame([(1, "a", 0)], SCHEMAS[0]))
    for how in ("count", "shuffle"):
        assert evaluate_runs(truth, run, "AP", how=how).collect()[0]["AP"] == 0.25
        with pytest.raises(Exception, match="truth: query 1 has the document 'a' twice"):
            evaluate_runs(wrong, run, "AP", how=how).collect()


def test_what_depends_on_the_order_of_rows_is_refused(spark: Any) -> None:
    truth = spark.createDataFrame([(1, "a", 1), (1, "b", 0)], SCHEMAS[0])
    apart = spark.createDataFrame([(1, "a", 0.5), (1, "b", 0.7)], SCHEMAS[1])
    tied = spark.createDataFrame([(1, "a", 0.5), (1, "b", 0.5)], SCHEMAS[1])
    assert evaluate_runs(truth, apart, "RR", convention="ranx").collect()[0]["RR"] == 0.5
    with pytest.raises(Exception, match="query 1 has equal scores, and the ties of RR need"):
        evaluate_runs(truth, tied, "RR", convention="ranx").collect()
    with pytest.raises(ValueError, match='ties="reverse" needs the places'):
        evaluate_runs(truth, tied, "RR", ties="reverse")
    with pytest.raises(ValueError, match="random"):
        evaluate_runs(truth, tied, "RR", ties="random")
    with pytest.raises(TypeError, match="there is no argument 'weight'"):
        evaluate_runs(truth, tied, "RR", weight={1: 1.0})
    for convention in ("beir", "torchmetrics", "ir_measures"):
        with pytest.raises(ValueError, match='choose how="shuffle"'):
            evaluate_runs(truth, apart, ["nDCG@5", "RR@3"], how="count", convention=convention)
