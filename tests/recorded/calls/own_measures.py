"""Measures of one's own: what the function sees, values, names, and what is refused."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
import copy, pickle, math
QRELS = {"q10": {"a": 3, "b": 0, "c": -1, "z": 2}, "q9": {"a": 0}, "q1": {"b": 2, "e": 4}, "gone": {"a": 1}, "q2": {}}
RUN = {"q1": {"e": 1.0, "b": 3, "w": 2}, "q10": {"u": 9, "a": 5, "b": 8, "c": 4, "v": 0}, "q9": {"x": 1.0}, "extra": {"a": 1}}
LABELS = [[3, 0, 2, -1], [0, 0, 0, 0], [1, 1, 2, 4]]
SCORES = [[0.5, 0.25, 0.75, 0.1], [4, 3, 2, 1], [1, 2, 0, 3]]
TIED = [[0.5, 0.5, 0.75, 0.5], [1, 1, 1, 1], [2, 2, 0, 3]]
IDS = [["b", "a", "c", "aa"], [4, 3, 2, 1], [10, 9, 8, 7]]
def see(ranking, k=None):
    print(ranking.labels.tolist(), ranking.judged.tolist(), ranking.ideal.tolist(), ranking.n, ranking.relevant(), ranking.relevant(2), k)
    return ranking.n
def depth(ranking, k): return ranking.labels[:k].sum() - k
def gap(ranking): return next((float(i) for i, label in enumerate(ranking.labels) if label < 1), math.nan)
def wrong(value): return lambda ranking: value
def fail(ranking): raise KeyError(f"n={ranking.n}")
def lacking(ranking, k=None): raise TypeError("missing 1 required value")
def change(ranking): ranking.labels[0] = 7
def late(ranking): return 1 / (ranking.n - 4) if ranking.labels[0] else 0.5
SEE, SEE_AT = rg.measure("see", see), rg.measure("see at", see, cutoff=True)
DEPTH, GAP = rg.measure("depth", depth, cutoff=True), rg.measure("gap", gap, better="lower")
def tried(function, *arguments, **options):
    try: result = function(*arguments, **options)
    except (TypeError, ValueError) as error: print(type(error).__name__, error, "|", repr(error.__cause__))
    else: return result
"""
DOORS = ["rg.evaluate(QRELS, RUN, {m})", "rg.evaluate_arrays(LABELS, SCORES, {m})"]
DOORS += ["rg.evaluate_ids({{'b': [3, 1, 9], 'a': [2]}}, {{'a': [1, 2], 'b': {{9: 3, 5: 1}}}}, {m})"]
OPTIONS = (
    """
ties='stable'|ties='reverse'|ties='random', seed=1|ties='random', seed=2|ties='id', ids=IDS|ties='id_descending', ids=IDS
ties='average'|ties='worst'|ties='best'|ties='stable', convention='trec'|ties='stable', convention='lightgbm'
ties='stable', exclude=np.array(LABELS) == 2|ties='stable', ignore=-1|ties='stable', lengths=[2, 4, 0]|judged=[[3, 2, 0, -1, 5], [0] * 4, [4, 2, 1, 1, 1]], ties='stable'
ties='stable', weight=[1, 2, 0]|ties='stable', empty=1|ties='stable', gain='exp2'|ties='stable', rel=2|bounds='ties'|ties='stable', bounds='unjudged'
""".strip()
    .replace("\n", "|")
    .split("|")
)
MADE = (
    """
'', len|' x', len|'x ', len|3, len|'x', 3|'x', None|'x', len, better='up'|'x', len, better=None|'map', len|'nDCG@10', len
'P.5,10', len|'own', len|'x y', len, cutoff=True|'x', len, cutoff=1|'hits', len|'ARP', len|'x@3', len|'x', math.sqrt, better='lower'
""".strip()
    .replace("\n", "|")
    .split("|")
)
WRONG = ["'x'", "None", "[1]", "np.array([1.0])", "math.inf", "-math.inf", "10**400", "True", "np.float32(0.1)", "np.int8(-3)", "1j", "math.nan"]
CALLS = [
    *(door.format(m=measure) for door in DOORS for measure in ("SEE", "SEE_AT @ 2", "[GAP, 'P@2', DEPTH @ 3, DEPTH @ 1]", "[GAP]", "DEPTH")),
    *each("rg.evaluate_arrays(LABELS, {s}, [SEE, GAP, DEPTH @ 2], {o})", s=["TIED"], o=OPTIONS),
    *drawn(12, "rg.evaluate_arrays(LABELS, {s}, [GAP, 'RR', DEPTH @ 5], {o})", s=["SCORES", "None"], o=OPTIONS,),
    *each("rg.evaluate(QRELS, RUN, [SEE, GAP], {o})", o=["judged_only=True", "convention='rankgain', ties='stable'", "convention='beir'", "empty=0", "bounds='unjudged'",
        "exclude={'q10': ['b'], 'q1': ['e', 'w']}"],),
    *each("rg.measure({a})", a=MADE),
    *each("tried(rg.evaluate_arrays, LABELS, SCORES, [rg.measure('mine', wrong({v})), 'P@1'])", v=WRONG,),
    *each("tried(rg.evaluate_arrays, LABELS, SCORES, rg.measure('mine', {f}))", f=["fail", "change", "late", "lacking"],),
    *each("tried(rg.evaluate, QRELS, RUN, rg.measure('mine', {f}))", f=["fail", "change", "late", "wrong('x')", "wrong(math.inf)"],),
    "tried(rg.evaluate_arrays, LABELS, SCORES, rg.measure('mine', lacking, cutoff=True) @ 2)",
    *each("tried({c})", c=["GAP.__matmul__, 3", "DEPTH.__matmul__, 0", "DEPTH.__matmul__, 'x'", "DEPTH.__matmul__, True", "DEPTH.__matmul__, 2**63"],),
    "DEPTH, DEPTH @ 2, str(DEPTH @ 2), (DEPTH @ 2).k, (DEPTH @ 2) @ 5, DEPTH == DEPTH @ 2, GAP, rg.measure('x', math.sqrt)",
    "for m in (DEPTH, DEPTH @ 4, GAP): print(repr(pickle.loads(pickle.dumps(rg.measure('p', len)))), copy.copy(m), copy.deepcopy(m) == m, hash(m) == hash(copy.copy(m)))",
    "p = pickle.loads(pickle.dumps(rg.measure('p', max, better='lower', cutoff=True) @ 4)); p, p @ 2, p.k, p.definition.smaller_is_better",
    "p = pickle.loads(pickle.dumps(rg.measure('p', max))); p, p.k, p.definition.smaller_is_better, p.family, dict(p.params)",
    "DEPTH.k = 3",
    "a = rg.evaluate_runs(QRELS, {'x': RUN, 'y': {'q10': {'z': 1.0}, 'q9': {'a': 2.0}, 'q1': {'e': 1.0}}}, [GAP, DEPTH @ 2]); a; a.sort('gap'); a.sort('depth@2'); a.compare(resamples=200)",
    "a = rg.evaluate_runs(QRELS, {'x': RUN, 'y': {'q10': {'z': 1.0}, 'q9': {'a': 2.0}, 'q1': {'e': 1.0}}}, GAP); a.compare(resamples=200, queries='common').verdict()",
    "a = rg.evaluate(QRELS, RUN, [GAP, DEPTH @ 2]); a.better, rg.Evaluation.from_dict(a.to_dict()) if hasattr(rg.Evaluation, 'from_dict') else a.to_dict()['better']",
    "a = rg.evaluate(QRELS, RUN, GAP); a.interval('gap', resamples=50); a['gap'], 'gap' in a, a[GAP]",
    "tried(rg.evaluate_arrays, LABELS, SCORES, [GAP, rg.measure('gap', see)])",
    *each("tried({c})", c=["rg.evaluate_catalogue, [[1]], GAP, k=1", "rg.evaluate_factors, np.eye(2), np.eye(2), [[0], [1]], GAP",
        "rg.evaluate_scores, np.eye(2), [[0], [1]], [GAP, 'P@1']", "rg.evaluate_counts, {'query': ['a'], 'doc': ['x'], 'label': [1], 'above': [0], 'equal': [1]}, GAP",
        "rg.explain, [1, 0], [2, 1], GAP"],),
]
CALLS = [*dict.fromkeys(CALLS)]
