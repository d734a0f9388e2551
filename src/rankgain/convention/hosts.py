"""Conventions of the tools that people evaluate from: platforms, evaluators, training loops.

Tests run them beside this package, as those of `compared`.
"""

from .compared import LIST, RECOMMENDER, TREC_9, Entry

IDS: Entry = RECOMMENDER | {"missing": "zero"}

PYKEEN: Entry = RECOMMENDER | {
    "version": "1.11.1",
    "source": "github.com/pykeen/pykeen: src/pykeen/evaluation/ranks.py, metrics/ranking.py",
    "leaves_out": "realistic ranks, which RR(rank=realistic) has under any convention; means by "
    "other means of the ranks",
}

HOSTS: dict[str, Entry] = {
    "mlflow": IDS
    | {
        "ideal": "returned",
        "divisor": {"precision": "min"},
        "version": "3.17.2",
        "source": "github.com/mlflow/mlflow: mlflow/metrics/metric_definitions.py",
        "reproduces": "ndcg_at_k, precision_at_k, recall_at_k: the ideal is cut at the number "
        "retrieved",
        "leaves_out": "repeated ids, which ndcg and precision credit; the 1 of a query without "
        "results and relevant ids",
    },
    "llama_index": IDS
    | {
        "empty": "raise",
        "missing": "raise",
        "divisor": {"precision": "min"},
        "version": "0.14.25",
        "source": "github.com/run-llama/llama_index: core/evaluation/retrieval/metrics.py",
        "reproduces": "ndcg, ap, mrr, hit_rate, precision, recall, all without a cutoff",
        "leaves_out": "repeated ids, which ndcg and ap credit; the granular options",
    },
    "haystack": IDS
    | {
        "gain": "linear",
        "version": "3.4.1",
        "source": "github.com/deepset-ai/haystack: haystack/components/evaluators",
        "reproduces": "DocumentNDCG, MAP, MRR and Recall evaluators of documents by id",
        "leaves_out": "repeated documents, which hold a rank and count nothing",
    },
    "ragas": IDS
    | {
        "empty": {"recall": "skip", "*": 0.0},
        "divisor": {"average_precision": "hits", "precision": "min"},
        "version": "0.4.3",
        "source": "github.com/explodinggradients/ragas: src/ragas/metrics/_context_precision.py, "
        "_context_recall.py",
        "reproduces": "context precision as AP, id-based context precision and recall as P and R",
        "leaves_out": "the NaN of id-based precision where nothing was retrieved",
    },
    "sentence_transformers": IDS
    | {
        "ties": "id",
        "empty": "skip",
        "divisor": {"average_precision": "min"},
        "version": "6.2.0",
        "source": "github.com/huggingface/sentence-transformers: "
        "sentence_transformer/evaluation/information_retrieval.py",
        "reproduces": "InformationRetrievalEvaluator: ndcg, mrr, map, accuracy, precision, recall",
        "leaves_out": "RerankingEvaluator, whose ties go another way in each measure: its map is "
        "PRAUC",
    },
    "mteb": TREC_9
    | {
        "truncate_labels": False,
        "labels": "integer",
        "score_dtype": {"reciprocal_rank": "float64", "*": "float32"},
        "round_mean": 5,
        "version": "2.26.24",
        "source": "github.com/embeddings-benchmark/mteb: mteb/_evaluators/retrieval_metrics.py",
        "reproduces": "ndcg, map, recall, precision, hit_rate and mrr at k, means to five decimals",
        "leaves_out": "further decimals of mrr's mean, the only one that it does not round; "
        "nAUC, which is rankgain.integrations.mteb.nauc; NaN scores",
    },
    "torchrec": LIST
    | {
        "ties": "stable",
        "version": "1.9.2",
        "source": "github.com/meta-pytorch/torchrec: torchrec/metrics/ndcg.py, gauc.py",
        "reproduces": "NDCG of sessions, and GAUC, the mean of AUC over sessions with both classes",
        "leaves_out": "the order of ties (an unstable sort), which GAUC's value hangs on; weights; "
        "GAUC's sessions with one score, which it skips; NDCG reported as 1 - NDCG",
    },
    "ignite": LIST
    | {
        "gain": "exp2",
        "min_label": 1.0,
        "ties": "stable",
        "score_dtype": "float32",
        "result_dtype": "float32",
        "empty": "skip",
        "version": "0.5.5",
        "source": "github.com/pytorch/ignite: ignite/metrics/rec_sys",
        "reproduces": "NDCG and HitRate with ignore_zero_hits=True, which is their default",
        "leaves_out": "the order of ties in HitRate, which topk leaves open",
    },
    "keras_rs": LIST
    | {
        "gain": "exp2",
        "negative": "zero",
        "ties": "random",
        "score_dtype": "float32",
        "result_dtype": "float32",
        "divisor": {"precision": "min"},
        "version": "0.4.0",
        "source": "github.com/keras-team/keras-rs: keras_rs/src/metrics",
        "reproduces": "NDCG, DCG, MeanAveragePrecision, MeanReciprocalRank, PrecisionAtK, "
        "RecallAtK",
        "leaves_out": "its shuffle of ties; labels below 0, which are padding; weights from gains",
    },
    "lenskit": IDS
    | {
        "discount": "log",
        "undiscounted_below_base": True,
        "divisor": {"average_precision": "min", "precision": "min", "recall": "min"},
        "names": {"rbp": "RBP(p=0.85)"},
        "version": "2025.8.1",
        "source": "github.com/lenskit/lkpy: src/lenskit/metrics/ranking",
        "reproduces": "NDCG, DCG, RecipRank, Hit, Precision, Recall, AveragePrecision and RBP: "
        "ranks 1 and 2 both undiscounted; means of list_summary",
        "leaves_out": "AveragePrecision of lists shorter than n and of users without test items, "
        "where it divides by the length and by 0",
    },
    "pykeen-optimistic": PYKEEN
    | {
        "ties": "best",
        "reproduces": "MRR (inverse_harmonic_mean_rank) and hits_at_k of optimistic ranks",
    },
    "pykeen-pessimistic": PYKEEN
    | {
        "ties": "worst",
        "reproduces": "MRR (inverse_harmonic_mean_rank) and hits_at_k of pessimistic ranks",
    },
}
