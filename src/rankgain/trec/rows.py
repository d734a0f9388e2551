"""Rows of qrels and runs in flat arrays, list by list: read, group, order and index them."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import index as index_of
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from .. import _core
from ..inputs.files import (
    BLOCK,
    BYTE_ORDER_MARK,
    JSON,
    PARQUET,
    Source,
    check_path,
    decompression_errors,
    find_suffix,
    is_open_file,
    line_text,
    name_source,
    open_source,
    parse_source,
)
from ..inputs.lists import UnmatchedIds, add_sizes
from ..inputs.parts import PartLabels
from ..inputs.printable import describe
from ..inputs.ranks import RankScale, close_gaps, find_places, find_scale
from .judged_lines import has_other_lines, read_other_lines

Duplicates: TypeAlias = Literal["raise", "first", "last", "best", "mean", "in_place"]
# Not numpy.typing, whose import takes as long as reading 10,000 rows.
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
Codes: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
Table: TypeAlias = tuple[Codes, Integers]
Form: TypeAlias = Literal["rows", "frame", "json", "objects"]
Number = TypeVar("Number", np.float64, np.int64)
RATING = re.compile(rb"\d(\.[05]0*)?|10(\.0*)?")
AGAINST = 1  # pairs of rows with ranks against their scores were met, and none along them
LARGEST_LABEL = 16  # of what people judge
MAX_RATINGS = 11  # distinct values of ratings: from 0 to 10, or from 0.5 to 5 in halves
MIN_TIME = 1e7  # 20030101 as a number; seconds since 1970 are greater. Labels of qrels are small


class RecordRows(NamedTuple):
    """Rows list by list: those of list i are lists[i] .. lists[i + 1] - 1."""

    queries: tuple[str, ...]
    lists: Integers
    ids: Bytes
    id_starts: Integers
    values: Floats
    order: Integers | None  # the source row of each row; None: the order of the source
    gaps: Integers  # pairs: a row of the source, and line number minus row number from this row on
    original_ids: tuple[object, ...] | None = None  # the query ids, if some of them were no text
    scale: RankScale | None = None  # the values are negated ranks

    @property
    def displayed(self) -> tuple[object, ...]:
        """The query ids in their original type."""
        return self.queries if self.original_ids is None else self.original_ids

    def line(self, row: int) -> int:
        """Return the line number, from 1, of a row of the source."""
        # The last gap that starts at this row or before it says how far lines are ahead of rows.
        gap_count = int(np.searchsorted(self.gaps[0::2], row, side="right"))
        if gap_count == 0:
            return row + 1
        return row + 1 + int(self.gaps[2 * gap_count - 1])


def collect(names: list[bytes], columns: tuple[Any, ...]) -> RecordRows:
    """Group rows by query, in the order of the source."""
    ids, starts, values, runs, gaps = columns
    run_starts, run_queries = np.asarray(runs).view(np.int64).reshape(-1, 2).T
    scores = np.asarray(values).view(np.float64)
    # A run of rows is a stretch of adjacent rows of one query. The size of a list is the sum of the
    # sizes of its runs, and lists start at the sums of the sizes before them.
    stops = np.append(run_starts[1:], len(scores))
    sizes = np.bincount(run_queries, weights=stops - run_starts, minlength=len(names))
    lists = add_sizes(sizes.astype(np.int64))
    order = None
    if np.any(run_queries[1:] < run_queries[:-1]):  # the rows of a query are not adjacent
        by_query = np.argsort(run_queries, kind="stable")
        order = np.concatenate([np.arange(run_starts[i], stops[i]) for i in by_query])
    queries = tuple(name.decode("utf-8", "surrogateescape") for name in names)
    id_bytes = np.asarray(ids).view(np.uint8)
    id_starts = np.asarray(starts).view(np.int64)
    line_gaps = np.asarray(gaps).view(np.int64)
    return RecordRows(queries, lists, id_bytes, id_starts, scores, order, line_gaps)


def as_original_ids(
    queries: tuple[str, ...], non_text_ids: Iterable[Any]
) -> tuple[object, ...] | None:
    """Return the queries as they were passed; None if `non_text_ids`, of other types, is empty."""
    original_of: dict[str, object] = {}
    for query in non_text_ids:
        original = query
        if hasattr(query, "__index__"):  # NumPy's integers become Python's
            original = index_of(query)
        original_of[str(query)] = original
    if not original_of:
        return None
    return tuple(original_of.get(query, query) for query in queries)


def gather(rows: RecordRows) -> RecordRows:
    """Apply `order` to the rows; line numbers stay those of the source."""
    if rows.order is None:
        return rows
    ids = np.empty_like(rows.ids)
    starts = np.empty(len(rows.order) + 1, np.int64)
    _core.gather_ids(rows.ids, rows.id_starts, rows.order, ids, starts)
    return rows._replace(ids=ids[: starts[-1]], id_starts=starts, values=rows.values[rows.order])


def sort_rows(rows: RecordRows) -> RecordRows:
    """Set `order` to canonical order: score, then id, both descending."""
    order = np.arange(len(rows.values)) if rows.order is None else rows.order.copy()
    if not _core.order_lists(rows.values, rows.ids, rows.id_starts, rows.lists, order):
        return rows
    return rows._replace(order=order)


def keep_one(rows: RecordRows, policy: str) -> RecordRows:
    """Keep one row for each document of a list: the first, last or best; "equal": of each value."""
    ordered = gather(rows)
    grouped = np.arange(len(rows.values)) if rows.order is None else rows.order
    # The first row of a document in `ranking` is kept. `groups` are the borders of the rows that
    # are compared with each other: those of a list, or of one value in it.
    ranking = np.arange(len(grouped))
    groups = rows.lists
    if policy == "equal":
        # A group ends where the value or the list changes. Sorting leaves lists in their order.
        numbers = np.repeat(np.arange(len(rows.lists) - 1), np.diff(rows.lists))
        ranking = np.lexsort((ordered.values, numbers))
        changes = (np.diff(ordered.values[ranking]) != 0) | (np.diff(numbers) != 0)
        groups = np.concatenate(([0], 1 + np.flatnonzero(changes), [len(ranking)]))
    elif policy == "last":
        # Row i of a list from `first` to `stop` - 1 changes places with row first + stop - 1 - i.
        sums = rows.lists[:-1] + rows.lists[1:] - 1
        ranking = np.repeat(sums, np.diff(rows.lists)) - ranking
    elif policy == "best":
        _core.order_lists(ordered.values, ordered.ids, ordered.id_starts, ordered.lists, ranking)
    ranked = gather(ordered._replace(order=ranking))
    repeated = np.empty(len(ranking), np.uint8)
    _core.index_lists(ranked.ids, ranked.id_starts, groups, repeated=repeated)
    remaining = np.sort(ranking[repeated == 0])
    lists = np.searchsorted(remaining, rows.lists)
    return rows._replace(order=grouped[remaining], lists=lists.astype(np.int64))


def move_up(before: RecordRows, after: RecordRows) -> RecordRows:
    """Move ranked documents up to close the gaps of removed ones; after: the remaining rows."""
    if before.scale is None:
        return after
    ordered = gather(before)
    all_rows = np.arange(len(before.values))
    rows_before = all_rows if before.order is None else before.order
    rows_after = all_rows if after.order is None else after.order
    removed = np.ones(len(all_rows), bool)
    removed[rows_after] = False
    # The values are negated ranks, here and in the result.
    starts, stops = before.lists[:-1], before.lists[1:]
    ranks = close_gaps(-ordered.values, starts, stops, before.scale, removed[rows_before])
    values = after.values.copy()
    values[rows_before] = 0.0 - ranks
    return after._replace(values=values, scale=RankScale(1, False))


def places_of_ranks(rows: RecordRows) -> Integers | None:
    """The place of each row in its list, if its ranks have gaps; None without ranks or gaps."""
    if rows.scale is None:
        return None
    return find_places(-rows.values, rows.lists[:-1], rows.lists[1:], rows.scale)


def index(rows: RecordRows) -> tuple[Table, int | None]:
    """Build hash tables of all lists; return also a row with the document of an earlier one."""
    starts = np.empty(len(rows.lists), np.int64)
    slots = np.zeros(_core.table_starts(rows.lists, starts), np.uint64)
    repeated = _core.index_lists(rows.ids, rows.id_starts, rows.lists, slots, starts)
    return (slots, starts), repeated


def find_documents(
    wanted: RecordRows,
    codes: Codes,
    queries: Integers,
    rows: RecordRows,
    tables: Table | None,
    list_of: Integers,
    ranks: Integers | None = None,
) -> tuple[Integers, Integers, Floats, int | None]:
    """Find the documents of wanted queries among rows.

    codes: hashes of the wanted ids; queries: numbers of the wanted queries, or -1; tables: of the
    rows, else made list by list; list_of: the list of each query among them, or -1; ranks: of the
    rows, if they stand in another order. Return the ranks of the documents, ascending, as CSR rows,
    their values, and, without tables, a row with the document of an earlier one.
    """
    # Each wanted document is found at most once, so there are no more hits than wanted documents.
    wanted_sizes = wanted.lists[queries + 1] - wanted.lists[queries]
    capacity = int(wanted_sizes[queries >= 0].sum())
    indptr = np.empty(len(queries) + 1, np.int64)
    indices = np.empty(capacity, np.int64)
    values = np.empty(capacity)
    slots, slot_starts = tables or (None, None)
    hits, repeated = _core.join_lists(
        (wanted.ids, wanted.id_starts, wanted.lists, codes, wanted.values),
        (rows.ids, rows.id_starts, rows.lists, slots, slot_starts),
        queries,
        list_of,
        ranks,
        (indptr, indices, values),
    )
    return indptr, indices[:hits].copy(), values[:hits].copy(), repeated


def smallest_repeated_ids(rows: RecordRows) -> dict[int, bytes]:
    """The least document id that is twice in a list, by the number of the list."""
    repeats = np.empty(len(rows.values), np.uint8)
    _core.index_lists(rows.ids, rows.id_starts, rows.lists, repeated=repeats)
    smallest: dict[int, bytes] = {}
    for row in np.flatnonzero(repeats).tolist():
        i = int(np.searchsorted(rows.lists, row, side="right")) - 1
        document = rows.ids[rows.id_starts[row] : rows.id_starts[row + 1]].tobytes()
        smallest[i] = min(smallest.get(i, document), document)
    return smallest


def positions(source: RecordRows, ordered: RecordRows) -> Integers | None:
    """Return the position of each ordered row in its list of the source; None if no row moved."""
    if ordered.order is source.order or ordered.order is None:
        return None
    # The place of a row in its list: its number less that of the first row of the list.
    firsts = np.repeat(source.lists[:-1], np.diff(source.lists))
    places = np.arange(len(firsts)) - firsts
    if source.order is None:
        return places[ordered.order]
    by_row = np.empty(len(source.values), np.int64)
    by_row[source.order] = places
    return by_row[ordered.order]


class JoinCache:
    """Data of qrels for joins, computed once."""

    __slots__ = ("codes", "descending", "ideals", "keys")

    def __init__(self, rows: RecordRows) -> None:
        self.descending = rows.values.copy()  # the labels of each list, sorted
        _core.sort_descending(self.descending, rows.lists)
        self.codes = np.empty(len(rows.values), np.uint64)  # hashes of the document ids
        _core.hash_ids(rows.ids, rows.id_starts, self.codes)
        # Cached by type (integers or not): the ids of each query as keys of a dict.
        self.keys: dict[bool, list[list[object] | None]] = {}
        # Cached by truncation of labels: the ideal rankings.
        self.ideals: dict[bool, Any] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The judged queries of a join, in the order of the qrels; arrays are flat, list by list.

    The documents of list i stand in canonical order (score descending, id descending), at
    starts[i] .. stops[i] - 1 of scores; without scores, in the order of the tie rule that the join
    was made for. Its judged documents among them are CSR row i:
    indptr[i] .. indptr[i + 1] - 1 of indices (their ranks, from 0, ascending) and labels; all
    others are unjudged. A stored label of 0 means judged and not relevant. All labels of the query
    in the qrels, retrieved or not, are judged[judged_lists[i] : judged_lists[i + 1]], descending.
    """

    queries: tuple[str, ...]
    displayed: tuple[object, ...]  # the same in their original type, integers or text
    in_run: Mask  # False: the list is empty
    starts: Integers
    stops: Integers
    indptr: Integers
    indices: Integers
    labels: Floats
    judged: Floats
    judged_lists: Integers
    unjudged: tuple[str, ...] = ()  # queries of the run that have no judgments
    scores: Floats | None = None  # None: only ranks are known
    places: Integers | None = None  # of each document in its list of the source; None: its rank
    sizes: Integers | None = None  # number of documents that share the rank of each hit; None: 1
    of_ranks: bool = False  # scores are negated ranks
    ranked_places: Integers | None = None  # of each document, from 0, if its ranks have gaps
    join_cache: JoinCache | None = None  # of the qrels, if they are a Qrels
    parts: PartLabels | None = None  # labels for the parts of the queries
    # With parts: the number of the judged document of each label, from 1; 0: it does not count.
    documents: Floats | None = None
    unmatched: UnmatchedIds | None = None  # example ids, if no document of the run is judged
    # Cached by what the next two methods leave out: "scores", or labels below a number.
    cached: "dict[str | float, Joined]" = field(default_factory=dict, init=False)

    def without_scores(self) -> "Joined":
        """The same with ranks alone: hits of one score share the first rank of their tie block."""
        if "scores" not in self.cached:
            assert self.scores is not None
            # The core changes ranks and labels in place, and fills the sizes of the tie blocks.
            indices, labels = self.indices.copy(), self.labels.copy()
            sizes = np.empty_like(indices)
            lists = self.starts, self.stops, self.indptr
            has_ties = _core.share_ranks(self.scores, *lists, indices, labels, sizes)
            ranked = replace(self, scores=None, places=None, indices=indices, labels=labels)
            if has_ties:
                ranked = replace(ranked, sizes=sizes)
            self.cached["scores"] = ranked
        return self.cached["scores"]

    def condensed(self, min_label: float = -np.inf) -> "Joined":
        """Remove unjudged documents, and those with labels below `min_label`."""
        if min_label not in self.cached:
            self.cached[min_label] = self._without_unjudged(min_label)
        return self.cached[min_label]

    def _without_unjudged(self, min_label: float) -> "Joined":
        """The join without documents that are unjudged or have labels below `min_label`."""
        kept = self.labels >= min_label
        # The new border of a list is the number of hits that are kept before it.
        indptr = add_sizes(kept.astype(np.int64))[self.indptr]
        sizes = np.diff(indptr)
        remaining = np.repeat(self.starts, sizes) + self.indices[kept]
        ranks = np.arange(len(remaining)) - np.repeat(indptr[:-1], sizes)
        block_sizes = None
        if self.sizes is not None:
            # Equal ranks stay equal: the documents of a tie block share its first new rank.
            is_first = (ranks == 0) | (np.diff(self.indices[kept], prepend=-1) != 0)
            block = np.cumsum(is_first) - 1
            ranks = ranks[is_first][block]
            block_sizes = np.bincount(block)[block]

        return replace(
            self,
            scores=_select(self.scores, remaining),
            places=_select(self.places, remaining),
            starts=indptr[:-1],
            stops=indptr[1:],
            indptr=indptr,
            indices=ranks,
            labels=self.labels[kept],
            documents=_select(self.documents, kept),
            sizes=block_sizes,
            ranked_places=None,  # the documents that gaps stand for are not judged either
        )


