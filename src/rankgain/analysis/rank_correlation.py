"""The arithmetic of rank correlations: Kendall's tau, tau_AP, Spearman, RBO and overlap.

A ranking of n ids is an array of places: `rank[i]` is the number of ids that stand above id i, so
tied ids share a rank. Larger scores are better, so ranks are those of the negated scores.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..inputs.types import Array, Floats, Integers

CELLS = 1 << 22  # numbers of a block of rows
CELLS_IN_CACHE = 1 << 16  # ids of a block of rows that is read several times


class Bounded(NamedTuple):
    """An extrapolated value, and the least and the greatest value of all continuations."""

    value: float
    low: float
    high: float


def count_inversions(codes: Integers) -> int:
    """How many pairs of an array of non-negative integers descend.

    The array is split by one bit after the other, from the highest on, and stays in order inside
    each part. In a pair that first differs at a bit, the larger number has the 1: it is an
    inversion if it stands before the 0.
    """
    codes = codes.astype(np.int64)
    inversions = 0
    group_starts = np.zeros(len(codes), np.int64)  # the start of the part of each place
    for bit in range(int(codes.max(initial=0)).bit_length() - 1, -1, -1):
        ones = (codes >> bit) & 1
        ones_before = np.cumsum(ones) - ones
        before_in_group = ones_before - ones_before[group_starts]
        inversions += int(before_in_group[ones == 0].sum())
        order = np.argsort(2 * group_starts + ones, kind="stable")
        codes, ones, group_starts = codes[order], ones[order], group_starts[order]
        is_start = np.ones(len(codes), bool)
        is_start[1:] = (np.diff(group_starts) != 0) | (np.diff(ones) != 0)
        starts = np.flatnonzero(is_start)
        group_starts = starts[np.cumsum(is_start) - 1]
    return inversions


def _tied_pairs(codes: Integers) -> int:
    """How many pairs of an array are equal."""
    counts = np.unique(codes, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def kendall_tau(a: Integers, b: Integers, *, divides_by_untied: bool) -> float:
    """(concordant - discordant) / pairs: tau; over the pairs that do not tie on each side: tau_b.

    a, b: ranks of the same ids.
    """
    n = len(a)
    pairs = n * (n - 1) // 2
    codes_a = np.unique(a, return_inverse=True)[1]
    codes_b = np.unique(b, return_inverse=True)[1]
    order = np.lexsort((codes_b, codes_a))  # so that ids tied in a are no inversions
    discordant = count_inversions(codes_b[order])
    # Each pair is concordant, discordant, or tied in a, in b or in both; the pairs tied in both are
    # subtracted twice with tied_a and tied_b, so they are added once (Knight 1966).
    tied_a, tied_b = _tied_pairs(codes_a), _tied_pairs(codes_b)
    tied_in_both = _tied_pairs(codes_a * n + codes_b)
    concordant = pairs - tied_a - tied_b + tied_in_both - discordant
    divisor: float = pairs
    if divides_by_untied:
        divisor = math.sqrt((pairs - tied_a) * (pairs - tied_b))
    if not divisor:  # all ids of a side tie
        return math.nan
    return (concordant - discordant) / divisor


def _average_ranks(ranks: Integers) -> Floats:
    """Each id's rank from 1, tied ids with the mean of the ranks that they take."""
    codes, counts = np.unique(ranks, return_inverse=True, return_counts=True)[1:]
    ends = np.cumsum(counts)
    means: Floats = (ends - (counts - 1) / 2)[codes]
    return means


def spearman(a: Integers, b: Integers) -> float:
    """Pearson's correlation of the average ranks."""
    x = _average_ranks(a)
    y = _average_ranks(b)
    x = x - x.mean()
    y = y - y.mean()
    divisor = math.sqrt(float(x @ x)) * math.sqrt(float(y @ y))
    if not divisor:  # all ids of a side tie
        return math.nan
    return float(x @ y) / divisor


def tau_ap(a: Integers, b: Integers) -> float:
    """2 / (n - 1) * sum over places i = 2 .. n of a of C(i) / (i - 1), minus 1.

    By Yilmaz, Aslam and Robertson 2008; with ties tau_AP,a of Urbano and Marrero 2017.
    C(i) is how many of the ids above place i of a stand above that id in b, the truth. With ties it
    is the mean over all orders of the tied ids of both: an id at place r of a group at places t to
    u of a sees all t - 1 ids above the group, and a random r - t of the others of its group. An id
    tied with it in b counts one half.
    """
    n = len(a)
    if n < 2:
        return math.nan
    order = np.lexsort((b, a))
    ranks_a, ranks_b = a[order], b[order]
    total, start = 0.0, 0
    while start < n:
        end = start + int(np.searchsorted(ranks_a[start:], ranks_a[start], side="right"))
        group = ranks_b[start:end]
        size = end - start
        above_group = float(_shares_above(ranks_b[:start], group).mean())
        # A pair inside a group has shares that add up to 1, so a share is one half on average.
        seen = above_group + 0.5 * np.arange(size)
        places = np.arange(start + 1, end + 1)
        later = places > 1
        total += float((seen[later] / (places[later] - 1)).sum())
        start = end
    return 2 * total / (n - 1) - 1


