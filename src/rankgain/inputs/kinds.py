"""Checks of ids: none is missing, and all are of one type."""

from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Number
from typing import Any

import numpy as np

LONGEST_TEXT = 60  # characters of a value in an error
# The kinds of ids that qrels and runs have; as text they are ids of files.
WITH_TEXT = ("str", "int", "UUID", "date", "datetime")


def find_kind(one: object) -> str:
    """The kind of an id; ids of different kinds are never equal."""
    if isinstance(one, str):
        return "str"
    if isinstance(one, Integral) and not isinstance(one, (bool, np.bool_)):
        return "int"
    return type(one).__name__


def is_missing(one: object) -> bool:
    """Whether a value is None, NaN, or one of pandas' missing values."""
    if one is None or type(one).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(one, (float, np.floating)) and bool(one != one)


def whole_text(one: object) -> Any:
    """NumPy's text or bytes as str or bytes, which keep NULs at the end."""
    if isinstance(one, str):
        return str.__str__(one)
    return bytes(one) if isinstance(one, bytes) else one


def describe(one: object) -> str:
    """The text of a value in an error, cut to LONGEST_TEXT."""
    text = repr(one)
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 3] + "..."


def refuse_twins(ids: Iterable[object], what: str) -> None:
    """Refuse an integer beside the same digits as text: as text, the two would be one id."""
    if len(set(map(type, ids))) < 2:
        return
    texts = {one for one in ids if isinstance(one, str)}
    for one in ids:
        if not isinstance(one, str) and str(one) in texts:
            raise ValueError(
                f"{what} {one!r} and {str(one)!r} would become one id; give all in one type"
            )


def refuse_mixed(ids: Sequence[object], where: Callable[[int], str]) -> None:
    """Refuse a missing id, and ids of two types, before NumPy converts all to text."""
    types = set(map(type, ids))
    if len(types) == 1 and types <= {int, str, np.str_, bytes}:
        return
    first: tuple[str, str] | None = None
    for at, one in enumerate(ids):
        if is_missing(one):
            word = "None" if one is None else "NaN"
            raise ValueError(f"{where(at)} is {word}; every id must be known")
        kind = "number" if isinstance(one, (Number, np.bool_)) else find_kind(one)
        if first is None:
            first = kind, describe(one)
        elif kind != first[0]:
            raise TypeError(
                f"{where(at)} is {describe(one)} ({find_kind(one)}), but {where(0)} is {first[1]}; "
                "ids of two types are never equal: give all in one"
            )
