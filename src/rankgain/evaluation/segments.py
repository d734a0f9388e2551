"""Split an evaluation into groups of lists, by labels in an array, mapping or column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..inputs.kinds import describe, is_missing, refuse_mixed, whole_text
from ..inputs.labelled import as_mapping
from .sums.merging import lists_at

# With these values of `empty` the values of the lists show which lists are undefined.
NOT_COUNTED = ("skip", "nan")

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..inputs.types import Integers
    from .evaluation import Evaluation


def codes_of(labels: object, queries: Sequence[object]) -> tuple[list[str], Any]:
    """Names of the groups by first appearance, and the number of the group of each list."""
    values = _listed(labels, queries)
    for at, label in enumerate(values):
        if is_missing(label):
            raise ValueError(f"by: query {queries[at]!r} has no label ({label}); give it one")
    refuse_mixed(values, lambda at: f"by: the label of query {queries[at]!r}")
    names: dict[str, int] = {}
    texts = [str(whole_text(one)) for one in values]
    codes = [names.setdefault(one, len(names)) for one in texts]
    return list(names), np.array(codes, np.int64)


def _listed(labels: Any, queries: Sequence[object]) -> list[Any]:
    labels = as_mapping(labels, "by", queries)
    if isinstance(labels, Mapping):
        missing = [query for query in queries if query not in labels]
        if missing:
            raise ValueError(f"by has no label for query {missing[0]!r}")
        return [labels[query] for query in queries]
    if isinstance(labels, (set, frozenset)):
        raise TypeError("by is a set, which has no order; give a label for each query")
    if isinstance(labels, (str, bytes)):
        raise TypeError(f"by must hold a label for each query, not be the text {describe(labels)}")
    listed = labels.tolist() if hasattr(labels, "tolist") else None
    if listed is None:
        listed = labels.to_list() if hasattr(labels, "to_list") else list(labels)
    if not isinstance(listed, list) or len(listed) != len(queries):
        count = len(listed) if isinstance(listed, list) else "one"
        raise ValueError(f"by has {count} labels, but there are {len(queries)} queries")
    return listed


def segment(evaluation: Evaluation, at: Integers) -> Evaluation:
    """The evaluation of some lists, without bounds."""
    counts: dict[str, Any] = {"queries": len(at)}
    fates = evaluation.counts.get("undefined_as", {})
    lacking = {name: np.isnan(evaluation.per_query[name][at]).sum() for name in fates}
    undefined = {
        name: int(lists) for name, lists in lacking.items() if lists and fates[name] in NOT_COUNTED
    }
    if undefined:
        counts |= {
            "undefined": undefined,
            "undefined_as": {name: fates[name] for name in undefined},
        }
    return lists_at(evaluation, at, counts)
