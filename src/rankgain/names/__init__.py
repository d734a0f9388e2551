"""Measures by name: every family, how it is spelled, and what may stand in parentheses."""
