"""Qrels and Run from files and streams of rows: TREC's forms, fewer columns, and what is refused."""

from recorded.recording import drawn, each

GIVEN = """
import bz2, contextlib, gzip, io, lzma, os, sys, warnings
from pathlib import Path

def shown(made):
    return repr(made), {query: list(made[query].items()) for query in made}

def data_of(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")

class Pipe(io.RawIOBase):
    # It cannot go back, and hands out few bytes at a time.
    def __init__(self, data):
        self.data = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, block):
        data = self.data.read(min(len(block), 7))
        block[:len(data)] = data
        return len(data)

class Reader:
    # It has nothing but read.
    def __init__(self, text):
        self.read = io.StringIO(text).read

PACK = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

def source(text, form):
    # The text as a file, packed by the suffix, or as another source.
    data = data_of(text)
    if form.startswith("."):
        suffix = os.path.splitext(form)[1] or form
        Path("file" + form).write_bytes(PACK.get(suffix, bytes)(data))
        return "file" + form
    forms = {
        "path": lambda: (Path("rows").write_bytes(data), Path("rows"))[1],
        "bytes": lambda: io.BytesIO(data),
        "packed": lambda: io.BytesIO(gzip.compress(data)),
        "text": lambda: io.StringIO(data.decode("utf-8", "surrogateescape")),
        "pipe": lambda: Pipe(data),
        "buffered": lambda: io.BufferedReader(Pipe(data)),
        "reader": lambda: Reader(data.decode("utf-8", "surrogateescape")),
    }
    return forms[form]()

def run(text, form="bytes", **options):
    return shown(rg.Run.read(source(text, form), **options))

def qrels(text, form="bytes", **options):
    return shown(rg.Qrels.read(source(text, form), **options))

def from_input(data, kind, **options):
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data_of(data)))
    try:
        return shown(kind.read("-", **options))
    finally:
        sys.stdin = before

RUN = "q2 Q0 b 1 2.5 t\\nq10 Q0 a 1 1e3 t\\nq2 Q0 a 2 2.5 t\\nq10 Q0 é 2 -inf t\\nq3 Q0 a 1 .5 t\\n"
QRELS = "q2 0 b 1\\nq10 0 a 3\\nq2 0 a 0\\n\\n# c\\nq10 0 é -1\\nq3 0 x 2.5\\n"
TABS = "q 2\\tQ0\\tb x\\t1\\t2.5\\tt t\\nq10\\tQ0\\ta\\t1\\t7\\tt\\nq10 Q0 c 1 8 t\\n"
TAB_QRELS = "q 2\\t0\\tb x\\t1\\nq10\\t0\\ta\\t2\\nq10 0 c 3\\n"
THREE = "q2 b 1\\nq10 a 1\\nq2 a 2\\nq10 c 2\\n"
GAPS = "q2 b 1\\nq2 a 4\\nq10 a 2\\nq10 c 7\\n"
FOUR = "q2 b 2 0.5\\nq2 a 1 0.75\\nq10 a 0 3\\nq10 c 1 2\\n"
PAIRS = "q2\\tb\\nq10\\ta\\nq2\\ta\\n"
LABELS = "q2 b 2\\nq10 a 0\\nq2 a 1\\n"
SAME = "q2 0 b 1\\nq2 0 a 1\\nq2 0 b 1\\nq3 0 c 2\\nq3 0 d 0\\nq3 0 c 3\\n"
SAME_RUN = "q3 Q0 c 1 5 t\\nq2 Q0 b 1 9 t\\nq2 Q0 a 2 8 t\\nq3 Q0 d 2 7 t\\nq3 Q0 c 3 6 t\\n"
JUDGED = "# c\\n2 qid:10 # d1 x\\n0.5 qid:9 #d2\\n\\n# x\\n-1 qid:10 # d3\\n"
AGAINST = "q2 Q0 a 1 1 t\\nq2 Q0 b 2 2 t\\nq1 Q0 c 1 5 t\\nq1 Q0 d 2 6 t\\n"
COMMENT = "q2 Q0 a 1 3 t\\n#q2 Q0 b 2 2 t\\nq1 Q0 c 1 5 t\\n# q1 Q0 d 2 6 t\\n"
"""
FORMS = ["path", "bytes", "packed", "text", "pipe", "buffered", "reader", ".txt", ".gz", ".xz"]
FORMS += [".bz2", ".run"]
TABLES = [".tsv", ".csv", ".tsv.gz", ".csv.bz2"]  # which hold rows, as their first line shows
RUNS = ["RUN", "TABS", "THREE", "GAPS", "FOUR", "SAME_RUN", "PAIRS", "AGAINST", "COMMENT"]
QRELS = ["QRELS", "TAB_QRELS", "LABELS", "PAIRS", "SAME", "JUDGED"]
RUN_POLICIES = ["raise", "first", "last", "best", "in_place"]
QRELS_POLICIES = ["raise", "first", "last", "best", "mean"]
WRONG_RUNS = [
    '""',
    '"\\n\\n# nothing\\n"',
    'RUN + "q2 Q0 c 1 x t\\n"',
    'RUN + "q2 Q0 c 1 nan t\\nq2 Q0 d 1 x t\\n"',
    'RUN + "q2 Q0 c 1 x t\\nq2 Q0 d 1 nan t\\n"',
    'RUN + "q2 Q0 c 1.5 1 t\\n"',
    'RUN + "q2 Q0 c -1 1 t\\n"',
    'RUN + "q2 Q0 c one 1 t\\n"',
    'RUN + "\\n\\nq2 Q0 c 1 1\\n"',
    'RUN + "q2 Q0 c 1 1 t u\\n"',
    'RUN + "q2 Q0 c\\n"',
    'RUN.replace("q2 Q0 a", "#q2 Q0 a")',
    'RUN.replace("\\n", "\\r\\n")',
    'RUN.replace("\\n", "\\r")',
    '"\\ufeff" + RUN',
    'RUN.encode("utf-16")',
    "RUN[:-1]",
    '"\\n".join(["q2 Q0 %s 1 3 t" % doc for doc in "abcba"])',
    '"q2 Q0 a 1 3 t\\nq1 Q0 c 1 5 t\\n\\nq2 Q0 b 1 2 t\\nq1 Q0 d 2 6 t\\nq2 Q0 a 2 6 t\\n"',
    '"q2 0 a 1\\nq2 0 b 0\\n"',
    '"q2 Q0 a 1 9 t\\n" * 2 + "q1 Q0 b 1 9 t\\n" * 2',
    '"q2 a 1\\nq2 b 3\\nq2 c 2\\n"',
    '"q2 a 1\\nq2 b 2\\nq1 c 3\\nq1 d 3\\n"',
    '"q2 a 1\\nq1 c 3\\nq2 b 1.5\\nq1 d 4\\n"',
    '"q2 a 2\\nq2 b 1\\nq1 c 3\\nq1 e 2\\nq1 d 1\\n"',
    '"q1 x 0\\nq2 a 1\\nq2 b 0\\n\\nq3 c 2\\nq3 e 1\\nq3 d 0\\n"',
    '"q2 a 2\\nq2 b 1\\nq1 c 1\\nq1 e 0\\n"',
    '"q2 a -2\\nq2 b -1\\nq1 c -1\\n"',
    '"q2 a 0.5\\nq2 b 0.25\\nq1 c 0.75\\n"',
    '"q2 a 1\\nq2 b x\\n"',
    '"q2 a 1\\nq1 b 0\\nq2 b 2\\nq1 c 1\\n"',
    '"q2 a 1 0.5\\nq2 b 3 0.4\\nq1 c 1 0.2\\n"',
    '"q2 a 1 0.5\\nq1 c 1 0.2\\n\\nq2 b 1 0.4\\nq1 d 1 0.3\\n"',
    '"q2 a 1 5\\nq2 b 2 4\\nq1 c 1.5 2\\n"',
    '"q2 a 0 5\\nq2 b 1 4\\nq1 c 1 2\\n"',
    '"q2 a 1 5\\nq2 b 2\\n"',
    '"q2 a 1 nan\\n"',
    '"q2\\ta\\nq1\\tb\\tc\\n"',
    '"q2 a\\nq1 b\\n"',
    "JUDGED",
    '"2 qid:10 1:0.5 2:1\\n"',
    '"2 1:0.5 2:1\\n"',
    '"1 [3,1,2]\\n2 [1, 2]\\n"',
    '"1\\tU1\\tTime\\tN1 N2\\tN3-1 N4-0\\n"',
    '"q1,a,1\\nq2,b,2\\n"',
    'b"PK\\x03\\x04" + bytes(40)',
    "lzma.compress(RUN.encode())[:-9]",
    'gzip.compress(RUN.encode()) + gzip.compress(b"q9 Q0 a 1 2 t\\n")',
    '"q\\udcff Q0 \\udce9 1 2 t\\nq\\udcfe Q0 \\udce9 1 3 t\\n"',
    '"q2 Q0 a 1 1e400 t\\nq2 Q0 b 1 -0.0 t\\nq2 Q0 c 1 0 t\\nq2 Q0 d 1 +1.5E-2 t\\n"',
    '"q2 Q0 a 1 9007199254740993 t\\nq2 Q0 b 1 9007199254740992 t\\n"',
]
WRONG_QRELS = [
    '""',
    'QRELS + "q2 0 c x\\nq2 0 d\\n"',
    'QRELS + "q2 0 d\\nq2 0 c x\\n"',
    'QRELS + "q2 0 c nan\\n"',
    'QRELS + "q2 0 c inf\\n"',
    '"q1 0 a 1\\n\\nq2 0 c -inf\\nq2 0 d inf\\n"',
    'QRELS + "q2 0 c 1 t\\n"',
    'QRELS + "q2 Q0 c 1 2.5 t\\n"',
    'QRELS + "q2 c\\n"',
    '"q2 Q0 c 1 2.5 t\\n"',
    '"q2 1 a 1\\nq2 2 a 1\\nq2 1 b 0\\n"',
    '"q2 1 a 1\\nq1 2 b 1\\n\\nq1 2 c 1\\nq2 3 a 2\\n"',
    '"q2 1 a 1\\nq2 2 b 1\\nq2 2 c 0\\n"',
    '"u1 10 4 20030101\\nu1 11 5 20030102\\nu2 10 3 20040101\\n"',
    '"u1 10 978300760\\nu1 11 978300761\\nu2 10 3\\n"',
    '"u1 10 3\\nu1 11 978300761\\nu2 10 978300760\\n"',
    '"u1 10 978300760\\nu1 11 3\\nu2 10 3\\n"',
    '"u1 10 3.5 17\\nu1 11 4 18\\n\\nu2 10 0.5 17\\n"',
    '"u1 10 3 117\\nu1 11 4 18\\nu2 10 10 90\\n"',
    '"u1 10 33 17\\nu1 11 44 2\\nu2 10 50 90\\n"',
    '"u1 10 33 1\\nu1 11 44 2\\nu2 10 50 90\\n"',
    '"u1 10 33 1\\nu1 11 44 2\\nu2 10 50 1\\n"',
    '"1 qid:1 # #\\n"',
    '"3 qid:1 # d1\\n2 qid:2 # d1\\n2 qid:2 d1\\n"',
    '"3 qid:1 # d1\\n2 qid:2 #\\n2 qid:2 d1\\n"',
    '"3 qid:1 # d1\\nx qid:2 # d2\\n"',
    '"3 qid:1 # d1\\n3 qid:1 # d1\\n2 qid:1 # d1\\n"',
    '"3 qid:1 # d1\\n2 qid:2 1:0.5 # d2\\n"',
    '"2 qid:10 1:0.5 2:1\\n"',
    '"2 1:0.5 2:1\\n"',
    '"1 [3,1,2]\\n2 [1, 2]\\n"',
    '"1\\tU1\\tTime\\tN1 N2\\tN3-1 N4-0\\n"',
    '"query_id\\tdoc_id\\tlabel\\nq1\\ta\\t1\\n"',
    '"#q1 0 a 1\\nq2 0 b 1\\n"',
    '"q1\\ta\\nq1\\tb\\tc\\td\\n"',
    '"q1 a\\nq1 b\\n"',
    '"q1 a 1\\nq1 b 2 3\\n"',
    'QRELS.replace("\\n", "\\r\\n")',
    'QRELS.replace("\\n", "\\r")',
    '"\\ufeff" + QRELS',
    '"\\ufeff" + JUDGED',
    'QRELS.encode("utf-16")',
    "bz2.compress(QRELS.encode())[:30]",
    "lzma.compress(QRELS.encode())[:-30]",
]
CALLS = [
    *each("run({r}, {f!r})", r=RUNS[:6], f=FORMS),
    *each("qrels({r}, {f!r})", r=QRELS, f=FORMS),
    *each("run({r}, {f!r})", r=["RUN", "SAME_RUN", "AGAINST"], f=TABLES),
    *each("run({r}, {f!r})", r=["THREE", "GAPS", "FOUR", "PAIRS"], f=[".tsv", ".tsv.gz"]),
    *each("qrels({r}, {f!r})", r=["QRELS", "SAME", "JUDGED"], f=TABLES),
    *each("qrels({r}, {f!r})", r=["LABELS", "PAIRS"], f=[".tsv", ".tsv.gz"]),
    *drawn(40, "run({r}, {f!r}, duplicates={p!r})", r=RUNS, f=FORMS, p=RUN_POLICIES),
    *drawn(40, "qrels({r}, {f!r}, duplicates={p!r})", r=QRELS, f=FORMS, p=QRELS_POLICIES),
    *each("run({w})", w=WRONG_RUNS),
    *each("qrels({w})", w=WRONG_QRELS),
    *drawn(90, "run({w}, {f!r})", w=WRONG_RUNS, f=["path", "text", "pipe", ".txt"]),
    *drawn(90, "qrels({w}, {f!r})", w=WRONG_QRELS, f=["path", "text", "pipe", ".txt"]),
    *each(
        "from_input({d}, rg.Run)", d=["RUN", "THREE", "SAME_RUN", "gzip.compress(data_of(TABS))"]
    ),
    *each("from_input({d}, rg.Qrels)", d=["QRELS", "JUDGED", "SAME", "AGAINST", "''"]),
    # Warnings point to the call.
    "rg.Run.read(source(AGAINST, 'path')).to_dict()",
    "rg.Run.read(source(COMMENT, 'path')).to_dict()",
    "rg.Run.read(source(COMMENT + AGAINST.replace('q', 'p'), 'text')).queries",
    "rg.Run(source(AGAINST, '.gz')).queries",
    "rg.Run.read(source(AGAINST + 'q9 Q0 d 2 6 t\\n', 'path')).queries",
    "rg.Run.read(source(AGAINST + 'q9 Q0 d 1 6 t\\nq9 Q0 e 2 5 t\\n', 'path')).queries",
    "rg.Qrels.read(source('#q1 0 a 1\\nq2 0 b 1\\n#q3 0 a 1\\n', 'path')).queries",
    "rg.Run.read('none\\0')",
    "stream = io.BytesIO(data_of(RUN)); stream.read(16); shown(rg.Run.read(stream)); stream.closed",
    "file = source(QRELS, 'bytes'); rg.Qrels.read(file).queries; file.closed; rg.Qrels.read(file)",
    "file = source(QRELS, 'bytes'); rg.Qrels.read(file).queries; file.seek(0); rg.Qrels(file).queries",
]
