"""evaluate_ids for JSON lines whose rows hold retrieved and relevant ids."""

from recorded.recording import each

# fmt: off

GIVEN = """
import json
from pathlib import Path
ROWS = [
    {"query": "k", "retrieved": ["b", "a"], "relevant": ["a"], "run": "one", "hits": ["a"], "score": [1, 2]},
    {"query": "j", "retrieved": ["c"], "relevant": {"d": 1, "c": 2}, "run": "two", "hits": [], "score": [7]},
    {"query": "j", "retrieved": ["e", "d"], "relevant": [["d", 2]], "run": "one", "hits": ["d"], "score": [3, 1]},
    {"query": "k", "retrieved": [], "relevant": ["a", "b"], "run": "two", "hits": ["b", "a"], "score": []},
]
def written(rows, **changes):
    rows = [{**row, **{k: v for k, v in changes.items()}} for row in rows]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
    return "rows.jsonl"
def plain(*rows):
    return written([{"query": f"q{n}", "retrieved": ["a", "b"], "relevant": ["a"], **row} for n, row in enumerate(rows)])
def without(rows, *names):
    rows = [{k: v for k, v in row.items() if k not in names} for row in rows]
    return written(rows)
"""
CALLS = [
    *each(
        "rg.evaluate_ids({s}, measures=['RR', 'R@2', 'nDCG'], {o})",
        s=["written(ROWS[:2])", "written(ROWS)", "without(ROWS, 'score')", "without(ROWS, 'query', 'score')", "written([])"],
        o=["empty=0", "run='run'", "run='run', retrieved='hits'", "retrieved='hits', score=None", "relevant='hits'", "query='run'", "query=['query', 'run']", "score=['score']",
           "score='score', run='run'", "score='run'", "systems=True", "run='sun'", "retrieved='hit'", "run='run', weight=[2, 1]", "run='run', catalogue=9",
           "exclude={'k': ['b'], 'j': ['e']}, run='run'"],
    ),
    *each(
        "rg.evaluate_ids(written(ROWS[:1] + [{{**ROWS[1], **{c}}}]), measures='RR')",
        c=["{'retrieved': 'b'}", "{'retrieved': [None]}", "{'relevant': 3}", "{'relevant': {'c': 'x'}}", "{'query': ['k']}", "{'query': 'k'}", "{'query': None}",
           "{'retrieved': ['c', 'c'], 'score': [1, 2]}", "{'score': [1, 2]}", "{'score': None}", "{'query': 3}", "{'retrieved': [3]}", "{'retrieved': {'c': 1, 'd': 2}}"],
    ),
    "rg.evaluate_ids(written(ROWS, run=3), measures='RR', run='run')",
    "rg.evaluate_ids(written([{**ROWS[0], 'run': 1}, {**ROWS[1], 'run': '1'}]), measures='RR', run='run')",
    "rg.evaluate_ids(without(ROWS[:2], 'relevant'), measures='RR')",
    "rg.evaluate_ids(without(ROWS[:2], 'retrieved'), measures='RR')",
    "rg.evaluate_ids('absent.jsonl', measures='RR')",
    "rg.evaluate_ids(written([]), measures='RR')",
    "rg.evaluate_ids(written(ROWS[:2]), ROWS, 'RR')",
    "rg.evaluate_ids(written(ROWS[:2]), 'hits', 'RR')",
    *each(
        "rg.evaluate_ids(plain({r}), measures='RR')",
        r=["{}, {'scores': [1]}", "{}, {'scores': [1, 'b']}", "{'scores': [1, 'b']}", "{'scores': [1, float('nan')]}", "{'relevant': [['a', 1], ['a', 2]]}",
           "{'retrieved': {'a': 1, 'b': None}}", "{'relevant': {'a': 1, 'b': None}}", "{'retrieved': [['a', 1], ['b', 2]], 'scores': [2, 1]}",
           "{'retrieved': {'a': 1, 'b': 2}, 'scores': [2, 1]}", "{'retrieved': None}, {}", "{}, {'relevant': [1]}"],
    ),
]
