"""Scores made on the way, and tables on Spark, beside what people do today: ratios in one run.

python benchmarks/scale.py factors [users]     a factor model on 60,000 items
python benchmarks/scale.py spark [rows]        a long table on local[2]

Rounds are interleaved, and the best of each side counts. Peers that are not installed are left out.
The BLAS should choose its own kernels: leave OPENBLAS_CORETYPE unset, for both sides.
"""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import rankgain as rg

ITEMS, FACTORS, RELEVANT, ROUNDS = 60_000, 64, 10, 3
MEASURES = ["nDCG@10", "AP", "RR", "R@100"]


def best_of(sides: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The best time of each side, in seconds."""
    found = dict.fromkeys(sides, float("inf"))
    for _ in range(ROUNDS):
        for name, side in sides.items():
            start = perf_counter()
            side()
            found[name] = min(found[name], perf_counter() - start)
    return found


def show(found: dict[str, float]) -> None:
    mine = found["rankgain"]
    for name, seconds in found.items():
        print(f"{name:<44} {seconds:8.2f} s  {seconds / mine:6.2f}")


def factors(users: int = 20_000) -> None:
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    u = rng.standard_normal((users, FACTORS), dtype=np.float32)
    v = rng.standard_normal((ITEMS, FACTORS), dtype=np.float32)
    items = np.concatenate([rng.choice(ITEMS, RELEVANT, False) for _ in range(users)])
    pointer = np.arange(0, len(items) + 1, RELEVANT)
    relevant = csr_matrix((np.ones(len(items)), items, pointer), shape=(users, ITEMS))
    block = np.empty((139, ITEMS), np.float32)

    def product() -> None:
        for low in range(0, users, len(block)):
            part = u[low : low + len(block)]
            np.matmul(part, v.T, out=block[: len(part)])

    sides = {
        "rankgain": lambda: rg.evaluate_factors(u, v, relevant, MEASURES),
        "the bare product, block by block": product,
    }
    sides |= with_implicit(u, v, relevant) | with_torch(u, v)
    show(best_of(sides))


def with_implicit(u: Any, v: Any, relevant: Any) -> dict[str, Callable[[], Any]]:
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
        ranking_metrics_at_k(model, train, test, K=100, show_progress=False, num_threads=0)

    return {"implicit.ranking_metrics_at_k, K=100": evaluate}


def with_torch(u: Any, v: Any) -> dict[str, Callable[[], Any]]:
    try:
        import torch
    except ImportError:
        return {}
    a, b = torch.from_numpy(u), torch.from_numpy(v)

    def topk() -> None:
        for low in range(0, len(u), 139):
            torch.topk(a[low : low + 139] @ b.T, 100)

    return {"torch matmul and topk, 100": topk}


def spark(rows: int = 20_000_000) -> None:
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    import rankgain.spark

    session = SparkSession.builder.master("local[2]").getOrCreate()
    lists = max(1, rows // 100)
    frame = session.range(rows, numPartitions=8).select(
        (f.col("id") * 2654435761 % lists).alias("query"),
        f.rand(1).alias("score"),
        (f.rand(2) < 0.05).cast("int").alias("label"),
    )
    frame = frame.persist()
    frame.count()
    columns = {"by": "query", "label": "label", "score": "score"}

    def pass_on(batches: Any) -> Any:
        yield from batches

    def windows() -> Any:
        from pyspark.sql import Window

        order = Window.partitionBy("query").orderBy(f.desc("score"))
        ranked = frame.withColumn("rank", f.row_number().over(order))
        gain = f.when(f.col("rank") <= 10, f.col("label") / f.log2(f.col("rank") + 1))
        return ranked.groupBy("query").agg(f.sum(gain).alias("dcg"))

    def ran(answer: Any) -> None:
        answer.write.format("noop").mode("overwrite").save()

    def ours(how: str) -> Callable[[], None]:
        return lambda: ran(rankgain.spark.evaluate(frame, MEASURES, how=how, **columns))

    sides = {"rankgain": ours("count"), "rankgain, shuffle": ours("shuffle")}
    sides["a scan through an empty mapInArrow"] = lambda: ran(
        frame.mapInArrow(pass_on, frame.schema)
    )
    sides["DCG@10 by windows of SQL"] = lambda: ran(windows())
    show(best_of(sides))
    session.stop()


if __name__ == "__main__":
    what, *size = sys.argv[1:] or ["factors"]
    {"factors": factors, "spark": spark}[what](*map(int, size))
