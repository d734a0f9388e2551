"""Lists under a convention: precision of scores, truncated labels, the source of the ideal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..inputs.arrays import as_float32, native_scores, pack
from ..inputs.lists import (
    Layout,
    Lists,
    add_sizes,
    judge_hits,
    raise_fault,
    runs_of_lists,
)
from ..inputs.sparse import Sparse
from .parts import read_parts
from .settings import Family, ListsView, Settings, describe_label_limits

if TYPE_CHECKING:
    from ..inputs.types import Array, Bools


LABELS_PER_CHECK = 1 << 14  # labels that are checked at a time


def apply_view(lists: Lists, view: ListsView) -> Lists:
    """Apply a view to lists; only arrays that change are copied."""
    if view.reads != "labels":
        lists = read_parts(lists, view.reads)
    if view.ideal == "list" and not lists.all_returned:
        lists = _use_own_labels(lists)
    if view.truncate:
        lists = _truncate_labels(lists)
    if view.ideal == "returned" and lists.runs is not None:
        lists = lists.with_runs(_cut_runs(lists, lists.runs))
    if view.float32 and not lists.of_ranks:
        lists = lists.replace(float32=True)
    if view.drop is None or lists.scores is None:
        return lists
    low = mask_low(lists, view.drop)
    if not low.any():
        return lists
    # The labels of the documents become 0; judged labels stay.
    runs = lists.runs
    if runs is None:
        runs = runs_of_lists(lists)
    return lists.without_labels(low).with_runs(runs)


def _use_own_labels(lists: Lists) -> Lists:
    """The lists with ideals of their own labels, instead of all judged ones."""
    judgments = None  # the core makes the ideals from the labels
    if lists.counted:
        judgments = judge_hits(lists.stored, lists.layout, lists.called)
    return lists.replace(judgments=judgments)


def _truncate_labels(lists: Lists) -> Lists:
    """The lists with truncated labels, the judged ones too.

    Runs of labels that become equal stay apart, next to each other: the core allows that.
    """
    labels, runs = lists.labels, lists.runs
    if isinstance(labels, Sparse):
        labels = labels._replace(data=np.trunc(labels.data), ranked=labels.sizes is not None)
    elif labels.dtype.kind == "f":
        labels = np.trunc(labels)
    if runs is not None:
        levels = np.trunc(runs.level) + 0.0  # -0.0 becomes 0.0
        lists = lists.with_runs(_core.Runs(runs.first, levels, runs.count, runs.longest))
    return lists.replace(labels=labels)


def _cut_runs(lists: Lists, runs: _core.Runs) -> _core.Runs:
    """The largest judged labels of each list, as many as the list has documents.

    A run is a label with the number of judged documents that have it, in descending order. Runs of
    which nothing is left are dropped, as the walks of the core take no run as empty.
    """
    list_of_run = np.repeat(np.arange(len(lists)), np.diff(runs.first))
    ends = np.cumsum(runs.count)
    ends_before = np.concatenate(([0], ends))
    documents_before = ends_before[runs.first[:-1]]  # in the runs of other lists
    sizes = lists.lengths
    if lists.exclude is not None:
        sizes = sizes - np.diff(lists.exclude.indptr)
    # Ranks of the list that the runs before, with larger labels, leave free.
    larger = ends - runs.count - documents_before[list_of_run]
    free_ranks = sizes[list_of_run] - larger
    counts = np.clip(free_ranks, 0, runs.count)
    kept = counts > 0
    first = add_sizes(np.bincount(list_of_run[kept], minlength=len(lists)))
    return _core.Runs(first, runs.level[kept], counts[kept], runs.longest)


def refuse_counted(lists: Lists, settings: Settings, averages: bool, name: str) -> None:
    """Refuse settings that need positions of tied documents, or scores: counted ranks lack both."""
    hits, sizes = lists.stored, lists.stored.sizes
    assert sizes is not None
    by_block = settings.ties in ("best", "worst") or (settings.ties == "average" and averages)
    is_tied = sizes > 1
    if not by_block and is_tied.any():
        allowed_ties = '"best" or "worst"'
        if averages:
            allowed_ties = f'"average", {allowed_ties}'
        hit = int(is_tied.argmax())
        row = int(np.searchsorted(hits.indptr, hit, side="right")) - 1
        raise ValueError(
            f"{name}: {lists.place(row)} has {sizes[hit]} documents with the score of a hit, "
            f'which ties="{settings.ties}" cannot order, because ranks are counted; choose another '
            f"ties= ({allowed_ties})"
        )
    if settings.score_dtype == "float32" and not lists.float32:
        raise ValueError(
            f"{name} under the convention {settings.convention} compares scores as float32, but "
            "they were counted as float64; give float32 scores, or choose another convention"
        )
    if settings.drop is not None:
        raise ValueError(
            f"{name} under the convention {settings.convention} leaves out what is scored at most "
            f"{settings.drop:g}, but counts hold no scores; choose another convention"
        )


def in_given_order(lists: Lists) -> Lists:
    """The judged labels as lists, in input order."""
    if lists.judged_labels is not None:
        labels, starts, stops = lists.judged_labels
        layout = Layout(starts, stops, False, None)
        return Lists(layout, labels)
    if lists.counted or not lists.all_returned:
        raise ValueError(
            "the convention's ideal is the judged labels in the order given, which is not known "
            'here (ideal="given"); choose another convention'
        )
    return lists.replace(scores=None, judgments=None, order=None, places=None)


def refuse_dropped(lists: Lists, settings: Settings) -> None:
    """Refuse a `rel` of at most 0, under which dropped documents would be relevant."""
    if settings.drop is None or settings.rel > 0 or lists.scores is None:
        return
    if mask_low(lists, settings.drop).any():
        raise ValueError(
            f"rel={settings.rel:g}: under the convention {settings.convention} documents scored "
            f"at most {settings.drop:g} count as not relevant, with the label 0, and that would "
            "be relevant; give a rel above 0, or scores above that"
        )


def mask_low(lists: Lists, limit: float) -> Bools:
    """Mask of the documents with scores of at most `limit`; False for padding and excluded ones."""
    assert lists.scores is not None
    if lists.of_ranks:  # no document has a score
        return np.zeros(lists.scores.shape, bool)
    scores = native_scores(lists.scores)
    if lists.float32:
        scores = as_float32(scores)
    low: Bools = scores <= limit
    if low.ndim == 2:
        low &= np.arange(low.shape[1]) < lists.layout.sizes[:, None]
    if lists.exclude is not None:
        low.reshape(-1)[lists.exclude.places(lists.layout.starts)] = False
    return low


def refuse_labels(lists: Lists, settings: Settings, name: str) -> None:
    """Refuse the first label that the convention's tool does not accept."""
    limit, allowed_labels = settings.largest_label, settings.labels
    lists = lists.with_excluded_as_zero()
    values = lists.labels.data if isinstance(lists.labels, Sparse) else lists.labels
    flat = pack(values, values.dtype).reshape(-1)
    if allowed_labels == "integer" and flat.dtype in (np.float32, np.float64):
        highest = np.inf if limit is None else limit
        if _core.are_small_and_whole(flat, highest):
            return
    starts = range(0, flat.size, LABELS_PER_CHECK)
    parts = (flat[start : start + LABELS_PER_CHECK] for start in starts)
    if all(_are_accepted(part, allowed_labels, limit).all() for part in parts):
        return
    accepted = "labels"
    if allowed_labels == "integer":
        accepted = "integer labels"
    if limit is not None:
        accepted += f" up to {limit:g}"
    if allowed_labels == "binary":
        accepted = "the labels 0 and 1 only"
    for index in range(len(lists)):
        labels, positions = lists.row(index)
        are_accepted = _are_accepted(labels, allowed_labels, limit)
        if not are_accepted.all():
            entry = int(are_accepted.argmin())
            document = lists.document(index, positions[entry])
            raise ValueError(
                f"{lists.called}: {lists.place(index)}, {document} has label {labels[entry]:g}, "
                f"but {name} under the convention {settings.convention} takes {accepted}; give "
                "such labels, or choose another convention"
            )


