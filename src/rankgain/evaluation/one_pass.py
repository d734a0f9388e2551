"""Evaluate many measures on lists, with one ranking per list for all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypedDict

import numpy as np

from ..convention import UNSET, Convention, get_convention
from ..convention.fields import are_equal, setting_value
from ..convention.options import DIVISOR_WORDS, DIVISORS, SETTINGS
from ..engine.columns import CALLS, MeasureColumns, Prepared, finish, ignore_by_rules
from ..engine.means import MeanRule, Shares, average, logarithms, read_sharing, read_weights
from ..engine.notices import warn_of_gaps, warn_of_labels, warn_of_padding
from ..engine.settings import Family, Settings, resolve
from ..engine.threads import usable_threads
from ..inputs.lists import Lists, reword_error
from ..inputs.sparse import Sparse
from ..measures.measure import Measure, read_measures, refuse_unused
from .counting import count_undefined
from .evaluation import Evaluation, ReadOnlyColumns

if TYPE_CHECKING:
    from ..convention.options import Unset
    from ..engine.bounds import Bounds
    from ..inputs.types import Array, Bools, Floats, Weight
    from ..measures.types import Bounds as BoundKinds
    from ..measures.types import Discount, Divisor, Empty, Gain, Measures, Rules, Ties

USE_CATALOGUE = "is of the items of all lists; use evaluate_catalogue"
BOUND_KINDS = ("ties", "unjudged")  # of bounds


class RankedOptions(TypedDict, total=False):
    """Options for rankings without ties."""

    gain: Gain
    discount: Discount
    log_base: float
    rel: float
    divisor: Divisor
    beta: float
    p: float
    max_label: float
    empty: Empty


class TieOptions(RankedOptions, total=False):
    """Options for scores, which may tie."""

    ties: Ties


class SeededOptions(TieOptions, total=False):
    """All options that change the values of measures."""

    seed: SupportsIndex


class CountOptions(TieOptions, total=False):
    """Options where ranks are counted, which knows no order of tied documents."""

    weight: Weight
    convention: Rules | Unset
    threads: int | None


class ModelOptions(SeededOptions, CountOptions, total=False):
    """Options where a model scores all items, a block of users at a time."""


class CallOptions(ModelOptions, total=False):
    """Options of all evaluations of lists with scores."""

    bounds: BoundKinds


class CallSettings(NamedTuple):
    """The options of a call: settings of its measures, and what holds for all of its lists."""

    settings: dict[str, Any]
    rules: Convention
    weight: Weight = None
    threads: int | None = 1
    bounds: object = ()


# Arguments that another function has, or that have another name here.
ELSEWHERE = {
    "keep": ("evaluate_batches", "evaluate_batches has it"),
    "by": ("", "query= names the columns that make a list, and by= segments in compare"),
    "document": ("", "doc= names the column of the documents"),
}


def read_call(
    options: Mapping[str, Any],
    kind: type[Any],
    function: str,
    convention: str | Convention,
    arrays: Sequence[str] = (),
) -> CallSettings:
    """Read the options of a call; convention: the usual one of the function.

    arrays: other arguments of the function, which an error may suggest.
    """
    known = kind.__annotations__
    for name in options:
        if name not in known:
            k = options[name] if type(options[name]) is int else 10
            hint = f'; a measure has its cutoff in its name: "nDCG@{k}"' if name == "k" else ""
            if name in ELSEWHERE and ELSEWHERE[name][0] != function:
                hint = f"; {ELSEWHERE[name][1]}"
            hint = hint or _suggest_argument(name, (*known, *arrays))
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")
    settings = {name: options.get(name, UNSET) for name in SETTINGS if name in known}
    rules = options.get("convention", UNSET)
    others = {name: options[name] for name in ("weight", "threads", "bounds") if name in options}
    return CallSettings(settings, get_convention(convention if rules is UNSET else rules), **others)


def _suggest_argument(name: str, known: Sequence[str]) -> str:
    """The end of an error for an unknown argument: the most similar known one."""
    from difflib import get_close_matches  # imported only for the error

    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}=?" if near else ""


def complete_settings(
    measure: Measure, options: dict[str, Any], rules: Convention, ties: str | None = None
) -> tuple[Family, Settings]:
    """Settings of a measure: parameters in its name, then arguments, then the convention."""
    family = measure.definition
    if not family.row.shape:
        raise ValueError(f"measure {str(measure)!r} {USE_CATALOGUE}")
    arguments = {name: value for name, value in options.items() if name in family.params}
    divisor = arguments.get("divisor", UNSET)
    if divisor in DIVISOR_WORDS and divisor not in DIVISORS[family.function]:
        del arguments["divisor"]
    params = dict(measure.params)
    per = params.pop("per", "user")
    arguments.update(params)
    if measure.k is not None or family.cutoff in ("none", "recall") or "share" in params:
        arguments["k"] = measure.k
    try:
        settings = resolve(family, arguments, rules, str(per))
    except (TypeError, ValueError) as error:
        if params:
            reword_error(error, f"measure {str(measure)!r}: {error}")
        raise
    return family, settings if ties is None else settings._replace(ties=ties)


KEY_TYPES = (str, int, float, type(None), type(UNSET))  # of options that a cache key may have
# Settings without effect unless another setting has this value.
ONLY_WITH = {"seed": ("ties", "random"), "log_base": ("discount", "log")}


def find_changes(
    measures: Sequence[Measure], options: dict[str, Any], rules: Convention
) -> dict[str, Any]:
    """The options that change some measure: not those with the convention's own value."""

    def differs(measure: Measure, name: str, others: dict[str, Any]) -> bool:
        if name not in measure.definition.params:
            return False
        changed = complete_settings(measure, options, rules)[1]
        if name in ONLY_WITH and getattr(changed, ONLY_WITH[name][0]) != ONLY_WITH[name][1]:
            return False
        usual = complete_settings(measure, others, rules)[1]
        return not are_equal(*(setting_value(getattr(one, name)) for one in (changed, usual)))

    result = {}
    for name, value in options.items():
        if value is not UNSET:
            others = {**options, name: UNSET}
            if any(differs(one, name, others) for one in measures):
                result[name] = setting_value(value)
    return result


