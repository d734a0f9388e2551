"""The rooms of the house stand one above the other: no room imports from one above it."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankgain

SOURCES = Path(rankgain.__file__).parent
# From the ground up. What stands in no room may be imported everywhere: the version.
ROOMS = ["_core", "convention", "names", "lists", "engine", "records", "results", "evaluation"]
ROOMS += ["metrics", "analysis", "trec_eval", "partial", "tables", "spark", "plot", "report"]
ROOMS += ["integrations", "cli"]


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All of a file but what only type checkers read."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        left += (one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr))


@functools.cache
def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, in functions too."""
    here = path.relative_to(SOURCES).parts
    found = set()
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*here[: len(here) - node.level], *(node.module or "").split(".")]
            base = [part for part in base if part]
            names = [base if node.module else [*base, alias.name] for alias in node.names]
            # A name that is no module stands in its package.
            found |= {".".join(name) for name in names}
            found |= {".".join([*base, alias.name]) for alias in node.names}
    return {name for name in found if is_module(name)}


def is_module(name: str) -> bool:
    path = SOURCES.joinpath(*name.split("."))
    return bool(name) and (path.with_suffix(".py").is_file() or (path / "__init__.py").is_file())


FILES = sorted(SOURCES.rglob("*.py"))


def test_every_room_has_its_place() -> None:
    rooms = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert rooms == set(ROOMS)
    assert all((SOURCES / room / "__init__.py").read_text().startswith('"""') for room in ROOMS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_no_room_imports_from_one_above(path: Path) -> None:
    room = path.relative_to(SOURCES).parts[0]
    if room not in ROOMS:
        return
    above = ROOMS[ROOMS.index(room) + 1 :]
    assert {name for name in imported(path) if name.split(".")[0] in above} == set()


def test_no_circle_of_imports() -> None:
    names = {}
    for path in FILES:
        parts = path.relative_to(SOURCES).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        names[name] = imported(path) - {name}
    left = {name: modules & names.keys() for name, modules in names.items()}
    # A package that hands out what its own files define is above them.
    while left:
        free = [name for name, needs in left.items() if not needs & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for name in free:
            del left[name]


def test_what_is_found_is_what_is_imported() -> None:
    found = imported(SOURCES / "lists" / "forms" / "sparse.py")
    assert "lists.forms.arrays" in found
    assert "_core" in found
