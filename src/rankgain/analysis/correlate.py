"""`correlate`: how alike two rankings are, or two retrievers, without any judgments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from ..convention.options import read_cutoff
from ..engine.notices import warn
from ..inputs.printable import count_of, describe, refuse_results
from ..trec.by_query import QueryRecords
from .rank_correlation import (
    Bounded,
    combine_overlaps,
    kendall_tau,
    match_rows,
    ordered_above,
    overlaps_of_rows,
    rank_biased_overlap,
    spearman,
    tau_ap,
)

if TYPE_CHECKING:
    from ..inputs.types import Array, Integers

__all__ = ["Correlation", "correlate"]

Coefficient: TypeAlias = Literal["tau_b", "tau", "tau_ap", "spearman", "rbo", "overlap"]
COEFFICIENTS = ("tau_b", "tau", "tau_ap", "spearman", "rbo", "overlap")
OF_SAME_IDS = ("tau_b", "tau", "tau_ap", "spearman")
Ranks: TypeAlias = "dict[object, int]"  # of ids, from 0; tied ids share one


@dataclass(frozen=True)
class Correlation:
    """How alike rankings are; print it for a sentence.

    Attributes
    ----------
    measure : str
        The coefficient.
    value : float
        Of two rankings; of several pairs of rankings their mean.
    low, high : float or None
        The bounds of RBO over all ways in which both rankings may go on; None for the others.
    per_query : dict or None
        The value of each pair of rankings; None if there is one pair.
    mean : float
        The mean over the pairs whose value is defined.
    """

    measure: str
    value: float
    low: float | None = None
    high: float | None = None
    per_query: dict[object, float] | None = None

    @property
    def mean(self) -> float:
        """The mean over the pairs of rankings; the value, if there is one pair."""
        return self.value

    def __str__(self) -> str:
        text = f"{self.measure} {self.value:.4f}"
        if self.low is not None and self.high is not None:
            text += f" (between {self.low:.4f} and {self.high:.4f}, however the rankings go on)"
        if self.per_query is not None:
            pairs = len(self.per_query)
            undefined = sum(math.isnan(value) for value in self.per_query.values())
            text += f", mean of {pairs} pair{'s' * (pairs != 1)} of rankings"
            if undefined:
                text += f" ({undefined} undefined, skipped)"
        return text


def correlate(
    a: object,
    b: object,
    measure: Coefficient = "tau_b",
    *,
    p: float = 0.9,
    k: int | None = None,
) -> Correlation:
    """Measure how alike two rankings are, or two runs query by query.

    Parameters
    ----------
    a, b : rankings, runs, or int arrays of one shape
        A ranking is a sequence of ids, best first, or a mapping id -> score, larger is better and
        equal scores are ties. A run is a mapping query -> ranking, or a `Run`; the queries of both
        are compared. Rows of two integer arrays are rankings by id.
    measure : "tau_b", "tau", "tau_ap", "spearman", "rbo" or "overlap"
        Kendall's tau_b and Spearman's rho, corrected for ties; tau = (concordant - discordant) /
        (n (n - 1) / 2), in which a tied pair counts as 0; tau_ap, which weights the top of `a` and
        takes `b` as the truth, so it is not symmetric; rank-biased overlap, extrapolated; the share
        of the first k ids that both have.
    p : float
        Of RBO, between 0 and 1: each rank has p times the weight of the one above.
    k : int, optional
        Cut both rankings after k ids first. For "overlap" it is the length of the shorter one if it
        is not given. Ids tied at the cut stay in the order in which they were given.

    Returns
    -------
    Correlation

    Raises
    ------
    ValueError
        If an id is twice in a ranking, a score is NaN, ids differ and the measure needs the same
        ones, or runs have no common query.

    Warns
    -----
    RankgainWarning
        If queries of only one run are left out.

    Notes
    -----
    tau, tau_b, tau_ap and Spearman's rho need the same ids in both rankings, and are NaN for fewer
    than two ids; tau_b and rho also if all ids of a side tie. RBO takes any ids and lengths; `low`
    and `high` are its least and greatest value over all continuations. With ties it is the mean
    over random orders of the tied ids (RBO^a), so RBO of a ranking with itself is then below 1.
    tau_ap with ties is the mean over all orders of both sides' tied ids.

    Examples
    --------
    >>> import rankgain as rg
    >>> print(rg.correlate(["a", "b", "c", "d"], ["b", "a", "c", "d"]))
    tau_b 0.6667
    >>> print(rg.correlate("NHMACFL", "CGNA", "rbo"))
    rbo 0.4904 (between 0.2603 and 0.6890, however the rankings go on)
    >>> rg.correlate({"q": ["a", "b"], "r": ["c"]}, {"q": ["b", "x"], "r": ["c"]}, "overlap").mean
    0.75

    References
    ----------
    Kendall 1938 and 1945; Spearman 1904; Yilmaz, Aslam and Robertson 2008, A new rank correlation
    coefficient for information retrieval, SIGIR; Urbano and Marrero 2017, The treatment of ties in
    AP correlation, ICTIR; Webber, Moffat and Zobel 2010, A similarity measure for indefinite
    rankings, ACM TOIS; Corsi and Urbano 2024, The treatment of ties in rank-biased overlap, SIGIR.
    """
    if str(measure) not in COEFFICIENTS:
        raise ValueError(
            f"measure must be one of {', '.join(COEFFICIENTS)}, not {describe(measure)}"
        )
    persistence: object = p
    if not isinstance(persistence, (Real, np.generic)) or not 0 < p < 1:
        raise ValueError(f"p must be between 0 and 1, without the ends, not {describe(p)}")
    if k is not None:
        k = read_cutoff(k)
    p = float(p)
    for ranking in (a, b):
        refuse_results(ranking, "a ranking")
    matrices = _read_matrices(a, b)
    if matrices is not None:
        return _correlate_rows(*matrices, measure, p, k)
    if _is_run(a) or _is_run(b):
        return _correlate_runs(a, b, measure, p, k)
    result = _correlate_pair(_read_ranks(a, "a", k), _read_ranks(b, "b", k), measure, p, k)
    return _make_correlation([result], measure, None)


def _make_correlation(
    results: Sequence[Bounded], measure: Coefficient, queries: Iterable[object] | None
) -> Correlation:
    """The result of one pair of rankings, or the means of several."""

    def mean(numbers: list[float]) -> float:
        defined = [number for number in numbers if not math.isnan(number)]
        if not defined:
            return math.nan
        return math.fsum(defined) / len(defined)

    values = [result.value for result in results]
    low = high = None
    if measure == "rbo":
        low = mean([result.low for result in results])
        high = mean([result.high for result in results])
    per_query = None
    if queries is not None:
        per_query = dict(zip(queries, values, strict=True))
    return Correlation(measure, mean(values), low, high, per_query)


def _is_run(value: object) -> bool:
    """Whether a value is a mapping of queries to rankings."""
    if isinstance(value, QueryRecords):
        return True
    if not isinstance(value, Mapping) or not value:
        return False
    return not any(isinstance(item, (Real, np.generic)) for item in value.values())


def _read_ranks(ranking: object, name: str, k: int | None) -> Ranks:
    """The rank of each id of a ranking, of which the first k stay."""
    if isinstance(ranking, Mapping):
        return _ranks_of_scores(ranking, name, k)
    if isinstance(ranking, bytes) or not isinstance(ranking, (Sequence, np.ndarray)):
        raise TypeError(
            f"{name} must be a ranking, as a sequence of ids or a mapping id -> score, or a run, "
            f"not {describe(ranking)}"
        )
    items: Sequence[object] = ranking if isinstance(ranking, Sequence) else []
    if isinstance(ranking, np.ndarray):
        if ranking.ndim != 1:
            raise ValueError(
                f"{name} has {ranking.ndim} dimensions; rows of rankings need two integer arrays "
                "of one shape"
            )
        items = ranking.tolist()
    ranks: Ranks = {}
    for place, item in enumerate(items):
        try:
            is_repeated = item in ranks
        except TypeError:
            raise TypeError(
                f"{name}: {describe(item)} at rank {place + 1} is not an id; several rankings are "
                "a mapping query -> ranking, or two integer arrays"
            ) from None
        if is_repeated:
            raise ValueError(
                f"{name} has {describe(item)} at ranks {ranks[item] + 1} and {place + 1}; "
                "a ranking has each id once"
            )
        ranks[item] = place
    if k is None:
        return ranks
    return dict(list(ranks.items())[:k])


def _ranks_of_scores(scores: Mapping[object, object], name: str, k: int | None) -> Ranks:
    """The ranks of ids by descending score; equal scores share a rank."""
    for item, score in scores.items():
        if not isinstance(score, (Real, np.generic)) or isinstance(score, (np.str_, np.bytes_)):
            raise TypeError(
                f"{name}: the score of {describe(item)} is {describe(score)}; give a number"
            )
        if math.isnan(float(score)):
            raise ValueError(
                f"{name}: the score of {describe(item)} is NaN; give a number, or leave it out"
            )
    ordered = sorted(scores, key=lambda item: -scores[item])[:k]  # type: ignore[operator]
    ranks: Ranks = {}
    previous: object = None
    rank = 0
    for place, item in enumerate(ordered):
        # Of equal scores all have the rank of the first.
        if place == 0 or scores[item] != previous:
            rank = place
        ranks[item] = rank
        previous = scores[item]
    return ranks


def _correlate_pair(a: Ranks, b: Ranks, measure: Coefficient, p: float, k: int | None) -> Bounded:
    """The coefficient of two rankings."""
    if measure == "rbo":
        return rank_biased_overlap(a, b, p)
    if measure == "overlap":
        return _unbounded(_overlap(a, b, k))
    _refuse_other_ids(a, b, measure)
    ranks_a = np.fromiter(a.values(), np.int64, len(a))
    ranks_b = np.fromiter((b[item] for item in a), np.int64, len(a))
    if len(a) < 2:
        return _unbounded(math.nan)
    if measure == "spearman":
        return _unbounded(spearman(ranks_a, ranks_b))
    if measure == "tau_ap":
        return _unbounded(tau_ap(ranks_a, ranks_b))
    return _unbounded(kendall_tau(ranks_a, ranks_b, divides_by_untied=measure == "tau_b"))


def _unbounded(value: float) -> Bounded:
    return Bounded(value, math.nan, math.nan)


def _overlap(a: Ranks, b: Ranks, k: int | None) -> float:
    """The share of the first k ids that both rankings have."""
    depth = k
    if depth is None:
        depth = min(len(a), len(b))
    if depth == 0:
        return math.nan
    common = set(list(a)[:depth]) & set(list(b)[:depth])
    return len(common) / depth


def _refuse_other_ids(a: Ranks, b: Ranks, measure: Coefficient) -> None:
    for ranks, other_ranks, name, other_name in ((a, b, "a", "b"), (b, a, "b", "a")):
        missing = next((item for item in ranks if item not in other_ranks), None)
        if missing is not None:
            raise ValueError(
                f"{measure} needs the same ids in both rankings, but {name} has "
                f'{describe(missing)} and {other_name} does not; "rbo" and "overlap" take any ids'
            )


def _correlate_runs(
    a: object, b: object, measure: Coefficient, p: float, k: int | None
) -> Correlation:
    """The coefficients of the queries that two runs have in common."""
    runs = []
    for value, name in ((a, "a"), (b, "b")):
        if not isinstance(value, Mapping) or not _is_run(value):
            raise TypeError(f"{name} is not a run, but the other argument is; give two of a kind")
        runs.append(value)
    first, second = runs
    common = [query for query in first if query in second]
    if not common:
        raise ValueError(
            f"a and b have no query in common, such as {describe(next(iter(first), None))} and "
            f"{describe(next(iter(second), None))}"
        )
    alone = len(first) + len(second) - 2 * len(common)
    if alone:
        verb = "is" if alone == 1 else "are"
        warn(f"{count_of(alone, 'query')} {verb} in one of the runs only and left out", of_all=True)
    results = []
    for query in common:
        place = f"[{describe(query)}]"
        ranks_a = _read_ranks(first[query], f"a{place}", k)
        ranks_b = _read_ranks(second[query], f"b{place}", k)
        results.append(_correlate_pair(ranks_a, ranks_b, measure, p, k))
    return _make_correlation(results, measure, common)


def _read_matrices(a: object, b: object) -> tuple[Array, Array] | None:
    """Two matrices of ids, if both arguments are; None if neither is."""
    is_matrix = [isinstance(value, np.ndarray) and value.ndim == 2 for value in (a, b)]
    if not any(is_matrix):
        return None
    if not all(is_matrix):
        raise TypeError("one argument is a matrix of ids, and the other is not; give two matrices")
    assert isinstance(a, np.ndarray)
    assert isinstance(b, np.ndarray)
    for matrix, name in ((a, "a"), (b, "b")):
        if matrix.dtype.kind not in "iu":
            raise TypeError(f"{name} holds {matrix.dtype} values; a matrix of ids holds integers")
    if a.shape != b.shape:
        raise ValueError(
            f"a has shape {a.shape}, but b has shape {b.shape}; give the same number "
            "of rankings, of one length"
        )
    return a, b


def _correlate_rows(
    a: Array, b: Array, measure: Coefficient, p: float, k: int | None
) -> Correlation:
    """The coefficients of the rows of two matrices; rows have no ties."""
    if k is not None:
        a, b = a[:, :k], b[:, :k]
    width = a.shape[1]
    results: list[Bounded] = []
    if width == 0:
        results = [_unbounded(math.nan)] * len(a)
    else:
        for block in match_rows(a, b):
            if measure == "rbo":
                overlaps = overlaps_of_rows(block.places)
                zeros = np.zeros(width)
                results += combine_overlaps(overlaps, zeros, zeros, width, p)
                continue
            if measure == "overlap":
                shares = (block.places >= 0).sum(axis=1) / (k or width)
                results += [_unbounded(share) for share in shares.tolist()]
                continue
            if (block.places < 0).any():
                row, place = (int(index[0]) for index in np.nonzero(block.places < 0))
                row += block.first
                raise ValueError(
                    f"{measure} needs the same ids in both rankings, but row {row} of a has "
                    f'{a[row, place].item()} and row {row} of b does not; "rbo" and "overlap" take '
                    "any ids"
                )
            results += _correlate_places(block.places, measure)
    return _make_correlation(results, measure, range(len(a)))


def _correlate_places(places: Integers, measure: Coefficient) -> list[Bounded]:
    """The coefficients of permutations: the place in b of each id of a, for each row."""
    n = places.shape[1]
    if n < 2:
        return [_unbounded(math.nan)] * len(places)
    if measure == "spearman":
        # Without ties Pearson's correlation of ranks is 1 - 6 * sum of d**2 / (n (n**2 - 1)).
        squares = ((places - np.arange(n)) ** 2).sum(axis=1)
        values = 1 - 6 * squares / (n * (n * n - 1))
    elif measure == "tau_ap":
        shares = ordered_above(places)[:, 1:] / np.arange(1, n)
        values = 2 * shares.sum(axis=1) / (n - 1) - 1
    else:
        # All pairs that are not concordant are discordant.
        values = 4 * ordered_above(places).sum(axis=1) / (n * (n - 1)) - 1
    return [_unbounded(value) for value in values.tolist()]
