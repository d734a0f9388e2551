"""CatBoost: a measure for `eval_metric`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .hosts import larger_is_better, requested_one, required

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from ..measures.measure import Measure


catboost = required("catboost")


class CatBoostMetric:
    """An `eval_metric` with the groups of its pools, which CatBoost does not pass on."""

    def __init__(
        self, measure: str | Measure, pools: Mapping[str, Any], options: dict[str, Any]
    ) -> None:
        if "weight" in options:
            raise TypeError("weight is not supported here: one array would weight all pools")
        self._requested = requested_one(measure, options)
        self._lists: dict[bytes, tuple[str, dict[str, Any]]] = {}
        for name, (pool, groups) in pools.items():
            labels = _labels(pool.get_label())
            key = labels.tobytes()
            lists = _lists(groups, len(labels), name)
            if key in self._lists:
                other = self._lists[key][0]
                raise ValueError(f"the pools {other!r} and {name!r} have equal labels: leave one")
            self._lists[key] = name, lists

    def is_max_optimal(self) -> bool:
        """Whether larger values are better."""
        return larger_is_better(self._requested.name)

    def evaluate(
        self, approxes: Sequence[ArrayLike], target: object, weight: object
    ) -> tuple[float, float]:
        """The mean of a pool, and its weight, 1."""
        labels = _labels(target)
        known = self._lists.get(labels.tobytes())
        if known is None:
            names = ", ".join(f"{one!r}" for one, _ in self._lists.values()) or "none"
            raise ValueError(
                f"CatBoost evaluates {len(labels)} rows whose groups are not known; this metric "
                f"knows the pools {names}: name those of eval_set and the one that is trained on, "
                "in pools={name: (pool, groups)}"
            )
        means = self._requested.of_arrays(labels, np.asarray(approxes[0]), **known[1]).means
        return means[self._requested.name], 1.0

    def get_final_error(self, error: float, weight: float) -> float:
        """The number that CatBoost prints and uses for early stopping."""
        return error / weight


def _labels(values: object) -> Any:
    return np.ascontiguousarray(values, np.float32)  # as CatBoost stores them


def _lists(groups: ArrayLike, rows: int, name: str) -> dict[str, Any]:
    """Read groups: an id for each row, or sizes."""
    groups = np.asarray(groups)
    if groups.shape == (rows,):
        return {"qid": groups}
    if groups.dtype.kind not in "iu" or groups.ndim != 1 or groups.sum() != rows:
        raise ValueError(
            f"pools[{name!r}]: groups must be {rows} ids, one for each row, or sizes that add up "
            f"to {rows}"
        )
    return {"group": groups}


def catboost_metric(
    measure: str | Measure, pools: Mapping[str, Any], **options: object
) -> CatBoostMetric:
    """A measure for `eval_metric` of CatBoost's models, early stopping with it.

    Parameters
    ----------
    measure : str or Measure
        One, as CatBoost takes one number.
    pools : mapping of name -> (pool, groups)
        All pools that the metric will see, and the groups of their rows: an id for each row, or
        sizes. CatBoost passes no groups to a metric, so a pool is recognised by its labels. Two
        pools with equal labels are an error, and so are the labels of another pool.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="catboost"`, `gain=` and `ties=`.

    CatBoost computes custom metrics on the CPU in one thread.

    >>> catboost_metric("nDCG@10", {}).is_max_optimal()
    True
    """
    return CatBoostMetric(measure, pools, options)
