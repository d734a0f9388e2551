"""Judged labels, excluded documents and ignored labels beside arrays, alone and together."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
LABELS = [[3, 0, 2, 1], [0, 1, 0, 0], [0, 0, 0, 2]]
SCORES = [[0.5, 0.25, 0.5, 0.75], [1.0, 2.0, 2.0, -1.0], [0.0, 0.0, 1.0, 2.0]]
PADDED = [[3, -1, 2, 1], [-1, 1, 0, -1], [0, -100, 0, 2]]
FLAT, FLAT_SCORES, QID = [3, 0, 0, 1, 0, 2, 1], [0.5, 0.25, 1.0, 2.0, 2.0, 0.5, -1.0], [8, 8, 5, 5, 8, 2, 5]
RAGGED = [[3, 0, 2], [1], [0, 1, 0, 2]]
RAGGED_SCORES = [[0.5, 0.25, 0.5], [7.0], [1.0, 2.0, 2.0, -1.0]]
MEASURES = ["nDCG@3", "AP", "R@2", "RR", "Rprec", "bpref"]
SPARSE = np.array([3, 2, 1, 1, 2]), np.array([0, 2, 3, 1, 3]), np.array([0, 3, 4, 5])
NAN = float("nan")

def evaluate(labels=LABELS, scores=SCORES, **options): return rg.evaluate_arrays(labels, scores, MEASURES, **options)
def csr(data, indices, indptr, dtype=None): return np.array(data, dtype), np.array(indices), np.array(indptr)
"""
JUDGED = ["[[3, 2, 1, 1], [1, 0, 0, 0], [2, 2, 0, 0]]", "np.array([[3, 2, 1, 1, 0], [1, 0, 0, 0, 0], [2, 2, 0, 1, 1]])", "[[3, 2, 1, 3], [1], [0, 2, 4]]", "[np.array([3, 2, 1]), np.array([0, 1]), np.array([2])]", "csr([1, 2, 3, 1, 5, 2], [0, 1, 2, 0, 7, 9], [0, 3, 4, 6])",
          "[[1, 2, 3, 0.5], [1, 0.25, 0, 0], [2, 0, 0, 0]]", "np.array([[1, 2, 3, 0], [1, 1, 0, 0], [4, 4, 2, 2]], 'f4')", "[[3, 2, 1, -1], [1, 1, -1, -1], [2, -1, -1, -1]]", "np.array([[3, 2, 1, 0], [1, 1, 1, 1], [2, 0, 0, 0]], object)", "[(3, 2, 1), (1, 1, 1), (2, 0, 0)]"]
EXCLUDED = ["[[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]", "np.array([[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]], bool)", "[[True, False, False, True], [False] * 4, [False, False, True, True]]", "csr([1, 1, 1], [1, 3, 0], [0, 2, 2, 3])", "csr([1, 1, 1, 1], [3, 1, 2, 0], [0, 2, 2, 4])",
            "csr([True] * 4, [0, 1, 2, 3], [0, 0, 4, 4])", "csr([1, 1, 1, 0], [1, 3, 0, 9], [0, 2, 2, 3], 'f4')", "np.zeros((3, 4), bool)"]
