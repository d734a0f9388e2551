"""Evaluations of other lists: parts that agree merged into one, and some of the lists of one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...convention import Convention
from ...convention.fields import are_equal, refuse_different, setting_value
from ...engine.means import MeanRule, Shares, Terms, mean
from ...inputs.axes import CategoryLabels, find_categories
from ...measures.all_lists import RecommendedLists, is_over_all_lists, value_and_column
from ...measures.measure import NO_FREE_NAMES
from ..counting import are_users, mean_kind
from ..fixed import Fixed

if TYPE_CHECKING:
    from ...inputs.types import Bools, Integers
    from ..evaluation import Evaluation

ONE_CONVENTION = "evaluate all parts under the same convention"
# What must be equal, and what errors call it.
EQUAL = {
    "convention": "convention",
    "version": "version of the convention",
    "measures": "measures",
    "mean_rule": "how means are made",
    "better": "which values are better",
}
# What all parts have, or none, and the error for a part that lacks it.
LACKING = {
    "weights": "has no weights, others have; evaluate all parts with weight=, or all without",
    "segments": "has no segments, others have; evaluate all parts with segment=, or all without",
    "collections": "is of one collection, others are pooled; pool all, or none",
    "recommended": "does not hold the lists, others do; evaluate it again",
}


def merge_evaluations(
    parts: Iterable[Evaluation], convention: Convention | None, kind: type[Evaluation]
) -> Evaluation:
    """Merge the parts into one evaluation, with lists in the order of the parts."""
    part_of = _read(parts, kind)
    evaluations = list(part_of.values())
    first = evaluations[0]
    # A convention given here only says how the means are made: the values stay as they are.
    if convention is not None and convention.name != first.convention:
        raise ValueError(
            f"convention is {convention.name!r}, but the parts have {first.convention!r}"
        )
    mean_rule = first.mean_rule
    if convention is not None:
        mean_rule = MeanRule.of(convention)
    # Fields that some part lacks are an error before anything is joined.
    optional_fields = _join_optional_fields(part_of)
    columns = {}
    for name in first.means:
        columns[name] = np.concatenate([part.per_query[name] for part in evaluations])
    merged = first._replace(
        means=dict.fromkeys(first.means, 0.0),
        per_query=columns,
        queries=_join_queries(part_of),
        counts=add_counts(part_of),
        shares=_join_shares(part_of),
        mean_rule=mean_rule,
        marked=join_marks(evaluations),
        rules=None,
        **optional_fields,
    )
    return with_means(merged)


def _join_optional_fields(part_of: dict[int, Evaluation]) -> dict[str, object]:
    """The joined fields that an evaluation need not have, None if the parts do not have them."""
    weights = _column_of_parts(part_of, "weights")
    segments = _column_of_parts(part_of, "segments")
    collections = _column_of_parts(part_of, "collections")
    recommended = _column_of_parts(part_of, "recommended")
    joined: dict[str, object] = dict.fromkeys(LACKING)
    if weights is not None:
        joined["weights"] = np.concatenate(weights)
    if segments is not None:
        joined["segments"] = _join_segments(segments)
    if collections is not None:
        joined["collections"] = list(chain.from_iterable(collections))
    if recommended is not None:
        lists_of = dict(zip(part_of, recommended, strict=True))
        joined["recommended"] = RecommendedLists.joined(lists_of)
    return joined


def join_marks(parts: list[Evaluation]) -> dict[str, Bools]:
    """The masks of the parts; without a mask of which a part has only the count."""
    masks = {}
    for name in _distinct_keys(part.marked for part in parts):
        columns = []
        for part in parts:
            counts = part.counts
            if name != "missing":
                counts = part.counts.get("undefined", {})
            if name in part.marked:
                columns.append(part.marked[name])
            elif not counts.get(name):  # no list of this part is counted
                columns.append(np.zeros(len(part), bool))
        # If a part lacks the mask, the lists of the whole cannot be counted again by it.
        if len(columns) == len(parts):
            masks[name] = np.concatenate(columns)
    return masks


def _distinct_keys(mappings: Iterable[Mapping[str, object]]) -> list[str]:
    """The keys of all mappings, in the order in which they first appear."""
    return list(dict.fromkeys(chain.from_iterable(mappings)))


def _join_shares(part_of: dict[int, Evaluation]) -> dict[str, Shares]:
    """What the lists of all parts add to their means: numerators and divisors."""
    result = {}
    for name in _distinct_keys(part.shares for part in part_of.values()):
        share_of = {index: part.shares.get(name) for index, part in part_of.items()}
        words = f"has another kind of mean than others; {ONE_CONVENTION}"
        shares: list[Shares] | None = _all_or_none(share_of, words, f"{name}: ")
        assert shares is not None
        numerators = [share.numerators for share in shares]
        divisors_of = {}
        for index, share in zip(part_of, shares, strict=True):
            divisors_of[index] = share.divisors
        words = f"has no divisors of {name}, others have; {ONE_CONVENTION}"
        divisors = _all_or_none(divisors_of, words)
        joined_divisors = None
        if divisors is not None:
            joined_divisors = np.concatenate(divisors)
        result[name] = Shares(shares[0].kind, np.concatenate(numerators), joined_divisors)
    return result


def make_terms(evaluation: Evaluation, name: str) -> Terms:
    """What the lists add to the sums of a measure, 0 for lists that do not count."""
    if evaluation.collections is not None:
        raise ValueError("sums say nothing of a mean of several collections; add each by itself")
    terms = evaluation._terms_of(name, mean_kind(name, evaluation.better))
    kind, values, factors, divisors, counts = terms
    # A sum is not divided; 1 for each list lets its interval know how many lists there are.
    if divisors is None or kind == "sum":
        divisors = np.ones(len(values))
    if counts is None:
        counts = np.ones(len(values), bool)
    elif not counts.all():
        values = np.where(counts, values, 0.0)
        divisors = np.where(counts, divisors, 0.0)
    return Terms(kind, values, factors, divisors, counts)


def with_means(evaluation: Evaluation, names: Iterable[str] | None = None) -> Evaluation:
    """Set the means of these or all measures of a new evaluation, by its rule."""
    if names is None:
        names = list(evaluation.means)
    rule = evaluation.mean_rule
    order = rule.order(evaluation.queries)
    means = dict(evaluation.means)
    columns = dict(evaluation.per_query)
    for name in names:
        if is_over_all_lists(name, evaluation.better):
            means[name], columns[name] = value_and_column(evaluation, name)
            columns[name].flags.writeable = False
            continue
        terms = evaluation._terms_of(name, mean_kind(name, evaluation.better))
        if evaluation.collections is None:
            means[name] = mean(terms, rule, order)
        else:
            codes = collection_codes(evaluation.collections)
            means[name] = pooled_mean(terms, rule, codes, evaluation.queries)
    # The evaluation is new: only its maker has seen it without its means.
    object.__setattr__(evaluation, "means", Fixed(means))
    object.__setattr__(evaluation, "per_query", Fixed(columns))
    return evaluation


def collection_codes(collections: Sequence[str]) -> Integers:
    """The number of the collection of each query."""
    codes: Integers = np.unique(np.asarray(collections), return_inverse=True)[1]
    return codes


def pooled_mean(terms: Terms, rule: MeanRule, codes: Integers, queries: Sequence[Any]) -> float:
    """The plain mean of the collections' means; codes: the collection of each query."""
    means = collection_means(terms, rule, codes, queries).values()
    if not means:
        return math.nan
    return math.fsum(means) / len(means)


