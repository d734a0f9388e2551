"""Python in a process of its own, on a path of the core that this machine may not have."""

import functools
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest


@functools.lru_cache
def path_that_runs(requested: str) -> str:
    """The path that the core takes when this one is asked for: a narrower one where it must."""
    return output_on(requested, ["-c", "from rankgain import _core; print(_core.SIMD)"]).strip()


def output_on(path: str, arguments: Sequence[str]) -> str:
    """What Python prints with these arguments; an error where it fails."""
    command = [sys.executable, *arguments]
    environment = {**os.environ, "RANKGAIN_SIMD": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def skip_without(path: str) -> None:
    """Skip a test where this machine has no such instructions."""
    runs = path_that_runs(path)
    if runs != path:
        pytest.skip(f"this machine has no {path}: its core runs {runs}")
