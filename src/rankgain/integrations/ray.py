"""Ray: evaluate a long table that is a dataset, block by block."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, TypeVar

from ..evaluation.partial.ranked import evaluate_blocks
from ..evaluation.partial.ranks import Block, Columns, add_counts, find_partial
from .hosts import read_request, require

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    import ray

    from .. import Evaluation
    from ..engine.counted import Counts
    from ..measures.types import Measures
    from .hosts import CountedOptions


Result = TypeVar("Result")


def evaluate(
    dataset: ray.data.Dataset,
    measures: Measures,
    *,
    query: str,
    label: str,
    score: str | None = None,
    rank: str | None = None,
    **options: Unpack[CountedOptions],
) -> Evaluation:
    """Evaluate a Ray dataset: a row for each document, with its query, label and score.

    Parameters
    ----------
    dataset : ray.data.Dataset
        It is read twice: `materialize()` it if it is expensive to compute.
    measures : str, Measure, or a sequence of them
    query, label, score : names of columns
        Ids of queries are integers or text; the others are numbers. A null or a NaN is an error.
    rank : name of a column
        Instead of `score`: ranks, read as in `rankgain.evaluate_frame`. Ties move the documents
        below them, so ranks cannot be counted in parts: these columns of all rows come to the
        caller, some 24 bytes for each row.
    options
        Of `rankgain.PartialRanks.finish`: gain, ties ("average", "best" or "worst"), convention

    Returns
    -------
    Evaluation
        Values are bit-for-bit identical to `rankgain.evaluate_arrays` on all rows. Queries without
        a relevant document come last.

    Notes
    -----
    The hits, the rows whose label is not 0, go to every task, some 50 bytes each; each task counts
    the scores of its rows above and equal to theirs, and only counts come back. No other row moves.
    """
    cluster = require("ray")
    require("ray.data")
    request = read_request(measures, options)
    columns = Columns.choose(query, label, score, rank)
    columns.check(dataset.schema().names, "the dataset")
    rows = dataset.select_columns(columns.names)
    if columns.of_ranks:
        blocks = _map_blocks(rows, columns.rows)
        return evaluate_blocks(blocks, columns, request.measures, **request.options)
    partial = find_partial(_map_blocks(rows, columns.hits))
    # Stored once in the cluster, from where each task fetches the hits.
    held = cluster.put(partial)

    def count_block(block: Block) -> Counts:
        return columns.counts(block, cluster.get(held))

    counts = _map_blocks(rows, count_block)
    return add_counts(partial, counts).finish(request.measures, **request.options)


def _map_blocks(rows: ray.data.Dataset, function: Callable[[Block], Result]) -> list[Result]:
    """What a function makes of each block; results are pickled, as Ray's blocks hold columns."""

    def pack(block: Block) -> dict[str, list[bytes]]:
        return {"data": [pickle.dumps(function(block))]}

    parts = rows.map_batches(pack, batch_format="numpy", batch_size=None).take_all()
    return [pickle.loads(part["data"]) for part in parts]
