"""Truth: labels that are checked once, beside scores of many models; equality, pickles and reuse."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import copy
import pickle
NAN = float("nan")
LABELS = [[3, 0, 2, 1], [0, 1, 0, 0], [0, 0, 0, 2]]
PADDED = [[3, -1, 2, 1], [-1, 1, 0, -1], [0, -100, 0, 2]]
SCORES = [[0.5, 0.25, 0.5, 0.75], [1.0, 2.0, 2.0, -1.0], [0.0, 0.0, 1.0, 2.0]]
OTHER = [[0.1, 0.9, 0.3, 0.2], [0.0, 0.0, 3.0, 4.0], [5.0, 1.0, 1.0, 1.0]]
FLAT, FLAT_SCORES, QID = [3, 0, 0, 1, 0, 2, 1], [0.5, 0.25, 1.0, 2.0, 2.0, 0.5, -1.0], [8, 8, 5, 5, 8, 2, 5]
RAGGED, RAGGED_SCORES = [[3, 0, 2], [1], [0, 1, 0, 2]], [[0.5, 0.25, 0.5], [7.0], [1.0, 2.0, 2.0, -1.0]]
SPARSE = np.array([3, 2, 1, 1, 2]), np.array([0, 2, 3, 1, 3]), np.array([0, 3, 4, 5])
MEASURES = ["nDCG@3", "AP", "R@2", "RR"]

class Matrix:
    format, nnz = "csr", 5
    def __init__(self, parts, shape): self.data, self.indices, self.indptr = parts; self.shape = shape
    def tocsr(self): return self

def csr(data, indices, indptr, columns=4, dtype=None): return Matrix((np.array(data, dtype), np.array(indices), np.array(indptr)), (len(indptr) - 1, columns))
def evaluate(truth, scores=SCORES, **options): return rg.evaluate_arrays(truth, scores, MEASURES, **options)
def seen(truth): return truth, len(truth), truth.shape, truth.ignores, truth.judged_labels, truth.runs.first, truth.runs.level, truth.runs.count, getattr(truth.labels, "dtype", None)
"""
OF_ROWS = ["LABELS", "PADDED, ignore=-1", "PADDED, ignore=[-1, -100]", "np.array(LABELS, 'f4')", "np.array(LABELS, 'i8')", "LABELS, lengths=[4, 2, 3]", "np.array(LABELS), judged=[[3, 2, 1, 3], [1, 1], [0, 2, 4]]", "LABELS, judged=[[3, 2, 1, 1], [1, 0, 0, 0], [2, 2, 0, 0]]",
           "LABELS, judged=np.array([[3, 2, 1, 1], [1, 2, 0, 0], [2, 2, 0, 0]])", "csr(*SPARSE)", "csr([3, 2, -1, 1, 2], [0, 2, 3, 1, 3], [0, 3, 4, 5]), ignore=-1", "csr(*SPARSE), judged=csr([3, 2, 1, 4, 1, 2], [0, 1, 2, 7, 0, 0], [0, 4, 5, 6], 9)", "np.array(LABELS) * 0.5", "np.array(LABELS) * 100", "np.array(LABELS, '?')",
           "PADDED, ignore=-1, lengths=[4, 3, 4], judged=[[3, -1, 2, 1, 1], [1], [-100, 2]]", "[[3, NAN, 2, 1], [NAN, 1, 0, 0], [0, 0, 0, 2]], ignore=NAN"]
