"""compare: test the differences between systems for significance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from numbers import Real
from typing import TYPE_CHECKING, Literal, NamedTuple, ParamSpec

import numpy as np

from ..engine.intervals import FEW, check_level, check_whole, distributions
from ..engine.notices import warn
from ..evaluation.evaluations import Evaluations
from ..inputs.axes import as_mapping, find_categories, label_codes
from ..inputs.printable import printable
from ..measures.measure import find_family, is_smaller_better
from .aligned import (
    Aligned,
    Draws,
    Pairs,
    Units,
    align,
    make_units,
    name_conventions,
    name_measures,
)
from .comparison import CORRECTIONS, TESTS, Comparison, ComparisonRow, Correction, Test
from .paired_tests import bootstrap, equivalence_p, randomise, sign, student, wilcoxon
from .tukey import TUKEY_TESTS, randomised_tukey, tukey

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers
    from ..measures.types import Measures

Options = ParamSpec("Options")  # the arguments of `compare`

# Each gives the ends of the intervals, and p, of the pairs of systems.
FUNCTIONS: dict[Test, Callable[[Units, Pairs, Draws, float], tuple[Floats, Floats]]] = {
    "t": student,
    "randomisation": randomise,
    "bootstrap": bootstrap,
    "wilcoxon": wilcoxon,
    "sign": sign,
    "tukey": tukey,
    "randomised_tukey": randomised_tukey,
}
BY_RESAMPLES = ("randomisation", "bootstrap")  # tests whose p has the number of resamples below it
BY_LIST = ("wilcoxon", "sign")  # tests of the values of lists, not of the mean


class CompareOptions(NamedTuple):
    """Checked arguments of `compare`."""

    test: Test
    correction: Correction | None
    resamples: int
    level: float
    seed: int
    margin: float | None = None


def check_options(
    test: Test,
    correction: Correction | None,
    resamples: object,
    level: float,
    seed: object,
    margin: object = None,
) -> CompareOptions:
    """The options with the right types, or an error."""
    if test not in TESTS:
        hint = _suggest_option(
            test,
            {
                "ttest": "t",
                "t_test": "t",
                "t-test": "t",
                "permutation": "randomisation",
                "randomization": "randomisation",
                "randomized_tukey": "randomised_tukey",
            },
        )
        raise ValueError(f"test must be one of {', '.join(TESTS)}, not {test!r}{hint}")
    if correction is not None and correction not in CORRECTIONS:
        options = ", ".join(map(repr, CORRECTIONS))
        hint = _suggest_option(
            correction, {"fdr": "bh", "fdr_bh": "bh", "benjamini-hochberg": "bh"}
        )
        raise ValueError(f"correction must be {options} or None, not {correction!r}{hint}")
    check_level(level)
    n_resamples = check_whole(resamples, "resamples", 1)
    checked_seed = check_whole(seed, "seed", 0)
    checked_margin = None
    if margin is not None:
        distributions()  # an error without SciPy
        checked_margin = check_margin(margin)
    return CompareOptions(test, correction, n_resamples, float(level), checked_seed, checked_margin)


def check_margin(margin: object) -> float:
    """A margin of equivalence: a finite number above 0."""
    if isinstance(margin, (bool, np.bool_)) or not isinstance(margin, Real):
        raise TypeError(f"margin must be a number above 0, or None, not {margin!r}")
    number = float(margin)
    if not 0 < number < math.inf:
        raise ValueError(
            f"margin must be above 0 and finite, not {margin!r}. It is the largest difference, in "
            "the units of the measure, at which two systems count as equivalent"
        )
    return number


def _suggest_option(word: object, other_names: Mapping[str, str]) -> str:
    """The option that a usual name of another tool means, as the end of an error."""
    if not isinstance(word, str) or word.lower() not in other_names:
        return ""
    return f"; did you mean {other_names[word.lower()]!r}?"


def _only_evaluations(function: Callable[Options, Comparison]) -> Callable[Options, Comparison]:
    """Refuse evaluations that are passed one by one, with the way to pass them."""

    @wraps(function)
    def call(*args: Options.args, **kwargs: Options.kwargs) -> Comparison:
        if len(args) > 1:
            raise TypeError(
                f"compare() takes one argument with all evaluations, not {len(args)}; pass a dict "
                'such as {"a": a, "b": b}'
            )
        return function(*args, **kwargs)

    return call


@_only_evaluations
def compare(
    evaluations: object,
    *,
    baseline: str | None = None,
    measures: Measures | None = None,
    test: Test = "randomisation",
    correction: Correction | None = "holm",
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
    queries: Literal["same", "common"] = "same",
    by: object = None,
    margin: float | None = None,
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
    margin : float, optional
        Also test whether systems are equivalent: whether their difference lies between -margin and
        margin, in the units of the measure. `p_equivalent` of a row is the greater p of two
        one-sided paired t tests, (mean(d) + margin) / se above and (mean(d) - margin) / se below 0,
        with n - 1 degrees of freedom, for any `test` (Schuirmann 1987). It is not corrected. The
        print says better, worse, equivalent or undecided. Needs the extra "stats" (scipy).

    Returns
    -------
    Comparison
        Print it for the table; `rows` has the numbers.

    Raises
    ------
    ValueError
        If queries or weights differ, if a measure or the baseline is missing, or if means are NaN.
        The message says what to do.

    Notes
    -----
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

    Examples
    --------
    >>> import rankgain as rg
    >>> labels = [[0, 1, 2], [1, 0, 0], [0, 2, 0], [1, 1, 0]]
    >>> good, bad = [[1, 2, 3], [3, 2, 1], [1, 3, 2], [3, 2, 1]], [[3, 2, 1]] * 4
    >>> comparison = rg.compare(rg.evaluate_models(labels, {"good": good, "bad": bad}, "nDCG"))
    >>> row = comparison.rows[0]
    >>> round(row.difference, 4), row.p, row.wins, row.ties, row.losses
    (0.1873, 0.5, 2, 2, 0)
    """
    options = check_options(test, correction, resamples, level, seed, margin)
    aligned = align(evaluations, queries)
    names = tuple(aligned.evaluations)
    if baseline is not None and baseline not in names:
        systems = ", ".join(map(printable, names))
        raise ValueError(f"baseline: no evaluation is named {baseline!r}; there are {systems}")
    baseline_index = None
    if baseline is not None:
        baseline_index = names.index(baseline)
    pairs = Pairs.among(len(names), baseline_index)
    measure_names = name_measures(aligned, measures)
    if not isinstance(evaluations, Evaluations) or set(map(type, evaluations)) != {str}:
        evaluations = Evaluations(aligned.evaluations)
    first = next(iter(aligned.evaluations.values()))
    better = first.better  # the same in all, as Evaluations and name_measures check
    segments: tuple[str, ...] = ()
    codes: Integers | None = None
    if by is not None:
        segments, codes = _segments(aligned, by)
    rows: list[ComparisonRow] = []
    for name in measure_names:
        is_whole = name not in better and find_family(name).mean == "whole"
        units = make_units(aligned, name)
        if is_whole or units.divisors is not None:
            _refuse_test(units, name, is_whole, test)
        smaller = is_smaller_better(name, better)
        if codes is None:
            rows += _rows(units, pairs, RowHead(name, None, smaller), names, options)
        for number, segment in enumerate(segments):
            lists = np.flatnonzero(codes == number)
            if is_whole:  # a number of all lists is computed from those of the segment alone
                of_segment = make_units(aligned.part(lists), name)
            else:
                of_segment = units.part(lists, slice(None))
            rows += _rows(of_segment, pairs, RowHead(name, segment, smaller), names, options)
    _warn_of_few_resamples(rows, options)
    return Comparison(
        tuple(correct_again(rows, test, correction)),
        names,
        tuple(measure_names),
        segments,
        baseline,
        options.test,
        options.correction,
        options.resamples,
        options.level,
        options.seed,
        len(aligned.queries),
        aligned.left_out,
        name_conventions(evaluations),
        first.versions,
        evaluations,
        {name: better[name] for name in measure_names if name in better},
        options.margin,
        tuple(dict.fromkeys(first.collections or ())),
    )


