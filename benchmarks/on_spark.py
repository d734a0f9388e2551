"""A long table on Spark, local[2], beside a bare scan and what people do today: ratios in one run.

    python benchmarks/on_spark.py [millions of rows] [rounds] [peers, as windows,groups] [--write]

Lists of 100 rows, which lie anywhere; 5% of the rows are hits. The fast sides run in turns, and the
best round counts; peers run once. Values are compared first, on a small table. --write puts the
table into docs/on_spark.md.
"""

import os
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import machine
import tables

MEASURES = ["nDCG@10", "AP"]
COLUMNS = {"by": "query", "label": "label", "score": "score"}
LONG, HITS = 100, 0.05


def table_of(session: Any, rows: int) -> Any:
    from pyspark.sql import functions as f

    lists = max(1, rows // LONG)
    frame = session.range(rows, numPartitions=8).select(
        (f.col("id") * 2654435761 % lists).alias("query"),
        f.col("id").alias("doc"),
        f.rand(1).alias("score"),
        (f.rand(2) < HITS).cast("int").alias("label"),
    )
    frame = frame.persist()
    frame.count()
    return frame


def ran(answer: Any) -> None:
    answer.write.format("noop").mode("overwrite").save()


def by_rankgain(frame: Any, how: str) -> Any:
    import rankgain.spark

    return rankgain.spark.evaluate(frame, MEASURES, how=how, **COLUMNS)


def scanned(frame: Any, passed_on: bool) -> Any:
    """All rows to Python, and back if they are passed on."""

    def scan(batches: Any) -> Any:
        for batch in batches:
            if passed_on:
                yield batch

    return frame.mapInArrow(scan, frame.schema)


def by_windows(frame: Any) -> Any:
    """nDCG@10 and AP in SQL, by hand."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    lists = Window.partitionBy("query")
    by_score, by_label = (lists.orderBy(f.desc(one)) for one in ("score", "label"))
    found = f.sum("label").over(by_score.rowsBetween(Window.unboundedPreceding, 0))
    ranked = frame.select(
        "query",
        "label",
        f.row_number().over(by_score).alias("rank"),
        f.row_number().over(by_label).alias("ideal"),
        found.alias("found"),
    )
    dcg, idcg = (
        f.sum(f.when(f.col(one) <= 10, f.col("label") / f.log2(f.col(one) + 1)))
        for one in ("rank", "ideal")
    )
    hits, precisions = f.sum("label"), f.sum(f.col("label") * f.col("found") / f.col("rank"))
    return ranked.groupBy("query").agg(
        f.when(hits > 0, dcg / idcg).otherwise(0.0).alias("nDCG@10"),
        f.when(hits > 0, precisions / hits).otherwise(0.0).alias("AP"),
    )


def by_groups(frame: Any) -> Any:
    """A Python call for each list."""

    def evaluate(table: Any) -> Any:
        import pyarrow as pa

        label = table["label"].to_numpy()[np.argsort(-table["score"].to_numpy())]
        rank = np.flatnonzero(label) + 1
        discount = 1 / np.log2(np.arange(2, 12))
        hits = len(rank)
        ndcg = (label[:10] * discount[: len(label)]).sum() / discount[:hits].sum() if hits else 0.0
        ap = (np.arange(1, hits + 1) / rank).sum() / hits if hits else 0.0
        return pa.table({"query": table["query"][:1], "nDCG@10": [ndcg], "AP": [ap]})

    schema = "query long, `nDCG@10` double, AP double"
    return frame.groupBy("query").applyInArrow(evaluate, schema)


def by_ranking_metrics(frame: Any) -> tuple[float, float]:
    """MLlib's own class, whose lists are made by a window and collect_list."""
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    rank = f.row_number().over(Window.partitionBy("query").orderBy(f.desc("score")))
    lists = (
        frame.withColumn("rank", rank)
        .groupBy("query")
        .agg(
            f.sort_array(f.collect_list(f.struct("rank", "doc")))["doc"].alias("given"),
            f.collect_list(f.when(f.col("label") > 0, f.col("doc"))).alias("wanted"),
        )
    )
    metrics = RankingMetrics(lists.rdd.map(lambda row: (row["given"], row["wanted"])))
    return metrics.ndcgAt(10), metrics.meanAveragePrecision


PEERS: dict[str, Callable[[Any], Any]] = {
    "windows": lambda frame: ran(by_windows(frame)),
    "groups": lambda frame: ran(by_groups(frame)),
    "metrics": by_ranking_metrics,
}
NAMES = {
    "count": "rankgain, count",
    "shuffle": "rankgain, shuffle",
    "read": "a scan through a mapInArrow that gives nothing",
    "scan": "a scan through a mapInArrow that passes all on",
    "windows": "windows of SQL, by hand",
    "groups": "applyInArrow, a call for each list",
    "metrics": "RankingMetrics of a window and collect_list",
}


def agree(frame: Any) -> None:
    """All sides have the means of one call."""
    import rankgain.spark

    means = rankgain.spark.evaluate(frame, MEASURES, means=True, **COLUMNS).means
    for side in (by_windows(frame), by_groups(frame)):
        rows = side.toPandas()
        assert np.allclose([rows[name].mean() for name in MEASURES], list(means.values())), side
    assert np.allclose(by_ranking_metrics(frame), list(means.values()))


def timed(call: Callable[[], Any]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def main(rows: int, rounds: int, peers: list[str], write: bool) -> None:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "8g").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    agree(table_of(session, 20_000))
    frame = table_of(session, rows)
    fast = {
        "count": lambda: ran(by_rankgain(frame, "count")),
        "shuffle": lambda: ran(by_rankgain(frame, "shuffle")),
        "read": lambda: ran(scanned(frame, False)),
        "scan": lambda: ran(scanned(frame, True)),
    }
    best = dict.fromkeys(fast, float("inf"))
    for _ in range(rounds):
        for side, call in fast.items():
            best[side] = min(best[side], timed(call))
    print(f"{rows:,} rows, {HITS:.0%} hits")
    for side in (*fast, *peers):
        seconds = best[side] if side in best else timed(lambda: PEERS[side](frame))  # noqa: B023
        print(f"{NAMES[side]:<48} {seconds:8.2f} s  {seconds / best['count']:6.2f}", flush=True)
        best[side] = seconds
    if write:
        lead = (
            f"{' and '.join(MEASURES)} of {rows:,} rows in lists of {LONG} anywhere, "
            f"{HITS:.0%} hits; PySpark {session.version}, `local[2]`, on {machine.processor()}. "
            f"The first four sides ran in turns, the best of {rounds} rounds counts; the "
            "others ran once. `benchmarks/on_spark.py` repeats it."
        )
        times = {NAMES[side]: seconds for side, seconds in best.items()}
        tables.write_sides("on_spark.md", lead, times)
    session.stop()


if __name__ == "__main__":
    given = [one for one in sys.argv[1:] if one != "--write"]
    millions = float(given[0]) if given else 20.0
    turns = int(given[1]) if len(given) > 1 else 3
    named = given[2].split(",") if len(given) > 2 else list(PEERS)
    main(int(millions * 1e6), turns, named, "--write" in sys.argv)
