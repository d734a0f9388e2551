"""Some columns of a file as record batches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from io import BytesIO
from typing import IO, Any

from ..files import PARQUET
from .frames import without_views
from .path import LINES, TEXT, File, read_frame, refuse_mixed

BLOCK = 1 << 24  # bytes of text that are read at a time
HEAD = 1 << 20  # bytes of text that are read for the names of columns
ROWS = 1 << 18  # of Parquet that are read at a time


def names_of(file: File) -> list[str]:
    """The columns of a file; for JSON lines, the columns of the first rows."""
    if file.suffix in PARQUET:
        from pyarrow import parquet

        return list(parquet.read_schema(file.path).names)
    if file.suffix in TEXT:
        with file.opened() as source, _reader(file, source, None, {}, HEAD) as reader:
            return list(reader.schema.names)
    return list(next(_frames(file, [])).column_names)


def file_batches(
    file: File, names: list[str], texts: Collection[str] | None = None
) -> Iterator[Any]:
    """The rows of a file in their order, without dictionary columns.

    In a text file the columns `texts` (None: all) are text and the others are numbers. If a column
    is missing or occurs twice, all columns are read, so that the reader's error can name them.
    """
    import pyarrow

    with file.reading():
        if file.suffix in LINES:
            result = _of_lines(file, names)
        else:
            known = names_of(file)
            columns = names if all(known.count(one) == 1 for one in names) else None
            of_text = names if texts is None else texts
            is_parquet = file.suffix in PARQUET
            result = _of_parquet(file, columns) if is_parquet else _of_text(file, columns, of_text)
        for batch in result:
            columns = [
                one.dictionary_decode() if pyarrow.types.is_dictionary(one.type) else one
                for one in batch.columns
            ]
            yield pyarrow.RecordBatch.from_arrays(columns, batch.schema.names)


def _of_parquet(file: File, columns: list[str] | None) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(file.path, pre_buffer=False) as opened:
        yield from opened.iter_batches(ROWS, columns=columns)


def _of_text(file: File, columns: list[str] | None, texts: Collection[str]) -> Iterator[Any]:
    """Text without guesses: 001 is not 1, NA is an id, and only an empty field is missing."""
    import pyarrow

    types = {one: pyarrow.string() if one in texts else pyarrow.float64() for one in columns or ()}
    with file.opened() as source, _reader(file, source, columns, types, BLOCK) as reader:
        yield from reader


def _reader(
    file: File, source: IO[bytes], columns: list[str] | None, types: dict[str, Any], block: int
) -> Any:
    """pyarrow's reader of CSV, block by block."""
    from pyarrow import csv

    return csv.open_csv(
        source,
        csv.ReadOptions(block_size=block),
        csv.ParseOptions(delimiter=TEXT[file.suffix], newlines_in_values=True),
        csv.ConvertOptions(
            column_types=types,
            include_columns=columns,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _of_lines(file: File, names: list[str]) -> Iterator[Any]:
    """JSON lines; a column that no row of a block has is null in the block."""
    import pyarrow

    for frame in _frames(file, names):
        columns = {
            one: frame[one] if one in frame.column_names else pyarrow.nulls(len(frame))
            for one in names
        }
        yield from pyarrow.table(columns).combine_chunks().to_batches()


def _frames(file: File, names: list[str]) -> Iterator[Any]:
    """Blocks of complete lines as pyarrow tables, each read as a file of its own."""
    with file.opened() as source:
        rest, before = b"", 0
        while block := source.read(BLOCK):
            cut = block.rfind(b"\n") + 1
            data, rest = (rest + block[:cut], block[cut:]) if cut else (b"", rest + block)
            if data.strip():
                yield _table(data, file, names, before)
            before += data.count(b"\n")
        if rest.strip():
            yield _table(rest, file, names, before)


def _table(content: bytes, file: File, names: list[str], before: int) -> Any:
    """A block as a table; before: the number of lines before it."""
    frame = read_frame(BytesIO(content), file.suffix)
    nul = next((one for one in frame.columns if "\0" in one), None)
    if nul is not None:  # Arrow's C interface ends names at a NUL
        raise ValueError(f"{file.name}: the column {nul!r} has a NUL in its name; rename it")
    refuse_mixed(lambda: content, frame, names, file.name, before)
    return without_views(frame.to_arrow())
