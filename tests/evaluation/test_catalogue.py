"""Measures of the recommended items, against their definitions."""

from typing import Any

import numpy as np
import pytest

import blocks
import rankgain as rg

ITEMS = list(range(25))
POPULARITY = {i: (i * 7) % 11 + 1 for i in ITEMS}
CATEGORIES = {i: "abcd"[i % 4] for i in ITEMS}
FEATURES = {i: np.random.default_rng(i).normal(size=3) for i in ITEMS}
NAMES = [
    "Coverage", "Gini", "Entropy", "Personalisation", "Novelty", "Popularity", "TailShare",
    "NewItems", "ILD", "Serendipity",
]  # fmt: skip
WHOLE = NAMES[:4]


def draw(seed: int, users: int = 30, equal: bool = False) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    sizes = np.full(users, 8) if equal else rng.integers(0, 9, users)
    return [rng.permutation(20)[:n].tolist() for n in sizes]


def other(seed: int, users: int = 30) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(20)[: rng.integers(1, 6)].tolist() for _ in range(users)]


def cosine(a: int, b: int) -> float:
    x, y = FEATURES[a], FEATURES[b]
    return float(1 - x @ y / np.sqrt((x @ x) * (y @ y)))


def expected(lists: Any, k: int, baseline: Any, relevant: Any, distance: Any) -> dict[str, Any]:
    first = [row[:k] for row in lists]
    near = [row[:k] for row in baseline]
    by_user = {
        "Novelty": [blocks.novelty(row, POPULARITY) for row in first],
        "Popularity": [blocks.popularity_of(row, POPULARITY) for row in first],
        "TailShare": [blocks.tail_share(row, POPULARITY) for row in first],
        "NewItems": [blocks.new_items(row, POPULARITY) for row in first],
        "ILD": [blocks.diversity(row, distance) for row in first],
        "Serendipity": [
            blocks.serendipity(*each) for each in zip(first, near, relevant, strict=True)
        ],
    }
    whole = {
        "Coverage": blocks.coverage(first, ITEMS),
        "Gini": blocks.gini(first, ITEMS),
        "Entropy": blocks.entropy(first),
        "Personalisation": blocks.personalisation(first),
    }
    return by_user | whole


