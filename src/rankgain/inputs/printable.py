"""Values of the input in messages and tables: their kinds, and names that are safe to print."""

import re
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Number
from typing import Any

import numpy as np

# Control characters, line separators, marks of text direction, and lone surrogates (undecodable
# bytes).
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
FORMULA = re.compile(r"[=+\-@\t\r\n']")
# Results of evaluations, as they are called in errors.
RESULTS = {
    "Evaluation": "an Evaluation",
    "Evaluations": "Evaluations",
    "Comparison": "a Comparison",
}
MAX_NAMES = 20  # names of columns in a message
LONGEST_TEXT = 100  # characters of a value in an error
LONGEST_NAME = 200  # characters of a name or a path in an error
MAX_LETTERS = 18  # longest name in a picture
# The kinds of ids that qrels and runs have; as text they are ids of files.
WITH_TEXT = ("str", "int", "UUID", "date", "datetime")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def printable(text: str) -> str:
    """A name with its control characters escaped, so that a terminal does not execute them."""
    if text.isprintable():
        return text
    return HIDDEN.sub(lambda match: repr(match[0])[1:-1], text)


def count_of(n: int, noun: str) -> str:
    """A number with its noun: "1 query", "2 queries", "1,000 users"."""
    if n == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {plural}"


def list_names(names: Iterable[Any]) -> str:
    """The first column names for a message; pandas' names may be of any type."""
    texts = [printable(str(name))[:100] for name in names]
    listed = ", ".join(texts[:MAX_NAMES])
    if len(texts) > MAX_NAMES:
        return f"{listed} and {len(texts) - MAX_NAMES} more"
    return listed


def escape_surrogates(text: object) -> Any:
    """A text, or texts, that UTF-8 can hold: bytes read as lone surrogates are escaped."""
    if isinstance(text, tuple):
        return tuple(map(escape_surrogates, text))
    if isinstance(text, str):
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def shorten(name: str, letters: int = MAX_LETTERS) -> str:
    """A name of at most `letters` letters; the middle of a longer name is left out."""
    name = printable(name)
    if len(name) <= letters:
        return name
    tail = (letters - 1) // 2
    return f"{name[: letters - 1 - tail]}…{name[len(name) - tail :]}"


def shorten_all(names: Sequence[str], letters: int = MAX_LETTERS) -> list[str]:
    """Shortened names that still differ, if necessary with more than `letters` letters."""
    longest = max(map(len, names), default=0)
    while letters < longest:
        result = [shorten(name, letters) for name in names]
        if len(set(result)) == len(set(names)):
            return result
        letters += 4
    return [printable(name) for name in names]


def safe_cell(text: str) -> str:
    """A name with an apostrophe before it if a spreadsheet would read it as a formula.

    Numbers do not change. A name that begins with an apostrophe gets a second one, so removing one
    leading apostrophe from each cell restores all names.
    """
    if FORMULA.match(text) and text != "-" and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def find_kind(value: object) -> str:
    """The kind of an id; ids of different kinds are never equal."""
    if isinstance(value, str):
        return "str"
    if isinstance(value, Integral) and not isinstance(value, (bool, np.bool_)):
        return "int"
    return type(value).__name__


def is_missing(value: object) -> bool:
    """Whether a value is None, NaN, or one of pandas' missing values."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(value != value)


def to_python_str(value: object) -> object:
    """NumPy's text or bytes as str or bytes, which keep NULs at the end."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bytes):
        return bytes(value)
    return value


def describe(value: object) -> str:
    """The text of a value in an error, cut to LONGEST_TEXT."""
    try:
        text = repr(value)
    except ValueError:  # Python converts no integers of more than 4,300 digits to text
        text = f"a number of type {type(value).__name__} with thousands of digits"
    if "\n" in text:  # a frame or a matrix, of which the first lines say little
        return f"a value of type {type(value).__name__}"
    if len(text) > LONGEST_TEXT:
        return text[: LONGEST_TEXT - 3] + "..."
    return text


def describe_name(text: object) -> str:
    """A name or a path in an error: without control characters, and its middle left out if long."""
    return shorten(str(text), LONGEST_NAME)


def refuse_equal_texts(ids: Iterable[object], subject: str) -> None:
    """Refuse an integer beside the same digits as text: as text, the two would be one id."""
    if len(set(map(type, ids))) < 2:
        return
    texts = {identifier for identifier in ids if isinstance(identifier, str)}
    for identifier in ids:
        if not isinstance(identifier, str) and str(identifier) in texts:
            raise ValueError(
                f"{subject} {identifier!r} and {str(identifier)!r} would become one id; give all "
                "in one type"
            )


def refuse_wide_ids(values: Any, place_of: Callable[[int], str]) -> None:
    """Refuse floats of 2**53 and more as ids, where neighbouring integers are one float.

    values: an array; of other types than floats it is not read.
    """
    if values.dtype.kind != "f" or not values.size:
        return
    # The integers from 2**24 on, of float32, are as close to each other as their neighbours.
    limit = 2.0 ** (np.finfo(values.dtype).nmant + 1)
    wide = np.flatnonzero(np.abs(values) >= min(limit, 2.0**53))
    if wide.size:
        index = int(wide[0])
        raise ValueError(
            f"{place_of(index)} is the float {float(values[index])!r}: floats this large are equal "
            "for different ids; give ids as integers or text (pandas reads integers as floats "
            "where a value is missing)"
        )


def refuse_mixed_ids(ids: Sequence[object], place_of: Callable[[int], str]) -> None:
    """Refuse a missing id, and ids of two types, before NumPy converts all to text."""
    types = set(map(type, ids))
    if len(types) == 1 and types <= {int, str, np.str_, bytes}:
        return
    first: tuple[str, str] | None = None
    for index, identifier in enumerate(ids):
        if isinstance(identifier, (float, np.floating)):
            place = place_of(index)
            refuse_wide_ids(np.asarray(identifier).reshape(1), lambda _, place=place: place)  # type: ignore[misc]
        if is_missing(identifier):
            word = "None" if identifier is None else "NaN"
            raise ValueError(f"{place_of(index)} is {word}; every id must be known")
        if isinstance(identifier, (Number, np.bool_)):
            kind = "number"
        else:
            kind = find_kind(identifier)
        if first is None:
            first = kind, describe(identifier)
        elif kind != first[0]:
            raise TypeError(
                f"{place_of(index)} is {describe(identifier)} ({find_kind(identifier)}), but "
                f"{place_of(0)} is {first[1]}; ids of different types never match; "
                "convert them to one type"
            )


def refuse_results(value: object, expected: str) -> None:
    """Refuse results of evaluations where `expected` is read, such as "a run" or "qrels"."""
    for kind in type(value).__mro__:
        library = kind.__module__.partition(".")[0]
        if library == "rankgain" and kind.__name__ in RESULTS:
            source = expected.removeprefix("a ")
            hint = "; rankgain.compare compares evaluations" if source == "run" else ""
            raise TypeError(
                f"expected {expected}, not {RESULTS[kind.__name__]}: pass the {source} of that "
                f"evaluation{hint}"
            )