def _select(
    array: np.ndarray[Any, np.dtype[Number]] | None, indices: Integers | Mask
) -> np.ndarray[Any, np.dtype[Number]] | None:
    """The items of an array with these indices; None if there is no array."""
    if array is None:
        return None
    return array[indices]


def find_form(source: object) -> Form:
    """How a source is read: as rows of TREC, as a frame, as JSON, or as objects."""
    kind = type(source)
    if isinstance(source, (str, os.PathLike)):
        check_path(source)
        suffix = find_suffix(source)
        if os.path.isdir(source):
            from ..inputs.tables.source import has_tables  # late, as the drop-in for trec_eval

            return "frame" if has_tables(source) else "rows"
        is_table = suffix in (".csv", ".tsv") and not has_rows(source)
        if is_table or str(os.fspath(source)).lower().endswith(PARQUET):
            return "frame"
        return "json" if suffix in JSON else "rows"
    if hasattr(kind, "columns") or hasattr(kind, "column_names"):
        return "frame"
    library = kind.__module__.partition(".")[0]
    is_series = library in ("pandas", "polars", "pyarrow")  # whose frames name their columns
    if hasattr(kind, "__arrow_c_stream__") and not is_series:
        return "frame"
    return "rows" if is_open_file(source) else "objects"


def join_counts(
    queries: Sequence[object], sizes: Integers, hits: Sequence[Any], judged: Sequence[Any]
) -> Joined:
    """The join of judgments and a run of which only counts of documents are known.

    sizes: of the list of each query; hits: of the judged documents in lists, the number of the
    query, the label, and how many documents stand above and have the same rank; judged: of all
    judged documents, the number of the query and the label.
    """
    n = len(queries)
    names = tuple(map(str, queries))
    non_text_ids = [query for query in queries if not isinstance(query, str)]
    # Hits by query, by the number of documents above them, and of one tie block by label.
    query_of_hit, labels, above, equal = hits
    hit_order = np.lexsort((-labels, above, query_of_hit))
    query_of_label, judged_labels = judged
    label_order = np.argsort(query_of_label, kind="stable")
    ends = add_sizes(sizes)
    return Joined(
        names,
        as_original_ids(names, non_text_ids) or names,
        in_run=sizes > 0,
        starts=ends[:-1],
        stops=ends[1:],
        indptr=add_sizes(np.bincount(query_of_hit, minlength=n)),
        indices=above[hit_order],
        labels=labels[hit_order],
        judged=judged_labels[label_order],
        judged_lists=add_sizes(np.bincount(query_of_label, minlength=n)),
        sizes=equal[hit_order] if equal.max(initial=1) > 1 else None,
    )


