"""Evaluate many measures on lists, with one ranking per list for all of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypedDict

import numpy as np

from ..convention import UNSET, Convention, get_convention
from ..convention.fields import are_equal, setting_value
from ..convention.options import DIVISOR_WORDS, DIVISORS, SETTINGS
from ..engine.columns import CALLS, MeasureColumns, ResolvedCall, fill_and_round
from ..engine.means import MeanRule, Shares, average, logarithms, read_averaging_rule, read_weights
from ..engine.notices import warn_of_fractions, warn_of_gaps, warn_of_labels, warn_of_padding
from ..engine.plan import divides_by_labels
from ..engine.settings import Family, Settings, resolve
from ..engine.threads import usable_threads
from ..inputs.ignored import IgnoreRule, leave_out
from ..inputs.lists import Lists, reword_error
from ..inputs.sparse import Sparse
from ..measures.measure import Measure, read_measures, refuse_unused
from .counting import count_undefined
from .evaluation import Evaluation, ReadOnlyColumns

if TYPE_CHECKING:
    from ..convention.options import Unset
    from ..engine.bounds import Bounds
    from ..engine.means import AveragingRule
    from ..inputs.types import Array, Bools, Floats, Weight
    from ..measures.types import Bounds as BoundKinds
    from ..measures.types import Discount, Divisor, Empty, Gain, Measures, Rules, Ties

USE_CATALOGUE = "describes all lists together, not one; use rankgain.evaluate_catalogue"
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

    settings: dict[str, object]
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
    """Read the options of a call; convention: the default of the function.

    arrays: other arguments of the function, which an error may suggest.
    """
    arguments = kind.__annotations__
    refuse_unknown_options(options, function, arguments, arrays)
    settings = {name: options.get(name, UNSET) for name in SETTINGS if name in arguments}
    rules = options.get("convention", UNSET)
    if rules is UNSET:
        rules = convention
    call = CallSettings(settings, get_convention(rules))
    for name in ("weight", "threads", "bounds"):
        if name in options:
            call = call._replace(**{name: options[name]})
    return call


def refuse_unknown_options(
    options: Mapping[str, Any],
    function: str,
    arguments: Collection[str],
    arrays: Sequence[str] = (),
) -> None:
    """Refuse options that are not among the arguments of a function."""
    for name in options:
        if name not in arguments:
            hint = _hint_for_argument(name, options[name], function, (*arguments, *arrays))
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def _hint_for_argument(name: str, value: object, function: str, arguments: Sequence[str]) -> str:
    """The end of an error for an unknown argument: what to write instead."""
    from difflib import get_close_matches  # imported only for the error

    if name in ELSEWHERE:
        owner, hint = ELSEWHERE[name]
        if owner != function:
            return f"; {hint}"
    if name in ("k", "cutoff", "top_k"):
        k = 10
        if type(value) is int:
            k = value
        return f'; a measure has its cutoff in its name: "nDCG@{k}"'
    near = get_close_matches(name, arguments, n=1)
    if not near:
        return ""
    return f"; did you mean {near[0]}=?"


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
        # A divisor of other measures of the call: `refuse_unused` has checked that one has it.
        del arguments["divisor"]
    params = dict(measure.params)
    per = params.pop("per", "user")
    arguments.update(params)
    # Such measures have the cutoff of their name, or none, under any convention.
    if measure.k is not None or family.cutoff in ("none", "recall") or "share" in params:
        arguments["k"] = measure.k
    try:
        settings = resolve(family, arguments, rules, str(per))
    except (TypeError, ValueError) as error:
        if params:
            reword_error(error, f"measure {str(measure)!r}: {error}")
        raise
    if ties is not None:
        settings = settings._replace(ties=ties)
    return family, settings


KEY_TYPES = (str, int, float, type(None), type(UNSET))  # of options that a cache key may have
# Settings without effect unless another setting has this value.
ONLY_WITH = {"seed": ("ties", "random"), "log_base": ("discount", "log")}


def find_changes(
    measures: Sequence[Measure], options: dict[str, Any], rules: Convention
) -> dict[str, object]:
    """The options that change some measure: not those with the convention's own value."""

    def changes(name: str, measure: Measure) -> bool:
        if name not in measure.definition.params:
            return False
        settings = complete_settings(measure, options, rules)[1]
        if name in ONLY_WITH:
            condition, needed = ONLY_WITH[name]
            if getattr(settings, condition) != needed:
                return False
        # What the measure would be without this option.
        default = complete_settings(measure, {**options, name: UNSET}, rules)[1]
        value, default_value = getattr(settings, name), getattr(default, name)
        return not are_equal(setting_value(value), setting_value(default_value))

    result = {}
    for name, value in options.items():
        if value is not UNSET and any(changes(name, measure) for measure in measures):
            result[name] = setting_value(value)
    return result


