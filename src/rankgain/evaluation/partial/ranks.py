"""PartialRanks: ranks of hits, counted over parts of the documents in any order.

Tables in blocks on several machines: hits go to all blocks, and counts come back.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, Unpack

import numpy as np

from ...engine.counted import (
    Counter,
    Counts,
    QueryIndex,
    distinct,
    make_counted_lists,
    make_levels,
    read_query_ids,
)
from ...engine.settings import with_shared_help
from ...inputs.arrays import as_array, is_wide, pack
from ...inputs.axes import refuse_other_order
from ...inputs.lists import add_sizes
from ...inputs.printable import count_of, is_missing
from ...inputs.tables.roles import require
from ...inputs.tables.source import Origin
from ..evaluation import Evaluation
from ..one_pass import CountOptions, evaluate_lists, read_call, resolve_measures

if TYPE_CHECKING:
    from ...inputs.types import Array, Bools, Floats
    from ...measures.types import Measures


class PartialRanks:
    """The ranks of the hits, counted in any number of parts that hold the documents in any order.

    Every measure depends on a list only through its hits: their ranks, and the documents tied with
    them. So in each part of the documents it is enough to count the scores above those of the hits
    and equal to them. Parts add up: count them one after the other, or on machines that share only
    the hits, and merge. Memory grows with the number of hits, not of documents: some 60 bytes each.

    Parameters
    ----------
    query, score, label : arrays of one length
        The hits: documents with a label other than 0. The id of the query (all integers, or all
        text), the score and the label of each. Documents of label 0 may be among them. Scores may
        be infinite; labels are finite.
    queries : sequence of ids, optional
        The lists of the result, in this order; other lists are left out, and their number is
        counted as "unjudged". By default the lists are those of the hits and of `judged`, in the
        order in which they first appear, then those that only `add` has, ascending: nothing is
        relevant to them, but they count in the means.
    judged : (query, label), optional
        The labels of all judged documents, hits included, where some judged documents are not
        retrieved and so no hits. The ideal is computed from them.
    pool : bool
        Whether the hits are all judged documents, including those of label 0; measures such as
        Bpref and Judged@k need it.

    Notes
    -----
    Ties may be "average", "best" or "worst", which order tied documents by their labels. Other
    rules need the positions of tied documents: they are refused where a document ties with a hit,
    and make no difference elsewhere. A document in two parts is counted twice: ids of documents are
    not compared.

    Examples
    --------
    >>> import rankgain as rg
    >>> partial = rg.PartialRanks(["a", "a", "b"], [0.9, 0.4, 0.7], [2, 1, 1])
    >>> partial.add(["a", "b", "a"], [0.9, 0.8, 0.5])
    >>> partial.add(["a", "b"], [0.4, 0.7])
    >>> print(partial.finish(["nDCG@10", "RR"]))
    measure   mean
    nDCG@10   0.7906
    RR        0.7500
    2 queries (convention rankgain)
    """

    def __init__(
        self,
        query: object,
        score: Sequence[object] | Array,
        label: object,
        *,
        queries: Sequence[object] | Array | None = None,
        judged: object = None,
        pool: bool = False,
    ) -> None:
        refuse_other_order(query=query, score=score, label=label)
        ids = read_query_ids(query, "query")
        scores = read_doubles(score, "score", len(ids))
        labels = read_doubles(label, "label", len(ids))
        _refuse(np.isnan(scores), "score", scores, "a score must be a number that orders it")
        self._pool = bool(pool)
        self._closed = queries is not None
        judged_rows = None
        if judged is not None:
            judged_rows = _read_judged(judged)
        if queries is not None:
            lists = read_query_ids(queries, "queries").tolist()
            _refuse_repeats(lists)
        else:
            ids_of_rows = ids.tolist()
            if judged_rows is not None:
                judged_ids, _ = judged_rows
                ids_of_rows += judged_ids.tolist()
            lists = distinct(ids_of_rows, "query")
        self._queries = QueryIndex(lists)
        rows, missing = self._queries.find(ids, "query")
        if missing:
            index = int((rows < 0).argmax())
            raise ValueError(
                f"query[{index}] is {ids.tolist()[index]!r}, which is not among queries; add it"
            )
        self._judged = None
        if judged_rows is not None:
            self._judged = self._group_judged(*judged_rows)
        self._rows, self._labels = rows, labels
        self._counter = Counter(self._queries, make_levels(rows, scores, len(self)))
        float32 = np.asarray(score).dtype in (np.float32, np.float16)
        self._counter.float32 = bool(float32 or not len(score))

    def _group_judged(self, ids: Array, labels: Array) -> tuple[Array, Array]:
        """The judged labels list by list, and where each list starts; other lists are dropped."""
        rows, _ = self._queries.find(ids, "judged")  # -1: not one of the lists
        # Sorted by list, those of no list come first.
        order = np.argsort(rows, kind="stable")
        n_dropped = np.searchsorted(rows, 0, sorter=order)
        order = order[n_dropped:]
        sizes = np.bincount(rows[order], minlength=len(self))
        return labels[order], add_sizes(sizes)

    def __len__(self) -> int:
        """The number of lists of the hits and `judged`, or of `queries`."""
        return len(self._queries.ids)

    def __repr__(self) -> str:
        return (
            f"<PartialRanks of {len(self._rows)} hits in {len(self)} lists: "
            f"{self.documents} documents counted>"
        )

    @property
    def documents(self) -> int:
        """The number of documents counted so far."""
        return self._counter.documents

    def add(self, query: object, score: object) -> None:
        """Count documents, hits included: the id of the query and the score of each.

        Add every document of every list once, in any order and any parts. A NaN score is a
        ValueError, and nothing of that call is counted. Two threads must not call it at once: give
        each a copy, and merge.
        """
        refuse_other_order(query=query, score=score)
        ids = read_query_ids(query, "query")
        scores = as_array(score, "score")
        if scores.shape != ids.shape:
            raise ValueError(f"score has shape {scores.shape}, but query {ids.shape}")
        if scores.dtype.kind != "f" or scores.dtype.itemsize not in (4, 8):
            scores = read_doubles(scores, "score", len(ids))
        scores = pack(scores, scores.dtype.newbyteorder("="))
        _refuse(np.isnan(scores), "score", scores, "a score must be a number that orders it")
        self._counter.add(ids, scores)

    def _add_lists(self, ids: Array) -> None:
        """Name lists, which may have no document; ids as `read_query_ids` reads them."""
        rows, _ = self._counter.queries.find(ids, "query")
        without_hits = ids[rows < 0].tolist()
        self._counter.sizes_without_hits.update(dict.fromkeys(without_hits, 0))

    def merge(self, other: PartialRanks) -> PartialRanks:
        """Add the counts of another object with the same hits and other documents; returns self."""
        if not isinstance(other, PartialRanks):
            raise TypeError(f"merge takes PartialRanks, not {type(other).__name__}")
        if other is self:
            raise ValueError("merge: other is this object, and would be counted twice")
        hits = map(np.asarray, self._hits())
        other_hits = map(np.asarray, other._hits())
        has_same_hits = all(map(np.array_equal, hits, other_hits))
        if self._queries.ids != other._queries.ids or not has_same_hits:
            raise ValueError(
                "merge: the two were made with different hits; make both from the same queries, "
                "scores and labels, in the same order"
            )
        self._counter.merge(other._counter.counts)
        return self

    def _hits(self) -> tuple[object, ...]:
        """What two objects have in common whose counts can be added."""
        judged: tuple[object, object] = (None, None)
        if self._judged is not None:
            judged = self._judged
        return self._rows, self._labels, *self._counter.levels, self._closed, *judged

    @with_shared_help("rankgain")
    def finish(self, measures: Measures, **options: Unpack[CountOptions]) -> Evaluation:
        """Evaluate the lists; values have the bits of `evaluate_arrays` on all documents.

        Parameters
        ----------


        Returns
        -------
        Evaluation

        Raises
        ------
        ValueError
            If the score of a hit was not counted: parts are missing, or scores were rounded in
            between.

        Notes
        -----
        More documents may be added afterwards.
        """
        call = read_call(options, CountOptions, "finish", "rankgain")
        above, equal, documents = self._counted()
        judged, queries = self._judged, self._queries.ids
        other_lists = self._counter.sizes_without_hits  # query -> documents
        counts = {}
        if other_lists and self._closed:
            counts["unjudged"] = len(other_lists)
        elif other_lists:
            # Nothing is relevant to these queries, so their part of the judged labels is empty.
            added = sorted(other_lists)
            queries = [*queries, *added]
            documents = np.append(documents, [other_lists[query] for query in added])
            if judged is not None:
                labels, starts = judged
                judged = labels, np.append(starts, np.full(len(added), starts[-1]))
        lists = make_counted_lists(
            self._rows,
            self._labels,
            above,
            equal,
            documents,
            queries,
            judged,
            float32=self._counter.float32,
            pool=self._pool,
        )
        resolved = resolve_measures(measures, call.settings, call.rules)
        return evaluate_lists(lists, resolved, call, counts=counts, displayed=list(queries))

    def _counted(self) -> tuple[Array, Array, Array]:
        """Documents above each hit and those of its score; the documents of each list."""
        levels = self._counter.levels
        above, equal, documents = levels.read(self._counter.cells, self._rows)
        # A hit with fewer equal scores than hits of its score was not counted.
        hits_of_levels = np.bincount(levels.of_hits)
        is_uncounted = equal < hits_of_levels[levels.of_hits]
        if is_uncounted.any():
            hit = int(is_uncounted.argmax())
            score = float(levels.scores[levels.of_hits[hit]])
            raise ValueError(
                f"hit {hit} of query {self._queries.ids[self._rows[hit]]!r} has the score "
                f"{score!r}, which was counted {count_of(equal[hit], 'time')}: add all documents, "
                "the hits too, with scores of the same precision"
            )
        return above, equal, documents


def _refuse_repeats(queries: list[object]) -> None:
    """Refuse a list that is named twice."""
    if len(set(queries)) == len(queries):
        return
    earlier = set()
    for index, query in enumerate(queries):
        if query in earlier:
            raise ValueError(
                f"queries[{index}] is {query!r}, which is there already; name each list once"
            )
        earlier.add(query)


def read_doubles(value: object, name: str, n: int) -> Floats:
    """Numbers as float64; refuses integers that cannot be represented exactly."""
    array = as_array(value, name)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}, but query has {n} ids")
    words = "it cannot be represented exactly as a float64; rescale it"
    _refuse(is_wide(array), name, array, words)
    return pack(array, np.float64)


def _refuse(bad: Bools, name: str, values: Array, why: str) -> None:
    """Refuse the first bad value."""
    if bad.any():
        index = int(bad.argmax())
        raise ValueError(f"{name}[{index}] is {values[index]}; {why}")


def _read_judged(judged: object) -> tuple[Array, Array]:
    if not isinstance(judged, (tuple, list)) or len(judged) != 2:
        raise TypeError("judged must be a pair of arrays: the query and the label of each document")
    queries, labels = judged
    refuse_other_order(**{"judged (its queries)": queries, "judged (its labels)": labels})
    ids = read_query_ids(queries, "judged (its queries)")
    return ids, read_doubles(labels, "judged (its labels)", len(ids))


class Block(Protocol):
    """Columns by name: a data frame, or a mapping of arrays."""

    def __getitem__(self, name: str, /) -> object: ...


class Columns(NamedTuple):
    """Names of the columns: the id of the query, the label and the score of each document."""

    query: str
    label: str
    score: str
    of_ranks: bool = False  # the scores are ranks

    @classmethod
    def choose(cls, query: str, label: str, score: str | None, rank: str | None) -> Columns:
        """The columns of a call, which names one of score and rank."""
        if score is not None and rank is not None:
            raise ValueError("score and rank both say what orders the documents; give one of them")
        if rank is not None:
            return cls(query, label, rank, of_ranks=True)
        if score is None:
            raise TypeError("evaluate() is missing score: score=..., or rank=... for ranks")
        return cls(query, label, score)

    @property
    def names(self) -> list[str]:
        """The columns to read."""
        return [self.query, self.label, self.score]

    def check(self, names: Sequence[str], table: str) -> None:
        """Refuse columns that the table does not have."""
        origin = Origin(table)
        require(names, self.query, "query", origin)
        require(names, self.label, "label", origin)
        argument = "score"
        if self.of_ranks:
            argument = "rank"
        require(names, self.score, argument, origin)

    def rows(self, block: Block) -> list[Array]:
        """Query, label and score of all rows."""
        queries = _read_ids(block[self.query], self.query)
        labels = _read_numbers(block[self.label], self.label, queries)
        if labels.dtype.kind == "f" and np.isinf(labels).any():
            row = int(np.isinf(labels).argmax())
            raise ValueError(
                f"column {self.label!r} is {labels[row]} in a row of query "
                f"{queries.tolist()[row]!r}; labels must be finite numbers"
            )
        return [queries, labels, _read_numbers(block[self.score], self.score, queries)]

    def hits(self, block: Block) -> list[Array]:
        """Query, score and label of the rows whose label is not 0."""
        queries, labels, scores = self.rows(block)
        is_hit = labels != 0
        return [queries[is_hit], scores[is_hit], labels[is_hit]]

    def counts(self, block: Block, partial: PartialRanks) -> Counts:
        """Count the rows of a block; the hits stay as they are."""
        part = copy.copy(partial)
        part._counter = Counter(partial._counter.queries, partial._counter.levels)
        queries = _read_ids(block[self.query], self.query)
        part.add(queries, _read_numbers(block[self.score], self.score, queries))
        return part._counter.counts


def _read_ids(values: object, name: str) -> Array:
    """The ids in a column of a block: integers or text, none of which is null."""
    ids = np.asarray(values)
    if not ids.size:
        return np.zeros(0, np.int64)
    missing = _find_missing(ids)
    if missing.any():
        raise ValueError(
            f"column {name!r} is null in {int(missing.sum())} of the {len(ids)} rows of a block; "
            "every row needs an id: drop such rows, or fill them"
        )
    if ids.dtype.kind == "f":
        raise TypeError(
            f"column {name!r} holds {ids.dtype} in a block, and ids must be integers or text. "
            "pandas turns integers into floats if some rows of the column are null: drop these "
            "rows, and cast it to int64"
        )
    if ids.dtype.kind == "O":
        types = set(map(type, ids.tolist()))
        if types == {int}:  # pandas' nullable integers
            numbers: Array = read_query_ids(ids, name)
            return numbers
        if types == {int, str}:
            raise TypeError(
                f"column {name!r} holds integers and text in a block; turn all of them to text"
            )
    if ids.dtype.kind not in "iuOUT":
        raise TypeError(
            f"column {name!r} holds {ids.dtype}, and ids must be integers or text: turn it to text"
        )
    return ids


def _read_numbers(values: object, name: str, queries: Array) -> Array:
    """The labels or scores in a column of a block, none of which is null."""
    numbers = np.asarray(values)
    missing = _find_missing(numbers)
    if missing.any():
        query = queries.tolist()[int(missing.argmax())]
        raise ValueError(
            f"column {name!r} is null or NaN in a row of query {query!r}; drop such rows, or fill "
            "them"
        )
    return numbers


def _find_missing(values: Array) -> Bools:
    """Which values are null or NaN."""
    if values.dtype.kind == "O":
        return np.fromiter(map(is_missing, values.tolist()), np.bool_, len(values))
    if values.dtype.kind in "fmM":
        missing: Bools = values != values
        return missing
    return np.zeros(len(values), np.bool_)


def join_ids(columns: Sequence[Array]) -> Array:
    """The query ids of all blocks."""
    kinds = {"integers" if ids.dtype.kind in "iu" else "text" for ids in columns}
    if len(kinds) > 1:  # NumPy would turn integers to text
        raise TypeError(
            "ids of queries are integers in some blocks, and text in others; turn all of them to "
            "text"
        )
    ids: Array = read_query_ids(np.concatenate(columns), "query")
    return ids


def find_partial(hits: Iterable[list[Array]]) -> PartialRanks:
    """The hits of all blocks, by query, so that the order of blocks does not matter."""
    blocks = [block for block in hits if len(block[0])]
    if not blocks:
        return PartialRanks([], [], [])
    columns_of_ids, *columns = zip(*blocks, strict=True)
    queries = join_ids(columns_of_ids)
    scores, labels = map(np.concatenate, columns)
    order = np.argsort(queries, kind="stable")
    return PartialRanks(queries[order], scores[order], labels[order])


def add_counts(partial: PartialRanks, counts: Iterable[Counts]) -> PartialRanks:
    """Add up the counts of all blocks; returns the hits."""
    for block in counts:
        partial._counter.merge(block)
    return partial
