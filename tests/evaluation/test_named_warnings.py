"""Warnings of several runs or models name the run; those about all of them name none."""

import warnings
from collections.abc import Callable

import pytest

import rankgain as rg
from places import ROOT
from rankgain.cli import main

pytest.importorskip("narwhals")


def messages(call: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert {one.category for one in caught} <= {rg.RankgainWarning}
    assert all(one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


def test_ids_of_systems() -> None:
    truth = {"u1": [1], "u2": [2]}
    systems = {"good": {"u1": [1], "u2": [2]}, "bad": {"u8": [1], "u9": [2]}}
    [text] = messages(lambda: rg.evaluate_ids(systems, truth, "RR"))
    assert text.startswith("run 'bad': no user of relevant is in retrieved")


def test_the_command_line_names_one_of_several(capsys, tmp_path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("x 0 d 1 1 t\n")
    qrels, run = (str(ROOT / "examples" / name) for name in ("qrels.txt", "run-a.txt"))
    assert main(["evaluate", qrels, run, str(bad), "-m", "AP"]) == 0
    assert "run 'bad.txt': no judged query is in the run" in capsys.readouterr().err
    assert main(["evaluate", qrels, str(bad), "-m", "AP"]) == 0
    error = capsys.readouterr().err
    assert "no judged query is in the run" in error
    assert "run 'bad.txt'" not in error
