"""Types of options and of the measure functions, for type checkers only.

Never imported at run time. `G` is the type of `group` and `qid`, which a single list does not have.
"""

# A list of numbers is one list, or with `group` several: mypy takes the first overload that fits.
# mypy: disable-error-code="overload-overlap"

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import (
    Any,
    Generic,
    Literal,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    overload,
)

import numpy as np
from numpy.typing import NDArray

from ..convention import Convention
from ..inputs.truth import Truth
from ..inputs.types import (
    Excluded,
    Floats,
    Foreign,
    Group,
    Ids,
    Ignored,
    Judged,
    Labels,
    OneList,
    Scores,
    Shaped,
    Sizes,
    Unshaped,
)
from .measure import Measure

Unclear: TypeAlias = Foreign | Truth  # one list or several

Cutoff: TypeAlias = SupportsIndex | None
Cuts: TypeAlias = Sequence[SupportsIndex | None] | NDArray[np.integer[Any]]  # cutoffs
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
Direction: TypeAlias = Literal["higher", "lower"]
Better: TypeAlias = Direction | Mapping[str, Direction]
Bounds: TypeAlias = Bound | Sequence[Bound] | None


Scored: TypeAlias = Scores | None
G = TypeVar("G")


class MeasureOptions(TypedDict, Generic[G], total=False):
    """The arguments that all measure functions share."""

    group: G
    qid: G
    ties: Ties
    seed: SupportsIndex
    ids: Ids | None
    lengths: Sizes | None
    exclude: Excluded | None
    ignore: Ignored
    empty: Empty
    convention: Rules
    threads: int | None


class Auc(MeasureOptions[G], Generic[G], total=False):
    rel: float


class Binary(Auc[G], Generic[G], total=False):
    judged: Judged | None


class Divided(Binary[G], Generic[G], total=False):
    divisor: Divisor


class FBeta(Divided[G], Generic[G], total=False):
    beta: float


class Gained(Binary[G], Generic[G], total=False):
    gain: Gain


class Dcg(Gained[G], Generic[G], total=False):
    discount: Discount
    log_base: float


class Rbp(Gained[G], Generic[G], total=False):
    p: float


class Err(MeasureOptions[G], Generic[G], total=False):
    judged: Judged | None
    max_label: float


class BinaryAt(Binary[G], Generic[G], total=False):
    k: Cutoff


class DividedAt(Divided[G], Generic[G], total=False):
    k: Cutoff


class FBetaAt(FBeta[G], Generic[G], total=False):
    k: Cutoff


class GainedAt(Gained[G], Generic[G], total=False):
    k: Cutoff


class DcgAt(Dcg[G], Generic[G], total=False):
    k: Cutoff


class RbpAt(Rbp[G], Generic[G], total=False):
    k: Cutoff


class ErrAt(Err[G], Generic[G], total=False):
    k: Cutoff


class ExplainArguments(TypedDict, total=False):
    """The arguments of explain, except the lists and the measure."""

    query: object
    qid: Group
    k: Cutoff
    gain: Gain
    discount: Discount
    ties: Ties
    judged: Judged | None
    ignore: Ignored
    convention: Rules


# One protocol for each set of options. Several cutoffs give an array; else the shape of y_true
# decides what the result is, and an array that does not say its shape gives Any.


class BinaryMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Labels, y_score: Scored = ..., *, k: Cuts, **options: Unpack[Binary[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[BinaryAt[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[BinaryAt[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[BinaryAt[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[BinaryAt[Group]]
    ) -> Any: ...


class DividedMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Labels, y_score: Scored = ..., *, k: Cuts, **options: Unpack[Divided[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[DividedAt[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[DividedAt[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[DividedAt[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[DividedAt[Group]]
    ) -> Any: ...


class FBetaMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Labels, y_score: Scored = ..., *, k: Cuts, **options: Unpack[FBeta[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[FBetaAt[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[FBetaAt[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[FBetaAt[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[FBetaAt[Group]]
    ) -> Any: ...


class GainedMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Labels, y_score: Scored = ..., *, k: Cuts, **options: Unpack[Gained[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[GainedAt[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[GainedAt[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[GainedAt[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[GainedAt[Group]]
    ) -> Any: ...


class DcgMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Labels, y_score: Scored = ..., *, k: Cuts, **options: Unpack[Dcg[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[DcgAt[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[DcgAt[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[DcgAt[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[DcgAt[Group]]
    ) -> Any: ...


class RbpMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Labels, y_score: Scored = ..., *, k: Cuts, **options: Unpack[Rbp[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[RbpAt[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[RbpAt[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[RbpAt[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[RbpAt[Group]]
    ) -> Any: ...


class ErrMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Labels, y_score: Scored = ..., *, k: Cuts, **options: Unpack[Err[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[ErrAt[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[ErrAt[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[ErrAt[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[ErrAt[Group]]
    ) -> Any: ...


class RPrecisionMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[Binary[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[Binary[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[Binary[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[Binary[Group]]
    ) -> Any: ...


class AucMeasure(Protocol):
    @overload
    def __call__(
        self, y_true: Unshaped, y_score: Scored = ..., **options: Unpack[Auc[Group]]
    ) -> Any: ...
    @overload
    def __call__(
        self, y_true: OneList, y_score: Scored = ..., **options: Unpack[Auc[None]]
    ) -> float: ...
    @overload
    def __call__(
        self, y_true: Shaped, y_score: Scored = ..., **options: Unpack[Auc[Group]]
    ) -> Floats: ...
    @overload
    def __call__(
        self, y_true: Unclear, y_score: Scored = ..., **options: Unpack[Auc[Group]]
    ) -> Any: ...
