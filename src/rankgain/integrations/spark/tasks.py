"""Tasks that run on Spark workers: each reads record batches and yields record batches.

Memory of a worker: one batch, the incomplete list or the counts, and the hits.
"""

from __future__ import annotations

import collections
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

import numpy as np

from ... import Accumulator, Evaluation, Qrels, RankgainWarning, Run, _core
from ...convention import UNSET, get_convention
from ...convention.options import SETTINGS
from ...engine.counted import Counter, Counts
from ...evaluation.arrays import evaluate_arrays
from ...evaluation.counting import columns_of
from ...evaluation.ids import evaluate_ids
from ...evaluation.one_pass import CallSettings
from ...evaluation.partial.ranked import RankedLists, evaluate_ranked
from ...evaluation.partial.ranks import PartialRanks
from ...evaluation.runs import JoinGroup, evaluate, evaluate_joins, request_joins
from ...inputs.arrays import is_wide
from ...inputs.ranks import RankScale, find_scale
from ...inputs.tables.stream import adjacent_parts
from ...trec.forms import NamedColumns
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
PARTS_WITHOUT_HITS = 16  # of the lists without a hit


# ---- columns


def read_columns(table: pa.Table | pa.RecordBatch, columns: list[Column]) -> list[Array]:
    """Columns as arrays, ids of queries first; an error names the column and the query."""
    queries = table.column(0)
    arrays = []
    for column, (name, kind) in zip(table.columns, columns, strict=False):
        arrays.append(read_column(column, name, kind, queries))
    return arrays


def read_column(column: pa.Array, name: str, kind: str, queries: pa.Array = None) -> Array:
    """Ids as int64 or text, labels as float64, scores as float32 or float64."""
    missing = column.null_count
    if kind == "id":
        if missing:
            raise ValueError(
                f"column {name!r} is null in {missing} rows; every row needs an id: drop or fill "
                "such rows"
            )
        is_text = str(column.type) in ("string", "large_string", "string_view")
        ids: Array = column.to_numpy(zero_copy_only=False)
        return ids.astype(object if is_text else np.int64)
    if missing:
        row = int(np.argmin(column.is_valid().to_numpy(zero_copy_only=False)))
        raise ValueError(
            f"column {name!r} is null in a row of query {queries[row].as_py()!r}; drop such rows, "
            "or fill them"
        )
    values: Array = column.to_numpy(zero_copy_only=False)
    result = values
    if kind != "score" or values.dtype != np.float32:
        result = values.astype(np.float64)
    words = "it cannot be represented exactly as a float64; rescale it"
    _refuse(is_wide(values), name, values, queries, words)
    if kind == "score":
        words = "a score must be a number that orders it"
        _refuse(np.isnan(result), name, values, queries, words)
    else:
        _refuse(~np.isfinite(result), name, values, queries, "labels must be finite numbers")
    return result


def _refuse(is_bad: Bools, name: str, values: Array, queries: pa.Array, words: str) -> None:
    """Refuse the first bad value of a column."""
    if is_bad.any():
        row = int(is_bad.argmax())
        query = queries[row].as_py()
        raise ValueError(f"column {name!r} is {values[row]} in a row of query {query!r}; {words}")


