"""Streams of Arrow record batches: sorted or not, kept as values or as sums, in any cuts."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pyarrow"]
GIVEN = """
import contextlib, itertools
from unittest import mock
import pyarrow as pa
from rankgain.evaluation.tables import batches as streams
BIG = 2**53 + 1
columns = {
    "user": [BIG + 1, BIG + 1, BIG + 1, -7, -7, 10, 9, 9, 9, 9, BIG, 3],
    "name": ["q10", "q10", "q10", "é", "é", "q9", "a", "a", "a", "a", "Z", "c"],
    "late": ["q10", "q10", "a", "é", "é", "q9", "a", "a", "é", "a", "Z", "q10"],
    "part": [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1],
    "doc": [4, 5, 1, 1, 2**54, 1, 7, 9, 4, 1, 1, 5],
    "again": [4, 5, 4, 1, 2**54, 1, 7, 9, 9, 1, 1, 5],
    "label": [2, 0, 1, 0, 3, 1, 0, 0, 1, 0, 0, 4],
    "score": [0.5, 2.0, 0.5, 0.5, 3.0, 2.0, -np.inf, 0.9, 1.0, 3.0, 7.0, 0.1],
    "other": [1, 2, 2, 9, 8, 7, 6, 5, 5, 5, 5, 5],
    "pos": [3, 1, 2, 3, 1, 4, 7, 1, 4, 2, 5, 9],
    "zero": [0, 1, 1, 2, 0, 0, 3, 1, 0, 2, 0, 5],
    "model": ["n", "n", "n", "m", "m", "n", "m", "m", "m", "m", "n", "k"],
    "w": [1.5, 1.5, 1.5, 2, 2, 0.5, 3, 3, 3, 3, 0, 4],
    "lang": ["de", "de", "de", "fr", "fr", "en", "de", "de", "de", "de", "fr", "xx"]}
def table(**changes):
    values = {name: list(column) for name, column in columns.items()}
    for name, cells in changes.items():
        for row, value in cells:
            values[name][row] = value
    return pa.table({name: pa.array(column) for name, column in values.items()})
def cut(*places, source=None, **changes):
    source = source or table(**changes)
    bounds = [0, *places, len(source)]
    return [source.slice(low, high - low).combine_chunks().to_batches()[0] if high > low else
        pa.RecordBatch.from_pylist([], schema=source.schema) for low, high in zip(bounds, bounds[1:])]
def ev(batches, measures=("nDCG@2", "AP", "RR", "HitRate(per=item)@2"), rows=1, **options):
    names = {"query": "name", "label": "label", "score": "score", **options}
    with mock.patch.object(streams, "MIN_ROWS", rows):
        return rg.evaluate_batches(batches, measures, **names)
