"""Measures of the recommended items, against their definitions."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg


def test_new_items_and_ties_at_the_border_of_the_tail() -> None:
    popularity = dict.fromkeys(range(10), 5) | {0: 9, 9: 0}
    result = rg.evaluate_catalogue(
        [[0, 1, 9, 77]], ["TailShare", "NewItems"], k=4, popularity=popularity
    )
    assert result["TailShare"] == 0.5  # 1 ties with the last of the popular two
    assert result["NewItems"] == 0.5


def test_shares_of_tail_and_new_items_among_items_of_all_kinds() -> None:
    popularity = {0: 9, 1: 7, 2: 5, 3: 3} | dict.fromkeys(range(4, 10), 1)
    result = rg.evaluate_catalogue(
        [[0, 1, 2, 3, 77]], ["TailShare", "NewItems"], k=5, popularity=popularity
    )
    assert result["TailShare"] == 0.6  # all but 0 and 1, the popular two of ten
    assert result["NewItems"] == 0.2  # 77


@pytest.mark.parametrize(("lists", "name", "arguments", "error", "words"), [
    ([[1, 2, 1]], "Coverage", {"catalogue": 5}, ValueError,
     "list 0, place 2 has the id 1 a second time"),
    (np.array([[1, 1]]), "Coverage", {"catalogue": 5}, ValueError, "has the id 1 a second"),
    (np.array([[1, -1, 2]]), "Coverage", {"catalogue": 5}, ValueError,
     "list 0, place 1 is -1, but ids follow"),
    ([[1, "a"]], "Coverage", {"catalogue": 5}, TypeError, "different types never match"),
    ({1, 2}, "Coverage", {"catalogue": 5}, TypeError, "^recommended is a set, which has no or"),
    ([[1, 2]], "Coverage", {}, ValueError, "catalogue is needed"),
    ([[]], "Coverage", {"catalogue": 0}, ValueError, "^catalogue has no items$"),
    ([[1, 2]], "Coverage", {"catalogue": 1}, ValueError, "catalogue=1 is too small: 2 different"),
    ([[1, 2]], "Gini", {"catalogue": [1, 3]}, ValueError, "item 2 is shown, but not in"),
    ([[1, 2]], "Novelty", {}, ValueError, "needs popularity="),
    ([[1, 2]], "Novelty", {"popularity": {1: 3}}, ValueError, "popularity of item 2 is 0"),
    ([[1, 2]], "Popularity", {"popularity": {1: -3}}, ValueError, "at least 0"),
    ([[1, 9]], "Popularity", {"popularity": [1, 2]}, ValueError, "has 2 entries, but item 9"),
    ([["x"]], "Popularity", {"popularity": [1, 2]}, TypeError, "give a dict"),
    ([[1, 2]], "ILD", {}, ValueError, "needs features= or categories="),
    ([[1, 2]], "ILD", {"features": {1: [1.0]}}, ValueError, "no entry for item 2"),
    ([[1, 2]], "ILD", {"features": {1: [1.0], 2: [0.0]}}, ValueError, "item 2.* zero"),
    ([[1, 2]], "ILD", {"features": {1: 1.0, 2: 2.0}}, ValueError,
     r"^features must be a vector for each item, not of shape \(2,\)$"),
    ([[1, 2]], "ILD", {"categories": np.ones((3, 2))}, ValueError,
     "^categories must have one category for each item; for several give a dict"),
    ([[1, 2]], "Serendipity", {}, ValueError, "baseline is needed"),
    ([[1, 2]], "Serendipity", {"baseline": [[1], [2]]}, ValueError, "baseline has 2 lists"),
    ([[1, 2]], "nDCG", {}, ValueError, "use evaluate_ids"),
    ([[1, 2]], "Coverage", {"k": 0}, ValueError,
     "k must be an int of at least 1, not 0: k items count"),
    ([[1, 2]], "Coverage", {"k": None}, TypeError, "k must be an int"),
])  # fmt: skip
def test_refusals(lists: Any, name: str, arguments: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        rg.evaluate_catalogue(lists, name, **{"k": 3, **arguments})
