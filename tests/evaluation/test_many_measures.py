"""Many measures at many cutoffs in one call: the same bits as each measure alone."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from sampling import sampled

MEASURES = (
    *("nDCG", "nDCG(gain=exp2)", "DCG", "AP", "AP(rel=2)", "AP(divisor=hits)", "RR", "RR(rel=3)"),
    *("P", "R", "F1", "F1(beta=2)", "HitRate", "HitRate(rel=4)", "RBP", "RBP(rel=2)", "ERR"),
)
CUTOFFS = (1, 5, 10, 100, 1000, None)
LABELS = {
    "a few relevant": lambda rng, shape: (rng.random(shape) < 0.2) * rng.integers(1, 5, shape),
    "half relevant": lambda rng, shape: (rng.random(shape) < 0.5) * rng.integers(1, 5, shape),
    "all relevant": lambda rng, shape: rng.integers(1, 5, shape),
    "nothing relevant": lambda rng, shape: np.zeros(shape, int),
    "one relevant": lambda rng, shape: np.eye(*shape, k=3, dtype=int) * 3,
    "fractions": lambda rng, shape: np.round(rng.random(shape) * 4 * (rng.random(shape) < 0.2), 1),
}


def lists(labels: str, docs: int, tied: bool) -> tuple[Any, Any]:
    rng = np.random.default_rng(docs)
    scores = rng.permuted(np.tile(np.arange(docs), (12, 1)), axis=1)
    return LABELS[labels](rng, (12, docs)).astype(np.float32), (scores // (1 + tied)).astype("f4")


@pytest.mark.parametrize(
    ("labels", "docs", "tied"),
    sampled(LABELS, [1, 7, 8, 9, 60, 103, 104, 105, 112, 1000], [False, True]),
)
def test_as_each_measure_alone(labels: str, docs: int, tied: bool) -> None:
    y, s = lists(labels, docs, tied)
    names = [name if k is None else f"{name}@{k}" for name in MEASURES for k in CUTOFFS]
    result = rg.evaluate_arrays(y, s, names, empty=np.nan)
    for name in names:
        alone = rg.evaluate_arrays(y, s, [name], empty=np.nan).per_query[name]
        np.testing.assert_array_equal(result.per_query[name].view("u8"), alone.view("u8"), name)


@pytest.mark.parametrize("rel", [0, -1.0, 0.5, 5])
def test_where_every_label_or_none_is_relevant(rel: float) -> None:
    y, s = lists("a few relevant", 40, False)
    names = [f"{name}(rel={rel})@{k}" for name in ("P", "AP", "RR", "HitRate", "R") for k in (3, 9)]
    result = rg.evaluate_arrays(y, s, names, empty=np.nan)
    for name in names:
        alone = rg.evaluate_arrays(y, s, [name], empty=np.nan)
        key = next(iter(alone))
        values = result.per_query[key].view("u8")
        np.testing.assert_array_equal(values, alone.per_query[key].view("u8"), name)


@pytest.mark.parametrize("discount", [None, "array"])
def test_a_deeper_measure_beside_cut_ones(discount: str | None) -> None:
    """Hits beyond the weights of those that are cut."""
    labels = np.zeros((3, 5000), np.float32)
    labels[0, 4990:], labels[1, ::500], labels[2, 7:20] = 1, 2, 3
    scores = -np.arange(15_000, dtype=np.float32).reshape(3, -1)
    names = ["nDCG@10", "DCG@10", "AP", "RR", "RPrec", "RBP@5"]
    given: dict[str, Any] = {} if discount is None else {"discount": 1 / np.arange(1.0, 11.0)}
    together = rg.evaluate_arrays(labels, scores, names, **given)
    for name in names:
        own = given if "DCG" in name else {}  # an argument that nothing takes is refused
        alone = rg.evaluate_arrays(labels, scores, [name], **own)
        assert together.per_query[name].tobytes() == alone.per_query[name].tobytes(), name


def test_one_gain_above_two_least_labels() -> None:
    """`min_label` changes what a gain of the same name is worth."""
    y, s = lists("half relevant", 40, False)
    names = ["nDCG@5", "nDCG(min_label=3)@5", "nDCG(gain=exp2)@5", "nDCG(gain=exp2,min_label=2)@5"]
    together = rg.evaluate_arrays(y, s, names)
    for name in names:
        alone = rg.evaluate_arrays(y, s, [name])
        assert together.per_query[name].tobytes() == alone.per_query[name].tobytes(), name
    assert len({together.means[name] for name in names}) == len(names)
