"""judge_next: the documents whose judgments would change the difference between runs most."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..convention import UNSET, Unset, get_convention
from ..engine.intervals import check_level, check_whole, student_quantile
from ..engine.notices import named_in_warnings, warn
from ..engine.settings import with_shared_help
from ..evaluation.evaluation import Evaluation
from ..evaluation.one_pass import complete_settings
from ..evaluation.runs import evaluate
from ..measures.all_lists import is_over_all_lists
from ..measures.measure import Measure, read_measures
from ..trec.by_query import Run, as_qrels, as_run, warn_if_exchanged
from ..trec.join import drop_own_documents
from .aligned import Aligned, align
from .explain import Repeat, make_unique, order_documents

if TYPE_CHECKING:
    from ..inputs.types import Floats, Records
    from ..measures.types import Rules


@with_shared_help("trec")
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

    Examples
    --------
    >>> import rankgain as rg
    >>> qrels = {"q": {"a": 1, "b": 0}}
    >>> runs = {"x": {"q": {"a": 3, "new": 2, "b": 1}}, "y": {"q": {"b": 3, "a": 2, "old": 1}}}
    >>> rg.judge_next(qrels, runs, "DCG@3", 2)
    [('q', 'new'), ('q', 'old')]
    """
    check_whole(n, "n", 1)
    rules = get_convention("trec" if convention is UNSET else convention)
    measures = read_measures(measure, rules).measures
    if len(measures) != 1:
        raise ValueError(f"measure must name one measure, not {len(measures)}")
    requested = measures[0]
    k = requested.k
    family, _ = complete_settings(requested, {}, rules)
    if family.row.judged:
        raise ValueError(f"{requested} ignores unjudged documents, so a judgment has no bounds")
    runs_by_name = runs
    if not _are_runs(runs):
        runs_by_name = {"run": runs}
    read = []
    for name, run in runs_by_name.items():
        context = named_in_warnings("run", name) if len(runs_by_name) > 1 else nullcontext()
        with context:
            read.append(drop_own_documents(rules, as_run(run)))
    judged = as_qrels(qrels, list(runs_by_name.values()))
    warn_if_exchanged(judged._arrays.values, read[0])
    top = 1.0
    for query in judged:
        top = max(top, *judged[query].values())
    effects = []
    for place, query in enumerate(judged):
        labels = judged[query]
        documents = []
        for run in read:
            names = []
            if query in run:
                names = run.documents(query)
            documents.append(names)
        known_documents = {*labels, *chain(*documents)}
        listed = []  # the documents of each run with their scores, in input order
        unjudged = set()
        for run, names in zip(read, documents, strict=True):
            unique_names = make_unique(names, known_documents)
            scores = run._numbers(query) if names else []
            order = order_documents(names, run, query, "stable")
            ranked = {unique_names[index]: scores[index] for index in order}
            listed.append(ranked)
            threshold = -np.inf  # of the scores that may be among the first k
            if k is not None and len(ranked) > k:
                threshold = np.partition(np.array(scores), -k)[-k]
            near_top = {document for document, score in ranked.items() if score >= threshold}
            unjudged |= near_top - labels.keys()
        candidates = sorted(document for document in unjudged if not isinstance(document, Repeat))
        if not candidates:
            continue
        # Queries that are evaluated in one call: with the judgments as they are, and with one more
        # of the top label for each candidate. Each run returns the same for all.
        # Their names begin with that of the query, which an error names, and are no documents.
        versions: dict[str, dict[str, float]] = {query: dict(labels)}
        for document in candidates:
            versions[f"{query} with {document} judged"] = {**labels, document: top}
        moves = np.zeros((len(listed), len(candidates)))
        for row, ranked in zip(moves, listed, strict=True):
            if ranked:
                rows = dict.fromkeys(versions, ranked)
                (values,) = evaluate(versions, rows, requested, convention=rules).per_query.values()
                row[:] = np.nan_to_num(values[1:] - values[0])
        if len(listed) > 1:
            # The largest change of a difference is that between the runs that move most and least.
            changes = np.ptp(moves, axis=0)
        else:
            changes = np.abs(moves[0])
        for document, effect in zip(candidates, changes.tolist(), strict=True):
            if effect > 0:
                effects.append((-effect, place, document, query))
    return [(query, document) for _, _, document, query in sorted(effects)[:n]]


def _are_runs(runs: object) -> bool:
    """Whether `runs` is a mapping of names to runs rather than one run."""
    if not isinstance(runs, Mapping) or isinstance(runs, Run) or not runs:
        return False
    first = next(iter(runs.values()))
    if isinstance(first, (list, tuple)):  # the ids of a query, or the rows of a run
        return bool(first) and not isinstance(first[0], (str, int, np.integer))
    if not isinstance(first, Mapping) or isinstance(first, Run):
        return True
    # A run has scores by document, a mapping of runs has documents by query.
    inner = next(iter(first.values()), None)
    return isinstance(inner, (Mapping, list, tuple, np.ndarray))


