"""The command compare, with numpy alone: runs, tests, corrections, formats, gates, segments."""

from recorded import command_files
from recorded.recording import drawn, each

GIVEN = command_files.GIVEN
# fmt: off
RUNS = """
qrels.txt a.txt b.txt
qrels.txt c.txt b.txt a.txt --baseline b
qrels.txt c.txt a.txt b.txt
qrels.txt runs --baseline two
qrels.txt runs a.txt --names 'x|y,*b*,c_1' --baseline '*b*'
qrels.txt b.txt runs/r.one.run c.txt --baseline b.txt
qrels.txt own.txt a.txt --exclude query
qrels.txt a.txt own.txt --exclude seen.txt
qrels.txt chunks.txt b.txt --documents '#'
judged_twice.txt twice.txt a.txt --duplicates last
judged_twice.txt twice.txt a.txt b.txt --duplicates best --baseline a
wide.txt good.txt fair.txt
wide.txt poor.txt same.txt good.txt fair.txt --baseline fair
wide.txt good.txt poor.txt --names '=new,-old' --baseline '=new'
wide.txt fair.txt poor.txt good.txt
parts.txt b.txt a.txt --subtopics
""".strip().splitlines()
MEASURES = """
-m AP
-m nDCG@2 -m RR
-m P@1,3 -m 'nDCG(gain=exp2)@3'
-m Unjudged@2 -m map
-m AP --measure "RBP(p=0.7)@2" -m R@1
""".strip().splitlines()
TESTS = ["", "--test randomisation", "--test bootstrap", "--test randomised_tukey --resamples 12"]
OPTIONS = """
--correction none
--correction bonferroni
--correction bh --level 0.9
--correction holm --resamples 40
--resamples 99 --seed 3 --level 0.5
--resamples 12 --seed 4
--level 0.6 --correction none --queries common
--judged-only
--convention pytrec_eval --queries common
--convention ranx --queries common
--threads 1
--as-is
--queries same --level 0.99 --seed 0
""".strip().splitlines()
SHOWN = ["", "--format table", "--format csv", "--format json", "--format markdown", "--format latex", "--format html",
         "--verdict", "--verdict --format markdown", "--output x.md", "--output x.json", "--output x.tex"]
CHANGES = ["--changes 1", "--changes 2 --verdict", "--changes 30 --format markdown", "--changes 3 --output x.md --verdict"]
WITH_PAIR = [runs for runs in RUNS if "--baseline" in runs or len(runs.split()) == 3]
GATES = """
--fail-if-worse RR
--fail-if-worse ndcg_cut_2 --fail-if-worse RR
--fail-if-worse RR --gate-on gates
--fail-if-worse Unjudged@3 --gate-on gates -m RR
--fail-if-worse AP --fail-if-worse P@1 --gate-on all -m RR -m P@2
--fail-if-worse P@1 --gate-on gates -m AP -m nDCG@1 --correction bonferroni
--fail-if-worse RR --level 0.999
--fail-if-worse RR --by wide_kinds.txt --level 0.7
--fail-if-worse RR --by wide_kinds.txt --level 0.7 --gate-on gates -m AP -m P@1
--fail-if-worse RR --format csv --output x.csv
""".strip().splitlines()
PAIRS = ["poor.txt good.txt --baseline good", "good.txt poor.txt --baseline poor.txt",
         "same.txt poor.txt fair.txt good.txt --baseline good", "poor.txt fair.txt same.txt --baseline same",
         "fair.txt good.txt --names 'new one,old' --baseline old"]
QUICK = " --resamples 99"
CALLS = [
    *drawn(70, "rankgain('compare {r} {m} {t} {o} {s}'); [show(p) for p in sorted(map(str, Path().glob('x.*')))]",
           r=[r.replace("'", '"') for r in RUNS], m=[m.replace("'", '"') for m in MEASURES], t=TESTS, o=OPTIONS, s=SHOWN),
    *drawn(20, "rankgain('compare {r} {m} {c}" + QUICK + "'); [show(p) for p in sorted(map(str, Path().glob('x.*')))]",
           r=[r.replace("'", '"') for r in WITH_PAIR], m=[m.replace("'", '"') for m in MEASURES], c=CHANGES),
    *drawn(24, "rankgain('compare wide.txt {p} {g}')", p=[p.replace("'", '"') for p in PAIRS], g=GATES),
    *drawn(16, "rankgain('compare {r} --by {b} {m} --level 0.8 {s}" + QUICK + "')", b=["kinds.txt", "kinds.json"],
           r=["qrels.txt a.txt b.txt", "qrels.txt b.txt c.txt a.txt --baseline c", "qrels.txt c.txt a.txt b.txt"],
           m=MEASURES[:2], s=["", "--format csv", "--verdict", "--format markdown --verdict", "--format json", "--format latex", "--correction bh"]),
    *each("rankgain('compare wide.txt good.txt fair.txt same.txt -m RR --by wide_kinds.txt --baseline {b} --verdict {c}')",
          b=["same.txt", "good"], c=["", "--changes 1", "--correction none --level 0.6"]),
    "rankgain('compare wide.txt good.txt same.txt -m RR --changes 3'); rankgain('compare wide.txt good.txt good.txt -m RR')",
    "rankgain('compare wide.txt good.txt same.txt -m IDCG@1 --changes 3')",
    "rankgain('compare wide.txt good.txt same.txt -m IDCG@1 --changes 3 --format markdown')",
    *each("rankgain('compare qrels.txt a.txt b.txt -m AP --output {f}'); show({f!r})",
          f=["x.csv", "x.MD", "x.html", "x.txt", "x", "x.out", "x.text", "x.log"]),
    # The same words twice, and other words after them, say the same as alone.
    "words = 'compare wide.txt good.txt fair.txt poor.txt -m RR -m AP --resamples 50 --seed 2'\n"
    "rankgain(words); rankgain('compare wide.txt poor.txt fair.txt -m P@1 --fail-if-worse RR --baseline fair'); rankgain(words)",
]
