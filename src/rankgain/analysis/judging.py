"""judge_next: the documents whose judgments would change the difference between runs most."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.intervals import check_level, check_whole, student_quantile
from ..engine.notices import warn
from ..engine.settings import document
from ..evaluation.evaluation import Evaluation
from ..evaluation.one_pass import complete_settings
from ..evaluation.runs import evaluate
from ..measures.all_lists import is_over_all_lists
from ..measures.measure import Measure, read_measures
from ..trec.by_query import Run, as_qrels, as_run, warn_of_exchange
from ..trec.join import as_seen
from .aligned import align
from .explain import Repeat, order_documents, tell_apart

if TYPE_CHECKING:
    from ..inputs.types import Floats, Records
    from ..measures.types import Rules


@document("trec")
def judge_next(
    qrels: Records, runs: Any, measure: str | Measure, n: int, *, convention: Rules | Unset = UNSET
) -> list[tuple[str, str]]:
    """The (query, document) pairs whose judgment would narrow the bounds of the difference most.

    For each unjudged document that a run retrieves within the cutoff, the measure of its query is
    evaluated twice: with the document not relevant, and with the top label, which is the largest
    judged label and at least 1. Other unjudged documents count as not relevant. The effect of the
    judgment is the change of the difference between two runs, the largest over all pairs of runs;
    with one run, the change of its value. For measures that are sums over documents (P, RBP, DCG)
    this is exactly how much the bounds narrow.

    Parameters
    ----------
    qrels : as `evaluate` takes them
    runs : mapping of name -> run, or one run
    measure : str or Measure
        One measure, such as "nDCG@10".
    n : int
        The number of pairs; fewer are returned if fewer have an effect.
    convention : str or Convention
        "trec" by default.

    Returns
    -------
    list of (query, document)
        The largest effect first; equal ones in the order of the qrels, then of document ids.

    >>> import rankgain as rg
    >>> qrels = {"q": {"a": 1, "b": 0}}
    >>> runs = {"x": {"q": {"a": 3, "new": 2, "b": 1}}, "y": {"q": {"b": 3, "a": 2, "old": 1}}}
    >>> rg.judge_next(qrels, runs, "DCG@3", 2)
    [('q', 'new'), ('q', 'old')]
    """
    check_whole(n, "n", 1)
    rules = get_convention("trec" if convention is UNSET else convention)
    requested = _single_measure(measure, rules)
    named: Mapping[str, Any] = runs if _are_runs(runs) else {"run": runs}
    read = [as_seen(rules, as_run(one)) for one in named.values()]
    judged = as_qrels(qrels, list(named.values()))
    warn_of_exchange(judged._arrays.values, read[0])
    effects = []
    top = max([1.0, *(label for query in judged for label in judged[query].values())])
    for at, query in enumerate(judged):
        listed = []  # the documents of each run with their scores, in input order
        documents = [run.documents(query) if query in run else [] for run in read]
        known = {*judged[query], *chain(*documents)}
        for run, names in zip(read, documents, strict=True):
            apart, scores = tell_apart(names, known), run._numbers(query) if names else []
            order = order_documents(names, run, query, "stable")
            listed.append({apart[at]: scores[at] for at in order})
        effects += [
            (-effect, at, document, query)
            for document, effect in _effects(judged[query], listed, requested, rules, top)
            if effect > 0
        ]
    return [(query, document) for _, _, document, query in sorted(effects)[:n]]


def _single_measure(measure: str | Measure, rules: Convention) -> Measure:
    """The measure under a convention; it must be one, and have bounds."""
    requested = read_measures(measure, rules).measures
    if len(requested) != 1:
        raise ValueError(f"measure must name one measure, not {len(requested)}")
    family, _ = complete_settings(requested[0], {}, rules)
    if family.row.judged:
        raise ValueError(f"{requested[0]} ignores unjudged documents, so a judgment has no bounds")
    return requested[0]


def _are_runs(runs: object) -> bool:
    """Whether `runs` is a mapping of names to runs rather than one run."""
    if not isinstance(runs, Mapping) or isinstance(runs, Run) or not runs:
        return False
    first = next(iter(runs.values()))
    if isinstance(first, (list, tuple)):  # the ids of a query, or the rows of a run
        return bool(first) and not isinstance(first[0], (str, int, np.integer))
    is_dict = isinstance(first, Mapping) and not isinstance(first, Run)
    inner = next(iter(first.values()), None) if is_dict else None
    return not is_dict or isinstance(inner, (Mapping, list, tuple, np.ndarray))


def _effects(
    judged: Mapping[str, float],
    runs: list[dict[str, float]],
    measure: Measure,
    rules: Convention,
    top: float,
) -> list[tuple[str, float]]:
    """Each unjudged document of a query, with the effect of its judgment."""
    listed = {one for run in runs for one in _within(run, measure.k)} - judged.keys()
    documents = sorted(one for one in listed if not isinstance(one, Repeat))
    if not documents:
        return []
    labels: dict[str, dict[str, float]] = {"-": dict(judged)}
    labels |= {f"{at}": {**judged, one: top} for at, one in enumerate(documents)}
    moves = []
    for run in runs:
        if run:
            result = evaluate(labels, dict.fromkeys(labels, run), measure, convention=rules)
            values = result.per_query[str(measure)]
            moves.append(np.nan_to_num(values[1:] - values[0]))
        else:
            moves.append(np.zeros(len(documents)))
    table = np.array(moves)
    effects = np.ptp(table, axis=0) if len(runs) > 1 else np.abs(table[0])
    return list(zip(documents, effects.tolist(), strict=True))


def _within(run: dict[str, float], k: int | None) -> list[str]:
    """The documents that may be among the first k, including all ties at the cutoff."""
    if k is None or len(run) <= k:
        return list(run)
    least = np.partition(np.fromiter(run.values(), np.float64, len(run)), -k)[-k]
    return [document for document, score in run.items() if score >= least]


FEWEST = 5  # lists that people must have judged
Values: TypeAlias = "tuple[set[str], Sequence[object], Floats]"  # systems; lists and their values


class CorrectedMean(NamedTuple):
    """A mean, or a difference of means, and its interval."""

    mean: float
    low: float
    high: float


def corrected_mean(
    by_model: Evaluation | Mapping[str, Evaluation],
    by_people: Evaluation | Mapping[str, Evaluation],
    measure: str,
    *,
    baseline: str | None = None,
    level: float = 0.95,
    tuned: bool = True,
) -> CorrectedMean:
    """Mean under people's labels, from a model's labels for all lists and people's for some.

    Prediction-powered inference (Angelopoulos et al., Science 2023): with y and f the values of the
    n lists that people judged, under people's labels and the model's, and F those of the N other
    lists,

        mean = mean(y) + weight (mean(F) - mean(f))
        variance = var(y - weight f) / n + weight**2 var(F) / N

    and Student's interval with n - 1 degrees of freedom. If tuned, the first variance is that of
    residuals, with n - 2 degrees of freedom, because the weight is estimated too. The tuned
    interval is narrower than that of mean(y), unless the model's labels say nothing about people's;
    then both are about as wide.

    Parameters
    ----------
    by_model : Evaluation
        With labels from a model, over all lists.
    by_people : Evaluation
        The same run with labels from people, over a random sample of these lists. Queries are
        matched by id. If both have positions instead of ids, the lists that people judged are taken
        as the first ones, with a warning if they are fewer.
    measure : str
        With an unweighted arithmetic mean: no weights, no micro or geometric mean, no sum.
    baseline : str, optional
        Then `by_model` and `by_people` are Evaluations of two systems, and the result is the mean
        of the other one minus that of the baseline: y, f and F are the differences of lists.
    level : float
        Of the interval, between 0 and 1.
    tuned : bool
        Use the weight with the smallest variance, cov(y, f) / ((1 + n / N) var(f)), clipped to
        [0, 1] (Angelopoulos, Duchi and Zrnic, "PPI++", 2023). False: weight 1.

    Returns
    -------
    CorrectedMean
        (mean, low, high)

    Lists without a value (empty="skip") in either evaluation are left out. Raises a ValueError if
    people judged fewer than five lists, or all of them, or if the two systems have other queries.

    >>> import rankgain as rg
    >>> model = {f"q{i}": {"a": 1, "b": i % 3 == 0} for i in range(90)}
    >>> people = {f"q{i}": {"a": 1, "b": i % 5 == 0} for i in range(30)}
    >>> run = {f"q{i}": {"a": 1.0, "b": 2.0} for i in range(90)}
    >>> by_model, by_people = rg.evaluate(model, run, "RR"), rg.evaluate(people, run, "RR")
    >>> corrected = rg.corrected_mean(by_model, by_people, "RR")
    >>> corrected.low < corrected.mean < corrected.high
    True
    """
    check_level(level)
    if not isinstance(tuned, (bool, np.bool_)):
        raise TypeError(f"tuned must be True or False, not {tuned!r}")
    f, y, rest = _match_lists(
        _values("by_model", by_model, measure, baseline),
        _values("by_people", by_people, measure, baseline),
    )
    n, others = len(y), len(rest)
    weight = 1.0
    if tuned:
        spread = np.concatenate((f, rest)).var(ddof=1)
        shared = ((y - y.mean()) * (f - f.mean())).sum() / (n - 1) / (1 + n / others)
        weight = min(max(shared / spread, 0.0), 1.0) if spread > 0 else 0.0
    mean = float(y.mean() + weight * (rest.mean() - f.mean()))
    spread_of_rest = rest.var(ddof=1) if others > 1 else np.concatenate((f, rest)).var(ddof=1)
    estimated = 2 if tuned else 1  # the mean, and the weight
    variance = (y - weight * f).var(ddof=estimated) / n + weight**2 * spread_of_rest / others
    half = student_quantile(float(level), n - estimated) * math.sqrt(variance)
    return CorrectedMean(mean, mean - half, mean + half)


def _match_lists(by_model: Values, by_people: Values) -> tuple[Floats, Floats, Floats]:
    """Values by the model's and by people's labels of the lists in both evaluations, and values of
    the lists in `by_model` only.
    """
    (systems, queries, model), (others, judged, people) = by_model, by_people
    if systems != others:
        raise ValueError(
            f"by_model has the systems {', '.join(sorted(systems))} and by_people "
            f"{', '.join(sorted(others))}; evaluate the same two with both labels"
        )
    place = {query: at for at, query in enumerate(queries)}
    unknown = [query for query in judged if query not in place]
    if unknown:
        raise ValueError(
            f"by_people has query {unknown[0]!r}, which by_model lacks; evaluate all queries with "
            "the model's labels"
        )
    if isinstance(queries, range) and isinstance(judged, range) and len(people) < len(model):
        warn(
            f"the lists have no ids, so that the {len(people)} of by_people are taken as the "
            "first of by_model; evaluate with qid=, or qrels and a run, to say which they are"
        )
    at = np.array([place[query] for query in judged], np.int64)
    f = model[at]
    both = ~(np.isnan(f) | np.isnan(people))
    rest = np.delete(model, at)
    rest = rest[~np.isnan(rest)]
    if both.sum() < FEWEST or not len(rest):
        raise ValueError(
            f"by_people has values for {both.sum()} lists that by_model has too, and by_model for "
            f"{len(rest)} others; at least {FEWEST} and one are needed"
        )
    return f[both], people[both], rest


def _values(name: str, evaluated: object, measure: str, baseline: str | None) -> Values:
    """The values of an evaluation, or those of the other system minus those of the baseline."""
    if baseline is None:
        return (set(), *_plain_values(name, evaluated, measure))
    if not isinstance(evaluated, Mapping):
        raise TypeError(
            f"{name} must be Evaluations of two systems with baseline=, not "
            f"{type(evaluated).__name__}"
        )
    systems = set(map(str, evaluated))
    if len(evaluated) != 2 or baseline not in systems:
        raise ValueError(
            f"{name} must have two systems, one of them the baseline {baseline!r}, not "
            f"{', '.join(map(str, evaluated)) or 'none'}"
        )
    aligned = align(evaluated, "same")
    column = {
        system: _plain_values(f"{name}[{system!r}]", one, measure)[1][aligned.places[system]]
        for system, one in aligned.evaluations.items()
    }
    (other,) = systems - {baseline}
    return systems, aligned.queries, column[other] - column[baseline]


def _plain_values(name: str, evaluation: object, measure: str) -> tuple[Sequence[object], Floats]:
    """The lists of an evaluation and their values; other than plain means are refused."""
    if not isinstance(evaluation, Evaluation):
        more = "; of two systems, name one by baseline=" if isinstance(evaluation, Mapping) else ""
        raise TypeError(f"{name} must be an Evaluation, not {type(evaluation).__name__}{more}")
    if is_over_all_lists(evaluation.key_of(measure)):
        raise ValueError(
            f"{name}: {measure} is a number of all lists together; corrected_mean takes plain means"
        )
    shares = evaluation.shares_of(measure)
    if shares.kind != "mean" or shares.divisors is not None:
        kind = "weighted or micro" if shares.kind == "mean" else shares.kind
        raise ValueError(f"{name}: {measure} has a {kind} mean; corrected_mean takes plain means")
    return evaluation.queries, evaluation.per_query[evaluation.key_of(measure)]
