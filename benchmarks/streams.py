"""A Parquet file sorted by query: evaluated as a stream, and by DuckDB with window functions.

    python benchmarks/streams.py [millions of rows ...] [--write]

Each side runs in a process of its own, in turns; the best round counts, and the peak of its memory.
Needs pyarrow and duckdb. The means of both are compared. --write puts the table into
docs/streams.md, with the rows of sums.py below.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import machine
import sums
import tables

LONG = 100  # documents of a list
NAMES = ["nDCG@10", "AP"]
ROUNDS = 2

WINDOWS = """
with ranked as (
    select query, label, score, row_number() over w as rank,
           sum(case when label > 0 then 1 else 0 end) over (w rows unbounded preceding) as found,
           row_number() over (partition by query order by label desc) as ideal
    from read_parquet('{path}') window w as (partition by query order by score desc)
), lists as (
    select query,
           sum(case when rank <= 10 then label / log2(rank + 1) else 0 end) as dcg,
           sum(case when ideal <= 10 then label / log2(ideal + 1) else 0 end) as idcg,
           sum(case when label > 0 then found / rank else 0 end) as precisions,
           sum(case when label > 0 then 1 else 0 end) as relevant
    from ranked group by query
)
select avg(case when idcg > 0 then dcg / idcg else 0 end),
       avg(case when relevant > 0 then precisions / relevant else 0 end) from lists
"""


def write(path: str, rows: int) -> None:
    """Queries ascending, five per cent of the rows relevant, scores of 32 bits."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("query", pa.int64()), ("label", pa.int8()), ("score", pa.float32())])
    rng = np.random.default_rng(0)
    step = 1_000_000
    with parquet.ParquetWriter(path, schema) as file:
        for first in range(0, rows, step):
            n = min(step, rows - first)
            query = np.arange(first, first + n) // LONG
            label = (rng.integers(1, 4, n) * (rng.random(n) < 0.05)).astype(np.int8)
            score = rng.random(n, np.float32)
            file.write_table(pa.table([query, label, score], schema=schema))


def by_rankgain(path: str) -> list[float]:
    import rankgain as rg

    columns = {"by": "query", "label": "label", "score": "score"}
    found = rg.evaluate_batches(path, NAMES, **columns, keep="sums", threads=2)
    return list(found.means.values())


def by_duckdb(path: str) -> list[float]:
    import duckdb

    # A spill to disk is what it has instead of this much memory.
    limits = {"threads": 2, "memory_limit": "12GB"}
    return list(duckdb.connect(config=limits).execute(WINDOWS.format(path=path)).fetchone())


SIDES = {"rankgain": by_rankgain, "duckdb": by_duckdb}


def one(side: str, path: str) -> None:
    """One side in this process: seconds, means and the peak of memory in MB."""
    start = time.perf_counter()
    means = SIDES[side](path)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "means": means, "peak": peak}))


def measured(path: str) -> dict[str, dict[str, float]]:
    best: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        for side in SIDES:
            command = [sys.executable, __file__, side, path]
            found = json.loads(subprocess.check_output(command))
            kept = best.setdefault(side, found)
            assert np.allclose(found["means"], best["rankgain"]["means"], rtol=1e-6)
            kept["seconds"] = min(kept["seconds"], found["seconds"])
            kept["peak"] = max(kept["peak"], found["peak"])
    return best


def stream_row(millions: float) -> tuple[str, str, str, str]:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.parquet")
        rows = int(millions * 1e6)
        write(path, rows)
        best = measured(path)
    shown = [f"{one['seconds']:.3g} s, {one['peak']:,.0f} MB at most" for one in best.values()]
    verdict = sums.verdict(best["rankgain"]["seconds"], best["duckdb"]["seconds"])
    title = f"Parquet of {rows:,} rows sorted by query, lists of {LONG}, nDCG@10 and AP"
    return title, shown[0], f"DuckDB with window functions: {shown[1]}", verdict


def main(sizes: list[float], stored: bool) -> None:
    rows = [*(stream_row(millions) for millions in sizes), *sums.rows()]
    table = tables.table(("workload", "rankgain", "beside it", "rankgain is"), rows)
    print(table)
    if stored:
        lead = f"Best of {ROUNDS} rounds or more in turns, on two cores of {machine.processor()}"
        lead += "; `benchmarks/streams.py` repeats it."
        page = Path(__file__).parents[1] / "docs" / "streams.md"
        tables.put_between_markers(page, f"{lead}\n\n{table}")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in SIDES:
        one(sys.argv[1], sys.argv[2])
    else:
        asked = [float(word) for word in sys.argv[1:] if word != "--write"]
        main(asked or [20.0], "--write" in sys.argv)
