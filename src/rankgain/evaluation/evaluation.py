"""The result of an evaluation: values per query, their means, and what they depend on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..convention import Convention
from ..convention.fields import setting_values
from ..engine.means import MeanRule, Shares, Terms
from ..inputs.axes import CategoryLabels, label_codes
from ..inputs.printable import count_of, escape_surrogates, printable
from ..measures.all_lists import is_over_all_lists, pseudo_values
from ..text import deliver, preformat
from .counting import count_missing_values, find_key, footer, mean_kind
from .fixed import Fixed, FixedList

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..inputs.types import Bools, Floats, Path
    from ..measures.all_lists import RecommendedLists
    from ..measures.types import Better
    from .counting import TieReport
    from .evaluations import Evaluations


class Evaluation:
    """Values of some measures for each query, and their means; print it for a table. Immutable.

    `evaluation["nDCG@10"]` is a mean, by any spelling of the name. Iteration gives the names of the
    measures, `len` the number of queries.

    Attributes
    ----------
    means : mapping of measure name -> float
    per_query : mapping of measure name -> float64 array, in the order of `queries`
    queries : sequence of query ids as they were passed, integers or text; else 0 .. n-1
    bounds : mapping of kind ("ties", "unjudged") -> measure name -> float64 array (queries, 2), the
        lowest and the highest value of each query; empty without the argument bounds=
    bound_means : mapping of kind -> measure name -> (lowest, highest) mean
    convention : name of the convention
    counts : mapping of what was counted: "queries"; "users", the queries that are users, if columns
        or the function say so; for qrels and a run "missing" (judged, without results, counted as
        0), "skipped" (the same, left out) and "unjudged" (queries of the run without judgments,
        left out); "ignored", if there are any: documents that ignore= or the convention leaves out
        by their label; with bounds="ties" also tied lists and documents; with calls= "searches", a
        list of how many searches each query had. Where lists are undefined: "undefined", a mapping
        of measure name -> how many, and "undefined_as", a mapping of measure name -> the value that
        they count as in the mean: a number, "nan", or "skip" if they are skipped
    marked : mapping of "missing", and of each measure with undefined lists, -> bool array: the
        lists that `counts` has under that name, by which `by` and `merge` count
    weights : float64 array of the weights of the queries, or None
    requested : mapping of a requested name -> name of the measure, where the convention gives it
        a cutoff or another meaning
    shares : mapping of measure name -> what each query adds to its mean (numerators, and divisors
        or None), where the mean is not that of `per_query` weighted by `weights`: micro means
    segments : a label for each query, from the column segment= of `evaluate_frame`, or None
    settings : mapping of argument -> value, of the arguments (gain, rel, empty and the like) that
        differ from the convention: words and numbers, dicts and lists of them; a callable is its
        qualified name, so two callables of one name count as equal
    versions : of rankgain, and of the tool that the convention follows
    recommended : the first items of each list, of which measures of all lists together are computed
        (`evaluate_catalogue`); None without such a measure
    rules : the Convention itself; None where only its name is known, as after `read` or a pickle
    mean_rule : (summation, round), how the convention computes means; `by` and `merge` use it
    better : "higher" or "lower" for each measure with a free name, whose values were given
        (`from_values`); measures of rankgain are not in it
    collections : the collection of each query, of evaluations from `rankgain.pool`; else None
    """

    means: Mapping[str, float]
    per_query: Mapping[str, Floats]
    queries: Sequence[Any]
    bounds: Mapping[str, Mapping[str, Floats]]
    bound_means: Mapping[str, Mapping[str, tuple[float, float]]]
    convention: str
    counts: Mapping[str, Any]
    marked: Mapping[str, Bools]
    weights: Floats | None
    versions: Mapping[str, str]
    requested: Mapping[str, str]
    shares: Mapping[str, Shares]
    segments: Sequence[object] | None
    settings: Mapping[str, Any]
    recommended: RecommendedLists | None
    rules: Convention | None
    mean_rule: MeanRule
    better: Mapping[str, str]
    collections: Sequence[str] | None
    __slots__ = tuple(__annotations__)

    def __init__(
        self,
        means: Mapping[str, float],
        per_query: Mapping[str, Any],
        queries: Sequence[object],
        *,
        convention: str = "rankgain",
        counts: Mapping[str, Any] | None = None,
        bounds: Mapping[str, Mapping[str, Any]] | None = None,
        bound_means: Mapping[str, Mapping[str, Any]] | None = None,
        weights: Floats | None = None,
        versions: Mapping[str, str] | None = None,
        requested: Mapping[str, str] | None = None,
        shares: Mapping[str, Shares] | None = None,
        segments: Sequence[Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        rules: Convention | None = None,
        mean_rule: MeanRule | None = None,
        recommended: RecommendedLists | None = None,
        marked: Mapping[str, Any] | None = None,
        better: Mapping[str, str] | None = None,
        collections: Sequence[str] | None = None,
    ) -> None:
        from .. import __version__

        for name, column in (("segments", segments), ("weights", weights)):
            if column is not None and len(column) != len(queries):
                raise ValueError(
                    f"{name} has {count_of(len(column), 'value')}, but there are {len(queries)} "
                    "queries; give one for each query"
                )
        # Copies that nobody can write to, so that an evaluation never changes.
        masks = {name: _lock(mask, np.bool_) for name, mask in (marked or {}).items()}
        columns_of_bounds = {kind: _columns(ends) for kind, ends in (bounds or {}).items()}
        if type(per_query) is not ReadOnlyColumns:
            per_query = _columns(per_query)
        ends_of_means, locked_shares = Fixed(), Fixed()
        if bound_means:
            ends_of_means = _pairs_of_floats(bound_means)
        if shares:
            locked_shares = _lock_shares(shares)
        if not isinstance(queries, range):
            queries = tuple(queries)
        if segments is not None and not isinstance(segments, CategoryLabels):
            segments = tuple(segments)
        if collections is not None:
            collections = tuple(collections)
        if mean_rule is None:
            mean_rule = MeanRule.by_name(convention)
        if settings:
            settings = setting_values(settings)
        values_of = {
            "means": Fixed(dict(means)),
            "per_query": Fixed(per_query),
            "queries": queries,
            "convention": convention,
            "counts": _freeze(counts or {}),
            "marked": Fixed(masks),
            "bounds": Fixed(columns_of_bounds),
            "bound_means": ends_of_means,
            "weights": weights,
            "versions": Fixed({"rankgain": __version__, "convention": "", **(versions or {})}),
            "requested": Fixed(dict(requested or {})),
            "shares": locked_shares,
            "segments": segments,
            "settings": _freeze(settings or {}),
            "recommended": recommended,
            "rules": rules,
            "mean_rule": mean_rule,
            "better": Fixed(better or {}),
            "collections": collections,
        }
        for name, value in values_of.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_values(
        cls,
        values: Mapping[str, Sequence[float | None]],
        queries: Sequence[object] | None = None,
        *,
        better: Better = "higher",
    ) -> Evaluation:
        """An evaluation of values that another program computed, a value for each query.

        Parameters
        ----------
        values : mapping of name -> sequence of numbers or booleans
            The names are free text and are kept as they are, such as "exact match (5-shot)":
            `evaluation[name]` takes the exact text, and no name stands for a measure of rankgain.
            None and NaN are missing: left out of the mean, of intervals, and of the pairs in
            `compare`, and counted in `counts["undefined"]`.
        queries : sequence of ids, optional
            In the order of the values. By default 0, 1, 2, ...
        better : "higher", "lower", or mapping of name -> one of them
            Which values are better; names that are not in a mapping are "higher". It decides about
            wins, losses, marks and the order of `Evaluations.sort`. Differences keep their sign.

        Raises
        ------
        ValueError or TypeError
            For a value that is infinite or not a number, columns of different lengths, no values,
            and a query that occurs twice. The message names the column.

        Notes
        -----
        The evaluation follows no convention.

        Examples
        --------
        >>> import rankgain as rg
        >>> values = {"accuracy": [1, 0, 1, None], "latency (s)": [0.4, 0.9, 0.3, 0.6]}
        >>> evaluation = rg.Evaluation.from_values(values, better={"latency (s)": "lower"})
        >>> print(evaluation)
        measure       mean
        accuracy      0.6667
        latency (s)   0.5500
        4 queries (1 missing for accuracy, skipped)
        """
        from .scores import evaluate_values

        return evaluate_values(values, queries, better, cls)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an Evaluation is immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"an Evaluation is immutable: {name!r} cannot be deleted")

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[str]:
        return iter(self.means)

    def __contains__(self, name: object) -> bool:
        try:
            self.key_of(name)
        except (TypeError, ValueError, KeyError):
            return False
        return True

    def __getitem__(self, name: str) -> float:
        """The mean of a measure, in any spelling of its name."""
        return self.means[self.key_of(name)]

    def key_of(self, name: Any) -> str:
        """The key of a measure in `means`, from any spelling of its name."""
        return find_key(name, self.requested, self.means, self.better)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluation):
            return NotImplemented
        return self._state() == other._state()

    def __hash__(self) -> int:
        # Equal evaluations agree in these, and no value has to be read.
        return hash((tuple(self.means), len(self.queries)))

    def _state(self) -> tuple[object, ...]:
        """What equal evaluations have in common; numbers as bytes, so that nan equals nan."""
        values = {name: column.tobytes() for name, column in self.per_query.items()}
        means = {name: np.float64(mean).tobytes() for name, mean in self.means.items()}
        bounds = []
        for kind, columns in self.bounds.items():
            for name, ends in columns.items():
                ends_of_mean = np.array(self.bound_means[kind][name])
                bounds.append((kind, name, ends.tobytes(), ends_of_mean.tobytes()))
        weights = None
        if self.weights is not None:
            weights = self.weights.tobytes()
        identity = tuple(self.queries), self.convention, weights, self.segments
        # That lists belong to users is a word of the footer and changes no number.
        counts = {name: count for name, count in self.counts.items() if name != "users"}
        rules = self.mean_rule, dict(self.better), self.collections
        facts = counts, dict(self.settings), *rules
        return means, values, identity, bounds, facts, self.recommended

    def __reduce__(self) -> tuple[object, ...]:
        # A convention may hold functions, which cannot always be pickled.
        fields = self._to_fields()
        del fields["rules"]
        return _build, (fields,)

    def _to_fields(self) -> dict[str, Any]:
        """The value of each field."""
        return {name: getattr(self, name) for name in self.__slots__}

    def _replace(self, **changes: Any) -> Evaluation:
        """The evaluation with other values of these fields."""
        return Evaluation(**self._to_fields() | changes)

    def shares_of(self, name: str) -> Shares:
        """The share of each query in a mean: from `shares`, or from `per_query` and `weights`.

        Of a number of all lists together they are the jackknife's pseudo-values.
        """
        key = self.key_of(name)
        if is_over_all_lists(key, self.better):
            return Shares("mean", pseudo_values(self, key), None)
        terms = self._terms_of(key, mean_kind(key, self.better))
        return Shares(terms.kind, terms.numerators, terms.divisors)

    def _terms_of(self, key: str, kind: str) -> Terms:
        """What the lists add to `means[key]`; those of nan do not count, unless `empty` is nan."""
        shares = self.shares.get(key)
        if shares is None:
            terms = Terms(kind, self.per_query[key], self.weights, self.weights)
        else:
            terms = Terms(shares.kind, shares.numerators, None, shares.divisors)
        # An undefined list adds nothing, unless nan is the value that it counts as in the mean.
        if self.counts.get("undefined_as", {}).get(key) == "nan":
            return terms
        return terms._replace(counts=~np.isnan(terms.values))

    def interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: str = "bootstrap",
        resamples: int = 10_000,
        seed: int = 0,
        by: object = None,
    ) -> tuple[float, float]:
        """Confidence interval of a mean or sum, over queries as a sample of others.

        Weights count as in the mean; of a micro mean, the numerator and divisor of a query stay
        together. nan values are left out; (nan, nan) where none is left or one is infinite. Of a
        number of all lists together, as Coverage, the values are what each list adds to it. Equal
        seeds give equal intervals.

        Parameters
        ----------
        level : float
            Inside (0, 1).
        method : "bootstrap", "bca" or "t"
            Percentiles of the means of `resamples` resamples (Efron 1979); these corrected for bias
            and skewness (Efron 1987); or Student's t, of a micro or weighted mean with the
            linear part of the ratio. With fewer than 40 queries, or clusters, it is always
            Student's t, as resamples of few vary too little; (nan, nan) with one query.
        by : array, mapping query -> label, or column of a frame, optional
            Queries with equal labels are drawn together, as those of one user: clusters.

        Examples
        --------
        >>> import rankgain as rg
        >>> labels, scores = [[0, 1], [1, 0]] * 50, [[2, 1], [2, 1]] * 50
        >>> low, high = rg.evaluate_arrays(labels, scores, "RR").interval("RR")
        >>> round(low, 2), round(high, 2)
        (0.7, 0.8)
        """
        key = self.key_of(name)
        return self._intervals([key], level, method, resamples, seed, by)[key]

    def intervals(
        self,
        *,
        level: float = 0.95,
        method: str = "bootstrap",
        resamples: int = 10_000,
        seed: int = 0,
        by: object = None,
    ) -> dict[str, tuple[float, float]]:
        """Intervals of all measures, as from `interval`, on the same resamples."""
        return self._intervals(list(self.means), level, method, resamples, seed, by)

    def _intervals(
        self, names: list[str], level: float, method: str, resamples: int, seed: int, by: object
    ) -> dict[str, tuple[float, float]]:
        from ..engine.intervals import IntervalOptions, find_intervals, find_joint_interval

        options = IntervalOptions(level, method, resamples, seed).checked()
        if self.collections is not None:
            if by is not None:
                raise ValueError("by: queries of several collections are not drawn by a label")
            return {name: find_joint_interval(self._parts_of(name), options) for name in names}
        # Lists with one label are drawn together.
        groups = None
        if by is not None:
            _, groups = label_codes(by, self.queries)
        shares = {name: self.shares_of(name) for name in names}
        return find_intervals(shares, options, groups)

    def _parts_of(self, name: str) -> list[Shares]:
        """The shares of the queries of each collection."""
        shares = Shares("mean", self.per_query[name], None)
        labels = np.asarray(self.collections)
        parts = []
        for collection in dict.fromkeys(self.collections or ()):
            indices = np.flatnonzero(labels == collection)
            parts.append(shares.select(indices))
        return parts

    def by(self, labels: object = None) -> Evaluations:
        """Split by a label of the queries, such as a language: an evaluation for each label.

        labels: an array in the order of `queries`, a mapping query -> label (a Series with an index
        of queries is one), or a column of a frame; by default `segments`. The names are str(label),
        in the order of the categories of a pandas categorical or a polars Enum, else in the order
        in which they first appear. Each evaluation has its means, counts and values, without
        bounds.

        >>> import rankgain as rg
        >>> result = rg.evaluate_arrays([[0, 1], [1, 0]], [[2, 1], [2, 1]], "RR")
        >>> print(result.by(["short", "long"]))
        run        RR
        short  0.5000
        long   1.0000
        1 query each (convention rankgain)
        """
        from .evaluations import Evaluations
        from .sums.merging import segment

        if labels is None:
            labels = self.segments
        if labels is None:
            raise ValueError(
                "by: there are no segments; pass a label for each query, or evaluate a frame with "
                "segment="
            )
        names, codes = label_codes(labels, self.queries)
        evaluations = {}
        for code, name in enumerate(names):
            evaluations[name] = segment(self, np.flatnonzero(codes == code))
        return Evaluations(evaluations)

    @staticmethod
    def merge(parts: Iterable[Evaluation], *, convention: Convention | None = None) -> Evaluation:
        """One evaluation of evaluations over disjoint lists, with the values of every list.

        Means are those of one call on all lists, by the convention's rule: exact sums do not depend
        on the parts, and sums by id are computed again. Lists keep the order of the parts; lists
        without query ids are numbered again. Convention, measures, `settings` and the value of
        undefined lists must be equal, and each query in one part only: else a ValueError names the
        parts. Bounds are refused, as their means do not follow from those of parts. convention: a
        Convention whose rule for means replaces that of the parts, for files without one.

        >>> import rankgain as rg
        >>> parts = [rg.evaluate_arrays([0, 1], [2, 1], "RR", qid=["a", "a"]),
        ...          rg.evaluate_arrays([1, 0], [2, 1], "RR", qid=["b", "b"])]
        >>> rg.Evaluation.merge(parts).means
        {'RR': 0.75}
        """
        from .sums.merging import merge_evaluations

        return merge_evaluations(parts, convention, Evaluation)

    def tie_report(self) -> TieReport:
        """How many lists and documents tie, and how far their order could move each measure.

        Needs an evaluation with bounds="ties".
        """
        from .counting import TieMove, TieReport

        if "ties" not in self.bounds:
            raise ValueError('a tie report needs bounds over ties: evaluate with bounds="ties"')
        if "tied_lists" not in self.counts:
            raise ValueError(
                "a tie report needs the ties of all documents, which were not counted on a device; "
                "evaluate with y_score on the CPU"
            )
        moves = []
        for name, mean in self.means.items():
            low, high = self.bounds["ties"][name].T
            worst, best = self.bound_means["ties"][name]
            # An undefined list has nan at both ends: its value cannot move.
            widths = np.nan_to_num(high - low)
            lists = int((widths > 0).sum())
            widest = float(widths.max(initial=0.0))
            moves.append(TieMove(name, mean, worst, best, lists, widest))
        counts = {name: self.counts[name] for name in TieReport._fields if name != "moves"}
        return TieReport(**counts, moves=tuple(moves))

    def to_dict(self) -> dict[Any, dict[str, float]]:
        """{query: {measure: value}}, the shape that pytrec_eval returns."""
        columns = {name: values.tolist() for name, values in self.per_query.items()}
        result = {}
        for index, query in enumerate(self.queries):
            result[query] = {name: column[index] for name, column in columns.items()}
        return result

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row per query; needs pandas."""
        import pandas

        queries = list(map(escape_surrogates, self.queries))
        # Ids may be tuples, which would otherwise become the levels of an index.
        index = pandas.Index(queries, name="query", tupleize_cols=False)
        return pandas.DataFrame(dict(self.per_query), index=index)

    def to_polars(self) -> Any:
        """A polars.DataFrame with one row per query; needs polars."""
        import polars

        queries = list(map(escape_surrogates, self.queries))
        types = set(map(type, queries))
        if len(types) > 1 or tuple in types:  # a column has one type
            queries = list(map(str, queries))
        return polars.DataFrame({"query": queries, **self.per_query})

    def to_csv(self, path: Path | None = None, *, safe: bool = True) -> str | None:
        """Rows of query and values, and a last row "all" of means; returned, or written to a path.

        Bounds follow in more columns: "nDCG@10 ties low", "nDCG@10 ties high". If a query is named
        "all", the row of means is "(all)". An id that a spreadsheet would read as a formula (it
        begins with "=", "+", "-" or "@" and is not a number) gets an apostrophe before it, and so
        does an id that begins with an apostrophe; safe=False writes ids unchanged.
        """
        from ..output.text.stored import csv_text

        return deliver(csv_text(self, safe), path)

    def to_json(self, path: Path | None = None) -> str | None:
        """The whole evaluation as JSON; returned, or written to a path.

        A nan is null, as strict JSON has none.
        """
        from ..output.text.stored import make_data, write

        return deliver(write(make_data(self)), path)

    @classmethod
    def read(cls, path: Path) -> Evaluation:
        """Read what `to_json` wrote; any other file is a ValueError that says what is wrong."""
        from ..output.text.stored import read_json

        return cls(**read_json(path))

    if not TYPE_CHECKING:  # type checkers report unknown attributes themselves

        def __getattr__(self, name):
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name == "compare":
                message = (
                    "an Evaluation is of one system, so there is nothing to compare; if a table "
                    "names its systems, pass run= with that column, or call "
                    'rankgain.compare({"old": a, "new": b})'
                )
            raise AttributeError(message, name=name, obj=self)

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __repr__(self) -> str:
        displayed = ", ".join(f"{name}={value:.4f}" for name, value in self.means.items())
        return f"<Evaluation of {count_of(len(self), 'query')}: {displayed}>"

    def __str__(self) -> str:
        width = max(map(len, ["measure", *self.means]))
        header = f"{'measure':<{width}}   mean"
        for kind in self.bounds:
            header += f"  {kind + ' low':>14}  {kind + ' high':>14}"
        lines = [header]
        for name, mean in self.means.items():
            line = f"{name:<{width}} {mean:>8.4f}"
            for kind in self.bounds:
                low, high = self.bound_means[kind][name]
                line += f"  {low:>14.4f}  {high:>14.4f}"
            lines.append(line)
        if "unjudged" in self.bounds:
            lines.append("bounds: unjudged documents all non-relevant / all at the top label")
        if self.segments is not None:
            from .evaluations import segment_lines

            lines += segment_lines({"": self})
        return "\n".join([*lines, self.footer()])

    def footer(self) -> str:
        """The counts in one line of text."""
        counts = {"queries": len(self), **self.counts}
        missing = count_missing_values(self)
        return footer(counts, len(self.means), printable(self.convention), missing)


