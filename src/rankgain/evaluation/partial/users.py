"""The relevant items of users, and the counts of scores above and equal to theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from ... import _core
from ...engine.counted import make_levels, make_lists
from ...engine.settings import with_shared_help
from ...engine.threads import share, usable_threads
from ...inputs.arrays import as_array, integers, is_wide, native_scores, pack
from ...inputs.axes import by_row, refuse_other_order
from ...inputs.grouping import find_repeated
from ...inputs.lists import add_sizes
from ...inputs.relevant import read_relevant
from ...inputs.sparse import Sparse, are_among, read_excluded
from ..evaluation import Evaluation
from ..one_pass import CallSettings, CountOptions, evaluate_lists, prepare_all, read_call

if TYPE_CHECKING:
    from ...inputs.types import Array, Excluded, RelevantIds
    from ...measures.types import Measures


ROWS = 8  # users at least that a thread counts


class Items(NamedTuple):
    """Items of each user: those of user i are ids[first[i] : first[i + 1]]."""

    first: Any
    ids: Any


class Relevant:
    """The relevant items of the evaluated users, with counts of scores above and equal."""

    def __init__(self, relevant: RelevantIds, exclude: Excluded | None, users: object) -> None:
        truth = read_relevant(relevant)
        out = None if exclude is None else read_excluded(exclude)
        self.columns = {"relevant": truth.columns, "exclude": None if out is None else out.columns}
        total = len(truth.indptr) - 1
        if out is not None and len(out.indptr) - 1 != total:
            raise ValueError(f"exclude has {len(out.indptr) - 1} users, but relevant has {total}")
        self.queries: Any = range(total)
        self.users = np.arange(total)
        if users is not None:
            self.users = integers(users, "users")
            beyond = self.users >= total
            if beyond.any():
                at = int(beyond.argmax())
                raise ValueError(f"users[{at}] is {self.users[at]}, but relevant has {total} users")
            again = find_repeated(self.users, *np.array([[0], [len(self.users)]]))
            if again is not None:
                place = f"users[{again[1]}] is {self.users[again[1]]}"
                raise ValueError(f"{place} a second time; name each user once")
            self.queries = self.users.tolist()
        rows, data = self._of(truth)
        wide = np.flatnonzero(is_wide(data))
        if wide.size:
            at = int(wide[0])
            raise ValueError(
                f"relevant: list {self._user(rows, at)}, item {int(rows.ids[at])}: a double does "
                f"not hold the label {int(data[at])}; scale it"
            )
        remaining = data != 0
        self.out: Items | None = None
        if out is not None:
            self.out = self._of(out)[0]
            remaining &= ~are_among(*rows, *self.out)
        self.labels = data[remaining].astype(np.float64)
        self.rows = np.repeat(np.arange(len(self)), np.diff(rows.first))[remaining]
        first = add_sizes(np.bincount(self.rows, minlength=len(self)))
        self.hits = Items(first, rows.ids[remaining])
        self.above, self.equal = np.zeros((2, len(self.labels)), np.int64)
        self.float32 = True

    def _of(self, sparse: Sparse) -> tuple[Items, Any]:
        """The rows of the evaluated users, and their data."""
        starts = sparse.indptr[:-1][self.users]
        first = add_sizes(sparse.indptr[1:][self.users] - starts)
        at = np.arange(first[-1]) + np.repeat(starts - first[:-1], np.diff(first))
        return Items(first, sparse.indices[at].astype(np.int64)), sparse.data[at]

    def _user(self, rows: Items, at: int) -> int:
        """The user of an entry."""
        return int(self.users[np.searchsorted(rows.first, at, side="right") - 1])

    def __len__(self) -> int:
        return len(self.users)

    def check_items(self, items: int, name: str) -> None:
        """Refuse items without scores, and matrices with another number of items."""
        for which, columns in self.columns.items():
            if columns is not None and columns != items:
                raise ValueError(f"{which} has {columns} items, but {name} {items}")
        for which, result in (("relevant", self.hits), ("exclude", self.out)):
            if result is not None and result.ids.max(initial=-1) >= items:
                at = int(result.ids.argmax())
                raise ValueError(
                    f"{which}: index {int(result.ids[at])} is out of range for list "
                    f"{self._user(result, at)}: {name} has {items} items"
                )

    def count(self, block: Array, low: int, threads: int, name: str) -> None:
        """Count a block: the scores of all items, for the users from `low` on."""
        high = low + len(block)

        def work(part: tuple[int, int]) -> tuple[int, int] | None:
            a, b = part
            scores = block[a - low : b - low]
            hits = slice(*self.hits.first[[a, b]])
            rows = self.rows[hits] - a
            levels = make_levels(rows, scores[rows, self.hits.ids[hits]], b - a)
            cells = levels.new_cells()
            nan = _core.count_matrix(scores, *levels[:2], cells)
            if nan is None and self.out is not None:
                first, ids = self.out.first[a : b + 1], self.out.ids
                out = np.repeat(np.arange(b - a), np.diff(first))
                left = scores[out, ids[first[0] : first[-1]]]
                excluded = levels.new_cells()
                _core.count_rows(out, left, *levels[:2], excluded)
                cells -= excluded
            self.above[hits], self.equal[hits], _ = levels.read(cells, rows)
            return nan

        cuts = np.linspace(low, high, min(threads, max(1, (high - low) // ROWS)) + 1).astype(int)
        parts = list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))
        result = share(work, parts, threads, _core.Stop()) if len(parts) > 1 else [work(parts[0])]
        for (a, _), nan in zip(parts, result, strict=True):
            if nan is not None:
                raise ValueError(
                    f"{name}: user {int(self.users[a + nan[0]])}, item {nan[1]} is NaN; a score "
                    "must be a number that orders it"
                )
        self.float32 &= block.dtype == np.float32

    def finish(self, items: int, measures: Measures, call: CallSettings) -> Evaluation:
        """Evaluate the counted ranks."""
        documents = np.full(len(self), items, np.int64)
        if self.out is not None:
            documents -= np.diff(self.out.first)
        lists = make_lists(
            *(self.rows, self.labels, self.above, self.equal, documents, self.queries),
            called="relevant",
            float32=self.float32,
        )
        prepared = prepare_all(measures, call.settings, call.rules)
        return evaluate_lists(lists, prepared, call, displayed=self.queries)


ROOM = 1 << 22  # scores of a block of scores that a function makes


@with_shared_help("rankgain")
def evaluate_scores(
    score: Callable[[Any], Any],
    relevant: RelevantIds,
    measures: Measures,
    *,
    users: object = None,
    exclude: Excluded | None = None,
    batch: int | None = None,
    **options: Unpack[CountOptions],
) -> Evaluation:
    """Evaluate a model on all items, without holding all scores.

    Parameters
    ----------
    score : callable
        score(users) takes an int64 array of users and returns the scores of all items for each, of
        shape (len(users), items): an array, or an object that converts without a copy, such as a
        torch tensor on the CPU. The next call may overwrite it.
    users : int array, optional
        The users to evaluate, in this order; by default all of `relevant`.
    batch : int, optional
        Users of a block; by default as many as have about four million scores.

    `weight` has one entry per evaluated user; ties are as in `PartialRanks`. The values are those
    of `evaluate_arrays` on all scores. A NaN score, a block of another shape and an item beyond the
    scores are a ValueError; errors of `score` itself are passed on.

    >>> import numpy as np
    >>> import rankgain as rg
    >>> scores = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.4]])
    >>> rg.evaluate_scores(lambda users: scores[users], [[2], [1]], "RR").per_query["RR"]
    array([0.5, 1. ])
    """
    call = read_call(options, CountOptions, "evaluate_scores", "rankgain")
    if not callable(score):
        raise TypeError(
            f"score must be a function of an array of users, not {type(score).__name__}; for a "
            "matrix of scores there is evaluate_arrays"
        )
    result = Relevant(relevant, exclude, users)
    rows: Any = batch
    if rows is None:
        known = result.columns["relevant"] or int(result.hits.ids.max(initial=0)) + 1
        rows = max(1, min(MOST, ROOM // known))
    elif isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < 1:
        raise ValueError(f"batch must be an int of at least 1, not {batch!r}")
    workers, items = usable_threads(call.threads), None
    for low in range(0, len(result), int(rows)):  # NumPy's small integers would overflow
        users = result.users[low : low + int(rows)]
        block = native_scores(as_array(score(users.copy()), "score(users)"))
        if block.ndim != 2 or len(block) != len(users) or items not in (None, block.shape[1]):
            shape = f"({len(users)}, {'items' if items is None else items})"
            raise ValueError(
                f"score returned shape {block.shape} for {len(users)} users; {shape} "
                "is needed: a row for each user, a column for each item"
            )
        if items is None:
            items = block.shape[1]
            result.check_items(items, "score(users)")
        result.count(block, low, workers, "score(users)")
    return result.finish(items or 0, measures, call)


BLOCK = 1 << 24  # scores of a block, 64 MB: the BLAS copies the items once for each block
FEWEST, MOST = 16, 1024  # users of a block; the product of fewer is slow


@with_shared_help("rankgain", threads=None)
def evaluate_factors(
    user_factors: object,
    item_factors: object,
    relevant: RelevantIds,
    measures: Measures,
    *,
    item_bias: object = None,
    exclude: Excluded | None = None,
    **options: Unpack[CountOptions],
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
    options.setdefault("threads", None)
    call = read_call(options, CountOptions, "evaluate_factors", "rankgain")
    refuse_other_order(user_factors=user_factors, relevant=relevant, exclude=exclude)
    call = call._replace(weight=by_row(call.weight, "weight", user_factors, relevant))
    refuse_other_order(item_factors=item_factors, item_bias=item_bias)
    users, items = _float32(user_factors, "user_factors"), _float32(item_factors, "item_factors")
    for array, name in ((users, "user_factors"), (items, "item_factors")):
        if array.ndim != 2:
            raise ValueError(f"{name} must have shape (rows, factors), not {array.shape}")
    if users.shape[1] != items.shape[1]:
        raise ValueError(
            f"user_factors has {users.shape[1]} factors, but item_factors {items.shape[1]}"
        )
    if item_bias is not None:  # as one more factor
        bias = _float32(item_bias, "item_bias")
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
    result = Relevant(relevant, exclude, None)
    if len(result) != len(users):
        raise ValueError(f"relevant has {len(result)} users, but user_factors {len(users)}")
    result.check_items(len(items), "item_factors")
    workers = usable_threads(call.threads)
    rows = min(MOST, max(FEWEST, BLOCK // max(1, len(items))), max(1, len(users)))
    block = np.empty((rows, len(items)), np.float32)
    for low in range(0, len(users), rows):
        part = users[low : low + rows]
        scores = np.matmul(part, items.T, out=block[: len(part)])
        result.count(scores, low, workers, "user_factors")
    return result.finish(len(items), measures, call)


def _float32(value: object, name: str) -> Any:
    array = as_array(value, name)
    with np.errstate(over="ignore"):
        result = pack(array, np.float32)
    if not np.isfinite(result).all():
        at = np.unravel_index(int(np.argmin(np.isfinite(result))), result.shape)
        place = ", ".join(map(str, at))
        raise ValueError(f"{name}[{place}] is {array[at]}; it must be finite as a float32")
    return result
