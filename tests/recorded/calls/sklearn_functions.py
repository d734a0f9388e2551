"""scikit-learn's functions under its names: values, arguments, refusals and warnings."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
class CSR:  # in scipy's form
    def __init__(self, data, indices, indptr, shape):
        self.data, self.indices, self.indptr, self.shape = data, indices, indptr, shape
nan, inf = float("nan"), float("inf")
LABELS = [[3, 2, 0, 1], [0, 0, 0, 0], [1, 4, 2, 0]]
SCORES = [[0.5, 0.1, 0.5, 0.9], [5, 4, 3, 2], [1.0, 1.0, 1.0, 2.0]]
PLAIN = [[0.5, 0.1, 0.75, 0.9], [5, 4, 3, 2], [1.0, -1.0, 3.0, 2.0]]
LATE = [[4.0, 3, 2, 1], [4, 3, 3, 1], [1, 2, 2, 2]]
NEGATIVE = [[3, -2, 0, 1], [0, 1, 0, 0], [1, -4, 2, 0]]
TRUE = [[1, 0, 0, 1], [0, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 1, 0]]
TRUE_SCORES = [[0.5, 0.1, 0.5, 0.9], [5, 4, 3, 2], [1, 1, 1, 2], [3, 1, 2, 2], [0, -1, -2, 0]]
WEIGHTS = [1.0, 2.5, 0.25]
FIVE = [1, 0.5, 3, 2, 0]
CLASSES = [0, 2, 1, 2, 1]
COLUMNS = [[0.5, 0.3, 0.5], [0.1, 0.2, 0.7], [0.4, 0.4, 0.4], [3, 1, 2], [0, 0, 0]]
TWO, ONE_SCORE = [0, 1, 1, 0, 1], [0.5, 0.4, 0.75, 0.25, 1.0]
WIDE = np.zeros((2, 40), int); WIDE[0, [3, 30]] = WIDE[1, 7] = 1
WIDE_SCORES = (np.arange(80).reshape(2, 40) * 7) % 11
def tried(function, *arguments, **options):
    try: print(function(*arguments, **options))
    except (TypeError, ValueError, ZeroDivisionError) as error: print(type(error).__name__.strip("_"), error, isinstance(error, TypeError), isinstance(error, ValueError))
"""
GRADED = ["dcg_score", "ndcg_score"]
MULTILABEL = ["label_ranking_average_precision_score", "coverage_error", "label_ranking_loss"]
ALL = [*GRADED, *MULTILABEL]
REFUSED = (
    """
[1, 0], [2, 1]|[[1], [0]], [[2], [1]]|[[1, 0]], [[2, 1], [1, 2]]|[[1, 0], [0, 1]], [[1, 2, 3], [1, 2, 3]]
[], []|[[]], [[]]|3, [[1, 2]]|[[1, 0]], 4|[[1, 0]], [[nan, 1]]|[[1, 0], [0, 1]], [[2, 1], [inf, 1]]|[[1, 0], [0, 1]], [[2, 1], [-inf, nan]]
[[1, 0], [nan, 1]], [[2, 1], [2, 1]]|[[1, inf]], [[1, 2]]|[['a', 'b']], [[1, 2]]|[[1, 0]], [['x', 'y']]|[[1, None]], [[1, 2]]
[[1, 0]], [[1, 1j]]|np.ones((2, 2, 2)), np.ones((2, 2))|[[1, 0]], np.ones((1, 2, 1))
[[1, 0.5], [0, 1]], [[1, 2], [2, 1]]|[[1, 2], [0, 1]], [[1, 2], [2, 1]]|[[1], [0]], [[0.5], [0.25]]|[[2, 0], [0, 2]], [[1, 2], [2, 1]]
[[-1, 0], [0, -1]], [[1, 2], [2, 1]]|[[True, False]], [[1, 2]]|[[0.5, 0], [0.5, 0]], [[1, 2], [2, 1]]|[1, 0, 1], [[1], [2], [3]]
[['1', '0']], [[2, 1]]|[[1e308, 1e308]], [[1, 2]]|[[1, 0]], [[1e308, 1e308]]|[['1', 'x']], [[2, 1]]|[[1, 0, 2]], [[3, 2, 1]]|[[0.0, 0.0]], [[3, 2]]
""".strip()
    .replace("\n", "|")
    .split("|")
)
OPTIONS = (
    """
k=1|k=2|k=4|k=100|k=0|k=2.0|k=True|k='2'|k=None|k=np.int64(3)|k=-1|ignore_ties=True|ignore_ties=True, k=2|ignore_ties=1|ignore_ties=np.True_
sample_weight=WEIGHTS|sample_weight=WEIGHTS, k=2, ignore_ties=True|sample_weight=[0, 0, 0]|sample_weight=[1, 2]|sample_weight=3|sample_weight=[-1, 2, 1]
sample_weight=np.array([0, 0, 2])|ignore_ties=None|ignore_ties=False, k=3|k=2**63
""".strip()
    .replace("\n", "|")
    .split("|")
)
TOP = (
    """
CLASSES, COLUMNS|CLASSES, COLUMNS, k=1|CLASSES, COLUMNS, k=3|CLASSES, COLUMNS, k=4|CLASSES, COLUMNS, normalize=False|CLASSES, COLUMNS, k=1, normalize=False, sample_weight=FIVE
CLASSES, COLUMNS, k=1, sample_weight=FIVE|CLASSES, COLUMNS, sample_weight=[0] * 5|CLASSES, COLUMNS, sample_weight=[1, 2]|CLASSES, COLUMNS, sample_weight=1
TWO, ONE_SCORE, k=1|TWO, [-0.5, 0.25, 3, -1, 0], k=1|TWO, [0, 1, 0.5, 0, 1], k=1|TWO, ONE_SCORE|TWO, ONE_SCORE, k=2, normalize=False|TWO, ONE_SCORE, k=1, normalize=False, sample_weight=FIVE
TWO, np.array(ONE_SCORE)[:, None], k=1|TWO, [1.0000001, 0.5, 0.5, 0.25, 0.5], k=1|TWO, [-1e-9, 0.25, 0.5, 0.25, 0.5], k=1|['no', 'yes', 'no'], [0.9, 0.8, 0.1], k=1
CLASSES, COLUMNS, labels=[0, 1, 2]|[0, 2, 2, 2, 2], COLUMNS, labels=[0, 1, 2], k=1|[0, 2, 2, 2, 2], COLUMNS, k=1|CLASSES, COLUMNS, labels=[0, 2, 1]|CLASSES, COLUMNS, labels=[0, 1, 1]
CLASSES, COLUMNS, labels=[0, 1]|CLASSES, COLUMNS, labels=[0, 1, 2, 3]|CLASSES, COLUMNS, labels=[0, 1, 3]|TWO, ONE_SCORE, k=1, labels=[0, 1]|TWO, ONE_SCORE, k=1, labels=[1, 2]
[1, 1, 1, 1, 1], ONE_SCORE, k=1, labels=[0, 1]|[1, 1, 1, 1, 1], ONE_SCORE, k=1|[1, 1], [[1, 2, 3], [1, 3, 2]], labels=[0, 1, 2], k=1|list('bcabc'), COLUMNS, k=1
list('bcabc'), COLUMNS, labels=list('abc'), k=1|CLASSES, ONE_SCORE|CLASSES, [[1, 2]] * 5|TWO, [[0.5, 0.5]] * 5|[0.0, 2.0, 1.0], COLUMNS[:3], k=1|[0.5, 1, 2], COLUMNS[:3]
[nan, 1, 2], COLUMNS[:3]|[0, inf, 2], COLUMNS[:3]|[[0], [2], [1]], COLUMNS[:3], k=1|[[0, 1]], COLUMNS[:1]|3, COLUMNS|[], COLUMNS|[0, 1, 2], COLUMNS|CLASSES, []
CLASSES, np.full((5, 3), nan)|CLASSES, COLUMNS, k=0|CLASSES, COLUMNS, k=1.5|CLASSES, COLUMNS, k=True|CLASSES, COLUMNS, k='1'|CLASSES, COLUMNS, k=np.int8(1)|CLASSES, COLUMNS, normalize=1
CLASSES, COLUMNS, normalize=np.False_|CLASSES, COLUMNS, normalize='no'|CLASSES, COLUMNS, labels=3|CLASSES, COLUMNS, labels=[]
""".strip()
    .replace("\n", "|")
    .split("|")
)
CALLS = [
    *each("rg.{f}({y}, {s})", f=GRADED, y=["LABELS", "np.array(LABELS, 'f4')", "NEGATIVE"], s=["SCORES", "PLAIN", "LATE", "np.array(SCORES, 'f4')"],),
    *each("rg.{f}({y}, {s}, ignore_ties=True, k={k})", f=GRADED, y=["LABELS"], s=["SCORES", "PLAIN", "LATE"], k=[1, 2, None],),
    *each("tried(rg.{f}, LABELS, LATE, {o})", f=GRADED, o=OPTIONS),
    *each("tried(rg.dcg_score, LABELS, SCORES, log_base={b})", b=["3", "1", "0.5", "0", "inf", "'2'", "True", "np.float32(1.5)", "None", "-1"],),
    *each("tried(rg.{f}, {a})", f=ALL, a=REFUSED),
    *each("rg.{f}(TRUE, TRUE_SCORES)", f=MULTILABEL),
    *each("rg.{f}(np.array({y}), np.array(TRUE_SCORES, 'f4'), sample_weight=FIVE)", f=MULTILABEL, y=["TRUE", "TRUE, bool", "TRUE) * 3.0 + (0", "TRUE, float"],),
    *each("tried(rg.{f}, TRUE, TRUE_SCORES, sample_weight={w})", f=MULTILABEL, w=["[1, 2]", "2", "[0, 0, 1, 0, 0]", "np.array(FIVE)"],),
    *each("rg.{f}({y}, WIDE_SCORES)", f=MULTILABEL, y=["WIDE", "WIDE.astype(bool)", "WIDE * 2", "WIDE * 0"],),
    *drawn(15, "rg.{f}(TRUE[{i}:{j}], TRUE_SCORES[{i}:{j}])", f=MULTILABEL, i=["0", "1", "2"], j=["3", "4", "5"],),
    *each("tried(rg.{f}, [[1], [0], [1]], [[0.5], [0.25], [1]])", f=MULTILABEL),
    *each("tried(rg.{f}, TRUE, TRUE_SCORES, sample_weight=[0] * 5)", f=MULTILABEL[1:]),
    *each("tried(rg.top_k_accuracy_score, {a})", a=TOP),
    "rg.top_k_accuracy_score(CLASSES, COLUMNS, k=3)",
]
CALLS += [
    *each("tried(rg.{f}, [1, nan, 2], [1, 2, 3])", f=ALL),
    *each("tried(rg.{f}, [1, 0, 2], [1, 2, -inf])", f=GRADED),
]
CALLS = [*dict.fromkeys(CALLS)]
