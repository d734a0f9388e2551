"""What the fuzzer found, each as a test of its own."""

import bz2
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg

ROWS = b"1 Q0 a 1 0.5 tag\n"


@pytest.mark.parametrize("damaged", [b"BZh~\x8e", bz2.compress(ROWS)[:20] + b"\0" * 20])
@pytest.mark.parametrize("kind", [rg.Qrels, rg.Run])
def test_damaged_bzip2_is_a_value_error(damaged: bytes, kind: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.bz2"
    path.write_bytes(damaged)
    for source in (path, io.BytesIO(damaged)):
        with pytest.raises(ValueError, match="damaged compressed data"):
            kind.read(source)
    with pytest.raises(ValueError, match=r"run\.bz2: damaged compressed data"):
        rg.evaluate({"1": {"a": 1}}, path, "AP")
    (tmp_path / "run.jsonl.bz2").write_bytes(damaged)
    with pytest.raises(ValueError, match="cannot be read"):
        kind.read(tmp_path / "run.jsonl.bz2")


@pytest.mark.parametrize("listed", [np.array(["a", "b"]), ["a", "b"]])
def test_arrays_of_ids_come_first_in_a_dict(listed: Any) -> None:
    run = {"q": {"b": 2.0, "a": 1.0}, "r": {"x": 1.0}}
    qrels = {"q": listed, "r": {"x": 1}}
    assert rg.evaluate(qrels, run, "AP") == rg.evaluate(rg.Qrels(qrels), rg.Run(run), "AP")
    judged = {"q": {"a": 1}, "r": {"x": 1}}
    ranked = {"q": listed, "r": {"x": 1.0}}
    for source in (judged, rg.Qrels(judged)):
        assert rg.evaluate(source, ranked, "AP") == rg.evaluate(judged, rg.Run(ranked), "AP")


@pytest.mark.parametrize("listed", [["a"], {"a"}])
def test_infinite_labels_are_named_beside_lists_of_ids(listed: Any) -> None:
    qrels = {"q": listed, "r": {"a": 1, "b": -math.inf}}
    with pytest.raises(ValueError, match="query 'r', document 'b': a label must be finite"):
        rg.Qrels(qrels)


def test_a_column_with_a_nul_in_its_name_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")
    path = tmp_path / "rows.jsonl"
    rows = [{"query": at, "label": 1, "score": 0.5, "a\0b": at} for at in range(99)]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(ValueError, match=r"rows\.jsonl: the column 'a.*b' has a NUL in its name"):
        rg.evaluate_frame(path, "RR", query="query")
