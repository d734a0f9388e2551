"""What is compared: the lists that all evaluations have, their values, and pairs of systems."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ..engine.means import MeanRule, Terms, divide_sums, mean
from ..engine.notices import name_some, warn
from ..evaluation.evaluation import Evaluation
from ..evaluation.scores import NO_CONVENTION
from ..evaluation.sums.accumulator import Accumulator
from ..evaluation.sums.merging import collection_codes, pooled_mean, select_lists
from ..inputs.printable import printable
from ..measures.all_lists import pseudo_values
from ..measures.measure import find_family

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers
    from ..measures.types import Measures


MOST_PAIRS = 10_000_000  # each is a row of the result
SAME = 1e-12  # relative difference of sums that count as equal: equal rates may sum differently
ROUNDING = 64 * np.finfo(np.float64).eps  # rounding error of a sum, relative to the absolute values


class Aligned(NamedTuple):
    """Evaluations by name, and the lists that are compared."""

    evaluations: dict[str, Evaluation]
    queries: Sequence[str | int]  # ids of the lists that are compared
    lists: dict[str, Integers | slice]  # their indices in each evaluation; a slice is all of them
    left_out: dict[str, int]  # number of lists of an evaluation that others lack

    def part(self, positions: Integers) -> Aligned:
        """The same evaluations on some of the lists."""
        lists: dict[str, Integers | slice] = {}
        for name, indices in self.lists.items():
            lists[name] = positions  # of all lists
            if not isinstance(indices, slice):
                lists[name] = indices[positions]
        queries = [self.queries[i] for i in positions.tolist()]
        return self._replace(queries=queries, lists=lists)


REMEDY = 'pass queries="common" to compare only the queries that all systems have'


def align(evaluations: object, queries: str, remedy: str = REMEDY) -> Aligned:
    """Check the evaluations and find the lists to compare, in the order of the first.

    remedy: what to do if they do not have the same queries.
    """
    aligned = find_lists(evaluations, queries, remedy)
    by_name = aligned.evaluations
    conventions = {evaluation.convention for evaluation in by_name.values()} - {NO_CONVENTION}
    if len(conventions) > 1:
        warn(
            f"the evaluations follow different conventions ({', '.join(sorted(conventions))}), so "
            "that their differences may come from the conventions, too, not only from the rankings"
        )
    ones = np.ones(len(aligned.queries))
    weights = dict.fromkeys(by_name, ones)
    for name, evaluation in by_name.items():
        if evaluation.weights is not None:
            weights[name] = evaluation.weights[aligned.lists[name]]
    first = next(iter(weights))
    for system in weights:
        if not np.array_equal(weights[first], weights[system]):
            raise ValueError(
                f"{first!r} and {system!r} weigh the lists differently; evaluate all with the same "
                "weight="
            )
    return aligned


def name_conventions(by_name: Mapping[str, Evaluation]) -> str:
    """The convention of all evaluations; where they differ, which one each system follows."""
    conventions = [evaluation.convention for evaluation in by_name.values()]
    if len({*conventions} - {NO_CONVENTION}) <= 1:
        return conventions[0]
    names = [convention or "none" for convention in conventions]
    return ", ".join(f"{name} for {system}" for name, system in zip(names, by_name, strict=True))


def find_lists(evaluations: object, queries: str, remedy: str = REMEDY) -> Aligned:
    """The lists to compare, in the order of the first evaluation."""
    by_name = name_evaluations(evaluations)
    if queries not in ("same", "common"):
        raise ValueError(f'queries must be "same" or "common", not {queries!r}')
    for name, evaluation in by_name.items():
        if len(set(evaluation.queries)) != len(evaluation.queries):
            raise ValueError(f"{name!r}: a query id occurs twice; each list must have its own")
    if _have_same_queries(by_name.values()):
        ids = next(iter(by_name.values())).queries
        aligned = Aligned(by_name, ids, dict.fromkeys(by_name, slice(None)), {})
    else:
        aligned = _find_common(by_name)
        if aligned.left_out and queries == "same":
            raise ValueError(
                f"the evaluations do not have the same queries: {_describe_missing(by_name)}; "
                f"{remedy}"
            )
    if not len(aligned.queries):
        raise ValueError("the evaluations have no list in common, so there is nothing to compare")
    return aligned


def _have_same_queries(evaluations: Collection[Evaluation]) -> bool:
    """Whether all evaluations have the same queries in the same order."""
    ids = next(iter(evaluations)).queries
    for evaluation in evaluations:
        queries = evaluation.queries
        if queries is ids or queries == ids:
            continue
        if tuple(queries) != tuple(ids):
            return False
    return True


def _find_common(by_name: dict[str, Evaluation]) -> Aligned:
    """The queries that all evaluations have, in the order of the first."""
    first = next(iter(by_name.values()))
    in_all = set(first.queries)
    for evaluation in by_name.values():
        in_all.intersection_update(evaluation.queries)
    common = [query for query in first.queries if query in in_all]
    lists: dict[str, Integers | slice] = {}
    left_out: dict[str, int] = {}
    for name, evaluation in by_name.items():
        index_of_query = {query: index for index, query in enumerate(evaluation.queries)}
        lists[name] = np.array([index_of_query[query] for query in common], np.int64)
        if len(evaluation) > len(common):
            left_out[name] = len(evaluation) - len(common)
    return Aligned(by_name, common, lists, left_out)


def _describe_missing(by_name: dict[str, Evaluation]) -> str:
    """The queries that one of two systems has and the other lacks, as text."""
    first, *other_systems = by_name
    queries_of_first = by_name[first].queries
    for second in other_systems:
        if set(by_name[second].queries) != set(queries_of_first):
            break
    parts = []
    for system, counterpart in ((first, second), (second, first)):
        queries_of_counterpart = set(by_name[counterpart].queries)
        only = [
            repr(query) for query in by_name[system].queries if query not in queries_of_counterpart
        ]
        if only:
            subject, verb = ("query", "is") if len(only) == 1 else ("queries", "are")
            parts.append(f"{subject} {name_some(only)} {verb} only in {system!r}")
    return "; ".join(parts)


def name_pair(
    names: Sequence[str], a: str | None, b: str | None, baseline: str | None = None
) -> tuple[str, str]:
    """The two systems to compare; of only two, those that are not named by a= or b=."""
    for word, system in (("a", a), ("b", b)):
        if system is not None and system not in names:
            available = ", ".join(map(printable, names))
            raise ValueError(f"{word}: no evaluation is named {system!r}; there are {available}")
    if b is None and a != baseline:
        b = baseline
    remaining = [name for name in names if name not in (a, b)]
    missing = [a, b].count(None)
    if (a == b and a is not None) or (missing and len(remaining) != missing):
        available = ", ".join(map(printable, names))
        raise ValueError(f"choose two systems with a= and b=, out of {available}")
    if a is None:
        a = remaining.pop(0)
    if b is None:
        b = remaining.pop(0)
    return a, b


def name_evaluations(evaluations: object) -> dict[str, Evaluation]:
    """The evaluations by name, at least two."""
    if not isinstance(evaluations, Mapping):
        kind = type(evaluations).__name__
        if isinstance(evaluations, Evaluation):
            kind = "a single Evaluation"
        raise TypeError(
            'pass a dict such as {"old": a, "new": b}, or the result of evaluate_runs, not '
            f"{kind}"
        )
    result: dict[str, Evaluation] = {}
    for name, evaluation in evaluations.items():
        if isinstance(evaluation, Accumulator):
            raise TypeError(
                f"evaluations[{name!r}] holds only sums, as of keep='sums', and a comparison needs "
                "a value for each query; evaluate without keep='sums' to compare"
            )
        if not isinstance(evaluation, Evaluation):
            raise TypeError(
                f"evaluations[{name!r}] must be an Evaluation, not {type(evaluation).__name__}; "
                "rankgain.Evaluation.from_values builds one from a value for each query"
            )
        if str(name) in result:
            raise ValueError(f"two evaluations are called {str(name)!r}; give them different names")
        result[str(name)] = evaluation
    if len(result) < 2:
        raise ValueError(f"pass at least two evaluations, not {len(result)}")
    return result


def name_measures(aligned: Aligned, measures: Measures | None) -> list[str]:
    """Names of the requested measures, which all evaluations must have; by default all."""
    first = next(iter(aligned.evaluations.values()))
    if measures is None:
        names = list(first.means)
    else:
        requested = measures if isinstance(measures, (list, tuple)) else [measures]
        names = list(dict.fromkeys(first.key_of(measure) for measure in requested))
        if not names:
            raise ValueError("measures is empty; pass at least one, or omit measures=")
    for system, evaluation in list(aligned.evaluations.items())[1:]:
        lacking = [name for name in names if name not in evaluation.means]
        if lacking:
            raise ValueError(
                f"{system!r} lacks {lacking[0]} (it has {', '.join(evaluation.means)}). Evaluate "
                "the same measures, or pass those that all have as measures="
            )
    for name in names:
        _refuse_two_origins(aligned.evaluations, name)
    return names


def _refuse_two_origins(evaluations: Mapping[str, Evaluation], name: str) -> None:
    """Refuse a measure that rankgain computed for one system and that was given for another."""
    given_systems = [
        system for system, evaluation in evaluations.items() if name in evaluation.better
    ]
    computed_systems = [system for system in evaluations if system not in given_systems]
    if not given_systems or not computed_systems:
        return
    raise ValueError(
        f"the values of {name} were given for {given_systems[0]!r} and computed by rankgain for "
        f"{computed_systems[0]!r}, "
        "so they may not be the same measure; to compare them anyway, give the computed ones, too: "
        "Evaluation.from_values(evaluation.per_query, evaluation.queries)"
    )


# What the compared lists add to a system's mean, its rule, and the queries.
Evaluated: TypeAlias = tuple[Terms, MeanRule, Sequence[Hashable]]


class Units(NamedTuple):
    """The values of a measure on the lists of one comparison; systems are columns.

    A list adds a numerator and a divisor to the mean of a system. Divisors are None (1 each), one
    column for all systems, or a column for each system (micro means). kind: "mean", "sum", or
    "geometric", whose numerators are logarithms.
    """

    kind: str
    values: Floats  # (lists, systems)
    numerators: Floats
    divisors: Floats | None
    lists: Integers  # positions of the lists among all that are compared
    evaluated: tuple[Evaluated | float, ...] = ()  # of each system; numbers of all lists as such
    collections: Integers | None = None  # the collection of each list, if several are pooled

    def part(self, rows: Integers | slice, columns: Array | list[int] | slice) -> Units:
        """The units of some lists and some systems."""
        values = self.values[rows][:, columns]
        numerators = self.numerators[rows][:, columns]
        divisors = self.divisors
        if divisors is not None:
            divisors = divisors[rows]
            if divisors.ndim == 2:
                divisors = divisors[:, columns]
        evaluated: tuple[Evaluated | float, ...] = ()
        if self.evaluated:
            # The columns may be a slice, indices or a mask: as indices they are all the same.
            systems = np.arange(self.values.shape[1])[columns]
            evaluated = tuple(self.evaluated[system] for system in systems)
        selected = Units(self.kind, values, numerators, divisors, self.lists[rows], evaluated)
        if self.collections is None:
            return selected
        return selected.weigh_collections(self.collections[rows])  # sizes may have changed

    def weigh_collections(self, collections: Integers) -> Units:
        """The units with weights 1 / (C n_c), so that each of C collections counts equally."""
        sizes = np.bincount(collections)
        weights = 1 / (np.count_nonzero(sizes) * sizes[collections])
        numerators = self.values * weights[:, np.newaxis]
        return self._replace(numerators=numerators, divisors=weights, collections=collections)

    def tables(self) -> list[Floats]:
        """The values that tests use, a table for each collection."""
        if self.collections is None:
            return [self.tested.linear()]
        codes = np.unique(self.collections).tolist()
        return [self.values[self.collections == code] for code in codes]

    @property
    def is_over_all_lists(self) -> bool:
        """Whether the measure is one number of all lists, such as coverage."""
        return any(isinstance(evaluated, float) for evaluated in self.evaluated)

    @property
    def is_micro(self) -> bool:
        """Whether each system has divisors of its own."""
        return self.divisors is not None and self.divisors.ndim == 2

    @property
    def tested(self) -> Units:
        """The units that tests use; a geometric mean is tested as the mean of the logarithms."""
        if self.kind == "geometric":
            return self._replace(kind="mean")
        return self

    def evaluated_means(self) -> Floats:
        """The mean of each system, with the bits of an evaluation of only these lists."""
        means = []
        for evaluated in self.evaluated:
            if isinstance(evaluated, float):
                means.append(evaluated)
                continue
            terms, rule, queries = evaluated
            if rule.summation == "by_id" and not isinstance(queries, range):
                queries = [queries[index] for index in self.lists.tolist()]
            if self.collections is not None:
                terms = terms.select(self.lists)
                means.append(pooled_mean(terms, rule, self.collections, queries))
                continue
            means.append(mean(terms.select(self.lists), rule, rule.order(queries)))
        return np.array(means)

    def means(self) -> Floats:
        """The mean of each system by the sums that resamples use, never rounded."""
        divisors = np.float64(len(self.numerators))
        if self.divisors is not None:
            divisors = self.divisors.sum(axis=0)
        means: Floats = divide_sums(self.kind, self.numerators.sum(axis=0), divisors)
        return means

    def linear(self) -> Floats:
        """A column of values for each system, with its mean and the variance of this mean.

        An unweighted mean takes the values themselves, other means the linear part of the ratio
        (the delta method).
        """
        n = len(self.numerators)
        if self.kind == "sum":
            return self.numerators * n
        if self.divisors is None:
            values = self.numerators
        else:
            weights = self.divisors
            if weights.ndim == 1:
                weights = weights[:, np.newaxis]
            # Of r = sum(x) / sum(w), the derivatives add (x - r w) / sum(w) for a list; times n,
            # since the mean of the column divides by n.
            with np.errstate(invalid="ignore", divide="ignore"):
                total = weights.sum(axis=0)
                ratio = self.numerators.sum(axis=0) / total
                values = ratio + n * (self.numerators - ratio * weights) / total
        if self.kind == "geometric":
            # The geometric mean is exp(mean of logarithms): exp(x) is about exp(c) (1 + x - c).
            center = values.mean(axis=0)
            values = np.exp(center) * (1 + values - center)
        return values


def make_units(aligned: Aligned, name: str) -> Units:
    """The values of one measure in all evaluations, and what each list adds to their means."""
    better = next(iter(aligned.evaluations.values())).better
    lists = np.arange(len(aligned.queries))
    kind = "mean" if name in better else find_family(name).mean
    if kind == "whole":
        return _make_units_of_whole(aligned, name, lists)
    columns = []
    evaluated = []
    for system, evaluation in aligned.evaluations.items():
        positions = aligned.lists[system]
        values = evaluation.per_query[name]
        missing = np.isnan(values)
        if np.isnan(evaluation.means[name]) and missing.any() and not missing.all():
            raise ValueError(
                f"{name} of query {evaluation.queries[int(missing.argmax())]!r} is nan in "
                f'{system!r}, and so is the mean; evaluate with empty="skip" to skip such lists, '
                "or with a number for them"
            )
        terms = evaluation._terms_of(name, kind)
        divisors = terms.divisors
        if divisors is None:
            divisors = np.ones(len(values))
        columns.append((values[positions], terms.numerators[positions], divisors[positions]))
        evaluated.append((terms.select(positions), evaluation.mean_rule, aligned.queries))
    kinds = {terms.kind for terms, *_ in evaluated}
    if len(kinds) > 1:
        words = [f"{mean_kind} mean".removeprefix("mean ") for mean_kind in kinds]  # no "mean mean"
        raise ValueError(f"{name} is a {' and a '.join(sorted(words))} in different evaluations")
    # Transposed, the values of each system are contiguous.
    values, numerators, divisors = (np.array(rows).T for rows in zip(*columns, strict=True))
    has_value = ~np.isnan(numerators)
    if not (np.isfinite(numerators[has_value]).all() and np.isfinite(divisors[has_value]).all()):
        raise ValueError(f"{name}: a value is infinite, so its lists cannot be compared")
    units = Units(kinds.pop(), values, numerators, divisors, lists, tuple(evaluated))
    if (divisors == 1).all():
        units = units._replace(divisors=None)
    elif (divisors == divisors[:, :1]).all():
        units = units._replace(divisors=divisors[:, 0])
    return _weigh_pooled(units, aligned)


def _make_units_of_whole(aligned: Aligned, name: str, lists: Integers) -> Units:
    """The pseudo-values of a measure of all lists together: what each list adds to it."""
    columns, means = [], []
    items: dict[str, int | None] = {}  # in the catalogue of each system
    for system, evaluation in aligned.evaluations.items():
        positions = aligned.lists[system]
        if not isinstance(positions, slice):
            evaluation = select_lists(evaluation, positions, evaluation.counts)
        columns.append(pseudo_values(evaluation, name))
        # `Aligned.part` makes segments before there are units, so that all lists are these.
        means.append(float(evaluation.means[name]))
        if evaluation.recommended:
            items[system] = evaluation.recommended.n_items
    first, *other_systems = items
    for second in other_systems:
        if items[first] != items[second]:
            raise ValueError(
                f"{name}: the catalogue of {first} has {items[first]} items and that of "
                f"{second} {items[second]}; evaluate both with the same catalogue="
            )
    values = np.array(columns).T
    return Units("mean", values, values, None, lists, tuple(means))


def _weigh_pooled(units: Units, aligned: Aligned) -> Units:
    """The units with the weights of their collections, if several are pooled."""
    system, evaluation = next(iter(aligned.evaluations.items()))
    if evaluation.collections is None:
        return units
    codes = collection_codes(evaluation.collections)[aligned.lists[system]]
    return units.weigh_collections(codes)


class Draws(NamedTuple):
    """Number of resamples, and their seed."""

    resamples: int
    seed: int

    def flips(self, lists: int) -> tuple[int, int | None]:
        """The number of flips of lists, and their seed: None for all patterns, if they are few."""
        if 2**lists <= self.resamples:
            return 2**lists, None
        return self

    def p_values(self, reached: Integers, lists: int) -> Floats:
        """The p-value for each number of flips that reach the difference."""
        flips, seed = self.flips(lists)
        if seed is None:
            return reached / flips
        return (reached + 1) / (flips + 1)  # the observed signs count as a flip, too

    def min_count_not_rejected(self, level: float, lists: int | None = None) -> int:
        """The smallest number b of draws with p >= 1 - level, if b draws reach a difference.

        p is (b + 1) / (B + 1) for B random draws, and b / B for all patterns of flips of lists.
        """
        flips: int = self.resamples
        seed: int | None = self.seed
        if lists is not None:
            flips, seed = self.flips(lists)
        # Of random draws, the observed data count as one more draw that reaches the difference.
        extra = 0 if seed is None else 1
        total = flips + extra
        count = math.ceil((1 - level) * total) - extra
        while (count + extra) / total < 1 - level:  # the product may have been rounded
            count += 1
        while (count - 1 + extra) / total >= 1 - level:
            count -= 1
        return count


class Pairs(NamedTuple):
    """The systems a and b of each comparison, as arrays of indices."""

    a: Integers
    b: Integers

    @classmethod
    def among(cls, systems: int, baseline: int | None) -> Pairs:
        """All pairs in the order of the systems, or each other system with a baseline."""
        if baseline is None:
            count = systems * (systems - 1) // 2
            if count > MOST_PAIRS:
                raise ValueError(
                    f"{systems:,} systems make {count:,} pairs, more than {MOST_PAIRS:,}; compare "
                    "them with a baseline"
                )
            return cls(*np.triu_indices(systems, 1))
        other_systems = np.delete(np.arange(systems), baseline)
        return cls(other_systems, np.full(len(other_systems), baseline))

    def differences(self, table: Floats) -> Iterator[tuple[Integers, Floats]]:
        """Columns a minus columns b of a table, in blocks: which pairs, and a row for each."""
        rows = np.ascontiguousarray(table.T)
        has_baseline = not np.any(self.b - self.b[0])
        # A block holds the pairs that share a system: the baseline b, or otherwise the same a.
        shared, varying = self.a, self.b
        if has_baseline:
            shared, varying = self.b, self.a
        order = np.argsort(shared, kind="stable")
        starts = np.flatnonzero(np.diff(shared[order], prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
            selected = order[start:stop]
            shared_row = rows[shared[selected[0]]]
            systems = varying[selected]
            if np.all(np.diff(systems) == 1):  # a slice copies nothing
                rows_of_systems = rows[systems[0] : systems[-1] + 1]
            else:
                rows_of_systems = rows[systems]
            if has_baseline:
                yield selected, rows_of_systems - shared_row
            else:
                yield selected, shared_row - rows_of_systems

    def scatter(self, table: Floats) -> tuple[Floats, Floats]:
        """The means of the pairs' differences of columns, and their standard deviations."""
        sizes = np.abs(table).max(axis=0)
        rounding = ROUNDING * (sizes[self.a] + sizes[self.b])
        center, scale = np.empty((2, len(rounding)))
        for selected, values in self.differences(table):
            center[selected] = values.mean(axis=1)
            scale[selected] = values.std(axis=1, ddof=1)
        center[np.abs(center) <= rounding] = 0.0  # below the rounding error of the sums
        scale[scale <= rounding] = 0.0
        return center, scale

    def groups(self, systems: int) -> Iterator[tuple[Integers, Integers | slice, Pairs]]:
        """Groups of pairs with at most so many systems: positions, systems, and pairs of these."""
        # Systems in blocks of half the size: a pair lies in two blocks at most, which fit together.
        half = max(1, systems // 2)
        if max(self.a.max(), self.b.max()) < systems:
            yield np.arange(len(self.a)), slice(None), self
            return
        blocks = np.stack((self.a // half, self.b // half), axis=1)
        _, codes_of_blocks = np.unique(blocks, axis=0, return_inverse=True)
        for block in range(codes_of_blocks.max() + 1):
            selected = np.flatnonzero(codes_of_blocks == block)
            systems_of_pairs = np.stack((self.a[selected], self.b[selected]))
            columns, codes = np.unique(systems_of_pairs, return_inverse=True)
            yield selected, columns, Pairs(*codes.reshape(2, -1))

    def difference(self, column: Floats) -> Floats:
        """The difference of each pair, from one value for each system."""
        return column[self.a] - column[self.b]
