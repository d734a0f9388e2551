"""Accumulators as rows of Arrow data."""

from recorded import written_results
from recorded.recording import each

NEEDS = ["pyarrow", "narwhals"]
GIVEN = (
    written_results.GIVEN
    + """
import pyarrow as pa

def sums(*runs, **options):
    total = rg.Accumulator(**options)
    parts = evaluated(["P@1", "RR"])
    for run in runs:
        total.add({run: parts[run]}, segment=len(run))
    return total

def rows(*totals):
    return pa.Table.from_batches([total.to_arrow() for total in totals])

x, y, z = "a_1%", "=f|x*", "n\\x1b&<b>"
"""
)
# fmt: off
TOTALS = ["sums(x, y)", "sums(z)", "sums()", "sums(y, bootstrap=2, seed=4)", "sums(x, bootstrap=2, seed=4)", "sums(x)"]
CALLS = [
    *each("batch = {t}.to_arrow(); batch.schema.names, [str(t) for t in batch.schema.types], batch.column(0).to_pylist(), batch.column(1).to_pylist(), json.loads(batch.column(2)[0].as_py()) == {t}.to_dict()", t=TOTALS),
    *each("a = rg.Accumulator.from_arrow(rows({t})); a; a == {t}", t=TOTALS),
    *each("rg.Accumulator.from_arrow({t}.to_arrow()) == {t}", t=TOTALS),
    *each("a = rg.Accumulator.from_arrow(rows({t})); a; a.bootstrap, a.seed", t=["sums(x, y), sums(z)", "sums(z), sums(), sums(x, y)", "sums(x), sums(x)", "sums(x, bootstrap=2, seed=4), sums(y, bootstrap=2, seed=4)",
          "sums(x), sums(y, bootstrap=2)", "sums(y, bootstrap=2, seed=4), sums(x, bootstrap=2, seed=5)", "sums(), sums(x, bootstrap=1)"]),
    "rg.Accumulator.from_arrow(rows(sums(x)).slice(1)); rg.Accumulator.from_arrow(rows(sums(x)).rename_columns(['a', 'b', 'c']))",
    "rg.Accumulator.from_arrow(rows(sums(x)).rename_columns(['a', 'b', 'c']))",
    "rg.Accumulator.from_arrow({'state': [json.dumps(sums(x).to_dict())]}) == sums(x)",
    "rg.Accumulator.from_arrow({'state': ['{}']})", "rg.Accumulator.from_arrow({'state': [json.dumps(sums(x).to_dict()), '3']})", "rg.Accumulator.from_arrow({'x': [1], 'y': [2]})",
]
