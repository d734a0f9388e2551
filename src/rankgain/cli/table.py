"""`rankgain table`: evaluate a table of predictions with labels."""

import argparse

from ..evaluation.evaluation import Evaluation
from ..evaluation.tables.frame import evaluate_frame
from ..output.text.formats import FORMATS
from .evaluate import answer, checked_options, floors_of, format_of
from .output import UsageError


def command(options: argparse.Namespace) -> int:
    """Evaluate, print, and return the exit status."""
    floors = floors_of(options)
    kind = format_of(options, FORMATS)
    requested = checked_options(options, [name for name, _ in floors], [options.file])
    if options.rank is not None and options.score is not None:
        raise UsageError("--score and --rank both say what orders the documents; give one of them")
    columns = {
        name: getattr(options, name)
        for name in ("by", "label", "score", "rank", "doc", "weight", "segment")
    }
    result = evaluate_frame(
        options.file,
        requested.measures,
        convention=requested.rules,
        threads=requested.threads,
        **columns,
    )
    return answer({options.file: result, **_segments(result, options.file)}, options, floors, kind)


def _segments(result: Evaluation, file: str) -> dict[str, Evaluation]:
    """The lists of each segment, by its label."""
    parts = {} if result.segments is None else dict(result.by(result.segments))
    if file in parts:
        raise UsageError(f"--segment: a label is {file!r}, as the file; give it another path")
    return parts
