"""Record batches of a long file, of some of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

from .arrow import without_views
from .path import PARQUET, TEXT, File, read_frame, refuse_mixed
from .record_batches import parquet_batches

if TYPE_CHECKING:
    import pyarrow as pa


BLOCK = 1 << 25  # bytes of text that are read at a time


def names_of(file: File) -> list[str]:
    """The columns of a file; of JSON lines, those of its first rows."""
    if file.suffix in PARQUET:
        from pyarrow import parquet

        return list(parquet.read_schema(file.path).names)
    if file.suffix in TEXT:
        with file.opened() as source, _reader(file, source, None) as reader:
            return list(reader.schema.names)
    return list(next(_frames(file, [])).column_names)


def open_batches(file: File, names: list[str]) -> Iterator[Any]:
    """The rows in their order; no column is a dictionary."""
    if file.suffix in PARQUET:
        result = parquet_batches(file.path, names)
    else:
        result = _of_text(file, names) if file.suffix in TEXT else _of_lines(file, names)
    for batch in result:
        yield _decoded(batch)


def _decoded(batch: pa.RecordBatch) -> Any:
    import pyarrow

    columns = [
        one.dictionary_decode() if pyarrow.types.is_dictionary(one.type) else one
        for one in batch.columns
    ]
    return pyarrow.RecordBatch.from_arrays(columns, batch.schema.names)


def _of_text(file: File, names: list[str]) -> Iterator[Any]:
    with file.opened() as source, _reader(file, source, names) as reader:
        yield from reader


def _reader(file: File, source: IO[bytes], names: list[str] | None) -> Any:
    """Nothing is guessed: all columns are text, and only what is empty is missing."""
    import pyarrow
    from pyarrow import csv

    texts = dict.fromkeys(names or (), pyarrow.string())
    return csv.open_csv(
        source,
        csv.ReadOptions(block_size=BLOCK),
        csv.ParseOptions(delimiter=TEXT[file.suffix], newlines_in_values=True),
        csv.ConvertOptions(
            column_types=texts,
            include_columns=names,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _of_lines(file: File, names: list[str]) -> Iterator[Any]:
    """Of JSON lines; what no row of a block has is missing in all of them."""
    import pyarrow

    for frame in _frames(file, names):
        columns = {
            one: frame[one] if one in frame.column_names else pyarrow.nulls(len(frame))
            for one in names
        }
        yield from pyarrow.table(columns).combine_chunks().to_batches()


def _frames(file: File, names: list[str]) -> Iterator[Any]:
    """Blocks of whole lines, each read as a whole file is, as tables of pyarrow."""
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
    frame = read_frame(BytesIO(content), file.suffix)
    nul = next((one for one in frame.columns if "\0" in one), None)
    if nul is not None:  # the C of Arrow cannot name it
        raise ValueError(f"{file.name}: the column {nul!r} has a NUL in its name; rename it")
    refuse_mixed(lambda: content, frame, names, file.name, before)
    return without_views(frame.to_arrow())
