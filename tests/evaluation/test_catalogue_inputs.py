"""What `evaluate_catalogue` reads: ids in every container, values by item, and refusals."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import blocks
import rankgain as rg
from containers import BY_USER, CAN_BE_FILLED, FORMS, KINDS, UNIQUE, Rows, filled
from pairwise import Row, name_of, rows_of
from sampling import sampled

WIDTH, ITEMS = 6, 12
POPULARITY = {i: (i * 7) % 5 + 1 for i in range(ITEMS)}
GENRES = [{"a"}, {"a", "b"}, {"b", "c", "d"}, set(), {"d"}]
MEASURES = ["Coverage@2", "Gini", "Entropy", "Popularity@5", "ILD", "Serendipity", "TailShare@3"]
MEASURES += ["Novelty", "Personalisation@3"]
AXES: dict[str, list[Any]] = {
    "recommended": list(FORMS),
    "baseline": ["one list", *FORMS],
    "relevant": [None, *FORMS, "sets", "dicts", "csr"],
    "kind": list(KINDS),
    "filled": [False, True],
    "of": ["features", "one category", "lists", "tuples", "sets", "frozensets"],
    "catalogue": ["ids", "number", "array", "generator", None],
    "popularity": ["dict", "array", "Series", "frame"],
}


def allowed(row: Row) -> bool:
    sides = [row["recommended"], row["baseline"], row["relevant"]]
    alike = {
        side in BY_USER for side in sides if side not in ("one list", None, "sets", "dicts", "csr")
    }
    if len(alike) > 1 or (True in alike and row["relevant"] in ("sets", "dicts")):
        return False
    if row["filled"] and (row["kind"] not in CAN_BE_FILLED or any(one in UNIQUE for one in sides)):
        return False
    if row["relevant"] == "csr" and row["kind"] != "small":
        return False
    return row["popularity"] != "array" or row["kind"] == "small"


def draw(row: Row) -> tuple[Rows, Rows, Rows]:
    rng = np.random.default_rng(sum(map(ord, str(row))))
    sides = []
    for most in (WIDTH, 4, 3):
        sizes = rng.integers(0, most + 1, 9) if row["filled"] else np.full(9, most)
        sides.append([rng.permutation(ITEMS)[:n].tolist() for n in sizes])
    return sides[0], sides[1], sides[2]


def placed(ids: Rows, form: str, row: Row, width: int) -> Any:
    make = KINDS[row["kind"]]
    named = [[make(i) for i in one] for one in ids]
    rows = filled(named, width) if row["filled"] else named
    if form == "one list":
        return rows[0]
    if form == "sets":
        return [set(one) for one in rows]
    if form == "dicts":
        return [dict.fromkeys(one, 1) | {make(11): 0} | dict.fromkeys(one, 1) for one in named]
    if form == "csr":  # a stored 0 is not relevant
        items = [sorted({*one, 11}) for one in ids]
        data = [float(i in one) for one, expected in zip(ids, items, strict=True) for i in expected]
        indptr = np.cumsum([0, *map(len, items)])
        return np.array(data), np.array([i for one in items for i in one]), indptr
    return FORMS[form](rows)


def by_item(row: Row) -> dict[str, Any]:
    make = KINDS[row["kind"]]
    arguments: dict[str, Any] = {"popularity": {make(i): p for i, p in POPULARITY.items()}}
    if row["popularity"] == "array":
        arguments["popularity"] = [POPULARITY[i] for i in range(ITEMS)]
    elif row["popularity"] == "Series":
        arguments["popularity"] = pytest.importorskip("pandas").Series(arguments["popularity"])
    elif row["popularity"] == "frame":
        pandas = pytest.importorskip("pandas")
        items = [make(i) for i, p in POPULARITY.items() for _ in range(p)]
        arguments["popularity"] = pandas.DataFrame({"user_id": "u", "item_id": items})
    every = [make(i) for i in range(ITEMS)]
    arguments["catalogue"] = {
        "ids": every, "number": ITEMS, "array": np.array(every), "generator": iter(every),
        None: None,
    }[row["catalogue"]]  # fmt: skip
    if row["of"] == "features":
        arguments["features"] = {make(i): vector(i) for i in range(ITEMS)}
    else:
        form = {"one category": min, "lists": list, "tuples": tuple, "sets": set}
        convert: Any = form.get(row["of"], frozenset)
        genres = [one or {"z"} for one in GENRES] if convert is min else GENRES
        arguments["categories"] = {make(i): convert(genres[i % 5]) for i in range(ITEMS)}
    return arguments


def vector(i: int) -> list[float]:
    return [1.0, i % 3, i % 4 - 1.5]


def distance(row: Row, a: int, b: int) -> Any:
    if row["of"] == "features":
        x, y = np.array(vector(a)), np.array(vector(b))
        return float(1 - x @ y / np.sqrt((x @ x) * (y @ y)))
    one, other = GENRES[a % 5], GENRES[b % 5]
    if row["of"] == "one category":
        return int(min(one or {"z"}) != min(other or {"z"}))
    return 1 - Fraction(len(one & other), len(one | other)) if one | other else 0


@pytest.mark.parametrize("row", sampled(rows_of(AXES, allowed), one_in=2), ids=name_of)
def test_evaluate_catalogue(row: Row) -> None:
    lists, baseline, relevant = draw(row)
    arguments = by_item(row)
    arguments["baseline"] = placed(baseline, row["baseline"], row, 4)
    if row["relevant"]:
        arguments["relevant"] = placed(relevant, row["relevant"], row, 3)
    if row["baseline"] == "one list":
        baseline = [baseline[0]] * 9
    result = rg.evaluate_catalogue(
        placed(lists, row["recommended"], row, WIDTH), MEASURES, k=4, **arguments
    )
    first = [one[:4] for one in lists]
    expected: dict[str, list[Any]] = {
        "Popularity@5": [blocks.popularity_of(one[:5], POPULARITY) for one in lists],
        "TailShare@3": [blocks.tail_share(one[:3], POPULARITY) for one in lists],
        "Novelty": [blocks.novelty(one, POPULARITY) for one in first],
        "ILD": [blocks.diversity(one, lambda a, b: distance(row, a, b)) for one in first],
        "Serendipity": [
            blocks.serendipity(one, near[:4], wanted if row["relevant"] else None)
            for one, near, wanted in zip(first, baseline, relevant, strict=True)
        ],
    }
    for name, values in expected.items():
        wanted = np.array([np.nan if one is None else float(one) for one in values])
        np.testing.assert_allclose(result.per_query[name], wanted, rtol=1e-12, atol=1e-12)
    whole = {
        "Coverage@2": blocks.coverage([one[:2] for one in lists], range(ITEMS)),
        "Gini": blocks.gini(first, range(ITEMS)),
        "Entropy": blocks.entropy(first),
        "Personalisation@3": blocks.personalisation([one[:3] for one in lists]),
    }
    for name, value in whole.items():
        assert result[name] == pytest.approx(float(value), rel=1e-12), name


def test_features_of_users_in_later_stretches() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(20, 2))
    lists = [rng.permutation(20)[:n].tolist() for n in rng.integers(2, 5, 50)]
    result = rg.evaluate_catalogue(lists, "ILD@4", features=vectors).per_query["ILD@4"]
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    expected = [
        np.mean([1 - unit[a] @ unit[b] for a, b in itertools.combinations(row, 2)]) for row in lists
    ]
    np.testing.assert_allclose(result, expected, rtol=1e-9)


def test_three_items_of_one_category() -> None:
    kinds = [0, 0, 0, 1, 1, 2]
    lists = [[0, 1, 2, 3], [0, 1, 2], [0, 3, 5], [0, 1, 2, 3, 4]] + [[]] * 30
    result = rg.evaluate_catalogue(lists, "ILD@5", categories=kinds).per_query["ILD@5"]
    np.testing.assert_allclose(result[:4], [0.5, 0.0, 1.0, 0.6])


@pytest.mark.parametrize("categories", [{1: "a", 2: ["a", "b"]}, {1: ["a", "b"], 2: "a"}])
def test_some_items_have_several_categories(categories: dict[int, Any]) -> None:
    assert rg.evaluate_catalogue([[1, 2]], "ILD", k=2, categories=categories)["ILD"] == 0.5


def test_numbers_are_whole_where_products_are_beyond_64_bits() -> None:
    size, lists = 10**13, np.arange(2_000_000)[:, np.newaxis] % 3
    result = rg.evaluate_catalogue(lists, "Gini@1", catalogue=size)
    counts = sorted(np.bincount(lists.ravel()).tolist())
    above = sum((2 * (size - 2 + i) - size - 1) * c for i, c in enumerate(counts))
    assert result["Gini@1"] == float(Fraction(above, size * len(lists)))
    assert np.isfinite(result.shares_of("Gini@1").numerators).all()


@pytest.mark.parametrize(("shown", "popularity", "tail", "new"), [
    ([0, 1, 9, 77], dict.fromkeys(range(10), 5) | {0: 9, 9: 0}, 0.5, 0.5),  # 1 ties
    ([0, 1, 2, 3, 77], {0: 9, 1: 7, 2: 5, 3: 3} | dict.fromkeys(range(4, 10), 1), 0.6, 0.2),
])  # fmt: skip
def test_tail_and_new_items(shown: list[int], popularity: Any, tail: float, new: float) -> None:
    """Popular are two of ten items; 77 is new, as is what nobody has."""
    names = ["TailShare", "NewItems"]
    result = rg.evaluate_catalogue([shown], names, k=len(shown), popularity=popularity)
    assert result.means == {"TailShare": tail, "NewItems": new}


def test_frames_that_hold_no_interactions_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    counts = pandas.DataFrame({"item_id": [1, 2], "count": [3, 4]})
    counted = rg.evaluate_catalogue([[1]], "Popularity@1", popularity=counts)
    assert counted["Popularity@1"] == 3.0


def test_users_without_relevant_items_are_a_warning() -> None:
    lists, baseline = {"u": [1], "v": [2]}, {"u": [9], "v": [9]}
    with pytest.warns(rg.RankgainWarning, match="has no list of 1 of 2 users, such as 'v'"):
        result = rg.evaluate_catalogue(
            lists, "Serendipity@1", baseline=baseline, relevant={"u": [1]}
        )
    assert result.per_query["Serendipity@1"].tolist() == [1.0, 0.0]


def test_a_repeat_takes_a_place_among_tied_ids() -> None:
    frame = pytest.importorskip("pandas").DataFrame(
        {"user_id": ["u"] * 4, "item_id": list("aabd"), "rank": [1, 1, 1, 4]}
    )
    pytest.importorskip("narwhals")
    for k, shown in ((2, 1), (3, 2), (4, 3)):
        name = f"Coverage@{k}"
        result = rg.evaluate_ids(frame, {"u": ["b"]}, name, catalogue=10, duplicates="in_place")
        assert result.means[name] == shown / 10
