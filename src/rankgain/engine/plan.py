"""Plans for the core, from measures with their settings; the cache of tables and plans."""

from __future__ import annotations

import math
from _thread import allocate_lock
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from .. import _core
from ..convention.options import RANK_RULES, check_weights
from ..inputs.lists import reword_error
from .settings import Computation, Family, Settings

if TYPE_CHECKING:
    from ..inputs.parts import PartLabels
    from ..inputs.types import Floats


_OVER_ANY_IDEAL = {
    "zero": "over_nonzero_ideal",
    "zero_sum": "over_nonzero_ideal",
    "never": "over_ideal_or_1",
}
COUNT_JUDGED = ("judged", "judged_dot", "nonrelevant")  # shapes that count judged documents
LAST_READ = 1000  # the last rank of C/W/L measures, as cwl-eval has it
ANY_RELEVANT = 5e-324  # the smallest positive number: a label from here on is above 0


K = TypeVar("K")
V = TypeVar("V")


class Cache(dict[K, V]):
    """Values by key, at most `max_values` and `limit` bytes of them; safe between threads."""

    def __init__(self, max_values: int, limit: int = 1 << 26) -> None:
        self._max_values, self._limit, self.nbytes = max_values, limit, 0
        self._sizes: dict[K, int] = {}
        self._lock = allocate_lock()

    def keep(self, key: K, value: V, size: int = 0) -> None:
        """Store a value of `size` bytes; skip it if size > limit."""
        if size > self._limit:
            return
        with self._lock:
            self.nbytes -= self._sizes.pop(key, 0)
            self.pop(key, None)
            while self and (len(self) >= self._max_values or self.nbytes + size > self._limit):
                oldest = next(iter(self))  # the order is that of insertion
                del self[oldest]
                self.nbytes -= self._sizes.pop(oldest)
            self[key], self._sizes[key] = value, size
            self.nbytes += size

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            super().clear()
            self._sizes.clear()
            self.nbytes = 0


class TableRequirements(NamedTuple):
    """What the tables of a plan must cover."""

    longest: int  # places or judged labels of the longest list, with those that bounds add
    # Returns the sorted distinct labels that a document may have: those that occur, 0, and with
    # bounds over unjudged documents the label that these may have.
    labels: Callable[[], Floats]
    place: Callable[[float], str]  # where a label occurs, for errors
    # Whether the core checks that a list has no more relevant documents than were judged.
    compares_judged: bool = False
    table_size: int = 64  # ranks that weight tables cover
    parts: PartLabels | None = None  # what the documents cover


_WEIGHT_TABLES: Cache[tuple[str, float, int], object] = Cache(64)


def make_weight_table(kind: str, parameter: float, n: int) -> Floats:
    """The weights of the ranks 1 .. n: of a discount, of RBP, of a cascade, or 1 each.

    reciprocal: 1 / rank. log: log(b) / log(rank + 1). log_from_base: 1 before rank b, then
    log(b) / log(rank). inverse_square: those of INSQ with the target T. geometric:
    (1 - p) p**(rank - 1). decay: d**(rank - 1). ones: 1. `parameter` is b, T, p or d.
    """
    if kind == "reciprocal":
        return 1.0 / np.arange(1.0, n + 1.0)
    if kind in ("log", "log_from_base"):
        # The arguments of the logarithms: rank + 1 from rank 1, or rank from rank 2.
        last = n + 1.0 if kind == "log" else float(n)
        logarithms = np.arange(2.0, last + 1.0)
        is_base_2 = parameter == 2.0
        _core.take_logarithms(logarithms, is_base_2)  # to base 2, else e
        log_base = 1.0 if is_base_2 else math.log(parameter)
        weights = log_base / logarithms
        if kind == "log":
            return weights
        return np.append(1.0, np.minimum(weights, 1.0))[:n]
    if kind == "inverse_square":
        # INSQ's w(i) = (2T / (i + 2T - 1))^2, the product of C(1) .. C(i - 1), divided by the sum
        # of w(1) .. w(LAST_READ).
        ratios = 2.0 * parameter / (np.arange(LAST_READ) + 2.0 * parameter)
        squares = ratios**2
        squares /= np.add.accumulate(squares)[-1]
        return np.pad(squares, (0, max(0, n - LAST_READ)))[:n]
    if kind not in ("geometric", "decay", "ones"):
        raise ValueError(f"there is no table of weights for {kind!r}")
    weights = np.ones(n)
    if kind != "ones":
        # The powers of the parameter, each the product of the one before.
        weights[1:] = parameter
        np.multiply.accumulate(weights, out=weights)
    if kind == "geometric":
        weights *= 1.0 - parameter
    return weights


