"""Parts of an evaluation merged into one, in any order, and what they must have in common."""

from recorded.recording import drawn, each

GIVEN = """
LABELS = [[3, 0, 1, 0], [0, 0, 0], [0, 1], [2, 0, 0, 1, 1], [1], [0, 0], [0, 2, 4]]
SCORES = [[4, 3, 3, 1], [1, 2, 2], [1, 0], [5, 4, 4, 2, 0], [1], [0, 0], [1, 2, 2]]
IDS = [2**53 + 1, -7, 10, 9, 2**53 + 2, 3, 0]
QID = ["q10", "q9", "=q", "all", "b", "a", "é"]
MEASURES = ["nDCG@2", "RR", "HitRate(per=item)@2", "NumRel", "GMAP"]
WEIGHTS = [1, 2, 3.5, 1, 0, 5, 2]
NAN = float("nan")
def part(first, last, measures=MEASURES, qid=IDS, scores=SCORES, weight=None, **options):
    lists = range(first, last)
    ids = None if qid is None else [qid[i] for i in lists for _ in LABELS[i]]
    labels, values = ([row for i in lists for row in rows[i]] for rows in (LABELS, scores))
    group = None if qid is not None else [len(LABELS[i]) for i in lists]
    if weight is not None:
        options["weight"] = weight[first:last]
    return rg.evaluate_arrays(labels, values, measures, qid=ids, group=group, **options)
def segments(first, last, names="xyzzyxw", **options):
    evaluation = part(first, last, **options)
    return evaluation._replace(segments=names[first:last])
merge = rg.Evaluation.merge
QRELS = {"a": {"x": 1, "y": 2}, "b": {"x": 1}, "c": {"z": 0, "w": 1}, "d": {"v": 1}}
RUN = {"a": {"y": 2, "x": 1, "u": 1}, "b": {"u": 2, "x": 1}, "e": {"x": 1}, "c": {"w": 0, "z": 3}}
def ran(queries, **options):
    qrels = {q: QRELS[q] for q in queries if q in QRELS}
    return rg.evaluate(qrels, {q: RUN[q] for q in queries if q in RUN}, ["AP", "RR"], **options)
def shown_items(*rows, k=2, **options):
    return rg.evaluate_catalogue(dict(rows), ["Coverage@2", "Gini@1", "Entropy"], k=k, **options)
pooled = rg.pool({name: rg.Evaluations({"s": evaluation}) for name, evaluation in
    {"p": part(0, 3, ["RR"]), "q": part(2, 7, ["RR"])}.items()})["s"]
"""
# fmt: off
OPTIONS = ["", "weight=WEIGHTS", "empty='skip'", "empty=1", "empty=NAN", "gain='exp2'"]
OPTIONS += ["convention='sklearn'", "convention='implicit', measures=['P', 'AP', 'nDCG']"]
OPTIONS += ["convention='ranx', ties='best'", "weight=WEIGHTS, empty='skip'",
    "convention='trec', ties='best', measures=MEASURES"]
