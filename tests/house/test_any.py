"""Parameters have types of the package; `Any` is for objects of other libraries."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankgain

SOURCES = Path(rankgain.__file__).parent
# The counts that are reached. They may fall.
LIMITS = {"is": 133, "has": 302}


def any_parameters(text: str) -> Iterator[tuple[str, str]]:
    """For each parameter with `Any` in its annotation: "is" or "has" it, and function.parameter."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for one in ast.walk(node.args):
            if not isinstance(one, ast.arg) or one.annotation is None:
                continue
            annotation = one.annotation
            if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
                annotation = ast.parse(annotation.value, mode="eval").body
            names = {part.id for part in ast.walk(annotation) if isinstance(part, ast.Name)}
            if "Any" in names:
                kind = "is" if isinstance(annotation, ast.Name) else "has"
                yield kind, f"{node.name}.{one.arg}"


def test_few_parameters_are_any() -> None:
    counts = {"is": 0, "has": 0}
    for path in SOURCES.rglob("*.py"):
        for kind, _ in any_parameters(path.read_text(encoding="utf-8")):
            counts[kind] += 1
    counts["has"] += counts["is"]
    assert counts["is"] <= LIMITS["is"], counts
    assert counts["has"] <= LIMITS["has"], counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(a: Any, *b: Any, c: Any = 1, **d: Any): ...", {"is": 4}),
        ("class A:\n    async def f(self, a: 'Any') -> Any: ...", {"is": 1}),
        ("def f(a: list[Any], b: Any | None, c: 'nw.Series[Any]'): ...", {"has": 3}),
        ("def f(a: int, b: typing.Any, c, d: Anything) -> Any: ...", {}),
    ],
)
def test_each_form_of_any_is_counted(text: str, expected: dict[str, int]) -> None:
    kinds = [kind for kind, _ in any_parameters(text)]
    assert {kind: kinds.count(kind) for kind in kinds} == expected