def has_rows(path: Source) -> bool:
    """Whether a file with the suffix of CSV or TSV starts with a row instead of column names.

    It does if there is a number in one of the columns that hold a label, rank or score in a row of
    TREC, or in .tsv also in the third of three columns. A .tsv with two columns does if the first
    is not named like a column of queries.
    """
    from ..inputs.tables.roles import QUERIES  # late, as the drop-in for trec_eval starts without

    try:
        with open_source(path) as stream:
            start = stream.read(BLOCK).removeprefix(BYTE_ORDER_MARK)
    except decompression_errors(OSError, ValueError):
        return False  # reading it raises the error
    if has_other_lines(start):
        return True
    first = b""
    for line in start.splitlines():
        if line.strip() and not line.startswith(b"#"):
            first = line
            break
    by_tabs = first.split(b"\t")
    first_numeric = 3  # the first column that may hold a number
    if find_suffix(path) == ".tsv":
        first_numeric = 2
        if len(by_tabs) == 2 and not QUERIES.matching([by_tabs[0].decode("utf-8", "replace")]):
            return True
    for text in (*first.split()[first_numeric:5], *by_tabs[first_numeric:5]):
        with suppress(ValueError):
            float(text)
            return first.count(b",") < 2
    return False


def read_rows(source: Source, is_qrels: bool) -> tuple[RecordRows, bool]:
    """Read a TREC file; return also whether the second fields of qrels differ."""
    reader = _core.Rows(is_qrels, False, find_suffix(source) == ".tsv")
    parse_source(source, reader, lambda stream: read_other_lines(stream, reader, is_qrels))
    rows = collect(reader.names_of_queries(), reader.columns())
    if is_qrels and (reader.iterations or reader.fields == 3):
        times = np.flatnonzero(rows.values >= MIN_TIME)
        if len(times) > 1 and 2 * len(times) >= len(rows.values):  # mostly times
            line = rows.line(int(times[0]))
            has_ratings = not reader.fields
            names, shape = "user, item and time", "query, document and label"
            label, second_field = "...", ""
            if has_ratings:
                names, shape = "user, item, rating and time", "query, iteration, document and label"
                label, second_field = "rating", ", and the second differs from row to row"
            raise ValueError(
                f"{name_source(source)}, line {line}: this looks like a log of {names}, not like "
                f"qrels of {shape}: the last field holds times{second_field}. Read it as a data "
                "frame with column names, and pass rankgain.Qrels.from_frame(frame, "
                f'query="user", doc="item", label="{label}"){line_text(source, line)}'
            )
        if reader.iterations:
            if rows.ids.size == rows.values.size and (rows.ids == ord("#")).all():
                raise ValueError(
                    f"{name_source(source)}: each document is '#', as in judgment lines (3 qid:1 # "
                    "d1), which are read from a file that is not a pipe"
                )
            _refuse_log(rows, source)
    elif not is_qrels and reader.fields:
        rows = _read_ranks(reader, rows, source)
    if reader.comment or reader.orders == AGAINST:
        warn_of_lines(source, reader.comment, reader.orders)
    return rows, reader.iterations


