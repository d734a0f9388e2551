"""Pictures: every artist with its place, size, colour and words."""

from recorded.recording import drawn, each

NEEDS = ["matplotlib"]
GIVEN = """
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
from rankgain import plot

qrels = {
    "q2": {"a": 2, "b": 0, "c": 1}, "q1": {"a": 1, "d": 3}, "q10": {"b": 1, "e": 1, "f": 0},
    "q3": {"c": 1}, "q4": {"a": 0, "b": 1, "g": 2}, "q0": {"z": 1},
}
def run(*lists):
    rows = zip(qrels, lists)
    return {query: {d: s for d, s in zip(text, (3.0, 2.5, 2.5, 2.0, 1.5, 1.0))} for query, text in rows}

runs = {
    "bm25": run("abcxyz", "dabcxy", "xebfyw", "abcdef", "gbaxyu", "abcdez"),
    "$late_1$": run("xbacyd", "xadbcy", "fxyzeb", "xcabde", "abgxyu", "zabcde"),
    "_dense": run("cabxyz", "adbcxy", "bexfyw", "cabdef", "bgaxyu", "abzcde"),
    "a long name of a system, first": run("xyzabc", "xyzwda", "xyzweb", "xyzabc", "xyzgab", "xyzwab"),
    "a long name of a system, other": run("axyzcb", "dxayzw", "bxyzwe", "xyczab", "axyzgb", "xyzwaz"),
    "rnd": run("yxcbaz", "bcdxya", "xbyefz", "xyzcab", "uxbagy", "xyzuwv"),
    "f-13": run("ba", "xd", "be", "xc", "bx", "z"),
}
names_of_measures = ["nDCG@3", "AP", "nDCG@1", "P@2", "nDCG@10", "P(rel=2)@1", "RR", "P@1", "IPrec@0.5", "IPrec@0", "IPrec@1"]
def evaluated(*names, measures=names_of_measures, **options):
    chosen = {name: runs[name] for name in names or list(runs)[:4]}
    return rg.evaluate_runs(qrels, chosen, measures, **options)

def few():
    return evaluated("bm25", "_dense", "$late_1$")

def pair():
    return evaluated("_dense", "bm25")

def every(*measures):
    return evaluated(*runs, measures=[*measures, *names_of_measures])

def both(**options):
    return evaluated("rnd", "bm25", "$late_1$", measures=["RR", "AP"], **{"bounds": ("ties", "unjudged")} | options)

def values(**lists):
    return {name: rg.Evaluation({"AP": float(np.nanmean(v))}, {"AP": np.array(v, float)}, range(len(v))) for name, v in lists.items()}

def many(n):
    # Values in an order that is not theirs: multiples of a prime, without its multiples.
    rows = np.arange(n)
    return values(a=rows * 7919 % n / n, b=(rows * 104729 + 5) % n / n)

def cutoffs():
    # The means of seven systems at two cutoffs: one has no value at the second.
    means = {"s0": (0.3, np.nan), "s1": (0.1, 0.4), "s2": (0.2, 0.6), "s3": (0.9, 0.1), "s4": (0.2, 0.3), "s5": (0.5, 0.5), "s6": (0.4, 0.2)}
    return {name: rg.Evaluation({"P@2": b, "P@1": a}, {"P@2": [b], "P@1": [a]}, range(1)) for name, (a, b) in means.items()}

def levels():
    evaluations = {}
    for n in (3, 6, 0, 2, 5, 1, 4):
        means = {"IPrec@0": 0.9 - 0.1 * n, "IPrec@1": 0.1 * n, "IPrec@0.5": (0.9 - 0.1 * n) ** 2}
        lists = {name: [mean] for name, mean in means.items()}
        evaluations[f"s{n}"] = rg.Evaluation(means, lists, range(1))
    return evaluations

def parts(n):
    return many(600)["a"].by([i * i % n for i in range(600)])

def gaps():
    return values(a=[0.5, np.nan, 0.25, 1.0, 0.0], b=[0.25, 0.5, np.nan, 1.0, 0.5])

def errors():
    lists = {"old": [0.4, 0.1, 2.5, 0.3, 0.3], "new": [0.2, 0.1, 3.5, 0.1, 0.2]}
    better = {"wer": "lower", "AP@5": "higher"}
    return rg.Evaluations({
        name: rg.Evaluation.from_values({"wer": v, "AP@5": v[::-1]}, range(5), better=better) for name, v in lists.items()
    })

labels = ["en", "de", "en", "en", "de", "fr"]
def compared(source=None, **options):
    return rg.compare(source or few(), **{"resamples": 99, "correction": None} | options)

def ground(colour, patch=None):
    ax = plt.figure(figsize=(5, 3), facecolor=colour).add_axes((0.1, 0.2, 0.8, 0.7))
    if patch is not None:
        ax.set_facecolor(patch)
    return ax
"""
# fmt: off
TWO = """
few(), "AP", "bm25", "_dense"
few(), "P(rel=2)@1", "_dense", "$late_1$"
pair()
gaps()
errors(), "wer"
errors(), "AP@5", "new", "old"
compared(baseline="bm25"), a="_dense"
compared(pair(), measures="RR", test="bootstrap")
every(), b="rnd", a="f-13"
compared(every(), measures=["RR", "AP"]), "AP", "a long name of a system, first", "bm25"
""".strip().splitlines()
ANY = """
few()
pair()
every()
few()["bm25"]
few(), "RR"
every(), "ndcg_cut_10"
gaps()
errors(), "wer"
compared(pair(), measures="P@2")
every()["rnd"].by(labels), "AP"
""".strip().splitlines()
AXES = ["", *""", theme="dark"
, theme="light"
, ax=ground("white")
, ax=ground("black")
, ax=ground("#ffffff00", "#202020")
, ax=ground("black", "#ffffff80")
, ax=ground("navy"), theme="light"
, ax=ground("#808080")""".splitlines()]
LEVELS = ["", ", level=0.95", ", level=0.5", ", level=0.99"]
RANKED = """
compared(every())
compared(few()), "P@2"
compared(errors()), "wer"
compared(pair())
compared(every(), measures=["RR", "AP"]), "map"
compared(few(), measures="RR")
""".strip().splitlines()
CURVES = """
few()
every()
every(), "P"
few(), "P(rel=1)"
pair()
few()["_dense"]
few(), "nDCG@1"
evaluated(measures=["AP@2", "AP@30", "AP@7"])
evaluated(measures=["nDCG@1", "nDCG(gain=exp2)@5", "nDCG@10"])
evaluated(measures=["RR@1", "RR@2", "RR@3", "RR@4", "RR@1000", "RR@1500"])
""".strip().splitlines()
CHOSEN = ["", ", highlight=[]", ', highlight="bm25"', ', highlight=["_dense", "bm25"]']
PRECISION = """
few()
every()
pair()
few()["bm25"]
evaluated("rnd", "f-13", measures=plot.RECALL_LEVELS)
evaluated("f-13", measures=["IPrec@1", "IPrec@0.2"])
""".strip().splitlines()
BOUNDS = """
both()
both(), "AP"
both(), None, "ties"
both(), "RR", kind="unjudged"
{"x": both()["rnd"]}, "AP"
both()["bm25"]
compared(both(), measures="AP")
evaluated("rnd", "bm25", bounds="unjudged")
""".strip().splitlines()
PARTS = """
few()["bm25"].by(labels)
every()["rnd"].by(labels), "P@2"
few()
every(), "RR"
gaps()
compared(by=labels)
compared(by=labels), "AP", "bm25", "$late_1$"
compared(every(), by=labels, measures=["RR", "AP"]), "map"
compared(every(), by=labels, baseline="rnd"), b="rnd", a="a long name of a system, other"
compared(errors(), by=["x", "y", "x", "y", "y"]), "wer"
errors(), "wer"
""".strip().splitlines()
BANDS = [*LEVELS, ", level=None"]
TUKEY = "compared(test='randomised_tukey', measures=['AP', 'RR'], resamples=30)"
NO_SOURCE = ["[1, 2]", "{}", "{'a': 1}", "{'a': few()['bm25'], 5: None}"]
WITH_TWO = ["differences", "scatter"]
WITH_THEME = [*WITH_TWO, "distribution", "by_cutoff", "precision_recall", "segments"]
WITH_LEVEL = ["differences", "segments", "by_cutoff", "precision_recall"]
NO_CURVES = """
few(), "RR"
few(), "ERR"
few(), "P(rel=2)"
few(), "XYZ"
few(), highlight=["bm25", "x", "y"]
every(), highlight=list(runs)[:6]
few()["bm25"], highlight="x"
{"x": few()["bm25"], "y": both()["rnd"]}
{"y": both()["rnd"], "x": few()["bm25"]}
errors()
""".strip().splitlines()
WANTED = """
[]
[0.5]
[0.9, 0.1, 0.5]
[0.52, 0.5, 0.48, 0.95]
[1.2, 1.0, -0.3, 0.02, 0.1]
[0.3, 0.3, 0.38, 0.7]
[0.5, float("nan")]
""".strip().splitlines()
CALLS = [
    *drawn(24, "plot.differences({s}{x}{l})", s=TWO, x=AXES, l=LEVELS),
    *drawn(12, "plot.scatter({s}{x})", s=TWO, x=AXES),
    *drawn(12, "plot.distribution({s}{x})", s=ANY, x=AXES),
    *drawn(12, "plot.bounds({s}{x})", x=AXES, s=BOUNDS),
    *drawn(15, "plot.by_cutoff({s}{x}{h}{l})", s=CURVES, x=AXES, h=CHOSEN, l=BANDS),
    *drawn(10, "plot.precision_recall({s}{x}{h}{l})", s=PRECISION, x=AXES, h=CHOSEN, l=LEVELS),
    *drawn(10, "plot.ranks({s}{x}{l})", s=RANKED, x=AXES, l=LEVELS),
    *drawn(13, "plot.segments({s}{x}{l})", s=PARTS, x=AXES, l=LEVELS),
    # Many lists: areas in place of bars, steps, hexagons, and fewer resamples.
    *each("plot.differences(many({n}))", n=[400, 401, 2500]),
    *each("plot.scatter(many({n}){x})", n=[900, 2500], x=["", ", theme='dark'"]),
    "plot.distribution(many(11000))",
    *each("plot.segments(parts({n}){x})", n=[30, 130], x=[", ax=ground('white')"]),
    "plot.segments(parts(50))",
    *each("plot.{f}(few(), '')", f=["distribution", "segments"]),
    *each("plot.differences({c}, {m}, 'bm25', '$late_1$', level={p})",
          c=[TUKEY], m=["'AP'", "'RR'"], p=[0.95, 0.9]),
    "plot.by_cutoff(cutoffs())",
    # Seven systems, of which the best on average are not those at the last level of recall.
    "plot.precision_recall(levels())",
    "before = dict(plt.rcParams)\n"
    "plot.segments(few()).get_xlabel(), plot.scatter(pair(), theme='dark').get_xlabel()\n"
    "dict(plt.rcParams) == before",
    # One list, lists without a value, and values that are equal.
    *each("plot.{f}(values(a=[0.5], b=[0.25]))", f=[*WITH_TWO, "distribution", "segments"]),
    *each("plot.{f}(values(a=[0.0, 0.0], b=[0.0, 0.0]))", f=[*WITH_TWO, "distribution"]),
    *each("plot.distribution(values(a=[{v}], b=[0.1, 0.2, {v}]))",
          v=["0.5", "0.51", "1.0", "1.01", "-0.5", "np.nan"]),
    "plot.ranks(rg.compare(values(a=[0.5, 0.1], b=[0.25, 0.2], c=[0.25, 0.3])), level=0.5)",
    # What cannot be drawn.
    *each("plot.{f}(few())", f=[*WITH_TWO, "bounds", "ranks"]),
    *each("plot.{f}({s})", f=["distribution", "segments", "by_cutoff"], s=NO_SOURCE),
    *each("plot.ranks({s})", s=["{'a': 1}", "few()['bm25']", "compared(), 'XYZ'",
                                "compared(), 'P@7'"]),
    *each("plot.{f}(few(), {a})", f=WITH_TWO,
          a=["'AP', 'bm25', 'x'", "'AP', 'y', 'bm25'", "a='bm25', b='bm25'", "'RR', b='bm25'",
             "'P@9', 'bm25', '_dense'"]),
    *each("plot.{f}(pair(), theme='pink')", f=WITH_THEME),
    "plot.bounds(both(), theme='Dark')",
    "plot.ranks(compared(), theme=1)",
    *each("plot.{f}(pair(), level={p})", f=WITH_LEVEL, p=[0, 95]),
    "plot.ranks(compared(), level=1)",
    *each("plot.differences(values(a=[0.5, np.nan], b=[np.nan, 0.5]){a})",
          a=["", ", 'map', 'b', 'a'"]),
    *each("plot.bounds({s})", s=["both(bounds='ties'), None, 'unjudged'",
                                 "both(bounds='unjudged'), 'AP', 'ties'", "both(), 'P@2'"]),
    "plot.bounds({'x': both()['rnd'], 'y': few()['bm25']})",
    *each("plot.by_cutoff({s})", s=NO_CURVES),
    *each("plot.precision_recall({s})", s=["both()", "errors()", NO_CURVES[7],
                                           "evaluated(measures=['IPrec@0.1', 'AP'])"]),
    *each("plot.segments({s})", s=["compared()", "compared(by=labels), 'P@7'",
                                   "compared(by=labels), a='x'", "few(), 'ERR'",
                                   "compared(by=labels), 'AP', '_dense', 'bm25'"]),
    # A comparison that was read has no values; a comparison of another level is not used.
    *each("compared().to_json('x.json'); plot.{f}(rg.Comparison.read('x.json'))",
          f=["differences", "distribution", "ranks", "by_cutoff"]),
    *each("plot.differences(compared(pair(), level=0.5, test={t!r}), level={p})",
          t=["bootstrap", "randomisation"], p=[0.5, 0.8]),
    "part = plt.figure().subfigures(1, 2)[1]\n"
    "part.set_facecolor('black')\n"
    "plot.ranks(compared(), ax=part.subplots())",
    "ax = ground('white')\n"
    "plot.bounds(both(), ax=ax) is ax\n"
    "plot.differences(pair(), ax=ax) is ax, len(plt.get_fignums())\n"
    "ax",
    "plt.rcParams['font.size'] = 5\n"
    "plot.segments(few())\n"
    "plt.rcParams['font.size']\n"
    "plt.rcdefaults()",
    "plot.RECALL_LEVELS",
    "plot.__all__",
    # Where the names of curves stand beside their ends.
    *each("from rankgain.output.plot.curves import spread; spread({w}, {h})",
          h=[0.1, 0.3], w=WANTED),
]
