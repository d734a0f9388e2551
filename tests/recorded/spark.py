"""A stand-in for PySpark's data frames: rows in two partitions, in Python.

It has what the adapter calls, and nothing else; tests/integrations/spark runs Spark itself.
"""

import itertools
import math
import operator
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple
from zlib import crc32

from recorded.hosts import standing_in

ARROW = {
    "byte": "int8", "short": "int16", "integer": "int32", "long": "int64", "float": "float32",
    "double": "float64", "string": "string", "boolean": "bool", "binary": "binary",
}  # fmt: skip
NAMES = {"int": "integer", "bigint": "long"}


class Type:
    """The type of a column."""

    def __init__(self, name: str, element: str = "") -> None:
        self.name = name
        if element:
            self.elementType = Type(element)

    def typeName(self) -> str:
        return self.name


class Field(NamedTuple):
    name: str
    dataType: Type


class Schema:
    """Types of columns by name."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = list(fields)

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)


def type_of(words: str) -> Type:
    if words.startswith("array<"):
        inner = words.removeprefix("array<").removesuffix(">")
        return Type("array", NAMES.get(inner, inner))
    return Type(NAMES.get(words, words))


class Column:
    """A function of a row, with the name and the type of its result."""

    def __init__(self, value: Callable[[Any], Any], name: str, kind: Any = None) -> None:
        self.value, self.name, self.kind = value, name, kind
        self.source = name  # the column whose type it has

    def _with(self, function: Callable[..., Any], other: Any, kind: str = "boolean") -> "Column":
        right = other if isinstance(other, Column) else lit(other)

        def value(row: Any) -> Any:
            a, b = self.value(row), right.value(row)
            return None if a is None or b is None else function(a, b)

        return Column(value, self.name, Type(kind))

    def __eq__(self, other: object) -> Any:
        return self._with(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self._with(operator.ne, other)

    def __gt__(self, other: object) -> Any:
        return self._with(operator.gt, other)

    __hash__ = None  # type: ignore[assignment]

    def eqNullSafe(self, other: Any) -> "Column":
        return Column(lambda row: self.value(row) == other, self.name, Type("boolean"))

    def __invert__(self) -> "Column":
        return Column(lambda row: not self.value(row), self.name, Type("boolean"))

    def alias(self, name: str) -> "Column":
        result = Column(self.value, name, self.kind)
        result.source = self.source
        return result

    def cast(self, kind: Any) -> "Column":
        kind = kind if isinstance(kind, Type) else type_of(kind)
        convert: Any = {"double": float, "float": single, "string": str, "integer": int}
        function = convert.get(kind.name, lambda value: value)

        def value(row: Any) -> Any:
            result = self.value(row)
            return None if result is None else function(result)

        return Column(value, self.name, kind)

    def otherwise(self, other: "Column") -> "Column":
        condition, then = self.value(None)
        choose = lambda row: (then if condition.value(row) else other).value(row)  # noqa: E731
        return Column(choose, other.name, other.kind)


def single(value: float) -> float:
    import numpy as np

    return float(np.float32(value))


def lit(value: Any) -> Column:
    kinds = {bool: "boolean", int: "integer", float: "double", str: "string"}
    return Column(lambda _: value, str(value), Type(kinds.get(type(value), "void")))


def col(name: str) -> Column:
    plain = name[1:-1].replace("``", "`") if name.startswith("`") else name
    return Column(lambda row: row[plain], plain)


def aggregate(function: Any) -> Any:
    return lambda column: (function, column)


def floor(value: float | None) -> int | None:
    return None if value is None else math.floor(value)


def refused(words: Column) -> Column:
    def value(row: Any) -> Any:
        raise ValueError(words.value(row))

    return Column(value, "error", Type("void"))


class Row(tuple[Any, ...]):
    """Values by place and by name."""

    names: list[str]

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)


class Frame:
    """A data frame."""

    def __init__(self, schema: Schema, partitions: Sequence[Sequence[Sequence[Any]]]) -> None:
        self.schema = schema
        self.columns = [field.name for field in schema.fields]
        self.parts = [list(map(tuple, part)) for part in partitions]
        self.sparkSession = SimpleNamespace(range=lambda n: made({"id": ("long", list(range(n)))}))

    def _rows(self, part: Any) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in part)

    def select(self, *wanted: Any) -> "Frame":
        columns: list[Column] = []
        for one in wanted:
            names = self.columns if one == "*" else [one]
            columns += (
                [col(f"`{name}`") if isinstance(name, str) else name for name in names]
                if isinstance(one, str)
                else [one]
            )
        fields = [Field(c.name, c.kind or self.schema[c.source].dataType) for c in columns]
        parts = [[[c.value(row) for c in columns] for row in self._rows(p)] for p in self.parts]
        return Frame(Schema(fields), parts)

    def where(self, condition: Column) -> "Frame":
        parts = []
        for part in self.parts:
            keep = [condition.value(row) for row in self._rows(part)]
            parts.append(list(itertools.compress(part, keep)))
        return Frame(self.schema, parts)

    def withColumn(self, name: str, column: Column) -> "Frame":
        return self.select(*[column.alias(c) if c == name else c for c in self.columns])

    def toDF(self, *names: str) -> "Frame":
        fields = [Field(n, f.dataType) for n, f in zip(names, self.schema.fields, strict=True)]
        return Frame(Schema(fields), self.parts)

    def union(self, other: "Frame") -> "Frame":
        assert len(self.columns) == len(other.columns)
        return Frame(self.schema, [*self.parts, *other.parts])

    def all_rows(self) -> list[Any]:
        return [row for part in self.parts for row in part]

    def distinct(self) -> "Frame":
        return Frame(self.schema, [list(dict.fromkeys(self.all_rows()))])

    def limit(self, n: int) -> "Frame":
        return Frame(self.schema, [self.all_rows()[:n]])

    def count(self) -> int:
        return len(self.all_rows())

    def collect(self) -> list[Row]:
        rows = []
        for values in self.all_rows():
            row = Row(values)
            row.names = self.columns
            rows.append(row)
        return rows

    def agg(self, *wanted: Any) -> Any:
        results = []
        for function, column in wanted:
            values = [column.value(row) for part in self.parts for row in self._rows(part)]
            known = [value for value in values if value is not None]
            results.append(function(known) if known else None)
        return SimpleNamespace(first=lambda: tuple(results))

    def join(self, other: "Frame", keys: list[str]) -> "Frame":
        fields = [f for f in other.schema.fields if f.name not in keys]
        left = [name for name in self.columns if name not in keys]
        names = [*keys, *left, *(field.name for field in fields)]
        rows = []
        for a in self._rows(self.all_rows()):
            for b in other._rows(other.all_rows()):
                if all(a[key] == b[key] for key in keys):
                    rows.append([(b | a)[name] for name in names])
        kinds = {f.name: f for f in [*fields, *self.schema.fields]}
        return Frame(Schema([kinds[name] for name in names]), [rows])

    def groupBy(self, *keys: str) -> Any:
        counts: dict[Any, int] = {}
        for row in self._rows(self.all_rows()):
            key = tuple(row[name] for name in keys)
            counts[key] = counts.get(key, 0) + 1
        fields = [*(self.schema[name] for name in keys), Field("count", Type("long"))]
        rows = [[*key, count] for key, count in counts.items()]
        return SimpleNamespace(count=lambda: Frame(Schema(fields), [rows]))

    def repartition(self, *by: Any) -> "Frame":
        column = col(by[-1]) if isinstance(by[-1], str) else by[-1]
        parts: list[list[Any]] = [[], [], []]
        for part in self.parts:
            for values, row in zip(part, self._rows(part), strict=True):
                parts[crc32(repr(column.value(row)).encode()) % 3].append(values)
        return Frame(self.schema, parts)

    def sortWithinPartitions(self, column: Column) -> "Frame":
        place = self.columns.index(column.name)
        return Frame(self.schema, [sorted(p, key=lambda row: row[place]) for p in self.parts])

    def mapInArrow(self, function: Any, schema: Any) -> "Frame":
        import pyarrow as pa

        if isinstance(schema, str):
            words = [part.split() for part in schema.split(", ")]
            schema = Schema([Field(name, type_of(kind)) for name, kind in words])
        names = [field.name for field in schema.fields]
        kinds = [arrow_type(field.dataType) for field in self.schema.fields]
        parts = []
        for part in self.parts:
            columns = list(zip(*part, strict=True)) or [[] for _ in self.columns]
            arrays = [pa.array(list(c), k) for c, k in zip(columns, kinds, strict=True)]
            table = pa.table(arrays, self.columns)
            rows: list[Any] = []
            for batch in function(iter(table.to_batches(max_chunksize=3))):
                rows += zip(*(batch.column(name).to_pylist() for name in names), strict=True)
            parts.append(rows)
        return Frame(schema, parts)


def arrow_type(kind: Type) -> Any:
    import pyarrow as pa

    if kind.name == "array":
        return pa.list_(arrow_type(kind.elementType))
    return pa.type_for_alias(ARROW[kind.name])


def made(columns: dict[str, tuple[str, Sequence[Any]]]) -> Frame:
    """A frame of columns with their types, in two partitions."""
    fields = [Field(name, type_of(kind)) for name, (kind, _) in columns.items()]
    rows = list(zip(*(values for _, values in columns.values()), strict=True))
    return Frame(Schema(fields), [rows[::2], rows[1::2]])


@contextmanager
def session() -> Iterator[None]:
    """PySpark in the place of the real one, in this block."""
    with standing_in() as hosts:
        values: dict[str, Any] = {
            "col": col, "lit": lit, "raise_error": refused, "broadcast": lambda frame: frame,
            "min": aggregate(min), "max": aggregate(max),
            "floor": lambda c: Column(lambda row: floor(c.value(row)), c.name),
            "abs": lambda c: Column(lambda row: abs(c.value(row)), c.name),
            "when": lambda condition, then: Column(lambda _: (condition, then), "when"),
        }  # fmt: skip
        hosts["pyspark.sql.functions"].__dict__.update(values)
        types = {"StructType": Schema, "StructField": Field, "DoubleType": lambda: Type("double")}
        hosts["pyspark.sql.types"].__dict__.update(types)
        hosts["pyspark"].cloudpickle = SimpleNamespace(dumps=pickle.dumps)  # type: ignore[attr-defined]
        hosts["pyspark.sql"].functions = hosts["pyspark.sql.functions"]  # type: ignore[attr-defined]
        yield


__all__ = ["Frame", "ModuleType", "made", "session"]
