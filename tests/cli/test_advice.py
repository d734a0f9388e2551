"""Errors of the command line name options of the command line."""

from places import ROOT
from rankgain.cli import main

QRELS, RUN = (str(ROOT / "examples" / name) for name in ("qrels.txt", "run-a.txt"))


def test_the_letter_of_trec_eval_names_the_option(capsys):
    assert main(["evaluate", QRELS, RUN, "-m", "AP", "-q"]) == 1
    error = capsys.readouterr().err
    assert "unrecognized arguments: -q; values of each query are --per-query" in error
    assert main(["evaluate", QRELS, RUN, "-m", "AP", "--zzz"]) == 1
    assert "--per-query" not in capsys.readouterr().err
