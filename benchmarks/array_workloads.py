"""The sides of the workloads on arrays: ours, NumPy's and other tools', on the same inputs.

After the common shapes of lists follow Python lists, conventions and tie rules, difficult inputs,
and the quantities by which cost grows.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import data
import peer_tools as peers
import rankgain as rg
from measuring import Side, Sides, Values
from rankgain.evaluation.partial.users import MAX_BLOCK_CELLS
from rankgain.inputs.arrays import read_rows

CATALOGUE = ("nDCG", "AP", "RR", "R@100")
FACTORS = 64
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
    orders = {"NumPy": peers.top_by_argpartition, "NumPy argsort": peers.top_by_argsort}
    return {
        name: Side(partial(peers.numpy_ndcg, labels, scores, k, top), per_list)
        for name, top in orders.items()
    }


def limit(*arrays: Any, threads: int = 1) -> Side:
    if threads == 1:
        return Side(lambda: peers.read_limit(*arrays))
    cuts = np.linspace(0, len(arrays[0]), threads + 1).astype(int).tolist()
    parts = [[a[low:high] for a in arrays] for low, high in pairwise(cuts)]
    pool = ThreadPoolExecutor(threads)  # NumPy reads without the GIL
    return Side(lambda: list(pool.map(lambda part: peers.read_limit(*part), parts)))


def dense(lists: int, docs: int, k: int) -> Sides:
    scores, labels = data.scores_and_labels(lists, docs)
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
    """The same lists in 64 bits, which are NumPy's default."""
    floats, labels = data.scores_and_labels(lists, docs)
    scores = floats.astype(np.float64) * (1 + 1e-10)  # float32 holds none of them
    float_labels, int_labels = labels.astype(np.float64), labels.astype(np.int64)
    return {
        "rankgain": ours(float_labels, scores, k=k),
        "rankgain, int64 labels": ours(int_labels, scores, k=k, like="rankgain"),
        "rankgain, float32 scores": ours(float_labels, floats, k=k, like="rankgain"),
        "rankgain, float32 both": ours(labels, floats, k=k, like="rankgain"),
        "read limit": limit(scores, float_labels),
        **numpy_sides(float_labels, scores, k),
    }


def dense_and_every_peer(lists: int, docs: int, k: int) -> Sides:
    scores, labels = data.scores_and_labels(lists, docs)
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
    """Labels are checked once and ideals cached, as in a loop over models or epochs."""
    scores, labels = data.scores_and_labels(lists, docs)
    integers = labels.astype(np.int64)
    return {
        "rankgain": ours(rg.Truth(labels), scores, k=k, like="labels each time"),
        "labels each time": ours(labels, scores, k=k),
        "rankgain, of int64 labels": ours(rg.Truth(integers), scores, k=k, like="labels each time"),
        "int64 labels each time": ours(integers, scores, k=k),
        "read limit, scores alone": limit(scores),
    }


def beside_reading(lists: int, docs: int, k: int) -> Sides:
    scores, labels = data.scores_and_labels(lists, docs)
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
        return Side(lambda: peers.from_ranks(ranks(truth, scores, relevant, **options)), per_list)

    return {
        "rankgain": Side(lambda: rg.evaluate_arrays(truth, scores, CATALOGUE), columns(*CATALOGUE)),
        "read limit": limit(scores),
        "NumPy": numpy_side(peers.ranks_by_counting, fast=False),
        "NumPy count_nonzero": numpy_side(peers.ranks_by_counting, fast=True),
        "NumPy argsort": numpy_side(peers.ranks_by_argsort),
    }


def full_order(lists: int, docs: int) -> Sides:
    scores, labels = data.scores_and_labels(lists, docs, relevant=0.5)
    return {
        "rankgain": ours(labels, scores),
        "read limit": limit(scores, labels),
        "NumPy": Side(
            lambda: peers.numpy_ndcg(labels, scores, None, peers.top_by_argsort), per_list
        ),
        "argsort alone": Side(lambda: np.argsort(-scores, axis=1, kind="stable")),
    }


