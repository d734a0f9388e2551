"""The HTML page: its sections in order, with style and script embedded."""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from ...analysis.comparison import Comparison, ComparisonRow
from ...measures.measure import parse_measure
from . import charts, tables
from .explained import Explanations, explanations
from .html import Html, joined, tag, text
from .view import ReportView
from .words import FEW, TESTS, conclusions, lists, percent

MOST_ROWS = 40  # systems or segments in a picture at most


def page(
    comparison: Comparison,
    *,
    qrels: Any = None,
    runs: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """The HTML of a report; arguments as in `rankgain.report.report`."""
    view = ReportView(comparison)
    if (qrels is None) != (runs is None):
        raise ValueError("explanations need both qrels= and runs=, as they were evaluated")
    lacking = [name for name in view.pair if runs is not None and name not in runs]
    if lacking:
        raise ValueError(f"runs has no {lacking[0]!r}, which was compared")
    order = view.order_of_lists()[: tables.most_lists(view)].tolist()
    explained = None if runs is None else explanations(view, qrels, runs, order)
    if title is None:
        title = f"{len(comparison.names)} systems on {lists(len(view.queries))}"
    body = [
        tag("h1", title),
        tag("p", f"Compared by {', '.join(comparison.measures)}.", class_="lead"),
        _section("What may be concluded", *(tag("p", one) for one in conclusions(view))),
        _section("Means", tables.means(view), tables.legend(view)),
        _section("Pictures", *_pictures(view)),
    ]
    if view.segments:
        body.append(_section("Segments", tag("div", *_segments(view), class_="pictures")))
    body += [
        _section("Lists", *_lists(view, order, explained)),
        _section("Comparisons", *tables.comparisons(view)),
        _section("How it was made", _made(view)),
    ]
    return _document(title, joined(body, "\n"))


def _section(title: str, *parts: Any) -> Html:
    return tag("section", tag("h2", title), joined(parts, "\n"))


def _pictures(view: ReportView) -> Iterator[Html]:
    """The pictures of each measure; those of the first are open."""
    for measure in view.comparison.measures:
        parts = [_means(view, measure), _beside(view, measure), _sorted(view, measure)]
        inside = tag("div", joined(parts), class_="pictures")
        opened = "" if measure == view.first else None
        yield tag("details", tag("summary", measure), inside, open=opened)


def _figure(picture: Html, caption: str) -> Html:
    return tag("figure", picture, tag("figcaption", caption)) if picture else picture


def _means(view: ReportView, measure: str) -> Html:
    rows = [charts.ChartRow(name, *view.means[measure, name]) for name in view.ranked[:MOST_ROWS]]
    caption = f"Mean {measure} and its {percent(view.comparison.level)} interval{_first_of(view)}"
    return _figure(charts.forest(rows, f"mean {measure}"), caption)


def _first_of(view: ReportView) -> str:
    return f", the best {MOST_ROWS} systems" if len(view.ranked) > MOST_ROWS else ""


def _beside(view: ReportView, measure: str) -> Html:
    """Differences from the baseline, or from the best."""
    baseline = view.comparison.baseline
    other = view.ranked[0] if baseline is None else baseline
    names = [name for name in view.ranked if name != other][:MOST_ROWS]
    rows = {name: view.row(measure, name, other) for name in names}
    caption = (
        f"Difference from {other} in {measure}: filled where it is significant{_first_of(view)}"
    )
    return _differences(view, rows, measure, caption)


def _differences(
    view: ReportView, rows: Mapping[str, ComparisonRow], measure: str, caption: str
) -> Html:
    rows_of_chart = [
        charts.ChartRow(name, row.difference, row.low, row.high, view.outcome(row))
        for name, row in rows.items()
    ]
    return _figure(charts.forest(rows_of_chart, f"difference of {measure}", zero=True), caption)


def _sorted(view: ReportView, measure: str) -> Html:
    a, b = view.pair
    row = view.row(measure, a, b)
    label = f"{measure}, {a} − {b}"
    chart = charts.differences(
        view.differences(measure).tolist(), view.queries, label, row.low, row.high
    )
    return _figure(chart, f"{label}, list by list; the band is the interval of the mean")


def _segments(view: ReportView) -> Iterator[Html]:
    """The leading pair on each segment."""
    a, b = view.pair
    for measure in view.comparison.measures:
        of_segments = [view.row(measure, a, b, name) for name in view.segments[:MOST_ROWS]]
        rows = {"all lists": view.row(measure, a, b)}
        rows |= {f"{row.segment} ({row.lists:,}{few_of(row)})": row for row in of_segments}
        caption = f"{measure}, {a} − {b}, with the number of lists; filled where it is significant"
        yield _differences(view, rows, measure, caption)


def few_of(row: ComparisonRow) -> str:
    """A mark for a segment of few lists."""
    return ", few" if row.lists < FEW else ""


def _lists(view: ReportView, order: list[int], explained: Explanations | None) -> Iterator[Html]:
    a, b = view.pair
    words = f"a is {a}, b is {b}. "
    if len(order) < len(view.queries):
        words += f"The {len(order):,} lists of {len(view.queries):,} where they differ most. "
    if explained is not None and explained.lists:
        words += f"Open a list to see how its {explained.measure} came about, rank by rank"
        words += ", beside the ideal." if parse_measure(explained.measure).family == "nDCG" else "."
        if len(explained.lists) < len(order):
            words += f" The first {len(explained.lists):,} lists have this."
    elif explained is not None and explained.reason:
        words += f"Rankings are not explained: {explained.reason}."
    yield tag("p", words, class_="note")
    for measure in view.comparison.measures:
        first = measure == view.first
        rankings: Mapping[int, Html] = {}
        if explained is not None and measure == explained.measure:
            rankings = explained.lists
        inside = tables.values(view, measure, order, rankings)
        opened = "" if first or rankings else None
        yield tag("details", tag("summary", measure), inside, open=opened)


def _made(view: ReportView) -> Html:
    """The arguments of the comparison, and the versions."""
    comparison = view.comparison
    convention, version = comparison.convention, comparison.versions.get("convention")
    rows: list[tuple[str, str]] = [
        ("systems", ", ".join(comparison.names)),
        ("baseline", "none: all pairs" if comparison.baseline is None else comparison.baseline),
        ("measures", ", ".join(comparison.measures)),
        ("test", TESTS[comparison.test]),
        ("correction", comparison.correction or "none"),
        ("level", percent(comparison.level)),
        ("resamples", f"{comparison.resamples:,}, seed {comparison.seed}"),
        ("convention", f"{convention} ({version})" if version else convention),
        ("made by", f"rankgain {comparison.versions.get('rankgain', '')}"),
    ]
    if view.segments:
        rows.insert(3, ("segments", ", ".join(view.segments)))
    rows += [
        (f"left out of {name}", f"{lists(n)} that others lack")
        for name, n in comparison.left_out.items()
    ]
    feet = {name: one.footer() for name, one in (comparison.evaluations or {}).items()}
    if len(set(feet.values())) == 1:
        rows.append(("lists", next(iter(feet.values()))))
    else:
        rows += [(f"lists of {name}", foot) for name, foot in feet.items()]
    return tag("dl", joined(Html(tag("dt", a) + tag("dd", b)) for a, b in rows))


def _document(title: str, body: Html) -> str:
    style, script = (
        files(__package__).joinpath(name).read_text(encoding="utf-8")
        for name in ("page.css", "page.js")
    )
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # The browser runs no other script, even if a name were not escaped.
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n<script>{script}</script>\n</body>\n</html>\n"
    )
