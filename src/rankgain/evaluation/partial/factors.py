"""Evaluate a factor model: scores are computed and counted for a block of users at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...convention import UNSET, Unset
from ...engine.arguments import documented
from ...engine.threads import usable_threads
from ...inputs.arrays import as_array, packed
from ...inputs.labelled import by_row, refuse_other_order
from ..evaluation import Evaluation
from ..one_pass import TieOptions, settings_from
from .users import Relevant

if TYPE_CHECKING:
    from ...inputs.types import Array, Excluded, RelevantIds, Weight
    from ...measures.types import Measures, Rules

BLOCK = 1 << 24  # scores of a block, 64 MB: the BLAS copies the items once for each block
FEWEST, MOST = 16, 1024  # users of a block; the product of fewer is slow


@documented("rankgain")
def evaluate_factors(
    user_factors: object,
    item_factors: object,
    relevant: RelevantIds,
    measures: Measures,
    *,
    item_bias: object = None,
    exclude: Excluded | None = None,
    weight: Weight = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = None,
    **options: Unpack[TieOptions],
) -> Evaluation:
    """Evaluate a factor model on all of its items: scores are user_factors @ item_factors.T.

    The matrix of all scores is never held. NumPy's BLAS multiplies a block of users with all items;
    for each relevant item the scores above its own and equal to it are counted. Then the next block
    overwrites this one.

    Parameters
    ----------
    user_factors : array of shape (users, factors)
    item_factors : array of shape (items, factors)
        Finite numbers; converted to float32.
    item_bias : array of shape (items,), optional
        Added to the scores of each item, as one more factor of the product.
    threads : int or None
        Threads that count; by default all usable cores. Variables of the BLAS, such as
        OPENBLAS_NUM_THREADS, set the number of threads of the product.

    Ties are as in `PartialRanks`: under a convention that orders tied documents by position, such
    as "implicit", a tie with a hit is an error; add ties="average".

    Scores are the float32 numbers of the product on this machine. Another BLAS, or another number
    of users in a block, may round the last bit differently, so documents whose scores differ only
    there may tie or change places. Within a call all scores of a user come from one product: equal
    item factors give equal scores up to that rounding, and a relevant item is equal to itself.
    Memory: 64 bytes for each relevant item, and a block of 64 MB (or 16 users).

    A factor that is not finite, factors so large that a score could overflow, and shapes that
    differ are a ValueError.

    >>> import rankgain as rg
    >>> users, items = [[1.0, 0.0], [0.0, 1.0]], [[3.0, 1.0], [2.0, 2.0], [1.0, 3.0]]
    >>> rg.evaluate_factors(users, items, [[0], [1]], ["RR", "R@2"]).per_query["RR"]
    array([1. , 0.5])
    """
    settings = settings_from(options, TieOptions, "evaluate_factors")
    refuse_other_order(user_factors=user_factors, relevant=relevant, exclude=exclude)
    weight = by_row(weight, "weight", user_factors, relevant)
    users, items = _read(user_factors, item_factors, item_bias)
    result = Relevant(relevant, exclude, None)
    if len(result) != len(users):
        raise ValueError(f"relevant has {len(result)} users, but user_factors {len(users)}")
    result.check_items(len(items), "item_factors")
    workers = usable_threads(threads)
    rows = min(MOST, max(FEWEST, BLOCK // max(1, len(items))), max(1, len(users)))
    block = np.empty((rows, len(items)), np.float32)
    for low in range(0, len(users), rows):
        part = users[low : low + rows]
        scores = np.matmul(part, items.T, out=block[: len(part)])
        result.count(scores, low, workers, "user_factors")
    return result.finish(len(items), measures, settings, weight, convention, threads)


def _read(user_factors: object, item_factors: object, item_bias: object) -> tuple[Any, Any]:
    """Users and items as float32, with the bias as one more factor."""
    refuse_other_order(item_factors=item_factors, item_bias=item_bias)
    users, items = _factors(user_factors, "user_factors"), _factors(item_factors, "item_factors")
    if users.shape[1] != items.shape[1]:
        raise ValueError(
            f"user_factors has {users.shape[1]} factors, but item_factors {items.shape[1]}"
        )
    if item_bias is not None:
        bias = _float32(as_array(item_bias, "item_bias"), "item_bias")
        if bias.shape != (len(items),):
            raise ValueError(f"item_bias has shape {bias.shape}, but there are {len(items)} items")
        users = np.hstack((users, np.ones((len(users), 1), np.float32)))
        items = np.hstack((items, bias[:, None]))
    largest = float(np.abs(users).max(initial=0)) * float(np.abs(items).max(initial=0))
    if largest * max(1, users.shape[1]) > float(np.finfo(np.float32).max):
        raise ValueError(
            f"user_factors and item_factors have values whose product is up to {largest:g}, and a "
            "sum of them could overflow float32: scale the factors"
        )
    return users, items


def _factors(value: object, name: str) -> Any:
    array = as_array(value, name)
    if array.ndim != 2:
        raise ValueError(f"{name} must have shape (rows, factors), not {array.shape}")
    return _float32(array, name)


def _float32(array: Array, name: str) -> Any:
    with np.errstate(over="ignore"):
        result = packed(array, np.float32)
    if not np.isfinite(result).all():
        at = np.unravel_index(int(np.argmin(np.isfinite(result))), result.shape)
        place = ", ".join(map(str, at))
        raise ValueError(f"{name}[{place}] is {array[at]}; it must be finite as a float32")
    return result
