"""What one process cannot measure of itself: import, peak memory, another instruction set."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from measuring import Clock, Times

HERE = Path(__file__).parent

IMPORT = """
import sys
import time
import numpy
clock = getattr(time, sys.argv[1])
start = clock()
import rankgain
print(clock() - start)
"""

MEMORY = """
import resource, sys
import data
import rankgain as rg

def kilobytes(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field))

def forget_peak():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")  # sets the peak back to what is resident now

lists, docs, threads = map(int, sys.argv[1:])
rng = data.generator()
scores = rng.standard_normal((lists, docs), dtype="float32")
labels = data.graded(rng, lists, docs)
rg.ndcg(labels[:4], scores[:4], k=10, threads=threads)
forget_peak()
before = kilobytes("VmRSS")
rg.ndcg(labels, scores, k=10, threads=threads)
print((kilobytes("VmHWM") - before) / 1024)
"""


def python(code: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=HERE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def import_seconds(clock: Clock, rounds: int = 10) -> Times:
    """`import rankgain` after `import numpy` in new interpreters; the first writes the bytecode."""
    return {"rankgain": min(float(python(IMPORT, clock.value)) for _ in range(rounds + 1))}


def peak_megabytes(_: Clock, lists: int, docs: int, threads: int) -> Times:
    """Peak resident memory above the inputs, which are made and touched before."""
    return {"rankgain": float(python(MEMORY, lists, docs, threads))}


def elsewhere(name: str, options: Sequence[str], environment: Mapping[str, str]) -> Times:
    """The times of a workload in a process of its own with some environment variables set."""
    done = subprocess.run(
        [sys.executable, str(HERE / "report.py"), *options, "--times", name],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    times: Times = json.loads(done.stdout)
    return times


def on_path(environment: Mapping[str, str], arguments: Sequence[str]) -> bool:
    """The report on a path that some environment variables force; whether it failed."""
    command = [sys.executable, str(HERE / "report.py"), *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, check=False).returncode != 0
