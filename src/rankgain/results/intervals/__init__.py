"""Intervals of means, and the resamples that they are made of."""
