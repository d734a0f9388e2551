"""The templates of the page: all values are escaped, and an undefined name is an error."""

from functools import cache
from typing import Any

from ...inputs.printable import printable
from ..text.comparison import probability


@cache
def templates() -> Any:
    """The jinja2 environment of page.html, charts.svg, page.css and page.js."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError('the report needs jinja2: pip install "rankgain[report]"') from error
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, ""),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,  # called before a value is escaped
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        one.__name__: one for one in (number, signed, p_value, equals, count, percent, rounded)
    }
    return environment


def macros(name: str, **variables: object) -> Any:
    """The macros of a template, as functions that return markup; variables: their globals."""
    return templates().get_template(name, globals=variables).module


def _visible(value: object) -> object:
    """A value with control characters escaped; the markup of macros is not changed."""
    return value if hasattr(value, "__html__") else printable(str(value))


def number(value: float, places: int = 4) -> str:
    """A number with `places` decimals, or a dash for nan."""
    return "–" if value != value else f"{value:.{places}f}"


def signed(value: float) -> str:
    """A number with its sign and four decimals, or a dash for nan."""
    return "–" if value != value else f"{value:+.4f}"


def p_value(p: float) -> str:
    """A p-value, or a dash for nan; small ones are "<0.0001", never 0."""
    return "–" if p != p else probability(p)


def equals(p: float) -> str:
    """A p-value in a sentence: "= 0.01" or "< 0.0001"."""
    return f"= {p_value(p)}".replace("= <", "< ")


def count(n: int, noun: str) -> str:
    """A number with its noun: "1 list", "2 lists"."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def percent(share: float) -> str:
    """A share as per cent."""
    return f"{round(100 * share, 6):g}%"


def rounded(value: float, digits: int = 6) -> str:
    """A number with at most so many digits, without zeros at its end."""
    return f"{value:.{digits}g}"
