"""Runs that are joined while they are read; the memory holds the judgments and a block of rows."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import IO, Any, NamedTuple, cast

import numpy as np

from .. import _core
from ..engine.threads import join_threads, start_threads
from ..inputs.arrays import as_float32
from ..inputs.files import (
    BLOCK,
    Source,
    can_seek,
    feed_stream,
    inflate,
    name_source,
    open_source,
    read_most,
    standard_input,
)
from ..inputs.lists import add_sizes
from .rows import (
    Floats,
    Integers,
    Judged,
    RecordRows,
    collect,
    find_documents,
    gather,
    least_repeats,
)

TOGETHER = 1 << 15  # rows that are joined together, so that they stay in the caches
PART = 1 << 23  # smallest number of bytes of a file for each thread
IN_MEMORY = 1 << 24  # bytes of a pipe in memory; a longer one goes to a temporary file
LONGEST = 1 << 22  # bytes that are searched for the start of a query


class StreamedRun(NamedTuple):
    """The judged documents of a run, by query of the qrels."""

    lists: Integers  # documents (-1: not in the run), first hit, number of hits
    ranks: Integers
    labels: Floats
    repeated: dict[int, bytes]  # query -> the least document that is in its list twice
    unjudged: tuple[str, ...]  # queries of the run that have no judgments, in its order
    tag: bytes
    rows: int
    lines: int
    comment: int  # the first line that is left out and looks like a row, or 0
    orders: int  # bits: ranks against the scores (1), and along them


class NotAdjacentError(ValueError):
    """The rows of a query are apart, so that they cannot be joined while they are read."""


class Stream(NamedTuple):
    """Judgments with which runs are joined."""

    qrels: RecordRows
    prepared: Judged
    numbers: dict[str, int]  # of the queries by id
    most: int = sys.maxsize  # the largest number of documents of a list
    as_trec_eval: bool = False
    float32: bool = False  # compare scores as float32

    def read(self, source: Source, threads: int) -> StreamedRun:
        """Read a run; again, and as one block, if the rows of a query are not adjacent."""
        with rewindable(source) as (stored, start):
            try:
                return self.passed(stored, threads)
            except NotAdjacentError:
                rewind(stored, start)
                return self.passed(stored, together=sys.maxsize)

    def passed_in_halves(self, source: Source, cut: int) -> StreamedRun:
        """Read a run once in two threads; cut: where the second half starts."""
        parts: dict[int, StreamedRun] = {}
        rest = SectionReader(source, cut, sys.maxsize)

        def read_rest() -> None:
            # Reading the whole file below raises the error with the right line number.
            with suppress(Exception):
                parts[1] = self.passed(source, part=rest)

        # An interrupt does not wait for the thread. If it cannot start, a part is missing.
        running = start_threads(read_rest, 1)
        try:
            parts[0] = self.passed(source, part=SectionReader(source, 0, cut))
            join_threads(running)
        finally:
            rest.wanted = False
        if len(parts) < 2:
            return self.passed(source)
        a, b = parts[0], parts[1]
        in_b = b.lists[:, 0] >= 0
        if (in_b & (a.lists[:, 0] >= 0)).any() or set(a.unjudged) & set(b.unjudged):
            raise NotAdjacentError("the rows of a query are not adjacent")
        b.lists[:, 1] += len(a.ranks)
        return StreamedRun(
            lists=np.where(in_b[:, None], b.lists, a.lists),
            ranks=np.concatenate([a.ranks, b.ranks]),
            labels=np.concatenate([a.labels, b.labels]),
            repeated=a.repeated | b.repeated,
            unjudged=a.unjudged + b.unjudged,
            tag=b.tag or a.tag,
            rows=a.rows + b.rows,
            lines=a.lines + b.lines,
            comment=a.comment or (b.comment and a.lines + b.comment),
            orders=a.orders | b.orders,
        )

    def passed(
        self,
        source: Source,
        threads: int = 1,
        part: "SectionReader | None" = None,
        together: int = TOGETHER,
    ) -> StreamedRun:
        """Read a run or a part of it once, in blocks of about so many rows, of whole queries."""
        cut = query_boundary(source) if threads > 1 else 0
        if cut:
            return self.passed_in_halves(source, cut)
        reader = _core.Rows(False, self.as_trec_eval)
        lists = np.full((len(self.numbers), 3), -1, np.int64)
        ranks, labels, count = [np.empty(0, np.int64)], [np.empty(0)], 0
        repeated: dict[int, bytes] = {}
        unjudged: list[str] = []
        with open_source(source) if part is None else part as stream:
            for rows, rank_of in self.blocks(reader, stream, together):
                numbers = np.array([self.numbers.get(query, -1) for query in rows.queries], int)
                wanted, every = (self.qrels, self.prepared.codes, numbers), np.arange(len(numbers))
                indptr, indices, values, again = find_documents(*wanted, rows, None, every, rank_of)
                if again is not None and not self.as_trec_eval:
                    raise ValueError("a document is in a query twice")
                if again is not None:
                    least = least_repeats(rows)
                    repeated |= {int(numbers[i]): one for i, one in least.items()}
                columns = np.column_stack(
                    (np.diff(rows.lists), count + indptr[:-1], np.diff(indptr))
                )
                known = numbers >= 0
                lists[numbers[known]] = columns[known]
                count += len(indices)
                ranks.append(indices)
                labels.append(values)
                unjudged += [rows.queries[i] for i in np.flatnonzero(~known)]
        if reader.fields:
            raise ValueError("rows of fewer fields have ranks to check")
        return StreamedRun(
            lists,
            np.concatenate(ranks),
            np.concatenate(labels),
            repeated,
            tuple(unjudged),
            reader.tag,
            reader.rows,
            reader.lines,
            reader.comment,
            reader.orders,
        )

    def blocks(
        self, reader: _core.Rows, stream: IO[Any] | io.RawIOBase, together: int
    ) -> Iterator[tuple[RecordRows, Integers | None]]:
        """The rows of whole queries, when so many have been read, and their ranks if rows moved."""
        done, blocks = 0, feed_stream(stream, reader)
        unmoved = np.empty(0, np.int64)  # the numbers of rows, of a block before
        for more in chain((True for _ in blocks), (False,)):
            if more and reader.complete < together:
                continue
            *columns, gaps = reader.columns(more)
            runs = np.asarray(columns[3]).view(np.int64).reshape(-1, 2)
            names = reader.names_of_queries(done)[: int(runs[:, 1].max(initial=-1)) + 1 - done]
            if (runs[:, 1] < done).any():
                raise NotAdjacentError("the rows of a query are not adjacent")
            rows = collect(names, (*columns[:3], np.ascontiguousarray(runs - [0, done]), gaps))
            done += len(names)
            if self.float32:
                rows = rows._replace(values=as_float32(rows.values).astype(np.float64))
            if rows.order is not None:  # the rows of a query are apart in this block
                rows = gather(rows)._replace(order=None)
            n, sizes, ranks = len(rows.values), np.diff(rows.lists), None
            order = unmoved[:n] if len(unmoved) >= n else np.arange(n)
            moved = _core.order_lists(rows.values, rows.ids, rows.id_starts, rows.lists, order)
            unmoved = np.empty(0, np.int64) if moved else order
            is_longer = sizes.max(initial=0) > self.most
            if moved or is_longer:
                place = np.arange(n) - np.repeat(rows.lists[:-1], sizes)
            if is_longer:
                lists = add_sizes(np.minimum(sizes, self.most))
                rows = gather(rows._replace(order=order[place < self.most], lists=lists))
            elif moved:
                ranks = np.empty_like(place)
                ranks[order] = place
            yield rows, ranks


class SectionReader(io.RawIOBase):
    """Reader of a range of bytes of a file; set `wanted` to False to stop reading."""

    def __init__(self, path: Any, start: int, stop: int) -> None:
        self.file = io.FileIO(path)
        self.file.seek(start)
        self.left, self.wanted = stop - start, True

    def readinto(self, block: Any) -> int:
        """Read into a buffer."""
        if not self.wanted:
            raise ValueError("no longer wanted")
        with memoryview(block) as view, view[: self.left] as room:
            count = self.file.readinto(room) or 0
        self.left -= count
        return count

    def close(self) -> None:
        """Close the file."""
        self.file.close()
        super().close()


class NamedReader(io.BufferedReader):
    """A buffered reader with the name of the original source."""

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
    data = read_most(stream, IN_MEMORY)
    if isinstance(data, str):
        yield io.StringIO(data + stream.read()), 0
        return
    raw: IO[bytes] = io.BytesIO()
    if len(data) == IN_MEMORY:
        from tempfile import TemporaryFile

        raw = TemporaryFile(buffering=0)  # noqa: SIM115  # closed below
    with raw, NamedReader(cast(io.RawIOBase, raw), BLOCK) as reader:
        while data:
            raw.write(data)
            data = read_most(stream, IN_MEMORY)
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
    if size < 2 * PART:
        return 0
    with open(source, "rb") as file:
        with inflate(file) as unpacked:
            if unpacked is not file:
                return 0
        file.seek(size // 2)
        at = size // 2 + len(file.readline(LONGEST))
        query = None
        while at < size // 2 + LONGEST and (line := file.readline(LONGEST)):
            fields = line.split(None, 1)
            if fields and not fields[0].startswith(b"#"):
                if query not in (None, fields[0]):
                    return at
                query = fields[0]
            at += len(line)
    return 0
