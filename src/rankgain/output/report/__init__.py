"""A comparison as one HTML page that needs nothing else: no network, no library, no script."""

import os
from collections.abc import Mapping
from typing import Any

from ...analysis.comparison import Comparison
from .page import page

__all__ = ["page", "report"]


def report(
    comparison: Comparison,
    path: str | os.PathLike[str],
    *,
    qrels: Any = None,
    runs: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> None:
    """Write a comparison as a page: what was compared, what may be concluded, and the values.

    Parameters
    ----------
    comparison : Comparison
        With its evaluations: one that was read from a file has none, which is a ValueError.
    path : str or path
        Of the HTML file.
    qrels, runs : sources as `rankgain.evaluate_runs` takes them, optional
        With both, lists have their rankings explained for the two systems of the leading pair: the
        best one, and the baseline or the second best. Explained is the first measure compared that
        is nDCG, AP, RR or ERR, under the convention and with the settings that were compared; else
        the page says why there is none.
    title : str, optional
        Of the page.

    The page is one file without references to others. Its tables sort and filter by a script of its
    own; without scripts it is a plain page with the same content. At most 60,000 values of lists
    and 2,000 comparisons are shown: those of the greatest differences and of the smallest p-values,
    and the page says so.
    """
    text = page(comparison, qrels=qrels, runs=runs, title=title)
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write(text)
