"""The oracle's lists of chunks and of searches: what a list of documents is, in plain Python."""

from collections.abc import Callable, Iterable, Sequence


def join_searches(searches: Sequence[Sequence[str]], order: str | None) -> list[str]:
    """One list of several: one after the other, or position by position."""
    if order != "round_robin":
        return [one for found in searches for one in found]
    longest = max(map(len, searches), default=0)
    return [found[i] for i in range(longest) for found in searches if i < len(found)]


def documents_of(
    ranked: Iterable[str],
    document_of: Callable[[str], str],
    in_place: bool,
    excluded: Iterable[str] = (),
) -> list[str | None]:
    """The documents in rank order; None: a rank at which a document comes again."""
    result: list[str | None] = []
    left_out = set(excluded)
    seen: set[str] = set()
    for document in map(document_of, ranked):
        if document in left_out:
            continue
        if document not in seen:
            result.append(document)
        elif in_place:
            result.append(None)
        seen.add(document)
    return result
