"""Faults that are planted at a known row of a file are named with its line, wherever it stands."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from rankgain.cli import main

# A fault of a row: what becomes of the fields query, Q0, document, rank, score, tag; and the words.
FAULTS: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "score": (lambda row: [*row[:4], "x", row[5]], "not a number in place of a score"),
    "nan": (lambda row: [*row[:4], "nan", row[5]], "NaN in place of a score"),
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


def test_a_query_without_judgments_in_both_halves(tmp_path: Path) -> None:
    """Its document that comes twice is noticed, though each half has it once."""
    rows = [
        ["u", "Q0", "x", "1", "2", "t"],
        *([f"q{q}", "Q0", f"d{q}-{n}", str(n), str(-n), "t"] for q in range(39) for n in range(4)),
        ["u", "Q0", "x", "2", "1", "t"],
    ]
    path = tmp_path / "run.txt"
    places = written(rows, 1, path)
    for threads in (1, 2):
        with pytest.raises(ValueError, match=f"line {places[-1]}: document 'x' comes twice"):
            rg.evaluate(QRELS, path, "AP", threads=threads)
    rows[-1][2] = "y"
    written(rows, 1, path)
    one, two = (rg.evaluate(QRELS, path, "AP", threads=threads) for threads in (1, 2))
    assert one == two
    assert one.counts["unjudged"] == 1


@pytest.mark.parametrize("seed", range(8))
def test_faults_of_qrels(seed: int, tmp_path: Path) -> None:
    faults = {
        "high": "not a number in place of a label",
        "inf": "a label must be finite",
        "": "too few fields",
        "1 2": "too many fields: 5",
    }
    rows, draw = [[*row[:3], "1"] for row in rows_of(seed)], random.Random(seed)
    at = draw.randrange(len(rows))
    fault = [*faults][seed % 4]
    rows[at] = [*rows[at][:3], *fault.split()]
    path = tmp_path / "qrels.txt"
    line = written(rows, seed, path)[at]
    with pytest.raises(ValueError, match=f"line {line}: {faults[fault]}"):
        rg.Qrels(path)


@pytest.mark.parametrize("order", ["abba", "baab", "bbaa", "aabb"])
def test_trec_eval_names_the_least_document_judged_twice(
    order: str, tmp_path: Path, capfd: Any
) -> None:
    """As the C program, which sorts the judgments by id."""
    (tmp_path / "qrels").write_text("".join(f"q 0 {one} 1\n" for one in order))
    (tmp_path / "run").write_text("q Q0 a 1 1 t\n")
    assert main(["trec_eval", "-m", "map", str(tmp_path / "qrels"), str(tmp_path / "run")]) == 4
    assert "trec_eval.form_res_rels: duplicate docs a" in capfd.readouterr().err