def _warn_of_few_resamples(rows: list[ComparisonRow], options: CompareOptions) -> None:
    """Warn if even the smallest p-value of the resamples is not significant once corrected."""
    comparisons = sum(not math.isnan(row.p) for row in rows)
    alpha = 1 - options.level
    if has_too_few_resamples(comparisons, options):
        smallest_p = 1 / (options.resamples + 1)
        enough = int(comparisons / alpha) + 1
        text = f"{options.resamples:,} resamples give no p-value below {smallest_p:.2g}"
        if comparisons == 1:
            warn(f"{text}, so none can be below {alpha:.2g}; use at least resamples={enough}")
            return
        remedy = f"use at least resamples={enough}"
        if len({row.measure for row in rows}) > 1:
            remedy += ", or fewer measures"
        systems = {name for row in rows for name in (row.a, row.b)}
        if len({(row.a, row.b) for row in rows}) >= len(systems):  # all pairs
            remedy += ", or a baseline"
        warn(
            f"{text}, and corrected for {comparisons:,} comparisons none can be below "
            f"{alpha:.2g}; {remedy}"
        )


def has_too_few_resamples(comparisons: int, options: CompareOptions | Comparison) -> bool:
    """Whether even the smallest p-value of the resamples would not be significant."""
    is_strict = options.test in BY_RESAMPLES and options.correction in ("holm", "bonferroni")
    return is_strict and comparisons / (options.resamples + 1) >= 1 - options.level


