"""Streams of record batches, cut anywhere: as the whole; counted in two passes: as ranked."""

from typing import Any

import numpy as np

import rankgain as rg
from draws import Draws, Refused, agree, outcome

from .readers import state

NAMES = {"query": "query", "label": "label", "score": "score"}
MEASURES = [["nDCG@3", "AP"], ["RR", "AUC"], ["P@2", "R@10"], ["ERR", "RBP"]]


def evaluate(data: bytes) -> None:
    """Rows in batches of any size and any type, sorted by query or not."""
    import pyarrow as pa

    d = Draws(data)
    sizes = [1 + d.below(12) for _ in range(1 + d.below(5))]
    n = sum(sizes)
    number_types = ["f4", "f8", "i4", "u2", "u1", "f2"]
    labels, scores = (d.array(n, d.pick(number_types)) for _ in range(2))
    ids: Any = np.repeat(np.arange(len(sizes)), sizes)
    order = d.pick(["sorted", "sorted", "any"])
    if d.chance(4):
        order, ids = "any", ids[np.random.default_rng(d.byte()).permutation(n)]
    queries = pa.array(ids)
    if d.chance(3):
        queries = queries.cast(d.pick([pa.string(), pa.int8(), pa.uint64(), pa.large_string()]))
        queries = queries.dictionary_encode() if d.chance() else queries
    columns = {"query": queries, "label": pa.array(labels), "score": pa.array(scores)}
    damaged = None
    if d.chance(8):
        damaged = d.pick(list(columns))
        columns[damaged] = d.pick([pa.nulls(n), pa.array([None] * n, pa.float64()), queries])
    table = pa.table(columns)
    step = 1 + d.below(n)
    measures = d.pick(MEASURES)

    def streamed() -> Any:
        batches = table.to_batches(max_chunksize=step)
        return state(rg.evaluate_batches(batches, measures, **NAMES, order=order))

    def whole() -> Any:
        return state(rg.evaluate_arrays(labels, scores, measures, qid=ids))

    streamed_answer = outcome(streamed)
    whole_answer = outcome(whole)
    if damaged is not None:
        return
    if isinstance(streamed_answer, Refused) or isinstance(whole_answer, Refused):
        agree(streamed_answer, whole_answer)
        return
    if order == "sorted":
        agree(streamed_answer, whole_answer)
        return
    # Lists without a hit stand last, so compare them by their query.
    agree(*(by_query(one) for one in (streamed_answer, whole_answer)))


def by_query(answer: Any) -> Any:
    """The values of each query."""
    _, columns, queries = answer
    rows = zip(queries, *columns.values(), strict=True)
    return {row[0]: list(row[1:]) for row in rows}