OF_FLAT = ["FLAT, qid=QID", "FLAT, group=[2, 3, 2]", "np.array(FLAT, 'f4'), qid=np.array(['b', 'b', 'a', 'a', 'b', 'c', 'a'])", "FLAT, qid=QID, ignore=3", "FLAT, qid=QID, judged=[[3, 1, 1], [2, 1, 1, 1], [2, 3, 1, 1]]", "FLAT, qid=QID, ignore=[0, 2]", "RAGGED", "RAGGED, judged=[[3, 2], [1], [1, 2, 1]]", "RAGGED, ignore=1"]
CALLS = [
    *each("seen(rg.Truth({y}))", y=OF_ROWS + OF_FLAT + ["LABELS[0]", "LABELS[0], judged=[3, 2, 1, 5]", "LABELS[0], ignore=3", "[]", "np.zeros((0, 3))", "[[128, 0], [1, 2]]", "[[-128, 0], [127, 2]]", "[[-129, 0], [1, 2]]", "[1, 2**40]"]),
    *drawn(50, "evaluate(rg.Truth({y}), {s}, ties={t!r}, exclude={x})", y=OF_ROWS, s=["SCORES", "np.array(SCORES, 'f4')", "OTHER", "None"], t=["average", "stable", "reverse"], x=["None", "None", "[[True, False, False, True], [False] * 4, [False, False, True, True]]", "csr([1, 1, 1], [1, 1, 0], [0, 1, 2, 3])"]),
    *drawn(30, "rg.evaluate_arrays(rg.Truth({y}), {s}, MEASURES, ties={t!r}, ignore={i})", y=OF_ROWS, s=["SCORES", "OTHER"], t=["average", "stable"], i=["1", "[2, 3]", "-7"]),
    *drawn(30, "evaluate(rg.Truth({y}), {s}, ties={t!r})", y=OF_FLAT[:6], s=["FLAT_SCORES", "np.array(FLAT_SCORES, 'f4')", "FLAT_SCORES[::-1]"], t=["average", "stable", "reverse"]),
    *drawn(20, "evaluate(rg.Truth({y}), {s}, ties={t!r})", y=OF_FLAT[6:], s=["RAGGED_SCORES", "[1.0, 2.0, 3.0, 4.0, 5.0, 4.0, 3.0, 9.0]", "[np.array(row) for row in RAGGED_SCORES]"], t=["average", "stable", "reverse"]),
    # One Truth beside many scores, after errors, copied, and with other options.
    *each("t = rg.Truth({y}); evaluate(t).means; evaluate(t, OTHER, ties='reverse').means; rg.ndcg(t, SCORES, k=1); evaluate(t).means", y=OF_ROWS),
    *each("t = rg.Truth({y}); u = {c}; t == u; hash(t) == hash(u); evaluate(u, OTHER).means; seen(u)", y=OF_ROWS, c=["pickle.loads(pickle.dumps(t))"]), *each("t = rg.Truth({y}); u = {c}; t == u, hash(t) == hash(u); evaluate(u, FLAT_SCORES)", y=OF_FLAT[:6], c=["copy.deepcopy(t)", "pickle.loads(pickle.dumps(t))"]),
    *drawn(60, "rg.Truth({a}) == rg.Truth({b})", a=[*OF_ROWS, *OF_FLAT], b=[*OF_ROWS, *OF_FLAT]), "rg.Truth(LABELS) == LABELS", "rg.Truth(LABELS) != rg.Truth(np.array(LABELS, 'f4'))", "rg.Truth([1, 0], judged=[1, 0, 1]) == rg.Truth([1, 0], judged=[0, 1, 1])", "{rg.Truth([1, 0]), rg.Truth(np.array([1.0, 0.0])), rg.Truth([1, 1])}",
    "t = rg.Truth(LABELS)\ntry: evaluate(t, [[NAN] * 4] * 3)\nexcept ValueError as error: print(error)\nevaluate(t).means", "t = rg.Truth(PADDED, ignore=-1)\ntry: evaluate(t, [[1, 2]])\nexcept ValueError as error: print(error)\nevaluate(t, ignore=-100, ids=[list('abcd'), list('efgh'), list('ijkl')], ties='id').means; evaluate(t)",
    "y = np.array(LABELS, 'f4'); j = np.array([[3, 2, 1, 1], [1, 2, 0, 0], [2, 2, 0, 0]], 'f4'); t = rg.Truth(y, judged=j); y[:] = 9; j[:] = 7; evaluate(t); t.judged_labels", "d, i, p = (part.copy() for part in SPARSE); t = rg.Truth(csr(d, i, p)); d[:] = 9; i[:] = 0; p[:] = 0; evaluate(t); rg.ndcg(t)",
    "rg.evaluate_models(rg.Truth(LABELS), {'a': SCORES, 'b': OTHER}, MEASURES)", "rg.evaluate_models(rg.Truth(FLAT, qid=QID, ignore=1), {'a': FLAT_SCORES, 'b': FLAT_SCORES[::-1]}, MEASURES, ties='reverse')", "rg.gauc(rg.Truth([1, 0, 1, 0, 1], qid=[1, 1, 2, 2, 2]), [3, 2, 1, 2, 0])",
    *each("rg.evaluate_ids({r}, rg.Truth({y}), MEASURES)", r=["[[2, 0], [1, 3], [0, 3, 1]]", "np.array([[2, 0, 3], [1, 3, 0], [0, 3, 1]])"], y=OF_ROWS), "rg.evaluate_ids([2, 0], rg.Truth([1, 0, 2, 0]), MEASURES)", "rg.evaluate_ids([[2, 0]], rg.Truth([1, 0, 2, 0]), MEASURES)", "rg.evaluate_ids([[2, 0]], rg.Truth(FLAT, qid=QID), MEASURES)",
    "rg.evaluate_ids([[2, 0], [1], [0]], rg.Truth(FLAT, qid=QID), MEASURES)", "rg.evaluate_ids([[2, 0]], rg.Truth(LABELS), MEASURES)", "rg.evaluate_ids([[2, 0], [1], [0]], rg.Truth(LABELS), MEASURES, gains=LABELS)", "rg.evaluate_ids([[2, 0], [1], [0]], rg.Truth(LABELS), MEASURES, exclude=[[2], [], [3]])",
    "rg.evaluate_ids([[2, 0], [1], [0]], rg.Truth(LABELS, judged=[[3, 2, 1, 3], [1, 1], [0, 2, 4]]), MEASURES, exclude=[[2], [], [3]])", "rg.evaluate_scores(lambda users: np.array(SCORES)[users], rg.Truth(LABELS), MEASURES)", "rg.evaluate_scores(lambda users: np.array(SCORES)[users], rg.Truth(PADDED, ignore=-1), MEASURES, batch=2)",
    # refused
    "rg.Truth(rg.Truth(LABELS))", "rg.Truth(SPARSE)", "rg.Truth(LABELS, judged=[[3], [1], [2]])", "rg.Truth(LABELS, judged=[[3, 2, 1], [0], [0]])", "rg.Truth(LABELS, judged=[[3, 2, 1], [1]])", "rg.Truth([[1, NAN], [NAN, 0]])", "rg.Truth([[1, 0], [NAN, 0]], ignore=0)", "rg.Truth(LABELS, group=[4], qid=QID)",
    "rg.Truth(LABELS, ignore='x')", "rg.Truth(None)", "rg.Truth([[1, 2**53 + 1]])", "rg.Truth(LABELS, ignore=0)", "rg.Truth(csr(*SPARSE), ignore=0)", "rg.Truth(FLAT, qid=QID, judged=[3, 2])", "t = rg.Truth(LABELS); t.labels = 1", "t = rg.Truth(LABELS); del t.runs", "t = rg.Truth(LABELS); t.new = 1",
    *each("evaluate(rg.Truth({y}), {s}{o})", y=["LABELS", "PADDED, ignore=-1"], s=["SCORES"], o=[", group=[4]", ", qid=QID", ", lengths=[4, 4, 4]", ", judged=LABELS", ", lengths=[1, 1, 1], judged=LABELS"]), *each("evaluate(rg.Truth({y}), {s})", y=["LABELS", "LABELS[0]"], s=["SCORES[:2]", "OTHER[0]", "RAGGED_SCORES", "[1, 2]"]),
    *each("evaluate(rg.Truth({y}), {s})", y=["FLAT, qid=QID", "RAGGED"], s=["SCORES", "[1, 2, 3]", "RAGGED_SCORES[:2]", "[[1, 2], [3], [4]]", "[1, 2, NAN, 4, 5, NAN, 7]"]), "evaluate(rg.Truth(FLAT, qid=QID), [1, 2, 3, 4, NAN, 6, NAN])", "evaluate(rg.Truth([1, -1, 0]), [1, 2, 3])", "evaluate(rg.Truth([[1, 0], [-2, 0]]), [[1, 2], [3, 4]])",
    "y = np.array(LABELS, 'f4') * np.float32(0.5); j = np.array([[1.5, 1, 0.5, 0.5], [0.5, 1, 0, 0], [1, 1, 0, 0]]); t = rg.Truth(y, judged=j); evaluate(t).means; y[:] = 9; j[:] = 7; evaluate(t); t.judged_labels, t.labels", "y = np.array(FLAT) * 1.5; q = np.array(QID); t = rg.Truth(y, qid=q); y[:] = 9; q[:] = 1; evaluate(t, FLAT_SCORES)",
    "rg.Truth([[2], [0]], judged=[[2, 1], [0]]) == rg.Truth([[2], [0]], judged=[[2], [1, 0]])", "rg.Truth([[1, 0, 0]]) == rg.Truth([[1, 0, 0]], lengths=[2])", "rg.Truth([1, 0, 2], group=[1, 2]) == rg.Truth([1, 0, 2], group=[2, 1])", "rg.Truth([1, 0, 2]) == rg.Truth([[1, 0, 2]])", "rg.Truth([[1, -1]], ignore=-1) == rg.Truth([[1, 0]])", "rg.Truth([[1, -1, 0]], ignore=-1) == rg.Truth([[1, 0, -1]], ignore=-1)",
    *drawn(40, "rg.evaluate_arrays(rg.Truth({y}), {s}, ['bpref', 'judged@2', 'AP'])", y=OF_ROWS, s=["SCORES", "OTHER", "np.array(OTHER, 'f4')"]),
    "rg.Truth([[1, -1]], ignore=-1) == rg.Truth([[1, -7]], ignore=-7)", "rg.Truth([[1, -1]], ignore=-1).labels", "rg.Truth(csr([3, -1], [0, 2], [0, 2]), ignore=-1).labels",
]
