"""Measures of the parts of queries: their lists, and the step from the walk's value to theirs.

Formulas and sources are in docs/reference/definitions.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..inputs.lists import Layout, Lists, add_sizes, prepare
from ..inputs.parts import ListParts
from ..inputs.sparse import Sparse
from .plan import make_weight_table
from .settings import Computation, Family, Settings

if TYPE_CHECKING:
    from ..inputs.types import Floats, Integers

DEEPEST_SUM = 1 << 22  # ranks

Measures: TypeAlias = "Sequence[tuple[Family, Settings]]"
# Computes the values of measures for lists, a column for each measure.
Evaluate: TypeAlias = "Callable[[Measures, Lists], Floats]"

STRECALL = Family(
    "StRecall",
    "subtopic_recall",
    (),
    row=Computation(
        "part_dot",
        "value",
        weights="ones",
        reads="parts",
        level="alpha",
        averages=False,
        part_divisor="parts",
    ),
)


def without_parts(family: Family) -> ValueError:
    """The error for a measure of subtopics on judgments that have none."""
    return ValueError(
        f"{family.name} is a measure of subtopics, and these judgments have no labels for "
        "subtopics. Pass rankgain.Qrels(path, subtopics=True), Qrels.from_frame(frame, "
        "subtopic=...) or a dict query -> document -> subtopic -> label to evaluate, or groups of "
        "relevant ids to evaluate_ids"
    )


def read_parts(lists: Lists, reads: str) -> Lists:
    """The lists with the numbers of the judged documents, or their gains, in place of labels."""
    parts = lists.parts
    assert parts is not None  # lists without parts are refused
    labels = lists.stored._replace(data=parts.documents, rank_bits=None)
    if reads == "parts":
        return lists.replace(labels=labels)
    # Gains may be 0, which hits that are stored by rank are not.
    numbers = parts.documents.astype(np.int64)
    gain_of_number = np.append(0.0, parts.judged.gains())  # 0 is no judged document
    gains = gain_of_number[numbers]
    lists = lists.replace(labels=labels._replace(data=gains, ranked=False))
    return lists.with_runs(_runs_of_gains(parts))


def _runs_of_gains(parts: ListParts) -> Any:
    """The gains of all judged documents of each list, descending, as runs of equal ones."""
    judged = parts.judged
    if "descending" not in judged.cached_gains:
        gains = judged.gains()
        query = np.repeat(np.arange(len(judged.names)), np.diff(judged.lists))
        order = np.lexsort((-gains, query))
        judged.cached_gains["descending"] = gains[order]
    queries = _query_numbers(parts)
    starts, stops = judged.lists[:-1][queries], judged.lists[1:][queries]
    return prepare(judged.cached_gains["descending"], starts, stops, "qrels")


def _query_numbers(parts: ListParts) -> Integers:
    """The number of the query of each list among the judged queries."""
    if parts.queries is None:
        return np.arange(len(parts.judged.names))
    return parts.queries


def rank_ideally(lists: Lists, settings: Settings) -> Lists:
    """The greedy ideal ranking of each list, as deep as the cutoff, as lists of their own."""
    parts = lists.parts
    assert parts is not None
    depth = lists.longest  # no ideal is deeper, as judged documents are counted, too
    if settings.k is not None:
        depth = min(settings.k, depth)
    if settings.family.row.weights == "beta":
        # Gains never rise, so after these ranks no term is as large as half of the sum's last bit.
        bits_per_rank = -math.log2(max(settings.beta, 0.5**54))
        depth = min(depth, 2 + int(54 / bits_per_rank))
    ideal = parts.judged.ideal(settings.rel, settings.alpha, depth)
    queries = _query_numbers(parts)
    starts = ideal.indptr[:-1][queries]
    sizes = np.diff(ideal.indptr)[queries]
    # The ranks of each list, and where these are among the ideal rankings of all queries.
    indptr = add_sizes(sizes)
    ranks = np.arange(indptr[-1]) - np.repeat(indptr[:-1], sizes)
    positions = ranks + np.repeat(starts, sizes)
    numbers = 1.0 + ideal.documents[positions]
    layout = Layout(indptr[:-1], indptr[1:], False, lists.layout.queries)
    return Lists(
        layout,
        Sparse(numbers, ranks, indptr, None),
        judgments=lists.judgments,
        pool=lists.pool,
        parts=ListParts(parts.judged, numbers, parts.queries),
        called=lists.called,
    )


def find_ideals(measures: Measures, lists: Lists, evaluate: Evaluate) -> dict[int, Floats]:
    """The values of the ideal rankings, by the index of the measure that divides by them."""
    # Measures with the same ideal rankings are evaluated together.
    groups: dict[tuple[float, float, float | None], list[int]] = {}
    for index, (family, settings) in enumerate(measures):
        if family.row.part_divisor == "ideal":
            beta = None
            if family.row.weights == "beta":
                beta = settings.beta
            groups.setdefault((settings.rel, settings.alpha, beta), []).append(index)
    result: dict[int, Floats] = {}
    for members in groups.values():
        undivided = []
        for index in members:
            _, settings = measures[index]
            undivided.append(_undivided(settings))
        cutoffs = [settings.k for _, settings in undivided if settings.k is not None]
        # Measures of one group all have a cutoff, or none: only those of NRBP have none, and their
        # beta is part of the group.
        deepest = max(cutoffs, default=None)
        _, settings = undivided[0]
        ranked = rank_ideally(lists, settings._replace(k=deepest))
        values = evaluate(undivided, ranked)
        result |= zip(members, values.T, strict=True)
    return result


def _undivided(settings: Settings) -> tuple[Family, Settings]:
    """A measure whose value is that of its walk over lists without ties."""
    row = settings.family.row._replace(part_divisor="")
    family = settings.family._replace(row=row)
    return family, settings._replace(family=family, ties="stable", score_dtype=None, drop=None)


def finish_parts(
    column: Floats, lists: Lists, settings: Settings, ideal: Floats | None, evaluate: Evaluate
) -> Floats:
    """The values of a measure of parts, from those of its walk; NaN without a covered part.

    column: the values of the walk; for D#_nDCG, gamma * recall + (1 - gamma) * D_nDCG, those of
    D_nDCG. ideal: the values of the ideal rankings, if they are the divisor.
    """
    parts = lists.parts
    assert parts is not None
    kind = settings.family.row.part_divisor
    if kind == "gamma":
        recall = settings._replace(family=STRECALL, alpha=1.0)
        recalls = evaluate([(STRECALL, recall)], lists)[:, 0]
        return settings.gamma * recalls + (1.0 - settings.gamma) * column
    sizes = parts.judged.covered(settings.rel).sizes[_query_numbers(parts)]
    divisor: Floats | float = sizes
    if kind == "ideal":
        assert ideal is not None
        divisor = ideal
    elif kind == "full" and settings.k == 1:
        divisor = np.ones(len(sizes))  # as ndeval
    elif kind == "full":
        divisor = sizes * _value_of_full_cover(settings)
    elif kind == "cells":
        assert settings.k is not None  # it is required
        divisor = float(settings.k) * sizes
    elif kind == "persistence":
        divisor = sizes / (1.0 - (1.0 - settings.alpha) * settings.beta)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sizes > 0, column / divisor, np.nan)


def _value_of_full_cover(settings: Settings) -> float:
    """The value of k documents that all cover one part: sum of (1 - alpha)**(r - 1) * weight."""
    assert settings.k is not None  # it is required
    if settings.k > DEEPEST_SUM:
        raise ValueError(
            f"{settings.family.name} adds up its divisor over k ranks; give a cutoff of at most "
            f"{DEEPEST_SUM}, not {settings.k}"
        )
    kind = settings.family.row.weights
    assert kind is not None
    weights = make_weight_table(kind, 2.0, settings.k)
    novelties = make_weight_table("decay", 1.0 - settings.alpha, settings.k)
    return float(np.add.accumulate(weights * novelties)[-1])
