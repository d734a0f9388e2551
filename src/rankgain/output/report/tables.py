"""The tables of a page: means, comparisons and values of lists."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ...analysis.comparison import ComparisonRow
from ...evaluation.grid import is_smaller_better
from .html import Html, count, name, number, numbers, p_value, signed, table, tag
from .view import ReportView
from .words import FEW, lists, percent

CELLS = 60_000  # values of lists in a page at most
COMPARED = 2_000  # comparisons in a page at most
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letters_of(names: list[str]) -> dict[str, str]:
    """A letter for each system: a, b, ... z, aa, ab, ..."""
    result = {}
    for at, system in enumerate(names):
        word, left = "", at
        while left >= 0:
            word, left = LETTERS[left % 26] + word, left // 26 - 1
        result[system] = word
    return result


def means(view: ReportView) -> Html:
    """Means with systems as rows and measures as columns; significant ones are marked."""
    comparison = view.comparison
    letters = letters_of(view.ranked)
    marks = _marks(view, letters)
    best = {}
    for measure in comparison.measures:
        values = (view.means[measure, system].value for system in view.ranked)
        choose = min if is_smaller_better(measure) else max
        best[measure] = choose((one for one in values if one == one), default=math.nan)
    rows = []
    for system in view.ranked:
        head = [name(system)]
        if comparison.baseline is None:
            head.append(tag("small", f" {letters[system]}"))
        if system == comparison.baseline:
            head.append(tag("small", " baseline"))
        cells = [tag("th", *head, scope="row")]
        for measure in comparison.measures:
            mean = view.means[measure, system]
            cell: Any = number(mean.value)
            if cell == number(best[measure]) and len(view.ranked) > 1:
                cell = tag("b", cell)
            ends = tag("small", f"{number(mean.low)} to {number(mean.high)}", class_="ends")
            cells.append(tag("td", cell, marks.get((measure, system), ""), " ", ends))
        rows.append(tag("tr", *cells))
    caption = f"Means, with their {percent(comparison.level)} intervals by the bootstrap"
    return table(caption, ["system", *comparison.measures], rows, "sortable means")


def _marks(view: ReportView, letters: Mapping[str, str]) -> dict[tuple[str, str], Html]:
    """Marks by measure and system: a triangle with a baseline, else letters of worse systems."""
    comparison = view.comparison
    marks: dict[tuple[str, str], Html] = {}
    beaten: dict[tuple[str, str], list[str]] = {}
    for row in view.rows():
        outcome = view.outcome(row)
        if outcome and comparison.baseline is not None:
            word = "better" if outcome > 0 else "worse"
            sign = "▲" if outcome > 0 else "▼"
            title = f"significantly {word} than {comparison.baseline}"
            marks[row.measure, row.a] = tag("abbr", sign, class_=word, title=title)
        elif outcome:
            winner, loser = (row.a, row.b) if outcome > 0 else (row.b, row.a)
            beaten.setdefault((row.measure, winner), []).append(letters[loser])
    for key, those in beaten.items():
        marks[key] = tag("sup", " ".join(sorted(those, key=lambda one: (len(one), one))))
    return marks


def legend(view: ReportView) -> Html:
    """A note that explains the marks."""
    comparison = view.comparison
    if comparison.baseline is None:
        words = (
            "Raised letters name the systems that a mean is significantly better than. The best "
            "value of each measure is bold."
        )
    else:
        words = (
            f"▲ significantly better and ▼ worse than the baseline {comparison.baseline}. The "
            "best value of each measure is bold."
        )
    return tag("p", words, class_="note")


HEADS = {
    "measure": "",
    "segment": "",
    "a": "",
    "b": "",
    "mean a": "mean of a",
    "mean b": "mean of b",
    "a - b": "difference of the means",
    "from": "lower end of the interval of the difference",
    "to": "upper end of the interval of the difference",
    "effect": "mean difference over the standard deviation of the lists' differences",
    "p": "probability of a difference as large by chance",
    "corrected": "p, corrected for the number of comparisons",
    "won": "lists where a is better",
    "tied": "lists where both are equal",
    "lost": "lists where b is better",
    "lists": "lists where both have a value",
}
NAMES = ("measure", "segment", "a", "b")


def comparisons(view: ReportView) -> Iterator[Html]:
    """The comparisons on all lists, then those on segments."""
    yield from _table(view, view.rows(), ())
    if view.segments:
        rows = [row for row in view.all_rows if row.segment is not None]
        yield from _table(view, rows, ("segment",))


def _table(view: ReportView, rows: list[ComparisonRow], more: tuple[str, ...]) -> Iterator[Html]:
    heads = [
        tag("abbr", head, title=title) if title else head
        for head, title in HEADS.items()
        if head != "segment" or head in more
    ]
    caption = f"{count(len(rows), 'comparison')}{' inside segments' if more else ''}"
    if len(rows) > COMPARED:
        words = (
            f"{COMPARED:,} of {len(rows):,} comparisons, those with the smallest p-values; "
            "Comparison.to_csv writes all."
        )
        yield tag("p", words, class_="note")
        rows = sorted(rows, key=lambda row: (row.p != row.p, row.p))[:COMPARED]
    caption += f", with {percent(view.comparison.level)} intervals"
    cells = [_comparison(view, row) for row in rows]
    yield table(caption, heads, cells, "sortable filtered", NAMES)


def _comparison(view: ReportView, row: ComparisonRow) -> Html:
    outcome = view.outcome(row)
    names = [one for one in (row.measure, row.segment, row.a, row.b) if one is not None]
    sign = {1: " ▲", -1: " ▼", 0: ""}[outcome]
    kind = {1: ' class="better"', -1: ' class="worse"', 0: ""}[outcome]
    parts = "".join(f"<td class=name>{name(one)}" for one in names)
    ends = "".join(f"<td>{signed(one)}" for one in (row.low, row.high))
    counts = f"<td>{row.wins}<td>{row.ties}<td>{row.losses}<td>{row.lists}"
    if row.segment is not None and row.lists < FEW:
        counts += " few"
    return Html(
        f"<tr>{parts}{numbers([row.mean_a, row.mean_b])}<td{kind}>{signed(row.difference)}{sign}"
        f"{ends}<td>{number(row.effect, 2)}"
        f"<td>{p_value(row.p)}<td>{p_value(row.p_corrected)}{counts}"
    )


def most_lists(view: ReportView) -> int:
    """The number of lists that a page has at most."""
    cells = len(view.comparison.names) * len(view.comparison.measures)
    return max(CELLS // cells, 20)


def values(view: ReportView, measure: str, order: Any, explained: Mapping[int, Html]) -> Html:
    """A row for each list, with the leading pair's difference and the value of each system."""
    a, b = view.pair
    differences = view.differences(measure)
    names = [a, b, *(one for one in view.ranked if one not in (a, b))]
    columns = [view.values(measure, one) for one in names]
    rows = []
    for at in order:
        query = name(view.queries[at])
        if at in explained:
            query = tag("details", tag("summary", query), tag("div", tag("div", explained[at])))
        difference = float(differences[at])
        kind = ' class="better"' if difference > 0 else ' class="worse"' if difference < 0 else ""
        cells = numbers([float(column[at]) for column in columns])
        rows.append(Html(f"<tr><th scope=row>{query}<td{kind}>{signed(difference)}{cells}"))
    heads = [
        "list",
        tag("abbr", "a - b", title=f"{a} - {b}"),
        *(name(one) for one in (f"a: {a}", f"b: {b}", *names[2:])),
    ]
    caption = f"{measure} of {lists(len(rows))}, the greatest differences of a and b first"
    return table(caption, heads, rows, "sortable filtered values")
