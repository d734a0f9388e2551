"""Several sides in one process: values compared first, then turns; the best round counts."""

import gc
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64] | np.float64
Times = dict[str, float]

SHORTEST = 0.002
"""Seconds that one measurement lasts at least: shorter calls are repeated inside it."""


@dataclass(frozen=True)
class Side:
    """A call to time, and how its result becomes comparable: per list, or means over the lists."""

    call: Callable[[], Any]
    values: Callable[[Any], Values] | None = None
    tolerance: float = 1e-9
    same_bits_as: str | None = None


Sides = Mapping[str, Side | None]


@dataclass
class Outcome:
    """Best seconds per call of each side, and why a side has none."""

    seconds: Times = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


class Clock(Enum):
    """Time on the wall; or time of this process on a processor, where others share the machine."""

    WALL = "perf_counter"
    PROCESSOR = "process_time"

    def now(self) -> float:
        return float(getattr(time, self.value)())


@dataclass(frozen=True)
class Effort:
    """How long to look for the best round, and on which clock."""

    rounds: int
    budget: float
    clock: Clock = Clock.WALL

    def rounds_for(self, seconds: float) -> int:
        return max(1, min(self.rounds, int(self.budget / max(seconds, SHORTEST))))


FULL = Effort(rounds=40, budget=6.0)
QUICK = Effort(rounds=20, budget=1.5)
ONCE = Effort(rounds=1, budget=0.0)


def measure(sides: Sides, effort: Effort) -> Outcome:
    outcome = Outcome()
    ready: dict[str, Side] = {}
    results: dict[str, Values] = {}
    first: Times = {}
    for name, side in sides.items():
        if side is None:
            outcome.missing[name] = "not installed"
            continue
        try:
            start = effort.clock.now()
            result = side.call()
            first[name] = effort.clock.now() - start
            if side.values is not None:
                results[name] = side.values(result)
        except (
            Exception
        ) as error:  # a peer may fail in any way; the row says so and the others go on
            outcome.missing[name] = f"failed: {type(error).__name__}: {error}"
            continue
        ready[name] = side
    for name, reason in disagreements(ready, results).items():
        outcome.missing[name] = reason
        del ready[name]
    outcome.seconds = take_turns(ready, first, effort)
    return outcome


def disagreements(sides: Mapping[str, Side], results: Mapping[str, Values]) -> dict[str, str]:
    """Sides whose values differ from the trusted one: NumPy where it takes part, else the first."""
    trusted = "NumPy" if "NumPy" in results else next(iter(results), "")
    found = {}
    for name, values in results.items():
        side = sides[name]
        if side.same_bits_as is not None and side.same_bits_as in results:
            if not np.array_equal(values, results[side.same_bits_as]):
                found[name] = f"not the same bits as {side.same_bits_as}"
            continue
        wanted: Any = results[trusted]
        if np.ndim(values) < np.ndim(wanted):
            wanted = wanted.mean(axis=0)
        if np.shape(values) != np.shape(wanted):
            found[name] = f"shape {np.shape(values)}, {trusted} has {np.shape(wanted)}"
        elif not np.allclose(values, wanted, rtol=side.tolerance, atol=side.tolerance):
            worst = float(np.max(np.abs(values - wanted)))
            found[name] = f"differs from {trusted} by up to {worst:.3g}"
    return found


def take_turns(sides: Mapping[str, Side], first: Times, effort: Effort) -> Times:
    expected = {name: settled(side, first[name], effort.clock) for name, side in sides.items()}
    repeats = {name: max(1, math.ceil(SHORTEST / max(expected[name], 1e-7))) for name in sides}
    turns = {name: effort.rounds_for(expected[name]) for name in sides}
    best = dict.fromkeys(sides, math.inf)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for turn in range(max(turns.values(), default=0)):
            for name, side in sides.items():
                if turn < turns[name]:
                    best[name] = min(
                        best[name], seconds_per_call(side.call, repeats[name], effort.clock)
                    )
    finally:
        if collecting:
            gc.enable()
    return best


def settled(side: Side, first: float, clock: Clock) -> float:
    """What a call takes about: the first one of a short call is dear, as tables are made in it."""
    return first if first > SHORTEST else min(first, seconds_per_call(side.call, 10, clock))


def seconds_per_call(call: Callable[[], Any], repeats: int, clock: Clock) -> float:
    start = clock.now()
    for _ in range(repeats):
        call()
    return (clock.now() - start) / repeats
