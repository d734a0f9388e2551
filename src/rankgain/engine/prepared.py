"""What measures and arguments came to, and the plans made of it, for calls made again.

Here, and with the tables of weights in plan.py, is all that is kept between calls.
"""

from typing import Any

import numpy as np

from .cache import Kept
from .family import Family
from .plan import row_of
from .settings import Settings
from .views import view_of


class Prepared:
    """The measures of a call with their settings, checked and completed."""

    __slots__ = ("names", "plan", "requested")

    requested: tuple[tuple[Family, Settings], ...]
    names: Any  # what the measures are called in the result, or None
    plan: Any  # of one measure: for plain arrays, which then go straight to the core

    def __init__(self, requested: Any, names: Any = None) -> None:
        self.requested, self.names = tuple(requested), names
        self.plan = None


CALLS: Kept[Any, Prepared] = Kept(512)
# Of a prepared call and the longest list, where no more of dense lists matters.
PLANS: Kept[tuple[Prepared, int], list[tuple[Any, list[int]]]] = Kept(64)


def keep_plans(prepared: Prepared, longest: int, plans: list[tuple[Any, list[int]]]) -> None:
    """Keep plans, where they are the same for all dense lists as long as these."""
    if all(is_steady(family, settings) for family, settings in prepared.requested):
        PLANS.keep((prepared, longest), plans, sum(plan.nbytes for plan, _ in plans))


def is_steady(family: Family, settings: Settings) -> bool:
    """Whether a measure has the same plan for all dense lists of one length, and refuses none."""
    row = row_of(family)
    return (
        view_of(settings).plain
        and (settings.labels, settings.largest_label) == ("any", None)
        and isinstance(settings.gain, str)
        and isinstance(settings.discount, str)
        and settings.ties not in ("id", "id_descending")
        and row.averages
        and not row.judged
        and row.shape != "bpref"
    )


def is_value_of_core(settings: Settings) -> bool:
    """Whether the core's value is the result, but for one number where it is undefined."""
    return (
        not isinstance(settings.empty, str)
        and settings.ideal not in ("ones", "given")
        and settings.undefined != "zero_sum"
        and settings.round is None
        and settings.result_dtype == "float64"
    )


def is_plain(value: Any) -> bool:
    """Whether a value, beside its type, can tell one call from another."""
    return value is None or isinstance(value, (str, int, float, np.integer))
