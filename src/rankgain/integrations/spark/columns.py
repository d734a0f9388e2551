"""Before Spark's tasks: check the columns of a DataFrame and their types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from pyspark.sql import DataFrame


IDS = {"byte": "int8", "short": "int16", "integer": "int32", "long": "int64", "string": "string"}
NUMBERS = ("byte", "short", "integer", "long", "float", "double", "boolean")


def selected(frame: DataFrame, functions: ModuleType, *named: tuple[str, str, str]) -> Any:
    """Select columns in this order. named: argument, column and kind (id, number or list)."""
    types = {field.name: field.dataType.typeName() for field in frame.schema.fields}
    for argument, column, kind in named:
        if not isinstance(column, str):
            raise TypeError(f"{argument} must be the name of a column, not {column!r}")
        if column not in types:
            some = ", ".join(map(repr, list(types)[:8]))
            more = f" and {len(types) - 8} more" if len(types) > 8 else ""
            raise ValueError(f"{argument}: there is no column {column!r}; there are {some}{more}")
        _check_type(argument, column, kind, types[column])
    return frame.select(*[column_of(functions, column) for _, column, _ in named])


def _check_type(argument: str, column: str, kind: str, result: str) -> None:
    if kind == "id" and result not in IDS:
        raise TypeError(
            f"{argument}: the column {column!r} is of type {result}; ids must be integers or text: "
            'cast it to "string"'
        )
    if kind == "number" and result not in NUMBERS:
        raise TypeError(
            f"{argument}: the column {column!r} is of type {result}, and numbers are needed: cast "
            'it to "double"'
        )
    if kind == "list" and result != "array":
        raise TypeError(f"{argument}: the column {column!r} is of type {result}, not an array")


def column_of(functions: ModuleType, name: str) -> Any:
    """A column by name, with quotes for special characters."""
    return functions.col("`" + name.replace("`", "``") + "`")


def same_ids(frame: DataFrame, functions: ModuleType, named: list[tuple[str, str, str]]) -> Any:
    """Cast arrays of ids to one type: text, or integers of 64 bits if they differ."""
    selected(frame, functions, *named)
    kinds = [frame.schema[column].dataType.elementType.typeName() for _, column, _ in named]
    for (argument, column, _), kind in zip(named, kinds, strict=True):
        if kind not in IDS:
            raise TypeError(
                f"{argument}: the column {column!r} has arrays of {kind}; ids must be integers or "
                "text: cast them"
            )
    if (kinds[0] == "string") is not (kinds[1] == "string"):
        raise TypeError(
            f"{named[0][1]!r} has ids of type {kinds[0]}, {named[1][1]!r} of type {kinds[1]}; ids "
            "of two types are never equal: cast one of them"
        )
    if kinds[0] != kinds[1]:
        for _, column, _ in named:
            wide = column_of(functions, column).cast("array<bigint>")
            frame = frame.withColumn(column, wide)
    return frame


def id_type(frame: DataFrame, column: str) -> str:
    """The Arrow type of an id column."""
    return IDS[frame.schema[column].dataType.typeName()]


def result_schema(frame: DataFrame, column: str | None, names: Sequence[str]) -> Any:
    """Schema of the result: the id of the query, and a double for each measure."""
    from pyspark.sql.types import DoubleType, StructField, StructType

    ids = [] if column is None else [StructField(column, frame.schema[column].dataType)]
    return StructType([*ids, *[StructField(name, DoubleType()) for name in names]])
