"""`rankgain evaluate`, `table` and `compare`: evaluate, print or write, and check thresholds."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from ..convention import Convention, get_convention
from ..engine.notices import named_in_warnings
from ..evaluation.evaluation import Evaluation
from ..evaluation.evaluations import Evaluations
from ..evaluation.one_pass import complete_settings
from ..evaluation.runs import evaluate
from ..evaluation.tables.frame import evaluate_frame
from ..inputs.files import expand_paths, names_of_paths, refuse_repeated_keys, write_atomically
from ..inputs.printable import count_of, describe, find_kind, printable
from ..inputs.tables.source import TABLES, is_table_path
from ..measures.measure import parse_measure, parse_measures, read_measures
from ..output.text.changes import format_changes
from ..output.text.formats import FORMATS, SUFFIXES, format_all
from ..text import markdown_text
from ..trec.by_query import Qrels, Run
from ..trec.join import OF_QUERY, read_excluded
from ..trec.rows import Duplicates
from .output import UsageError, forget_output, is_measure, usage_errors

if TYPE_CHECKING:
    from ..analysis.comparison import Comparison

FAILED = 3  # exit status: a mean is under a threshold
WORSE = 4  # exit status: a run is significantly worse than the baseline
TEXT_SUFFIXES = ("", ".txt", ".text", ".log", ".out")  # of --output, for plain-text tables
WRITERS: dict[str, Callable[[Comparison, bool], str]] = {
    "table": lambda result, safe: f"{result}\n",
    "csv": lambda result, safe: str(result.to_csv(safe=safe)),
    "json": lambda result, safe: str(result.to_json()),
    "markdown": lambda result, safe: str(result.to_markdown()),
    "latex": lambda result, safe: str(result.to_latex()),
    "html": lambda result, safe: result._repr_html_() + "\n",
}


class CallOptions(TypedDict):
    """The arguments that evaluations of runs and of tables share."""

    measures: list[str]
    convention: Convention
    threads: int | None


def run_evaluate(options: argparse.Namespace) -> int:
    """Evaluate runs, print, and return the exit status."""
    floors = list(map(_read_floor, options.fail_under))
    kind = find_format(options, FORMATS)
    runs, call = check_gates(options, [name for name, _ in floors])
    return _write(evaluate_all(options, runs, call), options, floors, kind)


def run_table(options: argparse.Namespace) -> int:
    """Evaluate a table of predictions with labels, print, and return the exit status."""
    floors = list(map(_read_floor, options.fail_under))
    kind = find_format(options, FORMATS)
    name = " ".join(options.files)
    paths = expand_paths(options.files, TABLES)
    call = check_options(options, [name for name, _ in floors], paths)
    if options.rank is not None and options.score is not None:
        raise UsageError("--score and --rank both say what orders the documents; give one of them")
    roles = ("run", "query", "label", "rank", "doc", "weight", "segment")
    columns: dict[str, Any] = {}
    for role in roles:
        column = getattr(options, role)
        if column is None:
            continue  # found by the usual names of the role
        if role in ("doc", "run") and column == "none":
            column = None  # the table has no such column, whatever the names of its columns
        columns[role] = column
    if options.score is not None:
        columns["score"] = _read_score_columns(options.score)
    duplicates = options.duplicates
    result: Evaluation | Evaluations = evaluate_frame(
        paths, duplicates=duplicates, **call, **columns
    )
    # A row for each system, or for the only one; then a row for each segment of theirs.
    if isinstance(result, Evaluations):
        evaluations = dict(result)
        for system, evaluation in result.items():
            if evaluation.segments is not None:
                for label, part in evaluation.by().items():
                    evaluations[f"{system}, {label}"] = part
    else:
        evaluations = {name: result}
        if result.segments is not None:
            segments = result.by()
            if name in segments:
                raise UsageError(
                    f"--segment: a label is {name!r}, as the file; give it another path"
                )
            evaluations |= segments
    return _write(evaluations, options, floors, kind)


def _read_score_columns(arguments: Sequence[str]) -> str | list[str] | dict[str, str]:
    """The column of --score; of several systems a column each, by name if they have names."""
    n_names = sum("=" in text for text in arguments)
    if not n_names and len(arguments) == 1:
        return arguments[0]
    if not n_names:
        return list(arguments)
    if n_names < len(arguments):
        raise UsageError("--score: give all as NAME=COLUMN, or all as COLUMN")
    columns: dict[str, str] = {}
    for text in arguments:
        name, _, column = text.partition("=")
        if not name or name in columns:
            raise UsageError("--score NAME=COLUMN: each system needs a name of its own")
        columns[name] = column
    return columns


def _write(
    result: dict[str, Evaluation],
    options: argparse.Namespace,
    floors: Sequence[tuple[str, float]],
    kind: str,
) -> int:
    """Write the results, check the thresholds, and return the exit status."""
    if getattr(options, "sort", None) is not None:
        try:
            result = dict(Evaluations(result).sort(options.sort))
        except KeyError as error:
            raise UsageError(f"--sort: {error.args[0]}") from None
    # Bold is for terminals that show it, unless NO_COLOR asks for plain text.
    no_color = os.environ.get("NO_COLOR", "") != ""
    is_plain = no_color or os.environ.get("TERM", "") in ("", "dumb")
    is_terminal = options.output is None and sys.stdout.isatty()
    text = format_all(
        result,
        kind,
        per_query=options.per_query,
        bold=kind == "table" and is_terminal and not is_plain,
        safe=not options.as_is,
    )
    write(text, options.output)
    status = 0
    for path, evaluation in result.items():
        for name, floor in floors:
            key = evaluation.key_of(name)
            mean = evaluation.means[key]
            if not mean >= floor:  # nan fails, too
                line = f"{printable(path)}: {key} is {mean:.6g}, under {floor:g}"
                print(f"rankgain: {line}", file=sys.stderr)
                status = FAILED
    return status


def check_gates(
    options: argparse.Namespace, gate_measures: Sequence[str]
) -> tuple[dict[str, str], CallOptions]:
    """The paths of runs by name, and the checked arguments of an evaluation.

    gate_measures: the measures that thresholds name.
    """
    paths = expand_paths(options.runs)
    if options.names is None:
        runs = names_of_paths(paths)  # if two files have one name, the paths
    else:
        names = [name.strip() for name in options.names.split(",")]
        if len(names) != len(paths):
            verb = "is" if len(paths) == 1 else "are"
            raise UsageError(
                f"--names has {count_of(len(names), 'name')}, but there {verb} "
                f"{count_of(len(paths), 'run')}"
            )
        for name in names:
            if not name or names.count(name) > 1:
                raise UsageError(f"--names: each run needs a name of its own, not {name!r}")
        runs = dict(zip(names, paths, strict=True))
    inputs = [options.qrels, *paths]
    if options.exclude not in (None, OF_QUERY):
        inputs.append(options.exclude)
    return runs, check_options(options, gate_measures, inputs)


def check_options(
    options: argparse.Namespace, gate_measures: Sequence[str], inputs: Sequence[str]
) -> CallOptions:
    """The arguments of an evaluation, checked before a file is read; inputs: the files."""
    options_of_measures = {"-m": options.measure}
    options_of_measures["--fail-if-worse"] = getattr(options, "fail_if_worse", [])
    for option, names in options_of_measures.items():
        with usage_errors(option=option):
            for name in names:
                parse_measures(name)
    with usage_errors():
        rules = get_convention(options.convention)
        if getattr(options, "judged_only", False):
            rules = rules.replace(unjudged="drop")
        measures = [*options.measure, *gate_measures]
        if not measures:
            raise UsageError("no measures given; pass at least one, such as -m nDCG@10")
        for measure in read_measures(measures, rules).measures:
            complete_settings(measure, {}, rules)
        threads = None
        if options.threads not in ("all", "-1"):
            if not options.threads.isdecimal() or int(options.threads) < 1:
                raise UsageError(
                    f"--threads must be a number of at least 1, or all, not {options.threads!r}"
                )
            threads = int(options.threads)
    for path in inputs:
        if options.output is not None and is_same_file(options.output, path):
            source = "standard input" if path == "-" else path
            raise UsageError(f"--output {options.output} is {source}, which is read; name another")
        if inputs.count(path) > 1:
            if path == "-":
                raise UsageError("standard input can be read only once; give - once")
            raise UsageError(
                f"{path} is given more than once, by its path or by a directory or pattern; remove "
                "the repeat"
            )
    return {"measures": measures, "convention": rules, "threads": threads}


def evaluate_all(
    options: argparse.Namespace, runs: dict[str, str], call: CallOptions
) -> dict[str, Evaluation]:
    """Evaluate each run."""
    qrels = read_judgments(options)
    excluded = read_excluded(options.exclude)
    bounds = getattr(options, "bounds", None) or ()
    result: dict[str, Evaluation] = {}
    with progress(list(runs.values())) as tracked:
        for name, path in zip(runs, tracked, strict=True):
            # Of several runs a warning says which it is about.
            context = named_in_warnings("run", name) if len(runs) > 1 else nullcontext()
            with context:
                source = find_source(path, options)
                result[name] = evaluate(qrels, source, exclude=excluded, bounds=bounds, **call)
    return result


def read_judgments(options: argparse.Namespace) -> Qrels:
    """The qrels, read as --duplicates says; "in_place" is of runs alone."""
    policy: Duplicates = options.duplicates
    if policy == "in_place":
        policy = "raise"
    return Qrels(options.qrels, subtopics=options.subtopics, duplicates=policy)


def find_source(path: str, options: argparse.Namespace) -> str | Run:
    """A run, read here if it is not read as `evaluate` does; "mean" is of qrels alone."""
    policy: Duplicates = options.duplicates
    if policy == "mean":
        policy = "raise"
    separator = getattr(options, "documents", None)  # of some commands
    if separator is not None:
        return Run(path, duplicates=policy, documents=separator)
    if policy != "raise":
        return Run.read(path, duplicates=policy)
    return path


def find_format(options: argparse.Namespace, formats: Sequence[str]) -> str:
    """The format of --format, else of the suffix of --output; formats: those of the command."""
    if options.format is not None:
        return str(options.format)
    suffix = os.path.splitext(options.output or "")[1].lower()
    # The end of a date or a version, as in means-2026.11, is not a type of file.
    if suffix in TEXT_SUFFIXES or suffix.removeprefix(".").isdigit():
        return "table"
    kind = SUFFIXES.get(suffix)
    if kind is None or kind not in formats:
        written = [name for name, written_kind in SUFFIXES.items() if written_kind in formats]
        raise UsageError(
            f"--output {options.output}: {suffix} files cannot be written; use {', '.join(written)}"
            ", or .txt for a plain-text table, or give --format"
        )
    return kind


def write(text: str, output: str | None) -> None:
    """Write text to standard output or a file."""
    if output is not None:
        with write_atomically(output) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed it; gates are still checked
        forget_output()


def is_same_file(output: str, path: str) -> bool:
    """Whether the output and an input are the same file."""
    try:
        # Standard input may be a file, too: rankgain ... - < qrels.txt.
        status = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
        return os.path.isfile(output) and os.path.samestat(os.stat(output), status)
    except (OSError, ValueError, AttributeError):  # no such file, or standard input is no file
        return False


def _read_floor(text: str) -> tuple[str, float]:
    """The measure and the threshold of --fail-under."""
    name, separator, number = text.rpartition("=")  # names may contain equal signs
    if not separator:
        example = "nDCG@10=0.3"
        if text.replace(".", "", 1).isdigit():  # a number: the measure is missing, not the value
            example = f"nDCG@10={text}"
        elif is_measure(text):
            example = f"{text}=0.3"
        raise UsageError(f"--fail-under {text}: expected NAME=VALUE, such as {example}")
    place = f"--fail-under {text}: expected NAME=VALUE; "
    with usage_errors(place, "--fail-under", f"={number}"):
        parse_measure(name)
        floor = float(number)
    if math.isnan(floor):
        raise UsageError(f"--fail-under {text}: no mean is under nan; give a number")
    return name, floor


# A progress bar is shown from this number of bytes or runs on.
MIN_BYTES = 1 << 26
MIN_RUNS = 10


def find_run(name: str, runs: dict[str, str]) -> str:
    """Find a run by its name, its file name, or a part of the file name between dots."""
    if name in runs:
        return name
    file_names = {run: os.path.basename(path) for run, path in runs.items()}
    by_file_name = [run for run, file_name in file_names.items() if file_name == name]
    if len(by_file_name) == 1:
        return by_file_name[0]
    by_part = [run for run, file_name in file_names.items() if name in file_name.split(".")]
    if len(by_part) == 1:
        return by_part[0]
    raise UsageError(f"--baseline {describe(name)} is not among the runs: {', '.join(runs)}")


@contextmanager
def progress(paths: Sequence[str]) -> Iterator[Iterable[str]]:
    """Iterate over the paths, with a bar on standard error for a large job on a terminal."""
    size = sum(map(os.path.getsize, filter(os.path.exists, paths)))
    is_large = len(paths) >= MIN_RUNS or size >= MIN_BYTES
    bar = None
    if is_large and sys.stderr.isatty():
        with suppress(ImportError):  # rich is optional
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
    if bar is None:
        yield paths
        return
    with bar:
        yield bar.track(paths, description="evaluating")


class Compared(NamedTuple):
    """What `rankgain compare` compares: evaluations, and the files that they are of."""

    evaluations: Mapping[str, Evaluation]
    baseline: str | None
    files: Sequence[str]  # that are read
    qrels: Qrels | str | None = None  # with the runs, from which a report explains rankings
    runs: Mapping[str, Run | str] | None = None


def run_compare(options: argparse.Namespace) -> int:
    """Evaluate or read scores, compare, print, and return the exit status."""
    from ..analysis.compare import compare  # only when needed

    if options.fail_if_worse and options.baseline is None:
        raise UsageError("--fail-if-worse needs --baseline NAME, the run to compare others with")
    kind = find_format(options, list(WRITERS))
    segments = None
    if options.by is not None:
        segments = read_segments(options.by)
    correction = options.correction
    if correction == "none":
        correction = None
    measures = None
    if options.runs:
        compared = _evaluate_runs(options, kind)
    else:
        compared = _read_scores(options, kind)
        measures = options.measure or None
    result = compare(
        compared.evaluations,
        baseline=compared.baseline,
        measures=measures,
        test=options.test,
        correction=correction,
        resamples=options.resamples,
        level=options.level,
        seed=options.seed,
        queries=options.queries,
        by=segments,
        margin=options.margin,
    )
    if options.report is not None:
        result.report(options.report, qrels=compared.qrels, runs=compared.runs)
    text = WRITERS[kind](result, not options.as_is)
    if options.changes is not None:
        text += f"\n{format_changes(result, options.changes, kind)}"
    if options.verdict:
        verdict = result.verdict()
        if kind == "markdown":
            verdict = markdown_text(verdict)
        text = f"{verdict}\n\n{text}"
    write(text, options.output)
    return _check_worse(result, compared.evaluations, options)


def _evaluate_runs(options: argparse.Namespace, kind: str) -> Compared:
    """Evaluate runs against qrels."""
    for argument in ("run", "query", "values", "measure_column", "value_column", "better"):
        if getattr(options, argument) not in (None, []):
            raise UsageError(
                f"--{argument.replace('_', '-')} applies only if the one file given is a table of "
                "scores"
            )
    runs, call = check_gates(options, list(options.fail_if_worse))
    if len(runs) < 2:
        raise UsageError("compare needs at least two runs")
    baseline = options.baseline
    if baseline is not None:
        baseline = find_run(baseline, runs)
    sources = (options.qrels, *runs.values())
    _check_outputs(options, sources)
    _check_words(options, kind, len(runs), baseline)
    qrels = options.qrels
    if options.subtopics:
        qrels = read_judgments(options)
    compared = Compared(evaluate_all(options, runs, call), baseline, sources)
    if "-" in sources:
        return compared  # standard input cannot be read again by a report
    return compared._replace(qrels=qrels, runs=runs)


def _read_scores(options: argparse.Namespace, kind: str) -> Compared:
    """Read a table of scores that another program computed."""
    path = options.qrels
    if not is_table_path(path):
        raise UsageError(
            f"{path} is the only file: give the runs after it, or a table of scores, whose name "
            "ends in .csv, .tsv, .parquet or .jsonl"
        )
    # The arguments of runs with their defaults: another value was given on the command line.
    of_runs = {
        "names": None,
        "convention": "trec",
        "exclude": None,
        "duplicates": "raise",
        "documents": None,
        "threads": "all",
        "judged_only": False,
    }
    for argument, default in of_runs.items():
        if getattr(options, argument) != default:
            raise UsageError(
                f"--{argument.replace('_', '-')} is for runs, and not for a table of scores"
            )
    _check_outputs(options, [path])
    evaluations = Evaluations.from_frame(
        path,
        run=options.run,
        query=options.query,
        values=options.values,
        measure=options.measure_column,
        value=options.value_column,
        better=_read_better(options.better),
    )
    first = next(iter(evaluations.values()))
    for name in [*options.measure, *options.fail_if_worse]:
        if name not in first:
            hint = "; give one -m for each measure" if "," in name else ""
            raise UsageError(
                f"{describe(name)} is not among the measures: {', '.join(first)}{hint}"
            )
    # Without -m all measures are compared, and so are those of gates; with -m gates add theirs.
    for name in options.fail_if_worse:
        if options.measure and name not in options.measure:
            options.measure.append(name)
    baseline = options.baseline
    if baseline is not None and baseline not in evaluations:
        raise UsageError(
            f"--baseline {describe(baseline)} is not among the systems: {', '.join(evaluations)}"
        )
    _check_words(options, kind, len(evaluations), baseline)
    return Compared(evaluations, baseline, [path])


def _read_better(arguments: Sequence[str]) -> Any:
    """The directions of --better: of all measures, or by name."""
    if len(arguments) == 1 and "=" not in arguments[0]:
        return arguments[0]
    # Without a name the direction is that of all measures: --better lower.
    directions: dict[str, str] = {}
    for text in arguments:
        name, separator, direction = text.rpartition("=")  # names may contain equal signs
        if not separator:
            raise UsageError(f"--better {text}: expected NAME=lower, or one --better lower for all")
        directions[name] = direction
    return directions


def _check_words(
    options: argparse.Namespace, kind: str, systems: int, baseline: str | None
) -> None:
    """Refuse --verdict in formats without sentences, and --changes also without a pair."""
    if options.verdict and kind not in ("table", "markdown"):
        raise UsageError(f"--verdict is printed as table or markdown, not as {kind}")
    if options.changes is None:
        return
    if kind not in ("table", "markdown"):
        raise UsageError(f"--changes is printed as table or markdown, not as {kind}")
    if systems > 2 and baseline is None:
        raise UsageError("--changes needs two runs, or --baseline NAME")


def _check_outputs(options: argparse.Namespace, sources: Sequence[str]) -> None:
    """Refuse a file that would be written over a source, or twice."""
    read = list(sources)
    if options.by is not None:
        read.append(options.by)
    if options.exclude not in (None, OF_QUERY):
        read.append(options.exclude)
    for source in read:
        if options.report is not None and is_same_file(options.report, source):
            raise UsageError(f"--report {options.report} is {source}, which is read; name another")
        if options.output is not None and is_same_file(options.output, source):
            raise UsageError(f"--output {options.output} is {source}, which is read; name another")
    outputs = [path for path in (options.report, options.output) if path is not None]
    if len(outputs) > len(set(map(os.path.realpath, outputs))):
        raise UsageError(f"--report and --output are both {options.output}; name two files")


def _check_worse(
    result: Comparison, evaluations: Mapping[str, Evaluation], options: argparse.Namespace
) -> int:
    """Print what is significantly worse by --fail-if-worse, and return the exit status."""
    from ..analysis.compare import correct_again

    # The names in the rows: the convention may add a cutoff.
    first = next(iter(evaluations.values()))
    gates = {first.key_of(name) for name in options.fail_if_worse}
    if options.gate_on == "gates":
        # p-values are corrected for the rows of the gates alone, as if nothing else were compared.
        rows = [row for row in result.rows if row.measure in gates]
        result = replace(result, rows=tuple(correct_again(rows, result.test, result.correction)))
    status = 0
    for row in result.rows:
        if row.measure in gates and result.is_significant(row) and not result.is_better(row):
            measure = row.measure
            if row.segment:
                measure = f"{measure} ({row.segment})"
            line = printable(
                f"{row.a}: {measure} is {row.mean_a:.6g}, significantly worse than "
                f"{row.mean_b:.6g} of {row.b} (corrected p {row.p_corrected:.2g})"
            )
            print(f"rankgain: {line}", file=sys.stderr)
            status = WORSE
    return status


def read_segments(path: str) -> dict[str, str]:
    """Read the segment of each query: a JSON object, or lines of query, separator and segment."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8: {error}") from None
    segments: dict[str, str] = {}
    if text.lstrip().startswith("{"):
        try:
            data = json.loads(text, object_pairs_hook=refuse_repeated_keys)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        for query, segment in data.items():
            if find_kind(segment) not in ("str", "int"):
                raise ValueError(
                    f"{path}: the segment of query {query!r} is {segment!r}; give a text or an int"
                )
            segments[query] = str(segment)
        return segments
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        # A tab or a comma separates even if a blank comes first: ids and segments may have blanks.
        separator = None  # any blanks
        if "\t" in line:
            separator = "\t"
        elif "," in line:
            separator = ","
        parts = list(map(str.strip, line.split(separator, 1)))
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"{path}:{number}: expected a query and a segment, not {line[:60]!r}")
        query, segment = parts
        if query in segments:
            raise ValueError(f"{path}:{number}: query {query!r} has a segment already")
        segments[query] = segment
    return segments
