"""`rankgain compare`: compare runs, print or write the result, and fail where one is worse."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..analysis.compare import compare, correct_again
from ..analysis.comparison import Comparison
from ..inputs.files import one_of_each
from ..inputs.printable import find_kind, printable
from .evaluate import check_gates, evaluate_all, find_format, find_run, is_one, write
from .output import UsageError

WORSE = 4  # exit status: a run is significantly worse than the baseline
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
    if options.fail_if_worse and options.baseline is None:
        raise UsageError("--fail-if-worse needs --baseline NAME, the run that must not be better")
    requested = check_gates(options, list(options.fail_if_worse))
    if len(requested.runs) < 2:
        raise UsageError("compare needs at least two runs")
    baseline = options.baseline and find_run(options.baseline, requested.runs)
    kind = find_format(options, list(WRITERS))
    sources = (options.qrels, *requested.runs.values())
    for source in sources:
        if options.report is not None and is_one(options.report, source):
            raise UsageError(f"--report {options.report} is {source}, which is read; name another")
    files = [os.path.realpath(one) for one in (options.report, options.output) if one is not None]
    if len(files) > len(set(files)):
        raise UsageError(f"--report and --output are both {options.output}; name two files")
    segments = None if options.by is None else read_segments(options.by)
    evaluations = evaluate_all(options, requested)
    result = compare(
        evaluations,
        baseline=baseline,
        test=options.test,
        correction=None if options.correction == "none" else options.correction,
        resamples=options.resamples,
        level=options.level,
        seed=options.seed,
        queries=options.queries,
        by=segments,
    )
    if options.report is not None:
        rankings = {} if "-" in sources else {"qrels": options.qrels, "runs": requested.runs}
        result.report(options.report, **rankings)  # the report reads them again
    write(WRITERS[kind](result, not options.as_is), options.output)
    # The names in the rows: the convention may add a cutoff.
    first = next(iter(evaluations.values()))
    gates = {first.key_of(name) for name in options.fail_if_worse}
    if options.gate_on == "gates":
        rows = [row for row in result.rows if row.measure in gates]
        result = replace(result, rows=tuple(correct_again(rows, result.test, result.correction)))
    worse = list(_worse(result, gates))
    for line in worse:
        print(f"rankgain: {line}", file=sys.stderr)
    return WORSE if worse else 0


def _worse(result: Comparison, gates: set[str]) -> Iterator[str]:
    """A message for each run that is significantly worse than the baseline."""
    for row in result.rows:
        if row.measure in gates and result.is_significant(row) and not result.is_better(row):
            where = f" ({row.segment})" if row.segment else ""
            yield printable(
                f"{row.a}: {row.measure}{where} is {row.mean_a:.6g}, significantly worse than "
                f"{row.mean_b:.6g} of {row.b} (corrected p {row.p_corrected:.2g})"
            )


def read_segments(path: str) -> dict[str, str]:
    """Read the segment of each query: a JSON object, or lines of query, separator and segment."""
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    if text.lstrip()[:1] == "{":
        try:
            data = json.loads(text, object_pairs_hook=one_of_each)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        for query, segment in data.items():
            if find_kind(segment) not in ("str", "int"):
                raise ValueError(
                    f"{path}: the segment of query {query!r} is {segment!r}; give a text or an int"
                )
        return {query: str(segment) for query, segment in data.items()}
    segments: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        separator = next((one for one in ("\t", ",") if one in line), None)
        parts = [part.strip() for part in line.split(separator, 1)]
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"{path}:{number}: expected a query and a segment, not {line[:60]!r}")
        query, segment = parts
        if query in segments:
            raise ValueError(f"{path}:{number}: query {query!r} has a segment already")
        segments[query] = segment
    return segments
