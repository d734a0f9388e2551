"""Documents at their ranks, in plain Python: a whole list whose missing places are filled.

Nothing of the package is imported. A filler is a document that nobody judged.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any


def starts_of_blocks(
    ranks: Sequence[float], first: int = 1, of_means: bool = False
) -> dict[float, tuple[int, int]]:
    """The first place, from 0, and the size of the block of each rank of one list."""
    blocks, free = {}, 0
    for rank, block in groupby(sorted(ranks)):
        size = len(list(block))
        start = Fraction(rank) - first - (Fraction(size - 1, 2) if of_means else 0)
        free = max(int(start // 1), free)
        blocks[rank] = free, size
        free += size
    return blocks


def fill(
    ranks: Sequence[float], names: Sequence[str], first: int = 1, of_means: bool = False
) -> dict[str, float]:
    """Scores of all documents of a list, with fillers where no document has the place."""
    blocks = starts_of_blocks(ranks, first, of_means)
    scores = {name: -blocks[rank][0] for name, rank in zip(names, ranks, strict=True)}
    taken = {start + i for start, size in blocks.values() for i in range(size)}
    absent = set(range(max(taken, default=-1))) - taken
    return scores | {f"filler {place:03}": -place for place in absent}


def draw(rng: Any, most: int = 7, deepest: int = 12) -> list[int]:
    """Ranks of one list, with gaps and ties."""
    return [rng.randint(1, deepest) for _ in range(rng.randint(1, most))]
