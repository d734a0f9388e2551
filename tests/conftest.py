"""Property tests draw the same examples in every run and keep no database; blocks are small.

`--hypothesis-profile=nightly --hypothesis-seed=N` draws new examples, the same ones for each N.
"""

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import settings

import sizes

sizes.set_low()
# Boosters and torch: threads that wait for each other take all cores from the other workers.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Most property tests run once per measure, so that a few examples of each make many.
settings.register_profile(
    "rankgain", deadline=None, derandomize=True, database=None, max_examples=40
)
settings.register_profile(
    "nightly", deadline=None, derandomize=False, database=None, max_examples=200, print_blob=True
)
settings.load_profile("rankgain")


def pytest_report_header(config: pytest.Config) -> str | None:
    """The seed of the examples, so that a failure can be drawn again."""
    seed = config.getoption("hypothesis_seed")
    return None if seed is None else f"hypothesis seed: {seed}"


ABSENT = re.compile(r"could not import '(\w+)|(\S+) is not installed|needs ([^',]+)")


@pytest.hookimpl(wrapper=True, tryfirst=True)  # so that the line follows the list of skipped tests
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Print the libraries and files for want of which something was not tested."""
    yield
    wanting = set()
    for report in terminalreporter.stats.get("skipped", ()):
        if found := ABSENT.search(str(report.longrepr)):
            library, tool, need = found.groups()
            wanting.add(library or tool or need)
    if wanting:
        names = ", ".join(sorted(wanting, key=str.casefold))
        terminalreporter.write_line(f"not tested, as these are not here: {names}")


@pytest.fixture(autouse=True)
def _usual_sizes_where_slow(request: pytest.FixtureRequest) -> Iterator[None]:
    """Simulations and large cases would take hours with small blocks."""
    if request.node.get_closest_marker("slow") is None:
        yield
        return
    with sizes.usual_sizes():
        yield


class Terminal(io.StringIO):
    """Output that somebody watches."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Terminal]:
    """A function that makes standard output, or another stream, a terminal with colours."""

    def opened(stream: str = "stdout") -> Terminal:
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setattr(sys, stream, screen := Terminal())
        return screen

    return opened


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """A function that makes bytes, or a file, standard input."""

    def read_from(source: Any) -> None:
        is_bytes = isinstance(source, bytes)
        stream = io.TextIOWrapper(io.BytesIO(source)) if is_bytes else source
        monkeypatch.setattr(sys, "stdin", stream)

    return read_from


@pytest.fixture
def hide(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function after which the package finds some libraries no longer."""

    def hide_all(*libraries: str) -> None:
        def find(name: str, package: str | None = None) -> Any:
            return None if name in libraries else find_spec(name, package)

        for name, module in list(sys.modules.items()):
            if name == "importlib.util" or (
                name.startswith("rankgain") and "find_spec" in vars(module)
            ):
                monkeypatch.setattr(module, "find_spec", find)

    return hide_all
