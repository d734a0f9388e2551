"""Conventions taken from a tool's source code or a paper, and the table of all conventions.

`[read]` in a source marks a tool whose source was read, but which was not run for comparison;
`[paper]` marks a formula that was published without a program.
"""

from .compared import COMPARED, LIST, PYTREC_EVAL, RECOMMENDER, TENSORS, Entry

# What these tools call accuracy at k is a hit rate. Accuracy here, of ir_measures, is about pairs.
ACCURACY = {"accuracy": "HitRate@10"}

READ: dict[str, Entry] = {
    "ranklib": LIST
    | {
        "gain": "exp2",
        "negative": "raise",
        "truncate_labels": True,
        "k": 10,
        "ties": "stable",
        "score_dtype": "float64",
        "divisor": {"precision": "min"},
        "rel": 0.0,
        "rel_strict": True,
        "version": "2.18, codelibs",
        "source": "[read] github.com/codelibs/ranklib: src/main/java/ciir/umass/edu/metric",
        "reproduces": "NDCG@k, DCG@k, P@k, MAP",
        "leaves_out": "ideals cached by query id; MAP ignores its cutoff; float32 RR",
    },
    "tf_ranking": TENSORS
    | {
        "gain": "exp2",
        "ignore_below": 0.0,
        "negative": "zero",
        "ties": "random",
        "version": "0.5.5",
        "source": "[read] github.com/tensorflow/ranking: tensorflow_ranking/python/metrics_impl.py",
        "reproduces": "NDCGMetric",
        "leaves_out": "its random order of ties; weights from gains",
    },
    "recommenders": RECOMMENDER
    | {
        "k": 10,
        "empty": "skip",
        "missing": {"ndcg": "zero", "*": "skip"},
        "divisor": {"average_precision": "min"},
        "version": "1.2.1",
        "source": "github.com/recommenders-team/recommenders: python_evaluation.py",
        "reproduces": "ndcg_at_k, map_at_k, precision_at_k, recall_at_k",
        "leaves_out": "ratings of 0, which it counts as hits; the order of ties",
    },
    "recbole": RECOMMENDER
    | {
        "k": 10,
        "score_dtype": "float32",
        "empty": {"recall": float("nan"), "*": 0.0},
        "divisor": {"average_precision": "min"},
        "round_mean": 4,
        "version": "1.2.1",
        "source": "[read] github.com/RUCAIBox/RecBole: recbole/evaluator/metrics.py",
        "reproduces": "NDCG@k, MAP@k, Recall@k, Precision@k, Hit@k, MRR@k",
        "leaves_out": "the order of ties, which topk does not define",
    },
    "spark": {
        "gain": "exp2",
        "ideal": "given",
        "ties": "stable",
        "divisor": {"average_precision": "min"},
        "version": "4.0",
        "source": "[read] github.com/apache/spark: mllib/evaluation/RankingMetrics.scala",
        "reproduces": "ndcgAt, meanAveragePrecisionAt, precisionAt, recallAt",
        "leaves_out": "its warnings for empty truth",
    },
    "elasticsearch": {
        "gain": "exp2",
        "negative": "raise",
        "labels": "integer",
        "k": 10,
        "ideal": "returned",
        "ties": "stable",
        "divisor": {"precision": "min"},
        "version": "9",
        "source": "[read] github.com/elastic/elasticsearch: DiscountedCumulativeGain.java",
        "reproduces": "dcg with and without normalize, precision, recall, mean_reciprocal_rank",
        "leaves_out": "unknown_doc_rating; ignore_unlabeled",
    },
    "msmarco": {
        "k": 10,
        "ties": "stable",
        "version": "ms_marco_eval.py",
        "source": "[read] github.com/microsoft/MSMARCO-Passage-Ranking: ms_marco_eval.py",
        "reproduces": "MRR@10 over all judged queries, in the order of the file",
        "leaves_out": "other measures",
    },
    "beir": PYTREC_EVAL
    | {
        "ties": {"reciprocal_rank": "stable", "hit_rate": "stable", "*": "id_descending"},
        "score_dtype": {"reciprocal_rank": "float64", "hit_rate": "float64", "*": "float32"},
        "missing": {"reciprocal_rank": "zero", "hit_rate": "zero", "*": "skip"},
        "own_document": "drop",
        "round_mean": 5,
        "version": "2.2.0",
        "source": "github.com/beir-cellar/beir: beir/retrieval/evaluation.py",
        "names": ACCURACY,
        "reproduces": "NDCG@k, MAP@k, Recall@k, P@k of pytrec_eval; mrr and top_k_accuracy "
        "(HitRate@k here)",
        "leaves_out": "ignore_identical_ids=False",
    },
    "jarvelin2002": {
        "negative": "zero",
        "discount": "log",
        "undiscounted_below_base": True,
        "version": "ACM TOIS 20(4), 2002",
        "source": "[paper] Jarvelin and Kekalainen: Cumulated gain-based evaluation of IR",
        "reproduces": "DCG and nDCG with log base b: no discount before rank b",
        "leaves_out": "ties and empty queries, which the paper does not define",
    },
    "burges2005": {
        "gain": "exp2",
        "negative": "raise",
        "version": "ICML 2005",
        "source": "[paper] Burges et al., Learning to rank using gradient descent",
        "reproduces": "nDCG with gain 2**label - 1 over log2(rank + 1)",
        "leaves_out": "ties and empty queries, which the paper does not define",
    },
}

