"""Evaluation in constant memory: exact sums, merging, accumulators."""
