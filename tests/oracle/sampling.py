"""A part of many cases for the default suite; the others are run with -m slow."""

import itertools
import random
from collections.abc import Collection, Iterable
from typing import Any

import pytest

USUAL = ("ndcg", "average_precision", "reciprocal_rank")  # each has a walk of its own


def sampled(*axes: Iterable[Any], one_in: int = 4, always: Collection[Any] = ()) -> list[Any]:
    """The product of the axes; of each `one_in` neighbours all but one drawn at random are slow.

    The draws are the same in every process. What has a value of `always` on its first axis stays.
    """
    draw, parts = random.Random(0), []
    for start, case in enumerate(itertools.product(*axes)):
        if start % one_in == 0:
            kept = start + draw.randrange(one_in)
        stays = start == kept or (bool(always) and case[0] in always)
        parts.append(pytest.param(*case, marks=() if stays else pytest.mark.slow))
    return parts
