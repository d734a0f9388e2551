"""Judgments: agreement of two sets, what to judge next, means corrected by people, pooled collections."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
nan = float("nan")
MODEL = {"q9": {"a": 2, "b": 1, "c": 1, "x": 2}, "q10": {"a": 0, "d": 1}, "q1": {"a": 0, "b": 0, "f": 3}, "own": {"a": 1}, "q2": {"a": 1, "b": 2.5}}
PEOPLE = {"q10": {"a": 0, "d": 2, "z": 1}, "q9": {"a": 2, "b": 0, "c": 1}, "q1": {"b": 0, "a": 1, "f": 3, "g": 1}, "q2": {"b": 2, "a": 1}}
RUNS = {
    "x": {"q9": {"a": 3, "new": 2, "b": 1, "c": 0.5}, "q10": {"d": 2.0, "a": 2.0, "n": 2.0}, "q1": {"f": 1.0, "a": 3, "m": 2}, "q2": {"b": 1.0}},
    "y": {"q10": {"n": 1.0, "a": 3, "o": 2}, "q9": {"b": 3, "a": 2, "old": 1, "new": 0}, "q1": {"g": 2.0, "f": 1, "m": 0}, "q2": {"p": 2.0, "a": 1, "b": 0}},
    "z": {"q9": {"c": 1.0, "x": 0.5}, "q1": {"b": 2.0, "o": 1.0}, "q10": {"z": 1.0, "d": 0.5}},
}
LISTED = {"q9": ["a", "new", "a", "b", "old"], "q10": ["n", "n", "d"], "q1": ["m", "q1", "f"]}
FIRST, IN_PLACE = (rg.Run(LISTED, duplicates=rule) for rule in ("first", "in_place"))
def tried(function, *arguments, **options):
    try: result = function(*arguments, **options)
    except (TypeError, ValueError, KeyError) as error: print(type(error).__name__, error)
    else: return result
def agree(a, b, **options):
    result = rg.agreement(a, b, **options)
    print(result)
    print({name: value for name, value in vars(result).items()})
def labelled(n, step, values=None): return {f"q{i}": {"a": 1, "b": i % step == 0, "c": i % 4 == 1} for i in range(n)}
RESULTS = {f"q{i}": {"a": 1.0, "b": 2.0, "c": 0.5 + i % 2} for i in range(30)}
WORSE = {f"q{i}": {"a": 1.0, "b": 2.0 - i % 3, "c": 3.0 * (i % 2)} for i in range(30)}
def both(n, step, names=("new", "old"), measures="RR"):
    return rg.evaluate_runs(labelled(n, step), {name: {q: run[q] for q in labelled(n, step)} for name, run in zip(names, (RESULTS, WORSE))}, measures)
def one(n, step, measures="RR", **options): return rg.evaluate(labelled(n, step), {q: RESULTS[q] for q in labelled(n, step)}, measures, **options)
def arrays(n, step): return rg.evaluate_arrays([list(d.values()) for d in labelled(n, step).values()], [list(RESULTS[q].values()) for q in labelled(n, step)], "RR")
def pooled(): return rg.pool({"web": rg.evaluate_runs(PEOPLE, RUNS, ["P@2", "RR"]), "model": rg.evaluate_runs(MODEL, RUNS, ["P@2", "RR"])})
"""
MEASURES = ["P@2", "DCG@3", "nDCG", "RR@2", "RBP", "AP", "P", "R@3", "ERR@3", "nDCG(gain=exp2)@2", "HitRate@1", "F1@3"]
RUN_FORMS = ["RUNS", "RUNS['x']", "{'x': RUNS['x']}", "[RUNS['x']]", "{'x': FIRST, 'y': RUNS['y']}", "IN_PLACE", "rg.Run(RUNS['y'])", "{'x': rg.Run(RUNS['x']), 'z': RUNS['z']}"]
CALLS = [
    *each("agree({a}, {b}, weights={w!r})", a=["MODEL", "PEOPLE", "rg.Qrels(MODEL)"], b=["PEOPLE", "MODEL"], w=[None, "linear", "quadratic"],),
    "agree(MODEL, PEOPLE, runs=RUNS, measure='MR', weights='linear')",
    "agree(MODEL, PEOPLE, runs={n: RUNS[n] for n in 'zx'}, measure=rg.Measure('R', k=2), level=0.6)",
    *each("agree({a}, {b}, level=0.5)", a=["{'q': {'a': 1, 'b': 0}}", "{'q': {'a': 1, 'b': 1}}", "{'q': {'a': -1}, 'r': {'a': 5}}"], b=["{'q': {'a': 1, 'b': 1}, 'r': {'a': 7}}",
        "{'q': {'a': 2, 'c': 1}, 'r': {'a': 5, 'b': 1}}"],),
    *each("tried(rg.agreement, {a})", a=["MODEL, {'z': {'a': 1}}", "MODEL, {'q9': {'u': 1}}", "{'q9': {'u': 1}, 'q1': {'v': 1}}, {'q1': {'b': 1}, 'q9': {'a': 1}}",
        "MODEL, PEOPLE, weights='cubic'", "MODEL, PEOPLE, weights=1", "MODEL, PEOPLE, level=1", "MODEL, PEOPLE, level='x'", "MODEL, PEOPLE, runs={'x': RUNS['x']}",
        "MODEL, PEOPLE, runs=RUNS, measure='GMAP'", "MODEL, PEOPLE, runs=RUNS, measure='NumRel'", "MODEL, PEOPLE, runs=RUNS, measure='zzz'",
        "MODEL, PEOPLE, runs=RUNS, measure='P.1,2'", "3, PEOPLE", "MODEL, PEOPLE, runs=3"],),
    *each("tried(rg.judge_next, {q}, RUNS, {m!r}, 9)", q=["PEOPLE", "MODEL"], m=MEASURES),
    *each("tried(rg.judge_next, PEOPLE, {r}, {m!r}, {n})", r=RUN_FORMS, m=["P@2", "DCG@3"], n=[2, 99]),
    *drawn(24, "rg.judge_next({q}, {r}, {m!r}, {n}, convention={c!r})", q=["PEOPLE", "MODEL"], r=RUN_FORMS[:3], m=MEASURES[:6], n=[1, 3, 50], c=["trec", "rankgain", "beir", "ranx",
        "lightgbm"],),
    "rg.judge_next({'q': {'a': 1}, 'r': {}, 's': {'b': 0}}, {'x': {'q': {'z': 1.0, 'y': 1.0, 'b': 1.0}, 's': {'10': 2.0, '9': 1.0}}}, 'P@3', 9)",
    "rg.judge_next({'q': {'a': 5}}, {'q': {'z': 2.0, 'a': 1.0}}, 'DCG@2', 9), rg.judge_next({'q': {'a': 0}}, {'q': {'z': 2.0, 'a': 1.0}}, 'DCG@1', 9)",
    *each("tried(rg.judge_next, {a})", a=["PEOPLE, RUNS, 'P@2', 0", "PEOPLE, RUNS, 'P@2', 1.5", "PEOPLE, RUNS, 'P.1,2', 3", "PEOPLE, RUNS, ['P@1', 'P@2'], 3",
        "PEOPLE, RUNS, 'Judged@2', 3", "PEOPLE, RUNS, 'Bpref', 3", "PEOPLE, RUNS, 'zzz', 3", "PEOPLE, RUNS, [], 3", "RUNS['x'], PEOPLE, 'P@2', 3", "PEOPLE, {}, 'P@2', 3",
        "PEOPLE, 3, 'P@2', 3", "{}, RUNS, 'P@2', 3", "PEOPLE, RUNS, 'P@2', 3, convention='x'", "PEOPLE, RUNS, rg.measure('own', len), 3",
        "PEOPLE, {'x': RUNS['x'], 'y': {'q9': {'a': nan}}}, 'P@2', 2"],),
    *each("rg.corrected_mean({m}, {p}, 'RR', {o})", m=["one(30, 3)", "one(20, 2)"], p=["one(12, 5)", "one(9, 3)"], o=["", "level=0.8", "tuned=False", "tuned=np.False_, level=0.99"],),
    *each("rg.corrected_mean(both(30, 3), both(12, {s}), 'RR', baseline={b!r}, tuned={t})", s=[5, 3, 2], b=["old", "new"], t=[True, False],),
    *each("tried(rg.corrected_mean, {a})", a=["one(30, 3), one(4, 5), 'RR'", "one(12, 3), one(12, 5), 'RR'", "one(12, 3), one(20, 5), 'RR'", "one(30, 3), one(12, 5), 'AP'",
        "one(30, 3), 3, 'RR'", "both(30, 3), one(12, 5), 'RR'", "both(30, 3), both(12, 5), 'RR'", "one(30, 3), one(12, 5), 'RR', baseline='old'",
        "both(30, 3), both(12, 5), 'RR', baseline='x'", "both(30, 3), both(12, 5, ('new', 'x')), 'RR', baseline='new'", "both(30, 3), {'old': one(12, 5)}, 'RR', baseline='old'",
        "both(30, 3), {}, 'RR', baseline='old'", "one(30, 3), one(12, 5), 'RR', level=2", "one(30, 3), one(12, 5), 'RR', tuned=1", "one(30, 3, 'GMAP'), one(12, 5, 'GMAP'), 'GMAP'",
        "one(30, 3, 'NumRel'), one(12, 5, 'NumRel'), 'NumRel'", "one(30, 3, weight={q: 2 for q in RESULTS}), one(12, 5), 'RR'",
        "one(30, 3), one(12, 5, weight={q: 1 for q in RESULTS}), 'RR'", "arrays(30, 3), arrays(12, 5), 'RR'", "one(6, 3), one(5, 5), 'RR'", "one(30, 1), one(12, 1), 'RR'",
        "one(30, 3, ['RR', 'P@1']), one(12, 5, ['P@1']), 'precision@1'"],),
    "pooled(); pooled()['x'].collections; pooled()['x'].by([2, 1, 1] * 3)",
    *each("pooled().compare(resamples=200, {o})", o=["", "baseline='z'", "test='bootstrap'", "by=['a', 'b', 'b'] * 3", "measures='RR', correction=None"],),
    *each("tried(rg.compare, pooled(), test={t!r})", t=["wilcoxon", "sign", "tukey", "randomised_tukey"],),
    "a = pooled(); a['y'].interval('RR', resamples=90, method='bootstrap'); a.compare(resamples=100).verdict(); print(a.compare(resamples=100).ranks('RR')); tried(rg.power, a, 'RR')",
    *each("tried(rg.pool, {a})", a=["{}", "3", "[pooled()]", "{'a': 3}", "{'web': rg.evaluate_runs(PEOPLE, RUNS, 'RR')}",
        "{'a': rg.evaluate_runs(PEOPLE, RUNS, 'RR'), 'b': rg.evaluate_runs(MODEL, {'x': RUNS['x']}, 'RR')}",
        "{'a': rg.evaluate_runs(PEOPLE, RUNS, 'RR'), 'b': rg.evaluate_runs(MODEL, RUNS, 'P@2')}",
        "{'a': rg.evaluate_runs(PEOPLE, RUNS, 'RR'), 'b': rg.evaluate_runs(MODEL, RUNS, 'RR', convention='beir')}", "{'a': pooled(), 'b': pooled()}",
        "{'a': rg.evaluate(PEOPLE, RUNS['x'], 'RR'), 'b': rg.evaluate(MODEL, RUNS['x'], 'RR')}", "{3: pooled()}"],),
]
CALLS += [
    "rg.judge_next(PEOPLE, {'x': {'q9': ('new', 'a'), 'q1': ('m',)}, 'y': {'q9': ('b', 'old')}}, 'P@2', 9); rg.judge_next(PEOPLE, {'x': rg.Run({'q9': ['new', 'a']})}, 'DCG@2', 9)",
    "tried(rg.corrected_mean, both(30, 3), rg.Evaluations({'new': both(12, 5)['new'], 'old': both(9, 5)['old']}), 'RR', baseline='old')",
    "tried(rg.corrected_mean, both(30, 3), rg.Evaluations({'new': one(12, 5, weight={q: 1 for q in RESULTS}), 'old': one(12, 5, weight={q: 1 for q in RESULTS})}), 'RR', baseline='old')",
    *each("tried(rg.pool, {a})", a=["{'web': rg.evaluate_runs(PEOPLE, RUNS, 'RR'), 3: rg.evaluate_runs(MODEL, RUNS, 'RR')}", "{'web': rg.evaluate_runs(PEOPLE, RUNS, 'RR', weight=dict.fromkeys(PEOPLE, 2)), 'b': rg.evaluate_runs(MODEL, RUNS, 'RR')}",
        "{'web': rg.evaluate_runs(PEOPLE, {'x': RUNS['x']}, 'RR'), 'b': rg.evaluate_runs(MODEL, RUNS, 'RR')}", "{'a': rg.evaluate_runs(PEOPLE, RUNS, 'HitRate(per=item)@2'), 'b': rg.evaluate_runs(MODEL, RUNS, 'HitRate(per=item)@2')}"]),
    *each("agree({a}, {b})", a=["{'q': {'a': 1, 'b': 2}}", "{'q': {'a': 1}, 'r': {'b': 3}}"], b=["{'q': {'a': 1, 'b': 3, 'c': 1}}", "{'q': {'a': 1}, 'r': {'b': 3, 'a': 1}}"]),
    "rg.judge_next(PEOPLE, {'x': {'q9': {}, 'q1': {'m': 1.0}}, 'y': RUNS['y']}, 'P@2', 9), rg.judge_next(PEOPLE, {'x': {'q9': ['new', 'a']}, 'y': {'q9': ['b', 'old']}}, 'P@2', 9)",
    "rg.judge_next({'7': {'a': 1}, '10': {'a': 0, 'b': 2}}, {'x': {7: {'n': 2.0}, 10: {'m': 1.0, 'b': 3.0}}, 'y': {7: {'a': 1.0}}}, 'DCG@2', 9)",
]
CALLS = [*dict.fromkeys(CALLS)]
