"""The workloads at smoke size: values agree with NumPy and every installed tool; one timed call.

What needs new processes, and what is large, runs once at a small size.

RANKGAIN_BENCHMARK=full with --benchmark-enable times them at the size of the report.
"""

import json
import os
import sys
from functools import partial
from typing import Any

import pytest

pytest.importorskip("pytest_benchmark")
pytest.importorskip("scipy")

import gate
import measuring
import record_workloads
import scale
from measuring import ONCE, Clock, measure
from workloads import TIMED, Workload

# Other tools warn about many things that are not ours.
pytestmark = pytest.mark.filterwarnings("default")

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read as on Linux")
SMOKE = os.environ.get("RANKGAIN_BENCHMARK") != "full"


def timed_side(workload: Workload) -> str:
    """Our side of the first goal."""
    return workload.goals[0].ours[0] if workload.goals else "rankgain"


@pytest.mark.parametrize("workload", TIMED, ids=lambda w: w.name)
def test_values_agree(workload: Workload) -> None:
    outcome = measure(workload.prepare(smoke=True), ONCE)
    absent = {side: why for side, why in outcome.missing.items() if why != "not installed"}
    assert not absent
    for goal in workload.goals:
        assert set(goal.ours) <= set(outcome.seconds)


@pytest.mark.parametrize("workload", TIMED, ids=lambda w: w.name)
def test_time(workload: Workload, benchmark: Any) -> None:
    side = workload.prepare(smoke=SMOKE)[timed_side(workload)]
    assert side is not None
    benchmark(side.call)


@LINUX
@pytest.mark.parametrize(
    "run",
    [
        partial(measuring.import_seconds, rounds=0),
        partial(measuring.peak_megabytes, lists=20, docs=50, threads=2),
        partial(record_workloads.peaks_of_processes, queries=4, docs=30, judged=10),
    ],
    ids=["import", "memory", "command-memory"],
)
def test_figures_of_new_processes(run: Any) -> None:
    assert "rankgain" in run(Clock.WALL)


def test_kernels_whose_instructions_are_counted_run() -> None:
    calls = dict.fromkeys(gate.KERNELS, 1)
    assert measuring.run_python(gate.CHILD, json.dumps(calls)) == ""


def test_a_factor_model_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    scale.factors(20, write=False)
    assert "| rankgain |" in capsys.readouterr().out


@LINUX
def test_a_stream_is_measured() -> None:
    for library in ("pyarrow", "duckdb"):
        pytest.importorskip(library)
    title, *_ = scale.stream_line(0.001)
    assert title.startswith("Parquet of 1,000 rows")
