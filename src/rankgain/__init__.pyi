"""Ranking metrics for search, recommendation and learning to rank, as fast as memory."""

from .analysis.agreement import Agreement as Agreement
from .analysis.agreement import agreement as agreement
from .analysis.audit import audit as audit
from .analysis.audit_result import Audit as Audit
from .analysis.compare import compare as compare
from .analysis.comparison import Comparison as Comparison
from .analysis.comparison import ComparisonRow as ComparisonRow
from .analysis.correlate import Correlation as Correlation
from .analysis.correlate import correlate as correlate
from .analysis.explain import explain as explain
from .analysis.explanation import Contributions as Contributions
from .analysis.explanation import Explanation as Explanation
from .analysis.judging import corrected_mean as corrected_mean
from .analysis.judging import judge_next as judge_next
from .analysis.power import Power as Power
from .analysis.power import power as power
from .analysis.reconcile import Reconciliation as Reconciliation
from .analysis.reconcile import reconcile as reconcile
from .analysis.reconcile import reconcile_runs as reconcile_runs
from .convention import Convention as Convention
from .convention import conventions as conventions
from .engine.notices import RankgainWarning as RankgainWarning
from .evaluation.arrays import evaluate_arrays as evaluate_arrays
from .evaluation.arrays import evaluate_models as evaluate_models
from .evaluation.arrays import gauc as gauc
from .evaluation.catalogue import evaluate_catalogue as evaluate_catalogue
from .evaluation.evaluation import Evaluation as Evaluation
from .evaluation.evaluations import Evaluations as Evaluations
from .evaluation.ids import evaluate_ids as evaluate_ids
from .evaluation.neighbours import neighbor_recall as neighbor_recall
from .evaluation.partial.counts import evaluate_counts as evaluate_counts
from .evaluation.partial.query import sql as sql
from .evaluation.partial.ranks import PartialRanks as PartialRanks
from .evaluation.partial.users import evaluate_factors as evaluate_factors
from .evaluation.partial.users import evaluate_scores as evaluate_scores
from .evaluation.pooling import pool as pool
from .evaluation.runs import evaluate as evaluate
from .evaluation.runs import evaluate_runs as evaluate_runs
from .evaluation.sums.accumulator import Accumulator as Accumulator
from .evaluation.tables.batches import evaluate_batches as evaluate_batches
from .evaluation.tables.frame import evaluate_frame as evaluate_frame
from .inputs.truth import Truth as Truth
from .measures.functions import *  # noqa: F403  # they are named in __all__
from .measures.measure import (
    Measure as Measure,
)
from .measures.measure import (
    parse_measure as parse_measure,
)
from .measures.measure import (
    parse_measures as parse_measures,
)
from .measures.multilabel import coverage_error as coverage_error
from .measures.multilabel import (
    label_ranking_average_precision_score as label_ranking_average_precision_score,
)
from .measures.multilabel import label_ranking_loss as label_ranking_loss
from .measures.multilabel import top_k_accuracy_score as top_k_accuracy_score
from .measures.own import measure as measure
from .measures.sklearn import dcg_score as dcg_score
from .measures.sklearn import ndcg_score as ndcg_score
from .trec.by_query import Qrels as Qrels
from .trec.by_query import Run as Run

__version__: str
