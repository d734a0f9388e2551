"""The workloads at smoke size: values agree with NumPy and every installed tool; one timed call.

RANKGAIN_BENCHMARK=full with --benchmark-enable times them at the size of the report.
"""

import os
from typing import Any

import pytest

pytest.importorskip("pytest_benchmark")
pytest.importorskip("scipy")

from measuring import ONCE, measure
from workloads import TIMED, Workload

# Other tools warn about many things that are not ours.
pytestmark = pytest.mark.filterwarnings("default")

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
