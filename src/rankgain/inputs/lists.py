"""Labels and scores of many lists: the one form that everything later takes."""

from typing import Any, NamedTuple

import numpy as np

from .layouts import Layout
from .sparse import Sparse


class Apart(NamedTuple):
    """A list without a judged document, where no list has one, and the ids of both sides."""

    place: Any  # of the list, or its query
    retrieved: list[Any]
    judged: list[Any]


class Lists(NamedTuple):
    """Labels and scores of many lists. Values are checked by the core while it reads them."""

    layout: Layout
    labels: Any  # an ndarray shaped as the scores, or Sparse
    scores: Any  # an ndarray, or None: the order is given
    runs: Any  # judged labels, prepared, or None: the labels themselves
    checked: bool  # the labels were checked before
    exclude: Sparse | None
    order: Any  # place of each document's id among all ids, or None
    runs_from_labels: bool = False  # no judged document is absent from the lists
    float32: bool = False  # scores are compared in float32
    judged_labels: Any = None  # in their input order: flat, starts and stops
    pool: bool = False  # every judged document is known, those that are not relevant too
    ids_by: str = "ids=, the id of each document"  # how a caller gives ids; "": in no way
    called: str = "y_true"  # the argument that the labels came by

    def __len__(self) -> int:
        return len(self.layout.starts)

    def having(self, **changes: Any) -> "Lists":
        """Return these lists with some fields changed (_replace would count with len())."""
        return Lists(**(self._asdict() | changes))

    def place(self, at: int) -> str:
        """A list in the words of errors."""
        queries = self.layout.queries
        if queries is None:
            return f"list {at}"
        name = queries[at]
        name = name.item() if isinstance(name, np.generic) else name
        return f"list {at} (of {name!r})"

    def document(self, place: int) -> str:
        """A document in the words of errors: by its place, or by its rank where that is known."""
        if isinstance(self.labels, Sparse) and self.labels.ranked:
            return f"the document at rank {place + 1}"
        return f"document {place}"

    @property
    def judged_called(self) -> str:
        """The argument that labels of documents which are not in the lists came by."""
        return self.called if self.called in ("relevant", "qrels") else "judged"

    @property
    def longest(self) -> int:
        """The most documents of a list, or judged labels where that is more."""
        n = int(self.layout.sizes.max(initial=0))
        return max(n, self.runs.longest) if self.runs is not None else n

    @property
    def sparse(self) -> bool:
        return isinstance(self.labels, Sparse)

    @property
    def counted(self) -> bool:
        """Whether only the ranks of the hits are known, which were counted."""
        return isinstance(self.labels, Sparse) and self.labels.sizes is not None

    def row(self, i: int) -> tuple[Any, Any]:
        """The labels of list i and their positions in it, for errors."""
        labels = self.labels
        if isinstance(labels, Sparse):
            mine = slice(int(labels.indptr[i]), int(labels.indptr[i + 1]))
            return labels.data[mine], labels.indices[mine]
        values = labels.reshape(-1)[int(self.layout.starts[i]) : int(self.layout.stops[i])]
        return values, np.arange(len(values))

    def left(self) -> "Lists":
        """These lists, with a label of 0 where a document is left out."""
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
        """Dense labels without the cells beyond `lengths`, which may hold anything."""
        sizes = self.layout.sizes
        if self.labels.ndim != 2 or not (sizes < self.labels.shape[1]).any():
            return self.labels
        return self.labels[np.arange(self.labels.shape[1]) < sizes[:, None]]
