"""Tables as text: aligned, Markdown, LaTeX with booktabs, HTML, and separated values."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain
from textwrap import TextWrapper
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from .inputs.files import write_atomically
from .inputs.printable import printable, safe_cell

if TYPE_CHECKING:
    from .inputs.types import Path


PRINTED_WIDTH = 88  # characters of a line in a terminal or on a page
PAGE = 45  # rows of a LaTeX table that fit on one page
LEGEND_WIDTH = 60  # characters of a line below a narrow table, about that of a column of text
COMMAND = re.compile(r"\\[a-z]+|[${}^\\]")
# An underscore inside a word means nothing to Markdown.
MARKUP = re.compile(r"[\\`*\[\]|~$<>&]|(?<![^\W_])_|_(?![^\W_])")
ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


class Strong(str):
    """A cell that a terminal displays in bold."""

    __slots__ = ()


class TextTable(NamedTuple):
    """Heads and rows of text cells; the first `words` columns are words, the others numbers."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int  # number of left-aligned columns


def align(table: TextTable) -> list[str]:
    """Lines with aligned columns."""
    rows = [table.heads, *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            text = cell.ljust(width) if index < table.words else cell.rjust(width)
            if isinstance(cell, Strong):
                text = f"\033[1m{text}\033[0m"
            cells.append(text)
        lines.append("  ".join(cells).rstrip())
    return lines


def wrap_notes(notes: Iterable[str]) -> list[str]:
    """Notes below a printed table, in lines of at most PRINTED_WIDTH characters if words allow."""
    wrapper = TextWrapper(
        PRINTED_WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return list(chain.from_iterable(map(wrapper.wrap, notes)))


def markdown(table: TextTable, notes: Iterable[str] = ()) -> str:
    """A pipe table, with notes below it; heads and words are escaped, numbers are not."""

    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(cells)} |"

    words, numbers = table.words, len(table.heads) - table.words
    sides = ["---"] * words + ["---:"] * numbers
    lines = [line(map(markdown_text, table.heads)), line(sides)]
    lines += [line([*map(markdown_text, row[:words]), *row[words:]]) for row in table.rows]
    lines.append("")
    lines.extend(map(markdown_text, notes))
    return "\n".join(lines).rstrip("\n") + "\n"


def markdown_text(text: str) -> str:
    """Text with Markdown's special characters escaped: markup, HTML, links and formulas."""
    return MARKUP.sub(lambda result: ENTITIES.get(result[0], f"\\{result[0]}"), text)


def latex_text(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    return "".join(SPECIAL.get(character, character) for character in printable(text))


def latex(
    table: TextTable,
    notes: Iterable[str] = (),
    caption: str | None = None,
    label: str | None = None,
    legend: Iterable[str] = (),
) -> str:
    """A booktabs tabular, or longtable; notes become comments, the legend is set below the rows.

    Cells and legend must be LaTeX already.
    """

    def line(cells: Iterable[str]) -> str:
        return f"{' & '.join(cells)} \\\\"

    columns = "l" * table.words + "r" * (len(table.heads) - table.words)
    titles = []
    if caption is not None:
        titles.append(rf"\caption{{{latex_text(caption)}}}")
    if label is not None:
        if not label.isprintable() or set(label) & set("\\{}%#~"):
            raise ValueError(
                f"label={label!r} cannot stand in \\label; letters, digits and :-_ can"
            )
        titles.append(rf"\label{{{label}}}")
    heads = [r"\toprule", line(table.heads), r"\midrule"]
    rows = [line(row) for row in table.rows]
    below = _legend_rows(table, legend)
    if len(rows) > PAGE:
        if titles:
            titles = [rf"{''.join(titles)} \\"]
        lines = [rf"\begin{{longtable}}{{{columns}}}", *titles, *heads, r"\endhead"]
        lines += [r"\bottomrule", r"\endfoot"]
        if below:
            lines += [r"\bottomrule", *below, r"\endlastfoot"]
        lines += [*rows, r"\end{longtable}"]
    else:
        lines = [rf"\begin{{tabular}}{{{columns}}}", *heads, *rows]
        lines += [r"\bottomrule", *below, r"\end{tabular}"]
        if titles:
            lines = [r"\begin{table}", r"\centering", *titles, *lines, r"\end{table}"]
    return "\n".join([*(f"% {note}" for note in notes), *lines]) + "\n"


def _legend_rows(table: TextTable, legend: Iterable[str]) -> list[str]:
    """Sentences as rows that span the table.

    A cell that spans columns does not break lines, and a paragraph below the tabular would be lost
    inside \\resizebox. So lines are broken to about the width of the table, estimated from the
    characters of its cells without their markup.
    """
    width = 0
    for column in zip(table.heads, *table.rows, strict=True):
        cells = [COMMAND.sub("", cell) for cell in column]
        width += max(map(len, cells)) + 2
    wrapper = TextWrapper(max(width, LEGEND_WIDTH), break_long_words=False, break_on_hyphens=False)
    texts = chain.from_iterable(map(wrapper.wrap, legend))
    start = rf"\multicolumn{{{len(table.heads)}}}{{l}}{{\footnotesize "
    return [rf"{start}{text}}} \\" for text in texts]


def html(table: TextTable, notes: Iterable[str] = ()) -> str:
    """A table for a notebook; all text is escaped."""

    def line(tag: str, cells: Iterable[str]) -> str:
        text = ""
        for column, cell in enumerate(cells):
            side = "left" if column < table.words else "right"
            text += f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>'
        return text

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in table.rows)
    notes = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return (
        f"<table><thead><tr>{line('th', table.heads)}</tr></thead>"
        f"<tbody>{body}</tbody></table>{notes}"
    )


def preformat(text: str) -> str:
    """HTML for a notebook that displays text as it is printed."""
    return f"<pre>{escape(text)}</pre>"


def separate(
    heads: Sequence[str], rows: Iterable[Sequence[Any]], separator: str, safe: bool
) -> str:
    """CSV or TSV with all digits of floats; safe: escape what spreadsheets take for formulas."""
    lines: list[str] = []
    file = SimpleNamespace(write=lines.append)  # gets a line at a time
    # The writer quotes only the characters of its own line ends, and a lone \r must be quoted too.
    writer = csv.writer(file, delimiter=separator, lineterminator="\r\n")
    writer.writerow(heads)
    for row in rows:
        cells = list(row)
        if safe:
            cells = [safe_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        writer.writerow(cells)
    return "".join(f"{line[:-2]}\n" for line in lines)


def deliver(text: str, path: Path | None) -> str | None:
    """Return the text, or write it to a path and return None."""
    if path is None:
        return text
    data = text.encode("utf-8", "surrogateescape")  # ids that are not UTF-8 stay as they were
    with write_atomically(path) as file:
        file.write(data)
    return None


def check_precision(precision: object) -> int:
    """Check a number of decimals."""
    if not isinstance(precision, int) or isinstance(precision, bool) or not 0 <= precision <= 17:
        raise ValueError(f"precision must be a number of decimals, 0 to 17, not {precision!r}")
    return precision
