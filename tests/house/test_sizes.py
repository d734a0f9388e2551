"""Functions that fit on a page, docstrings aside, and folders that are seen at a glance."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankgain

SOURCES = Path(rankgain.__file__).parent
LINES = 40
ENTRIES = 12
LONGER = {"evaluate_batches"}  # half of it are its arguments
FOLDERS = [one for one in sorted(SOURCES.rglob("*")) if one.is_dir() and one.name != "__pycache__"]


def entries(folder: Path) -> set[str]:
    """What a reader tells apart: a header and the declarations of the same name are one."""
    names = {path.stem for path in folder.iterdir() if path.suffix in (".py", ".pyx", ".pxd", ".h")}
    names |= {path.name for path in folder.iterdir() if path.is_dir()}
    return names - {"__init__", "__pycache__"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(SOURCES)))
def test_folders_are_seen_at_a_glance(folder: Path) -> None:
    assert len(entries(folder)) <= ENTRIES


def too_long(text: str, lines: int = LINES) -> Iterator[str]:
    """The names of functions with more lines, signatures counted and docstrings not."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            doc = 0 if ast.get_docstring(node) is None else first.end_lineno - first.lineno + 1
            if node.end_lineno - node.lineno + 1 - doc > lines:
                yield node.name


@pytest.mark.parametrize(
    "path", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES))
)
def test_functions_fit_on_a_page(path: Path) -> None:
    assert set(too_long(path.read_text(encoding="utf-8"))) <= LONGER


def test_docstrings_are_not_counted() -> None:
    text = 'def short():\n    """A\n\n    B.\n    """\n    a = 1\n    return a\n'
    assert list(too_long(text, 3)) == []
    assert list(too_long(text, 2)) == ["short"]
