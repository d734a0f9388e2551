"""Reconciliations: what makes a measure differ between two conventions, choice by choice."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
LABELS = [[3, 2, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4], [1, 2, 1, 1, 3]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1, 1, 1, 2, 0], [0, -1, 7, 7, 3]]
UNTIED = [[0.5, 0.1, 0.6, 0.9, 0.2], [5, 4, 3, 2, 1], [1, 1.5, 1.25, 2, 0], [0, -1, 7, 8, 3]]
NEGATIVE = [[3, -2, 0, 1, 0], [0, 0, -1, 0, 0], [1, 1, -1, 0, 4], [1, -1, 1, 1, 3]]
IDS = [["b", "a", "ab", "B", "c"], list("edcba"), ["10", "9", "1", "2", "8"], list("zyxwv")]
JUDGED = [[3, 2, 0, 1, 0, 4], [0] * 5, [4, 2, 1, 1, 0, 2, 1], [3, 2, 1, 1, 1]]
QRELS = {"q10": {"a": 3, "b": 0, "c": 1, "d": 2.5, "z": 1}, "q9": {"a": 0, "c": 0}, "q1": {"b": 2, "e": 4, "q1": 1}, "q2": {"a": 1, "b": -1, "d": 1, "g": 3}, "gone": {"a": 1}}
WHOLE = {q: {d: int(v) for d, v in docs.items()} for q, docs in QRELS.items()}
RUN = {"q2": {"a": 0.5, "b": 0.7, "f": 0.70000000001, "x": 0.7, "d": 0.7}, "q9": {"a": 1.0, "u": 2, "c": 0}, "q10": {"u": 9, "a": 5, "b": 8, "d": 5, "c": 1, "v": -1}, "q1": {"e": -1.0, "q1": 5, "b": 3, "w": 3}, "extra": {"a": 1.0}}
WEIGHTS = {"q10": 1, "q9": 2.5, "q1": 0.5, "q2": 3, "gone": 1}
def show(function, *arguments, **options):
    try: result = function(*arguments, **options)
    except (TypeError, ValueError, KeyError) as error: print(type(error).__name__, error)
    else: print(result); print(result.to_dict()); print(repr(result), result.difference)
def changed(name, **fields): return rg.conventions[name].replace(**fields)
"""
PAIRS = [("sklearn", "lightgbm"), ("lightgbm", "catboost"), ("rankgain", "torchmetrics"), ("xgboost", "xgboost-"), ("rankgain", "rectools"), ("implicit", "rankgain"), ("ranx",
    "ignite"), ("burges2005", "jarvelin2002")]
PAIRS += [("ranklib", "spark"), ("elasticsearch", "lenskit"), ("recbole", "mlflow"), ("sklearn", "sklearn"), ("rax", "haystack")]
OF_RUNS = [("trec", "pytrec_eval"), ("trec", "beir"), ("trec_eval-9", "trec"), ("trec", "ir_measures"), ("ranx", "trec"), ("rankgain", "trec"), ("trec", "gdeval"), ("mteb", "beir"),
    ("msmarco", "trec"), ("trectools", "trec_eval-9")]
