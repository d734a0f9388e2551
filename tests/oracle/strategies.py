"""Nasty inputs, made in one place for every test: lists, arguments, dtypes and memory layouts."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import memory
import rankgain as rg
from rankgain.measures import functions as metrics

Array = np.ndarray[Any, Any]
List = tuple[list[int], list[float]]  # labels and scores of one list
INF = float("inf")

MEASURES = list(metrics.__all__)
PARAMETERS = {measure: inspect.signature(getattr(rg, measure)).parameters for measure in MEASURES}
# rbp is graded only where a gain is given.
GRADED = [measure for measure in MEASURES if "gain" in PARAMETERS[measure] and measure != "rbp"]
UNCUT = [measure for measure in MEASURES if "k" not in PARAMETERS[measure]]
NAMES = {measure: str(rg.parse_measure(measure)) for measure in MEASURES}  # canonical ones
SUMS = ["cg", "dcg", "idcg"]  # never undefined, and beyond 1
TIES = ["average", "stable", "reverse", "best", "worst"]

# ---- arguments


def square(label: Any) -> Any:
    """A gain of one's own; it serves the library's arrays and the oracle's numbers."""
    return label * label


def slower(rank: Any) -> Any:
    """A discount of one's own, likewise."""
    return 2 / (rank + 3)


WEIGHTS = [1.0, 1.0, 0.5, 0.5, 0.25, *(1 / (i + 5) for i in range(3000))]
GAINS: list[Any] = ["linear", "exp2", "binary", {0: 0, 1: 1, 2: 3, 3: 3, 4: 10}, square]
GAINS += [[0, 2, 3, 5, 8], {0: 0.25, 1: 1, 2: 2, 3: 3, 4: 4}, {0: 0, 1: 5, 2: 1, 3: -1, 4: 2}]
DISCOUNTS: list[dict[str, Any]] = [
    {"discount": "log2"}, {"discount": "log"}, {"discount": "log", "log_base": 10},
    {"discount": "reciprocal"}, {"discount": WEIGHTS}, {"discount": slower},
]  # fmt: skip
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "cg": [{"gain": gain} for gain in GAINS] + [{"gain": "binary", "rel": 2}],
    "ndcg": [
        *({"gain": gain} for gain in GAINS),
        *DISCOUNTS,
        {"gain": "exp2", "discount": "log", "log_base": 1.5},
        {"gain": "binary", "rel": 0},
    ],
    "average_precision": [{"divisor": d} for d in ("relevant", "min", "hits")],
    "precision": [{"divisor": d} for d in ("k", "min")],
    "recall": [{"divisor": d} for d in ("relevant", "min")],
    "f1": [{"divisor": d, "beta": b} for d in ("k", "min") for b in (1, 0.5, 2)],
    "rbp": [
        *({}, {"p": 0.5}, {"p": 0.95}),
        *({"gain": gain, "p": 0.9} for gain in ("linear", "exp2", "binary", square)),
    ],
    "err": [{}, {"max_label": 5}],
}
VARIANTS["dcg"] = VARIANTS["idcg"] = VARIANTS["ndcg"]


def arguments(measure: str) -> list[dict[str, Any]]:
    """The arguments that a measure is tried with, its defaults first."""
    variants = VARIANTS.get(measure, [])
    binary = measure not in GRADED and "rel" in PARAMETERS[measure]
    relevance = [{"rel": 2}, {"rel": 0.5}, {"rel": -1}] if binary else []
    return [{}, *(variant for variant in variants if variant), *relevance]


def to_library(given: dict[str, Any]) -> dict[str, Any]:
    """The oracle's arguments as the library's: tables by position are arrays there."""
    return {k: np.array(v, float) if isinstance(v, list) else v for k, v in given.items()}


def short(given: Any) -> str:
    """Arguments in the name of a test, the same in every process."""
    if not isinstance(given, dict):
        return getattr(given, "__name__", str(given)[:40])
    return ",".join(f"{k}={getattr(v, '__name__', str(v)[:20])}" for k, v in given.items())


def label_of(call: tuple[str, dict[str, Any]] | str) -> str:
    """The name of a test with these arguments, or with a word."""
    if isinstance(call, str):
        return call
    measure, given = call
    return f"{measure}({short(given)})"


CALLS = [(measure, given) for measure in MEASURES for given in arguments(measure)]


