"""Evaluate a stream of Arrow record batches in bounded memory."""

from __future__ import annotations

from contextlib import closing, nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

import numpy as np

from ...convention import UNSET, Convention, Unset
from ...engine.notices import named_in_warnings
from ...engine.settings import with_shared_help
from ...inputs.files import are_paths
from ...inputs.grouping import Repeats, group_rows
from ...inputs.ignored import read_ignored
from ...inputs.ranks import join_scales
from ...inputs.tables.columns import keys, select_values
from ...inputs.tables.lists import (
    SelectedColumns,
    choose_columns,
    name_systems,
    read_columns,
    read_scale,
)
from ...inputs.tables.repeats import POLICIES, unknown_policy
from ...inputs.tables.roles import (
    SYSTEMS,
    CheckedKeys,
    ColumnNames,
    Leftovers,
    SystemsOfQueries,
    refuse_split_lists,
)
from ...inputs.tables.source import Files, Origin, Part, find_files, narwhals
from ...inputs.tables.stream import (
    Progress,
    adjacent_parts,
    is_read_once,
    names_of_all,
    one_table,
    open_batches,
    plain_batches,
    pyarrow,
)
from ...measures.measure import rereadable
from ..evaluation import Evaluation
from ..one_pass import SeededOptions, read_call, resolve_measures
from ..partial.ranks import PartialRanks
from ..sums.accumulator import Accumulator
from ..sums.merging import segment as lists_of_segment
from ..sums.merging import split_systems
from .frame import Call, RowCounts, ScoresOfSystems, evaluate_part, name_frame, scan_scale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ...inputs.types import Array, Bools, Frame, Ignored, Integers, Table, TablePolicy
    from ...measures.types import Measures, Rules
    from ..evaluations import Evaluations


MIN_ROWS = 1 << 18  # rows at least that are evaluated together


