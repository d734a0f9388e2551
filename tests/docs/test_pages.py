"""Everything that the pages print runs as it is printed; what it needs may be absent."""

import doctest
import json
import re
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from examples_need import imported, skip_without, typed
from places import DOCS, EXAMPLES
from rankgain.cli import main
from rankgain.cli.parser import parse

PAGES = {
    path.relative_to(DOCS).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
    if "made" not in path.parts
}
LANGUAGES = {"python", "py", "console", "sh", "text", "yaml", "latex", "{toctree}"}
NEEDS = {  # beyond what its blocks import
    "coming_from/mllib": ["pyarrow"],
    "gallery/index": ["matplotlib"],
    "guides/comparing": ["scipy", "pandas", "narwhals"],
    "guides/on_duckdb": ["pyarrow"],
    "guides/on_sql": ["sqlglot", "polars", "pandas", "narwhals"],
    "guides/on_ray": ["ray.data", "pyarrow"],
    "guides/on_spark": ["pyarrow"],
    "guides/pictures": ["matplotlib"],
    "guides/scores_from_elsewhere": ["scipy", "pandas", "narwhals"],
}
SLOW = ("coming_from/mllib", "guides/on_ray", "guides/on_spark")  # they start a cluster
NOTEBOOKS = {
    "leaderboard": ["pandas", "narwhals"],
    "learning_to_rank": ["sklearn", "lightgbm"],
    "rag": ["matplotlib"],
    "recommender": ["scipy", "matplotlib"],
    "spark": ["pyspark", "pyarrow"],
    "trec_lab": ["matplotlib"],
}


def require(names: list[str]) -> None:
    skip_without(names)
    if "matplotlib" in names:
        import matplotlib

        matplotlib.use("agg")


def fences(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.MULTILINE | re.DOTALL)


@pytest.fixture
def beside_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the examples, where a page may write."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(page: str) -> None:
    """Run the blocks of a page in one namespace; a block without prompts is a script."""
    blocks = fences(page, "python")
    code = "".join(typed(block) if ">>>" in block else block for block in blocks)
    require([*NEEDS.get(page, []), *imported(code)])
    names: dict[str, Any] = {"__name__": "page"}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for block in blocks:
        if ">>>" in block:
            example = parser.get_doctest(block, names, page, None, 0)
            assert runner.run(example, clear_globs=False).failed == 0
            names = example.globs  # a copy
        else:
            exec(compile(block, page, "exec", dont_inherit=True), names)


def with_python(slow: bool) -> list[str]:
    return [page for page in PAGES if fences(page, "python") and (page in SLOW) is slow]


@pytest.mark.filterwarnings("ignore")  # those of other libraries
@pytest.mark.usefixtures("beside_examples")
@pytest.mark.parametrize("page", with_python(slow=False))
def test_python(page: str) -> None:
    run(page)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("beside_examples")
@pytest.mark.parametrize("page", with_python(slow=True))
def test_python_that_starts_a_cluster(page: str) -> None:
    run(page)


def made_names() -> dict[str, Any]:
    """What stands in snippets: arrays, a model's factors, qrels and a run."""
    rng = np.random.default_rng(0)
    users, items = rng.normal(size=(5, 4)), rng.normal(size=(30, 4))
    return {
        "rg": rg,
        "y_true": np.array([[2, 0, 1], [0, 1, 1]]),
        "y_score": np.array([[0.3, 0.2, 0.1], [0.5, 0.4, 0.1]]),
        "qrels": {"q": {"a": 1, "b": 0}},
        "run": {"q": {"a": 0.5, "b": 0.7}},
        "model": SimpleNamespace(user_factors=users, item_factors=items),
        "test": [[1, 2]] * 5,
        "train": [[3]] * 5,
    }


def test_snippets_of_conventions(capsys: pytest.CaptureFixture[str]) -> None:
    names = made_names()
    for block in fences("reference/conventions", "py"):
        exec(block, names)
    assert "catboost" in capsys.readouterr().out


def test_snippets_of_implicit() -> None:
    pytest.importorskip("scipy")
    from scipy.sparse import csr_matrix

    names = made_names()
    names |= {name: csr_matrix(np.eye(5, 30, k)) for k, name in enumerate(("test", "train"))}
    (block,) = fences("coming_from/implicit", "py")
    assert set(eval(block, names).means) == {"nDCG@10", "AUC"}


def test_snippets_of_devices(capsys: pytest.CaptureFixture[str]) -> None:
    """Arrays of the host in place of those of a device, which have the same values."""
    names = made_names()
    factors, scores = names["model"], names["y_score"]
    names |= {"user_factors": factors.user_factors, "item_factors": factors.item_factors}
    names |= {"labels": names["y_true"], "relevant": names["test"], "seen": None}
    names |= {"users": [0, 1], "model": lambda users: scores[users]}
    (block,) = fences("guides/devices", "py")
    exec(block, names)
    printed = capsys.readouterr().out
    assert "2 queries (convention rankgain)" in printed
    assert "5 users (convention rankgain)" in printed


