"""Ranking metrics for search, recommendation and learning to rank, as fast as memory."""

from .conventions import Convention, conventions
from .measures import Measure, parse_measure, parse_measures
from .metrics import *
from .truth import Truth
