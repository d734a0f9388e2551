"""What the compiled core offers the Python around it. Private; use rankgain's functions."""

# Arguments fill their lines, as in the core.
# fmt: off

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Self, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer as AnyBuffer  # collections.abc has it from 3.12 on

_Bytes = NDArray[np.uint8]
_Doubles = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Words = NDArray[np.uint64]
_Whole = NDArray[np.int32] | _Integers
_Places = NDArray[np.uint32]
_Fault = tuple[str, int, int, float]  # kind, list, document, value

SIMD: Final[str]
RANKERS: Final[dict[int, str]]
MOST_AS_BITS: Final[int]

# ---- plans

@final
class Weights:
    def __new__(cls, values: _Doubles) -> Self: ...
    def __len__(self) -> int: ...
    nbytes: Final[int]

def sum_parts(values: _Doubles, level: float) -> tuple[float, float]: ...
def take_logarithms(values: _Doubles, binary: bool = False) -> None: ...

@final
class Gain:
    def __new__(cls, kind: str, rel: float = 1.0, floor: float = ...,
            labels: _Doubles | None = None, gains: _Doubles | None = None,
            top: float = 1.0) -> Self: ...
    kind: Final[str]
    monotone: Final[bool]
    zero_counts: Final[bool]

@final
class Parts:
    def __new__(cls, indptr: _Integers, part: _Integers, covering: _Doubles) -> Self: ...

def rank_greedily(indptr: _Integers, part: _Integers, n_parts: int, document: _Integers,
                  lists: _Integers, alpha: float, depth: int, out: _Integers,
                  sizes: _Integers) -> None: ...
def select_covered(indptr: _Integers, part: _Integers, label: _Doubles, rel: float,
                   kept_indptr: _Integers, kept_part: _Integers, covering: _Doubles) -> int: ...

@final
class PlanRow:
    def __new__(cls, shape: str, finish: str, gain: Gain | None = None,
            weights: Weights | None = None, rel: float | None = None, max_label: float = 0.0,
            k: int | None = None, beta: float = 1.0, divide_by_min: bool = False,
            judged: float | None = None, level: float = 0.0, rounding: float = 0.0,
            unit_weights: Weights | None = None, least: float = 0.0,
            parts: Parts | None = None) -> Self: ...
    shape: Final[str]
    finish: Final[str]
    gain: Final[Gain | None]
    weights: Final[Weights | None]
    rel: Final[float | None]
    max_label: Final[float]
    k: Final[int | None]
    judged: Final[float | None]
    level: Final[float]
    reads_ideal: Final[bool]

@final
class Plan:
    def __new__(cls, rows: Sequence[PlanRow], ties: str = "average", seed: int = 0,
            tie_gain: Gain | None = None, refuse_negative: bool = False, max_label: float = ...,
            table_size: int | None = None, extra_rel: float | None = None,
            extremes: bool = False) -> Self: ...
    nbytes: Final[int]
    long_list: Final[int]
    width: Final[int]
    zero_counts: Final[bool]
    notes_negative: bool

# ---- lists

@final
class LabelArray:
    def __new__(cls, data: NDArray[Any], indices: NDArray[Any] | None = None,
            indptr: _Integers | None = None, checked: bool = False, ranked: bool = False,
            sizes: _Integers | None = None, rank_bits: _Places | None = None) -> Self: ...

@final
class Runs:
    def __new__(cls, first: _Integers, level: _Doubles, count: _Integers, longest: int) -> Self: ...
    first: Final[_Integers]
    level: Final[_Doubles]
    count: Final[_Integers]
    longest: Final[int]

@final
class Stop:
    def set(self) -> None: ...

def evaluate(plan: Plan, scores: NDArray[Any] | None, labels: LabelArray, starts: _Integers,
        stops: _Integers, runs: Runs | None, tie_keys: _Integers | None, out: _Doubles, low: int,
        high: int, first_index: int = 0, stop: Stop | None = None,
        places: _Integers | None = None, offset: int = 0) -> _Fault | int: ...
