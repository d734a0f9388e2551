"""The ranks of systems by their means, with simultaneous intervals by the bootstrap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..engine.intervals import check_level
from ..engine.resampling import resample
from ..inputs.printable import printable
from ..measures.measure import is_smaller_better
from ..text import TextTable, align, preformat, wrap_notes
from .aligned import Pairs, find_lists, make_units, name_measures

if TYPE_CHECKING:
    from ..inputs.types import Floats, Integers
    from ..measures.measure import Measure
    from .comparison import Comparison

PAIRS_AT_ONCE = 64  # whose differences are resampled together


class Ranks(dict[str, tuple[int, int, int]]):
    """{system: (rank, low, high)}, the best system first; print it for a table.

    Attributes
    ----------
    measure : name of the measure
    means : mapping of system -> mean over the queries where all systems have a value
    queries : number of these queries
    level : of the intervals, which hold together
    """

    def __init__(
        self,
        ranks: Mapping[str, tuple[int, int, int]],
        measure: str,
        means: Mapping[str, float],
        queries: int,
        level: float,
    ) -> None:
        super().__init__(ranks)
        self.measure, self.means = measure, dict(means)
        self.queries, self.level = queries, level

    def __reduce__(self) -> tuple[object, ...]:
        return Ranks, (dict(self), self.measure, self.means, self.queries, self.level)

    @property
    def tied_for_best(self) -> list[str]:
        """The systems that may have rank 1; a single one was shown to be the best."""
        return [system for system, (_, low, _) in self.items() if low == 1]

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        best = self.tied_for_best
        word = "tied for best" if len(best) > 1 else "best"
        rows = []
        for system, (rank, low, high) in self.items():
            ends = f"[{low}, {high}]"
            shown = word if system in best else ""
            mean = f"{self.means[system]:.4f}"
            rows.append([printable(system), mean, str(rank), ends, shown])
        heads = ["system", f"mean {printable(self.measure)}", "rank", f"{100 * self.level:g}%", ""]
        note = (
            f"{self.queries:,} queries; ranks of the means, and ranks that hold for all systems "
            f"together with confidence {100 * self.level:g}% (bootstrap over queries)"
        )
        return "\n".join([*align(TextTable(heads, rows, 1)), *wrap_notes([note])])


def find_ranks(comparison: Comparison, measure: str | Measure, level: float) -> Ranks:
    """The ranks of `Comparison.ranks`."""
    check_level(level)
    if comparison.evaluations is None:
        raise ValueError(
            "this comparison was read from a file, which has no values of queries; compare the "
            "evaluations again to rank the systems"
        )
    aligned = find_lists(comparison.evaluations, "common")
    [name] = name_measures(aligned, [measure])
    units = make_units(aligned, name)
    complete = np.flatnonzero(~np.isnan(units.numerators).any(axis=1))
    if not complete.size:
        raise ValueError(
            f"no query has a value of {name} for all systems, so there is nothing to rank; compare "
            "fewer systems"
        )
    units = units.part(complete, slice(None))
    sign = -1.0 if is_smaller_better(name, comparison.better) else 1.0
    means = units.evaluated_means()
    pairs = Pairs.among(len(means), None)
    tables = [sign * table for table in units.tables()]
    apart = find_distinct_pairs(tables, pairs, level, comparison.resamples, comparison.seed)
    low, high = rank_bounds(apart, pairs, len(means))
    # The rank of a system is 1 plus the number of those that are better: row i, column j asks
    # whether j is better than i.
    quality = sign * means
    ranks = 1 + (quality[np.newaxis] > quality[:, np.newaxis]).sum(axis=1)
    order = np.argsort(ranks, kind="stable")
    systems = list(aligned.evaluations)
    ranks_by_system: dict[str, tuple[int, int, int]] = {}
    means_by_system: dict[str, float] = {}
    for index in order.tolist():
        system = systems[index]
        ranks_by_system[system] = (int(ranks[index]), int(low[index]), int(high[index]))
        means_by_system[system] = float(means[index])
    return Ranks(ranks_by_system, name, means_by_system, len(complete), float(level))


def rank_bounds(apart: Floats, pairs: Pairs, systems: int) -> tuple[Integers, Integers]:
    """The least and greatest rank of each system, from what is told apart.

    apart: for each pair 1 where a is better, -1 where b is better, 0 where neither was shown. The
    least rank is 1 + the systems shown to be better, the greatest is the number of systems without
    those shown to be worse (Mogstad, Romano, Shaikh and Wilhelm, Review of Economic Studies 2024).
    """
    better, worse = np.zeros((2, systems), np.int64)
    np.add.at(better, pairs.a, apart < 0)
    np.add.at(better, pairs.b, apart > 0)
    np.add.at(worse, pairs.a, apart > 0)
    np.add.at(worse, pairs.b, apart < 0)
    return 1 + better, systems - worse


def find_distinct_pairs(
    collections: Sequence[Floats], pairs: Pairs, level: float, resamples: int, seed: int
) -> Floats:
    """For each pair 1 if a is better, -1 if b is, and 0 if they are not told apart.

    collections: the values of each collection, a row for each query and a column for each system;
    greater values are better. Every collection counts equally, and its queries are drawn within it.

    A pair is told apart where |t| > c, t = mean(d) / se. c is the `level` quantile, over resamples
    of the queries, of the greatest |mean*(d) - mean(d)| / se* of all pairs, with se* computed from
    the resample, so that all statements hold together (Romano and Wolf 2005, without the steps).
    With the se of the sample instead, far too many equal systems are told apart.
    """
    count = len(collections)
    if any(len(table) < 2 for table in collections):
        return np.zeros(len(pairs.a))
    centers, variances = np.zeros((2, len(pairs.a)))
    for table in collections:
        center, scale = pairs.scatter(table)
        centers += center / count
        variances += scale**2 / len(table) / count**2
    # Where all queries differ by one amount there is no scatter: the difference itself decides.
    varies = np.flatnonzero(variances > 0)
    greatest = np.zeros(resamples)
    for first in range(0, len(varies), PAIRS_AT_ONCE):
        selected = varies[first : first + PAIRS_AT_ONCE]
        block = Pairs(pairs.a[selected], pairs.b[selected])
        np.maximum(greatest, _greatest_deviation(collections, block, resamples, seed), out=greatest)
    critical = 0.0
    if varies.size:
        critical = float(np.quantile(greatest, level, method="higher"))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(centers == 0, 0.0, centers / np.sqrt(variances))
    return np.where(np.abs(t) > critical, np.sign(t), 0.0)


def _greatest_deviation(
    collections: Sequence[Floats], pairs: Pairs, resamples: int, seed: int
) -> Floats:
    """In each resample, the greatest |mean*(d) - mean(d)| / se* of these pairs."""
    count = len(collections)
    shift, variance = np.zeros((2, len(pairs.a), resamples))
    for number, table in enumerate(collections):
        n = len(table)
        differences = (table[:, pairs.a] - table[:, pairs.b]).T
        # Differences from the mean: sums of squares of large values would cancel.
        differences = differences - differences.mean(axis=1, keepdims=True)
        columns = [*differences, *differences**2]
        sums = resample(columns, resamples, seed if count == 1 else (seed, number))
        means, squares = sums[: len(differences)] / n, sums[len(differences) :] / n
        spread = np.maximum(squares - means**2, 0.0)
        spread[spread <= 1e-12 * squares] = 0.0  # one query drawn n times, but for rounding
        shift += means / count
        variance += spread / (n - 1) / count**2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(shift == 0, 0.0, np.abs(shift) / np.sqrt(variance))
    greatest: Floats = np.where(np.isnan(t), math.inf, t).max(axis=0)
    return greatest
