"""Beside trectools' nDCG, which takes documents in the order of a sorted run."""

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import draw_qrels

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
trectools = pytest.importorskip("trectools", reason="trectools is not installed")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 5, 1000])
def test_every_query(case: int, k: int) -> None:
    qrels, run = draw_qrels(case)
    theirs_qrels, theirs_run = trectools.TrecQrel(), trectools.TrecRun()
    rows = [(q, "0", doc, rel) for q, docs in qrels.items() for doc, rel in docs.items()]
    theirs_qrels.qrels_data = pandas.DataFrame(rows, columns=["query", "q0", "docid", "rel"])
    ranked = [
        (q, "Q0", doc, 0, docs[doc], "run")
        for q, docs in run.items()
        for doc in sorted(docs, key=lambda one, docs=docs: (-docs[one], one))
    ]
    columns = ["query", "q0", "docid", "rank", "score", "system"]
    theirs_run.run_data = pandas.DataFrame(ranked, columns=columns)
    actual = trectools.TrecEval(theirs_run, theirs_qrels).get_ndcg(depth=k, per_query=True)
    values = actual[f"NDCG@{k}"].fillna(0.0)
    result = rg.evaluate(qrels, run, f"nDCG@{k}", convention="trectools")
    expected = [values.get(query, 0.0) for query in result.queries]  # nothing relevant: no row
    close(result.per_query[f"nDCG@{k}"], expected)