def collection_means(
    terms: Terms, rule: MeanRule, codes: Integers, queries: Sequence[Any]
) -> dict[int, float]:
    """The mean of each collection, by its number."""
    means: dict[int, float] = {}
    for code in np.unique(codes).tolist():
        indices = np.flatnonzero(codes == code)
        order = rule.order([queries[index] for index in indices.tolist()])
        means[code] = mean(terms.select(indices), rule, order)
    return means


def means_by_collection(evaluation: Evaluation, name: str) -> dict[str, float]:
    """The mean of a measure on each collection of a pooled evaluation, in their order."""
    labels = evaluation.collections or ()
    codes = collection_codes(labels)
    terms = evaluation._terms_of(name, mean_kind(name, evaluation.better))
    means = collection_means(terms, evaluation.mean_rule, codes, evaluation.queries)
    return {label: means[code] for label, code in zip(labels, codes.tolist(), strict=True)}


def split_systems(evaluation: Evaluation) -> dict[str, Evaluation]:
    """Split an evaluation whose query ids begin with the name of a system."""
    # An id has the system first, and then the id of the query, or its parts.
    indices_of: dict[str, list[int]] = {}
    queries = []
    for index, (system, *query) in enumerate(evaluation.queries):
        indices_of.setdefault(str(system), []).append(index)
        if len(query) == 1:
            queries.append(query[0])
        else:
            queries.append(tuple(query))
    evaluation = evaluation._replace(queries=queries)
    result = {}
    for system, indices in indices_of.items():
        result[system] = segment(evaluation, np.array(indices))
    return result


