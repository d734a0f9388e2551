"""`Lists`, labels and scores of many lists, the form that evaluation takes; layouts; label runs."""

from __future__ import annotations

import math
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from .. import _core
from .arrays import (
    EXACT,
    Ragged,
    integers,
    native_labels,
    read_ids_of_rows,
    read_rows,
    refuse_sizes,
)
from .grouping import group_rows
from .printable import count_of, describe, refuse_mixed_ids, refuse_wide_ids
from .sparse import Sparse, looks_sparse, read_sparse, remove_excluded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .parts import ListParts
    from .types import Array, Floats, Group, Integers, Judged, JudgedLabels, LayoutArguments, Sizes


LONGEST = 2**31 - 1


class Layout(NamedTuple):
    """List i takes starts[i] .. stops[i]-1 of the flattened arrays."""

    starts: Integers
    stops: Integers
    single: bool  # the input is a single list: results are floats
    queries: Sequence[Any] | Array | None  # the query ids; None: 0 .. n-1
    order: Integers | None = None  # input positions by list, if the rows of one were not adjacent

    @property
    def sizes(self) -> Integers:
        """How many documents each list has."""
        return self.stops - self.starts


def add_sizes(sizes: Sequence[int] | Array) -> Integers:
    """The start of each list, followed by the end of the last list."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _flat(sizes: Sequence[int] | Array, queries: Sequence[object] | Array | None = None) -> Layout:
    """The layout of lists that follow each other."""
    bounds = add_sizes(sizes)
    return Layout(bounds[:-1], bounds[1:], False, queries)


def _from_qid(qid: Group, n: int) -> Layout:
    """The layout of rows with an id of the list in each."""
    if isinstance(qid, (list, tuple)):
        refuse_mixed_ids(qid, "qid[{}]".format)
    ids = read_ids_of_rows(qid, "qid")
    if ids.ndim != 1:
        raise ValueError(f"qid must be one-dimensional, not of shape {ids.shape}")
    if len(ids) != n:
        raise ValueError(f"qid has {len(ids)} entries, but there are {n} documents")
    missing = np.zeros(0, bool)
    if ids.dtype.kind in "mM":
        missing = np.isnat(ids)
    elif ids.dtype.kind == "f":
        missing = np.isnan(ids)
    if missing.any():
        raise ValueError(
            f"qid[{int(missing.argmax())}] has no value (NaN); every document needs a query"
        )
    refuse_wide_ids(ids, "qid[{}]".format)
    if ids.dtype.kind == "O":
        refuse_mixed_ids(ids.tolist(), "qid[{}]".format)
    are_ids = ids.dtype.kind in "biufSUmMO"
    if ids.dtype.kind == "O":
        are_ids = all(map(_can_be_id, ids))
    if not are_ids:
        raise TypeError(f"qid must hold ints, strings, dates or other ids, not {ids.dtype}")
    if n == 0:
        return _flat(np.zeros(0, np.int64), ids)
    keys = ids
    if ids.dtype.kind in "mM":  # times are equal where their numbers of units are
        keys = ids.astype(np.int64)
    # The first row of each run of equal ids. Without a query in two runs these are the lists.
    changes = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    starts = np.concatenate(([0], changes))
    # With so many changes the rows of a query are hardly adjacent, and a set would be slow.
    if 4 * len(starts) > n or len(set(keys[starts].tolist())) < len(starts):
        groups = group_rows(keys)
        layout = _flat(groups.sizes, _name_lists(ids[groups.first]))
        if groups.adjacent:
            return layout
        return layout._replace(order=groups.order())
    return _flat(np.diff(np.append(starts, n)), _name_lists(ids[starts]))


def _can_be_id(value: object) -> bool:
    """Whether an object has a hash, and is not a number that is not whole."""
    if isinstance(value, (Number, np.number)):
        return isinstance(value, Integral)
    return type(value).__hash__ is not None


def _name_lists(ids: Array) -> Array:
    """Ids of lists; times as objects, of Python where these hold them exactly."""
    if ids.dtype.kind not in "mM":
        return ids
    # Python has days and microseconds. Finer times, such as nanoseconds, stay NumPy's.
    are_days = ids.dtype.kind == "M" and np.datetime_data(ids.dtype)[0] == "D"
    rounded = ids
    if not are_days:
        rounded = ids.astype(f"{ids.dtype.kind}8[us]")
    result = np.empty(len(ids), object)
    if (rounded == ids).all():
        result[:] = rounded.astype(object)
    else:
        result[:] = list(ids)
    return result


def make_layout(shape: tuple[int, ...], group: Group, qid: Group, lengths: Sizes | None) -> Layout:
    """The layout of arrays of this shape."""
    arguments = {"group": group, "qid": qid, "lengths": lengths}
    passed = [name for name, value in arguments.items() if value is not None]
    if len(passed) > 1:
        raise ValueError(f"{' and '.join(passed)} both say where lists end; give one of them")
    if lengths is not None:
        if len(shape) != 2:
            raise ValueError("lengths belongs to 2-D arrays; for flat ones give group or qid")
        sizes = integers(lengths, "lengths")
        rows, columns = shape
        if len(sizes) != rows:
            raise ValueError(f"lengths has {len(sizes)} entries, but there are {rows} lists")
        too_long = np.flatnonzero(sizes > columns)
        if too_long.size:
            row = int(too_long[0])
            raise ValueError(f"lengths[{row}] is {sizes[row]}, but the rows have {columns} columns")
        starts = np.arange(rows, dtype=np.int64) * columns
        layout = Layout(starts, starts + sizes, False, None)
    elif passed and len(shape) != 1:
        raise ValueError(
            f"{passed[0]} belongs to flat 1-D arrays; in 2-D ones each row is a list. Leave it "
            "out, or give lengths if rows are padded"
        )
    elif group is not None:
        n = shape[0]
        try:
            sizes = integers(group, "group")
        except TypeError as error:
            raise TypeError(f"{error}; did you mean qid=?") from None
        hint = "; did you mean qid=?" if len(sizes) == n else ""  # an id for each document
        too_long = np.flatnonzero(sizes > n)
        if too_long.size:
            index = int(too_long[0])
            raise ValueError(
                f"group[{index}] is {sizes[index]}, but there are {n} documents in all{hint}"
            )
        total = int(sizes.sum())
        if total != n:
            raise ValueError(f"group: the sizes sum to {total}, but there are {n} documents{hint}")
        layout = _flat(sizes)
    elif qid is not None:
        layout = _from_qid(qid, shape[0])
    elif len(shape) == 1:
        layout = Layout(np.zeros(1, np.int64), np.full(1, shape[0], np.int64), True, None)
    else:
        starts = np.arange(shape[0], dtype=np.int64) * shape[1]
        layout = Layout(starts, starts + shape[1], False, None)
    longest = int(layout.sizes.max(initial=0))
    if longest > LONGEST:
        raise ValueError(f"a list of {longest} documents is too long; the most is {LONGEST}")
    return layout


def group_documents(
    labels: Any, scores: Any, layout_arguments: LayoutArguments
) -> tuple[Layout, Any, Any]:
    """The layout, with labels and scores reordered so that the documents of a list are adjacent."""
    if isinstance(labels, Ragged) or isinstance(scores, Ragged):
        for name, value in layout_arguments.items():
            if value is not None:
                raise ValueError(f"{name}: lists of different lengths need no {name}; remove it")
        sizes = labels.sizes if isinstance(labels, Ragged) else scores.sizes
        compared = "y_true" if isinstance(labels, Ragged) else "y_score"
        for array, name in ((labels, "y_true"), (scores, "y_score")):
            if isinstance(array, np.ndarray) and array.ndim == 1:
                raise ValueError(
                    f"{name} is 1-D, but the other has {len(sizes)} lists; give lists of the same "
                    "lengths"
                )
            if isinstance(array, np.ndarray):
                refuse_sizes(np.full(len(array), array.shape[1]), sizes, name, compared)
            elif isinstance(array, Ragged):
                refuse_sizes(array.sizes, sizes, name, compared)
        if isinstance(labels, Ragged):
            labels = labels.flat
        if isinstance(scores, Ragged):
            scores = scores.flat
        layout_arguments = {**layout_arguments, "group": sizes}
    shape = common_shape(labels, scores)
    layout = make_layout(shape, **layout_arguments)
    if isinstance(labels, Sparse):
        check_rows(labels, "y_true", layout, shape)
    elif layout.order is not None:
        labels = labels[layout.order]
    if layout.order is not None and scores is not None:
        scores = scores[layout.order]
    return layout, labels, scores


def common_shape(labels: Array | Sparse, scores: Array | None) -> tuple[int, ...]:
    """The shape of labels and scores."""
    if isinstance(labels, Sparse):
        rows = len(labels.indptr) - 1
        if scores is None:
            if labels.columns is None:
                raise ValueError(
                    "y_true: (data, indices, indptr) does not say the number of columns; give "
                    "y_score beside it, or a CSR matrix"
                )
            return rows, labels.columns
        return tuple(scores.shape)
    if scores is not None and labels.shape != scores.shape:
        raise ValueError(
            f"y_true has shape {labels.shape}, but y_score has shape {scores.shape}; they must be "
            "the same"
        )
    return tuple(labels.shape)


def check_rows(sparse: Sparse, name: str, layout: Layout, shape: tuple[int, ...]) -> None:
    """Refuse a sparse matrix whose shape is not that of the lists."""
    rows = len(sparse.indptr) - 1
    if rows != len(layout.starts):
        raise ValueError(
            f"{name} has {count_of(rows, 'row')}, but there are {len(layout.starts)} lists"
        )
    rectangular = len(shape) == 2 or layout.single
    if rectangular and sparse.columns is not None and sparse.columns != shape[-1]:
        raise ValueError(f"{name} has {sparse.columns} columns, but y_score has shape {shape}")


class UnmatchedIds(NamedTuple):
    """Example ids, if no id is both retrieved and judged in any list."""

    place: object  # index of the first list with both, or its query
    retrieved: Sequence[object]
    judged: Sequence[object]


class Judgments(NamedTuple):
    """The judged labels of each list, prepared before the core sees the lists.

    The core makes no ideal and no R of its own where it has these. So only here can labels be
    marked as checked: unchecked labels without prepared judgments are judged by the core.
    """

    # In descending order. Equal labels are one run, unless a convention truncated them.
    runs: _core.Runs
    labels_checked: bool = False  # the labels of the lists have been checked, too
    from_labels: bool = False  # they are the labels of the lists: no judged document is absent
    lacks_zeros: bool = False  # `runs` lack the documents of the lists that have label 0


class Lists(NamedTuple):
    """Labels and scores of many lists. The core checks values while it reads them."""

    layout: Layout
    labels: Array | Sparse  # shaped as the scores if dense
    scores: Array | None = None  # None: the order is given
    judgments: Judgments | None = None  # None: `labels`, which the core checks and sorts
    exclude: Sparse | None = None
    order: Integers | None = None  # rank of each document's id among all ids
    judged_labels: JudgedLabels | None = None  # in their input order
    pool: bool = False  # judged documents that are not relevant are known too
    padding: str = ""  # whether judged labels of 0 may be padding: see `flatten_judged`
    float32: bool = False  # scores are compared in float32
    of_ranks: bool = False  # scores are negated ranks
    # Of ranks with gaps: the place, from 0, of the first, second, ... row of each list by rank.
    places: Integers | None = None
    # The argument for ids, for errors; "" if there is none.
    ids_by: str = "ids=, the id of each document"
    called: str = "y_true"  # the argument with the labels, for errors
    on_device: bool = False  # scores were on a device, where the ranks of the hits were counted
    # The position of each document in its list as it was given, if others are left out of it.
    kept: Integers | None = None
    ignored: int = 0  # documents that are left out by their label
    parts: ListParts | None = None  # what the documents cover, of judgments with parts
    # Lists of the call before these: errors and random orders of ties count from the first of all.
    offset: int = 0

    def __len__(self) -> int:
        return len(self.layout.starts)

    def replace(self, **changes: object) -> Lists:
        """Return these lists with some fields changed (_replace would count with len())."""
        return Lists(**(self._asdict() | changes))

    @property
    def runs(self) -> _core.Runs | None:
        """The prepared judgments as runs of equal labels."""
        if self.judgments is None:
            return None
        return self.judgments.runs

    @property
    def all_returned(self) -> bool:
        """Whether no judged document is known to be absent from its list."""
        return self.judgments is None or self.judgments.from_labels

    def with_runs(self, runs: _core.Runs) -> Lists:
        """Return these lists with other runs of judged labels."""
        judgments = Judgments(runs) if self.judgments is None else self.judgments
        return self.replace(judgments=judgments._replace(runs=runs))

    def place(self, index: int) -> str:
        """The name of a list in errors."""
        number = self.offset + index
        if self.layout.queries is None:
            return f"list {number}"
        query = self.layout.queries[index]
        if isinstance(query, np.generic):
            query = query.item()
        return f"list {number} (id {describe(query)})"

    def position(self, row: int, place: int) -> int:
        """The position in list `row`, as it was given, of the document at a place of it."""
        if self.kept is None:
            return place
        return int(self.kept[self.layout.starts[row] + place])

    def document(self, row: int, place: int) -> str:
        """The name of a document in errors: its position, or its rank if that is known."""
        if isinstance(self.labels, Sparse) and self.labels.ranked:
            return f"the document at rank {place + 1}"
        return f"document {self.position(row, place)}"

    @property
    def lengths(self) -> Integers:
        """How many places each list has: its documents, and of ranks with gaps also the gaps."""
        sizes = self.layout.sizes
        if self.places is None:
            return sizes
        # One more than the place of the last row by rank, since places count from 0.
        lengths = np.zeros(len(sizes), np.int64)
        filled = sizes > 0
        lengths[filled] = self.places[self.layout.stops[filled] - 1] + 1
        return lengths

    @property
    def longest(self) -> int:
        """The largest number of places or judged labels of a list."""
        longest = int(self.lengths.max(initial=0))
        if self.judgments is None:
            return longest
        return max(longest, self.judgments.runs.longest)

    @property
    def sparse(self) -> bool:
        return isinstance(self.labels, Sparse)

    @property
    def stored(self) -> Sparse:
        """The labels of lists that are sparse."""
        assert isinstance(self.labels, Sparse)
        return self.labels

    @property
    def counted(self) -> bool:
        """Whether only the counted ranks of the hits are known."""
        return isinstance(self.labels, Sparse) and self.labels.sizes is not None

    def row(self, i: int) -> tuple[Array, Integers]:
        """The labels of list i and their positions in it, for errors."""
        labels = self.labels
        if isinstance(labels, Sparse):
            entries = slice(int(labels.indptr[i]), int(labels.indptr[i + 1]))
            return labels.data[entries], labels.indices[entries]
        cells = slice(int(self.layout.starts[i]), int(self.layout.stops[i]))
        values = labels.reshape(-1)[cells]
        return values, np.arange(len(values))

    def with_excluded_as_zero(self) -> Lists:
        """Set the labels of excluded documents to 0."""
        if self.exclude is None:
            return self
        out = np.zeros(int(self.layout.stops.max(initial=0)), bool)
        out[self.exclude.places(self.layout.starts)] = True
        return self.without_labels(out)

    def without_labels(self, mask: Array) -> Lists:
        """Set the labels of some documents to 0; mask: mask of all, up to the last one."""
        labels = self.labels
        mask = mask.reshape(-1)
        if isinstance(labels, Sparse):
            positions = labels.places(self.layout.starts)
            remaining = np.where(mask[positions], 0, labels.data[: len(positions)])
            return self.replace(labels=labels._replace(data=remaining, ranked=False))
        remaining = labels.copy()
        remaining.reshape(-1)[: len(mask)][mask] = 0  # a copy of a strided array is contiguous
        return self.replace(labels=remaining)


def overflowing(lists: Lists, row: int) -> tuple[str, int, int, float]:
    """The fault for gains that overflow; it names the largest label of the list."""
    values, places = lists.row(row)
    sizes = np.abs(values.astype(np.float64))
    if lists.runs is not None:
        runs = slice(int(lists.runs.first[row]), int(lists.runs.first[row + 1]))
        judged_sizes = np.abs(lists.runs.level[runs])
        if judged_sizes.max(initial=0.0) > sizes.max(initial=0.0):
            return "judged_overflow", row, 0, 0.0
    largest = int(np.argmax(sizes))
    return "gain_overflow", row, int(places[largest]), float(values[largest])


_WORDS = {
    "nan_score": "y_score: {list}, {document} is NaN; scores must not be NaN",
    "bad_label": "{name}: {list}, {document} is {value}; labels must be finite numbers",
    "label_negative": "{name}: {list}, {document} has the negative label {number}, which "
    "measures such as nDCG and ERR do not support; DCG does{hint}",
    "label_above_max": "{name}: {list}, {document} has label {number}, above {limit}",
    "judged_negative": "{judged}: {list} has the negative label {number}, which measures such as "
    "nDCG and ERR do not support; DCG does",
    "judged_above_max": "{judged}: {list} has label {number}, above {limit}",
    "wide_integer": "{name}: {list}, {document} is an integer beyond 2**53, which cannot be "
    "represented exactly as a float64; rescale the labels",
    "gain_overflow": "gain: the gains of {list} overflow a float64 ({document} has label "
    "{number}); use smaller labels or another gain",
    "judged_overflow": "gain: the gains of the judged labels of {list} overflow a float64; use "
    "smaller labels or another gain",
    "fewer_judged": "{judged}: {list} has {doc} relevant documents, but only {number} are judged "
    "relevant; judged must hold all labels of the list",
    "fewer_labels": "{judged}: {list} has {doc} documents, but labels for only {number}; judged "
    "must hold all labels of the list",
    "bad_index": "{name}: index {number} is out of range for {list}",
    "repeated_index": "{name}: {list} has index {number} twice; keep one of them, and let no "
    "other thread change the arrays meanwhile",
    "no_walk": "the core has no walk for shape {number} of a measure; please report this",
    "no_finish": "the core has no finish {number} for a measure; please report this",
}


def _hint_at_negative(lists: Lists, row: int, label: float) -> str:
    """What a negative label may mean: labels and scores in the wrong order, or padding."""
    labels, _ = lists.row(row)
    if lists.scores is not None:
        cells = slice(int(lists.layout.starts[row]), int(lists.layout.stops[row]))
        scores = lists.scores.reshape(-1)[cells]
        # Scores have fractions and labels are whole numbers from 0 on, not the other way round.
        labels_have_fractions = (labels != np.trunc(labels)).any()
        scores_are_counts = ((scores == np.trunc(scores)) & (scores >= 0)).all()
        if labels_have_fractions and scores_are_counts:
            return ". Did you swap y_true and y_score?"
    if not float(label).is_integer():
        return ""
    return f". If {label:g} is padding, pass ignore={label:g}"


def _are_all_labels(lists: Lists, row: int, listed: int, judged: float) -> bool:
    """Whether these are the numbers of all labels of a list, as Bpref counts them."""
    if lists.judged_labels is None:
        return False
    _, starts, stops = lists.judged_labels
    n_judged = stops[row] - starts[row]
    return bool(lists.layout.sizes[row] == listed and n_judged == judged)


def raise_fault(
    fault: tuple[str, int, int, float],
    name: str = "y_true",
    lists: Lists | None = None,
    limit: str = "",
) -> NoReturn:
    """Raise a fault of the core as ValueError.

    name: the argument, if there are no `lists`; limit: what a label is above, and the remedy.
    """
    code, row, doc, value = fault
    if code == "fewer_judged" and lists is not None and _are_all_labels(lists, row, doc, value):
        code = "fewer_labels"
    words = _WORDS[code]
    number: int | str = f"{value:g}"
    if float(value).is_integer() and abs(value) < EXACT:
        number = int(value)
    fields = {
        "name": name,
        "judged": "judged",
        "list": f"list {row}",
        "document": f"document {doc}",
        "doc": doc,
        "value": "NaN" if math.isnan(value) else value,
        "number": number,
        "hint": "",
        "limit": limit,
    }
    if lists is not None:
        fields["name"] = lists.called
        fields["list"] = lists.place(row)
        if "{document}" in words:
            fields["document"] = lists.document(row, doc)
        if lists.called in ("relevant", "qrels"):
            fields["judged"] = lists.called
        if code == "label_negative" and lists.called == "y_true":
            fields["hint"] = _hint_at_negative(lists, row, value)
    raise ValueError(words.format(**fields))


def reword_error(error: Exception, text: str) -> None:
    """Give an error another text, to be raised on; where its own cannot change, as a note."""
    # A new one of its class cannot be made of a text alone, as UnicodeDecodeError.
    if type(error).__str__ is BaseException.__str__:
        error.args = (text,)
    elif text != str(error):
        error.add_note(text)


def runs_of_judged(judged_labels: JudgedLabels, layout: Layout) -> _core.Runs:
    """The judged labels of every list, as runs."""
    flat, starts, stops = judged_labels
    n = len(layout.starts)
    if len(starts) != n:
        raise ValueError(f"judged has {count_of(len(starts), 'list')}, but y_true has {n}")
    return prepare(native_labels(flat), starts, stops, "judged")


def flatten_judged(judged: Judged | None, layout: Layout) -> tuple[JudgedLabels, str]:
    """Judged labels, flat, with the start and stop of each list, and their padding.

    The padding says which labels of 0 may be no judgments:

    - "": none of them.
    - "sparse": a sparse matrix, where documents judged 0 may be stored or left out.
    - "rows": a 2-D array, where zeros fill up the rows of lists with fewer judged documents.
    - "lists": lists of one length, some of which end in 0. These zeros are mostly judgments, but
      the caller may have filled up the lists.
    """
    if looks_sparse(judged):
        sparse = read_sparse(judged, "judged")
        return (sparse.data, sparse.indptr[:-1], sparse.indptr[1:]), "sparse"
    array = read_rows(judged, "judged")
    if isinstance(array, Ragged):
        bounds = add_sizes(array.sizes)
        return (array.flat, bounds[:-1], bounds[1:]), ""
    if array.ndim == 1:
        if not layout.single and (len(array) or len(layout.starts)):
            raise ValueError(
                "judged is 1-D, but there are several lists; give a 2-D array padded with 0, CSR, "
                "or a sequence of 1-D arrays"
            )
        n = len(layout.starts)
        return (array, np.zeros(n, np.int64), np.full(n, len(array), np.int64)), ""
    rows, width = array.shape
    starts = np.arange(rows, dtype=np.int64) * width
    padding = ""
    if isinstance(judged, (list, tuple)):
        are_lists = array.size > 0 and all(isinstance(row, (list, tuple)) for row in judged)
        if are_lists and (array[:, -1] == 0).any():
            padding = "lists"
    elif len(getattr(judged, "shape", ())) > 1:  # an array of objects has a row for each list
        padding = "rows"
    return (array.reshape(-1), starts, starts + width), padding


def prepare(labels: Array | Sparse, starts: Integers, stops: Integers, name: str) -> _core.Runs:
    """Check labels, dense or Sparse, and return them as descending runs."""
    # There are at most as many runs as labels. A sparse list may also have a run of the zeros that
    # it does not store.
    sizes = stops - starts
    if isinstance(labels, Sparse):
        array = _core.LabelArray(*labels[:3])
        max_runs = len(labels.values) + len(starts)
    else:
        array = _core.LabelArray(labels.reshape(-1))
        max_runs = int(sizes.sum())
    first = np.zeros(len(starts) + 1, np.int64)
    level = np.empty(max_runs)
    count = np.empty(max_runs, np.int64)
    fault = _core.prepare(array, starts, stops, first, level, count)
    if fault is not None:
        raise_fault(fault, name)
    used = int(first[-1])
    longest = int(sizes.max(initial=0))
    return _core.Runs(first, level[:used].copy(), count[:used].copy(), longest)


def judge_hits(hits: Sparse, layout: Layout, name: str, *, pool: bool = False) -> Judgments:
    """The labels of counted hits as judgments; pool: the hits are all judged documents."""
    labels, indptr = hits.data, hits.indptr
    if pool or not labels.min(initial=0) < 0:
        runs = prepare(labels, indptr[:-1], indptr[1:], name)
        return Judgments(runs, labels_checked=True, from_labels=True, lacks_zeros=not pool)
    # Label 0, that of all other documents, counts above a negative one. So the zeros must be among
    # the runs, which a sparse list has at whatever places its labels are.
    places = np.arange(len(labels)) - np.repeat(indptr[:-1], np.diff(indptr))
    sparse = Sparse(labels, places, indptr, None)
    runs = prepare(sparse, layout.starts, layout.stops, name)
    return Judgments(runs, labels_checked=True, from_labels=True)


def add_zeros(lists: Lists) -> Lists:
    """Add the documents that are no hits, whose label is 0, to judgments that lack them.

    They stand in an ideal above documents with a negative gain.
    """
    judgments = lists.judgments
    assert judgments is not None
    runs, sizes = judgments.runs, lists.layout.sizes
    n = len(sizes)
    list_of_run = np.repeat(np.arange(n), np.diff(runs.first))
    is_other = runs.level != 0
    n_others = np.bincount(list_of_run[is_other], runs.count[is_other], n).astype(np.int64)
    zeros = sizes - n_others
    has_zeros = np.flatnonzero(zeros)
    list_numbers = np.concatenate((list_of_run[is_other], has_zeros))
    level = np.concatenate((runs.level[is_other], np.zeros(len(has_zeros))))
    count = np.concatenate((runs.count[is_other], zeros[has_zeros]))
    order = np.lexsort((-level, list_numbers))
    first = add_sizes(np.bincount(list_numbers, minlength=n))
    runs = _core.Runs(first, level[order], count[order], int(sizes.max(initial=0)))
    return lists.replace(judgments=judgments._replace(runs=runs, lacks_zeros=False))


def runs_of_lists(lists: Lists) -> _core.Runs:
    """The labels of the lists themselves, without excluded documents, as runs."""
    labels = lists.labels
    if not isinstance(labels, Sparse):
        labels = native_labels(labels)
    starts, stops = lists.layout.starts, lists.layout.stops
    if lists.exclude is not None:
        # Errors name places in the input, so all others are checked before the removal.
        runs_of_lists(lists.with_excluded_as_zero().replace(exclude=None))
        flat = labels if isinstance(labels, Sparse) else labels.reshape(-1)
        chunk = None, flat, starts, stops, None
        _, labels, starts, stops, _ = remove_excluded(chunk, lists.exclude)
    return prepare(labels, starts, stops, lists.called)


def distinct_labels(lists: Lists) -> Floats:
    """All labels that occur, and 0, in ascending order."""
    lists = lists.with_excluded_as_zero()
    labels, sizes = lists.labels, lists.layout.sizes
    if isinstance(labels, Sparse):
        labels = labels.values
    elif labels.ndim == 2 and (sizes < labels.shape[1]).any():  # cells beyond `lengths` are none
        labels = labels[np.arange(labels.shape[1]) < sizes[:, None]]
    levels = [np.zeros(1), np.unique(labels).astype(np.float64)]
    if lists.runs is not None:
        levels.append(np.unique(lists.runs.level))
    distinct = np.unique(np.concatenate(levels))
    if not np.isfinite(distinct).all():
        runs_of_lists(lists)  # raises for the first label that is not finite
    return distinct
