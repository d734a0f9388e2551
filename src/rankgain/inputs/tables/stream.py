"""Tables in parts: record batches of any source, and complete lists of them."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import EXACT
from ..files import PARQUET, SourceError, SourceTypeError, are_paths, find_header, load
from ..grouping import hash_ids
from ..lists import LONGEST
from ..printable import describe, list_names
from .source import (
    LINES,
    TEXT,
    File,
    Files,
    Origin,
    Part,
    csv_reader,
    find_files,
    folder_columns,
    plain_text,
    read_frame,
    read_header,
    refuse_damaged,
    refuse_other_values,
    without_views,
)

if TYPE_CHECKING:
    from types import ModuleType

    import pyarrow as pa

    from ..types import HasStream, NarwhalsFrame


BLOCK = 1 << 24  # bytes of text that are read at a time
ROWS = 1 << 18  # of Parquet that are read at a time
CAPSULES = ("__arrow_c_stream__", "__arrow_c_array__")
FIBONACCI = np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing
SECONDS_BETWEEN = 0.5  # seconds between two lines of progress


def pyarrow() -> Any:
    """The library that all streams need."""
    return load("pyarrow", "streams of record batches", "arrow")


def is_read_once(source: object) -> bool:
    """Whether a source can be read only once: an iterator, a reader, a scanner."""
    if isinstance(source, Files) or are_paths(source) or callable(source):
        return False
    from pyarrow import RecordBatchReader, dataset

    return isinstance(source, (Iterator, RecordBatchReader, dataset.Scanner))


def open_batches(source: Any, columns: list[str], texts: Collection[str]) -> Iterator[object]:
    """The record batches of a source; of files these columns, numbers except `texts`."""
    arrow = pyarrow()
    if isinstance(source, Files):
        yield from file_batches(source, columns, texts)
    elif are_paths(source):
        yield from file_batches(find_files(source), columns, texts)
    elif isinstance(source, Callable):  # type: ignore[arg-type]
        yield from open_batches(source(), columns, texts)
    elif hasattr(source, "with_format") and hasattr(source, "iter"):  # data sets of Hugging Face
        yield from open_batches(source.with_format("arrow").iter(ROWS), columns, texts)
    elif hasattr(source, "to_batches"):  # tables, data sets and scanners of pyarrow
        if hasattr(source, "scanner"):  # a data set, which can read some columns only
            _refuse_absent(columns, source.schema.names, "the data set")
            yield from source.to_batches(columns=columns)
        else:
            yield from source.to_batches()
    elif any(hasattr(source, batch) for batch in CAPSULES):
        yield from _of_capsule(source, arrow)
    elif isinstance(source, Iterable) and not isinstance(source, (bytes, dict)):
        for index, batch in enumerate(source):
            if not any(hasattr(batch, name) for name in CAPSULES):
                raise TypeError(
                    f"batches[{index}] must be an Arrow record batch or table (anything with "
                    f"__arrow_c_array__ or __arrow_c_stream__), not {type(batch).__name__}"
                    + _hint(batch)
                )
            yield from _of_capsule(batch, arrow)
    else:
        raise TypeError(
            "batches must be an iterator of Arrow record batches, a table, a data set, a path of "
            f"Parquet or CSV, or a function that gives one of these, not {type(source).__name__}"
            + _hint(source)
        )


def _refuse_absent(columns: Iterable[str], names: list[str], place: str) -> None:
    """Refuse a column that batches lack or have twice."""
    for name in columns:
        if names.count(name) != 1:
            problem = "more than one column" if name in names else "no column"
            raise ValueError(f"{place}: {problem} {describe(name)}; there are {list_names(names)}")


def _hint(source: object) -> str:
    """The remedy in an error: how to get the rows of a source."""
    if type(source).__name__ == "DuckDBPyConnection":
        return "; give con.sql(...), or .to_arrow_reader() of a result"
    if hasattr(source, "collect"):  # a lazy frame
        return "; give what its collect() returns"
    return ""


def _of_capsule(source: HasStream, arrow: ModuleType) -> Iterator[object]:
    """The batches of an object with one of Arrow's C interfaces."""
    if isinstance(source, arrow.RecordBatch):
        yield source
    elif hasattr(source, "__arrow_c_stream__"):
        yield from arrow.RecordBatchReader.from_stream(source)
    else:
        yield arrow.record_batch(source)


