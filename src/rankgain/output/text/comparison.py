"""A comparison as text: the printed table, its notes, and JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from ...analysis.comparison import CORRECTIONS, TESTS, ComparisonRow, Test
from ...analysis.tukey import TUKEY_TESTS
from ...analysis.verdict import describe_power
from ...engine.intervals import FEW
from ...evaluation.counting import compare_users, footers, queries
from ...inputs.printable import count_of, printable
from ...measures.all_lists import is_over_all_lists
from ...measures.measure import is_smaller_better
from ...text import TextTable
from . import stored
from .stored import StoredError, count, make_choice, make_list, make_table, or_null, record, text

if TYPE_CHECKING:
    from ...analysis.comparison import Comparison
    from ...evaluation.evaluation import Evaluation
    from ...inputs.types import Path

PRINTED_ROWS = 60

# The words of the notes below a table, for each correction and test.
CORRECTED = {
    "holm": "Holm-corrected",
    "bonferroni": "Bonferroni-corrected",
    "bh": "Benjamini-Hochberg-corrected",
    None: "not corrected",
}
WORDS = {
    "t": "paired t test",
    "randomisation": "randomisation test",
    "bootstrap": "paired bootstrap test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "tukey": "Tukey's test",
    "randomised_tukey": "randomised Tukey test",
}
SAYS_RESAMPLES = ("randomisation", "bootstrap", "randomised_tukey")
# Where the intervals of a test come from. The tests of ranks and signs give no interval of the
# mean, so theirs are those of the randomisation test, as of every test that is not listed.
INTERVALS = {
    "t": "Student's t of the paired differences; not corrected",
    **dict.fromkeys(TUKEY_TESTS, "simultaneous for all pairs of a measure"),
    "bootstrap": "paired bootstrap test inverted; not corrected",
}
OF_RANDOMISATION = "randomisation test inverted, or Student's t if wider; not corrected"


def table(comparison: Comparison, rows: Sequence[ComparisonRow], precision: int) -> TextTable:
    """Rows as a table; a star marks corrected p-values below 1 - level.

    The columns are those that a decision needs, p and its star before the counts, because a page or
    a terminal may cut long lines. `rows` has the effect size.
    """
    names = ["measure", "a", "b"]
    if comparison.segments:
        names.insert(1, "segment")
    heads = [*names, "mean a", "mean b", "a - b", f"{100 * comparison.level:g}% interval", "p"]
    is_corrected = _has_other_corrected(comparison)
    if is_corrected:
        heads.append("corrected")
    heads.append("")
    if comparison.margin is not None:
        heads += ["p equivalent", "outcome"]
    heads.append("w/t/l")
    cells_of_rows = []
    for row in rows:
        cells = [getattr(row, name) or "" for name in names]
        cells += [f"{row.mean_a:.{precision}f}", f"{row.mean_b:.{precision}f}"]
        cells.append(f"{row.difference:+.{precision}f}")
        interval = "--"
        if not math.isnan(row.low):
            interval = f"[{row.low:+.{precision}f}, {row.high:+.{precision}f}]"
        cells.append(interval)
        cells.append(probability(row.p))
        if is_corrected:
            cells.append(probability(row.p_corrected))
        cells.append("*" if comparison.is_significant(row) else "")
        if comparison.margin is not None:
            cells += [probability(row.p_equivalent), comparison.outcome(row)]
        wins_ties_losses = f"{row.wins}/{row.ties}/{row.losses}"
        if is_over_all_lists(row.measure, comparison.better):
            # A number of all lists together has no value of a list: the row would count the
            # values of the jackknife.
            wins_ties_losses = "--"
        cells.append(wins_ties_losses)
        cells_of_rows.append(list(map(printable, cells)))
    return TextTable(heads, cells_of_rows, len(names))


def probability(p: float) -> str:
    """A p-value with four decimals, never 0."""
    if p < 0.00005:
        return "<0.0001"
    return f"{p:.4f}"


def notes(comparison: Comparison) -> list[str]:
    """The notes of a table: queries, test, correction and intervals."""
    alpha = f"{1 - comparison.level:.2g}"
    systems: Mapping[str, Evaluation] = comparison.evaluations or {}
    counts = [evaluation.counts for evaluation in systems.values()]
    of_users = compare_users(comparison.evaluations)
    lines = [queries(comparison.queries, of_users)]
    if comparison.convention:
        lines[0] += f" (convention {printable(comparison.convention)})"
    if comparison.left_out:
        left_out = []
        for name, lists in comparison.left_out.items():
            left_out.append(f"{queries(lists, of_users)} of {printable(name)}")
        lines[0] += f"; left out {' and '.join(left_out)} that other systems lack"
    if any(count.get("missing") or count.get("undefined") for count in counts):
        texts = footers(systems)
        if len(texts) == 1 and not comparison.left_out:
            lines = texts
        else:
            # The first line has the convention of all systems.
            suffix = f" (convention {printable(comparison.convention)})"
            lines += [text.removesuffix(suffix) for text in texts]
    lines.append(f"p: {describe_test(comparison)}")
    starred = "corrected p" if _has_other_corrected(comparison) else "p"
    nouns = "users" if of_users else "queries"
    counted = "users for whom a" if of_users else "queries that a"
    lines.append(f"*: {starred} below {alpha}; w/t/l: {counted} wins, ties, loses")
    smaller = []
    for measure in comparison.measures:
        if is_smaller_better(measure, comparison.better):
            smaller.append(printable(measure))
    if smaller:
        names = ", ".join(smaller)
        lines.append(f"{names}: smaller is better, so a is better if a - b is negative")
    if comparison.collections:
        lines.append(
            f"each of {len(comparison.collections)} collections counts equally: p and intervals "
            f"resample the {nouns} within each"
        )
    if comparison.margin is not None:
        lines.append(
            f"equivalent: the difference is shown to be smaller than {comparison.margin:g} (two "
            f"one-sided t tests, p equivalent below {alpha}, not corrected); better, worse: "
            f"{starred} below {alpha}; undecided: neither"
        )
    # The p-value of resamples is (1 + those at least as extreme as the data) / (1 + all): the data
    # themselves count as one, so p is never 0.
    smallest_p = 1 / (comparison.resamples + 1)
    is_drawn = comparison.test in SAYS_RESAMPLES
    if is_drawn and any(math.isclose(row.p, smallest_p) for row in comparison.rows):
        lines.append(
            f"p {probability(smallest_p)} is the smallest p that "
            f"{comparison.resamples:,} resamples can give"
        )
    if not all(math.isnan(row.low) for row in comparison.rows):
        method = INTERVALS.get(comparison.test, OF_RANDOMISATION)
        if _replaces_bootstrap(comparison):
            method = OF_RANDOMISATION
        lines.append(f"{100 * comparison.level:g}% intervals: {method}")
    if _replaces_bootstrap(comparison):
        lines.append(f"the bootstrap was not used, because it needs at least {FEW} {nouns}")
    elif comparison.test == "bootstrap" and any(0 < row.lists < FEW for row in comparison.rows):
        lines.append(
            f"with fewer than {FEW} {nouns}, p and interval are those of the randomisation test"
        )
    if any(row.lists and math.isnan(row.low) for row in comparison.rows):
        lines.append(
            f"--: no interval, because with so few {nouns} or resamples no p can be below {alpha}"
        )
    if comparison.test in ("wilcoxon", "sign"):
        lines.append(
            f"with many {nouns} this test may reject although the means are equal, because it "
            "tests ranks or signs; the randomisation test and the t test compare means"
        )
    could_be_found = describe_power(comparison)
    if could_be_found is not None:
        lines.append(could_be_found)
    return lines


def _has_other_corrected(comparison: Comparison) -> bool:
    """Whether a corrected p-value differs from its p-value, so that a table has both."""
    return any(row.p_corrected != row.p for row in comparison.rows if not math.isnan(row.p))


def _replaces_bootstrap(comparison: Comparison) -> bool:
    """Whether the randomisation test replaces the bootstrap in all rows, as queries are few."""
    return comparison.test == "bootstrap" and all(row.lists < FEW for row in comparison.rows)


def describe_test(comparison: Comparison) -> str:
    """The test, its resamples and its correction as text."""
    test = comparison.test
    if _replaces_bootstrap(comparison):
        test = "randomisation"
    words = WORDS[test]
    if test in SAYS_RESAMPLES:
        words += f", {_describe_draws(comparison, test)}"
    if comparison.test in TUKEY_TESTS:
        return f"{words}, which corrects for all pairs of a measure"
    words += f", {CORRECTED[comparison.correction]}"
    if comparison.correction:
        words += f" for {count_of(len(comparison.rows), 'comparison')}"
    return words


def _describe_draws(comparison: Comparison, test: Test) -> str:
    """The resamples of a test, or that it takes all sign patterns."""
    draws = f"{comparison.resamples:,} resamples, seed {comparison.seed}"
    if test != "randomisation":
        return draws
    # n differences have 2**n patterns of signs. If they are at most as many as the resamples, the
    # test takes each pattern once; n is then at most the logarithm of the resamples, rounded down.
    max_lists = comparison.resamples.bit_length() - 1
    numbers_of_lists = {row.lists for row in comparison.rows}
    exact = {lists for lists in numbers_of_lists if lists <= max_lists}
    if not exact:
        return draws
    if exact != numbers_of_lists:
        return f"{draws}, all sign patterns for up to {max(exact)} queries"
    if len(exact) > 1:
        return "all sign patterns"
    return f"all {2 ** max(exact):,} sign patterns"


def find_beaten(
    comparison: Comparison, rows: Sequence[ComparisonRow]
) -> dict[tuple[str, str], set[str]]:
    """By system and measure, the systems that are significantly worse."""
    beaten: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if comparison.is_significant(row):
            better, worse = row.a, row.b
            if not comparison.is_better(row):
                better, worse = worse, better
            beaten.setdefault((better, row.measure), set()).add(worse)
    return beaten


# The kinds of numbers in a stored comparison; a row without enough lists has nan as p.
PROBABILITY = stored.make_kind(
    "a number from 0 to 1", lambda p: math.isnan(p) or 0 <= p <= 1, stored.number
)
LEVEL = stored.make_kind("a number above 0 and below 1", lambda level: 0 < level < 1, stored.number)
MARGIN = stored.make_kind("a number above 0", lambda margin: 0 < margin < math.inf, stored.number)


def write_json(comparison: Comparison) -> str:
    """The data as strict JSON."""
    version = comparison.versions.get("rankgain", "")
    return stored.write({"rankgain": version, "comparison": comparison.to_dict()})


def read_json(path: Path) -> dict[str, Any]:
    """The fields of a Comparison, from what `write_json` wrote."""
    read = record({"comparison": _read_comparison})
    try:
        fields: dict[str, Any] = read(stored.load(path))["comparison"]
    except StoredError as error:
        raise ValueError(
            f"{printable(str(path))}: this is not a comparison that rankgain wrote: {error}"
        ) from None
    # A Comparison has tuples where JSON has lists.
    for name, value in fields.items():
        if isinstance(value, list):
            fields[name] = tuple(value)
    return fields


def _read_comparison(data: object) -> dict[str, object]:
    """The fields of a Comparison; rows must match its systems, measures and segments."""
    texts = make_list(text)
    better = stored.read_better(data)
    name_of_measure = stored.make_name(better)
    # First the names of systems, measures and segments, which rows must have.
    heads = {"names": texts, "measures": make_list(name_of_measure), "segments": texts}
    names, measures, segments = record(heads)(data).values()
    name = make_choice(names, "the name of a system")
    row = stored.make_fields(
        ComparisonRow,
        measure=make_choice(measures, "one of the measures"),
        segment=make_choice(segments or [None], "one of the segments"),
        a=name,
        b=name,
        p=PROBABILITY,
        p_corrected=PROBABILITY,
        p_equivalent=PROBABILITY,
    )
    kinds = {
        "rows": make_list(row),
        **heads,
        "baseline": or_null(name),
        "test": make_choice(TESTS),
        "correction": or_null(make_choice(CORRECTIONS)),
        "resamples": stored.make_whole(1),
        "level": LEVEL,
        "seed": count,
        "queries": count,
        "left_out": make_table(count, name),
        "convention": text,
        "versions": make_table(text),
    }
    result: dict[str, Any] = record(kinds, {"margin": or_null(MARGIN), "collections": texts})(data)
    if not better.keys() <= set(measures):
        raise StoredError("a name is not among the measures", "better")
    result["better"] = better
    baseline = result["baseline"]
    if baseline is None:
        pairs = list(combinations(names, 2))
    else:
        pairs = [(name, baseline) for name in names if name != baseline]
    # The order of a pair is free; each must be there once for every segment and measure.
    expected = set(product(segments or [None], measures, map(frozenset, pairs)))
    keys = [(row.segment, row.measure, frozenset((row.a, row.b))) for row in result["rows"]]
    if len(keys) != len(set(keys)) or set(keys) != expected:
        raise StoredError("they must be those of every segment, measure and pair", "rows")
    for index, row in enumerate(result["rows"]):
        if row.wins + row.ties + row.losses != row.lists:
            raise StoredError("it must be the sum of wins, ties and losses", "rows", index, "lists")
    return result
