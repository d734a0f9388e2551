"""Results of one system: means, intervals, segments, ties, and the forms that they are written in."""

from recorded.recording import drawn, each

GIVEN = """
import copy, json, pathlib, pickle
BIG = 2**53 + 1
IDS = [BIG, -7, 10, 9, BIG + 1]
QID = ["q10", "q9", "=q", "all", "é"]
LABELS = [[3, 0, 1, 0], [0, 0], [0, 1, 1], [2, 0, 0, 0, 1], [1]]
SCORES = [[0.5, 0.5, 0.5, 0.9], [2, 1], [3.0, 3.0, -np.inf], [9, 9, 8, 8, 7], [0.0]]
ROWS = {"a": [0.2, None, 0.9, 1.0, 0.7], "b (s)": [3, 1, 2, float("nan"), 5], "nDCG": [1, 0] * 2 + [1]}
WEIGHTS = [1.0, 2.5, 0.25, 4.0, 3.0]
MEASURES = ["nDCG@2", "AP", "RR@3", "P@2"]
SUMS = ["HitRate@2", "NumRel", "GMAP", "HitRate(per=item)@2", "NumRet"]
def text(path, words=None):
    if words is None:
        return pathlib.Path(path).read_text(encoding="utf-8")
    pathlib.Path(path).write_text(words, encoding="utf-8")
def make(measures=MEASURES, qid=QID, **options):
    return rg.evaluate_arrays(LABELS, SCORES, measures, qid=None, **options)
def named(measures=MEASURES, ids=QID, **options):
    lengths = list(map(len, LABELS))
    qid = [name for name, length in zip(ids, lengths) for _ in range(length)]
    labels, scores = sum(LABELS, []), sum(SCORES, [])
    return rg.evaluate_arrays(labels, scores, measures, qid=qid, **options)
def whole(**changes):
    ends = {"ties": {"AP": [[0, 1], [0.5, 1]], "RR": [[0, 1], [np.nan, np.nan]]}}
    fields = dict(means={"AP": 0.5, "RR": 0.25}, per_query={"AP": [0, 1], "RR": [0.5, np.nan]},
        queries=["a", "b"], convention="sklearn", counts={"queries": 2, "ignored": 3}, bounds=ends,
        bound_means={"ties": {"AP": (0.25, 1), "RR": [0, 1]}}, weights=np.array([1.0, 2]),
        segments=["x", "y"], settings={"gain": "linear", "drop": -np.inf, "l": [1, {"m": 2}]})
    return rg.Evaluation(**fields | changes)
parts = {"news": named(), "wiki": make().by(list("aabab"))["a"], "old": named()}
pooled = rg.pool({name: rg.Evaluations({"s": part}) for name, part in parts.items()})["s"]
many = rg.evaluate_arrays([[i % 3, 1, 0, i % 2] for i in range(44)],
    [[i % 5, i % 7, 3, i % 4] for i in range(44)], ["nDCG", "RR"], weight=[1 + i % 3 for i in range(44)])
"""
# fmt: off
OPTIONS = ["", "bounds='ties'", "weight=WEIGHTS", "empty=1.0", "empty='skip'", "empty=float('nan')", "gain='exp2'",
    "convention='sklearn'", "convention='trec', ties='average'", "bounds='ties', weight=WEIGHTS, empty=0.5", "ties='best'",
    "rel=2"]
KINDS = ["make", "named"]
FIELDS = ["means", "per_query", "queries", "convention", "counts", "marked", "weights", "bounds", "bound_means", "requested",
    "shares", "settings", "segments", "better", "collections", "recommended"]
METHODS = ["to_dict()", "to_csv()", "to_csv(safe=False)", "footer()", "_repr_html_()", "interval('AP')",
    "interval('RR@3', level=0.5)", "intervals(method='t')", "intervals(by=[1, 2, 1, 3, 2])", "by(['x', 'y', 'x', 'é', 'y'])",
    "by(['b', 'a', 'c', 'a', 'b'])['a'].by(['z', 'w'])", "shares_of('AP')", "tie_report()"]
