"""A call of a measure function such as `rg.ndcg`, from its arguments to its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import _core
from ..convention import UNSET, get_convention
from ..convention.options import read_cutoffs
from ..inputs.arrays import as_array, is_row
from ..inputs.read import read_lists
from ..inputs.sparse import Sparse
from .columns import CALLS, MeasureColumns, Prepared, finish, is_steady, is_value_of_core
from .notices import warn_of_columns, warn_of_labels
from .settings import Family, Settings, resolve
from .threads import usable_threads

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ..inputs.types import Array, Labels, Scores


Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Result: TypeAlias = float | Floats


PLAIN = (str, int, float, np.integer, type(None))  # of options that a cache key may have
ARRAYS = ("ids", "judged", "group", "qid", "lengths", "exclude")


def convert_lists(y_true: list[Any], y_score: list[Any]) -> tuple[Any, Any]:
    """Labels and scores of one list as arrays; lists of lists are returned unchanged."""
    if not y_true or not y_score or is_row(y_true[0]) or is_row(y_score[0]):
        return y_true, y_score
    return as_array(y_true, "y_true"), as_array(y_score, "y_score")


def evaluate_plain(
    prepared: Prepared, y_true: Array, y_score: Array, threads: int | None
) -> Result | None:
    """Evaluate arrays in the core without further checks; None where the core cannot."""
    if prepared.plan is None:
        return None
    empty = prepared.requested[0][1].empty
    if y_score.ndim == 1:
        return _core.evaluate_plain(prepared.plan, y_true, y_score, empty)
    if y_score.ndim == 2 and y_score.shape[1] > 1 and threads == 1:
        rows: Floats = np.empty(len(y_score))
        if _core.evaluate_plain(prepared.plan, y_true, y_score, empty, rows) is not None:
            return rows
    return None


def measure_arrays(
    family: Family,
    allowed: frozenset[str],
    y_true: Labels,
    y_score: Scores | None,
    options: Mapping[str, Any],
) -> Result:
    """Evaluate one measure; `allowed` are the arguments of its function."""
    unexpected = [name for name in options if name not in allowed]
    if unexpected:
        from difflib import get_close_matches  # imported only for the error

        near = get_close_matches(unexpected[0], sorted(allowed), n=1)
        hint = f"; did you mean {near[0]}=?" if near else ""
        raise TypeError(
            f"{family.function}() got an unexpected keyword argument {unexpected[0]!r}{hint}"
        )
    values = {name: v for name, v in options.items() if name not in ARRAYS and v is not UNSET}
    arrays = {name: options.get(name) for name in ARRAYS}
    workers = usable_threads(values.get("threads", 1))
    k = values.get("k")
    several = isinstance(k, (list, tuple)) or (k is not None and np.ndim(k) > 0)
    key: Any = None
    if all(isinstance(one, PLAIN) for one in values.values()):
        key = (family.function, *values.items(), *map(type, values.values()))
    prepared = key and CALLS.get(key)
    if prepared is None:
        prepared = _prepare(family, several, values, key)
    lists = read_lists(y_true, y_score, **arrays)
    table = MeasureColumns(prepared.requested, lists)
    out: Floats = table.values(workers)
    for column, (_, one) in enumerate(prepared.requested):
        finish(out[:, column], one, str(family.name), table.all_defined)
    if isinstance(lists.labels, Sparse):
        warn_of_labels(lists, table.requested, set())
    if lists.longest == 1:
        warn_of_columns(lists)
    _keep_plan(key, prepared, table)
    if lists.layout.single:
        return out.reshape(-1) if several else float(out[0, 0])
    return np.ascontiguousarray(out) if several else out[:, 0]


def _prepare(family: Family, several: bool, values: dict[str, Any], key: Hashable) -> Prepared:
    """Check and complete the arguments; cache the result if they have a key."""
    rules = get_convention(values.get("convention", "rankgain"))
    options = {name: v for name, v in values.items() if name not in ("convention", "threads")}
    ks = read_cutoffs(options.pop("k")) if several else [options.pop("k", UNSET)]
    # Settings of two cutoffs differ only in k; those without a cutoff may differ in more.
    settings_by_kind = {
        is_uncut: resolve(family.function, {**options, "k": k}, rules)
        for is_uncut, k in {k is None: k for k in ks}.items()
    }
    settings: Iterable[Settings] = settings_by_kind.values()
    if several:
        settings = [settings_by_kind[k is None]._replace(k=k) for k in ks]
    prepared = Prepared([(family, one) for one in settings])
    if key is not None:
        CALLS.keep(key, prepared)
    return prepared


def _keep_plan(key: Hashable, prepared: Prepared, table: MeasureColumns) -> None:
    """Cache the plan of one measure if it serves all dense lists that are no longer than these."""
    if key is None or prepared.plan is not None or CALLS.get(key) is not prepared:
        return
    if table.lists.runs is not None or table.lists.sparse or len(table.plans) != 1:
        return
    plan = table.plans[0][0]
    if plan.n_columns != 1:
        return  # a micro mean has a second column, the divisors
    if is_steady(*prepared.requested[0]) and is_value_of_core(prepared.requested[0][1]):
        prepared.plan = plan
        CALLS.keep(key, prepared, plan.nbytes)
