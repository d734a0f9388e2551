"""Where each measure is undefined, and that it is defined elsewhere."""

import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain import metrics

NEVER = ("cg", "dcg", "idcg")
# Labels that leave a measure undefined, with its arguments.
UNDEFINED: dict[str, list[tuple[list[float], dict[str, Any]]]] = {
    "ndcg": [([0, 0], {}), ([1, 1], {"gain": "binary", "rel": 2})],
    "err": [([0, 0], {})],
    "auc": [([0, 0], {}), ([1, 1], {}), ([1, 1], {"rel": 2})],
}
R_IS_ZERO: list[tuple[list[float], dict[str, Any]]] = [([0, 0], {}), ([1, 1], {"rel": 2})]


@pytest.mark.parametrize("name", [name for name in metrics.__all__ if name not in NEVER])
def test_undefined_is_empty(name: str) -> None:
    function = getattr(rg, name)
    for labels, given in UNDEFINED.get(name, R_IS_ZERO):
        found = function(labels, [0.2, 0.1], empty=math.nan, **given)
        assert math.isnan(found), (labels, given)
        assert function(labels, [0.2, 0.1], empty=7.0, **given) == 7.0
        with pytest.raises(ValueError, match="undefined"):
            function(labels, [0.2, 0.1], empty="raise", **given)


@pytest.mark.parametrize("undefined", [0, 1, 650, 1299])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_undefined_list_among_many_is_found(undefined: int, threads: int) -> None:
    """Fortran order is copied chunk by chunk; sums, which are never undefined, come first."""
    labels = np.ones((1300, 300), order="F")
    labels[undefined] = 0
    scores = np.asfortranarray(np.arange(labels.size, dtype=float).reshape(labels.shape))
    measures = ("DCG@2", "AP(ties=stable)", "RR(ties=stable)@3")
    found = rg.evaluate_arrays(labels, scores, measures, empty=7.0, threads=threads)
    for name in found.means:
        filled = found.per_query[name] == 7.0
        assert filled.tolist() == [i == undefined and name != "DCG@2" for i in range(1300)], name
        assert found.means[name] == pytest.approx(found.per_query[name].mean()), name
    several = rg.ndcg(labels, scores, k=[1, 5], empty=7.0, threads=threads)
    assert np.argwhere(several == 7.0).tolist() == [[undefined, 0], [undefined, 1]]


@pytest.mark.parametrize("name", metrics.__all__)
def test_misses_are_not_undefined(name: str) -> None:
    given = {} if name in ("auc", "r_precision") else {"k": 1}
    value = getattr(rg, name)([0, 2], [0.2, 0.1], empty=7.0, **given)
    assert value == (2.0 if name == "idcg" else 0.0)


@pytest.mark.parametrize("name", NEVER)
def test_sums_are_never_undefined(name: str) -> None:
    assert getattr(rg, name)([0, 0], [0.2, 0.1], empty="raise") == 0.0


@pytest.mark.parametrize("empty", [0.25, "skip"])
def test_a_ratio_of_nothing_to_nothing_is_undefined(empty: Any) -> None:
    """Neither infinite nor cut at 1."""
    found = rg.evaluate_arrays([[1, 0, 0]], [[3.0, 2.0, 1.0]], ["RnDCG"], gain={1: 0}, empty=empty)
    value = found.per_query["RnDCG"][0]
    assert value == empty if empty != "skip" else math.isnan(value)
