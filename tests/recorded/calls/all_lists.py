"""Measures of all recommended lists together: values, merged parts, intervals, comparisons."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
import copy, pickle
A = {"u9": [5, 2, 7], "u10": [2, 9], "u1": [5, 2, 1], "u0": [], "u5": [7]}
B = {"u9": [1, 2, 3], "u10": [4, 6], "u1": [9, 8, 7], "u0": [5], "u5": []}
SAME = [[1, 2, 3], [3, 1, 2], [4, 5, 6], [1, 4, 2]]
TEXTS = [["b", "a"], ["ab", "b"], ["c"], []]
WIDE = [[2**53 + 1, 2**53], [2**53 + 1, -4], [7, 2**53]]
FILLED = np.array([[1, 2, -1], [-1, -1, -1], [2, 3, 1]])
POPULAR = {1: 9, 2: 1, 3: 4, 4: 2, 5: 5, 6: 1, 7: 1, 8: 3, 9: 2}
whole, single = ["Coverage", "Gini", "Entropy", "Personalisation"], ["Novelty", "Popularity", "TailShare", "NewItems"]
def on(lists, measures, **options): return rg.evaluate_catalogue(lists, measures, **{"k": 2, "catalogue": 12, **options})
def numbers(result): print({name: f"{value:.10g}" for name, value in result.means.items()})
def tried(function, *arguments, **options):
    try: result = function(*arguments, **options)
    except (TypeError, ValueError) as error: print(type(error).__name__, error)
    else: return result
def merged(*parts): return rg.Evaluation.merge(parts)
"""
WHOLE = ["Coverage", "Gini", "Entropy", "Personalisation"]
LISTS = ["A", "B", "SAME", "WIDE", "FILLED"]
SMALL = ["[]", "[[]]", "[[], []]", "[[1]]", "[[1], [1]]", "[[1], []]", "[[1, 2], [1, 2], [1, 2]]", "[[1], [2], [3]]", "{'a': [1], 'b': [2, 1]}"]
CALLS = [
    *each("on({i}, whole, k={k})", i=LISTS, k=[1, 2, 9]),
    *each("on(TEXTS, whole, catalogue={c})", c=["list('abcd')", "5", "{'a': 1, 'b': 2, 'c': 1}", "3", "2", "['a', 'b']", "0", "[]"],),
    *each("tried(on, {i}, whole)", i=SMALL),
    *each("tried(on, {i}, {m!r}, catalogue={c})", i=["A", "SAME"], m=WHOLE, c=["6", "10", "4", "None"]),
    "on(A, ['Gini@1', 'Coverage@3', 'Entropy', 'Personalisation@1', 'Gini@3'])",
    "on(A, [*whole, *single], popularity=POPULAR, catalogue=None); on(B, [*whole, *single], popularity=POPULAR, k=3)",
    *each("a = on({i}, whole, k=3); [a.interval(m, {o}) for m in whole]", i=["A", "SAME", "WIDE"], o=["method='t'", "resamples=60, seed=3", "level=0.8, resamples=60"],),
    *each("a, b = on(A, whole, k={k}), on(B, whole, k={k}); rg.Evaluations({{'a': a, 'b': b}}).compare(resamples=100, test={t!r})", k=[1, 3], t=["randomisation", "wilcoxon", "sign",
        "bootstrap"],),
    "a, b = on(A, whole, k=3), on(B, whole, k=3); rg.compare({'a': a, 'b': b}, by=dict(u9='x', u10='x', u1='y', u0='y', u5='x'), resamples=100)",
    "a = on(SAME, whole, k=3); a.by(['x', 'y', 'x', 'y']); a.by([2, 1, 1, 1])",
    "a = on(A, whole, k=3); a.by({'u9': 'x', 'u10': 'y', 'u1': 'x', 'u0': 'z', 'u5': 'y'}); a.recommended.to_lists(), a.recommended == on(B, whole).recommended",
    *each("merged(on({i}, {m}, k=2), on({j}, {m}, k=2))", i=["TEXTS", "{'a': [1, 2]}", "{'x': [7, 5, 1], 'y': []}"], j=["{'c': [2, 9], 'b': [5]}"], m=["whole", "'Gini'",
        "['Personalisation', 'Entropy@1']"],),
    "merged(on({'a': ['x', 'y']}, whole), on({'b': ['z', 'x'], 'c': ['y']}, whole), on({'d': ['w']}, whole))",
    "merged(on({'a': [1]}, whole), on({'b': ['1']}, whole))",
    "merged(on({'a': [1]}, whole), on({'b': [1]}, whole, catalogue=13))",
    "merged(on({'a': [1, 4]}, whole, catalogue=[1, 4, 5]), on({'b': [5]}, whole, catalogue=[1, 4, 5]))",
    "merged(on({'a': [1, 4, 3]}, whole, k=1), on({'b': [5]}, whole, k=2))",
    "merged(on({'a': [1]}, whole, catalogue=1), on({'b': [5]}, whole, catalogue=1))",
    "a = on(A, whole, k=3); b = pickle.loads(pickle.dumps(a)); a == b, copy.copy(a) == a; numbers(b); rg.Evaluation.read(a.to_json('a.json') or 'a.json') == a",
    "a = on(A, 'Gini'); a.to_json('a.json'); b = rg.Evaluation.read('a.json'); b.recommended.to_lists(), b.interval('Gini', method='t'), b.by(['x', 'x', 'y', 'y', 'y'])",
    "a = rg.evaluate_ids(A, {u: [2, 5] for u in A}, ['P@2', 'Coverage@2', 'Gini@3', 'Entropy@1', 'Novelty@2'], catalogue=12, popularity=POPULAR); a; a.interval('Gini@3', method='t')",
    "a = rg.evaluate_ids(A, {u: [2, 5] for u in A}, ['Personalisation@2', 'nDCG@2', 'ILD@3'], categories=POPULAR); a",
    "a = rg.Evaluation.from_values({'Gini': [0.1, 0.2, 0.4]}); a; a.interval('Gini', method='t')",
    *drawn(14, "a = on({i}, {m!r}, k={k}); numbers(a); numbers(a.by([0, 1, 1, 0, 1][: len(a.queries)])['1']); a.interval({m!r}, method='t', level=0.9)", i=["A", "B", "SAME", "WIDE"],
        m=["Coverage", "Gini", "Entropy", "Personalisation"], k=[1, 2, 3],),
    "on(A, ['TailShare', 'NewItems@3', 'Popularity'], k=3, popularity={5: 3, 2: 0, 9: 4, 3: 1, 7: 3})",
    *each("tried(on, {a})", a=["A, 'nDCG@3'", "A, ['Gini', 'P@1', 'R']", "A, 'Coverage', catalogue=None", "A, 'Gini', k=None", "A, 'Gini@2', k=None", "A, 'Gini', k=0",
        "A, 'Gini', k=True", "[[1, 1]], 'Gini'", "[[1, 'a']], 'Gini'", "[[1], ['a']], 'Gini'", "A, 'Novelty'", "A, 'Novelty', popularity={1: 2}", "A, 'ILD'", "A, 'Serendipity'",
        "A, 'Gini', catalogue=-1", "A, 'Coverage', catalogue=[1, 2]", "A, 'Coverage', catalogue=2.5", "A, 'ILD', features={i: [1, i] for i in range(10)}, categories=POPULAR",
        "A, 'TailShare'", "5, 'Gini'"],),
    *each("on({i}, 'ILD', k=3, {o})", i=["A", "SAME"], o=["categories=POPULAR", "categories={i: [i % 2, i % 3] for i in range(10)}",
        "features={i: [1, i, i * i % 5] for i in range(10)}", "features=np.eye(10)", "categories=list('aabbccddee')"],),
    *each("on({i}, ['Serendipity', 'Serendipity@1'], k=3, {o})", i=["A", "B"], o=["baseline=[5, 2]", "baseline={'u9': [5], 'u10': [2, 9], 'u1': [1, 5], 'u0': [], 'u5': [1]}",
        "baseline={u: [2] for u in A}, relevant={'u9': [7, 5], 'u1': {1: 2, 5: 0}}", "baseline=[2], relevant={'u9': {5, 7}, 'u10': [9], 'u1': [5], 'u0': [], 'u5': [7]}"],),
]
CALLS += [
    "tried(on, [[], []], 'Gini', catalogue=0); tried(on, [[]], 'Coverage', catalogue=[])",
    "tried(rg.compare({'a': on(A, whole), 'b': on(B, whole)}, resamples=50).changes, 'Gini'); tried(rg.compare({'a': on(A, whole), 'b': on(B, whole)}, resamples=50).verdict, 'Coverage')",
    "tried(rg.compare({'a': on(A, whole), 'b': on(B, whole)}, resamples=50).ranks, 'Coverage@2'); rg.compare({'a': on(A, whole), 'b': on(B, whole)}, measures='Gini', resamples=50).verdict()",
]
CALLS = [*dict.fromkeys(CALLS)]
