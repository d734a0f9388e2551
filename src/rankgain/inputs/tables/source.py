"""What there is to read: data frames, Arrow streams, and files whose suffix says what they hold."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from importlib.util import find_spec
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import unquote

import numpy as np

from ..axes import is_series
from ..files import (
    BYTE_ORDER_MARK,
    PARQUET,
    START,
    are_paths,
    check_path,
    decompression_errors,
    expand_paths,
    find_header,
    find_suffix,
    load,
    open_source,
    peek_start,
    read_json_lines,
    reading,
    refuse_empty_file,
    refuse_repeated_keys,
    refuse_unreadable,
)
from ..printable import count_of, describe, describe_name, escape_surrogates, is_missing

if TYPE_CHECKING:
    import pyarrow as pa

    from ..types import Integers, Path


TEXT = {".csv": ",", ".tsv": "\t"}
LINES = (".jsonl", ".ndjson")
TABLES = (*PARQUET, *TEXT, *LINES, *(f"{suffix}.gz" for suffix in (*TEXT, *LINES)))
KNOWN_SUFFIXES = ".parquet, .csv, .tsv or .jsonl"
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # of a folder, where the column is null
MARKS = (";", "\t", "|", ",")  # what separates columns
EAGER = ("pandas", "polars", "pyarrow")  # libraries whose frames in memory are read as they are


class Origin(NamedTuple):
    """A table in messages."""

    name: str
    unit: str = "row"
    arguments_of: str | None = ""  # the function whose arguments name columns: "" if it is the one
    # that was called, None if there is none
    rows: range | Integers | None = None  # the numbers of its rows, from 0, if it is a part
    files: Sequence[tuple[int, str]] = ()  # the number of the first row of each file, and its name
    text: bool = False  # numbers may be text, as in CSV files
    in_memory: bool = False  # a frame, whose rows have numbers of another kind
    run_hint: str = "pass run={} if it names systems, or run=None if it does not"
    # The names that the caller gave for columns which another table has, by argument.
    elsewhere: Mapping[str, str] | None = None

    def hint(self, argument: str, value: object = None) -> str:
        """How to name a column with an argument; "" if there is no such argument."""
        if self.arguments_of is None:
            return ""
        if self.elsewhere and argument in self.elsewhere:
            # The argument has a value that is right for the other table.
            if value is not None:
                return ""
            name = self.elsewhere[argument]
            return f"rename one of them to {name!r}, which {argument}= names"
        shown_value = "..." if value is None else repr(value)
        setting = f"{argument}={shown_value}"
        if self.arguments_of == "":
            return f"pass {setting}"
        return f"use {self.arguments_of}(frame, {setting})"

    def row(self, index: int) -> str:
        """A row, counted from 1 in its file or frame."""
        name, number = self.find_row(index)
        place = f"{name}, {self.unit} {number}"
        if self.in_memory:
            # An index of a frame counts from 0, so the first number needs a word.
            return f"{place} (counting from 1)"
        return place

    def row_beside(self, index: int, named_row: int) -> str:
        """A row in a message that names another row: with its file if it is in another file."""
        name, number = self.find_row(index)
        if name == self.find_row(named_row)[0]:
            return f"{self.unit} {number}"
        return f"{name}, {self.unit} {number}"

    def find_row(self, index: int) -> tuple[str, int]:
        """The file or frame of a row, and its number there, from 1."""
        number = int(index)
        if self.rows is not None:
            number = int(self.rows[index])
        start = 0
        name = self.name
        for first_row, file_name in self.files:
            if first_row <= number:
                start = first_row
                name = file_name
        return name, number - start + 1


class Part(NamedTuple):
    """Some rows of a table, and their numbers in it, from 0."""

    table: Any
    rows: Any
    name: str = ""  # of the table, for messages
    files: Sequence[tuple[int, str]] = ()  # of the table, as those of an Origin


def is_table_path(value: object) -> bool:
    """Whether a value is one path that can only be that of a table: by its suffix, or a folder."""
    if not isinstance(value, (str, os.PathLike)):
        return False
    return os.fsdecode(value).lower().endswith(TABLES) or os.path.isdir(value)


def is_stream(value: object) -> bool:
    """Whether a value is no frame of a known library, but streams Arrow's record batches."""
    library = type(value).__module__.partition(".")[0]
    return library not in EAGER and hasattr(value, "__arrow_c_stream__")