def _select_segments(
    segments: Sequence[object] | None, indices: list[int]
) -> Sequence[object] | None:
    """The segments of selected lists, in the order of their categories if they have one."""
    if isinstance(segments, CategoryLabels):
        return segments.select(indices)
    if segments is None:
        return None
    return [segments[index] for index in indices]


def _join_segments(parts: Sequence[Sequence[object]]) -> Sequence[object]:
    """The segments of the lists of all parts; categories keep their order if all have the same."""
    joined = list(chain.from_iterable(parts))
    categories = {tuple(find_categories(part)) for part in parts}
    if len(categories) > 1:
        return joined
    return CategoryLabels.of(joined, *categories)


def select_lists(
    evaluation: Evaluation, selected: Integers, counts: Mapping[str, object]
) -> Evaluation:
    """Select lists by their numbers and make their means.

    `counts` are those of the result, but for the searches of each query. Bounds are dropped, as
    they cannot be made of their means.
    """
    indices = selected.tolist()
    searches = evaluation.counts.get("searches")
    if searches is not None:
        counts = {**counts, "searches": [searches[index] for index in indices]}
    weights = evaluation.weights
    if weights is not None:
        weights = weights[selected]
    collections = evaluation.collections
    if collections is not None:
        collections = [collections[index] for index in indices]
    recommended = evaluation.recommended
    if recommended is not None:
        recommended = recommended.select(selected)
    columns = {name: column[selected] for name, column in evaluation.per_query.items()}
    shares = {name: share.select(selected) for name, share in evaluation.shares.items()}
    masks = {name: mask[selected] for name, mask in evaluation.marked.items()}
    result = evaluation._replace(
        per_query=columns,
        queries=[evaluation.queries[index] for index in indices],
        counts=counts,
        weights=weights,
        shares=shares,
        segments=_select_segments(evaluation.segments, indices),
        collections=collections,
        recommended=recommended,
        marked=masks,
        bounds={},
        bound_means={},
        rules=None,
    )
    return with_means(result)


def segment(evaluation: Evaluation, selected: Integers) -> Evaluation:
    """The evaluation of selected lists, without bounds; their counts are read from the masks."""
    # Counts of the selected lists, as their masks have them.
    counts: dict[str, object] = {"queries": len(selected)}
    if are_users({"queries": len(evaluation), **evaluation.counts}):
        counts["users"] = len(selected)
    if "missing" in evaluation.marked:
        counts["missing"] = int(evaluation.marked["missing"][selected].sum())
    undefined = {}
    for name in evaluation.counts.get("undefined_as", {}):
        mask = evaluation.marked.get(name)
        if mask is not None and mask[selected].any():
            undefined[name] = int(mask[selected].sum())
    if undefined:
        counted_as = {name: evaluation.counts["undefined_as"][name] for name in undefined}
        counts |= {"undefined": undefined, "undefined_as": counted_as}
    return select_lists(evaluation, selected, counts)


