"""Inputs on which a ranking may fall off a cliff, each beside random scores of the same size."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import data
import rankgain as rg
from goals import Goal, Unit
from measuring import Side, Sides

SCORES = ("ascending", "descending", "constant", "five values", "int8-quantised")
LABELS = ("labels all equal", "labels all zero", "half relevant")
LIMIT_WITH_CUTOFF, LIMIT_UNCUT = 3.0, 10.0
FUNCTIONS: dict[str, tuple[Callable[..., Any], int | None]] = {
    "nDCG@10": (rg.ndcg, 10),
    "AP@100": (rg.average_precision, 100),
    "RR@100": (rg.reciprocal_rank, 100),
    "nDCG": (rg.ndcg, None),
    "AP": (rg.average_precision, None),
    "RR": (rg.reciprocal_rank, None),
}


def difficult_scores(random: data.Floats) -> dict[str, data.Floats]:
    ascending = np.sort(random, axis=1)
    # An 8-bit quantised model: 256 steps over four standard deviations each way.
    steps = np.clip(np.round(random * 32), -128, 127).astype(np.float32)
    return {
        "ascending": ascending,
        "descending": np.ascontiguousarray(ascending[:, ::-1]),
        "constant": np.ones_like(random),
        "five values": np.clip(np.round(random), -2, 2).astype(np.float32),
        "int8-quantised": steps,
    }


def difficult_labels(rng: np.random.Generator, lists: int, docs: int) -> dict[str, data.Floats]:
    return {
        "labels all equal": np.ones((lists, docs), dtype=np.float32),
        "labels all zero": np.zeros((lists, docs), dtype=np.float32),
        "half relevant": data.graded(rng, lists, docs, relevant=0.5),
    }


def sides(lists: int, docs: int, measure: str) -> Sides:
    function, k = FUNCTIONS[measure]
    rng = data.generator()
    random, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    cases = {"random": (labels, random)}
    cases |= {name: (labels, scores) for name, scores in difficult_scores(random).items()}
    cases |= {name: (other, random) for name, other in difficult_labels(rng, lists, docs).items()}
    return {name: Side(partial(function, y, s, k=k)) for name, (y, s) in cases.items()}


def goals(measure: str) -> tuple[Goal, ...]:
    bound = LIMIT_UNCUT if FUNCTIONS[measure][1] is None else LIMIT_WITH_CUTOFF
    return tuple(
        Goal(Unit.SHARE, bound, bound, ("random",), (case,)) for case in (*SCORES, *LABELS)
    )
