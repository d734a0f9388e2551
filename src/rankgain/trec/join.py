"""Join qrels and a run by id; here is chosen how.

If the call needs only ranks, a run file is joined while it is read, and dicts are joined without
conversion. Otherwise, and for unusual or wrong input, Qrels and Run are made, which raise the
errors. Documents that are left out are removed from both first.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from .. import _core
from ..convention import Convention
from ..convention.fields import Frozen
from ..engine.notices import warn
from ..engine.threads import usable_threads
from ..inputs.arrays import as_float32
from ..inputs.files import JSON, Source, damages, suffix_of
from ..inputs.lists import UnmatchedIds, reword_error, starts_of
from .by_query import Qrels, QueryRecords, Run
from .dicts import join_dicts
from .forms import is_framed, warn_of_lines
from .rows import Floats, Integers, Joined, RecordRows, Table, index
from .stream import Stream, rewind, rewindable

LARGEST_LABEL = 16  # of what people judge
BY_KEY = ("id_descending", "id", "stable", "reverse")  # tie rules that leave no documents tied
BY_BLOCK = ("average", "best", "worst")  # tie rules for which tied documents share a rank
OWN = "query"  # the document with the id of its query
Kind = TypeVar("Kind", bound=QueryRecords)


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
        self.excluded = None if exclude is None else read_excluded(exclude)
        orders = {(rules.score_dtype == "float32", rules.ties) for rules in conventions}
        drops_own = any(rules.own_document == "drop" for rules in conventions)
        if needs_scores or exclude is not None:
            self.by_rank = False
        elif type(run) is dict:
            drops = any(map(drops_scores, conventions)) or (drops_own and has_own_document(run))
            self.by_rank = not drops
        else:  # files are ranked by score, then by descending id, and in no other way
            is_canonical = len(orders) == 1 and orders.pop()[1] == "id_descending"
            self.by_rank = is_canonical and not drops_own and is_stream(run)
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
        float32, ties = rules.score_dtype == "float32", rules.ties
        if ties not in BY_KEY:
            ties = "blocks" if blocks and ties in BY_BLOCK else "none"
        result = self.ranks.get((float32, ties))
        if result is None:
            if type(self.run) is dict:
                if type(self.qrels) is not dict:
                    self.qrels = as_qrels(self.qrels)
                result = join_dicts(self.qrels, self.run, float32, ties)
                if result is None or not has_common_ids(result):
                    # If nothing could be joined, Qrels and Run raise the error or the warning.
                    self._read()
                    return self.joined(rules)
                if not self.ranks:
                    warn_of_exchange(result.judged, self.run)
            else:
                self.qrels = judged = as_qrels(self.qrels)
                result = join_file(judged, self.run, usable_threads(self.threads), float32)
            self.ranks[float32, ties] = result
        return result


def drops_scores(rules: Convention) -> bool:
    """Whether a convention drops documents by their scores."""
    limits = rules.drop_scores_at_most
    by_family = limits.values() if isinstance(limits, Frozen) else (limits,)
    return any(one is not None for one in by_family)


def has_own_document(run: dict[Any, Any]) -> bool:
    """Whether a query of a dict has its own id among its documents."""
    try:
        return any(query in ids or str(query) in ids for query, ids in run.items())
    except TypeError:  # not ids
        return True


def as_seen(rules: Convention, run: Run) -> Run:
    """The run as a convention sees it."""
    return without(run, OWN) if rules.own_document == "drop" else run


def join_under(rules: Convention, qrels: Qrels, run: Run) -> Joined:
    """Join with scores in the precision of a convention."""
    return join(qrels, as_seen(rules, run), rules.score_dtype == "float32")


def join(qrels: Qrels, run: Run, float32: bool = False) -> Joined:
    """Find the judged documents of each judged query in the run; the run caches its last join."""
    run = with_float32_scores(run) if float32 else run
    cached: Joined | None = getattr(run, "_joined", None)
    if cached is None or cached.prepared is not qrels.prepared:
        run._joined = cached = join_uncached(qrels, run)
    return cached


def join_uncached(qrels: Qrels, run: Run) -> Joined:
    """Join without the cache."""
    judged = qrels.prepared
    rows, run_rows = qrels._arrays, run._arrays
    list_of, indptr, indices, labels = find_documents(qrels, run_rows, run._tables, run._index)
    in_run = list_of >= 0
    ends = np.append(run_rows.lists, 0)  # list -1 is empty
    joined = Joined(
        queries=rows.queries,
        displayed=rows.displayed,
        in_run=in_run,
        scores=run_rows.values,
        places=run._places,
        starts=np.where(in_run, ends[list_of], 0),
        stops=np.where(in_run, ends[list_of + 1], 0),
        indptr=indptr,
        indices=indices,
        labels=labels,
        judged=judged.descending,
        judged_lists=rows.lists,
        unjudged=()
        if rows.queries == run_rows.queries
        else tuple(query for query in run_rows.queries if query not in qrels._index),
        prepared=judged,
    )
    if has_common_ids(joined):
        return joined
    codes = np.empty(len(run_rows.values), np.uint64)
    _core.hash_ids(run_rows.ids, run_rows.id_starts, codes)
    if np.isin(codes, judged.codes).any():  # a document of another query
        return joined
    query = joined.queries[int(has_both(joined).argmax())]
    examples = UnmatchedIds(query, run.documents(query), qrels.documents(query))
    return replace(joined, unmatched=examples)


def has_common_ids(joined: Joined) -> bool:
    """Whether a document of the run is judged, or no query has both documents and judgments."""
    return bool(len(joined.labels)) or not has_both(joined).any()


def has_both(joined: Joined) -> Any:
    """Which queries have documents in the run and judgments."""
    return np.logical_and(joined.stops > joined.starts, np.diff(joined.judged_lists) > 0)


def find_documents(
    wanted: Qrels, rows: RecordRows, tables: Table, places: dict[str, int]
) -> tuple[Integers, Integers, Integers, Floats]:
    """Find the documents of each wanted query in its list among the rows.

    tables: of the rows; places: the number of each query's list. Return the list of each wanted
    query (-1: none), and by CSR rows the positions of documents in it, ascending, and their labels.
    """
    own = wanted._arrays
    if own.queries == rows.queries:
        list_of = np.arange(len(own.queries))
    else:
        list_of = np.array([places.get(query, -1) for query in own.queries], np.int64)
    indptr = np.empty(len(own.queries) + 1, np.int64)
    indices, labels = np.empty(len(own.values), np.int64), np.empty(len(own.values))
    hits = _core.join_lists(
        (own.ids, own.id_starts, own.lists, wanted.prepared.codes, own.values),
        (rows.ids, rows.id_starts, rows.lists, *tables),
        list_of,
        (indptr, indices, labels),
    )
    return list_of, indptr, indices[:hits].copy(), labels[:hits].copy()


def with_float32_scores(run: Run) -> Run:
    """The run with float32 scores, in their canonical order; the run caches it."""
    cached: Run | None = getattr(run, "_float32", None)
    if cached is not None:
        return cached
    rows = run._arrays
    values = as_float32(rows.values).astype(np.float64)
    if np.array_equal(values, rows.values):
        return run
    run._float32 = new = Run.__new__(Run)
    new._set(rows._replace(values=values), None, in_place=True)
    if run._places is not None:  # from the position here to that in the run and in the source
        firsts = np.repeat(rows.lists[:-1], np.diff(rows.lists))
        moved = new._places
        new._places = run._places if moved is None else run._places[moved + firsts]
    return new


def join_file(qrels: Qrels, source: Source, threads: int = 1, float32: bool = False) -> Joined:
    """The result of `join(qrels, Run.read(source))`, without scores, made while reading.

    The rows of the run are stored only if those of some query are not adjacent.
    """
    rows, prepared = qrels._arrays, qrels.prepared
    with rewindable(source) as (stored, start):
        try:
            result, again = Stream(rows, float32=float32).first_pass(stored, threads)
            is_joined = bool(result.rows) and not (again or result.repeated)
        except damages(ValueError):
            is_joined = False
        if is_joined:
            # From the order of the run to that of the qrels.
            documents, first, hits = result.lists.T
            indptr = starts_of(np.where(documents < 0, 0, hits))
            taken = np.arange(indptr[-1]) + np.repeat(first - indptr[:-1], np.diff(indptr))
            ends = starts_of(np.maximum(documents, 0))
            joined = Joined(
                queries=rows.queries,
                displayed=rows.displayed,
                in_run=documents >= 0,
                scores=None,
                places=None,
                starts=ends[:-1],
                stops=ends[1:],
                indptr=indptr,
                indices=result.ranks[taken],
                labels=result.labels[taken],
                judged=prepared.descending,
                judged_lists=rows.lists,
                unjudged=tuple(one.decode("utf-8", "surrogateescape") for one in result.unjudged),
                prepared=prepared,
            )
            if has_common_ids(joined):
                warn_of_lines(source, result.comment, result.orders)
                return joined
        rewind(stored, start)
        return join(qrels, Run.read(stored), float32)  # or raise the error


def read_excluded(source: Any) -> Any:
    """The excluded documents of each query as Qrels; OWN and None stay as they are."""
    if source is None or isinstance(source, Qrels) or (isinstance(source, str) and source == OWN):
        return source
    try:
        return Qrels(source, duplicates="first")
    except (TypeError, ValueError) as error:
        reword_error(error, f"exclude: {str(error).removeprefix('qrels: ')}")
        raise


def exclude_documents(qrels: Qrels, run: Kind, excluded: Any) -> tuple[Qrels, Kind]:
    """Leave the excluded documents out of both, as if no row had them."""
    if isinstance(excluded, Qrels) and excluded and not set(excluded) & {*qrels, *run}:
        warn(
            f"exclude has no query of the qrels or the run, but {excluded.queries[0]!r}; do the "
            "ids agree?"
        )
    return without(qrels, excluded), without(run, excluded)


def without(records: Kind, excluded: Any) -> Kind:
    """The records without the excluded documents; themselves if they have none of them.

    Qrels lose a query whose documents are all excluded; in a run it stays, without documents.
    """
    if excluded is None:
        return records
    if not isinstance(excluded, Qrels):
        excluded = Qrels({query: [query] for query in records})
    rows, is_run = records._arrays, not records._is_qrels
    tables = records._tables if is_run else index(rows)[0]
    list_of, indptr, places, _ = find_documents(excluded, rows, tables, records._index)
    if not len(places):
        return records
    stays = np.ones(len(rows.values), bool)
    stays[np.repeat(rows.lists[list_of], np.diff(indptr)) + places] = False
    order = np.arange(len(stays))
    if records._places is not None:  # back to the order of the source
        order = np.lexsort((records._places, np.repeat(order[: len(records)], np.diff(rows.lists))))
    lists = np.concatenate(([0], np.cumsum(stays)))[rows.lists]
    rows = rows._replace(order=order[stays[order]], lists=lists)
    if not is_run:
        full = np.flatnonzero(np.diff(lists)).tolist()
        originals = rows.original_ids
        rows = rows._replace(
            queries=tuple(rows.queries[at] for at in full),
            lists=lists[[0, *(at + 1 for at in full)]],
            original_ids=originals and tuple(originals[at] for at in full),
        )
    result = type(records).__new__(type(records))
    has_repeats = result._set(rows, None, is_run)
    return without(result, excluded) if has_repeats else result
