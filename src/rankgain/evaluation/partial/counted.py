"""Lists from hits whose ranks were counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...inputs.judged import prepare, runs_of_hits
from ...inputs.layouts import LONGEST, Layout, starts_of
from ...inputs.lists import Lists
from ...inputs.sparse import Sparse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...inputs.types import Floats, Integers


def counted_lists(
    rows: Integers,
    labels: Floats,
    above: Integers,
    equal: Integers,
    documents: Integers,
    queries: Sequence[object],
    judged: tuple[Any, Any] | None = None,
    *,
    called: str = "label",
    single: bool = False,
    pool: bool = False,
) -> Lists:
    """Make lists from hits with the number of scores above and equal to theirs.

    rows: the list of each hit; documents: of each list; judged: all judged labels and where those
    of each list start, or None: the labels of the hits, which came by the argument `called`;
    single: float32 scores were compared; pool: the hits are all judged documents.
    """
    longest = int(documents.max(initial=0))
    if longest > LONGEST:
        raise ValueError(f"a list of {longest} documents is too long; the most is {LONGEST}")
    order = np.lexsort((-labels, above, rows))
    labels, n = labels[order], len(documents)
    indptr = starts_of(np.bincount(rows, minlength=n))
    hits = Sparse(labels, above[order], indptr, None, ranked=True, sizes=equal[order])
    stops = starts_of(documents)
    layout = Layout(stops[:-1], stops[1:], False, queries)
    if judged is None:
        runs = runs_of_hits(hits, layout, called)
    else:
        flat, bounds = judged
        runs = prepare(flat, bounds[:-1], bounds[1:], "judged")
    lists = Lists(layout, hits, None, runs, True, None, None, runs_from_labels=judged is None)
    return lists.having(float32=single, pool=pool, called=called)