def _refuse_log(rows: RecordRows, source: Source) -> None:
    """Refuse four columns that are no qrels: user, item, rating and day; or a user and three items.

    The second fields of the rows differ. That of qrels does where it is a subtopic or a stratum,
    beside labels as people give them.
    """
    large = np.flatnonzero(np.abs(rows.values) > LARGEST_LABEL)
    ids = _distinct_ids(rows, MAX_RATINGS)
    are_ratings = bool(ids) and all(RATING.fullmatch(document_id) for document_id in ids)
    are_decimals = are_ratings and any(b"." in document_id for document_id in ids)
    if not (are_decimals or 2 * len(large) > len(rows.values)):
        return
    line = rows.line(int(large[0]) if len(large) else 0)
    if are_ratings:
        names, reason = "user, item, rating and day", "the documents are ratings"
    else:
        names = "users and items"
        reason = f"labels such as {rows.values[large[0]]:g} are larger than people give"
    raise ValueError(
        f"{name_source(source)}, line {line}: this looks like a log of {names}, not like qrels of "
        "query, iteration, document and label: the second field differs from row to row, and "
        f"{reason}. Read it as a data frame with column names, and pass "
        'rankgain.Qrels.from_frame(frame, query="user", doc="item", label="rating")'
        f"{line_text(source, line)}"
    )