def refuse_twice(ids: Array, docs: Array, frame: str) -> None:
    """Refuse a document twice in a list."""
    pairs = collections.Counter(zip(ids.tolist(), docs.tolist(), strict=True))
    for (query, doc), times in pairs.most_common(1):
        if times > 1:
            raise ValueError(
                f"{frame}: query {query!r} has the document {doc!r} twice; keep one of them"
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
    arrays = {}
    for name, values in columns.items():
        arrays[name] = pa.array(values, types[name])
    return pa.RecordBatch.from_pydict(arrays)


# ---- answers


def answer(
    batches: Iterator[pa.RecordBatch],
    task: Callable[..., Answers],
    arguments: dict[str, Any],
    query: Query | None,
    drawn: dict[str, int] | None,
) -> Iterator[pa.RecordBatch]:
    """Run a task; yield values per query, then the ends of their bounds, or sums as one value."""
    import pyarrow as pa

    total = None if drawn is None else Accumulator(**drawn)
    for evaluation, ids in task(batches, **arguments):
        if total is not None:
            total.add(evaluation, queries=ids)
            continue
        columns = {}
        if query is not None:
            name, kind = query
            queries = evaluation.queries if ids is None else ids
            columns[name] = pa.array(list(queries), kind)
        for name, column in columns_of(evaluation).items():
            columns[name] = pa.array(column)
        yield pa.RecordBatch.from_pydict(columns)
    if total is not None:
        yield _pack({"data": [pickle.dumps(total)]})


# ---- counting


def count_rows(
    batches: Iterator[pa.RecordBatch], columns: list[Column], counter: Counter, cuts: list[int]
) -> Iterator[pa.RecordBatch]:
    """Count all documents of a partition; yield the counts in parts, cut between lists."""
    for batch in batches:
        ids, scores = read_columns(batch, columns)
        counter.add(ids, scores, columns[0][0])
    parts: dict[int, Counts] = {}
    bounds = counter.levels.bounds[cuts].tolist()
    for part, (low, high) in enumerate(pairwise(bounds)):
        cells = counter.cells[low:high]
        if cells.any():
            # The smallest type that holds all counts, as they are sent.
            small = cells.astype(np.min_scalar_type(int(cells.max())))
            parts[part] = Counts(small, {}, counter.float32)
    for query, count in counter.sizes_without_hits.items():
        part = -1 - crc32(str(query).encode()) % PARTS_WITHOUT_HITS
        if part not in parts:
            parts[part] = Counts(np.zeros(0, np.int64), {}, counter.float32)
        parts[part].sizes_without_hits[query] = count
    for part, counts in parts.items():
        yield _pack({"part": [part], "data": [pickle.dumps(counts)]})


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
    partials: dict[int, PartialRanks] = {}
    spans: dict[int, tuple[int, int]] = {}
    for batch in batches:
        parts, counts = batch.columns
        for part, packed in zip(parts.to_pylist(), counts.to_pylist(), strict=True):
            if part not in partials:
                # Numbers below 0 are of lists without a hit, whose names are not known.
                low = high = 0
                of_part = None
                if part >= 0:
                    low, high = cuts[part], cuts[part + 1]
                    of_part = queries[low:high]
                spans[part] = low, high
                is_inside = (places >= low) & (places < high)
                hits_of_part = [column[is_inside] for column in hits]
                partials[part] = PartialRanks(*hits_of_part, queries=of_part)
                partials[part]._counter.float32 = True
            if packed is not None:
                partials[part]._counter.merge(pickle.loads(packed))
    for part, partial in partials.items():
        if judged is None or after is None:
            yield partial.finish(**requested), None
        elif part >= 0:  # other lists are not judged
            low, high = spans[part]
            judged_lists, labels = judged
            is_hit = (places >= low) & (places < high)
            is_judged = (judged_lists >= low) & (judged_lists < high)
            judged_of_part = judged_lists[is_judged] - low, labels[is_judged]
            yield evaluate_counted(partial, judged_of_part, after[is_hit], **requested), None


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
            # By id: of the documents with the same score, those with greater ids come before, or
            # all others.
            before = after
            if group.rules.ties != "id_descending":
                before = equal - 1 - after
            hits = partial._rows, partial._labels, above + before, np.ones_like(equal)
        return join_counts(partial._queries.ids, documents, hits, judged)

    return evaluate_joins(groups, map(join, groups), requested, call)


# ---- whole lists


def whole_lists(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield tables of complete lists; the first column names the list, whose rows are adjacent."""
    for first in batches:
        parts = adjacent_parts(chain([first], batches), first.schema.names[:1], ROWS)
        yield from (part.table for part in parts)


def _bounds(ids: Array) -> Integers:
    """The first row of each list, and the end of the last one."""
    changes = np.flatnonzero(ids[1:] != ids[:-1]) + 1
    return np.concatenate(([0], changes, [len(ids)]))


def evaluate_lists(
    batches: Iterator[pa.RecordBatch],
    columns: list[Column],
    requested: Options,
    by_place: str,
    single: bool,
) -> Answers:
    """Evaluate rows of query, label and score; the rows of a list are adjacent."""
    for table in whole_lists(batches):
        ids, labels, scores = read_columns(table, columns)
        if by_place:
            _refuse_ties(ids, scores, by_place, single)
        bounds = _bounds(ids)
        result = evaluate_arrays(labels, scores, group=np.diff(bounds), **requested)
        yield result, ids[bounds[:-1]].tolist()


def evaluate_ranked_lists(
    batches: Iterator[pa.RecordBatch],
    columns: list[Column],
    requested: Options,
    by_place: str,
    single: bool,
    scale: RankScale,
) -> Answers:
    """Evaluate rows of query, label and rank; the rows of a list are adjacent."""
    for table in whole_lists(batches):
        ids, labels, ranks = read_columns(table, columns)
        _check_ranks(ids, ranks, columns[2][0])
        if by_place:
            _refuse_ties(ids, ranks, by_place, single)
        bounds = _bounds(ids)
        lists = RankedLists(ids[bounds[:-1]].tolist(), bounds, labels, ranks)
        yield evaluate_ranked(lists, scale, **requested), None


def _check_ranks(ids: Array, ranks: Array, name: str) -> None:
    """Refuse numbers that are not ranks."""

    def place_of_row(row: int) -> str:
        return f"a row of query {ids[row : row + 1].tolist()[0]!r}"

    find_scale(ranks, name, place_of_row)


def _refuse_ties(ids: Array, scores: Array, by_place: str, single: bool) -> None:
    """Refuse equal scores in a list, whose rows are adjacent; single: as float32."""
    bounds = _bounds(ids)
    scores = scores.astype(np.float32 if single else np.float64)
    tied_list = _core.list_with_tie(scores, bounds[:-1], bounds[1:])
    if tied_list >= 0:
        raise ValueError(
            f"query {ids.tolist()[bounds[tied_list]]!r} has equal scores, and the ties of "
            f"{by_place} need the places of documents, which rows of a DataFrame do not have: "
            'choose ties="average", "best" or "worst"'
        )


def evaluate_pairs(
    batches: Iterator[pa.RecordBatch],
    columns: list[Column],
    requested: Options,
    by_place: str,
    single: bool,
    scale: RankScale | None = None,
) -> Answers:
    """Evaluate rows of query, document, label and score; a fifth column says which are judgments.

    scale: of the ranks of the whole run, if the scores are ranks.
    """
    from pyarrow import compute

    for table in whole_lists(batches):
        judged = table.column(4)
        truth = _records(Qrels, table.filter(judged).select([0, 1, 2]), columns[:3])
        ranked = table.filter(compute.invert(judged)).select([0, 1, 3])
        run_columns = [*columns[:2], columns[3]]
        run = _records(Run, ranked, run_columns, scale)
        if by_place and ranked.num_rows:
            ids, _, scores = read_columns(ranked, run_columns)
            _refuse_ties(ids, scores, by_place, single)
        with warnings.catch_warnings():  # what is missing here may be in another partition
            warnings.simplefilter("ignore", RankgainWarning)
            yield evaluate(truth, run, **requested), None


def _records(
    kind: type[Any], rows: pa.Table, columns: list[Column], scale: RankScale | None = None
) -> Any:
    """Qrels or a Run of rows of query, document and number."""
    if not rows.num_rows:
        return kind({})
    ids, docs, numbers = read_columns(rows, columns)
    if scale is not None:
        _check_ranks(ids, numbers, columns[2][0])
    number, argument = "score", "run"
    if kind is Qrels:
        number, argument = "label", "truth"
    frame = rows.rename_columns(["query", "doc", number])
    of_ranks = scale is not None
    try:
        return kind(NamedColumns(frame, "query", "doc", number, of_ranks=of_ranks, scale=scale))
    except ValueError:
        refuse_twice(ids, docs, argument)
        raise


# ---- a list in each row


def evaluate_rows(
    batches: Iterator[pa.RecordBatch], names: list[str], form: str, requested: Options
) -> Answers:
    """Evaluate arrays of labels and scores, or of recommended ids, best first, and relevant ids."""
    import pyarrow as pa

    first = len(names) - 2  # 1 if there is a column of ids
    for batch in batches:
        ids = None
        if first:
            ids = read_column(batch.column(0), names[0], "id").tolist()
        left, left_sizes = _flatten(batch.columns[first], names[first])
        right, right_sizes = _flatten(batch.columns[first + 1], names[first + 1])
        if form == "scored":
            differs = np.flatnonzero(left_sizes != right_sizes)
            if differs.size:
                row = int(differs[0])
                raise ValueError(
                    f"row {row} of a batch has {left_sizes[row]} elements in {names[first]!r}, but "
                    f"{right_sizes[row]} in {names[-1]!r}; each document needs a label and a score"
                )
            labels = left.to_numpy(zero_copy_only=False)
            scores = right.to_numpy(zero_copy_only=False)
            yield evaluate_arrays(labels, scores, group=left_sizes, **requested), ids
            continue
        # Ids of both columns as common codes; -1 fills the rows of the recommended ones.
        combined = pa.concat_arrays([left, right.cast(left.type)])
        codes = combined.dictionary_encode().indices.to_numpy().astype(np.int64)
        depth = int(left_sizes.max(initial=1))
        recommended = np.full((len(left_sizes), depth), -1, np.int64)
        is_filled = np.arange(depth) < left_sizes[:, None]
        recommended[is_filled] = codes[: len(left)]
        _refuse_repeats(codes[: len(left)], left, left_sizes, names[first])
        relevant = []
        if len(right_sizes):
            relevant = np.split(codes[len(left) :], np.cumsum(right_sizes)[:-1])
        with warnings.catch_warnings():  # they would name codes, and one batch shows little
            warnings.simplefilter("ignore", RankgainWarning)
            evaluation = evaluate_ids(recommended, list(map(np.unique, relevant)), **requested)
        yield evaluation, ids


def _refuse_repeats(codes: Integers, values: pa.Array, sizes: Integers, name: str) -> None:
    """Refuse an id twice in the array of a row; codes: of the values of all rows."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    # Row and code as one number, which is repeated if the id is.
    keys = rows * (1 + int(codes.max(initial=0))) + codes
    _, firsts = np.unique(keys, return_index=True)
    is_repeat = np.ones(len(keys), bool)
    is_repeat[firsts] = False
    if is_repeat.any():
        index = int(is_repeat.argmax())
        raise ValueError(
            f"row {rows[index]} of a batch has the id {values[index].as_py()!r} twice in {name!r}; "
            "keep one of them"
        )


def _flatten(column: pa.Array, name: str) -> tuple[pa.Array, Integers]:
    """The elements of all arrays, and the length of each."""
    if column.null_count:
        row = int(np.argmin(column.is_valid().to_numpy(zero_copy_only=False)))
        raise ValueError(f"column {name!r} is null in row {row} of a batch; an empty list is []")
    values = column.flatten()
    if values.null_count:
        raise ValueError(f"column {name!r} has arrays with null elements; remove these")
    sizes = np.diff(column.offsets.to_numpy())
    return values, sizes.astype(np.int64)
