"""The public measure functions, and suggestions for names that the package does not have."""

from collections.abc import Iterable

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
from .catalogue import SPELLINGS
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


def absent(name: str, others: Iterable[str]) -> str:
    """The end of the error for a missing attribute: the name that was probably intended."""
    from difflib import get_close_matches  # imported only for the error

    short = name.lower().removesuffix("_at_k").removesuffix("_score")
    result = SPELLINGS.get({"hits": "hit_rate", "p": "precision"}.get(short, short))
    if result is None:
        if name.startswith("evaluate_d"):  # ..._df, ..._dataframe
            return "; did you mean evaluate_frame?"
        near = get_close_matches(name, [*__all__, *others], n=2)
        return f"; did you mean {' or '.join(near)}?" if near else ""
    family = result.family
    if family.function in __all__:
        return f"; did you mean {family.function}?"
    return f"; {family.name} has no function; evaluate... take it by name"
