"""Many measures of retrieved ids of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.arguments import documented, settings_among
from ..inputs.ids import DUPLICATES, IdLists, Paired, excluding, match, pair, read_ids
from ..inputs.tables.id_frames import is_table, read_relevant_frame, read_retrieved_frame
from .evaluation import Evaluation
from .notices import warn_of_apart, warn_of_other_users, warn_of_short_rows
from .one_pass import evaluate_lists

if TYPE_CHECKING:
    from ..measures.types import (
        Bounds,
        Discount,
        Divisor,
        Empty,
        Gain,
        Measures,
        Policy,
        RankedIds,
        Rules,
        Weight,
    )


@documented("rankgain")
def evaluate_ids(
    retrieved: RankedIds,
    relevant: RankedIds,
    measures: Measures,
    *,
    duplicates: Policy = "raise",
    exclude: RankedIds | None = None,
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
    """Evaluate retrieved ids of any kind against the relevant ones.

    Parameters
    ----------
    retrieved : lists of ids, best first, or a mapping query -> list
        Strings, integers or whatever has a hash, all of one type: `1` is never `"1"`. Also one
        list, a Series of lists, list columns, and frames of (query, document, rank or score). `[]`
        is no list; one query for which nothing was retrieved is `[[]]`.
    relevant : lists, sets or dicts id -> label, one for each list, or a mapping query -> one
        Where there is no label, it is 1; a label of 0 is not relevant.
    duplicates : "raise" or "first"
        What becomes of an id that is in a list twice: an error that names it, or the first stays
        and those after it move up.
    exclude : as relevant, optional
        Ids that are left out of each list before it is evaluated, relevant or not.

    Returns
    -------
    Evaluation

    Queries are those of `relevant`, in its order. One that was not retrieved counts 0 (`missing` in
    counts), or as the convention says; one for which nothing is relevant to evaluate is left out
    (`unjudged` in counts). A RankgainWarning shows both where few meet. Unjudged is what `relevant`
    does not hold. None and NaN among the ids, and ids of different types, are errors that name the
    place.

    >>> import rankgain as rg
    >>> retrieved = {"q1": ["d3", "d1", "d7"], "q2": ["d2", "d9"]}
    >>> relevant = {"q1": {"d1": 2, "d3": 1}, "q2": ["d4"]}
    >>> rg.evaluate_ids(retrieved, relevant, ["RR", "R@2"]).to_dict()
    {'q1': {'RR': 1.0, 'R@2': 1.0}, 'q2': {'RR': 0.0, 'R@2': 0.0}}
    """
    options = settings_among(locals())
    rules = get_convention("rankgain" if convention is UNSET else convention)
    if duplicates not in DUPLICATES:
        raise ValueError(f'duplicates must be "raise" or "first", not {duplicates!r}')
    paired = pair(read_side(retrieved, "retrieved"), read_side(relevant, "relevant", True))
    if exclude is not None:
        paired = excluding(paired, read_side(exclude, "exclude", True), duplicates)
    call = measures, options, rules, weight, threads, bounds
    return evaluate_paired(paired, duplicates, call)


def read_side(value: Any, name: str, relevant: bool = False) -> IdLists:
    """Read ids from lists, a mapping, or a frame with a row for each id."""
    if is_table(value):
        read = read_relevant_frame if relevant else read_retrieved_frame
        users, rows = read(value, name)
        return IdLists(name, rows, users, False)
    return read_ids(value, name, relevant)


def evaluate_paired(paired: Paired, duplicates: str, call: tuple[Any, ...]) -> Evaluation:
    """Match ids, evaluate the lists, and count users that are on one side only."""
    measures, options, rules, weight, threads, bounds = call
    counts, displayed = None, None
    if paired.users is not None:
        warn_of_other_users(paired.retrieved, paired.users, paired.others, paired.names)
        paired, counts = _under(paired, rules)
        displayed = paired.users
    lists, longest = match(paired, duplicates)
    result = evaluate_lists(
        lists, measures, options, rules, weight, threads, bounds, counts=counts, displayed=displayed
    )
    if not len(lists.labels.indices):
        warn_of_apart(paired)
    warn_of_short_rows(result, longest if len(lists) else None, paired.names[0], True)
    return result


def _under(paired: Paired, rules: Convention) -> tuple[Paired, dict[str, int]]:
    """Apply the convention to users without retrieved ids; return also the counts."""
    missing = int((~paired.retrieved).sum())
    users = paired.users or []
    if missing and rules.missing == "raise":
        user = users[int(np.argmin(paired.retrieved))]
        raise ValueError(f"{paired.names[0]} has no list of {user!r}, which {paired.names[1]} has")
    skips = rules.missing == "skip"
    counts = {
        "missing": 0 if skips else missing,
        "skipped": missing if skips else 0,
        "unjudged": len(paired.others),
    }
    if skips and missing:
        remaining = np.flatnonzero(paired.retrieved).tolist()
        rows, wanted, left = (
            [side[i] for i in remaining] for side in (paired.rows, paired.wanted, users)
        )
        paired = paired._replace(rows=rows, wanted=wanted, users=left)
    return paired, counts
