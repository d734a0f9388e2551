"""Functions of one measure: values with every argument, and arguments that are refused."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
import inspect
LABELS = [[3, 2, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4], [0, 1, 0, 0, 0]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1.0, 1.0, 1.0, 2.0, 0.0], [0, -1, 7, 7, 3]]
ARRAYS = [np.array(LABELS), np.array(SCORES, "f4")]
LISTS = [[2, 0], [1], [0, 1, 3], []], [[0.1, 0.2], [3.0], [1.0, 1.0, 0.5], []]
FLAT = [2, 0, 1, 3, 0, 0, 1, 2], [0.3, 0.3, 0.9, 0.1, 0.2, 0.8, 0.8, 0.8]
QIDS = ["q9", "q10", "q9", "q9", "q10", "q1", "q9", "q1"]
NEGATIVE = [[2, -1, 0, 1], [-2, -1, 0, 0], [0.5, 1.5, -0.5, 3]], [[3, 2, 2, 1], [1, 2, 3, 3], [1] * 4]
IDS = [["b", "a", "ab", "B", "c"], list("edcba"), ["10", "9", "1", "2", "8"], list("zyxwv")]
NUMBERS = [[9, 10, 2**53 + 1, 2**53, -3], [5, 4, 3, 2, 1], [7, 70, 8, 1, 0], [-1, -2, 3, 4, 5]]
JUDGED = [[3, 3, 2, 1, 0, 4, 0], [0, 2], [4, 2, 1, 1, 0], [1, 0, 0, 0, 0, 1, 1]]
EXCLUDE = np.zeros((4, 5), bool); EXCLUDE[0, 3] = EXCLUDE[2, 4] = EXCLUDE[3, 1] = True
double = lambda x: x * 2.0
halved = lambda x: 0.5 ** x
cubed = lambda x: np.where(x > 0, x, 0) ** 3
"""
GRADED = ["cg", "dcg", "idcg", "ndcg"]
BINARY = ["average_precision", "reciprocal_rank", "hit_rate", "precision", "recall", "f1"]
CUT = [*GRADED, *BINARY, "rbp", "err"]
FUNCTIONS = [*CUT, "r_precision", "auc"]
INPUTS = ["LABELS, SCORES", "*ARRAYS", "*LISTS", "LABELS[2], SCORES[2]", "*NEGATIVE", "LABELS"]
TIES = ["average", "stable", "reverse", "best", "worst", "random"]
CUTOFFS = ["1", "2", "3", "100", "None", "[1, 3]", "(5, 2, 100)", "[None, 4]", "np.array([2, 1])"]
CONVENTIONS = ["trec", "lightgbm", "catboost", "sklearn", "ranx", "implicit", "torchmetrics"]
CONVENTIONS += ["rectools", "ranklib", "spark", "elasticsearch", "lenskit", "xgboost", "ragas"]
FORMS = ["*FLAT, group=[3, 1, 4]", "*FLAT, group=[2, 2, 4, 0]", "*FLAT, qid=QIDS", "*FLAT, qid=[7, 2**53 + 1, 7, 7, 2**53 + 1, 2**53, 7, 2**53]",
    "LABELS, SCORES, lengths=[5, 2, 3, 4]", "*ARRAYS, lengths=[0, 5, 1, 3]", "LABELS, SCORES, exclude=EXCLUDE", "LABELS, SCORES, ignore=0", "LABELS, SCORES, ignore=[1, 4]",
    "*NEGATIVE, ignore=-1", "rg.Truth(LABELS), SCORES", "rg.Truth(FLAT[0], qid=QIDS), FLAT[1]"]
