"""What ids can be: known, and all of one type, as ids of two types are never equal."""

from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Number
from typing import Any

import numpy as np

SHOWN = 60  # characters of a value in a message


def kind_of(one: Any) -> str:
    """What ids can only be equal to: texts to texts, integers to integers."""
    if isinstance(one, str):
        return "str"
    if isinstance(one, Integral) and not isinstance(one, (bool, np.bool_)):
        return "int"
    return type(one).__name__


def is_missing(one: Any) -> bool:
    """Whether it stands for no value: None, NaN, or what pandas has for them."""
    if one is None or type(one).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(one, (float, np.floating)) and bool(one != one)


def whole_text(one: Any) -> Any:
    """A text or bytes of NumPy as Python's, with the NULs at its end, which NumPy cuts off."""
    if isinstance(one, str):
        return str.__str__(one)
    return bytes(one) if isinstance(one, bytes) else one


def describe(one: Any) -> str:
    """A value in a message, however much it holds."""
    text = repr(one)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def refuse_twins(ids: Iterable[Any], what: str) -> None:
    """Refuse an integer beside its own text, where ids become text and the two would be one."""
    if len(set(map(type, ids))) < 2:
        return
    texts = {one for one in ids if isinstance(one, str)}
    for one in ids:
        if not isinstance(one, str) and str(one) in texts:
            raise ValueError(
                f"{what} {one!r} and {str(one)!r} would become one id; give all in one type"
            )


def refuse_mixed(ids: Sequence[Any], where: Callable[[int], str]) -> None:
    """Refuse ids of which one is missing, or that are of two types, before these become text."""
    types = set(map(type, ids))
    if len(types) == 1 and types <= {int, str, np.str_, bytes}:
        return
    first: tuple[str, str] | None = None
    for at, one in enumerate(ids):
        if is_missing(one):
            word = "None" if one is None else "NaN"
            raise ValueError(f"{where(at)} is {word}; every id must be known")
        kind = "number" if isinstance(one, (Number, np.bool_)) else kind_of(one)
        if first is None:
            first = kind, describe(one)
        elif kind != first[0]:
            raise TypeError(
                f"{where(at)} is {describe(one)} ({kind_of(one)}), but {where(0)} is {first[1]}; "
                "ids of two types are never equal: give all in one"
            )
