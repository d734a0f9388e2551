"""Evaluation from counted ranks: over parts of the documents, or without holding all scores."""
