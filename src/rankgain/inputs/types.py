"""Types of public inputs, for type checkers only: never imported at run time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Never, Protocol, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .truth import Truth

if TYPE_CHECKING:
    import narwhals as nw

Array: TypeAlias = NDArray[Any]  # of any type of numbers or objects
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Number: TypeAlias = float | np.number[Any] | np.bool_


# Judged labels of all lists: flat, and the start and the stop of each list.
JudgedLabels: TypeAlias = tuple[Array, Integers, Integers]


class HasArray(Protocol):
    """Objects that NumPy converts: arrays, tensors on the CPU, columns of data frames."""

    def __array__(self) -> np.ndarray[Any, Any]: ...


class HasDLPack(Protocol):
    """Arrays and tensors on the CPU that support DLPack."""

    def __dlpack__(self) -> object: ...


class HasCSR(Protocol):
    """A scipy.sparse matrix or array in the CSR format."""

    @property
    def shape(self) -> object: ...
    @property
    def data(self) -> object: ...
    @property
    def indices(self) -> object: ...
    @property
    def indptr(self) -> object: ...


Foreign: TypeAlias = HasArray | HasDLPack
# Matches only arrays whose type does not say how many axes they have.
Unshaped: TypeAlias = np.ndarray[tuple[Never, Never, Never, Never], np.dtype[Any]]
OneList: TypeAlias = Sequence[Number] | np.ndarray[tuple[int], np.dtype[Any]]
ManyLists: TypeAlias = (
    Sequence[Sequence[Number] | HasArray] | np.ndarray[tuple[int, int], np.dtype[Any]] | HasCSR
)
Shaped: TypeAlias = OneList | ManyLists
Scores: TypeAlias = Shaped | Foreign
Labels: TypeAlias = Scores | Truth
Judged: TypeAlias = Shaped | Foreign
Sizes: TypeAlias = Sequence[SupportsIndex] | Foreign
Group: TypeAlias = Sequence[Hashable] | Foreign | None  # sizes, or ids
Excluded: TypeAlias = HasCSR | Sequence[Any] | Foreign  # a matrix, or a mask of the documents
Ignored: TypeAlias = Number | Iterable[Number] | None  # labels
Ids: TypeAlias = Sequence[int | str] | Sequence[Sequence[int | str] | HasArray] | Foreign
LayoutArguments: TypeAlias = dict[str, Any]  # group, qid and lengths
Weight: TypeAlias = Sequence[Number] | Mapping[Any, float] | Foreign | None


class HasStream(Protocol):
    """Tables that export an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class HasColumns(Protocol):
    """Data frames of pandas, polars, pyarrow and other libraries, also lazy ones."""

    @property
    def columns(self) -> object: ...


class HasFilter(Protocol):
    """Data sets of pyarrow and of Hugging Face."""

    @property
    def filter(self) -> object: ...


class HasRead(Protocol):
    """An open file."""

    def read(self, size: int = ..., /) -> str | bytes: ...


class HasDict(Protocol):
    """Judgments and rankings of libraries that convert them to a dict, such as ranx."""

    def to_dict(self) -> object: ...


Path: TypeAlias = str | PathLike[str]
Series: TypeAlias = "nw.Series[Any]"
NarwhalsFrame: TypeAlias = "nw.DataFrame[Any] | nw.LazyFrame[Any]"
Frame: TypeAlias = HasColumns | HasStream
Table: TypeAlias = Frame | HasFilter | Path | Sequence[Path]
# Qrels and runs; a Mapping is an Iterable.
Records: TypeAlias = Path | HasRead | HasDict | Frame | Iterable[Any]
RankedIds: TypeAlias = Iterable[Any] | Foreign | Frame
RelevantIds: TypeAlias = RankedIds | HasCSR | Truth
ByItem: TypeAlias = Mapping[Any, Any] | HasDict | Foreign | Sequence[Any]  # a value of each item
Policy: TypeAlias = Literal["raise", "first", "in_place"]
Documents: TypeAlias = Mapping[Any, Any] | Callable[[Any], Any] | str
CallOrder: TypeAlias = Literal["in_order", "round_robin"]
TablePolicy: TypeAlias = Literal["raise", "first", "best", "in_place"]
