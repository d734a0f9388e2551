"""explain: one list's nDCG, AP, RR or ERR, rank by rank."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.parts import without_parts
from ..engine.settings import with_shared_help
from ..inputs.copies import ORDERED, demote_copies, find_counting, tied_copies
from ..inputs.truth import Truth, read_lists
from ..measures.measure import Measure, parse_measure
from ..trec.by_query import Run
from ..trec.join import drop_own_documents, read_pair
from ..trec.rows import find_form, places_of_ranks
from .explain_parts import explain_parts
from .explanation import Contributions, Explanation
from .ranks import ExplainRequest, OneList, explain_lists

if TYPE_CHECKING:
    from typing import Unpack

    from ..inputs.types import (
        Array,
        Floats,
        Group,
        Ignored,
        Integers,
        Judged,
        Labels,
        Records,
        Scores,
    )
    from ..measures.measure import Measure
    from ..measures.types import Cutoff, Discount, ExplainArguments, Gain, Rules, Ties


__all__ = ["Explanation", "explain"]

EXPLAINED = ("nDCG", "AP", "RR", "ERR")
BY_ID = ("id", "id_descending")  # ties
MOST_ABSENT = 10_000  # documents that are shown as missing between ranks
QUERIES_PER_CALL = 128  # queries that are evaluated in one call


@overload
def explain(
    y_true: Labels | Records,
    y_score: Scores | Records | None = ...,
    measure: Literal["nDCG"] = ...,
    **arguments: Unpack[ExplainArguments],
) -> Explanation: ...
@overload
def explain(
    y_true: Labels | Records,
    y_score: Scores | Records | None = ...,
    *,
    measure: Literal["AP", "RR", "ERR"],
    **arguments: Unpack[ExplainArguments],
) -> Contributions: ...
@overload
def explain(
    y_true: Labels | Records,
    y_score: Scores | Records | None = ...,
    measure: str | Measure = ...,
    **arguments: Unpack[ExplainArguments],
) -> Explanation | Contributions: ...
@with_shared_help("rankgain")
def explain(
    y_true: object,
    y_score: object = None,
    measure: str | Measure = "nDCG",
    *,
    query: object = None,
    qid: Group = None,
    k: Cutoff | Unset = UNSET,
    gain: Gain | Unset = UNSET,
    discount: Discount | Unset = UNSET,
    ties: Ties | Unset = UNSET,
    judged: Judged | None = None,
    ignore: Ignored = None,
    convention: Rules | Unset = UNSET,
) -> Explanation | Contributions:
    """Show how one list's value is computed, rank by rank; for nDCG beside the ideal ranking.

    Parameters
    ----------
    y_true : array of shape (documents,), or qrels
        Labels of one list, or with `qid` of several; with `query` alone, the judgments as
        `rankgain.evaluate` takes them.
    y_score : array of shape (documents,), optional, or a run
        Scores; without them the input order is the ranking. With `query` alone, the run.
    query : id, optional
        The query to explain: of qrels and a run, where the result has the document ids, or of
        `qid`, where its documents are rows of y_true. ties="random" draws it as a list by itself.
    measure : str or Measure
        "nDCG", "AP", "RR" or "ERR", also with a cutoff: "AP@100", "nDCG@10". Of qrels with parts
        also their measures, such as "alpha_nDCG@10": the table shows which parts each rank adds.
    k : int or None
        Cutoff, if the measure's name has none.
    convention : str or Convention
        "rankgain", or "trec" of qrels and a run.

    Returns
    -------
    Explanation; for AP, RR and ERR Contributions
        Print it for the table; `rows()`, `to_dict()` and the attributes have the numbers.

    Examples
    --------
    >>> import rankgain as rg
    >>> explanation = rg.explain([0, 3, 1], [0.2, 0.9, 0.2], k=2)
    >>> print(str(explanation).splitlines()[0])  # the table follows
    nDCG@2 0.9131 = DCG@2 3.3155 / IDCG@2 3.6309
    >>> explanation.ranking.term.round(4).tolist(), explanation.ideal.term.round(4).tolist()
    ([3.0, 0.3155, 0.0], [3.0, 0.6309])
    >>> explanation.tied
    ((2, 3),)
    >>> rg.explain([1, 0, 1], [0.9, 0.2, 0.1], qid=[6, 7, 7], query=7).ranking.document.tolist()
    [1, 2]
    >>> print(rg.explain({"q": {"a": 1, "b": 0}}, {"q": ["b", "x", "a"]}, query="q", measure="RR"))
    RR 0.3333
    ties id_descending, convention trec
    <BLANKLINE>
    rank  document  label    term      RR
       1  b             0  0.0000  0.0000
       2  x             -  0.0000  0.0000
       3  a             1  0.3333  0.3333
    <BLANKLINE>
    label -: unjudged, counted as 0
    """
    parsed = parse_measure(measure)
    family = parsed.definition
    has_parts = family.row.reads != "labels"
    if parsed.family not in EXPLAINED and not has_parts:
        explained = ", ".join(EXPLAINED)
        raise ValueError(
            f"measure {str(parsed)!r} has no explanation; there is one of {explained} and "
            "measures of subtopics"
        )
    if parsed.k is not None:
        if k is not UNSET:
            raise TypeError(f"k={k!r}: measure {str(parsed)!r} has its cutoff already; leave k out")
        k = parsed.k
    of_arrays = query is None or qid is not None or isinstance(y_true, Truth)
    if has_parts and of_arrays:
        raise without_parts(family)
    if convention is UNSET:
        convention = "rankgain" if of_arrays else "trec"
    rules = get_convention(convention)
    options = {"gain": gain, "discount": discount, "ties": ties}
    request = make_request(parsed, k, options, rules)
    if of_arrays:
        beside = {"qid": qid, "judged": judged, "ignore": ignore}
        return explain_arrays(y_true, y_score, query, request, beside)
    if ignore is not None:
        raise TypeError("ignore belongs to arrays: judgments and runs have no padding")
    if judged is not None:
        raise TypeError("judged belongs to arrays: the qrels say what is judged")
    rows = y_true if isinstance(y_true, (list, tuple, np.ndarray)) else ()
    if len(rows) and isinstance(rows[0], Real):
        raise TypeError("query= of arrays needs qid=, the query of each row")
    judgments, results = read_pair(y_true, y_score)
    if query not in judgments:
        sample = ", ".join(map(repr, judgments.queries[:3])) or "none"
        if len(judgments) > 3:
            sample += ", ..."
        raise ValueError(f"query {query!r} has no judgments; judged queries: {sample}")
    if not has_parts:
        (result,) = explain_ids(judgments, results, [query], request, in_ranks=False)
        return result
    # The ranking, from an explanation of any measure with the same cutoff and tie rule; then what
    # each of its ranks adds.
    ranking_options: dict[str, object] = {"ties": request.settings.ties}
    for name in ("k", "ties"):
        if name in request.options:
            ranking_options[name] = request.options[name]
    ranking = ExplainRequest("RR", ranking_options, request.rules)
    (ranked,) = explain_ids(judgments, results, [query], ranking, in_ranks=False)
    assert isinstance(ranked, Contributions)  # only nDCG has another form
    return explain_parts(judgments, str(query), ranked, request)


def make_request(
    measure: Measure, k: object, options: Mapping[str, Any], rules: Convention
) -> ExplainRequest:
    """What is explained: arguments in the measure's name override the options."""
    params = dict(measure.params)
    changes: dict[str, object] = {}
    if "judged_only" in params:
        judged_only = params.pop("judged_only")
        changes["unjudged"] = "drop" if judged_only else "keep"
    if "min_label" in params:
        changes["min_label"] = params.pop("min_label")
    if changes:
        rules = rules.replace(name=rules.name, **changes)
    options = {**options, "k": k}
    passed = {name: value for name, value in options.items() if value is not UNSET}
    return ExplainRequest(measure.family, passed | params, rules)


