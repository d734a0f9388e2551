"""Thirteen representative calls, and a program in which one thing after the other fails.

LD_PRELOAD=alloc.so python calls.py memory TEXT    the n-th allocation of a library so called
LD_PRELOAD=alloc.so python calls.py threads        the n-th start of a thread
python calls.py space                              an address space that is too small
"""

import ctypes
import gc
import io
import os
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import rankgain as rg
from rankgain.evaluation.partial.ranks import PartialRanks
from rankgain.trec import stream
from rankgain.trec.trec_eval.program import main as trec_eval

warnings.simplefilter("ignore")
FOLDER = tempfile.TemporaryDirectory()
rng = np.random.default_rng(0)
MORE = (
    20 if sys.argv[1:2] == ["space"] else 1
)  # what is large comes from the system, not from a pool
SHAPE = USERS, ITEMS = 30 * MORE, 700
LABELS = rng.integers(0, 5, SHAPE) * (rng.random(SHAPE) < 0.1)
SCORES = np.round(rng.random(SHAPE), 2)
QRELS = {f"q{i}": {f"d{j}": j % 3 for j in range(20)} for i in range(9 * MORE)}
RUN = {f"q{i}": {f"d{j}": float((j * 7 + i) % 11) for j in range(15)} for i in range(9 * MORE)}
LINES = "".join(
    f"{q} Q0 {one} 1 {score} tag\n" for q, docs in RUN.items() for one, score in docs.items()
).encode()
PATH = os.path.join(FOLDER.name, "run")
with open(PATH, "wb") as written:
    written.write(LINES)
QRELS_PATH = os.path.join(FOLDER.name, "qrels")
rg.Qrels(QRELS).write(QRELS_PATH)
JUDGED = rg.Qrels(QRELS)
rows, columns = np.nonzero(LABELS)
STARTS = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=USERS))))
SPARSE = LABELS[rows, columns].astype(float), columns, STARTS
TOP = rng.integers(1, 40, (40 * MORE, 20)).cumsum(axis=1).astype(np.int32)
RELEVANT = [np.unique(rng.integers(0, 400, 30)) for _ in range(40 * MORE)]
SEVERAL = rg.evaluate_runs(JUDGED, {"a": RUN, "b": {q: list(RUN[q])[::-1] for q in RUN}}, ["AP"])


def counted() -> Any:
    users, hit = np.repeat(np.arange(USERS), ITEMS), LABELS.ravel() != 0
    partial = PartialRanks(users[hit], SCORES.ravel()[hit], LABELS.ravel()[hit])
    partial.add(users, SCORES.ravel())
    return partial.finish(["nDCG@10", "AP"]).means


def summed() -> Any:
    total = rg.Accumulator(bootstrap=20)
    total.add(SEVERAL)
    return total.to_dict(), rg.compare(SEVERAL, test="bootstrap", resamples=200).to_json()


def as_trec_eval() -> Any:
    out, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        status = trec_eval(["-q", "-m", "all_trec", QRELS_PATH, PATH])
        sys.stdout.flush()
        return status, sys.stdout.buffer.getvalue()  # type: ignore[attr-defined]
    finally:
        sys.stdout = out


def restored() -> Any:
    truth = pickle.loads(pickle.dumps(rg.Truth(LABELS)))
    return rg.evaluate_arrays(truth, SCORES, ["nDCG@10", "R@30"], bounds="ties").means


def of_subtopics() -> Any:
    """From dicts, so that the ideal rankings are made again."""
    nested = {
        query: {
            name: {str(part): int(part <= label) for part in range(3)}
            for name, label in judged.items()
        }
        for query, judged in QRELS.items()
    }
    return rg.evaluate(nested, RUN, ["alpha_nDCG@10", "nNRBP", "AP_IA", "StRecall@5"]).means


