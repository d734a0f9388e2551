"""Every set of instructions against every other: copies of the package, each with its own core."""

import functools
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import rankgain
from draws import Draws, agree, outcome
from memory import csr, misplaced

from .arrays import TIES, measures

PATHS = ("plain", "avx2", "neon")
FOLDER = tempfile.TemporaryDirectory(prefix="rankgain-paths-")
LENGTHS = [1, 3, 20, 63, 64, 97, 100, 129, 260, 500, 1000, 1025, 1500, 2100]


class Copy:
    """A copy of the package that runs on one path; its modules stand in sys.modules for a while."""

    def __init__(self, path: str) -> None:
        self.path, self.folder = path, Path(FOLDER.name) / path
        source = Path(rankgain.__file__).parent
        ignored = shutil.ignore_patterns("*.pyx", "*.pxd", "*.c", "*.h", "__pycache__")
        shutil.copytree(source, self.folder / "rankgain", ignore=ignored, dirs_exist_ok=True)
        self.modules: dict[str, Any] = {}
        with self.imported():
            core = importlib.import_module("rankgain._core")
            self.runs = core.SIMD
            self.core, self.package = core, importlib.import_module("rankgain")

    @contextmanager
    def imported(self) -> Iterator[None]:
        """Put this copy's modules in the place of the package's."""
        before = {name: one for name, one in sys.modules.items() if of_package(name)}
        for name in before:
            del sys.modules[name]
        sys.modules.update(self.modules)
        sys.path.insert(0, str(self.folder))
        environment = os.environ.get("RANKGAIN_SIMD")
        os.environ["RANKGAIN_SIMD"] = self.path
        try:
            yield
        finally:
            self.modules = {name: sys.modules.pop(name) for name in list(sys.modules)
                            if of_package(name)}  # fmt: skip
            sys.modules.update(before)
            sys.path.remove(str(self.folder))
            os.environ.pop("RANKGAIN_SIMD")
            if environment is not None:
                os.environ["RANKGAIN_SIMD"] = environment


def of_package(name: str) -> bool:
    return name == "rankgain" or name.startswith("rankgain.")


@functools.cache
def copies() -> list[Copy]:
    """A copy for each path that this machine has, plain first."""
    made: list[Copy] = []
    for path in PATHS:
        one = Copy(path)
        if one.runs not in [other.runs for other in made]:
            made.append(one)
    return made


def compare(data: bytes) -> None:
    """Lists of any length, at any place of a cache line: the same bits, and the same refusals."""
    d = Draws(data)
    n, lists = d.pick(LENGTHS) + d.below(3), 1 + d.below(2)
    labels, scores = d.array(n * lists, d.pick(["f4", "f8", "i1", "i8"])), scores_of(d, n * lists)
    labels = np.where(np.random.default_rng(d.byte()).random(n * lists) < d.pick([1, 0.3, 0.01]),
                      labels, 0).astype(labels.dtype)  # fmt: skip
    place = d.below(16)
    given: list[Any] = [misplaced(one, place).reshape(lists, n) for one in (labels, scores)]
    if d.chance(3):
        given[0] = csr(given[0])
    names, ties = measures(d), d.pick(TIES)
    ids = np.random.default_rng(d.byte()).integers(-1, 60, (8, 1 + d.below(40))).astype(np.int32)
    truth = csr(np.random.default_rng(d.byte()).integers(0, 3, (8, 61)))
    answers = []
    for one in copies():
        with one.imported():
            answers.append([
                outcome(lambda one=one: values(one, given, names, ties)),
                outcome(lambda one=one: topk(one, ids, truth)),
            ])  # fmt: skip
    agree(*answers)


def scores_of(d: Draws, n: int) -> Any:
    """Scores: tied, random, constant, rising, or far apart."""
    rng, form = np.random.default_rng(d.below(65536)), d.below(6)
    scores = d.array(n, d.pick(["f4", "f8"]))
    if form in (1, 2):
        scores = rng.standard_normal(n).astype(scores.dtype)
    if form == 2:
        scores = np.round(scores * 3)
    if form == 3:
        scores = np.sort(scores)
    if form == 4:
        scores = np.exp(20 * rng.standard_normal(n)).astype(scores.dtype)
    if n and d.chance(4):
        scores[rng.integers(n)] = d.pick([np.inf, -np.inf, np.nan, -0.0, 3e38])
    return scores


def values(one: Copy, given: Any, names: list[str], ties: str) -> Any:
    """The bytes of the values of lists."""
    result = one.package.evaluate_arrays(*given, names, ties=ties)
    return [column.tobytes() for column in result.per_query.values()]


def topk(one: Copy, ids: Any, truth: Any) -> Any:
    """Recommended ids beside relevant ones."""
    result = one.package.evaluate_ids(ids, truth, ["nDCG", "RR"])
    return [column.tobytes() for column in result.per_query.values()]
