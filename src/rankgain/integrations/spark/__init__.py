"""Evaluation on Spark: values per query as a DataFrame, of long tables, runs or arrays in rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...convention import UNSET, get_convention
from ...convention.options import SETTINGS
from ...evaluation.arrays import evaluate_arrays
from ...evaluation.counting import columns_of
from ...evaluation.one_pass import resolve_measures
from ...evaluation.partial.ranks import Columns
from ...evaluation.runs import evaluate as evaluate_qrels
from ...evaluation.runs import request_joins
from ...measures.measure import parse_measure
from ...trec.join import BY_BLOCK, drops_scores, read_excluded
from ..hosts import CountedOptions
from . import tasks
from .frames import (
    HITS,
    Answer,
    MeanOptions,
    adjacent,
    collect,
    evaluate_by_counting,
    evaluate_runs_by_counting,
    evaluate_systems,
    find_scale_of_column,
    find_type,
    in_precision,
    pyspark_functions,
    quote_column,
    same_ids,
    select,
)
from .tasks import Options

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from pyspark.sql import DataFrame

    from ...convention import Convention
    from ...engine.settings import Settings
    from ...inputs.types import Records
    from ...measures.types import Bounds as BoundKinds
    from ...measures.types import Measures


__all__ = ["evaluate", "evaluate_columns", "evaluate_runs"]

PLACES = ("stable", "reverse")  # tie rules that use the positions of documents
# The two columns of arrays that `evaluate_columns` takes, and the name of their form.
PAIRS: dict[tuple[str, ...], str] = {
    ("labels", "scores"): "scored",
    ("recommended", "relevant"): "recommended",
}


class SparkRunOptions(CountedOptions, total=False):
    """Options of judgments and a run."""

    bounds: BoundKinds
    exclude: Records | None
    judged_only: bool


class Request(NamedTuple):
    """Checked arguments of a call, and the names of the columns of the result."""

    arguments: dict[str, object]
    names: list[str]
    of_lists: dict[str, object]  # arguments of the tasks that evaluate whole lists
    precisions: set[bool]  # whether scores are compared as float32: the answers of all measures
    can_count: bool  # whether counts are enough, if all scores have one precision

    def choose(self, how: str, scores: str, hits: DataFrame) -> str:
        """How "auto" evaluates scores of a type: "count" or "shuffle"."""
        enough = self.can_count and (len(self.precisions) == 1 or scores == "float")
        if how == "count" and not enough:
            raise ValueError(
                'how="count" knows the ranks of hits alone, which is not enough for all of these '
                'measures under this convention and these options: choose how="shuffle"'
            )
        if how != "auto":
            return how
        if enough and hits.limit(HITS + 1).count() <= HITS:
            return "count"
        return "shuffle"


def evaluate(
    frame: DataFrame,
    measures: Measures,
    *,
    query: str,
    label: str,
    score: str | None = None,
    rank: str | None = None,
    run: str | None = None,
    means: bool = False,
    bootstrap: bool | int = False,
    seed: int = 0,
    how: str = "auto",
    **options: Unpack[CountedOptions],
) -> Any:
    """Evaluate a long table: a row for each document, with its query, label and score.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame, of a classic session or of Spark Connect
    measures : str, Measure, or a sequence of them
    query, label, score : names of columns
        Ids of queries are integers or text; the others are numbers. A null or a NaN is an error.
    rank : name of a column
        Instead of `score`: ranks, read as in `rankgain.evaluate_frame`, with how="shuffle". The
        frame is read once more, to see where ranks start.
    run : name of a column, optional
        It names the system of each row. Each system is evaluated on its own, and the frame read for
        each: the result has a column "run", or with means=True it is a dict name -> Accumulator.
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
        "worst". "auto" takes "count" where it can, up to two million hits. Both ways give the same
        bits.
    options
        gain, discount, log_base, ties, rel, divisor, beta, p, max_label, empty, convention: as in
        `rankgain.evaluate_arrays`.

    Returns
    -------
    DataFrame, or with means=True an Accumulator
        The column `query` and a column of doubles for each measure, in no particular order.
    """
    sums = MeanOptions(means, bootstrap, seed)
    ordered_by = Columns.choose(query, label, score, rank)
    pyspark_functions()
    request = _read(measures, dict(options), how)
    if ordered_by.of_ranks:
        _refuse_counted_ranks(how)
        answer_of = partial(Answer.of, by=query, names=request.names, sums=sums)
        return _evaluate_ranks(frame, ordered_by, run, request, answer_of)
    if run is not None:
        of_system = partial(
            evaluate,
            measures=measures,
            query=query,
            label=label,
            score=score,
            how=how,
            **sums._asdict(),
            **options,
        )
        return evaluate_systems(frame, run, of_system)
    score = ordered_by.score
    query_column = "query", query, "id"
    label_column, score_column = ("label", label, "number"), ("score", score, "number")
    rows = select(frame, query_column, label_column, score_column)
    rows = in_precision(rows, score, request.precisions)
    answer = Answer.of(frame, query, request.names, sums)
    hits = rows.where(~quote_column(label).cast("double").eqNullSafe(0.0))
    if request.choose(how, find_type(rows, score), hits) == "shuffle":
        columns = [(query, "id"), (label, "label"), (score, "score")]
        return answer.run(
            adjacent(rows, query), tasks.evaluate_lists, columns=columns, **request.of_lists
        )
    hits = select(hits, query_column, score_column, label_column)
    collected = collect(hits, [(query, "id"), (score, "score"), (label, "label")])
    rows = select(rows, query_column, score_column)
    return evaluate_by_counting(rows, request.arguments, answer, *collected)


def _refuse_counted_ranks(how: str) -> None:
    """Refuse how="count" for ranks, whose ties move the documents below them."""
    if how == "count":
        raise ValueError(
            'how="count" adds up counts of scores, which ranks do not allow: documents of one rank '
            'move those below them. Choose how="shuffle" for rank='
        )


def _evaluate_ranks(
    frame: DataFrame,
    columns: Columns,
    run: str | None,
    request: Request,
    answer_of: Callable[[DataFrame], Answer],
) -> object:
    """Evaluate a long table with ranks, of one system or of those that a column names."""
    query, label, rank = columns.names
    requested = [("query", query, "id"), ("label", label, "number"), ("rank", rank, "number")]
    scale = find_scale_of_column(select(frame, *requested), rank)
    kinds = [(query, "id"), (label, "label"), (rank, "score")]

    def evaluate_system(of_system: DataFrame) -> object:
        rows = adjacent(select(of_system, *requested), query)
        task = {"columns": kinds, "scale": scale, **request.of_lists}
        return answer_of(of_system).run(rows, tasks.evaluate_ranked_lists, **task)

    if run is None:
        return evaluate_system(frame)
    return evaluate_systems(frame, run, evaluate_system)


def evaluate_runs(
    truth: DataFrame,
    run: DataFrame,
    measures: Measures,
    *,
    query: str = "query",
    doc: str = "doc",
    label: str = "label",
    score: str | None = None,
    rank: str | None = None,
    system: str | None = None,
    means: bool = False,
    bootstrap: bool | int = False,
    seed: int = 0,
    how: str = "auto",
    **options: Unpack[SparkRunOptions],
) -> Any:
    """Evaluate a run against judgments, two frames, as `rankgain.evaluate` does, to the same bits.

    truth has the columns query, doc and label, run has query, doc and score, or rank= with ranks as
    in `evaluate`. The column of scores is "score", if neither is given. Lists are those of the
    queries in truth, and other queries of run are left out. The convention is "trec" by default:
    ties by descending id, and a judged query without a row in run counts 0. Judged documents that
    were not retrieved are part of the ideal. A document with two labels in a list of truth, or
    twice among the judged documents of run, is an error; how="shuffle" finds any in run.

    system names a column of run with the system of each row, as run= does in `evaluate`. bounds=,
    exclude= and judged_only= are those of `rankgain.evaluate`; the ends of bounds have columns such
    as "AP ties low". Ties are an error where the convention orders them by the place of their rows.
    Other arguments as in `evaluate`. With how="count" all of truth passes through the driver, and
    "auto" takes it up to two million rows of truth.
    """
    sums = MeanOptions(means, bootstrap, seed)
    if score is None and rank is None:
        score = "score"
    ordered_by = Columns.choose(query, label, score, rank)
    functions = pyspark_functions()
    request = _read(measures, dict(options), how, of_runs=True)
    keys = [("query", query, "id"), ("doc", doc, "id")]
    order = ("rank" if ordered_by.of_ranks else "score", ordered_by.score, "number")
    scale = None
    if ordered_by.of_ranks:
        _refuse_counted_ranks(how)
        scale = find_scale_of_column(select(run, *keys, order), ordered_by.score)
    truth = select(truth, *keys, ("label", label, "number")).distinct()
    columns = [(query, "id"), (doc, "id"), (label, "label"), (ordered_by.score, "score")]

    def evaluate_system(of_system: DataFrame) -> object:
        rows = select(of_system, *keys, order)
        for argument, column in (("query", query), ("doc", doc)):
            is_text = find_type(rows, column) == "string"
            if is_text != (find_type(truth, column) == "string"):
                raise TypeError(
                    f"{argument}: the column {column!r} is text in one frame and integers in the "
                    "other"
                )
        answer = Answer.of(truth, query, request.names, sums)
        judged = truth.toDF("query", "doc", "label")
        rows = rows.toDF("query", "doc", "score")
        if scale is None:
            rows = in_precision(rows, "score", request.precisions)
            if request.choose(how, find_type(rows, "score"), judged) == "count":
                return evaluate_runs_by_counting(judged, rows, columns, request.arguments, answer)
        no_score = functions.lit(None).cast(rows.schema["score"].dataType).alias("score")
        no_label = functions.lit(None).cast(judged.schema["label"].dataType)
        is_judged = functions.lit(True).alias("judged")
        rows = judged.select("*", no_score, is_judged).union(
            rows.select("query", "doc", no_label, "score", functions.lit(False))
        )
        task = {"columns": columns, "scale": scale, **request.of_lists}
        return answer.run(adjacent(rows, "query"), tasks.evaluate_pairs, **task)

    if system is None:
        return evaluate_system(run)
    return evaluate_systems(run, system, evaluate_system)


def evaluate_columns(
    frame: DataFrame,
    measures: Measures,
    *,
    labels: str | None = None,
    scores: str | None = None,
    recommended: str | None = None,
    relevant: str | None = None,
    query: str | None = None,
    run: str | None = None,
    means: bool = False,
    bootstrap: bool | int = False,
    seed: int = 0,
    **options: Unpack[CountedOptions],
) -> Any:
    """Evaluate a list per row, whose documents are in arrays; no row is moved.

    Give labels= and scores=, arrays of numbers of one length, or recommended= and relevant=, arrays
    of ids (recommended ones best first, each once; relevant ones in any order). query= names a
    column of ids that the result keeps. Other arguments as in `evaluate`.
    """
    sums = MeanOptions(means, bootstrap, seed)
    if run is not None:
        of_system = partial(
            evaluate_columns,
            measures=measures,
            labels=labels,
            scores=scores,
            recommended=recommended,
            relevant=relevant,
            query=query,
            **sums._asdict(),
            **options,
        )
        return evaluate_systems(frame, run, of_system)
    pyspark_functions()
    request = _read(measures, dict(options), "auto", places=True)
    arguments = {
        "labels": labels,
        "scores": scores,
        "recommended": recommended,
        "relevant": relevant,
    }
    passed_columns = {name: column for name, column in arguments.items() if column is not None}
    form = PAIRS.get(tuple(passed_columns))
    if form is None:
        raise TypeError(
            "pass the names of two columns: labels= and scores=, or recommended= and relevant="
        )
    requested_columns = []
    for argument, column in passed_columns.items():
        requested_columns.append((argument, str(column), "list"))
    if form == "recommended":
        frame = same_ids(frame, requested_columns)
    if query is not None:
        requested_columns.insert(0, ("query", query, "id"))
    rows = select(frame, *requested_columns)
    columns = [column for _, column, _ in requested_columns]
    task = {"names": columns, "form": form, "requested": request.arguments}
    return Answer.of(rows, query, request.names, sums).run(rows, tasks.evaluate_rows, **task)


def _read(
    measures: Measures, options: Options, how: str, of_runs: bool = False, places: bool = False
) -> Request:
    """Check all arguments before Spark runs anything; places: documents of lists have places."""
    if how not in ("auto", "shuffle", "count"):
        raise ValueError(f'how must be "auto", "shuffle" or "count", not {how!r}')
    arguments = CountedOptions.__annotations__
    default_convention = "rankgain"
    if of_runs:
        arguments = SparkRunOptions.__annotations__
        default_convention = "trec"
    for name in options:
        if name not in arguments:
            words = ", ".join(sorted(arguments))
            raise TypeError(f"there is no argument {name!r}; there are {words}")
    rules = get_convention(options.get("convention", default_convention))
    settings = {name: options.get(name, UNSET) for name in SETTINGS}
    if of_runs:
        if options.get("exclude"):
            options = options | {"exclude": read_excluded(options["exclude"])}
        checked = _check_runs(measures, options, settings, rules)
    else:
        checked = _check_lists(measures, options, settings, rules)
    if any(rule.ties == "random" for rule in checked.rules):
        raise ValueError(
            'ties="random" draws by the place of a list among all, and Spark keeps none: '
            'choose "average", "best" or "worst"'
        )
    for ties in (options.get("ties"), *map(_ties_in_name, checked.names)):
        if ties in PLACES and not places:
            raise ValueError(
                f'ties="{ties}" needs the places of documents, which rows of a DataFrame do not '
                'have: choose "average", "best" or "worst"'
            )
    by_place: dict[str, None] = {}
    for name, rule in zip(checked.rule_names, checked.rules, strict=True):
        if rule.ties in PLACES:
            by_place[name] = None
    precisions = {rule.score_dtype == "float32" for rule in checked.rules}
    call = {"measures": checked.names, **options}
    of_lists = {"requested": call, "by_place": ", ".join(by_place), "single": True in precisions}
    return Request(call, checked.columns, of_lists, precisions, checked.counts_suffice)


class CheckedMeasures(NamedTuple):
    """Measures whose names and options were checked."""

    names: list[str]
    columns: list[str]  # of the result
    rule_names: list[str]  # the measure or family of each of the rules
    rules: list[Settings | Convention]  # the settings of a measure, or the convention of its join
    counts_suffice: bool  # whether counts above the hits are enough for all


def _check_runs(
    measures: Measures, options: Options, settings: dict[str, Any], rules: Convention
) -> CheckedMeasures:
    """Check measures of judgments and a run by an evaluation without queries."""
    trial_options = {name: value for name, value in options.items() if name != "exclude"}
    result = evaluate_qrels({}, {}, measures, **trial_options)
    names = list(result.means)
    suffice = not any(options.get(name) for name in ("bounds", "exclude", "judged_only"))
    rule_names: list[str] = []
    rules_of_joins: list[Settings | Convention] = []
    for group in request_joins(names, settings, rules)[1]:
        joined = group.rules
        for measure in group.measures:
            rule_names.append(str(measure))
            rules_of_joins.append(joined)
        # Ties are counted by id, or as a block.
        is_counted = joined.ties in ("id", "id_descending")
        is_counted |= joined.ties in BY_BLOCK and group.takes_blocks
        suffice &= is_counted and joined.own_document == "keep" and not drops_scores(joined)
    return CheckedMeasures(names, list(columns_of(result)), rule_names, rules_of_joins, suffice)


def _check_lists(
    measures: Measures, options: Options, settings: dict[str, Any], rules: Convention
) -> CheckedMeasures:
    """Check measures of labels and scores by an evaluation without lists."""
    names = list(evaluate_arrays([], [], measures, group=[], **options).means)
    suffice = True
    rule_names: list[str] = []
    settings_of: list[Settings | Convention] = []
    for family, of_measure in resolve_measures(names, settings, rules).measures:
        rule_names.append(family.name)
        settings_of.append(of_measure)
        # Label 0 must have no effect, nor scores. With counting, ties by position or id are an
        # error only if a hit ties; with a shuffle, if any scores tie.
        zero_has_effect = of_measure.rel <= 0 or not isinstance(of_measure.gain, str)
        zero_has_effect |= family.row.judged
        needs_scores = of_measure.drop is not None or of_measure.ideal == "given"
        suffice &= not zero_has_effect and not needs_scores
    return CheckedMeasures(names, names, rule_names, settings_of, suffice)


def _ties_in_name(measure: str) -> str | None:
    """The tie rule that the name of a measure sets."""
    return cast("str | None", parse_measure(measure).params.get("ties"))
