"""A comparison as an HTML page: one file, with style, script and explanations of lists embedded."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...analysis.comparison import Comparison
from ...analysis.explain import EXPLAINED, Explanation, explain_queries
from ...analysis.explanation import Contributions
from ...convention import conventions
from ...measures.measure import parse_measure
from ...trec.by_query import as_qrels, as_run
from . import charts
from .charts import macros, percent, queries, templates
from .view import DRAWN_AT_MOST, FEW, ReportView

if TYPE_CHECKING:
    from ...inputs.types import Records


RANKS = 10  # ranks in an explanation
MAX_EXPLANATION_BYTES = 600_000  # bytes of explanations in a page at most
MAX_DIFFERENCE = 1e-9  # difference between explained and evaluated values at most


def page(
    comparison: Comparison,
    *,
    qrels: Records | None = None,
    runs: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """The HTML of a report; arguments as in `Comparison.report`."""
    environment = templates()  # first, as jinja2 may be absent
    view = ReportView(comparison)
    if (qrels is None) != (runs is None):
        raise ValueError("explanations need both qrels= and runs=, as they were evaluated")
    explained = Explanations({})
    if runs is not None:
        for name in view.pair:
            if name not in runs:
                raise ValueError(f"runs has no {name!r}, which was compared")
        explained = explain_lists(view, qrels, runs)
    if title is None:
        title = f"{len(comparison.names)} systems, {queries(len(view.queries))}"
    # The policy in the page's head allows this script alone, by its digest: should a name of a
    # system get into the page as markup, the browser would still not run it.
    script = environment.get_template("page.js").render()
    digest = hashlib.sha256(script.encode()).digest()
    # A footer that all systems share stands once, without a name.
    footers = {name: evaluation.footer() for name, evaluation in view.evaluations.items()}
    if len(set(footers.values())) == 1:
        footers = {"": footers[comparison.names[0]]}
    text: str = environment.get_template("page.html").render(
        title=title,
        digest=base64.b64encode(digest).decode(),
        view=view,
        comparison=view.comparison,
        measures=list(comparison.measures),
        baseline=comparison.baseline,
        level=percent(comparison.level),
        a=view.pair[0],
        b=view.pair[1],
        explained=explained,
        charts=charts,
        infinity=float("inf"),
        feet=footers,
        drawn=DRAWN_AT_MOST,
        few=FEW,
    )
    return text


class Explanations(NamedTuple):
    """Markup by position of the list, and the measure; or the reason why there are none."""

    lists: Mapping[int, object]
    measure: str = ""
    reason: str = ""

    @property
    def has_ideal(self) -> bool:
        """Whether the ideal ranking is shown beside the others."""
        return parse_measure(self.measure).family == "nDCG"


def explain_lists(view: ReportView, qrels: Records | None, runs: Mapping[str, Any]) -> Explanations:
    """Explain the lists of the page until it is full, with the convention and settings compared."""
    measure = _find_explained(view.comparison)
    if measure is None:
        explained = ", ".join(EXPLAINED[:-1])
        return Explanations({}, reason=f"only {explained} and {EXPLAINED[-1]} have explanations")
    family = parse_measure(measure).family
    all_judged = as_qrels(qrels, runs.values())
    order = [index for index in view.order(measure) if view.queries[index] in all_judged]
    queries = [view.queries[index] for index in order]
    judged = {query: all_judged[query] for query in queries}  # converted once for both systems
    # Explanations are made one after the other, so that those beyond a full page cost nothing.
    sides: list[Iterator[Explanation | Contributions]] = []
    for name in view.pair:
        evaluation = view.evaluations[name]
        rules = evaluation.rules or conventions.get(evaluation.convention)
        if rules is None:
            reason = (
                f"of the convention {evaluation.convention} only the name is known, as after "
                f"reading the evaluation of {name} from a file"
            )
            return Explanations({}, reason=reason)
        run = as_run(runs[name])
        options = dict(evaluation.settings)
        sides.append(explain_queries(judged, run, queries, rules, measure, options))
    columns = [view.values(measure, name)[order].tolist() for name in view.pair]
    lists: dict[int, Any] = {}
    used_bytes = 0
    render = macros("rankings.html").rankings
    explanation_pairs = zip(*sides, strict=True)
    value_pairs = zip(*columns, strict=True)
    for index, pair, values in zip(order, explanation_pairs, value_pairs, strict=True):
        systems = []
        for name, explanation, value in zip(view.pair, pair, values, strict=True):
            # Other qrels or runs than those that were compared would explain other values.
            if isinstance(explanation, Contributions):
                explained_value = explanation.value
            else:
                explained_value = explanation.ndcg
            if not math.isnan(value) and abs(value - explained_value) > MAX_DIFFERENCE:
                reason = (
                    f"with these qrels and runs, {measure} of {name} is {explained_value:.4f} in "
                    f"list {view.queries[index]}, where {value:.4f} was compared"
                )
                return Explanations({}, reason=reason)
            systems.append((name, explained_value, explanation))
        lists[index] = render(systems, measure, family, RANKS)
        used_bytes += len(lists[index])
        if used_bytes > MAX_EXPLANATION_BYTES:
            break
    return Explanations(lists, measure)


def _find_explained(comparison: Comparison) -> str | None:
    """The first measure that has explanations; measures with free names have none."""
    for name in comparison.measures:
        if name not in comparison.better and parse_measure(name).family in EXPLAINED:
            return name
    return None
