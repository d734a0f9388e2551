"""`Measure`, the parsed form of a name; the requested measures of a call under its convention."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import index
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, SupportsIndex, cast

from ..convention import UNSET, Convention
from ..convention.options import (
    DIVISOR_WORDS,
    DIVISORS,
    MAX_CUTOFF,
    Value,
    format_option,
    parse_option,
)
from ..engine.settings import Family
from ..inputs.lists import reword_error
from .families import FAMILIES, SPELLINGS
from .grammar import LEVELS, parse_name, unknown_measure_error

DIRECTIONS = ("higher", "lower")  # of values: which are better
# The directions of measures whose values were given under a free name: none.
NO_FREE_NAMES: Mapping[str, str] = MappingProxyType({})


class Measure:
    """One measure: a family, its parameters, and a cutoff.

    Immutable and hashable; equal when they print alike. `str()` is the canonical name, which
    `parse_measure` reads back.
    """

    __slots__ = ("_text", "family", "k", "params")

    family: str
    k: int | None
    params: Mapping[str, Value]
    _text: str

    def __init__(self, family: str, /, k: SupportsIndex | None = None, **params: object) -> None:
        if not isinstance(family, str):
            raise TypeError(f"family must be a string, not {type(family).__name__}")
        row = FAMILIES.get(family.lower())
        try:
            if row is None or row.name.lower() != family.lower():
                raise unknown_measure_error(family, SPELLINGS)
            self._fill(row, k, params)
        except (TypeError, ValueError) as error:
            reword_error(error, f"measure {family!r:.100}: {error}")
            raise

    def _fill(self, family: Family, k: SupportsIndex | None, params: Mapping[str, object]) -> None:
        """Check the parameters and the cutoff of a new measure, and set its attributes."""
        for name in params:
            if name not in family.params:
                takes = ", ".join(family.params) or "no parameter"
                raise ValueError(f"unknown parameter {name!r:.100}; {family.name} takes {takes}")
        checked: dict[str, Value] = {}
        for name in family.params:
            if name in params:
                checked[name] = parse_option(name, params[name])
        if family.divisors and checked.get("divisor", family.divisors[0]) not in family.divisors:
            allowed = " or ".join(family.divisors)
            raise ValueError(f"divisor must be {allowed}, not {checked['divisor']!r:.100}")
        for first, second in (("rank", "ties"), ("rank", "seed"), ("rank", "per")):
            if first in checked and second in checked:
                raise ValueError(f"{first} cannot be combined with {second}: leave {second} out")
        for name in family.required:
            if name not in checked:
                cutoff_of_example = "@10" if family.cutoff == "required" else ""
                raise ValueError(
                    f"add {name}, the label of a perfect document, as in "
                    f"{family.example}{cutoff_of_example}"
                )
        if "max_rel" in checked:
            smallest = cast("float", checked.get("min_rel", 0))
            largest = cast("float", checked["max_rel"])
            if largest <= smallest:
                raise ValueError(f"max_rel must be above min_rel, {smallest}, not {largest}")
        if "share" in checked and k is not None:
            raise ValueError(f"share is the cutoff: leave k = {k} out")
        if k is None and family.cutoff == "required":
            raise ValueError(f"add a cutoff, as in {family.example}@10")
        if k is not None and family.cutoff in ("none", *LEVELS):
            raise ValueError(f"{family.name} has no cutoff: remove k = {k}")
        if isinstance(k, bool) or not (k is None or hasattr(k, "__index__")):
            raise TypeError(f"k must be an int, not {k!r:.100}")
        cutoff = None
        if k is not None:
            cutoff = index(k)
            if not 1 <= cutoff <= MAX_CUTOFF:
                raise ValueError(
                    f"k must be at least 1 (and below 2**63), got {k}. Omit k to use the whole list"
                )
        text = _canonical_name(family, cutoff, checked)
        set_fields(self, text=text, family=family.name, k=cutoff, params=checked)

    @property
    def definition(self) -> Family:
        """The row of its family."""
        return FAMILIES[self.family.lower()]

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Measure is immutable: {name!r:.100} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Measure is immutable: {name!r:.100} cannot be deleted")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        arguments = []
        if self.k is not None:
            arguments.append(f"k={self.k!r}")
        for name, value in self.params.items():
            if isinstance(value, str) or value != value:  # nan has no literal
                value = str(value)
            elif isinstance(value, Mapping):
                value = dict(value)
            arguments.append(f"{name}={value!r}")
        return f"Measure({', '.join([repr(self.family), *arguments])})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[object, ...]:
        return parse_measure, (self._text,)


def _canonical_name(family: Family, cutoff: int | None, params: Mapping[str, Value]) -> str:
    """The text of a measure: its family, its parameters in parentheses, its cutoff."""
    level = None
    if family.cutoff in LEVELS:
        level = family.cutoff
    if level is not None and level not in params:
        needed = {"recall": "level of recall", "multiple": "multiple of R"}[level]
        example = {"recall": "@0.1", "multiple": "_0.20"}[level]
        raise ValueError(f"add a {needed}, as in {family.name}{example}")
    shown = [f"{name}={format_option(params[name])}" for name in params if name != level]
    parameters = ""
    if shown:
        parameters = f"({','.join(shown)})"
    if level == "multiple":  # as trec_eval prints it, unless two decimals are not enough
        multiple = float(cast("float", params[level]))
        printed = f"{multiple:.2f}"
        if float(printed) != multiple or multiple >= 1e16:  # from there on str has an exponent
            printed = str(multiple)
        return f"{family.name}_{printed}{parameters}"
    stem, mark, letter = family.name.partition("@")  # of AP@R
    name = f"{stem}{parameters}{mark}{letter}"
    rank = cutoff if level is None else params[level]
    if rank is None:
        return name
    return f"{name}@{rank}"


def set_fields(
    measure: Measure, *, text: str, family: str, k: int | None, params: Mapping[str, Value]
) -> None:
    """Fill a new measure, which is immutable afterwards."""
    values = text, family, k, MappingProxyType(params)
    for slot, value in zip(Measure.__slots__, values, strict=True):
        object.__setattr__(measure, slot, value)


@lru_cache(maxsize=1024)
def _read_measures(text: str, spellings: int) -> tuple[Measure, ...]:
    """The measures that a name stands for.

    spellings: how many spellings are known, so that new ones are not answered from the cache.
    """
    name, _, cut = text.strip().rpartition("@")
    # A plain cutoff replaces that of the cached measure at 1. 18 digits are below 2**63.
    if cut.isascii() and cut.isdigit() and len(cut) < 19 and int(cut):
        first_cutoff_measure = _read_first_cutoff(name, spellings)
        if first_cutoff_measure is not None:
            return (_set_cutoff(first_cutoff_measure, int(cut)),)
    measures = []
    try:
        for family, k, params in parse_name(text.strip(), SPELLINGS):
            measure = Measure.__new__(Measure)
            measure._fill(family, k, params)
            measures.append(measure)
    except ValueError as error:
        raise ValueError(f"measure {text!r:.100}: {error}") from None
    return tuple(dict.fromkeys(measures))


@lru_cache(maxsize=1024)  # a name is read once for all its cutoffs
def _read_first_cutoff(name: str, _spellings: int) -> Measure | None:
    """The measure at the cutoff 1; None if the name stands for no measure, or for several."""
    measure = Measure.__new__(Measure)
    try:
        [(family, k, params)] = parse_name(f"{name}@1", SPELLINGS)
        measure._fill(family, k, params)
    except ValueError:
        return None
    if measure.k != 1:  # of some names, the 1 is a level of recall
        return None
    return measure


def _set_cutoff(measure: Measure, k: int) -> Measure:
    """The same measure with the cutoff k."""
    result = Measure.__new__(Measure)
    text = f"{measure._text.partition('@')[0]}@{k}"
    set_fields(result, text=text, family=measure.family, k=k, params=dict(measure.params))
    return result


def _read_name(item: object) -> object:
    """The name of a measure object of ir_measures; any other item as it is."""
    if type(item).__module__.partition(".")[0] == "ir_measures":
        return str(item)
    return item


def parse_measure(text: str | Measure) -> Measure:
    """The one measure that a name, or a measure object of ir_measures, stands for.

    >>> parse_measure("ndcg_cut_10")
    Measure('nDCG', k=10)
    """
    if isinstance(text, Measure):
        return _refuse_uncut(text)
    if not isinstance(text, str):
        text = _read_name(text)
    if not isinstance(text, str):
        raise TypeError(f"a measure is a name or a Measure, not {type(text).__name__}")
    measures = _read_measures(text, len(SPELLINGS))
    if len(measures) > 1:
        names = ", ".join(map(str, measures))
        raise ValueError(f"measure {text!r:.100}: several measures ({names}); use parse_measures")
    return measures[0]


def _add_measure(measure: Measure, requested: dict[Measure, Measure]) -> None:
    """Add a requested measure; two functions under one name are refused."""
    same_name = requested.setdefault(measure, measure)
    if same_name.definition.compute is not measure.definition.compute:
        raise ValueError(
            f"measure {str(measure)!r} stands for two functions in this call; give one of them "
            "another name"
        )


def _refuse_uncut(measure: Measure) -> Measure:
    """Refuse a measure of one's own that needs a cutoff and has none."""
    if measure.k is None and measure.definition.cutoff == "required":
        raise ValueError(f"measure {measure.family!r} needs a cutoff: ask for measure @ 10")
    return measure


