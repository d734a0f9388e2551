"""Evaluate runs against qrels: join them by id, lay the join out as lists, evaluate these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Unpack

import numpy as np

from .. import _core
from ..convention import UNSET, Convention, Unset
from ..convention.options import KINDS
from ..engine.columns import ResolvedCall
from ..engine.means import Shares
from ..engine.notices import named_in_warnings
from ..engine.plan import Cache
from ..engine.settings import with_shared_help
from ..inputs.files import SourceError
from ..inputs.lists import Judgments, Layout, Lists, add_sizes, prepare, reword_error
from ..inputs.parts import ListParts
from ..inputs.sparse import Sparse
from ..measures.measure import Measure, RequestedMeasures, read_measures, refuse_unused, rereadable
from ..trec.by_query import as_qrels
from ..trec.join import Sources, drops_scores, read_excluded
from ..trec.named_runs import runs_by_name
from ..trec.rows import Joined
from .evaluation import Evaluation
from .evaluations import Evaluations, refuse_same_names
from .notices import warn_of_unmatched
from .one_pass import (
    CallOptions,
    CallSettings,
    complete_settings,
    count_missing,
    evaluate_lists,
    find_changes,
    key_of_call,
    read_call,
    refuse_unknown_options,
)

if TYPE_CHECKING:
    from ..inputs.types import Array, Bools, Documents, Floats, Frame, Integers, Path, Records
    from ..measures.types import Measures


class JoinGroup(NamedTuple):
    """Measures that share a join of qrels and a run."""

    rules: Convention  # with the values of JOIN_FIELDS that these measures have
    measures: list[Measure]
    takes_blocks: bool  # all can be computed from the rank and the size of each tie block alone
    resolved: dict[str | None, ResolvedCall]  # by the tie rule on the lists
    of_parts: bool = False  # measures of parts, which are joined apart where it matters
    skips_copies: bool = False  # measures that pass over the further copies of a document


T = TypeVar("T")
REQUESTS: Cache[object, tuple[RequestedMeasures, list[JoinGroup]]] = Cache(256)
OF_JOIN = ("exclude", "documents", "judged_only")  # other arguments of `evaluate`
# Fields of a convention that the join of qrels and a run depends on.
JOIN_FIELDS = ("score_dtype", "ties", "missing", "unjudged", "own_document")


@with_shared_help("trec")
def evaluate(
    qrels: Records,
    run: Records,
    measures: Measures,
    *,
    exclude: Records | None = None,
    documents: Documents | None = None,
    judged_only: bool | Unset = UNSET,
    **options: Unpack[CallOptions],
) -> Evaluation:
    """Evaluate a run against qrels.

    Parameters
    ----------
    qrels, run : path, "-" for standard input, open file, dict, data frame, Qrels or Run
        Judgments and rankings by query. Files are TREC's, CSV or TSV, JSON, JSON lines or Parquet,
        by suffix; all but Parquet may be compressed with gzip, bzip2, xz or zst. Dicts are query ->
        document -> number, or query -> list or set of ids; ids are text, integers, UUIDs or dates.
        Rows with names, such as those of
        ir_datasets, and objects of ranx are read, too. If ranks suffice, run files and dicts are
        evaluated while they are read.
    exclude : mapping query -> ids, "query", or what qrels may be, optional
        Documents that are left out of run and qrels, query by query, as if no row had them: those
        that a user has seen, or with "query" the document with the query's own id. A query whose
        judged documents are all excluded is left out. The convention "beir" drops the document with
        the query's own id from the run by itself.
    documents : mapping chunk -> document, function of a chunk's id, or separator, optional
        The run ranks chunks, and the judgments are of documents: see `Run`. A document takes the
        rank of its best chunk; its other chunks are left out. For chunks that keep their ranks as
        not relevant, pass Run(run, documents=documents, duplicates="in_place").
    weight : mapping query -> weight, or array, optional
        A mapping needs an entry for each evaluated query, an integer or its text.
    convention : str or Convention
        "trec" by default: ties by descending id, a judged query without results counts 0, a query
        without judgments is left out.

    Returns
    -------
    Evaluation
        Its queries are those of the qrels, in their order: as a dict or a frame of qrels has them
        (integers of NumPy as int), else text.

    Raises
    ------
    ValueError
        For a line or an entry that cannot be read, a NaN score, a label that is not finite, and a
        document twice in a list. The message names the place.

    Warns
    -----
    RankgainWarning
        If fewer than half of the judged queries are in the run, with ids of both.

    Examples
    --------
    >>> import rankgain as rg
    >>> qrels = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}}
    >>> run = {"q1": {"b": 0.9, "a": 0.8, "x": 0.1}}
    >>> print(rg.evaluate(qrels, run, ["nDCG@10", "AP"]))
    measure   mean
    nDCG@10   0.2398
    AP        0.1250
    2 queries (1 without results, counted as 0) (convention trec)
    """
    call = read_call(options, CallOptions, "evaluate", "trec", OF_JOIN)
    # Only the judged documents of a list count with unjudged="drop" of a convention.
    if judged_only is not UNSET:
        if not isinstance(judged_only, (bool, np.bool_)):
            raise TypeError(f"judged_only must be True or False, not {judged_only!r}")
        unjudged = "keep"
        if judged_only:
            unjudged = "drop"
        if call.rules.unjudged != unjudged:
            call = call._replace(rules=call.rules._variant("unjudged", unjudged))
    requested, groups = request_joins(measures, call.settings, call.rules)
    rules = [group.rules for group in groups]
    # All groups of measures join the same qrels and run, which are read once.
    sources = Sources(qrels, run, rules, call.threads, bool(call.bounds), exclude, documents)

    if sources.has_copies:
        groups = split_by_copies(groups)

    def join(group: JoinGroup) -> Joined:
        return sources.joined(group.rules, group.takes_blocks, group.skips_copies)

    return evaluate_joins(groups, map(join, groups), requested, call, run)


def evaluate_joins(
    groups: list[JoinGroup],
    joins: Iterable[Joined],
    requested: RequestedMeasures,
    call: CallSettings,
    run: Records | None = None,
) -> Evaluation:
    """Evaluate each group of measures on its join.

    run: as it was passed, for the warning if it has fewer than half of the judged queries or if
    none of its documents is judged.
    """
    parts = []
    warned = set[str]()
    for group, joined in zip(groups, joins, strict=True):
        as_lists = make_joined_lists(joined, group.rules, group.of_parts)
        in_run = int(joined.in_run.sum())
        has_few_queries = 2 * in_run < len(joined.queries)
        if run is not None and (has_few_queries or joined.unmatched is not None):
            warn_of_unmatched(joined, run, warned)
        ties = as_lists.ties
        if ties not in group.resolved:
            settings = []
            for measure in group.measures:
                completed = complete_settings(measure, call.settings, group.rules, ties)
                settings.append(completed)
            of_group = requested._replace(measures=tuple(group.measures))
            group.resolved[ties] = ResolvedCall(settings, of_group)
        evaluation = evaluate_lists(
            as_lists.lists,
            group.resolved[ties],
            call._replace(rules=group.rules),
            warned=warned,
            counts=as_lists.counts,
            scored=as_lists.scored,
            displayed=as_lists.displayed,
            missing=as_lists.missing,
        )
        parts.append(evaluation)
    if len(parts) == 1:
        return parts[0]
    return combine(parts, requested.measures, call.rules)


def request_joins(
    measures: Measures, options: dict[str, Any], rules: Convention
) -> tuple[RequestedMeasures, list[JoinGroup]]:
    """The requested measures, and these by join; cached."""
    key = key_of_call(options, measures, rules)
    if key is not None:
        cached = REQUESTS.get(key)
        if cached is not None:
            return cached
    requested = read_measures(measures, rules)
    has_options = any(value is not UNSET for value in options.values())
    if has_options:
        refuse_unused(requested.measures, options)
    groups = group_by_join(requested.measures, rules, options["ties"])
    changed = {}
    if has_options:
        # A variant has some options as its fields, so compare these with the convention itself.
        changed = find_changes(requested.measures, options, rules)
    request = requested._replace(settings=changed), groups
    if key is not None:
        REQUESTS.keep(key, request)
    return request


class RunOptions(CallOptions, total=False):
    """Options of `evaluate`."""

    exclude: Records | None
    documents: Documents | None
    judged_only: bool | Unset


def evaluate_runs(
    qrels: Records,
    runs: Mapping[str, Records] | Path | Frame | Sequence[Any],
    measures: Measures,
    *,
    run: str | None = None,
    **options: Unpack[RunOptions],
) -> Evaluations:
    """Evaluate several runs against the same qrels, which are read once.

    Parameters
    ----------
    runs : mapping of name -> run, paths, or a frame
        Runs as `evaluate` takes them. A path, a folder, a pattern (`runs/*.txt`) or a list of them
        are runs with the names of the files; a list may also hold objects with a `name`. One frame
        (or CSV or Parquet) with the rows of all systems needs `run`.
    run : name of a column, optional
        The system of each row of such a frame.
    measures and the others
        As in `evaluate`.

    Returns
    -------
    Evaluations

    Examples
    --------
    >>> import rankgain as rg
    >>> qrels = {"q1": {"a": 1}}
    >>> runs = {"bm25": {"q1": {"a": 1.0}}, "dense": {"q1": {"b": 1.0}}}
    >>> print(rg.evaluate_runs(qrels, runs, "AP"))
    run        AP
    bm25   1.0000
    dense  0.0000
    1 query (convention trec)
    """
    refuse_unknown_options(options, "evaluate_runs", RunOptions.__annotations__)
    by_name = runs_by_name(runs, run)
    refuse_same_names(by_name, "runs")
    qrels = as_qrels(qrels, by_name.values())
    measures = rereadable(measures)
    options["exclude"] = read_excluded(options.get("exclude"))
    result: dict[str, Evaluation] = {}
    for name, records in by_name.items():
        try:
            with named_in_warnings("run", name):
                result[name] = evaluate(qrels, records, measures, **options)
        except SourceError as error:
            if error.source == "run":
                reword_error(error, f"run {name!r}: {error.words}")
            raise
    return Evaluations(result)


class JoinedLists(NamedTuple):
    """A join as lists, and what else `evaluate_lists` needs of it."""

    lists: Lists  # in order of score and id
    ties: str | None  # the tie rule of these lists; None: that of each measure
    counts: dict[str, int]
    scored: Lists  # the same lists with scores, for bounds
    displayed: Sequence[object]  # the query ids of the result
    missing: Bools | None  # which queries have no results


def make_joined_lists(joined: Joined, rules: Convention, of_parts: bool = False) -> JoinedLists:
    """Make the lists of a join, in order of score and id."""
    if rules.unjudged == "drop":
        # With negative="zero" a negative label means that the document is not judged.
        # For measures of parts a document is judged whatever its labels are.
        lowest_judged = -np.inf
        if rules.for_family("negative", "ndcg") == "zero" and not of_parts:
            lowest_judged = 0.0
        joined = joined.condensed(lowest_judged)
    words = "query {!r} is judged, but has no results in the run"
    counts = count_missing(joined.in_run, len(joined.unjudged), rules, joined.queries, words)
    scores, order, ties = _read_order(joined, rules)
    rows = np.arange(len(joined.in_run))
    indptr, displayed = joined.indptr, joined.displayed
    if counts["skipped"]:  # the skipped queries have no hits
        rows = np.flatnonzero(joined.in_run)
        hits_of_lists = np.diff(indptr)[rows]
        indptr = add_sizes(hits_of_lists)
        displayed = tuple(displayed[row] for row in rows.tolist())
    queries = [joined.queries[row] for row in rows.tolist()]
    layout = Layout(joined.starts[rows], joined.stops[rows], False, queries)
    labels = joined.labels
    if rules.truncate_labels:
        labels = np.trunc(labels)
    are_ranks = joined.sizes is not None
    sparse = Sparse(
        labels,
        joined.indices,
        np.ascontiguousarray(indptr, np.int64),
        None,
        ranked=are_ranks,
        sizes=joined.sizes,
    )
    # The judged labels of the lists in ideal order; the qrels cache those of all their lists.
    ideals: dict[bool, _core.Runs] = {}
    if joined.join_cache is not None and not counts["skipped"]:
        ideals = joined.join_cache.ideals
    truncates = rules.truncate_labels
    if truncates not in ideals:
        judged = joined.judged
        if truncates:
            judged = np.trunc(judged)
        starts = joined.judged_lists[:-1][rows]
        stops = joined.judged_lists[1:][rows]
        ideals[truncates] = prepare(judged, starts, stops, "qrels")
    judgments = Judgments(ideals[truncates], labels_checked=True)
    lists = Lists(layout, sparse, scores, judgments, order=order, pool=True, called="qrels")
    if joined.parts is not None:
        assert joined.documents is not None  # beside the labels
        lists = lists.replace(parts=ListParts(joined.parts, joined.documents, rows))
    # Ranks may have gaps: each document then has its place in the whole list.
    if joined.of_ranks:
        lists = lists.replace(of_ranks=True, places=joined.ranked_places)
    if are_ranks and rules.score_dtype == "float32":
        lists = lists.replace(float32=True)
    scored = lists
    if joined.scores is not None:
        scored = lists.replace(scores=joined.scores)
    missing = None
    if counts["missing"]:
        missing = ~joined.in_run
    return JoinedLists(lists, ties, counts, scored, displayed, missing)


def _read_order(
    joined: Joined, rules: Convention
) -> tuple[Floats | None, Integers | None, str | None]:
    """How the documents of a join are ordered: their scores, an order of ids, and the tie rule.

    Documents lie by descending score and id, so "id_descending" is their order ("stable"), for
    which no scores are needed unless the convention drops some, and "id" its reverse. Rules by
    place need the place of each document in the run, as an order of "id".
    """
    ties = rules.ties
    if joined.sizes is not None:  # ranks of tie blocks, whose order is left to the measure
        return joined.scores, None, None
    if joined.scores is None:
        return None, None, "stable"
    if ties == "id_descending":
        return joined.scores if drops_scores(rules) else None, None, "stable"
    if ties == "id":
        return joined.scores, None, "reverse"
    if ties in ("stable", "reverse") and joined.places is not None:
        places = joined.places
        if ties == "reverse":
            places = places.max(initial=0) - places
        return joined.scores, np.ascontiguousarray(places), "id"
    return joined.scores, None, ties


def read_join_fields(measure: Measure) -> dict[str, Any]:
    """The fields of a join that the name of a measure sets."""
    params = measure.params
    result = {}
    if "ties" in params:
        result["ties"] = params["ties"]
    if "judged_only" in params:
        result["unjudged"] = "keep"
        if params["judged_only"]:
            result["unjudged"] = "drop"
    return result


def group_by_join(
    measures: tuple[Measure, ...], rules: Convention, ties: object
) -> list[JoinGroup]:
    """Group measures by the values of these fields; each group has its own join."""
    groups: dict[tuple[tuple[object, ...], bool], list[Measure]] = {}
    for measure in measures:
        family = measure.definition
        of_family = rules.of_family(family.function, measure.k is not None)
        fields = {field: of_family[field] for field in JOIN_FIELDS}
        if ties is not UNSET:
            fields["ties"] = KINDS["ties"].read("ties", ties)
        if measure.params:
            fields |= read_join_fields(measure)
        if family.takes_blocks or "rank" in measure.params:
            fields["ties"] = "average"  # blocks stay as they are
        of_parts = family.row.reads != "labels" and fields["unjudged"] == "drop"
        groups.setdefault((tuple(fields.values()), of_parts), []).append(measure)
    own_values = tuple(getattr(rules, field) for field in JOIN_FIELDS)
    result = []
    for (values, of_parts), members in groups.items():
        variant = rules
        if values != own_values:
            changes = dict(zip(JOIN_FIELDS, values, strict=True))
            variant = rules.replace(name=rules.name, **changes)
        # The rank and size of tie blocks suffice if ties are averaged, no document is dropped, and
        # the ideal is not that of the list.
        averages = all(member.definition.row.averages for member in members)
        takes_blocks = averages and variant.unjudged != "drop" and variant.ideal != "list"
        result.append(JoinGroup(variant, members, takes_blocks, {}, of_parts))
    return result


def split_by_copies(groups: list[JoinGroup]) -> list[JoinGroup]:
    """Separate measures that skip copies of documents from the others of their group."""
    result = []
    for group in groups:
        for skips_copies in (False, True):
            members = []
            for measure in group.measures:
                if measure.definition.row.skips_copies == skips_copies:
                    members.append(measure)
            if members:
                # Settings are completed anew, as `resolved` holds those of the whole group.
                part = group._replace(measures=members, resolved={}, skips_copies=skips_copies)
                result.append(part)
    return result


def combine(
    parts: list[Evaluation], measures: tuple[Measure, ...], rules: Convention
) -> Evaluation:
    """Merge groups in the requested order of measures; nan where a group has no such query."""
    longest = max(parts, key=len)  # conventions may leave queries out
    lists = len(longest)
    index_of = dict(zip(longest.queries, range(lists), strict=True))
    means: dict[str, float] = {}
    values: dict[str, Floats] = {}
    shares: dict[str, Shares] = {}
    marked: dict[str, Bools] = {}
    bounds: dict[str, dict[str, Floats]] = {kind: {} for kind in longest.bounds}
    bound_means: dict[str, dict[str, tuple[float, float]]] = {kind: {} for kind in longest.bounds}
    undefined: dict[str, dict[str, Any]] = {"undefined": {}, "undefined_as": {}}
    better: dict[str, str] = {}
    for part in parts:
        # Where the lists of this group are among those of the longest one.
        rows = [index_of[query] for query in part.queries]
        means |= part.means
        for name, column in part.per_query.items():
            values[name] = _spread(column, rows, lists)
        for name, mask in part.marked.items():
            marked[name] = _spread(mask, rows, lists, False)
        for name, (kind, numerators, divisors) in part.shares.items():
            numerators = _spread(numerators, rows, lists)
            if divisors is not None:
                divisors = _spread(divisors, rows, lists)
            shares[name] = Shares(kind, numerators, divisors)
        for kind, by_name in part.bounds.items():
            for name, column in by_name.items():
                bounds[kind][name] = _spread(column, rows, lists)
            bound_means[kind] |= part.bound_means[kind]
        better |= part.better
        for key, counts in undefined.items():
            counts |= part.counts.get(key, {})

    def in_order(columns: Mapping[str, T]) -> dict[str, T]:
        return {name: columns[name] for name in map(str, measures) if name in columns}

    counts = dict(longest.counts)
    for key, by_name in undefined.items():
        if by_name:
            counts[key] = in_order(by_name)
    return longest._replace(
        means=in_order(means),
        per_query=in_order(values),
        counts=counts,
        bounds={kind: in_order(by_name) for kind, by_name in bounds.items()},
        bound_means={kind: in_order(by_name) for kind, by_name in bound_means.items()},
        shares=shares,
        marked=marked,
        rules=rules,
        better=better,
    )


def _spread(column: Array, rows: list[int], lists: int, fill: object = np.nan) -> Array:
    """A column of all lists, with values in these rows and `fill` elsewhere."""
    result = np.full((lists, *column.shape[1:]), fill)
    result[rows] = column
    return result
