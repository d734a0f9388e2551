"""Data sets of Ray and data frames of Dask give the bits of arrays, whatever their blocks."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]
NAMES = {"query": "query", "label": "label", "score": "score"}
MEASURES = ["nDCG@10", "AP", "RR", "AUC", "P@5"]


class Cluster:
    """One of the two hosts: how it takes a frame in blocks, and the function for it."""

    def __init__(self, name: str) -> None:
        if name == "dask":
            from dask.dataframe import from_pandas

            self.table: Any = lambda rows, blocks: from_pandas(rows, npartitions=blocks)
            from rankgain.dask import evaluate
        else:
            import ray

            self.table = lambda rows, blocks: ray.data.from_pandas(rows).repartition(blocks)
            from rankgain.ray import evaluate
        self.evaluate: Any = evaluate


@pytest.fixture(scope="module", params=["dask", "ray"])
def cluster(request: Any) -> Iterator[Cluster]:
    pytest.importorskip(f"{request.param}.dataframe" if request.param == "dask" else "ray.data")
    if request.param == "ray":
        import ray

        quiet: Any = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
        ray.init(num_cpus=1, **quiet)
    yield Cluster(request.param)
    if request.param == "ray":
        ray.shutdown()


def drawn(seed: int, text: bool = False, dtype: Any = np.float64) -> Any:
    """Lists of any length, some without a hit, of which one has half of the rows; with ties."""
    rng = np.random.default_rng(seed)
    n = 1500
    query = np.where(rng.random(n) < 0.5, 3, rng.integers(0, 60, n))
    label = rng.choice([0, 0, 0, 0, 0, 1, 2], n) * (query % 7 > 0)
    rows = {"query": query, "score": (rng.integers(-40, 40, n) / 8).astype(dtype), "label": label}
    frame = pandas.DataFrame(rows)
    return frame.assign(query="q" + frame["query"].astype(str)) if text else frame


def same(result: rg.Evaluation, rows: Any, **options: Any) -> None:
    expected = rg.evaluate_arrays(
        rows["label"].to_numpy(),
        rows["score"].to_numpy(),
        MEASURES,
        qid=rows["query"].to_list(),
        **options,
    )
    if expected.convention == "rankgain":  # others add in an order of their own
        assert dict(result.means) == dict(expected.means)
    values, wanted = result.to_dict(), expected.to_dict()
    assert values.keys() == wanted.keys()
    for query, one in wanted.items():
        bits = [np.array(list(part.values())).tobytes() for part in (values[query], one)]
        assert bits[0] == bits[1]


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    "given", [{}, {"ties": "worst", "gain": "exp2"}, {"convention": "catboost", "empty": 1.0}]
)
def test_blocks_give_the_bits_of_arrays(cluster: Cluster, text: bool, given: Any) -> None:
    rows = drawn(len(given), text)
    same(cluster.evaluate(cluster.table(rows, 4), MEASURES, **NAMES, **given), rows, **given)


def test_one_block_scores_of_single_precision_and_no_hit(cluster: Cluster) -> None:
    single = drawn(5, dtype=np.float32)
    same(cluster.evaluate(cluster.table(single, 3), MEASURES, **NAMES), single)
    rows = drawn(6)
    same(cluster.evaluate(cluster.table(rows, 1), MEASURES, **NAMES), rows)
    above = {"query": 1, "score": [1.0] * 300 + [0.5], "label": [0] * 300 + [1]}
    deep = pandas.DataFrame(above)  # a count beyond a byte
    same(cluster.evaluate(cluster.table(deep, 1), MEASURES, **NAMES), deep)
    none = rows.assign(label=0)
    same(cluster.evaluate(cluster.table(none, 2), MEASURES, **NAMES), none)


def test_queries_are_ascending_whatever_the_blocks(cluster: Cluster) -> None:
    rows = drawn(7)
    queries = [cluster.evaluate(cluster.table(rows, n), "RR", **NAMES).queries for n in (1, 5)]
    assert queries[0] == queries[1]
    hits = sorted(set(rows["query"][rows["label"] > 0]))
    assert list(queries[0][: len(hits)]) == hits


def test_bad_input(cluster: Cluster) -> None:
    rows = drawn(8)
    table = cluster.table(rows, 2)
    with pytest.raises(ValueError, match=r"no column 'points' \(score=\)\. Columns:"):
        cluster.evaluate(table, "RR", **{**NAMES, "score": "points"})
    with pytest.raises(TypeError, match="label must be the name of a column, not"):
        cluster.evaluate(table, "RR", **{**NAMES, "label": 3})
    with pytest.raises(ValueError, match="cutoff"):
        cluster.evaluate(table, "nDCG@0", **NAMES)
    with pytest.raises(TypeError, match="group is not an option here"):
        cluster.evaluate(table, "RR", **NAMES, group=[1])
    bad = rows.astype({"score": float})
    bad.loc[7, "score"] = np.nan
    with pytest.raises(Exception, match="column 'score' is null or NaN in a row of query"):
        cluster.evaluate(cluster.table(bad, 2), "RR", **NAMES)
    with pytest.raises(Exception, match="cannot order, because ranks are counted"):
        cluster.evaluate(table, "RR", **NAMES, ties="id")


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("name", ["query", "label", "score"])
@pytest.mark.parametrize("dtype", ["int64", "Int64", "object"])
def test_nulls_are_told_as_nulls(cluster: Cluster, dtype: str, name: str, blocks: int) -> None:
    rows = drawn(9).assign(score=lambda frame: frame["score"].astype(int))
    column = rows[name].astype(dtype)
    column[[70, 1200]] = None if dtype == "object" else pandas.NA if dtype == "Int64" else np.nan
    table = cluster.table(rows.assign(**{name: column}), blocks)
    with pytest.raises(Exception, match=rf"column '{name}' (is null|.* if some rows .* are null)"):
        cluster.evaluate(table, "RR", **NAMES)


def test_ids_of_other_types_are_told_what_to_do(cluster: Cluster) -> None:
    rows = drawn(10)
    days = rows.assign(query=pandas.to_datetime("2026-01-01") + pandas.to_timedelta(rows["query"]))
    with pytest.raises(Exception, match=r"column 'query' holds .*: turn it to text"):
        cluster.evaluate(cluster.table(days, 2), "RR", **NAMES)
    with pytest.raises(Exception, match="ids must be integers or text"):
        cluster.evaluate(cluster.table(rows.astype({"query": float}), 2), "RR", **NAMES)
    same(
        cluster.evaluate(cluster.table(rows.astype({"query": "Int64"}), 2), MEASURES, **NAMES), rows
    )


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_a_host_that_is_absent_is_named_by_a_call(name: str) -> None:
    code = (
        f"import sys; sys.modules[{name!r}] = None\nimport rankgain.{name}\n"
        f"rankgain.{name}.evaluate(None, 'RR', query='q', label='l', score='s')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"this adapter needs {name}, which is not installed" in done.stderr
    assert f'"rankgain[{name}]"' in done.stderr


def test_ranks_are_read_as_in_a_frame(cluster: Cluster) -> None:
    rows = drawn(5).drop_duplicates(["query", "score"])
    rng = np.random.default_rng(5)
    rows = rows.assign(rank=rng.integers(0, 90, len(rows)), label=rows["label"].astype(int))
    names: Any = {"query": "query", "label": "label", "rank": "rank"}
    measures = ["nDCG@10", "AP", "RR", "P@5"]
    expected = rg.evaluate_frame(rows, measures, **names)
    result = cluster.evaluate(cluster.table(rows, 5), measures, **names)
    assert dict(result.means) == dict(expected.means)
    assert result.to_dict() == {query: expected.to_dict()[query] for query in result.queries}
    with pytest.raises(ValueError, match="score and rank both say"):
        cluster.evaluate(cluster.table(rows, 2), measures, score="score", **names)
    with pytest.raises(TypeError, match="missing score"):
        cluster.evaluate(cluster.table(rows, 2), measures, query="query", label="label")
