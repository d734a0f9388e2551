"""How the values of lists move from one convention to another."""

from typing import Any, NamedTuple

import numpy as np

from .convention import Convention


class Point(NamedTuple):
    """The measure under one convention on the way."""

    rules: Convention
    mean: float
    values: Any
    queries: Any


def progress(here: float, there: float, goal: float) -> tuple[bool, float]:
    """Order of choices: by how much nearer they bring the mean, then by how far they move it."""
    nearer = abs(goal - here) - abs(goal - there)
    if nearer > 0:
        return True, nearer
    move = abs(there - here)
    return False, move if move == move else 0.0


class Moves(NamedTuple):
    """Lists whose values differ between two points, those that differ most first."""

    queries: list[Any]
    before: Any
    after: Any  # nan where a point leaves the list out


def moves(a: Point, b: Point) -> Moves:
    """The lists whose values differ between two points."""
    queries, x, y, differ = a.queries, a.values, b.values, False
    if a.queries != b.queries:
        queries = list(dict.fromkeys((*a.queries, *b.queries)))
        (x, here), (y, there) = _on(queries, a), _on(queries, b)
        differ = here != there
    differ = differ | ~((x == y) | (np.isnan(x) & np.isnan(y)))
    at = np.flatnonzero(differ)
    at = at[np.argsort(-np.abs(y[at] - x[at]), kind="stable")]
    return Moves([queries[i] for i in at.tolist()], x[at], y[at])


def _on(queries: list[Any], point: Point) -> tuple[Any, Any]:
    """A point's values on more queries, and which of these it has."""
    place = {query: at for at, query in enumerate(queries)}
    at = [place[query] for query in point.queries]
    values, has = np.full(len(queries), np.nan), np.zeros(len(queries), bool)
    values[at], has[at] = point.values, True
    return values, has
