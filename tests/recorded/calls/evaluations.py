"""Results of several systems: sorted, renamed, merged, and written as tables."""

from recorded.recording import drawn, each

GIVEN = """
import copy, json, pathlib, pickle
LABELS = [[3, 0, 1, 0], [0, 0, 0], [0, 1], [2, 0, 0, 1, 1], [1]]
IDS = [2**53 + 1, -7, 10, 9, 2**53 + 2]
QID = ["q10", "q9", "=q", "all", "b"]
MODELS = {"b_m": [[4, 3, 2, 1], [1, 2, 2], [1, 0], [5, 4, 4, 2, 0], [1]],
    "a": [[1, 2, 3, 4], [0, 0, 0], [0, 1], [1, 1, 1, 1, 1], [0]],
    "=c&%": [[1, 1, 2, 9], [2, 1, 0], [3, 3], [0, 1, 2, 3, 4], [7]]}
MEASURES = ["nDCG@2", "RR", "MR", "P@1"]
def one(name="a", measures=MEASURES, ids=QID, **options):
    qid = [id for id, labels in zip(ids, LABELS) for _ in labels]
    scores = sum(MODELS[name], [])
    return rg.evaluate_arrays(sum(LABELS, []), scores, measures, qid=qid, **options)
def runs(measures=MEASURES, names=MODELS, **options):
    return rg.Evaluations({name: one(name, measures, **options) for name in names})
def text(path):
    return pathlib.Path(path).read_text(encoding="utf-8")
values = rg.Evaluation.from_values
NAN = float("nan")
uneven = rg.Evaluations({"x": one("a", ["RR", "AP"]), "y": one("b_m", ["nDCG", "RR"], ids=IDS),
    "z": one("=c&%", ["MR"], empty=NAN)})
free = rg.Evaluations({"x": values({"acc": [1, 0, None], "t": [3, 5, 9]}, better={"t": "lower"}),
    "y": values({"acc": [1, 1, 0], "t": [2, 5, 10.25]}, better={"t": "lower"}),
    "z": values({"acc": [0, 0, NAN], "t": [0.5, 4, NAN]}, better={"t": "lower"})})
many = rg.evaluate_models([[i % 3, 1, 0, i % 2] for i in range(44)], {"m": [[i % 5, i % 7, 3, i % 4]
    for i in range(44)], "n": [[i % 4, i % 3, 5, i % 9] for i in range(44)]}, ["nDCG", "RR"])
pooled = rg.pool({"news": runs(), "wiki": runs(ids=IDS), "old": runs()})
"""
# fmt: off
SYSTEMS = ["runs()", "uneven", "free", "pooled", "many"]
OPTIONS = ["", "empty=1.0", "empty='skip'", "weight=[1, 2, 3.5, 1, 0]", "ties='worst'"]
SORTS = ["None", "'RR'", "'mrr'", "'MR'", "'nDCG@2'"]
SHOWN = ["to_csv", "to_markdown", "to_latex"]
WRITTEN = ["to_dict()", "to_csv()", "to_csv(safe=False, transpose=True)", "to_markdown()",
    "to_markdown(transpose=True, precision=2)", "to_markdown(intervals=True)", "to_latex()",
    "to_latex(second=True, caption='A & b', label='t:1')", "to_latex(transpose=True, precision=1, label='x_1')",
    "_repr_html_()", "intervals(method='t')", "compare(correction=None).rows[0]"]
