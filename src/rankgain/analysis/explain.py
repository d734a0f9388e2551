"""explain: one list's nDCG, AP, RR or ERR, rank by rank.

All numbers come from the public measures: running sums are DCG and IDCG at each rank, and the gain
of a document is the CG of a list with this document alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.columns import measure_arrays
from ..engine.plan import discount_weights
from ..engine.settings import Family, Settings, document, resolve
from ..inputs.read import read_lists
from ..inputs.truth import Truth
from ..measures import functions as metrics
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure, parse_measure
from ..trec.by_query import Run
from ..trec.join import as_seen, read_pair
from ..trec.rows import find_form
from .explanation import Contributions, Explanation, Steps
from .one_list import OneList, map_gains, moving, one_list

if TYPE_CHECKING:
    from typing import Unpack

    from ..inputs.types import Floats, Group, Integers, Judged, Labels, Records, Scores
    from ..measures.measure import Measure
    from ..measures.types import Cutoff, Discount, ExplainArguments, Gain, Rules, Ties


__all__ = ["Explanation", "explain"]

EXPLAINED = ("nDCG", "AP", "RR", "ERR")


@overload
def explain(
    y_true: Labels | Records,
    y_score: Scores | Records | None = ...,
    *,
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
    *,
    measure: str | Measure,
    **arguments: Unpack[ExplainArguments],
) -> Explanation | Contributions: ...
@document("rankgain")
def explain(
    y_true: object,
    y_score: object = None,
    *,
    query: object = None,
    qid: Group = None,
    measure: str | Measure = "nDCG",
    k: Cutoff | Unset = UNSET,
    gain: Gain | Unset = UNSET,
    discount: Discount | Unset = UNSET,
    ties: Ties | Unset = UNSET,
    judged: Judged | None = None,
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
        `qid`, where its documents are rows of y_true.
    measure : str or Measure
        "nDCG", "AP", "RR" or "ERR", also with a cutoff: "AP@100", "nDCG@10".
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
    a label - is of a document without a judgment, counted 0
    """
    parsed = parse_measure(measure)
    if parsed.family not in EXPLAINED:
        known = ", ".join(EXPLAINED)
        raise ValueError(f"measure {str(parsed)!r} has no explanation; there is one of {known}")
    if parsed.k is not None:
        if k is not UNSET:
            raise TypeError(f"k={k!r}: measure {str(parsed)!r} has its cutoff already; leave k out")
        k = parsed.k
    of_arrays = query is None or qid is not None or isinstance(y_true, Truth)
    default = "rankgain" if of_arrays else "trec"
    rules = get_convention(default if convention is UNSET else convention)
    rules, params = in_name(parsed, rules)
    arguments = {"gain": gain, "discount": discount, "ties": ties, **params}
    options = {name: value for name, value in arguments.items() if value is not UNSET}
    if not of_arrays:
        if judged is not None:
            raise TypeError("judged belongs to arrays: the qrels say what is judged")
        rows = y_true if isinstance(y_true, (list, tuple, np.ndarray)) else ()
        if len(rows) and isinstance(rows[0], Real):
            raise TypeError("query= of arrays needs qid=, the query of each row")
        return explain_query(y_true, y_score, query, parsed.family, k, options, rules)
    for name, one in (("y_true", y_true), ("y_score", y_score)):
        if isinstance(one, (str, os.PathLike, Mapping)) or find_form(one) == "frame":
            raise TypeError(
                f"{name} is a {type(one).__name__}, not the array of one list; of qrels and a run, "
                "give query=, the query that is explained"
            )
    if query is not None:
        words = parsed.family, k, options, rules
        return explain_group(y_true, y_score, qid, query, judged, words)
    if qid is not None or (isinstance(y_true, Truth) and not y_true.layout.single):
        raise TypeError("of several lists, give query=, the one that is explained")
    if isinstance(y_true, Truth):
        y_true.refuse_again(judged=judged)
        judged = y_true.judged_labels and y_true.judged_labels[0]
        y_true = y_true.labels
    return explain_list(y_true, y_score, parsed.family, k, options, judged, rules)


