"""Frames and Arrow record batches, in memory and in files: their columns, found and checked."""
