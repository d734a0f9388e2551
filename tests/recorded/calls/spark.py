"""Spark's data frames, of a stand-in: tables, runs, arrays, systems, means, and what is refused."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas", "pyarrow"]
GIVEN = """
import decimal
from rankgain.integrations import spark
from recorded.spark import made, session

def shown(value):
    if isinstance(value, dict):
        return {name: shown(values) for name, values in value.items()}
    if isinstance(value, rg.Accumulator):
        return value.result()
    rows = sorted(value.collect(), key=lambda row: [str(cell) for cell in row[:2]])
    return value.columns, [kind.dataType.typeName() for kind in value.schema.fields], list(map(tuple, rows))

def on(function, *arguments, **options):
    with session():
        return shown(getattr(spark, function)(*arguments, **options))

def table(**changes):
    return made(TABLE | changes)

def truth(**changes):
    return made(TRUTH | changes)

def run(**changes):
    return made(RUN | changes)

def arrays(**changes):
    return made(ARRAYS | changes)

D = decimal.Decimal
TABLE = {"q": ("long", [3, 1, 3, 2, 3, 1, 2, 5, 2]), "l": ("double", [1.0, 0, 2, 1, 0, 3, 0, 0, 1]), "s":
         ("double", [0.5, 0.9, 0.5, 1.0, -1, 2, 2.0, 0, 1.0]), "r": ("integer", [2, 1, 3, 1, 1, 2, 2, 1, 4]),
         "run": ("string", list("babaabbab"))}
TRUTH = {"query": ("string", ["b", "b", "a", "c", "a", "b"]), "doc": ("string", list("xyxzwx")), "label":
         ("double", [1.0, 2, 1, 3, 0, 1.0])}
RUN = {"query": ("string", ["a", "b", "b", "a", "e", "b", "a"]), "doc": ("string", list("xyzvxww")), "score":
       ("double", [0.5, 0.25, 0.25, 1.0, 2, 1 + 1e-12, 0.5]), "rank": ("integer", [2, 3, 4, 1, 1, 2, 3]),
       "system": ("string", list("ABBAABA"))}
ARRAYS = {"id": ("integer", [4, 2, 7]), "y": ("array<double>", [[1.0, 0, 2], [], [0.0, 1]]), "s":
          ("array<double>", [[0.5, 0.5, 0.1], [], [2.0, 3.0]]), "rec": ("array<long>", [[3, 1], [4], []]), "rel":
          ("array<long>", [[1], [4, 5, 4], [9]]), "run": ("string", ["x", "y", "x"])}
