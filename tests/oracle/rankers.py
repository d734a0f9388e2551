"""The hits of one list as the core finds them, and as plain Python does."""

import itertools
from collections.abc import Sequence
from typing import Any

import reference
from rankgain import _core
from rankgain.convention import get_convention
from rankgain.engine.columns import MeasureColumns
from rankgain.engine.threads import batches
from rankgain.evaluation.one_pass import complete_settings
from rankgain.inputs.lists import Lists
from rankgain.inputs.truth import read_lists
from rankgain.measures.measure import parse_measure

Block = tuple[int, int, list[float]]  # first rank from 0, documents, labels of its hits
MASK = (1 << 64) - 1


def found(lists: Lists, measure: str, at: int = 0, **given: Any) -> tuple[set[str], list[Block]]:
    """The rankers that a list goes through when this measure is asked, and its hits."""
    requested = complete_settings(parse_measure(measure), given, get_convention("rankgain"))
    ((plan, _, seen),) = MeasureColumns([requested], lists).plans
    (batch,) = batches(seen, 0, len(seen))
    parts = batch.scores, batch.labels, batch.starts, batch.stops, seen.runs, batch.order
    answer: Any = _core.hits(plan, *parts, at)
    assert len(answer) == 2, answer
    return set(answer[0]), answer[1]


def found_in(
    labels: Any, scores: Any, measure: str, *, ids: Any = None, judged: Any = None, **given: Any
) -> tuple[set[str], list[Block]]:
    """The same for labels and scores of one list, or of rows with one."""
    return found(read_lists(labels, scores, ids=ids, judged=judged), measure, **given)


def wanted(
    labels: Sequence[float],
    scores: Sequence[float] | None,
    depth: int,
    *,
    ties: str = "average",
    ids: Sequence[Any] | None = None,
    seed: int = 0,
    zeros: bool = False,
    at: int = 0,
) -> list[Block]:
    """The hits above `depth` by definition; zeros: documents of label 0 are hits too."""
    blocks: list[Block] = []
    rank = 0
    for block in reference.tie_blocks(scores, len(labels)):
        for one in [block] if ties == "average" else ordered(block, labels, ties, ids, seed, at):
            hits = sorted((labels[i] for i in one if zeros or labels[i]), reverse=True)
            if hits and rank < depth:
                blocks.append((rank, len(one), hits))
            rank += len(one)
    return blocks


def ordered(
    block: list[int], labels: Sequence[float], ties: str, ids: Any, seed: int, at: int
) -> list[list[int]]:
    """The documents of a tie block one by one."""
    if ties == "random":
        draw = mixed((seed + 0x9E3779B97F4A7C15 * (at + 1)) & MASK)
        block = sorted(block, key=lambda i: (mixed((draw + i) & MASK), i))
    else:
        block = reference.order_block(block, ties, labels, ids)
    return [[i] for i in block]


def mixed(x: int) -> int:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def above(blocks: list[Block], depth: int) -> list[Block]:
    """The blocks that begin above a depth: what stands below does not count."""
    return list(itertools.takewhile(lambda block: block[0] < depth, blocks))