# Values of arguments, right and wrong ones, by the functions that have them.
GAINS = [
    *("gain='exp2'", "gain='binary'", "gain={0: 0, 1: 5, 2: 7, 3: 7.5, 4: 20}", "gain=double"),
    *("gain=[0, 1, 10, 100, 1000]", "gain=cubed", "gain='exp'", "gain={1: 1}", "gain=[1]"),
    *("gain='binary', rel=3", "gain=None"),
]
DISCOUNTS = [
    *("discount='log'", "discount='reciprocal'", "discount=halved", "discount=[1, .5, .4, .1, 0]"),
    *("discount=[1, 2]", "discount=[1, float('nan')]", "discount=[-1, 1]", "discount=None"),
    *("discount='log', log_base=3", "log_base=10", "log_base=1", "log_base='2'", "log_base=1.5"),
]
RELEVANT = ["rel=2", "rel=0", "rel=float('inf')", "rel=None", "rel=True", "rel=np.float32(3)", "rel=9"]
DIVISORS = [f"divisor={word!r}" for word in ("k", "min", "min_relevant", "relevant", "hits", "n", 2)]
OF_F1 = ["beta=2", "beta=0", "beta=-1", "beta='1'", "beta=0.5, k=2, divisor='min'"]
OF_RBP = ["p=0.5", "p=0.95", "p=1", "p=0", "p=None", "gain='exp2', p=.5", "gain='linear', k=2"]
OF_ERR = ["max_label=4", "max_label=7", "max_label=3", "max_label=0", "max_label=1024"]
SHARED = [
    *("empty=1", "empty=float('nan')", "empty='skip'", "empty='raise'", "empty='zero'"),
    *("judged=JUDGED", "judged=JUDGED[:3]", "judged=[[1, 2]] * 4", "judged=[1, 2]"),
    *("ties='id', ids=IDS", "ties='id_descending', ids=IDS", "ties='id', ids=NUMBERS"),
    *("ties='id'", "ids=IDS", "ties='ids'", "ties=None", "seed=3", "seed=-1", "seed=1.5"),
    *("ties='random', seed=3", "ties='random', seed=2**64 - 1", "seed=2**64", "seed=True"),
    *("threads=2", "threads=-1", "threads=None", "threads=0", "threads=1.5"),
    *("convention='trec_evil'", "convention=None", "convention=' Trec '"),
]
ALIEN = ["min_label=1", "recall=0.5", "judged_only=True", "per='item'", "weight=[1, 2, 3, 4]"]
ALIEN += ["gain='exp2'", "discount='log'", "log_base=3", "p=.5", "max_label=4", "divisor='k'"]
GIVEN_TO = [
    *(("ndcg", a) for a in GAINS + DISCOUNTS),
    *(("dcg", a) for a in GAINS + DISCOUNTS),
    *(("idcg", a) for a in GAINS + DISCOUNTS),
    *(("cg", a) for a in GAINS),
    *((f, a) for f in ("average_precision", "precision", "recall", "f1") for a in DIVISORS),
    *((f, f"{a}, k=3") for f in ("average_precision", "precision", "recall") for a in DIVISORS),
    *(("f1", a) for a in OF_F1),
    *(("rbp", a) for a in GAINS + OF_RBP),
    *(("err", a) for a in OF_ERR),
    *((f, a) for f in BINARY for a in RELEVANT[:3]),
    *((f, a) for f in ("ndcg", "rbp", "auc", "r_precision") for a in RELEVANT),
]
# A call like one before with values that are other, or equal but of another type.
PAIRS = [
    *("k=2", "k=True", "k=2.0", "k=np.int64(2)", "k=0", "k=2**63", "k='2'", "k=[0]", "k=[]"),
    *("ties='stable'", "ties=np.str_('worst')", "empty=0", "empty=False", "empty=0.0"),
]
REFUSED = ["rg.{f}([1, 2], [1, 2, 3])", "rg.{f}([[1, 0], [1, 0]], [[1, float('nan')], [1, 2]])", "rg.{f}([[1, 0], [float('inf'), 0]], [[1, 0], [1, 2]])", "rg.{f}([], [])",
    "rg.{f}([0, 0], [1, 1]), rg.{f}([1, 1], [0, 1]), rg.{f}([7], None), rg.{f}([1, 0, 0, 1])", "rg.{f}([[]]), rg.{f}([[], []])",
    "str(inspect.signature(rg.{f})), rg.{f}.__name__, rg.{f}.__qualname__, rg.{f}.__module__"]
NAMES = [
    *("ndcg_at_k", "ndgc", "map", "mrr", "hits", "hits_at_k", "p", "p_at_k", "set_map", "bpref"),
    *("evaluate_df", "evaluate_dataframe", "average_precison", "plot", "spark", "xyz", "mr"),
    *("precision_score", "map_at_k", "NDCG", "compair", "text", "dask", "recal", "evalute", "ILD"),
]
SAME_CALLS = """
for k in {values}:
    try: print(rg.{f}(*ARRAYS, k=k).tolist())
    except (TypeError, ValueError) as error: print(error)
"""
ABSENT = """
try: rg.{n}
except AttributeError as error: print(str(error).removeprefix("module 'rankgain' has no attribute"))
"""
MIXED = ("rg.{f}(*ARRAYS, {a}); rg.{f}(*ARRAYS); rg.{f}(*LISTS, {a}); rg.{f}(LABELS[3], SCORES[3], {a})")
CALLS = [
    *each("rg.{f}({i})", f=FUNCTIONS, i=INPUTS),
    *drawn(80, "rg.{f}({i}, k={k}, ties={t!r})", f=CUT, i=INPUTS, k=CUTOFFS, t=TIES),
    *drawn(48, "rg.{f}({i}, ties={t!r})", f=["auc", "r_precision"], i=INPUTS, t=TIES),
    *drawn(70, "rg.{f}({i}, convention={c!r})", f=FUNCTIONS, i=INPUTS, c=CONVENTIONS),
    *drawn(50, "rg.{f}({i}, k={k}, convention={c!r})", f=CUT, i=INPUTS, k=[1, 2, 9], c=CONVENTIONS),
    *drawn(70, "rg.{f}({i})", f=FUNCTIONS, i=FORMS),
    *(f"rg.{f}(*ARRAYS, {a})" for f, a in GIVEN_TO),
    *drawn(80, "rg.{f}(*ARRAYS, {a})", f=FUNCTIONS, a=SHARED),
    *drawn(40, "rg.{f}(*ARRAYS, {a})", f=FUNCTIONS, a=ALIEN),
    *drawn(35, MIXED, f=FUNCTIONS, a=SHARED),
    *drawn(35, MIXED, f=GRADED, a=GAINS + DISCOUNTS),
    *drawn(60, "rg.{f}(*ARRAYS, {a}); rg.{f}(*LISTS, {b})", f=CUT, a=PAIRS, b=PAIRS),
    *each(SAME_CALLS, f=["ndcg", "recall"], values=["(1, True, 1.0, 0, 2)", "([1, 2], (2, 1), [2])"]),
    *(call.format(f=function) for call in REFUSED for function in FUNCTIONS),
    *each(ABSENT, n=NAMES),
]
CALLS = [*dict.fromkeys(CALLS)]
