"""What runs in Spark's workers: record batches in, record batches out.

Memory of a worker: one batch, the incomplete list or the counts, and the hits.
"""

from __future__ import annotations

import collections
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

import numpy as np

from ... import Accumulator, Evaluation, Qrels, RankgainWarning, Run
from ...convention import UNSET, get_convention
from ...convention.options import SETTINGS
from ...engine.counted import Counter
from ...engine.threads import first_tie
from ...evaluation.arrays import evaluate_arrays
from ...evaluation.ids import evaluate_topk
from ...evaluation.one_pass import CallSettings
from ...evaluation.partial.ranks import PartialRanks
from ...evaluation.runs import JoinGroup, evaluate, evaluate_joins, request_joins
from ...inputs.arrays import is_wide
from ...inputs.truth import read_lists
from ...trec.join import BY_BLOCK
from ...trec.rows import Joined, join_counts

if TYPE_CHECKING:
    import pyarrow as pa

    from ...inputs.types import Array, Bools, Integers
    from ...measures.types import Measures, Rules


Column: TypeAlias = tuple[str, str]  # name in errors, and kind: id, score or label
Query: TypeAlias = tuple[str, str]  # column of the query ids in the result, and its Arrow type
Options: TypeAlias = dict[str, Any]  # of the evaluation
Answers: TypeAlias = Iterator[tuple[Evaluation, Any]]  # each with query ids, None: its own

ROWS = 1 << 18  # complete lists are evaluated when this many rows are in memory
REST = 16  # number of parts of the lists without a hit


# ---- columns


def read_columns(table: pa.Table | pa.RecordBatch, columns: list[Column]) -> list[Any]:
    """Columns as arrays, ids of queries first; an error names the column and the query."""
    queries = table.column(0)
    read = {"id": read_ids, "score": read_scores, "label": read_labels}
    pairs = zip(table.columns, columns, strict=False)
    return [read[kind](one, name, queries) for one, (name, kind) in pairs]


def read_ids(column: pa.Array, name: str, queries: pa.Array = None) -> Any:
    """Ids as int64, or as text."""
    if column.null_count:
        raise ValueError(
            f"column {name!r} is null in {column.null_count} rows; every row needs an id: drop or "
            "fill such rows"
        )
    is_text = str(column.type) in ("string", "large_string", "string_view")
    return column.to_numpy(zero_copy_only=False).astype(object if is_text else np.int64)


def read_scores(column: pa.Array, name: str, queries: pa.Array) -> Any:
    """Scores as float32 or float64."""
    scores = _numbers(column, name, queries)
    _refuse(np.isnan(scores), scores, name, queries, "a score must be a number that orders it")
    return scores


def read_labels(column: pa.Array, name: str, queries: pa.Array) -> Any:
    """Labels as float64."""
    labels = _numbers(column, name, queries).astype(np.float64)
    _refuse(~np.isfinite(labels), labels, name, queries, "labels must be finite numbers")
    return labels


def _numbers(column: pa.Array, name: str, queries: pa.Array) -> Any:
    if column.null_count:
        at = int(np.argmin(column.is_valid().to_numpy(zero_copy_only=False)))
        raise ValueError(
            f"column {name!r} is null in a row of query {queries[at].as_py()!r}; drop such rows, "
            "or fill them"
        )
    values = column.to_numpy(zero_copy_only=False)
    _refuse(is_wide(values), values, name, queries, "a double does not hold it: scale it")
    return values if values.dtype == np.float32 else values.astype(np.float64)


def _refuse(bad: Bools, values: Array, name: str, queries: pa.Array, why: str) -> None:
    if bad.any():
        at = int(bad.argmax())
        raise ValueError(
            f"column {name!r} is {values[at]} in a row of query {queries[at].as_py()!r}; {why}"
        )


def refuse_twice(ids: Array, docs: Array, where: str) -> None:
    """Refuse a document twice in a list."""
    pairs = collections.Counter(zip(ids.tolist(), docs.tolist(), strict=True))
    for (query, doc), times in pairs.most_common(1):
        if times > 1:
            raise ValueError(
                f"{where}: query {query!r} has the document {doc!r} twice; keep one of them"
            )


def pack_rows(batches: Iterator[pa.RecordBatch], columns: list[Column]) -> Iterator[pa.RecordBatch]:
    """Pack the columns of each batch into one value, which clients read quickly."""
    for batch in batches:
        if batch.num_rows:
            yield _pack({"data": [pickle.dumps(read_columns(batch, columns))]})


