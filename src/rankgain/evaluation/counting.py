"""Counts of an evaluation: lists without results, without judgments, undefined ones, and ties."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.notices import name_some
from ..inputs.printable import count_of, printable
from ..measures.measure import NO_FREE_NAMES, Measure, find_family, parse_measure
from ..text import TextTable, align, preformat, wrap_notes

if TYPE_CHECKING:
    from ..inputs.types import Array
    from .evaluation import Evaluation


ENDS = ("low", "high")  # of bounds


def mean_kind(name: str, better: Mapping[str, str] = NO_FREE_NAMES) -> str:
    """The kind of mean of a measure; an error for a measure of all lists together.

    better: the directions of measures with a free name, whose values have a plain mean.
    """
    if name in better:
        return "mean"
    kind = find_family(name).mean
    if kind == "whole":
        raise ValueError(
            f"{name} is a number of all lists together and no mean over them, so sums say nothing "
            "of it; Evaluation.merge computes it again from the lists, or remove it"
        )
    return kind


def find_key(
    name: Any,
    requested: Mapping[str, str],
    measures: Collection[str],
    better: Mapping[str, str] = NO_FREE_NAMES,
) -> str:
    """The name of an evaluated measure, from any spelling of it, or from a requested name.

    better: the directions of measures with a free name, which is found by its exact text only.
    """
    # A free name need not follow the grammar of names, so it is looked up first.
    if better and isinstance(name, (str, Measure)):
        if str(name) in better:
            return str(name)
        if len(better) == len(measures):
            raise KeyError(f"{name} was not evaluated, only {', '.join(measures)}")
    # A requested name, such as AP, may stand for a measure with the convention's cutoff.
    if isinstance(name, str) and name.strip() in requested:
        return requested[name.strip()]
    key = str(parse_measure(name))
    key = requested.get(key, key)
    if key not in measures:
        raise KeyError(f"{key} was not evaluated, only {', '.join(measures)}")
    return key


def count_undefined(counts: dict[str, Any], name: str, empty: Any, undefined: Array) -> None:
    """Add the number of undefined lists of a measure, and the value that they count in its mean."""
    lists = int(undefined.sum())
    if not lists:
        return
    if not isinstance(empty, str) and not math.isfinite(empty):
        empty = str(empty)  # strict JSON has no nan and inf
    counts.setdefault("undefined", {})[name] = lists
    counts.setdefault("undefined_as", {})[name] = empty


class MissingCounts(NamedTuple):
    """What the measures of an evaluation make of queries without results."""

    undefined: dict[str, int]  # by measure: how many of these queries are undefined, too
    zero: list[str]  # the measures that count all others as 0
    nonzero: list[str]  # the measures that have another value for one of the others


def count_missing_values(evaluation: Evaluation) -> MissingCounts:
    """Count the values of queries without results."""
    result = MissingCounts({}, [], [])
    if not evaluation.counts.get("missing") or "missing" not in evaluation.marked:
        return result
    missing = evaluation.marked["missing"]
    for name, column in evaluation.per_query.items():
        # Under some conventions a measure leaves such queries out, while another counts them.
        defined = missing & ~np.isnan(column)
        if name in evaluation.marked:
            result.undefined[name] = int((missing & evaluation.marked[name]).sum())
            defined &= ~evaluation.marked[name]
        if not defined.any():
            continue
        # The column of a geometric mean has logarithms of the values, here of the floor for 0.
        if mean_kind(name, evaluation.better) == "geometric" or not column[defined].any():
            result.zero.append(name)
        else:
            result.nonzero.append(name)
    return result


NOTHING_MISSING = MissingCounts({}, [], [])


def footer(
    counts: Mapping[str, Any],
    measures: int,
    convention: str,
    missing: MissingCounts = NOTHING_MISSING,
) -> str:
    """All counts in one line of text: one number of undefined lists if it is that of all measures.

    convention: "" for values that the user gave, whose NaN are called missing.
    """
    parts = []
    if counts.get("missing"):
        parts.append(f"{counts['missing']} without results{_describe_missing(missing, counts)}")
    kind = "undefined"
    if not convention:
        kind = "missing"
    # Measures with the same number of undefined lists, and the same value for them, share a part.
    groups: dict[tuple[int, int, str], list[str]] = {}
    for name, lists in counts.get("undefined", {}).items():
        effect = _describe_undefined(counts["undefined_as"][name])
        groups.setdefault((lists, missing.undefined.get(name, 0), effect), []).append(name)
    is_of_all = len(groups) == 1 and len(counts["undefined"]) == measures
    for (lists, without_results, effect), names in groups.items():
        measured = ""
        if not is_of_all:
            measured = f" for {name_some(names)}"
        overlap = ""
        if without_results == lists:
            overlap = ", also without results"
        elif without_results:
            overlap = f", {without_results} of them without results"
        parts.append(f"{lists} {kind}{measured}{overlap}, {effect}")
    of_users = are_users(counts)
    text = queries(counts["queries"], of_users)
    if parts:
        text += f" ({'; '.join(parts)})"
    if counts.get("skipped"):
        text += f"; skipped {queries(counts['skipped'], of_users)} without results"
    if counts.get("unjudged"):
        text += f"; skipped {queries(counts['unjudged'], of_users)} without judgments"
    if counts.get("ignored"):
        documents = "documents"
        if counts["ignored"] == 1:
            documents = "document"
        text += f"; {counts['ignored']} {documents} ignored by label"
    if convention:
        text += f" (convention {convention})"
    return text


def _describe_missing(missing: MissingCounts, counts: Mapping[str, Any]) -> str:
    """What queries without results count in the means; "" if that differs between them."""
    if not missing.zero:
        return ""
    effect = ", counted as 0"
    if missing.nonzero:
        return f"{effect} except for {name_some(missing.nonzero)}"
    for name, without_results in missing.undefined.items():
        if without_results and counts["undefined_as"][name] != 0:
            return f"{effect} if defined"
    return effect


def _describe_undefined(value: str | float) -> str:
    """What becomes of undefined lists in the mean."""
    if value == "skip":
        return "skipped"
    if isinstance(value, str):
        return f"counted as {value}"
    return f"counted as {value:g}"


def are_users(counts: Mapping[str, Any]) -> bool:
    """Whether all queries of an evaluation are users."""
    return bool(0 < counts.get("users", 0) == counts["queries"])


def compare_users(evaluations: Mapping[str, Evaluation] | None) -> bool:
    """Whether all queries of the evaluations of a comparison are users."""
    if not evaluations:
        return False
    return all(are_users(evaluation.counts) for evaluation in evaluations.values())


def queries(n: int, of_users: bool = False) -> str:
    """A number of queries, or of users, as text."""
    singular, plural = "query", "queries"
    if of_users:
        singular, plural = "user", "users"
    if n == 1:
        return f"1 {singular}"
    return f"{n} {plural}"


def pooled_legend(runs: Mapping[Any, Any], measures: Iterable[str] | None = None) -> list[str]:
    """What the columns of pooled evaluations show, by default all measures; nothing for others."""
    count = len(shared_collections(runs))
    if not count:
        return []
    if measures is None:
        first = next(iter(runs.values()))
        measures = first.means
    names = ", ".join(map(printable, measures))
    return [f"{names}; each of {count} collections counts equally"]


def shared_collections(runs: Mapping[Any, Any]) -> tuple[str, ...]:
    """The names of the pooled collections, if all evaluations have the same ones."""
    distinct = set()
    for run in runs.values():
        names = tuple(dict.fromkeys(run.collections or ()))
        distinct.add(names)
    # Evaluations of other collections, or of a single one, are not pooled.
    if len(distinct) != 1:
        return ()
    names = distinct.pop()
    if len(names) == 1:
        return ()
    return names


def footers(runs: Mapping[Any, Any]) -> list[str]:
    """Footers of several evaluations; one line if all are equal."""
    texts = [run.footer() for run in runs.values()]
    if len(set(texts)) == 1:
        text = texts[0]
        first, *other_runs = runs.values()
        if any(run.queries != first.queries for run in other_runs):
            # As many queries in each, but different ones: those of segments, not those in all.
            counted, separator, details = text.partition(" (")
            text = f"{counted} each{separator}{details}"
        return [text]
    return [f"{printable(str(run))}: {text}" for run, text in zip(runs, texts, strict=True)]


def printed_footers(runs: Mapping[str, Evaluation]) -> list[str]:
    """Footers of several evaluations in short lines; a shared convention stands at the end."""
    texts = footers(runs)
    if len(texts) == 1:
        return texts
    conventions = {run.convention for run in runs.values()}
    # A convention that all lines end with is printed once.
    if len(conventions) == 1 and conventions != {""}:
        convention = conventions.pop()
        suffix = f" (convention {convention})"
        texts = [text.removesuffix(suffix) for text in texts]
        texts.append(f"convention {convention}")
    return wrap_notes(texts)


class TieMove(NamedTuple):
    """Bounds of the mean of one measure, and the lists whose value depends on ties."""

    measure: str
    mean: float
    worst: float
    best: float
    lists: int  # whose value depends on the order of ties
    most: float  # the widest interval of a list


class TieReport(NamedTuple):
    """Lists and documents that tie, and how far each measure could move. Prints a table.

    >>> import rankgain as rg
    >>> result = rg.evaluate_arrays([[2, 0, 1]], [[0.5, 0.5, 0.1]], "nDCG", bounds="ties")
    >>> print(result.tie_report())
    1 of 1 list has ties: 2 of 3 documents in 1 group
    measure    mean   worst    best  lists  widest
    nDCG     0.8100  0.6697  0.9502      1  0.2806
    """

    queries: int
    tied_lists: int
    documents: int
    tied_documents: int
    tie_blocks: int
    moves: tuple[TieMove, ...]

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        lists = count_of(self.queries, "list")
        if not self.tied_lists:
            return f"No ties in {lists} ({self.documents:,} documents)."
        have = "have"
        if self.tied_lists == 1:
            have = "has"
        summary = (
            f"{self.tied_lists:,} of {lists} {have} ties: {self.tied_documents:,} of "
            f"{self.documents:,} documents in {count_of(self.tie_blocks, 'group')}"
        )
        header = ["measure", "mean", "worst", "best", "lists", "widest"]
        rows = []
        for move in self.moves:
            means = [f"{mean:.4f}" for mean in (move.mean, move.worst, move.best)]
            rows.append([move.measure, *means, str(move.lists), f"{move.most:.4f}"])
        return "\n".join([summary, *align(TextTable(header, rows, 1))])


def columns_of(evaluation: Evaluation, means: bool = False) -> dict[str, Any]:
    """Values of queries, or means, by the name of their column, then the ends of their bounds."""
    columns: dict[str, object] = {}
    if means:
        columns |= evaluation.means
        for kind, ends_of_means in evaluation.bound_means.items():
            for name, pair in ends_of_means.items():
                for word, mean in zip(ENDS, pair, strict=True):
                    columns[f"{name} {kind} {word}"] = mean
        return columns
    columns |= evaluation.per_query
    for kind, ends_of_lists in evaluation.bounds.items():
        for name, rows in ends_of_lists.items():
            for word, values in zip(ENDS, rows.T, strict=True):
                columns[f"{name} {kind} {word}"] = values
    return columns