CALLS = [
    *each("{s}", s=SYSTEMS),
    *each("str({s}), repr({s}), list({s}), len({s})", s=SYSTEMS),
    *each("{s}.{w}", s=SYSTEMS, w=WRITTEN[:-1]),
    *each("runs({o})", o=OPTIONS),
    *drawn(60, "runs({o}).{w}", o=OPTIONS, w=WRITTEN),
    *drawn(60, "runs({o}).{m}(sort={s}, transpose={t})", o=OPTIONS, m=SHOWN, s=SORTS, t=[True, False]),
    *each("list({s}.sort({m!r}))", s=SYSTEMS[:1] + SYSTEMS[3:4], m=["RR", "MR", "p@1", "ndcg@2"]),
    *each("list(uneven.sort({m!r}))", m=["RR", "AP", "nDCG", "MR", "mrr"]),
    *each("list(free.sort({m!r}))", m=["acc", "t"]),
    "free.sort('T')",
    "free.sort('RR')",
    "uneven.sort('P@1')",
    "runs().sort('nothing')",
    "rg.Evaluations({}).sort('RR')",
    "s = runs(empty=NAN); list(s.sort('RR')), list(s.sort('MR'))",
    "n = values({'x': [NAN, None]}); m = values({'x': [1, None]}); v = values({'x': [2, NAN]});"
    " list(rg.Evaluations({'n': n, 'm': m, 'v': v}).sort('x'))",
    "n, m, v = [values({'x': x}, better='lower') for x in ([NAN], [1], [-2])];"
    " list(rg.Evaluations({'n': n, 'm': m, 'v': v}).sort('x'))",
    "s = runs(); list(s.sort('MR')), list(s), s.sort('RR') == s, s == runs()",
    "s = rg.Evaluations({'c': one(), 'b': one(), 'a': one()}); list(s.sort('RR')); s",
    # Names.
    "runs().rename({'a': 'new', 'b_m': 'a'})",
    "runs().rename({'a': 'b_m'})",
    "runs().rename({'a': 'b_m', 'b_m': 'a'}).to_dict()",
    "runs().rename({'=c&%': 'c', 'x': 'y'})",
    "runs().rename({})['a']['RR']",
    "runs().rename({'a': 1, 'b_m': '1'})",
    "rg.Evaluations({1: one(), '1': one()})",
    "rg.Evaluations({1: one(), 2: one('b_m')}).to_csv(); rg.Evaluations({1: one()}).to_json()[:0]",
    "rg.Evaluations({'a': 3})",
    "rg.Evaluations({'a': one(), 'b': {'RR': 1}})",
    "rg.Evaluations({'é\\n': one()})",
    "rg.Evaluations({'x': values({'t': [1]}), 'y': values({'t': [2]}, better='lower')})",
    "rg.Evaluations({'x': values({'t': [1]}), 'y': values({'t': [2]})})",
    "rg.Evaluations({'x': values({'RR': [1]}, better='lower'), 'y': one()})",
    *each("{s}[{n!r}]", s=["runs()", "free", "rg.Evaluations({})"], n=["a", "A", "RR", "acc", 3]),
    "s = runs(); 'a' in s, 'A' in s, s.get('zz'), [n for n, e in s.items()], s['a'] is s['a']",
    "s = runs(); d = dict(s); d['new'] = one(); list(s), list(d)",
    "d = {'a': one()}; s = rg.Evaluations(d); d['b'] = one(); list(s)",
    *each("s = {s}; c = {c}; c == s; c", s=SYSTEMS, c=["pickle.loads(pickle.dumps(s))", "copy.deepcopy(s)"]),
    "t = values({'RR': [1]}, better='lower'); rg.Evaluations({'x': one(), 'y': t})",
    "t = values({'t': [1]}, better='lower'); s = rg.Evaluations({'x': one(), 'y': t}); s['y']['t']",
    "s = rg.Evaluations({'x': one(), 'y': one('b_m', ['AP'], convention='beir')}); s.sort('map')",
    # Stored.
    *each("s = {s}; s.to_json('s.json'); r = rg.Evaluations.read('s.json'); r == s; r", s=SYSTEMS),
    *each("s = {s}; s.{w}(pathlib.Path('f')), text('f') == s.{w}()", s=SYSTEMS[:3], w=SHOWN),
    "d = json.loads(runs().to_json()); list(d), list(d['evaluations']), list(d['evaluations']['a'])",
    "one().to_json('e.json'); rg.Evaluations.read('e.json')",
    "pathlib.Path('e.json').write_text('{\"evaluations\": {\"a\": {}}}'); rg.Evaluations.read('e.json')",
    "pathlib.Path('e.json').write_text('{\"evaluations\": 3}'); rg.Evaluations.read('e.json')",
    # Tables.
    *each("runs().to_markdown(precision={p})", p=[0, 1, 10, -1, 2.5, True]),
    *each("runs().to_latex(precision={p})", p=[0, 16, 17]),
    "rg.Evaluations({f's{i}': one() for i in range(46)}).to_latex()[:200]",
    "rg.Evaluations({f's{i}': one() for i in range(46)}).to_latex(caption='c', label='l')[:200]",
    "rg.Evaluations({f's{i}': one() for i in range(45)}).to_latex()[:200]",
    "e = rg.Evaluations({}); e; e._repr_html_(); e.to_dict(); len(e)",
    "rg.Evaluations({'<b>': one()})._repr_html_()",
    "rg.Evaluations({'a|b': one(), '_c': one('b_m')}).to_markdown()",
    "s = one('b_m').by(['x', 'y', 'x', 'x', 'y']); s; s.to_markdown(); s.to_latex()",
    "one('b_m').by(['x', 'y', 'x', 'z', 'y'])",
    "rg.Evaluations({'p': rg.Evaluation({'RR': 0.5}, {'RR': [0, 1, 0.5]}, 'abc', segments=list('yxy')),"
    " 'q': rg.Evaluation({'AP': 0.25}, {'AP': [0, 1, 0.25]}, 'abc', segments=list('xzz'))})",
    "rg.Evaluations({n: rg.Evaluation({'RR': 0.5}, {'RR': range(11)}, range(11), segments=range(11))"
    " for n in 'ab'})",
    "rg.Evaluations({'p': one(), 'q': rg.Evaluation({'RR': 0.5}, {'RR': [0, 1]}, 'ab',"
    " segments=list('xx'))})",
    "rg.Evaluations({'p': one(convention='sklearn'), 'q': one(convention='rankgain')})",
    "rg.Evaluations({'p': one(), 'q': one(empty='skip'), 'r': one(empty=1)})",
    # Intervals.
    "many.intervals(); many['n'].interval('nDCG'); many['n'].interval('nDCG', method='bca')",
    "s = rg.Evaluations({'x': many['m'], 'y': one('b_m', ids=IDS)}); s.interval('RR')",
    *drawn(30, "{s}.intervals(level={v}, method={m!r}, resamples={r}, seed={e})", s=["many", "runs()", "many"], v=[0.95, 0.5,
        0.123], m=["bootstrap", "bca", "t"], r=[20, 1000], e=[0, 7]),
    *drawn(12, "print(many.intervals(level={v}, method={m!r}, resamples={r}, seed={e}))", v=[0.95, 0.5, 0.123],
        m=["bootstrap", "bca", "t"], r=[20, 1000], e=[0, 7]),
    *each("print({s}.intervals({o}))", s=["runs()", "free", "uneven", "pooled"], o=["", "method='t'"]),
    "i = many.intervals(resamples=20); c = pickle.loads(pickle.dumps(i)); print(c); c == i, c.note",
    "many.intervals(resamples=20, by=[i % 42 for i in range(44)])",
    "many.intervals(method='x')",
    "many.intervals(by=[1])",
    *each("many.interval({m!r}, resamples=99, method={w!r}, seed={s})", m=["RR", "ndcg"], w=["bootstrap", "t"], s=[0, 3]),
    "many.interval('RR', method='bca')",
    "many.interval('AP')",
    "many.interval('RR', level=2)",
    "runs().interval('RR')",
    "s = rg.Evaluations({'x': many['m'], 'y': one('b_m', ids=IDS), 'z': one()});"
    " s.interval('RR', resamples=99); s.interval('RR', method='t', level=0.9)",
    "rg.Evaluations({'x': many['m'].by(['p'] * 43 + ['q'])['p'], 'y': many['n']}).interval('RR',"
    " resamples=99)",
    "rg.Evaluations({'x': many['m']}).interval('RR', resamples=99)",
    # Merged.
    "p = runs(ids=IDS, names=['a', 'b_m']); q = runs(names=['b_m', 'a']);"
    " m = rg.Evaluations.merge([p, q]); m; rg.Evaluations.merge(iter([q, p]))['a'].queries",
    "rg.Evaluations.merge([runs(), runs(ids=IDS)], convention=rg.conventions['rankgain'])['a'].means",
    "rg.Evaluations.merge([runs(), runs(ids=IDS)], convention=rg.conventions['trec'])",
    "rg.Evaluations.merge([runs(), runs(ids=IDS, names=['a', 'b_m'])])",
    "rg.Evaluations.merge([runs(names=['a']), runs(ids=IDS, names=['a']), runs(ids=range(5))])",
    "rg.Evaluations.merge([runs(), runs()])",
    "rg.Evaluations.merge([runs(), runs(['RR'], ids=IDS)])",
    "rg.Evaluations.merge([runs(), runs(ids=IDS, empty=1)])",
    "rg.Evaluations.merge([])",
    "rg.Evaluations.merge(runs())",
    "rg.Evaluations.merge(one())",
    "rg.Evaluations.merge(3)",
    "rg.Evaluations.merge([runs(), one()])",
    "rg.Evaluations.merge([runs(), {'a': one()}])",
    "m = rg.Evaluations.merge([runs()]); m == runs()",
    "rg.Evaluations.merge([pooled, pooled])",
    "f = rg.Evaluations({'x': values({'t': [3, NAN]}, ['a', 'b'], better='lower')});"
    " g = rg.Evaluations({'x': values({'t': [5]}, ['c'], better='lower')});"
    " rg.Evaluations.merge([f, g]); rg.Evaluations.merge([g, free])",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
