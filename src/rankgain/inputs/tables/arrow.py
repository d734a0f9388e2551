"""Text of Arrow that few functions of pyarrow take, as text that all of them take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def without_views(table: pa.Table | pa.RecordBatch) -> Any:
    """The same table or batch with its columns of text views, which polars has, as large text."""
    import pyarrow

    types = pyarrow.types
    columns, changed = [], False
    for column in table.columns:
        kind = column.type
        if types.is_string_view(kind):
            column = column.cast(pyarrow.large_string())
        elif types.is_dictionary(kind) and types.is_string_view(kind.value_type):
            column = pyarrow.chunked_array(
                [_of_dictionary(one) for one in getattr(column, "chunks", [column])],
                pyarrow.large_string(),
            )
        changed |= column.type != kind
        columns.append(column)
    return pyarrow.Table.from_arrays(columns, table.schema.names) if changed else table


def _of_dictionary(column: pa.ChunkedArray) -> Any:
    """Its text; a dictionary of views cannot be decoded as it is."""
    import pyarrow

    words = column.dictionary.cast(pyarrow.large_string())
    return pyarrow.DictionaryArray.from_arrays(column.indices, words).dictionary_decode()
