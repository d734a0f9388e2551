"""Values and labels by query: in an array, a mapping, or a Series with an index of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .kinds import describe, is_missing, refuse_mixed, whole_text

if TYPE_CHECKING:
    from collections.abc import Sequence


def is_series(value: object) -> bool:
    """Whether a value is a pandas Series, or has an index like one."""
    return hasattr(value, "index") and hasattr(value, "items") and hasattr(value, "tolist")


def as_mapping(value: Any, name: str, queries: Sequence[object]) -> Any:
    """Turn a Series with an index of queries into a dict query -> value; return others unchanged.

    An index 0 .. n-1 is pandas' default and counts rows, unless the queries are these integers.
    """
    if not is_series(value):
        return value
    labels = value.index.tolist()
    if labels == list(range(len(labels))):
        if list(queries) == labels or not set(queries) <= set(labels):
            return value
        if type(value.index).__name__ == "RangeIndex":
            raise ValueError(
                f"{name} is a Series whose index 0, 1, ... may be places or the queries, which are "
                f"such integers in another order; give a dict query -> value, or {name}.to_numpy()"
            )
    known = dict(zip(labels, value.tolist(), strict=True))
    remedy = (
        f"give a dict query -> value, or {name}.to_numpy() if it is in the order of the queries"
    )
    texts = set(map(str, labels))
    for query in queries:
        if str(query) not in texts:
            raise ValueError(
                f"{name} is a Series whose index has no query {query!r}, but such as "
                f"{labels[0]!r}; {remedy}"
                if labels
                else f"{name} is an empty Series, but there is a query {query!r}"
            )
    if len(known) < len(labels):
        again = Counter(labels).most_common(1)[0][0]
        raise ValueError(f"{name} is a Series whose index has {again!r} twice; {remedy}")
    return known


def label_codes(labels: object, queries: Sequence[object]) -> tuple[list[str], Any]:
    """Names of the groups by first appearance, and the number of the group of each list."""
    values = _listed(labels, queries)
    for at, label in enumerate(values):
        if is_missing(label):
            raise ValueError(f"by: query {queries[at]!r} has no value ({label}); give it one")
    refuse_mixed(values, lambda at: f"by: the value of query {queries[at]!r}")
    names: dict[str, int] = {}
    texts = [str(whole_text(one)) for one in values]
    codes = [names.setdefault(one, len(names)) for one in texts]
    return list(names), np.array(codes, np.int64)


def _listed(labels: Any, queries: Sequence[object]) -> list[Any]:
    labels = as_mapping(labels, "by", queries)
    if isinstance(labels, Mapping):
        missing = [query for query in queries if query not in labels]
        if missing:
            raise ValueError(f"by has no value for query {missing[0]!r}")
        return [labels[query] for query in queries]
    if isinstance(labels, (set, frozenset)):
        raise TypeError("by is a set, which has no order; give a value for each query")
    if isinstance(labels, (str, bytes)):
        raise TypeError(f"by must hold a value for each query, not be the text {describe(labels)}")
    listed = labels.tolist() if hasattr(labels, "tolist") else None
    if listed is None:
        listed = labels.to_list() if hasattr(labels, "to_list") else list(labels)
    if not isinstance(listed, list) or len(listed) != len(queries):
        count = len(listed) if isinstance(listed, list) else "one"
        raise ValueError(f"by has {count} values, but there are {len(queries)} queries")
    return listed
