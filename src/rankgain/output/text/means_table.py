"""The table of means for a paper: significance marks, and the legend that explains them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, cast

from ...engine.notices import name_some
from ...evaluation.counting import pooled_legend, shared_collections
from ...inputs.printable import printable
from ...text import latex_text
from .comparison import describe_test, find_beaten
from .formats import Grid, make_grid, make_pooled_grid

if TYPE_CHECKING:
    from ...analysis.comparison import Comparison, ComparisonRow

# A comparison of all pairs of up to this many systems gives each a letter, so that a superscript
# has at most eleven.
MAX_LETTERED = 12
BETTER, WORSE = r"\dagger", r"\ddagger"

Marks = dict[tuple[str, str], str]  # (system, measure) -> superscript in LaTeX


def make_means_table(
    comparison: Comparison, precision: int, against: object, segment: str | None
) -> tuple[Grid, list[str]]:
    """Means of all systems with significance marks, and the sentences of the legend in LaTeX.

    Marks against a single system are daggers, and marks of all pairs are letters. The legend names
    the pairs that were tested, because an untested mean and a mean without a significant
    difference look the same in the table.
    """
    rows = _rows_of_segment(comparison, segment)
    reference, marked_systems = _find_reference(comparison, against)
    test = latex_text(f"{describe_test(comparison)}; p below {1 - comparison.level:.2g}")
    heads: list[tuple[str, ...]] = [(name,) for name in comparison.names]
    corner: tuple[str, ...] = ("run",)
    if reference is not None:
        marks = _dagger_marks(comparison, rows, reference)
        legend = [_dagger_legend(comparison, reference, test)]
    elif len(comparison.names) <= MAX_LETTERED:
        # The letters stand in a column of their own, without a head, before the names.
        letters = dict(zip(comparison.names, ascii_lowercase, strict=False))
        marks = _letter_marks(comparison, rows, letters, marked_systems)
        corner = ("", "run")
        heads = [(letter, name) for name, letter in letters.items()]
        legend = [_letter_legend(comparison, letters, marked_systems, test)]
    else:
        marks = {}
        legend = [
            f"No significance marks: there are more than {MAX_LETTERED} systems. To mark "
            "differences from one of them, compare with a baseline, or name it by against=."
        ]
    is_marked = reference is not None or len(comparison.names) <= MAX_LETTERED
    if is_marked and (untested := _untested(rows, reference, marked_systems)):
        legend.append(latex_text(f"Not tested, for lack of common values: {name_some(untested)}."))
    if rows and rows[0].segment is not None:
        legend.append(latex_text(f"Segment: {rows[0].segment}."))
        other_segments = [name for name in comparison.segments if name != rows[0].segment]
        if segment is None and other_segments:
            noun = "segment" if len(other_segments) == 1 else "segments"
            legend.append(latex_text(f"Not in this table: {noun} {name_some(other_segments)}."))
    evaluations = comparison.evaluations
    if evaluations is not None and shared_collections(evaluations):
        legend += map(latex_text, pooled_legend(evaluations, comparison.measures))
        pooled = make_pooled_grid(evaluations, comparison.measures, precision, marks=marks)
        return pooled._replace(corner=corner, rows=heads), legend
    means = _means(comparison, rows)
    grid = make_grid(means, comparison.measures, precision, marks, better=comparison.better)
    return grid._replace(corner=corner, rows=heads), legend


def _rows_of_segment(comparison: Comparison, segment: str | None) -> list[ComparisonRow]:
    """The rows of one segment, by default of the first."""
    if segment is None and comparison.segments:
        segment = comparison.segments[0]
    elif segment is not None and segment not in comparison.segments:
        segments = ", ".join(map(printable, comparison.segments)) or "none"
        raise ValueError(f"segment {segment!r} is not compared; there are {segments}")
    return [row for row in comparison.rows if row.segment == segment]


def _find_reference(comparison: Comparison, against: object) -> tuple[str | None, list[str]]:
    """The only system that marks refer to, or None, and all systems that marks refer to."""
    if against is None:
        names = list(comparison.names)
    elif isinstance(against, str):
        names = [against]
    else:
        names = list(cast("Iterable[str]", against))
    for name in names:
        if name not in comparison.names:
            compared = ", ".join(map(printable, comparison.names))
            raise ValueError(f"against: {name!r} is not compared; there are {compared}")
    baseline = comparison.baseline
    if baseline is not None:
        other_system = next((name for name in names if name != baseline), None)
        if against is not None and other_system is not None:
            raise ValueError(
                f"against: {other_system!r} was compared with the baseline {baseline!r} only; "
                "compare without baseline= to test all pairs"
            )
        return baseline, [baseline]
    if len(comparison.names) <= MAX_LETTERED:
        return None, names
    if against is not None and len(names) != 1:
        raise ValueError(
            f"against: {len(comparison.names)} systems are too many for letters; name one"
        )
    if len(names) == 1:
        return names[0], names
    return None, names


def _dagger_marks(comparison: Comparison, rows: Sequence[ComparisonRow], reference: str) -> Marks:
    """The systems that are significantly better or worse than the reference."""
    marks: Marks = {}
    for (winner, measure), losers in find_beaten(comparison, rows).items():
        if reference in losers:
            marks[winner, measure] = BETTER
        if winner == reference:
            for loser in losers:
                marks[loser, measure] = WORSE
    return marks


def _dagger_legend(comparison: Comparison, reference: str, test: str) -> str:
    name = latex_text(reference)
    signs = f"${BETTER}$ significantly better, ${WORSE}$ significantly worse than"
    if comparison.baseline is None:
        return f"{signs} {name} ({test}); differences from other systems are not marked."
    if len(comparison.names) == 2:
        return f"{signs} the baseline {name} ({test})."
    return f"{signs} the baseline {name} ({test}). Other pairs were not compared."


def _letter_marks(
    comparison: Comparison,
    rows: Sequence[ComparisonRow],
    letters: dict[str, str],
    marked_systems: Sequence[str],
) -> Marks:
    """The letters of the named systems that are significantly worse."""
    marks: Marks = {}
    for key, losers in find_beaten(comparison, rows).items():
        shown = losers.intersection(marked_systems)
        # The names have the order of the letters.
        marks[key] = "".join(letters[name] for name in comparison.names if name in shown)
    return marks


def _letter_legend(
    comparison: Comparison, letters: dict[str, str], marked_systems: Sequence[str], test: str
) -> str:
    systems = "the systems with these letters"
    if len(marked_systems) < len(comparison.names):
        shown = ", ".join(letters[name] for name in comparison.names if name in marked_systems)
        if len(marked_systems) == 1:
            systems = f"system {shown}; differences from other systems are not marked"
        else:
            systems = f"the systems with these letters, of which only {shown} are marked"
    return f"Superscripts: significantly better than {systems} ({test})."


def _untested(
    rows: Sequence[ComparisonRow], reference: str | None, marked_systems: Sequence[str]
) -> list[str]:
    """The pairs that marks should speak of but that have no p-value, with their measure."""
    wanted = set(marked_systems)
    if reference is not None:
        wanted = {reference}
    untested = []
    for row in rows:
        if math.isnan(row.p) and (row.a in wanted or row.b in wanted):
            untested.append(f"{printable(row.a)} and {printable(row.b)} on {row.measure}")
    return untested


def _means(comparison: Comparison, rows: Sequence[ComparisonRow]) -> dict[str, list[float]]:
    """The means of each system, in the order of the measures.

    The lists of a mean depend on the pair if systems lack values; the pair with most lists counts.
    """
    means: dict[tuple[str, str], float] = {}
    # From the most lists down: the first mean of a system stays.
    for row in sorted(rows, key=lambda row: -row.lists):
        means.setdefault((row.a, row.measure), row.mean_a)
        means.setdefault((row.b, row.measure), row.mean_b)
    means_by_system: dict[str, list[float]] = {}
    for name in comparison.names:
        means_by_system[name] = [means[name, measure] for measure in comparison.measures]
    return means_by_system