IGNORED = ["-1", "[-1, -100]", "NAN", "(3, 1)", "{0}", "0", "np.array([2, -1])", "[NAN, -1]", "0.5", "[]", "-7", "np.float32(2)", "np.int8(1)", "range(2, 4)", "frozenset([-1])", "[-1, -1.0]"]
CALLS = [
    *each("evaluate(judged={j})", j=JUDGED), *each("evaluate(exclude={x})", x=EXCLUDED), *each("evaluate(PADDED, ignore={i})", i=IGNORED), *each("evaluate(ignore={i})", i=IGNORED),
    *drawn(90, "evaluate({y}, {s}, judged={j}, exclude={x}, ignore={i}, ties={t!r})", y=["PADDED", "LABELS", "np.array(PADDED, 'f4')", "np.array(LABELS, 'b')"], s=["SCORES", "np.array(SCORES, 'f4')", "np.array(SCORES, '>f8')"], j=[*JUDGED[:8], "None"], x=[*EXCLUDED[1:], "None"],
           i=[*IGNORED[:10], "None"], t=["average", "stable", "reverse", "best", "worst"]),
    *drawn(40, "evaluate({y}, {s}, exclude={x}, ignore={i}, lengths={n})", y=["PADDED", "np.array(PADDED, 'f4')"], s=["SCORES", "np.array(SCORES, 'f4')"], x=[*EXCLUDED[1:3], "csr([1, 1], [1, 0], [0, 1, 1, 2])", "None"], i=["-1", "[-1, -100]"], n=["[4, 3, 2]", "[2, 4, 4]", "[3, 2, 1]"]),
    *drawn(50, "evaluate(FLAT, FLAT_SCORES, {n}, exclude={x}, ignore={i}, judged={j}, ties={t!r})", n=["qid=QID", "group=[2, 3, 2]", "qid=np.array(['b', 'b', 'a', 'c', 'b', 'c', 'a'])", "qid=[8, 8, 5, 5, 5, 2, 2]"],
           x=["None", "[True, False, False, False, True, False, False]", "[True, False, False, False, False, True, True]", "csr([1, 1], [1, 0], [0, 1, 2, 2])", "csr([1], [0], [0, 0, 0, 1])"], i=["None", "3", "[2, 0]", "1"], j=["None", "[[3, 1], [2, 2, 0, 1], [2, 3, 1, 1]]", "[[3, 2, 1], [2, 1, 1], [1, 2, 1]]"],
           t=["stable", "average", "reverse"]),
    *drawn(40, "evaluate(RAGGED, RAGGED_SCORES, exclude={x}, ignore={i}, judged={j}, ties={t!r})", x=["None", "[[True, False, False], [False], [False, True, False, False]]", "[[False, False, True], [True], [False, True, True, False]]", "csr([1, 1, 1], [1, 0, 3], [0, 1, 2, 3])"], i=["None", "3", "[2, 0]", "1"],
           j=["None", "[[3, 2], [1], [1, 2, 1]]", "[[3, 2, 4], [1, 1, 1], [2, 2, 1]]", "csr([3, 2, 1, 1, 2, 2], [0, 1, 0, 0, 4, 9], [0, 2, 3, 6])"], t=["stable", "average", "reverse"]),
    *drawn(40, "evaluate({y}, {s}, exclude={x}, judged={j}, ignore={i})", y=["SPARSE", "csr([3, 2, 1, 1, -1], [0, 2, 3, 1, 3], [0, 3, 4, 5])", "csr([3, 2, 1, 1, 2], [3, 0, 2, 1, 3], [0, 3, 4, 5], 'f4')", "csr([3, 0, 1, 1, 2, 9], [0, 2, 3, 1, 3, 2], [0, 3, 4, 5], 'b')"], s=["SCORES", "np.array(SCORES, 'f4')"],
           x=["None", *EXCLUDED[1:5]], j=["None", JUDGED[0], JUDGED[2], JUDGED[4]], i=["None", "-1", "3", "[1, 2]", "0"]),
    *each("rg.{f}({a}, {n})", f=["ndcg", "average_precision"], a=["LABELS[0], SCORES[0]"], n=["judged=[3, 2, 1, 3]", "exclude=[False, True, False, True]", "exclude=csr([1, 1], [3, 0], [0, 2])", "ignore=2", "ignore=[0, 3], exclude=[True, False, False, True]", "judged=[3, 2, 1, 3], ignore=3", "judged=np.array([3, 2, 1, 0, 0])",
         "judged=csr([1, 2, 3, 4], [0, 4, 5, 6], [0, 4])"]),
    *each("evaluate(judged={j})", j=["[np.array([3, 2, 1, 0]), np.array([1, 1, 1, 0]), np.array([2, 0, 0, 0])]", "[(3, 2, 1, 0), [1, 1, 0, 0], [2, 0, 0, 0]]", "np.array([[3, 2, 1, 0], [1, 1, 0, 0], [2, 0, 0, 0]])", "[[3, 2, 1, 1], [1, 1, 0, 1], [2, 0, 0, 1]]"]),
    *drawn(60, "rg.evaluate_arrays({y}, {s}, ['nDCG@2', 'AP', 'RR'], judged={j}, exclude={x}, bounds={b})", y=["LABELS", "np.array(LABELS, 'f4')", "SPARSE", "csr([3, 2, 1, 1, 2], [3, 0, 2, 1, 3], [0, 3, 4, 5], 'f4')"], s=["SCORES"], j=["None", "[[3, 2, 1, 1, 0], [1, 0, 0, 0, 0], [2, 2, 0, 0, 0]]", "[[3, 2, 1, 5], [1], [2, 4]]"], x=["None", "np.array([[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]], bool)"], b=["'ties'", "'unjudged'", "('ties', 'unjudged')", "'all'"]),
    *each("rg.evaluate_scores(lambda users: np.array({s})[users], {w}, MEASURES, batch={b})", s=["SCORES", "[[1, 2, 3, 4], [1, 2, 3, 4], [1, NAN, 2, 3]]"], w=["[[0, 2], [1], [3]]", "[{0: 3, 2: 1}, {1: 1}, {3: -1}]", "[{0: 3, 2: 1}, {1: 1}, {3: 2}]"], b=[1, 2, 3]),
    # refused
    *each("evaluate(judged={j})", j=["[3, 2, 1]", "[[3, 2, 1], [1]]", "[[3, 2, 1]] * 4", "[[3, 2, 1], [0], [2]]", "[[3, 2, 1], [1], [0]]", "[[3, 2, 0], [0], [2]]", "[[3, 2, 1], [1, NAN], [2]]", "[[3, 2, 1], [1, -2], [2, np.inf]]", "[[3, 2, 1], [1, 'x'], [2]]", "'abc'", "[[3, 2, 1], [1, 2**53 + 1], [2]]",
         "np.zeros((3, 1))", "csr([3, 2, 1], [0, 1, 2], [0, 3])", "csr([3, 2, 1, NAN, 1], [0, 1, 2, 0, 0], [0, 3, 4, 5])", "[[], [1], [2]]", "None", "np.zeros((3, 0))", "{1: 2}"]),
    *each("rg.ndcg(LABELS[0], SCORES[0], judged={j})", j=["[[3, 2, 1]]", "[]", "[3, 2, NAN]", "[[3, 2, 1], [1, 2, 3]]", "[3]", "[3, 2, 0, 0]", "['x']"]),
    *each("evaluate(exclude={x})", x=["[[0, 1], [1, 0], [0, 0]]", "[[True, False], [True, True], [False, False]]", "np.zeros((3, 5), bool)", "np.zeros((3, 4))", "np.zeros(12, bool)", "[[True], [False], []]", "[[True] * 4, [False] * 3, [True] * 4]", "5", "'x'", "csr([1, 1], [1, 4], [0, 1, 1, 2])", "csr([1, 1, 1], [1, 0, -1], [0, 1, 2, 3])",
         "csr([1, 1], [1, 1], [0, 2, 2, 2])", "csr([1, 1, 1], [2, 3, 3], [0, 1, 1, 3])", "csr([1, 1], [1, 2], [0, 1, 2])", "csr([1, 1], [1, 2], [1, 1, 2, 2])", "csr([1, 1], [1, 2], [0, 2, 1, 2])", "csr([1], [1, 2], [0, 1, 2, 2])", "csr([1, 1], [1], [0, 1, 2, 2])", "csr([1, 1], [1.0, 2.0], [0, 1, 2, 2])", "csr([1, 1], [1, 2], [0.0, 1.0, 2.0, 2.0])",
         "csr(['a', 'b'], [1, 2], [0, 1, 2, 2])", "csr([1, 1], [1, 2], [])", "csr([1, 1], [1, 2], [0, 1, 2, 9])"]),
    *each("evaluate(FLAT, FLAT_SCORES, qid=QID, exclude={x})", x=["[True] * 6", "[True] * 7", "[1] * 7", "csr([1], [3], [0, 1, 1, 1])", "csr([1, 1], [0, 1], [0, 1, 1, 2])", "csr([1], [0], [0, 1])", "np.zeros((7, 1), bool)"]),
    *each("evaluate(RAGGED, RAGGED_SCORES, exclude={x})", x=["[[True, False], [False], [False] * 4]", "[[True, False, True], [False]]", "[[True, False, True], [1], [False] * 4]", "np.zeros((3, 4), bool)"]),
    *each("evaluate({y}, ignore={i})", y=["PADDED"], i=["'x'", "None", "True", "[-1, None]", "[-1, True]", "2j", "[-1, 'a']", "10**400", "[1, -(10**400)]", "np.array([True])", "object", "{-1: 2}", "b'1'", "[[1]]"]),
    *each("evaluate({y}, {o})", y=["csr([3, 2, 1], [0, 4, 3], [0, 1, 2, 3])", "csr([3, 2, 1], [0, 2, 7], [0, 1, 2, 3])", "csr([3, 2, 1], [0, 2, -3], [0, 1, 2, 3])", "csr([3, 2], [0, 2], [0, 1, 2])", "csr([3, NAN, -1], [0, 2, 1], [0, 1, 2, 3])", "csr([3, -1, NAN], [0, 2, 1], [0, 1, 2, 3])", "csr([3, 2, 1], [2, 2, 1], [0, 2, 2, 3])"],
         o=["ties='average'", "ignore=2", "exclude=np.zeros((3, 4), bool)"]),
    *each("evaluate({y}, None)", y=["SPARSE", "LABELS", "RAGGED"]), "evaluate(SPARSE, SCORES, lengths=[4, 3, 4])", "evaluate(SPARSE, SCORES, lengths=[4, 3, 3])", "evaluate(SPARSE, SCORES, lengths=[3, 3, 4], ignore=5)", "rg.ndcg(SPARSE, [[1, 2], [1, 2], [1, 2]])",
    "evaluate(csr([3, 2, 2], [0, 2, 1], [0, 2, 3, 3]), [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0], qid=QID)", "rg.ndcg(csr([3, 1], [0, 2], [0, 2]), SCORES[0])", "rg.ndcg(csr([3, 1], [0, 2], [0, 1, 2]), SCORES[0])", "rg.ndcg((np.array([1]), np.array([0])), SCORES)", "rg.ndcg((np.array([1]), np.array([0]), [0, 1]), SCORES[0])",
    # Labels of float32 are compared in float32; errors after the removal name places in the input.
    "evaluate(np.array([[0.1, 1, 0.5, 2]], 'f4'), [[4, 3, 2, 1]], ignore=0.1)", "evaluate(np.array([[0.1, 1, 0.5, 2]], 'f8'), [[4, 3, 2, 1]], ignore=0.1)", "evaluate([[NAN, 1, 0, 2]], [[NAN, 3, 2, 1]], ignore=NAN)", "evaluate([[NAN, 1, 0, 2]], [[4, NAN, 2, 1]], ignore=NAN)", "evaluate([[-1, -1, 0, NAN]], [[4, 3, 2, 1]], ignore=-1)",
    "evaluate([[-1, -1, 0, 1], [1, -1, 1, -3]], [[4, 3, 2, 1]] * 2, ignore=-1)", "evaluate([[-1, -1, 0, 1], [-1, -1, 1, 3]], [[4, 3, 2, 1], [1, 2, 3, NAN]], ignore=-1)", "evaluate([[3, 0], [-5, 1]], [[1, 2], [3, 4]], exclude=[[False, True], [True, False]])", "evaluate([[3, 0], [1, -5]], [[1, 2], [3, 4]], exclude=[[False, True], [True, False]])",
    "evaluate([[3, 0], [1, 5]], [[1, NAN], [3, 4]], exclude=[[False, True], [True, False]])", "evaluate([[3, 0], [1, 5]], [[1, 2], [NAN, NAN]], exclude=[[False, True], [True, False]])", "evaluate(PADDED, SCORES, ignore=[-1, -100], judged=[[3, 3, -1], [1, -1, -1], [-100, 2, 2]])",
    *each("evaluate({y}, SCORES, convention={c!r})", y=["PADDED", "LABELS", "[[3, -2, 2, 1], [-1, 1, 0, -5], [0, -100, 0, 2]]"], c=["trec", "trec_eval", "ranx"])[:6],
    *each("evaluate({y}, SCORES, ignore={i})", y=["csr([3, 2, 3, 3, 1, 3], [0, 2, 3, 1, 2, 3], [0, 3, 5, 6])", "csr([-1, 3, -1, 2, -1, 1], [0, 2, 3, 1, 2, 3], [0, 2, 4, 6], 'f4')"], i=["3", "-1", "[3, 1]", "[-1, 2]"]),
    "evaluate(np.zeros((0, 3)), np.zeros((0, 3)), exclude=np.zeros((0, 3), bool))", "evaluate(np.zeros((0, 3)), np.zeros((0, 3)), ignore=0)", "evaluate(exclude=csr([1, 1, 1], [1, 7, 4], [0, 1, 2, 3]))", "evaluate(FLAT, FLAT_SCORES, qid=QID, exclude=csr([1, 1, 1], [3, 9, 5], [0, 1, 2, 3]))", "evaluate(csr([3, 2, 1], [0, 7, 9], [0, 1, 2, 3]), ignore=2)",
]
