"""Functions of single measures called one after the other: no call depends on those before it."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import inspect
LABELS = [[3, 2, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1.0, 1.0, 1.0, 2.0, 0.0]]
Y, S = np.array(LABELS), np.array(SCORES)
FLAT, OF_FLAT = Y.ravel(), S.ravel()
LONG, OF_LONG = np.arange(300) * 7 % 5, np.arange(300) * 13 % 11 / 2
NEGATIVE = np.array([[1, -1, 2], [0, 3, -1]]), np.array([[1, 2, 3], [3, 2, 1.0]])
def turn(function, *calls, **options):
    answers = []
    for arguments in calls:
        changed = {}
        if isinstance(arguments[-1], dict):
            *arguments, changed = arguments
        try:
            answers.append(function(*arguments, **{**options, **changed}))
        except (TypeError, ValueError) as error:
            text = str(error).replace("got an unexpected keyword argument", "has no")
            answers.append(f"{type(error).__name__}: {text}")
    return answers
"""
FUNCTIONS = [
    "ndcg",
    "dcg",
    "idcg",
    "cg",
    "average_precision",
    "precision",
    "recall",
    "reciprocal_rank",
    "hit_rate",
    "f1",
    "r_precision",
    "rbp",
    "err",
    "auc",
]
OPTIONS = {
    "k": [
        "1",
        "2",
        "3",
        "100",
        "[1, 3]",
        "(2, 1)",
        "np.int64(2)",
        "np.array([1, 2])",
        "None",
        "[2, None]",
        "0",
        "2.5",
        "True",
        "[]",
        "10**30",
    ],
    "ties": ["'average'", "'stable'", "'best'", "'worst'", "'random'", "'id'"],
    "empty": ["0", "1", "float('nan')", "'raise'", "'skip'", "0.5"],
    "rel": ["1", "2", "0.5", "1.0", "True", "'1'"],
    "convention": [
        "'trec'",
        "'rankgain'",
        "'sklearn'",
        "'gdeval'",
        "'lightgbm'",
        "'recbole'",
        "'trectools'",
        "'torchmetrics'",
        "'tf_ranking'",
        "'mteb'",
        "'xgboost'",
    ],
    "gain": [
        "'exp2'",
        "'linear'",
        "'binary'",
        "[0, 1, 2, 3, 5]",
        "{0: 0, 1: 2, 2: 3, 3: 4, 4: 9}",
        "{1: .1, 2: .2, 3: .3, 4: .5}",
        "{1: 1, 2: -1, 3: 1, 4: 1}",
        "lambda g: g / 9",
    ],
    "discount": ["'log2'", "'reciprocal'", "[1, .5, .25, .1, 0]", "lambda r: 1 / r", "'log'"],
    "seed": ["0", "1", "2**64 - 1"],
    "threads": ["1", "2", "None"],
    "p": ["0.5", "0.9"],
    "weight": ["[1, 2]"],
    "max_label": ["4", "5", "9"],
    "divisor": ["'k'", "'min'", "'relevant'", "'hits'"],
}
CHANGES = [f"{{{name!r}: {value}}}" for name, values in OPTIONS.items() for value in values]
INPUTS = [
    "Y, S",
    "Y[0], S[0]",
    "LABELS, SCORES",
    "Y[:, :3], S[:, :3]",
    "LONG, OF_LONG",
    "Y, S.astype('f4')",
    "Y[:1], S[:1]",
    "*NEGATIVE",
    "Y[:, :1], S[:, :1]",
    "Y[2].tolist(), S[2].tolist()",
]
CALLS = [
    *drawn(
        200,
        "turn(rg.{f}, ({a}), ({a}, {c}), ({b}, {c}), ({a}, {d}), ({a}))",
        f=FUNCTIONS,
        a=INPUTS,
        b=INPUTS,
        c=CHANGES,
        d=CHANGES,
    ),
    *drawn(
        60,
        "rg.{f}({i}, {o})",
        f=FUNCTIONS[:-1],
        i=["FLAT, OF_FLAT", "Y, None", "Y, S"],
        o=["group=[5, 5, 5]", "qid=list('bbbaabacccaaccb')", "ids=Y.T.reshape(Y.shape)", "judged=[[3, 3], [1], [4, 4, 2, 1, 1]]", "lengths=[4, 0, 5]", "exclude=S == 1", "ignore=0",
           "ignore=[1, 3]"],
    ),
    *each(
        "rg.{f}(Y, S, {o})",
        f=["ndcg", "auc", "precision"],
        o=["tie='best'", "gruop=[5]", "igore=1"],
    ),
    *each("turn(rg.{f}, (Y, S), (np.array([[1, -1, 0], [2, -1, 1]]), np.array([[3., 2, 1], [1, 2, 3]])), (LABELS, SCORES), (Y[0], S[0]), convention={c!r}, ties='stable')", f=["ndcg", "average_precision", "err"], c=["torchmetrics", "recbole", "spark", "gdeval", "xgboost", "trec_eval-9"]),
    "rg.rbp(Y, S, gain={1: .1, 2: .2, 3: .3, 4: .5})",
    "rg.rbp(Y, S, gain={1: 1, 2: -1, 3: 1, 4: 1})",
    "rg.rbp(Y, S, gain=lambda g: g - 2)",
    "rg.ndcg(Y, S, k=3, convention='recbole'), rg.ndcg(Y, S, convention='recbole')",
    *each(
        "[line for line in rg.{f}.__doc__.splitlines() if ' : ' in line]; str(inspect.signature(rg.{f}))[:400]",
        f=["evaluate_arrays", "evaluate_ids", "evaluate", "evaluate_catalogue", "ndcg", "rbp"],
    ),
]
