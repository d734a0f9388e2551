"""evaluate_batches: record batches of any source, in order and in any order, of values and of sums."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pyarrow", "pandas"]
# fmt: off
GIVEN = """
import gzip
import json
from pathlib import Path
import pandas as pd
import pyarrow as pa
from pyarrow import dataset, parquet
NAN = float("nan")
WIDE = 2**53 + 1
COLUMNS = {
    "q": ["b", "b", "b", "a", "a", "c", "d", "d", "d", "d"], "k": [30, 30, 30, 4, 4, 100, 7, 7, 7, 7], "d": ["d2", "d1", "d9", "d1", "d10", "d1", "d4", "d3", "d2", "d1"], "y": [0, 1, 3, 2, 0, 0, 0, 1, 2, 0], "s": [0.5, 0.5, 0.25, 0.25, 0.75, 1.0, 3.0, 3.0, 1.0, 2.0], "o": [3, 1, 4, 1, 5, 9, 2, 6, 5, 3],
    "r": [1, 2, 3, 2, 1, 1, 1, 2, 4, 3], "m": ["s", "s", "s", "s", "s", "s", "t", "t", "t", "t"], "g": ["y", "y", "y", "x", "x", "x", "y", "y", "y", "y"], "w": [2.0, 2.0, 2.0, 1.0, 1.0, 0.5, 3.0, 3.0, 3.0, 3.0],
}
MEASURES = ["nDCG@2", "AP", "RR"]
def table(rows=None, **changes): t = pa.table(COLUMNS | changes); return t if rows is None else t.take(rows)
def put(name, *pairs):
    values = list(COLUMNS[name])
    for place, value in pairs: values[place] = value
    return values
def cut(source, size=3): return source.to_batches(max_chunksize=size)
class Stream:
    def __init__(self, table): self.table = table
    def __arrow_c_stream__(self, requested_schema=None): return self.table.__arrow_c_stream__(requested_schema)
class Chunk:
    def __init__(self, batch): self.batch = batch
    def __arrow_c_array__(self, requested_schema=None): return self.batch.__arrow_c_array__(requested_schema)
def save(source, name="t.parquet"):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    if name.endswith(("parquet", "pq")): parquet.write_table(source, name); return name
    rows = source.to_pylist()
    if "json" in name: text = "".join(json.dumps(row) + "\\n" for row in rows)
    else: text = "\\n".join("\\t,"[".csv" in name].join("" if cell is None else str(cell) for cell in row) for row in [source.column_names, *(row.values() for row in rows)]) + "\\n"
    Path(name).write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    return name
def evaluate(source, measures=MEASURES, query="q", label="y", **options):
    if not options.keys() & {"score", "rank"}: options["score"] = "s"
    return rg.evaluate_batches(source, measures, query=query, label=label, **options)
