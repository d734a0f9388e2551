"""The rooms of the house stand one above the other: no room imports from one above it."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankgain

SOURCES = Path(rankgain.__file__).parent
# From the ground up. What stands in no room may be imported everywhere: the version, `text`.
ROOMS = ["_core", "inputs", "convention", "engine", "trec", "measures", "evaluation", "analysis"]
ROOMS += ["output", "integrations", "cli"]
PUBLIC = rankgain._HOMES  # public name -> the module that `from .. import name` reads
# What methods of results import when they are called, by file: the only imports that lead upwards
# or back. `Evaluation.to_json` is written in `output`, a room that is made of evaluations.
UPWARD = {
    "evaluation/evaluation.py": {"evaluation.evaluations", "output.text.stored"},
    "evaluation/evaluations.py": {"analysis.compare", "output.text.formats", "output.text.stored"},
    "evaluation/sums/accumulator.py": {"output.text.stored_sums"},
    "analysis/comparison.py": {
        "output.report",
        "output.text.comparison",
        "output.text.means_table",
    },
}


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All of a file but what only type checkers read."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        left += ast.iter_child_nodes(node)


@functools.cache
def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, in functions too."""
    return imports(path.relative_to(SOURCES).parts, path.read_text(encoding="utf-8"))


def imports(here: tuple[str, ...], text: str) -> set[str]:
    """The modules that the text of a file at this place imports: by statements and by calls."""
    result = set()
    for node in nodes(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = (alias.name.partition("rankgain.") for alias in node.names)
            result |= {name for nothing, root, name in names if root and not nothing}
        elif isinstance(node, ast.ImportFrom):
            base = _base(here, node.level, node.module or "")
            if base is not None:
                names = (_defined(".".join([*base, alias.name])) for alias in node.names)
                # What is no module stands in its package.
                result |= {name if is_module(name) else ".".join(base) for name in names}
        elif isinstance(node, ast.Call):
            result |= set(_called(here, node))
    return {name for name in result if is_module(name)}


def _base(here: tuple[str, ...], level: int, module: str) -> list[str] | None:
    """Where a name is imported from, within the package; None: from elsewhere."""
    parts = [part for part in module.split(".") if part]
    if level:
        return [*here[: len(here) - level], *parts]
    return parts[1:] if parts[:1] == ["rankgain"] else None


def _defined(name: str) -> str:
    """The module that a name of the package itself comes from: `compare` is in a room."""
    return PUBLIC.get(name, name)


def _called(here: tuple[str, ...], call: ast.Call) -> Iterator[str]:
    """What `import_module("rankgain.report")` imports, where the name stands there in full."""
    function = ast.unparse(call.func).rpartition(".")[2]
    names = [one.value for one in call.args if isinstance(one, ast.Constant)]
    if function not in ("import_module", "__import__") or not names:
        return
    name = str(names[0])
    level = len(name) - len(name.lstrip("."))
    base = _base(here, level, name.lstrip("."))
    if base is not None:
        yield ".".join(base)


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
    upward = UPWARD.get(path.relative_to(SOURCES).as_posix(), set())
    assert {name for name in imported(path) - upward if name.split(".")[0] in above} == set()


def test_every_way_up_is_in_use_and_within_a_method() -> None:
    for file, modules in UPWARD.items():
        text = (SOURCES / file).read_text(encoding="utf-8")
        tree = ast.parse(text)
        assert modules <= imported(SOURCES / file), file
        for one in ast.walk(tree):
            if isinstance(one, ast.ClassDef | ast.Module):
                one.body = [n for n in one.body if not isinstance(n, ast.FunctionDef)] or [
                    ast.Pass()
                ]
        here = Path(file).parts
        assert not modules & imports(here, ast.unparse(tree)), file


def test_no_circle_of_imports() -> None:
    names = {}
    for path in FILES:
        parts = path.relative_to(SOURCES).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        upward = UPWARD.get(path.relative_to(SOURCES).as_posix(), set())
        names[name] = imported(path) - {name} - upward
    left = {name: modules & names.keys() for name, modules in names.items()}
    # A package that hands out what its own files define is above them.
    while left:
        free = [name for name, needs in left.items() if not needs & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for name in free:
            del left[name]


def test_what_is_found_is_what_is_imported() -> None:
    result = imported(SOURCES / "inputs" / "sparse.py")
    assert "inputs.arrays" in result
    assert "_core" in result


@pytest.mark.parametrize("text", [
    "from ..analysis import compare", "from ..analysis.compare import compare",
    "from .. import analysis", "from .. import compare", "from .. import compare as one",
    "def f():\n    from .. import compare", "import rankgain.analysis.compare",
    "import rankgain.analysis.compare as one", "from rankgain import compare",
    "from rankgain.analysis import compare", "import_module('rankgain.analysis.compare')",
    "importlib.import_module('rankgain.analysis')",
    "x = [import_module('..analysis.compare', __package__)]", "__import__('rankgain.analysis')",
    "def f():\n    return import_module('rankgain.analysis').compare(1)",
])  # fmt: skip
def test_every_way_to_import_is_seen(text: str) -> None:
    result = imports(("evaluation", "evaluation.py"), text)
    assert {name.split(".")[0] for name in result} == {"analysis"}


@pytest.mark.parametrize("text", [
    "import numpy.analysis", "import_module('numpy')",
    "if TYPE_CHECKING:\n    from .. import compare",
])  # fmt: skip
def test_what_is_imported_from_elsewhere_is_not(text: str) -> None:
    assert imports(("evaluation", "evaluation.py"), text) == set()
