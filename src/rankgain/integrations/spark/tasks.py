"""Functions that run in Spark's workers: record batches in, record batches out.

Memory of a worker: one batch, the incomplete list or the counts, and the hits.
"""

from __future__ import annotations

import collections
import pickle
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

import numpy as np

from ...engine.counted import Counter
from ...engine.threads import first_tie
from ...evaluation.arrays import evaluate_arrays
from ...evaluation.ids import evaluate_topk
from ...evaluation.partial.ranks import PartialRanks
from ...inputs.read import read_lists
from .reading import ids_of, labels_of, refuse_twice, scores_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ...inputs.types import Integers


Query: TypeAlias = tuple[str, str]  # column of the query ids in the result, and its Arrow type

ROWS = 1 << 18  # complete lists are evaluated when this many rows are in memory
REST = 16  # number of parts of the lists without a hit


def pack_hits(batches: Iterator[Any], names: list[str]) -> Iterator[Any]:
    """Pack the hits of each batch into one value, which clients read quickly."""
    for batch in batches:
        if batch.num_rows:
            ids = ids_of(batch.column(0), names[0])
            scores = scores_of(batch.column(1), names[1], ids)
            labels = labels_of(batch.column(2), names[2], ids)
            docs = ids_of(batch.column(3), names[3]) if len(names) > 3 else None
            yield _packed({"data": [pickle.dumps((ids, scores, labels, docs))]})


def pack_truth(batches: Iterator[Any], names: list[str]) -> Iterator[Any]:
    """Pack judgments in the same way: query, document, label."""
    for batch in batches:
        if batch.num_rows:
            ids = ids_of(batch.column(0), names[0])
            docs = ids_of(batch.column(1), names[1])
            labels = labels_of(batch.column(2), names[2], ids)
            yield _packed({"data": [pickle.dumps((ids, docs, labels))]})


def _packed(columns: dict[str, list[Any]]) -> Any:
    """A record batch of pickled values, with the numbers of their parts."""
    import pyarrow as pa

    types = {"part": pa.int32(), "data": pa.binary()}
    arrays = {name: pa.array(values, types[name]) for name, values in columns.items()}
    return pa.RecordBatch.from_pydict(arrays)


# ---- answers

Answers: TypeAlias = Iterator[tuple[Any, Any]]  # evaluations, each with query ids or None


def values(result: Answers, query: Query | None) -> Iterator[Any]:
    """Values per query as record batches."""
    import pyarrow as pa

    for one, ids in result:
        columns = {name: pa.array(column) for name, column in one.per_query.items()}
        if query is not None:
            name, kind = query
            columns = {name: pa.array(list(one.queries if ids is None else ids), kind), **columns}
        yield pa.RecordBatch.from_pydict(columns)


def sums(result: Answers, drawn: dict[str, int]) -> Iterator[Any]:
    """The sums of a partition, with the bootstrap, as one value."""
    from ... import Accumulator

    total = Accumulator(**drawn)
    for one, ids in result:
        total.add(one, queries=ids)
    yield _packed({"data": [pickle.dumps(total)]})


def answer(
    batches: Iterator[Any],
    task: str,
    arguments: dict[str, Any],
    query: Query | None,
    sums_of: dict[str, int] | None,
) -> Iterator[Any]:
    """Run a task; yield values per query, or sums for means."""
    result = globals()[task](batches, **arguments)
    yield from values(result, query) if sums_of is None else sums(result, sums_of)


# ---- counting


def count_rows(
    batches: Iterator[Any], names: list[str], counter: Counter, cuts: list[int]
) -> Iterator[Any]:
    """Count all documents of a partition; yield the counts in parts, cut between lists."""
    for batch in batches:
        ids = ids_of(batch.column(0), names[0])
        counter.add(ids, scores_of(batch.column(1), names[1], ids), names[0])
    bounds = counter.bounds[cuts]
    for part, (low, high) in enumerate(pairwise(bounds.tolist())):
        cells = counter.cells[low:high]
        if cells.any():
            small = cells.astype(np.min_scalar_type(int(cells.max())))
            yield _packed({"part": [part], "data": [pickle.dumps((small, counter.float32))]})
    rest: list[dict[Any, int]] = [{} for _ in range(REST)]
    for query, count in counter.others.items():
        rest[crc32(str(query).encode()) % REST][query] = count
    for at, others in enumerate(rest):
        if others:
            yield _packed({"part": [-1 - at], "data": [pickle.dumps(others)]})


