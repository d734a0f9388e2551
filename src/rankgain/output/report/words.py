"""The conclusions of a comparison, in words."""

from collections.abc import Iterable, Iterator

from ...analysis.comparison import ComparisonRow
from ...evaluation.grid import is_smaller_better
from .html import count, number, p_value, signed
from .view import ReportView

NAMED = 6  # systems that a sentence names at most
FEW = 25  # with fewer lists, intervals are rough

TESTS = {
    "t": "Student's paired t test",
    "randomisation": "a paired randomisation test (Fisher's)",
    "bootstrap": "a paired bootstrap test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "sign": "the sign test",
    "tukey": "Tukey's test of all pairs",
    "randomised_tukey": "Tukey's test of all pairs by permutation",
}
CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini and Hochberg"}


def conclusions(view: ReportView) -> Iterator[str]:
    """The paragraphs about a comparison."""
    yield _order(view)
    yield _result(view, view.first)
    yield _leading(view)
    others = [_counted(view, name) for name in view.comparison.measures[1:]]
    if others:
        yield " ".join(others)
    if view.segments:
        yield from _segments(view)
    yield _how(view)
    yield _limits(view)


def _order(view: ReportView) -> str:
    best, worst = view.ranked[0], view.ranked[-1]
    high, low = (number(view.means[view.first, name].value) for name in (best, worst))
    word = "lowest, and so the best," if is_smaller_better(view.first) else "highest"
    other = "highest" if is_smaller_better(view.first) else "lowest"
    return (
        f"On {these(len(view.queries))}, {best} has the {word} {view.first} ({high}), "
        f"{worst} the {other} ({low}). Whether such a difference is more than chance is what the "
        "comparison asks."
    )


def _result(view: ReportView, measure: str) -> str:
    """The systems that are significantly better or worse."""
    baseline = view.comparison.baseline
    if len(view.rows(measure)) == 1:
        return _counted(view, measure)
    if baseline is None:
        best = view.ranked[0]
        rows = [view.row(measure, best, other) for other in view.ranked[1:]]
        text = (
            f"{_counted(view, measure)} {best}, the best by its mean, is significantly better than "
        )
        against = {outcome: [r.b for r in rows if view.outcome(r) == outcome] for outcome in (1, 0)}
        text += f"{some(against[1])}." if against[1] else "no other system."
        if against[0]:
            text += f" It could not be told apart from {some(against[0])}."
        return text
    by = {o: [r.a for r in view.rows(measure) if view.outcome(r) == o] for o in (1, -1, 0)}
    parts = [f"significantly better than the baseline {baseline}: {some(by[1]) or 'none'}"]
    if by[-1]:
        parts.append(f"significantly worse: {some(by[-1])}")
    if by[0]:
        parts.append(f"no difference shown: {some(by[0])}")
    return f"By {measure}, {'; '.join(parts)}."


def _counted(view: ReportView, measure: str) -> str:
    """The number of significant comparisons of a measure, or the outcome of a single one."""
    rows = view.rows(measure)
    outcomes = [view.outcome(row) for row in rows]
    if len(rows) == 1:
        a, b = rows[0].a, rows[0].b
        if view.comparison.baseline is not None:
            b = f"the baseline {b}"
        words = {1: "is significantly better than", -1: "is significantly worse than"}
        return f"By {measure}, {a} {words.get(outcomes[0], 'could not be told apart from')} {b}."
    if view.comparison.baseline is None:
        return (
            f"By {measure}, {sum(map(bool, outcomes))} of {len(rows)} pairs differ significantly."
        )
    return (
        f"By {measure}, {outcomes.count(1)} of {len(rows)} are significantly better than the "
        f"baseline, {outcomes.count(-1)} worse."
    )


def _leading(view: ReportView) -> str:
    """The difference of the leading pair."""
    row = view.row(view.first, *view.pair)
    text = (
        f"{row.a} differs from {row.b} by {signed(row.difference)} in {row.measure} "
        f"({_stated(view, row)}). "
    )
    if row.lists == 1:
        return text + "One list does not say how others would differ."
    text += f"It is better on {row.wins:,} of {lists(row.lists)}, equal on {row.ties:,}, worse "
    text += f"on {row.losses:,}. "
    if abs(row.effect) < float("inf"):
        text += (
            f"The mean difference is {abs(row.effect):.2f} standard deviations of the differences "
            "between lists. "
        )
    return text + _reading(view, row)


def _stated(view: ReportView, row: ComparisonRow) -> str:
    """The interval and the p-values of a row, or that there are none."""
    parts = ["no interval", "no p-value"]
    if row.low == row.low:
        level = percent(view.comparison.level)
        parts[0] = f"{level} interval {signed(row.low)} to {signed(row.high)}"
    if row.p == row.p:
        parts[1] = f"p {equals(row.p)}"
        if view.comparison.correction:
            parts[1] += f", corrected p {equals(row.p_corrected)}"
    return "; ".join(parts)


