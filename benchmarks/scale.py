"""Inputs that are too large for one array, beside what people do today: ratios in one run.

    python benchmarks/scale.py factors [USERS]          a factor model on 60,000 items
    python benchmarks/scale.py stream [MILLIONS ...]    a Parquet file sorted by query; exact sums
    python benchmarks/scale.py spark [MILLIONS]         a long table on Spark, local[2]

Sides take turns and the best round of each counts. Tools that are not installed are left out.
`--write` puts the table into docs/guides/scale.md, streams.md or on_spark.md.

factors: every side runs on one thread, and its processor time is measured. Set
OPENBLAS_NUM_THREADS=1 for NumPy's, and leave OPENBLAS_CORETYPE unset, so that it chooses its own
kernels.

stream: each side runs in a process of its own, whose peak memory is measured too. It needs pyarrow
and duckdb, and compares the means of both.

spark: lists of 100 rows, which lie anywhere; 5% of the rows are hits. Values are compared first, on
a small table. `--rounds` says how often the fast sides run, `--others` which of the slow ones run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter, process_time
from typing import Any

import numpy as np

import measuring
import pages
import rankgain as rg
from markers import put_between_markers
from rankgain.engine.exact import exact_sum
from rankgain.engine.resampling import poisson_sums
from rankgain.evaluation.partial.users import BLOCK

MEASURES = ["nDCG@10", "AP"]
LONG = 100
"""Documents of a list in long tables."""

Calls = dict[str, Callable[[], Any]]
Lines = list[tuple[str, str, str, str]]


def best_of(
    sides: Mapping[str, Callable[[], object]],
    rounds: int,
    now: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """The best time of each side, in seconds; sides take turns."""
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for name, call in sides.items():
            start = now()
            call()
            best[name] = min(best[name], now() - start)
    return best


def report(page: str, lead: str, text: str, write: bool) -> None:
    print(f"{lead}\n\n{text}")
    if write:
        put_between_markers(pages.ROOT / "docs" / "guides" / page, f"{lead}\n\n{text}")


def beside_first(times: Mapping[str, float]) -> str:
    first = next(iter(times.values()))
    lines = [(name, pages.seconds(time), f"{time / first:.2f}") for name, time in times.items()]
    return pages.table(("side", "time", "relative to the first"), lines)


# Factor models

ITEMS, FACTORS, RELEVANT, ROUNDS = 60_000, 64, 10, 3
TORCH_USERS = 139  # the fastest of 64, 139, 279 and 558


def factors(users: int, write: bool) -> None:
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    u = rng.standard_normal((users, FACTORS), dtype=np.float32)
    v = rng.standard_normal((ITEMS, FACTORS), dtype=np.float32)
    items = np.concatenate([rng.choice(ITEMS, RELEVANT, False) for _ in range(users)])
    pointer = np.arange(0, len(items) + 1, RELEVANT)
    relevant = csr_matrix((np.ones(len(items)), items, pointer), shape=(users, ITEMS))
    block = np.empty((BLOCK // ITEMS, ITEMS), np.float32)  # as many users as ours has

    def product() -> None:
        for low in range(0, users, len(block)):
            part = u[low : low + len(block)]
            np.matmul(part, v.T, out=block[: len(part)])

    measures = [*MEASURES, "RR", "R@100"]
    sides: Calls = {
        "rankgain": lambda: rg.evaluate_factors(u, v, relevant, measures, threads=1),
        "the bare product, block by block": product,
    }
    sides |= with_implicit(u, v, relevant) | with_torch(u, v)
    lead = (
        f"{users:,} users, {ITEMS:,} items, {FACTORS} factors, {RELEVANT} relevant items each: "
        f"{', '.join(measures)}. Processor time, best of {ROUNDS} rounds in turns, on one thread "
        f"of {measuring.processor()}, {measuring.vectors()}; `benchmarks/scale.py factors` "
        "repeats it."
    )
    report("scale.md", lead, beside_first(best_of(sides, ROUNDS, process_time)), write)


def with_implicit(u: Any, v: Any, relevant: Any) -> Calls:
    try:
        from implicit.cpu.als import AlternatingLeastSquares
        from implicit.evaluation import ranking_metrics_at_k
    except ImportError:
        return {}
    model = AlternatingLeastSquares(factors=FACTORS)
    model.user_factors, model.item_factors = u, v
    test = relevant.astype(np.float32)
    train = test[:, :] * 0
    train.eliminate_zeros()

    def evaluate() -> None:
        ranking_metrics_at_k(model, train, test, K=100, show_progress=False, num_threads=1)

    return {"implicit.ranking_metrics_at_k, K=100": evaluate}


def with_torch(u: Any, v: Any) -> Calls:
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    a, b = torch.from_numpy(u), torch.from_numpy(v)

    def topk() -> None:
        for low in range(0, len(u), TORCH_USERS):
            torch.topk(a[low : low + TORCH_USERS] @ b.T, 100)

    return {"torch matmul and topk, 100": topk}


# Streams and sums

STREAM_ROUNDS, SUM_ROUNDS = 2, 7

DUCKDB = """
with ranked as (
    select query, label, score, row_number() over w as rank,
           sum(case when label > 0 then 1 else 0 end) over (w rows unbounded preceding) as hits,
           row_number() over (partition by query order by label desc) as ideal
    from read_parquet('{path}') window w as (partition by query order by score desc)
), lists as (
    select query,
           sum(case when rank <= 10 then label / log2(rank + 1) else 0 end) as dcg,
           sum(case when ideal <= 10 then label / log2(ideal + 1) else 0 end) as idcg,
           sum(case when label > 0 then hits / rank else 0 end) as precisions,
           sum(case when label > 0 then 1 else 0 end) as relevant
    from ranked group by query
)
select avg(case when idcg > 0 then dcg / idcg else 0 end),
       avg(case when relevant > 0 then precisions / relevant else 0 end) from lists
