"""Many measures of labels and scores."""

from typing import Any

from ..convention import UNSET, get_convention
from ..lists.read import read_lists
from ..results.evaluation import Evaluation
from .one_pass import evaluate_lists


def evaluate_arrays(
    y_true: Any,
    y_score: Any,
    measures: Any,
    *,
    gain: Any = UNSET,
    discount: Any = UNSET,
    log_base: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    divisor: Any = UNSET,
    beta: Any = UNSET,
    p: Any = UNSET,
    max_label: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    weight: Any = None,
    convention: Any = UNSET,
    threads: int | None = 1,
    bounds: Any = (),
) -> Evaluation:
    """Evaluate many measures on labels and scores, with one ranking per list.

    Arguments are those of the measure functions (`help("rankgain.metrics")`). Cutoffs stand in the
    names; an argument reaches the measures that take it, and a parameter in a name wins.

    Parameters
    ----------
    y_true, y_score
        As in `ndcg`; y_score=None takes the order given as the ranking.
    measures : str, Measure, or a sequence of them
        Names in any known spelling, such as ["nDCG@10", "AP", "RR@10"].
    weight : array or mapping query -> weight, optional
        One finite weight >= 0 per list, for the means.
    bounds : "ties", "unjudged" or a sequence of them
        Also find the bounds of each measure, per list and in the mean, for `Evaluation.bounds` and
        `Evaluation.bound_means`. "ties": the worst and the best value over all orders of equal
        scores. "unjudged": the lowest and the highest over all ways to give each unjudged document
        within the cutoff no relevance or the top label, the largest judged one and at least `rel`;
        the ideal changes with it. Unjudged is what sparse labels have no entry for; dense labels
        judge every document and are refused.

    Returns
    -------
    Evaluation
        Means, values per list, and what was counted.

    An unknown measure, a parameter that it does not have, a NaN score or a label that is not finite
    is a ValueError that names it; an argument that none of the measures takes is a TypeError. A
    convention's own cutoff stands in the names of the result: AP@20 for AP under "gdeval".

    >>> import rankgain as rg
    >>> print(rg.evaluate_arrays([[0, 2, 1]], [[0.1, 0.9, 0.4]], ["nDCG@2", "AP"]))
    measure   mean
    nDCG@2    1.0000
    AP        1.0000
    1 query (convention rankgain)
    """
    given = {
        "gain": gain,
        "discount": discount,
        "log_base": log_base,
        "ties": ties,
        "seed": seed,
        "rel": rel,
        "divisor": divisor,
        "beta": beta,
        "p": p,
        "max_label": max_label,
        "empty": empty,
    }
    lists = read_lists(
        y_true,
        y_score,
        group=group,
        qid=qid,
        lengths=lengths,
        judged=judged,
        exclude=exclude,
        ids=ids,
    )
    rules = get_convention("rankgain" if convention is UNSET else convention)
    return evaluate_lists(lists, measures, given, rules, weight, threads, bounds)
