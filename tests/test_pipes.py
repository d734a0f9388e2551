"""Sources that give their bytes once: named pipes, and objects that can only be read."""

import gzip
import io
import os
import subprocess
import sys

import pytest

import rankgain as rg

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
ROWS = b"1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 c 1 4 t\n2 Q0 a 2 1 t\n"
FILLER = b"".join(b"9 Q0 d%d 1 1 t\n" % i for i in range(40_000))
RUNS = {
    "plain": ROWS,
    "interleaved": ROWS[26:] + ROWS[:26] + b"2 Q0 z 1 9 t\n",
    "a bad line": ROWS + b"two fields\n",
    "a bad line before others": b"1 Q0 a 1 three t\n" + FILLER + ROWS,
    "a document twice": ROWS + b"2 Q0 a 3 1 t\n",
    "not a number": ROWS + b"2 Q0 e 3 nan t\n",
    "gzip": gzip.compress(ROWS),
    "damaged gzip": gzip.compress(ROWS)[:-9],
    "empty": b"",
}
SCRIPT = """
import os, sys, threading
import rankgain as rg

def write():
    with open("run", "wb") as pipe:
        try:
            pipe.write(sys.stdin.buffer.read())
        except BrokenPipeError:
            pass

os.mkfifo("run")
threading.Thread(target=write, daemon=True).start()
try:
    print(dict(rg.evaluate(%r, "run", ["AP", "nDCG@2"], bounds=%r).means))
except ValueError as error:
    print(error)
"""


def outcome_of_file(path):
    try:
        return str(dict(rg.evaluate(QRELS, path, ["AP", "nDCG@2"]).means))
    except ValueError as error:
        return str(error)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
@pytest.mark.parametrize("bounds", [(), "ties"])
@pytest.mark.parametrize("kind", RUNS)
def test_a_named_pipe_is_opened_once(kind, bounds, tmp_path):
    """A second reader would wait for ever, or find the rest of what the first one left."""
    path = tmp_path / "file" / "run"
    path.parent.mkdir()
    path.write_bytes(RUNS[kind])
    command = [sys.executable, "-c", SCRIPT % (QRELS, bounds)]
    done = subprocess.run(
        command, input=RUNS[kind], capture_output=True, timeout=60, check=True, cwd=tmp_path
    )
    found = done.stdout.decode().strip()
    expected = outcome_of_file(path).replace(str(path), "run")
    assert found
    assert found == expected or expected.startswith(f"{found}: ")  # which quotes the line


class OnlyRead:
    def __init__(self, data):
        self.stream = io.BytesIO(data) if isinstance(data, bytes) else io.StringIO(data)

    def read(self, size=-1):
        return self.stream.read(size)


@pytest.mark.parametrize("data", [ROWS, ROWS.decode(), RUNS["interleaved"]])
def test_a_source_needs_no_more_than_read(data):
    text = data if isinstance(data, str) else data.decode()
    expected = rg.evaluate(QRELS, io.StringIO(text), "AP").means
    assert rg.evaluate(QRELS, OnlyRead(data), "AP").means == expected
    assert rg.Run(OnlyRead(data)) == rg.Run(io.StringIO(text))


def test_standard_input_may_be_replaced_or_closed(monkeypatch):
    expected = rg.evaluate(QRELS, io.BytesIO(ROWS), "AP").means
    monkeypatch.setattr(sys, "stdin", io.StringIO(ROWS.decode()))
    assert rg.evaluate(QRELS, "-", "AP").means == expected
    monkeypatch.setattr(sys, "stdin", None)
    for read in (rg.Run, lambda source: rg.evaluate(QRELS, source, "AP")):
        with pytest.raises(OSError, match="standard input is closed"):
            read("-")
