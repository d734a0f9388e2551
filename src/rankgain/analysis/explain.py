"""explain: one list's nDCG, AP, RR or ERR, rank by rank.

All numbers come from the public measures: running sums are DCG and IDCG at each rank, and the gain
of a document is the CG of a list with this document alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.arguments import documented
from ..engine.plan import discount_weights
from ..engine.settings import Settings, resolve
from ..inputs.truth import Truth
from ..measures import functions as metrics
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure, parse_measure
from ..trec.by_query import Run
from ..trec.forms import is_framed
from ..trec.join import as_seen, read_pair
from .contributions import Contributions
from .explanation import Explanation, Steps

if TYPE_CHECKING:
    from typing import Unpack

    from ..inputs.types import Array, Floats, Integers, Judged, Labels, Records, Scores
    from ..measures.types import Cutoff, Discount, ExplainArguments, Gain, Rules, Ties

__all__ = ["Explanation", "explain"]

EXPLAINED = ("nDCG", "AP", "RR", "ERR")
OF_GAINS = ("gain", "rel")  # arguments that define the gains of labels


@dataclass(frozen=True, eq=False)
class _List:
    """One checked list with the settings of its measure."""

    labels: Floats
    y_score: Any
    settings: Settings
    parts: dict[str, Any]  # keyword arguments of the measures

    @property
    def depth(self) -> int:
        """The number of ranks above the cutoff."""
        n, k = len(self.labels), self.settings.k
        return n if k is None else min(k, n)

    def ranking(self) -> tuple[Steps, tuple[tuple[int, int], ...]]:
        """Return the steps of the ranking, and the tie blocks above the cutoff."""
        gains, depth = self.gains(self.labels), self.depth
        order, tied = self.ranked(gains)
        expected = gains[order]
        depth_with_ties = depth
        if self.settings.ties == "average":
            for first, last in tied:
                block_gains = expected[first - 1 : last]
                if block_gains.min() < block_gains.max():  # a mean of equal gains may be rounded
                    expected[first - 1 : last] = block_gains.mean()
            depth_with_ties = max([depth, *(last for _, last in tied)])
        running = self.running(metrics.dcg, depth)
        running = np.append(
            running, np.full(depth_with_ties - depth, running[-1] if depth else 0.0)
        )
        document = order[:depth_with_ties]
        steps = (self.labels[document], gains[document], expected[:depth_with_ties])
        return self.steps(document, *steps, depth, running), tied

    def ranked(self, gains: Floats) -> tuple[Integers, tuple[tuple[int, int], ...]]:
        """Return the documents in rank order, and the first and last rank of each tie block that
        starts above the cutoff. ties="best" and "worst" order the tied documents by their gains.
        """
        order = self.order()
        starts, stops = self.blocks(order)
        if self.settings.ties in ("best", "worst"):
            block = np.repeat(np.arange(len(starts)), stops - starts)
            sign = -1.0 if self.settings.ties == "best" else 1.0
            order = order[np.lexsort((sign * gains[order], block))]
        inside = (starts < self.depth) & (stops - starts > 1)
        tied = zip((starts[inside] + 1).tolist(), stops[inside].tolist(), strict=True)
        return order, tuple(tied)

    def ideal(self) -> Steps:
        """Return the steps of the ideal ranking, as the convention defines it."""
        kind, k, judged = self.settings.ideal, self.settings.k, self.parts["judged"]
        if kind == "ones":
            labels = np.full(k or 0, np.nan)
            gains = np.ones(len(labels))
        else:
            from_list = judged is None or kind == "list"
            labels = self.labels if from_list else np.asarray(judged, dtype=np.float64)
            gains = self.gains(labels)
        depth = len(labels) if k is None else min(k, len(labels))
        if kind == "returned":
            depth = min(depth, len(self.labels))
        is_fixed = kind in ("ones", "given")  # the labels are not sorted
        order = np.arange(depth) if is_fixed else np.lexsort((-labels, -gains))
        labels, gains = labels[order[:depth]], gains[order[:depth]]
        document = np.full(depth, -1) if kind == "ones" else order[:depth]
        return self.steps(document, labels, gains, gains, depth, self.running(metrics.idcg, depth))

    def steps(
        self,
        document: Any,
        label: Floats,
        gain: Floats,
        expected: Floats,
        depth: int,
        running: Floats,
    ) -> Steps:
        """Return read-only steps; documents after `depth` have discount 0."""
        discount = np.zeros(len(label))
        discount[:depth] = discount_weights(self.settings, depth)
        fields = (document, label, gain, expected, discount, expected * discount, running)
        for field in fields:
            field.setflags(write=False)
        return Steps(*fields)

    def gains(self, labels: Floats) -> Floats:
        """Return the gain of each label: the CG of a list with one document of this label."""
        options = {
            name: self.parts[name] for name in (*OF_GAINS, "convention") if name in self.parts
        }
        return np.asarray(metrics.cg(labels[:, np.newaxis], k=None, **options), dtype=np.float64)

    def order(self) -> Integers:
        """Return the documents in rank order; averaged ties, best and worst in input order."""
        n = len(self.labels)
        if self.y_score is None or n == 0:
            return np.arange(n)
        scores, ties = self.scores(), self.settings.ties
        if ties == "reverse":
            return np.argsort(scores, kind="stable")[::-1]
        order = n - 1 - np.argsort(scores[::-1], kind="stable")[::-1]
        if ties == "random":
            # With labels 1 .. n, the differences of the CG from rank to rank are the documents.
            ranks = np.arange(1, self.depth + 1)
            running = metrics.cg(np.arange(1.0, n + 1), scores, k=ranks, ties="random", threads=1)
            order[: self.depth] = np.diff(running, prepend=0.0).astype(np.int64) - 1
        return order

    def scores(self) -> Array:
        """Return the scores in the precision of the convention."""
        cut = self.settings.k is not None
        rules: Convention = self.parts["convention"]
        precision = rules.for_family("score_dtype", self.settings.function, cut=cut)
        scores = np.asarray(self.y_score)
        with np.errstate(over="ignore"):
            return scores.astype(precision) if precision is not None else scores

    def blocks(self, order: Integers) -> tuple[Integers, Integers]:
        """Return where the runs of equal scores start and stop."""
        if self.y_score is None:
            scores: Array = np.arange(len(order))
        else:
            scores = self.scores()[order]
        changes = np.flatnonzero(scores[1:] != scores[:-1]) + 1
        bounds = np.concatenate([[0], changes, [len(order)]]).astype(np.int64)
        return bounds[:-1], bounds[1:]

    def running(self, measure: Callable[..., Floats], depth: int, **fixed: object) -> Floats:
        """Return the measure at each rank up to `depth`."""
        if depth == 0:
            return np.zeros(0)
        parts = {**self.parts, **fixed}
        values = measure(self.labels, self.y_score, k=np.arange(1, depth + 1), **parts)
        return np.array(values, dtype=np.float64)


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
@documented("rankgain")
def explain(
    y_true: Any,
    y_score: object = None,
    *,
    query: str | int | None = None,
    measure: str | Measure = "nDCG",
    k: Cutoff | Unset = UNSET,
    gain: Gain | Unset = UNSET,
    discount: Discount | Unset = UNSET,
    ties: Ties | Unset = UNSET,
    judged: Judged | None = None,
    convention: Rules | Unset = UNSET,
) -> Any:
    """Show how one list's value is computed, rank by rank; for nDCG beside the ideal ranking.

    Parameters
    ----------
    y_true : array of shape (documents,), or qrels
        Labels of one list; with `query`, the judgments as `rankgain.evaluate` takes them.
    y_score : array of shape (documents,), optional, or a run
        Scores; without them the input order is the ranking. With `query`, the run.
    query : str or int, optional
        The query of the qrels and the run to explain; the result has the document ids.
    measure : str or Measure
        "nDCG", "AP", "RR" or "ERR", also with a cutoff: "AP@100", "nDCG@10".
    k : int or None
        Cutoff, if the measure's name has none.
    convention : str or Convention
        "rankgain", or "trec" with `query`.

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
    default = "rankgain" if query is None else "trec"
    rules = get_convention(default if convention is UNSET else convention)
    rules, params = in_name(parsed, rules)
    arguments = {"gain": gain, "discount": discount, "ties": ties, **params}
    options = {name: value for name, value in arguments.items() if value is not UNSET}
    if query is not None:
        if judged is not None:
            raise TypeError("judged belongs to arrays: the qrels say what is judged")
        return explain_query(y_true, y_score, query, parsed.family, k, options, rules)
    for name, one in (("y_true", y_true), ("y_score", y_score)):
        if isinstance(one, (str, os.PathLike, Mapping)) or is_framed(one):
            raise TypeError(
                f"{name} is a {type(one).__name__}, not the array of one list; of qrels and a run, "
                "give query=, the query that is explained"
            )
    if isinstance(y_true, Truth):
        y_true.refuse_again(judged=judged)
        y_true, judged = y_true.labels, y_true.judged_labels and y_true.judged_labels[0]
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
) -> Any:
    """Explain one list; options: arguments of the measure, which override the convention."""
    family = FAMILIES[name.lower()]
    unexpected = [one for one in options if one not in family.params]
    if unexpected:
        raise TypeError(f"{unexpected[0]} is not taken by {name}; leave it out")
    parts = {**options, "judged": judged}
    cutoff = {} if k is UNSET else {"k": k}
    function = getattr(metrics, family.function)
    value = function(y_true, y_score, **cutoff, convention=rules, **parts)
    if not isinstance(value, float):
        raise ValueError("explain takes one list (1-D y_true and y_score) and one cutoff k")
    settings = resolve(family.function, {**cutoff, **options}, rules)
    # result_dtype and round apply to the value above, not to the sums in the table.
    exact = rules.replace(result_dtype="float64", round=None)
    labels = np.asarray(y_true, dtype=np.float64)
    one = _List(labels, y_score, settings, {**parts, "convention": exact})
    names = ("gain", "discount", "ties") if name == "nDCG" else ("ties",)
    words = {field: _words(getattr(settings, field)) for field in names}
    words |= {"convention": rules.name}
    if name != "nDCG":
        return _contributions(one, function, name, value, words)
    pair: tuple[Callable[..., Any], ...] = (metrics.dcg, metrics.idcg)
    dcg, idcg = (each(y_true, y_score, **cutoff, convention=rules, **parts) for each in pair)
    ranking, tied = one.ranking()
    return Explanation(value, dcg, idcg, settings.k, ranking, one.ideal(), tied, words)


