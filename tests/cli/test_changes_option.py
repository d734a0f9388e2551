"""`rankgain compare --changes`: the queries that changed most, below the comparison."""

import pytest

from places import ROOT
from rankgain.cli import main

QRELS = str(ROOT / "examples" / "qrels.txt")
RUN_A, RUN_B = (str(ROOT / "examples" / f"run-{name}.txt") for name in "ab")

QRELS_TEXT = "q1 0 a 1\nq2 0 a 1\nq3 0 a 1\nq|4 0 a 1\n"
RANKS = {"x": (1, 1, 2, 1), "y": (2, 1, 1, 4), "z": (1, 1, 2, 1)}  # of document a in each query


@pytest.fixture
def files(tmp_path):
    """A small collection in which each run has document `a` at a known rank."""
    (tmp_path / "qrels").write_text(QRELS_TEXT)
    paths = []
    for name, ranks in RANKS.items():
        lines = []
        for query, rank in zip(("q1", "q2", "q3", "q|4"), ranks, strict=True):
            documents = [f"d{at}" for at in range(1, 5)]
            documents[rank - 1] = "a"
            lines += [f"{query} 0 {one} 0 {9 - at} t" for at, one in enumerate(documents)]
        (tmp_path / name).write_text("\n".join(lines))
        paths.append(str(tmp_path / name))
    return [str(tmp_path / "qrels"), *paths]


def test_markdown_escapes_ids(capsys, files):
    command = ["compare", *files[:3], "-m", "RR", "--format", "markdown", "--changes", "1"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-5:] == [
        "RR: the largest changes between x and y",
        "",
        "| query | x | y | a - b |",
        "| --- | ---: | ---: | ---: |",
        r"| q\|4 | 1.0000 | 0.2500 | +0.7500 |",
    ]


@pytest.mark.parametrize(("options", "message"), [
    (["--changes", "0"], "--changes: changes must be a whole number of at least 1, not 0"),
    (["--changes", "1", "--format", "json"], "--changes is printed as table or markdown"),
    (["--changes", "1", "--output", "x.tex"], "--changes is printed as table or markdown"),
])  # fmt: skip
def test_what_is_refused(capsys, options, message):
    assert main(["compare", QRELS, RUN_A, RUN_B, "-m", "AP", *options]) == 1
    assert message in capsys.readouterr().err


def test_more_than_two_runs_need_a_baseline(capsys, files):
    assert main(["compare", *files, "-m", "RR", "--changes", "1"]) == 1
    assert "--changes needs two runs, or --baseline NAME" in capsys.readouterr().err
