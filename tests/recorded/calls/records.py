"""Qrels and Run as objects: look-up, equality, copies and pickles, repeats, chunks, writing."""

from recorded.recording import drawn, each

GIVEN = """
import copy, gzip, io, pickle, uuid
from datetime import date
from pathlib import Path

def text_of(records, *arguments):
    file = io.StringIO()
    records.write(file, *arguments)
    return file.getvalue()

def written(records, name, *arguments):
    records.write(name, *arguments)
    data = Path(name).read_bytes()
    return gzip.decompress(data).decode() if name.endswith(".gz") else data.decode()

def facts(made):
    first = next(iter(made), None)
    return [repr(made), made.queries, len(made), {q: made.documents(q) for q in made},
            made.to_dict(), first in made, made.get(first), made == type(made)(made.to_dict())]

J = {"q10": {"b": 2, "a": 0, "é": 0.5}, "q2": {"zz": -1, "y": 1e17}, "q1": {"b": 3}}
R = {"q2": {"x": 0.5, "y": 2, "w": 0.5}, "q10": {"a": 1, "c": -np.inf}, "q7": {}, "q3": {"b": 1e-9}}
NUMBERED = {10: {3: 2, 20: 0}, 2: {5: 1, -1: 3}}
TWICE = [("y", 3), ("x", 3), ("b", 2), ("x", 2), ("y", 1)]
COPIES = {"q2": TWICE, "q10": [("c", 1), ("a", 1), ("c", 1)], "q9": [("e", 1)]}
CHUNKS = {"q2": {"y#1": 3, "x#2": 3, "b#7": 2, "x#9": 2, "y#0": 1}, "q10": {"c#2": 1, "c#1": 1}}
QRELS, RUN = rg.Qrels(J), rg.Run(R)
WHOLE = rg.Qrels(NUMBERED)
IN_PLACE = rg.Run(COPIES, duplicates="in_place")
DOCUMENTS = rg.Run(CHUNKS, documents="#")
KEPT = rg.Run(CHUNKS, documents="#", duplicates="in_place")
PARTS = rg.Qrels({"q2": {"y": {"p": 1, "r": 2}, "b": {"p": 0}}, "q1": {"c": {"a": 1}, "d": {}}})
OTHERS = [rg.Qrels(J), rg.Run(J), rg.Qrels({"q10": J["q10"]}), J, None, WHOLE, rg.Run(R), PARTS]
"""
RECORDS = ["QRELS", "RUN", "WHOLE", "IN_PLACE", "DOCUMENTS", "KEPT", "PARTS"]
KEYS = ['"q2"', '"q10"', '"none"', "2", "10", "np.int64(2)", "uuid.UUID(int=7)", '("q2", 1)']
KEYS += ["None", "2.0", 'b"q2"']
MEASURES = ['["AP", "nDCG@2"]', '"P@2"', '["RR", "R@1", "Judged@3"]']
CALLS = [
    *each("facts({r})", r=RECORDS),
    *each("facts(pickle.loads(pickle.dumps({r})))", r=RECORDS),
    *each("facts(copy.deepcopy({r})), copy.copy({r}) == {r}", r=RECORDS),
    *each("{k} in {r}", r=RECORDS[:4], k=KEYS),
    *each(
        "try:\n    got = {r}.documents({k}), {r}[{k}]\n"
        "except (KeyError, TypeError) as error:\n    got = type(error)\ngot",
        r=RECORDS[:4],
        k=KEYS,
    ),
    *each("[{r} == other for other in OTHERS], [{r} != other for other in OTHERS]", r=RECORDS),
    *each("len({{hash({r}), hash(type({r})({r})), hash({r})}})", r=RECORDS),
    *each("text_of({r})", r=RECORDS),
    *each("text_of({r}, 'mine')", r=["RUN", "IN_PLACE"]),
    *each("list({r}.items())[-1], list({r}.values())[0], list({r}.keys())", r=RECORDS),
    *each("[type(q).__name__ for q in {r}], {r}.get('no', 3)", r=RECORDS),
    *drawn(
        40,
        "made = pickle.loads(pickle.dumps({r})); rg.evaluate({j}, made, {m}, ties={t})",
        r=["RUN", "IN_PLACE", "DOCUMENTS", "KEPT"],
        j=["QRELS", "PARTS", "pickle.loads(pickle.dumps(QRELS))"],
        m=MEASURES,
        t=['"id_descending"', '"id"', '"stable"', '"reverse"', '"average"'],
    ),
    "rg.evaluate(pickle.loads(pickle.dumps(WHOLE)), {10: {20: 1.0}}, 'AP').to_dict()",
    "rg.evaluate(WHOLE, {2: [5, 7], 10: [3]}, 'AP').to_dict()",
    "rg.evaluate(pickle.loads(pickle.dumps(PARTS)), {'q2': ['b', 'y']}, 'alpha_nDCG@2')",
    # Equality.
    "rg.Run({'a': {'x': 1, 'y': 1}}) == rg.Run({'a': {'y': 1, 'x': 1}})",
    "rg.Run({'a': {'x': 1}, 'b': {'y': 2}}) == rg.Run({'b': {'y': 2}, 'a': {'x': 1}})",
    "rg.Run({'a': {'x': 1}, 'b': {'y': 2}}) == rg.Run({'b': {'y': 1}, 'a': {'x': 1}})",
    "rg.Run({'a': {'x': 1}, 'b': {}}) == rg.Run({'a': {'x': 1}})",
    "rg.Run({'a': {'x': 1}}) == rg.Run({'a': {'x': 1, 'y': 0}})",
    "rg.Run({'a': {'x': 1, 'z': 0}}) == rg.Run({'a': {'x': 1, 'y': 0}})",
    "rg.Run({'a': {'x': 1, 'y': 0}, 'b': {'z': 1}}) == rg.Run({'b': {'z': 1, 'y': 0}, 'a': "
    "{'x': 1}})",
    "rg.Qrels({1: {2: 3}}) == rg.Qrels({'1': {'2': 3}})",
    "rg.Qrels({'a': {'x': 1}}) == rg.Run({'a': {'x': 1}})",
    "PARTS == rg.Qrels({q: PARTS[q] for q in PARTS}), rg.Qrels(PARTS) == PARTS",
    "PARTS == rg.Qrels({'q1': {'d': {}, 'c': {'a': 1}}, 'q2': {'b': {'p': 0}, 'y': {'r': 2, "
    "'p': 1}}})",
    "PARTS == rg.Qrels({'q2': {'y': {'p': 1, 'r': 2}, 'b': {}}, 'q1': {'c': {'a': 1}, 'd': {}}})",
    "PARTS == rg.Qrels({'q2': {'y': {'p': 1, 'r': 2}, 'b': {'p': 0}}, 'q1': {'c': {'b': 1}, "
    "'d': {}}})",
    "rg.Run(io.StringIO('a x 1\\na y 3\\n')) == rg.Run(io.StringIO('a x 1\\na y 2\\n'))",
    "rg.Run(io.StringIO('a x 1\\na y 3\\n')) == rg.Run(io.StringIO('a x 1\\na y 3\\n'))",
    "rg.Run(io.StringIO('a x 1\\na y 3\\n')) == rg.Run({'a': {'x': -1, 'y': -3}})",
    "rg.Run(io.StringIO('a x 0\\na y 3\\n')) == rg.Run(io.StringIO('b x 1\\na y 3\\n'))",
    "len({RUN, rg.Run(R), QRELS, rg.Qrels(J), WHOLE})",
    # Writing.
    "written(QRELS, 'x.qrels'); rg.Qrels.read('x.qrels') == QRELS",
    "written(RUN, 'x.gz', 'tag'); rg.Run.read('x.gz') == RUN",
    "written(RUN, 'x.tsv'); written(PARTS, 'y.gz'); rg.Qrels.read('y.gz', duplicates='best')",
    "PARTS.write(Path('p')); rg.Qrels(Path('p'), subtopics=True) == PARTS",
    "data = io.BytesIO(); QRELS.write(data); data.getvalue(), data.closed",
    "data = io.BytesIO(); RUN.write(data, tag='t2'); data.getvalue().decode(), data.closed",
    "RUN.write('x.json')",
    "QRELS.write(Path('x.parquet'))",
    "QRELS.write('x.jsonl.gz')",
    *each("text_of(RUN, {t!r})", t=["", "a b", "#a", " a", "a\t", "\ufeffa", "a\0b", "é", "a#"]),
    *each("text_of(rg.Run({{'q': {{'b': 1, {d!r}: 2}}}}))", d=["", "a b", "#a", "\ufeffa", "a\0"]),
    *each("text_of(rg.Qrels({{'q': {{'b': 1, {d!r}: 2}}}}))", d=["", "a b", "#a", "\xa0", "a\nb"]),
    *each("text_of(rg.{k}({{{q!r}: {{'b': 1}}}}))", k=["Run", "Qrels"], q=["", "a b", "#a", "x"]),
    "text_of(rg.Qrels({'q': {'b': {'a b': 1}}}))",
    "text_of(rg.Qrels({'q': {'b': 2.0, 'c': -0.0, 'd': 1e300, 'e': -3.5, 'f': 0.1}}))",
    "text_of(rg.Run({'q': {'b': 2, 'c': -0.0, 'd': 1e300, 'e': 0.1, 'f': np.float32(0.1)}}))",
    "text_of(rg.Run(io.StringIO('a x 1\\na y 3\\n')))",
    "rg.Run(io.StringIO('a x 1\\na y 3\\n')).write('x')",
    "try:\n    rg.Run({'q': {'b': 1}, 'r s': {}, 't': {'a b': 1}}).write('x')\nexcept ValueError "
    "as error:\n    got = str(error)\ngot, Path('x').exists()",
    "Path('x').write_text('before'); rg.Run({'q': {'b c': 1}}).write('x')",
    # Repeats and chunks.
    *each("facts(rg.Run(COPIES, duplicates={p!r}))", p=["first", "last", "best", "in_place"]),
    *each("rg.Qrels(COPIES, duplicates={p!r}).to_dict()", p=["first", "last", "best", "mean"]),
    *each("rg.{k}(COPIES)", k=["Run", "Qrels"]),
    *each("rg.{k}({{}}, duplicates={p!r})", k=["Run", "Qrels"], p=["mean", "in_place", "x", 3, ""]),
    "rg.Qrels(PARTS, duplicates='in_place')",
    "rg.Qrels({'q': {'a': {'p': 1}}}, duplicates='in_place')",
    "rg.Qrels({'q': {'a': {'p': 1}}}, duplicates='raise').subtopics",
    "rg.Run(DOCUMENTS) == DOCUMENTS; rg.evaluate(QRELS, rg.Run(DOCUMENTS), 'AP', ties='id')",
    "rg.evaluate(QRELS, KEPT, 'AP', documents='#')",
    "rg.evaluate(QRELS, DOCUMENTS, 'AP', documents='#')",
    "class Child(rg.Run): pass\nmade = Child(R); repr(made), made == RUN, RUN == made",
    "class Child(rg.Qrels): pass\nmade = Child.read(io.StringIO('q 0 a 1'))\n"
    "type(made).__name__, type(pickle.loads(pickle.dumps(rg.Qrels(J)))).__name__",
]
