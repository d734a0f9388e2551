"""A table of means, systems by measures, with the best ones marked."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ...inputs.printable import printable
from ...measures.measure import is_smaller_better
from ...text import TextTable, latex_text

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


def grid_of(
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
