"""Accumulator: means and intervals from exact sums, without the values of lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

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
from ...inputs.printable import escape_surrogates, printable
from ...text import TextTable, align
from ..counting import find_key, footer
from ..evaluation import Evaluation
from .merging import CommonRules, display, make_addends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...inputs.types import Array


NUMBER = WholeNumber("a bool or a number of replicates, 0 .. 1,000,000", 0, 1_000_001)
REPLICATES = 200  # of the bootstrap with bootstrap=True
Key = tuple[Any, Any, str]  # run, segment, measure


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
        if isinstance(bootstrap, bool):
            bootstrap = REPLICATES if bootstrap else 0
        self.bootstrap = NUMBER.read("bootstrap", bootstrap)
        self.seed = KINDS["seed"].read("seed", seed)
        self._rules: CommonRules | None = None
        self._sums: dict[Key, MeasureSums] = {}
        self._pairs: dict[tuple[Any, Any, Any, str], tuple[Exact, ...]] = {}
        self._counts: dict[tuple[Any, Any], dict[str, int]] = {}

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
        runs = evaluation if isinstance(evaluation, Mapping) else {None: evaluation}
        for name, one in runs.items():
            if not isinstance(one, Evaluation):
                raise TypeError(f"expected an Evaluation, not {type(one).__name__}")
            if name is not None and type(name) is not str:
                raise TypeError(f"a run's name must be text, not {name!r}")
        new = Accumulator(bootstrap=self.bootstrap, seed=self.seed)
        columns: dict[Any, list[Terms]] = {}
        first: Evaluation | None = None
        for run, one in runs.items():
            first = one if first is None else first
            new._rules = new._join_rules(CommonRules.of(one), f"run {run!r}")
            if one is not first and tuple(one.queries) != tuple(first.queries):
                raise ValueError(f"run {run!r} has other queries than the first one; align them")
            ids: Any = one.queries if queries is None else queries
            if len(ids) != len(one):
                raise ValueError(f"queries has {len(ids)} ids, but there are {len(one)} lists")
            if queries is None and self.bootstrap and isinstance(ids, range) and len(ids):
                raise ValueError(
                    "the bootstrap draws by query id, and these lists are only numbered; give qid= "
                    "to evaluate, or queries= to add"
                )
            columns[run] = [make_addends(one, name) for name in one.means]
            drawn = draw_sums(columns[run], ids, self.bootstrap, self.seed)
            undefined = one.counts.get("undefined", {})
            for name, terms, replicates in zip(one.means, columns[run], drawn, strict=True):
                sums = MeasureSums.of(terms, int(undefined.get(name, 0)), replicates)
                new._sums[run, segment, name] = sums
            counts = {key: value for key, value in one.counts.items() if isinstance(value, int)}
            new._counts[run, segment] = {**counts, "queries": len(one)}
        for a, b in combinations(columns, 2):
            for name, x, y in zip(runs[a].means, columns[a], columns[b], strict=True):
                with np.errstate(over="ignore"):
                    products = product((x.numerators, x.divisors), (y.numerators, y.divisors))
                    new._pairs[a, b, segment, name] = tuple(Exact.of(*one) for one in products)
        self._join(new, "what is added now")

    def _join_rules(self, rules: CommonRules | None, place: str) -> CommonRules | None:
        """Combine the rules with those of a part; `place` names the part in errors."""
        if self._rules is None or rules is None:
            return self._rules or rules
        return self._rules.joined(rules, place)

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

    def _join(self, other: Accumulator, place: str) -> Accumulator:
        """Add another accumulator; `place` names it in errors."""
        if (self.bootstrap, self.seed) != (other.bootstrap, other.seed):
            raise ValueError(
                f"bootstrap and seed differ: {self.bootstrap}, {self.seed}, and "
                f"{other.bootstrap}, {other.seed}"
            )
        if other._rules is None:
            return self
        rules = self._join_rules(other._rules, place)
        sums = {
            key: self._sums[key].plus(one) if key in self._sums else one
            for key, one in other._sums.items()
        }
        for key, one in other._pairs.items():
            self._pairs[key] = add_sums(self._pairs[key], one) if key in self._pairs else one
        for at, counts in other._counts.items():
            totals = self._counts.setdefault(at, {})
            for name, value in counts.items():
                totals[name] = totals.get(name, 0) + value
        self._sums.update(sums)
        self._rules = rules
        return self

    @property
    def convention(self) -> str | None:
        """The name of the convention, None while the accumulator is empty."""
        return None if self._rules is None else self._rules.convention

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the added evaluations, as in `Evaluation.settings`."""
        return {} if self._rules is None else dict(self._rules.settings)

    @property
    def runs(self) -> list[Any]:
        """The names of the runs, sorted; [None] for an Evaluation that was added without a name."""
        return sorted({run for run, _ in self._counts}, key=_order)

    @property
    def segments(self) -> list[Any]:
        """The segments, sorted."""
        return sorted({segment for _, segment in self._counts}, key=_order)

    @property
    def count(self) -> int:
        """The number of added lists; of several runs, that of the first."""
        return sum(c["queries"] for (run, _), c in self._counts.items() if run == self.runs[0])

    @property
    def means(self) -> dict[str, float]:
        """Measure -> mean over all lists; for several runs use `result`."""
        if self._rules is None:
            return {}
        run = self._run(None)
        return {name: self._mean(self._find_sums(run, None, name)) for name in self._rules.measures}

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
        key = self._key(name)
        return self._find_sums(self._run(run), segment, key).interval(level)

    def difference(
        self, name: str, a: str, b: str, *, level: float = 0.95, segment: object = None
    ) -> tuple[float, float, float]:
        """Mean of run a minus that of run b, with a paired interval: (difference, low, high)."""
        check_level(level)
        key = self._key(name)
        one, other = self._find_sums(a, segment, key), self._find_sums(b, segment, key)
        counts = [
            sum(
                lists["queries"]
                for (name, part), lists in self._counts.items()
                if name == run and segment in (None, part)
            )
            for run in (a, b)
        ]
        if counts[0] != counts[1]:
            raise ValueError(
                f"runs {a!r} and {b!r} have {counts[0]} and {counts[1]} lists, and a difference is "
                f"of the same lists: add({{{a!r}: ..., {b!r}: ...}})"
            )
        difference = self._mean(one) - self._mean(other)
        few = min(one.lists, other.lists) < FEW
        if one.drawn[0] and (not few or one.kind == "geometric"):
            return difference, *quantiles(one.replicates() - other.replicates(), tails(level))
        if one.kind == "geometric":
            raise ValueError(f"{key}: the difference of geometric means needs a bootstrap")
        products = [  # of two runs, whichever was added first
            sums if first == a else (sums[0], sums[2], sums[1], sums[3])
            for (first, second, part, name), sums in self._pairs.items()
            if name == key and {first, second} == {a, b} and segment in (None, part)
        ]
        if not products:
            raise ValueError(
                f"runs {a!r} and {b!r} were not added together: add({{{a!r}: ..., {b!r}: ...}})"
            )
        variances = one.variance(), other.variance()
        both = covariance(one, other, reduce(add_sums, products), counts[0])
        if both is None or variances[0] is None or variances[1] is None:
            return difference, float("nan"), float("nan")
        variance = variances[0] + variances[1] - 2 * both
        return difference, *student_interval(
            difference, variance, level, min(one.lists, other.lists)
        )

    def result(self, *, level: float = 0.95) -> Summary:
        """All means and intervals, over all lists and over each segment; print it for a table."""
        check_level(level)
        parts = [None, *(one for one in self.segments if one is not None)]
        rows = [
            SummaryRow(
                *(run, segment, name, self._mean(sums), *sums.interval(level)),
                *(sums.lists, sums.undefined),
            )
            for run in self.runs
            for segment in parts
            if segment is None or (run, segment) in self._counts
            for name in (self._rules.measures if self._rules else ())
            for sums in [self._find_sums(run, segment, name)]
        ]
        return Summary(tuple(rows), self.count if rows else 0, self.convention or "")

    def _run(self, run: object) -> Any:
        if run is None and len(self.runs) == 1:
            return self.runs[0]
        if run not in self.runs:
            raise ValueError(f"run={run!r}: there are the runs {display(self.runs)}")
        return run

    def _key(self, name: str) -> str:
        if self._rules is None:
            raise ValueError("nothing was added yet")
        return find_key(name, dict(self._rules.requested), self._rules.measures, self._rules.better)

    def _find_sums(self, run: object, segment: object, name: str) -> MeasureSums:
        """The sums of a measure over one segment, or over all."""
        result = [
            sums
            for (owner, part, key), sums in self._sums.items()
            if owner == run and key == name and segment in (None, part)
        ]
        if not result:
            what = f"segment {segment!r}" if run in self.runs else f"run {run!r}"
            raise ValueError(f"there is no {what}")
        return reduce(MeasureSums.plus, result)

    def _mean(self, sums: MeasureSums) -> float:
        assert self._rules is not None
        return sums.mean(self._rules.mean_rule)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Accumulator of {self.count if self._rules else 0} lists>"

    def __reduce__(self) -> tuple[Any, ...]:
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


def _order(name: object) -> tuple[int, str, Any]:
    return (name is not None, type(name).__name__, name)


class SummaryRow(NamedTuple):
    """One mean. run is None for a single run without a name, segment is None for all lists."""

    run: str | None
    segment: Any
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

        return pandas.DataFrame(
            list(map(escape_surrogates, self.rows)), columns=list(SummaryRow._fields)
        )

    def __str__(self) -> str:
        if not self.rows:
            return "nothing was added yet"
        displayed = [
            one
            for one in ("run", "segment")
            if any(getattr(row, one) is not None for row in self.rows)
        ]
        rows = []
        for row in self.rows:
            names = [getattr(row, one) for one in displayed]
            names = ["all" if one is None else printable(str(one)) for one in names]
            numbers = [f"{value:.4f}" for value in (row.mean, row.low, row.high)]
            rows.append([*names, row.measure, *numbers, str(row.lists)])
        heads = [*displayed, "measure", "mean", "low", "high", "lists"]
        lines = align(TextTable(heads, rows, len(displayed) + 1))
        return "\n".join([*lines, footer({"queries": self.lists}, 0, printable(self.convention))])