def many_measures(lists: int, docs: int) -> Sides:
    scores, labels = data.scores_and_labels(lists, docs)
    return {
        "rankgain": Side(lambda: rg.evaluate_arrays(labels, scores, MANY), columns(*MANY)),
        "nDCG@100 alone": Side(lambda: rg.ndcg(labels, scores, k=100)),
        "read limit": limit(scores, labels),
        "NumPy": Side(lambda: peers.numpy_many_measures(labels, scores, CUTOFFS), per_list),
    }


def one_list(docs: int) -> Sides:
    scores, labels = data.scores_and_labels(1, docs)
    y, s = labels[0], scores[0]
    return {
        "rankgain": ours(y, s, k=10),
        "NumPy": Side(lambda: peers.numpy_three_lines(y, s), per_list, tolerance=1e-6),
        "scikit-learn": peers.sklearn_ndcg(y[None], s[None], 10, ignore_ties=False),
    }


def two_threads(lists: int, docs: int, k: int) -> Sides:
    scores, labels = data.scores_and_labels(lists, docs)
    return {
        "one thread": ours(labels, scores, k=k, threads=1),
        "rankgain": ours(labels, scores, k=k, threads=2, like="one thread"),
        "read limit": limit(scores, labels),
        "read limit, two threads": limit(scores, labels, threads=2),
    }


def tiny_lists(lists: int, docs: int) -> Sides:
    scores, labels = data.scores_and_labels(lists, docs)
    sizes = np.full(lists, docs)
    return {
        "rankgain": ours(labels.ravel(), scores.ravel(), k=10, group=sizes),
        "rankgain, dense": ours(labels, scores, k=10, like="rankgain"),
        "NumPy": Side(lambda: peers.numpy_ndcg(labels, scores, 10, peers.top_by_argsort), per_list),
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


def python_lists(lists: int, docs: int) -> Sides:
    """Scores as Python lists: read, and also evaluated."""
    lot = data.ragged(data.generator(), lists, docs)
    ends = np.cumsum(lot.sizes)
    rows = [one.tolist() for one in np.split(lot.scores.astype(np.float64), ends[:-1])]
    labels = np.split(lot.labels, ends[:-1])
    truth = rg.Truth(labels)
    total = int(ends[-1])
    flat = lot.scores.astype(np.float64)
    return {
        "rankgain": Side(lambda: read_rows(rows, "y_score")),
        "rankgain, nDCG@10": Side(
            lambda: rg.ndcg(truth, rows, k=10), np.asarray, same_bits_as="flat"
        ),
        "flat": Side(lambda: rg.ndcg(lot.labels, flat, k=10, group=lot.sizes), np.asarray),
        "fromiter": Side(lambda: np.fromiter(chain.from_iterable(rows), np.float64, total)),
    }


# Each convention differs from the plain call in another way: where the ideal comes from, gains and
# refused labels, float32 scores, tie rules, dropped scores.
CONVENTIONS = ("sklearn", "lightgbm", "xgboost", "catboost", "torchmetrics", "rectools")
NEED_IDS = ("pytrec_eval",)
"""Ties are broken by document id there, and arrays have none, so it checks first that none tie."""
TIE_RULES = ("best", "worst", "stable", "reverse", "random")


def conventions(lists: int, docs: int, measure: str) -> Sides:
    """The plain call, and the same measure under each convention; scores do not tie."""
    scores, labels = data.scores_and_labels(lists, docs)
    evaluate = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"plain": Side(evaluate)} | {
        name: Side(partial(evaluate, convention=name)) for name in (*CONVENTIONS, *NEED_IDS)
    }


def tied_scores(lists: int, docs: int) -> tuple[data.Floats, data.Floats]:
    rng = data.generator()
    scores = np.floor(rng.random((lists, docs), np.float32) * docs)
    return scores, data.graded(rng, lists, docs)


def tie_rules(lists: int, docs: int, measure: str) -> Sides:
    """The plain call, which averages, and the same measure under each rule; scores tie."""
    scores, labels = tied_scores(lists, docs)
    evaluate = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"plain": Side(evaluate)} | {
        rule: Side(partial(evaluate, ties=rule)) for rule in TIE_RULES
    }


