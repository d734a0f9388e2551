"""`rankgain explain`, `reconcile` and `conventions`: what is printed to be read."""

import argparse
from collections.abc import Iterator
from typing import Any

from ..analysis import explain_query as analysis
from ..convention import UNSET, conventions, get_convention
from ..names.measure import parse_measure
from ..records.choose import as_qrels, as_run
from ..records.printable import printable
from .errors import UsageError


def show_conventions(options: argparse.Namespace) -> int:
    """Print the table, or one entry."""
    if options.name is None:
        print(conventions)
        return 0
    try:
        print(get_convention(options.name))
    except ValueError as error:
        raise UsageError(str(error)) from None
    return 0


def explain_query(options: argparse.Namespace) -> int:
    """Print the table of one query of a run, and which documents it speaks of."""
    try:
        rules = get_convention(options.convention)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.k is not None and options.k < 1:
        raise UsageError(f"-k must be at least 1, not {options.k}")
    run, query = as_run(options.run), options.query
    qrels = as_qrels(options.qrels, [options.run])
    if query not in qrels:
        raise UsageError(f"query {query!r} has no judgments in {options.qrels}")
    shown, documents = analysis.explain_query(
        qrels,
        run,
        query,
        rules,
        k=_or_unset(options.k),
        gain=_or_unset(options.gain),
        discount=_or_unset(options.discount),
        ties=_or_unset(options.ties),
    )
    names = [printable(document) for document in documents]
    print(printable(f"query {query}, {options.run}"))
    print("\n".join(_with_names(str(shown), names)))
    return 0


def _with_names(table: str, names: list[str]) -> Iterator[str]:
    """The lines of an explanation, each with the id of its document."""
    for line in table.splitlines():
        first = line.split(maxsplit=1)[:1]
        if first == ["rank"]:
            yield f"{line}  |  document"
        elif first and first[0].isdigit() and int(first[0]) <= len(names):
            yield f"{line}  |  {names[int(first[0]) - 1]}"
        else:
            yield line


def reconcile_run(options: argparse.Namespace) -> int:
    """Print why a measure of a run differs between two conventions."""
    from ..analysis.reconcile import reconcile_runs

    try:
        rules = get_convention(options.a), get_convention(options.b)
        measure = parse_measure(options.measure)
    except ValueError as error:
        raise UsageError(str(error)) from None
    print(reconcile_runs(options.qrels, options.run, *rules, measure=measure))
    return 0


def _or_unset(value: Any) -> Any:
    return UNSET if value is None else value
