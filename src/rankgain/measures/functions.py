"""The public measure functions: made from the rows of their families, with their docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from inspect import Parameter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import get_convention
from ..convention.options import NAME_ONLY
from ..engine.columns import ARRAYS, CALLS, convert_lists, evaluate_plain, measure_arrays
from ..engine.settings import ORDER, Family, defaults, describe_arguments
from .families import FAMILIES, SPELLINGS

if TYPE_CHECKING:
    from ..inputs.types import Array, Labels, Scores
    from .types import (
        AucMeasure,
        BinaryMeasure,
        DcgMeasure,
        DividedMeasure,
        ErrMeasure,
        FBetaMeasure,
        GainedMeasure,
        RbpMeasure,
        RPrecisionMeasure,
    )


# A section of every docstring; the shared arguments are added to it.
RETURNS = """
Parameters
----------


Returns
-------
float, or float64 array of shape (lists,)
    One list gives a float, several an array; a sequence of k adds a last axis.

Raises
------
ValueError
    For a NaN score, a label that is not finite, and shapes that differ. The message names the
    argument and the first place.
TypeError
    For an argument that the measure does not have.

Examples
--------
"""


def measure(function: str, doc: str) -> Any:
    """Make the public function of a family, with the arguments of its row and their defaults."""
    family = FAMILIES[function]
    names = list_arguments(family)
    allowed = frozenset(names)
    cached = CALLS.get

    def call(y_true: Labels, y_score: Scores | None = None, **options: Any) -> object:
        # Arrays with arguments that were seen before go to the core directly.
        try:
            resolved = cached((function, *options.items(), *map(type, options.values())))
        except (TypeError, ValueError):  # an argument is an array or has no hash
            resolved = None
        if resolved is not None and type(y_true) is type(y_score) is list:
            y_true, y_score = convert_lists(y_true, y_score)
        if resolved is not None and type(y_true) is type(y_score) is np.ndarray:
            result = evaluate_plain(resolved, y_true, y_score, options.get("threads", 1))
            if result is not None and not _are_all_below_1(y_true, result):
                return result
        return measure_arrays(family, allowed, y_true, y_score, options)

    call.__name__ = call.__qualname__ = function
    call.__module__ = __name__
    values = {**dict.fromkeys(ARRAYS), "threads": 1}
    values |= {"y_score": None, **defaults(get_convention("rankgain"), family)}
    parameters = []
    for name in ["y_true", "y_score", *names]:
        by_position = name in ("y_true", "y_score")
        kind = Parameter.POSITIONAL_OR_KEYWORD if by_position else Parameter.KEYWORD_ONLY
        default = values.get(name, Parameter.empty)
        parameters.append(Parameter(name, kind, default=default))
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    if __doc__ is not None:  # python -OO has none
        prose, mark, example = inspect.cleandoc(doc).partition(">>>")
        call.__doc__ = describe_arguments(
            ["y_true", "y_score", *names], prose.rstrip() + "\n" + RETURNS + mark + example
        )
    return call


def _are_all_below_1(labels: Array, result: float | Array) -> bool:
    """Whether no value is above 0 and labels are fractions, of which the general way warns."""
    if result.__class__ is float:
        if result != 0.0:
            return False
    elif np.any(result):
        return False
    return labels.dtype.kind == "f" and labels.size > 0 and 0 < float(labels.max()) < 1


def list_arguments(family: Family) -> list[str]:
    """The arguments of a family's function, in the order of the table of arguments."""
    names = {*ARRAYS, *family.params, "ties", "seed", "empty", "convention", "threads"}
    if family.cutoff in ("optional", "required"):
        names.add("k")
    names -= set(NAME_ONLY)
    if family.needs_pairs:  # pairs of retrieved documents
        names -= {"judged"}
    return sorted(names, key=ORDER.__getitem__)


average_precision: DividedMeasure = measure(
    "average_precision",
    """Average precision: the sum over relevant ranks i <= k of (relevant up to i) / i, divided.

    divisor: "relevant" divides by R, the relevant judged documents; "min" by min(R, k); "hits" by
    the relevant documents in the first k (0 if there are none); "k" by k. k > n is the whole list.
    Tied documents: the exact expectation. Undefined where R = 0: `empty`, 0.0 by default.
    Its mean over the lists is MAP.

    >>> import rankgain as rg
    >>> round(rg.average_precision([1, 1, 0, 1, 0, 1]), 4)
    0.8542

    References
    ----------
    Buckley and Voorhees 2000, SIGIR.
    """,
)