def key_of_call(
    options: dict[str, Any], measures: Measures, rules: Convention
) -> tuple[object, ...] | None:
    """The cache key of a call; None if a part of it has no hash, or may be read only once.

    Conventions are compared by value, so an equal convention from another `replace` hits the cache.
    Types are part of the key, because 1, 1.0 and True are equal but not equally valid.
    """
    names = (measures,) if isinstance(measures, (str, Measure)) else measures
    if type(names) not in (list, tuple):
        return None
    if any(type(name) not in (str, Measure) for name in names):
        return None
    types = tuple(map(type, options.values()))
    if not all(value_type in KEY_TYPES for value_type in types):
        return None
    key = tuple(names), rules, tuple(options.items()), types
    try:
        hash(key)
    except TypeError:  # the convention has a gain or discount without a hash
        return None
    return key


def resolve_measures(
    measures: Measures,
    options: dict[str, Any],
    rules: Convention,
    over_all_lists: str = USE_CATALOGUE,
) -> ResolvedCall:
    """The requested measures with their settings, cached.

    over_all_lists: what the error for a measure of the items of all lists says.
    """
    key = key_of_call(options, measures, rules)
    if key is not None:
        cached = CALLS.get(key)
        if cached is not None:
            return cached
    requested = read_measures(measures, rules)
    for measure in requested.measures:
        if not measure.definition.row.shape:
            raise ValueError(f"measure {str(measure)!r} {over_all_lists}")
    # With "drop", unjudged documents are gone before the lists are evaluated.
    if rules.unjudged != "drop" and any(measure.params for measure in requested.measures):
        refuse_judged_only(requested.measures)
    has_options = any(value is not UNSET for value in options.values())
    changed = {}
    if has_options:
        refuse_unused(requested.measures, options)
        changed = find_changes(requested.measures, options, rules)
    settings = [complete_settings(measure, options, rules) for measure in requested.measures]
    resolved = ResolvedCall(settings, requested._replace(settings=changed))
    if key is not None:
        CALLS.keep(key, resolved)
    return resolved


def refuse_judged_only(measures: Iterable[Measure]) -> None:
    """Refuse judged_only measures where the input does not say which documents are judged."""
    for measure in measures:
        if measure.params.get("judged_only"):
            raise ValueError(
                f"measure {str(measure)!r}: arrays do not say which documents are judged; remove "
                "the others yourself, or evaluate qrels and a run"
            )


def _check_kinds(measures: Sequence[tuple[Family, Settings]], bounds: object) -> tuple[str, ...]:
    """The requested kinds of bounds, in order; a measure without bounds of a kind is refused."""
    if bounds is None:
        return ()
    requested = [bounds] if isinstance(bounds, str) else bounds
    if not isinstance(requested, Iterable):
        raise TypeError(f'bounds must hold "ties" or "unjudged", not {bounds!r}')
    requested = list(requested)
    for kind in requested:
        if kind not in BOUND_KINDS:
            raise ValueError(f'bounds must hold "ties" or "unjudged", not {kind!r}')
    # In the order of BOUND_KINDS, each kind once.
    kinds = tuple(kind for kind in BOUND_KINDS if kind in requested)
    if not kinds:
        return ()
    for family, settings in measures:
        reason = _no_bounds(family, settings, kinds)
        if reason:
            raise ValueError(f"{family.name} {reason} from this call")
    return kinds


