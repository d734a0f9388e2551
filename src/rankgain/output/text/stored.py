"""Evaluations stored: as CSV and JSON, and read from JSON.

Values become JSON by `encode`. A kind takes a JSON value and returns the Python value that it
represents, or raises `StoredError`; the other stored results are made of the same kinds.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, get_type_hints

import numpy as np

from ...convention.fields import SUMMATIONS, number_value, setting_value
from ...convention.options import read_cutoff
from ...engine.means import MEAN_KINDS, MeanRule, Shares
from ...evaluation.counting import columns_of
from ...inputs.files import refuse_empty_file
from ...inputs.printable import count_of, printable
from ...inputs.ranks import RankedIds
from ...measures.all_lists import RecommendedLists, is_over_all_lists
from ...measures.measure import DIRECTIONS, parse_measure
from ...text import separate

if TYPE_CHECKING:
    from ...evaluation.evaluation import Evaluation
    from ...inputs.types import Path


Kind: TypeAlias = Callable[[Any], Any]
MOST_CHARACTERS = 40  # of a wrong value in an error


class StoredError(ValueError):
    """A wrong value: what is wrong, and the keys that lead to it."""

    def __init__(self, problem: str, *place: object) -> None:
        self.problem = problem
        self.place = place
        message = problem
        if place:  # the value is not the whole file
            keys = ", ".join(str(key)[:MOST_CHARACTERS] for key in place)
            message = f"{keys}: {problem}"
        super().__init__(message)


def encode(value: object) -> Any:
    """A value for strict JSON: nan is null, infinity "inf", a NamedTuple an object, keys text."""
    # A NamedTuple is a tuple, too, so it is recognised before the tuples.
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    # An array without nan and infinity needs no look at its single values.
    if isinstance(value, np.ndarray) and np.isfinite(value).all():
        return value.tolist()
    if isinstance(value, (np.ndarray, list, tuple)):
        return list(map(encode, value))
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, float) or math.isfinite(value):
        return value
    if math.isnan(value):
        return None
    return str(value)


def write(data: object) -> str:
    """The text of a file with this value."""
    return json.dumps(encode(data), indent=1, allow_nan=False) + "\n"


def load(path: Path) -> Any:
    """The content of a JSON file, or None if it is not JSON."""
    refuse_empty_file(path)
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError):  # no JSON, or no text
        return None


# ---- kinds
#
# Types are compared by `type(value) is int`, not by isinstance: in Python True is an int, in JSON
# it is not a number.


def refuse(words: str, value: object) -> NoReturn:
    """Raise an error with the expected kind of value, and the value."""
    raise StoredError(f"expected {words}, not {repr(value)[:MOST_CHARACTERS]}")


def make_kind(words: str, holds: Callable[[Any], bool], read: Kind | None = None) -> Kind:
    """The values for which a condition holds, once they are read."""

    def kind(value: object) -> object:
        result = value if read is None else read(value)
        if not holds(result):
            refuse(words, value)
        return result

    return kind


def make_whole(low: int, high: int = 2**63 - 1) -> Kind:
    """A whole number from low to high."""
    words = f"a whole number of at least {low}"
    return make_kind(words, lambda value: type(value) is int and low <= value <= high)


def make_choice(words: Collection[Any], description: str = "") -> Kind:
    """One of some values; `description` names them in errors."""
    description = description or f"one of {', '.join(words)}"

    def holds(value: object) -> bool:
        # Lists and objects cannot be hashed, and 1.0 and true would equal the position 1.
        return type(value) in (str, int, type(None)) and value in words

    return make_kind(description, holds)


text = make_kind("text", lambda value: type(value) is str)
flag = make_kind("true or false", lambda value: type(value) is bool)
count = make_whole(0)


def number(value: Any) -> float:
    """A number; null is nan, and infinity is "inf" or "-inf"."""
    if value is None:
        return math.nan
    # JSON has integers of any length: those above the largest float64 overflow.
    fits = type(value) in (int, float) and abs(value) <= sys.float_info.max
    if not fits and value not in ("inf", "-inf"):
        refuse("a number", value)
    return float(value)


def measure(value: object) -> str:
    """The name of a measure."""
    try:
        parse_measure(text(value))
    except ValueError:
        refuse("the name of a measure", value)
    return str(value)


def make_name(better: Mapping[str, str]) -> Kind:
    """The name of a measure, or a free name that `better` has."""

    def read(value: object) -> str:
        if type(value) is str and value in better:
            return value
        return measure(value)

    return read


def read_better(data: object) -> dict[str, str]:
    """The directions of measures with a free name, which data from other measures do not have."""
    directions = make_table(make_choice(DIRECTIONS))
    better: dict[str, str] = record({}, {"better": directions})(data).get("better", {})
    return better


def id_(value: object) -> object:
    """An id or a label: a text or a number."""
    if type(value) not in (str, int, float) or value != value or value in (math.inf, -math.inf):
        raise StoredError(f"ids must be text or numbers, not {repr(value)[:MOST_CHARACTERS]}")
    return value


def or_null(kind: Kind) -> Kind:
    """A kind, or null."""

    def read(value: object) -> Any:
        if value is None:
            return None
        return kind(value)

    return read


def _placed(error: Exception, key: object) -> StoredError:
    """The error for a value inside another one."""
    return StoredError(getattr(error, "problem", str(error)), key, *getattr(error, "place", ()))


def _inside(key: object, kind: Kind, value: object) -> Any:
    """The value under a key, read by a kind; errors name the key."""
    try:
        return kind(value)
    except (ValueError, TypeError) as error:
        raise _placed(error, key) from None


def make_list(kind: Kind, n: int | None = None, each: str = "queries") -> Kind:
    """A list, with n values if n is not None; `each` says in errors what the values belong to."""

    def read(value: object) -> list[object]:
        if type(value) is not list:
            refuse("a list", value)
        if n is not None and len(value) != n:
            raise StoredError(f"{count_of(len(value), 'value')} for {n} {each}")
        result: list[object] = []
        try:
            result.extend(map(kind, value))  # on an error, its length is the position
        except (ValueError, TypeError) as error:
            raise _placed(error, len(result)) from None
        return result

    return read


def make_array(n: int, kind: Kind = number, shape: tuple[int, ...] = ()) -> Kind:
    """A number for each of n queries, or numbers of this shape, as an array."""
    listed = make_list(kind, n)
    return lambda value: np.array(listed(value), np.float64).reshape(n, *shape)


both_ends = make_list(number, 2, "ends")


def make_table(kind: Kind, keys: Kind = text, same: Collection[str] | None = None) -> Kind:
    """An object whose values are of one kind; same: the keys that it must have, and no others."""

    def read(value: object) -> dict[str, object]:
        if type(value) is not dict:
            refuse("an object", value)
        result: dict[str, object] = {}
        for key, item in value.items():
            name = _inside(key, keys, key)
            result[name] = _inside(key, kind, item)
        if same is not None and result.keys() != set(same):
            raise StoredError(f"the keys must be {', '.join(same) or 'none'}"[:100])
        return result

    return read


def record(needed: Mapping[str, Kind], optional: Mapping[str, Kind] | None = None) -> Kind:
    """An object with the keys that it must and may have; other keys are ignored."""

    def read(value: object) -> dict[str, object]:
        if type(value) is not dict:
            refuse("an object", value)
        for key in needed:
            if key not in value:
                raise StoredError(f"it lacks {key!r}")
        # The result has the order of the kinds, not that of the file, so that callers may unpack
        # its values.
        result: dict[str, object] = {}
        for key, kind in {**needed, **(optional or {})}.items():
            if key in value:
                result[key] = _inside(key, kind, value[key])
        return result

    return read


BY_TYPE = {str: text, int: count, float: number, bool: flag}


def make_fields(result: Any, **kinds: Kind) -> Kind:
    """A NamedTuple from the object of its fields, read by these kinds, others by annotation."""
    needed: dict[str, Kind] = {}
    optional: dict[str, Kind] = {}
    for name, hint in get_type_hints(result).items():
        # A field with a default may be absent from the object.
        fields = optional if name in result._field_defaults else needed
        fields[name] = kinds.get(name) or BY_TYPE[hint]
    read = record(needed, optional)
    return lambda value: result(**read(value))


def settings(value: object) -> dict[str, object]:
    """Settings by name."""
    result: dict[str, object] = make_table(_setting)(value)
    read_cutoff(result.get("k"))
    return result


def _setting(value: object) -> object:
    """A setting as `encode` writes it: numbers in tables may be text, and null is nan."""
    if type(value) is dict:
        # A table of gains by label: JSON has text as keys.
        numbers = {_read_number(label): _read_number(gain) for label, gain in value.items()}
        return setting_value(numbers)
    if type(value) is list:
        return list(map(_read_number, value))
    is_word = type(value) is str and value not in ("inf", "-inf")
    if is_word or type(value) is bool:
        return value
    return _read_number(value)


def _read_number(value: object) -> object:
    """A number, also from its text."""
    try:
        if isinstance(value, bool):
            raise TypeError
        if value is None:
            return math.nan
        if type(value) is str:
            value = float(value)
        return number_value(value)
    except (TypeError, ValueError, OverflowError):
        refuse("a number", value)


def mean_rule(value: object) -> MeanRule:
    """The rule of the means: summation and decimals."""
    if type(value) is not list or len(value) != len(MeanRule._fields):
        refuse("a list of two", value)
    return MeanRule(make_choice(SUMMATIONS)(value[0]), or_null(count)(value[1]))


# ---- evaluations


def name_of_means(queries: Iterable[object]) -> str:
    """The name of the row of means: "all", in parentheses if a query has that name."""
    taken = {str(query) for query in queries}
    name = "all"
    while name in taken:
        name = f"({name})"
    return name


def csv_text(evaluation: Evaluation, safe: bool) -> str:
    """CSV with a row for each query, then the means; safe: escape spreadsheet formulas."""
    columns = columns_of(evaluation)
    lists = [values.tolist() for values in columns.values()]
    rows = zip(map(str, evaluation.queries), *lists, strict=True)
    means = columns_of(evaluation, means=True)
    last_row = (name_of_means(evaluation.queries), *means.values())
    return separate(["query", *columns], chain(rows, [last_row]), ",", safe)


def make_data(evaluation: Evaluation) -> dict[str, object]:
    """All of an evaluation, for `encode`."""
    ids = evaluation.queries
    if evaluation.collections is not None:  # the ids are pairs of collection and query
        ids = [query for _, query in ids]
    queries = list(map(plain_label, ids))
    data: dict[str, object] = {
        "rankgain": evaluation.versions["rankgain"],
        "convention": evaluation.convention,
        "convention_version": evaluation.versions["convention"],
        "counts": evaluation.counts,
        "means": evaluation.means,
        "queries": queries,
        "per_query": evaluation.per_query,
    }
    if not isinstance(evaluation.queries, range) and _only_counts(queries):
        data["numbered"] = False  # these ids are not the positions of the lists
    segments = None
    if evaluation.segments is not None:
        segments = list(map(plain_label, evaluation.segments))
    mean_rule = None  # the convention's own
    if evaluation.mean_rule != MeanRule.by_name(evaluation.convention):
        mean_rule = list(evaluation.mean_rule)
    recommended = None
    if evaluation.recommended is not None:
        recommended = _recommended_data(evaluation.recommended)
    # A mask is stored as the positions of the lists that it marks.
    marked = {name: np.flatnonzero(mask) for name, mask in evaluation.marked.items()}
    optional = {
        "requested": evaluation.requested,
        "weights": evaluation.weights,
        "segments": segments,
        "mean_rule": mean_rule,
        "settings": evaluation.settings,
        "marked": marked,
        "shares": evaluation.shares,
        "recommended": recommended,
        "better": evaluation.better,
        "collections": evaluation.collections,
        "bounds": evaluation.bounds,
        "bound_means": evaluation.bound_means,
    }
    for name, item in optional.items():
        is_empty = item is None or (isinstance(item, Mapping) and not item)
        if not is_empty:
            data[name] = item
    return data


def _recommended_data(lists: RecommendedLists) -> dict[str, object]:
    """The lists of items and their places, a list for each user."""
    rows = [list(map(plain_label, row)) for row in lists.to_lists()]
    data: dict[str, object] = {"catalogue": lists.n_items, "lists": rows}
    if lists.places is not None:
        # The places of all lists are one array; the running sums of the sizes cut it into lists.
        ends = np.cumsum(lists.sizes)
        data["places"] = np.split(lists.places, ends[:-1])
    return data


def plain_label(label: object) -> object:
    """A query id or label for JSON; what is neither text nor a number, as a date, becomes text."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, (str, int, float)):
        return label
    return str(label)