@with_shared_help("rankgain", run=None)
def evaluate_batches(
    batches: Table | Iterable[Frame],
    measures: Measures,
    *,
    run: str | Unset | None = UNSET,
    query: str | Sequence[str],
    label: str,
    score: str | ScoresOfSystems | None = None,
    rank: str | None = None,
    doc: str | None = None,
    order: Literal["sorted", "any"] = "sorted",
    keep: Literal["values", "sums"] | Accumulator = "values",
    weight: str | None = None,
    segment: str | None = None,
    ignore: Ignored = None,
    duplicates: TablePolicy = "raise",
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    progress: bool | None = None,
    **options: Unpack[SeededOptions],
) -> Any:
    """Evaluate a stream of rows that need not fit into memory.

    Values have the bits of `evaluate_arrays` on the same lists, however the rows are batched.

    Parameters
    ----------
    batches : a stream of Arrow record batches
        An iterator of them, a table, a RecordBatchReader, a data set or a scanner of pyarrow, a
        result of DuckDB (`con.sql(...)`), an eager data frame: anything with
        `__arrow_c_stream__`, or whose items have it or `__arrow_c_array__`; a data set of Hugging
        Face, also a streamed one; paths, folders or patterns of Parquet, CSV, TSV or JSON lines, as
        `evaluate_frame` takes them; or a function that gives one of these. Needs the extra "arrow".
    run : str, optional
        A column with the system of each row: rows of one system and query are a list, and the
        result is `Evaluations`, or with keep="sums" a dict name -> Accumulator. run=None says that
        no column names systems.
    query, label, score : str
        Columns: the query of a row (integers or text), its label, and the model's score.
        query=["user", "session"]: several columns name the query together, whose id is then a
        tuple; not with order="any".
        score={"a": "score_a", "b": "score_b"} or a list of columns: a system for each, as with
        `run`.
    doc : str, optional
        A column with the ids of documents, integers or text: for ties by id, and to refuse an id
        twice in a list. Not with order="any".
    rank : str, optional
        A column of ranks instead of `score`, as in `evaluate_frame`. Whether ranks start at 0 is
        known if the source can be read twice, or if the first 262,144 rows have a rank 0; else a
        later one is an error. With order="any" the columns of all rows are held in memory, some 30
        bytes for each row, and read once: tied documents move those below them, so ranks cannot be
        counted in parts.
    order : "sorted" or "any"
        "sorted": the rows of a list are adjacent; a list is evaluated once it is complete. Memory
        holds one batch (at least 262,144 rows) and the longest list, both twice while they are
        joined, and eight bytes for each list, which show a query in two places. "any": two passes
        without sorting. The first reads the rows with a label other than 0, the second counts the
        scores above theirs and equal to them. Memory holds one batch and some 150 bytes for each
        such row and for each list. The source must allow reading it twice: a path, a function, a
        data set, a table or a list. Ties may be "average", "best" or "worst" (see `PartialRanks`).
        Lists are in the order of their first relevant rows, those without one at the end.
    keep : "values", "sums" or an Accumulator
        Keep the values of each list, for an `Evaluation`; or add them to an `Accumulator`, a new
        one or this one, and then only those eight bytes for each list remain.
    weight : str, optional
        A column with the weight of the list, equal in all rows of a list. Not with order="any".
    segment : str, optional
        A column with the segment of the list, an integer or text, equal in all rows of a list. The
        result has it in `Evaluation.segments`, or as sums of each segment in an `Accumulator`. Not
        with order="any"; `evaluate_frame` takes a path with rows in any order.
    duplicates : "raise", "first", "best" or "in_place"
        What becomes of a document that a list has several times, as in `evaluate_frame`; all but
        "raise" need `doc`. Not with order="any".
    progress : bool, optional
        Write the number of rows read to standard error; by default if that is a terminal.

    Returns
    -------
    Evaluation or Accumulator; of several systems Evaluations, or a dict of an Accumulator each

    Raises
    ------
    ValueError
        For ties="random", which depends on the index of a list in its call.
    ValueError or TypeError
        For a row without a value, a NaN score, a label that is not finite, text in a column of
        numbers, a batch with other columns or types, a query in two places of a "sorted" stream,
        and a list of more than 2**31 - 1 rows. The message names the row or the batch.

    Examples
    --------
    >>> import pyarrow, rankgain as rg
    >>> def batch(users, labels, scores):
    ...     return pyarrow.record_batch({"user": users, "label": labels, "score": scores})
    >>> stream = [batch(["a", "a"], [0, 1], [0.9, 0.5]), batch(["a", "b"], [0, 1], [0.7, 0.2])]
    >>> columns = {"query": "user", "label": "label", "score": "score"}
    >>> rg.evaluate_batches(iter(stream), "RR", **columns).to_dict()
    {'a': {'RR': 0.3333333333333333}, 'b': {'RR': 1.0}}
    """
    default = "rankgain" if convention is UNSET else convention
    call_settings = read_call(options, SeededOptions, "evaluate_batches", default)
    settings, rules = call_settings.settings, call_settings.rules
    if order not in ("sorted", "any"):
        raise ValueError(f'order must be "sorted" or "any", not {order!r}')
    measures = rereadable(measures)
    resolved = resolve_measures(measures, settings, rules)
    _check_duplicates(duplicates, order, doc)
    call_settings = call_settings._replace(threads=threads)
    call = Call(resolved, call_settings, set(), in_runs=True, duplicates=duplicates).watching_rows()
    _refuse_random_ties(call)
    if score is None and rank is None:
        raise TypeError("evaluate_batches() is missing score: score=..., or rank=... for ranks")
    looks_for_systems = run is UNSET
    run = None if run is UNSET else run
    requested = ColumnNames(
        run, query, label, score, rank, doc, weight, segment, ruled_out=frozenset({"doc"})
    )
    if ignore is not None:
        requested = requested._replace(ignore=read_ignored(ignore))
    narwhals()  # its absence is an error, whatever the columns need
    stream = _Batches(batches, choose_columns(None, requested, Origin("the stream")))
    stream.is_part = keep != "values"
    # The rows of several systems would make one list of each query.
    if looks_for_systems:
        stream.look_for_systems()
    result = _Result(keep, rules, stream.selected)
    if order == "any" and rank is not None:
        with closing(Progress(progress)) as bar:
            result.add(_evaluate_all(stream, call._replace(in_runs=False), bar))
        stream.warn_of_rows(call)
        return result.get()
    if order == "any":
        counted = _count_batches(stream, progress)
        if run is not None and not counted:
            name_systems([], stream.origin, run)  # refuses it
        of_counts = {name: value for name, value in settings.items() if name != "seed"}
        of_counts |= {"convention": rules, "threads": threads}
        systems = _finish_systems(counted, measures, stream, of_counts)
        result.add_named(systems)
        lists = sum(map(len, systems.values()))
        stream.warn_of_rows(call._replace(row_counts=RowCounts(stream.rows, lists)))
        return result.get()
    if rank is not None and not is_read_once(stream.source):
        scale = scan_scale(stream.source, stream.selected, stream.origin)
        stream.selected = stream.selected._replace(scale=scale)
    with closing(Progress(progress)) as bar:
        for systems in _complete_lists(stream, call, bar):
            result.add(systems)
    if not result.by_name:
        if run is not None:
            name_systems([], stream.origin, run)  # refuses it
        part = Part(_empty_table(stream.selected.names), range(0))
        systems, _ = evaluate_part(part, stream.selected, stream.origin, call)
        result.add(systems)
    stream.warn_of_rows(call)
    return result.get()


