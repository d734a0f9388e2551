"""Instructions per call of three kernels beside stored numbers: they vary less than times do.

    python benchmarks/gate.py             exit status 1 if a kernel needs over 3 % more than stored
    python benchmarks/gate.py --update    store what was counted

Needs valgrind. A run in callgrind calls each kernel once, and further runs call one of them more
often; the difference is the calls' own cost, free of the interpreter's start. The plain path is
forced, so that the numbers do not depend on the processor; they do on the compiler, which is stored
beside them.

`.ci/emulated` counts another processor's instructions with it, on the path which that takes: its
Python prints the line that callgrind prints. They are stored in a file of their own.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PLAIN = {"RANKGAIN_SIMD": "plain"}
ALLOWED = 1.03
MORE = 4

CHILD = """
import json, sys
import data
import rankgain as rg

rng = data.generator()

def inputs(lists, docs, relevant):
    return data.graded(rng, lists, docs, relevant=relevant), data.tie_free(rng, lists, docs)

few, half = inputs(50, 1_000, 0.2), inputs(20, 1_000, 0.5)
truth, scores = data.sparse_truth(rng, 10, 20_000, 10), data.tie_free(rng, 10, 20_000)
kernels = {
    "select": lambda: rg.ndcg(*few, k=10),
    "count": lambda: rg.average_precision(truth, scores),
    "sort": lambda: rg.ndcg(*half),
}
for name, calls in json.loads(sys.argv[1]).items():
    for _ in range(calls):
        kernels[name]()
"""
"""One kernel for each way to fill the hits, each called as often as the argument says."""

KERNELS = ("select", "count", "sort")


@dataclass(frozen=True)
class Counter:
    """A Python that prints how many instructions it took, and where its numbers are stored."""

    python: tuple[str, ...]
    path: Mapping[str, str]
    stored: Path

    def instructions(self, calls: dict[str, int]) -> int:
        fixed = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", **self.path}
        done = subprocess.run(
            [*self.python, "-c", CHILD, json.dumps(calls)],
            cwd=HERE,
            env={**os.environ, **fixed},
            check=False,
            capture_output=True,
            text=True,
        )
        printed = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or printed is None:
            sys.exit(f"{calls}: {self.python[0]} failed\n{done.stderr[-2000:]}")
        return int(printed[1])

    def per_call(self) -> dict[str, int]:
        """Each kernel's count above that of a run which calls each of them once."""
        once = dict.fromkeys(KERNELS, 1)
        floor = self.instructions(once)
        return {
            kernel: (self.instructions({**once, kernel: 1 + MORE}) - floor) // MORE
            for kernel in KERNELS
        }


VALGRIND = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", sys.executable)
HERE_COUNTED = Counter(VALGRIND, PLAIN, HERE / "gate.json")


def compiler() -> str:
    command = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    done = subprocess.run([command, "--version"], check=False, capture_output=True, text=True)
    return done.stdout.partition("\n")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare instruction counts with stored ones.")
    parser.add_argument("--update", action="store_true", help="store what was counted")
    parser.add_argument("--emulated", nargs=2, metavar=("PROCESSOR", "PYTHON"), help="count there")
    options = parser.parse_args()
    counter = HERE_COUNTED
    if options.emulated:
        processor, python = options.emulated
        counter = Counter((python,), {}, HERE / f"gate_{processor}.json")
    stored = {"instructions": {}}
    if counter.stored.exists():
        stored = json.loads(counter.stored.read_text())
    counted = counter.per_call()
    worse = False
    for kernel, count in counted.items():
        before = stored["instructions"].get(kernel)
        ratio = count / before if before else float("nan")
        print(f"{kernel:8} {count:>12,} instructions a call, {ratio:.3f} of the stored")
        worse |= ratio > ALLOWED
    if options.update:
        content = {"compiler": compiler(), "instructions": counted}
        counter.stored.write_text(json.dumps(content, indent=2) + "\n")
        return 0
    if stored.get("compiler") != compiler():
        print(f"stored with {stored.get('compiler')}, counted with {compiler()}")
    return int(worse)


if __name__ == "__main__":
    sys.exit(main())
