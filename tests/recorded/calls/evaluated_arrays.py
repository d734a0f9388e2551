"""evaluate_arrays, evaluate_models and gauc: forms of arrays, every option, and sequences of calls."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import pickle
LABELS = [[3, 2, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4], [0, 1, 0, 0, 0]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1.0, 1.0, 1.0, 2.0, 0.0], [0, -1, 7, 7, 3]]
ARRAYS = np.array(LABELS, np.int8), np.array(SCORES, "f4")
RAGGED = [[2, 0], [1], [0, 1, 3], []], [[0.1, 0.2], [3.0], [1.0, 1.0, 0.5], []]
FLAT = np.array([1, 0, 2, 0, 0, 3, 1, 0, 0]), np.array([.5, .5, .1, 4, 2, 2, 2, np.inf, -np.inf])
GROUPS = [3, 0, 4, 2]
QUERIES = ["q2", "q10", "q2", "q1", "q10", "q10", "q2", "q1", "q1"]
NUMBERS = [2**53 + 1, 7, 2**53 + 1, 2**53, 7, 7, -4, 2**53, -4]
DOUBLES = [[0, 1.5, 0.25], [2.5, 0, 1]], [[2**53 + 1, 2**53, 2**53 + 2], [2**24 + 1, 2**24, 0]]
NEGATIVE = [[2, -1, 0, 1], [-1, -1, 3, 0], [1, 0, -2, -1]], [[1, 2, 3, 4], [4, 3, 2, 1], [2, 2, 1, 1]]
JUDGED = [[3, 2, 1, 0, 4], [0, 2], [4, 2, 1, 1], [1, 1]]
FULL = [[3, 2, 1, 0, 0], [0, 2, 0, 0, 0], [4, 2, 1, 1, 0], [1, 1, 0, 0, 0]]
SEEN = [[1, 0, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]]
IDS = [[9, 2, 3, 4, 5], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [10, 20, 5, 4, 3]]
WORDS = [["b", "a", "c", "k", "j"], ["e", "d", "c", "b", "a"], ["z", "y", "x", "w", "v"], ["10", "9", "8", "7", "6"]]
TRUTH = rg.Truth(LABELS)
SPARSE = np.array([3, 1.0, 2, 0, 4]), np.array([0, 3, 4, 0, 2]), np.array([0, 2, 2, 4, 5])
WEAK = np.array([0.3, 0.2]), np.array([0, 2]), np.array([0, 1, 1, 1, 2])
MODELS = {"b": SCORES, "a": (-np.array(SCORES)).tolist(), "c": np.ones((4, 5))}
FRACTIONS = [[0.3, 0.7, 0.11, 0.2], [0.5, 0.9, 0.4, 0.25]], [[0, 1, 0, 2], [1, 0, 0, 0]]
"""
FORMS = [
    "LABELS, SCORES",
    "*ARRAYS",
    "*RAGGED",
    "LABELS[2], SCORES[2]",
    "*FLAT, group=GROUPS",
    "*FLAT, qid=QUERIES",
    "*FLAT, qid=NUMBERS",
    "*FLAT",
    "*DOUBLES",
    "*NEGATIVE",
    "TRUTH, SCORES",
    "LABELS, None",
    "LABELS, SCORES, lengths=[5, 2, 4, 0]",
    "LABELS, SCORES, judged=JUDGED",
    "LABELS, SCORES, exclude=np.array(SEEN, bool)",
    "LABELS, SCORES, ignore=0",
    "*NEGATIVE, ignore=[-1, -2]",
    "LABELS, SCORES, ids=IDS",
    "LABELS, SCORES, ids=WORDS",
    "*FLAT, qid=QUERIES, ids=list('bacdefghi')",
]
MEASURES = [
    "['nDCG@3', 'AP', 'RR']",
    "['ERR@2', 'nDCG(gain=exp2)', 'P@2', 'R@1']",
    "['DCG', 'IDCG@2', 'CG@4', 'F1@2', 'RBP(p=0.5)']",
    "['GMAP', 'AUC', 'HitRate(per=item)@2', 'GAUC(weight=documents)']",
    "['Bpref', 'RPrec', 'NCG@3', 'Judged@3']",
    "['MR', 'AMRI', 'RR(rank=pessimistic)', 'Lift(share=0.4)', 'PRAUC', 'RankingLoss']",
    "['SDCG(max_rel=4)@3', 'INSQ(max_rel=3,T=1)', 'SetAP', 'AP@R', 'RnDCG', 'Gain@2', 'nERR']",
    "['NumQ', 'NumRet', 'NumRel', 'NumRelRet@2', 'CoverageError', 'utility']",
]
OPTIONS = [
    "",
    *each("ties={t!r}", t=["stable", "reverse", "best", "worst", "random", "id", "id_descending"]),
    "seed=3, ties='random'",
    "seed=4",
    "rel=2",
    "rel=0",
    "rel=0.5",
    "gain='exp2'",
    "gain={0: 0, 1: 3, 2: 4, 3: 9, 4: 10, -1: 0, -2: 0, 1.5: 2, .25: 1, 2.5: 3}",
    "gain=lambda label: label ** 2",
    "discount='reciprocal'",
    "discount='log', log_base=10",
    "discount=[1, .9, .5, .3, .2, .1, .05, .02, .01]",
    "p=0.3",
    "beta=2",
    "max_label=5",
    "divisor='min'",
    "divisor='k'",
    *each("empty={e}", e=["'skip'", "1", "float('nan')", "'raise'", "float('inf')"]),
    *each("bounds={b}", b=["'ties'", "['unjudged', 'ties']", "'unjudged'", "()"]),
    "weight=[1, 2, 0.5, 4]",
    "weight=[0, 1, 3]",
    "weight=[2]",
    "weight={'q1': 3, 'q2': 0.5, 'q10': 2}",
    "weight=[1, -1, 1, 1]",
    "threads=2",
    "threads=-1",
    "threads=None",
]
CONVENTIONS = [
    "trec",
    "sklearn",
    "torchmetrics",
    "lightgbm",
    "xgboost",
    "xgboost-",
    "catboost",
    "catboost-exp",
    "gdeval",
    "ranx",
    "trec_eval-9",
    "rax",
    "implicit",
    "tf_ranking",
    "keras_rs",
    "spark",
    "jarvelin2002",
    "burges2005",
    "mteb",
    "torchrec",
    "ignite",
    "lenskit",
    "pykeen-optimistic",
    "pykeen-pessimistic",
    "mlflow",
    "rectools",
    "trectools",
    "llama_index",
    "msmarco",
    "elasticsearch",
    "recbole",
    "ranklib",
    "recommenders",
    "rectools-achievable",
    "haystack",
    "ragas",
]
CALLS = [
    *each("rg.evaluate_arrays({f}, measures={m})", f=FORMS, m=MEASURES[:4]),
    *drawn(240, "rg.evaluate_arrays({f}, measures={m}, {o})", f=FORMS, m=MEASURES, o=OPTIONS[1:]),
    *drawn(
        128,
        "rg.evaluate_arrays({f}, measures={m}, convention={c!r})",
        f=FORMS,
        m=MEASURES,
        c=CONVENTIONS,
    ),
    *drawn(
        64,
        "rg.evaluate_arrays({f}, measures={m}, convention={c!r}, {o})",
        f=FORMS,
        m=MEASURES,
        c=CONVENTIONS,
        o=OPTIONS[1:],
    ),
    *each(
        "rg.evaluate_arrays({f}, measures={m}, ties={t!r}, seed=2)",
        f=["LABELS, SCORES", "*RAGGED", "*FLAT, qid=QUERIES", "np.array(LABELS) / 4, SCORES"],
        m=["['Q@3', 'Compat', 'infAP', 'IPrec@0.4']", "['BPM(max_rel=4)@2', 'INST(max_rel=4,T=1)', 'NERR8(max_rel=4)@2', 'NERR10(max_rel=4)']",
           "['PFound@3', 'IPrecAvg', 'yaap', 'Rprec_mult@1.5']", "['G', 'binG', 'ndcg_rel', 'RelP@2', 'GMBpref', 'Accuracy@3']"],
        t=["stable", "reverse", "random", "best"],
    ),
    # Judged labels that fill up rows with zeros.
    *drawn(
        60,
        "rg.evaluate_arrays(LABELS, SCORES, judged={j}, measures={m}, {o})",
        j=["np.array(FULL)", "np.array(FULL) - 1", "FULL", "[np.array(row) for row in FULL]"],
        m=["'nDCG'", "['NCG@2', 'RBP']", "['Bpref', 'AP']", "['DCG', 'R@2']", "['nDCG(gain=exp2)@2', 'Q']"],
        o=["rel=1", "rel=0", "rel=-1", "ties='stable'", "gain={0: 1, 1: 2, 2: 3, 3: 4, 4: 5, -1: 0}", "convention='trec', ties='stable'"],
    ),
    *each(
        "rg.evaluate_arrays(LABELS, {s}, measures={m}, rel={r}, convention={c!r}, ties='stable')",
        s=["SCORES", "[[1, 2, 3, 4, 5]] * 4"],
        m=["'AP'", "['nDCG@2', 'R']"],
        r=["0", "-1", "0.5"],
        c=["torchmetrics", "rankgain"],
    ),
    # Sparse labels, which leave documents unjudged.
    *drawn(
        90,
        "rg.evaluate_arrays({y}, SCORES, measures={m}, {o}{c})",
        y=["SPARSE", "WEAK"],
        m=["['nDCG@3', 'AP', 'RR']", "['ERR@2', 'P@2', 'R@1', 'DCG']", "['F1@2', 'RBP', 'HitRate@2']", "['GMAP', 'AUC', 'P(divisor=min)@2']", "['nDCG', 'SDCG(max_rel=2)@3', 'RPrec']"],
        o=["bounds='unjudged'", "bounds=('ties', 'unjudged')", "ties='stable'", "rel=2", "rel=0", "bounds='unjudged', ties='id', ids=IDS", "bounds='unjudged', empty='skip'", "bounds='unjudged', weight=[1, 2, 0.5, 4], empty='skip'",
           "bounds='unjudged', exclude=np.array(SEEN, bool)", "bounds='unjudged', lengths=[5, 2, 4, 3]", "gain={0: 0, 1: 2, 2: 3, 3: 7, 4: 8}, bounds='unjudged'", "gain={1: 2}, bounds='unjudged'", "bounds='unjudged', ties='random'", "bounds='unjudged', ties='best'", "bounds='unjudged', rel=3"],
        c=["", "", ", convention='sklearn'", ", convention='torchmetrics'", ", convention='mteb'", ", convention='spark'", ", convention='ranx'", ", convention=rg.conventions['rankgain'].replace(drop_scores_at_most=0.0)", ", convention=rg.conventions['rankgain'].replace(mean='geometric')"],
    ),
    # Several models.
    *drawn(
        56,
        "rg.evaluate_models({y}, {s}, measures={m}{a}{o})",
        y=["LABELS", "TRUTH", "ARRAYS[0]"],
        s=["MODELS", "{'one': SCORES}", "{'x': SCORES, 'y': IDS}"],
        m=MEASURES[:6],
        a=["", ", ignore=0", ", exclude=np.array(SEEN, bool)", ", ids=WORDS", ", judged=JUDGED", ", lengths=[5, 2, 4, 0]"],
        o=["", ", ties='worst'", ", ties='id'", ", weight=[1, 2, 0.5, 4]", ", convention='lightgbm'", ", empty='skip'", ", bounds='ties'", ", rel=2", ", seed=5, ties='random'"],
    ),
    *each(
        "rg.evaluate_models({y}, {s}, 'AP'{o})",
        y=["LABELS"],
        s=["{}", "[SCORES]", "{1: SCORES, '1': SCORES}", "{'a': SCORES, 'b': SCORES[:3]}", "{'a': SCORES, 'b': [[float('nan')] * 5] * 4}", "{'a': None}"],
        o=["", ", weight=[1, 2, 3]"],
    ),
    "rg.evaluate_models(TRUTH, MODELS, 'AP', group=[5])",
    "rg.evaluate_models(TRUTH, MODELS, 'AP', qid=[5])",
    "rg.evaluate_models(TRUTH, MODELS, 'AP', judged=JUDGED)",
    "rg.evaluate_models(TRUTH, MODELS, 'AP', lengths=[1, 2, 3, 4])",
    "rg.evaluate_models(LABELS, MODELS, 'AP', convetion='trec')",
    "rg.evaluate_models(FLAT[0], {'a': FLAT[1], 'b': -FLAT[1]}, ['AP', 'nDCG@2'], qid=QUERIES, weight={'q1': 1, 'q2': 2, 'q10': 3})",
    "rg.evaluate_models(FLAT[0], {'a': FLAT[1], 'b': -FLAT[1]}, ['AP', 'nDCG@2'], group=GROUPS, weight=[1, 2, 3, 4])",
    "rg.evaluate_models(FRACTIONS[0], {'a': SCORES[0][:4], 'b': FRACTIONS[1]}, 'nDCG')",
    "rg.evaluate_models(FRACTIONS[0], {'a': FRACTIONS[1], 'b': FRACTIONS[1]}, 'nDCG')",
    # Grouped AUC.
    *each(
        "rg.gauc({f}, weight={w}, {o})",
        f=["*FLAT, qid=QUERIES", "*FLAT, qid=NUMBERS", "*FLAT, group=GROUPS", "LABELS, SCORES", "*FLAT"],
        w=["None", "'documents'", "'positives'", "[1, 2, 3]", "[1, 2, 3, 0.5]", "'docs'"],
        o=["rel=1", "rel=2", "ignore=1", "threads=2"],
    ),
    "rg.gauc(LABELS, SCORES, exclude=np.array(SEEN, bool))",
    "rg.gauc([1, 0, float('nan')], [1, 2, 3])",
    "rg.gauc([1, 0, 1], [1, float('nan'), 3])",
    "rg.gauc([1, 0, 1], [1, 3])",
    # What is wrong, and where.
    *each(
        "rg.evaluate_arrays({a}, measures=['AP', 'nDCG'])",
        a=["LABELS, [[1, 2, 3, 4, 5], [1, 2, float('nan'), 4, 5], [float('nan')] * 5, [1, 2, 3, 4, 5]]", "[[1, 0], [0, float('inf')]], [[1, 2], [3, 4]]",
           "[[1, 0], [float('nan'), 1]], [[1, 2], [3, 4]]", "[[1, 0], [0, float('nan')]], [[1, 2], [float('nan'), 4]]", "[[1, 0, 2]], [[1, 2]]", "[[1, 0], [2]], [[1, 2], [1, 2]]",
           "[1, 0], [[1, 2]]", "LABELS, SCORES[:3]", "*FLAT, group=[3, 4]", "*FLAT, group=[3, 4, 3]", "*FLAT, group=[3, -1, 7]", "*FLAT, group=[4.5, 4.5]", "*FLAT, qid=QUERIES[1:]",
           "*FLAT, qid=QUERIES, group=GROUPS", "*FLAT, qid=QUERIES[:4] + [None] + QUERIES[5:]", "LABELS, SCORES, group=[5, 5]", "LABELS, SCORES, qid=[1, 2, 3, 4]",
           "LABELS, SCORES, lengths=[5, 2, 4]", "LABELS, SCORES, lengths=[5, 2, 6, 1]", "LABELS, SCORES, judged=JUDGED[:2]", "LABELS, SCORES, judged=[[1], [2], [3], [float('nan')]]",
           "LABELS, SCORES, exclude=[[1, 0]]", "LABELS, SCORES, exclude=[[0, 1], [2], [3], [9]]", "LABELS, SCORES, ids=IDS[:3]", "LABELS, SCORES, ids=[[1, 1, 2, 3, 4]] * 4",
           "LABELS, SCORES, ignore='pad'", "LABELS, SCORES, weights=[1, 2, 3, 4]", "LABELS, SCORES, groups=[1]", "LABELS, SCORES, labels=[1]", "LABELS, SCORES, k=2",
           "LABELS, SCORES, k=None", "LABELS, SCORES, threads='all'", "LABELS, SCORES, threads=-3", "LABELS, SCORES, bounds=['ties', 'labels']", "LABELS, SCORES, bounds={'ties': 1}",
           "LABELS, SCORES, p=0.5", "LABELS, SCORES, gain=[0, 1, 2]", "LABELS, SCORES, gain={1: float('inf'), 2: 1, 3: 1, 4: 2}", "LABELS, SCORES, gain=lambda label: label[:1]",
           "LABELS, SCORES, gain={'a': 1}", "LABELS, SCORES, gain=3", "LABELS, SCORES, discount=[1, 0.5]", "LABELS, SCORES, discount=lambda rank: rank[:1]",
           "LABELS, SCORES, discount=[1, 2, -1, 3, float('nan')]", "LABELS, SCORES, discount='log3'", "LABELS, SCORES, log_base=1", "LABELS, SCORES, ties='none'",
           "LABELS, SCORES, seed=-1, ties='random'", "LABELS, SCORES, seed=2.5, ties='random'", "[[2000, 1], [1, 0]], [[1, 2], [3, 4]], gain='exp2'",
           "[[1e308, 1e308], [1, 0]], [[1, 2], [3, 4]]", "[[1, 0], [1e308, 1e308]], [[1, 2], [3, 4]]", "'a', 'b'", "[], []", "[[]], [[]]", "3, 4", "[[True, False]], [[True, False]]",
           "np.zeros((2, 2, 2)), np.zeros((2, 2, 2))", "[[1], [0], [1]], [[1], [2], [3]]", "np.array([[1.0], [0], [1]]), np.array([1.0, 2, 3])", "[['1', '0']], [[1, 2]]",
           "[[1, 0]], [['1', '2']]", "SCORES, LABELS", "*FRACTIONS", "*FRACTIONS, gain='exp2'", "*FRACTIONS, rel=0.5", "FRACTIONS[0][0][:2], FRACTIONS[1][0][:2]",
           "[[0.3, 0.7, 0.11, 0.2]], [[0, 1, 0, 12]]", "[[0.3, 0.7, 0.11, 0.2]], [[0, 1, 3, 2]]", "[[0.3, 0.7, 1.0, 0.2]], [[0, 1, 0, 2]]", "[[0.3, 0.3, 0.3, 0.3]], [[0, 1, 0, 2]]",
           "[[0.3, 0.7, 0.1, 0.2]], [[0, 0, 0, 0]]"],
    ),
    *each(
        "rg.evaluate_arrays(LABELS, SCORES, measures={m})",
        m=["'Coverage'", "'ERR'", "['ERR(max_label=2)', 'nDCG(gain=[0,1])']", "'AP', rel='1'", "'StRecall@2'", "'AP(judged_only=True)'", "['AP', 'AP']", "['AP', 'map']",
           "'Bpref', ties='best'", "'IPrec@0.2'", "'infAP'", "'INST(max_rel=2,T=1)'", "'Unjudged@2', bounds='ties'", "'GAUC', bounds='ties'", "'MR', bounds='ties'",
           "['ERR', 'AP'], bounds='unjudged'", "'Compat'", "'RBP(p=2)'", "'nERR@2', max_label=4", "'HitRate(per=item)@2', convention='gdeval'", "'P(divisor=min)@9', divisor='k'",
           "'R', divisor='k'", "'AP', divisor='all'", "'RPrec', k=5"],
    ),
    # Padding, several queries in one list, and column vectors.
    *each(
        "rg.evaluate_arrays({a}, measures={m})",
        a=["*NEGATIVE", "[1, -1, -1, 1], [1, 2, 3, 4]", "[2, -1, -1, 1], [1, 2, 3, 4]", "[1, -1, -2, 1], [4, 3, 2, 1]", "[[0, 1], [1, -1]], [[1, 2], [3, 4]]",
           "np.arange(600) % 5, np.arange(600) % 7", "np.arange(600) % 4, np.arange(600) % 7", "np.arange(499) % 5, np.arange(499) % 7", "np.arange(600) % 5 * 2, np.arange(600) % 7",
           "(np.arange(600) % 5 + 0.5), np.arange(600) % 7", "np.arange(1000) * (np.arange(1000) < 6), np.arange(1000) % 7", "np.arange(600) % 12, np.arange(600) % 7",
           "np.arange(600) % 5, None", "np.repeat([0, 1, 2, 3, 4], [590, 3, 3, 3, 1]), np.arange(600) % 7"],
        m=["['nDCG', 'P@1']", "['DCG', 'AP']", "'ERR(max_label=12)@3'", "'GMAP', rel=-1"],
    ),
    *each("print(rg.evaluate_arrays({f}, measures=['AP', 'nDCG@2', 'P@1'], bounds='ties'{o}).tie_report())", f=["LABELS, SCORES", "*RAGGED", "LABELS[1], SCORES[1]", "*FLAT, qid=QUERIES", "TRUTH, np.ones((4, 5))"], o=["", ", empty='skip'", ", convention='trec_eval-9', ties='average'"]),
    "rg.evaluate_arrays(LABELS, SCORES, 'AP').tie_report()",
    *each(
        "rg.evaluate_arrays({a}, measures=['nDCG', 'AP'])",
        a=["[[1, float('nan')], [float('inf'), 0]], [[1, 2], [3, 4]]", "[[1, 0], [float('inf'), 0]], [[1, 2], [float('nan'), float('nan')]]", "[[-1, 0], [0, float('inf')]], [[1, 2], [3, 4]], convention='sklearn'",
           "[[0, float('inf')], [-1, 0]], [[1, 2], [3, 4]]", "LABELS, SCORES, gain={1: 1, 2: float('nan'), 3: float('inf'), 4: 2}", "LABELS, SCORES, gain={4: 1, 1: 5}", "LABELS, SCORES, weight=[1, float('nan'), -1, 2]", "LABELS, SCORES, weight=[1, 2, -1, float('inf')]",
           "[[1, 0, 2]], [[1 + 2**-30, 1.0, 0]], bounds='ties', convention='trec_eval-9', ties='average'", "[[1, 0, 2]], [[1 + 2**-30, 1.0, 0]], bounds='ties'", "[[1.5, 0], [0.5, 2]], [[1, 2], [3, 4]], convention='gdeval', ties='stable'", "[[4, 7], [9, 2]], [[1, 2], [3, 4]], convention='gdeval', ties='stable'"],
    ),
    # Calls after other calls: nothing is carried over.
    "a = rg.evaluate_arrays(LABELS, SCORES, ['AP', 'nDCG@2']); b = rg.evaluate_arrays(LABELS, SCORES, ['AP', 'nDCG@2'], rel=2, ties='best'); c = rg.evaluate_arrays(LABELS, SCORES, ['AP', 'nDCG@2']); a.means; b.means; c.means; b.settings; c.settings",
    "[rg.evaluate_arrays(LABELS, SCORES, ['AP', 'P@2'], **{'rel': r}).means for r in (1, 2.0, 3, 1.0, 1)]",
    "[rg.evaluate_arrays(LABELS, SCORES, 'nDCG', ties='random', seed=s).means for s in (0, 1, 2, 0)]",
    "[rg.evaluate_arrays(LABELS, SCORES, 'nDCG', discount=d).means for d in ([1, 1, 1, 1, 1], [1, .5, .1, 0, 0], 'log2', lambda r: 1 / r, lambda r: r * 0 + 1)]",
    "[rg.evaluate_arrays(LABELS, SCORES, 'nDCG', gain=g).means for g in ([0, 1, 2, 3, 4], [0, 1, 1, 1, 1], 'linear', {1: 1, 2: 5, 3: 5, 4: 5}, lambda g: g * g, lambda g: g + 1)]",
    "[rg.evaluate_arrays(y, s, ['nDCG', 'RBP', 'AP']).means for y, s in ((LABELS, SCORES), RAGGED, (LABELS[0], SCORES[0]), DOUBLES, ARRAYS, (LABELS, SCORES))]",
    "[rg.evaluate_arrays(LABELS, SCORES, m).means for m in ('nDCG@1', 'nDCG@2', 'nDCG', ['nDCG@2', 'nDCG@1'], ('nDCG@1', 'nDCG@2'), 'nDCG@1')]",
    "[rg.evaluate_arrays(LABELS, SCORES, 'AP', empty=e).means for e in (0, 'skip', 1, 1.0, 0.0, float('nan'))]",
    "[rg.evaluate_arrays(LABELS, SCORES, 'AP', convention=c).means for c in ('trec', rg.conventions['trec'].replace(rel=2), 'trec', rg.conventions['rankgain'].replace(empty='skip'), 'rankgain')]",
    "r = rg.evaluate_arrays(LABELS, SCORES, 'AP', convention=rg.conventions['trec'].replace(name='mine', rel=2)); r; r.versions['convention']; r.convention",
    "[rg.evaluate_arrays(LABELS, SCORES, 'AP', convention=c).versions['convention'] for c in ('trec', 'sklearn', 'rankgain', 'gdeval')]",
    "r = pickle.loads(pickle.dumps(rg.evaluate_arrays(LABELS, SCORES, ['GMAP', 'HitRate(per=item)@2'], bounds='ties', weight=[1, 2, 3, 4], rel=2))); r; r == r; r.by(['a', 'b', 'b', 'a'])",
    "rg.evaluate_arrays(LABELS, SCORES, 'AP').per_query['AP'].flags.writeable",
    "r = rg.evaluate_arrays(LABELS, SCORES, 'AP'); r.means['AP'] = 1",
    "r = rg.evaluate_arrays(LABELS, SCORES, 'AP'); r.counts.clear()",
    "r = rg.evaluate_arrays(LABELS, SCORES, 'nDCG', gain=[0, 1, 2, 3, 4]); r.settings['gain'].append(4)",
    "y, s = np.array(LABELS), np.array(SCORES); r = rg.evaluate_arrays(y, s, ['AP', 'DCG']); y[:] = 1; s[:] = 0; r; rg.evaluate_arrays(y, s, ['AP', 'DCG'])",
    "t = rg.Truth(LABELS); [rg.evaluate_arrays(t, s, ['AP', 'nDCG@2']).means for s in MODELS.values()]; rg.evaluate_arrays(t, SCORES, ['AP', 'nDCG@2'], rel=2).means; rg.evaluate_arrays(t, SCORES, ['AP', 'nDCG@2'], gain='exp2').means",
]
