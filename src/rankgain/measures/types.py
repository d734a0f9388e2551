"""Types of options and of the measure functions, for type checkers only.

Never imported at run time. `K` is the type of `k`, `F` the type of `group` and `qid`: a single list
has one cutoff and neither of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, SupportsIndex, TypeAlias, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..convention import Convention
from ..inputs.truth import Truth
from ..inputs.types import Floats, Foreign, HasCSR, Ids, Judged, Sizes
from .measure import Measure

Unclear: TypeAlias = Foreign | Truth  # one list or several

Cutoff: TypeAlias = SupportsIndex | None
Cutoffs: TypeAlias = Cutoff | Sequence[SupportsIndex | None] | NDArray[np.integer[Any]]
Ties: TypeAlias = Literal[
    "average", "stable", "reverse", "worst", "best", "random", "id", "id_descending"
]
Gain: TypeAlias = (
    Literal["linear", "exp2", "binary"]
    | Mapping[Any, float]
    | Sequence[float]
    | NDArray[Any]
    | Callable[[Floats], Any]
)
Discount: TypeAlias = (
    Literal["log2", "log", "reciprocal"] | Sequence[float] | NDArray[Any] | Callable[[Floats], Any]
)
Divisor: TypeAlias = Literal["k", "min", "min_relevant", "relevant", "hits"]
Empty: TypeAlias = float | Literal["skip", "raise"]
Rules: TypeAlias = str | Convention
Measures: TypeAlias = str | Measure | Sequence[str | Measure] | set[str] | frozenset[str]
Bound: TypeAlias = Literal["ties", "unjudged"]
Bounds: TypeAlias = Bound | Sequence[Bound] | None


K = TypeVar("K")
F = TypeVar("F")


class MeasureOptions(TypedDict, Generic[F], total=False):
    """The arguments that all measure functions share."""

    group: F
    qid: F
    ties: Ties
    seed: SupportsIndex
    ids: Ids | None
    lengths: Sizes | None
    exclude: HasCSR | None
    empty: Empty
    convention: Rules
    threads: int | None


class AucOptions(MeasureOptions[F], Generic[F], total=False):
    rel: float


class RPrecisionOptions(AucOptions[F], Generic[F], total=False):
    judged: Judged | None


class BinaryOptions(RPrecisionOptions[F], Generic[K, F], total=False):
    k: K


class DividedOptions(BinaryOptions[K, F], Generic[K, F], total=False):
    divisor: Divisor


class FOptions(DividedOptions[K, F], Generic[K, F], total=False):
    beta: float


class GainedOptions(BinaryOptions[K, F], Generic[K, F], total=False):
    gain: Gain


class DiscountedOptions(GainedOptions[K, F], Generic[K, F], total=False):
    discount: Discount
    log_base: float


class RbpOptions(GainedOptions[K, F], Generic[K, F], total=False):
    p: float


class ErrOptions(MeasureOptions[F], Generic[K, F], total=False):
    k: K
    judged: Judged | None
    max_label: float


class ExplainArguments(TypedDict, total=False):
    """The arguments of explain, except the lists and the measure."""

    query: str | int | None
    k: Cutoff
    gain: Gain
    discount: Discount
    ties: Ties
    judged: Judged | None
    convention: Rules
