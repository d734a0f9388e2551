"""Many measures of ranked ids of any kind, of one system or of several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, cast, overload

import numpy as np

from ..convention import UNSET, Convention, Unset
from ..engine.notices import named_in_warnings, warn
from ..engine.settings import with_shared_help
from ..inputs.answers import is_answer
from ..inputs.axes import is_series
from ..inputs.entries import is_pair
from ..inputs.ids import DUPLICATES, Paired, drop_filling, excluding, match, pair, unique_ids
from ..inputs.list_rows import Fields, has_list_rows, read_list_rows
from ..inputs.printable import describe
from ..inputs.rankings import holds_scores, unpack_sides
from ..inputs.relevant import (
    OutOfColumns,
    hold_ids,
    hold_rows,
    is_plain,
    read_ids,
    refuse_label_matrix,
    refuse_scores,
    split_joined,
    with_labels,
)
from ..inputs.sparse import looks_sparse
from ..inputs.tables.columns import choose_header
from ..inputs.tables.id_tables import (
    IdTable,
    as_id_table,
    is_frame,
    is_table,
    read_rank_scale,
    read_retrieved_frame,
)
from ..inputs.tables.lists import parts_by_system
from ..inputs.tables.roles import ColumnNames, require
from ..inputs.tables.source import is_table_path, open_table
from ..inputs.topk import are_columns, read_topk, rows_of_columns
from ..inputs.truth import Truth
from ..measures.all_lists import RecommendedLists
from ..measures.measure import parse_measures, rereadable, split_measures
from .catalogue import ITEM_ARGUMENTS, with_items
from .evaluation import Evaluation
from .evaluations import Evaluations, evaluate_each, refuse_same_names
from .notices import (
    warn_of_documents,
    warn_of_other_users,
    warn_of_short_rows,
    warn_of_unmatched_ids,
)
from .one_pass import (
    CallSettings,
    RankedOptions,
    count_missing,
    evaluate_lists,
    prepare_all,
    read_call,
)
from .recommended_items import RecommendedItems, read_recommended

if TYPE_CHECKING:
    from ..engine.columns import Prepared
    from ..inputs.types import ByItem, Frame, HasCSR, Path, Policy, RankedIds, RelevantIds, Weight
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
    exclude: RelevantIds | None
    weight: Weight
    convention: Rules | Unset
    threads: int | None
    bounds: Bounds
    catalogue: int | Iterable[Any] | None
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
        each row; then `retrieved` and `relevant` name these fields, where they are not called so.
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
        ranks tie. A document stands at its rank, whether or not those before it are in the frame.
        Or it has a row for each query: with a list of ids, with ids joined by blanks, or with a
        column for each place (rec_1, rec_2 and so on). A frame whose columns are 0 to n - 1 is a
        matrix. `[]` is one empty list if `relevant` is one list; for no lists give `{}` or an array
        of shape (0, k).
    relevant : lists, sets or dicts id -> label, one for each list, or a mapping query -> one
        Without labels each is 1; a label of 0 is not relevant. For integer ids also a scipy.sparse
        CSR or a Truth of shape (lists, items), whose columns are the ids. Or a frame with a row for
        each relevant id; without a column of labels each is 1. Or a frame with a row for each
        query, as of `retrieved`; ids such as N1-0 and N2-1 are those of MIND with their labels.
    query, doc, score, rank, label : names of columns, optional
        The columns of frames; `query` may be several, and queries are then tuples. By default
        columns of a usual name, such as user_id or query_id, item_id or doc_id, rank (used before
        a score), score, label or rating. `doc` may be a list of columns, one for each place.
        `query` and `doc` name columns of all frames that have them, `score` or `rank` one of
        `retrieved`, `label` one of `relevant`; label=None says that each row of `relevant` is
        relevant. A column that is left over and may be a second key of
        the query, the labels, or the systems is an error that names it.
    run : str, optional
        The column (or field) with the system of each row, of a frame with a row for each id, or of
        a table with a row for each query. run=None says that no column names systems.
    systems : bool, optional
        True: `retrieved` is a mapping name -> rankings of all lists, False: one of queries. By
        default it is one of systems if only that fits: if `relevant` has no queries, or if its
        values are no lists of ids.
    gains : sequence of arrays, optional
        The labels of `relevant`, in its shape, if it is a sequence of id arrays; by default 1.
    duplicates : "raise", "first" or "in_place"
        "raise": an id twice in a list is an error that names it. "first": the later ones are left
        out, and the ids below move up. "in_place": the later ones keep their ranks and are not
        relevant. What is relevant twice counts once under both.
    exclude : as relevant, optional
        Ids to leave out of each list, relevant or not, whatever their labels.
    catalogue, popularity, features, categories, baseline : optional
        What measures of the shown items need, such as "Coverage@10", "Novelty@10" and "ILD@10",
        which need a cutoff in their names: as in `evaluate_catalogue`. They look at the lists of
        the evaluated queries, without what is excluded; empty lists are left out of their means.
        A repeat in place takes a rank and shows nothing; they then have one cutoff in a call.

    Returns
    -------
    Evaluation, or Evaluations of several systems

    Queries are those of `relevant`, in its order. A query without retrieved ids counts 0 (`missing`
    in counts), or as the convention says; a query that `relevant` does not have is left out
    (`unjudged` in counts: queries here). A RankgainWarning shows ids of both if few queries match
    or if no retrieved id is relevant; another is given if a cutoff is beyond each of several
    lists. Ids that are not in `relevant` are unjudged. None and NaN among the ids, ids of different
    types, an id beyond the columns of `relevant` and -1 before the end of a row are errors that
    name the place.

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
    if source is None:
        source, retrieved = retrieved, None
    if measures is None or source is None:
        missing = "measures" if measures is None else "retrieved"
        second = "; the second argument is relevant" if relevant is not None else ""
        raise TypeError(f"evaluate_ids() is missing {missing}: {missing}=...{second}")
    call = read_call(options, IdOptions, "evaluate_ids", "rankgain")
    columns = {name: options.get(name) for name in ("query", "doc", "label", "score", "rank")}
    ruled_out = {"label"} if "label" in options and options["label"] is None else set()
    if run is None:
        ruled_out.add("run")
    run = None if run is UNSET else run
    requested = ColumnNames(**cast("Any", columns), ruled_out=frozenset(ruled_out))
    sources = read_sources(source, relevant, retrieved, run, systems, requested)
    duplicates = options.get("duplicates", "raise")
    if duplicates not in DUPLICATES:
        raise ValueError(f"duplicates must be one of {DUPLICATES}, not {duplicates!r}")
    gains, exclude, *known = (
        as_id_table(options.get(name), requested) for name in ("gains", "exclude", *ITEM_ARGUMENTS)
    )
    measures = rereadable(measures)
    ranked, of_items = split_measures(measures)
    if not of_items:
        for name, value in zip(ITEM_ARGUMENTS, known, strict=True):
            if value is not None:
                raise TypeError(
                    f"{name} is for measures of shown items, such as Coverage@10; none is requested"
                )
    elif not ranked and any(one is not UNSET for one in call.settings.values()):
        option = next(name for name, one in call.settings.items() if one is not UNSET)
        raise ValueError(f"{option} is for measures of ranked lists; leave it out")
    # Without a measure of ranked lists, one that is never undefined says which lists there are.
    prepared = prepare_all((ranked or "DCG@1") if of_items else measures, *call[:2])

    def evaluate_system(sides: tuple[Any, Any]) -> Evaluation:
        refuse_scores(sides[0], "retrieved")
        ids = IdSources(*unpack_sides(*sides), gains, exclude, duplicates)
        if not all(map(is_plain, ids[:4])):
            named = dict(zip(ids._fields, ids[:4], strict=False))
            ids = ids._replace(**dict(zip(named, hold_ids(**named), strict=True)))
        refuse_label_matrix(ids.relevant, "relevant")
        result, paired = _evaluate_ranked(ids, prepared, call)
        if not of_items:
            return result
        cutoffs = {one.k or 0 for one in parse_measures(of_items)}
        items = _read_items(ids, paired, call.rules, cutoffs, known)
        beside = result if ranked else None
        return with_items(result._replace, result.counts, measures, of_items, items, beside)

    if run is None and not systems and sources.keys() == {""}:
        return evaluate_system(sources[""])
    exclude, known = hold_rows(exclude), [*known[:4], hold_rows(known[4])]
    return evaluate_each(evaluate_system, sources, "run")


class IdSources(NamedTuple):
    """The ids of a call as they were given."""

    retrieved: Any
    relevant: Any
    gains: object
    exclude: Any
    duplicates: str

    @property
    def has_columns(self) -> bool:
        """Whether ids are the columns of a matrix for certain."""
        return any(isinstance(one, Truth) or looks_sparse(one) for one in (self[1], self[3]))


def _evaluate_ranked(
    source: IdSources, prepared: Prepared, call: CallSettings
) -> tuple[Evaluation, Paired | None]:
    """Evaluate measures of ranked lists; return also these, if they are matched by ids."""
    retrieved, relevant, duplicates = source.retrieved, source.relevant, source.duplicates
    rows = rows_of_columns(retrieved, relevant) if duplicates == "raise" else None
    if rows is not None:
        depth = math.inf
        # Bounds depend on judged documents below the cutoff, some ideals on all of the list.
        if call.bounds == () and all(one.ideal != "list" for _, one in prepared.measures):
            depth = max((one.k or math.inf for _, one in prepared.measures), default=math.inf)
        try:
            lists, columns, unmatched = read_topk(rows, *source[1:4], depth)
        except OutOfColumns:
            if source.has_columns:
                raise
        else:
            result = evaluate_lists(lists, prepared, call)
            if unmatched is not None and len(lists) > 1:  # one that misses says nothing
                at, retrieved_ids, relevant_ids = unmatched
                place = f"list {at} of retrieved"
                warn_of_documents(place, retrieved_ids, "relevant", relevant_ids)
            cutoffs = (one.k or 0 for one in prepared.request.measures)
            if columns is not None and max(cutoffs) > columns:
                warn_of_short_rows(result, columns)
            return result, None
    elif duplicates != "raise" and source.has_columns and are_columns(retrieved, relevant):
        raise TypeError(
            f'duplicates="{duplicates}" needs relevant ids in lists, not in the columns of a matrix'
        )
    paired, counts = _pair(source, call.rules)
    missing = ~paired.has_retrieved if counts and counts["missing"] else None
    lists, longest = match(paired, duplicates)
    result = evaluate_lists(
        lists, prepared, call, counts=counts, displayed=paired.users, missing=missing
    )
    if not len(lists.stored.indices):
        warn_of_unmatched_ids(paired)
    warn_of_short_rows(result, longest if len(lists) else None, True)
    return result, paired


def _read_items(
    source: IdSources, paired: Paired | None, rules: Convention, cutoffs: set[int], known: list[Any]
) -> RecommendedItems:
    """The items of the evaluated lists, and what is known of them."""
    relevant: Any = source.relevant
    if source.has_columns:
        if source.exclude is not None:
            raise ValueError("exclude: with measures of shown items give it and relevant as lists")
        lists, users = read_recommended(source.retrieved)
    else:
        paired = drop_filling(paired or _pair(source, rules)[0])
        rows, relevant, users = paired.retrieved, paired.relevant, paired.users
        if source.duplicates != "raise":
            # A repeat in place takes a rank and shows nothing, so lists are cut before they go.
            in_place = source.duplicates == "in_place"
            cut = min(cutoffs) if in_place and len(cutoffs) == 1 else None
            once = [unique_ids(row, cut, in_place) for row in rows]
            if in_place and cut is None and [*map(len, once)] != [*map(len, rows)]:
                raise ValueError(
                    'duplicates="in_place" with measures of shown items takes one cutoff for all '
                    'of them, as repeats take ranks; make a call for each cutoff, or take "first"'
                )
            rows = once
        lists = RecommendedLists.of(rows, is_cut=True)
        relevant = relevant if users is None else dict(zip(users, relevant, strict=True))
    return RecommendedItems(lists, users, relevant, *known, is_cut=not source.has_columns)


def _pair(source: IdSources, rules: Convention) -> tuple[Paired, dict[str, int] | None]:
    """Retrieved and relevant ids of the same lists, and the counts of lists by user."""
    if isinstance(source.relevant, Truth):
        raise TypeError(
            "relevant is a Truth, which knows items by the number of their column; give retrieved "
            "as arrays or lists of these ints"
        )
    wanted = read_ids(source.relevant, "relevant", True)
    if source.gains is not None:
        wanted = with_labels(wanted, source.gains)
    ranked = read_ids(source.retrieved, "retrieved")
    if ranked.note is not None:
        warn(ranked.note)
    wanted = split_joined(wanted, ranked)
    paired = pair(ranked, wanted)
    if source.exclude is not None:
        paired = excluding(
            paired, read_ids(source.exclude, "exclude", True, False), source.duplicates
        )
    if paired.users is None:
        return paired, None
    warn_of_other_users(paired)
    users, words = paired.users, "retrieved has no list of {!r}, which relevant has"
    counts = count_missing(paired.has_retrieved, len(paired.without_relevant), rules, users, words)
    if counts["skipped"]:
        at = np.flatnonzero(paired.has_retrieved).tolist()
        sides = paired.retrieved, paired.relevant, users
        retrieved, relevant, users = ([side[i] for i in at] for side in sides)
        paired = paired._replace(retrieved=retrieved, relevant=relevant, users=users)
    return paired, counts


def read_sources(
    ids: object,
    relevant: object,
    retrieved: object,
    run: str | None,
    systems: bool | None,
    requested: ColumnNames,
) -> dict[str, tuple[Any, Any]]:
    """Retrieved and relevant ids by system; of a call without names of systems, by ""."""
    is_named = retrieved is not None
    names_column = relevant is None or (isinstance(relevant, str) and not is_table_path(relevant))
    is_table_of_lists = names_column and has_list_rows(ids)
    if is_named or is_table_of_lists:
        if is_named and not isinstance(retrieved, str):
            raise TypeError("retrieved is given twice: first without its name, then by it")
        if not is_table_of_lists:
            raise TypeError(
                f"retrieved={describe(retrieved)} names a field of a table with lists of ids, but "
                "the "
                f"first argument is {describe(ids)}, and relevant {describe(relevant)}"
            )
        if systems:
            raise TypeError(
                f"systems=True needs a mapping name -> rankings, not {describe(ids)}; run= names "
                "the column of the systems"
            )
        column = retrieved if isinstance(retrieved, str) else "retrieved"
        query = requested.query
        if not isinstance(query, (str, type(None))):
            raise TypeError(
                f"query must name one field of a table with lists of ids, not {query!r}"
            )
        fields = Fields(
            column, str(relevant or "relevant"), run, query, cast("Any", requested.score)
        )
        return read_list_rows(ids, fields)
    if relevant is None:
        raise TypeError("evaluate_ids() is missing relevant: relevant=...")
    if not (is_table(ids) or is_table(relevant)):
        _refuse_columns(requested)
    relevant = as_id_table(relevant, requested)
    if run is not None:
        if not is_table(ids):
            raise TypeError(
                f"run={describe(run)} names a column of a frame with a row for each retrieved id, "
                "which "
                f"{describe(ids)} is not; for several systems give a mapping name -> rankings"
            )
        opened, origin = open_table(ids)
        header = choose_header(opened)
        require(header, run, "run", origin)
        columns = [one for one in header if one != run]
        scale = read_rank_scale(opened, requested, origin)
        retrieved_by: dict[Any, Any] = {}
        for name, part in parts_by_system(opened, run, columns, origin).items():
            of_system = IdTable(part, requested._replace(run=run))
            users, lists, note = read_retrieved_frame(of_system, "retrieved", scale)
            if note is not None:
                with named_in_warnings("run", name):
                    warn(note)
            retrieved_by[name] = dict(zip(users, lists, strict=True))
    elif are_systems(ids, relevant, systems):
        retrieved_by = {
            name: as_id_table(ranked, requested)
            for name, ranked in cast("Mapping[Any, Any]", ids).items()
        }
        refuse_same_names(retrieved_by, "systems")
        if not retrieved_by:
            raise ValueError("there are no systems; give a mapping name -> rankings")
    else:
        return {"": (as_id_table(ids, requested), relevant)}
    shared = hold_rows(relevant)
    return {str(name): (one, shared) for name, one in retrieved_by.items()}


def _refuse_columns(requested: ColumnNames) -> None:
    """Refuse names of columns if no argument is a table."""
    for name in ("query", "doc", "label", "score", "rank"):
        value = getattr(requested, name)
        if value is not None:
            raise TypeError(
                f"{name}={value!r} names a column of a frame with a row for each id, but neither "
                "retrieved nor relevant is one"
            )


def are_systems(retrieved: object, relevant: object, systems: bool | None) -> bool:
    """Whether rankings are those of systems: as `systems` says, else where only this fits."""
    if not isinstance(retrieved, Mapping):
        if systems:
            raise TypeError(
                f"systems=True needs a mapping name -> rankings, not {describe(retrieved)}"
            )
        return False
    if systems is not None or not retrieved:
        return bool(systems)
    if is_answer(retrieved) or isinstance(retrieved.get("responses"), list):
        return False
    values = list(retrieved.values())
    first = next((one for one in values if not isinstance(one, Mapping) or one), values[0])
    if isinstance(first, (Number, np.number)):  # one ranking by scores
        return False
    if not (isinstance(relevant, Mapping) or is_frame(relevant) or is_series(relevant)):
        return not _is_flat(first) or _is_flat(relevant)
    is_matrix = isinstance(first, np.ndarray) and first.ndim > 1
    is_nested = isinstance(first, (list, tuple)) and first and isinstance(first[0], (list, set))
    # (1, 0.5) is an id with its score, [1, 2] a ranking of two ids.
    if is_nested and is_pair(first[0]) and type(first[0][0]) is not type(first[0][1]):
        is_nested = False
    is_systems = is_matrix or is_nested
    if holds_scores(first):
        return False
    return bool(is_systems or isinstance(first, Mapping) or is_frame(first) or looks_sparse(first))


def _is_flat(value: object) -> bool:
    """Whether a value is one list of ids."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind != "O"
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return not isinstance(value[0], (list, tuple, set, frozenset, Mapping, np.ndarray))