def explain_arrays(
    y_true: Any, y_score: Any, query: object, request: ExplainRequest, beside: dict[str, Any]
) -> Explanation | Contributions:
    """Explain a single list, or one of several, whose documents are rows of all arrays.

    beside: qid, judged and ignore.
    """
    qid = beside["qid"]
    for name, array in (("y_true", y_true), ("y_score", y_score)):
        if isinstance(array, (str, os.PathLike, Mapping)) or find_form(array) == "frame":
            raise TypeError(
                f"{name} is a {type(array).__name__}, not the array of one list; of qrels and a "
                "run, give query=, the query that is explained"
            )
    has_several = isinstance(y_true, Truth) and not y_true.layout.single
    if query is None and (qid is not None or has_several):
        raise TypeError("of several lists, give query=, the one that is explained")
    lists = read_lists(y_true, y_score, **beside)
    layout = lists.layout
    index = 0
    if query is not None:
        if layout.queries is None:
            names = list(range(len(lists)))
        else:
            names = list(layout.queries)
        if query not in names:
            sample = ", ".join(map(str, names[:3]))
            if len(names) > 3:
                sample += ", ..."
            raise ValueError(f"no list has the id {query!r} (query=); the ids are {sample}")
        index = names.index(query)
    k = request.options.get("k")
    if (query is None and not layout.single) or isinstance(k, (list, tuple, np.ndarray)):
        raise ValueError("explain takes one list (1-D y_true and y_score) and one cutoff k")
    explained_list = OneList.of(lists, index)
    (result,) = explain_lists([explained_list], request, warns=True)
    rows = np.arange(int(layout.starts[index]), int(layout.stops[index]))
    # From positions in the list to rows of y_true: ignored documents were removed, and documents of
    # a list that are not adjacent were brought together.
    if layout.queries is None:  # positions in the list, or in the row of a matrix
        if lists.kept is None:
            return result
        rows = lists.kept[rows]
    elif layout.order is not None:
        rows = layout.order[rows]
    if isinstance(result, Contributions):
        return replace(result, document=rows[result.document])
    ranking = replace(result.ranking, document=rows[result.ranking.document])
    ideal = result.ideal
    if explained_list.judged is None and request.rules.ideal != "ones":
        ideal = replace(ideal, document=rows[ideal.document])
    return replace(result, ranking=ranking, ideal=ideal)


