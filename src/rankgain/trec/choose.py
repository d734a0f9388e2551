"""Choose the fastest way to join judgments and a run.

If only ranks are needed, a run file is joined while it is read, and dicts are joined directly; for
dicts, ranks are enough under most rules of ties. Else, and for unusual or wrong input, Qrels and
Run are made; they also raise the errors.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from ..convention import Convention
from ..convention.fields import Frozen
from ..engine.threads import usable_threads
from .by_query import Qrels, Run, is_framed
from .forms import is_other
from .joins.dicts import join_dict, join_dicts
from .joins.join import join
from .joins.joined import Joined

BY_KEY = ("id_descending", "id", "stable", "reverse")  # rules that order all documents of a dict
BY_BLOCK = ("average", "best", "worst")


def as_qrels(source: object, beside: Iterable[Any] = ()) -> Qrels:
    """Make Qrels from a source; `beside` are the runs that it is used with."""
    if isinstance(source, Qrels):
        return source
    if is_framed(source) and any(is_same(source, run) for run in beside):
        from .frames import refuse_one_column

        refuse_one_column(source)
    return Qrels(source)


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
        return not (is_framed(source) or is_other(source))
    return hasattr(source, "read") and not (isinstance(source, Mapping) or is_framed(source))


class Sources:
    """Judgments and a run, which are read once for all measures.

    readings: the conventions of the joins; scored: whether scores are needed in any case.
    """

    def __init__(
        self,
        qrels: Any,
        run: Any,
        readings: list[Convention],
        threads: int | None,
        scored: bool,
    ) -> None:
        self.qrels, self.run, self.threads = qrels, run, threads
        ways = {(is_single(rules), rules.ties) for rules in readings}
        if type(run) is dict:
            self.by_rank = not (scored or any(drops_scores(rules) for rules in readings))
        else:
            canonical = all(ties == "id_descending" for _, ties in ways)  # ranks suffice
            self.by_rank = not scored and len(ways) == 1 and canonical
        if not self.by_rank:
            self._read()
        self.ranks: dict[tuple[bool, str], Joined] = {}

    def _read(self) -> None:
        self.qrels, self.run = as_qrels(self.qrels, [self.run]), as_run(self.run)
        self.by_rank = False

    def joined(self, rules: Convention, blocks: bool = False) -> Joined:
        """Join under a convention; blocks: its measures take ranks that tied documents share."""
        if not self.by_rank:
            return join_under(rules, self.qrels, self.run)
        single, ties = is_single(rules), rules.ties
        if ties not in BY_KEY:
            ties = "blocks" if blocks and ties in BY_BLOCK else "none"
        known = self.ranks.get((single, ties))
        if known is None:
            workers = usable_threads(self.threads)
            known = joined_by_rank(self.qrels, self.run, workers, single, ties)
            if known is None:
                self._read()
                return self.joined(rules)
            self.ranks[single, ties] = known
        return known


def drops_scores(rules: Convention) -> bool:
    """Whether a convention looks at the scores themselves."""
    limits = rules.drop_scores_at_most
    by_family = limits.values() if isinstance(limits, Frozen) else (limits,)
    return any(one is not None for one in by_family)


def join_under(rules: Convention, qrels: Qrels, run: Run) -> Joined:
    """Join with scores in the precision of a convention."""
    return join(qrels, run, is_single(rules))


def is_single(rules: Convention) -> bool:
    """Whether a convention compares scores as float32."""
    return bool(rules.score_dtype == "float32")


def joined_by_rank(
    qrels: Any, run: Any, threads: int, single: bool, ties: str = "id_descending"
) -> Joined | None:
    """Join without scores; None if the ties of a dict need Qrels and Run."""
    if type(run) is dict:
        joined = None
        with suppress(OverflowError):  # an integer too large for a double
            if type(qrels) is dict:
                joined = join_dicts(qrels, run, single, ties)
            else:
                joined = join_dict(as_qrels(qrels), run, single, ties)
        # Else Qrels and Run raise the error or the warning.
        return joined if joined is not None and joined.meets else None
    if is_stream(run):
        from .joins.file import join_file

        return join_file(as_qrels(qrels), run, threads=threads, single=single)
    return join(as_qrels(qrels, [run]), as_run(run), single)
