"""Measures of shown items in parts, in files, with intervals, and beside another system."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from shown_items import CATEGORIES, POPULARITY, WHOLE, draw


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
    # A segment of one user has the numbers of the items, although there is nothing to test.
    alone = {user: user == "u7" for user in users}
    by_user = one.by(alone)["True"], two.by(alone)["True"]
    for row in rg.compare({"a": one, "b": two}, by=alone).rows:
        if row.segment == "True" and row.measure != "Personalisation":
            means = by_user[0][row.measure], by_user[1][row.measure]
            assert (row.mean_a, row.mean_b, row.difference) == (*means, means[0] - means[1])
            assert math.isnan(row.p)
            assert row.lists == 0


def test_no_list_wins_a_number_of_all_lists() -> None:
    one, two = (
        rg.evaluate_catalogue(lists, ["Coverage@2", "NewItems@2"], catalogue=9, popularity={1: 1})
        for lists in ([[1, 2], [2, 3], [4, 5]], [[1, 2], [1, 2], [2, 3]])
    )
    comparison = rg.compare({"a": one, "b": two})
    rows = {row[0]: row for row in (line.split() for line in str(comparison).splitlines()) if row}
    # No list wins: "--" for wins, ties and losses; and none for the interval.
    assert rows["Coverage@2"].count("--") == 2
    assert rows["NewItems@2"].count("--") == 1
    assert "| -- |" in " ".join(comparison.to_markdown().split())


def test_numbers_of_two_catalogues_do_not_compare() -> None:
    asked: Any = ["Coverage", "NewItems"]
    options: Any = {"k": 2, "popularity": {1: 1}}
    one, two = (
        rg.evaluate_catalogue([[1, 2], [2, 3]], asked, catalogue=n, **options) for n in (9, 10)
    )
    assert rg.compare({"a": one, "b": two}, measures="NewItems").rows[0].difference == 0


def test_one_list_and_lists_without_items_say_nothing_of_others() -> None:
    for lists in ([[1, 2]], [[1, 2], [], []], [[]] * 50):
        result = rg.evaluate_catalogue(lists, WHOLE, k=2, catalogue=9)
        names = WHOLE[1:] if len(lists) > 1 else WHOLE
        assert np.isnan([result.interval(name) for name in names]).all()
    for lists in ([[1, 2]], np.empty((0, 3), int)):
        result = rg.evaluate_catalogue(lists, WHOLE, k=2, catalogue=9)
        assert all(np.isnan(result.shares_of(name).numerators).all() for name in WHOLE)


def test_parts_that_do_not_merge() -> None:
    def part(user: int, row: Any, catalogue: int = 3) -> Any:
        return rg.evaluate_catalogue({user: row}, "Coverage", k=9, catalogue=catalogue)

    first = part(0, [1, 2, 3])
    without_lists = rg.Evaluation(
        {"Coverage": 0.5}, {"Coverage": [np.nan]}, [7], settings={"k": 9}, versions=first.versions
    )
    assert "0.5000" in str(without_lists)


def test_intervals_of_all_lists_are_those_of_the_jackknife() -> None:
    stats = pytest.importorskip("scipy.stats")
    lists: list[list[int]] = [[1, 2, 3], [2, 3], [], [3, 4, 1], [1, 4, 5], [], [6, 2]]
    n = len(lists)

    def values(rows: list[list[int]]) -> Any:
        return rg.evaluate_catalogue(rows, WHOLE, k=3, catalogue=9).means

    result = rg.evaluate_catalogue(lists, WHOLE, k=3, catalogue=9)
    without = [values(lists[:row] + lists[row + 1 :]) for row in range(n)]
    for name in WHOLE:
        # The pseudo-values are n t - (n - 1) t_i, moved so that their mean is t.
        left_out = np.array([means[name] for means in without])
        pseudo = result[name] + (n - 1) * (left_out.mean() - left_out)
        half = stats.t.ppf(0.975, n - 1) * pseudo.std(ddof=1) / np.sqrt(n)
        expected = result[name] - half, result[name] + half
        assert result.interval(name, method="t") == pytest.approx(expected)
