"""A part of many cases for the default suite; the others are run with -m slow."""

import itertools
from collections.abc import Collection, Iterable
from typing import Any

import pytest

USUAL = ("ndcg", "average_precision", "reciprocal_rank")  # each has a walk of its own


def sampled(*axes: Iterable[Any], one_in: int = 4, always: Collection[Any] = ()) -> list[Any]:
    """The product of the axes, of which all but one in `one_in` are slow.

    Diagonals stay, so that every value of an axis is met where another axis is long enough; so does
    what has a value of `always` on the first axis.
    """
    cases = []
    for numbered in itertools.product(*map(enumerate, axes)):
        places, values = zip(*numbered, strict=True)
        stays = sum(places) % one_in == 0 or (bool(always) and values[0] in always)
        cases.append(pytest.param(*values, marks=() if stays else pytest.mark.slow))
    return cases
