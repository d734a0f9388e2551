"""CatBoost: a measure for `eval_metric`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from .hosts import count_sizes, requested, require, weights_of_lists

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from ..measures.measure import Measure
    from .hosts import HostOptions


catboost = require("catboost")


class CatBoostMetric:
    """An `eval_metric` with the groups of its pools, which CatBoost does not pass on."""

    def __init__(
        self, measure: str | Measure, pools: Mapping[str, Any], options: HostOptions
    ) -> None:
        if options.get("weight") is not None:
            raise TypeError("weight is not supported here: one array would weight all pools")
        if not isinstance(pools, Mapping):
            raise TypeError(
                "pools must be a mapping name -> (pool, groups), such as "
                f"{{'valid': (pool, groups)}}, not {type(pools).__name__}"
            )
        self._requested = requested(measure, options, one=True)
        self._pools: dict[bytes, tuple[str, Any]] = {}
        for name, (pool, groups) in pools.items():
            labels = _labels(pool.get_label())
            key = labels.tobytes()
            if key in self._pools:
                other = self._pools[key][0]
                raise ValueError(f"the pools {other!r} and {name!r} have equal labels: leave one")
            sizes, rows = np.asarray(groups), len(labels)
            if sizes.shape == (rows,):
                sizes = count_sizes(sizes, f"pools[{name!r}]")
            elif sizes.dtype.kind not in "iu" or sizes.ndim != 1 or sizes.sum() != rows:
                raise ValueError(
                    f"pools[{name!r}]: groups must be {rows} ids, one for each row, or sizes that "
                    f"add up to {rows}"
                )
            self._pools[key] = name, sizes

    def __reduce__(self) -> Any:
        return _name_class, (self.__dict__,)

    def is_max_optimal(self) -> bool:
        """Whether larger values are better."""
        return self._requested.larger[0]

    def evaluate(
        self, approxes: Sequence[ArrayLike], target: object, weight: object
    ) -> tuple[float, float]:
        """The mean of a pool, and its weight, 1."""
        labels = _labels(target)
        known = self._pools.get(labels.tobytes())
        if known is None:
            names = ", ".join(f"{one!r}" for one, _ in self._pools.values()) or "none"
            raise ValueError(
                f"CatBoost evaluates {len(labels)} rows whose groups are not known; this metric "
                f"knows the pools {names}: name those of eval_set and the one that is trained on, "
                "in pools={name: (pool, groups)}"
            )
        lists = {"group": known[1]}
        if weight is not None and len(rows := np.asarray(weight)):
            weights = weights_of_lists(rows, known[1])
            if (np.repeat(weights, known[1]) == rows).all():  # else they are not of groups
                lists["weight"] = weights
        means = self._requested.of_arrays(labels, np.asarray(approxes[0]), **lists).means
        return means[self._requested.name], 1.0

    def get_final_error(self, error: float, weight: float) -> float:
        """The number that CatBoost prints and uses for early stopping."""
        return error / weight


def _name_class(state: dict[str, Any]) -> CatBoostMetric:
    """A metric whose class has the name of the measure, which CatBoost's logs show."""
    kind: Any = type(state["_requested"].labels[0], (CatBoostMetric,), {})
    metric: CatBoostMetric = kind.__new__(kind)
    metric.__dict__.update(state)
    return metric


def _labels(values: object) -> Any:
    return np.ascontiguousarray(values, np.float32)  # as CatBoost stores them


def catboost_metric(
    measure: str | Measure, pools: Mapping[str, Any], **options: Unpack[HostOptions]
) -> CatBoostMetric:
    """A measure for `eval_metric` of CatBoost's models, early stopping with it.

    Parameters
    ----------
    measure : str or Measure
        One, as CatBoost takes one number. Its name, or name=, is that in CatBoost's logs.
    pools : mapping of name -> (pool, groups)
        All pools that the metric will see, and the groups of their rows: an id for each row, or
        sizes. CatBoost passes no groups to a metric, so a pool is recognised by its labels. Two
        pools with equal labels are an error, and so are the labels of another pool.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="catboost"`, `gain=` and `ties=`. Where
        a pool has weights of its groups, the mean uses them, as in CatBoost's own measures;
        `weight=None` ignores them. Weights that differ within a group are ignored, as there.

    CatBoost computes custom metrics on the CPU in one thread.

    >>> catboost_metric("nDCG@10", {}).is_max_optimal()
    True
    """
    return _name_class(vars(CatBoostMetric(measure, pools, options)))
