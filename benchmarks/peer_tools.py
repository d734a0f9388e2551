"""What others compute of the same inputs: NumPy at its strongest, and the other tools.

The NumPy forms are the fastest that we know. They work through blocks of lists that stay in the
cache, and take the top k by `argpartition` (AVX2 or AVX-512 inside NumPy). They look labels up by
plain indexing, which is faster here than `take_along_axis`. The ideal comes from `np.sort`: it is
vectorised too, and on labels of few levels it is several times as fast as a partition from the
end. They do not average ties, which saves them work.

Each of the other tools is a small function that returns a Side, or None where the tool is not
installed. It prepares the tool's input form outside the timed call. Where a tool computes something
else under the same name, it is set to the common definition here, with a comment.
"""

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from data import Floats, Ints, Qrels, Recommendations, Run
from measuring import Side

Doubles = NDArray[np.float64]
Order = Callable[[Floats, int], Ints]
Hits = Callable[[NDArray[np.int32], sp.csr_matrix], NDArray[np.bool_]]

BLOCK = 250_000
"""Documents per block of lists: its scores and labels fit into a second-level cache of 2 MB."""


def blocks(lists: int, docs: int) -> Iterator[slice]:
    step = max(1, BLOCK // max(1, docs))
    return (slice(start, start + step) for start in range(0, lists, step))


def weights(k: int) -> Doubles:
    return 1.0 / np.log2(np.arange(2, k + 2))


def top_by_argpartition(scores: Floats, k: int) -> Ints:
    """Positions of the k highest scores of each list, ascending by score."""
    docs = scores.shape[1]
    rows = np.arange(len(scores))[:, None]
    top = np.argpartition(scores, docs - k, axis=1)[:, docs - k :]
    return np.asarray(top[rows, np.argsort(scores[rows, top], axis=1)])


def top_by_argsort(scores: Floats, k: int) -> Ints:
    return np.asarray(np.argsort(scores, axis=1)[:, scores.shape[1] - k :])


def numpy_ndcg(
    labels: Floats, scores: Floats, k: int | None, top: Order = top_by_argpartition
) -> Doubles:
    lists, docs = scores.shape
    depth = docs if k is None else min(k, docs)
    ascending = weights(depth)[::-1]
    out = np.empty(lists)
    for part in blocks(lists, docs):
        y, s = labels[part], scores[part]
        rows = np.arange(len(y))[:, None]
        ideal = np.sort(y, axis=1)[:, docs - depth :]
        out[part] = (y[rows, top(s, depth)] @ ascending) / (ideal @ ascending)
    return out


def read_limit(*arrays: Floats) -> list[Floats]:
    """Each value read once: what no metric of these arrays can avoid."""
    return [array.max(axis=1) for array in arrays]


def numpy_three_lines(labels: Floats, scores: Floats) -> float:
    """What a user writes for one list, k = 10."""
    discount = 1.0 / np.log2(np.arange(2, 12))
    order = np.argsort(-scores)[:10]
    return float(labels[order] @ discount / (np.sort(labels)[::-1][:10] @ discount))


def ranks_by_counting(truth: sp.csr_matrix, scores: Floats, per_list: int, *, fast: bool) -> Ints:
    """Ranks, from 1, of the relevant items of each list: the scores above each are counted."""
    items = truth.indices.reshape(-1, per_list)
    ranks = np.empty(items.shape, dtype=np.int64)
    for i, (row, relevant) in enumerate(zip(scores, items, strict=True)):
        for j, value in enumerate(row[relevant]):
            above = row > value
            ranks[i, j] = 1 + (np.count_nonzero(above) if fast else above.sum())
    return np.sort(ranks, axis=1)


def ranks_by_argsort(truth: sp.csr_matrix, scores: Floats, per_list: int) -> Ints:
    items = truth.indices.reshape(-1, per_list)
    ranks = np.empty(items.shape, dtype=np.int64)
    places = np.empty(scores.shape[1], dtype=np.int64)
    for i, row in enumerate(scores):
        places[np.argsort(-row)] = np.arange(1, row.size + 1)
        ranks[i] = places[items[i]]
    return np.sort(ranks, axis=1)


def from_ranks(ranks: Ints) -> Doubles:
    """nDCG, AP, RR and R@100, one column each, from the sorted ranks of binary relevant items."""
    hits = np.arange(1, ranks.shape[1] + 1)
    return np.column_stack(
        [
            (1.0 / np.log2(ranks + 1)).sum(axis=1) / weights(ranks.shape[1]).sum(),
            (hits / ranks).mean(axis=1),
            1.0 / ranks[:, 0],
            (ranks <= 100).mean(axis=1),
        ]
    )


def numpy_many_measures(labels: Floats, scores: Floats, cutoffs: Sequence[int]) -> Doubles:
    """Twelve measures at each cutoff, in the order of `array_workloads.MANY`, one column each."""
    deepest = max(cutoffs)
    out = np.empty((len(labels), 12 * len(cutoffs)))
    for part in blocks(*scores.shape):
        y = labels[part]
        rows = np.arange(len(y))[:, None]
        ranked = y[rows, top_by_argpartition(scores[part], deepest)][:, ::-1]
        out[part] = np.stack(_families(y, ranked.astype(np.float64)), axis=1)[
            :, :, np.array(cutoffs) - 1
        ].reshape(len(y), -1)
    return out


def _families(labels: Floats, ranked: Doubles) -> list[Doubles]:
    """The twelve measures at every depth of the ranking, each of shape (lists, depth)."""
    depth = ranked.shape[1]
    rank = np.arange(1, depth + 1)
    ideal = np.sort(labels, axis=1)[:, ::-1][:, :depth].astype(np.float64)
    total = np.count_nonzero(labels >= 1, axis=1)[:, None]
    hit = ranked >= 1
    hits = np.cumsum(hit, axis=1)
    dcg = np.cumsum(ranked * weights(depth), axis=1)
    exp2 = np.cumsum((2.0**ranked - 1) * weights(depth), axis=1)
    ideal_exp2 = np.cumsum((2.0**ideal - 1) * weights(depth), axis=1)
    stop = (2.0**ranked - 1) / 16
    passed = np.cumprod(1 - stop, axis=1) / (1 - stop)
    return [
        dcg / np.cumsum(ideal * weights(depth), axis=1),
        exp2 / ideal_exp2,
        dcg,
        average_precision(ranked, labels, 1),
        np.maximum.accumulate(np.where(hits == 1, hit / rank, 0), axis=1),
        hits / rank,
        hits / total,
        2 * hits / (total + rank),
        (hits > 0).astype(np.float64),
        0.2 * np.cumsum(hit * 0.8 ** (rank - 1), axis=1),
        np.cumsum(passed * stop / rank, axis=1),
        average_precision(ranked, labels, 2),
    ]


def average_precision(ranked: Doubles, labels: Floats, rel: int) -> Doubles:
    """AP at every depth; 0 for a list without a relevant document."""
    rank = np.arange(1, ranked.shape[1] + 1)
    hit = ranked >= rel
    total = np.maximum(1, np.count_nonzero(labels >= rel, axis=1))[:, None]
    return np.asarray(np.cumsum(hit * np.cumsum(hit, axis=1) / rank, axis=1) / total)


def topk_hits(recommended: NDArray[np.int32], truth: sp.csr_matrix) -> NDArray[np.bool_]:
    """Which recommended items are relevant: each block of users against its padded relevant items.

    Faster than `searchsorted` over joined keys (2.7 times), SciPy's indexing (1.5), `isin` (50).
    """
    counts = np.diff(truth.indptr)
    out = np.zeros(recommended.shape, dtype=bool)
    for start in range(0, len(recommended), 4_000):
        part = slice(start, min(start + 4_000, len(recommended)))
        widest = int(counts[part].max())
        padded = np.full((part.stop - part.start, widest), -1, dtype=np.int32)
        valid = np.arange(widest) < counts[part][:, None]
        padded[valid] = truth.indices[truth.indptr[part.start] : truth.indptr[part.stop]]
        for column in range(widest):
            out[part] |= recommended[part] == padded[:, column : column + 1]
    return out


def topk_hits_by_search(recommended: NDArray[np.int32], truth: sp.csr_matrix) -> NDArray[np.bool_]:
    """The same as most write it: pairs of user and item, looked up among those of the truth."""
    users, items = truth.shape
    relevant = np.repeat(np.arange(users) * items, np.diff(truth.indptr)) + truth.indices
    pairs = np.arange(users)[:, None] * items + recommended
    place = np.minimum(np.searchsorted(relevant, pairs), relevant.size - 1)
    return np.asarray(relevant[place] == pairs)


def topk_hits_by_compare(recommended: NDArray[np.int32], truth: sp.csr_matrix) -> NDArray[np.bool_]:
    """The same in one comparison of all users with their padded relevant items."""
    counts = np.diff(truth.indptr)
    padded = np.full((len(counts), int(counts.max())), -1, dtype=np.int32)
    padded[np.arange(padded.shape[1]) < counts[:, None]] = truth.indices
    return np.asarray((recommended[:, :, None] == padded[:, None, :]).any(axis=2))


def topk_measures(
    recommended: NDArray[np.int32], truth: sp.csr_matrix, k: int, find: Hits = topk_hits
) -> Doubles:
    """nDCG@k and HitRate@k of ranked item ids, one column each."""
    hits = find(np.ascontiguousarray(recommended[:, :k]), truth)
    ideal = np.concatenate([[0.0], np.cumsum(weights(k))])
    relevant = np.minimum(np.diff(truth.indptr), k)
    return np.column_stack([(hits @ weights(k)) / ideal[relevant], hits.any(axis=1)])


def topk_by_product(recommended: NDArray[np.int32], truth: sp.csr_matrix, k: int) -> Doubles:
    """The same from the product of two sparse matrices: weights of recommended items, and truth."""
    users = len(recommended)
    ends = np.arange(0, users * k + 1, k)
    top = sp.csr_matrix(
        (np.tile(weights(k), users), recommended[:, :k].ravel(), ends), shape=truth.shape
    )
    gained = top.multiply(truth != 0).tocsr()
    ideal = np.concatenate([[0.0], np.cumsum(weights(k))])
    relevant = np.minimum(np.diff(truth.indptr), k)
    dcg = np.asarray(gained.sum(axis=1)).ravel()
    return np.column_stack([dcg / ideal[relevant], np.diff(gained.indptr) > 0])


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def load(name: str) -> Any:
    """A peer's module as Any: most peers carry no types, and none is a dependency."""
    return importlib.import_module(name)


def sklearn_ndcg(labels: Floats, scores: Floats, k: int, *, ignore_ties: bool) -> Side | None:
    if not installed("sklearn"):
        return None
    metrics = load("sklearn.metrics")
    return Side(
        lambda: metrics.ndcg_score(labels, scores, k=k, ignore_ties=ignore_ties),
        values=lambda mean: np.float64(mean),
    )


def torch_ndcg(labels: Floats, scores: Floats, k: int) -> Side | None:
    """topk and gather on one thread, sharing NumPy's memory; torch works in float32."""
    if not installed("torch"):
        return None
    torch = load("torch")
    torch.set_num_threads(1)
    y, s = torch.from_numpy(labels), torch.from_numpy(scores)
    weight = 1 / torch.log2(torch.arange(2, k + 2, dtype=torch.float32))

    def call() -> Any:
        gains = torch.gather(y, 1, torch.topk(s, k, dim=1).indices)
        return (gains @ weight) / (torch.topk(y, k, dim=1).values @ weight)

    return Side(call, values=lambda tensor: tensor.numpy().astype(np.float64), tolerance=1e-5)


def on_device(*arrays: Floats) -> list[Any] | None:
    """The arrays on a CUDA device; None without one."""
    if not installed("torch") or not load("torch").cuda.is_available():
        return None
    torch = load("torch")
    return [torch.from_numpy(array).to("cuda") for array in arrays]


def device_topk(scores: Any, k: int) -> Side:
    """The selection alone, which is the least that a measure at k needs."""
    torch = load("torch")

    def call() -> Any:
        best = torch.topk(scores, k, dim=1).indices
        torch.cuda.synchronize()
        return best

    return Side(call)


def torchmetrics_ndcg(labels: Any, scores: Any, k: int) -> Side | None:
    """One call a list, as its retrieval metrics make them."""
    if not installed("torchmetrics"):
        return None
    functional = load("torchmetrics.functional.retrieval")
    torch = load("torch")

    def call() -> Any:
        pairs = zip(scores, labels, strict=True)
        values = [functional.retrieval_normalized_dcg(s, y, top_k=k) for s, y in pairs]
        return torch.stack(values).cpu()

    return Side(call, values=lambda tensor: tensor.numpy().astype(np.float64), tolerance=1e-5)


def catboost_ndcg(labels: Floats, scores: Floats, k: int) -> Side | None:
    """eval_metric on one thread; type=Base is the linear gain."""
    if not installed("catboost"):
        return None
    catboost = load("catboost.utils")
    y, s = labels.ravel(), scores.ravel()
    group = np.repeat(np.arange(len(labels)), labels.shape[1])
    metric = f"NDCG:top={k};type=Base"

    def call() -> Any:
        return catboost.eval_metric(y, s, metric, group_id=group, thread_count=1)

    return Side(call, values=lambda means: np.float64(means[0]), tolerance=1e-6)


def rectools_topk(lot: Recommendations, k: int) -> Side | None:
    """Long frames; `divide_by_achievable` makes the ideal that of min(k, relevant) items."""
    if not installed("rectools"):
        return None
    pandas, metrics = load("pandas"), load("rectools.metrics")
    users, width = lot.recommended.shape
    recommended = pandas.DataFrame(
        {
            "user_id": np.repeat(np.arange(users), width),
            "item_id": lot.recommended.ravel(),
            "rank": np.tile(np.arange(1, width + 1), users),
        }
    )
    relevant = lot.truth.tocoo()
    truth = pandas.DataFrame({"user_id": relevant.row, "item_id": relevant.col})
    measures = {
        "nDCG": metrics.NDCG(k=k, divide_by_achievable=True),
        "HitRate": metrics.HitRate(k=k),
    }
    return Side(
        lambda: metrics.calc_metrics(measures, recommended, truth),
        values=lambda means: np.array([means["nDCG"], means["HitRate"]]),
    )


def ir_eval_numba_ndcg(ids: Ints, relevant: list[Ints], k: int) -> Side | None:
    """One compiled call for each list, without checks; a repeated id would count twice."""
    if not installed("ir_eval_numba"):
        return None
    metrics = load("ir_eval_numba").metrics
    return Side(
        lambda: [metrics.ndcg(*sides, k) for sides in zip(relevant, ids, strict=True)],
        values=lambda values: np.array(values)[:, None],
    )


def pytrec_eval_dicts(qrels: Qrels, run: Run, names: list[str]) -> Side | None:
    """trec_eval 9.0.8 compiled into an extension; it walks the same dicts."""
    if not installed("pytrec_eval"):
        return None
    pytrec_eval = load("pytrec_eval")

    def values(results: Any) -> Any:
        return np.array([[results[query][name] for name in names] for query in sorted(results)])

    return Side(
        lambda: pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run),
        values,
    )


