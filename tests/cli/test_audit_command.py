"""`rankgain audit`: the function by its name, and a status for scripts."""

import sys
from pathlib import Path

import pytest

from rankgain.cli import main

RIGHT = """
def precision(retrieved, relevant, k):
    return len(set(retrieved[:k]) & set(relevant)) / k
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "audited_metrics.py").write_text(RIGHT)
    monkeypatch.chdir(tmp_path)


OPTIONS = ["--form", "ids", "-m", "P", "-k", "4"]


def test_a_name_that_the_module_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "audited_metrics:f:g"]) == 1
    words = "audited_metrics:f:g: module 'audited_metrics' has no attribute 'f:g'"
    assert capsys.readouterr() == ("", f"rankgain: {words}\n")


@pytest.mark.parametrize("category", [UserWarning, DeprecationWarning, RuntimeWarning])
def test_warnings_of_the_module_are_shown(category: type[Warning], tmp_path: Path) -> None:
    text = f"import warnings\nwarnings.warn('of the module', {category.__name__}, stacklevel=1)\n"
    (tmp_path / "warning_metrics.py").write_text(text + RIGHT)
    sys.modules.pop("warning_metrics", None)
    with pytest.warns(category, match="of the module"):
        assert main(["audit", "warning_metrics:precision", *OPTIONS]) == 0
