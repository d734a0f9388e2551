"""What the fuzzer found, each as a test of its own."""

import json
from pathlib import Path

import pytest

import rankgain as rg


def test_a_column_with_a_nul_in_its_name_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")
    path = tmp_path / "rows.jsonl"
    rows = [{"query": at, "label": 1, "score": 0.5, "a\0b": at} for at in range(99)]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(ValueError, match=r"rows\.jsonl: the column 'a.*b' has a NUL in its name"):
        rg.evaluate_frame(path, "RR", query="query")
