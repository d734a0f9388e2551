"""Audits of metrics with and without planted errors, in each form, and what is refused."""

from recorded.recording import each

# fmt: off
GIVEN = """
def single(y_true, y_score, k): return rg.ndcg(y_true, np.asarray(y_score, "f4"), k=k)
def infinite(y_true, y_score, k):
    value = rg.ndcg(np.nan_to_num(y_true), np.nan_to_num(np.asarray(y_score, float)), k=k)
    return value if np.isfinite(y_score).all() else math.inf
def doubled(y_true, y_score, k): return 2 * rg.ndcg(y_true, y_score, k=k)
def of_many(y_true, y_score, k): return [float(v) for v in np.atleast_1d(rg.ndcg(y_true, y_score, k=k))]
def positional(y_true, y_score, depth, /): return rg.ndcg(y_true, y_score, k=depth)
def with_default(y_true, y_score, cutoff=3): return rg.ndcg(y_true, y_score, k=cutoff)
def two_errors(retrieved, relevant, k): return len(set(retrieved) & set(relevant)) / max(len(retrieved), 1)
import math
import planted_metrics as planted
IN_IDS = [metric for metric, _, _ in planted.PLANTED_IN_IDS]
def of_arrays(name, **options):
    metric = planted.ndcg_of_arrays(**planted.PLANTED_IN_ARRAYS[name])
    def metric_with_name(y_true, y_score, k): return metric(y_true, y_score, k)
    return rg.audit(metric_with_name, **options)
def of_ids(number, **options):
    metric, measure, error = planted.PLANTED_IN_IDS[number]
    def metric_of_ids(retrieved, relevant, k): return metric(retrieved, relevant, k)
    return rg.audit(metric_of_ids, form="ids", measure=measure, **options)
def of_dicts(measure, answer="means", **options):
    def metric_of_dicts(qrels, run): return list(getattr(rg.evaluate(qrels, run, measure, **options), answer).values())[0]
    return rg.audit(metric_of_dicts, form="dicts", measure=measure, k=None)
def by(convention): return lambda y, s, k: rg.ndcg(y, s, k=k, convention=convention)
def half(qrels, run): return rg.evaluate(qrels, run, "GMAP").means["GMAP"] / 2
def strict(y_true, y_score, k):
    if len(y_true) > 4: raise ValueError("too long")
    return rg.ndcg(y_true, y_score, k=k)
def rounded(y_true, y_score, top_k): return round(float(rg.ndcg(y_true, y_score, k=top_k)), 3)
def share(retrieved, relevant): return len(set(relevant).intersection(retrieved)) / max(len(relevant), 1)
def all_ones(*data): return 1.0
def tried(function, *arguments, **options):
    try: return function(*arguments, **options)
    except (TypeError, ValueError) as error: print(type(error).__name__, error)
"""
ARRAYS = ["order lost", "order reversed", "discount off by one", "first two ranks undiscounted", "cutoff not applied to the ideal", "ideal not sorted", "cutoff ignored",
    "cutoff ignored, but not in the ideal", "ties for the system", "ties against the system"]
ARRAYS += ["ties in no known order", "empty lists count 1", "empty lists dropped", "NaN accepted", "labels truncated", "ideal from the retrieved"]
CALLS = [
    *each("of_arrays({n!r}, k=3)", n=ARRAYS),
    *each("of_ids({n}, k=4)", n=[0, 1, 2, 3, 5, 6, 7, 8, 10, 12, 13, 14, 15, 17, 18, 19, 20, 21]),
    *each("of_dicts({a})", a=["'nDCG@3'", "'AP', judged_only=True", "'GMAP'", "'P@3', convention='pytrec_eval'", "'nDCG@5', convention='beir', answer='per_query'"]),
    *each("rg.audit({f}, k={k})", f=["rg.ndcg", "by('lightgbm')", "by('ranx')"], k=[3, None]),
    *each("rg.audit({a})", a=["rounded, k=5", "strict, k=3", "share, form='ids', measure='R'", "share, form='ids', measure='nDCG', k=3", "all_ones, k=2", "half, form='dicts', measure='GMAP', k=None", "rg.err, measure='ERR', k=3", "rg.average_precision, measure='AP@4'", "rg.dcg, measure='DCG(gain=exp2)', k=3", "by('burges2005'), measure='nDCG(gain=exp2)', k=4", "by('catboost-exp'), k=4"]),
    "a = rg.audit(share, form='ids', measure='R', k=2); a.errors, a.examples, a.convention, a.conventions, a.choices, a.function, a.form, a.measure, a.lists, a.refused, a.refusal; repr(a), a._repr_html_()[:90]",
    *each("tried(rg.audit, {a})", a=["rg.ndcg, form='frames'", "rg.ndcg, k=0", "rg.ndcg, k=1.5", "rg.ndcg, measure='nGCD'", "rg.ndcg, measure='alpha_nDCG@10'", "rg.ndcg, measure=rg.measure('own', len)", "'ndcg'", "np.array([0, 1])", "rg.ndcg, measure='AUC', k=3",
        "lambda *data: 'x', k=2", "lambda *data: [0.5] * 3, form='dicts'", "lambda *data: {'q': {'P': 1, 'R': 2}}, form='dicts'", "lambda *data: {}, form='dicts'", "lambda *data: math.nan, form='ids'", "lambda *data: None", "strict, form='ids', k=3", "lambda *data: dict(a=1, b=2, c=3), form='dicts'"]),
]
CALLS += [
    *each("rg.audit({f}, k=4)", f=["single", "infinite", "doubled", "of_many", "positional", "with_default"]),
    "rg.audit(two_errors, form='ids', measure='P', k=3)",
]
CALLS = [*dict.fromkeys(CALLS)]