def finish_parts(
    batches: Iterator[Any],
    hits: tuple[Any, Any, Any],
    places: Integers,
    queries: list[Any],
    cuts: list[int],
    judged: tuple[Any, Any, Any] | None,
    requested: dict[str, Any],
) -> Answers:
    """Add up the counts of each part, and evaluate its lists.

    places: the query number of each hit; judged: query number, query and label.
    """
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
    for part, counts in cells.items():
        low, high = cuts[part], cuts[part + 1]
        here = [one[(places >= low) & (places < high)] for one in hits]
        options: dict[str, Any] = {"queries": queries[low:high]}
        if judged is not None:
            inside = (judged[0] >= low) & (judged[0] < high)
            options |= {"judged": [one[inside] for one in judged[1:]], "pool": True}
        partial = PartialRanks(*here, **options)
        partial._counter.cells += counts
        partial._counter.float32 = single
        yield partial.finish(**requested), None
    for lists in others.values() if judged is None else ():
        partial = PartialRanks([], [], [])
        partial._counter.others = lists
        yield partial.finish(**requested), None


# ---- whole lists


def whole_lists(batches: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
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
    batches: Iterator[Any], names: list[str], requested: dict[str, Any], by_place: str, single: bool
) -> Answers:
    """Evaluate rows of query, label and score; the rows of a list are adjacent.

    by_place: the measures whose tie rules use positions of documents, which Spark does not keep.
    """
    for table, starts in whole_lists(batches):
        ids = ids_of(table.column(0), names[0])
        labels = labels_of(table.column(1), names[1], ids)
        scores = scores_of(table.column(2), names[2], ids)
        sizes = np.diff(np.append(starts, len(ids)))
        if by_place:
            lists = read_lists(labels, scores, group=sizes)
            tie = first_tie(lists.having(float32=single))
            if tie is not None:
                query = ids[starts].tolist()[tie[0]]
                raise ValueError(
                    f"query {query!r} has equal scores, and {by_place} ask for the places of "
                    "documents, which rows of a DataFrame have not: choose "
                    'ties="average", "best" or "worst"'
                )
        result = evaluate_arrays(labels, scores, group=sizes, **requested)
        yield result, ids[starts].tolist()


def evaluate_joined(batches: Iterator[Any], names: list[str], requested: dict[str, Any]) -> Answers:
    """Evaluate rows of query, document, label and score, with marks for judged and listed rows."""
    for table, _ in whole_lists(batches):
        ids, docs = ids_of(table.column(0), names[0]), ids_of(table.column(1), names[1])
        refuse_twice(ids, docs, "truth or run")
        judged = table.column(4).is_valid().to_numpy(zero_copy_only=False)
        listed = table.column(5).is_valid().to_numpy(zero_copy_only=False)
        labels = labels_of(table.column(2).filter(judged), names[2], ids[judged])
        scores = scores_of(table.column(3).filter(listed), names[3], ids[listed])
        both = judged & listed
        partial = PartialRanks(
            ids[both],
            scores[both[listed]],
            labels[both[judged]],
            queries=list(dict.fromkeys(ids[judged].tolist())),
            judged=(ids[judged], labels),
            pool=True,
        )
        partial.add(ids[listed], scores)
        yield partial.finish(**requested), None


# ---- a list in each row


def evaluate_rows(
    batches: Iterator[Any], names: list[str], form: str, requested: dict[str, Any]
) -> Answers:
    """Evaluate arrays of labels and scores, or of recommended and relevant ids."""
    evaluate = _scored if form == "scored" else _recommended
    for batch in batches:
        first = len(names) - 2  # 1 if there is a column of ids
        ids = ids_of(batch.column(0), names[0]).tolist() if first else None
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


def _scored(labels: pa.Array, scores: pa.Array, names: list[str], requested: dict[str, Any]) -> Any:
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


def _recommended(
    recommended: pa.Array, relevant: pa.Array, names: list[str], requested: dict[str, Any]
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