"""


def write_parquet(path: str, rows: int) -> None:
    """Queries ascending, five per cent of the rows relevant, scores of 32 bits."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("query", pa.int64()), ("label", pa.int8()), ("score", pa.float32())])
    rng = np.random.default_rng(0)
    step = 1_000_000
    with parquet.ParquetWriter(path, schema) as file:
        for first in range(0, rows, step):
            n = min(step, rows - first)
            query = np.arange(first, first + n) // LONG
            label = (rng.integers(1, 4, n) * (rng.random(n) < 0.05)).astype(np.int8)
            score = rng.random(n, np.float32)
            file.write_table(pa.table([query, label, score], schema=schema))


def stream_by_rankgain(path: str) -> list[float]:
    columns = {"query": "query", "label": "label", "score": "score"}
    evaluation = rg.evaluate_batches(path, MEASURES, **columns, keep="sums", threads=2)
    return list(evaluation.means.values())


def stream_by_duckdb(path: str) -> list[float]:
    import duckdb

    # It spills to disk beyond this much memory.
    limits = {"threads": 2, "memory_limit": "12GB"}
    return list(duckdb.connect(config=limits).execute(DUCKDB.format(path=path)).fetchone())


STREAM_SIDES = {"rankgain": stream_by_rankgain, "duckdb": stream_by_duckdb}


def run_side(side: str, path: str) -> None:
    """Run one side in this process: seconds, means and the peak of memory in MB."""
    import resource  # Windows has none

    start = perf_counter()
    means = STREAM_SIDES[side](path)
    seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "means": means, "peak": peak}))


