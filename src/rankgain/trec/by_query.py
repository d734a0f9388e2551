"""Qrels and Run: judgments and rankings by query, read from TREC files, dicts and frames."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, TextIO, cast

import numpy as np

from .. import _core
from ..engine.notices import warn
from ..inputs.chunks import DocumentOf, read_documents
from ..inputs.files import Source, SourceError, line_text, no_rows, open_target
from ..inputs.printable import WITH_TEXT, count_of, describe, find_kind, refuse_results
from .chunks import rank_documents
from .forms import NamedColumns, read_frame, read_objects, refuse_one_column, text_of_key
from .parts import collapse, holds_parts, read_importance, read_parts
from .rank_like import warn_of_rank_like
from .repeats import average_copies
from .rows import (
    LARGEST_LABEL,
    Duplicates,
    Floats,
    Integers,
    JoinCache,
    RecordRows,
    Table,
    find_form,
    find_place,
    gather,
    index,
    keep_one,
    move_up,
    places_of_ranks,
    positions,
    read_rows,
    sort_rows,
)
from .spans import judge_chunks

if TYPE_CHECKING:
    from ..convention import Convention
    from ..inputs.parts import PartLabels
    from ..inputs.types import Documents, Frame, Path, Records
    from .rows import Joined

RANX_NAMES = ("Qrels", "Run")  # of records, here and in ranx
OF_QRELS = ("raise", "first", "last", "best", "mean")
OF_RUNS = ("raise", "first", "last", "best", "in_place")


def _as_text(query: object) -> Any:
    """A query id as text; one of several columns is a tuple."""
    if isinstance(query, tuple):
        return text_of_key(tuple(map(str, query)))
    if find_kind(query) in WITH_TEXT:
        return str(query)
    return query


def _word(name: str) -> str:
    """Check that a name can be a field of a TREC file; return it."""
    is_one_word = len(name.split()) == 1 and name == name.strip()
    if not is_one_word or name.startswith(("#", "\ufeff")) or "\0" in name:
        raise ValueError(
            f"{describe(name)} cannot be written to a TREC file: it is empty, contains blanks or "
            "NUL, or starts with # or a byte-order mark"
        )
    return name


def _from_pickle(
    kind: type[QueryRecords],
    rows: RecordRows,
    places: Integers | None,
    parts: PartLabels | None = None,
    chunks: Chunks | None = None,
) -> QueryRecords:
    records = kind.__new__(kind)
    records._keep(rows, places)
    if isinstance(records, Qrels):
        records._parts = parts
    elif isinstance(records, Run):
        records._chunks = chunks
    return records


def refuse_infinite(rows: RecordRows, source: Any) -> NoReturn:
    """Raise an error for the first label that is not finite."""
    row = int(np.flatnonzero(~np.isfinite(rows.values))[0])
    words = f"a label must be finite, not {rows.values[row]}"
    if isinstance(source, Mapping):
        for query, documents in source.items():
            if not isinstance(documents, Mapping):
                continue
            for document, label in documents.items():
                if math.isinf(label):
                    place = f"query {describe(query)}, document {describe(document)}"
                    raise SourceError.at("qrels", "", f"{place}: {words}")
        # Another thread may have removed it.
        raise SourceError.at("qrels", "", words)
    line = rows.line(row)
    name, place = find_place(source, line)
    raise SourceError.at(name, place, f"{words}{line_text(source, line)}")


class QueryRecords(Mapping[str, dict[str, float]]):
    """Mapping query -> document -> number. Immutable, and safe to share between threads.

    Ids are text; a query can also be looked up by its integer, UUID or date.
    """

    __slots__ = ("_arrays", "_has_repeats", "_index", "_places", "_tables")
    _is_qrels: bool
    _has_repeats: bool  # a list has a document several times
    _arrays: RecordRows
    _index: dict[str, int]
    _places: Integers | None
    _tables: Table  # hash tables of a run, for joins

    def __init__(self, source: Any, *, duplicates: Duplicates = "raise") -> None:
        policies = OF_QRELS if self._is_qrels else OF_RUNS
        if duplicates not in policies:
            raise ValueError(
                f"duplicates must be one of {', '.join(policies)}, not {describe(duplicates)}"
            )
        kind, is_qrels = type(source), self._is_qrels
        if isinstance(source, type(self)):
            self._keep(source._arrays, source._places)
            return
        is_ranx = kind.__name__ in RANX_NAMES and kind.__module__.partition(".")[0] == "ranx"
        is_records = is_ranx or isinstance(source, QueryRecords)
        expected = "qrels" if is_qrels else "a run"
        if is_records and kind.__name__ != type(self).__name__:
            raise TypeError(
                f"expected {expected}, not a {kind.__name__}: qrels come before the run; if this "
                "is what you want, pass its to_dict()"
            )
        refuse_results(source, expected)
        if is_ranx:
            source = source.to_dict()
        form = "frame" if kind is NamedColumns else find_form(source)
        subtopics = False
        if form == "rows":
            rows, subtopics = read_rows(source, is_qrels)
        elif form == "frame":
            requested = source if kind is NamedColumns else NamedColumns(source)
            rows, source = read_frame(requested, is_qrels)
        else:
            rows, source = read_objects(source, is_qrels, duplicates)
        if not is_qrels and form != "rows" and rows.scale is None:
            warn_of_rank_like(rows, source)
        if not len(rows.values) and not isinstance(source, Mapping):
            raise no_rows(source)
        if is_qrels and not np.isfinite(rows.values).all():
            refuse_infinite(rows, source)
        if duplicates == "mean":
            rows = average_copies(rows)
        elif duplicates not in ("raise", "in_place"):
            rows = move_up(rows, keep_one(rows, duplicates))
        self._set(rows, source, duplicates == "in_place", subtopics)

    def _set(
        self, result: RecordRows, source: Any, in_place: bool = False, subtopics: bool = False
    ) -> bool:
        """Store the rows, of a run in canonical order; return whether a document is repeated."""
        rows, places = result, None
        if not self._is_qrels:
            rows = sort_rows(result)
            places = positions(result, rows)
        repeated = self._keep(rows if rows.order is None else gather(rows), places)
        if repeated is None or in_place:
            return repeated is not None
        if self._is_qrels and not subtopics:
            # Equal judgments are one.
            distinct = keep_one(result, "equal")
            if distinct.lists[-1] < result.lists[-1]:
                return self._set(distinct, source)
        raise self._repeat_error(rows, repeated, source, subtopics)

    def _repeat_error(self, rows: RecordRows, row: int, source: Any, subtopics: bool) -> ValueError:
        """The error for a row whose document an earlier row of its query has."""
        arrays = gather(rows)
        index = int(np.searchsorted(rows.lists, row, side="right")) - 1
        query, first = rows.queries[index], int(rows.lists[index])
        bounds = pairwise(arrays.id_starts[first : row + 2].tolist())
        documents = [arrays.ids[start:stop].tobytes() for start, stop in bounds]
        document = documents[-1]
        earlier = first + documents.index(document)
        name = describe(document.decode("utf-8", "replace"))
        problem = f"document {name} comes twice in query {describe(query)}"
        call = f'rankgain.{type(self).__name__}(source, duplicates="first")'
        remedy = f'to keep one, pass {call}, or duplicates="last" or duplicates="best"'
        if subtopics:
            remedy = (
                "the second field differs, as in diversity qrels, where it is the subtopic: "
                "rankgain.Qrels(source, subtopics=True) reads these (--subtopics on the command "
                "line). In stratified samples it is the stratum: make one label of those of a "
                "document, such as the greatest"
            )
        elif self._is_qrels:
            remedy += ', or duplicates="mean" for the mean label of several judges'
        else:
            remedy += ', or duplicates="in_place" to count later ones as not relevant'
        if isinstance(source, Mapping):
            return ValueError(f"{problem}; {remedy}")
        pair = np.array([earlier, row])
        if rows.order is not None:
            pair = rows.order[pair]
        first_line, line = sorted(map(rows.line, pair.tolist()))
        if getattr(source, "unit", "") == "row" and not self._is_qrels:
            remedy += ". If the table holds several systems, pass run= to evaluate_runs"
        file, place = find_place(source, line)
        first_file, first_place = find_place(source, first_line)
        first_copy = f"on {first_place}"
        if first_file != file:
            first_copy = f"in {first_file}, {first_place}"
        text = f"{problem}, first {first_copy}{line_text(source, line)}; {remedy}"
        return ValueError(f"{file}, {place}: {text}")

    def _keep(self, rows: RecordRows, places: Integers | None) -> int | None:
        """Set the attributes; return a row with the document of an earlier one, or None."""
        if self._is_qrels:
            repeated = _core.index_lists(rows.ids, rows.id_starts, rows.lists)
        else:
            self._tables, repeated = index(rows)
        self._arrays = rows._replace(order=None, gaps=np.empty(0, np.int64))
        self._places = places
        self._index = {query: i for i, query in enumerate(rows.queries)}
        self._has_repeats = repeated is not None
        return repeated

    @classmethod
    def read(cls, source: Source, *, duplicates: Duplicates = "raise") -> Self:
        """Read a TREC file: a path, "-" for standard input, or a file-like object.

        It may be compressed: gzip, bzip2, xz, or, from Python 3.14 on or with the extra "zstd",
        zst. A path that ends in .csv, .tsv or .parquet is read as such, as `from_frame` does; .json
        is a dict of dicts, .jsonl a row with names on each line. Files of fewer columns, as of MS
        MARCO and ColBERT: query, document and label, or query and document between tabs, of qrels;
        query, document, rank and perhaps a score, of a run.

        Tabs alone separate the fields of a line that they divide into as many as a row has. A row
        with another number of fields, and a rank that is no whole number, are a ValueError. A
        comment with the fields of a row, and ranks against the scores in every query, are a
        RankgainWarning.

        A document that a query lists twice is an error, unless duplicates says which one to keep:
        the "first", the "last", or the "best", which is that with the greatest number. Of qrels,
        "mean" gives the document the mean of its labels, as of several judges; else two equal
        judgments are one. Of a run, "in_place" keeps all copies: that at the best rank counts, and
        the others keep their ranks, are not relevant, and are judged if the document is; Bpref, a
        measure of pairs of judged documents, passes over them. Where ties are averaged, "best",
        "worst" or "random", copies that tie with the one that counts stand below all documents of
        their score.
        """
        return cls(source, duplicates=duplicates)

    @property
    def queries(self) -> tuple[str, ...]:
        """The query ids, in the order of their first rows."""
        return self._arrays.queries

    def documents(self, query: str | int) -> list[str]:
        """Return the document ids of a query: of a run by rank, of qrels in the order given."""
        return self._first(query, None)

    def _first(self, query: object, k: int | None) -> list[str]:
        """The first k documents of a query; None: all."""
        rows, i = self._arrays, self._index[_as_text(query)]
        first, stop = int(rows.lists[i]), int(rows.lists[i + 1])
        if k is not None:
            stop = min(stop, first + k)
        starts = rows.id_starts[first : stop + 1]
        data = rows.ids[starts[0] : starts[-1]].tobytes()
        places = (starts - starts[0]).tolist()
        return [data[a:b].decode("utf-8", "surrogateescape") for a, b in pairwise(places)]

    def _numbers(self, query: object) -> list[float]:
        rows, i = self._arrays, self._index[_as_text(query)]
        values = rows.values[rows.lists[i] : rows.lists[i + 1]]
        return values.tolist()  # type: ignore[no-any-return]

    def __getitem__(self, query: str | int) -> dict[str, float]:
        documents, numbers = self.documents(query), self._numbers(query)
        result = dict(zip(documents, numbers, strict=True))
        if len(result) < len(documents):  # repeats in place: the number of the first counts
            result |= dict(zip(documents[::-1], numbers[::-1], strict=True))
        return result

    def __contains__(self, query: object) -> bool:
        return _as_text(query) in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays.queries)

    def __len__(self) -> int:
        return len(self._arrays.queries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        rows, other_rows = self._arrays, other._arrays
        has_gaps = places_of_ranks(rows) is not None
        if has_gaps != (places_of_ranks(other_rows) is not None):
            return False
        if has_gaps and rows.scale != other_rows.scale:
            return False
        # Equal arrays are the quick case; else the order of queries and documents may differ.
        columns: Any = zip(rows[1:5], other_rows[1:5], strict=True)
        if rows.queries == other_rows.queries and all(np.array_equal(*pair) for pair in columns):
            return True
        if self._index.keys() != other._index.keys() or len(rows.values) != len(other_rows.values):
            return False
        return all(self[query] == other[query] for query in self)

    def __hash__(self) -> int:
        return hash((type(self), frozenset(self._index), len(self._arrays.values)))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return a dict of dicts: query, document, number."""
        return {query: self[query] for query in self}


