"""Type checkers pass a file of right calls and find each wrong one."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT

TYPES = ROOT / "tests" / "types"


def command(checker: str, file: Path, folder: Path) -> list[str]:
    if checker == "mypy":
        pytest.importorskip("mypy")
        cache = f"--cache-dir={folder}"
        return [sys.executable, "-m", "mypy", "--strict", "--config-file=", cache, str(file)]
    if not (found := shutil.which("pyright")):
        pytest.skip("pyright is not installed")
    settings = folder / "pyrightconfig.json"
    settings.write_text(
        f'{{"typeCheckingMode": "strict", "include": ["{file}"], "reportUnusedExpression": false,'
        f'"extraPaths": ["{ROOT / "src"}"]}}'
    )
    return [found, "--pythonpath", sys.executable, "-p", str(settings)]


def errors(checker: str, name: str, folder: Path) -> set[int]:
    """The lines of a file in which a checker finds an error; what it says elsewhere is not asked."""
    if importlib.util.find_spec("numpy") is None:
        pytest.skip("numpy has no types here")
    done = subprocess.run(
        command(checker, TYPES / name, folder), capture_output=True, text=True, cwd=ROOT / "src"
    )
    assert "internal error" not in done.stderr.lower()
    found = re.findall(rf"{name}:(\d+)(?::\d+)?(?: -|:) error", done.stdout)
    assert found or "rror" in done.stdout or "Success" in done.stdout, done.stdout + done.stderr
    return set(map(int, found))


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_right_calls_pass(checker: str, tmp_path: Path) -> None:
    assert errors(checker, "right.py", tmp_path) == set()


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_wrong_calls_are_found(checker: str, tmp_path: Path) -> None:
    lines = (TYPES / "wrong.py").read_text(encoding="utf-8").splitlines()
    planted = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert len(planted) >= 12
    assert errors(checker, "wrong.py", tmp_path) == planted
