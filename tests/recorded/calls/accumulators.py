"""Sums of evaluations: added and merged in any order, with intervals, segments and several systems."""

from recorded.recording import drawn, each

GIVEN = """
import copy, functools, json, pickle
LABELS = [[3, 0, 1, 0], [0, 0, 0], [0, 1], [2, 0, 0, 1, 1], [1], [0, 0], [0, 2, 4]]
SCORES = [[4, 3, 3, 1], [1, 2, 2], [1, 0], [5, 4, 4, 2, 0], [1], [0, 0], [1, 2, 2]]
OTHER = [[1, 3, 2, 1], [3, 2, 2], [0, 1], [0, 4, 4, 2, 9], [1], [3, 0], [3, 3, 2]]
IDS = [2**53 + 1, -7, 10, 9, 2**53 + 2, 3, 0]
QID = ["q10", "q9", "=q", "all", "b", "a", "é"]
MEASURES = ["nDCG@2", "RR", "HitRate(per=item)@2", "NumRel"]
WEIGHTS = [1, 2, 3.5, 1, 0, 5, 2]
def part(first, last, measures=MEASURES, qid=IDS, scores=SCORES, weight=None, **options):
    lists = range(first, last)
    ids = None if qid is None else [qid[i] for i in lists for _ in LABELS[i]]
    labels, values = ([row for i in lists for row in rows[i]] for rows in (LABELS, scores))
    group = None if qid is not None else [len(LABELS[i]) for i in lists]
    if weight is not None:
        options["weight"] = weight[first:last]
    return rg.evaluate_arrays(labels, values, measures, qid=ids, group=group, **options)
NAN = float("nan")
def plain(names, labels=[[0, 2, 1], [0, 0, 0]], **options):
    scores = [[0.1, 0.9, 0.4], [3.0, 1.0, 2.0]][:len(labels)]
    return rg.evaluate_arrays(np.array(labels).reshape(-1, 3), np.array(scores).reshape(-1, 3), names, **options)
def cubes(labels):
    return labels**3
def both(first, last, **options):
    runs = {"b": part(first, last, **options), "a": part(first, last, scores=OTHER, **options)}
    return rg.Evaluations(runs)
def total(*evaluations, bootstrap=False, seed=0, **options):
    result = rg.Accumulator(bootstrap=bootstrap, seed=seed)
    for evaluation in evaluations:
        result.add(evaluation, **options)
    return result
def large(n, qid=True, low=0, names=["nDCG", "RR"], **options):
    labels = [[i % 3, 1, 0, i % 2] for i in range(low, low + n)]
    scores = [[i % 5, i % 7, 3, i % 4] for i in range(low, low + n)]
    e = rg.evaluate_arrays(labels, scores, names, **options)
    return e._replace(queries=[f"q{i}" for i in range(low, low + n)]) if qid else e
def large_both(n, low=0, **options):
    second = large(n, low=low + 50, **options)
    return {"x": large(n, low=low, **options), "y": second._replace(queries=large(n, low=low).queries)}
"""
# fmt: off
OPTIONS = ["", "weight=WEIGHTS", "empty='skip'", "empty=1", "empty=float('nan')", "gain='exp2'"]
OPTIONS += ["convention='sklearn'", "ties='best'", "weight=WEIGHTS, empty='skip'"]
DRAWN = ["", "bootstrap=3", "bootstrap=5, seed=7", "bootstrap=True", "bootstrap=2, seed=2**64 - 1"]
NAMES = ["nDCG@2", "ndcg@2", "RR", "mrr", "HitRate(per=item)@2", "NumRel"]
FIELDS = ["means", "count", "convention", "settings", "runs", "segments"]
UNLIKE = ["total(e, f)", "total({'a': e, 'b': f})", "total(e).merge(total(f))", "rg.Evaluation.merge([plain('AP', []), e, f])"]
SETTINGS = [("'nDCG', gain={1: 1, 2: 3}", "'nDCG', gain={1: 1, 2: 4}"), ("'nDCG', gain=cubes", "'nDCG', gain=np.exp2"),
    ("'nDCG', discount=[1, 0.5, 0.2]", "'nDCG', discount=[1, 0.5, 0]"), ("'AP', rel=2", "'AP', rel=1.5"), ("'AP', ties='worst'", "'AP', ties='best'"),
    ("'nDCG', discount='log', log_base=3", "'nDCG', discount='log', log_base=4"), ("'AP', ties='random', seed=1", "'AP', ties='random'"),
    ("'AP', divisor='min'", "'AP'"), ("'F1', beta=2", "'F1'"), ("'RBP', p=0.5", "'RBP', p=0.9"), ("'ERR', max_label=2", "'ERR', max_label=3"),
    ("'AP', empty=NAN", "'AP', empty='skip'"), ("'nDCG', discount=np.ones(99)", "'nDCG', discount=np.repeat([1, 0], [88, 11])"),
    ("'nDCG', discount=np.ones(99)", "'nDCG', discount=np.ones(98)")]
