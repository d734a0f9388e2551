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


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i2"])
def test_ids_of_every_type_in_lists_of_different_lengths(dtype: str) -> None:
    rows = [np.array([100, 3], dtype), np.array([7], dtype)]
    result = rg.evaluate_ids(rows, [[3], [7]], ["RR", "P@2"])
    assert result.per_query["RR"].tolist() == [0.5, 1.0]
    assert result.per_query["P@2"].tolist() == [0.5, 0.5]


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
