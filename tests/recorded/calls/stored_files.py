"""Stored results read back: whole, with parts changed or missing, and other files."""

from recorded import written_results
from recorded.recording import drawn, each

GIVEN = (
    written_results.GIVEN
    + """
GONE = "GONE"

def full():
    micro = rg.conventions["rankgain"].replace(name="micro", mean={"precision": "micro"}, divisor="min")
    options = dict(weight=[1.0, 0.5], bounds="ties", convention=micro)
    return rg.evaluate({"q": {"a": 1, "b": 0}, "r": {"c": 1}}, {"q": {"a": 1.0, "b": 1.0, "x": 2.0}, "r": {"d": 2.0, "c": 1.0}}, ["P@2"], **options)

def table():
    return evaluated(["nDCG@2", "AP"], convention=rg.conventions["trec"].replace(name="own", gain={0: 0.0, 1: 0.5, 2: 3.0, 3: 3.5}, empty="skip"))["a_1%"]

def sums(**options):
    total = rg.Accumulator(**options)
    parts = evaluated(["P@1", "RR"])
    total.add({"x": parts["a_1%"], "y": parts["n\\x1b&<b>"]}, segment=7)
    total.add({"x": parts["=f|x*"]}, segment="w")
    return total

sources = dict(
    full=(full, rg.Evaluation), items=(items, rg.Evaluation), pooled=(lambda: pooled()["=odd"], rg.Evaluation), given=(lambda: given_values()["new"], rg.Evaluation),
    table=(table, rg.Evaluation), unusual=(unusual, rg.Evaluation), whole=(evaluated, rg.Evaluations), values=(given_values, rg.Evaluations),
    comparison=(lambda: compared(ranked(3, 4), by=["x", "y", "x", "x"], baseline="s_1", resamples=9), rg.Comparison),
    plain=(lambda: compared(ranked(2, 4), correction=None, resamples=9), rg.Comparison),
    gaps=(lambda: compared(partial(), resamples=9), rg.Comparison),
    sums=(lambda: sums(), rg.Accumulator), drawn=(lambda: sums(bootstrap=2, seed=5), rg.Accumulator), empty=(rg.Accumulator, rg.Accumulator),
    micro=(lambda: (a := rg.Accumulator(bootstrap=1), a.add(full(), queries=["q", "r"]))[0], rg.Accumulator),
)

def data_of(name):
    result = sources[name][0]()
    return result.to_dict() if name in ("sums", "drawn", "empty", "micro") else json.loads(result.to_json())

def read(name, data):
    kind = sources[name][1]
    if kind is rg.Accumulator:
        return kind.from_dict(data)
    Path("x.json").write_text(data if isinstance(data, str) else json.dumps(data))
    return kind.read("x.json")

def put(name, *changes):
    # The result read from data with values put at places.
    data = copy.deepcopy(data_of(name))
    for place, value in changes:
        *outer, last = [int(key) if key.isdecimal() else key for key in place.split(".")]
        inner = data
        for key in outer:
            inner = inner[key]
        if isinstance(value, str) and value == GONE:
            del inner[last]
        else:
            inner[last] = value
    return read(name, data)
"""
)
# fmt: off
PLACES = {
    "full": """means means.P@2 queries queries.1 per_query per_query.P@2 per_query.P@2.1 convention convention_version counts counts.queries counts.documents
            rankgain weights weights.0 shares shares.P@2 shares.P@2.kind shares.P@2.numerators shares.P@2.divisors.1 bounds bounds.ties bounds.ties.P@2.0
            bounds.ties.P@2.1.0 bound_means bound_means.ties.P@2 bound_means.ties.P@2.1 requested segments settings mean_rule marked numbered better  collections""",
    "items": "recommended recommended.lists recommended.lists.1 recommended.lists.0.2 recommended.catalogue recommended.places settings counts.users means marked",
    "pooled": "collections collections.3 better better.ms better.x queries means.ms",
    "table": "settings settings.gain counts.undefined counts.undefined.AP counts.undefined_as counts.undefined_as.AP counts.undefined_as.RR marked marked.AP marked.AP.0 marked.missing marked.x requested",
    "comparison": """comparison comparison.names comparison.names.2 comparison.measures comparison.measures.1 comparison.segments comparison.rows comparison.rows.0
            comparison.rows.1.measure comparison.rows.2.segment comparison.rows.3.a comparison.rows.3.b comparison.rows.0.p comparison.rows.0.p_corrected
            comparison.rows.4.p_equivalent comparison.rows.5.lists comparison.rows.5.wins comparison.rows.1.low comparison.baseline comparison.test
            comparison.correction comparison.resamples comparison.level comparison.seed comparison.queries comparison.left_out comparison.convention
            comparison.versions comparison.margin comparison.collections comparison.better comparison.better.ms comparison.better.x comparison.rows.7.mean_a""",
    "drawn": """rankgain_accumulator bootstrap seed rules rules.measures rules.measures.0 rules.convention rules.version rules.requested rules.weighted rules.settings
            rules.undefined_as rules.undefined_as.RR rules.mean_rule rules.better counts counts.0 counts.0.run counts.1.segment counts.2.queries cells cells.1
            cells.2.run cells.3.segment cells.0.measure cells.0.kind cells.1.lists cells.1.undefined cells.0.sums cells.0.sums.above cells.0.drawn
            cells.0.drawn.1 cells.0.drawn.1.0 pairs pairs.0 pairs.0.0 pairs.0.1 pairs.0.2 pairs.0.3 pairs.0.4 pairs.0.4.2""",
}
WRONG = ["3", "-1", "0.5", "'text'", "None", "True", "[]", "[1]", "{}", "{'x': 1}", "GONE", "inf", "2**70", "'inf'", "['a', None, 2]", "'RR'", "['exact', -1]"]
WHOLE = ["full", "items", "pooled", "given", "table", "unusual", "whole", "values", "comparison", "plain", "gaps", "sums", "drawn", "empty", "micro"]
PAIRS = [(name, place) for name, places in PLACES.items() for place in places.split()]
# Changes that other places must match, and values that are read although rankgain does not write them.
TOGETHER = """
"full", ("means.AP", 0.5)
"full", ("means.AP", 0.5), ("per_query.AP", [0.5, 0.5])
"full", ("means.AP", 0.5), ("per_query.AP", [0.5, None]), ("bounds.ties.AP", [[0, 1], [0, 1]]), ("bound_means.ties.AP", [0.25, "inf"])
"full", ("means.nDGC", 0.5), ("per_query.nDGC", [0.5, 0.5])
"full", ("better", {"P@2": "lower"})
"full", ("better", {"P@2": "less"})
"full", ("better", {"x": "lower"})
"full", ("bounds", GONE)
"full", ("bound_means", GONE)
"full", ("bounds.unjudged", {"P@2": [[0, 1], [0, 1]]})
"full", ("bounds.unjudged", {"P@2": [[0, 1], [0, 1]]}), ("bound_means.unjudged", {"P@2": [0.25, 1]})
"full", ("queries", ["q", "r", "s"])
"full", ("queries", [0, 1])
"full", ("queries", [1, 0])
"full", ("queries", [0, 1]), ("numbered", False)
"full", ("queries", [0, 1.0])
"full", ("queries", ["q", 2.5]), ("segments", ["s", 2**60])
"full", ("queries", ["q", "q"])
"full", ("segments", ["s", None])
"full", ("collections", ["x", "y"])
"full", ("collections", ["x"])
"full", ("shares.P@2.divisors", None)
"full", ("shares.P@2", {"kind": "mean", "numerators": [1, 0]})
"full", ("shares.P@2.numerators", [1, "inf"])
"full", ("shares.AP", {"kind": "mean", "numerators": [1, 0], "divisors": None})
"full", ("settings", {"k": 0})
"full", ("settings", {"k": 3, "gain": {"1": "2", "2": 3.5}, "ties": "worst", "rel": None, "x": [1, "2"]})
"full", ("settings", {"gain": {"a": 1}})
"full", ("mean_rule", ["exact", 3])
"full", ("mean_rule", ["pairwise", None])
"full", ("mean_rule", ["exact", None, 1])
"full", ("marked", {"P@2": [1], "missing": [0, 1]})
"full", ("marked", {"P@2": [2]})
"full", ("marked", {"AP": [1]})
"full", ("marked", {"P@2": [True]})
"full", ("requested", {"prec": "P@2"})
"full", ("requested", {"prec": "P@3"})
"full", ("counts.searches", [1, 2])
"full", ("counts.searches", [1])
"full", ("counts.undefined", {"P@2": 1})
"full", ("counts.undefined", {"P@2": 1}), ("counts.undefined_as", {"P@2": "skip"})
"full", ("counts.undefined", {"P@2": 1}), ("counts.undefined_as", {"P@2": "x"})
"full", ("counts.undefined", {"P@2": 1}), ("counts.undefined_as", {"AP": 0})
"full", ("counts.undefined", {"AP": 1}), ("counts.undefined_as", {"AP": 0})
"full", ("rankgain", 1), ("means", 2)
"full", ("weights", [1, "x"]), ("queries", 3)
"items", ("settings", {}), ("means", {"Coverage@2": 1, "P@2": 2})
"items", ("means", {"Coverage": 0.5}), ("per_query", {"Coverage": [1, 2, 3]})
"items", ("means", {"Coverage": 0.5}), ("per_query", {"Coverage": [1, 2, 3]}), ("settings", {"k": 2})
"items", ("recommended.places", [[1], [2, 4], [0]])
"items", ("recommended.places", [[1], [2, 2], [0]])
"items", ("recommended.places", [[1], [4, 2], [0]])
"items", ("recommended.places", [[0], [2], [0]])
"items", ("recommended.places", [[1], [-2, 4], [0]])
"items", ("means", {"Coverage": 0.5}), ("per_query", {"Coverage": [1, 2, 3]}), ("counts", {"queries": 3}), ("marked", {})
"items", ("means", {"Coverage": 0.5}), ("per_query", {"Coverage": [1, 2, 3]}), ("counts", {"queries": 3}), ("marked", {}), ("settings", {"k": 2})
"items", ("means", {"Coverage": 0.5}), ("per_query", {"Coverage": [1, 2, 3]}), ("counts", {"queries": 3}), ("marked", {}), ("settings", {"k": None})
"full", ("counts.queries", 2**63)
"full", ("counts.queries", 2**63 - 1)
"full", ("means.P@2", -(10**400))
"full", ("means.P@2", 10**400)
"full", ("queries", ["q", -inf])
"full", ("queries", ["q", nan])
"full", ("settings", {"gain": {"1": "2", "2": 3.5}})
"full", ("settings", {"gain": {"1": "2", "2": "x"}})
"full", ("settings", {"x": [1, "2", None]})
"full", ("settings", {"x": True, "y": "inf", "z": "word", "w": [True]})
"full", ("counts.undefined", {"P@2": 1}), ("counts.undefined_as", {"P@2": "nan"})
"full", ("counts.undefined", {"P@2": 1}), ("counts.undefined_as", {"P@2": "-inf"})
"comparison", ("comparison.better.x", "lower")
"comparison", ("comparison.rows.0.wins", 7)
"comparison", ("comparison.rows.1.lists", 0), ("comparison.rows.0.ties", 9)
"drawn", ("pairs.0.1", "x")
"drawn", ("pairs.0.2", "w")
"drawn", ("pairs.0.0", "w")
"items", ("recommended.catalogue", None)
"comparison", ("comparison.rows.0", GONE)
"comparison", ("comparison.rows.0.a", "s_1"), ("comparison.rows.0.b", "s_0")
"comparison", ("comparison.rows.0.a", "s_2")
"comparison", ("comparison.rows.0.segment", "y")
"comparison", ("comparison.rows.0.measure", "ms")
"comparison", ("comparison.segments", [])
"comparison", ("comparison.baseline", None)
"comparison", ("comparison.baseline", "s_0")
"comparison", ("comparison.names", ["s_0", "s_1"])
"comparison", ("comparison.better", {})
"comparison", ("comparison.measures.0", "AP")
"comparison", ("comparison.margin", 0.25)
"comparison", ("comparison.collections", ["x", "y"])
"comparison", ("comparison.left_out", {"s_0": 3})
"comparison", ("comparison.left_out", {"x": 3})
"comparison", ("comparison.rows.0.effect", "-inf"), ("comparison.rows.1.low", None), ("comparison.rows.1.p", None)
"plain", ("comparison.rows.0.p", -0.5), ("comparison.level", 1)
"plain", ("comparison.correction", "holm")
"plain", ("comparison.test", "tukey"), ("comparison.correction", None)
"sums", ("cells.0.drawn", [["1p0"], ["1p0"]])
"sums", ("bootstrap", 1)
"drawn", ("bootstrap", 0)
"drawn", ("bootstrap", 1)
"drawn", ("counts.1", {"run": "x", "segment": 7, "queries": 1})
"drawn", ("cells.5", GONE)
"drawn", ("pairs.0.4", ["1p0", "1p0", "1p0"])
"drawn", ("seed", 2**64)
"drawn", ("bootstrap", 1_000_001)
"drawn", ("rules.weighted", None), ("rules.settings", {"k": 2})
"drawn", ("pairs", [])
"empty", ("rules", GONE)
"empty", ("bootstrap", 3)
""".strip().splitlines()
TEXTS = ["", "[1, 2]", "NaN", "{", '{"a": Infinity}', '{"means": {"AP": 0.5}}', '{"evaluations": {"x": {"means": {"AP": 1}}}}', '{"evaluations": []}',
         '{"evaluations": {}}', '{"comparison": 3}', '{"comparison": {}}', '{"means": [], "queries": []}', '{"means": {}, "queries": {}}', "null"]