def _only_counts(queries: list[Any]) -> bool:
    """Whether the ids are 0, 1, 2, ..."""
    return all(type(query) is int for query in queries) and queries == list(range(len(queries)))


def read_json(path: Path) -> dict[str, Any]:
    """The arguments of an Evaluation, from a file with what `Evaluation.to_json` wrote."""
    return _read_arguments(printable(str(path)), load(path))


def read_many(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """The arguments of Evaluations by name, from a file with what `Evaluations.to_json` wrote."""
    file_name = printable(str(path))
    data = load(path)
    if not isinstance(data, dict) or not isinstance(data.get("evaluations"), dict):
        raise ValueError(f"{file_name}: these are not evaluations that rankgain wrote")
    arguments: dict[str, dict[str, object]] = {}
    for run, stored_run in data["evaluations"].items():
        arguments[run] = _read_arguments(f"{file_name}, {printable(run)}", stored_run)
    return arguments


def _read_arguments(name: str, data: object) -> dict[str, object]:
    """The arguments of an Evaluation; errors begin with this name."""
    if isinstance(data, dict) and data.get("means") and "per_query" not in data:
        raise ValueError(
            f"{name}: it has means but no values of queries; write it with --per-query, or by "
            "Evaluation.to_json"
        )
    if isinstance(data, dict) and isinstance(data.get("evaluations"), dict):
        raise ValueError(f"{name}: it has several runs; read it by Evaluations.read")
    try:
        return read_evaluation(data)
    except StoredError as error:
        raise ValueError(
            f"{name}: this is not an evaluation that rankgain wrote: {error}"
        ) from None


def _recommended_lists(
    lists: list[list[object]], catalogue: int | None, places: list[list[int]] | None = None
) -> RecommendedLists:
    """The lists of an evaluation, of ranks with gaps also the place of each item."""
    if places is None:
        return RecommendedLists.of(lists, catalogue)
    rows: list[list[object]] = []
    for items, places_of_list in zip(lists, places, strict=True):
        is_rising = all(a < b for a, b in pairwise(places_of_list))
        if len(items) != len(places_of_list) or not is_rising:
            raise StoredError("the places of a list must rise, one for each item", "places")
        rows.append(RankedIds(items, places_of_list))
    return RecommendedLists.of(rows, catalogue)


def read_evaluation(data: object) -> dict[str, object]:
    """The arguments of an Evaluation, from its JSON data."""
    better = read_better(data)
    # First the names of measures and the number of queries, which all other parts must match.
    heads = {"means": make_table(number, make_name(better)), "queries": make_list(id_)}
    means, queries = record(heads)(data).values()
    n = len(queries)
    one_of_means = make_choice(means, "a measure of means")
    shares = make_fields(
        Shares,
        kind=make_choice(MEAN_KINDS),
        numerators=make_array(n),
        divisors=or_null(make_array(n)),
    )
    positions = make_list(make_choice(range(n), "the position of a query"))
    recommended = record(
        {"lists": make_list(make_list(id_), n), "catalogue": or_null(count)},
        {"places": make_list(make_list(count), n)},
    )
    ends_of_queries = make_array(n, both_ends, (2,))
    needed = {
        **heads,
        "per_query": make_table(make_array(n), one_of_means, same=means),
        "convention": text,
        "convention_version": text,
        "counts": lambda value: _counts(value, one_of_means, n),
        "rankgain": text,
    }
    optional = {
        "numbered": flag,
        "requested": make_table(one_of_means),
        "weights": or_null(make_array(n)),
        "segments": or_null(make_list(id_, n)),
        "collections": or_null(make_list(text, n)),
        "settings": settings,
        "mean_rule": mean_rule,
        "marked": make_table(
            lambda value: np.isin(np.arange(n), positions(value)),
            make_choice([*means, "missing"], "a key"),
        ),
        "shares": make_table(shares, one_of_means),
        "recommended": lambda value: _recommended_lists(**recommended(value)),
        "bounds": make_table(make_table(ends_of_queries, one_of_means, same=means)),
        "bound_means": make_table(make_table(both_ends, one_of_means, same=means)),
    }
    result: dict[str, Any] = record(needed, optional)(data)
    if not better.keys() <= means.keys():
        raise StoredError("a name is not among the means", "better")
    result["better"] = better
    if result.get("bounds", {}).keys() != result.get("bound_means", {}).keys():
        raise StoredError("the keys must be those of bounds", "bound_means")
    if result.get("recommended") is not None and "k" not in result.get("settings", {}):
        # Without a cutoff in its name, a number of all lists looks at the first settings.k items.
        for name in result["means"]:
            if is_over_all_lists(name, better) and parse_measure(name).k is None:
                problem = f"the number of items is missing, which {name} needs"
                raise StoredError(problem, "settings", "k")
    result["versions"] = {
        "rankgain": result.pop("rankgain"),
        "convention": result.pop("convention_version"),
    }
    # Ids 0, 1, 2, ... are the positions of the lists, a range, unless the file says "numbered":
    # false. In pooled evaluations an id is the pair of the collection and the query.
    is_numbered = result.pop("numbered", True)
    if result.get("collections") is not None:
        result["queries"] = list(zip(result["collections"], queries, strict=True))
    elif is_numbered and _only_counts(queries):
        result["queries"] = range(n)
    return result


def _counts(value: object, measure: Kind, n: int) -> object:
    """Counts by name; "undefined" and "undefined_as" are tables by measure.

    "searches" is a list with a count for each of the n queries.
    """
    kinds: dict[str, Kind] = {}
    if isinstance(value, dict):
        kinds = dict.fromkeys(value, count)
        if "searches" in value:
            kinds["searches"] = make_list(count, n)
        if {"undefined", "undefined_as"} & value.keys():
            # Each measure with undefined lists has a rule for them, and no other has.
            undefined = value.get("undefined")
            same: list[str] = []
            if isinstance(undefined, dict):
                same = list(undefined)
            kinds["undefined"] = make_table(count, measure)
            kinds["undefined_as"] = make_table(_read_empty, measure, same=same)
    return record(kinds)(value)


def _read_empty(value: object) -> object:
    """What undefined lists are counted as: a number or a word."""
    if value in ("skip", "nan", "inf", "-inf"):
        return value
    return number(value)