Judgments: TypeAlias = Mapping[Any, Mapping[str, float]]


def explain_queries(
    qrels: Judgments,
    run: Run,
    queries: Sequence[Any],
    convention: Convention,
    measure: str | Measure = "nDCG",
    options: Mapping[str, Any] | None = None,
) -> Iterator[Explanation | Contributions]:
    """The result of `rankgain.explain` for each query, perhaps without positions and tied blocks.

    options: arguments of the measure (gain, rel, ties, ...), of which others are left out; they
    override the convention, and arguments in the measure's name override them.
    """
    parsed = parse_measure(measure)
    k = UNSET if parsed.k is None else parsed.k
    allowed = parsed.definition.params
    passed = {name: value for name, value in (options or {}).items() if name in allowed}
    request = make_request(parsed, k, passed, convention)
    return explain_ids(qrels, run, queries, request, in_ranks=True)


def explain_ids(
    qrels: Judgments, run: Run, queries: Sequence[Any], request: ExplainRequest, *, in_ranks: bool
) -> Iterator[Explanation | Contributions]:
    """Explain queries with the ids of their documents; many are evaluated in one call.

    in_ranks: positions of documents may be ranks, without blocks of ties, which is faster.
    """
    rules, settings = request.rules, request.settings
    run = drop_own_documents(rules, run)
    by_rules = rules.for_family("ties", settings.family.function, cut=settings.k is not None)
    ties = request.options.get("ties", by_rules)
    options = dict(request.options, ties=ties)
    if ties in BY_ID:
        options["ties"] = "stable"  # the documents are put in the order of their ids
    # A run holds its documents in this order, so that none below the cutoff need be read.
    in_ranks &= ties == "id_descending" and settings.score_dtype != "float32"
    in_ranks &= (settings.ideal, rules.unjudged) == ("judged", "keep")
    gaps = None  # the places of all rows, if ranks are missing between them
    if rules.unjudged != "drop":
        gaps = places_of_ranks(run._arrays)
    in_ranks &= gaps is None
    # If negative labels have gain 0, a negative label means that the document is not judged.
    threshold = 0.0 if rules.for_family("negative", "ndcg") == "zero" else -np.inf
    step = 1 if ties == "random" else QUERIES_PER_CALL
    for first in range(0, len(queries), step):
        read = []
        lists = []
        for query in queries[first : first + step]:
            judged = qrels[query]
            scores = None
            documents: list[str] = []
            if in_ranks:
                if query in run:
                    k = settings.k
                    if min(judged.values(), default=0.0) < 0:
                        k = None  # documents with negative labels may leave the ranking
                    documents = make_unique(run._first(query, k), judged)
            else:  # in the order of ids, or of the input
                if query in run:
                    documents = run.documents(query)
                order = order_documents(documents, run, query, ties)
                numbers = run._numbers(query) if documents else []
                scores = np.array(numbers, np.float64)[order]
                documents = [documents[row] for row in order]
                if run._has_repeats:
                    single = settings.score_dtype == "float32"
                    documents, scores = place_repeats(documents, scores, judged, ties, single)
                if rules.unjudged == "drop":
                    labels_of_run = [judged.get(document_of(name), np.nan) for name in documents]
                    is_judged = np.array(labels_of_run, np.float64) >= threshold
                    scores = scores[is_judged]
                    documents = list(itertools.compress(documents, is_judged))
                if gaps is not None and documents:
                    absent, scores = fill_gaps(run, gaps, query, settings.k, order)
                    documents += absent
            labels = np.array([judged.get(document, 0.0) for document in documents], np.float64)
            pool = np.array([*judged.values()], np.float64)
            lists.append(OneList(labels, scores, pool))
            ideal_documents = [*judged]
            if rules.ideal == "list":
                ideal_documents = documents
            read.append((judged, documents, ideal_documents))
        explained = explain_lists(lists, request._replace(options=options))
        for (judged, documents, ideal_documents), result in zip(read, explained, strict=True):
            side = result.ranking if isinstance(result, Explanation) else result
            ranked = [document_of(documents[position]) for position in side.document.tolist()]
            unjudged_ranks = [rank for rank, name in enumerate(ranked, 1) if name not in judged]
            explanation = replace(
                result,
                settings=result.settings | {"ties": str(ties)},
                documents=tuple(ranked),
                unjudged=tuple(unjudged_ranks),
            )
            if isinstance(explanation, Explanation):
                # Position -1, a document of an ideal of ones, has no name.
                names = [*map(document_of, ideal_documents), ""]
                positions = explanation.ideal.document.tolist()
                explanation = replace(
                    explanation, ideal_documents=tuple(names[at] for at in positions)
                )
            yield explanation


