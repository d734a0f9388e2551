"""Tables of polars, pyarrow and narwhals, lazy ones and data sets: the same roles, types that pandas lacks."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas", "polars", "pyarrow"]
# fmt: off
GIVEN = """
import datetime
import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import dataset
from decimal import Decimal
NAN = float("nan")
WIDE = 2**53 + 1
COLUMNS = {
    "query": ["b", "a", "b", "a", "b", "c", "a"], "doc": ["d2", "d1", "d1", "d10", "d9", "d1", "d3"], "label": [0, 2, 1, 0, 3, 0, 1], "score": [0.5, 0.25, 0.5, 0.75, 0.25, 1.0, 0.25], "other": [3, 1, 4, 1, 5, 9, 2],
    "rank": [1, 3, 2, 1, 3, 1, 2], "run": ["s", "s", "t", "t", "s", "s", "s"], "segment": ["y", "x", "y", "x", "y", "x", "x"], "weight": [2.0, 1.0, 2.0, 1.0, 2.0, 0.5, 1.0], "number": [30, 4, 30, 4, 30, 100, 4],
}
MEASURES = ["nDCG@2", "AP", "RR"]
BASE = ["query", "doc", "label", "score"]
def put(name, *pairs):
    values = list(COLUMNS[name])
    for place, value in pairs: values[place] = value
    return values
def columns(*names, **changes): return {name: values for name, values in ({name: COLUMNS[name] for name in names or BASE} | changes).items()}
def lazy(values): return pl.DataFrame(values).lazy()
def arrow(values): return pa.table(values)
def views(values): return pl.DataFrame(values).to_arrow(compat_level=pl.CompatLevel.newest())
def batch(values): return pa.RecordBatch.from_pydict(values)
def wrapped(values): return nw.from_native(pl.DataFrame(values))
def wrapped_lazy(values): return nw.from_native(pl.DataFrame(values).lazy())
def chunked(values): table = pa.table(values); return pa.concat_tables([table.slice(0, 3), table.slice(3, 0), table.slice(3)])
def coded(values): return pa.table({name: pa.array(column).dictionary_encode() if isinstance(column[0], str) else column for name, column in values.items()})
def set_of(values): return dataset.dataset(pa.table(values))
def listed(values): return [dict(zip(values, row)) for row in zip(*values.values())]
class Stream:
    def __init__(self, table): self.table = table
    def __arrow_c_stream__(self, requested_schema=None): return self.table.__arrow_c_stream__(requested_schema)
