"""Two caches between calls: prepared measures by arguments, and plans by length of lists.

plan.py has the third, of weight tables.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .cache import Cache
from .family import Family
from .plan import row_of
from .settings import Settings
from .views import view_of


class Prepared:
    """The measures of a call with their settings, checked and completed."""

    __slots__ = ("plan", "request", "requested")

    requested: tuple[tuple[Family, Settings], ...]
    request: Any  # measures, names and settings of an evaluation; None for a measure function
    plan: Any  # of one measure whose arrays the core takes unchanged, or None

    def __init__(
        self, requested: Iterable[tuple[Family, Settings]], request: object = None
    ) -> None:
        self.requested, self.request = tuple(requested), request
        self.plan = None


CALLS: Cache[Any, Prepared] = Cache(512)
# Keys: the prepared call and the longest list, on which alone a steady plan depends.
PLANS: Cache[tuple[Prepared, int], list[tuple[Any, list[int]]]] = Cache(64)


def keep_plans(prepared: Prepared, longest: int, plans: list[tuple[Any, list[int]]]) -> None:
    """Cache plans if they serve all dense lists that are no longer than `longest`."""
    if all(is_steady(family, settings) for family, settings in prepared.requested):
        PLANS.keep((prepared, longest), plans, sum(plan.nbytes for plan, _ in plans))


def is_steady(family: Family, settings: Settings) -> bool:
    """Whether a measure has the same plan for all dense lists of one length, without checks."""
    row = row_of(family)
    return (
        view_of(settings).is_unchanged
        and (settings.labels, settings.largest_label) == ("any", None)
        and isinstance(settings.gain, str)
        and isinstance(settings.discount, str)
        and settings.ties not in ("id", "id_descending")
        and row.averages
        and not row.judged
        and row.shape != "bpref"
    )


def is_value_of_core(settings: Settings) -> bool:
    """Whether the core's value is the result, apart from the number for undefined lists."""
    return (
        not isinstance(settings.empty, str)
        and settings.ideal not in ("ones", "given")
        and settings.undefined != "zero_sum"
        and settings.round is None
        and settings.result_dtype == "float64"
    )


def is_plain(value: object) -> bool:
    """Whether a value and its type can be part of a key of CALLS."""
    return value is None or isinstance(value, (str, int, float, np.integer))
