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

from typing import Any

from ..convention import UNSET
from ..engine.plan import Row
from ..engine.request import Result, measure_arrays
from ..names.measure import Family, register

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

GRADED = (
    "gain",
    "discount",
    "log_base",
    "ties",
    "seed",
    "rel",
    "min_label",
    "judged_only",
    "empty",
)

CG = register(
    Family(
        "CG",
        "cg",
        ("gain", "ties", "seed", "rel", "min_label", "judged_only", "empty"),
        row=Row("dot", "value", "asked", "ones"),
    )
)


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


DCG = register(
    Family(
        "DCG",
        "dcg",
        GRADED,
        aliases=("dcg_burges(gain=exp2)",),
        row=Row("dot", "value", "asked", "discount"),
    )
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


IDCG = register(
    Family(
        "IDCG",
        "idcg",
        GRADED,
        aliases=("ideal_dcg",),
        row=Row("ideal", "value", "asked", "discount"),
    )
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


NDCG = register(
    Family(
        "nDCG",
        "ndcg",
        GRADED,
        aliases=("ndcg_cut@required", "ndcg_burges(gain=exp2)"),
        row=Row("dot", "over_ideal", "asked", "discount"),
    )
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


AVERAGE_PRECISION = register(
    Family(
        "AP",
        "average_precision",
        ("ties", "seed", "rel", "divisor", "judged_only", "empty"),
        aliases=(
            "map",
            "map_cut@required",
            "mean_average_precision",
            "averageprecision",
        ),
        divisors=("relevant", "min", "hits"),
        row=Row(
            {"hits": "prefix_over_hits", "relevant": "prefix", "min": "prefix", "k": "prefix"},
            {"hits": "if_relevant", "relevant": "over_r", "min": "over_r_or_k", "k": "over_k"},
            counts_relevant=True,
        ),
    )
)


def average_precision(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    divisor: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Average precision: the sum over relevant ranks i <= k of (relevant up to i) / i, divided.

    divisor: "relevant" divides by R, the relevant judged documents; "min" by min(R, k); "hits" by
    the relevant documents in the first k (0 if there are none); "k" by k. k > n is the whole list.
    Tied documents: the exact expectation. Undefined where R = 0: `empty`, 0.0 by default.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> round(rg.average_precision([1, 1, 0, 1, 0, 1]), 4)
    0.8542

    Buckley and Voorhees 2000, SIGIR.
    """
    return measure_arrays(
        AVERAGE_PRECISION,
        y_true,
        y_score,
        k,
        (ties, seed, rel, divisor, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


RECIPROCAL_RANK = register(
    Family(
        "RR",
        "reciprocal_rank",
        ("ties", "seed", "rel", "judged_only", "empty"),
        aliases=("mrr", "recip_rank", "mean_reciprocal_rank", "reciprocalrank"),
        row=Row("first", "if_relevant", counts_relevant=True),
    )
)


def reciprocal_rank(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
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
    """Reciprocal rank: 1 / rank of the first relevant document if that rank is <= k, else 0.

    k > n is the whole list. Tied documents: the exact expectation of 1 / rank. Undefined where no
    judged document is relevant: `empty`, 0.0 by default.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.reciprocal_rank([0, 1, 0, 1])
    0.5

    Voorhees 1999, TREC-8.
    """
    return measure_arrays(
        RECIPROCAL_RANK,
        y_true,
        y_score,
        k,
        (ties, seed, rel, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


HIT_RATE = register(
    Family(
        "HitRate",
        "hit_rate",
        ("per", "ties", "seed", "rel", "judged_only", "empty"),
        aliases=("success@required", "hr"),
        row=Row(
            {"user": "any", "item": "count"},
            "if_relevant",
            counts_relevant=True,
        ),
    )
)


def hit_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
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
    """Hit rate: 1 if a relevant document is among the first k, else 0 (also called success).

    k > n is the whole list. Tied documents: the chance over their orders. Undefined where no judged
    document is relevant: `empty`, 0.0 by default. The per-item meaning, hits / recommended items,
    is `HitRate(per=item)@k` in `evaluate_arrays` and `evaluate_topk`.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.hit_rate([0, 1, 0], k=[1, 2]).tolist()
    [0.0, 1.0]

    Deshpande and Karypis 2004, ACM TOIS 22(1).
    """
    return measure_arrays(
        HIT_RATE,
        y_true,
        y_score,
        k,
        (ties, seed, rel, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


PRECISION = register(
    Family(
        "P",
        "precision",
        ("ties", "seed", "rel", "divisor", "judged_only", "empty"),
        aliases=("pre", "precisionat", "set_p@none", "setp@none"),
        divisors=("k", "min"),
        row=Row(
            "count",
            {"k": "over_k", "min": "over_k", "min_relevant": "over_r_or_n"},
            counts_relevant=True,
        ),
        variants={"relative": "relp"},
    )
)


def precision(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    divisor: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Precision: relevant documents in the first k, divided by k (also where k > n).

    divisor="min" divides by min(k, n), "min_relevant" by min(k, R). k=None divides by n. Tied
    documents: the expectation. Undefined where no judged document is relevant: `empty`, 0.0 by
    default.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.precision([1, 0, 1], k=5), round(rg.precision([1, 0, 1], k=5, divisor="min"), 4)
    (0.4, 0.6667)

    Manning, Raghavan and Schutze 2008, chapter 8.
    """
    return measure_arrays(
        PRECISION,
        y_true,
        y_score,
        k,
        (ties, seed, rel, divisor, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


RECALL = register(
    Family(
        "R",
        "recall",
        ("ties", "seed", "rel", "divisor", "judged_only", "empty"),
        aliases=("recallat", "set_recall@none", "setr@none"),
        divisors=("relevant", "min"),
        row=Row("count", {"relevant": "over_r", "min": "over_r_or_k"}, counts_relevant=True),
    )
)


def recall(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    divisor: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Recall: relevant documents in the first k, divided by R, the relevant judged documents.

    divisor="min" divides by min(R, k), the capped recall. k > n is the whole list. Tied documents:
    the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.recall([1, 0, 1, 1, 1], k=2), rg.recall([1, 0, 1, 1, 1], k=2, divisor="min")
    (0.25, 0.5)

    Manning, Raghavan and Schutze 2008, chapter 8.
    """
    return measure_arrays(
        RECALL,
        y_true,
        y_score,
        k,
        (ties, seed, rel, divisor, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


F1 = register(
    Family(
        "F1",
        "f1",
        ("ties", "seed", "rel", "divisor", "beta", "judged_only", "empty"),
        aliases=("set_f@none", "setf@none"),
        divisors=("k", "min"),
        row=Row("count", "f_beta", counts_relevant=True),
    )
)


def f1(
    y_true: Any,
    y_score: Any = None,
    *,
    k: Any = UNSET,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    judged: Any = None,
    rel: Any = UNSET,
    divisor: Any = UNSET,
    beta: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """F measure of precision and recall: (1 + beta^2) h / (beta^2 R + d).

    h relevant documents in the first k, R relevant judged documents, d the divisor of `precision`
    ("k", also where k > n, or "min"). Tied documents: the expectation of h. Undefined where R = 0:
    `empty`, 0.0 by default.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> round(rg.f1([1, 0, 1, 1], k=2), 4)
    0.4

    van Rijsbergen 1979, Information Retrieval, chapter 7.
    """
    return measure_arrays(
        F1,
        y_true,
        y_score,
        k,
        (ties, seed, rel, divisor, beta, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


R_PRECISION = register(
    Family(
        "RPrec",
        "r_precision",
        ("ties", "seed", "rel", "judged_only", "empty"),
        cutoff="none",
        aliases=("rprecision",),
        row=Row("count_at_r", "over_r", counts_relevant=True),
    )
)


def r_precision(
    y_true: Any,
    y_score: Any = None,
    *,
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
    """R-precision: precision at k = R, the number of relevant judged documents.

    Tied documents: the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.r_precision([1, 0, 1, 0])
    0.5

    Buckley and Voorhees 2000, SIGIR.
    """
    return measure_arrays(
        R_PRECISION,
        y_true,
        y_score,
        UNSET,
        (ties, seed, rel, empty),
        (group, qid, lengths, judged, exclude, ids),
        convention,
        threads,
    )


RBP = register(
    Family(
        "RBP",
        "rbp",
        ("gain", "ties", "seed", "rel", "p", "judged_only", "empty"),
        row=Row("dot", "if_relevant", "binary", "geometric", counts_relevant=True),
    )
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


ERR = register(
    Family(
        "ERR",
        "err",
        ("ties", "seed", "max_label", "judged_only", "empty"),
        row=Row("cascade", "if_positive"),
    )
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


AUC = register(
    Family(
        "AUC",
        "auc",
        ("ties", "seed", "rel", "empty"),
        cutoff="none",
        row=Row("pairs", "over_pairs", counts_relevant=True),
    )
)


def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    ties: Any = UNSET,
    seed: Any = UNSET,
    ids: Any = None,
    rel: Any = UNSET,
    group: Any = None,
    qid: Any = None,
    lengths: Any = None,
    exclude: Any = None,
    empty: Any = UNSET,
    convention: Any = UNSET,
    threads: int | None = 1,
) -> Result:
    """Area under the ROC curve of each list: (concordant + half of the tied) / pairs.

    Pairs are relevant x not relevant documents of the list. Undefined where a class is absent:
    `empty`, "skip" by default, which is nan here.

    `help("rankgain.metrics")` has the arguments that all measures share.

    >>> import rankgain as rg
    >>> rg.auc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.75

    Hanley and McNeil 1982, Radiology 143(1).
    """
    return measure_arrays(
        AUC,
        y_true,
        y_score,
        UNSET,
        (ties, seed, rel, empty),
        (group, qid, lengths, None, exclude, ids),
        convention,
        threads,
    )
