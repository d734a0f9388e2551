"""Ranking metrics for search, recommendation and learning to rank, as fast as memory."""

from . import metrics
from .analysis.compare import compare
from .analysis.corrected_mean import corrected_mean
from .analysis.explain import explain
from .analysis.judge_next import judge_next
from .analysis.reconcile import reconcile, reconcile_runs
from .convention import Convention, conventions
from .engine.notices import RankgainWarning
from .evaluation.arrays import evaluate_arrays
from .evaluation.ids import evaluate_ids
from .evaluation.models import evaluate_models
from .evaluation.runs import evaluate, evaluate_runs
from .evaluation.topk import evaluate_topk
from .lists.truth import Truth
from .metrics import *  # noqa: F403  # they are named in metrics.__all__
from .metrics.sklearn import dcg_score, ndcg_score
from .names.measure import Measure, parse_measure, parse_measures
from .partial.factors import evaluate_factors
from .partial.ranks import PartialRanks
from .partial.scores import evaluate_scores
from .records.by_query import Qrels, Run
from .results.comparison import Comparison, ComparisonRow
from .results.evaluation import Evaluation
from .results.evaluations import Evaluations
from .results.explanations.contributions import Contributions
from .results.explanations.explanation import Explanation
from .results.explanations.reconciliation import Reconciliation
from .results.sums.accumulator import Accumulator
from .tables.batches import evaluate_batches
from .tables.frame import evaluate_frame

__all__ = [
    "Accumulator",
    "Comparison",
    "ComparisonRow",
    "Contributions",
    "Convention",
    "Evaluation",
    "Evaluations",
    "Explanation",
    "Measure",
    "PartialRanks",
    "Qrels",
    "RankgainWarning",
    "Reconciliation",
    "Run",
    "Truth",
    "compare",
    "conventions",
    "corrected_mean",
    "dcg_score",
    "evaluate",
    "evaluate_arrays",
    "evaluate_batches",
    "evaluate_factors",
    "evaluate_frame",
    "evaluate_ids",
    "evaluate_models",
    "evaluate_runs",
    "evaluate_scores",
    "evaluate_topk",
    "explain",
    "judge_next",
    "ndcg_score",
    "parse_measure",
    "parse_measures",
    "reconcile",
    "reconcile_runs",
]
__all__ += metrics.__all__
__version__: str
