"""`rankgain.spark`: evaluation on Spark; the code is in `rankgain.integrations.spark`."""

from .integrations.spark import evaluate, evaluate_columns, evaluate_runs

__all__ = ["evaluate", "evaluate_columns", "evaluate_runs"]
