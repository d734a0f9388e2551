"""DataFrames before and after Spark's tasks: columns are checked, tasks shipped, rows collected."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ... import Accumulator
from ...engine.counted import distinct
from ...evaluation.partial.ranks import PartialRanks
from ...inputs.arrays import EXACT
from ...inputs.ranks import RankScale
from ..hosts import require
from . import tasks
from .tasks import Answers, Column, Options, refuse_twice

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from ...inputs.types import Array, Integers


IDS = {"byte": "int8", "short": "int16", "integer": "int32", "long": "int64", "string": "string"}
NUMBERS = ("byte", "short", "integer", "long", "float", "double", "boolean", "decimal")
# The types of columns by their kind, and what an error says of others.
KINDS: dict[str, tuple[Collection[str], str]] = {
    "id": (IDS, '; ids must be integers or text: cast it to "string"'),
    "number": (NUMBERS, ', and numbers are needed: cast it to "double"'),
    "list": (("array",), ", not an array"),
}
RequestedColumn: TypeAlias = tuple[str, str, str]  # argument, column, and kind
Batches: TypeAlias = "Iterator[pa.RecordBatch]"
HITS = 2_000_000  # the most that are sent to the driver and to every task: about 100 MB
CELLS = 1 << 18  # counts in a part: about 2 MB of memory


def pyspark_functions() -> Any:
    """pyspark.sql.functions, or an error that names the extra."""
    for needed in ("pandas", "pyarrow"):  # PySpark asks for both before it calls Python
        require(needed, "spark")
    return require("pyspark.sql.functions", "spark")


# ---- columns


def select(frame: DataFrame, *requested: RequestedColumn) -> DataFrame:
    """Select columns in this order, decimals as doubles."""
    types = {field.name: field.dataType.typeName() for field in frame.schema.fields}
    selected = []
    for argument, column, kind in requested:
        if not isinstance(column, str):
            raise TypeError(f"{argument} must be the name of a column, not {column!r}")
        if column not in types:
            columns = ", ".join(map(repr, list(types)[:8]))
            if len(types) > 8:
                columns += f" and {len(types) - 8} more"
            raise ValueError(f"{argument}: there is no column {column!r}; there are {columns}")
        allowed, remedy = KINDS[kind]
        if types[column] not in allowed:
            raise TypeError(f"{argument}: the column {column!r} is of type {types[column]}{remedy}")
        if types[column] == "decimal":
            selected.append(_decimal_as_double(column))
        else:
            selected.append(quote_column(column))
    return frame.select(*selected)


def _decimal_as_double(name: str) -> SparkColumn:
    """A column of decimals as doubles; the job fails at a value beyond which doubles have gaps."""
    functions, column = pyspark_functions(), quote_column(name)
    words = (
        f"column {name!r} has a decimal beyond 2**53, which cannot be represented exactly as a "
        "float64; rescale it"
    )
    refused = functions.raise_error(functions.lit(words))
    is_large = functions.abs(column) > EXACT
    return functions.when(is_large, refused).otherwise(column.cast("double")).alias(name)


def quote_column(name: str) -> SparkColumn:
    """A column by name, with quotes for special characters."""
    return pyspark_functions().col("`" + name.replace("`", "``") + "`")


def same_ids(frame: DataFrame, requested: list[RequestedColumn]) -> DataFrame:
    """Cast arrays of ids to one type: text, or integers of 64 bits if they differ."""
    schema = select(frame, *requested).schema
    kinds = [schema[column].dataType.elementType.typeName() for _, column, _ in requested]
    for (argument, column, _), kind in zip(requested, kinds, strict=True):
        if kind not in IDS:
            raise TypeError(
                f"{argument}: the column {column!r} has arrays of {kind}; ids must be integers or "
                "text: cast them"
            )
    if kinds.count("string") == 1:
        raise TypeError(
            f"{requested[0][1]!r} has ids of type {kinds[0]}, {requested[1][1]!r} of type "
            f"{kinds[1]}; ids of different types never match; cast one of them"
        )
    if kinds[0] == kinds[1]:
        return frame
    for _, column, _ in requested:
        frame = frame.withColumn(column, quote_column(column).cast("array<bigint>"))
    return frame


def find_type(frame: DataFrame, column: str) -> str:
    """The name of a column's type."""
    return str(frame.schema[column].dataType.typeName())


def find_scale_of_column(rows: DataFrame, rank: str) -> RankScale:
    """Where the ranks of a frame start, and whether some are means of ties."""
    functions = pyspark_functions()
    ranks = quote_column(rank).cast("double")
    is_mean = ranks != functions.floor(ranks)
    smallest, has_means = rows.agg(functions.min(ranks), functions.max(is_mean)).first()
    first = 1
    if smallest is not None and smallest < 1:
        first = 0
    return RankScale(first, bool(has_means))