def _segments(aligned: Aligned, by: object) -> tuple[tuple[str, ...], Integers]:
    """Names of the segments, and the segment of each list as an index into them."""
    label, first = next(iter(aligned.evaluations.items()))
    lists = aligned.lists[label]
    if isinstance(by, str) and by == "segment":  # those that all evaluations agree about
        common: dict[object, object] = {}
        for name, evaluation in aligned.evaluations.items():
            if evaluation.segments is None:
                raise ValueError(
                    f'by="segment": {name!r} has no segments; evaluate it with segment=, or give '
                    "by= a label for each query"
                )
            indices = np.arange(len(evaluation.queries))[aligned.lists[name]].tolist()
            for query, index in zip(aligned.queries, indices, strict=True):
                b = evaluation.segments[index]
                a = common.setdefault(query, b)
                if a != b:
                    raise ValueError(
                        f'by="segment": query {query!r} is in segment {a!r}, but in {b!r} of '
                        f"{name!r}; give by= a label for each query"
                    )
        labels = [common[query] for query in aligned.queries]
        names, codes = label_codes(labels, aligned.queries, find_categories(first.segments))
        return tuple(names), codes
    categories = find_categories(by)
    by = as_mapping(by, "by", aligned.queries)
    if isinstance(by, Mapping):
        names, codes = label_codes(by, aligned.queries, categories)
        return tuple(names), codes
    names, codes = label_codes(by, first.queries)
    present, codes = np.unique(codes[lists], return_inverse=True)
    return tuple(names[code] for code in present.tolist()), codes


def _refuse_test(units: Units, name: str, is_whole: bool, test: Test) -> None:
    """Refuse a test that is not defined for a weighted or micro mean, or a number of all lists."""
    if units.collections is not None:
        if test in (*BY_LIST, "tukey"):
            raise ValueError(
                f'test "{test}" is not defined for several collections; take "randomisation" or "t"'
            )
        return
    if test in BY_LIST and is_whole:
        raise ValueError(
            f'test "{test}" tests the values of lists, but {name} is a number of all lists '
            'together; take "randomisation"'
        )
    if test in (*BY_LIST, "tukey") and units.divisors is not None:
        kind = "a micro mean" if units.is_micro else "a weighted mean"
        suggested = "randomisation"
        if test == "tukey" and not units.is_micro:
            suggested = "randomised_tukey"
        raise ValueError(
            f'test "{test}" weighs all lists alike, but {name} is {kind}; take "{suggested}"'
        )
    if test == "randomised_tukey" and units.is_micro:
        raise ValueError(
            f'test "randomised_tukey" needs one divisor of a list for all systems, but {name} is a '
            'micro mean; take "randomisation"'
        )


class RowHead(NamedTuple):
    """What the rows of one measure on one segment have in common."""

    measure: str
    segment: str | None
    is_smaller_better: bool


class PairGroup(NamedTuple):
    """Pairs whose two systems have values on the same lists, with only these lists."""

    indices: Sequence[int]  # of the pairs among all pairs
    units: Units
    pairs: Pairs


def _rows(
    units: Units, pairs: Pairs, head: RowHead, systems: tuple[str, ...], options: CompareOptions
) -> list[ComparisonRow]:
    """One row for each pair of systems, in the order of `pairs`.

    Systems may lack values for some lists. Pairs with the same complete lists are tested together,
    since a test draws its resamples once for each set of lists.
    """
    rows: dict[int, ComparisonRow] = {}
    for group in _group_pairs(units, pairs, options.test):
        columns = [column.tolist() for column in _columns(group, head, options)]
        for pair, *numbers in zip(group.indices, *columns, strict=True):
            system_a = systems[pairs.a[pair]]
            system_b = systems[pairs.b[pair]]
            rows[pair] = ComparisonRow(head.measure, head.segment, system_a, system_b, *numbers)
    return [rows[pair] for pair in range(len(pairs.a))]


def _group_pairs(units: Units, pairs: Pairs, test: Test) -> list[PairGroup]:
    """The pairs in groups that have values on the same lists."""
    has_value = ~np.isnan(units.numerators)  # (lists, systems)
    all_pairs = range(len(pairs.a))
    if has_value.all():
        return [PairGroup(all_pairs, units, pairs)]
    if test in TUKEY_TESTS:
        # Tukey's tests compare all systems at once, so each list needs a value of every system.
        complete = np.flatnonzero(has_value.all(axis=1))
        return [PairGroup(all_pairs, units.part(complete, slice(None)), pairs)]
    # Masks as keys of a dict, for which arrays have to be bytes.
    pairs_of_mask: dict[bytes, list[int]] = {}
    for pair, (a, b) in enumerate(zip(pairs.a, pairs.b, strict=True)):
        mask = has_value[:, a] & has_value[:, b]
        pairs_of_mask.setdefault(mask.tobytes(), []).append(pair)
    groups = []
    for mask_bytes, indices in pairs_of_mask.items():
        lists = np.flatnonzero(np.frombuffer(mask_bytes, bool))
        systems = np.stack((pairs.a[indices], pairs.b[indices]))
        columns, codes = np.unique(systems, return_inverse=True)
        selected = units.part(lists, columns)
        groups.append(PairGroup(indices, selected, Pairs(*codes.reshape(2, -1))))
    return groups


