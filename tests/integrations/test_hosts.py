"""What all adapters have in common: hosts that are absent, examples, size."""

import doctest
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT

FOLDER = ROOT / "src" / "rankgain" / "integrations"
CLUSTERS = {"dask", "ray"}  # imported by a call
ADAPTERS = sorted({path.stem for path in FOLDER.glob("*.py")} - {"__init__", "hosts", *CLUSTERS})
pytestmark = pytest.mark.filterwarnings("default")


def run(code: str) -> str:
    command = [sys.executable, "-W", "ignore", "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_a_host_that_is_absent_is_an_import_error_that_names_the_extra() -> None:
    """The extra has the name of the adapter, and the project has that extra."""
    code = f"""
import importlib, json, sys
found = {{}}
for name in {ADAPTERS!r}:
    for host in (name, "torchmetrics"):
        sys.modules[host] = None
    try:
        importlib.import_module("rankgain.integrations." + name)
    except ImportError as error:
        found[name] = str(error)
print(json.dumps(found))
"""
    result = json.loads(run(code))
    assert result.keys() == {*ADAPTERS} - {"mteb", "pytrec_eval"}  # which need none
    for name, words in result.items():
        assert words.startswith(f"this adapter needs {name}, which is not installed: pip install")
        assert words.endswith(f'"rankgain[{name.replace("_", "-")}]"')
    extras = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in result:
        assert re.search(rf"^{name.replace('_', '-')} = \[", extras, re.MULTILINE)


def test_a_host_that_lacks_something_itself_says_so(tmp_path: Path) -> None:
    (tmp_path / "xgboost.py").write_text("import something_else")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import rankgain.integrations.xgboost"
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "ModuleNotFoundError: No module named 'something_else'" in done.stderr


def test_importing_the_package_of_adapters_imports_no_host() -> None:
    code = (
        "import sys, rankgain.integrations; "
        "print([name for name in sys.modules if name.startswith('rankgain.integrations.')])"
    )
    assert run(code).strip() == "[]"


@pytest.mark.parametrize("name", ADAPTERS)
def test_adapters_are_thin(name: str) -> None:
    # One retrieves, and has two classes; the states of another meet those of other processes; the
    # third takes what trec_eval alone has from its program.
    most = {"sentence_transformers": 250, "torch": 200, "pytrec_eval": 200}.get(name, 170)
    assert len((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= most


@pytest.mark.parametrize("name", [name for name in ADAPTERS if name != "ir_measures"])
def test_examples(name: str) -> None:
    """ir_measures' adapter has none: importing it changes the host."""
    try:
        module = importlib.import_module(f"rankgain.integrations.{name}")
    except ImportError as error:
        pytest.skip(str(error))
    result = doctest.testmod(module)
    assert result.failed == 0