def has_tables(folder: Path) -> bool:
    """Whether there is a file of a table in a folder, or in one below it."""
    for *_, names in os.walk(os.fspath(folder)):
        if any(os.fsdecode(name).lower().endswith(TABLES) for name in names):
            return True
    return False


def frame_of_rows(rows: Sequence[Mapping[str, Any]]) -> object:
    """Rows with names as a frame of the first library that is installed."""
    if find_spec("polars"):
        import polars

        return polars.from_dicts(rows, infer_schema_length=None)
    if find_spec("pyarrow"):
        import pyarrow

        return pyarrow.Table.from_pylist(list(rows))
    import pandas

    return pandas.DataFrame(rows)


def narwhals() -> Any:
    """The library that all tables need."""
    return load("narwhals", "data frames, CSV and Parquet", "frames")


def as_narwhals(frame: object) -> Any:
    """A frame as narwhals has it."""
    if type(frame).__name__ == "RecordBatch":
        import pyarrow

        frame = pyarrow.Table.from_batches([frame])
    return narwhals().from_native(in_native_form(frame))


def open_table(source: Any) -> tuple[object, Origin]:
    """Files, a frame in memory, or one of narwhals, and its name for messages."""
    narwhals()  # its absence is an error, whatever the frame needs
    if isinstance(source, Part):
        return source.table, Origin(source.name, rows=source.rows, files=source.files)
    if isinstance(source, Files) or are_paths(source):
        files = source if isinstance(source, Files) else find_files(cast("Path", source))
        if len(files.files) == 1:
            files = files._replace(frame=open_file(files.files[0]))
        return files, files.origin
    origin = Origin(f"the {type(source).__name__}", in_memory=True)
    if isinstance(source, (list, tuple)) and source and isinstance(source[0], Mapping):
        return frame_of_rows(source), origin
    library = type(source).__module__.partition(".")[0]
    if library == "pandas" and type(source).__name__ == "DataFrame":
        # The levels of its index that have names are columns, too.
        names = [name for name in source.index.names if name is not None]
        levels = [name for name in names if name not in source.columns]
        if levels:
            source = source.reset_index(level=levels)
        return source, origin
    is_table = type(source).__name__ in ("DataFrame", "Table")
    if library in EAGER and (is_table or hasattr(source, "scanner")):
        return source, origin
    if library == "datasets":  # Hugging Face's
        if isinstance(source, dict):
            split = next(iter(source), "test")
            raise TypeError(f"{origin.name} holds tables: give one, such as [{split!r}]")
        if not hasattr(source, "__len__"):
            raise TypeError(f"{origin.name} is a stream: give it to evaluate_batches")
        return source, origin
    streams = hasattr(source, "__arrow_c_stream__")
    if not streams or library in (*EAGER, "narwhals"):
        try:
            return as_narwhals(source), origin
        except TypeError:
            if not streams or is_series(source):
                raise TypeError(
                    f"{origin.name} is not a table; give a frame of pandas, polars or pyarrow, an "
                    "object with __arrow_c_stream__, or paths of files"
                ) from None
    if find_spec("polars"):  # pyarrow cannot select rows of string views
        import polars

        return polars.DataFrame(source), origin
    if find_spec("pyarrow"):
        import pyarrow

        reader = pyarrow.RecordBatchReader.from_stream(source)
        return without_views(reader.read_all()), origin
    raise ImportError(f"{origin.name} streams Arrow's batches, which needs pyarrow or polars")


