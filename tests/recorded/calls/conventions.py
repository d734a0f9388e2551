"""Conventions: their fields, copies with changes, refusals, and values under each of them."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
import copy, inspect, pickle
from functools import partial
named, Convention = rg.conventions, rg.Convention
nan, inf = float("nan"), float("inf")
double = lambda x: 2 * x
def tried(function, *arguments, **options):
    try: result = function(*arguments, **options)
    except (TypeError, ValueError, KeyError, AttributeError) as error: print(type(error).__name__, error)
    else: print(repr(result))
def replaced(*changes, base="rankgain"):
    for change in changes:
        try: new = named[base].replace(**change)
        except (TypeError, ValueError) as error: print(error)
        else: print(new.name, "|", *(f"{n}={getattr(new, n)!r}" for n in change), new == named[base])
FAMILY_FIELDS = ["ties", "empty", "divisor", "k", "missing", "score_dtype", "mean", "weighted", "round"]
QRELS = {
    "q10": {"a": 3, "b": 0, "c": 1, "d": 2, "z": 1}, "q9": {"a": 0, "c": 0}, "q1": {"b": 2, "e": 4, "q1": 1},
    "q2": {"a": 1, "b": 0, "d": 1, "f": 0, "g": 3}, "gone": {"a": 1}, "q7": {"c": 1, "x": 0, "a": 2},
}
RUN = {
    "q2": {"a": 0.5, "b": 0.7, "f": 0.70000000001, "x": 0.7, "d": 0.7}, "q9": {"a": 1.0, "u": 2, "c": 0},
    "q10": {"u": 9, "a": 5, "b": 8, "d": 5, "c": 1, "v": -1}, "q1": {"e": -1.0, "q1": 5, "b": 3, "w": 3},
    "extra": {"a": 1.0}, "q7": {"c": 0.0, "x": -2, "a": -2},
}
COMMON = {query: docs for query, docs in QRELS.items() if query != "gone"}
FRACTIONS = {"q": {"a": 1.5, "b": 0.6, "c": 2.9, "d": 0.5}}, {"q": {"b": 3.0, "a": 2, "x": 2, "c": 1, "d": 1}}
NEGATIVES = {"q": {"a": 1, "b": -2, "c": -1, "d": 2}}, {"q": {"b": 3.0, "a": 2, "x": 2, "c": 1}}
ONES = {q: {d: int(v > 0) for d, v in docs.items()} for q, docs in QRELS.items()}
LABELS = [[3, 2, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4], [1, 2, 1, 1, 3]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1, 1, 1, 2, 0], [0, -1, 7, 7, 3]]
BINARY = [[1, 0, 0, 1, 1], [0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]]
WEIGHTS = [1.0, 2, 4, 0.5]
def values(function, *data, **options):
    *data, names = data
    try: show(function(*data, names.split(), **options))
    except (TypeError, ValueError):
        for name in names.split():  # which of them are refused
            try: show(function(*data, name, **options))
            except (TypeError, ValueError) as error: print(name, error)
def show(result):
    for name, mean in result.means.items():
        print(name, f"{mean:.9g}:", *(f"{value:.9g}" for value in result.per_query.get(name, [])))
def means(qrels, run, names, **options): values(rg.evaluate, qrels, run, names, **options)
def arrays(labels, names, **options): values(rg.evaluate_arrays, labels, SCORES, names, **options)
"""
NAMES = """
rankgain trec trec_eval trec_eval-9 pytrec_eval ir_measures gdeval ranx trectools sklearn torchmetrics
lightgbm xgboost xgboost- catboost catboost-exp ranklib rax tf_ranking implicit rectools
rectools-achievable mlflow llama_index haystack ragas sentence_transformers mteb torchrec
ignite keras_rs lenskit pykeen-optimistic pykeen-pessimistic recommenders recbole spark
elasticsearch msmarco beir jarvelin2002 burges2005
""".split()
RANKED = "nDCG nDCG@2 AP@2 RR RR@2 HitRate@1 P P@9 R@2 F1@2 RPrec AUC DCG@3"
OTHERS = "AP RBP rbp rbp@2 ERR@3 Bpref IPrec@.5 Judged@2 Unjudged@9 NumQ NumRel RnDCG G"
FIELDS = {"gain": "'exp2'|'binary'|{1: 2, 0: 0}|[0, 1, 3]|range(9)|np.array([0., 2])|double|'cubic'|3|None|[]|{2: 1.5, -1: np.float32(3)}|[True, 'a']|b'exp2'|(0, [1])", "negative":
    "'zero'|'raise'|'drop'|{'dcg': 'zero'}|{'dcg': 'zero', '*': 'raise'}|{'dcg': 'x'}|None", "truncate_labels": "True|np.True_|1|'yes'|None", "labels":
    "'integer'|{'ndcg': 'binary'}|'float'|{'ndcg': None}", "largest_label": "3|2.5|inf|'4'|nan|np.int64(7)|True", "ignore_below": "0.0|-1|nan|None|'0'", "min_label":
    "2|-0.5|'a'|inf", "discount": "'log'|'reciprocal'|[1, .5]|np.array([1., .25])|double|'sqrt'|2|None|[1, 2]", "log_base": "3|1|inf|'e'|2.5", "undiscounted_below_base": "True|0",
    "k": "5|0|2**63|2**63 - 1|True|2.0|{'ndcg': 3, '*': None}|{'ndcg': 0}|{'ndcg@k': 2}|None", "ideal": "'list'|'ones'|'given'|'returned'|'pool'", "ties":
    "'id'|'best'|{'ndcg': 'stable', 'ndcg@k': 'reverse'}|'none'|{'*': 'worst'}|{'ndcg': 'coin'}", "score_dtype": "'float32'|'float16'|{'ndcg': 'float64'}|None", "result_dtype":
    "'float32'|None|{'ndcg': 'float32'}", "round": "3|0|-1|2.0|{'err': 5}|None|True", "round_mean": "4|-2|None|'4'", "empty":
    "1|nan|'skip'|'raise'|'zero'|{'ndcg': 1.0, '*': 'skip'}|{'auc': nan}|inf|None|True", "empty_has_weight": "False|{'ndcg': False}|0", "undefined":
    "'zero'|'zero_sum'|'never'|'always'", "weighted": "False|{'recall': False}|None", "missing": "'skip'|'raise'|'keep'|{'ndcg': 'zero', '*': 'skip'}", "unjudged": "'drop'|'zero'",
    "own_document": "'drop'|True", "drop_scores_at_most": "0|-inf|nan|None|{'recall': 0.5}|'0'", "divisor": "'min'|'all'|{'precision': 'min_relevant'}|{'precision': 1}",
    "summation": "'pairwise'|'by_id'|'fast'", "mean": "'micro'|'geometric'|'median'|{'precision': 'micro'}", "rel": "2|0.5|None|nan|True", "rel_strict": "True|'no'",
    "recall_rounding": "0.5|0|0.999|1|-0.1|'down'|'up'", "max_label": "7|0|1023|1024|'4'", "p": "0.5|0|1|'0.8'", "names":
    "{'rbp': 'RBP(p=0.5)'}|{}|{'rbp': 3}|{3: 'RBP'}|'rbp'|None", "version": "'2'|3|''", "source": "'[read] x'|None", "reproduces": "'all'|1", "leaves_out": "'none'|b''"}
