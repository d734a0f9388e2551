"""Beside ranx, where its order of ties is defined."""

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import draw_qrels

ranx = pytest.importorskip("ranx", reason="ranx is not installed")
pytestmark = pytest.mark.filterwarnings("default")
NAMES = (
    "ndcg ndcg@5 ndcg_burges@10 map map@10 mrr mrr@3 precision@5 recall@10 hit_rate@3 r-precision "
    "f1@5 ndcg@5-l2 map-l2 recall@10-l2"
).split()


@pytest.mark.parametrize("case", CASES)
def test_every_query(case: int) -> None:
    qrels, run = draw_qrels(case, distinct=True)
    theirs_qrels, theirs_run = ranx.Qrels(qrels), ranx.Run(run)
    theirs = ranx.evaluate(theirs_qrels, theirs_run, NAMES, return_mean=False, make_comparable=True)
    means = ranx.evaluate(theirs_qrels, theirs_run, NAMES, make_comparable=True)
    queries = list(theirs_qrels.keys())
    result = rg.evaluate(qrels, run, NAMES, convention="ranx")
    order = [list(result.queries).index(query) for query in queries]
    for name, measure in zip(NAMES, result.means, strict=True):
        close(result.per_query[measure][order], theirs[name])
        close(result.means[measure], means[name])


def test_short_tied_lists_keep_their_order() -> None:
    qrels = {"1": {"b0": 0, "d3": 3, "a1": 1, "c2": 2}}
    run = {"1": dict.fromkeys(qrels["1"], 1.0)}
    theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "ndcg")
    close(rg.evaluate(qrels, run, ["nDCG"], convention="ranx").means["nDCG"], theirs)