def fill_gaps(
    run: Run, places: Integers, query: object, k: int | None, order: list[int]
) -> tuple[list[str], Floats]:
    """Names for the documents of a query that are missing between its ranks, and all scores.

    places: of the rows of the run; k: the cutoff; order: of the documents of the query. The scores
    are those of the documents in this order, then those of the missing ones.
    """
    index = run._index[str(query)]
    rows = slice(int(run._arrays.lists[index]), int(run._arrays.lists[index + 1]))
    values = run._arrays.values[rows]
    query_places = places[rows]
    # The score of a document is -1 minus the first place of its tie block.
    starts_block = np.append(True, values[1:] != values[:-1])
    first_places = query_places[np.flatnonzero(starts_block)][np.cumsum(starts_block) - 1]
    length = int(query_places[-1]) + 1
    end = length
    if k is not None:
        end = min(length, k)
    if end - len(query_places) > MOST_ABSENT:
        raise ValueError(
            f"run: query {query!r} has {len(query_places)} documents and ranks up to {length}, "
            "too many to show; give a cutoff k="
        )
    absent = np.setdiff1d(np.arange(end), query_places)
    names: list[str] = []
    for place in absent.tolist():
        name = Repeat(f"\0{place}")
        name.document = "(not in the run)"
        names.append(name)
    return names, -1.0 - np.concatenate([first_places[order], absent]).astype(np.float64)


class Repeat(str):
    """The place in a list of a document that is in it already, as a name that no document has."""

    __slots__ = ("document",)
    document: str


def document_of(name: str) -> str:
    """The document of a name in a list, which may be that of a repeat."""
    if isinstance(name, Repeat):
        return name.document
    return name


def place_repeats(
    documents: list[str],
    scores: Array,
    judged: Mapping[str, float],
    rule: object,
    single: bool,
) -> tuple[list[str], Array]:
    """Rows of a list with names of their own for copies that do not count, as `evaluate` ranks.

    single: scores compare as float32. The scores are replaced by others of the same order if copies
    of a relevant document tie under a rule that leaves them tied.
    """
    # Documents as numbers: equal names have equal codes.
    _, codes = np.unique(np.array(documents, object), return_inverse=True)
    values = scores
    if single:
        values = scores.astype(np.float32)
    key = np.arange(len(scores))
    if rule == "reverse":
        key = -key
    counting = find_counting(values, codes, key)
    if rule not in ORDERED:
        relevant = np.array([judged.get(document, 0.0) != 0 for document in documents], bool)
        movable = relevant & tied_copies(values, codes, counting)
        scores = demote_copies(values, movable)
    ranked = np.argsort(~counting, kind="stable")  # the copies that count come first
    names = make_unique([documents[row] for row in ranked.tolist()], judged)
    result = np.empty(len(documents), object)
    result[ranked] = names
    return result.tolist(), scores


def make_unique(documents: list[str], taken: Iterable[str]) -> list[str]:
    """The names of documents, each once: a later row gets one that is not among the others."""
    first = set(documents)
    if len(first) == len(documents):
        return documents
    names: list[str] = []
    used_names = first.union(taken)
    for name in documents:
        unique_name = name
        if name in first:
            first.remove(name)
        else:
            while unique_name in used_names:
                unique_name = Repeat(f"{unique_name}\0")
                unique_name.document = name
            used_names.add(unique_name)
        names.append(unique_name)
    return names


def order_documents(documents: list[str], run: Run, query: object, rule: object) -> list[int]:
    """The rows of a list in an order for a tie rule without ids; of ids, for "stable"."""
    if rule in BY_ID:
        # As trec_eval and C's strcmp, by bytes; by characters the order is another one for those
        # that are stored as surrogates of bytes that are not UTF-8.
        in_bytes = [name.encode("utf-8", "surrogateescape") for name in documents]
        rows = sorted(range(len(documents)), key=in_bytes.__getitem__, reverse=True)
        if rule == "id":
            rows.reverse()
        return rows
    if run._places is None or query not in run:
        return list(range(len(documents)))
    index = run._index[str(query)]
    places = run._places[run._arrays.lists[index] : run._arrays.lists[index + 1]]
    order: list[int] = np.argsort(places, kind="stable").tolist()
    return order
