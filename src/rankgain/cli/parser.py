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
from .output import UsageError, is_measure

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

# Help texts that do not fit in the line of their argument, or that several commands have.
STATUSES = """exit status: 0 done; 1 bad usage; 2 a file that cannot be read, written or evaluated;
3 a mean below --fail-under; 4 a run significantly worse (--fail-if-worse); 5 mistakes found by
audit; 130 interrupted"""
A_FILE = "TREC file; CSV, TSV, JSON, JSON lines or Parquet by its suffix; - for standard input"
GATE_ON = (
    "which p-values exit status 4 is based on; all (the default): as printed, corrected for all "
    "measures; gates: corrected only for the measures that are checked"
)
RUNS = (
    "run files, in the formats of QRELS; a directory stands for its files, a quoted pattern for "
    "all matching files"
)
DUPLICATES = ("raise", "first", "last", "best", "mean", "in_place")
CHUNKS = (
    "the runs rank chunks: the text before the last SEPARATOR of a chunk's id is its document, "
    "which gets the rank of its best chunk"
)
REPEATS = (
    "which row to keep if a query lists a document twice; mean: the mean of several judges' "
    "labels (qrels only); in_place: all rows of a run keep their ranks, and the best one counts"
)
REPEATED_ROWS = (
    "which row to keep if a query lists a document twice; in_place: all rows keep their ranks, "
    "and the best one counts"
)
DIVERSITY = "QRELS are TREC diversity qrels: the second field is the subtopic that a row judges"
FORMS = ("arrays", "ids", "dicts")
A_CONVENTION = "default: trec; `rankgain conventions` lists them"
TABLE_CONVENTION = "default: rankgain; `rankgain conventions` lists them"
NAMES = "names of the runs, in the order of the files; default: the file names"
AS_IS = "in CSV and TSV, put no apostrophe before text that looks like a formula"
WORSE = (
    "also evaluate this measure, and exit with status 4 if a run is significantly worse than the "
    "baseline; repeatable"
)
IDS = (
    "column with document ids, which break ties by id and may not repeat within a list; none "
    "switches both off"
)
A_TABLE = (
    "a row for each document: .parquet, .csv, .tsv or .jsonl; several files, a directory or a "
    "quoted pattern are one table"
)
A_SCORES_TABLE = (
    "a table of scores that another program computed, .parquet, .csv, .tsv or .jsonl: a row for "
    "each system and query"
)
EXCLUDED = (
    "qrels whose documents are removed from the lists; or the literal word query, to remove the "
    "document whose id is the query's id"
)