def _name_discount(settings: Settings) -> tuple[str, float]:
    """The kind of a discount's weight table, and its parameter."""
    if settings.discount == "reciprocal":
        return "reciprocal", 0.0
    if settings.discount == "log2":
        return "log", 2.0
    if settings.undiscounted_below_base:
        return "log_from_base", settings.log_base
    return "log", settings.log_base


def discount_weights(settings: Settings, n: int) -> Floats:
    """The weights of the ranks 1 .. n."""
    discount = settings.discount
    if isinstance(discount, str):
        return make_weight_table(*_name_discount(settings), n)
    if callable(discount):
        weights = np.asarray(discount(np.arange(1.0, n + 1.0)))
        if weights.shape != (n,) or weights.dtype.kind not in "biuf":
            raise ValueError(
                f"discount: the callable returned shape {weights.shape} of {weights.dtype} for {n} "
                "ranks; it must return one weight per rank"
            )
        return check_weights(weights)
    if len(discount) < n:
        raise ValueError(
            f"discount has {len(discount)} weights, but ranks up to {n} count; "
            "give one weight per rank or a smaller k"
        )
    return np.asarray(discount[:n], np.float64)


def _make_weights(
    kind: str, settings: Settings, requirements: TableRequirements, tables: dict[Any, Any]
) -> Any:
    if kind == "beta":
        kind, parameter = "decay", settings.beta
    elif kind != "discount":
        parameters = {"geometric": settings.p, "decay": settings.decay}
        parameters |= {"log": 2.0, "inverse_square": settings.T}
        parameter = parameters.get(kind, 0.0)
    elif isinstance(settings.discount, str):
        kind, parameter = _name_discount(settings)
    else:
        depth = requirements.longest
        if settings.k is not None:
            depth = min(settings.k, depth)
        if not callable(settings.discount):
            # All cutoffs share one table, as deep as any measure of the call needs it.
            deepest = min(requirements.table_size, requirements.longest)
            depth = max(depth, min(len(settings.discount), deepest))
        values = np.ascontiguousarray(discount_weights(settings, depth))
        # Each measure has an array of its own, so equal weights are found by their bytes.
        array_key = "discount", values.tobytes()
        if array_key not in tables:
            tables[array_key] = _core.Weights(values)
        return tables[array_key]
    key = kind, parameter, requirements.table_size
    weights = _WEIGHT_TABLES.get(key)
    if weights is None:
        weights = _core.Weights(make_weight_table(*key))
        _WEIGHT_TABLES.keep(key, weights, weights.nbytes)
    return weights


def _make_gain(
    kind: str, settings: Settings, requirements: TableRequirements, tables: dict[Any, Any]
) -> _core.Gain:
    """The gain of a row: what was requested, or the one that belongs to its measure.

    Equal gains are one object, by which the core knows them as equal.
    """
    spec: object = kind
    floor = settings.floor
    if kind == "requested":
        spec = settings.gain
    elif kind == "labels":
        spec, floor = "linear", 0.0
    rel = 1.0
    if is_binary(spec):
        rel = settings.rel
    key: tuple[object, ...]
    if kind == "scaled":
        key = kind, settings.min_rel, settings.max_rel
    elif isinstance(spec, str):
        key = spec, rel, floor
    elif isinstance(spec, np.ndarray):  # each measure may have an array of its own
        key = "gain", spec.dtype.str, spec.tobytes(), floor
    else:
        key = id(spec), rel, floor
    if key in tables:
        gain: _core.Gain = tables[key]
        return gain
    if kind == "scaled":
        assert settings.max_rel is not None  # a name of these measures has it
        gain = _core.Gain(kind, settings.min_rel, top=settings.max_rel)
    elif isinstance(spec, str):
        gain = _core.Gain(spec, rel, floor)
    else:
        labels = np.ascontiguousarray(requirements.labels(), np.float64)
        gains = _table_gains(spec, labels, requirements)
        gain = _core.Gain("table", rel, floor, labels, gains)
    tables[key] = gain
    return gain


def _table_gains(spec: Any, labels: Floats, requirements: TableRequirements) -> Floats:
    """The gains of the labels that occur, from a mapping, an array or a callable."""
    if callable(spec):
        gains = np.asarray(spec(labels.copy()))
        if gains.shape != labels.shape or gains.dtype.kind not in "biuf":
            raise ValueError(
                f"gain: the callable returned shape {gains.shape} of {gains.dtype} for "
                f"{len(labels)} labels; it must return one number per label"
            )
        gains = gains.astype(np.float64)
    else:
        pairs = spec.items() if isinstance(spec, Mapping) else enumerate(spec)
        table = {0.0: 0.0}
        try:
            for label, gain in pairs:
                table[float(label)] = float(gain)
        except (TypeError, ValueError) as error:
            reword_error(error, f"gain must map numbers to numbers: {error}")
            raise
        gains = np.empty(len(labels))
        for index, label in enumerate(labels.tolist()):
            if label not in table:
                place = requirements.place(label)
                raise ValueError(f"gain has no entry for label {label:g}; add one ({place})")
            gains[index] = table[label]
    bad = np.flatnonzero(~np.isfinite(gains))
    if bad.size:
        label, gain = labels[bad[0]], gains[bad[0]]
        raise ValueError(f"gain of label {label:g} is {gain}; gains must be finite numbers")
    return np.ascontiguousarray(gains)


