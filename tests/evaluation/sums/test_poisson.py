"""Poisson resamples: their distribution, and their sums against the same draws done in Python."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import rankgain as rg
from rankgain.engine.resampling import poisson_sums
from rankgain.inputs.grouping import hash_ids
from sampling import sampled

MASK = 2**64 - 1
CHANCES = [2**32 / math.e / math.factorial(k) for k in range(16)]


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def drawn(values, factors, codes, replicates, seed=0):
    columns = [(np.array(values, float), None if factors is None else np.array(factors, float))]
    return list(poisson_sums(columns, codes, replicates, seed)[0])


KNOWN = {}


def times_of(codes, replicates, seed=0):
    """How often each list stands in each replicate: found one list at a time."""
    key = codes.tobytes(), replicates, seed
    if key not in KNOWN:
        rows = [drawn([1.0], None, codes[i : i + 1], replicates, seed) for i in range(len(codes))]
        KNOWN[key] = np.array([[float(x) for x in row] for row in rows])
    return KNOWN[key]


@pytest.mark.slow
def test_the_distribution_is_poissons():
    n = 400_000
    result = Counter(float(one) for one in drawn([1.0], None, np.array([7], np.uint64), n))
    for k, chance in enumerate(CHANCES[:9]):
        share, p = result[k] / n, chance / 2**32
        assert abs(share - p) < 5 * math.sqrt(p / n), k
    assert max(result) < 16


@pytest.mark.slow
def test_lists_replicates_and_seeds_are_independent():
    codes = hash_ids(range(300))
    times = times_of(codes, 400)
    limit = 5 / math.sqrt(times.size)
    for a, b in (
        (times[1:], times[:-1]),
        (times[:, 1:], times[:, :-1]),
        (times[:, 2:], times[:, :-2]),
        (times, times_of(codes, 400, seed=1)),
    ):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < limit
    assert abs(times.mean() - 1) < limit
    assert abs(times.var() - 1) < 3 * limit


def test_keys_and_words_are_as_written_down():
    """The alias table is symmetric: sorted by their words, lists have what the words say."""
    code, seed = 12345, 9
    key = mix(code ^ mix(seed))
    result = drawn([1.0], None, np.array([code], np.uint64), 4000, seed)
    halves = []
    for p in range(2000):
        word = mix((key + (p + 1) * 0x9E3779B97F4A7C15) & MASK)
        halves += [word & 0xFFFFFFFF, word >> 32]
    by_column: dict[int, list[tuple[int, float]]] = {}
    for half, one in zip(halves, result, strict=True):
        by_column.setdefault(half & 15, []).append((half >> 4, float(one)))
    for rows in by_column.values():
        numbers = [number for _, number in sorted(rows)]
        changes = sum(a != b for a, b in itertools.pairwise(numbers))
        assert changes <= 1  # below a threshold one number, above it another


@pytest.mark.parametrize(
    "n", [1, 65, *(pytest.param(n, marks=pytest.mark.slow) for n in (511, 513, 1100))]
)
@pytest.mark.parametrize(
    ("kind", "weighted"),
    sampled(["plain", "wide", "tiny", "huge", "infinite"], [False, True], one_in=2),
)
def test_sums_are_exact(n, kind, weighted):
    rng = np.random.default_rng(n)
    values = rng.random(n) * (rng.random(n) < 0.8)
    if kind == "wide":
        values = values * 2.0 ** -rng.integers(0, 300, n)
    if kind == "tiny":
        values = values * 1e-310
    if kind == "huge":
        values = -values * 1e306
    if kind == "infinite":
        values[n // 2] = np.inf
    factors = rng.random(n) if weighted else None
    codes = hash_ids([f"q{i}" for i in range(n)])
    sums = drawn(values, factors, codes, 5)
    times = times_of(codes, 5)
    weights = np.ones(n) if factors is None else factors
    for r, result in enumerate(sums):
        if kind == "infinite":
            whole = math.inf if times[n // 2, r] else None
            assert whole is None or result.special == whole
            continue
        exact = sum(
            (
                Fraction(v) * Fraction(w) * int(t)
                for v, w, t in zip(values.tolist(), weights.tolist(), times[:, r], strict=True)
            ),
            Fraction(0),
        )
        assert Fraction(result.mantissa) * Fraction(2) ** result.exponent == exact


def test_ids_have_codes_of_their_text():
    assert (hash_ids([1, 20, -3]) == hash_ids(["1", "20", "-3"])).all()
    many = hash_ids([f"täglich {i}" for i in range(50_000)])
    assert len(np.unique(many)) == 50_000
    assert hash_ids(["a"])[0] == mix(((0xCBF29CE484222325 ^ ord("a")) * 0x100000001B3) & MASK)
    assert len(hash_ids([])) == 0


def test_slices_of_replicates_have_the_same_bits():
    codes = hash_ids(range(3))
    column = np.array([0.1, 2.5, -1e20]), None
    alone = poisson_sums([column], codes, 4_001, 5)[0]
    assert poisson_sums([column] * 20, codes, 4_001, 5) == [alone] * 20
    assert poisson_sums([column], codes, 17_001, 5)[0][:4_001] == alone


# Products that cannot be cut in parts, or whose rounding errors cannot; and both.
THIRD, HALF_OFF = (1 / 3, 1 / 3), ((1 - 2**-53) * 2**-60, (1 + 2**-52) * 2**-60)
UNCUT = {
    "products": [(1.0, 0.3), (1.0, 2.0**200), (0.7, 0.3)],
    "errors": [THIRD, HALF_OFF],
    "both": [(1 / 3, 0.3), (1 / 7, 2.0**200), HALF_OFF],
    "neither": [(0.25, 0.5), (1.0, 2.0)],
    "small": [(1e-300, 1e-10), (1 / 3, 1 / 3)],
}


@pytest.mark.parametrize("n", [2, 512])
@pytest.mark.parametrize("replicates", [5, 64])
@pytest.mark.parametrize("pairs", UNCUT.values(), ids=list(UNCUT))
def test_products_are_counted_once_however_they_are_cut(pairs, replicates, n):
    values, factors = np.array([pairs[i % len(pairs)] for i in range(n)]).T
    codes = hash_ids([f"q{i}" for i in range(n)])
    times = times_of(codes, replicates)
    products = [Fraction(a) * Fraction(b) for a, b in zip(values, factors, strict=True)]
    for r, result in enumerate(drawn(values, factors, codes, replicates)):
        exact = sum(
            (int(t) * one for t, one in zip(times[:, r], products, strict=True)), Fraction()
        )
        assert Fraction(result.mantissa) * Fraction(2) ** result.exponent == exact


@pytest.mark.parametrize("pairs", UNCUT.values(), ids=list(UNCUT))
def test_replicates_do_not_depend_on_the_cuts(pairs):
    values, weights = np.array([pairs[i % len(pairs)] for i in range(40)]).T

    def part(at):
        ids = [f"q{i}" for i in at]
        return rg.Evaluation({"DCG": 0.0}, {"DCG": values[at]}, ids, weights=weights[at])

    whole, cut = rg.Accumulator(bootstrap=64), rg.Accumulator(bootstrap=64)
    whole.add(part(np.arange(40)))
    for i in range(40):
        cut.add(part(np.array([i])))
    assert cut == whole
