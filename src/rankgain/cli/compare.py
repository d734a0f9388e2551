"""`rankgain compare`: compare runs with each other or a baseline, print, write, and gate."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..analysis.compare import compare, recorrected
from ..analysis.comparison import Comparison
from ..inputs.files import one_of_each
from ..inputs.kinds import kind_of
from ..inputs.printable import printable
from .evaluate import checked, evaluated, format_of, is_one, write
from .output import UsageError
from .runs import one_of

WORSE = 4
WRITERS: dict[str, Callable[[Comparison, bool], str]] = {
    "table": lambda result, safe: f"{result}\n",
    "csv": lambda result, safe: str(result.to_csv(safe=safe)),
    "json": lambda result, safe: str(result.to_json()),
    "markdown": lambda result, safe: str(result.to_markdown()),
    "latex": lambda result, safe: str(result.to_latex()),
    "html": lambda result, safe: result._repr_html_() + "\n",
}


def command(options: argparse.Namespace) -> int:
    """Evaluate, compare, print, and return the exit status."""
    requested = checked(options, _gates(options))
    if len(requested.runs) < 2:
        raise UsageError("compare needs at least two runs")
    baseline = options.baseline and one_of(options.baseline, requested.runs)
    kind = format_of(options, list(WRITERS))
    sources = (options.qrels, *requested.runs.values())
    for source in sources:
        if options.report is not None and is_one(options.report, source):
            raise UsageError(f"--report {options.report} is {source}, which is read; name another")
    files = [os.path.realpath(one) for one in (options.report, options.output) if one is not None]
    if len(files) > len(set(files)):
        raise UsageError(f"--report and --output are both {options.output}; name two files")
    labels = None if options.by is None else read_labels(options.by)
    result = compare(
        evaluated(options, requested),
        baseline=baseline,
        test=options.test,
        correction=None if options.correction == "none" else options.correction,
        resamples=options.resamples,
        level=options.level,
        seed=options.seed,
        queries=options.queries,
        by=labels,
    )
    if options.report is not None:
        rankings = {} if "-" in sources else {"qrels": options.qrels, "runs": requested.runs}
        result.report(options.report, **rankings)  # the report reads them again
    write(WRITERS[kind](result, not options.as_is), options.output)
    gates = _gated(result, options.fail_if_worse)
    if options.gate_on == "gates":
        rows = [row for row in result.rows if row.measure in gates]
        result = replace(result, rows=tuple(recorrected(rows, result.test, result.correction)))
    worse = list(_worse(result, gates))
    for line in worse:
        print(f"rankgain: {line}", file=sys.stderr)
    return WORSE if worse else 0


def _gates(options: argparse.Namespace) -> list[str]:
    """The measures of --fail-if-worse; they need a baseline."""
    if options.fail_if_worse and options.baseline is None:
        raise UsageError("--fail-if-worse needs --baseline NAME, the run that must not be better")
    return list(options.fail_if_worse)


def _gated(result: Comparison, measures: list[str]) -> set[str]:
    """The names of the gate measures in the rows."""
    assert result.evaluations is not None  # only a comparison from a file has none
    first = next(iter(result.evaluations.values()))  # the convention may add a cutoff
    return {first.key_of(name) for name in measures}


def _worse(result: Comparison, gates: set[str]) -> Iterator[str]:
    """A line for each run that is significantly worse than the baseline."""
    for row in result.rows:
        if row.measure in gates and result.is_significant(row) and not result.is_better(row):
            where = f" ({row.segment})" if row.segment else ""
            yield printable(
                f"{row.a}: {row.measure}{where} is {row.mean_a:.6g}, significantly worse than "
                f"{row.mean_b:.6g} of {row.b} (corrected p {row.p_corrected:.2g})"
            )


def read_labels(path: str) -> dict[str, str]:
    """Read labels of queries: a JSON object, or lines of query, separator and label."""
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    if text.lstrip()[:1] == "{":
        try:
            data = json.loads(text, object_pairs_hook=one_of_each)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        for query, label in data.items():
            if kind_of(label) not in ("str", "int"):
                raise ValueError(
                    f"{path}: the label of query {query!r} is {label!r}; give a text or an integer"
                )
        return {query: str(label) for query, label in data.items()}
    labels: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        query, label = _pair(line, f"{path}:{number}")
        if query in labels:
            raise ValueError(f"{path}:{number}: query {query!r} has a label already")
        labels[query] = label
    return labels


def _pair(line: str, place: str) -> tuple[str, str]:
    """Split a line into query and label."""
    separator: Any = next((one for one in ("\t", ",") if one in line), None)
    parts = [part.strip() for part in line.split(separator, 1)]
    if len(parts) != 2 or not all(parts):
        raise ValueError(f"{place}: expected a query and its label, not {line[:60]!r}")
    return parts[0], parts[1]
