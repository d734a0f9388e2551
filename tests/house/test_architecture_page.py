"""docs/development/architecture.md shows the house as it is."""

import re
import subprocess
import sys

from places import DOCS, ROOT

PAGE = (DOCS / "development" / "architecture.md").read_text(encoding="utf-8")


def test_the_rooms_are_drawn_from_the_imports() -> None:
    command = [sys.executable, str(DOCS / "draw_rooms.py"), "--check"]
    assert subprocess.run(command).returncode == 0, "run docs/draw_rooms.py"


CORE = ROOT / "src/rankgain/_core/ranking"


def keys_of(name: str) -> set[str]:
    """The words of an enum of the core."""
    types = (CORE / "types.pxd").read_text(encoding="utf-8")
    body = types.split(f"cdef inline dict words_of_{name}():")[1].split("}")[0]
    return set(re.findall(r'"(\w+)":', body))


def first_cells(heading: str) -> list[str]:
    """The words in backquotes in the first column of the table under a heading."""
    rows = PAGE.split(f"\n| {heading} |")[1].split("\n\n")[0].splitlines()[2:]
    return [word for row in rows for word in re.findall(r"`(\w+)`", row.split(" | ")[0])]


def test_each_finish_of_the_core_has_a_row() -> None:
    assert len(keys_of("finishes")) > 20
    assert sorted(first_cells("finish")) == sorted(keys_of("finishes"))


def test_each_shape_of_the_core_has_a_row_or_a_walk_that_says_what_it_adds() -> None:
    rows, words = first_cells("shape"), keys_of("shapes")
    assert len(words) > 20
    assert len(set(rows)) == len(rows)
    assert set(rows) <= words
    walks = (CORE / "values/shapes.pxd").read_text(encoding="utf-8")
    for word in words - set(rows):
        assert re.search(rf'void walk_{word}\([^\n]*\n    """\w', walks), word


def test_the_files_of_a_new_walk_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("walk of its own touches six files:\n\n")[1].split("\n\n")[0]
    rows = table.splitlines()[2:]
    assert len(rows) == 6
    for row in rows:
        file, what = re.findall(r"`([\w./]+)`", row)[0], row.split(" | ")[1]
        places = [ROOT / "src/rankgain" / file, ROOT / file]
        [source] = [place.read_text(encoding="utf-8") for place in places if place.is_file()]
        for name in re.findall(r"`(\w+)[`=]", what):
            assert re.search(rf"\b{name}\b", source), (file, name)


def test_the_files_that_it_names_exist() -> None:
    sources = ROOT / "src" / "rankgain"
    core = [path for path in (sources / "_core").rglob("*") if path.is_dir()]
    places = [sources, sources / "_core", *core]
    named = set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.(?:py|pyx|pxd|pyi|h))`", PAGE))
    places.append(ROOT)
    gone = {name for name in named if not any((place / name).is_file() for place in places)}
    assert gone == set()
    assert len(named) > 50