def _reading(view: ReportView, row: ComparisonRow) -> str:
    if view.outcome(row):
        return (
            "So a difference this large would be rare if the two were equally good; whether it is "
            "large enough to matter is another question, which its size answers."
        )
    if row.p < 1 - view.comparison.level:
        return (
            "Alone, this would count as a difference; among so many comparisons it does not, since "
            "one or another of them will look like this by chance."
        )
    return (
        "So no difference was shown. This does not say that the two are equally good: any "
        "difference inside the interval goes with these values, and more lists would narrow it."
    )


def _segments(view: ReportView) -> Iterator[str]:
    for measure in view.comparison.measures:
        parts = []
        for segment in view.segments:
            rows = view.rows(measure, segment)
            significant = sum(bool(view.outcome(row)) for row in rows)
            parts.append(f"{significant} of {len(rows)} in {segment}{of_few(rows)}")
        yield (
            f"By {measure}, compared inside each segment, significant differences are "
            f"{'; '.join(parts)}. That one segment has a significant difference and another has "
            "none does not say that the segments differ."
        )


def of_few(rows: Iterable[ComparisonRow]) -> str:
    """The number of lists of a segment, if they are few."""
    fewest = min((row.lists for row in rows), default=FEW)
    return f" (only {lists(fewest)})" if fewest < FEW else ""


def _how(view: ReportView) -> str:
    """What "significant" means here."""
    comparison = view.comparison
    families = [comparison, view.by_segment] if view.segments else [comparison]
    alpha, n = percent(1 - comparison.level), sum(len(one.rows) for one in families)
    text = f"Significant means: by {TESTS[comparison.test]}, "
    if comparison.correction is None:
        text += f"p below {alpha}, without correction."
        if n > 1:
            text += (
                f" There are {n:,} comparisons, and of those where there is no difference about "
                f"{alpha} will look significant."
            )
    elif "tukey" in comparison.test:
        text += f"p below {alpha}, corrected for all pairs of systems by one measure."
        if len(comparison.measures) * max(len(view.segments), 1) > 1:
            text += " Several measures or segments are not corrected for."
    else:
        name = CORRECTIONS[comparison.correction]
        text += f"p below {alpha} after the correction of {name} for "
        text += count(len(comparison.rows), "comparison")
        if view.segments:
            text += f" on all lists, and apart for {len(view.by_segment.rows)} inside segments"
        text += "."
        if _too_few(view):
            text += (
                f" With {comparison.resamples:,} resamples no corrected p-value can be below that, "
                "however large a difference: take more resamples, a baseline or fewer measures."
            )
        if comparison.correction == "bh":
            text += f" Of the differences called significant, about {alpha} may be chance."
    if comparison.test in ("wilcoxon", "sign"):
        text += (
            " This test asks about ranks or signs, not about means; with many lists it may find "
            "a difference where the means have none."
        )
    return text


def _too_few(view: ReportView) -> bool:
    """Whether even the smallest possible p-value of the resamples would not be significant."""
    comparison = view.by_segment
    resampled = comparison.test in ("randomisation", "bootstrap")
    least = len(comparison.rows) / (comparison.resamples + 1)
    strict = comparison.correction in ("holm", "bonferroni")
    return resampled and strict and least >= 1 - comparison.level


def _limits(view: ReportView) -> str:
    """The limits of the conclusions."""
    text = (
        "All of it holds for lists like these, as if they were drawn at random from all that the "
        "systems will see, and for the judgments as they are. "
    )
    if len(view.queries) == 1:
        text += "One list is too few for intervals and p-values. "
    elif len(view.queries) < FEW:
        text += f"{lists(len(view.queries))} are few: intervals and p-values are rough. "
    few = [name for name in view.segments if of_few(view.rows(segment=name))]
    if few and len(view.queries) >= FEW:
        text += (
            f"Intervals and p-values are rough in segments of fewer than {FEW} lists: {some(few)}. "
        )
    return text + "Intervals of single means tell little about pairs: look at the differences."


def equals(p: float) -> str:
    """A p-value in a sentence: "= 0.01" or "< 0.0001"."""
    text = p_value(p)
    return f"< {text[1:]}" if text.startswith("<") else f"= {text}"


def lists(n: int) -> str:
    """A number of lists."""
    return count(n, "list")


def these(n: int) -> str:
    """The compared lists in a sentence."""
    return "this list" if n == 1 else f"these {lists(n)}"


def percent(share: float) -> str:
    """A share as per cent."""
    return f"{round(100 * share, 6):g}%"


def some(names: list[str]) -> str:
    """Names in a sentence."""
    if len(names) > NAMED + 1:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} others"
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1] if names else ""
