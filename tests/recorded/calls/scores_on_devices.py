"""Scores on a device, whose ranks are counted there: a stand-in for CuPy over NumPy."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import device_arrays, pytest
LABELS = np.array([[3, 2, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4], [0, 1, 0, 0, 0]])
SCORES = np.array([[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1.0, 1.0, 1.0, 2.0, -np.inf], [0, -1, 7, 7, 3]])
FLAT = np.array([1, 0, 2, 0, 0, 3, 1, 0, 0]), np.array([.5, .5, .1, 4, 2, 2, 2, np.inf, -np.inf])
GROUPS, QUERIES = [3, 0, 4, 2], ["q2", "q10", "q2", "q1", "q10", "q10", "q2", "q1", "q1"]
JUDGED = [[3, 2, 1, 0, 4], [0, 2], [4, 2, 1, 1], [1, 1]]
SEEN = np.array([[1, 0, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]], bool)
TRUTH = rg.Truth(LABELS)
def placed(labels, scores, measures, *, on_labels=False, **options):
    with pytest.MonkeyPatch.context() as patch:
        move = device_arrays.to_device_with("cupy", patch)
        labels = move(labels) if on_labels else labels
        return rg.evaluate_arrays(labels, move(scores), measures, **options)
def models(labels, scores, measures, **options):
    with pytest.MonkeyPatch.context() as patch:
        move = device_arrays.to_device_with("cupy", patch)
        return rg.evaluate_models(labels, {name: move(s) for name, s in scores.items()}, measures, **options)
"""
FORMS = [
    "LABELS, SCORES",
    "LABELS, SCORES.astype('f4')",
    "LABELS, (10 * np.nan_to_num(SCORES, neginf=-9)).astype('i8')",
    "LABELS, (10 * np.nan_to_num(SCORES, neginf=-9)).astype('i2')",
    "LABELS, SCORES.astype('f2')",
    "LABELS[2], SCORES[2]",
    "*FLAT",
    "TRUTH, SCORES",
    "LABELS - 1, SCORES",
]
MEASURES = [
    "['nDCG@3', 'AP', 'RR']",
    "['ERR@2', 'P@2', 'R@1', 'NumRet']",
    "['DCG', 'F1@2', 'RBP(p=0.5)', 'AUC']",
    "['GMAP', 'HitRate(per=item)@2', 'GAUC(weight=documents)']",
    "['nDCG(gain=exp2)', 'MR', 'Lift(share=0.4)']",
]
CALLS = [
    *each("placed({f}, measures={m})", f=FORMS, m=MEASURES),
    *drawn(
        130,
        "placed({f}, {m}{a}{o})",
        f=["LABELS, SCORES", "LABELS, SCORES.astype('f4')", "TRUTH, SCORES"],
        m=MEASURES,
        a=["", ", exclude=SEEN", ", ignore=1", ", ignore=[0, 2], exclude=SEEN", ", judged=JUDGED", ", lengths=[5, 2, 4, 0]", ", judged=JUDGED, ignore=1", ", ids=None"],
        o=["", ", ties='best'", ", ties='worst'", ", ties='stable'", ", ties='random'", ", rel=2", ", rel=0", ", empty='skip'", ", weight=[1, 2, 0.5, 4]", ", convention='lightgbm'",
           ", convention='torchmetrics'", ", convention='sklearn'", ", bounds='ties'", ", bounds='unjudged'", ", threads=2"],
    ),
    *each(
        "placed(*FLAT, {m}, {a})",
        m=MEASURES,
        a=["group=GROUPS", "qid=QUERIES", "qid=QUERIES, weight={'q1': 1, 'q10': 2, 'q2': 5}", "qid=QUERIES, ignore=3", "group=GROUPS, ignore=0, ties='worst'", "qid=QUERIES, on_labels=True"],
    ),
    *each(
        "placed({a})",
        a=["LABELS, np.where(LABELS == 4, np.nan, SCORES), 'AP'", "LABELS, np.where(LABELS == 2, np.nan, SCORES), 'AP'",
           "*FLAT[:1], np.where(FLAT[0] == 3, np.nan, FLAT[1]), 'AP', qid=QUERIES", "*FLAT[:1], np.where(FLAT[0] == 3, np.nan, FLAT[1]), 'AP', group=GROUPS",
           "LABELS, SCORES, 'AP', ids=LABELS", "LABELS, SCORES[:3], 'AP'", "LABELS, SCORES, 'Bpref'", "LABELS, SCORES, 'Judged@2'", "LABELS, SCORES, 'RR', rel=-1",
           "LABELS, SCORES, rg.measure('mine', len), ties='stable'", "np.where(LABELS == 4, np.nan, LABELS), SCORES, 'AP'", "LABELS, SCORES, 'nDCG', gain={0: 1, 1: 2, 2: 3, 3: 4, 4: 5}",
           "LABELS, SCORES.astype('f4'), 'nDCG', convention='trec_eval-9'", "LABELS, SCORES, 'nDCG', convention='trec_eval-9', ties='average'",
           "LABELS, SCORES.astype('f4'), 'nDCG', convention='trec_eval-9', ties='average'", "LABELS, SCORES, 'PRAUC'", "LABELS, SCORES, ['MR', 'PRAUC'], ties='stable'",
           "LABELS, SCORES, 'infAP'", "LABELS, SCORES, 'Coverage'", "np.zeros((3, 0)), np.zeros((3, 0)), 'AP'", "np.zeros((0, 3)), np.zeros((0, 3)), 'AP'",
           "LABELS[:, :1], SCORES[:, :1], 'AP'", "SCORES, LABELS, 'AP'"],
    ),
    *each(
        "models({y}, {{'b': SCORES, 'a': SCORES[:, ::-1] + 0, 'c': 0.0 + (SCORES > 1)}}, {m}{o})",
        y=["LABELS", "TRUTH"],
        m=MEASURES[:3],
        o=["", ", exclude=SEEN", ", ignore=1", ", weight=[1, 2, 3, 4]", ", ties='best', rel=2"],
    ),
    *each("placed(LABELS, SCORES.astype('f4'), {m}, on_labels=True)", m=MEASURES),
    "placed(LABELS, SCORES, 'AP', bounds='ties').tie_report()",
    "models(LABELS, {'a': SCORES, 'b': SCORES + np.nan}, 'AP')",
]