def in_name(measure: Measure, rules: Convention) -> tuple[Convention, dict[str, Any]]:
    """The convention with the changes in a measure's name, and the other arguments in the name."""
    params = dict(measure.params)
    changes: dict[str, Any] = {}
    if "judged_only" in params:
        changes["unjudged"] = "drop" if params.pop("judged_only") else "keep"
    if "min_label" in params:
        changes["min_label"] = params.pop("min_label")
    return rules.replace(name=rules.name, **changes) if changes else rules, params


def explain_list(
    y_true: object,
    y_score: object,
    name: str,
    k: object,
    options: dict[str, Any],
    judged: object,
    rules: Convention,
) -> Explanation | Contributions:
    """Explain one list; options: arguments of the measure, which override the convention."""
    family = FAMILIES[name.lower()]
    unexpected = [one for one in options if one not in family.params]
    if unexpected:
        raise TypeError(f"{unexpected[0]} is not taken by {name}; leave it out")
    parts = {**options, "judged": judged}
    cutoff = {} if k is UNSET else {"k": k}
    function = partial(_compute_value, family)
    value = function(y_true, y_score, **cutoff, convention=rules, **parts)
    if not isinstance(value, float):
        raise ValueError("explain takes one list (1-D y_true and y_score) and one cutoff k")
    settings = resolve(family.function, {**cutoff, **options}, rules)
    # result_dtype and round apply to the value above, not to the sums in the table.
    exact = rules.replace(result_dtype="float64", round=None)
    labels = np.asarray(y_true, dtype=np.float64)
    one = OneList(labels, y_score, settings, {**parts, "convention": exact})
    names = ("gain", "discount", "ties") if name == "nDCG" else ("ties",)
    words = {field: _words(getattr(settings, field)) for field in names}
    words |= {"convention": rules.name}
    if name != "nDCG":
        return _contributions(one, function, name, value, words)
    pair: tuple[Callable[..., Any], ...] = (metrics.dcg, metrics.idcg)
    dcg, idcg = (each(y_true, y_score, **cutoff, convention=rules, **parts) for each in pair)
    ranking, tied = one.ranking()
    return Explanation(value, dcg, idcg, settings.k, ranking, one.ideal(), tied, words)


def _compute_value(family: Family, y_true: Any, y_score: Any, **options: object) -> float | Floats:
    """A measure with the arguments of its name too, such as rank= of RR."""
    allowed = frozenset({*metrics.list_arguments(family), *family.params})
    return measure_arrays(family, allowed, y_true, y_score, options)


def _contributions(
    one: OneList, function: Callable[..., Any], name: str, value: float, words: dict[str, str]
) -> Contributions:
    """The terms of AP, RR or ERR: the differences of the values at successive cutoffs."""
    k, depth = one.settings.k, one.depth
    order, tied = one.ranked(one.labels)
    # With the divisor R at every rank the terms have the right ratios; they are scaled below.
    fixed = {"divisor": "relevant"} if name == "AP" else {}
    moves = moving(one.labels[order] if one.settings.rel > 0 else np.ones(len(order)), tied)
    running = one.running(function, depth, moves, **fixed)
    last = running[-1] if depth else 0.0
    running = running * (value / last) if last > 0 and np.isfinite(value) else np.zeros(depth)
    document = order[:depth]
    return Contributions(
        name if k is None else f"{name}@{k}",
        value,
        document,
        one.labels[document],
        np.diff(running, prepend=0.0),
        running,
        tied,
        words,
    )


def explain_group(
    y_true: Any, y_score: Any, qid: Group, query: object, judged: Any, words: tuple[Any, ...]
) -> Explanation | Contributions:
    """Explain one list of several; its documents are rows of all arrays."""
    lists = read_lists(y_true, y_score, qid=qid, judged=judged)
    names = range(len(lists)) if lists.layout.queries is None else list(lists.layout.queries)
    if query not in names:
        some = ", ".join(map(str, names[:3])) + ", ..." * (len(names) > 3)
        raise ValueError(f"query {query!r} is no id of a list; there are {some}")
    at = list(names).index(query)
    labels, scores, pool = one_list(lists, at)
    name, k, options, rules = words
    result = explain_list(labels, scores, name, k, options, pool, rules)
    if lists.layout.queries is None:  # rows of a matrix: positions in the row stay
        return result
    rows = np.arange(int(lists.layout.starts[at]), int(lists.layout.stops[at]))
    if lists.layout.order is not None:
        rows = lists.layout.order[rows]
    if isinstance(result, Contributions):
        return replace(result, document=rows[result.document])
    ranking, ideal = replace(result.ranking, document=rows[result.ranking.document]), result.ideal
    if pool is None and rules.ideal != "ones":
        ideal = replace(ideal, document=rows[ideal.document])
    return replace(result, ranking=ranking, ideal=ideal)


