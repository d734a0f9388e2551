"""Qrels and a run joined by id: the ranks of judged documents in the lists of the run."""