def _refuse_random_ties(call: Call) -> None:
    """Refuse a tie rule that depends on the place of a list among all."""
    random = call.measures_by_ties().get("random")
    if random is not None:
        raise ValueError(
            f'{random}: ties="random" draws by the place of a list in its call, which a stream '
            'does not have; choose another ties=, such as "average" or "stable"'
        )


def _empty_table(names: Sequence[str]) -> Frame:
    """A table of pyarrow with these columns and no rows."""
    table: Frame = pyarrow().table(dict.fromkeys(names, np.zeros(0)))
    return table


def _check_duplicates(duplicates: str, order: str, doc: str | None) -> None:
    """Refuse duplicates= where a stream does not say which documents a complete list has."""
    if duplicates not in POLICIES:
        raise unknown_policy(duplicates)
    if duplicates != "raise" and (order == "any" or doc is None):
        remedy = "sort the rows by query"
        if doc is None:
            remedy = "pass doc=, the column of their ids"
        raise ValueError(
            f'duplicates="{duplicates}" compares the documents of a list, which needs doc= and '
            f'order="sorted"; {remedy}'
        )


class _Batches:
    """A source of record batches, and what its columns are."""

    def __init__(self, source: object, selected: SelectedColumns) -> None:
        if are_paths(source):
            source = find_files(cast("Any", source))
        self.source = source
        self.selected = selected
        self.origin = Origin("the stream")
        if isinstance(self.source, Files):  # pyarrow reads their numbers
            self.origin = self.source.origin._replace(text=False)
        self.rows = 0  # that were read
        self.ignored: dict[str, int] = {}  # rows that are left out by their label, by system
        self.looks_for_systems = False  # in the columns of the first batch
        self.is_part = False  # of what is summed, so that it may well have no rows

    def look_for_systems(self) -> None:
        """Read the columns that may name systems too, so that lists of several are refused."""
        self.looks_for_systems = not self.selected.names_systems
        if not self.looks_for_systems:
            return
        if isinstance(self.source, Files):
            self._find_systems(names_of_all(self.source))
        elif hasattr(self.source, "scanner"):  # a data set, of which only some columns are read
            self._find_systems(cast("Any", self.source).schema.names)

    def _find_systems(self, names: Sequence[str]) -> None:
        """Choose the columns that may name systems among all columns."""
        self.looks_for_systems = False
        candidates = SYSTEMS.all_matching(names)
        systems = tuple(name for name in candidates if name not in self.selected.names)
        self.selected = self.selected._replace(leftovers=Leftovers(systems=systems))

    def read_scale(self, part: Part) -> None:
        """Look where the ranks of the next rows start."""
        origin = self.origin._replace(rows=part.rows)
        scale = read_scale(part.table, self.selected, origin)
        if scale is not None and len(part.rows):
            scale = join_scales(self.selected.scale, scale, origin.row(0))
            self.selected = self.selected._replace(scale=scale)

    def warn_of_rows(self, call: Call) -> None:
        """Warn of probable mistakes in all rows, which were counted in the call."""
        if self.rows or not self.is_part:
            call.warn_of_rows(self.selected, self.origin)

    def parts(self, bar: Progress, lists: Callable[[], int | None]) -> Iterator[Part]:
        """The batches in plain types, with progress."""
        batches = open_batches(self.source, self.selected.names, self.selected.of_ids)
        if self.looks_for_systems:
            first_batch = next(batches, None)
            if first_batch is not None:
                self._find_systems(cast("Any", first_batch).schema.names)
                batches = chain([first_batch], batches)
        types, keys, names = pyarrow().types, self.selected.of_ids, self.selected.names
        for part in plain_batches(batches, names, names, self.origin):
            for name in dict.fromkeys(keys):
                if name in self.selected.leftovers.names:
                    continue
                kind = part.table.schema.field(name).type
                text = types.is_string(kind) or types.is_large_string(kind)
                if not (text or types.is_integer(kind)):
                    raise TypeError(
                        f"{self.origin.name}: column {name!r} must hold integers or text, not "
                        f"{kind}"
                    )
            self.rows = part.rows.stop
            bar.update(self.rows, lists())
            yield part