# So many rows that the suite, which reads few at a time, reads them in several parts.
LONG = {"q": [f"q{n * n % 23}" for n in range(24) for _ in range(1 + n % 6)]}
LONG = pa.table({"q": LONG["q"], "k": [int(q[1:]) - 5 for q in LONG["q"]], "d": [f"d{n * 7 % 89}" for n in range(84)], "y": [n * n % 4 for n in range(84)], "s": [n * 37 % 11 / 2 for n in range(84)], "o": [n * 29 % 13 for n in range(84)], "r": [1 + n % 5 for n in range(84)], "m": ["s" if n < 42 else "t" for n in range(84)], "g": [q[-1] for q in LONG["q"]], "w": [1.0 + len(q) for q in LONG["q"]]})
LONG = LONG.sort_by([("k", "descending")])
MIXED = LONG.take([n * 25 % 84 for n in range(84)])
ANY = [3, 0, 6, 4, 1, 7, 2, 5, 9, 8]
"""
SOURCES = ["table()", "cut(table())", "iter(cut(table(), 2))", "cut(table(), 1)", "(lambda: cut(table(), 4))", "(lambda: iter(cut(table())))", "dataset.dataset(table())", "dataset.dataset(table()).scanner()", "table().to_reader(3)", "Stream(table())", "[Stream(batch) for batch in (table().slice(0, 4), table().slice(4))]", "[Chunk(batch) for batch in cut(table())]", "save(table())", "save(table(), 't.csv')", "save(table(), 't.tsv.gz')", "save(table(), 't.jsonl')", "[save(table().slice(0, 4), 'a.parquet'), save(table().slice(4), 'b.parquet')]",
           "[save(table().slice(0, 4), 'a.csv'), save(table().slice(4), 'b.csv')]", "[*cut(table(), 4)[:1], table().slice(4, 0), *cut(table().slice(4), 2)]", "pd.DataFrame(COLUMNS)", "table(q=pa.array(COLUMNS['q']).dictionary_encode())", "table(q=pa.array(COLUMNS['q'], pa.string_view()))", "table(s=pa.array(np.array(COLUMNS['s'], 'f2')))", "(batch for batch in cut(table()))"]
OPTIONS = ["", "score='o'", "score=['s', 'o']", "score={'x': 'o', 'y': 's'}", "rank='r'", "query='k'", "query=['k', 'q']", "run='m'", "run='m', query=['g', 'k']", "segment='g'", "weight='w', segment='g'", "doc='d', ties='id'", "ties='reverse'", "ignore=0", "ignore=[1, 0], doc='d', ties='id'", "doc='d', duplicates='first'", "keep='sums'", "keep='sums', segment='g', weight='w'", "keep=rg.Accumulator()", "run='m', keep='sums'", "threads=2", "rank='r', doc='d', ties='id_descending'"]
CALLS = [
    *each("evaluate({s})", s=SOURCES), *each("evaluate(table(), {o})", o=OPTIONS[1:]), *each("evaluate(table(ANY), order='any', {o})", o=OPTIONS), *drawn(100, "evaluate({s}, order={q!r}{o})", s=SOURCES, q=["sorted", "any"], o=[o and f", {o}" for o in OPTIONS]),
    *each("evaluate({s}, order='any')", s=["cut(table(ANY), 3)", "iter(cut(table(ANY), 3))", "(lambda: cut(table(ANY), 3))", "save(table(ANY), 't.csv')", "save(table(ANY), 't.jsonl')", "dataset.dataset(table(ANY))", "[save(table(ANY).slice(0, 4), 'a.parquet'), save(table(ANY).slice(4), 'b.parquet')]"]),
    "a = rg.Accumulator(); evaluate(table(), keep=a).means; evaluate(table(q=[x + '2' for x in COLUMNS['q']], s=COLUMNS['o']), keep=a).means; a.means, a.count", "a = rg.Accumulator(); evaluate(table(), keep=a, segment='g'); a.segments; a.result()", "a = rg.Accumulator(); a.add(evaluate(table())); evaluate(cut(table(q=COLUMNS['k']), 2), keep=a); a.means",
    *drawn(70, "evaluate({s}{o})", s=["LONG", "cut(LONG, 5)", "iter(cut(LONG, 1))", "cut(LONG, 30)", "save(LONG, 't.csv')", "save(LONG, 't.jsonl')", "save(LONG, 't.parquet')", "[save(LONG.slice(0, 33), 'a.csv'), save(LONG.slice(33), 'b.csv')]", "[save(LONG.slice(0, 33), 'a.pq'), save(LONG.slice(33), 'b.pq')]"], o=[o and f", {o}" for o in ["", "query='k'", "query=['k', 'q']", "score=['s', 'o']", "rank='r'", "segment='g', weight='w'", "doc='d', ties='id'", "ignore=0", "keep='sums', segment='g'", "keep=rg.Accumulator()", "doc='d', duplicates='best'"]]),
    *drawn(30, "evaluate({s}, order='any'{o})", s=["MIXED", "cut(MIXED, 5)", "(lambda: cut(MIXED, 7))", "save(MIXED, 't.csv')", "save(MIXED, 't.jsonl')", "save(MIXED, 't.parquet')"], o=["", ", query='k'", ", score='o'", ", rank='r'", ", ignore=0", ", keep='sums'"]), "evaluate(cut(MIXED, 5))", "evaluate(LONG.take([*range(84), 0]))", "evaluate(iter(cut(LONG.take([*range(60), 2, *range(60, 84)]), 9)))", "evaluate(cut(LONG.sort_by('m'), 9), run='m')",
    # Rows of a query that come back, in a batch and in a later one.
    *each("evaluate({s})", s=["table(ANY)", "cut(table(ANY), 2)", "cut(table([0, 1, 3, 4, 2, 5]), 3)", "cut(table([0, 1, 2, 3, 4, 0]), 3)", "cut(table([0, 1, 2, 3, 4, 6, 7, 5, 3]), 2)", "table(k=COLUMNS['k']).take([3, 0, 4])", "save(table([0, 1, 3, 4, 2, 5]), 't.csv')"]), *each("evaluate(cut(table(q={k}), 2), query='q')", k=["[3, 3, 3, 1, 1, 3, 5, 5, 5, 5]", "pa.array([2**63 + 1, 2**63 + 1, 2**63, 2**63, 2**63, 1, 2**63, 5, 5, 5], 'uint64')", "['é', 'é', 'e', 'e', 'x', 'e', 'y', 'y', 'z', 'z']"]), "evaluate(cut(table([0, 1, 3, 4, 2, 5]), 2), run='m')", "evaluate(cut(table([0, 1, 3, 4, 2, 5]), 2), query=['g', 'q'])",
    # Faults of rows name the row of the whole stream, or of its file.
    *each("evaluate(cut(table({v}), 3){o})", v=["s=put('s', (4, NAN), (7, NAN))", "s=put('s', (4, None))", "y=put('y', (4, None), (2, None))", "y=put('y', (8, -1))", "y=put('y', (8, WIDE))", "y=[float('inf') if n == 5 else float(n) for n in range(10)]", "q=put('q', (4, None))", "d=put('d', (8, 'd4'))", "d=put('d', (8, None))", "s=[str(n) for n in COLUMNS['o']]", "y=[[n] for n in COLUMNS['y']]", "w=put('w', (8, 4.0))", "g=put('g', (2, 'x'))", "r=put('r', (8, -4))", "r=[1, 2, 3, 1.5, 1.5, 1, 1, 2, 4, 3]", "r=[1, 2, 3, 2, 1, 1, 0, 2, 4, 3]", "q=[1.0, 1.0, 1.0, 2.0**53, 2.0, 3.0, 4.0, 4.0, 4.0, 4.0]"],
         o=["", ", doc='d'", ", weight='w', segment='g'", ", rank='r'", ", order='any', doc='d'"]),
    *each("evaluate([save(table().slice(0, 4), 'a.{e}'), save(table({v}).slice(4), 'b.{e}')], doc='d')", e=["parquet", "csv", "jsonl"], v=["s=put('s', (7, None))", "q=put('q', (7, None))", "d=put('d', (8, 'd4'))", "y=put('y', (8, -1))", "q=COLUMNS['k']"]), *each("evaluate(iter([{a}, {b}]))", a=["table().slice(0, 5)"], b=["table(q=COLUMNS['k']).slice(5)", "table(y=[float(n) for n in COLUMNS['y']]).slice(5)", "table().slice(5).drop_columns(['s'])", "table(q=pa.array(COLUMNS['q']).dictionary_encode()).slice(5)", "table().slice(5).select(['s', 'y', 'q'])", "table().slice(5).append_column('s', [COLUMNS['s'][5:]])"]),
    # What is no source of batches, and columns that are not there.
    *each("evaluate({s})", s=["5", "None", "'none.txt'", "[5]", "[table(), None]", "{'a': 1}", "b'x'", "(lambda: 5)", "[[1, 2]]", "iter([])", "[]", "table().slice(0, 0)", "np.zeros((2, 3))", "pa.array([1])", "save(table(), 't.csv') and ['t.csv', 5]"]), *each("evaluate(table(), **dict({o}))", o=["query='none'", "label='none'", "score='none'", "rank='none'", "doc='none'", "run='none'", "segment='none'", "weight='none'", "score='s', rank='r'", "query=None", "label=None", "score=5", "query=['q', None]", "order='random'", "keep='all'", "duplicates='last'", "duplicates='first'", "run='m', score=['s', 'o']", "score=[]", "score=['s', 's']", "rank='r', ignore=0"]),
    *each("evaluate({s}, **dict({o}))", s=["save(table(), 't.csv')", "dataset.dataset(table())", "iter(cut(table(), 3))"], o=["query='none'", "score=['s', 'none']", "label='d'", "query='s'"]), "evaluate(table(), order='any', keep='sums', run='m', segment='g')", "evaluate(iter(cut(table(ANY), 3)), rank='r', order='any')", "s = (batch for batch in cut(table())); evaluate(s).means; evaluate(s)", "t = table(); evaluate(t).means; evaluate(t, ties='reverse').means; evaluate(t, query='g', order='any').means",
    *each("evaluate('p', run='m', **dict({o}))".replace("evaluate('p'", "save(table().slice(0, 6).drop_columns(['m']), 'p/m=s/a.parquet'); save(table().slice(3).drop_columns(['m']), 'p/m=t/b.parquet'); evaluate('p'"), o=["", "keep='sums'", "order='any'", "query=['q', 'k']"]), "save(table().slice(0, 6), 'p/m=s/a.parquet'); save(table().slice(3), 'p/m=t/b.parquet'); evaluate('p', run='m')",
    "evaluate(save(table(o=[2**53 + 2 * n for n in range(10)]), 't.csv'), score='o')", "evaluate(save(table(o=[2**53 + n for n in range(10)]), 't.csv'), score='o')", "evaluate(save(table(s=[str(n) + 'x' * (n == 6) for n in range(10)]), 't.csv'))", "Path('t.jsonl').write_text(''.join(json.dumps({'q': 'a', 'y': n % 2, 's': n, **({'d': n} if n > 2 else {})}) + '\\n' for n in range(6))); evaluate('t.jsonl', doc='d')", "Path('t.jsonl').write_text('{\"q\": \"a\", \"y\": 1, \"s\": 1}\\n{\"q\": 5, \"y\": 1, \"s\": 2}\\n'); evaluate('t.jsonl')", "Path('t.jsonl').write_text('{\"q\": \"a\", \"y\": 1, \"s\": 1}\\n5\\n'); evaluate('t.jsonl')",
]