def _are_accepted(values: Array, kind: str, limit: float | None) -> Bools:
    """Whether each label is of the kind, "any", "integer" or "binary", and within the limit."""
    accepted: Bools = np.ones(values.shape, bool)
    if kind == "binary":
        accepted = (values == 0) | (values == 1)
    elif kind == "integer" and values.dtype.kind == "f":
        accepted = np.trunc(values) == values
    if limit is not None:
        accepted = accepted & (values <= limit)
    return accepted


def refuse_unknown(lists: Lists, family: Family) -> None:
    """Refuse a measure that needs judged nonrelevant documents, if the lists do not have them."""
    row = family.row
    if row.judged and lists.on_device:
        raise ValueError(
            f"{family.name} asks which documents were judged and found not relevant, whose ranks "
            "are not counted on a device; move y_score to the CPU"
        )
    if row.judged and lists.sparse and not lists.pool:
        raise ValueError(
            f"{family.name} asks which documents were judged and found not relevant, which sparse "
            "labels and ids of relevant items do not say; give dense labels, or evaluate qrels and "
            "a run"
        )
    if row.shape == "bpref" and lists.sparse and lists.runs is None:
        raise ValueError(
            f"{family.name} counts all that was judged, but the convention's lists know nothing "
            "beyond their own documents; choose a convention whose ideal is not the list's"
        )
    if row.shape == "bpref" and not lists.pool:
        raise ValueError(
            f"judged: {family.name} counts the judged documents that are not relevant, and zeros "
            "that fill up rows cannot be told from them; give a sequence of 1-D arrays"
        )