class _Result:
    """The evaluations of a stream, or their sums, by system."""

    def __init__(
        self, keep: str | Accumulator, rules: Convention, selected: SelectedColumns
    ) -> None:
        if not isinstance(keep, Accumulator) and keep not in ("values", "sums"):
            raise ValueError(f'keep must be "values", "sums" or an Accumulator, not {keep!r}')
        if isinstance(keep, Accumulator) and selected.names_systems:
            raise ValueError(
                'keep is an Accumulator, but there are several systems; keep="sums" gives one each'
            )
        self.by_name: dict[str, Any] = {}  # the parts of a system, or their sums
        self._keep, self._rules, self._selected = keep, rules, selected

    def add(self, systems: dict[str, Evaluation]) -> None:
        """Add complete lists; sums of the caller change only after the stream has ended."""
        if "run" in self._selected.columns:
            systems = split_systems(systems[""])
        self.add_named(systems)

    def add_named(self, systems: dict[str, Evaluation]) -> None:
        """Add the lists of systems by name."""
        for name, part in systems.items():
            if self._keep == "values":
                self.by_name.setdefault(name, []).append(part)
                continue
            target = self._keep if isinstance(self._keep, Accumulator) else Accumulator()
            if name not in self.by_name:
                self.by_name[name] = Accumulator(bootstrap=target.bootstrap, seed=target.seed)
            total = self.by_name[name]
            # Sums are kept by segment; lists without segments are all of the segment None.
            labels = np.array(part.segments or [None], object)
            for label in dict.fromkeys(labels.tolist()):
                of_segment = part
                if label is not None:
                    of_segment = lists_of_segment(part, np.flatnonzero(labels == label))
                total.add(of_segment, segment=label)
            # Report conflicts with the target before the rest of the stream is read.
            target._join_rules(total._rules, "the stream")

    def get(self) -> Evaluation | Evaluations | Accumulator | dict[str, Accumulator]:
        """What was collected: of several systems by name, or that of the only one."""
        if isinstance(self._keep, Accumulator):
            return self._keep._join(self.by_name[""], "the stream")
        if self._keep == "sums" and self._selected.names_systems:
            return self.by_name
        if self._keep == "sums":
            sums: Accumulator = self.by_name[""]
            return sums
        systems = {}
        for name, parts in self.by_name.items():
            if len(parts) > 1:
                systems[name] = Evaluation.merge(parts, convention=self._rules)
            else:
                systems[name] = parts[0]
        return name_frame(self._selected, systems)


def _complete_lists(stream: _Batches, call: Call, bar: Progress) -> Iterator[dict[str, Evaluation]]:
    """Evaluate the lists of a stream, part by part; refuse a query that appears twice."""
    lists = 0
    repeats = Repeats()
    keys_of_list = stream.selected.keys
    batches = (part.table for part in stream.parts(bar, lambda: lists))
    for part in adjacent_parts(batches, keys_of_list, MIN_ROWS):
        stream.read_scale(part)
        systems, read = evaluate_part(part, stream.selected, stream.origin, call)
        repeat = repeats.add(read.queries)
        if repeat is not None:
            origin = stream.origin._replace(rows=part.rows)
            place = origin.row(int(read.groups.first[repeat]))
            remedy = "sort by " + " and ".join(map(repr, keys_of_list))
            if "query[1]" not in stream.selected.columns:
                remedy += ', or pass order="any"'
            raise ValueError(
                f"{place}: {read.queries[repeat]!r} appears again after other queries, but the "
                f"rows of one list must be adjacent; {remedy}"
            )
        lists += len(read.queries)
        yield systems


def _finish_systems(
    counted: Mapping[str, PartialRanks],
    measures: Measures,
    stream: _Batches,
    options: dict[str, Any],
) -> dict[str, Evaluation]:
    """Evaluate the counted ranks of each system."""
    systems = {}
    for name, partial in counted.items():
        with named_in_warnings("run", name) if name else nullcontext():
            evaluation = partial.finish(measures, **options)
        ignored = stream.ignored.get(name, 0)
        if ignored:
            evaluation = evaluation._replace(counts={**evaluation.counts, "ignored": ignored})
        systems[name] = evaluation
    return systems


def _evaluate_all(stream: _Batches, call: Call, bar: Progress) -> dict[str, Evaluation]:
    """Hold the columns of all rows in memory and evaluate the lists, whose rows may be anywhere."""
    batches = [part.table for part in stream.parts(bar, lambda: None) if part.table.num_rows]
    if not batches:
        if "run" in stream.selected.columns:
            name_systems([], stream.origin, stream.selected.columns["run"])  # refuses it
        batches = [_empty_table(stream.selected.names)]
    table = one_table(batches)
    part = Part(table, range(table.num_rows))
    systems, _ = evaluate_part(part, stream.selected, stream.origin, call)
    return systems


