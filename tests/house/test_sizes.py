"""Functions that fit on a page, docstrings aside, and files that are read in one go."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import rankgain

SOURCES = Path(rankgain.__file__).parent
FUNCTION, FILE = 80, 700  # lines; guides: clarity counts more
SUFFIXES = (".py", ".pyx", ".pxd", ".h")
FILES = sorted(path for path in SOURCES.rglob("*") if path.suffix in SUFFIXES)
LONGER: dict[str, set[str]] = {}


def place(path: Path) -> str:
    return path.relative_to(SOURCES).as_posix()


@pytest.mark.parametrize("path", FILES, ids=place)
def test_files_are_read_in_one_go(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= FILE


def too_long(text: str, lines: int = FUNCTION) -> Iterator[str]:
    """The names of functions with more lines, signatures counted and docstrings not."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            doc = 0 if ast.get_docstring(node) is None else first.end_lineno - first.lineno + 1
            if node.end_lineno - node.lineno + 1 - doc > lines:
                yield node.name


HEAD = re.compile(r"(?:cdef|cpdef|def) (?!class|extern|enum|struct).*?(\w+)\(", re.ASCII)


def too_long_in_core(text: str, lines: int = FUNCTION) -> Iterator[str]:
    """The same of the functions of Cython: what stands between two lines that are not indented."""
    rows = [row for row in text.splitlines() if not row.startswith((")", "#"))]
    starts = [at for at, row in enumerate(rows) if row[:1].strip()]
    for start, stop in pairwise([*starts, len(rows)]):
        body = "\n".join(rows[start:stop]).rstrip()
        head = HEAD.match(body)
        if head and body.count("\n") + 1 > lines:
            yield head[1]


@pytest.mark.parametrize("path", [one for one in FILES if one.suffix != ".h"], ids=place)
def test_functions_fit_on_a_page(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    result = too_long(text) if path.suffix == ".py" else too_long_in_core(text)
    assert set(result) == LONGER.get(place(path), set())


def test_docstrings_are_not_counted() -> None:
    text = 'def short():\n    """A\n\n    B.\n    """\n    a = 1\n    return a\n'
    assert list(too_long(text, 3)) == []
    assert list(too_long(text, 2)) == ["short"]


def test_functions_of_the_core_are_measured() -> None:
    head = "cdef int one(int a,\n             int b) except -1:\n"
    text = f"{head}    a = 1\n\n    return a\n\n\ncdef int two(\n    int a,\n):\n    pass\n"
    assert list(too_long_in_core(text, 5)) == []
    assert list(too_long_in_core(text, 4)) == ["one"]
    assert list(too_long_in_core(text, 2)) == ["one", "two"]