def hits(plan: Plan, scores: NDArray[Any] | None, labels: LabelArray, starts: _Integers,
        stops: _Integers, runs: Runs | None, tie_keys: _Integers | None,
        at: int) -> tuple[list[str], list[tuple[int, int, list[float]]]] | _Fault: ...

@final
class Holes:
    def __new__(cls, indptr: _Integers, positions: _Integers, block: _Integers, size: _Integers,
            below: _Integers, top: float, returned: bool, inside: bool) -> Self: ...
    most: Final[int]

def bound(plan: Plan, scores: NDArray[Any] | None, labels: LabelArray, starts: _Integers,
        stops: _Integers, runs: Runs | None, out: _Doubles, low: int, high: int, first_index: int,
        holes: Holes, stop: Stop | None = None) -> _Fault | None: ...
def list_with_tie(scores: NDArray[Any], starts: _Integers, stops: _Integers) -> int: ...
def rank_lists(scores: NDArray[Any], starts: _Integers, stops: _Integers,
        out: _Integers) -> None: ...
def count_ties(scores: NDArray[Any], starts: _Integers, stops: _Integers,
        out: _Integers) -> None: ...
def prepare(labels: LabelArray, starts: _Integers, stops: _Integers, first: _Integers,
        level: _Doubles, count: _Integers) -> _Fault | None: ...
def evaluate_plain(plan: Plan, y_true: Any, y_score: Any, empty: float,
        out: _Doubles | None = None) -> float | None: ...
def are_alike(values: NDArray[Any]) -> bool: ...
def are_small_and_whole(values: NDArray[Any], most: float) -> bool: ...
def check_indices(indices: _Whole, indptr: _Integers, limit: int) -> tuple[bool, bool]: ...
def match_few(recommended: _Whole, wanted: _Whole, indptr: _Integers, ids: int, stops: _Integers,
        pointer: _Integers, rank_bits: _Places, depth: int) -> tuple[str, int, int] | None: ...
def match_many(recommended: _Whole, wanted: _Whole, indptr: _Integers, ids: int, stops: _Integers,
        pointer: _Integers, position: _Integers, match: _Integers | None,
        depth: int) -> tuple[str, int, int] | None: ...
def find_list_with_repeat(ids: _Whole, indptr: _Integers) -> int: ...
def count_shared(rows: _Integers, others: _Integers, ids: int, counts: _Integers) -> bool: ...
def write_places(rank_bits: _Places, pointer: _Integers, position: _Integers) -> None: ...
def find_matches(recommended: _Whole, wanted: _Whole, indptr: _Integers, pointer: _Integers,
        position: _Integers, match: _Integers) -> None: ...
def gather_bits(position: _Integers, pointer: _Integers, rank_bits: _Places) -> None: ...

# ---- inputs

def read_numbers(rows: list[Any], out: _Doubles) -> tuple[int, int, int]: ...
def count_values(rows: list[Any], array_type: type[Any], sizes: _Integers) -> bool: ...
def read_integers(rows: list[Any], out: _Integers) -> bool: ...
def join_arrays(rows: list[Any], array_type: type[Any], out: _Whole) -> bool: ...
def number_keys(keys: _Whole, codes: NDArray[np.int32]) -> tuple[int, int]: ...
def survey_codes(codes: NDArray[np.int32], first: _Integers, sizes: _Integers) -> None: ...
def survey_runs(codes: NDArray[np.int32], first: _Integers, sizes: _Integers) -> None: ...
def scatter_rows(values: NDArray[Any], codes: NDArray[np.int32], place: _Integers,
        out: NDArray[Any]) -> None: ...

