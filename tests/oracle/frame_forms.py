"""A pandas frame in the other forms of a table: frames of other libraries, and files."""

from pathlib import Path
from typing import Any

import pytest


def write(frame: Any, path: Path) -> Path:
    """Write a frame in the format of the suffix; parts of a Parquet file have 60 rows."""
    name = path.name
    if name.endswith((".parquet", ".pq")):
        frame.to_parquet(path, index=False, row_group_size=60)
    elif "json" in name:
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False, sep="\t" if ".tsv" in name else ",")
    return path


def in_form(frame: Any, form: str, folder: Path) -> Any:
    """The frame of a library, a data set of Arrow, a folder of files, or a file with a suffix."""
    if form == "pandas":
        return frame
    if form in ("polars", "lazy"):
        result = pytest.importorskip("polars").from_pandas(frame)
        return result.lazy() if form == "lazy" else result
    if form in ("arrow", "data set"):
        table = pytest.importorskip("pyarrow").Table.from_pandas(frame, preserve_index=False)
        if form == "arrow":
            return table
        return pytest.importorskip("pyarrow.dataset").dataset(table)
    if form != "folder":
        return write(frame, folder / f"rows.{form}")
    parts = folder / "parts"
    parts.mkdir()
    write(frame[:20], parts / "1.parquet")
    write(frame[20:], parts / "2.parquet")
    return parts
