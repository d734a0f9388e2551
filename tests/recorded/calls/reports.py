"""Pages of reports: their words, tables and the elements of their charts."""

from recorded import written_results
from recorded.recording import drawn, each

NEEDS = ["jinja2"]
GIVEN = (
    written_results.GIVEN
    + """
from recorded.pages import show_page

def report(result, *sections, limit=400, **options):
    result.report("page.html", **options)
    return show_page(show("page.html"), *sections, limit=limit)

def explained(*sections, measures=("nDCG@2", "AP"), runs=RUNS, qrels=QRELS, options=(), level=0.3, **more):
    result = compared(evaluated(measures, **dict(options)), queries="common", level=level, correction=None, **more)
    return report(result, *sections, qrels=qrels, runs=runs)

def spread(n, lists, **options):
    # Systems with values of all signs in an order that is not theirs.
    rows = np.arange(lists)
    values = {f"s{5 * i % n}": 0.5 + 0.3 * np.sin(rows * (i + 1.3) + i) + 0.02 * i for i in range(n)}
    return {name: rg.Evaluation.from_values({"f1": v, "err": v * v}, better={"err": "lower"}) for name, v in values.items()}

long_names = {f"s{n}": f"a system whose name is {word} and goes on like this" for n, word in enumerate(["one", "two", "six"])}
long_wide = {f"s{n}": "WM" * 15 + word + "@%" * 15 for n, word in enumerate(["one", "two", "six"])}
wide_names = {"s0": "WWWMMM@@@%%%漢字漢字漢字", "s1": "il.,:;|", "s2": "#&+<=>^~'\\x1b"}
"""
)
# fmt: off
SOURCES = """
compared()
compared(baseline="s_1")
compared(ranked(2), baseline="s_0", measures="f1")
compared(ranked(2), correction="bonferroni", measures="ms")
compared(ranked(3, 30), by=["x", "y", "y"] * 10, correction="bh", resamples=300)
compared(ranked(3, 27), by=["a b"] * 26 + ["c"], baseline="s_2", resamples=300, level=0.9)
compared(spread(4, 40), correction=None, resamples=200)
compared(spread(4, 40), baseline="s3", resamples=99, level=0.5, seed=4)
compared(spread(3, 9), test="randomised_tukey", resamples=20)
compared(spread(3, 9), test="randomised_tukey", resamples=20, by=["x", "y", "x"] * 3)
compared(spread(3, 41), test="bootstrap", resamples=40)
compared(spread(2, 1))
compared(spread(2, 1), baseline="s0", correction=None)
compared(partial(), level=0.4, correction=None)
compared(partial(), level=0.4, baseline="gaps", measures="acc")
compared(pooled(), level=0.5, resamples=99)
compared(rg.Evaluations(spread(3, 8)).rename(long_names), resamples=99)
compared(rg.Evaluations(spread(3, 8)).rename(long_wide), resamples=99, baseline="WM" * 15 + "two" + "@%" * 15)
compared(rg.Evaluations(spread(3, 8)).rename(wide_names), resamples=99, baseline="il.,:;|")
compared(evaluated(), queries="common", level=0.3, correction=None)
compared(evaluated(["Unjudged@1", "P@2"]), queries="common", level=0.3)
compared(cut(), queries="common", level=0.3, correction=None, baseline="=f|x*")
compared(spread(9, 6), resamples=60, measures="f1", by=list("abcdefghi")[:6])
""".strip().splitlines()
PARTS = ['"Conclusions", "Means", "Settings"', '"Plots"', '"Queries", "Comparisons", "Segments"']
MEASURES = ["['AP', 'P@2']", "['P@1', 'RR', 'nDCG@2']", "['ERR@2']", "['nDCG(gain=exp2)@2', 'AP']", "['P@2', 'Judged@2']"]
OPTIONS = ["{}", "{'convention': 'ranx'}", "{'judged_only': True}", "{'ties': 'worst'}", "{'rel': 2}", "{'gain': 'exp2'}", "{'convention': rg.conventions['trec'].replace(name='ours', unjudged='drop')}"]
ROWS = "[C('b_2', 0.25, 0.125, 0.5), C('a', {v}, {l}, {h}, {m})]"
CALLS = [
    *each("report({s}, {p})", s=SOURCES, p=PARTS[:1]), *each("report({s}, {p})", s=SOURCES[::2], p=PARTS[1:2]), *each("report({s}, {p})", s=SOURCES[1::2], p=PARTS[2:]),
    *each("report({s}, {p}, limit=60)", s=SOURCES[1::4], p=PARTS[1:2]), *each("report({s}, {p}, limit=60)", s=SOURCES[::4], p=PARTS[2:]),
    "report(compared(spread(2, 6), measures='f1', resamples=50))", "report(compared(spread(2, 6), measures='f1', resamples=50), '', title='a < b & \"c\" \\x1b')",
    "result = compared(spread(2, 6), measures='f1', resamples=50); result.report('p'); show('p')[:40], show('p')[-40:]",
    # Rankings explained beside the values.
    *drawn(22, "explained('Queries', measures={m}, options={o})", m=MEASURES, o=OPTIONS),
    *each("explained('Queries', measures={m}, baseline='a_1%')", m=["['nDCG@1', 'AP']"]),
    "explained('Queries', measures=['Unjudged@1'])", "explained('Queries', measures=['P@1', 'R@2'])",
    "explained('Queries', runs=dict(zip(RUNS, reversed(RUNS.values()))))", "explained('Queries', qrels={'q2': {'x': 1}})",
    "explained(runs={'a_1%': RUNS['a_1%']})", "explained(runs=None)", "explained(qrels=None)", "explained(runs={})",
    *each("e = evaluated(['nDCG@2'], convention={c}); e.to_json('e'); report(compared(rg.Evaluations.read('e'), queries='common'), 'Queries', qrels=QRELS, runs=RUNS)",
          c=["rg.conventions['trec'].replace(name='ours', unjudged='drop')", "'trec'"]),
    "long = {'q': {f'd{n:02}': n % 3 for n in range(14)}, 'r': {'d01': 1}}; runs = {name: {'q': {f'd{n:02}': float(n * step % 14) for n in range(13)}, 'r': {'d01': 1.0}} for name, step in (('x', 3), ('y', 5))}\n"
    "report(compared(rg.evaluate_runs(long, runs, ['nDCG', 'AP'])), 'Queries', qrels=long, runs=runs)\n"
    "report(compared(rg.evaluate_runs(long, runs, ['RR', 'AP'])), 'Queries', qrels=long, runs=runs)",
    # Many lists, systems, segments and comparisons.
    *each("report(compared(spread(2, {n}), resamples=9, measures='f1'), 'Conclusions', 'Plots', limit=80)", n=[400, 401]),
    "wide = {f'q{n}': {f'd{(n * m) % 97:02}': m % 3 for m in range(1, 13)} for n in range(340)}; runs = {name: {q: {d: float((len(d) + int(d[1:]) * step) % 13) for d in wide[q]} for q in wide} for name, step in (('x', 3), ('y', 5))}\n"
    "report(compared(rg.evaluate_runs(wide, runs, 'nDCG')), 'Queries', qrels=wide, runs=runs, limit=2)",
    "report(compared(spread(41, 8), resamples=9, measures='f1', baseline='s3'), 'Conclusions', 'Means', 'Plots', limit=50)",
    "report(compared(spread(3, 84), resamples=9, measures='f1', by=[n % 42 for n in range(84)]), 'Segments', 'Conclusions', limit=100)",
    "report(compared(spread(66, 3), resamples=9, measures='f1'), 'Comparisons', 'Conclusions', limit=12)",
    "report(compared(spread(38, 800), resamples=9, baseline='s0'), 'Queries', limit=9)",
    # What cannot be reported.
    "compared(ranked(2)).to_json('c'); rg.Comparison.read('c').report('page.html')",
    *each("compared(ranked(2)).report({p!r})", p=["page.pdf", "page.md", "none/page.html", "page.html.png", "."]),
    # Charts by themselves.
    *each("from rankgain.output.report.charts import ChartRow as C, forest; forest(" + ROWS + ", 'x < y', {z})", v=["0.1", "nan", "-inf"], l=["-0.75", "nan"], h=["0.5"], m=[-1, 0, 1], z=[True]),
    *each("from rankgain.output.report.charts import ChartRow as C, forest; forest([C({n}, {v}, {v}, {v})], 'f1')", n=["'a'", "'m' * 60", "'Q&A ' * 6"], v=["0.5", "123456.0", "1e-7"]),
    *each("from rankgain.output.report.charts import differences; differences({v}, ['q1', 2, '<b>', 'é'][:{n}], 'a − b', {l}, {h})", v=["[0.5, -0.25, nan, 0.0]"], n=[4], l=["-0.5", "0.125", "nan"], h=["0.125", "inf"]),
    *each("from rankgain.output.report.charts import differences; differences({v}, 'ab', 'x', 0.0, 0.0)", v=["[nan, nan]", "[0.0, 0.0]", "[-2.0, -1.0]", "[]"]),
    *each("from rankgain.output.report.charts import Scale; s = Scale({l}, {h}, 10, {e}); s.ticks(), s.at({l}), s.at({h}), s.at(0.05)", l=["0.0", "-0.7", "0.123", "0.9999"], h=["1.0", "1.0021", "7.7", "1234.5"], e=[100, 0]),
    *each("from rankgain.output.report import charts; charts.{f}", f=["number(nan)", "number(0.12344, 2)", "signed(nan)", "signed(-0.00004)", "p_value(nan)", "p_value(0.00004)", "equals(0.00001)",
          "equals(0.25)", "queries(1)", "queries(12345)", "percent(0.07)", "percent(0.999)", "rounded(1 / 3)", "rounded(2 / 3, 2)", "rounded(5.0)"]),
]
