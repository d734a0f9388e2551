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
from typing import Any

import numpy as np
import pytest

import chart
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


def rows_of_tools() -> dict[str, str]:
    """The line for the users of each tool."""
    section = README.split("## You use X: here is your line\n")[1].split("\n\nLightGBM")[0]
    cells = [line.strip("| ").split(" | ") for line in section.strip().splitlines()[2:]]
    return {tool: re.findall(r"`(.*?)`", line)[0] for tool, line in cells}


def tables_of_tools() -> dict[str, Any]:
    """What stands in those lines: arrays, dicts and frames of the same two queries."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    y_true, y_score = np.array([[2, 0, 1], [0, 1, 1]]), np.array([[0.3, 0.2, 0.1], [0.5, 0.4, 0.1]])
    qrels = {f"q{q}": dict(zip("abc", row, strict=True)) for q, row in enumerate(y_true.tolist())}
    run = {f"q{q}": dict(zip("abc", row, strict=True)) for q, row in enumerate(y_score.tolist())}
    rows = [(q, d) for q in qrels for d in "abc"]
    frame = pandas.DataFrame(rows, columns=["user_id", "item_id"])
    return {
        "rg": rg,
        "y_true": y_true,
        "y_score": y_score,
        "qrels": qrels,
        "run": run,
        "target": y_true.ravel(),
        "preds": y_score.ravel(),
        "indexes": np.repeat([0, 1], 3),
        "test": frame.assign(weight=y_true.ravel())[y_true.ravel() > 0],
        "reco": frame.assign(rank=[1, 2, 3] * 2),
    }


@pytest.mark.parametrize("tool", rows_of_tools())
def test_the_line_for_users_of_another_tool(tool: str) -> None:
    line = rows_of_tools()[tool]
    if line.startswith("rankgain "):
        files = {"QRELS": "qrels.txt", "RUN": "run-a.txt"}
        words = [str(ROOT / "examples" / files[w]) if w in files else w for w in line.split()]
        assert main(words[1:]) == 0
        return
    found = eval(line, tables_of_tools())
    values = found if isinstance(found, (float, dict)) else getattr(found, "means", found)
    assert values


@pytest.mark.parametrize("tool", ["lightgbm", "xgboost"])
def test_metrics_for_boosters(tool: str) -> None:
    library = pytest.importorskip(tool)
    names: dict[str, Any] = {}
    exec("\n".join(line for line in fences(README, "py")[0].splitlines() if tool in line), names)
    metric = names[f"{tool}_metric"]("nDCG@10")
    rng = np.random.default_rng(0)
    features, labels, sizes = rng.random((60, 4)), rng.integers(0, 3, 60), [20, 25, 15]
    wanted = None
    seen: dict[str, Any] = {}
    if tool == "lightgbm":
        data = library.Dataset(features, labels, group=sizes)
        model = library.train(
            {"objective": "lambdarank", "verbose": -1, "min_data_in_leaf": 5},
            *(data, 3),
            valid_sets=[data],
            feval=metric,
            callbacks=[library.record_evaluation(seen)],
        )
        found = seen["training"]["rankgain nDCG@10"][-1]
        wanted = rg.ndcg(labels, model.predict(features), k=10, group=sizes).mean()
    else:
        data = library.DMatrix(features, labels)
        data.set_group(sizes)
        model = library.train(
            {"objective": "rank:ndcg"},
            *(data, 3),
            evals=[(data, "train")],
            custom_metric=metric,
            evals_result=seen,
            verbose_eval=False,
        )
        found = seen["train"]["ndcg_rankgain@10"][-1]
        wanted = rg.ndcg(labels, model.predict(data), k=10, group=sizes).mean()
    assert found == pytest.approx(wanted, rel=1e-6)


def test_the_picture_is_drawn_from_the_page_of_benchmarks(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert {"rankgain", "scikit-learn"} <= chart.measured(
        page, "10,000 lists of 1,000, nDCG@10"
    ).keys()
    for theme in chart.INKS:
        drawn = (ROOT / "docs" / f"speed-{theme}.svg").read_text(encoding="utf-8")
        assert drawn == chart.speed(page, theme)
        assert f"docs/speed-{theme}.svg" in README


def test_the_picture_shows_the_path_that_most_processors_have() -> None:
    one = "**A**\n\n| side | per call | per list |\n| --- | --- | --- |\n| us | 2 s | 2 ms |\n\n"
    two = "**B**\n\n| side | w | x | y | z |\n|-|-|-|-|-|\n| us | 1 s | 1 ms | 2 s | 3 ms |"
    assert chart.measured(one + two, "A") == {"us": 0.002}
    assert chart.measured(one + two, "B") == {"us": 0.003}


@pytest.mark.parametrize("page", ["forms", "data", "comparing"])
def test_python_of_the_pages(page: str) -> None:
    for library in ("pandas", "narwhals", "scipy"):
        pytest.importorskip(library)
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(
        "".join(fences(text, "python")), {}, page, None, 0
    )
    assert len(fences(text, "python")) == text.count("```python")
    assert len(example.examples) > 3
    assert doctest.DocTestRunner().run(example).failed == 0


def test_examples_of_the_docstrings() -> None:
    names = [module.name for module in pkgutil.walk_packages(rg.__path__, "rankgain.")]
    if find_spec("pyarrow") is None:
        names.remove("rankgain.tables.batches")
    # The adapters import their hosts; tests/integrations tries the examples of those there are.
    names = [name for name in names if not name.startswith("rankgain.integrations.")]
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
        for target in re.findall(r"[^\"]\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
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
catalogue.register(eval(row, vars(catalogue)))
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