def names_of_all(files: Files) -> list[str]:
    """The columns of the first file, and those that its folders name."""
    first = files.files[0]
    with first.reading():
        names = read_names(first)
    added = [name for name in folder_columns(first.path) if name not in names]
    return [*names, *added]


def read_names(file: File) -> list[str]:
    """The columns of a file; for JSON lines, the columns of the first rows."""
    if file.suffix in PARQUET:
        from pyarrow import parquet

        return list(parquet.read_schema(file.for_engines()).names)
    if file.suffix in TEXT:
        with file.opened() as source:
            return read_header(source, TEXT[file.suffix])
    return list(next(_frames(file, [])).column_names)


def file_batches(files: Files, names: list[str], texts: Collection[str]) -> Iterator[object]:
    """The rows of files, with columns that folders name; `files.starts` has their first rows."""
    files.starts.clear()
    rows = 0
    for file in files.files:
        files.starts.append((rows, file.name))
        folder_values = folder_columns(file.path)
        in_folder = [name for name in folder_values if name in names]
        own_names = read_names(file) if in_folder else []
        added = [name for name in in_folder if name not in own_names]
        stored = [name for name in names if name not in added]
        for batch in _split_batches(file, stored, texts):
            for name in in_folder:
                if name in stored:  # the file has the column, too
                    values = batch.column(name).unique().to_pylist()
                    refuse_other_values(name, values, folder_values[name], files.origin.row(rows))
            rows += batch.num_rows
            for name in added:
                value = pyarrow().scalar(folder_values[name], "string")
                batch = batch.append_column(name, pyarrow().repeat(value, batch.num_rows))
            yield batch


def _split_batches(
    file: File, names: list[str], texts: Collection[str]
) -> Iterator[pa.RecordBatch]:
    """The rows of a file in their order; in CSV and TSV `texts` are text, others numbers."""
    arrow = pyarrow()
    with file.reading(set(names) - set(texts)):
        if file.suffix in LINES:
            for frame in _frames(file, names):
                columns = {}
                for name in names:
                    if name in frame.column_names:
                        columns[name] = frame[name]
                    else:  # no object of this block has it
                        columns[name] = arrow.nulls(len(frame))
                yield from arrow.table(columns).combine_chunks().to_batches()
            return
        own_names = read_names(file)
        selected: list[str] | None = names
        if any(own_names.count(name) != 1 for name in names):
            selected = None  # all columns, whose names the reader of the batches refuses
        if file.suffix in TEXT:
            yield from _text_batches(file, selected, texts, set(names) - set(texts))
            return
        from pyarrow import parquet

        with parquet.ParquetFile(file.for_engines(), pre_buffer=False) as opened:
            yield from opened.iter_batches(ROWS, columns=selected)


def _text_batches(
    file: File, selected: list[str] | None, texts: Collection[str], numbers: Collection[str]
) -> Iterator[pa.RecordBatch]:
    """The batches of CSV or TSV; large numbers are compared with their text."""
    mark = TEXT[file.suffix]
    is_checked = False
    with file.opened() as source:
        source.seek(find_header(source, mark)[0])
        for batch in csv_reader(source, mark, selected, texts, BLOCK):
            if not is_checked and any(map(_has_large_number, batch.columns)):
                # pyarrow rounds the integers of text, so all lines are looked at, once.
                is_checked = True
                refuse_damaged(file, numbers)
            yield batch


def _has_large_number(column: pa.Array) -> bool:
    """Whether a column holds doubles so large that integers among them may be rounded."""
    if str(column.type) != "double":
        return False
    return bool((np.abs(column.to_numpy(zero_copy_only=False)) >= EXACT).any())


def _frames(file: File, names: list[str]) -> Iterator[pa.Table]:
    """Blocks of complete lines as pyarrow tables, each read as a file of its own."""
    with file.opened() as source:
        data = b""
        lines_before = 0
        is_at_end = False
        while not is_at_end:
            block = source.read(BLOCK)
            is_at_end = not block
            data += block
            # An incomplete line waits for its end, which the last one may lack.
            end = len(data)
            if not is_at_end:
                end = data.rfind(b"\n") + 1
            lines = data[:end]
            data = data[end:]
            if lines.strip():
                frame = read_frame(BytesIO(lines), file.suffix)
                for name in frame.columns:
                    if "\0" in name:  # Arrow's C interface ends names at a NUL
                        words = f"the column {describe(name)} has a NUL in its name; rename it"
                        raise SourceError.at(file.name, "", words)
                refuse_mixed_ids(partial(bytes, lines), frame, names, file.name, lines_before)
                yield without_views(frame.to_arrow())
            lines_before += lines.count(b"\n")


