"""Explanations of one list, rank by rank: arrays, qrels and runs, tables, data, refusals."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
BLOCKS = [[i % 3 for i in range(2 * n)] for n in (10, 11)], [[float(-i // 2) for i in range(2 * n)] for n in (10, 11)]
FIRST = rg.Run({"q10": ["u", "a", "u", "a", "d"], "q1": ["w", "w", "e"]}, duplicates="first")
SCORED = rg.Run({"q10": {"d": 2.0**24 + 1, "a": 2.0**24, "u": 2.0**24 + 1, "c": 2.0**53, "b": 2.0**53 + 2}}, duplicates="in_place")
nan = float("nan")
LABELS, SCORES = [0, 3, 1, 0, 2, 0], [0.2, 0.9, 0.2, 0.5, 0.5, 0.1]
NEGATIVE = [2, -1, 0, 3, -2], [0.5, 0.5, 1.0, 0.25, 0.25]
NONE = [0, 0, 0], [1.0, 2.0, 2.0]
FLAT, FLAT_SCORES, QIDS = [1, 0, 2, 0, 1, 3, 0], [0.5, 0.5, 1.0, 2.0, 0.1, 0.1, 2.0], ["q9", "q10", "q9", "q9", "q10", "q1", "q10"]
QRELS = {"q10": {"a": 3, "b": 0, "c": 1, "d": 2, "z": 1}, "q9": {"a": 0, "c": 0}, "q1": {"b": 2, "e": 1, "q1": 1}, "q2": {"a": 1, "b": -1, "d": 1, "g": 3}, "gone": {"a": 1}}
RUN = {"q2": {"a": 0.5, "b": 0.7, "f": 0.7, "x": 0.7, "d": 0.7}, "q10": {"u": 9, "a": 5, "b": 8, "d": 5, "c": 5, "v": 0}, "q1": {"e": -1.0, "q1": 4.0, "b": 3, "w": 3}, "q9": {"a": 1.0, "u": 2, "c": 0}}
LISTED = rg.Run({"q10": ["u", "a", "u", "a", "d"], "q1": ["w", "w", "e"]}, duplicates="in_place")
PARTS = rg.Qrels({"q10": {"a": {"s1": 1, "s3": 2}, "b": {"s2": 1}, "c": {"s1": 0}, "d": {"s1": 3, "s2": 1}, "g": {"s4": 1}}, "q1": {"b": {"x": 1}, "e": {"x": 1, "y": 1}}, "q9": {"a": {"s1": 0}}}, subtopics=True)
LONG = [i % 4 for i in range(60)], [float(i % 7) for i in range(60)]
def show(*arguments, **options):
    try: result = rg.explain(*arguments, **options)
    except (TypeError, ValueError, KeyError) as error: print(type(error).__name__, error)
    else: print(result)
def data(*arguments, **options):
    result = rg.explain(*arguments, **options)
    print(repr(result)); print(result.to_dict()); print(result.rows()[-1])
"""
MEASURES = ["nDCG", "AP", "RR", "ERR", "nDCG@2", "AP@3", "RR@1", "ERR@2", "nDCG(gain=exp2)@4", "AP(rel=2)", "nDCG(min_label=2)@3", "nDCG(discount=reciprocal)", "AP(divisor=min)@2",
    "ERR(max_label=6)@3"]
MEASURES += ["AP(divisor=hits)@3", "AP(divisor=k)@4", "RR(rank=realistic)", "nDCG(discount=log,log_base=3)", "AP(judged_only=True)", "nDCG(judged_only=True)@2", "RR(rel=3)",
    "nDCG(empty=1)", "AP(empty=skip)"]
TIES = ["average", "stable", "reverse", "worst", "best", "random", "id", "id_descending"]
OPTIONS = (
    """
k=1|k=2|k=100|k=None|gain='exp2'|gain={0: 0, 1: 5, 2: 6, 3: 7}|gain=lambda x: x ** 2|gain=[0, 1, 1, 9]|discount='reciprocal'|discount=[1, .5, .25, 0, 0, 0]|judged=[3, 2, 1, 1, 0, 0, 0, 3]|judged=[4, 3, 2, 1, 0]|ignore=0|ignore=[1, 3]
convention='trec', ties='stable'|convention='lightgbm'|convention='catboost'|convention='rectools'|convention='spark'|convention='elasticsearch'|convention='jarvelin2002'|convention='tf_ranking'|convention='torchmetrics'|convention='gdeval', ties='stable'|convention='ranx'
""".strip()
    .replace("\n", "|")
    .split("|")
)
OF_IDS = ["'q10'", "'q9'", "'q1'", "'q2'", "'gone'"]
ID_OPTIONS = ["", "k=2", "ties='average'", "ties='stable'", "ties='id'", "ties='random'", "convention='rankgain'", "convention='beir'", "convention='trec_eval-9'",
    "convention='ranx'", "convention='lightgbm'", "ties='worst', k=3", "convention=rg.conventions['trec'].replace(unjudged='drop')", "gain='exp2', k=9"]