def _shares_above(other_ranks: Integers, group: Integers) -> Floats:
    """For each id of a group, how many of the other ids stand above it; ties count one half."""
    ordered = np.sort(other_ranks)
    above = np.searchsorted(ordered, group, side="left")
    tied = np.searchsorted(ordered, group, side="right") - above
    shares: Floats = above + tied / 2
    return shares


def _contributions(ranks: Integers, sizes: Integers, depths: Integers) -> Floats:
    """The part of each id (rows) that is expected in the first d places (columns), 0 to 1.

    An id that ties at places t to u is there for certain from u on, and before with the chance
    (d - t + 1) / (u - t + 1), as all orders of tied ids are equally likely.
    """
    first = ranks[:, None] + 1
    shares: Floats = np.clip((depths - first + 1) / sizes[:, None], 0.0, 1.0)
    return shares


def _read_blocks(rank_of: dict[object, int]) -> dict[object, tuple[int, int]]:
    """The rank of each id, and how many ids share it."""
    size_of_rank = Counter(rank_of.values())
    return {key: (rank, size_of_rank[rank]) for key, rank in rank_of.items()}


def _select_blocks(
    blocks: dict[object, tuple[int, int]], keys: Sequence[object]
) -> tuple[Integers, Integers]:
    """The ranks of these ids, and how many ids share each, as arrays."""
    ranks, sizes = zip(*map(blocks.__getitem__, keys), strict=True)
    return np.array(ranks), np.array(sizes)


