"""Lines that are neither qrels nor runs of TREC: judgments for training, and MIND's files."""

from __future__ import annotations

import io
import re
from typing import IO, Any

from .. import _core
from ..inputs.files import BLOCK, BYTE_ORDER_MARK, parse_stream, peek_start

# What a file begins with, after lines of comments.
COMMENTS = rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*"
JUDGED = re.compile(COMMENTS + rb"[ \t]*[-+.\d]+[ \t]+qid:\S+")
FEATURES = re.compile(COMMENTS + rb"[ \t]*[-+.\d]+([ \t]+qid:\S+)?([ \t]+\d+:[-+.\deE]+){2}")
PREDICTION = re.compile(rb"\s*\S+[ \t]+\[\s*\d+(\s*,\s*\d+)*\s*\]\s*(\n|$)")
BEHAVIOURS = re.compile(rb"[^\t\n]+\t[^\t\n]+\t[^\t\n]+\t[^\t\n]*\t\S+-[01]( \S+-[01])*\s")
# A line of judgments: label, query, features, and a comment that begins with the document.
LINE = re.compile(
    rb"\s*(?P<label>\S+)\s+qid:(?P<query>\S+)(?P<features>(\s+\d+:\S+)*)\s*(#\s*(?P<words>.*))?"
)
MIND = (
    "rankgain.evaluate_arrays(labels, scores, measures) takes labels = [[int(one[-1]) for one in "
    "row.split()] for row in impressions] and scores = [[-rank for rank in row] for row in ranks]"
)
SVMLIGHT = (
    "X, y, qid = sklearn.datasets.load_svmlight_file(path, query_id=True) reads them, and "
    "rankgain.evaluate_arrays(y, model.predict(X), measures, qid=qid) evaluates a model"
)
LIBSVM = (
    "X, y = sklearn.datasets.load_svmlight_file(path) reads them, and rankgain.evaluate_arrays(y, "
    "model.predict(X), measures, group=sizes) evaluates a model, with the sizes of the lists"
)


def has_other_lines(start: bytes) -> bool:
    """Whether a file begins as one of these forms."""
    return any(form.match(start) for form in (JUDGED, FEATURES, PREDICTION, BEHAVIOURS))


def read_other_lines(stream: IO[Any], rows: _core.Rows, is_qrels: bool) -> bool:
    """Read judgment lines into rows; False for lines of TREC. Other forms are refused."""
    start = peek_start(stream, BLOCK).removeprefix(BYTE_ORDER_MARK)
    if PREDICTION.match(start):
        raise ValueError(f"line 1: ranks of impressions, as in MIND's prediction.txt; {MIND}")
    if BEHAVIOURS.match(start):
        raise ValueError(f"line 1: impressions with labels, as in MIND's behaviors.tsv; {MIND}")
    features = FEATURES.match(start)
    if features is not None:
        remedy = SVMLIGHT if features[1] else LIBSVM
        raise ValueError(f"line 1: labels with features, as of LETOR and LibSVM; {remedy}")
    if not JUDGED.match(start):
        return False
    if not is_qrels:
        raise ValueError("line 1: judgments (label, qid and document), where the run belongs")
    data = stream.read()
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    # Each line becomes one of qrels, so that errors of the parser name the right line.
    lines = []
    for number, line in enumerate(data.removeprefix(BYTE_ORDER_MARK).split(b"\n"), 1):
        lines.append(_as_qrels(line, number))
    qrels = io.BytesIO(b"\n".join(lines))
    for _ in parse_stream(qrels, rows):
        pass
    return True


def _as_qrels(line: bytes, number: int) -> bytes:
    """A line of judgments as one of qrels; comments and empty lines stay empty."""
    words = line.strip()
    if not words or words.startswith(b"#"):
        return b""
    text = repr(words[:200].decode("utf-8", "replace"))
    match = LINE.fullmatch(words)
    if match is None:
        raise ValueError(f"line {number}: expected a label, qid:..., and # with a document: {text}")
    if match["features"]:
        raise ValueError(f"line {number}: labels with features, as of LETOR; {SVMLIGHT}: {text}")
    comment = match["words"] or b""
    if not comment.strip():
        raise ValueError(f"line {number}: there is no document after #: {text}")
    document = comment.split(None, 1)[0]
    return b"\t".join((match["query"], b"0", document, match["label"]))
