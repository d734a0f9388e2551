"""The queries that changed most, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...inputs.printable import printable
from ...measures.all_lists import is_over_all_lists
from ...text import TextTable, align, markdown, markdown_text

if TYPE_CHECKING:
    from ...analysis.comparison import Comparison


def format_changes(comparison: Comparison, n: int, kind: str = "table") -> str:
    """A table of the n largest changes for each measure and pair, as "table" or "markdown"."""
    texts = []
    pairs = dict.fromkeys((row.a, row.b) for row in comparison.rows)
    for measure in comparison.measures:
        if is_over_all_lists(measure, comparison.better):
            continue  # a number of all lists together has no values of queries
        for a, b in pairs:
            changes = comparison.changes(measure, n, a=a, b=b)
            title = f"{measure}: no query changed between {printable(a)} and {printable(b)}"
            if changes:
                title = f"{measure}: the largest changes between {printable(a)} and {printable(b)}"
            heads = ["query", printable(a), printable(b), "a - b"]
            rows = [
                [printable(str(query)), f"{value_a:.4f}", f"{value_b:.4f}", f"{difference:+.4f}"]
                for query, value_a, value_b, difference in changes
            ]
            table = TextTable(heads, rows, 1)
            if kind == "markdown":
                lines = [markdown_text(title), ""]
                lines += markdown(table).splitlines() if rows else []
            else:
                lines = [title, *(align(table) if rows else [])]
            texts.append("\n".join(lines).rstrip("\n") + "\n")
    return "\n".join(texts)
