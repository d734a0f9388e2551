"""LightGBM: measures for `feval`, and for `eval_metric` of its scikit-learn classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from .hosts import count_sizes, read_request, require, weights_of_lists

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..measures.types import Measures
    from .hosts import HostOptions


lightgbm = require("lightgbm")


class LightGBMMetric:
    """A `feval` or `eval_metric`: LightGBM inspects the number of parameters."""

    def __init__(self, measures: Measures, options: HostOptions) -> None:
        self._requested = read_request(measures, options)
        self.names = [f"rankgain {name}" for name in self._requested.labels]
        self._larger = self._requested.larger

    # LGBMRanker passes weights and groups only to a function with four parameters.
    def __call__(self, y_true: Any, y_pred: Any, weight: Any = None, group: Any = None) -> object:
        if hasattr(y_pred, "get_label"):  # a feval is called with scores and a Dataset
            data, y_pred = y_pred, y_true
            y_true = data.get_label()
            weight = data.get_weight()
            group = data.get_group()
            rows = data.used_indices  # of a fold of cv, which cuts by rows unless it ranks
            if rows is not None and group is not None:
                # A list is whole if all rows of the lists that have any are here.
                sizes = data.reference.get_group()
                list_of_row = np.repeat(np.arange(len(sizes)), sizes)
                lists_here = np.unique(list_of_row[rows])
                if sizes[lists_here].sum() != len(rows):
                    raise ValueError(
                        "cv cuts lists in two, as the objective is not for ranking: give it folds= "
                        "that keep them together, such as "
                        "folds=sklearn.model_selection.GroupKFold(5)"
                    )
        if group is None:
            raise ValueError(
                "the data have no groups, so there are no lists to rank: pass Dataset(group=sizes),"
                " or fit(group=, eval_group=)"
            )
        lists = {"group": group}
        if weight is not None:
            lists["weight"] = weights_of_lists(weight, group)
        evaluation = self._requested.of_arrays(y_true, y_pred, **lists)
        values = list(zip(self.names, evaluation.means.values(), self._larger, strict=True))
        if len(values) == 1:
            return values[0]
        return values


def lightgbm_metric(measures: Measures, **options: Unpack[HostOptions]) -> LightGBMMetric:
    """Measures for `feval` of `lightgbm.train` and `lightgbm.cv`, and `eval_metric` of LGBMRanker.

    Parameters
    ----------
    measures : str, Measure, or a sequence of them
        One gives a number for each data set, several give a list of them.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="lightgbm"`, `gain=` and `ties=`. Where
        the data have weights, the mean weight of the rows of a list is its weight in the mean, as
        in LightGBM's own metrics; `weight=None` ignores the weights.

    Notes
    -----
    Names are `rankgain nDCG@10`, or with name="mine" `rankgain mine`; LightGBM learns whether
    larger values are better. With `"metric": "None"` among the parameters, LightGBM computes no
    other metrics, and early stopping uses these. Data without groups raise a ValueError.

    Examples
    --------
    >>> lightgbm_metric(["nDCG@10", "RR"]).names
    ['rankgain nDCG@10', 'rankgain RR']
    """
    return LightGBMMetric(measures, options)


class RankerOfIds(lightgbm.LGBMRanker):  # type: ignore[name-defined]
    """LGBMRanker that takes an id of the list for each row, where LightGBM takes sizes of lists.

    Sizes cannot be cut into folds as rows can. `fit(X, y, qid=ids)`, and `eval_qid=` beside
    `eval_set=`, take ids; all else is as in LGBMRanker. The rows of a list must be adjacent: an id
    that appears again after another is a ValueError. In cross-validation,
    `RankerOfIds().set_fit_request(qid=True)` makes scikit-learn pass it the ids.

    >>> X, y = np.arange(8.0).reshape(4, 2), [0, 1, 1, 0]
    >>> RankerOfIds(n_estimators=1, verbose=-1).fit(X, y, qid=["a", "a", "b", "b"]).n_features_
    2
    """

    def fit(
        self,
        X: object,
        y: object,
        *,
        qid: object,
        eval_qid: Iterable[object] | None = None,
        **options: object,
    ) -> Any:
        """Train on lists; the other arguments are those of LGBMRanker.fit."""
        if eval_qid is not None:
            eval_group = []
            for index, ids in enumerate(eval_qid):
                eval_group.append(count_sizes(ids, f"eval_qid[{index}]"))
            options["eval_group"] = eval_group
        return super().fit(X, y, group=count_sizes(qid, "qid"), **options)
