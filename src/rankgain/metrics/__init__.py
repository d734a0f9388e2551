"""One public function per measure, each beside its row.

All share these arguments (keyword-only but the first two, same meaning everywhere); what is left
out takes the convention's value, here that of "rankgain":

y_true : array of shape (documents,) or (lists, documents), scipy.sparse CSR, or Truth
    Labels; any finite numbers, if the measure does not say otherwise.
y_score : array of the same shape, optional
    Scores, larger is better; without them the order given is the ranking.
k : int, None, or a sequence of them
    Cutoff; ranks after it count nothing. None is the whole list. A sequence adds a last axis.
ties : {"average", "stable", "reverse", "worst", "best", "random", "id", "id_descending"}
    Order of documents with equal scores. "average", the default, is the exact expectation over
    all orders; "stable" is input order and "reverse" its reverse; "best" and "worst" order by
    gain; "random" draws from `seed`, the list's index and the position; "id" needs `ids`.
seed : int
    Of ties="random"; 0 by default.
ids : array of str or int, shaped as the documents
    Of ties="id" and "id_descending"; compared as bytes of UTF-8.
judged : labels of all judged documents of each list, those of y_true included
    1-D for one list; else 2-D padded with 0, CSR, or a sequence of 1-D arrays. Default: y_true.
rel : float
    Labels >= rel are relevant; 1 by default.
group, qid, lengths
    Flat arrays: sizes of the lists, or an id per document, adjacent for a list. 2-D arrays:
    documents per padded row; cells beyond are not read.
exclude : scipy.sparse CSR
    Documents left out of each list, such as a recommender's training items.
empty : float, nan, "skip" or "raise"
    Value where the measure is undefined ("skip" is nan here, and left out of means): 0.0 by
    default, "skip" for auc.
convention : str or Convention
    Where arguments that are left out take their values from.
threads : int or None
    Threads to use; None for all usable cores. Values do not depend on it.

One list gives a float, several an array of shape (lists,).

A NaN score, a label that is not finite, and shapes that differ are a ValueError that names the
argument and the first place; an argument that a measure does not have is a TypeError.
"""

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
