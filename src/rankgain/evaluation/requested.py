"""What the measures asked are under a convention: its names, its cutoffs, and what they take."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..convention import UNSET, Convention
from ..convention.domains import DIVISOR_WORDS, DIVISORS
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure, parse_measure, parse_measures

NAMED = 5  # measures that an error names


class RequestedMeasures(NamedTuple):
    """Measures as a convention computes them, and under which names their values are found."""

    measures: tuple[Measure, ...]
    names: Mapping[str, str]  # of what was asked, where the result has another
    settings: Mapping[str, Any] | None = None  # that were given, as an Evaluation has them


def rereadable(spec: Any) -> Any:
    """What was asked, so that it can be read again: an iterator as a list."""
    return list(spec) if isinstance(spec, Iterator) else spec


def measures_under(spec: Any, rules: Convention) -> RequestedMeasures:
    """The measures of names, each with the meaning and the cutoff that the convention gives it."""
    if not rules.names and rules.k is None:
        return RequestedMeasures(parse_measures(spec), {})
    single = isinstance(spec, (str, Measure)) or not isinstance(spec, Iterable)
    items: Sequence[Any] = (spec,) if single else list(spec)
    if single or not items:
        parse_measures(spec if single else items)  # it words what is wrong
    result: dict[Measure, None] = {}
    names: dict[str, str] = {}
    for item in items:
        read = parse_measures(item) if isinstance(item, str) else (parse_measure(item),)
        for one in read:
            read_as = _measure_of(item, one, rules.names)
            cut = _cut(read_as, rules)
            result[cut] = None
            if read_as is not one and len(read) == 1:
                names[item.strip()] = str(cut)
            elif cut is not one:
                names[str(one)] = str(cut)
    ordered = sorted(result, key=str) if isinstance(spec, (set, frozenset)) else result
    return RequestedMeasures(tuple(ordered), names)


def _measure_of(item: Any, measure: Measure, names: Mapping[str, str]) -> Measure:
    """What a spelling means that the convention's tool has for a measure of its own."""
    for spelling, name in names.items():
        if isinstance(item, str) and item.strip().startswith(spelling):
            meaning = parse_measure(name)
            if meaning.family == measure.family:
                params = {**meaning.params, **measure.params}
                return Measure(meaning.family, k=measure.k, **params)
    return measure


def _cut(measure: Measure, rules: Convention) -> Measure:
    """The measure with the convention's cutoff, where it has none of its own."""
    family = FAMILIES[measure.family.lower()]
    if measure.k is not None or family.cutoff in ("none", "recall"):
        return measure
    k = rules.for_family("k", family.function)
    return measure if k is None else Measure(measure.family, k=k, **measure.params)


def refuse_untaken(measures: Sequence[Measure], options: Mapping[str, Any]) -> None:
    """Refuse an argument that none of the measures asked takes, or a divisor that none has."""
    requested = [name for name, value in options.items() if value is not UNSET]
    if not requested:
        return
    families = [FAMILIES[one.family.lower()] for one in measures]
    displayed = ", ".join(map(str, measures[:NAMED])) + (", ..." if len(measures) > NAMED else "")
    for name in requested:
        if not any(name in family.arguments for family in families):
            raise TypeError(
                f"{name} is taken by none of the measures asked ({displayed}); leave it out"
            )
    divisor = options.get("divisor", UNSET)
    if divisor is UNSET or not isinstance(divisor, str):
        return
    known = (DIVISORS.get(family.function, ()) for family in families)
    if divisor in DIVISOR_WORDS and not any(divisor in words for words in known):
        raise ValueError(
            f"divisor: none of the measures asked ({displayed}) has the divisor {divisor!r}; "
            "leave it out"
        )
