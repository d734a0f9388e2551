"""Qrels and runs in TREC's form, from any source; read against a plain reader, and as a stream."""

import bz2
import gzip
import io
import lzma
from typing import Any

import rankgain as rg
from draws import Draws, agree, outcome
from rankgain.inputs.files import MAGIC
from rankgain.trec import stream as joins

QRELS = {q: {f"d{i}": (i * k) % 4 for i in range(6)} for k, q in enumerate(["1", "q", "q2", "2"])}
PACKED: list[Any] = [None] * 9
PACKED += [gzip.compress, lambda c: bz2.compress(c, 1), lambda c: lzma.compress(c, preset=0)]


class Pieces:
    """Only has `read`, which gives up to some bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self.rest, self.size = io.BytesIO(content), size

    def read(self, most: int = -1) -> bytes:
        return self.rest.read(self.size if most < 0 else min(most, self.size))


class WholeAtEnd(Pieces):
    """The same, but all that is left for a call without a size, as of a socket's file."""

    def read(self, most: int = -1) -> bytes:
        return self.rest.read() if most < 0 else super().read(most)


class Raw(io.RawIOBase):
    """A raw stream that fills a buffer with a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self.rest, self.size = io.BytesIO(content), size

    def readable(self) -> bool:
        return True

    def readinto(self, block: Any) -> int:
        data = self.rest.read(min(len(block), self.size))
        block[: len(data)] = data
        return len(data)


class Unseekable(Raw):
    """The same, which says that it cannot go back."""

    def seekable(self) -> bool:
        return False


def plain_reader(content: bytes, is_qrels: bool) -> dict[str, dict[str, float]] | None:
    """The same in ten lines; None where it must be refused."""
    result: dict[str, dict[str, float]] = {}
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        fields, expected = line.split(), 4 if is_qrels else 6
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(by_tabs := line.split(b"\t")) == expected:
            fields = [one.strip() for one in by_tabs]
        if len(fields) != expected or not (is_qrels or fields[3].isdigit()):
            return None
        query, document = (one.decode("utf-8", "surrogateescape") for one in (fields[0], fields[2]))
        try:
            value = float(fields[3 if is_qrels else 4])
        except ValueError:
            return None
        finite = abs(value) < float("inf") if is_qrels else value == value
        documents = result.setdefault(query, {})
        if b"_" in fields[3 if is_qrels else 4] or not finite or document in documents:
            return None
        documents[document] = value
    return None if b"\0" in content else result or None


def read(data: bytes) -> None:
    """Any bytes, packed or not, in pieces of any size: as the plain reader says, or refused."""
    d = Draws(data)
    kind, pack, size = d.pick([rg.Qrels, rg.Run]), d.pick(PACKED), 1 + d.below(40)
    form, policy, damage = d.below(4), d.pick(["raise", "raise", "first", "last", "best"]), d.byte()
    content = d.rest()
    if pack is not None:
        packed = bytearray(pack(content))
        if damage >= 128:
            packed[damage % len(packed)] ^= 1 << size % 8
        outcome(lambda: kind(io.BytesIO(packed), duplicates=policy).to_dict())
        if damage >= 128:
            return
        source: Any = io.BytesIO(packed)
    elif any(map(content.startswith, MAGIC)):
        outcome(lambda: kind(io.BytesIO(content), duplicates=policy).to_dict())
        return
    else:
        source = [io.BytesIO(content), Pieces(content, size), Raw(content, size)][form % 3]
    result = outcome(lambda: kind(source, duplicates=policy).to_dict())
    expected = plain_reader(content, kind is rg.Qrels)
    if any(map(content.startswith, MAGIC)):
        return
    if expected is not None:
        assert result == expected, (result, expected)
    elif policy == "raise":
        assert not isinstance(result, dict), (result, "must be refused")


def evaluate_stream(data: bytes) -> None:
    """A run evaluated while it is read, in pieces, in two threads, and read first."""
    d = Draws(data)
    size, form, measures = 1 + d.below(40), d.below(4), d.pick([["nDCG@3", "AP"], ["RR", "Bpref"]])
    content = d.rest()
    if form == 2:
        content *= 40
    qrels = rg.Qrels(QRELS)

    def evaluated(run: Any, threads: int = 1) -> Any:
        return outcome(lambda: state(rg.evaluate(qrels, run, measures, threads=threads)))

    whole = evaluated(outcome(lambda: rg.Run(io.BytesIO(content))))
    if any(map(content.startswith, MAGIC)):
        agree(whole, evaluated(io.BytesIO(content)))
        return
    sources = io.BytesIO, lambda c: WholeAtEnd(c, size), io.BytesIO, lambda c: Unseekable(c, size)
    joins.MAX_PIPE_BYTES, before = 64, joins.MAX_PIPE_BYTES
    try:
        agree(whole, evaluated(sources[form](content), 2))
    finally:
        joins.MAX_PIPE_BYTES = before


def state(result: rg.Evaluation) -> Any:
    """All values of an evaluation."""
    columns = {name: one.tolist() for name, one in result.per_query.items()}
    return dict(result.means), columns, list(map(str, result.queries))
