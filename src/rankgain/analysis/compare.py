"""compare: test the differences between systems for significance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.intervals import FEW, check_level, check_resamples, check_seed
from ..engine.notices import warn
from ..evaluation.evaluations import Evaluations
from ..inputs.labelled import as_mapping, label_codes
from ..inputs.printable import printable
from ..measures.all_lists import is_over_all_lists
from ..measures.measure import is_smaller_better
from .aligned import Aligned, Units, align, measures_of, units_of
from .comparison import TUKEY_TESTS, Comparison, ComparisonRow
from .significance import paired_tests as tests
from .significance.bootstrap import bootstrap
from .significance.paired_tests import CORRECTIONS, corrected, randomised
from .significance.pairs import Draws, Pairs
from .significance.tukey import permuted_range, studentised_range

if TYPE_CHECKING:
    from typing import SupportsIndex

    from ..measures.types import Measures


TESTS = ("t", "randomisation", "bootstrap", "wilcoxon", "sign", *TUKEY_TESTS)
BY_LIST = ("wilcoxon", "sign")  # tests of the values of lists, not of the mean


class CompareOptions(NamedTuple):
    """Checked arguments of `compare`."""

    test: str
    correction: str | None
    draws: Draws
    level: float


def compare(
    evaluations: object,
    *,
    baseline: str | None = None,
    measures: Measures | None = None,
    test: str = "randomisation",
    correction: str | None = "holm",
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
    queries: str = "same",
    by: object = None,
) -> Comparison:
    """Compare systems pair by pair: differences with intervals, effect sizes and p-values.

    Parameters
    ----------
    evaluations : Evaluations, or mapping of name -> Evaluation
        Over the same lists; evaluations read from files work too.
    baseline : str, optional
        Compare each of the others with this one. By default all pairs.
    measures : str or sequence of str, optional
        The measures to compare; every evaluation must have them. By default all.
    test : str
        "randomisation": Fisher's test; exchanges the two systems of each list at random (Smucker,
        Allan and Carterette, CIKM 2007), or in all patterns if there are at most `resamples`.
        "t": Student's paired t test. "bootstrap": the paired, shifted bootstrap (Efron and
        Tibshirani 1993); with fewer than 40 lists, where it rejects too often, "randomisation" is
        used instead. "wilcoxon", "sign": the signed-rank test and the sign test; with many lists
        they find differences where the means do not differ (Urbano et al., SIGIR 2019). "tukey":
        Tukey's honestly significant differences of all systems. "randomised_tukey": the same by
        permutation (Carterette, TOIS 2012). "t", "wilcoxon", "sign" and "tukey" need the extra
        "stats" (scipy).
    correction : "holm", "bonferroni", "bh" (Benjamini and Hochberg) or None
        For all measures, segments and pairs together. Tukey's tests correct for the pairs of a
        measure themselves and get no further correction.
    resamples, level, seed
        Of the tests and intervals. Equal seeds give equal results.
    queries : "same" or "common"
        "same" refuses evaluations over different lists. "common" compares the lists that all
        evaluations have, and counts the others.
    by : array, mapping query -> label, column of a frame, or "segment", optional
        Compare within segments: the lists with each label. An array has the order of the queries
        of the first evaluation. "segment": the segments of the evaluations, from the column
        segment= of `evaluate_frame`.

    Returns
    -------
    Comparison
        Print it for the table; `rows` has the numbers.

    An interval excludes 0 exactly where p is below 1 - level. It holds the differences that the
    test does not reject. "t" has Student's interval, "bootstrap" the bootstrap's, and Tukey's tests
    have simultaneous intervals for all pairs. The other tests have the interval of the
    randomisation test, or Student's where that is wider and agrees about 0. If no p can be below
    1 - level because there are too few lists (fewer than 6 at 0.95), the interval is nan.

    If all lists differ by the same amount, the effect is infinite, and p of "t" and "tukey" is 0.
    A list where one of two systems has no value (empty="skip") is left out of that pair. For micro
    means, numerator and divisor are exchanged and drawn together. Geometric means are tested on
    logarithms, and their interval is that of their linear part. Coverage, Gini, Entropy and
    Personalisation (`evaluate_catalogue`) are tested on the jackknife's pseudo-values of the lists,
    and so wins and losses are those of what a list adds, which the printed table leaves out.

    Raises a ValueError, with the remedy, if queries or weights differ, if a measure or the baseline
    is missing, or if means are nan.

    >>> import rankgain as rg
    >>> labels = [[0, 1, 2], [1, 0, 0], [0, 2, 0], [1, 1, 0]]
    >>> good, bad = [[1, 2, 3], [3, 2, 1], [1, 3, 2], [3, 2, 1]], [[3, 2, 1]] * 4
    >>> comparison = rg.compare(rg.evaluate_models(labels, {"good": good, "bad": bad}, "nDCG"))
    >>> row = comparison.rows[0]
    >>> round(row.difference, 4), row.p, row.wins, row.ties, row.losses
    (0.1873, 0.5, 2, 2, 0)
    """
    options = _checked(test, correction, resamples, level, seed)
    aligned = align(evaluations, queries)
    names = tuple(aligned.evaluations)
    if baseline is not None and baseline not in names:
        known = ", ".join(map(printable, names))
        raise ValueError(f"baseline {baseline!r} is not evaluated; there are {known}")
    pairs = Pairs.among(len(names), None if baseline is None else names.index(baseline))
    measure_names = measures_of(aligned, measures)
    segments, codes = _segments(aligned, by)
    rows: list[ComparisonRow] = []
    for name in measure_names:
        units = units_of(aligned, name)
        _check_test_fits_mean(units, name, options)
        if not segments:
            rows += _rows(units, pairs, (name, None), names, options)
        for at, segment in enumerate(segments):
            if is_over_all_lists(name):  # its value for some lists is computed from these alone
                part = units_of(aligned.part(codes == at), name)
            else:
                part = units.part(codes == at, slice(None))
            rows += _rows(part, pairs, (name, segment), names, options)
    if test in ("randomisation", "bootstrap") and correction in ("holm", "bonferroni"):
        _warn_of_few(sum(row.p == row.p for row in rows), options)
    first = next(iter(aligned.evaluations.values()))
    return Comparison(
        tuple(recorrected(rows, test, correction)),
        names,
        tuple(measure_names),
        tuple(segments),
        baseline,
        test,
        correction,
        options.draws.resamples,
        float(level),
        options.draws.seed,
        len(aligned.queries),
        aligned.left_out,
        first.convention,
        first.versions,
        Evaluations(aligned.evaluations),
    )


def _checked(
    test: Any, correction: object, resamples: SupportsIndex, level: float, seed: SupportsIndex
) -> CompareOptions:
    if test not in TESTS:
        raise ValueError(f"test must be one of {', '.join(TESTS)}, not {test!r}")
    if correction is not None and correction not in CORRECTIONS:
        known = ", ".join(map(repr, CORRECTIONS))
        raise ValueError(f"correction must be {known} or None, not {correction!r}")
    check_level(level)
    return CompareOptions(
        test, correction, Draws(check_resamples(resamples), check_seed(seed)), float(level)
    )


def _segments(aligned: Aligned, by: object) -> tuple[list[str], Any]:
    """Names of the segments, and the segment of each list as an index into them."""
    if by is None:
        return [], None
    label, first = next(iter(aligned.evaluations.items()))
    at = aligned.places[label]
    if isinstance(by, str) and by == "segment":
        return label_codes(_common_segments(aligned), aligned.queries)
    by = as_mapping(by, "by", aligned.queries)
    if isinstance(by, Mapping) or at is None:
        return label_codes(by, aligned.queries)
    names, codes = label_codes(by, first.queries)
    present, codes = np.unique(codes[at], return_inverse=True)
    return [names[one] for one in present.tolist()], codes


def _common_segments(aligned: Aligned) -> list[Any]:
    """The segment of each list, which all evaluations must agree about."""
    common: list[Any] = []
    for name, one in aligned.evaluations.items():
        if one.segments is None:
            raise ValueError(
                f'by="segment": {name!r} has no segments; evaluate it with segment=, or give by= a '
                "label for each query"
            )
        at = aligned.places[name]
        segments = list(one.segments) if at is None else [one.segments[i] for i in at.tolist()]
        common = common or segments
        for query, a, b in zip(aligned.queries, common, segments, strict=True):
            if a != b:
                raise ValueError(
                    f'by="segment": query {query!r} is in segment {a!r}, but in {b!r} of {name!r}; '
                    "give by= a label for each query"
                )
    return common


def _check_test_fits_mean(units: Units, name: str, options: CompareOptions) -> None:
    """Refuse a test that is not defined for a weighted or micro mean, or a number of all lists."""
    if options.test in BY_LIST and is_over_all_lists(name):
        raise ValueError(
            f'test "{options.test}" tests the values of lists, but {name} is a number of all lists '
            'together; take "randomisation"'
        )
    if options.test in (*BY_LIST, "tukey") and units.divisors is not None:
        kind = "a micro mean" if units.is_micro else "a weighted mean"
        other = (
            "randomised_tukey"
            if options.test == "tukey" and not units.is_micro
            else "randomisation"
        )
        raise ValueError(
            f'test "{options.test}" weighs all lists alike, but {name} is {kind}; take "{other}"'
        )
    if options.test == "randomised_tukey" and units.is_micro:
        raise ValueError(
            f'test "randomised_tukey" needs one divisor of a list for all systems, but {name} is a '
            'micro mean; take "randomisation"'
        )


def _rows(
    units: Units,
    pairs: Pairs,
    head: tuple[str, str | None],
    names: tuple[str, ...],
    options: CompareOptions,
) -> list[ComparisonRow]:
    """The rows of one measure on one segment, in the order of the pairs."""
    rows: list[Any] = [None] * len(pairs.a)
    for at, part, inside in _groups_with_values(units, pairs, options):
        columns = _columns(part, inside, head[0], options)
        cells = zip(*(one.tolist() for one in columns), strict=True)
        for place, row in zip(at.tolist(), cells, strict=True):
            a, b = names[pairs.a[place]], names[pairs.b[place]]
            rows[place] = ComparisonRow(*head, a, b, *row)
    return rows


def _groups_with_values(units: Units, pairs: Pairs, options: CompareOptions) -> Any:
    """Group the pairs that have values on the same lists.

    Yields the positions of the pairs, the units of those lists, and the pairs within these units.
    """
    known = ~np.isnan(units.numerators)
    all_pairs = np.arange(len(pairs.a))
    if known.all():
        yield all_pairs, units, pairs
        return
    if options.test in TUKEY_TESTS:
        yield all_pairs, units.part(known.all(axis=1), slice(None)), pairs
        return
    groups: dict[bytes, list[int]] = {}
    for at, (a, b) in enumerate(zip(pairs.a, pairs.b, strict=True)):
        groups.setdefault((known[:, a] & known[:, b]).tobytes(), []).append(at)
    for mask, members in groups.items():
        some = np.array(members)
        columns, codes = np.unique(np.stack((pairs.a[some], pairs.b[some])), return_inverse=True)
        rows = np.frombuffer(mask, bool)
        yield some, units.part(rows, columns), Pairs(*codes.reshape(2, -1))


def _columns(units: Units, pairs: Pairs, name: str, options: CompareOptions) -> list[Any]:
    """The columns of the rows, from `mean_a` on."""
    means = units.evaluated_means()
    lists = len(units.values)
    if not lists:  # no list has a value in both systems
        return [np.full(len(pairs.a), np.nan)] * 8 + [np.zeros(len(pairs.a), np.int64)] * 4
    a, b = means[pairs.a], means[pairs.b]
    difference = a - b
    ends, p = _intervals_and_p(units, pairs, options)
    better = -1 if is_smaller_better(name) else 1
    wins, losses = np.zeros((2, len(pairs.a)), np.int64)
    effect = np.full(len(pairs.a), np.nan)
    values, linear = (np.ascontiguousarray(one.T) for one in (units.values, units.tested.linear()))
    for at, differences in pairs.differences(values):
        wins[at], losses[at] = (
            (better * differences > 0).sum(axis=1),
            (better * differences < 0).sum(axis=1),
        )
    for at, center, scale in pairs.scatter(linear) if lists > 1 else ():
        with np.errstate(invalid="ignore", divide="ignore"):
            effect[at] = np.where(center == 0, 0.0, center / scale)
    counts = [wins, lists - wins - losses, losses, np.full(len(pairs.a), lists)]
    return [a, b, difference, ends[:, 0], ends[:, 1], effect, p, p, *counts]


def _intervals_and_p(units: Units, pairs: Pairs, options: CompareOptions) -> tuple[Any, Any]:
    """Ends of the intervals, and p-values."""
    if options.test in TUKEY_TESTS:
        return _tukey_intervals_and_p(units, pairs, options)
    if options.test == "t":
        ends = tests.student_ends(units, pairs, options.level)
        return ends, tests.student(units, pairs, options.draws)
    if options.test == "bootstrap" and len(units.values) >= FEW:
        return bootstrap(units, pairs, options.draws, options.level)
    ends, p = randomised(units, pairs, options.draws, options.level)
    if options.test in BY_LIST:
        p = {"wilcoxon": tests.wilcoxon, "sign": tests.sign}[options.test](
            units, pairs, options.draws
        )
    return ends, p


def _tukey_intervals_and_p(units: Units, pairs: Pairs, options: CompareOptions) -> tuple[Any, Any]:
    """The same by Tukey's tests; ends on the log scale become differences of geometric means."""
    if options.test == "tukey":
        tukey = studentised_range(units, pairs, options.level)
    else:
        tukey = permuted_range(units, pairs, options.draws, options.level)
    means = units.tested.means()
    ends = pairs.difference(means)[:, np.newaxis] + [-tukey.reach, tukey.reach]
    if units.kind == "geometric":
        between = (means[pairs.a] + means[pairs.b]) / 2
        ends = 2 * np.exp(between)[:, np.newaxis] * np.sinh(ends / 2)
    return ends, tukey.p


def recorrected(
    rows: list[ComparisonRow], test: str, correction: str | None
) -> list[ComparisonRow]:
    """Rows with p-values corrected for the number of these rows."""
    if correction is None or test in TUKEY_TESTS:
        return [row._replace(p_corrected=row.p) for row in rows]
    result = corrected(np.array([row.p for row in rows]), correction).tolist()
    return [row._replace(p_corrected=one) for row, one in zip(rows, result, strict=True)]


def _warn_of_few(comparisons: int, options: CompareOptions) -> None:
    """Warn if even the smallest possible p-value would not be significant."""
    resamples, alpha = options.draws.resamples, 1 - options.level
    if comparisons / (resamples + 1) >= alpha:
        enough = int(comparisons / alpha) + 1
        warn(
            f"{resamples:,} resamples give no p-value below {1 / (resamples + 1):.2g}, and "
            f"corrected for {comparisons:,} comparisons none can be below {alpha:.2g}; take a "
            f"baseline, fewer measures, or resamples={enough}"
        )
