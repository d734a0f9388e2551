"""Tables with a fault in their columns, their files or their batches, or two of them."""

from recorded.recording import each

NEEDS = ["narwhals", "pandas", "polars", "pyarrow"]
GIVEN = """
import datetime
from decimal import Decimal
from pathlib import Path
import pandas, polars, pyarrow
NAN, INF, TOP = float("nan"), float("inf"), 2**53
COLUMNS = {"query": list("qqrr"), "doc": list("abcd"), "label": [1, 0, 1, 0], "score": [4, 3, 2, 1]}
WIDE = [1.5, 2.5, 2.0**60, 2.0**61]
USERS, FOUR = ["u", "v"], {"user": list("uuvv"), "item": list("abcd")}
LINE = '{{"query": {}, "label": 1, "score": {}}}\\n'
MIXED_LINES = LINE.format('"q"', 1) + LINE.format('"r"', 2) + LINE.format(7, 3) + LINE.format(8, 4)
HEADER = "query,doc,label,score\\n"
ROLES = {"query": "query", "label": "label", "score": "score"}
def ev(frame, options):
    return rg.evaluate_frame(frame, "RR", **options)
def changed(library, changes):
    columns = {**COLUMNS, **changes}
    return library.DataFrame({name: v if isinstance(v, list) else [v] * 4 for name, v in columns.items()})
def objects(**changes):
    columns = {name: pandas.Series(values, dtype=object) for name, values in changes.items()}
    return pandas.DataFrame({**COLUMNS, **columns})
def typed(**changes):
    return polars.DataFrame({name: v for name, v in {**COLUMNS, **changes}.items() if v})
def write(texts):
    for name, text in texts.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    return list(map(Path, texts))
def batch(**changes):
    columns = {"query": ["q"], "label": [1], "score": [1.0], **changes}
    return pyarrow.record_batch({name: v for name, v in columns.items() if v})
"""
# fmt: off
VALUES = [
    '{"doc": ["a", None, None, "d"]}), {"doc": "doc"}',
    '{"score": [1.0, 2, NAN, NAN]}), {}',
    '{"query": ["q", "q", None, "r"], "label": [NAN, 1.0, 1, 0]}), {}',
    '{"label": [1.0, NAN, 1, 0], "score": [NAN, 1.0, 1, 0]}), {}',
    '{"g": ["x", "x", None, None]}), {"segment": "g"}',
    '{"m": list("xyxy"), "label": [9, 1, 1, 9], "score": [1.0, 2, NAN, 1]}), {"run": "m", "ignore": 9}',
    '{"label": [1.0, -INF, INF, 1]}), {}',
    '{"w": [1.0, 1.0, -INF, INF]}), {"weight": "w"}',
    '{"score": ["1", "1", "-1e400", "1e401"]}), {}',
    '{"score": ["1", f"-{TOP + 1}", f"{TOP + 3}", "1"]}), {}',
    '{"score": ["1", "1", f" +{TOP + 3}", "1"]}), {}',
    '{"query": WIDE}), {}',
    '{"query": WIDE}), {"query": ["label", "query"]}',
    '{"doc": WIDE}), {"doc": "doc"}',
    '{"doc": [2.0**60, *WIDE[1:]], "label": [9, 1, 0, 1]}), {"ignore": 9}',
    '{"query": "q", "g": WIDE}), {"segment": "g"}',
    '{"g": WIDE}), {"run": "g"}',
    '{"w": [1, 1, 5, 7]}), {"weight": "w"}',
    '{"w": [1, 2, 5, 7]}), {"weight": "w"}',
    '{"g": list("xxyz")}), {"segment": "g"}',
    '{"w": [1, 1, 5, 7], "g": list("xyyy")}), {"segment": "g", "weight": "w"}',
    '{}), {"weight": "w", "segment": "g"}',
    '{}), {"run": "U", "query": "Q"}',
    '{}), {"query": "Q", "label": "L"}',
    '{}), {"query": ["query", "Q"], "label": "L"}',
    '{}), {"label": "L", "score": "S"}',
    '{}), {"score": ["score", "X", "Y"]}',
    '{}), {"score": "S", "doc": "D"}',
    '{}), {"rank": "S", "doc": "D"}',
    '{}), {"doc": "D", "weight": "W"}',
    '{"gain": 2, "rel": 3}), {"label": None}',
    '{}), {"rank": "score", "score": "score"}',
    '{}), {"rank": "score", "ignore": 0}',
    '{}), {"run": "doc", "score": ["score", "label"]}',
    '{}), {"score": ["score", "label", "score"]}',
    '{}), {"score": {}}',
    '{"query": "q", "doc": list("abba")}), {"doc": "doc"}',
    '{"query": "q", "doc": list("abba")}), {}',
    '{}), {"doc": None, "duplicates": "best"}',
    '{"query": "q", "doc": ["a1", "b1", "a2", "b2"], "label": [1, 0, 2, 3]}), {"documents": lambda name: name[0]}',
    '{"model": list("xxyz")}), {}',
    '{"query": "q", "session_id": [None, "x", "x", "y"]}), {}',
    '{"session_id": [1, 1, 2, 3]}), {}',
]
FRAMES = [
    'objects(score=[1, [2], {}, 1]), {}',
    'objects(score=[1, "1_0", "x", 1]), {}',
    'objects(score=[1, 2, 10**400, -(10**401)]), {}',
    'objects(score=[Decimal(1), Decimal(-TOP - 1), Decimal(TOP + 3), Decimal(0)]), {}',
    'typed(score=["1", "1_0", "2", "y"]), {}',
    'typed(score=["true", "1", f"{TOP + 1}", "1e400"]), {}',
    'typed(score=[datetime.date(2020, 1, 2)] * 4), {}',
    'objects(d=[{"a": 1}, {}, {}, {}]), {"doc": "d"}',
    'typed(query=[{"a": 1, "b": 2}, *[{"a": 1, "b": None}] * 3]), {}',
    'typed(d=[["a"]] * 4), {"doc": "d"}',
    'typed(d=[{"a": 1}] * 4), {"doc": "d"}',
    'objects(m=["x", 1, "1", "x"]), {"run": "m"}',
    'objects(m=["x"] * 4)[:0], {"run": "m"}',
    'typed(), {"label": 3}',
    'typed(), {"score": [["score"]]}',
    'typed(), {"score": {"a": "score", "b": None}}',
    'typed(), {"query": ["query", None]}',
    'typed(), {"query": []}',
    'typed(label=None), {}',
    'typed(score=None, position=[4, 3, 2, 1]), {}',
    'pandas.DataFrame([[1, 2]], columns=[3, 4]), {}',
    'pandas.DataFrame([["q", 2]], columns=["query", 4]), {"label": 4}',
    'pandas.DataFrame([[1] * 4], columns=["query", "label", "score", "score"]), {}',
    '[[1]], {}',
]
FOUND = [
    'FOUR',
    '{**FOUR, "3": list("abcd")}',
    '{**FOUR, 5: list("abcd")}',
    '{**FOUR, "user": WIDE, "rank": [1, 1, 1, 1]}',
    '{"user": WIDE, "recs": ["a b"] * 4}',
    '{"user": list("uvvu"), "recs": ["a b", "c", "d", "e"]}',
    '{"user": USERS, "recs": ["a-0 b-1", "c-1"]}',
    '{"user": USERS, "recs": ["a b", "c"], "title": ["x y", "z"], "rec_1": USERS, "rec_2": USERS}',
    '{"k": USERS, "recs": ["a b", "c"], "n": [1, 2]}',
    '{"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], None]}',
    '{"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], 3]}',
    '{"user": list("uvw"), "item": [["a"], 7, 8]}',
    '{"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], [1.0, NAN]]}',
    '{"user": USERS, "item": [["a"], ["c", "d"]], "scores": [[1.0], [1.0, 2, 3]]}',
    '{"user": USERS, "item_1": USERS, "item_2": ["a", "b"], "item_3": ["x", "y"], "score_1": [0.9, 0.5], "score_2": [0.8, 0.7], "score_3": [0.1, 0.9]}',
    '{"user": USERS, "item_1": USERS, "item_2": ["b", None], "item_3": ["x", "y"]}',
    '{**FOUR, "rank": [1, 2, 1, 2], "model": list("xyxy")}',
]
TRUTHS = [
    '{"user": list("uvvv"), "item": list("acdd"), "label": [1, 1, 1, 1]}',
    '{"user": list("uuv"), "item": list("aac"), "b": [1, 0, 1]}',
    '{"user": list("uu"), "item": list("ab"), "b": [None, False]}',
]
FILES = [
    '{"a.csv": HEADER + "q,a,1,2\\nq,b,x,1\\nq,c,y,z\\n"}',
    '{"a.csv": HEADER + "q,a,1,2\\nq,b,1\\nq,c,1,1,1\\nq,c,1,1,1,1\\n"}',
    '{"a.csv": "query;doc;label,score\\nq;a;1,2\\nq;a;1,2,3\\n"}',
    '{"a.csv": "query,doc,label,doc,score,score\\nq,a,1,2,3,3\\n"}',
    '{"a.tsv": HEADER + "q,a\\tb,1,2\\n"}',
    '{"a.xls": HEADER}',
    '{"a.csv": HEADER, "b.csv": HEADER, "c.jsonl": MIXED_LINES, "d.tsv": "a\\tb"}',
    '{"query=q/a.csv": HEADER + "q,a,1,2\\nr,a,1,2\\ns,a,1,2\\n"}',
    '{"a.jsonl": MIXED_LINES}',
    '{"a.jsonl": MIXED_LINES[:-1].replace(LINE.format(7, 3), "")}',
    '{"a.csv": HEADER + "q,a,1,2\\nq,b,1,2\\n", "b.csv": HEADER + "q,c,1,2\\nq,b,1,1\\nq,a,1,1\\n"}',
]
STREAMS = [
    '[batch(), 3, "x"]',
    '[batch(), batch(query=[1], score=[1]), batch(query=[None])]',
    '[batch(), batch(label=[], score=[])]',
    '3',
    'polars.LazyFrame({"query": ["q"]})',
]
ROLES = ["run", "query", "label", "score", "rank", "doc", "weight", "segment"]
CALLS = [
    *each("ev(changed({d}, {v})", d=["pandas", "polars"], v=VALUES),
    *each("ev(typed(), {{{r!r}: ''}})", r=ROLES),
    *each("ev({f})", f=FRAMES),
    *each("rg.evaluate_ids(pandas.DataFrame({f}), {{'u': ['a']}}, 'RR')", f=FOUND),
    *each("rg.evaluate_catalogue(pandas.DataFrame({f}), 'Coverage@1', catalogue=9)", f=FOUND),
    *each("rg.evaluate_ids({{'u': ['a']}}, pandas.DataFrame({f}), 'RR')", f=TRUTHS),
    *each("rg.evaluate_ids(pandas.DataFrame({{**FOUR, 'rank': [1, 2, 1, 2]}}), {{'u': ['a']}}, 'RR', {r}='')", r=[*ROLES[1:5:2], "rank", "doc"]),
    *each("rg.evaluate_ids(pandas.DataFrame({{**FOUR, 'rank': [1, 2, 1, 2], 'score': {s}}}), {{'u': ['a'], 'v': ['c']}}, 'RR')", s=[[1, 9, 3, 8], [9, 1, 3, 8]]),
    "rg.evaluate_catalogue([['a']], 'Popularity@1', popularity=pandas.DataFrame({'item': list('abba'), 'plays': [1, 2, 3, 4]}))",
    *each("ev(write({f}), {{}})", f=FILES),
    *each("rg.evaluate_batches(write({f}), 'RR', **ROLES)", f=FILES[-4:-1]),
    *each("rg.evaluate_batches({s}, 'RR', order={o!r}, **ROLES)", s=STREAMS, o=["sorted", "any"]),
]
