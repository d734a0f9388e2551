"""Measures of the recommended items, against their definitions."""

from typing import Any

import numpy as np
import pytest

import blocks
import rankgain as rg
from shown_items import (
    CATEGORIES,
    FEATURES,
    ITEMS,
    NAMES,
    POPULARITY,
    cosine,
    draw,
    expected,
    other,
    same,
)


@pytest.mark.parametrize("k", [1, 3, 8, 20])
@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("of", ["features", "categories"])
def test_values_in_every_form(k: int, equal: bool, of: str) -> None:
    lists, baseline, relevant = draw(1, equal=equal), other(2), other(3)
    distance = cosine if of == "features" else (lambda a, b: CATEGORIES[a] != CATEGORIES[b])
    wanted = expected(lists, k, baseline, relevant, distance)
    known = {"features": FEATURES, "categories": CATEGORIES}[of]
    common: dict[str, Any] = {"k": k, "catalogue": ITEMS, "popularity": POPULARITY, of: known}
    result = rg.evaluate_catalogue(lists, NAMES, baseline=baseline, relevant=relevant, **common)
    assert list(result.means) == NAMES
    same(result, wanted)
    # A matrix of integers, and attributes as arrays.
    rows = np.full((len(lists), 8), -1)
    for row, ids in zip(rows, lists, strict=True):
        row[: len(ids)] = ids
    arrays = {"popularity": np.array([POPULARITY[i] for i in ITEMS])}
    arrays[of] = np.array([known[i] for i in ITEMS])
    result = rg.evaluate_catalogue(
        rows, NAMES, k=k, catalogue=len(ITEMS), baseline=baseline, relevant=relevant, **arrays
    )
    same(result, wanted)
    # Text as ids, by user.
    text = lambda row: [f"i{one}" for one in row]  # noqa: E731
    named = {f"i{i}": value for i, value in known.items()}
    by_user = {f"u{at}": text(row) for at, row in enumerate(lists)}
    result = rg.evaluate_catalogue(
        by_user,
        NAMES,
        k=k,
        popularity={f"i{i}": p for i, p in POPULARITY.items()},
        baseline={f"u{at}": text(row) for at, row in reversed(list(enumerate(baseline)))},
        relevant={f"u{at}": dict.fromkeys(text(row), 1) for at, row in enumerate(relevant)},
        **{of: named},
    )
    assert result.queries[:2] == ("u0", "u1")
    same(result, wanted)


def test_large_ids_and_one_baseline_for_all() -> None:
    lists = [[10**12, 5], [10**12, 7]]
    result = rg.evaluate_catalogue(
        np.array(lists), ["Gini", "Popularity", "Serendipity"], k=2, catalogue=3,
        popularity={10**12: 4, 5: 2}, baseline=[10**12, 9],
    )  # fmt: skip
    assert result["Popularity"] == 2.5
    assert result["Serendipity"] == 0.5
    np.testing.assert_allclose(result["Gini"], 1 / 6)


def test_new_items_and_ties_at_the_border_of_the_tail() -> None:
    popularity = dict.fromkeys(range(10), 5) | {0: 9, 9: 0}
    result = rg.evaluate_catalogue(
        [[0, 1, 9, 77]], ["TailShare", "NewItems"], k=4, popularity=popularity
    )
    assert result["TailShare"] == 0.5  # 1 ties with the last of the popular two
    assert result["NewItems"] == 0.5


