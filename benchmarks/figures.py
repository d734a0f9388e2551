"""What was measured, kept by the path of the core that ran; the pages are written from it.

A file of `measured/` holds the figures of one path, machine by machine. What is measured again
takes the place of what was known of it on that path, wherever that came from.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from growth import Grown
from measuring import Outcome, Times

FOLDER = Path(__file__).parent / "measured"
PATHS = {"avx512": "AVX-512", "avx2": "AVX2", "neon": "NEON", "plain": "plain"}
"""Paths as `rankgain._core.SIMD` names them, and as pages do, the widest first."""


@dataclass
class Measured:
    """What one machine measured on one path: times by workload, and growth by series."""

    processor: str
    machine: str
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    grown: dict[str, Grown] = field(default_factory=dict)


Figures = Mapping[str, Sequence[Measured]]
"""By path, those of `PATHS` that anything is known of, in that order."""


def rounded(times: Times) -> Times:
    return {side: float(f"{time:.4g}") for side, time in times.items()}


def as_json(measured: Measured) -> dict[str, Any]:
    return {
        "processor": measured.processor,
        "machine": measured.machine,
        "outcomes": {
            name: {"seconds": rounded(outcome.seconds), "missing": outcome.missing}
            for name, outcome in measured.outcomes.items()
        },
        "grown": {
            name: {str(point): rounded(times) for point, times in grown.items()}
            for name, grown in measured.grown.items()
        },
    }


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


def load(folder: Path = FOLDER) -> Figures:
    files = {path: folder / f"{path}.json" for path in PATHS}
    return {
        path: [from_json(one) for one in json.loads(file.read_text(encoding="utf-8"))]
        for path, file in files.items()
        if file.exists()
    }


def keep(path: str, new: Measured, folder: Path = FOLDER) -> None:
    """Store what was measured now in the place of what was known before."""
    content = [as_json(one) for one in merged(load(folder).get(path, []), new)]
    folder.mkdir(exist_ok=True)
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (folder / f"{path}.json").write_text(text + "\n", encoding="utf-8")


def merged(known: Sequence[Measured], new: Measured) -> list[Measured]:
    found = Measured(new.processor, new.machine)
    others = []
    for one in known:
        left = Measured(
            one.processor,
            one.machine,
            {name: kept for name, kept in one.outcomes.items() if name not in new.outcomes},
            {name: kept for name, kept in one.grown.items() if name not in new.grown},
        )
        if one.machine == new.machine:
            found = left
        elif left.outcomes or left.grown:
            others.append(left)
    found.outcomes |= new.outcomes
    found.grown |= new.grown
    return [*others, found]


def outcomes(figures: Figures, workload: str) -> dict[str, Outcome]:
    """What is known of a workload on each path; nothing is known where it is empty."""
    return {
        path: next((one.outcomes[workload] for one in known if workload in one.outcomes), Outcome())
        for path, known in figures.items()
    }


def grown(known: Sequence[Measured], series: str) -> Grown | None:
    return next((one.grown[series] for one in known if series in one.grown), None)
