"""What the rows of a TREC file must hold, and what is suspicious about them."""

import numpy as np

from .. import _core
from ..engine.notices import warn
from ..inputs.files import Source, line_text, name_of
from .rows import Floats, RecordRows, as_array

AGAINST = 1  # pairs of rows with ranks against their scores were met, and none along them
LEAST_TIME = 1e7  # 20030101 as a number; seconds since 1970 are greater. Labels of qrels are small


def checked(reader: "_core.Rows", rows: RecordRows, source: Source, is_qrels: bool) -> RecordRows:
    """The rows of a file, or an error; ranks in place of scores are negated."""
    if is_qrels:
        _refuse_times(reader, rows, source)
    elif reader.fields:
        of_ranks = reader.fields == 3
        ranks = rows.values if of_ranks else as_array(reader.ranks(), np.float64)
        _refuse_ranks(reader.fields, ranks, rows, source)
        if of_ranks:
            rows = rows._replace(values=0.0 - ranks)
    warn_of_lines(source, reader.comment, reader.orders)
    return rows


def warn_of_lines(source: Source, comment: int, orders: int) -> None:
    """Warn of a comment that may be a row, and of ranks against the scores."""
    if comment:
        warn(
            f"{name_of(source)}, line {comment} begins with # and is left out as a comment, but it "
            "has the fields of a row; a query id that begins with # can be read from a dict or a "
            f"data frame{line_text(source, comment)}"
        )
    if orders == AGAINST:
        warn(
            f"{name_of(source)}: in every query the ranks run against the scores, and the higher "
            "score comes first: if the scores are distances, negate them"
        )


def _refuse_times(reader: "_core.Rows", rows: RecordRows, source: Source) -> None:
    """Refuse a log of user, item, rating and time: its rows have the shape of qrels."""
    if not reader.iterations and reader.fields != 3:
        return
    times = np.flatnonzero(rows.values >= LEAST_TIME)
    if len(times) < 2 or 2 * len(times) < len(rows.values):
        return
    line = rows.line(int(times[0]))
    names, shape = "user, item, rating and time", "query, iteration, document and label"
    label, apart = "rating", ", and the second differs from row to row"
    if reader.fields:
        names, shape = "user, item and time", "query, document and label"
        label, apart = "...", ""
    raise ValueError(
        f"{name_of(source)}, line {line}: this looks like a log of {names}, not like qrels of "
        f"{shape}: the last field holds times{apart}; read it as a data frame with names of the "
        'columns, and give rankgain.Qrels.from_frame(frame, query="user", document="item", '
        f'label="{label}"){line_text(source, line)}'
    )


def _refuse_ranks(fields: int, ranks: Floats, rows: RecordRows, source: Source) -> None:
    """Refuse ranks of a query that are not 1, 2, 3 and so on, or 0, 1, 2 and so on."""
    sizes = np.diff(rows.lists)
    lists = np.repeat(np.arange(len(sizes)), sizes)
    order = np.arange(len(ranks)) if rows.order is None else rows.order
    order = order[np.lexsort((ranks[order], lists))]
    ordered = ranks[order]
    firsts = np.repeat((ordered[rows.lists[:-1]] > 0).astype(np.int64), sizes)
    again = np.append(False, (ordered[1:] == ordered[:-1]) & (lists[1:] == lists[:-1]))
    stops = np.repeat(sizes, sizes) + firsts
    wrong = again | (ordered % 1 != 0) | (ordered < firsts) | (ordered >= stops)
    if not wrong.any():
        return
    at = int((again if again.any() else wrong).nonzero()[0][0])
    line, query = rows.line(int(order[at])), rows.queries[lists[at]]
    shape, remedy = "three columns of a run are query, document and rank", "scores need a header"
    if fields == 4:
        shape = "four columns of a run are query, document, rank and score"
        remedy = "are the qrels and the run exchanged? Else give a header"
    second = " a second time" if again[at] else ""
    raise ValueError(
        f"{name_of(source)}, line {line}: {shape}, and the ranks of a query are 1, 2, 3 and so on "
        f"(or 0, 1, 2), but {query!r} has {ordered[at]:g}{second}; {remedy}, or TREC's form"
        f"{line_text(source, line)}"
    )
