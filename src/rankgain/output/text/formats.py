"""Evaluations as text: tables, the best means marked, CSV, TSV, JSON, Markdown, LaTeX, HTML."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...evaluation.counting import ENDS, columns_of, footers, printed_footers, shared_collections
from ...evaluation.directions import join_directions
from ...evaluation.sums.merging import means_by_collection
from ...inputs.printable import printable
from ...measures.measure import NO_FREE_NAMES, is_smaller_better
from ...text import Strong, TextTable, align, html, latex, latex_text, markdown, separate
from .stored import encode, make_data, name_of_means, plain_label

if TYPE_CHECKING:
    from ...evaluation.evaluation import Evaluation

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


def format_all(
    evaluations: EvaluationsByRun,
    kind: str,
    *,
    per_query: bool = False,
    bold: bool = False,
    safe: bool = True,
) -> str:
    """Evaluations by run as text in one of FORMATS; per_query adds a row for each query."""
    if kind in ("json", "jsonl"):
        return _json(evaluations, kind, per_query)
    first = next(iter(evaluations.values()))
    word_heads = ["run"]
    if per_query:
        word_heads.append("query")
    words = len(word_heads)
    heads = [*word_heads, *_names(first)]
    rows = _rows(evaluations, per_query)
    if kind in SEPARATORS:
        return separate(heads, rows, SEPARATORS[kind], safe)
    if kind == "table":
        number_format = "6.4f"  # nan and inf become as wide as 0.5000
        notes = printed_footers(evaluations)
    else:
        number_format = ".4f"
        notes = footers(evaluations)
    escape = latex_text if kind == "latex" else printable
    cells: list[list[str]] = []
    for row in rows:
        numbers = [format(number, number_format) for number in row[words:]]
        cells.append([*map(escape, row[:words]), *numbers])
    if kind == "table" and bold and not per_query and len(rows) > 1:
        directions = join_directions(evaluations)
        for column, name in enumerate(heads):
            if name in first.means:
                values = [row[column] for row in rows]
                best = _find_best(values, is_smaller_better(name, directions))
                _embolden(cells, column, format(best, number_format))
    table = TextTable(list(map(escape, heads)), cells, words)
    return WRITERS[kind](table, notes)


def _rows(evaluations: EvaluationsByRun, per_query: bool) -> list[list[Any]]:
    """A row of means for each run, with per_query below rows for its queries."""
    query_of_means: list[str] = []
    if per_query:
        # The row of means needs a name that no query of any run has.
        queries = chain.from_iterable(evaluation.queries for evaluation in evaluations.values())
        query_of_means = [name_of_means(queries)]
    rows: list[list[object]] = []
    for run, evaluation in evaluations.items():
        names = _names(evaluation)
        if per_query:
            columns = columns_of(evaluation)
            values_by_column = [columns[name].tolist() for name in names]
            for query, *values in zip(evaluation.queries, *values_by_column, strict=True):
                rows.append([run, str(query), *values])
        means = columns_of(evaluation, means=True)
        rows.append([run, *query_of_means, *map(means.__getitem__, names)])
    return rows


def _find_best(values: Sequence[float], is_smaller_better: bool) -> float:
    """The best of the values that are not NaN; 0 if there is none."""
    defined = [value for value in values if not math.isnan(value)]
    if is_smaller_better:
        return min(defined, default=0.0)
    return max(defined, default=0.0)


def _embolden(cells: list[list[str]], column: int, best: str) -> None:
    """Mark the cells of a column that print as the best value does."""
    for row in cells:
        if row[column] == best:
            row[column] = Strong(row[column])


WRITERS: dict[str, Callable[[TextTable, list[str]], str]] = {
    "table": lambda table, notes: "\n".join([*align(table), *notes, ""]),
    "markdown": markdown,
    "latex": latex,
    "html": lambda table, notes: html(table, notes) + "\n",
}
FORMATS = ("table", "csv", "tsv", "json", "jsonl", "markdown", "latex", "html")


def _names(evaluation: "Evaluation") -> list[str]:
    """The names of columns: each measure, followed by the ends of its bounds.

    For example: AP, AP ties low, AP ties high, nDCG@10, nDCG@10 ties low, nDCG@10 ties high.
    """
    names: list[str] = []
    for measure in evaluation.means:
        names.append(measure)
        for kind in evaluation.bounds:
            names += [f"{measure} {kind} {end}" for end in ENDS]
    return names


def _json(evaluations: EvaluationsByRun, kind: str, per_query: bool) -> str:
    """The data of `to_json`, with queries only if per_query; "jsonl": a line for a run or query."""
    rows: list[dict[str, object]] = []
    for run, evaluation in evaluations.items():
        if kind == "jsonl" and per_query:
            for query, values in evaluation.to_dict().items():
                label = plain_label(query)
                if isinstance(query, tuple):  # of several columns, or of a pooled collection
                    label = list(map(plain_label, query))
                row: dict[str, object] = {"run": run}
                for name, value in ({"query": label} | values).items():
                    if isinstance(value, float) and not math.isfinite(value):
                        value = None  # JSON has neither nan nor infinity
                    row[name] = value
                rows.append(row)
        else:
            data = encode(make_data(evaluation))
            if not per_query:
                for key in ("queries", "per_query", "marked"):
                    data.pop(key, None)
            rows.append({"run": run, **data})
    if kind == "jsonl":
        return "".join(f"{_dump(row)}\n" for row in rows)
    head = {"rankgain": rows[0]["rankgain"], "convention": rows[0]["convention"]}
    runs = {row.pop("run"): row for row in rows}
    return f"{_dump(head | {'runs': runs}, indent=1)}\n"


def _dump(data: object, indent: int | None = None) -> str:
    return json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False)


# ---- tables of means for papers

FIRST, SECOND = 1, 2


class GridCell(NamedTuple):
    """A mean, its rank in the column (1: best, 2: second, 0: else), superscripts, an interval."""

    value: float
    place: int = 0
    marks: str = ""
    ends: tuple[float, float] | None = None

    def text(self, precision: int, kind: str, second: bool) -> str:
        """The cell as in `Grid.table`."""
        text = f"{self.value:.{precision}f}"
        if kind == "latex" and math.isnan(self.value):
            text = "--"
        if self.place == FIRST:
            text = STRONG[kind].format(text)
        elif self.place == SECOND and second:
            text = rf"\underline{{{text}}}"
        if self.ends is not None:
            low, high = self.ends
            text += f" [{low:.{precision}f}, {high:.{precision}f}]"
        if kind == "latex" and self.marks:
            text += f"$^{{{self.marks}}}$"
        return text


STRONG = {"": "{}", "markdown": "**{}**", "latex": r"\textbf{{{}}}"}


class Grid(NamedTuple):
    """Cells with the names of their rows and columns."""

    corner: tuple[str, ...]  # heads of the names of rows
    rows: Sequence[tuple[str, ...]]
    columns: list[str]
    cells: list[list[GridCell]]

    def turned(self) -> "Grid":
        """Transpose the table."""
        columns = list(map(" ".join, self.rows))
        rows = [(name,) for name in self.columns]
        cells = list(map(list, zip(*self.cells, strict=True)))
        return Grid(("measure",), rows, columns, cells)

    def table(self, precision: int, kind: str = "", second: bool = False) -> TextTable:
        """The values; "markdown" and "latex" have the best in bold, "latex" superscripts, too."""
        escape = latex_text if kind == "latex" else printable
        rows: list[list[str]] = []
        for names, cells in zip(self.rows, self.cells, strict=True):
            texts = [cell.text(precision, kind, second) for cell in cells]
            rows.append([*map(escape, names), *texts])
        heads = [*self.corner, *map(escape, self.columns)]
        return TextTable(heads, rows, len(self.corner))


class PooledColumns(NamedTuple):
    """Columns of a table of pooled evaluations: of each measure the collections and the mean."""

    names: list[str]
    better: dict[str, str]  # by column
    of_mean: dict[str, str]  # measure -> the column of its mean


def pooled_columns(measures: Sequence[str], evaluations: EvaluationsByRun) -> PooledColumns:
    """The columns of these measures; of one measure they are headed by the collections alone."""
    collections = shared_collections(evaluations)
    directions = join_directions(evaluations)
    # A collection may itself be named "mean".
    mean = "mean of collections" if "mean" in collections else "mean"
    columns = PooledColumns([], {}, {})
    for measure in measures:
        prefix = ""
        if len(measures) > 1:
            prefix = f"{measure} "
        direction = "higher"
        if is_smaller_better(measure, directions):
            direction = "lower"
        for head in (*collections, mean):
            columns.names.append(f"{prefix}{head}")
            columns.better[f"{prefix}{head}"] = direction
        columns.of_mean[measure] = f"{prefix}{mean}"
    return columns


def pooled_means(evaluation: "Evaluation", measures: Sequence[str]) -> list[float]:
    """The means of a system in the order of `pooled_columns`."""
    means: list[float] = []
    for measure in measures:
        means += means_by_collection(evaluation, measure).values()
        means.append(evaluation.means[measure])
    return means


def make_pooled_grid(
    evaluations: EvaluationsByRun,
    measures: Sequence[str],
    precision: int,
    ends: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
    marks: Mapping[tuple[str, str], str] | None = None,
) -> "Grid":
    """A table with a column for each collection and the mean, which has marks and intervals."""
    columns = pooled_columns(measures, evaluations)
    values: dict[str, list[float]] = {}
    for run, evaluation in evaluations.items():
        values[str(run)] = pooled_means(evaluation, measures)
    # Intervals and marks are those of the means over all collections.
    ends_by_column: dict[str, dict[str, tuple[float, float]]] = {}
    for run, ends_of_run in (ends or {}).items():
        ends_by_column[run] = {}
        for measure, interval in ends_of_run.items():
            if measure in measures:
                ends_by_column[run][columns.of_mean[measure]] = interval
    marks_by_column: dict[tuple[str, str], str] = {}
    for (run, measure), text in (marks or {}).items():
        marks_by_column[run, columns.of_mean[measure]] = text
    return make_grid(
        values, columns.names, precision, marks_by_column, ends_by_column, columns.better
    )


def make_grid(
    values: Mapping[str, Sequence[float]],
    measures: Sequence[str],
    precision: int,
    marks: Mapping[tuple[str, str], str] | None = None,
    ends: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
    better: Mapping[str, str] = NO_FREE_NAMES,
) -> Grid:
    """Make the table; ends: intervals by system. Values that print alike have the same rank.

    better: the directions of measures with a free name.
    """
    places: dict[tuple[str, int], int] = {}
    for column, measure in enumerate(measures):
        # Values are compared as they are displayed, without repeats: if two systems are best, the
        # next value is still the second.
        displayed = {name: round(row[column], precision) for name, row in values.items()}
        defined = {value for value in displayed.values() if not math.isnan(value)}
        order = sorted(defined, reverse=not is_smaller_better(measure, better))
        for name, value in displayed.items():
            if value in order[:SECOND] and len(values) > 1:
                places[name, column] = order.index(value) + 1
    cells: list[list[GridCell]] = []
    for name, row in values.items():
        ends_of_row = (ends or {}).get(name, {})
        cells_of_row = []
        for column, (measure, value) in enumerate(zip(measures, row, strict=True)):
            mark = (marks or {}).get((name, measure), "")
            place = places.get((name, column), 0)
            cells_of_row.append(GridCell(float(value), place, mark, ends_of_row.get(measure)))
        cells.append(cells_of_row)
    names_of_rows = [(str(name),) for name in values]
    return Grid(("run",), names_of_rows, list(measures), cells)
