"""Tables that are many files, or a data set: the bits of one frame with their rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.cli import main

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.dataset")


MEASURES = ["nDCG@5", "AP", "RR"]
NAMES: dict[str, Any] = {"query": "user", "label": "label", "score": "score"}


def table_of(seed: int, count: int = 240) -> Any:
    rng = np.random.default_rng(seed)
    return pandas.DataFrame(
        {
            "system": [("a", "b")[one] for one in rng.integers(0, 2, count)],
            "user": [f"00{one}" for one in rng.integers(0, 12, count)],
            "label": rng.integers(0, 3, count),
            "score": rng.integers(0, 9, count) / 4,
        }
    )


def write(frame: Any, folder: Path, kind: str, parts: int = 3) -> list[Path]:
    """The rows in files of unequal length, beside files that are no tables."""
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    (folder / ".part-0.crc").write_bytes(b"\0")
    (folder / "notes.md").write_text("of the job")
    cuts = sorted(np.random.default_rng(parts).integers(0, len(frame) + 1, parts - 1).tolist())
    paths = []
    for at, (start, stop) in enumerate(zip([0, *cuts], [*cuts, len(frame)], strict=True)):
        paths.append(folder / f"part-{at}{kind}")
        part = frame[start:stop]
        if kind == ".parquet":
            part.to_parquet(paths[-1])
        elif kind == ".jsonl":
            part.to_json(paths[-1], orient="records", lines=True)
        else:
            part.to_csv(paths[-1], index=False, sep="\t" if "tsv" in kind else ",")
    return paths


KINDS = [".parquet", ".csv", ".tsv.gz", ".jsonl"]
FORMS: dict[str, Callable[[list[Path]], Any]] = {
    "list": lambda paths: paths,
    "tuple of text": lambda paths: tuple(map(str, paths)),
    "folder": lambda paths: paths[0].parent,
    "pattern": lambda paths: str(paths[0].parent / "part-*"),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", list(FORMS))
def test_many_files_are_one_table(form: str, kind: str, seed: int, tmp_path: Path) -> None:
    frame = table_of(seed)
    source = FORMS[form](write(frame, tmp_path / "t", kind, 2 + seed))
    assert rg.evaluate_frame(source, MEASURES, query="user", run=None) == rg.evaluate_frame(
        frame, MEASURES, query="user", run=None
    )
    assert rg.evaluate_frame(source, MEASURES, query="user", run="system") == rg.evaluate_frame(
        frame, MEASURES, query="user", run="system"
    )
    bounded = rg.evaluate_frame(
        source, "AP", query="user", run=None, bounds="ties", ties="random", seed=1
    )
    assert bounded == rg.evaluate_frame(
        frame, "AP", query="user", run=None, bounds="ties", ties="random", seed=1
    )


@pytest.mark.parametrize("kind", KINDS)
def test_streams_of_many_files(kind: str, tmp_path: Path) -> None:
    frame = table_of(5).sort_values("user", kind="stable", ignore_index=True)
    paths = write(frame, tmp_path / "t", kind)
    expected = rg.evaluate_frame(frame, MEASURES, query="user", run=None)
    names = NAMES | {"run": None}
    for form in FORMS.values():
        source = form(paths)
        assert rg.evaluate_batches(source, MEASURES, **names) == expected
        counted = rg.evaluate_batches(source, MEASURES, **names, order="any")
        assert counted.means == expected.means
        assert rg.evaluate_batches(lambda one=source: one, MEASURES, **names) == expected


def test_columns_that_folders_name(tmp_path: Path) -> None:
    frame = table_of(6)
    frame.to_parquet(tmp_path / "t", partition_cols=["system"])
    result = rg.evaluate_frame(tmp_path / "t", MEASURES, query="user", run="system")
    assert list(result) == ["a", "b"]
    assert result["b"] == rg.evaluate_frame(
        frame[frame["system"] == "b"], MEASURES, query="user", run=None
    )
    named = tmp_path / "s" / "day=1%2F2"
    named.mkdir(parents=True)
    for name in ("x.csv", "y.csv"):
        frame.assign(user=name).to_csv(named / name, index=False)
    result = rg.evaluate_frame(tmp_path / "s", "AP", query=["user", "day"], run=None)
    assert list(result.queries) == [("x.csv", "1/2"), ("y.csv", "1/2")]
    named.rename(tmp_path / "s" / "day=__HIVE_DEFAULT_PARTITION__")
    with pytest.raises(ValueError, match=r"x\.csv, row 1: day has no value"):
        rg.evaluate_frame(tmp_path / "s", "AP", query=["user", "day"], run=None)


def test_data_sets(tmp_path: Path) -> None:
    frame = table_of(7)
    expected = rg.evaluate_frame(frame, MEASURES, query="user", run=None)
    write(frame, tmp_path / "t", ".parquet")
    paths = sorted(map(str, (tmp_path / "t").glob("*.parquet")))
    for source in (pa.dataset.dataset(paths), pa.dataset.dataset(pa.Table.from_pandas(frame))):
        assert rg.evaluate_frame(source, MEASURES, query="user", run=None) == expected
        runs = rg.evaluate_frame(source, MEASURES, query="user", run="system")
        assert runs == rg.evaluate_frame(frame, MEASURES, query="user", run="system")


def test_data_sets_of_hugging_face() -> None:
    datasets = pytest.importorskip("datasets")
    frame = table_of(8).sort_values("user", kind="stable", ignore_index=True)
    whole = datasets.Dataset.from_pandas(frame)
    expected = rg.evaluate_frame(frame, MEASURES, query="user", run=None)
    assert rg.evaluate_frame(whole, MEASURES, query="user", run=None) == expected
    assert (
        rg.evaluate_frame(whole.with_format("numpy"), MEASURES, query="user", run=None) == expected
    )
    some = whole.filter(lambda row: row["system"] == "a")
    assert rg.evaluate_frame(some, MEASURES, query="user", run=None) == rg.evaluate_frame(
        frame[frame["system"] == "a"], MEASURES, query="user"
    )
    for source in (whole, whole.to_iterable_dataset()):
        assert rg.evaluate_batches(source, MEASURES, **NAMES) == expected
    with pytest.raises(TypeError, match=r"DatasetDict holds tables: give one, such as \['test'\]"):
        rg.evaluate_frame(datasets.DatasetDict(test=whole), MEASURES)
    with pytest.raises(TypeError, match="IterableDataset is a stream: give it to evaluate_batches"):
        rg.evaluate_frame(whole.to_iterable_dataset(), MEASURES)


def test_errors_name_the_file_and_its_row(tmp_path: Path) -> None:
    frame = table_of(9, 60)
    for at in range(3):
        part = frame[20 * at : 20 * at + 20].copy()
        part["score"] = part["score"].mask(part.index == 47)
        part.to_csv(tmp_path / f"{at}.csv", index=False)
    for options in ({}, {"run": "system"}):
        with pytest.raises(ValueError, match=r"2\.csv, row 8: score has no value"):
            rg.evaluate_frame(tmp_path, "AP", query="user", **options)
    with pytest.raises(ValueError, match=r"no column 'query' \(query=\)\. Columns: system, user"):
        rg.evaluate_frame(tmp_path, "AP", query="query")
    frame.drop(columns="label").to_csv(tmp_path / "3.csv", index=False)
    with pytest.raises(ValueError, match=r"no column 'label'; there are system, user, score"):
        rg.evaluate_frame(tmp_path, "AP", query="user", run=None)
    frame.to_parquet(tmp_path / "4.parquet")
    with pytest.raises(ValueError, match=r"are files of two kinds; give those of one, .*\*\.csv"):
        rg.evaluate_frame(tmp_path, "AP", query="user", run=None)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no file that ends in \.parquet, .* in the directory"):
        rg.evaluate_frame(tmp_path / "empty", "AP")
    with pytest.raises(FileNotFoundError, match=r"nothing-\*"):
        rg.evaluate_frame(str(tmp_path / "nothing-*.csv"), "AP")
    for wrong in ([], [tmp_path / "0.csv", 3]):
        with pytest.raises(TypeError, match=r"the list is not a table; give .* or paths of files"):
            rg.evaluate_frame(wrong, "AP")


def test_the_command_takes_folders_and_patterns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = table_of(10)
    paths = list(map(str, write(frame, tmp_path / "t", ".csv")))
    mean = rg.evaluate_frame(frame, "AP", query="user", run=None)["AP"]
    for words in (paths, [str(tmp_path / "t")], [str(tmp_path / "t" / "part-*")]):
        assert (
            main(
                ["table", *words, "--query", "user", "--run", "none", "-m", "AP", "--format", "csv"]
            )
            == 0
        )
        row = capsys.readouterr().out.splitlines()[1]
        assert row == f"{' '.join(words)},{mean!r}"
    assert main(["table", str(tmp_path / "t"), "-m", "AP", "--output", paths[0]]) == 1
    assert "which is read; name another" in capsys.readouterr().err
    assert main(["table", paths[0], paths[0], "-m", "AP"]) == 1
    assert "is given 2 times" in capsys.readouterr().err


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    path, columns = tmp_path / "rows.csv", {"query": "q", "label": "y", "score": "s"}
    path.write_text("q,y,s\nu,0,2\nu,1,1\n")
    for paths in ([path, path], [tmp_path, path], [path, tmp_path / "." / "rows.csv"]):
        assert rg.evaluate_batches(paths, "RR", **columns)["RR"] == 0.5
        assert rg.evaluate_frame(paths, "RR", **columns)["RR"] == 0.5
