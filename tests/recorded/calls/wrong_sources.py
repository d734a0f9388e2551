"""What is wrong with a source of judgments or of a run, and where: lines, values, logs, results."""

from recorded.recording import each

GIVEN = """
import gzip, io
from pathlib import Path

def of(kind, text, name=""):
    # From a file, packed if its name says so, or from a stream.
    data = text.encode("utf-8", "surrogateescape")
    if not name:
        return kind(io.BytesIO(data)).to_dict()
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return kind(name).to_dict()

def run(text, name=""):
    return of(rg.Run, text, name)

def qrels(text, name=""):
    return of(rg.Qrels, text, name)

def log(text):
    # By all doors.
    Path("log").write_text(text)
    run = {"1": {"10": 2.0, "5": 1.0}, "2": {"20": 2.0, "7": 1.0}}
    messages = []
    for door in (rg.evaluate, rg.evaluate_runs):
        try:
            door("log", {"a": run} if door is rg.evaluate_runs else run, "RR")
        except ValueError as error:
            messages.append(str(error))
    assert len(set(messages)) == 1
    return messages[0]

QRELS, RUN = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.5, "b": 0.5}}
results = [rg.evaluate(QRELS, RUN, "AP"), rg.evaluate_runs(QRELS, {"s": RUN, "t": RUN}, "AP")]
results.append(results[1].compare())
"""
RUN_LINES = [
    "1 Q0",
    "1",
    "1 Q0 b 2",
    "1 Q0 b 2 0.5",
    "1 Q0 b 2 tag",
    "1 Q0 b - tag",
    "1 Q0 b 0.5 tag",
]
RUN_LINES += ["1 Q0 b 2 high tag", "1 Q0 b 2 1_0 tag", "1 Q0 b 2 nan tag", "1 Q0 b 2 1,5 tag"]
RUN_LINES += ["1 Q0 a 2 0.25 tag", "q1 Q0 New York 1 9.5", "0 11 12 13 14 15 16", "q1 Q0 b 9.5 1 t"]
RUN_LINES += ["q1 Q0 b 1e-3 9.5 t", "q1\tQ0\tArea 51\t\t9.5\tt", "q1\tQ0\t\t1\t9.5\tt x", "x " * 40]
QRELS_LINES = ["1 0 b", "1 0 b 1 1", "1 0 b x", "1 0 b nan", "1 0 b inf", "1 0 a 2"]
JUDGED_LINES = ["1 qid:2", "1 qid:2 # ", "1 qid2 # d", "1 qid:2 1:0.5 # d"]
DOCUMENTS = [
    "3",
    "'ab'",
    "{7}",
    "['b', None, 1.5]",
    "{None: 1, 1.5: 1}",
    "list('abcba')",
    "[('a', 3), ('b', 2), ('b', 1)]",
    "{'a': 1, 'b': 'high', 'c': None}",
    "{'a': '1', 'b': 'x', 'c': None}",
    "{'a': 1, 'b': None, 'c': 'x'}",
    "{'a': 1, 'b': np.nan, 'c': None}",
    "{'a': 10**400}",
    "{'a': 1, 'b': -np.inf, 'c': np.inf}",
]
FEWER_FIELDS = [
    "1 10 1 9\n1 11 1 8\n",
    "301 0 77 1\n301 0 78 0\n",
    "1 10 1\n1 11 2\n2 10 4\n2 11 3\n",
    "1 10 1\n\n1 11 2 5\n",
    "1 10 1 5\n1 11 2\n",
    "1 10 1 5\n1 11 x 4\n",
    "1 Q0 5\n",
    "1 Q0 5 9\n",
    "1 10\n",
    "1 Q0 a 1 9 t\n1 10 1\n",
    "1\t10\n1\t11\t1\n",
    "1 0 a 1 7\n",
    "u a 3\nu x 2\nu y 1\nv b 1\n",
    "u a 2\nv b 2\nu x 1\nv x 1\n",
    "u a 1\nu x 0\nv b 2\nv x 1\nv y 0\n",
    "u a 9\nu x 4\nu y 1\n",
    "v b 1\nu a 3\nu x 2\nu y 1\n",
    "q a 1\nq b 5\nq c 5\n",
    "q a 1 9\nq b 5 8\nq c 5 7\n",
    "q\ta\t0.5\nq\tb\t0.4\n",
    "q\ta\t1\nq\tb\n",
    "q\ta\t1\n\nq\ta\t2\n",
    "q\ta\t1\nq\tb\thigh\n",
]
COMMENTS = [
    "q 0 a 1\n#q 0 a 1\n#r 0 a 1\n",
    "q 0 a 1\n# 0 b 2\n",
    "#q\t0\ta b\t-1\nq 0 a 1\n",
    "q\ta\t1\n#q\ta\t1\n",
    "q 0 a 1\n# one two three\n#q 0 a 1 2\n# a\n#\n#q 0 1\n",
]
RUN_COMMENTS = [
    "q Q0 a 1 9 t\n\n  #r Q0 a 1 9 t\n",
    "q Q0 a 1 9 t\n#r Q0 a b 9 t\n#r Q0 a 1 b t\n#r Q0 a 1 9\n",
]
LOG = "1\t10\t5\t978300760\n2\t20\t3\t978302109\n"
LOGS = [
    LOG,
    LOG.replace("\t", " "),
    LOG.replace("978", "978000000"),  # nanoseconds
    "2 11 1 7\n1 10 5 20001231\n1 11 5 20010101\n2 10 1 20010102\n",  # one missing
    "1\t10\t7\n\n1\t10\t978300760\n2\t20\t978302109\n",
    "1 10 2.5 1\n1 11 4 30\n2 12 3.0 40\n",
    "1 10 2.5 1\n1 11 4 0\n2 12 10.0 1\n",
    "# c\n7 1 100 16\n7 2 200 500\n7 3 300 -600\n8 3 2 17\n",
    "u1 10 33 17\nu1 11 44 2\nu2 10 50 90\nu2 12 7 1\nu3 4 4 99\n",
    "u1 10 10000000\nu1 11 10000000\n",
    "u1 10 9999999\nu1 11 10000000\n",
]
SUBTOPICS = [
    "q 1 a 1\nq 2 a 1\n",
    "q 1 a 1\nq 2 a 0\nq 2 b 1\n",
    "q\t1\ta b\t1\nq\t2\ta b\t1\n",
    "q 0 c 1\nq 1 a 1\nq 1 a 2\n",
]
UNEQUAL = [
    "q s1 a 1\nq s1 a 0\n",
    "q s1 a 1\nq s2 a 1\nq s1 a 0\n",
    "q s1 a 1\nq s1 b 1\nq s2 a 1\nr s1 a 0\nq s1 a 0\n",
]
DOORS = [
    "rg.Run(bad)",
    "rg.Run.read(bad)",
    "rg.Qrels(bad)",
    "rg.Qrels(bad, subtopics=True)",
    "rg.evaluate(QRELS, bad, 'AP')",
    "rg.evaluate(bad, RUN, 'AP')",
    "rg.evaluate(QRELS, RUN, 'AP', exclude=bad)",
    "rg.evaluate(QRELS, bad, 'AP', documents='#')",
    "rg.evaluate_runs(QRELS, {'s': bad}, 'AP')",
    "rg.evaluate_runs(bad, {'s': RUN}, 'AP')",
    "rg.judge_next(bad, {'s': RUN}, 'AP', 1)",
    "rg.agreement(QRELS, bad)",
    "rg.explain(QRELS, bad, query='q')",
    "rg.explain(bad, RUN, query='q')",
    "rg.reconcile_runs(QRELS, bad, measure='AP', a='trec', b='rankgain')",
    "rg.evaluate_ids(bad, QRELS, 'AP')",
    "rg.evaluate_ids(QRELS, bad, 'AP')",
    "rg.correlate(RUN, bad)",
]
CALLS = [
    *each(
        "run('1 Q0 a 1 0.5 tag\\n# c\\n\\n' + {t!r} + '\\n2 Q0 z 1 1 tag\\n', {n!r})",
        t=RUN_LINES,
        n=["run.txt", "run.gz"],
    ),
    *each(
        "qrels('\\n1 0 a 1\\n2 0 a 1\\n' + {t!r} + '\\n', {n!r})",
        t=QRELS_LINES,
        n=["", "qrels.txt"],
    ),
    *each(
        "qrels({s!r} + '# a\\n# b\\n1 qid:1 # d\\n' + {t!r} + '\\n1 qid:3\\n', {n!r})",
        s=["", "\ufeff"],
        t=JUDGED_LINES,
        n=["judgments", "judgments.tsv"],
    ),
    *each("run({s!r} + '# a\\n1 qid:1 # d\\n', 'judgments')", s=["", "\ufeff"]),
    "qrels('# a\\n# b\\n1 qid:1 # d\\n# c\\nx qid:1 # e\\n')",
    *each("rg.{k}({{'p': {{'a': 1}}, 'q': {d}}})", k=["Run", "Qrels"], d=DOCUMENTS),
    *each("{k}({t!r}, {n!r})", k=["run", "qrels"], t=FEWER_FIELDS[:19], n=["", "rows"]),
    *each("{k}({t!r}, 'rows.tsv')", k=["run", "qrels"], t=FEWER_FIELDS[12:]),
    *each("qrels({t!r}, {n!r})", t=COMMENTS, n=["", "rows.tsv"]),
    *each("run({t!r}, {n!r})", t=RUN_COMMENTS, n=["", "rows.tsv"]),
    "rg.evaluate({'q': {'a': 1}}, io.StringIO('q Q0 a 1 9 t\\n  #r Q0 a 1 9 t\\n'), 'AP').to_dict()",
    *each("qrels({t!r})", t=LOGS),
    *each("log({t!r})", t=LOGS[:10]),
    "qrels('u1 10 978300760\\n')",
    "qrels('u1 10 978300760\\nu1 11 1\\nu1 12 2\\nu1 13 978300761\\nu1 14 2\\n')",
    *each("qrels({t!r}, {n!r})", t=SUBTOPICS, n=["", "rows"]),
    *each(
        "rg.Qrels(io.StringIO({t!r}), subtopics=True, duplicates={p!r}).to_dict()",
        t=UNEQUAL,
        p=["raise", "first", "last", "best"],
    ),
    *each("bad = results[{i}]; {d}", i=[0, 1, 2], d=DOORS),
    "rg.evaluate_runs(QRELS, results[1], 'AP')",
    "rg.Run({'q': {1: 1.0, '2': 3.0, '1': 2.0}})",
    "rg.Qrels({'p': {1: 1}, 'q': {'1': 1, 1: 2}})",
    "rg.Run({'p': ['a'], 1.5: ['b'], None: []})",
    "rg.Run({'p': {'a': '1'}, 'q': {}, 'r': {'a': 1}})",
    "rg.Run({'p': {'a': '1'}, 'q': {'a': '1', 'b': 'x', 'c': 'y'}})",
    "rg.Qrels({'p': {'a': '1'}, 'q': {'a': 1}, 'r': {'a': None}})",
    "rg.Run(io.StringIO('1 Q0 a 1 0.5 t\\n'), duplicates='any')",
]
