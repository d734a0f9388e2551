"""Evaluate queries in the order and precision of trec_eval, and stop where it stops."""

from typing import NamedTuple

import numpy as np

from ..rows import Floats, Integers, Judged, RecordRows
from ..stream import StreamedRun
from .options import MeasureRequest, Options, Stop
from .values import NOT_IN_POOL, QueryHits, make_columns

TOGETHER = 1 << 16  # judgments of lists that are evaluated together


class ListValues(NamedTuple):
    """The values to print, and the error with which the program ends, if any."""

    order: list[int]  # queries, in the order of their ids
    values: Floats  # one row per query of the qrels
    end: Stop | None


def evaluate(
    options: Options,
    requested: list[MeasureRequest],
    qrels: RecordRows,
    judged: Judged,
    result: StreamedRun,
    repeated: dict[int, bytes],
) -> ListValues:
    """Evaluate the queries up to an error; repeated: query -> a document judged twice."""
    ids = [query.encode("utf-8", "surrogateescape") for query in qrels.queries]
    order = sorted(range(len(ids)), key=ids.__getitem__)
    if options.only_query is not None:
        order = [q for q in order if qrels.queries[q] == options.only_query]
    if not order:
        raise Stop(7, "trec_eval: No queries with both results and relevance info")
    end = None
    missing = () if options.complete else np.flatnonzero(result.lists[:, 0] < 0).tolist()
    suspects = {*missing, *result.repeated, *repeated}  # the program may end at these queries
    if any(a.measure.name == "utility" for a in requested):
        suspects.update(order)
    for at, q in enumerate(order):
        if q not in suspects:
            continue
        end = failure(options, requested, qrels.queries[q], q, result, repeated)
        if end is not None:
            order = order[:at]
            break
    values, done = calculate(options, requested, judged.descending, qrels.lists, result, order)
    if done < len(order):
        end = cannot_calculate(requested)
    return ListValues(order[:done], values, end)


def select_ranked(requested: list[MeasureRequest]) -> list[MeasureRequest]:
    """Return the measures that need the ranked list."""
    return [a for a in requested if a.measure.name not in ("runid", "num_q")]


def select_valued(requested: list[MeasureRequest]) -> list[MeasureRequest]:
    """Return the measures whose values are numbers of each query."""
    return [a for a in select_ranked(requested) if a.measure.name != "relstring"]


def cannot_calculate(
    requested: list[MeasureRequest], before: str = "", separator: str = "\n"
) -> Stop:
    """Return the error for a list that cannot be formed, with the first measure that needs it."""
    line = f"trec_eval: Can't calculate measure '{select_ranked(requested)[0].measure.name}'"
    return Stop(4, *f"{before}{separator}{line}".strip().split("\n"))


def failure(
    options: Options,
    requested: list[MeasureRequest],
    query: str,
    q: int,
    result: StreamedRun,
    repeated: dict[int, bytes],
) -> Stop | None:
    """Return the error with which the program ends at this query, or None."""
    if result.lists[q, 0] < 0 and not options.complete:
        return Stop(4, f"trec_eval: result qid '{query}' not found in qrels")
    if not select_ranked(requested):
        return None
    if q in result.repeated:
        document = result.repeated[q].decode("utf-8", "surrogateescape")
        # trec_eval prints no line feed here.
        return cannot_calculate(
            requested, f"trec_eval.form_res_qrels: duplicate docs {document}", ""
        )
    if q in repeated:
        document = repeated[q].decode("utf-8", "surrogateescape")
        return cannot_calculate(requested, f"trec_eval.form_res_rels: duplicate docs {document}")
    if any(a.measure.name == "utility" and len(a.numbers) != 4 for a in requested):
        words = "trec_eval.calc_utility: improper number of coefficients"
        return Stop(4, words, "trec_eval: Can't calculate measure 'utility'")
    return None


def calculate(
    options: Options,
    requested: list[MeasureRequest],
    judged: Floats,
    judged_lists: Integers,
    result: StreamedRun,
    order: list[int],
) -> tuple[Floats, int]:
    """Return the values, one row per query of the qrels, and how many queries were done."""
    spans = result.lists.copy()
    missing = spans[:, 0] < 0
    spans[missing] = (min(1, options.most), 0, 0)  # trec_eval puts an unjudged document there
    measures = select_valued(requested)
    names = [name for a in measures for name in a.names]
    values = np.zeros((len(spans), len(names)))
    firsts, spans = judged_lists[:-1][order], spans[order]
    with_labels = judged[firsts] > -1
    if not with_labels[:1].any():
        return values, 0
    lists = np.column_stack((firsts, judged_lists[1:][order] - firsts))
    # A later list without a label from 0 on has the gains of the one before.
    levels = lists[np.maximum.accumulate(np.where(with_labels, np.arange(len(order)), 0))]
    # With a level or a gain below 0 the program counts the documents that are not in the pool.
    gains = {label for a in measures if a.measure.takes == "pairs" for label in a.cutoffs}
    all_documents = options.level < 0 or NOT_IN_POOL in gains
    work = np.cumsum(spans[:, 0] if all_documents else lists[:, 1] + 1)
    hits_of = result.ranks, result.labels
    for block in np.split(np.arange(len(order)), 1 + np.flatnonzero(np.diff(work // TOGETHER))):
        hits = QueryHits(
            options, spans[block], hits_of, judged, lists[block], levels[block], all_documents
        )
        with np.errstate(all="ignore"):
            columns = [np.atleast_2d(make_columns(hits, a)) for a in measures]
        values[np.array(order)[block]] = np.concatenate(columns).T if columns else 0.0
    # trec_eval removes the effect of that document from these measures.
    for column, name in enumerate(names):
        if name in ("num_ret", "utility", "rbp_resid") or name.startswith("unj"):
            values[missing, column] = 0.0
    return values, len(order)