def cutoffs(n: int) -> list[int]:
    """Cutoffs around every bound that a ranking algorithm may have, to beyond the list."""
    tried = {1, 2, 3, 10, 12, 13, 64, 65, 100, n // 2, n - 1, n, n + 1, 2 * n + 5}
    return sorted(k for k in tried if 1 <= k <= 2 * n + 5)


# ---- short lists

NASTY: dict[str, List] = {
    "empty": ([], []),
    "one, relevant": ([1], [0.5]),
    "one, not relevant": ([0], [0.5]),
    "one, infinite": ([2], [-INF]),
    "all tied": ([0, 2, 1, 0, 4, 1], [1.0] * 6),
    "all tied, all relevant": ([2, 1, 3], [0.0] * 3),
    "all tied, none relevant": ([0] * 4, [0.0] * 4),
    "none relevant": ([0] * 5, [0.1, 0.4, 0.2, 0.4, 0.3]),
    "all relevant": ([1, 3, 2, 1], [0.1, 0.4, 0.2, 0.3]),
    "all labels equal": ([2] * 5, [0.1, 0.4, 0.4, 0.2, 0.3]),
    "ideal": ([4, 3, 3, 1, 0, 0], [9.0, 8.0, 7.0, 6.0, 5.0, 4.0]),
    "reversed": ([0, 0, 1, 3, 3, 4], [9.0, 8.0, 7.0, 6.0, 5.0, 4.0]),
    "relevant last": ([0] * 6 + [1], [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]),
    "infinite scores": ([1, 0, 2, 0, 3, 1], [INF, -INF, INF, 0.0, -INF, 1e300]),
    "all minus infinity": ([0, 1, 0, 2], [-INF] * 4),
    "both zeros": ([1, 0, 2, 0], [0.0, -0.0, -0.0, 0.0]),
    "denormal scores": ([0, 1, 3, 0], [1e-40, 3e-40, 2e-40, -1e-40]),
    "neighbours in float32": ([0, 1, 2], [1.0, 1.0 + 2**-23, 1.0 - 2**-24]),
    "ties straddle 1, 2, 3": ([0, 1, 0, 2, 1, 0], [3.0, 2.0, 2.0, 2.0, 2.0, 1.0]),
    "two blocks": ([1, 0, 2, 0, 0, 1, 4], [2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]),
    "negative scores": ([0, 1, 2], [-3.0, -1.0, -2.0]),
}
NASTY_LISTS = list(NASTY.values())


def short_lists(max_size: int = 7, max_label: int = 4) -> st.SearchStrategy[List]:
    """Lists with few different scores, infinite ones and both zeros among them, so many ties."""
    score = st.sampled_from([0.0, -0.0, 1.0, 2.0, -1.0, INF, -INF, 1e-30])
    label = st.integers(0, max_label)

    def of_size(n: int) -> st.SearchStrategy[List]:
        return st.tuples(
            st.lists(label, min_size=n, max_size=n), st.lists(score, min_size=n, max_size=n)
        )

    return st.sampled_from(NASTY_LISTS) | st.integers(0, max_size).flatmap(of_size)


def batches(max_lists: int = 6, max_size: int = 7) -> st.SearchStrategy[list[List]]:
    """Lists of different lengths, none at all too."""
    return st.lists(short_lists(max_size), max_size=max_lists)


# ---- long lists

LENGTHS = [1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257]
LONG_LENGTHS = [999, 1000, 1001, 2000]


def falling(n: int) -> Array:
    return np.arange(n, 0, -1) / 7.0


SCORES: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "distinct": lambda rng, n: rng.permutation(n) - n / 2,
    "rounded": lambda rng, n: rng.integers(0, max(1, n // 3), n) / 8.0,
    "five values": lambda rng, n: rng.integers(0, 5, n) * 0.5,
    "constant": lambda rng, n: np.full(n, 3.25),
    "ascending": lambda rng, n: np.arange(n) / 7.0,
    "descending": lambda rng, n: falling(n),
    "descending in pairs": lambda rng, n: falling(n) // 0.25,
    "infinite": lambda rng, n: rng.choice([INF, -INF, 0.0, -0.0, 1.0, 2.0], n),
    "zeros and one": lambda rng, n: rng.choice([0.0, -0.0, 1.0], n, p=[0.5, 0.45, 0.05]),
}
LABELS: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "one in five": lambda rng, n: rng.integers(1, 5, n) * (rng.random(n) < 0.2),
    "one in two": lambda rng, n: rng.integers(1, 5, n) * (rng.random(n) < 0.5),
    "one relevant": lambda rng, n: (np.arange(n) == rng.integers(n)).astype(int),
    "none": lambda rng, n: np.zeros(n, int),
    "all": lambda rng, n: rng.integers(1, 5, n),
    "all equal": lambda rng, n: np.full(n, 3),
}


def long_list(n: int, scores: str, labels: str, seed: int = 0) -> tuple[Array, Array]:
    """Labels and scores of one list of a length and a kind."""
    rng = np.random.default_rng([n, seed])
    return LABELS[labels](rng, n), SCORES[scores](rng, n).astype(np.float64)


def ragged(lists: int, longest: int, seed: int = 0) -> tuple[Array, Array, Array]:
    """Flat labels and scores of lists of very different length, and their sizes, some of them 0."""
    rng = np.random.default_rng(seed)
    sizes = (longest ** rng.random(lists)).astype(np.int64) - 1
    n = int(sizes.sum())
    scores = np.round(rng.standard_normal(n), 2).astype(np.float32)
    return rng.integers(1, 5, n) * (rng.random(n) < 0.3), scores, sizes


# ---- dtypes and memory

SCORE_DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


def memory_mapped(array: Array, folder: Path) -> Array:
    path = folder / f"{len(list(folder.iterdir()))}.npy"
    np.save(path, array)
    return np.asarray(np.load(path, mmap_mode="r"))


def broadcast(array: Array, folder: Path) -> Array:
    """Only for arrays whose rows are equal: all rows are the same memory."""
    return np.broadcast_to(array[:1], array.shape)


VIEWS: dict[str, Callable[[Array, Path], Any]] = {
    function.__name__: lambda array, _, function=function: function(array)  # type: ignore[misc]
    for function in (
        memory.read_only, memory.strided, memory.backwards, np.asfortranarray,
        memory.byte_swapped, memory.misaligned, memory.subclass, memory.nested_lists,
    )
}  # fmt: skip
VIEWS["memory_mapped"] = memory_mapped