def open_frame(source: object) -> tuple[object, Origin]:
    """A frame of qrels or of a run, or such a file, and its name for messages."""
    narwhals()  # its absence is an error, whatever the frame needs
    if not isinstance(source, (str, os.PathLike)) or (os.path.isdir(source) and has_tables(source)):
        return open_table(source)
    path = check_path(source)
    suffix = find_suffix(source)
    if suffix not in (*TEXT, *PARQUET, *LINES):
        suffix = ".csv"
    file = File(path, describe_name(path), suffix, False)
    open(path, "rb").close()  # raises the usual error if the file cannot be opened
    refuse_empty_file(path)
    return Files(file.name, [file], [], open_file(file)), Origin(file.name)


def in_native_form(frame: Any) -> object:
    """A frame with numbers in native byte order and without string views."""
    library = type(frame).__module__.partition(".")[0]
    if library not in ("pandas", "pyarrow"):
        return frame
    if not hasattr(frame, "columns"):
        if library == "pyarrow":  # a data set
            return frame
        raise TypeError(f"the {type(frame).__name__} is not a table; give a data frame")
    names = frame.column_names if library == "pyarrow" else frame.columns.tolist()
    if len(set(names)) < len(names):
        _refuse_equal_names(names, f"the {type(frame).__name__}: ")
    if library == "pyarrow":
        return without_views(frame)
    swapped = {}
    for name, kind in frame.dtypes.items():
        if isinstance(kind, np.dtype) and not kind.isnative:
            swapped[name] = kind.newbyteorder("=")
    if not swapped:  # astype would copy
        return frame
    return frame.astype(swapped)


def _refuse_equal_names(names: Sequence[object], start: str = "") -> None:
    """Refuse two columns of one name; start: of the error."""
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(f"{start}two columns are called {describe(name)}; rename one of them")


def without_views(table: pa.Table) -> object:
    """The same table with string views, which polars makes, as large strings."""
    from pyarrow import chunked_array, large_string

    for index, column in enumerate(table.columns):
        if str(column.type).startswith(("string_view", "dictionary<values=string_view")):
            texts = chunked_array([plain_text(chunk) for chunk in column.chunks], large_string())
            table = table.set_column(index, table.schema.names[index], texts)
    return table


def plain_text(column: pa.Array) -> object:
    """A column without string views; a dictionary of them is decoded."""
    import pyarrow

    is_view = pyarrow.types.is_string_view
    large = pyarrow.large_string()
    if is_view(column.type):
        return column.cast(large)
    if not (pyarrow.types.is_dictionary(column.type) and is_view(column.type.value_type)):
        return column
    words = column.dictionary.cast(large)  # views cannot be decoded as they are
    return pyarrow.DictionaryArray.from_arrays(column.indices, words).dictionary_decode()


class File(NamedTuple):
    """A path whose content begins as its suffix says."""

    path: str
    name: str  # for messages
    suffix: str  # without .gz
    packed: bool

    def opened(self) -> Any:
        """Open the file; gzip is decompressed while it is read."""
        if self.packed:
            return gzip.open(self.path)
        return open(self.path, "rb")

    def for_engines(self) -> object:
        """The file as engines must get it to read this file and no other.

        They expand a leading ~ and take s3://, which may be folders, for addresses; an absolute
        path begins with neither. They cannot pass on names whose bytes are not UTF-8.
        """
        path = os.path.abspath(self.path)
        if path == escape_surrogates(path):
            return path
        with self.opened() as content:
            return BytesIO(content.read())

    def reading(self, numbers: Collection[str] = ()) -> AbstractContextManager[None]:
        """Name the file in errors of all engines, and of text the line; numbers: such columns."""
        return reading(self.name, lambda: refuse_damaged(self, numbers))


