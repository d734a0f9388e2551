"""Read qrels and runs of other forms than rows: dicts, rows with names, JSON and data frames."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from functools import partial
from itertools import chain, islice
from numbers import Number
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from .. import _core
from ..engine.notices import warn
from ..inputs.answers import (
    READ,
    holds_lists,
    is_answer,
    plain,
    read_answers,
    read_judgments,
    read_list,
    read_lists,
    read_ratings,
)
from ..inputs.entries import are_entries, parse_number
from ..inputs.files import (
    Source,
    decompression_errors,
    errors_in,
    find_suffix,
    name_source,
    open_source,
    read_json_lines,
    refuse_empty_file,
    refuse_repeated_keys,
)
from ..inputs.grouping import encode_texts, factorize, group_rows
from ..inputs.lists import add_sizes
from ..inputs.printable import WITH_TEXT, describe, find_kind, refuse_equal_texts
from ..inputs.ranks import RankScale, find_scale
from ..inputs.tables.columns import (
    Numbers,
    choose_header,
    in_memory,
    keys,
    numbers,
    refuse_missing,
    refuse_wide,
    select_series,
    split_struct,
    starts_of_runs,
)
from ..inputs.tables.roles import (
    LABELS,
    RANKS,
    SCORES,
    CheckedKeys,
    Leftovers,
    choose,
    choose_document,
    choose_query,
    find_leftovers,
    no_column,
    refuse_split_lists,
    require,
    scores_as_labels,
)
from ..inputs.tables.source import Origin, open_frame
from .repeats import refuse_repeated
from .rows import Integers, RecordRows, as_original_ids, collect, sort_rows

if TYPE_CHECKING:
    import narwhals as nw

    from ..inputs.types import Floats


Row = tuple[Any, Any, Any]  # query, document, number
TEXTS = ("str", "str")  # the kinds of two ids of text
ARRAYS = "; arrays of labels and scores are what evaluate_arrays takes"
# What to do with a column of systems, in a table and in rows.
RUN_HINT = "evaluate_runs takes it as run={} if it names systems; else remove the column"
HINT_OF_ROWS = (
    "if it names systems, make a data frame of the rows, which evaluate_runs reads with run={}; "
    "else remove the column"
)


def read_objects(source: Any, is_qrels: bool, duplicates: str) -> tuple[RecordRows, object]:
    """Read a dict, rows with names or JSON; return also the source for errors."""
    name = "qrels" if is_qrels else "run"
    reader = _core.Rows(is_qrels, False, False)
    if find_suffix(source) == ".json":
        name = name_source(source)
        source = read_json(source)
        if not isinstance(source, dict) and not are_entries(source):
            raise ValueError(
                f"{name}: expected an object query -> document -> number, or a list of objects"
            )
    source = plain(source)
    items = None
    origin = Origin(name, arguments_of=None, run_hint=HINT_OF_ROWS)
    if isinstance(source, Mapping):
        converted = read_judgments(source, name) if is_qrels else read_answers(source, name)
        if converted is not None:
            source = converted
    elif isinstance(source, (str, os.PathLike)):
        origin = Origin(name_source(source), "line", None, run_hint=RUN_HINT)
        items = iter(read_json_lines(source, origin.name))
        source = Origin(origin.name)
    elif isinstance(source, Iterable) and not isinstance(source, (bytes, np.ndarray)):
        if name in ("qrels", "run"):  # no file
            origin = origin._replace(name=f"the {type(source).__name__}")
        items = enumerate(source, 1)
        source = origin
    if items is not None and (first := next(items, None)) is not None:
        items = chain([first], items)
        unit = f"{origin.name}, {origin.unit}"
        if holds_lists(first[1], is_qrels, f"{unit} 1"):
            source = read_lists(items, is_qrels, unit)
            items = None
            name = origin.name
    if items is not None:
        non_text_ids = _add_rows(reader, _read_named(items, is_qrels, origin), origin)
    elif isinstance(source, Mapping):
        with errors_in(name):
            non_text_ids = _add_mapping(reader, source, is_qrels, duplicates)
    else:
        target = "Qrels" if is_qrels else "Run"
        hint = ARRAYS if _is_array(source) else ""
        raise TypeError(
            f"{target} cannot be read from {type(source).__name__}; give a path, a file, a dict of "
            f"dicts or of lists, a data frame, or rows with names{hint}"
        )
    rows = collect(reader.names_of_queries(), reader.columns())
    return rows._replace(original_ids=as_original_ids(rows.queries, non_text_ids)), source


def read_json(source: Source) -> object:
    """The object that a JSON file holds."""
    try:
        with open_source(source) as stream, io.TextIOWrapper(stream, "utf-8-sig") as text:
            return json.load(text, object_pairs_hook=refuse_repeated_keys)
    except decompression_errors(ValueError, RecursionError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the system
            raise
        refuse_empty_file(source)
        raise ValueError(f"{name_source(source)}: not JSON: {error}") from None


def _is_array(value: object) -> bool:
    """Whether a value is an array, a list or a number, as for `evaluate_arrays`."""
    return isinstance(value, (Number, np.generic, list, tuple)) or hasattr(value, "__array__")


def _read_named(
    items: Iterable[tuple[int, Any]], is_qrels: bool, origin: Origin
) -> Iterator[tuple[int, Row]]:
    """Read rows with names: named tuples, objects or dicts."""
    names: list[str] = []
    kind: type | None = None
    get: Callable[[Any], Any] = tuple
    check: _RowCheck | None = None
    for number, item in items:
        if type(item) is not kind:
            kind = type(item)
            fields = _fields_of(item)
            if fields is None:
                number_name = "relevance" if is_qrels else "score"
                hint = ARRAYS if _is_array(item) else ""
                raise TypeError(
                    f"{origin.name}, {origin.unit} {number}: expected a row with names, such as "
                    f"query_id, doc_id and {number_name}, not {describe(item)}{hint}"
                )
            if not names:
                found = find_columns(list(fields), NamedColumns(), is_qrels, origin)
                names = [*found.ids, found.number]
                check = _RowCheck(found, origin) if found.leftovers.names else None
            get = itemgetter(*names) if fields is item else attrgetter(*names)
        try:
            row = get(item)
        except (KeyError, AttributeError):
            has = item if isinstance(item, Mapping) else dir(item)
            missing = next(name for name in names if name not in has)
            raise ValueError(
                f"{origin.name}, {origin.unit} {number}: {describe(missing)} is missing"
            ) from None
        if check is not None:
            check.add(item, row)
        yield number, row
    if check is not None:
        check.refuse_split_lists()


def _fields_of(item: Any) -> Mapping[str, object] | None:
    """The fields of a row by name; None if it is not a row with names."""
    if isinstance(item, Mapping):
        return item
    if getattr(item, "_asdict", None) is None:
        fields = getattr(item, "__dict__", None)
    else:
        fields = item._asdict()
    return fields if fields and isinstance(fields, Mapping) else None


class _RowCheck:
    """Rows with columns that may show that they are misread, kept until all are there."""

    def __init__(self, found: FoundColumns, origin: Origin) -> None:
        self.found = found
        self.origin = origin
        self.names = [*found.ids, *found.leftovers.names]
        self.values: list[list[object]] = [[] for _ in self.names]

    def add(self, item: Any, row: Row) -> None:
        """Keep the ids of a row, and its values of the columns to look at."""
        get = item.get if isinstance(item, Mapping) else partial(getattr, item)
        extra_values = [get(name, None) for name in self.found.leftovers.names]
        for column, value in zip(self.values, [*row[:2], *extra_values], strict=True):
            column.append(value)

    def refuse_split_lists(self) -> None:
        """Refuse lists that hold several values of a column that names lists or systems."""
        columns = []
        for name, values in zip(self.names, self.values, strict=True):
            hashable = np.fromiter(map(_as_key, values), object, len(values))
            columns.append(Numbers(name, hashable))
        query, doc, *extra_columns = columns
        by_name = dict(zip(self.found.leftovers.names, extra_columns, strict=True))
        checked_keys = CheckedKeys(query, self.found.query, doc, group_rows(keys(query)))
        refuse_split_lists(self.found.leftovers, by_name, checked_keys, self.origin)


def _as_key(value: object) -> Hashable:
    """A value that can be compared with others of its column."""
    try:
        hash(value)
    except TypeError:  # also of a tuple that holds a list
        return repr(value)
    return value


def _add_rows(rows: _core.Rows, items: Iterable[tuple[int, Row]], origin: Origin) -> list[object]:
    """Add rows, those of one query that follow each other at once; return ids that are no text."""
    non_text_ids = []
    first: tuple[str, str] | None = None
    as_text: bool | None = None  # whether numbers are text
    last = None
    pairs: list[tuple[object, object]] = []
    numbers: list[int] = []
    for number, (query, document, value) in items:
        kinds = TEXTS
        if type(query) is not str or type(document) is not str:
            kinds = find_kind(query), find_kind(document)
        if first is None:
            first = kinds
        elif kinds != first:  # 7 and "7" would become equal
            index = int(kinds[0] == first[0])
            role = ("query", "document")[index]
            identifier = describe((query, document)[index])
            raise TypeError(
                f"{origin.name}, {origin.unit} {number}: the {role} {identifier} is {kinds[index]},"
                f" those before are {first[index]}; ids of different types never match; convert "
                "them to one type"
            )
        if as_text is None:
            as_text = isinstance(value, str)
        if as_text and isinstance(value, str):
            value = parse_number(value, f"{origin.name}, {origin.unit} {number}: a label or score")
        elif as_text:
            raise TypeError(
                f"{origin.name}, {origin.unit} {number}: a label or score is {describe(value)}, "
                "those before are text; give all as numbers"
            )
        if numbers and type(query) in (str, int) and query == last:
            pairs.append((document, value))
            numbers.append(number)
            continue
        _add_query(rows, last, pairs, numbers, origin)
        last = query
        pairs, numbers = [(document, value)], [number]
        if not isinstance(query, str):
            non_text_ids.append(query)
    _add_query(rows, last, pairs, numbers, origin)
    return non_text_ids


def _add_query(
    rows: _core.Rows, query: Any, pairs: list[tuple[Any, Any]], numbers: list[int], origin: Origin
) -> None:
    """Add the rows of one query; numbers: of the rows in their source, for errors."""
    if not pairs:
        return
    try:
        rows.add(query, pairs)
    except (TypeError, ValueError, OverflowError):
        for number, (document, value) in zip(numbers, pairs, strict=True):
            try:
                rows.add(query, [(document, value)])
            except (TypeError, ValueError, OverflowError) as error:
                if not isinstance(value, (Number, np.number, np.bool_)):
                    problem = f"a label or score must be a number, not {describe(value)}"
                elif isinstance(error, OverflowError):
                    problem = f"the number {describe(value)} is too large for a float64"
                else:
                    problem = str(error)
                kind = TypeError if isinstance(error, TypeError) else ValueError
                raise kind(f"{origin.name}, {origin.unit} {number}: {problem}") from None
        raise


def _add_mapping(
    rows: _core.Rows, source: Mapping[Any, Any], is_qrels: bool, duplicates: str
) -> list[object]:
    """Read a dict of dicts, or of lists or sets of ids."""
    number = "label" if is_qrels else "score"
    refuse_equal_texts(source, "the queries")
    as_text: bool | None = None  # whether numbers are text
    for query, documents in source.items():
        place = f"query {describe(query)}"
        if isinstance(documents, Mapping) and not _is_nested(documents):
            pairs: Collection[tuple[object, object]] = documents.items()
        else:
            pairs = _read_listed(place, documents, is_qrels, duplicates)
        is_text = any(isinstance(value, str) for _, value in islice(pairs, 1))
        if pairs and as_text is None:
            as_text = is_text
        if pairs and as_text and not is_text:
            raise TypeError(
                f"{place}: its {number}s are numbers, those before are text; give all as numbers"
            )
        if as_text:
            texts, pairs = pairs, []
            for document, text in texts:
                place_of_text = f"{place}, document {describe(document)}"
                pairs.append((document, _parse(text, place_of_text, number)))
        if not pairs and is_qrels:
            continue
        try:
            rows.add(query, pairs)
        except OverflowError:
            raise ValueError(f"{place}: a {number} is too large") from None
        except (TypeError, ValueError) as error:
            words = f": {error}"
            for document, value in pairs:
                if not _is_number(value):
                    words = (
                        f", document {describe(document)}: a {number} must be a number, not "
                        f"{describe(value)}"
                    )
                    break
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{place}{words}") from None
    return [query for query in source if not isinstance(query, str)]


def _is_number(value: Any) -> bool:
    """Whether a value is a number that fits a float64; NaN is not."""
    try:
        return not math.isnan(value)
    except (TypeError, OverflowError):
        return False


def _parse(value: object, place: str, number: str) -> object:
    """The number that a text holds; other values as they are."""
    if isinstance(value, str):
        return parse_number(value, f"{place}: a {number}")
    return value


def _is_nested(documents: Mapping[Any, Any]) -> bool:
    """Whether the values of documents are no numbers: an answer, or fields of each document."""
    first = next(iter(documents.values()), None)
    return isinstance(first, (Mapping, list)) or is_answer(documents)


def _read_listed(
    place: str, ids: Any, is_qrels: bool, duplicates: str
) -> list[tuple[object, object]]:
    """Read a set or list of ids, hits or pairs: relevant ones, or a ranking, best first."""
    entries = read_list(ids, place, is_qrels)
    if entries is not None:
        if not is_qrels and duplicates == "raise":
            refuse_repeated(entries.ids, place)
        return entries.pairs(is_qrels)
    if isinstance(ids, Mapping) and is_qrels:
        return read_ratings(ids, place).pairs(True)
    if isinstance(ids, Set) and not is_qrels:
        raise TypeError(f"{place}: a set has no order; give a list, best first")
    if isinstance(ids, np.ndarray) and ids.ndim == 1:
        ids = ids.tolist()
    if not isinstance(ids, (Set, list, tuple)):
        if isinstance(ids, Mapping):  # of which each value is a mapping too
            raise TypeError(
                f"{place}: expected scores, but its documents have dicts. For runs of several "
                f"systems call rankgain.evaluate_runs(qrels, runs, measures); {READ}"
            )
        kind = type(ids).__name__
        raise TypeError(
            f"{place}: expected a dict of documents or a list of ids, not {kind}; {READ}"
        )
    for document in ids:
        if find_kind(document) not in WITH_TEXT:
            raise TypeError(
                f"{place}: an id must be a string or an integer, not {describe(document)}"
            )
    if not is_qrels and duplicates == "raise":
        refuse_repeated(ids, place)
    if is_qrels:
        return [(document, 1) for document in ids]
    scores = range(len(ids), 0, -1)  # best first
    return list(zip(ids, scores, strict=False))


class NamedColumns(NamedTuple):
    """A frame, and names of its columns; None: search for the usual spellings."""

    frame: object = None
    query: str | Sequence[str] | None = None
    document: str | None = None
    number: str | None = None
    of_ranks: bool = False  # the numbers are ranks in place of scores: smaller is better
    holds_one_system: bool = False  # the caller says so
    is_argument: bool = False  # the columns are arguments of the function that was called
    scale: RankScale | None = None  # of the ranks of the whole table; None: of those in the frame
    subtopic: str | None = None  # the column with the part of the query that a row judges
    importance: str | None = None  # the column with the weight of the part


class FoundColumns(NamedTuple):
    """The columns of a table of judgments or of a run."""

    query: list[str]
    doc: str
    number: str  # of labels, scores or ranks
    leftovers: Leftovers = Leftovers()  # columns without a role to look at

    @property
    def ids(self) -> list[str]:
        """The columns that hold ids."""
        return [*self.query, self.doc]

    @property
    def names(self) -> list[str]:
        """The columns to read, each once."""
        return list(dict.fromkeys([*self.query, self.doc, self.number, *self.leftovers.names]))


def read_frame(requested: NamedColumns, is_qrels: bool) -> tuple[RecordRows, Origin]:
    """The rows of a frame, grouped by query, and the name of the frame for errors."""
    frame, origin = open_frame(requested.frame)
    if not requested.is_argument:
        origin = name_arguments(origin, is_qrels)
    header = choose_header(frame)
    found = find_columns(header, requested, is_qrels, origin)
    names = list(found.names)
    if not (is_qrels or requested.of_ranks or requested.number):
        names += RANKS.matching(header)[:1]  # compared with the scores below
    columns = select_series(in_memory(frame, names, origin), names)
    by_name = dict(zip(names, columns, strict=True))
    scores, ranks = by_name[found.number], columns[len(found.names) :]
    values = read_numbers(scores, origin)
    scale = requested.scale
    if requested.of_ranks:
        scale_of_frame = find_scale(values, scores.name, origin.row)
        scale = scale or scale_of_frame
        # The best rank, the smallest, becomes the highest score; 0.0 - x makes no negative zero.
        values = 0.0 - values
    documents = read_id_column(by_name[found.doc], origin)
    ids, starts = _encode_ids(documents)
    originals: list[nw.Series[Any]] = []
    for name in found.query:
        originals += cast("list[nw.Series[Any]]", split_struct(by_name[name], origin))
    queries = [read_id_column(column, origin) for column in originals]
    query = queries[0] if len(queries) == 1 else tuple(queries)
    if found.leftovers.names:
        checked_keys = CheckedKeys(query, found.query, documents, group_rows(keys(query)))
        refuse_split_lists(found.leftovers, by_name, checked_keys, origin)
    firsts = starts_of_runs(query) if len(documents) else np.empty(0, np.int64)
    query_ids, runs = _number_runs(queries, firsts)
    rows = collect(query_ids, (ids, starts, values, runs, ()))
    for column in ranks:
        _warn_if_orders_disagree(rows, scores.name, column, origin)
    original_ids = _original_ids(originals, rows.queries)
    return rows._replace(original_ids=original_ids, scale=scale), origin


def _number_runs(queries: list[nw.Series[Any]], firsts: Integers) -> tuple[list[bytes], Integers]:
    """The ids of the queries, and each run of rows of one query as first row and query number.

    queries: the columns of the query id as text; firsts: the first row of each run.
    """
    all_differ = bool(queries) and len(firsts) == len(queries[0])
    if all_differ:  # a slice is faster than a selection of all rows
        texts = [column.gather_every(1) for column in queries]
    else:
        texts = [column[firsts] for column in queries]
    query_keys = texts[0].to_list() if len(texts) == 1 else zip(*map(list, texts), strict=True)
    numbers, distinct_keys = factorize(query_keys)
    query_ids = []
    for key in distinct_keys:
        text = key if isinstance(key, str) else text_of_key(key)
        query_ids.append(text.encode("utf-8", "surrogateescape"))
    return query_ids, np.column_stack((firsts, numbers))


def _warn_if_orders_disagree(
    rows: RecordRows, score: str, column: nw.Series[Any], origin: Origin
) -> None:
    """Warn if a column of ranks, which is not used, orders a list otherwise than its scores."""
    try:
        ranks = read_numbers(column, origin)
    except (TypeError, ValueError):  # not ranks
        return
    order = sort_rows(rows).order
    by_score = ranks if order is None else ranks[order]
    # The ranks agree with the scores if, by descending score, they rise inside of each list.
    rises = np.append(np.diff(by_score) >= 0, True)
    rises[rows.lists[1:-1] - 1] = True  # from the end of a list to the next one
    if rises.all():
        return
    index = int(np.searchsorted(rows.lists, rises.argmin(), side="right")) - 1
    rank = column.name
    warn(
        f"{origin.name} has the columns {describe(rank)} and {describe(score)}, whose orders "
        f"disagree for {describe(rows.queries[index])}: {describe(score)} was taken, and of equal "
        f"scores the greater id comes first; Run.from_frame(frame, rank={rank!r}) takes the ranks, "
        f"score={score!r} the scores without this warning"
    )


def _original_ids(
    originals: list[nw.Series[Any]], queries: tuple[str, ...]
) -> tuple[object, ...] | None:
    """The query ids in the types of their columns; None if all are text."""
    import narwhals as nw

    if len(originals) > 1:
        first_rows = group_rows(keys(tuple(originals))).first
        parts = [column[first_rows].to_list() for column in originals]
        by_text = {}
        for key in zip(*parts, strict=True):
            text = text_of_key(tuple(map(str, key)))
            by_text[text] = key
        return tuple(map(by_text.__getitem__, queries))
    [column] = originals
    if not (column.dtype.is_integer() or column.dtype in (nw.Categorical, nw.Object)):
        return None
    distinct = column.unique().to_list()
    return as_original_ids(queries, [query for query in distinct if not isinstance(query, str)])


def text_of_key(key: tuple[str, ...]) -> str:
    """A query of several columns as one text: the JSON array of its parts."""
    return json.dumps(key, ensure_ascii=False)


def name_arguments(origin: Origin, is_qrels: bool) -> Origin:
    """The table with the function that takes names of its columns."""
    if origin.arguments_of is None:
        return origin
    kind = "Qrels" if is_qrels else "Run"
    return origin._replace(arguments_of=f"rankgain.{kind}.from_frame", run_hint=RUN_HINT)


def find_columns(
    names: Sequence[str], requested: NamedColumns, is_qrels: bool, origin: Origin
) -> FoundColumns:
    """Find the columns: by the names in `requested`, else by the usual ones."""
    query = choose_query(names, requested.query, origin)
    doc = choose_document(names, requested.document, origin)
    if is_qrels:
        number = _choose_labels(names, requested, [*query.names, *doc.names], origin)
    elif requested.of_ranks:
        number = require(names, requested.number, "rank", origin)
    else:
        number = _choose_scores(names, requested, origin)
    names_all = None not in (requested.query, requested.document, requested.number)
    is_named = names_all and not requested.is_argument
    may_hold_systems = not (is_qrels or is_named or requested.holds_one_system)
    leftovers = find_leftovers(names, query, doc, [number], may_hold_systems)
    return FoundColumns(query.names, doc.names[0], number, leftovers)


def _choose_labels(
    names: Sequence[str], requested: NamedColumns, ids: list[str], origin: Origin
) -> str:
    """The column of labels; in BEIR's tables they are called scores."""
    if requested.number is None and not LABELS.matching(names):
        scores = scores_as_labels(names, ids, origin.arguments_of is not None)
        if scores:
            return str(scores[0])
        words = no_column(names, "label", LABELS, origin)
        raise ValueError(f"{words}; if all rows are relevant, add a column of ones")
    return choose(names, requested.number, "label", LABELS, origin)


