"""Measures in which a label is worth a gain: CG, DCG, IDCG, nDCG, RBP and ERR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .measured import measure

if TYPE_CHECKING:  # of the quoted names
    from .forms import Discounted, Err, Gained, Rbp  # noqa: F401


@measure["Gained"]()
def cg() -> None:
    """Cumulative gain: the sum of gain(label_i) over the ranks i <= k.

    k > n sums the whole list. Ties: a block that straddles k adds its share (`ties`). Never
    undefined.

    >>> import rankgain as rg
    >>> rg.cg([3, 2, 3, 0, 1, 2], k=3)
    8.0

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """


@measure["Discounted"]()
def dcg() -> None:
    """Discounted cumulative gain: the sum of gain(label_i) * discount(i) over the ranks i <= k.

    k > n sums the whole list. Tied documents share the mean of their ranks' weights (McSherry and
    Najork 2008). Negative labels are allowed. Never undefined: 0.0 where nothing is relevant.

    >>> import rankgain as rg
    >>> round(rg.dcg([3, 2, 3, 0, 1, 2], k=6), 4)
    6.8611

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); Burges et al. 2005 for gain="exp2".
    """


@measure["Discounted"]()
def idcg() -> None:
    """DCG of the ideal ranking: the judged labels in descending gain, cut at k.

    k > n counts judged documents beyond the list too (`judged`); k=None counts all of them. Scores
    and ties do not matter. Never undefined: 0.0 where nothing is relevant.

    >>> import rankgain as rg
    >>> round(rg.idcg([3, 2, 3, 0, 1, 2], k=6, judged=[3, 3, 3, 2, 2, 1, 0, 0]), 4)
    8.3841

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """


@measure["Discounted"]()
def ndcg() -> None:
    """Normalised DCG: DCG@k / IDCG@k, in 0 .. 1.

    The ideal is built from `judged` (default: y_true); a given k > n cuts it at k, not at n.
    An ideal ranking is exactly 1.0. Undefined where IDCG@k is 0 (nothing relevant): `empty`, 0.0
    by default. Tied documents share the mean of their ranks' weights. A negative label is a
    ValueError.

    >>> import rankgain as rg
    >>> rg.ndcg([[0, 2, 1], [1, 0, 0]], [[0.1, 0.9, 0.4], [0.5, 0.5, 0.1]], k=[1, 3]).round(4)
    array([[1.    , 1.    ],
           [0.5   , 0.8155]])

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); ties: McSherry and Najork 2008, ECIR.
    """


@measure["Rbp"]()
def rbp() -> None:
    """Rank-biased precision: (1 - p) * sum of p^(i-1) over relevant ranks i <= k.

    p, inside (0, 1), is the chance to read on, 0.8 by default. k > n is the whole list. Tied
    documents: the expectation. Undefined where no judged document is relevant: `empty`, 0.0 by
    default.

    With `gain` it is graded, as trec_eval 10's rbp: a document counts gain / G, where
    G is the largest gain of the list's judged labels and of the entries of a table, and at least 1.
    Negative labels and gains are refused then; undefined where no judged label has a gain above 0.

    >>> import rankgain as rg
    >>> round(rg.rbp([1, 0, 1], p=0.5), 4)
    0.625
    >>> round(rg.rbp([1, 0, 2], p=0.5, gain="linear"), 4)
    0.375

    Moffat and Zobel 2008, ACM TOIS 27(1).
    """


@measure["Err"]()
def err() -> None:
    """Expected reciprocal rank: the sum over i <= k of (1/i) s_i * product over j < i of (1 - s_j).

    s = (2^label - 1) / 2^max_label is the chance that a document stops the reader; max_label is the
    top of the label scale, 4 by default, and a label above it or below 0 is a ValueError. k > n is
    the whole list. Tied documents: the exact expectation. Undefined where no label is above 0:
    `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.err([2, 0, 1], max_label=2)
    0.7708333333333334

    Chapelle, Metzler, Zhang and Grinspan 2009, CIKM.
    """
