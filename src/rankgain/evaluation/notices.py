"""Warnings of evaluations: cutoffs beyond all rows, and ids that do not match."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from ..engine.notices import name_some, warn, warn_of_exclusion
from ..inputs.files import name_source
from ..inputs.ids import Paired, remove_filling
from ..inputs.lists import Lists
from ..inputs.printable import count_of
from ..inputs.relevant import list_ids, read_relevant
from ..inputs.sparse import keep_entries
from ..measures.measure import parse_measure
from ..trec.rows import Joined
from .evaluation import Evaluation

if TYPE_CHECKING:
    from ..inputs.types import Records


EXAMPLES = 2  # ids that a warning shows of each side
SEPARATORS = ("#", "::", ":", "_", "-", "/", "|", ".")  # between a document and its chunk


def warn_of_short_rows(result: Evaluation, columns: int | None, lists: bool = False) -> None:
    """Warn of cutoffs beyond the longest row, which has `columns` ids; None: none is too deep."""
    if columns is None or len(result) == 1:  # tools that evaluate item by item would repeat it
        return
    # Nobody asked for the cutoff that a convention adds.
    added_by_convention = set(result.requested.values())
    cutoffs = {}  # of measures with a deeper cutoff
    for name in result.means:
        if name in added_by_convention or name in result.better:
            continue
        k = parse_measure(name).k
        if k is not None and k > columns:
            cutoffs[name] = k
    if not cutoffs:
        return
    width = f"retrieved has {count_of(columns, 'column')}"
    if lists:
        width = f"the longest list of retrieved has {count_of(columns, 'id')}"
    ask = "ask"
    if len(cutoffs) == 1:
        ask = "asks"
    measures = name_some(list(cutoffs))
    k = max(cutoffs.values())
    effect, remedy = "all of them count as not retrieved", f"pass {k} items"
    if columns:
        effect = f"ranks after {columns} count as not retrieved"
        remedy += f", or ask for a cutoff of at most {columns}"
    warn(f"{width}, but {measures} {ask} for the first {k} items; {effect}: {remedy}")


def warn_of_other_users(paired: Paired) -> None:
    """Warn if retrieved and relevant ids have few users in common."""
    users = paired.users or ()
    retrieved_name, relevant_name = paired.names
    common = int(paired.has_retrieved.sum())
    # Some users may be absent; if most are, the ids probably differ.
    if 2 * common >= len(users):
        return
    absent = np.flatnonzero(~paired.has_retrieved)[:EXAMPLES].tolist()
    missing = _quote_first([users[index] for index in absent], len(users) - common)
    extra = ""
    if paired.without_relevant:
        surplus = _quote_first(paired.without_relevant, len(paired.without_relevant))
        extra = f"; not in {relevant_name}: {surplus}"
    unit = paired.unit
    found = f"no {unit} of {relevant_name} is"
    if common:
        verb = "is" if common == 1 else "are"
        found = f"only {common} of the {count_of(len(users), unit)} of {relevant_name} {verb}"
    warn(f"{found} in {retrieved_name}; missing: {missing}{extra}. Check that the {unit} ids match")


def warn_of_unmatched(joined: Joined, run: Records, warned: set[str]) -> None:
    """Warn if qrels and run have few queries or no document in common; once per call."""
    judged, common = len(joined.queries), int(joined.in_run.sum())
    if joined.unmatched is None and 2 * common >= judged:
        return
    source = "the run"
    if isinstance(run, (str, os.PathLike)):
        source = f"the run {name_source(run)}"
    if joined.unmatched is not None and "documents" not in warned:
        warned.add("documents")
        query, retrieved, documents = joined.unmatched
        warn_of_documents(f"query {query!r} of {source}", retrieved, "the qrels", documents)
    if "queries" in warned or 2 * common >= judged:
        return
    warned.add("queries")
    absent = np.flatnonzero(~joined.in_run)[:EXAMPLES].tolist()
    missing = _quote_first([joined.queries[index] for index in absent], judged - common)
    extra = ""
    if len(joined.unjudged):
        extra = f"; not judged: {_quote_first(joined.unjudged, len(joined.unjudged))}"
    found = "no judged query is"
    if common:
        verb = "is" if common == 1 else "are"
        found = f"only {common} of {judged} judged queries {verb}"
    warn(f"{found} in {source}; missing: {missing}{extra}. Check that the query ids match")


def warn_of_documents(
    place: str,
    retrieved: Sequence[object],
    truth: str,
    judged: Sequence[object],
    separator: str | None = None,
    of_documents: bool = False,
) -> None:
    """Warn that no retrieved document is judged; separator: of chunks, if it is known.

    of_documents: retrieved ids were chunks, and are shown as the documents that they became.
    """
    if separator is None:
        separator = find_separator(retrieved, judged)
    remedy = "Check that the document ids match"
    if separator is not None:
        remedy = (
            f"If retrieved ids are chunks of documents, pass documents={separator!r}. Otherwise "
            "check that the document ids match"
        )
    elif of_documents:
        remedy = (
            f"documents= made documents of the retrieved ids only: check that {truth} has ids of "
            "documents, or remove documents="
        )
    warn(
        f"no retrieved document is judged, in any query: {place} has "
        f"{_quote(retrieved[:EXAMPLES])}, {truth} {_quote(judged[:EXAMPLES])}. {remedy}"
    )


def find_separator(retrieved: Iterable[object], judged: Iterable[object]) -> str | None:
    """The separator before whose last place a retrieved id is a judged one, as a chunk's id is."""
    documents = {document for document in judged if isinstance(document, str)}
    for chunk in retrieved:
        if not isinstance(chunk, str):
            continue
        for separator in SEPARATORS:
            document, _, _ = chunk.rpartition(separator)
            if document in documents:
                return separator
    return None


