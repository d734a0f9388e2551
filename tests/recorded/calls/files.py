"""Paths, patterns, folders, compressed and damaged files, open files, and files that are written."""

from recorded.recording import each

# fmt: off
GIVEN = """
import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from pathlib import Path
QRELS = b"q1 0 a 2\\nq1 0 b 0\\nq1 0 c 1\\nq2 0 x 1\\nq2 0 y 0\\n"
RUN = b"q2 Q0 y 1 2.5 t\\nq2 Q0 x 2 1.5 t\\nq1 Q0 b 1 9.0 t\\nq1 Q0 a 2 8.5 t\\nq1 Q0 z 3 1.0 t\\n"
OTHER = b"q1 Q0 a 1 3 o\\nq2 Q0 x 1 2 o\\nq2 Q0 w 2 1 o\\n"
PACKED = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "txt": bytes}
MEASURES = ["AP", "nDCG@2", "RR"]
def write(content, name="run.txt"):
    Path(name).parent.mkdir(parents=True, exist_ok=True); Path(name).write_bytes(content); return name
def evaluate(run, qrels="qrels.txt"): write(QRELS, "qrels.txt"); return rg.evaluate(qrels, run, MEASURES)
def several(names=("a/bm25.txt", "a/dense.run", "b/bm25.txt", "a/x/deep.txt", "a/[1].txt")):
    for place, name in enumerate(names): write(RUN if place % 2 else OTHER, name)
    return write(QRELS, "qrels.txt")
def inside(kind):
    if kind == "zip":
        with zipfile.ZipFile("run.zip", "w") as file: file.writestr("run.txt", RUN)
        return "run.zip"
    write(RUN)
    with tarfile.open("run.tar", "w") as file: file.add("run.txt")
    return "run.tar"
def refused(function):
    try: return function()
    except Exception as error: return type(error).__name__, getattr(error, "filename", None) or str(error)[:35]
def names(runs): return {name: run.means for name, run in runs.items()}
class Source:
    def __init__(self, content, size=7): self.content, self.size = io.BytesIO(content), size
    def read(self, size=-1): return self.content.read(min(self.size, size) if size > 0 else self.size)
class Texts:
    name = "socket\\x07"
    def __init__(self, text): self.parts = [text[:11], text[11:]]
    def read(self, size=-1): return self.parts.pop(0) if self.parts else ""
"""
SAVED = ["write(RUN)", "write(PACKED['gz'](RUN))", "write(PACKED['bz2'](RUN))", "write(PACKED['xz'](RUN))", "Path(write(RUN))", "write(PACKED['gz'](PACKED['bz2'](RUN)))", "write(RUN.decode().encode('utf-16'))", "write(b'\\xef\\xbb\\xbf' + RUN)", "write(RUN.replace(b'\\n', b'\\r\\n'))", "write(RUN[:-1])", "write(PACKED['gz'](RUN[:40]) + PACKED['gz'](RUN[40:]))",
         "write(PACKED['bz2'](RUN[:40]) + PACKED['bz2'](RUN[40:]))", "write(PACKED['xz'](RUN[:40]) + bytes(8) + PACKED['xz'](RUN[40:]) + bytes(4))", "write(RUN, 'a b/run#1.txt')", "write(RUN, 'run[1].txt')", "write(RUN, 'run?.txt')", "write(RUN, 'é\\x07.txt')", "io.BytesIO(RUN)", "io.StringIO(RUN.decode())", "io.BytesIO(PACKED['xz'](RUN))", "Source(RUN)", "Source(RUN, 1)", "Texts(RUN.decode())", "io.BufferedReader(io.BytesIO(RUN))",
         "io.BytesIO(b'\\xef\\xbb\\xbf' + RUN)", "gzip.open(write(PACKED['gz'](RUN)))", "write(b'\\n\\n' + RUN + b'\\n')", "write(RUN + b' ' * 300000 + b'\\n')"]
