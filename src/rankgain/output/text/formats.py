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
from .stored import encode, make_data, name_of_means

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
    words = 2 if per_query else 1
    heads = [*("run", "query")[:words], *_names(first)]
    means = name_of_means(
        chain.from_iterable(evaluation.queries for evaluation in evaluations.values())
    )
    rows: list[list[Any]] = []
    for run, evaluation in evaluations.items():
        names, columns = _names(evaluation), columns_of(evaluation, means=True)
        if per_query:
            lists = columns_of(evaluation)
            cells_of_lists = zip(*(lists[name].tolist() for name in names), strict=True)
            for query, values in zip(evaluation.queries, cells_of_lists, strict=True):
                rows.append([run, str(query), *values])
        rows.append([run, *[means][: words - 1], *(columns[name] for name in names)])
    if kind in SEPARATORS:
        return separate(heads, rows, SEPARATORS[kind], safe)
    text, form = latex_text if kind == "latex" else printable, "6.4f" if kind == "table" else ".4f"
    cells = [
        [*map(text, row[:words]), *(f"{number:{form}}" for number in row[words:])] for row in rows
    ]
    if kind == "table" and bold and not per_query and len(rows) > 1:
        better = join_directions(evaluations)
        for column, name in enumerate(heads):
            if name in first.means:
                defined = (row[column] for row in rows if not math.isnan(row[column]))
                best = (min if is_smaller_better(name, better) else max)(defined, default=0.0)
                for row in cells:
                    if row[column] == f"{best:{form}}":
                        row[column] = Strong(row[column])
    table = TextTable([*map(text, heads)], cells, words)
    notes = printed_footers(evaluations) if kind == "table" else footers(evaluations)
    return WRITERS[kind](table, notes)


WRITERS: dict[str, Callable[[TextTable, list[str]], str]] = {
    "table": lambda table, notes: "\n".join([*align(table), *notes, ""]),
    "markdown": markdown,
    "latex": latex,
    "html": lambda table, notes: html(table, notes) + "\n",
}
FORMATS = ("table", "csv", "tsv", "json", "jsonl", "markdown", "latex", "html")


def _names(evaluation: "Evaluation") -> list[str]:
    """The names of columns: each measure, followed by the ends of its bounds."""
    ends = [f" {kind} {end}" for kind in evaluation.bounds for end in ENDS]
    return [f"{name}{end}" for name in evaluation.means for end in ("", *ends)]


def _json(evaluations: EvaluationsByRun, kind: str, per_query: bool) -> str:
    """The data of `to_json`, with queries only if per_query; "jsonl": a line for a run or query."""
    rows: list[dict[str, object]] = []
    for run, evaluation in evaluations.items():
        if kind == "jsonl" and per_query:
            for query, values in evaluation.to_dict().items():
                # JSON has neither nan nor infinity.
                finite = {
                    name: None if isinstance(value, float) and not math.isfinite(value) else value
                    for name, value in ({"query": query} | values).items()
                }
                rows.append({"run": run, **finite})
        else:
            data = encode(make_data(evaluation))
            for key in () if per_query else ("queries", "per_query", "marked"):
                data.pop(key, None)
            rows.append({"run": run, **data})
    if kind == "json":
        head = {"rankgain": rows[0]["rankgain"], "convention": rows[0]["convention"]}
        rows = [head | {"runs": {row.pop("run"): row for row in rows}}]
    indent = 1 if kind == "json" else None
    texts = (json.dumps(x, indent=indent, ensure_ascii=False, allow_nan=False) for x in rows)
    return "".join(f"{text}\n" for text in texts)


FIRST, SECOND = 1, 2


