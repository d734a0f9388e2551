"""What is fuzzed: a function of bytes for each target, which raises where something is wrong."""

from collections.abc import Callable

from . import (
    arrays,
    batches,
    counting,
    instructions,
    names,
    oracle,
    readers,
    records,
    stored,
    tables,
)

TARGETS: dict[str, Callable[[bytes], None]] = {
    "readers": readers.read, "streams": readers.evaluate_stream, "tables": tables.read,
    "records": records.join, "ids": records.recommend, "arrays": arrays.evaluate,
    "batches": batches.evaluate, "counting": counting.count, "counts": counting.read_table,
    "tasks": counting.run_tasks, "names": names.parse, "conventions": names.convene,
    "stored": stored.read, "oracle": oracle.compare, "instructions": instructions.compare,
}  # fmt: skip
