"""Lists that are explained: their rankings, ties and ideals, rank by rank.

All numbers come from the public measures: running sums are DCG and IDCG at each rank, and the gain
of a document is the CG of a list with this document alone. Lists are evaluated together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..convention import Convention
from ..engine.columns import measure_arrays
from ..engine.plan import discount_weights
from ..engine.settings import Settings, resolve
from ..inputs.lists import Lists
from ..measures import functions as metrics
from ..measures.families import FAMILIES
from .explanation import Contributions, Explanation, Steps

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers

    Tied = tuple[tuple[int, int], ...]

OF_GAINS = ("gain", "rel", "convention")  # arguments that define the gains of labels
LONGEST_EXPLAINED = 10_000_000  # places, of ranks with gaps


class OneList(NamedTuple):
    """The arrays of a list that is explained, which are checked."""

    labels: Array
    scores: Array | None  # None: in rank order
    judged: Floats | None  # labels of all judged documents; None: those of the list

    @classmethod
    def of(cls, lists: Lists, index: int) -> OneList:
        """The list at a place of many."""
        documents = slice(int(lists.layout.starts[index]), int(lists.layout.stops[index]))
        labels, places = lists.row(index)
        if lists.sparse:
            stored, labels = labels, np.zeros(documents.stop - documents.start)
            labels[places] = stored
        scores = None
        if lists.scores is not None:
            scores = lists.scores.reshape(-1)[documents]
        if lists.places is not None:
            labels, scores = _with_absent(labels, scores, lists.places[documents])
        if lists.judged_labels is not None:
            flat, starts, stops = lists.judged_labels
            return cls(labels, scores, flat[int(starts[index]) : int(stops[index])])
        if lists.runs is None or lists.all_returned:
            return cls(labels, scores, None)
        runs = slice(int(lists.runs.first[index]), int(lists.runs.first[index + 1]))
        return cls(labels, scores, np.repeat(lists.runs.level[runs], lists.runs.count[runs]))

    def select(self, documents: Integers, limit: float) -> OneList:
        """The list with some of its documents, and the judged labels from a limit on."""
        scores, judged = self.scores, self.judged
        if scores is not None:
            scores = scores[documents]
        if judged is not None:
            judged = judged[judged >= limit]
        return OneList(self.labels[documents], scores, judged)


def _quiet(name: str) -> Callable[..., Any]:
    """A measure function that does not warn, as the explained measure has done that."""
    family = FAMILIES[name]
    allowed = frozenset(metrics.list_arguments(family))

    def function(y_true: Any, y_score: Any = None, **options: object) -> object:
        return measure_arrays(family, allowed, y_true, y_score, options, warns=False)

    return function


quiet_cg, quiet_dcg, quiet_idcg = map(_quiet, ("cg", "dcg", "idcg"))


def _with_absent(
    labels: Array, scores: Array | None, places: Integers
) -> tuple[Array, Array | None]:
    """The labels and scores of a list with a document of label 0 at each missing rank.

    places: of the documents by rank, from 0. Missing documents follow the others.
    """
    n = len(labels)
    length = int(places[-1]) + 1 if len(places) else 0
    if length > LONGEST_EXPLAINED:
        raise ValueError(f"a list with {n} documents and ranks up to {length} is too long to show")
    absent = np.setdiff1d(np.arange(length), places)
    if scores is None:
        labels_by_place = np.zeros(length, labels.dtype)
        labels_by_place[places] = labels
        return labels_by_place, None
    # The new score of a document is -1 minus the first place of its tie block, so that ties remain
    # ties and missing documents get the ranks between the blocks.
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    starts_block = np.append(True, ordered[1:] != ordered[:-1])[:n]
    first_places = np.empty(n, np.int64)
    first_places[order] = places[np.flatnonzero(starts_block)][np.cumsum(starts_block) - 1]
    zeros = np.zeros(len(absent), labels.dtype)
    return np.concatenate([labels, zeros]), -1.0 - np.concatenate([first_places, absent])


class ExplainRequest(NamedTuple):
    """A measure that is explained, with its arguments, which override the convention."""

    name: str
    options: dict[str, object]
    rules: Convention

    @property
    def settings(self) -> Settings:
        """The settings of the measure."""
        return resolve(FAMILIES[self.name.lower()], self.options, self.rules)


def explain_lists(
    lists: Sequence[OneList], request: ExplainRequest, *, warns: bool = False
) -> Sequence[Explanation | Contributions]:
    """Explain lists: either all have scores and judged labels or none, with ties="random" one.

    warns: whether labels may be mistakes, as those of arrays.
    """
    limit = request.rules.ignore_below
    if limit is None:
        return _explain_lists(lists, request, warns)
    # Labels below the limit are padding: explain the lists without it, then find the positions in
    # the lists with it.
    kept = []
    remaining = []
    for given_list in lists:
        documents = np.flatnonzero(given_list.labels >= limit)
        kept.append(documents)
        remaining.append(given_list.select(documents, limit))
    results = _explain_lists(remaining, request, warns)
    explained: list[Explanation | Contributions] = []
    for documents, given_list, result in zip(kept, lists, results, strict=True):
        if isinstance(result, Contributions):
            explained.append(replace(result, document=documents[result.document]))
            continue
        ideal = result.ideal
        if request.rules.ideal != "ones":
            pool = documents
            if given_list.judged is not None and request.settings.ideal != "list":
                pool = np.flatnonzero(given_list.judged >= limit)
            ideal = replace(ideal, document=pool[ideal.document])
        ranking = replace(result.ranking, document=documents[result.ranking.document])
        explained.append(replace(result, ranking=ranking, ideal=ideal))
    return explained


def _explain_lists(
    lists: Sequence[OneList], request: ExplainRequest, warns: bool
) -> Sequence[Explanation | Contributions]:
    """Explain lists without padding."""
    name, options, rules = request.name, request.options, request.rules
    family = FAMILIES[name.lower()]
    for option in options:
        if option not in (*family.params, "k"):
            raise TypeError(f"{option} is not taken by {name}; leave it out")
    together = ListBatch(lists, options)
    together.warned = not warns
    allowed = frozenset({*metrics.list_arguments(family), *family.params})

    def function(y_true: Any, y_score: Any, **options: object) -> float | Floats:
        """The measure with the arguments of its name too, such as rank= of RR."""
        return measure_arrays(family, allowed, y_true, y_score, options, warns=not together.warned)

    values = [together.values(function, convention=rules)[:, 0].tolist()]
    together.warned = True
    if name == "nDCG":
        values.append(together.values(quiet_dcg, convention=rules)[:, 0].tolist())
        values.append(together.values(quiet_idcg, convention=rules)[:, 0].tolist())
    together.settings = settings = request.settings
    # result_dtype and round apply to the values above, not to the sums in the tables.
    if (rules.result_dtype, rules.round) != ("float64", None):
        rules = rules.replace(name=rules.name, result_dtype="float64", round=None)
    together.options["convention"] = rules
    cut = settings.k is not None
    together.precision = rules.for_family("score_dtype", family.function, cut=cut)
    words: dict[str, str] = {}
    for field in ("gain", "discount", "ties"):
        if name == "nDCG" or field == "ties":
            words[field] = _words(getattr(settings, field))
    words["convention"] = rules.name
    if name == "nDCG":
        return _explain_ndcg(together, values, words)
    ranked = []
    moves = []
    for given_list in together.lists:
        order, tied = together.rank(given_list, given_list.labels)
        ranked.append((order, tied))
        labels = given_list.labels[order]
        if settings.rel <= 0:  # a document of label 0 is relevant: any rank may change the sum
            labels = np.ones(len(order))
        moves.append(_changing_ranks(labels, tied)[: settings.k])
    # With the divisor R at every rank the terms have the right ratios; they are scaled below.
    fixed = {"divisor": "relevant"} if name == "AP" else {}
    sums = together.running(function, moves, **fixed)
    full_name = name
    if settings.k is not None:
        full_name = f"{name}@{settings.k}"
    explained = []
    for given_list, (order, tied), running, value in zip(
        together.lists, ranked, sums, values[0], strict=True
    ):
        depth = len(running)
        # The sums are scaled to end at the value.
        if depth and running[-1] > 0 and np.isfinite(value):
            running = running * (value / running[-1])
        else:
            running = np.zeros(depth)
        document = order[:depth]
        terms = np.diff(running, prepend=0.0)
        columns = document, given_list.labels[document], terms, running
        explained.append(Contributions(full_name, value, *columns, tied, words))
    return explained


def _words(value: Any) -> str:
    """Return a gain or discount as text: a function by its name, a long table shortened."""
    if isinstance(value, str):
        return value
    if callable(value):
        return getattr(value, "__name__", "callable")
    if hasattr(value, "items"):
        text = repr(dict(value))
    else:
        text = repr(np.asarray(value).tolist())
    if len(text) > 40:
        return text[:37] + "..."
    return text


def _explain_ndcg(
    together: ListBatch, values: list[list[float]], words: dict[str, str]
) -> list[Explanation]:
    """The ranking of each list beside its ideal."""
    lists, settings, k = together.lists, together.settings, together.settings.k
    # The gain of a label is the CG of a list with one document of this label.
    all_labels = []
    for given_list in lists:
        all_labels.append(given_list.labels)
        if given_list.judged is not None:
            all_labels.append(given_list.judged)
    levels = np.unique(np.concatenate(all_labels))
    options = {name: together.options[name] for name in OF_GAINS if name in together.options}
    gains_of_levels = np.asarray(quiet_cg(levels[:, np.newaxis], k=None, **options), np.float64)
    rankings = []
    ideals = []
    for given_list in lists:
        gains = gains_of_levels[np.searchsorted(levels, given_list.labels)]
        order, tied = together.rank(given_list, gains)
        rankings.append((order, tied, gains[order]))
        if settings.ideal == "ones":
            n = k or 0
            ideals.append((np.full(n, -1), np.full(n, np.nan), np.ones(n)))
            continue
        labels = given_list.labels
        if given_list.judged is not None and settings.ideal != "list":
            labels = given_list.judged
        gains = gains_of_levels[np.searchsorted(levels, labels)]
        if settings.ideal == "given":
            order = np.arange(len(labels))
        else:  # the largest gain first; of equal gains, the largest label
            order = np.lexsort((-labels, -gains))
        if settings.ideal == "returned":
            order = order[: len(given_list.labels)]
        order = order[:k]
        ideals.append((order, labels[order], gains[order]))
    moves = [_changing_ranks(gains, tied)[:k] for _, tied, gains in rankings]
    sums = together.running(quiet_dcg, moves)
    ideal_sums = together.running(quiet_idcg, [gains != 0 for *_, gains in ideals])
    weights = discount_weights(settings, max(map(len, (*sums, *ideal_sums))))
    explained = []
    for index, given_list in enumerate(lists):
        order, tied, gains = rankings[index]
        running = sums[index]
        depth = displayed = len(running)
        expected = gains
        if tied and settings.ties == "average":
            expected = gains.copy()
            for first, last in tied:
                block = expected[first - 1 : last]
                if block.min() < block.max():  # a mean of equal gains may be rounded
                    block[:] = block.mean()
                displayed = max(displayed, last)
        discount = weights[:depth]  # the ranks up to the cutoff
        if displayed > depth:  # the rest of a tie block at the cutoff, which adds nothing
            discount = np.append(discount, np.zeros(displayed - depth))
            running = np.append(running, np.full(displayed - depth, running[-1]))
        document = order[:displayed]
        labels = given_list.labels[document]
        documents = document, labels, gains[:displayed], expected[:displayed]
        ranking = _steps(documents, discount, running)
        ideal_document, ideal_labels, ideal_gains = ideals[index]
        documents = ideal_document, ideal_labels, ideal_gains, ideal_gains
        ideal = _steps(documents, weights[: len(ideal_gains)], ideal_sums[index])
        ndcg, dcg, idcg = (column[index] for column in values)
        explained.append(Explanation(ndcg, dcg, idcg, k, ranking, ideal, tied, words))
    return explained


def _steps(
    documents: tuple[Integers, Floats, Floats, Floats], discount: Floats, running: Floats
) -> Steps:
    """Read-only steps of a ranking: of its documents, labels, gains and expected gains."""
    fields = (*documents, discount, documents[-1] * discount, running)
    for field in fields:
        field.setflags(write=False)
    return Steps(*fields)


class ListBatch:
    """Lists that are evaluated in one call, under the settings of their measure."""

    settings: Settings
    precision: str | None  # of the scores
    warned: bool = False  # whether the measure was evaluated before

    def __init__(self, lists: Sequence[OneList], options: dict[str, Any]) -> None:
        labels, scores, judged = zip(*lists, strict=True)
        self.arrays = labels[0], scores[0]
        self.options = options | {"judged": judged[0]}
        if len(lists) > 1:
            sizes = np.array(list(map(len, labels)))
            # Lists of one document would be taken for a column vector.
            has_scores = scores[0] is not None and sizes.max() > 1
            all_scores = None
            if has_scores:
                all_scores = np.concatenate(scores)
            self.arrays = np.concatenate(labels), all_scores
            self.options["group"] = sizes
            if judged[0] is not None:
                self.options["judged"] = list(judged)
        self.lists: list[OneList] = []
        for given_list in lists:
            pool = given_list.judged
            if pool is not None:
                pool = pool.astype(np.float64)
            self.lists.append(
                OneList(given_list.labels.astype(np.float64), given_list.scores, pool)
            )

    def values(self, measure: Callable[..., Any], **changes: object) -> Floats:
        """A measure of each list at each cutoff: (lists, cutoffs)."""
        result = np.asarray(measure(*self.arrays, **self.options | changes), np.float64)
        return result.reshape(len(self.lists), -1)

    def running(
        self, measure: Callable[..., Any], moves: list[Array], **fixed: object
    ) -> list[Floats]:
        """A measure at each rank of each list; `moves`: ranks at which it may change."""
        changes = np.zeros(max(map(len, moves)), bool)
        if not len(changes):
            return [np.zeros(0)] * len(moves)
        changes[0] = True
        for list_moves in moves:
            changes[: len(list_moves)] |= list_moves
        values = self.values(measure, k=np.flatnonzero(changes) + 1, **fixed)
        # The column of a rank is that of the last rank, up to it, at which a list changes.
        columns = np.cumsum(changes) - 1
        running = []
        for row, list_moves in zip(values, moves, strict=True):
            running.append(row[columns[: len(list_moves)]])
        return running

    def rank(self, given_list: OneList, gains: Floats) -> tuple[Integers, Tied]:
        """The documents in rank order, and the first and last rank of each tie block that starts
        above the cutoff. Averaged ties are in input order, ties="best" and "worst" by their worth.
        """
        n = len(given_list.labels)
        ties = self.settings.ties
        depth = n
        if self.settings.k is not None:
            depth = min(self.settings.k, n)
        if given_list.scores is None or n == 0:
            return np.arange(n), ()
        with np.errstate(over="ignore"):
            scores = given_list.scores.astype(self.precision or given_list.scores.dtype)
        if ties == "reverse":
            order = np.argsort(scores, kind="stable")[::-1]
        else:  # a stable sort of the reversed list, read from its end, keeps the order of ties
            order = n - 1 - np.argsort(scores[::-1], kind="stable")[::-1]
        if ties == "random":
            # With labels 1 .. n, the differences of the CG from rank to rank are the documents.
            ranks = np.arange(1, depth + 1)
            running = quiet_cg(np.arange(1.0, n + 1), scores, k=ranks, ties="random", threads=1)
            order[: len(ranks)] = np.diff(running, prepend=0.0).astype(np.int64) - 1
        ranked = scores[order]
        starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
        sizes = np.diff(starts, append=n)
        if ties in ("best", "worst"):
            # Within each block, by gain: descending for "best", ascending for "worst".
            block = np.repeat(np.arange(len(starts)), sizes)
            sign = -1 if ties == "best" else 1
            order = order[np.lexsort((sign * gains[order], block))]
        is_tied = (sizes > 1) & (starts < depth)
        first_ranks = (starts + 1)[is_tied].tolist()
        last_ranks = (starts + sizes)[is_tied].tolist()
        return order, tuple(zip(first_ranks, last_ranks, strict=True))


def _changing_ranks(gains: Floats, tied: Tied) -> Array:
    """The ranks with a document that is worth something, and those that tie with one."""
    changes: Array = gains != 0
    for first, last in tied:
        changes[first - 1 : last] |= changes[first - 1 : last].any()
    return changes
