"""Comparison: the result of `compare`, with a row for each measure, segment and pair."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

from ..evaluation.fixed import Fixed
from ..inputs.printable import escape_surrogates
from ..measures.measure import is_smaller_better
from ..text import align, check_precision, deliver, html, latex, markdown, separate, wrap_notes

if TYPE_CHECKING:
    from ..evaluation.evaluations import Evaluations
    from ..inputs.types import Path, Records
    from ..measures.measure import Measure
    from ..measures.types import Measures
    from .changes import QueryChange
    from .system_ranks import Ranks

Test: TypeAlias = Literal[
    "t", "randomisation", "bootstrap", "wilcoxon", "sign", "tukey", "randomised_tukey"
]
Correction: TypeAlias = Literal["holm", "bonferroni", "bh"]
TESTS: tuple[Test, ...] = get_args(Test)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)


class ComparisonOptions(TypedDict, total=False):
    """The options of `compare`."""

    baseline: str | None
    measures: Measures | None
    test: Test
    correction: Correction | None
    resamples: int
    level: float
    seed: int
    queries: Literal["same", "common"]
    by: object
    margin: float | None


class ComparisonRow(NamedTuple):
    """Systems a and b on one measure.

    Attributes
    ----------
    measure, segment
        The measure, and the segment of lists (None: all lists).
    a, b
        Names of the systems; with a baseline, b is the baseline.
    mean_a, mean_b
        Means over the lists where both have a value.
    difference
        mean_a - mean_b.
    low, high
        Interval of the difference; nan if there are too few lists or resamples.
    effect
        Standardised mean difference: the mean of the lists' differences over their standard
        deviation (ddof 1); infinite if all lists differ by the same amount.
    p, p_corrected
        p-value of the test, and the p-value corrected for the number of comparisons.
    wins, ties, losses
        Number of lists where a is better than b, as good, worse.
    lists
        Number of lists where both have a value.
    p_equivalent
        p-value of two one-sided t tests of whether the difference lies inside the margin of
        `compare`, not corrected; nan without a margin.
    """

    measure: str
    segment: str | None
    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    effect: float
    p: float
    p_corrected: float
    wins: int
    ties: int
    losses: int
    lists: int
    p_equivalent: float = math.nan

    def __reduce__(self) -> tuple[type[ComparisonRow], tuple[object, ...]]:
        """Leave out a default p_equivalent: a copy of it would be another nan, and so unequal."""
        values = tuple(self)
        if math.isnan(self.p_equivalent):
            values = values[:-1]
        return ComparisonRow, values

    @property
    def win_rate(self) -> float:
        """The share of lists won, ties counted as half: the common-language effect size."""
        if not self.lists:
            return math.nan
        return (self.wins + self.ties / 2) / self.lists


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems compared pair by pair; print it for the table. Immutable.

    Attributes
    ----------
    rows : tuple of `ComparisonRow`
    names : systems, in the order given
    measures : names of the measures compared
    segments : names of the segments; empty without `by`
    baseline : name of the system that all others are compared with; None: all pairs
    test, correction, resamples, level, seed : the arguments of `compare`
    queries : number of lists that were compared
    left_out : mapping of system -> number of its lists that other systems lack (queries="common")
    convention, versions : of the evaluations
    better : mapping of measure -> "higher" or "lower", of the measures with a free name
    margin : of equivalence; None: not tested
    collections : names of the pooled collections; empty if there is one
    evaluations : the `Evaluations` compared; None after `read`
    """

    rows: tuple[ComparisonRow, ...]
    names: tuple[str, ...]
    measures: tuple[str, ...]
    segments: tuple[str, ...]
    baseline: str | None
    test: Test
    correction: Correction | None
    resamples: int
    level: float
    seed: int
    queries: int
    left_out: Mapping[str, int]
    convention: str
    versions: Mapping[str, str]
    evaluations: Evaluations | None = field(default=None, compare=False)
    better: Mapping[str, str] = field(default_factory=Fixed)
    margin: float | None = None
    collections: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("left_out", "versions", "better"):
            object.__setattr__(self, name, Fixed(getattr(self, name)))

    def __hash__(self) -> int:
        return hash((self.rows, self.test, self.correction))

    def __len__(self) -> int:
        return len(self.rows)

    def is_significant(self, row: ComparisonRow) -> bool:
        """Whether the corrected p-value of a row is below 1 - level."""
        return bool(row.p_corrected < 1 - self.level)

    def is_better(self, row: ComparisonRow) -> bool:
        """Whether a is better than b in a row, significantly or not."""
        if is_smaller_better(row.measure, self.better):
            return row.difference < 0
        return row.difference > 0

    def is_equivalent(self, row: ComparisonRow) -> bool:
        """Whether the systems of a row are equivalent: `p_equivalent` is below 1 - level."""
        return bool(row.p_equivalent < 1 - self.level)

    def outcome(self, row: ComparisonRow) -> str:
        """The outcome of a row in words: what was shown of a against b.

        "better" or "worse": the corrected p-value is below 1 - level. "equivalent": the difference
        is smaller than the margin, as `p_equivalent` is below 1 - level. "undecided": neither. A
        difference may be shown and be smaller than the margin: then "better, equivalent".
        """
        words = []
        if self.is_significant(row):
            words.append("better" if self.is_better(row) else "worse")
        if self.is_equivalent(row):
            words.append("equivalent")
        return ", ".join(words) or "undecided"

    def changes(
        self, measure: str | Measure, n: int = 10, *, a: str | None = None, b: str | None = None
    ) -> tuple[QueryChange, ...]:
        """The n queries whose values differ most between two systems, the largest change first.

        Only the compared queries count, of all segments together. A query is left out if either
        system has no value for it or if both values are equal. Queries with equal changes keep
        their order.

        Parameters
        ----------
        measure : str
            Any spelling of a measure that was evaluated.
        n : int
            At most so many queries.
        a, b : str, optional
            Names of the systems. Of two systems, those of the rows. With a baseline, `b` is the
            baseline by default.

        Examples
        --------
        >>> import rankgain as rg
        >>> labels = [[0, 1], [1, 0], [0, 1]]
        >>> scores = {"old": [[1, 2], [1, 2], [2, 1]], "new": [[1, 2], [2, 1], [2, 1]]}
        >>> comparison = rg.compare(rg.evaluate_models(labels, scores, "RR"), baseline="old")
        >>> comparison.changes("RR")
        (QueryChange(query=1, value_a=1.0, value_b=0.5, difference=0.5),)
        """
        from .changes import find_changes

        return find_changes(self, measure, n, a, b)

    def ranks(self, measure: str | Measure, *, level: float = 0.95) -> Ranks:
        """The rank of each system by its mean, with intervals that hold together.

        Returns {system: (rank, low, high)}, the best system first; print it for a table, which
        says which systems are tied for best. `plot.ranks` draws it. The true rank of every system
        lies in its interval in `level` of cases. Equal means share the smallest rank.

        A pair of systems is told apart if `|mean(d) / se|` exceeds the `level` quantile of the
        greatest `|mean*(d) - mean(d)| / se*` of all pairs, over resamples of the queries with
        standard errors of their own. low is 1 + the number of systems shown to be better, high the
        number of systems without those shown to be worse. Resamples and seed are those of the
        comparison. All systems take part, also with a baseline, and only queries where all have a
        value. With one query nothing is told apart. A ValueError for a comparison from a file.

        Romano and Wolf, Econometrica 2005; Mogstad, Romano, Shaikh and Wilhelm, Review of Economic
        Studies 2024.

        >>> import rankgain as rg
        >>> values = {"a": [0.9, 0.8, 0.7] * 9, "b": [0.8, 0.9, 0.7] * 9, "c": [0.3, 0.2, 0.2] * 9}
        >>> runs = {name: rg.Evaluation.from_values({"f1": row}) for name, row in values.items()}
        >>> print(rg.compare(runs).ranks("f1"))
        system  mean f1  rank     95%
        a        0.8000     1  [1, 2]  tied for best
        b        0.8000     1  [1, 2]  tied for best
        c        0.2333     3  [3, 3]
        27 queries; ranks of the means, and ranks that hold for all systems together with
          confidence 95% (bootstrap over queries)
        """
        from .system_ranks import find_ranks

        return find_ranks(self, measure, level)

    def verdict(self, measure: str | None = None) -> str:
        """The result in a few sentences, such as for a pull request.

        Which system is better and by how much, with its interval; or that nothing was shown, and
        which difference would have been found; and the queries that moved most, which a comparison
        from a file does not know. measure: any spelling of a compared measure, by default the
        first; the others have one sentence. The page of `report` and `rankgain compare --verdict`
        have the same text.

        >>> import rankgain as rg
        >>> values = {"old": [0.4, 0.6, 0.3, 0.8, 0.5] * 4, "new": [0.5, 0.7, 0.3, 0.7, 0.6] * 4}
        >>> runs = {name: rg.Evaluation.from_values({"f1": row}) for name, row in values.items()}
        >>> rg.compare(runs, baseline="old").verdict().partition(":")[0]
        'No difference in f1 between new and old was shown'
        """
        from .verdict import write_verdict

        return write_verdict(self, measure)

    def to_dict(self) -> dict[str, Any]:
        """All attributes except the evaluations as plain data; `rows` is a list of dicts."""
        data = {**vars(self), "rows": [row._asdict() for row in self.rows]}
        del data["evaluations"]
        for name, value in data.items():
            if isinstance(value, tuple):
                data[name] = list(value)
            elif isinstance(value, Mapping):
                data[name] = dict(value)
        return data

    def to_json(self, path: Path | None = None) -> str | None:
        """`to_dict` as strict JSON, returned or written to a path; nan is null, infinity "inf"."""
        from ..output.text.comparison import write_json

        return deliver(write_json(self), path)

    @classmethod
    def read(cls, path: Path) -> Comparison:
        """Read what `to_json` wrote. Any other content raises a ValueError that says why."""
        from ..output.text.comparison import read_json

        return cls(**read_json(path))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the rows; needs pandas."""
        import pandas

        return pandas.DataFrame(
            list(map(escape_surrogates, self.rows)), columns=list(ComparisonRow._fields)
        )

    def to_polars(self) -> Any:
        """A polars.DataFrame of the rows; needs polars."""
        import polars

        rows = list(map(escape_surrogates, self.rows))
        columns = {}
        for position, name in enumerate(ComparisonRow._fields):
            columns[name] = [row[position] for row in rows]
        return polars.DataFrame(columns)

    def to_csv(self, path: Path | None = None, *, safe: bool = True) -> str | None:
        """The rows as CSV, returned or written to a path; safe: escape spreadsheet formulas."""
        return deliver(separate(ComparisonRow._fields, self.rows, ",", safe), path)

    def to_markdown(self, path: Path | None = None, *, precision: int = 4) -> str | None:
        """The printed table with all rows as Markdown, returned or written to a path."""
        from ..output.text.comparison import notes, table

        check_precision(precision)
        return deliver(markdown(table(self, self.rows, precision), notes(self)), path)

    def to_latex(
        self,
        path: Path | None = None,
        *,
        caption: str | None = None,
        label: str | None = None,
        precision: int = 4,
        second: bool = False,
        against: object = None,
        segment: str | None = None,
        transpose: bool = False,
    ) -> str | None:
        r"""The means of all systems as a booktabs table for a paper, returned or written to a path.

        The best mean of each measure is bold. With a baseline a dagger marks means that are
        significantly better than the baseline, and a double dagger those that are significantly
        worse, by the corrected p-values. Without a baseline each of up to 12 systems has a letter,
        and superscripts name the systems that are significantly worse; of more than 12 systems,
        daggers mark differences from the system named by `against`. A legend below the rows says
        which. Needs \usepackage{booktabs}, and \usepackage{longtable} for more than 45 rows.

        Parameters
        ----------
        caption, label : str, optional
            Either puts the tabular in a table environment. All text except the label is escaped
            for LaTeX.
        precision : int
            Decimals.
        second : bool
            Underline the second best of each measure.
        against : name or sequence of names, optional
            Superscripts name only these systems. With a baseline, only the baseline can be named,
            since no other pairs were tested.
        segment : str, optional
            The segment of a comparison with `by`; by default the first, and the legend names the
            others, which are not in the table.
        transpose : bool
            Measures as rows.
        """
        from ..output.text.comparison import notes
        from ..output.text.means_table import make_means_table

        grid, legend = make_means_table(self, check_precision(precision), against, segment)
        if transpose:
            grid = grid.turned()
        table = grid.table(precision, "latex", second)
        return deliver(latex(table, notes(self)[:1], caption, label, legend), path)

    def report(
        self,
        path: Path,
        *,
        qrels: Records | None = None,
        runs: Mapping[str, Records] | None = None,
        title: str | None = None,
    ) -> None:
        """Write the comparison as an HTML page: conclusions, tables, pictures and queries.

        The page is one file without external resources; its script sorts and filters the tables.
        With the `qrels` and the `runs` (mapping of name -> run) that were evaluated, it explains
        the rankings of the best system, and of the baseline or the second best, by the first
        measure among nDCG, AP, RR and ERR; if that is not possible, it says why. It has at most
        60,000 values of lists, those with the greatest differences, and 2,000 comparisons, those
        with the smallest p-values, and says so. `title` is the title of the page.

        Needs jinja2, the extra "report".
        """
        from ..output.report import page

        suffix = os.path.splitext(path)[1].lower()
        if suffix not in ("", ".html", ".htm"):
            raise ValueError(f"path ends in {suffix!r}, but a report is an HTML page; use .html")
        deliver(page(self, qrels=qrels, runs=runs, title=title), path)

    def _repr_html_(self) -> str:
        from ..output.text.comparison import PRINTED_ROWS, notes, table

        return html(table(self, self.rows[:PRINTED_ROWS], 4), notes(self))

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.names)} systems: {len(self.rows)} rows; print it>"

    def __str__(self) -> str:
        from ..output.text.comparison import PRINTED_ROWS, notes, table

        lines = align(table(self, self.rows[:PRINTED_ROWS], 4))
        n_left = len(self.rows) - PRINTED_ROWS
        if n_left > 0:
            lines.append(f"... {n_left:,} more rows: .rows has them")
        return "\n".join([*lines, *wrap_notes(notes(self))])
