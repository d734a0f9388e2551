"""Many measures in one pass: one ranking per list, whatever the number of measures and cutoffs."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import UNSET, Convention
from ..convention.domains import DIVISOR_WORDS, DIVISORS
from ..engine.family import Family
from ..engine.means import MeanRule
from ..engine.notices import warn_of_labels
from ..engine.plan import row_of
from ..engine.planset import MeasureColumns, finish
from ..engine.prepared import CALLS, Prepared
from ..engine.resampling import Shares
from ..engine.settings import Settings, key_of, resolve
from ..engine.shares import logarithms, mean, read_weights, shares_of, sharing_of
from ..engine.threads import usable_threads
from ..inputs.lists import Lists
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure
from .counting import count_undefined
from .evaluation import Evaluation, OwnColumns
from .requested import Asked, measures_under, refuse_untaken
from .settings import are_equal, plain

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


# Settings that one value of another one alone looks at.
ONLY_WITH = {"seed": ("ties", "random"), "log_base": ("discount", "log")}


def settings_told(
    measures: Sequence[Measure], given: dict[str, Any], rules: Convention
) -> dict[str, Any]:
    """The settings given that make a measure another one than the convention does by itself.

    A default that is given must merge with a call that leaves it out, so it is not among them.
    """

    def differs(measure: Measure, name: str, others: dict[str, Any]) -> bool:
        if name not in FAMILIES[measure.family.lower()].arguments:
            return False
        mine = settings_of(measure, given, rules)[1]
        if name in ONLY_WITH and getattr(mine, ONLY_WITH[name][0]) != ONLY_WITH[name][1]:
            return False
        usual = settings_of(measure, others, rules)[1]
        return not are_equal(*(plain(getattr(one, name)) for one in (mine, usual)))

    result = {}
    for name, value in given.items():
        if value is not UNSET:
            others = {**given, name: UNSET}
            if any(differs(one, name, others) for one in measures):
                result[name] = plain(value)
    return result


def with_settings(requested: Asked, given: dict[str, Any], rules: Convention) -> Asked:
    """All measures of a call with its settings; kept, as those of `prepare_all` are."""
    key = _key(given, requested.measures, rules)
    known = None if key is None else CALLS.get(key)
    if known is None:
        warned = settings_told(requested.measures, given, rules)
        known = Prepared((), requested._replace(settings=warned))
        if key is not None:
            CALLS.keep(key, known)
    return requested._replace(settings=known.request.settings)


def _key(given: dict[str, Any], measures: Any, rules: Convention, *others: Any) -> Any:
    """What tells a call from all others; None where something in it is not plain.

    Equal conventions are one, so that those that are derived in each call are found again.
    """
    values = key_of(given)
    try:
        hash(rules)
    except TypeError:  # a gain or a discount that is no plain function
        return None
    return None if values is None else (measures, rules, values, *others)


def prepare_all(
    measures: Any, given: dict[str, Any], rules: Convention, ties: str | None, whole: bool
) -> Prepared:
    """The measures asked with their settings; kept, as reading many takes as long as some lists.

    whole: these are all measures of the call, so that what they do not take is taken by none.
    """
    names = (measures,) if isinstance(measures, (str, Measure)) else measures
    key = None
    if type(names) in (list, tuple) and all(type(one) in (str, Measure) for one in names):
        key = _key(given, tuple(names), rules, ties, whole)
        known = None if key is None else CALLS.get(key)
        if known is not None:
            return known
    requested = measures_under(measures, rules)
    if rules.unjudged != "drop":
        refuse_judged_only(requested.measures)
    if whole:
        refuse_untaken(requested.measures, given)
    settings = [settings_of(one, given, rules, ties) for one in requested.measures]
    if whole:
        requested = requested._replace(settings=settings_told(requested.measures, given, rules))
    prepared = Prepared(settings, requested)
    if key is not None:
        CALLS.keep(key, prepared)
    return prepared


def deepest_rank(measures: Any, given: dict[str, Any], rules: Convention) -> float:
    """The last rank whose document matters to some measure."""

    def rank(settings: Settings) -> float:
        own = settings.ideal == "list"  # that of all documents of the list
        return math.inf if own or settings.k is None else settings.k

    requested = prepare_all(measures, given, rules, None, True).requested
    return max((rank(settings) for _, settings in requested), default=math.inf)


def read_kinds(bounds: Any) -> tuple[str, ...]:
    """Check `bounds=` and bring it into one order."""
    kinds = (bounds,) if isinstance(bounds, str) else bounds
    if kinds is None:
        return ()
    if not isinstance(kinds, Iterable):
        raise TypeError(f'bounds must hold "ties" or "unjudged", not {bounds!r}')
    requested = list(kinds)
    for kind in requested:
        if kind not in KINDS:
            raise ValueError(f'bounds must hold "ties" or "unjudged", not {kind!r}')
    return tuple(kind for kind in KINDS if kind in requested)


def refuse_judged_only(measures: Iterable[Measure]) -> None:
    """Refuse measures that leave unjudged documents out of what does not tell them."""
    for one in measures:
        if one.params.get("judged_only"):
            raise ValueError(
                f"measure {str(one)!r}: arrays do not say which documents are judged; leave the "
                "others out yourself, or evaluate qrels and a run"
            )


def _kinds_of(requested: Sequence[tuple[Family, Settings]], bounds: Any) -> tuple[str, ...]:
    """The kinds of bounds asked; a measure that has none of a kind is refused."""
    kinds = read_kinds(bounds)
    for family, _ in requested:
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
    return kinds


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
    displayed: Sequence[Any] | None = None,
    all_requested: Asked | None = None,
    warned: set[str] | None = None,
    segments: Sequence[Any] | None = None,
) -> Evaluation:
    """Values and means of lists that were read; `scored` has scores that `lists` need not show.

    shown: the queries as the result has them, where they are not those of the lists; all_requested:
    where these are some measures of a call, all of them; told: what the call has warned of.
    """
    prepared = prepare_all(measures, given, rules, ties, all_requested is None)
    kinds = _kinds_of(prepared.requested, bounds)
    weights = read_weights(weight, len(lists), lists.layout.queries, displayed)
    table = MeasureColumns(prepared.requested, lists, prepared=prepared)
    values = _Values(prepared.request.measures, table, usable_threads(threads), weights, rules)
    counted: dict[str, Any] = {"queries": len(lists), **(counts or {})}
    means, shares, left_out = values.means(counted)
    result = values.bounds(kinds, scored or lists, left_out) if kinds else None
    warn_of_labels(lists, table.requested, set() if warned is None else warned)
    return Evaluation(
        means,
        values.columns(),
        _queries(lists) if displayed is None else displayed,
        convention=rules.name,
        counts={**counted, **(result.counts if result else {})},
        bounds=result and result.lists,
        bound_means=result and result.means,
        weights=weights,
        versions={"convention": rules.version},
        shares=shares,
        requested=(all_requested or prepared.request).names,
        segments=segments,
        settings=(all_requested or prepared.request).settings,
        rules=rules,
        mean_rule=MeanRule.of(rules),
    )


def _queries(lists: Lists) -> Sequence[Any]:
    queries = lists.layout.queries
    displayed: Sequence[Any] = (
        range(len(lists)) if queries is None else np.asarray(queries).tolist()
    )
    return displayed


class _Values:
    """The values of the measures asked, a column each, and what an evaluation says of them."""

    def __init__(
        self,
        requested: tuple[Measure, ...],
        table: MeasureColumns,
        workers: int,
        weights: Any,
        rules: Convention,
    ) -> None:
        self.requested, self.table, self.workers = requested, table, workers
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
        order = MeanRule.of(self.rules).order(table.lists.layout.queries)
        sharings: dict[Any, Any] = {}
        for at, measure in enumerate(self.requested):
            family, settings = table.requested[at]
            values, name, items = self.out[:, at], str(measure), table.items.get(at)
            undefined = finish(values, settings, name, table.none)
            if undefined is not table.none:
                count_undefined(counted, name, settings.empty, undefined)
            kind = family.mean, settings.function, settings.k is None, settings.empty == "skip"
            if kind not in sharings:
                sharings[kind] = sharing_of(self.rules, settings, family.mean, order)
            sharing = sharings[kind]
            added = shares_of(values, weights, undefined, sharing, items)
            if added is not None:
                shares[name] = added
            means[name] = mean(values, weights, undefined, sharing, added)
            left_out.append(undefined)
        return means, shares, left_out

    def columns(self) -> OwnColumns:
        """By measure and read-only, so that the result needs no copy."""
        self.out.flags.writeable = False
        columns = OwnColumns()
        for at, measure in enumerate(self.requested):
            values = self.out[:, at]
            if self.table.requested[at][0].mean == "geometric":
                values = logarithms(values)
                values.flags.writeable = False
            columns[str(measure)] = values
        return columns

    def bounds(self, kinds: tuple[str, ...], scored: Lists, left_out: list[Any]) -> "Bounds":
        """The bounds of the lists and of the means, and what was counted on the way."""
        from .bounds import Found, find_bounds  # few ask for them

        known = Found(self.requested, self.table.requested, list(self.out.T), left_out)
        return find_bounds(
            kinds, self.table.lists, scored, known, self.rules, self.weights, self.workers
        )