def in_precision(rows: DataFrame, score: str, precisions: set[bool]) -> DataFrame:
    """The rows with scores as float32, if all measures compare them so."""
    if precisions != {True} or find_type(rows, score) != "double":
        return rows
    return rows.withColumn(score, quote_column(score).cast("float"))


def adjacent(rows: DataFrame, query: str) -> DataFrame:
    """Bring the rows of each query into one partition, adjacent."""
    return rows.repartition(quote_column(query)).sortWithinPartitions(quote_column(query))


# ---- tasks


def map_rows(
    rows: DataFrame, schema: object, task: Callable[..., Batches], /, **arguments: object
) -> DataFrame:
    """Call a function of `tasks` with batches and arguments where the rows are."""
    # Names without dots and quotes, which Spark would read as parts of a name.
    plain = rows.toDF(*[f"c{number}" for number in range(len(rows.columns))])
    result: DataFrame = plain.mapInArrow(ship(task, **arguments), schema)
    return result


def ship(task: Callable[..., Batches], /, **arguments: object) -> Callable[[Batches], Batches]:
    """The function of `map_rows`.

    It is a nested one, which is pickled by value, so that a worker without this package can raise a
    clear error; the task and its arguments are pickled apart, for the same reason.
    """
    from pyspark import cloudpickle

    pickled = cloudpickle.dumps((task, arguments))

    def run(batches: Batches) -> Batches:
        import pickle
        import sys

        try:
            task, arguments = pickle.loads(pickled)
        except ImportError as error:
            raise ImportError(
                f"rankgain cannot be imported where Spark's tasks run ({error}; Python "
                f"{sys.version.split()[0]}, {sys.executable}): install the wheel there, as a "
                "library of the cluster, or ship a packed environment that has it with "
                "spark.archives (venv-pack, conda-pack); --py-files does not work for compiled code"
            ) from error
        yield from task(batches, **arguments)

    return run


def collect(rows: DataFrame, columns: list[Column], twice: str = "") -> list[Array]:
    """All rows as arrays; twice: the frame in the error for a document that is twice in a list."""
    packed = map_rows(rows, "data binary", tasks.pack_rows, columns=columns).collect()
    batches = [pickle.loads(bytes(row["data"])) for row in packed]
    if not batches:
        types = [np.int64 if kind == "id" else np.float64 for _, kind in columns]
        return [np.zeros(0, dtype) for dtype in types]
    result = [np.concatenate(parts) for parts in zip(*batches, strict=True)]
    if twice:
        refuse_twice(result[0], result[-1], twice)
    return result


class MeanOptions(NamedTuple):
    """Whether means are asked for, and the bootstrap of their intervals."""

    means: bool
    bootstrap: bool | int
    seed: int


class Answer(NamedTuple):
    """The form of the result: values per query with a schema, or sums for means."""

    query: tuple[str, str] | None
    schema: StructType
    sums: dict[str, int] | None  # options of the bootstrap; None: values

    @classmethod
    def of(
        cls,
        frame: DataFrame,
        by: str | None,
        names: Sequence[str],
        sums: MeanOptions,
    ) -> Answer:
        """An answer with the id of the query and a double for each name, or with their means."""
        from pyspark.sql.types import DoubleType, StructField, StructType

        total = Accumulator(bootstrap=sums.bootstrap, seed=sums.seed)
        if total.bootstrap and not sums.means:
            raise ValueError("bootstrap= makes intervals of means: give means=True with it")
        if total.bootstrap and by is None:
            raise ValueError("the bootstrap draws by query id: give query=, the column that has it")
        drawn = None
        if sums.means:
            drawn = {"bootstrap": total.bootstrap, "seed": total.seed}
        fields = [StructField(name, DoubleType()) for name in names]
        query = None
        if by is not None:
            fields.insert(0, StructField(by, frame.schema[by].dataType))
            query = by, IDS[find_type(frame, by)]
        return cls(query, StructType(fields), drawn)

    def run(self, rows: DataFrame, task: Callable[..., Answers], **arguments: object) -> object:
        """Run a task; return a DataFrame of values, or an Accumulator."""
        call = {"task": task, "arguments": arguments, "query": self.query, "drawn": self.sums}
        if self.sums is None:
            return map_rows(rows, self.schema, tasks.answer, **call)
        total = Accumulator(**self.sums)
        for part in map_rows(rows, "data binary", tasks.answer, **call).collect():
            total.merge(pickle.loads(bytes(part["data"])))
        return total