def _distinct_ids(rows: RecordRows, limit: int) -> set[bytes]:
    """The document ids; none if there are more than `limit`."""
    ids: set[bytes] = set()
    data = rows.ids.tobytes()
    for start, stop in pairwise(rows.id_starts.tolist()):
        ids.add(data[start:stop])
        if len(ids) > limit:
            return set()
    return ids


def warn_of_lines(source: Source, comment: int, orders: int) -> None:
    """Warn of a comment that may be a row, and of ranks against the scores."""
    from ..engine.notices import warn  # late, as the drop-in for trec_eval starts without

    if comment:
        warn(
            f"{name_source(source)}, line {comment} begins with # and is skipped as a comment, but "
            "it has the fields of a row. A query id that begins with # can be read from a dict or "
            f"a data frame{line_text(source, comment)}"
        )
    if orders == AGAINST:
        warn(
            f"{name_source(source)}: in every query the ranks contradict the scores, and the "
            "higher score comes first. If the scores are distances, negate them"
        )


def find_place(source: Any, line: int) -> tuple[str, str]:
    """The name of a file or frame, and which line or row of it is this line of a source."""
    if not hasattr(source, "find_row"):
        return name_source(source), f"line {line}"
    name, number = source.find_row(line - 1)  # in one of several files, or in a part of a table
    return name, f"{source.unit} {number}"