M = ["nDCG@3", "AP", "RR"]
C = dict(query="q", label="l", score="s")
R = dict(query="q", label="l", rank="r")
"""
MEASURES = ["M", "'P@2'", "['DCG', 'R@1']", "'MR'"]
TIES = [
    "",
    ", ties='best'",
    ", ties='worst'",
    ", convention='sklearn'",
    ", empty='skip'",
    ", means=True",
]
TIES += [
    ", means=True, bootstrap=20, seed=2",
    ", run='run'",
    ", run='run', means=True",
    ", gain='exp2'",
]
OF_RUNS = [
    "",
    ", ties='id'",
    ", convention='pytrec_eval'",
    ", bounds=['ties']",
    ", exclude={'b': ['y']}",
]
OF_RUNS += [
    ", judged_only=True",
    ", means=True",
    ", system='system'",
    ", means=True, bootstrap=9, seed=1",
]
OF_RUNS += [
    ", convention='rankgain'",
    ", system='system', means=True",
    ", convention='beir'",
    ", rank='rank'",
]
CALLS = [
    *drawn(70, "on('evaluate', table(), {m}, **C, how={h!r}{o})", m=MEASURES[:3], h=["auto", "shuffle", "count"],
           o=TIES[:9]),
    *drawn(30, "on('evaluate', table(), {m}, **R{o})", m=MEASURES, o=TIES[:9]),
    *drawn(110, "on('evaluate_runs', truth(), run(), {m}, how={h!r}{o})", m=MEASURES[:3], o=OF_RUNS,
           h=["auto", "shuffle", "count"]),
    *drawn(30, "on('evaluate_columns', arrays(), {m}, {c}{o})", m=MEASURES, o=["", ", query='id'", ", run='run'",
           ", means=True", ", query='id', means=True, bootstrap=5"], c=["labels='y', scores='s'", "recommended="
           "'rec', relevant='rel'"]),
    *each("on('evaluate', table({c}), 'AP', **C, how={h!r})", h=["shuffle", "count"], c=[
        "q=('string', [f'q{q}' for q in TABLE['q'][1]])", "q=('short', TABLE['q'][1])", "q=('double', TABLE['q'][1])",
        "s=('float', TABLE['s'][1])", "l=('boolean', [True, False] * 4 + [True])", "s=('string', list('abcdefghi'))",
        "s=('decimal', [D(n) / 4 for n in range(9)])", "s=('decimal', [D(2**53 + 1)] * 9)", "l=('double', [None] + [1.0] "
        "* 8)", "s=('double', [1.0] * 8 + [None])", "q=('long', [None] + [1] * 8)", "l=('double', [0.0] * 9)",
        "l=('double', [float('inf')] * 9)", "s=('double', [float('nan')] * 9)", "l=('double', [-1.0] * 9)"]),
    *each("on('evaluate', table(), 'AP', {c})", c=["query='x', label='l', score='s'", "query='q', label='x', score='s'",
          "query='q', label='l', score=3", "query='q', label='run', score='s'", "query='q', label='l', rank='x'",
          "query='q', label='l', rank='run'", "**C, run='x'", "**C, run='s'", "**C, bootstrap=3", "**C, means=True, "
          "bootstrap=-1", "**C, how='count', convention='pytrec_eval'", "**C, ties='id', how='count'", "**R, how='count'"]),
    *each("on('evaluate', table(r=('double', {r})), ['AP', 'RR'], **R)", r=["[0, 0, 1, 0, 2, 1, 1, 0, 2]", "[1.5, 1, 1.5, "
          "1, 3, 2, 2, 1, 3]", "[1, -1, 2, 1, 3, 2, 2, 1, 3]", "[1, None, 2, 1, 3, 2, 2, 1, 3]"]),
    *each("on('evaluate', table(run=('string', {r})), 'AP', **C, run='run')", r=["[None] + ['a'] * 8", "['a'] * 9"]),
    "on('evaluate', table(run=('integer', [2, 1, 2, 2, 1, 1, 1, 2, 1])), 'AP', **C, run='run')",
    "on('evaluate', made({name: (kind, []) for name, (kind, _) in TABLE.items()}), M, **C)",
    "on('evaluate', made({name: (kind, []) for name, (kind, _) in TABLE.items()}), M, **C, run='run')",
    "on('evaluate', made({f'c{i}': ('long', [1]) for i in range(10)}), M, **C)",
    "on('evaluate', made({'a.`b': TABLE['q'], 'l': TABLE['l'], 's x': TABLE['s']}), M, query='a.`b', label='l', score="
    "'s x', how='shuffle')",
    *each("on('evaluate_runs', truth({t}), run({r}), ['AP', 'RR'], how={h!r})", h=["shuffle", "count"], t=["", "label=("
          "'double', [1.0, 2, 1, 3, 0, 2.0])", "label=('double', [1.0, 2, 1, 3, None, 1.0])"], r=["", "score=('float', "
          "RUN['score'][1])", "doc=('string', list('xyyvxww'))", "score=('double', [1.0] * 6 + [None])"]),
    *each("on('evaluate_runs', truth(), run({r}), 'AP')", r=["doc=('long', list(range(7)))", "query=('integer', [1] * 7)",
          "score=('string', list('abcdefg'))", "doc=('double', [1.0] * 7)"]),
    *each("on('evaluate_runs', truth(), run(), 'AP', {c})", c=["query='q'", "doc='x'", "label='x'", "score='x'", "rank='x'",
          "system='x'", "how='count', bounds=['ties']", "how='count', judged_only=True", "how='count', rank='rank'"]),
    *each("on('evaluate_columns', arrays({c}), 'AP', recommended='rec', relevant='rel')", c=["rec=('array<integer>', [[3], "
          "[4], []])", "rec=('array<string>', [['3'], ['4'], []])", "rec=('array<double>', [[3.0], [4.0], []])", "rel=('long', "
          "[1, 2, 3])", "rec=('array<long>', [[3, 3], [4], []])", "rel=('array<string>', [['3'], ['4'], []]), rec=("
          "'array<string>', [['3'], ['5'], ['4']])"]),
]  # fmt: skip
