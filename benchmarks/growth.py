"""How cost grows with list length, number of lists, k, measures and threads."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import array_workloads as arrays
import data
import numpy_reference as reference
import rankgain as rg
from measuring import Clock, Effort, Side, Sides, Times, measure

DOCUMENTS = 4_000_000
"""Documents of one point where the length of lists varies."""


@dataclass(frozen=True)
class Series:
    """One quantity that varies, the sides at each of its values, and how many lists those have."""

    name: str
    title: str
    points: tuple[int, ...]
    sides: Callable[[int], Sides]
    lists: Callable[[int], int]
    wall: bool = False


Grown = dict[int, Times]
"""Seconds per list of each side, by point."""


def three(lists: int, docs: int, k: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    k = min(k, docs)
    return {
        "rankgain": arrays.ours(labels, scores, k=k),
        "read limit": arrays.limit(scores, labels),
        "NumPy": Side(
            partial(reference.ndcg, labels, scores, k, fastest_order(docs, k)), arrays.per_list
        ),
    }


def fastest_order(docs: int, k: int) -> reference.Order:
    """argsort is ahead of argpartition on short lists and where most of a list is wanted."""
    short = docs < 300 or k * 2 > docs
    return reference.top_by_argsort if short else reference.top_by_argpartition


def by_length(docs: int) -> Sides:
    return three(DOCUMENTS // docs, docs, 10)


def by_lists(lists: int) -> Sides:
    return three(lists, 100, 10)


def by_k(k: int) -> Sides:
    return three(2_000, 1_000, k)


def by_measures(count: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, 4_000, 1_000), data.graded(rng, 4_000, 1_000)
    # Deepest cutoffs first: one measure already ranks as deep as all of them do.
    names = sorted(arrays.MANY, key=lambda name: -int(name.rpartition("@")[2]))[:count]
    return {
        "rankgain": Side(partial(rg.evaluate_arrays, labels, scores, names)),
        "read limit": arrays.limit(scores, labels),
    }


def by_threads(threads: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, 10_000, 1_000), data.graded(rng, 10_000, 1_000)
    return {
        "rankgain": arrays.ours(labels, scores, k=10, threads=threads),
        "read limit": arrays.limit(scores, labels, threads=threads),
    }


def thread_counts() -> tuple[int, ...]:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return tuple(2**i for i in range(8) if 2**i <= max(2, usable or 1))


SERIES = (
    Series(
        "length",
        "documents in a list, nDCG@10, 4 million documents in all",
        (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000),
        by_length,
        lambda docs: DOCUMENTS // docs,
    ),
    Series(
        "k",
        "k, nDCG@k, 2,000 lists of 1,000",
        (1, 3, 10, 30, 100, 300, 1_000),
        by_k,
        lambda _: 2_000,
    ),
    Series(
        "lists",
        "number of lists of 100, nDCG@10",
        (1, 10, 100, 1_000, 10_000, 100_000),
        by_lists,
        lambda lists: lists,
    ),
    Series(
        "measures",
        "measures in one call, 4,000 lists of 1,000",
        (1, 4, 12, 24, 48),
        by_measures,
        lambda _: 4_000,
    ),
    Series(
        "threads",
        "threads, nDCG@10, 10,000 lists of 1,000",
        thread_counts(),
        by_threads,
        lambda _: 10_000,
        wall=True,
    ),
)


def grow(series: Series, effort: Effort) -> Grown:
    grown = {}
    if series.wall:
        effort = replace(effort, clock=Clock.WALL)
    for point in series.points:
        seconds = measure(series.sides(point), effort).seconds
        grown[point] = {side: time / series.lists(point) for side, time in seconds.items()}
    return grown