def _choose_scores(names: Sequence[str], requested: NamedColumns, origin: Origin) -> str:
    """The column of scores; ranks alone must be named, since they run the other way."""
    ranks = RANKS.matching(names)
    if requested.number is not None or SCORES.matching(names) or not ranks:
        return choose(names, requested.number, "score", SCORES, origin)
    words = no_column(names, "score", SCORES, origin)
    if origin.arguments_of is None:
        raise ValueError(f"{words}, or read a data frame with Run.from_frame(frame, rank=...)")
    raise ValueError(f"{words}, or {origin.hint('rank', ranks[0])} for ranks")


def refuse_one_column(source: object) -> None:
    """Refuse a frame that is both qrels and run if one column would be label and score."""
    frame, origin = open_frame(source)
    names = choose_header(frame)
    usual_names = NamedColumns()
    labels = find_columns(names, usual_names, True, name_arguments(origin, True)).number
    scores = find_columns(names, usual_names, False, name_arguments(origin, False)).number
    if labels == scores:
        raise ValueError(
            f"{origin.name} is given as qrels and as run, and its column {describe(labels)} would "
            "be both label and score; name the labels with Qrels.from_frame(label=...)"
        )


def read_id_column(column: nw.Series[Any], origin: Origin) -> nw.Series[Any]:
    """Convert a column of ids to text."""
    import narwhals as nw

    refuse_missing(column, origin)
    kind = column.dtype
    if kind == nw.Object:
        ids = column.to_list()
        for identifier in ids:
            if find_kind(identifier) not in WITH_TEXT:
                raise TypeError(
                    f"{origin.name}: ids must be strings or integers, not {describe(identifier)}"
                )
        refuse_equal_texts(ids, f"{origin.name}: in column {describe(column.name)}")
        return column.cast(nw.String)
    if kind == nw.String or not len(column):
        return column
    if kind.is_integer() or kind in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    raise TypeError(
        f"{origin.name}: ids must be strings or integers, but column {describe(column.name)} is "
        f"{kind}"
    )


