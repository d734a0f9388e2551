"""Evaluate runs against qrels: join them by id, lay the join out as lists, evaluate these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from ..convention import UNSET, Convention, Unset
from ..convention.options import KINDS
from ..engine.columns import Prepared
from ..engine.means import Shares
from ..engine.notices import named_in_warnings
from ..engine.plan import Cache
from ..engine.settings import with_shared_help
from ..inputs.lists import Judgments, Layout, Lists, add_sizes, prepare, reword_error
from ..inputs.parts import ListParts
from ..inputs.sparse import Sparse
from ..measures.measure import Measure, RequestedMeasures, read_measures, refuse_unused, rereadable
from ..trec.by_query import as_qrels
from ..trec.join import Sources, read_excluded
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
)

if TYPE_CHECKING:
    from ..inputs.types import Array, Frame, Path, Records
    from ..measures.types import Measures


class JoinGroup(NamedTuple):
    """Measures that share a join of qrels and a run."""

    rules: Convention  # with the values of JOIN_FIELDS that these measures have
    measures: list[Measure]
    takes_blocks: bool  # all can be computed from the rank and the size of each tie block alone
    prepared: dict[str | None, Prepared]  # by the tie rule on the lists


REQUESTS: Cache[Any, tuple[RequestedMeasures, list[JoinGroup]]] = Cache(256)
# Fields of a convention that the join of qrels and a run depends on.
JOIN_FIELDS = ("score_dtype", "ties", "missing", "unjudged", "own_document")


@with_shared_help("trec")
def evaluate(
    qrels: Records,
    run: Records,
    measures: Measures,
    *,
    exclude: Records | None = None,
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

    A line or an entry that cannot be read, a NaN score, a label that is not finite and a document
    twice in a list are a ValueError that names the place. If fewer than half of the judged queries
    are in the run, a RankgainWarning shows ids of both.

    >>> import rankgain as rg
    >>> qrels = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}}
    >>> run = {"q1": {"b": 0.9, "a": 0.8, "x": 0.1}}
    >>> print(rg.evaluate(qrels, run, ["nDCG@10", "AP"]))
    measure   mean
    nDCG@10   0.2398
    AP        0.1250
    2 queries (1 without results, counted as 0) (convention trec)
    """
    call = read_call(options, CallOptions, "evaluate", "trec")
    if judged_only is not UNSET:
        if not isinstance(judged_only, (bool, np.bool_)):
            raise TypeError(f"judged_only must be True or False, not {judged_only!r}")
        unjudged = "drop" if judged_only else "keep"
        if call.rules.unjudged != unjudged:
            call = call._replace(rules=call.rules._variant("unjudged", unjudged))
    requested, groups = request_joins(measures, call.settings, call.rules)
    rules = [group.rules for group in groups]
    sources = Sources(qrels, run, rules, call.threads, bool(call.bounds), exclude)
    return evaluate_joins(
        groups, lambda one: sources.joined(one.rules, one.takes_blocks), requested, call, run
    )


def evaluate_joins(
    groups: list[JoinGroup],
    join: Callable[[JoinGroup], Joined],
    requested: RequestedMeasures,
    call: CallSettings,
    run: Records | None = None,
) -> Evaluation:
    """Evaluate each group of measures on its join; run: it is warned of if few ids are judged."""
    parts, warned = [], set[str]()
    for group in groups:
        joined = join(group)
        lists, ties, more = make_lists(joined, group.rules)
        few = joined.unmatched is not None or 2 * int(joined.in_run.sum()) < len(joined.queries)
        if few and run is not None:
            warn_of_unmatched(joined, run, warned)
        prepared = group.prepared.get(ties)
        if prepared is None:
            known = [
                complete_settings(one, call.settings, group.rules, ties) for one in group.measures
            ]
            prepared = Prepared(known, requested._replace(measures=tuple(group.measures)))
            group.prepared[ties] = prepared
        of_group = call._replace(rules=group.rules)
        parts.append(evaluate_lists(lists, prepared, of_group, warned=warned, **more))
    return parts[0] if len(parts) == 1 else combine(parts, requested.measures, call.rules)


