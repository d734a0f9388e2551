"""Measures of the recommended items, against their definitions."""

import json
import pickle
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


def same(result: Any, wanted: Any) -> None:
    for name, value in wanted.items():
        if name in WHOLE:
            np.testing.assert_allclose(result.means[name], float(value), rtol=1e-12, err_msg=name)
            continue
        values = np.array([np.nan if one is None else float(one) for one in value])
        np.testing.assert_allclose(result.per_query[name], values, rtol=1e-12, atol=1e-12)
        mean = np.mean(values[~np.isnan(values)]) if not np.isnan(values).all() else np.nan
        np.testing.assert_allclose(result.means[name], mean, rtol=1e-12, err_msg=name)


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


def in_form(lists: list[list[int]], form: str, start: int) -> Any:
    """Lists by user, as ids of some type, or as rows of a matrix."""
    if form == "rows":
        rows = np.full((len(lists), 8), -1)
        for row, ids in zip(rows, lists, strict=True):
            row[: len(ids)] = ids
        return rows
    item = {"int": int, "text": "i{}".format, "large": lambda one: one * 10**12}[form]
    return {f"u{start + at}": [item(one) for one in row] for at, row in enumerate(lists)}


@pytest.mark.parametrize("form", ["int", "text", "large", "rows"])
@pytest.mark.parametrize("equal", [False, True])
def test_numbers_of_all_lists_merge_exactly(form: str, equal: bool, tmp_path: Any) -> None:
    names = [*WHOLE, "Coverage@2", "Personalisation@7"]
    common: dict[str, Any] = {"k": 4, "catalogue": 25}
    lists = draw(6, 60, equal)
    whole = rg.evaluate_catalogue(in_form(lists, form, 0), names, **common)
    parts = [
        rg.evaluate_catalogue(in_form(lists[low:high], form, low), names, **common)
        for low, high in ((0, 7), (7, 40), (40, 40), (40, 60))
    ]
    assert rg.Evaluation.merge(parts) == whole
    assert rg.Evaluation.merge([whole]) == whole
    backwards = rg.Evaluation.merge(reversed(parts))
    assert dict(backwards.means) == dict(whole.means)
    if form != "rows":
        at = [backwards.queries.index(user) for user in whole.queries]
        column = backwards.per_query["Personalisation"][at]
        np.testing.assert_array_equal(column, whole.per_query["Personalisation"])
    for at, part in enumerate(parts):
        part.to_json(tmp_path / f"{at}.json")
    read = [rg.Evaluation.read(tmp_path / f"{at}.json") for at in range(len(parts))]
    assert read == parts
    assert rg.Evaluation.merge(read) == whole
    assert rg.Evaluation.merge([pickle.loads(pickle.dumps(one)) for one in parts]) == whole
    # Segments are evaluations of their lists.
    segments = whole.by(["ab"[at % 3 == 0] for at in range(60)])
    some = in_form(lists, form, 0)
    some = some[::3] if form == "rows" else dict(list(some.items())[::3])
    assert dict(segments["b"].means) == dict(rg.evaluate_catalogue(some, names, **common).means)


def test_what_the_result_holds_is_a_copy_of_what_is_looked_at() -> None:
    rows = np.array([[1, 2, 3], [4, 5, 6]])
    result = rg.evaluate_catalogue(rows, ["Coverage", "Entropy@2"], k=1, catalogue=9)
    rows[:] = 0
    assert result.recommended is not None
    assert result.recommended.to_lists() == [[1, 2], [4, 5]]
    assert result.recommended.n_items == 9
    other = rg.evaluate_catalogue([[1, 2], [4, 7]], ["Coverage", "Entropy@2"], k=1, catalogue=9)
    assert dict(result.means) == dict(other.means)
    assert result != other
    assert rg.evaluate_catalogue([[1]], "NewItems", k=1, popularity=[1, 2]).recommended is None
    assert rg.evaluate_catalogue([[1]], "Entropy", k=1).recommended.n_items is None  # type: ignore[union-attr]


@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_list_adds_is_the_number_without_it(equal: bool, seed: int) -> None:
    users, common = 12, {"k": 5, "catalogue": 25}
    lists = draw(seed, users, equal)
    result = rg.evaluate_catalogue(lists, WHOLE, **common)  # type: ignore[arg-type]
    for name in WHOLE:
        without = np.array([
            rg.evaluate_catalogue(lists[:at] + lists[at + 1 :], name, **common)[name]  # type: ignore[arg-type]
            for at in range(users)
        ])  # fmt: skip
        expected = result[name] + (users - 1) * (without.mean() - without)
        values = result.shares_of(name).numerators
        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(values.mean(), result[name], rtol=1e-12)


