"""How a workload is measured, what is required of it, and on which machine.

The sides of a workload run in one process. Their values are compared first, then they take turns,
and the best round of each counts. A process cannot measure its own import, its own peak memory or
another instruction set: that takes new processes.
"""

import gc
import importlib.metadata
import json
import math
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
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
        except Exception as error:  # a peer may fail in any way: the row says so
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
    reasons = {}
    for name, values in results.items():
        side = sides[name]
        if side.same_bits_as is not None and side.same_bits_as in results:
            if not np.array_equal(values, results[side.same_bits_as]):
                reasons[name] = f"not the same bits as {side.same_bits_as}"
            continue
        expected: Any = results[trusted]
        if np.ndim(values) < np.ndim(expected):
            expected = expected.mean(axis=0)
        if np.shape(values) != np.shape(expected):
            reasons[name] = f"shape {np.shape(values)}, {trusted} has {np.shape(expected)}"
        elif not np.allclose(values, expected, rtol=side.tolerance, atol=side.tolerance):
            worst = float(np.max(np.abs(values - expected)))
            reasons[name] = f"differs from {trusted} by up to {worst:.3g}"
    return reasons


def take_turns(sides: Mapping[str, Side], first: Times, effort: Effort) -> Times:
    expected = {name: typical(side, first[name], effort.clock) for name, side in sides.items()}
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


def typical(side: Side, first: float, clock: Clock) -> float:
    """About how long a call takes: the first of short calls takes longer, as it makes tables."""
    return first if first > SHORTEST else min(first, seconds_per_call(side.call, 10, clock))


def seconds_per_call(call: Callable[[], Any], repeats: int, clock: Clock) -> float:
    start = clock.now()
    for _ in range(repeats):
        call()
    return (clock.now() - start) / repeats


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
    """The slowest side of `ours` compared with the fastest of `against`.

    For absolute units `against` is only named in the table, and may be empty. For a gain, `ours`
    and `against` are two sides each: the time of the first divided by that of the second.
    """

    unit: Unit
    required: float
    stretch: float
    against: tuple[str, ...] = ()
    ours: tuple[str, ...] = ("rankgain",)
    or_else: "Goal | None" = None
    path: str = ""
    """The only path on which it is required; all of them where this is empty."""

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


TOOLS = (
    *("rankgain", "numpy", "scipy", "scikit-learn", "torch", "catboost", "rectools"),
    *("pytrec_eval-terrier", "ranx", "ir-measures", "ir_eval_numba", "pyndeval", "cwl-eval"),
    *("polars", "pandas"),
)


def processor() -> str:
    """The model, with family and number where the name alone stands for many."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    fields = dict(re.findall(r"^([^:\n]+?)\s*: (.*)$", text, re.MULTILINE))
    name = fields.get("model name") or platform.processor() or platform.machine()
    if "cpu family" in fields:
        name += f" (family {fields['cpu family']}, model {fields['model']})"
    return name


def vectors() -> str:
    """The widest instruction set that the processor offers, as far as the system says."""
    info = Path("/proc/cpuinfo")
    flags = info.read_text().split() if info.exists() else []
    return next((name for name in ("avx512f", "avx2", "asimd", "sse2") if name in flags), "unknown")


def versions() -> dict[str, str]:
    installed = {"Python": platform.python_version()}
    for name in TOOLS:
        try:
            installed[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return installed


def describe(effort: Effort) -> str:
    cores = os.cpu_count() or 1
    listed = ", ".join(f"{name} {version}" for name, version in versions().items())
    clock = "wall" if effort.clock is Clock.WALL else "processor"
    return (
        f"Best of up to {effort.rounds} rounds, {clock} time, on {processor()}, {vectors()}, "
        f"{cores} cores, {platform.system()} {platform.machine()}; {listed}."
    )


IMPORT = """
import sys
import time
import numpy
clock = getattr(time, sys.argv[1])
start = clock()
import rankgain
print(clock() - start)
"""

MEMORY = """
import resource, sys
import data
import rankgain as rg

def kilobytes(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field))

def forget_peak():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")  # sets the peak back to what is resident now

lists, docs, threads = map(int, sys.argv[1:])
rng = data.generator()
scores = rng.standard_normal((lists, docs), dtype="float32")
labels = data.graded(rng, lists, docs)
rg.ndcg(labels[:4], scores[:4], k=10, threads=threads)
forget_peak()
before = kilobytes("VmRSS")
rg.ndcg(labels, scores, k=10, threads=threads)
print((kilobytes("VmHWM") - before) / 1024)
"""


def run_python(code: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=HERE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def import_seconds(clock: Clock, rounds: int = 10) -> Times:
    """`import rankgain` after `import numpy` in new interpreters; the first writes the bytecode."""
    return {"rankgain": min(float(run_python(IMPORT, clock.value)) for _ in range(rounds + 1))}


def peak_megabytes(_clock: Clock, lists: int, docs: int, threads: int) -> Times:
    """Peak resident memory above the inputs, which are made and touched before."""
    return {"rankgain": float(run_python(MEMORY, lists, docs, threads))}


def in_environment(name: str, options: Sequence[str], environment: Mapping[str, str]) -> Times:
    """The times of a workload in a new process with these environment variables."""
    done = subprocess.run(
        [sys.executable, str(HERE / "report.py"), *options, "--times", name],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    times: Times = json.loads(done.stdout)
    return times
