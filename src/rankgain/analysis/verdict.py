"""A comparison in a few sentences: what was shown, what could have been, what moved most."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..engine.intervals import FEW
from ..evaluation.counting import compare_users
from ..inputs.printable import count_of, printable
from ..measures.all_lists import is_over_all_lists
from ..measures.measure import find_family, is_smaller_better, parse_measure
from .power import find_difference, format_difference
from .tukey import TUKEY_TESTS

if TYPE_CHECKING:
    from .comparison import Comparison, ComparisonRow

TESTS_OF_MEANS = ("t", "randomisation", "bootstrap")  # whose power is near that of the t test
RESAMPLED = ("randomisation", "bootstrap", "randomised_tukey")
POWER = 0.8  # of the difference that could have been found
MAX_QUERIES = 3  # queries that are named
MAX_NAMES = 6  # systems, measures or segments in a sentence at most


# ---- what could have been found


def describe_power(comparison: Comparison, measures: Sequence[str] | None = None) -> str | None:
    """The sentence about the difference that would have been found, if nothing was significant.

    The level is that of a single comparison: with a correction, a single difference is significant
    if its p is below (1 - level) / comparisons. None if something is significant, or if there are
    too few queries or no scatter.
    """
    if measures is None:
        measures = comparison.measures
    rows = [row for row in comparison.rows if row.measure in measures]
    tested = [row for row in comparison.rows if not math.isnan(row.p)]
    if not tested or comparison.collections or any(map(comparison.is_significant, rows)):
        return None
    list_counts = {row.lists for row in rows}
    rows = _rows_of_largest_segment(rows)
    level = 1 - comparison.level
    # The comparisons that the level is divided by. Tukey's tests correct for the pairs of each
    # measure, the corrections for all rows.
    count = len(tested)
    if comparison.test in TUKEY_TESTS:
        count = len({(row.a, row.b) for row in tested})
    elif comparison.correction is None:
        count = 1
    n = min((row.lists for row in rows if row.lists >= 2), default=0)
    segment = rows[0].segment
    of_segment = ""
    if segment is not None:
        of_segment = f" (segment {printable(segment)})"
    corrected = ""
    if count > 1:
        corrected = f", corrected for {count} comparisons"
    if n >= 2 and _smallest_p(comparison, n) >= level / count:
        cause = f"{_count_lists(comparison, n)}{of_segment}"
        if segment is not None:  # no segment has more queries, so none can be significant
            cause = f"at most {_count_lists(comparison, n)} per segment"
            if len(list_counts) == 1:
                cause = f"{_count_lists(comparison, n)} per segment"
        # With more resamples p could be smaller, unless the n queries have too few sign patterns.
        remedy = ""
        if not _has_few_patterns(comparison, n) or 2.0 ** (1 - n) < level / count:
            cause = f"{comparison.resamples:,} resamples"
            remedy = "; use more resamples"
        return f"With {cause} this test cannot find any difference{corrected}{remedy}."
    differences: list[tuple[str, float]] = []
    for measure in dict.fromkeys(row.measure for row in rows):
        deviation = _pooled_deviation(comparison, [row for row in rows if row.measure == measure])
        if deviation is not None and n >= 2:
            difference = find_difference(deviation, n, level / count, POWER)
            differences.append((measure, difference))
    if not differences:
        return None
    sizes = format_difference(differences[0][1])
    if len(comparison.measures) > 1:
        parts = []
        for measure, difference in differences[:MAX_NAMES]:
            parts.append(f"{format_difference(difference)} in {printable(measure)}")
        sizes = join_words(parts, "or")
    test = "a paired t test"
    if comparison.test in TESTS_OF_MEANS:
        test = "this test"
    return (
        f"With {_count_lists(comparison, n)}{of_segment} {test} would have found a difference of "
        f"{sizes} in {POWER:.0%} of cases{corrected}."
    )


def _smallest_p(comparison: Comparison, n: int) -> float:
    """The smallest p of the test with n queries, which of few have few patterns of signs."""
    # Of all 2**n patterns two are as extreme as can be: all signs plus, and all minus.
    if _has_few_patterns(comparison, n) and 2**n <= comparison.resamples:
        return 2.0 ** (1 - n)
    if comparison.test in RESAMPLED:
        return 1 / (comparison.resamples + 1)
    return 0.0


def _has_few_patterns(comparison: Comparison, n: int) -> bool:
    """Whether the smallest p depends on n: the test is that of the 2**n patterns of signs."""
    if comparison.test == "bootstrap":  # which the randomisation test replaces
        return n < FEW
    return comparison.test == "randomisation"


def _rows_of_largest_segment(rows: Sequence[ComparisonRow]) -> list[ComparisonRow]:
    """The rows of the segment with most lists; all rows, if there are no segments."""
    largest = max(rows, key=lambda row: row.lists)
    return [row for row in rows if row.segment == largest.segment]


def _pooled_deviation(comparison: Comparison, rows: Sequence[ComparisonRow]) -> float | None:
    """The root of the mean variance of the pairs' differences; None if a row does not have it.

    The effect is the difference over its standard deviation. That of geometric means is of the
    logarithms, and says nothing about differences of the means.
    """
    measure = rows[0].measure
    if measure not in comparison.better and find_family(measure).mean == "geometric":
        return None
    for evaluation in (comparison.evaluations or {}).values():
        if measure in evaluation.shares and evaluation.shares[measure].kind == "geometric":
            return None
    variances = []
    for row in rows:
        if row.effect and math.isfinite(row.effect):
            variances.append((row.difference / row.effect) ** 2)
    if not variances:
        return None
    return math.sqrt(math.fsum(variances) / len(variances))


# ---- the verdict


def write_verdict(comparison: Comparison, measure: str | None) -> str:
    """The sentences of `Comparison.verdict`."""
    name = comparison.measures[0]
    if measure is not None:
        name = _find_measure(comparison, measure)
    rows = [row for row in comparison.rows if row.measure == name]
    if comparison.segments:
        sentences = [_describe_segments(comparison, rows, name)]
    elif len(rows) == 1:
        sentences = _describe_pair(comparison, rows[0])
    elif comparison.baseline is not None:
        sentences = [_describe_baseline(comparison, rows, name)]
    else:
        sentences = [_describe_best(comparison, rows, name)]
    # The sentence about a baseline, or about the segments of one pair, names what is equivalent.
    is_named = comparison.baseline is not None
    if comparison.segments:
        is_named = not _has_several_pairs(rows)
    if len(rows) > 1 and not is_named:
        sentences.append(_describe_equivalence(comparison, rows))
    if not any(map(comparison.is_equivalent, rows)):
        sentences.append(describe_power(comparison, [name]) or "")
    sentences.append(_describe_others(comparison, name))
    sentences.append(_describe_changes(comparison, rows, name))
    return " ".join(filter(None, sentences))


def _find_measure(comparison: Comparison, measure: str) -> str:
    """A compared measure, from any spelling of its name."""
    if measure in comparison.measures:
        return measure
    name = str(parse_measure(measure))
    if name not in comparison.measures:
        compared = ", ".join(comparison.measures)
        raise ValueError(f"{name} was not compared; there are {compared}")
    return name


def _describe_pair(comparison: Comparison, row: ComparisonRow) -> list[str]:
    """Whether one of two systems is better, by how much, and whether they are equivalent."""
    measure = printable(row.measure)
    a, b = printable(row.a), printable(row.b)
    if math.isnan(row.p):
        return [f"{a} and {b} have too few common values of {measure} to compare them."]
    if comparison.is_significant(row):
        row = orient(row, comparison.is_better(row))
        a, b = printable(row.a), printable(row.b)
        start = f"{a} is better than {b} in {measure}"
    else:
        start = f"No difference in {measure} between {a} and {b} was shown"
    means = f"{format_mean(row.mean_a)} against {format_mean(row.mean_b)}"
    sentences = [f"{start}: {means}, a difference of {_numbers(comparison, row)}."]
    if comparison.is_equivalent(row):
        sentences.append(
            f"The difference was shown to be smaller than {comparison.margin:g} "
            f"(p {equals(row.p_equivalent)})."
        )
    return sentences


def _count_lists(comparison: Comparison, n: int) -> str:
    """A number of queries, or of users, as text."""
    noun = "user" if compare_users(comparison.evaluations) else "query"
    return count_of(n, noun)


def _numbers(comparison: Comparison, row: ComparisonRow) -> str:
    """A difference with its interval, p and number of queries."""
    parts = []
    if not math.isnan(row.low):
        parts.append(f"{100 * comparison.level:g}% interval {row.low:+.4f} to {row.high:+.4f}")
    word = "p" if row.p_corrected == row.p else "corrected p"
    parts.append(f"{word} {equals(row.p_corrected)}")
    parts.append(_count_lists(comparison, row.lists))
    return f"{row.difference:+.4f} ({', '.join(parts)})"


def _describe_baseline(comparison: Comparison, rows: Sequence[ComparisonRow], measure: str) -> str:
    """Which systems are better or worse than the baseline."""
    better: list[str] = []
    worse: list[str] = []
    equivalent: list[str] = []
    undecided: list[str] = []
    for row in rows:
        if comparison.is_equivalent(row):  # also if it is significant
            equivalent.append(printable(row.a))
        if comparison.is_significant(row):
            systems = better if comparison.is_better(row) else worse
            systems.append(f"{printable(row.a)} by {_numbers(comparison, row)}")
        elif not comparison.is_equivalent(row):
            undecided.append(printable(row.a))
    parts = []
    if better:
        parts.append(f"better: {join_words(better)}")
    if worse:
        parts.append(f"worse: {join_words(worse)}")
    if equivalent:
        parts.append(f"equivalent within {comparison.margin:g}: {join_words(equivalent)}")
    if undecided:
        parts.append(f"no difference shown: {join_words(undecided)}")
    baseline = printable(str(comparison.baseline))
    return f"Against the baseline {baseline} in {printable(measure)}, {'; '.join(parts)}."


def _describe_equivalence(comparison: Comparison, rows: Sequence[ComparisonRow]) -> str:
    """The pairs of systems whose difference was shown to be smaller than the margin."""
    parts = []
    for row in rows:
        if comparison.is_equivalent(row):
            in_segment = ""
            if row.segment is not None:
                in_segment = f" in {printable(str(row.segment))}"
            parts.append(f"{printable(row.a)} to {printable(row.b)}{in_segment}")
    if not parts:
        return ""
    return f"Equivalent within {comparison.margin:g}: {join_words(parts)}."


def rank_systems(comparison: Comparison, rows: Sequence[ComparisonRow], measure: str) -> list[str]:
    """The systems of these rows by their means, the best first and nan last."""
    means: dict[str, float] = {}
    for row in sorted(rows, key=lambda row: -row.lists):
        means.setdefault(row.a, row.mean_a)
        means.setdefault(row.b, row.mean_b)
    sign = 1 if is_smaller_better(measure, comparison.better) else -1
    # False sorts before True, so nan comes last.
    return sorted(means, key=lambda name: (math.isnan(means[name]), sign * means[name]))


def _describe_best(comparison: Comparison, rows: Sequence[ComparisonRow], measure: str) -> str:
    """The system with the best mean, and which others it was shown to beat."""
    ranked = rank_systems(comparison, rows, measure)
    best, second = ranked[:2]
    beaten: list[str] = []
    undecided: list[str] = []
    for system in ranked[1:]:
        row = _row_of(rows, best, system)
        # A mean over other queries may be better, though the system is worse on the common ones.
        is_beaten = comparison.is_significant(row) and comparison.is_better(row)
        systems = beaten if is_beaten else undecided
        systems.append(printable(system))
    parts = []
    if beaten:
        parts.append(f"is better than {join_words(beaten)}")
    if undecided:
        parts.append(f"was not shown to be better than {join_words(undecided)}")
    row = _row_of(rows, best, second)
    return (
        f"{printable(best)} has the best mean {printable(measure)} of {len(ranked)} systems, "
        f"{format_mean(row.mean_a)}: it {' and '.join(parts)}. Its difference from the second, "
        f"{printable(second)}, is {_numbers(comparison, row)}."
    )


def _row_of(rows: Iterable[ComparisonRow], a: str, b: str) -> ComparisonRow:
    """The row of two systems, the first as a."""
    row = next(row for row in rows if {row.a, row.b} == {a, b})
    return orient(row, row.a == a)


def _has_several_pairs(rows: Sequence[ComparisonRow]) -> bool:
    """Whether the rows are of several pairs of systems."""
    return len({(row.a, row.b) for row in rows}) > 1


def _describe_segments(comparison: Comparison, rows: Sequence[ComparisonRow], measure: str) -> str:
    """The outcomes in each segment: of a pair in words, of several pairs as numbers."""
    name = printable(measure)
    if _has_several_pairs(rows):
        parts = []
        for segment in comparison.segments[:MAX_NAMES]:
            in_segment = [row for row in rows if row.segment == segment]
            significant = sum(map(comparison.is_significant, in_segment))
            parts.append(f"{significant} of {len(in_segment)} in {printable(segment)}")
        return f"Significant differences in {name}, by segment: {join_words(parts)}."
    segments: dict[str, list[str]] = {}
    for row in rows:
        if not comparison.is_significant(row):
            outcome = "no difference shown"
        elif comparison.is_better(row):
            outcome = "better"
        else:
            outcome = "worse"
        if comparison.is_equivalent(row):
            equivalent = f"equivalent within {comparison.margin:g}"
            if comparison.is_significant(row):
                outcome = f"{outcome}, but {equivalent},"
            else:
                outcome = equivalent
        segments.setdefault(outcome, []).append(printable(str(row.segment)))
    a, b = printable(rows[0].a), printable(rows[0].b)
    parts = [f"{outcome} in {join_words(names)}" for outcome, names in segments.items()]
    return f"{a} against {b} in {name}, by segment: {'; '.join(parts)}."


def _describe_others(comparison: Comparison, measure: str) -> str:
    """The outcomes of the other measures: of one pair in words, of several as numbers."""
    parts = []
    for name in comparison.measures:
        rows = [row for row in comparison.rows if row.measure == name]
        if name == measure or not rows:
            continue
        significant = [row for row in rows if comparison.is_significant(row)]
        if len(rows) > 1:
            parts.append(f"{len(significant)} of {len(rows)} differences in {printable(name)}")
        elif significant:
            row = orient(rows[0], comparison.is_better(rows[0]))
            parts.append(
                f"{printable(row.a)} is better in {printable(name)} ({row.difference:+.4f})"
            )
        else:
            parts.append(f"no difference shown in {printable(name)}")
    if not parts:
        return ""
    subject = "Other measures"
    if len(comparison.rows) > len(comparison.measures):  # several pairs: parts are numbers
        subject = "Significant in the other measures"
    return f"{subject}: {join_words(parts)}."


def _describe_changes(comparison: Comparison, rows: Sequence[ComparisonRow], measure: str) -> str:
    """The queries whose values differ most between the two systems that the verdict is about."""
    if comparison.evaluations is None or is_over_all_lists(measure, comparison.better):
        return ""
    row = rows[0]
    ranked = rank_systems(comparison, rows, measure)
    if comparison.baseline is not None:
        best = next(name for name in ranked if name != comparison.baseline)
        row = _row_of(rows, best, comparison.baseline)
    elif len(ranked) > 2:
        row = _row_of(rows, *ranked[:2])
    elif comparison.is_significant(row):
        row = orient(row, comparison.is_better(row))
    changes = comparison.changes(measure, MAX_QUERIES, a=row.a, b=row.b)
    if not changes:
        return ""
    parts = [f"{printable(str(change.query))} ({change.difference:+.4f})" for change in changes]
    pair = ""
    if len(comparison.names) > 2:
        pair = f" between {printable(row.a)} and {printable(row.b)}"
    noun = "Users" if compare_users(comparison.evaluations) else "Queries"
    return f"{noun} that changed most{pair}: {join_words(parts)}."


def orient(row: ComparisonRow, is_right: bool) -> ComparisonRow:
    """The row as it is, or with a and b exchanged."""
    if is_right:
        return row
    return row._replace(
        a=row.b,
        b=row.a,
        mean_a=row.mean_b,
        mean_b=row.mean_a,
        difference=-row.difference,
        low=-row.high,
        high=-row.low,
        effect=-row.effect,
        wins=row.losses,
        losses=row.wins,
    )


def join_words(words: Sequence[str], conjunction: str = "and") -> str:
    """Words as a list in a sentence; of many the first, and the number of the others."""
    if len(words) > MAX_NAMES + 1:
        return f"{', '.join(words[:MAX_NAMES])} {conjunction} {len(words) - MAX_NAMES} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def format_mean(value: float) -> str:
    """A mean in a sentence."""
    return f"{value:.4f}"


def equals(p: float) -> str:
    """A p-value in a sentence, never 0."""
    if p < 0.00005:
        return "< 0.0001"
    return f"= {p:.4f}"
