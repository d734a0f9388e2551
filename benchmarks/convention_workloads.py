"""The sides of the workloads on conventions, orders of ties, bounds and reconcile: ours alone."""

from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import data
import rankgain as rg
from measuring import Side, Sides

# Each differs from the plain call in another way: where the ideal comes from, gains and refused
# labels, float32 scores, orders of ties, dropped scores, ties that would need ids.
NAMES = ("sklearn", "lightgbm", "xgboost", "catboost", "torchmetrics", "rectools")
NEED_IDS = ("pytrec_eval",)
"""Ties stand by id there, and arrays have none: that no scores tie is made sure of first."""
RULES = ("best", "worst", "stable", "reverse", "random")
ASKED = ((1.2, NAMES), (1.5, NEED_IDS))
RULES_ASKED = ((1.2, RULES),)
"""How many times the plain call's time each of these may take."""


def conventions(lists: int, docs: int, measure: str) -> Sides:
    """The plain call, and the same measure under each convention; scores do not tie."""
    rng = data.generator()
    scores = data.tie_free(rng, lists, docs)
    labels = data.graded(rng, lists, docs)
    plain = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"plain": Side(plain)} | {
        name: Side(partial(plain, convention=name)) for name in (*NAMES, *NEED_IDS)
    }


def tie_rules(lists: int, docs: int, measure: str) -> Sides:
    """The plain call, which averages, and the same measure under each rule; scores tie."""
    rng = data.generator()
    scores = np.floor(rng.random((lists, docs), np.float32) * docs)
    labels = data.graded(rng, lists, docs)
    plain = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"plain": Side(plain)} | {rule: Side(partial(plain, ties=rule)) for rule in RULES}


def tie_bounds(lists: int, docs: int, measure: str) -> Sides:
    rng = data.generator()
    scores = np.floor(rng.random((lists, docs), np.float32) * docs)
    labels = data.graded(rng, lists, docs)
    plain = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"rankgain": Side(partial(plain, bounds="ties")), "plain": Side(plain)}


def unjudged_bounds(lists: int, docs: int, measure: str) -> Sides:
    """One document in ten is judged."""
    rng = data.generator()
    scores = data.tie_free(rng, lists, docs)
    held = rng.random((lists, docs)) < 0.1
    labels = sp.csr_matrix((data.graded(rng, lists, docs) + 1) * held)
    plain = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"rankgain": Side(partial(plain, bounds="unjudged")), "plain": Side(plain)}


def reconcile(lists: int, docs: int, measure: str) -> Sides:
    rng = data.generator()
    scores = np.floor(rng.random((lists, docs), np.float32) * docs)
    labels = data.graded(rng, lists, docs)
    walk: Any = partial(rg.reconcile, labels, scores, measure=measure)
    return {"rankgain": Side(partial(walk, "sklearn", "lightgbm"))}
