"""Evaluation on Spark: values per query as a DataFrame, of long tables, runs or arrays in rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...convention import get_convention
from ...evaluation.one_pass import prepare_all
from ...measures.measure import measures_under, refuse_unused
from .collect import (
    HITS,
    Answer,
    answer_by_counting,
    collected,
    counted_hits,
    pyspark_functions,
    read_means,
)
from .columns import column_of, id_type, result_schema, same_ids, selected

if TYPE_CHECKING:
    from types import ModuleType

    from pyspark.sql import DataFrame

    from ...measures.types import Measures


__all__ = ["evaluate", "evaluate_columns", "evaluate_runs"]

OPTIONS = frozenset(
    "gain discount log_base ties rel divisor beta p max_label empty convention".split()
)
PLACES = ("stable", "reverse")  # tie rules that use the positions of documents


class SparkRequest(NamedTuple):
    """Checked arguments of a call, and the names of the result columns."""

    arguments: dict[str, Any]
    names: list[str]
    settings: Any  # families with their settings

    @property
    def by_place(self) -> str:
        """Measures whose tie rules use positions of documents, as a text; "" if there are none."""
        result = [family.name for family, one in self.settings if one.ties in PLACES]
        return f"the ties of {', '.join(dict.fromkeys(result))}" if result else ""

    @property
    def single_precision(self) -> bool:
        """Whether some measure compares scores as float32."""
        return any(one.score_dtype == "float32" for _, one in self.settings)


def evaluate(
    frame: DataFrame,
    measures: Measures,
    *,
    by: str,
    label: str,
    score: str,
    means: bool = False,
    bootstrap: bool | int = False,
    seed: int = 0,
    how: str = "auto",
    **options: object,
) -> Any:
    """Evaluate a long table: a row for each document, with its query, label and score.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame, of a classic session or of Spark Connect
    measures : str, Measure, or a sequence of them
    by, label, score : names of columns
        Ids of queries are integers or text; the others are numbers. A null or a NaN is an error.
    means : bool
        Return an Accumulator with means and intervals instead of values per query.
    bootstrap, seed : bool or int, and int
        With means=True: intervals by that many Poisson replicates, True for 200, as an
        `Accumulator` makes them. A replicate's weights depend on seed, query id and replicate
        alone, so the interval has the same bits as on one machine, whatever the partitions.
    how : "auto", "shuffle" or "count"
        "shuffle" sends the rows of a query to one task, which holds the list. "count" sends the
        hits, the rows whose label is not 0, to every task; each task counts its scores above and
        equal to theirs, and the counts are added. It reads the frame twice and moves no other row;
        the hits pass through the driver, some 50 bytes each, and ties may be "average", "best" or
        "worst". "auto" counts the hits, and takes "count" up to two million of them. Both ways
        give the same bits.
    options
        gain, discount, log_base, ties, rel, divisor, beta, p, max_label, empty, convention: as in
        `rankgain.evaluate_arrays`.

    Returns
    -------
    DataFrame with the column `by` and a column of doubles for each measure (None of Spark's order),
    or with means=True an Accumulator.
    """
    functions = pyspark_functions()
    requested = _read(measures, options, how)
    sums = read_means(means, bootstrap, seed)
    named = [("by", by, "id"), ("label", label, "number"), ("score", score, "number")]
    rows = selected(frame, functions, *named)
    answer = Answer((by, id_type(frame, by)), result_schema(frame, by, requested.names), sums)
    is_hit = ~column_of(functions, label).cast("double").eqNullSafe(0.0)
    hits = rows.where(is_hit)
    single = frame.schema[score].dataType.typeName() == "float"
    if how == "auto" and not (can_count(requested, single) and counted_hits(hits) <= HITS):
        how = "shuffle"
    if how != "shuffle":
        hits = selected(hits, functions, named[0], named[2], named[1])
        result = collected(hits, "pack_hits", [by, score, label])
        rows = selected(frame, functions, named[0], named[2])
        return answer_by_counting(rows, result[:3], None, requested.arguments, answer)
    rows = _adjacent(rows, functions, by)
    ties = {"by_place": requested.by_place, "single": requested.single_precision}
    names = [by, label, score]
    return answer.of(rows, "evaluate_lists", names=names, requested=requested.arguments, **ties)


def evaluate_runs(
    truth: DataFrame,
    run: DataFrame,
    measures: Measures,
    *,
    query: str = "query",
    doc: str = "doc",
    label: str = "label",
    score: str = "score",
    means: bool = False,
    bootstrap: bool | int = False,
    seed: int = 0,
    how: str = "auto",
    **options: object,
) -> Any:
    """Evaluate a run against judgments: two frames, joined by query and document.

    truth has the columns query, doc and label, run has query, doc and score. Lists are those of the
    queries in truth: a query without a row in run has no documents, and other queries of run are
    left out. Judged documents that were not retrieved are part of the ideal. A document twice in a
    list of truth, or twice among the judged documents of run, is an error; how="shuffle" finds any.
    The convention is "rankgain" by default; tie rules by id are an error if a judged document ties.
    Other arguments as in `evaluate`; with how="count" all of truth passes through the driver, and
    "auto" takes it up to two million rows of truth.
    """
    functions = pyspark_functions()
    requested = _read(measures, options, how)
    sums = read_means(means, bootstrap, seed)
    keys = [("query", query, "id"), ("doc", doc, "id")]
    truth = selected(truth, functions, *keys, ("label", label, "number"))
    run = selected(run, functions, *keys, ("score", score, "number"))
    _refuse_other_ids(truth, run, {"query": query, "doc": doc})
    schema = result_schema(truth, query, requested.names)
    answer = Answer((query, id_type(truth, query)), schema, sums)
    single = run.schema[score].dataType.typeName() == "float"
    names = [query, doc, label, score]
    truth, run = truth.toDF("query", "doc", "label"), run.toDF("query", "doc", "score")
    will_do = can_count(requested, single, pool=True)
    if how == "auto" and not (will_do and counted_hits(truth) <= HITS):
        how = "shuffle"
    if how != "shuffle":
        judged = collected(truth, "pack_truth", [query, doc, label], twice="truth")
        both = run.join(functions.broadcast(truth), ["query", "doc"])
        hits = both.select("query", "score", "label", "doc")
        result = collected(hits, "pack_hits", [query, score, label, doc], twice="run")
        rows = run.select("query", "score")
        pair = judged[0], judged[2]
        return answer_by_counting(rows, result[:3], pair, requested.arguments, answer)
    rows = _joined(truth, run, functions)
    return answer.of(rows, "evaluate_joined", names=names, requested=requested.arguments)


def _joined(truth: DataFrame, run: DataFrame, functions: ModuleType) -> Any:
    """Judged and retrieved documents, query by query, with the marks "judged" and "listed"."""
    truth = truth.withColumn("judged", functions.lit(True))
    run = run.withColumn("listed", functions.lit(True))
    rows = truth.join(run, ["query", "doc"], "full_outer")
    rows = rows.select("query", "doc", "label", "score", "judged", "listed")
    return _adjacent(rows, functions, "query")


def _refuse_other_ids(truth: DataFrame, run: DataFrame, columns: dict[str, str]) -> None:
    """Refuse ids that are text in one frame and integers in the other."""
    for argument, column in columns.items():
        if (id_type(truth, column) == "string") is not (id_type(run, column) == "string"):
            raise TypeError(
                f"{argument}: the column {column!r} is text in one frame and integers in the other"
            )


def evaluate_columns(
    frame: DataFrame,
    measures: Measures,
    *,
    labels: str | None = None,
    scores: str | None = None,
    recommended: str | None = None,
    relevant: str | None = None,
    by: str | None = None,
    means: bool = False,
    bootstrap: bool | int = False,
    seed: int = 0,
    **options: object,
) -> Any:
    """Evaluate a list per row, whose documents are in arrays; no row is moved.

    Give labels= and scores=, arrays of numbers of one length, or recommended= and relevant=, arrays
    of ids (recommended ones best first, each once; relevant ones in any order). by= names a column
    of ids that the result keeps. Other arguments as in `evaluate`.
    """
    functions = pyspark_functions()
    requested = _read(measures, options, "auto", places=True)
    sums = read_means(means, bootstrap, seed)
    if sums and sums["bootstrap"] and by is None:
        raise ValueError("the bootstrap draws by query id: give by=, the column that has it")
    pairs = {"scored": (("labels", labels), ("scores", scores))}
    pairs["recommended"] = ("recommended", recommended), ("relevant", relevant)
    forms = [form for form, pair in pairs.items() if any(one is not None for _, one in pair)]
    if len(forms) != 1 or any(one is None for _, one in pairs[forms[0]]):
        raise TypeError(
            "give the names of two columns: labels= and scores=, or recommended= and relevant="
        )
    named = [(argument, str(column), "list") for argument, column in pairs[forms[0]]]
    if forms[0] == "recommended":
        frame = same_ids(frame, functions, named)
    query = None
    if by is not None:
        named.insert(0, ("by", by, "id"))
        query = by, id_type(selected(frame, functions, named[0]), by)
    rows = selected(frame, functions, *named)
    names = [column for _, column, _ in named]
    answer = Answer(query, result_schema(frame, by, requested.names), sums)
    return answer.of(
        rows, "evaluate_rows", names=names, form=forms[0], requested=requested.arguments
    )


def _read(
    measures: Measures, options: dict[str, Any], how: str, places: bool = False
) -> SparkRequest:
    """Check all arguments before Spark runs anything."""
    if how not in ("auto", "shuffle", "count"):
        raise ValueError(f'how must be "auto", "shuffle" or "count", not {how!r}')
    for name in options:
        if name not in OPTIONS:
            raise TypeError(
                f"there is no argument {name!r}; there are {', '.join(sorted(OPTIONS))}"
            )
    rules = get_convention(options.get("convention", "rankgain"))
    result = measures_under(measures, rules).measures
    settings_named = {name: value for name, value in options.items() if name != "convention"}
    refuse_unused(result, settings_named)
    names = [str(one) for one in result]
    settings = prepare_all(names, settings_named, rules).requested
    if any(one.ties == "random" for _, one in settings):
        raise ValueError(
            'ties="random" draws by the place of a list among all, and Spark keeps none: choose '
            '"average", "best" or "worst"'
        )
    for ties in (options.get("ties"), *(one.params.get("ties") for one in result)):
        if ties in PLACES and not places:
            raise ValueError(
                f'ties="{ties}" asks for the places of documents, and rows of a DataFrame have '
                'none: choose "average", "best" or "worst"'
            )
    return SparkRequest({"measures": names, **options}, names, settings)


def can_count(requested: SparkRequest, float32: bool, pool: bool = False) -> bool:
    """Whether counting gives all measures: label 0 must have no effect, and scores must be enough.

    With counting, ties by position or id are an error only if a hit ties; with a shuffle, if any
    scores tie. float32: the scores are float32; pool: all judged documents are known.
    """
    for family, one in requested.settings:
        row = family.row
        unknown = (row.judged or row.shape == "bpref") and not pool
        if unknown or one.drop is not None or one.ideal == "given":
            return False
        if one.rel <= 0 or not isinstance(one.gain, str):
            return False
        if one.score_dtype == "float32" and not float32:
            return False
    return True


def _adjacent(rows: DataFrame, functions: ModuleType, by: str) -> Any:
    """Bring the rows of each query into one partition, adjacent."""
    column = column_of(functions, by)
    return rows.repartition(column).sortWithinPartitions(column)
