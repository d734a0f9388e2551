"""Data that are collected to the driver: hits, judgments, and sums for means."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.counted import distinct
from ...evaluation.partial.ranks import PartialRanks
from .reading import refuse_twice

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ...inputs.types import Integers


HITS = 2_000_000  # the most that are sent to the driver and to every task: about 100 MB


def counted_hits(hits: DataFrame) -> int:
    """The number of hits, counted up to HITS + 1."""
    return int(hits.limit(HITS + 1).count())


def collected(rows: DataFrame, task: str, names: list[str], twice: str = "") -> tuple[Any, ...]:
    """All rows as arrays, packed by the workers.

    twice: the name of the frame in the error for a repeated document; "": no check.
    """
    parts = mapped(rows, shipped(task, names=names), "data binary").collect()
    read = [pickle.loads(bytes(part["data"])) for part in parts]
    if not read:
        empty = np.zeros(0, np.int64)
        return empty, np.zeros(0), np.zeros(0), empty
    result = tuple(
        None if one[0] is None else np.concatenate(one) for one in zip(*read, strict=True)
    )
    if twice:
        refuse_twice(result[0], result[1 if task == "pack_truth" else 3], twice)
    return result


def read_means(means: bool, bootstrap: bool | int, seed: int) -> dict[str, int] | None:
    """Options of the sums, if means are requested, else None."""
    from ... import Accumulator

    total = Accumulator(bootstrap=bootstrap, seed=seed)
    if total.bootstrap and not means:
        raise ValueError("bootstrap= makes intervals of means: give means=True with it")
    return {"bootstrap": total.bootstrap, "seed": total.seed} if means else None


class Answer(NamedTuple):
    """The form of the result: values per query with a schema, or sums for means."""

    query: tuple[str, str] | None
    schema: Any
    sums: dict[str, int] | None  # options of the bootstrap; None: values

    def of(self, rows: DataFrame, task: str, **arguments: object) -> Any:
        """Run a task; return a DataFrame of values, or an Accumulator."""
        run = shipped("answer", task=task, arguments=arguments, query=self.query, sums_of=self.sums)
        if self.sums is None:
            return mapped(rows, run, self.schema)
        from ... import Accumulator

        total = Accumulator(**self.sums)
        for part in mapped(rows, run, "data binary").collect():
            total.merge(pickle.loads(bytes(part["data"])))
        return total


CELLS = 1 << 18  # counts in a part: about 2 MB of memory


def answer_by_counting(
    rows: DataFrame,
    hits: tuple[Any, Any, Any],
    judged: tuple[Any, Any] | None,
    requested: dict[str, Any],
    answer: Answer,
) -> Any:
    """Evaluate rows (query, score) with the given hits."""
    named = hits[0] if judged is None else judged[0]
    queries = distinct(named.tolist(), "query")
    partial = PartialRanks(*hits, queries=queries)
    counter = partial._counter
    cuts = _cuts(counter.bounds)
    count = shipped("count_rows", names=list(rows.columns), counter=counter, cuts=cuts)
    parts = mapped(rows, count, "part int, data binary")
    # An empty row for each part, so that lists without rows are evaluated.
    functions = pyspark_functions()
    nothing = functions.lit(None).cast("binary").alias("data")
    every = rows.sparkSession.range(len(cuts) - 1)
    parts = parts.union(every.select(functions.col("id").cast("int").alias("part"), nothing))
    tasks = min(len(cuts) + 3, 200)
    return answer.of(
        parts.repartition(tasks, "part"),
        "finish_parts",
        hits=hits,
        places=partial._rows,
        queries=queries,
        cuts=cuts,
        judged=None if judged is None else (partial._queries.find(judged[0], "query")[0], *judged),
        requested=requested,
    )


def _cuts(bounds: Integers) -> list[int]:
    """The ends of parts of the lists with about CELLS counts each."""
    wanted = np.arange(CELLS, int(bounds[-1]), CELLS)
    inner = np.searchsorted(bounds, wanted).tolist()
    return sorted({0, *inner, len(bounds) - 1})


def pyspark_functions() -> Any:
    """pyspark.sql.functions, or an error that names the extra."""
    try:
        from pyspark.sql import functions
    except ImportError as error:
        raise ImportError(
            "rankgain.spark needs pyspark; install it with: pip install 'rankgain[spark]'"
        ) from error
    return functions


def shipped(name: str, /, **arguments: object) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for mapInArrow that calls `rankgain.spark.tasks.<name>(batches, **arguments)`.

    It is a nested function, which is pickled by value, so that a worker without this package can
    raise a clear error; its arguments are pickled apart, for the same reason.
    """
    from pyspark import cloudpickle

    pickled = cloudpickle.dumps(arguments)

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pickle
        import sys

        try:
            from . import tasks
        except ImportError as error:
            raise ImportError(
                f"rankgain cannot be imported where Spark's tasks run ({error}; Python "
                f"{sys.version.split()[0]}, {sys.executable}): install the wheel there, as a "
                "library of the cluster, or ship a packed environment that has it with "
                "spark.archives (venv-pack, conda-pack); --py-files does not do for compiled code"
            ) from error
        yield from getattr(tasks, name)(batches, **pickle.loads(pickled))

    return run


def mapped(rows: DataFrame, run: Callable[[Iterator[Any]], Iterator[Any]], schema: object) -> Any:
    """mapInArrow, with safe names for the columns."""
    return rows.toDF(*[f"c{at}" for at in range(len(rows.columns))]).mapInArrow(run, schema)
