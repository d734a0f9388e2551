"""Results of every kind for recorded calls that write, read and print them."""

GIVEN = """
from datetime import date
from pathlib import Path
import copy, json, math, pickle

nan, inf = math.nan, math.inf
QRELS = {"q2": {"a": 2, "b": 0, "c": 1}, "=1": {"a": 1, "d": 3}, "all": {"b": 1, "e": 1}, "q 3": {"c": 1}, "none": {"a": 0}}
RUNS = {
    "a_1%": {"q2": {"c": 3.0, "a": 2.0}, "=1": {"x": 2.0, "d": 1.0}, "all": {"b": 1.0, "e": 1.0, "y": 2.0}, "q 3": {"x": 1.0}, "none": {"z": 1.0}},
    "=f|x*": {"all": {"e": 2.0}, "q2": {"a": 1.0, "x": 1.0, "c": 0.5}, "q 3": {"c": 2.0, "y": 1.0}, "other": {"c": 2.0}},
    "n\\x1b&<b>": {"q 3": {"c": 5.0}, "=1": {"a": 1.0, "d": 2.0, "y": 3.0}, "q2": {"b": 1.0, "c": 1.0}, "none": {"a": 1.0}},
}
TEN = {"=f|x*": "=f", "n\\x1b&<b>": "n~b"}

def evaluated(measures=("nDCG@2", "AP", "Unjudged@1"), **options):
    return rg.evaluate_runs(QRELS, RUNS, list(measures), **options)

def bounded(**options):
    return evaluated(["P@2", "AP"], bounds=("unjudged", "ties"), **options)

def weighted():
    micro = rg.conventions["rankgain"].replace(name="micro", mean={"precision": "micro"}, divisor="min")
    return rg.evaluate_arrays([[3, 0], [0, 0], [0, 1]], [[1.0, 1.0], [2.0, 1.0], [5.0, 4.0]], ["P@2", "GMAP"], weight=[1.0, 0.5, 2.0], bounds="ties", convention=micro, rel=2)

def given_values():
    values = {"new": ([0.9, nan, 0.5, 1.5], [3, 4, 5, None]), "old": ([0.9, 0.25, 0.5, 1.25], [3, 9, 2, 1]), "mid": ([nan, nan, 0.5, 1.5], [3, 9, 2, 2])}
    evaluations = {name: rg.Evaluation.from_values({"f_1 (5-shot)": a, "ms": b}, ["x", "+y", "all", "(all)"], better={"ms": "lower"}) for name, (a, b) in values.items()}
    return rg.Evaluations(evaluations)

def pooled(**more):
    parts = {}
    for name, lists in ({"fi_qa": [0.1, 0.9, 0.4], "nq": [0.5, 0.75]} | more).items():
        parts[name] = {run: rg.Evaluation.from_values({"acc": [value + shift for value in lists], "ms": lists}, [f"q{n}" for n in range(len(lists))], better={"ms": "lower"}) for run, shift in (("base", 0.0), ("new", 0.125), ("=odd", -0.05))}
    return rg.pool(parts)

def unusual():
    # Values, means and ids that JSON or a table cannot hold as they are.
    values = {"AP": [nan, inf, -inf, 0.125], "RR": [1.0, 0.0, nan, 1e-9], "P@1": [0.3, 2.0**40, -0.0, 1e20]}
    means = {"AP": nan, "RR": inf, "P@1": 1e20}
    return rg.Evaluation(means, values, [date(2026, 11, 28), "2", 2**60 + 1, -3.5], segments=["x", 2**53 + 1, 2.5, "-"])

def cut():
    return evaluated(["nDCG@1", "RR"], weight=None, convention="pytrec_eval")

def segmented():
    labels, scores = [[1, 0], [0, 1], [2, 1], [0, 0], [0, 3]], [[3, 2], [3, 2], [1, 2], [1, 2], [5, 5]]
    plain = rg.evaluate_arrays(labels, scores, ["nDCG@1", "AP"])
    return rg.Evaluation(plain.means, plain.per_query, plain.queries, segments=["de", "=en", "de", "fr", "=en"])

def items():
    lists = {"u1": ["a", "b", "c"], "u2": ["b", "d"], "u3": []}
    return rg.evaluate_ids({"u1": ["a"], "u2": ["x", "d"], "u3": ["b"]}, lists, ["Coverage@2", "P@2"], catalogue=9)

def many(n):
    return rg.Evaluations({f"s{7 * i % n}": rg.Evaluation.from_values({"acc": [i / n, 0.5], "ms": [n - i, i % 3]}, better={"ms": "lower"}) for i in range(n)})

def ranked(n, lists=12):
    # Systems that differ by one step each, with a deviation that depends on list and system.
    rows = np.arange(lists)
    values = {f"s_{i}": 0.5 + 0.0317 * i + 0.04 * np.sin(rows * (i + 2) + i) for i in range(n)}
    return {name: rg.Evaluation.from_values({"f1": v, "ms": 1 - v[::-1] ** 2}, better={"ms": "lower"}) for name, v in values.items()}

def compared(source=None, **options):
    return rg.compare(source or ranked(4), **{"resamples": 5000} | options)

def partial():
    # Three systems, of which one has no value of a measure, and others lack values of some lists.
    lists = {"full": [0.5, 0.25, 1.0, 0.0], "gaps": [nan, 0.5, nan, 0.25], "void": [nan, nan, nan, nan], "half": [0.75, nan, 0.5, 0.125]}
    return {name: rg.Evaluation.from_values({"acc": values, "n": [1.0, 2.0, 2.5, 0.5][:: 1 if name == "full" else -1]}, better={"n": "lower"}) for name, values in lists.items()}

def show(path):
    return Path(path).read_text(encoding="utf-8")
"""
