"""A drop-in for trec_eval 10.0: its arguments, its output to the byte, its exit statuses."""

from .program import main

__all__ = ["main"]
