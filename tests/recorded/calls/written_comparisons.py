"""Comparisons as text: printed, Markdown, CSV, JSON, and means with marks of significance in LaTeX."""

from recorded import written_results
from recorded.recording import drawn, each

GIVEN = written_results.GIVEN
# fmt: off
SOURCES = """
compared()
compared(baseline="s_1")
compared(baseline="s_3", correction=None)
compared(level=0.6, correction="bonferroni")
compared(measures="ms", correction="bh")
compared(by=["x_1", "y"] * 6, baseline="s_2", level=0.5, correction=None)
compared(by=["x_1", "y", "=z"] * 4, level=0.5, correction=None, measures=["ms", "f1"])
compared(ranked(2), baseline="s_0")
compared(ranked(3, 5), test="bootstrap", level=0.8, correction=None)
compared(ranked(2, 41), test="bootstrap", resamples=50)
compared(ranked(3, 45), test="bootstrap", by=(["x"] * 3 + ["y"] * 42), resamples=50, level=0.5)
compared(ranked(2, 8), test="randomised_tukey", resamples=20, level=0.6)
compared(partial(), level=0.4, correction=None)
compared(partial(), level=0.4, baseline="gaps", correction=None)
compared(partial(), measures="n", test="randomised_tukey", resamples=20)
compared(pooled(), level=0.5)
compared(pooled(x=[0.5, 0.1]), baseline="base", measures=["ms"], level=0.4, correction=None)
compared(evaluated(), queries="common", level=0.3, correction=None)
compared(cut(), queries="common", level=0.3, correction=None, baseline="=f|x*")
compared(ranked(3), by=["x"] * 11 + ["y"], seed=5, level=0.9)
compared(ranked(2, 1))
compared(ranked(2, 14), resamples=9000)
compared(ranked(2, 15), resamples=9000, by=["x"] * 3 + ["y"] * 12)
compared(ranked(2, 20), resamples=19)
compared(ranked(13, 6), correction=None, level=0.5)
compared(ranked(12, 6), correction=None, level=0.5)
compared(ranked(14, 7), correction=None, level=0.5, baseline="s_5", measures="f1")
""".strip().splitlines()
LATEX = ["", "precision=2", "second=True", "caption='A_1', label='t:1'", "precision=0, second=True, caption='50%'"]
AGAINST = ["'s_1'", "['s_0', 's_2']", "'x'", "[]", "('s_3',)", "['s_1', 'y']"]
MANY = "compared(ranked(13, 6), correction=None, level=0.5)"
CALLS = [
    *each("print({s})", s=SOURCES),
    *drawn(40, "{s}.to_markdown({p})", s=SOURCES, p=["", "precision=0", "precision=2", "precision=9"]),
    *drawn(81, "{s}.to_latex({o})", s=SOURCES, o=LATEX),
    *drawn(27, "{s}.to_csv({o})", s=SOURCES, o=["", "safe=False"]),
    *each("{s}.to_json()", s=[SOURCES[i] for i in (1, 5, 12, 15, 18)]),
    *each("{s}.to_latex(against={a})", s=["compared()", "compared(baseline='s_1')"], a=AGAINST),
    *each("{s}.to_latex(against={a})", s=[MANY], a=["'s_5'", "['s_5']", "['s_5', 's_6']", "'x'", "[]"]),
    *each("{s}.to_latex(segment={a})", s=[SOURCES[5], SOURCES[6], "compared()"], a=["'y'", "'x_1'", "'w'", "None", "''"]),
    *each("{s}.to_latex(against={a}, segment='y')", s=[SOURCES[6]], a=["'s_0'", "['s_3', 's_0']"]),
    *each("{s}.to_latex(against={a})", s=[SOURCES[12]], a=["'void'", "'full'", "['half', 'gaps']"]),
    *each("compared().{m}(precision={p})", m=["to_latex", "to_markdown"], p=[-1, 18, "True", "'2'"]),
    "print(compared({'x': evaluated()['a_1%'], 'y': evaluated(ties='worst')['a_1%']}, level=0.4))",
    *each("compared({{name: rg.Evaluation.from_values({{'f1': e.per_query['f1'] if name != 's_7' else [nan] * 4}}) for name, e in ranked(13, 4).items()}}, {o}).to_latex({a})",
          o=["baseline='s_3'", "baseline='s_7'", "level=0.5"], a=["", "against='s_7'"]),
    *each("compared().to_latex(label={p})", p=["'a%'", "'b c'"]),
    *each("compared().{m}('x'); show('x')", m=["to_latex", "to_markdown", "to_csv", "to_json"]),
    *each("{s}._repr_html_(); repr({s})", s=[SOURCES[i] for i in (0, 5, 12, 17)]),
    *each("rows = {s}; print(rows); rows.verdict(); len(rows), rows.measures, rows.segments", s=[SOURCES[i] for i in (1, 10, 15, 20)]),
    *each("print(compared(ranked({n}, 4), resamples=40, correction=None))", n=[11, 12]),
    *each("from rankgain.output.text.changes import format_changes; print(format_changes({s}, {n}{k}))", n=[1, 4], k=["", ", 'markdown'"],
          s=["compared(ranked(2))", "compared(evaluated(), baseline='a_1%', queries='common')", "compared(partial(), baseline='full')", SOURCES[16]]),
]
