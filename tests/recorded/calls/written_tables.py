"""Evaluations as text: printed, CSV, Markdown, LaTeX, HTML, JSON, and each form with its options."""

from recorded import written_results
from recorded.recording import drawn, each

GIVEN = written_results.GIVEN
# fmt: off
RUNS = """
evaluated()
evaluated(convention="ranx")
evaluated(["GMAP", "RBP(p=0.5)", "P@1"])
bounded()
given_values()
pooled()
rg.Evaluations({name: e for name, e in pooled().items() if name != "base"})
pooled(mean=[0.5])
rg.Evaluations(segmented().by())
rg.Evaluations({"only": weighted()})
rg.Evaluations({"x": unusual(), "y": unusual()})
many(5)
evaluated().rename(TEN)
""".strip().splitlines()
SINGLE = ["evaluated()['a_1%']", "bounded()['=f|x*']", "weighted()", "given_values()['new']", "pooled()['new']", "unusual()", "segmented()",
          "cut()['n\\x1b&<b>']", "items()"]
SORT = ["", "sort={m}, "]
OPTIONS = ["", "sort={m}", "transpose=True", "sort={m}, transpose=True"]
PRECISION = ["", "precision=0", "precision=2", "precision=7"]
LATEX = ["", "second=True", "caption='A & B_1'", "label='tab:x-1_2'", "second=True, caption='50%', label='t'", "second=True, transpose=True"]
OF = {RUNS[0]: "'map'", RUNS[3]: "'P@2'", RUNS[4]: "'ms'", RUNS[5]: "'acc'", RUNS[11]: "'ms'", RUNS[12]: "'Unjudged@1'", RUNS[8]: "'AP'"}
SORTED = [f"{runs}.{{method}}(sort={name}{{more}})" for runs, name in OF.items()]
CALLS = [
    *each("str({s}); repr({s}); {s}._repr_html_()", s=RUNS),
    *each("str({s}); repr({s}); {s}.footer(); {s}._repr_html_()", s=SINGLE),
    *each("{s}.to_csv()", s=SINGLE), *each("{s}.to_csv(safe=False)", s=["evaluated()['a_1%']", "given_values()['new']"]),
    *drawn(40, "{s}.to_markdown({p})", s=RUNS, p=[*PRECISION, "transpose=True", "precision=1, transpose=True"]),
    *drawn(12, "{s}.to_markdown(intervals=True{p})", s=[RUNS[i] for i in (0, 3, 4, 5, 8, 9)], p=["", ", precision=2", ", transpose=True"]),
    *drawn(48, "{s}.to_latex({p}{o})", s=RUNS, p=["", "precision=0, ", "precision=3, "], o=LATEX),
    *drawn(26, "{s}.to_csv({o})", s=RUNS, o=["", "safe=False", "transpose=True", "transpose=True, safe=False"]),
    *(text.format(method=method, more=more) for text in SORTED
      for method, more in (("to_csv", ""), ("to_markdown", ", precision=2"), ("to_latex", ", transpose=True, second=True"))),
    *each("many({n}).to_latex({o})", n=[45, 46], o=["", "caption='c', label='l', second=True"]),
    *each("{s}.to_json()", s=[*SINGLE, "evaluated()", "pooled()"]),
    *each("{s}.to_dict()", s=["evaluated()", "bounded()['a_1%']", "pooled()['base']", "given_values()"]),
    *each("{s}.{m}('x.txt'); show('x.txt')", s=["given_values()", "evaluated()"], m=["to_csv", "to_markdown", "to_latex", "to_json"]),
    *each("{s}.{m}('x.txt'); show('x.txt')", s=["given_values()['new']"], m=["to_csv", "to_json"]),
    *each("{s}.{m}(precision={p})", s=["evaluated()"], m=["to_markdown", "to_latex"], p=[-1, 18, True, 2.0, "'4'"]),
    *each("{s}.{m}(sort={p})", s=["given_values()"], m=["to_markdown", "to_latex", "to_csv"], p=["'AP'", "'f1'"]),
    *each("evaluated().to_latex(label={l})", l=["'a{b'", "'a b'", "''", "'\\n'", "'x#1'"]),
    *each("rg.Evaluations({{}}).{m}()", m=["__str__", "_repr_html_", "to_json"]),
    # A long table of letters for marks that a terminal shows in bold is in the commands.
    *each("from rankgain.output.text.formats import format_all; format_all({s}, {k!r}, per_query={p}, bold=True, safe={f})",
          s=["given_values()"], k=["table", "csv", "jsonl", "latex"], p=[False, True], f=[False]),
    *each("from rankgain.output.text.formats import format_all; format_all({s}, 'table', bold=True)",
          s=["evaluated()", "many(5)", "given_values()", "{'x': unusual(), 'y': unusual()}", "{'x': unusual()}", "bounded()", "evaluated(['Unjudged@1', 'P@1'])"]),
    "from rankgain.output.text.formats import format_all; format_all(given_values(), 'table')",
    *each("from rankgain.output.text.formats import format_all; format_all({s}, {k!r}, per_query={p})", s=["{'x': unusual(), '=y': weighted()}"],
          k=["json", "jsonl", "csv"], p=[False, True]),
]