def rank_biased_overlap(a: dict[object, int], b: dict[object, int], p: float) -> Bounded:
    """RBO, extrapolated (Webber, Moffat and Zobel 2010, equation 32), and its bounds.

    a, b: the rank of each id, from 0. With ties it is RBO^a (Corsi and Urbano 2024), the mean over
    random orders of tied ids: overlap at depth d is the sum of products of both contributions.
    """
    short, long = sorted((a, b), key=len)
    s, longest = len(short), len(long)
    if longest == 0:
        return Bounded(math.nan, math.nan, math.nan)
    depths = np.arange(1, longest + 1)
    shared = [key for key in long if key in short]
    overlap = np.zeros(longest)
    long_blocks = _read_blocks(long)
    short_blocks = _read_blocks(short)
    # The overlap at depth d: the sum, over the shared ids, of the chances to be among the first d
    # of both lists.
    rows = max(1, CELLS // longest)
    for low in range(0, len(shared), rows):
        keys = shared[low : low + rows]
        in_long = _contributions(*_select_blocks(long_blocks, keys), depths)
        in_short = _contributions(*_select_blocks(short_blocks, keys), depths)
        overlap += (in_long * in_short).sum(axis=0)
    unseen_mean, unseen_most = np.zeros(longest), np.zeros(longest)
    lacking = [key for key in long if key not in short]
    if s < longest and lacking:
        ranks, sizes = _select_blocks(long_blocks, lacking)
        unseen_mean, unseen_most = _unseen_overlap(ranks, sizes, depths, s)
    return combine_overlaps(overlap[None, :], unseen_mean, unseen_most, s, p)[0]


def _unseen_overlap(
    ranks: Integers, sizes: Integers, depths: Integers, s: int
) -> tuple[Floats, Floats]:
    """What the ids that follow the shorter list may add at each depth: on average, and at most.

    ranks, sizes: of the longer list's ids that the shorter list lacks. At depth d there are d - s
    places to fill. On average each holds the mean positive contribution; at most they hold the
    largest ones.
    """
    means, largest = np.zeros(len(depths)), np.zeros(len(depths))
    for index in range(s, len(depths)):
        contributions = _contributions(ranks, sizes, depths[index : index + 1])[:, 0]
        positive = np.sort(contributions[contributions > 0])[::-1]
        places = int(depths[index]) - s
        if len(positive):
            means[index] = places * float(positive.mean())
        largest[index] = float(positive[:places].sum())
    return means, largest


def combine_overlaps(
    overlap: Floats, unseen_mean: Floats, unseen_most: Floats, s: int, p: float
) -> list[Bounded]:
    """RBO and its bounds from the overlap of pairs of lists (rows) at each depth (columns).

    s: the length of the shorter list; unseen_mean, unseen_most: what the places behind it may hold.
    """
    longest = overlap.shape[1]
    depths = np.arange(1, longest + 1)
    powers = p**depths
    share_of_short = np.zeros(len(overlap))
    if s:
        share_of_short = overlap[:, s - 1] / s
    # Sums over depths are products with the weights of depths: agreement at d is overlap / d.
    weights = (1 - p) / p * powers / depths
    seen = overlap @ weights
    at_end = overlap[:, -1]
    extrapolated_end = at_end + share_of_short * unseen_mean[-1]
    value = seen + share_of_short * float(unseen_mean @ weights)
    value += extrapolated_end / longest * powers[-1]
    # At least: nothing that follows is shared, so the overlap stays what it is.
    # The sum of p**d / d over all d is -log(1 - p).
    tail = -math.log1p(-p) - float((powers / depths).sum())
    low = seen + (1 - p) / p * tail * at_end
    # At most: each new place holds an id of the other list, until all ids are shared at depth f.
    counts, rows = np.unique(np.rint(at_end), return_inverse=True)
    growth = np.array([_greatest_rest(int(shared), s, longest, p) for shared in counts])
    high = seen + float(unseen_most @ weights) + growth[rows]
    columns = (value.tolist(), low.tolist(), high.tolist())
    return [Bounded(*numbers) for numbers in zip(*columns, strict=True)]


def _greatest_rest(shared: int, s: int, longest: int, p: float) -> float:
    """What the depths beyond the longer list add to RBO at most, if so many ids are shared."""
    all_shared = longest + s - shared
    depths = np.arange(longest + 1, all_shared + 1)
    # Of 2 d places down to depth d, longest + s - shared hold distinct ids, so at most 2 d -
    # (longest + s - shared) ids are shared there, until at depth longest + s - shared it is all d
    # of them. From there on the agreement is 1, and the sum of p**d is a geometric series.
    growing = float(((2 * depths - longest - s + shared) / depths * p**depths).sum())
    complete = p ** (max(all_shared, longest) + 1) / (1 - p)
    return (1 - p) / p * (growing + complete)


class MatchedRows(NamedTuple):
    """Some rows of two matrices of ids."""

    first: int  # the number of the first row
    places: Integers  # of each id of a: its place in the same row of b, -1 if it is not there


def match_rows(a: Array, b: Array) -> Iterator[MatchedRows]:
    """The places of the ids of a in the same rows of b, a block of rows at a time.

    An id twice in a row is a RepeatedIdError.
    """
    rows, width = a.shape
    all_ids = np.concatenate([a, b], axis=1)
    low, high = int(all_ids.min(initial=0)), int(all_ids.max(initial=0))
    bits = max(1, (2 * width - 1).bit_length())
    if high - low >= 2 ** (63 - bits):  # too wide to hold beside a column
        all_ids = np.unique(all_ids, return_inverse=True)[1].reshape(all_ids.shape)
        low, high = 0, all_ids.size
    # Narrow keys are sorted in half the time.
    key_type = np.int32 if high - low < 2 ** (31 - bits) else np.int64
    columns = np.arange(2 * width, dtype=key_type)
    step = max(1, CELLS_IN_CACHE // max(1, 2 * width))
    for start in range(0, rows, step):
        ids = all_ids[start : start + step]
        # Sorted by id, then by column: the copies of an id in a and b are neighbours.
        keys = np.sort(((ids - low).astype(key_type) << bits) | columns, axis=1)
        column = keys & (2**bits - 1)
        is_pair = (keys[:, 1:] >> bits) == (keys[:, :-1] >> bits)
        pairs = np.flatnonzero(is_pair)
        pair_rows = pairs // (2 * width - 1)
        cells = pairs + pair_rows  # rows of keys are one column wider
        first, second = column.reshape(-1)[cells], column.reshape(-1)[cells + 1]
        same_side = (first < width) == (second < width)
        if same_side.any():
            pair = int(same_side.argmax())
            row = start + int(pair_rows[pair])
            side, place = divmod(int(first[pair]), width)
            raise RepeatedIdError("ab"[side], row, (a, b)[side][row, place].item())
        places = np.full((len(ids), width), -1, np.int64)
        places.reshape(-1)[pair_rows * width + first] = second - width
        yield MatchedRows(start, places)


class RepeatedIdError(ValueError):
    """An id twice in a row of a matrix."""

    def __init__(self, side: str, row: int, repeated: object) -> None:
        super().__init__(f"{side}: row {row} has {repeated!r} twice; a ranking has each id once")


def overlaps_of_rows(places: Integers) -> Floats:
    """The overlap of two lists at each depth, for rows of `match_rows`."""
    rows, width = places.shape
    cells = np.flatnonzero(places >= 0)
    pair_rows, columns = np.divmod(cells, width)
    # An id is shared from the deeper of its two places on.
    deeper = np.maximum(columns, places.reshape(-1)[cells])
    counts = np.bincount(pair_rows * width + deeper, minlength=rows * width)
    return np.cumsum(counts.reshape(rows, width), axis=1).astype(np.float64)


def ordered_above(places: Integers) -> Integers:
    """For each place of the first list, how many ids above it stand above it in the second too."""
    rows, width = places.shape
    counts: Integers = np.zeros((rows, width), np.int64)
    # Narrow numbers are compared faster.
    compact: Integers = places.astype(np.int16 if width < 2**15 else np.int64)
    for distance in range(1, width):
        counts[:, distance:] += compact[:, :-distance] < compact[:, distance:]
    return counts
