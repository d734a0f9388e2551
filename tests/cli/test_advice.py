"""Errors of the command line name options of the command line."""

import pytest

from places import ROOT
from rankgain.cli import main

QRELS, RUN = (str(ROOT / "examples" / name) for name in ("qrels.txt", "run-a.txt"))


@pytest.mark.parametrize(
    ("given", "example"), [("0.8", "nDCG@10=0.8"), (".25", "nDCG@10=.25"), ("AP", "AP=0.3")]
)
def test_fail_under_shows_what_is_missing(capsys, given, example):
    assert main(["evaluate", QRELS, RUN, "-m", "AP", "--fail-under", given]) == 1
    assert f"expected NAME=VALUE, such as {example}\n" in capsys.readouterr().err


@pytest.mark.parametrize("side", ["qrels", "run"])
def test_a_repeated_document_names_the_option(capsys, tmp_path, side):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q 0 a 1\n" + "q 0 a 2\n" * (side == "qrels"))
    run.write_text("q 0 a 1 0.5 t\n" * (2 if side == "run" else 1))
    assert main(["evaluate", str(qrels), str(run), "-m", "AP"]) == 2
    error = capsys.readouterr().err
    assert "--duplicates first" in error
    assert "rankgain.Run" not in error
    assert "rankgain.Qrels" not in error
    assert main(["evaluate", str(qrels), str(run), "-m", "AP", "--duplicates", "first"]) == 0


def test_the_letter_of_trec_eval_names_the_option(capsys):
    assert main(["evaluate", QRELS, RUN, "-m", "AP", "-q"]) == 1
    error = capsys.readouterr().err
    assert "unrecognized arguments: -q; values of each query are --per-query" in error
    assert main(["evaluate", QRELS, RUN, "-m", "AP", "--zzz"]) == 1
    assert "--per-query" not in capsys.readouterr().err
