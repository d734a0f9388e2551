"""The same bits from every layout, dtype, memory order and way of asking."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import rankgain as rg
import strategies
from grids import LABELS, SCORES, asked, same_bits
from sampling import sampled

EVERY = pytest.mark.parametrize("measure", strategies.MEASURES)
RULES = [*strategies.TIES, "random"]

# ---- asked again: kept plans and the short way of plain arrays


@EVERY
@pytest.mark.parametrize("label", [np.float32, np.int8, np.int64, bool])
def test_rows_asked_again_have_the_same_bits(measure, label):
    """The second call on rows of plain arrays goes straight to the core, threads=2 never does."""
    function = getattr(rg, measure)
    cut = {} if measure in strategies.UNCUT else {"k": 7}
    for score, docs in itertools.product((np.float32, np.float64), (30, 12, 1)):
        labels, scores = LABELS[:, :docs].astype(label), SCORES[:, :docs].astype(score)
        for layout in (np.ascontiguousarray, np.asfortranarray):
            calls = [function(layout(labels), layout(scores), **cut) for _ in range(3)]
            whole = function(labels, scores, threads=2, **cut)
            single = [function(a, b, **cut) for a, b in zip(labels, scores, strict=True)]
            for result in (*calls, np.array(single)):
                same_bits(result, whole, (score, docs))


# ---- how lists are put together


@pytest.mark.parametrize(("measure", "ties"), sampled(strategies.MEASURES, RULES, one_in=6))
@settings(max_examples=25)
@given(batch=strategies.batches(max_size=20))
def test_ragged_layouts(measure: str, ties: str, batch: list[strategies.List]) -> None:
    function = getattr(rg, measure)
    arguments = asked(measure, ties=ties, **({"seed": 5} if ties == "random" else {}))
    sizes = [len(one[0]) for one in batch]
    labels = np.array([label for one in batch for label in one[0]], int)
    scores = np.array([score for one in batch for score in one[1]], float)
    by_group = function(labels, scores, group=sizes, **arguments)

    width = max(sizes, default=0) + 2
    padded = np.full((len(batch), width), np.inf), np.full((len(batch), width), np.nan)
    for i, one in enumerate(batch):
        padded[0][i, : sizes[i]], padded[1][i, : sizes[i]] = one
    same_bits(function(*padded, lengths=sizes, **arguments), by_group, "padded")
    truth = rg.Truth(labels, group=sizes)
    same_bits(function(truth, scores, **arguments), by_group, "Truth")
    if ties != "random":  # draws depend on the index of the list
        for i, one in enumerate(batch):
            same_bits(function(*one, **arguments), by_group[i], "alone")
        kept = [i for i, size in enumerate(sizes) if size]
        qid = np.repeat(np.arange(len(sizes)) * 7, sizes)
        same_bits(function(labels, scores, qid=qid, **arguments), by_group[kept], "qid")


# ---- what is asked


@pytest.mark.parametrize(
    "options", [{}, {"bounds": "unjudged"}, {"convention": "torchmetrics"}], ids=str
)
def test_csr_may_have_room_for_more_entries(options: dict[str, Any]) -> None:
    """Where the last list ends, data and indices may go on."""

    def answer(room: int) -> rg.Evaluation:
        data, indices = np.array([2, 1, 1] + [9] * room), np.array([0, 2, 1] + [0] * room)
        out = np.ones(1 + room), np.array([1] + [0] * room), np.array([0, 1, 1])
        scores = np.array([[0.9, 0.5, 0.7], [0.3, 0.1, -1]])
        labels = data, indices, np.array([0, 2, 3])
        return rg.evaluate_arrays(labels, scores, ["nDCG", "AP"], exclude=out, **options)

    assert answer(2) == answer(0)
    assert answer(2).bound_means == answer(0).bound_means
