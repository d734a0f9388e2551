"""The query with which a database counts what `rg.evaluate_counts` evaluates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from ...convention import UNSET, get_convention
from ...convention.fields import suggest
from ...inputs.files import load
from ...inputs.printable import describe
from ...measures.measure import read_measures, refuse_own
from ...trec.join import BY_BLOCK
from ..runs import group_by_join
from .counts import COLUMNS, find_judged

if TYPE_CHECKING:
    from sqlglot import exp

    from ...measures.types import Measures


DIALECTS = (
    *("bigquery", "clickhouse", "databricks", "duckdb", "postgres", "snowflake", "spark"),
    *("sqlite", "trino"),
)
# What makes text compare by its bytes, whatever the column says; elsewhere it does by default.
COLLATIONS = {"duckdb": "C", "postgres": "C", "sqlite": "BINARY", "bigquery": "", "snowflake": ""}
AS_FUNCTION = ("bigquery", "snowflake")  # which write the collation as an argument
NAN_IS_EQUAL = ("postgres", "snowflake")  # NaN = NaN there, and no function says what it is
ESCAPES = ("bigquery", "clickhouse")  # a backslash in a name is not one, and not always quoted
SOURCE = "rankgain_source"
EXACT = 2**53  # a double holds all integers up to this one; beyond, several may become one
PAIRS = 10  # of hits and documents for each document, up to which joining is cheaper than sorting

JUDGED = """
SELECT query, doc,
    CASE WHEN MIN(number) = MAX(number) AND COUNT(number) = COUNT(*) THEN MIN(number) END AS label
FROM rankgain_truth GROUP BY query, doc
"""
# Documents of label 0 change nothing, but a query must stay, and 0 is above a negative label.
WANTED = """
SELECT query, doc, label FROM (
    SELECT query, doc, label, MIN(label) OVER (PARTITION BY query) AS least,
        ROW_NUMBER() OVER (PARTITION BY query ORDER BY ABS(label) DESC, doc) AS place
    FROM rankgain_judged
) AS j WHERE label <> 0 OR label IS NULL OR place = 1 OR least < 0
"""
LISTED = """
SELECT query, doc, number AS score, wrong, large FROM rankgain_run
WHERE query IN (SELECT query FROM rankgain_judged)
"""
# Scores are ranked as doubles. The column `large` has the scores of 2**53 and more in their own
# type (integers, decimals or doubles), and is null elsewhere: two of them must not have become one
# double.
SIZES = """
SELECT query, CASE WHEN COUNT(*) = COUNT(DISTINCT doc) AND COUNT(*) = COUNT(score)
    AND COUNT(DISTINCT large) = COUNT(DISTINCT CASE WHEN large IS NOT NULL THEN score END)
    AND MAX(wrong) = 0 THEN COUNT(*) END AS size
FROM rankgain_listed GROUP BY query
"""
HITS = """
SELECT w.query, w.doc, l.score FROM rankgain_wanted AS w
INNER JOIN rankgain_listed AS l ON l.query = w.query AND l.doc = w.doc
"""
CHOICE = f"""
SELECT CASE WHEN SUM(s.size) > {PAIRS} * (SELECT COUNT(*) FROM rankgain_listed)
    THEN 1 ELSE 0 END AS many
FROM rankgain_hits AS h INNER JOIN rankgain_sizes AS s ON s.query = h.query
"""
PART = "SELECT r.* FROM {rows} AS r CROSS JOIN rankgain_choice AS c WHERE c.many = {many}"
JOIN = """
SELECT h.query, h.doc, SUM(CASE WHEN {before} THEN 1 ELSE 0 END) AS above, {equal} AS equal
FROM {rows} AS h INNER JOIN rankgain_listed AS l ON l.query = h.query
WHERE l.score >= h.score GROUP BY h.query, h.doc
"""
WINDOW = """
SELECT query, doc, {above} OVER (PARTITION BY query ORDER BY score DESC{by}) - 1 AS above,
    {equal} AS equal
FROM {rows}
"""
RESULT = """
SELECT w.query, w.doc, w.label,
    CASE WHEN c.query IS NOT NULL THEN c.above END AS above,
    CASE WHEN c.query IS NOT NULL THEN c.equal END AS equal,
    CASE WHEN s.query IS NULL THEN 0 ELSE s.size END AS size,
    CASE WHEN c.query IS NULL THEN FALSE ELSE TRUE END AS retrieved
FROM rankgain_wanted AS w
LEFT JOIN rankgain_counts AS c ON c.query = w.query AND c.doc = w.doc
LEFT JOIN rankgain_sizes AS s ON s.query = w.query
ORDER BY w.query, w.doc
"""
# No version of SQLite plans all joins of two parts of a query well: some compare all rows with
# all. So there the pairs of query and document of both tables are grouped, and windows over the
# groups count: each step sorts the rows, and none joins them.
PAIRS_OF_BOTH = """
SELECT query, doc, MAX(judged) AS judged, MAX(label) AS label, MAX(score) AS score,
    SUM(listed) AS listed, MAX(wrong) AS wrong
