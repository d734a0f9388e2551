"""Many measures of ranked ids of any kind, of one system or of several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, cast, overload

import numpy as np

from ..convention import UNSET, Convention, Unset
from ..engine.notices import warn
from ..engine.settings import with_shared_help
from ..inputs.arrays import Ragged, integer_rows
from ..inputs.chunks import (
    DocumentOf,
    are_systems_of_calls,
    join_calls,
    rank_documents,
    read_documents,
)
from ..inputs.groups import GroupedIds, read_groups
from ..inputs.ids import (
    DUPLICATES,
    Paired,
    as_single,
    drop_repeated_ids,
    exclude_ids,
    match,
    pair,
    remove_filling,
)
from ..inputs.rankings import unpack_sides
from ..inputs.relevant import (
    FILLING,
    OutOfColumns,
    attach_gains,
    is_plain,
    materialise,
    materialise_sides,
    read_ids,
    refuse_label_matrix,
    refuse_label_rows,
    refuse_scores,
    split_joined,
)
from ..inputs.sparse import looks_sparse
from ..inputs.tables.id_tables import as_id_table, with_companions
from ..inputs.tables.roles import ColumnNames, UserIds
from ..inputs.topk import are_column_numbers, read_column_numbers, read_topk
from ..inputs.truth import Truth
from ..measures.all_lists import RecommendedLists
from ..measures.measure import Measure, parse_measures, rereadable, split_measures
from .catalogue import ITEM_ARGUMENTS, with_items
from .evaluation import Evaluation
from .evaluations import Evaluations, evaluate_each
from .id_sources import IdArguments, Sides, read_sources
from .notices import (
    warn_of_documents,
    warn_of_excluded_columns,
    warn_of_excluded_ids,
    warn_of_other_users,
    warn_of_short_rows,
    warn_of_unmatched_ids,
)
from .one_pass import (
    CallSettings,
    RankedOptions,
    count_missing,
    evaluate_lists,
    read_call,
    resolve_measures,
)
from .recommended_items import RecommendedItems, read_recommended

if TYPE_CHECKING:
    from ..engine.columns import ResolvedCall
    from ..inputs.types import (
        Array,
        ByItem,
        CallOrder,
        Documents,
        Frame,
        HasCSR,
        Path,
        Policy,
        RankedIds,
        RelevantIds,
        Weight,
    )
    from ..measures.types import Bounds, Measures, Rules


class IdOptions(RankedOptions, total=False):
    """The options of `evaluate_ids` that do not say what its ids are."""

    query: str | Sequence[str] | None
    doc: str | Sequence[str] | None
    label: str | None
    score: str | None
    rank: str | None
    gains: object
    duplicates: Policy
    documents: Documents | None
    calls: CallOrder | None
    exclude: RelevantIds | None
    weight: Weight
    convention: Rules | Unset
    threads: int | None
    bounds: Bounds
    catalogue: int | Iterable[object] | None
    popularity: ByItem | None
    features: ByItem | None
    categories: ByItem | None
    baseline: RankedIds | None


@overload
def evaluate_ids(
    retrieved: Mapping[str, Any],
    relevant: Sequence[Any] | np.ndarray[Any, Any] | HasCSR | Truth,
    measures: Measures,
    **options: Unpack[IdOptions],
) -> Evaluations: ...


@overload
def evaluate_ids(
    retrieved: RankedIds,
    relevant: RelevantIds,
    measures: Measures,
    *,
    systems: Literal[False] | None = None,
    **options: Unpack[IdOptions],
) -> Evaluation: ...


@overload
def evaluate_ids(
    retrieved: RankedIds,
    relevant: RelevantIds,
    measures: Measures,
    *,
    run: str | Unset | None = UNSET,
    systems: bool | None = None,
    **options: Unpack[IdOptions],
) -> Evaluations: ...


@overload
def evaluate_ids(
    source: Path | Frame,
    /,
    *,
    measures: Measures,
    retrieved: str = "retrieved",
    relevant: str = "relevant",
    **options: Unpack[IdOptions],
) -> Evaluation: ...


@overload
def evaluate_ids(
    source: Path | Frame,
    /,
    *,
    measures: Measures,
    run: str,
    retrieved: str = "retrieved",
    relevant: str = "relevant",
    **options: Unpack[IdOptions],
) -> Evaluations: ...


@with_shared_help("rankgain", duplicates="raise", run=None)
def evaluate_ids(
    source: RankedIds | Path | None = None,
    /,
    relevant: RelevantIds | str | None = None,
    measures: Measures | None = None,
    *,
    retrieved: RankedIds | str | None = None,
    run: str | Unset | None = UNSET,
    systems: bool | None = None,
    **options: Unpack[IdOptions],
) -> Evaluation | Evaluations:
    """Evaluate ranked ids of any kind against the relevant ones.

    Parameters
    ----------
    source : as retrieved, or a table with a row for each query
        The first argument is `retrieved`, which may be given by its name instead. Or it is the path
        of JSON lines (or Parquet), or a frame, with a list of retrieved and one of relevant ids in
        each row; then `retrieved` and `relevant` name these fields, if they have other names.
        A field query, query_id, qid, question_id, question or id holds the query, or that which
        `query` names; with `run` it must be there. A name with dots, such as "outputs.ids", is a
        field of a field. Retrieved ids are best first, or ordered by a list in a field "scores" or
        "score" of all rows, by pairs [id, score], by hits with scores, or by a dict id -> score.
        Relevant ids are a list, pairs [id, label], or a dict id -> label. In CSV files lists are
        text: joined by blanks, or as Python prints them.
    retrieved : int array of shape (lists, k), lists of ids, a mapping query -> list, or a frame
        Ids, best first: strings, integers or other hashable objects, all of one type: `1` is never
        `"1"`. A list may hold pairs (id, score) or hits such as {"corpus_id": 3, "score": 0.9}, and
        it may be a dict id -> score, or an answer of Elasticsearch or OpenSearch; of equal scores
        the earlier id is first. -1 fills the end of a shorter row of integers, in every container
        and also of `relevant`, unless an id is below -1. Also one list, a Series of lists, list
        columns and iterators. A frame whose columns have names has a row for each id, with its
        query, document, and rank or score; of equal scores the earlier row is first, and equal
        ranks tie. A document is at its rank, whether or not those before it are in the frame.
        Or it has a row for each query: with a list of ids, with ids joined by blanks, or with a
        column for each place (rec_1, rec_2 and so on). A frame whose columns are 0 to n - 1 is a
        matrix. `[]` is one empty list if `relevant` is one list; for no lists give `{}` or an array
        of shape (0, k).
    relevant : lists, sets or dicts id -> label, one for each list, or a mapping query -> one
        Without labels each is 1; a label of 0 is not relevant. For integer ids also a scipy.sparse
        CSR or a Truth of shape (lists, items), whose columns are the ids. Or a frame with a row for
        each relevant id; without a column of labels each is 1. Or a list of groups of ids for each
        query, [["a", "b"], ["c"]], each satisfied by any of its ids: groups are lists or sets, and
        measures such as "StRecall@5" say how many are covered. Or a frame with a row for each
        query, as of `retrieved`; ids such as N1-0 and N2-1 are those of MIND with their labels.
    query, doc, score, rank, label : names of columns, optional
        The columns of frames; `query` may be several, and queries are then tuples. By default
        columns of a usual name, such as user_id or query_id, item_id or doc_id, rank (used before
        a score), score, label or rating. `doc` may be a list of columns, one for each place.
        `query` and `doc` name columns of all frames that have them (usual names count in others),
        `score` or `rank` one of `retrieved`, `label` one of `relevant`; label=None says that each
        row of `relevant` is relevant. A column that is left over and may be a second key of
        the query, the labels, or the systems is an error that names it.
    run : str, optional
        The column (or field) with the system of each row, of a frame with a row for each id, or of
        a table with a row for each query. run=None says that no column names systems.
    systems : bool, optional
        True: `retrieved` is a mapping name -> rankings of all lists, False: one of queries. By
        default it is one of systems if only that fits: if `relevant` has no queries, or if its
        values are not lists of ids.
    gains : sequence of arrays, optional
        The labels of `relevant`, in its shape, if it is a sequence of id arrays; by default 1.
    duplicates : "raise", "first" or "in_place"
        "raise": an id twice in a list is an error that names it. "first": the later ones are left
        out, and the ids below move up. "in_place": the later ones keep their ranks and are not
        relevant. What is relevant twice counts once under both.
    documents : mapping chunk -> document, function of a chunk's id, or separator, optional
        Retrieved ids are chunks, and relevant ones documents. A document takes the rank of its best
        chunk; its later chunks are left out, and those below move up, or with
        duplicates="in_place" they keep their ranks and are not relevant. With a separator, "#", the
        document is what stands before its last occurrence, and an id without it is a document. A
        chunk without an entry in a mapping is an error that names it.
    calls : "in_order" or "round_robin", optional
        Retrieved ids are a list for each search of a query, joined one after the other, or by turns
        (the first ids of all searches, then the second ones). An id found again does not count
        again: it is left out, or with duplicates="in_place" keeps its rank and is not relevant.
        counts["searches"] has the number of searches of each query.
    exclude : as relevant, optional
        Ids to remove from each list, relevant or not, whatever their labels.
    catalogue, popularity, features, categories, baseline : optional
        What measures of the shown items need, such as "Coverage@10", "Novelty@10" and "ILD@10",
        which need a cutoff in their names: as in `evaluate_catalogue`. They look at the lists of
        the evaluated queries, without what is excluded; empty lists are left out of their means.
        A repeat in place takes a rank and shows nothing; they then have one cutoff in a call.

    Returns
    -------
    Evaluation, or Evaluations of several systems

    Raises
    ------
    ValueError or TypeError
        For None and NaN among the ids, ids of different types, an id beyond the columns of
        `relevant`, and -1 before the end of a row. The message names the place.

    Warns
    -----
    RankgainWarning
        If few queries match or no retrieved id is relevant, with ids of both; if a cutoff is beyond
        each of several lists.

    Notes
    -----
    Queries are those of `relevant`, in its order. A query without retrieved ids counts as 0
    (`missing` in counts), or as the convention says; a query that `relevant` does not have is left
    out (`unjudged` in counts: queries here). Ids that are not in `relevant` are unjudged.

    Examples
    --------
    >>> import rankgain as rg
    >>> retrieved = {"q1": ["d3", "d1", "d7"], "q2": ["d2", "d9"]}
    >>> relevant = {"q1": {"d1": 2, "d3": 1}, "q2": ["d4"]}
    >>> rg.evaluate_ids(retrieved, relevant, ["RR", "R@2"]).to_dict()
    {'q1': {'RR': 1.0, 'R@2': 1.0}, 'q2': {'RR': 0.0, 'R@2': 0.0}}
    >>> rg.evaluate_ids([[4, 2, 7], [1, 3, -1]], [[2, 9], [5]], ["HitRate@3", "R@3"]).means["R@3"]
    0.25
    >>> print(rg.evaluate_ids({"als": [["a", "b"]], "pop": [["c", "a"]]}, [["a"]], "RR"))
    run      RR
    als  1.0000
    pop  0.5000
    1 query (convention rankgain)
    """
    if source is None:  # evaluate_ids(retrieved=ids, ...)
        source, retrieved = retrieved, None
    if measures is None or source is None:
        missing, hint = "retrieved=", ""
        if measures is None:
            missing = "measures=, such as ['nDCG@10']"
        if relevant is not None:
            hint = "; the second argument is relevant="
        elif measures is None:
            hint = ", and relevant= unless the rows of a table have both lists"
        raise TypeError(f"evaluate_ids() needs {missing}{hint}")
    call = read_call(options, IdOptions, "evaluate_ids", "rankgain")
    columns = _read_column_names(options, run)
    name_of_run = None if run is UNSET else run
    request = _read_request(measures, options, columns, call)
    if retrieved is None and run is UNSET and not systems and columns == ColumnNames():
        result = _evaluate_integers((source, relevant), request, call)
        if result is not None:
            return result
    wants_groups = any(family.row.reads != "labels" for family, _ in request.resolved.measures)
    grouped = read_groups(source, relevant, wants_groups)
    if grouped is not None:
        if request.gains is not None:
            raise TypeError("gains: groups of relevant ids have no labels; remove gains")
        relevant = cast("RelevantIds", grouped.relevant)
        request = request._replace(grouped=grouped)
    if request.calls is not None and systems is None:
        systems = are_systems_of_calls(source)
    tables = [relevant, request.exclude, *(getattr(request, name) for name in ITEM_ARGUMENTS)]
    columns = with_companions(columns, tables)
    sources = read_sources(IdArguments(source, relevant, retrieved, name_of_run, systems, columns))
    if name_of_run is None and not systems and sources.keys() == {""}:
        return _evaluate_system(sources[""], request, call)
    # Every system reads these, so iterators become lists.
    baseline = materialise(request.baseline)
    request = request._replace(exclude=materialise(request.exclude), baseline=baseline)
    evaluate_system = partial(_evaluate_system, request=request, call=call)
    return evaluate_each(evaluate_system, sources, "run")


class IdRequest(NamedTuple):
    """What a call asks of each system: the measures, and the arguments that all systems share."""

    measures: Measures  # as they were requested
    of_lists: list[str | Measure]  # those of ranked lists
    of_items: list[str | Measure]  # those of the shown items
    resolved: ResolvedCall
    gains: object
    exclude: object
    duplicates: str
    catalogue: object
    popularity: object
    features: ByItem | None
    categories: ByItem | None
    baseline: RankedIds | None
    documents: DocumentOf | None = None
    calls: str | None = None
    grouped: GroupedIds | None = None  # what the relevant ids are groups of


def _read_column_names(options: IdOptions, run: object) -> ColumnNames:
    """The columns that a call names; None for label or run says that there is none."""
    ruled_out = set()
    if "label" in options and options["label"] is None:
        ruled_out.add("label")
    if run is None:
        ruled_out.add("run")
    return ColumnNames(
        query=options.get("query"),
        doc=cast("Any", options.get("doc")),
        label=options.get("label"),
        score=options.get("score"),
        rank=options.get("rank"),
        ruled_out=frozenset(ruled_out),
    )


def _read_request(
    measures: Measures, options: IdOptions, columns: ColumnNames, call: CallSettings
) -> IdRequest:
    """Read what all systems of a call share."""
    duplicates = options.get("duplicates", "raise")
    if duplicates not in DUPLICATES:
        raise ValueError(f"duplicates must be one of {DUPLICATES}, not {duplicates!r}")
    measures = rereadable(measures)
    of_lists, of_items = split_measures(measures)
    shared: dict[str, Any] = dict.fromkeys(("gains", "exclude", *ITEM_ARGUMENTS))
    for name in shared:
        value = cast("dict[str, object]", options).get(name)
        if value is not None:
            shared[name] = as_id_table(value, columns)
    given_of_items = [name for name in ITEM_ARGUMENTS if shared[name] is not None]
    if given_of_items and not of_items:
        raise TypeError(
            f"{given_of_items[0]} is for measures of shown items, such as Coverage@10; none is "
            "requested"
        )
    measures_of_lists: Measures = measures
    if of_items:
        measures_of_lists = of_lists
    if of_items and not of_lists:
        _refuse_settings(call)
        # Measures of items need to know which lists there are. Here no measure of ranked lists
        # says so, but DCG can: it is defined for every list.
        measures_of_lists = "DCG@1"
    resolved = resolve_measures(measures_of_lists, call.settings, call.rules)
    document_of = None
    documents = options.get("documents")
    if documents is not None:
        document_of = read_documents(documents)
    return IdRequest(
        measures,
        of_lists,
        of_items,
        resolved,
        duplicates=duplicates,
        documents=document_of,
        calls=options.get("calls"),
        **shared,
    )


def _refuse_settings(call: CallSettings) -> None:
    """Refuse options of measures of ranked lists if none is requested."""
    for name, value in call.settings.items():
        if value is not UNSET:
            raise ValueError(f"{name} is for measures of ranked lists; remove it")


def _evaluate_integers(sides: Sides, request: IdRequest, call: CallSettings) -> Evaluation | None:
    """Evaluate plain rows of integers; None: the arguments are others, or integers below -1.

    Most calls pass such rows. They are read once, and need no other question about their form.
    """
    if request.duplicates != "raise" or request.of_items or request.grouped is not None:
        return None
    if request.documents is not None or request.calls is not None:
        return None
    if not is_plain(request.gains) or not is_plain(request.exclude):
        return None
    retrieved = integer_rows(sides[0])
    if retrieved is None or retrieved.flat.min(initial=0) < FILLING:
        return None
    relevant = integer_rows(sides[1])
    if relevant is None:
        return None
    refuse_label_rows(relevant, "relevant")
    ids = IdSources(retrieved, relevant, request.gains, request.exclude, request.duplicates)
    return _evaluate_columns(retrieved, ids, request.resolved, call)


def _evaluate_system(sides: Sides, request: IdRequest, call: CallSettings) -> Evaluation:
    """Evaluate the rankings of one system."""
    result = _evaluate_integers(sides, request, call)
    if result is not None:
        return result
    searches = None
    if request.calls is not None:
        searches = join_calls(*sides, request.calls)
        sides = searches.rankings, sides[1]
    refuse_scores(sides[0], "retrieved")
    retrieved, relevant = unpack_sides(*sides)
    ids = IdSources(retrieved, relevant, request.gains, request.exclude, request.duplicates)
    ids = ids.materialised()
    if searches is not None or request.documents is not None:
        # An id may come again in another search, and a document in another chunk.
        refuses = request.duplicates == "raise"
        if refuses:
            ids = ids._replace(duplicates="first")
        ids = ids._replace(
            documents=request.documents,
            refuses_repeats=refuses and searches is None,
            is_joined=searches is not None,
        )
    refuse_label_matrix(ids.relevant, "relevant")
    result, paired = _evaluate_ranked(ids, request.resolved, call, request.grouped)
    if searches is not None and paired is not None:
        sizes = searches.sizes_of(paired.users)
        result = result._replace(counts={**result.counts, "searches": sizes})
    if not request.of_items:
        return result
    items = _read_items(ids, paired, call.rules, request)
    ranked = None
    if request.of_lists:
        ranked = result
    return with_items(
        result._replace, result.counts, request.measures, request.of_items, items, ranked
    )


class IdSources(NamedTuple):
    """The ids of a call as they were given."""

    retrieved: RankedIds
    relevant: RelevantIds | None
    gains: object
    exclude: object
    duplicates: str
    documents: DocumentOf | None = None
    refuses_repeats: bool = False  # a chunk twice in a list is an error
    is_joined: bool = False  # the lists are those of several searches

    @property
    def has_columns(self) -> bool:
        """Whether ids are the columns of a matrix for certain."""
        if isinstance(self.relevant, Truth) or isinstance(self.exclude, Truth):
            return True
        return looks_sparse(self.relevant) or looks_sparse(self.exclude)

    def materialised(self) -> IdSources:
        """The same ids in containers that can be read more than once."""
        sides = {
            "retrieved": self.retrieved,
            "relevant": self.relevant,
            "gains": self.gains,
            "exclude": self.exclude,
        }
        if all(map(is_plain, sides.values())):
            return self
        retrieved, relevant, gains, exclude = materialise_sides(**sides)
        return self._replace(retrieved=retrieved, relevant=relevant, gains=gains, exclude=exclude)


def _evaluate_ranked(
    source: IdSources, resolved: ResolvedCall, call: CallSettings, grouped: GroupedIds | None
) -> tuple[Evaluation, Paired | None]:
    """Evaluate measures of ranked lists; return also these, if they are matched by ids.

    Integers that are columns of a matrix are looked up in its rows, all other ids by their hash.
    """
    if source.duplicates == "raise" and grouped is None and source.documents is None:
        rows = read_column_numbers(source.retrieved, source.relevant)
        if rows is not None:
            result = _evaluate_columns(rows, source, resolved, call)
            if result is not None:
                return result, None
    elif source.has_columns and are_column_numbers(source.retrieved, source.relevant):
        raise TypeError(
            f'duplicates="{source.duplicates}" needs relevant ids in lists, not in the columns of '
            "a matrix"
        )
    paired, counts = _pair(source, call.rules)
    missing = None
    if counts and counts["missing"]:
        missing = ~paired.has_retrieved
    lists, longest = match(paired, source.duplicates, grouped)
    result = evaluate_lists(
        lists, resolved, call, counts=counts, displayed=paired.users, missing=missing
    )
    # If there is no hit at all, the ids of the two sides may not match.
    if not len(lists.stored.indices):
        warn_of_unmatched_ids(paired)
    # The length of joined lists, of lists of chunks and of unmatched queries says little.
    is_matched = counts is None or counts["missing"] < len(lists)
    if source.documents is None and not source.is_joined and is_matched and len(lists):
        warn_of_short_rows(result, longest, True)
    return result, paired


def _evaluate_columns(
    rows: Array | Ragged, source: IdSources, resolved: ResolvedCall, call: CallSettings
) -> Evaluation | None:
    """Evaluate rows of integers as numbers of columns; None: some are below -1 or too large."""
    depth = _deepest_cutoff(resolved, call)
    try:
        lists, columns, unmatched = read_topk(
            rows, source.relevant, source.gains, source.exclude, depth
        )
    except OutOfColumns:
        if source.has_columns:
            raise
        return None
    if source.exclude is not None:
        warn_of_excluded_columns(lists, source.relevant, source.gains)
    result = evaluate_lists(lists, resolved, call)
    if unmatched is not None and len(lists) > 1:  # a single list may well have no hit
        index, retrieved_ids, relevant_ids = unmatched
        warn_of_documents(f"list {index} of retrieved", retrieved_ids, "relevant", relevant_ids)
    cutoffs = (measure.k or 0 for measure in resolved.request.measures)
    if columns is not None and max(cutoffs) > columns:
        warn_of_short_rows(result, columns)
    return result


def _deepest_cutoff(resolved: ResolvedCall, call: CallSettings) -> float:
    """The last rank that any measure looks at; infinity: all of the list.

    Bounds depend on judged documents below the cutoff, some ideals and functions of one's own on
    all of the list.
    """
    if call.bounds != ():
        return math.inf
    depth = 0.0
    for family, settings in resolved.measures:
        if settings.k is None or settings.ideal == "list" or family.compute is not None:
            return math.inf
        depth = max(depth, settings.k)
    return depth


def _read_items(
    source: IdSources, paired: Paired | None, rules: Convention, request: IdRequest
) -> RecommendedItems:
    """The items of the evaluated lists, and what is known of them."""
    relevant = source.relevant
    if source.has_columns:
        if source.exclude is not None:
            raise ValueError("exclude: with measures of shown items pass it and relevant as lists")
        lists, users = read_recommended(source.retrieved)
    else:
        if paired is None:
            paired, _ = _pair(source, rules)
        # The -1 at the ends of rows are no items.
        paired = remove_filling(paired)
        rows, relevant, users = paired.retrieved, paired.relevant, paired.users
        if source.duplicates != "raise":
            cutoffs = {measure.k or 0 for measure in parse_measures(request.of_items)}
            rows = _drop_repeats(rows, source.duplicates == "in_place", cutoffs)
        lists = RecommendedLists.of(rows, is_cut=True)
        if users is not None:
            relevant = dict(zip(users, relevant, strict=True))
    return RecommendedItems(
        lists,
        users,
        relevant,
        request.catalogue,
        request.popularity,
        request.features,
        request.categories,
        request.baseline,
        is_cut=not source.has_columns,
    )


def _drop_repeats(
    rows: Sequence[Sequence[object]], in_place: bool, cutoffs: set[int]
) -> list[list[object]]:
    """Lists that show each item once.

    A repeat in place takes a rank and shows nothing, so lists are cut before repeats go.
    """
    cutoff = None
    if in_place and len(cutoffs) == 1:
        (cutoff,) = cutoffs
    unique_rows = [drop_repeated_ids(row, cutoff, in_place) for row in rows]
    has_repeats = list(map(len, unique_rows)) != list(map(len, rows))
    if in_place and cutoff is None and has_repeats:
        raise ValueError(
            'duplicates="in_place" with measures of shown items supports one cutoff for all of '
            'them, as repeats take ranks; make a call for each cutoff, or pass duplicates="first"'
        )
    return unique_rows


def _pair(source: IdSources, rules: Convention) -> tuple[Paired, dict[str, int] | None]:
    """Retrieved and relevant ids of the same lists, and the counts of lists by user."""
    if isinstance(source.relevant, Truth):
        raise TypeError(
            "relevant is a Truth, which knows items by the number of their column; pass retrieved "
            "as arrays or lists of these ints"
        )
    relevant = read_ids(source.relevant, "relevant", True)
    if source.gains is not None:
        relevant = attach_gains(relevant, source.gains)
    retrieved = read_ids(source.retrieved, "retrieved")
    if retrieved.note is not None:
        warn(retrieved.note)
    paired = pair(retrieved, split_joined(relevant, retrieved))
    if source.documents is not None:
        paired = rank_documents(paired, source.documents, source.refuses_repeats)
    if source.exclude is not None:
        excluded = read_ids(source.exclude, "exclude", True, False)
        excluded = as_single(excluded, retrieved if retrieved.single else relevant)
        remaining = exclude_ids(paired, excluded, source.duplicates)
        warn_of_excluded_ids(paired, remaining)
        paired = remaining
    if paired.users is None:
        return paired, None
    warn_of_other_users(paired)
    counts = count_missing(
        paired.has_retrieved,
        len(paired.without_relevant),
        rules,
        paired.users,
        "retrieved has no list of {!r}, which relevant has",
    )
    if isinstance(relevant.users, UserIds) or isinstance(retrieved.users, UserIds):
        counts["users"] = counts["queries"]
    # The convention leaves out users without a list, instead of counting them as 0.
    if counts["skipped"]:
        paired = _drop_missing(paired, paired.users)
    return paired, counts


def _drop_missing(paired: Paired, users: Sequence[object]) -> Paired:
    """The lists of users with retrieved ids."""
    kept = np.flatnonzero(paired.has_retrieved).tolist()
    return paired._replace(
        retrieved=[paired.retrieved[index] for index in kept],
        relevant=[paired.relevant[index] for index in kept],
        users=[users[index] for index in kept],
    )
