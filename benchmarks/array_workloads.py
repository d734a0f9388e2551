"""The sides of each workload on arrays: ours, NumPy's and the peers', on the same inputs."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import data
import numpy_reference as reference
import peer_tools as peers
import rankgain as rg
from measuring import Side, Sides, Values

CATALOGUE = ("nDCG", "AP", "RR", "R@100")
CUTOFFS = (1, 5, 10, 100)
FAMILIES = (
    *("nDCG", "nDCG(gain=exp2)", "DCG", "AP", "RR", "P"),
    *("R", "F1", "HitRate", "RBP", "ERR", "AP(rel=2)"),
)
MANY = tuple(f"{family}@{k}" for family in FAMILIES for k in CUTOFFS)


def per_list(result: Any) -> Values:
    return np.asarray(result, dtype=np.float64)


def columns(*names: str) -> Callable[[Any], Values]:
    """The per-list values of an Evaluation, one column for each measure."""
    return lambda evaluation: np.column_stack([evaluation.per_query[name] for name in names])


def ours(labels: Any, scores: Any, *, like: str | None = None, **options: Any) -> Side:
    return Side(lambda: rg.ndcg(labels, scores, **options), per_list, same_bits_as=like)


def numpy_sides(labels: Any, scores: Any, k: int) -> dict[str, Side | None]:
    orders = {"NumPy": reference.top_by_argpartition, "NumPy argsort": reference.top_by_argsort}
    return {
        name: Side(partial(reference.ndcg, labels, scores, k, top), per_list)
        for name, top in orders.items()
    }


def limit(*arrays: Any, threads: int = 1) -> Side:
    if threads == 1:
        return Side(lambda: reference.read_limit(*arrays))
    cuts = np.linspace(0, len(arrays[0]), threads + 1).astype(int).tolist()
    parts = [[a[low:high] for a in arrays] for low, high in pairwise(cuts)]
    pool = ThreadPoolExecutor(threads)  # NumPy reads without the GIL
    return Side(lambda: list(pool.map(lambda part: reference.read_limit(*part), parts)))


def dense(lists: int, docs: int, k: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    small = labels.astype(np.int8)
    return {
        "rankgain": ours(labels, scores, k=k),
        "rankgain, int8 labels": ours(small, scores, k=k, like="rankgain"),
        "read limit": limit(scores, labels),
        "read limit, int8 labels": Side(lambda: (scores.max(axis=1), small.max(axis=1))),
        **numpy_sides(labels, scores, k),
        "torch": peers.torch_ndcg(labels, scores, k),
    }


def doubles(lists: int, docs: int, k: int) -> Sides:
    """The same lists in 64 bits, as NumPy makes them unless told otherwise."""
    rng = data.generator()
    narrow, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    scores = narrow.astype(np.float64) * (1 + 1e-10)  # no float32 among them
    wide, whole = labels.astype(np.float64), labels.astype(np.int64)
    return {
        "rankgain": ours(wide, scores, k=k),
        "rankgain, int64 labels": ours(whole, scores, k=k, like="rankgain"),
        "rankgain, float32 scores": ours(wide, narrow, k=k, like="rankgain"),
        "rankgain, float32 both": ours(labels, narrow, k=k, like="rankgain"),
        "read limit": limit(scores, wide),
        **numpy_sides(wide, scores, k),
    }


def dense_and_every_peer(lists: int, docs: int, k: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    return {
        "rankgain": ours(labels, scores, k=k),
        "read limit": limit(scores, labels),
        **numpy_sides(labels, scores, k),
        "torch": peers.torch_ndcg(labels, scores, k),
        "scikit-learn": peers.sklearn_ndcg(labels, scores, k, ignore_ties=False),
        "scikit-learn ignore_ties": peers.sklearn_ndcg(labels, scores, k, ignore_ties=True),
        "CatBoost": peers.catboost_ndcg(labels, scores, k),
    }


def truth(lists: int, docs: int, k: int) -> Sides:
    """Labels checked once and ideals kept: what a loop over models or epochs saves."""
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    whole = labels.astype(np.int64)
    return {
        "rankgain": ours(rg.Truth(labels), scores, k=k, like="labels each time"),
        "labels each time": ours(labels, scores, k=k),
        "rankgain, of int64 labels": ours(rg.Truth(whole), scores, k=k, like="labels each time"),
        "int64 labels each time": ours(whole, scores, k=k),
        "read limit, scores alone": limit(scores),
    }


def plain(lists: int, docs: int, k: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    return {"rankgain": ours(labels, scores, k=k), "read limit": limit(scores, labels)}


def ragged(lists: int, docs: int, k: int) -> Sides:
    lot = data.ragged(data.generator(), lists, docs)
    qid = np.repeat(np.arange(lists), lot.sizes)
    return {
        "rankgain": ours(lot.labels, lot.scores, k=k, group=lot.sizes),
        "rankgain, qid": ours(lot.labels, lot.scores, k=k, qid=qid, like="rankgain"),
        "rankgain, padded": ours(
            lot.padded_labels, lot.padded_scores, k=k, lengths=lot.sizes, like="rankgain"
        ),
        "read limit": limit(lot.padded_scores, lot.padded_labels),
        **numpy_sides(lot.padded_labels, lot.padded_scores, k),
        "torch": peers.torch_ndcg(lot.padded_labels, lot.padded_scores, k),
    }


def catalogue(lists: int, docs: int, relevant: int) -> Sides:
    rng = data.generator()
    scores = data.tie_free(rng, lists, docs)
    truth = data.sparse_truth(rng, lists, docs, relevant)

    def numpy_side(ranks: Callable[..., data.Ints], **options: Any) -> Side:
        return Side(
            lambda: reference.from_ranks(ranks(truth, scores, relevant, **options)), per_list
        )

    return {
        "rankgain": Side(lambda: rg.evaluate_arrays(truth, scores, CATALOGUE), columns(*CATALOGUE)),
        "read limit": limit(scores),
        "NumPy": numpy_side(reference.ranks_by_counting, fast=False),
        "NumPy count_nonzero": numpy_side(reference.ranks_by_counting, fast=True),
        "NumPy argsort": numpy_side(reference.ranks_by_argsort),
    }


def full_order(lists: int, docs: int) -> Sides:
    rng = data.generator()
    scores = data.tie_free(rng, lists, docs)
    labels = data.graded(rng, lists, docs, relevant=0.5)
    return {
        "rankgain": ours(labels, scores),
        "read limit": limit(scores, labels),
        "NumPy": Side(
            lambda: reference.ndcg(labels, scores, None, reference.top_by_argsort), per_list
        ),
        "argsort alone": Side(lambda: np.argsort(-scores, axis=1, kind="stable")),
    }


def many_measures(lists: int, docs: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    return {
        "rankgain": Side(lambda: rg.evaluate_arrays(labels, scores, MANY), columns(*MANY)),
        "nDCG@100 alone": Side(lambda: rg.ndcg(labels, scores, k=100)),
        "read limit": limit(scores, labels),
        "NumPy": Side(lambda: reference.many_measures(labels, scores, CUTOFFS), per_list),
    }


def one_list(docs: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, 1, docs), data.graded(rng, 1, docs)
    y, s = labels[0], scores[0]
    return {
        "rankgain": ours(y, s, k=10),
        "NumPy": Side(lambda: reference.three_lines(y, s), per_list, tolerance=1e-6),
        "scikit-learn": peers.sklearn_ndcg(y[None], s[None], 10, ignore_ties=False),
    }


def two_threads(lists: int, docs: int, k: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    return {
        "one thread": ours(labels, scores, k=k, threads=1),
        "rankgain": ours(labels, scores, k=k, threads=2, like="one thread"),
        "read limit": limit(scores, labels),
        "read limit, two threads": limit(scores, labels, threads=2),
    }


def tiny_lists(lists: int, docs: int) -> Sides:
    rng = data.generator()
    scores, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    sizes = np.full(lists, docs)
    return {
        "rankgain": ours(labels.ravel(), scores.ravel(), k=10, group=sizes),
        "rankgain, dense": ours(labels, scores, k=10, like="rankgain"),
        "NumPy": Side(
            lambda: reference.ndcg(labels, scores, 10, reference.top_by_argsort), per_list
        ),
    }


def long_beside_short(long: int, lists: int, docs: int) -> Sides:
    """One list of `long` documents, then `lists` of `docs`: in one call, and each kind alone."""
    rng = data.generator()
    scores = rng.standard_normal(long + lists * docs, dtype=np.float32)
    labels = data.graded(rng, 1, scores.size)[0]
    sizes = np.full(lists, docs)
    both = np.concatenate([[long], sizes])

    def apart() -> NDArray[np.float64]:
        first = rg.ndcg(labels[:long], scores[:long], k=10)
        rest = rg.ndcg(labels[long:], scores[long:], k=10, group=sizes)
        return np.concatenate([[first], rest])

    return {
        "rankgain": ours(labels, scores, k=10, group=both),
        "both alone": Side(apart, per_list, same_bits_as="rankgain"),
    }


def topk(users: int, width: int, items: int, k: int) -> Sides:
    lot = data.recommendations(data.generator(), users, width, items)
    recommended, truth = lot.recommended, lot.truth
    names = [f"nDCG@{k}", f"HitRate@{k}"]

    def found_by(find: reference.Hits) -> Side:
        return Side(lambda: reference.topk_measures(recommended, truth, k, find), per_list)

    return {
        "rankgain": Side(lambda: rg.evaluate_topk(recommended, truth, names), columns(*names)),
        "NumPy": Side(lambda: reference.topk_measures(recommended, truth, k), per_list),
        "NumPy search": found_by(reference.topk_hits_by_search),
        "NumPy compare": found_by(reference.topk_hits_by_compare),
        "SciPy product": Side(lambda: reference.topk_by_product(recommended, truth, k), per_list),
        "SciPy indexing": Side(lambda: scipy_hits(recommended, truth)),
        "RecTools": peers.rectools_topk(lot, k),
    }


def scipy_hits(recommended: NDArray[np.int32], truth: sp.csr_matrix) -> NDArray[np.bool_]:
    """Only the look-up, as SciPy users write it."""
    rows = np.repeat(np.arange(len(recommended)), recommended.shape[1])
    found = np.asarray(truth[rows, recommended.ravel()])
    return np.asarray(found.reshape(recommended.shape) != 0)
