"""Many measures in one pass: one ranking per list, whatever the number of measures and cutoffs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import UNSET, Convention
from ..engine.notices import warn_of_labels
from ..engine.plan import row_of
from ..engine.planset import Columns, finish
from ..engine.prepared import CALLS, Prepared
from ..engine.settings import DIVISOR_WORDS, DIVISORS, Settings, key_of, resolve
from ..engine.threads import usable_threads
from ..lists.lists import Lists
from ..names.catalogue import FAMILIES
from ..names.family import Family
from ..names.measure import Measure
from ..results.counting import count_undefined
from ..results.evaluation import Evaluation, OwnColumns
from ..results.intervals.resampling import Shares
from ..results.sums.merging import order_of
from .asked import measures_under, refuse_untaken
from .means import is_plain, logarithms, mean, read_weights, rule_of, shares_of

if TYPE_CHECKING:
    from .bounds import Bounds

KINDS = ("ties", "unjudged")  # of bounds
NO_TIE_BOUNDS = ("inferred_ap",)


def settings_of(
    measure: Measure, given: dict[str, Any], rules: Convention, ties: str | None = None
) -> tuple[Family, Settings]:
    """A measure's settings: its name's parameters win over arguments, those over the convention.

    ties is the rule in terms of lists that were laid out for the one asked, and wins over all.
    """
    family = FAMILIES[measure.family.lower()]
    takes = family.arguments
    mine = {name: value for name, value in given.items() if name in takes}
    divisor = mine.get("divisor", UNSET)
    if divisor in DIVISOR_WORDS and divisor not in DIVISORS[family.function]:
        del mine["divisor"]
    params = dict(measure.params)
    per = params.pop("per", "user")
    mine.update(params)
    if measure.k is not None or family.cutoff in ("none", "recall"):
        mine["k"] = measure.k
    try:
        settings = resolve(family.function, mine, rules, str(per))
    except (TypeError, ValueError) as error:
        if params:
            raise type(error)(f"measure {str(measure)!r}: {error}") from None
        raise
    return family, settings if ties is None else settings._replace(ties=ties)


def prepare_all(
    measures: Any, given: dict[str, Any], rules: Convention, ties: str | None, whole: bool
) -> Prepared:
    """The measures asked with their settings; kept, as reading many takes as long as some lists.

    whole: these are all measures of the call, so that what they do not take is taken by none.
    """
    names = (measures,) if isinstance(measures, (str, Measure)) else measures
    plain = key_of(given)
    key = None
    listed = type(names) in (list, tuple) and all(type(one) in (str, Measure) for one in names)
    if plain is not None and listed:
        key = tuple(names), id(rules), ties, plain, whole
        known = CALLS.get(key)
        if known is not None:
            return known
    asked = measures_under(measures, rules)
    if rules.unjudged != "drop":
        refuse_judged_only(asked.measures)
    if whole:
        refuse_untaken(asked.measures, given)
    settings = [settings_of(one, given, rules, ties) for one in asked.measures]
    prepared = Prepared(settings, rules, asked)
    if key is not None:
        CALLS.keep(key, prepared)
    return prepared


def read_kinds(bounds: Any) -> tuple[str, ...]:
    """Check `bounds=` and bring it into one order."""
    kinds = (bounds,) if isinstance(bounds, str) else bounds
    if kinds is None:
        return ()
    if not isinstance(kinds, Iterable):
        raise TypeError(f'bounds must hold "ties" or "unjudged", not {bounds!r}')
    asked = list(kinds)
    for kind in asked:
        if kind not in KINDS:
            raise ValueError(f'bounds must hold "ties" or "unjudged", not {kind!r}')
    return tuple(kind for kind in KINDS if kind in asked)


def refuse_judged_only(measures: Iterable[Measure]) -> None:
    """Refuse measures that leave unjudged documents out of what does not tell them."""
    for one in measures:
        if one.params.get("judged_only"):
            raise ValueError(
                f"measure {str(one)!r}: arrays do not say which documents are judged; leave the "
                "others out yourself, or evaluate qrels and a run"
            )


def _refuse_unbounded(asked: Sequence[tuple[Family, Settings]], kinds: tuple[str, ...]) -> None:
    for family, _ in asked:
        if "ties" in kinds and family.function in NO_TIE_BOUNDS:
            raise ValueError(
                f"{family.name}: neither its best nor its worst order of ties is known; leave it, "
                'or bounds="ties", out of this call'
            )
        if "unjudged" in kinds and row_of(family).judged:
            raise ValueError(
                f"{family.name} sets unjudged documents aside, so it has no bounds over what they "
                'are worth; leave it, or bounds="unjudged", out of this call'
            )


def evaluate_lists(
    lists: Lists,
    measures: Any,
    given: dict[str, Any],
    rules: Convention,
    weight: Any,
    threads: int | None,
    bounds: Any,
    counts: dict[str, int] | None = None,
    scored: Lists | None = None,
    ties: str | None = None,
    shown: Sequence[Any] | None = None,
    names: Mapping[str, str] | None = None,
    told: set[str] | None = None,
    segments: Sequence[Any] | None = None,
) -> Evaluation:
    """Values and means of lists that were read; `scored` has scores that `lists` need not show.

    shown: the queries as the result has them, where they are not those of the lists; names: where
    some measures of a call are asked, the names under which all its values are found; told: what
    the call has warned of.
    """
    kinds = read_kinds(bounds)
    prepared = prepare_all(measures, given, rules, ties, names is None)
    weights = read_weights(weight, len(lists), lists.layout.queries, shown)
    table = Columns(prepared.asked, lists, prepared=prepared)
    _refuse_unbounded(table.asked, kinds)
    values = _Values(prepared.names.measures, table, usable_threads(threads), weights, rules)
    counted: dict[str, Any] = {"queries": len(lists), **(counts or {})}
    means, shares, left_out = values.means(counted)
    found = values.bounds(kinds, scored or lists, left_out) if kinds else None
    warn_of_labels(lists, table.asked, set() if told is None else told)
    return Evaluation(
        means,
        values.columns(),
        _queries(lists) if shown is None else shown,
        convention=rules.name,
        counts={**counted, **(found.counts if found else {})},
        bounds=found and found.lists,
        bound_means=found and found.means,
        weights=weights,
        versions={"convention": rules.version},
        shares=shares,
        asked=prepared.names.names if names is None else names,
        segments=segments,
    )


def _queries(lists: Lists) -> Sequence[Any]:
    queries = lists.layout.queries
    shown: Sequence[Any] = range(len(lists)) if queries is None else np.asarray(queries).tolist()
    return shown


class _Values:
    """The values of the measures asked, a column each, and what an evaluation says of them."""

    def __init__(
        self,
        asked: tuple[Measure, ...],
        table: Columns,
        workers: int,
        weights: Any,
        rules: Convention,
    ) -> None:
        self.asked, self.table, self.workers = asked, table, workers
        self.weights, self.rules = weights, rules
        self.out = table.values(workers)

    def means(
        self, counted: dict[str, Any]
    ) -> tuple[dict[str, float], dict[str, Shares], list[Any]]:
        """The means, what lists add to those that are not simply of the values, what is undefined.

        The values of undefined lists become what `empty` says, and are counted.
        """
        means: dict[str, float] = {}
        shares: dict[str, Shares] = {}
        left_out = []
        table, weights = self.table, self.weights
        order = order_of(self.rules, table.lists.layout.queries)
        rule_for: dict[Any, Any] = {}
        for at, measure in enumerate(self.asked):
            family, settings = table.asked[at]
            values, name, items = self.out[:, at], str(measure), table.items.get(at)
            undefined = finish(values, settings, name, table.none)
            if undefined is not table.none:
                count_undefined(counted, name, settings.empty, undefined)
            kind = family.mean, settings.function, settings.k is None, settings.empty == "skip"
            if kind not in rule_for:
                rule_for[kind] = rule_of(self.rules, settings, family.mean, order)
            means[name] = mean(values, weights, undefined, rule_for[kind], items)
            if not is_plain(rule_for[kind], family, weights, items):
                shares[name] = shares_of(values, weights, undefined, rule_for[kind], items)
            left_out.append(undefined)
        return means, shares, left_out

    def columns(self) -> OwnColumns:
        """By measure and read-only, so that the result needs no copy."""
        self.out.flags.writeable = False
        columns = OwnColumns()
        for at, measure in enumerate(self.asked):
            values = self.out[:, at]
            if self.table.asked[at][0].mean == "geometric":
                values = logarithms(values)
                values.flags.writeable = False
            columns[str(measure)] = values
        return columns

    def bounds(self, kinds: tuple[str, ...], scored: Lists, left_out: list[Any]) -> "Bounds":
        """The bounds of the lists and of the means, and what was counted on the way."""
        from .bounds import Found, find_bounds  # few ask for them

        known = Found(self.asked, self.table.asked, list(self.out.T), left_out)
        return find_bounds(
            kinds, self.table.lists, scored, known, self.rules, self.weights, self.workers
        )
