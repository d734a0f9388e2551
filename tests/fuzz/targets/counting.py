"""Counted ranks against ranked lists: parts in any order, blocks of scores, the tasks of Spark."""

import pickle
from typing import Any

import numpy as np

import rankgain as rg
from counted import counts_of
from draws import Draws, Refused, agree, outcome
from rankgain.evaluation.partial.ranks import PartialRanks

MEASURES = [["nDCG@3", "AP"], ["RR", "AUC"], ["P@2", "R@10"], ["ERR", "RBP"], ["F1@5", "IDCG"]]


def lists_of(d: Draws) -> tuple[Any, Any, Any, Any]:
    """Queries, labels and scores of some lists, and their sizes."""
    sizes = [1 + d.below(d.pick([8, 80])) for _ in range(1 + d.below(5))]
    n = sum(sizes)
    labels = d.array(n, d.pick(["i1", "f8", "f4"]))
    scores = d.array(n, d.pick(["f8", "f4"]))
    return np.repeat(np.arange(len(sizes)), sizes), labels, scores, sizes


def values(result: rg.Evaluation) -> Any:
    """The values of each query."""
    return {str(query): one for query, one in result.to_dict().items()}


def count(data: bytes) -> None:
    """Parts in any order, merged, against one ranking; and sums of parts against the whole."""
    d = Draws(data)
    ids, labels, scores, sizes = lists_of(d)
    measures, ties = d.pick(MEASURES), d.pick(["average", "best", "worst"])
    parts, seed = 1 + d.below(4), d.byte()

    def ranked() -> rg.Evaluation:
        return rg.evaluate_arrays(labels, scores, measures, group=sizes, ties=ties)

    def counted() -> Any:
        hit = labels != 0
        order = np.random.default_rng(seed).permutation(len(ids))
        made = []
        for share in np.array_split(order, parts):
            partial = PartialRanks(ids[hit], scores[hit], labels[hit])
            for block in np.array_split(share, 2):
                partial.add(ids[block], scores[block])
            made.append(pickle.loads(pickle.dumps(partial)))
        for other in made[1:]:
            made[0].merge(other)
        return values(made[0].finish(measures, ties=ties))

    whole, result = outcome(ranked), outcome(counted)
    if isinstance(whole, Refused) or isinstance(result, Refused):
        agree(whole, result)
        return
    agree(values(whole), result)
    summed(d, whole, measures, (labels, scores, sizes, ties))


def summed(d: Draws, whole: rg.Evaluation, measures: list[str], inputs: Any) -> None:
    """Sums of two parts, by way of dicts, have the means of the whole to the last bit."""
    labels, scores, sizes, ties = inputs
    cut = d.below(len(sizes) + 1)
    at = sum(sizes[:cut])
    total = rg.Accumulator()
    for part, group in ((slice(0, at), sizes[:cut]), (slice(at, None), sizes[cut:])):
        one = rg.evaluate_arrays(labels[part], scores[part], measures, group=group, ties=ties)
        other = rg.Accumulator()
        other.add(one)
        total.merge(rg.Accumulator.from_dict(other.to_dict()))
    agree(dict(total.means), dict(whole.means))


def run_tasks(data: bytes) -> None:
    """What Spark's workers count and add up, without Spark, against one process."""
    import pyarrow as pa

    from rankgain.integrations.spark import tasks

    d = Draws(data)
    ids, labels, scores, sizes = lists_of(d)
    measures, partitions = d.pick(MEASURES), 1 + d.below(3)
    order = np.random.default_rng(d.byte()).permutation(len(ids))

    def of_spark() -> Any:
        rows = pa.table({"query": ids[order], "score": scores[order]})
        hit = labels != 0
        hits = ids[hit], scores[hit].astype(np.float64), labels[hit].astype(np.float64)
        queries = list(dict.fromkeys(ids[hit].tolist()))
        partial = PartialRanks(*hits, queries=queries)
        cuts = sorted({0, d.below(len(queries) + 1), len(queries)})
        packed = [tasks._pack({"part": [at], "data": [None]}) for at in range(len(cuts) - 1)]
        for at in range(partitions):
            low, high = (one * len(ids) // partitions for one in (at, at + 1))
            batches = iter(rows.slice(low, high - low).to_batches(max_chunksize=7))
            counter = pickle.loads(pickle.dumps(partial._counter))
            columns = [("query", "id"), ("score", "score")]
            packed += tasks.count_rows(batches, columns, counter, cuts)
        answers = tasks.finish_parts(
            iter(packed), hits, partial._rows, queries, cuts, None, None, {"measures": measures}
        )
        result: dict[str, Any] = {}
        for one, _ in answers:
            result |= values(one)
        return result

    actual = outcome(of_spark)
    whole = outcome(lambda: values(rg.evaluate_arrays(labels, scores, measures, group=sizes)))
    if isinstance(whole, Refused) or isinstance(actual, Refused):
        agree(whole, actual)
        return
    agree(whole, actual)


def read_table(data: bytes) -> None:
    """Counts of a small run against the run; a table with one cell changed may be refused."""
    d = Draws(data)
    docs = [f"d{at}" for at in range(1 + d.below(6))]
    qrels = {f"q{at}": {doc: d.below(3) for doc in docs} for at in range(1 + d.below(3))}
    run = {query: {doc: d.below(4) for doc in docs[d.below(3) :]} for query in qrels}
    run = {query: scores for query, scores in run.items() if scores} or {"q0": {"d0": 1}}
    measures, ties = d.pick(MEASURES), d.pick(["average", "best", "id", "id_descending"])
    table = [list(row) for row in counts_of(qrels, run, ties)]
    agree(
        outcome(lambda: values(rg.evaluate(qrels, run, measures, ties=ties))),
        outcome(lambda: values(rg.evaluate_counts(table, measures, ties=ties))),
    )
    row = d.pick(table)
    row[d.below(len(row))] = d.pick([None, -1, 0, 1, 2, 2**70, 0.5, float("nan"), "q0", "d0", True])
    outcome(lambda: rg.evaluate_counts(table, measures, ties=ties))