CALLS: dict[str, Callable[[], Any]] = {
    "one measure": lambda: rg.ndcg(LABELS, SCORES, k=10).tolist(),
    "many measures, two threads": lambda: (
        rg.evaluate_arrays(
            np.tile(LABELS, (10, 1)), np.tile(SCORES, (10, 1)), ["nDCG", "ERR", "AP@50"], threads=2
        ).means
    ),
    "queries by number": lambda: (
        rg.evaluate_arrays(
            LABELS[:, :9].ravel(),
            SCORES[:, :9].ravel(),
            "AP",
            qid=np.arange(9 * USERS) * 7919 % USERS,
        ).means
    ),
    "sparse labels": lambda: rg.evaluate_arrays(SPARSE, SCORES, ["nDCG@10", "AUC"]).means,
    "dicts": lambda: rg.evaluate(QRELS, RUN, ["nDCG@10", "AP", "Bpref"]).means,
    "a run that is read": lambda: rg.Run(io.BytesIO(LINES)).to_dict(),
    "a run evaluated while it is read": lambda: rg.evaluate(JUDGED, PATH, "AP", threads=2).means,
    "recommended ids": lambda: rg.evaluate_ids(TOP, RELEVANT, ["nDCG@10", "RR"]).means,
    "counted ranks": counted,
    "sums and a comparison": summed,
    "trec_eval": as_trec_eval,
    "a Truth from a pickle, with bounds": restored,
    "measures of subtopics": of_subtopics,
}


def in_use() -> int:
    """Bytes that are allocated."""
    gc.collect()

    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]

    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Info
    info = mallinfo()
    return int(info.e + info.h)


def tried(call: Callable[[], Any], expected: Any) -> bool:
    """Whether a call refuses for want of memory; else its answer must be the right one."""
    try:
        result = call()
    except (MemoryError, OSError):
        return True
    assert result == expected, (result, expected)
    return False


def fail_in_turn(set_fault: Callable[[int], int]) -> None:
    """For every n: the n-th allocation or start fails, until a call needs fewer."""
    for name, call in CALLS.items():
        for _ in range(3):
            expected = call()
        before, refused, n = in_use(), 0, 0
        while True:
            n += 1
            set_fault(n)
            try:
                refused += tried(call, expected)
            finally:
                left = ended(set_fault)
            if left > 0:
                break
        assert call() == expected, name
        grown = in_use() - before
        assert grown < 100_000, f"{name}: {grown} bytes more after {n - 1} faults"
        print(f"{name}: {n - 1} faults, {refused} of them refused", flush=True)


def ended(set_fault: Callable[[int], int]) -> int:
    """Let nothing fail any more; return how many allocations would have been left."""
    try:
        return set_fault(0)
    except (MemoryError, ctypes.ArgumentError):  # the call had ended, and this was the n-th
        set_fault(0)
        return 1


def in_small_space() -> None:
    """Ever less address space beyond what is used."""
    import resource

    for name, call in CALLS.items():
        if name == "sums and a comparison":  # NumPy itself may crash in these where memory ends
            continue
        expected, refused = call(), 0
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        for more in (0, 4, 16, 64, 256, 1024, 4096, 16384):
            limit = (pages + more) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            try:
                refused += tried(call, expected)
            finally:
                resource.setrlimit(
                    resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
                )
        print(f"{name}: {refused} of 8 refused", flush=True)


def main(what: str, library: str = "") -> None:
    stream.MIN_PART_BYTES = 256  # so that a small file is read in two threads
    if what == "space":
        in_small_space()
        return
    faults = ctypes.CDLL(None)
    faults.fail_memory.restype = faults.fail_threads.restype = ctypes.c_long
    faults.fail_memory.argtypes = ctypes.c_long, ctypes.c_char_p
    faults.fail_threads.argtypes = (ctypes.c_long,)
    text = library.encode()
    fail_in_turn(
        faults.fail_threads if what == "threads" else lambda n: faults.fail_memory(n, text)
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
