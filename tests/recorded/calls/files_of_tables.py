"""Tables in files: CSV, TSV, Parquet and JSON lines, packed, in folders, of several parts, and damaged."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "polars", "pyarrow"]
# fmt: off
GIVEN = """
import gzip
import io
import json
import os
from pathlib import Path
import pyarrow as pa
from pyarrow import parquet
NAN = float("nan")
ROWS = [("b", "d2", 0, 0.5), ("a", "d1", 2, 0.25), ("b", "d1", 1, 0.5), ("a", "d10", 0, 0.75), ("b", "d9", 3, 0.25), ("007", "d1", 0, 1.0), ("a", "d3", 1, 0.25)]
BASE = ("query", "doc", "label", "score")
MEASURES = ["nDCG@2", "AP", "RR"]
def save(content, name):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode()
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return name
def csv(rows=ROWS, header=BASE, mark=",", name="t.csv", end="\\n"): return save(end.join(mark.join(map(str, row)) for row in [header, *rows]) + end, name)
def tsv(rows=ROWS, name="t.tsv", **options): return csv(rows, mark="\\t", name=name, **options)
def jsonl(rows=ROWS, header=BASE, name="t.jsonl"): return save("".join(json.dumps(dict(zip(header, row))) + "\\n" for row in rows), name)
def pq(rows=ROWS, header=BASE, name="t.parquet"):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.table({key: list(column) for key, column in zip(header, zip(*rows))}), name)
    return name
def put(place, column, value, rows=ROWS):
    rows = [list(row) for row in rows]
    rows[place][column] = value
    return rows
