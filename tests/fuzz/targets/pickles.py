"""Hostile pickles: other state for the objects of the package, which refuse it or work with it."""

import functools
import io
import pickle
from typing import Any

import numpy as np

import rankgain as rg
from draws import Draws, Refused, outcome

SCORES = np.random.default_rng(0).random((3, 4))
QRELS = {"q1": {"a": 2, "b": 0, "ccc": 1}, "q2": {"d": 1}, "q3": {"a": 1, "e": 3}}
RUN = {"q1": {"b": 0.9, "a": 0.8, "x": 0.8}, "q2": {"d": 1.0, "e": 2.0}, "q3": {"f": 1.0}}


class Sparse:
    """A matrix as scipy.sparse has it."""

    format, shape, nnz, tocsr = "csr", (3, 4), 3, None
    data, indices, indptr = np.ones(3), np.array([1, 2, 3]), np.array([0, 1, 2, 3])


@functools.cache
def originals() -> list[Any]:
    """Objects whose state is changed."""
    dense = np.array([[1, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 1]])
    one = rg.evaluate(QRELS, RUN, ["nDCG@3", "AP"])
    total = rg.Accumulator(bootstrap=2)
    total.add(one)
    return [
        rg.Truth(dense),
        rg.Truth(dense + 0.5, lengths=[4, 2, 0]),
        rg.Truth(dense.ravel(), group=[5, 3, 4]),
        rg.Truth(dense.ravel(), qid=[1, 2, 3] * 4),
        rg.Truth(Sparse()),
        rg.Truth(dense, judged=[[1, 2, 1], [3, 3], [1, 1]]),
        rg.Truth([1, 0, 2]),
        *(rg.Qrels(QRELS), rg.Qrels(dict(enumerate(QRELS.values())))),
        *(rg.Run(RUN), rg.Run({query: list(documents) for query, documents in RUN.items()})),
        *(total, rg.parse_measure("nDCG(gain=exp2)@10"), rg.Convention("mine", gain="exp2")),
    ]


def damaged(d: Draws, value: Any) -> Any:
    """Another value in the place of one, or a part of it changed."""
    if isinstance(value, (tuple, list)) and value and d.below(8) < 7:
        parts = list(value)
        at = d.below(len(parts))
        parts[at] = damaged(d, parts[at])
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict) and value and d.below(8) < 7:
        key = d.pick(list(value))
        return {**value, key: damaged(d, value[key])}
    if isinstance(value, np.ndarray) and d.below(8) < 7:
        return damaged_array(d, value)
    if isinstance(value, int) and d.chance():
        return value + d.pick([1, -1, 2**31, -(2**63), 2**63])
    return d.pick([None, 3, "text", (), [1], 2.5, b"x", -1, 2**62, True, {}, np.zeros(3)])


def damaged_array(d: Draws, value: Any) -> Any:
    """An array with another value, type, length or layout."""
    kind = d.below(8)
    if kind < 4 and value.size:
        changed = value.copy().reshape(-1)
        number = d.pick([-1, 0, 1, 2, 5, 10**6, 2**31, 2**62, -(2**63), 2**63 - 1])
        with np.errstate(all="ignore"):
            changed[d.below(changed.size)] = np.array(number, np.int64).astype(value.dtype)
        return changed.reshape(value.shape)
    others = [value[:-1], np.append(value, value), value.reshape(-1, 1), value[::-1]]
    others += [np.repeat(value, 2)[::2], value.tolist(), value[:0], value.astype(object)]
    types = ["i1", "i4", ">i8", "f4", "f8", "u8", "U5", "M8[s]"]
    with np.errstate(all="ignore"):
        return d.pick(others) if kind < 6 else value.astype(d.pick(types))


class Pickled:
    """Pickles as a call with these arguments."""

    def __init__(self, build: Any, state: Any) -> None:
        self.build, self.state = build, state

    def __reduce__(self) -> Any:
        return self.build, self.state


class OwnNames(pickle.Unpickler):
    """Loads what our classes and arrays are made of, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.split(".")[0] in ("rankgain", "numpy"):
            return super().find_class(module, name)
        raise ValueError(f"{module}.{name} is not loaded")


def restore(data: bytes) -> None:
    """State changed in one to three places; or the bytes of a pickle changed."""
    d = Draws(data)
    build, state = d.pick(originals()).__reduce__()
    if d.below(8) < 7:
        for _ in range(1 + d.below(3)):
            state = damaged(d, state)
            if not isinstance(state, tuple):
                return
    try:
        written = pickle.dumps(Pickled(build, state))
    except (OverflowError, pickle.PicklingError):
        return
    result = outcome(lambda: OwnNames(io.BytesIO(written)).load())
    if not isinstance(result, Refused):
        outcome(lambda: use(result))


def use(result: Any) -> None:
    """All that can be asked of it."""
    assert repr(result)
    if isinstance(result, rg.Truth):
        rng = np.random.default_rng(0)
        scores = rng.random(result.shape)
        for values in (scores, np.ones(result.shape)):
            rg.evaluate_arrays(result, values, ["nDCG@2", "AP", "RR"])
        assert result == result
    elif isinstance(result, (rg.Qrels, rg.Run)):
        result.to_dict()
        pair = (result, RUN) if isinstance(result, rg.Qrels) else (QRELS, result)
        for ties in ("id", "stable"):
            outcome(lambda ties=ties: rg.evaluate(*pair, ["nDCG@2", "AP", "Bpref"], ties=ties))
    elif isinstance(result, rg.Accumulator):
        outcome(lambda: result.result())
        result.to_dict()
    elif isinstance(result, rg.Convention):
        outcome(lambda: rg.evaluate_arrays([[1, 0]], [[1, 2]], ["nDCG"], convention=result))
