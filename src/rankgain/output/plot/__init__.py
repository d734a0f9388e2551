"""Pictures of evaluations: matplotlib Axes that can be read at the width of a column.

`rankgain.plot.differences(evaluations, "nDCG@10")` and its neighbours each return the Axes that
they drew on: an Axes given as `ax=`, else one of a new figure, 3.3 inches wide. Colours are told
apart by colour-blind readers too, on light and on dark ground: that of the Axes, or as
`theme="light"` or "dark" says. Needs the extra "plot" (matplotlib).
"""

from .curves import RECALL_LEVELS, by_cutoff, precision_recall
from .pairs import differences, scatter
from .spread import bounds, distribution, segments

__all__ = [
    "RECALL_LEVELS",
    "bounds",
    "by_cutoff",
    "differences",
    "distribution",
    "precision_recall",
    "scatter",
    "segments",
]