def _read(parts: object, kind: type[Evaluation]) -> dict[int, Evaluation]:
    """Check the parts, and return them by their numbers.

    Parts without lists are dropped before settings are compared.
    """
    if isinstance(parts, Mapping):
        raise TypeError(
            f"parts is {type(parts).__name__}, whose evaluations are of several systems; pass a "
            "sequence of evaluations over different queries"
        )
    given_parts: list[object] = [parts]
    if isinstance(parts, Iterable):
        given_parts = list(parts)
    evaluations: list[Evaluation] = []
    for index, part in enumerate(given_parts):
        if isinstance(part, Mapping):
            raise TypeError(
                f"parts[{index}] is {type(part).__name__}, the evaluations of several systems; "
                "Evaluations.merge merges them"
            )
        if not isinstance(part, kind):
            raise TypeError(f"parts[{index}] must be an Evaluation, not {type(part).__name__}")
        if part.bounds:
            raise ValueError(
                f"parts[{index}] has bounds, whose means cannot be made of parts; evaluate all "
                "lists in one call, or the parts without bounds="
            )
        evaluations.append(part)
    if not evaluations:
        raise ValueError("there are no parts to merge; pass at least one evaluation")
    part_of = {index: part for index, part in enumerate(evaluations) if len(part)}
    if not part_of:  # one empty part has the names of the measures
        part_of = {0: evaluations[0]}
    first_index, first = next(iter(part_of.items()))
    for index, part in part_of.items():
        names = f"parts[{first_index}]", f"parts[{index}]"
        refuse_other_rules(CommonRules.of(first), CommonRules.of(part), EQUAL, *names)
    return part_of


def _join_queries(part_of: dict[int, Evaluation]) -> Sequence[object]:
    """The query ids of all parts; parts without ids are numbered through."""
    numbered = [index for index, part in part_of.items() if isinstance(part.queries, range)]
    if len(numbered) == len(part_of):
        n_lists = sum(map(len, part_of.values()))
        return range(n_lists)
    if numbered:
        raise ValueError(
            f"the lists of parts[{numbered[0]}] are only numbered, those of others have "
            "query ids; pass qid= to all"
        )
    queries = tuple(chain.from_iterable(part.queries for part in part_of.values()))
    # A set shows quickly whether any query is shared; then it is looked for.
    if len(set(queries)) < len(queries):
        _refuse_shared_query(part_of)
    return queries


def _refuse_shared_query(part_of: dict[int, Evaluation]) -> None:
    """Refuse parts of which two have a query in common."""
    first_part: dict[object, int] = {}
    for index, part in part_of.items():
        for query in part.queries:
            if first_part.setdefault(query, index) != index:
                raise ValueError(
                    f"query {query!r} is in parts[{first_part[query]}] and in parts[{index}]; "
                    "parts must have different lists"
                )


def _column_of_parts(part_of: dict[int, Evaluation], field: str) -> list[Any] | None:
    """A field that all parts have, or none has."""
    columns = {index: getattr(part, field) for index, part in part_of.items()}
    return _all_or_none(columns, LACKING[field])


def _all_or_none(column_of: Mapping[int, Any], words: str, prefix: str = "") -> list[Any] | None:
    """What all parts have, or None if no part has it; words: the error for a part without it."""
    missing = [index for index, column in column_of.items() if column is None]
    if not missing:
        return list(column_of.values())
    if len(missing) < len(column_of):
        raise ValueError(f"{prefix}parts[{missing[0]}] {words}")
    return None


def add_counts(part_of: dict[int, Evaluation]) -> dict[str, object]:
    """Add up the counts of all parts; searches are those of each query, if all parts have them."""
    counts: dict[str, Any] = {}
    undefined: dict[str, int] = {}
    counted_as: dict[str, tuple[object, int]] = {}  # by measure: the value, and its first part
    for index, part in part_of.items():
        for key, count in part.counts.items():
            # Numbers of lists add up. The other counts are joined below.
            if isinstance(count, int):
                counts[key] = counts.get(key, 0) + count
        for name, lists in part.counts.get("undefined", {}).items():
            undefined[name] = undefined.get(name, 0) + lists
            value = part.counts["undefined_as"][name]
            first_value, first_index = counted_as.setdefault(name, (value, index))
            if not are_equal(first_value, value):
                first, second = f"parts[{first_index}]", f"parts[{index}]"
                raise ValueError(describe_difference(name, first_value, first, value, second))
    if undefined:
        measures = next(iter(part_of.values())).means
        names = [name for name in measures if name in undefined]
        counts["undefined"] = {name: undefined[name] for name in names}
        counts["undefined_as"] = {name: counted_as[name][0] for name in names}
    if all("searches" in part.counts for part in part_of.values()):
        counts["searches"] = []
        for part in part_of.values():
            counts["searches"] += part.counts["searches"]
    return counts


