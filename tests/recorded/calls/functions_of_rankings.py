"""Measures of one's own: what their functions see, and what they may return."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
LABELS = [[3, -1, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4], [0, 1, -2, 0, 0]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1.0, 1.0, 1.0, 2.0, 0.0], [0, -1, 7, 7, 3]]
RAGGED = [[2, 0], [1], [0, 1, 3], []], [[0.1, 0.2], [3.0], [1.0, 1.0, 0.5], []]
QRELS = {"q2": {"d1": 2, "d3": 0, "d10": -1}, "q1": {"d2": 1, "d5": 3}, "lost": {"d3": 2}}
RUN = {"q1": {"d5": 0.5, "x1": 0.5, "d2": 0.5, "d4": 2.0}, "q2": {"d3": 3, "d10": 1, "x2": 2, "d1": 1}}
RETRIEVED, RELEVANT = [[4, 2, 7, -1], [1, 3, -1, -1], [9, 8, 5, 0]], [[2, 9], [5, 3, 1], []]
IDS = [[9, 2, 3, 4, 5], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [10, 20, 5, 4, 3]]
SEEN = np.array([[1, 0, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]], bool)
GAPS = {"query": ["q1", "q1", "q2"], "doc": ["d2", "d5", "d1"], "rank": [2, 5, 3]}
def code(ranking):
    "Labels in rank order as the digits of a number, so that every place shows."
    return sum((label + 5) * 10.0 ** -place for place, label in enumerate(ranking.labels))
def judged(ranking):
    return sum(j * 2.0 ** -place for place, j in enumerate(ranking.judged))
def ideal(ranking):
    return sum((label + 5) * 10.0 ** -place for place, label in enumerate(ranking.ideal))
def share(ranking, k):
    if not ranking.n:
        return float("nan")
    return (ranking.labels[:k] > 0).sum() / k
def size(ranking):
    return ranking.n * 100 + ranking.relevant() * 10 + ranking.relevant(2)
CODE, JUDGED, IDEAL, SIZE = (rg.measure(f'{f.__name__} digits', f) for f in (code, judged, ideal, size))
SHARE = rg.measure("share", share, cutoff=True)
MISSES = rg.measure("misses", lambda r: (r.labels <= 0).sum(), better="lower")
"""
INPUTS = [
    "evaluate_arrays(LABELS, SCORES, {m}, ties='stable'{o})",
    "evaluate_arrays(LABELS, SCORES, {m}, ties='reverse'{o})",
    "evaluate_arrays(LABELS, SCORES, {m}, ties='random', seed=3{o})",
    "evaluate_arrays(LABELS, SCORES, {m}, ties='id', ids=IDS{o})",
    "evaluate_arrays(LABELS, SCORES, {m}, ties='id_descending', ids=IDS{o})",
    "evaluate_arrays(LABELS, SCORES, {m}, ties='stable', exclude=SEEN{o})",
    "evaluate_arrays(LABELS, SCORES, {m}, ties='stable', ignore=[-1, -2]{o})",
    "evaluate_arrays(LABELS, None, {m}{o})",
    "evaluate_arrays(*RAGGED, {m}, ties='stable'{o})",
    "evaluate(QRELS, RUN, {m}{o})",
    "evaluate(QRELS, RUN, {m}, judged_only=True{o})",
    "evaluate(QRELS, RUN, {m}, exclude={{'q1': ['d5'], 'q2': ['d3']}}{o})",
    "evaluate(QRELS, RUN, {m}, convention='rankgain', ties='stable'{o})",
    "evaluate(QRELS, RUN, {m}, convention='trec_eval-9'{o})",
    "evaluate_runs(QRELS, {{'a': RUN, 'b': {{'q1': {{'d2': 1.0}}}}}}, {m}{o})",
    "evaluate_ids(RETRIEVED, RELEVANT, {m}{o})",
    "evaluate_models(LABELS, {{'a': SCORES, 'b': IDS}}, {m}, ties='stable'{o})",
]
CALLS = [
    *each("rg." + "{i}", i=[i.format(m="[CODE, JUDGED, IDEAL, SIZE]", o="") for i in INPUTS]),
    *(
        call
        for template in INPUTS
        for call in drawn(
            6,
            "rg." + template,
            m=["[SHARE @ 2, SHARE @ 1, 'AP']", "MISSES", "['RR', SIZE, SHARE @ 10]"],
            o=["", ", empty=0", ", empty='raise'", ", weight=[1, 2, 3, 4]"],
        )
    ),
    *each(
        "rg.evaluate_arrays(LABELS, SCORES, rg.measure('mine', {f}), ties='stable')",
        f=["lambda r: 1 / 0", "lambda r: 'text'", "lambda r: None", "lambda r: float('inf')", "lambda r: -10**400", "lambda r: 10**400", "lambda r: [1]", "lambda r: True",
           "lambda r: np.float32(0.1)", "lambda r: np.array(1.0)", "lambda r: float('nan')", "lambda r: 1 / r.relevant()",
           "lambda r: r.labels.flags.writeable + r.ideal.flags.writeable + r.judged.flags.writeable", "lambda r: len(repr(r))", "lambda r: [][r.n]", "lambda r: {}['k']",
           "lambda r: int('x' * r.n)", "lambda r: 'x' * 300"],
    ),
    *each(
        "rg.{i}",
        i=["evaluate_arrays(LABELS, SCORES, CODE)", "evaluate_arrays(LABELS, SCORES, CODE, ties='best')", "evaluate_arrays(LABELS, SCORES, CODE, ties='worst')",
           "evaluate_arrays(LABELS, SCORES, CODE, ties='id')", "evaluate_arrays(LABELS, SCORES, CODE, bounds='ties', ties='stable')",
           "evaluate_arrays(LABELS, SCORES, CODE, rel=2, ties='stable')", "evaluate_arrays(LABELS, SCORES, SHARE, ties='stable')", "evaluate_arrays(LABELS, SCORES, CODE @ 3, ties='stable')",
           "evaluate_arrays(LABELS, SCORES, ['code'], ties='stable')", "evaluate_arrays(LABELS, SCORES, [CODE, CODE], ties='stable')",
           "evaluate_arrays(LABELS, SCORES, [SHARE @ 2, rg.measure('share', share, cutoff=True) @ 2], ties='stable')", "evaluate_catalogue(RETRIEVED, CODE)", "measure('AP', code)",
           "measure('', code)", "measure(3, code)", "measure('x', 3)", "measure('a@b', code)", "measure('x', code, better='up')", "measure('two words', code)",
           "evaluate(QRELS, RUN, [CODE, 'AP'], bounds='unjudged')", "evaluate(QRELS, RUN, rg.measure('m', lambda r: 1 / 0))",
           "evaluate_runs(QRELS, {'a': RUN, 'b': RUN}, rg.measure('m', lambda r: 1 / 0))", "evaluate_arrays(LABELS, SCORES, rg.measure('deep', share, cutoff=True) @ 0, ties='stable')"],
    ),
    "rg.evaluate_arrays(LABELS, SCORES, rg.measure('m', lambda r, k: 'x' if k > 1 else 1, cutoff=True) @ 2, ties='stable')",
    "rg.evaluate({'q': {'a': 1, 'b': 0}}, {'q': {'b': 1.0, 'a': 1 + 2**-30}}, CODE, convention='trec_eval-9')",
    "rg.evaluate({'q': {'a': 1, 'b': 0}}, {'q': {'b': 1.0, 'a': 1 + 2**-30}}, CODE, convention='trec_eval')",
    "rg.evaluate({'q': {'a': 1, 'b': -2}}, {'q': {'b': 1.0, 'a': 1.0}}, [JUDGED, IDEAL, CODE], convention=rg.conventions['trec'].replace(negative='keep'))",
    "repr(CODE), str(SHARE @ 3), CODE == CODE, (SHARE @ 2).k",
    "seen = []; rg.evaluate_arrays(LABELS, SCORES, rg.measure('m', lambda r: seen.append((r, r.labels, r.judged, r.ideal)) or 1), ties='stable'); seen",
    "seen = []; rg.evaluate(QRELS, RUN, rg.measure('m', lambda r: seen.append((r, r.labels, r.judged, r.ideal)) or 1)); seen",
    "seen = []; rg.evaluate_ids(RETRIEVED, RELEVANT, rg.measure('m', lambda r: seen.append((r, r.labels, r.judged, r.ideal)) or 1)); seen",
    "r = rg.evaluate_arrays(LABELS, SCORES, [MISSES, SHARE @ 2], ties='stable'); r.better; rg.Evaluations({'a': r, 'b': r}).sort('misses'); r.by(['x', 'y', 'x', 'x'])",
]