def _pack(columns: Mapping[str, Sequence[object]]) -> pa.RecordBatch:
    """A record batch of pickled values, with the numbers of their parts."""
    import pyarrow as pa

    types = {"part": pa.int32(), "data": pa.binary()}
    arrays = {name: pa.array(values, types[name]) for name, values in columns.items()}
    return pa.RecordBatch.from_pydict(arrays)


# ---- answers


def answer(
    batches: Iterator[pa.RecordBatch],
    task: str,
    arguments: dict[str, Any],
    query: Query | None,
    drawn: dict[str, int] | None,
) -> Iterator[pa.RecordBatch]:
    """Run a task; yield values per query, or sums for means, with the bootstrap, as one value."""
    tasks: dict[str, Callable[..., Answers]] = {
        "finish_parts": finish_parts,
        "evaluate_lists": evaluate_lists,
        "evaluate_pairs": evaluate_pairs,
        "evaluate_rows": evaluate_rows,
    }
    result = tasks[task](batches, **arguments)
    if drawn is None:
        yield from values(result, query)
        return
    total = Accumulator(**drawn)
    for one, ids in result:
        total.add(one, queries=ids)
    yield _pack({"data": [pickle.dumps(total)]})


def values(result: Answers, query: Query | None) -> Iterator[pa.RecordBatch]:
    """Values per query as record batches, then the ends of their bounds."""
    import pyarrow as pa

    for one, ids in result:
        columns = {name: pa.array(column) for name, column in one.per_query.items()}
        for name, ends in find_ends(one).items():
            columns[name] = pa.array(ends)
        if query is not None:
            name, kind = query
            columns = {name: pa.array(list(one.queries if ids is None else ids), kind), **columns}
        yield pa.RecordBatch.from_pydict(columns)


def find_ends(one: Evaluation) -> dict[str, Any]:
    """The lowest and the highest values of the queries, by the names of their columns."""
    return {
        f"{name} {kind} {end}": ends[:, at]
        for kind, by_name in one.bounds.items()
        for name, ends in by_name.items()
        for at, end in enumerate(("low", "high"))
    }


# ---- counting


def count_rows(
    batches: Iterator[pa.RecordBatch], columns: list[Column], counter: Counter, cuts: list[int]
) -> Iterator[pa.RecordBatch]:
    """Count all documents of a partition; yield the counts in parts, cut between lists."""
    for batch in batches:
        ids, scores = read_columns(batch, columns)
        counter.add(ids, scores, columns[0][0])
    bounds = counter.levels.bounds[cuts]
    for part, (low, high) in enumerate(pairwise(bounds.tolist())):
        cells = counter.cells[low:high]
        if cells.any():
            small = cells.astype(np.min_scalar_type(int(cells.max())))
            yield _pack({"part": [part], "data": [pickle.dumps((small, counter.float32))]})
    rest: list[dict[Any, int]] = [{} for _ in range(REST)]
    for query, count in counter.others.items():
        rest[crc32(str(query).encode()) % REST][query] = count
    for at, others in enumerate(rest):
        if others:
            yield _pack({"part": [-1 - at], "data": [pickle.dumps(others)]})


def finish_parts(
    batches: Iterator[pa.RecordBatch],
    hits: Sequence[Array],
    places: Integers,
    queries: list[object],
    cuts: list[int],
    judged: tuple[Integers, Array] | None,
    after: Integers | None,
    requested: Options,
) -> Answers:
    """Add up the counts of each part, and evaluate its lists.

    places: the number of the query of each hit; judged: that and the label of each judged document.
    """
    cells, others, single = _add(batches)
    for part, counts in cells.items():
        low, high = cuts[part], cuts[part + 1]
        inside = (places >= low) & (places < high)
        partial = PartialRanks(*(one[inside] for one in hits), queries=queries[low:high])
        partial._counter.cells += counts
        partial._counter.float32 = single
        if judged is None or after is None:
            yield partial.finish(**requested), None
        else:
            of = (judged[0] >= low) & (judged[0] < high)
            known = judged[0][of] - low, judged[1][of]
            yield evaluate_counted(partial, known, after[inside], **requested), None
    for lists in others if judged is None else ():
        partial = PartialRanks([], [], [])
        partial._counter.others = lists
        yield partial.finish(**requested), None


