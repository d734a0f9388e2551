"""Dask: evaluate a long table that is a data frame in partitions, without a shuffle."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ..evaluation.partial.ranked import evaluate_blocks
from ..evaluation.partial.ranks import Columns, add_counts, find_partial
from .hosts import read_request, require

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    import dask.dataframe

    from .. import Evaluation
    from ..measures.types import Measures
    from .hosts import CountedOptions


Result = TypeVar("Result")


def evaluate(
    frame: dask.dataframe.DataFrame,
    measures: Measures,
    *,
    query: str,
    label: str,
    score: str | None = None,
    rank: str | None = None,
    **options: Unpack[CountedOptions],
) -> Evaluation:
    """Evaluate a Dask data frame: a row for each document, with its query, label and score.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        It is read twice: `persist()` it if it is expensive to compute.
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
    The hits, the rows whose label is not 0, go to every partition, some 50 bytes each; each counts
    the scores of its rows above and equal to theirs, and only counts come back. No other row moves.
    """
    host = require("dask")
    require("dask.dataframe")
    request = read_request(measures, options)
    columns = Columns.choose(query, label, score, rank)
    columns.check(list(frame.columns), "the data frame")
    parts = frame[columns.names].to_delayed()

    def map_parts(function: Callable[..., Result], *arguments: object) -> Sequence[Result]:
        tasks = []
        for part in parts:
            tasks.append(host.delayed(function)(part, *arguments))
        results: Sequence[Result] = host.compute(*tasks)
        return results

    if columns.of_ranks:
        blocks = map_parts(columns.rows)
        return evaluate_blocks(blocks, columns, request.measures, **request.options)
    partial = find_partial(map_parts(columns.hits))
    held = host.delayed(partial)  # one object for all tasks
    counts = map_parts(columns.counts, held)
    return add_counts(partial, counts).finish(request.measures, **request.options)
