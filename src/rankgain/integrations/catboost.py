"""CatBoost: a measure for `eval_metric`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..engine.notices import warn
from .hosts import count_sizes, read_request, require, weights_of_lists

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from ..inputs.types import Array, Floats, Integers
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
        self._requested = read_request(measure, options, single=True)
        self._warns = "weight" not in options
        # By the bytes of the labels: name, sizes and weights of groups.
        self._pools: dict[bytes, tuple[str, Integers, Floats | None]] = {}
        for name, pool_and_groups in pools.items():
            pool, groups, *weights = _split_pool(name, pool_and_groups)
            labels = _labels(pool.get_label())
            key = labels.tobytes()
            if key in self._pools:
                first = self._pools[key][0]
                raise ValueError(
                    f"the pools {first!r} and {name!r} have equal labels; pass one of them"
                )
            sizes, rows = np.asarray(groups), len(labels)
            if sizes.shape == (rows,):
                sizes = count_sizes(sizes, f"pools[{name!r}]")
            elif sizes.dtype.kind not in "iu" or sizes.ndim != 1 or sizes.sum() != rows:
                raise ValueError(
                    f"pools[{name!r}]: groups must be {rows} ids, one for each row, or sizes that "
                    f"add up to {rows}"
                )
            of_groups = None
            if weights:
                of_groups = _group_weights(weights[0], sizes, f"pools[{name!r}]")
            self._pools[key] = name, sizes, of_groups

    def __reduce__(self) -> tuple[object, ...]:
        return _name_class, (self.__dict__,)

    def is_max_optimal(self) -> bool:
        """Whether larger values are better."""
        return self._requested.larger[0]

    def evaluate(
        self, approxes: Sequence[ArrayLike], target: object, weight: object
    ) -> tuple[float, float]:
        """The mean of a pool, and its weight, 1."""
        labels = _labels(target)
        pool = self._pools.get(labels.tobytes())
        if pool is None:
            names = ", ".join(repr(pool_name) for pool_name, *_ in self._pools.values()) or "none"
            raise ValueError(
                f"CatBoost evaluates {len(labels)} rows whose groups are not known; this metric "
                f"knows the pools {names}: name those of eval_set and the one that is trained on, "
                "in pools={name: (pool, groups)}"
            )
        name, sizes, weights = pool
        lists: dict[str, Array] = {"group": sizes}
        if weights is not None:
            lists["weight"] = weights
        elif self._warns and weight is not None and _may_be_of_groups(weight, sizes):
            self._warns = False
            warn(
                f"the pool {name!r} has weights, which may be weight= or group_weight= of CatBoost "
                "and are not used; pass pools={name: (pool, groups, group_weights)} to use those "
                "of groups, as CatBoost's own measures do, or weight=None"
            )
        means = self._requested.of_arrays(labels, np.asarray(approxes[0]), **lists).means
        return means[self._requested.name], 1.0

    def get_final_error(self, error: float, weight: float) -> float:
        """The number that CatBoost prints and uses for early stopping."""
        return error / weight


def _split_pool(name: str, pool_and_groups: object) -> Sequence[Any]:
    """The pool, groups and optional group weights under a name; TypeError for anything else."""
    form = f"{{{name!r}: (pool, groups)}}"
    if hasattr(pool_and_groups, "get_label"):
        raise TypeError(
            f"pools[{name!r}] is a pool without groups, which CatBoost does not pass to a metric, "
            f"even if the pool has group_id; pass pools={form}, where groups are the sizes of the "
            "lists or an id for each row"
        )
    if not isinstance(pool_and_groups, (tuple, list)):
        raise TypeError(
            f"pools[{name!r}] must be (pool, groups), not {type(pool_and_groups).__name__}; pass "
            f"pools={form}"
        )
    if len(pool_and_groups) not in (2, 3) or not hasattr(pool_and_groups[0], "get_label"):
        raise TypeError(
            f"pools[{name!r}] must be (pool, groups) or (pool, groups, group_weights), with a "
            "catboost.Pool first and groups as sizes of the lists or an id for each row"
        )
    return pool_and_groups


def _name_class(state: dict[str, Any]) -> CatBoostMetric:
    """A metric whose class has the name of the measure, which CatBoost's logs show."""
    kind: Any = type(state["_requested"].labels[0], (CatBoostMetric,), {})
    metric: CatBoostMetric = kind.__new__(kind)
    metric.__dict__.update(state)
    return metric


def _group_weights(weights: object, sizes: Integers, place: str) -> Floats:
    """A weight for each group, from one for each group or for each row."""
    array = np.asarray(weights, np.float64)
    if array.shape == (len(sizes),):
        return array
    if array.shape != (int(sizes.sum()),):
        raise ValueError(
            f"{place}: group weights must be {len(sizes)} numbers, one for each group, or "
            f"{int(sizes.sum())}, one for each row"
        )
    result = weights_of_lists(array, sizes)
    if (np.repeat(result, sizes) != array).any():
        raise ValueError(f"{place}: group weights differ within a group; give one for each group")
    return result


def _may_be_of_groups(weight: object, sizes: Integers) -> bool:
    """Whether weights of rows differ, but not within a group."""
    rows = np.asarray(weight, np.float64)
    if not len(rows) or (rows == rows[0]).all():
        return False
    means = weights_of_lists(rows, sizes)
    return np.array_equal(np.repeat(means, sizes), rows)


def _labels(values: object) -> Array:
    return np.ascontiguousarray(values, np.float32)  # as CatBoost stores them


def catboost_metric(
    measure: str | Measure, pools: Mapping[str, Any], **options: Unpack[HostOptions]
) -> CatBoostMetric:
    """A measure for `eval_metric` of CatBoost's models, early stopping with it.

    Parameters
    ----------
    measure : str or Measure
        One, as CatBoost takes one number. Its name, or name=, is that in CatBoost's logs.
    pools : mapping of name -> (pool, groups) or (pool, groups, group_weights)
        All pools that the metric will see, and the groups of their rows: an id for each row, or
        sizes. CatBoost does not pass groups to a metric, so a pool is recognised by its labels. Two
        pools with equal labels are an error, and so are the labels of another pool. Weights of
        groups, one for each group or for each row, weight the mean as in CatBoost's own measures.
        They must be given here: to a metric, CatBoost passes `weight=` and `group_weight=` of a
        pool as the same numbers, and its own measures use only the latter.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="catboost"`, `gain=` and `ties=`. A pool
        that may have weights of groups is a RankgainWarning if none are given here; `weight=None`
        says that none are to be used.

    Notes
    -----
    CatBoost computes custom metrics on the CPU in one thread.

    Examples
    --------
    >>> catboost_metric("nDCG@10", {}).is_max_optimal()
    True
    """
    return _name_class(vars(CatBoostMetric(measure, pools, options)))
