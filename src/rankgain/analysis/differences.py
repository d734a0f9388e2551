"""How the values of lists change from one convention to another."""

from typing import Any, NamedTuple

import numpy as np

from ..convention import Convention


class Point(NamedTuple):
    """The values of the measure under one convention."""

    rules: Convention
    mean: float
    values: Any
    queries: Any
    undefined: Any  # lists where nothing is relevant


def progress(here: float, there: float, goal: float) -> tuple[bool, float]:
    """Sort key of a choice: how much it reduces the distance to the goal, else how far it moves."""
    nearer = abs(goal - here) - abs(goal - there)
    if nearer > 0:
        return True, nearer
    move = abs(there - here)
    return False, move if move == move else 0.0


class Moves(NamedTuple):
    """Lists whose values differ between two points, the largest differences first.

    Undefined lists come last, because their value is a choice.
    """

    queries: list[Any]
    before: Any  # nan if the list is left out
    after: Any


def moves(a: Point, b: Point) -> Moves:
    """The lists whose values differ between two points."""
    queries, x, y, differ = a.queries, a.values, b.values, False
    empty = a.undefined, b.undefined
    if a.queries != b.queries:
        queries = list(dict.fromkeys((*a.queries, *b.queries)))
        (x, here, *_), (y, there, *_) = ends = _on(queries, a), _on(queries, b)
        differ = here != there
        empty = ends[0][2], ends[1][2]
    differ = differ | ~((x == y) | (np.isnan(x) & np.isnan(y)))
    at = np.flatnonzero(differ)
    at = at[np.lexsort((-np.abs(y[at] - x[at]), (empty[0] | empty[1])[at]))]
    return Moves([queries[i] for i in at.tolist()], x[at], y[at])


def _on(queries: list[Any], point: Point) -> tuple[Any, Any, Any]:
    """A point's values for a superset of its queries, and masks: queries it has, undefined ones."""
    place = {query: at for at, query in enumerate(queries)}
    at = [place[query] for query in point.queries]
    values = np.full(len(queries), np.nan)
    has, undefined = np.zeros((2, len(queries)), bool)
    values[at], has[at], undefined[at] = point.values, True, point.undefined
    return values, has, undefined
