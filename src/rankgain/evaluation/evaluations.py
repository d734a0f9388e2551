"""The evaluations of several runs, and their means as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..engine.notices import named_in_warnings, warn
from ..inputs.axes import find_categories
from ..inputs.lists import reword_error
from ..inputs.printable import count_of, describe, escape_surrogates, list_names, printable
from ..measures.measure import is_smaller_better
from ..text import (
    TextTable,
    align,
    check_precision,
    deliver,
    html,
    latex,
    latex_text,
    markdown,
    separate,
)
from .counting import footers, pooled_legend, printed_footers, shared_collections
from .directions import join_directions
from .evaluation import Evaluation
from .sums.merging import merge_evaluations, segment

if TYPE_CHECKING:
    from ..analysis.comparison import Comparison, ComparisonOptions
    from ..convention import Convention
    from ..inputs.types import Path, Table
    from ..measures.types import Better
    from ..output.text.formats import Grid


MAX_SEGMENT_ROWS = 20  # rows of segments that are printed


class Evaluations(Mapping[str, Evaluation]):
    """Evaluations of several runs: a mapping name -> `Evaluation` that keeps its order.

    Prints a table, runs as rows and measures as columns. Methods that write tables take `sort`, the
    name of a measure whose best run comes first; `transpose=True` for measures as rows; and
    `precision`, the number of decimals.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Evaluation]) -> None:
        self._items = dict(items)
        for name, item in self._items.items():
            if not isinstance(item, Evaluation):
                raise TypeError(
                    f"Evaluations holds an Evaluation for each name, but {describe(name)} has "
                    f"{describe(item)}"
                )
        refuse_same_names(self._items, "evaluations")
        if any(item.better for item in self._items.values()):
            join_directions(self._items)  # an error if they disagree

    def __getitem__(self, name: str) -> Evaluation:
        try:
            return self._items[name]
        except KeyError:
            raise KeyError(self._describe_missing(name)) from None

    def _describe_missing(self, name: str) -> str:
        """The error for a name that no system has, which may be that of a measure."""
        words = f"there is no system {describe(name)}"
        if not self._items:
            return words
        words = f"{words}; there are {list_names(self._items)}"
        first, evaluation = next(iter(self._items.items()))
        if name in evaluation:
            words = f"{words}. The mean of a measure is evaluations[{first!r}][{name!r}]"
        return words

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    @classmethod
    def from_frame(
        cls,
        frame: Table,
        *,
        run: str | None = None,
        query: str | Sequence[str] | None = None,
        values: str | Sequence[str] | None = None,
        measure: str | None = None,
        value: str | None = None,
        better: Better = "higher",
    ) -> Evaluations:
        """Evaluations of several systems from a table of scores that another program computed.

        Parameters
        ----------
        frame : a table, or the paths of files
            As in `evaluate_frame`: a frame of pandas, polars or pyarrow, or paths that end in
            .parquet, .csv, .tsv or .jsonl.
        run, query : names of columns
            The system of a row, and its query, task or data set; several columns in `query` name
            it together. By default the only column with a usual name, such as system or model, and
            query_id or task.
        values : name or names of columns, optional
            A wide table: a row for each system and query, and these columns of scores. By default
            all columns that are left, or those of a long table if a column is called metric or
            measure.
        measure, value : names of columns, optional
            A long table: a row for each system, query and measure, with its score in `value`.
        better : "higher", "lower", or mapping of name -> one of them
            As in `Evaluation.from_values`.

        Raises
        ------
        ValueError or TypeError
            For a system twice for a query (and measure), an infinite score, text in a column of
            scores, and a column that does not exist. The message names the row or the column.

        Notes
        -----
        Systems, queries and measures keep the order of their first rows. Names of systems become
        text; names of measures are free text. A null, a NaN or an absent row is a missing score, if
        the system has another score for that query. A query without any row of a system is not
        among its queries: `compare` refuses it, or compares the common ones.

        Examples
        --------
        >>> import pandas, rankgain as rg
        >>> rows = {"model": ["a", "a", "b", "b"], "task": ["qa", "sum"] * 2,
        ...         "accuracy": [0.7, 0.5, 0.8, 0.6], "seconds": [1.0, 2.0, 1.5, 2.5]}
        >>> frame = pandas.DataFrame(rows)
        >>> print(rg.Evaluations.from_frame(frame, better={"seconds": "lower"}))
        run  accuracy  seconds
        a      0.6000   1.5000
        b      0.7000   2.0000
        2 queries
        """
        from .scores import evaluate_scores_table

        systems = evaluate_scores_table(
            frame, run, query, values, measure, value, better, Evaluation
        )
        return cls(systems)

    def compare(self, **options: Unpack[ComparisonOptions]) -> Comparison:
        """Compare the runs pair by pair, by `rankgain.compare`."""
        from ..analysis.compare import compare

        return compare(self, **options)

    def interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: str = "bootstrap",
        resamples: int = 10_000,
        seed: int = 0,
    ) -> tuple[float, float]:
        """Interval of the mean of the evaluations' means, as over data sets.

        Lists are drawn within each evaluation. Arguments as in `Evaluation.interval`; the methods
        are "bootstrap" and "t" (Welch's), which also applies where an evaluation has fewer than 40
        queries. Evaluations of the same queries are more likely systems than data sets, so there is
        a RankgainWarning: `intervals` has the interval of each.

        >>> import rankgain as rg
        >>> small = rg.evaluate_arrays([[0, 1], [1, 0]] * 50, None, "RR")
        >>> large = rg.evaluate_arrays([[0, 1], [1, 0]] * 90, None, "RR")
        >>> low, high = rg.Evaluations({"small": small, "large": large}).interval("RR")
        >>> round(low, 2), round(high, 2)
        (0.72, 0.78)
        """
        from ..engine.intervals import IntervalOptions, find_joint_interval

        # Data sets have different queries, systems the same ones.
        queries = [evaluation.queries for evaluation in self.values()]
        if len(queries) > 1 and all(ids == queries[0] for ids in queries):
            warn(
                f"the {len(queries)} evaluations have the same queries, as systems have: this is "
                "the interval of the mean over them, as over data sets; intervals() has the "
                "interval of each"
            )
        interval_options = IntervalOptions(level, method, resamples, seed).checked()
        shares = [evaluation.shares_of(name) for evaluation in self.values()]
        return find_joint_interval(shares, interval_options)

    def intervals(
        self,
        *,
        level: float = 0.95,
        method: str = "bootstrap",
        resamples: int = 10_000,
        seed: int = 0,
        by: object = None,
    ) -> Intervals:
        """Intervals of the mean of each evaluation: {name: {measure: (low, high)}}.

        Arguments and values as of `Evaluation.intervals`; prints a table of means and intervals.
        Whether systems differ is another question, which `compare` answers.
        """
        from ..engine.intervals import FEW

        note = f"intervals: {100 * level:g}%, {method}"
        if method != "t":
            note += f", {resamples:,} resamples, seed {seed}"
            if any(len(evaluation) < FEW for evaluation in self.values()):
                note += f"; t for fewer than {FEW} queries"
        ends = {}
        for name, evaluation in self.items():
            ends[name] = evaluation.intervals(
                level=level, method=method, resamples=resamples, seed=seed, by=by
            )
        return Intervals(self, ends, note)

    def sort(self, name: str) -> Evaluations:
        """The same evaluations, the best mean of a measure first and nan last."""
        evaluated = [evaluation for evaluation in self.values() if name in evaluation]
        if not self:
            raise KeyError(f"{name} was not evaluated: there are no runs")
        if not evaluated:
            runs = ", ".join(map(_display, self))
            raise KeyError(f"{name} was not evaluated for any of {runs}")
        measure = evaluated[0].key_of(name)
        smaller_is_better = is_smaller_better(measure, join_directions(self))

        def sort_key(run: str) -> tuple[bool, float]:
            mean = self[run].means.get(measure, math.nan)
            # Sorted in ascending order, with nan last in either direction.
            if not smaller_is_better:
                mean = -mean
            return math.isnan(mean), mean

        return Evaluations({run: self[run] for run in sorted(self, key=sort_key)})

    def rename(self, names: Mapping[str, str]) -> Evaluations:
        """The same evaluations under other names; names that are not in the mapping stay."""
        for name in names:
            if name not in self:
                runs = ", ".join(map(_display, self))
                raise ValueError(f"names: there is no {describe(name)}, only {runs}")
        renamed: dict[str, Evaluation] = {}
        for name, evaluation in self.items():
            new_name = names.get(name, name)
            if new_name in renamed:
                raise ValueError(f"names: two evaluations would be called {describe(new_name)}")
            renamed[new_name] = evaluation
        return Evaluations(renamed)

    @staticmethod
    def merge(parts: Iterable[Evaluations], *, convention: Convention | None = None) -> Evaluations:
        """The evaluations of the same systems over disjoint queries as one, system by system.

        Each system is merged as by `Evaluation.merge`. A ValueError says which part lacks a system,
        or what differs between the parts of a system. Systems have the order of the first part.

        >>> import rankgain as rg
        >>> scores = {"x": [0.2, 0.1], "y": [0.1, 0.2]}
        >>> parts = [rg.evaluate_models([1, 0], scores, "RR", qid=[q, q]) for q in ("q1", "q2")]
        >>> print(rg.Evaluations.merge(parts))
        run      RR
        x    1.0000
        y    0.5000
        2 queries (convention rankgain)
        """
        checked = _read_parts(parts)
        # In both directions: a part may lack a system of the first one, or have another.
        for index in range(1, len(checked)):
            _refuse_missing_system(checked, index, 0)
            _refuse_missing_system(checked, 0, index)
        parts_of_system = {}
        for name in checked[0]:
            parts_of_system[name] = [part[name] for part in checked]

        def merge_system(evaluations: list[Evaluation]) -> Evaluation:
            return merge_evaluations(evaluations, convention, Evaluation)

        return evaluate_each(merge_system, parts_of_system, "run")

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{name: {measure: mean}}."""
        return {name: dict(evaluation.means) for name, evaluation in self.items()}

    def to_pandas(
        self, *, sort: str | None = None, transpose: bool = False, intervals: bool = False
    ) -> Any:
        """A pandas.DataFrame of the means, runs as rows; needs pandas.

        intervals=True: a column for each end of the interval after each mean.
        """
        import pandas

        grid = self._grid(sort, transpose, 4, intervals)
        index = pandas.Index(_names_of_rows(grid), name=grid.corner[0])
        return pandas.DataFrame(_columns(grid), index=index)

    def to_polars(
        self, *, sort: str | None = None, transpose: bool = False, intervals: bool = False
    ) -> Any:
        """A polars.DataFrame of the means, runs as rows; needs polars. As `to_pandas`."""
        import polars

        grid = self._grid(sort, transpose, 4, intervals)
        return polars.DataFrame({grid.corner[0]: _names_of_rows(grid), **_columns(grid)})

    def to_csv(
        self,
        path: Path | None = None,
        *,
        sort: str | None = None,
        transpose: bool = False,
        safe: bool = True,
    ) -> str | None:
        """The means without rounding; returned, or written to a path.

        safe: a name that a spreadsheet would read as a formula gets an apostrophe before it.
        """
        grid = self._grid(sort, transpose, 4)
        rows = []
        for names, cells in zip(grid.rows, grid.cells, strict=True):
            rows.append([*names, *(cell.value for cell in cells)])
        return deliver(separate([*grid.corner, *grid.columns], rows, ",", safe), path)

    def to_markdown(
        self,
        path: Path | None = None,
        *,
        sort: str | None = None,
        transpose: bool = False,
        precision: int = 4,
        intervals: bool = False,
    ) -> str | None:
        """A pipe table with the best of each measure in bold; returned, or written to a path.

        intervals=True: each mean with its interval, by `intervals`.
        """
        notes = [*pooled_legend(self), *footers(self)]
        ends = None
        if intervals:
            ends = self.intervals()
            notes.append(ends.note)
        grid = self._grid(sort, transpose, precision, ends)
        return deliver(markdown(grid.table(precision, "markdown"), notes), path)

    def to_latex(
        self,
        path: Path | None = None,
        *,
        sort: str | None = None,
        transpose: bool = False,
        precision: int = 4,
        second: bool = False,
        caption: str | None = None,
        label: str | None = None,
    ) -> str | None:
        r"""A tabular with the rules of booktabs, the best of each measure in bold.

        second=True underlines the second best. With a caption or a label the tabular is in a table
        environment. LaTeX's special characters are escaped, except in the label. Needs
        \usepackage{booktabs}, and with more than 45 rows \usepackage{longtable}.
        `Comparison.to_latex` marks significant differences.
        """
        table = self._grid(sort, transpose, precision).table(precision, "latex", second)
        legend = list(map(latex_text, pooled_legend(self)))
        return deliver(latex(table, footers(self), caption, label, legend), path)

    def to_json(self, path: Path | None = None) -> str | None:
        """The evaluations as JSON, each as by `Evaluation.to_json`; returned, or written."""
        from .. import __version__
        from ..output.text.stored import make_data, write

        data = {str(name): make_data(evaluation) for name, evaluation in self.items()}
        return deliver(write({"rankgain": __version__, "evaluations": data}), path)

    @classmethod
    def read(cls, path: Path) -> Evaluations:
        """Read what `to_json` wrote; any other file is a ValueError that says what is wrong."""
        from ..output.text.stored import read_many

        items: dict[str, Evaluation] = {}
        for name, fields in read_many(path).items():
            items[name] = Evaluation(**fields)
        return cls(items)

    def _repr_html_(self) -> str:
        if not self._items:
            return "no runs"
        table = self._grid(None, False, 4).table(4)
        return html(table, footers(self))

    def __repr__(self) -> str:
        names = ", ".join(map(_display, self))
        return f"<Evaluations of {count_of(len(self), 'run')}: {names}>"

    def __str__(self) -> str:
        if not self._items:
            return "no runs"
        lines = align(self._grid(None, False, 4).table(4))
        lines += segment_lines(self)
        lines += pooled_legend(self)
        lines += printed_footers(self)
        return "\n".join(lines)

    def _grid(
        self,
        sort: str | None,
        transpose: bool,
        precision: int,
        intervals: Intervals | bool | None = None,
    ) -> Grid:
        """The table of means; intervals: to print with them, or True."""
        from ..output.text.formats import make_grid, make_pooled_grid

        check_precision(precision)
        runs = self
        if sort is not None:
            runs = self.sort(sort)
        if intervals is True:
            intervals = self.intervals()
        measures = _measures_of(runs)
        values = {}
        for run, evaluation in runs.items():
            values[str(run)] = [evaluation.means.get(name, math.nan) for name in measures]
        ends = {}
        if intervals:
            for run, ends_of_run in intervals.items():
                ends[str(run)] = ends_of_run
        # Pooled evaluations have a column for each collection.
        if shared_collections(runs):
            grid = make_pooled_grid(runs, measures, precision, ends)
        else:
            better = join_directions(runs)
            grid = make_grid(values, measures, precision, ends=ends, better=better)
        if transpose:
            return grid.turned()
        return grid


def _read_parts(parts: object) -> list[Evaluations]:
    """The parts of `Evaluations.merge`."""
    if isinstance(parts, (Mapping, Evaluation)) or not isinstance(parts, Iterable):
        raise TypeError(
            f"parts must be a sequence of Evaluations over different queries, not "
            f"{type(parts).__name__}"
        )
    read = list(parts)
    for index, part in enumerate(read):
        if isinstance(part, Evaluation):
            raise TypeError(
                f"parts[{index}] is an Evaluation of a single system; Evaluation.merge merges them"
            )
        if not isinstance(part, Evaluations):
            raise TypeError(f"parts[{index}] must be Evaluations, not {type(part).__name__}")
    if not read:
        raise ValueError("there are no parts to merge; pass at least one")
    return read


def _refuse_missing_system(parts: list[Evaluations], index: int, other_index: int) -> None:
    """Refuse a part without a system that another part has."""
    for name in parts[other_index]:
        if name not in parts[index]:
            raise ValueError(
                f"parts[{index}] has no system {name!r}, which parts[{other_index}] has; evaluate "
                "all systems in every part"
            )


def evaluate_each(
    evaluate: Callable[[Any], Evaluation], sources: Mapping[Any, Any], kind: str
) -> Evaluations:
    """Evaluate each of several sources; errors and warnings name it. kind: a word for a source."""
    result: dict[str, Evaluation] = {}
    for name, source in sources.items():
        try:
            with named_in_warnings(kind, name):
                result[name] = evaluate(source)
        except (TypeError, ValueError) as error:
            reword_error(error, f"{kind} {describe(name)}: {error}")
            raise
    return Evaluations(result)


class Intervals(dict[str, dict[str, tuple[float, float]]]):
    """{name: {measure: (low, high)}} of evaluations; prints a table of means and intervals."""

    def __init__(self, evaluations: Evaluations, ends: Mapping[str, Any], note: str) -> None:
        super().__init__(ends)
        self.evaluations, self.note = evaluations, note

    def __reduce__(self) -> tuple[object, ...]:
        return Intervals, (self.evaluations, dict(self), self.note)

    def __str__(self) -> str:
        grid = self.evaluations._grid(None, False, 4, self)
        return "\n".join([*align(grid.table(4)), *printed_footers(self.evaluations), self.note])


def refuse_same_names(names: Iterable[object], kind: str) -> None:
    """Refuse names that are equal as text, and so the same in tables and files."""
    name_of_text: dict[str, object] = {}
    for name in names:
        first = name_of_text.setdefault(str(name), name)
        if first is not name:
            raise ValueError(
                f"two {kind} are called {describe(str(name))} ({describe(first)} and "
                f"{describe(name)}); give them different names"
            )


def _names_of_rows(grid: Grid) -> list[object]:
    """The names of the rows of a table, as frames can hold them."""
    return [escape_surrogates(row[0]) for row in grid.rows]


def _columns(grid: Grid) -> dict[str, list[float]]:
    """The columns of a table; the ends of intervals follow their mean."""
    columns: dict[str, list[float]] = {}
    names = escape_surrogates(tuple(grid.columns))
    cells_of_columns = zip(*grid.cells, strict=True)
    for name, cells in zip(names, cells_of_columns, strict=True):
        columns[name] = [cell.value for cell in cells]
        # A cell without an interval has nan at both ends.
        if any(cell.ends for cell in cells):
            ends = [cell.ends or (math.nan, math.nan) for cell in cells]
            lows, highs = zip(*ends, strict=True)
            columns[f"{name} low"] = list(lows)
            columns[f"{name} high"] = list(highs)
    return columns


def _display(name: object) -> str:
    """The name of a run or a segment as text."""
    return printable(str(name))


def segment_lines(evaluations: Mapping[str, Evaluation]) -> list[str]:
    """A table of the means in each segment; the name "" of an only evaluation is left out."""
    measures = _measures_of(evaluations)
    has_names = list(evaluations) != [""]
    rows: list[list[str]] = []
    hidden = 0
    for run, evaluation in evaluations.items():
        indices_of = _lists_by_segment(evaluation.segments or ())
        # A single segment is the whole evaluation.
        if len(indices_of) < 2:
            continue
        for label, indices in indices_of.items():
            if len(rows) == MAX_SEGMENT_ROWS:
                hidden += 1
                continue
            means = segment(evaluation, np.array(indices)).means
            row = [label]
            if has_names:
                row.append(_display(run))
            row += [f"{means.get(measure, math.nan):.4f}" for measure in measures]
            row.append(str(len(indices)))
            rows.append(row)
    if not rows:
        return []
    names = ["segment"]
    if has_names:
        names.append("run")
    lines = align(TextTable([*names, *measures, "queries"], rows, len(names)))
    if hidden:
        lines.append(f"and {hidden} more rows: .by() has all segments")
    return lines


def _lists_by_segment(labels: Sequence[object]) -> dict[str, list[int]]:
    """The indices of the lists of each segment, in the order of categories if there are any."""
    indices_of: dict[str, list[int]] = {}
    for category in find_categories(labels):  # in their order, without those of no list
        if category in labels:
            indices_of[_display(category)] = []
    for index, label in enumerate(labels):
        indices_of.setdefault(_display(label), []).append(index)
    return indices_of


def _measures_of(evaluations: Mapping[str, Evaluation]) -> list[str]:
    """The measures of all evaluations, in the order in which they first appear."""
    measures: dict[str, None] = {}
    for evaluation in evaluations.values():
        measures |= dict.fromkeys(evaluation.means)
    return list(measures)
