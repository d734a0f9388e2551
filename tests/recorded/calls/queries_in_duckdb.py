"""The queries that count ranks, by a join and by windows, run in DuckDB."""

from recorded.recording import each

NEEDS = ["sqlglot", "duckdb"]
GIVEN = """
import duckdb
TRUTH = [("q10", "a", 2), ("q10", "b", 1), ("q10", "z", 0), ("é", "a", 1), ("é", "c", 0), ("none", "a", 3), ("q9", "b", 0),
    ("q10", "d", 4), ("é", "x", -1), ("n", "b", 2)]
RUN = [("q10", "b", 0.5), ("q10", "y", 0.5), ("q10", "a", 0.5), ("é", "c", 3.0), ("é", "a", 1.0), ("é", "b", 2.0), ("q9", "b", 1.0),
    ("q10", "z", 0.9), ("other", "a", 1.0), ("q10", "d", 0.1), ("é", "x", 1.0), ("n", "a", -4.0), ("n", "b", -5.0)]
def rows(measures="AP", truth=TRUTH, run=RUN, **options):
    with duckdb.connect(config={"threads": 1}) as base:
        for name, columns, table in (("qrels", "query TEXT, doc TEXT, label INT", truth), ("run", "query TEXT, doc TEXT, score DOUBLE", run)):
            base.execute(f"CREATE TABLE {name} ({columns})")
            base.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", table)
        return base.execute(rg.sql(measures, dialect="duckdb", truth="qrels", run="run", **options)).fetchall()
"""
# fmt: off
CALLS = [
    *each("rows({m}, ties={t!r}, how={h!r})", m=["'AP'"], t=["id_descending", "id", "average"], h=["auto", "join", "window"]),
    *each("rows('Bpref', how={h!r})", h=["join", "window"]),
    *each("rows(how={h!r}, {c})", h=["auto", "join", "window"], c=["truth=[*TRUTH, ('q10', 'a', 3)]", "run=[*RUN, ('é', 'c', 1.0)]",
        "run=[*RUN, ('q9', 'e', float('nan'))]", "run=[*RUN, ('q9', 'c', None), ('n', None, 2.0)]"]),
]
