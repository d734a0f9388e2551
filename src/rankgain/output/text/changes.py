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
    # The keys of a dict are the pairs without repeats, in the order of the rows.
    pairs = dict.fromkeys((row.a, row.b) for row in comparison.rows)
    for measure in comparison.measures:
        if is_over_all_lists(measure, comparison.better):
            continue  # a number of all lists together has no values of queries
        for a, b in pairs:
            changes = comparison.changes(measure, n, a=a, b=b)
            name_a = printable(a)
            name_b = printable(b)
            title = f"{measure}: no query changed between {name_a} and {name_b}"
            if changes:
                title = f"{measure}: the largest changes between {name_a} and {name_b}"
            rows = []
            for query, value_a, value_b, difference in changes:
                numbers = [f"{value_a:.4f}", f"{value_b:.4f}", f"{difference:+.4f}"]
                rows.append([printable(str(query)), *numbers])
            table = TextTable(["query", name_a, name_b, "a - b"], rows, 1)
            if kind == "markdown":
                lines = [markdown_text(title), ""]
                if rows:
                    lines += markdown(table).splitlines()
            else:
                lines = [title]
                if rows:
                    lines += align(table)
            texts.append("\n".join(lines).rstrip("\n") + "\n")
    return "\n".join(texts)
