"""Evaluate ranks in the blocks of a table on several machines.

Documents that tie move those below them, so a rank cannot be counted block by block as a score can.
The rows of a list are brought together, three numbers each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from ...engine.counted import make_counted_lists
from ...engine.notices import warn_of_gaps
from ...inputs.ranks import RankScale, find_scale, rank_rows
from ..evaluation import Evaluation
from ..one_pass import CountOptions, evaluate_lists, read_call, resolve_measures
from .ranks import Columns, join_ids, read_doubles

if TYPE_CHECKING:
    from ...inputs.types import Array, Floats, Integers
    from ...measures.types import Measures


class RankedLists(NamedTuple):
    """The rows of lists, list by list."""

    queries: Sequence[object]  # the id of each list
    bounds: Integers  # the first row of each list, and the end of the last one
    labels: Floats
    ranks: Floats


def evaluate_blocks(
    blocks: Iterable[list[Array]],
    columns: Columns,
    measures: Measures,
    **options: Unpack[CountOptions],
) -> Evaluation:
    """Evaluate the rows of all blocks, as `Columns.rows` reads them; queries are in order."""
    with_rows = [block for block in blocks if len(block[0])]
    if not with_rows:
        with_rows = [[np.zeros(0, np.int64), np.zeros(0), np.zeros(0)]]
    columns_of_ids, *numbers = zip(*with_rows, strict=True)
    ids = join_ids(columns_of_ids)
    labels, ranks = map(np.concatenate, numbers)
    # Sorted by id, the rows of each list are adjacent.
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    is_first = np.ones(len(ids), bool)
    is_first[1:] = ids[1:] != ids[:-1]
    starts = np.flatnonzero(is_first)
    labels = read_doubles(labels[order], columns.label, len(ids))
    ranks = read_doubles(ranks[order], columns.score, len(ids))

    def place_of_row(row: int) -> str:
        (query,) = ids[row : row + 1].tolist()
        return f"a row of query {query!r}"

    scale = find_scale(ranks, columns.score, place_of_row)
    lists = RankedLists(ids[starts].tolist(), np.append(starts, len(ids)), labels, ranks)
    return evaluate_ranked(lists, scale, measures, **options)


def evaluate_ranked(
    table: RankedLists, scale: RankScale, measures: Measures, **options: Unpack[CountOptions]
) -> Evaluation:
    """Evaluate complete lists of ranks; scale: of the ranks of the whole table."""
    call = read_call(options, CountOptions, "evaluate", "rankgain")
    ranked = rank_rows(table.ranks, table.bounds[:-1], table.bounds[1:], scale)
    # Of each row the place where its tie block starts, and the size of the block.
    places = ranked.place[ranked.block]
    block_sizes = np.bincount(ranked.block)
    sizes = block_sizes[ranked.block]
    # A list ends with its last tie block, at the place where that starts plus its size.
    last_rows = table.bounds[1:] - 1
    documents = places[last_rows] + sizes[last_rows]
    rows_of_lists = np.diff(table.bounds)
    labels = table.labels[ranked.rows]
    hits = np.flatnonzero(labels)
    list_of_row = np.repeat(np.arange(len(documents)), rows_of_lists)
    lists = make_counted_lists(
        list_of_row[hits],
        labels[hits],
        places[hits],
        sizes[hits],
        documents,
        table.queries,
        float32=True,  # places compare alike in either precision
    )
    resolved = resolve_measures(measures, call.settings, call.rules)
    warn_of_gaps(lists, resolved.measures, set(), rows_of_lists)
    return evaluate_lists(lists, resolved, call, displayed=list(table.queries))
