"""The sides of each workload on qrels and runs: dicts, loaded objects, and whole processes."""

import compileall
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import peer_tools as peers
import rankgain as rg
import trec_data
from measuring import Clock, Side, Sides, Times, Values

ONE = ("nDCG@10",)
FIVE = ("nDCG@10", "AP", "RR", "P@10", "R@100")
TREC_NAMES = {
    "nDCG@10": "ndcg_cut_10",
    "AP": "map",
    "RR": "recip_rank",
    "P@10": "P_10",
    "R@100": "recall_100",
}


def per_query(names: Sequence[str]) -> Any:
    def values(result: Any) -> Values:
        by_query = result if isinstance(result, dict) else result.to_dict()
        return np.array([[by_query[query][name] for name in names] for query in sorted(by_query)])

    return values


def chosen(measures: int) -> tuple[str, ...]:
    return ONE if measures == 1 else FIVE


def dicts(queries: int, docs: int, judged: int, measures: int) -> Sides:
    names = chosen(measures)
    made = trec_data.track(queries, docs, judged)
    qrels, run = made.qrels(), made.run()
    kept = rg.Qrels(qrels)
    return {
        "pytrec_eval": peers.pytrec_eval_dicts(qrels, run, [TREC_NAMES[name] for name in names]),
        "rankgain": Side(lambda: rg.evaluate(qrels, run, names), per_query(names)),
        "rankgain, loaded qrels": Side(lambda: rg.evaluate(kept, run, names), per_query(names)),
    }


def loaded(queries: int, docs: int, judged: int, measures: int) -> Sides:
    names = chosen(measures)
    made = trec_data.track(queries, docs, judged)
    plain_qrels, plain_run = made.qrels(), made.run()
    qrels, run = rg.Qrels(plain_qrels), rg.Run(plain_run)

    def anew() -> Any:
        run._joined = None  # it keeps the join with the qrels that it was last evaluated against
        return rg.evaluate(qrels, run, names)

    return {
        "rankgain": Side(lambda: rg.evaluate(qrels, run, names), per_query(names)),
        "rankgain, joined anew": Side(anew, per_query(names)),
        "ranx": peers.ranx_loaded(plain_qrels, plain_run, list(names)),
    }


PYTREC_EVAL = """
import sys
import pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
names = ("map", "ndcg_cut_10")
results = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10"}).evaluate(run).values()
for name in names:
    print(name, "all", f"{sum(result[name] for result in results) / len(qrels):.4f}", sep="\\t")
"""

START = "import sys; from rankgain.{} import main; sys.exit(main())"
"""What the installed script does, in the interpreter of the benchmark."""

Command = list[str]


def commands(files: trec_data.Files) -> dict[str, Command | None]:
    """The same two means of the same files: ours, and the C program or what stands for it."""
    where = [str(files.qrels), str(files.run)]
    names = ["-m", "map", "-m", "ndcg_cut.10"]
    drop_in = [sys.executable, "-c", START.format("trec_eval.program")]
    command = [sys.executable, "-c", START.format("cli")]
    trec_eval = shutil.which("trec_eval")
    return {
        "trec_eval": [trec_eval, "-c", *names, *where] if trec_eval else None,
        "pytrec_eval": [sys.executable, "-c", PYTREC_EVAL, *where]
        if peers.installed("pytrec_eval")
        else None,
        "rankgain": [*drop_in, "-c", *names, *where],
        "rankgain evaluate": [*command, "evaluate", *where, "-m", "AP", "-m", "nDCG@10"],
    }


def printed_means(text: str) -> Values:
    lines = [line.split() for line in text.splitlines()]
    return np.array([float(fields[-1]) for fields in lines if len(fields) == 3])


def output(command: Command, _files: trec_data.Files) -> str:
    """What a command prints; `_files` is held because its folder goes with the last reference."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def whole_processes(queries: int, docs: int, judged: int) -> Sides:
    compileall.compile_dir(Path(rg.__file__).parent, quiet=1)  # as pip does on installation
    files = trec_data.files(trec_data.track(queries, docs, judged))
    sides: dict[str, Side | None] = {}
    for name, command in commands(files).items():
        if command is None:
            sides[name] = None
            continue
        # A table for people is not compared.
        values = None if name == "rankgain evaluate" else printed_means
        sides[name] = Side(partial(output, command, files), values, tolerance=1.01e-4)
    return sides


PEAK = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, usage.ru_maxrss)
"""
"""What a process is charged with begins with the size of the one that starts it: a small one."""


def peak_megabytes(_clock: Clock, queries: int, docs: int, judged: int) -> Times:
    """Peak resident memory of each whole process."""
    files = trec_data.files(trec_data.track(queries, docs, judged))
    found: Times = {}
    for name, command in commands(files).items():
        if command is None:
            continue
        status, peak = output([sys.executable, "-c", PEAK, *command], files).split()
        if status == "0":
            found[name] = int(peak) / (2**20 if sys.platform == "darwin" else 1024)
    return found
