"""Tables in files: CSV, TSV, JSON lines and Parquet, one or several, whole or in parts."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas", "polars", "pyarrow"]
GIVEN = """
import contextlib, gzip, json, pathlib
from unittest import mock
import pandas as pd, polars as pl, pyarrow as pa
from pyarrow import dataset, parquet
from rankgain.evaluation.tables import frame as frames
BIG = 2**53 + 1
columns = {
    "user": [BIG + 1, -7, 10, BIG + 1, 9, -7, 10, BIG + 1, -7, 9, 3, BIG],
    "name": ["q10", "é", "q9", "q10", "a", "é", "q9", "q10", "é", "a", "Z", "Z,x"],
    "near": ["q10", "q10", "q9", "q9", "q9", "é", "é", "a", "Z", "Z", "Z", "b"],
    "part": [0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1],
    "item": [4, 5, 6, 1, 8, 1, 7, 9, 4, 1, 1, 5],
    "label": [2, 0, 1, 0, 3, 1, 0, 0, 1, 0, 0, 4],
    "score": [0.5, 2.0, 1.0, 0.5, 3.0, 2.0, -4.5, 0.9, 1.0, 3.0, 7.0, 0.1],
    "other": [1, 2, 2, 9, 8, 7, 6, 5, 5, 5, 5, 5],
    "pos": [3, 1, 2, 4, 1, 4, 7, 1, 5, 2, 5, 9],
    "zero": [0, 1, 1, 2, 0, 0, 3, 1, 0, 2, 0, 5],
    "model": ["n", "m", "n", "n", "m", "n", "m", "m", "m", "n", "n", "k"],
    "w": [1.5, 2, 0.5, 1.5, 3, 2, 0.5, 1.5, 2, 3, 0, 4],
    "lang": ["de", "fr", "en", "de", "fr", "fr", "en", "de", "fr", "fr", "en", "xx"]}
def changed(**changes):
    values = {name: list(column) for name, column in columns.items()}
    for name, cells in changes.items():
        for row, value in cells:
            values[name][row] = value
    return values
def write(path, rows=slice(None), **changes):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    values = {name: column[rows] for name, column in changed(**changes).items()}
    frame = pd.DataFrame(values)
    plain = path.with_suffix("") if path.suffix == ".gz" else path
    if plain.suffix == ".parquet":
        parquet.write_table(pa.table(values), path)
        return path
    if plain.suffix == ".jsonl":
        text = frame.to_json(orient="records", lines=True)
    else:
        text = frame.to_csv(index=False, sep="\\t" if plain.suffix == ".tsv" else ",")
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path
def several(folder, suffix="csv"):
    write(f"{folder}/b.{suffix}", slice(5, None))
    write(f"{folder}/a.{suffix}", slice(0, 5))
    return pathlib.Path(folder)
