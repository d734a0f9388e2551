"""What the documents print runs as it is printed."""

import doctest
import importlib
import math
import pkgutil
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from examples_need import imported, missing, typed
from places import DOCS, ROOT
from rankgain.cli import main
from rankgain.measures import functions as metrics

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted(path for path in DOCS.rglob("*.md") if "made" not in path.parts)
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
    section = README.split("## Coming from another library\n")[1].split("\n\nLightGBM")[0]
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


def mean_of(measure: str, labels: Any, scores: Any, **options: Any) -> float:
    """The mean of the oracle's values; undefined ones count 0."""
    function = getattr(reference, measure)
    values = [function(*one, **options) or 0 for one in zip(labels, scores, strict=True)]
    return math.fsum(values) / len(values)


def wanted_of_tools() -> dict[str, dict[str, float]]:
    """What those lines find."""
    labels, scores = (tables_of_tools()[name].tolist() for name in ("y_true", "y_score"))
    mean = partial(mean_of, labels=labels, scores=scores)
    ndcg, ap = mean("ndcg", k=10), mean("average_precision")
    # In RecTools' ideal stand k relevant documents, whoever has fewer.
    most = sum(1 / math.log2(rank + 1) for rank in range(1, 11))
    rectools = mean("dcg", k=10, gain="binary") / most
    return {
        "scikit-learn": {"": ndcg},
        "pytrec_eval": {"AP": ap, "nDCG@10": ndcg},
        "ir_measures": {"nDCG@10": ndcg, "AP(rel=2)": mean("average_precision", rel=2)},
        "ranx": {"nDCG@10": ndcg, "AP@100": ap, "RR": mean("reciprocal_rank")},
        "torchmetrics": {"": ndcg},
        "RecTools": {"nDCG@10": rectools, "AP@10": ap},
    }


def means_of(result: Any) -> dict[str, float]:
    """Means of an evaluation, of a dict of lists, or a lone number."""
    if isinstance(result, dict):  # as pytrec_eval returns it
        measures = next(iter(result.values()))
        return {name: sum(one[name] for one in result.values()) / len(result) for name in measures}
    return dict(result.means) if isinstance(result, rg.Evaluation) else {"": float(result)}


@pytest.mark.parametrize("tool", [tool for tool in rows_of_tools() if tool != "trec_eval"])
def test_the_line_for_users_of_another_tool(tool: str) -> None:
    result = means_of(eval(rows_of_tools()[tool], tables_of_tools()))
    expected = wanted_of_tools()[tool]
    assert result.keys() == expected.keys()
    assert result == pytest.approx({name: float(one) for name, one in expected.items()})


def rows_of(name: str) -> list[list[str]]:
    text = (ROOT / "examples" / name).read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines()]


def test_the_line_for_users_of_trec_eval(capsys: pytest.CaptureFixture[str]) -> None:
    line = rows_of_tools()["trec_eval"]
    files = {"QRELS": "qrels.txt", "RUN": "run-a.txt"}
    words = [str(ROOT / "examples" / files[w]) if w in files else w for w in line.split()]
    assert main(words[1:]) == 0
    qrels: dict[str, dict[str, int]] = {}
    for query, _, document, label in rows_of("qrels.txt"):
        qrels.setdefault(query, {})[document] = int(label)
    rows = sorted(rows_of("run-a.txt"), key=lambda row: (float(row[4]), row[2]), reverse=True)
    sums = {"ndcg": 0.0, "average_precision": 0.0}
    for query, judged in qrels.items():
        labels = [judged.get(row[2], 0) for row in rows if row[0] == query]
        for name, options in {"ndcg": {"k": 10}, "average_precision": {}}.items():
            value = getattr(reference, name)(labels, judged=list(judged.values()), **options)
            sums[name] += float(value or 0)
    ap, ndcg = (sums[name] / len(qrels) for name in ("average_precision", "ndcg"))
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert printed == [["map", "all", f"{ap:.4f}"], ["ndcg_cut_10", "all", f"{ndcg:.4f}"]]


def test_adapters_of_the_readme() -> None:
    """tests/integrations trains with such metrics, beside the boosters' own."""
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    names: dict[str, Any] = {}
    exec(fences(README, "py")[0], names)
    assert names["feval"].names == ["rankgain nDCG@10"]
    assert names["custom_metric"].name == "ndcg_rankgain@10"


def test_the_pictures_of_the_readme_are_there() -> None:
    for theme in ("light", "dark"):
        assert f"docs/speed-{theme}.svg" in README
        assert (ROOT / "docs" / f"speed-{theme}.svg").is_file()


def module_with_host(name: str) -> Any:
    """A module of the package; None: an adapter without its host, or the compiled core."""
    if name == "rankgain._core":
        return None
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if not str(error).startswith("this adapter needs"):
            raise
        return None


def test_examples_of_the_docstrings() -> None:
    names = [module.name for module in pkgutil.walk_packages(rg.__path__, "rankgain.")]
    finder, results = doctest.DocTestFinder(), {}
    for module in filter(None, map(module_with_host, names)):
        results[module.__name__] = runner = doctest.DocTestRunner()
        for test in finder.find(module):
            if not missing(imported(typed(test.docstring))):
                runner.run(test)
    assert {name: result.failures for name, result in results.items() if result.failures} == {}
    assert results["rankgain.measures.functions"].tries >= 2 * len(metrics.__all__)


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
    pages = README + "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert dir(rg) == sorted(rg.__all__)
    assert [name for name in rg.__all__ if not re.search(rf"\b{name}\b", pages)] == []


def test_readme_calls_only_public_names() -> None:
    called = set(re.findall(r"\brg\.([a-zA-Z_]+)", README))
    assert called - set(rg.__all__) == set()


def test_pages_install_from_the_index() -> None:
    """A clone is for the README, the first page, CONTRIBUTING and the benchmarks only."""
    for page in PAGES:
        allowed = {"rankgain"} | ({"."} if page.stem in ("benchmarks", "index") else set())
        installed = re.findall(r"pip install [\"']?([.\w]+)", page.read_text(encoding="utf-8"))
        assert set(installed) <= allowed, page.name
    text = README
    for heading in ("Run it", "Test it"):
        text = text.replace(re.findall(rf"## {heading}\n.*?```sh\n(.*?)```", README, re.S)[0], "")
    assert set(re.findall(r"pip install [\"']?([.\w]+)", text)) == {"rankgain"}


NEW_MEASURE = """
import sys
from importlib.util import find_spec
from pathlib import Path
import rankgain as rg
from rankgain.measures import functions
from rankgain.measures import families
import reference

row, function, oracle = (Path(name).read_text() for name in sys.argv[1:])
families.register(eval(row, vars(families)))
exec("from __future__ import annotations\\n" + function, vars(functions))
exec(oracle, vars(reference))
labels, scores = [3, 0, 2, 1, 0], [0.5, 0.5, 0.5, 0.2, 0.7]
for k in (1, 2, 3, 9):
    wanted = float(reference.mean_gain(labels, scores, k=k))
    assert abs(functions.mean_gain(labels, scores, k=k) - wanted) < 1e-15
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