def evaluate_systems(
    frame: DataFrame, column: str, evaluate: Callable[[DataFrame], Any]
) -> DataFrame | dict[Any, Accumulator]:
    """Evaluate the rows of each system: a DataFrame with the column "run", or a dict of sums."""
    systems = select(frame, ("run", column, "id")).distinct().collect()
    names = [row[0] for row in systems]
    if None in names:
        raise ValueError(f"run: the column {column!r} is null in some rows; name their system")
    if not names:
        raise ValueError(f"run: the column {column!r} has no rows, and so names no system")
    literal = pyspark_functions().lit
    results = {}
    for name in sorted(names):
        results[name] = evaluate(frame.where(quote_column(column) == literal(name)))
    if all(isinstance(result, Accumulator) for result in results.values()):
        return results
    kind = frame.schema[column].dataType
    frames = []
    for name, values in results.items():
        frames.append(values.select(literal(name).cast(kind).alias("run"), "*"))
    union: DataFrame = reduce(type(frames[0]).union, frames)
    return union


# ---- counting


def evaluate_by_counting(
    rows: DataFrame,
    requested: Options,
    answer: Answer,
    *hits: Array,
    judged: Sequence[Array] | None = None,
    after: Integers | None = None,
) -> object:
    """Count above: evaluate rows (query, score) with the given hits (query, score, label).

    judged: query and label of all judged documents of a run; after: documents with the score of
    each hit and a greater id.
    """
    query_ids = hits[0] if judged is None else judged[0]
    queries = distinct(query_ids.tolist(), "query")
    partial = PartialRanks(*hits, queries=queries)
    counter = partial._counter
    # Cut the lists into parts with about so many counts each: the lists in which the running
    # number of counts passes a multiple of CELLS.
    bounds = counter.levels.bounds
    multiples = np.arange(CELLS, int(bounds[-1]), CELLS)
    inner = np.searchsorted(bounds, multiples).tolist()
    cuts = sorted({0, *inner, len(bounds) - 1})
    columns = list(zip(rows.columns, ("id", "score"), strict=True))
    counts = {"columns": columns, "counter": counter, "cuts": cuts}
    parts = map_rows(rows, "part int, data binary", tasks.count_rows, **counts)
    # An empty row for each part, so that lists without rows are evaluated.
    functions = pyspark_functions()
    nothing = functions.lit(None).cast("binary").alias("data")
    numbers = rows.sparkSession.range(len(cuts) - 1)
    parts = parts.union(numbers.select(functions.col("id").cast("int").alias("part"), nothing))
    if judged is not None:
        judged = partial._queries.find(judged[0], "query")[0], judged[1]
    return answer.run(
        parts.repartition(min(len(cuts) + 3, 200), "part"),
        tasks.finish_parts,
        hits=hits,
        places=partial._rows,
        queries=queries,
        cuts=cuts,
        judged=judged,
        after=after,
        requested=requested,
    )


def evaluate_runs_by_counting(
    truth: DataFrame,
    run: DataFrame,
    columns: list[Column],
    requested: Options,
    answer: Answer,
) -> object:
    """Count above, for judgments and a run; columns: query, doc, label, score."""
    query, doc, label, score = columns
    functions = pyspark_functions()
    judged = collect(truth.select("query", "label", "doc"), [query, label, doc], twice="truth")
    hit_rows = run.join(functions.broadcast(truth), ["query", "doc"])
    hit_columns = hit_rows.select("query", "score", "label", "doc")
    *hits, docs = collect(hit_columns, [query, score, label, doc], twice="run")
    # Ties by id: count the documents with the score of a hit whose ids are greater.
    scores_of_hits = hit_rows.select("query", "score", functions.col("doc").alias("hit"))
    tied = run.join(functions.broadcast(scores_of_hits), ["query", "score"])
    is_greater = functions.col("doc").cast("string") > functions.col("hit").cast("string")
    greater = tied.where(is_greater).groupBy("query", "hit").count()
    kinds = [query, ("count", "label"), doc]
    ids, counts, hit_ids = collect(greater.select("query", "count", "hit"), kinds)
    keys = zip(ids.tolist(), hit_ids.tolist(), strict=True)
    count_of = dict(zip(keys, counts.tolist(), strict=True))
    pairs = zip(hits[0].tolist(), docs.tolist(), strict=True)
    after = np.array([count_of.get(pair, 0) for pair in pairs], np.int64)
    rows = run.select("query", "score")
    return evaluate_by_counting(rows, requested, answer, *hits, judged=judged[:2], after=after)
