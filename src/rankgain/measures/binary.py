"""Measures in which a document is relevant or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .measured import measure

if TYPE_CHECKING:  # of the quoted names
    from .forms import Auc, Binary, Divided, FMeasure, RPrecision  # noqa: F401


@measure["Divided"]()
def average_precision() -> None:
    """Average precision: the sum over relevant ranks i <= k of (relevant up to i) / i, divided.

    divisor: "relevant" divides by R, the relevant judged documents; "min" by min(R, k); "hits" by
    the relevant documents in the first k (0 if there are none); "k" by k. k > n is the whole list.
    Tied documents: the exact expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> round(rg.average_precision([1, 1, 0, 1, 0, 1]), 4)
    0.8542

    Buckley and Voorhees 2000, SIGIR.
    """


@measure["Binary"]()
def reciprocal_rank() -> None:
    """Reciprocal rank: 1 / rank of the first relevant document if that rank is <= k, else 0.

    k > n is the whole list. Tied documents: the exact expectation of 1 / rank. Undefined where no
    judged document is relevant: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.reciprocal_rank([0, 1, 0, 1])
    0.5

    Voorhees 1999, TREC-8.
    """


@measure["Binary"]()
def hit_rate() -> None:
    """Hit rate: 1 if a relevant document is among the first k, else 0 (also called success).

    k > n is the whole list. Tied documents: the chance over their orders. Undefined where no judged
    document is relevant: `empty`, 0.0 by default. The per-item meaning, hits / recommended items,
    is `HitRate(per=item)@k` in `evaluate_arrays` and `evaluate_topk`.

    >>> import rankgain as rg
    >>> rg.hit_rate([0, 1, 0], k=[1, 2]).tolist()
    [0.0, 1.0]

    Deshpande and Karypis 2004, ACM TOIS 22(1).
    """


@measure["Divided"]()
def precision() -> None:
    """Precision: relevant documents in the first k, divided by k (also where k > n).

    divisor="min" divides by min(k, n), "min_relevant" by min(k, R). k=None divides by n. Tied
    documents: the expectation. Undefined where no judged document is relevant: `empty`, 0.0 by
    default.

    >>> import rankgain as rg
    >>> rg.precision([1, 0, 1], k=5), round(rg.precision([1, 0, 1], k=5, divisor="min"), 4)
    (0.4, 0.6667)

    Manning, Raghavan and Schutze 2008, chapter 8.
    """


@measure["Divided"]()
def recall() -> None:
    """Recall: relevant documents in the first k, divided by R, the relevant judged documents.

    divisor="min" divides by min(R, k), the capped recall. k > n is the whole list. Tied documents:
    the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.recall([1, 0, 1, 1, 1], k=2), rg.recall([1, 0, 1, 1, 1], k=2, divisor="min")
    (0.25, 0.5)

    Manning, Raghavan and Schutze 2008, chapter 8.
    """


@measure["FMeasure"]()
def f1() -> None:
    """F measure of precision and recall: (1 + beta^2) h / (beta^2 R + d).

    h relevant documents in the first k, R relevant judged documents, d the divisor of `precision`
    ("k", also where k > n, or "min"). Tied documents: the expectation of h. Undefined where R = 0:
    `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> round(rg.f1([1, 0, 1, 1], k=2), 4)
    0.4

    van Rijsbergen 1979, Information Retrieval, chapter 7.
    """


@measure["RPrecision"]()
def r_precision() -> None:
    """R-precision: precision at k = R, the number of relevant judged documents.

    Tied documents: the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.r_precision([1, 0, 1, 0])
    0.5

    Buckley and Voorhees 2000, SIGIR.
    """


@measure["Auc"](judged=False)
def auc() -> None:
    """Area under the ROC curve of each list: (concordant + half of the tied) / pairs.

    Pairs are relevant x not relevant documents of the list. Undefined where a class is absent:
    `empty`, "skip" by default, which is nan here: their mean is `np.nanmean(rg.auc(...))`, or
    `evaluate_arrays(..., "AUC").means["AUC"]`, which also counts the lists that were left out.

    >>> import rankgain as rg
    >>> rg.auc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.75

    Hanley and McNeil 1982, Radiology 143(1).
    """
