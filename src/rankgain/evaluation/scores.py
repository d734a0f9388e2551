"""Evaluations of values that another program computed, given as columns or as a table of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from ..engine.means import MeanRule, Terms, mean
from ..engine.notices import name_some
from ..inputs.axes import refuse_other_order
from ..inputs.files import are_paths
from ..inputs.grouping import Groups, group_rows
from ..inputs.printable import count_of, describe, is_missing, list_names, refuse_mixed_ids
from ..inputs.tables.columns import (
    WORDS,
    Column,
    Numbers,
    as_key,
    choose_header,
    keys,
    label_values,
    refuse_missing,
    select_columns,
    select_values,
)
from ..inputs.tables.roles import (
    QUERIES,
    SYSTEMS,
    UsualNames,
    choose,
    choose_query,
    no_column,
    require,
)
from ..inputs.tables.source import Origin, find_files, narwhals, open_table
from .directions import read_directions

if TYPE_CHECKING:
    from ..inputs.types import Bools, Floats, Integers, Table
    from .evaluation import Evaluation

Id = TypeVar("Id")
NO_CONVENTION = ""  # of values that follow none
TASKS = UsualNames(
    " ".join([*QUERIES.names, "task task_name task_id dataset dataset_name question question_id"]),
    " ".join([*QUERIES.rarer, "prompt prompt_id example example_id sample_id"]),
)
MEASURES = UsualNames("metric measure metric_name measure_name")
VALUES = UsualNames("value score metric_value result")
MOST_REPEATED = 10  # repeated cells in an error
MISSING = ("", "nan", "na", "null", "none")  # how text files spell a missing score


# ---- columns of values


def evaluate_values(
    values: object, queries: object, better: object, kind: type[Evaluation]
) -> Evaluation:
    """The evaluation of `Evaluation.from_values`."""
    if not isinstance(values, Mapping):
        raise TypeError(
            "values must be a mapping of a name to its values, such as {'accuracy': [1, 0, 1]}, "
            f"not {type(values).__name__}"
        )
    if not values:
        raise ValueError("values is empty; give at least one name with its values")
    for name in values:
        _check_name(name)
    refuse_other_order(**values)
    columns = {}
    for name, column in values.items():
        columns[name] = read_values(column, f"values[{name!r}]")
    ids = _read_queries(queries, columns)
    directions = read_directions(better, list(columns))
    return make_evaluation(columns, ids, directions, kind)


def make_evaluation(
    columns: Mapping[str, Floats],
    queries: Sequence[object],
    better: Mapping[str, str],
    kind: type[Evaluation],
) -> Evaluation:
    """An evaluation of columns of values; NaN is a missing value, which is left out of the mean."""
    # Plain means of the values that are not missing, from exact sums.
    rule = MeanRule()
    means: dict[str, float] = {}
    marked: dict[str, Bools] = {}
    for name, column in columns.items():
        missing = np.isnan(column)
        means[name] = mean(Terms("mean", column, None, None, ~missing), rule)
        if missing.any():
            marked[name] = missing
    counts: dict[str, object] = {"queries": len(queries)}
    if marked:
        counts["undefined"] = {name: int(missing.sum()) for name, missing in marked.items()}
        counts["undefined_as"] = dict.fromkeys(marked, "skip")
    return kind(
        means,
        columns,
        queries,
        convention=NO_CONVENTION,
        counts=counts,
        marked=marked,
        mean_rule=rule,
        better=better,
    )


def _check_name(name: object) -> None:
    """Check the name of a column of values."""
    if not isinstance(name, str):
        raise TypeError(f"the name of values must be text, not {describe(name)}")
    if not name.strip():
        raise ValueError(f"{name!r} is not a name; give each column of values one")


def read_values(column: object, place: str) -> Floats:
    """Numbers or booleans as float64, NaN if missing; `place` names them in errors."""
    if isinstance(column, (str, bytes, Mapping, Set)) or not isinstance(column, Sized):
        raise TypeError(
            f"{place} must be a sequence of numbers in the order of the queries, not "
            f"{describe(column)}"
        )
    if isinstance(column, np.ndarray) and column.ndim != 1:
        raise ValueError(f"{place} has {column.ndim} dimensions; give one value for each query")
    if not len(column):
        raise ValueError(f"{place} is empty; give a value for each query")
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        result = column.astype(np.float64)
    else:
        listed = _as_list(column)
        result = np.empty(len(listed))
        for index, value in enumerate(listed):
            result[index] = _read_value(value, place, index)
    # An infinite value would make each mean and difference infinite or nan.
    infinite = np.flatnonzero(np.isinf(result))
    if infinite.size:
        index = int(infinite[0])
        raise ValueError(
            f"{place}: value {index} is {result[index]}; values must be finite, or missing"
        )
    return result


def _as_list(column: object) -> list[object]:
    """The values of a list, of an array, or of a column of pandas, polars or Arrow."""
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(column, method):
            listed: list[object] = getattr(column, method)()
            return listed
    return list(cast("Sequence[Any]", column))


def _read_value(value: object, place: str, index: int) -> float:
    """A number or boolean as a float, a missing value as NaN."""
    if is_missing(value):
        return float("nan")
    if not isinstance(value, (Real, Decimal, Fraction, np.number, np.bool_)):
        raise TypeError(f"{place}: value {index} must be a number, not {describe(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(
            f"{place}: value {index} is {describe(value)}, which is too large for a float64"
        ) from None


def _read_queries(queries: object, columns: Mapping[str, Floats]) -> Sequence[object]:
    """The ids of the queries, as many as there are values in each column."""
    if queries is None:
        first = next(iter(columns))
        length = len(columns[first])
        for name, column in columns.items():
            if len(column) != length:
                raise ValueError(
                    f"values[{name!r}] has {count_of(len(column), 'value')}, but "
                    f"values[{first!r}] has {length}"
                )
        return range(length)
    if isinstance(queries, (str, bytes, Set)) or not isinstance(queries, Sized):
        raise TypeError(
            f"queries must be a sequence of ids in the order of the values, not {describe(queries)}"
        )
    ids = _as_list(queries)
    for name, column in columns.items():
        if len(column) != len(ids):
            raise ValueError(
                f"values[{name!r}] has {count_of(len(column), 'value')}, but queries has "
                f"{count_of(len(ids), 'id')}"
            )
    refuse_mixed_ids(ids, lambda index: f"queries: id {index}")
    repeated = _repeated(ids)
    if repeated:
        repeated_names = name_some(list(map(describe, repeated)))
        occur = "occurs" if len(repeated) == 1 else "occur"
        raise ValueError(
            f"queries: {repeated_names} {occur} twice; give each query an id of its own"
        )
    return ids


# ---- tables of scores


class ScoreColumns(NamedTuple):
    """The columns of a table of scores."""

    run: str
    query: list[str]
    values: list[str]  # a column for each measure, or the only one of a long table
    measure: str | None  # the column that names the measure of a row, in a long table

    @property
    def names(self) -> list[str]:
        """All columns to read."""
        return [*self.keys, *self.values]

    @property
    def keys(self) -> list[str]:
        """The columns that say whose score a row has."""
        if self.measure is None:
            return [self.run, *self.query]
        return [self.run, *self.query, self.measure]


class ScoreRows(NamedTuple):
    """The rows of a table of scores: their systems, queries and values."""

    systems: list[str]
    system: Integers  # the number of the system of each row
    queries: list[object]
    query: Integers
    measures: list[str]
    measure: Integers | None  # of each row of a long table; None: each measure has a column
    values: Floats  # (rows, columns of values)


def evaluate_scores_table(
    frame: Table,
    run: str | None,
    query: str | Sequence[str] | None,
    values: object,
    measure: str | None,
    value: str | None,
    better: object,
    kind: type[Evaluation],
) -> dict[str, Evaluation]:
    """The evaluation of each system of a table of scores, in the order of their first rows."""
    source: Any = frame
    if are_paths(frame):
        narwhals()  # its absence is an error, whatever the files need
        source = find_files(source)
    opened, origin = open_table(source)
    chosen = choose_score_columns(choose_header(opened), run, query, values, measure, value, origin)
    rows = _read_rows(opened, chosen, origin)
    _refuse_repeated_rows(rows, origin)
    directions = read_directions(better, rows.measures)
    result: dict[str, Evaluation] = {}
    for number, system in enumerate(rows.systems):
        of_system = np.flatnonzero(rows.system == number)
        # Codes of queries count first rows, so that sorted codes are in the order of the table.
        codes, places = np.unique(rows.query[of_system], return_inverse=True)
        table = np.full((len(codes), len(rows.measures)), np.nan)
        if rows.measure is None:
            table[places] = rows.values[of_system]
        else:
            table[places, rows.measure[of_system]] = rows.values[of_system, 0]
        columns = dict(zip(rows.measures, table.T, strict=True))
        queries = [rows.queries[code] for code in codes.tolist()]
        result[system] = make_evaluation(columns, queries, directions, kind)
    return result


def choose_score_columns(
    names: list[Any],
    run: str | None,
    query: str | Sequence[str] | None,
    values: object,
    measure: str | None,
    value: str | None,
    origin: Origin,
) -> ScoreColumns:
    """The columns that the arguments name, or those with usual names."""
    run_column = choose(names, run, "run", SYSTEMS, origin)
    if query is None:
        query_columns = [choose(names, None, "query", TASKS, origin)]
    else:
        query_columns = choose_query(names, query, origin).names
    taken = {run_column, *query_columns}
    if values is not None and (measure is not None or value is not None):
        raise ValueError(
            "the columns are named both as in a wide table (values=) and as in a long one "
            "(measure=, value=); name them in one way"
        )
    if values is not None:
        columns = []
        for name in _list_names_of(values):
            columns.append(require(names, name, "values", origin))
        if not columns:
            raise ValueError("values: no column is named; name each column of scores once")
        repeated = _repeated(columns)
        if repeated:
            raise ValueError(
                f"{repeated[0]!r} is named twice by values=; name each column of scores once"
            )
        return _checked(ScoreColumns(run_column, query_columns, columns, None))
    # Columns that no argument names: scores of a wide table, unless one holds measures.
    free = [name for name in names if name not in taken]
    if measure is None and value is None and not MEASURES.matching(free):
        if not free:
            raise ValueError(
                f"{origin.name}: there is no column of scores beside {list_names(names)}"
            )
        return ScoreColumns(run_column, query_columns, free, None)
    measure_column = _choose_unclaimed(names, free, measure, "measure", MEASURES, origin)
    free = [name for name in free if name != measure_column]
    value_column = _choose_unclaimed(names, free, value, "value", VALUES, origin)
    return _checked(ScoreColumns(run_column, query_columns, [value_column], measure_column))


def _choose_unclaimed(
    names: list[Any],
    free: list[Any],
    name: str | None,
    argument: str,
    usual: UsualNames,
    origin: Origin,
) -> str:
    """The column that an argument names, or the only free column with a usual name."""
    if name is not None:
        return require(names, name, argument, origin)
    if not usual.matching(free):
        raise ValueError(no_column(names, argument, usual, origin))
    return choose(free, None, argument, usual, origin)


def _list_names_of(values: object) -> Sequence[object]:
    """The names of columns of scores, as a list."""
    if isinstance(values, str):
        return [values]
    if not isinstance(values, (list, tuple)):
        raise TypeError(
            f"values must be the name of a column, or a list of names, not {describe(values)}"
        )
    return values


def _checked(columns: ScoreColumns) -> ScoreColumns:
    """The columns; an error if one has two roles."""
    repeated = _repeated(columns.names)
    if repeated:
        raise ValueError(
            f"column {repeated[0]!r} is named for two roles; name another for one of them"
        )
    return columns


def _repeated(ids: Iterable[Id]) -> list[Id]:
    """The ids that occur more than once."""
    return [repeated for repeated, count in Counter(ids).items() if count > 1]


def _read_rows(opened: object, chosen: ScoreColumns, origin: Origin) -> ScoreRows:
    """Read the columns of all rows."""
    columns = select_columns(opened, chosen.names, origin, chosen.keys)
    column_of = dict(zip(chosen.names, columns, strict=True))
    for name in chosen.keys:
        refuse_missing(column_of[name], origin)
    run_column = column_of[chosen.run]
    if not len(run_column):
        raise ValueError(f"{origin.name} has no rows, so there are no scores")
    systems = group_rows(keys(run_column, origin))
    names = list(map(str, select_values(run_column, systems.first)))
    # Several columns of a query, such as data set and task, make one key.
    query_key = as_key([column_of[name] for name in chosen.query], origin)
    queries = group_rows(keys(query_key, origin))
    scores = [_read_scores(column_of[name], chosen, origin) for name in chosen.values]
    measures, codes = list(chosen.values), None
    if chosen.measure is not None:
        measure_column = column_of[chosen.measure]
        groups = group_rows(keys(measure_column, origin))
        measures, codes = _measure_names(measure_column, groups, origin), groups.codes
    for name in measures:
        _check_name(name)
    ids = select_values(query_key, queries.first)
    values = np.column_stack(scores)
    return ScoreRows(names, systems.codes, ids, queries.codes, measures, codes, values)


def _measure_names(column: Column, groups: Groups, origin: Origin) -> list[str]:
    """The names of the measures of a long table."""
    names = select_values(column, groups.first)
    for row, name in zip(groups.first.tolist(), names, strict=True):
        if not isinstance(name, str):
            raise TypeError(
                f"{origin.row(row)}: {column.name!r} must hold names of measures, not "
                f"{describe(name)}"
            )
    return names


def _read_scores(column: Column, chosen: ScoreColumns, origin: Origin) -> Floats:
    """The scores of a column, NaN where one is missing."""
    values: Any = label_values(column, origin)
    if values is None and not isinstance(column, Numbers):
        values = _read_other_scores(column, chosen, origin)
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        row = int(infinite[0])
        raise ValueError(
            f"{origin.row(row)}: {column.name!r} is {values[row]}; scores must be finite, or "
            "missing"
        )
    return np.asarray(values, np.float64)


def _read_other_scores(column: Any, chosen: ScoreColumns, origin: Origin) -> Floats:
    """The scores of a column of Python objects, decimals or text; in files text may be numbers."""
    values = np.empty(len(column))
    for row, score in enumerate(column.to_list()):
        if not isinstance(score, str):
            values[row] = _read_value(score, repr(column.name), row)
            continue
        if origin.text:
            values[row] = _read_text(score)
            if not np.isnan(values[row]) or score.strip().lower() in MISSING:
                continue
        remedy = "name the score columns with values=; for a long table, use measure= and value="
        if chosen.measure is not None:
            remedy = "give a number, or leave the cell empty if the score is missing"
        error = ValueError if origin.text else TypeError
        raise error(
            f"{origin.row(row)}: {column.name!r} must hold scores, not {describe(score)}; {remedy}"
        )
    return values


def _read_text(text: str) -> float:
    """The number that a field of a text file holds, NaN if it holds none."""
    try:
        return float(WORDS.get(text.lower(), text))
    except ValueError:
        return float("nan")


def _refuse_repeated_rows(rows: ScoreRows, origin: Origin) -> None:
    """Refuse a second row of a system and query, in a long table also of the measure."""
    # One number for each system, query and measure.
    cells = rows.system.astype(np.int64) * len(rows.queries) + rows.query
    if rows.measure is not None:
        cells = cells * len(rows.measures) + rows.measure
    _, first_rows, counts = np.unique(cells, return_index=True, return_counts=True)
    repeated = np.sort(first_rows[counts > 1]).tolist()
    if not repeated:
        return
    texts = []
    for first_row in repeated[:MOST_REPEATED]:
        same = np.flatnonzero(cells == cells[first_row])
        texts.append(_describe_cell(rows, first_row, same.tolist()))
    if len(repeated) > MOST_REPEATED:
        texts.append(f"and {len(repeated) - MOST_REPEATED} more")
    raise ValueError(
        f"{origin.name}: more than one score for {'; '.join(texts)}; keep one row of each, or name "
        "all columns that tell queries apart by query="
    )


def _describe_cell(rows: ScoreRows, row: int, same: Iterable[int]) -> str:
    """The system, the query and the measure of a row; all rows that have them, counted from 1."""
    system = rows.systems[rows.system[row]]
    query = rows.queries[rows.query[row]]
    text = f"{system!r}, {describe(query)}"
    if rows.measure is not None:
        measure = rows.measures[rows.measure[row]]
        text += f", {measure!r}"
    numbers = " and ".join(str(index + 1) for index in same)
    return f"{text} (rows {numbers})"
