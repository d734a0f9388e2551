"""Make names from the input safe for terminals, pictures and spreadsheets."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

# Control characters, line separators, marks of text direction, and lone surrogates (undecodable
# bytes).
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
FORMULA = re.compile(r"[=+\-@\t\r\n']")
MOST = 20  # names of columns in a message
LETTERS = 18  # longest name in a picture
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def printable(text: str) -> str:
    """A name with its control characters escaped, so that a terminal does not execute them."""
    if text.isprintable():
        return text
    return HIDDEN.sub(lambda match: repr(match[0])[1:-1], text)


def list_names(names: Iterable[Any]) -> str:
    """The first column names for a message; pandas' names may be of any type."""
    first = [printable(str(name))[:100] for name in names]
    more = f" and {len(first) - MOST} more" if len(first) > MOST else ""
    return ", ".join(first[:MOST]) + more


def valid(text: object) -> Any:
    """A text, or texts, that UTF-8 can hold: bytes read as lone surrogates are escaped."""
    if isinstance(text, tuple):
        return tuple(map(valid, text))
    return text.encode("utf-8", "backslashreplace").decode() if isinstance(text, str) else text


def short(name: str, letters: int = LETTERS) -> str:
    """A name of at most `letters` letters; the middle of a longer name is left out."""
    name = printable(name)
    if len(name) <= letters:
        return name
    tail = (letters - 1) // 2
    return f"{name[: letters - 1 - tail]}…{name[len(name) - tail :]}"


def shorts(names: Sequence[str], letters: int = LETTERS) -> list[str]:
    """Shortened names that still differ, if necessary with more than `letters` letters."""
    longest = max(map(len, names), default=0)
    while letters < longest:
        result = [short(name, letters) for name in names]
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
