"""Streams of Arrow record batches from tables, data sets, files, iterables and functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .file_batches import file_batches
from .path import look_at

if TYPE_CHECKING:
    from types import ModuleType

    from ..types import HasStream


CAPSULES = ("__arrow_c_stream__", "__arrow_c_array__")


def pyarrow() -> Any:
    """The library, or an error that names the extra."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            'streams of record batches need pyarrow: pip install "rankgain[arrow]"'
        ) from None
    return pyarrow


def is_read_once(source: object) -> bool:
    """Whether a source can be read only once: an iterator, a reader, a scanner."""
    if isinstance(source, (str, os.PathLike)) or callable(source):
        return False
    from pyarrow import RecordBatchReader, dataset

    return isinstance(source, (Iterator, RecordBatchReader, dataset.Scanner))


def open_batches(source: Any, columns: list[str], texts: list[str]) -> Iterator[Any]:
    """The record batches of a source in their order; of files, only these columns are read.

    texts: the columns that are text in CSV and TSV files; the others are numbers.
    """
    arrow = pyarrow()
    if isinstance(source, (str, os.PathLike)):
        yield from file_batches(look_at(source), columns, texts)
    elif isinstance(source, Callable):  # type: ignore[arg-type]
        yield from open_batches(source(), columns, texts)
    elif hasattr(source, "to_batches"):  # tables, data sets and scanners of pyarrow
        scanned = hasattr(source, "scanner")  # a data set, which can read some columns only
        if scanned:
            refuse_missing(columns, source.schema.names)
        yield from source.to_batches(columns=columns) if scanned else source.to_batches()
    elif any(hasattr(source, one) for one in CAPSULES):
        yield from _of_capsule(source, arrow)
    elif isinstance(source, Iterable) and not isinstance(source, (bytes, dict)):
        for at, one in enumerate(source):
            if not any(hasattr(one, name) for name in CAPSULES):
                raise TypeError(
                    f"batches[{at}] must be an Arrow record batch or table (anything with "
                    f"__arrow_c_array__ or __arrow_c_stream__), not {type(one).__name__}"
                    + _hint(one)
                )
            yield from _of_capsule(one, arrow)
    else:
        raise TypeError(
            "batches must be an iterator of Arrow record batches, a table, a data set, a path of "
            f"Parquet or CSV, or a function that gives one of these, not {type(source).__name__}"
            + _hint(source)
        )


def refuse_missing(columns: list[str], names: list[str]) -> None:
    """Refuse a column that a data set lacks or has twice."""
    for one in columns:
        if names.count(one) != 1:
            what = "no column" if one not in names else "more than one column"
            raise ValueError(f"the data set has {what} {one!r}; there are {', '.join(names)}")


def _hint(source: object) -> str:
    """The remedy in an error: how to get the rows of a source."""
    if isinstance(source, (str, os.PathLike)):
        return "; of several files give pyarrow.dataset.dataset([...])"
    if type(source).__name__ == "DuckDBPyConnection":
        return "; give con.sql(...), or .to_arrow_reader() of a result"
    return "; give what its collect() returns" if hasattr(source, "collect") else ""


def _of_capsule(source: HasStream, arrow: ModuleType) -> Iterator[Any]:
    """The batches of an object with one of Arrow's C interfaces."""
    if isinstance(source, arrow.RecordBatch):
        yield source
    elif hasattr(source, "__arrow_c_stream__"):
        yield from arrow.RecordBatchReader.from_stream(source)
    else:
        yield arrow.record_batch(source)
