"""Tests of comparisons that need SciPy, and equivalence within a margin."""

from recorded.calls.compared_systems import GIVEN as SHARED
from recorded.calls.compared_systems import OPTIONS, VERDICTS
from recorded.recording import drawn, each

NEEDS = ["scipy"]

# fmt: off
GIVEN = (
    SHARED
    + """
QRELS = {f"q{i}": {"a": 1, "b": i % 3 == 0, "c": i % 2} for i in range(9)}
POOL_RUNS = {"x": {q: {"a": 1, "b": 2.0 * (i % 2), "c": i % 3} for i, q in enumerate(QRELS)}, "y": {q: {"b": 1, "a": i % 4, "c": 0.5} for i, q in enumerate(QRELS)}}
def pooled(): return rg.pool({"web": rg.evaluate_runs(QRELS, POOL_RUNS, ["P@2", "RR"]), "news": rg.evaluate_runs({q: QRELS[q] for q in list(QRELS)[3:]}, POOL_RUNS, ["P@2", "RR"])})
RECOMMENDED = {n: rg.evaluate_catalogue(lists, ["Coverage", "Gini", "Novelty"], k=2, catalogue=9, popularity=[3, 1, 2, 5, 1, 1, 2, 3, 1]) for n, lists in
    {"a": [[1, 2], [3, 4], [1, 5], [2, 1], [0, 3], [4, 2]], "b": [[1, 2], [1, 2], [2, 1], [0, 1], [1, 0], [1, 4]]}.items()}
"""
)
TESTS = ["t", "wilcoxon", "sign", "tukey"]
CALLS = [
    *each("compared({v}, test={t!r})", v=["models('new', 'old', 'mid', measures=['RR'])", "free(values=GAPS)", "models('new', 'old', ties='stable', measures=['MR', 'GMAP'])"], t=TESTS,),
    *drawn(20, "compared(models(), test={t!r}, {o})", t=["t", "sign", "tukey"], o=[option for option in OPTIONS if option and "test=" not in option],),
    *each("str(compared(free({o}), test={t!r}))", o=["", "better='lower'", "'a', 'b', 'c'", "n=3", "n=1", "'a', 'e'", "'a', 'b', n=30"], t=TESTS,),
    *each("tried(compared, models('new', 'old', {w}), test={t!r})", w=["weight=WEIGHTS", "measures=['P@2'], convention=rg.conventions['implicit'].replace(k=None)"], t=TESTS,),
    *each("tried(compared, RECOMMENDED, test={t!r})", t=TESTS),
    *each("outcomes(compared({v}, margin={m}))", v=["free('a', 'b', 'd', 'c')", "free('a', 'e')", "models('new', 'old', 'mid', measures=['RR'])", "free(values=GAPS)"], m=["0.001",
        "0.02", "0.5"],),
    *each("compared({v}, margin={m})", v=["free('b', 'a', 'd')", "free(better='lower'), baseline='a'"], m=["0.01", "0.3, correction=None", "0.02, test='t'",
        "0.05, by=[i % 2 for i in range(42)]"],),
    *each("compared({v}, margin={m}).verdict()", v=[*VERDICTS[:6], *VERDICTS[6:14:2]], m=["0.01", "0.6"],),
    *each("compared({v}, test={t!r}).verdict()", v=["free('a', 'b')", "free('a', 'b', n=9)", "free(n=9), baseline='b'", "models('new', 'old')", "free(values=GAPS)"], t=TESTS,),
    *each("tried(compared, models(), margin={m})", m=["0", "-1", "True", "'0.1'", "nan", "float('inf')", "np.float32(0.5)"],),
    *each("compared({v}, test='t', margin=0.1)", v=["models('new', 'old', weight=WEIGHTS)", "models('new', 'old', measures=['GMAP'])", "RECOMMENDED", "PARTIAL, queries='common'"],),
]
CALLS += [
    *each("compared(pooled(), test='t', {o})", o=["", "margin=0.3", "level=0.8, baseline='y'", "margin=0.05, measures='RR'"]),
    *each("compared(micro(), test='t', {o})", o=["", "margin=0.5"]),
    *each("compared(models('new', 'old', measures=['GMAP', 'RR'], ties='stable'), test={t!r})", t=["t", "tukey"]),
]
CALLS = [*dict.fromkeys(CALLS)]
