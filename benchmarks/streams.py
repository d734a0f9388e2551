"""A Parquet file sorted by query: evaluated as a stream, and by DuckDB with window functions.

    python benchmarks/streams.py [millions of rows] [path]

Each side runs in a process of its own, in turns; the best round counts, and the peak of its memory.
Needs pyarrow and duckdb. The means of both are compared.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

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


def main(millions: float, path: str) -> None:
    if not os.path.exists(path):
        write(path, int(millions * 1e6))
    best: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        for side in SIDES:
            command = [sys.executable, __file__, side, path]
            found = json.loads(subprocess.check_output(command))
            kept = best.setdefault(side, found)
            assert np.allclose(found["means"], best["rankgain"]["means"], rtol=1e-6)
            kept["seconds"] = min(kept["seconds"], found["seconds"])
            kept["peak"] = max(kept["peak"], found["peak"])
    for side, found in best.items():
        print(f"{side:<9} {found['seconds']:8.2f} s  peak {found['peak']:7.0f} MB")
    print(f"ratio {best['duckdb']['seconds'] / best['rankgain']['seconds']:.1f}")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in SIDES:
        one(sys.argv[1], sys.argv[2])
    else:
        size = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
        given = sys.argv[2] if len(sys.argv) > 2 else ""
        main(size, given or os.path.join(tempfile.gettempdir(), f"rankgain-{size:g}M.parquet"))
