"""Models that score all items, evaluated a block of users at a time as arrays are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...engine.bounds import SHARING_TIE_RULES
from ...engine.columns import MeasureColumns
from ...engine.devices import count_on_device
from ...engine.notices import warn_of_exclusion
from ...engine.settings import with_shared_help
from ...engine.threads import usable_threads
from ...inputs.arrays import as_array, integers, native_scores, pack
from ...inputs.axes import by_row, refuse_other_order
from ...inputs.devices import is_device_array
from ...inputs.grouping import find_repeated
from ...inputs.ignored import IgnoreRule, leave_out
from ...inputs.lists import Layout, Lists, add_sizes, make_layout
from ...inputs.printable import count_of
from ...inputs.relevant import read_relevant
from ...inputs.sparse import keep_entries, read_excluded, select_rows, take_rows
from ...measures.measure import read_measures, refuse_own, rereadable
from ..evaluation import Evaluation
from ..one_pass import (
    CallSettings,
    ListValues,
    ModelOptions,
    evaluate_lists,
    read_call,
    resolve_measures,
)
from .device_factors import are_on_device, device_products, largest_value, read_device_factors

if TYPE_CHECKING:
    from ...engine.settings import Family, Settings
    from ...inputs.devices import DeviceArray
    from ...inputs.types import Array, Excluded, Integers, RelevantIds
    from ...measures.types import Measures


NEEDS_LISTS = (
    "is of the recommended items of all users, which {} does not keep; make the lists, such as "
    "np.argsort(-scores)[:, :10] for a block of users at a time, and pass them to "
    "evaluate_catalogue"
)


class ScoredUsers:
    """The relevant and the excluded items of the evaluated users, and how they are evaluated."""

    def __init__(
        self,
        relevant: RelevantIds,
        exclude: Excluded | None,
        users: object,
        measures: Measures,
        call: CallSettings,
        function: str,
    ) -> None:
        self.relevant = read_relevant(relevant)
        total = len(self.relevant.indptr) - 1
        self.exclude = None
        if exclude is not None:
            self.exclude = read_excluded(exclude)
            n_excluded = len(self.exclude.indptr) - 1
            if n_excluded != total:
                raise ValueError(
                    f"exclude has {count_of(n_excluded, 'user')}, but relevant has {total}"
                )
        self.users = np.arange(total)
        self.are_named = users is not None
        if users is not None:
            self.users = read_users(users, total)
            self.relevant = take_rows(self.relevant, self.users)
            if self.exclude is not None:
                self.exclude = take_rows(self.exclude, self.users)
        self.relevant = keep_entries(self.relevant, self.relevant.values != 0)
        self.call = call
        needs_lists = NEEDS_LISTS.format(function)
        self.resolved = resolve_measures(measures, call.settings, call.rules, needs_lists)

    def check_items(self, items: int, name: str) -> None:
        """Refuse items without scores, and matrices with another number of items.

        Excluded items are not relevant from here on.
        """
        for argument, matrix in (("relevant", self.relevant), ("exclude", self.exclude)):
            if matrix is None:
                continue
            if matrix.columns is not None and matrix.columns != items:
                raise ValueError(f"{argument} has {matrix.columns} items, but {name} {items}")
            entries = matrix.indices[: int(matrix.indptr[-1])]
            if entries.max(initial=-1) >= items:
                entry = int(entries.argmax())
                row = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
                raise ValueError(
                    f"{argument}: index {int(entries[entry])} is out of range for list "
                    f"{int(self.users[row])}: {name} has {items} items"
                )
        if self.exclude is not None and len(self.exclude.values):
            # Cell u * items + i is item i of user u. A relevant cell is looked up by bisection
            # among the excluded cells: it is excluded if it is found where it would be inserted.
            starts = np.arange(len(self.users)) * items
            excluded = self.exclude.places(starts)
            cells = self.relevant.places(starts)
            if (excluded[1:] < excluded[:-1]).any():
                excluded.sort()
            insertion = np.searchsorted(excluded, cells)
            insertion = np.minimum(insertion, len(excluded) - 1)  # beyond the last: not found
            is_kept = excluded[insertion] != cells
            if not is_kept[self.relevant.values > 0].any():
                n_relevant = int((self.relevant.values > 0).sum())
                n_users = int((np.diff(self.relevant.indptr) > 0).sum())
                warn_of_exclusion(n_relevant, n_users, "items")
            self.relevant = keep_entries(self.relevant, is_kept)

    def evaluate(
        self, blocks: Iterable[Array], name: str, *, may_overwrite: bool = False
    ) -> Evaluation:
        """Evaluate blocks of scores, each of all items for the next users.

        The values of the blocks are put together before they become an evaluation, which is then
        that of all scores at once. may_overwrite: nothing else uses the blocks.
        """
        measures = self.resolved.measures
        order_matters = any(_depends_on_order(family, settings) for family, settings in measures)
        threads = usable_threads(self.call.threads)
        low = 0  # the first user of the block
        values = []
        for scores in blocks:
            if low == 0 and len(scores):
                self.check_items(scores.shape[1], name)
            if is_device_array(scores):
                table = MeasureColumns(measures, self._device_lists(scores, low, name))
                columns = table.values(threads)
                values.append(ListValues(columns, table.divisors, table.undefined))
                low += len(scores)
                continue
            writeable = scores
            if self.exclude is not None and not order_matters and not may_overwrite:
                writeable = np.array(scores, order="C")
            lists = self._block(writeable, low)
            if self.exclude is not None:
                exclude = select_rows(self.exclude, low, low + len(scores))
                lists = lists.replace(exclude=exclude)
            if self.call.rules.ignore_below is not None:
                lists = leave_out(lists, IgnoreRule(below=self.call.rules.ignore_below))
            if self.exclude is not None and not order_matters:
                lists = fill_excluded(lists)
            # An error of the core names a place among the items that are left. So the block is
            # checked again as it was passed, for an error that names the user and the item.
            try:
                table = MeasureColumns(measures, lists)
                columns = table.values(threads)
            except ValueError:
                self.refuse_nan(scores, low, name)
                MeasureColumns(measures, self._block(scores, low)).values(threads)
                raise
            values.append(ListValues(columns, table.divisors, table.undefined))
            low += len(scores)
        layout = Layout(self.relevant.indptr[:-1], self.relevant.indptr[1:], False, None)
        displayed: Sequence[int] = range(len(self.users))
        if self.are_named:
            layout = layout._replace(queries=self.users)
            displayed = self.users.tolist()
        return evaluate_lists(
            Lists(layout, self.relevant, called="relevant"),
            self.resolved,
            self.call,
            values=ListValues.joined(values),
            counts={"users": len(self.users)},
            displayed=displayed,
        )

    def _block(self, scores: Array, low: int) -> Lists:
        """The lists of a block of users, with the excluded items."""
        high = low + len(scores)
        layout = make_layout(scores.shape, None, None, None)
        if self.are_named:
            layout = layout._replace(queries=self.users[low:high])
        labels = select_rows(self.relevant, low, high)
        # Items have no ids but their numbers, which rules by id order as text.
        order = None
        tie_rules = [settings.ties for _, settings in self.resolved.measures]
        if "id" in tie_rules or "id_descending" in tie_rules:
            order = np.tile(order_numbers(scores.shape[1]), len(scores))
        return Lists(layout, labels, scores, order=order, called="relevant", offset=low)

    def _device_lists(self, scores: DeviceArray, low: int, name: str) -> Lists:
        """The lists of a block of users whose scores are on a device, without excluded items."""
        high = low + len(scores)
        shape = len(scores), int(scores.shape[1])
        layout = make_layout(shape, None, None, None)
        if self.are_named:
            layout = layout._replace(queries=self.users[low:high])
        labels = select_rows(self.relevant, low, high)
        removed = np.zeros(0, np.int64)
        if self.exclude is not None:
            excluded = select_rows(self.exclude, low, high)
            removed = np.unique(excluded.places(layout.starts))
        lists = Lists(layout, labels, called="relevant", offset=low)
        lists = count_on_device(lists, scores, removed, name)
        if self.call.rules.ignore_below is not None:
            lists = leave_out(lists, IgnoreRule(below=self.call.rules.ignore_below))
        return lists

    def refuse_nan(self, scores: Array, low: int, name: str) -> None:
        """Refuse the first NaN of a block, unless its item is excluded."""
        is_nan = np.isnan(scores)
        if self.exclude is not None:
            excluded = select_rows(self.exclude, low, low + len(scores))
            starts = np.arange(len(scores)) * scores.shape[1]
            is_nan.reshape(-1)[excluded.places(starts)] = False
        if is_nan.any():
            row, item = np.argwhere(is_nan)[0].tolist()
            user = int(self.users[low + row])
            raise ValueError(
                f"{name}: user {user}, item {item} is NaN; a score must be a number that orders it"
            )


def _depends_on_order(family: Family, settings: Settings) -> bool:
    """Whether a measure depends on the order of the items, not only on their scores.

    A measure whose tied items share their ranks looks at the scores alone.
    """
    shares_ranks = settings.ties in SHARING_TIE_RULES and family.row.averages
    return not shares_ranks or settings.ideal == "given"


def order_numbers(items: int) -> Integers:
    """The place of each item among all, which are sorted by their numbers as text."""
    numbers = np.arange(items)
    sorted_items = np.argsort(numbers.astype(np.bytes_))
    # The inverse of that permutation: sorted_items[i] has the place i.
    order = np.empty(items, np.int64)
    order[sorted_items] = numbers
    return order


def read_users(users: object, total: int) -> Integers:
    """Read the users to evaluate, each of them once."""
    numbers = integers(users, "users")
    beyond = numbers >= total
    if beyond.any():
        index = int(beyond.argmax())
        raise ValueError(f"users[{index}] is {numbers[index]}, but relevant has {total} users")
    # All users are one list of `find_repeated`.
    repeated = find_repeated(numbers, np.array([0]), np.array([len(numbers)]))
    if repeated is not None:
        _, index = repeated
        raise ValueError(f"users[{index}] is {numbers[index]} a second time; name each user once")
    return numbers


def fill_excluded(lists: Lists) -> Lists:
    """Overwrite the scores of excluded items with the last ones of their row, and shorten the rows.

    A row with m excluded items loses its last m cells. Of these, the items that are not excluded
    move to the places of the excluded items before them, and there are as many of the one kind as
    of the other. That is faster than a copy of the block without the excluded items, but it changes
    the order of the items. Excluded items have no labels.
    """
    layout, labels, exclude = lists.layout, lists.stored, lists.exclude
    assert lists.scores is not None
    assert exclude is not None
    flat = lists.scores.reshape(-1)
    counts = np.diff(exclude.indptr)  # excluded items of each row
    offsets = add_sizes(counts)
    stops = layout.stops - counts
    # The last cells of all rows are numbered one after the other: cell c of row i has the number
    # c + shifts[i].
    shifts = offsets[:-1] - stops
    excluded = exclude.places(layout.starts)
    is_last = excluded >= np.repeat(stops, counts)
    # Sources are the last cells that are not excluded, targets the excluded cells before them.
    shifts_of_excluded = np.repeat(shifts, counts)
    is_source = np.ones(offsets[-1], bool)
    is_source[(excluded + shifts_of_excluded)[is_last]] = False
    last_cells = np.arange(offsets[-1]) - shifts_of_excluded
    sources = last_cells[is_source]
    targets = excluded[~is_last]
    flat[targets] = flat[sources]
    # The labels move with their items: the n-th source goes to the n-th target.
    sizes = np.diff(labels.indptr)
    places = labels.places(layout.starts)
    is_moved = places >= np.repeat(stops, sizes)
    numbers = (places + np.repeat(shifts, sizes))[is_moved]
    source_of = np.cumsum(is_source) - 1  # of each last cell, if it is a source
    places[is_moved] = targets[source_of[numbers]]
    columns = places - np.repeat(layout.starts, sizes)
    moved = labels._replace(data=labels.values, indices=columns, columns=None)
    return lists.replace(layout=layout._replace(stops=stops), labels=moved, exclude=None)


MAX_BLOCK_CELLS = 1 << 22  # of a block that the caller's function makes


@with_shared_help("rankgain")
def evaluate_scores(
    score: Callable[[Any], Any],
    relevant: RelevantIds,
    measures: Measures,
    *,
    users: object = None,
    exclude: Excluded | None = None,
    batch: int | None = None,
    **options: Unpack[ModelOptions],
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

    Notes
    -----
    `weight` has one entry per evaluated user. The values are those of `evaluate_arrays` on all
    scores; under ties="id" the ids are the numbers of the items, sorted as text. A NaN score of an
    item that is not excluded, a block of another shape and an item beyond the scores are a
    ValueError; errors of `score` itself are passed on.

    Examples
    --------
    >>> import numpy as np
    >>> import rankgain as rg
    >>> scores = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.4]])
    >>> rg.evaluate_scores(lambda users: scores[users], [[2], [1]], "RR").per_query["RR"]
    array([0.5, 1. ])
    """
    call = read_call(options, ModelOptions, "evaluate_scores", "rankgain")
    if not callable(score):
        raise TypeError(
            f"score must be a function of an array of users, not {type(score).__name__}; for a "
            "matrix of scores there is evaluate_arrays"
        )
    model = ScoredUsers(relevant, exclude, users, measures, call, "evaluate_scores")
    rows: object = batch
    if rows is None:
        items = model.relevant.columns or int(model.relevant.indices.max(initial=0)) + 1
        rows = max(1, min(MAX_USERS, MAX_BLOCK_CELLS // items))
    elif isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < 1:
        raise ValueError(f"batch must be an int of at least 1, not {batch!r}")
    blocks = _scored_blocks(score, model, int(rows))
    return model.evaluate(blocks, "score(users)")


def _scored_blocks(score: Callable[[Any], Any], model: ScoredUsers, rows: int) -> Iterator[Array]:
    """The scores of so many users at a time."""
    items, total = None, len(model.users)
    if total == 0:
        yield np.empty((0, model.relevant.columns or 0))
    for low in range(0, total, rows):
        users = model.users[low : low + rows]
        scores = score(users.copy())
        if not is_device_array(scores):
            scores = native_scores(as_array(scores, "score(users)"))
        if scores.ndim != 2 or len(scores) != len(users) or items not in (None, scores.shape[1]):
            raise ValueError(
                f"score returned shape {tuple(scores.shape)} for {count_of(len(users), 'user')}; "
                f"({len(users)}, {items or 'items'}) is needed: a row for each user, a column for "
                "each item"
            )
        items = scores.shape[1]
        yield scores


BLOCK = 1 << 24  # scores of a block, 64 MB: the BLAS copies the items once for each block
MIN_USERS, MAX_USERS = 16, 1024  # of a block; the product of fewer is slow


@with_shared_help("rankgain", threads=None)
def evaluate_factors(
    user_factors: object,
    item_factors: object,
    relevant: RelevantIds,
    measures: Measures,
    *,
    item_bias: object = None,
    exclude: Excluded | None = None,
    **options: Unpack[ModelOptions],
) -> Evaluation:
    """Evaluate a factor model on all of its items: scores are user_factors @ item_factors.T.

    The matrix of all scores is never held. NumPy's BLAS multiplies a block of users with all items,
    and the block is evaluated as `evaluate_arrays` does. Then the next block overwrites this one.

    Parameters
    ----------
    user_factors : array of shape (users, factors)
    item_factors : array of shape (items, factors)
        Finite numbers; converted to float32. Both may be arrays of torch, CuPy or JAX on a
        device, which then makes the product.
    item_bias : array of shape (items,), optional
        Added to the scores of each item, as one more factor of the product.
    threads : int or None
        Threads that rank; by default all usable cores. Variables of the BLAS, such as
        OPENBLAS_NUM_THREADS, set the number of threads of the product.

    Raises
    ------
    ValueError
        For a factor that is not finite, factors so large that a score could overflow, and shapes
        that differ.

    Notes
    -----
    Under ties="id" the ids are the numbers of the items, sorted as text.

    Scores are the float32 numbers of the product on this machine. Another BLAS, or another number
    of users in a block, may round the last bit differently, so documents whose scores differ only
    there may tie or change places. Within a call all scores of a user come from one product: equal
    item factors give equal scores up to that rounding.
    Memory: a block of 64 MB (or 16 users). Tie rules by place or by id take up to three times as
    much.

    Examples
    --------
    >>> import rankgain as rg
    >>> users, items = [[1.0, 0.0], [0.0, 1.0]], [[3.0, 1.0], [2.0, 2.0], [1.0, 3.0]]
    >>> rg.evaluate_factors(users, items, [[0], [1]], ["RR", "R@2"]).per_query["RR"]
    array([1. , 0.5])
    """
    options.setdefault("threads", None)
    call = read_call(options, ModelOptions, "evaluate_factors", "rankgain")
    refuse_other_order(user_factors=user_factors, relevant=relevant, exclude=exclude)
    call = call._replace(weight=by_row(call.weight, "weight", user_factors, relevant))
    refuse_other_order(item_factors=item_factors, item_bias=item_bias)
    on_device = are_on_device(
        user_factors=user_factors, item_factors=item_factors, item_bias=item_bias
    )
    read_factors: Callable[[Any, str], Any] = _float32
    if on_device:
        read_factors = read_device_factors
    users = read_factors(user_factors, "user_factors")
    items = read_factors(item_factors, "item_factors")
    for array, name in ((users, "user_factors"), (items, "item_factors")):
        if array.ndim != 2:
            shape = tuple(array.shape)
            raise ValueError(f"{name} must have shape (rows, factors), not {shape}")
    if users.shape[1] != items.shape[1]:
        raise ValueError(
            f"user_factors has {users.shape[1]} factors, but item_factors has {items.shape[1]}"
        )
    bias = None
    if item_bias is not None:
        bias = read_factors(item_bias, "item_bias")
        if tuple(bias.shape) != (len(items),):
            raise ValueError(
                f"item_bias has shape {tuple(bias.shape)}, but there are {len(items)} items"
            )
    if bias is not None and not on_device:  # as one more factor
        users = np.hstack((users, np.ones((len(users), 1), np.float32)))
        items = np.hstack((items, bias[:, None]))
    largest = largest_value(users) * largest_value(items)
    if largest * max(1, users.shape[1]) > float(np.finfo(np.float32).max):
        raise ValueError(
            f"user_factors and item_factors have values whose product is up to {largest:g}, and a "
            "sum of them could overflow float32: scale the factors"
        )
    measures = rereadable(measures)
    refuse_own(read_measures(measures, call.rules).measures, "evaluate_factors")
    model = ScoredUsers(relevant, exclude, None, measures, call, "evaluate_factors")
    if len(model.users) != len(users):
        users_of_truth = count_of(len(model.users), "user")
        raise ValueError(f"relevant has {users_of_truth}, but user_factors {len(users)}")
    if on_device:
        return model.evaluate(device_products(users, items, bias), "item_factors")
    return model.evaluate(_products(users, items), "item_factors", may_overwrite=True)


def _products(users: Array, items: Array) -> Iterator[Array]:
    """The scores of blocks of users, each in the memory of the one before."""
    rows = max(MIN_USERS, BLOCK // max(1, len(items)))
    rows = min(MAX_USERS, rows, max(1, len(users)))
    scores = np.empty((rows, len(items)), np.float32)
    for low in range(0, max(1, len(users)), rows):
        block = users[low : low + rows]
        yield np.matmul(block, items.T, out=scores[: len(block)])


def _float32(value: object, name: str) -> Array:
    """Factors as float32; refuses what is not finite."""
    array = as_array(value, name)
    with np.errstate(over="ignore"):
        result = pack(array, np.float32)
    is_finite = np.isfinite(result)
    if not is_finite.all():
        index = np.unravel_index(int(is_finite.argmin()), result.shape)
        words = ", ".join(map(str, index))
        raise ValueError(f"{name}[{words}] is {array[index]}; it must be finite as a float32")
    return result
