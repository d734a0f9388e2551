"""The command compare with tests that have a distribution, and with a margin."""

from recorded import command_files
from recorded.recording import drawn, each

NEEDS = ["scipy"]
GIVEN = command_files.GIVEN
# fmt: off
RUNS = """
qrels.txt a.txt b.txt
qrels.txt c.txt b.txt a.txt --baseline b
qrels.txt c.txt a.txt b.txt
wide.txt good.txt fair.txt
wide.txt poor.txt same.txt good.txt fair.txt --baseline fair
wide.txt fair.txt poor.txt good.txt
wide.txt good.txt same.txt fair.txt --by wide_kinds.txt
""".strip().splitlines()
TESTS = ["--test t", "--test tukey", "--test wilcoxon", "--test sign", "--test bootstrap", "--test randomisation",
         "--test randomised_tukey --resamples 12"]
MARGINS = ["", "--margin 0.05", "--margin 0.3", "--margin 0.7 --verdict"]
LEVELS = ["", "--level 0.9", "--level 0.7"]
FORMATS = ["table", "csv", "json", "markdown", "latex", "html"]
CALLS = [
    *drawn(48, "rankgain('compare {r} -m {m} {t} {x} {l} {c} --format {f}')", r=RUNS, t=TESTS, x=[*MARGINS[:3], "--margin 0.7"],
           m=["AP", "RR -m nDCG@2"], l=LEVELS, c=["", "--correction bh", "--correction none"], f=FORMATS),
    *drawn(14, "rankgain('compare {r} -m {m} {t} {x} {l}')", r=RUNS, t=TESTS, m=["AP", "RR -m P@1"], x=MARGINS, l=LEVELS),
    *each("rankgain('compare wide.txt good.txt same.txt poor.txt -m AP --baseline good --margin {x} --fail-if-worse RR')", x=[0.1, 1]),
    *each("rankgain('compare qrels.txt a.txt b.txt -m AP --margin {x}')", x=["-0.5", "nan", "0", "inf"]),
]