def explain_query(
    qrels: object,
    run: object,
    query: Any,
    name: str,
    k: object,
    options: dict[str, Any],
    rules: Convention,
) -> Explanation | Contributions:
    """Explain one query of qrels and a run, with the ids of its documents."""
    judgments, results = read_pair(qrels, run)
    results = as_seen(rules, results)
    if query not in judgments:
        some = ", ".join(map(repr, judgments.queries[:3])) + ", ..." * (len(judgments) > 3)
        raise ValueError(f"query {query!r} has no judgments; there are {some}")
    judged, names_of_rows = judgments[query], results.documents(query) if query in results else []
    rows = tell_apart(names_of_rows, judged)
    scores = dict(zip(rows, results._numbers(query) if rows else (), strict=True))
    cut = k is not UNSET and k is not None
    ties = options.get("ties", rules.for_family("ties", FAMILIES[name.lower()].function, cut=cut))
    order, rule = order_documents(names_of_rows, results, query, ties)
    documents = drop_unjudged([rows[at] for at in order], judged, rules)
    # The judged documents come first, so positions in the ideal are positions in this list.
    names = [*judged, *(one for one in documents if one not in judged)]
    explained = explain_list(
        [judged.get(one, 0.0) for one in documents],
        [scores[one] for one in documents],
        name,
        k,
        {**options, "ties": rule},
        [judged.get(one, 0.0) for one in names],
        rules,
    )
    side = explained.ranking if isinstance(explained, Explanation) else explained
    ids = [documents[at] for at in side.document.tolist()]
    name_of = dict(zip(rows, names_of_rows, strict=True))
    explained = replace(
        explained,
        settings=explained.settings | {"ties": ties},
        documents=tuple(map(name_of.__getitem__, ids)),
        unjudged=tuple(rank for rank, one in enumerate(ids, 1) if one not in judged),
    )
    if isinstance(explained, Contributions):
        return explained
    pool = documents if rules.ideal == "list" else names
    best = [pool[at] if at >= 0 else "" for at in explained.ideal.document.tolist()]
    return replace(explained, ideal_documents=tuple(name_of.get(one, one) for one in best))


def drop_unjudged(
    documents: list[str], judged: Mapping[str, float], rules: Convention
) -> list[str]:
    """The documents of a list, without those that a convention drops as unjudged."""
    if rules.unjudged != "drop":
        return documents
    # If negative labels have gain 0, a negative label means that the document is not judged.
    least = 0.0 if rules.for_family("negative", "ndcg") == "zero" else -np.inf
    return [one for one in documents if one in judged and judged[one] >= least]


class Repeat(str):
    """The place in a list of a document that is in it already, as a name that no document has."""

    __slots__ = ()


def tell_apart(documents: list[str], others: Iterable[str]) -> list[str]:
    """The names of documents, each once: a later row gets one that is not among the others."""
    first = set(documents)
    if len(first) == len(documents):
        return documents
    names, known = [], first.union(others)
    for name in documents:
        if name in first:
            first.remove(name)
        else:
            while name in known:
                name = Repeat(f"{name}\0")
            known.add(name)
        names.append(name)
    return names


def order_documents(
    documents: list[str], run: Run, query: object, rule: object
) -> tuple[list[int], object]:
    """The rows of a list in an order for which a tie rule without ids can be used; that rule."""
    if rule in ("id", "id_descending"):
        in_bytes = [name.encode("utf-8", "surrogateescape") for name in documents]
        rows = sorted(range(len(documents)), key=in_bytes.__getitem__, reverse=True)
        return rows if rule == "id_descending" else rows[::-1], "stable"
    if run._places is None or query not in run:
        return list(range(len(documents))), rule
    i = run._index[str(query)]
    places = run._places[run._arrays.lists[i] : run._arrays.lists[i + 1]]
    return np.argsort(places, kind="stable").tolist(), rule