def request_joins(
    measures: Measures, options: dict[str, Any], rules: Convention
) -> tuple[RequestedMeasures, list[JoinGroup]]:
    """The requested measures, and these by join; cached."""
    key = key_of_call(options, measures, rules)
    known = None if key is None else REQUESTS.get(key)
    if known is None:
        requested = read_measures(measures, rules)
        refuse_unused(requested.measures, options)
        groups = by_join(requested.measures, rules, options["ties"])
        # A variant has some options as its fields, so compare these with the convention itself.
        settings = find_changes(requested.measures, options, rules)
        known = requested._replace(settings=settings), groups
        if key is not None:
            REQUESTS.keep(key, known)
    return known


class RunOptions(CallOptions, total=False):
    """Options of `evaluate`."""

    exclude: Records | None
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

    >>> import rankgain as rg
    >>> qrels = {"q1": {"a": 1}}
    >>> runs = {"bm25": {"q1": {"a": 1.0}}, "dense": {"q1": {"b": 1.0}}}
    >>> print(rg.evaluate_runs(qrels, runs, "AP"))
    run        AP
    bm25   1.0000
    dense  0.0000
    1 query (convention trec)
    """
    by_name = runs_by_name(runs, run)
    refuse_same_names(by_name, "runs")
    judged, measures = as_qrels(qrels, by_name.values()), rereadable(measures)
    options["exclude"] = read_excluded(options.get("exclude"))
    result: dict[str, Evaluation] = {}
    for name, one in by_name.items():
        try:
            with named_in_warnings("run", name):
                result[name] = evaluate(judged, one, measures, **options)
        except (TypeError, ValueError) as error:
            if str(error).startswith("run: "):
                reword_error(error, f"run {name!r}: {str(error)[5:]}")
            raise
    return Evaluations(result)


def make_lists(joined: Joined, rules: Convention) -> tuple[Lists, str | None, dict[str, Any]]:
    """Lay a join out as lists in order of score and id; also their tie rule and other arguments."""
    if rules.unjudged == "drop":
        # With negative="zero" a negative label means that the document is not judged.
        unjudged = rules.for_family("negative", "ndcg") == "zero"
        joined = joined.condensed(0.0 if unjudged else -np.inf)
    words = "query {!r} is judged, but has no results in the run"
    counts = count_missing(joined.in_run, len(joined.unjudged), rules, joined.queries, words)
    scores: Any = joined.scores
    order, rule, sizes = None, rules.ties, joined.sizes
    if sizes is not None:  # ranks of blocks, whose order is left to the measure
        rule = None
    elif scores is None or rule == "id_descending":
        scores, rule = None, "stable"
    elif rule == "id":
        rule = "reverse"
    elif rule in ("stable", "reverse") and joined.places is not None:
        places = joined.places if rule == "stable" else joined.places.max(initial=0) - joined.places
        order, rule = np.ascontiguousarray(places), "id"
    indptr, displayed, rows = joined.indptr, joined.displayed, np.arange(len(joined.in_run))
    ideals = {} if joined.prepared is None else joined.prepared.ideals
    if counts["skipped"]:  # what is left out has no hits
        rows, ideals = np.flatnonzero(joined.in_run), {}
        indptr = add_sizes(np.diff(indptr)[rows])
        displayed = tuple(displayed[i] for i in rows.tolist())
    truncate = rules.truncate_labels
    labels = np.trunc(joined.labels) if truncate else joined.labels
    if truncate not in ideals:
        judged = np.trunc(joined.judged) if truncate else joined.judged
        firsts, stops = joined.judged_lists[:-1][rows], joined.judged_lists[1:][rows]
        ideals[truncate] = prepare(judged, firsts, stops, "qrels")
    starts, stops = joined.starts[rows], joined.stops[rows]
    layout = Layout(starts, stops, False, [joined.queries[i] for i in rows.tolist()])
    indptr, ranked = np.ascontiguousarray(indptr, np.int64), sizes is not None
    sparse = Sparse(labels, joined.indices, indptr, None, ranked=ranked, sizes=sizes)
    judgments = Judgments(ideals[truncate], labels_checked=True)
    lists = Lists(layout, sparse, scores, judgments, order=order, pool=True, called="qrels")
    if joined.parts is not None:
        assert joined.documents is not None  # beside the labels
        lists = lists.replace(parts=ListParts(joined.parts, joined.documents, rows))
    if joined.of_ranks:
        lists = lists.replace(of_ranks=True, places=joined.ranked_places)
    if ranked and rules.score_dtype == "float32":
        lists = lists.replace(float32=True)
    return (
        lists,
        rule,
        {
            "counts": counts,
            "scored": lists if joined.scores is None else lists.replace(scores=joined.scores),
            "displayed": displayed,
            "missing": ~joined.in_run if counts["missing"] else None,
        },
    )


def read_join_fields(measure: Measure) -> dict[str, Any]:
    """The fields of a join that the name of a measure sets."""
    params = measure.params
    result = {"ties": params["ties"]} if "ties" in params else {}
    if "judged_only" in params:
        result["unjudged"] = "drop" if params["judged_only"] else "keep"
    return result


def by_join(measures: tuple[Measure, ...], rules: Convention, ties: object) -> list[JoinGroup]:
    """Group measures by the values of these fields; each group has its own join."""
    groups: dict[tuple[Any, ...], list[Measure]] = {}
    for measure in measures:
        family = measure.definition
        function = family.function
        cut = (measure.k or rules.for_family("k", function)) is not None
        known = rules.of_family(function, cut)
        fields = {field: known[field] for field in JOIN_FIELDS}
        if ties is not UNSET:
            fields["ties"] = KINDS["ties"].read("ties", ties)
        if measure.params:
            fields |= read_join_fields(measure)
        if family.takes_blocks or "rank" in measure.params:
            fields["ties"] = "average"  # blocks stay as they are
        groups.setdefault(tuple(fields.values()), []).append(measure)
    usual = tuple(getattr(rules, field) for field in JOIN_FIELDS)
    result = []
    for values, members in groups.items():
        changes = dict(zip(JOIN_FIELDS, values, strict=True))
        variant = rules if values == usual else rules.replace(name=rules.name, **changes)
        averages = all(one.definition.row.averages for one in members)
        takes_blocks = averages and variant.unjudged != "drop" and variant.ideal != "list"
        result.append(JoinGroup(variant, members, takes_blocks, {}))
    return result


def combine(
    parts: list[Evaluation], measures: tuple[Measure, ...], rules: Convention
) -> Evaluation:
    """Merge groups in the requested order of measures; nan where a group has no such query."""
    most = max(parts, key=len)  # conventions may leave queries out
    n, place = len(most), {query: at for at, query in enumerate(most.queries)}
    means: dict[str, float] = {}
    values: dict[str, Any] = {}
    shares: dict[str, Shares] = {}
    marked: dict[str, Any] = {}
    bounds: dict[str, dict[str, Any]] = {kind: {} for kind in most.bounds}
    ends: dict[str, dict[str, Any]] = {kind: {} for kind in most.bounds}
    undefined: dict[str, dict[str, Any]] = {"undefined": {}, "undefined_as": {}}
    better: dict[str, str] = {}
    for part in parts:
        at = [place[query] for query in part.queries]
        means |= part.means
        values |= {name: _place(one, at, n) for name, one in part.per_query.items()}
        marked |= {name: _place(one, at, n, False) for name, one in part.marked.items()}
        for name, (kind, *columns) in part.shares.items():
            shares[name] = Shares(kind, *(_place(one, at, n) for one in columns))
        for kind, by_name in part.bounds.items():
            bounds[kind] |= {name: _place(one, at, n) for name, one in by_name.items()}
            ends[kind] |= part.bound_means[kind]
        better |= part.better
        for key, counts in undefined.items():
            counts |= part.counts.get(key, {})

    def in_order(columns: dict[str, Any]) -> dict[str, Any]:
        return {name: columns[name] for name in map(str, measures) if name in columns}

    return most._replace(
        means=in_order(means),
        per_query=in_order(values),
        counts={**most.counts, **{key: in_order(one) for key, one in undefined.items() if one}},
        bounds={kind: in_order(one) for kind, one in bounds.items()},
        bound_means={kind: in_order(one) for kind, one in ends.items()},
        shares=shares,
        marked=marked,
        rules=rules,
        better=better,
    )


def _place(column: Array | None, at: list[int], n: int, fill: object = np.nan) -> Any:
    """Put values at their places among n lists, with nan elsewhere."""
    if column is None:
        return None
    placed = np.full((n, *column.shape[1:]), fill)
    placed[at] = column
    return placed
