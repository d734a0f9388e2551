"""The measure functions, each beside its row: `help` of one explains all its arguments."""

from .binary import (
    auc,
    average_precision,
    f1,
    hit_rate,
    precision,
    r_precision,
    recall,
    reciprocal_rank,
)
from .graded import cg, dcg, err, idcg, ndcg, rbp

__all__ = [
    "auc",
    "average_precision",
    "cg",
    "dcg",
    "err",
    "f1",
    "hit_rate",
    "idcg",
    "ndcg",
    "precision",
    "r_precision",
    "rbp",
    "recall",
    "reciprocal_rank",
]