def key_of_call(options: dict[str, Any], measures: Measures, rules: Convention) -> Any:
    """The cache key of a call; None if a part of it has no hash, or may be read only once.

    Conventions are compared by value, so an equal convention from another `replace` hits the cache.
    Types are part of the key, because 1, 1.0 and True are equal but not equally valid.
    """
    names = (measures,) if isinstance(measures, (str, Measure)) else measures
    if type(names) not in (list, tuple) or any(type(one) not in (str, Measure) for one in names):
        return None
    if not all(type(value) in KEY_TYPES for value in options.values()):
        return None
    key = tuple(names), rules, tuple(options.items()), (*map(type, options.values()),)
    try:
        hash(key)
    except TypeError:  # the convention has a gain or discount without a hash
        return None
    return key


def prepare_all(
    measures: Measures,
    options: dict[str, Any],
    rules: Convention,
    over_all_lists: str = USE_CATALOGUE,
) -> Prepared:
    """The requested measures with their settings, cached.

    over_all_lists: what the error for a measure of the items of all lists says.
    """
    key = key_of_call(options, measures, rules)
    known = None if key is None else CALLS.get(key)
    if known is not None:
        return known
    requested = read_measures(measures, rules)
    for measure in requested.measures:
        if not measure.definition.row.shape:
            raise ValueError(f"measure {str(measure)!r} {over_all_lists}")
    if rules.unjudged != "drop" and any(one.params for one in requested.measures):
        refuse_judged_only(requested.measures)
    passed = any(value is not UNSET for value in options.values())
    if passed:
        refuse_unused(requested.measures, options)
    settings = [complete_settings(one, options, rules) for one in requested.measures]
    changed = find_changes(requested.measures, options, rules) if passed else {}
    prepared = Prepared(settings, requested._replace(settings=changed))
    if key is not None:
        CALLS.keep(key, prepared)
    return prepared


def refuse_judged_only(measures: Iterable[Measure]) -> None:
    """Refuse judged_only measures where the input does not say which documents are judged."""
    for one in measures:
        if one.params.get("judged_only"):
            raise ValueError(
                f"measure {str(one)!r}: arrays do not say which documents are judged; leave the "
                "others out yourself, or evaluate qrels and a run"
            )


