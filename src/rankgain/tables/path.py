"""Tables in files: Parquet, CSV, TSV and JSON lines, by their suffix."""

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

from ..records.printable import printable

TEXT = {".csv": ",", ".tsv": "\t"}
LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
KNOWN = ".parquet, .csv, .tsv and .jsonl"


class File(NamedTuple):
    """A path whose suffix does not lie."""

    path: str
    name: str  # as messages call it
    suffix: str  # without .gz
    packed: bool

    @property
    def text(self) -> bool:
        """Whether it has nothing but text, so that numbers are to be read from it."""
        return self.suffix in TEXT

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Give what an engine says of a damaged file one form."""
        try:
            yield
        except (EOFError, ImportError):
            raise
        except Exception as error:  # every engine has its own errors
            if isinstance(error, OSError) and error.errno is not None:  # of the system
                raise
            words = " ".join(str(error).split())[:200]
            raise ValueError(f"{self.name}: cannot be read: {words}") from error


def look_at(path: Any) -> File:
    """What a file is, by its suffix and by how it begins."""
    path = os.fspath(path)
    name = printable(path)
    stem, suffix = os.path.splitext(path.lower())
    packed = suffix == ".gz"
    if packed:
        suffix = os.path.splitext(stem)[1]
    if suffix not in (*TEXT, *LINES, *PARQUET) or (packed and suffix in PARQUET):
        raise ValueError(
            f"{name}: its suffix does not say what it is; known are {KNOWN}, the last three also "
            "with .gz"
        )
    try:
        import narwhals  # noqa: F401
    except ImportError:
        raise ImportError('tables need narwhals: pip install "rankgain[frames]"') from None
    _refuse_lies(path, name, suffix, packed)
    return File(path, name, suffix, packed)


def open_file(file: File) -> Any:
    """The frame of all of it."""
    with file.reading():
        frame = read_frame(_unpacked(file.path) if file.packed else file.path, file.suffix)
        frame.collect_schema()
    return frame


def _unpacked(path: str) -> BytesIO:
    with gzip.open(path, "rb") as file:
        return BytesIO(file.read())


def _refuse_lies(path: str, name: str, suffix: str, packed: bool) -> None:
    """Refuse a file that begins as one of another suffix does."""
    with gzip.open(path, "rb") if packed else open(path, "rb") as file:
        try:
            start = file.read(1 << 16)
        except OSError as error:
            raise ValueError(f"{name}: its suffix says gzip, but {error}") from None
    said, looks = suffix, suffix
    first = start.lstrip(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
    if start[:4] == b"PAR1":
        looks = ".parquet"
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
    if looks in PARQUET and said in PARQUET:
        return
    if looks != said:
        raise ValueError(
            f"{name}: its suffix is {said}, but it begins as {looks} does; give it the suffix that "
            f"it is, of {KNOWN}"
        )


def read_frame(source: Any, suffix: str) -> Any:
    """A frame, by the first engine that is installed."""
    import narwhals as nw

    engine: Any = next((one for one in ("polars", "pyarrow", "pandas") if find_spec(one)), None)
    if engine is None:
        raise ImportError("files of tables need polars, pyarrow or pandas")
    if suffix in PARQUET:
        if engine == "polars":
            return nw.scan_parquet(source, backend="polars")
        return nw.read_parquet(source, backend=engine)
    ways = {"polars": _by_polars, "pyarrow": _by_pyarrow, "pandas": _by_pandas}
    return nw.from_native(ways[engine](source, TEXT.get(suffix)))


def _by_polars(source: Any, separator: str | None) -> Any:
    import polars

    if separator is None:
        return polars.read_ndjson(source, infer_schema_length=None)
    return polars.read_csv(source, separator=separator, infer_schema=False)


def _by_pyarrow(source: Any, separator: str | None) -> Any:
    import pyarrow
    from pyarrow import csv, json

    if separator is None:
        return json.read_json(source)
    parsing = csv.ParseOptions(delimiter=separator)
    with csv.open_csv(source, parse_options=parsing) as start:
        names = start.schema.names
    if hasattr(source, "seek"):
        source.seek(0)
    text = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pyarrow.string()),
        null_values=[""],
        strings_can_be_null=True,
    )
    return csv.read_csv(source, parse_options=parsing, convert_options=text)


def _by_pandas(source: Any, separator: str | None) -> Any:
    import pandas

    if separator is None:
        return pandas.read_json(source, lines=True, dtype=False)
    return pandas.read_csv(source, sep=separator, dtype=str, keep_default_na=False, na_values=[""])
