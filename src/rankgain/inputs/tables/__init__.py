"""Frames and Arrow record batches, in memory and in files: columns found and checked."""
