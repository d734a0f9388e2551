"""The means in each segment as text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..inputs.printable import printable
from ..text import TextTable, align
from .sums.merging import segment

if TYPE_CHECKING:
    from .evaluation import Evaluation


MOST_SEGMENTS = 20  # rows of segments that are printed


def segment_lines(evaluations: Mapping[str, Evaluation]) -> list[str]:
    """A table of the means in each segment; the name "" of an only evaluation is left out."""
    measures = list(dict.fromkeys(name for one in evaluations.values() for name in one.means))
    rows: list[list[str]] = []
    for run, one in evaluations.items():
        places: dict[str, list[int]] = {}
        for at, label in enumerate(one.segments or ()):
            places.setdefault(printable(str(label)), []).append(at)
        for label, at_label in places.items() if len(places) > 1 else ():
            part = segment(one, np.array(at_label)) if len(rows) < MOST_SEGMENTS else one
            values = [f"{part.means.get(name, math.nan):.4f}" for name in measures]
            rows.append([label, printable(str(run)), *values, str(len(at_label))])
    if not rows:
        return []
    heads, more = ["segment", "run", *measures, "queries"], len(rows) - MOST_SEGMENTS
    words = 2
    if list(evaluations) == [""]:
        heads, rows, words = [heads[0], *heads[2:]], [[row[0], *row[2:]] for row in rows], 1
    lines = align(TextTable(heads, rows[:MOST_SEGMENTS], words))
    return [*lines, f"and {more} more rows: .by() has all segments"] if more > 0 else lines