def _contributions(
    one: _List, function: Callable[..., Any], name: str, value: float, words: dict[str, str]
) -> Contributions:
    """The terms of AP, RR or ERR: the differences of the values at successive cutoffs."""
    k, depth = one.settings.k, one.depth
    order, tied = one.ranked(one.labels)
    # With the divisor R at every rank the terms have the right ratios; they are scaled below.
    fixed = {"divisor": "relevant"} if name == "AP" else {}
    running = one.running(function, depth, **fixed)
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


def explain_query(
    qrels: object,
    run: object,
    query: Any,
    name: str,
    k: object,
    options: dict[str, Any],
    rules: Convention,
) -> Any:
    """Explain one query of qrels and a run, with the ids of its documents."""
    judgments, results = read_pair(qrels, run)
    results = as_seen(rules, results)
    if query not in judgments:
        some = ", ".join(map(repr, judgments.queries[:3])) + ", ..." * (len(judgments) > 3)
        raise ValueError(f"query {query!r} has no judgments; there are {some}")
    judged, scores = judgments[query], results.get(query, {})
    cut = k is not UNSET and k is not None
    ties = options.get("ties", rules.for_family("ties", FAMILIES[name.lower()].function, cut=cut))
    documents, rule = ordered(list(scores), results, query, ties)
    documents = condensed(documents, judged, rules)
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
    ranking = explained.ranking.document if name == "nDCG" else explained.document
    ids = [documents[at] for at in ranking.tolist()]
    result = {
        "settings": explained.settings | {"ties": ties},
        "documents": tuple(ids),
        "unjudged": tuple(rank for rank, one in enumerate(ids, 1) if one not in judged),
    }
    if name == "nDCG":
        pool = documents if rules.ideal == "list" else names
        ideal = explained.ideal.document.tolist()
        result["ideal_documents"] = tuple(pool[at] if at >= 0 else "" for at in ideal)
    return replace(explained, **result)


