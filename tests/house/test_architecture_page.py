"""docs/development/architecture.md shows the house as it is."""

import re
import subprocess
import sys

import pytest

from places import DOCS, ROOT

PAGE = (DOCS / "development" / "architecture.md").read_text(encoding="utf-8")


def test_the_rooms_are_drawn_from_the_imports() -> None:
    command = [sys.executable, str(DOCS / "draw_rooms.py"), "--check"]
    assert subprocess.run(command).returncode == 0, "run docs/draw_rooms.py"


def keys_of(name: str) -> set[str]:
    """The words of a table of the core's plan.pyx."""
    plan = (ROOT / "src/rankgain/_core/ranking/plan.pyx").read_text(encoding="utf-8")
    return set(re.findall(r'"(\w+)":', plan.split(f"\n{name} = {{")[1].split("\n}")[0]))


def first_cells(heading: str) -> list[str]:
    """The words in backquotes in the first column of the table under a heading."""
    rows = PAGE.split(f"\n| {heading} |")[1].split("\n\n")[0].splitlines()[2:]
    return [word for row in rows for word in re.findall(r"`(\w+)`", row.split(" | ")[0])]


@pytest.mark.parametrize(("heading", "table"), [("shape", "SHAPES"), ("finish", "FINISHES")])
def test_each_shape_and_finish_of_the_core_has_a_row(heading: str, table: str) -> None:
    assert len(keys_of(table)) > 20
    assert sorted(first_cells(heading)) == sorted(keys_of(table))


def test_the_places_of_a_new_walk_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("touches up to thirteen places:\n\n")[1].split("\n\n")[0]
    rows = table.splitlines()[2:]
    assert len(rows) == 13
    core = ROOT / "src/rankgain/_core/ranking"
    for cell in (row.split(" | ")[0] for row in rows if "`" in row.split(" | ")[0]):
        file, *names = re.findall(r"`([\w./]+)`", cell)
        places = [core / file, ROOT / "src/rankgain" / file, ROOT / file]
        sources = [place.read_text(encoding="utf-8") for place in places if place.is_file()]
        assert len(sources) == 1, file
        assert all(re.search(rf"\b{name}\b", sources[0]) for name in names), cell


def test_the_files_that_it_names_exist() -> None:
    sources = ROOT / "src" / "rankgain"
    core = [path for path in (sources / "_core").rglob("*") if path.is_dir()]
    places = [sources, sources / "_core", *core]
    named = set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.(?:py|pyx|pxd|pyi|h))`", PAGE))
    places.append(ROOT)
    gone = {name for name in named if not any((place / name).is_file() for place in places)}
    assert gone == set()
    assert len(named) > 50
