"""sentence-transformers: its evaluators of retrieval and reranking, with values computed here.

The classes have the signatures, keys, files and model cards of those in
`sentence_transformers.sentence_transformer.evaluation`; only the import differs.
"""

from __future__ import annotations

import warnings
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import Evaluation, RankgainWarning, evaluate_arrays, evaluate_ids
from .hosts import require

if TYPE_CHECKING:
    from ..inputs.types import Array, Integers


host = require("sentence_transformers.sentence_transformer.evaluation", "sentence-transformers")
torch = require("torch", "sentence-transformers")
trange = require("tqdm", "sentence-transformers").trange

# The host's key, its attribute of cutoffs, and the measure.
VALUES = (
    ("accuracy@k", "accuracy_at_k", "HitRate@{}"),
    ("precision@k", "precision_recall_at_k", "P@{}"),
    ("recall@k", "precision_recall_at_k", "R@{}"),
    ("ndcg@k", "ndcg_at_k", "nDCG@{}"),
    ("mrr@k", "mrr_at_k", "RR@{}"),
    ("map@k", "map_at_k", "AP(divisor=min)@{}"),
)
SCORE, ID = itemgetter("score"), itemgetter("corpus_id")


class InformationRetrievalEvaluator(host.InformationRetrievalEvaluator):  # type: ignore[name-defined]
    """The host's evaluator: equal scores by ascending id, binary relevance, means over queries."""

    def compute_all_metrics(
        self,
        model: object,
        corpus_model: object = None,
        corpus_embeddings: Any = None,
        output_path: str | None = None,
    ) -> dict[str, dict[str, dict[int, float]]]:
        """{name of a similarity: what `compute_metrics` returns}, without an object for each hit.

        If predictions are written, the host computes all, because it needs these objects.
        """
        if (self.write_predictions and output_path is not None) or not self.queries:
            return super().compute_all_metrics(  # type: ignore[no-any-return]
                model, corpus_model, corpus_embeddings, output_path
            )
        depth = max(k for _, k, _ in self._cutoffs())
        prompts = {"prompt_name": self.query_prompt_name, "prompt": self.query_prompt}
        queries = self.embed_inputs(model, self.queries, encode_fn_name="query", **prompts)
        prompts = {"prompt_name": self.corpus_prompt_name, "prompt": self.corpus_prompt}
        parts: dict[str, list[object]] = {name: [] for name in self.score_functions}
        size = len(self.corpus)
        step = self.corpus_chunk_size
        ranks = self.get_corpus_id_ranks()
        for start in trange(0, size, step, desc="Chunks", disable=not self.show_progress_bar):
            stop = min(start + step, size)
            if corpus_embeddings is None:
                texts = self.corpus[start:stop]
                encoder = corpus_model or model
                documents = self.embed_inputs(encoder, texts, encode_fn_name="document", **prompts)
            elif getattr(corpus_embeddings, "is_sparse", False):
                rows = torch.arange(start, stop, device=corpus_embeddings.device)
                documents = corpus_embeddings.index_select(0, rows)
            else:
                documents = corpus_embeddings[start:stop]
            for name, similarity in self.score_functions.items():
                scores = similarity(queries, documents)
                keeps_all = stop - start == size and scores.device.type == "cpu"
                kept = None if keeps_all else depth
                parts[name].append(_candidates(scores, ranks[start:stop], kept))
        host.information_retrieval.logger.info(f"Queries: {len(self.queries)}")
        host.information_retrieval.logger.info(f"Corpus: {size}\n")
        # A matrix of queries and documents by rank of their ids has relevant documents in the cells
        # row * size + rank. Documents that the corpus lacks have none.
        rank_of = dict(zip(self.corpus_ids, ranks.tolist(), strict=True))
        cells_of_rows: list[int] = []
        for row, query in enumerate(self.queries_ids):
            for document in self.relevant_docs[query]:
                rank = rank_of.get(document)
                if rank is not None:
                    cells_of_rows.append(row * size + rank)
        relevant = np.array(cells_of_rows, np.int64)
        result = {name: self._means(parts[name], relevant) for name in parts}
        for name in self.score_function_names:
            host.information_retrieval.logger.info(f"Score-Function: {name}")
            self.output_scores(result[name])
        return result

    compute_metrices = compute_all_metrics

    def _means(self, parts: list[Any], relevant: Integers) -> dict[str, dict[int, float]]:
        """The means over queries. parts: candidates of chunks; relevant: as above."""
        if len(parts) == 1:
            scores, ranks = parts[0]
        else:
            scores, ranks = map(torch.hstack, zip(*parts, strict=True))
            ranks, order = ranks.sort(1)
            scores = scores.gather(1, order)
        scores = scores.numpy()
        _refuse_nan(scores)
        labels = np.zeros(scores.shape, np.int8)
        if scores.shape[1] == len(self.corpus_ids):
            labels.reshape(-1)[relevant] = 1
        else:
            # The cells of the candidates ascend, so a binary search finds the relevant ones among
            # them. What it finds for another cell has a different number.
            firsts = np.arange(len(scores))[:, None] * len(self.corpus_ids)
            cells = (ranks.numpy() + firsts).reshape(-1)
            found = np.minimum(np.searchsorted(cells, relevant), cells.size - 1)
            is_candidate = cells[found] == relevant
            labels.reshape(-1)[found[is_candidate]] = 1
        # All judged labels are 1, as many in a row as the query has relevant documents.
        counts = np.array([len(self.relevant_docs[query]) for query in self.queries_ids])
        judged = (np.arange(counts.max()) < counts[:, None]).astype(np.int8)
        names = [name for _, _, name in self._cutoffs()]
        with warnings.catch_warnings(category=RankgainWarning, action="ignore"):
            result = evaluate_arrays(labels, scores, names, judged=judged, ties="stable")
        return self._table(result)

    def _cutoffs(self) -> list[tuple[str, int, str]]:
        """The host's key, the cutoff and the measure of each value."""
        cutoffs = []
        for key, attribute, template in VALUES:
            for k in getattr(self, attribute):
                cutoffs.append((key, k, template.format(k)))
        return cutoffs

    def _table(self, result: Evaluation | dict[str, float]) -> dict[str, dict[int, float]]:
        values: dict[str, dict[int, float]] = {key: {} for key, _, _ in VALUES}
        for key, k, name in self._cutoffs():
            values[key][k] = result[name]
        return values

    def compute_metrics(self, queries_result_list: list[Any]) -> dict[str, dict[int, float]]:
        """{"ndcg@k": {10: mean}} and so on, of a list of {"corpus_id", "score"} for each query."""
        cutoffs = self._cutoffs()
        depth = max((k for _, k, _ in cutoffs), default=0)
        queries = self.queries_ids[: len(queries_result_list)]
        pairs = zip(queries, queries_result_list, strict=True)
        retrieved = {}
        relevant = {}
        for query, hits in pairs:
            retrieved[query] = _top(hits, depth)
            relevant[query] = set(self.relevant_docs[query])
        if not cutoffs:
            return self._table({})
        names = [name for _, _, name in cutoffs]
        with warnings.catch_warnings(category=RankgainWarning, action="ignore"):
            # No warning of short lists: only a small corpus makes them shorter than a cutoff.
            return self._table(evaluate_ids(retrieved, relevant, names))


