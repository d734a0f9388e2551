"""Sources of rows: paths, standard input, file-like objects; decompressed, fed block by block."""

from __future__ import annotations

import functools
import io
import itertools
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeAlias

from .printable import printable

if TYPE_CHECKING:
    from .types import HasRead

Source: TypeAlias = str | os.PathLike[str] | IO[Any]

BLOCK = 1 << 18  # stays in the second-level cache
PADDING = 16  # the compiled readers load two words of eight bytes at a time
LONGEST_LINE = 1 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma", b"(\xb5/\xfd": "zstd"}
JSON = (".json", ".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
SUFFIXES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "zstd"}


def codec(name: str) -> Any:
    """The module of a compression; an error says what reads zst where Python does not."""
    from importlib import import_module

    places = ("compression.zstd", "backports.zstd") if name == "zstd" else (name,)
    for place in places:
        try:
            return import_module(place)
        except ImportError:
            continue
    raise ImportError(
        f'{name} needs Python 3.14 or a backport: pip install "rankgain[zstd]"'
        if name == "zstd"
        else f"this Python was built without {name}"
    )


@functools.cache  # an import that fails is looked for in vain each time
def damages(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """What is raised for damaged compressed data, and other errors."""
    from zlib import error

    result = [*others, EOFError, error]
    for name, damage in (("gzip", "BadGzipFile"), ("lzma", "LZMAError"), ("zstd", "ZstdError")):
        with suppress(ImportError):
            result.append(getattr(codec(name), damage))
    return tuple(result)


class Feeder(Protocol):
    """What takes the lines of a source."""

    @property
    def lines(self) -> int:
        """How many it has taken."""

    def feed(self, block: bytearray, size: int, /) -> None:
        """Take the lines of block[:size], which ends with a line feed."""


def name_of(source: Source) -> str:
    """Return what to call a source in messages."""
    if isinstance(source, (str, os.PathLike)):
        return "standard input" if source == "-" else printable(os.fspath(source))
    return printable(str(getattr(source, "name", type(source).__name__)))


def suffix_of(source: object) -> str:
    """The suffix of a path without that of a compression, "" of anything else."""
    if not isinstance(source, (str, os.PathLike)):
        return ""
    stem, suffix = os.path.splitext(str(os.fspath(source)).lower())
    return os.path.splitext(stem)[1] if suffix in SUFFIXES else suffix


def standard_input() -> Any:
    """Return the bytes of standard input, or what stands in its place."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return getattr(sys.stdin, "buffer", sys.stdin)


def can_seek(stream: IO[bytes]) -> bool:
    """Whether a stream can go back; one that only has `read` cannot."""
    return hasattr(stream, "seekable") and bool(stream.seekable())


@contextmanager
def opened(source: Source) -> Iterator[IO[Any]]:
    """Open a source for reading bytes, decompressed; what was open stays open."""
    if isinstance(source, (str, os.PathLike)) and source != "-":
        direct = os.path.isfile(source)  # of a pipe the start is looked at in a buffer
        with open(source, "rb", buffering=0 if direct else BLOCK) as raw, inflated(raw) as content:
            yield content
        return
    stream: Any = standard_input() if source == "-" else source
    if isinstance(stream, io.TextIOBase):
        text: Any = stream
        yield text
        return
    with inflated(stream) as inner:
        yield inner


@contextmanager
def inflated(stream: IO[bytes]) -> Iterator[IO[Any]]:
    """Decompress a stream that starts as compressed data does."""
    if hasattr(stream, "peek"):
        start = stream.peek(6)[:6]
    elif can_seek(stream):
        at = stream.tell()
        start = stream.read(6)
        stream.seek(at)
    else:
        start = b""
    name = next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)
    if name is None:
        yield stream
        return
    try:
        with io.BufferedReader(codec(name).open(stream, "rb"), BLOCK) as content:
            yield content
    except OSError as error:
        if name == "bz2" and error.errno is None:  # it has no error of its own
            raise EOFError(str(error)) from error
        raise


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Write a file beside a path, which takes its place when all is written.

    Pipes and devices, and files in a folder that takes no others, are written where they are.
    """
    target = os.path.realpath(os.fsdecode(path))
    folder = os.path.dirname(target)
    is_open = os.access(folder, os.W_OK) and os.access(target, os.W_OK)
    if os.path.exists(target) and not (os.path.isfile(target) and is_open):
        with open(path, "wb") as file:
            yield file
        return
    beside = os.path.join(folder, f".{os.urandom(8).hex()}.part")
    try:
        file = open(beside, "xb")  # noqa: SIM115  # its error must name the path
    except OSError as error:
        error.filename = os.fsdecode(path)
        raise
    try:
        with file:
            yield file
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            os.remove(beside)
        raise


@contextmanager
def written(target: str | os.PathLike[str] | IO[str]) -> Iterator[IO[str]]:
    """Open a path for TREC's form, compressed as its suffix says; what was open stays open."""
    if not isinstance(target, (str, os.PathLike)):
        if isinstance(target, (io.RawIOBase, io.BufferedIOBase)):
            text = io.TextIOWrapper(target, "utf-8", "surrogateescape", newline="\n")
            try:
                yield text
            finally:
                text.detach()  # what was open stays open
        else:
            yield target
        return
    suffix = suffix_of(target)
    if suffix in (*JSON, *PARQUET):
        raise ValueError(
            f"{printable(os.fspath(target))}: what is written is TREC's form, and {suffix} says "
            "another one; choose another suffix, such as .txt"
        )
    name = SUFFIXES.get(os.path.splitext(os.fspath(target).lower())[1])
    module = codec(name) if name else None
    with (
        replacing(target) as raw,
        module.open(raw, "wb") if module else nullcontext(raw) as packed,
        io.TextIOWrapper(packed, "utf-8", "surrogateescape", newline="\n") as file,
    ):
        yield file


class Readable(io.RawIOBase):
    """The bytes of an object that only has `read`, whatever it returns for a size."""

    def __init__(self, stream: HasRead) -> None:
        self.stream = stream
        self.rest = memoryview(b"")

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, block: Any) -> int:
        """Read into a buffer."""
        if not self.rest:
            data = self.stream.read(len(block))
            text = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
            self.rest = memoryview(text or b"").cast("B")
        count = min(len(block), len(self.rest))
        block[:count] = self.rest[:count]
        self.rest = self.rest[count:]
        return count


def read_most(stream: IO[bytes], most: int) -> Any:
    """Read up to about so many bytes, or characters; piece by piece, so that one may interrupt."""
    if not isinstance(stream, io.BufferedReader):
        return stream.read(most)
    pieces = []
    while most > 0 and (piece := stream.read1(most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def fill(stream: Any, block: bytearray, start: int) -> int:
    """Read into block from start on; return the number of bytes, 0 at the end."""
    room = len(block) - PADDING - start
    # To fill the room, a buffer reads on without looking whether somebody interrupts.
    read = stream.readinto1 if isinstance(stream, io.BufferedReader) else stream.readinto
    with memoryview(block) as view, view[start : start + room] as free:
        count = read(free) or 0
    if not 0 <= count <= room:
        raise OSError(f"{type(stream).__name__}.readinto returned {count} for {room} bytes")
    return count


def longest_line() -> int:
    """Return how many bytes a line may have; a block always passes."""
    setting = os.environ.get("RANKGAIN_LONGEST_LINE", str(LONGEST_LINE))
    if not setting.isdecimal():
        raise ValueError(f"RANKGAIN_LONGEST_LINE must be a number of bytes, not {setting!r}")
    return max(BLOCK, min(int(setting), 1 << 30))


def feed(source: Source, rows: Feeder) -> None:
    """Feed all lines of a source; a ValueError says which source it is about."""
    try:
        with opened(source) as stream:
            feed_stream(stream, rows)
    except damages() as error:
        raise ValueError(f"{name_of(source)}: damaged compressed data: {error}") from error
    except ValueError as error:
        raise ValueError(f"{name_of(source)}, {error}") from None


def feed_stream(stream: IO[Any] | io.RawIOBase, rows: Feeder) -> None:
    """Feed block by block; the rest of a line waits at the start of the next block."""
    reads_into_buffer = isinstance(stream, (io.RawIOBase, io.BufferedIOBase))
    source: Any = stream if reads_into_buffer else Readable(stream)
    longest = longest_line()
    block = bytearray(BLOCK + PADDING)
    remaining = 0
    first = True
    while count := fill(source, block, remaining):
        size, known = remaining + count, remaining
        if first and size >= len(BYTE_ORDER_MARK):
            first = False
            if block.startswith(BYTE_ORDER_MARK):
                size -= len(BYTE_ORDER_MARK)
                block[:size] = block[len(BYTE_ORDER_MARK) : len(BYTE_ORDER_MARK) + size]
                known = 0
        stop = block.rfind(b"\n", known, size) + 1
        # Before the memory is full of a line that goes on over many blocks.
        if (block.find(b"\n", known, stop) if stop and known else size - stop) > longest:
            raise ValueError(
                f"line {rows.lines + 1}: longer than {longest} bytes; "
                "the environment variable RANKGAIN_LONGEST_LINE allows more"
            )
        rows.feed(block, stop)
        first = first and not stop
        remaining = size - stop
        if stop:
            block[:remaining] = block[stop:size]
        if 2 * remaining >= len(block) - PADDING:
            block.extend(bytes(len(block)))
    if remaining:
        block[remaining] = 10
        rows.feed(block, remaining + 1)


def has_trec_rows(path: Source) -> bool:
    """Whether a file that is called CSV starts with a TREC row, and not with names of columns.

    Four fields or more between blanks, of which the fourth (label or rank) or fifth (score) is a
    number; the header of a table of three columns has two commas.
    """
    try:
        with opened(path) as stream:
            start = stream.read(BLOCK)
    except damages(OSError):
        return False  # who reads it says what is wrong
    lines = (line for line in start.splitlines() if line.strip() and not line.startswith(b"#"))
    first = next(lines, b"")
    return first.count(b",") < 2 and any(map(_is_number, first.split()[3:5]))


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def line_text(source: Source, number: int) -> str:
    """Return a line of a file for a message, "" where the source cannot be read again."""
    if not isinstance(source, (str, os.PathLike)) or not os.path.isfile(source):
        return ""
    with suppress(OSError), opened(source) as stream:  # it may be gone
        lines = io.TextIOWrapper(stream, "utf-8", "replace", newline="\n")
        line = next(itertools.islice(lines, number - 1, None), "")
        return f": {line[:200].strip()!r}"
    return ""


def one_of_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, which names a key once."""
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        again = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the key {again!r} twice; keep one of them")
    return result
