"""Beside mteb's nAUC of its own values."""

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