def warn_of_unmatched_ids(paired: Paired) -> None:
    """Warn if no retrieved id is relevant in any of several lists.

    A single list may well have no relevant id, so it causes a warning only if its ids are those of
    relevant ones with a chunk.
    """
    retrieved_name, relevant_name = paired.names
    retrieved = _read_rows(paired.retrieved, retrieved_name)
    relevant = _read_rows(paired.relevant, relevant_name)
    relevant_ids = set(chain.from_iterable(relevant))
    if not relevant_ids.isdisjoint(chain.from_iterable(retrieved)):
        return
    separator = find_separator(chain.from_iterable(retrieved), relevant_ids)
    if len(paired.retrieved) == 1 and separator is None:
        return
    for index, (row, relevant_row) in enumerate(zip(retrieved, relevant, strict=True)):
        if row and relevant_row:
            user = f"list {index}"
            if paired.users is not None:
                user = repr(paired.users[index])
            place = f"{user} of {retrieved_name}"
            shown = list(islice(dict.fromkeys(row), EXAMPLES))
            shown_relevant = list(islice(relevant_row, EXAMPLES))
            warn_of_documents(
                place, shown, relevant_name, shown_relevant, separator, paired.of_documents
            )
            return


def warn_of_excluded_ids(paired: Paired, remaining: Paired) -> None:
    """Warn if the excluded ids are all relevant ones; `remaining`: the ids without them."""
    if any(map(_count_relevant, remaining.relevant)):
        return
    counts = list(map(_count_relevant, remove_filling(paired).relevant))
    warn_of_exclusion(sum(counts), sum(map(bool, counts)), "items")


def warn_of_excluded_columns(lists: Lists, relevant: object, gains: object) -> None:
    """Warn if the items excluded from lists of column numbers are all relevant ones.

    lists: without the excluded items.
    """
    if lists.runs is not None and (lists.runs.level > 0).any():
        return
    truth = read_relevant(relevant, gains)
    truth = keep_entries(truth, truth.values > 0)
    n_lists = int(np.count_nonzero(np.diff(truth.indptr)))
    warn_of_exclusion(len(truth.values), n_lists, "items")


def _count_relevant(row: Collection[object]) -> int:
    """The number of ids of a list, of those with labels the number with labels above 0."""
    if not isinstance(row, Mapping):
        return len(row)
    labels = np.array(list(row.values()), np.float64)
    return int((labels > 0).sum())


def _read_rows(rows: Sequence[object], name: str) -> list[Collection[object]]:
    """The ids of each list."""
    return [list_ids(row, name, index, True) for index, row in enumerate(rows)]


def _quote(ids: Sequence[object]) -> str:
    return " and ".join(map(repr, ids))


def _quote_first(ids: Sequence[object], count: int) -> str:
    """The first of so many ids, and how many more there are."""
    first = list(ids[:EXAMPLES])
    if count == len(first):
        return _quote(first)
    return f"{', '.join(map(repr, first))} and {count - len(first)} more"
