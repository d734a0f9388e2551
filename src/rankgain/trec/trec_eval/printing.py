"""Print the lines of trec_eval: name, query, value."""

import math
from collections.abc import Iterable, Sequence
from typing import IO, NamedTuple

import numpy as np

from ..rows import Floats, RecordRows
from ..stream import StreamedRun
from .evaluation import select_valued
from .options import MeasureRequest, Options

QUERY = b"\0"  # placeholder of the query id in a template


def template(requested: Iterable[MeasureRequest]) -> bytes:
    """Return the lines of these measures with places for their values."""
    lines = ""
    for a in requested:
        form = "%s" if a.measure.name == "relstring" else "%d" if a.measure.is_integer else "%6.4f"
        names = (f"{name:<22}".replace("%", "%%") for name in a.names)
        lines += "".join(f"{name}\t\0\t{form}\n" for name in names)
    return lines.encode("utf-8", "surrogateescape")


def fill(lines: bytes, query: bytes, values: Sequence[float | bytes]) -> bytes:
    """Put the values into a template."""
    lines = lines.replace(QUERY, query.replace(b"%", b"%%"))
    if any(isinstance(value, float) and math.isnan(value) for value in values):
        # C prints the sign of a NaN; that of 0/0 depends on the processor.
        rows = []
        for row, value in zip(lines.splitlines(keepends=True), values, strict=True):
            if value != value:
                row = row.replace(b"%6.4f", b"%s")
                value = b"  -nan" if math.copysign(1.0, float(value)) < 0 else b"   nan"
            rows.append(row % value)
        return b"".join(rows)
    return lines % tuple(values)


def relevance_string(options: Options, length: float, result: StreamedRun, q: int) -> bytes:
    """Return the labels of the first documents of a query, a character each."""
    documents, first, hits = result.lists[q].tolist()
    missing = documents < 0
    ranks = [] if missing else result.ranks[first : first + hits].tolist()
    labels = [] if missing else result.labels[first : first + hits].tolist()
    documents = min(1, options.most) if missing else documents
    if options.judged_only:
        labels = [label for label in labels if label >= 0]
        ranks, documents = list(range(len(labels))), len(labels)
    text = ["-"] * max(0, int(min(length, documents)))
    for rank, label in zip(ranks, labels, strict=True):
        if rank < len(text):
            text[rank] = "." if label < 0 else ">" if label > 9 else str(int(label))
    return "".join(text).encode()


def write_queries(
    out: IO[bytes],
    options: Options,
    requested: list[MeasureRequest],
    queries: Iterable[tuple[int, bytes]],
    values: Floats,
    result: StreamedRun,
) -> None:
    """Print the values of each query."""
    printed = [a for a in requested if a.measure.per_query]
    lines = template(printed)
    columns = {
        name: i for i, name in enumerate(n for a in select_valued(requested) for n in a.names)
    }
    places = [columns.get(name, -1) for a in printed for name in a.names]
    length = next((a.numbers[0] for a in requested if a.measure.name == "relstring"), 0.0)
    # trec_eval empties this string for a missing query, unless it has a parameter.
    with_string = any(a.names == ("relstring",) for a in requested)
    for q, query in queries:
        row = values[q].tolist()
        text = b""
        if -1 in places and not (with_string and result.lists[q, 0] < 0):
            text = relevance_string(options, length, result, q)
        fields = [row[at] if at >= 0 else b"'" + text + b"'" for at in places]
        out.write(fill(lines, query, fields))


class RunSummary(NamedTuple):
    """Totals over the queries, for the last lines."""

    totals: list[float]  # of each value over the evaluated queries
    evaluated: int
    queries: int  # the divisor of means
    num_rel: int | None  # of all judgments, with -c
    tag: bytes


def summary(
    options: Options, qrels: RecordRows, order: list[int], values: Floats, tag: bytes
) -> RunSummary:
    """Add the values in order, as trec_eval does: a pairwise sum could differ in the last digit."""
    totals = np.add.accumulate(values[order])[-1].tolist() if values.shape[1] else []
    if not options.complete:
        return RunSummary(totals, len(order), len(order), None, tag)
    # With -c the program counts all labels above 0 again, whatever -l says.
    return RunSummary(totals, len(order), len(qrels.queries), int(np.sum(qrels.values > 0)), tag)


def write_summary(out: IO[bytes], requested: list[MeasureRequest], result: RunSummary) -> None:
    """Print the means over the queries."""
    sums = iter(result.totals)
    for a in requested:
        name = a.measure.name
        if name == "runid":
            out.write(b"%-22s\tall\t%s\n" % (b"runid", result.tag))
        elif name == "num_q":
            out.write(fill(template([a]), b"all", [float(result.queries)]))
        elif name != "relstring":
            values = [average(next(sums), a.measure.mean, result) for _ in a.names]
            if name == "num_rel" and result.num_rel is not None:
                values = [float(result.num_rel)]
            out.write(fill(template([a]), b"all", values))


def average(total: float, mean: str, result: RunSummary) -> float:
    """Turn a sum over the queries into the value of the summary."""
    if mean == "sum":
        return total
    if mean == "geometric":
        missing = result.queries - result.evaluated
        return math.exp((total + missing * math.log(0.00001)) / result.queries)
    return total / result.queries