REFUSED = (
    """
LABELS, SCORES, 'P@2'|LABELS, SCORES, 'zzz'|LABELS, SCORES, 'nDCG@2', k=3|LABELS, SCORES, 'alpha_nDCG@2'|LABELS, SCORES[:3]|[LABELS], [SCORES]|[LABELS, LABELS], [SCORES, SCORES], query=2|LABELS, SCORES, k=[1, 2]|LABELS, SCORES, k=0|LABELS, SCORES, k='x'
LABELS, [nan] * 6|LABELS, SCORES, query='q'|FLAT, FLAT_SCORES, qid=QIDS|FLAT, FLAT_SCORES, qid=QIDS, query='q7'|FLAT, FLAT_SCORES, qid=QIDS[:3], query='q9'|QRELS, RUN|QRELS, RUN, query='nix'|QRELS, RUN, query='q9', ignore=0|QRELS, RUN, query='q9', judged=[1]
'qrels.txt', 'run.txt'|rg.Truth([LABELS, LABELS]), [SCORES, SCORES]|LABELS, SCORES, gain='x'|LABELS, SCORES, discount=[1, 2]|LABELS, SCORES, ties='x'|LABELS, SCORES, 'AP', gain='exp2'|LABELS, SCORES, 'RR', discount='log'|LABELS, SCORES, convention='x'
LABELS, SCORES, ties='id'|*NEGATIVE|*NEGATIVE, 'ERR'|LABELS, SCORES, 'ERR(max_label=2)'|[], []|LABELS, SCORES, 'ERR', judged=[5]|QRELS, RUN, 'P.1,2', query='q9'|PARTS, RUN, 'alpha_nDCG@3', query='q7'|QRELS, RUN, 'alpha_nDCG@3', query='q1'|FLAT, FLAT_SCORES, qid=QIDS, query='q9', k=-1
QRELS, RUN, 'IPrec@.5', query='q1'|[1, nan], [1, 2]|3, 4|{'q': {}}, RUN, query='q'|{f'q{i}': {'a': 1} for i in range(5)}, RUN, query='z'|{'a': {'x': 1}}, {'a': {'x': 1.0}}, query=3|rg.Truth([LABELS, LABELS]), [SCORES, SCORES], query=5|LABELS, SCORES, judged=[1, 0, 0, 0, 0, 0]
""".strip()
    .replace("\n", "|")
    .split("|")
)
CALLS = [
    *each("show(LABELS, {s}, {m!r})", s=["SCORES", "None"], m=MEASURES),
    *drawn(60, "show({a}, {m!r}, ties={t!r})", a=["LABELS, SCORES", "*NONE"], m=MEASURES, t=TIES[:6]),
    *each("show(LABELS, SCORES, {o})", o=OPTIONS),
    *drawn(24, "show(LABELS, SCORES, {m!r}, {o})", m=["AP", "RR", "ERR"], o=[o for o in OPTIONS if "gain" not in o and "discount" not in o]),
    *each("show(*NEGATIVE, {m!r}, convention={c})", m=["nDCG", "AP", "ERR"], c=["'trec', ties='stable'", "rg.conventions['rankgain'].replace(negative='keep')", "'sklearn'", "'keras_rs'", "'catboost'"]),
    *each("show({q}, {r}, {m!r}, query={i})", q=["QRELS"], r=["RUN"], m=["nDCG", "AP@3", "RR", "ERR@2", "nDCG(judged_only=True)@2"], i=OF_IDS),
    *drawn(50, "show(QRELS, RUN, {m!r}, query={i}, {o})", m=["nDCG", "AP", "RR", "nDCG(min_label=2)"], i=OF_IDS, o=[o for o in ID_OPTIONS if "gain=" not in o]),
    *drawn(15, "show(QRELS, RUN, query={i}, {o})", i=OF_IDS[:4], o=ID_OPTIONS),
    *each("show(QRELS, LISTED, {m!r}, query={i}, ties={t!r})", m=["nDCG", "AP@4"], i=["'q10'", "'q1'"], t=["id_descending", "stable", "average"]),
    *each("show(QRELS, {{'q1': ['w', 'b', 'x', 'e'], 'q10': ['d']}}, {m!r}, query={i})", m=["nDCG@3", "AP"], i=["'q1'", "'q10'", "'q2'"]),
    *each("show(PARTS, RUN, {m!r}, query={i})", m=["alpha_nDCG@3", "alpha_DCG(alpha=.9)@2", "ERR_IA@3", "nERR_IA@2", "NRBP", "nNRBP(beta=.3)", "AP_IA", "P_IA@2", "StRecall@2", "D_nDCG@3", "D#_nDCG@3", "nDCG@3"], i=["'q10'", "'q1'"]),
    *drawn(12, "show(PARTS, RUN, {m!r}, query={i}, {o})", m=["alpha_nDCG@3", "StRecall@2", "AP_IA"], i=["'q10'", "'q9'"], o=["ties='stable'", "convention='rankgain', ties='id'", "convention='beir'", "ties='worst'"]),
    *each("show(FLAT, FLAT_SCORES, {m!r}, qid=QIDS, query={i})", m=["nDCG", "AP@2"], i=["'q9'", "'q10'", "'q1'"]),
    "show(rg.Truth(FLAT, qid=QIDS), FLAT_SCORES, query='q9')", "show(rg.Truth([LABELS, FLAT[:6]]), [SCORES, SCORES], query=1)", "show([LABELS, FLAT[:6]], [SCORES, SCORES], query=1, qid=None)", "show(FLAT, FLAT_SCORES, qid=QIDS, query='q10', ignore=0)",
    *each("show(*LONG, {m!r})", m=["nDCG", "nDCG@5", "AP", "ERR@55"]),
    *each("data({a})", a=["LABELS, SCORES", "LABELS, SCORES, 'AP@3'", "QRELS, RUN, query='q10', k=3", "QRELS, RUN, 'RR', query='q2', ties='average'", "*NONE", "PARTS, RUN, 'alpha_nDCG@3', query='q10'", "LABELS, SCORES, convention='rectools'", "FLAT, FLAT_SCORES, qid=QIDS, query='q10'", "QRELS, RUN, query='gone'"]),
    "a = rg.explain(LABELS, SCORES); a.ranking.document, a.ideal.document, a.tied, a.settings, len(a.ranking), a.ndcg, a._repr_html_()",
    "a = rg.explain(LABELS, SCORES, 'AP'); a.term, a.running, a.tied, a.measure, a.value; a.value = 3",
    *each("show({a})", a=REFUSED),
]
CALLS += [
    *each("show(BLOCKS[0][{n}], BLOCKS[1][{n}], {m!r})", n=[0, 1], m=["nDCG", "AP", "RR@3"]),
    *each("show(QRELS, {r}, {m!r}, query='q10', {o})", r=["LISTED", "FIRST", "SCORED"], m=["nDCG", "AP"], o=["", "convention=rg.conventions['trec'].replace(unjudged='drop')", "convention='trec_eval-9'", "ties='average', convention='rankgain'", "ties='worst', k=2"]),
    *each("show(LABELS[:4], {s}, {m!r}, k=3, convention={c!r})", s=["[2**24 + 1, 2**24, 2**24 + 1, 2**24 + 2]", "[2**53, 2**53 + 1, 2**53, 1]", "np.array([2**24 + 1, 2**24, 2**24, 5], 'f4')"], m=["nDCG", "AP"], c=["rankgain", "torchmetrics"]),
    *each("show([2, -1, 0, 3, -1, 1], SCORES, {m!r}, convention='keras_rs', ties={t!r}, {o})", m=["nDCG", "AP@2"], t=["stable", "random"], o=["", "judged=[3, 3, 2, 1, 0, 0]", "ignore=0"]),
    *each("show(PARTS, RUN, {m!r}, query={i}, ties={t!r})", m=["alpha_nDCG@3", "D_nDCG@4"], i=["'q10'", "'q1'"], t=["average", "best", "stable"]),
    "rg.explain(LABELS, SCORES, 'AP')._repr_html_(), repr(rg.explain(LABELS, SCORES, 'AP@2')), repr(rg.explain(LABELS, SCORES, k=2))",
]
CALLS = [*dict.fromkeys(CALLS)]
