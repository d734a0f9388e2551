"""The options that the `evaluate...` functions share; `engine.arguments` has their help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex, TypedDict

from ..convention import UNSET
from ..convention.options import SETTINGS

if TYPE_CHECKING:
    from ..measures.types import Discount, Divisor, Empty, Gain, Ties


class RankedOptions(TypedDict, total=False):
    """Options for rankings without ties."""

    gain: Gain
    discount: Discount
    log_base: float
    rel: float
    divisor: Divisor
    beta: float
    p: float
    max_label: float
    empty: Empty


class TieOptions(RankedOptions, total=False):
    """Options for scores, which may tie."""

    ties: Ties


class SeededOptions(TieOptions, total=False):
    """All options that change the values of measures."""

    seed: SupportsIndex


def settings_from(options: Mapping[str, Any], kind: type[Any], function: str) -> dict[str, Any]:
    """The settings of a call, UNSET where they are left out; an unknown keyword is a TypeError."""
    known = kind.__annotations__
    for name in options:
        if name not in known:
            k = options[name] if type(options[name]) is int else 10
            hint = f'; a measure has its cutoff in its name: "nDCG@{k}"' if name == "k" else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")
    return {name: options.get(name, UNSET) for name in SETTINGS if name in known}