def _add(
    batches: Iterator[pa.RecordBatch],
) -> tuple[dict[int, Any], list[collections.Counter[Any]], bool]:
    """The counts of each part, those of lists without a hit, and whether scores are float32."""
    cells: dict[int, Any] = {}
    others: dict[int, collections.Counter[Any]] = {}
    single = True
    for batch in batches:
        for part, packed in zip(*(one.to_pylist() for one in batch.columns), strict=True):
            if packed is None:
                cells.setdefault(part, 0)
                continue
            data = pickle.loads(packed)
            if part < 0:
                others.setdefault(part, collections.Counter()).update(data)
                continue
            single &= data[1]
            cells[part] = cells.get(part, 0) + data[0].astype(np.int64)
    return cells, list(others.values()), single


def evaluate_counted(
    partial: PartialRanks,
    judged: tuple[Integers, Array],
    after: Integers,
    measures: Measures,
    convention: Rules = "trec",
    **options: object,
) -> Evaluation:
    """Evaluate judgments and a run by the ranks of the hits, as `evaluate` does.

    judged: the list and the label of each judged document; after: how many documents with the
    score of each hit have a greater id.
    """
    settings = {name: options.get(name, UNSET) for name in SETTINGS}
    call = CallSettings(settings, get_convention(convention))
    requested, groups = request_joins(measures, *call[:2])
    above, equal, documents = partial._counted()

    def join(group: JoinGroup) -> Joined:
        hits = partial._rows, partial._labels, above, equal
        if group.rules.ties not in BY_BLOCK:
            before = after if group.rules.ties == "id_descending" else equal - 1 - after
            hits = *hits[:2], above + before, np.ones_like(equal)
        return join_counts(partial._queries.ids, documents, hits, judged)

    return evaluate_joins(groups, join, requested, call)


# ---- whole lists


def whole_lists(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[Any, Any]]:
    """Yield tables of complete lists and the start of each list; rows of a list are adjacent."""
    import pyarrow as pa

    waiting: list[Any] = []
    rows = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            rows += batch.num_rows
        if rows < ROWS:
            continue
        table = pa.Table.from_batches(waiting)
        starts = _starts(table)
        if len(starts) > 1:
            yield table.slice(0, int(starts[-1])), starts[:-1]
            table = table.slice(int(starts[-1]))
        waiting, rows = table.to_batches(), table.num_rows if len(starts) > 1 else 0
    if waiting:
        table = pa.Table.from_batches(waiting)
        yield table, _starts(table)


def _starts(table: pa.Table) -> Any:
    """The first row of each list."""
    codes = table.column(0).combine_chunks().dictionary_encode().indices
    codes = codes.fill_null(-1).to_numpy(zero_copy_only=False)
    return np.concatenate(([0], np.flatnonzero(codes[1:] != codes[:-1]) + 1))


def evaluate_lists(
    batches: Iterator[pa.RecordBatch],
    columns: list[Column],
    requested: Options,
    by_place: str,
    single: bool,
) -> Answers:
    """Evaluate rows of query, label and score; the rows of a list are adjacent.

    by_place: the measures whose tie rules use positions of documents, which Spark does not keep.
    """
    for table, starts in whole_lists(batches):
        ids, labels, scores = read_columns(table, columns)
        sizes = np.diff(np.append(starts, len(ids)))
        if by_place:
            lists = read_lists(labels, scores, group=sizes)
            tie = first_tie(lists.having(float32=single))
            if tie is not None:
                _refuse_tie(ids[starts].tolist()[tie[0]], by_place)
        result = evaluate_arrays(labels, scores, group=sizes, **requested)
        yield result, ids[starts].tolist()


def _refuse_tie(query: object, by_place: str) -> None:
    raise ValueError(
        f"query {query!r} has equal scores, and {by_place} ask for the places of documents, which "
        'rows of a DataFrame have not: choose ties="average", "best" or "worst"'
    )


