"""The program: read, evaluate query by query in its order, print."""

import io
import sys
from typing import IO, Any

import numpy as np

from .. import _core
from ..lists import Rows, as_array, collect, gathered, index
from ..reading import feed_stream, opened
from .evaluation import Found, evaluate
from .options import Options, Stop, asked, parse
from .printing import summary, write_queries, write_summary

HELP = """rankgain trec_eval [options] qrels results

Prints what trec_eval 10.0 prints. results may be - for standard input; both may be gzip files.

 -q          also each query           -n          no summary
 -c          a query without results counts 0 (without -c it ends the program)
 -l<label>   labels from this one on are relevant (1)
 -M<n>       only the first n documents of each list
 -J          leave documents without a judgment out
 -N<n>       documents in the collection (for utility)
 -m name[.parameters]   a measure, or official (the default), all_trec, set; may be repeated
 -v          version
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
    """Do what the options say."""
    if options.help:
        out.write(HELP.encode())
        return
    if options.rel_format != "qrels":
        raise Stop(2, f"trec_eval: Illegal rel_format '{options.rel_format}'")
    qrels = read_qrels(options.files[0])
    if options.results_format != "trec_results":
        name = options.results_format
        raise Stop(2, f"trec_eval: Illegal retrieval results format '{name}'")
    found = read_results(options.files[1], qrels, options)
    measures = asked(options)
    result = evaluate(options, measures, qrels, found)
    if options.per_query:
        queries = [(q, qrels.queries[q].encode("utf-8", "surrogateescape")) for q in result.order]
        write_queries(out, options, measures, queries, result.values, found)
    if result.end is not None:
        raise result.end
    if options.summary:
        total = summary(options, qrels, result.order, result.values, found.tag)
        write_summary(out, measures, total)


def read_qrels(path: str) -> Rows:
    """Read the judgments."""
    rows = _core.Rows(True, True)
    read(path, rows, "trec_eval.get_qrels", "qrels")
    found = collect(rows)
    if not len(found.values):
        raise unreadable(path, "trec_eval.get_qrels", "qrels")
    return gathered(found)


def unreadable(path: str, function: str, what: str, reason: str = "") -> Stop:
    """Return the end that a file comes to."""
    line = reason or f"Cannot read {what} file '{path}'"
    return Stop(2, f"{function}: {line}", f"trec_eval: Quit in file '{path}'")


def read(source: str | IO[bytes], rows: Any, function: str, what: str) -> None:
    """Feed a file to a reader."""
    path = source if isinstance(source, str) else "-"
    try:
        with opened(source) as stream:
            feed_stream(stream, rows)
    except (OSError, EOFError):
        raise unreadable(path, function, what) from None
    except ValueError as error:
        raise unreadable(path, function, what, str(error)) from None


def read_results(path: str, qrels: Rows, options: Options) -> Found:
    """Stream the run past the judgments, twice if the rows of a query are apart."""
    source: str | IO[bytes] = path
    if path.startswith("-"):
        source = sys.stdin.buffer if sys.stdin.seekable() else io.BytesIO(sys.stdin.buffer.read())
    names = [query.encode("utf-8", "surrogateescape") for query in qrels.queries]
    slots, tables, _ = index(qrels)
    judged = (qrels.ids, qrels.id_starts, qrels.lists, slots, tables, qrels.values)
    lists = np.full((len(names), 3), -1, np.int64)
    first = _core.RunStream(names, judged, lists, max(options.most, 0), True)
    read(source, first, "trec_eval.get_results", "results")
    if not first.rows:
        raise unreadable(path, "trec_eval.get_results", "results")
    ranks, labels, _ = first.finish()
    hits = as_array(ranks, np.int64), as_array(labels, np.float64)
    found = Found(lists, *hits, first.repeated, first.tag)
    if not first.again:
        return found
    again = sorted(first.again)
    if not isinstance(source, str):
        source.seek(0)
    lists = np.full((len(names), 3), -1, np.int64)
    second = _core.RunStream(names, judged, lists, max(options.most, 0), True, again)
    read(source, second, "trec_eval.get_results", "results")
    ranks, labels, _ = second.finish()
    lists[:, 1] += len(found.ranks)
    found.lists[again] = lists[again]
    return Found(
        found.lists,
        np.concatenate([found.ranks, as_array(ranks, np.int64)]),
        np.concatenate([found.labels, as_array(labels, np.float64)]),
        {q: d for q, d in found.repeated.items() if q not in first.again} | second.repeated,
        found.tag,
    )
