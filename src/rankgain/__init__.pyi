"""Ranking metrics for search, recommendation and learning to rank, as fast as memory."""

from .analysis.audit import audit as audit
from .analysis.compare import compare as compare
from .analysis.corrected_mean import corrected_mean as corrected_mean
from .analysis.explain import explain as explain
from .analysis.judge_next import judge_next as judge_next
from .analysis.reconcile import reconcile as reconcile
from .analysis.reconcile import reconcile_runs as reconcile_runs
from .convention import Convention as Convention
from .convention import conventions as conventions
from .engine.notices import RankgainWarning as RankgainWarning
from .evaluation.arrays import evaluate_arrays as evaluate_arrays
from .evaluation.ids import evaluate_ids as evaluate_ids
from .evaluation.models import evaluate_models as evaluate_models
from .evaluation.runs import evaluate as evaluate
from .evaluation.runs import evaluate_runs as evaluate_runs
from .evaluation.topk import evaluate_topk as evaluate_topk
from .lists.truth import Truth as Truth
from .metrics import *  # noqa: F403  # they are named in metrics.__all__
from .metrics.sklearn import dcg_score as dcg_score
from .metrics.sklearn import ndcg_score as ndcg_score
from .names.measure import (
    Measure as Measure,
)
from .names.measure import (
    parse_measure as parse_measure,
)
from .names.measure import (
    parse_measures as parse_measures,
)
from .partial.factors import evaluate_factors as evaluate_factors
from .partial.ranks import PartialRanks as PartialRanks
from .partial.scores import evaluate_scores as evaluate_scores
from .records.by_query import Qrels as Qrels
from .records.by_query import Run as Run
from .results.comparison import Comparison as Comparison
from .results.comparison import ComparisonRow as ComparisonRow
from .results.evaluation import Evaluation as Evaluation
from .results.evaluations import Evaluations as Evaluations
from .results.explanations.audit import Audit as Audit
from .results.explanations.contributions import Contributions as Contributions
from .results.explanations.explanation import Explanation as Explanation
from .results.explanations.reconciliation import Reconciliation as Reconciliation
from .results.sums.accumulator import Accumulator as Accumulator
from .tables.batches import evaluate_batches as evaluate_batches
from .tables.frame import evaluate_frame as evaluate_frame

__version__: str