def refuse_mixed_ids(
    read: Callable[[], bytes],  # the content, where there is a text column
    frame: NarwhalsFrame,
    names: Iterable[str],
    place: str,
    lines_before: int = 0,  # lines of the file before the content
) -> None:
    """Refuse numbers in a text column of JSON lines, which polars has converted to text."""
    import narwhals as nw

    texts = [name for name in names if name in frame.columns and frame[name].dtype == nw.String]
    content = read() if texts else b""
    for name in texts:
        # The name and the start of a number or of true or false. It may be part of a text or of a
        # nested object, so the line is parsed.
        pattern = re.escape(json.dumps(name).encode()) + rb"\s*:\s*[-\dtf]"
        for result in re.finditer(pattern, content):
            start = content.rfind(b"\n", 0, result.start()) + 1
            stop = content.find(b"\n", result.end())
            if stop < 0:  # the last line may lack its end
                stop = len(content)
            row = json.loads(content[start:stop])
            if isinstance(row.get(name), (int, float)):
                number = lines_before + content.count(b"\n", 0, start) + 1
                raise SourceTypeError.at(
                    place,
                    f"line {number}",
                    f"{name} is {describe(row[name])}, but other lines have text there; give all "
                    "in one type",
                )


def plain_batches(
    batches: Iterable[pa.RecordBatch],
    columns: Sequence[str],
    same_type: Sequence[str],
    origin: Origin,
) -> Iterator[Part]:
    """These columns of batches in plain types; those in `same_type` must have one type in all."""
    types: dict[str, object] = {}
    rows = 0
    for batch in batches:
        place = origin.row(rows)
        _refuse_absent(columns, batch.schema.names, place)
        columns_of_batch = {name: _decode_column(batch.column(name)) for name in columns}
        for name in same_type:
            kind = columns_of_batch[name].type
            first_type = types.setdefault(name, kind)
            if kind != first_type:
                raise ValueError(
                    f"{place}: column {describe(name)} is {kind}, but {first_type} in the rows "
                    "before; give it one type"
                )
        numbers = range(rows, rows + batch.num_rows)
        rows = numbers.stop
        yield Part(pyarrow().RecordBatch.from_pydict(columns_of_batch), numbers)


def _decode_column(column: pa.Array) -> pa.Array:
    """A column without Arrow's extensions, dictionaries, views and half precision."""
    column = plain_text(getattr(column, "storage", column))
    if pyarrow().types.is_dictionary(column.type):
        return column.dictionary_decode()
    if pyarrow().types.is_float16(column.type):
        return column.cast(pyarrow().float32())
    return column


def adjacent_parts(batches: Iterable[Any], by: list[str], min_rows: int) -> Iterator[Part]:
    """Cut a stream, in which the rows of a list are adjacent, between lists.

    A part has at least `min_rows` rows.
    """
    pending: list[object] = []  # the last list waits for a batch that may continue it
    first = 0  # the number of the first pending row
    rows = 0  # how many are pending
    last_size = 0  # how many of them are of the last list
    query = None  # of the last list
    for batch in batches:
        if not batch.num_rows:
            continue
        columns = [batch.column(column) for column in by]
        start = max(map(_start_of_last, columns))
        # The last list of the batch continues the pending one if it starts with the batch and has
        # its query.
        first_query = [column[0].as_py() for column in columns]
        if pending and not start and first_query == query:
            last_size += batch.num_rows
        else:
            last_size = batch.num_rows - start
        query = [column[-1].as_py() for column in columns]
        pending.append(batch)
        rows += batch.num_rows
        if last_size > LONGEST:
            raise ValueError(
                f"the list of {query} has more than {LONGEST} rows, the most there may be; do the "
                f"columns {by} name the list of a row?"
            )
        if rows >= min_rows and last_size < rows:
            table = one_table(pending)
            stop = rows - last_size
            # Set before the part is passed on, so that the batches are freed.
            pending = [table.slice(stop)]
            rows = last_size
            yield Part(table.slice(0, stop), range(first, first + stop))
            first += stop
    if pending:
        yield Part(one_table(pending), range(first, first + rows))