class Files(NamedTuple):
    """Files of one kind that are one table."""

    name: str  # for messages
    files: list[File]
    starts: list[tuple[int, str]]  # the number of the first row of each file that was read
    frame: object = None  # of the only file

    @property
    def suffix(self) -> str:
        """That of all files, without .gz."""
        return self.files[0].suffix

    @property
    def origin(self) -> Origin:
        """The files in messages."""
        return Origin(self.name, files=self.starts, text=self.suffix in TEXT)


def refuse_damaged(file: File, numbers: Collection[str]) -> None:
    """Refuse the first damaged line of text; in CSV also one without a number in `numbers`."""
    if file.suffix in LINES:
        for number, content in read_json_lines(file.path, file.name):
            if not isinstance(content, dict):
                raise ValueError(f"line {number} is not a JSON object: {describe(content)}")
    if file.suffix not in TEXT:
        return
    mark = TEXT[file.suffix]
    with file.opened() as source:
        refuse_unreadable(peek_start(source, START))
        start, comments = find_header(source, mark)
        source.seek(start)
        lines = io.TextIOWrapper(source, "utf-8-sig", "surrogateescape", newline="")
        rows = csv.reader(lines, delimiter=mark)
        header = next(rows, [])
        columns = [index for index, name in enumerate(header) if name in numbers]
        for row in rows:
            text = mark.join(row)
            place = f"line {rows.line_num + comments}"
            if not text.isascii() and text != escape_surrogates(text):
                raise ValueError(f"{place} is not UTF-8: {text[:200]!r}")
            # Engines fill a short row with nulls, which a column of numbers refuses.
            lacks_numbers = bool(row and numbers) and len(row) < len(header)
            if len(row) > len(header) or lacks_numbers:
                count = f"{count_of(len(row), 'field')}, the header has {len(header)}"
                semicolons = ""
                if mark == "," and ";" in mark.join(header):
                    semicolons = (
                        ". The fields seem to be separated by ';': read the file yourself, such as "
                        "with pandas.read_csv(path, sep=';', decimal=','), and pass the frame"
                    )
                raise ValueError(f"{place} has {count}: {text[:200]!r}{semicolons}")
            if not row:  # an empty line
                continue
            for index in columns:
                if problem := _number_problem(row[index]):
                    raise ValueError(f"{place}: {header[index]} {problem}")


def _number_problem(field: str) -> str:
    """What is wrong with a field of CSV that must hold a number; "" if nothing is."""
    try:
        value = float(field or 0)
    except ValueError:
        return f"is not a number: {field[:200]!r}"
    is_integer = field.strip().lstrip("+-").isdigit()
    if abs(value) >= 2**53 and is_integer and int(field) != value:
        return f"is {field[:200]}, which cannot be represented exactly as a float64; rescale it"
    return ""


def find_files(paths: Path | Sequence[Path]) -> Files:
    """The files of a path, a folder or a pattern, or of a list of them."""
    patterns = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    first_path_of: dict[str, str] = {}  # each file once, whatever links lead to it
    for path in expand_paths(patterns, TABLES):
        first_path_of.setdefault(os.path.realpath(path), path)
    files = [inspect_file(path) for path in first_path_of.values()]
    first = files[0]
    for file in files:
        if _kind_of(file) != _kind_of(first):
            example = os.path.join(os.path.dirname(first.name), f"*{first.suffix}")
            raise ValueError(
                f"{first.name} and {file.name} are files of two kinds; give those of one, such as "
                f"{example!r}"
            )
    name = first.name
    if len(files) > 1:
        name = describe_name(" ".join(map(os.fsdecode, patterns[:3])))
    return Files(name, files, [])


def _kind_of(file: File) -> str:
    """Parquet, text with separators, or JSON lines."""
    if file.suffix in PARQUET:
        return "parquet"
    if file.suffix in TEXT:
        return "text"
    return "lines"


