"""In Spark's tasks: columns of record batches as arrays; errors name the query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...inputs.arrays import is_wide

if TYPE_CHECKING:
    import pyarrow as pa

    from ...inputs.types import Array, Bools


def ids_of(column: pa.Array, name: str) -> Any:
    """Ids as int64, or as text."""
    if column.null_count:
        raise ValueError(
            f"column {name!r} is null in {column.null_count} rows; every row needs an id: drop or "
            "fill such rows"
        )
    if str(column.type) in ("string", "large_string", "string_view"):
        return column.to_numpy(zero_copy_only=False).astype(object)
    return column.to_numpy(zero_copy_only=False).astype(np.int64)


def scores_of(column: pa.Array, name: str, ids: Array) -> Any:
    """Scores as float32 or float64."""
    scores = _numbers(column, name, ids)
    _refuse(np.isnan(scores), scores, name, ids, "a score must be a number that orders it")
    return scores


def labels_of(column: pa.Array, name: str, ids: Array) -> Any:
    """Labels as float64."""
    labels = _numbers(column, name, ids).astype(np.float64)
    _refuse(~np.isfinite(labels), labels, name, ids, "labels must be finite numbers")
    return labels


def _numbers(column: pa.Array, name: str, ids: Array) -> Any:
    if column.null_count:
        at = int(np.argmin(column.is_valid().to_numpy(zero_copy_only=False)))
        raise ValueError(
            f"column {name!r} is null in a row of query {ids.tolist()[at]!r}; drop such rows, or "
            "fill them"
        )
    values = column.to_numpy(zero_copy_only=False)
    _refuse(is_wide(values), values, name, ids, "a double does not hold it: scale it")
    return values if values.dtype == np.float32 else values.astype(np.float64)


def _refuse(bad: Bools, values: Array, name: str, ids: Array, why: str) -> None:
    if bad.any():
        at = int(bad.argmax())
        raise ValueError(
            f"column {name!r} is {values[at]} in a row of query {ids.tolist()[at]!r}; {why}"
        )


def refuse_twice(ids: Any, docs: Any, where: str) -> None:
    """Refuse a document twice in a list."""
    pairs = list(zip(ids.tolist(), docs.tolist(), strict=True))
    if len(set(pairs)) == len(pairs):
        return
    known: set[Any] = set()
    for pair in pairs:
        if pair in known:
            raise ValueError(
                f"{where}: query {pair[0]!r} has the document {pair[1]!r} twice; keep one of them"
            )
        known.add(pair)