DAMAGED = ["write(PACKED['bz2'](RUN)[:-5])", "write(PACKED['xz'](RUN)[:-20])", "write(PACKED['bz2'](RUN) + PACKED['bz2'](RUN)[:20])", "inside('zip')", "inside('tar')", "write(b'\\x04\"M\\x18' + RUN)", "write(RUN.replace(b'\\n', b'\\r'))", "write(PACKED['gz'](RUN.replace(b'\\n', b'\\r')))", "'no*.txt'", "'a\\0b'", "'a\\ud800'",
           "io.BytesIO(inside('zip').encode() and Path('run.zip').read_bytes())", "write(RUN + b'q1 Q0 k 4 x t\\n')", "write(PACKED['gz'](RUN + b'q1 Q0 k 4 x t\\n'))", "io.BytesIO(RUN + b'q1 Q0 k 4 x t\\n')", "write(RUN + b'q1 Q0 k\\n')", "write(RUN + b'q1 Q0 a 7 1.0 t\\n')", "write(RUN + b'q1 Q0 \\xff 4 x t\\n')", "write(b'')", "write(b'\\n')"]
OF_SYSTEM = ["write(PACKED['gz'](RUN)[:-9])", "write(PACKED['gz'](RUN)[:30])", "write(PACKED['xz'](RUN)[:30] + b'x' * 90)", "write(PACKED['bz2'](RUN)[:30] + b'x' * 90)", "'missing.txt'", "'x' * 300", "'é' * 300", "write(RUN, 'd/run.txt') and 'd'", "os.mkdir('empty') or 'empty'", "'d/' + 'y' * 260 + '/z.txt'"]
CALLS = [
    *each("evaluate({s})", s=SAVED), *each("evaluate({s})", s=DAMAGED), *each("rg.evaluate({s}, {{'q1': {{'a': 1.0, 'b': 2.0}}, 'q2': {{'x': 1.0}}}}, MEASURES)", s=[s.replace("RUN", "QRELS") for s in SAVED]), *each("rg.Qrels({s}).to_dict()", s=[s.replace("RUN", "QRELS").replace(" Q0 k 4 x t", " 0 k x").replace(" Q0 a 7 1.0 t", " 0 a 7").replace(" Q0 k", " 0 k") for s in DAMAGED]),
    *each("refused(lambda: evaluate({s}))", s=OF_SYSTEM), *each("refused(lambda: rg.evaluate({s}, io.BytesIO(RUN), MEASURES))", s=OF_SYSTEM), *each("refused(lambda: rg.evaluate_runs(several(), [{s}, 'a/bm25.txt'], MEASURES))", s=OF_SYSTEM[4:]),
    # An open file stays open, and stands where it was left.
    *each("with open({o}) as f: print(evaluate(f), f.closed)", o=["write(RUN), 'rb'", "write(RUN)", "write(RUN), 'rb', 0", "write(PACKED['gz'](RUN)), 'rb'"]), "f = io.BytesIO(RUN); evaluate(f).means; f.closed, f.tell(), f.read()", "f = open(write(PACKED['gz'](RUN)), 'rb'); evaluate(f).means; f.closed; f.close()", "f = io.BytesIO(b'skipped\\n' + RUN); f.readline(); evaluate(f).means", "f = io.StringIO(RUN.decode()); evaluate(f).means; f.closed", "f = io.BytesIO(RUN.decode().encode('utf-16')); evaluate(f).means; f.closed",
    # Patterns and folders.
    "refused(lambda: rg.evaluate_runs(several(), ['a/bm25.txt', 'none.txt'], MEASURES))",
    *each("q = several(); names(rg.evaluate_runs(q, {p}, MEASURES))", p=["'a/*.txt'", "'a/*'", "'*/bm25.txt'", "'**/*.txt'", "'a/**'", "'a'", "['a/bm25.txt', 'a/dense.run']", "['a/bm25.txt', 'b/bm25.txt']", "['b', 'a/dense.run']", "'a/[1].txt'", "'a/[bd]*'", "'[ab]/bm25.*'", "Path('a')", "('a/bm25.txt',)", "'a/none*'", "['a/bm25.txt', 'no*']", "'a/bm25.txt'", "[]", "'?/x/*'", "'a/x/'", "['a/dense.run', Path('b/bm25.txt')]", "{'one': 'a/bm25.txt', 'two': Path('a/dense.run')}"]),
    "q = several(['d[1]/r.txt', 'd1/r.txt', 'd1/s.txt']); names(rg.evaluate_runs(q, 'd[1]/*.txt', MEASURES))", "q = several(['d1/r.txt', 'd2/s.txt']); names(rg.evaluate_runs(q, 'd[12]/*.txt', MEASURES))", "q = several(['d/r.txt']); os.symlink('gone.txt', 'd/s.txt'); rg.evaluate_runs(q, 'd', MEASURES)", "q = several(['d/r.txt']); os.symlink('r.txt', 'd/s.txt'); names(rg.evaluate_runs(q, 'd', MEASURES))", "q = several(); os.mkdir('e'); rg.evaluate_runs(q, 'e', MEASURES)",
    "refused(lambda: rg.evaluate_runs(several(), 'a/' + 'y' * 260 + '*', MEASURES))",
    # Files that are written.
    *each("rg.{c}.write({t}); Path({n!r}).read_bytes() if {n!r} else None", c=["Qrels({'q2': {'x': 1}, 'q1': {'b': 0, 'a': 2}})", "Run({'q2': {'x': 1.5}, 'q1': {'b': 3, 'a': 4.25}})"], t=["'out.txt'", "Path('out.txt')"], n=["out.txt"]),
    *each("rg.Run({{'q2': {{'x': 1.5}}, 'q1': {{'b': 3, 'a': 4.25}}}}).write('out.{s}'); {o}.read()", s=["gz"], o=["gzip.open('out.gz')"]), "rg.Run({'q': {'a': 1}}).write('out.txt.bz2'); bz2.open('out.txt.bz2').read()", "rg.Run({'q': {'a': 1}}).write('OUT.XZ'); lzma.open('OUT.XZ').read()", *each("rg.{c}.write('out{s}')", c=["Run({'q': {'a': 1}})", "Qrels({'q': {'a': 1}})"], s=[".json", ".jsonl", ".parquet", ".pq", ".json.gz", ".NDJSON"]),
    "f = io.StringIO(); rg.Run({'q': {'a': 1}}).write(f); f.getvalue()", "f = io.BytesIO(); rg.Run({'é': {'a': 1}}).write(f); f.getvalue(); f.closed", "write(b'old', 'out.txt'); os.chmod('out.txt', 0o640); rg.Run({'q': {'a': 1}}).write('out.txt'); oct(os.stat('out.txt').st_mode); os.listdir()", "write(b'old', 'real.txt'); os.symlink('real.txt', 'out.txt'); rg.Run({'q': {'a': 1}}).write('out.txt'); os.path.islink('out.txt'), Path('real.txt').read_text()",
    "try: rg.Run({'q': {'a': 1}}).write('none/out.txt')\nexcept OSError as error: print(type(error).__name__, error.filename)\nos.listdir()", "try: rg.Run({'q': {'a b': 1}}).write('out.txt')\nexcept ValueError as error: print(error)\nos.listdir()",
    "f = io.BytesIO(b'q Q0 a x y s\\n'); f.name = 3; rg.Run(f)", "rg.Run(io.BytesIO(b'q Q0 a 1 2 s\\nq Q0 b x y s\\n'))",
    # Lines that are long.
    "os.environ['RANKGAIN_LONGEST_LINE'] = 'x'\ntry: evaluate(write(RUN))\nexcept ValueError as error: print(error)\nfinally: del os.environ['RANKGAIN_LONGEST_LINE']", "os.environ['RANKGAIN_LONGEST_LINE'] = '299000'\ntry: print(evaluate(write(RUN + b' ' * 300000 + b'\\n')))\nexcept ValueError as error: print(error)\nfinally: del os.environ['RANKGAIN_LONGEST_LINE']", "evaluate(write(RUN + b'q1 Q0 ' + b'k' * 1100000))", "evaluate(write(RUN + b'q1 Q0 ' + b'k' * 1100000 + b' 4 1.5 t\\n' + b'q1 Q0 n 5 0.5 t'))",
    "evaluate(write(b'q1 Q0 ' + b'k' * 600000 + b' 4 11.5 t\\n' + RUN))", "rg.evaluate(write(QRELS + b'q2 0 ' + b'k' * 300000 + b' 1\\n', 'q.txt'), write(RUN), MEASURES)", "evaluate(io.BytesIO(RUN * 3))", "r = b''.join(b'q%d Q0 d%d %d %d t\\n' % (i % 50, i, i, i * 7919 % 10007) for i in range(20000)); e = rg.evaluate(write(QRELS.replace(b'x', b'd152').replace(b'q1 0 a', b'q1 0 d51'), 'q.txt'), write(r), MEASURES); e",
]