class ReadOnlyColumns(dict[str, Any]):
    """Columns that are already read-only, so they are not copied."""


def _columns(columns: Mapping[str, Floats]) -> Mapping[str, Floats]:
    """Read-only columns of values."""
    return Fixed({name: _lock(values) for name, values in columns.items()})


def _pairs_of_floats(bound_means: Mapping[str, Mapping[str, tuple[float, float]]]) -> Fixed:
    """The lowest and the highest mean of each kind and measure, as pairs of floats."""
    result = {}
    for kind, ends_by_measure in bound_means.items():
        ends = {name: (float(low), float(high)) for name, (low, high) in ends_by_measure.items()}
        result[kind] = Fixed(ends)
    return Fixed(result)


def _lock_shares(shares: Mapping[str, Shares]) -> Fixed:
    """Shares with read-only columns."""
    result = {}
    for name, share in shares.items():
        result[name] = Shares(share.kind, _lock(share.numerators), _lock(share.divisors))
    return Fixed(result)


def _lock(values: ArrayLike | None, dtype: type[np.generic] = np.float64) -> object:
    """A read-only copy of values."""
    if values is None:
        return None
    copy = np.array(values, dtype)
    copy.flags.writeable = False
    return copy


def _build(values: dict[str, Any]) -> Evaluation:
    """Read a pickle; its fields have names, so that a later version may add some."""
    return Evaluation(**values)


def _freeze(mapping: Mapping[str, Any]) -> Fixed:
    """Make a mapping, and the mappings and lists in it, immutable."""
    result = dict(mapping)
    for key, value in result.items():
        if isinstance(value, Mapping):
            result[key] = _freeze(value)
        elif isinstance(value, list):
            result[key] = FixedList(value)
    return Fixed(result)
