"""Qrels and runs: read from files, dicts and frames, joined by id; the drop-in for trec_eval."""