FIELDS = (
    """
k=2|gain='exp2'|negative='zero'|truncate_labels=True|min_label=2|rel=2|rel=1, rel_strict=True|discount='log', log_base=3|discount='log', log_base=3, undiscounted_below_base=True|ideal='list'|ideal='ones', k=3|divisor={'precision': 'min', 'average_precision': 'hits'}|max_label=9|p=.5
score_dtype='float32'|ties='worst'|drop_scores_at_most=0.5|empty=1|empty='skip'|empty=1, empty_has_weight=False|weighted=False|mean={'precision': 'micro'}|summation='by_id'|recall_rounding=0.5|result_dtype='float32'|round=2|round_mean=1|undefined='never'|own_document='drop'
unjudged='drop'|missing='skip'|gain={0: 0, 1: 1, 2: 3, 3: 9, 4: 27, 2.5: 4, -1: 0}|gain='exp2', ties='best', k=3, empty=1|ignore_below=0|ignore_below=1
""".strip()
    .replace("\n", "|")
    .split("|")
)
MEASURES = ["nDCG", "nDCG@3", "AP", "P@3", "RR", "R@2", "RBP", "ERR@3", "IPrec@.5"]
REFUSED = (
    """
rg.reconcile, LABELS, SCORES, 'trec', 'sklearn', measure='nDCG'|rg.reconcile, LABELS, UNTIED, 'trec', 'sklearn', measure='nDCG'|rg.reconcile, LABELS, SCORES, 'x', 'sklearn', measure='nDCG'|rg.reconcile, LABELS, SCORES, 'sklearn', None, measure='nDCG'
rg.reconcile, LABELS, SCORES, 'sklearn', 'lightgbm', measure='nDCG(judged_only=True)'|rg.reconcile, LABELS, SCORES, 'sklearn', 'lightgbm', measure='P.1,2'|rg.reconcile, LABELS, SCORES, 'sklearn', 'lightgbm', measure='zzz'|rg.reconcile, NEGATIVE, SCORES, 'sklearn', 'catboost', measure='nDCG'
rg.reconcile, LABELS, SCORES[:2], 'sklearn', 'lightgbm', measure='nDCG'|rg.reconcile, LABELS, SCORES, 'sklearn', 'lightgbm', measure='nDCG', threads=0|rg.reconcile, LABELS, SCORES, 'sklearn', 'lightgbm', measure='nDCG', weight=[1, 2]|rg.reconcile_runs, QRELS, RUN, 'trec', 'llama_index', measure='nDCG'
rg.reconcile_runs, QRELS, RUN, 'trec', 'lightgbm', measure='nDCG'|rg.reconcile_runs, RUN, QRELS, 'trec', 'beir', measure='nDCG'|rg.reconcile_runs, QRELS, {'x': {'a': 1.0}}, 'trec', 'beir', measure='nDCG'|rg.reconcile_runs, QRELS, RUN, 'trec', 'beir', measure='Coverage@3'|rg.reconcile, LABELS, SCORES, 'sklearn', 'lightgbm', measure=rg.measure('own', len)
rg.reconcile_runs, QRELS, RUN, 'trec', 'beir', measure='nDCG', weight={'q1': 2}|rg.reconcile, LABELS, SCORES, 'sklearn', 'implicit', measure='nDCG', threads=2|rg.reconcile, [1, 0, 2], [1, 1, 1], 'sklearn', 'lightgbm', measure='nDCG'|rg.reconcile_runs, {'q': {'a': 0}}, {'q': {'a': 1.0}}, 'trec', 'beir', measure='AUC'
""".strip()
    .replace("\n", "|")
    .split("|")
)
CALLS = [
    *(f"show(rg.reconcile, LABELS, SCORES, {a!r}, {b!r}, measure='nDCG@3')" for a, b in PAIRS),
    *(f"show(rg.reconcile, LABELS, SCORES, {a!r}, {b!r}, measure={MEASURES[p % 8]!r}, weight=[1, 2, .5, 3])" for p, (a, b) in enumerate(PAIRS)),
    *(f"show(rg.reconcile_runs, WHOLE, RUN, {a!r}, {b!r}, measure='nDCG@3')" for a, b in OF_RUNS),
    *(f"show(rg.reconcile_runs, WHOLE, RUN, {b!r}, {a!r}, measure={MEASURES[p % 9]!r}, weight=WEIGHTS)" for p, (a, b) in enumerate(OF_RUNS)),
    *(f"show(rg.reconcile, LABELS, SCORES, 'rankgain', changed('rankgain', {f}), measure={MEASURES[p % 9]!r}, weight=[1, 2, .5, 3])" for p, f in enumerate(FIELDS)),
    *drawn(30, "show(rg.reconcile_runs, QRELS, RUN, 'trec', changed('trec', {f}), measure={m!r})", f=FIELDS, m=MEASURES),
    *each("show(rg.reconcile, LABELS, SCORES, 'rankgain', changed('rankgain', {f}), measure={m!r})", f=["divisor={'precision': 'min', 'recall': 'min'}", "mean={'precision': 'micro'}", "rel=2", "round=1"], m=["P@3", "R@3"]),
    *each("show(rg.reconcile, {a}, 'rankgain', 'trec', measure={m!r}, ids={i})", a=["LABELS, SCORES"], m=["nDCG@3", "RR"], i=["IDS", "np.arange(20).reshape(4, 5)[:, ::-1]"]),
    *each("show(rg.reconcile, LABELS, {s}, 'sklearn', 'lightgbm', measure='nDCG@2')", s=["None", "UNTIED"]),
    *each("show(rg.reconcile, {a}, a='sklearn', b='catboost', measure='nDCG@2', {o})", a=["[1, 2, 0, 3, 1], [1, 1, 1, 2, 2]"], o=["qid=['b', 'a', 'b', 'a', 'a']", "group=[2, 3]", "group=[2, 3], weight=[2, 1]"]),
    *each("show(rg.reconcile, LABELS, SCORES, 'sklearn', 'catboost', measure='nDCG@3', {o})", o=["judged=JUDGED", "lengths=[5, 0, 2, 3]", "ignore=0", "exclude=np.array(LABELS) == 2", "weight=[1, 2, 3, 0]", "threads=-1"]),
    *each("show({a})", a=REFUSED),
    "a = rg.reconcile(LABELS, SCORES, 'sklearn', 'catboost', measure='nDCG'); a.steps[0], a.lists, a.explained[1], a.conventions, a.names, a.queries; a._repr_html_()[:200]; a.means = 3",
]
CALLS = [*dict.fromkeys(CALLS)]
