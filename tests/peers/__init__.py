"""Differential tests: the real tools beside this package."""