def refuse_padding(lists: Lists, row: _core.PlanRow, settings: Settings, name: str) -> None:
    """Refuse judged labels padded with 0 if values depend on whether a 0 was judged.

    They do if a 0 has a gain or is relevant, and in an ideal if it stands above negative gains.
    """
    is_over_ideal = "ideal" in row.finish or row.finish == "over_largest"
    reads_ideal = row.reads_ideal or is_over_ideal
    counts = row.rel is not None and row.rel <= 0
    counts |= reads_ideal and row.gain is not None and row.gain.zero_counts
    if lists.padding == "lists":
        counts = False  # mostly judgments: only those above negative gains are doubtful
    assert lists.runs is not None
    level, first = lists.runs.level, lists.runs.first
    below = np.zeros(len(level), bool)
    if reads_ideal and row.gain is not None:
        below = row.gain.of(level) < 0
    if not (counts or below.any()):
        return
    # A sparse matrix need not store the zeros that were judged, so all of its lists are doubtful.
    is_doubtful = level == 0
    if lists.padding == "sparse":
        is_doubtful = np.ones(len(level), bool)
    list_of_run = np.repeat(np.arange(len(lists)), np.diff(first))
    refused = np.bincount(list_of_run[is_doubtful], minlength=len(lists)) > 0
    if not counts:
        refused &= np.bincount(list_of_run[below], minlength=len(lists)) > 0
    if refused.any():
        raise ValueError(
            f"judged: {lists.place(int(refused.argmax()))}: here a judged label of 0 counts for "
            f"{name}, and zeros that fill up rows cannot be told from it; give a sequence of 1-D "
            "arrays"
        )


def refuse_judged_labels(lists: Lists, runs: _core.Runs, settings: Settings) -> None:
    """Refuse judged labels that the measure does not accept: the core does not check label runs."""
    level = runs.level
    faults = []
    if settings.negative == "raise":
        faults.append(("negative", level < 0))
    if settings.family.label_scale != "any":
        faults.append(("above_max", level > settings.max_label))
    for kind, bad in faults:
        if not bad.any():
            continue
        # The first such label run: at a document of its list, or at a judged label.
        run_index = int(bad.argmax())
        row = int(np.searchsorted(runs.first, run_index, side="right")) - 1
        of_row = slice(int(runs.first[row]), int(runs.first[row + 1]))
        bad_levels = level[of_row][bad[of_row]]
        values, positions = lists.row(row)
        is_bad = np.isin(values, bad_levels)
        code, position, value = f"judged_{kind}", 0, float(level[run_index])
        if is_bad.any():
            entry = int(is_bad.argmax())
            code, position, value = f"label_{kind}", int(positions[entry]), float(values[entry])
        limit = ""
        if kind == "above_max":
            limit = describe_label_limits([(settings.family, settings)], value)
        raise_fault((code, row, position, value), lists=lists, limit=limit)