# So many rows that the suite, which reads few at a time, reads them in several parts.
LONG = [(f"q{n * n % 23}", f"d{n * 7 + m}", (n + m) % 4, (n * 37 + m * 5) % 11 / 2, m) for n in range(60) for m in range(1 + n % 6)]
LONG = [row for row, place in sorted(zip(LONG, range(999)), key=lambda pair: (pair[0][0][::-1], pair[1]))]
MIXED = [LONG[n * 89 % len(LONG)] for n in range(len(LONG))]
FIVE = (*BASE, "other")
def evaluate(path, measures=MEASURES, **options): return rg.evaluate_frame(path, measures, **options)
"""
KINDS = ["csv", "tsv", "jsonl", "pq"]
CALLS = [
    *drawn(60, "evaluate({k}({r}), {o})", k=KINDS, r=["", "ROWS[:3]", "ROWS[::-1]", "[(*row, 's' if row[2] else 't') for row in ROWS], header=(*BASE, 'run')"], o=["ties='id'", "doc='doc'", "doc=None", "query='query', run=None", "score='score', run=None, ties='id_descending'", "ignore=0, run=None"]), *each("evaluate({k}([(*row, 's' if row[2] else 't') for row in ROWS], header=(*BASE, 'run')), run='run')", k=KINDS),
    *each("evaluate({f})", f=["csv(name='t.csv.gz')", "tsv(name='t.tsv.gz')", "jsonl(name='t.jsonl.gz')", "jsonl(name='t.ndjson')", "pq(name='t.pq')", "csv(name='T.CSV')", "Path(csv())", "csv(end='\\r\\n')", "save('\\ufeff' + Path(csv()).read_text(), 't.csv')", "save('\\ufeff' + Path(jsonl()).read_text(), 't.jsonl')", "save('# a comment\\n# another, one\\n' + Path(csv()).read_text(), 't.csv')", "csv(header=('#query', 'doc', 'label', 'score'))", "save(Path(csv()).read_text().replace('\\n', '\\n\\n'), 't.csv')",
         "save(Path(csv()).read_text()[:-1], 't.csv')", "save(Path(jsonl()).read_text()[:-1], 't.jsonl')", "save(Path(jsonl()).read_text().replace('\\n', '\\n\\n'), 't.jsonl')", "csv([(q, f'\"{d}, x\"', y, s) for q, d, y, s in ROWS])", "csv(put(2, 1, 'NA'))", "csv(put(2, 0, 'NA'))", "csv([(q, d, str(bool(y)), s) for q, d, y, s in ROWS])", "csv([(q, d, y, f'{s:.1e}') for q, d, y, s in ROWS])", "jsonl([(q, d, bool(y), s) for q, d, y, s in ROWS])", "jsonl([(len(q), d, y, s) for q, d, y, s in ROWS[:3]])", "jsonl([(q, d, y, 2**53 + 2 * y) for q, d, y, s in ROWS])",
         "csv([(q, d, y, 2**53 + 2 * y) for q, d, y, s in ROWS])", "csv([(q, d, y, 'inf' if y == 3 else s) for q, d, y, s in ROWS])", "csv(header=('a\\x07', 'doc', 'label', 'score'))"]),
    *each("evaluate({f}, query='query', label='label', score='score')", f=["[csv(ROWS[:3], name='a.csv'), csv(ROWS[3:], name='b.csv')]", "[csv(ROWS[:3], name='a.csv'), tsv(ROWS[3:], name='b.tsv')]", "[csv(ROWS[:3], name='a.csv.gz'), csv(ROWS[3:], name='b.csv')]", "[pq(ROWS[:3], name='a.parquet'), pq(ROWS[3:], name='b.pq')]", "[jsonl(ROWS[:3], name='a.jsonl'), jsonl(ROWS[3:], name='b.ndjson')]", "[csv(ROWS[:3], name='a.csv'), pq(ROWS[3:], name='b.parquet')]", "csv(ROWS[:3], name='d/a.csv') and csv(ROWS[3:], name='d/b.csv') and 'd'",
         "csv(ROWS[:3], name='d/e/a.csv') and csv(ROWS[3:], name='d/b.csv') and save('x', 'd/_log.csv') and save('x', 'd/read.me') and 'd'", "csv(ROWS[:3], name='a1.csv') and csv(ROWS[3:], name='a2.csv') and 'a*.csv'", "[csv(name='a.csv'), 'a.csv']", "csv(name='a.csv') and os.symlink('a.csv', 'b.csv') or ['a.csv', 'b.csv']", "[csv(ROWS[:3], name='a.csv'), csv([row[::-1] for row in ROWS[3:]], BASE[::-1], name='b.csv')]", "[pq(ROWS[:3], name='a.pq'), pq([(q, d, float(y), s) for q, d, y, s in ROWS[3:]], name='b.pq')]", "[pq(ROWS[:3], name='a.pq'), pq([(7, d, y, s) for q, d, y, s in ROWS[3:]], name='b.pq')]",
         "[csv(ROWS[:3], name='a.csv'), csv([row[:3] for row in ROWS[3:]], BASE[:3], name='b.csv')]", "[jsonl(ROWS[:3], name='a.jsonl'), jsonl([row[:3] for row in ROWS[3:]], BASE[:3], name='b.jsonl')]", "[csv(ROWS[:3], name='a.csv'), csv(put(1, 3, 'x', ROWS[3:]), name='b.csv')]", "[csv(ROWS[:3], name='a.csv'), csv(put(1, 3, '', ROWS[3:]), name='b.csv')]", "[csv(ROWS[:3], name='a.csv'), csv(put(2, 0, '', ROWS[3:]), name='b.csv')]", "[csv(ROWS[:3], name='a.csv'), csv(put(3, 1, 'd1', ROWS[3:]), name='b.csv')]", "[csv(ROWS[:5], name='a.csv'), csv(put(1, 1, 'd10', ROWS[5:]), name='b.csv')]",
         "[jsonl(ROWS[:3], name='a.jsonl'), jsonl(put(1, 0, 5, ROWS[3:]), name='b.jsonl')]", "[pq(ROWS[:3], name='a.pq'), pq(put(1, 3, NAN, ROWS[3:]), name='b.pq')]", "[pq(ROWS[:3], name='a.pq'), pq(put(1, 2, None, ROWS[3:]), name='b.pq')]", "[]", "'no*.csv'", "os.mkdir('e') or 'e'"]),
    *drawn(60, "evaluate({k}({r}, header=FIVE, name='t.{e}'), {o})", k=["csv"], e=["csv", "csv.gz"], r=["LONG", "MIXED"], o=["ties='id'", "score=['score', 'other']", "query=['query', 'label']", "ignore=0", "segment='query'", "doc=None, weight='other', query=['query', 'other']", "duplicates='first'"]), *drawn(40, "evaluate({k}({r}, header=FIVE), {o})", k=["tsv", "jsonl", "pq"], r=["LONG", "MIXED"], o=["ties='id'", "score=['score', 'other']", "query=['query', 'label']", "ignore=0", "segment='query'", "duplicates='best'"]),
    *each("evaluate([{k}({r}[:90], header=FIVE, name='a.{e}'), {k}({r}[90:], header=FIVE, name='b.{e}')], query='query', ties='id_descending')", k=["csv"], e=["csv"], r=["LONG", "MIXED"]), *each("evaluate([pq({r}[:90], header=FIVE, name='a.pq'), pq({r}[90:], header=FIVE, name='b.pq')], query='query', score='score')", r=["LONG", "MIXED"]), *each("evaluate([jsonl({r}[:90], header=FIVE, name='a.jsonl'), jsonl({r}[90:], header=FIVE, name='b.jsonl')], query='query', score='other', doc='doc')", r=["LONG", "MIXED"]),
    # Columns that folders name.
    *each("{w}('q/run=s/a.{e}') and {w}('q/run=t/b.{e}') and 0 or evaluate('q', run='run')".replace("{w}('q/run=s/a.{e}')", "{w}(ROWS[:4], name='q/run=s/a.{e}')").replace("{w}('q/run=t/b.{e}')", "{w}(ROWS[3:], name='q/run=t/b.{e}')"), w=["csv"], e=["csv", "csv.gz"]), "pq(ROWS[:4], name='q/run=s/a.parquet'); pq(ROWS[3:], name='q/run=t/b.parquet'); evaluate('q', run='run')", "jsonl(ROWS[:4], name='q/run=s%20x/a.jsonl'); jsonl(ROWS[3:], name='q/run=t/b.jsonl'); evaluate('q', run='run')", "csv(ROWS[:4], name='q/segment=x/a.csv'); csv(ROWS[5:6], name='q/segment=y/b.csv'); evaluate('q', segment='segment')",
    "evaluate(csv(name='query=z/a.csv'))", "evaluate(csv([('z', *row[1:]) for row in ROWS if row[0] == 'b'], name='query=z/a.csv'))", "evaluate(csv([row[1:] for row in ROWS if row[0] == 'b'], BASE[1:], name='query=z/a.csv'))", "evaluate(pq([row[1:] for row in ROWS if row[0] == 'b'], BASE[1:], name='query=__HIVE_DEFAULT_PARTITION__/a.parquet'))", "csv(ROWS[:3], name='q/month=01/a.csv'); csv(ROWS[3:], name='q/month=2/b.csv'); evaluate('q', query=['query', 'month'])", "csv([(*row, 1) for row in ROWS[:3]], (*BASE, 'month'), name='q/month=01/a.csv'); csv([(*row, 2) for row in ROWS[3:]], (*BASE, 'month'), name='q/month=3/b.csv'); evaluate('q', query=['query', 'month'])",
    "pq([(*row, bool(row[2])) for row in ROWS if row[2]], (*BASE, 'good'), name='good=true/a.parquet'); evaluate('good=true', query=['query', 'good'])", "pq([(*row, None) for row in ROWS], (*BASE, 'good'), name='good=__HIVE_DEFAULT_PARTITION__/a.parquet'); evaluate('good=__HIVE_DEFAULT_PARTITION__/a.parquet', query=['query', 'good'])", "pq([(*row, 5) for row in ROWS], (*BASE, 'month'), name='month=6/a.parquet'); evaluate('month=6/a.parquet', query=['query', 'month'])",
    # Content that does not fit, and faults of lines.
    *each("evaluate({f})", f=["save('query,doc,label,score\\n', 't.csv')", "save('[1, 2]\\n', 't.jsonl')", "save(Path(pq()).read_bytes(), 't.csv')", "save(Path(csv()).read_text(), 't.parquet')", "save(Path(csv()).read_text(), 't.jsonl')", "save(Path(jsonl()).read_text(), 't.csv')", "save(Path(csv()).read_text(), 't.tsv')", "save(Path(tsv()).read_text(), 't.csv')", "save(gzip.compress(b'x'), 't.csv')", "save(Path(csv()).read_text(), 't.txt')", "save(Path(csv()).read_text(), 't')", "csv(mark=';')", "csv(mark='|')", "tsv(mark=',') if False else csv(mark=' ')",
         "csv(end='\\r')", "save(b'q,doc\\0\\n1,2\\n', 't.csv')", "csv(put(3, 2, 'x'))", "csv(put(3, 3, 'x'))", "csv(put(3, 3, ''))", "csv(put(4, 2, ''))", "csv(put(3, 0, ''))", "csv(put(3, 3, 'nan'))", "csv(put(3, 3, '1e999'))", "csv(put(3, 3, '9007199254740993'))", "csv(put(3, 2, '1_0'))", "csv(put(3, 2, '٣'))", "csv(put(3, 3, '0,5'))", "csv([*ROWS[:3], ROWS[3][:2], *ROWS[4:]])", "csv([*ROWS[:3], (*ROWS[3], 'z'), *ROWS[4:]])", "save(Path(csv()).read_bytes().replace(b'd9', b'\\xff9'), 't.csv')", "csv(header=('query', 'doc', 'label', 'label'))", "csv(header=('query', 'doc', '', 'score'))", "csv([(*row, 5) for row in ROWS], (*BASE, ''))",
         "csv(ROWS[1:], ROWS[0])", "csv(ROWS[1:], ('1', '2', '3', '0.5'))", "save('query;doc;label;score\\na;b;1;0,5\\n', 't.csv')", "jsonl(put(3, 2, 'x'))", "jsonl(put(3, 3, None))", "jsonl(put(3, 0, 5))", "jsonl(put(5, 1, True))", "jsonl(put(2, 3, '0.5'))", "save(Path(jsonl()).read_text() + '5\\n', 't.jsonl')", "save('{\"query\": \"b\", \"query\": \"a\"}\\n' + Path(jsonl()).read_text(), 't.jsonl')", "save(Path(jsonl()).read_text() + '{\"query\": \"b\", \"query\": \"a\"}\\n', 't.jsonl')",
         "jsonl([{0: 1} and (*row, {'a': 1}) for row in ROWS], (*BASE, 'x'))", "jsonl([(q, d, y, s, 'doc') for q, d, y, s in ROWS] + [('b', 5, 1, 1, 'x')], (*BASE, 'note'))", "pq(put(3, 3, NAN))", "pq(put(3, 2, None))", "pq(put(3, 0, None))", "pq(put(6, 1, 'd1'))", "csv(put(6, 1, 'd1'))", "csv([(*row, n % 2) for n, row in enumerate(ROWS)], (*BASE, 'session'))", "csv([(*row, n % 2) for n, row in enumerate(ROWS)], (*BASE, 'model'))"]),
    "evaluate(csv(), score='none')", "evaluate(csv(), query=['query', 'none'])", "evaluate(csv(header=(1, 2, 3, 4)))", "p = csv(); evaluate(p).means; csv(ROWS[::-1][:4]); evaluate(p).means", "evaluate([csv(name='a.csv'), 5])",
    *drawn(24, "rg.evaluate({k}([row[:3] for row in ROWS], BASE[:3], name='q.{e}'), {l}([(row[0], row[1], row[3]) for row in ROWS], ('query', 'doc', 'score'), name='r.{f}'), MEASURES)", k=["csv"], e=["csv", "csv.gz"], l=["jsonl"], f=["jsonl", "jsonl.gz", "ndjson"]), "rg.evaluate(pq([row[:3] for row in ROWS], BASE[:3]), tsv([(row[0], row[1], row[3]) for row in ROWS], header=('query', 'doc', 'score')), MEASURES)",
    *each("rg.evaluate({q}, {r}, MEASURES)", q=["csv([row[:3] for row in ROWS], BASE[:3])"], r=["csv([(row[0], row[1]) for row in ROWS], BASE[:2], name='r.csv')", "csv([(row[0], row[1], row[3], 'st'[row[2] > 1]) for row in ROWS], ('query', 'doc', 'score', 'run'), name='r.csv')", "csv([(row[0], row[1], 'x') for row in ROWS], ('query', 'doc', 'score'), name='r.csv')", "'none.csv' if False else csv([], ('query', 'doc', 'score'), name='r.csv')"]),
]
