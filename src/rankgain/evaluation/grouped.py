"""Grouped AUC: one number for all lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arrays import evaluate_arrays

if TYPE_CHECKING:
    from ..inputs.types import Group, HasCSR, Labels, Scores, Weight


def gauc(
    y_true: Labels,
    y_score: Scores,
    *,
    qid: Group = None,
    group: Group = None,
    weight: Weight = None,
    exclude: HasCSR | None = None,
    rel: float = 1.0,
    threads: int | None = 1,
) -> float:
    """Mean of the AUC of lists, over those that have both classes (GAUC).

    `evaluate_arrays(..., "GAUC(weight=documents)")` computes the same mean, gives the values of the
    lists, and prints how many were left out.

    Parameters
    ----------
    y_true : array of shape (documents,) or (lists, documents)
        Labels; those of at least `rel` are positive.
    y_score : array of the same shape
        Scores, larger is better. Equal scores count half.
    qid : an id for each document, optional
        The list (user, session) that each document is of, in any order.
    group : sizes of the lists, optional
        Instead of qid, for lists one after the other.
    weight : None, "documents", "positives" or array of shape (lists,)
        None weights lists equally; "documents" by their number of documents, "positives" by that
        of relevant ones; an array has a finite weight >= 0 for each list.
    exclude : scipy.sparse CSR, optional
        Documents left out of each list.
    rel : float
        Labels >= rel are relevant.
    threads : int of at least 1, -1 or None
        Threads to use; -1 and None for all usable cores.

    Returns
    -------
    float
        In [0, 1]; nan where no list has both classes.

    A NaN score, a label that is not finite and shapes that differ are a ValueError.

    >>> import rankgain as rg
    >>> rg.gauc([1, 0, 1, 0, 0], [0.9, 0.4, 0.3, 0.8, 0.1], qid=[7, 7, 8, 8, 8])
    0.75
    >>> rg.gauc([1, 0, 1, 0, 0], [0.9, 0.4, 0.3, 0.8, 0.1], qid=[7, 7, 8, 8, 8], weight="documents")
    0.7

    Zhou et al. 2018, Deep Interest Network, KDD (weights by impressions); He and McAuley 2016 (one
    weight for each user).
    """
    name, weights = "GAUC", weight
    if isinstance(weight, str):
        if weight not in ("documents", "positives"):
            raise ValueError(
                f'weight must be None, "documents", "positives" or an array, not {weight!r}'
            )
        name, weights = f"GAUC(weight={weight})", None
    result = evaluate_arrays(
        y_true,
        y_score,
        name,
        qid=qid,
        group=group,
        exclude=exclude,
        rel=rel,
        weight=weights,
        threads=threads,
    )
    return result.means[name]
