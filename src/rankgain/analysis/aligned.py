"""Align evaluations: the lists that all of them have, in one order, and the values on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..convention import Convention
from ..engine.means import mean, means_of
from ..engine.notices import warn
from ..evaluation.evaluation import Evaluation
from ..evaluation.sums.merging import lists_at, terms_of
from ..measures.all_lists import is_over_all_lists, pseudo_values

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats
    from ..measures.types import Measures


MOST_NAMED = 3  # queries that an error names


class Aligned(NamedTuple):
    """Evaluations by name, and the lists that are compared."""

    evaluations: dict[str, Evaluation]
    queries: Any  # ids of the lists that are compared
    places: dict[str, Any]  # positions of these lists in each evaluation; None: all, in order
    left_out: dict[str, int]  # number of lists of an evaluation that others lack

    def part(self, mask: Array) -> Aligned:
        """The same evaluations on the lists where the mask is true."""
        at = np.flatnonzero(mask)
        places = {name: at if one is None else one[at] for name, one in self.places.items()}
        queries = [self.queries[i] for i in at.tolist()]
        return self._replace(queries=queries, places=places)


def align(evaluations: object, queries: str) -> Aligned:
    """Check the evaluations and find the lists to compare, in the order of the first."""
    by_name = _named(evaluations)
    if queries not in ("same", "common"):
        raise ValueError(f'queries must be "same" or "common", not {queries!r}')
    first = next(iter(by_name.values()))
    for name, one in by_name.items():
        if len(set(one.queries)) != len(one):
            raise ValueError(f"{name!r}: a query id occurs twice; each list must have its own")
    if all(_same(one.queries, first.queries) for one in by_name.values()):
        aligned = Aligned(by_name, first.queries, dict.fromkeys(by_name), {})
    else:
        where = {name: {q: i for i, q in enumerate(one.queries)} for name, one in by_name.items()}
        common = [q for q in first.queries if all(q in place for place in where.values())]
        left_out = {name: len(one) - len(common) for name, one in by_name.items()}
        left_out = {name: lists for name, lists in left_out.items() if lists}
        if left_out and queries == "same":
            raise ValueError(_what_differs(where))
        places = {name: np.array([where[name][q] for q in common], np.int64) for name in by_name}
        aligned = Aligned(by_name, common, places, left_out)
    if not len(aligned.queries):
        raise ValueError("the evaluations have no list in common, so there is nothing to compare")
    conventions = {one.convention for one in by_name.values()}
    if len(conventions) > 1:
        warn(
            f"the evaluations follow different conventions ({', '.join(sorted(conventions))}), so "
            "that their differences may come from the conventions, too, not only from the rankings"
        )
    ones = np.ones(len(aligned.queries))
    columns = {
        name: ones if one.weights is None else taken(aligned, name, one.weights)
        for name, one in by_name.items()
    }
    first_name = next(iter(columns))
    for name, column in columns.items():
        if not np.array_equal(column, columns[first_name]):
            raise ValueError(
                f"{first_name!r} and {name!r} weigh the lists differently; evaluate all with one "
                "weight="
            )
    return aligned


def _named(evaluations: object) -> dict[str, Evaluation]:
    """The evaluations by name, at least two."""
    if not isinstance(evaluations, Mapping):
        raise TypeError(
            f"evaluations must be Evaluations or a mapping name -> Evaluation, not "
            f"{type(evaluations).__name__}"
        )
    result: dict[str, Evaluation] = {}
    for name, one in evaluations.items():
        if not isinstance(one, Evaluation):
            raise TypeError(
                f"evaluations[{name!r}] must be an Evaluation, not {type(one).__name__}"
            )
        if str(name) in result:
            raise ValueError(f"two evaluations are called {str(name)!r}; give them different names")
        result[str(name)] = one
    if len(result) < 2:
        raise ValueError(f"compare needs at least two evaluations, not {len(result)}")
    return result


def _same(a: Any, b: Any) -> bool:
    """Whether two sequences of query ids are equal."""
    return a is b or (len(a) == len(b) and (a == b or tuple(a) == tuple(b)))


def _what_differs(where: dict[str, dict[Any, int]]) -> str:
    """The error for different queries; it names some that only one evaluation has."""
    names = list(where)
    other = next(name for name in names if where[name].keys() != where[names[0]].keys())
    parts = []
    for a, b in ((names[0], other), (other, names[0])):
        only = [query for query in where[a] if query not in where[b]]
        if only:
            names_of_queries = ", ".join(repr(query) for query in only[:MOST_NAMED])
            more = f" and {len(only) - MOST_NAMED} more" if len(only) > MOST_NAMED else ""
            parts.append(f"{names_of_queries}{more} only in {a!r}")
    return (
        f"the evaluations are not over the same queries: {'; '.join(parts)}; "
        'queries="common" compares those that all have'
    )


def taken(aligned: Aligned, name: str, column: Floats) -> Any:
    """A column of an evaluation, for the lists that are compared."""
    at = aligned.places[name]
    return np.asarray(column) if at is None else np.asarray(column)[at]


def measures_of(aligned: Aligned, measures: Measures | None) -> list[str]:
    """Names of the requested measures, which all evaluations must have; by default all."""
    first = next(iter(aligned.evaluations.values()))
    if measures is None:
        names = list(first.means)
    else:
        requested = measures if isinstance(measures, (list, tuple)) else [measures]
        names = list(dict.fromkeys(first.key_of(one) for one in requested))
        if not names:
            raise ValueError("measures is empty; name at least one, or leave it out")
    for system, one in list(aligned.evaluations.items())[1:]:
        lacking = [name for name in names if name not in one.means]
        if lacking:
            raise ValueError(
                f"{system!r} has no {lacking[0]}; it has {', '.join(one.means)}: evaluate the same "
                "measures, or name those to compare in measures="
            )
    return names


class Units(NamedTuple):
    """The values of a measure on the lists of one comparison; systems are columns.

    A list adds a numerator and a divisor to the mean of a system. Divisors are None (1 each), one
    column for all systems, or a column for each system (micro means). kind: "mean", "sum", or
    "geometric", whose numerators are logarithms.
    """

    kind: str
    values: Any  # (lists, systems)
    numerators: Any
    divisors: Any
    lists: Any  # positions of the lists among all that are compared
    mean_at: tuple[Callable[[Any], float], ...] = ()  # each system's mean over some of the lists

    def part(self, rows: object, columns: list[int] | slice | Array) -> Units:
        """The units of some lists and some systems."""
        divisors = self.divisors
        if divisors is not None:
            divisors = divisors[rows] if divisors.ndim == 1 else divisors[rows][:, columns]
        values, numerators = (one[rows][:, columns] for one in (self.values, self.numerators))
        systems = np.arange(self.values.shape[1])[columns] if self.mean_at else ()
        mean_at = tuple(self.mean_at[at] for at in systems)
        return Units(self.kind, values, numerators, divisors, self.lists[rows], mean_at)

    @property
    def is_micro(self) -> bool:
        """Whether each system has its own divisors."""
        return self.divisors is not None and self.divisors.ndim == 2

    @property
    def tested(self) -> Units:
        """The units that tests use; a geometric mean is tested as the mean of the logarithms."""
        return self._replace(kind="mean") if self.kind == "geometric" else self

    def evaluated_means(self) -> Any:
        """The mean of each system over these lists, as its evaluation computes it."""
        return np.array([mean_at(self.lists) for mean_at in self.mean_at])

    def means(self) -> Any:
        """The mean of each system by the sums that resamples use, never rounded."""
        n = len(self.numerators)
        divisors = np.float64(n) if self.divisors is None else self.divisors.sum(axis=0)
        return means_of(self.kind, self.numerators.sum(axis=0), divisors)

    def linear(self) -> Any:
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
            weights = self.divisors if self.divisors.ndim == 2 else self.divisors[:, np.newaxis]
            with np.errstate(invalid="ignore", divide="ignore"):
                total = weights.sum(axis=0)
                ratio = self.numerators.sum(axis=0) / total
                values = ratio + n * (self.numerators - ratio * weights) / total
        if self.kind == "geometric":
            center = values.mean(axis=0)
            values = np.exp(center) * (1 + values - center)
        return values


def units_of(aligned: Aligned, name: str) -> Units:
    """The values of one measure in all evaluations, and what each list adds to their means."""
    if is_over_all_lists(name):
        return _over_all_lists(aligned, name)
    shares = [one.shares_of(name) for one in aligned.evaluations.values()]
    kinds = {one.kind for one in shares}
    if len(kinds) > 1:
        means = sorted("mean" if one == "mean" else f"{one} mean" for one in kinds)
        raise ValueError(f"{name} is a {' and a '.join(means)} in different evaluations")
    systems = []
    for (system, one), share in zip(aligned.evaluations.items(), shares, strict=True):
        _refuse_nan(one, name, system)
        divisors = np.ones(len(one)) if share.divisors is None else share.divisors
        columns = one.per_query[name], share.numerators, divisors
        systems.append([taken(aligned, system, column) for column in columns])
    values, numerators, divisors = (np.array(each).T for each in zip(*systems, strict=True))
    known = np.where(np.isnan(numerators), 0.0, numerators)
    if not (np.isfinite(known).all() and np.isfinite(divisors[~np.isnan(numerators)]).all()):
        raise ValueError(f"{name}: a value is infinite, so its lists cannot be compared")
    if (divisors == divisors[:, :1]).all():
        divisors = None if (divisors == 1).all() else divisors[:, 0]
    mean_at = tuple(_mean_at(aligned, system, name) for system in aligned.evaluations)
    lists = np.arange(len(aligned.queries))
    return Units(kinds.pop(), values, numerators, divisors, lists, mean_at)


def _over_all_lists(aligned: Aligned, name: str) -> Units:
    """Pseudo-values of a measure of all lists together: what each list adds to it."""
    evaluations, places = aligned.evaluations, aligned.places
    some = {
        system: one if places[system] is None else lists_at(one, places[system], one.counts)
        for system, one in evaluations.items()
    }
    values = np.array([pseudo_values(one, name) for one in some.values()]).T
    items = {system: one.recommended.n_items for system, one in some.items() if one.recommended}
    a, *others = items
    for b in others:
        if items[a] != items[b]:
            raise ValueError(
                f"{name}: the catalogue of {a} has {items[a]} items and that of {b} {items[b]}; "
                "evaluate both with the same catalogue="
            )
    # `Aligned.part` makes segments before there are units, so that all lists are these.
    mean_at = tuple(lambda _, value=one.means[name]: value for one in some.values())
    return Units("mean", values, values, None, np.arange(len(aligned.queries)), mean_at)


def _mean_at(aligned: Aligned, system: str, name: str) -> Callable[[Any], float]:
    """The mean over some of the compared lists, with the bits of an evaluation of only these."""
    evaluation, at, queries = aligned.evaluations[system], aligned.places[system], aligned.queries
    terms, rule = terms_of(evaluation, name), evaluation.mean_rule
    terms = terms if at is None else terms.at(at)

    def mean_at(places: Any) -> float:
        some = queries
        if rule.summation == "by_id" and not isinstance(queries, range):
            some = [queries[place] for place in places.tolist()]
        return mean(terms.at(places), rule, rule.order(some))

    return mean_at


def _refuse_nan(one: Evaluation, name: str, system: str) -> None:
    """Refuse a mean that is nan because some lists are."""
    is_nan = np.isnan(one.per_query[name])
    if np.isnan(one.means[name]) and is_nan.any() and not is_nan.all():
        raise ValueError(
            f"{name} of query {one.queries[int(is_nan.argmax())]!r} is nan in {system!r}, and so "
            'is the mean; evaluate with empty="skip" to leave such lists out, or with a number for '
            "them"
        )


class Point(NamedTuple):
    """The values of the measure under one convention."""

    rules: Convention
    mean: float
    values: Any
    queries: Any
    undefined: Any  # lists where nothing is relevant


def change(before: float, after: float) -> float:
    """after - before; 0 where neither mean is defined, nan where only one is."""
    return 0.0 if before != before and after != after else after - before


def progress(here: float, there: float, goal: float) -> tuple[bool, float]:
    """Sort key of a choice: how much it reduces the distance to the goal, else how far it moves."""
    nearer = _distance(here, goal) - _distance(there, goal)
    return (True, nearer) if nearer > 0 else (False, _distance(here, there))


def _distance(a: float, b: float) -> float:
    """How far two means are apart; an undefined one is as far as can be from one that is not."""
    distance = abs(change(a, b))
    return distance if distance == distance else np.inf


class Moves(NamedTuple):
    """Lists whose values differ between two points, the largest differences first.

    Undefined lists come last, because their value is a choice.
    """

    queries: list[Any]
    before: Any  # nan if the list is left out
    after: Any


def moves(a: Point, b: Point) -> Moves:
    """The lists whose values differ between two points."""
    queries, x, y, differ = a.queries, a.values, b.values, False
    empty = a.undefined, b.undefined
    if a.queries != b.queries:
        queries = list(dict.fromkeys((*a.queries, *b.queries)))
        (x, here, *_), (y, there, *_) = ends = _on(queries, a), _on(queries, b)
        differ = here != there
        empty = ends[0][2], ends[1][2]
    differ = differ | ~((x == y) | (np.isnan(x) & np.isnan(y)))
    at = np.flatnonzero(differ)
    at = at[np.lexsort((-np.abs(y[at] - x[at]), (empty[0] | empty[1])[at]))]
    return Moves([queries[i] for i in at.tolist()], x[at], y[at])


def _on(queries: list[Any], point: Point) -> tuple[Any, Any, Any]:
    """A point's values for a superset of its queries, and masks: queries it has, undefined ones."""
    place = {query: at for at, query in enumerate(queries)}
    at = [place[query] for query in point.queries]
    values = np.full(len(queries), np.nan)
    has, undefined = np.zeros((2, len(queries)), bool)
    values[at], has[at], undefined[at] = point.values, True, point.undefined
    return values, has, undefined