FEWEST = 5  # lists that people must have judged


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

    Raises
    ------
    ValueError
        If people judged fewer than five lists, or all of them, or if the two systems have other
        queries.

    Notes
    -----
    Lists without a value (empty="skip") in either evaluation are left out.

    Examples
    --------
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
    systems, queries, model = _values("by_model", by_model, measure, baseline)
    systems_of_people, judged, people = _values("by_people", by_people, measure, baseline)
    if systems != systems_of_people:
        raise ValueError(
            f"by_model has the systems {', '.join(sorted(systems))} and by_people "
            f"{', '.join(sorted(systems_of_people))}; evaluate the same two with both labels"
        )
    position_of = {query: position for position, query in enumerate(queries)}
    for query in judged:
        if query not in position_of:
            raise ValueError(
                f"by_people has query {query!r}, which by_model lacks; evaluate all queries with "
                "the model's labels"
            )
    if isinstance(queries, range) and isinstance(judged, range) and len(people) < len(model):
        warn(
            f"the lists have no ids, so that the {len(people)} of by_people are taken as the "
            "first of by_model; evaluate with qid=, or qrels and a run, to say which they are"
        )
    positions = np.array([position_of[query] for query in judged], np.int64)
    model_values = model[positions]
    others_of_model = np.delete(model, positions)
    has_both = ~(np.isnan(model_values) | np.isnan(people))
    others_of_model = others_of_model[~np.isnan(others_of_model)]
    if has_both.sum() < FEWEST:
        raise ValueError(
            f"by_people has values for {has_both.sum()} of the queries of by_model; at least "
            f"{FEWEST} are needed. Let people judge more of the queries"
        )
    if not len(others_of_model):
        raise ValueError(
            f"by_model must have values for queries that people did not judge, but all "
            f"{len(people)} of its queries are in by_people. Evaluate more queries with the "
            "model's labels"
        )
    model_values, people_values = model_values[has_both], people[has_both]
    n, n_others = len(people_values), len(others_of_model)
    # The weight with the smallest variance, cov(y, f) / ((1 + n / N) var(f)). The values f of the
    # model are known for all lists, so their variance is taken from all.
    weight = 1.0
    model_variance = np.concatenate((model_values, others_of_model)).var(ddof=1)
    if tuned:
        people_deviations = people_values - people_values.mean()
        model_deviations = model_values - model_values.mean()
        covariance = (people_deviations * model_deviations).sum() / (n - 1)
        shared = covariance / (1 + n / n_others)
        weight = 0.0  # a model with one value for all lists says nothing
        if model_variance > 0:
            weight = min(max(shared / model_variance, 0.0), 1.0)
    mean = float(people_values.mean() + weight * (others_of_model.mean() - model_values.mean()))
    others_variance = model_variance  # one other list has no scatter of its own
    if n_others > 1:
        others_variance = others_of_model.var(ddof=1)
    estimated = 2 if tuned else 1  # the mean, and the weight
    residual_variance = (people_values - weight * model_values).var(ddof=estimated)
    variance = residual_variance / n + weight**2 * others_variance / n_others
    half = student_quantile(float(level), n - estimated) * math.sqrt(variance)
    return CorrectedMean(mean, mean - half, mean + half)


def _values(
    name: str, evaluated: object, measure: str, baseline: str | None
) -> tuple[set[str], Sequence[object], Floats]:
    """The systems, the lists, and their values: with a baseline, the other system's minus its."""
    systems: set[str] = set()
    if baseline is not None:
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
        aligned = align(evaluated, "same", "evaluate both systems on the same queries")
    elif isinstance(evaluated, Evaluation):
        aligned = Aligned({"": evaluated}, evaluated.queries, {"": slice(None)}, {})
    else:
        hint = ""
        if isinstance(evaluated, Mapping):
            hint = "; of two systems, name one by baseline="
        raise TypeError(f"{name} must be an Evaluation, not {type(evaluated).__name__}{hint}")
    columns = {}
    for system, evaluation in aligned.evaluations.items():
        place = name
        if baseline is not None:
            place = f"{name}[{system!r}]"
        key = evaluation.key_of(measure)
        if is_over_all_lists(key, evaluation.better):
            raise ValueError(
                f"{place}: {measure} is a number of all lists together; corrected_mean takes plain "
                "means"
            )
        shares = evaluation.shares_of(measure)
        if shares.kind != "mean" or shares.divisors is not None:
            kind = shares.kind
            if kind == "mean":
                kind = "weighted or micro"
            raise ValueError(
                f"{place}: {measure} has a {kind} mean; corrected_mean takes plain means"
            )
        columns[system] = evaluation.per_query[key][aligned.lists[system]]
    values = columns.pop("" if baseline is None else baseline)
    for second_values in columns.values():  # with a baseline there is one
        values = second_values - values
    return systems, aligned.queries, values
