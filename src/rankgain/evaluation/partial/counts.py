"""Evaluate counts that were made elsewhere: a row for each judged document, as `rg.sql` asks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Unpack

import numpy as np

from ...convention import UNSET
from ...engine.notices import warn
from ...engine.settings import with_shared_help
from ...inputs.grouping import find_repeated
from ...inputs.lists import LONGEST
from ...inputs.printable import WITH_TEXT, describe, find_kind, is_missing, refuse_equal_texts
from ...inputs.tables.columns import (
    WORDS,
    choose_header,
    in_memory,
    refuse_wide,
    select_series,
)
from ...inputs.tables.roles import require
from ...inputs.tables.source import Origin, open_table
from ...measures.measure import Measure, RequestedMeasures, refuse_own
from ...trec.join import BY_BLOCK
from ...trec.rows import Joined, join_counts
from ..evaluation import Evaluation
from ..one_pass import CallSettings, CountOptions, complete_settings, read_call
from ..runs import JoinGroup, evaluate_joins, request_joins

if TYPE_CHECKING:
    from ...inputs.types import Array, Bools
    from ...measures.types import Measures


# The columns in the order in which `rg.sql` returns them.
COLUMNS = ("query", "doc", "label", "above", "equal", "size", "retrieved")
NUMBERS = ("label", "above", "equal", "size", "retrieved")
OPTIONAL = ("doc", "size", "retrieved")  # those that a table may lack
MATCHING = (
    "Check that the ids match: a query of rg.sql compares them as text, so that 1 and 1.0 differ, "
    "as do times of two types"
)
FLAGS = WORDS | {"t": "1", "f": "0"}  # how databases and CSV files spell booleans


@with_shared_help("trec")
def evaluate_counts(
    table: object,
    measures: Measures,
    *,
    query: str = "query",
    doc: str | None = "doc",
    label: str = "label",
    above: str = "above",
    equal: str = "equal",
    size: str = "size",
    retrieved: str = "retrieved",
    **options: Unpack[CountOptions],
) -> Evaluation:
    """Evaluate ranks that were counted elsewhere, such as in a database with a query of `rg.sql`.

    Parameters
    ----------
    table : frame, path, mapping of columns, list of rows, or cursor
        A row for each judged document, in any order. Frames are those of `evaluate_frame`; rows are
        dicts, rows with names, or tuples of the seven columns in the order below; a cursor of a
        database is one whose query has run.
    query, label : names of columns
        The query of a row, and its label, which is finite.
    doc : name of a column
        Ids of documents, which only tell whether a query has a label twice. The table may lack it;
        None: no column.
    above, equal : names of columns
        How many documents of the list have a greater score, and how many have the same, this one
        included. Null where the document was not retrieved. Where ties are counted by id, the
        documents of the same score that come before by id are above, and equal is 1.
    size : name of a column
        The number of documents in the list of the query, the same in all of its rows; 0 where the
        query has no results. The table may lack it if no measure needs it, as AUC and
        P(divisor=min) do; a query without retrieved documents then has no results.
    retrieved : name of a column
        Whether the document is in the list. If the table lacks it: where above is not null.
    ties : str
        Counts by id suit the rule that they were made by, and nothing in them says which it was:
        give the same to `rg.sql` and here. "average", "best" and "worst" need counts with ties.
    weight : mapping query -> weight, or array, optional
        As in `evaluate`.
    convention : str or Convention
        "trec" by default. One that compares scores as float32, such as "pytrec_eval", needs counts
        of such scores.

    Returns
    -------
    Evaluation
        Its queries are those of the table, in the order in which they first appear; the values have
        the bits of `evaluate` on the judgments and the run.

    Raises
    ------
    ValueError
        For a null, a count that is negative or not a whole number, above and equal beyond the size,
        two sizes in a query, a document twice in a query, and documents whose counts contradict
        each other; the message names the row. Also for counts with ties under a rule that orders
        these by id, and for conventions that drop documents.

    Notes
    -----
    Rows of label 0 may be left out where their query has a row with another label, unless a measure
    counts judged documents that are not relevant (Bpref, Judged@k, judged_only=True), or a label is
    negative; such a measure warns if no query has rows of label 0 beside others. Queries without
    judgments are not in the table, and not counted as such.

    Examples
    --------
    >>> import rankgain as rg
    >>> rows = [("q1", "a", 2, 0, 1, 3, True), ("q1", "b", 1, None, None, 3, False)]
    >>> print(rg.evaluate_counts(rows, ["nDCG@10", "AP"]))
    measure   mean
    nDCG@10   0.7602
    AP        0.5000
    1 query (convention trec)
    """
    call = read_call(options, CountOptions, "evaluate_counts", "trec")
    rules, ties = call.rules, call.settings["ties"]
    requested, groups = request_joins(measures, call.settings, rules)
    refuse_own(requested.measures, "evaluate_counts")
    names = (query, doc, label, above, equal, size, retrieved)
    counts = read_counts(table, dict(zip(COLUMNS, names, strict=True)))
    joined = counts.join()
    name = counts.origin.name
    by_block = ties in BY_BLOCK
    if ties is UNSET:
        by_block = all(group.rules.ties in BY_BLOCK for group in groups)
        if rules.ties in BY_BLOCK and joined.sizes is None:
            warn(
                f"{name}: no document ties with another, and the convention {rules.name} has its "
                "own rule for ties: if the counts are by id, give theirs, "
                f'such as ties="id_descending"; if there are no ties, pass ties="{rules.ties}"'
            )
    for group in groups:
        _refuse_unknown(group, call.settings, by_block)
        _warn_of_absent_rows(group, name, counts.has_zeros_too)
        if not counts.has_sizes:
            _refuse_without_sizes(group, requested, call, size, counts)
    return evaluate_joins(groups, [joined] * len(groups), requested, call)


def _refuse_unknown(group: JoinGroup, options: dict[str, Any], by_block: bool) -> None:
    """Refuse what counts do not tell: orders of tied documents, and documents that are dropped."""
    rules, name = group.rules, str(group.measures[0])
    if rules.ties in BY_BLOCK and not by_block:
        raise ValueError(
            f"{name} takes all documents of one score together, which counts by id do not tell: "
            'count with ties="average", and give ties="average" here'
        )
    if rules.own_document == "drop":
        raise ValueError(
            f"{name} under the convention {rules.name} drops the document with the query's own id, "
            "which counts do not show: remove it from the run that is counted, and pass "
            'convention=rankgain.conventions["beir"].replace(own_document="keep")'
        )
    for measure in group.measures:
        family, settings = complete_settings(measure, options, rules)
        if settings.drop is not None:
            raise ValueError(
                f"{family.name} under the convention {rules.name} leaves out what is scored at "
                f"most {settings.drop:g}, but counts hold no scores; choose another convention"
            )


def _warn_of_absent_rows(group: JoinGroup, table: str, has_zeros_too: bool) -> None:
    """Warn if a measure counts judged documents of label 0, and the table may lack their rows."""
    counting = find_judged(group)
    if counting and not has_zeros_too:
        warn(
            f"{counting[0]} counts judged documents that are not relevant, but no query of {table} "
            "has rows of label 0 beside others; if there are such judgments, add a row for each "
            "(rg.sql does if this measure is among its measures)"
        )


# Three queries with relevant documents at the first rank, at the second, and at the first and the
# third, where three more are not retrieved. A measure that needs the number of documents in a list
# differs between some of these numbers, whatever its cutoff.
TRIED_HITS = [0, 1, 2, 2], [1.0, 2.0, 1.0, 2.0], [0, 1, 0, 2], [1, 1, 1, 1]
TRIED_JUDGED = [0, 0, 1, 1, 2, 2, 2, 2, 2], [1.0, 0.0, 2.0, 0.0, 2.0, 1.0, 1.0, 1.0, 2.0]
TRIED_SIZES = np.array([1, 2, 3])  # up to the last hit
TRIED_EXTRA = (0, 1, 2, 5, 20, 1_000_000)  # documents below the last hit
TABLE_EXTRA = (0, 1, 50)  # the same for the lists of the table


def _refuse_without_sizes(
    group: JoinGroup,
    requested: RequestedMeasures,
    call: CallSettings,
    size: str,
    counts: CountTable,
) -> None:
    """Refuse a measure or a convention that needs the sizes of lists, which the table lacks.

    A measure needs them if a value differs between lists that are longer or shorter below their
    last counted document: of three queries that are tried for any table, or of the table itself.
    """
    table = counts.origin.name
    remedy = f"add a column {size!r} with the number of documents of each list"
    if group.rules.missing == "skip":
        raise ValueError(
            f"the convention {group.rules.name} leaves out queries without results, and {table} "
            f"has no column {size!r} to tell which these are; {remedy}"
        )
    # Weights and bounds do not change whether a value depends on the size of its list.
    unweighted = call._replace(weight=None, bounds=())
    for join, numbers in ((_join_tried, TRIED_EXTRA), (counts.join, TABLE_EXTRA)):
        evaluations = [
            evaluate_joins([group], [join(extra)], requested, unweighted) for extra in numbers
        ]
        for name, column in evaluations[0].per_query.items():
            for evaluation in evaluations:
                if evaluation.per_query[name].tobytes() != column.tobytes():
                    raise ValueError(
                        f"{name} needs the number of documents of each list, and {table} has no "
                        f"column {size!r}; {remedy}"
                    )


def _join_tried(extra: int) -> Joined:
    """The join of the three queries that are tried, with so many more documents in each list."""
    hits = list(map(np.array, TRIED_HITS))
    judged = list(map(np.array, TRIED_JUDGED))
    return join_counts(["a", "b", "c"], TRIED_SIZES + extra, hits, judged)


def find_judged(group: JoinGroup) -> list[Measure]:
    """The measures of a group that count judged documents which are not relevant."""
    if group.rules.unjudged == "drop":  # an unjudged document then differs from a judged one
        return list(group.measures)
    return [measure for measure in group.measures if measure.definition.row.judged]


class CountTable(NamedTuple):
    """A table of counts: queries, sizes of their lists, hits and judgments as in `join_counts`."""

    origin: Origin
    queries: list[object]
    sizes: Array
    hits: tuple[Array, ...]
    judged: tuple[Array, ...]
    has_zeros_too: bool  # whether a query has a label of 0 beside another one
    has_sizes: bool  # False: sizes are the least that are possible

    def join(self, extra: int = 0) -> Joined:
        """The join of judgments and run, with so many more documents in each list."""
        return join_counts(self.queries, self.sizes + extra, self.hits, self.judged)


def read_counts(table: object, names: Mapping[str, str | None]) -> CountTable:
    """Read a table of counts; names: of the columns, by their roles."""
    columns, origin = _read_columns(table, names)
    queries = _ids(columns["query"], names["query"], origin)
    if not len(queries):
        raise ValueError(f"{origin.name}: no rows; a row for each judged document is needed")
    rows, numbers = _number_ids(queries)
    for role in columns:
        if len(columns[role]) != len(rows):
            raise ValueError(
                f"{origin.name}: column {names[role]!r} has {len(columns[role])} rows, but "
                f"{names['query']!r} has {len(rows)}"
            )
    given_numbers = {}
    for role in NUMBERS:
        if role in columns:
            given_numbers[role] = _doubles(columns[role], str(names[role]), origin)
    values = _complete(given_numbers, rows, len(numbers))
    _refuse_faults(values, rows, names, origin)
    if "doc" in columns:
        _refuse_repeats(rows, _ids(columns["doc"], names["doc"], origin), origin)
    # All rows are judgments; those that are in the list of their query are hits, too.
    retrieved = np.flatnonzero(values["retrieved"] == 1)
    sizes = np.zeros(len(numbers), np.int64)
    sizes[rows] = values["size"]
    has_sizes = "size" in columns
    _warn_of_other_ids(sizes, len(retrieved), has_sizes, names["size"], origin)
    above = values["above"][retrieved].astype(np.int64)
    equal = values["equal"][retrieved].astype(np.int64)
    hits = rows[retrieved], values["label"][retrieved], above, equal
    judged = rows, values["label"]
    # A table without any label of 0 beside others may lack the rows of judged documents that are
    # not relevant, as most measures do not need them.
    zeros = np.bincount(rows, values["label"] == 0)
    rows_of_queries = np.bincount(rows)
    has_zeros_too = bool(((zeros > 0) & (zeros < rows_of_queries)).any())
    return CountTable(origin, list(numbers), sizes, hits, judged, has_zeros_too, has_sizes)


def _refuse_faults(
    values: Mapping[str, Array], rows: Array, names: Mapping[str, str | None], origin: Origin
) -> None:
    """Refuse the first row that breaks a rule."""
    for is_bad, words in _faults(values, rows):
        if not is_bad.any():
            continue
        row = int(is_bad.argmax())
        cells = {}
        for role, column in values.items():
            cells[role] = f"{column[row]:.15g}"
            if np.isnan(column[row]):
                cells[role] = "null"
        raise ValueError(f"{origin.row(row)}: {words.format(name=names, cell=cells)}")


def _refuse_repeats(rows: Array, documents: list[object], origin: Origin) -> None:
    """Refuse a document that is twice in a query. rows: the number of the query of each row."""
    codes, numbers = _number_ids(documents)
    # One number for each pair of query and document; all pairs are one list of `find_repeated`.
    pairs = rows * len(numbers) + codes
    repeat = find_repeated(pairs, np.array([0]), np.array([len(pairs)]))
    if repeat is not None:
        _, row = repeat
        first = int((pairs == pairs[row]).argmax())
        raise ValueError(
            f"{origin.row(row)}: document {documents[row]!r} has a label already in its query, in "
            f"row {first + 1}; keep one of them"
        )


def _warn_of_other_ids(
    sizes: Array, retrieved: int, has_sizes: bool, size_name: str | None, origin: Origin
) -> None:
    """Warn if the ids of judgments and run seem not to match."""
    with_results = int((sizes > 0).sum())
    if not retrieved and (with_results or not has_sizes):
        warn(f"{origin.name}: no judged document is retrieved, in any query. {MATCHING}")
    elif has_sizes and 2 * with_results < len(sizes):
        warn(
            f"{origin.name}: only {with_results} of {len(sizes)} judged queries have results "
            f"({size_name} is 0 for the others). {MATCHING}"
        )


def _complete(values: dict[str, Array], rows: Array, queries: int) -> dict[str, Array]:
    """The columns of numbers in order; those that the table lacks are derived from the others."""
    if "retrieved" not in values:
        values["retrieved"] = (~np.isnan(values["above"])).astype(np.float64)
    if "size" not in values:
        # A list is at least as long as the last rank of its last counted tie block.
        last_rank = np.nan_to_num(values["above"] + values["equal"])
        by_query = np.lexsort((last_rank, rows))
        ends = np.cumsum(np.bincount(rows, minlength=queries))
        largest = last_rank[by_query[ends - 1]]
        values["size"] = np.maximum(largest, 0.0)[rows]
    return {role: values[role] for role in NUMBERS}


def _number_ids(ids: list[object]) -> tuple[Array, dict[object, int]]:
    """The number of each id among the distinct ones, and these."""
    distinct = dict.fromkeys(ids)
    numbers = dict(zip(distinct, range(len(distinct)), strict=True))
    return np.fromiter(map(numbers.__getitem__, ids), np.int64, len(ids)), numbers


def _faults(values: Mapping[str, Array], rows: Array) -> Iterator[tuple[Bools, str]]:
    """Which rows break a rule, and the words for it, rule by rule."""
    label, above, equal, size, retrieved = values.values()
    listed = retrieved == 1
    yield (
        np.isnan(size),
        "{name[size]} is null; a query of rg.sql leaves it so if the list has a document twice, "
        "an id or a score that is null, a NaN, or two scores of 2**53 and more that are equal as "
        "doubles: fix the rows of the run, or rank such scores there; if there is no list it is 0",
    )
    yield (
        np.isnan(label),
        "{name[label]} is null or NaN; a query of rg.sql leaves it so where a document has two "
        "labels: keep one",
    )
    yield np.isinf(label), "{name[label]} is infinite; give a finite label"
    yield (
        ~listed & (retrieved != 0),
        "{name[retrieved]} must be true or false, not {cell[retrieved]}",
    )
    for role, minimum in (("above", 0), ("equal", 1), ("size", 0)):
        column = values[role]
        words = f"{{name[{role}]}} is {{cell[{role}]}}"
        is_given = ~np.isnan(column)
        if role != "size":
            yield (
                listed & ~is_given,
                f"{words}, but {{name[retrieved]}} is true; count the documents",
            )
            yield (
                is_given & ~listed,
                f"{words}, but {{name[retrieved]}} is false; leave it null there",
            )
        is_whole = (column >= minimum) & (column % 1 == 0) & (column <= LONGEST)
        yield (
            is_given & ~is_whole,
            f"{words}; it must be a whole number from {minimum} to {LONGEST}",
        )
    _, first_row = np.unique(rows, return_index=True)
    yield (
        size != size[first_row[rows]],
        "{name[size]} is {cell[size]}, but another number in the first row of its query; all rows "
        "of a query have one",
    )
    counts = "{cell[above]} {name[above]} and {cell[equal]} {name[equal]}"
    yield (
        listed & (above + equal > size),
        f"{counts} are more than the {{cell[size]}} of {{name[size]}}; count the list of its query",
    )
    yield (
        _find_contradictions(rows, above, equal, listed),
        f"{counts} contradict the counts of another document of the query, with which it shares "
        "some of its places but not all, or more documents share them; count all over the same "
        "rows",
    )


def _find_contradictions(rows: Array, above: Array, equal: Array, listed: Bools) -> Bools:
    """Which rows have counts that no list can have beside those of their query's other rows.

    Documents of one score are a block: they have the same number of documents above, fill the next
    `equal` ranks, and agree about both. So sorted by query and by documents above, each block must
    end before the next one begins, and hold at most `equal` rows.
    """
    order = np.flatnonzero(listed)
    order = order[np.lexsort((above[order], rows[order]))]
    row, above, equal = rows[order], above[order], equal[order]
    # A block begins with each query and each number of documents above.
    has_same_query = np.diff(row, prepend=-1) == 0  # as the row before
    is_first = ~has_same_query | (np.diff(above, prepend=-1) != 0)
    block = np.cumsum(is_first) - 1
    # Rows of a block disagree about `equal`, or are more than it says.
    equal_of_block = equal[is_first]
    block_sizes = np.bincount(block)
    is_wrong = (equal != equal_of_block[block]) | (block_sizes[block] > equal)
    # A block begins before the end of the block above it, in the same query.
    ends = above + equal
    overlaps = ends[:-1] > above[1:]
    has_block_above = is_first & has_same_query
    is_wrong[1:] |= has_block_above[1:] & overlaps
    result = np.zeros(len(rows), bool)
    result[order] = is_wrong
    return result


def _read_columns(
    table: object, names: Mapping[str, str | None]
) -> tuple[dict[str, Array | list[object]], Origin]:
    """The columns by their roles, and the name of the table for errors."""
    table_name = f"the {type(table).__name__}"
    if isinstance(table, list):
        table_name = "the table"
    origin = Origin(table_name, in_memory=True)
    if hasattr(table, "description") and hasattr(table, "fetchall"):
        table = _fetch_rows(table, names, origin)
    rows = None
    if isinstance(table, (list, tuple)):
        rows = [_name_cells(row, index, origin) for index, row in enumerate(table)]
        header = list(map(str, names.values()))
        if rows:
            header = list(rows[0])
    elif isinstance(table, Mapping):
        header = [*table]
    elif isinstance(table, str) and "\n" in table:
        raise TypeError("table is a query: run it in the database, and pass its rows")
    else:
        frame, origin = open_table(table)
        header = choose_header(frame)
    selected = {}
    for role, name in names.items():
        is_absent = name is None or (name == role and name not in header)
        if role not in OPTIONAL or not is_absent:
            selected[role] = require(header, name, role, origin)
    columns: dict[str, Array | list[object]] = {}
    if rows is not None:
        try:
            for role, name in selected.items():
                columns[role] = [row[name] for row in rows]
        except KeyError as missing:
            raise ValueError(f"{origin.name}: a row lacks the column {missing}") from None
        return columns, origin
    if isinstance(table, Mapping):
        for role, name in selected.items():
            columns[role] = _store(table[name])
        return columns, origin
    frame = in_memory(frame, selected.values(), origin)
    series_of_columns = select_series(frame, list(selected.values()))
    for role, series in zip(selected, series_of_columns, strict=True):
        if series.dtype.is_numeric():
            columns[role] = series.to_numpy()
        else:
            columns[role] = series.to_list()
    return columns, origin


class Cursor(Protocol):
    """A cursor of a database, as in the Python Database API (PEP 249)."""

    @property
    def description(self) -> Sequence[Sequence[object]] | None:
        """A row for each column, which begins with its name; None without a query."""

    def fetchall(self) -> Sequence[Sequence[object]]:
        """All rows."""


def _fetch_rows(
    cursor: Cursor, names: Mapping[str, str | None], origin: Origin
) -> list[dict[object, object]]:
    """The rows of a cursor as mappings."""
    if cursor.description is None:
        raise ValueError(f"{origin.name}: its query has not run, or returns no rows; execute it")
    header = [column[0] for column in cursor.description]
    for name in names.values():
        if header.count(name) > 1:
            raise ValueError(f"{origin.name}: two columns are called {name!r}; rename one")
    rows = []
    for row in cursor.fetchall():
        rows.append(dict(zip(header, row, strict=True)))
    return rows


def _name_cells(row: object, index: int, origin: Origin) -> Mapping[str, object]:
    """A row as a mapping: rows of databases have their names in one of several ways."""
    if isinstance(row, Mapping):
        return row
    # Named tuples of SQLAlchemy and psycopg have _asdict, rows of Spark asDict.
    for method in ("_asdict", "asDict"):
        if hasattr(row, method):
            return dict(getattr(row, method)())
    # A row of sqlite3 has keys(), but is no mapping: iterating over it gives values.
    if hasattr(row, "keys") and hasattr(row, "__getitem__"):
        return {name: row[name] for name in row.keys()}  # noqa: SIM118 - no mapping
    if isinstance(row, (list, tuple)) and len(row) == len(COLUMNS):
        return dict(zip(COLUMNS, row, strict=True))
    raise TypeError(
        f"{origin.row(index)}: a row must have names, or be the seven values {', '.join(COLUMNS)}, "
        f"not {describe(row)}"
    )


def _store(values: Iterable[object]) -> Array | list[object]:
    """A column of a mapping: NumPy's as it is, others as a list."""
    if type(values) is np.ndarray:
        return values
    for method in ("to_list", "tolist"):  # the latter removes the mask of a masked array
        if hasattr(values, method):
            return list(getattr(values, method)())
    return list(values)


