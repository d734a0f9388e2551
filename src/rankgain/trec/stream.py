"""Runs that are joined while they are read; the memory holds the judgments and a block of rows."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from .. import _core
from ..engine.threads import join_threads, start_threads
from ..inputs.arrays import as_float32
from ..inputs.files import (
    BLOCK,
    Source,
    can_seek,
    inflate,
    name_source,
    open_source,
    parse_stream,
    read_up_to,
    standard_input,
)
from ..inputs.lists import add_sizes
from .rows import (
    Floats,
    Integers,
    JoinCache,
    RecordRows,
    collect,
    find_documents,
    gather,
    smallest_repeated_ids,
)

if TYPE_CHECKING:
    from ..inputs.types import Path

ROWS_PER_BLOCK = 1 << 15  # rows that are joined together, so that they stay in the caches
MIN_PART_BYTES = 1 << 23  # smallest number of bytes of a file for each thread
MAX_PIPE_BYTES = 1 << 24  # bytes of a pipe in memory; a longer one goes to a temporary file
MAX_SEARCH_BYTES = 1 << 22  # bytes that are searched for the start of a query


class StreamedRun(NamedTuple):
    """The judged documents of a run, by query of the qrels."""

    lists: Integers  # documents (-1: not in the run), first hit, number of hits
    ranks: Integers
    labels: Floats
    repeated: dict[int, bytes]  # query -> the smallest id that is in its list twice
    unjudged: tuple[str, ...]  # queries of the run that have no judgments, in its order
    tag: bytes
    rows: int
    lines: int
    comment: int  # the first line that is skipped as a comment and looks like a row, or 0
    orders: int  # bits: ranks against the scores (1), and along them


class NotAdjacentError(ValueError):
    """The rows of a query are apart, so that they cannot be joined while they are read."""


class Stream(NamedTuple):
    """Judgments with which runs are joined."""

    qrels: RecordRows
    join_cache: JoinCache
    numbers: dict[str, int]  # of the queries by id
    max_documents: int = sys.maxsize  # of a list
    as_trec_eval: bool = False
    float32: bool = False  # compare scores as float32

    def read(self, source: Source, threads: int) -> StreamedRun:
        """Read a run; if the rows of a query are not adjacent, once more and as one block."""
        with rewindable(source) as (stored, start):
            try:
                return self.read_once(stored, threads)
            except NotAdjacentError:
                rewind(stored, start)
                return self.read_once(stored, min_rows=sys.maxsize)

    def read_in_two_threads(self, source: "Path", cut: int) -> StreamedRun:
        """Read a run once in two threads; cut: where the second half starts."""
        parts: dict[int, StreamedRun] = {}
        second_half = SectionReader(source, cut, sys.maxsize)

        def read_second() -> None:
            # Reading the whole file below raises the error with the right line number.
            with suppress(Exception):
                parts[1] = self.read_once(source, section=second_half)

        # An interrupt does not wait for the thread. If it cannot start, a part is missing.
        running = start_threads(read_second, 1)
        try:
            parts[0] = self.read_once(source, section=SectionReader(source, 0, cut))
            join_threads(running)
        finally:
            second_half.wanted = False
        if len(parts) < 2:
            return self.read_once(source)
        first, second = parts[0], parts[1]
        in_second = second.lists[:, 0] >= 0
        in_both = in_second & (first.lists[:, 0] >= 0)
        if in_both.any() or not set(first.unjudged).isdisjoint(second.unjudged):
            raise NotAdjacentError("the rows of a query are not adjacent")
        # The hits of the second half follow those of the first.
        second.lists[:, 1] += len(first.ranks)
        lists = np.where(in_second[:, None], second.lists, first.lists)
        comment = first.comment
        if not comment and second.comment:
            comment = first.lines + second.comment
        return StreamedRun(
            lists=lists,
            ranks=np.concatenate([first.ranks, second.ranks]),
            labels=np.concatenate([first.labels, second.labels]),
            repeated=first.repeated | second.repeated,
            unjudged=first.unjudged + second.unjudged,
            tag=second.tag or first.tag,
            rows=first.rows + second.rows,
            lines=first.lines + second.lines,
            comment=comment,
            orders=first.orders | second.orders,
        )

    def read_once(
        self,
        source: Source,
        threads: int = 1,
        section: "SectionReader | None" = None,
        min_rows: int = ROWS_PER_BLOCK,
    ) -> StreamedRun:
        """Read a run, or a section of its file, once, in blocks of at least `min_rows` rows."""
        cut = query_boundary(source) if threads > 1 else 0
        if cut:
            return self.read_in_two_threads(cast("Path", source), cut)
        reader = _core.Rows(False, self.as_trec_eval)
        lists = np.full((len(self.numbers), 3), -1, np.int64)
        ranks = [np.empty(0, np.int64)]
        labels = [np.empty(0)]
        hit_count = 0
        repeated: dict[int, bytes] = {}
        unjudged: list[str] = []
        with open_source(source) if section is None else section as stream:
            for rows, rank_of in self.blocks(reader, stream, min_rows):
                # The number of each query of the block among the judged queries, or -1.
                numbers = np.array([self.numbers.get(query, -1) for query in rows.queries], int)
                indptr, block_ranks, block_labels, repeated_row = find_documents(
                    self.qrels,
                    self.join_cache.codes,
                    numbers,
                    rows,
                    tables=None,
                    list_of=np.arange(len(numbers)),
                    ranks=rank_of,
                )
                if repeated_row is not None:
                    if not self.as_trec_eval:
                        raise ValueError("a document is in a query twice")
                    for list_number, document in smallest_repeated_ids(rows).items():
                        repeated[int(numbers[list_number])] = document
                # Documents, first hit and number of hits of each list, as in StreamedRun.
                first_hits = hit_count + indptr[:-1]
                columns = np.column_stack((np.diff(rows.lists), first_hits, np.diff(indptr)))
                is_judged = numbers >= 0
                lists[numbers[is_judged]] = columns[is_judged]
                hit_count += len(block_ranks)
                ranks.append(block_ranks)
                labels.append(block_labels)
                unjudged += [rows.queries[i] for i in np.flatnonzero(~is_judged)]
        if reader.fields:
            raise ValueError("rows of fewer fields have ranks to check")
        return StreamedRun(
            lists=lists,
            ranks=np.concatenate(ranks),
            labels=np.concatenate(labels),
            repeated=repeated,
            unjudged=tuple(unjudged),
            tag=reader.tag,
            rows=reader.rows,
            lines=reader.lines,
            comment=reader.comment,
            orders=reader.orders,
        )

    def blocks(
        self, reader: _core.Rows, stream: IO[Any] | io.RawIOBase, min_rows: int
    ) -> Iterator[tuple[RecordRows, Integers | None]]:
        """The rows of complete queries, whenever `min_rows` have been read.

        With them come the ranks of the rows, or None if they stand in canonical order already.
        """
        queries_before = 0
        reusable_order = np.empty(0, np.int64)  # 0, 1, 2, ..., left as it was by a block before
        # The parser yields whenever it has read bytes. At the end of the stream, the last query
        # cannot grow any more, and the rows left are the last block.
        for may_grow in chain((True for _ in parse_stream(stream, reader)), [False]):
            if may_grow and reader.complete < min_rows:
                continue
            *columns, gaps = reader.columns(may_grow)
            runs = np.asarray(columns[3]).view(np.int64).reshape(-1, 2)  # first row, query
            if (runs[:, 1] < queries_before).any():
                raise NotAdjacentError("the rows of a query are not adjacent")
            # Queries are numbered as they are met, so this block has all up to the greatest.
            query_count = int(runs[:, 1].max(initial=-1)) + 1 - queries_before
            names = reader.names_of_queries(queries_before)[:query_count]
            own_runs = np.ascontiguousarray(runs - [0, queries_before])
            rows = collect(names, (*columns[:3], own_runs, gaps))
            queries_before += len(names)
            if self.float32:
                rows = rows._replace(values=as_float32(rows.values).astype(np.float64))
            if rows.order is not None:  # the rows of a query are apart in this block
                rows = gather(rows)._replace(order=None)
            n = len(rows.values)
            sizes = np.diff(rows.lists)
            ranks = None
            order = reusable_order[:n]
            if len(order) < n:
                order = np.arange(n)
            moved = _core.order_lists(rows.values, rows.ids, rows.id_starts, rows.lists, order)
            reusable_order = np.empty(0, np.int64) if moved else order
            is_longer = sizes.max(initial=0) > self.max_documents
            if moved or is_longer:
                # The rank of a row in its list, from 0: its number less that of the first row.
                rank = np.arange(n) - np.repeat(rows.lists[:-1], sizes)
            if is_longer:
                lists = add_sizes(np.minimum(sizes, self.max_documents))
                cut_order = order[rank < self.max_documents]
                rows = gather(rows._replace(order=cut_order, lists=lists))
            elif moved:
                ranks = np.empty_like(rank)
                ranks[order] = rank
            yield rows, ranks


class SectionReader(io.RawIOBase):
    """Reader of a range of bytes of a file; set `wanted` to False to stop reading."""

    def __init__(self, path: "Path", start: int, stop: int) -> None:
        self.file = io.FileIO(path)
        self.file.seek(start)
        self.left = stop - start
        self.wanted = True

    def readinto(self, block: Any) -> int:
        """Read into a buffer."""
        if not self.wanted:
            raise ValueError("no longer wanted")
        with memoryview(block) as view, view[: self.left] as target:
            count = self.file.readinto(target) or 0
        self.left -= count
        return count

    def close(self) -> None:
        """Close the file."""
        self.file.close()
        super().close()


class NamedReader(io.BufferedReader):
    """A buffered reader with the name of the original source."""

    name = ""


class NamedText(io.StringIO):
    """Text with the name of the original source."""

    name = ""


@contextmanager
def rewindable(source: Source) -> Iterator[tuple[Source, int]]:
    """A source that can be read twice, and its start; many data of a pipe go to a file."""
    if isinstance(source, (str, os.PathLike)) and source != "-":
        if os.path.isfile(source) or not os.path.exists(source):
            yield source, 0
        else:  # a named pipe can be read only once
            with open(source, "rb") as pipe, rewindable(pipe) as result:
                yield result
        return
    stream: Any = standard_input() if source == "-" else source
    if can_seek(stream):
        yield source, stream.tell()
        return
    data = read_up_to(stream, MAX_PIPE_BYTES)
    if isinstance(data, str):
        text = NamedText(data + stream.read())
        text.name = name_source(source)
        yield text, 0
        return
    raw: IO[bytes] = io.BytesIO()
    if len(data) == MAX_PIPE_BYTES:
        from tempfile import TemporaryFile

        raw = TemporaryFile(buffering=0)  # noqa: SIM115  # closed below
    with raw, NamedReader(cast(io.RawIOBase, raw), BLOCK) as reader:
        while data:
            raw.write(data)
            data = read_up_to(stream, MAX_PIPE_BYTES)
        raw.seek(0)
        reader.name = name_source(source)
        yield reader, 0


def rewind(source: Source, start: int) -> None:
    """Go back to the start of a source; a path is opened again."""
    if source == "-":
        standard_input().seek(start)
    elif not isinstance(source, (str, os.PathLike)):
        source.seek(start)


def query_boundary(source: Source) -> int:
    """Return the start of a query after the middle of a large uncompressed file, else 0."""
    if not isinstance(source, (str, os.PathLike)) or not os.path.isfile(source):
        return 0
    size = os.path.getsize(source)
    if size < 2 * MIN_PART_BYTES:
        return 0
    middle = size // 2
    with open(source, "rb") as file:
        with inflate(file) as unpacked:
            if unpacked is not file:
                return 0
        file.seek(middle)
        offset = middle + len(file.readline(MAX_SEARCH_BYTES))
        first_query = None
        # The first line whose query differs from that of the line before it.
        while offset < middle + MAX_SEARCH_BYTES and (line := file.readline(MAX_SEARCH_BYTES)):
            fields = line.split(None, 1)
            if fields and not fields[0].startswith(b"#"):
                if first_query not in (None, fields[0]):
                    return offset
                first_query = fields[0]
            offset += len(line)
    return 0
