"""Hostile input in a process of its own, so that a crash is noticed and named.

Each scenario must be refused with an ordinary exception or give the right answer. It runs under
faulthandler and must reach its last line.
"""

import os
import subprocess
import sys

import pytest

from hostile_scenarios import PRELUDE, SCENARIOS

# No other test ends an evaluation by a signal.
QUICK = [name for name in SCENARIOS if "signal" in name]
SLOW = [pytest.param(one, marks=pytest.mark.slow) for one in SCENARIOS if one not in QUICK]


@pytest.mark.parametrize("scenario", [*QUICK, *SLOW])
def test_hostile_input_does_not_crash(scenario, tmp_path):
    body = "\n".join(line[8:] for line in SCENARIOS[scenario].splitlines())
    script = tmp_path / "scenario.py"
    script.write_text(f'{PRELUDE}\n{body}\nprint("reached the end")\n')
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(script)],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PYTHONMALLOC": "debug", "MALLOC_PERTURB_": "165"},
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
    assert run.stdout.endswith("reached the end\n")


def test_a_crash_would_be_noticed(tmp_path):
    script = tmp_path / "crash.py"
    script.write_text("import ctypes; ctypes.string_at(0)")
    command = [sys.executable, "-X", "faulthandler", str(script)]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode != 0