def _candidates(scores: Any, ranks: Any, depth: int | None) -> tuple[object, object]:
    """Scores and ranks of ids, by ascending id: the first `depth` of each query, or all."""
    order = ranks.argsort()
    scores = scores.detach().index_select(1, order.to(scores.device))
    ranks = ranks[order].to(scores.device).expand(scores.shape)
    size = scores.shape[1]
    if depth is not None and depth < size:
        best = scores.topk(depth, sorted=False)
        lowest = best.values.amin(1, keepdim=True)
        columns = best.indices
        if ((scores >= lowest).sum(1) > depth).any():
            # Of a tie at the cutoff, the first ids: keys are columns, those of the tie after all
            # others, and those of smaller scores last.
            at_lowest = torch.arange(size, device=scores.device) + size * (scores == lowest)
            keys = torch.where(scores < lowest, 2 * size, at_lowest)
            columns = keys.topk(depth, largest=False).indices
        columns = columns.sort(1).values
        scores, ranks = scores.gather(1, columns), ranks.gather(1, columns)
    if scores.dtype != torch.float32:
        scores = scores.double()
    return scores.cpu(), ranks.cpu()


def _refuse_nan(scores: Array) -> None:
    if np.isnan(scores).any():
        raise ValueError("the similarity of a query to a document is NaN; the model returned NaN")


def _top(hits: list[Any], depth: int) -> list[object]:
    """The first ids by descending score; equal scores by ascending id."""
    scores = np.fromiter(map(SCORE, hits), float, len(hits))
    _refuse_nan(scores)
    kept = np.arange(len(hits))
    if depth < len(hits):
        lowest = np.partition(scores, -depth)[-depth]
        kept = np.flatnonzero(scores >= lowest)
    order = kept[np.argsort(-scores[kept], kind="stable")]
    ids = [ID(hits[index]) for index in order.tolist()]
    ordered = scores[order]
    if (ordered[1:] == ordered[:-1]).any():
        pairs = sorted(zip((-ordered).tolist(), ids, strict=True))
        ids = [document for _, document in pairs]
    return ids[:depth]


class RerankingEvaluator(host.RerankingEvaluator):  # type: ignore[name-defined]
    """The host's evaluator. For equal scores, AP counts all of them at their last rank, nDCG is
    the mean over their orders, and MRR takes torch's order.
    """

    def compute_metrics(self, model: object) -> dict[str, float]:
        """The means of AP, RR and nDCG."""
        counts = []
        labels = [np.empty(0, np.int8)]
        scores = [np.empty(0)]
        for sample, of_sample in zip(self.samples, self._scores(model), strict=True):
            order = torch.argsort(-of_sample)  # the call of the host, for the same order of ties
            counts.append(len(order))
            is_positive = order < len(sample["positive"])  # these documents come first
            labels.append(is_positive.cpu().numpy().astype(np.int8))
            scores.append(of_sample[order].double().cpu().numpy())
        names = {"map": "PRAUC", "mrr": f"RR(ties=stable)@{self.at_k}", "ndcg": f"nDCG@{self.at_k}"}
        evaluation = evaluate_arrays(
            np.concatenate(labels), np.concatenate(scores), list(names.values()), group=counts
        )
        return {key: evaluation[name] for key, name in names.items()}

    def _scores(self, model: object) -> Any:
        """The scores of the documents of each sample, embedded together or one by one."""
        batches = [[sample] for sample in self.samples]
        if self.use_batched_encoding:
            batches = [self.samples]
        progress = {"show_progress_bar": self.show_progress_bar and self.use_batched_encoding}
        for batch in batches:
            documents = [[*sample["positive"], *sample["negative"]] for sample in batch]
            texts = list(chain.from_iterable(documents))
            queries = [sample["query"] for sample in batch]
            of_queries = self.embed_inputs(model, queries, "query", **progress)
            of_documents = self.embed_inputs(model, texts, "document", **progress)
            of_samples = of_documents.split(list(map(len, documents)))
            for query, of_sample in zip(of_queries, of_samples, strict=True):
                yield self.similarity_fct(query, of_sample).detach().flatten()

    compute_metrices = compute_metrics
