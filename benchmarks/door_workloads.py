"""The sides of workloads on data as people hold it: lists of lists, ids of text, long tables."""

from itertools import chain, pairwise
from typing import Any

import numpy as np

import data
import rankgain as rg
from array_workloads import columns
from measuring import Side, Sides, Values

TOPK = ("nDCG@10", "HitRate@10")
BY_HAND = ("nDCG@10", "AP")


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


def rows_in_no_order(rows: int, lists: int) -> Any:
    import polars

    rng = data.generator()
    made = {"user_id": rng.integers(0, lists, rows), "label": rng.integers(0, 5, rows)}
    return polars.DataFrame(made | {"score": rng.random(rows)})


def table(rows: int, lists: int) -> Sides:
    """Rows in no order, beside the same rows sorted as arrays, and the sort."""
    frame = rows_in_no_order(rows, lists)
    in_order = frame[np.argsort(frame["user_id"].to_numpy(), kind="stable")]
    arrays = [in_order[name].to_numpy() for name in ("label", "score", "user_id")]

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


def by_hand(rows: int, lists: int) -> Sides:
    """Rows in no order, beside polars with the measures written out, as groups and as windows."""
    frame = rows_in_no_order(rows, lists)
    pandas = frame.to_pandas()

    def ours(given: Any) -> Side:
        return Side(lambda: rg.evaluate_frame(given, BY_HAND), by_user)

    return {
        "rankgain": ours(frame),
        "rankgain, pandas": ours(pandas),
        "polars, groups": Side(lambda: polars_groups(frame), of_polars),
        "polars, windows": Side(lambda: polars_windows(frame), of_polars),
    }


def by_user(found: rg.Evaluation) -> Values:
    order = np.argsort(found.queries)
    return np.column_stack([found.per_query[name][order] for name in BY_HAND])


def of_polars(found: Any) -> Values:
    return found.sort("user_id").fill_nan(0.0).select(BY_HAND).to_numpy()


def polars_groups(frame: Any) -> Any:
    """Rows sorted by user and score, and expressions of each group."""
    import polars as pl

    label, rank = pl.col("label"), pl.int_range(1, pl.len() + 1)
    discounts, hit = (rank.head(10) + 1).log(2), pl.col("label") > 0
    dcg = (label.head(10) / discounts).sum()
    idcg = (label.top_k(10).sort(descending=True) / discounts).sum()
    precisions = (hit.cum_sum() / rank).filter(hit).sum()
    ordered = frame.sort("user_id", "score", descending=[False, True])
    return ordered.group_by("user_id", maintain_order=True).agg(
        (dcg / idcg).alias("nDCG@10"), (precisions / hit.sum()).alias("AP")
    )


def polars_windows(frame: Any) -> Any:
    """Ranks as windows over the users, and sums of each group."""
    import polars as pl

    label, hit = pl.col("label"), pl.col("label") > 0
    ranked = frame.sort("score", descending=True).with_columns(
        rank=pl.int_range(1, pl.len() + 1).over("user_id"),
        ideal=label.rank("ordinal", descending=True).over("user_id"),
        found=hit.cum_sum().over("user_id"),
    )
    dcg, idcg = (
        (label / (pl.col(rank) + 1).log(2)).filter(pl.col(rank) <= 10).sum()
        for rank in ("rank", "ideal")
    )
    precisions = (pl.col("found") / pl.col("rank")).filter(hit).sum()
    return ranked.group_by("user_id").agg(
        (dcg / idcg).alias("nDCG@10"), (precisions / hit.sum()).alias("AP")
    )
