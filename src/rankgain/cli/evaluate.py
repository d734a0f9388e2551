"""`rankgain evaluate`: runs against qrels, printed, written, and held against thresholds."""

import argparse
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..convention import Convention, get_convention
from ..evaluation.asked import measures_under
from ..evaluation.one_pass import settings_of
from ..evaluation.runs import evaluate
from ..names.measure import parse_measure
from ..records.by_query import Qrels
from ..records.printable import printable
from ..results.evaluation import Evaluation
from ..results.formats import formatted
from .errors import UsageError

FAILED = 3
LARGE = 1 << 26  # bytes from which on people want to see that something happens
MANY = 10


def command(options: argparse.Namespace) -> int:
    """Evaluate, print, and return the exit status."""
    rules, floors, measures, threads = asked_of(options, [options.qrels, *options.runs])
    qrels = Qrels.read(options.qrels)
    found: dict[str, Evaluation] = {}
    with _progress(options.runs) as tracked:
        for path in tracked:
            found[path] = evaluate(qrels, path, measures, convention=rules, threads=threads)
    return answer(found, options, floors)


def answer(
    found: dict[str, Evaluation],
    options: argparse.Namespace,
    floors: Sequence[tuple[str, float]],
) -> int:
    """Write what was found where it was asked, and return the exit status."""
    bold = options.output is None and options.format == "table" and _shows_bold()
    text = formatted(
        found, options.format, per_query=options.per_query, bold=bold, safe=not options.as_is
    )
    if options.output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        with open(options.output, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    under = list(_under(found, floors))
    for line in under:
        print(f"rankgain: {line}", file=sys.stderr)
    return FAILED if under else 0


def asked_of(
    options: argparse.Namespace, inputs: Sequence[str]
) -> tuple[Convention, list[tuple[str, float]], list[str], int | None]:
    """Check all that can be checked before a file is read."""
    try:
        rules = get_convention(options.convention)
        if getattr(options, "judged_only", False):
            rules = rules.replace(unjudged="drop")
        floors = [_floor(text) for text in options.fail_under]
        if not options.measure and not floors:
            raise UsageError("no measure is named: give at least one, such as -m nDCG@10")
        measures = [*options.measure, *(name for name, _ in floors)]
        for measure in measures_under(measures, rules).measures:
            settings_of(measure, {}, rules)
        threads = _threads(options.threads)
    except (ValueError, TypeError) as error:
        raise UsageError(str(error)) from None
    for path in inputs:
        if options.output is not None and _is_one(options.output, path):
            source = "standard input" if path == "-" else path
            raise UsageError(f"--output {options.output} is {source}, which is read; name another")
        if inputs.count(path) > 1:
            raise UsageError(f"{path} is given {inputs.count(path)} times")
    return rules, floors, measures, threads


def _is_one(output: str, path: str) -> bool:
    """Whether what would be written is what is read, under whatever name."""
    try:
        there = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
        return os.path.isfile(output) and os.path.samestat(os.stat(output), there)
    except (OSError, ValueError, AttributeError):  # no such file; standard input is none
        return False


def _threads(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--threads must be a number of at least 1, or all, not {text!r}")
    return int(text)


def _floor(text: str) -> tuple[str, float]:
    name, found, number = text.rpartition("=")  # names have equal signs of their own
    if not found:
        raise UsageError(f"--fail-under {text}: NAME=VALUE is wanted, such as {text}=0.3")
    try:
        parse_measure(name)
        least = float(number)
    except ValueError as error:
        raise UsageError(f"--fail-under {text}: NAME=VALUE is wanted; {error}") from None
    if math.isnan(least):
        raise UsageError(f"--fail-under {text}: no mean is under nan; give a number")
    return name, least


def _under(found: dict[str, Evaluation], floors: Sequence[tuple[str, float]]) -> Iterator[str]:
    for path, evaluation in found.items():
        for name, floor in floors:
            key = evaluation.key_of(name)
            mean = evaluation.means[key]
            if not mean >= floor:  # a mean that is nan is no success
                yield f"{printable(path)}: {key} is {mean:.6g}, under {floor:g}"


def _shows_bold() -> bool:
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM", "") in ("", "dumb")
    return sys.stdout.isatty() and not plain


@contextmanager
def _progress(paths: Sequence[str]) -> Iterator[Any]:
    """The paths, with a bar on standard error where somebody watches a large job."""
    large = len(paths) >= MANY or sum(map(_size, paths)) >= LARGE
    if not large or not sys.stderr.isatty():
        yield paths
        return
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:  # the bar is an extra
        yield paths
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        yield bar.track(paths, description="evaluating")


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
