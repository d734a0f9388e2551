"""Commands that need numpy alone: evaluate, explain, reconcile, audit, conventions, refusals."""

from recorded.command_files import GIVEN as FILES
from recorded.recording import drawn, each

GIVEN = f"""{FILES}
Path("audited_here.py").write_text('''
def precision(retrieved, relevant, k):
    return len(set(retrieved[:k]) & set(relevant)) / k

def dcg(labels, scores, k):
    return 0.5

class Kind:
    @staticmethod
    def wrong(retrieved, relevant, k):
        return len(set(retrieved) & set(relevant)) / k
''')
"""
# fmt: off
RUNS = """
qrels.txt a.txt
qrels.txt b.txt a.txt c.txt
qrels.txt runs
qrels.txt c.txt 'runs/*.one.run' =a.txt
qrels.txt b.txt a.txt --names '+b,a: 2'
qrels.txt runs/r.two.run ./a.txt runs/r.one.run
judged_twice.txt b.txt twice.txt --duplicates {d}
qrels.txt own.txt a.txt --exclude {e}
qrels.txt chunks.txt a.txt --documents {s}
parts.txt b.txt a.txt --subtopics -m alpha_nDCG@2
""".strip().splitlines()
RUNS = [text for form in RUNS for text in each(form, d=["last", "best"], e=["query", "seen.txt"], s=["#"])]
RUNS = list(dict.fromkeys(RUNS))
MEASURES = """
-m AP
-m nDCG@2 -m P@1,3
-m ndcg_cut.2,1 --measure RR
-m 'nDCG(gain=exp2)@3' -m map
-m Unjudged@2 -m Judged -m AP
-m GMAP -m ERR@2 -m NumRelRet
--measure 'P(rel=2)@2' -m Bpref -m num_q
""".strip().splitlines()[:-1]
FORMATS = ["table", "csv", "tsv", "json", "jsonl", "markdown", "latex", "html"]
OPTIONS = """
--threads 1
--threads all --convention pytrec_eval
--convention ranx
--convention gdeval
--judged-only
--sort AP
--sort Unjudged@2 -m Unjudged@2
--bounds ties
--bounds unjudged --bounds ties
--fail-under AP=0.4 --fail-under RR=0.9
--fail-under 'nDCG(gain=exp2)@3=0.2'
--as-is
--convention pytrec_eval --bounds unjudged
--judged-only --sort map -m AP
--fail-under Unjudged@2=0.5 --bounds ties --sort AP
""".strip().splitlines()
EXPLAINED = """
qrels.txt a.txt --query q2
qrels.txt b.txt --query q1
qrels.txt c.txt --query q10
qrels.txt a.txt --query q4
qrels.txt b.txt --query q0
judged_twice.txt twice.txt --query q1 --duplicates best
judged_twice.txt a.txt --query q2 --duplicates mean
judged_twice.txt twice.txt --query q2 --duplicates first
parts.txt b.txt --query q2 --subtopics
qrels.txt twice.txt --query q1 --duplicates in_place
""".strip().splitlines()
HOW = ["", "-k 1", "-k 2", "-k 30", "--convention ranx", "--convention gdeval -k 3",
       "--convention lightgbm", "--convention pytrec_eval"]
