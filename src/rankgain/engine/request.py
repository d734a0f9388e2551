"""A measure function's call from its arguments to its result."""

from typing import Any, TypeAlias

import numpy as np

from .. import _core
from ..convention import UNSET, get_convention
from ..lists.read import read_lists
from ..names.family import Family
from .notices import warn_of_labels
from .planset import Columns, finish
from .prepared import CALLS, Prepared, are_plain, is_steady, is_value_of_core, kinds_of
from .settings import cutoffs, resolve
from .threads import usable_threads

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Result: TypeAlias = float | Floats


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
    key: Any = (family.function, k, k.__class__, values, convention, threads, threads.__class__)
    try:
        prepared = CALLS.get(key)
    except (TypeError, ValueError):  # an array, or what has no hash
        key, prepared = None, None
    if prepared is not None:
        if prepared.kinds is not None and prepared.kinds != [v.__class__ for v in values]:
            prepared = None
        elif prepared.plan is not None:
            a, b, c, d, e, f = arrays  # compared one by one: == of an array is an array
            if a is b is c is d is e is f is None and type(y_true) is type(y_score) is np.ndarray:
                found = _straight(prepared, y_true, y_score, threads)
                if found is not None:
                    return found
    return _measure(family, y_true, y_score, k, values, arrays, convention, threads, key, prepared)


def _straight(prepared: Prepared, y_true: Any, y_score: Any, threads: int | None) -> Result | None:
    """Plain arrays straight to the core; None where the general way must look."""
    empty = prepared.asked[0][1].empty
    if y_score.ndim == 1:
        value: float | None = _core.evaluate_one(prepared.plan, y_true, y_score, empty)
        return value
    if y_score.ndim == 2 and threads == 1:
        rows: Floats = np.empty(len(y_score))
        if _core.evaluate_rows(prepared.plan, y_true, y_score, empty, rows):
            return rows
    return None


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
    prepared: Prepared | None,
) -> Result:
    workers = usable_threads(threads)
    several = k is not UNSET and k is not None and np.ndim(k) > 0
    if prepared is None:
        prepared = _prepare(family, k, several, values, convention, key)
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
    table = Columns(prepared.asked, lists)
    out: Floats = table.values(workers)
    for column, (_, one) in enumerate(prepared.asked):
        finish(out[:, column], one, str(family.name), table.none)
    warn_of_labels(lists, table.asked, set())
    _keep_plan(key, prepared, table)
    if lists.layout.single:
        return out.reshape(-1) if several else float(out[0, 0])
    return np.ascontiguousarray(out) if several else out[:, 0]


def _prepare(
    family: Family, k: Any, several: bool, values: tuple[Any, ...], convention: Any, key: Any
) -> Prepared:
    """Check and complete the arguments; kept where they are plain values."""
    rules = get_convention("rankgain" if convention is UNSET else convention)
    given = dict(zip(family.arguments, values, strict=True))
    asked = cutoffs(k) if several else [k]
    # Of cutoffs matters only whether there is one.
    first = {
        whole: resolve(family.function, {**given, "k": one}, rules)
        for whole, one in {one is None: one for one in asked}.items()
    }
    settings = [first[one is None]._replace(k=one) for one in asked] if several else first.values()
    prepared = Prepared([(family, one) for one in settings], rules)
    is_cutoff = k is None or k is UNSET or isinstance(k, (int, np.integer))
    plain_rules = convention is UNSET or isinstance(convention, str)
    if key is not None and is_cutoff and plain_rules and are_plain(values):
        prepared.kinds = kinds_of(values)
        CALLS.keep(key, prepared)
    return prepared


def _keep_plan(key: Any, prepared: Prepared, table: Columns) -> None:
    """Keep the plan of one measure for plain arrays, where it is the same for others as long."""
    if key is None or prepared.plan is not None or CALLS.get(key) is not prepared:
        return
    if table.lists.runs is not None or table.lists.sparse or len(table.plans) != 1:
        return
    plan = table.plans[0][0]
    if plan.n_columns != 1:
        return  # a micro mean has a second column, of what its values are shares of
    if is_steady(*prepared.asked[0]) and is_value_of_core(prepared.asked[0][1]):
        prepared.plan = plan
        CALLS.keep(key, prepared, plan.nbytes)
