"""Evaluate a stream of Arrow record batches in bounded memory."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from ...convention import UNSET, Convention, Unset, get_convention
from ...engine.arguments import documented
from ...inputs.grouping import Repeats
from ...inputs.lists import reword_error
from ...inputs.read import read_lists
from ...inputs.tables.batch_columns import (
    BatchRows,
    Names,
    Reader,
    by_segment,
    cut_rows,
    joined_rows,
)
from ...inputs.tables.parts import Piece, Progress, adjacent_parts
from ...inputs.tables.record_batches import is_read_once, open_batches
from ...measures.measure import rereadable
from ..evaluation import Evaluation
from ..one_pass import SeededOptions, evaluate_lists, settings_from
from ..partial.ranks import PartialRanks
from ..sums.accumulator import Accumulator
from .table import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...inputs.types import Frame, Path
    from ...measures.types import Measures, Rules


STRETCH = 1 << 18  # rows at least that are evaluated together


@documented("rankgain")
def evaluate_batches(
    batches: Path | Frame | Iterable[Frame],
    measures: Measures,
    *,
    by: str,
    label: str,
    score: str,
    order: Literal["sorted", "any"] = "sorted",
    keep: Literal["values", "sums"] | Accumulator = "values",
    weight: str | None = None,
    segment: str | None = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    progress: bool | None = None,
    **options: Unpack[SeededOptions],
) -> Any:
    """Evaluate a stream of rows that need not fit into memory.

    Values have the bits of `evaluate_arrays` on the same lists, however the rows are batched.

    Parameters
    ----------
    batches : a stream of Arrow record batches
        An iterator of them, a table, a RecordBatchReader, a data set or a scanner of pyarrow, a
        result of DuckDB (`con.sql(...)`), an eager data frame: anything with
        `__arrow_c_stream__`, or whose items have it or `__arrow_c_array__`; a path of Parquet, CSV,
        TSV or JSON lines; or a function that gives one of these.
        Needs the extra "arrow", and JSON lines the extra "frames".
    by, label, score : str
        Columns: the query of a row (integers or text), its label, and the model's score.
    order : "sorted" or "any"
        "sorted": the rows of a list are adjacent; a list is evaluated once it is complete. Memory
        holds one batch (at least 262,144 rows) and the longest list, both twice while they are
        joined, and eight bytes for each list, which show a query in two places. "any": two passes
        without sorting. The first reads the rows with a label other than 0, the second counts the
        scores above theirs and equal to them. Memory holds one batch and some 150 bytes for each
        such row and for each list. The source must allow reading it twice: a path, a function, a
        data set, a table or a list. Ties may be "average", "best" or "worst" (see `PartialRanks`).
        Lists are in the order of their first relevant rows, those without one at the end.
    keep : "values", "sums" or an Accumulator
        Keep the values of each list, for an `Evaluation`; or add them to an `Accumulator`, a new
        one or this one, and then only those eight bytes for each list remain.
    weight : str, optional
        A column with the weight of the list, equal in all rows of a list. Not with order="any".
    segment : str, optional
        A column with the segment of the list, an integer or text, equal in all rows of a list. The
        result has it in `Evaluation.segments`, or as sums of each segment in an `Accumulator`. Not
        with order="any"; `evaluate_frame` takes a path with rows in any order.
    progress : bool, optional
        Write the number of rows read to standard error; by default if that is a terminal.

    Returns
    -------
    Evaluation or Accumulator

    ties="random" is refused, as it depends on the index of a list in its call.

    A row without a value, a NaN score, a label that is not finite, text where numbers should be, a
    batch with other columns or types, a query in two places of a "sorted" stream, and a list of
    more than 2**31 - 1 rows are errors that name the row or the batch.

    >>> import pyarrow, rankgain as rg
    >>> def batch(users, labels, scores):
    ...     return pyarrow.record_batch({"user": users, "label": labels, "score": scores})
    >>> stream = [batch(["a", "a"], [0, 1], [0.9, 0.5]), batch(["a", "b"], [0, 1], [0.7, 0.2])]
    >>> rg.evaluate_batches(iter(stream), "RR", by="user", label="label", score="score").to_dict()
    {'a': {'RR': 0.3333333333333333}, 'b': {'RR': 1.0}}
    """
    settings = settings_from(options, SeededOptions, "evaluate_batches")
    if order not in ("sorted", "any"):
        raise ValueError(f'order must be "sorted" or "any", not {order!r}')
    rules = get_convention("rankgain" if convention is UNSET else convention)
    collector = _Collector(keep, rules)
    call = Call(rereadable(measures), settings, rules, threads, (), set())
    _refuse_random(call)
    names = Names(by, label, score, weight, segment)
    if order == "any":
        collector.add(_counted(batches, names, call, progress))
        return collector.result()
    reader = Reader(names)
    with closing(Progress(progress)) as bar:
        for complete in _complete_lists(batches, reader, names, bar):
            for part, labels in by_segment(complete, segment, reader.segments, collector.sums):
                result = _evaluated(part, call, names, labels)
                collector.add(result, labels[0] if labels and collector.sums else None)
    if collector.empty:
        no_rows = BatchRows([], np.zeros(0, np.int64), 0, np.zeros(0), np.zeros(0), None, None)
        collector.add(_evaluated(no_rows, call, names, None if segment is None else []))
    return collector.result()


class _Collector:
    """Collects the evaluations of a stream, or their sums."""

    def __init__(self, keep: str | Accumulator, rules: Convention) -> None:
        if not isinstance(keep, Accumulator) and keep not in ("values", "sums"):
            raise ValueError(f'keep must be "values", "sums" or an Accumulator, not {keep!r}')
        self._rules, self.empty = rules, True
        self._parts: list[Evaluation] = []
        self._target = keep if isinstance(keep, Accumulator) else Accumulator()
        self._total = None
        if keep != "values":  # `_target` is changed only after the stream has ended
            self._total = Accumulator(bootstrap=self._target.bootstrap, seed=self._target.seed)

    @property
    def sums(self) -> bool:
        """Whether only sums are kept."""
        return self._total is not None

    def add(self, part: Evaluation, segment: object = None) -> None:
        self.empty = False
        if self._total is None:
            self._parts.append(part)
        else:
            self._total.add(part, segment=segment)
            # Report conflicts with the target before the rest of the stream is read.
            self._target._joined(self._total._rules, "the stream")

    def result(self) -> Any:
        if self._total is not None:
            return self._target._join(self._total, "the stream")
        return Evaluation.merge(self._parts, convention=self._rules)


def _refuse_random(call: Call) -> None:
    """Refuse ties="random" before anything is read."""
    name = call.measures_by_ties().get("random")
    if name is not None:
        raise ValueError(
            f'{name}: ties="random" draws by the place of a list in its call, which a stream does '
            'not have; choose another ties=, such as "average" or "stable"'
        )


def _complete_lists(
    batches: object, reader: Reader, names: Names, bar: Progress
) -> Iterator[BatchRows]:
    """Yield the lists of a stream, some at a time; refuse a query that comes back.

    Memory: one batch, at least STRETCH rows, and the longest list; twice while they are joined.
    """
    lists, repeats = 0, Repeats()

    def pieces() -> Iterator[Piece]:
        for batch in open_batches(batches, names.columns, names.keys):
            read = reader.read(batch)
            bar.tell(reader.rows, lists)
            if read.ids:
                last = int(read.starts[-1])
                yield Piece(read, len(read.labels), last, read.ids[0], read.ids[-1])

    for part in adjacent_parts(pieces(), joined_rows, cut_rows, names.by, STRETCH):
        again = repeats.add(part.ids)
        if again is not None:
            row = part.first + int(part.starts[again]) + 1
            raise ValueError(
                f"row {row} of the stream: {part.ids[again]!r} comes back after other queries, but "
                f'the rows of one list must be adjacent; sort by {names.by!r}, or give order="any"'
            )
        lists += len(part.ids)
        yield part


def _evaluated(rows: BatchRows, call: Call, names: Names, segments: list[Any] | None) -> Evaluation:
    """Evaluate complete lists; errors name rows of the stream."""
    try:
        lists = read_lists(rows.labels, rows.scores, group=rows.sizes)
        weights = _weights(rows, names)
        ids = np.array(rows.ids, object)
        lists = lists.having(layout=lists.layout._replace(queries=ids), ids_by="")
        return evaluate_lists(
            *(lists, call.measures, call.options, call.rules, weights, call.threads, ()),
            displayed=rows.ids,
            segments=segments,
        )
    except (ValueError, TypeError) as error:
        if not rows.ids:
            raise
        first = f"in the lists from row {rows.first + 1} of the stream on"
        reword_error(error, f"{first} (list 0 is that of {rows.ids[0]!r}): {error}")
        raise


def _weights(rows: BatchRows, names: Names) -> Any:
    if rows.weights is None:
        return None
    each = rows.weights[rows.starts]
    differs = rows.weights != np.repeat(each, rows.sizes)
    if differs.any():
        raise ValueError(
            f"document {int(differs.argmax())} has another {names.weight} than the first row of "
            "its list; all rows of a list must have one weight"
        )
    return each


def _counted(source: object, names: Names, call: Call, progress: bool | None) -> Evaluation:
    """Evaluate in two passes: read the hits, then count the scores above and equal to theirs."""
    for role in ("weight", "segment"):
        if getattr(names, role) is not None:
            raise ValueError(
                f'order="any" takes no {role}; sort the rows for it, or give evaluate_frame a path'
            )
    if is_read_once(source):
        raise ValueError(
            f'order="any" reads its source twice, and a {type(source).__name__} is empty after the '
            "first time; give a path, a data set, a table, a list, or a function that opens it"
        )
    with closing(Progress(progress, "pass 1 of 2: ")) as bar:
        partial, rows = _hits(source, names, bar)
    reader = Reader(names)
    with closing(Progress(progress, "pass 2 of 2: ")) as bar:
        for batch in open_batches(source, names.columns, names.keys):
            result = reader.read(batch)
            if result.ids:
                partial.add(np.repeat(_ids(result.ids), result.sizes), result.scores)
            bar.tell(reader.rows)
    if reader.rows != rows:
        raise ValueError(
            f"the source had {rows} rows when it was read first, and {reader.rows} the second "
            "time; it must be the same both times"
        )
    requested = {name: value for name, value in call.options.items() if name != "seed"}
    return partial.finish(call.measures, **requested, convention=call.rules, threads=call.threads)


def _hits(source: object, names: Names, bar: Progress) -> tuple[PartialRanks, int]:
    """Read the rows with a label other than 0, and count all rows."""
    reader = Reader(names)
    parts = []
    for batch in open_batches(source, names.columns, names.keys):
        result = reader.read(batch)
        at = np.flatnonzero(result.labels)
        if at.size:
            runs = np.searchsorted(result.starts, at, side="right") - 1
            parts.append((_ids(result.ids)[runs], result.scores[at], result.labels[at]))
        bar.tell(reader.rows)
    columns: list[Any] = [np.concatenate(one) for one in zip(*parts, strict=True)]
    return PartialRanks(*(columns or ([], [], []))), reader.rows


def _ids(ids: list[Any]) -> Any:
    if ids and isinstance(ids[0], str):
        return np.array(ids, object)
    if max(ids, default=0) >= 2**63:
        raise ValueError(
            f'the id {max(ids)} is too large for order="any", which keeps 63 bits; cast the column '
            "to text, or sort the rows by it"
        )
    return np.array(ids, np.int64)
