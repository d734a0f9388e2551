"""Memory does not grow over many calls; `growth.py 1000000` measures a million of each."""

import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rankgain as rg

PROGRAM = Path(__file__).with_name("growth.py")


@pytest.fixture(scope="module")
def growth() -> ModuleType:
    pytest.importorskip("pyarrow")
    spec = importlib.util.spec_from_file_location("growth", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore")
def test_every_public_function_has_a_call(growth: ModuleType) -> None:
    names = set(growth.CALLS)
    public = {name for name in rg.__all__ if inspect.isfunction(getattr(rg, name))}
    assert public - {"sql"} <= names  # its memory is that of sqlglot
    for call in growth.CALLS.values():
        call()
    for call in growth.REFUSED.values():
        growth.refused(call)()


LEAK = """
import growth
rows = []
print(growth.growth(lambda: rows.append(bytearray(b"a") * 100_000), 1000) > growth.LIMIT)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_leak_is_seen() -> None:
    """In a process of its own: memory that earlier tests freed would hide the leak."""
    pytest.importorskip("pyarrow")
    done = subprocess.run(
        [sys.executable, "-c", LEAK], cwd=PROGRAM.parent, capture_output=True, text=True
    )
    assert done.stdout == "True\n", done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_does_not_grow() -> None:
    pytest.importorskip("pyarrow")
    done = subprocess.run([sys.executable, str(PROGRAM), "1000"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
