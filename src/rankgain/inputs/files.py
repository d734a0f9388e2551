"""Paths, standard input and open files, compressed or not: read by blocks of lines, and written."""

from __future__ import annotations

import csv
import errno
import functools
import io
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from glob import escape, glob, has_magic
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, Self, TypeAlias

from .printable import LONGEST_NAME, describe, describe_name, printable

if TYPE_CHECKING:
    from .. import _core
    from .types import Path

Source: TypeAlias = str | os.PathLike[str] | IO[Any]

BLOCK = 1 << 18  # stays in the second-level cache
PIPE = 1 << 16  # what a pipe of Linux holds
PADDING = 16  # the compiled readers load two words of eight bytes at a time
LONGEST_LINE = 1 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma", b"(\xb5/\xfd": "zstd"}
JSON = (".json", ".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
# Packed in ways that are not read here: an offset and the bytes at it, and the program that unpacks
# them.
PACKED = (
    (257, b"ustar", "a tar archive", "tar -x"),
    (0, b'\x04"M\x18', "an lz4 file", "lz4 -d"),
    (0, b"PK\x03\x04", "a zip archive", "unzip"),
)
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # byte-order marks
START = 512  # bytes that tell what a file is
DECOMPRESSORS = {"bz2": "BZ2Decompressor", "lzma": "LZMADecompressor"}
SUFFIXES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "zstd"}


class SourceError(ValueError):
    """An error in a source of data: which source, where in it, and what is wrong there."""

    source = place = words = ""

    @classmethod
    def at(cls, source: str, place: str, words: str) -> Self:
        """Make the error; place: "" if the whole source is wrong."""
        error = cls(f"{source}, {place}: {words}" if place else f"{source}: {words}")
        error.source, error.place, error.words = source, place, words
        return error


class SourceTypeError(SourceError, TypeError):
    """A SourceError for a value of a wrong type."""


@contextmanager
def errors_in(source: str) -> Iterator[None]:
    """Name the source in the errors for its values."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = SourceTypeError if isinstance(error, TypeError) else SourceError
        raise kind.at(source, "", str(error)) from None


def load(library: str, purpose: str, extra: str) -> Any:
    """A library, or an error that names the extra."""
    try:
        return import_module(library)
    except ImportError:
        remedy = f'pip install "rankgain[{extra}]"'
        raise ImportError(f"{purpose} need {library}: {remedy}") from None


def codec(name: str) -> Any:
    """The module for a compression; if there is none for zst, the error names the extra."""
    if name == "zstd":
        for module in ("compression.zstd", "backports.zstd"):
            with suppress(ImportError):
                return import_module(module)
        raise ImportError('zstd needs Python 3.14 or a backport: pip install "rankgain[zstd]"')
    with suppress(ImportError):
        return import_module(name)
    raise ImportError(f"this Python was built without {name}")


@functools.cache  # a failed import would be tried again at each call
def decompression_errors(*other_errors: type[Exception]) -> tuple[type[Exception], ...]:
    """The errors that damaged compressed data raise, followed by the others."""
    from zlib import error

    result = [*other_errors, EOFError, error]
    for name, kind in (("gzip", "BadGzipFile"), ("lzma", "LZMAError"), ("zstd", "ZstdError")):
        with suppress(ImportError):
            result.append(getattr(codec(name), kind))
    return tuple(result)


def name_source(source: Source) -> str:
    """The name of a source in messages."""
    if isinstance(source, (str, os.PathLike)):
        if source == "-":
            return "standard input"
        return printable(os.fspath(source))
    return printable(str(getattr(source, "name", type(source).__name__)))


def check_path(path: Path) -> str:
    """A path as text; text that the operating system cannot have as a path is refused."""
    text = os.fsdecode(path)
    reason = ""
    if "\0" in text:
        reason = "it has a NUL character"
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        reason = "it has a lone surrogate, which no encoding of file names has"
    if reason:
        raise ValueError(f"{describe_name(text)} cannot be the path of a file: {reason}")
    if len(text) > LONGEST_NAME and not has_magic(text):
        try:
            os.stat(text)
        except OSError as error:  # whose words have the whole path
            error.filename = describe_name(text)
            raise
    return text


def refuse_empty_file(source: object) -> None:
    """Refuse the path of a file without any content, such as an aborted job leaves behind."""
    if not isinstance(source, (str, os.PathLike)):
        return
    if os.path.isfile(source) and os.path.getsize(source) == 0:
        name = describe_name(os.fsdecode(source))
        raise ValueError(f"{name} is empty (0 bytes); write it again or remove it")


def no_rows(source: Source) -> ValueError:
    """The error for judgments or a run without rows; an empty file is called empty."""
    refuse_empty_file(source)
    return ValueError(f"{name_source(source)}: no rows")


def expand_paths(patterns: Iterable[Path], suffixes: tuple[str, ...] = ()) -> list[str]:
    """The files of folders (only those with such suffixes) and of patterns, and other paths.

    A path that exists is read as it is. Other paths with the characters of patterns are patterns.
    """
    paths: list[str] = []
    for path in map(check_path, patterns):
        if os.path.isdir(path):
            paths += _files_in(path, suffixes)
            continue
        found = sorted(filter(None, match_pattern(path)))
        if not found and has_magic(path):
            raise FileNotFoundError(
                errno.ENOENT, "No file matches the pattern", describe_name(path)
            )
        paths += found or [path]  # reading a path that does not exist raises the error
    return paths


def _files_in(folder: str, suffixes: tuple[str, ...]) -> list[str]:
    """The files in a folder; with suffixes those that end so, also in its folders."""
    pattern = "**" if suffixes else ""
    result = []
    for path in sorted(glob(os.path.join(escape(folder), pattern, "*"), recursive=True)):
        name = os.path.basename(path)
        if suffixes and (not name.lower().endswith(suffixes) or name.startswith("_")):
            continue
        if os.path.islink(path) and not os.path.exists(path):
            target = describe_name(os.readlink(path))
            raise ValueError(
                f"{describe_name(path)} is a link to {target}, which does not exist; restore the "
                "file, or remove the link"
            )
        if os.path.isfile(path):
            result.append(path)
    if not result:
        kind = "file"
        if suffixes:
            kind = f"file that ends in {', '.join(suffixes)}"
        raise ValueError(f"there is no {kind} in the directory {describe_name(folder)}")
    return result


def match_pattern(path: str) -> list[str]:
    """The paths that match a pattern, in any order.

    A component that exists as it is spelled is that file or folder: only others are patterns. So
    `d[1]/*.csv` are the files of the folder `d[1]` if it exists, and else those of `d1`.
    """
    if os.path.lexists(path):
        return [path]
    if not has_magic(path):
        return []
    folder, name = os.path.split(path)
    folders = [folder]
    if has_magic(folder) and folder != path:
        folders = match_pattern(folder)
    if name == "**":  # the folders themselves, and all that is in them
        nested = list(folders)
        for parent in folders:
            below = glob(os.path.join(escape(parent), name), recursive=True)
            # Each folder also matches itself, with a separator at the end.
            nested += [match.rstrip(os.sep) for match in below]
        return list(dict.fromkeys(nested))
    spelled = [os.path.join(parent, name) for parent in folders]
    exact = list(filter(os.path.lexists, spelled))
    if exact or not has_magic(name):
        return exact
    matching = []
    for parent in folders:
        matching += glob(os.path.join(escape(parent), name))
    return matching


def names_of_paths(paths: Sequence[str]) -> dict[str, str]:
    """Paths by the names of the files; if two files have one name, the paths are the names."""
    names: Sequence[str] = list(map(os.path.basename, paths))
    if len(set(names)) < len(names):
        names = paths
    return dict(zip(names, paths, strict=True))


def is_open_file(value: object) -> bool:
    """Whether a value is an open file, or another object whose `read` returns its content.

    A `read` of a class, such as that of a result that is stored in a file, makes a new object.
    """
    if isinstance(value, (Mapping, type)):
        return False
    read = getattr(value, "read", None)
    return callable(read) and not isinstance(getattr(read, "__self__", None), type)


def are_paths(value: object) -> bool:
    """Whether a value is a path, or a list of them."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all(isinstance(path, (str, os.PathLike)) for path in value)
    return isinstance(value, (str, os.PathLike))


def find_suffix(source: object) -> str:
    """The suffix of a path before that of its compression; "" if the source is not a path."""
    if not isinstance(source, (str, os.PathLike)):
        return ""
    stem, suffix = os.path.splitext(str(os.fspath(source)).lower())
    if suffix in SUFFIXES:  # of a compression
        _, suffix = os.path.splitext(stem)
    return suffix


def standard_input() -> Any:
    """Standard input as bytes, or the object that replaces sys.stdin."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return getattr(sys.stdin, "buffer", sys.stdin)


def can_seek(stream: IO[bytes]) -> bool:
    """Whether a stream can go back; an object that only has `read` cannot."""
    if not (hasattr(stream, "seekable") and stream.seekable()):
        return False
    # A gzip stream says that it can seek, even if it is read from a pipe, which cannot.
    packed = getattr(getattr(stream, "raw", stream), "fileobj", None)
    return packed is None or can_seek(packed)


def peek_start(stream: IO[Any], size: int) -> bytes:
    """The first bytes of a stream, at most `size`, without losing them; b"" if that cannot be."""
    if can_seek(stream):
        position = stream.tell()
        start = stream.read(size)
        stream.seek(position)
    elif hasattr(stream, "peek"):
        start = stream.peek(size)[:size]
    else:
        return b""
    if isinstance(start, str):
        return start.encode("utf-8", "surrogateescape")
    return bytes(start)


@contextmanager
def open_source(source: Source) -> Iterator[IO[Any]]:
    """Open a source and decompress it; a stream that was open stays open."""
    if source == "-":
        stream: IO[Any] = standard_input()
    elif isinstance(source, (str, os.PathLike)):
        buffering = 0 if os.path.isfile(source) else BLOCK  # a pipe needs a buffer to peek into
        with open(source, "rb", buffering=buffering) as raw, inflate(raw) as content:
            yield content
        return
    else:
        stream = source
    if isinstance(stream, io.TextIOBase):
        yield stream
        return
    with inflate(stream) as content:
        yield content


@contextmanager
def inflate(stream: IO[bytes]) -> Iterator[IO[Any]]:
    """Decompress a stream if its first bytes are those of compressed data; UTF-16 becomes UTF-8."""
    start = peek_start(stream, START)
    if start.startswith(UTF_16):
        text = io.TextIOWrapper(stream, "utf-16", newline="")
        try:
            yield io.BufferedReader(Readable(text.read), BLOCK)
        finally:
            text.detach()  # leaves the stream open
        return
    name = next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)
    if name is None:
        refuse_unreadable(start)
        yield stream
        return
    try:
        module = codec(name)
        if name in DECOMPRESSORS:  # whose open takes a damaged second stream for the end
            pieces = _streams(stream, getattr(module, DECOMPRESSORS[name]))
            raw = io.BufferedReader(Readable(lambda _: next(pieces, b"")), BLOCK)
        else:
            raw = io.BufferedReader(module.open(stream, "rb"), BLOCK)
        with raw as content, inflate(content) as inner:
            yield inner
    except OSError as error:
        if name == "bz2" and error.errno is None:  # bz2 raises OSError for damaged data
            raise EOFError(str(error)) from error
        raise


def refuse_unreadable(start: bytes) -> None:
    """Refuse the start of an archive, and of text whose lines end in a carriage return alone."""
    for offset, magic, kind, program in PACKED:
        if start.startswith(magic, offset):
            raise ValueError(f"this is {kind}; unpack it first, with {program}")
    if b"\r" in start.strip() and b"\n" not in start and start.lstrip()[:1] not in b"{[":
        raise ValueError(
            "its lines end in a carriage return alone, as on old Macs; convert it, such as by tr "
            "'\\r' '\\n' < old.txt > new.txt"
        )


def _streams(stream: IO[bytes], new: Callable[[], Any]) -> Iterator[bytes]:
    """Decompress stream after stream; zeros between them are padding."""
    data = stream.read(BLOCK)
    while data:
        inner = new()
        while not inner.eof:
            if inner.needs_input and not data:
                data = stream.read(BLOCK)
                if not data:
                    raise EOFError("it ends before the end of a compressed stream")
            if piece := inner.decompress(data, BLOCK):
                yield piece
            data = b""
        data = inner.unused_data.lstrip(b"\0")
        while not data and (block := stream.read(BLOCK)):
            data = block.lstrip(b"\0")


@contextmanager
def write_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Write a file beside a path, then move it there; pipes and devices are written in place."""
    target = os.path.realpath(os.fsdecode(path))
    folder = os.path.dirname(target)
    is_writable = os.access(folder, os.W_OK) and os.access(target, os.W_OK)
    if os.path.exists(target) and not (os.path.isfile(target) and is_writable):
        with open(path, "wb") as file:
            yield file
        return
    temporary = os.path.join(folder, f".{os.urandom(8).hex()}.part")
    try:
        file = open(temporary, "xb")  # noqa: SIM115  # its error must name the path
    except OSError as error:
        error.filename = os.fsdecode(path)
        raise
    try:
        with file:
            yield file
        if os.path.exists(target):
            os.chmod(temporary, os.stat(target).st_mode & 0o7777)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.remove(temporary)
        raise


@contextmanager
def open_target(target: str | os.PathLike[str] | IO[str]) -> Iterator[IO[str]]:
    """Open a path to write TREC's form, compressed by its suffix; an open file stays open."""
    if not isinstance(target, (str, os.PathLike)):
        if isinstance(target, (io.RawIOBase, io.BufferedIOBase)):
            text = io.TextIOWrapper(target, "utf-8", "surrogateescape", newline="\n")
            try:
                yield text
            finally:
                text.detach()  # leaves the target open
        else:
            yield target
        return
    suffix = find_suffix(target)
    if suffix in (*JSON, *PARQUET):
        raise ValueError(
            f"{printable(os.fspath(target))}: what is written is TREC's form, and {suffix} says "
            "another one; choose another suffix, such as .txt"
        )
    _, last_suffix = os.path.splitext(os.fspath(target).lower())
    compress: Callable[[IO[bytes]], AbstractContextManager[IO[bytes]]] = nullcontext
    if last_suffix in SUFFIXES:
        compress = functools.partial(codec(SUFFIXES[last_suffix]).open, mode="wb")
    with (
        write_atomically(target) as raw,
        compress(raw) as packed,
        io.TextIOWrapper(packed, "utf-8", "surrogateescape", newline="\n") as file,
    ):
        yield file


class Readable(io.RawIOBase):
    """The bytes that `read` returns, which may be more or fewer than requested."""

    def __init__(self, read: Callable[[int], str | bytes]) -> None:
        self._read = read
        self.pending = memoryview(b"")

    def readable(self) -> bool:
        """True: this is a stream to read."""
        return True

    def readinto(self, block: Any) -> int:
        """Read into a buffer."""
        if not self.pending:
            content = self._read(len(block))
            if isinstance(content, str):
                content = content.encode("utf-8", "surrogateescape")
            self.pending = memoryview(content or b"").cast("B")
        count = min(len(block), len(self.pending))
        block[:count] = self.pending[:count]
        self.pending = self.pending[count:]
        return count


def read_up_to(stream: IO[bytes], limit: int) -> Any:
    """Read up to about `limit` bytes or characters, in pieces, so that signals are handled."""
    if not isinstance(stream, io.BufferedReader):
        return stream.read(limit)
    pieces = []
    # A signal between the interpreter's check and the read waits until the read ends; memory for a
    # large piece would be most of the time between the two.
    while limit > 0 and (piece := stream.read1(min(limit, PIPE))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)


def parse_source(
    source: Source, rows: _core.Rows, read_other_form: Callable[[IO[Any]], bool] | None = None
) -> None:
    """Read all lines of a source; a ValueError names the source.

    read_other_form: reads the stream if it has another form, and says whether it has.
    """
    try:
        with open_source(source) as stream:
            if read_other_form is not None and read_other_form(stream):
                return
            for _ in parse_stream(stream, rows):
                pass
    except decompression_errors() as error:
        raise ValueError(f"{name_source(source)}: damaged compressed data: {error}") from error
    except ValueError as error:
        # An error of a row begins with its line; any other is one of the whole source.
        words = str(error)
        separator = ", " if words.startswith("line ") else ": "
        raise ValueError(f"{name_source(source)}{separator}{words}") from None


def parse_stream(stream: IO[Any] | io.RawIOBase, rows: _core.Rows) -> Iterator[None]:
    """Read block by block, with a pause after each; an incomplete line goes to the next block."""
    source: io.RawIOBase | io.BufferedIOBase
    if isinstance(stream, (io.RawIOBase, io.BufferedIOBase)):
        source = stream
    else:
        source = Readable(stream.read)
    setting = os.environ.get("RANKGAIN_LONGEST_LINE", str(LONGEST_LINE))
    if not setting.isdecimal():
        raise ValueError(
            f"RANKGAIN_LONGEST_LINE must be a number of bytes, not {describe(setting)}"
        )
    longest = max(BLOCK, min(int(setting), 1 << 30))
    block = bytearray(BLOCK + PADDING)
    remaining = 0
    first = True
    # readinto of a buffered stream fills the room without handling signals.
    read = source.readinto1 if isinstance(source, io.BufferedReader) else source.readinto
    while True:
        room = len(block) - PADDING - remaining
        with memoryview(block) as view, view[remaining : remaining + room] as free:
            count = read(free) or 0
        if not 0 <= count <= room:
            raise OSError(f"{type(source).__name__}.readinto returned {count} for {room} bytes")
        if not count:
            break
        size = remaining + count
        searched = remaining  # no line ends before here
        if first and size >= len(BYTE_ORDER_MARK):
            first = False
            if block.startswith(BYTE_ORDER_MARK):
                size -= len(BYTE_ORDER_MARK)
                block[:size] = block[len(BYTE_ORDER_MARK) : len(BYTE_ORDER_MARK) + size]
                searched = 0
        stop = block.rfind(b"\n", searched, size) + 1
        # Checked in each block, so that a line without an end does not fill the memory. The line
        # that began in an earlier block is measured when it ends, each other one until then.
        line_size = size - stop
        if stop and searched:
            line_size = block.find(b"\n", searched, stop)
        if line_size > longest:
            raise ValueError(
                f"line {rows.lines + 1}: longer than {longest} bytes; the environment variable "
                "RANKGAIN_LONGEST_LINE allows more"
            )
        rows.feed(block, stop)
        first = first and not stop
        remaining = size - stop
        if stop:
            block[:remaining] = block[stop:size]
        # The block doubles when an incomplete line takes half of it, so that a long line makes it
        # grow only a few times.
        if 2 * remaining >= len(block) - PADDING:
            block.extend(bytes(len(block)))
        yield
    if remaining:
        block[remaining] = ord("\n")  # the last line may lack its end
        rows.feed(block, remaining + 1)


def line_text(source: Source, number: int) -> str:
    """A line of a file for a message; "" if the source cannot be read again."""
    if not isinstance(source, (str, os.PathLike)) or not os.path.isfile(source):
        return ""
    with suppress(OSError), open_source(source) as stream:  # it may have been deleted
        lines = io.TextIOWrapper(stream, "utf-8", "replace", newline="\n")
        line = next(itertools.islice(lines, number - 1, None), "")
        return f": {line[:200].strip()!r}"
    return ""


def refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    """A JSON object as a dict; a key twice is an error."""
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the key {describe(repeated)} twice; keep one of them")
    return result


def find_header(source: IO[bytes], mark: str) -> tuple[int, int]:
    """Where the header of columns begins, after lines of comments; and the number of these lines.

    A line that begins with # is the header if it has as many columns as the next line.
    """
    place = source.tell()
    lines = 0
    separator = mark.encode()
    line = source.readline(LONGEST_LINE)
    if place == 0:
        line = line.removeprefix(BYTE_ORDER_MARK)
    while line.startswith(b"#"):
        end = source.tell()
        following = source.readline(LONGEST_LINE)
        columns = line.count(separator)
        if columns and columns == following.count(separator):
            break
        place = end
        lines += 1
        line = following
    return place, lines


@contextmanager
def reading(name: str, refuse_lines: Callable[[], None] | None = None) -> Iterator[None]:
    """Turn the errors of all engines for damaged data into one ValueError."""
    try:
        yield
    except ImportError:
        raise
    except Exception as error:  # every engine has its own errors
        is_of_system = isinstance(error, OSError) and error.errno is not None
        if is_of_system or isinstance(error, SourceError):
            raise
        words = " ".join(str(error).split())[:200]
        try:
            if refuse_lines is not None and not isinstance(error, decompression_errors()):
                refuse_lines()
        except SourceError as of_line:
            if not of_line.place:
                raise of_line from error
            words = f"{of_line.place}: {of_line.words}"[:300]
        except ValueError as of_line:
            words = str(of_line)[:300]
        except decompression_errors(OSError, csv.Error):
            pass  # packed data that ends in the middle has no lines
        raise SourceError.at(name, "", f"cannot be read: {words}") from error


def read_json_lines(path: Source, name: str) -> Iterator[tuple[int, object]]:
    """The value of each line of JSON that is not blank, with its number; name: for messages."""
    refuse_empty_file(path)
    with reading(name), open_source(path) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    text = line.decode("utf-8-sig")
                    value = json.loads(text, object_pairs_hook=refuse_repeated_keys)
                except (ValueError, RecursionError) as error:
                    words = f"{getattr(error, 'msg', error)}: {line.strip()[:200]!r}"
                    raise SourceError.at(name, f"line {number}", f"not JSON: {words}") from None
                yield number, value
