"""The workloads at smoke size: values agree with NumPy and every installed peer; one timed call.

RANKGAIN_BENCHMARK=full with --benchmark-enable times them at the size of the report.
"""

import os
from typing import Any

import pytest

pytest.importorskip("pytest_benchmark")
pytest.importorskip("scipy")

import rankgain
from measuring import ONCE, measure
from workloads import ARRAYS, CLIFFS, COMPARISONS, CONVENTIONS, TREC, Workload

# Peers warn about many things that are not ours.
pytestmark = pytest.mark.filterwarnings("default")

SMOKE = os.environ.get("RANKGAIN_BENCHMARK") != "full"
QRELS = pytest.mark.skipif(not hasattr(rankgain, "Run"), reason="needs qrels and runs")
TIMED = [
    *ARRAYS,
    *CONVENTIONS,
    *COMPARISONS,
    *CLIFFS,
    *(pytest.param(workload, marks=QRELS) for workload in TREC),
]


def own(workload: Workload) -> str:
    """The side of ours that is timed."""
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
    side = workload.prepare(smoke=SMOKE)[own(workload)]
    assert side is not None
    benchmark(side.call)
