"""Faults that are planted at a known row of a file are named with its line, wherever it stands."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import rankgain as rg

# A fault of a row: what becomes of the fields query, Q0, document, rank, score, tag; and the words.
FAULTS: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "score": (lambda row: [*row[:4], "x", row[5]], "expected a number as the score"),
    "nan": (lambda row: [*row[:4], "nan", row[5]], "the score is NaN"),
    "rank": (lambda row: [*row[:3], "1.5", *row[4:]], "the rank is '1.5'"),
    "few": (lambda row: row[:3], "too few fields"),
    "many": (lambda row: [*row, "more"], "too many fields: 7"),
    "tag": (lambda row: row[:5], "is the rank or the tag missing"),
}


def rows_of(seed: int) -> list[list[str]]:
    """A run of 40 queries with 1 to 30 rows each; one of its queries is not judged."""
    draw = random.Random(seed)
    return [
        [f"q{q}", "Q0", f"d{q}-{n}", str(n + 1), str(99 - n), "t"]
        for q in range(40)
        for n in range(draw.randint(1, 30))
    ]


QRELS = {f"q{q}": {f"d{q}-0": 1} for q in range(39)}


def written(rows: list[list[str]], seed: int, path: Path) -> list[int]:
    """Write rows with comments and empty lines among them; return the line of each row."""
    draw, lines, places = random.Random(seed), [], []
    for row in rows:
        lines += draw.choices(["", "# a comment", "  "], k=draw.choice([0, 0, 0, 1, 3]))
        lines.append(draw.choice([" ", "\t"]).join(row))
        places.append(len(lines))
    data = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return places


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_runs(fault: str, seed: int, tmp_path: Path) -> None:
    """In the first block or a later one, in the first thread or the second."""
    change, words = FAULTS[fault]
    rows = rows_of(seed)
    at = [0, len(rows) - 1, random.Random(seed).randrange(len(rows))][seed % 3]
    rows[at] = change(rows[at])
    path = tmp_path / ("run.gz" if seed % 4 == 3 else "run.txt")
    line = written(rows, seed, path)[at]
    for read in (
        lambda: rg.Run(path),
        lambda: rg.evaluate(QRELS, path, "AP", threads=1),
        lambda: rg.evaluate(QRELS, path, "AP", threads=2),
    ):
        with pytest.raises(ValueError, match=re.escape(words)) as caught:
            read()
        assert f"{path}, line {line}: " in str(caught.value)


@pytest.mark.parametrize("seed", range(12))
def test_documents_that_come_twice(seed: int, tmp_path: Path) -> None:
    """Side by side or far apart, in a judged query or in one that is not."""
    rows, draw = rows_of(seed), random.Random(seed)
    first = draw.randrange(len(rows)) if seed % 3 else len(rows) - 1  # of q39, which is not judged
    later = draw.randrange(first + 1, len(rows) + 1)
    rows.insert(later, [*rows[first][:4], "0.5", "t"])
    path = tmp_path / "run.txt"
    places = written(rows, seed, path)
    words = f"line {places[later]}: document {rows[first][2]!r} comes twice in query "
    for read in (
        lambda: rg.Run(path),
        lambda: rg.evaluate(QRELS, path, "AP", threads=1),
        lambda: rg.evaluate(QRELS, path, "AP", threads=2),
    ):
        with pytest.raises(ValueError, match=f"{words}'{rows[first][0]}', first on line"):
            read()