def pyndeval_rows(rows: list[Any], run: Run, names: dict[str, str]) -> Side | None:
    """TREC's ndeval compiled into an extension; names: its name of each of our measures."""
    if not installed("pyndeval"):
        return None
    pyndeval = load("pyndeval")
    judgments = [pyndeval.SubtopicQrel(*row) for row in rows]
    results = [
        pyndeval.ScoredDoc(query, document, score)
        for query, documents in run.items()
        for document, score in documents.items()
    ]
    evaluator = pyndeval.RelevanceEvaluator(judgments, measures=list(names.values()))

    def values(by_query: Any) -> Any:
        rows_of_names = [
            [by_query[query][name] for name in names.values()] for query in sorted(run)
        ]
        return np.array(rows_of_names)

    return Side(lambda: evaluator.evaluate(results), values)


def cwl_eval_dicts(qrels: Qrels, run: Run, names: list[str]) -> Side | None:
    """cwl-eval as ir_measures calls it, which has no other way from dicts."""
    if not (installed("ir_measures") and installed("cwl")):
        return None
    ir_measures = load("ir_measures")
    measures = [ir_measures.parse_measure(name) for name in names]

    def values(metrics: Any) -> Any:
        of_pair = {(metric.query_id, metric.measure): metric.value for metric in metrics}
        return np.array(
            [[of_pair[query, measure] for measure in measures] for query in sorted(qrels)]
        )

    return Side(lambda: list(ir_measures.cwl_eval.iter_calc(measures, qrels, run)), values)


