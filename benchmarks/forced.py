"""The environment that forces one of the paths that are otherwise chosen by the processor."""

PLAIN = {"RANKGAIN_SIMD": "plain"}
"""No vectors beyond the platform's baseline."""


def avx2() -> dict[str, str]:
    """AVX2 for everyone: our core, NumPy's loops, the OpenBLAS inside it and torch."""
    import numpy as np  # who asks for PLAIN alone may have none

    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    wider = [name for name in found if name == "X86_V4" or name.startswith("AVX512")]
    return {
        "RANKGAIN_SIMD": "avx2",
        "NPY_DISABLE_CPU_FEATURES": " ".join(wider),
        "OPENBLAS_CORETYPE": "Haswell",
        "ATEN_CPU_CAPABILITY": "avx2",
    }
