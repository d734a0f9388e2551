"""Conventions of metric libraries and programs, whose values the tests compare with this package.

A field that an entry does not have takes its value from the convention "rankgain".
"""

from typing import Any

Entry = dict[str, Any]

# ---- entries that several tools share

# These tools have only the labels of the list itself, not those of documents that it lacks.
LIST: Entry = {"ideal": "list", "negative": "keep"}

# trec_eval orders equal scores by document id, the greatest first (strcmp in form_res_rels.c). A
# level of recall is reached with level * R + 0.5 documents, truncated.
TREC: Entry = {
    "negative": "zero",
    "ties": "id_descending",
    "score_dtype": "float64",
    "recall_rounding": 0.5,
    "version": "10.0",
    "source": "github.com/usnistgov/trec_eval: form_res_rels.c, m_*.c",
}

# The lower-case rbp is what trec_eval prints; sums have the order of the sorted query ids.
TREC_10: Entry = TREC | {"names": {"rbp": "RBP(gain=linear,p=0.9)"}, "summation": "by_id"}

# Version 9 reads labels as integers and scores as floats of C, adds 0.9 in place of 0.5, and skips
# judged queries without results.
TREC_9: Entry = TREC | {
    "truncate_labels": True,
    "score_dtype": "float32",
    "recall_rounding": 0.9,
    "missing": "skip",
    "version": "9.0.8",
}

PYTREC_EVAL: Entry = TREC_9 | {"truncate_labels": False, "labels": "integer"}

# Tensors are float32 by default, the values of measures as well as the scores.
TENSORS: Entry = LIST | {"score_dtype": "float32", "result_dtype": "float32"}

# Boosted trees: gains come from a table of 2**label - 1, and a list with nothing relevant is 1.
BOOSTER: Entry = LIST | {
    "gain": "exp2",
    "negative": "raise",
    "labels": "integer",
    "ties": "stable",
    "score_dtype": "float64",
    "empty": {"auc": "skip", "*": 1.0},
    "empty_has_weight": {"ndcg": False, "*": True},
    "divisor": {"average_precision": "min", "precision": "min"},
}

XGBOOST: Entry = BOOSTER | {
    "labels": {"average_precision": "binary", "precision": "binary", "*": "integer"},
    "largest_label": 31,
    "k": 32,
    "score_dtype": "float32",
    "empty": {"auc": "skip", "precision": 0.0, "*": 1.0},
    "version": "3.2.0",
    "source": "github.com/dmlc/xgboost: src/metric/rank_metric.cc, src/common/ranking_utils.cc",
    "reproduces": "ndcg, map and pre with and without @k, means by group weight",
    "leaves_out": "the error when weights of empty groups raise a mean above 1",
}

# Of equal scores the smaller label comes first (doc_comparator.h); relevant is a label above the
# border of 0.5.
CATBOOST: Entry = LIST | {
    "ties": "worst",
    "score_dtype": "float64",
    "empty": {"auc": "skip", "ndcg": 1.0, "recall": 1.0, "*": 0.0},
    "divisor": {"average_precision": "min", "precision": "min"},
    "rel": 0.5,
    "rel_strict": True,
    "version": "1.2.10",
    "source": "github.com/catboost/catboost: catboost/libs/metrics/dcg.cpp, doc_comparator.h",
    "weighted": {"average_precision": False, "precision": False, "recall": False, "*": True},
    "reproduces": "NDCG, DCG, MAP, MRR, PFound, PrecisionAt, RecallAt; group weights in the "
    "measures that have them",
    "leaves_out": "ERR, which takes the label itself as a probability; PFound of labels beyond "
    "[0, 1]",
}

# Recommenders know the relevant items of a user: any label above 0 counts as 1.
RECOMMENDER: Entry = {"gain": "binary", "rel": 0.0, "rel_strict": True, "ties": "stable"}

RECTOOLS: Entry = RECOMMENDER | {
    "empty": "skip",
    "version": "0.19.0",
    "source": "github.com/MobileTeleSystems/RecTools: rectools/metrics",
    "leaves_out": "MAP with divide_by_k; debiasing",
}

# ---- the conventions

