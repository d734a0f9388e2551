"""Files are written beside their path and renamed: whole, or as they were before."""

import os
import re
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain
import rankgain as rg
from rankgain.cli import main

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
RUNS = {name: {"q1": {"a": 1.0, "b": b}, "q2": {"c": 1.0}} for name, b in (("x", 0.5), ("y", 2.0))}
EVALUATIONS = rg.evaluate_runs(QRELS, RUNS, ["AP", "RR"])
ONE = EVALUATIONS["x"]
COMPARED = rg.compare(EVALUATIONS, resamples=100)


def by_command(path: Path) -> None:
    folder = path.parent / "inputs"
    folder.mkdir()
    rg.Qrels(QRELS).write(folder / "qrels")
    rg.Run(RUNS["x"]).write(folder / "run")
    arguments = [str(folder / "qrels"), str(folder / "run"), "-m", "AP", "--output", str(path)]
    assert main(["evaluate", *arguments]) == 0


WRITERS: dict[str, Callable[[Any], Any]] = {
    "Evaluation.to_json": ONE.to_json, "Evaluation.to_csv": ONE.to_csv,
    "Evaluations.to_json": EVALUATIONS.to_json, "Evaluations.to_csv": EVALUATIONS.to_csv,
    "Evaluations.to_latex": EVALUATIONS.to_latex,
    "Evaluations.to_markdown": EVALUATIONS.to_markdown, "Comparison.to_json": COMPARED.to_json,
    "Comparison.to_csv": COMPARED.to_csv, "Comparison.to_markdown": COMPARED.to_markdown,
    "Comparison.to_latex": COMPARED.to_latex, "Comparison.report": COMPARED.report,
    "Qrels.write": rg.Qrels(QRELS).write, "Run.write": rg.Run(RUNS["x"]).write,
    "rankgain evaluate --output": by_command,
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_a_failed_rename_leaves_the_file_as_it_was(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.endswith(".report"):
        pytest.importorskip("jinja2")
    path = tmp_path / ("result.html" if name.endswith(".report") else "result.txt")
    path.write_text("before")

    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises((OSError, AssertionError)):  # the command says so, and returns a status
        WRITERS[name](path)
    assert path.read_text() == "before"
    assert not list(tmp_path.glob(".*"))
    monkeypatch.undo()
    if name.startswith("rankgain"):
        return
    WRITERS[name](path)
    assert path.read_text() != "before"
    assert not list(tmp_path.glob(".*"))


def test_what_cannot_be_encoded_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("before")
    with pytest.raises(ValueError, match="cannot be written to a TREC file"):
        rg.Qrels({"q1": {"a": 1, "b b": 1}}).write(path)
    assert path.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["qrels"]


@pytest.mark.skipif(os.name != "posix", reason="of POSIX")
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "result.json", tmp_path / "link.json"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    ONE.to_json(link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert rg.Evaluation.read(path) == ONE
    new = tmp_path / "new.json"
    ONE.to_json(new)
    (tmp_path / "plain").write_text("")
    assert new.stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="of POSIX")
def test_pipes_are_written_where_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    ONE.to_json(pipe)
    reader.join(10)
    assert read == [ONE.to_json()]
    assert pipe.is_fifo()


def test_errors_name_the_path(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "result.json"
    with pytest.raises(FileNotFoundError, match=re.escape(str(path))):
        ONE.to_json(path)


def test_nothing_else_in_the_package_writes_a_file() -> None:
    writes = re.compile(r"""open\([^)]*["'][waxr]b?\+?["']|write_text|write_bytes|savefig""")
    sources = Path(rankgain.__file__).parent.rglob("*.py")
    lines = (
        (path.name, line.strip())
        for path in sources
        for line in path.read_text(encoding="utf-8").splitlines()
        if writes.search(line) and '"rb"' not in line
    )
    assert {name for name, _ in lines} == {"files.py"}
