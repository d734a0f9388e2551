"""Choose the fastest way to join judgments and a run.

If the call needs only ranks, a run file is joined while it is read, and dicts are joined without
conversion. Otherwise, and for unusual or wrong input, Qrels and Run are made, which raise the
errors.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from ..convention import Convention
from ..convention.fields import Frozen
from ..engine.notices import warn
from ..engine.threads import usable_threads
from ..inputs.files import JSON, suffix_of
from .by_query import Qrels, Run, is_framed
from .excluded import OWN, exclude_documents, read_excluded, without
from .joins.dicts import join_dict, join_dicts
from .joins.join import join
from .joins.joined import Joined
from .rows import Floats

LARGEST_LABEL = 16  # of what people judge
BY_KEY = ("id_descending", "id", "stable", "reverse")  # tie rules that leave no documents tied
BY_BLOCK = ("average", "best", "worst")  # tie rules for which tied documents share a rank


def as_qrels(source: object, runs: Iterable[Any] = ()) -> Qrels:
    """Make Qrels from a source, which must not be one of the `runs`, if it is a frame."""
    if isinstance(source, Qrels):
        return source
    if is_framed(source) and any(is_same(source, run) for run in runs):
        from .frames import refuse_one_column

        refuse_one_column(source)
    return Qrels(source)


def read_pair(qrels: object, run: object) -> tuple[Qrels, Run]:
    """Make Qrels and a Run; a probable exchange of the two is warned about."""
    judged, results = as_qrels(qrels, [run]), as_run(run)
    warn_of_exchange(judged._arrays.values, results)
    return judged, results


def warn_of_exchange(labels: Floats, run: Any) -> None:
    """Warn if labels look like scores, all fractions, and scores like labels, small and whole."""
    if not len(labels) or labels[0] == round(labels[0]):
        return
    rows = as_run(run)._arrays
    scores, sizes = rows.values, np.diff(rows.lists)
    places = np.repeat(rows.lists[1:], sizes) - np.arange(len(scores))  # scores of lists of ids
    if sizes.max(initial=0) > 1 and np.array_equal(scores, places):
        return
    looks_judged = (scores == np.round(scores)) & (np.abs(scores) <= LARGEST_LABEL)
    if len(scores) and looks_judged.all() and (labels != np.round(labels)).all():
        warn(
            f"all labels of the qrels are fractions, such as {labels[0]:g}, and all scores of the "
            f"run small whole numbers, such as {scores[0]:g}; are the two exchanged? qrels come "
            "before the run"
        )


def is_same(a: Any, b: Any) -> bool:
    """Whether two sources are the same object or path."""
    paths = isinstance(a, (str, os.PathLike)) and isinstance(b, (str, os.PathLike))
    return os.fspath(a) == os.fspath(b) if paths else a is b


def as_run(source: object) -> Run:
    """Make a Run from a source."""
    return source if isinstance(source, Run) else Run(source)


def is_stream(source: object) -> bool:
    """Whether a source is read as a TREC file."""
    if isinstance(source, (str, os.PathLike)):
        return not (suffix_of(source) in JSON or is_framed(source))
    return hasattr(source, "read") and not (isinstance(source, Mapping) or is_framed(source))


class Sources:
    """Judgments and a run, which are read once for all measures.

    conventions: of all measures.
    needs_scores: whether the call needs the scores, not only the ranks.
    """

    def __init__(
        self,
        qrels: Any,
        run: Any,
        conventions: list[Convention],
        threads: int | None,
        needs_scores: bool,
        exclude: Any = None,
    ) -> None:
        self.qrels, self.run, self.threads = qrels, run, threads
        self.excluded = read_excluded(exclude)
        orders = {(compares_float32(rules), rules.ties) for rules in conventions}
        if type(run) is dict:
            self.by_rank = not (needs_scores or any(map(drops_scores, conventions)))
        else:  # files are ranked by score, then by descending id, and in no other way
            is_canonical = len(orders) == 1 and all(ties == "id_descending" for _, ties in orders)
            self.by_rank = is_canonical and not needs_scores and is_stream(run)
        if self.excluded is not None or (
            any(rules.own_document == "drop" for rules in conventions)
            and not (type(run) is dict and has_no_own_document(run))
        ):
            self.by_rank = False
        if not self.by_rank:
            self._read()
        self.ranks: dict[tuple[bool, str], Joined] = {}

    def _read(self) -> None:
        """Make Qrels and Run, for joins with scores."""
        pair = read_pair(self.qrels, self.run)
        self.qrels, self.run = exclude_documents(*pair, self.excluded)
        self.by_rank = False

    def joined(self, rules: Convention, blocks: bool = False) -> Joined:
        """Join under a convention; blocks: its measures accept tied documents with one rank."""
        if not self.by_rank:
            return join_under(rules, self.qrels, self.run)
        float32, ties = compares_float32(rules), rules.ties
        if ties not in BY_KEY:
            ties = "blocks" if blocks and ties in BY_BLOCK else "none"
        if (float32, ties) not in self.ranks:
            workers = usable_threads(self.threads)
            joined = joined_by_rank(self.qrels, self.run, workers, float32, ties)
            if joined is None:
                self._read()
                return self.joined(rules)
            if type(self.run) is dict and not self.ranks:
                warn_of_exchange(joined.judged, self.run)
            self.ranks[float32, ties] = joined
        return self.ranks[float32, ties]


def drops_scores(rules: Convention) -> bool:
    """Whether a convention drops documents by their scores."""
    limits = rules.drop_scores_at_most
    by_family = limits.values() if isinstance(limits, Frozen) else (limits,)
    return any(one is not None for one in by_family)


def has_no_own_document(run: dict[Any, Any]) -> bool:
    """Whether no query of a dict has its own id among its documents."""
    try:
        return not any(query in ids or str(query) in ids for query, ids in run.items())
    except TypeError:  # not ids
        return False


def as_seen(rules: Convention, run: Run) -> Run:
    """The run as a convention sees it."""
    return without(run, OWN) if rules.own_document == "drop" else run


def join_under(rules: Convention, qrels: Qrels, run: Run) -> Joined:
    """Join with scores in the precision of a convention."""
    return join(qrels, as_seen(rules, run), compares_float32(rules))


def compares_float32(rules: Convention) -> bool:
    """Whether a convention compares scores as float32."""
    return bool(rules.score_dtype == "float32")


def joined_by_rank(
    qrels: Any, run: Any, threads: int, float32: bool, ties: str = "id_descending"
) -> Joined | None:
    """Join without scores; None if dicts have to be converted to Qrels and Run."""
    if type(run) is dict:
        joined = None
        with suppress(OverflowError):  # an integer too large for a double
            if type(qrels) is dict:
                joined = join_dicts(qrels, run, float32, ties)
            else:
                joined = join_dict(as_qrels(qrels), run, float32, ties)
        # If nothing could be joined, Qrels and Run raise the error or the warning.
        return joined if joined is not None and joined.has_common_ids else None
    from .joins.file import join_file

    return join_file(as_qrels(qrels), run, threads=threads, float32=float32)
