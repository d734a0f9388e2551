"""`rankgain table`: a table of predictions with labels, printed as runs are."""

import argparse

from ..results.text.formats import FORMATS
from ..tables.frame import evaluate_frame
from .errors import UsageError
from .evaluate import answer, asked_of, floors_of, format_of


def command(options: argparse.Namespace) -> int:
    """Evaluate, print, and return the exit status."""
    floors = floors_of(options)
    kind = format_of(options, FORMATS)
    asked = asked_of(options, [name for name, _ in floors], [options.file])
    if options.rank is not None and options.score is not None:
        raise UsageError("--score and --rank both say what orders the documents; give one of them")
    columns = {
        name: getattr(options, name) for name in ("by", "label", "score", "rank", "doc", "weight")
    }
    found = evaluate_frame(
        options.file, asked.measures, convention=asked.rules, threads=asked.threads, **columns
    )
    return answer({options.file: found}, options, floors, kind)
