"""Queries of `rg.sql`, run by databases: what they return, and the bits of `rg.evaluate`."""

import contextlib
import math
import random
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import databases
import rankgain as rg
from counted import NAMES, Judged, counts_of, drawn
from sampling import sampled

sqlglot = pytest.importorskip("sqlglot", reason="sqlglot is not installed")

TRUTH = {"query": "text", "doc": "text", "label": "double precision"}
RUN = {"query": "text", "doc": "text", "score": "double precision"}
MEASURES = ["nDCG@3", "nDCG", "AP", "P@2", "R@3", "RR", "RPrec", "RBP", "ERR@2", "NumRet", "AUC"]
OTHERS = ["Bpref", "Judged@2", "nDCG(judged_only=True)@3"]
BY_ID = ("id_descending", "id")
CONVENTIONS = ("trec", "rankgain", "ranx")
DIALECTS = (
    *("bigquery", "clickhouse", "databricks", "duckdb", "postgres", "snowflake", "spark"),
    *("sqlite", "trino"),
)


@pytest.fixture(scope="module", params=["sqlite", "duckdb", "postgres", "clickhouse"])
def database(request: Any) -> Iterator[Any]:
    if request.param == "postgres":
        with databases.postgres() as server:
            yield server
    else:
        yield getattr(databases, request.param)()


def rows_of(records: Judged) -> list[tuple[Any, ...]]:
    return [(query, doc, one) for query, docs in records.items() for doc, one in docs.items()]


def fill(database: Any, qrels: Judged, run: Judged) -> None:
    database.fill("truth", TRUTH, rows_of(qrels))
    database.fill("run", RUN, rows_of(run))


def query(database: Any, measures: Any = "AP", **options: Any) -> str:
    schema = "lab." if database.dialect == "clickhouse" else ""
    named = {"truth": "truth", "run": "run", **options}
    for one in ("truth", "run"):
        if schema and "lab" not in named[one]:
            named[one] = schema + named[one]
    return rg.sql(measures, dialect=database.dialect, **named)


def assert_same(result: rg.Evaluation, expected: rg.Evaluation) -> None:
    order = [list(result.queries).index(str(one)) for one in expected.queries]
    for name, column in expected.per_query.items():
        assert result.per_query[name][order].tobytes() == column.tobytes(), name
        np.testing.assert_allclose(result.means[name], expected.means[name], rtol=1e-13)
    assert result.counts["missing"] == expected.counts["missing"]


def many(
    rng: random.Random, cases: int, labels: list[float] | None = None
) -> tuple[Judged, Judged]:
    """The lists of many draws side by side."""
    qrels: Judged = {}
    run: Judged = {}
    for case in range(cases):
        for whole, part in zip((qrels, run), drawn(rng, labels), strict=True):
            whole |= {f"{case} {one}": docs for one, docs in part.items()}
    return qrels, run


def read(table: Any) -> list[tuple[Any, ...]]:
    """Rows as tuples of text and numbers, of any database."""
    result = []
    for row in table if isinstance(table, list) else table.fetchall():
        values = list(row.values()) if isinstance(row, dict) else list(row)
        numbers = [None if one in (None, "") else float(one) for one in values[2:6]]
        listed = values[6] in (True, 1, "t")
        result.append((*values[:2], *numbers, listed))
    return result


