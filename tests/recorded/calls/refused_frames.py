"""Calls of which something is wrong, with frames, matrices and ids: the place of the first of two faults."""

# fmt: off
NEEDS = ["narwhals", "pandas", "scipy"]
GIVEN = """
import pandas
from scipy import sparse as scipy_sparse
from refusals import L, S, csr, put
WIDE, NAN = 2**53 + 1, float("nan")
RELEVANT, LETTERS = [["a"], ["b"]], "ABCDEFGHIJKLMNOPQRSTUV"
class NeedsGrad:
    shape, ndim, dtype, requires_grad = (), 0, np.dtype("float32"), True
def columns(**changes): return pandas.DataFrame({"query": ["x", "y"], "retrieved": RELEVANT, "relevant": RELEVANT, **changes})
def judged(documents): return {"queries": [{"query": "x", "ratings": {"c": 1}}, {"query": "y", "ratings": documents}]}
def beyond(value):
    matrix = scipy_sparse.csr_matrix(L)
    matrix.indices[1:3] = value, value + 1
    return matrix
LABELLED = pandas.DataFrame(L, ["u", "v"], ["a", "b", "c"])
"""
CALLS = [
    "rg.ndcg(put(L, None, 0, 2, dtype=object), S)",
    'rg.ndcg(np.array([1, "x", None], object), S[0])',
    "rg.dcg([0.5, -WIDE, WIDE + 2], S[0])",
    "rg.dcg([[0.5, 1, -WIDE], [1, 2, 3]], S)",
    "rg.ndcg([[1, 0], [1, NeedsGrad()]], S[:, :2])",
    'rg.ndcg(LABELLED, pandas.DataFrame(S, ["u", "v"], ["a", "d", "b"]))',
    'rg.ndcg(LABELLED, pandas.DataFrame(S, ["u", "v"], ["a", "c", "b"]))',
    'rg.ndcg(L, S, ties="id", ids=np.array([["a", "b", "c"], ["a", 2, 1]], object))',
    'rg.ndcg(L, S, ties="id", ids=[[4, 5, 6], [7, 8, 8]])',
    "rg.dcg(L[0], S[0], qid=[1, 1])",
    "rg.dcg([[1], [1, 2]], [[1], [1, 2]], lengths=[])",
    "rg.ndcg(L, S, lengths=[3, 4])",
    "rg.ndcg(csr([1.0, 1], [0, 1, 2], [0, 1, 5]), S)",
    "rg.ndcg(beyond(3), S)",
    "rg.ndcg([[1, -0.5, -2]], S[:1])",
    "rg.ndcg([[1, -1, -2]], S[:1])",
    "rg.ndcg(-S, L)",
    'rg.ndcg([[1, 2e3, 3e3]], S[:1], gain="exp2", judged=[[1, 2e3, 3e3]])',
    'rg.ndcg([[1, 2, 2]], S[:1], gain="exp2", judged=[[1, 2, 2, 2e3]])',
    "rg.ndcg([[1, 0, -1], [0, -1, 1]], put(S, np.nan, 1, 2), ignore=-1)",
    "rg.ndcg(rg.Truth([[1, 0, 3], [-1, 2, 1]], ignore=-1), put(S, np.nan, 1, 2), ignore=2)",
    "rg.ndcg(scipy_sparse.csr_matrix([[1, 0]]), S[0])",
    "rg.ndcg(rg.Truth(L), S[:, :2])",
    'rg.Qrels(judged({"a": {"s": 2}, "b": {"note": "?"}}))',
    'rg.Qrels([{"query": "x", "ratings": [{"id": "a"}], "labels": [{"id": "b"}]}])',
    'rg.evaluate_ids([[("a", 1)], [("a", 2), (1.5, 3)]], RELEVANT, "RR")',
    'rg.evaluate_ids({"x": [("a", 1), (1.5, 2)]}, {"x": ["a"]}, "RR")',
    'rg.evaluate_ids({"x": ["a"]}, {"x": [("a", 1), ("a", 2)]}, "RR")',
    'rg.evaluate_ids([[{"id": "a"}, "b"], []], RELEVANT, "RR")',
    'rg.evaluate_ids([[{"id": "a"}, {"id": None}, {"id": 1.5}], []], RELEVANT, "RR")',
    'rg.evaluate_ids({"x": ["a"]}, {"x": {"a": "1", "b": 2}}, "RR")',
    'rg.evaluate_ids({"x": ["a"]}, {"x": {"a": f" -{WIDE} "}}, "DCG")',
    'rg.evaluate_ids({}, ["a"], "RR")',
    'rg.evaluate_ids(RELEVANT, [["a"], ["b", 3, 1.5]], "RR")',
    'rg.evaluate_ids(put(L, np.nan, [0, 1], [2, 0]), [[1], [2]], "RR")',
    'rg.evaluate_ids([["a"], ["b", "c", "c", "b"]], RELEVANT, "RR")',
    'rg.evaluate_ids([[5, 6], [8, 9, 9, 8]], [[5], [8]], "RR")',
    'rg.evaluate_ids([[1, 2]], [[1]], "RR", exclude=scipy_sparse.csr_matrix((1, 0)))',
    'rg.evaluate_ids([[1]], scipy_sparse.csr_matrix((1, 3)), "RR", exclude=scipy_sparse.csr_matrix((1, 2)))',
    'rg.evaluate_ids([], [["a", "b"], ["c"]], "alpha_nDCG@5")',
    'rg.evaluate_ids({"x": ["a"], "y": ["a"]}, {"x": ["a"], "y": {"b": -1}}, "nDCG")',
    'rg.evaluate_ids(columns(query="x"), measures="RR")',
    'rg.evaluate_ids(columns(query="x", name="m"), measures="RR", run="name")',
    'rg.evaluate_ids(columns(), measures="RR", query="z")',
    'rg.evaluate_ids(columns(), measures="RR", retrieved="z")',
    'rg.evaluate_ids(columns(scores=[[0.1], []]), measures="RR")',
    'rg.evaluate_ids(columns(out=[{"ids": ["a"]}, {"a": 1}]), measures="RR", retrieved="out.ids")',
    'rg.evaluate_ids(pandas.DataFrame([range(22)], columns=list(LETTERS)), RELEVANT, "RR")',
]