reciprocal_rank: BinaryMeasure = measure(
    "reciprocal_rank",
    """Reciprocal rank: 1 / rank of the first relevant document if that rank is <= k, else 0.

    k > n is the whole list. Tied documents: the exact expectation of 1 / rank. Undefined where no
    judged document is relevant: `empty`, 0.0 by default. Its mean over the lists is MRR.

    >>> import rankgain as rg
    >>> rg.reciprocal_rank([0, 1, 0, 1])
    0.5

    References
    ----------
    Voorhees 1999, TREC-8.
    """,
)

hit_rate: BinaryMeasure = measure(
    "hit_rate",
    """Hit rate: 1 if a relevant document is among the first k, else 0 (also called success).

    k > n is the whole list. Tied documents: the probability over their orders. Undefined where no
    judged document is relevant: `empty`, 0.0 by default. Hits / recommended items, the other
    meaning of the name, is `HitRate(per=item)@k` in `evaluate_arrays` and `evaluate_ids`.

    >>> import rankgain as rg
    >>> rg.hit_rate([0, 1, 0], k=[1, 2]).tolist()
    [0.0, 1.0]

    References
    ----------
    Deshpande and Karypis 2004, ACM TOIS 22(1).
    """,
)

precision: DividedMeasure = measure(
    "precision",
    """Precision: relevant documents in the first k, divided by k (also where k > n).

    divisor="min" divides by min(k, n), "min_relevant" by min(k, R). k=None divides by n. Tied
    documents: the expectation. Undefined where no judged document is relevant: `empty`, 0.0 by
    default.

    >>> import rankgain as rg
    >>> rg.precision([1, 0, 1], k=5), round(rg.precision([1, 0, 1], k=5, divisor="min"), 4)
    (0.4, 0.6667)

    References
    ----------
    Manning, Raghavan and Schutze 2008, chapter 8.
    """,
)

recall: DividedMeasure = measure(
    "recall",
    """Recall: relevant documents in the first k, divided by R, the relevant judged documents.

    divisor="min" divides by min(R, k), the capped recall. k > n is the whole list. Tied documents:
    the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.recall([1, 0, 1, 1, 1], k=2), rg.recall([1, 0, 1, 1, 1], k=2, divisor="min")
    (0.25, 0.5)

    References
    ----------
    Manning, Raghavan and Schutze 2008, chapter 8.
    """,
)

f1: FBetaMeasure = measure(
    "f1",
    """F measure of precision and recall: (1 + beta^2) h / (beta^2 R + d).

    h relevant documents in the first k, R relevant judged documents, d the divisor of `precision`
    ("k", also where k > n, or "min"). Tied documents: the expectation of h. Undefined where R = 0:
    `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> round(rg.f1([1, 0, 1, 1], k=2), 4)
    0.4

    References
    ----------
    van Rijsbergen 1979, Information Retrieval, chapter 7.
    """,
)

r_precision: RPrecisionMeasure = measure(
    "r_precision",
    """R-precision: precision at k = R, the number of relevant judged documents.

    Tied documents: the expectation. Undefined where R = 0: `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.r_precision([1, 0, 1, 0])
    0.5

    References
    ----------
    Buckley and Voorhees 2000, SIGIR.
    """,
)

auc: AucMeasure = measure(
    "auc",
    """Area under the ROC curve of each list: (concordant + half of the tied) / pairs.

    Pairs are relevant x not relevant documents of the list. Undefined where a class is absent:
    `empty`, "skip" by default, which is nan here. The mean is `np.nanmean(rg.auc(...))`, or
    `evaluate_arrays(..., "AUC").means["AUC"]`, which also counts the lists that were left out.

    >>> import rankgain as rg
    >>> rg.auc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.75

    References
    ----------
    Hanley and McNeil 1982, Radiology 143(1).
    """,
)

cg: GainedMeasure = measure(
    "cg",
    """Cumulative gain: the sum of gain(label_i) over the ranks i <= k.

    k > n sums the whole list. Tied documents: the expectation, so a block across the cutoff adds
    its share. Never undefined.

    >>> import rankgain as rg
    >>> rg.cg([3, 2, 3, 0, 1, 2], k=3)
    8.0

    References
    ----------
    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """,
)

dcg: DcgMeasure = measure(
    "dcg",
    """Discounted cumulative gain: the sum of gain(label_i) * discount(i) over the ranks i <= k.

    k > n sums the whole list. Tied documents share the mean of their ranks' weights (McSherry and
    Najork 2008). Negative labels are allowed. Never undefined: 0.0 where nothing is relevant.

    >>> import rankgain as rg
    >>> round(rg.dcg([3, 2, 3, 0, 1, 2], k=6), 4)
    6.8611

    References
    ----------
    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); Burges et al. 2005 for gain="exp2".
    """,
)

