"""Resamples of lists: drawn with replacement for a bootstrap, or each a Poisson number of times.

Columns are cut into parts of few bits each, so that counts times values add without rounding: such
sums are bit-for-bit the same, whatever matrix product computes them. A bootstrap also adds what its
two parts leave over. That is mostly nothing, and below 2**-70 of a column's maximum for up to
2**17 lists, 2**-66 for a million; these sums may round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..inputs.grouping import SPLITMIX_STEP, mix_words
from .exact import Exact, add_sums, cut_columns, cut_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from ..inputs.types import Floats, Integers

    Column: TypeAlias = tuple[Floats, Floats | None]  # values of lists, and factors or None
    IdCodes: TypeAlias = NDArray[np.uint64]
    AliasTable: TypeAlias = tuple[NDArray[np.uint32], NDArray[np.uint8]]  # thresholds, aliases


BLOCK_LISTS = 256  # lists of a block, one of which a random byte selects
SETS_PER_PRODUCT = 128  # larger products start threads that wait for each other
DRAWS_AT_A_TIME = 1 << 16  # lists that are drawn at a time, if there are at most BLOCK_LISTS
MAX_BLOCK_COUNTS = 1 << 22  # numbers of draws, by set and block, at a time: 32 MB
RESAMPLES_PER_SET = 32  # resamples that share one set of draws
MIN_LISTS_TO_SHARE = 10_000  # lists from which on resamples share draws

# Chances of the Poisson numbers 0 .. 15 of mean 1 in units of 2**-32, 2**32 / (e k!). The first two
# are chosen such that all add up to 2**32.
CHANCES = [1580030170, 1580030170, 790015084, 263338361, 65834590, 13166918, 2194486, 313498]
CHANCES += [39187, 4354, 435, 40, 3, 0, 0, 0]
FULL_COLUMN = 1 << 28  # the chance of a column of the alias table
LISTS_PER_PRODUCT = 64  # lists whose Poisson numbers are drawn at a time
LISTS_AT_A_TIME = 1 << 16  # lists that are cut in parts at a time
REPLICATES = 1 << 12  # replicates that are summed at a time
POISSON_BITS = 4  # bits of a Poisson number


def resample(columns: Sequence[ArrayLike], resamples: int, seed: int | tuple[int, int]) -> Floats:
    """Sums of each column over as many lists as there are, drawn with replacement.

    A resample of n lists counts how often each list is drawn: sum of count[i] * value[i]. From
    MIN_LISTS_TO_SHARE lists on, resamples share their draws: see `_resample_many_lists`. The draws
    depend only on n, `resamples` and the seed, so measures get the same resamples together and
    apart.
    """
    values = np.array(columns, np.float64)
    n = values.shape[1]
    # A value is cut into an upper and a lower part of so few bits that counts times n of them add
    # exactly, in any order. A third part has what is left, less than 2**-70 or so of a column's
    # maximum; it is mostly 0, and then left out. Its sums may round.
    bits = np.finfo(np.float64).nmant + 1 - n.bit_length()
    largest = np.abs(values).max(axis=1, keepdims=True)
    _, exponents = np.frexp(largest)
    cut = bits - exponents
    # Scaled by a power of two, rounding to integers leaves the bits of a part.
    upper = np.ldexp(np.rint(np.ldexp(values, cut)), -cut)
    lower = np.ldexp(np.rint(np.ldexp(values - upper, cut + bits)), -cut - bits)
    remainder = values - upper - lower
    parts = [upper, lower]
    if remainder.any():
        parts.append(remainder)
    sum_resamples = _resample_many_lists
    if n <= BLOCK_LISTS:
        sum_resamples = _resample_few_lists
    sums = sum_resamples(np.concatenate(parts), resamples, np.random.default_rng(seed))
    result: Floats = np.add.reduce(sums.reshape(len(parts), len(columns), -1))
    return result


def _resample_many_lists(columns: Floats, resamples: int, generator: np.random.Generator) -> Floats:
    """Sums of more than BLOCK_LISTS lists in each resample.

    A set of draws is n lists drawn with replacement, as counts c of n positions. It is drawn in two
    steps: how many draws fall into each block of positions (multinomial), and then the positions
    within the block (uniform).

    The lists x are put into a random order, and a set of draws serves several resamples, each with
    the order rotated by another shift s: sum over i of c[i] * x[i + s], with i + s modulo n. Each
    is by itself an ordinary bootstrap resample, as its counts are multinomial. The correlation of
    two of them is the circular serial correlation of the ordered values at the difference of their
    shifts. In a random order this has the mean -1 / (n - 1) and a variance of about 1 / n (Wald and
    Wolfowitz, Annals of Mathematical Statistics 14, 1943): with 10,000 lists or more it is 0 with a
    standard deviation of at most 0.01. So the resamples are treated as independent.
    """
    n = columns.shape[1]
    n_shifts = 1
    if n >= MIN_LISTS_TO_SHARE:
        n_shifts = RESAMPLES_PER_SET
    shifts = np.arange(n_shifts) * (n // n_shifts)
    # Twice in a row, so that each rotation is a slice.
    order = generator.permutation(n)
    rotated = [np.concatenate((column[order], column[order])) for column in columns]
    block_starts = range(0, n, BLOCK_LISTS)
    block_sizes = [min(BLOCK_LISTS, n - start) for start in block_starts]
    n_sets = -(-resamples // n_shifts)  # rounded up
    result = np.empty((len(columns), n_shifts, n_sets))
    step = max(1, min(SETS_PER_PRODUCT, MAX_BLOCK_COUNTS // (n // BLOCK_LISTS + 1)))
    for low in range(0, n_sets, step):
        sets = min(step, n_sets - low)
        draws_of_blocks = generator.multinomial(n, np.array(block_sizes) / n, size=sets)
        sums = np.zeros((sets, len(rotated) * n_shifts))  # by column and shift
        for block, (start, size) in enumerate(zip(block_starts, block_sizes, strict=True)):
            counts = _draw_counts(draws_of_blocks[:, block], size, generator)
            starts = (start + shifts).tolist()
            values: list[Floats] = []
            for column in rotated:
                values += [column[first : first + size] for first in starts]
            sums += counts @ np.array(values).T
        result[:, :, low : low + sets] = sums.T.reshape(len(rotated), n_shifts, sets)
    return result.reshape(len(columns), -1)[:, :resamples]


def _draw_counts(draws: Integers, size: int, generator: np.random.Generator) -> Floats:
    """How often each of `size` positions is drawn, a row for each set with its number of draws."""
    # The positions of all sets are numbered through: `size` of them for each set.
    sets = len(draws)
    positions = np.repeat(np.arange(0, sets * size, size), draws)
    if size == BLOCK_LISTS:  # a random byte is a position of a full block
        n_words = -(-len(positions) // 8)  # rounded up
        words = generator.integers(0, 2**64, n_words, np.uint64)
        random_bytes = words.astype("<u8", copy=False).view(np.uint8)
        positions += random_bytes[: len(positions)]
    else:
        positions += generator.integers(0, size, len(positions))
    counts = np.bincount(positions, minlength=sets * size)
    return counts.reshape(sets, size).astype(np.float64)


def _resample_few_lists(columns: Floats, resamples: int, generator: np.random.Generator) -> Floats:
    """Sums of at most BLOCK_LISTS lists in each resample, which draws each position by itself."""
    n = columns.shape[1]
    sums = np.empty((len(columns), resamples))
    step = max(64, DRAWS_AT_A_TIME // n)
    for first in range(0, resamples, step):
        stop = min(first + step, resamples)
        # Each drawn position becomes a cell of its own resample, and the cells are counted.
        cells = generator.integers(0, n, (stop - first, n), np.uint8).astype(np.int64)
        cells += np.arange(0, (stop - first) * n, n)[:, np.newaxis]
        counts = np.bincount(cells.ravel(), minlength=(stop - first) * n)
        counts_by_resample = counts.reshape(stop - first, n).astype(np.float64)
        np.matmul(columns, counts_by_resample.T, out=sums[:, first:stop])
    return sums


def poisson_sums(
    columns: list[Column], codes: IdCodes, replicates: int, seed: int
) -> list[tuple[Exact, ...]]:
    """For each column its sum in each replicate, which repeats each list a Poisson number of times.

    That number depends on the list's code, the replicate and the seed alone (Hanley and MacGibbon
    2006; Chamandy et al. 2012).
    """
    table = _make_alias_table()
    # The seed is mixed before it meets the codes: neighbouring seeds would else only exchange the
    # draws of lists whose codes differ in the same bits.
    keys = mix_words(codes ^ mix_words(np.array([seed], np.uint64)))
    result = [(Exact(),) * replicates] * len(columns)
    for start in range(0, len(keys), LISTS_AT_A_TIME):
        selected = slice(start, start + LISTS_AT_A_TIME)
        chunk = [_select(column, selected) for column in columns]
        with np.errstate(all="ignore"):
            sums = _sum_replicates(chunk, keys[selected], replicates, table)
        result = list(map(add_sums, result, sums))
    return result


def _select(column: Column, lists: slice) -> Column:
    """The values and factors of some of the lists."""
    values, factors = column
    if factors is not None:
        factors = factors[lists]
    return values[lists], factors


def _make_alias_table() -> AliasTable:
    """The table of the alias method for Poisson numbers of mean 1 (Walker 1977; Vose 1991).

    A draw picks one of 16 columns, each with the same chance of FULL_COLUMN / 2**32. Column k holds
    the number k below a threshold, and another number, its alias, above it. A column whose number
    is too rare to fill it gets the rest from the most frequent number that is left.
    """
    left = CHANCES.copy()
    numbers = range(16)
    thresholds, aliases = [0] * 16, list(numbers)
    for _ in numbers:
        unfilled = [number for number in numbers if 0 <= left[number] <= FULL_COLUMN]
        rarest = min(unfilled, key=left.__getitem__)
        commonest = max(numbers, key=left.__getitem__)
        thresholds[rarest], aliases[rarest] = left[rarest], commonest
        left[commonest] -= FULL_COLUMN - left[rarest]
        left[rarest] = -1  # its column is done
    return np.array(thresholds, np.uint32), np.array(aliases, np.uint8)


def _sum_replicates(
    columns: list[Column], keys: IdCodes, replicates: int, table: AliasTable
) -> list[tuple[Exact, ...]]:
    """The sum of each column in each replicate, exactly.

    A column is cut into parts, rows whose products with Poisson numbers add up without rounding, so
    that a matrix product sums many lists at once. A column that cannot be cut, with values near
    the limits of a double, is summed by repeating its values.
    """
    cuts = [_cut_column(values, factors) for values, factors in columns]
    rows = [np.zeros((0, len(keys)))]
    ends = []  # of the rows of each column among all rows, to split their sums below
    for cut in cuts:
        if cut is not None:
            rows.append(cut)
        ends.append(sum(map(len, rows)))
    parts = np.concatenate(rows)
    result: list[list[Exact]] = [[] for _ in columns]
    for low in range(0, replicates, REPLICATES):
        count = min(REPLICATES, replicates - low)
        sums = np.zeros((count, len(parts)))
        uncut_sums = [(Exact(),) * count] * len(columns)
        for start in range(0, len(keys), LISTS_PER_PRODUCT):
            selected = slice(start, start + LISTS_PER_PRODUCT)
            times = _draw_poisson_numbers(keys[selected], low, count, table)
            sums += times @ parts[:, selected].T  # no addition rounds, nor does a fused one
            for j, cut in enumerate(cuts):
                if cut is None:
                    repeated = _sum_repeated(_select(columns[j], selected), times)
                    uncut_sums[j] = add_sums(uncut_sums[j], repeated)
        for j, sums_of_parts in enumerate(np.split(sums, ends[:-1], axis=1)):
            if cuts[j] is None:
                result[j].extend(uncut_sums[j])
                continue
            for row in sums_of_parts.tolist():
                result[j].append(Exact.total(map(float.as_integer_ratio, row)))
    return list(map(tuple, result))


def _sum_repeated(column: Column, times: Floats) -> tuple[Exact, ...]:
    """The exact sum of a column in each replicate, a row of `times`, by repeating its values."""
    values, factors = column
    sums = []
    for times_of_lists in times.astype(np.int64):
        repeated_values = np.repeat(values, times_of_lists)
        repeated_factors = None
        if factors is not None:
            repeated_factors = np.repeat(factors, times_of_lists)
        sums.append(Exact.of(repeated_values, repeated_factors))
    return tuple(sums)


def _cut_column(values: Floats, factors: Floats | None) -> Floats | None:
    """Rows that add up to the column; None if it cannot be cut."""
    columns = cut_columns(values, factors)
    if columns is None:
        return None
    parts: list[Floats] = []
    for column in columns:
        parts += cut_parts(column, POISSON_BITS)
    return np.array(parts, np.float64).reshape(-1, len(values))


def _draw_poisson_numbers(keys: IdCodes, low: int, count: int, table: AliasTable) -> Floats:
    """How often each list is repeated in the replicates low .. low + count - 1, a row for each.

    `low` is even. A hash of the list's key and a counter is one random word for two replicates. Of
    each half, the lowest four bits pick the column of the alias table and the other bits are
    compared with its threshold.
    """
    counter = np.arange(low // 2 + 1, (low + count) // 2 + 2, dtype=np.uint64)[:, None]
    words = mix_words(keys + counter * SPLITMIX_STEP)
    halves = words.astype("<u8", copy=False).view("<u4").reshape(len(words), len(keys), 2)
    column = (halves & np.uint32(15)).astype(np.intp)
    thresholds, aliases = table
    is_below = halves >> np.uint32(4) < thresholds.take(column)
    times = np.where(is_below, column, aliases.take(column))
    by_replicate = times.transpose(0, 2, 1).reshape(-1, len(keys))
    return np.asarray(by_replicate[:count], np.float64)
