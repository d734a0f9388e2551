"""Adapters for the tools that people evaluate from."""
