"""How the values of lists move from one convention to another."""

from typing import Any, NamedTuple

import numpy as np

from ..convention import Convention


class Point(NamedTuple):
    """The measure under one convention on the way."""

    rules: Convention
    mean: float
    values: Any
    queries: Any
    undefined: Any  # lists where nothing is relevant


def progress(here: float, there: float, goal: float) -> tuple[bool, float]:
    """Order of choices: by how much nearer they bring the mean, then by how far they move it."""
    nearer = abs(goal - here) - abs(goal - there)
    if nearer > 0:
        return True, nearer
    move = abs(there - here)
    return False, move if move == move else 0.0


class Moves(NamedTuple):
    """Lists whose values differ between two points, those that differ most first.

    Lists that are undefined come after all others: what stands there is a choice, no value.
    """

    queries: list[Any]
    before: Any
    after: Any  # nan where a point leaves the list out


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
    """A point's values on more queries, which of these it has, and which are undefined."""
    place = {query: at for at, query in enumerate(queries)}
    at = [place[query] for query in point.queries]
    values = np.full(len(queries), np.nan)
    has, undefined = np.zeros((2, len(queries)), bool)
    values[at], has[at], undefined[at] = point.values, True, point.undefined
    return values, has, undefined