def evaluate_pairs(
    batches: Iterator[pa.RecordBatch],
    columns: list[Column],
    requested: Options,
    by_place: str,
    single: bool,
) -> Answers:
    """Evaluate rows of query, document, label and score, of judgments and of a run.

    A fifth column tells judgments. columns: query, document, label, score.
    """
    from pyarrow import compute

    for table, _ in whole_lists(batches):
        judged = table.column(4)
        truth = _records(Qrels, table.filter(judged).select([0, 1, 2]), columns[:3])
        others = table.filter(compute.invert(judged)).select([0, 1, 3])
        run = _records(Run, others, [*columns[:2], columns[3]])
        if by_place:
            _refuse_ties_of(run, by_place, single)
        with warnings.catch_warnings():  # what is missing here may be in another partition
            warnings.simplefilter("ignore", RankgainWarning)
            yield evaluate(truth, run, **requested), None


def _records(kind: type[Any], rows: pa.Table, columns: list[Column]) -> Any:
    """Qrels or a Run of rows of query, document and number."""
    if not rows.num_rows:
        return kind({})
    ids, docs, _ = read_columns(rows, columns)
    names = ["query", "document", "label" if kind is Qrels else "score"]
    try:
        return kind.from_frame(rows.rename_columns(names), **dict(zip(names, names, strict=True)))
    except ValueError:
        refuse_twice(ids, docs, "truth" if kind is Qrels else "run")
        raise


def _refuse_ties_of(run: Run, by_place: str, single: bool) -> None:
    """Refuse equal scores in a list of a run, whose scores are in order."""
    rows = run._arrays
    scores = rows.values.astype(np.float32) if single else rows.values
    ties = np.append(np.diff(scores) == 0, False)
    ties[rows.lists[1:] - 1] = False  # at the end of each list
    if ties.any():
        at = int(np.searchsorted(rows.lists, ties.argmax(), side="right")) - 1
        _refuse_tie(rows.displayed[at], by_place)


# ---- a list in each row


def evaluate_rows(
    batches: Iterator[pa.RecordBatch], names: list[str], form: str, requested: Options
) -> Answers:
    """Evaluate arrays of labels and scores, or of recommended and relevant ids."""
    evaluate = _evaluate_scored if form == "scored" else _evaluate_ranked
    for batch in batches:
        first = len(names) - 2  # 1 if there is a column of ids
        ids = read_ids(batch.column(0), names[0]).tolist() if first else None
        result = evaluate(batch.column(first), batch.column(first + 1), names[first:], requested)
        yield result, ids


def _flat(column: pa.Array, name: str) -> tuple[Any, Any]:
    """The elements of all arrays, and the length of each."""
    if column.null_count:
        at = int(np.argmin(column.is_valid().to_numpy(zero_copy_only=False)))
        raise ValueError(f"column {name!r} is null in row {at} of a batch; an empty list is []")
    values = column.flatten()
    if values.null_count:
        raise ValueError(f"column {name!r} has arrays with null elements; leave these out")
    sizes = np.diff(column.offsets.to_numpy())
    return values, sizes.astype(np.int64)


def _evaluate_scored(
    labels: pa.Array, scores: pa.Array, names: list[str], requested: Options
) -> Any:
    """Evaluate arrays of labels and scores."""
    y_true, sizes = _flat(labels, names[0])
    y_score, others = _flat(scores, names[1])
    differs = np.flatnonzero(sizes != others)
    if differs.size:
        at = int(differs[0])
        raise ValueError(
            f"row {at} of a batch has {sizes[at]} elements in {names[0]!r}, but {others[at]} in "
            f"{names[1]!r}; each document needs a label and a score"
        )
    flat = [one.to_numpy(zero_copy_only=False) for one in (y_true, y_score)]
    return evaluate_arrays(*flat, group=sizes, **requested)


def _evaluate_ranked(
    recommended: pa.Array, relevant: pa.Array, names: list[str], requested: Options
) -> Any:
    """Evaluate arrays of recommended ids, best first, and of relevant ids."""
    import pyarrow as pa

    retrieved, sizes = _flat(recommended, names[0])
    wanted, others = _flat(relevant, names[1])
    both = pa.concat_arrays([retrieved, wanted.cast(retrieved.type)])
    codes = both.dictionary_encode().indices.to_numpy().astype(np.int64)
    table = np.full((len(sizes), int(sizes.max(initial=1))), -1, np.int64)
    table[np.arange(table.shape[1]) < sizes[:, None]] = codes[: len(retrieved)]
    cuts = np.cumsum(others)[:-1]
    lists = np.split(codes[len(retrieved) :], cuts) if len(others) else []
    return evaluate_topk(table, [np.unique(one) for one in lists], **requested)
