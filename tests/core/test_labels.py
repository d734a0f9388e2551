"""Labels as the core checks them: whole numbers, grades, integers of every width."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain import _core
from rankgain.convention import get_convention
from rankgain.engine.columns import MeasureColumns
from rankgain.evaluation.one_pass import resolve_measures
from rankgain.inputs.lists import Lists, make_layout
from rankgain.inputs.sparse import Sparse


@pytest.mark.parametrize(("dtype", "bits"), [(np.float32, 22), (np.float64, 51)])
def test_whole_numbers_are_told_from_fractions(dtype, bits):
    top = 2.0**bits
    whole = np.array([0.0, -0.0, 1, -1, 4, top - 1, top, -top], dtype)
    assert _core.are_small_and_whole(whole, np.inf)
    assert _core.are_small_and_whole(whole[:0], np.inf)
    for other in (0.5, -0.5, 1e-30, top - 0.5, 0.5 - top, -top - 0.5, -1.5 * top - 0.5):
        assert not _core.are_small_and_whole(np.append(whole, dtype(other)), np.inf)
    for beyond in (2.5 * top, -2.5 * top, np.inf, -np.inf, np.nan):  # trunc tells
        assert not _core.are_small_and_whole(np.append(whole, dtype(beyond)), np.inf)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_numbers_up_to_a_limit(dtype):
    values = np.array([0, 31, -7, 4], dtype)
    assert _core.are_small_and_whole(values, 31)
    assert _core.are_small_and_whole(values, 31.5)
    assert not _core.are_small_and_whole(values, 30.5)


@pytest.mark.parametrize("at", [0, 1023, 1024, 2047, 2048, 2499])
def test_one_label_after_many_grades(at):
    grades = (np.arange(2500) % 5).astype(np.float32)
    assert _core.are_small_and_whole(grades, np.inf)
    assert _core.are_small_and_whole(grades, 4)
    assert not _core.are_small_and_whole(np.append(grades, np.zeros(2000, np.float32)), 3)
    for other, whole in [(0.5, False), (3.5, False), (5, True), (-2, True), (np.nan, False)]:
        grades[at] = other
        assert _core.are_small_and_whole(grades, np.inf) is whole
    grades[at] = 7
    assert not _core.are_small_and_whole(grades, 6)


LIMIT = 2**53  # float64 holds all integers up to here


@pytest.mark.parametrize("n", [1, 30, 200])
def test_integers_up_to_2_to_the_53_are_labels(n: int) -> None:
    labels, scores = np.zeros(n, np.int64), np.arange(n, 0, -1.0)
    for label in (LIMIT - 1, LIMIT, -LIMIT, 1 - LIMIT):
        labels[-1] = label
        assert rg.dcg(labels, scores) == rg.dcg(labels.astype(np.float64), scores)


@pytest.mark.parametrize("n", [1, 30, 200])
def test_integers_beyond_2_to_the_53_are_refused(n: int) -> None:
    labels, scores = np.zeros(n, np.int64), np.arange(n, 0, -1.0)
    for label in (LIMIT + 1, -LIMIT - 1, LIMIT + 2, 2 * LIMIT, 2**62, -(2**63), 2**63 - 1):
        labels[-1] = label
        with pytest.raises(ValueError, match=f"y_true.*{n - 1}"):
            rg.dcg(labels, scores)


LABELS = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0]])

SCORES = np.array([[4.0, 3.0, 2.0, 1.0], [4.0, 3.0, 2.0, 1.0]])

# By hand: AP = (1/1 + 2/3) / 2 and 1/2; RPrec = 1/2 and 0; the ideal of nDCG is the relevant
# documents at the first ranks.
DISCOUNTS = 1 / np.log2([2, 3, 4])

VALUES = {
    "AP": [5 / 6, 1 / 2],
    "RPrec": [1 / 2, 0],
    "nDCG": [
        (DISCOUNTS[0] + DISCOUNTS[2]) / (DISCOUNTS[0] + DISCOUNTS[1]),
        DISCOUNTS[1] / DISCOUNTS[0],
    ],
}


def label_array(is_sparse: bool) -> Any:
    if not is_sparse:
        return _core.LabelArray(LABELS.reshape(-1), checked=True)
    columns = LABELS.nonzero()[1].copy()
    return _core.LabelArray(np.ones(3), columns, np.array([0, 2, 3]), True)


@pytest.mark.parametrize(("name", "is_sparse"), list(product(VALUES, (False, True))))
def test_the_core_makes_ideals_itself_without_prepared_judgments(
    name: str, is_sparse: bool
) -> None:
    layout = make_layout(SCORES.shape, None, None, None)
    labels: Any = Sparse(*(np.ones(3), LABELS.nonzero()[1].copy(), np.array([0, 2, 3])), 4)
    lists = Lists(layout, labels if is_sparse else LABELS, SCORES)
    measures = resolve_measures([name], {}, get_convention("rankgain")).measures
    (plan, _, _), *_ = MeasureColumns(measures, lists).plans
    for _ in range(20):  # memory of an earlier call is seldom zero
        rg.evaluate_arrays(np.eye(9) * 5, np.ones((9, 9)), [*VALUES, "DCG(gain=exp2)"])
        out = np.empty((2, plan.width))
        arguments = (label_array(is_sparse), layout.starts, layout.stops, None, None, out, 0, 2)
        fault = _core.evaluate(plan, SCORES.reshape(-1), *arguments)
        assert not isinstance(fault, tuple)
        assert out[:, 0] == pytest.approx(VALUES[name])


@pytest.mark.parametrize("n_keys", [1, 7])
def test_tie_keys_must_reach_the_end_of_each_list(n_keys):
    layout = make_layout(SCORES.shape, None, None, None)
    lists = Lists(layout, LABELS, SCORES)
    measures = resolve_measures(["nDCG"], {"ties": "stable"}, get_convention("rankgain")).measures
    (plan, _, _), *_ = MeasureColumns(measures, lists).plans
    keys, out = np.zeros(n_keys, np.int64), np.empty((2, plan.width))
    arguments = (label_array(False), layout.starts, layout.stops, None, keys, out, 0, 2)
    with pytest.raises(IndexError, match=f"there are {n_keys} tie keys"):
        _core.evaluate(plan, SCORES.reshape(-1), *arguments)


LENGTHS = (17, 31, 32, 33, 40, 64, 100, 127, 130, 257, 400)

ODD = (0.5, 1.5, 3.9999998, 5.0, 17.0, -1.0, -0.0, 1e-30, 3e38)


def asked(n: int) -> list[str]:
    """A deep ideal, and more thresholds of relevance than are counted one by one."""
    k = n // 2
    return [f"IDCG@{k}", "IDCG", *(f"R(rel={rel})@{k}" for rel in (0.5, 1, 2, 3, 4))]


def wanted(labels: np.ndarray, scores: np.ndarray) -> list[float]:
    n = len(labels)
    k = n // 2
    ideal = np.sort(labels.astype(float))[::-1] / np.log2(np.arange(2, n + 2))
    top = labels[np.argsort(-scores)[:k]]
    counts = [((top >= rel).sum(), (labels >= rel).sum()) for rel in (0.5, 1, 2, 3, 4)]
    return [ideal[:k].sum(), ideal.sum(), *(a / b if b else np.nan for a, b in counts)]


def check(labels: np.ndarray, scores: np.ndarray) -> None:
    result = rg.evaluate_arrays([labels], [scores], asked(len(labels)), empty=np.nan)
    values = [one[0] for one in result.per_query.values()]
    np.testing.assert_allclose(values, wanted(labels, scores), rtol=1e-12)


def graded(rng: np.random.Generator, n: int, top: int) -> np.ndarray:
    labels = rng.integers(0, top + 1, n).astype(np.float32)
    labels[rng.random(n) < 0.3] = 0
    return labels


@pytest.mark.parametrize("top", [1, 2, 3, 4, 5, 9])
@pytest.mark.parametrize("n", LENGTHS)
def test_grades_of_every_length(n: int, top: int) -> None:
    rng = np.random.default_rng([n, top])
    check(graded(rng, n, top), rng.permutation(n).astype(np.float32))
    check(graded(rng, n, top)[::-1] * 0, rng.permutation(n).astype(np.float32))


@pytest.mark.filterwarnings("ignore:.*pass ignore=:rankgain.RankgainWarning")
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("n", LENGTHS)
def test_one_label_that_is_none_of_the_grades(n: int, odd: float) -> None:
    rng = np.random.default_rng(n)
    for place in {0, 1, n // 2, n - 2, n - 1, *rng.integers(0, n, 4).tolist()}:
        labels = graded(rng, n, 4)
        labels[place] = odd
        check(labels, rng.permutation(n).astype(np.float32))
