"""Types of public arguments, for type checkers only: never imported at run time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import (
    Any,
    Generic,
    Literal,
    Never,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    TypeVar,
)

import numpy as np
from numpy.typing import NDArray

from ..convention import Convention
from ..inputs.truth import Truth
from .measure import Measure

Floats: TypeAlias = NDArray[np.float64]
Number: TypeAlias = float | np.number[Any] | np.bool_


class HasArray(Protocol):
    """Objects that NumPy converts: arrays, tensors on the CPU, columns of data frames."""

    def __array__(self) -> np.ndarray[Any, Any]: ...


class HasDLPack(Protocol):
    """Arrays and tensors on the CPU that support DLPack."""

    def __dlpack__(self) -> object: ...


class HasCSR(Protocol):
    """A scipy.sparse matrix or array in the CSR format."""

    @property
    def shape(self) -> Any: ...
    @property
    def data(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def indptr(self) -> Any: ...


Foreign: TypeAlias = HasArray | HasDLPack
# Matches only arrays whose type does not say how many axes they have.
Unshaped: TypeAlias = np.ndarray[tuple[Never, Never, Never, Never], np.dtype[Any]]
OneList: TypeAlias = Sequence[Number] | np.ndarray[tuple[int], np.dtype[Any]]
ManyLists: TypeAlias = (
    Sequence[Sequence[Number] | HasArray] | np.ndarray[tuple[int, int], np.dtype[Any]] | HasCSR
)
Scores: TypeAlias = OneList | ManyLists | Foreign
Labels: TypeAlias = Scores | Truth
Judged: TypeAlias = OneList | ManyLists | Foreign
Sizes: TypeAlias = Sequence[SupportsIndex] | Foreign
Group: TypeAlias = Sequence[SupportsIndex] | Sequence[str] | Foreign | None  # sizes, or ids
Ids: TypeAlias = Sequence[int | str] | Sequence[Sequence[int | str] | HasArray] | Foreign


class HasStream(Protocol):
    """Tables that export an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class HasColumns(Protocol):
    """Data frames of pandas, polars, pyarrow and other libraries, also lazy ones."""

    @property
    def columns(self) -> Any: ...


class HasRead(Protocol):
    """An open file."""

    def read(self, size: int = ..., /) -> str | bytes: ...


class HasDict(Protocol):
    """Judgments and rankings of libraries that convert them to a dict, such as ranx."""

    def to_dict(self) -> Any: ...


Path: TypeAlias = str | PathLike[str]
Frame: TypeAlias = HasColumns | HasStream
# Qrels and runs; a Mapping is an Iterable.
Records: TypeAlias = Path | HasRead | HasDict | Frame | Iterable[Any]
RankedIds: TypeAlias = Iterable[Any] | Foreign | Frame
RelevantIds: TypeAlias = RankedIds | HasCSR | Truth
Policy: TypeAlias = Literal["raise", "first"]

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
Weight: TypeAlias = Sequence[Number] | Mapping[Any, float] | Foreign | None
Bound: TypeAlias = Literal["ties", "unjudged"]
Bounds: TypeAlias = Bound | Sequence[Bound] | None


F = TypeVar("F")


class Shared(TypedDict, Generic[F], total=False):
    """The arguments that all measures share; `F` is the type of `group` and `qid`."""

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


class ExplainArguments(TypedDict, total=False):
    """The arguments of explain, except the lists and the measure."""

    query: str | int | None
    k: Cutoff
    gain: Gain
    discount: Discount
    ties: Ties
    judged: Judged | None
    convention: Rules