def test_many_categories_of_few_items() -> None:
    """Pairs are sorted where a count for each user and category would take more memory."""
    lists, categories = draw(6, 40), {i: i // 2 for i in ITEMS}
    distance = lambda a, b: categories[a] != categories[b]  # noqa: E731
    expected = [blocks.diversity(row[:4], distance) for row in lists]
    for row in (lists, lists + [[]] * 200):
        result = rg.evaluate_catalogue(row, "ILD", k=4, categories=categories)
        values = [np.nan if one is None else float(one) for one in expected]
        values += [np.nan] * (len(row) - len(lists))
        np.testing.assert_allclose(result.per_query["ILD"], values, rtol=1e-15)


def test_names_and_cutoffs() -> None:
    result = rg.evaluate_catalogue(
        draw(1), ["coverage@2", "catalog_coverage", "Novelty"], k=5, catalogue=25,
        popularity=POPULARITY,
    )  # fmt: skip
    assert list(result.means) == ["Coverage@2", "Coverage", "Novelty"]
    assert result["Coverage@5"] == result["Coverage"] > result["Coverage@2"]
    assert dict(result.settings) == {"k": 5}


def test_cutoffs_of_one_family_in_any_order() -> None:
    lists, names = [[1, 2, 3], [1, 4, 5]], ["Coverage@1", "Coverage@3"]
    for order in (names, names[::-1]):
        result = rg.evaluate_catalogue(lists, order, catalogue=10)
        assert dict(result.means) == {name: {"1": 0.1, "3": 0.5}[name[-1]] for name in order}


def test_requested_names_of_ranked_lists_stay_beside_measures_of_items() -> None:
    call = [["a", "b"]], [["b"]]
    alone = rg.evaluate_ids(*call, ["ndcg_cut_2", "AP"], convention="gdeval")
    both = rg.evaluate_ids(
        *call, ["ndcg_cut_2", "AP", "Coverage@2"], catalogue=4, convention="gdeval"
    )
    assert alone.requested
    assert both.requested == alone.requested
    assert both["AP"] == alone["AP"]


def test_no_lists_and_empty_lists() -> None:
    for lists in (np.empty((0, 3), int), [[], []]):
        result = rg.evaluate_catalogue(lists, NAMES[:8], k=3, popularity=POPULARITY)
        assert result["Coverage"] == 0
        assert all(np.isnan(result[name]) for name in NAMES[1:8])


@pytest.mark.parametrize(
    ("lists", "name", "arguments", "error", "words"),
    [
        (
            [[1, 2, 1]],
            "Coverage",
            {"catalogue": 5},
            ValueError,
            "list 0, place 2 has the id 1 a second time",
        ),
        (np.array([[1, 1]]), "Coverage", {"catalogue": 5}, ValueError, "has the id 1 a second"),
        (
            np.array([[1, -1, 2]]),
            "Coverage",
            {"catalogue": 5},
            ValueError,
            "list 0, place 1 is -1, but ids follow",
        ),
        ([[1, "a"]], "Coverage", {"catalogue": 5}, TypeError, "different types never match"),
        ({1, 2}, "Coverage", {"catalogue": 5}, TypeError, "^recommended is a set, which has no or"),
        ([[1, 2]], "Coverage", {}, ValueError, "catalogue is needed"),
        ([[]], "Coverage", {"catalogue": 0}, ValueError, "^catalogue has no items$"),
        (
            [[1, 2]],
            "Coverage",
            {"catalogue": 1},
            ValueError,
            "catalogue=1 is too small: 2 different",
        ),
        ([[1, 2]], "Gini", {"catalogue": [1, 3]}, ValueError, "item 2 is shown, but not in"),
        ([[1, 2]], "Novelty", {}, ValueError, "needs popularity="),
        ([[1, 2]], "Novelty", {"popularity": {1: 3}}, ValueError, "popularity of item 2 is 0"),
        ([[1, 2]], "Popularity", {"popularity": {1: -3}}, ValueError, "at least 0"),
        ([[1, 9]], "Popularity", {"popularity": [1, 2]}, ValueError, "has 2 entries, but item 9"),
        ([["x"]], "Popularity", {"popularity": [1, 2]}, TypeError, "give a dict"),
        ([[1, 2]], "ILD", {}, ValueError, "needs features= or categories="),
        ([[1, 2]], "ILD", {"features": {1: [1.0]}}, ValueError, "no entry for item 2"),
        ([[1, 2]], "ILD", {"features": {1: [1.0], 2: [0.0]}}, ValueError, "item 2.* zero"),
        (
            [[1, 2]],
            "ILD",
            {"features": {1: 1.0, 2: 2.0}},
            ValueError,
            r"^features must be a vector for each item, not of shape \(2,\)$",
        ),
        (
            [[1, 2]],
            "ILD",
            {"categories": np.ones((3, 2))},
            ValueError,
            "^categories must have one category for each item; for several give a dict",
        ),
        ([[1, 2]], "Serendipity", {}, ValueError, "baseline is needed"),
        ([[1, 2]], "Serendipity", {"baseline": [[1], [2]]}, ValueError, "baseline has 2 lists"),
        ([[1, 2]], "nDCG", {}, ValueError, "use evaluate_ids"),
        (
            [[1, 2]],
            "Coverage",
            {"k": 0},
            ValueError,
            "k must be an int of at least 1, not 0: k items count",
        ),
        ([[1, 2]], "Coverage", {"k": None}, TypeError, "k must be an int"),
    ],
)
def test_refusals(lists: Any, name: str, arguments: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        rg.evaluate_catalogue(lists, name, **{"k": 3, **arguments})


@pytest.mark.parametrize("name", NAMES)
def test_functions_of_ranked_lists_refuse_them(name: str) -> None:
    with pytest.raises(ValueError, match="use evaluate_catalogue"):
        rg.evaluate_arrays([1, 0], [2, 1], name)


def test_popularity_names_the_catalogue_in_every_form() -> None:
    """Of a list the places are the items, of a Series its index."""
    pandas = pytest.importorskip("pandas")
    names, expected = ["Coverage", "Popularity"], {"Coverage": 2 / 3, "Popularity": 4.0}
    series = pandas.Series({1: 3, 2: 5, 4: 1})
    result = rg.evaluate_catalogue([[1, 2]], names, k=3, popularity=series)
    assert dict(result.means) == expected
    result = rg.evaluate_catalogue([[1, 2]], names, k=3, popularity=[1, 3, 5])
    assert dict(result.means) == expected


def test_relevant_ids_and_a_baseline_of_csr() -> None:
    relevant = np.ones(3), np.array([1, 2, 4]), np.array([0, 2, 3])
    baseline = np.ones(1), np.array([1]), np.array([0, 1, 1])
    lists = [[1, 2], [4, 3]]
    result = rg.evaluate_catalogue(lists, "Serendipity", k=2, relevant=relevant, baseline=baseline)
    assert result.per_query["Serendipity"].tolist() == [0.5, 0.5]
    result = rg.evaluate_catalogue(lists, "Serendipity", k=2, relevant=relevant, baseline=[[], [4]])
    assert result.per_query["Serendipity"].tolist() == [1.0, 0.0]
