"""The query that counts ranks in a database: run in SQLite, and what rg.sql refuses."""

from recorded.recording import each

NEEDS = ["sqlglot"]
GIVEN = """
import re, sqlite3
BIG = 2**53
TRUTH = [("q10", "a", 2), ("q10", "b", 1), ("q10", "z", 0), ("é", "a", 1), ("é", "c", 0), ("none", "a", 3), ("q9", "b", 0),
    ("q10", "d", 4), ("é", "x", -1), ("n", "b", 2)]
RUN = [("q10", "b", 0.5), ("q10", "y", 0.5), ("q10", "a", 0.5), ("é", "c", 3.0), ("é", "a", 1.0), ("é", "b", 2.0), ("q9", "b", 1.0),
    ("q10", "z", 0.9), ("other", "a", 1.0), ("q10", "d", 0.1), ("é", "x", 1.0), ("n", "a", BIG + 1), ("n", "b", BIG)]
def tables(truth=TRUTH, run=RUN, names="query doc label", of_run="query doc score"):
    base = sqlite3.connect(":memory:")
    for name, columns, rows in (("qrels", names, truth), ("run", of_run, run)):
        base.execute(f"CREATE TABLE {name} ({', '.join(columns.split())})")
        base.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", rows)
    return base
def rows(measures="AP", base=None, **options):
    text = rg.sql(measures, dialect="sqlite", truth="qrels", run="run", **options)
    return (base or tables()).execute(text).fetchall()
def ev(measures, base=None, **options):
    text = rg.sql(measures, dialect="sqlite", truth="qrels", run="run", **options)
    return rg.evaluate_counts((base or tables()).execute(text), measures, **options)
def words(measures="AP", **options):
    text = rg.sql(measures, truth="lab.qrels", run="(SELECT * FROM run)", **options).upper()
    counts = {word: text.count(word) for word in ("RANK()", "ROW_NUMBER()", "UNION ALL", "JOIN")}
    return counts, "COLLATE" in text, "'NAN'" in text, sorted(set(re.findall("RANKGAIN_[A-Z_]+", text)))
def ask(measures="AP", dialect="duckdb", truth="qrels", run="run", **options):
    return rg.sql(measures, dialect=dialect, truth=truth, run=run, **options) != ""
"""
# fmt: off
TIES = ["id_descending", "id", "average", "best", "worst"]
MEASURES = ["'AP'", "'Bpref'", "['DCG@2', 'RR']", "['AP', 'Judged@2']", "'NumRet'"]
CALLS = [
    *each("rows({m}, ties={t!r})", m=["'AP'", "'Bpref'"], t=TIES[:4]),
    *each("ev({m}, ties={t!r})", m=MEASURES[:-1], t=TIES),
    *each("rows({m}, how={h!r})", m=["'AP'"], h=["auto", "join", "window"]),
    *each("rows('AP', tables({c}))", c=["TRUTH[:0]", "run=RUN[:0]", "[*TRUTH, ('q10', 'a', 2)]", "[*TRUTH, ('q10', 'a', 3)]",
        "[*TRUTH, ('q9', None, 3)]", "[*TRUTH, (None, 'a', 3)]", "run=[*RUN, ('é', 'c', 1.0)]", "run=[*RUN, ('q9', 'c', None)]",
        "run=[*RUN, (None, 'c', 1.0)]", "run=[*RUN, ('q9', None, 1.0)]", "run=[*RUN, ('q9', 'e', 'x')]", "[*TRUTH, ('n', 'e', 'x')]",
        "[(1, 2, 3), (10, 2, 1)], [(1, 2, 0.5), (10, 3, 0.25)]"]),
    *each("ev('AP', tables({c}))", c=["[*TRUTH, ('q10', 'a', 3)]", "run=[*RUN, ('é', 'c', 1.0)]", "run=[*RUN, ('q9', 'c', None)]",
        "run=RUN[:0]", "TRUTH[:0]"]),
    "rows('AP', tables(names='who what grade', of_run='who what points'), query='who', doc='what', label='grade', score='points')",
    *each("tables().execute(rg.sql('AP', dialect='sqlite', truth={t!r}, run={r!r})).fetchall()", t=["qrels", "main.qrels",
        "(SELECT * FROM qrels WHERE label > 0)"], r=["run", "(SELECT query, doc, -score AS score FROM run)"]),
    *each("words(dialect={d!r}, ties={t!r}, how={h!r})", d=["bigquery", "clickhouse", "databricks", "duckdb", "postgres", "snowflake", "spark",
        "sqlite", "trino"], t=["id", "average"], h=["auto", "join", "window"]),
    *each("words({m}, dialect={d!r}, ties='average')", m=["['AP', 'Bpref']", "'NumRet'"], d=["duckdb", "sqlite", "clickhouse"]),
    *each("ask(truth='(SELECT a FROM t)', {c})", c=["query='a\\b', dialect='duckdb'", "dialect='bigquery'", "dialect='clickhouse'"]),
    *each("ask(dialect='clickhouse', truth={t!r})", t=["(SELECT 1 AS `a\\b`)", "x\\y"]),
    *each("ask({c})", c=["dialect=None", "dialect='oracle'", "dialect='duck'", "dialect='mysql'", "ties='stable'", "ties='random'",
        "how='fast'", "truth=3", "truth=''", "run=None", "query=''", "doc=3", "label=None", "truth='a..b'", "truth='a.b.c.d'", "truth='.a'",
        "truth='(SELECT 1) x'", "truth='(SELECT 1); DROP TABLE t'", "run='(SELECT 1 INTO t)'",
        "query='a\\x00b'", "dialect='bigquery', query='a\\\\b'", "dialect='duckdb', query='a\\\\b'", "measures='nothing'", "measures=[]",
        "measures='MR'", "measures='MR', ties='average'", "measures=['AP', 'AMR'], ties='id'", "measures='ILD'",
        "measures=rg.measure('x', len)"]),
]
