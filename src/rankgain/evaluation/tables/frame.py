"""Evaluate a long table of predictions, its rows in any order: whole, or in parts.

A file may not fit into memory. If the rows of every list are adjacent, it is read once. If a query
appears again after other queries, the file is read several times, and each time the lists of some
queries are evaluated.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, Unpack, cast, overload

import numpy as np

from ...convention import UNSET, Unset
from ...engine.columns import ResolvedCall
from ...engine.notices import named_in_warnings, warn
from ...engine.settings import with_shared_help
from ...inputs.chunks import DocumentOf, read_documents
from ...inputs.files import PARQUET, are_paths
from ...inputs.grouping import Repeats
from ...inputs.ignored import read_ignored
from ...inputs.ranks import RankLikeScores, describe_rank_like
from ...inputs.tables.columns import (
    LISTS_IN_ROWS,
    choose_header,
    in_memory,
    select_columns,
    select_values,
)
from ...inputs.tables.lists import (
    PredictionTable,
    SelectedColumns,
    TableLists,
    choose_columns,
    make_lists,
    parts_by_system,
    read_columns,
    read_scale,
)
from ...inputs.tables.repeats import POLICIES, RepeatRules, unknown_policy
from ...inputs.tables.roles import LABELS, ColumnNames
from ...inputs.tables.source import Files, Origin, Part, find_files, in_polars, narwhals, open_table
from ...inputs.tables.stream import (
    adjacent_parts,
    names_of_all,
    open_batches,
    part_of_queries,
    plain_batches,
    read_batches,
)
from ...inputs.tables.user_rows import holds_lists
from ..evaluation import Evaluation
from ..evaluations import Evaluations, evaluate_each
from ..one_pass import CallSettings, SeededOptions, evaluate_lists, read_call, resolve_measures
from ..sums.merging import select_lists, split_systems

if TYPE_CHECKING:
    from ...inputs.ranks import RankScale
    from ...inputs.types import Documents, Ignored, Integers, Records, Table, TablePolicy
    from ...measures.types import Bounds, Measures, Rules


ScoresOfSystems: TypeAlias = Mapping[str, str] | list[str] | tuple[str, ...]
ROWS = 20_000_000  # of Parquet that are read in one part; some 50 bytes each
BYTES = 1 << 29  # of text that are read in one part
MIN_ROWS = 1 << 20  # rows at least that are evaluated together, where lists are adjacent
SMALL = 1 << 20  # bytes of Parquet; smaller files always have fewer than ROWS
GZIP = 10  # upper bound of the compression ratio of text


class TableOptions(SeededOptions, total=False):
    """The options of `evaluate_frame` that do not say how many systems there are."""

    query: str | Sequence[str] | None
    label: str | None
    rank: str | None
    doc: str | Unset | None
    weight: str | None
    segment: str | None
    ignore: Ignored
    truth: Records | Table | None
    duplicates: TablePolicy
    documents: Documents | None
    convention: Rules | Unset
    threads: int | None
    bounds: Bounds


@overload
def evaluate_frame(
    frame: Table,
    measures: Measures,
    *,
    run: Unset | None = UNSET,
    score: str | None = None,
    **options: Unpack[TableOptions],
) -> Evaluation: ...


@overload
def evaluate_frame(
    frame: Table,
    measures: Measures,
    *,
    run: str,
    score: str | None = None,
    **options: Unpack[TableOptions],
) -> Evaluations: ...


@overload
def evaluate_frame(
    frame: Table, measures: Measures, *, score: ScoresOfSystems, **options: Unpack[TableOptions]
) -> Evaluations: ...


@with_shared_help("rankgain", run=None)
def evaluate_frame(
    frame: Table,
    measures: Measures,
    *,
    run: str | Unset | None = UNSET,
    score: str | ScoresOfSystems | None = None,
    **options: Unpack[TableOptions],
) -> Evaluation | Evaluations:
    """Evaluate a long table of predictions: a row for each document, with its label and score.

    The table must have all candidates of each list, above all every relevant one, retrieved or not:
    with the retrieved rows alone, recall, nDCG and AP are too high, and nothing in the table can
    tell. If it has the retrieved rows only, give the judgments as `truth`.

    Parameters
    ----------
    frame : a table, or the paths of files
        A frame of pandas, polars (eager or lazy) or pyarrow, anything with `__arrow_c_stream__`, a
        data set of pyarrow or a `datasets.Dataset`, with rows in any order. A path, a folder, a
        pattern (`rows/*.parquet`) or a list of paths; they end in .parquet, .csv, .tsv or .jsonl;
        the last three may be compressed, as .csv.gz. Several files, all of one kind, are one table;
        folders named key=value are columns of text. Needs the extra "frames", for several files
        also "arrow". Files that may not fit into memory are read in parts, see below.
    run : name of a column, optional
        The system of a row, of a table with several systems. Each is evaluated on its own, also
        where their queries differ. Their names are texts, in the order of their first rows.
        run=None says that no column names systems.
    query, label, score : names of columns
        The query of a row, its label, and the model's score. By default the only column with a
        usual name, such as user_id or query_id, label or relevance, score or prediction; if two
        match, the error names both, as it names a column that is left over and may be a second key
        of the query or the systems. query=["user", "session"]: rows that agree in all these columns
        are a list, and ids of queries are tuples. score={"a": "score_a", "b": "score_b"}, or a list
        of columns: a system for each, evaluated in one pass over the labels.
    rank : name of a column
        Instead of `score`; the smallest rank is the best. There is no default. A document is at
        its rank, whether or not those before it are in the table: a list with the ranks 3 and 7
        alone has its first document at rank 3. Ranks start at 0 if the smallest of the table is 0,
        else at 1. Equal ranks tie; a document whose rank is taken is at the next free one.
    doc : name of a column
        Ids of documents; needed for ties by id. An id twice in a list is an error. By default the
        only column with a usual name, such as doc_id or item_id; None: no column.
    weight, segment : names of columns
        The weight of a list in the means, and its segment, for `Evaluation.segments`; equal in all
        rows of a list. The print has a row for each segment, and `compare(by="segment")` compares
        within them.
    truth : a table of judgments, or what `evaluate` takes as qrels, optional
        Judgments of retrieved and of other documents: a row for each, with query, document and
        label. Then `frame` needs no labels, and both are joined as by `evaluate`: under its
        convention, "trec", by default, with judged queries without rows counted as 0. `query` and
        `doc` name columns of both tables, or of one if the other has one column with a usual name;
        `label` names one of `truth`.
    duplicates : "raise", "first", "best" or "in_place"
        What becomes of a document that a list has several times: an error by default. "first": its
        later rows are left out. "best": the row at the best rank is kept. "in_place": all rows keep
        their ranks, and all but that at the best rank count as not relevant (Bpref, a measure of
        pairs of judged documents, passes over them). With the ties "average", "best", "worst" and
        "random", copies that tie with the one that counts stand below all documents of their score.
        Needs a column `doc`. Of `frame` alone; for `truth` give
        `Qrels.from_frame(truth, duplicates=...)`.
    documents : mapping chunk -> document, function of a chunk's id, or separator, optional
        Rows are chunks, and labels and measures are of documents: a document takes the rank of its
        best chunk, its other chunks are left out, or with duplicates="in_place" keep their ranks
        and are not relevant. With a separator, "#", the document is what stands before its last
        occurrence in the id of the chunk. Rows of one document with two labels are an error. Needs
        a column `doc`.

    Returns
    -------
    Evaluation, or Evaluations of several systems
        The queries are the values of `query` in the order in which they first appear.

    Raises
    ------
    ValueError or TypeError
        For a row without a value, a NaN, an infinite label, and text in a column of numbers. The
        message names the column and the row, counted from 1.

    Notes
    -----
    Files of up to 20 million rows of Parquet, or 512 MB of text (compressed: 51 MB), are read at
    once; a row takes some 50 bytes, and text ids as much again. Longer files are read in parts if
    pyarrow is installed; memory holds one part, the values of each list, and the longest list. A
    part has a million rows if the rows of every list are adjacent. Else the file is read several
    times, and each time the lists of 20 million rows, or of 512 MB, are evaluated. The result is
    the same. bounds= and ties="random" need all lists at once, and so the whole file.

    Examples
    --------
    >>> import pandas, rankgain as rg
    >>> rows = {"user_id": ["u", "v", "u"], "label": [1, 1, 0], "score": [0.2, 0.5, 0.9]}
    >>> rg.evaluate_frame(pandas.DataFrame(rows), "RR").to_dict()
    {'u': {'RR': 0.5}, 'v': {'RR': 1.0}}
    >>> two = {"model": ["a", "a", "b", "b"], "label": [0, 1, 0, 1], "score": [0.1, 0.9, 0.8, 0.3]}
    >>> frame = pandas.DataFrame({"user_id": ["u"] * 4, **two})
    >>> rg.evaluate_frame(frame, "RR", run="model").to_dict()
    {'a': {'RR': 1.0}, 'b': {'RR': 0.5}}
    """
    settings = read_call(options, TableOptions, "evaluate_frame", "rankgain")
    requested = _read_column_names(options, run, score)
    duplicates = options.get("duplicates", "raise")
    if duplicates not in POLICIES:
        raise unknown_policy(duplicates)
    if options.get("truth") is not None:
        from .with_truth import evaluate_with_truth

        if requested.ignore is not None:
            raise ValueError(
                "ignore= leaves out rows of frame by their labels, which truth= replaces; remove "
                "these judgments from truth"
            )
        # The other options are those of `evaluate`.
        read = (*ColumnNames._fields, "truth", "duplicates", "documents")
        shared = {name: value for name, value in options.items() if name not in read}
        truth, documents = options["truth"], options.get("documents")
        return evaluate_with_truth(
            frame, truth, requested, duplicates, documents, measures=measures, **shared
        )
    resolved = resolve_measures(measures, settings.settings, settings.rules)
    call = Call(resolved, settings, set(), duplicates=duplicates).watching_rows()
    documents = options.get("documents")
    if documents is not None:
        call = call._replace(document_of=read_documents(documents))
    source: Any = frame
    if are_paths(frame):
        narwhals()  # its absence is an error, whatever the files need
        source = find_files(source)
        # Bounds and random ties need all lists at once, and reading in parts needs pyarrow.
        needs_all_lists = bool(settings.bounds) or "random" in call.measures_by_ties()
        if not needs_all_lists and find_spec("pyarrow") is not None:
            passes = _count_passes(source)
            if passes > 1:
                return evaluate_long(source, requested, call, passes)
    table, origin = open_table(source)
    header = choose_header(table)
    if not LABELS.matching(header) and requested.label in (None, "relevant"):
        _refuse_lists(table, header, origin)
    selected = choose_columns(header, requested, origin)
    if requested.run is not None:
        return _evaluate_by_run(table, selected, origin, call)
    systems, _ = evaluate_table(read_columns(table, selected, origin), call)
    call.warn_of_rows(selected, origin)
    if not selected.systems:
        return systems[""]
    return Evaluations(systems)


def _refuse_lists(table: object, header: Sequence[str], origin: Origin) -> None:
    """Refuse a table with a row for each query, whose lists of ids `evaluate_ids` reads."""
    names = [name for name in ("retrieved", "relevant") if name in header]
    if len(names) < 2:
        return
    if all(map(holds_lists, select_columns(table, names, origin))):
        raise TypeError(
            f"{origin.name}: the columns 'retrieved' and 'relevant' hold lists, but {LISTS_IN_ROWS}"
        )


def _evaluate_by_run(
    table: object, selected: SelectedColumns, origin: Origin, call: Call
) -> Evaluations:
    """Evaluate each of the systems that a column names, as a table of its own."""
    table = in_memory(table, selected.names, origin, selected.of_ids)
    # Whether ranks start at 0 or at 1 is a fact of the whole table, not of one system.
    selected = selected._replace(scale=read_scale(table, selected, origin))
    columns = {role: name for role, name in selected.columns.items() if role != "run"}
    of_system = selected._replace(columns=columns)
    parts = parts_by_system(table, selected.columns["run"], of_system.names, origin)

    def evaluate_system(part: Part) -> Evaluation:
        rows = read_columns(part.table, of_system, origin._replace(rows=part.rows))
        systems, _ = evaluate_table(rows, call)
        return systems[""]

    result = evaluate_each(evaluate_system, parts, "run")
    call.warn_of_rows(of_system, origin)
    return result


def _read_column_names(options: TableOptions, run: object, score: object) -> ColumnNames:
    """The columns that a call names; None for run or doc says that there is none."""
    # UNSET stands for a usual name, None for no column of the role.
    explicit = {"run": run, "doc": options.get("doc", UNSET)}
    ruled_out = frozenset(role for role, name in explicit.items() if name is None)
    run_column = None
    if run is not UNSET:
        run_column = cast("str | None", run)
    doc_column = options.get("doc")
    if isinstance(doc_column, Unset):
        doc_column = None
    ignore_rule = None
    ignore = options.get("ignore")
    if ignore is not None:
        ignore_rule = read_ignored(ignore)
    return ColumnNames(
        run=run_column,
        query=options.get("query"),
        label=options.get("label"),
        score=score,
        rank=options.get("rank"),
        doc=doc_column,
        weight=options.get("weight"),
        segment=options.get("segment"),
        ruled_out=ruled_out,
        ignore=ignore_rule,
    )


def name_frame(
    selected: SelectedColumns, systems: dict[str, Evaluation]
) -> Evaluation | Evaluations:
    """The result of a call: of several systems by name, or that of the only one."""
    if not selected.names_systems:
        return systems[""]
    return Evaluations(systems)


class RowCounts:
    """How many rows a table has, and how many lists they make."""

    def __init__(self, rows: int = 0, lists: int = 0) -> None:
        self.rows = rows
        self.lists = lists

    def add(self, rows: int, lists: int) -> None:
        """Add rows of complete lists."""
        self.rows += rows
        self.lists += lists

    def warn(self, selected: SelectedColumns, origin: Origin) -> None:
        """Warn of a table without rows, and of several lists of one row each.

        A single row with a rank says where its document is in a longer list.
        """
        if not self.rows:
            warn(f"{origin.name} has no rows, so nothing was evaluated", of_all=True)
        elif self.lists > 1 and self.rows == self.lists and not selected.of_ranks:
            column = repr(selected.queries[0])
            if len(selected.queries) > 1:
                column = repr(selected.queries)
            warn(
                f"{origin.name}: each of the {self.lists} lists has one row, so there is nothing "
                f"to rank. Check that query={column} names the queries or users, not the rows",
                of_all=True,
            )


class Call(NamedTuple):
    """The measures of a call with their settings, and what else applies to all lists."""

    resolved: ResolvedCall
    settings: CallSettings
    warned: set[str]  # what the call has warned of
    ids_by: str = "doc=, the column of the documents' ids"  # the argument for ids, for errors
    in_runs: bool = False  # each run of rows of one query is a list
    duplicates: str = "raise"  # what becomes of a document twice in a list
    rank_like: dict[str, RankLikeScores] | None = None  # by system; None: not looked at
    document_of: DocumentOf | None = None  # of chunks
    row_counts: RowCounts | None = None  # None: not counted

    def watching_rows(self) -> Call:
        """This call, which from now on looks for probable mistakes in the rows."""
        return self._replace(rank_like={}, row_counts=RowCounts())

    def warn_of_rows(self, selected: SelectedColumns, origin: Origin) -> None:
        """Warn of probable mistakes in the rows of a table; called after all were read."""
        if self.row_counts is not None:
            self.row_counts.warn(selected, origin)
        self._warn_of_ranks(selected)

    def _warn_of_ranks(self, selected: SelectedColumns) -> None:
        """Warn if the scores of a system look like ranks."""
        for name, scores in (self.rank_like or {}).items():
            if scores.found:
                role = "score"  # the first system's scores; those of others are numbered from 1
                if selected.systems and name != selected.systems[0]:
                    role = f"score[{selected.systems.index(name)}]"
                column = selected.columns[role]
                warn(describe_rank_like(f"if {column!r} holds ranks, pass rank={column!r}"))
                return

    def measures_by_ties(self) -> dict[str, str]:
        """The name of a measure by each tie rule of the call."""
        measures = reversed(self.resolved.measures)
        return {settings.ties: family.name for family, settings in measures}

    def split_by_ties(self) -> list[tuple[RepeatRules | None, Call]]:
        """Calls of the measures for which the same copy of a document counts."""
        refuses = self.duplicates == "raise"
        policy = self.duplicates
        if refuses:
            policy = "best"
        # Which copy of a document counts depends on the tie rule and on the precision in which
        # scores compare, and some measures pass over the other copies. So measures that differ in
        # these are evaluated on other rows.
        request = self.resolved.request
        groups: dict[RepeatRules, list[int]] = {}
        for index, (_, settings) in enumerate(self.resolved.measures):
            ties = settings.ties
            if settings.family.takes_blocks or "rank" in request.measures[index].params:
                ties = "average"  # blocks stay as they are
            is_float32 = settings.score_dtype == "float32"
            drops = settings.drop is not None
            kept = policy
            if policy == "in_place" and settings.family.row.skips_copies:
                kept = "best"  # without the rows of further copies
            rules = RepeatRules(kept, ties, is_float32, drops, self.document_of, refuses)
            groups.setdefault(rules, []).append(index)
        calls: list[tuple[RepeatRules | None, Call]] = []
        for rules, indices in groups.items():
            measures = tuple(request.measures[index] for index in indices)
            settings_of = [self.resolved.measures[index] for index in indices]
            resolved = ResolvedCall(settings_of, request._replace(measures=measures))
            calls.append((rules, self._replace(resolved=resolved)))
        return calls


def evaluate_table(table: PredictionTable, call: Call) -> tuple[dict[str, Evaluation], TableLists]:
    """Evaluate lists by system, "" without name, in the order of first rows; also the lists."""
    calls: list[tuple[RepeatRules | None, Call]] = [(None, call)]
    if call.duplicates != "raise" or call.document_of is not None:
        calls = call.split_by_ties()
    rank_like = None
    if table.scale is None:  # the column is not one of ranks
        rank_like = call.rank_like
    parts: dict[str, list[Evaluation]] = {}
    for index, (repeats, group) in enumerate(calls):
        tie_rules = [settings.ties for _, settings in group.resolved.measures]
        by_id = "id" in tie_rules or "id_descending" in tie_rules
        read = make_lists(table, by_id, group.ids_by, group.in_runs, repeats)
        if index == 0 and call.row_counts is not None:
            call.row_counts.add(len(table.labels), len(read.queries))
        for name, lists in zip(table.selected.systems or ("",), read.lists, strict=True):
            # All groups of measures read the same scores, so the first is enough for this.
            if index == 0 and rank_like is not None and lists.scores is not None:
                seen = rank_like.setdefault(name, RankLikeScores())
                seen.add(lists.scores, lists.layout.starts, lists.layout.stops)
            counts = {}
            if table.selected.of_users:
                counts["users"] = len(lists)
            with named_in_warnings("run", name) if name else nullcontext():
                evaluation = evaluate_lists(
                    lists,
                    group.resolved,
                    group.settings._replace(weight=read.weights),
                    counts=counts,
                    displayed=read.queries,
                    warned=group.warned,
                    segments=read.segments,
                )
            parts.setdefault(name, []).append(evaluation)
    if len(calls) == 1:
        return {name: evaluations[0] for name, evaluations in parts.items()}, read
    from ..runs import combine  # late: most calls do not need it

    measures, rules = call.resolved.request.measures, call.settings.rules
    combined = {}
    for name, evaluations in parts.items():
        combined[name] = combine(evaluations, measures, rules)
    return combined, read


def evaluate_part(
    part: Part, selected: SelectedColumns, origin: Origin, call: Call
) -> tuple[dict[str, Evaluation], TableLists]:
    """Evaluate the complete lists of a part of a stream, or of a file; errors name its rows."""
    origin = origin._replace(rows=part.rows)
    table = read_columns(part.table, selected, origin)
    try:
        return evaluate_table(table, call)
    except (ValueError, TypeError) as error:
        if len(part.rows):
            (query,) = select_values(table.query, [0])
            error.add_note(f"list 0 is that of {query!r}, which starts in {origin.row(0)}")
        raise


def _count_passes(files: Files) -> int:
    """The number of parts in which files are read, which needs pyarrow."""
    size = 0
    for file in files.files:
        size_of_file = os.path.getsize(file.path)
        if file.packed:
            size_of_file *= GZIP
        size += size_of_file
    # Text is cut by its size, Parquet by its number of rows.
    if files.suffix not in PARQUET:
        return math.ceil(size / BYTES)
    if size < SMALL:
        return 1
    from pyarrow import parquet

    rows = 0
    for file in files.files:
        with file.reading():
            rows += int(parquet.read_metadata(file.for_engines()).num_rows)
    return max(1, math.ceil(rows / ROWS))


def scan_scale(source: object, selected: SelectedColumns, origin: Origin) -> RankScale | None:
    """Where the ranks of all batches of a source start, which is read for it; None for scores."""
    if not selected.of_ranks:
        return None
    names = [selected.columns["score"]]
    batches = open_batches(source, names, [])
    scale: RankScale | None = None
    for part in plain_batches(batches, names, names, origin):
        of_part = read_scale(part.table, selected, origin._replace(rows=part.rows))
        if of_part is None or not len(part.rows):
            continue
        scale = of_part if scale is None else scale.with_part(of_part)
    return scale


def evaluate_long(
    files: Files, requested: ColumnNames, call: Call, passes: int
) -> Evaluation | Evaluations:
    """Evaluate all lists, in the order of their first rows.

    In one pass. If a query appears again after other queries, in several passes, each with all rows
    of some of the queries.
    """
    selected = choose_columns(names_of_all(files), requested, files.origin)
    selected = selected._replace(scale=scan_scale(files, selected, files.origin))
    parts: list[dict[str, Evaluation]] = []
    first_rows: list[Integers] = []
    repeats = Repeats()
    is_repeated = False

    def evaluate_next(part: Part) -> TableLists:
        part = part._replace(table=in_polars(part.table))
        systems, read = evaluate_part(part, selected, files.origin, call)
        parts.append(systems)
        return read

    # The first pass assumes that the rows of each list are adjacent, and ends if they are not.
    batches = read_batches(files, selected.names, selected.of_ids)
    for part in adjacent_parts(batches, selected.keys, MIN_ROWS):
        read = evaluate_next(part)
        is_repeated = repeats.add(list(read.queries)) is not None
        if is_repeated:
            break
    order = None
    if is_repeated:
        parts.clear()
        call = call.watching_rows()
        for number in range(passes):
            title = f"pass {number + 1} of {passes}: "
            batches = read_batches(files, selected.names, selected.of_ids, title)
            of_queries = part_of_queries(batches, selected.keys, number, passes)
            if of_queries is not None:
                read = evaluate_next(of_queries)
                first_rows.append(of_queries.rows[read.groups.first])
        # Each pass has lists from all over the files: sort them by their first rows.
        order = np.argsort(np.concatenate(first_rows))
    call.warn_of_rows(selected, files.origin)
    systems = {}
    for name in parts[0]:
        evaluations = [part[name] for part in parts]
        systems[name] = Evaluation.merge(evaluations, convention=call.settings.rules)
        if order is not None:
            systems[name] = select_lists(systems[name], order, systems[name].counts)
    if "run" in selected.columns:
        systems = split_systems(systems[""])
    return name_frame(selected, systems)
