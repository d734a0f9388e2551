"""Ranking metrics for search, recommendation and learning to rank, as fast as memory."""

__version__ = "0.1.0"  # the build reads it here

# Where a public name is defined; what is not here is a measure. (Type checkers read __init__.pyi.)
# A name is imported when it is first asked for, so that importing the package costs nothing that is
# not used. No module is called as a public name: importing it would put it in the name's place.
_HOMES = {
    "Accumulator": "evaluation.sums.accumulator",
    "Agreement": "analysis.agreement",
    "Audit": "analysis.audit_result",
    "Comparison": "analysis.comparison",
    "ComparisonRow": "analysis.comparison",
    "Contributions": "analysis.explanation",
    "Convention": "convention",
    "Correlation": "analysis.correlate",
    "Evaluation": "evaluation.evaluation",
    "Evaluations": "evaluation.evaluations",
    "Explanation": "analysis.explanation",
    "Measure": "measures.measure",
    "PartialRanks": "evaluation.partial.ranks",
    "Power": "analysis.power",
    "Qrels": "trec.by_query",
    "RankgainWarning": "engine.notices",
    "Reconciliation": "analysis.reconcile",
    "Run": "trec.by_query",
    "Truth": "inputs.truth",
    "agreement": "analysis.agreement",
    "audit": "analysis.audit",
    "compare": "analysis.compare",
    "conventions": "convention",
    "corrected_mean": "analysis.judging",
    "correlate": "analysis.correlate",
    "coverage_error": "measures.multilabel",
    "dcg_score": "measures.sklearn",
    "evaluate": "evaluation.runs",
    "evaluate_arrays": "evaluation.arrays",
    "evaluate_catalogue": "evaluation.catalogue",
    "evaluate_counts": "evaluation.partial.counts",
    "evaluate_factors": "evaluation.partial.users",
    "evaluate_batches": "evaluation.tables.batches",
    "evaluate_frame": "evaluation.tables.frame",
    "evaluate_ids": "evaluation.ids",
    "evaluate_models": "evaluation.arrays",
    "evaluate_runs": "evaluation.runs",
    "evaluate_scores": "evaluation.partial.users",
    "explain": "analysis.explain",
    "gauc": "evaluation.arrays",
    "judge_next": "analysis.judging",
    "label_ranking_average_precision_score": "measures.multilabel",
    "label_ranking_loss": "measures.multilabel",
    "measure": "measures.own",
    "ndcg_score": "measures.sklearn",
    "neighbor_recall": "evaluation.neighbours",
    "parse_measure": "measures.measure",
    "parse_measures": "measures.measure",
    "pool": "evaluation.pooling",
    "power": "analysis.power",
    "reconcile": "analysis.reconcile",
    "reconcile_runs": "analysis.reconcile",
    "sql": "evaluation.partial.query",
    "top_k_accuracy_score": "measures.multilabel",
}


def __getattr__(name):
    from importlib import import_module

    if name == "__all__":
        return __dir__()
    if name.startswith("_"):  # `from . import _core` asks here first, in the middle of an import
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f".{_HOMES.get(name, 'measures.functions')}", __name__)
    if name not in _HOMES and name not in home.__all__:
        words = home.absent(name, _HOMES)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{words}")
    globals()[name] = result = getattr(home, name)
    return result


def __dir__():
    """Name what is public; the modules are not."""
    from .measures.functions import __all__ as measures

    return [*_HOMES, *measures]