@pytest.mark.parametrize(
    ("ties", "how"),
    sampled(["id_descending", "id", "average"], ["join", "window", "auto"], one_in=3),
)
def test_the_rows_that_are_returned(database: Any, how: Any, ties: str) -> None:
    qrels, run = many(random.Random(1), 20)
    fill(database, qrels, run)
    table = read(database.ask(query(database, OTHERS, how=how, ties=ties)))
    assert sorted(table) == sorted(read(counts_of(qrels, run, ties)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ties", ["id_descending", "id", "average", "best", "worst"])
def test_the_bits_of_evaluate(database: Any, ties: Any) -> None:
    """200 draws for each database, each counted in three ways for three conventions."""
    qrels, run = many(random.Random(ties), 40)
    fill(database, qrels, run)
    for how, convention in zip(("join", "window", "auto"), CONVENTIONS, strict=True):
        options: Any = {"ties": ties, "convention": convention}
        expected = rg.evaluate(qrels, run, MEASURES, **options)
        table = database.ask(query(database, MEASURES, how=how, ties=ties))
        assert_same(rg.evaluate_counts(table, MEASURES, **options), expected)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ties", ["id_descending", "average"])
def test_negative_labels_are_below_documents_of_label_zero(database: Any, ties: Any) -> None:
    qrels, run = many(random.Random(ties), 40, [-1, 0, 0, 1, 2])
    fill(database, qrels, run)
    names, options = ["DCG@3", "DCG", "AP", "IDCG@4"], {"ties": ties, "convention": "rankgain"}
    result = rg.evaluate_counts(database.ask(query(database, names, ties=ties)), names, **options)
    assert_same(result, rg.evaluate(qrels, run, names, **options))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ties", ["id_descending", "average"])
def test_measures_of_other_judged_documents(database: Any, ties: Any) -> None:
    names = [one for one in OTHERS if one != "Bpref" or ties in BY_ID]
    qrels, run = many(random.Random(3), 40)
    fill(database, qrels, run)
    result = rg.evaluate_counts(database.ask(query(database, names, ties=ties)), names, ties=ties)
    assert_same(result, rg.evaluate(qrels, run, names, ties=ties))


def test_rows_of_label_zero_stay_away_where_nothing_counts_them(database: Any) -> None:
    qrels: Judged = {"a": {"x": 1, "y": 0, "z": 0}, "b": {"x": 0, "y": 0}, "c": {"x": -1, "y": 0}}
    fill(database, qrels, {"a": {"x": 1.0}})
    left = {(row[0], row[1]) for row in read(database.ask(query(database)))}
    assert left == {("a", "x"), ("b", "x"), ("c", "x"), ("c", "y")}


def test_integers_are_ids_by_their_text(database: Any) -> None:
    truth = [(2, 9, 1), (2, 10, 0), (10, 100, 2), (10, 9, 1)]
    run = [(2, 9, 1.0), (2, 10, 1.0), (2, 8, 1.0), (10, 9, 2.0), (10, 100, 2.0)]
    database.fill("truth", dict.fromkeys(("query", "doc", "label"), "bigint"), truth)
    database.fill("run", {"query": "bigint", "doc": "bigint", "score": "double precision"}, run)
    names = ["nDCG", "AP"]
    result = rg.evaluate_counts(database.ask(query(database, names)), names)
    judged = {2: {9: 1, 10: 0}, 10: {100: 2, 9: 1}}
    ranked = {2: {9: 1.0, 10: 1.0, 8: 1.0}, 10: {9: 2.0, 100: 2.0}}
    assert_same(result, rg.evaluate(judged, ranked, names))


def test_text_compares_by_its_bytes_whatever_the_column_says(database: Any) -> None:
    """A collation makes "a" and "A" equal, or puts "B" between "a" and "c"."""
    kinds = {"sqlite": "text collate nocase", "duckdb": "text collate nocase"}
    kind = kinds.get(database.dialect, "text")
    database.fill("truth", {**TRUTH, "doc": kind}, [("q", "a", 1), ("q", "A", 2), ("q", "é", 1)])
    docs = ["a", "A", "B", "b", "é", "z", "_"]
    database.fill("run", {**RUN, "doc": kind}, [("q", one, 1.0) for one in docs])
    if database.dialect == "postgres":
        assert database.run("SELECT 'a' < 'B'") == "?column?\nt\n"  # not so by bytes
    for how in ("join", "window"):
        result = rg.evaluate_counts(database.ask(query(database, "AP", how=how)), "AP")
        expected = rg.evaluate(
            {"q": {"a": 1, "A": 2, "é": 1}}, {"q": dict.fromkeys(docs, 1.0)}, "AP"
        )
        assert_same(result, expected)


def refused(database: Any, truth: Any, run: Any, words: str) -> None:
    database.fill("truth", TRUTH, truth)
    database.fill("run", RUN, run)
    for how in ("join", "window", "auto"):
        table = database.ask(query(database, how=how))
        with pytest.raises(ValueError, match=words):
            rg.evaluate_counts(table, "AP")


TWO = [("q", "a", 2.0), ("q", "b", 1.0)]
BAD_RUNS = {
    "a hit twice": [*TWO, ("q", "a", 1.0)],
    "another document twice": [*TWO, ("q", "b", 3.0)],
    "a score that is null": [*TWO, ("q", "c", None)],
    "the score of a hit is null": [("q", "a", None), *TWO[1:]],
    "a document that is null": [*TWO, ("q", None, 1.0)],
    "the score of a hit is NaN": [("q", "a", math.nan), *TWO[1:]],
    "another score is NaN": [*TWO[:1], ("q", "b", math.nan)],
}


@pytest.mark.parametrize("case", BAD_RUNS)
def test_runs_that_evaluate_refuses(database: Any, case: str) -> None:
    refused(database, [("q", "a", 1)], BAD_RUNS[case], "size is null; .* a document twice, .* NaN")


@pytest.mark.parametrize(("truth", "words"), [
    ([("q", "a", 1), ("q", "a", 2)], "label is null or NaN; .* two labels"),
    ([("q", "a", 1), ("q", "b", 0), ("q", "b", 1)], "label is null or NaN"),
    ([("q", "a", None)], "label is null or NaN"),
    ([("q", "a", 1), ("q", "a", None)], "label is null or NaN"),
    ([("q", "a", 1), ("q", "b", float("nan"))], "label is null or NaN"),
    ([("q", "a", float("inf"))], "label is infinite"),
    ([("q", "a", 1), ("q", None, 1)], "doc is null"),
    ([("q", "a", 1), (None, "b", 1)], "query is null"),
])  # fmt: skip
def test_judgments_that_evaluate_refuses(database: Any, truth: Any, words: str) -> None:
    refused(database, truth, TWO, words)


def test_equal_judgments_are_one_and_scores_may_be_infinite(database: Any) -> None:
    run = [("q", "a", float("-inf")), ("q", "b", float("inf")), ("q", "c", 0.0)]
    database.fill("truth", TRUTH, [("q", "a", 1), ("q", "c", 2), ("q", "a", 1)])
    database.fill("run", RUN, run)
    result = rg.evaluate_counts(database.ask(query(database, "nDCG")), "nDCG")
    scores = {doc: score for _, doc, score in run}
    assert_same(result, rg.evaluate({"q": {"a": 1, "c": 2}}, {"q": scores}, "nDCG"))


def test_text_in_place_of_scores_is_refused_where_the_database_reads_it_as_zero() -> None:
    database = databases.sqlite()
    for words, truth, run in (
        ("size is null", [("q", "a", 1)], [("q", "a", "high")]),
        ("label is null", [("q", "a", "good")], [("q", "a", 1.0)]),
    ):
        database.fill("truth", {**TRUTH, "label": ""}, truth)
        database.fill("run", {**RUN, "score": ""}, run)
        with pytest.raises(ValueError, match=words):
            rg.evaluate_counts(database.ask(query(database)), "AP")


ODD = ['a"b', "a`b", "a]b", "a b", "select", "é", "x; DROP TABLE truth; --", "a''b", "x\\", "QuErY"]


@pytest.mark.parametrize("name", ODD)
def test_names_are_quoted_as_they_are_given(database: Any, name: str) -> None:
    """Nothing in a name of a column or a table is SQL."""
    if "\\" in name and database.dialect == "clickhouse":
        pytest.skip("such a name is refused")
    names = {"query": name, "doc": f"{name}2", "label": f"{name}3", "score": f"{name}4"}
    truth, run = f"truth of {name}".replace(".", ""), f"{name}5"
    kinds = dict.fromkeys((names["query"], names["doc"]), "text")
    database.fill(truth, {**kinds, names["label"]: "bigint"}, [("q", "a", 1), ("q", "b", 2)])
    database.fill(run, {**kinds, names["score"]: "double precision"}, TWO)
    text = query(database, "nDCG", truth=truth, run=run, **names)
    result = rg.evaluate_counts(database.ask(text), "nDCG")
    assert_same(result, rg.evaluate({"q": {"a": 1, "b": 2}}, {"q": {"a": 2, "b": 1}}, "nDCG"))


def test_selects_and_dotted_names(database: Any) -> None:
    qrels, run = many(random.Random(9), 3)
    fill(database, qrels, run)
    schemas = {"sqlite": "main", "duckdb": "memory.main", "postgres": "public", "clickhouse": "lab"}
    schema = schemas[database.dialect]
    selected = '(SELECT "query", doc AS d, score AS s FROM {}.run WHERE "query" <> \'unjudged\')'
    text = query(
        *(database, MEASURES[:4]),
        truth=f'(SELECT "query", doc AS d, label FROM {schema}.truth)',
        run=selected.format(schema),
        doc="d",
        score="s",
    )
    expected = rg.evaluate(qrels, run, MEASURES[:4])
    assert_same(rg.evaluate_counts(database.ask(text), MEASURES[:4]), expected)
    text = query(database, MEASURES[:4], truth=f"{schema}.truth", run=f"{schema}.run")
    assert_same(rg.evaluate_counts(database.ask(text), MEASURES[:4]), expected)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_spark_sql() -> None:
    sql = pytest.importorskip("pyspark.sql")
    if not shutil.which("java"):
        pytest.skip("Java is not installed")
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    try:
        database = databases.Spark(session)
        qrels, run = many(random.Random(4), 200)
        fill(database, qrels, run)
        for ties, how in (("id_descending", "join"), ("average", "window"), ("id", "auto")):
            table = database.ask(query(database, OTHERS[1:], how=how, ties=ties))
            assert sorted(read(list(map(tuple, table)))) == sorted(
                read(counts_of(qrels, run, ties))
            )
            result = rg.evaluate_counts(table, MEASURES, ties=ties)  # type: ignore[arg-type]
            assert_same(result, rg.evaluate(qrels, run, MEASURES, ties=ties))  # type: ignore[arg-type]
        database.fill("truth", {"q`": "text", "d": "text", "l": "bigint"}, [("q", "a", 1)])
        named = {"query": "q`", "doc": "d", "label": "l", "score": "s"}
        bad = [("q", "c", float("nan")), ("q", "c", None), ("q", "b", 3.0), ("q", None, 1.0)]
        for rows in (TWO, *([*TWO, row] for row in bad)):
            database.fill("run", {"q`": "text", "d": "text", "s": "double precision"}, rows)
            table = database.ask(query(database, **named))
            if rows is TWO:
                assert rg.evaluate_counts(table, "AP")["AP"] == 1.0
                continue
            with pytest.raises(ValueError, match="size is null"):
                rg.evaluate_counts(table, "AP")
    finally:
        session.stop()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("ties", ["id_descending", "average"])
@pytest.mark.parametrize("how", ["join", "window", "auto"])
def test_every_dialect_parses_its_query(dialect: str, ties: str, how: Any) -> None:
    odd = 'q"`' if dialect in ("bigquery", "clickhouse") else 'q"`\\'
    names = {"query": odd, "doc": "d'", "label": "l;--", "score": "select"}
    where = 'lake.t"`'
    for measures in ("AP", OTHERS[:2]):
        sides = {"truth": where, "run": "(SELECT * FROM r)"}
        text = rg.sql(measures, dialect=dialect, ties=ties, how=how, **sides, **names)
        (one,) = sqlglot.parse(text, dialect=dialect)
        assert isinstance(one, sqlglot.exp.Select)
        assert one.named_selects == list(NAMES)
        inner = {name.name for name in one.find_all(sqlglot.exp.Identifier)}
        assert inner.issuperset({*names.values(), "lake", 't"`', "r"})
        assert {table.name for table in one.find_all(sqlglot.exp.Table)} >= {'t"`', "r"}


def call(**changes: Any) -> str:
    options = {"dialect": "duckdb", "truth": "t", "run": "r", **changes}
    return rg.sql(options.pop("measures", "AP"), **options)


@pytest.mark.parametrize("other", OTHERS)
def test_the_order_of_measures_does_not_change_a_query(other: str) -> None:
    text = call(measures=[other], ties="id")
    assert text != call(ties="id")
    assert (
        call(measures=["AP", other], ties="id") == text == call(measures=[other, "AP"], ties="id")
    )


@pytest.mark.parametrize(("changes", "words"), [
    ({"dialect": "postgresql"}, "unknown dialect 'postgresql'; did you mean 'postgres'"),
    ({"dialect": "mysql"}, "unknown dialect 'mysql'; did you mean .*bigquery, clickhouse"),
    ({"dialect": "cobol"}, "unknown dialect 'cobol'; known: bigquery[^(]*$"),
    ({"ties": "stable"}, "ties must be one of .*not 'stable': rows of a database have no pos"),
    ({"ties": "random"}, "ties must be one of"),
    ({"how": "merge"}, 'how must be "auto", "join" or "window", not'),
    ({"truth": "a..b"}, r"truth: 'a..b' is not the name of a table"),
    ({"run": "a.b.c.d"}, "run: 'a.b.c.d' is not the name of a table"),
    ({"run": "(SELECT 1); DROP TABLE t"}, "run must be one SELECT in parentheses"),
    ({"run": "(DELETE FROM r)"}, "run (must be one SELECT|cannot be read)"),
    ({"truth": "(SELECT FROM WHERE"}, "truth cannot be read as SQL of duckdb"),
    ({"truth": "a\0b"}, "truth: .* has a NUL"),
    ({"run": "(" * 4000 + "SELECT 1" + ")" * 4000}, "nested too deep"),
    ({"doc": "a\\", "dialect": "clickhouse"}, "doc: .* has a backslash; pass a SELECT"),
    ({"run": "a.b\\c", "dialect": "bigquery"}, "run: .* has a backslash"),
    ({"measures": "nDGC"}, "did you mean"),
    ({"measures": "MR"}, 'MR takes all documents of one score together.*ties="average"'),
    ({"measures": "AP(ties=best)"}, "takes all documents of one score together"),
])  # fmt: skip
def test_bad_arguments(changes: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call(**changes)


def test_without_sqlglot_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(ImportError, match=r'need sqlglot: pip install "rankgain\[sql\]"'):
        call()


def test_auto_holds_both_ways_and_the_others_one() -> None:
    both = call().upper()
    assert both.count("ROW_NUMBER()") == 2
    assert "UNION ALL" in both
    assert "UNION ALL" not in call(how="join") + call(how="window")
    assert call(ties="best") == call(ties="worst") == call(ties="average") != call()


@pytest.mark.parametrize("argument", ["query", "doc", "label", "score"])
def test_a_column_that_is_not_there_is_an_error_in_sqlite(argument: str) -> None:
    """Which would take its quoted name for a text."""
    names: Any = {argument: "nope"}
    text = rg.sql("AP", dialect="sqlite", truth="j", run="r", **names)
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE j (query, doc, label)")
        database.execute("CREATE TABLE r (query, doc, score)")
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            database.execute(text)


def test_what_a_database_says_of_a_select_has_no_colours() -> None:
    with pytest.raises(ValueError, match="cannot be read as SQL of duckdb") as error:
        rg.sql("AP", dialect="duckdb", truth="(SELECT * FROM)", run="r")
    assert "\x1b" not in str(error.value)


def reciprocal_rank(database: Any, kind: str, scores: list[float], how: str = "auto") -> float:
    """RR of the first of documents "a", "b" and so on, by the query."""
    database.fill("truth", TRUTH, [("q", "a", 1.0)])
    rows = [("q", "abcdef"[place], score) for place, score in enumerate(scores)]
    database.fill("run", {**RUN, "score": kind}, rows)
    result: float = rg.evaluate_counts(database.ask(query(database, "RR", how=how)), "RR")["RR"]
    return result


@pytest.mark.parametrize("how", sampled(["join", "window", "auto"], one_in=2))
def test_large_scores_are_ranked_if_they_differ_as_doubles(database: Any, how: Any) -> None:
    for low, high in [(2**53 - 2, 2**53 - 1), (2**60, 2**60 + 1024), (-(2**62), 2**62)]:
        assert reciprocal_rank(database, "bigint", [low, high, -(2**62) - 4096], how) == 0.5
        assert reciprocal_rank(database, "bigint", [high, low, -(2**62) - 4096], how) == 1.0
    # Scores that are doubles tie if they are equal, whatever their size: "b" and "c" by their ids.
    assert reciprocal_rank(database, "double precision", [1e300, 1e300, 1e300], how) == 1 / 3
    assert reciprocal_rank(database, "double precision", [2e300, 1e300, 1e300], how) == 1.0


@pytest.mark.parametrize("how", sampled(["join", "window", "auto"], one_in=2))
def test_large_scores_that_are_equal_as_doubles_are_refused(database: Any, how: Any) -> None:
    """Times in nanoseconds. SQLite compares integers exactly."""
    large = 2**60
    for scores in (
        *([2**53, 2**53 + 1, 5], [2**53 + 1, 2**53, 5], [large, large + 1, 5]),
        *([large + 1, large, 5], [5, large + 1, large], [5, -large, -large - 1]),
    ):
        if database.dialect == "sqlite":
            ranks = sorted(scores, reverse=True)
            value = reciprocal_rank(database, "bigint", scores, how)
            assert value == 1 / (1 + ranks.index(scores[0]))
            continue
        with pytest.raises(ValueError, match=r"two scores of 2\*\*53 and more that are equal as d"):
            reciprocal_rank(database, "bigint", scores, how)


def test_large_scores_can_be_ranked_in_the_run(database: Any) -> None:
    time = 2**60
    kinds = {"query": "text", "doc": "text", "label": "double precision"}
    database.fill("truth", kinds, [("q", "a", 1.0)])
    kinds = {"query": "text", "doc": "text", "score": "bigint"}
    database.fill("run", kinds, [("q", "a", time), ("q", "b", time + 1)])
    ranked = (
        "(SELECT query, doc, -RANK() OVER (PARTITION BY query ORDER BY score DESC) AS score FROM "
    )
    schema = "lab." if database.dialect == "clickhouse" else ""
    rows = database.ask(query(database, "RR", run=f"{ranked}{schema}run)"))
    assert rg.evaluate_counts(rows, "RR", ties="id_descending")["RR"] == 0.5