def test_numbers_of_all_lists_have_intervals_and_compare() -> None:
    common: dict[str, Any] = {"k": 4, "catalogue": 75}
    lists = [[3 * one + at % 3 for one in row] for at, row in enumerate(draw(6, 60))]
    others = [list(dict.fromkeys(one // 3 for one in row)) for row in draw(7, 60)]
    users = [f"u{at}" for at in range(60)]
    one = rg.evaluate_catalogue(dict(zip(users, lists, strict=True)), WHOLE, **common)
    two = rg.evaluate_catalogue(dict(zip(users, others, strict=True)), WHOLE, **common)
    for name in WHOLE:
        for method in ("t", "bootstrap", "bca"):
            low, high = one.interval(name, method=method)
            assert low < one[name] < high
    rows = rg.compare({"a": one, "b": two}).rows
    for row in rows:
        assert (row.mean_a, row.mean_b) == (one[row.measure], two[row.measure])
        assert row.low < row.difference < row.high
        assert row.lists == 60 == row.wins + row.ties + row.losses
        assert row.p < 0.001
        assert (row.difference < 0) == (row.measure == "Gini")
    assert all(row.p == 1 and row.difference == 0 for row in rg.compare({"a": one, "b": one}).rows)
    # Of some users the numbers are made anew, as of each segment.
    fewer = rg.evaluate_catalogue(dict(list(zip(users, others, strict=True))[9:]), WHOLE, **common)
    same = rg.evaluate_catalogue(dict(list(zip(users, lists, strict=True))[9:]), WHOLE, **common)
    rows = rg.compare({"a": one, "b": fewer}, queries="common").rows
    assert rows == rg.compare({"a": same, "b": fewer}).rows
    by = {user: "xy"[at < 9] for at, user in enumerate(users)}
    parts = [row for row in rg.compare({"a": one, "b": two}, by=by).rows if row.segment == "x"]
    for row, expected in zip(parts, rows, strict=True):
        assert row._replace(segment=None, p_corrected=0) == expected._replace(p_corrected=0)
    for test in ("wilcoxon", "sign"):
        with pytest.raises(ValueError, match="Coverage is a number of all lists together; take"):
            rg.compare({"a": one, "b": two}, test=test)


def test_no_list_wins_a_number_of_all_lists() -> None:
    one, two = (
        rg.evaluate_catalogue(lists, ["Coverage@2", "NewItems@2"], catalogue=9, popularity={1: 1})
        for lists in ([[1, 2], [2, 3], [4, 5]], [[1, 2], [1, 2], [2, 3]])
    )
    comparison = rg.compare({"a": one, "b": two})
    rows = {row[0]: row for row in (line.split() for line in str(comparison).splitlines()) if row}
    assert rows["Coverage@2"].count("--") == 4  # and no interval
    assert rows["NewItems@2"].count("--") == 1
    assert "| -- | -- | -- |" in " ".join(comparison.to_markdown().split())


def test_numbers_of_two_catalogues_do_not_compare() -> None:
    one, two = (
        rg.evaluate_catalogue(
            [[1, 2], [2, 3]], ["Coverage", "NewItems"], k=2, catalogue=n, popularity={1: 1}
        )
        for n in (9, 10)
    )
    with pytest.raises(ValueError, match="the catalogue of a has 9 items and that of b 10; evalu"):
        rg.compare({"a": one, "b": two}, measures="Coverage")
    assert rg.compare({"a": one, "b": two}, measures="NewItems").rows[0].difference == 0


def test_one_list_and_lists_without_items_say_nothing_of_others() -> None:
    for lists in ([[1, 2]], [[1, 2], [], []], [[]] * 50):
        result = rg.evaluate_catalogue(lists, WHOLE, k=2, catalogue=9)
        names = WHOLE[1:] if len(lists) > 1 else WHOLE
        assert np.isnan([result.interval(name) for name in names]).all()
    for lists in ([[1, 2]], np.empty((0, 3), int)):
        result = rg.evaluate_catalogue(lists, WHOLE, k=2, catalogue=9)
        assert all(np.isnan(result.shares_of(name).numerators).all() for name in WHOLE)


def test_what_sums_and_models_labels_say_nothing_of() -> None:
    result = rg.evaluate_catalogue(draw(1), ["Novelty", "Gini"], k=4, popularity=POPULARITY)
    with pytest.raises(ValueError, match=r"Gini is a number of all lists .*Evaluation\.merge"):
        rg.Accumulator().add(result)
    with pytest.raises(ValueError, match="by_model: Gini is a number of all lists together"):
        rg.corrected_mean(result, result, "Gini")


def test_parts_that_do_not_merge() -> None:
    def part(user: int, row: Any, catalogue: int = 3) -> Any:
        return rg.evaluate_catalogue({user: row}, "Coverage", k=9, catalogue=catalogue)

    first = part(0, [1, 2, 3])
    with pytest.raises(ValueError, match=r"parts\[0\] and parts\[2\] differ: 3 and 4 items"):
        rg.Evaluation.merge([first, part(1, [1]), part(2, [1], 4)])
    with pytest.raises(
        ValueError, match="catalogue=3 is too small: 4 different items were recommended"
    ):
        rg.Evaluation.merge([first, part(1, [4])])
    with pytest.raises(TypeError, match="two types are never equal"):
        rg.Evaluation.merge([first, part(1, ["1"])])
    old = rg.Evaluation(
        {"Coverage": 0.5}, {"Coverage": [np.nan]}, [7], settings={"k": 9}, versions=first.versions
    )
    assert "0.5000" in str(old)  # as an earlier version wrote it
    with pytest.raises(ValueError, match=r"parts\[1\] does not hold the lists"):
        rg.Evaluation.merge([first, old])
    for call in (lambda: rg.Evaluation.merge([old]), lambda: old.interval("Coverage")):
        with pytest.raises(ValueError, match="this evaluation does not hold the lists"):
            call()


@pytest.mark.parametrize("change", [
    lambda data: data["lists"].pop(), lambda data: data["lists"][0].append(data["lists"][0][0]),
    lambda data: data["lists"][0].append("x"), lambda data: data.update(catalogue=-1),
    lambda data: data.pop("lists"), lambda data: data["lists"].__setitem__(0, 1),
])  # fmt: skip
def test_files_with_wrong_lists(change: Any, tmp_path: Any) -> None:
    text = rg.evaluate_catalogue([[1, 2], [3]], "Coverage", k=2, catalogue=4).to_json()
    assert text is not None
    data = json.loads(text)
    change(data["recommended"])
    (tmp_path / "x.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match="not an evaluation that rankgain wrote: recommended"):
        rg.Evaluation.read(tmp_path / "x.json")


def test_intervals_cover_and_tests_keep_their_level() -> None:
    """Of 150 samples of 80 users with tastes, beside the mean of all samples; Coverage is wider."""
    rng = np.random.default_rng(3)
    users, items, k, samples = 80, 200, 5, 150
    shares = -np.log(np.arange(1, items + 1))
    taste = rng.normal(size=(6, items))
    common: dict[str, Any] = {"k": k, "catalogue": items}

    def drawn() -> Any:
        noise = rng.gumbel(size=(users, items)) + taste[rng.integers(0, 6, users)]
        return np.argsort(-(shares + noise), axis=1)[:, :k]

    results, rejected = [], np.zeros(len(WHOLE))
    for _ in range(samples):
        rows, others = drawn(), drawn()
        half = rng.random(users) < 0.5
        others[half] = rows[half]
        one, two = (rg.evaluate_catalogue(each, WHOLE, **common) for each in (rows, others))
        results.append([(one[name], *one.interval(name, method="t")) for name in WHOLE])
        rows_of = rg.compare({"a": one, "b": two}, resamples=300, correction=None).rows
        rejected += [row.p < 0.05 for row in rows_of]
    value, low, high = np.moveaxis(np.array(results), 2, 0)
    center = value.mean(axis=0)
    covered = ((low <= center) & (center <= high)).mean(axis=0)
    assert (covered >= 0.9).all(), covered
    assert (covered[1:] <= 0.995).all(), covered
    assert (rejected <= 0.1 * samples).all(), rejected
    widths = (high - low).mean(axis=0) / (2 * 1.99 * value.std(axis=0))
    assert ((widths > 0.9) & (widths < 1.6)).all(), widths


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
        ([[1, "a"]], "Coverage", {"catalogue": 5}, TypeError, "two types are never equal"),
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
        ([[1, 2]], "Novelty", {}, ValueError, "popularity is needed"),
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
        ([[1, 2]], "nDCG", {}, ValueError, "evaluate_ids takes"),
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
