"""Measures in which a label is worth a gain: CG, DCG, IDCG, nDCG, RBP and ERR."""

from typing import Any

from ..convention import UNSET
from ..engine.request import Result, measure_arrays
from ..names.catalogue import CG, DCG, ERR, IDCG, NDCG, RBP


def cg(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    gain: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Cumulative gain: the sum of gain(label_i) over the ranks i <= k.

    k > n sums the whole list. Ties: a block that straddles k adds its share (`ties`). Never
    undefined. `gain` is "linear" (the label), "exp2" (2**label - 1), "binary" (label >= rel), a
    mapping label -> gain, an array indexed by label, or a callable on a float64 array of labels.
    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.cg([3, 2, 3, 0, 1, 2], k=3)
    8.0

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """
    return measure_arrays(
        CG,
        y_true,
        y_score,
        k,
        (gain, ties, seed, rel, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


def dcg(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    gain: Any = UNSET,
    discount: Any = UNSET,
    log_base: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Discounted cumulative gain: the sum of gain(label_i) * discount(i) over the ranks i <= k.

    discount: "log2" is 1 / log2(i + 1); "log" with log_base b is log(b) / log(i + 1); "reciprocal"
    is 1 / i; or a non-increasing array of weights, or a callable on a float64 array of ranks from
    1. `gain` as in `cg`. k > n sums the whole list. Tied documents share the mean of their ranks'
    weights (McSherry and Najork 2008). Negative labels are allowed. Never undefined: 0.0 where
    nothing is relevant. `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> round(rg.dcg([3, 2, 3, 0, 1, 2], k=6), 4)
    6.8611

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); Burges et al. 2005 for gain="exp2".
    """
    return measure_arrays(
        DCG,
        y_true,
        y_score,
        k,
        (gain, discount, log_base, ties, seed, rel, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


def idcg(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    gain: Any = UNSET,
    discount: Any = UNSET,
    log_base: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """DCG of the ideal ranking: the judged labels in descending gain, cut at k.

    k > n counts judged documents beyond the list too (`judged`); k=None counts all of them. Scores
    and ties do not matter. Never undefined: 0.0 where nothing is relevant. Arguments as in `dcg`.

    >>> import rankgain as rg
    >>> round(rg.idcg([3, 2, 3, 0, 1, 2], k=6, judged=[3, 3, 3, 2, 2, 1, 0, 0]), 4)
    8.3841

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """
    return measure_arrays(
        IDCG,
        y_true,
        y_score,
        k,
        (gain, discount, log_base, ties, seed, rel, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


def ndcg(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    gain: Any = UNSET,
    discount: Any = UNSET,
    log_base: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Normalised DCG: DCG@k / IDCG@k, in 0 .. 1.

    The ideal is built from `judged` (default: y_true); a given k > n cuts it at k, not at n.
    An ideal ranking is exactly 1.0. Undefined where IDCG@k is 0 (nothing relevant): `empty`, 0.0
    by default. Tied documents share the mean of their ranks' weights. A negative label is a
    ValueError. `gain` as in `cg`, `discount` as in `dcg`; `help("rankgain.metrics")` has the
    arguments that all measures share.

    Parameters
    ----------
    y_true : array of shape (documents,) or (lists, documents), scipy.sparse CSR, or Truth
        Labels, any finite numbers >= 0.
    y_score : array of the same shape, optional
        Scores, larger is better; without them the order given is the ranking.

    Returns
    -------
    float, or array of shape (lists,); a sequence of k adds a last axis.

    >>> import rankgain as rg
    >>> rg.ndcg([[0, 2, 1], [1, 0, 0]], [[0.1, 0.9, 0.4], [0.5, 0.5, 0.1]], k=[1, 3]).round(4)
    array([[1.    , 1.    ],
           [0.5   , 0.8155]])

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); ties: McSherry and Najork 2008, ECIR.
    """
    return measure_arrays(
        NDCG,
        y_true,
        y_score,
        k,
        (gain, discount, log_base, ties, seed, rel, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


def rbp(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    gain: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    p: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Rank-biased precision: (1 - p) * sum of p^(i-1) over relevant ranks i <= k.

    p, inside (0, 1), is the chance to read on, 0.8 by default. k > n is the whole list. Tied
    documents: the expectation. Undefined where no judged document is relevant: `empty`, 0.0 by
    default.

    With `gain`, as in `cg`, it is graded, as trec_eval 10's rbp: a document counts gain / G, where
    G is the largest gain of the list's judged labels and of the entries of a table, and at least 1.
    Negative labels and gains are refused then; undefined where no judged label has a gain above 0.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> round(rg.rbp([1, 0, 1], p=0.5), 4)
    0.625
    >>> round(rg.rbp([1, 0, 2], p=0.5, gain="linear"), 4)
    0.375

    Moffat and Zobel 2008, ACM TOIS 27(1).
    """
    return measure_arrays(
        RBP,
        y_true,
        y_score,
        k,
        (gain, ties, seed, rel, p, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


def err(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    max_label: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Expected reciprocal rank: the sum over i <= k of (1/i) s_i * product over j < i of (1 - s_j).

    s = (2^label - 1) / 2^max_label is the chance that a document stops the reader; max_label is the
    top of the label scale, 4 by default, and a label above it or below 0 is a ValueError. k > n is
    the whole list. Tied documents: the exact expectation. Undefined where no label is above 0:
    `empty`, 0.0 by default.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.err([2, 0, 1], max_label=2)
    0.7708333333333334

    Chapelle, Metzler, Zhang and Grinspan 2009, CIKM.
    """
    return measure_arrays(
        ERR,
        y_true,
        y_score,
        k,
        (ties, seed, max_label, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )
