"""XGBoost: measures for `custom_metric` of xgboost.train and xgboost.cv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from .. import Accumulator
from ..measures.measure import parse_measure
from .hosts import read_request, require

if TYPE_CHECKING:
    from ..inputs.types import Array
    from ..measures.types import Measures
    from .hosts import HostOptions


xgboost = require("xgboost")

# XGBoost maximises metrics whose names begin with these, and minimises others.
WORDS = {"nDCG": "ndcg", "AP": "map", "P": "pre", "AUC": "auc"}
REFUSED = (
    "this metric evaluates a whole DMatrix with its groups, which the classes for scikit-learn do "
    "not pass on: XGBRanker(eval_metric=) calls a metric once for each query and weights the "
    "values by the sizes of the queries, which is not a mean over queries; use "
    "xgboost.train(params, dtrain, evals=[(dvalid, 'valid')], custom_metric=xgboost_metric(...)), "
    "whose booster XGBRanker().load_model takes"
)


class XGBoostMetric:
    """A `custom_metric`; XGBoost prints and records the values under `names`."""

    def __init__(self, measures: Measures, options: HostOptions) -> None:
        self._requested = read_request(measures, options)
        request = self._requested
        self.names = list(map(make_name, request.names, request.labels, request.larger))
        self.__name__ = "xgboost_metric"  # the classes for scikit-learn read it

    @property
    def name(self) -> str:
        """The name of the last measure, which early stopping uses."""
        return self.names[-1]

    def __call__(self, predt: Array, dtrain: Any) -> object:
        if not hasattr(dtrain, "get_uint_info"):
            raise TypeError(REFUSED)
        ends = dtrain.get_uint_info("group_ptr")
        workers = xgboost.collective.get_world_size()
        if len(ends) < 2 and (workers == 1 or dtrain.num_row()):
            raise ValueError(
                "the DMatrix has no groups, so there are no lists to rank: pass it qid=, or call "
                "set_group(sizes)"
            )
        lists = {"group": np.diff(ends)}
        weight = dtrain.get_weight()
        if len(weight) and len(weight) == len(ends) - 1:
            lists["weight"] = weight
        evaluation = self._requested.of_arrays(dtrain.get_label(), predt, **lists)
        means = evaluation.means
        if workers > 1:  # of the lists of all workers, whose means XGBoost would average
            total, part = Accumulator(), Accumulator()
            rank = xgboost.collective.get_rank()
            part.add(evaluation)
            for worker in range(workers):
                sums = part.to_dict() if worker == rank else None
                sums = xgboost.collective.broadcast(sums, worker)
                total.merge(Accumulator.from_dict(sums))
            means = total.means
        values = list(zip(self.names, means.values(), strict=True))
        if len(values) == 1:
            return values[0]
        return values


def make_name(measure: str, label: str, larger: bool) -> str:
    """A name for XGBoost, with a prefix that sets the direction of early stopping."""
    family = parse_measure(measure).family
    if not larger:
        text = f"rankgain_{label}"
    elif family in WORDS and label == measure:
        text = f"{WORDS[family]}_rankgain{measure.removeprefix(family)}"
    else:
        text = f"pre_rankgain_{label}"
    return "".join(text.split()).replace(":", "=")  # a blank and ":" end a name in its log


def xgboost_metric(measures: Measures, **options: Unpack[HostOptions]) -> XGBoostMetric:
    """Measures for `custom_metric` of `xgboost.train` and `xgboost.cv`.

    Parameters
    ----------
    measures : str, Measure, or a sequence of them
        One gives a number for each data set, several give a list of them.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="xgboost"`, `gain=` and `ties=`. Where a
        DMatrix has weights of its groups, the mean uses them, as in XGBoost's own metrics;
        `weight=None` ignores them.

    Notes
    -----
    The names begin as those of XGBoost's own metrics, so that early stopping maximises measures
    with larger values for better rankings: `ndcg_rankgain@10`, `map_rankgain`, `pre_rankgain@5`,
    `auc_rankgain`, `pre_rankgain_RR@10`, or with name="mine" `pre_rankgain_mine`. It minimises the
    others, which are `rankgain_...`. Early stopping uses the last metric; XGBoost rounds values to
    six decimals.

    On several workers, as of xgboost.dask, the means are those over the lists of all of them; each
    list must be whole on one. A DMatrix without groups is a ValueError. `XGBRanker(eval_metric=)`,
    which would weight queries by their sizes, is a TypeError that names the function to call
    instead.

    Examples
    --------
    >>> xgboost_metric(["nDCG@10", "RR"]).names
    ['ndcg_rankgain@10', 'pre_rankgain_RR']
    """
    return XGBoostMetric(measures, options)