def _columns(group: PairGroup, head: RowHead, options: CompareOptions) -> list[Array]:
    """The columns of the rows: fields of ComparisonRow from `mean_a` on, in their order.

    `p_equivalent` is only there if there is a margin, and `p_corrected` is p, which `correct_again`
    replaces.
    """
    _, units, pairs = group
    n, lists = len(pairs.a), len(units.values)
    if not lists and not units.is_over_all_lists:  # no list has a value in both systems
        return [np.full(n, np.nan)] * 8 + [np.zeros(n, np.int64)] * 4
    means = units.evaluated_means()
    a, b = means[pairs.a], means[pairs.b]
    if not lists:  # a number of all lists can be known where the values of lists are not
        return [a, b, a - b] + [np.full(n, np.nan)] * 5 + [np.zeros(n, np.int64)] * 4
    fewest = lists
    if units.collections is not None:
        fewest = min(map(len, units.tables()))
    test = options.test
    if test == "bootstrap" and fewest < FEW:
        test = "randomisation"  # the bootstrap rejects too often
    draws = Draws(options.resamples, options.seed)
    ends, p = FUNCTIONS[test](units, pairs, draws, options.level)
    wins, losses = np.zeros((2, n), np.int64)
    for indices, differences in pairs.differences(units.values):
        wins[indices] = (differences > 0).sum(axis=1)
        losses[indices] = (differences < 0).sum(axis=1)
    if head.is_smaller_better:
        wins, losses = losses, wins
    effect = np.full(n, np.nan)
    if lists > 1:
        center, scale = _center_and_scale(units, pairs)
        with np.errstate(invalid="ignore", divide="ignore"):
            effect = np.where(center == 0, 0.0, center / scale)
    counts = [wins, lists - wins - losses, losses, np.full(n, lists)]  # wins, ties, losses, lists
    p_corrected = p
    columns = [a, b, a - b, ends[:, 0], ends[:, 1], effect, p, p_corrected, *counts]
    if options.margin is not None:
        columns.append(equivalence_p(units, pairs, options.margin))
    return columns


def _center_and_scale(units: Units, pairs: Pairs) -> tuple[Floats, Floats]:
    """The mean difference of each pair and its standard deviation, over which the effect is taken.

    Of pooled collections the deviation is the root of the mean of their variances.
    """
    if units.collections is None:
        return pairs.scatter(units.tested.linear())
    tables = units.tables()
    if min(map(len, tables)) < 2:
        nothing = np.full(len(pairs.a), np.nan)
        return nothing, nothing
    centers = []
    variances = []
    for table in tables:
        center, scale = pairs.scatter(table)
        centers.append(center)
        variances.append(scale**2)
    return np.mean(centers, axis=0), np.sqrt(np.mean(variances, axis=0))


def correct_again(
    rows: list[ComparisonRow], test: Test, correction: Correction | None
) -> list[ComparisonRow]:
    """Rows with p-values corrected for the number of these rows."""
    p = np.array([row.p for row in rows], np.float64)
    tested = np.flatnonzero(~np.isnan(p))  # nan stays nan and is not counted
    if correction is not None and test not in TUKEY_TESTS:
        # p in ascending order, p(1) to p(m); steps are m, m - 1, ... 1. Holm: m p(1), then at least
        # (m - 1) p(2), and so on, never smaller than the one before. Benjamini and Hochberg: from
        # the end p(m), then at most m / (m - 1) p(m - 1), and so on.
        order = tested[np.argsort(p[tested], kind="stable")]
        steps = np.arange(len(order), 0, -1)
        if correction == "bonferroni":
            p[order] *= len(order)
        elif correction == "holm":  # "A simple sequentially rejective ... procedure" (1979)
            p[order] = np.maximum.accumulate(p[order] * steps)
        elif correction == "bh":  # "Controlling the false discovery rate" (1995)
            p[order[::-1]] = np.minimum.accumulate(p[order[::-1]] * (len(order) / steps))
        else:
            raise ValueError(f"nothing computes the correction {correction!r}; please report this")
        p[tested] = np.minimum(p[tested], 1.0)
    corrected = []
    for row, p_corrected in zip(rows, p.tolist(), strict=True):
        corrected.append(row._replace(p_corrected=p_corrected))
    return corrected