RULES = [
    *("gain='exp2'", "gain='binary', rel=2", "gain={0: 0, 1: 1, 2: 5, 3: 6, 4: 9}", "discount='log', log_base=3",),
    *("discount='log', log_base=3, undiscounted_below_base=True", "discount=[1, .5, .25, 0, 0, 0]", "discount='reciprocal'",),
    *("k=2", "k={'ndcg': 1, '*': 3}", "k={'ndcg': 1}", "ideal='list'", "ideal='ones'", "ideal='ones', k=3", "ideal='given'",),
    *("ideal='returned'", "ties='stable'", "ties='id'", "ties={'ndcg': 'best', 'ndcg@k': 'worst', '*': 'reverse'}",),
    *("score_dtype='float32'", "score_dtype={'ndcg': 'float32'}", "result_dtype='float32'", "round=2", "round_mean=1",),
    *("round={'ndcg': 1, 'ndcg@k': 3}", "empty=1", "empty='skip'", "empty={'ndcg': 0.5, '*': 'skip'}", "empty=nan",),
    *("empty=1, empty_has_weight=False", "empty=1, weighted=False", "weighted={'ndcg': False}", "undefined='zero'",),
    *("undefined='never'", "undefined='zero_sum'", "missing='skip'", "missing='raise'", "missing={'ndcg': 'skip'}",),
    *("unjudged='drop'", "own_document='drop'", "drop_scores_at_most=0", "drop_scores_at_most={'recall': 1, '*': None}",),
    *("divisor={'precision': 'min'}", "divisor={'average_precision': 'hits', 'recall': 'min'}", "summation='pairwise'",),
    *("summation='by_id'", "mean={'precision': 'micro'}", "mean='geometric'", "mean='micro'", "rel=2", "rel=1, rel_strict=True",),
    *("recall_rounding=0.5", "recall_rounding=0.9", "max_label=3", "max_label=9", "p=0.5", "min_label=2", "min_label=-1",),
    *("names={'rbp': 'RBP(gain=linear,p=0.9)'}", "names={'rbp': 'RBP(p=0.3)', 'ndcg': 'nDCG(gain=exp2)'}, k=2",),
    *("names={'ndcg': 'AP'}", "names={'P': 'P(divisor=min)'}", "labels='integer', largest_label=3", "labels='binary'",),
    *("largest_label=3", "ignore_below=0", "ignore_below=1", "negative='zero'", "negative='keep'", "negative={'dcg': 'raise'}",),
    *("truncate_labels=True", "truncate_labels=True, labels='integer'", "divisor={'f1': 'min', 'judged': 'k', 'unjudged': 'min'}",),
]
SOURCES = ["QRELS, RUN", "COMMON, RUN", "ONES, RUN", "*FRACTIONS", "*NEGATIVES"]
CALLS = [
    *each("print(named[{n!r}])", n=NAMES),
    *each("named[{n!r}]", n=["trec", "lightgbm", "catboost", "beir", "rankgain"]),
    *(f"replaced(*({{{field!r}: v}} for v in [{values.replace('|', ', ')}]))" for field, values in FIELDS.items()),
    *(f"replaced(*({{{field!r}: v}} for v in [{values.replace('|', ', ')}][:4]), base='trec_eval-9')" for field, values in FIELDS.items()),
    *each("means(QRELS, RUN, {m!r}, convention={n!r})", n=NAMES, m=[RANKED, OTHERS]),
    *drawn(40, "means({s}, {m!r}, convention={n!r})", s=SOURCES[1:], n=NAMES, m=[RANKED, OTHERS]),
    *drawn(40, "arrays({a}, {m!r}, convention={n!r}, weight=WEIGHTS)", a=["BINARY", "LABELS"], n=NAMES, m=[RANKED, OTHERS],),
    *(f"means({SOURCES[p % 2]}, {(RANKED, OTHERS)[p // 7 % 2]!r}, convention=named['rankgain'].replace({r}))" for p, r in enumerate(RULES)),
    *(f"arrays(LABELS, {(OTHERS, RANKED)[p % 2]!r}, weight=WEIGHTS, convention=named['rankgain'].replace({r}))" for p, r in enumerate(RULES)),
    *drawn(24, "means({s}, {m!r}, convention=named['trec'].replace({r}))", s=SOURCES, r=RULES, m=[RANKED, OTHERS],),
    *drawn(20, "means({s}, {m!r}, convention=named['xgboost'].replace({r}))", s=SOURCES, r=RULES, m=[RANKED, OTHERS],),
    *each("tried(rg.ndcg, [1, 0], convention={c})", c=["'trek'", "'Light GBM'", "''", "'LIGHTGBM '", "3", "None", "'x' * 200", "'xgb'"],),
    *each("tried(named.__getitem__, {c})", c=["'Trec'", "'lenskid'", "3", "'rank'"]),
    *each("tried(Convention, {a})", a=["''", "3", "'mine', colour=1", "'mine', tie='id'", "'mine', gain='x', k=0", "'mine', k=0, gain='x'", "'mine'", "np.str_('mine')"],),
    "named, len(named), list(named), 'trec' in named, 'TREC' in named, named.get('x'); print(named)",
    "a = named['trec'].replace(k=3); a.replace(k=None) == named['trec'], a.replace(k=None).name, a.replace(name='b').name, a.replace(rel=2).name",
    "a = named['trec'].replace(name='b', k=3); a.replace(rel=2).name, a.replace(rel=2).replace(k=None, rel=1).name, a == a.replace(name='c')",
    "a = Convention('mine', k=3); a.name, a.replace(), a.replace(k=4).name, a.replace(k=None).name, a.replace(gain=[1, 2, 3, 4, 5, 6, 7]).name",
    "a, b = Convention('a', empty=nan), Convention('a', empty=float('nan')); a == b, hash(a) == hash(b), a == 'a', a != named['trec']",
    "a = Convention('a', gain={2: 5, 1: np.float32(1)}); a, pickle.loads(pickle.dumps(a)) == a, copy.deepcopy(a), hash(a) == hash(copy.copy(a))",
    "pickle.loads(pickle.dumps(named)) is named, copy.copy(named['trec']) == named['trec'], named['trec'] is named['trec']",
    *each("tried(lambda: {c})", c=["named['trec'].__setattr__('k', 3)", "named['trec'].__delattr__('k')", "named['lightgbm'].divisor.pop('precision')",
        "named['lightgbm'].divisor.__setitem__('precision', 'k')", "named['lightgbm'].divisor.update(a=1)", "named['lightgbm'].divisor.clear()"],),
    *each("[named[n].for_family(f, {g!r}, cut={c}) for n in {n} for f in FAMILY_FIELDS]", g=["reciprocal_rank", "precision", "ndcg", "err"], c=[True, False], n=["('rankgain', 'ir_measures', 'xgboost')",
        "('implicit', 'beir', 'torchmetrics')"],),
    "TABLE = {2: 5.0, 0: 0.0}; a = Convention('a', gain=TABLE); TABLE[2] = 7; a.gain, a.of_family('ndcg')['gain'], rg.dcg([2, 0], convention=a)",
    "a = Convention('a', gain=[0, 1, 3], discount=(1, 0.5)); a.of_family('ndcg')['gain'], a.of_family('ndcg')['discount'], rg.dcg([2, 1], convention=a)",
    "a = Convention('a', k=2); [rg.dcg([1, 2, 4], convention=a), rg.dcg([1, 2, 4], convention=a, k=1), rg.dcg([1, 2, 4], convention=a, k=None)]",
    "a = Convention('a', k=2); rg.evaluate_arrays([[1, 0, 1]], [[3, 1, 2]], ['rbp', 'P', 'P@1', 'Lift(share=.5)', 'AUC', 'IPrec@.5'], convention=a.replace(ties='stable'))",
    "a = named['trec']; rg.evaluate(COMMON, RUN, ['rbp', 'RBP', 'rbp(p=.5)', 'rbp@2', 'RBPResidual', 'P.1,2'], convention=a)",
    "a = named['trec']; rg.evaluate(COMMON, RUN, {'rbp', 'RBP', 'map'}, convention=a); rg.evaluate(COMMON, RUN, 'rbp', convention=a)",
    *each("tried(rg.evaluate, COMMON, RUN, {s}, convention='trec')", s=["[]", "'x'", "3", "[3]", "{'rbp': 1}"],),
    *each("tried(rg.evaluate_arrays, LABELS, SCORES, {s})", s=["['P', 'AP'], divisor='hits', gain='exp2'", "['P', 'R'], divisor='hits'",
        "['P', 'R', 'AUC', 'nDCG', 'RR', 'HitRate'], p=.5", "'AP', divisor='x'", "'P', divisor=3", "['P', 'AP'], divisor='hits', rel=2"],),
]
CALLS += [
    *each("tried(rg.Evaluation.merge, [rg.evaluate_arrays([LABELS[0]], [SCORES[0]], 'nDCG', {a}), rg.evaluate_arrays([LABELS[2]], [SCORES[2]], 'nDCG', {b})])", a=["gain=double", "gain=partial(pow, 2)", "gain={0: 0, 1: 1, 2: 2, 3: 3, 4: 4}", "discount=[1, .5, .25, .2, .1]", "ties='stable'"],
        b=["gain=double", "gain=np.exp2", "gain={0: 0, 1: 1, 2: 5, 3: 3, 4: 4}", "discount=[1, .5, .25, .2, .05]", ""]),
]
CALLS = [*dict.fromkeys(CALLS)]
