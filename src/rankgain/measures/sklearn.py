"""scikit-learn's ndcg_score and dcg_score: its names, signatures, refusals and values.

They call `rankgain.dcg` and `rankgain.ndcg`. The checks are those of scikit-learn and apply only
here. A 1-D array, lists of one document, no lists, infinite scores and, in ndcg_score, negative
labels are errors, with the messages that scikit-learn's tests expect. scikit-learn is not imported.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from ..inputs.arrays import convert_array, native_scores
from ..inputs.axes import refuse_other_order
from ..inputs.lists import make_layout
from . import functions as metrics

if TYPE_CHECKING:
    from ..inputs.types import Array


__all__ = ["dcg_score", "ndcg_score"]


class _InvalidParameter(ValueError, TypeError):
    """A parameter outside its set of values; callers catch either base, as in scikit-learn."""


def dcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
) -> float:
    """Mean discounted cumulative gain, as `sklearn.metrics.dcg_score` computes it.

    Parameters
    ----------
    y_true : array of shape (lists, documents)
        Labels; any finite numbers.
    y_score : array of shape (lists, documents)
        Finite scores.
    k : int, optional
        Cutoff; None is the whole list.
    log_base : float, default 2
        Base of the discount's logarithm.
    sample_weight : array of shape (lists,), optional
        Weights of the mean; a sum of zero raises ZeroDivisionError.
    ignore_ties : bool, default False
        False averages over the orders of tied documents. True takes their order from
        ``np.argsort``, as scikit-learn does. It is not stable and may differ between versions of
        NumPy and between processors. ``ties="reverse"`` of `rankgain.dcg` is the same order
        everywhere.

    See Also
    --------
    rankgain.dcg : one value per list, several cutoffs, gains, discounts, groups.

    Examples
    --------
    >>> round(dcg_score([[3, 2, 0, 1]], [[0.2, 0.9, 0.4, 0.1]]), 4)
    3.9307
    """
    if not isinstance(log_base, Real) or not 0 < log_base < math.inf:
        raise _InvalidParameter(f"log_base must be a finite number above 0, got {log_base!r}")
    labels, scores, k = _read_call(y_true, y_score, k, sample_weight, ignore_ties)
    _refuse_one_document(labels, "y_true must have more than 1 document in each list, got 1")
    # log(b)/log(rank + 1) = log2(b)/log2(rank + 1): bases up to 1 too, which rankgain.dcg refuses.
    values = np.asarray(_values(metrics.dcg, labels, scores, k, ignore_ties))
    return _mean(values * math.log2(log_base), sample_weight)


def ndcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
) -> float:
    """Mean normalised discounted cumulative gain, as `sklearn.metrics.ndcg_score` computes it.

    Parameters
    ----------
    y_true : array of shape (lists, documents)
        Labels, none of them negative. A list without a positive label has the value 0.
    y_score : array of shape (lists, documents)
        Finite scores.
    k : int, optional
        Cutoff; None is the whole list.
    sample_weight : array of shape (lists,), optional
        Weights of the mean; a sum of zero raises ZeroDivisionError.
    ignore_ties : bool, default False
        False averages over the orders of tied documents. True takes their order from
        ``np.argsort``, as scikit-learn does. It is not stable and may differ between versions of
        NumPy and between processors. ``ties="reverse"`` of `rankgain.ndcg` is the same order
        everywhere.

    See Also
    --------
    rankgain.ndcg : one value per list, several cutoffs, gains, discounts, groups.

    Examples
    --------
    >>> round(ndcg_score([[3, 2, 0, 1]], [[0.2, 0.9, 0.4, 0.1]]), 4)
    0.8254
    """
    labels, scores, k = _read_call(y_true, y_score, k, sample_weight, ignore_ties)
    if labels.min() < 0:
        raise ValueError(
            "ndcg_score should not be used on negative y_true values: "
            f"{_first(labels < 0)} is the first"
        )
    _refuse_one_document(
        labels,
        "Computing NDCG is only meaningful when there is more than 1 document. Got 1 instead.",
    )
    values = np.asarray(_values(metrics.ndcg, labels, scores, k, ignore_ties))
    return _mean(values, sample_weight)


def _read_call(
    y_true: ArrayLike, y_score: ArrayLike, k: object, sample_weight: object, ignore_ties: object
) -> tuple[Array, Array, int | None]:
    """Both arrays, finite, non-empty and as long as the weights, and k; True is 1, as there."""
    if not isinstance(ignore_ties, bool | np.bool_):
        raise _InvalidParameter(f"ignore_ties must be True or False, got {ignore_ties!r}")
    if k is not None and (not isinstance(k, Integral) or k < 1):
        raise _InvalidParameter(f"k must be an int >= 1 or None, got {k!r}")
    refuse_other_order(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    labels = _array("y_true", y_true)
    scores = _array("y_score", y_score)
    _refuse_other_lengths(labels, scores, sample_weight)
    cutoff = None if k is None else int(k)
    return labels, scores, cutoff


def _refuse_other_lengths(
    labels: Any, scores: Any, sample_weight: Any, by_shape: bool = False
) -> None:
    samples = [labels.shape[0], len(scores)]
    if sample_weight is not None:
        if np.ndim(sample_weight) == 0:
            raise _InvalidParameter(f"sample_weight must be an array, got {sample_weight!r}")
        samples.append(len(sample_weight))
    if len(set(samples)) > 1:
        names = "y_true, y_score"
        if sample_weight is not None:
            names += ", sample_weight"
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {samples} ({names})"
        )
    if by_shape and labels.shape != scores.shape:
        raise ValueError(
            f"y_true and y_score have different shape: {labels.shape} and {scores.shape}"
        )


def _array(name: str, values: ArrayLike) -> Array:
    try:
        array = convert_array(values, name)
    except TypeError as error:
        raise _InvalidParameter(str(error)) from error
    if array.ndim == 0:
        raise _InvalidParameter(f"{name} must be an array (lists, documents), got a scalar")
    if array.ndim > 2:
        raise ValueError(f"{name} must have at most 2 dimensions, got {array.ndim}")
    if array.dtype.kind == "O":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} must be numeric: {error}") from error
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be numeric, got dtype {array.dtype}")
    if array.size == 0:
        raise ValueError(f"{name} is empty (shape={array.shape}) while a minimum of 1 is required")
    if array.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            is_finite = math.isfinite(float(array.sum()))
        # The sum may overflow; NaN reaches both extremes.
        if not is_finite and not all(map(math.isfinite, (array.min(), array.max()))):
            kind, is_bad = "infinity", np.isinf(array)
            if math.isnan(array.min()):
                kind, is_bad = "NaN", np.isnan(array)
            raise ValueError(f"{name} contains {kind}: {_first(is_bad)} is the first")
    return array


def _refuse_one_document(labels: NDArray[Any], words: str) -> None:
    """Refuse one list, and lists of one document."""
    if labels.ndim == 1:
        raise ValueError(
            f"y_true must be of shape (lists, documents), got {labels.shape}: for one list give "
            "[y_true] and [y_score], or use rankgain.dcg and rankgain.ndcg"
        )
    if labels.shape[1] == 1:
        raise ValueError(words)


def _first(bad: NDArray[np.bool_]) -> str:
    """The place of the first True, for errors."""
    index = np.unravel_index(int(np.argmax(bad)), bad.shape)
    if len(index) == 1:
        return f"position {index[0]}"
    return f"list {index[0]}, document {index[1]}"


def _values(
    measure: Callable[..., Any], labels: Array, scores: Array, k: int | None, ignore_ties: bool
) -> object:
    """The values of the lists. If ties are not averaged, NumPy orders them, as in scikit-learn."""
    if not ignore_ties:
        return measure(labels, scores, k=k, ties="average")
    # Without ties, any order by score is that of argsort. From the first list with a tie on, rank
    # by argsort itself, which is not stable.
    values = measure(labels, scores, k=k, ties="reverse")
    layout = make_layout(scores.shape, None, None, None)
    first = _core.list_with_tie(native_scores(scores).reshape(-1), layout.starts, layout.stops)
    if first >= 0:
        order = np.argsort(scores[first:])[:, ::-1]
        ranked = np.take_along_axis(labels[first:], order, axis=1)
        values[first:] = measure(ranked, None, k=k)
    return values


def _mean(values: NDArray[Any], sample_weight: Any) -> float:
    return float(np.average(values, weights=sample_weight))
