"""Plots of evaluations: matplotlib Axes that can be read at the width of a column.

Each function, such as `rankgain.plot.differences(evaluations, "nDCG@10")`, returns the Axes that it
drew on: those passed as `ax=`, else those of a new figure, 3.3 inches wide. Colour-blind readers
can tell the colours apart on a light and on a dark background, which is that of the Axes, or as
`theme="light"` or "dark" says. Needs the extra "plot" (matplotlib).
"""

from .curves import RECALL_LEVELS, by_cutoff, precision_recall
from .ranks import ranks
from .values import bounds, differences, distribution, scatter, segments

__all__ = [
    "RECALL_LEVELS",
    "bounds",
    "by_cutoff",
    "differences",
    "distribution",
    "precision_recall",
    "ranks",
    "scatter",
    "segments",
]
