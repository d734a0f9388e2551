"""Qrels with subtopics: dicts, diversity qrels, spans, weights, repeats and messages."""

from recorded.recording import drawn, each

GIVEN = """
import io, json, uuid
from collections import namedtuple
from pathlib import Path

MEASURES = ["alpha_nDCG@2", "StRecall@1", "ERR_IA@3", "D_nDCG@3", "nDCG@2", "AP"]

def facts(made, run=None):
    file = io.StringIO()
    try:
        made.write(file)
        text = file.getvalue()
    except ValueError as error:
        text = str(error)
    result = repr(made), made.subtopics, made.to_dict(), text
    if run is None:
        return result
    return *result, rg.evaluate(made, run, MEASURES)

def qrels(source, **options):
    return facts(rg.Qrels(source, **options), RUN)

def rows(text, **options):
    return facts(rg.Qrels(io.StringIO(text), subtopics=True, **options), RUN)

def wrote(name, value):
    Path(name).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return name

RUN = {"q2": ["b", "x", "y", "a"], "q1": ["c", "e"], "q3": ["a"], "1": ["7", "9"]}
NESTED = {"q2": {"y": {"r": 2, "p": 1}, "b": {"p": 0, "z": 1}, "a": {}}, "q1": {"c": {"a": 1}}}
WHOLE = {1: {7: {2: 1, 10: 3}, 9: {10: 2.5}}, 3: {}, 2: {8: {1: -1}}}
TEXTS = {"q2": {"y": {"r": "2", "p": "1e0"}, "b": {"p": np.int8(1)}}, "q1": {"c": {"a": np.True_}}}
EMPTY = {"q2": {"y": {}, "b": {}}, "q1": {}, "q3": {"a": {"p": 1}}}
DIVERSITY = "q2 r y 2\\nq1 a c 1\\nq2 p y 1\\n\\nq2 z b 1\\nq2 p b 0\\nq1 a e -1\\nq10 a a 1\\n"
REPEATED = "q2 p y 1\\nq1 a c 1\\nq2 p b 3\\n# c\\nq2 p y 2\\nq2 r y 2\\nq1 a c 1\\nq2 p b 1\\n"
EQUAL = "q2 p y 1\\nq2 p y 1\\nq2 r y 2\\nq2 r y 2\\nq1 a c 0\\nq1 a c 0\\n"
CHUNKS = {"q2": {"b": ("r", 0, 100), "y": ("r", 100, 200), "x": ("s", 0, 50)},
          "q1": {"c": ("r", 50, 150), "e": ("t", 0, 10)}, "q9": {"k": ("u", 0, 9)}}
EVIDENCE = {"q2": [("r", 20, 60), ("r", 90, 130), ("s", 300, 310), ("s", 25, 75)],
            "q1": [("r", 100, 200), ("u", 1, 2)], "q3": [("t", 5, 8)], "q4": []}
WEIGHTS = {"q2": {"r": 3, "p": 0.5, "z": 0}, "q1": {"a": 2}, "q10": {"a": 1}}
"""
WRONG = [
    '{"q2": {"a": {"p": 1}}, "q1": {"b": 1}}',
    '{"q2": {"a": {"p": 1}}, "q1": 3}',
    '{"q2": {"a": {"p": 1}}, "q1": ["b"]}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 1, "r": None}}}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 1, "r": "x"}}}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 1, "r": np.nan}}}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 1, "r": -np.inf, "s": None}}}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 1, None: 2}}}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 1, "": 2}}}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 1, 2.5: 2}}}',
    '{"q2": {"a": {"p": 1}, "b": {1: 1, "1": 2}}}',
    '{"q2": {"a": {1: 1}}, "q1": {"b": {"1": 2}}}',
    '{"q2": {"a": {"p": 1}, "b": {"p": 10**400}}}',
    '{"q2": {"a": {"p": 1}, None: {"p": 1}}}',
    '{"q2": {"a": {"p": 1}}, None: {"b": {"p": 1}}}',
    '{"q2": {"1": {"p": 1}, 1: {"p": 2}}}',
    '{2: {"a": {"p": 1}}, "2": {"b": {"p": 2}}}',
    '{"q2": {"a": {"p": [1]}}}',
    '{"q2": {"a": {"p": {"x": 1}}}}',
    "{}",
    "[]",
    "3",
    "None",
    '{"q2": {"a": 1}}',
    '{"q2": ["a"]}',
    "rg.Qrels({'q2': {'a': 1}})",
    "rg.Run({'q2': {'a': 1}})",
    'rg.evaluate(NESTED, RUN, "AP")',
]
WRONG_ROWS = [
    '""',
    '"q2 a 1\\n"',
    '"q2\\ta\\n"',
    '"q2 p a 1\\nq1 r b x\\n"',
    '"q2 p a 1\\nq1 r b nan\\n"',
    '"q2 p a 1\\nq1 r b -inf\\nq1 r b inf\\n"',
    '"q2 p a 1\\nq1 r b\\n"',
    '"q2 Q0 a 1 1 t\\n"',
    "REPEATED",
    '"q2 p y 1\\nq1 a c 1\\nq2 p b 3\\nq1 a c 2\\nq2 p y 2\\n"',
]
SPANS = [
    '{"q2": {"b": ("r", 0)}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": "abc"}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": ("r", "0", 1)}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": ("r", 0, None)}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": ("r", True, 2)}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": ("r", 0, np.nan)}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": (2.5, 0, 1)}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": ("r", 5, 5)}}, EVIDENCE',
    '{"q2": {"b": ("r", 0, 1), "x": ("r", 7, 5)}}, EVIDENCE',
    '{"q2": [("r", 0, 1)]}, EVIDENCE',
    "None, EVIDENCE",
    'CHUNKS, [("r", 0, 1)]',
    'CHUNKS, {"q2": "abc"}',
    'CHUNKS, {"q2": [("r", 0, 1), ("r", 3)]}',
    'CHUNKS, {"q2": [("r", 0, 1), ("r", 3, 2)]}',
    'CHUNKS, {"q2": 3}',
    'CHUNKS, {"q2": [("r", 0, 1), ("none", 1, 2)]}',
    'CHUNKS, {"q2": [("r", 0, 1), (1, 1, 2)]}',
    'CHUNKS, {"q2": iter([["r", 0, 1], ["r", 99.5, 100.5]])}',
    '{"q2": {"r[300:310]": ("r", 0, 9)}}, {"q2": [("r", 300, 310)]}',
    '{"q2": {"r[3:31]": ("r", 0, 9), "r[3:31]\'": ("r", 9, 10)}}, {"q2": [("r", 3, 31)] * 2}',
    "CHUNKS, {}",
    "{}, {}",
    "{}, EVIDENCE",
    "{1: {2: (3, 0, 9)}}, {1: [(3, 1, 2), (3, 8, 10)]}",
]
CALLS = [
    *each("qrels({s})", s=["NESTED", "WHOLE", "TEXTS", "EMPTY"]),
    *each("qrels({s}, subtopics=True)", s=["NESTED", "WHOLE", "TEXTS", "EMPTY"]),
    *each("qrels({s})", s=WRONG),
    *each("qrels({s}, subtopics=True)", s=WRONG),
    *each(
        "qrels(wrote('x.json', {s}), subtopics=True)", s=["NESTED", "EMPTY", *WRONG[:2], "'[1]'"]
    ),
    'qrels(wrote(\'x.json\', \'{"q2": {"a": {"p": 1, "p": 2}}}\'), subtopics=True)',
    "qrels(wrote('x.json', NESTED))",
    *each("rows({t})", t=["DIVERSITY", "EQUAL", *WRONG_ROWS]),
    *each(
        "rows({t}, duplicates={p!r})",
        t=["DIVERSITY", "REPEATED", "EQUAL"],
        p=["raise", "first", "last", "best", "mean", "in_place"],
    ),
    "qrels(wrote('x.tsv', DIVERSITY.replace(' ', '\\t')), subtopics=True)",
    "qrels(wrote('x.tsv', 'q2\\tp 1\\ty\\t2\\nq2\\tp 1\\ty\\t1\\n'), subtopics=True)",
    "qrels(wrote('x', REPEATED), subtopics=True)",
    "qrels(wrote('x', DIVERSITY))",
    "rg.Qrels(io.StringIO('q 0 a 1\\nq 0 b 2\\n'), subtopics=True).subtopics",
    "rg.Qrels.read(io.StringIO(DIVERSITY))",
    # Spans.
    *each("facts(rg.Qrels.from_spans({s}), RUN)", s=["CHUNKS, EVIDENCE", *SPANS]),
    *each(
        "facts(rg.Qrels.from_spans(CHUNKS, EVIDENCE, min_overlap={m}), RUN)",
        m=["0.25", "1", "np.float32(0.75)", "0", "1.5", "-1", "True", '"1"', "None", "np.nan"],
    ),
    # Options of a call on qrels with parts.
    *drawn(
        90,
        "rg.evaluate(rg.Qrels({s}), RUN, {m}, rel={r}, ties={t})",
        s=[
            "NESTED", "TEXTS, subtopics=True", "WHOLE", "EMPTY",
            "io.StringIO(DIVERSITY), subtopics=True",
        ],
        m=["MEASURES", "MEASURES[0]", '["alpha_nDCG(alpha=0)@3", "NRBP", "ERR_IA@1", "D_nDCG"]'],
        r=["1", "2", "0.5"],
        t=['"stable"', '"id"', '"reverse"'],
    ),
    *drawn(
        40,
        "made = rg.Qrels({s}); rg.evaluate(made, RUN, {m}, exclude={e}); facts(made)",
        s=["NESTED", "TEXTS, subtopics=True", "EMPTY", "io.StringIO(DIVERSITY), subtopics=True"],
        m=["MEASURES", "MEASURES[1:4]"],
        e=["{'q2': ['y']}", "{'q1': ['c'], 'q2': ['b', 'a']}", "{'q2': ['y', 'b', 'a']}", "None"],
    ),
    "made = rg.Qrels(NESTED); rg.evaluate(made, RUN, MEASURES); made = rg.Qrels(made); facts(made)",
]  # fmt: skip