RANX_NAMES = {"nDCG@10": "ndcg@10", "AP": "map", "RR": "mrr", "P@10": "precision@10"}


def ranx_loaded(qrels: Qrels, run: Run, names: list[str]) -> Side | None:
    """numba on ranx's own objects, one thread; compiled by a first call that is not timed."""
    if not installed("ranx"):
        return None
    ranx = load("ranx")
    ranx_qrels, ranx_run = ranx.Qrels(qrels), ranx.Run(run)
    metrics = [RANX_NAMES.get(name, name.replace("R@", "recall@")) for name in names]

    def call() -> Any:
        return ranx.evaluate(ranx_qrels, ranx_run, metrics, threads=1)

    call()

    def values(means: Any) -> Any:
        return np.array([means[name] for name in metrics] if len(metrics) > 1 else [means])

    return Side(call, values)


def pandas_gauc(labels: Ints, scores: Floats, users: Ints) -> dict[str, Side | None]:
    """Grouped AUC as people write it: a function for each group, or ranks within the groups."""
    if not installed("pandas"):
        return {"pandas groupby, roc_auc_score": None, "pandas rank": None}
    pandas = load("pandas")
    frame = pandas.DataFrame({"user": users, "label": labels, "score": scores})

    def by_rank() -> float:
        ranks = frame.groupby("user")["score"].rank()
        grouped = frame.assign(hit_rank=ranks * labels).groupby("user")
        n, positive = grouped.size(), grouped["label"].sum()
        above = grouped["hit_rank"].sum() - positive * (positive + 1) / 2
        return float((above / (positive * (n - positive)))[lambda one: np.isfinite(one)].mean())

    sides: dict[str, Side | None] = {"pandas rank": Side(by_rank, np.float64)}
    sides["pandas groupby, roc_auc_score"] = None
    if installed("sklearn"):
        area = load("sklearn.metrics").roc_auc_score

        def by_group() -> float:
            some = frame.groupby("user").filter(lambda one: 0 < one.label.sum() < len(one))
            areas = some.groupby("user").apply(lambda one: area(one.label, one.score))
            return float(areas.mean())

        sides["pandas groupby, roc_auc_score"] = Side(by_group, np.float64)
    return sides


