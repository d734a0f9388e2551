"""Measures of cwl-eval, Compat and Accuracy inside ir_measures, beside its own providers."""

import random
from importlib.util import find_spec
from typing import Any

import pytest

ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")


READERS = (
    "BPM(max_rel=3)@10 BPM(max_rel=3,T=0.5)@5 SDCG(max_rel=3)@10 SDCG(max_rel=4,min_rel=1)@1200 "
    "NERR8(max_rel=3)@10 NERR9(max_rel=3)@10 NERR10(max_rel=3) NERR10(p=0.5,max_rel=2) "
    "NERR11(max_rel=3) NERR11(max_rel=3,T=2.5) INST(max_rel=3) INST(max_rel=3,T=0.3) "
    "INSQ(max_rel=3) INSQ(max_rel=3,T=2.0) RBP(rel=1) RBP(rel=2,p=0.99)"
).split()


OTHERS = "Compat Compat(p=0.8,normalize=False) Accuracy Accuracy@5 Accuracy(rel=2)@3".split()


pytestmark = pytest.mark.filterwarnings("default")


def draw(seed: int) -> tuple[Any, Any]:
    """Qrels and a run, by the seed with ties, scores below 0 and a list of 1,300 documents."""
    rng = random.Random(seed)
    documents = [f"d{i}" for i in range(30)]
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for query in (f"q{i}" for i in range(12)):
        judged = rng.sample(documents, rng.randint(1, 20))
        qrels[query] = {name: rng.choice([-1, 0, 0, 1, 2, 3]) for name in judged}
        if rng.random() < 0.9:
            retrieved = rng.sample(documents, rng.choice([1, 3, 10, 25]))
            scores = [
                rng.randint(-3, 9) if seed % 2 else rng.random() - seed % 3 for _ in documents
            ]
            run[query] = dict(zip(retrieved, scores, strict=False))
    if seed == 2:
        run["q0"] = {f"x{i}": float(-i) for i in range(1300)}
        qrels["q0"] = {f"x{i}": i % 4 for i in range(0, 1300, 7)}
    return qrels, run


def results(measure: Any, qrels: Any, run: Any) -> tuple[dict[str, float], float]:
    values = {row.query_id: row.value for row in ir_measures.iter_calc([measure], qrels, run)}
    return values, ir_measures.calc_aggregate([measure], qrels, run)[measure]


@pytest.mark.parametrize("name", [*READERS, *OTHERS])
@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_the_host(name: str, seed: int, adapter: Any) -> None:
    if name in READERS and not find_spec("cwl"):
        pytest.skip("cwl-eval is not installed")
    qrels, run = draw(seed)
    measure = ir_measures.parse_measure(name)
    assert adapter.provider.supports(measure)
    ours = results(measure, qrels, run)
    ir_measures.DefaultPipeline.providers.remove(adapter.provider)
    try:
        theirs = results(measure, qrels, run)
    except ZeroDivisionError:  # Accuracy of relevant documents alone
        return
    finally:
        ir_measures.DefaultPipeline.providers.insert(1, adapter.provider)
    assert ours[0] == pytest.approx(theirs[0], abs=1e-12)
    assert ours[1] == pytest.approx(theirs[1], abs=1e-12, nan_ok=True)


def test_a_case_by_hand(adapter: Any) -> None:
    qrels = {"q": {"a": 2, "b": 0, "c": 1, "d": 3}}
    run = {"q": {"a": 5.0, "x": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}
    expected = {
        "BPM(max_rel=3)@10": 0.333333333, "SDCG(max_rel=3)@10": 0.268552923,
        "NERR8(max_rel=3)@10": 0.473684211, "NERR9(max_rel=3)@10": 0.543010753,
        "NERR10(max_rel=3)": 0.480597863, "NERR11(max_rel=3)": 0.556723693,
        "INST(max_rel=3)": 0.423257433, "INSQ(max_rel=3)": 0.334315714, "Compat": 0.500487024,
        "Accuracy": 0.5,
    }  # fmt: skip
    measures = {ir_measures.parse_measure(name): value for name, value in expected.items()}
    assert adapter.provider.calc_aggregate(list(measures), qrels, run) == pytest.approx(
        measures, abs=1e-9
    )


@pytest.mark.parametrize("score", [0.0, -1.0])
def test_unretrieved_documents_score_0_in_the_ideal_of_compat(score: float, adapter: Any) -> None:
    """By hand: b, which is not retrieved, is first in the ideal, and a is second in it."""
    qrels, run = {"q": {"b": 1, "a": 1}}, {"q": {"a": score}}
    measure = ir_measures.parse_measure("Compat(p=0.5)")
    expected = (0 + 0.5 * 1 / 2) / (1 + 0.5 * 2 / 2)
    assert adapter.provider.calc_aggregate([measure], qrels, run)[measure] == pytest.approx(
        expected
    )
