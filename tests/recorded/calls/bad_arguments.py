"""Bad arguments beside the arrays: gains, discounts, cutoffs, words, measures, ids, weights."""

# fmt: off
GIVEN = """
L = np.array([[3, 0, 1], [0, 2, 1]])
S = np.array([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]])
TOP = np.array([[0, 1, 2], [2, 1, -1]])
RELEVANT = np.array([1.0, 1, 1]), np.array([0, 3, 1]), np.array([0, 2, 3])
def put(array, value, *place):
    changed = array.astype(float)
    changed[place] = value
    return changed
def csr(data, indices, indptr): return tuple(map(np.asarray, (data, indices, indptr)))
def topk(retrieved, relevant=RELEVANT, **options): return rg.evaluate_ids(retrieved, relevant, ["P@2"], **options)
def arrays(*measures, **options): return rg.evaluate_arrays(L, S, list(measures), **options)
"""
CALLS = """
rg.dcg(put(L, 1100, 1, 2), S, gain="exp2") | rg.err(put(L, 1100, 1, 2), S, max_label=1200) | rg.ndcg(L, S, gain={0: 0, 1: 1, 2: 3}) | rg.ndcg(L, S, gain=[0, 1, 3])
rg.dcg(put(L, 0.5, 1, 2), S, gain=[0, 1, 3, 7]) | rg.ndcg(L[0], S[0], judged=[9, 3, 1], gain=[0, 1, 2, 3]) | rg.ndcg(L, S, gain={0: 0, 1: 1, 2: np.nan, 3: 7})
rg.ndcg(L, S, gain={"high": 1}) | rg.ndcg(L, S, gain={0: 0, 1: None}) | rg.ndcg(L, S, gain="exponential") | rg.ndcg(L, S, gain=2) | rg.ndcg(L, S, gain=lambda r: r[:1])
rg.ndcg(L, S, gain=lambda r: 1.0) | rg.ndcg(L, S, gain=lambda r: r * np.nan) | rg.dcg(L, S, gain=lambda r: r + np.inf) | rg.dcg(L, S, gain=lambda r: 1 / 0)
rg.dcg(csr([1.0], [0], [0, 1, 1]), S, gain={0: 0.1, 1: 1}) | rg.dcg(L, S, discount="ln") | rg.dcg(L, S, discount=[1, 0.5, 0.75]) | rg.dcg(L, S, discount=[1, 0.5, -0.1])
rg.dcg(L, S, discount=[1, np.nan, 0]) | rg.dcg(L, S, discount=[np.inf, 1, 0]) | rg.dcg(L, S, discount=[[1, 1, 1]]) | rg.dcg(L, S, discount=[1, 0.5])
rg.ndcg(L[0], S[0], judged=[3, 1, 0, 0, 2], discount=[1.0, 0.5, 0.25]) | rg.dcg(L, S, discount=lambda r: 1.0) | rg.dcg(L, S, discount=lambda r: r)
rg.ndcg(L, S, k=[1, 0]) | rg.ndcg(L, S, k=np.array([1.5, 2.0])) | rg.ndcg(L, S, k=[[1, 2]]) | rg.ndcg(L, S, ties="first") | rg.ndcg(L, L * 0, ties="id")
rg.ndcg(L, L * 0, convention="trec") | rg.ndcg(L, S, ties="id", ids=["a", "b"]) | rg.ndcg(L, S, ties="id", ids=[["a", "b", "c"], ["a", "b", "a"]])
rg.precision(L, S, k=2, divisor="hits") | rg.average_precision(L, S, divisor="hit") | rg.ndcg(L, S, empty="zero") | rg.ndcg(L, S, empty=None)
rg.ndcg(L * [[1], [0]], S, empty="raise") | rg.auc(L > -1, S, empty="raise") | rg.ndcg(L, S, convention="scikit") | rg.ndcg(L, S, convention="sk")
rg.ndcg(L, S, convention=3) | arrays("nDGC@10") | arrays("ndcg_cut") | arrays("hits@10") | arrays("nDCG@0") | arrays("nDCG@ten") | arrays("P(gain=exp2)@5") | arrays(10)
arrays("nDCG", gains="exp2") | arrays("nDCG", k=5) | arrays("AP", weight=[1e308, 1e308]) | arrays("AP", weight=[1, -1]) | arrays("AP", weight=[1, np.nan])
arrays("AP", weight=[np.inf, 1]) | arrays("AP", weight=[1, 2, 3]) | arrays("AP", weight=[[1, 2]]) | rg.evaluate_arrays(L, put(S, np.nan, 1, 2), ["AP"])
topk([[0, 1, 2], [2, 1, -2]]) | topk([[0, 1, 2], [2, -1, 1]]) | topk([[0, 1, 2], [2, 1, 2]]) | topk(TOP * 1.0) | topk(TOP[:1]) | topk(TOP[None])
topk(TOP, [[0], [-1, 2]]) | topk(TOP, [[0], [1]], gains=[[1], [np.nan]]) | topk(TOP, [[0], [1]], gains=[[1], [1, 2]]) | topk(TOP, [np.array([0.5]), np.array([1])])
topk(TOP, [np.array([0])]) | rg.dcg(L, S, discount="log", log_base=1) | rg.dcg(L, S, discount="log", log_base=0.5) | rg.dcg(L, S, discount="log", log_base=-2)
rg.dcg(L, S, discount="log", log_base=np.nan) | rg.dcg(L, S, discount="log", log_base=np.inf) | rg.ndcg(L, S, k=0) | rg.ndcg(L, S, k=-1) | rg.ndcg(L, S, k=True)
rg.ndcg(L, S, k=1.5) | rg.ndcg(L, S, k="5") | rg.ndcg(L, S, ties="random", seed=-1) | rg.ndcg(L, S, ties="random", seed=1.5) | rg.ndcg(L, S, ties="random", seed="x")
rg.f1(L, S, k=2, divisor="min_relevant") | rg.f1(L, S, k=2, divisor="relevant") | rg.f1(L, S, k=2, divisor="hits") | rg.ndcg(L, S, threads=0) | rg.ndcg(L, S, threads=-2)
rg.ndcg(L, S, threads=1.5) | rg.ndcg(L, S, threads=True)
""".strip().replace("\n", " | ").split(" | ")
