"""Instructions per call of three kernels beside stored numbers: seconds vary, instructions do not.

    python benchmarks/gate.py             exit status 1 if a kernel needs over 3 % more than stored
    python benchmarks/gate.py --update    store what was counted

Needs valgrind. Each kernel runs twice in callgrind, with few and with more calls; the difference is
the calls' own cost, free of the interpreter's start. The plain path is forced, so that the numbers
do not depend on the processor; they do on the compiler, which is stored beside them.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from forced import PLAIN

STORED = Path(__file__).parent / "gate.json"
ALLOWED = 1.03
FEW, MORE = 1, 4

KERNELS = {
    "select": ("dense", {"lists": 50, "docs": 1_000}, {"k": 10}),
    "count": ("catalogue", {"lists": 10, "docs": 20_000}, {}),
    "sort": ("half", {"lists": 20, "docs": 1_000}, {}),
}
"""One for each way to fill the hits: the input, its size, and the arguments of nDCG or AP."""

CHILD = """
import json, sys
import data
import rankgain as rg

kind, size, options, calls = json.loads(sys.argv[1])
rng = data.generator()
lists, docs = size["lists"], size["docs"]
scores = rng.standard_normal((lists, docs), dtype="float32")
if kind == "catalogue":
    labels, call = data.sparse_truth(rng, lists, docs, 10), rg.average_precision
else:
    relevant = 0.5 if kind == "half" else 0.2
    labels, call = data.graded(rng, lists, docs, relevant=relevant), rg.ndcg
for _ in range(calls):
    call(labels, scores, **options)
"""


def instructions(kernel: str, calls: int) -> int:
    kind, size, options = KERNELS[kernel]
    fixed = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", **PLAIN}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [
                *("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"),
                *(sys.executable, "-c", CHILD, json.dumps([kind, size, options, calls])),
            ],
            cwd=STORED.parent,
            env={**os.environ, **fixed},
            check=False,
            capture_output=True,
            text=True,
        )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or found is None:
        sys.exit(f"{kernel}: valgrind failed\n{done.stderr[-2000:]}")
    return int(found[1])


def per_call(kernel: str) -> int:
    return (instructions(kernel, FEW + MORE) - instructions(kernel, FEW)) // MORE


def compiler() -> str:
    command = (sysconfig.get_config_var("CC") or "cc").split()[0]
    done = subprocess.run([command, "--version"], check=False, capture_output=True, text=True)
    return done.stdout.partition("\n")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare instruction counts with stored ones.")
    parser.add_argument("--update", action="store_true", help="store what was counted")
    update = parser.parse_args().update
    stored = json.loads(STORED.read_text()) if STORED.exists() else {"instructions": {}}
    counted = {}
    worse = False
    for kernel in KERNELS:
        counted[kernel] = per_call(kernel)
        before = stored["instructions"].get(kernel)
        ratio = counted[kernel] / before if before else float("nan")
        print(f"{kernel:8} {counted[kernel]:>12,} instructions a call, {ratio:.3f} of the stored")
        worse |= ratio > ALLOWED
    if update:
        content = {"compiler": compiler(), "instructions": counted}
        STORED.write_text(json.dumps(content, indent=2) + "\n")
        return 0
    if stored.get("compiler") != compiler():
        print(f"stored with {stored.get('compiler')}, counted with {compiler()}")
    return int(worse)


if __name__ == "__main__":
    sys.exit(main())
