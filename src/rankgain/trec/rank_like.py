"""Warnings about runs whose scores look like ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..engine.notices import warn
from ..inputs.files import name_source
from ..inputs.ranks import RankLikeScores, describe_rank_like

if TYPE_CHECKING:
    from .rows import RecordRows

# Documents of the longest list of dicts: {"a": 1, "b": 2} is what people write to try something.
MIN_DOCUMENTS_IN_DICTS = 3
# The remedy for dicts with ranks.
NEGATE = (
    "if they are ranks, negate them, or give a frame with rank= (rankgain.Run.from_frame(frame, "
    'rank="rank"))'
)


def warn_of_rank_like(rows: RecordRows, source: object) -> None:
    """Warn if the scores of a run look like ranks, in the order of its source."""
    evidence = RankLikeScores()
    values = rows.values if rows.order is None else rows.values[rows.order]
    evidence.add(values, rows.lists[:-1], rows.lists[1:])
    if not evidence.found:
        return
    if isinstance(source, Mapping):
        if evidence.longest >= MIN_DOCUMENTS_IN_DICTS:
            warn(f"run: {describe_rank_like(NEGATE)}")
    else:
        remedy = (
            "if they are ranks, name their column with rank=, in evaluate_frame or "
            "rankgain.Run.from_frame"
        )
        name = name_source(source)  # type: ignore[arg-type]
        warn(f"{name}: {describe_rank_like(remedy)}")


def warn_of_rank_like_dicts(run: Mapping[object, object]) -> None:
    """Warn if the scores of dicts look like ranks, in the order of their documents."""
    lists = longest = 0
    for documents in run.values():
        if type(documents) is dict and len(documents) > 1:
            if any(score != rank for rank, score in enumerate(documents.values(), 1)):
                return
            lists += 1
            longest = max(longest, len(documents))
    if lists > 1 and longest >= MIN_DOCUMENTS_IN_DICTS:
        warn(f"run: {describe_rank_like(NEGATE)}")
