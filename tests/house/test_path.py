"""A call does not travel farther than the architecture page says, with a tenth of room."""

import re
import subprocess
import sys

import pytest

from places import ROOT

ROOM = 1.1
COUNTS = re.compile(r"\| (`.*?) \| (\d+) \| (\d+) \| (\d+) \|")


def counts_of(text: str) -> dict[str, list[int]]:
    """Functions, files and changes of file by the call, of the rows that are ours."""
    return {name: list(map(int, rest)) for name, *rest in COUNTS.findall(text)}


def test_no_call_travels_farther() -> None:
    pytest.importorskip("pandas")
    page = (ROOT / "docs/development/architecture.md").read_text(encoding="utf-8")
    allowed = counts_of(page.split("<!-- path:start -->")[1].split("<!-- path:end -->")[0])
    # By itself, as other tests leave caches behind and may trace.
    command = [sys.executable, str(ROOT / "benchmarks/path.py")]
    travelled = counts_of(
        subprocess.run(command, check=True, capture_output=True, text=True).stdout
    )
    assert travelled.keys() == allowed.keys()
    assert len(travelled) == 7
    farther = {
        name: (counts, allowed[name])
        for name, counts in travelled.items()
        if any(now > ROOM * then for now, then in zip(counts, allowed[name], strict=True))
    }
    assert farther == {}
