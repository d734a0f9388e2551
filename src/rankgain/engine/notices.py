"""Warnings about inputs that are valid, but probably mistakes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import numpy as np

from ..inputs.lists import Lists
from ..inputs.printable import count_of
from ..inputs.sparse import Sparse, sparse_positions
from .plan import is_binary
from .settings import Family, Settings

if TYPE_CHECKING:
    from ..inputs.types import Floats, Integers

MAX_NAMED_MEASURES = 3
LONG_LIST = 500  # documents from which on one flat list may hold the documents of many queries
GRADES = 5  # distinct labels that a scale of grades has at least
LARGEST_GRADE = 10  # of the scales that people judge with
LOOKED_AT = 1000  # documents that show whether labels and scores are swapped
EVALUATED: ContextVar[str] = ContextVar("EVALUATED", default="")  # such as "run 'bm25': "


class RankgainWarning(UserWarning):
    """A value was computed, but the input is probably a mistake."""


@contextmanager
def named_in_warnings(kind: str, name: object) -> Iterator[None]:
    """Begin warnings with the name of one of several runs or models."""
    token = EVALUATED.set(f"{kind} {name!r}: ")
    try:
        yield
    finally:
        EVALUATED.reset(token)


def warn(message: str, *, of_all: bool = False) -> None:
    """Warn at the line outside this package that made the call.

    of_all: the warning holds for all evaluated runs, so it names none; otherwise Python would print
    it for each run.
    """
    if not of_all:
        message = f"{EVALUATED.get()}{message}"
    # With the dots, "rankgain" itself begins with the package, but "rankgain_x" does not.
    package, level = "rankgain.", 1
    frame = sys._getframe(0)
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, RankgainWarning, stacklevel=level)


def name_some(names: Sequence[str]) -> str:
    """The first names, and the number of the others."""
    n_others = len(names) - MAX_NAMED_MEASURES
    if n_others <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:MAX_NAMED_MEASURES])} and {n_others} more"


def warn_of_columns(lists: Lists) -> None:
    """Warn of several lists with one scored document each: probably column vectors."""
    if len(lists) > 1 and lists.scores is not None and (lists.layout.sizes == 1).all():
        warn(
            f"each of the {len(lists)} lists has one document, so there is nothing to rank: a "
            "column vector is one list per row; give flat arrays (such as y[:, 0]), with "
            "group= or qid= if these are several lists",
            of_all=True,
        )


def warn_of_gaps(
    lists: Lists,
    requested: Sequence[tuple[Family, Settings]],
    warned: set[str],
    rows: Integers | None = None,
) -> None:
    """Warn, once in a call, of measures of whole lists if some ranks are not in the table.

    rows: how many rows each list has in the table, if its ranks were counted.
    """
    if "gaps" in warned:
        return
    if rows is None:
        rows = lists.layout.sizes
    has_gap = lists.lengths != rows
    if not has_gap.any():
        return
    names: dict[str, None] = {}
    for family, settings in requested:
        if family.needs_whole_lists or settings.share is not None:
            names[family.name] = None
    if names:
        warned.add("gaps")
        first = int(has_gap.argmax())
        last_rank = int(lists.lengths[first])
        warn(
            f"{name_some(list(names))}: the value depends on all documents of a list, but "
            f"{lists.place(first)} has {count_of(rows[first], 'row')} and the last rank "
            f"{last_rank}; the list is taken to end there, and documents without a row as not "
            "relevant. Add the missing rows, or remove the measure"
        )


def warn_of_excluded_lists(lists: Lists) -> None:
    """Warn if the excluded documents of several lists are all those with a label above 0."""
    if lists.exclude is None or not lists.all_returned:
        return
    labels, starts, stops = lists.labels, lists.layout.starts, lists.layout.stops
    if isinstance(labels, Sparse):
        relevant = labels.places(starts)[labels.values > 0]
    else:
        cells = np.flatnonzero(labels.reshape(-1) > 0)
        relevant = sparse_positions(cells, starts, stops).places(starts)
    is_excluded = np.zeros(int(stops.max(initial=0)), bool)
    is_excluded[lists.exclude.places(starts)] = True
    if is_excluded[relevant].all():
        n_lists = len(np.unique(np.searchsorted(starts, relevant, side="right")))
        warn_of_exclusion(len(relevant), n_lists, "items")


def warn_of_exclusion(n_relevant: int, n_lists: int, noun: str) -> None:
    """Warn that all relevant documents of several lists, called `noun`, are excluded.

    In a single list, all relevant items may well be known from the training data.
    """
    if n_lists > 1:
        warn(
            f"exclude removes all {n_relevant} relevant {noun}, so nothing relevant is left. Did "
            f"you pass the test {noun} as exclude? Pass the {noun} to leave out, such as those of "
            "the training data",
            of_all=True,
        )


def warn_of_one_list(lists: Lists, warned: set[str]) -> None:
    """Warn of a long flat list with many graded labels: probably several queries without group=.

    The results of one query may be as long, but few of them are relevant, or labels have few
    grades. Counts and other labels without a scale are no sign of several queries.
    """
    labels = lists.labels
    if lists.scores is None or not isinstance(labels, np.ndarray) or labels.size < LONG_LIST:
        return
    values, counts = np.unique(labels, return_counts=True)
    if not GRADES <= len(values) <= 2 * GRADES + 1:
        return
    # A scale has no gaps, and its grades above the lowest are a fifth of the documents or more.
    are_whole = bool((values == np.rint(values)).all())
    if not are_whole or values[-1] - values[0] != len(values) - 1:
        return
    if counts[1:].sum() < 0.2 * labels.size or counts.min() < 2:
        return
    warned.add("one list")
    warn(
        f"{lists.called} is one list of {labels.size} documents with labels {values[0]:g} to "
        f"{values[-1]:g}; if these are the documents of several queries, give group= or qid="
    )


def warn_of_swap(lists: Lists, measures: Sequence[tuple[Family, Settings]]) -> bool:
    """Warn if labels look like scores and scores like labels; returns whether they do.

    Labels are all fractions, and at least half of them differ. Scores are grades: whole numbers
    from 0 to LARGEST_GRADE, of which at least half are 0, unlike positions and most quantised
    scores. A gain or a threshold of the caller's is meant for such labels.
    """
    labels, scores = lists.labels, lists.scores
    if not isinstance(scores, np.ndarray) or not isinstance(labels, np.ndarray):
        return False
    # Labels are mostly whole numbers, so that this look at the first one is all the cost.
    if labels.dtype.kind != "f" or not labels.size or float(labels.flat[0]).is_integer():
        return False
    if lists.longest <= 2:  # half of the positions of two documents are 0
        return False
    if any(not isinstance(settings.gain, str) or settings.rel != 1 for _, settings in measures):
        return False
    labels = np.asarray(labels.flat[:LOOKED_AT])
    grades = np.asarray(scores.flat[:LOOKED_AT])
    if (labels == np.rint(labels)).any() or 2 * len(np.unique(labels)) < len(labels):
        return False
    values, counts = np.unique(grades, return_counts=True)
    are_grades = bool((values == np.rint(values)).all()) and values[-1] <= LARGEST_GRADE
    if not are_grades or values[0] != 0 or 2 * counts[0] < len(grades) or len(values) < 2:
        return False
    warn(
        f"all labels are fractions (such as {labels[0]:g}) and all scores are small whole numbers "
        f"(such as {values[-1]:g}). Did you swap y_true and y_score?"
    )
    return True


def takes_negative(family: Family, settings: Settings) -> bool:
    """Whether a negative label counts differently from a label of 0, or is refused."""
    row = family.row
    if row.judged or family.compute is not None:
        return True
    if row.gain in ("labels", "scaled"):
        return False
    if row.gain is None or is_binary(settings.gain):
        return settings.rel < 0
    return settings.floor < 0


def warn_of_padding(
    lists: Lists, requested: Sequence[tuple[Family, Settings]], warned: set[str]
) -> None:
    """Warn, once in a call, of negative labels in measures that count them as not relevant.

    Flat labels that are -1 and 1 alone are two classes and no padding.
    """
    if lists.sparse or "padding" in warned:
        return
    names: dict[str, None] = {}
    for family, settings in requested:
        if not takes_negative(family, settings):
            names[family.name] = None
    if not names:
        return
    labels = lists.with_excluded_as_zero().labels
    assert isinstance(labels, np.ndarray)
    flat = labels.reshape(-1)
    starts, stops = lists.layout.starts, lists.layout.stops
    cells = sparse_positions(np.flatnonzero(flat < 0), starts, stops)
    if not len(cells.indices):
        return
    values = flat[cells.places(starts)]
    if labels.ndim == 1 and (values == -1).all():
        classes = np.abs(labels)
        if (classes == 1).all():
            return
    warned.add("padding")
    # The first negative label: its list is the last one with no entry before it.
    row = int(np.searchsorted(cells.indptr, 0, side="right")) - 1
    place = f"{lists.place(row)}, {lists.document(row, int(cells.indices[0]))}"
    label = f"{values[0]:g}"
    count = "count"
    if len(names) == 1:
        count = "counts"
    warn(
        f"{lists.called}: {place} has the label {label}, and {name_some(list(names))} {count} it "
        f"as a document that is not relevant; if labels below 0 are padding, pass ignore={label} "
        "to leave them out"
    )


def _warn_of_clipped_labels(
    lists: Lists, requested: Sequence[tuple[Family, Settings]], warned: set[str]
) -> None:
    """Warn, once in a call, of labels above the max_rel of a measure, which count as max_rel."""
    limits = []
    for family, settings in requested:
        if settings.max_rel is not None:
            limits.append((settings.max_rel, family.name))
    if not limits or "max_rel" in warned:
        return
    if lists.judgments is not None:
        largest = float(lists.judgments.runs.level.max(initial=0.0))
    else:
        largest = float(lists.with_excluded_as_zero().stored.values.max(initial=0.0))
    max_rel, name = min(limits)
    if largest > max_rel:
        warned.add("max_rel")
        warn(
            f"{name}: the largest label is {largest:g}, above max_rel={max_rel:g}, and counts as "
            "max_rel; pass the largest label of the scale",
            of_all=True,
        )


def warn_of_labels(
    lists: Lists, requested: Sequence[tuple[Family, Settings]], warned: set[str]
) -> None:
    """Warn, once in a call, of sparse labels that a measure cannot tell apart or that none uses.

    All labels above 0 are below a binary measure's rel, or some are above a max_rel.
    """
    _warn_of_clipped_labels(lists, requested, warned)
    if "labels" in warned:
        return
    binary = []
    for family, settings in requested:
        if _is_of_relevance(family, settings):
            binary.append((family.name, settings.rel))
    if not binary:
        return
    largest_rel = max(rel for _, rel in binary)
    largest_label = 0.0
    if lists.judgments is not None:
        levels = lists.judgments.runs.level
        if (levels[:1] >= largest_rel).any():  # the largest label of the first list: mostly enough
            return
        largest_label = float(levels.max(initial=0.0))
    stored = lists.with_excluded_as_zero().stored.values
    largest_label = max(largest_label, float(stored.max(initial=0.0)))
    missed = [(name, rel) for name, rel in binary if 0 < largest_label < rel]
    if missed:
        warned.add("labels")
        _, first_rel = missed[0]
        names = name_some(list(dict(missed)))
        warn(
            f"no label reaches rel={first_rel:g}, so nothing is relevant to {names}; the largest "
            f"label is {largest_label:g}: give rel=, the lowest label of a relevant document",
            of_all=True,
        )


def warn_of_fractions(
    lists: Lists,
    requested: Sequence[tuple[Family, Settings]],
    values: Floats,
    warned: set[str],
) -> bool:
    """Warn, once in a call, of dense labels that are all below 1 where rel=1 finds none relevant.

    values: a column for each measure. Of another rel nothing is said: a list may well have no such
    label, but labels between 0 and 1 are never what rel=1 is meant for. Returns whether it warned.
    """
    labels = lists.labels
    if not isinstance(labels, np.ndarray) or labels.dtype.kind != "f":
        return False
    if not labels.size or not warned.isdisjoint(("labels", "swap")):
        return False
    names: dict[str, None] = {}
    for index, (family, settings) in enumerate(requested):
        if settings.rel == 1 and _is_of_relevance(family, settings):
            if (values[:, index] > 0).any():  # most calls end here
                return False
            names[family.name] = None
    if not names:
        return False
    largest = float(labels.max())
    if not 0 < largest < 1:
        return False
    warned.add("labels")
    warn(
        f"all labels are below rel=1, so nothing is relevant to {name_some(list(names))}; the "
        f"largest label is {largest:g}: give rel=, the lowest label of a relevant document, or "
        "check that labels and scores are not swapped",
        of_all=True,
    )
    return True


def _is_of_relevance(family: Family, settings: Settings) -> bool:
    """Whether labels are relevant or not to a measure, instead of gains."""
    row = family.row
    if row.gain is None:
        return bool(row.counts_relevant)
    return is_binary(settings.gain) and row.gain not in ("labels", "scaled")
