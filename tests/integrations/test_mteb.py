"""Beside mteb's nAUC of its own values."""

import numpy as np
import pytest

import rankgain as rg
from peers.qrels import draw_qrels
from rankgain.integrations.mteb import nauc

pytestmark = pytest.mark.filterwarnings("default")
NAMES = {"nDCG": "NDCG", "AP": "MAP", "R": "Recall", "P": "P", "RR": "MRR"}
KS = [1, 5, 100]


@pytest.mark.parametrize("case", range(12))
def test_the_host_s_own(case: int) -> None:
    """Queries whose confidence or value ties, one without documents, and one with a single one."""
    theirs = pytest.importorskip("mteb._evaluators.retrieval_metrics", reason="mteb is missing")
    qrels, run = draw_qrels(case)
    run = {query: docs for query, docs in run.items() if query in qrels}
    run["1"] = {"d001": 2.5}
    if case % 2:
        run["2"] = {}
    elif case % 3:
        run = {query: dict(list(docs.items())[:2]) for query, docs in run.items()}
    expected = theirs.calculate_retrieval_scores(run, qrels, KS)
    names = [f"{name}@{k}" for name in NAMES for k in KS]
    result = nauc(rg.evaluate(qrels, run, names, convention="mteb"), run)
    assert len(result) == 3 * len(names)
    for key, value in result.items():
        name, _, rest = key.removeprefix("nAUC_").partition("@")
        of_it = expected.naucs_mrr if name == "RR" else expected.naucs
        wanted = of_it[f"nAUC_{NAMES[name]}@{rest}"]
        assert value == pytest.approx(wanted, rel=1e-9, abs=1e-9, nan_ok=True), key


def found_of(values: list[int], scores: list[float]) -> dict[str, float]:
    """Of queries that are right or wrong, whose two documents have these scores."""
    qrels = {str(at): {"a": one, "b": 1 - one} for at, one in enumerate(values)}
    run = {str(at): {"a": one, "b": one / 2} for at, one in enumerate(scores)}
    return nauc(rg.evaluate(qrels, run, "P@1", convention="mteb"), run)


def test_values_by_hand() -> None:
    assert found_of([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4])["nAUC_P@1_max"] == 1
    assert found_of([1, 0, 0, 1], [0.5] * 4)["nAUC_P@1_max"] == pytest.approx(0, abs=1e-15)
    assert found_of([1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4])["nAUC_P@1_diff1"] < -0.5
    assert np.isnan([*found_of([1, 1], [0.1, 0.2]).values()]).all()


def test_equal_values_that_a_mean_rounds() -> None:
    run = {str(at): {"x": 1.0, "a": at / 10} for at in range(8)}
    qrels = {query: {"a": 1} for query in run}
    result = nauc(rg.evaluate(qrels, run, "nDCG@10", convention="mteb"), run)
    assert np.isnan([*result.values()]).all()


def test_another_run() -> None:
    result = rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "P@1", convention="mteb")
    with pytest.raises(ValueError, match="'q' of the evaluation is not in run"):
        nauc(result, {"r": {"a": 1.0}})