def same(found: Any, wanted: Any) -> None:
    for name, value in wanted.items():
        if name in WHOLE:
            np.testing.assert_allclose(found.means[name], float(value), rtol=1e-12, err_msg=name)
            continue
        values = np.array([np.nan if one is None else float(one) for one in value])
        np.testing.assert_allclose(found.per_query[name], values, rtol=1e-12, atol=1e-12)
        mean = np.mean(values[~np.isnan(values)]) if not np.isnan(values).all() else np.nan
        np.testing.assert_allclose(found.means[name], mean, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("k", [1, 3, 8, 20])
@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("of", ["features", "categories"])
def test_values_in_every_form(k: int, equal: bool, of: str) -> None:
    lists, baseline, relevant = draw(1, equal=equal), other(2), other(3)
    distance = cosine if of == "features" else (lambda a, b: CATEGORIES[a] != CATEGORIES[b])
    wanted = expected(lists, k, baseline, relevant, distance)
    known = {"features": FEATURES, "categories": CATEGORIES}[of]
    common: dict[str, Any] = {"k": k, "catalogue": ITEMS, "popularity": POPULARITY, of: known}
    found = rg.evaluate_catalogue(lists, NAMES, baseline=baseline, relevant=relevant, **common)
    assert list(found.means) == NAMES
    same(found, wanted)
    # A matrix of integers, and attributes as arrays.
    rows = np.full((len(lists), 8), -1)
    for row, ids in zip(rows, lists, strict=True):
        row[: len(ids)] = ids
    arrays = {"popularity": np.array([POPULARITY[i] for i in ITEMS])}
    arrays[of] = np.array([known[i] for i in ITEMS])
    found = rg.evaluate_catalogue(
        rows, NAMES, k=k, catalogue=len(ITEMS), baseline=baseline, relevant=relevant, **arrays
    )
    same(found, wanted)
    # Text as ids, by user.
    text = lambda row: [f"i{one}" for one in row]  # noqa: E731
    named = {f"i{i}": value for i, value in known.items()}
    by_user = {f"u{at}": text(row) for at, row in enumerate(lists)}
    found = rg.evaluate_catalogue(
        by_user,
        NAMES,
        k=k,
        popularity={f"i{i}": p for i, p in POPULARITY.items()},
        baseline={f"u{at}": text(row) for at, row in reversed(list(enumerate(baseline)))},
        relevant={f"u{at}": dict.fromkeys(text(row), 1) for at, row in enumerate(relevant)},
        **{of: named},
    )
    assert found.queries[:2] == ("u0", "u1")
    same(found, wanted)


def test_large_ids_and_one_baseline_for_all() -> None:
    lists = [[10**12, 5], [10**12, 7]]
    found = rg.evaluate_catalogue(
        np.array(lists), ["Gini", "Popularity", "Serendipity"], k=2, catalogue=3,
        popularity={10**12: 4, 5: 2}, baseline=[10**12, 9],
    )  # fmt: skip
    assert found["Popularity"] == 2.5
    assert found["Serendipity"] == 0.5
    np.testing.assert_allclose(found["Gini"], 1 / 6)


def test_new_items_and_ties_at_the_border_of_the_tail() -> None:
    popularity = dict.fromkeys(range(10), 5) | {0: 9, 9: 0}
    found = rg.evaluate_catalogue(
        [[0, 1, 9, 77]], ["TailShare", "NewItems"], k=4, popularity=popularity
    )
    assert found["TailShare"] == 0.5  # 1 ties with the last of the popular two
    assert found["NewItems"] == 0.5


def test_names_and_cutoffs() -> None:
    found = rg.evaluate_catalogue(
        draw(1), ["coverage@2", "catalog_coverage", "Novelty"], k=5, catalogue=25,
        popularity=POPULARITY,
    )  # fmt: skip
    assert list(found.means) == ["Coverage@2", "Coverage", "Novelty"]
    assert found["Coverage@5"] == found["Coverage"] > found["Coverage@2"]
    assert dict(found.settings) == {"k": 5}


def test_means_over_users_merge_compare_and_have_intervals(tmp_path: Any) -> None:
    lists = draw(4, 60)
    common: dict[str, Any] = {"k": 4, "popularity": POPULARITY, "categories": CATEGORIES}
    names = ["Novelty", "ILD", "Popularity"]
    whole = rg.evaluate_catalogue(dict(enumerate(lists)), names, **common)
    parts = [
        rg.evaluate_catalogue({i: lists[i] for i in range(low, high)}, names, **common)
        for low, high in ((0, 25), (25, 60))
    ]
    merged = rg.Evaluation.merge(parts)
    assert dict(merged.means) == dict(whole.means)
    assert merged.counts == whole.counts
    low, high = whole.interval("Novelty")
    assert low < whole["Novelty"] < high
    others = rg.evaluate_catalogue(dict(enumerate(draw(5, 60))), names, **common)
    rows = rg.compare({"a": whole, "b": others}, queries="common").rows
    assert [row.measure for row in rows] == names
    whole.to_json(tmp_path / "x.json")
    assert rg.Evaluation.read(tmp_path / "x.json") == whole
    assert "ILD" in str(whole)
    with pytest.raises(ValueError, match="k of"):
        rg.Evaluation.merge(
            [parts[0], rg.evaluate_catalogue({99: [1]}, names, **common | {"k": 3})]
        )


def test_numbers_of_all_lists_are_not_merged() -> None:
    one = rg.evaluate_catalogue({0: [1]}, ["Coverage", "Novelty"], k=1, popularity=POPULARITY)
    two = rg.evaluate_catalogue({1: [2]}, ["Coverage", "Novelty"], k=1, popularity=POPULARITY)
    for call in (
        lambda: rg.Evaluation.merge([one, two]),
        lambda: one.interval("Coverage"),
        lambda: rg.compare({"a": one, "b": one}),
        lambda: one.by(["x"]),
    ):
        with pytest.raises(ValueError, match="Coverage is one number of all lists and no mean"):
            call()


def test_no_lists_and_empty_lists() -> None:
    for lists in (np.empty((0, 3), int), [[], []]):
        found = rg.evaluate_catalogue(lists, NAMES[:8], k=3, popularity=POPULARITY)
        assert found["Coverage"] == 0
        assert all(np.isnan(found[name]) for name in NAMES[1:8])


@pytest.mark.parametrize(
    ("lists", "name", "arguments", "error", "words"),
    [
        (
            [[1, 2, 1]],
            "Coverage",
            {"catalogue": 5},
            ValueError,
            "list 0 has the id 1 a second time",
        ),
        (np.array([[1, 1]]), "Coverage", {"catalogue": 5}, ValueError, "has the id 1 a second"),
        (
            np.array([[1, -1, 2]]),
            "Coverage",
            {"catalogue": 5},
            ValueError,
            "list 0, place 1 is -1, but ids follow",
        ),
        (np.array([[-3, 1]]), "Coverage", {"catalogue": 5}, ValueError, "list 0, place 0 is -3"),
        ([[1, "a"]], "Coverage", {"catalogue": 5}, TypeError, "two types are never equal"),
        ([[1, 2]], "Coverage", {}, ValueError, "catalogue is needed"),
        ([[1, 2]], "Coverage", {"catalogue": 1}, ValueError, "but 2 items are shown"),
        ([[1, 2]], "Gini", {"catalogue": [1, 3]}, ValueError, "item 2 is shown, but not in"),
        ([[1, 2]], "Novelty", {}, ValueError, "popularity is needed"),
        ([[1, 2]], "Novelty", {"popularity": {1: 3}}, ValueError, "popularity of item 2 is 0"),
        ([[1, 2]], "Popularity", {"popularity": {1: -3}}, ValueError, "at least 0"),
        ([[1, 9]], "Popularity", {"popularity": [1, 2]}, ValueError, "has 2 entries, but item 9"),
        ([["x"]], "Popularity", {"popularity": [1, 2]}, TypeError, "give a dict"),
        ([[1, 2]], "ILD", {}, ValueError, "needs features= or categories="),
        ([[1, 2]], "ILD", {"features": {1: [1.0]}}, ValueError, "no entry for item 2"),
        ([[1, 2]], "ILD", {"features": {1: [1.0], 2: [0.0]}}, ValueError, "item 2.* zero"),
        ([[1, 2]], "Serendipity", {}, ValueError, "baseline is needed"),
        ([[1, 2]], "Serendipity", {"baseline": [[1], [2]]}, ValueError, "baseline has 2 lists"),
        ([[1, 2]], "nDCG", {}, ValueError, "evaluate_ids takes"),
        (
            [[1, 2]],
            "Coverage",
            {"k": 0},
            ValueError,
            "k must be an int of at least 1, not 0: how many",
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