class Qrels(QueryRecords):
    """Judgments: for each query, the judged documents and their labels (any finite number).

    The source is a file (see `read`), a dict of dicts, sets or lists of ids (relevant ones), a data
    frame, ranx's Qrels, rows with names (ir_datasets, ir_measures), or another Qrels. Queries
    without judgments are left out. A label that is not finite and a document twice in a query are a
    ValueError that names the place. Qrels that were read once can be used with many runs.

    A query may have parts: subtopics, nuggets, pieces of evidence. A document then has a label for
    each part that it was judged for. They come from nested dicts, query -> document -> subtopic ->
    label, or with subtopics=True from TREC's diversity qrels, whose second field is the subtopic;
    see also `from_frame` and `from_spans`. Measures such as alpha_nDCG ask for them. All other
    measures take the largest label of a document. Two unequal labels of a document for one subtopic
    are a ValueError, unless duplicates says which one to keep.

    >>> import rankgain as rg
    >>> qrels = rg.Qrels({"q1": {"a": 2, "b": 0}, "q2": {"c": 1}})
    >>> qrels
    Qrels(2 queries, 3 judgments)
    >>> qrels["q1"]
    {'a': 2.0, 'b': 0.0}
    >>> parts = rg.Qrels({"q1": {"a": {"price": 1, "range": 2}, "b": {"price": 0}}})
    >>> parts
    Qrels(1 query, 2 judgments, 2 parts)
    >>> parts.subtopics
    {'q1': ('price', 'range')}
    """

    __slots__ = ("_cache", "_parts")
    _is_qrels = True
    _cache: JoinCache
    _parts: PartLabels | None  # the labels for the parts of the queries, if they have some

    def __init__(
        self,
        source: Records | NamedColumns,
        *,
        subtopics: bool = False,
        duplicates: Duplicates = "raise",
    ) -> None:
        self._parts = None
        if isinstance(source, Qrels):
            self._parts = source._parts
        has_parts = subtopics or (isinstance(source, Mapping) and holds_parts(source))
        if isinstance(source, NamedColumns):
            has_parts = source.subtopic is not None
        if not has_parts or isinstance(source, Qrels):
            super().__init__(source, duplicates=duplicates)
            if subtopics and self._parts is None:
                raise ValueError("subtopics=True, but these qrels have no subtopics")
            return
        if duplicates not in OF_QRELS:
            super().__init__({}, duplicates=duplicates)  # raises the error
        rows, column, origin = read_parts(source)
        if not np.isfinite(rows.values).all():
            refuse_infinite(rows, origin)
        if not len(rows.values) and not isinstance(origin, Mapping):
            raise no_rows(origin)
        rows, parts = collapse(rows, column, origin, duplicates)
        self._set(rows, origin)
        self._parts = parts

    @classmethod
    def from_frame(
        cls,
        frame: Frame | Path,
        *,
        query: str | Sequence[str] | None = None,
        doc: str | None = None,
        label: str | None = None,
        subtopic: str | None = None,
        importance: str | Mapping[str, Mapping[str, float]] | None = None,
        duplicates: Duplicates = "raise",
    ) -> Self:
        """Take the judgments of a data frame, or of a CSV or Parquet file.

        Columns that are not named are found by the usual spellings: query_id, qid, topic, ...;
        doc_id, docno, item, ...; label, relevance, rel, ... Ids are text, integers or UUIDs.

        subtopic names the column with the part of the query that a row judges its document for.
        importance are weights of the parts for D_nDCG, equal by default: a column, in which all
        rows of a part have one weight, or a mapping query -> subtopic -> weight.
        """
        if subtopic is None and importance is not None:
            raise ValueError(
                "importance are weights of subtopics: name their column with subtopic="
            )
        columns = NamedColumns(frame, query, doc, label)
        if subtopic is not None:
            column = importance if isinstance(importance, str) else None
            columns = columns._replace(subtopic=subtopic, importance=column)
        result = cls(columns, duplicates=duplicates)
        if importance is not None and not isinstance(importance, str):
            assert result._parts is not None  # the frame has a column of them
            weights = read_importance(importance, result._parts, result.queries)
            result._parts = replace(result._parts, importance=weights)
        return result

    @classmethod
    def from_spans(
        cls,
        retrieved: Mapping[str, Mapping[str, tuple[str, float, float]]],
        evidence: Mapping[str, Sequence[tuple[str, float, float]]],
        *,
        min_overlap: float = 0.5,
    ) -> Self:
        """Judge chunks by the pieces of evidence that they hold, with spans of both.

        retrieved: query -> chunk -> (document, start, end); evidence: query -> pieces (document,
        start, end). Spans are half open and count in any unit, such as characters. Each piece is a
        part of the query, "0", "1" and so on. A chunk of the same document covers it if (length of
        the overlap) / (length of the piece) is at least min_overlap; one chunk must do so alone.

        A piece that no chunk covers counts as covered by a relevant document that is never
        retrieved. retrieved may hold more chunks than a run, such as all of an index. Spans that
        end where they start or before, and evidence in a document of which there is no chunk, are a
        ValueError.

        >>> import rankgain as rg
        >>> chunks = {"q": {"c1": ("report", 0, 100), "c2": ("report", 100, 200)}}
        >>> evidence = {"q": [("report", 20, 60), ("report", 90, 130), ("report", 300, 310)]}
        >>> qrels = rg.Qrels.from_spans(chunks, evidence)
        >>> qrels
        Qrels(1 query, 3 judgments, 3 parts)
        >>> rg.evaluate(qrels, {"q": ["c1", "c2"]}, "StRecall@2")["StRecall@2"]
        0.6666666666666666
        """
        return cls(judge_chunks(retrieved, evidence, min_overlap), subtopics=True)

    @property
    def subtopics(self) -> dict[str, tuple[str, ...]]:
        """The names of the parts of each query; no query has some in judgments without parts."""
        if self._parts is None:
            return dict.fromkeys(self.queries, ())
        return dict(zip(self.queries, self._parts.names, strict=True))

    @property
    def _join_cache(self) -> JoinCache:
        """Data for joins, computed at the first use and cached."""
        try:
            return self._cache
        except AttributeError:
            self._cache = JoinCache(self._arrays)
            return self._cache

    def __repr__(self) -> str:
        words = [count_of(len(self), "query"), count_of(len(self._arrays.values), "judgment")]
        if self._parts is not None:
            words.append(count_of(len(self._parts.importance), "part"))
        return f"Qrels({', '.join(words)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Qrels):
            return NotImplemented
        parts, other_parts = self._parts, other._parts
        if parts is None or other_parts is None:
            return parts is other_parts and super().__eq__(other)
        if self._index.keys() != other._index.keys() or not super().__eq__(other):
            return False
        for query in self:
            labels = _labels_by_part(self, parts, query)
            if labels != _labels_by_part(other, other_parts, query):
                return False
            importance = _importance_of(self, parts, query)
            if importance != _importance_of(other, other_parts, query):
                return False
        return True

    __hash__ = QueryRecords.__hash__

    def __reduce__(self) -> tuple[object, ...]:
        return _from_pickle, (type(self), self._arrays, self._places, self._parts)

    def write(self, target: str | os.PathLike[str] | TextIO) -> None:
        """Write the judgments as a TREC qrels file: to a path, by its suffix compressed, or a file.

        .gz, .bz2, .xz and .zst compress. An id that TREC's form cannot hold is a ValueError.
        Judgments with parts are written as diversity qrels, which hold no weights of the parts and
        no document without a label for a part.
        """
        with open_target(target) as file:
            for query in self:
                for part, document, label in self._judgments(query):
                    text = str(int(label)) if label.is_integer() else repr(label)
                    file.write(f"{_word(query)} {_word(part)} {_word(document)} {text}\n")

    def _judgments(self, query: str) -> Iterator[tuple[str, str, float]]:
        """Part, document and label of each judgment; without parts, the part is "0"."""
        if self._parts is None:
            for document, label in self[query].items():
                yield "0", document, label
            return
        for document, labels in _labels_by_part(self, self._parts, query).items():
            for part, label in labels.items():
                yield part, document, label


