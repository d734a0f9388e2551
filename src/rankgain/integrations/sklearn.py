"""scikit-learn: scorers that rank within groups, for its cross-validation and searches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from .hosts import Requested, read_request, require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..inputs.types import Group, Labels, Scores
    from ..measures.measure import Measure
    from .hosts import HostOptions


metrics = require("sklearn.metrics")
get_config = require("sklearn").get_config

# The first method that the estimator has. `predict` is last: classes would tie many documents.
RESPONSE = ("decision_function", "predict_proba", "predict")
REMEDIES = (
    "call sklearn.set_config(enable_metadata_routing=True) first, and pass cross_validate and "
    'cross_val_score params={"groups": groups}, or a search fit(X, y, groups=groups); or make it '
    'with groups="qid" and keep a column "qid" in X'
)


def score(y_true: Labels, y_score: Scores, *, request: Requested, groups: Group = None) -> float:
    """The mean over the groups."""
    if groups is None:
        raise ValueError(f"no groups reached the scorer; {REMEDIES}")
    evaluation = request.of_arrays(y_true, y_score, qid=groups)
    return evaluation.means[request.name]


class ColumnScorer:
    """A scorer whose groups are a column of X."""

    def __init__(self, request: Requested, column: str) -> None:
        self._request = request
        self._column = column

    def __call__(self, estimator: object, X: Mapping[str, Group], y: object) -> float:
        try:
            groups = X[self._column]
        except (KeyError, IndexError, TypeError):
            raise ValueError(
                f"X has no column {self._column!r}; keep the ids of the lists there, or use "
                'groups="groups" and metadata routing'
            ) from None
        score_groups = partial(score, request=self._request, groups=groups)
        scorer = _make_scorer(score_groups, self._request)
        return float(scorer(estimator, X, y))


def _make_scorer(function: Any, request: Requested) -> Any:
    """A scorer of scikit-learn, which negates measures where smaller is better."""
    function.__name__ = request.name  # scikit-learn before 1.8 reads it from the function
    return metrics.make_scorer(
        function, response_method=RESPONSE, greater_is_better=request.larger[0]
    )


def ranking_scorer(
    measure: str | Measure | Sequence[str | Measure],
    *,
    groups: str = "groups",
    **options: Unpack[HostOptions],
) -> Any:
    """A scorer for cross_validate, GridSearchCV and their like: a measure of lists, not of rows.

    Parameters
    ----------
    measure : str, Measure, or a list of them
        A list gives a dict of name -> scorer, which `scoring=` takes; a search chooses by
        `refit="nDCG@10"`.
    groups : "groups", or the name of a column of X
        "groups": the ids of the lists are metadata, which scikit-learn routes to the scorer after
        `sklearn.set_config(enable_metadata_routing=True)`; the scorer requests them. Any other text
        is the column of X that holds them, as in groups="qid", without routing.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="sklearn"`, `gain=` and `ties=`.

    Notes
    -----
    Documents are scored by decision_function, predict_proba or predict, the first that an estimator
    has. If smaller values are better, the score is negative, as in scikit-learn.

    Examples
    --------
    >>> ranking_scorer("nDCG@10", groups="qid").__class__.__name__
    'ColumnScorer'
    """
    if isinstance(measure, (list, tuple)):
        scorers = {}
        for single in measure:
            name = read_request(single, options, single=True).name
            scorers[name] = ranking_scorer(single, groups=groups, **options)
        return scorers
    request = read_request(measure, options, single=True)
    if groups != "groups":
        return ColumnScorer(request, groups)
    if not get_config()["enable_metadata_routing"]:
        raise RuntimeError(f"scikit-learn does not pass groups to this scorer; {REMEDIES}")
    scorer = _make_scorer(partial(score, request=request), request)
    return scorer.set_score_request(groups=True)