def condensed(documents: list[str], judged: Mapping[str, float], rules: Convention) -> list[str]:
    """The documents of a list, without those that a convention drops as unjudged."""
    if rules.unjudged != "drop":
        return documents
    # If negative labels have gain 0, a negative label means that the document is not judged.
    least = 0.0 if rules.for_family("negative", "ndcg") == "zero" else -np.inf
    return [one for one in documents if one in judged and judged[one] >= least]


def ordered(documents: list[str], run: Run, query: object, rule: object) -> tuple[list[str], Any]:
    """The documents reordered so that a tie rule without ids can be used, and that rule."""
    if rule in ("id", "id_descending"):
        in_bytes = {name: name.encode("utf-8", "surrogateescape") for name in documents}
        documents.sort(key=in_bytes.__getitem__, reverse=rule == "id_descending")
        return documents, "stable"
    places = run._places
    if places is not None:
        i = run._index[str(query)] if query in run else -1
        positions = places[run._arrays.lists[i] : run._arrays.lists[i + 1]] if i >= 0 else ()
        documents = [name for _, name in sorted(zip(positions, documents, strict=True))]
    return documents, rule


def _words(value: Any) -> str:
    """Return a gain or discount as text: a function by its name, a long table shortened."""
    if isinstance(value, str):
        return value
    if callable(value):
        return getattr(value, "__name__", "callable")
    text = repr(dict(value) if hasattr(value, "items") else list(np.asarray(value).tolist()))
    return text if len(text) <= 40 else text[:37] + "..."