# For link prediction a list has one right answer, whose rank among ties is the best, the mean
# ("realistic") or the worst.
PYKEEN: Entry = RECOMMENDER | {
    "version": "1.11.1",
    "source": "github.com/pykeen/pykeen: src/pykeen/evaluation/ranks.py, metrics/ranking.py",
    "leaves_out": "realistic ranks (RR(rank=realistic) has them under any convention); the other "
    "means of ranks, such as the geometric one",
}

HOSTS: dict[str, Entry] = {
    "mlflow": RECOMMENDER
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
    "llama_index": RECOMMENDER
    | {
        "empty": "raise",
        "missing": "raise",
        "divisor": {"precision": "min"},
        "version": "0.14.25",
        "source": "github.com/run-llama/llama_index: core/evaluation/retrieval/metrics.py",
        "reproduces": "ndcg, ap, mrr, hit_rate, precision, recall, all without a cutoff",
        "leaves_out": "repeated ids, which ndcg and ap credit; the granular options",
    },
    "haystack": RECOMMENDER
    | {
        "gain": "linear",
        "version": "3.4.1",
        "source": "github.com/deepset-ai/haystack: haystack/components/evaluators",
        "reproduces": "DocumentNDCG, MAP, MRR and Recall evaluators of documents by id",
        "leaves_out": "repeated documents, which take a rank and have no gain",
    },
    "ragas": RECOMMENDER
    | {
        "empty": {"recall": "skip", "*": 0.0},
        "divisor": {"average_precision": "hits", "precision": "min"},
        "version": "0.4.3",
        "source": "github.com/explodinggradients/ragas: src/ragas/metrics/_context_precision.py, "
        "_context_recall.py",
        "reproduces": "context precision as AP, id-based context precision and recall as P and R",
        "leaves_out": "NaN, the id-based precision of a query without results",
    },
    "sentence_transformers": RECOMMENDER
    | {
        "ties": "id",
        "empty": "skip",
        "divisor": {"average_precision": "min"},
        "version": "6.2.0",
        "source": "github.com/huggingface/sentence-transformers: "
        "sentence_transformer/evaluation/information_retrieval.py",
        "names": ACCURACY,
        "reproduces": "InformationRetrievalEvaluator: ndcg, mrr, map, accuracy (HitRate@k here), "
        "precision, recall",
        "leaves_out": "RerankingEvaluator, which orders ties differently in each measure; its map "
        "is PRAUC",
    },
    "mteb": PYTREC_EVAL
    | {
        "score_dtype": {"reciprocal_rank": "float64", "*": "float32"},
        "round_mean": 5,
        "names": ACCURACY,
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
    "ignite": TENSORS
    | {
        "gain": "exp2",
        "min_label": 1.0,
        "ties": "stable",
        "empty": "skip",
        "version": "0.5.5",
        "source": "github.com/pytorch/ignite: ignite/metrics/rec_sys",
        "reproduces": "NDCG and HitRate with ignore_zero_hits=True, the default",
        "leaves_out": "the order of ties in HitRate, which topk does not define",
    },
    "keras_rs": TENSORS
    | {
        "gain": "exp2",
        "ignore_below": 0.0,
        "negative": "zero",
        "ties": "random",
        "divisor": {"precision": "min"},
        "version": "0.4.0",
        "source": "github.com/keras-team/keras-rs: keras_rs/src/metrics",
        "reproduces": "NDCG, DCG, MeanAveragePrecision, MeanReciprocalRank, PrecisionAtK, "
        "RecallAtK",
        "leaves_out": "its random order of ties; weights from gains",
    },
    "lenskit": RECOMMENDER
    | {
        "discount": "log",
        "undiscounted_below_base": True,
        "divisor": {"average_precision": "min", "precision": "min", "recall": "min"},
        "p": 0.85,
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

# Most tools sum as NumPy does.
ENTRIES: dict[str, Entry] = {
    name: {"summation": "pairwise"} | entry for name, entry in (COMPARED | HOSTS | READ).items()
}