def inspect_file(path: str) -> File:
    """The type of a file by its suffix; its first bytes must agree."""
    name = describe_name(path)
    stem, suffix = os.path.splitext(path.lower())
    packed = suffix == ".gz"
    if packed:
        suffix = os.path.splitext(stem)[1]
    if not path.lower().endswith(TABLES):
        open(path, "rb").close()  # raises the usual error if there is no such file
        raise ValueError(
            f"{name}: unknown suffix; a table ends in {KNOWN_SUFFIXES}, the last three also with "
            ".gz"
        )
    refuse_empty_file(path)
    file = File(path, name, suffix, packed)
    with file.opened() as source:
        try:
            start = source.read(1 << 16)
        except gzip.BadGzipFile as error:
            raise ValueError(f"{name}: its suffix says gzip, but {error}") from None
        except decompression_errors() as error:
            raise ValueError(f"{name}: cannot be read: {error}") from None
    looks = _suffix_of_content(start, suffix)
    if looks != suffix:
        raise ValueError(
            f"{name}: its suffix is {suffix}, but its content is that of {looks}; rename it, with "
            f"one of {KNOWN_SUFFIXES}"
        )
    return file


def _suffix_of_content(start: bytes, suffix: str) -> str:
    """The suffix that the first bytes of a file belong to: its own one if they may."""
    lines = start.removeprefix(BYTE_ORDER_MARK).lstrip()
    if suffix in TEXT and lines.startswith(b"#"):
        lines = lines[find_header(BytesIO(lines), TEXT[suffix])[0] :]
    first_line = lines.split(b"\n", 1)[0]
    if start[:4] == b"PAR1":
        if suffix in PARQUET:
            return suffix
        return ".parquet"
    if start[:2] == b"\x1f\x8b":
        return f"{suffix}.gz"
    if suffix in PARQUET or b"\0" in start or (suffix in LINES and first_line[:1] not in b"{"):
        return "another kind of file"
    if first_line[:1] == b"{" and suffix in TEXT:
        return ".jsonl"
    if suffix in TEXT:
        matching = [ending for ending, mark in TEXT.items() if mark.encode() in first_line]
        if matching and suffix not in matching:
            return matching[0]
    return suffix


def folder_columns(path: str) -> dict[str, str | None]:
    """The columns that folders name, as in model=a/part-0.parquet, with the value in all rows."""
    columns: dict[str, str | None] = {}
    for folder in os.path.dirname(path).split(os.sep):
        name, mark, quoted = folder.partition("=")
        if mark and name:
            value = unquote(quoted)
            if value == NO_VALUE:
                columns[unquote(name)] = None
            else:
                columns[unquote(name)] = value
    return columns


def refuse_other_values(name: str, values: Sequence[object], folder: str | None, row: str) -> None:
    """Refuse a column of a file whose values are not what the name of its folder says.

    values: the distinct ones; a number may be spelled in another way, as 1 in month=01.
    """
    for value in values:
        text = None if is_missing(value) else str(value)
        if isinstance(value, bool):
            text = str(value).lower()  # as in the folders of Spark
        if text == folder:
            continue
        with suppress(TypeError, ValueError):
            if float(text) == float(folder):  # type: ignore[arg-type]
                continue
        folder_value = NO_VALUE if folder is None else folder
        expected = f"{name}={folder_value}"
        raise ValueError(
            f"{row}: the column {describe(name)} holds {describe(value)}, but the file is in the "
            f"folder {expected!r}; rename the column or the folder"
        )


def open_file(file: File) -> object:
    """The whole file as a frame, with columns that its folders name."""
    with file.reading():
        if file.suffix in PARQUET:
            content = file.for_engines()
        else:
            content = read_content(file)
        frame = read_frame(content, file.suffix)
        names = frame.collect_schema().names()
    nw = narwhals()
    for name, value in folder_columns(file.path).items():
        if name not in names:
            frame = frame.with_columns(nw.lit(value, nw.String).alias(name))
    return frame