Add: TypeAlias = Callable[..., object]  # that adds an argument to a parser


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors, each in one line."""

    def error(self, message: str) -> NoReturn:
        """Raise the error."""
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
        flags: list[str] = []
        command.set_defaults(command=name, flags=flags)
        define(_recording(command.add_argument, flags))
    commands.add_parser("trec_eval", help="drop-in replacement for trec_eval 10")
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        _refuse_unknown(unknown, options)
    return options


def _refuse_unknown(unknown: Sequence[str], options: argparse.Namespace) -> NoReturn:
    """Refuse arguments that a command does not have, with what probably was meant."""
    message = f"unrecognized arguments: {' '.join(unknown)}"
    # trec_eval prints the values of queries with -q.
    if "-q" in unknown:
        message += "; values of each query are --per-query, and rankgain trec_eval has -q"
    elif "-k" in unknown and hasattr(options, "measure"):
        message += "; a cutoff is part of a measure: -m nDCG@10"
    elif isinstance(getattr(options, "measure", None), list) and is_measure(unknown[0]):
        message += f"; give one -m for each measure: -m {unknown[0]}"
    raise UsageError(f"{message} (see rankgain {options.command} --help)")


def _recording(add: Add, flags: list[str]) -> Add:
    """The function `add`, which also appends the long names of options to `flags`."""

    def record(*names: str, **settings: object) -> object:
        flags.extend(name for name in names if name.startswith("--"))
        return add(*names, **settings)

    return record


def run(options: argparse.Namespace) -> int:
    """Run a command; its module is imported only now."""
    name = options.command
    module_name = ".show"
    if name in ("evaluate", "table", "compare"):
        module_name = ".evaluate"
    module = import_module(module_name, __package__)
    run_command = getattr(module, f"run_{name}")
    return int(run_command(options))


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
    add("--threads", metavar="N", default="all", help="number of threads, or all (the default)")


def _answer(add: Add, formats: Sequence[str]) -> None:
    """Add the arguments for measures and output."""
    measures = "such as nDCG@10, or ndcg_cut.5,10 for two cutoffs; one -m for each measure"
    add("-m", "--measure", metavar="NAME", action="append", default=[], help=measures)
    add("--format", choices=formats, help="default: by the suffix of --output, otherwise table")
    add("--output", metavar="FILE", help="write to this file instead of standard output")
    add("--as-is", action="store_true", help=AS_IS)


def _evaluate(add: Add) -> None:
    add("qrels", metavar="QRELS", help=A_FILE)
    add("runs", metavar="RUN", nargs="+", help=RUNS)
    _runs(add, FORMATS)
    _values(add)
    add("--sort", metavar="NAME", help="sort the runs by the mean of this measure, the best first")
    bounds = "also print how low and how high each measure could be; repeatable"
    add("--bounds", choices=("ties", "unjudged"), action="append", help=bounds)


def _values(add: Add) -> None:
    """Add the arguments of commands that print values."""
    per_query = "print a row for each query, then the means in a row named all"
    add("--per-query", action="store_true", help=per_query)
    floor = "also evaluate this measure; exit with status 3 if a run's mean is smaller; repeatable"
    add("--fail-under", metavar="NAME=VALUE", action="append", default=[], help=floor)


def _compare(add: Add) -> None:
    add("qrels", metavar="QRELS", help=f"{A_FILE}. Without RUN: {A_SCORES_TABLE}")
    add("runs", metavar="RUN", nargs="*", help=RUNS)
    _scores(add)
    _runs(add, ("table", "csv", "json", "markdown", "latex", "html"))
    baseline = "compare every other run with this one; default: all pairs"
    add("--baseline", metavar="NAME", help=baseline)
    add("--test", choices=TESTS, default="randomisation", help="default: randomisation")
    add("--correction", choices=(*CORRECTIONS, "none"), default="holm", help="default: holm")
    resamples = _make_type(int, "check_whole", "resamples", 1)
    add("--resamples", metavar="N", type=resamples, default=10_000, help="default: 10000")
    level = _make_type(float, "check_level")
    add(
        "--level",
        metavar="P",
        type=level,
        default=0.95,
        help="confidence level: p below 1 - P is significant; default: 0.95",
    )
    seed = _make_type(int, "check_whole", "seed", 0)
    add("--seed", metavar="N", type=seed, default=0, help="default: 0")
    add(
        "--queries",
        choices=("same", "common"),
        default="same",
        help="common: only the queries that all runs have",
    )
    add(
        "--by",
        metavar="FILE",
        help="file of lines with a query and its segment, or JSON; also compares segments",
    )
    add(
        "--margin",
        metavar="X",
        type=float,
        help="also test whether the differences are smaller than X",
    )
    changes = _make_type(int, "check_whole", "changes", 1)
    add("--changes", metavar="N", type=changes, help="also print the N queries that changed most")
    add("--verdict", action="store_true", help="also print the conclusions in a few sentences")
    add("--report", metavar="FILE", help="also write an HTML page")
    add("--gate-on", choices=("all", "gates"), default="all", help=GATE_ON)
    add("--fail-if-worse", metavar="NAME", action="append", default=[], help=WORSE)


def _scores(add: Add) -> None:
    """Add the arguments of a table of scores."""
    add("--run", metavar="COLUMN", help="column with the system (for a table of scores)")
    query_help = "column with the query, task or data set; repeatable"
    add("--query", metavar="COLUMN", action="append", help=query_help)
    values_help = "column with scores; default: all other columns; repeatable"
    add("--values", metavar="COLUMN", action="append", help=values_help)
    add(
        "--measure-column",
        metavar="COLUMN",
        help="column with the measure's name (for a long table)",
    )
    add("--value-column", metavar="COLUMN", help="column with the score (for a long table)")
    better_help = "which scores are better: lower, or NAME=lower for one measure; repeatable"
    add("--better", metavar="[NAME=]WHICH", action="append", default=[], help=better_help)


def _explain(add: Add) -> None:
    add("qrels", metavar="QRELS", help=A_FILE)
    add("--subtopics", action="store_true", help=DIVERSITY)
    add("run", metavar="RUN", help=A_FILE)
    add("--duplicates", choices=DUPLICATES, default="raise", help=REPEATS)
    add("--query", metavar="ID", required=True, help="id of the query")
    add("-k", metavar="K", type=int, help="the cutoff; default: the convention's")
    add(
        "--gain",
        choices=("linear", "exp2", "binary"),
        help="gain of a label; default: the convention's",
    )
    add(
        "--discount",
        choices=("log2", "reciprocal"),
        help="discount of a rank; default: the convention's",
    )
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
    add("--form", choices=FORMS, default="arrays", help="what the function takes; default: arrays")
    add("-k", metavar="K", default="10", help="the cutoff, or none; default: 10")
    add(
        "-m",
        "--measure",
        metavar="NAME",
        default="nDCG",
        help="the measure it should compute; default: nDCG",
    )


def _conventions(add: Add) -> None:
    add("name", metavar="NAME", nargs="?", help="show everything about this convention")


def _table(add: Add) -> None:
    add("files", metavar="FILE", nargs="+", help=A_TABLE)
    for role, purpose in (
        (
            "run",
            "column with the system (each gets a row of means); none: there is one system",
        ),
        ("query", "column with the query or user of a row, such as user_id; repeatable"),
        ("label", "column that says how relevant a document is"),
        (
            "score",
            "column with the scores, or NAME=COLUMN for each system; repeatable",
        ),
        ("rank", "column with the rank, in place of a score; smaller is better"),
        ("doc", IDS),
        ("weight", "column with the weight of a list in the means"),
        (
            "segment",
            "column with the segment of a list (each gets a row of means, too)",
        ),
    ):
        action = "append" if role in ("query", "score") else "store"
        add(f"--{role}", metavar="COLUMN", help=purpose, action=action)
    add("--duplicates", choices=TABLE_POLICIES, default="raise", help=REPEATED_ROWS)
    _answer(add, FORMATS)
    _values(add)
    add("--convention", metavar="NAME", default="rankgain", help=TABLE_CONVENTION)
    add("--threads", metavar="N", default="all", help="number of threads, or all (the default)")


COMMANDS = {
    "evaluate": (_evaluate, "evaluate runs against qrels"),
    "table": (_table, "evaluate a table of predictions with labels"),
    "compare": (_compare, "compare runs, with significance tests"),
    "explain": (_explain, "explain the nDCG of one query, rank by rank"),
    "reconcile": (_reconcile, "explain why a measure differs between two conventions"),
    "audit": (_audit, "check a Python metric for common mistakes"),
    "conventions": (_conventions, "list what other tools compute"),
}