def _labels_by_part(qrels: Qrels, parts: PartLabels, query: str) -> dict[str, dict[str, float]]:
    """The labels of a query by document and part."""
    index = qrels._index[query]
    first = int(parts.lists[index])
    documents = qrels.documents(query)
    labels = [parts.labels_of(first + i, index) for i in range(len(documents))]
    return dict(zip(documents, labels, strict=True))


def _importance_of(qrels: Qrels, parts: PartLabels, query: str) -> dict[str, float]:
    """The weights of the parts of a query."""
    index = qrels._index[query]
    weights = parts.importance[parts.first[index] : parts.first[index + 1]].tolist()
    return dict(zip(parts.names[index], weights, strict=True))


class Chunks(NamedTuple):
    """The chunks that a run of documents was made of."""

    run: Run
    document_of: DocumentOf
    in_place: bool

    def as_documents(self, rules: Convention) -> Run:
        """The run of documents, for which chunks of equal scores stand in a convention's order."""
        rows, places = self.run._arrays, self.run._places
        result = Run.__new__(Run)
        result._chunks = None
        ranked = rank_documents(rows, places, self.document_of, rules, self.in_place)
        result._set(ranked, self.run, True)
        return result

    def to_pickle(self) -> Chunks:
        """The same, without a function, which may have no pickle."""
        chunks: set[str] = set()
        for query in self.run:
            chunks.update(self.run.documents(query))
        return self._replace(document_of=self.document_of.without_function(chunks))