def stream_line(millions: float) -> tuple[str, str, str, str]:
    rows = int(millions * 1e6)
    best: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.parquet")
        write_parquet(path, rows)
        for _ in range(STREAM_ROUNDS):
            for side in STREAM_SIDES:
                command = [sys.executable, __file__, "run", side, path]
                this = json.loads(subprocess.check_output(command))
                known = best.setdefault(side, this)
                assert np.allclose(this["means"], best["rankgain"]["means"], rtol=1e-6)
                known["seconds"] = min(known["seconds"], this["seconds"])
                known["peak"] = max(known["peak"], this["peak"])
    ours, theirs = (
        f"{one['seconds']:.3g} s, {one['peak']:,.0f} MB at most" for one in best.values()
    )
    faster = verdict(best["rankgain"]["seconds"], best["duckdb"]["seconds"])
    title = f"Parquet of {rows:,} rows sorted by query, lists of {LONG}, nDCG@10 and AP"
    return title, ours, f"DuckDB with window functions: {theirs}", faster


def sums_line(title: str, best: dict[str, float], more: str = "") -> tuple[str, str, str, str]:
    """Our side is the first one."""
    (_, ours), (other, theirs) = best.items()
    beside = f"{other}: {pages.seconds(theirs)}"
    return title, pages.seconds(ours) + more, beside, verdict(ours, theirs)


def verdict(ours: float, theirs: float) -> str:
    return f"{theirs / ours:.2g}x faster" if theirs > ours else f"{ours / theirs:.2g}x slower"


def sums() -> Lines:
    """Exact sums beside numpy.sum, and Poisson resamples beside NumPy drawing them.

    Seconds are those of this process on a processor, because others may share it.
    """
    import resource  # Windows has none

    rng = np.random.default_rng(0)
    values, weights = rng.random(10_000_000), rng.random(10_000_000)
    unweighted = {"exact": lambda: exact_sum(values), "`numpy.sum`": lambda: np.sum(values)}
    weighted = {
        "exact": lambda: exact_sum(values, weights),
        "`numpy.sum` of products": lambda: np.sum(values * weights),
    }
    lists, replicates = 1_000_000, 200
    few = values[:lists].copy()
    codes = rng.integers(0, 2**64, lists, np.uint64)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counted = {"exact": lambda: poisson_sums([(few, None)], codes, replicates, 0)}
    drawn = best_of(counted, 3, process_time)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    # First the sums: threads of the BLAS wait busily for some time after each call.
    exact = (
        best_of(unweighted, SUM_ROUNDS, process_time),
        best_of(weighted, SUM_ROUNDS, process_time),
    )
    peer = "NumPy drawing `poisson(1)`"
    drawn |= best_of(
        {peer: lambda: [rng.poisson(1, lists) @ few for _ in range(replicates)]}, 1, process_time
    )
    return [
        sums_line("exact sum of 10,000,000 values", exact[0]),
        sums_line("the same with weights", exact[1]),
        sums_line(
            f"{replicates} Poisson replicates of {lists:,} lists",
            drawn,
            f", {grown:.0f} MB more at most",
        ),
    ]


def stream(millions: list[float], write: bool) -> None:
    lines = [*(stream_line(one) for one in millions), *sums()]
    lead = (
        f"Best of {STREAM_ROUNDS} rounds or more in turns, on two cores of {measuring.processor()}"
    )
    lead += "; `benchmarks/scale.py stream` repeats it."
    text = pages.table(("workload", "rankgain", "compared with", "rankgain is"), lines)
    report("streams.md", lead, text, write)


# Spark

SPARK_COLUMNS = {"query": "query", "label": "label", "score": "score"}
HITS = 0.05


def spark_table(session: Any, rows: int) -> Any:
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


def run_all(answer: Any) -> None:
    answer.write.format("noop").mode("overwrite").save()