COMPARED: dict[str, Entry] = {
    "trec": TREC_10
    | {
        "reproduces": "trec_eval -c, as TREC runs it: judged queries without results count as 0",
        "leaves_out": "refusals: fractional labels are taken as they are",
    },
    "trec_eval": TREC_10
    | {
        "truncate_labels": True,
        "missing": "raise",
        "reproduces": "trec_eval without -c: a judged query without results is an error",
        "leaves_out": "its four printed decimals; NaN scores; ndcg's gain tables less than 1 apart",
    },
    "trec_eval-9": TREC_9
    | {
        "summation": "by_id",
        "reproduces": "trec_eval without -c: float32 scores, means over the common queries",
        "leaves_out": "its four printed decimals; NaN scores",
    },
    "pytrec_eval": PYTREC_EVAL
    | {
        "version": "pytrec_eval-terrier 0.5.11",
        "source": "github.com/cvangysel/pytrec_eval: src/pytrec_eval.cpp, on trec_eval 9.0.8",
        "reproduces": "the values per query; means over the queries of its result",
        "leaves_out": "NaN scores",
    },
    "ir_measures": PYTREC_EVAL
    | {
        # a query without results has no value of these counts
        "missing": {"num_q": "skip", "num_rel": "skip", "*": "zero"},
        # RR@k is computed by its MS MARCO provider, Judged by OpenNIR, and all other measures of
        # trec_eval by pytrec_eval
        "ties": {"reciprocal_rank@k": "id", "judged": "id", "*": "id_descending"},
        "score_dtype": {
            "reciprocal_rank@k": "float64",
            "judged": "float64",
            "err": "float64",
            "*": "float32",
        },
        "negative": {"judged": "keep", "*": "zero"},
        "round": {"err": 5, "*": None},  # err@k is computed by gdeval
        "version": "0.4.3",
        "source": "github.com/terrierteam/ir_measures: ir_measures/providers",
        "reproduces": "the values of its pytrec_eval and MS MARCO providers, missing queries as 0",
        "leaves_out": "nDCG(dcg='exp-log2')@k, which gdeval computes; NaN scores",
    },
    "gdeval": TREC
    | {
        "gain": "exp2",
        "labels": "integer",
        "largest_label": 4,
        "k": 20,
        "round": 5,
        "empty": "skip",
        "version": "1.2a, as bundled with ir_measures 0.4.3",
        "source": "gdeval.pl of the TREC Web track",
        "reproduces": "ndcg@k and err@k per query, five decimals",
        "leaves_out": "NaN scores",
    },
    "ranx": {
        "negative": {"bpref": "keep", "*": "zero"},
        "min_label": 1.0,
        "ties": "stable",
        "score_dtype": "float64",
        "version": "0.3.21",
        "source": "github.com/AmenRa/ranx: ranx/metrics",
        "reproduces": "ndcg, bpref and the binary measures, with make_comparable=True",
        "leaves_out": "the order of ties in longer lists (an unstable sort); rbp of graded labels; "
        "bpref of a group with a query without relevant or nonrelevant documents (it divides by 0)",
    },
    "trectools": {
        "negative": "zero",
        "ties": "id",
        "score_dtype": "float64",
        "missing": "skip",
        "version": "0.0.50",
        "source": "github.com/joaopalotti/trectools: trectools/trec_eval.py",
        "reproduces": "get_ndcg per query",
        "leaves_out": "its means, which divide by the topics of the run",
    },
    "sklearn": LIST
    | {
        "negative": {"ndcg": "raise", "*": "keep"},
        "version": "1.9.1",
        "source": "github.com/scikit-learn/scikit-learn: sklearn/metrics/_ranking.py",
        "reproduces": "ndcg_score and dcg_score, means by sample_weight",
        "leaves_out": "ignore_ties (an unstable sort); average_precision_score and "
        "label_ranking_average_precision_score",
    },
    "torchmetrics": TENSORS
    | {
        "drop_scores_at_most": {
            "average_precision": 0.0,
            "reciprocal_rank": 0.0,
            "precision": 0.0,
            "recall": 0.0,
            "*": None,
        },
        "empty": 0.0,
        "undefined": "zero_sum",
        "divisor": {"average_precision": "hits"},
        "version": "1.9.0",
        "source": "github.com/Lightning-AI/torchmetrics: src/torchmetrics/functional/retrieval",
        "reproduces": "retrieval measures with empty_target_action='neg'; scores <= 0 do not count",
        "leaves_out": "the order of ties in all measures but nDCG, which topk does not define",
    },
    "lightgbm": BOOSTER
    | {
        "largest_label": 30,
        "rel": 0.5,
        "rel_strict": True,
        "version": "4.7.0",
        "source": "github.com/lightgbm-org/LightGBM: src/metric/rank_metric.hpp",
        "reproduces": "ndcg@k and map@k; ndcg counts an empty query as 1 without its weight",
        "leaves_out": "other label_gain tables, which can be given as gain",
    },
    "xgboost": XGBOOST,
    "xgboost-": XGBOOST
    | {
        "empty": {"auc": "skip", "*": 0.0},
        "reproduces": "the same measures with a trailing minus (ndcg@k-): empty groups count as 0",
    },
    "catboost": CATBOOST,
    "catboost-exp": CATBOOST
    | {"gain": "exp2", "reproduces": "NDCG and DCG with type=Exp, the other measures as catboost"},
    "rax": TENSORS
    | {
        "gain": "exp2",
        "ties": "stable",
        "drop_scores_at_most": float("-inf"),
        "undefined": "never",
        "divisor": {"precision": "min"},
        "version": "0.4.0",
        "source": "github.com/google/rax: rax/_src/metrics.py",
        "reproduces": "ndcg, dcg, mrr, ap, precision and recall without a key",
        "leaves_out": "random orders with a key; weights; precision if scores are -inf",
    },
    "implicit": RECOMMENDER
    | {
        "k": 10,
        "empty": "skip",
        "missing": "skip",
        "divisor": {"average_precision": "min", "precision": "min_relevant"},
        "mean": {"precision": "micro", "*": "macro"},
        "version": "0.7.3",
        "source": "github.com/benfred/implicit: implicit/evaluation.pyx",
        "reproduces": "precision_at_k (micro), mean_average_precision_at_k, ndcg_at_k",
        "leaves_out": "AUC_at_k; stored zeros, which it counts as relevant; lists shorter than K",
    },
    "rectools": RECTOOLS
    | {
        "ideal": "ones",
        "reproduces": "NDCG(k), MAP(k), MRR(k), HitRate(k), Precision(k), Recall(k)",
    },
    "rectools-achievable": RECTOOLS
    | {"reproduces": "NDCG(k, divide_by_achievable=True), the other measures as rectools"},
}