def _start_of_last(column: pa.Array) -> int:
    """The first row of the run of equal values at the end of a column.

    The run is searched from the end, in stretches that grow, since it is short as a rule.
    """
    from pyarrow import compute

    last_value = column[-1]
    size = 1 << 10
    while True:
        first = max(0, len(column) - size)
        differs = compute.not_equal(column.slice(first), last_value)
        if differs.null_count:
            differs = differs.fill_null(True)
        backwards = differs.to_numpy(zero_copy_only=False)[::-1]
        distance = int(backwards.argmax())
        if backwards[distance]:
            return len(column) - distance
        if not first:
            return 0
        size *= 8


def part_of_queries(
    batches: Iterator[Any], by: list[str], remainder: int, divisor: int
) -> Part | None:
    """The rows of the queries whose hash has this remainder; None if there are none."""
    from pyarrow import array

    selected = []
    rows = []
    first = 0  # the number of the first row of a batch
    for batch in batches:
        # The columns of a key are mixed as digits of a number to the base FIBONACCI, modulo 2**64.
        hashes = np.zeros(batch.num_rows, np.uint64)
        for name in by:
            hashes = hashes * FIBONACCI + _hash_column(batch.column(name))
        part = np.flatnonzero(hashes % np.uint64(divisor) == remainder)
        if part.size:
            selected.append(batch.take(array(part)))
            rows.append(first + part)
        first += batch.num_rows
    if not selected:
        return None
    return Part(one_table(selected), np.concatenate(rows))


def _hash_column(column: pa.Array) -> Any:
    """A 64-bit hash of each value: Fibonacci hashing of integers, that of the text for others."""
    from pyarrow import types

    # Low bits of a product depend on low bits of its factors alone, so the upper half is the hash.
    if types.is_integer(column.type) and not column.null_count:
        return (column.to_numpy().astype(np.uint64) * FIBONACCI) >> np.uint64(32)
    if find_spec("polars"):
        import polars

        return polars.Series(column).hash(0).to_numpy()
    codes = column.dictionary_encode("encode")
    return hash_ids(codes.dictionary.to_pylist())[codes.indices.to_numpy()]


def one_table(batches: list[pa.RecordBatch | pa.Table]) -> pa.Table:
    """One table of batches and tables."""
    import pyarrow

    tables = []
    for batch in batches:
        if isinstance(batch, pyarrow.Table):
            tables.append(batch)
        else:
            tables.append(pyarrow.Table.from_batches([batch]))
    return pyarrow.concat_tables(tables, promote_options="permissive")


def read_batches(
    files: Files, names: Sequence[str], same_type: Sequence[str], prefix: str = ""
) -> Iterator[object]:
    """The record batches of files, all text as it is, with progress; same_type: as above."""
    batches = file_batches(files, list(names), names)
    with closing(Progress(None, prefix)) as bar:
        for part in plain_batches(batches, names, same_type, files.origin):
            yield part.table
            bar.update(part.rows.stop)


class Progress:
    """Writes the number of rows and lists to standard error, if that is a terminal."""

    def __init__(self, enabled: bool | None, prefix: str = "") -> None:
        self._enabled = sys.stderr.isatty() if enabled is None else bool(enabled)
        self._prefix = prefix
        self._start = time.monotonic()
        self._last = 0.0  # the time of the last line
        self._width = 0  # of the text on the terminal

    def update(self, rows: int, lists: int | None = None) -> None:
        """Show the numbers so far."""
        time_now = time.monotonic()
        if not self._enabled or time_now - self._last < SECONDS_BETWEEN:
            return
        self._last = time_now
        counts = f"{rows:,} rows"
        if lists is not None:
            counts += f", {lists:,} lists"
        self._write(f"{self._prefix}{counts}, {time_now - self._start:.0f} s")

    def close(self) -> None:
        """Clear the line."""
        if self._width:
            self._write("")

    def _write(self, text: str) -> None:
        # Blanks cover what is left of a longer text.
        sys.stderr.write(f"\r{text:<{self._width}}")
        if not text:
            sys.stderr.write("\r")
        sys.stderr.flush()
        self._width = len(text)
