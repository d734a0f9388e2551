"""Measures of cwl-eval, Compat and Accuracy inside ir_measures, beside its own providers."""

from collections.abc import Iterator
from typing import Any

import pytest

ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def provider() -> Iterator[Any]:
    """The provider in its place; afterwards the host is as it was."""
    import rankgain.integrations.ir_measures as module

    providers = ir_measures.DefaultPipeline.providers
    before = list(providers)
    if module.provider not in providers:
        providers.insert(1, module.provider)
    yield module.provider
    providers[:] = [one for one in before if one is not module.provider]


def test_a_case_by_hand(provider: Any) -> None:
    qrels = {"q": {"a": 2, "b": 0, "c": 1, "d": 3}}
    run = {"q": {"a": 5.0, "x": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}
    expected = {
        "BPM(max_rel=3)@10": 0.333333333,
        "SDCG(max_rel=3)@10": 0.268552923,
        "NERR8(max_rel=3)@10": 0.473684211,
        "NERR9(max_rel=3)@10": 0.543010753,
        "NERR10(max_rel=3)": 0.480597863,
        "NERR11(max_rel=3)": 0.556723693,
        "INST(max_rel=3)": 0.423257433,
        "INSQ(max_rel=3)": 0.334315714,
        "Compat": 0.500487024,
        "Accuracy": 0.5,
    }
    measures = {ir_measures.parse_measure(name): value for name, value in expected.items()}
    assert provider.calc_aggregate(list(measures), qrels, run) == pytest.approx(measures, abs=1e-9)


@pytest.mark.parametrize("score", [0.0, -1.0])
def test_unretrieved_documents_score_0_in_the_ideal_of_compat(score: float, provider: Any) -> None:
    """By hand: b, which is not retrieved, is first in the ideal, and a is second in it."""
    qrels, run = {"q": {"b": 1, "a": 1}}, {"q": {"a": score}}
    measure = ir_measures.parse_measure("Compat(p=0.5)")
    expected = (0 + 0.5 * 1 / 2) / (1 + 0.5 * 2 / 2)
    assert provider.calc_aggregate([measure], qrels, run)[measure] == pytest.approx(expected)