def _place_of_row(source: Source, rows: RecordRows, row: int) -> str:
    return f"{name_source(source)}, line {rows.line(row)}"


def _rise(values: Floats, rows: RecordRows, by: int = 1) -> bool:
    """Whether the values of each list rise in the order of the file; by=-1: fall."""
    if rows.order is not None:
        values = values[rows.order]
    rises = np.sign(np.diff(values)) == by
    rises[rows.lists[1:-1] - 1] = True  # from one list to the next
    return bool(rises.all())


def _refuse_falling(numbers: Floats, rows: RecordRows, source: Source) -> None:
    """Refuse numbers in place of ranks that fall to 1 (or 0) in each list, as points do."""
    sizes = np.diff(rows.lists)
    if sizes.max(initial=0) < 2 or not _rise(numbers, rows, -1):
        return
    order = np.arange(len(numbers)) if rows.order is None else rows.order
    last_rows = rows.lists[1:][sizes > 0] - 1
    ends = numbers[order[last_rows]]
    if ends[0] not in (0, 1) or (ends != ends[0]).any():
        return
    # The first row of the first list with two rows or more.
    index = rows.lists[np.argmax(sizes > 1)]
    line = rows.line(int(order[index]))
    raise ValueError(
        f"{name_source(source)}, line {line}: the third column falls to {ends[0]:g} in every "
        "query, so it may hold ranks in reverse order, or scores such as points. Without a header "
        "it is read as ranks. Read the file as a data frame with column names, and pass "
        "rankgain.Run.from_frame(frame, score=...) for scores, or rank=... for "
        f"ranks{line_text(source, line)}"
    )


