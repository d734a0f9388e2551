"""Ranking metrics with a compiled core."""
