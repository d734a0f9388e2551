"""Documents that are left out of their lists by their labels, as padding is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AnySet
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from .lists import Lists
from .printable import describe
from .sparse import Sparse, listed_documents, remove_excluded, sparse_positions

if TYPE_CHECKING:
    from .types import Array, Bools, JudgedLabels


class IgnoreRule(NamedTuple):
    """Which labels mark documents that are left out of their list."""

    labels: tuple[float, ...] = ()  # NaN is a label here
    below: float = -math.inf  # a convention leaves out all labels below this

    def mask(self, labels: Array) -> Bools:
        """Mask of the labels that are ignored."""
        result = np.zeros(labels.shape, bool)
        for label in self.labels:
            if math.isnan(label):
                result |= labels != labels
            else:
                # A Python float takes the precision of the array: 0.1 is float32(0.1) beside
                # float32.
                result |= labels == label
        if self.below > -math.inf:
            result |= labels < self.below
        return result

    @property
    def takes_zero(self) -> bool:
        """Whether documents with label 0 are left out."""
        return 0.0 in self.labels or self.below > 0


def read_ignored(ignore: object) -> IgnoreRule | None:
    """The rule of `ignore=`: a label or several, each may be NaN; None of a sequence of none."""
    if isinstance(ignore, np.ndarray):
        ignore = ignore.tolist()
    labels: Iterable[Any] = [ignore]
    if isinstance(ignore, (Sequence, AnySet)) and not isinstance(ignore, (str, bytes)):
        labels = ignore
    numbers = []
    for label in labels:
        is_number = isinstance(label, (Number, np.number)) and not isinstance(label, complex)
        if isinstance(label, (bool, np.bool_)) or not is_number:
            raise TypeError(
                "ignore must be a label, such as -100, or a sequence of labels, not "
                f"{describe(ignore)}"
            )
        try:
            numbers.append(float(label))
        except OverflowError:
            raise ValueError(f"ignore: {describe(label)} is too large for a label") from None
    if not numbers:
        return None
    return IgnoreRule(tuple(dict.fromkeys(numbers)))


def find_ignored(lists: Lists, rule: IgnoreRule) -> Sparse:
    """The positions of the documents whose labels are ignored."""
    labels, layout = lists.labels, lists.layout
    if not isinstance(labels, Sparse):
        cells = np.flatnonzero(rule.mask(labels.reshape(-1)))
        return sparse_positions(cells, layout.starts, layout.stops)
    if rule.takes_zero:
        raise ValueError(
            "ignore=0: sparse labels do not store the label 0, so all documents without an entry "
            "would be left out; give dense labels, or exclude="
        )
    ignored = rule.mask(labels.values)
    indices = labels.indices[: int(labels.indptr[-1])][ignored]
    # A row of the result begins after as many entries as are ignored before its old start.
    ignored_before = np.append(0, np.cumsum(ignored))
    indptr = ignored_before[labels.indptr].astype(np.int64)
    ones = np.ones(len(indices), np.int8)
    return Sparse(ones, indices, indptr, labels.columns)


def judged_without(judged_labels: JudgedLabels, rule: IgnoreRule) -> JudgedLabels:
    """Judged labels without the ignored ones."""
    flat, starts, stops = judged_labels
    ignored = rule.mask(flat)
    if not ignored.any():
        return judged_labels
    # A list begins after as many labels as remain before its old start.
    remaining_before = np.append(0, np.cumsum(~ignored))
    return flat[~ignored], remaining_before[starts], remaining_before[stops]


def _runs_without(runs: _core.Runs, rule: IgnoreRule) -> _core.Runs:
    """Judged labels, as runs, without the ignored ones."""
    ignored = rule.mask(runs.level)
    if not ignored.any():
        return runs
    remaining_before = np.append(0, np.cumsum(~ignored))
    first = remaining_before[runs.first]
    return _core.Runs(first, runs.level[~ignored], runs.count[~ignored], runs.longest)


def leave_out(lists: Lists, rule: IgnoreRule) -> Lists:
    """The lists without the documents and the judged labels that are ignored."""
    if lists.counted and rule.mask(lists.stored.values).any():
        raise ValueError(
            f"the convention leaves out documents with labels below {rule.below:g}, whose places "
            f"are not known where ranks are counted; remove them from {lists.called}"
        )
    changes: dict[str, object] = {}
    if lists.judgments is not None:
        runs = _runs_without(lists.judgments.runs, rule)
        changes["judgments"] = lists.judgments._replace(runs=runs)
    if lists.judged_labels is not None:
        changes["judged_labels"] = judged_without(lists.judged_labels, rule)
    if lists.counted:
        return lists.replace(**changes)
    return remove_documents(lists.replace(**changes), find_ignored(lists, rule))


def remove_documents(lists: Lists, removed: Sparse) -> Lists:
    """The lists without some of their documents, whose scores and ids are not read."""
    ignored = int(removed.indptr[-1])
    if not ignored:
        return lists
    layout, labels, scores, exclude = lists.layout, lists.labels, lists.scores, lists.exclude
    if not isinstance(labels, Sparse):
        labels = labels.reshape(-1)
    if scores is not None:
        scores = scores.reshape(-1)
    cells = np.arange(int(layout.stops.max(initial=0)))
    remaining = cells[listed_documents(layout.starts, layout.stops, removed)]
    chunk = scores, labels, layout.starts, layout.stops, lists.order
    scores, labels, starts, stops, order = remove_excluded(chunk, removed)
    if exclude is not None:
        chunk = None, exclude, layout.starts, layout.stops, None
        remaining_exclusions = remove_excluded(chunk, removed)[1]
        assert isinstance(remaining_exclusions, Sparse)
        exclude = remaining_exclusions
    # The place in its original list of each document that remains. `remaining` is in ascending
    # order of cells, in which lists may lie in any order: so their starts are sorted, too.
    if lists.kept is None:
        by_start = np.argsort(layout.starts, kind="stable")
        sizes = stops - starts
        kept = remaining - np.repeat(layout.starts[by_start], sizes[by_start])
    else:
        kept = lists.kept[remaining]
    rows = remaining
    if layout.order is not None:
        rows = layout.order[remaining]
    layout = layout._replace(starts=starts, stops=stops, order=rows)
    return lists.replace(
        layout=layout,
        labels=labels,
        scores=scores,
        order=order,
        exclude=exclude,
        kept=kept,
        ignored=lists.ignored + ignored,
    )