class Run(QueryRecords):
    """Rankings: for each query, the documents by descending score, equal scores by descending id.

    The source is a file (see `read`), a dict of dicts or of lists of ids (best first), a data
    frame, ranx's Run, rows with names (ir_datasets, ir_measures), or another Run. Ids compare as
    bytes of UTF-8. A NaN score and a document twice in a query are a ValueError that names the
    place; the ranks of a file order nothing.

    documents: the source ranks chunks, which stand for documents: a mapping chunk -> document, a
    function of a chunk's id, or a separator, "#", before which the document stands. A document
    takes the rank of its best chunk; its other chunks are left out, or with duplicates="in_place"
    keep their ranks and are not relevant. Chunks of equal scores are ordered by their own ids.

    >>> import rankgain as rg
    >>> rg.Run({"q1": {"a": 0.5, "b": 0.5, "c": 0.9}}).documents("q1")
    ['c', 'b', 'a']
    """

    __slots__ = ("_chunks", "_float32", "_joined", "_without_own")
    _is_qrels = False
    _chunks: Chunks | None  # what its documents were made of
    # Cached: the run with float32 scores; without documents of the id of their query; None: itself.
    _float32: Run | None
    _without_own: Run | None
    _joined: Joined | None  # cached: the last join

    def __init__(
        self,
        source: object,
        *,
        duplicates: Duplicates = "raise",
        documents: Documents | None = None,
    ) -> None:
        if documents is None:
            super().__init__(source, duplicates=duplicates)
            self._chunks = source._chunks if isinstance(source, Run) else None
            return
        document_of = read_documents(documents, as_text=True)
        in_place = duplicates == "in_place"
        run = Run(source, duplicates=duplicates)
        self._chunks = Chunks(run, document_of, in_place)
        ranked = rank_documents(run._arrays, run._places, document_of, None, in_place)
        self._set(ranked, run, in_place=True)

    @classmethod
    def from_frame(
        cls,
        frame: Frame | Path,
        *,
        query: str | Sequence[str] | None = None,
        doc: str | None = None,
        score: str | None = None,
        rank: str | None = None,
        duplicates: Duplicates = "raise",
    ) -> Self:
        """Take the rankings of a data frame, or of a CSV or Parquet file, as `Qrels.from_frame`.

        rank names a column of ranks in place of scores: the smaller, the better. The scores are
        then the negated ranks. Each document keeps its rank, even if the frame lacks some before
        it; ranks start at 0 if the smallest of the frame is 0, else at 1. A column of ranks is used
        only if `rank` names it.
        """
        if rank is not None and score is not None:
            raise ValueError(f"score={score!r} and rank={rank!r}: give one of them")
        number = score if rank is None else rank
        columns = NamedColumns(frame, query, doc, number, rank is not None)
        return cls(columns, duplicates=duplicates)

    def __repr__(self) -> str:
        documents = count_of(len(self._arrays.values), "document")
        return f"Run({count_of(len(self), 'query')}, {documents})"

    def __reduce__(self) -> tuple[object, ...]:
        chunks = self._chunks
        stored = None if chunks is None else chunks.to_pickle()
        return _from_pickle, (type(self), self._arrays, self._places, None, stored)

    def write(self, target: str | os.PathLike[str] | TextIO, tag: str = "rankgain") -> None:
        """Write the rankings as a TREC run, to a path or a file as `Qrels.write` does.

        TREC's form has no gaps between ranks; a run that has some warns.
        """
        _word(tag)
        if places_of_ranks(self._arrays) is not None:
            warn(
                "some ranks of the run are missing, which a TREC run does not show: when it is "
                "read, documents move up to the ranks 1, 2, 3 and so on"
            )
        with open_target(target) as file:
            for query in self:
                rows = zip(self.documents(query), self._numbers(query), strict=True)
                for rank, (document, score) in enumerate(rows, 1):
                    file.write(f"{_word(query)} Q0 {_word(document)} {rank} {score!r} {tag}\n")