def _words(value: Any) -> str:
    """Return a gain or discount as text: a function by its name, a long table shortened."""
    if isinstance(value, str):
        return value
    if callable(value):
        return getattr(value, "__name__", "callable")
    text = repr(dict(value) if hasattr(value, "items") else list(np.asarray(value).tolist()))
    return text if len(text) <= 40 else text[:37] + "..."


Judgments: TypeAlias = Mapping[Any, Mapping[str, float]]


def explain_queries(
    qrels: Judgments,
    run: Run,
    queries: Sequence[Any],
    convention: Convention,
    measure: str | Measure = "nDCG",
    options: Mapping[str, Any] | None = None,
) -> Iterator[Explanation | Contributions]:
    """The result of `rankgain.explain` for each query, which may have no settings.

    nDCG in the order of the run's ranks is computed for all queries at once. options: arguments of
    the measure (gain, rel, ties, ...); they override the convention, and arguments in the measure's
    name override them.
    """
    parsed = parse_measure(measure)
    family = FAMILIES[parsed.family.lower()]
    rules, params = in_name(parsed, convention)
    arguments = {name: one for name, one in (options or {}).items() if name in family.params}
    k = UNSET if parsed.k is None else parsed.k
    arguments |= params
    settings = resolve(family.function, {"k": k, **arguments}, rules)
    ties = arguments.get(
        "ties", rules.for_family("ties", family.function, cut=settings.k is not None)
    )
    if (
        parsed.family == "nDCG"
        and (ties, settings.ideal, rules.unjudged) == ("id_descending", "judged", "keep")
        and settings.score_dtype != "float32"  # in which more scores may tie
    ):
        arguments.pop("ties", None)
        run = as_seen(rules, run)
        yield from _together(qrels, run, queries, settings, arguments, rules) if queries else ()
        return
    for one in queries:
        yield explain_query(qrels, run, one, parsed.family, k, arguments, rules)


def _together(
    qrels: Judgments,
    run: Run,
    queries: Sequence[Any],
    settings: Settings,
    parts: dict[str, Any],
    convention: Convention,
) -> Iterator[Explanation]:
    """The nDCG of all queries; their labels in rank order are the rows of one matrix."""
    documents = [run._first(one, settings.k) if one in run else [] for one in queries]
    listed, pools = [], []
    for query, names in zip(queries, documents, strict=True):
        judged = qrels[query]
        listed.append(np.array([judged.get(one, 0.0) for one in tell_apart(names, judged)]))
        pools.append(np.array([*judged.values(), *(0.0 for one in names if one not in judged)]))
    depth = max(len(one) for one in (*listed, *pools))
    depth = max(depth if settings.k is None else min(depth, settings.k), 1)
    labels = np.zeros((len(queries), depth))
    for row, one in zip(labels, listed, strict=True):
        row[: len(one)] = one
    arguments = {**parts, "lengths": np.array(list(map(len, listed))), "judged": pools}
    values: list[Any] = [
        measure(labels, k=settings.k, convention=convention, **arguments)
        for measure in (metrics.ndcg, metrics.dcg, metrics.idcg)
    ]
    # result_dtype and round apply to the three values, not to the steps.
    arguments["convention"] = exact = convention.replace(result_dtype="float64", round=None)
    ranks, weights = np.arange(1, depth + 1), discount_weights(settings, depth)
    distinct = np.unique(np.concatenate(pools))
    gains = map_gains(distinct, {**parts, "convention": exact})

    def steps(document: Integers, labels: Floats, running: Floats) -> Steps:
        n, gain = len(labels), gains[np.searchsorted(distinct, labels)]
        return Steps(document, labels, gain, gain, weights[:n], gain * weights[:n], running[:n])

    running: list[Any] = [
        each(labels, k=ranks, **arguments) for each in (metrics.dcg, metrics.idcg)
    ]
    for names, one, pool, *sums, ndcg, dcg, idcg in zip(
        documents, listed, pools, *running, *values, strict=True
    ):
        best = pool[np.lexsort((-pool, -gains[np.searchsorted(distinct, pool)]))][:depth]
        sides = (
            steps(np.arange(len(one)), one, sums[0]),
            steps(np.full(len(best), -1), best, sums[1]),
        )
        numbers = float(ndcg), float(dcg), float(idcg)
        yield Explanation(*numbers, settings.k, *sides, (), {}, tuple(names))
