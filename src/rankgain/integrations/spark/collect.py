"""What comes to the driver: hits and judgments, and values where means are asked."""

import pickle
from typing import Any, NamedTuple

import numpy as np

from .reading import refuse_twice
from .ship import mapped, shipped

HITS = 2_000_000  # that pass through the driver and into every task: about 100 MB


def counted_hits(hits: Any) -> int:
    """How many there are, as far as it matters."""
    return int(hits.limit(HITS + 1).count())


def collected(rows: Any, task: str, names: list[str], twice: str = "") -> tuple[Any, ...]:
    """All rows as arrays, packed by the workers."""
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


def read_means(means: Any, bootstrap: Any, seed: Any) -> dict[str, int] | None:
    """The bootstrap of the sums that are asked for means in place of values; None: values."""
    from ... import Accumulator

    total = Accumulator(bootstrap=bootstrap, seed=seed)
    if total.bootstrap and not means:
        raise ValueError("bootstrap= makes intervals of means: give means=True with it")
    return {"bootstrap": total.bootstrap, "seed": total.seed} if means else None


class Answer(NamedTuple):
    """What the tasks shall give: values per query under a schema, or sums for the means."""

    query: tuple[str, str] | None
    schema: Any
    sums: dict[str, int] | None  # with this bootstrap; None: values

    def of(self, rows: Any, task: str, **arguments: Any) -> Any:
        """The values as a DataFrame, or an Accumulator."""
        run = shipped("answer", task=task, arguments=arguments, query=self.query, sums_of=self.sums)
        if self.sums is None:
            return mapped(rows, run, self.schema)
        from ... import Accumulator

        total = Accumulator(**self.sums)
        for part in mapped(rows, run, "data binary").collect():
            total.merge(pickle.loads(bytes(part["data"])))
        return total
