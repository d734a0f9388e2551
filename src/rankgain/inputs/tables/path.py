"""What a file holds, by its suffix: Parquet, CSV, TSV or JSON lines."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from ..files import BYTE_ORDER_MARK, PARQUET, damages, one_of_each
from ..printable import printable
from .frames import csv_frame, narwhals

if TYPE_CHECKING:
    from ..types import NarwhalsFrame, Path


TEXT = {".csv": ",", ".tsv": "\t"}
LINES = (".jsonl", ".ndjson")
KNOWN = ".parquet, .csv, .tsv and .jsonl"


class File(NamedTuple):
    """A path whose content begins as its suffix says."""

    path: str
    name: str  # for messages
    suffix: str  # without .gz
    packed: bool

    @property
    def text(self) -> bool:
        """Whether all values are text, so that numbers must be parsed."""
        return self.suffix in TEXT

    def opened(self) -> Any:
        """Open the file; gzip is decompressed while it is read."""
        return gzip.open(self.path) if self.packed else open(self.path, "rb")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn the errors of all engines for a damaged file into one ValueError."""
        try:
            yield
        except ImportError:
            raise
        except Exception as error:  # every engine has its own errors
            is_of_system = isinstance(error, OSError) and error.errno is not None
            if is_of_system or str(error).startswith(self.name):  # the latter are our own errors
                raise
            words = " ".join(str(error).split())[:200]
            raise ValueError(f"{self.name}: cannot be read: {words}") from error


def look_at(path: Path) -> File:
    """The type of a file by its suffix; its first bytes must agree."""
    path = os.fspath(path)
    name = printable(path)
    if os.path.isdir(path):
        raise ValueError(
            f"{name} is a folder: give evaluate_batches the pyarrow.dataset.dataset of it"
        )
    stem, suffix = os.path.splitext(path.lower())
    packed = suffix == ".gz"
    if packed:
        suffix = os.path.splitext(stem)[1]
    if suffix not in (*TEXT, *LINES, *PARQUET) or (packed and suffix in PARQUET):
        raise ValueError(
            f"{name}: its suffix does not say what it is; known are {KNOWN}, the last three also "
            "with .gz"
        )
    file = File(path, name, suffix, packed)
    _refuse_lies(file)
    return file


def open_file(file: File) -> Any:
    """The whole file as a frame."""
    with file.reading():
        is_parquet = file.suffix in PARQUET
        frame = read_frame(file.path if is_parquet else content_of(file), file.suffix)
        frame.collect_schema()
    return frame


def content_of(file: File) -> BytesIO:
    with file.opened() as source:
        return BytesIO(source.read())


def _refuse_lies(file: File) -> None:
    """Refuse a file whose first bytes belong to another suffix."""
    with file.opened() as source:
        try:
            start = source.read(1 << 16)
        except gzip.BadGzipFile as error:
            raise ValueError(f"{file.name}: its suffix says gzip, but {error}") from None
        except damages() as error:
            raise ValueError(f"{file.name}: cannot be read: {error}") from None
    looks = suffix = file.suffix
    first = start.removeprefix(BYTE_ORDER_MARK).lstrip().split(b"\n", 1)[0]
    if start[:4] == b"PAR1":
        looks = suffix if suffix in PARQUET else ".parquet"
    elif start[:2] == b"\x1f\x8b":
        looks = f"{suffix}.gz"
    elif suffix in PARQUET or b"\0" in start:
        looks = "something else"
    elif first[:1] == b"{" and suffix in TEXT:
        looks = ".jsonl"
    elif suffix in LINES and first and first[:1] != b"{":
        looks = "something else"
    elif suffix in TEXT and TEXT[suffix].encode() not in first:
        others = [one for one, mark in TEXT.items() if mark.encode() in first]
        looks = others[0] if others else suffix
    if looks != suffix:
        raise ValueError(
            f"{file.name}: its suffix is {suffix}, but it begins as {looks} does; give it the "
            f"suffix that it is, of {KNOWN}"
        )


def read_frame(source: Any, suffix: str) -> Any:
    """A frame, read by the first engine that is installed."""
    nw = narwhals()
    engine: Any = next((one for one in ("polars", "pyarrow", "pandas") if find_spec(one)), None)
    if engine is None:
        raise ImportError("files of tables need polars, pyarrow or pandas")
    if suffix in PARQUET:
        if engine == "polars":
            return nw.scan_parquet(source, backend="polars")
        return nw.read_parquet(source, backend=engine)
    if suffix in TEXT:
        return csv_frame(source, TEXT[suffix])
    return nw.from_native(_json_lines(source))


def _json_lines(source: BytesIO) -> Any:
    content = source.getvalue().removeprefix(BYTE_ORDER_MARK)
    first = re.search(rb"\S[^\n]*", content)
    json.loads(first[0] if first else "{}", object_pairs_hook=one_of_each)
    source = BytesIO(content)
    if find_spec("polars"):
        import polars

        return polars.read_ndjson(source, infer_schema_length=None)
    if not find_spec("pyarrow"):
        import pandas

        return pandas.read_json(source, lines=True, dtype=False, precise_float=True)
    import pyarrow
    from pyarrow import json as arrow

    table = arrow.read_json(source)
    times = [one.name for one in table.schema if pyarrow.types.is_timestamp(one.type)]
    if not times:
        return table
    # pyarrow has converted text to times. JSON has no times, and the text may be ids.
    texts = pyarrow.schema([(name, pyarrow.string()) for name in times])
    source.seek(0)
    return arrow.read_json(source, parse_options=arrow.ParseOptions(explicit_schema=texts))


def refuse_mixed(
    read: Callable[[], bytes],
    frame: NarwhalsFrame,
    names: Iterable[str],
    where: str,
    before: int = 0,
) -> None:
    """Refuse numbers in a text column of JSON lines, because polars converts them to text.

    read: returns the content; it is called only if there is a text column. before: the number of
    lines of the file before the content.
    """
    import narwhals as nw

    texts = [one for one in names if one in frame.columns and frame[one].dtype == nw.String]
    content = read() if texts else b""
    for name in texts:
        pattern = re.escape(json.dumps(name).encode()) + rb"\s*:\s*[-\dtf]"
        for result in re.finditer(pattern, content):
            start = content.rfind(b"\n", 0, result.start()) + 1
            stop = content.find(b"\n", result.end())
            row = json.loads(content[start : stop if stop >= 0 else None])
            if isinstance(row.get(name), (int, float)):
                number = before + content.count(b"\n", 0, start) + 1
                raise TypeError(
                    f"{where}, line {number}: {name} is {row[name]!r}, but other lines have text "
                    "there; give all in one type"
                )
