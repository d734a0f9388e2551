"""Many measures on labels and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from ..convention import UNSET, Unset, get_convention
from ..engine.arguments import documented
from ..engine.notices import warn_of_columns
from ..inputs.read import read_lists
from .evaluation import Evaluation
from .one_pass import evaluate_lists
from .options import SeededOptions, settings_from

if TYPE_CHECKING:
    from ..inputs.types import Group, HasCSR, Ids, Judged, Labels, Scores, Sizes, Weight
    from ..measures.types import Bounds, Measures, Rules


@documented("rankgain")
def evaluate_arrays(
    y_true: Labels,
    y_score: Scores | None,
    measures: Measures,
    *,
    ids: Ids | None = None,
    judged: Judged | None = None,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    weight: Weight = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    bounds: Bounds = (),
    **options: Unpack[SeededOptions],
) -> Evaluation:
    """Evaluate many measures on labels and scores, with one ranking per list.

    An argument applies to the measures that take it; a parameter in a name overrides it.

    Parameters
    ----------
    bounds : "ties", "unjudged" or a sequence of them
        Also find the bounds of each measure, per list and in the mean, for `Evaluation.bounds` and
        `Evaluation.bound_means`. "ties": the worst and the best value over all orders of equal
        scores. "unjudged": the lowest and the highest value over all ways to give each unjudged
        document no relevance or the top label, which is the largest judged one and at least `rel`.
        The ideal changes with these labels, also with those below the cutoff. No label in between
        gives a lower value; nDCG may become higher by one. A document without an entry in sparse
        labels is unjudged; dense labels judge every document and are refused.

    Returns
    -------
    Evaluation
        Means, values per list, and what was counted.

    An unknown measure, a parameter that it does not have, a NaN score or a label that is not finite
    is a ValueError that names it; an argument that none of the measures takes is a TypeError. Names
    in the result include a cutoff that the convention adds: AP@20 for AP under "gdeval".

    >>> import rankgain as rg
    >>> print(rg.evaluate_arrays([[0, 2, 1]], [[0.1, 0.9, 0.4]], ["nDCG@2", "AP"]))
    measure   mean
    nDCG@2    1.0000
    AP        1.0000
    1 query (convention rankgain)
    """
    settings = settings_from(options, SeededOptions, "evaluate_arrays")
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
    warn_of_columns(lists)
    return evaluate_lists(lists, measures, settings, rules, weight, threads, bounds)
