"""The errors that .ci/mutate plants change answers when they are on, and nothing else."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from places import ROOT

SOURCE = '''"""A module."""


def price(number: int, limit: int) -> int:
    """The price of a number of things."""
    if number > limit + 5:
        raise ValueError(f"{number} is too far above {limit}")
    total = number - limit
    if number < limit:
        total += 5
    return max(total, min(number, 3)) + len([number, limit]) + [limit, number][0]
'''
# The answers without the error, then with it; an answer may be an exception.
SCRIPT = """
import planted
from prices import price

for is_on in (0, 1):
    planted.shared[0] = is_on
    answers = []
    for number in range(-2, 7):
        for limit in range(-2, 7):
            try:
                answers.append(price(number, limit))
            except Exception as error:
                answers.append(repr(error))
    print(answers)
"""


@pytest.mark.skipif(sys.platform != "linux", reason=".ci/mutate needs Linux")
def test_an_error_is_off_until_it_is_switched_on(tmp_path: Path) -> None:
    loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / ".ci" / "mutate"))
    spec = importlib.util.spec_from_loader("mutate", loader)
    assert spec is not None
    mutate: Any = importlib.util.module_from_spec(spec)
    loader.exec_module(mutate)
    original, copy = tmp_path / "prices.py", tmp_path / "src" / "prices.py"
    copy.parent.mkdir()
    original.write_text(SOURCE)
    answers = set()
    changing = []
    errors = mutate.python_errors(original)
    for error in errors:
        copy.write_text(SOURCE)
        mutate.plant(copy.parent.parent, [error._replace(path=Path("src/prices.py"))])
        paths = {**os.environ, "PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", SCRIPT]
        off, on = subprocess.check_output(command, env=paths, text=True).splitlines()
        answers.add(off)
        if on != off:
            changing.append(str(error))
    assert original.read_text() == SOURCE
    assert len(answers) == 1
    assert len(changing) > len(errors) / 2
    for change in (
        "number - limit  ->  number + limit",
        "min(number, 3)  ->  max(number, 3)",
        "[limit, number][0]  ->  [limit, number][-1]",
        "f\"{number} is too far above {limit}\"  ->  f'{limit} is too far above {number}'",
        'raise ValueError(f"{number} is too far above {limit}")  ->  pass',
    ):
        assert any(line.endswith(change) for line in changing)
