"""Where lists end: group, qid and lengths, their errors, and the ids that name lists."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import datetime
from collections import UserList
WIDE = 2**53 + 1
LABELS = [1, 0, 3, 0, 2, 0, 1]
SCORES = [0.5, 2.0, 2.0, 1.0, 0.25, 0.75, 0.5]
ROWS = [[1, 0, 3, 0], [0, 2, 0, 1], [2, 0, 9, 9], [0, 0, 0, 0]]
ROW_SCORES = [[0.5, 2.0, 2.0, 1.0], [0.25, 0.75, 0.5, 3.0], [1.0, 2.0, 9.0, 8.0], [1.0, 2.0, 3.0, 4.0]]
MEASURES = ["nDCG@2", "AP", "RR", "DCG@3"]
DAYS = np.array(["2024-03-01", "2024-03-01", "2024-01-05", "2024-01-05", "2024-03-01", "NaT", "2024-02-02"], "M8[D]")
TIMES = np.array([5, 5, 7, 7, 5, 1, 1], "M8[ns]")

def evaluate(labels=LABELS, scores=SCORES, **options): return rg.evaluate_arrays(labels, scores, MEASURES, **options)

def put(values, value, place, dtype=None):
    result = np.array(values, dtype)
    result[place] = value
    return result

def names(values): return [values[i] for i in (0, 0, 1, 1, 0, 2, 2)]
"""
QIDS = [
    "[7, 7, 3, 3, 3, 9, 9]", "[7, 7, 3, 3, 7, 9, 9]", "[2, 1, 2, 1, 2, 1, 0]", "np.array([5, 5, 5, 4, 4, 4, 3])", "['b', 'b', 'a', 'a', 'b', 'é', 'é']", "np.array(['b', 'b', 'ab', 'ab', 'ab', 'a', 'a'])",
    "[b'x', b'x', b'y', b'x', b'y', b'z', b'z']", "['a\\0', 'a\\0', 'a', 'a', 'a\\0', 'b', 'b']", "names([2**53, 2**53 + 1, 2**53 + 2])", "names([-(2**63), 2**63 - 1, 0])", "names([2**63, 2**63 + 1, 2**64 - 1])",
    "names([2**63, -1, 2**64 - 1])", "names([2**64, 2**64 + 1, -5])", "names([2**63, -1, 5])", "names([2**64 - 1, 0, 5])", "names([2**64, 0, 5])", "np.array(names([3, 1, 2]), 'u1')", "np.array(names([300, 1, 2]), '>i2')", "np.array(names([2**31, 1, 2]), 'u4')", "np.array(names([2**63, 1, 2]), 'u8')",
    "np.array(names([1.5, -0.0, 2.0]))", "[0.0, -0.0, 1.0, 1.0, 0.0, 2.0, 2.0]", "names([True, False, True])", "np.array(names([1, 0, 1]), '?')", "put(DAYS, DAYS[0], 5)", "TIMES", "TIMES.astype('M8[us]')", "TIMES.astype('M8[s]')",
    "np.array(names([3, 600, 50]), 'm8[s]')", "np.array(names([3, 600, 50]), 'm8[ns]')", "names([datetime.date(2024, 3, 1), datetime.date(2024, 1, 1), datetime.date(2024, 2, 1)])", "np.array(names([10, 2, 33]), object)",
    "np.array(names(['10', '2', '33']), object)", "np.array(names([(1, 'a'), (1, 'b'), (0, 'a')]), object)[:, 0]", "UserList(names([4, 5, 6]))", "range(7)", "tuple(names([4, 5, 6]))", "np.repeat(['q2', 'q1'], [4, 3])",
]
GROUPS = ["[2, 3, 2]", "[7]", "np.array([1, 6])", "np.array([0, 4, 0, 3], 'i4')", "np.array([3, 3, 1], 'u8')", "range(2, 5, 2) and [4, 3]", "(2, 2, 2, 1)", "[1] * 7", "np.array([3, 4], '>i8')", "np.array([9, 3, 9, 4])[1::2]"]
LENGTHS = ["[4, 2, 2, 0]", "[4, 4, 4, 4]", "[0, 3, 1, 4]", "np.array([3, 0, 2, 2], 'i1')", "np.array([1, 2, 3, 4], 'u8')", "(2, 1, 2, 3)", "[0, 0, 0, 0]"]
CALLS = [
    *each("evaluate(qid={q})", q=QIDS),
    *drawn(50, "evaluate({y}, {s}, qid={q}, ties={t!r})", y=["np.array(LABELS, 'f4')", "LABELS", "np.array(LABELS, 'b')"], s=["SCORES", "np.array(SCORES, 'f4')", "np.array(SCORES, '>f8')", "None"], q=QIDS[:15],
           t=["stable", "reverse", "average", "worst"]),
    *each("evaluate(group={g})", g=GROUPS),
    *each("evaluate(ROWS, ROW_SCORES, lengths={n})", n=LENGTHS),
    *drawn(40, "rg.{f}(ROWS, np.array(ROW_SCORES, {d!r}), lengths={n}, k={k})", f=["ndcg", "average_precision", "dcg", "precision"], d=["f4", "f8", "i8", ">f4"], n=LENGTHS, k=[1, 2, 9]),
    *drawn(40, "rg.{f}(LABELS, SCORES, {n}, k={k})", f=["ndcg", "average_precision", "recall", "err"], n=[f"qid={q}" for q in QIDS[:8]] + [f"group={g}" for g in GROUPS[:6]], k=[1, 2, 9]),
    *each("rg.gauc(np.minimum(LABELS, 1), SCORES, {n})", n=[f"qid={q}" for q in QIDS[:6]] + [f"group={g}" for g in GROUPS[:5]]),
    *each("evaluate({n})", n=[
        "qid=[1, 2, 3]", "qid=list(range(8))", "qid=[[1, 1, 2, 2, 2, 3, 3]]", "qid=np.zeros((7, 1))", "qid=[1, 1, None, 2, 2, 3, None]", "qid=[1, 1, 2, float('nan'), 2, 3, 3]", "qid=[1, 1, 2, 2, 'a', 3, 3]", "qid=['a', 'a', 'b', 'b', 1, None, 'c']",
        "qid=['a', 'a', 'b', 'b', None, 1, 'c']", "qid=[1, 1, 2, 2, 2.5, 3, 3]", "qid=np.array([1, 1, 2, np.nan, 2, np.nan, 3])", "qid=np.array([1, 1, 2.0**53, 2, 2, 3, 3])", "qid=np.array([1, 1, 2, 2, 2.0**24, 3, 2.0**25], 'f4')", "qid=np.array([1, -(2.0**53), 2, 2, 2, 3, 3])",
        "qid=[1.0, 1.0, 2.0**53, 2.0, 2.0, 3.0, 3.0]", "qid=DAYS", "qid=put(TIMES, np.datetime64('NaT'), 2)", "qid=np.array([1j] * 7)", "qid=put([1, 1, 2, 2, 2, 3, 3], 'a', 4, object)", "qid=put([1, 1, 2, 2, 2, 3, 3], None, 5, object)", "qid=put([1, 1, 2, 2, 2, 3, 3], 2.5, 3, object)",
        "qid=put(['a', 'a', 'b', 'b', 'b', 'c', 'c'], b'b', 3, object)", "qid=np.array([{}, {}, {}, {}, {}, {}, {}])", "qid=np.array([1.5] * 7, object)", "qid='aabbbcc'", "qid=5", "qid=[True, 1, 1, 1, 2, 2, 2]", "qid=[b'a', 'a', 'a', 'a', 'b', 'b', 'b']", "qid=[]",
        "qid=[datetime.date(2024, 1, 1)] * 6 + [datetime.datetime(2024, 1, 1)]", "qid=np.ma.array([1, 1, 2, 2, 2, 3, 3], mask=[0, 0, 0, 1, 1, 0, 0])", "qid=np.ma.array([1, 1, 2, 2, 2, 3, 3])",
        "group=[2, 3, 1]", "group=[2, 3, 3]", "group=[8]", "group=[2, 9, 3]", "group=[7, 7, 3, 3, 3, 9, 9]", "group=[1, 1, 2, 2, 2, 3, 3]", "group=[2, -1, 6]", "group=[-3, -2, 12]", "group=['a', 'b']", "group=[2.0, 5.0]", "group=[[2, 5]]", "group=7", "group=[2**62, 2**62, 7]",
        "group=np.array([2, 2**63], 'u8')", "group=[]", "group=[True] * 7", "group=[2, None, 5]", "group=np.ma.array([2, 5], mask=[0, 1])", "lengths=[2, 5]", "group=[2, 5], qid=LABELS", "qid=LABELS, lengths=[7]", "group=[7], lengths=[7]", "group=[7], qid=LABELS, lengths=[7]"]),
    *each("evaluate(ROWS, ROW_SCORES, {n})", n=["lengths=[4, 2, 2]", "lengths=[4, 2, 2, 5]", "lengths=[4, 7, 2, 9]", "lengths=[4, -2, 2, 0]", "lengths=[4, 2.5, 2, 0]", "lengths=['4', '2', '2', '0']", "lengths=4", "lengths=[[4, 2, 2, 0]]", "lengths=[]", "group=[4, 4, 4, 4]",
         "qid=[1, 2, 3, 4]", "lengths=np.array([1, 2**63, 1, 1], 'u8')"]),
    *each("evaluate([[1, 0, 2], [0, 1]], [[1.0, 2.0, 3.0], [0.5, 0.25]], {n})", n=["group=[3, 2]", "qid=[1, 1, 1, 2, 2]", "lengths=[3, 2]"]),
    *each("evaluate([], [], {n})", n=["qid=[]", "group=[]", "group=[0, 0]", "qid=np.zeros(0, 'i8')", "qid=np.zeros(0, 'U1')"]), "evaluate([], [])", "evaluate(np.zeros((0, 3)), np.zeros((0, 3)))", "evaluate(np.zeros((2, 0)), np.zeros((2, 0)))",
    # Faults of values name the list by its place and its id.
    *each("evaluate({y}, {s}, {n})", y=["LABELS", "put(LABELS, -1, 4)", "put(LABELS, np.nan, 3, 'f4')"], s=["SCORES", "put(SCORES, np.nan, 4)", "put(SCORES, np.nan, 2, 'f4')"],
         n=["qid=[7, 7, 3, 3, 7, 9, 9]", "qid=np.array(['b', 'b', 'a', 'a', 'b', 'c', 'c'])", "group=[2, 3, 2]", "qid=put(DAYS, DAYS[0], 5)"])[1:],
    *each("evaluate(put(ROWS, -1, (2, {c})), put(ROW_SCORES, np.nan, (3, {d})), lengths=[4, 4, 2, 3])", c=[0, 1, 2], d=[1, 3]),
    # Rows of a query that come back after others.
    "rg.evaluate_arrays([1, 0, 1, 0, 0], [1, 2, 3, 4, 5], 'AP', qid=[1, 1, 2, 2, 1])", "rg.evaluate_arrays([1, 0, 1, 0, 0], [1, 1, 3, 1, 1], ['RR', 'AP'], qid=['x', 'x', 'y', 'x', 'x'], ties='reverse')",
    "rg.evaluate_arrays(list(range(40)), list(range(40, 0, -1)), 'nDCG@3', qid=[5] * 9 + [3] * 11 + [4] * 20)", "rg.evaluate_arrays(list(range(40)), list(range(40, 0, -1)), 'nDCG@3', qid=[5] * 9 + [3] * 11 + [5] * 20)",
    "rg.evaluate_arrays([1, 0, 1, 0], [1, 2, 4, 3], 'RR', qid=[4, 4, 2, 2]).by([1, 1])", "rg.evaluate_arrays([1, 0, 1, 0, 1], [1, 2, 4, 3, 5], 'RR', qid=[4, 4, 2, 2, 1]).by(['b', 'a', 'b'])",
]
