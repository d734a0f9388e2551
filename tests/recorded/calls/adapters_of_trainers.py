"""Adapters of those who train: scikit-learn, LightGBM, XGBoost, CatBoost and the Trainer."""

from recorded.recording import drawn, each

GIVEN = """
import copy, functools, pickle, sys
from types import SimpleNamespace
from recorded.hosts import adapter, fresh

sklearn = adapter("sklearn")
lightgbm = adapter("lightgbm")
xgboost = adapter("xgboost")
catboost = adapter("catboost")
transformers = adapter("transformers")

class Data:
    # A Dataset of LightGBM, a DMatrix of XGBoost or a Pool of CatBoost.
    def __init__(self, labels, sizes=None, weights=None, used=None, reference=None):
        self.labels, self.sizes, self.weights = labels, sizes, weights
        self.used_indices, self.reference = used, reference

    def get_label(self):
        return np.array(self.labels, np.float32)

    def get_weight(self):
        if self.weights is None:
            return np.empty(0)
        return np.array(self.weights)

    def get_group(self):
        return None if self.sizes is None else np.array(self.sizes)

    def get_uint_info(self, name):
        assert name == "group_ptr"
        return np.append(0, np.cumsum(self.sizes)) if self.sizes is not None else np.empty(0)

    def num_row(self):
        return len(self.labels)

class Dataset(Data):
    # LightGBM's: without weights it has None.
    def get_weight(self):
        return None if self.weights is None else super().get_weight()

class Model:
    def __init__(self, **methods):
        for name, values in methods.items():
            setattr(self, name, lambda x, values=values: np.array(values))

def batch(predictions, labels, inputs=None):
    return SimpleNamespace(predictions=predictions, label_ids=labels, inputs=inputs)

def feval(measures, data, **options):
    return lightgbm.lightgbm_metric(measures, **options)(SCORES, data)

LABELS = [3, 0, 1, 0, 2, 2, 0, 1]
SCORES = np.array([0.5, 0.9, 0.1, 0.9, 0.2, 0.2, 0.7, 0.3])
SIZES = [3, 1, 4]
IDS = ["b", "b", "b", "a", "c", "c", "c", "c"]
WEIGHTS = [2.0, 2, 2, 0.5, 1, 1, 1, 1]
UNEVEN = [1.0, 2, 3, 0.5, 1, 4, 1, 2]
GROUPS = [2.0, 0.5, 1.0]
M = ["nDCG@2", "MR", "RR"]
"""
MEASURES = [
    "M",
    "'nDCG@3'",
    "['AP', 'P@1']",
    "'MR'",
    "rg.Measure('AP')",
    "['nDCG(gain=exp2)@2', 'AUC']",
]
OPTIONS = ["", ", ties='worst'", ", convention='sklearn'", ", weight=None", ", empty='skip'"]
NAMED = ["", ", name='mine'", ", name='a b:c', ties='best'", ", name='mine', convention='lightgbm'"]
ONE = ["'nDCG@3'", "'MR'", "rg.Measure('RR', k=2)", "'AUC'", "'P@2'", "'AP'"]
WRONG = ["'nDGC'", "3", "[]", "'AP', group=[1]", "'AP', qid=[1]", "'AP', metric='AP'", "'AP', k=3"]
WRONG += ["'AP', ids=[1]", "'AP', lengths=[1]", "'AP', exclude=[1]", "'AP', judged=[1]"]
WRONG += ["'nDCG', convention='xgbost'", "'RR', gain='exp2'", "'nDCG@5,10'"]
WRONG += ["M, name='mine'", "'AP', ties='none'", "'AP', convention='none'", "'nDCG(k=0)'"]
GROUPINGS = ["SIZES", "None", "[8]", "[2, 6]", "np.array(SIZES, np.int32)"]
DATA = ["Data(LABELS, SIZES)", "Data(LABELS, SIZES, WEIGHTS)", "Data(LABELS, SIZES, UNEVEN)"]
DATA += ["Data(LABELS)", "Data(LABELS, SIZES, GROUPS)", "Data(LABELS, [2, 6])"]
FOLDS = [
    "[0, 1, 2, 3]",
    "[4, 5, 6, 7]",
    "[0, 1, 3]",
    "[3]",
    "[1, 2, 3, 4, 5, 6, 7]",
    "list(range(8))",
]
POOLS = ["{'v': (Data(LABELS), SIZES)}", "{'v': (Data(LABELS), IDS)}", "{}"]
POOLS += ["{'t': (Data(LABELS[:4]), [1, 3]), 'v': (Data(LABELS), SIZES, GROUPS)}"]
POOLS += ["{'v': (Data(LABELS), SIZES, WEIGHTS)}", "{'v': (Data(LABELS), np.array(IDS), GROUPS)}"]
WRONG_POOLS = [
    "{'v': (Data(LABELS), SIZES), 't': (Data(LABELS), IDS)}",
    "{'t': (Data(LABELS[:4]), [1, 3]), 'v': (Data(LABELS), [3, 1])}",
    "{'v': (Data(LABELS), [3.0, 1.0, 4.0])}",
    "{'v': (Data(LABELS), [[3, 1, 4]])}",
    "{'v': (Data(LABELS), ['b', 'a', 'b', 'a', 'c', 'c', 'c', 'c'])}",
    "{'v': (Data(LABELS), ['b', 'b', None, 'a', 'c', 'c', 'c', 'c'])}",
    "{'v': (Data(LABELS), [1, 1, np.nan, 2, 3, 3, 3, 3])}",
    "{'v': (Data(LABELS), [2.0**53 + 2, 1, 1, 1, 1, 1, 1, 1])}",
    "{'v': (Data(LABELS), SIZES, [1, 2])}",
    "{'v': (Data(LABELS), SIZES, UNEVEN)}",
    "[(Data(LABELS), SIZES)]",
    "None",
]
BATCHES = [
    "batch(SCORES, np.array(LABELS))",
    "batch(SCORES[:, None], np.array(LABELS))",
    "batch((SCORES, 'hidden'), (np.array(LABELS), np.array([7, 7, 7, 1, 2, 2, 2, 2])))",
    "batch(np.column_stack([SCORES / 2, SCORES * 2]), np.array(LABELS) > 0)",
    "batch(SCORES, np.array(LABELS), {'query_id': np.array([7, 7, 7, 1, 2, 2, 2, 2])})",
    "batch(SCORES, (np.array(LABELS), np.arange(8)), {'query_id': np.array([7] * 3 + [1] * 5)})",
    "batch(SCORES, (np.array(LABELS),), {'other': np.array([3, 3, 1, 1, 1, 2, 2, 2])})",
    "batch(SCORES[:4], np.array(LABELS[:4]))",
]
CALLS = [
    # scikit-learn.
    *drawn(
        40,
        "sklearn.ranking_scorer({m}{o})(Model({e}), None, LABELS, groups=IDS)",
        m=ONE,
        o=OPTIONS,
        e=[
            "predict=SCORES", "predict=LABELS, decision_function=SCORES",
            "predict=LABELS, predict_proba=SCORES",
            "decision_function=SCORES, predict_proba=LABELS",
        ],
    ),
    *drawn(
        20,
        "sklearn.ranking_scorer({m}, groups='qid'{o})(Model(predict=SCORES), {{'qid': IDS}}, LABELS)",
        m=ONE,
        o=OPTIONS,
    ),
    *each(
        "{{k: s(Model(predict=SCORES), {{'g': IDS}}, LABELS) for k, s in sklearn.ranking_scorer("
        "{m}, groups='g').items()}}",
        m=["M", "['AP']", "(rg.Measure('AP'), 'P@1')"],
    ),
    "sklearn.ranking_scorer('AP').requested, sklearn.ranking_scorer('AP').function.__name__",
    "{k: s.requested for k, s in sklearn.ranking_scorer(M).items()}",
    "sklearn.ranking_scorer('AP')(Model(predict=SCORES), None, LABELS)",
    "sklearn.ranking_scorer('AP', groups='qid')(Model(predict=SCORES), {'other': IDS}, LABELS)",
    "sklearn.ranking_scorer('AP', groups='qid')(Model(predict=SCORES), [1, 2], LABELS)",
    "sklearn, hosts = fresh('sklearn'); hosts['sklearn'].config['enable_metadata_routing'] = False\n"
    "sklearn.ranking_scorer('AP', groups='qid').__class__.__name__\nsklearn.ranking_scorer('AP')",
    *each("sklearn.ranking_scorer({w})", w=[*WRONG, "['AP', ['RR', 'P@1']]", "['AP', 'nDGC']"]),
    # LightGBM.
    *drawn(
        60,
        "lightgbm.lightgbm_metric({m}{o})(LABELS, SCORES, {w}, {g})",
        m=MEASURES,
        o=OPTIONS,
        w=["None", "WEIGHTS", "UNEVEN"],
        g=GROUPINGS[:2] + GROUPINGS[4:],
    ),
    *drawn(
        30,
        "feval({m}, {d}{o})",
        m=MEASURES,
        d=[d.replace("Data", "Dataset") for d in DATA[:4]],
        o=OPTIONS,
    ),
    *each(
        "feval('AP', Dataset([LABELS[i] for i in {f}], [len({f})], used={f}, reference=Dataset(LABELS, "
        "SIZES))) if len({f}) == 8 else lightgbm.lightgbm_metric('AP')(SCORES[{f}], Dataset([LABELS[i]"
        " for i in {f}], [len({f})], used={f}, reference=Dataset(LABELS, SIZES)))",
        f=FOLDS,
    ),
    "lightgbm.lightgbm_metric('AP')(SCORES, Dataset(LABELS, used=[0, 1]))",
    *each("lightgbm.lightgbm_metric({m}{n}).names", m=["M", "'nDCG@3'", "'MR'"], n=NAMED[:1]),
    *each("lightgbm.lightgbm_metric('AP'{n})(LABELS, SCORES, None, SIZES)", n=NAMED),
    *each("lightgbm.lightgbm_metric({w})", w=WRONG),
    "metric = lightgbm.lightgbm_metric(M); [metric(LABELS, SCORES, w, g) for w, g in ((None, SIZES), "
    "(WEIGHTS, SIZES), (None, [8]))]",
    "pickle.loads(pickle.dumps(lightgbm.lightgbm_metric(M).names))",
    *each(
        "lightgbm.RankerOfIds().fit([1], LABELS, qid={q}).fitted",
        q=[
            "IDS", "np.array(IDS)", "[2, 2, 1, 1]", "np.array([2.0, 2.0, 1.0])",
            "np.array([True, False])", "[]", "['b', 1]",
        ],
    ),
    *each(
        "lightgbm.RankerOfIds().fit([1], LABELS, qid=IDS, eval_qid={e}, eval_at=[3]).fitted",
        e=["[IDS, [1, 1, 2]]", "[]", "[[1, 1, 2], [2, 1, 2]]", "[[1, 2], [[1], [2]]]", "(IDS,)"],
    ),
    *each(
        "lightgbm.RankerOfIds().fit([1], LABELS, qid={q})",
        q=[
            "[1, 2, 1]", "['a', None, 'b']", "[[1, 2]]", "np.array([1.0, np.nan])",
            "np.array([1, 2**53 + 2], float)", "3", "[1.5, 'a', 2.0**60]",
            "np.array([1, None, 2], object)", "[float('nan'), None]",
            "np.array([None, np.nan], object)", "np.array([0.0, 2.0**24], np.float32)",
            "np.array([3, 2.0**60], object)", "np.array([-1e300, 5.0])",
            "[np.float64(2.0**53 + 2), 3]", "np.array(['2024-01-01', 'NaT'], 'M8[D]')",
            "['a', float('nan'), 'b']",
        ],
    ),
    # XGBoost.
    *drawn(50, "xgboost.xgboost_metric({m}{o})(SCORES, {d})", m=MEASURES, o=OPTIONS, d=DATA),
    *each(
        "xgboost.xgboost_metric({m}).names, xgboost.xgboost_metric({m}).name",
        m=[
            *MEASURES,
            "'R@3'", "'P(rel=2)@3'", "['PRAUC', 'AP@10']", "'nDCG(gain=exp2)@5'", "'ERR@3'",
            "'MRR@10'",
        ],
    ),
    *each("xgboost.xgboost_metric({m}{n}).names", m=["'AP'", "'MR'"], n=NAMED),
    *each("xgboost.xgboost_metric({w})", w=WRONG),
    "xgboost.xgboost_metric('AP')(LABELS, SCORES)",
    "xgboost.xgboost_metric('AP').__name__",
    *each(
        "xgboost, hosts = fresh('xgboost'); workers = hosts['xgboost'].collective; workers.rank = {r}\n"
        "metric = xgboost.xgboost_metric({m}); parts = []\n"
        "for labels in ([0, 1], [3, 0, 0]):\n"
        "    part = rg.Accumulator()\n"
        "    part.add(rg.evaluate_arrays([labels], [SCORES[:len(labels)]], {m}))\n"
        "    parts.append(part.to_dict())\n"
        "workers.others = parts; data = {d}; metric(SCORES[:len(data.labels)], data)",
        r=[0, 1, 2],
        m=["M", "'AP'"],
        d=["Data(LABELS, SIZES, WEIGHTS)", "Data([], None)"],
    ),
    # CatBoost.
    *drawn(
        50,
        "catboost.catboost_metric({m}, {p}{o}).evaluate([SCORES], LABELS, {w})",
        m=ONE,
        p=POOLS,
        o=OPTIONS[:4],
        w=["None", "WEIGHTS", "UNEVEN", "[1.0] * 8"],
    ),
    *each("catboost.catboost_metric('AP', {p})", p=WRONG_POOLS),
    *each(
        "catboost.catboost_metric({w})",
        w=[
            *(
                f"'AP', {{}}, {option}"
                for option in ("weight=[1]", "group=[1]", "metric='AP'", "ties='none'")
            ),
            "M, {}",
            "'nDGC', {}",
        ],
    ),
    *each(
        "made = catboost.catboost_metric({m}, {{}}{n}); type(made).__name__, made.is_max_optimal()",
        m=["'nDCG@3'", "'MR'"],
        n=NAMED,
    ),
    "made = catboost.catboost_metric('AP', {'v': (Data(LABELS), SIZES)}); made.get_final_error(3, 2)",
    "made = catboost.catboost_metric('AP', {'v': (Data(LABELS), SIZES)})\n"
    "[made.evaluate([SCORES], LABELS, w) for w in (WEIGHTS, WEIGHTS, None)]",
    "made = catboost.catboost_metric('AP', {'t': (Data([1, 0]), [2]), 'v': (Data(LABELS), SIZES)})\n"
    "made.evaluate([SCORES], LABELS, None), made.evaluate([SCORES[:2]], [1, 0], None)\n"
    "made.evaluate([SCORES[:2]], [0, 1], None)",
    "made = catboost.catboost_metric('AP', {'v': (Data(LABELS), SIZES)}); kind, (state,) = "
    "made.__reduce__(); kind(state).evaluate([SCORES], LABELS, None), type(kind(state)).__name__",
    "made = catboost.catboost_metric('AP', {'v': (Data(LABELS), SIZES)}); made.evaluate([SCORES, "
    "-SCORES], LABELS, None)",
    "lightgbm.lightgbm_metric('AP', empty='skip')(LABELS, SCORES, UNEVEN, [3, 0, 5])",
    "lightgbm.lightgbm_metric('AP', empty=0.5)(LABELS, SCORES, WEIGHTS, [0, 4, 0, 4, 0])",
    # The Trainer.
    *each("transformers.compute_ranking_metrics(M)({b})", b=BATCHES),
    *each(
        "transformers.compute_ranking_metrics('AP', groups={g})({b})",
        b=BATCHES[:4] + BATCHES[5:],
        g=["[7, 7, 7, 1, 2, 2, 2, 2]", "'other'"],
    ),
    *drawn(
        20,
        "transformers.compute_ranking_metrics({m}{o})({b})",
        b=BATCHES[4:5],
        m=MEASURES,
        o=[*OPTIONS[1:], ", groups='other'"],
    ),
    *each("transformers.compute_ranking_metrics('AP'{n})({b})", n=NAMED, b=BATCHES[4:5]),
    *each("transformers.compute_ranking_metrics({w})", w=WRONG),
    "made = transformers.compute_ranking_metrics(M, groups=IDS)\n"
    "made(batch(SCORES[:3], np.array(LABELS[:3])), False)\n"
    "made(batch(SCORES[3:], np.array(LABELS[3:])), True)\n"
    "made(batch(SCORES, np.array(LABELS)))\n"
    "made(batch(SCORES[:5], np.array(LABELS[:5])))",
    "made = transformers.compute_ranking_metrics(M)\nids = {'query_id': np.array([4, 4, 5, 3])}\n"
    "made(batch(SCORES[:4], np.array(LABELS[:4]), ids), compute_result=False)\n"
    "made(batch(SCORES[4:], np.array(LABELS[4:]), ids), compute_result=True)",
    "made = transformers.compute_ranking_metrics('AP', groups=IDS[:4])\nloader = SimpleNamespace()\n"
    "class Loader: pass\nfirst, second = Loader(), Loader()\nrefs = [second, first]\n"
    "state = SimpleNamespace(GradientState=lambda: SimpleNamespace(dataloader_references=refs))\n"
    "before = sys.modules.get('accelerate.state'); sys.modules['accelerate.state'] = state\n"
    "try:\n    made(batch(SCORES[:3], np.array(LABELS[:3])), False)\n    refs[:] = [second, second]\n"
    "    got = made(batch(SCORES[:4], np.array(LABELS[:4])))\nfinally:\n"
    "    sys.modules.pop('accelerate.state') if before is None else sys.modules.update("
    "{'accelerate.state': before})\ngot",
]  # fmt: skip