def sklearn_function(name: str, *arguments: Any, **options: Any) -> Side | None:
    if not installed("sklearn"):
        return None
    function = getattr(load("sklearn.metrics"), name)
    return Side(lambda: function(*arguments, **options), np.float64)


def link_prediction_loop(scores: Floats, true: Ints, known: Any, batch: int = 32) -> Side:
    """PyKEEN's evaluation loop in NumPy: filter a batch by NaN, count above and equal."""
    users, items = known

    def call() -> Any:
        ranks, candidates = [], []
        for low in range(0, len(scores), batch):
            part = scores[low : low + batch].copy()
            rows = np.arange(len(part))
            best = part[rows, true[low : low + batch]]
            inside = slice(*np.searchsorted(users, [low, low + len(part)]))
            part[users[inside] - low, items[inside]] = np.nan
            part[rows, true[low : low + batch]] = best
            higher = (part > best[:, None]).sum(axis=1)
            ranks.append(1 + higher + ((part == best[:, None]).sum(axis=1) - 1) / 2)
            candidates.append(np.isfinite(part).sum(axis=1))
        return np.concatenate(ranks), np.concatenate(candidates)

    return Side(call, _of_ranks)


def pykeen_ranks(scores: Floats, true: Ints, known: Any, batch: int = 32) -> Side | None:
    """PyKEEN's own `Ranks.from_scores` and filter, batch by batch as its evaluator goes."""
    if not (installed("pykeen") and installed("torch")):
        return None
    torch, of = load("torch"), load("pykeen.evaluation.ranks").Ranks
    torch.set_num_threads(1)
    all_scores, places = torch.from_numpy(scores), torch.from_numpy(true)
    users, items = known

    def call() -> Any:
        ranks, candidates = [], []
        for low in range(0, len(scores), batch):
            part = all_scores[low : low + batch].clone()
            best = part.gather(1, places[low : low + batch, None])
            inside = slice(*np.searchsorted(users, [low, low + len(part)]))
            part[users[inside] - low, items[inside]] = float("nan")
            part.scatter_(1, places[low : low + batch, None], best)
            result = of.from_scores(true_score=best, all_scores=part)
            ranks.append(result.realistic.numpy())
            candidates.append(result.number_of_options.numpy())
        return np.concatenate(ranks), np.concatenate(candidates)

    return Side(call, _of_ranks, tolerance=1e-4)  # its ranks are float32