def _no_bounds(family: Family, settings: Settings, kinds: tuple[str, ...]) -> str:
    """Why a measure has no bounds of one of these kinds, and what to remove; "" if it has all."""
    if family.compute is not None:
        return (
            "is computed by a function of your own, so its bounds are not known; remove it, or "
            "bounds=,"
        )
    if settings.list_weight:
        return "is a mean over documents, so it has no bounds; remove it, or bounds=,"
    if settings.takes_blocks:
        return "treats a tie block as one document, so it has no bounds; remove it, or bounds=,"
    if family.row.reads != "labels":
        return "is a measure of subtopics, so it has no bounds; remove it, or bounds=,"
    if "unjudged" in kinds and family.label_scale == "chances":
        return (
            "reads labels as probabilities, which have no top label for unjudged documents; "
            'remove it, or bounds="unjudged",'
        )
    if "ties" in kinds and not family.has_bounds:
        return (
            "has no known best and worst order of ties, so it has no bounds over them; remove it, "
            'or bounds="ties",'
        )
    # The labels with the lowest values need not be those with the lowest divisors.
    if "unjudged" in kinds and divides_by_labels(settings):
        return (
            'is a ratio of sums (mean="micro"), and labels of unjudged documents would change both '
            'sums, so it has no bounds over them; remove it, or bounds="unjudged",'
        )
    if "unjudged" in kinds and family.row.judged:
        return (
            "ignores unjudged documents, so their labels cannot change it; remove it, or "
            'bounds="unjudged",'
        )
    if "unjudged" in kinds and not family.has_bounds:
        return (
            "has no known best labels of unjudged documents, so it has no bounds over them; remove "
            'it, or bounds="unjudged",'
        )
    return ""


class ListValues(NamedTuple):
    """The values of all lists, a row each, as `MeasureColumns` leaves them."""

    columns: Floats
    divisors: dict[int, Floats]  # of micro means, by the index of the measure
    undefined: Bools | None  # a mask of False if no value is undefined; None: not known

    @classmethod
    def joined(cls, blocks: Sequence[ListValues]) -> ListValues:
        """The values of blocks of lists as those of all lists."""
        columns = np.concatenate([block.columns for block in blocks])
        divisors = {}
        for index in blocks[0].divisors:
            divisors[index] = np.concatenate([block.divisors[index] for block in blocks])
        undefined = None
        if all(block.undefined is not None for block in blocks):
            undefined = np.zeros(len(columns), bool)
        # A column is read at a time, so each is contiguous.
        return cls(np.asfortranarray(columns), divisors, undefined)


