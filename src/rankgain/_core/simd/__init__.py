"""The widest vectors that the core uses: what the machine has, or what RANKGAIN_SIMD says."""

import os

PATHS = ("plain", "avx2", "avx512")


def chosen(best: int) -> int:
    """The place in PATHS of the path to take on a machine whose best is `best`."""
    wanted = os.environ.get("RANKGAIN_SIMD", "")
    if wanted and wanted not in PATHS:
        raise ImportError(f"RANKGAIN_SIMD must be plain, avx2 or avx512, not {wanted!r}")
    return min(best, PATHS.index(wanted) if wanted else len(PATHS) - 1)
