"""Where the numbers come from: processor, system and versions."""

import importlib.metadata
import os
import platform
import re
from pathlib import Path

from measuring import Clock, Effort

SHOWN = (
    *("rankgain", "numpy", "scipy", "scikit-learn", "torch", "catboost", "rectools"),
    *("pytrec_eval-terrier", "ranx", "ir-measures", "polars", "pandas"),
)


def processor() -> str:
    """The model, with family and number where the name alone stands for many."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    fields = dict(re.findall(r"^([^:\n]+?)\s*: (.*)$", text, re.MULTILINE))
    name = fields.get("model name") or platform.processor() or platform.machine()
    if "cpu family" in fields:
        name += f" (family {fields['cpu family']}, model {fields['model']})"
    return name


def vectors() -> str:
    """The widest instruction set that the processor offers, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    flags = info.read_text().split() if info.exists() else []
    return next((name for name in ("avx512f", "avx2", "asimd", "sse2") if name in flags), "unknown")


def versions() -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for name in SHOWN:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def describe(effort: Effort) -> str:
    cores = os.cpu_count() or 1
    listed = ", ".join(f"{name} {version}" for name, version in versions().items())
    clock = "wall" if effort.clock is Clock.WALL else "processor"
    return (
        f"Best of up to {effort.rounds} rounds, {clock} time, on {processor()}, {vectors()}, "
        f"{cores} cores, {platform.system()} {platform.machine()}; {listed}."
    )