def _read_ranks(reader: _core.Rows, rows: RecordRows, source: Source) -> RecordRows:
    """Check ranks, which must be 1, 2, 3 and so on, or 0, 1, 2 and so on, in each query.

    In place of scores, ranks may have gaps if they rise in the order of the file. Return the rows;
    ranks in place of scores are negated.
    """
    ranks = rows.values if reader.fields == 3 else np.asarray(reader.ranks()).view(np.float64)
    sizes = np.diff(rows.lists)
    lists = np.repeat(np.arange(len(sizes)), sizes)
    order = np.arange(len(ranks)) if rows.order is None else rows.order
    by_rank = np.lexsort((ranks[order], lists))
    order = order[by_rank]
    ordered = ranks[order]
    # n different whole numbers in first .. first + n - 1, with first 0 or 1, are all of these
    # numbers: so the ranks of a list have no gap if none is repeated or outside of that range.
    starts_at_1 = ordered[rows.lists[:-1]] > 0
    first_rank = np.repeat(starts_at_1.astype(np.int64), sizes)
    stop_rank = np.repeat(sizes, sizes) + first_rank
    repeated = np.zeros(len(ordered), bool)
    repeated[1:] = (ordered[1:] == ordered[:-1]) & (lists[1:] == lists[:-1])
    wrong = repeated | (ordered % 1 != 0) | (ordered < first_rank) | (ordered >= stop_rank)
    if reader.fields == 3 and not ((ranks % 1 != 0) | (ranks < 0)).any():
        _refuse_falling(ranks, rows, source)
        if _rise(ranks, rows):
            wrong[:] = False
    if not wrong.any():
        if reader.fields == 4:
            return rows
        scale = find_scale(ranks, "the rank", lambda row: _place_of_row(source, rows, row))
        return rows._replace(values=0.0 - ranks, scale=scale)
    if repeated.any():
        wrong = repeated
    index = int(wrong.argmax())
    line = rows.line(int(order[index]))
    query = rows.queries[lists[index]]
    shape = "three columns of a run are read as query, document and rank"
    remedy = "If the third column holds scores, add a header"
    if reader.fields == 4:
        shape = "four columns of a run are read as query, document, rank and score"
        remedy = "Did you swap qrels and run? Otherwise add a header"
    second = " a second time" if repeated[index] else ""
    raise ValueError(
        f"{name_source(source)}, line {line}: {shape}, with the ranks 1, 2, 3 and so on (or 0, 1, "
        f"2) in each query, but {describe(query)} has {ordered[index]:g}{second}. {remedy}, or "
        f"use TREC's format{line_text(source, line)}"
    )
