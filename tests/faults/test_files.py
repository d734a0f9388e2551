"""The n-th read and the n-th write of a file object fail: an OSError, and nothing is left open."""

import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from rankgain.inputs import files

RUN = "".join(f"q{i % 9} Q0 d{i} 1 {i} tag\n" for i in range(600)).encode()
QRELS = {f"q{i}": {f"d{9 * j + i}": 1 for j in range(9)} for i in range(9)}


class Failing(io.BytesIO):
    """A file whose n-th read or write fails; it reads a few bytes at a time."""

    def __init__(self, content: bytes, n: int) -> None:
        super().__init__(content)
        self.left = n

    def count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise OSError(5, "Input/output error")

    def read(self, size: Any = -1) -> bytes:
        self.count()
        return super().read(size if size is None or size < 0 else min(size, 1000))

    def readinto(self, block: Any) -> int:
        self.count()
        with memoryview(block) as view:
            return super().readinto(view[:1000])

    def write(self, data: Any) -> int:
        self.count()
        return super().write(data)


class OnlyReads:
    """The same without a way back, as a socket or a pipe is."""

    def __init__(self, content: bytes, n: int) -> None:
        self.read = Failing(content, n).read


READS: dict[str, Callable[[Any], Any]] = {
    "Run": lambda source: rg.Run(source).to_dict(),
    "evaluate": lambda source: rg.evaluate(QRELS, source, "AP").means,
    "evaluate in two threads": lambda source: rg.evaluate(QRELS, source, "AP", threads=2).means,
    "Qrels": lambda source: rg.Qrels.read(source, duplicates="first").to_dict(),
}


@pytest.mark.parametrize("kind", [Failing, OnlyReads])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", READS)
def test_the_nth_read_fails(name: str, kind: Any, packed: bool) -> None:
    content = b"q 0 d 1\n" * 600 if name == "Qrels" else RUN
    if packed and kind is OnlyReads:
        pytest.skip("what cannot be looked at is not unpacked")
    content = gzip.compress(content, 0) if packed else content
    expected = READS[name](kind(content, 0))
    refused = 0
    for n in range(1, 200):
        source = kind(content, n)
        try:
            assert READS[name](source) == expected
        except OSError:
            refused += 1
        else:
            break
    assert refused == n - 1 > 1
    assert getattr(source, "closed", False) is False


WRITES: dict[str, Callable[[Any], Any]] = {
    "Qrels.write": rg.Qrels(QRELS).write,
    "Run.write": rg.Run(io.BytesIO(RUN)).write,
}


@pytest.mark.parametrize("name", WRITES)
def test_the_nth_write_to_a_file_object_fails(name: str) -> None:
    refused = 0
    for n in range(1, 200):
        target = Failing(b"", n)
        try:
            WRITES[name](target)
        except OSError:
            refused += 1
        else:
            break
    assert refused == n - 1 > 0
    assert not target.closed


ONE = rg.evaluate(QRELS, io.BytesIO(RUN), ["AP", "RR"])
PATHS: dict[str, Callable[[Any], Any]] = {
    "Evaluation.to_json": ONE.to_json,
    "Evaluation.to_csv": ONE.to_csv,
    **WRITES,
}


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("name", PATHS)
def test_the_nth_write_to_a_path_fails(
    name: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fails, the file is as it was, or whole; and nothing is left beside it."""
    path = tmp_path / f"result.txt{suffix}"
    PATHS[name](path)
    whole = path.read_bytes()
    left = [0]

    class Raw(io.FileIO):
        def write(self, data: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                raise OSError(28, "No space left on device")
            return super().write(data[:100])

    def opened(path: Any, mode: str) -> Any:
        return io.BufferedWriter(Raw(path, mode.replace("b", "")), 64)

    monkeypatch.setattr(files, "open", opened, raising=False)
    refused = 0
    for n in range(1, 500):
        path.write_bytes(b"before")
        left[0] = n
        try:
            PATHS[name](path)
        except OSError:
            assert path.read_bytes() == b"before"
            refused += 1
        else:
            break
        finally:
            assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert refused == n - 1 > 0
    if suffix != ".gz":  # which has the time in it
        assert path.read_bytes() == whole


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="of Linux")
@pytest.mark.parametrize("name", PATHS)
def test_a_full_device_is_an_error(name: str) -> None:
    with pytest.raises(OSError, match="No space left"):
        PATHS[name]("/dev/full")
