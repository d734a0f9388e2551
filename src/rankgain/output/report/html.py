"""HTML from parts: every text is escaped, unless it is HTML already."""

from html import escape
from typing import Any

from ...inputs.printable import printable
from ..text.comparison import probability

LONG = 28  # letters


class Html(str):
    """Text that is HTML: it needs no escaping."""

    __slots__ = ()


def text(part: Any) -> Html:
    """A part as HTML: control characters shown, and what HTML would take for itself escaped."""
    return part if isinstance(part, Html) else Html(escape(printable(str(part))))


def name(part: Any) -> Html:
    """A name; a long one breaks wherever its column ends."""
    escaped = text(part)
    return Html(f"<span class=long>{escaped}</span>") if len(str(part)) > LONG else escaped


def joined(parts: Any, by: str = "") -> Html:
    """Parts one after the other."""
    return Html(by.join(map(text, parts)))


def tag(name: str, *parts: Any, **attributes: Any) -> Html:
    """An element; `_` before an attribute's name or in it reads as `-`, None leaves it out."""
    attribute_text = "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(printable(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{attribute_text}>{joined(parts)}</{name}>")


def table(
    caption: str, heads: list[Any], rows: list[Html], kind: str = "", names: tuple[str, ...] = ()
) -> Html:
    """A table that scrolls sideways where it is too wide, by keyboard too."""
    cells = joined(
        tag("th", head, scope="col", class_="name" if head in names else None) for head in heads
    )
    body = tag("tbody", joined(rows, "\n"))
    inside = tag("table", tag("caption", caption), tag("thead", tag("tr", cells)), body)
    return tag(
        "div", inside, class_=f"wide {kind}".strip(), tabindex=0, role="region", aria_label=caption
    )


def numbers(values: list[float]) -> str:
    """Cells of a row; what is no number is a dash."""
    return "".join(f"<td>{number(value)}" for value in values)


def number(value: float, places: int = 4) -> str:
    """A number with so many decimals, or a dash for nan."""
    return "–" if value != value else f"{value:.{places}f}"


def signed(value: float) -> str:
    """A difference."""
    return "–" if value != value else f"{value:+.4f}"


def p_value(p: float) -> str:
    """A probability, which is never 0."""
    return "–" if p != p else probability(p)


def count(n: int, what: str) -> str:
    """So many of something."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"
