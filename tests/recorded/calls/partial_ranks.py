"""Ranks of hits, counted over parts of the documents in any order."""

from recorded.recording import drawn, each

GIVEN = """
import copy, pickle
BIG = 2**53 + 1
QUERY = np.array([BIG + 1, -7, 10, BIG + 1, 9, -7, 10, BIG + 1, -7, 9, 3, BIG + 1])
SCORE = np.array([0.5, 2.0, 1.0, 0.5, 3.0, 2.0, -np.inf, 0.9, 1.0, 3.0, 7.0, 0.1])
LABEL = np.array([2, 0, 1, 0, 3, 1, 2, 0, 4, 0, 0, 4.0])
NAMES = np.array(["q10", "é", "q9", "q10", "a", "é", "q9", "q10", "é", "a", "Z", "q10"])
HITS = LABEL != 0
MEASURES = ["nDCG@2", "AP", "RR", "P@1", "HitRate(per=item)@2", "NumRel"]
def ranks(hits=HITS, query=QUERY, **options):
    return rg.PartialRanks(query[hits], SCORE[hits], LABEL[hits], **options)
def counted(*parts, hits=HITS, query=QUERY, **options):
    partial = ranks(hits, query, **options)
    for part in parts or [slice(None)]:
        partial.add(query[part], SCORE[part])
    return partial
JUDGED = ([10, 10, BIG + 1, -7, 4, -7, 9, 10, BIG + 1, 10], [1, 2, 4, 1, 3, 4, 3, 5, 2, 0])
FIRST, SECOND, THIRD = slice(0, 3), slice(3, 9), slice(9, None)
"""
# fmt: off
QUERIES = ["QUERY", "NAMES"]
PARTS = ["FIRST, SECOND, THIRD", "THIRD, FIRST, SECOND", "[11, 2, 0, 7, 8], [1, 10, 3, 4, 5, 6, 9]"]
OPTIONS = ["", "ties='best'", "ties='worst'", "rel=2", "empty='skip'", "empty=1", "gain='exp2'"]
OPTIONS += ["weight=[1, 2, 3, 4, 0.5]", "convention='sklearn'", "threads=2"]
FORMS = ["", "queries=[10, 9, BIG + 1, -7]", "queries=[4, 10, -7, 9, BIG + 1]", "judged=JUDGED"]
FORMS += ["judged=JUDGED, queries=[9, -7, BIG + 1, 10]", "pool=True", "judged=JUDGED, pool=True"]
MANY = "['Bpref', 'Judged@2', 'AP']"
CALLS = [
    *each("counted({p}, query={q}).finish(MEASURES, {o})", q=QUERIES, p=PARTS[:1], o=OPTIONS[:-3]),
    *drawn(50, "counted({p}, query={q}).finish(MEASURES, {o})", q=QUERIES, p=PARTS, o=OPTIONS),
    *each("counted({f}).finish(MEASURES)", f=FORMS),
    *drawn(60, "counted({p}, {f}).finish({m}, {o})", p=PARTS, f=FORMS, o=OPTIONS[:8], m=["MEASURES", "'nDCG'",
        "['R', 'F1@2', 'AUC', 'nDCG']"]),
    *each("counted({p}, hits={h}).finish(MEASURES, {o})", p=PARTS, h=["slice(None)", "LABEL > 1", "[11, 0, 4, 2, 6, 8, 5]",
        "HITS & (QUERY != 9)", "LABEL > 9"], o=["", "ties='best'"]),
    *each("p = counted({p}); repr(p), len(p), p.documents", p=PARTS),
    *each("a, b, c = counted(FIRST, {f}), counted(SECOND, {f}), counted(THIRD, {f});"
        " b.merge(c) is b; a.merge(b).finish(MEASURES) == counted(FIRST, SECOND, THIRD, {f}).finish(MEASURES);"
        " c.documents, a.documents, b.documents", f=FORMS),
    *each("counted({f}, pool=True).finish({m}, {o})", m=[MANY, "'Bpref'"], o=["", "ties='worst'"], f=["hits=slice(None)",
        "judged=JUDGED", "hits=slice(None), judged=(QUERY, LABEL), queries=[9, 10, BIG + 1, -7, 3]"]),
    *each("counted({f}).finish({m}, weight={w})", m=["'AP'"], f=FORMS, w=["[1, 2, 3, 0.5]", "[1, 2, 3, 0.5, 2]",
        "{10: 1, 9: 2, -7: 3, BIG + 1: 4, 3: 5, 4: 7}"]),
    # More documents afterwards; copies; errors leave what was counted.
    "p = counted(); e = p.finish('RR'); p.add([10, 10], [4.0, 0.0]); f = p.finish('RR');"
    " e.per_query, f.per_query; p",
    "p = counted(); p.finish('AP', ties='best').means, p.finish('AP').means,"
    " p.finish('AP', ties='worst').means",
    "p = counted(); c = copy.deepcopy(p); c.add([10], [4.0]); p.documents, c.documents; c.finish('RR').means",
    "p = counted(); c = pickle.loads(pickle.dumps(p)); c.add([10], [4.0]); p, c; c.finish('RR').means",
    "p = counted()\ntry:\n    p.add([10, 9], [1, np.nan])\nexcept ValueError as error:\n    print(error)\n"
    "p; p.finish('RR') == counted().finish('RR')",
    "p = counted(); p.add([], []); p; p.add([BIG + 5, 77, 77], [1, 2, 3]); p; p.finish('AP').queries",
    "p = counted(query=NAMES); p.add(['new', 'Zz', 'new'], [1, 2, 3]); p; p.finish('AP')",
    "p = counted(queries=[10, 9, -7, BIG + 1, 5]); p.add([77, 78], [1, 2]); p.finish('AP')",
    "p = ranks(); p.add(QUERY, SCORE.astype('f4')); p.finish('AP')",
    "p = rg.PartialRanks([1, 1, 2], np.array([0.1, 0.7, 0.3], 'f4'), [1, 2, 1]);"
    " p.add([2, 1, 1, 1], np.array([0.3, 0.7, 0.1, 0.2], 'f4')); p.finish('AP')",
    "p = rg.PartialRanks([1, 1, 2], np.array([0.1, 0.7, 0.3], 'f4'), [1, 2, 1]);"
    " p.add([2, 1, 1, 1], [0.3, 0.7, 0.1, 0.2]); p.finish('AP')",
    "p = rg.PartialRanks([1, 1], [2**24 + 1, 2**24], [1, 2]); p.add([1, 1, 1], [2**24, 2**24 + 1, 2**24 + 2]);"
    " p.finish('AP'); p.finish('AP', convention='pytrec_eval', ties='average')",
    "p = rg.PartialRanks([1, 1], [2**53, 3], [1, 2]); p.add([1, 1, 1], [3, 2**53, 2**53 - 1]); p.finish('RR')",
    "rg.PartialRanks([1, 1], [2**53 + 1, 3], [1, 2])",
    "p = ranks(); p.add([1, 10], [3, 2**53 + 1])",
    "p = ranks(); p.add([1], [True]); p",
    "p = rg.PartialRanks([], [], []); p; p.finish('RR'); p.add(['b', 'a', 'b'], [1.0, 2, 2]); p.finish('RR')",
    "p = rg.PartialRanks([], [], [], queries=['x']); p.add(['b', 'x', 'b'], [1.0, 2, 2]); p.finish('RR')",
    "p = rg.PartialRanks([5], [1.0], [0]); p.add([5, 4], [1.0, 2]); p.finish('RR')",
    "p = rg.PartialRanks([5, 6], [np.inf, -np.inf], [1, 1]); p.add([6, 5, 6, 5], [-np.inf, np.inf, np.inf, 0]);"
    " p.finish(['RR', 'AP'])",
    "p = counted(); p.finish('RR', weight={10: 1, 9: 2, -7: 3, BIG + 1: 4, 3: 5})",
    "p = rg.PartialRanks([3, 4, 4], [1, 2, 3], [1, 1, -2]); p.add([3, 4, 4], [1, 2, 3]); p.finish('DCG');"
    " p.finish('nDCG')",
    "p = rg.PartialRanks([3, 4, 4], [1, 2, 3], [1, 1, -2], judged=([4, 4, 3, 4], [1, -2, 1, -1]));"
    " p.add([3, 4, 4], [1, 2, 3]); p.finish(['DCG', 'AP', 'IDCG'])",
    "p = counted(query=QUERY.astype(object)); p.finish('AP') == counted().finish('AP')",
    # Errors.
    "ranks().finish('RR')",
    "counted(FIRST).finish('RR')",
    "counted(SECOND, THIRD).finish('RR')",
    "counted(FIRST, query=NAMES).finish('AP')",
    "p = rg.PartialRanks([1, 1, 1], [0.5, 0.5, 0.25], [1, 2, 1]); p.add([1, 1, 1], [0.5, 0.25, 0.1]); p.finish('RR')",
    "p = ranks(); p.merge(p)",
    "ranks().merge(3)",
    *each("counted(FIRST).merge({o})", o=["ranks(LABEL > 0)", "ranks(queries=[10, 9, -7, BIG + 1])", "ranks(judged=JUDGED)",
        "ranks(query=NAMES)", "rg.PartialRanks(QUERY[HITS], SCORE[HITS], LABEL[HITS] * 2)",
        "rg.PartialRanks(QUERY[HITS], SCORE[HITS] + 1, LABEL[HITS])", "ranks(pool=True)",
        "ranks(judged=(JUDGED[0], JUDGED[1][::-1]))"]),
    *each("rg.PartialRanks({a})", a=["[1, 2], [1.0], [1, 1]", "[1, 2], [1.0, 2.0], [1]", "[1, 2], [[1.0, 2.0]], [1, 1]",
        "[1, 2, 3], [1.0, np.nan, np.nan], [1, 1, 1]", "[1, 2], [1, 2], [np.nan, np.inf]", "[1, 2], [1, 2], [1, np.inf]",
        "[1, 2.5], [1, 2], [1, 1]", "[1, 'a'], [1, 2], [1, 1]", "[None, 1], [1, 2], [1, 1]", "['a', None], [1, 2], [1, 1]",
        "[1, 2], ['x', 'y'], [1, 1]", "[1, 2], [1, 2], [2**53 + 1, 1]", "[True, False], [1, 2], [1, 1]", "3, 4, 5",
        "[1, 2], [1, 2], [1, 1], queries=[1]", "[3, 1, 2, 9], [1] * 4, [1] * 4, queries=[1, 3]",
        "[1, 2], [1, 2], [1, 1], queries=[1, 2, 2, 1]", "['a'], [1], [1], queries=['b', 'c', 'c']",
        "[1, 2], [1, 2], [1, 1], queries=['1', '2']", "['1'], [1], [1], queries=[1]", "[1], [1], [1], judged=[1, 2, 3]",
        "[1], [1], [1], judged={1: 2}", "[1], [1], [1], judged=([1, 2], [3])", "[1], [1], [1], judged=(['a'], [3])",
        "[1], [1], [1], judged=([1, 1], [3, np.nan])", "[1], [1], [1], judged=([1, 1], [3, 2**53 + 1])", "[2**64], [1], [1]",
        "[2**63, 1], [1, 1], [1, 1]", "np.array([1, 2], 'u8'), [1, 2], [1, 1]", "np.array([1, 2], 'M8[s]'), [1, 2], [1, 1]"]),
    *each("p = ranks(); p.add({a}); p", a=["[10, 9], [1.0]", "[10], [[1.0]]", "[10, 9], [1, 'x']", "['a'], [1.0]",
        "[2.5], [1.0]", "[None], [1.0]", "10, 1.0", "np.array([10, 9], 'i1'), np.array([1, 2], 'f2')",
        "[10, 9, 9], [1, np.nan, 2]", "np.array([10]), np.array([1.0], '>f8')", "[2**63], [1.0]"]),
    *each("p = ranks(query=NAMES); p.add({a}); p", a=["[10], [1.0]", "['q9', 'é', 'q9'], (1, 2, 3)", "[b'q9'], [1.0]",
        "['q9', 3], [1, 2]"]),
    *each("counted().finish({m})", m=["[]", "'nothing'", "'ILD@2'", "'AP', ties='stable'", "'AP', ties='id'",
        "'AP', ties='random'", "'AP', weight=[1, 2]", "'AP', empty='raise'", "'AP', convention='sklear'", "'Bpref'",
        "'Judged@2'", "['AP', 'Coverage@2']", "'RR', convention='recbole'", "'nDCG', convention='sklearn', ties='stable'",
        "'AP(ties=best)'", "rg.measure(len, name='n')"]),
    "p = rg.PartialRanks([1, 2], [1.0, 2.0], [1, 1]); p.add([1, 2, 1, 2], [1.0, 2.0, 3, 0]);"
    " p.finish('AP', ties='stable')",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
