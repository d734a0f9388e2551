"""Beside ranx, where its order of ties is defined."""

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import as_frames, draw_qrels

ranx = pytest.importorskip("ranx", reason="ranx is not installed")
pytestmark = pytest.mark.filterwarnings("default")
NAMES = (
    "ndcg ndcg@5 ndcg@100 ndcg@5-l2 ndcg_burges ndcg_burges@10 ndcg_burges@10-l2 dcg dcg@5 "
    "dcg_burges@5 map map@10 map@100 map-l2 mrr mrr@3 mrr-l2 precision precision@5 precision@100 "
    "precision@5-l2 recall recall@10 recall@100 recall@10-l2 hit_rate hit_rate@3 hit_rate@100 "
    "hit_rate@3-l2 r-precision r-precision-l2 f1 f1@5 f1@100 f1@5-l2"
).split()


@pytest.mark.parametrize("form", ["dict", "pandas", "polars"])
@pytest.mark.parametrize("case", CASES)
def test_every_query(case: int, form: str) -> None:
    qrels, run = draw_qrels(case, distinct=True)
    theirs_qrels, theirs_run = ranx.Qrels(qrels), ranx.Run(run)
    theirs = ranx.evaluate(theirs_qrels, theirs_run, NAMES, return_mean=False, make_comparable=True)
    means = ranx.evaluate(theirs_qrels, theirs_run, NAMES, make_comparable=True)
    queries = list(theirs_qrels.keys())
    sources = (qrels, run) if form == "dict" else as_frames(qrels, run, form)
    result = rg.evaluate(*sources, NAMES, convention="ranx")
    order = [list(result.queries).index(query) for query in queries]
    for name, measure in zip(NAMES, result.means, strict=True):
        close(result.per_query[measure][order], theirs[name])
        close(result.means[measure], means[name])


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("case", CASES)
def test_bpref(case: int, rel: int) -> None:
    qrels, run = draw_qrels(case, distinct=True)
    requested = "bpref" if rel == 1 else f"bpref-l{rel}"
    result = rg.evaluate(qrels, run, requested, convention="ranx")
    [values] = result.per_query.values()
    compared = 0
    for query, value in zip(result.queries, values, strict=True):
        labels = qrels[query].values()
        if query in run and min(labels) < rel <= max(labels):  # else it divides by 0
            one = ranx.Qrels({query: qrels[query]}), ranx.Run({query: run[query]})
            close(value, ranx.evaluate(*one, requested))
            compared += 1
    assert compared > 5


def test_short_tied_lists_keep_their_order() -> None:
    qrels = {"1": {"b0": 0, "d3": 3, "a1": 1, "c2": 2}}
    run = {"1": dict.fromkeys(qrels["1"], 1.0)}
    theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "ndcg")
    close(rg.evaluate(qrels, run, ["nDCG"], convention="ranx").means["nDCG"], theirs)
