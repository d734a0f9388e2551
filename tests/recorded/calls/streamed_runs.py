"""Runs of files and pipes that are joined while they are read, in one thread or two."""

from recorded.recording import drawn, each

GIVEN = """
import gzip, io, sys
from pathlib import Path

def rows(queries, documents, shift=0):
    # A run; the scores fall, and are equal in pairs, and every fifth row is unjudged.
    lines = []
    for query in range(queries):
        for rank in range(documents - query % 3):
            document = (rank * 7 + query + shift) % 20
            lines.append(f"q{query} Q0 d{document}x{rank // 20} {rank + 1} {9 - rank // 2} t{query}")
    return lines

def text(lines):
    return "\\n".join(lines) + "\\n"

class Pipe(io.RawIOBase):
    name = "pipe"

    def __init__(self, data):
        self.data = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, block):
        data = self.data.read(min(len(block), 100))
        block[:len(data)] = data
        return len(data)

class Reader:
    def __init__(self, data):
        self.read = io.StringIO(data).read

def source(lines, form):
    data = text(lines).encode()
    if form == "path":
        Path("run").write_bytes(data)
        return "run"
    if form == ".gz":
        Path("run.gz").write_bytes(gzip.compress(data))
        return Path("run.gz")
    if form == "pipe":
        return Pipe(data)
    if form == "reader":
        return Reader(data.decode())
    return io.BytesIO(data) if form == "bytes" else io.StringIO(data.decode())

def from_input(lines):
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text(lines).encode()))
    try:
        return rg.evaluate(qrels, "-", M).to_dict()
    finally:
        sys.stdin = before

labels = {f"q{query}": {f"d{(query * 3 + i) % 20}x0": i % 4 for i in range(query + 1)}
          for query in (11, 3, 5, 0, 30, 8)}
qrels = rg.Qrels(labels)
run = rows(12, 9)
long = rows(12, 40)
M = ["nDCG@5", "RR", "R@3"]
"""
FORMS = ["path", ".gz", "pipe", "reader", "bytes", "text"]
RUNS = ["run", "long", "run[::-1]", "long[60:] + long[:60]", "long[1:] + long[:1]", "run[:1]"]
WRONG = [
    "{r} + ['q0 Q0 d1x0 1 x t']",
    "{r} + ['', 'q0 Q0 d1x0 1']",
    "{r}[:2] + ['q0 Q0 d1x0 1 x t'] + {r}[2:]",
    "{r} + {r}[-1:]",
    "{r} + {r}[3:4]",
    "{r}[:5] + {r}[2:3] + {r}[5:]",
    "{r} + ['#q0 Q0 d1x0 1 2 t', 'q40 Q0 d1x0 1 2 t']",
    "['# q0 Q0 d1x0 1 2 t'] + {r} + ['#q0 Q0 d1x0 1 2 t']",
    "{r}[:3] + ['#q0 Q0 d1x0 1 2 t'] + {r}[3:]",
    "[line.replace('d', 'e') for line in {r}]",
    "[line.replace(' Q0 ', ' ') for line in {r}]",
    "[' '.join(line.split()[::2][:2] + line.split()[3:4]) for line in {r}]",
    "[f'q{{i // 4}} Q0 d{{i}}x0 {{i % 4 + 1}} {{i}} t' for i in range(60)]",
    "[f'q{{i // 4}} Q0 d{{i}}x0 {{i % 4 + 1}} {{i % 9}} t' for i in range(60)]",
    "[]",
    "{r} + ['q99 Q0 d1x0 1 nan t', 'q98 Q0 d1x0 x 1 t']",
]
WRONG = list(dict.fromkeys(wrong.format(r=r) for wrong in WRONG for r in ("run", "long")))
CALLS = [
    *each("rg.evaluate(qrels, source({r}, {f!r}), M)", r=RUNS, f=FORMS),
    *drawn(60, "rg.evaluate(qrels, source({w}, {f!r}), 'RR')", w=WRONG, f=FORMS),
    *each("rg.evaluate(qrels, source({w}, 'path'), 'AP')", w=WRONG),
    *drawn(
        40,
        "rg.evaluate({q}, source({r}, {f!r}), {m}, threads={n}, convention={c!r})",
        q=["qrels", "labels"],
        r=RUNS,
        f=FORMS,
        m=["M", "'AP'", "['P@2', 'nDCG']"],
        n=[1, 2, 3],
        c=["rankgain", "trec", "pytrec_eval"],
    ),
    *each("from_input({r})", r=RUNS),
    "stream = source(long, 'bytes'); stream.seek(16 * 40); rg.evaluate(qrels, stream, 'AP')",
    "stream = source(run[::-1], 'bytes'); stream.readline(); rg.evaluate(qrels, stream, 'AP')",
    "stream = source(long, 'text'); rg.evaluate(qrels, stream, 'AP').to_dict(); stream.closed",
    "stream = source(long, 'bytes'); rg.evaluate(qrels, stream, 'AP'); stream.read(), stream.closed",
    # More rows than are joined at once.
    "rg.evaluate(qrels, source(rows(500, 80), 'path'), M).to_dict()",
    "lines = rows(500, 80); rg.evaluate(qrels, source(lines + rows(1, 9, 1)[-1:], 'text'), M)",
    "lines = rows(500, 80); rg.evaluate(qrels, source(lines + lines[8:9], 'path'), M)",
    "lines = rows(500, 80); rg.evaluate(qrels, source(lines[8:] + lines[:8], 'path'), M)",
    "rg.evaluate_runs(qrels, {'b': source(long, 'path'), 'a': source(run, 'bytes')}, M)",
]