CALLS = [
    *each("a = sources[{n!r}][0](); b = read({n!r}, data_of({n!r})); b; data_of({n!r}) == (b.to_dict() if hasattr(b, 'from_dict') else json.loads(b.to_json())), a == b", n=WHOLE),
    *each("a = sources[{n!r}][0](); b = pickle.loads(pickle.dumps(a)); str(a) == str(b), a == b", n=WHOLE),
    *drawn(260, "put({p}, {w}))", p=[f"{name!r}, ({place!r}" for name, place in PAIRS], w=WRONG),
    *(f"put({changes})" for changes in TOGETHER),
    *each("read({n!r}, {t!r})", n=["full", "whole", "comparison"], t=TEXTS),
    *each("read({n!r}, {t})", n=["sums"], t=["3", "None", "{}", "[]", "{'rankgain_accumulator': 2}", "data_of('full')"]),
    *each("read({n!r}, data_of({o!r}))", n=["full"], o=["whole", "comparison"]), *each("read({n!r}, data_of({o!r}))", n=["whole", "plain"], o=["full", "gaps"]),
    *each("rg.{k}.read('none.json')", k=["Evaluation", "Evaluations", "Comparison"]),
    "read('full', {'means': {'P@2': 1}, 'queries': ['q']})", "read('whole', {'evaluations': {'x\\x1b': {'means': {'P@2': 1}}}})",
    "read('whole', {'evaluations': {'x': data_of('full'), 'y': 3}})", "read('whole', {'evaluations': {'x': data_of('full'), 'y': data_of('full') | {'queries': 1}}})",
    "data = data_of('plain'); data['comparison']['rows'] *= 2; read('plain', data)",
    "data = data_of('drawn'); data['cells'].append(data['cells'][0]); read('drawn', data)",
    *each("put('drawn', ('cells.0.sums.above', {t!r}))", t=["1p-9999", "1p", "x", "3p2"]),
    "total = rg.Accumulator(); total.add(given_values()); data = total.to_dict(); data['rules']; rg.Accumulator.from_dict(data) == total; data['rules']['better'] = {'ms': 'lower'}; rg.Accumulator.from_dict(data)",
    "data = data_of('sums'); data['cells'][2]['sums']['above'], data['cells'][1]['sums'] = '1p', {}; read('sums', data)",
    "e = rg.Evaluation({'AP': 1.0}, {'AP': [1.0, 0.5]}, list(np.array([5, 7]))); e.to_json(); e.to_json('x.json'); rg.Evaluation.read('x.json').queries",
    *each("repr({s}.{m}()[-4:])", s=["full()", "table()"], m=["to_json", "to_csv"]),
    *each("repr({s}.{m}()[-4:])", s=["evaluated()"], m=["to_json", "to_csv", "to_markdown", "to_latex"]),
    *each("repr(compared(ranked(2)).{m}()[-4:])", m=["to_json", "to_csv", "to_markdown", "to_latex"]),
    "a = read('full', data_of('full')); b = read('full', data_of('full')); rg.Evaluation.merge([a, put('full', ('queries', ['s', 't']))])",
    "put('full', ('queries', [0, 1])).queries, put('full', ('queries', [0, 1]), ('numbered', False)).queries",
    "a, b = sums(), put('sums', ('seed', 0)); a.merge(b); a.means; a == b; b.runs, b.segments, b.count, b.convention, b.settings",
    "a = sums(bootstrap=2, seed=5); b = read('drawn', data_of('drawn')); a == b; b.interval('RR', run='x'); a.interval('RR', run='x'); b.difference('P@1', 'x', 'y', segment=7)",
]