def in_polars(table: pa.Table) -> object:
    """A table as a frame of polars, which reads a short file, if it is installed."""
    if not find_spec("polars"):
        return table
    import polars

    return polars.from_arrow(table)


def read_content(file: File) -> BytesIO:
    with open_source(file.path) as source:
        return BytesIO(source.read())


def read_frame(source: Any, suffix: str) -> Any:
    """A frame, read by the first engine that is installed."""
    nw = narwhals()
    engine = next(filter(find_spec, ("polars", "pyarrow", "pandas")), None)
    if engine is None:
        raise ImportError("files of tables need polars, pyarrow or pandas")
    if suffix in PARQUET:
        if engine == "polars":
            one_file = {"glob": False, "hive_partitioning": False}
            return nw.scan_parquet(source, backend="polars", **one_file)
        return nw.read_parquet(source, backend=engine)
    if suffix not in TEXT:
        return nw.from_native(_json_lines(source))
    # Text without comments before the header, and without empty lines.
    mark = TEXT[suffix]
    start, _ = find_header(source, mark)
    source = BytesIO(source.getvalue()[start:])
    names = read_header(source, mark)
    _refuse_equal_names(list(filter(None, names)))
    source.seek(0)
    if engine == "polars":
        import polars

        result = polars.read_csv(source, separator=mark, infer_schema=False)
        if result.width > 1:  # in a single column an empty line is an empty field
            is_blank = polars.all_horizontal(polars.all().is_null())
            result = result.filter(~is_blank)
        return nw.from_native(result)
    if engine == "pyarrow":
        return nw.from_native(csv_reader(source, mark, names, names).read_all())
    options = {"dtype": str, "keep_default_na": False, "na_values": [""]}
    return nw.read_csv(source, backend="pandas", separator=mark, **options)


def csv_reader(
    source: IO[bytes],
    mark: str,
    columns: list[str] | None,
    texts: Collection[str],
    block: int | None = None,
) -> Any:
    """pyarrow's reader of CSV: 001 is not 1, NA is an id, and only an empty field is missing."""
    import pyarrow
    from pyarrow import csv

    types = {}
    for name in columns or ():
        if name in texts:
            types[name] = pyarrow.string()
        else:
            types[name] = pyarrow.float64()
    conversion = csv.ConvertOptions(
        column_types=types,
        include_columns=columns,
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    reading_options = csv.ReadOptions(block_size=block)
    parsing = csv.ParseOptions(delimiter=mark, newlines_in_values=True)
    return csv.open_csv(source, reading_options, parsing, conversion)


def read_header(source: IO[bytes], mark: str) -> list[str]:
    """The names of columns; columns that are separated by another mark are refused."""
    source.seek(find_header(source, mark)[0])
    text = io.TextIOWrapper(source, "utf-8-sig", "replace", newline="")
    names = next(filter(None, csv.reader(text, delimiter=mark)), [])
    text.detach()  # leaves the source open
    if len(names) != 1:
        return names
    for separator in MARKS:
        if separator in names[0]:
            raise ValueError(
                f"its columns are separated by {separator!r}, not by {mark!r}: write it with "
                f"commas, or pass a data frame, such as polars.read_csv(path, "
                f"separator={separator!r})"
            )
    return names


def _json_lines(source: BytesIO) -> object:
    content = source.getvalue().removeprefix(BYTE_ORDER_MARK)
    first_line = re.search(rb"\S[^\n]*", content)
    if first_line is None:
        raise ValueError("it has no rows")
    json.loads(first_line[0], object_pairs_hook=refuse_repeated_keys)
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
    times = [field.name for field in table.schema if pyarrow.types.is_timestamp(field.type)]
    if not times:
        return table
    # pyarrow has converted text to times. JSON has no times, and the text may be ids.
    texts = pyarrow.schema([(name, pyarrow.string()) for name in times])
    source.seek(0)
    return arrow.read_json(source, parse_options=arrow.ParseOptions(explicit_schema=texts))
