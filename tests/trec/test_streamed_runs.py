"""A run of a file or a stream gives the same evaluation and the same errors as a loaded one."""

import gzip
import io
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from joined import MEASURES, made, same
from rankgain.engine import threads


def written(tmp_path, seed, shuffled=False):
    qrels, run = made(seed)
    text = io.StringIO()
    rg.Run(run).write(text)
    lines = text.getvalue().splitlines(keepends=True)
    if shuffled:
        random.Random(1).shuffle(lines)
    path = tmp_path / "run.txt"
    path.write_text("".join(lines))
    (tmp_path / "run.gz").write_bytes(gzip.compress(path.read_bytes()))
    return qrels, path


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("convention", ["trec", "trec_eval-9", "ir_measures", "ranx"])
def test_files_are_streamed(shuffled, convention, tmp_path):
    qrels, path = written(tmp_path, 5, shuffled)
    options = {"convention": convention}
    expected = rg.evaluate(rg.Qrels(qrels), rg.Run.read(path), MEASURES, **options)
    same(rg.evaluate(qrels, path, MEASURES, **options), expected)
    same(rg.evaluate(qrels, str(path), MEASURES, threads=2, **options), expected)
    same(rg.evaluate(qrels, tmp_path / "run.gz", MEASURES, **options), expected)
    with path.open("rb") as file:
        same(rg.evaluate(qrels, file, MEASURES, **options), expected)
    with path.open() as file:
        same(rg.evaluate(qrels, file, MEASURES, **options), expected)


class Pipe(io.RawIOBase):
    """A stream that cannot go back."""

    def __init__(self, data):
        self.inner = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, block):
        return self.inner.readinto(block)


@pytest.mark.parametrize("shuffled", [False, True])
def test_pipes_are_streamed(shuffled, tmp_path):
    qrels, path = written(tmp_path, 6, shuffled)
    expected = rg.evaluate(rg.Qrels(qrels), rg.Run.read(path), MEASURES)
    for file in (path, tmp_path / "run.gz"):
        same(rg.evaluate(qrels, Pipe(file.read_bytes()), MEASURES), expected)


@pytest.mark.parametrize("redirected", [False, True])
@pytest.mark.parametrize("bad", ["", "3 Q0 x\n"])
def test_standard_input_is_streamed(redirected, bad, tmp_path):
    qrels, path = written(tmp_path, 7)
    path.write_text(path.read_text() + bad)
    code = f"import rankgain as rg; print(rg.evaluate({qrels!r}, '-', 'AP').means['AP'])"
    data = path.read_bytes()
    command = [sys.executable, "-c", code]
    if redirected:
        with path.open("rb") as file:
            done = subprocess.run(command, stdin=file, capture_output=True)
    else:
        done = subprocess.run(command, input=data, capture_output=True)
    if bad:
        line = data.count(b"\n")
        words = f"standard input, line {line}: too few fields: 3, but a run has six"
        assert words in done.stderr.decode()
    else:
        assert float(done.stdout) == rg.evaluate(qrels, path, "AP").means["AP"]


@pytest.mark.parametrize("shuffled", [False, True])
def test_single_precision_ties_what_it_cannot_tell_apart(shuffled, tmp_path):
    qrels, run = made(12)
    run = {query: result for query, result in run.items() if result}  # a file has no empty lists
    rng = random.Random(3)
    for result in run.values():
        result.update({d: s + rng.randrange(9) * 1e-10 for d, s in result.items()})
    run["3"] |= {"huge": 1e300, "larger": 2e300}
    loaded_run = rg.Run(run)
    expected = rg.evaluate(rg.Qrels(qrels), loaded_run, MEASURES, convention="pytrec_eval")
    double = rg.conventions["pytrec_eval"].replace(score_dtype="float64", name="double")
    assert expected.means != rg.evaluate(qrels, run, MEASURES, convention=double).means
    for _ in range(2):
        same(rg.evaluate(qrels, loaded_run, MEASURES, convention="pytrec_eval"), expected)
    text = io.StringIO()
    loaded_run.write(text)
    lines = text.getvalue().splitlines(keepends=True)
    if shuffled:
        rng.shuffle(lines)
    path = tmp_path / "run"
    path.write_text("".join(lines))
    same(rg.evaluate(qrels, path, MEASURES, convention="pytrec_eval"), expected)
    same(rg.evaluate(qrels, run, MEASURES, convention="pytrec_eval"), expected)
    same(rg.evaluate(rg.Qrels(qrels), run, MEASURES, convention="pytrec_eval"), expected)


def long_run(path, queries, documents, order):
    """A run of many rows: document i of a query has rank i; order: of the rows of each query."""
    with open(path, "w") as file:
        for query in range(queries):
            file.writelines(
                f"{query} Q0 d{i} 0 {documents - (i - 1) // 2 * 2} t\n" for i in order(documents)
            )


@pytest.mark.parametrize("where", [0, 3, 6])
def test_rows_of_a_query_apart_in_a_long_run(where, tmp_path):
    n = 30_000
    long_run(tmp_path / "run", 7, n, lambda n: range(1, n + 1))
    with open(tmp_path / "run", "a") as file:
        file.write(f"{where} Q0 e 0 {n + 1} t\n")
    qrels = {str(q): {"d3": 1, "e": 0} for q in range(7)}  # d4 stands above d3
    result = rg.evaluate(qrels, tmp_path / "run", "RR").per_query["RR"]
    assert np.array_equal(result, [1 / (5 if q == where else 4) for q in range(7)])


# ---- two threads where they can be started


QRELS = {f"q{i}": {f"d{j}": j % 3 for j in range(9)} for i in range(9)}


@pytest.mark.parametrize("error", [None, RuntimeError("can't start new thread"), MemoryError()])
def test_a_thread_that_cannot_be_started(
    error: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = {query: {f"d{j}": float(j * 7 % 5) for j in range(9)} for query in QRELS}
    path = tmp_path / "run"
    rg.Run(run).write(path)
    expected = rg.evaluate(QRELS, path, "AP")
    started = []

    def start(*arguments: Any) -> Any:
        started.append(1)
        if error is not None:
            raise error
        return start_new_thread(*arguments)

    start_new_thread = threads.start_new_thread
    monkeypatch.setattr(threads, "start_new_thread", start)
    assert rg.evaluate(QRELS, path, "AP", threads=2) == expected
    assert started
