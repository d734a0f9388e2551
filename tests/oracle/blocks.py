"""The oracle of measures that take tie blocks as they stand, and of catalogues.

As in reference.py, nothing of the package is imported: each function is its definition, pair by
pair or item by item, in fractions where there is no root or logarithm. Undefined is None.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import reference

SHARES = {"optimistic": Fraction(0), "realistic": Fraction(1, 2), "pessimistic": Fraction(1)}


def split(labels: Sequence[Any], scores: Any, rel: Any = 1) -> tuple[list[Any], list[Any]]:
    """The scores of relevant documents, and those of the others."""
    if scores is None:
        scores = range(len(labels), 0, -1)
    pairs = list(zip(labels, scores, strict=True))
    return [s for y, s in pairs if y >= rel], [s for y, s in pairs if y < rel]


def pr_auc(labels: Any, scores: Any = None, *, judged: Any = None, rel: Any = 1) -> Any:
    """Step by step from one threshold to the next: the rise of recall times the precision."""
    relevant, others = split(labels, scores, rel)
    total = sum(y >= rel for y in (labels if judged is None else judged))
    if not total:
        return None
    area, before = Fraction(0), Fraction(0)
    for threshold in sorted({*relevant, *others}, reverse=True):
        hits = sum(s >= threshold for s in relevant)
        shown = hits + sum(s >= threshold for s in others)
        area += (Fraction(hits, total) - before) * Fraction(hits, shown)
        before = Fraction(hits, total)
    return area


def filtered_ranks(labels: Any, scores: Any, rank: str, rel: Any = 1) -> list[Fraction]:
    """The rank of each relevant document among those that are not, as PyKEEN defines it."""
    relevant, others = split(labels, scores, rel)
    return [
        1 + sum(o > s for o in others) + SHARES[rank] * sum(o == s for o in others)
        for s in relevant
    ]


def _mean(values: Sequence[Any]) -> Any:
    return reference.ratio(reference.total(values), len(values)) if values else None


def mean_rank(labels: Any, scores: Any = None, *, rank: str = "realistic", rel: Any = 1) -> Any:
    return _mean(filtered_ranks(labels, scores, rank, rel))


def expected_rank(labels: Any, rel: Any = 1) -> Fraction:
    """Of a random order: the mean of 1 .. candidates, the others and the document itself."""
    candidates = sum(y < rel for y in labels) + 1
    return Fraction(sum(range(1, candidates + 1)), candidates)


def adjusted_mean_rank(labels: Any, scores: Any = None, *, rel: Any = 1) -> Any:
    rank = mean_rank(labels, scores, rel=rel)
    return None if rank is None else rank / expected_rank(labels, rel)


def adjusted_mean_rank_index(labels: Any, scores: Any = None, *, rel: Any = 1) -> Any:
    rank = mean_rank(labels, scores, rel=rel)
    if rank is None or expected_rank(labels, rel) == 1:
        return None
    return 1 - (rank - 1) / (expected_rank(labels, rel) - 1)


def ranking_loss(labels: Any, scores: Any = None, *, rel: Any = 1, missing: int = 0) -> Any:
    """`missing`: so many relevant documents are not in the list: below all that are."""
    relevant, others = split(labels, scores, rel)
    relevant = [*relevant, *[-math.inf] * missing]
    pairs = list(itertools.product(relevant, others))
    return Fraction(sum(o >= s for s, o in pairs), len(pairs)) if pairs else None


def coverage_error(labels: Any, scores: Any = None, *, rel: Any = 1) -> Any:
    relevant, others = split(labels, scores, rel)
    return sum(s >= min(relevant) for s in (*relevant, *others)) if relevant else 0


def reciprocal_rank(
    labels: Any, scores: Any = None, *, rank: str, k: int | None = None, rel: Any = 1
) -> Any:
    ranks = filtered_ranks(labels, scores, rank, rel)
    if not ranks:
        return None
    return 1 / min(ranks) if k is None or min(ranks) <= k else Fraction(0)


def hit_rate(
    labels: Any, scores: Any = None, *, rank: str, k: int | None = None, rel: Any = 1
) -> Any:
    ranks = filtered_ranks(labels, scores, rank, rel)
    return int(k is None or min(ranks) <= k) if ranks else None


def cut(n: int, k: int | None, share: str | None) -> int:
    """The cutoff of a list of n documents; a share is a decimal."""
    if share is not None:
        return math.ceil(Fraction(share) * n)
    return n if k is None else min(k, n)


def captured(
    labels: Any, scores: Any = None, *, k: int | None = None, share: str | None = None, **ties: Any
) -> Any:
    """The share of the relevant documents that stand above the cutoff."""
    return reference.recall(labels, scores, k=cut(len(labels), k, share), **ties)


def lift(
    labels: Any, scores: Any = None, *, k: int | None = None, share: str | None = None, **ties: Any
) -> Any:
    """Precision above the cutoff over that of the whole list."""
    shown = cut(len(labels), k, share)
    above = reference.precision(labels, scores, k=shown, **ties) if shown else None
    whole = reference.precision(labels, scores, **ties)
    return None if above is None else above / whole


def pfound(
    labels: Any, scores: Any = None, *, k: int | None = None, decay: Any = 0.85, **ties: Any
) -> Any:
    """Sum of the chance to look at a rank times the label there (Gulin, Karpovich et al. 2009)."""

    def of_order(order: Sequence[Any]) -> Any:
        look, value = Fraction(1), Fraction(0)
        for label in order[:k]:
            value += look * Fraction(label)
            look *= (1 - Fraction(label)) * Fraction(decay)
        return value

    rule = ties.get("ties", "average")
    blocks = reference.tie_blocks(scores, len(labels))
    if rule == "average":
        orders = itertools.product(*map(itertools.permutations, blocks))
        values = [of_order([labels[i] for block in order for i in block]) for order in orders]
        return sum(values) / len(values)
    order = [i for block in blocks for i in reference.order_block(block, rule, labels, None)]
    return of_order([labels[i] for i in order])


def gauc(lists: Sequence[tuple[Any, Any]], weight: Any = None) -> Any:
    """The weighted mean of the AUC of lists that have one."""
    above, below = Fraction(0), Fraction(0)
    for at, (labels, scores) in enumerate(lists):
        value = reference.auc(list(labels), list(scores))
        if value is None:
            continue
        of_list = {None: 1, "documents": len(labels), "positives": sum(y >= 1 for y in labels)}
        count = Fraction(of_list[weight] if weight in (None, *of_list) else weight[at])
        above, below = above + count * value, below + count
    return above / below if below else None


# ---- catalogues: lists of ids, the first k of each already cut


def coverage(lists: Any, items: Sequence[Any]) -> Any:
    return Fraction(len({i for row in lists for i in row}), len(items))


def gini(lists: Any, items: Sequence[Any]) -> Any:
    """Half the mean difference of two items' counts, over the mean count."""
    counts = [sum(i in row for row in lists) for i in items]
    if not sum(counts):
        return None
    differences = sum(abs(a - b) for a, b in itertools.product(counts, counts))
    return Fraction(differences, 2 * len(items) * sum(counts))


