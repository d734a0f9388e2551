"""What is promised of a workload, as data: a figure that is required and a stretch figure."""

from dataclasses import dataclass
from enum import Enum

from measuring import Times


class Unit(Enum):
    """How a figure is read from the best times of the sides."""

    FASTER = "times as fast"
    SHARE = "of its time"
    OF_THE_GAIN = "of the gain"
    MICROSECONDS = "microseconds"
    NANOSECONDS_A_LIST = "nanoseconds a list"
    MILLISECONDS = "milliseconds"
    MILLISECONDS_MORE = "milliseconds more"
    MEGABYTES = "megabytes"

    @property
    def more_is_better(self) -> bool:
        return self in (Unit.FASTER, Unit.OF_THE_GAIN)

    def show(self, figure: float) -> str:
        number = f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"
        short = {
            Unit.FASTER: "x faster",
            Unit.SHARE: "x",
            Unit.OF_THE_GAIN: " of the gain",
            Unit.MICROSECONDS: " µs",
            Unit.NANOSECONDS_A_LIST: " ns a list",
            Unit.MILLISECONDS: " ms",
            Unit.MILLISECONDS_MORE: " ms more",
            Unit.MEGABYTES: " MB",
        }
        return number + short[self]


@dataclass(frozen=True)
class Goal:
    """`ours` (the slowest of them) beside `against` (the fastest of them).

    For the absolute units `against` is only what the table names, and may be empty. A gain is the
    first of two sides beside the second: ours beside that of `against`.
    """

    unit: Unit
    required: float
    stretch: float
    against: tuple[str, ...] = ()
    ours: tuple[str, ...] = ("rankgain",)
    or_else: "Goal | None" = None
    path: str = ""
    """The only path that it is asked of, where it is not asked of all."""

    def measured(self, times: Times, lists: int) -> float | None:
        """The figure, or None where a side that it needs was not timed."""
        if any(name not in times for name in self.ours):
            return None
        if self.unit is Unit.OF_THE_GAIN:
            return self.share_of_gain(times)
        ours = max(times[name] for name in self.ours)
        if self.unit in SCALES:
            return ours * SCALES[self.unit] / (lists if self.unit is Unit.NANOSECONDS_A_LIST else 1)
        others = [times[name] for name in self.against if name in times]
        if not others:
            return None
        if self.unit is Unit.MILLISECONDS_MORE:
            return (ours - min(others)) * 1e3
        return min(others) / ours if self.unit is Unit.FASTER else ours / min(others)

    def share_of_gain(self, times: Times) -> float | None:
        if any(name not in times for name in self.against):
            return None
        gains = [times[first] / times[second] for first, second in (self.ours, self.against)]
        return gains[0] / gains[1]

    def met_by(self, figure: float) -> bool:
        return figure >= self.required if self.unit.more_is_better else figure <= self.required

    def stretched_by(self, figure: float) -> bool:
        return figure >= self.stretch if self.unit.more_is_better else figure <= self.stretch


SCALES = {
    Unit.MICROSECONDS: 1e6,
    Unit.NANOSECONDS_A_LIST: 1e9,
    Unit.MILLISECONDS: 1e3,
    Unit.MEGABYTES: 1.0,
}
"""Factors from what was measured (seconds; megabytes as they are) to the unit."""


def faster(required: float, stretch: float, *against: str, ours: str = "rankgain") -> Goal:
    return Goal(Unit.FASTER, required, stretch, against, (ours,))


def share(required: float, stretch: float, *against: str, ours: str = "rankgain") -> Goal:
    return Goal(Unit.SHARE, required, stretch, against, (ours,))
