"""Evaluations as text: tables, the best means marked, CSV, TSV, JSON, Markdown, LaTeX, HTML."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...evaluation.counting import footers
from ...inputs.printable import printable
from ...measures.measure import is_smaller_better
from ...text import TextTable, html, latex, latex_text, markdown, separate
from .codec import encode
from .stored import make_data, name_of_means

if TYPE_CHECKING:
    from ...evaluation.evaluation import Evaluation

BOLD, RESET = "\033[1m", "\033[0m"
SEPARATORS = {"csv": ",", "tsv": "\t"}
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}
EvaluationsByRun: TypeAlias = "Mapping[str, Evaluation]"


class TextRow(NamedTuple):
    """A row of a table: the run, the query if there is one, and a value for each column."""

    head: tuple[str, ...]
    values: tuple[float, ...]


def format_all(
    evaluations: EvaluationsByRun,
    kind: str,
    *,
    per_query: bool = False,
    bold: bool = False,
    safe: bool = True,
) -> str:
    """Evaluations by run as text in one of FORMATS; per_query adds a row for each query.

    Bounds are columns after their measure. safe: escape spreadsheet formulas in CSV and TSV.
    """
    if kind in ("json", "jsonl"):
        return (_json if kind == "json" else _json_lines)(evaluations, per_query)
    first = next(iter(evaluations.values()))
    columns = list(_columns(first, first.means, first.bound_means))
    heads = ["run", "query"] if per_query else ["run"]
    rows = list(_rows(evaluations, per_query))
    if kind in SEPARATORS:
        full = ([*row.head, *row.values] for row in rows)
        return separate([*heads, *columns], full, SEPARATORS[kind], safe)
    rows = [row._replace(head=tuple(map(printable, row.head))) for row in rows]
    if kind == "table":
        best = _best(rows, list(first.means), columns) if bold and not per_query else {}
        return _table(evaluations, heads, columns, rows, best)
    text = latex_text if kind == "latex" else str
    cells = [[*map(text, row.head), *(f"{value:.4f}" for value in row.values)] for row in rows]
    table = TextTable([*heads, *map(text, columns)], cells, len(heads))
    return WRITERS[kind](table, footers(evaluations))


WRITERS: dict[str, Callable[[TextTable, list[str]], str]] = {
    "markdown": markdown,
    "latex": latex,
    "html": lambda table, notes: html(table, notes) + "\n",
}
FORMATS = ("table", *SEPARATORS, "json", "jsonl", *WRITERS)


def _columns(
    evaluation: "Evaluation", values: Mapping[str, Any], ends: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Values by column name: each measure, followed by the ends of its bounds."""
    columns = {}
    for name, value in values.items():
        columns[name] = value
        for kind in evaluation.bounds:
            low, high = ends[kind][name]
            columns |= {f"{name} {kind} low": low, f"{name} {kind} high": high}
    return columns


def _rows(evaluations: EvaluationsByRun, per_query: bool) -> Iterator[TextRow]:
    means = name_of_means(chain.from_iterable(one.queries for one in evaluations.values()))
    for run, evaluation in evaluations.items():
        if per_query:
            ends = {
                kind: {name: ends.T for name, ends in columns.items()}
                for kind, columns in evaluation.bounds.items()
            }
            columns = _columns(evaluation, evaluation.per_query, ends)
            lists = [values.tolist() for values in columns.values()]
            for query, *values in zip(evaluation.queries, *lists, strict=True):
                yield TextRow((run, str(query)), tuple(values))
        head = (run, means) if per_query else (run,)
        columns = _columns(evaluation, evaluation.means, evaluation.bound_means)
        yield TextRow(head, tuple(columns.values()))


def _best(rows: list[TextRow], measures: list[str], columns: list[str]) -> dict[int, str]:
    """The best printed value of each measure by column; empty for a single row."""
    best = {}
    for at, name in enumerate(columns):
        if name in measures and len(rows) > 1:
            choose = min if is_smaller_better(name) else max
            known = (row.values[at] for row in rows if not math.isnan(row.values[at]))
            best[at] = f"{choose(known, default=0.0):.4f}"
    return best


def _table(
    evaluations: EvaluationsByRun,
    heads: list[str],
    columns: list[str],
    rows: list[TextRow],
    best: dict[int, str],
) -> str:
    widths = [max(map(len, column)) for column in zip(heads, *(r.head for r in rows), strict=True)]
    places = [max(6, len(name)) for name in columns]

    def line(left: tuple[str, ...] | list[str], right: list[str], strong: dict[int, str]) -> str:
        text = "  ".join(f"{cell:<{width}}" for cell, width in zip(left, widths, strict=True))
        for at, (cell, width) in enumerate(zip(right, places, strict=True)):
            padded = f"{cell:>{width}}"
            text += "  " + (f"{BOLD}{padded}{RESET}" if strong.get(at) == cell else padded)
        return text

    lines = [line(heads, columns, {})]
    lines += [line(row.head, [f"{value:.4f}" for value in row.values], best) for row in rows]
    return "\n".join([*lines, *footers(evaluations)]) + "\n"


