"""Read qrels and a run, and join them by id; here is chosen how.

If the call needs only ranks, a run file is joined while it is read, so that the memory holds the
judgments and the largest query, and dicts are joined without conversion. Otherwise, and for
unusual or wrong input, Qrels and Run are made, which raise the errors. Documents that are left out
are removed from both first.
"""

from typing import Any

import numpy as np

from ..convention import Convention
from ..convention.fields import Frozen
from ..engine.threads import usable_threads
from ..inputs.files import Source, damages
from ..inputs.lists import add_sizes
from .by_query import Qrels, Run, as_qrels, warn_of_exchange
from .dicts import join_dicts
from .join import exclude_documents, join, join_by, read_excluded, read_pair
from .rows import AGAINST, Joined, find_form, warn_of_lines
from .stream import Stream, rewind, rewindable

BY_KEY = ("id_descending", "id", "stable", "reverse")  # tie rules that leave no documents tied
BY_BLOCK = ("average", "best", "worst")  # tie rules for which tied documents share a rank


class Sources:
    """Judgments and a run, which are read once for all measures.

    conventions: of all measures.
    needs_scores: whether the call needs the scores, not only the ranks.
    """

    def __init__(
        self,
        qrels: Any,
        run: Any,
        conventions: list[Convention],
        threads: int | None,
        needs_scores: bool,
        exclude: Any = None,
    ) -> None:
        self.qrels, self.run, self.threads, self.needs_scores = qrels, run, threads, needs_scores
        self.excluded = None if exclude is None else read_excluded(exclude)
        orders = {(rules.score_dtype == "float32", rules.ties) for rules in conventions}
        drops_own = any(rules.own_document == "drop" for rules in conventions)
        if needs_scores or exclude is not None:
            self.by_rank = False
        elif type(run) is dict:
            drops = any(map(drops_scores, conventions)) or (drops_own and has_own_document(run))
            self.by_rank = not drops
        else:  # files are ranked by score, then by descending id, and in no other way
            is_canonical = len(orders) == 1 and orders.pop()[1] == "id_descending"
            self.by_rank = is_canonical and not drops_own and find_form(run) == "rows"
        if not self.by_rank:
            self._read()
        self.ranks: dict[tuple[bool, str], Joined] = {}

    def _read(self) -> None:
        """Make Qrels and Run, for joins with scores."""
        pair = read_pair(self.qrels, self.run)
        self.qrels, self.run = exclude_documents(*pair, self.excluded)
        self.by_rank = False

    def joined(self, rules: Convention, blocks: bool = False) -> Joined:
        """Join under a convention; blocks: its measures accept tied documents with one rank."""
        if not self.by_rank:
            scored = join_by(rules, self.qrels, self.run)
            if self.needs_scores or rules.ties == "id_descending" or drops_scores(rules):
                return scored
            ranked = scored.without_scores()
            takes_ranks = ranked.sizes is None or (blocks and rules.ties in BY_BLOCK)
            return ranked if takes_ranks else scored
        float32, ties = rules.score_dtype == "float32", rules.ties
        if ties not in BY_KEY:
            ties = "blocks" if blocks and ties in BY_BLOCK else "none"
        result = self.ranks.get((float32, ties))
        if result is None:
            if type(self.run) is dict:
                if type(self.qrels) is not dict:
                    self.qrels = as_qrels(self.qrels)
                result = join_dicts(self.qrels, self.run, float32, ties)
                if result is None or not len(result.labels):
                    # If nothing could be joined, Qrels and Run raise the error or the warning.
                    self._read()
                    return self.joined(rules)
                if not self.ranks:
                    warn_of_exchange(result.judged, self.run)
            else:
                self.qrels = judged = as_qrels(self.qrels)
                result = join_file(judged, self.run, usable_threads(self.threads), float32)
            self.ranks[float32, ties] = result
        return result


def drops_scores(rules: Convention) -> bool:
    """Whether a convention drops documents by their scores."""
    limits = rules.drop_scores_at_most
    by_family = limits.values() if isinstance(limits, Frozen) else (limits,)
    return any(one is not None for one in by_family)


def has_own_document(run: dict[Any, Any]) -> bool:
    """Whether a query of a dict has its own id among its documents."""
    try:
        return any(query in ids or str(query) in ids for query, ids in run.items())
    except TypeError:  # not ids
        return True


def join_file(qrels: Qrels, source: Source, threads: int = 1, float32: bool = False) -> Joined:
    """The result of `join(qrels, Run.read(source))`, without scores, made while reading.

    The rows of the run are stored only if those of some query are not adjacent, or nothing is
    judged, or there is an error.
    """
    rows, prepared = qrels._arrays, qrels.prepared
    with rewindable(source) as (stored, start):
        try:
            stream = Stream(rows, prepared, qrels._index, float32=float32)
            result = stream.passed(stored, threads)
            is_joined = len(result.labels) > 0
        except damages(ValueError):
            is_joined = False
        if not is_joined:
            rewind(stored, start)
            return join(qrels, Run.read(stored), float32)  # or warn, or raise the error
    if result.comment or result.orders == AGAINST:
        warn_of_lines(source, result.comment, result.orders)
    # From the order of the run to that of the qrels.
    documents, first, hits = result.lists.T
    indptr = add_sizes(np.where(documents < 0, 0, hits))
    taken = np.arange(indptr[-1]) + np.repeat(first - indptr[:-1], np.diff(indptr))
    ends = add_sizes(np.maximum(documents, 0))
    return Joined(
        queries=rows.queries,
        displayed=rows.displayed,
        in_run=documents >= 0,
        scores=None,
        places=None,
        starts=ends[:-1],
        stops=ends[1:],
        indptr=indptr,
        indices=result.ranks[taken],
        labels=result.labels[taken],
        judged=prepared.descending,
        judged_lists=rows.lists,
        unjudged=result.unjudged,
        prepared=prepared,
    )
