"""Qrels and runs joined by id: forms, tie rules, precision, repeats, chunks, exclusions, ranks."""

from recorded.recording import drawn, each

GIVEN = """
import copy, io, pickle
from types import MappingProxyType

def of_rows(records, is_qrels):
    lines = []
    for query, documents in records.items():
        pairs = documents.items() if isinstance(documents, dict) else [(d, 1) for d in documents]
        for rank, (document, number) in enumerate(pairs, 1):
            fields = "0 {0} {1}" if is_qrels else "Q0 {0} {2} {1} t"
            lines.append(f"{query} " + fields.format(document, number, rank))
    # Queries whose rows follow each other, and the first row at the end.
    return lines

def file_of(records, is_qrels, apart=False):
    lines = of_rows(records, is_qrels)
    if apart:
        lines = lines[1:] + lines[:1]
    return io.StringIO("\\n".join(lines) + "\\n")

QRELS = {"q10": {"b": 2, "a": 0, "é": 1}, "q2": {"z": 0, "y": 1, "x": 3, "q2": 2}, "q1": {"c": 1},
         "q8": {"a": 0}}
RUN = {"q2": {"w": 0.5, "x": 0.5, "y": 2, "z": 0.5, "q2": 3}, "q7": {"a": 1}, "q10": {"é": 1.0,
       "a": 1.00000001, "b": 1.0, "q10": -1}, "q8": {"a": -np.inf, "b": 7}, "q4": {}}
WHOLE_QRELS = {10: {3: 2, 20: 0, -1: 1}, 2: {5: 1, 2**53 + 1: 3, 2: 1}, 7: {4: 1}}
WHOLE_RUN = {2: {2**53: 1.5, 2**53 + 1: 1.5, 5: 1.5, 2: 9}, 10: {-1: 0, 20: 0, 3: 0}, 8: {1: 1}}
LISTS = {"q2": ["q2", "y", "w", "x"], "q10": ("é", "b"), "q4": []}
SETS = {"q10": {"b"}, "q2": frozenset({"x"}), "q1": ["c", "d"]}
numpy_qrels = {"q10": {"b": np.int64(2)}, "q2": {"x": np.float32(3), "y": np.int8(0)}}
numpy_run = {"q2": {"x": np.float32(0.5), "y": np.float64(2)}, "q10": {"a": np.int16(1), "b": 0.5}}
same_ids = {"q2": {"y": 0.5, "x": 0.5}, "q10": {"é": 1.0, "b": 1.0, "a": 1.0}}
copies = rg.Run({"q2": [("w", 3), ("x", 3), ("y", 3), ("x", 2), ("z", 2), ("y", 1), ("z", 1)],
                 "q10": [("a", 1), ("b", 1), ("a", 1), ("é", 1), ("b", 1)]}, duplicates="in_place")
chunks = {"q2": {"y#1": 3, "x#2": 3, "w#0": 3, "x#9": 2, "y#0": 1}, "q10": {"b#2": 1, "a#1": 1,
          "b#1": 1, "é#7": 1.00000001}}
ranked = rg.Run(io.StringIO("q2 y 1\\nq2 x 4\\nq10 é 2\\nq10 b 3\\nq8 a 1\\n"))
one, other = rg.Qrels(QRELS), rg.Qrels({"q2": {"y": 1}, "q10": {"b": 1}})
first, second = rg.Run(RUN), rg.Run(same_ids)
parts = rg.Qrels({"q2": {"y": {"p": 1, "r": 2}, "x": {"p": 1}, "z": {}}, "q10": {"b": {"a": 1}}})
tied = rg.Run({"q2": [("x", 3), ("x", 3), ("w", 3), ("z", 2), ("y", 2), ("y", 2), ("x", 1)],
               "q10": [("é", 1), ("b", 1), ("é", 1), ("a", 1), ("b", 0)]}, duplicates="in_place")
settings = dict(own={"own_document": "drop"}, above={"drop_scores_at_most": 0.5}, single={
    "score_dtype": "float32"}, condensed={"unjudged": "drop"}, zero={"unjudged": "drop",
    "negative": "zero"})

def rules(words):
    # A convention with the named settings, such as "own single".
    fields = {}
    for word in words.split():
        fields |= settings[word]
    return rg.conventions["rankgain"].replace(name="mine", **fields)

OWN = {"2": {2: 5.0, "3": 1.0}, "q2": {"q2": 9, "y": 1}, 3: {"3": 1.5, 4: 1.0}}
M = ["nDCG@3", "AP", "RR", "P@2", "Judged@2"]
"""
PAIRS = ["QRELS, RUN", "rg.Qrels(QRELS), RUN", "QRELS, rg.Run(RUN)", "rg.Qrels(QRELS), rg.Run(RUN)"]
PAIRS += ["file_of(QRELS, True), file_of(RUN, False)", "one, file_of(RUN, False, True)"]
PAIRS += ["WHOLE_QRELS, WHOLE_RUN", "rg.Qrels(WHOLE_QRELS), WHOLE_RUN", "QRELS, LISTS"]
PAIRS += ["WHOLE_QRELS, rg.Run(WHOLE_RUN)", "SETS, LISTS", "SETS, RUN", "one, LISTS", "one, copies"]
PAIRS += ["numpy_qrels, numpy_run", "one, numpy_run", "numpy_qrels, RUN", "QRELS, same_ids"]
PAIRS += ["one, rg.Run(chunks, documents='#')", "one, ranked", "QRELS, MappingProxyType(RUN)"]
PAIRS += ["one, rg.Run(chunks, documents='#', duplicates='in_place')", "parts, first"]
PAIRS += ["parts, copies", "MappingProxyType(QRELS), RUN"]
NEGATIVE = [
    "dict(QRELS, q2={'x': -1, 'y': 2, 'w': -2}), RUN",
    "rg.Qrels({'q10': {'a': -1, 'b': 1}}), first",
    "{'q2': {'x': -1}}, file_of(RUN, False)",
]
TIES = ["average", "stable", "reverse", "best", "worst", "id", "id_descending"]
CONVENTIONS = ["rankgain", "trec", "pytrec_eval", "ranx", "beir", "sklearn", "mteb", "ir_measures"]
MEASURES = ["M", "M[:1]", "'AP'", "M[2:4]", "['RR', 'R@1']", "['nDCG@2', 'DCG@5']"]
EXCLUDED = ["'query'", "{'q2': ['y', 'w']}", "{'q10': ['b', 'a', 'é'], 'q2': ['none']}"]
EXCLUDED += ["{'q9': ['a']}", "{}", "rg.Qrels({'q2': ['x', 'x2'], 'q8': ['a']})", "{'q2': 'y'}"]
EXCLUDED += ["3", "{'q2': {'y': np.inf}}", "{'q2': [('y', 1)], 2: ['a']}"]
EXCLUDED += ["{'q2': ['y', 'y'], 'q10': []}", "{2: [5, 2], 10: [3]}", "[{'qid': 'q2', 'doc': 1}]"]
DOCUMENTS = [
    "'#'",
    "{'y#1': 'y', 'y#0': 'y', 'x#2': 'x', 'x#9': 'x', 'w#0': 'x', 'b#2': 'b', "
    "'b#1': 'a', 'a#1': 'a', 'é#7': 'b'}",
    "lambda c: c[0]",
    "{'y#1': 'y'}",
    "3",
]
CALLS = [
    *each("rg.evaluate({p}, M)", p=PAIRS),
    *each("rg.evaluate({p}, ['bpref', 'RR'])", p=PAIRS[:13]),
    *each("rg.evaluate({p}, ['bpref', 'DCG'], convention={c!r})", p=NEGATIVE, c=CONVENTIONS),
    *each("rg.evaluate({p}, 'AP', judged_only=True, ties={t!r})", p=NEGATIVE, t=TIES[:3]),
    *drawn(120, "rg.evaluate({p}, {m}, ties={t!r})", p=PAIRS, m=MEASURES, t=TIES),
    *drawn(80, "rg.evaluate({p}, {m}, convention={c!r})", p=PAIRS, m=MEASURES, c=CONVENTIONS),
    *drawn(
        110,
        "rg.evaluate({p}, {m}, convention=rules({c!r}), ties={t!r})",
        p=[*PAIRS, *NEGATIVE, "one, tied", "parts, tied", "one, rg.Run(chunks)"],
        m=MEASURES,
        c=["own", "above", "single", "condensed", "zero", "own single", "above single condensed"],
        t=TIES,
    ),
    *drawn(
        50,
        "rg.evaluate({p}, ['alpha_nDCG@3', 'StRecall@2', 'RR', 'ERR_IA@4'], ties={t!r}, "
        "convention=rules({c!r}))",
        p=["parts, copies", "parts, tied", "parts, RUN", "parts, LISTS"],
        c=["own", "above", "single", "condensed", "zero"],
        t=["stable", "reverse", "id", "id_descending"],
    ),
    *each("rg.evaluate(one, tied, M, ties={t!r})", t=TIES),
    *each(
        "rg.evaluate({{'2': {{'3': 1}}, 'q2': {{'y': 1}}, '3': {{'4': 2}}}}, {r}, 'AP', "
        "convention=rules('own'))",
        r=["OWN", "dict(reversed(OWN.items()))", "{'3': {3: 2, 4: 1}}"],
    ),
    *each(
        "rg.evaluate({q}, {r}, 'AP', exclude={e}).to_dict()",
        q=["WHOLE_QRELS", "rg.Qrels(WHOLE_QRELS)"],
        r=["WHOLE_RUN", "rg.Run(WHOLE_RUN)"],
        e=[
            "'query'", "{2: [5, 2**53 + 1, 2]}", "{10: [3, 20, -1], 7: [4]}",
            "{'2': ['5'], '10': ['3']}",
        ],
    ),
    *drawn(70, "rg.evaluate({p}, {m}, exclude={e})", p=PAIRS, m=MEASURES, e=EXCLUDED),
    *drawn(
        40,
        "rg.evaluate({p}, {m}, judged_only={j}, rel={r}, ties={t!r})",
        p=PAIRS,
        m=MEASURES,
        j=["True", "False"],
        r=["1", "2"],
        t=TIES,
    ),
    *drawn(
        60,
        "rg.evaluate(one, {r}, {m}, documents={d}, ties={t!r})",
        r=["chunks", "rg.Run(chunks)", "rg.Run(chunks, duplicates='in_place')"],
        m=MEASURES,
        d=DOCUMENTS,
        t=TIES,
    ),
    *drawn(
        40,
        "made = {r}; [rg.evaluate(j, made, 'AP', convention={c!r}, ties={t!r}).to_dict() for j in "
        "(one, other, one, parts)]",
        r=["first", "second", "copies", "rg.Run(chunks, documents='#')", "ranked"],
        c=CONVENTIONS,
        t=TIES,
    ),
    *drawn(
        40,
        "made = {r}; [rg.evaluate(one, made, {m}, ties=t).to_dict() for t in ({t!r}, {u!r}, {t!r})]",
        r=["first", "copies", "rg.Run(chunks, documents='#')", "ranked", "RUN"],
        m=["'AP'", "['RR', 'nDCG@2']"],
        t=TIES,
        u=TIES[::-1],
    ),
    *drawn(
        30,
        "made = {r}; [rg.evaluate(one, made, 'AP', exclude=e).to_dict() for e in "
        "({e}, None, {f}, {e})]",
        r=["first", "copies", "rg.Run(chunks, documents='#')", "RUN", "file_of(RUN, False)"],
        e=["'query'", "{'q2': ['y']}"],
        f=["'query'", "{'q10': ['b']}"],
    ),
    *each(
        "rg.evaluate(one, {r}, M, exclude={e}, ties={t!r})",
        r=["copies", "tied"],
        e=["{'q2': ['w', 'z']}", "{'q2': ['x'], 'q10': ['a', 'é']}", "{'q10': ['b'], 'q2': ['y']}"],
        t=["average", "id_descending", "stable"],
    ),
    *each(
        "rg.evaluate(rg.Qrels({{'q2': {{'x': -1, 'y': 2, 'z': -2}}, 'q10': {{'b': -1, 'a': 1}}}}), {r}, "
        "['AP', 'DCG'], convention=rules({c!r}))",
        r=["copies", "tied", "first"],
        c=["zero", "condensed", "own"],
    ),
    *each(
        "rg.evaluate({{'q': {{'y': 1}}}}, rg.Run(io.StringIO('q x 16777216\\nq y 16777217\\nq z "
        "16777218\\n')), ['RR', 'AP'], convention={c!r}, ties={t!r})",
        c=["pytrec_eval", "trec", "rankgain"],
        t=["average", "id"],
    ),
    *each(
        "rg.evaluate(rg.Qrels({{'10': {q}}}), {{10: {{3: 1.0, 5: 0.5, -4: 0.25, 0: 0.1}}}}, 'AP')",
        q=[
            "{'03': 2, '5': 1}", "{'-4': 1, '-0': 1}", "{'+3': 1, '0': 1}",
            "{' 3': 1, '5': 2, '00': 1}",
        ],
    ),
    # Warnings and errors of the join.
    "rg.evaluate({'q1': {'a': 1}}, {'q2': {'a': 1}}, 'AP')",
    "rg.evaluate({'q1': {'a': 1}, 'q2': {'b': 1}}, {'q2': {'x': 1, 'y': 2}, 'q1': {}}, 'AP')",
    "rg.evaluate({'q1': {'a': 1}, 'q2': {'b': 1}}, {'q2': {'a': 1}, 'q1': {'b': 1}}, 'AP')",
    "rg.evaluate({1: {2: 1}}, {'1': {'2': 1}}, 'AP')",
    "rg.evaluate({'1': {'2': 1}}, {1: {2: 1}}, 'AP')",
    "rg.evaluate({'01': {'02': 1}}, {1: {2: 1}}, 'AP')",
    "rg.evaluate({'q': {'a': 0.5, 'b': 0.25}}, {'q': {'a': 1, 'b': 0}}, 'AP')",
    "rg.evaluate({'q': {'a': 0.5, 'b': 0.25}}, {'q': {'a': 1, 'b': 17}}, 'AP')",
    "rg.evaluate({'q': {'a': 0.5, 'b': 1}}, {'q': {'a': 1, 'b': 0}}, 'AP')",
    "rg.evaluate({'q': {'a': 0.5, 'b': 0.25}}, {'q': ['a', 'b']}, 'AP')",
    "rg.evaluate({'q': {'a': 0.5, 'b': 0.25}}, {'q': ['a']}, 'AP')",
    "rg.evaluate(rg.Qrels({'q': {'a': 0.5, 'b': 1.5}}), rg.Run({'q': {'c': 1, 'b': -2}}), 'AP')",
    "rg.evaluate({'q': {'a': 1}, 'r': {'a': 1}}, {'q': dict(a=1, b=2, c=3), 'r': dict(a=1, b=2)}, "
    "'AP')",
    "rg.evaluate({'q': {'a': 1}, 'r': {'a': 1}}, {'q': dict(a=1, b=2), 'r': dict(c=1, a=2)}, 'AP')",
    "rg.evaluate({'q': {'a': 1}, 'r': {'a': 1}}, {'q': dict(a=1, b=2, c=3), 'r': dict(a=2, b=1)}, "
    "'AP')",
    "rg.evaluate(RUN, QRELS, 'AP')",
    "rg.evaluate(first, one, 'AP')",
    "rg.evaluate(one, one, 'AP')",
    "rg.evaluate(first, first, 'AP')",
    "rg.evaluate({'q': {'a': 1}}, {'q': {'a': 1}, 'r': {'b': None}}, 'AP')",
    "rg.evaluate({'q': {'a': 1}}, {'q': {'a': 1}, 'r': {None: 1}}, 'AP')",
    "rg.evaluate({'q': {'a': 1}}, {'q': {'a': 1, 'b': np.nan}}, 'AP')",
    "rg.evaluate({'q': {'a': 1}}, {'q': {'a': 1}, 'r': {'b': np.nan}}, 'AP')",
    "rg.evaluate({'q': {'a': np.inf}}, {'q': {'a': 1}}, 'AP')",
    "rg.evaluate({'q': {'a': 1}, 'r': {'b': 1, 'c': -np.inf}}, {'q': {'a': 1}}, 'AP')",
    "rg.evaluate({'q': {'a': 1}}, {'q': ['a', 'b', 'a']}, 'AP')",
    "rg.evaluate({'q': ['a', 'a', 'b']}, {'q': ['a', 'b']}, 'AP')",
    "rg.evaluate({'q': {'a': 1}, 7: {'b': 1}}, {'q': ['a', 'b']}, 'AP')",
    "rg.evaluate({'q': {'a': 1}}, {'q': ['a', 'b'], 7: ['a']}, 'AP')",
    "rg.evaluate({'q': {'a': 1}}, {'q': {'a': 1}, 'r': 3}, 'AP')",
    "rg.evaluate({'q': {'a': 1, 7: 1}}, {'q': {7: 1, 'a': 2}}, 'AP')",
    "rg.evaluate({'q': {'a': True}}, {'q': {'a': True, 'b': False}}, 'AP')",
    "rg.evaluate({}, {}, 'AP')",
    "rg.evaluate({}, RUN, 'AP')",
    "rg.evaluate(QRELS, {}, 'AP')",
    "rg.evaluate(QRELS, RUN, 'AP', rel=0)",
    "rg.evaluate(QRELS, RUN, 'nDCG', gain=[1, 2, 4, 8])",
    "rg.evaluate({'q': {}}, {'q': {'a': 1}}, 'AP')",
    "rg.evaluate(QRELS, io.StringIO('q2 Q0 x 1 2 t\\nq1 Q0 c 1 2 t\\nq2 Q0 x 2 1 t\\n'), 'AP')",
    "rg.evaluate(QRELS, io.StringIO('q2 Q0 x 1 2 t\\nq1 Q0 c 1 nan t\\n'), 'AP')",
    "rg.evaluate(QRELS, io.StringIO('q2 Q0 m 1 2 t\\nq1 Q0 n 1 1 t\\n'), 'AP')",
    "rg.evaluate(QRELS, io.StringIO('q2 Q0 x 1 2 t\\nq2 Q0 y 2 3 t\\nq1 Q0 c 1 1 t\\n'), 'AP')",
    "rg.evaluate(QRELS, io.StringIO('q2 Q0 x 1 2 t\\n#q2 Q0 y 2 3 t\\nq1 Q0 c 1 1 t\\n'), 'AP')",
    "rg.evaluate(QRELS, io.StringIO('q2 x 1\\nq2 y 2\\nq1 c 1\\n'), 'AP')",
    "rg.evaluate(QRELS, io.StringIO('q2 x 3\\nq2 y 7\\nq1 c 1\\n'), M)",
    "rg.evaluate(QRELS, io.StringIO('q2 x 3\\nq2 y 7\\nq1 c 1\\n'), 'AP', exclude={'q2': ['x']})",
    "rg.evaluate(one, ranked, M, judged_only=True)",
    "rg.evaluate(one, ranked, M, exclude={'q2': ['y'], 'q10': ['b']})",
    "rg.evaluate(one, rg.Run(chunks, documents='#'), 'AP', documents='#')",
    "rg.evaluate(one, 3, 'AP')",
    "rg.evaluate(None, RUN, 'AP')",
    "rg.evaluate(one, np.array([1.0]), 'AP')",
    # Dicts that change, and records that do not.
    "run = copy.deepcopy(RUN); made = rg.Run(run); run['q2']['w'] = 99; "
    "rg.evaluate(QRELS, made, 'AP').to_dict(), rg.evaluate(QRELS, run, 'AP').to_dict()",
    "qrels = copy.deepcopy(QRELS); made = rg.Qrels(qrels); qrels['q2']['w'] = 1; "
    "rg.evaluate(made, RUN, 'AP').to_dict(), rg.evaluate(qrels, RUN, 'AP').to_dict()",
    "made = pickle.loads(pickle.dumps(copies)); rg.evaluate(one, made, M, ties='worst')",
    "made = rg.Qrels(WHOLE_QRELS); [rg.evaluate(made, run, 'AP').to_dict() for run in (WHOLE_RUN, "
    "{str(q): {str(d): s for d, s in docs.items()} for q, docs in WHOLE_RUN.items()}, WHOLE_RUN)]",
    "rg.evaluate({'10': {'3': 1, '03': 2, 'x': 1}}, {10: {3: 1.0, 4: 0.5}}, 'AP').to_dict()",
    "rg.evaluate(rg.Qrels({'10': {'3': 1, '03': 2, 'x': 1}}), {10: {3: 1.0, 4: 0.5}}, M)",
]  # fmt: skip
