"""What a comparison of systems found: a row for each measure, segment and pair."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..above import above
from ..evaluation.fixed import Fixed
from ..evaluation.grid import check_precision, is_smaller_better
from ..text import deliver, html, latex, markdown, separated

if TYPE_CHECKING:
    from ..evaluation.evaluations import Evaluations

TUKEY_TESTS = ("tukey", "randomised_tukey")  # which correct for the pairs of a measure themselves


class ComparisonRow(NamedTuple):
    """Two systems on one measure: a beside b.

    measure, segment : what is compared, on the lists of which segment (None: all)
    a, b : names of the systems; with a baseline b is the baseline
    mean_a, mean_b, difference : over the lists where both have a value; mean_a - mean_b
    low, high : interval of the difference; nan where lists or resamples are too few for one
    effect : standardised mean difference, the mean of the lists' differences over their standard
        deviation (ddof 1); infinite where all lists differ by the same
    p, p_corrected : of the test, and corrected for the number of comparisons
    wins, ties, losses : lists where a is better than b, as good, worse
    lists : where both have a value
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

    @property
    def won(self) -> float:
        """The share of lists won, ties counted half: the common-language effect size."""
        return (self.wins + self.ties / 2) / self.lists if self.lists else float("nan")


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems compared pair by pair; print it for the table. Immutable.

    Attributes
    ----------
    rows : tuple of `ComparisonRow`
    names : systems, in the order given
    measures : names of the measures compared
    segments : names of the segments; empty where `by` was not given
    baseline : name of the system that all others are compared with; None: all pairs
    test, correction, resamples, level, seed : as asked
    queries : number of lists that were compared
    left_out : mapping of name -> lists of that system that others lack (queries="common")
    convention, versions : as the evaluations have them
    evaluations : the `Evaluations` compared; None after `read`
    """

    rows: tuple[ComparisonRow, ...]
    names: tuple[str, ...]
    measures: tuple[str, ...]
    segments: tuple[str, ...]
    baseline: str | None
    test: str
    correction: str | None
    resamples: int
    level: float
    seed: int
    queries: int
    left_out: Mapping[str, int]
    convention: str
    versions: Mapping[str, str]
    evaluations: "Evaluations | None" = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("left_out", "versions"):
            object.__setattr__(self, name, Fixed(getattr(self, name)))

    def __hash__(self) -> int:
        return hash((self.rows, self.test, self.correction))

    def __len__(self) -> int:
        return len(self.rows)

    def is_significant(self, row: ComparisonRow) -> bool:
        """Whether the corrected p-value of a row is below 1 - level."""
        return bool(row.p_corrected < 1 - self.level)

    def is_better(self, row: ComparisonRow) -> bool:
        """Whether a is the better one of a row, by however little."""
        return (row.difference < 0) if is_smaller_better(row.measure) else (row.difference > 0)

    def to_dict(self) -> dict[str, Any]:
        """All of it but the evaluations, as plain data; `rows` is a list of dicts."""
        result: dict[str, Any] = above("output.text.comparison_json").data_of(self)
        return result

    def to_json(self, path: Any = None) -> str | None:
        """`to_dict` as strict JSON: null for nan, infinity as a word; returned, or written."""
        return deliver(above("output.text.comparison_json").json_of(self), path)

    @classmethod
    def read(cls, path: Any) -> "Comparison":
        """What `to_json` wrote; a file of anything else is a ValueError that says what is wrong."""
        return cls(**above("output.text.comparison_json").read_json(path, ComparisonRow))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the rows; needs pandas."""
        import pandas

        return pandas.DataFrame(list(self.rows), columns=list(ComparisonRow._fields))

    def to_polars(self) -> Any:
        """A polars.DataFrame of the rows; needs polars."""
        import polars

        columns: Any = zip(*self.rows, strict=True) if self.rows else [()] * 16
        return polars.DataFrame(
            {name: list(one) for name, one in zip(ComparisonRow._fields, columns, strict=True)}
        )

    def to_csv(self, path: Any = None, *, safe: bool = True) -> str | None:
        """The rows in full; returned, or written to a path. safe: no name becomes a formula."""
        return deliver(separated(ComparisonRow._fields, self.rows, ",", safe), path)

    def to_markdown(self, path: Any = None, *, precision: int = 4) -> str | None:
        """The table that print shows, of all rows; returned, or written to a path."""
        text = above("output.text.comparison")

        check_precision(precision)
        return deliver(markdown(text.table(self, self.rows, precision), text.notes(self)), path)

    def to_latex(
        self,
        path: Any = None,
        *,
        caption: str | None = None,
        label: str | None = None,
        precision: int = 4,
        second: bool = False,
        against: Any = None,
        segment: str | None = None,
        transpose: bool = False,
    ) -> str | None:
        r"""The means of all systems for a paper, with the rules of booktabs; returned, or written.

        The best of each measure is bold. Each of up to 12 systems has a letter; a superscript says
        which systems a mean is significantly better than, by the corrected p-values. Of more, a
        dagger marks what is better than the baseline, or than the system named by `against`.
        Needs \usepackage{booktabs}, and of more than 45 rows \usepackage{longtable}.

        Parameters
        ----------
        caption, label : str, optional
            Where one is given, the tabular stands in a table environment. The label is taken as
            it is; in everything else what LaTeX takes for commands is escaped.
        precision : int
            Decimals.
        second : bool
            Underline the second best of each measure.
        against : name or sequence of names, optional
            Superscripts against these systems alone.
        segment : str, optional
            Of a comparison with `by`, the segment to show; by default the first.
        transpose : bool
            Measures as rows.
        """
        text = above("output.text.comparison")

        grid = text.means_grid(self, check_precision(precision), against, segment)
        grid = grid.turned() if transpose else grid
        text = latex(
            grid.latex(precision, second), text.legend(self, segment, against), caption, label
        )
        return deliver(text, path)

    def report(self, path: Any, **options: Any) -> None:
        """Write one HTML page that says what was compared and what may be concluded.

        Tables, pictures and queries in one file, which needs no network. With the `qrels` and the
        `runs` (mapping of name -> run) that were evaluated, it explains the rankings of the two
        systems that it holds against each other; `title` names the page.
        """
        above("output.report").report(self, path, **options)

    def _repr_html_(self) -> str:
        text = above("output.text.comparison")

        return html(text.table(self, self.rows[: text.PRINTED_ROWS], 4), text.notes(self))

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.names)} systems: {len(self.rows)} rows; print it>"

    def __str__(self) -> str:
        result: str = above("output.text.comparison").printed(self)
        return result
