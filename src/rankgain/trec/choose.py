"""From whatever holds the judgments and a run to their join, by the shortest way.

Where only ranks are wanted, a run file is joined as it is read and dicts are joined as they are;
else, and where these meet anything unusual, Qrels and Run are made, which also say what is wrong.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from ..convention import Convention
from ..engine.threads import usable_threads
from .by_query import Qrels, Run, is_framed
from .forms import is_other
from .joins.dicts import join_dict, join_dicts
from .joins.join import join
from .joins.joined import Joined


def as_qrels(source: Any, beside: Iterable[Any] = ()) -> Qrels:
    """Qrels as they are, or read from their source; `beside` are the runs that they are for."""
    if isinstance(source, Qrels):
        return source
    if is_framed(source) and any(is_same(source, run) for run in beside):
        from .frames import refuse_one_column

        refuse_one_column(source)
    return Qrels(source)


def is_same(a: Any, b: Any) -> bool:
    """Whether two sources are one object, or one path."""
    paths = isinstance(a, (str, os.PathLike)) and isinstance(b, (str, os.PathLike))
    return os.fspath(a) == os.fspath(b) if paths else a is b


def as_run(source: Any) -> Run:
    """A Run as it is, or read from its source."""
    return source if isinstance(source, Run) else Run(source)


def is_stream(source: Any) -> bool:
    """Whether rows of a TREC file can be read from it."""
    if isinstance(source, (str, os.PathLike)):
        return not (is_framed(source) or is_other(source))
    return hasattr(source, "read") and not (isinstance(source, Mapping) or is_framed(source))


class Sources:
    """Judgments and a run, joined once for all that is asked of them.

    readings: the rules by which they will be joined; scored: whether scores are wanted anyway.
    """

    def __init__(
        self, qrels: Any, run: Any, readings: list[Convention], threads: int | None, scored: bool
    ) -> None:
        self.qrels, self.run, self.threads = qrels, run, threads
        dtypes = {rules.score_dtype for rules in readings}
        canonical = all(rules.ties == "id_descending" for rules in readings)  # ranks say all then
        self.by_rank = not scored and len(dtypes) == 1 and canonical
        if not self.by_rank:
            self.qrels, self.run = as_qrels(qrels, [run]), as_run(run)
        self.ranks: Joined | None = None

    def joined(self, rules: Convention) -> Joined:
        """Join under these rules."""
        if not self.by_rank:
            return join_under(rules, self.qrels, self.run)
        if self.ranks is None:
            workers = usable_threads(self.threads)
            self.ranks = joined_by_rank(self.qrels, self.run, workers, is_single(rules))
        return self.ranks


def join_under(rules: Convention, qrels: Qrels, run: Run) -> Joined:
    """Join, with the scores as these rules compare them."""
    return join(qrels, run, is_single(rules))


def is_single(rules: Convention) -> bool:
    """Whether scores are compared in single precision."""
    return bool(rules.score_dtype == "float32")


def joined_by_rank(qrels: Any, run: Any, threads: int, single: bool) -> Joined:
    """Join, where the scores are not wanted."""
    if type(run) is dict:
        joined = None
        with suppress(OverflowError):  # an integer that no double holds; the objects say where
            if type(qrels) is dict:
                joined = join_dicts(qrels, run, single)
            else:
                joined = join_dict(as_qrels(qrels), run, single)
        if joined is not None and joined.meets:  # else the objects say more
            return joined
    elif is_stream(run):
        from .joins.file import join_file

        return join_file(as_qrels(qrels), run, threads=threads, single=single)
    return join(as_qrels(qrels, [run]), as_run(run), single)