def as_qrels(source: object, runs: Iterable[Any] = ()) -> Qrels:
    """Make Qrels from a source, which must not be one of the `runs`, if it is a frame."""
    if isinstance(source, Qrels):
        return source
    if any(is_same(source, run) for run in runs) and find_form(source) == "frame":
        refuse_one_column(source)
    return Qrels(cast("Records", source))


def warn_if_exchanged(labels: Floats, run: Any) -> None:
    """Warn if labels look like scores, all fractions, and scores like labels, small and whole."""
    if not len(labels) or labels[0] == round(labels[0]):
        return
    rows = as_run(run)._arrays
    scores, sizes = rows.values, np.diff(rows.lists)
    # A list of n ids, which has no scores, was read with n, n - 1, ..., 1: what is left of the list
    # from each document on. These small whole numbers say nothing about the source.
    given_to_ids = np.repeat(rows.lists[1:], sizes) - np.arange(len(scores))
    if sizes.max(initial=0) > 1 and np.array_equal(scores, given_to_ids):
        return
    looks_judged = (scores == np.round(scores)) & (np.abs(scores) <= LARGEST_LABEL)
    if len(scores) and looks_judged.all() and (labels != np.round(labels)).all():
        warn(
            f"all labels of the qrels are fractions, such as {labels[0]:g}, and all scores of the "
            f"run are small whole numbers, such as {scores[0]:g}. Did you swap qrels and run? Pass "
            "the qrels first"
        )


def is_same(a: object, b: object) -> bool:
    """Whether two sources are the same object or path."""
    if isinstance(a, (str, os.PathLike)) and isinstance(b, (str, os.PathLike)):
        return os.fspath(a) == os.fspath(b)
    return a is b


def as_run(source: object) -> Run:
    """Make a Run from a source."""
    return source if isinstance(source, Run) else Run(source)
