"""Sums of evaluations in constant memory, and merged evaluations."""
