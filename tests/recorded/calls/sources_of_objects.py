"""Qrels and Run from dicts, sets, lists and rows with names, and from JSON: values and messages."""

from recorded.recording import drawn, each

GIVEN = """
import json, uuid, warnings
from collections import ChainMap, namedtuple
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from datetime import date

def of(source, kind=rg.Run, **options):
    # What a reader can see of records, with the order of queries and documents.
    made = kind(source, **options)
    documents = {query: made.documents(query) for query in made}
    return repr(made), made.to_dict(), documents

def qrels(source, **options):
    result = of(source, rg.Qrels, **options)
    with warnings.catch_warnings(action="ignore"):  # the queries in the types of the source
        ids = rg.evaluate(source if type(source) is dict else result[1], {}, "P@1").queries
    return *result, ids

def write(name, value):
    with open(name, "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))
    return name

def lines(name, rows):
    return write(name, "\\n".join(map(json.dumps, rows)))

Judged = namedtuple("Judged", "query_id doc_id relevance iteration")
Scored = namedtuple("Scored", "query_id doc_id score")
Rated = namedtuple("Rated", "qid docno label")
Bare = namedtuple("Bare", "a b c")

@dataclass
class Row:
    qid: object
    docno: object
    score: object
    label: object = 0

REPEATS = {"q2": [("x", 3), ("y", 3), ("a", 2), ("y", 2), ("x", 1)], "q1": [("z", 1), ("b", 1)]}
CHUNKS = {"q2": {"d1#2": 0.5, "d0#1": 0.5, "d1#1": 0.75}, "q1": {"d7": 2, "d7#a#b": 3, "#": 1}}
U = uuid.UUID(int=7)
TEXTS = {"q10": {"b": 2, "a": 0, "zz": 1}, "q2": {"y": 1, "x": 3, "w": -1}, "q1": {"c": 0}}
WHOLE = {10: {3: 2, 20: 0, -1: 1}, 2: {5: 1, 2**60 + 1: 3, 2**60: 2}, 7: {}}
NUMPY = {np.int64(4): {np.int32(9): np.float32(0.5), np.int32(10): np.int8(2)}, np.int64(3): {}}
SCORES = {"q2": {"x": 0.5, "y": 0.5, "z": 2.0}, "q1": {"é": -1, "e": -1.0, "f": np.inf}, "q3": {}}
IDS = {"q2": ["x", "a", "b"], "q1": ["é", "z"], "q3": []}
PAIRS = {"q2": [("x", 0.5), ("y", 2)], "q1": [("c", 3)]}
HITS = {"q2": [{"id": "x", "score": 0.5}, {"id": "y", "score": 2}], "q1": [{"id": "c", "score": 3}]}
TEXT = {"q2": {"x": "0.5", "y": "2e1"}, "q1": {"z": "-3"}}
SETS = {"q2": {5, 3}, "q1": frozenset({7})}
NAMED = [Judged("q2", "b", 1, "0"), Judged("q1", "a", 2, "0"), Judged("q2", "a", 0, "1")]
RANKED = [Scored("q2", "b", 1.5), Scored("q1", "a", 2), Scored("q2", "a", 3.25), Scored(*"3x", 4)]
DICTS = [{"query_id": 4, "doc_id": 9, "score": 1}, {"query_id": 3, "doc_id": 8, "score": 2.5}]
OBJECTS = [Row("q2", "b", 1.5, 1), Row("q1", "b", 2, 0), Row("q2", "a", 0.5, 3)]
MIXED = [Scored("q2", "b", 1.5), SimpleNamespace(query_id="q1", doc_id="c", score=2), {"query_id":
         "q2", "doc_id": "a", "score": 7}]
"""
DICTS = ["TEXTS", "WHOLE", "NUMPY", "SCORES", "IDS", "PAIRS", "HITS", "TEXT", "SETS"]
ROWS = ["NAMED", "RANKED", "DICTS", "OBJECTS", "MIXED"]
WRAPPED = ["{}", "MappingProxyType({})", "ChainMap({})"]
POLICIES = ["raise", "first", "last", "best", "mean", "in_place", "other", "None"]
REPEATED = [
    '{"q2": ["x", "a", "x"], "q1": ["b", "b", "c"]}',
    '[Scored("q2", "a", 1), Scored("q1", "b", 5), Scored("q2", "a", 3), Scored("q1", "b", 5)]',
    '[Judged("q2", "a", 1, ""), Judged("q1", "b", 5, ""), Judged("q2", "a", 3, "")]',
    '[Judged("q2", "a", 1, ""), Judged("q1", "b", 5, ""), Judged("q2", "a", 1, "")]',
    '{"q2": [("x", 0.5), ("y", 2), ("x", 3)], "q1": [("c", 3), ("c", 1)]}',
    '[Judged("q1", "b", 1, ""), Judged("q2", "a", 4, ""), Judged("q2", "c", 3, ""), '
    'Judged("q2", "a", 2, ""), Judged("q1", "b", 2, ""), Judged("q2", "c", 3, "")]',
]
# What is wrong with a run, or with qrels, or both.
WRONG = [
    '{"q1": {"a": 1}, 1: {"a": 1}}',
    '{"q1": {"a": 1}, "q2": {"b": 1, 1: 2}}',
    '{1: {"a": 1}, "1": {"b": 2}}',
    '{"q1": {"1": 1}, "q2": {1: 2, "1": 3}}',
    '{"q1": {"a": 1}, "q2": {"b": None}}',
    '{"q1": {"a": 1}, "q2": {"b": 1, "c": [2], "d": None}}',
    '{"q1": {"a": 1}, "q2": {"b": 1, "c": "x"}}',
    '{"q1": {"a": "1"}, "q2": {"b": 1}}',
    '{"q1": {}, "q2": {"b": "1", "c": 2}}',
    '{"q1": {"a": "1"}, "q2": {"b": "1", "c": "one"}}',
    '{"q1": {"a": 1}, "q2": {"b": 1, "c": np.nan}}',
    '{"q1": {"a": 1}, "q2": {"b": 1, "c": np.inf, "d": np.nan}}',
    '{"q1": {"a": 1}, "q2": {"b": 1, "c": -np.inf}}',
    '{"q1": {"a": 1}, "q2": {"b": 10**400}}',
    '{"q1": {"a": 1}, "q2": {"b": 1 + 2j}}',
    '{"q1": {"a": 1}, "q2": {None: 1}}',
    '{"q1": {"a": 1}, "q2": {2.5: 1}}',
    '{"q1": {"a": 1}, "q2": {b"b": 1}}',
    '{"q1": {"a": 1}, None: {"b": 1}}',
    '{"q1": {"a": 1}, 2.0: {"b": 1}}',
    '{"q1": {"a": 1}, ("x", 2): {"b": 1}}',
    '{"q1": {"a": 1}, "q2": 3}',
    '{"q1": {"a": 1}, "q2": None}',
    '{"q1": {"a": 1}, "q2": "ab"}',
    '{"q1": ["a"], "q2": [None]}',
    '{"q1": ["a"], "q2": ["b", 2.5]}',
    '{"q1": ["a"], "q2": [["b", 2.5], "c"]}',
    '{"q1": ["a"], "q2": np.array([["b", "c"]])}',
    '{"q1": np.array(["a", "b"]), "q2": np.array([3, 1])}',
    '{"q1": np.array([2, 1]), "q2": np.array([3, 1])}',
    '{"q1": {"a": {"x": 1}}, "q2": {"b": 1}}',
    '{"q1": {"a": {"score": 1}}, "q2": {"b": {"score": 2.5}}}',
    '{"q1": {"a": True, "b": False}, "q2": {"c": np.True_}}',
    '{"q1": {U: 1}, "q2": {U: 2}}',
    '{U: {"a": 1}, date(2024, 1, 2): {"b": 1}}',
    '{"q1": {"a": 1, "b": 2, "c": 3}, "q2": {"d": 1, "e": 2, "f": 3}}',
    '{"q1": {"a": 1, "b": 2}, "q2": {"d": 1, "e": 2}}',
    '{"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"d": 1, "e": 2, "f": 3}}',
    '{"": {"a": 1}, "q 2": {"": 2}}',
    "{}",
    "[]",
    '{"q1": {}}',
    '[{"query_id": "q1"}]',
    '[{"query_id": "q1", "doc_id": "a"}, {"query_id": "q1", "doc_id": "b"}]',
    '[{"query": "q1", "document": "a", "relevance": 1, "score": 2}] * 2',
    '[Bare("q1", "a", 1)]',
    "[(1, 2, 3)]",
    "[1, 2]",
    "[[1, 2], [0, 1]]",
    "[None]",
    '["q1"]',
    'iter(["q1 0 a 1"])',
    "3",
    "2.5",
    "None",
    'b"q1 0 a 1"',
    "np.array([[1, 2]])",
    "np.float64(2)",
    "object()",
    "OBJECTS[0]",
    '[Scored("q1", "a", 1), Scored("q2", "b", None)]',
    '[Scored("q1", "a", 1), Scored("q2", "b", 1), Scored("q2", "c", "x")]',
    '[Scored("q1", "a", "1"), Scored("q2", "b", "x1")]',
    '[Scored("q1", "a", "1"), Scored("q2", "b", 7)]',
    '[Scored("q1", "a", "1"), Scored("q1", "c", "4"), Scored("q1", "b", np.float32(2))]',
    '[SimpleNamespace(qid="q1", doc=d, score=1, system=s) for d, s in ("ax", "by", "ay")]',
    '[{"query-id": "q1", "corpus-id": d, "score": i} for i, d in enumerate("xaz", 2)]',
    '[{"query-id": "q1", "corpus-id": "a", "score": 2, "label": 1, "rank": 3}]',
    "[Scored(np.int64(4), np.int32(5), 1.5), Scored(np.int64(3), np.int32(5), 2)]",
    '[Scored(4, "x", 1.5), Scored(3, "y", 2), Scored(4, "y", 2)]',
    '[Scored("q1", "a", True), Scored("q1", "b", np.float16(0.5)), Scored("q1", "c", False)]',
    '[Scored("q1", "a", 1), Scored("q2", "b", 1), Scored("q2", "c", np.nan)]',
    '[Scored("q1", "a", 1), Scored("q2", "b", 1), Scored("q2", "c", 10**400), Scored("q2", 3, 1)]',
    '[Scored("q1", "a", 1), Scored("q2", 3, 1), Scored("q2", "c", 10**400)]',
    '[Scored("q1", "a", 1), Scored(2, "b", 1)]',
    '[Scored("q1", 1, 1), Scored("q2", "b", 1)]',
    '[Scored(1, "a", 1), Scored("2", 3, 1)]',
    '[Scored("q1", "a", 1), Scored(None, "b", 1)]',
    '[Scored("q1", "a", 1), Scored("q1", None, 1)]',
    '[Scored("q1", "a", 1), Scored("q1", "b", [1])]',
    '[Scored("q1", "a", 1), {"query_id": "q1", "doc_id": "b"}]',
    '[Scored("q1", "a", 1), SimpleNamespace(query_id="q1", score=3)]',
    '[Scored("q1", "a", 1), 3]',
    '[Scored("q1", "a", 1), "q2"]',
    '[Judged("q1", "a", 1, "0"), Judged("q1", "b", np.inf, "0")]',
    '[Judged("q1", "a", 1, "0"), Judged("q1", "b", np.nan, "0")]',
    '[Scored(U, "a", 1), Scored(date(2024, 1, 2), "b", 1)]',
    '[Scored("q1", "a", 1), Scored("q1", "b", 2), Scored("q2", "c", 1), Scored("q2", "d", 2)]',
    '[{"query_id": "q1", "doc_id": "a", "score": 1, "system": s} for s in "xyxy"]',
    '[{"query_id": "q1", "doc_id": d, "score": 1, "system": d} for d in "xyzw"]',
    '[{"query_id": q, "doc_id": "d", "score": 1, "run": q, "tags": [q]} for q in "xyzw"]',
    '[{"query_id": "q", "doc_id": d, "score": 1, "user": u} for d, u in ("au", "bu", "cv")]',
    '[{"query_id": "q", "doc_id": d, "score": 1, "session": [u]} for d, u in ("au", "bu", "cv")]',
    "rg.Qrels(TEXTS)",
    "rg.Run(TEXTS)",
    'rg.evaluate(TEXTS, SCORES, "AP")',
    'rg.evaluate(TEXTS, SCORES, ["AP"]).per_query',
]
JSON = [
    "TEXTS",
    "IDS",
    "PAIRS",
    "HITS",
    "TEXT",
    '[{"query_id": "q2", "doc_id": "b", "score": 1}]',
    '[{"query_id": "q2", "doc_id": "b"}]',
    "[]",
    "{}",
    "[3]",
    "7",
    '{"q1": {"a": 1}, "q2": 3}',
    '{"q1": {"a": 1}, "q2": {"b": None, "c": 1}}',
    '{"q1": {"a": 1}, "q2": {"b": float("inf")}}',
    '{"q1": ["a", "b", "a"]}',
    '\'{"q1": {"a": 1, "a": 2}}\'',
    '\'{"q1": {"a": 1}, "q1": {"b": 2}}\'',
    '\'\\ufeff{"q1": {"a": 1}}\'',
]
LINES = [
    '[{"query_id": "q2", "doc_id": "b", "score": 1}, {"query_id": "q1", "doc_id": "b", "score": 2}]',
    '[{"query_id": 2, "doc_id": 10, "score": "1"}, {"query_id": 1, "doc_id": 9, "score": "-2"}]',
    '[{"qid": "q2", "docno": "b", "relevance": 1}, {"qid": "q1", "docno": "b", "relevance": "x"}]',
    '[{"qid": "q2", "docno": "b", "relevance": 1}, {"qid": "q1", "docno": "b"}]',
    '[{"qid": "q2", "docno": "b", "score": 1}, {"qid": "q1", "docno": "b", "score": None}]',
    '[{"qid": "q2", "docno": "b", "score": 1}, {"qid": "q2", "docno": "b", "score": 4}]',
    '[{"qid": "q2", "docno": "b", "score": 1}, {"qid": 3, "docno": "b", "score": 4}]',
    '[{"qid": "q2", "docno": "b", "score": 1, "run": r} for r in "xyx"]',
    '[{"qid": "q2", "relevant": ["a", "b"], "retrieved": ["b", "c"]}]',
    '[{"query_id": "q2", "results": [{"id": "a", "score": 2}, {"id": "c", "score": 3}]}]',
    '[{"query_id": "q2", "retrieved": ["a", "c"]}, {"query_id": "q1", "retrieved": ["d", "c"]}]',
    "[[1, 2]]",
    "[]",
]
CALLS = [
    *each("of({w})", w=[w.format(d) for d in DICTS for w in WRAPPED]),
    *each("qrels({w})", w=[w.format(d) for d in DICTS for w in WRAPPED]),
    *each("{f}({r})", f=["of", "qrels"], r=[*ROWS, *(f"iter({row})" for row in ROWS)]),
    *each("{f}({r}, duplicates={p})", f=["of", "qrels"], r=REPEATED, p=map(repr, POLICIES[:7])),
    *each("of({w})", w=WRONG),
    *each("qrels({w})", w=[source.replace("Scored(", "Rated(") for source in WRONG]),
    *each('{f}(write("x.json", {j}))', f=["of", "qrels"], j=JSON),
    *each('{f}(lines("x.jsonl", {j}))', f=["of", "qrels"], j=LINES),
    'lines("x.jsonl", DICTS); qrels("x.jsonl"); of("x.jsonl")',
    'write("x.jsonl", \'{"qid": 1, "docno": 2, "score": 3}\\n\\n{"qid": 1\'); of("x.jsonl")',
    'write("x.jsonl", \'{"qid": 1, "docno": 2, "score": 3}\\n[1]\'); of("x.jsonl")',
    # Warnings point to the call.
    "rg.Run({'q2': {'a': 1, 'b': 2, 'c': 3}, 'q1': {'d': 1, 'e': 2, 'f': 3}}).queries",
    "rg.Run({'q2': {'a': 0, 'b': 1, 'c': 2}, 'q1': {'d': 0, 'e': 1, 'f': 2}}).queries",
    "rg.Run({'q2': {'a': 1, 'b': 2}, 'q1': {'d': 1, 'e': 2}, 'q0': {'f': 1}}).queries",
    "rg.Run({'q2': {'a': 1, 'b': 2}, 'q1': {'d': 1, 'e': 2}, 'q0': dict(f=1, g=2, h=3)}).queries",
    "rg.Run([Scored(*row) for row in ('aa1', 'ab2', 'ca1', 'cb2')])",
    "rg.Run(rg.Run([Scored(*row) for row in ('aa1', 'ab2', 'ca1', 'cb2')]))",
    "rg.Run.read(lines('x.jsonl', [dict(qid=q, doc=d, score=int(d)) for q in 'ba' for d in '123']))",
    "made = rg.Run(SCORES); made is rg.Run(made), rg.Run(made) == made, rg.Run(made).to_dict()",
    "made = rg.Qrels(TEXTS); rg.Qrels(made) == made; rg.Qrels(made, duplicates='best').to_dict()",
    *drawn(
        60,
        "of({d}, duplicates={p}, documents={c})",
        d=["TEXTS", "SCORES", "IDS", "REPEATS", "NAMED"],
        p=['"raise"', '"in_place"', '"first"', '"best"', '"last"'],
        c=["{'a': 'D', 'x': 'D', 'b': 'E', 'y': 'D', 'z': 'F', 'é': 'G'}", "lambda c: c[0]"],
    ),
    'of(CHUNKS, documents="#")',
    'of(CHUNKS, documents="#", duplicates="in_place")',
    'of(CHUNKS, documents="")',
    "of(CHUNKS, documents=3)",
    "of(CHUNKS, documents={'d1#2': 'd1'})",
    "of(CHUNKS, documents=lambda chunk: None)",
    "of(CHUNKS, documents=lambda chunk: 3 if '1' in chunk else 'e')",
]