@final
class IdMatch:
    def __new__(cls, check: Callable[[Any, bool, int, int], None],
            listed: Callable[[Any, bool, int], Any], keep_first: bool,
            in_place: bool = False) -> Self: ...
    may_be_filled: bool
    def match(self, rows: list[Any], wanted: list[Any]) -> tuple[bool, int, int] | None: ...
    n_unique: Final[int]
    def columns(self) -> tuple[bytearray, ...]: ...

# ---- counts

@final
class Places:
    def __new__(cls, ids: _Integers) -> Self: ...
    def find(self, ids: _Integers, out: _Integers) -> int: ...

def count_rows(lists: _Integers, scores: NDArray[Any], first: _Integers, levels: _Doubles,
        cells: _Integers) -> int: ...

# ---- reading

@final
class Memory(AnyBuffer):
    def __len__(self) -> int: ...

@final
class Rows:
    def __new__(cls, qrels: bool, as_trec_eval: bool = False, tsv: bool = False,
            keeps_subtopics: bool = False) -> Self: ...
    lines: Final[int]
    comment: Final[int]
    fields: Final[int]
    iterations: Final[bool]
    orders: Final[int]
    tag: Final[bytes]
    rows: Final[int]
    complete: Final[int]
    def feed(self, block: bytearray, size: int) -> None: ...
    def add(self, query_id: str | int | bytes, documents: Iterable[tuple[Any, Any]]) -> None: ...
    def names_of_queries(self, first: int = 0) -> list[bytes]: ...
    def names_of_subtopics(self) -> list[bytes]: ...
    def numbers_of_subtopics(self) -> Memory: ...
    def ranks(self) -> Memory: ...
    def columns(self, complete: bool = False) -> tuple[Memory, Memory, Memory, Memory, Memory]: ...

def order_lists(scores: _Doubles, ids: _Bytes, id_starts: _Integers, lists: _Integers,
        order: _Integers) -> bool: ...
def gather_ids(ids: _Bytes, id_starts: _Integers, order: _Integers, out: _Bytes,
        out_starts: _Integers) -> None: ...
def table_starts(lists: _Integers, starts: _Integers) -> int: ...
def index_lists(ids: _Bytes, id_starts: _Integers, lists: _Integers, slots: _Words | None = None,
        starts: _Integers | None = None, repeated: _Bytes | None = None) -> int | None: ...
def sort_descending(values: _Doubles, lists: _Integers) -> None: ...
def hash_ids(ids: _Bytes, id_starts: _Integers, codes: _Words) -> None: ...
def join_lists(judged: tuple[_Bytes, _Integers, _Integers, _Words, _Doubles],
        run: tuple[_Bytes, _Integers, _Integers, _Words | None, _Integers | None],
        queries: _Integers,
        list_of: _Integers, ranks: _Integers | None,
        out: tuple[_Integers, _Integers, _Doubles]) -> tuple[int, int | None]: ...
def share_ranks(scores: _Doubles, starts: _Integers, stops: _Integers, indptr: _Integers,
        indices: _Integers, labels: _Doubles, sizes: _Integers) -> bool: ...
def plain_numbers(numbers: dict[Any, Any]) -> dict[Any, float]: ...

@final
class DictJoin:
    def __new__(cls, of_integers: bool = False, single: bool = False, ties: str = "id_descending",
            known_labels: Any = None) -> DictJoin: ...
    def add(self, judged: dict[Any, Any], documents: dict[Any, Any] | None) -> bool: ...
    def add_known(self, ids: list[Any], first: int, documents: dict[Any, Any] | None) -> bool: ...
    def reads(self, documents: dict[Any, Any]) -> bool: ...
    def columns(self) -> list[Memory]: ...

# ---- sampling

def count_far(totals: _Doubles, a: _Integers, b: _Integers, least: _Doubles,
        reached: _Integers) -> None: ...
def find_tails(means: _Doubles, a: _Integers, b: _Integers, low: int, high: int, around: _Doubles,
        out: _Doubles) -> None: ...
