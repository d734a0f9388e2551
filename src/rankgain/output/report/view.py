"""The numbers of a page, computed once: means with intervals, values of lists, leading pair."""

from __future__ import annotations

import math
import warnings
from functools import cached_property
from itertools import chain, count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...analysis.aligned import align, make_units
from ...analysis.compare import compare, has_too_few_resamples
from ...analysis.comparison import Comparison, ComparisonOptions, ComparisonRow
from ...analysis.verdict import orient
from ...engine.intervals import IntervalOptions, find_intervals
from ...engine.means import Shares
from ...engine.notices import RankgainWarning
from ...measures.measure import is_smaller_better
from ..text.comparison import find_beaten
from .charts import ChartRow, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...inputs.types import Floats

# Limits that keep a page of many lists and systems small enough for a browser.
MANY = 10_000  # with more lists, intervals take fewer resamples
CELLS = 60_000  # values of lists in a page at most
COMPARED = 2_000  # comparisons in a table at most
DRAWN_AT_MOST = 40  # systems or segments in a picture at most
FEW = 25  # with fewer lists, intervals are rough


RowKey: TypeAlias = tuple[str, str | None, str, str]  # measure, segment, system a, system b


class ReportView:
    """A comparison with the numbers that a page needs; `ranked` has the systems, best first."""

    def __init__(self, comparison: Comparison) -> None:
        if comparison.evaluations is None:
            raise ValueError(
                "this comparison was read from a file, which has no values of lists; compare the "
                "evaluations again to report on them"
            )
        self.by_segment = comparison  # with rows for each segment, if there are segments
        self.segments = comparison.segments
        self.evaluations = comparison.evaluations
        self.comparison = comparison  # over all lists
        if comparison.segments:
            # A comparison of segments has no rows over all lists: compare again, without them.
            names = ComparisonOptions.__annotations__.keys() - {"queries", "by"}
            options = {name: getattr(comparison, name) for name in names}
            with warnings.catch_warnings():  # the page says the same
                warnings.simplefilter("ignore", RankgainWarning)
                self.comparison = compare(self.evaluations, queries="common", **options)
        aligned = align(comparison.evaluations, "common")
        self.queries = tuple(aligned.queries)
        self.units = {name: make_units(aligned, name) for name in comparison.measures}
        self.first = comparison.measures[0]
        self.all_rows = self.comparison.rows
        if comparison.segments:
            self.all_rows += comparison.rows
        self._rows_by_key: dict[RowKey, ComparisonRow] = {}
        for row in self.all_rows:
            self._rows_by_key[row.measure, row.segment, row.a, row.b] = row
        self.is_smaller_better = is_smaller_better(self.first, comparison.better)
        self.ranked = sorted(comparison.names, key=self._rank)

    def _rank(self, name: str) -> tuple[bool, float]:
        """The key that sorts systems by the mean of the first measure: the best first, nan last."""
        mean = self.means[self.first, name].value
        if self.is_smaller_better:
            return math.isnan(mean), mean
        return math.isnan(mean), -mean

    @cached_property
    def means(self) -> dict[tuple[str, str], ChartRow]:
        """By measure and system, with their intervals."""
        shares: dict[Any, Shares] = {}  # by measure and system
        means: dict[tuple[str, str], float] = {}
        for measure, units in self.units.items():
            system_means = units.evaluated_means().tolist()
            for column, name in enumerate(self.comparison.names):
                # Systems share the divisors (lists,), or each has a column of (lists, systems).
                divisors = units.divisors
                if divisors is not None and divisors.ndim == 2:
                    divisors = divisors[:, column]
                means[measure, name] = system_means[column]
                shares[measure, name] = Shares(units.kind, units.numerators[:, column], divisors)
        comparison = self.comparison
        resamples = comparison.resamples
        if len(self.queries) > MANY:
            resamples = min(resamples, 1_000)
        options = IntervalOptions(comparison.level, "bootstrap", resamples, comparison.seed)
        ends: dict[Any, tuple[float, float]] = {}
        if comparison.collections:
            # Resamples are drawn within each collection, which the evaluations know.
            for measure, name in means:
                ends[measure, name] = self.evaluations[name].interval(
                    measure, level=comparison.level, resamples=resamples, seed=comparison.seed
                )
        else:
            ends |= find_intervals(shares, options, None)
        rows: dict[tuple[str, str], ChartRow] = {}
        for (measure, name), mean in means.items():
            low, high = ends[measure, name]
            rows[measure, name] = ChartRow(name, mean, low, high)
        return rows

    @property
    def pair(self) -> tuple[str, str]:
        """The best system, and the baseline or the second best."""
        baseline = self.comparison.baseline
        candidates = [name for name in self.ranked if name != baseline]
        if baseline is None:
            return candidates[0], candidates[1]
        return candidates[0], baseline

    def values(self, measure: str, name: str) -> Floats:
        """The values of a system's lists."""
        return self.units[measure].values[:, self.comparison.names.index(name)]

    def differences(self, measure: str) -> Floats:
        """The differences of the leading pair, list by list."""
        a, b = self.pair
        return self.values(measure, a) - self.values(measure, b)

    def rows(self, measure: str | None = None, segment: str | None = None) -> list[ComparisonRow]:
        """The rows of a measure (None: of all) on a segment (None: on all lists)."""
        rows = []
        for row in self.all_rows:
            if row.segment == segment and measure in (None, row.measure):
                rows.append(row)
        return rows

    def row(self, measure: str, a: str, b: str, segment: str | None = None) -> ComparisonRow:
        """The row of systems a and b; reversed if b was compared with a."""
        if (measure, segment, a, b) in self._rows_by_key:
            return self._rows_by_key[measure, segment, a, b]
        return orient(self._rows_by_key[measure, segment, b, a], False)

    def outcome(self, row: ComparisonRow) -> int:
        """1 if a is significantly better, -1 if it is significantly worse, else 0."""
        if not self.comparison.is_significant(row):
            return 0
        if self.comparison.is_better(row):
            return 1
        return -1

    def outcomes(self, rows: list[ComparisonRow]) -> dict[int, list[ComparisonRow]]:
        """The rows by outcome."""
        by_outcome: dict[int, list[ComparisonRow]] = {1: [], 0: [], -1: []}
        for row in rows:
            by_outcome[self.outcome(row)].append(row)
        return by_outcome

    def fewest(self, rows: list[ComparisonRow]) -> int:
        """The smallest number of lists of these rows."""
        return min((row.lists for row in rows), default=FEW)

    @property
    def few_segments(self) -> list[str]:
        """The segments that have comparisons of few lists."""
        return [name for name in self.segments if self.fewest(self.rows(segment=name)) < FEW]

    @property
    def has_too_few_resamples(self) -> bool:
        """Whether even the smallest possible p-value of the resamples is not significant."""
        return has_too_few_resamples(len(self.by_segment.rows), self.by_segment)

    @property
    def list_count(self) -> int:
        """How many lists a table shows: all, or as many as a page can hold."""
        max_lists = CELLS // (len(self.comparison.names) * len(self.comparison.measures))
        return min(len(self.queries), max(max_lists, 20))

    def order(self, measure: str) -> list[int]:
        """Lists by descending difference of the leading pair, nan last, as many as fit."""
        size = np.abs(self.differences(measure))
        descending = np.where(np.isnan(size), np.inf, -size)
        order: list[int] = np.argsort(descending, kind="stable").tolist()
        return order[: self.list_count]

    def lists(self, measure: str) -> Iterator[tuple[int, object, float, list[float]]]:
        """The place, query, difference and values of lists; the leading pair stands first."""
        order = self.order(measure)
        columns = [self.values(measure, name)[order] for name in self.listed]
        differences = self.differences(measure)[order].tolist()
        queries = (self.queries[index] for index in order)
        rows = np.column_stack(columns).tolist()
        return zip(order, queries, differences, rows, strict=True)

    def better_sign(self, measure: str) -> int:
        """1 if larger values of a measure are better, -1 if smaller ones are."""
        return -1 if is_smaller_better(measure, self.comparison.better) else 1

    @property
    def listed(self) -> list[str]:
        """The systems, the leading pair first."""
        return [*self.pair, *(name for name in self.ranked if name not in self.pair)]

    def smallest(self, rows: list[ComparisonRow]) -> list[ComparisonRow]:
        """All rows, or those with the smallest p-values if there are too many."""
        if len(rows) <= COMPARED:
            return rows
        # False sorts before True: rows without a p-value come last.
        return sorted(rows, key=lambda row: (math.isnan(row.p), row.p))[:COMPARED]

    @cached_property
    def letters(self) -> dict[str, str]:
        """A letter for each system: a, b, ... z, aa, ab, ..."""
        # All words of one letter, then those of two, and so on: the products have the order of
        # the alphabet.
        words = chain.from_iterable(product(ascii_lowercase, repeat=n) for n in count(1))
        return dict(zip(self.ranked, map("".join, words), strict=False))

    @cached_property
    def marks(self) -> dict[tuple[str, str], int | str]:
        """By measure and system: 1 or -1 with a baseline, else the letters of worse systems."""
        rows = self.rows()
        marks: dict[tuple[str, str], int | str] = {}
        if self.comparison.baseline is not None:
            for row in rows:
                if outcome := self.outcome(row):
                    marks[row.measure, row.a] = outcome
            return marks
        for (winner, measure), worse in find_beaten(self.comparison, rows).items():
            letters = [self.letters[name] for name in self.ranked if name in worse]
            marks[measure, winner] = " ".join(letters)
        return marks

    def best(self, measure: str) -> str:
        """The best mean of a measure, as it is displayed."""
        defined = []
        for name in self.ranked:
            value = self.means[measure, name].value
            if not math.isnan(value):
                defined.append(value)
        if is_smaller_better(measure, self.comparison.better):
            return number(min(defined, default=math.nan))
        return number(max(defined, default=math.nan))

    def drawn_means(self, measure: str) -> list[ChartRow]:
        """Rows of the picture of means."""
        return [self.means[measure, name] for name in self.ranked[:DRAWN_AT_MOST]]

    @property
    def reference(self) -> str:
        """The system that the others are drawn against: the baseline, or the best."""
        if self.comparison.baseline is None:
            return self.ranked[0]
        return self.comparison.baseline

    def drawn_differences(self, measure: str) -> list[ChartRow]:
        """Rows of the picture of differences."""
        names = [name for name in self.ranked if name != self.reference][:DRAWN_AT_MOST]
        return [self._draw_row(name, self.row(measure, name, self.reference)) for name in names]

    def drawn_segments(self, measure: str) -> list[ChartRow]:
        """The leading pair on all lists and on each segment."""
        drawn = [self._draw_row("all lists", self.row(measure, *self.pair))]
        for segment in self.segments[:DRAWN_AT_MOST]:
            row = self.row(measure, *self.pair, segment)
            lists = f"{row.lists:,}"
            if row.lists < FEW:
                lists += ", few"
            drawn.append(self._draw_row(f"{segment} ({lists})", row))
        return drawn

    def _draw_row(self, name: str, row: ComparisonRow) -> ChartRow:
        return ChartRow(name, row.difference, row.low, row.high, self.outcome(row))
