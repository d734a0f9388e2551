"""Texts that hold several ids: joined by blanks, as in contests, or lists that were printed."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from .printable import describe

IMPRESSION = re.compile(r"(.+)-([01])", re.DOTALL)  # an item, and whether it was clicked
MARKS = ",;|"  # that may join ids too, but that ids may hold as well


def split_ids(text: str, place: str) -> list[object]:
    """The ids of a text: joined by blanks, or a list as Python, NumPy or JSON print it."""
    text = text.strip()
    if text.startswith(("[", "(")) and text.endswith(("]", ")")):
        return _read_printed(text, place)
    for mark in MARKS:
        if mark in text:
            raise ValueError(
                f"{place} is {describe(text)}: ids are joined by blanks, and this has {mark!r}; "
                f"make a list of it, such as column.str.split({mark!r})"
            )
    return list(text.split())


def _read_printed(text: str, place: str) -> list[object]:
    """The ids of a list that was printed."""
    inside = text[1:-1]
    if "..." in inside.split():
        raise ValueError(f"{place} is {describe(text)}: a part of the list was left out in print")
    if "," not in inside:  # NumPy prints no commas; Python would join texts without them
        return list(map(_read_word, inside.split()))
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ValueError(f"{place} is {describe(text)}, which is not a list of ids") from None
    return list(value)


def _read_word(word: str) -> object:
    if re.fullmatch(r"-?\d+", word):
        return int(word)
    is_quoted = len(word) > 1 and word[0] == word[-1] and word[0] in "'\""
    if is_quoted:
        return word[1:-1]
    return word


def as_impressions(rows: Sequence[list[Any]]) -> list[dict[str, int]] | None:
    """Ids with labels, if each id ends in -0 or -1, as in the impressions of MIND; else None."""
    impressions = []
    labels: set[int] = set()
    for row in rows:
        label_of: dict[str, int] = {}
        for item in row:
            match = IMPRESSION.fullmatch(item) if isinstance(item, str) else None
            if match is None:
                return None
            label_of[match[1]] = int(match[2])
        labels.update(label_of.values())
        impressions.append(label_of)
    # Ids that all end in -0, or all in -1, may be no impressions.
    if len(labels) < 2:
        return None
    return impressions
