"""The requested measures of a call under its convention: names, cutoffs, allowed arguments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..convention import UNSET, Convention
from ..convention.kinds import DIVISOR_WORDS, DIVISORS
from .catalogue import FAMILIES
from .measure import Measure, parse_measure, parse_measures

NAMED = 5  # measures that an error lists


class RequestedMeasures(NamedTuple):
    """The requested measures under a convention, and the names of their values."""

    measures: tuple[Measure, ...]
    names: Mapping[str, str]  # requested name -> name in the result, where they differ
    settings: Mapping[str, Any] | None = None  # for `Evaluation.settings`


def rereadable(spec: object) -> Any:
    """Turn an iterator of measures into a list, which can be read more than once."""
    return list(spec) if isinstance(spec, Iterator) else spec


def measures_under(spec: Any, rules: Convention) -> RequestedMeasures:
    """Read names of measures; a convention may define what a name means, and its cutoff."""
    if not rules.names and rules.k is None:
        return RequestedMeasures(parse_measures(spec), {})
    single = isinstance(spec, (str, Measure)) or not isinstance(spec, Iterable)
    items: Sequence[Any] = (spec,) if single else list(spec)
    if single or not items:
        parse_measures(spec if single else items)  # raises the error
    result: dict[Measure, None] = {}
    names: dict[str, str] = {}
    for item in items:
        read = parse_measures(item) if isinstance(item, str) else (parse_measure(item),)
        for one in read:
            read_as = _measure_of(item, one, rules.names)
            cut = _with_cutoff(read_as, rules)
            result[cut] = None
            if read_as is not one and len(read) == 1:
                names[item.strip()] = str(cut)
            elif cut is not one:
                names[str(one)] = str(cut)
    ordered = sorted(result, key=str) if isinstance(spec, (set, frozenset)) else result
    return RequestedMeasures(tuple(ordered), names)


def _measure_of(item: object, measure: Measure, names: Mapping[str, str]) -> Measure:
    """The measure for a name to which the convention's tool gives another meaning."""
    for spelling, name in names.items():
        if isinstance(item, str) and item.strip().startswith(spelling):
            meaning = parse_measure(name)
            if meaning.family == measure.family:
                params = {**meaning.params, **measure.params}
                return Measure(meaning.family, k=measure.k, **params)
    return measure


def _with_cutoff(measure: Measure, rules: Convention) -> Measure:
    """Give a measure without a cutoff that of the convention."""
    family = FAMILIES[measure.family.lower()]
    if measure.k is not None or family.cutoff in ("none", "recall") or "share" in measure.params:
        return measure
    k = rules.for_family("k", family.function)
    return measure if k is None else Measure(measure.family, k=k, **measure.params)


def refuse_unused(measures: Sequence[Measure], options: Mapping[str, Any]) -> None:
    """Refuse an argument, or a value of `divisor`, that no requested measure has."""
    requested = [name for name, value in options.items() if value is not UNSET]
    if not requested:
        return
    families = [FAMILIES[one.family.lower()] for one in measures]
    displayed = ", ".join(map(str, measures[:NAMED])) + (", ..." if len(measures) > NAMED else "")
    for name in requested:
        if not any(name in family.params for family in families):
            raise TypeError(
                f"{name} is not an argument of any requested measure ({displayed}); leave it out"
            )
    divisor = options.get("divisor", UNSET)
    if divisor is UNSET or not isinstance(divisor, str):
        return
    known = (DIVISORS.get(family.function, ()) for family in families)
    if divisor in DIVISOR_WORDS and not any(divisor in words for words in known):
        raise ValueError(
            f"divisor: none of the requested measures ({displayed}) has the divisor {divisor!r}; "
            "leave it out"
        )
