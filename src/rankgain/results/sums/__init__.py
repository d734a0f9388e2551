"""Sums that are never rounded, and what is made of them: means that no cut and no order changes."""
