"""Evaluate a function that computes scores, for a block of users at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...convention import UNSET, Unset
from ...engine.arguments import documented
from ...engine.threads import usable_threads
from ...inputs.arrays import as_array, native_scores
from ..evaluation import Evaluation
from ..one_pass import TieOptions, settings_from
from .users import Relevant

if TYPE_CHECKING:
    from ...inputs.types import Array, Excluded, RelevantIds, Weight
    from ...measures.types import Measures, Rules

BLOCK = 1 << 22  # scores of a block
MOST = 1024  # users of a block


@documented("rankgain")
def evaluate_scores(
    score: Callable[[Any], Any],
    relevant: RelevantIds,
    measures: Measures,
    *,
    users: object = None,
    exclude: Excluded | None = None,
    batch: int | None = None,
    weight: Weight = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    **options: Unpack[TieOptions],
) -> Evaluation:
    """Evaluate a model on all items, without holding all scores.

    Parameters
    ----------
    score : callable
        score(users) takes an int64 array of users and returns the scores of all items for each, of
        shape (len(users), items): an array, or an object that converts without a copy, such as a
        torch tensor on the CPU. The next call may overwrite it.
    users : int array, optional
        The users to evaluate, in this order; by default all of `relevant`.
    batch : int, optional
        Users of a block; by default as many as have about four million scores.

    `weight` has one entry per evaluated user; ties are as in `PartialRanks`. The values are those
    of `evaluate_arrays` on all scores. A NaN score, a block of another shape and an item beyond the
    scores are a ValueError; errors of `score` itself are passed on.

    >>> import numpy as np
    >>> import rankgain as rg
    >>> scores = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.4]])
    >>> rg.evaluate_scores(lambda users: scores[users], [[2], [1]], "RR").per_query["RR"]
    array([0.5, 1. ])
    """
    settings = settings_from(options, TieOptions, "evaluate_scores")
    if not callable(score):
        raise TypeError(
            f"score must be a function of an array of users, not {type(score).__name__}; for a "
            "matrix of scores there is evaluate_arrays"
        )
    result = Relevant(relevant, exclude, users)
    rows = _read_batch(batch, result)
    workers, items = usable_threads(threads), None
    for low in range(0, len(result), rows):
        block = _scored(score, result.users[low : low + rows], items)
        if items is None:
            items = block.shape[1]
            result.check_items(items, "score(users)")
        result.count(block, low, workers, "score(users)")
    return result.finish(items or 0, measures, settings, weight, convention, threads)


def _scored(score: Callable[[Any], Any], users: Array, items: int | None) -> Any:
    """Call `score` for a block of users; items: the number of scores of each, once it is known."""
    block = native_scores(as_array(score(users.copy()), "score(users)"))
    if block.ndim != 2 or len(block) != len(users) or items not in (None, block.shape[1]):
        shape = f"({len(users)}, {'items' if items is None else items})"
        raise ValueError(
            f"score returned shape {block.shape} for {len(users)} users; {shape} "
            "is needed: a row for each user, a column for each item"
        )
    return block


def _read_batch(batch: Any, result: Relevant) -> int:
    if batch is None:
        items = result.columns["relevant"] or int(result.hits.ids.max(initial=0)) + 1
        return max(1, min(MOST, BLOCK // items))
    if isinstance(batch, bool) or not isinstance(batch, (int, np.integer)) or batch < 1:
        raise ValueError(f"batch must be an int of at least 1, not {batch!r}")
    return int(batch)
