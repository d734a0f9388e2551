"""Rows of choices in which every pair of choices meets: what breaks are combinations of two."""

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Numbers = Mapping[str, Sequence[int]]  # of the choices of each axis, counted over all axes


def rows_of(
    axes: Mapping[str, Sequence[Any]], allowed: Callable[[Row], bool] = lambda row: True
) -> list[Row]:
    """As few rows as a greedy search finds, in an order that does not change.

    Pairs that no allowed row holds are left out, and so are those that a hundred draws around them
    do not find a row for.
    """
    choices = [choice for axis in axes.values() for choice in axis]
    count = itertools.count()
    numbers = {name: [next(count) for _ in axis] for name, axis in axes.items()}
    left = _Left(numbers)
    draw, rows = random.Random(0), []

    def row_of(result: Mapping[str, int]) -> Row:
        return {name: choices[result[name]] for name in axes}

    while (pair := left.first()) is not None:
        best = _best_around(pair, numbers, left, lambda result: allowed(row_of(result)), draw)
        if best is None:
            left.remove(*pair.values())
            continue
        for one, other in itertools.combinations(best.values(), 2):
            left.remove(one, other)
        rows.append(row_of(best))
    return rows


def name_of(row: Row) -> str:
    """The name of a test of this row."""
    return "-".join(map(str, row.values()))


class _Left:
    """The pairs that have not met: for each choice, the others as bits."""

    def __init__(self, numbers: Numbers) -> None:
        self.pairs = [
            ((a, i), (b, j))
            for a, b in itertools.combinations(numbers, 2)
            for i, j in itertools.product(numbers[a], numbers[b])
        ]
        self.pairs.reverse()
        whole = (1 << sum(map(len, numbers.values()))) - 1
        self.bits = [
            whole & ~sum(1 << choice for choice in axis) for axis in numbers.values() for _ in axis
        ]

    def first(self) -> dict[str, int] | None:
        while self.pairs:
            (_, one), (_, other) = self.pairs[-1]
            if self.bits[one] >> other & 1:
                return dict(self.pairs[-1])
            self.pairs.pop()
        return None

    def remove(self, one: int, other: int) -> None:
        self.bits[one] &= ~(1 << other)
        self.bits[other] &= ~(1 << one)

    def count(self, choice: int, bits: int) -> int:
        return (self.bits[choice] & bits).bit_count()


def _best_around(
    pair: dict[str, int],
    numbers: Numbers,
    left: _Left,
    allowed: Callable[[Mapping[str, int]], bool],
    draw: random.Random,
) -> dict[str, int] | None:
    names, best, most = list(numbers), None, -1
    for attempt in range(100):
        row = dict(pair)
        bits = sum(1 << choice for choice in row.values())
        for name in draw.sample(names, len(names)):
            if name not in row:
                row[name] = _choice(numbers[name], bits, left, draw, eager=attempt < 10)
                bits |= 1 << row[name]
        if not allowed(row):
            continue
        gain = sum(left.count(choice, bits) for choice in row.values())
        if gain > most:
            best, most = row, gain
        if attempt >= 10 or (attempt >= 3 and best is not None):
            break
    return best


def _choice(
    choices: Sequence[int], bits: int, left: _Left, draw: random.Random, *, eager: bool
) -> int:
    """The choice that meets most of what has not met; any, where it need not be eager."""
    drawn = draw.sample(choices, len(choices))
    return max(drawn, key=lambda choice: left.count(choice, bits)) if eager else drawn[0]