def core_row(
    family: Family, settings: Settings, requirements: TableRequirements, tables: dict[Any, Any]
) -> _core.PlanRow:
    """One measure in the form that the core takes."""
    row = family.row
    if row.finish == "over_ideal":
        if settings.ideal == "ones":
            # DCG, divided later by one ideal for all lists; undefined where nothing is relevant
            row = row._replace(finish="if_relevant", counts_relevant=True)
        elif settings.ideal == "given":
            # divided later by the DCG of the labels in input order
            row = row._replace(finish="value")
        elif settings.undefined != "not_positive":
            row = row._replace(finish=_OVER_ANY_IDEAL[settings.undefined])
    graded_finish = row.graded_finish
    if is_binary(settings.gain):
        graded_finish = None
    if graded_finish is not None:
        row = row._replace(finish=graded_finish, gain="requested", counts_relevant=False)
    gain = weights = rel = None
    if row.gain is not None:
        gain = _make_gain(row.gain, settings, requirements, tables)
    if row.weights is not None:
        weights = _make_weights(row.weights, settings, requirements, tables)
    if row.counts_relevant:
        rel = settings.rel
        by_gain = row.gain == "requested" and not is_binary(settings.gain)
        by_gain = by_gain and row.counts_relevant != "rel"
        if row.gain == "labels" or by_gain:
            rel = ANY_RELEVANT
    judged = None
    if row.judged:
        judged = -math.inf
        if settings.negative == "zero":  # below 0: in the pool, but not judged
            judged = min(0.0, settings.rel)
    shape, finish, level, rounding = _variant(row, settings)
    k = None
    if family.cutoff in ("optional", "required"):
        k = settings.k
    if row.last_rank is not None:
        k = row.last_rank if k is None else min(k, row.last_rank)
    max_label = 0.0
    if family.label_scale == "graded":
        max_label = settings.max_label
    unit_weights = None
    smallest_divisor = 0.0
    if graded_finish is not None:
        unit_weights = _make_weights("ones", settings, requirements, tables)
        smallest_divisor = _least_divisor(settings.gain, requirements)
    elif finish == "over_weights":
        assert k is not None  # cutoffs of these measures are required
        smallest_divisor = float(np.add.accumulate(make_weight_table("log", 2.0, k))[-1])
    parts = None
    if row.reads == "parts":
        assert requirements.parts is not None  # lists without parts are refused
        parts = requirements.parts.covered(settings.rel).table
    return _core.PlanRow(
        shape,
        finish,
        gain,
        weights,
        rel,
        max_label=max_label,
        k=k,
        beta=settings.beta,
        divide_by_min=settings.divisor == "min",
        judged=judged,
        level=level,
        rounding=rounding,
        unit_weights=unit_weights,
        least=smallest_divisor,
        parts=parts,
    )


def is_binary(gain: object) -> bool:
    """Whether a gain is "binary"; gain tables are arrays, which do not compare with text."""
    return isinstance(gain, str) and gain == "binary"


def _least_divisor(gain: Any, requirements: TableRequirements) -> float:
    """The least divisor of graded RBP: 1, or a table's largest gain. Refuses a gain below 0."""
    if isinstance(gain, str):
        return 1.0
    labels = requirements.labels()
    gains = _table_gains(gain, labels, requirements)
    if (gains < 0).any():
        index = int((gains < 0).argmax())
        raise ValueError(
            f"gain of label {labels[index]:g} is {gains[index]:g}, but RBP needs gains of at least "
            "0; use another table"
        )
    if callable(gain):
        return 1.0
    if isinstance(gain, Mapping):
        gain = gain.values()
    return max([1.0, *map(float, gain)])


