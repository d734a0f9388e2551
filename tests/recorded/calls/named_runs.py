"""Several runs with names: mappings, paths, objects, and what is refused."""

from recorded.recording import drawn, each

GIVEN = """
import io, os
from pathlib import Path
from types import SimpleNamespace

def wrote(name, run):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    rg.Run(run).write(name)
    return name

class Named(dict):
    name = "mine"

def named(name, run):
    file = io.StringIO()
    rg.Run(run).write(file)
    file.seek(0)
    file.name = name
    return file

QRELS = {"q10": {"b": 2, "a": 0}, "q2": {"y": 1, "x": 3}, "q1": {"c": 1}}
ONE = {"q2": {"x": 0.5, "y": 2}, "q10": {"b": 1}}
TWO = {"q10": {"a": 3, "b": 1}, "q2": {"y": 1, "z": 5}, "q1": {"c": 1}, "q7": {"c": 1}}
LISTS = {"q1": ["c"], "q2": ["w", "x"]}
RANKS = {"q2": {"x": 1, "y": 2, "z": 3}, "q10": {"a": 1, "b": 2}}
AGAINST = "q2 Q0 y 1 1 t\\nq2 Q0 x 2 2 t\\nq1 Q0 c 1 5 t\\nq1 Q0 d 2 6 t\\n"
M = ["AP", "nDCG@2"]
"""
RUNS = ['{"b": ONE, "a": TWO}', '{"a": TWO, 3: LISTS}', '{"x": rg.Run(ONE)}', '{"l": LISTS}']
RUNS += ['{"r": RANKS, "b": ONE}', '[wrote("r2.txt", ONE), wrote("r1.gz", TWO)]']
RUNS += ['(Path(wrote("r2.txt", ONE)),)', '[wrote("a/r", ONE), wrote("b/r", TWO)]', "ONE", "LISTS"]
RUNS += ['wrote("r.txt", ONE)', '[named("n2", ONE), named("n1", TWO)]', "rg.Run(ONE)", "3", "None"]
RUNS += [
    '[named("n2", ONE), named("n2", TWO)]',
    "[ONE, TWO]",
    '[wrote("r1", ONE), named("r1", TWO)]',
]
RUNS += [
    '[Named(ONE), wrote("r3", TWO)]',
    "[Named(ONE), rg.Run(TWO)]",
    "[named(3, ONE)]",
    "[]",
    "{}",
]
RUNS += ['[wrote("d/r2", ONE), wrote("d/r1", TWO)] and "d"', "rg.Qrels(QRELS)"]
RUNS += ['[wrote("r2.x", ONE), wrote("r1.x", TWO)] and "*.x"', '{"q": {}}', '{"q": []}', "RANKS"]
RUNS += ['{"q2": [("x", 0.5)]}', '{"a": {"q2": [("x", 0.5)]}, "b": {"q2": 3}}', '{"a": [ONE]}']
RUNS += [
    '{"q2": [3, 2]}',
    '{"q2": np.array(["x"])}',
    '{"a": ONE, "b": {"q2": {"x": None}}}',
    '{"": ONE}',
]
RUNS += ['{"a": io.StringIO(AGAINST), "b": ONE}', '{"b": ONE, "a": io.StringIO(AGAINST)}', "{3, 4}"]
CALLS = [
    *each("rg.evaluate_runs(QRELS, {r}, M)", r=RUNS),
    *each("rg.evaluate_runs(QRELS, {r}, M, run='system')", r=RUNS[:5] + RUNS[6:10]),
    *drawn(
        60,
        "rg.evaluate_runs({q}, {r}, {m}, convention={c!r})",
        q=["QRELS", "rg.Qrels(QRELS)", '{"q2": ["x"], "q1": {"c": 2, "d": 0}}'],
        r=RUNS[:9],
        m=["M", '"RR"'],
        c=["rankgain", "trec", "pytrec_eval", "ranx"],
    ),
    *drawn(
        40,
        "rg.evaluate_runs(QRELS, {r}, M, ties={t!r}, exclude={e})",
        r=RUNS[:9],
        t=["average", "id", "stable", "worst"],
        e=["None", '{"q2": ["y"]}', '"query"', '{"q9": ["y"]}'],
    ),
]
