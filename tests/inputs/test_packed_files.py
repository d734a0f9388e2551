"""Files that are packed or encoded: read, or refused with the way to unpack them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

QRELS = {"q": {"a": 1}, "r": {"b": 1}}
FIRST, SECOND = "q Q0 x 1 2 t\nq Q0 a 2 1 t\n", "r Q0 b 1 1 t\n"
PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def doors(path: Path) -> list[Callable[[], Any]]:
    """The ways to read a run, whose RR is the mean of 1/2 and 1."""
    data = path.read_bytes()
    return [
        lambda: rg.evaluate(QRELS, path, "RR"),
        lambda: rg.evaluate(QRELS, io.BytesIO(data), "RR"),
        lambda: rg.evaluate(QRELS, rg.Run.read(path), "RR"),
    ]


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("between", [b"", bytes(4), bytes(512), bytes(1 << 19)])
def test_streams_one_after_another(kind: str, between: bytes, tmp_path: Path) -> None:
    pack, path = PACK[kind], tmp_path / "run"
    path.write_bytes(pack(FIRST.encode()) + between + pack(SECOND.encode()) + between)
    for door in doors(path):
        assert door().means == {"RR": 0.75}
    large = "".join(f"q{i} Q0 d{i} 1 {i} t\n" for i in range(60_000)).encode()
    path.write_bytes(pack(large) + pack(SECOND.encode()))
    assert rg.Run(path).queries == (*(f"q{i}" for i in range(60_000)), "r")


def tar(text: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo("run.txt")
        info.size = len(text)
        archive.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


def zipped(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("run.txt", text)
    return out.getvalue()


LZ4 = b"\x04\x22\x4d\x18\x64\x40\xa7" + FIRST.encode()


@pytest.mark.parametrize(("data", "words"), [
    (LZ4, "an lz4 file; unpack it first, with lz4 -d"),
    (zipped(FIRST), "a zip archive; unpack it first, with unzip"),
    (tar(FIRST), "a tar archive; unpack it first, with tar -x"),
    (gzip.compress(tar(FIRST), mtime=0), "a tar archive; unpack it first, with tar -x"),
    (lzma.compress(tar(FIRST)), "a tar archive; unpack it first, with tar -x"),
    (gzip.compress(LZ4, mtime=0), "an lz4 file"),
])  # fmt: skip
@pytest.mark.parametrize("name", ["run", "run.lz4", "run.gz", "run.tsv", "run.json", "run.jsonl"])
def test_what_must_be_unpacked(data: bytes, words: str, name: str, tmp_path: Path) -> None:
    if name == "run.tsv":  # which data frames read
        pytest.importorskip("narwhals")
    path = tmp_path / name
    path.write_bytes(data)
    for read in (rg.Run, rg.Qrels, lambda one: rg.evaluate(QRELS, one, "RR")):
        with pytest.raises(ValueError, match=f"{name}.*this is {words}"):
            read(path)
