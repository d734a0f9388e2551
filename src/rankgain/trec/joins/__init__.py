"""Qrels and a run joined by id: where the judged documents stand in the lists of the run."""
