"""The stored figures of `measured/`: a file for each path of the core, machine by machine.

A new measurement replaces what was stored for the same workload and path, from whatever machine.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from measuring import HERE, Outcome
from workloads import Grown

PATHS = {"avx512": "AVX-512", "avx2": "AVX2", "neon": "NEON", "plain": "plain"}
"""Paths as `rankgain._core.SIMD` names them, and as pages do, the widest first."""


@dataclass
class Measured:
    """What one machine measured on one path: times by workload, and growth by series."""

    processor: str
    machine: str
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    grown: dict[str, Grown] = field(default_factory=dict)

    def without(self, other: "Measured") -> "Measured":
        return Measured(
            self.processor,
            self.machine,
            {name: one for name, one in self.outcomes.items() if name not in other.outcomes},
            {name: one for name, one in self.grown.items() if name not in other.grown},
        )


Figures = Mapping[str, Sequence[Measured]]
"""By path: those of `PATHS` with stored figures, in that order."""


def from_json(stored: dict[str, Any]) -> Measured:
    return Measured(
        stored["processor"],
        stored["machine"],
        {name: Outcome(**outcome) for name, outcome in stored["outcomes"].items()},
        {
            name: {int(point): times for point, times in grown.items()}
            for name, grown in stored["grown"].items()
        },
    )


def load(folder: Path = HERE / "measured") -> Figures:
    files = {path: folder / f"{path}.json" for path in PATHS}
    return {
        path: [from_json(one) for one in json.loads(file.read_text(encoding="utf-8"))]
        for path, file in files.items()
        if file.exists()
    }


def store(path: str, new: Measured, folder: Path = HERE / "measured") -> None:
    """Replace what was stored for the same workloads and series."""
    others = []
    for one in load(folder).get(path, []):
        rest = one.without(new)
        if one.machine == new.machine:
            new = Measured(
                new.processor,
                new.machine,
                rest.outcomes | new.outcomes,
                rest.grown | new.grown,
            )
        elif rest.outcomes or rest.grown:
            others.append(rest)
    folder.mkdir(exist_ok=True)
    content = rounded([asdict(one) for one in (*others, new)])
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (folder / f"{path}.json").write_text(text + "\n", encoding="utf-8")


def rounded(value: Any) -> Any:
    """All figures to four digits."""
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def outcomes_of(known: Figures, workload: str) -> dict[str, Outcome]:
    """What is known of a workload on each path; an empty outcome where nothing is."""
    return {
        path: next((one.outcomes[workload] for one in parts if workload in one.outcomes), Outcome())
        for path, parts in known.items()
    }


def growth_of(parts: Sequence[Measured], series: str) -> Grown | None:
    return next((one.grown[series] for one in parts if series in one.grown), None)


def most(parts: Sequence[Measured]) -> Measured:
    """The machine that measured most of a column."""
    return max(parts, key=lambda part: len(part.outcomes))
