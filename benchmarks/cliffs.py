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
LABELS = ("labels all equal", "labels all zero", "half relevant", "labels all distinct")
DOUBLES = ("doubles that are one float", "constant doubles")
LONG = ("constant", "five values", "labels all distinct")
LIMIT = 3.0
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


def difficult_doubles(random: data.Floats) -> dict[str, Any]:
    """Doubles that differ in their tenth digit, where floats do not; and all the same."""
    return {
        "doubles that are one float": 1 + 1e-10 * random.astype(np.float64),
        "constant doubles": np.ones(random.shape),
    }


def difficult_labels(rng: np.random.Generator, lists: int, docs: int) -> dict[str, data.Floats]:
    return {
        "labels all equal": np.ones((lists, docs), dtype=np.float32),
        "labels all zero": np.zeros((lists, docs), dtype=np.float32),
        "half relevant": data.graded(rng, lists, docs, relevant=0.5),
        "labels all distinct": distinct(rng, lists, docs),
    }


def distinct(rng: np.random.Generator, lists: int, docs: int) -> data.Floats:
    """0 to docs - 1 in each list, in no order."""
    return rng.permuted(np.tile(np.arange(docs, dtype=np.float32), (lists, 1)), axis=1)


def sides(lists: int, docs: int, measure: str) -> Sides:
    function, k = FUNCTIONS[measure]
    rng = data.generator()
    random, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    cases: dict[str, tuple[Any, Any]] = {"random": (labels, random)}
    cases |= {name: (labels, scores) for name, scores in difficult_scores(random).items()}
    cases |= {name: (other, random) for name, other in difficult_labels(rng, lists, docs).items()}
    cases["random doubles"] = (labels, random.astype(np.float64) * (1 + 1e-10))
    cases |= {name: (labels, scores) for name, scores in difficult_doubles(random).items()}
    return {name: Side(partial(function, y, s, k=k)) for name, (y, s) in cases.items()}


def long_sides(lists: int, docs: int, measure: str) -> Sides:
    """Lists that leave the caches, and that are ranked in another way than short ones."""
    function, k = FUNCTIONS[measure]
    rng = data.generator()
    random, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    scores = difficult_scores(random)
    cases = {
        "random": (labels, random),
        "labels all distinct": (distinct(rng, lists, docs), random),
    }
    cases |= {name: (labels, scores[name]) for name in ("constant", "five values")}
    return {name: Side(partial(function, y, s, k=k)) for name, (y, s) in cases.items()}


def goals() -> tuple[Goal, ...]:
    return (
        *(Goal(Unit.SHARE, LIMIT, LIMIT, ("random",), (case,)) for case in (*SCORES, *LABELS)),
        *(Goal(Unit.SHARE, LIMIT, LIMIT, ("random doubles",), (case,)) for case in DOUBLES),
    )


def long_goals() -> tuple[Goal, ...]:
    return tuple(Goal(Unit.SHARE, LIMIT, LIMIT, ("random",), (case,)) for case in LONG)
