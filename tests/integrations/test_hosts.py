"""What all adapters have in common: hosts that are absent, examples, size."""

import doctest
import functools
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import ROOT
from rankgain.integrations.hosts import setting_text

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
    found = f"import sys; sys.path.insert(0, {str(tmp_path)!r})"
    code = f"{found}; import rankgain.integrations.xgboost"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "ModuleNotFoundError: No module named 'something_else'" in done.stderr


def test_texts_of_settings_are_the_same_in_every_process() -> None:
    """No address, no hash seed and no protocol of pickles is in them."""
    code = """
import functools, math
import numpy as np
import rankgain as rg
from rankgain.integrations.hosts import setting_text
def scaled(factor):
    def gain(label):
        return gain(label - 1) if label > 9 else factor * label
    return gain
class Gain:
    __slots__ = ("factor",)
    def __init__(self, factor):
        self.factor = factor
    def __call__(self, label):
        return self.factor * label
for value in (
    lambda label: {"a", "b", label}, scaled(2), functools.partial(pow, 2), Gain(3),
    Gain(3).__call__, math.exp, np.log2, np.float64(0.5), np.arange(3),
    {1: 2.0, 0: None}, {"x", "y", "z"},
    rg.parse_measure("nDCG(gain=exp2)@10"), rg.conventions["sklearn"], object(),
):
    print(setting_text(value))
"""
    texts = [run(code) for _ in range(2)]
    assert texts[0] == texts[1]
    assert " at 0x" not in texts[0]


def _scaled(factor: float, step: float = 1) -> Any:
    return lambda label: factor * label + step * 0


def test_texts_of_settings_that_differ() -> None:
    values: list[Any] = [lambda x: x, lambda x: 2 * x, lambda x: 3 * x, lambda x, y=1: x]
    values += [_scaled(1), _scaled(2), _scaled(1, 2), _scaled]
    values += [functools.partial(_scaled, 1), functools.partial(_scaled, 2)]
    values += [1, 1.5, True, "1", b"1", None, [1], {1: 1}, {1: 2}, np.arange(2), np.arange(2.0)]
    values += [rg.parse_measure("AP"), rg.parse_measure("AP@5"), *rg.conventions.values()]
    texts = [setting_text(value) for value in values]
    assert len(set(texts)) == len(texts)
    assert setting_text({"a": 1, "b": 2}) == setting_text({"b": 2, "a": 1})
    assert setting_text(np.float64(1.5)) == setting_text(1.5)


def test_importing_the_package_of_adapters_imports_no_host() -> None:
    code = (
        "import sys, rankgain.integrations; "
        "print([name for name in sys.modules if name.startswith('rankgain.integrations.')])"
    )
    assert run(code).strip() == "[]"


@pytest.mark.parametrize("name", ADAPTERS)
def test_adapters_are_thin(name: str) -> None:
    # One retrieves, and has two classes; the states of another meet those of other processes; the
    # third takes what trec_eval alone has from its program, the fourth reads labels for subtopics;
    # the fifth is given pools with their groups.
    limits = {"sentence_transformers": 250, "torch": 210, "pytrec_eval": 220, "ir_measures": 240}
    limits["catboost"] = 200
    most = limits.get(name, 170)
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
