"""Explanations of the rankings of the leading pair, list by list."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ...analysis.contributions import Contributions
from ...analysis.explain import EXPLAINED
from ...analysis.explain_queries import ExplainedQuery, explain_queries
from ...convention import Convention, conventions
from ...evaluation.evaluation import Evaluation
from ...measures.measure import parse_measure
from ...trec.choose import as_qrels, as_run
from .html import Html, joined, number, tag, text
from .view import ReportView

RANKS = 10  # ranks in an explanation
ROOM = 600_000  # bytes of explanations in a page at most
NEAR = 1e-9  # difference between explained and evaluated values at most

Steps: TypeAlias = ExplainedQuery | Contributions


class Explanations(NamedTuple):
    """HTML by position of the list, and the measure; or the reason why there are none."""

    lists: Mapping[int, Html]
    measure: str = ""
    reason: str = ""


def explanations(
    view: ReportView, qrels: Any, runs: Mapping[str, Any], order: list[int]
) -> Explanations:
    """Explain lists in an order until the page is full, with the convention and settings compared.

    There are none if the qrels and runs give other values than those compared.
    """
    measure = next((one for one in view.comparison.measures if is_explained(one)), None)
    if measure is None:
        known = ", ".join(EXPLAINED[:-1])
        return Explanations({}, reason=f"only {known} and {EXPLAINED[-1]} have explanations")
    all_judged = as_qrels(qrels, runs.values())
    order = [at for at in order if view.queries[at] in all_judged]
    queries = [view.queries[at] for at in order]
    judged = {query: all_judged[query] for query in queries}  # converted once for both systems
    sides: list[Iterator[Steps]] = []
    for name in view.pair:
        evaluation = view.evaluations[name]
        rules = _rules(evaluation)
        if rules is None:
            return Explanations(
                {},
                reason=f"of the convention {evaluation.convention} only the name is known, as "
                f"after reading the evaluation of {name} from a file",
            )
        options = dict(evaluation.settings)
        sides.append(explain_queries(judged, as_run(runs[name]), queries, rules, measure, options))
    columns = [view.values(measure, name)[order].tolist() for name in view.pair]
    lists: dict[int, Html] = {}
    used = 0
    both = zip(*sides, strict=True), zip(*columns, strict=True)
    for at, pair, values in zip(order, *both, strict=True):
        for name, one, value in zip(view.pair, pair, values, strict=True):
            if value == value and abs(value - _value(one)) > NEAR:
                return Explanations(
                    {},
                    reason=f"with these qrels and runs, {measure} of {name} is {_value(one):.4f} "
                    f"in list {view.queries[at]}, where {value:.4f} was compared",
                )
        lists[at] = joined(
            _table(name, measure, one) for name, one in zip(view.pair, pair, strict=True)
        )
        used += len(lists[at])
        if used > ROOM:
            break
    return Explanations(lists, measure)


def is_explained(measure: str) -> bool:
    """Whether there are explanations of a measure."""
    return parse_measure(measure).family in EXPLAINED


def _rules(evaluation: Evaluation) -> Convention | None:
    """The convention of an evaluation; one read from a file has only the name."""
    return evaluation.rules or conventions.get(evaluation.convention)


def _value(one: Steps) -> float:
    return one.value if isinstance(one, Contributions) else one.ndcg


def _table(name: str, measure: str, one: Steps) -> Html:
    """The ranking of one system; for nDCG beside the ideal."""
    title = f"{name}: {measure} {number(_value(one))}"
    heads: tuple[str, ...]
    if isinstance(one, Contributions):
        heads = ("rank", "document", "label", "term", parse_measure(measure).family)
        ranks = len(one.label)
        rows = [_step(one, at) for at in range(min(ranks, RANKS))]
    else:
        title += f" = {number(one.dcg)} / {number(one.idcg)}"
        heads, ranks = HEADS, max(len(one.ranking), len(one.ideal))
        rows = [_rank(one, at) for at in range(min(ranks, RANKS))]
    more = f"… {ranks - RANKS:,} more ranks" if ranks > RANKS else ""
    cells = Html("".join(f"<th scope=col>{text(head)}" for head in heads))
    inside = Html(
        f"<caption>{text(title)}</caption><thead><tr>{cells}</thead><tbody>{''.join(rows)}"
    )
    return Html(tag("table", inside) + (tag("p", more, class_="note") if more else ""))


HEADS = ("rank", "document", "label", "gain", "discount", "term", "DCG", "ideal", "IDCG")


def _rank(one: ExplainedQuery, at: int) -> str:
    ranking, ideal = one.ranking, one.ideal
    left, right = "<td><td><td><td><td><td>", "<td><td>"
    if at < len(ranking):
        gain = ranking.expected_gain[at]
        left = (
            f"<td class=name>{text(one.documents[at])}<td>{ranking.label[at]:g}<td>{gain:.4g}"
            f"<td>{ranking.discount[at]:.4f}<td>{ranking.term[at]:.4f}"
            f"<td>{ranking.running_dcg[at]:.4f}"
        )
    if at < len(ideal):
        right = f"<td>{ideal.label[at]:g}<td>{ideal.running_dcg[at]:.4f}"
    return f"<tr><td>{at + 1}{left}{right}"


def _step(one: Contributions, at: int) -> str:
    label = "–" if at + 1 in one.unjudged else f"{one.label[at]:g}"
    return (
        f"<tr><td>{at + 1}<td class=name>{text(one.documents[at])}<td>{label}"
        f"<td>{one.term[at]:.4f}<td>{one.running[at]:.4f}"
    )
