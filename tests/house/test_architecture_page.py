"""docs/development/architecture.md shows the house as it is."""

import re
import subprocess
import sys

from places import DOCS, ROOT

PAGE = (DOCS / "development" / "architecture.md").read_text(encoding="utf-8")


def test_the_rooms_are_drawn_from_the_imports() -> None:
    command = [sys.executable, str(DOCS / "draw_rooms.py"), "--check"]
    assert subprocess.run(command).returncode == 0, "run docs/draw_rooms.py"


def test_the_files_that_it_names_exist() -> None:
    sources = ROOT / "src" / "rankgain"
    core = [path for path in (sources / "_core").rglob("*") if path.is_dir()]
    places = [sources, sources / "_core", *core]
    named = set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.(?:py|pyx|pxd|pyi|h))`", PAGE))
    places.append(ROOT)
    gone = {name for name in named if not any((place / name).is_file() for place in places)}
    assert gone == set()
    assert len(named) > 50
