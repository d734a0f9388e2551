"""Tables in files: CSV, TSV, JSON lines and JSON, by path; whole and in parts."""

import gzip
import os
import tempfile
from typing import Any

import rankgain as rg
from draws import Draws, Refused, agree, outcome
from rankgain.evaluation.tables import frame as long_file

from .readers import state

SUFFIXES = [".csv", ".tsv", ".jsonl", ".json", ".csv.gz", ".jsonl.gz", ".tsv.gz", ".txt"]
FOLDER = tempfile.TemporaryDirectory(prefix="rankgain-fuzz-")
HEADS = [["query_id", "doc_id", "label"], ["query", "label", "score"], ["qid", "docno", "score"]]


def table(d: Draws, suffix: str) -> bytes:
    """A small table, right in most places."""
    heads, rows = d.pick(HEADS), [[d.below(4), d.id(), d.number()] for _ in range(d.below(8))]
    if d.chance(4):
        heads = [*heads[:2], d.text()]
    if ".json" in suffix:
        import json

        lines = [json.dumps(dict(zip(heads, row, strict=True)), default=str) for row in rows]
        return "\n".join(lines).encode("utf-8", "replace")
    mark = "," if "csv" in suffix else "\t"
    lines = [mark.join(str(one) for one in row) for row in ([heads] if d.below(4) < 3 else [])]
    lines += [mark.join(map(str, row)) for row in rows]
    return "\n".join(lines).encode("utf-8", "replace")


def read(data: bytes) -> None:
    """A table, or any bytes: read or refused; one pass over parts says what the whole says."""
    d = Draws(data)
    suffix, what = d.pick(SUFFIXES), d.below(4)
    content = table(d, suffix) if d.below(4) < 3 else d.rest()
    path = os.path.join(FOLDER.name, f"table{suffix}")
    with open(path, "wb") as file:
        file.write(gzip.compress(content) if suffix.endswith(".gz") else content)
    if what < 2:
        kind = (rg.Qrels, rg.Run)[what]
        result = outcome(lambda: kind.read(path))
        if not isinstance(result, Refused):
            agree(kind(result.to_dict()).to_dict(), result.to_dict())
        return
    evaluate_parts(path, {"rank": "score"} if what == 3 and d.chance() else {})


def evaluate_parts(path: str, names: dict[str, Any]) -> None:
    """A table evaluated in one part and in many."""

    def evaluated() -> Any:
        return outcome(lambda: state(rg.evaluate_frame(path, ["nDCG@3", "RR"], **names)))

    whole = evaluated()
    before = long_file.BYTES
    long_file.BYTES = 40
    try:
        parts = evaluated()
    finally:
        long_file.BYTES = before
    if not isinstance(whole, Refused) and not isinstance(parts, Refused):
        agree(whole, parts)
