"""Type checkers pass a file of right calls and find each wrong one."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT

TYPES = ROOT / "tests" / "types"
FILES = [TYPES / "right.py", TYPES / "wrong.py"]


def command(checker: str, folder: Path) -> list[str]:
    if checker == "mypy":
        pytest.importorskip("mypy")
        options = ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={folder}"]
        return [sys.executable, "-m", "mypy", *options, *map(str, FILES)]
    if not (result := shutil.which("pyright")):
        pytest.skip("pyright is not installed")
    for file in FILES:
        shutil.copy(file, folder)
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11"}
    settings |= {"extraPaths": [str(ROOT / "src")]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    return [result, "--pythonpath", sys.executable, "-p", str(folder)]


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_right_calls_pass_and_wrong_ones_are_found(checker: str, tmp_path: Path) -> None:
    done = subprocess.run(
        command(checker, tmp_path), capture_output=True, text=True, cwd=ROOT / "src"
    )
    result: dict[str, set[int]] = {file.name: set() for file in FILES}
    for name, line in re.findall(r"(\w+\.py):(\d+)(?::\d+)?(?: -|:) error", done.stdout):
        result[name].add(int(line))
    lines = FILES[1].read_text(encoding="utf-8").splitlines()
    planted = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert len(planted) >= 12
    assert result == {"right.py": set(), "wrong.py": planted}, done.stdout + done.stderr
