"""Tasks of Spark's workers, which need no Spark, and arguments that are refused before it runs."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas", "pyarrow"]
GIVEN = """
import pickle
from types import SimpleNamespace
import pyarrow as pa
from recorded.hosts import standing_in
from rankgain.evaluation.partial.ranks import PartialRanks
from rankgain.inputs.ranks import RankScale
from rankgain.integrations import spark
from rankgain.integrations.spark import tasks

def batches(table, size=3):
    return iter(pa.table(table).to_batches(max_chunksize=size))

def answers(task, table, query=None, drawn=None, size=3, **arguments):
    # The rows of the answer, or the result of the sums.
    rows = []
    for batch in tasks.answer(batches(table, size), task, arguments, query, drawn):
        if drawn is not None:
            rows.append(pickle.loads(batch.column(batch.schema.get_field_index("data"))[0].as_py()))
        else:
            rows += batch.to_pylist()
    return rows

def lists(table, measures, query=("q", "int64"), size=3, by_place="", single=False, **options):
    requested = dict(options.pop("requested", {}), measures=measures)
    return answers(tasks.evaluate_lists, table, query, options.get("drawn"), size, columns=LISTS,
                   requested=requested, by_place=by_place, single=single)

def ranked(table, measures, start=1, by_place="", size=3, **requested):
    return answers(tasks.evaluate_ranked_lists, table, ("q", "int64"), None, size, columns=LISTS,
                   requested=dict(requested, measures=measures), by_place=by_place, single=False,
                   scale=RankScale(start, False))

def pairs(table, measures, query=("q", "string"), size=3, by_place="", single=False, scale=None,
          drawn=None, **requested):
    return answers(tasks.evaluate_pairs, table, query, drawn, size, columns=PAIRS,
                   requested=dict(requested, measures=measures), by_place=by_place, single=single,
                   scale=scale)

def in_rows(table, measures, form, names, query=None, size=3, **requested):
    return answers(tasks.evaluate_rows, table, query, None, size, names=names, form=form,
                   requested=dict(requested, measures=measures))

def counted(table, cuts, measures, size=3, parts=2, **requested):
    # As the driver does: the hits, then the counts of all rows in parts, then the sums of these.
    is_hit = np.array(table["l"]) != 0
    hits = [np.array(table[name])[is_hit] for name in "qsl"]
    queries = list(dict.fromkeys(hits[0].tolist()))
    partial = PartialRanks(*hits, queries=queries)
    packed = [tasks._pack({"part": [part], "data": [None]}) for part in range(len(cuts) - 1)]
    for part in range(parts):
        counter = pickle.loads(pickle.dumps(partial._counter))
        some = {name: table[name][part::parts] for name in "qs"}
        packed += tasks.count_rows(batches(some, size), [("q", "id"), ("s", "score")], counter, cuts)
    return answers(lambda _, **arguments: tasks.finish_parts(iter(packed), **arguments), table,
                   ("q", "int64"), None, hits=hits, places=partial._rows, queries=queries, cuts=cuts,
                   judged=None, after=None, requested=dict(requested, measures=measures))

def checked(function, *arguments, **options):
    with standing_in():
        return getattr(spark, function)(*arguments, **options)

LISTS = [("query", "id"), ("label", "label"), ("score", "score")]
PAIRS = [("topic", "id"), ("doc", "id"), ("rel", "label"), ("sim", "score")]
ROWS = {"q": [3, 3, 3, 1, 2, 2, 2, 2, 9], "l": [1.0, 0, 2, 1, 0, 0, 1, 3, 0],
        "s": [0.5, 0.9, 0.5, 1.0, -1.0, 2.0, 2.0, 0.0, 4.0]}
TEXT = dict(ROWS, q=[f"q{q}" for q in ROWS["q"]])
RANKS = dict(ROWS, s=[1, 2, 5, 1, 1, 2, 2, 3, 2])
JUDGED = {"q": ["b"] * 5 + ["a"] * 2 + ["c"] * 3, "d": ["x", "y", "y", "z", "w", "x", "x", "x", "y",
          "z"], "l": [1, None, 2, None, 0, 1, None, None, None, None], "s": [None, 0.5, None, 0.5,
          None, None, 2.0, 1.0, 1.0, 3.0], "j": [True, False, True, False, True, True] + [False] * 4}
