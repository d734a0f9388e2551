"""Conventions of tools that call an evaluation: platforms, evaluators, training loops.

As in `compared`, tests compare the values of these tools with this package.
"""

from .compared import LIST, RECOMMENDER, TREC_9, Entry

IDS: Entry = RECOMMENDER | {"missing": "zero"}

PYKEEN: Entry = RECOMMENDER | {
    "version": "1.11.1",
    "source": "github.com/pykeen/pykeen: src/pykeen/evaluation/ranks.py, metrics/ranking.py",
    "leaves_out": "realistic ranks (RR(rank=realistic) has them under any convention); the other "
    "means of ranks, such as the geometric one",
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
        "leaves_out": "repeated ids, which ndcg and precision credit; the value 1 of a query "
        "without results and relevant ids",
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
        "leaves_out": "repeated documents, which take a rank and have no gain",
    },
    "ragas": IDS
    | {
        "empty": {"recall": "skip", "*": 0.0},
        "divisor": {"average_precision": "hits", "precision": "min"},
        "version": "0.4.3",
        "source": "github.com/explodinggradients/ragas: src/ragas/metrics/_context_precision.py, "
        "_context_recall.py",
        "reproduces": "context precision as AP, id-based context precision and recall as P and R",
        "leaves_out": "NaN, the id-based precision of a query without results",
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
        "leaves_out": "RerankingEvaluator, which orders ties differently in each measure; its map "
        "is PRAUC",
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
        "leaves_out": "mrr's mean with all decimals (mteb rounds the other means only); "
        "nAUC, which is rankgain.integrations.mteb.nauc; NaN scores",
    },
    "torchrec": LIST
    | {
        "ties": "stable",
        "version": "1.9.2",
        "source": "github.com/meta-pytorch/torchrec: torchrec/metrics/ndcg.py, gauc.py",
        "reproduces": "NDCG of sessions, and GAUC, the mean of AUC over sessions with both classes",
        "leaves_out": "the order of ties (an unstable sort), which changes GAUC; weights; sessions "
        "with a single score, which GAUC skips; NDCG reported as 1 - NDCG",
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
        "reproduces": "NDCG and HitRate with ignore_zero_hits=True, the default",
        "leaves_out": "the order of ties in HitRate, which topk does not define",
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
        "leaves_out": "its random order of ties; labels below 0, which are padding; weights from "
        "gains",
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
        "no discount at ranks 1 and 2; means of list_summary",
        "leaves_out": "AveragePrecision of lists shorter than n (divided by the length) and of "
        "users without test items (divided by 0)",
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
