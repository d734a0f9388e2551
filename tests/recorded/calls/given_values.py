"""Evaluations of values of other programs, and evaluations of several collections as one."""

from recorded.recording import each

# fmt: off

GIVEN = """
import pickle
from decimal import Decimal
from fractions import Fraction
VALUES = {"f1": [0.5, 1, 0.25], "cost": [3.5, 2, 9], "exact": [True, False, None]}
def given(seed=0, names=("a", "b"), count=4, **options):
    rows = {n: {"f1": [((i * 7 + j * 3 + seed) % 11) / 8 for i in range(count)]} for j, n in enumerate(names)}
    return rg.Evaluations({n: rg.Evaluation.from_values(v, **options) for n, v in rows.items()})
NEWS, WIKI, LAW = given(), given(3, count=3), given(5, count=6)
LABELS, SCORES = [[0, 1, 2], [1, 0, 0]], [[1, 2, 3], [1, 2, 3.0]]
def evaluated(measure, **options):
    return {"a": rg.evaluate_arrays(LABELS, SCORES, measure, **options)}
"""
CALLS = [
    *each(
        "rg.Evaluation.from_values({v}{o})",
        v=["VALUES", "{'f1': [0.5, 1, 0.25]}", "{'b': np.array([1, 2, 3], 'i2'), 'a': (True, False, True)}", "{'x': [Decimal('0.1'), Fraction(1, 3), 2**60]}",
           "{'nDCG@2': [float('nan'), 1, None], 'y': np.array([np.nan, 1, 2], 'f4')}"],
        o=["", ", queries=['q2', 'q10', 'q1']", ", queries=[2**53 + 1, 2**53, -1]", ", better='lower'", ", better={'cost': 'lower'}", ", better={'f1': 'lower', 'x': 'higher'}",
           ", queries=np.array([3, 1, 2])"],
    ),
    *each(
        "rg.Evaluation.from_values({v})",
        v=["[1, 2]", "{}", "{1: [1]}", "{' ': [1]}", "{'a': 'text'}", "{'a': {1: 2}}", "{'a': {1, 2}}", "{'a': 3}", "{'a': iter([1])}", "{'a': np.zeros((2, 2))}", "{'a': []}",
           "{'a': [1, 'x']}", "{'a': [1, 2], 'b': [1]}", "{'a': [1, float('inf')]}", "{'a': [1, -float('inf')]}", "{'a': np.array([1, 2, np.inf])}", "{'a': [1, 10**400]}", "{'a': [1, 1j]}",
           "{'a': [None, None]}", "{'a': [1, 2]}, queries=[1]", "{'a': [1, 2]}, queries='ab'", "{'a': [1, 2]}, queries=3", "{'a': [1, 2]}, queries={1, 2}",
           "{'a': [1, 2]}, queries=['q', 'q']", "{'a': [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]}, queries=list('aabbccddee')", "{'a': [1, 2]}, queries=['q', 1]", "{'a': [1, 2]}, queries=['q', None]",
           "{'a': [1, 2]}, better='up'", "{'a': [1, 2]}, better=['lower']", "{'a': [1, 2]}, better={'b': 'lower'}", "{'a': [1, 2], 'c': [1, 2]}, better={'c': 'low'}",
           "{'a': [1, 2], 'c': [1, 2]}, better={'c': 'lower', 'd': 'lower'}", "{'a': np.array(['1', '2'])}", "{'a': np.array([1, None], object)}"],
    ),
    *each(
        "r = rg.Evaluation.from_values(VALUES, better={{'cost': 'lower'}}); {s}",
        s=["r['cost']; r['exact']", "r['f2']", "r['nDCG']", "r.interval('cost', level=0.9); r.intervals(seed=3)", "r.by(['x', 'y', 'x'])", "pickle.loads(pickle.dumps(r))", "r.to_dict()",
           "rg.Evaluation.merge([r, rg.Evaluation.from_values(VALUES, [7, 8, 9], better={'cost': 'lower'})])", "rg.Evaluation.merge([r.by(['x', 'y', 'x'])['x'], r])",
           "rg.Evaluations({'a': r, 'b': r}).sort('cost')", "rg.Evaluations({'a': r, 'b': rg.Evaluation.from_values(VALUES)})",
           "rg.Evaluations({'a': r, 'b': rg.Evaluation.from_values({'cost': [1, 2, 3]}, better='lower')})"],
    ),
    "rg.Evaluations({'a': rg.Evaluation.from_values({'MR': [1, 2]}), 'b': rg.evaluate_arrays(LABELS, SCORES, 'MR')})",
    "rg.Evaluations({'b': rg.evaluate_arrays(LABELS, SCORES, 'AP'), 'a': rg.Evaluation.from_values({'AP': [1, 2]}, better='lower')})",
    "rg.Evaluations({'b': rg.evaluate_arrays(LABELS, SCORES, 'AP'), 'a': rg.Evaluation.from_values({'AP': [1, 2]})})",
    # Several collections as one.
    "rg.pool({'news': NEWS, 'wiki': WIKI})",
    "rg.pool({'law': LAW, 'news': NEWS, 'wiki': WIKI})",
    "p = rg.pool({'law': LAW, 'news': NEWS, 'wiki': WIKI}); p.intervals(seed=2); p['a'].interval('f1', level=0.8); p['b'].interval('f1', method='t'); p.compare(seed=1)",
    "p = rg.pool({'x': given(count=45), 'y': given(2, count=60)}); p.intervals(seed=2, resamples=500); p['a'].interval('f1', resamples=300); p['a'].interval('f1', method='t')",
    "p = rg.pool({'x': given(count=45), 'y': given(2, count=39)}); p['a'].interval('f1', resamples=300); p['a'].interval('f1', method='bca')",
    "p = rg.pool({'x': given(count=1), 'y': given(2, count=60)}); p['a'].interval('f1')",
    "p = rg.pool({'news': NEWS, 'wiki': WIKI}); pickle.loads(pickle.dumps(p['a'])); p['a'].collections; p['a'].by(['x', 'y', 'x', 'y', 'x', 'y', 'z'])",
    "p = rg.pool({'news': NEWS, 'wiki': WIKI}); p['a'].interval('f1', by=['x', 'y', 'x', 'y', 'x', 'y', 'z'])",
    "p = rg.pool({'news': NEWS, 'wiki': WIKI}); rg.pool({'p': p, 'law': LAW})",
    "rg.pool({'n': {'a': rg.evaluate_arrays(LABELS, SCORES, ['AP', 'nDCG'], rel=2)}, 'w': {'a': rg.evaluate_arrays(LABELS[:1], SCORES[:1], ['AP', 'nDCG'], rel=2)}})",
    "rg.pool({'n': evaluated(['AP', 'nDCG'], empty='skip'), 'w': evaluated(['AP', 'nDCG'], empty='skip')})",
    *each(
        "rg.pool({c})",
        c=["[NEWS, WIKI]", "{'n': NEWS}", "{}", "{1: NEWS, 'w': WIKI}", "{'': NEWS, 'w': WIKI}", "{'n': NEWS, 'w': NEWS['a']}", "{'n': NEWS, 'w': {}}", "{'n': NEWS, 'w': {'a': 3}}",
           "{'n': NEWS, 'w': given(names=('a', 'c'))}", "{'n': NEWS, 'w': given(names='abc')}", "{'n': NEWS, 'w': given(names='a')}", "{'n': NEWS, 'w': given(better='lower')}",
           "{'n': evaluated('AP'), 'w': evaluated('RR')}", "{'n': evaluated('AP'), 'w': evaluated('AP', convention='ranx')}", "{'n': evaluated('AP'), 'w': evaluated('AP', weight=[1, 2])}",
           "{'n': evaluated('GMAP'), 'w': evaluated('GMAP')}", "{'n': evaluated('HitRate(per=item)@2'), 'w': evaluated('HitRate(per=item)@2')}",
           "{'n': evaluated('NumRel'), 'w': evaluated('NumRel')}", "{'n': evaluated('AP'), 'w': evaluated('AP', rel=2)}",
           "{'n': {'a': rg.evaluate_catalogue([[1], [2]], 'Entropy@1')}, 'w': {'a': rg.evaluate_catalogue([[1], [2]], 'Entropy@1')}}",
           "{'n': evaluated('AP'), 'w': {'a': rg.evaluate_arrays(np.zeros((0, 2)), np.zeros((0, 2)), 'AP')}}", "{'n': evaluated(['AP', 'RR']), 'w': evaluated(['RR', 'AP'])}"],
    ),
    *each(
        'rg.Evaluation.from_values({v})',
        v=['{3: [1]}', "{'a': [1, '2']}", "{'a': [1, 2j]}", "{'a': np.array([np.inf])}", "{'a': [10 ** 400]}",
           "{'a': '12'}", "{'a': {0: 1}}", "{'a': np.ones((2, 2))}", "{'a': [1], 'b': [1, 2]}", "{'a': [1, 2]}, queries=['q']",
           "{'a': [1, 2]}, queries='qr'", "{'a': [1]}, better='up'", "{'a': [1]}, better={'b': 'lower'}", "{'a': [1]}, better={'a': 'less'}",
           "{'a': [1]}, better=1"],
    ),
]