RULES = "convention version measures requested settings weighted undefined_as mean_rule".split()
WRONG = [("settings", 3), ("settings", {"gain": ["x"]}), ("weighted", "'no'"), ("weighted", 1), ("undefined_as", [1]),
    ("undefined_as", {"AP": [None, "x"]})]
CALLS = [
    *each("a = rg.Accumulator({o}); a; repr(a), a.bootstrap, a.seed; [a.{f}]", o=DRAWN[:3], f=FIELDS),
    *each("total(part(0, 3, {o}), part(3, 7, {o}))", o=OPTIONS),
    *each("total(part(2, 7, {o}), part(0, 2, {o})) == total(part(0, 7, {o}))", o=OPTIONS),
    *each("total(part(0, 7, {o})).means == dict(part(0, 7, {o}).means)", o=OPTIONS),
    *drawn(60, "total(part(0, 3, {o}), part(3, 7, {o}), {d}).{f}", o=OPTIONS, d=DRAWN, f=FIELDS),
    *drawn(60, "total(part(0, 4, {o}), part(4, 7, {o}), {d}).interval({n!r}, level={v})", o=OPTIONS, d=DRAWN, n=NAMES,
        v=[0.95, 0.5, 0.9]),
    *drawn(40, "a = total(part(0, 2, {o}), segment={s}, {d}); a.add(part(2, 6, {o}), segment={t});"
        " a.add(part(6, 7, {o}), segment={s}); a", o=OPTIONS, d=DRAWN[:2], s=["None", "'x'", "2"], t=["'y'", "10", "None",
        "2"]),
    *drawn(40, "a = total(both(0, 2, {o}), {d}); a.add(both(2, 6, {o}), segment='s'); a.{f}", o=OPTIONS, d=DRAWN[:3],
        f=["result(level=0.5)", "result().to_dict()", "runs", "count", "interval('RR', run='a')",
        "interval('RR', run='b', segment='s')", "to_dict()['pairs']", "difference('RR', 'a', 'b')",
        "difference('nDCG@2', 'b', 'a', segment='s')"]),
    *drawn(60, "a = total(both(0, 3, {o}), both(3, 7, {o})); a.difference({n!r}, {p}, level={v})", o=OPTIONS, n=NAMES,
        p=["'a', 'b'", "'b', 'a'", "'a', 'a'"], v=[0.95, 0.6]),
    # Segments.
    "a = total(part(0, 2), segment='x'); a.add(part(2, 5), segment=7); a.add(part(5, 6));"
    " a.segments, a.count, a.means; a.interval('RR', segment='x'); a.interval('RR', segment=7)",
    "a = total(part(0, 2), segment=10); a.add(part(2, 5), segment=9); a.add(part(5, 7), segment='9');"
    " a.segments; print(a.result())",
    "total(part(0, 2), segment=1.5)",
    "total(part(0, 2), segment=True)",
    "total(part(0, 2), segment=('a', 'b'))",
    "total(part(0, 2), segment='x').interval('RR', segment='y')",
    "total(part(0, 2)).interval('RR', segment=3)",
    "total(part(0, 2), segment='').segments",
    "a = total({'b': part(0, 2)}, segment='s'); a.add({'a': part(2, 5)}, segment='t'); print(a.result());"
    " a.interval('RR', run='b', segment='t')",
    # Runs.
    "a = total(both(0, 3)); a.means",
    "a = total({'x': part(0, 3)}); a.means, a.runs, a.interval('RR'), a.interval('RR', run='x')",
    "total(both(0, 3)).interval('RR')",
    "total(both(0, 3)).interval('RR', run='c')",
    "total(both(0, 3), bootstrap=3).difference('RR', 'a', 'a')",
    "total({'x': part(0, 3)}).interval('RR', run='c')",
    "total(part(0, 3)).interval('RR', run='c')",
    "total(both(0, 3)).difference('RR', 'a', 'c')",
    "total(both(0, 3)).difference('RR', 'c', 'a')",
    "total(both(0, 3)).difference('RR', 'a', 'b', segment='s')",
    "total(both(0, 3)).difference('AP', 'a', 'b')",
    "total(both(0, 3)).difference('RR', 'a', 'b', level=1)",
    "a = total(both(0, 3)); a.add({'a': part(3, 7)}); a.difference('RR', 'a', 'b')",
    "a = total(both(0, 3)); a.add({'a': part(3, 7)}); a.add({'b': part(3, 7)});"
    " a.difference('RR', 'a', 'b'); a.count",
    "a = total({'a': part(3, 7)}); a.add({'b': part(3, 7)}); a.difference('RR', 'a', 'b')",
    "a = total({'b': part(3, 7), 'a': part(3, 7, scores=OTHER)});"
    " a.add({'a': part(0, 3, scores=OTHER), 'b': part(0, 3)});"
    " a.difference('RR', 'a', 'b'), a.difference('RR', 'b', 'a'); a.to_dict()['pairs']",
    *each("a = total({{'b': part(3, 7, {o}), 'a': part(3, 7, scores=OTHER, {o})}});"
        " a.add({{'a': part(0, 3, scores=OTHER, {o}), 'b': part(0, 3, {o})}});"
        " a.difference('HitRate(per=item)@2', 'a', 'b'), a.difference('nDCG@2', 'b', 'a')", o=OPTIONS[:4]),
    "total({'a': part(0, 3), 'b': part(0, 4)})",
    "total({'a': part(0, 3), 'b': part(0, 3, qid=QID)})",
    "total({'a': part(0, 3), 1: part(0, 3)})",
    "total({'a': part(0, 3), None: part(0, 3)}).runs",
    "total({'a': part(0, 3), 'b': 3})",
    "total({'a': part(0, 3), 'b': part(0, 3, ['RR'])})",
    "total({'a': part(0, 3, ['AP']), 'b': part(0, 3, ['RR'])})",
    "total([part(0, 3)])",
    "total(3)",
    "a = total({}); a.count, a.runs, a.means; a",
    "total(both(0, 3), segment='s').difference('RR', 'a', 'b', segment='s')",
    # Sums that differ; an error leaves what was there.
    *each("a = total(part(0, 3))\ntry:\n    a.add({e})\nexcept ValueError as error:\n    print(error)\n"
        "a == total(part(0, 3))", e=["part(3, 7, ['RR'])", "part(3, 7, MEASURES[::-1])", "part(3, 7, gain='exp2')",
        "part(3, 7, gain=[0, 1, 5, 7, 9])", "part(3, 7, empty=1)", "part(3, 7, empty='skip')", "part(3, 7, weight=WEIGHTS)",
        "part(3, 7, convention='sklearn')", "part(3, 7)._replace(better={'RR': 'lower'})",
        "part(3, 7)._replace(requested={'x': 'RR'})", "part(3, 7)._replace(versions={'convention': '0'})",
        "{'a': part(3, 7), 'b': part(3, 7, empty=1)}"]),
    "total(part(0, 3, weight=WEIGHTS), part(3, 7))",
    "total(part(0, 3, empty='skip'), part(3, 7, empty=float('nan')))",
    "e = part(0, 3)._replace(counts={'undefined': {'RR': 1}, 'undefined_as': {'RR': 'inf'}});"
    " f = part(3, 7)._replace(counts={'undefined': {'RR': 1}, 'undefined_as': {'RR': 'skip'}}); total(e, f)",
    "a = total(part(0, 0)); a; a.add(part(0, 3, weight=WEIGHTS)); a.add(part(3, 3)); a.means",
    "a = total(part(0, 0), part(0, 0)); a.count, a.means, a.interval('RR'); a",
    "total(part(0, 3)).interval('AP')",
    "rg.Accumulator().interval('AP')",
    "total(part(0, 3)).interval('nothing')",
    "total(part(0, 3)).interval('RR', level=0)",
    "total(part(0, 3)).result(level=1.5)",
    "total(rg.evaluate_catalogue([[1, 2]], 'Coverage@2', catalogue=9))",
    "total(rg.pool({'x': both(0, 3, measures=['RR']), 'y': both(0, 3, measures=['RR'])}))",
    "total(rg.Evaluation.from_values({'t': [1, None, 3]}, better='lower'))",
    "v = rg.Evaluation.from_values({'t': [1, None, 3]}, better='lower'); a = total(v, v);"
    " a.means, a.interval('t')",
    *each("e, f = plain({a}), plain({b}); {c}", a=["'nDCG', gain='exp2'"], b=["'nDCG'", "'nDCG', gain=dict(zip(range(60),"
        " range(60)))", "'nDCG', gain=cubes", "'nDCG', gain={1: 1, 2: 4}"], c=UNLIKE),
    *each("e = plain({s[0]}); f = plain({s[1]}); {c}", s=SETTINGS, c=UNLIKE),
    *each("e, f = part(0, 3{a}), part(3, 7{b}); {c}", a=["", ", weight=WEIGHTS"], b=["", ", weight=WEIGHTS"], c=UNLIKE),
    *each("a = total(part(0, 0), part(0, 3{a}), part(0, 0)); a.count, a.to_dict()['rules']['weighted']", a=["", ", weight=WEIGHTS"]),
    *each("e, f = [plain('AP', [[1, 0, 0], [0, 0, 0]], convention=rg.Convention('mine', empty=v)) for v in ({v})]; {c}",
        v=["0, 'skip'", "'skip', NAN", "NAN, 0", "0, 0"], c=UNLIKE),
    *each("d = total(part(0, 3, weight=WEIGHTS)).to_dict(); {e}; rg.Accumulator.from_dict(d)", e=[f"del d['rules'][{n!r}]" for n in RULES]
        + [f"d['rules'][{n!r}] = {v}" for n, v in WRONG]),
    # Merged.
    "a, b = total(part(0, 3)), total(part(3, 7)); c = a.merge(b); c is a, c == total(part(0, 7)); b",
    *each("a, b, c = total(part(0, 2, {o}), {d}), total(part(2, 4, {o}), {d}), total(part(4, 7, {o}), {d});"
        " functools.reduce(rg.Accumulator.merge, [c, a, b]) == total(part(0, 7, {o}), {d})", o=OPTIONS[:5], d=DRAWN[:3]),
    "a = total(both(0, 3), segment='s'); a.merge(total(both(3, 7))); print(a.result()); a",
    "a = total(both(0, 3)); b = total({'a': part(3, 7, scores=OTHER), 'b': part(3, 7)}); a.merge(b)",
    "a = total(part(0, 3)); a.merge(a)",
    "a = total(part(0, 3)); a.merge(3)",
    "a = total(part(0, 3)); a.merge(part(3, 7))",
    "a = total(part(0, 3), bootstrap=2); a.merge(total(part(3, 7), bootstrap=3))",
    "a = total(part(0, 3), bootstrap=2); a.merge(total(part(3, 7), bootstrap=2, seed=1))",
    "a = total(part(0, 3)); a.merge(rg.Accumulator(bootstrap=1))",
    "a = rg.Accumulator(); b = total(part(0, 3)); a.merge(b); a == b; b.add(part(3, 7)); a == b, a.count",
    "a = total(part(0, 3)); a.merge(rg.Accumulator()).count",
    "a = total(part(0, 3))\ntry:\n    a.merge(total(part(3, 7, ['RR'])))\nexcept ValueError as e:\n"
    "    print(e)\na.count, a.means",
    "a = total(part(0, 3)); b = copy.copy(a); b.add(part(3, 7)); a.count, b.count, a == b",
    "a = total(part(0, 3)); b = copy.deepcopy(a); b.add(part(3, 7)); a.count, b.count, a != b, a == 3",
    # Stored.
    *drawn(30, "a = total({e}, segment={s}, {d}); b = {c}; a == b; a.merge(b); a.count, a.result()", e=["part(0, 5)",
        "both(1, 7)", "part(2, 7, empty=1, weight=WEIGHTS)", "part(1, 6, gain='exp2')"], d=DRAWN[:3], s=["None", "'x'", "3"],
        c=["pickle.loads(pickle.dumps(a))", "rg.Accumulator.from_dict(a.to_dict())",
        "rg.Accumulator.from_dict(json.loads(json.dumps(a.to_dict())))"]),
    *each("d = total(both(0, 3), bootstrap=2).to_dict(); {e}; rg.Accumulator.from_dict(d)",
        e=["d['rankgain_accumulator'] = 2", "del d['seed']", "d['seed'] = -1", "d['bootstrap'] = 3", "d['cells'].pop()",
        "d['cells'][0]['lists'] = -1", "d['cells'][1]['sums'] = {}", "d['counts'] *= 2", "d['counts'][0]['queries'] = 'x'",
        "d['pairs'][0][0] = 'zz'", "d['pairs'][0][4][1] = '1/0'", "d['rules']['measures'] = ['RR']", "d['rules'] = None",
        "d['cells'][2]['drawn'].pop()", "d['cells'][0]['kind'] = 'median'", "d['counts'] = 3"]),
    "rg.Accumulator.from_dict(3)",
    *each("rg.Accumulator.from_dict({d})", d=["[]", "None", {"rankgain_accumulator": 1},
        {"rankgain_accumulator": 1, "bootstrap": 0, "seed": 0, "rules": {}}]),
    "total({'a': {}})",
    "g = rg.conventions['rankgain'].replace(name='geo', mean='geometric'); e = part(0, 3, 'AP', convention=g);"
    " total({'a': e, 'b': e}).difference('AP', 'a', 'b')",
    "rg.Accumulator.from_dict({})",
    # Replicates.
    *each("rg.Accumulator(bootstrap={b})", b=["-1", "1.5", "2**62", "1_000_001", "None", "'x'", "np.int8(3)"]),
    *each("rg.Accumulator(seed={s})", s=["-1", "2**64", "1.5", "np.int64(5)"]),
    "total(part(0, 3, qid=None), bootstrap=2)",
    "total(part(0, 0, qid=None), bootstrap=2).count",
    "total(part(0, 3, qid=None), bootstrap=4, queries=[5, 2, 9])",
    "total(part(0, 3, qid=None), bootstrap=4, queries=np.array([5, 2, 9])) =="
    " total(part(0, 3, qid=None), bootstrap=4, queries=[5, 2, 9])",
    "total(part(0, 3), bootstrap=4, queries=['q10', 'q9', 'x'])",
    "total(part(0, 3), bootstrap=4, queries=['q10', 'q9'])",
    "total(part(0, 3), queries=[1])",
    "total(part(0, 3), queries=range(2))",
    *drawn(40, "a = total(large({n}, {o}), large({m}, low=50, {o}), bootstrap={b}, seed={s});"
        " a.interval({f!r}, level={v})", n=[30, 45], m=[9, 10, 40], b=[0, 7, 50], s=[0, 3], f=["nDCG", "RR"], v=[0.95, 0.5],
        o=["", "empty='skip'", "rel=2"]),
    *drawn(30, "a = total(large_both({n}, {o}), bootstrap={b}, seed={s}); a.difference({f!r}, {p}," " level={v})", n=[39, 40,
        41, 60], b=[0, 7, 50], s=[0, 3], f=["nDCG", "RR"], v=[0.95, 0.5], p=["'x', 'y'", "'y', 'x'"], o=["", "empty='skip'"]),
    *each("a = total(large_both({n}, names='GMAP'), bootstrap={b}); a.difference('GMAP', 'y', 'x');"
        " a.interval('GMAP', run='y')", n=[5, 45], b=[0, 9]),
    "total(large(50), bootstrap=True).interval('RR')",
    "a = total(large(50), bootstrap=9, segment='s'); a.add(large(45, low=70), segment='t'); print(a.result());"
    " a.result(level=0.5).rows[-1]",
    # Numbers that are large, or not finite.
    *each("a = total(rg.Evaluation.from_values({{'t': {v}}})); a.means; a.interval('t')", v=["[1e300, 1e300, -1e300]",
        "[2.0**53, 1, 1]", "[0.1] * 10", "[1e-320, 3]", "[5]", "[1e200, 1e-200]", "[None]"]),
    "e = rg.Evaluation({'RR': 0.5}, {'RR': [1, np.inf]}, ['a', 'b']); a = total(e); a.means,"
    " a.interval('RR'), total({'x': e, 'y': e}).difference('RR', 'x', 'y')",
    "e = rg.Evaluation({'RR': 0.5}, {'RR': [1, -np.inf]}, ['c', 'd']);"
    " f = rg.Evaluation({'RR': 0.5}, {'RR': [1, np.inf]}, ['a', 'b']); a = total(e, f); a.means; a",
    "e = rg.Evaluation({'RR': 1}, {'RR': [1, np.inf]}, 'ab'); f = rg.Evaluation({'RR': 1}, {'RR': [1, 2]}, 'ab');"
    " a = total({'x': e, 'y': f}); a.difference('RR', 'x', 'y'), a.difference('RR', 'y', 'x')",
    # Prints.
    "print(total({'': part(0, 3)}, segment='').result()); rg.Accumulator().result()",
    "a = total({'': part(0, 3)}, segment=0); a.add({'b': part(0, 3)}); print(a.result()); a.runs",
    "a = total({None: part(0, 3)}); a.add({'b': part(1, 3)}); print(a.result()); a.runs, a.count",
    "a = total({'': part(0, 3)}); a.add({'b': part(1, 3)}); a.interval('RR', run=''), a.interval('RR')",
    "s = total(part(0, 3), part(3, 7)).result(); print(s); s.lists, s.convention, s.rows[2], len(s)",
    "print(rg.Accumulator().result()); rg.Accumulator().result().to_dict()",
    "a = total({'r\\n': part(0, 3)}, segment='ü\\x00'); print(a.result()); a.runs, a.segments",
    "rg.Accumulator.__hash__ is None",
    "a = total(part(0, 3)); m = a.means; m['RR'] = 9; a.means['RR'], a.runs.append(1), a.runs",
    "a = total(part(0, 3, gain='exp2')); s = a.settings; s.clear(); a.settings",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
