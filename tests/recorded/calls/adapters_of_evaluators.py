"""Adapters of those who evaluate: pytrec_eval, mteb, mlflow, LlamaIndex, Dask and Ray."""

from recorded.recording import drawn, each

GIVEN = """
import functools
from recorded.hosts import Parts, adapter, refusal, standing_in, tensor
from rankgain.integrations.mteb import nauc
import rankgain.integrations.pytrec_eval as pytrec_eval

mlflow = adapter("mlflow")
llama_index = adapter("llama_index")

RankingMetric = adapter("torch").RankingMetric

def batches(metric, *parts):
    # The values after each update, and those of each batch alone.
    shown = []
    for preds, target, indexes in parts:
        shown.append((metric.forward(tensor(preds), tensor(target), tensor(indexes)),
                      metric.compute()))
    return shown

def on(name, blocks, measures, **options):
    module = adapter(name)
    with standing_in():
        return module.evaluate(Parts(blocks), measures, **options)

def metric(measure, *arguments, **options):
    made = mlflow.ranking_metric(measure, **options)
    value = made.eval_fn(*arguments)
    return made.name, made.greater_is_better, value.scores, value.aggregate_results

def scorer(measure, outputs, expectations, **options):
    made = mlflow.ranking_scorer(measure, **options)
    return made.name, made.aggregations, made(outputs=outputs, expectations=expectations)

def of_query(measure, expected, retrieved, **options):
    made = llama_index.RankingMetric(measure, **options)
    result = made.compute("the query", expected, retrieved)
    return made.metric_name, result.score

QRELS = {"q10": {"b": 2, "a": 0, "e": 1}, "q2": {"z": -1, "y": 1, "x": 3}, "q1": {"c": 0}, "q8": {}}
RUN = {"q2": {"w": 0.5, "x": 0.5, "y": 2.0, "z": 0.5}, "q7": {"a": 1.0}, "q10": {"e": 1.0, "a":
       1.00000001, "b": 1.0, "v": -3.0}, "q1": {"c": 1.0, "d": 1.0}}
LEVELS = {"q2": {"a": -1, "b": -2}, "q3": {"a": 2, "b": -1}, "q1": {"a": 1}}
OTHER = {"q3": {"b": 2.0, "a": 1.0, "c": 1.5}, "q2": {"a": 1.0}, "q1": {"c": 2.0}}
RETRIEVED = [["a"], ["a", "x", "b"], ["x", "y"], [], ["c", "b", "a"]]
RELEVANT = [list("abcde"), ["a", "b"], ["z"], ["a"], {"a": 3, "b": 1, "q": 2}]
LINES = ["q1 Q0 d1 1 2.5 t", "q2 Q0 d1 1 1e3 t\\n", "q1 Q0 d2 2 -1 t"]
BLOCKS = [
    {"q": np.array([3, 1, 3, 2]), "l": np.array([1, 0, 2, 0]), "s": np.array([0.5, 1, 0.5, 2]),
     "r": np.array([2, 1, 3, 1])},
    {"q": np.array([1, 3]), "l": np.array([3, 0]), "s": np.array([1.0, 9]), "r": np.array([2, 1])},
    {"q": np.array([], int), "l": np.array([], int), "s": np.array([]), "r": np.array([], int)},
    {"q": np.array([2, 1, 5]), "l": np.array([2, 1, 0]), "s": np.array([-1.0, 0, 1]), "r":
     np.array([2, 3, 1])},
]
WORDS = [dict(block, q=np.array([f"q{q}" for q in block["q"]], object)) for block in BLOCKS]
M = ["nDCG@2", "AP", "RR"]
"""
SETS = ["{'map', 'ndcg'}", "{'P.1,3', 'P.2', 'recall_2'}", "{'official'}", "{'all_trec'}", "set()"]
SETS += ["{'set'}", "{'num_q', 'num_ret'}", "{'gm_map', 'gm_bpref', 'bpref'}", "{'ndcg_cut_3,1'}"]
SETS += [
    "{'runid', 'relstring', 'map'}",
    "{'G', 'binG', 'ndcg_rel'}",
    "{'utility', 'Rprec_mult.0.5'}",
]
SETS += ["{'set_F', 'set_F.2'}", "{'set_F_0.5', 'set_map'}", "{'iprec_at_recall.0.5', '11pt_avg'}"]
SETS += [
    "{'success_1', 'Rprec'}",
    "['infAP', 'Rndcg', 'relative_P.2']",
    "{'num_rel_ret', 'num_rel'}",
]
WRONG_SETS = ["{'mapp'}", "{'map.3'}", "{'P.0'}", "{'P.2,2'}", "{'ndcg.1=2'}", "{'utility.1,2'}"]
WRONG_SETS += [
    "{'P.'}",
    "{'P.a'}",
    "{'recall_0'}",
    "{'iprec_at_recall.0.5,0.50'}",
    "{'rbp'}",
    "{''}",
]
OPTIONS = ["", ", 2", ", judged_docs_only_flag=True", ", 2, True", ", 1, 3", ", relevance_level=3"]
RECORDS = ["QRELS, RUN", "LEVELS, OTHER", "QRELS, {'q2': RUN['q2']}", "QRELS, {'q2': {}, 'q1': {}}"]
NAMES = ["'nDCG@5'", "'AP'", "'R@2'", "'MR'", "'P@2'", "'RR'", "'HitRate@1'"]
ID_OPTIONS = [
    "",
    ", duplicates='first'",
    ", empty='skip'",
    ", convention='mlflow'",
    ", name='mine'",
]
ID_OPTIONS += [", empty=1", ", convention='llama_index'", ", name='a@b (c)', empty='skip'"]
WRONG = ["'nDGC'", "['AP', 'RR']", "'AP', group=[1]", "'AP', ids=[1]", "'AP', metric=3", "3", "[]"]
WRONG += [
    "'AP', duplicates='x'",
    "'AP', convention='none'",
    "M, name='m'",
    "'AP', exclude=[1]",
]
COLUMNS = ["query='q', label='l', score='s'", "query='q', label='l', rank='r'"]
BLOCKED = ["BLOCKS", "WORDS", "BLOCKS[::-1]", "BLOCKS[:1]", "[BLOCKS[2]]", "WORDS[1:]"]
WRONG_COLUMNS = [
    "query='q', label='l'",
    "query='q', label='l', score='s', rank='r'",
    "query='x', label='l', score='s'",
    "query='q', label='x', score='s'",
    "query='q', label='l', rank='x'",
    "query='q', label='l', score='x'",
    "query=3, label='l', score='s'",
]
WRONG_BLOCKS = [
    "[dict(BLOCKS[0], {})]",
    "[BLOCKS[1], dict(BLOCKS[0], {})]",
]
CHANGES = [
    "q=np.array([1.5, 2, 3, 4])",
    "q=np.array([1, None, 2, 3], object)",
    "s=np.array([1, np.nan, 2, 3])",
    "l=np.array([1, 0, np.inf, 0])",
    "l=np.array([1, 0, np.nan, 0])",
    "q=np.array(['a', 'b', 'c', 'd'])",
    "s=np.array(['a', 'b', 'c', 'd'])",
    "l=np.array([1, 0, 0.5, -1])",
    "r=np.array([2, 1, 1, 1])",
    "r=np.array([0, 1, 2, 0])",
    "r=np.array([1.5, 1, 2, 1])",
]
OF_ARRAYS = ["", ", ties='worst'", ", convention='torchmetrics'", ", empty='skip'", ", empty=1"]
UPDATES = [
    "([0.5, 0.2, 0.9], [0, 1, 2], [7, 7, 7])",
    "([0.5, 0.2, 0.9, 0.9], [0, 1, 0, 1], [7, 4, 7, 4]), ([0.1, 0.4], [1, 0], [5, 5])",
    "([[0.5, 0.2], [0.9, 0.1]], [[0, 1], [0, 0]], [[3, 3], [2, 2]]), ([0.3], [1], [9])",
    "(np.float16([0.5, 0.25, 2]), [0, 1, 0], [7, 7, 7]), ([0.5] * 4, [0, 1, 1, 0], [1, 1, 1, 2])",
    "([1, 2, 3], [True, False, True], [2**60, 2**60, 2**60 + 1]), ([], [], [])",
]
CALLS = [
    # pytrec_eval.
    *drawn(
        170,
        "pytrec_eval.RelevanceEvaluator({r}, {m}{o}).evaluate({s})",
        r=["QRELS", "LEVELS"],
        m=SETS,
        o=OPTIONS,
        s=["RUN", "OTHER", "dict(reversed(RUN.items()))"],
    ),
    *each("pytrec_eval.RelevanceEvaluator(QRELS, {m})", m=WRONG_SETS),
    *each(
        "pytrec_eval.RelevanceEvaluator(QRELS, {{'map', 'P_2'}}).evaluate({s})",
        s=[
            "{}", "3", "[]", "{'q9': {'a': 1.0}}", "{3: {'a': 1.0}}", "{'q2': ['a']}",
            "{'q2': {'a': '1'}}", "{'q2': {}}", "{'q2': {'x': 1.0}, 'q10': None}",
            "{'q8': {'x': 1.0}, 'q1': {'c': 2.0}}",
        ],
    ),
    *each(
        "pytrec_eval.RelevanceEvaluator({q}, ['map'])",
        q=[
            "3", "{3: {'a': 1}}", "{'q': ['a']}", "{'q': {'a': 1.5}}", "{'q': {'a': 1, 'b': '2'}}",
            "{'q': {'b': '2'}}", "{'p': {}, 'q': 3}",
        ],
    ),
    *each(
        "pytrec_eval.RelevanceEvaluator(QRELS, ['map'], {v})", v=["1.5", "'1'", "None", "0", "-1"]
    ),
    "made = pytrec_eval.RelevanceEvaluator(QRELS, ['map', 'G']); [made.evaluate(r) for r in (RUN, "
    "OTHER, {'q2': RUN['q2']}, RUN)]",
    "import copy; qrels = copy.deepcopy(QRELS); made = pytrec_eval.RelevanceEvaluator(qrels, ['map']); "
    "qrels['q2']['w'] = 5; made.evaluate(RUN)",
    "pytrec_eval.RelevanceEvaluator({'q': {'a': np.int64(1)}}, ['P.1']).evaluate({'q': {'a': 1}})",
    "sorted(pytrec_eval.supported_measures)",
    "{name: sorted(names) for name, names in pytrec_eval.supported_nicknames.items()}",
    *each("dict(pytrec_eval.parse_run({x}))", x=["LINES", "[]", "iter(LINES[::-1])"]),
    *each(
        "dict(pytrec_eval.parse_qrel({x}))", x=["['q2 0 a 1', 'q1 x b -2\\n', 'q2 0 b 0']", "[]"]
    ),
    *each("pytrec_eval.parse_run({x})", x=["LINES + LINES[1:2]"]),
    "pytrec_eval.parse_qrel(['q1 0 a 1', 'q2 0 b 1', 'q2 0 b 2'])",
    *each(
        "pytrec_eval.compute_aggregated_measure({m!r}, {v})",
        m=["map", "num_ret", "gm_map", "P_5"],
        v=["[0.5, 0.25, -1]", "[2.0]", "np.array([1, 2, 4])"],
    ),
    # mteb.
    *drawn(
        40,
        "nauc(rg.evaluate({q}, {r}, {m}, convention='mteb'), {r})",
        q=["QRELS", "{'q2': {'y': 1}, 'q1': {'d': 1}, 'q10': {'b': 1}}", "{'q2': {'x': 1}}"],
        r=["RUN", "dict(RUN, q1={})", "dict(RUN, q1={'d': 4.5}, q2={'x': 1.0, 'y': 1.0})"],
        m=["['AP@3', 'P@1']", "'RR@2'", "['R@1', 'AP@1']"],
    ),
    "run = {f'q{i}': {'a': i % 4 + 0.5, 'b': i % 7, 'c': 3.0} for i in range(23)}; nauc(rg.evaluate("
    "{q: {'b': i % 3, 'c': i % 2} for i, q in enumerate(run)}, run, ['nDCG@2', 'RR']), run)",
    "nauc(rg.evaluate(QRELS, RUN, 'AP', convention='mteb'), {'q10': RUN['q10']})",
    # mlflow.
    *drawn(50, "metric({m}, RETRIEVED, RELEVANT{o})", m=NAMES, o=ID_OPTIONS),
    *each(
        "metric('AP', {a})",
        a=[
            "[], []", "[['a']], ['abc']", "['abc'], [['a']]", "[['a'], b'x'], [['a'], ['b']]",
            "[['a', 'a']], [['a']]", "[['a']], [['a'], ['b']]", "[iter('ab')], [set('a')]",
            "[[1, 2]], [{2: 0, 1: 1}]", "[['a']], [[]]", "[['a'], ['b']], [[], ['b']]",
        ],
    ),
    *each("metric('AP', [['a'], ['b']], [[], []], empty='skip')"),
    *each("mlflow.ranking_metric({w})", w=WRONG),
    *drawn(
        40,
        "scorer({m}, {r}, {{'relevant': {e}}}{o})",
        m=NAMES,
        r=["{'retrieved': ['a', 'x', 'b']}", "['b', 'a']", "{'retrieved': []}", "iter('xa')"],
        e=["['b', 'c']", "{'a': 2, 'b': 1, 'x': 0}", "[]"],
        o=ID_OPTIONS,
    ),
    *each(
        "scorer('AP', {a})",
        a=[
            "{'other': ['a'], 'b': 1}, {'relevant': ['a']}", "{}, {'relevant': ['a']}",
            "['a'], {'other': ['a']}", "['a'], None", "'abc', {'relevant': ['a']}",
            "['a'], {'relevant': 'abc'}", "['a'], {}", "['a'], ['a']",
        ],
    ),
    "scorer('RR', {'ids': ['x', 'a'], 'retrieved': ['a']}, {'docs': ['a']}, retrieved='ids', "
    "relevant='docs')",
    *each("mlflow.ranking_scorer({w})", w=WRONG),
    # LlamaIndex.
    *drawn(
        50,
        "of_query({m}, {e}, {r}{o})",
        m=NAMES,
        e=["['a', 'b', 'c']", "['z']", "[]"],
        r=["['a', 'x', 'b']", "['z', 'a']", "[]", "['b', 'a', 'b']"],
        o=ID_OPTIONS,
    ),
    *each("of_query('AP', {e}, {r})", e=["None", "['a']"], r=["None", "['a']"]),
    *each("llama_index.RankingMetric({w})", w=WRONG),
    "llama_index.RankingMetric('RR').compute(expected_ids=['a'], retrieved_ids=['b', 'a'], expected_texts"
    "=['x'], retrieved_texts=['y'], extra=3)",
    # torchmetrics.
    *drawn(
        50,
        "batches(RankingMetric({m}{o}), {p})",
        m=["M", "'nDCG@3'", "'MR'", "['AP', 'DCG(gain=exp2)']", "['AUC', 'P@1']"],
        o=OF_ARRAYS,
        p=UPDATES,
    ),
    *each(
        "batches(RankingMetric('AP'), {p})",
        p=[
            "([0.5, 0.2], [1, 0], [7, 7]), ([0.5], [1], [7])",
            "([0.5, 0.2, 0.1], [1, 0, 1], [9, 8, 8]), ([0.5, 0.3], [1, 0], [3, 8])",
            "([0.5, 0.2], [1, 0], [7]), ([0.5], [1], [9])", "([0.5, np.nan], [1, 0], [7, 7])",
            "([0.5, 0.2], [1, np.nan], [7, 7])", "([], [], [])",
            "([0.5, 0.2], [1, 0], [7.5, 7.5]), ([0.5, 0.2], [0, 1], [8.0, 7.5])",
        ],
    ),
    "made = RankingMetric(M); first = batches(made, ([0.5, 0.2], [0, 1], [7, 7])); made.reset(); "
    "first, batches(made, ([0.5, 0.7], [0, 1], [7, 7]), ([0.1], [1], [8]))",
    "one, two = RankingMetric('RR'), RankingMetric('RR')\n"
    "batches(one, ([0.5, 0.2], [0, 1], [7, 7])); batches(two, ([0.5, 0.2], [1, 0], [8, 8]))\n"
    "one.ids = one.ids + two.ids; one.sums = one.sums + two.sums; one.compute()\n"
    "batches(one, ([0.5], [1], [8]))",
    "one, two = RankingMetric('RR'), RankingMetric('RR')\n"
    "batches(one, ([0.5, 0.2, 1, 2], [0, 1, 1, 0], [7, 7, 9, 5])); batches(two, ([0.5, 0.2, 3], [1, 0, "
    "1], [7, 7, 9]))\n"
    "one.ids = one.ids + two.ids; one.sums = one.sums + two.sums; one.compute()",
    "made = RankingMetric('RR'); batches(made, ([0.5, 0.2], [0, 1], [7, 7])); state = dict(ids="
    "[tensor([5])], sums=made.sums); made._load_from_state_dict(state); batches(made, ([1], [1], [5]))",
    "made = RankingMetric('RR'); made.sync(); made.ids, made.synced, made.compute()",
    "made = RankingMetric('DCG'); batches(made, ([0.5, 0.2], [-3, 1], [7, 7]), ([1, 2], [5, -9], "
    "[8, 8]), ([1], [1e300], [4]))",
    "made = RankingMetric(['DCG', 'RR']); batches(made, ([0.5, 0.2], [0, 1], [7, 7]), ([1, 2], [1e308, "
    "1e308], [8, 8]))",
    "made = RankingMetric('RR'); made.update(tensor([0.5, 0.2]), tensor([0, 1]), tensor([7, 7])); "
    "made.reset(); made.compute(), len(made.ids), made.sums.sum()",
    "made = RankingMetric('RR', empty=np.nan); batches(made, ([0.5, 0.2], [0, 0], [7, 7]), ([1, 2], "
    "[1, 0], [8, 8]))",
    *each("[name for name in RankingMetric({m}).defaults if 'settings' not in name]", m=["M"]),
    "names = [name for arguments in (('AP', {}), ('AP', {}), ('RR', {}), ('AP', {'ties': 'best'}), ("
    "['AP'], {}), (rg.Measure('AP'), {})) for name in RankingMetric(arguments[0], **arguments[1])."
    "defaults if 'settings' in name]; [names.index(name) for name in names]",
    "made = [RankingMetric('DCG', gain=gain) for gain in (np.sqrt, lambda x: x, lambda x: x + 1, "
    "functools.partial(np.power, 2), 'exp2', {1: 2.0}, {1: 2.0, 0: 0.0}, [0, 1.0])]\n"
    "len({name for metric in made for name in metric.defaults if 'settings' in name})",
    "sorted(RankingMetric('AP', dist_sync_on_step=True, compute_on_cpu=False, ties='best').options)",
    *each(
        "RankingMetric({m}).higher_is_better", m=["'MR'", "'AP'", "['AP', 'MR']", "['MR', 'AP']"]
    ),
    *each(
        "RankingMetric({w})", w=["'nDGC'", "[]", "'AP', qid=[1]", "M, name='x'", "'AP', ties='x'"]
    ),
    "RankingMetric('AP', name='mine').set_dtype('half').higher_is_better",
    *each(
        "refusal({n!r}, {n!r})",
        n=[
            "sklearn", "lightgbm", "xgboost", "catboost", "torch", "mlflow", "transformers",
            "llama_index", "sentence_transformers", "ir_measures",
        ],
    ),
    # Dask and Ray.
    *drawn(
        60,
        "on({n!r}, {b}, {m}, {c}{o})",
        n=["dask", "ray"],
        b=BLOCKED,
        m=["M", "'AP'", "['P@2', 'AUC', 'nDCG']"],
        c=COLUMNS,
        o=["", ", ties='best'", ", ties='worst'", ", gain='exp2'", ", convention='sklearn'"],
    ),
    *each("on({n!r}, BLOCKS, 'AP', {c})", n=["dask", "ray"], c=WRONG_COLUMNS),
    *each(
        "on({n!r}, BLOCKS, {w}, query='q', label='l', score='s')",
        n=["dask", "ray"],
        w=[
            "'nDGC'", "'AP', qid=[1]", "'AP', ties='stable'", "'AP', ties='none'", "'Judged@2'",
            "[]", "'AP', k=1",
        ],
    ),
    *each(
        "on('dask', {b}, 'AP', query='q', label='l', {c})",
        b=[w.format(c) for w in WRONG_BLOCKS for c in CHANGES],
        c=["score='s'", "rank='r'"],
    ),
]  # fmt: skip
