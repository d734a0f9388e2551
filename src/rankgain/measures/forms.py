"""The signatures of the measure functions: one list gives a float, several lists an array.

Each family has a protocol with its own arguments. `K` is the type of `k`, `F` the type of `group`
and `qid`. An array of unknown dimension may be one list or several: its result is `Any`.
"""

# mypy: disable-error-code="overload-overlap"

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeAlias, TypeVar, Unpack, overload

from ..inputs.truth import Truth
from .types import (
    Cutoff,
    Cutoffs,
    Discount,
    Divisor,
    Floats,
    Foreign,
    Gain,
    Group,
    Judged,
    ManyLists,
    OneList,
    Scores,
    Shared,
    Unshaped,
)

K = TypeVar("K")
F = TypeVar("F")
S: TypeAlias = Scores | None
Known: TypeAlias = OneList | ManyLists
Other: TypeAlias = Foreign | Truth


class AucArguments(Shared[F], Generic[F], total=False):
    rel: float


class RPrecisionArguments(AucArguments[F], Generic[F], total=False):
    judged: Judged | None


class BinaryArguments(RPrecisionArguments[F], Generic[K, F], total=False):
    k: K


class DividedArguments(BinaryArguments[K, F], Generic[K, F], total=False):
    divisor: Divisor


class FArguments(DividedArguments[K, F], Generic[K, F], total=False):
    beta: float


class GainedArguments(BinaryArguments[K, F], Generic[K, F], total=False):
    gain: Gain


class DiscountedArguments(GainedArguments[K, F], Generic[K, F], total=False):
    discount: Discount
    log_base: float


class RbpArguments(GainedArguments[K, F], Generic[K, F], total=False):
    p: float


class ErrArguments(Shared[F], Generic[K, F], total=False):
    k: K
    judged: Judged | None
    max_label: float


class Auc(Protocol):
    """auc."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[AucArguments[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[AucArguments[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[AucArguments[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[AucArguments[Group]]
    ) -> Any: ...


class RPrecision(Protocol):
    """r_precision."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[RPrecisionArguments[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[RPrecisionArguments[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[RPrecisionArguments[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[RPrecisionArguments[Group]]
    ) -> Any: ...


class Binary(Protocol):
    """reciprocal_rank, hit_rate."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[BinaryArguments[Cutoffs, Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[BinaryArguments[Cutoff, None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[BinaryArguments[Cutoffs, Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[BinaryArguments[Cutoffs, Group]]
    ) -> Any: ...


class Divided(Protocol):
    """average_precision, precision, recall."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[DividedArguments[Cutoffs, Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[DividedArguments[Cutoff, None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[DividedArguments[Cutoffs, Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[DividedArguments[Cutoffs, Group]]
    ) -> Any: ...


class FMeasure(Protocol):
    """f1."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[FArguments[Cutoffs, Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[FArguments[Cutoff, None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[FArguments[Cutoffs, Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[FArguments[Cutoffs, Group]]
    ) -> Any: ...


class Gained(Protocol):
    """cg."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[GainedArguments[Cutoffs, Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[GainedArguments[Cutoff, None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[GainedArguments[Cutoffs, Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[GainedArguments[Cutoffs, Group]]
    ) -> Any: ...


class Discounted(Protocol):
    """dcg, idcg, ndcg."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[DiscountedArguments[Cutoffs, Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[DiscountedArguments[Cutoff, None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[DiscountedArguments[Cutoffs, Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[DiscountedArguments[Cutoffs, Group]]
    ) -> Any: ...


class Rbp(Protocol):
    """rbp."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[RbpArguments[Cutoffs, Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[RbpArguments[Cutoff, None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[RbpArguments[Cutoffs, Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[RbpArguments[Cutoffs, Group]]
    ) -> Any: ...


class Err(Protocol):
    """err."""

    @overload
    def __call__(
        self, y_true: Unshaped, y_score: S = ..., **a: Unpack[ErrArguments[Cutoffs, Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: S = ..., **a: Unpack[ErrArguments[Cutoff, None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Known, y_score: S = ..., **a: Unpack[ErrArguments[Cutoffs, Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Other, y_score: S = ..., **a: Unpack[ErrArguments[Cutoffs, Group]]
    ) -> Any: ...