@contextlib.contextmanager
def small(bytes, rows=4):
    sizes = {"BYTES": bytes, "ROWS": bytes // 40, "MIN_ROWS": rows, "SMALL": 0, "GZIP": 3}
    with contextlib.ExitStack() as stack:
        for name, size in sizes.items():
            stack.enter_context(mock.patch.object(frames, name, size))
        yield
def ev(path, measures=("nDCG@2", "AP", "RR", "HitRate(per=item)@2"), bytes=None, **options):
    names = {"query": "name", "label": "label", "score": "score", "run": None, "doc": None, **options}
    with small(bytes) if bytes else contextlib.nullcontext():
        return rg.evaluate_frame(path, measures, **names)
"""
# fmt: off
FILES = ["'t.csv'", "'t.tsv'", "'t.jsonl'", "'t.parquet'", "'t.csv.gz'", "'t.jsonl.gz'"]
SIZES = ["None", "100", "250", "2000"]
KEYS = ["query='name'", "query='near'", "query=['part', 'name']", "query='user'"]
SYSTEMS = ["", "score=['score', 'other']", "run='model'", "score=None, rank='pos'", "score=None, rank='zero'"]
OPTIONS = ["", "ties='best'", "ties='stable'", "ties='id', doc='item'", "weight='w'", "segment='lang'", "ignore=0",
    "gain='exp2'", "convention='sklearn'", "bounds='ties'", "ties='random', seed=2", "doc='item', duplicates='best'",
    "empty='skip'"]


def added(options):
    return [option and f", {option}" for option in options]


CALLS = [
    *each("ev(write({f}))", f=FILES),
    *drawn(90, "ev(write({f}), bytes={b}, {k}{s}{o})", f=FILES, b=SIZES, k=KEYS, s=added(SYSTEMS), o=added(OPTIONS)),
    *each("ev({s}, bytes={b})", b=SIZES, s=["several('f')", "several('g', 'parquet')", "several('h', 'jsonl')",
        "str(several('f') / '*.csv')", "[several('f') / 'b.csv', 'f/a.csv']", "dataset.dataset(several('g', 'parquet'))"]),
    "write('f/lang2=de/a.csv', slice(0, 6)), write('f/lang2=fr/a.csv', slice(6, None)); ev('f', query=['lang2', 'name'], segment='lang2')",
    "write('f/a.csv'), write('f/b.parquet'); ev('f')",
    "several('f'); pathlib.Path('f/notes.txt').write_text('x'); ev('f').means",
    "ev([])",
    "pathlib.Path('f').mkdir(); ev('f')",
    "pathlib.Path('t.txt').write_text('x'); ev('t.txt')",
    "pathlib.Path('t.csv').write_text('name,label,score\\n'); ev('t.csv')",
    "pathlib.Path('t.csv').write_text('name,label,score\\na,1,2\\nb,1\\n'); ev('t.csv')",
    "pathlib.Path('t.csv').write_text('name,label,score\\na,1,x\\nb,1,2\\n'); ev('t.csv')",
    "pathlib.Path('t.csv').write_text('name,label,score\\n007,1,2\\n7,1,2\\n'); ev('t.csv').queries",
    "pathlib.Path('t.csv').write_text('name;label;score\\na;1;2\\n'); ev('t.csv')",
    'pathlib.Path(\'t.jsonl\').write_text(\'{"name": "a", "label": 1, "score": 2}\\n{"name": "a"}\\n\'); ev(\'t.jsonl\')',
    'pathlib.Path(\'t.jsonl\').write_text(\'{"name": "a", "label": 1, "score": 2}\\n[1]\\n\'); ev(\'t.jsonl\')',
    *each("ev(write({f}, {c}), bytes={b})", f=FILES[:4], b=SIZES[:3:2], c=["label=[(8, None)]", "score=[(7, None)]",
        "name=[(9, None)]", "label=[(3, 2.5)]", "score=[(10, 1e300)]"]),
    *each("ev(write({f}, {c}), bytes={b}, weight='w', segment='lang', doc='item')", f=FILES[:4:3], b=SIZES[:2],
        c=["w=[(9, 1.0)]", "lang=[(9, 'x')]", "item=[(9, 8)]", "w=[(2, -1.0), (6, -1.0)]"]),
    *each("ev(write({f}, pos=[({r}, {v})]), bytes={b}, score=None, rank='pos')", f=FILES[:4:3], b=SIZES[:2], r=[1, 9], v=[0,
        -1, 2]),
    *each("ev(write('t.parquet'), bytes={b}, {c})", b=SIZES[:2], c=["query='x'", "label='x'", "run='x'",
        "score=['score', 'x']", "score='lang'", "measures='nothing'", "ties='id'", "rank='pos'", "duplicates='first'"]),
    *each("ev(write('t.csv', score=[(r, s) for r, s in enumerate([1, 2, 1, 2, 3, 1, 2, 1, 1, 2, 3, 1])]), bytes={b}, query='near')",
        b=SIZES[:3]),
    *each("p = write('t.parquet'); rg.evaluate_batches(str(p), ['AP', 'RR'], query='near', label='label', score='score'{o})",
        o=added(["run=None", "run=None, keep='sums'", "order='any'", "run='model', order='any'", "run=None, segment='near'",
        "segment='near', keep='sums', run=None", "segment='lang', run=None"])),
    *each("rg.evaluate_batches({s}, ['AP', 'RR'], query='near', label='label', score='score', run=None)",
        s=["str(write('t.csv'))", "several('f')", "write('t.jsonl')", "several('g', 'parquet') / '*.parquet'",
        "dataset.dataset(several('g', 'parquet')).scanner()"]),
    *each("rg.evaluate_batches(write('t.csv', {c}), 'AP', query='near', label='label', score='score', run=None)",
        c=["label=[(8, None)]", "near=[(9, 'a')]"]),
    # Frames of polars and of pyarrow.
    *each("ev({f}, {k}{s})", f=["pl.DataFrame(columns)", "pl.LazyFrame(columns)", "pa.table(columns)",
        "pd.DataFrame(columns)"], k=KEYS[:1], s=added(SYSTEMS)),
    *drawn(60, "ev({f}, {k}{s}{o})", f=["pl.DataFrame(columns)", "pl.LazyFrame(columns)", "pa.table(columns)"], k=KEYS,
        s=added(SYSTEMS), o=added(OPTIONS)),
    *each("ev({f}(changed({c})))", f=["pl.DataFrame", "pa.table"], c=["label=[(8, None)]", "score=[(7, float('nan'))]",
        "name=[(9, None)]", "score=[(5, float('inf'))]"]),
    "ev(pl.DataFrame({'name': [1.0, np.nan], 'label': [1, 1], 'score': [1, 2]}))",
    *each("ev(pl.DataFrame(columns).with_columns(pl.col('lang').cast(pl.Enum(['fr', 'yy', 'xx', 'en', 'de']))), segment='lang'{o})",
        o=added(["", "run='model'"])),
    *each("ev(pl.DataFrame(columns).with_columns(pl.col({n!r}).cast({t})))", n=["label", "score"], t=["pl.Int8",
        "pl.Float32", "pl.String", "pl.Boolean"]),
    *each("ev(pl.DataFrame(columns).with_columns(name={e}))", e=["pl.struct('user', 'part')",
        "pl.concat_list('user', 'part')", "pl.col('name').cast(pl.Categorical)", "pl.col('score')",
        "pl.col('user').cast(pl.UInt64, strict=False)", "pl.col('user').cast(pl.Decimal(20, 0))"]),
    *each("ev(pa.table(columns).set_column(1, 'name', pa.array({e})))", e=["columns['name'], pa.large_string()",
        "columns['name'], pa.string_view()", "columns['name']).dictionary_encode(", "[[1]] * 12", "[1.5] * 12",
        "columns['part'], pa.int8()"]),
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
