"""Every allocation of the core fails once, every start of a thread, and the address space ends.

Each is a MemoryError or an OSError, or has no effect on the answer: no crash, no hang, no leak.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CALLS = 13
# Memory comes from the system at once and goes back there, so that a limit is met.
FROM_SYSTEM = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "0"}
FROM_SYSTEM |= {"MALLOC_MMAP_THRESHOLD_": "512", "MALLOC_MMAP_MAX_": "60000"}

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and mallinfo2 are of glibc"),
    pytest.mark.skipif("san" in os.environ.get("LD_PRELOAD", ""), reason="it has its own malloc"),
]


def run(*arguments: str, preload: Path | None = None, **environment: str) -> list[tuple[str, int]]:
    """What the program says of each call, and the first number there."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(HERE / "calls.py"), *arguments],
        env=os.environ | environment | ({"LD_PRELOAD": str(preload)} if preload else {}),
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    lines = [line.rsplit(": ", 1) for line in done.stdout.splitlines()]
    assert len(lines) == CALLS - (arguments[0] == "space")
    return [(words, int(name.split()[0])) for words, name in lines]


@pytest.fixture(scope="module")
def allocator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    library = tmp_path_factory.mktemp("faults") / "alloc.so"
    subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-o", library, HERE / "alloc.c"], check=True
    )
    probe = "import ctypes; ctypes.CDLL(None).mallinfo2; ctypes.CDLL(None).fail_memory"
    environment = os.environ | {"LD_PRELOAD": str(library)}
    if subprocess.run(
        [sys.executable, "-c", probe], env=environment, capture_output=True
    ).returncode:
        pytest.skip("needs glibc 2.33 or newer")
    return library


def test_every_allocation_of_the_core_fails(allocator: Path) -> None:
    faults = dict(run("memory", "rankgain/_core", preload=allocator))
    assert all(count > 0 for count in faults.values()), faults
    assert sum(faults.values()) > 150


def test_every_start_of_a_thread_fails(allocator: Path) -> None:
    faults = dict(run("threads", preload=allocator))
    assert sum(count > 0 for count in faults.values()) >= 2, faults


@pytest.mark.slow
def test_the_address_space_ends() -> None:
    refused = dict(run("space", **FROM_SYSTEM))
    # A call that finds enough memory which an earlier one left is refused nothing.
    assert sum(count > 0 for count in refused.values()) >= CALLS - 3, refused
