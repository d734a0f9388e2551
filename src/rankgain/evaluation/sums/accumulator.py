"""Accumulator: means and intervals from exact sums, without the values of lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ...convention.options import KINDS, WholeNumber
from ...engine.exact import Exact, add_sums
from ...engine.intervals import (
    FEW,
    MeasureSums,
    check_level,
    covariance,
    draw_sums,
    quantiles,
    student_interval,
    tails,
)
from ...engine.means import Terms
from ...inputs.printable import count_of, escape_surrogates, printable
from ...text import TextTable, align
from ..counting import find_key, footer
from ..evaluation import Evaluation
from .merging import CommonRules, display, make_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...inputs.types import Array


NUMBER = WholeNumber("a bool or a number of replicates, 0 .. 1,000,000", 0, 1_000_001)
REPLICATES = 200  # of the bootstrap with bootstrap=True
Run = str | None  # None: the only one, without a name
Segment = int | str | None
Key = tuple[Run, Segment, str]  # run, segment, measure


class Accumulator:
    """Sums of evaluations over disjoint lists, which merge in any order to the same bits.

    For each measure, segment and run it holds the number of lists, how many are undefined, and the
    exact sums of numerators, divisors (of micro means; else weights, or 1 each), their squares and
    products; for several runs also the products of every pair. Memory does not grow with the number
    of lists. Means have the bits of `Evaluation.means` over all lists under every convention with
    exact sums; a convention that adds by id, as trec_eval does, needs `Evaluation.merge`.

    Parameters
    ----------
    bootstrap : bool or int
        Also add up Poisson resamples, for intervals of any mean: True is 200 replicates, an int is
        their number. How often a list is in a replicate depends only on (seed, its query id,
        replicate) (Hanley and MacGibbon 2006; Chamandy et al. 2012), so the interval is the same on
        one machine and on many. Costs some 10 ns per list and replicate, and 100 bytes per measure,
        segment and replicate.
    seed : int
        Seed of the bootstrap, 0 .. 2**64-1.

    Examples
    --------
    >>> import rankgain as rg
    >>> parts = [rg.evaluate_arrays([[0, 1]], [[2, 1]], "RR"),
    ...          rg.evaluate_arrays([[1, 0]], [[2, 1]], "RR")]
    >>> total = rg.Accumulator()
    >>> for part in parts:
    ...     total.add(part)
    >>> total.means
    {'RR': 0.75}
    """

    __slots__ = ("_counts", "_pairs", "_rules", "_sums", "bootstrap", "seed")

    def __init__(self, *, bootstrap: bool | int = False, seed: int = 0) -> None:
        if bootstrap is True:
            bootstrap = REPLICATES
        elif bootstrap is False:
            bootstrap = 0
        self.bootstrap = NUMBER.read("bootstrap", bootstrap)
        self.seed = KINDS["seed"].read("seed", seed)
        self._rules: CommonRules | None = None
        self._sums: dict[Key, MeasureSums] = {}
        self._pairs: dict[tuple[Run, Run, Segment, str], tuple[Exact, ...]] = {}
        self._counts: dict[tuple[Run, Segment], dict[str, int]] = {}

    def add(
        self,
        evaluation: Mapping[str, Evaluation] | Evaluation,
        *,
        segment: object = None,
        queries: Sequence[object] | Array | None = None,
    ) -> None:
        """Add the lists of an `Evaluation`, or of several runs: `Evaluations`, or a dict of them.

        Add each list once; this is not checked. segment: an int or text; each segment has its own
        sums. `Evaluation.segments` are ignored here, but `evaluate_batches` with keep= and segment=
        uses them. queries: ids of the lists for the bootstrap, if the evaluation has none. All
        added evaluations must have the same convention, measures, `Evaluation.settings` and value
        of undefined lists, and all have weights or none: else a ValueError says what differs.
        """
        if segment is not None and type(segment) not in (int, str):
            raise TypeError(f"segment must be an int or text, not {segment!r}")
        segment = cast("Segment", segment)
        are_runs = isinstance(evaluation, Mapping)
        runs = cast("Mapping[Any, Evaluation]", evaluation if are_runs else {None: evaluation})
        _refuse_other_types(runs)
        # All runs are added to a new accumulator, so that an error leaves this one unchanged.
        added = Accumulator(bootstrap=self.bootstrap, seed=self.seed)
        terms_of: dict[str | None, list[Terms]] = {}
        first = next(iter(runs.values()), None)
        for run, result in runs.items():
            added._rules = added._join_rules(CommonRules.of(result), f"run {run!r}")
            if first is not None and tuple(result.queries) != tuple(first.queries):
                raise ValueError(f"run {run!r} has other queries than the first one; align them")
            ids = self._query_ids(result, queries)
            # For each measure the exact sums, and those of each replicate, which draws lists by id.
            terms_of[run] = [make_terms(result, name) for name in result.means]
            drawn = draw_sums(terms_of[run], ids, self.bootstrap, self.seed)
            undefined = result.counts.get("undefined", {})
            for name, terms, replicates in zip(result.means, terms_of[run], drawn, strict=True):
                n_undefined = int(undefined.get(name, 0))
                sums = MeasureSums.of(terms, n_undefined, replicates)
                added._sums[run, segment, name] = sums
            counts = {name: n for name, n in result.counts.items() if isinstance(n, int)}
            added._counts[run, segment] = {**counts, "queries": len(result)}
        # Products of two runs over the same lists, for the variance of their difference.
        for a, b in combinations(terms_of, 2):
            pairs_of_terms = zip(terms_of[a], terms_of[b], strict=True)
            for name, (terms_a, terms_b) in zip(runs[a].means, pairs_of_terms, strict=True):
                added._pairs[a, b, segment, name] = _sum_products(terms_a, terms_b)
        self._join(added, "what is added now")

    def _query_ids(
        self, evaluation: Evaluation, queries: Sequence[object] | Array | None
    ) -> Sequence[object]:
        """The ids by which the bootstrap draws the lists of an evaluation."""
        ids = evaluation.queries
        if queries is not None:
            ids = cast("Sequence[object]", queries)
        if len(ids) != len(evaluation):
            raise ValueError(
                f"queries has {count_of(len(ids), 'id')}, but there are {len(evaluation)} lists"
            )
        if queries is None and self.bootstrap and isinstance(ids, range) and len(ids):
            raise ValueError(
                "the bootstrap draws by query id, and these lists are only numbered; pass qid= to "
                "evaluate, or queries= to add"
            )
        return ids

    def _join_rules(self, rules: CommonRules | None, part: str) -> CommonRules | None:
        """Combine the rules with those of a part; `part` names it in errors."""
        if self._rules is None or rules is None:
            return self._rules or rules
        return self._rules.joined(rules, part)

    def merge(self, other: Accumulator) -> Accumulator:
        """Add the sums of another accumulator; returns this one, as `functools.reduce` needs.

        Associative and commutative to the bit. Accumulators that `add` would refuse together, or
        with other replicates or another seed, are a ValueError.
        """
        if not isinstance(other, Accumulator):
            raise TypeError(f"expected an Accumulator, not {type(other).__name__}")
        if other is self:
            raise ValueError("merge: other is this object, and would be counted twice")
        return self._join(other, "the other accumulator")

    def _join(self, added: Accumulator, part: str) -> Accumulator:
        """Add another accumulator; `part` names it in errors. An error leaves this one as it is."""
        if (self.bootstrap, self.seed) != (added.bootstrap, added.seed):
            raise ValueError(
                f"bootstrap and seed differ: {self.bootstrap}, {self.seed}, and "
                f"{added.bootstrap}, {added.seed}"
            )
        if added._rules is None:
            return self
        rules = self._join_rules(added._rules, part)
        # Sums that cannot be added raise an error, so this loop changes nothing yet.
        totals = {}
        for key, sums in added._sums.items():
            if key in self._sums:
                sums = self._sums[key].plus(sums)
            totals[key] = sums
        for pair, products in added._pairs.items():
            if pair in self._pairs:
                products = add_sums(self._pairs[pair], products)
            self._pairs[pair] = products
        for segment, counts in added._counts.items():
            total_counts = self._counts.setdefault(segment, {})
            for name, count in counts.items():
                total_counts[name] = total_counts.get(name, 0) + count
        self._sums.update(totals)
        self._rules = rules
        return self

    @property
    def convention(self) -> str | None:
        """The name of the convention, None while the accumulator is empty."""
        if self._rules is None:
            return None
        return self._rules.convention

    @property
    def settings(self) -> dict[str, object]:
        """The settings of the added evaluations, as in `Evaluation.settings`."""
        if self._rules is None:
            return {}
        return dict(self._rules.settings)

    @property
    def runs(self) -> list[Run]:
        """The names of the runs, sorted; [None] for an Evaluation that was added without a name."""
        runs = {run for run, _ in self._counts}
        return sorted(runs, key=_order)

    @property
    def segments(self) -> list[Segment]:
        """The segments, sorted."""
        segments = {segment for _, segment in self._counts}
        return sorted(segments, key=_order)

    @property
    def count(self) -> int:
        """The number of added lists; of several runs, that of the first."""
        if not self._counts:
            return 0
        return self._count_lists(self.runs[0], None)

    def _count_lists(self, run: object, segment: object) -> int:
        """The number of lists of a run in one segment, or in all (None)."""
        lists = 0
        for (name, part), counts in self._counts.items():
            if name == run and segment in (None, part):
                lists += counts["queries"]
        return lists

    @property
    def means(self) -> dict[str, float]:
        """Measure -> mean over all lists; for several runs use `result`."""
        if self._rules is None:
            return {}
        run = self._run(None)
        means = {}
        for name in self._rules.measures:
            means[name] = self._mean(self._find_sums(run, None, name))
        return means

    def interval(
        self, name: str, *, level: float = 0.95, segment: object = None, run: object = None
    ) -> tuple[float, float]:
        """Interval of a mean over all lists, or over a segment.

        With bootstrap, percentiles of the Poisson replicates. Without, and where fewer than 40
        lists count, Student's t with the linear part of numerator over divisor, which suits means
        away from the ends of their range. (nan, nan) where fewer than two lists count or a value is
        not finite.
        """
        check_level(level)
        measure = self._key(name)
        return self._find_sums(self._run(run), segment, measure).interval(level)

    def difference(
        self, name: str, a: str, b: str, *, level: float = 0.95, segment: object = None
    ) -> tuple[float, float, float]:
        """Mean of run a minus that of run b, with a paired interval: (difference, low, high)."""
        check_level(level)
        if a == b:
            raise ValueError(f"a and b are both {a!r}; name two runs")
        measure = self._key(name)
        sums_a = self._find_sums(a, segment, measure)
        sums_b = self._find_sums(b, segment, measure)
        lists_a, lists_b = self._count_lists(a, segment), self._count_lists(b, segment)
        if lists_a != lists_b:
            raise ValueError(
                f"runs {a!r} and {b!r} have {lists_a} and {lists_b} lists, and a difference is of "
                f"the same lists: add({{{a!r}: ..., {b!r}: ...}})"
            )
        # With resamples the interval is that of the differences of the replicates, which draw the
        # same lists for both runs. Without, and for few lists, it is Student's t.
        difference = self._mean(sums_a) - self._mean(sums_b)
        lists = min(sums_a.lists, sums_b.lists)
        is_geometric = sums_a.kind == "geometric"
        if sums_a.drawn[0] and (lists >= FEW or is_geometric):
            differences = sums_a.replicates() - sums_b.replicates()
            return difference, *quantiles(differences, tails(level))
        if is_geometric:
            raise ValueError(f"{measure}: the difference of geometric means needs a bootstrap")
        products = self._products_of_pair(a, b, segment, measure)
        # var(A - B) = var(A) + var(B) - 2 cov(A, B), each None if it is not known.
        variance_a, variance_b = sums_a.variance(), sums_b.variance()
        common = covariance(sums_a, sums_b, products, lists_a)
        if common is None or variance_a is None or variance_b is None:
            return difference, float("nan"), float("nan")
        variance = variance_a + variance_b - 2 * common
        return difference, *student_interval(difference, variance, level, lists)

    def _products_of_pair(self, a: str, b: str, segment: object, measure: str) -> tuple[Exact, ...]:
        """The sums of products of two runs over one segment, or over all.

        In the order numerators, numerator of a with divisor of b, divisor of a with numerator of b,
        divisors: whichever run was added first.
        """
        selected = []
        for (first, second, part, name), products in self._pairs.items():
            if name != measure or {first, second} != {a, b} or segment not in (None, part):
                continue
            if first != a:
                numerators, a_divisor, b_divisor, divisors = products
                products = numerators, b_divisor, a_divisor, divisors
            selected.append(products)
        if not selected:
            raise ValueError(
                f"runs {a!r} and {b!r} were not added together: add({{{a!r}: ..., {b!r}: ...}})"
            )
        return reduce(add_sums, selected)

    def result(self, *, level: float = 0.95) -> Summary:
        """All means and intervals, over all lists and over each segment; print it for a table."""
        check_level(level)
        if self._rules is None:
            return Summary((), 0, "")
        segments = self.segments
        if None not in segments:  # None stands for all lists, and sorts first
            segments = [None, *segments]
        rows = []
        for run, segment in product(self.runs, segments):
            if segment is not None and (run, segment) not in self._counts:
                continue
            for name in self._rules.measures:
                sums = self._find_sums(run, segment, name)
                mean = self._mean(sums)
                low, high = sums.interval(level)
                row = SummaryRow(run, segment, name, mean, low, high, sums.lists, sums.undefined)
                rows.append(row)
        lists = 0
        if rows:
            lists = self.count
        return Summary(tuple(rows), lists, self._rules.convention)

    def _run(self, run: object) -> Run:
        """The name of a run; by default the only one."""
        if run is None and len(self.runs) == 1:
            return self.runs[0]
        if run not in self.runs:
            if self.runs == [None]:
                raise ValueError(f"run={run!r}: what was added has no names; pass no run")
            raise ValueError(f"run={run!r}: there are the runs {display(self.runs)}")
        return run

    def _key(self, name: str) -> str:
        if self._rules is None:
            raise ValueError("nothing was added yet")
        return find_key(name, dict(self._rules.requested), self._rules.measures, self._rules.better)

    def _find_sums(self, run: object, segment: object, name: str) -> MeasureSums:
        """The sums of a measure over one segment, or over all."""
        # The sums over all lists are those of all segments.
        selected = []
        for (of_run, part, measure), sums in self._sums.items():
            if of_run == run and measure == name and segment in (None, part):
                selected.append(sums)
        if not selected:
            if run not in self.runs:
                raise ValueError(f"there is no run {run!r}")
            raise ValueError(f"there is no segment {segment!r}")
        return reduce(MeasureSums.plus, selected)

    def _mean(self, sums: MeasureSums) -> float:
        assert self._rules is not None
        return sums.mean(self._rules.mean_rule)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.result())

    def __repr__(self) -> str:
        return f"<Accumulator of {count_of(self.count, 'list')}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Accumulator.from_dict, (self.to_dict(),)

    def to_dict(self) -> dict[str, Any]:
        """The accumulator as dicts, lists, text and numbers, for JSON; `from_dict` reads it."""
        from ...output.text.stored_sums import to_dict

        return to_dict(self)

    @staticmethod
    def from_dict(data: object) -> Accumulator:
        """Read what `to_dict` returned; anything else is a ValueError."""
        from ...output.text.stored_sums import from_dict

        return from_dict(data, Accumulator)

    def to_arrow(self) -> Any:
        """A pyarrow.RecordBatch of one row, for streams of partial results; needs pyarrow."""
        from ...output.text.stored_sums import to_arrow

        return to_arrow(self)

    @staticmethod
    def from_arrow(rows: object) -> Accumulator:
        """Merge all rows of Arrow data from `to_arrow`; needs pyarrow."""
        from ...output.text.stored_sums import from_arrow

        return from_arrow(rows, Accumulator)


def _refuse_other_types(runs: Mapping[str | None, object]) -> None:
    """Refuse what is not an evaluation, and names that are not text."""
    for name, result in runs.items():
        if not isinstance(result, Evaluation):
            raise TypeError(f"expected an Evaluation, not {type(result).__name__}")
        if name is not None and type(name) is not str:
            raise TypeError(f"a run's name must be text, not {name!r}")


def _sum_products(a: Terms, b: Terms) -> tuple[Exact, ...]:
    """The exact sums of all products of a numerator or divisor of a with one of b.

    They give the covariance of the two ratios of sums.
    """
    with np.errstate(over="ignore"):
        pairs = product((a.numerators, a.divisors), (b.numerators, b.divisors))
        return tuple(Exact.of(of_a, of_b) for of_a, of_b in pairs)


def _order(name: object) -> tuple[bool, str, object]:
    """Sorts names of several types: None first, then by type."""
    return (name is not None, type(name).__name__, name)


class SummaryRow(NamedTuple):
    """One mean. run is None for a single run without a name, segment is None for all lists."""

    run: str | None
    segment: object
    measure: str
    mean: float
    low: float
    high: float
    lists: int
    undefined: int


class Summary(NamedTuple):
    """Rows of means with their intervals; print it for a table."""

    rows: tuple[SummaryRow, ...]
    lists: int
    convention: str

    def to_dict(self) -> list[dict[str, Any]]:
        """A dict for each row."""
        return [row._asdict() for row in self.rows]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the rows; needs pandas."""
        import pandas

        rows = list(map(escape_surrogates, self.rows))
        return pandas.DataFrame(rows, columns=list(SummaryRow._fields))

    def __str__(self) -> str:
        if not self.rows:
            return "nothing was added yet"
        # A column for runs, and for segments, only if there are any.
        fields = []
        if any(row.run is not None for row in self.rows):
            fields.append("run")
        if any(row.segment is not None for row in self.rows):
            fields.append("segment")
        rows = []
        for row in self.rows:
            names = [_display_name(getattr(row, field)) for field in fields]
            numbers = [f"{row.mean:.4f}", f"{row.low:.4f}", f"{row.high:.4f}"]
            rows.append([*names, row.measure, *numbers, str(row.lists)])
        header = [*fields, "measure", "mean", "low", "high", "lists"]
        lines = align(TextTable(header, rows, len(fields) + 1))
        lines.append(footer({"queries": self.lists}, 0, printable(self.convention)))
        return "\n".join(lines)


def _display_name(name: object) -> str:
    """The name of a run or a segment as text."""
    if name is None:
        return "all"
    return printable(str(name))
