"""Join qrels and a run by id, in the way that a call needs, and leave documents out of them.

If the call needs only ranks, a run file is joined while it is read, so that the memory holds the
judgments and the largest query, and dicts are joined without conversion. For anything else, and
for unusual or wrong input, fall back to Qrels and Run, which also raise the errors. Documents that
are left out are removed from both first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import _core
from ..convention import Convention
from ..convention.fields import Frozen
from ..engine.notices import warn, warn_of_exclusion
from ..engine.threads import usable_threads
from ..inputs.arrays import as_float32
from ..inputs.chunks import read_documents
from ..inputs.files import Source, SourceError, decompression_errors
from ..inputs.lists import UnmatchedIds, add_sizes, reword_error
from .by_query import (
    Chunks,
    Qrels,
    QueryRecords,
    Run,
    as_qrels,
    as_run,
    warn_if_exchanged,
)
from .rank_like import warn_of_rank_like_dicts
from .repeats import first_rows, place_repeats
from .rows import (
    AGAINST,
    Integers,
    Joined,
    RecordRows,
    find_documents,
    find_form,
    index,
    move_up,
    places_of_ranks,
    warn_of_lines,
)
from .stream import Stream, rewind, rewindable

if TYPE_CHECKING:
    from ..inputs.types import Documents

BY_KEY = ("id_descending", "id", "stable", "reverse")  # tie rules that leave no documents tied
BY_BLOCK = ("average", "best", "worst")  # tie rules for which tied documents share a rank
IDS = (dict, list, tuple, set, frozenset)  # what holds the documents of a query
INTEGER = re.compile("0|-?[1-9][0-9]{0,398}")  # the text of one
OF_QUERY = "query"  # the document with the id of its query
Kind = TypeVar("Kind", bound=QueryRecords)


def read_pair(qrels: object, run: object) -> tuple[Qrels, Run]:
    """Make Qrels and a Run; a probable exchange of the two is warned about."""
    judged, results = as_qrels(qrels, [run]), as_run(run)
    warn_if_exchanged(judged._arrays.values, results)
    return judged, results


def drop_own_documents(rules: Convention, run: Run) -> Run:
    """The run as a convention sees it; the run caches it."""
    if rules.own_document != "drop":
        return run
    return _cached(run, "_without_own", lambda run: remove_excluded(run, OF_QUERY))


def _cached(run: Run, slot: str, change: Callable[[Run], Run]) -> Run:
    """The changed run, which the run caches; None in its slot: nothing changes."""
    if not hasattr(run, slot):
        changed = change(run)
        setattr(run, slot, None if changed is run else changed)
    cached: Run | None = getattr(run, slot)
    return run if cached is None else cached


def join_by(rules: Convention, qrels: Qrels, run: Run, skips_copies: bool = False) -> Joined:
    """Join with scores in the precision of a convention; repeats in the run keep their ranks.

    skips_copies: for measures that pass over the further copies of a document.
    """
    run = drop_own_documents(rules, run)
    float32 = rules.score_dtype == "float32"
    joined = join(qrels, run, float32)
    if not run._has_repeats:
        return joined
    if float32:
        run = _cached(run, "_float32", round_scores_to_float32)
    first = first_rows(run._arrays)
    if first is None:
        return joined
    return place_repeats(joined, first, rules, drops_scores(rules), skips_copies)


def join(qrels: Qrels, run: Run, float32: bool = False) -> Joined:
    """Find the judged documents of each judged query in the run; the run caches its last join."""
    if float32 and run._arrays.scale is None:
        run = _cached(run, "_float32", round_scores_to_float32)
    cached: Joined | None = getattr(run, "_joined", None)
    join_cache = qrels._join_cache
    if cached is not None and cached.join_cache is join_cache:
        return cached
    rows, run_rows = qrels._arrays, run._arrays
    list_of = find_lists(run, rows.queries)
    wanted = rows, join_cache.codes, np.arange(len(list_of))
    parts, documents = qrels._parts, None
    if parts is not None:
        # The search returns the number of each judged document, from 1, in place of its label.
        numbered = rows._replace(values=np.arange(1.0, len(rows.values) + 1.0))
        wanted = numbered, *wanted[1:]
    indptr, indices, labels, _ = find_documents(*wanted, run_rows, run._tables, list_of)
    if parts is not None:
        documents = labels
        labels = rows.values[documents.astype(np.int64) - 1]
    # A query that is not in the run has list -1, and an empty span.
    in_run = list_of >= 0
    borders = np.append(run_rows.lists, 0)
    starts = np.where(in_run, borders[list_of], 0)
    stops = np.where(in_run, borders[list_of + 1], 0)
    unmatched = None
    has_both = (stops > starts) & (np.diff(rows.lists) > 0)
    if not len(labels) and has_both.any():  # no document of the run is judged
        codes = np.empty(len(run_rows.values), np.uint64)
        _core.hash_ids(run_rows.ids, run_rows.id_starts, codes)
        # Nor for another query. By sorting, as the tables of NumPy 2.0 overflow for hashes.
        if not np.isin(codes, join_cache.codes, kind="sort").any():
            query = rows.queries[int(has_both.argmax())]
            unmatched = UnmatchedIds(query, run.documents(query), qrels.documents(query))
    unjudged: tuple[str, ...] = ()
    if rows.queries != run_rows.queries:
        unjudged = tuple(query for query in run.queries if query not in qrels)
    run._joined = result = Joined(
        queries=rows.queries,
        displayed=rows.displayed,
        in_run=in_run,
        scores=run_rows.values,
        places=run._places,
        starts=starts,
        stops=stops,
        indptr=indptr,
        indices=indices,
        labels=labels,
        judged=join_cache.descending,
        judged_lists=rows.lists,
        unjudged=unjudged,
        join_cache=join_cache,
        unmatched=unmatched,
        of_ranks=run_rows.scale is not None,
        ranked_places=places_of_ranks(run_rows),
        parts=parts,
        documents=documents,
    )
    return result


def find_lists(run: QueryRecords, queries: tuple[str, ...]) -> Integers:
    """The number of the list of each query, or -1."""
    if queries == run.queries:
        return np.arange(len(queries))
    return np.array([run._index.get(query, -1) for query in queries], np.int64)


def round_scores_to_float32(run: Run) -> Run:
    """The run with float32 scores, in their canonical order; itself if none changes."""
    rows = run._arrays
    values = as_float32(rows.values).astype(np.float64)
    if np.array_equal(values, rows.values):
        return run
    new = Run.__new__(Run)
    new._chunks = None
    new._set(rows._replace(values=values), None, in_place=True)
    if run._places is not None:
        # The places of `new` are those in lists of `run`; the source has the places of `run`.
        firsts = np.repeat(rows.lists[:-1], np.diff(rows.lists))
        moved = new._places
        new._places = run._places if moved is None else run._places[moved + firsts]
    return new


def read_excluded(source: Any) -> Any:
    """The excluded documents of each query as Qrels; OF_QUERY and None stay as they are."""
    if source is None or isinstance(source, Qrels):
        return source
    if isinstance(source, str) and source == OF_QUERY:
        return source
    try:
        return Qrels(source, duplicates="first")
    except (TypeError, ValueError) as error:
        words = str(error)
        if isinstance(error, SourceError) and error.source == "qrels":
            words = error.words
        reword_error(error, f"exclude: {words}")
        raise


def remove_excluded(records: Kind, excluded: Any) -> Kind:
    """The records without the excluded documents; themselves if they have none of them.

    Qrels lose a query whose documents are all excluded; in a run it stays, without documents.
    """
    if excluded is None:
        return records
    if not isinstance(excluded, Qrels):
        excluded = Qrels({query: [query] for query in records})
    rows = records._arrays
    is_run = not records._is_qrels
    tables = records._tables if is_run else index(rows)[0]
    list_of = find_lists(records, excluded.queries)
    wanted = excluded._arrays, excluded._join_cache.codes, np.arange(len(list_of))
    indptr, positions, *_ = find_documents(*wanted, rows, tables, list_of)
    if not len(positions):
        return records
    # The row of an excluded document is the first row of its list plus its position there.
    first_rows_of_lists = np.repeat(rows.lists[list_of], np.diff(indptr))
    kept = np.ones(len(rows.values), bool)
    kept[first_rows_of_lists + positions] = False
    if is_run and records._has_repeats:
        # All copies of a document go with the first one.
        first = first_rows(rows)
        if first is not None:
            kept = kept[first]
    order = np.arange(len(kept))
    if records._places is not None:  # back to the order of the source
        list_numbers = np.repeat(np.arange(len(records)), np.diff(rows.lists))
        order = np.lexsort((records._places, list_numbers))
    lists = np.concatenate(([0], np.cumsum(kept)))[rows.lists]
    rows = move_up(rows, rows._replace(order=order[kept[order]], lists=lists))
    if not is_run:
        filled = np.flatnonzero(np.diff(lists)).tolist()
        rows = _select_lists(rows, filled)
    result = type(records).__new__(type(records))
    if isinstance(result, Run):
        result._chunks = None
    result._set(rows, None, is_run)
    if isinstance(records, Qrels) and isinstance(result, Qrels):
        result._parts = None
        if records._parts is not None:
            result._parts = records._parts.select(kept, filled)
    return result


def _select_lists(rows: RecordRows, numbers: list[int]) -> RecordRows:
    """The queries with these numbers; the others have no rows."""
    originals = rows.original_ids
    if originals is not None:
        originals = tuple(map(originals.__getitem__, numbers))
    queries = tuple(map(rows.queries.__getitem__, numbers))
    # The other lists are empty, so each list starts where the one before it among these stops.
    stops = rows.lists[1:][numbers]
    lists = np.append(rows.lists[:1], stops)
    return rows._replace(queries=queries, lists=lists, original_ids=originals)


class Sources:
    """The judgments and the run of one call.

    They are read once, and joined once for each precision of scores and each tie rule. conventions:
    one for each group of measures that share a join. by_rank: the ranks of documents are enough,
    so no scores are kept.
    """

    def __init__(
        self,
        qrels: Any,
        run: Any,
        conventions: list[Convention],
        threads: int | None,
        needs_scores: bool,
        exclude: Any = None,
        documents: Documents | None = None,
    ) -> None:
        self.chunks = run._chunks if isinstance(run, Run) else None
        if documents is not None:
            self.chunks = read_chunks(run, documents)
            run = self.chunks.run
        self.of_documents: dict[tuple[str, bool, bool], Run] = {}
        self.qrels = qrels
        self.run = run
        self.threads = threads
        self.needs_scores = needs_scores
        self.excluded = None if exclude is None else read_excluded(exclude)
        self.by_rank = self._can_join_by_rank(conventions)
        if not self.by_rank:
            self._read()
        self.ranks: dict[tuple[bool, str], Joined] = {}

    def _can_join_by_rank(self, conventions: list[Convention]) -> bool:
        """Whether the ranks of documents are enough under all conventions."""
        has_parts = isinstance(self.qrels, Qrels) and self.qrels._parts is not None
        if self.needs_scores or has_parts or self.excluded is not None or self.chunks is not None:
            return False
        if any(map(drops_scores, conventions)):
            return False
        drops_own = any(rules.own_document == "drop" for rules in conventions)
        if type(self.run) is dict:
            return not (drops_own and _may_have_own_documents(self.run))
        # Files are ranked by score, then by descending id, and in no other way.
        if drops_own or {rules.ties for rules in conventions} != {"id_descending"}:
            return False
        has_one_precision = len({rules.score_dtype == "float32" for rules in conventions}) == 1
        return has_one_precision and find_form(self.run) == "rows"

    def _read(self) -> None:
        """Make Qrels and Run, for joins with scores."""
        qrels, run = read_pair(self.qrels, self.run)
        excluded = self.excluded
        is_unknown = isinstance(excluded, Qrels) and set(excluded).isdisjoint({*qrels, *run})
        if excluded and is_unknown:
            warn(
                "exclude shares no query with the qrels or the run; it has "
                f"{excluded.queries[0]!r}. Check that the ids match",
                of_all=True,
            )
        self.qrels = remove_excluded(qrels, excluded)
        if isinstance(excluded, Qrels) and not (self.qrels._arrays.values > 0).any():
            relevant = np.flatnonzero(qrels._arrays.values > 0)
            of_queries = np.searchsorted(qrels._arrays.lists, relevant, side="right")
            warn_of_exclusion(len(relevant), len(np.unique(of_queries)), "documents")
        self.run = remove_excluded(run, excluded)
        self.by_rank = False

    def run_under(self, rules: Convention) -> Run:
        """The run; one of chunks with documents, as a convention orders equal scores."""
        if self.chunks is None:
            run: Run = self.run
            return run
        drops = drops_scores(rules)
        key = str(rules.ties), rules.score_dtype == "float32", drops
        if key not in self.of_documents:
            # What is left out by its score keeps it, and then ids of documents order ties.
            ties = rules.replace(name=rules.name, ties="average") if drops else rules
            self.of_documents[key] = remove_excluded(self.chunks.as_documents(ties), self.excluded)
        return self.of_documents[key]

    @property
    def has_copies(self) -> bool:
        """Whether a list of the run may have several copies of a document."""
        if self.chunks is not None:
            return self.chunks.in_place
        return not self.by_rank and bool(self.run._has_repeats)

    def joined(self, rules: Convention, blocks: bool = False, skips_copies: bool = False) -> Joined:
        """Join under a convention, for measures that share it.

        blocks: they accept tied documents with one rank. skips_copies: they pass over the further
        copies of a document.
        """
        if not self.by_rank:
            scored = join_by(rules, self.qrels, self.run_under(rules), skips_copies)
            needs_scores = self.needs_scores or scored.ranked_places is not None
            needs_scores |= scored.parts is not None
            if needs_scores or rules.ties == "id_descending" or drops_scores(rules):
                return scored
            ranked = scored.without_scores()
            if ranked.sizes is None or (blocks and rules.ties in BY_BLOCK):
                return ranked
            return scored
        float32 = rules.score_dtype == "float32"
        ties = rules.ties
        if ties not in BY_KEY:
            ties = "blocks" if blocks and ties in BY_BLOCK else "none"
        result = self.ranks.get((float32, ties))
        if result is None:
            if type(self.run) is dict:
                if type(self.qrels) is not dict:
                    self.qrels = as_qrels(self.qrels)
                result = join_dicts(self.qrels, self.run, float32, ties)
                if result is None or not len(result.labels):
                    # If nothing could be joined, Qrels and Run raise the error or the warning.
                    self._read()
                    return self.joined(rules, blocks)
                if not self.ranks:
                    warn_if_exchanged(result.judged, self.run)
                    warn_of_rank_like_dicts(self.run)
            else:
                self.qrels = judged = as_qrels(self.qrels)
                result = join_file(judged, self.run, usable_threads(self.threads), float32)
            self.ranks[float32, ties] = result
        return result


def _may_have_own_documents(run: Mapping[object, Container[object]]) -> bool:
    """Whether some query retrieved a document with its own id; True for what does not hold ids."""
    try:
        for query, ids in run.items():
            if query in ids or str(query) in ids:
                return True
            if isinstance(query, str) and INTEGER.fullmatch(query) and int(query) in ids:
                return True
    except TypeError:
        return True
    return False


def read_chunks(run: object, documents: Documents) -> Chunks:
    """A run of chunks, and what says which documents they stand for."""
    document_of = read_documents(documents, as_text=True)
    if isinstance(run, Run) and run._chunks is not None:
        raise ValueError("documents= is given twice: to Run, and here; remove one")
    read = as_run(run)
    return Chunks(read, document_of, read._has_repeats)


def drops_scores(rules: Convention) -> bool:
    """Whether a convention drops documents by their scores."""
    limits = rules.drop_scores_at_most
    by_family = limits.values() if isinstance(limits, Frozen) else (limits,)
    return any(limit is not None for limit in by_family)


def join_file(qrels: Qrels, source: Source, threads: int = 1, float32: bool = False) -> Joined:
    """The result of `join(qrels, Run.read(source))`, without scores, made while reading.

    The rows of the run are stored only if those of some query are not adjacent, or nothing is
    judged, or there is an error.
    """
    rows, join_cache = qrels._arrays, qrels._join_cache
    with rewindable(source) as (stored, start):
        try:
            stream = Stream(rows, join_cache, qrels._index, float32=float32)
            result = stream.read_once(stored, threads)
            is_joined = len(result.labels) > 0
        except decompression_errors(ValueError):
            is_joined = False
        if not is_joined:
            rewind(stored, start)
            return join(qrels, Run.read(stored), float32)  # or warn, or raise the error
    if result.comment or result.orders == AGAINST:
        warn_of_lines(source, result.comment, result.orders)
    documents, first, hits = result.lists.T  # documents: -1 of a query that is not in the run
    ends = add_sizes(np.maximum(documents, 0))
    indptr = add_sizes(np.where(documents < 0, 0, hits))
    # The hits stand in the order of the run. Those of list i, first[i] and on, go to indptr[i] and
    # on, in the order of the qrels.
    shifts = np.repeat(first - indptr[:-1], np.diff(indptr))
    taken = np.arange(indptr[-1]) + shifts
    return Joined(
        rows.queries,
        rows.displayed,
        in_run=documents >= 0,
        starts=ends[:-1],
        stops=ends[1:],
        indptr=indptr,
        indices=result.ranks[taken],
        labels=result.labels[taken],
        judged=join_cache.descending,
        judged_lists=rows.lists,
        unjudged=result.unjudged,
        join_cache=join_cache,
    )


def join_dicts(
    qrels: dict[Any, Any] | Qrels,
    run: dict[Any, Any],
    float32: bool = False,
    ties: str = "id_descending",
) -> Joined | None:
    """The result of `join(Qrels(qrels), Run(run))`, without scores, from dicts of dicts or of ids.

    None if ids are of mixed types, a value is not a number, or anything else is wrong; Qrels and
    Run then convert the dicts or raise the error. float32: compare scores as float32; ties: the
    rule for the ranks, or "blocks" (tied documents share a rank) or "none" (no ties may occur).
    """
    join_cache = qrels._join_cache if isinstance(qrels, Qrels) else None
    source = run if isinstance(qrels, Qrels) else qrels
    query_type = int if type(next(iter(source), "")) is int else str
    if any(type(query) is not query_type for query in run):
        return None
    has_integers = _has_integer_documents(source)
    values = qrels._arrays.values if isinstance(qrels, Qrels) else None
    core = _core.DictJoin(has_integers, float32, ties, values)
    try:
        queries, unjudged = _add_dicts(core, qrels, run, query_type, has_integers)
    except (TypeError, ValueError, OverflowError):  # not a number, or too large for a double
        return None
    sizes, hits, judgments, ranks, hit_labels, judged, equal = core.columns()
    documents_of_list = np.asarray(sizes).view(np.int64)  # -1: the query is not in the run
    ends = add_sizes(np.maximum(documents_of_list, 0))
    shared = np.asarray(equal).view(np.int64)
    if isinstance(qrels, Qrels):
        judged_labels = qrels._join_cache.descending
        judged_lists = qrels._arrays.lists
    else:
        judged_labels = np.asarray(judged).view(np.float64)
        judged_lists = add_sizes(np.asarray(judgments).view(np.int64))
    return Joined(
        tuple(map(str, queries)),
        tuple(queries),
        in_run=documents_of_list >= 0,
        starts=ends[:-1],
        stops=ends[1:],
        indptr=add_sizes(np.asarray(hits).view(np.int64)),
        indices=np.asarray(ranks).view(np.int64),
        labels=np.asarray(hit_labels).view(np.float64),
        judged=judged_labels,
        judged_lists=judged_lists,
        unjudged=unjudged,
        sizes=shared if shared.max(initial=1) > 1 else None,
        join_cache=join_cache,
    )


def _add_dicts(
    core: _core.DictJoin,
    qrels: Mapping[object, object] | Qrels,
    run: Mapping[object, object],
    query_type: type,
    has_integers: bool,
) -> tuple[list[Any], tuple[str, ...]]:
    """Add all queries to the core; return those that are judged, and the names of the others.

    A TypeError, ValueError or OverflowError if the core does not read an id or a number.
    """
    # Lists of ids, best first, become dicts of scores.
    scored: dict[Any, Any] = dict(run)
    for query, documents in run.items():
        if type(documents) is not dict:
            scored[query] = _as_numbers(documents, is_qrels=False)
    if isinstance(qrels, Qrels):
        queries = _add_cached_qrels(core, qrels, scored, has_integers)
    else:
        queries = _add_judgments(core, qrels, scored, query_type)
    judged_names = set(map(str, queries))
    unjudged: dict[str, object] = {}
    for query in run:
        name = str(query)
        if name not in judged_names:
            unjudged[name] = query
    for query in unjudged.values():
        documents = scored[query]
        # NumPy's numbers, which the core does not read, are converted.
        if not core.reads(documents) and not core.reads(_core.plain_numbers(documents)):
            raise TypeError("the core does not read a document of the run")
    return queries, tuple(unjudged)


def _has_integer_documents(source: Mapping[object, object]) -> bool:
    """Whether the first document of the first query that has any is an integer."""
    for documents in source.values():
        if isinstance(documents, IDS) and documents:
            return type(next(iter(documents))) is int
    return False


def _add_judgments(
    core: _core.DictJoin,
    qrels: Mapping[object, object],
    run: Mapping[object, Any],
    query_type: type,
) -> list[object]:
    """Add the judged queries of dicts, and return them."""
    queries: list[object] = []
    for query, labels in qrels.items():
        judged = labels if type(labels) is dict else _as_numbers(labels, is_qrels=True)
        if type(query) is not query_type:
            raise TypeError("ids of queries are of different types")
        if not judged:
            continue
        queries.append(query)
        documents = run.get(query)
        if core.add(judged, documents):
            continue
        # NumPy's numbers, which the core does not read, are converted.
        if not core.add(_core.plain_numbers(judged), _as_floats(documents)):
            raise TypeError("the core does not read a document")
    return queries


def _add_cached_qrels(
    core: _core.DictJoin, qrels: Qrels, run: dict[Any, Any], of_integers: bool
) -> list[object]:
    """Add the queries of Qrels, which cache the keys of their documents; return the queries."""
    rows = qrels._arrays
    cached = qrels._join_cache.keys.setdefault(of_integers, [None] * len(rows.queries))
    by_name = {str(query): documents for query, documents in run.items()}
    for i, (query, first) in enumerate(zip(rows.queries, rows.lists.tolist(), strict=False)):
        documents = by_name.get(query)
        if cached[i] is None and documents is not None:
            cached[i] = _document_keys(qrels, query, of_integers)
        ids = cached[i] or []
        if core.add_known(ids, first, documents):
            continue
        # NumPy's numbers, which the core does not read, are converted.
        if not core.add_known(ids, first, _as_floats(documents)):
            raise TypeError("the core does not read a document of the run")
    return list(rows.displayed)


def _document_keys(qrels: Qrels, query: str, of_integers: bool) -> list[Any]:
    """The documents of a query as keys of dicts; None for what is not the text of an integer."""
    ids = qrels.documents(query)
    if not of_integers:
        return ids
    return [int(text) if INTEGER.fullmatch(text) else None for text in ids]


def _as_floats(numbers: dict[Any, Any] | None) -> dict[Any, float] | None:
    """The same as floats, of numbers of other types, such as NumPy's."""
    return None if numbers is None else _core.plain_numbers(numbers)


def _as_numbers(documents: Any, is_qrels: bool) -> dict[Any, Any]:
    """A list or set of ids as a dict; repeated ids and other types are a TypeError."""
    kind = type(documents)
    if not (kind in (list, tuple) or (is_qrels and kind in (set, frozenset))):
        raise TypeError
    if is_qrels:
        numbers = dict.fromkeys(documents, 1)
    else:
        numbers = dict(zip(documents, range(len(documents), 0, -1), strict=True))
    if len(numbers) < len(documents):
        raise TypeError
    return numbers
