"""The program: read, evaluate, print."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from ... import _core
from ...inputs.files import damages, feed_stream, open_source
from ..rows import Judged, RecordRows, collect, gather, least_repeats
from ..stream import Stream, StreamedRun
from .evaluation import evaluate
from .options import Options, Stop, parse, requested
from .printing import summary, write_queries, write_summary

THREADS = 2  # for reading a large run
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
    out = io.BytesIO()
    try:
        run(parse(sys.argv[1:] if arguments is None else arguments), out)
        status, lines = 0, tuple[str, ...]()
    except Stop as stop:
        status, lines = stop.status, stop.lines
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
    qrels = read_qrels(options.files[0])
    repeated = _core.index_lists(qrels.ids, qrels.id_starts, qrels.lists)
    if options.results_format != "trec_results":
        name = options.results_format
        raise Stop(2, f"trec_eval: Illegal retrieval results format '{name}'")
    judged = Judged(qrels)
    numbers = {query: q for q, query in enumerate(qrels.queries)}
    values = read_results(options.files[1], Stream(qrels, judged, numbers, options.most, True))
    measures = requested(options)
    twice = least_repeats(qrels) if repeated is not None else {}
    result = evaluate(options, measures, qrels, judged, values, twice)
    if options.per_query:
        queries = [(q, qrels.queries[q].encode("utf-8", "surrogateescape")) for q in result.order]
        write_queries(out, options, measures, queries, result.values, values)
    if result.end is not None:
        raise result.end
    if options.summary:
        total = summary(options, qrels, result.order, result.values, values.tag)
        write_summary(out, measures, total)


def read_qrels(path: str) -> RecordRows:
    """Read the judgments."""
    rows = _core.Rows(True, True)
    with readable(path, "trec_eval.get_qrels", "qrels"):
        with open_source(path) as stream:
            for _ in feed_stream(stream, rows):
                pass
        result = collect(rows.names_of_queries(), rows.columns())
        if not len(result.values):
            raise EOFError
    return gather(result)


def read_results(path: str, stream: Stream) -> StreamedRun:
    """Read the run against the judgments of a stream."""
    with readable(path, "trec_eval.get_results", "results"):
        result = stream.read("-" if path.startswith("-") else path, threads=THREADS)
        if not result.rows:
            raise EOFError
    return result


@contextmanager
def readable(path: str, function: str, what: str) -> Iterator[None]:
    """Turn errors of reading into the messages of trec_eval."""
    try:
        yield
    except damages(OSError):
        words = f"Cannot read {what} file '{path}'"
    except ValueError as error:
        words = str(error)
    else:
        return
    raise Stop(2, f"{function}: {words}", f"trec_eval: Quit in file '{path}'")