"""
# fmt: off
CUTS = ["cut()", "cut(4, 7)", "iter(cut(1, 2, 6))", "cut(0, 3, 3, 12)", "table()", "lambda: iter(cut(5))"]
ROWS = ["1", "5", "100"]
KEYS = ["query='name'", "query='user'", "query=['part', 'name']"]
SYSTEMS = ["", "score='other'", "score=['score', 'other']", "score={'b': 'other', 'a': 'score'}", "run='model'",
    "score=None, rank='pos'", "score=None, rank='zero'"]
KEEPS = ["", "keep='sums'", "keep='values'"]
OPTIONS = ["", "ties='best'", "ties='stable'", "ties='id', doc='doc'", "weight='w'", "segment='lang'", "ignore=0",
    "empty='skip'", "gain='exp2'", "convention='sklearn'", "weight='w', segment='lang', empty=1", "rel=2", "threads=2",
    "doc='again', duplicates='first'", "doc='again', duplicates='in_place'", "segment='part'", "doc='doc'"]
COUNTED = ["", "ties='best'", "ties='worst'", "ignore=0", "ignore=[1, 4]", "empty='skip'", "gain='exp2'",
    "convention='sklearn'", "rel=2"]


def added(options):
    return [option and f", {option}" for option in options]


CALLS = [
    *each("ev({c})", c=CUTS),
    *each("ev({c}{o})", c=CUTS[1:2], o=added(OPTIONS)),
    *drawn(110, "ev({c}, rows={r}, {k}{s}{o}{p})", c=CUTS, r=ROWS, k=KEYS, s=added(SYSTEMS), o=added(OPTIONS),
        p=added(KEEPS)),
    *drawn(60, "ev({c}, order='any', query={q!r}{s}{o}{p})", c=[*CUTS[:2], *CUTS[3:]], q=["name", "user", "late"],
        o=added(COUNTED), s=added([*SYSTEMS[:2], *SYSTEMS[4:]]), p=added(KEEPS)),
    *each("ev(cut(3, 6), order='any'{o})", o=added(["query=['name', 'part']", "score=['score', 'other']", "doc='doc'",
        "weight='w'", "segment='lang'", "ties='stable'", "ties='id'", "ties='random'", "duplicates='first', doc='doc'",
        "score=None, rank='pos', run='model'", "keep='sum'"])),
    *each("ev(iter(cut(3, 6)), order='any'{o})", o=added(["", "score=None, rank='pos'"])),
    # Sums of the caller.
    "a = rg.Accumulator(); ev(cut(4), keep=a) is a; ev(cut(4), keep=a, query='user').count; a",
    "a = rg.Accumulator(bootstrap=3, seed=2); ev(cut(4), keep=a, segment='lang'); a.segments",
    *each("a = rg.Accumulator(); ev(cut(4), 'RR', keep=a)\\ntry:\\n    ev(cut(2), {m}, keep=a{o})\\nexcept (ValueError, TypeError) as error:"
        "\\n    print(error)\\na".replace("\\n", "\n"), m=["'AP'", "'RR'"], o=added(["", "weight='w'", "empty=1",
        "score=['score', 'other']", "query='late'"])),
    "a = rg.Accumulator(bootstrap=2); ev(cut(4), keep=a).bootstrap, ev(cut(4), keep='sums').bootstrap",
    "a, b = ev(cut(4), keep='sums'), ev(cut(2), keep='sums', query='user'); a.merge(b)",
    # Lists in two places, faults and their rows.
    *each("ev({c}, query={q}{o})", c=["cut()", "cut(4, 7)", "cut(1, 5, 9)"], q=["'late'", "['part', 'late']"], o=added(["",
        "keep='sums'", "run='lang'"])),
    *each("ev(cut(4, 7, {n}=[(5, {v})]), rows={r})", n=["label", "score"], v=["None", "float('nan')", "float('inf')",
        "2**53 + 1"], r=["1", "100"]),
    *each("ev(cut(4, 7, {c}), query='user', weight='w', segment='lang', doc='doc', rows={r})", r=["1", "100"],
        c=["w=[(2, 7.5)]", "w=[(7, -1.0)]", "lang=[(9, 'de2')]", "lang=[(9, None)]", "doc=[(9, 7)]", "doc=[(4, None)]",
        "w=[(2, None)], label=[(1, None)]", "w=[(5, float('inf'))]", "label=[(8, float('inf'))], score=[(7, float('nan'))]",
        "user=[(7, None)]", "name=[(5, None)]", "score=[(11, None)]"]),
    *each("ev(cut(4, 7, {c}), score=None, rank='pos', order={o!r}, rows={r})", o=["sorted", "any"], r=["1", "100"],
        c=["pos=[(5, 0)]", "pos=[(9, -1)]", "pos=[(8, None)]", "pos=[(9, 2**40)]", "pos=[(7, 2)]"]),
    "ev(iter(cut(4, 7, pos=[(9, 0)])), score=None, rank='pos')",
    "ev(iter(cut(4, 7, pos=[(1, 0)])), score=None, rank='pos')",
    "ev(cut(4) + [pa.RecordBatch.from_pydict({'name': ['z'], 'label': ['1'], 'score': [1.0]})])",
    "ev(cut(4) + [pa.RecordBatch.from_pydict({'name': [5], 'label': [1], 'score': [1.0]})])",
    "ev(cut(4) + [pa.RecordBatch.from_pydict({'name': ['z'], 'score': [1.0]})])",
    "ev(cut(4) + [3])",
    *each("ev({s}{o})", s=["[]", "iter([])", "table().slice(0, 0)", "cut()[0].slice(0, 0)"], o=added(["", "run='model'",
        "order='any'", "keep='sums'", "score=['score', 'other']"])),
    *each("ev({s})", s=["3", "None", "{'name': [1]}", "[1, 2]", "iter([{'name': [1]}])", "lambda: 3",
        "pa.table({'name': ['a'], 'label': [1.5], 'score': [True]})",
        "pa.table({'name': [1.5], 'label': [1], 'score': [1]})", "pa.table({'name': [True], 'label': [1], 'score': [1]})",
        "pa.table({'name': pa.array(['a', 'b']).dictionary_encode(), 'label': [1, 0], 'score': [1, 2]})",
        "pa.RecordBatchReader.from_batches(table().schema, cut(4))",
        "pa.RecordBatchReader.from_batches(table().schema, iter(cut(4)))"]),
    *each("ev(cut(4, 7), {c})", c=["query='x'", "label='x'", "score='x'", "score=None, rank='x'", "run='x'", "weight='x'",
        "segment='x'", "doc='x'", "query=[]", "query=3", "score=None", "rank='pos'", "order='all'", "keep='sum'", "keep=3",
        "ties='random'", "ties='id'", "duplicates='last'", "duplicates='best'", "duplicates='best', doc='doc', order='any'",
        "score=[]", "score=['score', 'score']", "score=['score'], run='model'", "measures=[]", "measures='nothing'",
        "measures='Coverage'", "measures='Bpref'", "convention='trek'", "ignore='x'", "threads=0",
        "score=['score', 'other'], keep=rg.Accumulator()", "run='model', keep=rg.Accumulator()", "label='lang'",
        "score='lang'", "weight='lang'"]),
    *each("ev(cut(4, 7, {c}), order='any', rows={r}{o})", r=["1", "100"], o=added(["", "run='model'"]), c=["model=[(0, None)]",
        "label=[(8, None)]", "score=[(7, None)]", "name=[(5, None)]", "score=[(6, float('nan'))], label=[(5, None)]"]),
    *each("ev(cut(4) + [pa.RecordBatch.from_pydict({b})], order='any')", b=["{'name': ['z'], 'label': ['1'], 'score': [1.0]}",
        "{'name': ['z'], 'label': [1], 'score': [1]}"]),
    *each("ev(cut(4), {o})", o=["measures=['AP', 'RR(ties=random)']", "segment='score'", "segment=3", "segment='lang', order='any'",
        "run='model', order='any', keep=rg.Accumulator()"]),
    "open('rows.py', 'w').close(); ev('rows.py')",
    # Systems in a column that no argument names.
    *each("ev(cut(4, source=table().rename_columns([n if n != 'lang' else 'system' for n in columns])), {o})", o=["",
        "run=None", "run='system'"]),
    *each("ev({s}, query='late'{o})",
        s=["table(late=[(5, 'q10'), (10, 'q10')]).sort_by('late').rename_columns([n if n != 'model' else 'system' for n in"
        " columns])"], o=added(["", "run=None", "order='any'", "run='system'", "run='system', order='any'"])),
    *each("ev(table(), run='part'{o})", o=added(["query='late', order='any'", "query='user'", "order='any', keep='sums'"])),
    *each("ev(table().slice(0, 0), run='model', order='any'{o})", o=added(["", "score=None, rank='pos'", "keep='sums'"])),
    "t = table(); ids = pa.array([2**63 + 5] * 3 + [7] * 9, pa.uint64());"
    " ev(t.append_column('big', ids), query='big', order='any', run=None)",
    "ev(cut(1, 3, 4, 8), progress=True, rows=1).means",
    # Orders, progress, and state between calls.
    "f = lambda: iter(cut(4)); ev(f).means, ev(f).means, ev(f, order='any').means",
    "s = iter([2, 3]); ev(lambda: cut()[0].slice(0, 9 + next(s)), order='any')",
    "ev(cut(4), progress=True).means; ev(cut(4), progress=False).means",
    "ev(cut(4), 'RR', order='any', progress=True).means",
    "ev(cut(4), iter(['AP', 'RR']), order='any')",
    "ev(cut(2, 4, 6), order='any') == ev(cut(9), order='any'), ev(cut(2, 4, 6)) == ev(cut(9), rows=100)",
    "ev(table(user=[(10, 2**63 - 1)]), query='user', order='any').queries",
    "t = table(); t = t.append_column('big', pa.array([2**63 + 5] * 12, pa.uint64())); ev(t, query='big', order='any')",
    "t = table(); t = t.append_column('big', pa.array([2**63 + 5] * 12, pa.uint64())); ev(t, query='big').queries",
    "rg.evaluate_batches(table(score=[(i, s) for i, s in enumerate([1., 2, 3, 1, 2, 1, 1, 2, 3, 4, 1, 1])]), 'RR', query='name', label='label', score='score')",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
