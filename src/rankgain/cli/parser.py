"""The arguments of the commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from .. import __version__
from ..analysis.comparison import CORRECTIONS, TESTS
from ..convention.options import TIES
from ..inputs.tables.repeats import POLICIES as TABLE_POLICIES
from ..output.text.formats import FORMATS
from .output import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

STATUSES = """exit status: 0 done; 1 bad usage; 2 a file that cannot be read, written or evaluated;
3 a mean below --fail-under; 4 a run significantly worse (--fail-if-worse); 5 mistakes found by
audit; 130 interrupted"""
A_FILE = "TREC file; CSV, TSV, JSON, JSON lines or Parquet by its suffix; - for standard input"
GATE_ON = "all: gates use p as printed, the default; gates: corrected for their measures alone"
RUNS = "run files as QRELS; a directory stands for its files, a quoted pattern for all that match"
DUPLICATES = ("raise", "first", "last", "best", "mean", "in_place")
CHUNKS = (
    "the runs rank chunks, and the text before the last SEPARATOR of a chunk's id is its document, "
    "which takes the rank of its best chunk"
)
REPEATS = (
    "of documents twice in a query keep one row; mean: the mean label of several judges, of qrels "
    "alone; in_place: all rows of a run keep their ranks, and the best counts"
)
REPEATED_ROWS = (
    "of documents twice in a query keep the first row or the best; in_place: all rows keep their "
    "ranks, and the best counts"
)
DIVERSITY = "the second field of QRELS is the subtopic that a row judges: diversity qrels"
FORMS = ("arrays", "ids", "dicts")
A_CONVENTION = "trec by default; `rankgain conventions` lists them"
NAMES = "names of the runs, in their order; else those of their files"
AS_IS = "csv and tsv: no apostrophe before what seems a formula"
WORSE = (
    "evaluate it too, and exit with status 4 where a run is significantly worse than the baseline; "
    "repeatable"
)
IDS = "ids of documents, for ties by id and to refuse one that is twice in a list; or none"
A_TABLE = (
    "a row for each document: .parquet, .csv, .tsv or .jsonl; several files, a directory or a "
    "quoted pattern are one table"
)
A_SCORES_TABLE = (
    "a table of scores that another program computed, .parquet, .csv, .tsv or .jsonl: a row for "
    "each system and query"
)
EXCLUDED = (
    "qrels whose documents are left out of the lists; or the word query: that of the query's id"
)


Add: TypeAlias = Callable[..., object]  # that adds an argument to a parser


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors, each in one line."""

    def error(self, message: str) -> NoReturn:
        """Raise the error."""
        unknown, _, arguments = message.partition("unrecognized arguments: ")
        if not unknown and "-q" in arguments.split():
            message += "; values of each query are --per-query, and rankgain trec_eval has -q"
        raise UsageError(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print a message; argparse would ignore errors of the output."""
        print(message, end="", file=file or sys.stderr)


def _make_type(kind: type[float], check: str, *arguments: object) -> Callable[[str], float]:
    """A type of numeric arguments, with the checks of `rankgain.compare`."""

    def read(text: str) -> float:
        from ..engine import intervals as methods  # only when needed

        try:
            value = kind(text)
            getattr(methods, check)(value, *arguments)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return value

    return read


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the arguments of a command; `command` is its name."""
    parser = Parser(prog="rankgain", description="Ranking metrics.", epilog=STATUSES)
    parser.add_argument("--version", action="version", version=f"rankgain {__version__}")
    # Without prog= argparse makes a formatter, which imports much.
    commands = parser.add_subparsers(metavar="COMMAND", required=True, prog=parser.prog)
    for name, (define, purpose) in COMMANDS.items():
        sentence = f"{purpose[0].upper()}{purpose[1:]}."
        command = commands.add_parser(name, help=purpose, description=sentence, epilog=STATUSES)
        command.set_defaults(command=name)
        define(command.add_argument)
    commands.add_parser("trec_eval", help="drop-in replacement for trec_eval 10")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> int:
    """Run a command; its module is imported only now."""
    name = options.command
    module = "evaluate" if name in ("evaluate", "table", "compare") else "show"
    return int(getattr(import_module(f".{module}", __package__), f"run_{name}")(options))


def _runs(add: Add, formats: Sequence[str]) -> None:
    """Add the arguments shared by `evaluate` and `compare`, without the files."""
    add("--subtopics", action="store_true", help=DIVERSITY)
    _answer(add, formats)
    add("--names", metavar="A,B,...", help=NAMES)
    add("--convention", metavar="NAME", default="trec", help=A_CONVENTION)
    add("--exclude", metavar="FILE", help=EXCLUDED)
    add("--documents", metavar="SEPARATOR", help=CHUNKS)
    add("--duplicates", choices=DUPLICATES, default="raise", help=REPEATS)
    add("--judged-only", action="store_true", help="leave unjudged documents out of the rankings")
    add("--threads", metavar="N", default="all", help="a number, or all, the default")


def _answer(add: Add, formats: Sequence[str]) -> None:
    """Add the arguments for measures and output."""
    measures = "such as nDCG@10 or ndcg_cut.5,10; repeatable"
    add("-m", "--measure", metavar="NAME", action="append", default=[], help=measures)
    add("--format", choices=formats, help="as the suffix of --output says, else table")
    add("--output", metavar="FILE", help="write there instead of standard output")
    add("--as-is", action="store_true", help=AS_IS)


def _evaluate(add: Add) -> None:
    add("qrels", metavar="QRELS", help=A_FILE)
    add("runs", metavar="RUN", nargs="+", help=RUNS)
    _runs(add, FORMATS)
    _values(add)
    add("--sort", metavar="NAME", help="the run with the best mean of this measure first")
    bounds = "how low and high each measure could be; repeatable"
    add("--bounds", choices=("ties", "unjudged"), action="append", help=bounds)


def _values(add: Add) -> None:
    """Add the arguments of commands that print values."""
    add("--per-query", action="store_true", help="a row for each query, then one of means, all")
    floor = "evaluate it too, and exit with status 3 where a run's mean is smaller; repeatable"
    add("--fail-under", metavar="NAME=VALUE", action="append", default=[], help=floor)


def _compare(add: Add) -> None:
    add("qrels", metavar="QRELS", help=f"{A_FILE}; alone: {A_SCORES_TABLE}")
    add("runs", metavar="RUN", nargs="*", help=RUNS)
    _scores(add)
    _runs(add, ("table", "csv", "json", "markdown", "latex", "html"))
    add("--baseline", metavar="NAME", help="compare all others with this run; else all pairs")
    add("--test", choices=TESTS, default="randomisation", help="randomisation by default")
    add("--correction", choices=(*CORRECTIONS, "none"), default="holm", help="holm by default")
    resamples = _make_type(int, "check_whole", "resamples", 1)
    add("--resamples", metavar="N", type=resamples, default=10_000, help="10000 by default")
    level = _make_type(float, "check_level")
    add("--level", metavar="P", type=level, default=0.95, help="of intervals, 0.95 by default")
    seed = _make_type(int, "check_whole", "seed", 0)
    add("--seed", metavar="N", type=seed, default=0, help="0 by default")
    add("--queries", choices=("same", "common"), default="same", help="common: those that all have")
    add("--by", metavar="FILE", help="query and label in each line, or JSON: compare by label")
    add("--margin", metavar="X", type=float, help="test whether differences are within X, too")
    changes = _make_type(int, "check_whole", "changes", 1)
    add("--changes", metavar="N", type=changes, help="print the N queries that changed most, too")
    add("--verdict", action="store_true", help="print what was shown in a few sentences, too")
    add("--report", metavar="FILE", help="write an HTML page of it, too")
    add("--gate-on", choices=("all", "gates"), default="all", help=GATE_ON)
    add("--fail-if-worse", metavar="NAME", action="append", default=[], help=WORSE)


def _scores(add: Add) -> None:
    """Add the arguments of a table of scores."""
    add("--run", metavar="COLUMN", help="of a table of scores: the system of a row")
    query_help = "its query, task or data set; again for a second such column"
    add("--query", metavar="COLUMN", action="append", help=query_help)
    values_help = "a column of scores, by default all others; repeatable"
    add("--values", metavar="COLUMN", action="append", help=values_help)
    add(
        "--measure-column",
        metavar="COLUMN",
        help="the name of the measure of a row, of a long table",
    )
    add("--value-column", metavar="COLUMN", help="the score of a row, of a long table")
    better_help = "which scores are better: lower, or NAME=lower for one measure; repeatable"
    add("--better", metavar="[NAME=]WHICH", action="append", default=[], help=better_help)


def _explain(add: Add) -> None:
    add("qrels", metavar="QRELS", help=A_FILE)
    add("--subtopics", action="store_true", help=DIVERSITY)
    add("run", metavar="RUN", help=A_FILE)
    add("--duplicates", choices=DUPLICATES, default="raise", help=REPEATS)
    add("--query", metavar="ID", required=True, help="the query")
    add("-k", metavar="K", type=int, help="the cutoff; where left out, as the convention says")
    add("--gain", choices=("linear", "exp2", "binary"), help="what a label is worth")
    add("--discount", choices=("log2", "reciprocal"), help="what a rank is worth")
    add("--ties", choices=TIES, metavar="RULE", help=f"order of equal scores: {', '.join(TIES)}")
    add("--convention", metavar="NAME", default="trec", help=A_CONVENTION)


def _reconcile(add: Add) -> None:
    add("qrels", metavar="QRELS", help=A_FILE)
    add("--subtopics", action="store_true", help=DIVERSITY)
    add("run", metavar="RUN", help=A_FILE)
    add("--duplicates", choices=DUPLICATES, default="raise", help=REPEATS)
    add("a", metavar="A", help="a convention, such as trec")
    add("b", metavar="B", help="another one, such as pytrec_eval")
    add("-m", "--measure", metavar="NAME", required=True, help="such as nDCG@10")


def _audit(add: Add) -> None:
    add("function", metavar="MODULE:FUNCTION", help="such as my_metrics:ndcg_at_k")
    add("--form", choices=FORMS, default="arrays", help="what it takes; arrays by default")
    add("-k", metavar="K", default="10", help="the cutoff, 10 by default, or none")
    add("-m", "--measure", metavar="NAME", default="nDCG", help="what it should compute; nDCG")


def _conventions(add: Add) -> None:
    add("name", metavar="NAME", nargs="?", help="show all that one of them says")


def _table(add: Add) -> None:
    add("files", metavar="FILE", nargs="+", help=A_TABLE)
    for role, purpose in (
        (
            "run",
            "the system of a row: a row of means for each system; none: no column names systems",
        ),
        ("query", "whose list a row belongs to, such as user_id; again for a second such column"),
        ("label", "how relevant a document is"),
        ("score", "what the model says; again, or as NAME=COLUMN, for a column of each system"),
        ("rank", "in place of a score: the smaller, the better"),
        ("doc", IDS),
        ("weight", "the weight of a list in the means"),
        (
            "segment",
            "what lists are evaluated apart by, too: a row for each, under the whole",
        ),
    ):
        action = "append" if role in ("query", "score") else "store"
        add(f"--{role}", metavar="COLUMN", help=purpose, action=action)
    add("--duplicates", choices=TABLE_POLICIES, default="raise", help=REPEATED_ROWS)
    _answer(add, FORMATS)
    _values(add)
    add("--convention", metavar="NAME", default="rankgain", help="rankgain by default")
    add("--threads", metavar="N", default="all", help="a number, or all, the default")


COMMANDS = {
    "evaluate": (_evaluate, "evaluate runs against qrels"),
    "table": (_table, "evaluate a table of predictions with labels"),
    "compare": (_compare, "compare runs, with significance tests"),
    "explain": (_explain, "explain the nDCG of one query, rank by rank"),
    "reconcile": (_reconcile, "explain why a measure differs between two conventions"),
    "audit": (_audit, "check a Python metric for common mistakes"),
    "conventions": (_conventions, "list what other tools compute"),
}