def _variant(row: Computation, settings: Settings) -> tuple[str, str, float, float]:
    """Shape and finish under the settings, and the level and rounding of the walk.

    `key` is the entry to take of a shape or a finish that is a table. The first that applies is:
    "rank" or "share", if that setting is given; the value of `per`, if the shape has an entry for
    it; the divisor, if the family has a choice of divisors; "normalized" or "plain", if the row has
    a level; and "", the divisor of a family without a choice.
    """
    key, level, rounding = settings.divisor, 0.0, 0.0
    if settings.rank is not None:
        key, level = "rank", RANK_RULES[settings.rank]
    elif settings.share is not None:
        key, level = "share", settings.share
    elif not isinstance(row.shape, str) and settings.per in row.shape:
        key = settings.per
    elif row.level is not None:
        level = getattr(settings, row.level)
        if row.level == "recall":
            rounding = settings.recall_rounding
        if not key:
            key = "normalized" if settings.normalize else "plain"
    shape, finish = row.shape, row.finish
    if not isinstance(shape, str):
        shape = shape[key]
    if not isinstance(finish, str):
        finish = finish[key]
    return shape, finish, level, rounding


def make_judged_gain(
    row: _core.PlanRow, settings: Settings, requirements: TableRequirements, tables: dict[Any, Any]
) -> Any:
    """The gain 1 for documents that a shape of COUNT_JUDGED counts, else 0."""
    highest = math.inf
    if row.shape == "nonrelevant":
        highest = settings.rel
    assert row.judged is not None  # the rows of COUNT_JUDGED have it
    key = (COUNT_JUDGED, row.judged, highest)
    if key not in tables:
        labels = np.ascontiguousarray(requirements.labels(), np.float64)
        is_counted = (labels >= row.judged) & (labels < highest)
        gains = is_counted.astype(np.float64)
        tables[key] = _core.Gain("table", 1.0, -math.inf, labels, gains)
    return tables[key]


# What a list adds to the divisor of a micro mean, by the finish of its own value. Without a
# cutoff, "r_or_k" and "r_or_n" are R.
_DIVISORS = {"over_r": "r_or_k", "over_r_or_k": "r_or_k", "over_r_or_n": "r_or_n"}


def _divisors_differ(settings: Settings) -> bool:
    """Whether lists add different numbers to the divisor of the mean: a mean per item, or micro."""
    if settings.per == "item":
        return True
    # With the divisor k each list adds the same k, so that the micro mean is the mean; without a
    # cutoff the divisor k is n, the number of documents of the list.
    has_one_k = settings.divisor == "k" and settings.k is not None
    return settings.micro and not has_one_k


def divides_by_labels(settings: Settings) -> bool:
    """Whether what a list adds to the divisor of a micro mean depends on the labels."""
    if not _divisors_differ(settings):
        return False
    _, finish, _, _ = _variant(settings.family.row, settings)
    return finish in _DIVISORS


def divisor_row(row: _core.PlanRow, settings: Settings) -> _core.PlanRow | None:
    """The row of what a list adds to the divisor of a mean, or None if that is 1."""
    expected = settings.family.row.expected
    if expected is not None:
        return _core.PlanRow(row.shape, expected, rel=row.rel, level=row.level)
    if settings.list_weight is not None:
        finish = "relevant"
        if settings.list_weight == "documents":
            finish = "items"
        return _core.PlanRow("count", finish, rel=settings.rel)
    if not _divisors_differ(settings):
        return None
    _, finish, _, _ = _variant(settings.family.row, settings)
    divisor_finish = _DIVISORS.get(finish, "items")
    k = None if finish == "over_r" else settings.k  # R of the whole list
    return _core.PlanRow("count", divisor_finish, rel=settings.rel, k=k)


def make_plan(
    rows: Sequence[_core.PlanRow],
    settings: Sequence[Settings],
    requirements: TableRequirements,
    tie_gain: _core.Gain | None,
    extremes: bool,
) -> Any:
    """One plan for rows that share their tie rule."""
    first = settings[0]
    ties = first.ties
    if ties in ("id", "id_descending"):
        ties = "key"
    # The core refuses lists that are longer than these tables. A cutoff beyond the longest list
    # counts as none: its table ends with that list, and a kept plan may meet longer ones. The
    # cutoff is that of the settings, as tables are made for it; row.k may be smaller (last_rank).
    table_sizes = []
    for row, row_settings in zip(rows, settings, strict=True):
        is_deep = row_settings.k is None or row_settings.k > requirements.longest
        if row.weights is not None and is_deep:
            table_sizes.append(len(row.weights))
    scales = [s.max_label for s in settings if s.family.label_scale != "any"]
    # With a further `rel`, below which no label is relevant, the core counts the relevant documents
    # of each list and among its judged labels, and refuses a list that has more than were judged.
    extra_rel = None
    if requirements.compares_judged:
        extra_rel = ANY_RELEVANT
    return _core.Plan(
        rows,
        ties=ties,
        seed=first.seed,
        tie_gain=tie_gain,
        refuse_negative=any(s.negative == "raise" for s in settings),
        max_label=min(scales, default=math.inf),
        table_size=min(table_sizes, default=None),
        extra_rel=extra_rel,
        extremes=extremes,
    )
