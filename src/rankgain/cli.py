"""The command line."""

import argparse
import sys
from collections.abc import Sequence

from .runs import evaluate_runs
from .trec import Qrels


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rankgain", description="Ranking metrics.")
    commands = parser.add_subparsers(dest="command", required=True)
    evaluate = commands.add_parser("evaluate", help="evaluate runs against qrels")
    evaluate.add_argument("qrels", metavar="QRELS", help="TREC qrels file, plain or gzip")
    evaluate.add_argument("runs", metavar="RUN", nargs="+", help="TREC run file, plain or gzip")
    evaluate.add_argument(
        "-m", "--measure", action="append", required=True, help="such as nDCG@10; repeatable"
    )
    evaluate.add_argument("--convention", default="trec", help="a name of rankgain.conventions")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    given = _parser().parse_args(arguments)
    try:
        qrels = Qrels.read(given.qrels)
        names = {path: path for path in given.runs}
        print(evaluate_runs(qrels, names, given.measure, convention=given.convention))
    except (OSError, ValueError) as error:
        print(f"rankgain: {error}", file=sys.stderr)
        return 2 if isinstance(error, OSError) else 1
    return 0
