"""Places of the core that one value alone reaches: last elements, signs, least divisors, zeros."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from rankgain import _core
from rankgain.inputs.grouping import group_rows
from rankgain.measures.families import FAMILIES

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")


@pytest.mark.parametrize("dtype", "u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8".split())
@pytest.mark.parametrize("form", ["Truth", "array"])
@pytest.mark.parametrize("scores", ["f4", "f8"])
def test_the_largest_labels_of_a_type_among_candidates(dtype: str, form: str, scores: str) -> None:
    largest = 2**15 if dtype[0] == "f" else int(min(np.iinfo(dtype).max, 2**50))
    y_score = np.arange(120).astype(scores)
    for label in {largest, largest // 2}:
        labels = np.zeros((2, 120), dtype)
        labels[:, -1], labels[1, 60] = label, largest
        truth = rg.Truth(labels) if form == "Truth" else labels
        rows = np.array([y_score, y_score])
        assert rg.dcg(truth, rows, k=1, gain="linear").tolist() == [label, label]
        assert rg.ndcg(truth, rows, k=1, gain="linear").tolist() == [1.0, label / largest]


@pytest.mark.parametrize("hits", [0, 1, 47, 48, 49, 60, 199])
@pytest.mark.parametrize("items", [200, 5000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_nan_is_found_whatever_the_number_of_hits(hits: int, items: int, dtype: Any) -> None:
    rng = np.random.default_rng(hits)
    for at in (0, 63, items - 1):
        scores = rng.random((3, items)).astype(dtype)
        scores[1, at] = np.nan
        relevant = sp.lil_matrix((3, items))
        relevant[1, rng.permutation(items)[:hits]] = 1
        relevant[2, 5] = 1
        with pytest.raises(ValueError, match=rf"user 1, item {at} is NaN"):
            rg.evaluate_scores(scores.__getitem__, relevant.tocsr(), "AP")


KEYS: list[list[int]] = [
    [0, 10**12, 0], [10**12, 0, 10**12, 0], [0, -(10**12), 0, 1], [-1, 0, 2**62, -1, -(2**62)],
    [7, 7, 10**12, 0],
]  # fmt: skip


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_rows_are_numbered_by_keys_far_apart(keys: list[int], dtype: Any) -> None:
    """By a hash, whose table begins empty: 0 is a key as any other."""
    if dtype is np.int32:
        keys = [int(np.sign(key)) * (abs(key) % 2**30) for key in keys]
        keys = [key * 3 for key in keys if abs(key) < 2**28] + [0, 2**30, 0]
    expected = [[*dict.fromkeys(keys)].index(key) for key in keys]
    groups = group_rows(np.array(keys, dtype))
    assert groups.codes.tolist() == expected
    assert groups.sizes.tolist() == np.bincount(expected).tolist()
    assert groups.adjacent is (expected == sorted(expected))


def test_a_first_user_0_among_large_ones() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"user": [0, 10**12, 0], "item": ["a", "b", "c"], "rank": [1, 1, 2]}
    ).rename(columns={"user": "user_id", "item": "item_id"})
    expected = pandas.DataFrame({"user_id": [0, 10**12], "item_id": ["c", "b"]})
    assert rg.evaluate_ids(frame, expected, "RR").to_dict() == {0: {"RR": 0.5}, 10**12: {"RR": 1.0}}


def test_counts_beyond_a_byte_are_counted() -> None:
    """Of one cell, whatever holds it on the way."""
    first, levels = np.array([0, 1]), np.array([0.5])
    for count in (1, 255, 256, 300, 70_000):
        cells = np.zeros(3, np.int64)
        _core.count_rows(np.zeros(count, np.int64), np.full(count, 0.9), first, levels, cells)
        assert cells.tolist() == [count, 0, 0]


def per_query(labels: Any, scores: Any, names: list[str], **options: Any) -> list[float]:
    result = rg.evaluate_arrays([labels], [scores], names, **options)
    return [float(values[0]) for values in result.per_query.values()]


@pytest.mark.parametrize("rank", ["optimistic", "realistic", "pessimistic"])
def test_a_rank_equal_to_the_cutoff_counts(rank: str) -> None:
    names = [f"{name}(rank={rank})@{k}" for name in ("RR", "HitRate") for k in (1, 2)]
    assert per_query([0, 1, 0], [3, 2, 1], names) == [0.0, 0.5, 0.0, 1.0]


@pytest.mark.parametrize(("share", "cut"), [(0.07, 7), (0.14, 14), (0.55, 55), (0.071, 8)])
def test_a_share_of_a_list_is_rounded_up_but_not_for_an_error_of_rounding(share, cut) -> None:
    """.07 * 100 is 7.000000000000001, and so on."""
    for rank, expected in ((cut, 100 / cut), (cut + 1, 0.0)):
        labels = [int(i == rank) for i in range(1, 101)]
        (result,) = per_query(labels, range(100, 0, -1), [f"Lift(share={share})"])
        assert result == pytest.approx(expected, rel=1e-14)


def test_a_relevant_document_that_is_not_in_the_list_has_no_rank() -> None:
    names = ["MR", "AMR", "AMRI"]
    missing = per_query([1, 0, 0], [3, 2, 1], names, judged=[[1, 1, 0]], empty=float("nan"))
    assert np.isnan(missing).all()
    assert per_query([1, 0, 0], [3, 2, 1], names, judged=[[1, 0]]) == [1.0, 0.5, 1.0]


def test_bounds_over_ties_have_the_ideal_of_what_was_judged() -> None:
    result = rg.evaluate_arrays([[1, 0]], [[1, 1]], "nDCG@1", judged=[[3, 1, 0]], bounds="ties")
    assert result.bounds["ties"]["nDCG@1"].tolist() == [[0.0, 1 / 3]]


@pytest.mark.parametrize("beyond", [1, 2, 5])
def test_bounds_where_nothing_judged_is_relevant_try_documents_below_the_cutoff(beyond) -> None:
    """Recall is least where a relevant document stands below the cutoff; none: undefined."""
    run = {"q": {"a": 9.0, "b": 8.0, **{f"c{i}": float(-i) for i in range(beyond)}}}
    result = rg.evaluate({"q": {"b": 0}}, run, ["R@1", "nDCG@1"], bounds="unjudged", empty="skip")
    assert result.bounds["unjudged"]["R@1"].tolist() == [[0.0, 1.0]]
    assert result.bounds["unjudged"]["nDCG@1"].tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(("ties", "first"), [("id_descending", 9), ("id", 10)])
@pytest.mark.parametrize("others", [[10], [10, 80], [10, 11, 85, 100]])
def test_integer_ids_that_tie_are_ordered_as_text(ties, first, others) -> None:
    """As trec_eval does: "9" is above "10" and "85"."""
    for relevant in [9, *others]:
        labels = {i: int(i == relevant) for i in [9, *others]}
        run = {1: dict.fromkeys(labels, 1.0)}
        order = sorted(labels, key=str, reverse=ties == "id_descending")
        assert order[0] == first
        result = rg.evaluate({1: labels}, run, "RR", ties=ties)["RR"]
        assert result == 1 / (order.index(relevant) + 1)
        assert result == rg.evaluate(rg.Qrels({1: labels}), run, "RR", ties=ties)["RR"]


def test_decimals_of_16_digits_are_the_nearest_doubles(tmp_path) -> None:
    """Beyond 2**53 a whole number is no double, and dividing it would round twice."""
    rng = np.random.default_rng(3)
    whole = rng.integers(2**53, 2**54, 4000)
    texts = [f"{text[:-4]}.{text[-4:]}" for text in map(str, whole.tolist())]
    path = tmp_path / "run.txt"
    path.write_text("".join(f"q Q0 d{i} 1 {text} t\n" for i, text in enumerate(texts)))
    run = rg.Run(str(path))["q"]
    assert [run[f"d{i}"] for i in range(len(texts))] == list(map(float, texts))


def test_a_list_longer_than_those_before_has_weights_for_all_its_ranks() -> None:
    for n in (3, 300, 5, 5000):
        labels = [int(i in (1, n - 1)) for i in range(n)]
        scores = list(range(n, 0, -1))
        result = rg.dcg(np.array(labels), np.array(scores, float))
        assert result == pytest.approx(float(reference.dcg(labels, scores)), rel=1e-13)


@pytest.mark.parametrize("name", ["RnDCG", "G", "Q@3", "ndcg_rel", "nDCG@3"])
def test_walks_beside_an_ideal_see_nothing_of_the_labels_cut_from_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if a convention may define the ideal of measures that step through it run by run."""
    for key, family in FAMILIES.items():
        monkeypatch.setitem(FAMILIES, key, family._replace(has_ideal=True))
    rules = rg.Convention("cut", ideal="returned")
    results = []
    for pool in ([3.0, 2.0, 1.0], [3.0, 2.0, 1.0, 0.5, 0.25]):
        labels = sp.csr_matrix([[1.0, 3.0, 0.0]])
        table = rg.evaluate_arrays(
            labels, [[3.0, 2.0, 1.0]], name, judged=[np.array(pool)], convention=rules
        )
        results.append(table.means)
    assert results[0] == results[1]


@pytest.mark.parametrize("pool", [[3, 2, 1], [3, 2, 1, 0.5, 0.25], [2, 2, 1]])
def test_bounds_beside_an_ideal_see_nothing_of_the_labels_cut_from_it(
    pool: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, family in FAMILIES.items():
        monkeypatch.setitem(FAMILIES, key, family._replace(has_ideal=True))
    rules = rg.Convention("cut", ideal="returned")
    result = rg.evaluate_arrays(
        sp.csr_matrix([[1.0, 0.0, 2.0]]),
        [[3.0, 2.0, 1.0]],
        "RnDCG",
        judged=[np.array(pool, float)],
        convention=rules,
        bounds="unjudged",
    )
    values = []
    for label in (0, max(pool)):
        ideal = sorted([*pool, label], reverse=True)[:3]
        values.append(float(reference.r_ndcg([1, label, 2], judged=ideal)))
    expected = [min(values), max(values)]
    np.testing.assert_allclose(result.bounds["unjudged"]["RnDCG"][0], expected, rtol=1e-13)