FROM (
    SELECT query, doc, 1 AS judged, label, NULL AS score, 0 AS listed, 0 AS wrong
    FROM rankgain_judged
    UNION ALL
    SELECT query, doc, 0 AS judged, NULL AS label, number AS score, 1 AS listed, wrong
    FROM rankgain_run
) AS b GROUP BY query, doc
"""
COUNTED_PAIRS = """
SELECT query, doc, judged, label, listed,
    {above} OVER (PARTITION BY query, listed > 0 ORDER BY score DESC{by}) - 1 AS above,
    {equal} AS equal,
    SUM(listed) OVER (PARTITION BY query) AS size,
    MAX(CASE WHEN listed > 1 OR (listed > 0 AND (doc IS NULL OR score IS NULL OR wrong > 0))
        THEN 1 ELSE 0 END) OVER (PARTITION BY query) AS faulty,
    MIN(label) OVER (PARTITION BY query) AS least,
    ROW_NUMBER() OVER (PARTITION BY query, judged ORDER BY ABS(label) DESC, doc) AS place
FROM rankgain_pairs
"""
RESULT_OF_PAIRS = """
SELECT w.query, w.doc, w.label,
    CASE WHEN w.listed > 0 THEN w.above END AS above,
    CASE WHEN w.listed > 0 THEN w.equal END AS equal,
    CASE WHEN w.faulty = 0 THEN w.size END AS size,
    CASE WHEN w.listed > 0 THEN TRUE ELSE FALSE END AS retrieved
