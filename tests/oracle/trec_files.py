"""Files of qrels and a run, written without the package."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

Records = Mapping[Any, Mapping[Any, Any]]  # query -> document -> label or score


def write_trec(folder: Path, qrels: Records, run: Records) -> tuple[str, str]:
    """Write `qrels` and `run` to files of these names; their paths."""
    judged = [f"{q} 0 {d} {label}\n" for q, docs in qrels.items() for d, label in docs.items()]
    ranked = [f"{q} Q0 {d} 1 {score!r} t\n" for q, docs in run.items() for d, score in docs.items()]
    (folder / "qrels").write_text("".join(judged), encoding="utf-8")
    (folder / "run").write_text("".join(ranked), encoding="utf-8")
    return str(folder / "qrels"), str(folder / "run")
