"""Comparisons and their statistics, explanations, reconciliations, documents to judge next."""
