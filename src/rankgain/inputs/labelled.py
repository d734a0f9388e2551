"""A Series as a mapping of queries to values; its index holds the queries."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

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