def _data(evaluation: "Evaluation", per_query: bool) -> dict[str, object]:
    """The data of `Evaluation.to_json`, with queries only if per_query."""
    data: dict[str, Any] = encode(make_data(evaluation))
    if not per_query:
        for key in ("queries", "per_query", "marked"):
            data.pop(key, None)
    return data


def _dump(data: object, indent: int | None) -> str:
    """Data as JSON."""
    return json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def _json(evaluations: EvaluationsByRun, per_query: bool) -> str:
    runs = {run: _data(evaluation, per_query) for run, evaluation in evaluations.items()}
    first = next(iter(runs.values()))
    head = {"rankgain": first["rankgain"], "convention": first["convention"]}
    return _dump(head | {"runs": runs}, 1)


def _json_lines(evaluations: EvaluationsByRun, per_query: bool) -> str:
    lines = []
    for run, evaluation in evaluations.items():
        if per_query:
            for query, values in evaluation.to_dict().items():
                # JSON has neither nan nor infinity.
                finite = {
                    name: None if isinstance(one, float) and not math.isfinite(one) else one
                    for name, one in ({"query": query} | values).items()
                }
                lines.append(_dump({"run": run, **finite}, None))
        else:
            lines.append(_dump({"run": run, **_data(evaluation, False)}, None))
    return "".join(lines)


FIRST, SECOND = 1, 2


class GridCell(NamedTuple):
    """A mean, its rank in the column (1: best, 2: second, 0: else), superscripts, an interval."""

    value: float
    place: int = 0
    marks: str = ""
    ends: tuple[float, float] | None = None


class Grid(NamedTuple):
    """Cells with the names of their rows and columns."""

    corner: tuple[str, ...]  # heads of the names of rows
    rows: Sequence[tuple[str, ...]]
    columns: list[str]
    cells: list[list[GridCell]]

    def turned(self) -> "Grid":
        """Transpose the table."""
        columns = [" ".join(one) for one in self.rows]
        rows = [(name,) for name in self.columns]
        cells = [list(row) for row in zip(*self.cells, strict=True)]
        return Grid(("measure",), rows, columns, cells)

    def unmarked(self, precision: int) -> TextTable:
        """Values without marks."""
        return self._table(
            printable, lambda cell: _number(cell.value, precision) + _ends(cell, precision)
        )

    def marked(self, precision: int) -> TextTable:
        """For Markdown, the best in bold."""
        return self._table(printable, lambda cell: _strong_cell(cell, precision))

    def latex(self, precision: int, second: bool) -> TextTable:
        """For LaTeX: the best in bold, the second underlined with second=True, superscripts."""
        return self._table(latex_text, lambda cell: _latex_cell(cell, precision, second))

    def _table(self, name: Callable[[str], str], text: Callable[[GridCell], str]) -> TextTable:
        rows = [
            [*map(name, head), *map(text, cells)]
            for head, cells in zip(self.rows, self.cells, strict=True)
        ]
        return TextTable([*self.corner, *map(name, self.columns)], rows, len(self.corner))


def _number(value: float, precision: int) -> str:
    return f"{value:.{precision}f}"


def _strong_cell(cell: GridCell, precision: int) -> str:
    text = _number(cell.value, precision)
    return (f"**{text}**" if cell.place == FIRST else text) + _ends(cell, precision)


def _ends(cell: GridCell, precision: int) -> str:
    """The interval of a cell."""
    if cell.ends is None:
        return ""
    return f" [{_number(cell.ends[0], precision)}, {_number(cell.ends[1], precision)}]"


def _latex_cell(cell: GridCell, precision: int, second: bool) -> str:
    text = _number(cell.value, precision) if not math.isnan(cell.value) else "--"
    if cell.place == FIRST:
        text = rf"\textbf{{{text}}}"
    elif cell.place == SECOND and second:
        text = rf"\underline{{{text}}}"
    return rf"{text}$^{{{cell.marks}}}$" if cell.marks else text


def make_grid(
    values: Mapping[str, Sequence[float]],
    measures: Sequence[str],
    precision: int,
    marks: Mapping[tuple[str, str], str] | None = None,
    ends: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
) -> Grid:
    """Make the table; ends: intervals by system. Values that print alike have the same rank."""
    places = {}
    for at, measure in enumerate(measures):
        displayed = {name: round(row[at], precision) for name, row in values.items()}
        known = {one for one in displayed.values() if not math.isnan(one)}
        order = sorted(known, reverse=not is_smaller_better(measure))
        for name, one in displayed.items():
            places[name, at] = order.index(one) + 1 if one in order[:2] and len(values) > 1 else 0
    cells = [
        [
            GridCell(
                float(value),
                places[name, at],
                (marks or {}).get((name, measure), ""),
                (ends or {}).get(name, {}).get(measure),
            )
            for at, (measure, value) in enumerate(zip(measures, row, strict=True))
        ]
        for name, row in values.items()
    ]
    return Grid(("run",), [(str(name),) for name in values], list(measures), cells)
