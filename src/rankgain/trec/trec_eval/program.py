"""The program: read, evaluate, print."""

import io
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import numpy as np

from ... import _core
from ...inputs.files import decompression_errors, open_source, parse_stream
from ..rows import Floats, JoinCache, RecordRows, collect, gather, smallest_repeated_ids
from ..stream import Stream, StreamedRun
from .options import MEASURES, MeasureRequest, Options, Stop, parse, with_parameters
from .values import EPSILON, calculate

THREADS = 2  # for reading a large run
QUERY = b"\0"  # placeholder of the query id in a template
HELP = """rankgain trec_eval [options] qrels results

Prints what trec_eval 10.0 prints. results may be - for standard input; both may be gzip files.

 -q          also each query           -n          no summary
 -c          a query without results counts 0 (without -c it ends the program)
 -l<label>   labels from this one on are relevant (1)
 -M<n>       only the first n documents of each list
 -J          leave documents without a judgment out
 -N<n>       documents in the collection (for utility)
 -m name[.parameters]   a measure, or official (the default), all_trec, set; may be repeated
 -D level.query         only this query, such as -D 1.q01
 -R qrels -T trec_results   the formats of the files, which have no others here
 -v          version               -h          this text

exit status: 0 printed, 1 a wrong call or an unknown measure, 2 a file that cannot be read, 4 a
document twice, or a judged query without results and without -c, 7 no query left by -D, 130
interrupted
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the program; return its exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    out = io.BytesIO()
    status = 0
    lines: tuple[str, ...] = ()
    try:
        run(parse(arguments), out)
    except Stop as stop:
        status = stop.status
        lines = stop.lines
    sys.stdout.flush()
    sys.stdout.buffer.write(out.getvalue())
    sys.stdout.buffer.flush()
    for line in lines:
        print(line, file=sys.stderr)
    return status


def run(options: Options, out: IO[bytes]) -> None:
    """Evaluate and print with these options."""
    if options.help:
        out.write(HELP.encode())
        return
    if options.rel_format != "qrels":
        raise Stop(2, f"trec_eval: Illegal rel_format '{options.rel_format}'")
    path, runs = options.files
    reader = _core.Rows(True, True)
    with trec_eval_errors(path, "trec_eval.get_qrels", "qrels"):
        with open_source(path) as file:
            for _ in parse_stream(file, reader):
                pass
        qrels = gather(collect(reader.names_of_queries(), reader.columns()))
        if not len(qrels.values):
            raise EOFError
    repeated = _core.index_lists(qrels.ids, qrels.id_starts, qrels.lists)
    if options.results_format != "trec_results":
        name = options.results_format
        raise Stop(2, f"trec_eval: Illegal retrieval results format '{name}'")
    judged = JoinCache(qrels)
    numbers = {query: q for q, query in enumerate(qrels.queries)}
    stream = Stream(qrels, judged, numbers, options.max_documents, True)
    with trec_eval_errors(runs, "trec_eval.get_results", "results"):
        result = stream.read("-" if runs.startswith("-") else runs, threads=THREADS)
        if not result.rows:
            raise EOFError
    measures: list[MeasureRequest] = []
    valued: list[MeasureRequest] = []  # with a number for each query
    for name, measure in MEASURES.items():
        if name in options.marked:
            request = with_parameters(measure, options.parameters.get(name))
            measures.append(request)
            if measure.mean not in ("none", "queries"):
                valued.append(request)
    twice = {} if repeated is None else smallest_repeated_ids(qrels)
    order, end = select_queries(options, measures, qrels, result, twice)
    values, done = calculate(options, valued, judged.descending, qrels.lists, result, order)
    if done < len(order) and (line := cannot_calculate(measures)):
        order = order[:done]
        end = Stop(4, line)
    if options.per_query:
        write_queries(out, options, measures, qrels.queries, values, result, order)
    if end is not None:
        raise end
    if options.summary:
        write_summary(out, options, measures, qrels, values[order], result.tag)


@contextmanager
def trec_eval_errors(path: str, function: str, kind: str) -> Iterator[None]:
    """Turn errors of reading into the messages of trec_eval."""
    try:
        yield
    except decompression_errors(OSError):
        words = f"Cannot read {kind} file '{path}'"
    except ValueError as error:
        words = str(error)
    else:
        return
    raise Stop(2, f"{function}: {words}", f"trec_eval: Quit in file '{path}'")


def select_queries(
    options: Options,
    measures: list[MeasureRequest],
    qrels: RecordRows,
    result: StreamedRun,
    repeated: dict[int, bytes],
) -> tuple[list[int], Stop | None]:
    """The queries by id, up to an error, and this; repeated: query -> a document judged twice."""
    ids = [query.encode("utf-8", "surrogateescape") for query in qrels.queries]
    order = sorted(range(len(ids)), key=ids.__getitem__)
    if options.only_query is not None:
        order = [q for q in order if qrels.queries[q] == options.only_query]
    if not order:
        raise Stop(7, "trec_eval: No queries with both results and relevance info")
    missing: set[int] = set()
    if not options.complete:
        missing.update(np.flatnonzero(result.lists[:, 0] < 0).tolist())
    utilities = [request for request in measures if request.measure.name == "utility"]
    is_wrong_utility = any(len(request.numbers) != 4 for request in utilities)
    line = cannot_calculate(measures)
    for position, q in enumerate(order):
        if q in missing:
            words = [f"trec_eval: result qid '{qrels.queries[q]}' not found in qrels"]
        elif not line:
            continue
        elif q in result.repeated:
            document = result.repeated[q].decode("utf-8", "surrogateescape")
            # trec_eval prints no line feed here.
            words = [f"trec_eval.form_res_qrels: duplicate docs {document}{line}"]
        elif q in repeated:
            document = repeated[q].decode("utf-8", "surrogateescape")
            words = [f"trec_eval.form_res_rels: duplicate docs {document}", line]
        elif is_wrong_utility:
            words = ["trec_eval.calc_utility: improper number of coefficients"]
            words.append("trec_eval: Can't calculate measure 'utility'")
        else:
            continue
        return order[:position], Stop(4, *words)
    return order, None


def cannot_calculate(measures: list[MeasureRequest]) -> str:
    """The error for a list that cannot be formed: the first measure that needs it, if any does."""
    for request in measures:
        name = request.measure.name
        if name not in ("runid", "num_q"):
            return f"trec_eval: Can't calculate measure '{name}'"
    return ""


def template(measures: list[MeasureRequest]) -> bytes:
    """Return the lines of these measures with places for their values."""
    lines = ""
    for request in measures:
        form = "%6.4f"
        if request.measure.name == "relstring":
            form = "%s"
        elif request.measure.is_integer:
            form = "%d"
        for name in request.names:
            padded = f"{name:<22}".replace("%", "%%")
            lines += f"{padded}\t\0\t{form}\n"
    return lines.encode("utf-8", "surrogateescape")


def fill(lines: bytes, query: bytes, values: Sequence[float | bytes]) -> bytes:
    """Put the values into a template."""
    lines = lines.replace(QUERY, query.replace(b"%", b"%%"))
    if not any(isinstance(value, float) and math.isnan(value) for value in values):
        return lines % tuple(values)
    # C prints the sign of a NaN; that of 0/0 depends on the processor.
    rows = []
    for row, value in zip(lines.splitlines(keepends=True), values, strict=True):
        if value != value:
            row = row.replace(b"%6.4f", b"%s")
            is_negative = math.copysign(1.0, float(value)) < 0
            value = b"  -nan" if is_negative else b"   nan"
        rows.append(row % value)
    return b"".join(rows)


def write_queries(
    out: IO[bytes],
    options: Options,
    measures: list[MeasureRequest],
    queries: tuple[str, ...],
    values: Floats,
    result: StreamedRun,
    order: list[int],
) -> None:
    """Print the values of each query; relstring, a text, has no column among the values."""
    printed: list[MeasureRequest] = []
    columns: list[int | None] = []  # of each value that is printed; None: of relstring
    column = 0
    length = 0.0
    for request in measures:
        is_text = request.measure.name == "relstring"
        if is_text:
            length = request.numbers[0]
        if request.measure.per_query:
            printed.append(request)
        for _ in request.names:
            if request.measure.per_query:
                columns.append(None if is_text else column)
            if request.measure.mean not in ("none", "queries"):
                column += 1
    lines = template(printed)
    # trec_eval empties this string for a missing query, unless it has a parameter.
    is_emptied = any(request.names == ("relstring",) for request in measures)
    for q in order:
        row = values[q].tolist()
        text = b""
        if None in columns and not (is_emptied and result.lists[q, 0] < 0):
            text = relevance_string(options, length, result, q)
        fields = [b"'%s'" % text if column is None else row[column] for column in columns]
        out.write(fill(lines, queries[q].encode("utf-8", "surrogateescape"), fields))


def relevance_string(options: Options, length: float, result: StreamedRun, q: int) -> bytes:
    """Return the labels of the first documents of a query, a character each."""
    documents, first, hits = result.lists[q].tolist()
    if documents < 0:
        documents, hits = min(1, options.max_documents), 0
    ranks = result.ranks[first : first + hits].tolist()
    labels = result.labels[first : first + hits].tolist()
    if options.judged_only:
        labels = [label for label in labels if label >= 0]
        documents = len(labels)
        ranks = list(range(documents))
    text = ["-"] * max(0, int(min(length, documents)))
    for rank, label in zip(ranks, labels, strict=True):
        if rank >= len(text):
            continue
        if label < 0:
            text[rank] = "."
        elif label > 9:
            text[rank] = ">"
        else:
            text[rank] = str(int(label))
    return "".join(text).encode()


def write_summary(
    out: IO[bytes],
    options: Options,
    measures: list[MeasureRequest],
    qrels: RecordRows,
    values: Floats,
    tag: bytes,
) -> None:
    """Print the means over the queries."""
    # Added in order, as trec_eval does: a pairwise sum could differ in the last digit.
    totals: Iterator[float] = iter(())
    if values.shape[1]:
        totals = iter(np.add.accumulate(values)[-1].tolist())
    queries = len(qrels.queries) if options.complete else len(values)
    missing = queries - len(values)
    for request in measures:
        name, mean = request.measure.name, request.measure.mean
        if mean == "none":
            if name == "runid":
                out.write(b"%-22s\tall\t%s\n" % (b"runid", tag))
            continue
        if mean == "queries":
            out.write(fill(template([request]), b"all", [queries]))
            continue
        numbers = [next(totals) for _ in request.names]
        if mean == "geometric":
            # The values are logarithms; a query that is missing has that of the least value.
            missing_total = missing * math.log(EPSILON)
            numbers = [math.exp((total + missing_total) / queries) for total in numbers]
        elif mean == "mean":
            numbers = [total / queries for total in numbers]
        elif name == "num_rel" and options.complete:
            # With -c the program counts all labels above 0 again, whatever -l says.
            numbers = [float(np.sum(qrels.values > 0))]
        out.write(fill(template([request]), b"all", numbers))
