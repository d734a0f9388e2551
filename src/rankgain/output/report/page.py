"""The HTML page: page.html filled in, with style and script embedded."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...analysis.comparison import Comparison
from . import charts
from .explained import Explanations, explanations
from .templates import count, percent, templates
from .view import DRAWN, FEW, ReportView

if TYPE_CHECKING:
    from ...inputs.types import Records


def page(
    comparison: Comparison,
    *,
    qrels: Records | None = None,
    runs: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """The HTML of a report; arguments as in `rankgain.report.report`."""
    environment = templates()  # first, as jinja2 may be absent
    view = ReportView(comparison)
    if (qrels is None) != (runs is None):
        raise ValueError("explanations need both qrels= and runs=, as they were evaluated")
    lacking = [name for name in view.pair if runs is not None and name not in runs]
    if lacking:
        raise ValueError(f"runs has no {lacking[0]!r}, which was compared")
    explained = Explanations({}) if runs is None else explanations(view, qrels, runs)
    script = environment.get_template("page.js").render()
    feet = {name: one.footer() for name, one in view.evaluations.items()}
    page: str = environment.get_template("page.html").render(
        title=f"{len(comparison.names)} systems on {count(len(view.queries), 'list')}"
        if title is None
        else title,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        view=view,
        comparison=view.comparison,
        measures=list(comparison.measures),
        baseline=comparison.baseline,
        level=percent(comparison.level),
        a=view.pair[0],
        b=view.pair[1],
        explained=explained,
        charts=charts,
        titles=TITLES,
        infinity=float("inf"),
        feet=feet if len(set(feet.values())) > 1 else {"": feet[comparison.names[0]]},
        drawn=DRAWN,
        few=FEW,
    )
    return page


# Heads of the comparisons, and their explanations.
TITLES = {
    "measure": "",
    "segment": "",
    "a": "",
    "b": "",
    "mean a": "mean of a",
    "mean b": "mean of b",
    "a - b": "difference of the means",
    "from": "lower end of the interval of the difference",
    "to": "upper end of the interval of the difference",
    "effect": "mean difference over the standard deviation of the lists' differences",
    "p": "probability of a difference as large by chance",
    "corrected": "p, corrected for the number of comparisons",
    "won": "lists where a is better",
    "tied": "lists where both are equal",
    "lost": "lists where b is better",
    "lists": "lists where both have a value",
}