FROM rankgain_counted AS w WHERE w.judged = 1{wanted}
ORDER BY w.query, w.doc
"""
WANTED_PAIRS = " AND (w.label <> 0 OR w.label IS NULL OR w.place = 1 OR w.least < 0)"
# By the rule of ties: the documents of one score that are above, and the order of the rows.
BY_ID = {
    "id_descending": ("l.score > h.score OR l.doc > h.doc", ", doc DESC"),
    "id": ("l.score > h.score OR l.doc < h.doc", ", doc"),
}


def sql(
    measures: Measures,
    *,
    dialect: str | None = None,
    truth: str,
    run: str,
    query: str = "query",
    doc: str = "doc",
    label: str = "label",
    score: str = "score",
    ties: str = "id_descending",
    how: Literal["auto", "join", "window"] = "auto",
) -> str:
    """Write the query with which a database counts the ranks of hits, for `rg.evaluate_counts`.

    Parameters
    ----------
    measures : str, or sequence
        As in `evaluate`. Where one of them counts judged documents that are not relevant, the query
        returns these, too.
    dialect : str
        "bigquery", "clickhouse", "databricks", "duckdb", "postgres", "snowflake", "spark", "sqlite"
        or "trino".
    truth, run : str
        Judgments (query, doc, label) and rankings (query, doc, score): the name of a table, with
        dots between its parts, or a SELECT in parentheses.
    query, doc, label, score : str
        Names of columns. They and the names of tables are quoted as they are given: in Snowflake,
        names that were not quoted when they were made are in capitals.
    ties : str
        "id_descending" or "id": documents of one score are counted by their ids, as text, byte by
        byte. "average": they are counted as equal, for the rules "average", "best" and "worst",
        which are taken here, too.
    how : str
        "join" compares each hit with the documents of its list, "window" sorts all lists. "auto" is
        one query with both, of which one has no rows: it joins where a document has at most ten
        hits to be compared with, on average over the lists. In ClickHouse it is "window", which is
        always faster there. For SQLite, whose versions choose joins badly, all three are one query
        that sorts both tables together.

    Returns
    -------
    str
        A query of one row for each judged document that counts, in the columns query, doc, label,
        above, equal, size and retrieved, ordered by the first two.

    Raises
    ------
    ValueError
        For an unknown dialect, two statements, a measure that takes tied documents together beside
        ties by id, and tie rules by position.

    Notes
    -----
    Ids become text, labels and scores doubles. So ids of two types may differ where their values do
    not, as 1 and 1.0: cast them in a SELECT. Two equal judgments are one; a document with two
    labels has a null label. A list of the run with a document twice, an id or a score that is null,
    a NaN, or two scores of 2**53 and more that are equal as doubles, such as times in nanoseconds,
    has a null size. `evaluate_counts` refuses both. Rows of the run whose query is null or not
    judged are left out. Such large scores can be ranked in the run (SQLite compares them exactly,
    and needs no ranks)::

        run='(SELECT query, doc, -RANK() OVER (PARTITION BY query ORDER BY time DESC) AS score
              FROM run)'

    Needs sqlglot, the extra "sql".

    Examples
    --------
    >>> import rankgain as rg
    >>> text = rg.sql(["nDCG@10", "AP"], dialect="duckdb", truth="qrels", run="lab.run")
    >>> text.splitlines()[-1]
    '  "w"."doc"'
    """
    if ties not in [*BY_ID, *BY_BLOCK]:
        raise ValueError(
            f"ties must be one of {', '.join([*BY_ID, *BY_BLOCK])}, not {ties!r}: rows of a "
            "database have no positions"
        )
    by_id = BY_ID.get(ties)
    if how not in ("auto", "join", "window"):
        raise ValueError(f'how must be "auto", "join" or "window", not {how!r}')
    if dialect is None:
        raise TypeError(f"dialect= is missing; it names the database: {', '.join(DIALECTS)}")
    if dialect not in DIALECTS:
        words = suggest(dialect, DIALECTS)
        if "known: " not in words:
            words += f" ({', '.join(DIALECTS)})"
        raise ValueError(f"unknown dialect {words}")
    names = {"query": query, "doc": doc, "label": label, "score": score}
    for argument, name in {**names, "truth": truth, "run": run}.items():
        _check_name(argument, name, dialect)
    load("sqlglot", "queries of rg.sql", "sql")
    rules = get_convention("trec")
    requested = read_measures(measures, rules).measures
    refuse_own(requested, "rg.sql")
    groups = group_by_join(requested, rules, UNSET)
    for group in groups:
        if by_id and group.rules.ties in BY_BLOCK:
            raise ValueError(
                f"{group.measures[0]} takes all documents of one score together, which counts by "
                'id do not tell: give ties="average", here and to evaluate_counts'
            )
    parts = {
        "truth": _rows(truth, "truth", dialect, names, "label"),
        "run": _rows(run, "run", dialect, names, "score"),
        "judged": JUDGED,
    }
    needs_all = any(map(find_judged, groups))
    if dialect == "sqlite":
        parts |= _counts_of_pairs(by_id)
        wanted = WANTED_PAIRS
        if needs_all:
            wanted = ""
        text = RESULT_OF_PAIRS.format(wanted=wanted)
    else:
        parts["wanted"] = WANTED
        if needs_all:
            parts["wanted"] = "SELECT * FROM rankgain_judged"
        parts["listed"] = LISTED
        parts["sizes"] = SIZES
        method = how
        if dialect == "clickhouse" and how == "auto":
            method = "window"
        parts |= _counts(by_id, method)
        text = RESULT
    result = _parse_part(text, dialect)
    for name, part in parts.items():
        if isinstance(part, str):
            part = _parse_part(part, dialect)
        result = result.with_(f"rankgain_{name}", as_=part, copy=False)
    # The first three are columns of a table; an alias gives them the spelling of the other four.
    for selected, name in zip(result.selects[:3], COLUMNS[:3], strict=True):
        selected.replace(selected.as_(name))
    return str(result.sql(dialect, identify=True, pretty=True))


def _check_name(argument: str, name: object, dialect: str) -> None:
    """Refuse what cannot be the name of a table or column."""
    if type(name) is not str or not name:
        kind = "column"
        if argument in ("truth", "run"):
            kind = "table, or a SELECT in parentheses"
        raise TypeError(f"{argument} must be the name of a {kind}, not {name!r}")
    if "\0" in name:
        raise ValueError(f"{argument}: {name!r} has a NUL, which no database allows in a name")
    if "\\" in name and dialect in ESCAPES and not name.strip().startswith("("):
        raise ValueError(f"{argument}: {name!r} has a backslash; pass a SELECT that renames it")


def _counts(by_id: tuple[str, str] | None, how: str) -> dict[str, str]:
    """The parts of the query that count: by a join, by windows, or by one of the two."""
    # Documents of one score tie, so each has the rank of the first and counts the others ...
    before, by = "l.score > h.score", ""
    equal_in_join = "SUM(CASE WHEN l.score = h.score THEN 1 ELSE 0 END)"
    above, equal = "RANK()", "COUNT(*) OVER (PARTITION BY query, score)"
    if by_id:  # ... or their ids order them, so none has the same rank
        before, by = by_id
        above, equal, equal_in_join = "ROW_NUMBER()", "1", "1"
    parts = {}
    if how != "window":
        parts["hits"] = HITS
    rows_of_join, rows_of_window = "rankgain_hits", "rankgain_listed"
    if how == "auto":
        parts["choice"] = CHOICE
        parts["join_rows"] = PART.format(rows=rows_of_join, many=0)
        parts["window_rows"] = PART.format(rows=rows_of_window, many=1)
        rows_of_join, rows_of_window = "rankgain_join_rows", "rankgain_window_rows"
    join = JOIN.format(before=before, equal=equal_in_join, rows=rows_of_join)
    window = WINDOW.format(above=above, equal=equal, by=by, rows=rows_of_window)
    counts = {"join": join, "window": window, "auto": f"{join} UNION ALL {window}"}
    parts["counts"] = counts[how]
    return parts


def _counts_of_pairs(by_id: tuple[str, str] | None) -> dict[str, str]:
    """The parts of the query that count without a join, for SQLite."""
    above, by = "RANK()", ""
    equal = "COUNT(*) OVER (PARTITION BY query, listed > 0, score)"
    if by_id:
        above, equal = "ROW_NUMBER()", "1"
        _, by = by_id
    counted = COUNTED_PAIRS.format(above=above, equal=equal, by=by)
    return {"pairs": PAIRS_OF_BOTH, "counted": counted}


def _rows(
    source: str, argument: str, dialect: str, names: dict[str, str], number: str
) -> exp.Select:
    """The rows of a table or a select in parentheses: ids as text, and a number as a double."""
    from sqlglot import exp

    # SQLite reads the name of a missing column as text, unless the table is named before it.
    columns = {}
    for role, name in names.items():
        columns[role] = exp.column(exp.to_identifier(name, quoted=True), table=SOURCE)
    selected: list[exp.Expression] = [
        _as_sorted_text(columns["query"], dialect).as_("query"),
        _as_sorted_text(columns["doc"], dialect).as_("doc"),
    ]
    column = columns[number]
    value: exp.Expression = exp.cast(column, "double")
    large = exp.case().when(exp.func("ABS", value) >= EXACT, column)
    wrong: exp.Expression = exp.IsNan(this=value)
    if dialect in NAN_IS_EQUAL:
        wrong = value.eq(exp.cast(exp.Literal.string("NaN"), "double"))
    elif dialect == "sqlite":  # it has no NaN, and casts any text to a number
        is_number = exp.func("TYPEOF", column).isin("integer", "real")
        wrong = is_number.not_()
        # It compares integers with integers and with doubles exactly, so scores stay what they are.
        if number == "score":
            value = column
        value = exp.case().when(is_number, value)
    selected.append(value.as_("number"))
    if number == "score":
        selected.append(exp.case().when(wrong, "1").else_("0").as_("wrong"))
        if dialect != "sqlite":
            selected.append(large.as_("large"))
    table = _parse_source(source.strip(), argument, dialect)
    return exp.select(*selected).from_(exp.alias_(table, SOURCE, table=True))


def _as_sorted_text(column: exp.Column, dialect: str) -> exp.Expression:
    """An id as text that compares by its bytes."""
    from sqlglot import exp

    ids = exp.cast(column, "text")
    collation = COLLATIONS.get(dialect)
    if dialect in AS_FUNCTION:
        return exp.Anonymous(this="COLLATE", expressions=[ids, exp.Literal.string(collation)])
    if collation is not None:
        return exp.Collate(this=ids, expression=exp.to_identifier(collation, quoted=True))
    return ids


def _parse_source(source: str, argument: str, dialect: str) -> exp.Expression:
    """The table of a name with dots, or a SELECT in parentheses."""
    from sqlglot import exp, parse
    from sqlglot.errors import SqlglotError

    if not source.startswith("("):
        parts = source.split(".")
        if not all(parts) or len(parts) > 3:
            raise ValueError(
                f"{argument}: {source!r} is not the name of a table, which has one to three parts "
                "between dots; put a SELECT in parentheses"
            )
        # The last part names the table, those before it its schema and its catalogue.
        identifiers = [exp.to_identifier(part, quoted=True) for part in reversed(parts)]
        fields = dict(zip(("this", "db", "catalog"), identifiers, strict=False))
        return exp.Table(**fields)
    try:
        statements = parse(source, dialect=dialect)
    except RecursionError:
        raise ValueError(f"{argument} cannot be read as SQL: it is nested too deep") from None
    except SqlglotError as error:
        plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # sqlglot underlines for terminals
        words = " ".join(plain.split())[:200]
        raise ValueError(f"{argument} cannot be read as SQL of {dialect}: {words}") from None
    statement = statements[0]
    is_select = isinstance(statement, exp.Subquery) and statement.is_wrapper
    if len(statements) > 1 or not is_select or statement.find(exp.Into) is not None:
        raise ValueError(
            f"{argument} must be one SELECT in parentheses, with nothing after them, not "
            f"{describe(source)}"
        )
    return statement


def _parse_part(text: str, dialect: str) -> exp.Select:
    """A part of the query; its words are those of every dialect."""
    return load("sqlglot", "queries of rg.sql", "sql").parse_one(text, dialect=dialect)
