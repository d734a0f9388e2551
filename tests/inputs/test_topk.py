"""Recommended ids: small ones are looked up by slot, others by hash; nothing may tell which."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

FAR = 2**40  # too large for a slot each


def recommendations(seed: int, width: int = 12) -> tuple[Any, list[Any]]:
    rng = np.random.default_rng(seed)
    rows = np.array([rng.permutation(60)[:width] for _ in range(40)])
    for row, size in zip(rows, rng.integers(0, width + 1, 40), strict=True):
        row[size:] = -1
    relevant = [rng.permutation(60)[: rng.integers(0, 9)] for _ in range(40)]
    return rows, relevant


@pytest.mark.parametrize("dtype", ["i4", "i8", "u2", ">i4"])
@pytest.mark.parametrize("labels", ["f4", "f8", "i1", "?", ">f8"])
def test_every_dtype_has_the_same_values(dtype: str, labels: str) -> None:
    rows, relevant = recommendations(1)
    rows = np.where(rows < 0, 61 + np.arange(12), rows)  # what nobody wants instead of padding
    indptr = np.cumsum([0, *map(len, relevant)])
    indices = np.concatenate(relevant)
    truth = sp.csr_matrix((np.ones(len(indices)), indices, indptr), (40, 100))
    expected = rg.evaluate_ids(rows, truth, "nDCG@5").per_query["nDCG@5"]
    ours: Any = (np.ones(len(indices), labels), indices, indptr)
    result = rg.evaluate_ids(rows.astype(dtype), ours, "nDCG@5").per_query["nDCG@5"]
    assert np.array_equal(result, expected)


@pytest.mark.parametrize("scale", [1, FAR])
def test_a_repeated_id_is_named_where_it_stands_again(scale: int) -> None:
    rows = np.array([[3, 4, 5], [6, 7, 6]]) * scale
    with pytest.raises(
        ValueError, match=rf"list 1, position 2 has the id {6 * scale} a second time"
    ):
        rg.evaluate_ids(rows, [[3 * scale], [6 * scale]], "P@3")


def test_ids_and_gains_that_do_not_fit_are_refused() -> None:
    sparse = sp.csr_matrix(([1.0], ([0], [1])), (1, 9))
    for ids in (np.array([[2**63]], np.uint64), np.array([[2, 2**64 - 1]], np.uint64)):
        with pytest.raises(ValueError, match=r"retrieved holds the id \d+: too large"):
            rg.evaluate_ids(ids, sparse, "P@1")
    wide = r"gains: list 1, position 0 is -9007199254740993; it cannot be represented exactly"
    with pytest.raises(ValueError, match=wide):
        rg.evaluate_ids([[1, 2], [1, 2]], [[1], [2]], "DCG", gains=[[2**53], [-(2**53) - 1]])
    gains: Any = 3
    with pytest.raises(TypeError, match="gains must be a sequence of arrays, not int"):
        rg.evaluate_ids([[1, 2]], [[1]], "P@2", gains=gains)


@pytest.mark.parametrize("dtype", ["f4", "f8", "?", "O"])
def test_list_columns_of_other_types_hold_no_ids(dtype: str) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    rows = [np.array([1, 0], dtype), np.array([1], dtype)]
    column = pa.array([row.tolist() for row in rows])
    if dtype == "O":  # of integers: these are ids
        assert rg.evaluate_ids(column, [[1], [2]], "P@1").per_query["P@1"].tolist() == [1, 0]
        return
    for ids in (column, rows):
        with pytest.raises(TypeError, match="an array in retrieved must hold integer ids, not"):
            rg.evaluate_ids(ids, [[1], [2]], "P@1")


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i2"])
def test_ids_of_every_type_in_lists_of_different_lengths(dtype: str) -> None:
    rows = [np.array([100, 3], dtype), np.array([7], dtype)]
    result = rg.evaluate_ids(rows, [[3], [7]], ["RR", "P@2"])
    assert result.per_query["RR"].tolist() == [0.5, 1.0]
    assert result.per_query["P@2"].tolist() == [0.5, 0.5]


def test_a_place_without_an_id_is_named_in_lists_of_different_lengths() -> None:
    for rows in ([[1.0], [2.0, np.nan]], [[1.0, 3.0], [2.0, np.nan]]):
        with pytest.raises(ValueError, match="list 1, position 1 is NaN"):
            rg.evaluate_ids(rows, [[1], [2]], "P@1")


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "is 0, but relevant has no columns"), (-2, "is -2; ids must be at least 0")],
)
def test_relevant_without_columns_knows_no_id(value: int, words: str) -> None:
    with pytest.raises(ValueError, match=f"list 0, position 0 {words}"):
        rg.evaluate_ids(np.array([[value]]), sp.csr_matrix((1, 0)), "RR")


@pytest.mark.parametrize("dtype", ["i4", "i8"])
@pytest.mark.parametrize("width", [20, 32, 33])
def test_what_is_no_id_is_found_wherever_it_stands(dtype: str, width: int) -> None:
    rows = np.array([np.arange(width), 3 + np.arange(width)], dtype)
    truth = sp.csr_matrix(np.ones((2, 50)))
    for place in range(width):
        for value, words in ((-2, "ids must be at least 0"), (50, r"ids must be in 0 \.\. 49")):
            bad = rows.copy()
            bad[1, place] = value
            with pytest.raises(ValueError, match=f"list 1, position {place} is {value}; {words}"):
                rg.evaluate_ids(bad, truth, "P@2")
        bad = rows.copy()
        bad[1, place] = -1
        if place == width - 1:
            assert rg.evaluate_ids(bad, truth, "P@1")["P@1"] == 1.0
        else:
            with pytest.raises(ValueError, match=f"list 1, position {place} is -1, but ids follow"):
                rg.evaluate_ids(bad, truth, "P@2")


SHAPES: dict[str, Any] = {
    "an array": np.array,
    "lists": lambda rows: [row.tolist() for row in rows],
    "tuples": lambda rows: tuple(map(tuple, rows.tolist())),
    "arrays": lambda rows: [row.copy() for row in rows],
    "sets": lambda rows: [set(row.tolist()) for row in rows],
}


@pytest.mark.parametrize("shape", [*SHAPES][:4])
@pytest.mark.parametrize("largest", [40, 2**50, 2**63 - 2])
def test_a_relevant_id_that_stands_twice_is_named(shape: str, largest: int) -> None:
    relevant = np.array([[1, largest, 3], [largest, 1, 2], [4, 2, 4], [3, 2, 1]])
    ids = np.zeros((4, 1), np.int64)
    with pytest.raises(ValueError, match=r"relevant: list 2 has index 4 twice; keep one"):
        rg.evaluate_ids(ids, SHAPES[shape](relevant), "P@1")
    relevant[2, 2] = 5
    assert rg.evaluate_ids(ids, SHAPES[shape](relevant), "P@1").means["P@1"] == 0


@pytest.mark.parametrize("other", [1.0, True, "1", None])
def test_what_is_no_relevant_id_is_refused_in_plain_lists(other: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"relevant(: list 1| \(list 1\))"):
        rg.evaluate_ids([[1], [2]], [[1, 2], [other]], "P@1")


def test_a_label_of_an_item_that_was_not_recommended_is_named_by_its_argument() -> None:
    for expected in ([{9: -1}], [{1: -1}]):
        with pytest.raises(ValueError, match=r"^relevant: .*negative label -1,"):
            rg.evaluate_ids(np.array([[1, 2, 3]]), expected, "nDCG")
    with pytest.raises(ValueError, match=r"^qrels: .*negative label -1234567,"):
        rg.evaluate({"q": {"a": -1234567}}, {"q": {"b": 1.0}}, "nDCG", convention="rankgain")
    with pytest.raises(ValueError, match=r"^judged: .*negative label -1,"):
        rg.ndcg([1, 0], [0.5, 0.2], judged=[1, 0, -1])


def far(ids: Any) -> Any:
    return np.where(ids < 0, ids, ids * FAR)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("width", [12, 16, 20, 32, 33, 50])
def test_slots_and_hashes_agree_with_sets(seed: int, width: int) -> None:
    rows, relevant = recommendations(seed, width)
    near = rg.evaluate_ids(rows, relevant, ["P@5", "R", "RR", "nDCG@12"])
    away = rg.evaluate_ids(far(rows), [far(one) for one in relevant], ["P@5", "R", "RR", "nDCG@12"])
    indptr = np.cumsum([0, *map(len, relevant)])
    parts = np.ones(indptr[-1], "f4"), np.concatenate(relevant).astype("i4"), indptr
    short = rg.evaluate_ids(rows.astype("i4"), parts, ["P@5", "R", "RR", "nDCG@12"])
    for name, values in near.per_query.items():
        assert np.array_equal(values, away.per_query[name])
        assert np.array_equal(values, short.per_query[name])
    for user, (row, one) in enumerate(zip(rows, relevant, strict=True)):
        hits = len(set(row[:5].tolist()) & set(one.tolist()))
        assert near.per_query["P@5"][user] == hits / 5 if len(one) else True
