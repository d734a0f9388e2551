"""Rows of choices in which every pair of choices meets: what breaks are combinations of two."""

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Pair = tuple[tuple[str, int], tuple[str, int]]  # an axis and the number of its choice, twice


def rows_of(
    axes: Mapping[str, Sequence[Any]], allowed: Callable[[Row], bool] = lambda row: True
) -> list[Row]:
    """As few rows as a greedy search finds, in an order that does not change.

    Pairs that no allowed row holds are left out, and so are those that a hundred draws around them
    do not find a row for.
    """
    draw = random.Random(0)
    names = list(axes)
    left: dict[Pair, None] = {}
    for a, b in itertools.combinations(names, 2):
        for i, j in itertools.product(range(len(axes[a])), range(len(axes[b]))):
            left[(a, i), (b, j)] = None
    rows = []
    while left:
        first = next(iter(left))
        row = _best_around(first, axes, left, allowed, draw)
        if row is None:
            del left[first]
            continue
        for pair in _pairs_in(row, names):
            left.pop(pair, None)
        rows.append({name: axes[name][at] for name, at in row.items()})
    return rows


def _best_around(
    pair: Pair, axes: Mapping[str, Sequence[Any]], left: Any, allowed: Any, draw: random.Random
) -> dict[str, int] | None:
    names, best, most = list(axes), None, -1
    for attempt in range(100):
        row = dict(pair)
        for name in draw.sample(names, len(names)):
            if name not in row:
                row[name] = _choice(name, row, axes, left, draw, eager=attempt < 10)
        if not allowed({name: axes[name][row[name]] for name in names}):
            continue
        gain = sum(one in left for one in _pairs_in(row, names))
        if gain > most:
            best, most = {name: row[name] for name in names}, gain
        if attempt >= 10 or (attempt >= 3 and best is not None):
            break
    return best


def _choice(
    name: str,
    row: dict[str, int],
    axes: Mapping[str, Sequence[Any]],
    left: Any,
    draw: random.Random,
    *,
    eager: bool,
) -> int:
    """The choice that meets most of what has not met; any, where it need not be eager."""
    choices = draw.sample(range(len(axes[name])), len(axes[name]))
    if not eager:
        return choices[0]
    place = {axis: i for i, axis in enumerate(axes)}

    def meets(choice: int) -> int:
        mine = (name, choice)
        both = (
            (mine, other) if place[name] < place[other[0]] else (other, mine)
            for other in row.items()
        )
        return sum(pair in left for pair in both)

    return max(choices, key=meets)


def _pairs_in(row: Mapping[str, int], names: list[str]) -> Any:
    return itertools.combinations([(name, row[name]) for name in names], 2)
