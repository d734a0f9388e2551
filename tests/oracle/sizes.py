"""Sizes of blocks, low in the suite, so that what comes after the first block is reached.

RANKGAIN_TEST_SIZES=usual leaves them as they are; =low, the default, sets those below. None of them
changes a value: they say how much is done at a time, or from where on another way is faster.
"""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LOW = {
    "analysis.explain": {"QUERIES_PER_CALL": 5},
    "analysis.paired_tests": {
        "CELLS_PER_CALL": 64, "CACHED_MEANS": 400, "FLIPS": 64, "MIN_CELLS_FOR_THREADS": 0,
        "MAX_BLOCK_CELLS": 64,
    },
    "analysis.tukey": {"AT_ONCE": 64, "PERMUTED": 600},
    "engine.counted": {"ROWS_BETWEEN_LOOKS": 7},
    "engine.exact": {"BLOCK_LENGTH": 128, "FSUM_BELOW": 20},
    "engine.resampling": {"LISTS_AT_A_TIME": 128, "REPLICATES": 64},
    "engine.threads": {"DOCUMENTS_PER_CHUNK": 40, "MIN_DOCUMENTS_PER_PART": 10},
    "engine.views": {"LABELS_PER_CHECK": 8},
    "evaluation.catalogue": {"MAX_BLOCK_CELLS": 64},
    "evaluation.partial.users": {"MAX_BLOCK_CELLS": 40},
    "evaluation.tables.batches": {"MIN_ROWS": 16},
    "evaluation.tables.frame": {"BYTES": 4000, "GZIP": 8, "ROWS": 100, "SMALL": 0, "MIN_ROWS": 16},
    "inputs.files": {"BLOCK": 1000},
    "inputs.tables.stream": {"BLOCK": 1000, "ROWS": 16},
    "integrations.spark.tasks": {"ROWS": 40},
    "measures.all_lists": {"DENSE": 64},
    "trec.stream": {"MAX_PIPE_BYTES": 1000, "MIN_PART_BYTES": 500},
    "trec.trec_eval.values": {"DOCUMENTS_PER_BLOCK": 8},
}  # fmt: skip


USUAL: dict[tuple[str, str], int] = {}  # what they are for users


def set_low() -> None:
    """Set the sizes, as the environment says; a test says which of them are gone."""
    expected = os.environ.get("RANKGAIN_TEST_SIZES", "low")
    if expected not in ("low", "usual"):
        raise ValueError(f"RANKGAIN_TEST_SIZES must be low or usual, not {expected!r}")
    for room, sizes in LOW.items() if expected == "low" else ():
        with suppress(ImportError):
            module = importlib.import_module(f"rankgain.{room}")
            for name, size in sizes.items():
                if hasattr(module, name):
                    USUAL[room, name] = getattr(module, name)
                    setattr(module, name, size)


@contextmanager
def usual_sizes() -> Iterator[None]:
    """The sizes that users have, for tests whose time depends on them."""
    modules = {room: importlib.import_module(f"rankgain.{room}") for room, _ in USUAL}
    for (room, name), size in USUAL.items():
        setattr(modules[room], name, size)
    try:
        yield
    finally:
        for room, name in USUAL:
            setattr(modules[room], name, LOW[room][name])
