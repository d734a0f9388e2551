"""Join qrels and a run file while reading it; runs that cannot be streamed are read first."""

import numpy as np

from ...inputs.files import Source, damages
from ...inputs.lists import starts_of
from ..by_query import Qrels, Run
from ..lines import warn_of_lines
from .join import join
from .joined import Joined, without_scores
from .stream import Stream, rewind, rewindable


def join_file(qrels: Qrels, source: Source, *, threads: int = 1, float32: bool = False) -> Joined:
    """The result of `join(qrels, Run.read(source))`, without scores, made while reading.

    The rows of the run are stored only if those of some query are not adjacent.
    """
    rows, prepared = qrels._arrays, qrels.prepared
    with rewindable(source) as (stored, start):
        try:
            result, again = Stream(rows, float32=float32).first_pass(stored, threads)
            is_joined = bool(result.rows) and not (again or result.repeated)
        except damages(ValueError):
            is_joined = False
        if is_joined:
            # From the order of the run to that of the qrels.
            documents, first, hits = result.lists.T
            sizes = np.where(documents < 0, 0, hits)
            indptr = starts_of(sizes)
            taken = np.arange(indptr[-1]) + np.repeat(first - indptr[:-1], sizes)
            joined = without_scores(
                documents,
                queries=rows.queries,
                displayed=rows.displayed,
                indptr=indptr,
                indices=result.ranks[taken],
                labels=result.labels[taken],
                judged=prepared.descending,
                judged_lists=rows.lists,
                unjudged=tuple(one.decode("utf-8", "surrogateescape") for one in result.unjudged),
                prepared=prepared,
            )
            if joined.has_common_ids:
                warn_of_lines(source, result.comment, result.orders)
                return joined
        rewind(stored, start)
        return join(qrels, Run.read(stored), float32)  # or raise the error