VALUES = "rg.Evaluation.from_values"
CALLS = [
    *each("{m}({o})", m=KINDS, o=OPTIONS),
    *each("repr({m}({o}))", m=KINDS, o=OPTIONS[:4]),
    *drawn(70, "{m}({o}).{f}", m=KINDS, o=OPTIONS, f=FIELDS),
    *drawn(150, "{m}({o}).{f}", m=KINDS, o=OPTIONS, f=METHODS),
    *drawn(50, "named(ids=IDS, {o}).{f}", o=OPTIONS, f=METHODS),
    *each("named(SUMS, {o})", o=["", "bounds='ties'", "weight=WEIGHTS", "empty='skip'"]),
    *each("named(SUMS).interval('{m}', method='{w}')", m=["HitRate(per=item)@2", "NumRet", "GMAP"], w=["t", "bca"]),
    *each("named(SUMS).by([1, 2, 1, 2, 2])['{n}'].{f}", n=[1, 2, "1"], f=["means", "shares"]),
    # Names of measures, and spellings.
    "e = named('nDCG AP(rel=2)'.split()); e['ndcg'], e['AP(rel=2)'], e['NDCG']",
    "e = make(convention='sklearn'); list(e), len(e), 'ndcg@2' in e, 'nDCG' in e, 3 in e, None in e",
    "e = make(); e.key_of('mrr@3'), e.key_of(' AP '), e.key_of('map')",
    "make()['nDCG@3']",
    "make()['nothing']",
    "make()[3]",
    "make(['AP', 'P@2'], convention='beir').requested",
    "e = named(['AP', 'nDCG', 'R'], convention='implicit'); e['AP'], e['nDCG'], e['R']; e.requested",
    "e = make('AP'); e.means, e['MAP']",
    # Immutable, equal, hashable, copied.
    "e = make(); e.means = {}",
    "e = make(); del e.queries",
    "e = make(); e.counts['queries'] = 2",
    "e = make(empty=1.0); e.counts['undefined']['AP'] = 2",
    "e = make(weight=WEIGHTS); e.per_query['AP'].flags.writeable, e.weights.flags.writeable",
    "e = make(); e.means.update(AP=0)",
    "make(bounds='ties').bounds['ties']['AP'].flags.writeable",
    "[e.flags.writeable for e in named(SUMS).shares['HitRate(per=item)@2'][1:]]",
    "make() == make(), make() == make(empty=1.0), make() == 3, make() != named(ids=range(5))",
    "make() == make(weight=WEIGHTS), make() == make(bounds='ties'), hash(make()) == hash(make())",
    "make(bounds='ties') == make(bounds='ties'), make(empty=np.nan) == make(empty=np.nan)",
    "hash(make('AP')) == hash(make('RR'))",
    "named() == named(ids=IDS), named(ids=IDS) == named(ids=IDS), named() == make()",
    "make(ties='best') == make(ties='worst'), make(convention='sklearn') == make()",
    *each("e = {m}({o}); c = {c}; c == e; c", m=KINDS, o=["bounds='ties', weight=WEIGHTS", "empty='skip', gain='exp2'",
        "rel=2", "SUMS"], c=["pickle.loads(pickle.dumps(e))", "copy.deepcopy(e)", "copy.copy(e)"]),
    *each("whole({c}) == whole(); whole({c})", c=["", "means={'AP': 0.5 + 1e-12, 'RR': 0.25}",
        "means={'RR': 0.25, 'AP': 0.5}", "per_query={'AP': [0, 1 + 1e-12], 'RR': [0.5, np.nan]}",
        "per_query={'AP': [0, 1], 'RR': [0.5, 2]}", "queries=['a', 'c']", "queries=[1, 2]", "convention='trec'",
        "counts={'queries': 2, 'ignored': 4}", "counts={'queries': 2, 'ignored': 3, 'users': 2}",
        "bounds={'ties': {'AP': [[0, 1], [0.25, 1]], 'RR': [[0, 1], [np.nan, np.nan]]}}",
        "bound_means={'ties': {'AP': (0.25, 1), 'RR': [0.125, 1]}}", "bounds={}", "weights=np.array([1.0, 3])",
        "weights=None", "segments=['x', 'x']", "segments=('x', 'y')", "segments=None", "settings={'gain': 'linear'}",
        "settings={'gain': len, 'rel': float('nan')}", "better={'RR': 'lower'}", "collections=['c', 'd']",
        "requested={'map': 'AP'}", "versions={'convention': '9'}", "marked={'RR': [False, True]}",
        "mean_rule=whole(convention='trec').mean_rule"]),
    "e = whole(); e.counts['ignored'], e.settings['l'][1]['m']; e.settings['l'].append(2)",
    "whole().settings['l'][1].update(m=3)",
    "whole(queries=range(2)) == whole(queries=[0, 1]), whole(queries=range(2)).queries",
    "{whole(): 1}[whole()], whole().versions['convention'], whole(convention='trec').mean_rule",
    "whole().interval('RR', method='t'), whole().by()['y'].means, whole().to_csv()",
    "rg.Evaluation({'RR': 0.5}, {'RR': []}, [], segments=[])",
    "rg.Evaluation({'RR': 0.5}, {'RR': []}, [], bounds={'ties': {'RR': np.zeros((0, 2))}},"
    " bound_means={'ties': {'RR': (0, 0)}}, counts=dict.fromkeys(['tied_lists', 'documents',"
    " 'tied_documents', 'tie_blocks', 'queries'], 0)).tie_report()",
    # Several collections, and numbers of all lists together.
    "pooled",
    *each("pooled.{f}", f=[*FIELDS, *METHODS]),
    "pooled.interval('AP', by=range(13))",
    "pooled.by(['x', 'y', 'y', 'y'] * 3 + ['z'])",
    "pooled == pooled.by(['x'] * 13)['x'], pooled.by(['x'] * 13)['x'] == pooled",
    "pooled.to_json('p.json'); r = rg.Evaluation.read('p.json'); r == pooled; r",
    *each("c = rg.evaluate_catalogue({i}, ['Coverage@2', 'Gini@1', 'Personalisation@2', 'Entropy'],"
        " k={k}, catalogue=range(1, 10)); c.{f}", i=["[[1, 2], [3], [2, 9], [9, 1]]",
        "{'b': [3, 2, 1], 'a': [3], 'd': [9, 8], 'c': [1]}"], k=[1, 2], f=["means", "per_query", "intervals()",
        "by(['x', 'y', 'x', 'y'])", "shares_of('Gini@1')", "recommended", "settings",
        "interval('Entropy', method='t', by=[1, 2, 1, 3])"]),
    "s = [1, 2, 3]; e = rg.Evaluation({'AP': 0.5}, {'AP': s}, s); s[0] = 9; e",
    # Stored.
    *each("e = {m}({o}); e.to_json('e.json'); r = rg.Evaluation.read('e.json'); r == e; r", m=["named", "make"],
        o=["bounds='ties', weight=WEIGHTS", "empty='skip'", "SUMS", "convention='trec', ties='average', rel=2"]),
    *each("d = json.loads({m}({o}).to_json()); del d['rankgain'], d['convention_version']; json.dumps(d)", m=["named",
        "make"], o=["bounds='ties'", "weight=WEIGHTS, empty=float('nan')", "SUMS"]),
    "e = named(ids=IDS); e.to_json('e.json'); rg.Evaluation.read(pathlib.Path('e.json')).queries",
    "named().to_csv('e.csv'); text('e.csv')",
    "named().to_csv(pathlib.Path('e.csv'), safe=False); text('e.csv')",
    "text('e.json', '{}'); rg.Evaluation.read('e.json')",
    "text('e.json', '[1'); rg.Evaluation.read('e.json')",
    "text('e.json', '{\"means\": {\"AP\": 1}}'); rg.Evaluation.read('e.json')",
    "rg.Evaluations({'a': make()}).to_json('e.json'); rg.Evaluation.read('e.json')",
    "make().to_json('e.json'); rg.Evaluations.read('e.json')",
    # Bounds of two kinds.
    "e = rg.evaluate({'q': {'a': 1, 'b': 0}, 'p': {'c': 2}}, {'q': {'x': 2, 'a': 2, 'b': 1},"
    " 'p': {'y': 3, 'c': 1}}, ['AP', 'nDCG@1'], bounds=['ties', 'unjudged']); e; e.to_csv()",
    "e = rg.evaluate({'q': {'a': 1}}, {'q': {'x': 2, 'a': 2}}, 'RR', bounds='unjudged'); e",
    "rg.evaluate({'q': {'a': 1}}, {'q': {'x': 2, 'a': 2}}, 'RR', bounds='unjudged').tie_report()",
    "make(bounds='ties').by(['a'] * 5)['a'].tie_report()",
    "r = named(bounds='ties').tie_report(); print(r); r.moves[1]; r._repr_html_()",
    "print(rg.evaluate_arrays([[1, 0]], [[2, 1]], 'RR', bounds='ties').tie_report())",
    # Segments, labels of queries.
    "named().by()",
    "named().by({'q10': 'x', 'q9': 'é', '=q': 'x', 'all': 'y', 'é': 'y'})",
    "named().by({'q10': 'x', 'q9': 1, '=q': 'x', 'all': 'y'})",
    "named().by({'q10': 'x', 'q9': 'é', '=q': 'x', 'all': 'y', 'é': None})",
    "named(ids=IDS).by({BIG + 1: 'x', BIG: 'y', 9: 'x', 10: 'z', -7: 'y'})",
    "named().by(['x', 'y'])",
    "named().by([1, 2, '1', 2, 3])",
    "named().by([[1], [2], [1], [1], [2]])",
    "named().by('lang')",
    "named().by(np.array([2, 1, 2, 3, 1]))",
    "named(bounds='ties', weight=WEIGHTS).by(np.array([2.5, 1, 2.5, 3, 1]))",
    "e = make(weight=WEIGHTS); e.by('abcab'); e.by('aabbc'); e",
    "named().by([True, False, True, False, False])",
    "e = rg.Evaluation({'RR': 0.5}, {'RR': [0, 1, 0.5]}, ['c', 'a', 'b'], segments=['y', 'x', 'y']);"
    " e; e.by(); e.by(['p', 'p', 'q'])",
    "rg.Evaluation({'RR': 0.5}, {'RR': [0, 1, 0.5]}, ['c', 'a', 'b'], segments=[3, 'x', None])",
    "rg.Evaluation({'RR': 0.5}, {'RR': [0, 1]}, [1, 2], segments=['x', 'x'])",
    "rg.Evaluation({'RR': 0.5, 'AP': 1}, {'RR': range(25), 'AP': range(25)}, range(25),"
    " segments=list('yxwvutsrqponmlkjihgfedcba'))",
    "rg.Evaluation({'RR': 0.5}, {'RR': range(21)}, range(21), segments=range(21))",
    "rg.Evaluation({'RR': 0.5}, {'RR': range(20)}, range(20), segments=range(20))",
    "rg.Evaluation({'RR': 0.5}, {'RR': [0, 1]}, [1, 2], segments=['x'])",
    "rg.Evaluation({'RR': 0.5}, {'RR': [0, 1]}, [1, 2], weights=[1.0, 2, 3])",
    "rg.Evaluation({'RR': 0.5}, {'RR': [0, 1]}, [1, 2], weights=np.array([1.0, 2]))['RR']",
    # Intervals.
    *drawn(40, "many.interval('{m}', level={v}, method='{w}', resamples={r}, seed={s})", m=["nDCG", "RR"], v=[0.95, 0.5, 0.9,
        0.99], w=["bootstrap", "bca", "t"], r=[10, 100, 999], s=[0, 1, 2**40]),
    *each("many.intervals(resamples=50, method='{w}', by={b})", w=["bootstrap", "bca", "t"], b=["range(44)",
        "[i % 41 for i in range(44)]", "[i % 7 for i in range(44)]"]),
    "many.intervals(resamples=50, by={i: i % 42 for i in range(44)})",
    "many.interval('RR', resamples=50), many.interval('nDCG', resamples=50),"
    " many.intervals(resamples=50)",
    "make(empty=np.nan).intervals(), make(empty='skip').intervals()",
    "many.interval('AP')",
    "many.interval('RR', level=1)",
    "many.interval('RR', level=95)",
    "many.interval('RR', level=0)",
    "many.interval('RR', method='normal')",
    "many.interval('RR', resamples=0)",
    "many.interval('RR', resamples=2.5)",
    "many.interval('RR', seed=-1)",
    "many.intervals(by=[1, 2])",
    "rg.evaluate_arrays([[0, 1]], [[2, 1]], 'RR').interval('RR')",
    "e = many; e.interval('RR', method='t'); e.interval('RR', method='t', level=0.5)",
    # Values of other programs.
    *each(f"{VALUES}(ROWS, {{o}})", o=["", "QID", "IDS", "better='lower'", "QID, better={'b (s)': 'lower'}",
        "better={'a': 'higher', 'nDCG': 'lower'}"]),
    *drawn(50, f"{VALUES}(ROWS, {{q}}, better={{b}}).{{f}}", q=["QID", "IDS", "None"], b=["'lower'", "'higher'",
        "{'b (s)': 'lower'}"], f=["to_csv()", "to_dict()", "intervals()", "by([1, 2, 2, 1, 1])", "better", "counts",
        "shares_of('b (s)')", "interval('a', method='t')", "marked", "footer()"]),
    f"e = {VALUES}(ROWS); e['a'], e['b (s)'], 'A' in e, 'nDCG' in e, 'ndcg' in e",
    f"{VALUES}(ROWS)['A']",
    f"{VALUES}(ROWS)['AP']",
    f"{VALUES}({{'x': [1, float('inf')]}})",
    f"{VALUES}({{'y': [1, 2], 'x': [1, 'one']}})",
    f"{VALUES}({{'y': [1, 2], 'x': [1, 2, 3]}})",
    f"{VALUES}({{'y': [1, 2]}}, [1, 1])",
    f"{VALUES}({{'y': [1, 2, 3]}}, ['a', 'b'])",
    f"{VALUES}({{'y': []}})",
    f"{VALUES}({{}})",
    f"{VALUES}([1, 2])",
    f"{VALUES}({{'y': [1, 2]}}, better='more')",
    f"{VALUES}({{'y': [1, 2]}}, better={{'z': 'lower'}})",
    f"{VALUES}({{'y': [1, 2]}}, better={{'y': 'down'}})",
    f"{VALUES}({{1: [1, 2]}})",
    f"{VALUES}({{'y': [None, None]}})",
    f"{VALUES}({{'y': np.array([True, False, True])}})",
    f"{VALUES}({{'y': [2**53 + 1, 0]}})",
    f"e = {VALUES}(ROWS, QID, better='lower'); e.to_json('v.json');"
    " r = rg.Evaluation.read('v.json'); r == e; r",
    f"{VALUES}(ROWS) == {VALUES}(ROWS), {VALUES}(ROWS) == {VALUES}(ROWS, better='lower')",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
