"""The environment that forces one of the paths that are otherwise chosen by the processor."""

PLAIN = {"RANKGAIN_SIMD": "plain"}
"""No vectors beyond the platform's baseline."""