def _count_batches(stream: _Batches, progress: bool | None) -> dict[str, PartialRanks]:
    """Read a stream twice: first the hits, then the scores, which are counted beside theirs.

    Return the ranks by system, in the order of their first rows; "" without several systems.
    """
    for role in ("query[1]", "score[1]", "doc", "weight", "segment"):
        if role in stream.selected.columns:
            name, has_number, _ = role.partition("[")
            words = f"{name}="
            if has_number:
                words = f"a second column in {words}"
            raise ValueError(
                f'order="any" does not support {words}; sort the rows by query, or pass a path to '
                "evaluate_frame"
            )
    if is_read_once(stream.source):
        raise ValueError(
            f'order="any" reads its source twice, and a {type(stream.source).__name__} is empty '
            "after the first time; give a path, a data set, a table, a list, or a function that "
            "opens it"
        )
    hits: dict[str, list[object]] = {}
    with closing(Progress(progress, "pass 1 of 2: ")) as bar:
        for name, ids, labels, scores, _ in _columns(stream, bar, SystemsOfQueries()):
            rows_of_hits = np.flatnonzero(labels)
            of_batch = ids[rows_of_hits], scores[rows_of_hits], labels[rows_of_hits]
            hits.setdefault(name, []).append(of_batch)
    if not hits and "run" not in stream.selected.columns:
        no_hits: tuple[list[object], ...] = [], [], []
        hits = {name: [no_hits] for name in stream.selected.systems or ("",)}
    counted = {}
    for name, batches in hits.items():
        ids, scores, labels = map(np.concatenate, zip(*batches, strict=True))
        counted[name] = PartialRanks(ids, scores, labels)
    rows = stream.rows
    with closing(Progress(progress, "pass 2 of 2: ")) as bar:
        for name, ids, _, scores, ignored in _columns(stream, bar):
            if name in counted:  # else the source has changed, which the number of rows shows
                counted[name].add(ids[~ignored], scores[~ignored])
                counted[name]._add_lists(ids[ignored])
                stream.ignored[name] = stream.ignored.get(name, 0) + int(ignored.sum())
    if stream.rows != rows:
        raise ValueError(
            f"the source had {rows} rows when it was read first, and {stream.rows} the second "
            "time; it must be the same both times"
        )
    return counted


def _columns(
    stream: _Batches, bar: Progress, seen: SystemsOfQueries | None = None
) -> Iterator[tuple[str, Array, Array, Array, Bools]]:
    """The query ids, labels and scores of each batch that has rows, system by system.

    The last item masks the rows that are left out of their lists. With `seen`, queries whose rows
    are of several systems are refused.
    """
    has_run_column = "run" in stream.selected.columns
    (single_name,) = stream.selected.systems or ("",)
    for part in stream.parts(bar, lambda: None):
        origin = stream.origin._replace(rows=part.rows)
        table = read_columns(part.table, stream.selected, origin)
        groups = group_rows(keys(table.query))
        if not len(groups.first):
            continue
        # Ids are read once for each list, and then spread to its rows by their codes.
        queries = select_values(table.query, groups.first)
        if seen is not None and table.leftovers:
            checked_keys = CheckedKeys(table.query, stream.selected.queries, None, groups)
            refuse_split_lists(stream.selected.leftovers, table.leftovers, checked_keys, origin)
            seen.add(table.leftovers, queries, groups.first, origin)
        systems = np.zeros(len(queries), np.int64)  # of each list, as an index into names
        names = [single_name]
        if has_run_column:  # a key of a list is its system and its query
            numbers: dict[str, int] = {}
            for index, (system, _) in enumerate(queries):
                systems[index] = numbers.setdefault(str(system), len(numbers))
            names = list(numbers)
            queries = [query for _, query in queries]
        dtype: type[np.generic] = np.int64
        if isinstance(queries[0], str):
            dtype = np.object_
        elif max(queries) >= 2**63:
            raise ValueError(
                f'the id {max(queries)} is too large for order="any", which keeps 63 bits; cast '
                "the column to text, or sort the rows by it"
            )
        ids: Array = np.array(queries, dtype)[groups.codes]
        system_of_row = systems[groups.codes]
        ignored = table.ignored
        if ignored is None:
            ignored = np.zeros(len(groups.codes), bool)
        scores = table.scores[0]
        for number, name in enumerate(names):
            rows: slice | Integers = slice(None)
            if len(names) > 1:
                rows = np.flatnonzero(system_of_row == number)
            yield name, ids[rows], table.labels[rows], scores[rows], ignored[rows]
