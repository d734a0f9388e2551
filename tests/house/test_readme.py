"""What the documents print runs as it is printed."""

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import rankgain as rg
from places import ROOT
from rankgain import metrics
from rankgain.cli import main

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = sorted((ROOT / "docs").glob("*.md"))
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def fences(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_python_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = fences(README, "python")
    assert len(blocks) == README.count("```python")
    example = doctest.DocTestParser().get_doctest("".join(blocks), {}, "README.md", None, 0)
    assert len(example.examples) > len(blocks)
    assert doctest.DocTestRunner().run(example).failed == 0


def test_examples_of_the_docstrings() -> None:
    names = [module.name for module in pkgutil.walk_packages(rg.__path__, "rankgain.")]
    if find_spec("pyarrow") is None:
        names.remove("rankgain.tables.batches")
    modules = [importlib.import_module(name) for name in names if name != "rankgain._core"]
    results = {module.__name__: doctest.testmod(module) for module in modules}
    assert {name: found.failed for name, found in results.items() if found.failed} == {}
    tried = [results[f"rankgain.metrics.{room}"].attempted for room in ("binary", "graded")]
    assert sum(tried) >= 2 * len(metrics.__all__)


def test_commands_of_the_readme(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    for block in fences(README, "console"):
        command, _, printed = block.partition("\n")
        assert command.startswith("$ rankgain ")
        assert main(shlex.split(command)[2:]) == 0
        assert capsys.readouterr().out == printed


def test_every_public_name_is_described() -> None:
    pages = README + "".join(page.read_text(encoding="utf-8") for page in DOCS)
    assert dir(rg) == sorted(rg.__all__)
    assert [name for name in rg.__all__ if not re.search(rf"\b{name}\b", pages)] == []


def test_readme_calls_only_public_names() -> None:
    called = set(re.findall(r"\brg\.([a-zA-Z_]+)", README))
    assert called - set(rg.__all__) == set()


def test_links_of_the_documents_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


NEW_MEASURE = """
import sys
from importlib.util import find_spec
from pathlib import Path
import rankgain as rg
from rankgain.metrics import graded
from rankgain.names import catalogue
import reference

row, function, oracle = (Path(name).read_text() for name in sys.argv[1:])
exec(row, vars(catalogue))
graded.MEAN_GAIN = catalogue.MEAN_GAIN
exec(function, vars(graded))
exec(oracle, vars(reference))
labels, scores = [3, 0, 2, 1, 0], [0.5, 0.5, 0.5, 0.2, 0.7]
for k in (1, 2, 3, 9):
    wanted = float(reference.mean_gain(labels, scores, k=k))
    assert abs(graded.mean_gain(labels, scores, k=k) - wanted) < 1e-15
    found = rg.evaluate_arrays([labels], [scores], [f"MG@{k}", f"mean_gain(gain=exp2)@{k}"])
    assert abs(found[f"MG@{k}"] - wanted) < 1e-15
"""


def test_added_measure_of_contributing(tmp_path: Path) -> None:
    blocks = fences(CONTRIBUTING, "python")
    assert len(blocks) == 3
    paths = [tmp_path / f"{part}.py" for part in ("row", "function", "oracle")]
    for path, block in zip(paths, blocks, strict=True):
        path.write_text(block, encoding="utf-8")
    subprocess.run(
        [sys.executable, "-c", NEW_MEASURE, *map(str, paths)],
        check=True,
        cwd=ROOT / "tests" / "oracle",
        timeout=60,
    )
