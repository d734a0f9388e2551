"""The data of a plot: evaluations, a measure, and a pair of systems."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...analysis.aligned import Units, align, units_of
from ...analysis.comparison import Comparison
from ...analysis.significance.paired_tests import randomised
from ...analysis.significance.pairs import Draws, Pairs
from ...engine.intervals import check_level
from ...evaluation.evaluation import Evaluation
from ...inputs.printable import printable
from ...measures.measure import is_smaller_better

MANY = 10_000  # with more values, intervals take fewer resamples


def evaluations_of(source: object) -> dict[str, Evaluation]:
    """Evaluations by name, from any argument that plots accept."""
    if isinstance(source, Comparison):
        if source.evaluations is None:
            raise ValueError(
                "this comparison was read from a file, which has no values of lists; "
                "give the evaluations"
            )
        source = source.evaluations
    if isinstance(source, Evaluation):
        return {"": source}
    if not isinstance(source, Mapping) or not source:
        raise TypeError(
            "a picture is drawn of an Evaluation, Evaluations, a mapping name -> Evaluation or a "
            f"Comparison, not {type(source).__name__}"
        )
    for name, one in source.items():
        if not isinstance(one, Evaluation):
            raise TypeError(f"{name!r} must be an Evaluation, not {type(one).__name__}")
    return {str(name): one for name, one in source.items()}


def measure_of(
    source: Evaluation | Mapping[str, Evaluation] | Comparison,
    evaluations: Mapping[str, Evaluation],
    measure: str | None,
) -> str:
    """The requested measure, which all evaluations must have; by default the source's first."""
    first = next(iter(evaluations.values()))
    if measure is None and isinstance(source, Comparison):
        return source.measures[0]
    key = next(iter(first.means)) if measure is None else first.key_of(measure)
    for name, one in evaluations.items():
        if key not in one.means:
            raise ValueError(f"{name!r} has no {key}; it has {', '.join(one.means)}")
    return key


def pair_names(
    source: Evaluation | Mapping[str, Evaluation] | Comparison, a: str | None, b: str | None
) -> tuple[str, str]:
    """Names of two systems; by default the only two, with b the baseline of a comparison."""
    names = list(evaluations_of(source))
    if isinstance(source, Comparison) and b is None:
        b = source.baseline
    for word, name in (("a", a), ("b", b)):
        if name is not None and name not in names:
            known = ", ".join(map(printable, names))
            raise ValueError(f"{word}={name!r} is not evaluated; there are {known}")
    others = [name for name in names if name not in (a, b)]
    missing = [a, b].count(None)
    if (a == b and a is not None) or (missing and len(others) != missing):
        raise ValueError(f"name two systems by a= and b=; there are {', '.join(names)}")
    first = others.pop(0) if a is None else a
    return first, others.pop(0) if b is None else b


class SystemPair(NamedTuple):
    """Two systems on the lists where both have a value of the measure."""

    measure: str
    a: str
    b: str
    units: Units

    @property
    def values(self) -> Any:
        """The values of a, and those of b."""
        return self.units.values.T

    def better(self) -> tuple[int, int, int]:
        """The number of lists where a is better, both are equal, and b is better."""
        a, b = self.values
        above, below = int((a > b).sum()), int((a < b).sum())
        wins, losses = (below, above) if is_smaller_better(self.measure) else (above, below)
        return wins, len(a) - above - below, losses


def system_pair(
    source: Evaluation | Mapping[str, Evaluation] | Comparison,
    measure: str | None,
    a: str | None,
    b: str | None,
) -> SystemPair:
    """Two systems of a source on a measure."""
    by_name = evaluations_of(source)
    first, second = pair_names(source, a, b)
    both = {first: by_name[first], second: by_name[second]}
    name = measure_of(source, both, measure)
    units = units_of(align(both, "common"), name)
    known = np.flatnonzero(~np.isnan(units.numerators).any(axis=1))
    if not len(known):
        raise ValueError(f"{first!r} and {second!r} have no list where both have a value of {name}")
    # The same arrays as in compare, so that sums have the same bits.
    both_known = units if len(known) == len(units.lists) else units.part(known, slice(None))
    return SystemPair(name, first, second, both_known)


def difference_of(
    source: Evaluation | Mapping[str, Evaluation] | Comparison, pair: SystemPair, level: float
) -> tuple[float, float, float]:
    """The difference of the means and its interval, from the comparison or as in `compare`."""
    if isinstance(source, Comparison) and source.level == level:
        key = (pair.measure, None, pair.a, pair.b)
        for row in source.rows:
            if (row.measure, row.segment, row.a, row.b) == key:
                return row.difference, row.low, row.high
    check_level(level)
    both = Pairs(np.array([0]), np.array([1]))
    resamples = 10_000 if len(pair.units.values) <= MANY else 1_000
    low, high = randomised(pair.units, both, Draws(resamples, 0), level)[0][0]
    return float(both.difference(pair.units.evaluated_means())[0]), float(low), float(high)


def intervals_of(one: Evaluation, names: list[str], level: float) -> list[tuple[float, float]]:
    """Intervals of the means of an evaluation, from the same resamples for all."""
    resamples = 10_000 if len(one) * len(names) <= MANY else 1_000
    return [one.interval(name, level=level, resamples=resamples) for name in names]
