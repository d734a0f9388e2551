"""What a Series says of queries: its index is the queries, where it does not only count."""

from collections import Counter
from typing import Any


def is_series(value: Any) -> bool:
    """A Series of pandas, or what has an index as it does."""
    return hasattr(value, "index") and hasattr(value, "items") and hasattr(value, "tolist")


def as_mapping(value: Any, name: str, queries: Any) -> Any:
    """A Series with labels as a dict query -> value; everything else as it is.

    Labels 0 .. n-1 are places, as pandas numbers rows, but for those that are queries themselves.
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
    remedy = f"give a dict query -> value, or {name}.to_numpy() if its rows stand as the queries do"
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