def _of_ranks(result: Any) -> Doubles:
    ranks, candidates = result
    index = 1 - (ranks - 1).sum() / ((candidates - 1) / 2).sum()
    return np.array([ranks.mean(), (1 / ranks).mean(), (ranks <= 10).mean(), index])


def rectools_catalogue(recommended: Ints, popularity: Ints, categories: Any, k: int) -> Side | None:
    if not installed("rectools"):
        return None
    pandas, metrics = load("pandas"), load("rectools.metrics")
    users, width = recommended.shape
    reco = pandas.DataFrame(
        {
            "user_id": np.repeat(np.arange(users), width),
            "item_id": recommended.ravel(),
            "rank": np.tile(np.arange(1, width + 1), users),
        }
    )
    places = np.arange(popularity.sum()) - np.repeat(np.cumsum(popularity) - popularity, popularity)
    before = pandas.DataFrame(
        {"user_id": places, "item_id": np.repeat(np.arange(len(popularity)), popularity)}
    )
    measures = {
        "Coverage": metrics.CatalogCoverage(k, normalize=True),
        "Popularity": metrics.AvgRecPopularity(k),
        "Novelty": metrics.MeanInvUserFreq(k),
    }
    if categories is not None:
        table = pandas.DataFrame({"category": categories})
        distances = metrics.distances.PairwiseHammingDistanceCalculator(table)
        measures["ILD"] = metrics.IntraListDiversity(k, distances)
    shift = np.log2(popularity.sum() / popularity.max())  # it counts users, not interactions
    catalogue = range(len(popularity))
    return Side(
        lambda: metrics.calc_metrics(measures, reco, prev_interactions=before, catalog=catalogue),
        lambda result: np.array([result[name] + shift * (name == "Novelty") for name in measures]),
    )
