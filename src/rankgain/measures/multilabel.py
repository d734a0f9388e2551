"""scikit-learn's measures of multilabel ranking: its names, signatures, refusals and values.

As `measures/sklearn.py`, a thin layer with scikit-learn's own checks; scikit-learn is not imported.
"""

from __future__ import annotations

import sys
import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..engine.columns import measure_arrays
from ..engine.notices import RankgainWarning
from ..inputs.axes import refuse_other_order
from ..inputs.sparse import looks_sparse
from .families import FAMILIES
from .sklearn import _array, _InvalidParameter, _mean, _refuse_other_lengths

if TYPE_CHECKING:
    from ..inputs.types import Array, HasCSR

__all__ = [
    "coverage_error",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "top_k_accuracy_score",
]

SPARSE = 16  # if fewer than one label in so many is true, labels are ranked as sparse labels


def label_ranking_average_precision_score(
    y_true: ArrayLike | HasCSR, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean over samples and true labels of (true labels / labels) that rank as high.

    As `sklearn.metrics.label_ranking_average_precision_score`: labels with equal scores all have
    the rank of the last of them. `PRAUC(empty=1)` is the same measure by name.

    Parameters
    ----------
    y_true : array or scipy.sparse CSR of shape (samples, labels)
        Which labels are true; two values, of which 0 is false.
    y_score : array of shape (samples, labels)
        Finite scores.
    sample_weight : array of shape (samples,), optional
        Weights of the mean.

    Returns
    -------
    float
        In (0, 1]; a sample whose labels are all true, or all false, counts as 1.

    Raises
    ------
    ValueError
        For shapes that differ, labels of more than two values, NaN and infinity.

    Examples
    --------
    >>> label_ranking_average_precision_score([[1, 0, 0]], [[0.75, 0.5, 1]])
    0.5

    References
    ----------
    Tsoumakas, Katakis and Vlahavas 2010, Mining multi-label data.
    """
    labels, scores = _indicators(y_true, y_score, sample_weight, one_column=True)
    values = _values("pr_auc", labels, scores, empty=1.0)
    if sample_weight is None:
        return float(np.sum(values) / len(values))
    return float(np.sum(values * np.asarray(sample_weight)) / np.sum(sample_weight))


def coverage_error(
    y_true: ArrayLike | HasCSR, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean number of labels that score as high as the last true one, or higher.

    As `sklearn.metrics.coverage_error`, with CSR labels too. `CoverageError` is the same measure by
    name.

    Parameters
    ----------
    y_true : array or scipy.sparse CSR of shape (samples, labels)
        Which labels are true; two values, of which 0 is false.
    y_score : array of shape (samples, labels)
        Finite scores.
    sample_weight : array of shape (samples,), optional
        Weights of the mean; a sum of zero raises ZeroDivisionError.

    Returns
    -------
    float
        A number of labels; 0 for a sample without true labels.

    Raises
    ------
    ValueError
        For shapes that differ, one-dimensional input, labels of more than two values, NaN and
        infinity.

    Examples
    --------
    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5

    References
    ----------
    Tsoumakas, Katakis and Vlahavas 2010, Mining multi-label data.
    """
    if _is_flat(y_true) or _is_flat(y_score):
        raise ValueError(
            "Expected 2D array, got 1D array instead: give a row for each sample, "
            "[y_true] and [y_score] for one"
        )
    labels, scores = _indicators(y_true, y_score, sample_weight)
    return _mean(_values("coverage_error", labels, scores), sample_weight)


def label_ranking_loss(
    y_true: ArrayLike | HasCSR, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean share of pairs of a true and a false label in which the false one scores as high.

    As `sklearn.metrics.label_ranking_loss`: equal scores are wrong. `RankingLoss(empty=0)` is the
    same measure by name, and it is 1 - AUC(ties=worst).

    Parameters
    ----------
    y_true : array or scipy.sparse CSR of shape (samples, labels)
        Which labels are true; two values, of which 0 is false.
    y_score : array of shape (samples, labels)
        Finite scores.
    sample_weight : array of shape (samples,), optional
        Weights of the mean; a sum of zero raises ZeroDivisionError.

    Returns
    -------
    float
        In [0, 1]; a sample whose labels are all true, or all false, counts as 0.

    Raises
    ------
    ValueError
        For shapes that differ, labels of more than two values, NaN and infinity.

    Examples
    --------
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75

    References
    ----------
    Tsoumakas, Katakis and Vlahavas 2010, Mining multi-label data.
    """
    labels, scores = _indicators(y_true, y_score, sample_weight)
    return _mean(_values("ranking_loss", labels, scores, empty=0.0), sample_weight)


def top_k_accuracy_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Share of samples whose class is among the k with the highest scores.

    As `sklearn.metrics.top_k_accuracy_score`: of classes with equal scores, the later one is first.

    Parameters
    ----------
    y_true : array of shape (samples,)
        Classes, of any type that sorts.
    y_score : array of shape (samples, classes), or (samples,) for two classes
        Finite scores of the classes in sorted order; for two classes that of the second one, which
        is predicted above 0.5 where all scores are in [0, 1], else above 0.
    k : int, default 2
        How many classes count. A k of all classes or more gives 1 and a warning.
    normalize : bool, default True
        False returns the number of such samples.
    sample_weight : array of shape (samples,), optional
        Weights of the samples.
    labels : array of shape (classes,), optional
        All classes, sorted, where `y_true` does not hold each.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For classes that do not fit the columns of `y_score`, NaN and infinity.

    Examples
    --------
    >>> top_k_accuracy_score([0, 1, 2], [[0.5, 0.2, 0.1], [0.3, 0.4, 0.2], [0.7, 0.2, 0.1]], k=1)
    0.6666666666666666
    """
    if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
        raise _InvalidParameter(f"k must be an int >= 1, got {k!r}")
    if not isinstance(normalize, bool | np.bool_):
        raise _InvalidParameter(f"normalize must be True or False, got {normalize!r}")
    refuse_other_order(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    truth = _column("y_true", y_true)
    if truth.dtype.kind == "f" and (truth != np.trunc(truth)).any():
        raise ValueError("y type must be 'binary' or 'multiclass', got 'continuous' instead.")
    is_binary = len(np.unique(truth)) <= 2 and (labels is None or len(labels) <= 2)
    scores = _array("y_score", y_score)
    if is_binary:
        if scores.ndim == 2 and scores.shape[1] != 1:
            raise ValueError(
                f"`y_true` is binary while y_score is 2d with {scores.shape[1]} classes. If "
                "`y_true` does not contain all the labels, `labels` must be provided."
            )
        scores = scores.reshape(-1)
    elif scores.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            f"multiple classes. Got `y_score.shape={scores.shape}`."
        )
    _refuse_other_lengths(truth, scores, sample_weight)
    classes = _classes(truth, 2 if is_binary else scores.shape[1], labels)
    if k >= len(classes):
        # scikit-learn's class if it is loaded, so that filters of it apply.
        sklearn_exceptions = sys.modules.get("sklearn.exceptions")
        warnings.warn(
            f"'k' ({k}) greater than or equal to 'n_classes' ({len(classes)}) will result in a "
            "perfect score and is therefore meaningless.",
            getattr(sklearn_exceptions, "UndefinedMetricWarning", RankgainWarning),
            stacklevel=2,
        )
    class_codes = np.searchsorted(classes, truth)
    if not is_binary:
        # Each sample has one true class: labels as CSR with one element in a row.
        n = len(class_codes)
        one_true_class = np.ones(n), class_codes, np.arange(n + 1)
        hits = _values("hit_rate", one_true_class, scores, k=int(k), ties="reverse")
    elif k == 1:
        # Scores from 0 to 1 are taken for probabilities, others for distances from a border.
        are_probabilities = scores.min() >= 0 and scores.max() <= 1
        threshold = 0.5 if are_probabilities else 0.0
        hits = (scores > threshold) == class_codes
    else:
        hits = np.ones(len(class_codes))
    if normalize:
        return _mean(hits, sample_weight)
    if sample_weight is None:
        return float(np.sum(hits))
    return float(np.dot(hits, sample_weight))


def _values(function: str, labels: Array, scores: Array, **options: object) -> Array:
    """The values of the samples by the measure of this name."""
    family = FAMILIES[function]
    return np.asarray(measure_arrays(family, frozenset(options), labels, scores, options))


def _indicators(
    y_true: Any, y_score: ArrayLike, sample_weight: ArrayLike | None, one_column: bool = False
) -> tuple[Any, Array]:
    """True labels, as bools or CSR, and their scores, with the refusals of scikit-learn."""
    refuse_other_order(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    scores = _array("y_score", y_score)
    if looks_sparse(y_true):
        sparse = y_true.tocsr()
        _refuse_other_lengths(sparse, scores, sample_weight, by_shape=True)
        stored = np.asarray(sparse.data) != 0
        true_values = stored[:0]
        if stored.any():
            true_values = np.unique(_array("y_true", sparse.data)[stored])
        if (true_values != np.trunc(true_values)).any():
            raise ValueError("continuous-multioutput format is not supported")
        if len(true_values) > 1:
            raise ValueError("multiclass-multioutput format is not supported")
        return (stored.astype(np.int8), sparse.indices, sparse.indptr), scores
    labels = _array("y_true", y_true)
    _refuse_other_lengths(labels, scores, sample_weight, by_shape=True)
    true = labels if labels.dtype == bool else labels != 0
    true_positions = np.flatnonzero(true)
    has_columns = labels.ndim == 2 and labels.shape[1] > 1
    true_values = labels.reshape(-1)[true_positions]
    is_one_value = labels.dtype == bool or not len(true_positions)
    if not is_one_value:
        is_one_value = float(true_values[0]).is_integer() and (true_values == true_values[0]).all()
    # Only labels in columns, with one value beside 0, are indicators; name what others are.
    if not has_columns or not is_one_value:
        is_binary = len(np.unique(labels)) <= 2
        is_continuous = labels.dtype.kind == "f" and (labels != np.trunc(labels)).any()
        if is_continuous or not is_binary or not (has_columns or (one_column and labels.ndim == 2)):
            kind = "binary" if is_binary else "multiclass"
            if is_continuous:
                kind = "continuous"
            output = "-multioutput" if has_columns else ""
            raise ValueError(f"{kind}{output} format is not supported")
    if len(true_positions) * SPARSE > labels.size:
        return true, scores
    # Few labels are true: as CSR, only these are read.
    rows, columns = np.divmod(true_positions, labels.shape[1])
    indptr = np.searchsorted(rows, np.arange(len(labels) + 1))
    return (np.ones(len(true_positions), np.int8), columns, indptr), scores


def _is_flat(values: object) -> bool:
    """Whether values are one-dimensional; rows of different lengths are refused later."""
    if looks_sparse(values):
        return False
    try:
        return np.ndim(values) == 1  # type: ignore[arg-type]
    except ValueError:
        return False


def _column(name: str, values: Array) -> Array:
    """Classes as a 1-D array; a single column is one, too."""
    array = np.asarray(values)
    if array.ndim == 0:
        raise _InvalidParameter(f"{name} must be an array, got {values!r}")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.reshape(-1)
    if array.ndim != 1:
        raise ValueError(
            f"{name} should be a 1d array, got an array of shape {array.shape} instead."
        )
    if array.size == 0:
        raise ValueError(f"{name} is empty while a minimum of 1 sample is required")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} contains NaN or infinity")
    return array


def _classes(truth: NDArray[Any], columns: int, labels: Array) -> Array:
    """All classes in sorted order, as many as there are columns."""
    classes = np.unique(truth)
    if labels is None:
        if len(classes) != columns:
            raise ValueError(
                f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of "
                f"classes in 'y_score' ({columns}). You can provide a list of all known classes by "
                "assigning it to the `labels` parameter."
            )
        return classes
    given_classes = _column("labels", labels)
    sorted_classes = np.unique(given_classes)
    if len(sorted_classes) != len(given_classes):
        raise ValueError("Parameter 'labels' must be unique.")
    if not np.array_equal(sorted_classes, given_classes):
        raise ValueError("Parameter 'labels' must be ordered.")
    if len(given_classes) != columns:
        raise ValueError(
            f"Number of given labels ({len(given_classes)}) not equal to the number of classes in "
            f"'y_score' ({columns})."
        )
    if len(np.setdiff1d(classes, given_classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'.")
    return sorted_classes
