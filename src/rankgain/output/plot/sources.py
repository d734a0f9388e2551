"""What a picture is drawn of: evaluations, a measure, and two of the systems."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...analysis.aligned import Units, align, units_of
from ...analysis.comparison import Comparison
from ...analysis.significance.inverted import randomised
from ...analysis.significance.pairs import Draws, Pairs
from ...evaluation.evaluation import Evaluation
from ...evaluation.grid import is_smaller_better
from ...evaluation.intervals import check_level

MANY = 10_000  # values from which on intervals take fewer resamples


def evaluations_of(result: Any) -> dict[str, Evaluation]:
    """Evaluations by name, of what compares them or has them."""
    if isinstance(result, Comparison):
        if result.evaluations is None:
            raise ValueError(
                "this comparison was read from a file, which has no values of lists; "
                "give the evaluations"
            )
        result = result.evaluations
    if isinstance(result, Evaluation):
        return {"": result}
    if not isinstance(result, Mapping) or not result:
        raise TypeError(
            "a picture is drawn of an Evaluation, Evaluations, a mapping name -> Evaluation or a "
            f"Comparison, not {type(result).__name__}"
        )
    for name, one in result.items():
        if not isinstance(one, Evaluation):
            raise TypeError(f"{name!r} must be an Evaluation, not {type(one).__name__}")
    return {str(name): one for name, one in result.items()}


def measure_of(source: Any, result: Mapping[str, Evaluation], measure: str | None) -> str:
    """The measure asked for, which all must have; the first of the source where none is named."""
    first = next(iter(result.values()))
    if measure is None and isinstance(source, Comparison):
        return source.measures[0]
    key = next(iter(first.means)) if measure is None else first.key_of(measure)
    for name, one in result.items():
        if key not in one.means:
            raise ValueError(f"{name!r} has no {key}; it has {', '.join(one.means)}")
    return key


def pair_names(result: Any, a: str | None, b: str | None) -> tuple[str, str]:
    """Two systems: those named, or the only ones; b is the baseline of a comparison."""
    names = list(evaluations_of(result))
    if isinstance(result, Comparison) and b is None:
        b = result.baseline
    for word, name in (("a", a), ("b", b)):
        if name is not None and name not in names:
            raise ValueError(f"{word}={name!r} is not evaluated; there are {', '.join(names)}")
    others = [name for name in names if name not in (a, b)]
    missing = [a, b].count(None)
    if (a == b and a is not None) or (missing and len(others) != missing):
        raise ValueError(f"name two systems by a= and b=; there are {', '.join(names)}")
    first = others.pop(0) if a is None else a
    return first, others.pop(0) if b is None else b


class SystemPair(NamedTuple):
    """Two systems on the lists where both have a value of a measure."""

    measure: str
    a: str
    b: str
    units: Units

    @property
    def values(self) -> Any:
        """Those of a, those of b."""
        return self.units.values.T

    def better(self) -> tuple[int, int, int]:
        """On how many lists a is better, both are equal, and b is better."""
        a, b = self.values
        above, below = int((a > b).sum()), int((a < b).sum())
        wins, losses = (below, above) if is_smaller_better(self.measure) else (above, below)
        return wins, len(a) - above - below, losses


def system_pair(result: Any, measure: str | None, a: str | None, b: str | None) -> SystemPair:
    """Two systems on a measure, list by list."""
    ours = evaluations_of(result)
    first, second = pair_names(result, a, b)
    both = {first: ours[first], second: ours[second]}
    name = measure_of(result, both, measure)
    units = units_of(align(both, "common"), name)
    known = ~np.isnan(units.numerators).any(axis=1)
    if not known.any():
        raise ValueError(f"{first!r} and {second!r} have no list where both have a value of {name}")
    # As compare takes them, so that sums have the same bits.
    both_known = units if known.all() else units.part(known, slice(None))
    return SystemPair(name, first, second, both_known)


def difference_of(result: Any, both: SystemPair, level: float) -> tuple[float, float, float]:
    """Of the means, and its interval: as a comparison has them, or as `rankgain.compare` does."""
    if isinstance(result, Comparison) and result.level == level:
        requested = (both.measure, None, both.a, both.b)
        for row in result.rows:
            if (row.measure, row.segment, row.a, row.b) == requested:
                return row.difference, row.low, row.high
    check_level(level)
    pair = Pairs(np.array([0]), np.array([1]))
    resamples = 10_000 if len(both.units.values) <= MANY else 1_000
    low, high = randomised(both.units, pair, Draws(resamples, 0), level)[0][0]
    return float(pair.difference(both.units.evaluated_means())[0]), float(low), float(high)


def intervals_of(one: Evaluation, names: list[str], level: float) -> list[tuple[float, float]]:
    """Intervals of means, from the same resamples."""
    resamples = 10_000 if len(one) * len(names) <= MANY else 1_000
    return [one.interval(name, level=level, resamples=resamples) for name in names]