FIELDS = ["interval('{n}', method='t')", "by(list('xyzxyzx'))", "to_csv()", "shares_of('{n}')"]
CALLS = [
    *each("merge([part(0, 3, {o}), part(3, 7, {o})])", o=OPTIONS),
    *each("merge([part(4, 7, {o}), part(0, 1, {o}), part(1, 4, {o})])", o=OPTIONS),
    *each("merge([part(0, 0, {o}), part(0, 3, {o}), part(3, 3, {o}), part(3, 7, {o})]) ==" " part(0, 7, {o})", o=OPTIONS),
    *each("merge([part(0, 3, qid={q}, {o}), part(3, 5, qid={q}, {o})]).queries", q=["None", "QID"], o=OPTIONS[:3]),
    *drawn(40, "merge([segments(0, 3, {o}), segments(3, 7, {o})]){f}", o=OPTIONS[:7], f=["", ".by()", ".by()['z']",
        ".interval('RR', method='t')", ".to_csv()", ".shares_of('HitRate(per=item)@2')", ".by(list('xyzxyzx'))['x'].counts",
        ".marked"]),
    # Runs and judgments: counts of queries, sums by id.
    *each("merge([ran('{a}', {o}), ran('{b}', {o})])", a=["ad", "ea"], b=["bc", "cb"], o=["", "convention='trec_eval'",
        "convention='ranx'", "empty='skip'", "convention='beir'"]),
    "merge([ran('da'), ran('ceb')]) == merge([ran('da'), ran('ceb')]); merge([ran('da'), ran('ceb')]).by("
    "{'a': 1, 'd': 2, 'b': 1, 'c': 2})",
    "merge([ran('da'), ran('ceb')], convention=rg.conventions['trec'])",
    "r = rg.conventions['trec'].replace(name='trec', summation='pairwise'); merge([ran('da'), ran('cb')], convention=r)",
    "r = rg.conventions['trec'].replace(name='mine'); merge([ran('da'), ran('cb')], convention=r)",
    # What differs.
    *each("merge([part(0, 3), part(3, 5), {e}])", e=["part(5, 7, ['RR'])", "part(5, 7, MEASURES[::-1])",
        "part(5, 7, gain='exp2')", "part(5, 7, gain=[0, 1, 5, 7, 9])", "part(5, 7, empty=1)", "part(5, 7, empty='skip')",
        "part(5, 7, weight=WEIGHTS)", "part(5, 7, convention='sklearn')", "part(5, 7, qid=None)", "part(2, 7)", "part(4, 7)",
        "part(5, 7, ['RR'], bounds='ties')", "part(0, 0, ['RR'])", "segments(5, 7)",
        "part(5, 7)._replace(better={'RR': 'lower'})", "part(5, 7)._replace(requested={'x': 'RR'}).by(['a', 'a'])['a']",
        "part(5, 7)._replace(versions={'convention': '0'})", "part(5, 7)._replace(collections=['a', 'b'])",
        "part(5, 7)._replace(shares={})", "rg.Evaluations({'a': part(5, 7)})", "{'a': part(5, 7)}", "None"]),
    "merge([part(0, 3, qid=None), part(3, 5), part(5, 7)])",
    "merge([part(3, 5), part(0, 3, qid=None), part(5, 7, qid=None)])",
    "merge([part(3, 5, qid=QID), part(0, 3), part(5, 7)]).queries",
    "merge([segments(3, 5), segments(0, 3), part(5, 7)])",
    "merge([part(3, 5, weight=WEIGHTS), part(0, 3, weight=WEIGHTS), part(5, 7)])",
    "merge([part(3, 5, ['RR'], bounds='ties')])",
    "e = part(3, 5); s = dict(e.shares); n = 'HitRate(per=item)@2'; s[n] = s[n]._replace(divisors=None);"
    " merge([e, e._replace(shares=s, queries=[1, 2])])",
    "merge([])",
    "merge(iter([]))",
    "merge(3)",
    "merge(rg.Evaluations({'a': part(0, 3)}))",
    "merge({'a': part(0, 3)})",
    "merge([part(0, 0)])",
    "merge([part(0, 0, ['RR']), part(0, 0)])",
    "merge(iter([part(0, 2), part(2, 3)])).means; merge((part(0, 2),)) == part(0, 2)",
    "merge(p for p in [part(0, 2), part(2, 3)]).queries",
    "e = part(0, 2); f = part(2, 5); m = merge([e, f]); e == part(0, 2), f == part(2, 5), len(m)",
    "a = part(0, 3, empty='skip'); b = part(4, 5, empty=1); c = part(2, 3, empty='skip'); merge([b, c])",
    "a = part(0, 2)._replace(counts={'undefined': {'RR': 1}, 'undefined_as': {'RR': 'nan'}});"
    " b = part(4, 6)._replace(counts={'undefined': {'RR': 2}, 'undefined_as': {'RR': 'skip'}}); merge([a, b])",
    "a = part(0, 2)._replace(counts={'undefined': {'RR': 1}, 'undefined_as': {'RR': 'inf'}});"
    " b = part(4, 6)._replace(counts={'undefined': {'RR': 2}, 'undefined_as': {'RR': 2}}); merge([a, b])",
    "a = part(0, 2)._replace(marked={}); merge([a, part(2, 7)]).marked; merge([a, part(2, 7)]).counts",
    "a = part(2, 4)._replace(marked={}); merge([a, part(4, 7)]).marked",
    "a = part(0, 2)._replace(counts={'ignored': 2, 'users': 2}); b = part(2, 5)._replace("
    "counts={'ignored': 3, 'users': 3, 'unjudged': 1}); merge([b, a])",
    "a = part(0, 2)._replace(counts={'searches': [3, 1]}); b = part(2, 5)._replace("
    "counts={'searches': [1, 5, 2]}); merge([b, a]).counts; merge([b, part(5, 7)]).counts;"
    " merge([b, a]).by('xxyyx'.replace('', ' ').split())['y'].counts",
    "part(0, 3)._replace(marked={}).by(['x', 'y', 'x'])['y'].counts",
    "e = shown_items(('a', [1, 2]), ('b', [3]), catalogue=9).by(['x', 'x'])['x']; m = merge([e]);"
    " [c.flags.writeable for c in (*e.per_query.values(), *m.per_query.values())]",
    "a, b = [part(i, i + 1, ['AP'], convention=rg.conventions['rankgain'].replace(name='mine', round_mean=i)) for i in (1, 2)];"
    " merge([a, b])",
    # All lists together, and several collections.
    *each("merge([shown_items(('a', [1, 2]), ('b', [3]), {o}), shown_items(('d', [2, 9]), ('c', [9, 1]), {o})])",
        o=["catalogue=12", "catalogue=range(1, 20)"]),
    "m = merge([shown_items(('a', [1, 2]), ('b', [3]), catalogue=9), shown_items(('c', [2]), catalogue=9)]);"
    " m.by(['x', 'y', 'x']); m.intervals(); m.recommended",
    "merge([shown_items(('a', [1, 2]), catalogue=9), shown_items(('b', [1, 2]), catalogue=8)])",
    "merge([shown_items(('a', [1, 2]), catalogue=9), shown_items(('b', [1, 2]), catalogue=[1, 2])])",
    "merge([shown_items(('a', [1, 2]), catalogue=9), shown_items(('b', [1, 2]), catalogue=9)._replace("
    "recommended=None)])",
    "pooled; merge([pooled])",
    "b = rg.pool({'p': rg.Evaluations({'s': part(3, 7, ['RR'])}), 'r': rg.Evaluations({'s': part(2, 7,"
    " ['RR'])})})['s']; merge([b, pooled])",
    "b = part(5, 7, ['RR']); merge([pooled, b])",
    "pooled.by(list('xyxyyxyx')); pooled.by([c for c, q in pooled.queries])['q'] == pooled",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
