"""The widest vectors that the core uses: those of the machine, or the setting RANKGAIN_SIMD."""

import os

PATHS = ("plain", "avx2", "neon")
NEON = PATHS.index("neon")


def selected(best: int) -> int:
    """The place in PATHS of the path to take on a machine whose best is `best`."""
    wanted = os.environ.get("RANKGAIN_SIMD", "")
    if wanted == "avx512":  # vectors of 16 gained too little
        wanted = "avx2"
    if wanted and wanted not in PATHS:
        raise ImportError(f"RANKGAIN_SIMD must be plain, avx2 or neon, not {wanted!r}")
    limit = PATHS.index(wanted) if wanted else best
    # An ARM machine has NEON and no AVX2, which stands before it.
    if best == NEON and limit < NEON:
        return 0
    return min(limit, best)