def _check_kinds(measures: Sequence[tuple[Family, Settings]], bounds: object) -> tuple[str, ...]:
    """The requested kinds of bounds, in order; a measure without bounds of a kind is refused."""
    several = (bounds,) if isinstance(bounds, str) else () if bounds is None else bounds
    if not isinstance(several, Iterable):
        raise TypeError(f'bounds must hold "ties" or "unjudged", not {bounds!r}')
    passed = list(several)
    for kind in passed:
        if kind not in BOUND_KINDS:
            raise ValueError(f'bounds must hold "ties" or "unjudged", not {kind!r}')
    kinds = tuple(kind for kind in BOUND_KINDS if kind in passed)
    for family, settings in measures:
        kind, why = "", ""
        if kinds and family.compute is not None:
            why = " is computed by a function of your own, so its bounds are not known"
        elif kinds and (settings.takes_blocks or settings.list_weight):
            unit = "a mean over documents" if settings.list_weight else "a tie block as one"
            why = f" takes {unit}, so it has no bounds"
        elif kinds and family.row.reads != "labels":
            why = " is a measure of subtopics, so it has no bounds"
        elif "unjudged" in kinds and family.labels == "chances":
            kind = "unjudged"
            why = " takes labels as chances, of which none is the top label of unjudged documents"
        elif "ties" in kinds and not family.has_tie_bounds:
            kind, why = "ties", ": neither its best nor its worst order of ties is known"
        elif "unjudged" in kinds and family.row.judged:
            kind, why = "unjudged", " ignores unjudged documents, so their labels cannot change it"
        if why:
            bounds = f'bounds="{kind}"' if kind else "bounds="
            raise ValueError(f"{family.name}{why}; leave it, or {bounds}, out of this call")
    return kinds


class ListValues(NamedTuple):
    """The values of all lists, a row each, as `MeasureColumns` leaves them."""

    columns: Floats
    divisors: dict[int, Any]  # of micro means, by the place of the measure
    all_defined: Bools | None  # a mask of False if no value is undefined; None: not known

    @classmethod
    def joined(cls, blocks: Sequence[ListValues]) -> ListValues:
        """The values of blocks of lists as those of all lists."""
        columns = np.concatenate([block.columns for block in blocks])
        divisors = {
            place: np.concatenate([block.divisors[place] for block in blocks])
            for place in blocks[0].divisors
        }
        are_defined = all(block.all_defined is not None for block in blocks)
        all_defined = np.zeros(len(columns), bool) if are_defined else None
        return cls(np.asfortranarray(columns), divisors, all_defined)


def evaluate_lists(
    lists: Lists,
    prepared: Prepared,
    call: CallSettings,
    *,
    values: ListValues | None = None,
    counts: dict[str, int] | None = None,
    scored: Lists | None = None,
    displayed: Sequence[Any] | None = None,
    warned: set[str] | None = None,
    segments: Sequence[Any] | None = None,
    missing: Bools | None = None,
) -> Evaluation:
    """Evaluate measures with their settings on the lists, with bounds if requested.

    values: those of the lists, if they have been computed a block at a time.
    scored: the lists with scores, for bounds, if `lists` has none.
    displayed: the query ids of the result, if not those of the lists.
    warned: the kinds of warnings so far in the call.
    missing: which lists are empty, as there were no results of their query.
    """
    _, rules, weight, threads, bounds = call
    kinds = () if type(bounds) is tuple and not bounds else _check_kinds(prepared.measures, bounds)
    weights = None
    if weight is not None:
        weights = read_weights(weight, len(lists), lists.layout.queries, displayed)
    if rules.ignore_below is not None and values is None:
        lists = ignore_by_rules(lists, rules)
        scored = scored and ignore_by_rules(scored, rules)
    workers, rule = usable_threads(threads), MeanRule.of(rules)
    has_negative = False
    if values is None:
        table = MeasureColumns(prepared.measures, lists, prepared=prepared)
        out = table.values(workers)
        lists, has_negative = table.lists, table.has_negative
        values = ListValues(out, table.divisors, table.all_defined)
    counted: dict[str, Any] = {"queries": len(lists), **(counts or {})}
    means, columns, shares, left_out = _means(
        prepared, lists, values, weights, rules, rule, counted
    )
    result: Bounds | None = None
    if kinds:
        from ..engine.bounds import MeasureValues, find_bounds  # imported only when needed

        measured = MeasureValues(tuple(means), prepared.measures, list(values.columns.T), left_out)
        result = find_bounds(kinds, lists, scored or lists, measured, rules, weights, workers)
    warned = set() if warned is None else warned
    warn_of_gaps(lists, prepared.measures, warned)
    if isinstance(lists.labels, Sparse):
        warn_of_labels(lists, prepared.measures, warned)
    elif has_negative and lists.called == "y_true":  # labels of a table are not padded
        warn_of_padding(lists, prepared.measures, warned)
    undefined = counted.get("undefined", ())
    marked = {name: one for name, one in zip(means, left_out, strict=True) if name in undefined}
    if missing is not None:
        marked["missing"] = missing
    if displayed is None:
        queries = lists.layout.queries
        displayed = range(len(lists)) if queries is None else np.asarray(queries).tolist()
    return Evaluation(
        means,
        columns,
        displayed,
        convention=rules.name,
        counts={**counted, **(result.counts if result else {})},
        bounds=result and result.lists,
        bound_means=result and result.means,
        weights=weights,
        versions={"convention": rules.version},
        shares=shares,
        requested=prepared.request.names,
        segments=segments,
        settings=prepared.request.settings,
        marked=marked,
        rules=rules,
        mean_rule=rule,
        better=prepared.request.own_directions,
    )


