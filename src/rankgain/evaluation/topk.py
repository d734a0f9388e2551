"""Many measures of recommended item ids."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..convention import UNSET, Unset, get_convention
from ..engine.arguments import documented, settings_among
from ..inputs.ids import Paired, are_other_ids, excluding, pair, with_labels
from ..inputs.ragged import is_row
from ..inputs.topk import read_topk
from ..inputs.truth import Truth
from .evaluation import Evaluation
from .ids import evaluate_paired, read_side
from .notices import warn_of_documents, warn_of_short_rows
from .one_pass import deepest_rank, evaluate_lists, read_kinds

if TYPE_CHECKING:
    from ..measures.types import (
        Bounds,
        Discount,
        Divisor,
        Empty,
        Gain,
        Measures,
        RankedIds,
        RelevantIds,
        Rules,
        Weight,
    )


@documented("rankgain")
def evaluate_topk(
    recommended: RankedIds,
    relevant: RelevantIds,
    measures: Measures,
    *,
    gains: Any = None,
    exclude: RelevantIds | None = None,
    gain: Gain | Unset = UNSET,
    discount: Discount | Unset = UNSET,
    log_base: float | Unset = UNSET,
    rel: float | Unset = UNSET,
    divisor: Divisor | Unset = UNSET,
    beta: float | Unset = UNSET,
    p: float | Unset = UNSET,
    max_label: float | Unset = UNSET,
    empty: Empty | Unset = UNSET,
    weight: Weight = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    bounds: Bounds = (),
) -> Evaluation:
    """Evaluate ranked item ids against the relevant ones.

    Parameters
    ----------
    recommended : int array of shape (users, k), lists of ids, a mapping user -> list, or a frame
        Item ids, best first: integers or strings. -1 fills the end of a shorter row of an int
        array. One list of ids is that of one user, an empty one too: `[]` is a user to whom nothing
        is recommended, and no user at all is `{}` or an array of shape (0, k). A frame has a row
        for each user and item with its rank or score; of equal scores the earlier row is first.
    relevant : scipy.sparse CSR or Truth of shape (users, items), or what `evaluate_ids` takes
        What is relevant to each user: lists, sets or dicts item -> label, in the order of the users
        or by user where `recommended` is. Stored values are labels; a stored 0 is not relevant.
    gains : sequence of arrays, optional
        Labels beside a sequence of id arrays; 1 each by default.
    exclude : as relevant, optional
        Items that are left out of each user's list before it is evaluated, as those of training.

    Returns
    -------
    Evaluation

    Unjudged is what `relevant` does not hold. Users who are recommended nothing, or to whom nothing
    is relevant, are counted as in `evaluate_ids`. An id a second time in a row, an id beyond the
    items of a CSR matrix and -1 before the end of a row are a ValueError that names the list and
    the place. A cutoff beyond the columns, as R@20 of ten columns, and labels of which none reaches
    `rel` are a RankgainWarning.

    >>> import rankgain as rg
    >>> rg.evaluate_topk([[4, 2, 7], [1, 3, -1]], [[2, 9], [5]], ["HitRate@3", "R@3"]).means["R@3"]
    0.25
    """
    options = settings_among(locals())
    rules = get_convention("rankgain" if convention is UNSET else convention)
    if are_other_ids(recommended) or (_is_empty(recommended) and are_other_ids(relevant)):
        call = measures, options, rules, weight, threads, bounds
        return evaluate_paired(_paired(recommended, relevant, gains, exclude), "raise", call)
    # For these bounds documents below the cutoff are needed, too.
    deep = "unjudged" in read_kinds(bounds)
    depth = math.inf if deep else deepest_rank(measures, options, rules)
    lists, columns, apart = read_topk(recommended, relevant, gains, exclude, depth)
    result = evaluate_lists(lists, measures, options, rules, weight, threads, bounds)
    if apart is not None:
        user, retrieved, judged = apart
        warn_of_documents(f"list {user} of recommended", retrieved, "relevant", judged)
    warn_of_short_rows(result, columns)
    return result


def _is_empty(recommended: Any) -> bool:
    """Whether there is no id from which the type could be read."""
    return isinstance(recommended, (list, tuple)) and not any(
        is_row(one) and len(one) for one in recommended
    )


def _paired(recommended: Any, relevant: Any, gains: Any, exclude: Any) -> Paired:
    if isinstance(relevant, Truth):
        raise TypeError(
            "relevant is a Truth, whose items are known by their columns; recommend the numbers of "
            "these as arrays or lists of ints"
        )
    wanted = read_side(relevant, "relevant", True)
    if gains is not None:
        wanted = with_labels(wanted, gains)
    paired = pair(read_side(recommended, "recommended"), wanted)
    return paired if exclude is None else excluding(paired, read_side(exclude, "exclude", True))
