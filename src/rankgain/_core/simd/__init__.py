"""The widest vectors that the core uses: those of the machine, or the setting RANKGAIN_SIMD."""

import os

PATHS = ("plain", "avx2", "neon")
NEON = PATHS.index("neon")


def selected(best: int) -> int:
    """The place in PATHS of the path to take on a machine whose best is `best`."""
    wanted = os.environ.get("RANKGAIN_SIMD", "")
    wanted = "avx2" if wanted == "avx512" else wanted  # vectors of 16 gained too little
    if wanted and wanted not in PATHS:
        raise ImportError(f"RANKGAIN_SIMD must be plain, avx2 or neon, not {wanted!r}")
    has = (0, NEON) if best == NEON else range(best + 1)
    return max(path for path in has if not wanted or path <= PATHS.index(wanted))
