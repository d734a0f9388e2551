"""Data that are collected to the driver: hits, judgments, and sums for means."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .reading import refuse_twice
from .ship import mapped, shipped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


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