GAIN = ["", "--gain linear", "--gain exp2", "--gain binary"]
DISCOUNT = ["", "--discount log2", "--discount reciprocal"]
TIES = ["", *each("--ties {t}", t=["stable", "reverse", "id", "id_descending", "average", "worst", "best"])]
PAIRS = ["trec ranx", "ranx trec", "trec gdeval", "pytrec_eval lightgbm", "sklearn trec", "trec trec"]
WRONG = """
evaluate qrels.txt a.txt
evaluate qrels.txt a.txt -m nDGC@10
evaluate qrels.txt a.txt -m AP -m nDCG@0
evaluate qrels.txt a.txt -m 'RBP(p=2)'
evaluate qrels.txt a.txt -m ndcg_cut
evaluate qrels.txt a.txt -m 'AP RR'
evaluate qrels.txt a.txt -m AP,RR
evaluate qrels.txt a.txt --fail-under AP,RR=0.3
evaluate qrels.txt a.txt -m AP --convention trec_evil
evaluate qrels.txt a.txt -m AP --threads 0
evaluate qrels.txt a.txt -m AP --threads two
evaluate qrels.txt a.txt -m AP --threads -2
evaluate qrels.txt a.txt -m AP --threads 1.5
evaluate qrels.txt a.txt a.txt -m AP
evaluate qrels.txt runs/r.one.run runs -m AP
evaluate qrels.txt b.txt qrels.txt -m AP
evaluate - - -m AP
evaluate qrels.txt - - -m AP
evaluate qrels.txt none.txt -m AP
evaluate none.txt a.txt -m AP
evaluate qrels.txt 'none*' -m AP
evaluate qrels.txt a.txt runs/none -m AP
evaluate qrels.txt -m nDCG@2 AP a.txt
evaluate qrels.txt a.txt -m nDCG@2 AP
evaluate qrels.txt a.txt -m AP -q
evaluate qrels.txt a.txt -m AP --zzz --per-query
evaluate qrels.txt a.txt -m AP --verdict -q
evaluate qrels.txt empty.txt -m AP
evaluate empty.txt a.txt -m AP
evaluate qrels.txt runs/none.txt empty.txt -m AP
evaluate qrels.txt bad.txt -m AP
evaluate bad.txt a.txt -m AP
evaluate qrels.txt a.txt twice.txt -m AP
evaluate judged_twice.txt a.txt -m AP
evaluate judged_twice.txt a.txt -m AP --duplicates in_place
evaluate qrels.txt twice.txt -m AP --duplicates mean
evaluate qrels.txt a.txt b.txt -m AP --names x
evaluate qrels.txt a.txt b.txt -m AP --names x,y,z
evaluate qrels.txt a.txt -m AP --names x,y
evaluate qrels.txt a.txt b.txt -m AP --names 'x, x'
evaluate qrels.txt a.txt b.txt -m AP --names 'x,'
evaluate qrels.txt a.txt b.txt c.txt -m AP --names 'x,y,y'
evaluate qrels.txt b.txt a.txt -m AP --sort RR
evaluate qrels.txt b.txt a.txt -m AP --sort nDGC
evaluate qrels.txt a.txt -m AP --output qrels.txt
evaluate qrels.txt b.txt a.txt -m AP --output ./a.txt
evaluate qrels.txt a.txt -m AP --exclude seen.txt --output seen.txt
evaluate qrels.txt a.txt -m AP --exclude none.txt
evaluate qrels.txt a.txt -m AP --exclude ''
evaluate qrels.txt a.txt -m AP --documents ''
evaluate qrels.txt a.txt -m AP --output x.parquet
evaluate qrels.txt a.txt -m AP --output x.csv.GZ
evaluate qrels.txt a.txt -m AP --output runs
evaluate qrels.txt a.txt -m AP --output none/x.csv
evaluate qrels.txt a.txt --fail-under AP
evaluate qrels.txt a.txt --fail-under 0.25
evaluate qrels.txt a.txt --fail-under ''
evaluate qrels.txt a.txt --fail-under AP=nan
evaluate qrels.txt a.txt -m RR --fail-under AP=0.1 --fail-under nDGC=0.5
evaluate qrels.txt a.txt -m AP --bounds ties -m infAP
evaluate parts.txt a.txt -m AP
evaluate qrels.txt a.txt -m alpha_nDCG@2
evaluate qrels.txt a.txt -m AP --subtopics
compare qrels.txt a.txt -m AP
compare qrels.txt -m AP
compare qrels.txt a.txt b.txt
compare qrels.txt a.txt b.txt -m AP --baseline x
compare qrels.txt a.txt b.txt -m AP --baseline ''
compare qrels.txt a.txt b.txt -m AP --baseline txt
compare qrels.txt runs -m AP --baseline r
compare qrels.txt a.txt b.txt -m AP --fail-if-worse RR
compare qrels.txt a.txt b.txt -m AP --baseline a --fail-if-worse RR,AP
compare qrels.txt a.txt b.txt -m AP --baseline a --fail-if-worse nDGC
compare qrels.txt a.txt b.txt -m AP,RR
compare qrels.txt a.txt b.txt -m AP --run x
compare qrels.txt a.txt b.txt -m AP --query x --better lower
compare qrels.txt a.txt b.txt -m AP --values x
compare qrels.txt a.txt b.txt -m AP --measure-column x
compare qrels.txt a.txt b.txt -m AP --value-column ''
compare qrels.txt a.txt b.txt -m AP --better lower
compare qrels.txt a.txt b.txt -m AP --changes 1 --format json
compare qrels.txt a.txt b.txt -m AP --verdict --output x.tex
compare qrels.txt a.txt b.txt c.txt -m AP --changes 1
compare qrels.txt a.txt b.txt c.txt -m AP --verdict --changes 1 --format csv
compare qrels.txt a.txt b.txt -m AP --changes 0
compare qrels.txt a.txt b.txt -m AP --resamples 0
compare qrels.txt a.txt b.txt -m AP --seed -1
compare qrels.txt a.txt b.txt -m AP --level 95
compare qrels.txt a.txt b.txt -m AP --level nan
compare qrels.txt a.txt b.txt -m AP --output x.jsonl
compare qrels.txt a.txt b.txt -m AP --output x.tsv
compare qrels.txt a.txt b.txt -m AP --report x.html --output ./x.html
compare qrels.txt a.txt b.txt -m AP --report ./a.txt
compare qrels.txt a.txt b.txt -m AP --exclude seen.txt --report ./seen.txt
compare qrels.txt a.txt b.txt -m AP --by ./kinds.txt --output kinds.txt
compare qrels.txt a.txt b.txt -m AP --output ./b.txt
evaluate qrels.txt a.txt -m AP -k 5
explain qrels.txt a.txt --query q2 -m AP
compare qrels.txt a.txt b.txt -m AP --output qrels.txt
compare qrels.txt a.txt b.txt -m AP --by kinds.txt --report kinds.txt
compare qrels.txt a.txt b.txt -m AP --by kinds.txt --output kinds.txt
compare qrels.txt a.txt b.txt -m AP --exclude seen.txt --output seen.txt
compare qrels.txt a.txt b.txt -m AP --exclude query --output query
compare qrels.txt a.txt b.txt -m AP --by none.txt
compare qrels.txt a.txt b.txt -m AP --by kinds.txt --baseline c
compare qrels.txt a.txt runs/r.one.run -m AP --convention pytrec_eval
compare qrels.txt a.txt b.txt c.txt -m AP -m RR --resamples 10 --baseline c
explain qrels.txt a.txt --query q5
explain qrels.txt a.txt --query ''
explain qrels.txt a.txt --query q2 -k 0
explain qrels.txt a.txt --query q2 --convention luck
explain qrels.txt none.txt --query q2
explain none.txt a.txt --query q2
explain qrels.txt twice.txt --query q2
explain parts.txt a.txt --query q2
reconcile qrels.txt a.txt trec nobody -m AP
reconcile qrels.txt a.txt nobody trec -m AP
reconcile qrels.txt a.txt trec ranx -m nDGC
reconcile qrels.txt a.txt trec ranx -m AP,RR
reconcile qrels.txt bad.txt trec ranx -m AP
reconcile judged_twice.txt a.txt trec ranx -m AP
conventions nobody
compare qrels.txt a.txt b.txt -m AP --by ''
compare qrels.txt a.txt b.txt -m AP --output ''
compare qrels.txt a.txt b.txt -m AP --exclude ''
compare qrels.txt a.txt b.txt -m AP --documents ''
compare qrels.txt a.txt b.txt -m AP --names ''
compare qrels.txt a.txt b.txt -m AP --run ''
compare qrels.txt a.txt b.txt -m AP --query ''
compare qrels.txt a.txt b.txt -m AP --values ''
compare qrels.txt a.txt b.txt -m AP --better ''
audit ''
evaluate qrels.txt a.txt -m 'nDCG@10; AP(rel=2)'
evaluate qrels.txt a.txt -m "['nDCG@10', 'AP(rel=2)']"
compare qrels.txt a.txt b.txt -m 'nDCG@10 AP(rel=2)'
evaluate -m nDCG@10 AP qrels.txt a.txt
evaluate -m nDCG@10 none.txt a.txt
evaluate qrels.txt a.txt -m nDCG@10 b.txt
audit audited_here
audit :precision
audit audited_here:
audit audited_here:precision -k 0
audit audited_here:precision -k +1
audit audited_here:precision -k ''
audit audited_here:precision -m nGCD
audit audited_here:precision -m AP,RR
""".strip().splitlines()
# What argparse says, whose words are not all the same in each version of Python.
USAGE = """
evaluat
evaluate qrels.txt a.txt -m AP --format xml
evaluate qrels.txt a.txt -m AP --bounds none
evaluate qrels.txt a.txt -m AP --duplicates none
compare qrels.txt a.txt b.txt -m AP --test anova
compare qrels.txt a.txt b.txt -m AP --correction hochberg
compare qrels.txt a.txt b.txt -m AP --format tsv
compare qrels.txt a.txt b.txt -m AP --queries all
compare qrels.txt a.txt b.txt -m AP --gate-on none
compare qrels.txt a.txt b.txt -m AP --margin much
explain qrels.txt a.txt --query q2 --gain exp
explain qrels.txt a.txt --query q2 --discount log
explain qrels.txt a.txt --query q2 --ties luck
audit rankgain:ndcg --form lists
--help
evaluate qrels.txt
compare -m AP
explain qrels.txt a.txt
reconcile qrels.txt a.txt trec ranx
reconcile qrels.txt a.txt trec -m AP
audit -m AP
table -m AP
evaluate --help
table --help
compare --help
explain --help
reconcile --help
audit --help
conventions --help
""".strip().splitlines()
SEGMENTS = [r"q2 a\n   \nq1 b\nq10\ta b, c\nq0 x\ty\nq3 d ,e\nq4\tf", r"q2 a\n\n# q1 x\nq1\tb c\nq0 , d", r"q2,a\nq1,b\nq2,c", r"q2 a\nq1", r"q2 a\n\n  , b",
            r'{"q2": 1, "q1": "x y", "q10": 1}', r'{"q2": 1, "q2": 2}', r'{"q2": 1, "q1": 2.5}',
            r'{"q2": "a", "q1": [2], "q3": null}', r'{"q2": true}', r"\ufeffq2 a\nq1 a\nq10 b",
            r'\ufeff {"q2": "a"}', "", r"#q2 a", r"q2\t a b \nq1\tb,c\tx"]