ARRAYS = {"id": [4, 2, 7], "y": [[1, 0, 2], [], [0, 1]], "s": [[0.5, 0.5, 0.1], [], [2.0, 3.0]]}
FOUND = {"id": ["b", "a", "c"], "r": [["x", "y"], ["z"], []], "t": [["y"], ["z", "w", "z"], ["a"]]}
"""
M = ["['nDCG@3', 'AP', 'RR']", "'P@2'", "['AUC', 'MR']", "['DCG', 'R@1']"]
REQUESTED = [
    "",
    ", requested={'ties': 'worst'}",
    ", requested={'convention': 'sklearn'}",
    ", requested={'empty': 'skip'}",
    ", requested={'empty': 1.0, 'ties': 'best'}",
]
DRAWN = ["{}", "{'bootstrap': 20, 'seed': 3}"]
CHANGES = [
    "q=[3, 3, None, 1, 2, 2, 2, 2, 9]",
    "l=[1, 0, 2, 1, 0, None, 1, 3, 0]",
    "s=[0.5, 0.9, 0.5, 1, -1, np.nan, 2, 0, None]",
    "s=[0.5, 0.9, None, 1, -1, 2, 2, 0, np.nan]",
    "l=[1, 0, 2, np.inf, 0, 0, np.nan, 3, 0]",
    "s=[2**53 + 1, 2**53, 0, 1, 2, 3, 4, 5, 6]",
    "l=[-1, 0, 2, 1, 0, 0, 1, 3, 0]",
    "s=pa.array(np.float32([0.1, 0.1, 2, 1, 3, 2, 1, 0, 5]))",
    "l=pa.array([True, False] * 4 + [True])",
    "q=[3, 3, 3, 1, 3, 3, 2, 2, 9]",
]
PAIR_CHANGES = [
    "d=['x', 'y', 'y', 'y', 'w', 'x', 'x', 'x', 'y', 'z']",
    "d=['x', 'y', 'x', 'z', 'w', 'x', 'x', 'x', 'y', 'z']",
    "l=[1, None, np.inf, None, 0, 1, None, None, None, None]",
    "s=[None, 0.5, None, np.nan, None, None, 2.0, 1.0, 1.0, 3.0]",
    "d=['x', None] + ['z'] * 8",
    "q=['b'] * 5 + [None] * 5",
    "j=[True, False, True, False, True] + [False] * 5",
    "j=[False] * 10",
    "j=[True] * 10",
    "s=[None, 1, None, 3, None, None, 1, 2, 1.5, -3]",
    "d=['x', 'y', 'y', 'y', 'w', 'x', 'x', 'x', 'x', 'x']",
]
CALLS = [
    *drawn(60, "lists(ROWS, {m}, size={n}{o})", m=M, n=[1, 2, 4, 9], o=REQUESTED),
    *each("lists(TEXT, {m}, ('list', 'string'))", m=M),
    *each("lists({r}, ['AP', 'RR'], drawn={d})", r=["ROWS", "TEXT"], d=DRAWN),
    *each("lists(dict(ROWS, {c}), 'AP', size={n})", c=CHANGES, n=[2, 9]),
    *each(
        "lists(dict(ROWS, {c}), 'DCG', by_place='RR and P', single={s})",
        c=[
            "q=list(range(9))",
            CHANGES[7],
            "s=[1, 1 + 1e-12, 2, 1, 1, 2, 3, 4, 5]",
            "s=[1, 2, 3, 1, 1, 2, 3, 4, 5]",
        ],
        s=["True", "False"],
    ),
    "lists(ROWS, 'AP', by_place='RR')",
    *drawn(
        30,
        "ranked(RANKS, {m}, {s}, size={n}{o})",
        m=M,
        s=[0, 1],
        n=[1, 3, 9],
        o=["", ", ties='best'", ", empty='skip'"],
    ),
    *each(
        "ranked(dict(ROWS, s={s}), 'AP', by_place='RR')",
        s=[
            "[1, 2, 3, 1, 1, 2, 3, 4, 1]", "[1, 2, 3, 1, 1, 2, 2, 3, 1]",
            "[1, 2.5, 3, 1, 1, 2, 3, 4, 1]", "[1, 2, 3, 1, -1, 2, 3, 4, 1]",
            "[1, 2, 3, 1, 0, 2, 3, 4, 1]",
        ],
    ),
    *drawn(
        60,
        "pairs(JUDGED, {m}, size={n}{o})",
        m=["['nDCG@2', 'AP']", "'RR'", "['P@2', 'Judged@2', 'R@1']"],
        n=[1, 2, 5, 10],
        o=[
            "", ", convention='beir'", ", bounds=['ties']", ", exclude={'b': ['y']}",
            ", judged_only=True", ", ties='best'", ", drawn={'bootstrap': 10, 'seed': 1}",
        ],
    ),
    *each("pairs(dict(JUDGED, {c}), ['AP', 'RR'])", c=PAIR_CHANGES),
    *each(
        "pairs(dict(JUDGED, {c}), ['AP', 'RR'], by_place='RR', single=True)",
        c=[
            "j=JUDGED['j']", "s=[None, 1, None, 1 + 1e-12, None, None, 2, 1, 2, 3]",
            "s=[None, 1, None, 2, None, None, 2, 1, 2, 3]",
        ],
    ),
    *each(
        "pairs(dict(JUDGED, s=[None, {s}, None, None, 1, 1, 2, 4]), ['AP', 'RR'], scale=RankScale({t}, "
        "False))".replace("s=[None, {s}, None, None", "s=[None, 1, None, {s}, None, None"),
        s=["2", "5", "1", "1.5", "-1"],
        t=[0, 1],
    ),
    *drawn(
        30,
        "in_rows({c}, {m}, 'scored', {k}, size={n})",
        c=["{'y': ARRAYS['y'], 's': ARRAYS['s']}"],
        m=M,
        k=["['y', 's']"],
        n=[1, 2, 3],
    ),
    *each("in_rows(ARRAYS, {m}, 'scored', ['id', 'y', 's'], ('id', 'int64'), size=2)", m=M),
    *each(
        "in_rows(FOUND, {m}, 'recommended', ['id', 'r', 't'], ('id', 'string'), size={n})",
        m=["['AP', 'R@1']", "'RR'", "['HitRate@1', 'P@2']"],
        n=[1, 2, 3],
    ),
    *each(
        "in_rows({{'r': {r}, 't': {t}}}, 'AP', 'recommended', ['r', 't'])",
        r=[
            "[[3, 1], [2]]", "[[], [4]]", "[[3, 3], [1]]", "[[3, None], [1]]",
            "[[1, 3], [1, 5, 3, 5, 1]]", "[None, [1]]",
        ],
        t=["[[1], [2, 2]]", "[[9], [4]]", "[[1], None]"],
    ),
    *each(
        "in_rows({{'y': {y}, 's': {s}}}, 'AP', 'scored', ['y', 's'])",
        y=["[[1, 0], [1]]", "[[1], [0, None]]", "[[1, 0], None]"],
        s=["[[0.5, 1], [2]]", "[[0.5, 1], []]", "[[0.5], [1.0]]", "[[np.nan, 1], [2]]"],
    ),
    *drawn(
        50,
        "counted({r}, {c}, {m}, size={n}, parts={p}{o})",
        r=["ROWS", "{name: values[::-1] for name, values in ROWS.items()}"],
        c=["[0, 3]", "[0, 1, 3]", "[0, 1, 2, 3]"],
        m=["['nDCG@3', 'AP', 'RR']", "'P@2'", "'DCG'"],
        n=[2, 9],
        p=[1, 2, 4],
        o=["", ", ties='worst'", ", ties='best'", ", empty='skip'"],
    ),
    *each(
        "[pickle.loads(b.column(0)[0].as_py()) for b in tasks.pack_rows(batches({r}), LISTS)]",
        r=["ROWS", "TEXT", "{name: values[:0] for name, values in ROWS.items()}"],
    ),
    *each(
        "tasks.refuse_twice(np.array({i}), np.array({d}), 'run')",
        i=["[1, 2, 1, 2, 2]"],
        d=["list('abcde')", "list('abacb')", "[1, 2, 3, 2, 2]"],
    ),
    *each(
        "in_rows({{'id': [4, {i}], 'r': [[3], {r}], 't': [[1], {t}]}}, 'AP', 'recommended', ['id', 'rec', "
        "'rel'], ('id', 'int64'))",
        i=["5", "None"],
        r=["[3]", "None", "[1, 1]", "[None]"],
        t=["[1]", "None"],
    ),
    # Arguments.
    *each(
        "checked('evaluate', None, {a})",
        a=[
            "'AP', query='q', label='l'",
            "'AP', query='q', label='l', score='s', rank='r'",
            *(
                f"'AP', query='q', label='l', score='s', {option}"
                for option in (
                    "how='x'", "gains='x'", "ties='stable'", "ties='random'",
                    "ties='reverse', convention='trec'", "convention='none'", "bounds='ties'",
                    "exclude={}",
                )
            ),
            "'AP(ties=stable)', query='q', label='l', score='s'",
            "'nDGC', query='q', label='l', score='s'",
            "['AP', 'RR(ties=random)'], query='q', label='l', score='s'",
            "[], query='q', label='l', score='s'",
            "'AP', query='q', label='l', rank='s', how='count'",
        ],
    ),
    *each(
        "checked('evaluate_runs', None, None, {a})",
        a=[
            "'AP', score='s', rank='r'", "'AP', how='none'", "'AP', gain=3", "'nDGC'",
            "'AP', ties='random'", "'AP', ties='stable'", "'AP', rank='r', how='count'",
            "'AP', exclude=3", "'AP', exclude={'q': {'a': 'x'}}", "'AP', bounds='none'",
            "'AP', weight=[1]", "'AP', convention='ranx', ties='reverse'",
        ],
    ),
    *each(
        "checked('evaluate_columns', None, {a})",
        a=[
            "'AP'", "'AP', labels='y'", "'AP', labels='y', relevant='r'",
            "'AP', labels='y', scores='s', relevant='r', recommended='x'",
            "'AP', scores='s', recommended='x'", "'AP', labels='y', scores='s', ties='random'",
            "'AP', labels='y', scores='s', k=3", "'nDGC', labels='y', scores='s'",
        ],
    ),
]  # fmt: skip
