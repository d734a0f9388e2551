"""The relevant items of users, and the counts of scores above and equal to theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import _core
from ...convention import UNSET, get_convention
from ...engine.counted import counted_lists
from ...engine.threads import share
from ...inputs.arrays import integers, is_wide
from ...inputs.lists import starts_of
from ...inputs.sparse import Sparse, read_excluded
from ...inputs.topk import read_relevant
from ..evaluation import Evaluation
from ..one_pass import evaluate_lists

if TYPE_CHECKING:
    from ...inputs.types import Array, Excluded, RelevantIds, Weight
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
        out = None if exclude is None else _read_exclude(exclude, truth)
        self.columns = {"relevant": truth.columns, "exclude": None if out is None else out.columns}
        total = len(truth.indptr) - 1
        self.users = np.arange(total) if users is None else _read_users(users, total)
        self.queries: Any = range(total) if users is None else self.users.tolist()
        rows, data = self._of(truth)
        self._refuse_wide(rows, data)
        remaining = data != 0
        self.out: Items | None = None
        if out is not None:
            self.out = self._of(out)[0]
            remaining &= ~_among(rows, self.out)
        self.labels = data[remaining].astype(np.float64)
        self.rows = np.repeat(np.arange(len(self)), np.diff(rows.first))[remaining]
        self.hits = Items(
            starts_of(np.bincount(self.rows, minlength=len(self))), rows.ids[remaining]
        )
        self.above = np.zeros(len(self.labels), np.int64)
        self.equal = np.zeros(len(self.labels), np.int64)
        self.float32 = True

    def _of(self, sparse: Sparse) -> tuple[Items, Any]:
        """The rows of the evaluated users, and their data."""
        starts = sparse.indptr[:-1][self.users]
        first = starts_of(sparse.indptr[1:][self.users] - starts)
        at = np.arange(first[-1]) + np.repeat(starts - first[:-1], np.diff(first))
        return Items(first, sparse.indices[at].astype(np.int64)), sparse.data[at]

    def _refuse_wide(self, rows: Items, data: Array) -> None:
        wide = np.flatnonzero(is_wide(data))
        if wide.size:
            at = int(wide[0])
            row = int(np.searchsorted(rows.first, at, side="right")) - 1
            raise ValueError(
                f"relevant: list {int(self.users[row])}, item {int(rows.ids[at])}: a double does "
                f"not hold the label {int(data[at])}; scale it"
            )

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
                row = int(np.searchsorted(result.first, at, side="right")) - 1
                raise ValueError(
                    f"{which}: index {int(result.ids[at])} is out of range for list "
                    f"{int(self.users[row])}: {name} has {items} items"
                )

    def count(self, block: Array, low: int, threads: int, name: str) -> None:
        """Count a block: the scores of all items, for the users from `low` on."""
        out_first, out_ids = self.out or (None, self.hits.ids[:0])
        high = low + len(block)

        def work(part: tuple[int, int]) -> Any:
            a, b = part
            return _core.count_matrix(
                block[a - low : b - low],
                self.hits.first[a : b + 1],
                self.hits.ids,
                None if out_first is None else out_first[a : b + 1],
                out_ids,
                self.above,
                self.equal,
            )

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

    def finish(
        self,
        items: int,
        measures: Measures,
        options: dict[str, Any],
        weight: Weight,
        convention: Any,
        threads: int | None,
    ) -> Evaluation:
        """Evaluate the counted ranks."""
        documents = np.full(len(self), items, np.int64)
        if self.out is not None:
            documents -= np.diff(self.out.first)
        lists = counted_lists(
            *(self.rows, self.labels, self.above, self.equal, documents, self.queries),
            called="relevant",
            float32=self.float32,
        )
        rules = get_convention("rankgain" if convention is UNSET else convention)
        return evaluate_lists(
            lists, measures, options, rules, weight, threads, (), displayed=self.queries
        )


def _read_users(users: object, total: int) -> Any:
    result = integers(users, "users")
    if result.size and result.max() >= total:
        at = int((result >= total).argmax())
        raise ValueError(f"users[{at}] is {result[at]}, but relevant has {total} users")
    if len(np.unique(result)) < len(result):
        order = np.argsort(result, kind="stable")
        again = int(order[1:][np.diff(result[order]) == 0].min())
        raise ValueError(f"users[{again}] is {result[again]} a second time; name each user once")
    return result


def _read_exclude(exclude: Excluded | None, truth: Sparse) -> Sparse:
    result = read_excluded(exclude)
    if len(result.indptr) != len(truth.indptr):
        raise ValueError(
            f"exclude has {len(result.indptr) - 1} users, but relevant has {len(truth.indptr) - 1}"
        )
    return result


def _among(rows: Items, others: Items) -> Any:
    """Mask of the items that are also among the other items of the same user."""
    span = 1 + max(rows.ids.max(initial=0), others.ids.max(initial=0))
    pairs, other_pairs = (
        np.repeat(np.arange(len(one.first) - 1), np.diff(one.first)) * span + one.ids
        for one in (rows, others)
    )
    return np.isin(pairs, other_pairs)
