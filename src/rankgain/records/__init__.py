"""Qrels and runs: files, frames and dicts read, and joined by id."""
