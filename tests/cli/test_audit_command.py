"""`rankgain audit`: the function by its name, and a status for scripts."""

import sys
from pathlib import Path

import pytest

from rankgain.cli import main

RIGHT = """
def precision(retrieved, relevant, k):
    return len(set(retrieved[:k]) & set(relevant)) / k

class Kind:
    @staticmethod
    def wrong(retrieved, relevant, k):
        return len(set(retrieved) & set(relevant)) / k
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "audited_metrics.py").write_text(RIGHT)
    monkeypatch.chdir(tmp_path)


OPTIONS = ["--form", "ids", "-m", "P", "-k", "4"]


def test_a_right_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "audited_metrics:precision", *OPTIONS]) == 0
    assert capsys.readouterr().out.startswith("precision as P@4: no errors\n")


def test_a_wrong_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "audited_metrics:Kind.wrong", *OPTIONS]) == 5
    assert capsys.readouterr().out.startswith("Kind.wrong as P@4: 2 errors\n\ncutoff ignored: ")


@pytest.mark.parametrize("word", ["none", "None"])
def test_no_cutoff(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "rankgain:average_precision", "-m", "AP", "-k", word]) == 0
    assert capsys.readouterr().out.startswith("average_precision as AP: no errors\n")


@pytest.mark.parametrize(("arguments", "status", "words"), [
    (["audited_metrics"], 1, "a function is named MODULE:FUNCTION, not 'audited_metrics'"),
    ([":precision"], 1, "a function is named MODULE:FUNCTION, not ':precision'"),
    (["no_such:f:g"], 1, "cannot import no_such: No module named 'no_such'"),
    (["audited_metrics:f:g"], 1,
     "audited_metrics:f:g: module 'audited_metrics' has no attribute 'f:g'"),
    (["audited_metrics:precision", "-k", "0"], 1, "-k must be a number from 1, or none, not '0'"),
    (["audited_metrics:precision", "-k", "+1"], 1, "-k must be a number from 1, or none, not '+1'"),
    (["audited_metrics:precision", "-m", "nGCD"], 1, "measure 'nGCD': unknown name 'nGCD'. Known"),
    (["audited_metrics:Kind"], 2, "function gives no number for a list of three documents: TypeE"),
])  # fmt: skip
def test_what_is_refused(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *arguments]) == status
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith(f"rankgain: {words}")


@pytest.mark.parametrize("category", [UserWarning, DeprecationWarning, RuntimeWarning])
def test_warnings_of_the_module_are_shown(category: type[Warning], tmp_path: Path) -> None:
    text = f"import warnings\nwarnings.warn('of the module', {category.__name__}, stacklevel=1)\n"
    (tmp_path / "warning_metrics.py").write_text(text + RIGHT)
    sys.modules.pop("warning_metrics", None)
    with pytest.warns(category, match="of the module"):
        assert main(["audit", "warning_metrics:precision", *OPTIONS]) == 0
