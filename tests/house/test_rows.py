"""What code asks about a measure is a fact in its row: no code asks for a measure by its name."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankgain

SOURCES = Path(rankgain.__file__).parent
ROOMS = ("engine", "measures", "evaluation")


def questions(text: str) -> Iterator[int]:
    """The lines that compare `function` or `family.name` with text."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Compare):
            continue
        sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
        is_of_measure = any(
            side.split(".")[-1] == "function" or side.endswith("family.name") for side in sides
        )
        has_text = any(
            isinstance(part, ast.Constant) and isinstance(part.value, str)
            for side in (node.left, *node.comparators)
            for part in ast.walk(side)
        )
        if is_of_measure and has_text:
            yield node.lineno


@pytest.mark.parametrize("room", ROOMS)
def test_no_code_asks_for_a_measure_by_its_name(room: str) -> None:
    asked = [
        f"{path.relative_to(SOURCES)}:{line}"
        for path in sorted((SOURCES / room).rglob("*.py"))
        for line in questions(path.read_text(encoding="utf-8"))
    ]
    assert asked == []


@pytest.mark.parametrize(("text", "lines"), [
    ('if settings.function == "rbp": pass', [1]),
    ('\nif function not in ("auc", "gauc"): pass', [2]),
    ('if family.name == "RBP": pass', [1]),
    ("if family.function in known: pass", []),
    ('if settings.ideal == "given": pass', []),
])  # fmt: skip
def test_questions_are_seen(text: str, lines: list[int]) -> None:
    assert list(questions(text)) == lines
