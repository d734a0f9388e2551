"""What is answered but hardly meant is said once, at the caller's line: rows, labels, query ids."""

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import ROOT
from rankgain.cli import main
from trec_files import write_trec


def caught(call: Any) -> tuple[Any, list[str]]:
    """The result of a call, and the texts of its warnings, which all are ours and of this file."""
    with warnings.catch_warnings(record=True) as actual:
        warnings.simplefilter("always")
        result = call()
    assert all(one.category is rg.RankgainWarning for one in actual)
    assert {one.filename for one in actual} <= {__file__}
    return result, [str(one.message) for one in actual]


# ---- rows that are shorter than a cutoff

TEN = np.arange(30).reshape(3, 10)
RELEVANT = [[3], [11, 12], [500]]


def test_a_cutoff_beyond_the_columns_names_both_numbers() -> None:
    names = ["R@20", "nDCG@10", "HitRate@15"]
    result, said = caught(lambda: rg.evaluate_ids(TEN, RELEVANT, names))
    assert result.means["R@20"] == pytest.approx(2 / 3)
    assert len(said) == 1
    assert re.search(r"\b10 columns\b.* R@20, HitRate@15 .*\b20 items\b", said[0])
    assert "nDCG@10" not in said[0]
    said = caught(lambda: rg.evaluate_ids(TEN, RELEVANT, "P@11"))[1]
    assert len(said) == 1


def test_neither_are_a_convention_of_its_own_nor_rows_of_all_items() -> None:
    result, said = caught(lambda: rg.evaluate_ids(TEN, RELEVANT, "nDCG", convention="xgboost"))
    assert list(result.means) == ["nDCG@32"]
    assert said == []
    sparse = pytest.importorskip("scipy.sparse")
    labels = sparse.csr_matrix(np.eye(4, 10, k=2))
    every = np.tile(np.arange(10), (4, 1))
    assert caught(lambda: rg.evaluate_ids(every, labels, "R@20"))[1] == []
    said = caught(lambda: rg.evaluate_ids(every[:, :9], labels, "R@20"))[1]
    assert len(said) == 1


# ---- labels of which none is relevant


# ---- query ids that do not meet

QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
OTHERS = {str(i): {"a": 1.0, "b": 2.0} for i in range(3)}


# ---- documents that do not meet


def test_one_line_of_standard_error_on_the_command_line(capsys: Any, tmp_path: Path) -> None:
    files = write_trec(tmp_path, QRELS, OTHERS)
    with open(tmp_path / "other", "w") as file:
        rg.Run({"x": {"a": 1.0}}).write(file)
    assert main(["evaluate", *files, str(tmp_path / "other"), "-m", "AP", "-m", "RR(ties=id)"]) == 0
    printed = capsys.readouterr()
    lines = printed.err.splitlines()
    assert len(lines) == 2
    for name, line in zip((files[1], str(tmp_path / "other")), lines, strict=True):
        run = Path(name).name
        start = f"rankgain: warning: run {run!r}: no judged query is in the run {name}; "
        assert line.startswith(start)
    assert "warning" not in printed.out
    assert main(["reconcile", *files, "trec", "trec_eval-9", "-m", "AP"]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("users", [1, 2, 3, 4, 5, 7])
def test_half_of_the_users_are_enough(users: int) -> None:
    relevant = {f"u{i}": ["a"] for i in range(users)}
    for common in range(users + 1):
        retrieved = {f"{'u' if i < common else 'x'}{i}": ["a"] for i in range(users)}
        said = caught(lambda r=retrieved: rg.evaluate_ids(r, relevant, "RR"))[1]
        assert any("query ids match" in one for one in said) == (2 * common < users)


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
