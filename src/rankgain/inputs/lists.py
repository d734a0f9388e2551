"""`Lists`, the labels and scores of many lists: the form that evaluation takes."""

from typing import Any, NamedTuple

import numpy as np

from .layouts import Layout
from .sparse import Sparse


class UnmatchedIds(NamedTuple):
    """Example ids, if no id is both retrieved and judged in any list."""

    place: Any  # index of the first list with both, or its query
    retrieved: list[Any]
    judged: list[Any]


class Lists(NamedTuple):
    """Labels and scores of many lists. The core checks values while it reads them."""

    layout: Layout
    labels: Any  # an ndarray shaped as the scores, or Sparse
    scores: Any  # an ndarray, or None: the order is given
    runs: Any  # judged labels as descending runs of equal labels; None: those of `labels`
    checked: bool  # the labels have been checked already
    exclude: Sparse | None
    order: Any  # rank of each document's id among all ids, or None
    runs_from_labels: bool = False  # no judged document is absent from the lists
    float32: bool = False  # scores are compared in float32
    judged_labels: Any = None  # in their input order: flat, starts and stops
    pool: bool = False  # judged documents that are not relevant are known too
    # The argument for ids, for errors; "" if there is none.
    ids_by: str = "ids=, the id of each document"
    called: str = "y_true"  # the argument with the labels, for errors

    def __len__(self) -> int:
        return len(self.layout.starts)

    def having(self, **changes: object) -> "Lists":
        """Return these lists with some fields changed (_replace would count with len())."""
        return Lists(**(self._asdict() | changes))

    def place(self, at: int) -> str:
        """The name of a list in errors."""
        queries = self.layout.queries
        if queries is None:
            return f"list {at}"
        name = queries[at]
        name = name.item() if isinstance(name, np.generic) else name
        return f"list {at} (id {name!r})"

    def document(self, place: int) -> str:
        """The name of a document in errors: its position, or its rank if that is known."""
        if isinstance(self.labels, Sparse) and self.labels.ranked:
            return f"the document at rank {place + 1}"
        return f"document {place}"

    @property
    def judged_called(self) -> str:
        """The argument with the labels of documents that were not retrieved, for errors."""
        return self.called if self.called in ("relevant", "qrels") else "judged"

    @property
    def longest(self) -> int:
        """The largest number of documents or judged labels of a list."""
        n = int(self.layout.sizes.max(initial=0))
        return max(n, self.runs.longest) if self.runs is not None else n

    @property
    def sparse(self) -> bool:
        return isinstance(self.labels, Sparse)

    @property
    def counted(self) -> bool:
        """Whether only the counted ranks of the hits are known."""
        return isinstance(self.labels, Sparse) and self.labels.sizes is not None

    def row(self, i: int) -> tuple[Any, Any]:
        """The labels of list i and their positions in it, for errors."""
        labels = self.labels
        if isinstance(labels, Sparse):
            row = slice(int(labels.indptr[i]), int(labels.indptr[i + 1]))
            return labels.data[row], labels.indices[row]
        values = labels.reshape(-1)[int(self.layout.starts[i]) : int(self.layout.stops[i])]
        return values, np.arange(len(values))

    def with_excluded_as_zero(self) -> "Lists":
        """Set the labels of excluded documents to 0."""
        labels, starts = self.labels, self.layout.starts
        if self.exclude is None:
            return self
        out = self.exclude.places(starts)
        if isinstance(labels, Sparse):
            at = labels.places(starts)
            remaining = np.where(np.isin(at, out), 0, labels.data[: len(at)])
            return self.having(labels=labels._replace(data=remaining, ranked=False))
        remaining = labels.copy()
        remaining.reshape(-1)[out] = 0  # a copy of a strided array is contiguous
        return self.having(labels=remaining)

    def valid_labels(self) -> Any:
        """Dense labels without the cells beyond `lengths`, whose values do not count."""
        sizes = self.layout.sizes
        if self.labels.ndim != 2 or not (sizes < self.labels.shape[1]).any():
            return self.labels
        return self.labels[np.arange(self.labels.shape[1]) < sizes[:, None]]