def evaluate_lists(
    lists: Lists,
    resolved: ResolvedCall,
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
    rules = call.rules
    kinds: tuple[str, ...] = ()
    if call.bounds != ():
        kinds = _check_kinds(resolved.measures, call.bounds)
    weights = None
    if call.weight is not None:
        weights = read_weights(call.weight, len(lists), lists.layout.queries, displayed)
    if rules.ignore_below is not None and values is None:
        rule = IgnoreRule(below=rules.ignore_below)
        lists = leave_out(lists, rule)
        scored = scored and leave_out(scored, rule)
    workers, mean_rule = usable_threads(call.threads), MeanRule.of(rules)
    has_negative = False
    if values is None:
        table = MeasureColumns(resolved.measures, lists, resolved=resolved)
        columns = table.values(workers)
        lists, has_negative = table.lists, table.has_negative
        values = ListValues(columns, table.divisors, table.undefined)
    all_counts: dict[str, Any] = {"queries": len(lists), **(counts or {})}
    if lists.ignored:
        all_counts["ignored"] = lists.ignored
    averaged = _average(resolved, lists, values, weights, rules, mean_rule, all_counts)
    bounds: Bounds | None = None
    if kinds:
        from ..engine.bounds import MeasureValues, find_bounds  # imported only when needed

        names, of_lists = tuple(averaged.means), list(values.columns.T)
        measured = MeasureValues(names, resolved.measures, of_lists, averaged.undefined)
        bounds = find_bounds(kinds, lists, scored or lists, measured, rules, weights, workers)
        all_counts |= bounds.counts
    warned = set() if warned is None else warned
    _warn_of_mistakes(lists, resolved.measures, values.columns, has_negative, warned)
    # Keep the masks of counted measures only, by which a selection of the lists is counted again.
    masks = dict(zip(averaged.means, averaged.undefined, strict=True))
    marked = {name: masks[name] for name in all_counts.get("undefined", ())}
    if missing is not None:
        marked["missing"] = missing
    if displayed is None:
        displayed = range(len(lists))
        if lists.layout.queries is not None:
            displayed = np.asarray(lists.layout.queries).tolist()
    return Evaluation(
        averaged.means,
        averaged.columns,
        displayed,
        convention=rules.name,
        counts=all_counts,
        bounds=bounds and bounds.lists,
        bound_means=bounds and bounds.means,
        weights=weights,
        versions={"convention": rules.version},
        shares=averaged.shares,
        requested=resolved.request.names,
        segments=segments,
        settings=resolved.request.settings,
        marked=marked,
        rules=rules,
        mean_rule=mean_rule,
        better=averaged.better,
    )


def count_missing(
    present: Array, unjudged: int, rules: Convention, queries: Sequence[Any], words: str
) -> dict[str, int]:
    """Count lists without results, which a convention counts 0, leaves out or refuses."""
    missing = int((~present).sum())
    if missing and rules.missing == "raise":
        first = int(present.argmin())
        raise ValueError(words.format(queries[first]))
    skipped = 0
    if rules.missing == "skip":
        missing, skipped = 0, missing
    return {
        "queries": len(present) - skipped,
        "missing": missing,
        "skipped": skipped,
        "unjudged": unjudged,
    }


class Averaged(NamedTuple):
    """The values of lists and their means."""

    means: dict[str, float]
    columns: ReadOnlyColumns
    shares: dict[str, Shares]  # of micro means
    undefined: list[Bools]  # for each measure, which lists
    better: dict[str, str]  # which values are better, of measures that a function of one's own has


def _warn_of_mistakes(
    lists: Lists,
    measures: Sequence[tuple[Family, Settings]],
    columns: Floats,
    has_negative: bool,
    warned: set[str],
) -> None:
    """Warn of probable mistakes in the lists, of each kind once."""
    if lists.places is not None:
        warn_of_gaps(lists, measures, warned)
    if isinstance(lists.labels, Sparse):
        warn_of_labels(lists, measures, warned)
        return
    warn_of_fractions(lists, measures, columns, warned)
    if has_negative and lists.called == "y_true":  # labels of a table are not padded
        warn_of_padding(lists, measures, warned)


def _average(
    resolved: ResolvedCall,
    lists: Lists,
    computed: ListValues,
    weights: Floats | None,
    rules: Convention,
    mean_rule: MeanRule,
    counts: dict[str, Any],
) -> Averaged:
    """Make the means of computed values; undefined lists are added to `counts`."""
    result = Averaged({}, ReadOnlyColumns(), {}, [], {})
    order = None
    if mean_rule.summation == "by_id":
        order = mean_rule.order(lists.layout.queries)
    # Measures that average alike share a rule, for which the convention is read once.
    averaging_rules: dict[tuple[str, str, bool, bool], AveragingRule] = {}
    for index, name in enumerate(map(str, resolved.request.measures)):
        family, settings = resolved.measures[index]
        values = computed.columns[:, index]
        divisors = computed.divisors.get(index)
        undefined = fill_and_round(values, settings, name, computed.undefined)
        # The mask without undefined lists is shared, and needs no count.
        if undefined is not computed.undefined:
            count_undefined(counts, name, settings.empty, undefined)
        key = family.mean, family.function, settings.k is None, settings.empty == "skip"
        if key not in averaging_rules:
            averaging_rules[key] = read_averaging_rule(
                rules, mean_rule, settings, family.mean, order
            )
        averaging = averaging_rules[key]
        if divisors is not None and not averaging.skips:
            _refuse_lost_values(name, family, settings, undefined & (divisors == 0), lists)
        result.means[name], shares = average(values, weights, undefined, averaging, divisors)
        if shares is not None:
            result.shares[name] = shares
        if family.mean == "geometric":
            values = logarithms(values)
        values.flags.writeable = False  # so the evaluation need not copy them
        result.columns[name] = values
        result.undefined.append(undefined)
        if family.compute is not None:
            result.better[name] = "higher"
            if family.smaller_is_better:
                result.better[name] = "lower"
    computed.columns.flags.writeable = False
    return result


def _refuse_lost_values(
    name: str, family: Family, settings: Settings, lost: Bools, lists: Lists
) -> None:
    """Refuse a value of undefined lists that a micro mean cannot count.

    lost: lists that add 0 to both sums of the mean, so that no value of theirs can show. 0 is
    accepted, as it asks for just that, unless no number can replace an undefined value of the
    measure.
    """
    if not lost.any():
        return
    value = settings.empty
    if not math.isnan(value) and (value != 0 or family.skips_undefined):
        place = lists.place(int(lost.argmax()))
        raise ValueError(
            f"empty={value:g}: {name} is undefined for {place}, which adds nothing to the two sums "
            'whose ratio the mean is, so no number can count there; pass empty="skip"'
        )
