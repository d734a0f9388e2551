"""nDCG with negative gains: the ideal has the judged documents, and only these."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from reference import dcg, idcg, ndcg

KEEP = rg.conventions["trec"].replace(negative="keep")
CALLS: dict[str, dict[str, Any]] = {
    "labels below 0": {"convention": KEEP},
    "the same as a table": {"convention": KEEP, "gain": {-1: -1, 0: 0, 1: 1, 2: 2, 3: 3}},
    "a table of positive labels": {"gain": {1: -1, 2: 0, 3: 1, 4: 2, 5: 3}},
}


def draw(seed: int) -> tuple[dict[str, int], list[str]]:
    """The gains of five judged documents, of which some are negative, and a ranking of any five."""
    rng = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(7)]
    gains = dict(zip(names[:5], rng.integers(-1, 3, 5).tolist(), strict=True))
    gains["d0"] = 3
    return gains, rng.permutation(names)[:5].tolist()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("seed", range(20))
def test_the_value_is_dcg_over_that_of_the_judged_documents(seed: int, call: str) -> None:
    gains, ranked = draw(seed)
    judged = gains
    if call == "a table of positive labels":
        judged = {name: gain + 2 for name, gain in gains.items()}
    qrels, run = {"q": judged}, {"q": dict(zip(ranked, range(5, 0, -1), strict=True))}
    result = rg.evaluate(qrels, run, ["nDCG", "DCG", "IDCG", "nDCG@3"], **CALLS[call])
    of_list = [gains.get(name, 0) for name in ranked]
    pool = list(gains.values())
    assert result["DCG"] == pytest.approx(dcg(of_list, judged=pool), rel=1e-12, abs=1e-15)
    assert result["IDCG"] == pytest.approx(idcg(of_list, judged=pool), rel=1e-12)
    assert result["nDCG"] == pytest.approx(ndcg(of_list, judged=pool), rel=1e-12, abs=1e-15)
    assert result["nDCG@3"] == pytest.approx(ndcg(of_list, judged=pool, k=3), rel=1e-12, abs=1e-15)
    explained = rg.explain(qrels, run, "nDCG", query="q", **CALLS[call])
    assert explained.ndcg == result["nDCG"]
    assert explained.idcg == result["IDCG"]
    assert set(explained.ideal_documents) <= judged.keys()


def test_a_value_above_1_is_the_same_for_labels_and_tables() -> None:
    qrels, run = {"q": {"a": -1, "b": 3}}, {"q": {"b": 3.0, "u": 2.0, "a": 1.0}}
    # DCG is 3 + 0 - 1 / 2, and the ideal has a at rank 2.
    expected = 2.5 / (3 - 1 / np.log2(3))
    for options in ({}, {"gain": {-1: -1, 3: 3}}):
        value = rg.evaluate(qrels, run, "nDCG", convention=KEEP, **options)["nDCG"]
        assert value == pytest.approx(expected, rel=1e-15)
    # Dense labels say that the document at rank 2 is judged, so the ideal has it above a.
    assert rg.evaluate_arrays([3, 0, -1], [3.0, 2.0, 1.0], "nDCG", convention=KEEP)["nDCG"] == 1.0


def test_an_excess_of_rounding_is_cut() -> None:
    # Two labels that differ in the last bit, all tied: the mean gain rounds up.
    low = float.fromhex("0x1.090cd712fd180p+1")
    labels = [low, *[np.nextafter(low, 3.0)] * 4]
    scores = [0.0] * 5
    assert rg.dcg(labels, scores) > rg.idcg(labels)
    assert rg.ndcg(labels, scores) == 1.0