def count_missing(
    present: Array, unjudged: int, rules: Convention, queries: Sequence[Any], words: str
) -> dict[str, int]:
    """Count lists without results, which a convention counts 0, leaves out or refuses."""
    missing, skips = int((~present).sum()), rules.missing == "skip"
    if missing and rules.missing == "raise":
        raise ValueError(words.format(queries[int(present.argmin())]))
    counts = {"missing": 0 if skips else missing, "skipped": missing if skips else 0}
    return {"queries": len(present) - counts["skipped"], **counts, "unjudged": unjudged}


def _means(
    prepared: Prepared,
    lists: Lists,
    computed: ListValues,
    weights: Floats | None,
    rules: Convention,
    rule: MeanRule,
    counted: dict[str, Any],
) -> tuple[dict[str, float], ReadOnlyColumns, dict[str, Shares], list[Any]]:
    """Return means, columns of values, shares of micro means, and which lists are undefined."""
    means: dict[str, float] = {}
    shares: dict[str, Shares] = {}
    columns, left_out = ReadOnlyColumns(), []
    out, all_defined = computed.columns, computed.all_defined
    by_id = rule.summation == "by_id"
    order = rule.order(lists.layout.queries) if by_id else None
    sharings: dict[Any, Any] = {}
    for at, name in enumerate(map(str, prepared.request.measures)):
        family, settings = prepared.measures[at]
        values, divisors = out[:, at], computed.divisors.get(at)
        undefined = finish(values, settings, name, all_defined)
        if undefined is not all_defined:
            count_undefined(counted, name, settings.empty, undefined)
        kind = family.mean, settings.function, settings.k is None, settings.empty == "skip"
        if kind not in sharings:
            sharings[kind] = read_sharing(rules, rule, settings, family.mean, order)
        sharing = sharings[kind]
        if divisors is not None and not sharing.skips:
            # No number can count for what adds nothing; a 0 of a convention adds nothing anywhere.
            number, lost = settings.empty, undefined & (divisors == 0)
            counts = number or family.skips_undefined
            if lost.any() and not math.isnan(number) and counts:
                raise ValueError(
                    f"empty={number:g}: {name} is undefined for "
                    f"{lists.place(int(lost.argmax()))}, which adds nothing to the two sums "
                    'whose ratio the mean is, so no number can count there; give empty="skip"'
                )
        means[name], added = average(values, weights, undefined, sharing, divisors)
        if added is not None:
            shares[name] = added
        columns[name] = logarithms(values) if family.mean == "geometric" else values
        columns[name].flags.writeable = False  # so the result need not copy them
        left_out.append(undefined)
    out.flags.writeable = False
    return means, columns, shares, left_out
