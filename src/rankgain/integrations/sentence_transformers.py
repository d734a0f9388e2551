"""sentence-transformers: its evaluators of retrieval and reranking, with their numbers from here.

The classes of `sentence_transformers.sentence_transformer.evaluation` with their signatures, keys,
files and model cards; only the import differs.
"""

import warnings
from operator import itemgetter
from typing import Any

import numpy as np

from .. import RankgainWarning, evaluate_arrays, evaluate_ids
from .hosts import required

host = required("sentence_transformers.sentence_transformer.evaluation", "sentence-transformers")

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

    def compute_metrics(self, queries_result_list: list[Any]) -> dict[str, dict[int, float]]:
        """{"ndcg@k": {10: mean}} and so on, of a list of {"corpus_id", "score"} for each query."""
        cutoffs = [(key, k, text.format(k)) for key, at, text in VALUES for k in getattr(self, at)]
        depth = max((k for _, k, _ in cutoffs), default=0)
        queries = self.queries_ids[: len(queries_result_list)]
        pairs = zip(queries, queries_result_list, strict=True)
        retrieved = {query: _top(hits, depth) for query, hits in pairs}
        relevant = {query: set(self.relevant_docs[query]) for query in queries}
        values: dict[str, dict[int, float]] = {key: {} for key, _, _ in VALUES}
        if cutoffs:
            with warnings.catch_warnings(category=RankgainWarning, action="ignore"):
                # Lists are as long as the corpus lets them be.
                result = evaluate_ids(retrieved, relevant, [name for _, _, name in cutoffs])
            for key, k, name in cutoffs:
                values[key][k] = result[name]
        return values


def _top(hits: list[Any], depth: int) -> list[Any]:
    """The first ids by descending score; equal scores by ascending id."""
    scores = np.fromiter(map(SCORE, hits), float, len(hits))
    if np.isnan(scores).any():
        raise ValueError("the similarity of a query to a document is NaN; the model returned NaN")
    places = np.arange(len(hits))
    if depth < len(hits):
        places = np.flatnonzero(scores >= np.partition(scores, -depth)[-depth])
    places = places[np.argsort(-scores[places], kind="stable")]
    ordered = scores[places]
    ids = [ID(hits[at]) for at in places.tolist()]
    if (ordered[1:] == ordered[:-1]).any():
        ids = [one for _, one in sorted(zip((-ordered).tolist(), ids, strict=True))]
    return ids[:depth]


class RerankingEvaluator(host.RerankingEvaluator):  # type: ignore[name-defined]
    """The host's evaluator, with ties averaged over their orders.

    Without equal scores its numbers. Of equal ones it takes an order that nobody says for MRR, and
    the last place of all for AP.
    """

    def compute_metrics(self, model: object) -> dict[str, float]:
        """The means of AP, RR and nDCG."""
        sizes = [(len(one["positive"]), len(one["negative"])) for one in self.samples]
        labels = [label for size in sizes for label in (1,) * size[0] + (0,) * size[1]]
        scores = list(self._scores(model))
        names = {"map": "AP", "mrr": f"RR@{self.at_k}", "ndcg": f"nDCG@{self.at_k}"}
        flat = np.concatenate([[], *scores])
        counts = [positive + negative for positive, negative in sizes]
        evaluation = evaluate_arrays(labels, flat, list(names.values()), group=counts)
        return {key: evaluation[name] for key, name in names.items()}

    def _scores(self, model: object) -> Any:
        """The scores of the documents of each sample, embedded together or one by one."""
        documents = [[*one["positive"], *one["negative"]] for one in self.samples]
        queries = [one["query"] for one in self.samples]
        groups = (
            [range(len(queries))]
            if self.use_batched_encoding
            else [[at] for at in range(len(queries))]
        )
        for group in groups:
            some = [documents[at] for at in group]
            progress = {"show_progress_bar": self.show_progress_bar and self.use_batched_encoding}
            embedded = self.embed_inputs(model, [queries[at] for at in group], "query", **progress)
            others = self.embed_inputs(
                model, [one for docs in some for one in docs], "document", **progress
            )
            for query, docs in zip(
                embedded, others.split([len(docs) for docs in some]), strict=True
            ):
                yield self.similarity_fct(query, docs).flatten().cpu().numpy()

    compute_metrices = compute_metrics
