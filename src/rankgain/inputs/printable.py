"""Names that others gave, in what is printed, and in files for spreadsheets."""

import re
from collections.abc import Sequence

# Control characters, separators of lines, what turns the direction of text, and lone surrogates,
# which stand for bytes that are no text.
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
FORMULA = re.compile(r"[=+\-@\t\r\n']")
LETTERS = 18  # of a name in a picture
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def printable(text: str) -> str:
    """A name with its control characters escaped, so that it cannot steer a terminal."""
    if text.isprintable():
        return text
    return HIDDEN.sub(lambda result: repr(result[0])[1:-1], text)


def short(name: str, letters: int = LETTERS) -> str:
    """A name that fits: what is too long loses its middle."""
    name = printable(name)
    if len(name) <= letters:
        return name
    tail = (letters - 1) // 2
    return f"{name[: letters - 1 - tail]}…{name[len(name) - tail :]}"


def shorts(names: Sequence[str], letters: int = LETTERS) -> list[str]:
    """Names that fit and still differ: as many letters as that takes."""
    longest = max(map(len, names), default=0)
    while letters < longest:
        result = [short(name, letters) for name in names]
        if len(set(result)) == len(set(names)):
            return result
        letters += 4
    return [printable(name) for name in names]


def safe_cell(text: str) -> str:
    """A name that no spreadsheet takes for a formula: with an apostrophe before it where needed.

    Numbers stay as they are. What begins with an apostrophe gets another, so to take one away from
    each cell that begins with one gives all names back.
    """
    if FORMULA.match(text) and text != "-" and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text