def _ids(values: Array | list[object], name: str | None, origin: Origin) -> list[object]:
    """A column of ids; none is missing."""
    result: list[object]
    if isinstance(values, np.ndarray):
        result = values.tolist()
    else:
        result = values
    for row, value in enumerate(result):
        if isinstance(value, tuple) or not isinstance(value, Hashable):  # a tuple may hold a list
            raise TypeError(
                f"{origin.row(row)}: {name} is {describe(value)}; ids must be text or integers"
            )
    distinct = dict.fromkeys(result)
    for value in distinct:
        if is_missing(value) or find_kind(value) not in WITH_TEXT:
            row = next(row for row, cell in enumerate(result) if cell is value or cell == value)
            if is_missing(value):
                raise ValueError(f"{origin.row(row)}: {name} is null; every row needs an id")
            raise TypeError(
                f"{origin.row(row)}: {name} is {describe(value)}; ids must be text or integers"
            )
    refuse_equal_texts(distinct, f"{origin.name}: in column {name!r}")
    return result


def _doubles(values: Array | list[object], name: str, origin: Origin) -> Array:
    """A column of numbers or booleans as doubles, NaN where it is null."""
    array = np.array(values)
    if array.dtype.kind in "biuf":
        refuse_wide(array, name, origin)
        return array.astype(np.float64)
    result = np.full(len(array), np.nan)
    for row, value in enumerate(values):
        if is_missing(value) or value == "":
            continue
        number = value
        if isinstance(value, str):
            number = FLAGS.get(value.lower(), value)
        try:
            result[row] = float(number)
        except OverflowError:
            raise ValueError(
                f"{origin.row(row)}: {name} is {describe(value)}, which is too large for a "
                "float64; rescale it"
            ) from None
        except (TypeError, ValueError):
            raise TypeError(
                f"{origin.row(row)}: {name} must be a number, not {describe(value)}"
            ) from None
        # An integer beyond 2**53 may have been rounded.
        if isinstance(value, Integral) and int(value) != result[row]:
            refuse_wide(np.array([value]), name, origin._replace(rows=range(row, row + 1)))
    return result
