"""Labels that are 0 to 4, counted in one pass, and lists in which one label is another."""

import numpy as np
import pytest

import rankgain as rg

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


@pytest.mark.parametrize("place", [0, 70, 198])
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_a_label_that_is_no_number(place: int, odd: float) -> None:
    rng = np.random.default_rng(1)
    labels = graded(rng, 199, 4)
    labels[place] = odd
    with pytest.raises(ValueError, match=f"list 0, document {place} is {odd};"):
        rg.evaluate_arrays([labels], [rng.random(199)], asked(199))


def test_grades_above_the_largest_that_a_measure_takes() -> None:
    rng = np.random.default_rng(2)
    labels, scores = graded(rng, 200, 4), rng.random(200)
    labels[:3] = 2, 2, 4
    measures = ["ERR(max_label=3)@100", *asked(200)]
    with pytest.raises(ValueError, match="document 2 has label 4"):
        rg.evaluate_arrays([labels], [scores], measures)
