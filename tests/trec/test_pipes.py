"""Sources that give their bytes once: named pipes, and objects that can only be read."""

import gzip
import io
import os
import re
import subprocess
import sys

import pytest

import rankgain as rg
from rankgain.inputs.files import parse_stream
from sampling import sampled

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
@pytest.mark.parametrize(("kind", "bounds"), sampled(RUNS, [(), "ties"], one_in=3))
def test_a_named_pipe_is_opened_once(kind, bounds, tmp_path):
    """A second reader would wait for ever, or find the rest of what the first one left."""
    path = tmp_path / "file" / "run"
    path.parent.mkdir()
    path.write_bytes(RUNS[kind])
    command = [sys.executable, "-c", SCRIPT % (QRELS, bounds)]
    done = subprocess.run(
        command, input=RUNS[kind], capture_output=True, timeout=60, check=True, cwd=tmp_path
    )
    result = done.stdout.decode().strip()
    expected = outcome_of_file(path).replace(str(path), "run")
    if kind == "empty":  # the size of a pipe is not known
        expected = "run: no rows"
    assert result
    assert result in (expected, re.sub(r": '[^']*'(?=;|$)", "", expected))  # quotes the line


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


BALLOON = "\U0001f388"
WIDE_ROWS = [f"q Q0 {BALLOON * (i % 7 * 9 + 1)}{i} 1 {i} t\n" for i in range(30_000)]
WIDE_ROWS.append(f"q Q0 {BALLOON} 1 0.5 t\n")


class ReadsMore(OnlyRead):
    """A stream whose `read` returns more than it was asked for, or all of it."""

    def __init__(self, data, more):
        super().__init__(data)
        self.more = more

    def read(self, size=-1):
        return self.stream.read(-1 if size < 0 or self.more is None else size + self.more)


@pytest.mark.parametrize("wrap", [lambda stream: stream, io.BufferedReader])
@pytest.mark.parametrize("min_bytes", [0, 1 << 20])
def test_a_gzip_file_over_a_source_that_cannot_go_back(wrap, min_bytes):
    """It says that it can seek, which is true of a file, and not of a pipe."""

    def unpacked(rows):
        rows += b"# a comment\n" * (min_bytes // 12)
        return wrap(gzip.GzipFile(fileobj=OnlyRead(gzip.compress(rows))))

    expected = rg.evaluate(QRELS, io.BytesIO(ROWS), "AP").means
    assert rg.evaluate(QRELS, unpacked(ROWS), "AP").means == expected
    assert rg.Run(unpacked(ROWS)).to_dict() == rg.Run(io.BytesIO(ROWS)).to_dict()
    assert rg.Qrels(unpacked(b"1 0 a 1\n")).to_dict() == {"1": {"a": 1.0}}
    assert rg.Qrels(unpacked(b"3 qid:1 # d1\n")).to_dict() == {"1": {"d1": 3.0}}


class Watches:
    """Takes lines as the compiled readers do, which load sixteen bytes beyond them."""

    lines = 0

    def feed(self, block, size):
        assert size == 0 or block[size - 1] == 10
        assert size + 16 <= len(block)


@pytest.mark.parametrize("more", [0, 1, 17, 5000, None])
@pytest.mark.parametrize("wide", [False, True])
def test_the_bytes_after_the_lines_are_there(more, wide):
    text = "".join(WIDE_ROWS)
    parse_stream(ReadsMore(text if wide else text.encode(), more), Watches())


class Overstates(io.RawIOBase):
    def __init__(self, count):
        self.count = count

    def readable(self):
        return True

    def readinto(self, block):
        return self.count


@pytest.mark.parametrize("count", [-1, 1 << 18 | 1, 1 << 40])
def test_a_count_that_cannot_be_is_refused(count):
    with pytest.raises(OSError, match=f"Overstates.readinto returned {count} for"):
        rg.Run(Overstates(count))


class Dribbles(io.RawIOBase):
    """A line without end, some bytes at a time."""

    def __init__(self, start, step):
        self.start, self.step, self.given = start, step, 0

    def readable(self):
        return True

    def readinto(self, block):
        data = self.start[self.given : self.given + self.step] or b"x" * self.step
        data = data[: len(block)]
        block[: len(data)] = data
        self.given += len(data)
        return len(data)


def test_the_greatest_length_of_a_line_is_settable(monkeypatch):
    def row(size):
        return b"1 Q0 a 1 3 %s\n" % (b"t" * (size - 11))

    text = ROWS[-26:] + row(1 << 20) + b"1 Q0 d 1 4 t"
    assert rg.Run(io.BytesIO(text))["1"] == {"d": 4.0, "a": 3.0}
    longer = text.replace(b"tttt\n", b"ttttt\n")
    with pytest.raises(ValueError, match="line 3: longer than 1048576 bytes"):
        rg.Run(io.BytesIO(longer))
    monkeypatch.setenv("RANKGAIN_LONGEST_LINE", "5000000")
    assert rg.Run(io.BytesIO(longer))["1"] == {"d": 4.0, "a": 3.0}
    with pytest.raises(ValueError, match="line 2: longer than 5000000 bytes"):
        rg.Run(io.BytesIO(b"1 Q0 a 1 3 t\n" + row(5_000_001)))
    monkeypatch.setenv("RANKGAIN_LONGEST_LINE", "many")
    with pytest.raises(ValueError, match="RANKGAIN_LONGEST_LINE must be a number of bytes"):
        rg.Run(io.BytesIO(text))


def test_a_mark_of_the_byte_order_stands_at_the_start_alone():
    rows = b"\n\xef\xbb\xbf1 Q0 a 1 3 t\n"
    read = rg.Run(Dribbled(rows))
    assert list(read) == ["\ufeff1"]
    assert list(rg.Run(io.BytesIO(rows))) == ["\ufeff1"]


class Dribbled(Dribbles):
    """A byte at a time, and an end."""

    def __init__(self, start):
        super().__init__(start, 1)

    def readinto(self, block):
        return super().readinto(block) if self.given < len(self.start) else 0


def test_standard_input_may_be_replaced_or_closed(standard_input):
    expected = rg.evaluate(QRELS, io.BytesIO(ROWS), "AP").means
    standard_input(io.StringIO(ROWS.decode()))
    assert rg.evaluate(QRELS, "-", "AP").means == expected
    standard_input(None)
    for read in (rg.Run, lambda source: rg.evaluate(QRELS, source, "AP")):
        with pytest.raises(OSError, match="standard input is closed"):
            read("-")


@pytest.mark.parametrize("letter", ["e", "\u00e9", "\u20ac", "\U0001f600"])
def test_a_long_text_of_letters_of_any_width_is_read_whole(letter: str) -> None:
    lines = [f"q{i} Q0 {letter * 8}{j} {j + 1} {9 - j} t\n" for i in range(4000) for j in range(5)]
    text = "".join(lines)
    run = rg.Run(io.StringIO(text))
    assert run == rg.Run(io.BytesIO(text.encode()))
    assert sum(map(len, run.to_dict().values())) == 20_000
