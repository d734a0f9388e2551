"""Paired tests, intervals of pairs, and corrections for many comparisons."""
