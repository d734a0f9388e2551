"""A measure function's call from its arguments to its result."""

from typing import Any, TypeAlias

import numpy as np

from .. import _core
from ..convention import UNSET, get_convention
from ..lists.read import read_lists
from ..names.family import Family
from .kept import Kept
from .notices import warn_of_labels
from .planset import Columns, finish, is_steady
from .settings import Settings, cutoffs, resolve
from .threads import usable_threads

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Result: TypeAlias = float | Floats

# Plans of calls that were made before: plain arrays then go straight to the core.
# Beside them the types of numbers: 1, 1.0 and True are equal, but not all taken for each other.
_seen: Kept[Any, Any] = Kept(256)


def measure_arrays(
    family: Family,
    y_true: Any,
    y_score: Any,
    k: Any,
    values: tuple[Any, ...],
    arrays: tuple[Any, ...],
    convention: Any,
    threads: int | None,
) -> Result:
    """Evaluate one measure; `values` and `arrays` in the order of the function that asks."""
    key = (family.function, k, k.__class__, values, convention, threads, threads.__class__)
    a, b, c, d, e, f = arrays  # compared one by one: == of an array is an array
    alone = a is b is c is d is e is f is None
    if alone and type(y_score) is np.ndarray and type(y_true) is np.ndarray:
        try:
            known = _seen.get(key)
        except (TypeError, ValueError):
            known = None
        if known is not None:
            plan, empty, kinds = known
            if kinds is None or kinds == [value.__class__ for value in values]:
                if y_score.ndim == 1:
                    value = _core.evaluate_one(plan, y_true, y_score, empty)
                    if value is not None:
                        return value
                elif y_score.ndim == 2 and threads == 1:
                    rows: Floats = np.empty(len(y_score))
                    if _core.evaluate_rows(plan, y_true, y_score, empty, rows):
                        return rows
    return _measure(family, y_true, y_score, k, values, arrays, convention, threads, key)


def _measure(
    family: Family,
    y_true: Any,
    y_score: Any,
    k: Any,
    values: tuple[Any, ...],
    arrays: tuple[Any, ...],
    convention: Any,
    threads: int | None,
    key: Any,
) -> Result:
    workers = usable_threads(threads)
    rules = get_convention("rankgain" if convention is UNSET else convention)
    given = dict(zip(family.arguments, values, strict=True))
    several = k is not UNSET and k is not None and np.ndim(k) > 0
    asked = cutoffs(k) if several else [k]
    settings = [resolve(family.function, {**given, "k": one}, rules) for one in asked]
    group, qid, lengths, judged, exclude, ids = arrays
    lists = read_lists(
        y_true,
        y_score,
        group=group,
        qid=qid,
        lengths=lengths,
        judged=judged,
        exclude=exclude,
        ids=ids,
    )
    table = Columns([(family, one) for one in settings], lists)
    out: Floats = table.values(workers)
    for column, one in enumerate(settings):
        finish(out[:, column], one, str(family.name), table.none)
    warn_of_labels(lists, table.asked, set())
    if not several:
        _remember(key, table, settings[0])
    if lists.layout.single:
        if not several:
            return float(out[0, 0])
        return out.reshape(-1)
    return np.ascontiguousarray(out) if several else out[:, 0]


def _remember(key: Any, table: Columns, settings: Settings) -> None:
    """Keep the plan of a call whose arguments are plain values."""
    plain = all(v is UNSET or isinstance(v, (str, int, float)) for v in (*key[3], key[4]))
    plain = plain and (key[1] is None or key[1] is UNSET or isinstance(key[1], (int, np.integer)))
    if not plain or isinstance(settings.empty, str) or table.lists.runs is not None:
        return
    if len(table.plans) != 1 or table.plans[0][0].n_columns != 1:
        return  # a micro mean has a second column, of what its values are shares of
    if not is_steady(*table.asked[0]):
        return
    if settings.ideal in ("ones", "given") or settings.undefined == "zero_sum":
        return
    if settings.round is not None or settings.result_dtype != "float64":
        return
    if any(isinstance(v, bool) for v in key[3]):
        return
    named = all(v is UNSET or isinstance(v, str) for v in key[3])
    kinds = None if named else [v.__class__ for v in key[3]]
    plan = table.plans[0][0]
    _seen.keep(key, (plan, float(settings.empty), kinds), plan.nbytes)