def test_snippets_of_training() -> None:
    xgboost = pytest.importorskip("xgboost")
    from integrations.ltr import made

    matrices = [xgboost.DMatrix(one.x, one.y, qid=one.qid) for one in (made(1), made(2))]
    names = {"xgboost": xgboost, "params": {"objective": "rank:ndcg"}, "dtrain": matrices[0]}
    (block,) = fences("people/train", "py")
    seen: dict[str, Any] = {}
    block = block.replace("early_stopping_rounds=10", "early_stopping_rounds=3, evals_result=seen")
    exec(block, names | {"dvalid": matrices[1], "seen": seen})
    assert "pre_rankgain_RR@10" in seen["valid"]


def test_snippets_of_warehouses(capsys: pytest.CaptureFixture[str]) -> None:
    """Clients that read the query as their database does, and return what it would."""
    skip_without(["sqlglot", "pyarrow", "narwhals"])
    import pyarrow
    import sqlglot

    names = "query", "doc", "label", "above", "equal", "size", "retrieved"
    rows = [("q", "a", 1.0, 1, 1, 3, True), ("q", "b", 2.0, None, None, 3, False)]
    table = pyarrow.table(dict(zip(names, zip(*rows, strict=True), strict=True)))
    dialects = ["bigquery", "snowflake", "databricks", "databricks", "postgres", "clickhouse"]
    dialects.append("trino")
    blocks = fences("guides/on_sql", "py")
    cursor = SimpleNamespace(description=[(name,) for name in names], fetchall=lambda: rows)
    values: dict[str, Any] = {"rg": rg, "measures": ["nDCG@10", "AP"], "cursor": cursor}
    for dialect, block in zip(dialects, blocks, strict=True):

        def read(text: str, result: Any, dialect: str = dialect) -> Any:
            (one,) = sqlglot.parse(text, dialect=dialect)
            assert one is not None
            assert one.named_selects == list(names)
            return result

        cursor.execute = lambda text, read=read: read(text, cursor)
        arrow = SimpleNamespace(to_arrow=lambda: table, toArrow=lambda: table)
        values["client"] = SimpleNamespace(
            query=lambda text, read=read, arrow=arrow: read(text, arrow),
            query_arrow=lambda text, read=read: read(text, table),
        )
        values["spark"] = SimpleNamespace(sql=values["client"].query)
        values["connection"] = SimpleNamespace(cursor=lambda: cursor, execute=cursor.execute)
        exec(block, values)
        assert "AP        0.2500\n1 query (convention trec)" in capsys.readouterr().out


def test_every_snippet_has_a_test() -> None:
    here = {"guides/data", "guides/on_sql", "reference/conventions", "coming_from/implicit"}
    here |= {"people/train", "guides/devices"}
    others = {page for page in PAGES if fences(page, "py")} - here
    assert all(page.startswith("tools/") for page in others)  # tests/integrations/test_page.py


@pytest.mark.usefixtures("beside_examples")
@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in PAGES[page]])
def test_commands(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = fences(page, "console")
    assert len(blocks) == PAGES[page].count("```console")
    for block in blocks:
        command, _, printed = block.partition("\n")
        assert command.startswith("$ rankgain ")
        if ".csv" in command:
            require(["narwhals"])
        assert main(shlex.split(command)[2:]) == 0
        assert capsys.readouterr().out == printed


def test_commands_without_output_are_ones_that_the_parser_takes() -> None:
    tried = 0
    for page in PAGES:
        for block in [*fences(page, "sh"), *fences(page, "yaml")]:
            joined = re.sub(r">\n", "", re.sub(r"\\?\n {4,}", " ", block))
            for line in re.findall(
                r"^.*?\brankgain ((?:evaluate|compare|table) .*)$", joined, re.M
            ):
                parse(shlex.split(line))
                tried += 1
    assert tried > 2


def test_languages_of_fences() -> None:
    for page, text in PAGES.items():
        opened = re.findall(r"^```(\S*)", text, re.MULTILINE)[::2]
        assert set(opened) <= LANGUAGES, page


def test_every_notebook_has_a_test() -> None:
    assert {path.stem for path in (DOCS / "notebooks").glob("*.ipynb")} == {*NOTEBOOKS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook(name: str, beside_examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require(NOTEBOOKS[name])
    if name == "spark" and not shutil.which("java"):
        pytest.skip("Java is not installed")
    (beside_examples / "docs" / "notebooks").mkdir(parents=True)
    monkeypatch.chdir(beside_examples / "docs" / "notebooks")
    notebook = json.loads((DOCS / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in notebook["cells"]:
        assert not cell.get("outputs")  # they are made in the build
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), name, "exec", dont_inherit=True), names)
