"""The numbers of a page, computed once: means with intervals, values of lists, leading pair."""

import warnings
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...analysis.aligned import align, units_of
from ...analysis.compare import compare
from ...analysis.comparison import Comparison, ComparisonRow
from ...engine.notices import RankgainWarning
from ...engine.resampling import Shares
from ...evaluation.grid import is_smaller_better
from ...evaluation.intervals import IntervalOptions, intervals_of

MANY = 10_000  # with more lists, intervals take fewer resamples


class Mean(NamedTuple):
    """A system's mean with its interval."""

    value: float
    low: float
    high: float


class ReportView:
    """A comparison with the numbers that a page needs; `ranked` has the systems, best first."""

    def __init__(self, comparison: Comparison) -> None:
        if comparison.evaluations is None:
            raise ValueError(
                "this comparison was read from a file, which has no values of lists; compare the "
                "evaluations again to report on them"
            )
        self.by_segment = comparison  # the same as `comparison` without segments
        self.segments = comparison.segments
        self.comparison = _over_all(comparison) if comparison.segments else comparison
        self.evaluations = comparison.evaluations
        aligned = align(comparison.evaluations, "common")
        self.queries = tuple(aligned.queries)
        self.units = {name: units_of(aligned, name) for name in comparison.measures}
        self.first = comparison.measures[0]
        self.all_rows = (*self.comparison.rows, *(row for row in comparison.rows if row.segment))
        self._places = {(r.measure, r.segment, r.a, r.b): r for r in self.all_rows}
        means = {name: self.means[self.first, name].value for name in comparison.names}
        sign = 1 if is_smaller_better(self.first) else -1
        # nan is last
        self.ranked = sorted(
            means, key=lambda name: (means[name] != means[name], sign * means[name])
        )

    @cached_property
    def means(self) -> dict[tuple[str, str], Mean]:
        """By measure and system."""
        shares: dict[Any, Shares] = {}  # by measure and system
        means: dict[Any, float] = {}
        for measure, units in self.units.items():
            system_means = units.evaluated_means().tolist()
            means |= {
                (measure, name): system_means[at] for at, name in enumerate(self.comparison.names)
            }
            for at, name in enumerate(self.comparison.names):
                divisors = units.divisors
                if divisors is not None and divisors.ndim == 2:
                    divisors = divisors[:, at]
                shares[measure, name] = Shares(units.kind, units.numerators[:, at], divisors)
        comparison, few = self.comparison, len(self.queries) <= MANY
        resamples = comparison.resamples if few else min(comparison.resamples, 1_000)
        options = IntervalOptions(comparison.level, "bootstrap", resamples, comparison.seed)
        ends: dict[Any, tuple[float, float]] = dict(intervals_of(shares, options, None))
        return {key: Mean(one, *ends[key]) for key, one in means.items()}

    @property
    def pair(self) -> tuple[str, str]:
        """The best system, and the baseline or the second best."""
        baseline = self.comparison.baseline
        best = [name for name in self.ranked if name != baseline]
        return best[0], best[1] if baseline is None else baseline

    def values(self, measure: str, name: str) -> Any:
        """The values of a system's lists."""
        return self.units[measure].values[:, self.comparison.names.index(name)]

    def differences(self, measure: str) -> Any:
        """The differences of the leading pair, list by list."""
        a, b = self.pair
        return self.values(measure, a) - self.values(measure, b)

    def rows(self, measure: str | None = None, segment: str | None = None) -> list[ComparisonRow]:
        """The rows of a measure (None: of all) on a segment (None: on all lists)."""
        return [
            row
            for row in self.all_rows
            if row.segment == segment and measure in (None, row.measure)
        ]

    def row(self, measure: str, a: str, b: str, segment: str | None = None) -> ComparisonRow:
        """The row of systems a and b; reversed if b was compared with a."""
        if (measure, segment, a, b) in self._places:
            return self._places[measure, segment, a, b]
        if (measure, segment, b, a) in self._places:
            return turned(self._places[measure, segment, b, a])
        raise KeyError(f"{measure} of {a} and {b} was not compared")

    def outcome(self, row: ComparisonRow) -> int:
        """1 if a is significantly better, -1 if it is significantly worse, else 0."""
        if not self.comparison.is_significant(row):
            return 0
        return 1 if self.comparison.is_better(row) else -1

    def order_of_lists(self) -> Any:
        """Lists by descending difference of the leading pair, nan last."""
        size = np.abs(self.differences(self.first))
        return np.argsort(np.where(np.isnan(size), np.inf, -size), kind="stable")


def _over_all(comparison: Comparison) -> Comparison:
    """The same comparison without segments."""
    with warnings.catch_warnings():  # the page says the same
        warnings.simplefilter("ignore", RankgainWarning)
        return compare(
            comparison.evaluations,
            baseline=comparison.baseline,
            measures=comparison.measures,
            test=comparison.test,
            correction=comparison.correction,
            resamples=comparison.resamples,
            level=comparison.level,
            seed=comparison.seed,
            queries="common",
        )


def turned(row: ComparisonRow) -> ComparisonRow:
    """The row with a and b exchanged."""
    return row._replace(
        a=row.b,
        b=row.a,
        mean_a=row.mean_b,
        mean_b=row.mean_a,
        difference=-row.difference,
        low=-row.high,
        high=-row.low,
        effect=-row.effect,
        wins=row.losses,
        losses=row.wins,
    )
