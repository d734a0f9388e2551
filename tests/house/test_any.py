"""Parameters, results and variables have types; `Any` is for objects of other libraries."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankgain

SOURCES = Path(rankgain.__file__).parent
# The counts that are reached. They may fall.
LIMITS = {"is": 125, "has": 302, "result": 230, "variable": 160}


def has_any(annotation: ast.expr) -> bool:
    """Whether an annotation, which may be quoted, has `Any` in it."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    names = {part.id for part in ast.walk(annotation) if isinstance(part, ast.Name)}
    return "Any" in names


def count_any(text: str) -> Iterator[str]:
    """Where `Any` stands: a parameter "is" or "has" it, and a "result" or a "variable" has it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AnnAssign) and has_any(node.annotation):
            yield "variable"
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if node.returns is not None and has_any(node.returns):
            yield "result"
        for argument in ast.walk(node.args):
            if not isinstance(argument, ast.arg) or argument.annotation is None:
                continue
            if has_any(argument.annotation):
                annotation = ast.unparse(argument.annotation).strip("'")
                yield "is" if annotation == "Any" else "has"


def test_few_parameters_results_and_variables_are_any() -> None:
    counts: Counter[str] = Counter()
    for path in SOURCES.rglob("*.py"):
        counts.update(count_any(path.read_text(encoding="utf-8")))
    counts["has"] += counts["is"]
    for kind, limit in LIMITS.items():
        assert counts[kind] <= limit, counts


@pytest.mark.parametrize(("text", "expected"), [
    ("def f(a: Any, *b: Any, c: Any = 1, **d: Any): ...", {"is": 4}),
    ("class A:\n    async def f(self, a: 'Any') -> 'dict[str, Any]': ...", {"is": 1, "result": 1}),
    ("def f(a: list[Any], b: Any | None, c: 'nw.Series[Any]'): ...", {"has": 3}),
    ("def f(a: int, b: typing.Any, c, d: Anything) -> Any: ...", {"result": 1}),
    ("a: Any = 1\nb: int = 2\nclass C:\n    c: dict[str, Any]\nd = Any", {"variable": 2}),
])  # fmt: skip
def test_each_form_of_any_is_counted(text: str, expected: dict[str, int]) -> None:
    assert Counter(count_any(text)) == expected
