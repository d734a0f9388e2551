"""Which packages an example needs, read from its own imports, so that a test skips without them."""

import ast
import doctest
import importlib.util
import sys
from collections.abc import Iterable

import pytest

EVERYWHERE = {*sys.stdlib_module_names, "numpy", "rankgain"}
FRAMES = {"pandas", "polars"}  # they are read through narwhals


def typed(text: str) -> str:
    """The code after the prompts of a text; all else is prose and output."""
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def imported(code: str) -> list[str]:
    """The modules beyond the standard library, numpy and rankgain that code imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif (
            isinstance(node, ast.Attribute) and node.attr == "sql" and ast.unparse(node) == "rg.sql"
        ):
            names.add("sqlglot")  # which it imports itself
    needed = {name for name in names if name.split(".")[0] not in EVERYWHERE}
    return sorted(needed | ({"narwhals"} if needed & FRAMES else set()))


def missing(names: Iterable[str]) -> list[str]:
    """Those of the modules that are not installed."""
    absent = []
    for name in names:
        try:
            there = importlib.util.find_spec(name) is not None
        except ImportError:
            there = False
        if not there:
            absent.append(name)
    return absent


def skip_without(names: Iterable[str]) -> None:
    for name in missing(names):
        pytest.skip(f"{name} is not installed")
