"""Evaluation by counting: every task gets the hits and returns counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.counted import distinct
from ...evaluation.partial.ranks import PartialRanks
from .collect import Answer
from .ship import mapped, pyspark_functions, shipped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ...inputs.types import Integers


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
