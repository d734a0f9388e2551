"""Join run files with judgments; the memory holds the judgments and the largest query."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple, cast

import numpy as np

from .. import _core
from ..engine.threads import started, wait_for
from ..inputs.files import (
    BLOCK,
    Source,
    can_seek,
    feed_stream,
    inflated,
    name_of,
    opened,
    read_most,
    standard_input,
)
from .rows import Floats, Integers, RecordRows

PART = 1 << 23  # smallest number of bytes of a file for each thread
IN_MEMORY = 1 << 24  # bytes of a pipe in memory; a longer one goes to a temporary file
LONGEST = 1 << 22  # bytes that are searched for the start of a query


class StreamedRun(NamedTuple):
    """The judged documents of a run, by query of the qrels."""

    lists: Integers  # documents (-1: not in the run), first hit, number of hits
    ranks: Integers
    labels: Floats
    repeated: dict[int, bytes]  # query -> a document that is in its list twice
    unjudged: dict[bytes, None]  # queries of the run that have no judgments, in its order
    tag: bytes
    rows: int
    lines: int
    comment: int  # the first line that is left out and looks like a row, or 0
    orders: int  # bits: ranks against the scores (1), and along them


class Stream:
    """Judgments with which runs are joined.

    most: the largest number of documents of a list; float32: compare scores as float32.
    """

    def __init__(
        self,
        qrels: RecordRows,
        most: int = sys.maxsize,
        as_trec_eval: bool = False,
        float32: bool = False,
    ) -> None:
        self.names = [query.encode("utf-8", "surrogateescape") for query in qrels.queries]
        self.judged = (qrels.ids, qrels.id_starts, qrels.lists, qrels.values)
        self.most = most
        self.as_trec_eval = as_trec_eval
        self.float32 = float32

    def read(self, source: Source, threads: int) -> StreamedRun:
        """Read a run, and a second time if the rows of a query are not adjacent."""
        with rewindable(source) as (stored, start):
            result, again = self.first_pass(stored, threads)
            queries = sorted(again - {-1})  # -1 stands for queries without judgments
            if not queries:
                return result
            rewind(stored, start)
            second, _ = self.passed(stored, None, queries)
        second.lists[:, 1] += len(result.ranks)
        result.lists[queries] = second.lists[queries]
        once = {q: document for q, document in result.repeated.items() if q not in again}
        return result._replace(
            ranks=np.concatenate([result.ranks, second.ranks]),
            labels=np.concatenate([result.labels, second.labels]),
            repeated=once | second.repeated,
        )

    def first_pass(self, source: Source, threads: int) -> tuple[StreamedRun, set[int]]:
        """Read a run once; a large file in two threads."""
        cut = query_boundary(source) if threads > 1 else 0
        if cut == 0:
            return self.passed(source)
        parts: dict[int, tuple[StreamedRun, set[int]]] = {}
        rest = Section(cut, sys.maxsize)

        def read_rest() -> None:
            # Reading the whole file below raises the error with the right line number.
            with suppress(Exception):
                parts[1] = self.passed(source, rest)

        # An interrupt does not wait for the thread. If it cannot start, a part is missing.
        running = started(read_rest, 1)
        try:
            parts[0] = self.passed(source, Section(0, cut))
            wait_for(running)
        finally:
            rest.wanted = False
        if len(parts) < 2:
            return self.passed(source)
        return joined_parts(parts[0], parts[1])

    def passed(
        self, source: Source, part: "Section | None" = None, only: list[int] | None = None
    ) -> tuple[StreamedRun, set[int]]:
        """Read a run or a part of it; return also the queries whose rows are not adjacent."""
        lists = np.full((len(self.names), 3), -1, np.int64)
        most = max(self.most, 0)
        rows = _core.RunStream(
            self.names, self.judged, lists, most, self.as_trec_eval, self.float32, only or ()
        )
        with opened(source) if part is None else SectionReader(source, part) as stream:
            feed_stream(stream, rows)
        ranks, labels, others = rows.finish()
        hits = np.asarray(ranks).view(np.int64), np.asarray(labels).view(np.float64)
        result = StreamedRun(
            lists,
            *hits,
            rows.repeated,
            dict.fromkeys(others),
            rows.tag,
            rows.rows,
            rows.lines,
            rows.comment,
            rows.orders,
        )
        return result, rows.again


class Section:
    """A range of bytes of a file; set `wanted` to False to stop reading."""

    def __init__(self, start: int, stop: int) -> None:
        self.start, self.stop, self.wanted = start, stop, True


class SectionReader(io.RawIOBase):
    """Reader of a section of a file."""

    def __init__(self, path: Any, section: Section) -> None:
        self.file = io.FileIO(path)
        self.file.seek(section.start)
        self.left = section.stop - section.start
        self.section = section

    def readinto(self, block: Any) -> int:
        """Read into a buffer."""
        if not self.section.wanted:
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
    """A source that can be read twice, and its start.

    The data of a pipe are stored in memory if they are small, else in a temporary file.
    """
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
    raw = spooled(data, stream) if len(data) == IN_MEMORY else io.BytesIO(data + stream.read())
    with raw, NamedReader(cast(io.RawIOBase, raw), BLOCK) as reader:
        reader.name = name_of(source)
        yield reader, 0


def spooled(start: bytes, rest: IO[bytes]) -> IO[bytes]:
    """Copy a stream to a temporary file; `start` was read already."""
    from tempfile import TemporaryFile

    file = TemporaryFile(buffering=0)  # noqa: SIM115  # closed by the caller
    while start:
        file.write(start)
        start = read_most(rest, IN_MEMORY)
    file.seek(0)
    return file


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
        with inflated(file) as unpacked:
            if unpacked is not file:
                return 0
        file.seek(size // 2)
        at = size // 2 + len(file.readline(LONGEST))
        query = None
        while at < size // 2 + LONGEST:
            line = file.readline(LONGEST)
            fields = line.split(None, 1)
            if fields and not fields[0].startswith(b"#"):
                if query not in (None, fields[0]):
                    return at
                query = fields[0]
            at += len(line)
    return 0


def joined_parts(
    first: tuple[StreamedRun, set[int]], second: tuple[StreamedRun, set[int]]
) -> tuple[StreamedRun, set[int]]:
    """Merge two parts of a run; the rows of a query in both are not adjacent."""
    (a, again_a), (b, again_b) = first, second
    in_b = b.lists[:, 0] >= 0
    both = in_b & (a.lists[:, 0] >= 0)
    b.lists[:, 1] += len(a.ranks)
    result = StreamedRun(
        lists=np.where(in_b[:, None], b.lists, a.lists),
        ranks=np.concatenate([a.ranks, b.ranks]),
        labels=np.concatenate([a.labels, b.labels]),
        repeated=a.repeated | b.repeated,
        unjudged=a.unjudged | b.unjudged,
        tag=b.tag or a.tag,
        rows=a.rows + b.rows,
        lines=a.lines + b.lines,
        comment=a.comment or (b.comment and a.lines + b.comment),
        orders=a.orders | b.orders,
    )
    apart = set(np.flatnonzero(both).tolist())
    if a.unjudged.keys() & b.unjudged.keys():
        apart.add(-1)
    return result, again_a | again_b | apart