class GridCell(NamedTuple):
    """A mean, its rank in the column (1: best, 2: second, 0: else), superscripts, an interval."""

    value: float
    place: int = 0
    marks: str = ""
    ends: tuple[float, float] | None = None

    def text(self, precision: int, kind: str, second: bool) -> str:
        """The cell as in `Grid.table`."""
        numbers = [f"{one:.{precision}f}" for one in (self.value, *(self.ends or ()))]
        text = "--" if kind == "latex" and math.isnan(self.value) else numbers[0]
        if self.place == FIRST:
            text = STRONG[kind].format(text)
        elif self.place == SECOND and second:
            text = rf"\underline{{{text}}}"
        if self.ends is not None:
            text += f" [{', '.join(numbers[1:])}]"
        return f"{text}$^{{{self.marks}}}$" if kind == "latex" and self.marks else text


STRONG = {"": "{}", "markdown": "**{}**", "latex": r"\textbf{{{}}}"}


class Grid(NamedTuple):
    """Cells with the names of their rows and columns."""

    corner: tuple[str, ...]  # heads of the names of rows
    rows: Sequence[tuple[str, ...]]
    columns: list[str]
    cells: list[list[GridCell]]

    def turned(self) -> "Grid":
        """Transpose the table."""
        columns = [" ".join(row) for row in self.rows]
        rows = [(name,) for name in self.columns]
        cells = [list(row) for row in zip(*self.cells, strict=True)]
        return Grid(("measure",), rows, columns, cells)

    def table(self, precision: int, kind: str = "", second: bool = False) -> TextTable:
        """The values; "markdown" and "latex" have the best in bold, "latex" superscripts, too."""
        name = latex_text if kind == "latex" else printable
        rows = [
            [*map(name, head), *(one.text(precision, kind, second) for one in cells)]
            for head, cells in zip(self.rows, self.cells, strict=True)
        ]
        return TextTable([*self.corner, *map(name, self.columns)], rows, len(self.corner))


class PooledColumns(NamedTuple):
    """Columns of a table of pooled evaluations: of each measure the collections and the mean."""

    names: list[str]
    better: dict[str, str]  # by column
    of_mean: dict[str, str]  # measure -> the column of its mean


def pooled_columns(measures: Sequence[str], evaluations: EvaluationsByRun) -> PooledColumns:
    """The columns of these measures; of one measure they are headed by the collections alone."""
    collections = shared_collections(evaluations)
    directions = join_directions(evaluations)
    columns = PooledColumns([], {}, {})
    for measure in measures:
        start = "" if len(measures) == 1 else f"{measure} "
        mean = "mean" if "mean" not in collections else "mean of collections"
        columns.of_mean[measure] = f"{start}{mean}"
        direction = "lower" if is_smaller_better(measure, directions) else "higher"
        for name in [f"{start}{collection}" for collection in collections] + [f"{start}{mean}"]:
            columns.names.append(name)
            columns.better[name] = direction
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
    values = {
        str(run): pooled_means(evaluation, measures) for run, evaluation in evaluations.items()
    }
    ends_by_column = {
        run: {columns.of_mean[name]: both for name, both in of_run.items() if name in measures}
        for run, of_run in (ends or {}).items()
    }
    marks_by_column = {
        (run, columns.of_mean[measure]): text for (run, measure), text in (marks or {}).items()
    }
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
    places = {}
    for column, measure in enumerate(measures):
        displayed = {name: round(row[column], precision) for name, row in values.items()}
        defined = {value for value in displayed.values() if not math.isnan(value)}
        order = sorted(defined, reverse=not is_smaller_better(measure, better))
        for name, value in displayed.items():
            places[name, column] = (
                order.index(value) + 1 if value in order[:2] and len(values) > 1 else 0
            )
    cells = [
        [
            GridCell(
                float(value),
                places[name, column],
                (marks or {}).get((name, measure), ""),
                (ends or {}).get(name, {}).get(measure),
            )
            for column, (measure, value) in enumerate(zip(measures, row, strict=True))
        ]
        for name, row in values.items()
    ]
    return Grid(("run",), [(str(name),) for name in values], list(measures), cells)
