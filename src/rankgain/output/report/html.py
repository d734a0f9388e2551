"""HTML elements: every text is escaped unless it is `Html`."""

from html import escape
from typing import Any

from ...inputs.printable import printable
from ..text.comparison import probability

LONG = 28  # letters of a name that may break anywhere


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(part: Any) -> Html:
    """A part as HTML: special characters are escaped, control characters made visible."""
    return part if isinstance(part, Html) else Html(escape(printable(str(part))))


def name(part: Any) -> Html:
    """A name; a long one may break at any letter."""
    escaped = text(part)
    return Html(f"<span class=long>{escaped}</span>") if len(str(part)) > LONG else escaped


def joined(parts: Any, by: str = "") -> Html:
    """Parts joined by a separator."""
    return Html(by.join(map(text, parts)))


def tag(name: str, *parts: Any, **attributes: Any) -> Html:
    """An element; `class_` is class, `aria_label` is aria-label; None leaves an attribute out."""
    attribute_text = "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(printable(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{attribute_text}>{joined(parts)}</{name}>")


def table(
    caption: str, heads: list[Any], rows: list[Html], kind: str = "", names: tuple[str, ...] = ()
) -> Html:
    """A table that scrolls sideways if it is too wide, by keyboard too."""
    cells = joined(
        tag("th", head, scope="col", class_="name" if head in names else None) for head in heads
    )
    body = tag("tbody", joined(rows, "\n"))
    inside = tag("table", tag("caption", caption), tag("thead", tag("tr", cells)), body)
    return tag(
        "div", inside, class_=f"wide {kind}".strip(), tabindex=0, role="region", aria_label=caption
    )


def numbers(values: list[float]) -> str:
    """Cells of a row, with dashes for nan."""
    return "".join(f"<td>{number(value)}" for value in values)


def number(value: float, places: int = 4) -> str:
    """A number with `places` decimals, or a dash for nan."""
    return "–" if value != value else f"{value:.{places}f}"


def signed(value: float) -> str:
    """A number with its sign and four decimals, or a dash for nan."""
    return "–" if value != value else f"{value:+.4f}"


def p_value(p: float) -> str:
    """A p-value, or a dash for nan; small ones are "<0.0001", never 0."""
    return "–" if p != p else probability(p)


def count(n: int, what: str) -> str:
    """A number with its noun: "1 list", "2 lists"."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"
