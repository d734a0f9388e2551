"""How the nDCG of a list came about, for the two systems of the leading pair."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..analysis.explain_queries import Explained, explain_queries
from ..convention import UNSET, Convention, get_convention
from ..names.measure import Measure, parse_measure
from ..records.choose import as_qrels, as_run
from .html import Html, joined, number, tag, text
from .view import View

RANKS = 10  # of an explanation
ROOM = 600_000  # bytes of explanations that a page holds at most
NEAR = 1e-9


def explanations(
    view: View, qrels: Any, runs: Mapping[str, Any], order: list[int]
) -> dict[int, Html]:
    """By list: rank by rank beside the ideal, for the leading pair, as far as there is room.

    Nothing where the values shown are not those that are explained, as with own conventions.
    """
    all_judged = as_qrels(qrels, runs.values())
    asked, rules = _measure(view), _rules(view)
    order = [at for at in order if view.queries[at] in all_judged]
    said = {name: asked.params.get(name, UNSET) for name in ("gain", "discount", "ties")}
    said["k"] = UNSET if asked.k is None else asked.k
    queries = [view.queries[at] for at in order]
    judged = {query: all_judged[query] for query in queries}  # for both
    sides = [explain_queries(judged, as_run(runs[n]), queries, rules, **said) for n in view.pair]
    if not all(
        _agree(view, name, asked, order, one) for name, one in zip(view.pair, sides, strict=True)
    ):
        return {}
    found: dict[int, Html] = {}
    used = 0
    for at, *pair in zip(order, *sides, strict=True):
        found[at] = joined(
            _table(name, asked, one) for name, one in zip(view.pair, pair, strict=True)
        )
        used += len(found[at])
        if used > ROOM:
            break
    return found


def _measure(view: View) -> Measure:
    """The nDCG that is explained: the first that was compared, else nDCG@10."""
    for name in view.comparison.measures:
        measure = parse_measure(name)
        if measure.family == "nDCG":
            return measure
    return parse_measure("nDCG@10")


def _rules(view: View) -> Convention:
    name = view.comparison.convention
    try:
        return get_convention(name)
    except ValueError:  # one of the user's own, of which only the name is known
        return get_convention("trec")


def _agree(view: View, name: str, asked: Measure, order: list[int], shown: list[Explained]) -> bool:
    """Whether the values explained are those compared, where that measure was."""
    if str(asked) not in view.units:
        return True
    compared = view.values(str(asked), name)[order]
    explained = np.array([one.ndcg for one in shown])
    return bool((np.isnan(compared) | (np.abs(compared - explained) <= NEAR)).all())


HEADS = ("rank", "document", "label", "gain", "discount", "term", "DCG", "ideal", "IDCG")


def _table(name: str, asked: Measure, shown: Explained) -> Html:
    """One system's ranking beside the ideal."""
    title = f"{name}: {asked} {number(shown.ndcg)} = {number(shown.dcg)} / {number(shown.idcg)}"
    heads = Html("".join(f"<th scope=col>{head}" for head in HEADS))
    ranks = max(len(shown.ranking), len(shown.ideal))
    rows = [_rank(shown, at) for at in range(min(ranks, RANKS))]
    more = f"… {ranks - RANKS:,} more ranks" if ranks > RANKS else ""
    inside = Html(
        f"<caption>{text(title)}</caption><thead><tr>{heads}</thead><tbody>{''.join(rows)}"
    )
    return Html(tag("table", inside) + (tag("p", more, class_="note") if more else ""))


def _rank(shown: Explained, at: int) -> str:
    mine, ideal = shown.ranking, shown.ideal
    left, right = "<td><td><td><td><td><td>", "<td><td>"
    if at < len(mine):
        gain = mine.expected_gain[at]
        left = (
            f"<td class=name>{text(shown.documents[at])}<td>{mine.label[at]:g}<td>{gain:.4g}"
            f"<td>{mine.discount[at]:.4f}<td>{mine.term[at]:.4f}<td>{mine.running_dcg[at]:.4f}"
        )
    if at < len(ideal):
        right = f"<td>{ideal.label[at]:g}<td>{ideal.running_dcg[at]:.4f}"
    return f"<tr><td>{at + 1}{left}{right}"
