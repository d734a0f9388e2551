"""Systems compared pair by pair: every option, segments, changes, ranks, verdicts, refusals."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
def segmented(name, labels, values): return rg.Evaluation({"m": sum(values) / len(values)}, {"m": values}, list("abcdefg")[: len(values)], segments=labels, better={"m": "higher"})
SEGMENTED = {"x": segmented("x", list("ttssts"), [0.5, 0.25, 1.0, 0.75, 0.1, 0.9]), "y": segmented("y", list("ttssts"), [0.25, 0.5, 0.5, 0.25, 0.0, 0.1])}
TWO_RUNS = {"x": {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 1}, "q3": {"b": 2, "a": 1}, "q4": {"c": 1}}, "y": {"q1": {"b": 3}, "q2": {"b": 2, "c": 1, "a": 0}, "q3": {"c": 1}, "q4": {"a": 2, "b": 1, "c": 0}}}
def micro(): return rg.evaluate_runs({"q1": {"a": 1, "c": 1}, "q2": {"a": 1}, "q3": {"b": 1}, "q4": {"c": 1}}, TWO_RUNS, "P@3", convention=rg.conventions["trec"].replace(mean={"precision": "micro"}, divisor={"precision": "min"}))
def shown(n, size): return rg.evaluate_catalogue([[i % 3, i % 4 + 4] for i in range(n)], "Coverage", k=2, catalogue=size)
import copy, pickle
nan = float("nan")
QUERIES = ["q9", "q10", "q1", "Q2", "q02", "q3", "q7", "q8"]
LABELS = [[0, 1, 2, 0], [1, 0, 0, 3], [0, 2, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [3, 0, 2, 1], [0, 0, 0, 1], [2, 2, 0, 0]]
MODELS = {
    "new": [[1, 2, 3, 0], [3, 2, 1, 4], [1, 3, 2, 2], [3, 2, 1, 0], [1, 2, 3, 4], [4, 1, 3, 2], [1, 2, 3, 4], [4, 3, 2, 2]],
    "old": [[3, 2, 1, 1]] * 4 + [[1, 1, 1, 1]] + [[1, 2, 2, 1], [4, 3, 2, 1], [1, 2, 3, 4]],
    "mid": [[2, 2, 2, 2], [4, 1, 1, 3], [1, 2, 2, 0], [0, 2, 1, 3], [4, 3, 2, 1], [2, 1, 4, 3], [0, 3, 1, 2], [4, 1, 2, 3]],
    "bad": [[4, 2, 1, 3], [1, 3, 2, 0], [4, 1, 2, 3], [1, 2, 3, 4], [0, 0, 1, 1], [1, 4, 2, 3], [4, 3, 2, 1], [1, 2, 4, 3]],
}
WAVES = {
    "a": [0.5 + 0.03 * (i % 7) for i in range(42)], "b": [0.5 + 0.028 * (i % 7) - 0.004 * (i % 3) for i in range(42)],
    "c": [0.3 + 0.01 * (i % 5) for i in range(42)], "d": [0.5 + 0.03 * (i % 7) + 0.002 * (i % 4) for i in range(42)],
    "e": [0.52 + 0.03 * (i % 7) for i in range(42)], "f": [0.9 - 0.03 * (i % 7) for i in range(42)],
}
WAVES = {name: [0.97313 * value for value in values] for name, values in WAVES.items()}  # no mean is at the edge of a decimal
GAPS = {"x": [0.5, nan, 0.75, 0.25, 1.0, 0.5, 0.0, 0.125], "y": [0.25, 0.5, nan, 0.5, 0.5, 0.0, 0.25, 0.5], "z": [0.1, 0.2, 0.3, nan, 0.5, 0.6, 0.7, 0.8]}
SEGMENT = ["s", "t", "s", "t", "s", "s", "t", "s"]
WEIGHTS = [1, 2, 0.5, 1, 1, 3, 1, 0]
NUMBERS = [2**53 + 1, 2**53, -1, 7, 10, 9, 100, 0]
def models(*names, measures=("nDCG@2", "RR", "P@2"), **options):
    return rg.evaluate_models(LABELS, {name: MODELS[name] for name in names or MODELS}, list(measures), **options)
def free(*names, values=WAVES, better="higher", measures=("f1",), n=99, queries=None):
    made = {}
    for name in names or values:
        column = values[name][:n]
        made[name] = rg.Evaluation.from_values({m: [v * (1 + i) for v in column] for i, m in enumerate(measures)}, queries, better=better)
    return rg.Evaluations(made)
def compared(evaluations, **options): return rg.compare(evaluations, **{"resamples": 300, **options})
def outcomes(c): return [(row.measure, row.segment, row.a, row.b, c.outcome(row), c.is_better(row), c.is_significant(row), c.is_equivalent(row), row.win_rate) for row in c.rows]
def tried(function, *arguments, **options):
    try: result = function(*arguments, **options)
    except (TypeError, ValueError, KeyError) as error: print(type(error).__name__, error)
    else: print(result)
PARTIAL = {"a": rg.Evaluation.from_values({"m": [0.5, 0.25, 1.0, 0.75, 0.1, 0.9]}, QUERIES[:6]), "b": rg.Evaluation.from_values({"m": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, QUERIES[:1:-1])}
"""
TESTS = ["randomisation", "bootstrap", "randomised_tukey"]
OPTIONS = (
    """
baseline='old'|baseline='mid'|correction=None|correction='bonferroni'|correction='bh'|level=0.8|level=0.5, correction=None|seed=7|resamples=40|resamples=1000
measures='rr'|measures=['p@2', 'ndcg_cut_2']|measures='RR', baseline='new'|test='bootstrap'|test='randomised_tukey'|test='randomised_tukey', level=0.9, baseline='bad'
by=SEGMENT|by=SEGMENT, baseline='old', measures='RR'|by=dict(enumerate(SEGMENT))|by=[2, 10, 2, 10, 10, 2, 1, 1], measures='P@2'|queries='common'|by=[None, 'b'] * 4, measures='P@2'
""".strip()
    .replace("\n", "|")
    .split("|")
)
WAVE_OPTIONS = (
    """
|test='bootstrap'|test='randomised_tukey'|baseline='a'|baseline='f', correction='bh'|correction=None|level=0.9|seed=3, test='bootstrap'|resamples=2|correction='bonferroni', resamples=100
by=[i % 4 // 3 for i in range(42)]|by=[i % 4 // 3 for i in range(42)], baseline='b'|test='bootstrap', by=[i // 41 for i in range(42)]|test='bootstrap', baseline='c', level=0.99
""".strip("\n")
    .replace("\n", "|")
    .split("|")
)
REFUSED = (
    """
models(), test='ttest'|models(), test='Permutation'|models(), test='randomized_tukey'|models(), test='x'|models(), test=3|models(), correction='fdr'|models(), correction='Benjamini-Hochberg'|models(), correction='x'
models(), level=1|models(), level=0|models(), level='x'|models(), level=True|models(), resamples=0|models(), resamples=1.5|models(), resamples='9'|models(), seed=-1|models(), seed=None|models(), baseline='nix'
models(), baseline=3|models(), measures='nDCG'|models(), measures=['RR', 'AP']|models(), measures=[]|models(), measures='zzz'|models(), queries='all'|models(), by=[1, 2]|models(), by={0: 'a'}|models(), by='segment'
models(), by='x'|models('new')|{}|[1, 2]|models()['new']|{'a': 3, 'b': 4}|{'a': models()['new'], 'b': models(measures=['AP'])['old']}|PARTIAL|{'a': models()['new'], 'b': models(weight=WEIGHTS)['old']}
{'a': models()['new'], 'b': models(convention='trec', ties='stable')['old']}|models(measures=['GMAP', 'P@2'], ties='stable'), test='randomised_tukey'|{1: models()['new'], '1': models()['old']}
{'a': models(gain='exp2')['new'], 'b': models()['old']}|free('a', 'b', n=1)|free('a', 'b', n=2)|free('a', 'b', n=5)|free('a', 'b', n=6), level=0.99|free('a', 'a')|{'a': free('a')['a'], 'b': free('b', better='lower')['b']}
models(weight=WEIGHTS), test='randomised_tukey'|models(measures=['P@2'], convention=rg.conventions['implicit']), test='randomised_tukey'|models(measures=['NumRelRet', 'NumRet'])
{'a': rg.Evaluation.from_values({'m': [nan] * 6}), 'b': rg.Evaluation.from_values({'m': [1.0] * 6})}|free('a', 'b', n=0)|models('new', 'old', empty='skip')|models('new', 'old', empty=nan)
free('a', 'e')|free('a', 'e', n=8), test='bootstrap'|free(n=6), resamples=10|free(), resamples=10, correction='bonferroni'|free('a', 'b', measures=['m', 'n']), resamples=30|free('a', 'b'), resamples=15
free(measures=['m', 'n'], n=8), resamples=60, baseline='a'|free('a', 'b', n=41), resamples=19|free('a', 'b', n=41), resamples=20
""".strip()
    .replace("\n", "|")
    .split("|")
)
VERDICTS = (
    """
models('new', 'old')|models()|models(), baseline='old'|models(), baseline='new'|models('new', 'old'), by=SEGMENT|models(), by=SEGMENT|free('a', 'b')|free('b', 'a')|free('a', 'c')|free('c', 'a')|free('a', 'e')|free()
free(), baseline='a'|free(), baseline='c'|free(better='lower')|free('a', 'c', better='lower')|free(better='lower'), baseline='a'|free(measures=['m', 'n'])|free('a', 'c', measures=['m', 'n', 'o'])|free('a', 'b', measures=['m', 'n'])
free(values=GAPS)|free('x', 'y', values=GAPS)|free('a', 'b', n=5)|free('a', 'b', n=2)|free('a', 'b'), by=[i % 2 for i in range(42)]|free('a', 'c'), by=[i // 39 for i in range(42)]|free(), by=[i % 3 for i in range(42)]
free('a', 'b'), correction=None|free(), correction=None|free('a', 'b', 'd', n=12), correction='bonferroni'|free('a', 'b', 'd', n=41), resamples=50|free('a', 'b', 'd', n=12), test='randomised_tukey'|free('a', 'b', n=12), test='bootstrap'
models('new', 'old', measures=['MR', 'RR'], ties='stable')|models('new', 'old', measures=['GMAP'])|models('new', 'old', weight=WEIGHTS)|models('new', 'bad', empty='skip')|free('a', 'b', queries=[f'u{i}' for i in range(42)])
free('a', 'c', 'f', measures=['m', 'n', 'o'])|free('a', 'c', 'f', measures=['m', 'n', 'o']), baseline='f'|free(n=41), by=[['x', 'y', 'z', 'u', 'v', 'w', 's', 't', 'r'][i % 9] for i in range(41)]|PARTIAL, queries='common'
{'a b': free('a')['a'], 'c\\td': free('c')['c']}|{f's{i}': free('a' if i % 2 else 'c')['a' if i % 2 else 'c'] for i in range(9)}|{f's{i}': free('a' if i % 2 else 'c')['a' if i % 2 else 'c'] for i in range(9)}, baseline='s0'
""".strip()
    .replace("\n", "|")
    .split("|")
)
CALLS = [
    *each("compared(models(), {o})", o=OPTIONS),
    *drawn(14, "compared(models('new', 'bad', 'mid', {m}), {o})", m=["weight=WEIGHTS", "empty='skip'", "qid=None", "convention='lightgbm'"], o=["correction=None", "baseline='bad'",
        "by=SEGMENT, measures='P@2'", "level=0.9, seed=2", "test='bootstrap'"],),
    *each("str(compared(free(), {o}))", o=WAVE_OPTIONS),
    *each("outcomes(compared(free('a', 'c', 'd', 'f', better={b!r}), {o}))", b=["higher", "lower"], o=["", "baseline='d'", "by=[i % 2 for i in range(42)]"],),
    *each("compared(free(values=GAPS), test={t!r}, correction={c!r})", t=TESTS, c=["holm", "bh", None]),
    *each("compared(models({m}), measures={n!r})", m=["ties='stable', measures=['MR', 'GMAP', 'AUC', 'NumRelRet']"], n=["MR", "GMAP", "AUC"],),
    "compared(models(measures=['P@2', 'R@2'], convention=rg.conventions['implicit'].replace(k=None)), measures='P@2')",
    *each("compared(models(measures=['P@2'], convention=rg.conventions['implicit'].replace(k=None), weight=WEIGHTS), test={t!r})", t=TESTS[:2],),
    *each("compared(PARTIAL, queries='common', {o})", o=["correction=None", "baseline='b'", "by={q: q[0] for q in QUERIES}", "by=[q[0] for q in QUERIES[:6]]"],),
    "compared({n: rg.Evaluation.from_values({'m': WAVES[n][:8]}, NUMBERS) for n in 'abc'}, by=dict(zip(NUMBERS, SEGMENT)))",
    *each("tried(compared, {a})", a=REFUSED),
    *each("compared({v}).verdict()", v=VERDICTS),
    *each("tried(compared(free('a', 'c', 'f', measures=['m', 'n'])).verdict, {m})", m=["'n'", "'m'", "'map'", "'x'", "None"],),
    *each("tried(compared(models('new', 'old')).verdict, {m})", m=["'rr'", "'precision@2'", "'AP'", "'MRR'"],),
    *each("tried(compared(models(), {b}).changes, {a})", b=["", "baseline='mid'"], a=["'RR', a='new', b='old'", "'p@2', 2, a='bad', b='new'", "'nDCG@2', 3", "'RR', a='new'",
        "'RR', b='new'", "'RR', a='new', b='new'", "'RR', a='nix', b='new'", "'AP', a='new', b='old'", "'RR', 0, a='new', b='old'", "'RR', 1.5, a='new', b='old'",
        "'RR', a='mid', b='bad'", "'RR', 1, a='new', b='mid'"],),
    *each("compared({v}).changes({m!r}, {n})", v=["free('x', 'y', values=GAPS)", "PARTIAL, queries='common'", "models('new', 'old'), by=SEGMENT"], m=["f1", "m", "RR"], n=[1, 9],),
    *each("tried(compared(free({o}){c}).ranks, 'f1', {a})", o=["n=20", "'a', 'b', 'd'", "better='lower'", "values=GAPS", "n=1", "'a', 'e'"], c=["",
        ", test='randomised_tukey', baseline=None, seed=5"], a=["level=0.95", "level=0.6", "level=1"],),
    *each("tried(compared(models()).ranks, {m})", m=["'rr'", "'AP'", "'P@2', level='x'"]),
    "compared({'a': free('a')['a'], 'b': rg.Evaluation.from_values({'f1': [nan] * 42})}).ranks('f1')",
    "c = compared(models('new', 'old')); d = pickle.loads(pickle.dumps(c)); d == c, copy.copy(c) == c, hash(d) == hash(c), len(c), repr(c); c.rank = 2",
    "c = compared(models('new', 'old'), by=SEGMENT); c.to_json('c.json'); d = rg.Comparison.read('c.json'); d == c, d.evaluations, d.verdict() == c.verdict(); tried(d.changes, 'RR'); tried(d.ranks, 'RR'); d.verdict()",
    *each("print(compared(models(), {o}).{w})", o=["measures='RR'", "baseline='old', by=SEGMENT, measures=['RR', 'P@2']"], w=["to_csv()", "to_markdown()",
        "to_markdown(precision=2)", "to_latex()", "to_latex(precision=2, second=True)", "to_latex(transpose=True, caption='A & B', label='t')"],),
    "a = models(); str(compared(a)) == str(compared(a)), compared(a).rows == compared(dict(a)).rows, a.compare(resamples=300).rows == compared(a).rows",
    *each("rg.power(free({a}), 'f1', {o})", a=["'a', 'b'", "", "values=GAPS"], o=["difference=0.05", "difference=-0.01, n=30", "n=9", "n=9, power=0.5, level=0.1", "difference=1e-4",
        "difference=0.02, power=0.99, level=0.01", "difference=3", "n=2", "n=100000, power=0.9"],),
    *each("rg.power(free(measures=['m', 'n']), {o})", o=["'n', a='a', b='c', n=20", "'m', a='c', b='a', difference=0.1", "'m', a='f', b='d'"],),
    *each("tried(rg.power, {a})", a=["free('a', 'e'), 'f1', n=3", "free('a', 'b'), 'f1', difference=0", "free('a', 'b'), 'f1', difference='x'",
        "free('a', 'b'), 'f1', difference=True", "free('a', 'b'), 'f1', difference=nan", "free('a', 'b'), 'f1', n=1", "free('a', 'b'), 'f1', n=2.5", "free('a', 'b'), 'f1', level=1",
        "free('a', 'b'), 'f1', level=True", "free('a', 'b'), 'f1', power=0", "free('a', 'b'), 'f1', power='x'", "free('a', 'b'), 'f1', power=0.05", "free('a', 'b'), 'f1', a='a'",
        "free('a', 'b'), 'f1', b='a'", "free('a', 'b'), 'f1', a='a', b='a'", "free('a', 'b'), 'f1', a='a', b='z'", "free('a', 'b'), 'm'", "free('a', 'b', n=1), 'f1'",
        "free('a'), 'f1'", "free('a', 'b'), 'f1', difference=1e-9", "models(), 'rr', difference=0.1", "models(), 'nDCG@2'", "models(weight=WEIGHTS), 'P@2', n=50", "PARTIAL, 'm'",
        "{'a': 3}, 'm'"],),
]
CALLS += [
    "tried(compared, {n: rg.Evaluation({'m': v}, {'m': [v] * 6}, range(6), better={'m': 'higher'}) for n, v in {'a': 1.0, 'b': float('inf')}.items()})",
    *each("compared(models('new', 'old', 'mid', measures=['GMAP'], ties='stable'), test='randomised_tukey', level={v}, {o})", v=[0.95, 0.6], o=["", "baseline='mid'"]),
    "tried(rg.power, free('a', 'b'), 'f1', difference=1e-15); a = compared(free('a', 'c', 'f')).ranks('f1'); b = pickle.loads(pickle.dumps(a)); a == b, str(a) == str(b), b.means, b.level, b.queries; a._repr_html_()",
    *each("print(compared(free({a}, better={b!r})).ranks('f1', level=0.7))", a=["'f', 'c', 'a', 'e'", "'b', 'd', 'a'"], b=["higher", "lower"]),
    *each("[(row.a, row.b, row.difference, row.effect, row.wins, row.losses) for row in compared(micro(), test='randomisation', baseline={b!r}).rows]", b=["x", "y"]),
    "rg.power(free('a', 'b'), 'f1', n=500, difference=0.002); rg.power(free('a', 'b'), 'f1', n=1_000_000)",
    "compared(SEGMENTED, by='segment'); compared({'y': SEGMENTED['y'], 'x': SEGMENTED['x']}, by='segment', baseline='x').verdict()",
    *each("tried(compared, {a})", a=["{'x': SEGMENTED['x'], 'y': segmented('y', list('ttssss'), [0.25, 0.5, 0.5, 0.25, 0.0, 0.1])}, by='segment'", "{'x': SEGMENTED['x'], 'y': rg.Evaluation.from_values({'m': [1.0] * 6}, list('abcdef'))}, by='segment'",
        "{'x': SEGMENTED['x'], 'y': rg.Evaluation.from_values({'m': [1.0, 2, 3, 4, 5, 6, 7]}, list('abcdefg'))}", "{'x': SEGMENTED['x'], 'y': rg.Evaluation.from_values({'m': [1.0, 2, 3, 4, 5, 6, 7]}, list('abcdefg'))}, queries='common'",
        "{'a': models('new')['new'], 'b': rg.Evaluation.from_values({'RR': [1.0] * 8})}, measures='RR'", "{'a': rg.Evaluation.from_values({'RR': [1.0] * 8}), 'b': models('new')['new'], 'c': models('old')['old']}, measures='RR'", "{'a': shown(6, 9), 'b': shown(6, 11)}", "{'a': shown(6, 9), 'b': shown(6, 9)}",
        "{'a': free('a')['a'], 'b': rg.Evaluation.from_values({'f1': [nan] * 42})}, correction='bh'", "{'a': models('new', convention='sklearn')['new'], 'b': models('old', convention='lightgbm')['old'], 'c': models('mid')['mid']}, baseline='c'", "{n: models(n)[n] for n in ('mid', 'bad')}, by=[nan] * 8"]),
    *each("str(compared(micro(), test={t!r}, {o}))", t=["randomisation", "bootstrap"], o=["", "by=['a', 'b', 'b', 'a']"]),
    *each("tried(compared, micro(), test={t!r})", t=["randomised_tukey", "tukey", "sign"]),
    "compared(free('a', 'b'))._repr_html_(); tried(compared(free('a', 'b')).report, 'x.pdf')",
    "outcomes(compared({'a': rg.Evaluation.from_values({'m': [1.0, nan]}), 'b': rg.Evaluation.from_values({'m': [nan, 2.0]})})); compared({'a': rg.Evaluation.from_values({'m': [1.0, nan]}), 'b': rg.Evaluation.from_values({'m': [nan, 2.0]})}).verdict()",
    "compared({n: rg.Evaluation.from_values({'m': v}) for n, v in {'a': [1.0, 1, 1, 1, nan], 'b': [0.5, 0.5, 0.25, nan, 1], 'c': [nan, 0.25, 0.5, 1, 0.75]}.items()}, baseline='b').verdict()",
    *each("compared(free('a', 'b', measures={m}), by={b}).verdict()", m=["['m', 'n']"], b=["[i % 2 for i in range(42)]", "[i // 40 for i in range(42)]"]),
    *each("compared(models(measures=['GMAP', 'RR'], ties='stable'), test={t!r}, level={v})", t=["randomisation", "bootstrap"], v=[0.95, 0.5]),
]
CALLS = [*dict.fromkeys(CALLS)]
