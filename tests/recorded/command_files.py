"""Small files for recorded commands, and functions that run a command and show a file."""

GIVEN = """
import contextlib, io, os, re, shlex, sys
from pathlib import Path
from rankgain.cli import main

KINDS = ["even", "odd", "third"]
SHORT_AND_LONG = r"(-\\w) (\\S+), (--[\\w-]+) \\2"

def lists(**by_query):
    # Documents in the order of a text: one letter each, "!" ties with the one before it.
    lines = []
    for query, documents in by_query.items():
        score = 9.5
        for rank, letter in enumerate(documents.replace("!", "")):
            score -= 0.5 * (documents[documents.index(letter) - 1] != "!")
            lines.append(f"{query} Q0 {letter} {rank} {score} tag\\n")
    return "".join(lines)

def ranked(ranks):
    lines = []
    for n, rank in enumerate(map(int, ranks)):
        documents = "bcdefg"[: rank - 1] + "a" + "uvwxyz"[: 6 - rank]
        lines.append(lists(**{f"w{n}": documents}))
    return "".join(lines)

files = {
    "qrels.txt": "q2 0 a 2\\nq2 0 b 0\\nq2 0 c 1\\nq10 0 d 1\\nq10 0 a -1\\nq10 0 e 3\\n"
                 "q1 0 a 1\\nq1 0 f 1\\nq0 0 b 0\\nq0 0 c 0\\nq3 0 g 2\\nq3 0 a 0\\nq4 0 h 1\\n",
    "a.txt": lists(q2="acxb", q10="ead!x", q1="xfay", q0="bc", q3="xg!a", q9="ab"),
    "b.txt": lists(q1="axy!f", q2="xbc", q3="agx", q10="xyde", q4="xh", q0="ab"),
    "c.txt": lists(q10="x!yad", q4="h", q2="xyab!c", q0="xc", q1="xy", q3="xyzg"),
    "runs/r.one.run": lists(q2="ab", q10="xe", q1="fx", q3="gx"),
    "runs/r.two.run": lists(q1="xf", q3="xg", q2="xa", q10="ed"),
    "runs/.hidden": "nothing",
    "twice.txt": "q2 Q0 b 1 9 t\\nq2 Q0 a 2 8 t\\nq2 Q0 b 3 7 t\\n"
                 "q1 Q0 x 1 5 t\\nq1 Q0 a 2 4 t\\nq1 Q0 a 3 6 t\\n",
    "judged_twice.txt": "q2 0 a 2\\nq2 0 b 1\\nq2 0 b 3\\nq1 0 a 1\\nq1 0 a 0\\nq1 0 f 2\\n",
    "parts.txt": "q2 x a 1\\nq2 y a 1\\nq2 y c 1\\nq1 x a 1\\nq1 z f 2\\nq10 y d 1\\n",
    "chunks.txt": "q2 Q0 c#1 1 9 t\\nq2 Q0 a#2 2 8 t\\nq2 Q0 c#3 3 7 t\\n"
                  "q1 Q0 y#f#1 1 9 t\\nq1 Q0 f 2 8 t\\n",
    "own.txt": "q2 Q0 q2 1 9 t\\nq2 Q0 a 2 8 t\\nq1 Q0 x 1 9 t\\nq1 Q0 q1 2 8 t\\nq1 Q0 f 3 7 t\\n",
    "seen.txt": "q2 0 c 1\\nq10 0 e 1\\nq1 0 x 0\\n",
    "bad.txt": "q2 Q0 a 1 9 t\\nq2 Q0 b 2 many t\\nq1 Q0\\n",
    "=a.txt": lists(q2="ca", q1="fa"),
    "kinds.txt": "# query segment\\nq2 short\\nq10 long one\\nq1\\tshort\\n"
                 "q3\\tlong one\\n\\nq4 , short\\nq0,long one\\n",
    "kinds.json": '{"q2": 7, "q10": "x", "q1": 7, "q3": "x", "q4": 7, "q0": "x"}',
    "empty.txt": "",
    # Twelve queries with the relevant document at known ranks, so that differences are significant.
    "wide.txt": "".join(f"w{n} 0 a {1 + n % 3}\\n" for n in range(12)),
    "good.txt": ranked("111211131112"),
    "fair.txt": ranked("221223142213"),
    "poor.txt": ranked("545354454545"),
    "same.txt": ranked("121121131211"),
    "wide_kinds.txt": "".join(f"w{n},{KINDS[n % 3 or n % 2]}\\n" for n in range(12)),
}
for name, text in files.items():
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")

def rankgain(words, given=None):
    if given is not None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(Path(given).read_bytes()))
    try:
        return main(shlex.split(words))
    finally:
        sys.stdin = sys.__stdin__

def show(path):
    return Path(path).read_text(encoding="utf-8")

def as_bytes(words):
    # What a command writes in bytes.
    output = io.TextIOWrapper(io.BytesIO())
    with contextlib.redirect_stdout(output):
        status = rankgain(words)
    return status, output.buffer.getvalue().decode()

def told(words):
    # What a command prints in words that do not depend on the version of Python.
    printed, errors = io.StringIO(), io.StringIO()
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "2000"  # so that argparse breaks no word at a hyphen
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            status = rankgain(words)
        except SystemExit as error:
            status = error.code
    os.environ.pop("COLUMNS") if columns is None else os.environ.update(COLUMNS=columns)
    text = printed.getvalue().partition("\\n\\n")[2] + errors.getvalue()
    text = re.sub(r"\\(choose from .*?\\)", "(choose ...)", " ".join(text.split()))
    return status, re.sub(SHORT_AND_LONG, r"\\1, \\3 \\2", text)

def with_file(path, text, words):
    Path(path).write_text(text, encoding="utf-8")
    return rankgain(words)
"""
