"""docs/reference/conventions.md is what its script writes."""

import subprocess
import sys

from places import DOCS

SIX = ["0.9854", "0.8675", "0.8069", "0.6913", "0.6834", "0.6138"]


def test_the_page_is_up_to_date() -> None:
    command = [sys.executable, str(DOCS / "make_conventions.py"), "--check"]
    assert subprocess.run(command).returncode == 0, "run docs/make_conventions.py"


def test_one_tied_list_has_six_values() -> None:
    page = (DOCS / "reference" / "conventions.md").read_text(encoding="utf-8")
    part = page.split("## One list with equal scores, six values")[1].split("##")[0]
    values = [line.split("|")[1].strip() for line in part.splitlines() if line.startswith("| 0")]
    assert values == SIX
