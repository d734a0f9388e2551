"""Many measures of recommended item ids."""

from typing import Any

from ..convention import UNSET, get_convention
from ..engine.arguments import documented
from ..lists.topk import read_topk
from ..results.evaluation import Evaluation
from .notices import warn_of_short_rows
from .one_pass import evaluate_lists


@documented("rankgain")
def evaluate_topk(
    recommended: Any,
    relevant: Any,
    measures: Any,
    *,
    gains: Any = None,
    gain: Any = UNSET,
    discount: Any = UNSET,
    log_base: Any = UNSET,
    rel: Any = UNSET,
    divisor: Any = UNSET,
    beta: Any = UNSET,
    p: Any = UNSET,
    max_label: Any = UNSET,
    empty: Any = UNSET,
    weight: Any = None,
    convention: Any = UNSET,
    threads: int | None = 1,
    bounds: Any = (),
) -> Evaluation:
    """Evaluate ranked item ids against the relevant ones.

    Parameters
    ----------
    recommended : int array of shape (users, k)
        Item ids, best first; -1 fills the end of a shorter row.
    relevant : scipy.sparse CSR of shape (users, items), or a sequence of arrays of item ids
        What is relevant to each user. Stored values are labels; a stored 0 is not relevant.
    gains : sequence of arrays, optional
        Labels beside a sequence of id arrays; 1 each by default.

    Returns
    -------
    Evaluation

    An id a second time in a row, an id beyond the items of a CSR matrix and -1 before the end of a
    row are a ValueError that names the list and the place. A cutoff beyond the columns, as R@20 of
    ten columns, and labels of which none reaches `rel` are a RankgainWarning.

    >>> import rankgain as rg
    >>> rg.evaluate_topk([[4, 2, 7], [1, 3, -1]], [[2, 9], [5]], ["HitRate@3", "R@3"]).means["R@3"]
    0.25
    """
    given = {
        "gain": gain,
        "discount": discount,
        "log_base": log_base,
        "rel": rel,
        "divisor": divisor,
        "beta": beta,
        "p": p,
        "max_label": max_label,
        "empty": empty,
    }
    rules = get_convention("rankgain" if convention is UNSET else convention)
    lists, columns = read_topk(recommended, relevant, gains)
    found = evaluate_lists(lists, measures, given, rules, weight, threads, bounds)
    warn_of_short_rows(found, columns)
    return found