def spark_by_rankgain(frame: Any, how: str) -> Any:
    import rankgain.spark

    return rankgain.spark.evaluate(frame, MEASURES, how=how, **SPARK_COLUMNS)


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
    hits = f.sum("label").over(by_score.rowsBetween(Window.unboundedPreceding, 0))
    ranked = frame.select(
        "query",
        "label",
        f.row_number().over(by_score).alias("rank"),
        f.row_number().over(by_label).alias("ideal"),
        hits.alias("hits"),
    )
    dcg, idcg = (
        f.sum(f.when(f.col(one) <= 10, f.col("label") / f.log2(f.col(one) + 1)))
        for one in ("rank", "ideal")
    )
    relevant, precisions = f.sum("label"), f.sum(f.col("label") * f.col("hits") / f.col("rank"))
    return ranked.groupBy("query").agg(
        f.when(relevant > 0, dcg / idcg).otherwise(0.0).alias("nDCG@10"),
        f.when(relevant > 0, precisions / relevant).otherwise(0.0).alias("AP"),
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
            f.sort_array(f.collect_list(f.struct("rank", "doc")))["doc"].alias("ranked"),
            f.collect_list(f.when(f.col("label") > 0, f.col("doc"))).alias("relevant"),
        )
    )
    metrics = RankingMetrics(lists.rdd.map(lambda row: (row["ranked"], row["relevant"])))
    return metrics.ndcgAt(10), metrics.meanAveragePrecision


SPARK_OTHERS: dict[str, Callable[[Any], Any]] = {
    "windows": lambda frame: run_all(by_windows(frame)),
    "groups": lambda frame: run_all(by_groups(frame)),
    "metrics": by_ranking_metrics,
}
SPARK_NAMES = {
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

    means = rankgain.spark.evaluate(frame, MEASURES, means=True, **SPARK_COLUMNS).means
    for side in (by_windows(frame), by_groups(frame)):
        rows = side.toPandas()
        assert np.allclose([rows[name].mean() for name in MEASURES], list(means.values())), side
    assert np.allclose(by_ranking_metrics(frame), list(means.values()))


def spark(rows: int, rounds: int, others: list[str], write: bool) -> None:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "8g").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    agree(spark_table(session, 20_000))
    frame = spark_table(session, rows)
    fast: Calls = {
        SPARK_NAMES["count"]: lambda: run_all(spark_by_rankgain(frame, "count")),
        SPARK_NAMES["shuffle"]: lambda: run_all(spark_by_rankgain(frame, "shuffle")),
        SPARK_NAMES["read"]: lambda: run_all(scanned(frame, False)),
        SPARK_NAMES["scan"]: lambda: run_all(scanned(frame, True)),
    }
    slow: Calls = {
        SPARK_NAMES[side]: partial(call, frame)
        for side, call in SPARK_OTHERS.items()
        if side in others
    }
    times = best_of(fast, rounds) | best_of(slow, 1)
    lead = (
        f"{' and '.join(MEASURES)} of {rows:,} rows in lists of {LONG} anywhere, "
        f"{HITS:.0%} hits; PySpark {session.version}, `local[2]`, on {measuring.processor()}. "
        f"The first four sides ran in turns, the best of {rounds} rounds counts; the "
        "others ran once. `benchmarks/scale.py spark` repeats it."
    )
    report("on_spark.md", lead, beside_first(times), write)
    session.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure inputs that are too large for one array.")
    subjects = parser.add_subparsers(dest="subject", required=True)
    commands = {name: subjects.add_parser(name) for name in ("factors", "stream", "spark")}
    for command in commands.values():
        command.add_argument("--write", action="store_true", help="put the table into the page")
    commands["factors"].add_argument("users", nargs="?", type=int, default=20_000)
    commands["stream"].add_argument("millions", nargs="*", type=float, default=[20.0])
    commands["spark"].add_argument("millions", nargs="?", type=float, default=20.0)
    commands["spark"].add_argument("--rounds", type=int, default=3)
    commands["spark"].add_argument(
        "--others", nargs="*", choices=SPARK_OTHERS, default=list(SPARK_OTHERS)
    )
    options = parser.parse_args()
    if options.subject == "factors":
        factors(options.users, options.write)
    elif options.subject == "stream":
        stream(options.millions, options.write)
    else:
        spark(int(options.millions * 1e6), options.rounds, options.others, options.write)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        run_side(*sys.argv[2:])
    else:
        main()