idcg: DcgMeasure = measure(
    "idcg",
    """DCG of the ideal ranking: the judged labels in descending gain, cut at k.

    k > n also counts judged documents that are not in the list (`judged`); k=None counts all of
    them. Scores and ties do not matter. Never undefined: 0.0 where nothing is relevant.

    >>> import rankgain as rg
    >>> round(rg.idcg([3, 2, 3, 0, 1, 2], k=6, judged=[3, 3, 3, 2, 2, 1, 0, 0]), 4)
    8.3841

    References
    ----------
    Jarvelin and Kekalainen 2002, ACM TOIS 20(4).
    """,
)

ndcg: DcgMeasure = measure(
    "ndcg",
    """Normalised DCG: DCG@k / IDCG@k, in 0 .. 1.

    The ideal is built from `judged` (default: y_true). If k > n, it is cut at k, not at n.
    An ideal ranking has exactly 1.0. Undefined where IDCG@k is 0 (nothing relevant): `empty`, 0.0
    by default. Tied documents share the mean of their ranks' weights. A negative label is a
    ValueError. With a negative gain in a table the value may be outside of 0 .. 1, as the ideal
    has this gain even if the list has other documents in its place.

    >>> import rankgain as rg
    >>> rg.ndcg([[0, 2, 1], [1, 0, 0]], [[0.1, 0.9, 0.4], [0.5, 0.5, 0.1]], k=[1, 3]).round(4)
    array([[1.    , 1.    ],
           [0.5   , 0.8155]])

    References
    ----------
    Jarvelin and Kekalainen 2002, ACM TOIS 20(4); ties: McSherry and Najork 2008, ECIR.
    """,
)

rbp: RbpMeasure = measure(
    "rbp",
    """Rank-biased precision: (1 - p) * sum of p^(i-1) over relevant ranks i <= k.

    p, above 0 and below 1, is the probability that the reader goes on to the next rank, 0.8 by
    default. k > n is the whole list. Tied documents: the expectation. Undefined where no judged
    document is relevant: `empty`, 0.0 by default.

    With `gain` it is graded, as rbp in trec_eval 10: a document counts gain / G. G is the largest
    gain of the list's judged labels and of the entries of a table, and at least 1. Negative labels
    and gains are then a ValueError; it is undefined where no judged label has a gain above 0.

    >>> import rankgain as rg
    >>> round(rg.rbp([1, 0, 1], p=0.5), 4)
    0.625
    >>> round(rg.rbp([1, 0, 2], p=0.5, gain="linear"), 4)
    0.375

    References
    ----------
    Moffat and Zobel 2008, ACM TOIS 27(1).
    """,
)

err: ErrMeasure = measure(
    "err",
    """Expected reciprocal rank: the sum over i <= k of (1/i) s_i * product over j < i of (1 - s_j).

    s = (2^label - 1) / 2^max_label is the probability that a document stops the reader. max_label
    is the top of the label scale, 4 by default. A label above it or below 0 is a ValueError. k > n
    is the whole list. Tied documents: the exact expectation. Undefined where no label is above 0:
    `empty`, 0.0 by default.

    >>> import rankgain as rg
    >>> rg.err([2, 0, 1], max_label=2)
    0.7708333333333334

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan 2009, CIKM.
    """,
)

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


MODULES = ("dask", "integrations", "plot", "ray", "spark", "text")  # public, imported by name


def absent(name: str, other_names: Iterable[str]) -> str:
    """The end of the error for a missing attribute: the name that was probably intended."""
    from difflib import get_close_matches  # imported only for the error

    if name in MODULES:
        return f"; import it first: from rankgain import {name}"
    function_name = name.lower().removesuffix("_at_k").removesuffix("_score")
    spelling = SPELLINGS.get(
        {"hits": "hit_rate", "p": "precision"}.get(function_name, function_name)
    )
    if spelling is None:
        if name.startswith("evaluate_d"):  # ..._df, ..._dataframe
            return "; did you mean evaluate_frame?"
        matches = get_close_matches(name, [*__all__, *other_names], n=2)
        return f"; did you mean {' or '.join(matches)}?" if matches else ""
    family = spelling.family
    if family.function in __all__:
        return f"; did you mean {family.function}?"
    return f"; {family.name} has no function; evaluate... take it by name"
