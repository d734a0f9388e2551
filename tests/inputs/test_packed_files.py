"""Packed files are read, however many streams they hold."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
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
