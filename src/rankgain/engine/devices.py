"""Lists whose scores are on a device: ranks are counted there, and only those of hits leave it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

import numpy as np

from ..inputs.arrays import refuse_gradients
from ..inputs.devices import DeviceArray, DeviceLibrary, is_device_array, labels_to_host, library_of
from ..inputs.ignored import find_ignored, judged_without, read_ignored
from ..inputs.lists import (
    Judgments,
    Layout,
    Lists,
    add_sizes,
    raise_fault,
    runs_of_judged,
    runs_of_lists,
)
from ..inputs.sparse import Sparse
from ..inputs.truth import find_beyond, read_lists
from .counted import sort_hits
from .notices import warn_of_excluded_lists

if TYPE_CHECKING:
    from ..inputs.types import Floats, Group, Ids, Ignored, Integers, Judged, Labels, Scores, Sizes

HOST_TYPES = (np.ndarray, list, tuple, type(None))
BLOCK_SCORES = 1 << 24  # that are on the device in a second, sorted copy


class ListArguments(TypedDict, total=False):
    """The arrays beside labels and scores."""

    group: Group
    qid: Group
    lengths: Sizes | None
    judged: Judged | None
    exclude: object
    ids: Ids | None
    ignore: Ignored


def read_any_lists(
    y_true: Labels, y_score: Scores | None, **arrays: Unpack[ListArguments]
) -> Lists:
    """Check shapes and convert all arrays to Lists, wherever the scores are."""
    if type(y_score) in HOST_TYPES or not is_device_array(y_score):
        lists = read_lists(y_true, y_score, **arrays)
        warn_of_excluded_lists(lists)
        return lists
    if is_device_array(y_true):
        y_true = labels_to_host(y_true, "y_true")
    return read_device_lists(y_true, y_score, **arrays)


def read_device_lists(
    y_true: Labels,
    y_score: DeviceArray,
    **arrays: Unpack[ListArguments],
) -> Lists:
    """Lists of labels on the host and scores on a device, as the counted ranks of the hits.

    Hits are the documents whose labels are not 0. On the device, the score of each hit is compared
    with the scores of its list; two integers for each hit are copied to the host.
    """
    if arrays.pop("ids", None) is not None:
        raise ValueError(
            "ids: documents of equal scores are counted on the device, and not ordered by id; "
            "remove ids=, or move y_score to the CPU"
        )
    refuse_gradients(y_score, "y_score")
    ignore = arrays.pop("ignore", None)
    rule = None
    if ignore is not None:
        rule = read_ignored(ignore)
    # An array of the same shape that takes no memory, so that the host checks all but the scores.
    shape = tuple(y_score.shape)
    lists = read_lists(y_true, np.broadcast_to(np.float32(0), shape), **arrays)
    warn_of_excluded_lists(lists)
    removed = np.zeros(0, np.int64)  # flat positions
    if lists.exclude is not None:
        removed = lists.exclude.places(lists.layout.starts)
    if rule is not None:
        ignored = find_ignored(lists, rule)
        removed = np.concatenate((removed, ignored.places(lists.layout.starts)))
        if lists.judged_labels is not None:
            judged_labels = judged_without(lists.judged_labels, rule)
            judgments = Judgments(runs_of_judged(judged_labels, lists.layout))
            lists = lists.replace(judged_labels=judged_labels, judgments=judgments)
    return count_on_device(lists, y_score, np.unique(removed))


class Hits(NamedTuple):
    """The documents whose labels are not 0."""

    labels: Floats
    positions: Integers  # in the flat order of the lists
    list_of_hit: Integers


def count_on_device(
    lists: Lists, scores: DeviceArray, removed: Integers, name: str = "y_score"
) -> Lists:
    """The lists with the counted ranks of their hits in place of scores.

    removed: the flat positions of documents that are left out of their list, in ascending order.
    name: the argument with the scores, for errors.
    """
    layout = lists.layout
    judgments = lists.judgments
    if judgments is None:
        removed_lists = lists
        if len(removed):
            exclude = _as_sparse(removed, layout)
            removed_lists = lists.replace(exclude=exclude)
        judgments = Judgments(runs_of_lists(removed_lists), from_labels=True)
    hits = _find_hits(lists, removed)
    n_hits = len(hits.list_of_hit)
    above, equal = np.empty(n_hits, np.int64), np.empty(n_hits, np.int64)
    library = library_of(scores)
    if hasattr(scores, "detach"):  # without its gradient
        scores = scores.detach()
    scores = library.widen(scores)
    for low, high in _blocks(layout):
        block = _read_block(library, scores, layout, removed, low, high)
        _refuse_nan(library, block, lists, name)
        # The hits of these lists, by row and column of the block.
        first, stop = np.searchsorted(hits.list_of_hit, [low, high])
        selected = slice(first, stop)
        list_of_hit = hits.list_of_hit[selected]
        columns = hits.positions[selected] - layout.starts[list_of_hit]
        above[selected], equal[selected] = _count_hits(library, block, list_of_hit - low, columns)
    removed_of_lists = np.bincount(_lists_of(removed, layout), minlength=len(lists))
    sizes = layout.sizes - removed_of_lists
    stops = add_sizes(sizes)
    sparse = sort_hits(hits.list_of_hit, hits.labels, above, equal, sizes)
    return Lists(
        Layout(stops[:-1], stops[1:], layout.single, layout.queries),
        sparse,
        judgments=judgments._replace(labels_checked=True),
        judged_labels=lists.judged_labels,
        padding=lists.padding,
        float32=_dtype_name(scores) == "float32",
        called=lists.called,
        on_device=True,
        offset=lists.offset,
    )


def _lists_of(positions: Integers, layout: Layout) -> Integers:
    """The list of each position in the flat order of the lists."""
    lists: Integers = np.searchsorted(layout.starts, positions, side="right") - 1
    return lists


def _as_sparse(positions: Integers, layout: Layout) -> Sparse:
    """Flat positions as a sparse matrix of positions in their lists."""
    lists = _lists_of(positions, layout)
    indptr = add_sizes(np.bincount(lists, minlength=len(layout.starts)))
    in_lists = positions - layout.starts[lists]
    return Sparse(np.ones(len(positions), np.int8), in_lists, indptr, None)


def _find_hits(lists: Lists, removed: Integers) -> Hits:
    """The documents whose labels are not 0, list by list, without the removed ones."""
    labels, layout = lists.labels, lists.layout
    if isinstance(labels, Sparse):
        beyond = find_beyond(labels, layout)
        if beyond is not None:
            raise_fault(("bad_index", beyond[0], 0, beyond[1]))
        positions, values = labels.places(layout.starts), labels.values
        keep = values != 0
    else:
        flat = labels.reshape(-1)
        positions = np.flatnonzero(flat != 0)
        values = flat[positions]
        keep = positions < layout.stops[_lists_of(positions, layout)]  # not beyond `lengths`
    if len(removed):
        keep = keep & ~np.isin(positions, removed)
    positions, values = positions[keep], values[keep]
    return Hits(values.astype(np.float64), positions, _lists_of(positions, layout))


def _blocks(layout: Layout) -> Iterator[tuple[int, int]]:
    """Cut the lists into blocks that have at most BLOCK_SCORES cells as rows of one width."""
    width = int(layout.sizes.max(initial=1))
    rows = max(1, BLOCK_SCORES // max(1, width))
    for low in range(0, len(layout.starts), rows):
        yield low, min(low + rows, len(layout.starts))


class RowBlock(NamedTuple):
    """Some lists as rows of one width on the device."""

    scores: DeviceArray  # the lowest value of their type where there is no document
    low: int  # the first list
    lowest: float
    padding: Integers  # how many cells of each row are no documents


def _read_block(
    library: DeviceLibrary,
    scores: DeviceArray,
    layout: Layout,
    removed: Integers,
    low: int,
    high: int,
) -> RowBlock:
    """Lists low .. high-1 as rows; cells that are no documents get the lowest score."""
    starts, sizes = layout.starts[low:high], layout.sizes[low:high]
    is_matrix = len(scores.shape) == 2 and layout.order is None
    width = int(sizes.max(initial=0))
    if is_matrix:
        width = int(scores.shape[1])
    columns = library.to_device(np.arange(width))[None, :]
    lengths = library.to_device(sizes)[:, None]
    is_document = columns < lengths
    if is_matrix:
        rows = scores[low:high]
    else:
        # Cells behind the end of a list repeat its last document; the mask hides them.
        last = library.to_device(np.maximum(sizes - 1, 0))[:, None]
        in_lists = library.where(is_document, columns, last)
        positions = library.to_device(starts)[:, None] + in_lists
        if layout.order is not None:
            positions = library.take(library.to_device(layout.order), positions)
        rows = library.take(scores.reshape(-1), positions)
    first, stop = np.searchsorted(removed, [starts[0], layout.stops[high - 1]])
    removed_cells = removed[first:stop]
    padding = width - sizes
    if len(removed_cells):
        row_numbers = _lists_of(removed_cells, layout) - low
        cells = row_numbers * width + removed_cells - starts[row_numbers]
        is_document = is_document & ~library.mask_places((high - low, width), cells)
        padding = padding + np.bincount(row_numbers, minlength=high - low)
    lowest = _lowest(_dtype_name(rows))
    if padding.any():
        rows = library.where(is_document, rows, lowest)
    return RowBlock(rows, low, lowest, padding)


def _dtype_name(array: DeviceArray) -> str:
    return str(array.dtype).removeprefix("torch.")


def _lowest(dtype: str) -> float:
    """The lowest value of a type."""
    return -np.inf if dtype.startswith("float") else int(np.iinfo(dtype).min)


def _refuse_nan(library: DeviceLibrary, block: RowBlock, lists: Lists, name: str) -> None:
    """Refuse the first NaN score of a block."""
    if not _dtype_name(block.scores).startswith("float"):
        return
    is_nan = library.is_nan(block.scores)
    if not bool(is_nan.any()):
        return
    first_nan = library.nonzero(is_nan.reshape(-1))[:1]
    (cell,) = library.to_host(first_nan).tolist()
    row, position = divmod(cell, int(block.scores.shape[1]))
    row += block.low
    place = f"{lists.place(row)}, {lists.document(row, position)}"
    raise ValueError(f"{name}: {place} is NaN; scores must not be NaN")


def _count_hits(
    library: DeviceLibrary, block: RowBlock, rows: Integers, columns: Integers
) -> tuple[Integers, Integers]:
    """How many scores of its row are above that of each hit, and how many equal it."""
    width = int(block.scores.shape[1])
    starts = library.to_device(rows * width)
    hit_scores = library.take(block.scores.reshape(-1), library.to_device(rows * width + columns))
    ordered = library.sort_rows(block.scores).reshape(-1)
    # In ascending order a row is: scores below that of the hit, those equal to it, those above.
    equal_start = _search(library, ordered, starts, width, lambda scores: scores < hit_scores)
    above_start = _search(library, ordered, starts, width, lambda scores: scores <= hit_scores)
    equal = above_start - equal_start
    # Cells that are no documents count as equal to a hit of the lowest score.
    padding = library.to_device(block.padding[rows])
    equal = equal - library.where(hit_scores == block.lowest, padding, 0)
    above = starts + width - above_start
    return library.to_host(above).astype(np.int64), library.to_host(equal).astype(np.int64)


def _search(
    library: DeviceLibrary,
    ordered: DeviceArray,
    starts: DeviceArray,
    width: int,
    is_before: Callable[[DeviceArray], DeviceArray],
) -> DeviceArray:
    """Binary search in one row for each hit: the first place whose score is not before the hit.

    ordered: the rows in ascending order, flat; starts: of the row of each hit.
    """
    low, high = starts, starts + width
    last = starts + (width - 1)
    for _ in range(width.bit_length()):
        middle = (low + high) // 2
        positions = library.where(middle < last, middle, last)
        goes_on = is_before(library.take(ordered, positions)) & (low < high)
        low = library.where(goes_on, middle + 1, low)
        high = library.where(goes_on, high, middle)
    return low
