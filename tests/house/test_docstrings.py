"""The examples in public docstrings run and hold, and their sections have headings."""

import ast
import inspect
import re
from collections.abc import Iterator

import pytest

import rankgain as rg
from places import ROOT

PUBLIC = sorted(
    name for name in dir(rg) if not name.startswith("_") and callable(getattr(rg, name))
)


def docstrings() -> Iterator[tuple[str, str]]:
    """Every docstring in the source, and those of public functions as Python shows them."""
    package = ROOT / "src" / "rankgain"
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, kinds) and ast.get_docstring(node):
                name = getattr(node, "name", "the module")
                yield f"{path.relative_to(package)}: {name}", ast.get_docstring(node) or ""
    for name in PUBLIC:
        yield f"rankgain.{name}", inspect.getdoc(getattr(rg, name)) or ""


def text_without_heading(doc: str) -> list[str]:
    """Prose and code in a section of items, which numpydoc would show as more items."""
    found = []
    for section in re.split(r"\n(?=\w[^\n]*\n-{4,}\n)", doc):
        title, _, body = section.partition("\n")
        if title not in ("Parameters", "Returns", "Yields", "Raises", "Warns", "Attributes"):
            continue
        _, _, items = body.partition("\n")
        found += [match[1] for match in re.finditer(r"\n[ ]*\n(\S[^\n]*)", items)]
        lines = [line for line in items.splitlines() if line and not line.startswith(" ")]
        if title in ("Returns", "Yields"):
            found += lines[1:]
    return found


def test_prose_and_examples_after_the_result_have_a_heading() -> None:
    found = {name: text_without_heading(doc) for name, doc in docstrings()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "tail", ["\n\nNaN scores are errors.", "\n\n>>> f()\n1.0", "\nor an array"]
)
def test_text_without_a_heading_is_found(tail: str) -> None:
    doc = "Compute it.\n\nReturns\n-------\nfloat\n    In [0, 1]."
    assert text_without_heading(doc) == []
    assert text_without_heading(doc + "\n\nNotes\n-----\nNaN scores are errors.") == []
    assert text_without_heading(doc + tail)
