"""The sides of workloads on data as people hold it: lists of lists, ids of text, long tables."""

from itertools import chain, pairwise
from typing import Any

import numpy as np

import data
import rankgain as rg
from array_workloads import columns
from measuring import Side, Sides, Values

TOPK = ("nDCG@10", "HitRate@10")


def ragged(lists: int, docs: int) -> Sides:
    """Scores as Python lists: read, and the same with what the evaluation takes."""
    rng = data.generator()
    lot = data.ragged(rng, lists, docs)
    ends = np.cumsum(lot.sizes)
    rows = [one.tolist() for one in np.split(lot.scores.astype(np.float64), ends[:-1])]
    labels = np.split(lot.labels, ends[:-1])
    truth = rg.Truth(labels)
    total = int(ends[-1])
    flat = lot.scores.astype(np.float64)
    return {
        "rankgain": Side(lambda: read_alone(rows)),
        "rankgain, nDCG@10": Side(
            lambda: rg.ndcg(truth, rows, k=10), np.asarray, same_bits_as="flat"
        ),
        "flat": Side(lambda: rg.ndcg(lot.labels, flat, k=10, group=lot.sizes), np.asarray),
        "fromiter": Side(lambda: np.fromiter(chain.from_iterable(rows), np.float64, total)),
    }


def read_alone(rows: Any) -> Any:
    """What a call does before it evaluates."""
    from rankgain.lists.forms.ragged import read_rows

    return read_rows(rows, "y_score")


def text_ids(users: int, width: int, items: int) -> Sides:
    lot = data.recommendations(data.generator(), users, width, items)
    names = [f"item-{i}" for i in range(items)]
    recommended = [[names[i] for i in row] for row in lot.recommended.tolist()]
    indices = lot.truth.indices.tolist()
    relevant = [[names[i] for i in indices[a:b]] for a, b in pairwise(lot.truth.indptr.tolist())]
    return {
        "rankgain": Side(lambda: rg.evaluate_topk(recommended, relevant, TOPK), columns(*TOPK)),
        "a set per user": Side(lambda: by_sets(recommended, relevant), np.asarray),
        "ints": Side(lambda: rg.evaluate_topk(lot.recommended, lot.truth, TOPK), columns(*TOPK)),
    }


def by_sets(recommended: Any, relevant: Any, k: int = 10) -> Values:
    """nDCG and hit rate as they are written without a library."""
    weights = (1 / np.log2(np.arange(2, k + 2))).tolist()
    ideals = np.cumsum(weights).tolist()
    found = []
    for row, wanted in zip(recommended, relevant, strict=True):
        items = set(wanted)
        hits = [one in items for one in row[:k]]
        dcg = sum(weight for weight, hit in zip(weights, hits, strict=False) if hit)
        found.append((dcg / ideals[min(len(items), k) - 1], float(any(hits))))
    return np.array(found)


def table(rows: int, lists: int) -> Sides:
    """Rows in no order, beside the same rows sorted as arrays, and the sort."""
    import polars

    rng = data.generator()
    users = rng.integers(0, lists, rows)
    labels, scores = rng.integers(0, 5, rows), rng.random(rows)
    order = np.argsort(users, kind="stable")
    frame = polars.DataFrame({"user_id": users, "label": labels, "score": scores})
    in_order = frame[order]
    arrays = [one[order] for one in (labels, scores, users)]

    def of_arrays() -> Any:
        return rg.evaluate_arrays(*arrays[:2], "nDCG@10", qid=arrays[2])

    def of_rows() -> Any:
        return rg.evaluate_frame(in_order, "nDCG@10")

    def sorted_first() -> Any:
        frame.sort("user_id")
        return of_arrays()

    return {
        "rankgain": Side(lambda: rg.evaluate_frame(frame, "nDCG@10")),
        "rankgain, sorted rows": Side(of_rows, columns("nDCG@10"), same_bits_as="arrays"),
        "arrays": Side(of_arrays, columns("nDCG@10")),
        "polars' sort and arrays": Side(sorted_first),
    }
