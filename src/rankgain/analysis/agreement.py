"""`agreement`: whether two sets of judgments agree, and whether they order systems alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ..engine.intervals import check_level
from ..engine.resampling import resample
from ..evaluation.counting import mean_kind
from ..evaluation.runs import evaluate_runs
from ..inputs.printable import count_of, describe
from ..measures.measure import Measure, is_smaller_better, parse_measure
from ..text import TextTable, align
from ..trec.by_query import Qrels, as_qrels
from .rank_correlation import kendall_tau, tau_ap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..evaluation.evaluation import Evaluation
    from ..evaluation.evaluations import Evaluations
    from ..inputs.types import Floats, Frame, Integers, Path, Records

__all__ = ["Agreement", "agreement"]

RESAMPLES = 4000
SEED = 0  # so that two calls agree


@dataclass(frozen=True)
class Agreement:
    """How far two sets of judgments agree; print it for a table.

    Attributes
    ----------
    kappa, low, high : float
        Cohen's kappa and its interval, by the bootstrap over queries.
    confusion : dict
        (label of the first, label of the second) -> how many pairs.
    n : int
        How many (query, document) pairs both judged.
    weights : str or None
        How disagreements are weighted.
    tau, tau_low, tau_high : float or None
        With runs: tau_b between the means of the systems under both judgments, and its interval.
    tau_ap, tau_ap_low, tau_ap_high : float or None
        The same for tau_AP, which weights the best systems most.
    """

    kappa: float
    low: float
    high: float
    confusion: dict[tuple[float, float], int]
    n: int
    queries: int
    weights: str | None = None
    level: float = 0.95
    systems: int = 0
    measure: str | None = None
    tau: float | None = None
    tau_low: float | None = None
    tau_high: float | None = None
    tau_ap: float | None = None
    tau_ap_low: float | None = None
    tau_ap_high: float | None = None

    def __str__(self) -> str:
        name = "kappa"
        if self.weights:
            name = f"kappa ({self.weights} weights)"
        percent = f"{100 * self.level:g}%"
        pairs = f"{count_of(self.n, 'document')} of {count_of(self.queries, 'query')}"
        interval = f"{percent} interval {self.low:.4f} to {self.high:.4f}"
        lines = [f"{name} {self.kappa:.4f} ({interval}), {pairs}"]
        rows = sorted({first for first, _ in self.confusion})
        columns = sorted({second for _, second in self.confusion})
        heads = ["model"]
        for column in columns:
            heads.append(f"people {column:g}")
        cells = []
        for row in rows:
            cells_of_row = [f"{row:g}"]
            for column in columns:
                count = self.confusion.get((row, column), 0)
                cells_of_row.append(f"{count:,}")
            cells.append(cells_of_row)
        lines += align(TextTable(heads, cells, 1))
        if self.tau is not None:
            lines.append(
                f"{self.systems} systems by {self.measure}: tau_b {self.tau:.4f} "
                f"({self.tau_low:.4f} to {self.tau_high:.4f}), tau_ap {self.tau_ap:.4f} "
                f"({self.tau_ap_low:.4f} to {self.tau_ap_high:.4f})"
            )
        return "\n".join(lines)


class LabelPairs(NamedTuple):
    """The labels of all documents that both judged."""

    first: Floats
    second: Floats
    queries: Integers  # the number of the query of each pair


def agreement(
    by_model: Records,
    by_people: Records,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    runs: Mapping[str, Records] | Path | Frame | Sequence[object] | None = None,
    measure: str | Measure = "nDCG@10",
    level: float = 0.95,
) -> Agreement:
    """Measure how far a model's judgments agree with those of people.

    Cohen's kappa is 1 - sum(w O) / sum(w E), with the observed counts O of pairs of labels, those E
    that the margins alone would give, and the weight w of a disagreement. Documents of one query
    are not independent, so the interval draws whole queries.

    Parameters
    ----------
    by_model, by_people : qrels, as `evaluate` takes them
        Only documents that both judged count.
    weights : None, "linear" or "quadratic"
        The weight of two different labels i and j: 1, abs(i - j) or (i - j)**2, of the labels as
        they are, not of their places in a list of labels.
    runs : as `evaluate_runs` takes them, optional
        Systems whose order under both judgments is compared, at least two.
    measure : str or Measure
        Of the systems' means.
    level : float
        Of the intervals, between 0 and 1.

    Returns
    -------
    Agreement
        `.kappa`, `.low`, `.high`, `.confusion` and `.n`; with runs also `.tau` and `.tau_ap` (with
        the people's order as the truth), and their intervals `.tau_low`, `.tau_high`,
        `.tau_ap_low`, `.tau_ap_high`.

    Raises
    ------
    ValueError
        If no document is judged in both.

    Notes
    -----
    With one label only on both sides kappa is NaN. With one query the intervals are NaN.

    Examples
    --------
    >>> import rankgain as rg
    >>> people = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0, "d": 2}}
    >>> model = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 0, "d": 1, "x": 2}}
    >>> result = rg.agreement(model, people, weights="linear")
    >>> round(result.kappa, 4), result.n, result.confusion[(1.0, 2.0)]
    (0.5455, 5, 1)

    References
    ----------
    Cohen 1960 and 1968; Yilmaz, Aslam and Robertson 2008 (tau_AP).
    """
    check_level(level)
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(f'weights must be None, "linear" or "quadratic", not {describe(weights)}')
    model, people = as_qrels(by_model), as_qrels(by_people)
    pairs = _pair_labels(model, people)
    queries = int(pairs.queries[-1]) + 1
    labels = np.unique(np.concatenate((pairs.first, pairs.second)))
    # The counts of pairs of labels, a table for each query. A pair is a cell of its query's table,
    # and the cells of all tables are numbered through, so that one bincount fills them.
    codes = np.searchsorted(labels, pairs.first) * len(labels)
    codes += np.searchsorted(labels, pairs.second)
    cells = len(labels) ** 2
    tables = np.bincount(pairs.queries * cells + codes, minlength=queries * cells)
    tables = tables.reshape(queries, cells).astype(np.float64)
    costs = _disagreement(labels, weights)
    kappa = float(_kappas(tables.sum(axis=0)[:, None], costs)[0])
    low = high = math.nan
    if queries > 1:
        draws = resample(list(tables.T), RESAMPLES, SEED)
        low, high = _percentiles(_kappas(draws, costs), level)
    total = tables.sum(axis=0).reshape(len(labels), len(labels))
    confusion: dict[tuple[float, float], int] = {}
    for i, j in zip(*np.nonzero(total), strict=True):
        confusion[float(labels[i]), float(labels[j])] = int(total[i, j])
    result = Agreement(kappa, low, high, confusion, len(pairs.first), queries, weights, level)
    if runs is None:
        return result
    return _compare_orders(result, model, people, runs, measure)


def _pair_labels(first: Qrels, second: Qrels) -> LabelPairs:
    """The labels of the documents that both judged."""
    firsts: list[float] = []
    seconds: list[float] = []
    numbers: list[int] = []
    queries = [query for query in first if query in second]
    number = 0  # counts the queries with documents in common
    for query in queries:
        first_labels, second_labels = first[query], second[query]
        common = [document for document in first_labels if document in second_labels]
        for document in common:
            firsts.append(first_labels[document])
            seconds.append(second_labels[document])
            numbers.append(number)
        if common:
            number += 1
    if not numbers and not queries:
        raise ValueError(
            "by_model and by_people have no query in common. Check that the query ids match: "
            f"by_model has {describe(next(iter(first)))}, by_people {describe(next(iter(second)))}"
        )
    if not numbers:
        query = queries[0]
        raise ValueError(
            "by_model and by_people have queries in common, but no judged documents. Check that "
            f"the document ids match: query {describe(query)} has "
            f"{describe(next(iter(first[query])))} in by_model and "
            f"{describe(next(iter(second[query])))} in by_people"
        )
    return LabelPairs(np.array(firsts), np.array(seconds), np.array(numbers))


def _disagreement(labels: Floats, weights: str | None) -> Floats:
    """The weight of each pair of labels."""
    distances: Floats = np.abs(labels[:, None] - labels)
    if weights is None:
        return (distances > 0).astype(np.float64)
    if weights == "linear":
        return distances
    return distances**2


def _kappas(tables: Floats, costs: Floats) -> Floats:
    """Kappa of tables of counts, whose cells are rows; NaN where only one label occurs."""
    size = len(costs)
    counts = tables.reshape(size, size, -1)
    observed = np.einsum("ij,ijk->k", costs, counts)
    # Expected counts are products of the margins over the number of pairs.
    expected = np.einsum("ij,ik,jk->k", costs, counts.sum(axis=1), counts.sum(axis=0))
    expected = expected / counts.sum(axis=(0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _percentiles(values: Floats, level: float) -> tuple[float, float]:
    """The interval that holds the middle part of the values."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return math.nan, math.nan
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _compare_orders(
    result: Agreement,
    model: Qrels,
    people: Qrels,
    runs: Mapping[str, Records] | Path | Frame | Sequence[object],
    measure: str | Measure,
) -> Agreement:
    """Add the correlation of the systems' means under both judgments."""
    name = str(parse_measure(measure))
    if mean_kind(name) != "mean":
        raise ValueError(f"measure: {name} is not a plain mean over queries; choose another one")
    sides = [evaluate_runs(qrels, runs, [name]) for qrels in (model, people)]
    systems = list(sides[0])
    if len(systems) < 2:
        raise ValueError(f"runs has {len(systems)} system; an order needs at least two")
    name = next(iter(sides[0][systems[0]].means))
    # Smaller ranks are better: of the negated means, or of the means.
    sign = 1 if is_smaller_better(name) else -1
    means = [sign * np.array([side[system].means[name] for system in systems]) for side in sides]
    tau, ap = _correlations(*means)
    low = high = ap_low = ap_high = math.nan
    values = _common_values(sides[0], sides[1], systems, name)
    if values.shape[2] > 1:
        # The same queries are drawn for both judgments.
        # A mean is the sum of the defined values over their number, both from the same resample.
        defined = ~np.isnan(values)
        columns = np.concatenate([np.nan_to_num(values), defined]).reshape(-1, values.shape[2])
        sums, counts = np.split(resample(list(columns), RESAMPLES, SEED), 2)
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = sign * (sums / counts).reshape(2, len(systems), -1)
        # From (judgments, systems, draws) to a table of systems for each draw.
        taus, aps = np.array([_correlations(*draw) for draw in np.moveaxis(drawn, 2, 0)]).T
        low, high = _percentiles(taus, result.level)
        ap_low, ap_high = _percentiles(aps, result.level)
    fields = {
        "systems": len(systems),
        "measure": name,
        "tau": tau,
        "tau_low": low,
        "tau_high": high,
        "tau_ap": ap,
        "tau_ap_low": ap_low,
        "tau_ap_high": ap_high,
    }
    return Agreement(**{**result.__dict__, **fields})


def _common_values(
    first: Evaluations, second: Evaluations, systems: list[str], name: str
) -> Floats:
    """The values of the queries that all evaluations have: (judgments, systems, queries)."""
    evaluations: list[Evaluation] = [side[system] for side in (first, second) for system in systems]
    first_queries = evaluations[0].queries
    common = set(first_queries)
    for evaluation in evaluations:
        common.intersection_update(evaluation.queries)
    queries = [query for query in first_queries if query in common]
    rows = []
    for evaluation in evaluations:
        place = {query: index for index, query in enumerate(evaluation.queries)}
        indices = np.array([place[query] for query in queries], np.int64)
        rows.append(evaluation.per_query[name][indices])
    return np.array(rows).reshape(2, len(systems), len(queries))


def _correlations(model: Floats, people: Floats) -> tuple[float, float]:
    """tau_b and tau_AP of the systems' order; means that are better come first."""
    if np.isnan(model).any() or np.isnan(people).any():
        return math.nan, math.nan
    ranks = [np.searchsorted(np.sort(means), means) for means in (model, people)]
    return kendall_tau(*ranks, divides_by_untied=True), tau_ap(*ranks)