def entropy(lists: Any) -> Any:
    shown = [i for row in lists for i in row]
    shares = [shown.count(i) / len(shown) for i in set(shown)]
    return -math.fsum(p * math.log(p) for p in shares) if shown else None


def personalisation(lists: Any) -> Any:
    pairs = itertools.combinations([set(row) for row in lists if row], 2)
    overlaps = [len(a & b) / math.sqrt(len(a) * len(b)) for a, b in pairs]
    return 1 - math.fsum(overlaps) / len(overlaps) if overlaps else None


def novelty(row: Any, popularity: Any) -> Any:
    return _mean([-math.log2(popularity[i] / sum(popularity.values())) for i in row])


def popularity_of(row: Any, popularity: Any) -> Any:
    return _mean([Fraction(popularity.get(i, 0)) for i in row])


def tail_share(row: Any, popularity: Any) -> Any:
    """Popular is what at most a fifth of all items, rounded up, is more popular than or is."""
    head = math.ceil(Fraction(len(popularity), 5))
    more = [sum(p > popularity.get(i, 0) for p in popularity.values()) for i in row]
    return _mean([Fraction(above >= head) for above in more])


def new_items(row: Any, popularity: Any) -> Any:
    return _mean([Fraction(not popularity.get(i)) for i in row])


def diversity(row: Any, distance: Any) -> Any:
    return _mean([distance(a, b) for a, b in itertools.combinations(row, 2)])


def serendipity(row: Any, baseline: Any, relevant: Any = None) -> Any:
    good = [i not in baseline and (relevant is None or i in relevant) for i in row]
    return _mean([Fraction(one) for one in good])
