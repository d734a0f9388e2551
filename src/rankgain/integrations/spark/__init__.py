"""Evaluation on Spark: values per query as a DataFrame, of long tables, runs or arrays in rows."""

from .doors import evaluate, evaluate_columns, evaluate_runs

__all__ = ["evaluate", "evaluate_columns", "evaluate_runs"]