class CommonRules(NamedTuple):
    """Convention, measures and settings of all evaluations in one accumulator."""

    convention: str
    version: str
    measures: tuple[str, ...]
    requested: tuple[tuple[str, str], ...]
    settings: Mapping[str, object]
    weighted: bool | None  # None before the first list
    undefined_as: Mapping[str, object]  # measure -> what its undefined lists count
    mean_rule: MeanRule
    better: Mapping[str, str] = NO_FREE_NAMES  # of measures with a free name

    @classmethod
    def of(cls, evaluation: Evaluation) -> CommonRules:
        """The rules of an evaluation."""
        undefined_as = dict(evaluation.counts.get("undefined_as", {}))
        for name, value in undefined_as.items():
            if value != "skip":  # `Evaluation.counts` has inf and nan as text
                undefined_as[name] = setting_value(float(value))
        weighted = None
        if len(evaluation):
            weighted = evaluation.weights is not None
        return cls(
            convention=evaluation.convention,
            version=evaluation.versions["convention"],
            measures=tuple(evaluation.means),
            requested=tuple(sorted(evaluation.requested.items())),
            settings=evaluation.settings,
            weighted=weighted,
            undefined_as=undefined_as,
            mean_rule=evaluation.mean_rule,
            better=evaluation.better,
        )

    def joined(self, added: CommonRules, part: str) -> CommonRules:
        """Combine with the rules of a part; `part` names it in errors."""
        before = "what was added before"
        fields = EQUAL | {"requested": "requested names of measures"}
        refuse_other_rules(self, added, fields, before, part)
        # None stands for parts without lists, which agree with all others.
        weighted = self.weighted
        if weighted is None:
            weighted = added.weighted
        if added.weighted not in (None, weighted):
            has, has_not = "no weights", "weights"
            if weighted:
                has, has_not = has_not, has
            raise ValueError(
                f"{before} has {has}, but {part} has {has_not}; evaluate all parts with weight=, "
                "or all without"
            )
        for name, value in added.undefined_as.items():
            first_value = self.undefined_as.get(name, value)
            if not are_equal(first_value, value):
                raise ValueError(describe_difference(name, first_value, before, value, part))
        undefined_as = {**self.undefined_as, **added.undefined_as}
        # In the order of the measures, whichever part came first.
        in_order = {name: undefined_as[name] for name in self.measures if name in undefined_as}
        return self._replace(weighted=weighted, undefined_as=in_order)


def refuse_other_rules(
    first: CommonRules,
    second: CommonRules,
    fields: Mapping[str, str],
    first_name: str,
    second_name: str,
) -> None:
    """Refuse parts of two rules; fields: what is compared, with its name in errors."""
    for field, words in fields.items():
        first_value, second_value = getattr(first, field), getattr(second, field)
        if first_value != second_value:
            raise ValueError(
                f"{words} of {first_name} and {second_name} differ: {display(first_value)}, and "
                f"{display(second_value)}"
            )
    refuse_different(first.settings, second.settings, first_name, second_name)


def describe_difference(
    measure: str, first: object, first_name: str, second: object, second_name: str
) -> str:
    """The error for parts whose undefined lists count as different values."""
    return (
        f"{measure}: undefined lists {_describe_undefined(first)} in {first_name} and "
        f"{_describe_undefined(second)} in {second_name}; evaluate all parts with the same empty="
    )


def _describe_undefined(value: object) -> str:
    if value == "skip":
        return "are skipped"
    return f"count as {value}"


def display(value: object) -> str:
    """A value as text, for an error."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return repr(value)
