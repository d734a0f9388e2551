"""A comparison as an HTML page: one file, no external resources."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...analysis.comparison import Comparison
from ...inputs.files import replacing
from .page import page

if TYPE_CHECKING:
    from ...inputs.types import Records


__all__ = ["page", "report"]


def report(
    comparison: Comparison,
    path: str | os.PathLike[str],
    *,
    qrels: Records | None = None,
    runs: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> None:
    """Write a comparison as an HTML page with conclusions, tables, pictures and values of lists.

    Parameters
    ----------
    comparison : Comparison
        With its evaluations; a comparison read from a file has none and raises a ValueError.
    path : str or path
        Of the HTML file.
    qrels, runs : sources as `rankgain.evaluate_runs` takes them, optional
        With both, the page explains the rankings of the leading pair: the best system, and the
        baseline or the second best. The first measure among nDCG, AP, RR and ERR is explained, with
        the convention and settings that were compared. If that is not possible, the page says why.
    title : str, optional
        Title of the page.

    Needs jinja2, the extra "report". An embedded script sorts and filters the tables; without
    scripts the page has the same content. The page has at most 60,000 values of lists, those with
    the greatest differences, and 2,000 comparisons, those with the smallest p-values, and says so.
    """
    text = page(comparison, qrels=qrels, runs=runs, title=title)
    with replacing(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
