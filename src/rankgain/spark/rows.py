"""Lists that stand in arrays, one in each row."""

from typing import Any

import numpy as np

from ..evaluation.arrays import evaluate_arrays
from ..evaluation.topk import evaluate_topk


def _flat(column: Any, name: str) -> tuple[Any, Any]:
    """All elements, and how many each row has."""
    if column.null_count:
        at = int(np.argmin(column.is_valid().to_numpy(zero_copy_only=False)))
        raise ValueError(f"column {name!r} is null in row {at} of a batch; an empty list is []")
    values = column.flatten()
    if values.null_count:
        raise ValueError(f"column {name!r} has arrays with null elements; leave these out")
    sizes = np.diff(column.offsets.to_numpy())
    return values, sizes.astype(np.int64)


def evaluate_scored(labels: Any, scores: Any, names: list[str], asked: dict[str, Any]) -> Any:
    """Arrays of labels and of scores."""
    y_true, sizes = _flat(labels, names[0])
    y_score, others = _flat(scores, names[1])
    differs = np.flatnonzero(sizes != others)
    if differs.size:
        at = int(differs[0])
        raise ValueError(
            f"row {at} of a batch has {sizes[at]} elements in {names[0]!r}, but {others[at]} in "
            f"{names[1]!r}; each document needs a label and a score"
        )
    flat = [one.to_numpy(zero_copy_only=False) for one in (y_true, y_score)]
    return evaluate_arrays(*flat, group=sizes, **asked)


def evaluate_recommended(
    recommended: Any, relevant: Any, names: list[str], asked: dict[str, Any]
) -> Any:
    """Arrays of ids: recommended ones, best first, and relevant ones."""
    import pyarrow as pa

    given, sizes = _flat(recommended, names[0])
    wanted, others = _flat(relevant, names[1])
    both = pa.concat_arrays([given, wanted.cast(given.type)])
    codes = both.dictionary_encode().indices.to_numpy().astype(np.int64)
    table = np.full((len(sizes), int(sizes.max(initial=1))), -1, np.int64)
    table[np.arange(table.shape[1]) < sizes[:, None]] = codes[: len(given)]
    cuts = np.cumsum(others)[:-1]
    lists = np.split(codes[len(given) :], cuts) if len(others) else []
    return evaluate_topk(table, [np.unique(one) for one in lists], **asked)