CALLS = [
    *drawn(96, "rankgain({r!r} ' {m} {o} {p} --format {f}')",
           r=[f"evaluate {runs}" for runs in RUNS], m=[m.replace("'", '"') for m in MEASURES],
           o=["", *(o.replace("'", '"') for o in OPTIONS)], f=FORMATS, p=["", "--per-query"]),
    *each("rankgain('evaluate qrels.txt b.txt a.txt -m AP {o} --output {f}'); show({f!r})", o=["", "--per-query"],
          f=["x.csv", "x.TSV", "x.json", "x.jsonl", "x.md", "x.tex", "x.html", "x.txt", "x", "x.log", "x-2026.11"]),
    *each("rankgain('evaluate {w} -m AP', {f!r})", w=["qrels.txt b.txt -"], f=["a.txt", "bad.txt", "empty.txt"]),
    "rankgain('evaluate - a.txt -m AP', 'qrels.txt')",
    "rankgain('evaluate - a.txt -m AP --output qrels.txt', 'qrels.txt')",
    "rankgain('compare qrels.txt - a.txt -m AP', 'b.txt')",
    *each("rankgain('evaluate qrels.txt a.txt b.txt -m AP --fail-under AP={v}')", v=["0.3888888", "0.38888889", "0.3889", "0.48", "inf"]),
    *each("rankgain('evaluate qrels.txt b.txt -m nDCG@1 --convention gdeval --fail-under nDCG@1={v}')", v=[0, "-1"]),
    *drawn(40, "rankgain('explain {r} {h} {g} {d} {t}')", r=EXPLAINED, h=HOW, g=GAIN, d=DISCOUNT, t=TIES),
    *drawn(16, "rankgain('reconcile {r} {p} -m {m}')", p=PAIRS, m=["nDCG@2", "AP", "P@3", "map", "RR", "ndcg_cut_10"],
           r=["qrels.txt a.txt", "qrels.txt c.txt", "judged_twice.txt twice.txt --duplicates last",
              "judged_twice.txt b.txt --duplicates mean", "qrels.txt twice.txt --duplicates in_place"]),
    "rankgain('conventions')",
    *each("rankgain('conventions {c}')", c=["trec", "LightGBM", "gdeval", "rankgain"]),
    *each("rankgain('audit {f} {o}')", f=["audited_here:precision", "audited_here:Kind.wrong"],
          o=["--form ids -m P -k 4", "--form ids -m P", "-m P -k 3"]),
    *each("rankgain('audit {w}')", w=["rankgain:average_precision -m AP -k none", "rankgain:ndcg",
          "rankgain:average_precision -m AP -k None", "audited_here:dcg", "rankgain:ndcg -k 3 -m nDCG"]),
    *(f"rankgain({words!r})" for words in WRONG),
    *(f"told({words!r})" for words in USAGE),
    *(f"with_file('by', {text!r}, 'compare qrels.txt a.txt b.txt -m AP --resamples 50 --by by')"
      .replace("\\\\", "\\") for text in SEGMENTS),
    # A command says the same after another one failed, and leaves the streams as they were.
    "rankgain('evaluate qrels.txt bad.txt -m AP'); rankgain('evaluate qrels.txt b.txt -m AP'); sys.stdin is sys.__stdin__",
    "told('audit no_such_module:f')[0]",
    "rankgain('evaluate qrels.txt a.txt -m AP --output x.parquet --format table'); show('x.parquet')",
    "with_file('b', '#q9 Q0 a 1 2 t\\nq1 Q0 a 1 2 t\\n', 'evaluate qrels.txt a.txt b -m AP --names old,new')",
    "with_file('qrels.json', '{\"q2\": {\"a\": 0.5}}', 'evaluate qrels.json a.txt -m AP')",
    "Path('q').write_text('q|4 0 a 1\\nq_5 0 b 1\\n'); Path('x*').write_text('q|4 Q0 a 1 2 t\\nq_5 Q0 c 1 2 t\\nq_5 Q0 b 2 1 t\\n'); Path('y').write_text('q|4 Q0 d 1 2 t\\nq|4 Q0 a 2 1 t\\nq_5 Q0 b 1 2 t\\n')\n"
    "rankgain('compare q x* y -m RR --format markdown --changes 2 --verdict')",
    "rankgain('--version')",
    "argv, sys.argv = sys.argv, ['rankgain', 'evaluate', 'qrels.txt', 'a.txt', '-m', 'RR']; main(); sys.argv = argv",
    "before = list(sys.path); told('audit audited_here:none')[0]; sys.path == before",
    "rankgain('evaluate qrels.txt a.txt -m AP --output x.txt'); rankgain('evaluate qrels.txt none.txt -m RR --output x.txt'); show('x.txt')",
    *each("as_bytes('trec_eval {w}')", w=["-m map -m P.1,2 qrels.txt a.txt", "-q -m ndcg_cut.2 qrels.txt b.txt",
                                          "-m nothing qrels.txt a.txt", "qrels.txt"]),
]
