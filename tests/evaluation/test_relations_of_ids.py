"""What must not change: users in another order, one more, parts merged, measures together."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from containers import BY_USER, FORMS, KINDS
from pairwise import Row, name_of, rows_of
from sampling import sampled

pytestmark = pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
RANKED = ["nDCG@3", "AP", "P@2", "RR@5"]
OF_ITEMS = [
    "Coverage@2", "Coverage@4", "Gini@3", "Entropy@4", "Personalisation@3", "Novelty@4",
    "Popularity@1", "TailShare@4", "NewItems@2", "ILD@3", "Serendipity@4",
]  # fmt: skip
WHOLE = ("Coverage", "Gini", "Entropy", "Personalisation")
USERS, ITEMS = 24, 15
AXES: dict[str, list[Any]] = {
    "form": [*BY_USER, *(one for one in FORMS if one not in ("keys", *BY_USER))],
    "kind": list(KINDS),
    "duplicates": ["raise", "first"],
    "excluded": [False, True],
    "relation": ["permuted", "one more", "merged", "alone", "beside each other", "catalogue"],
}


def allowed(row: Row) -> bool:
    if row["form"] in BY_USER and row["excluded"]:
        return False
    return row["relation"] != "catalogue" or not row["excluded"]


class Data:
    """Four ids for each user, what is relevant and excluded, and what is known of items."""

    def __init__(self, row: Row) -> None:
        rng = np.random.default_rng(sum(map(ord, str(row))))
        make = self.make = KINDS[row["kind"]]

        def draw(n: int) -> list[list[Any]]:
            return [[make(i) for i in rng.permutation(ITEMS)[:n].tolist()] for _ in range(USERS)]

        self.row, self.lists, self.relevant, self.out = row, draw(4), draw(3), draw(2)
        self.known: dict[str, Any] = {
            "catalogue": [make(i) for i in range(ITEMS)],
            "popularity": {make(i): i % 4 + 1 for i in range(ITEMS)},
            "categories": {make(i): {i % 3, 10 + i % 4} for i in range(ITEMS)},
            "baseline": [make(i) for i in range(3)],
        }

    def evaluate(self, at: Any, measures: Any = None) -> rg.Evaluation:
        place = lambda rows: FORMS[self.row["form"]]([rows[i] for i in at])  # noqa: E731
        if self.row["form"] in BY_USER:
            place = lambda rows: dict(  # noqa: E731
                zip(at, FORMS[self.row["form"]]([rows[i] for i in at]).values(), strict=True)
            )
        names = [*RANKED[:2], *OF_ITEMS, *RANKED[2:]] if measures is None else measures
        some = [names] if isinstance(names, str) else names
        known = self.known if any(one in OF_ITEMS for one in some) else {}
        return rg.evaluate_ids(
            place(self.lists), place(self.relevant), names,
            duplicates=self.row["duplicates"],
            exclude=place(self.out) if self.row["excluded"] else None,
            **known,
        )  # fmt: skip


def same(result: rg.Evaluation, expected: rg.Evaluation, at: Any, names: Any = None) -> None:
    for name in names or expected.means:
        np.testing.assert_array_equal(result.per_query[name], expected.per_query[name][at], name)


@pytest.mark.parametrize("row", sampled(rows_of(AXES, allowed), one_in=2), ids=name_of)
def test_relations(row: Row) -> None:
    data, every = Data(row), list(range(USERS))
    whole = data.evaluate(every)
    assert list(whole.means) == [*RANKED[:2], *OF_ITEMS, *RANKED[2:]]
    of_users = [name for name in whole.means if not name.startswith(WHOLE)]
    if row["relation"] == "permuted":
        order = np.random.default_rng(1).permutation(USERS).tolist()
        result = data.evaluate(order)
        same(result, whole, order)
        for name, mean in whole.means.items():
            assert result[name] == pytest.approx(mean, rel=1e-14), name
    elif row["relation"] == "one more":
        result = data.evaluate(every[:-1])
        same(result, whole, every[:-1], of_users)
        shown = {one for ids in result.recommended.to_lists() for one in ids[:2]}  # type: ignore[union-attr]
        assert result["Coverage@2"] == len(shown) / ITEMS <= whole["Coverage@2"]
    elif row["relation"] == "merged":
        parts = [data.evaluate(every[:7]), data.evaluate(every[7:8]), data.evaluate(every[8:])]
        assert rg.Evaluation.merge(parts) == whole
    elif row["relation"] == "alone":
        for name in whole.means:
            alone = data.evaluate(every, name)
            same(alone, whole, every, [name])
            assert alone.means == {name: whole[name]}
            assert alone.counts == {
                key: value if not hasattr(value, "items") else {name: value[name]}
                for key, value in whole.counts.items()
                if not hasattr(value, "items") or name in value
            }
    elif row["relation"] == "beside each other":
        for some in (RANKED, OF_ITEMS, [*OF_ITEMS, *RANKED]):
            result = data.evaluate(every, some)
            same(result, whole, every, some)
            assert result.means == {name: whole[name] for name in some}
    else:
        place = FORMS[row["form"]]
        result = rg.evaluate_catalogue(
            place(data.lists), OF_ITEMS, relevant=place(data.relevant), **data.known
        )
        same(result, whole, every, OF_ITEMS)
        assert result.means == {name: whole[name] for name in OF_ITEMS}


def test_what_is_left_out_is_not_shown() -> None:
    lists, relevant = [["a", "b", "a"], ["c"]], [["a"], ["c"]]
    names = ["RR", "Coverage@3"]
    result = rg.evaluate_ids(lists, relevant, names, duplicates="first", catalogue=4)
    assert result.means == {"RR": 1.0, "Coverage@3": 0.75}
    result = rg.evaluate_ids(
        lists, relevant, names, duplicates="first", catalogue=4, exclude=[["a"], []]
    )
    assert result["Coverage@3"] == 0.5
    result = rg.evaluate_ids({"u": ["a"], "v": ["b"]}, {"u": ["a"], "w": ["a"]}, names, catalogue=4)
    assert result["Coverage@3"] == 0.25  # v is no query
    assert result.queries == ("u", "w")


def test_items_beside_a_matrix_and_with_weights() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    csr = sparse.csr_matrix(([1.0, 0.0, 1.0], ([0, 0, 1], [1, 2, 3])), (2, 6))
    rows = np.array([[1, 2], [4, -1]])
    for relevant in (csr, rg.Truth(csr), rg.Truth(csr.toarray())):
        result = rg.evaluate_ids(
            rows, relevant, ["HitRate@2", "Serendipity@2", "Popularity@1", "Coverage@2"],
            baseline=[4], popularity=[0, 5, 0, 0, 1, 0], weight=[3, 1],
        )  # fmt: skip
        assert result.per_query["Serendipity@2"].tolist() == [0.5, 0.0]
        assert result.means == {
            "HitRate@2": 0.75, "Serendipity@2": 0.375, "Popularity@1": 4.0, "Coverage@2": 0.5,
        }  # fmt: skip


def test_lists_without_values_are_counted_for_measures_of_both_kinds() -> None:
    result = rg.evaluate_ids(
        {"u": ["a", "b"], "v": ["c"]}, {"u": ["a"], "v": []}, ["RR", "ILD@2"],
        empty="skip", categories={"a": 1, "b": 2, "c": 1},
    )  # fmt: skip
    assert result.counts["undefined"] == {"RR": 1, "ILD@2": 1}
    assert result.counts["undefined_as"] == {"RR": "skip", "ILD@2": "skip"}
    assert result.means == {"RR": 1.0, "ILD@2": 1.0}


def test_queries_that_a_convention_skips_show_nothing() -> None:
    skipping = rg.conventions["rankgain"].replace(missing="skip")
    result = rg.evaluate_ids(
        {"u": ["a", "b"]}, {"w": ["a"], "u": ["a"]}, ["RR", "Popularity@1"],
        convention=skipping, popularity={"a": 4, "b": 1},
    )  # fmt: skip
    assert result.queries == ("u",)
    assert result.per_query["Popularity@1"].tolist() == [4.0]


@pytest.mark.parametrize("cutoff", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("ids", ["text", "integers"])
def test_a_repeat_in_place_takes_the_place_of_an_item(cutoff: int, ids: str) -> None:
    """What is shown are the items of the first places, each once; without places, the next ones."""
    rng = np.random.default_rng(cutoff)
    rows: list[list[Any]] = rng.integers(0, 6, (7, 8)).tolist()
    rows += [[4, 4, 4, 1], [3], []]
    if ids == "text":
        rows = [[f"i{number}" for number in row] for row in rows]
    relevant = [row[:1] for row in rows]
    shown = {
        "in_place": [set(row[:cutoff]) for row in rows],
        "first": [set(list(dict.fromkeys(row))[:cutoff]) for row in rows],
    }
    for duplicates, sets in shown.items():
        name = f"Coverage@{cutoff}"
        result = rg.evaluate_ids(rows, relevant, name, catalogue=20, duplicates=duplicates)
        assert result[name] == pytest.approx(len(set().union(*sets)) / 20), duplicates
        alone = [
            rg.evaluate_ids([row], [[]], name, catalogue=20, duplicates=duplicates)[name]
            for row in rows
        ]
        assert alone == pytest.approx([len(items) / 20 for items in sets]), duplicates


def test_several_cutoffs_beside_repeats_in_place_are_refused() -> None:
    names = ["Popularity@1", "Popularity@2"]
    options: Any = {"popularity": {1: 2, 3: 4}, "duplicates": "in_place"}
    assert rg.evaluate_ids([[1, 3]], [[1]], names, **options).means == {names[0]: 2, names[1]: 3}
