"""The evaluators of sentence-transformers, beside stand-ins for it and for torch."""

from recorded.recording import drawn, each

GIVEN = """
from recorded.hosts import adapter, tensor
host = adapter("sentence_transformers")

VECTORS = {"red": [1.0, 0.5], "blue": [0.0, 1.0], "sea": [0.5, 1.0], "sun": [1.0, 0.25], "sky": [0.0, 1.0],
           "moon": [0.5, 0.5], "bad": [np.nan, 1.0]}
K = dict(accuracy_at_k=[1, 2], precision_recall_at_k=[1, 3], ndcg_at_k=[2], mrr_at_k=[1, 10], map_at_k=[3])

def dot(a, b):
    return tensor(np.asarray(a) @ np.asarray(b).T)

def minus(a, b):
    return tensor(-np.abs(np.asarray(a)[:, None] - np.asarray(b)[None]).sum(2).astype("f4"))

def retrieval(queries=("red", "blue", "sea"), corpus=("sky", "sun", "moon", "sea", "red"), ids=None,
              relevant=None, step=50, functions=("dot",), cutoffs=K, predictions=False):
    ids = ids or ["d4", "d10", "d3", "d2", "d1"][:len(corpus)]
    relevant = relevant or {"q0": {"d1", "d10"}, "q1": {"d4", "d9"}, "q2": {"d2"}}
    known = {"dot": dot, "minus": minus}
    return host.InformationRetrievalEvaluator(
        queries=list(queries), queries_ids=[f"q{i}" for i in range(len(queries))], corpus=list(corpus),
        corpus_ids=ids, relevant_docs=relevant, corpus_chunk_size=step, show_progress_bar=False,
        score_functions={name: known[name] for name in functions}, score_function_names=list(functions),
        query_prompt_name="p", query_prompt="ask: ", corpus_prompt_name=None, corpus_prompt="",
        write_predictions=predictions, **cutoffs)

def metrics(*arguments, **options):
    made = retrieval(**options)
    return made.compute_all_metrics(VECTORS, *arguments), made.shown

def hits(*lists):
    return [[{"corpus_id": d, "score": s} for d, s in pairs] for pairs in lists]

def reranking(samples, at_k=10, batched=True):
    made = host.RerankingEvaluator(samples=samples, at_k=at_k, use_batched_encoding=batched,
                                   show_progress_bar=True, similarity_fct=lambda q, d: dot(q[None], d))
    return made.compute_metrics(VECTORS), made.shown

SAMPLES = [{"query": "red", "positive": ["sun"], "negative": ["sky", "moon", "sea"]},
           {"query": "blue", "positive": ["sky", "moon"], "negative": ["sea", "blue"]},
           {"query": "sea", "positive": ["moon"], "negative": ["sky", "sun", "red"]}]
"""
CALLS = [
    *each("metrics(step={s}, functions={f})", s=[1, 2, 3, 4, 5, 50], f=["('dot',)", "('minus', 'dot')"]),
    *drawn(
        30,
        "metrics(step={s}, functions=({f!r},), corpus={c}, cutoffs=dict(K, ndcg_at_k={k}))",
        s=[1, 2, 3, 9],
        f=["dot", "minus"],
        c=["('sky', 'blue', 'sky', 'moon', 'blue')", "('sun',)", "('red', 'sun', 'red', 'sea')"],
        k=["[1]", "[10, 1]", "[4, 2]"],
    ),
    "metrics(None, tensor([VECTORS[w] for w in ('sky', 'sun', 'moon', 'sea', 'red')]), step=2)",
    "metrics({word: [-x for x in vector] for word, vector in VECTORS.items()}, step=2)",
    *each(
        "metrics(step={s}, functions=('dot', 'minus'), corpus=('sky', 'blue', 'sea', 'sky', 'moon', 'blue', "
        "'red', 'sun'), ids=['d4', 'd10', 'd3', 'd2', 'd1', 'd0', 'd9', 'd5'], cutoffs={{name: {k} for name "
        "in K}}, relevant=dict(q0={{'d9', 'd5'}}, q1={{'d3', 'd10', 'd0'}}, q2={{'d2', 'd3', 'x'}}))[0]",
        s=[2, 3, 4, 5, 8],
        k=["[1]", "[2]", "[3, 1]"],
    ),
    "[metrics(step=step)[0] == metrics()[0] for step in (1, 2, 3, 4)]",
    "metrics(corpus=('sky', 'bad'))",
    "metrics(queries=('red', 'bad', 'sea'), step=2)",
    "metrics(predictions=True)[0]['dot']['mrr@k']",
    "retrieval(predictions=True).compute_all_metrics('model', None, None, 'folder')",
    "retrieval(queries=()).compute_all_metrics('model')",
    "host.InformationRetrievalEvaluator.compute_metrices is host.InformationRetrievalEvaluator."
    "compute_all_metrics",
    *each("retrieval().compute_metrics(hits({h}))", h=[
        "[('d1', 0.5), ('d10', 0.9), ('d3', 0.5)], [('d4', 1)], [('d3', 2), ('d2', 1)]",
        "[('d3', 0.5), ('d10', 0.5), ('d1', 0.5)], [('d9', 0.5), ('d4', 0.5)], []",
        "[('d3', 0.5)]",
        "[('d3', np.nan)], [], []",
        "[(f'd{i}', i % 3) for i in range(1, 15)], [(f'd{i}', -i) for i in range(15)], [('d2', 1)]",
    ]),
    "retrieval(cutoffs={name: [] for name in K}).compute_metrics(hits([('d3', 0.5)], [], []))",
    *each("reranking({s}, {k}, {b})", s=["SAMPLES", "SAMPLES[:1]", "SAMPLES[::-1]"], k=[1, 2, 10],
          b=["True", "False"]),
]  # fmt: skip
