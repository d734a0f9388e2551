"""Ranking metrics for search, recommendation and learning to rank, as fast as memory."""

from .conventions import Convention, conventions
from .evaluation import evaluate_arrays, evaluate_topk
from .explain import Explanation, explain
from .measures import Measure, parse_measure, parse_measures
from .metrics import *
from .result import Evaluation
from .runs import Evaluations, evaluate, evaluate_runs
from .sklearn_names import dcg_score, ndcg_score
from .trec import Qrels, Run
from .truth import Truth
