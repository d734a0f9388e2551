"""Ranks in DataFrames give the values of `evaluate_frame` and of runs with ranks."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg

pytest.importorskip("pyspark")
pandas = pytest.importorskip("pandas")
from rankgain.integrations.spark import evaluate, evaluate_runs  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::UserWarning"),
]

MEASURES = ["nDCG@10", "AP", "RR", "P@5"]
NAMES: Any = {"query": "query", "label": "label", "rank": "rank"}


def table(has_means: bool = False, seed: int = 0) -> Any:
    """Lists with gaps and ties; only the first has a rank 0."""
    rng = np.random.default_rng(seed)
    query = rng.integers(0, 30, 600)
    rank = rng.integers(1, 60, 600).astype(float if has_means else int)
    rank[query == 0] -= 1
    if has_means:
        rank[query == 1] += 0.5
    doc = [f"d{row}" for row in range(600)]
    label = rng.choice([0, 0, 0, 1, 2], 600)
    return pandas.DataFrame({"query": query, "doc": doc, "rank": rank, "label": label})


def read(values: Any) -> Any:
    rows = [row.asDict() for row in values.collect()]
    return pandas.DataFrame(rows).set_index("query").sort_index()


def same(result: Any, expected: Any) -> None:
    wanted = expected.to_pandas()
    wanted.index = wanted.index.astype(int)
    wanted = wanted.sort_index()
    assert list(result.columns) == list(wanted.columns)
    assert result.index.tolist() == wanted.index.tolist()
    assert result.to_numpy().tobytes() == wanted.to_numpy().tobytes()


@pytest.mark.parametrize("has_means", [False, True])
def test_long_tables(spark: Any, has_means: bool) -> None:
    rows = table(has_means)
    frame = spark.createDataFrame(rows).repartition(4)
    expected = rg.evaluate_frame(rows, MEASURES, **NAMES)
    same(read(evaluate(frame, MEASURES, **NAMES)), expected)
    total = evaluate(frame, MEASURES, means=True, how="shuffle", **NAMES)
    assert total.means == dict(expected.means)


def test_systems_share_the_start_of_ranks(spark: Any) -> None:
    rows = pandas.concat([table().assign(system="a"), table(seed=1).assign(system="b")])
    rows = rows[(rows["system"] == "a") | (rows["rank"] > 0)]
    frame = spark.createDataFrame(rows).repartition(3)
    expected = rg.evaluate_frame(rows, MEASURES, run="system", **NAMES)
    result = evaluate(frame, MEASURES, run="system", means=True, **NAMES)
    assert {name: total.means for name, total in result.items()} == {
        name: dict(one.means) for name, one in expected.items()
    }


@pytest.mark.parametrize("has_means", [False, True])
def test_runs(spark: Any, has_means: bool) -> None:
    rows = table(has_means).drop_duplicates(["query", "rank"])
    judged = rows[rows.index % 3 > 0][["query", "doc", "label"]]
    run = rows[rows.index % 5 > 0][["query", "doc", "rank"]]
    expected = rg.evaluate(
        rg.Qrels.from_frame(judged), rg.Run.from_frame(run, rank="rank"), MEASURES
    )
    frames = [spark.createDataFrame(part).repartition(3) for part in (judged, run)]
    same(read(evaluate_runs(*frames, MEASURES, **NAMES)), expected)


def test_what_ranks_cannot_do_is_an_error(spark: Any) -> None:
    frame = spark.createDataFrame(table())
    with pytest.raises(ValueError, match='Choose how="shuffle" for rank='):
        evaluate(frame, "RR", how="count", **NAMES)
    with pytest.raises(ValueError, match='Choose how="shuffle" for rank='):
        evaluate_runs(frame, frame, "RR", how="count", **NAMES)
    with pytest.raises(ValueError, match="score and rank both say"):
        evaluate(frame, "RR", score="label", **NAMES)
    negative = evaluate(spark.createDataFrame(table().assign(rank=-4)), "RR", **NAMES)
    with pytest.raises(Exception, match="rank is -4, which is negative"):
        negative.collect()