def tie_bounds(lists: int, docs: int, measure: str) -> Sides:
    scores, labels = tied_scores(lists, docs)
    evaluate = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"rankgain": Side(partial(evaluate, bounds="ties")), "plain": Side(evaluate)}


def unjudged_bounds(lists: int, docs: int, measure: str) -> Sides:
    """One document in ten is judged."""
    rng = data.generator()
    scores = data.tie_free(rng, lists, docs)
    judged = rng.random((lists, docs)) < 0.1
    labels = sp.csr_matrix((data.graded(rng, lists, docs) + 1) * judged)
    evaluate = partial(rg.evaluate_arrays, labels, scores, measure)
    return {"rankgain": Side(partial(evaluate, bounds="unjudged")), "plain": Side(evaluate)}


def factor_model(users: int, items: int, relevant: int) -> Sides:
    """A model of factors beside what it saves: the matrix product and `evaluate_arrays` of it."""
    rng = data.generator()
    user_factors = rng.standard_normal((users, FACTORS), dtype=np.float32)
    item_factors = rng.standard_normal((items, FACTORS), dtype=np.float32)
    truth = data.sparse_truth(rng, users, items, relevant)
    block_users = max(1, MAX_BLOCK_CELLS // items)
    block = np.empty((block_users, items), np.float32)

    def products() -> Iterator[tuple[int, Any]]:
        for low in range(0, users, block_users):
            factors = user_factors[low : low + block_users]
            scores = block[: len(factors)]
            np.matmul(factors, item_factors.T, out=scores)
            yield low, scores

    def product_and_arrays() -> Values:
        parts = [
            per_user(rg.evaluate_arrays(truth[low : low + len(scores)], scores, CATALOGUE))
            for low, scores in products()
        ]
        return np.concatenate(parts)

    per_user = columns(*CATALOGUE)
    return {
        "rankgain": Side(
            lambda: rg.evaluate_factors(user_factors, item_factors, truth, CATALOGUE, threads=1),
            per_user,
        ),
        "product and evaluate_arrays": Side(product_and_arrays, np.asarray),
        "product": Side(lambda: [None for _ in products()]),
    }


def own_measure(lists: int, docs: int) -> Sides:
    """Reciprocal rank as a Python function, beside the row of the same name and a plain loop."""

    def first_relevant(ranking: Any) -> float:
        ranks = ranking.labels.nonzero()[0]
        return 1 / (ranks[0] + 1) if len(ranks) else 0.0

    def plain_loop() -> Values:
        values = []
        for row, of_row in zip(labels, scores, strict=True):
            ranks = row[np.argsort(-of_row, kind="stable")].nonzero()[0]
            values.append(1 / (ranks[0] + 1) if len(ranks) else 0.0)
        return np.array(values)

    scores, labels = data.scores_and_labels(lists, docs)
    own = rg.measure("first relevant", first_relevant)
    call = partial(rg.evaluate_arrays, labels, scores, ties="stable")
    return {
        "rankgain": Side(lambda: call(own), columns("first relevant")),
        "RR": Side(lambda: call("RR"), columns("RR")),
        "a loop over argsort": Side(plain_loop, lambda values: values[:, np.newaxis]),
    }


def device(lists: int, docs: int, k: int) -> Sides:
    """Scores and labels on a CUDA device, where there is one; times include the way home."""
    scores, labels = data.scores_and_labels(lists, docs)
    sides: dict[str, Side | None] = {"rankgain": ours(labels, scores, k=k)}
    on_device = peers.on_device(labels, scores)
    if on_device is None:
        return sides | dict.fromkeys(("rankgain, on the device", "torch.topk", "torchmetrics"))
    device_labels, device_scores = on_device
    return sides | {
        "rankgain, on the device": ours(device_labels, device_scores, k=k, like="rankgain"),
        "torch.topk": peers.device_topk(device_scores, k),
        "torchmetrics": peers.torchmetrics_ndcg(device_labels, device_scores, k),
    }


def reconcile(lists: int, docs: int, measure: str) -> Sides:
    scores, labels = tied_scores(lists, docs)
    call: Any = partial(rg.reconcile, labels, scores, measure=measure)
    return {"rankgain": Side(partial(call, "sklearn", "lightgbm"))}


FUNCTIONS: dict[str, tuple[Callable[..., Any], int | None]] = {
    "nDCG@10": (rg.ndcg, 10),
    "AP@100": (rg.average_precision, 100),
    "RR@100": (rg.reciprocal_rank, 100),
    "nDCG": (rg.ndcg, None),
    "AP": (rg.average_precision, None),
    "RR": (rg.reciprocal_rank, None),
}


def difficult(lists: int, docs: int, measure: str) -> Sides:
    """Inputs that may slow a ranking down, each beside random ones of the same size."""
    rng = data.generator()
    random, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    cases: dict[str, tuple[Any, Any]] = {"random": (labels, random)}
    cases |= {name: (labels, scores) for name, scores in difficult_scores(random).items()}
    cases |= {
        "labels all equal": (np.ones_like(labels), random),
        "labels all zero": (np.zeros_like(labels), random),
        "half relevant": (data.graded(rng, lists, docs, relevant=0.5), random),
        "labels all distinct": (distinct_labels(rng, lists, docs), random),
    }
    doubles = random.astype(np.float64)
    cases |= {
        "random doubles": (labels, doubles * (1 + 1e-10)),
        # They differ in their tenth digit, where floats do not.
        "doubles that are one float": (labels, 1 + 1e-10 * doubles),
        "constant doubles": (labels, np.ones_like(doubles)),
    }
    return measured_alike(measure, cases)


def long_difficult(lists: int, docs: int, measure: str) -> Sides:
    """Lists that do not fit into the caches and are ranked in another way than short ones."""
    rng = data.generator()
    random, labels = data.tie_free(rng, lists, docs), data.graded(rng, lists, docs)
    scores = difficult_scores(random)
    cases = {
        "random": (labels, random),
        "labels all distinct": (distinct_labels(rng, lists, docs), random),
        "constant": (labels, scores["constant"]),
        "five values": (labels, scores["five values"]),
    }
    return measured_alike(measure, cases)


def difficult_scores(random: data.Floats) -> dict[str, data.Floats]:
    ascending = np.sort(random, axis=1)
    # An 8-bit quantised model: 256 steps over four standard deviations each way.
    steps = np.clip(np.round(random * 32), -128, 127).astype(np.float32)
    return {
        "ascending": ascending,
        "descending": np.ascontiguousarray(ascending[:, ::-1]),
        "constant": np.ones_like(random),
        "five values": np.clip(np.round(random), -2, 2).astype(np.float32),
        "int8-quantised": steps,
    }


def distinct_labels(rng: np.random.Generator, lists: int, docs: int) -> data.Floats:
    """0 to docs - 1 in each list, in no order."""
    return rng.permuted(np.tile(np.arange(docs, dtype=np.float32), (lists, 1)), axis=1)


def measured_alike(measure: str, cases: dict[str, tuple[Any, Any]]) -> Sides:
    function, k = FUNCTIONS[measure]
    return {name: Side(partial(function, y, s, k=k)) for name, (y, s) in cases.items()}


def growth(lists: int, docs: int, k: int) -> Sides:
    """Ours, reading and NumPy, at one size of many."""
    scores, labels = data.scores_and_labels(lists, docs)
    k = min(k, docs)
    # argsort is ahead of argpartition on short lists and where most of a list is needed.
    short = docs < 300 or k * 2 > docs
    order = peers.top_by_argsort if short else peers.top_by_argpartition
    return {
        "rankgain": ours(labels, scores, k=k),
        "read limit": limit(scores, labels),
        "NumPy": Side(partial(peers.numpy_ndcg, labels, scores, k, order), per_list),
    }


def growth_by_measures(count: int) -> Sides:
    scores, labels = data.scores_and_labels(4_000, 1_000)
    # Deepest cutoffs first: one measure already ranks as deep as all of them do.
    names = sorted(MANY, key=lambda name: -int(name.rpartition("@")[2]))[:count]
    return {
        "rankgain": Side(partial(rg.evaluate_arrays, labels, scores, names)),
        "read limit": limit(scores, labels),
    }


def growth_by_threads(threads: int) -> Sides:
    scores, labels = data.scores_and_labels(10_000, 1_000)
    return {
        "rankgain": ours(labels, scores, k=10, threads=threads),
        "read limit": limit(scores, labels, threads=threads),
    }


# ---- measures that people write by hand


def grouped_auc(rows: int, users: int) -> Sides:
    """Rows of users in any order, about 50 a user."""
    rng = np.random.default_rng(11)
    qid, labels = rng.integers(0, users, rows), (rng.random(rows) < 0.1).astype(np.int64)
    scores = rng.random(rows)
    return {
        "rankgain": Side(lambda: rg.gauc(labels, scores, qid=qid), np.float64),
        **peers.pandas_gauc(labels, scores, qid),
    }


def multilabel(name: str, lists: int, docs: int) -> Sides:
    """A few true labels for each sample."""
    rng = np.random.default_rng(12)
    labels, scores = (
        (rng.random((lists, docs)) < 3 / docs).astype(np.int64),
        rng.random((lists, docs)),
    )
    arguments: tuple[Any, ...] = labels, scores
    options: dict[str, Any] = {}
    if name == "top_k_accuracy_score":
        arguments = rng.integers(0, docs, lists), scores
        options = {"k": 5, "labels": np.arange(docs)}
    function = getattr(rg, name)
    return {
        "rankgain": Side(lambda: function(*arguments, **options), np.float64),
        "scikit-learn": peers.sklearn_function(name, *arguments, **options),
    }


def link_prediction(lists: int, docs: int) -> Sides:
    """One true entity for each list of all entities, and about 20 known ones to leave out."""
    rng = np.random.default_rng(13)
    scores = rng.random((lists, docs), np.float32)
    true = rng.integers(0, docs, lists)
    users = np.repeat(np.arange(lists), 20)
    items = (true[users] + rng.integers(1, docs, len(users))) % docs
    users, items = np.divmod(np.unique(users * docs + items), docs)
    exclude = sp.csr_matrix((np.ones(len(users)), (users, items)), (lists, docs))
    truth = sp.csr_matrix((np.ones(lists), (np.arange(lists), true)), (lists, docs))
    names = ["MR", "RR(rank=realistic)", "HitRate(rank=realistic)@10", "AMRI"]

    def score(some: Any) -> Any:
        return scores[some[0] : some[-1] + 1]

    return {
        "rankgain": Side(
            lambda: rg.evaluate_scores(score, truth, names, exclude=exclude),
            lambda result: np.array([result.means[name] for name in names]),
        ),
        "NumPy loop": peers.link_prediction_loop(scores, true, (users, items)),
        "PyKEEN": peers.pykeen_ranks(scores, true, (users, items)),
    }


def neighbours(queries: int, k: int) -> Sides:
    rng = np.random.default_rng(14)
    ids = np.argsort(rng.random((queries, 4 * k)), axis=1)
    result, exact = (
        np.ascontiguousarray(ids[:, :k]),
        np.ascontiguousarray(ids[:, k // 4 : k // 4 + k]),
    )
    pairs = list(zip(result, exact, strict=True))
    return {
        "rankgain": Side(lambda: rg.neighbor_recall(result, exact, k), per_list),
        "NumPy intersect1d": Side(
            lambda: [len(np.intersect1d(one, other)) / k for one, other in pairs], per_list
        ),
    }


def recommended_items(users: int, items: int, k: int, diversity: bool) -> Sides:
    rng = np.random.default_rng(15)
    first = rng.integers(0, items, users)[:, None]
    recommended = (first + rng.integers(1, items // k, users)[:, None] * np.arange(k)) % items
    popularity = 1 + rng.integers(0, 60, items)
    names = ["Coverage", "Popularity", "Novelty"]
    categories = rng.integers(0, 12, items) if diversity else None
    if diversity:
        names.append("ILD")

    def call() -> Any:
        return rg.evaluate_catalogue(
            recommended,
            names,
            k=k,
            catalogue=items,
            popularity=popularity,
            categories=categories,
        )

    return {
        "rankgain": Side(call, lambda result: np.array([result[name] for name in names])),
        "RecTools": peers.rectools_catalogue(recommended, popularity, categories, k),
    }
