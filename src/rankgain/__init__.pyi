"""Ranking metrics for search, recommendation and learning to rank, as fast as memory."""

from . import metrics
from .convention import Convention, conventions
from .evaluation import evaluate_arrays, evaluate_topk
from .explaining import Explanation, explain
from .measures import Measure, parse_measure, parse_measures
from .metrics import *  # noqa: F403  # they are named in metrics.__all__
from .notices import RankgainWarning
from .reconciliation import Reconciliation
from .reconciling import reconcile, reconcile_runs
from .result import Evaluation
from .runs import Evaluations, evaluate, evaluate_runs
from .sklearn_names import dcg_score, ndcg_score
from .trec import Qrels, Run
from .truth import Truth

__all__ = [
    "Convention",
    "Evaluation",
    "Evaluations",
    "Explanation",
    "Measure",
    "Qrels",
    "RankgainWarning",
    "Reconciliation",
    "Run",
    "Truth",
    "conventions",
    "dcg_score",
    "evaluate",
    "evaluate_arrays",
    "evaluate_runs",
    "evaluate_topk",
    "explain",
    "ndcg_score",
    "parse_measure",
    "parse_measures",
    "reconcile",
    "reconcile_runs",
]
__all__ += metrics.__all__
__version__: str
