"""Measures of binary relevance: a document is relevant or not."""

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
        AucOptions,
        BinaryOptions,
        Cutoff,
        Cutoffs,
        DividedOptions,
        Divisor,
        Empty,
        FOptions,
        RPrecisionOptions,
        Rules,
        Ties,
        Unclear,
    )


@overload
def average_precision(
    y_true: Unshaped,
    y_score: Scores | None = ...,
    **options: Unpack[DividedOptions[Cutoffs, Group]],
) -> Any: ...
@overload
def average_precision(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[DividedOptions[Cutoff, None]]
) -> float: ...
@overload
def average_precision(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[DividedOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def average_precision(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[DividedOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def average_precision(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    divisor: Divisor = "relevant",
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Average precision: the sum over relevant ranks i <= k of (relevant up to i) / i, divided.

    divisor: "relevant" divides by R, the relevant judged documents; "min" by min(R, k); "hits" by
    the relevant documents in the first k (0 if there are none); "k" by k. k > n is the whole list.
    Tied documents: the exact expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> round(rg.average_precision([1, 1, 0, 1, 0, 1]), 4)
    0.8542

    Buckley and Voorhees 2000, SIGIR.
    """


@overload
def reciprocal_rank(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[BinaryOptions[Cutoffs, Group]]
) -> Any: ...
@overload
def reciprocal_rank(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[BinaryOptions[Cutoff, None]]
) -> float: ...
@overload
def reciprocal_rank(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[BinaryOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def reciprocal_rank(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[BinaryOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def reciprocal_rank(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
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
    """Reciprocal rank: 1 / rank of the first relevant document if that rank is <= k, else 0.

    k > n is the whole list. Tied documents: the exact expectation of 1 / rank. Undefined where no
    judged document is relevant: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.reciprocal_rank([0, 1, 0, 1])
    0.5

    Voorhees 1999, TREC-8.
    """


@overload
def hit_rate(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[BinaryOptions[Cutoffs, Group]]
) -> Any: ...
@overload
def hit_rate(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[BinaryOptions[Cutoff, None]]
) -> float: ...
@overload
def hit_rate(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[BinaryOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def hit_rate(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[BinaryOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def hit_rate(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
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
    """Hit rate: 1 if a relevant document is among the first k, else 0 (also called success).

    k > n is the whole list. Tied documents: the probability over their orders. Undefined where no
    judged document is relevant: `empty`, 0.0 by default. Hits / recommended items, the other
    meaning of the name, is `HitRate(per=item)@k` in `evaluate_arrays` and `evaluate_topk`.

    >>> import rankgain as rg
    >>> rg.hit_rate([0, 1, 0], k=[1, 2]).tolist()
    [0.0, 1.0]

    Deshpande and Karypis 2004, ACM TOIS 22(1).
    """


@overload
def precision(
    y_true: Unshaped,
    y_score: Scores | None = ...,
    **options: Unpack[DividedOptions[Cutoffs, Group]],
) -> Any: ...
@overload
def precision(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[DividedOptions[Cutoff, None]]
) -> float: ...
@overload
def precision(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[DividedOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def precision(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[DividedOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def precision(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    divisor: Divisor = "k",
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Precision: relevant documents in the first k, divided by k (also where k > n).

    divisor="min" divides by min(k, n), "min_relevant" by min(k, R). k=None divides by n. Tied
    documents: the expectation. Undefined where no judged document is relevant: `empty`, 0.0 by
    default.

    >>> import rankgain as rg
    >>> rg.precision([1, 0, 1], k=5), round(rg.precision([1, 0, 1], k=5, divisor="min"), 4)
    (0.4, 0.6667)

    Manning, Raghavan and Schutze 2008, chapter 8.
    """


@overload
def recall(
    y_true: Unshaped,
    y_score: Scores | None = ...,
    **options: Unpack[DividedOptions[Cutoffs, Group]],
) -> Any: ...
@overload
def recall(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[DividedOptions[Cutoff, None]]
) -> float: ...
@overload
def recall(
    y_true: Shaped,
    y_score: Scores | None = ...,
    **options: Unpack[DividedOptions[Cutoffs, Group]],
) -> Floats: ...
@overload
def recall(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[DividedOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def recall(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    divisor: Divisor = "relevant",
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Recall: relevant documents in the first k, divided by R, the relevant judged documents.

    divisor="min" divides by min(R, k), the capped recall. k > n is the whole list. Tied documents:
    the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.recall([1, 0, 1, 1, 1], k=2), rg.recall([1, 0, 1, 1, 1], k=2, divisor="min")
    (0.25, 0.5)

    Manning, Raghavan and Schutze 2008, chapter 8.
    """


@overload
def f1(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[FOptions[Cutoffs, Group]]
) -> Any: ...
@overload
def f1(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[FOptions[Cutoff, None]]
) -> float: ...
@overload
def f1(
    y_true: Shaped, y_score: Scores | None = ..., **options: Unpack[FOptions[Cutoffs, Group]]
) -> Floats: ...
@overload
def f1(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[FOptions[Cutoffs, Group]]
) -> Any: ...
@measure
def f1(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoffs = None,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    judged: Judged | None = None,
    rel: float = 1.0,
    divisor: Divisor = "k",
    beta: float = 1.0,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = 0.0,
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """F measure of precision and recall: (1 + beta^2) h / (beta^2 R + d).

    h relevant documents in the first k, R relevant judged documents, d the divisor of `precision`
    ("k", also where k > n, or "min"). Tied documents: the expectation of h. Undefined where R = 0:
    `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> round(rg.f1([1, 0, 1, 1], k=2), 4)
    0.4

    van Rijsbergen 1979, Information Retrieval, chapter 7.
    """


@overload
def r_precision(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[RPrecisionOptions[Group]]
) -> Any: ...
@overload
def r_precision(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[RPrecisionOptions[None]]
) -> float: ...
@overload
def r_precision(
    y_true: Shaped, y_score: Scores | None = ..., **options: Unpack[RPrecisionOptions[Group]]
) -> Floats: ...
@overload
def r_precision(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[RPrecisionOptions[Group]]
) -> Any: ...
@measure
def r_precision(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
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
    """R-precision: precision at k = R, the number of relevant judged documents.

    Tied documents: the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.r_precision([1, 0, 1, 0])
    0.5

    Buckley and Voorhees 2000, SIGIR.
    """


@overload
def auc(
    y_true: Unshaped, y_score: Scores | None = ..., **options: Unpack[AucOptions[Group]]
) -> Any: ...
@overload
def auc(
    y_true: OneList, y_score: Scores | None = ..., **options: Unpack[AucOptions[None]]
) -> float: ...
@overload
def auc(
    y_true: Shaped, y_score: Scores | None = ..., **options: Unpack[AucOptions[Group]]
) -> Floats: ...
@overload
def auc(
    y_true: Unclear, y_score: Scores | None = ..., **options: Unpack[AucOptions[Group]]
) -> Any: ...
@measure
def auc(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    ties: Ties = "average",
    seed: SupportsIndex = 0,
    ids: Ids | None = None,
    rel: float = 1.0,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: HasCSR | None = None,
    empty: Empty = "skip",
    convention: Rules = "rankgain",
    threads: int | None = 1,
) -> float | Floats:
    """Area under the ROC curve of each list: (concordant + half of the tied) / pairs.

    Pairs are relevant x not relevant documents of the list. Undefined where a class is absent:
    `empty`, "skip" by default, which is nan here. The mean is `np.nanmean(rg.auc(...))`, or
    `evaluate_arrays(..., "AUC").means["AUC"]`, which also counts the lists that were left out.

    >>> import rankgain as rg
    >>> rg.auc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.75

    Hanley and McNeil 1982, Radiology 143(1).
    """
