"""Several models on the same labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..inputs.truth import Truth
from .arrays import evaluate_arrays
from .evaluations import Evaluations, refuse_same_names

if TYPE_CHECKING:
    from ..inputs.types import Group, Judged, Labels, Scores, Sizes
    from ..measures.types import Measures


def evaluate_models(
    y_true: Labels,
    scores: Mapping[str, Scores],
    measures: Measures,
    *,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    judged: Judged | None = None,
    **options: Any,
) -> Evaluations:
    """Evaluate several models on the same lists; labels and ideals are prepared once.

    Parameters
    ----------
    y_true : array, scipy.sparse CSR or Truth
        As in `evaluate_arrays`.
    scores : mapping of name -> y_score
        Of each model, as `evaluate_arrays` takes them.
    measures, group, qid, lengths, judged and the others
        As in `evaluate_arrays`.

    Returns
    -------
    Evaluations

    Errors in the scores of a model are those of `evaluate_arrays`, with the name of the model.

    >>> import rankgain as rg
    >>> labels = [[0, 1, 2], [1, 0, 0]]
    >>> scores = {"a": [[1, 2, 3], [3, 2, 1]], "b": [[3, 2, 1], [1, 2, 3]]}
    >>> print(rg.evaluate_models(labels, scores, ["nDCG", "RR"]))
    run    nDCG      RR
    a    1.0000  1.0000
    b    0.5600  0.4167
    2 queries (convention rankgain)
    """
    if not isinstance(scores, Mapping):
        raise TypeError(f"scores must be a mapping name -> scores, not {type(scores).__name__}")
    refuse_same_names(scores, "models")
    if isinstance(y_true, Truth):
        y_true.refuse_again(group=group, qid=qid, lengths=lengths, judged=judged)
        truth = y_true
    else:
        truth = Truth(y_true, group=group, qid=qid, lengths=lengths, judged=judged)
    result = {}
    for name, one in scores.items():
        try:
            result[name] = evaluate_arrays(truth, one, measures, **options)
        except (TypeError, ValueError) as error:
            raise type(error)(f"model {name!r}: {error}") from None
    return Evaluations(result)