def parse_measures(spec: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """The measures that one name, or a collection of names, stands for.

    They keep their order, each once; a set, which has no order, is sorted by name. Any
    spelling will do, and one name may mean several measures:

    >>> [str(measure) for measure in parse_measures(["ndcg_cut.5,10", "map", "P@5", "AP"])]
    ['nDCG@5', 'nDCG@10', 'AP', 'P@5']
    """
    if isinstance(spec, Measure):
        return (_refuse_uncut(spec),)
    if not isinstance(spec, (str, list, tuple)):
        spec = _read_name(spec)  # type: ignore[assignment]
    if isinstance(spec, str):
        return _read_measures(spec, len(SPELLINGS))
    if not isinstance(spec, Iterable):
        raise TypeError(f"measures are a name, a Measure or a list of them, not {spec!r:.100}")
    result: dict[Measure, Measure] = {}
    for item in spec:
        if isinstance(item, str):
            measures = _read_measures(item, len(SPELLINGS))
        else:
            measures = (parse_measure(item),)
        for measure in measures:
            _add_measure(measure, result)
    if not result:
        raise ValueError("no measures given; pass at least one, such as 'nDCG@10'")
    if isinstance(spec, (set, frozenset)):
        return tuple(sorted(result, key=str))
    return tuple(result)


def find_family(measure: str) -> Family:
    """The row of the family of a measure."""
    return parse_measure(measure).definition


def is_smaller_better(measure: str, better: Mapping[str, str] = NO_FREE_NAMES) -> bool:
    """Whether the smaller of two values of a measure is the better one.

    better: "higher" or "lower" for each measure with a free name, which is not parsed.
    """
    if measure in better:
        return better[measure] == "lower"
    return find_family(measure).smaller_is_better


def split_measures(
    spec: str | Measure | Iterable[object],
) -> tuple[list[Any], list[Any]]:
    """The measures of ranked lists as they were requested, and those of shown items."""
    requested: Iterable[object] = (spec,)
    if isinstance(spec, Iterable) and not isinstance(spec, (str, Measure)):
        requested = spec
    of_lists: list[object] = []
    of_items: list[object] = []
    for item in requested:
        if isinstance(item, (str, Measure)) and _is_of_items(item):
            of_items.append(item)
        else:
            of_lists.append(item)
    return of_lists, of_items


@lru_cache(maxsize=1024)
def _is_of_items(name: str | Measure) -> bool:
    try:
        return not any(measure.definition.row.shape for measure in parse_measures(name))
    except (ValueError, TypeError):  # a convention's own name, or one that is refused later
        return False


def is_of_catalogue(measure: Measure) -> bool:
    """Whether a measure is of the shown items, which have no walk over a ranked list."""
    return not measure.definition.row.shape


MAX_LISTED_MEASURES = 5  # measures that an error lists


class RequestedMeasures(NamedTuple):
    """The requested measures under a convention, and the names of their values."""

    measures: tuple[Measure, ...]
    names: Mapping[str, str]  # requested name -> name in the result, where they differ
    settings: Mapping[str, object] | None = None  # for `Evaluation.settings`


def rereadable(spec: object) -> Any:
    """Turn an iterator of measures into a list, which can be read more than once."""
    if isinstance(spec, Iterator):
        return list(spec)
    return spec


def read_measures(spec: Any, rules: Convention) -> RequestedMeasures:
    """Read names of measures; a convention may define what a name means, and its cutoff."""
    if not rules.names and rules.k is None:
        return RequestedMeasures(parse_measures(spec), {})
    if isinstance(spec, (str, Measure)) or not isinstance(spec, Iterable):
        parse_measures(spec)  # raises the error
        items = [spec]
    else:
        items = list(spec)
        if not items:
            parse_measures(items)  # raises the error
    result: dict[Measure, Measure] = {}
    names: dict[str, str] = {}
    for item in items:
        if isinstance(item, str):
            requested = item.strip()
            measures_read = _read_measures(item, len(SPELLINGS))
        else:
            requested = ""
            measures_read = (parse_measure(item),)
        for measure in measures_read:
            _refuse_other_meaning(measure, rules)
            meant = measure
            if requested:
                meant = _apply_names(requested, measure, rules.names)
            cut_measure = meant
            if rules.k is not None:
                cut_measure = _with_cutoff(meant, rules)
            _add_measure(cut_measure, result)
            # The name as it was requested stays a key of the result.
            if meant is not measure and len(measures_read) == 1:
                names[requested] = str(cut_measure)
            elif cut_measure is not measure:
                names[str(measure)] = str(cut_measure)
    ordered = list(result)
    if isinstance(spec, (set, frozenset)):  # which has no order
        ordered.sort(key=str)
    return RequestedMeasures(tuple(ordered), names)


def _refuse_other_meaning(measure: Measure, rules: Convention) -> None:
    """Refuse a measure whose name belongs to another measure in the convention's tool.

    The accuracy of sentence-transformers is a hit rate, but Accuracy here is a measure of pairs.
    """
    for spelling, name in rules.names.items():
        entry = SPELLINGS.get(spelling.lower())
        if entry is None or entry.family.name != measure.family:
            continue
        meaning = parse_measure(name)
        if meaning.family == measure.family:
            continue
        if measure.k is not None:
            meaning = _set_cutoff(meaning, measure.k)
        raise ValueError(
            f"measure {str(measure)!r:.100} is not what the convention {rules.name} calls "
            f"{spelling}, which is {meaning} here; write {meaning}"
        )


def _apply_names(text: str, measure: Measure, meanings: Mapping[str, str]) -> Measure:
    """The measure with the parameters that a convention's spelling at the start of a name means."""
    for spelling, name in meanings.items():
        if not text.startswith(spelling):
            continue
        meaning = parse_measure(name)
        if meaning.family == measure.family:
            return Measure(measure.family, k=measure.k, **{**meaning.params, **measure.params})
    return measure


def _with_cutoff(measure: Measure, rules: Convention) -> Measure:
    """Give a measure without a cutoff that of the convention."""
    family = measure.definition
    if measure.k is not None or family.cutoff in ("none", *LEVELS) or "share" in measure.params:
        return measure
    k = rules.of_family(family.function)["k"]
    if k is None:
        return measure
    return _set_cutoff(measure, k)


def refuse_own(measures: Iterable[Measure], function: str) -> None:
    """Refuse measures that a function of rankings computes, where there are no rankings."""
    for measure in measures:
        if measure.definition.compute is not None:
            raise ValueError(
                f"measure {str(measure)!r} is computed by a function of rankings, which {function} "
                "does not have; evaluate it with evaluate, evaluate_arrays, evaluate_ids or "
                "evaluate_frame"
            )


def refuse_unused(measures: Sequence[Measure], options: Mapping[str, Any]) -> None:
    """Refuse an argument, or a value of `divisor`, that no requested measure has."""
    requested = [name for name, value in options.items() if value is not UNSET]
    families = [measure.definition for measure in measures]
    displayed = ", ".join(map(str, measures[:MAX_LISTED_MEASURES]))
    if len(measures) > MAX_LISTED_MEASURES:
        displayed += ", ..."
    for name in requested:
        if not any(name in family.params for family in families):
            raise TypeError(
                f"{name} is not an argument of any requested measure ({displayed}); remove it"
            )
    divisor = options.get("divisor", UNSET)
    if divisor is UNSET or not isinstance(divisor, str):
        return
    if divisor not in DIVISOR_WORDS:
        return
    if not any(divisor in DIVISORS.get(family.function, ()) for family in families):
        raise ValueError(
            f"divisor: none of the requested measures ({displayed}) has the divisor "
            f"{divisor!r:.100}; remove it"
        )