def read_numbers(column: nw.Series[Any], origin: Origin) -> Floats:
    """Convert a column of labels or scores to doubles."""
    refuse_missing(column, origin)
    values = numbers(column, origin._replace(text=True))
    refuse_wide(values, column.name, origin)
    return values.astype(np.float64)


def _encode_ids(column: nw.Series[Any]) -> tuple[object, object]:
    """The UTF-8 bytes of all ids one after the other, and where each starts."""
    native, kind = column.to_native(), column.implementation
    if kind.is_polars() and len(column):
        data = native.str.join("").item().encode()
        return np.frombuffer(data, np.uint8), add_sizes(native.str.len_bytes().to_numpy())
    if kind.is_pandas():
        native = getattr(native, "array", None)
    in_arrow = hasattr(native, "__arrow_array__") and hasattr(native, "_pa_array")
    if not (kind.is_pyarrow() or (kind.is_pandas() and in_arrow)):
        return encode_texts(column.to_list())
    import pyarrow

    if not isinstance(native, pyarrow.ChunkedArray):
        native = pyarrow.array(native)
    strings = native.cast(pyarrow.large_string())
    if isinstance(strings, pyarrow.ChunkedArray):
        strings = strings.combine_chunks()
    if isinstance(strings, pyarrow.ChunkedArray):  # without a chunk it stays as it is
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    # Text i of a slice is bytes starts[offset + i] .. starts[offset + i + 1] - 1 of the buffer.
    _, start_buffer, data = strings.buffers()
    first = strings.offset
    starts = np.frombuffer(start_buffer, np.int64)[first : first + len(strings) + 1]
    text = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return text[starts[0] : starts[-1]], starts - starts[0]
