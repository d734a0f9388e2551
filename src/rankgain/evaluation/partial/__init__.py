"""Ranks of the hits counted in parts: over pieces of a table, or over scores made on the way."""
