"""Measures of graded labels: CG, DCG, IDCG, nDCG, RBP and ERR."""

# The functions are declarations: `measure` makes their calls.
# mypy: disable-error-code="empty-body, overload-overlap"

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from .measured import measure

if TYPE_CHECKING:
    from typing import Any, SupportsIndex, Unpack

    from ..inputs.types import (
        Floats,
        Group,
        HasCSR,
        Ids,
        Judged,
        Labels,
        OneList,
        Scores,
        Shaped,
        Sizes,
        Unshaped,
    )
    from .types import (
        Cutoff,
        Cutoffs,
        Discount,
        DiscountedOptions,
        Empty,
        ErrOptions,
        Gain,
        GainedOptions,
        RbpOptions,
        Rules,
        Ties,
        Unclear,
    )


@overload
def cg(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[GainedOptions[Cutoffs, Group]]
) -> Any: ...
@overload
def cg(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[GainedOptions[Cutoff, None]]
) -> float: ...
@overload
def cg(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[GainedOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def cg(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[GainedOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def cg(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    gain: Gain = "linear",
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Cumulative gain: the sum of gain(label_i) over the ranks i <= k.

    k > n sums the whole list. Tied documents: the expectation, so a block across the cutoff adds
    its share. Never undefined.

    >>> import rankgain as rg
    >>> rg.cg([3, 2, 3, 0, 1, 2], k=3)
    8.0

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """


@overload
def dcg(
    y_true: Unshaped,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Any: ...
@overload
def dcg(
    y_true: OneList,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoff, None]],
) -> float: ...
@overload
def dcg(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def dcg(
    y_true: Unclear,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Any: ...
@measure
def dcg(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    gain: Gain = "linear",
    discount: Discount = "log2",
    log_base: float = 2.0,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Discounted cumulative gain: the sum of gain(label_i) * discount(i) over the ranks i <= k.

    k > n sums the whole list. Tied documents share the mean of their ranks' weights (McSherry and
    Najork 2008). Negative labels are allowed. Never undefined: 0.0 where nothing is relevant.

    >>> import rankgain as rg
    >>> round(rg.dcg([3, 2, 3, 0, 1, 2], k=6), 4)
    6.8611

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); Burges et al. 2005 for gain="exp2".
    """


@overload
def idcg(
    y_true: Unshaped,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Any: ...
@overload
def idcg(
    y_true: OneList,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoff, None]],
) -> float: ...
@overload
def idcg(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def idcg(
    y_true: Unclear,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Any: ...
@measure
def idcg(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    gain: Gain = "linear",
    discount: Discount = "log2",
    log_base: float = 2.0,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """DCG of the ideal ranking: the judged labels in descending gain, cut at k.

    k > n also counts judged documents that are not in the list (`judged`); k=None counts all of
    them. Scores and ties do not matter. Never undefined: 0.0 where nothing is relevant.

    >>> import rankgain as rg
    >>> round(rg.idcg([3, 2, 3, 0, 1, 2], k=6, judged=[3, 3, 3, 2, 2, 1, 0, 0]), 4)
    8.3841

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """


@overload
def ndcg(
    y_true: Unshaped,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Any: ...
@overload
def ndcg(
    y_true: OneList,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoff, None]],
) -> float: ...
@overload
def ndcg(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def ndcg(
    y_true: Unclear,
    y_score: Scores | None = ...,
    **options: Unpack[DiscountedOptions[Cutoffs, Group]],
) -> Any: ...
@measure
def ndcg(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    gain: Gain = "linear",
    discount: Discount = "log2",
    log_base: float = 2.0,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Normalised DCG: DCG@k / IDCG@k, in 0 .. 1.

    The ideal is built from `judged` (default: y_true). If k > n, it is cut at k, not at n.
    An ideal ranking has exactly 1.0. Undefined where IDCG@k is 0 (nothing relevant): `empty`, 0.0
    by default. Tied documents share the mean of their ranks' weights. A negative label is a
    ValueError.

    >>> import rankgain as rg
    >>> rg.ndcg([[0, 2, 1], [1, 0, 0]], [[0.1, 0.9, 0.4], [0.5, 0.5, 0.1]], k=[1, 3]).round(4)
    array([[1.    , 1.    ],
           [0.5   , 0.8155]])

    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); ties: McSherry and Najork 2008, ECIR.
    """


@overload
def rbp(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[RbpOptions[Cutoffs, Group]]
) -> Any: ...
@overload
def rbp(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[RbpOptions[Cutoff, None]]
) -> float: ...
@overload
def rbp(
    y_true: Shaped, y_score: Scores | None = ..., **options: Unpack[RbpOptions[Cutoffs, Group]]
) -> Floats: ...
@overload
def rbp(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[RbpOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def rbp(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    gain: Gain = "binary",
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    p: float = 0.8,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Rank-biased precision: (1 - p) * sum of p^(i-1) over relevant ranks i <= k.

    p, inside (0, 1), is the probability that the reader goes on to the next rank, 0.8 by default. k
    > n is the whole list. Tied documents: the expectation. Undefined where no judged document is
    relevant: `empty`, 0.0 by default.

    With `gain` it is graded, as rbp in trec_eval 10: a document counts gain / G. G is the largest
    gain of the list's judged labels and of the entries of a table, and at least 1. Negative labels
    and gains are then a ValueError; it is undefined where no judged label has a gain above 0.

    >>> import rankgain as rg
    >>> round(rg.rbp([1, 0, 1], p=0.5), 4)
    0.625
    >>> round(rg.rbp([1, 0, 2], p=0.5, gain="linear"), 4)
    0.375

    Moffat and Zobel 2008, ACM TOIS 27(1).
    """


@overload
def err(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[ErrOptions[Cutoffs, Group]]
) -> Any: ...
@overload
def err(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[ErrOptions[Cutoff, None]]
) -> float: ...
@overload
def err(
    y_true: Shaped, y_score: Scores | None = ..., **options: Unpack[ErrOptions[Cutoffs, Group]]
) -> Floats: ...
@overload
def err(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[ErrOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def err(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    max_label: float = 4.0,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Expected reciprocal rank: the sum over i <= k of (1/i) s_i * product over j < i of (1 - s_j).

    s = (2^label - 1) / 2^max_label is the probability that a document stops the reader. max_label
    is the top of the label scale, 4 by default. A label above it or below 0 is a ValueError. k > n
    is the whole list. Tied documents: the exact expectation. Undefined where no label is above 0:
    `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.err([2, 0, 1], max_label=2)
    0.7708333333333334

    Chapelle, Metzler, Zhang and Grinspan 2009, CIKM.
    """