def stream(values): return Stream(pa.table(values))
def evaluate(frame, measures=MEASURES, **options): return rg.evaluate_frame(frame, measures, **options)
"""
FORMS = ["pd.DataFrame", "pl.DataFrame", "lazy", "arrow", "views", "batch", "wrapped", "wrapped_lazy", "chunked", "coded", "set_of", "listed", "stream"]
CALLS = [
    *drawn(150, "evaluate({f}(columns(*BASE, 'other', 'rank', 'segment', 'weight', 'number', 'run')), **({{'query': 'query', 'run': None}} | dict({o})))", f=FORMS, o=["score='score'", "score=['score', 'other']", "run='run'", "rank='rank', run='run'", "query='number'", "query=['number', 'segment']", "weight='weight', segment='segment'", "ties='id'", "run='run', ties='id_descending', query=['query', 'number']", "ignore=0, ties='id'", "duplicates='first', query='segment'", "documents='#', duplicates='best'"]),
    *each("evaluate({f}(columns()))", f=FORMS), *each("evaluate({f}(columns(query=put('query', (3, None)))))", f=FORMS[:11]), *each("evaluate({f}(columns(score=put('score', (2, NAN), (4, None)))))", f=FORMS[:11]), *each("evaluate({f}(columns(label=put('label', (5, None), (3, None)))))", f=FORMS[:11]), *each("evaluate({f}(columns(doc=put('doc', (6, 'd1')))))", f=FORMS), *each("evaluate({f}(columns('query', 'doc', 'score')))", f=FORMS[:11]),
    *each("evaluate({f}(columns(*BASE, 'segment', segment=put('segment', (4, 'x')))), segment='segment')", f=FORMS[:11]), *each("evaluate({f}({{name: column[:0] for name, column in columns().items()}}))", f=["pl.DataFrame", "arrow", "lazy"]),
    *each("evaluate(pl.DataFrame(columns({v})))", v=["query=pl.Series(COLUMNS['query'], dtype=pl.Categorical)", "query=pl.Series(COLUMNS['query'], dtype=pl.Enum(['c', 'b', 'a']))", "label=pl.Series(COLUMNS['label'], dtype=pl.Int8)", "label=pl.Series(COLUMNS['label'], dtype=pl.UInt64)", "label=[Decimal(n) for n in COLUMNS['label']]", "score=[Decimal(n) / 4 for n in COLUMNS['other']]", "label=[True, False, True, False, True, False, False]", "label=pl.Series(COLUMNS['label'], dtype=pl.Int128)", "query=pl.Series([2**70, 5, 2**70, 5, 2**70 + 1, 1, 5], dtype=pl.Int128)",
         "score=pl.Series([2**70, 5, 2**71, 5, 2**70 + 2**60, 1, 5], dtype=pl.Int128)", "score=pl.Series([2**70, 5, 2**71, 5, 2**70 + 1, 1, 5], dtype=pl.Int128)", "query=[{'a': n, 'b': n % 7} for n in COLUMNS['number']]", "query=[{'a': None, 'b': n % 7} for n in COLUMNS['number']]", "query=[[n] for n in COLUMNS['number']]", "doc=[{'a': n} for n in COLUMNS['number']]", "doc=[[n] for n in COLUMNS['doc']]", "label=[[n] for n in COLUMNS['label']]", "label=[str(n) for n in COLUMNS['label']]", "label=pl.Series(COLUMNS['query'], dtype=pl.Categorical)", "query=[datetime.date(2024, 1, n) for n in (1, 2, 1, 2, 1, 3, 2)]",
         "query=[datetime.time(n) for n in (1, 2, 1, 2, 1, 3, 2)]", "query=[b'b', b'a', b'b', b'a', b'b', b'c', b'a']", "doc=[1.5, 2, 3, 4, 5, 6, 7]", "query=[1.0, 2.0**53, 1.0, 2, 1, 3, 2]", "score=['0.5', '7', 'x', '1', '2', '3', '4']", "label=pl.Series([0, 2, 1, 0, 3, 0, WIDE])", "query=[Decimal(n) for n in COLUMNS['number']]", "query=pl.Series([object] * 7, dtype=pl.Object)"]),
    *each("evaluate(pa.table(columns({v})))", v=["query=pa.array(COLUMNS['query']).dictionary_encode()", "query=pa.DictionaryArray.from_arrays([0, 1, 2, 1, 0, 3, 1], ['b', 'a', 'b', 'c'])", "query=pa.DictionaryArray.from_arrays([0, 1, 0, 1, 0, 2, 1], ['b', 'a', None])", "label=pa.array(COLUMNS['label'], 'int8')", "label=pa.array(COLUMNS['label'], pa.decimal128(5, 1))", "score=pa.array(np.array(COLUMNS['score'], 'f2'))", "label=pa.array([True, False, True, False, True, False, False])", "query=pa.array(COLUMNS['query'], pa.large_string())",
         "query=pa.array(COLUMNS['query'], pa.string_view())", "doc=pa.array(COLUMNS['doc'], pa.string_view())", "query=pa.array([{'a': n, 'b': n % 7} for n in COLUMNS['number']])", "label=pa.array(COLUMNS['label'], 'uint64')", "query=pa.array(COLUMNS['number'], 'uint8')", "score=pa.array(COLUMNS['other'], 'int64')", "query=pa.array([b'b', b'a'] * 3 + [b'c'])"]),
    "evaluate(pa.table([COLUMNS[n] for n in BASE] + [COLUMNS['score']], [*BASE, 'score']))", "evaluate(pl.DataFrame(columns(*BASE, 'segment', segment=pl.Series(COLUMNS['segment'], dtype=pl.Enum(['y', 'z', 'x'])))), segment='segment')", "evaluate(pl.DataFrame(columns(*BASE, 'run')), run='run')", "evaluate(pa.table(columns(*BASE, 'run', run=pa.array(COLUMNS['run']).dictionary_encode())), run='run')", "evaluate(pd.DataFrame(columns(query=pd.array(COLUMNS['query'], 'string[pyarrow]'), label=pd.array(COLUMNS['label'], 'int64[pyarrow]'))))",
    "evaluate(pa.array(COLUMNS['score']))", "f = pl.DataFrame(columns()); evaluate(f).means; evaluate(f.lazy(), ties='id').means; evaluate(f[::-1]).means; f.columns", "evaluate(nw.from_native(pd.DataFrame(columns())))", "evaluate(nw.from_native(pa.table(columns())))", "evaluate(pl.DataFrame({}))", "evaluate(pa.table({}))", "evaluate(listed(columns())[:1] + [{'query': 'b', 'doc': 'z', 'label': 1, 'score': None}])", "evaluate(listed(columns())[:2] + [{'query': 'b', 'doc': 'z', 'label': 1}])",
    # Other doors that read frames.
    *drawn(40, "rg.evaluate({f}(columns('query', 'doc', 'label', label={y})), {g}(columns('query', 'doc', 'score')), MEASURES)", f=FORMS[:6], g=FORMS[:6], y=["COLUMNS['label']", "put('label', (3, None))", "[0.0, 2.5, 1.0, 0.0, 3.0, 0.0, 1.0]"]), *each("rg.evaluate_runs({f}(columns('query', 'doc', 'label')), {f}(columns('query', 'doc', 'score', 'run', 'other')), MEASURES, run='run')", f=FORMS[:6]),
    *each("evaluate({f}(columns('query', 'doc', 'score')), truth={g}(columns('query', 'doc', 'label')))", f=FORMS[:4], g=["pd.DataFrame", "pl.DataFrame", "arrow", "dict and dict(b={'d1': 1, 'd9': 2}, a={'d3': 1}, z={'q': 1}) or str"])[:12],
]
