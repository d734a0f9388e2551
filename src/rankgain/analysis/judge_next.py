"""judge_next: the documents whose judgments would change the difference between runs most."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.arguments import documented
from ..engine.intervals import check_whole
from ..evaluation.one_pass import settings_of
from ..evaluation.runs import evaluate
from ..measures.measure import Measure, measures_under
from ..trec.by_query import Run, as_qrels, as_run, warn_of_exchange
from ..trec.join import as_seen
from .explain import Repeat, ordered, told_apart

if TYPE_CHECKING:
    from ..inputs.types import Records
    from ..measures.types import Rules


@documented("trec")
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
            apart, scores = told_apart(names, known), run._numbers(query) if names else []
            order = ordered(names, run, query, "stable")[0]
            listed.append({apart[at]: scores[at] for at in order})
        effects += [
            (-effect, at, document, query)
            for document, effect in _effects(judged[query], listed, requested, rules, top)
            if effect > 0
        ]
    return [(query, document) for _, _, document, query in sorted(effects)[:n]]


def _single_measure(measure: str | Measure, rules: Convention) -> Measure:
    """The measure under a convention; it must be one, and have bounds."""
    requested = measures_under(measure, rules).measures
    if len(requested) != 1:
        raise ValueError(f"measure must name one measure, not {len(requested)}")
    family, _ = settings_of(requested[0], {}, rules)
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
